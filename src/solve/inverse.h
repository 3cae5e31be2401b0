/* inverse.h -- the inverse of a square matrix in whole numbers, kept up to date.
 *
 *     K^-1 = N / det,   det > 0
 *
 * where K has whole numbers. N is the adjugate of K up to its sign, so its numbers are
 * minors of K and no larger than those (Hadamard 1893), and all divisions are exact
 * (Edmonds 1967, Bareiss 1968). Rows and columns of K are replaced, added and dropped, each
 * in k^2 products. K itself is not kept: callers give N c for a column c, and r N for a
 * row r. */
#ifndef PERC_INVERSE_H
#define PERC_INVERSE_H

#include "solve/whole.h"

struct inverse {
    struct env e;
    size_t k, cap;
    mpz_t *n; /* cap x cap; element (s, j) at s * cap + j belongs to column s
                                and row j of K */
    mpz_t det, scratch;
};

/* K is the 1 x 1 matrix (1). PERC_ENOMEM. inverse_free is safe after both, and on a zeroed
 * one. */
perc_status inverse_init(struct inverse *v, const struct env *e);
void inverse_free(struct inverse *v);

static inline mpz_t *inverse_at(const struct inverse *v, size_t s, size_t j)
{
    return &v->n[s * v->cap + j];
}

/* Room for one more column and row. */
perc_status inverse_room(struct inverse *v);
/* K becomes (K c; r g), with nc = N c, rn = r N and bordered = det g - r N c, not 0: the new
 * determinant, times the sign that K's was given. There must be room. */
void inverse_border(struct inverse *v, mpz_t *nc, mpz_t *rn, const mpz_t bordered);
/* Column s of K becomes c; nc = N c, and nc[s] is not 0. */
void inverse_column(struct inverse *v, size_t s, mpz_t *nc);
/* Row j of K becomes r; rn = r N, and rn[j] is not 0. */
void inverse_row(struct inverse *v, size_t j, mpz_t *rn);
/* Column s and row j are left out, where (s, j) is not 0; the last ones take their places. */
void inverse_drop(struct inverse *v, size_t s, size_t j);

#endif
