/* integral.h -- the rows of some blocks as whole numbers: all of them times one power of ten.
 *
 *     X_ij = 10^places x_ij,   places >= 0 as small as it can be
 *
 * with x_ij the decimals of the file (exact.h). So sums of products of rows are whole numbers, too,
 * and arithmetic with them does not round. Each number takes `limbs` limbs (base/wide.h). */
#ifndef PERC_INTEGRAL_H
#define PERC_INTEGRAL_H

#include "base/wide.h"
#include "data/exact.h"

/* Numbers are below 10^INTEGRAL_PLACES, and their digits end before that many places. */
enum { INTEGRAL_PLACES = 100 };

struct integral {
    struct env e;
    uint64_t rows, entries;
    uint64_t *start;  /* rows + 1: the entries of row i are start[i] .. start[i + 1] - 1 */
    uint64_t *column; /* rising within a row */
    uint32_t *value;  /* none is 0 */
    size_t limbs;
    size_t bits; /* of the largest |X_ij|, and of 10^places */
    int64_t places;
};

/* PERC_ENOMEM; PERC_EDATA names a row with a number that is out of bounds. */
perc_status integral_make(struct integral *x, const struct env *e, const struct block *blocks,
                          size_t count, perc_error *err);
void integral_free(struct integral *x); /* safe on a zeroed one */

#endif
