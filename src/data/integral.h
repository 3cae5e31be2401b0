/* integral.h -- the rows of some blocks as whole numbers: all of them times one power of ten.
 *
 *     X_ij = 10^places x_ij,   places >= 0 as small as it can be
 *
 * with x_ij the decimals of the file (exact.h). So sums of products of rows are whole numbers, too,
 * and arithmetic with them does not round. Each number takes `limbs` limbs (base/wide.h).
 *
 * Images under a map (map.h) are products of these decimals. Those of a lift have roots as
 * factors, sqrt(m_j) phi_j(x), and dot products have the m_j alone, which are decimals:
 *
 *     sum_j sqrt(m_j) phi_j(x) sqrt(m_j) phi_j(z) = sum_j phi_j(x) (m_j phi_j(z))               (1)
 *
 * So an entry has two numbers, phi_j(x) and its partner m_j phi_j(x): every product of two rows
 * takes the one from here and the other from there. */
#ifndef PERC_INTEGRAL_H
#define PERC_INTEGRAL_H

#include "base/wide.h"
#include "data/exact.h"
#include "data/lens.h"

/* Numbers are below 10^INTEGRAL_PLACES, and their digits end before that many places. */
enum { INTEGRAL_PLACES = 100 };

struct integral {
    struct env e;
    uint64_t rows, entries;
    uint64_t *start;   /* rows + 1: the entries of row i are start[i] .. start[i + 1] - 1 */
    uint64_t *column;  /* rising within a row */
    uint32_t *value;   /* none is 0 */
    uint32_t *partner; /* 10^partner_places m x; the same array where all m are 1 */
    size_t limbs;
    size_t bits; /* of the largest |X_ij| and partner, and of these powers of ten */
    int64_t places, partner_places;
};

/* PERC_ENOMEM; PERC_EDATA names a row with a number that is out of bounds. */
perc_status integral_make(struct integral *x, const struct env *e, const struct block *blocks,
                          size_t count, perc_error *err);
/* The images of these rows, under the map of a lens that has room for them, in their place. The
 * C of a lift is the shortest decimal that reads back as it. PERC_ENOMEM, and x is as it was. */
perc_status integral_map(struct integral *x, struct lens *lens, perc_error *err);
void integral_free(struct integral *x); /* safe on a zeroed one */

#endif
