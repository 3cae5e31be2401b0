/* test_gram.c -- many kernel values against kernel_value, to the bit; what kernels learn from
 * data; the eigenvalues of known matrices.
 *
 * The ways for the different processors have tests of their own (test_vec_panel.c,
 * test_vec_math.c); here the best one of this processor is used. */
#include "kernel/gram.h"
#include "t.h"

#include <math.h>

#include "t_alloc.h"
#include "t_make.h"
#include "t_rows.h"

static const struct kernel kernels[] = {
    { .type = KERNEL_LINEAR, .gamma = 1 },
    { .type = KERNEL_POLY, .degree = 1, .gamma = 0.5, .coef0 = 0 },
    { .type = KERNEL_POLY, .degree = 2, .gamma = 1, .coef0 = 1 },
    { .type = KERNEL_POLY, .degree = 7, .gamma = 1e-3, .coef0 = -0.25 },
    { .type = KERNEL_GAUSSIAN, .gamma = 1e-4 },
    { .type = KERNEL_RBF, .gamma = 0.7 },
    { .type = KERNEL_SIGMOID, .gamma = 1e-2, .coef0 = -0.1 },
    { .type = KERNEL_LINEAR, .gamma = 1, .rounded = true },
    { .type = KERNEL_POLY, .degree = 3, .gamma = 0.5, .coef0 = 1, .rounded = true },
    { .type = KERNEL_RBF, .gamma = 0.7, .rounded = true },
};
enum { KERNELS = COUNT(kernels), MANY = 70 };

static struct env env_of(struct t_alloc *a, int threads)
{
    const perc_env env = { t_alloc, a, threads };

    return env_resolve(&env);
}

/* ----- tiles ------------------------------------------------------------------------------ */

/* A row much like another one: some are the same, some differ in one value a little. */
static void draw_twin(struct rng *r, const struct sample *of, struct sample *s)
{
    *s = *of;
    for (size_t k = 0; k < s->row.n; k++) ((double *)s->value_store)[k] = s->value[k];
    memcpy(s->index_store, s->column, s->row.n * sizeof *s->column);
    s->row = (struct row){ .value = s->value_store,
                           .index = s->index_store,
                           .n = of->row.n,
                           .stride = 8,
                           .values = VALUES_F64,
                           .indices = INDEX_U64 };
    if (s->row.n > 0 && rng_below(r, 2) == 0)
        ((double *)s->value_store)[rng_below(r, s->row.n)] *= 1 + rng_normal(r) * 1e-3;
}

static void draw_samples(struct rng *r, struct sample *s, size_t n, const struct sample *near)
{
    const size_t length = (size_t)rng_below(r, rng_below(r, 2) == 0 ? 20 : LONGEST);
    const int indices = (int)rng_below(r, 5); /* 4: each its own */

    for (size_t i = 0; i < n; i++) {
        const int values = (int)rng_below(r, 5);
        if (near != NULL && rng_below(r, 3) == 0) draw_twin(r, &near[rng_below(r, PANEL)], &s[i]);
        else
            draw_row(r, &s[i], values, indices < 4 ? indices : (int)rng_below(r, 4), length,
                     natural[values]);
    }
}

/* The numbers of two NaNs may differ in their sign. */
static void same_value(double a, double b)
{
    if (!(isnan(a) && isnan(b))) same(a, b);
}

