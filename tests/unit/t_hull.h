/* t_hull.h -- problems out of matrices, and the exact distance of a small hull.
 *
 * For rows of small whole numbers the distance gamma' of the origin from the hull of the
 * a_i = y_i x'_i is the root of a fraction, and found by trying all subsets S of the rows.
 * With G the products a_i.a_j of S and adj its adjugate, the point of the affine hull of S
 * that is nearest to the origin has
 *
 *     lambda_i = (sum_j adj_ij) / s,   s = sum_ij adj_ij,   |x|^2 = det G / s
 *
 * where s is not 0 (else S is affinely dependent, and a smaller subset does). The nearest
 * point of the hull is that of some S with lambda >= 0. All of it in whole numbers. */
#ifndef PERC_TEST_HULL_H
#define PERC_TEST_HULL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "solve/problem.h"
#include "t.h"
#include "t_make.h"
#include "vec/rng.h"

/* ----- problems ----------------------------------------------------------------------- */

struct t_problem {
    struct problem p;
    struct block block;
    uint64_t *ref;
    uint32_t *class; /* 1: y = +1, the positive class; 0: -1 */
};

static inline struct t_problem t_problem_new(const struct t_data *d, bool offset, struct env e)
{
    struct t_problem t = { .block = { .rows = d->rows,
                                      .values = VALUES_F64,
                                      .indices = INDEX_DENSE,
                                      .value = d->x,
                                      .width = d->cols,
                                      .columns = d->cols,
                                      .stride = sizeof(double),
                                      .row_stride = (ptrdiff_t)(d->cols * sizeof(double)) },
                           .ref = malloc((d->rows + 1) * sizeof *t.ref),
                           .class = malloc((d->rows + 1) * sizeof *t.class) };

    for (size_t i = 0; i < d->rows; i++) {
        t.ref[i] = ref_make(0, i);
        t.class[i] = d->y[i] > 0;
    }
    t.p = (struct problem){ .e = e,
                            .block_count = 1,
                            .dims = d->cols,
                            .offset = offset,
                            .n = d->rows,
                            .ref = t.ref,
                            .class = t.class };
    return t;
}

/* The struct may have been copied since it was made. */
static inline const struct problem *t_problem_of(struct t_problem *t)
{
    t->p.blocks = &t->block;
    return &t->p;
}

static inline void t_problem_free(struct t_problem *t)
{
    free(t->ref);
    free(t->class);
}

static inline struct t_data t_rows(size_t rows, size_t cols, const double *x, const double *y)
{
    struct t_data d = t_data_new(rows, cols);

    for (size_t i = 0; i < rows * cols; i++) d.x[i] = x[i];
    for (size_t i = 0; i < rows; i++) d.y[i] = y[i];
    return d;
}

/* y_i w'.x'_i of row i, with all the digits that a long double has. */
static inline long double t_margin(const struct t_data *d, size_t i, const double *w, double b)
{
    long double s = b;

    for (size_t j = 0; j < d->cols; j++) s += (long double)w[j] * d->x[i * d->cols + j];
    return s * d->y[i];
}

/* ----- the exact distance ------------------------------------------------------------- */

enum { HULL_ROWS = 8, HULL_DIMS = 4 }; /* at most; with the offset */

__extension__ typedef __int128 t_i128; /* determinants on their way are more than 64 bits */

struct t_fraction {
    int64_t num, den; /* den > 0; no common factor */
};

static inline t_i128 t_det(int n, int64_t m[HULL_DIMS + 1][HULL_DIMS + 1])
{
    t_i128 sum = 0;

    if (n == 0) return 1;
    for (int c = 0; c < n; c++) {
        int64_t minor[HULL_DIMS + 1][HULL_DIMS + 1] = { { 0 } };
        for (int i = 1; i < n; i++)
            for (int j = 0, k = 0; j < n; j++)
                if (j != c) minor[i - 1][k++] = m[i][j];
        sum += (c % 2 ? -1 : 1) * m[0][c] * t_det(n - 1, minor);
    }
    return sum;
}

/* The cofactor of (row, col). */
static inline t_i128 t_cofactor(int n, int64_t m[HULL_DIMS + 1][HULL_DIMS + 1], int row, int col)
{
    int64_t minor[HULL_DIMS + 1][HULL_DIMS + 1];

    for (int i = 0, k = 0; i < n; i++) {
        if (i == row) continue;
        for (int j = 0, l = 0; j < n; j++)
            if (j != col) minor[k][l++] = m[i][j];
        k++;
    }
    return ((row + col) % 2 ? -1 : 1) * t_det(n - 1, minor);
}

/* a_i.a_j of two rows of whole numbers. */
static inline int64_t t_product(const struct t_data *d, bool offset, size_t i, size_t j)
{
    double s = offset ? 1 : 0;

    for (size_t k = 0; k < d->cols; k++) s += d->x[i * d->cols + k] * d->x[j * d->cols + k];
    return (int64_t)(s * d->y[i] * d->y[j]);
}

/* Whether the subset has a nearest point inside its hull; its |x|^2. */
static inline bool t_subset(int n, int64_t g[HULL_DIMS + 1][HULL_DIMS + 1], struct t_fraction *out)
{
    t_i128 lambda[HULL_DIMS + 1] = { 0 }, s = 0;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) lambda[i] += t_cofactor(n, g, i, j);
        s += lambda[i];
    }
    for (int i = 0; i < n; i++)
        if (s == 0 || (lambda[i] != 0 && (lambda[i] > 0) != (s > 0))) return false;
    t_i128 num = t_det(n, g), a, b, rest;
    if (s < 0) num = -num, s = -s;
    for (a = num < 0 ? -num : num, b = s; b != 0; a = b, b = rest) rest = a % b;
    *out = (struct t_fraction){ (int64_t)(num / a), (int64_t)(s / a) };
    return true;
}

/* gamma'^2, exactly. Rows outside `mask` do not count. */
static inline struct t_fraction t_distance2(const struct t_data *d, bool offset, unsigned mask)
{
    struct t_fraction best = { 1, 0 };
    const int dims = (int)d->cols + (offset ? 1 : 0);

    for (unsigned set = 1; set < 1u << d->rows; set++) {
        int64_t g[HULL_DIMS + 1][HULL_DIMS + 1];
        size_t member[HULL_ROWS];
        int n = 0;
        struct t_fraction f;
        if ((set & mask) != set) continue;
        for (size_t i = 0; i < d->rows; i++)
            if (set >> i & 1) member[n++] = i;
        if (n > dims + 1) continue; /* Caratheodory */
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) g[i][j] = t_product(d, offset, member[i], member[j]);
        if (t_subset(n, g, &f) &&
            (best.den == 0 || (t_i128)f.num * best.den < (t_i128)best.num * f.den))
            best = f;
    }
    return best;
}

/* A few rows of whole numbers: their hulls often just touch. */
static inline struct t_data t_small_set(struct rng *r, int largest)
{
    const size_t rows = 1 + (size_t)rng_below(r, 7), cols = 1 + (size_t)rng_below(r, 3);
    struct t_data d = t_data_new(rows, cols);

    for (size_t i = 0; i < rows * cols; i++)
        d.x[i] = (double)rng_below(r, (uint64_t)(2 * largest + 1)) - largest;
    for (size_t i = 0; i < rows; i++) d.y[i] = rng_below(r, 2) ? 1 : -1;
    return d;
}

#endif
