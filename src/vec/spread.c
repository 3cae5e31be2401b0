/* spread.c -- sums of outer products of rows, by groups of columns.
 *
 * The outer product of a sparse row with itself touches the elements (i, j) where both
 * columns are used, scattered over the matrix. Taken GRAM_LANES columns at a time they
 * come in pieces that a vector register holds, at the price of adding some zeros, which
 * changes nothing: dense and sparse copies of a row give the same bits. */
#include "vec/spread.h"

#include "vec/lanes.h"
#include "vec/row_decode.h"

_Static_assert((int)GRAM_LANES == (int)LANES, "a group of columns is one vector");

/* Eight numbers at any address. */
typedef double lanes_at __attribute__((vector_size(8 * LANES), may_alias, aligned(8)));

/* ----- rows spread out --------------------------------------------------------- */

void spread_entry(struct spread *s, size_t column, double value)
{
    const uint32_t group = (uint32_t)(column / GRAM_LANES);

    s->dense[column] = value;
    if (s->groups == 0 || s->group[s->groups - 1] != group) s->group[s->groups++] = group;
}

INLINE void spread_piece(struct spread *s, const struct row *r, int indices, size_t from, size_t n,
                         const double *v)
{
    for (size_t k = 0; k < n; k++)
        spread_entry(s, (size_t)column_at(r->index, indices, r->first, from + k), v[k]);
}

void spread_row(struct spread *s, const struct row *r, uint64_t dims)
{
    const size_t n = known(r, dims);
    double buf[PIECE];

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = decode(r, from, len, buf);
#define CALL(indices) spread_piece(s, r, indices, from, len, v)
        BY_INDEX(r->indices, CALL)
#undef CALL
    }
}

void spread_clear(struct spread *s)
{
    for (size_t k = 0; k < s->groups; k++)
        *(lanes_at *)(s->dense + (size_t)s->group[k] * GRAM_LANES) = (lanes_at){ 0 };
    s->groups = 0;
}

/* ----- outer products ----------------------------------------------------------- */

/* `high` rows of h over the first n groups of x: h_ij += t_i x_j. Together, because one
 * load of x then serves them all, and the end of the loop is mispredicted only once. */
LANES_INLINE void add_rows(const double *t, double *const *h, int high, const struct spread *s,
                           size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const size_t at = (size_t)s->group[k] * GRAM_LANES;
        const lanes x = *(const lanes_at *)(s->dense + at);
        for (int i = 0; i < high; i++) *(lanes_at *)(h[i] + at) += t[i] * x;
    }
}

/* The columns of a group that are not 0 and in from .. to - 1, and what they add. */
LANES_INLINE int choose(double c, const struct spread *s, size_t first, size_t from, size_t to,
                        double *h, size_t stride, double *t, double **row)
{
    int high = 0;

    for (size_t i = first; i < first + GRAM_LANES; i++) {
        t[high] = c * s->dense[i];
        row[high] = h + i * stride;
        high += s->dense[i] != 0 && i >= from && i < to;
    }
    return high;
}

/* Group k of row s: it adds to as many rows of h as it has columns. */
LANES_INLINE void add_group(double c, const struct spread *s, size_t k, size_t from, size_t to,
                            double *h, size_t stride)
{
    const size_t first = (size_t)s->group[k] * GRAM_LANES;
    double t[GRAM_LANES + 1], *row[GRAM_LANES + 1];

    switch (choose(c, s, first, from, to, h, stride, t, row)) {
    case 1: add_rows(t, row, 1, s, k + 1); break;
    case 2: add_rows(t, row, 2, s, k + 1); break;
    case 3: add_rows(t, row, 3, s, k + 1); break;
    case 4: add_rows(t, row, 4, s, k + 1); break;
    case 5: add_rows(t, row, 5, s, k + 1); break;
    case 6: add_rows(t, row, 6, s, k + 1); break;
    case 7: add_rows(t, row, 7, s, k + 1); break;
    case 8: add_rows(t, row, 8, s, k + 1); break;
    default: break;
    }
}

/* Group by group, and in each the rows in turn: the part of h that they share stays in cache. */
LANES_INLINE void add_any(const double *c, const struct spread *s, size_t n, size_t from, size_t to,
                          double *h, size_t stride)
{
    size_t next[GRAM_ROWS] = { 0 };

    for (size_t group = 0; group * GRAM_LANES < to; group++)
        for (size_t i = 0; i < n; i++) {
            if (next[i] == s[i].groups || s[i].group[next[i]] != group) continue;
            if ((group + 1) * GRAM_LANES > from)
                add_group(c[i], &s[i], next[i], from, to, h, stride);
            next[i]++;
        }
}

TARGETS(add,
        (const double *c, const struct spread *s, size_t n, size_t from, size_t to, double *h,
         size_t stride),
        (c, s, n, from, to, h, stride))

void spread_gram(const double *c, const struct spread *s, size_t n, size_t from, size_t to,
                 double *h, size_t stride)
{
    add(c, s, n, from, to, h, stride);
}

/* ----- squares -------------------------------------------------------------------- */

INLINE void squares(double a, const struct row *r, int indices, size_t from, size_t n,
                    const double *v, double *w)
{
    for (size_t k = 0; k < n; k++)
        w[column_at(r->index, indices, r->first, from + k)] += a * (v[k] * v[k]);
}

void spread_axpy_squares(double a, const struct row *r, double *w, uint64_t dims)
{
    const size_t n = known(r, dims);
    double buf[PIECE];

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = decode(r, from, len, buf);
#define CALL(indices) squares(a, r, indices, from, len, v, w)
        BY_INDEX(r->indices, CALL)
#undef CALL
    }
}