TEST(values_are_those_of_kernel_value)
{
    struct rng r = rng_seed(81, 0);
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_of(&a, 1);
    struct sample *z = malloc(PANEL * sizeof *z), *x = malloc(MANY * sizeof *x);
    struct row row[MANY];
    double nx[MANY], out[MANY * PANEL];
    size_t inside = 0;
    struct panel p;

    assert_true(z != NULL && x != NULL);
    for (int round = 0; round < 60; round++) {
        const size_t rows = rng_below(&r, 2) == 0 ? PANEL : 1 + (size_t)rng_below(&r, PANEL);
        const size_t n = (size_t)rng_below(&r, MANY + 1);
        draw_samples(&r, z, PANEL, NULL);
        draw_samples(&r, x, n, z);
        for (size_t k = 0; k < KERNELS; k++) {
            panel_init(&p, &e, kernels[k].rounded);
            for (size_t j = 0; j < rows; j++) row[j] = z[j].row;
            assert_int_equal(panel_fill(&p, row, rows), PERC_OK);
            for (size_t i = 0; i < n; i++) row[i] = x[i].row;
            for (size_t i = 0; i < n; i++) nx[i] = kernel_norm2(&kernels[k], &row[i]);
            gram_panel(&kernels[k], &p, row, nx, n, out);
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < rows; j++) {
                    const double v = out[i * PANEL + j];
                    same_value(v, kernel_value(&kernels[k], &row[i], nx[i], &z[j].row, p.norm2[j]));
                    if (kernel_is_radial(&kernels[k])) assert_true(v >= 0 && v <= 1);
                    inside += kernel_is_radial(&kernels[k]) && v > 0 && v < 1;
                }
            panel_free(&p);
        }
    }
    assert_true(inside > 1000);
    t_alloc_holds(&a, 0);
    free(z);
    free(x);
}

/* Small rows, dense and sparse copies of them: the same bits, and no zeros or infinities. */
TEST(dense_and_sparse_rows_have_the_same_values)
{
    struct t_data d = t_noise(PANEL + MANY, 20, T_REAL, 0.6, 82);
    struct t_csr c = t_csr_new(&d);
    perc_dataset *one = t_borrow(&d), *two = t_borrow_csr(&d, &c, PERC_I32, PERC_I64);
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_of(&a, 1);
    struct panel p[2];
    struct row x[2][PANEL + MANY];
    double nx[PANEL + MANY], out[3][MANY * PANEL];

    for (size_t i = 0; i < d.rows; i++) {
        x[0][i] = dataset_row(one, i);
        x[1][i] = dataset_row(two, i);
    }
    for (size_t k = 0; k < KERNELS; k++) {
        for (size_t i = 0; i < d.rows; i++) nx[i] = kernel_norm2(&kernels[k], &x[0][i]);
        for (int s = 0; s < 2; s++) {
            panel_init(&p[s], &e, kernels[k].rounded);
            assert_int_equal(panel_fill(&p[s], x[s], PANEL), PERC_OK);
        }
        gram_panel(&kernels[k], &p[0], x[0] + PANEL, nx + PANEL, MANY, out[0]);
        gram_panel(&kernels[k], &p[0], x[1] + PANEL, nx + PANEL, MANY, out[1]);
        gram_panel(&kernels[k], &p[1], x[0] + PANEL, nx + PANEL, MANY, out[2]);
        assert_memory_equal(out[0], out[1], sizeof out[0]);
        assert_memory_equal(out[0], out[2], sizeof out[0]);
        for (size_t i = 0; i < MANY; i++)
            for (size_t j = 0; j < PANEL; j++)
                same(out[0][i * PANEL + j],
                     kernel_value(&kernels[k], &x[1][PANEL + i], nx[PANEL + i], &x[0][j], nx[j]));
        for (int s = 0; s < 2; s++) panel_free(&p[s]);
    }
    t_alloc_holds(&a, 0);
    t_free(one, two, &c, &d);
}

/* ----- what the data say -------------------------------------------------------------------- */

static struct kernel with_gamma(enum kernel_type type, enum gamma_from from)
{
    return (
        struct kernel){ .type = type, .gamma_from = from, .gamma = NAN, .degree = 2, .coef0 = 1 };
}

static double fitted(const perc_dataset *ds, enum kernel_type type, enum gamma_from from)
{
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_of(&a, 1);
    struct kernel k = with_gamma(type, from);
    perc_error err;

    assert_int_equal(gram_fit(&e, &k, ds, &err), PERC_OK);
    t_alloc_holds(&a, 0);
    return k.gamma;
}

