/* test_components.c -- principal components, against a case by hand, against powers of the whole
 * covariance, and against what the literature has for known sets. */
#include <math.h>

#include "perceptron.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"

enum { BIG = 20, MANY = 300 };
static const double root2 = 1.41421356237309504880;

static void near(double a, double b, double slack)
{
    if (!(fabs(a - b) <= slack * (1 + fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static perc_dataset *rows_of(const double *x, size_t n, size_t d)
{
    const perc_dense dense = { x, PERC_F64, n, d, (ptrdiff_t)(d * sizeof *x), sizeof *x };
    double y[MANY];
    perc_dataset *ds;

    for (size_t i = 0; i < n; i++) y[i] = i % 2 == 0 ? 1 : -1;
    assert_int_equal(perc_dataset_borrow_dense(NULL, &dense, y, NULL, &ds, NULL), PERC_OK);
    return ds;
}

/* Along (3,4)/5 and (-4,3)/5: variances 9 and 1 about a mean far from 0. */
TEST(a_cross_is_that_by_hand)
{
    const double x[] = { 10 + 0.6 * 3 * root2,
                         -7 + 0.8 * 3 * root2,
                         5,
                         10 - 0.6 * 3 * root2,
                         -7 - 0.8 * 3 * root2,
                         5,
                         10 - 0.8 * root2,
                         -7 + 0.6 * root2,
                         5,
                         10 + 0.8 * root2,
                         -7 - 0.6 * root2,
                         5,
                         1e6,
                         -1e6,
                         -1e6 };
    const uint64_t row[] = { 3, 1, 0, 2 }; /* not the last */
    const double want[] = { 0.6, 0.8, 0, 0.8, -0.6, 0 };
    perc_dataset *ds = rows_of(x, 5, 3);
    double mean[3], v[9], share[3];

    assert_int_equal(perc_dataset_components(NULL, ds, row, 4, 3, mean, v, share, NULL), PERC_OK);
    near(mean[0], 10, 1e-14);
    near(mean[1], -7, 1e-14);
    near(mean[2], 5, 1e-14);
    for (int j = 0; j < 6; j++) near(v[j], want[j], 1e-12); /* the largest entry is positive */
    near(fabs(v[8]), 1, 1e-12);
    near(share[0], 0.9, 1e-12);
    near(share[1], 0.1, 1e-12);
    near(share[2], 0, 1e-12);
    perc_dataset_free(ds);
}

/* Rows that are all the same have directions, and none of them has a share of nothing. */
TEST(one_point_has_no_variance)
{
    const double x[] = { 2, 3, 2, 3, 2, 3 };
    const uint64_t row[] = { 0, 1, 2 };
    perc_dataset *ds = rows_of(x, 3, 2);
    double mean[2], v[4], share[2];

    assert_int_equal(perc_dataset_components(NULL, ds, row, 3, 2, mean, v, share, NULL), PERC_OK);
    assert_true(share[0] == 0 && share[1] == 0);
    near(v[0] * v[0] + v[1] * v[1], 1, 1e-12);
    perc_dataset_free(ds);
}

/* One eigenvector of the full covariance after the other, by powers and deflation. */
static double by_powers(double c[BIG][BIG], double v[BIG])
{
    double value = 0;

    for (int j = 0; j < BIG; j++) v[j] = 1 + j;
    for (int round = 0; round < 20000; round++) {
        double w[BIG], length = 0;

        for (int i = 0; i < BIG; i++) {
            w[i] = 0;
            for (int j = 0; j < BIG; j++) w[i] += c[i][j] * v[j];
            length += w[i] * w[i];
        }
        value = sqrt(length);
        for (int i = 0; i < BIG; i++) v[i] = w[i] / value;
    }
    for (int i = 0; i < BIG; i++)
        for (int j = 0; j < BIG; j++) c[i][j] -= value * v[i] * v[j];
    return value;
}

TEST(many_features_agree_with_powers)
{
    static double x[MANY * BIG], c[BIG][BIG];
    double mean[BIG], v[2][BIG], out[2 * BIG], share[2], all = 0, value[2];
    uint64_t seed = 5;

    for (size_t i = 0; i < MANY * BIG; i++) { /* some zeros, spread unlike by column */
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = seed >> 62 == 0 ? 0 : (double)(seed >> 40) / 0x1p24 * (double)(1 + i % BIG);
    }
    perc_dataset *ds = rows_of(x, MANY, BIG);
    assert_int_equal(perc_dataset_components(NULL, ds, NULL, 0, 2, mean, out, share, NULL),
                     PERC_OK);
    for (size_t r = 0; r < MANY; r++)
        for (size_t i = 0; i < BIG; i++)
            for (size_t j = 0; j < BIG; j++)
                c[i][j] += (x[r * BIG + i] - mean[i]) * (x[r * BIG + j] - mean[j]) / MANY;
    for (size_t i = 0; i < BIG; i++) all += c[i][i];
    for (int k = 0; k < 2; k++) value[k] = by_powers(c, v[k]);
    for (int k = 0; k < 2; k++) {
        double along = 0;

        for (int j = 0; j < BIG; j++) along += v[k][j] * out[k * BIG + j];
        near(fabs(along), 1, 1e-6);
        near(share[k], value[k] / all, 1e-8);
    }
    perc_dataset_free(ds);
}

/* Indices from 1 and left-out zeros change nothing. */
TEST(sparse_rows_are_those_numbers)
{
    const double x[] = { 1, 0, 3, 0, 2, 0, 4, 4, 0, 0, 0, 1 };
    perc_dataset *dense = rows_of(x, 4, 3), *sparse;
    double a[2][3], v[2][6], share[2][2];
    char path[] = "/tmp/components-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");

    assert_non_null(f);
    fputs("1 1:1 3:3\n-1 2:2\n1 1:4 2:4\n-1 3:1\n", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(perc_dataset_read(NULL, path, NULL, &sparse, NULL), PERC_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(perc_dataset_components(NULL, k == 0 ? dense : sparse, NULL, 0, 2, a[k],
                                                 v[k], share[k], NULL),
                         PERC_OK);
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    for (int j = 0; j < 6; j++) near(v[0][j], v[1][j], 1e-14);
    near(share[0][0], share[1][0], 1e-14);
    remove(path);
    t_free(dense, sparse);
}

/* The figure of the literature for iris, by any program: 92.46 and 5.31 per cent. */
TEST(iris_is_as_known)
{
    double mean[4], v[8], share[2];
    perc_dataset *ds;

    assert_int_equal(perc_dataset_read(NULL, ":iris", NULL, &ds, NULL), PERC_OK);
    assert_int_equal(perc_dataset_components(NULL, ds, NULL, 0, 2, mean, v, share, NULL), PERC_OK);
    assert_true(fabs(share[0] - 0.924619) < 1e-6 && fabs(share[1] - 0.053066) < 1e-6);
    near(mean[2], 3.758, 1e-12);
    perc_dataset_free(ds);
}

TEST(wrong_requests_are_refused_and_memory_may_end)
{
    const double x[] = { 1, 2, 3, 4, 5, 7 };
    const uint64_t beyond = 3;
    perc_dataset *ds = rows_of(x, 3, 2);
    double mean[2], v[26], share[13];

    for (size_t k = 0; k < 15; k += k == 0 || k == 3 ? 3 : 10)
        assert_int_equal(perc_dataset_components(NULL, ds, NULL, 0, k, mean, v, share, NULL),
                         PERC_EARG);
    assert_int_equal(perc_dataset_components(NULL, ds, &beyond, 1, 1, mean, v, share, NULL),
                     PERC_EARG);
    assert_int_equal(perc_dataset_components(NULL, ds, &beyond, 0, 1, mean, v, share, NULL),
                     PERC_EARG);
    for (struct t_sweep s = { .least = 1 }; t_sweep_next(&s);) {
        const perc_status st = perc_dataset_components(&s.env, ds, NULL, 0, 2, mean, v, share,
                                                       NULL);
        t_sweep_judge(&s, st);
    }
    perc_dataset_free(ds);
}
