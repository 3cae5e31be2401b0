/* spread.h -- rows spread out, and sums of their outer products.
 *
 * A symmetric matrix is kept as its lower half, row after row: element (i, j), j <= i,
 * at h[i * stride + j]. Its size and its stride are multiples of GRAM_LANES, what was
 * added to get there being zero with ones on the diagonal; what stands above the
 * diagonal is not looked at, and may be anything.
 *
 * Every element is summed in an order that is fixed by the rows alone, in lanes where
 * it is a long sum: the same bits on any processor and any number of threads. */
#ifndef PERC_SPREAD_H
#define PERC_SPREAD_H

#include "vec/row.h"

enum { GRAM_LANES = 8 };

static inline size_t gram_size(size_t d)
{
    return (d + GRAM_LANES - 1) / GRAM_LANES * GRAM_LANES;
}

/* A row spread out: dense values, and which groups of GRAM_LANES columns are used. */
struct spread {
    double *dense;   /* gram_size(d), zero between rows  */
    uint32_t *group; /* room for gram_size(d) / GRAM_LANES */
    size_t groups;   /* in use, increasing               */
};
void spread_row(struct spread *s, const struct row *r, uint64_t dims);
/* One more entry, after those of the row. */
void spread_entry(struct spread *s, size_t column, double value);
void spread_clear(struct spread *s);

/* h_ij += c_k x_ki x_kj for from <= i < to, j <= i, for n <= GRAM_ROWS rows x_k in turn: the
 * product c_k x_ki first, rounded. More rows at a time are faster; the bits are the same. */
enum { GRAM_ROWS = 16 };
void spread_gram(const double *c, const struct spread *s, size_t n, size_t from, size_t to,
                 double *h, size_t stride);

/* w_j += a x_j^2 */
void spread_axpy_squares(double a, const struct row *r, double *w, uint64_t dims);

#endif