TEST(scale_and_auto_are_one_over_the_features)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct t_data d = t_noise(30 + seed, 3 + seed, T_REAL, 0.5, seed);
        for (size_t i = 0; i < d.rows * d.cols; i++) d.x[i] += seed % 4 == 0 ? 1000 : 0;
        struct t_csr c = t_csr_new(&d);
        perc_dataset *one = t_borrow(&d), *two = t_borrow_csr(&d, &c, PERC_I32, PERC_I64);
        long double sum = 0, squares = 0;
        const long double all = (long double)(d.rows * d.cols);
        for (size_t i = 0; i < d.rows * d.cols; i++) sum += (long double)d.x[i];
        for (size_t i = 0; i < d.rows * d.cols; i++) {
            const long double t = (long double)d.x[i] - sum / all;
            squares += t * t;
        }
        const long double want = 1 / ((long double)d.cols * squares / all);
        const double got = fitted(one, KERNEL_RBF, GAMMA_SCALE);
        assert_true(fabsl((long double)got - want) <= 1e-13L * want);
        same(fitted(two, KERNEL_SIGMOID, GAMMA_SCALE), got);
        same(fitted(one, KERNEL_POLY, GAMMA_AUTO), 1.0 / (double)d.cols);
        same(fitted(two, KERNEL_RBF, GAMMA_AUTO), 1.0 / (double)d.cols);
        t_free(one, two, &c, &d);
    }
}

/* Column 0 of a file that counts from 1 is no feature; the image of a map has its own. */
TEST(features_are_those_the_machine_sees)
{
    perc_dataset * xor = t_read(":xor", ""), *mapped = t_read(":xor", "map=poly:2");
    const struct row x = dataset_row(xor, 0);
    long double sum = 0, squares = 0;

    assert_int_equal(x.n <= 2, true);
    same(fitted(xor, KERNEL_RBF, GAMMA_AUTO), 0.5);
    same(fitted(mapped, KERNEL_RBF, GAMMA_AUTO), 0.2); /* a, a^2, b, ab, b^2 */
    for (uint64_t i = 0; i < 4; i++) {
        double v[2] = { 0, 0 };
        const struct row y = dataset_row(mapped, i);
        for (size_t k = 0; k < y.n; k++)
            v[row_column(&y, k) - (uint64_t)mapped->index_base] = row_value(&y, k);
        const double all[] = { v[0], v[0] * v[0], v[1], v[0] * v[1], v[1] * v[1] };
        for (size_t k = 0; k < 5; k++) {
            sum += (long double)all[k];
            squares += (long double)all[k] * (long double)all[k];
        }
    }
    const long double var = squares / 20 - sum / 20 * (sum / 20);
    assert_true(fabsl((long double)fitted(mapped, KERNEL_RBF, GAMMA_SCALE) * 5 * var - 1) < 1e-12L);
    t_free(xor, mapped);
}

/* As scikit-learn has it; and a gamma that was given stays. */
TEST(data_without_variance_have_gamma_1)
{
    struct t_data d = t_data_new(5, 3);
    struct kernel k = { .type = KERNEL_RBF, .gamma = 0.3 };
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < 15; i++) d.x[i] = 7;
    d.y[0] = -1;
    perc_dataset *ds = t_borrow(&d);
    same(fitted(ds, KERNEL_RBF, GAMMA_SCALE), 1);
    same(fitted(ds, KERNEL_RBF, GAMMA_AUTO), 1.0 / 3);
    assert_int_equal(gram_fit(&e, &k, ds, NULL), PERC_OK);
    same(k.gamma, 0.3);
    t_free(ds, &d);
    d = t_data_new(5, 0); /* nor have rows without features */
    ds = t_borrow(&d);
    same(fitted(ds, KERNEL_RBF, GAMMA_SCALE), 1);
    same(fitted(ds, KERNEL_RBF, GAMMA_AUTO), 1);
    t_free(ds, &d);
}

/* A row with a column so far out that it is not spread has the values of any other. */
TEST(columns_far_out)
{
    const double value[] = { 2, -3 }, other[] = { 2, 0.5 };
    const uint64_t near[] = { 0, 7 }, far[] = { 0, SPREAD_MAX + 7 };
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < COUNT(kernels); i++) {
        struct spread_out s = { .e = e };
        double out[2];
        struct row x[2] = { { .n = 2,
                              .value = value,
                              .index = near,
                              .stride = sizeof *value,
                              .values = VALUES_F64,
                              .indices = INDEX_U64 } };
        x[1] = x[0];
        x[1].index = far;
        x[1].value = other;
        const double norm2[] = { kernel_norm2(&kernels[i], &x[0]),
                                 kernel_norm2(&kernels[i], &x[1]) };
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(gram_spread_reserve(&s, &x[k]), PERC_OK);
            gram_row(&kernels[i], &s, x, norm2, 2, &x[k], norm2[k], out);
            for (size_t j = 0; j < 2; j++)
                same(out[j], kernel_value(&kernels[i], &x[j], norm2[j], &x[k], norm2[k]));
        }
        assert_true(s.cap < 1000);
        gram_spread_free(&s);
    }
}

