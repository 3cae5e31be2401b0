/* row_many.h -- the inner loops where many weight vectors stand side by side.
 *
 * With one vector a class, the weights of one column are needed together: so they
 * are stored together, those of column j and vector c at
 *
 *     w[j * stride + c],   c < stride,
 *
 * stride a multiple of VEC_LANES, the vectors that fill it up all zero; or 1. The
 * order of the sums is that of row.h, and so are the bits: vector c gets what the
 * loop of row.h would give it alone. */
#ifndef PERC_ROW_MANY_H
#define PERC_ROW_MANY_H

#include "vec/row.h"

enum { VEC_LANES = 4 };

/* The stride for k vectors. */
static inline size_t row_many_stride(size_t k)
{
    return k <= 1 ? 1 : (k + VEC_LANES - 1) / VEC_LANES * VEC_LANES;
}

/* out[c], c < stride: the canonical dot of each vector with the row, the bits of
 * row_dot. Columns at or beyond dims are skipped; ALL_COLUMNS: there are none. */
void row_scores(const struct row *r, const double *w, uint64_t dims, size_t stride, double *out);

/* w_j += a x_j in one vector, the product rounded, then the sum. The caller has
 * added the vector's number to w. */
void row_axpy_in(double a, const struct row *r, double *w, uint64_t dims, size_t stride);

/* The same in two arrays in one walk: w_j += a x_j, u_j += b x_j. They must not overlap. */
void row_axpy_two(double a, double b, const struct row *r, double *w, double *u, uint64_t dims,
                  size_t stride);

/* Promotes vector p and demotes vector q, p != q:
 *     w_jp += a x_j,   w_jq -= a x_j;   and unless u is NULL
 *     u_jp += b x_j,   u_jq -= b x_j. */
void row_axpy_pair(double a, double b, const struct row *r, double *w, double *u, uint64_t dims,
                   size_t stride, size_t p, size_t q);

/* In all vectors in one walk: w_jc += a_c x_j and, unless u is NULL, u_jc += b_c x_j, for
 * c < stride, stride > 1. Where a_c (b_c) is 0 the weights stay, except that a -0 may
 * become 0. */
void row_axpy_all(const double *a, const double *b, const struct row *r, double *w, double *u,
                  uint64_t dims, size_t stride);

#endif
