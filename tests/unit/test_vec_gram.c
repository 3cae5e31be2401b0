/* test_vec_gram.c -- sums of outer products and Cholesky, against plain loops.
 *
 * The files are included, not linked, so that what they learn of the processor passes
 * through here: every way is tried that this processor knows, and all give the same bits. */
#include "t_ways.h"

#include "vec/spread.c"
#define lanes_at lanes_there
#include "vec/cholesky.c"

#include <math.h>

#include "t_rows.h"

enum { DIMS = 203, SIZE = 208 }; /* some columns of the rows lie beyond */

static double *zeros(size_t n)
{
    double *x = calloc(n, sizeof *x);

    assert_non_null(x);
    return x;
}

/* Rows 0 .. 99 as large as 600 entries, of which those below DIMS count. */
TEST(gram_is_the_plain_sum)
{
    static struct sample s[GRAM_ROWS];
    struct spread x[GRAM_ROWS];
    double c[GRAM_ROWS], *h = zeros(SIZE * SIZE), *want = zeros(SIZE * SIZE);
    struct rng r = rng_seed(1, 0);

    for (int k = 0; k < GRAM_ROWS; k++)
        x[k] = (struct spread){ zeros(SIZE), calloc(SIZE / GRAM_LANES, sizeof(uint32_t)), 0 };
    for (int round = 0; round < 120; round++) {
        const size_t n = rng_below(&r, GRAM_ROWS + 1), half = rng_below(&r, DIMS + 1);
        way = round % WAYS;
        for (size_t k = 0; k < n; k++) {
            const int values = (int)rng_below(&r, 5), indices = (int)rng_below(&r, 4);
            draw_row(&r, &s[k], values, indices, rng_below(&r, 100), natural[values]);
            spread_row(&x[k], &s[k].row, DIMS);
            spread_entry(&x[k], DIMS, 1);
            c[k] = rng_normal(&r);
            for (size_t i = 0; i <= s[k].row.n; i++)
                for (size_t j = 0; j <= i; j++) { /* the last one is the constant */
                    const uint64_t a = i < s[k].row.n ? s[k].column[i] : DIMS;
                    const uint64_t b = j < s[k].row.n ? s[k].column[j] : DIMS;
                    if ((a >= DIMS && i < s[k].row.n) || (b >= DIMS && j < s[k].row.n)) continue;
                    const double xa = i < s[k].row.n ? s[k].value[i] : 1;
                    want[a * SIZE + b] += c[k] * xa * (j < s[k].row.n ? s[k].value[j] : 1);
                }
        }
        spread_gram(c, x, n, 0, half, h, SIZE);
        spread_gram(c, x, n, half, SIZE, h, SIZE);
        for (size_t k = 0; k < n; k++) spread_clear(&x[k]);
        for (size_t i = 0; i < SIZE; i++)
            for (size_t j = 0; j <= i; j++)
                if (isfinite(want[i * SIZE + j])) same(h[i * SIZE + j], want[i * SIZE + j]);
        if (round % 8 == 7) {
            memset(h, 0, SIZE * SIZE * sizeof *h);
            memset(want, 0, SIZE * SIZE * sizeof *want);
        }
    }
    for (int k = 0; k < GRAM_ROWS; k++) {
        for (size_t j = 0; j < SIZE; j++) assert_true(x[k].dense[j] == 0);
        free(x[k].dense);
        free(x[k].group);
    }
    free(h);
    free(want);
}

TEST(squares_are_squares)
{
    static struct sample s;
    struct rng r = rng_seed(2, 0);
    double *w = zeros(COLUMNS), *want = zeros(COLUMNS);

    for (int round = 0; round < 100; round++) {
        const int values = (int)rng_below(&r, 5);
        draw_row(&r, &s, values, (int)rng_below(&r, 4), rng_below(&r, LONGEST), natural[values]);
        spread_axpy_squares(0.3, &s.row, w, 5000);
        for (size_t k = 0; k < s.row.n; k++)
            if (s.column[k] < 5000) want[s.column[k]] += 0.3 * (s.value[k] * s.value[k]);
    }
    for (size_t j = 0; j < COLUMNS; j++) same(w[j], want[j]);
    free(w);
    free(want);
}

/* A random matrix A A' + I; above the diagonal, where nobody is to look, NaN. */
static double *definite(size_t size, size_t stride, struct rng *r)
{
    double *a = zeros(size * size), *h = zeros(size * stride);

    for (size_t k = 0; k < size * size; k++) a[k] = rng_normal(r);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            double s = i == j;
            for (size_t k = 0; k < size; k++) s += a[i * size + k] * a[j * size + k];
            h[i * stride + j] = j <= i ? s : NAN;
        }
    free(a);
    return h;
}

TEST(cholesky_multiplies_back_and_solves)
{
    struct rng r = rng_seed(3, 0);

    for (size_t size = 8; size <= 328; size += 40) {
        const size_t stride = size + 8;
        double *h = definite(size, stride, &r), *first = zeros(size * stride);
        double *l = zeros(size * stride), *x = zeros(size), *b = zeros(size);
        for (int k = 0; k < 2 * WAYS; k++) {
            way = k / 2;
            assert_int_equal(cholesky(h, l, size, stride, 1 + 2 * (k % 2)), 0);
            if (k == 0) memcpy(first, l, size * stride * sizeof *l);
            for (size_t i = 0; i < size; i++)
                assert_memory_equal(l + i * stride, first + i * stride, (i + 1) * sizeof *l);
        }
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j <= i; j++) {
                double s = 0;
                for (size_t k = 0; k <= j; k++) s += l[i * stride + k] * l[j * stride + k];
                assert_true(fabs(s - h[i * stride + j]) <= 1e-12 * (double)size);
            }
        for (size_t j = 0; j < size; j++) x[j] = b[j] = rng_normal(&r);
        cholesky_solve(l, size, stride, x);
        for (size_t i = 0; i < size; i++) {
            for (size_t j = 0; j < size; j++)
                b[i] -= h[i >= j ? i * stride + j : j * stride + i] * x[j];
            assert_true(fabs(b[i]) <= 1e-8);
        }
        free(h), free(first), free(l), free(x), free(b);
    }
}

/* Pivots that are zero, or nothing but rounding, do not make anything but numbers. */
TEST(bad_pivots_are_replaced)
{
    double h[8 * 8], l[8 * 8], x[8];

    for (size_t k = 0; k < 64; k++) h[k] = k / 8 < 4 && k % 8 < 4 ? 3 : 0; /* rank 1, and 0 */
    assert_int_equal(cholesky(h, l, 8, 8, 1), 7);
    for (size_t j = 0; j < 8; j++) x[j] = 1;
    cholesky_solve(l, 8, 8, x);
    for (size_t j = 0; j < 8; j++) assert_true(isfinite(x[j]));
    assert_true(x[7] == 1);
}