static perc_status fit_of(const perc_dataset *ds, struct kernel k, perc_error *err)
{
    const struct env e = env_resolve(NULL);

    *err = (perc_error){ 0 };
    return gram_fit(&e, &k, ds, err);
}

static void says(const perc_error *err, const char *part)
{
    if (strstr(err->text, part) == NULL) fail_msg("'%s' says nothing of '%s'", err->text, part);
}

TEST(the_largest_row_is_named_where_it_overflows)
{
    struct t_data d = t_noise(20, 4, T_WHOLE, 1, 83);
    const char *path = "test_gram.svm";
    perc_error err;

    d.x[4 * 11 + 2] = -3e100;
    d.x[4 * 13] = 1e100;
    t_write(&d, path, 1, true, "-1", "1");
    perc_dataset *ds = t_read(path, ""), *none = t_borrow(&d);
    const struct kernel two = { .type = KERNEL_POLY, .degree = 2, .gamma = 1, .coef0 = 1 };
    const struct kernel one = { .type = KERNEL_POLY, .degree = 1, .gamma = 1, .coef0 = 1 };
    const struct kernel steep = { .type = KERNEL_SIGMOID, .gamma = 1e200, .coef0 = 1 };
    const struct kernel rbf = { .type = KERNEL_RBF, .gamma = 1 };
    assert_int_equal(fit_of(ds, two, &err), PERC_EDATA);
    assert_int_equal(err.line, 12);
    says(&err, "--scale");
    says(&err, "--degree");
    says(&err, "^2");
    assert_int_equal(fit_of(none, two, &err), PERC_EDATA);
    assert_int_equal(err.line, 12); /* the number of the row where there are no lines */
    assert_int_equal(fit_of(ds, steep, &err), PERC_EDATA);
    says(&err, "--eta");
    says(&err, "standard");
    const struct kernel constant = {
        .type = KERNEL_POLY, .degree = 2, .gamma = 1e-200, .coef0 = 1e200
    };
    assert_int_equal(fit_of(ds, constant, &err), PERC_EDATA);
    says(&err, "--coef0");
    assert_int_equal(err.line, 0); /* no row is to blame */
    assert_int_equal(fit_of(ds, one, &err), PERC_OK);
    assert_int_equal(fit_of(ds, rbf, &err), PERC_OK);
    const struct row x = dataset_row(ds, 11), y = dataset_row(ds, 0);
    assert_int_equal(gram_check_row(&two, &x, 99, &err), PERC_EDATA);
    assert_int_equal(err.line, 99);
    says(&err, "by:NUMBER");
    assert_null(strstr(err.text, "standard")); /* a stream is not known beforehand */
    assert_int_equal(gram_check_row(&two, &y, 99, &err), PERC_OK);
    assert_int_equal(gram_check_row(&rbf, &x, 99, &err), PERC_OK);
    t_free(ds, none);
    remove(path);
    t_data_free(&d);
}

TEST(a_variance_that_gives_no_gamma_is_refused)
{
    perc_error err;

    for (int k = 0; k < 2; k++) {
        struct t_data d = t_noise(6, 2, T_REAL, 1, 84);
        for (size_t i = 0; i < 12; i++) d.x[i] *= k == 0 ? 1e-160 : 1e200;
        perc_dataset *ds = t_borrow(&d);
        assert_int_equal(fit_of(ds, with_gamma(KERNEL_RBF, GAMMA_SCALE), &err), PERC_EDATA);
        says(&err, "--gamma");
        assert_int_equal(fit_of(ds, with_gamma(KERNEL_SIGMOID, GAMMA_SCALE), &err), PERC_EDATA);
        says(&err, "--eta");
        assert_int_equal(fit_of(ds, with_gamma(KERNEL_RBF, GAMMA_AUTO), &err), PERC_OK);
        t_free(ds, &d);
    }
}

TEST(a_fit_that_runs_out_of_memory_leaves_nothing)
{
    perc_dataset *ds = t_read(":iris", "map=poly:2");

    for (struct t_sweep s = { .least = 1 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct kernel k = with_gamma(KERNEL_RBF, GAMMA_SCALE);
        perc_error err;
        const perc_status st = gram_fit(&e, &k, ds, &err);
        t_sweep_judge(&s, st);
    }
    perc_dataset_free(ds);
}

/* ----- eigenvalues ---------------------------------------------------------------------------- */

static perc_status spectrum_of(const perc_dataset *ds, const struct kernel *k, uint64_t rows,
                               int threads, struct spectrum *out, perc_error *err)
{
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_of(&a, threads);
    const perc_status st = spectrum_measure(&e, k, ds, rows, 5, out, err);

    t_alloc_holds(&a, 0);
    return st;
}

/* Without LAPACK there is one thing to see: the message. */
static bool have_lapack(const perc_dataset *ds)
{
    struct spectrum s;
    perc_error err;
    const perc_status st = spectrum_of(ds, &kernels[0], 2, 1, &s, &err);

    if (st == PERC_OK) return true;
    assert_int_equal(st, PERC_EARG);
    says(&err, "LAPACK");
    return false;
}

static struct spectrum spectrum_here(const perc_dataset *ds, struct kernel k, uint64_t rows)
{
    struct spectrum s, t;
    perc_error err = { 0 };

    assert_int_equal(spectrum_of(ds, &k, rows, 1, &s, &err), PERC_OK);
    assert_int_equal(spectrum_of(ds, &k, rows, 3, &t, &err), PERC_OK);
    assert_memory_equal(&s, &t, sizeof s);
    return s;
}

/* X X' of orthogonal columns: eigenvalues |column|^2, and 0 for every further row. */
TEST(eigenvalues_of_known_matrices)
{
    struct t_data d = t_data_new(100, 2);

    for (size_t i = 0; i < 100; i++) d.x[2 * i + i % 2] = i % 2 == 0 ? 2 : 3;
    d.y[0] = -1;
    perc_dataset *ds = t_borrow(&d);
    if (have_lapack(ds)) {
        struct spectrum s = spectrum_here(ds, kernels[0], 1000);
        assert_int_equal(s.rows, 100);
        assert_true(fabs(s.largest - 450) < 1e-10); /* 50 * 9 */
        assert_true(fabs(s.smallest) <= s.tolerance && s.tolerance < 1e-10);
        /* two groups of equal rows, the groups at distance sqrt 13 */
        const struct kernel rbf = { .type = KERNEL_RBF, .gamma = 0.1 };
        s = spectrum_here(ds, rbf, 100);
        assert_true(fabs(s.largest - 50 * (1 + exp(-1.3))) < 1e-10);
        assert_true(s.smallest >= -s.tolerance);
        s = spectrum_here(ds, rbf, 1);
        assert_true(s.rows == 1 && s.smallest == 1 && s.largest == 1);
    }
    t_free(ds, &d);
}

/* tanh(x z - 1) of x = 0.1 and 1: the 2 x 2 matrix has a negative diagonal. */
TEST(the_sigmoid_may_have_negative_eigenvalues)
{
    struct t_data d = t_data_new(2, 1);
    const struct kernel k = { .type = KERNEL_SIGMOID, .gamma = 1, .coef0 = -1 };

    d.x[0] = 0.1;
    d.x[1] = 1;
    d.y[0] = -1;
    perc_dataset *ds = t_borrow(&d);
    if (have_lapack(ds)) {
        const double a = tanh(-0.99), b = tanh(-0.9), c = tanh(0);
        const double mean = (a + c) / 2, root = sqrt((a - c) * (a - c) / 4 + b * b);
        const struct spectrum s = spectrum_here(ds, k, 2);
        assert_true(fabs(s.smallest - (mean - root)) < 1e-14);
        assert_true(fabs(s.largest - (mean + root)) < 1e-14);
        assert_true(s.smallest < -s.tolerance);
    }
    t_free(ds, &d);
}

/* The largest eigenvalue of X X' is that of X' X: powers of it, X the 14 products of up to two
 * of four features. */
static double largest_by_powers(const perc_dataset *ds)
{
    double v[14], w[14], length = 0;

    for (size_t k = 0; k < 14; k++) v[k] = 1;
    for (int round = 0; round < 100; round++) {
        memset(w, 0, sizeof w);
        for (uint64_t i = 0; i < ds->rows; i++) {
            const struct row r = dataset_row(ds, i);
            double x[5] = { 1 }, p[14], dot = 0;
            size_t n = 0;
            for (size_t k = 0; k < r.n; k++)
                x[row_column(&r, k) + 1 - (uint64_t)ds->index_base] = row_value(&r, k);
            for (size_t a = 1; a < 5; a++)
                for (size_t b = 0; b <= a; b++) p[n++] = x[a] * x[b];
            for (size_t k = 0; k < 14; k++) dot += p[k] * v[k];
            for (size_t k = 0; k < 14; k++) w[k] += dot * p[k];
        }
        length = 0;
        for (size_t k = 0; k < 14; k++) length += w[k] * w[k];
        length = sqrt(length);
        for (size_t k = 0; k < 14; k++) v[k] = w[k] / length;
    }
    return length;
}

/* The machine sees the images; another seed draws other rows. */
TEST(samples_and_maps)
{
    perc_dataset *iris = t_read(":iris", ""), *mapped = t_read(":iris", "map=poly:2");
    struct spectrum s, t;
    perc_error err;

    if (have_lapack(iris)) {
        s = spectrum_here(mapped, kernels[0], 150);
        assert_true(s.rows == 150 && fabs(s.smallest) <= 10 * s.tolerance);
        assert_true(fabs(s.largest / largest_by_powers(mapped) - 1) < 1e-10);
        s = spectrum_here(iris, kernels[5], 40);
        assert_int_equal(s.rows, 40);
        const struct env e = env_resolve(NULL);
        assert_int_equal(spectrum_measure(&e, &kernels[5], iris, 40, 6, &t, &err), PERC_OK);
        assert_true(t.largest != s.largest); /* another seed, other rows */
        assert_int_equal(spectrum_measure(&e, &kernels[5], iris, 0, 6, &t, &err), PERC_EARG);
        perc_dataset *none;
        assert_int_equal(dataset_new(&e, &none), PERC_OK);
        assert_int_equal(spectrum_measure(&e, &kernels[5], none, 9, 6, &t, &err), PERC_EARG);
        says(&err, "no rows");
        perc_dataset_free(none);
    }
    t_free(iris, mapped);
}

TEST(a_matrix_too_large_is_refused)
{
    struct t_data d = t_data_new(PERC_SPECTRUM_ROWS + 1, 1);
    struct spectrum s;
    perc_error err;

    for (size_t i = 0; i < d.rows; i++) d.x[i] = (double)i;
    d.y[0] = -1;
    perc_dataset *ds = t_borrow(&d);
    if (have_lapack(ds)) {
        assert_int_equal(spectrum_of(ds, &kernels[5], 30000, 1, &s, &err), PERC_EARG);
        says(&err, "5000");
        const struct kernel high = { .type = KERNEL_POLY, .degree = 100, .gamma = 1 };
        assert_int_equal(spectrum_of(ds, &high, 50, 2, &s, &err), PERC_EDATA);
        says(&err, "--scale");
    }
    t_free(ds, &d);
}

TEST(a_spectrum_that_runs_out_of_memory_leaves_nothing)
{
    perc_dataset *ds = t_read(":iris", "map=poly:2");

    for (int threads = 1; threads <= 3 && have_lapack(ds); threads++)
        for (struct t_sweep w = { .threads = threads, .least = 1 }; t_sweep_next(&w);) {
            const struct env e = env_resolve(&w.env);
            struct spectrum s;
            perc_error err;
            const perc_status st = spectrum_measure(&e, &kernels[5], ds, 100, 1, &s, &err);
            t_sweep_judge(&w, st);
        }
    perc_dataset_free(ds);
}
