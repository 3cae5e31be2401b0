/* test_kernel.c -- the formulas of the kernels against their definitions, and what
 * kernel_parse lets through. */
#include "kernel/kernel.h"
#include "kernel/precomputed.h"
#include "t.h"

#include <math.h>

#include "t_cases.h"
#include "t_make.h"
#include "vec/rng.h"

enum { COLS = 12 };

/* Dense doubles, or the entries that are not 0. */
struct point {
    double x[COLS], value[COLS];
    uint32_t column[COLS];
    struct row row;
};

static void make_row(struct point *p, bool sparse)
{
    size_t n = 0;

    p->row = (struct row){
        .value = p->x, .n = COLS, .stride = 8, .values = VALUES_F64, .indices = INDEX_DENSE
    };
    if (!sparse) return;
    for (size_t j = 0; j < COLS; j++)
        if (p->x[j] != 0) {
            p->value[n] = p->x[j];
            p->column[n++] = (uint32_t)j;
        }
    p->row = (struct row){ .value = p->value,
                           .index = p->column,
                           .n = n,
                           .stride = 8,
                           .values = VALUES_F64,
                           .indices = INDEX_U32 };
}

/* Whole numbers -3 .. 3, or doubles, half of them 0. */
static void draw_point(struct rng *r, struct point *p, bool whole, bool sparse)
{
    for (size_t j = 0; j < COLS; j++)
        p->x[j] = rng_below(r, 2) == 0 ? 0 : whole ? (double)rng_below(r, 7) - 3 : rng_normal(r);
    make_row(p, sparse);
}

static double value_of(const struct kernel *k, const struct point *x, const struct point *z)
{
    return kernel_value(k, &x->row, kernel_norm2(k, &x->row), &z->row, kernel_norm2(k, &z->row));
}

/* ----- formulas -------------------------------------------------------------------------- */

TEST(on_whole_numbers_the_polynomials_are_exact)
{
    struct rng r = rng_seed(71, 0);
    struct point x, z;

    for (int round = 0; round < t_cases(5000); round++) {
        draw_point(&r, &x, true, rng_below(&r, 2) == 1);
        draw_point(&r, &z, true, rng_below(&r, 2) == 1);
        int64_t dot = 0, gamma = 1 + (int64_t)rng_below(&r, 3), c = (int64_t)rng_below(&r, 5) - 2;
        for (size_t j = 0; j < COLS; j++) dot += (int64_t)x.x[j] * (int64_t)z.x[j];
        const struct kernel line = { .type = KERNEL_LINEAR, .gamma = 1 };
        assert_true(value_of(&line, &x, &z) == (double)dot);
        int64_t want = 1;
        for (int degree = 1; degree <= 5; degree++) {
            const struct kernel k = {
                .type = KERNEL_POLY, .degree = degree, .gamma = (double)gamma, .coef0 = (double)c
            };
            want *= gamma * dot + c;
            assert_true(value_of(&k, &x, &z) == (double)want);
        }
    }
}

static long double distance2_of(const struct point *x, const struct point *z)
{
    long double sum = 0;

    for (size_t j = 0; j < COLS; j++) {
        const long double t = (long double)x->x[j] - (long double)z->x[j];
        sum += t * t;
    }
    return sum;
}

/* Ten bits of the distance may be lost, of 53: with |argument| <= 100, 1e-10 is plenty. */
static void close_to(double got, long double want)
{
    const long double off = fabsl((long double)got - want);

    if (!(off <= 1e-10L * fabsl(want) + 1e-300L)) fail_msg("%a is not %La", got, want);
}

/* z is anything, or x with one number changed a little or not at all. */
static void draw_neighbour(struct rng *r, const struct point *x, struct point *z)
{
    const bool sparse = rng_below(r, 2) == 1;

    draw_point(r, z, false, sparse);
    if (rng_below(r, 2) == 0) return;
    memcpy(z->x, x->x, sizeof z->x);
    z->x[rng_below(r, COLS)] += rng_normal(r) * (double)rng_below(r, 2) * 1e-7;
    make_row(z, sparse);
}

TEST(radial_kernels_follow_the_distance)
{
    struct rng r = rng_seed(72, 0);
    struct point x, z;

    for (int round = 0; round < t_cases(20000); round++) {
        draw_point(&r, &x, false, rng_below(&r, 2) == 1);
        draw_neighbour(&r, &x, &z);
        const double gamma = rng_uniform(&r) + 0.01;
        const struct kernel k = { .type = KERNEL_RBF, .gamma = gamma };
        const double v = value_of(&k, &x, &z);
        close_to(v, expl(-(long double)gamma * distance2_of(&x, &z)));
        assert_true(v <= 1 && v >= 0);
        assert_true(value_of(&k, &x, &x) == 1);
        assert_true(t_same_bits(v, value_of(&k, &z, &x)));
        assert_true(kernel_self(&k, row_norm2(&x.row)) == 1);
        const struct kernel g = { .type = KERNEL_GAUSSIAN, .gamma = gamma };
        assert_true(t_same_bits(v, value_of(&g, &x, &z)));
    }
}

/* Where rows are close, |x - z|^2 keeps its digits though |x|^2 + |z|^2 - 2 x.z has none. */
TEST(close_rows_keep_their_distance)
{
    struct point x = { .x = { 1000, 2000, 3000 } }, z = x;

    z.x[1] += 1e-6;
    make_row(&x, false);
    make_row(&z, true);
    const long double d = (long double)z.x[1] - 2000;
    const struct kernel k = { .type = KERNEL_RBF, .gamma = 1e12 };
    close_to(value_of(&k, &x, &z), expl(-1e12L * d * d));
    assert_true(value_of(&k, &x, &z) < 0.5);

    z = x; /* the difference is a column that only one of them has, behind all of the other */
    z.x[3] = 1e-6;
    make_row(&x, true);
    make_row(&z, true);
    close_to(value_of(&k, &x, &z), expl(-1));
    close_to(value_of(&k, &z, &x), expl(-1));
}

TEST(the_sigmoid_is_tanh)
{
    struct rng r = rng_seed(73, 0);
    struct point x, z;

    for (int round = 0; round < t_cases(5000); round++) {
        draw_point(&r, &x, true, rng_below(&r, 2) == 1); /* dots are exact */
        draw_point(&r, &z, true, rng_below(&r, 2) == 1);
        long double dot = 0;
        for (size_t j = 0; j < COLS; j++) dot += (long double)x.x[j] * (long double)z.x[j];
        const struct kernel k = { .type = KERNEL_SIGMOID, .gamma = 0.0625, .coef0 = -0.5 };
        close_to(value_of(&k, &x, &z), tanhl(0.0625L * dot - 0.5L));
        assert_true(t_same_bits(value_of(&k, &x, &z), value_of(&k, &z, &x)));
    }
}

TEST(a_row_with_itself_is_kernel_self)
{
    struct rng r = rng_seed(74, 0);
    struct point x;

    for (int type = KERNEL_LINEAR; type <= KERNEL_SIGMOID; type++) {
        const struct kernel k = {
            .type = (enum kernel_type)type, .degree = 3, .gamma = 0.3, .coef0 = 0.1
        };
        for (int round = 0; round < 500; round++) {
            draw_point(&r, &x, false, rng_below(&r, 2) == 1);
            const double n = kernel_norm2(&k, &x.row);
            assert_true(t_same_bits(value_of(&k, &x, &x), kernel_self(&k, n)));
            assert_true(fabs(kernel_self(&k, n)) <= kernel_bound(&k, n));
        }
    }
}

/* No |K| exceeds the bound of the largest row, also where the constant is negative. */
TEST(no_value_exceeds_the_bound)
{
    struct rng r = rng_seed(75, 0);
    struct point x, z;

    for (int round = 0; round < t_cases(5000); round++) {
        const struct kernel k = { .type = (enum kernel_type)(1 + rng_below(&r, 5)),
                                  .degree = 1 + (int)rng_below(&r, 6),
                                  .gamma = 2,
                                  .coef0 = rng_normal(&r) * 5 };
        draw_point(&r, &x, false, true);
        draw_point(&r, &z, false, false);
        const double a = row_norm2(&x.row), b = row_norm2(&z.row);
        const double v = fabs(value_of(&k, &x, &z));
        const double bound = kernel_bound(&k, a > b ? a : b);
        assert_true(v <= bound * (1 + 1e-12) || (k.type == KERNEL_SIGMOID && v <= 1));
    }
    const struct kernel large = { .type = KERNEL_POLY, .degree = 100, .gamma = 1, .coef0 = 1 };
    assert_true(isfinite(kernel_bound(&large, 1000)) && !isfinite(kernel_bound(&large, 1e4)));
}

/* ----- parameters ----------------------------------------------------------------------- */

static perc_status parse(const char *options, struct kernel *k, perc_error *err)
{
    perc_params *p = t_params("perceptron", options);
    const perc_status st = kernel_parse(p, k, err);

    perc_params_free(p);
    return st;
}

static void refused(const char *options, const char *part)
{
    struct kernel k;
    perc_error err = { 0 };

    assert_refused(parse(options, &k, &err), PERC_EARG, &err, part);
}

TEST(kernels_are_as_they_were_asked_for)
{
    struct kernel k;
    perc_error err;

    assert_int_equal(parse("", &k, &err), PERC_OK);
    assert_int_equal(k.type, KERNEL_NONE);
    assert_int_equal(parse("kernel=linear", &k, &err), PERC_OK);
    assert_int_equal(k.type, KERNEL_LINEAR);
    assert_int_equal(parse("kernel=poly", &k, &err), PERC_OK);
    assert_true(k.type == KERNEL_POLY && k.degree == 3 && k.gamma == 1 && k.coef0 == 1);
    assert_int_equal(parse("kernel=poly degree=7 gamma=auto coef0=-2.5", &k, &err), PERC_OK);
    assert_true(k.degree == 7 && isnan(k.gamma) && k.gamma_from == GAMMA_AUTO && k.coef0 == -2.5);
    assert_int_equal(parse("kernel=gaussian sigma=2", &k, &err), PERC_OK);
    assert_true(k.type == KERNEL_GAUSSIAN && k.gamma == 0.125 && kernel_is_radial(&k));
    assert_int_equal(parse("kernel=rbf", &k, &err), PERC_OK);
    assert_true(k.type == KERNEL_RBF && isnan(k.gamma) && k.gamma_from == GAMMA_SCALE);
    assert_int_equal(parse("kernel=rbf gamma=0.1", &k, &err), PERC_OK);
    assert_true(k.gamma == 0.1 && k.gamma_from == GAMMA_GIVEN && kernel_is_radial(&k));
    assert_int_equal(parse("kernel=sigmoid", &k, &err), PERC_OK);
    assert_true(k.type == KERNEL_SIGMOID && k.gamma_from == GAMMA_SCALE && k.coef0 == 0);
    assert_int_equal(parse("kernel=sigmoid eta=3 theta=-1", &k, &err), PERC_OK);
    assert_true(k.gamma == 3 && k.coef0 == -1 && !kernel_is_radial(&k));
}

/* Who comes from another program meets its names here. */
TEST(another_kernel_is_said_to_have_others)
{
    refused("kernel=sigmoid gamma=1", "--gamma is not a parameter of --kernel sigmoid, which has "
                                      "--eta and --theta");
    refused("kernel=sigmoid coef0=1", "which has --eta and --theta");
    refused("kernel=gaussian gamma=1", "which has --sigma");
    refused("kernel=rbf sigma=1", "which has --gamma");
    refused("kernel=poly eta=1", "which has --degree, --gamma and --coef0");
    refused("kernel=linear degree=2", "which has none");
    refused("degree=2", "--kernel");
}

TEST(what_makes_no_kernel_is_refused)
{
    static const char *const bad[] = { "-1",    "0",    "nan", "inf", "foo",
                                       "1e999", "-inf", "0x",  "1x",  "Scale" };
    char options[60];

    for (size_t i = 0; i < COUNT(bad); i++) {
        snprintf(options, sizeof options, "kernel=rbf gamma=%s", bad[i]);
        refused(options, bad[i]);
        snprintf(options, sizeof options, "kernel=poly gamma=%s", bad[i]);
        refused(options, "--gamma");
        snprintf(options, sizeof options, "kernel=sigmoid eta=%s", bad[i]);
        refused(options, "--eta");
    }
}

/* By the table: they never reach kernel_parse. */
TEST(the_table_refuses_numbers_out_of_range)
{
    static const struct {
        const char *name, *value;
    } bad[] = {
        { "degree", "0" },  { "degree", "-2" }, { "degree", "2.5" },       { "sigma", "0" },
        { "sigma", "-1" },  { "sigma", "nan" }, { "sigma", "1e-160" },     { "sigma", "1e160" },
        { "coef0", "inf" }, { "theta", "nan" }, { "kernel", "quadratic" },
    };
    perc_params *p = t_params("perceptron", "kernel=poly");
    perc_error err;

    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(perc_params_set(p, bad[i].name, bad[i].value, &err), PERC_EARG);
    perc_params_free(p);
}

TEST(parameters_of_another_kernel_are_refused)
{
    static const struct {
        const char *kernel, *options;
    } other[] = {
        { "linear", "degree=2 gamma=1 sigma=1 coef0=0 eta=1 theta=0" },
        { "poly", "sigma=1 eta=1 theta=0" },
        { "gaussian", "degree=2 gamma=1 coef0=0 eta=1 theta=0" },
        { "rbf", "degree=2 sigma=1 coef0=0 eta=1 theta=0" },
        { "sigmoid", "degree=2 gamma=1 sigma=1 coef0=0" },
        { "none", "degree=2 gamma=1 sigma=1 coef0=0 eta=1 theta=0" },
    };
    char options[200], part[40];

    for (size_t i = 0; i < COUNT(other); i++)
        for (const char *at = other[i].options; at != NULL;) {
            const int length = (int)strcspn(at, " ");
            snprintf(options, sizeof options, "kernel=%s %.*s", other[i].kernel, length, at);
            snprintf(part, sizeof part, "--%.*s", (int)strcspn(at, "="), at);
            refused(options, part);
            at = at[length] == ' ' ? at + length + 1 : NULL;
        }
}

/* ----- values that were computed elsewhere ----------------------------------------------- */

static struct row dense_row(const double *value, size_t n)
{
    return (struct row){ .n = n,
                         .value = value,
                         .stride = sizeof *value,
                         .values = VALUES_F64,
                         .indices = INDEX_DENSE };
}

TEST(a_row_has_a_column_for_each_training_row)
{
    static const double value[] = { 1, 2, 3, 4, 5 };
    const struct kernel k = { .type = KERNEL_PRECOMPUTED };
    const struct kernel numbered = { .type = KERNEL_PRECOMPUTED, .numbered = true, .first = 1 };
    struct row x = dense_row(value, 4);
    perc_error err;

    assert_int_equal(precomputed_check_row(&k, 4, &x, 9, &err), PERC_OK);
    x.n = 3;
    assert_refused(precomputed_check_row(&k, 4, &x, 9, &err), PERC_EDATA, &err, "write the 0");
    x.n = 5;
    assert_refused(precomputed_check_row(&k, 4, &x, 9, &err), PERC_EDATA, &err,
                   "this row has 5 columns, and the model's kernel 4");
    x.n = 0;
    assert_refused(precomputed_check_row(&numbered, 4, &x, 9, &err), PERC_EDATA, &err,
                   "this row has 0 columns, and the model's kernel 3: one for each row of the "
                   "matrix that it was trained on, after the number of the row");
    x.indices = INDEX_U64; /* zeros are left out */
    assert_int_equal(precomputed_check_row(&k, 4, &x, 9, &err), PERC_OK);
    assert_int_equal(err.line, 9);
}

TEST(kept_rows_are_ones)
{
    static const double one[] = { 0, 1, 2, 5e9 };
    const struct kernel k = { .type = KERNEL_PRECOMPUTED, .numbered = true, .first = 1 };
    const struct kernel other = { .type = KERNEL_LINEAR };
    struct row x = dense_row(one + 1, 1);
    perc_error err;

    assert_refused(precomputed_check_kept(&k, &x, 7, &err), PERC_EDATA, &err, "row 7 is not a 1");
    x.first = 1;
    assert_int_equal(precomputed_check_kept(&k, &x, 7, &err), PERC_OK);
    x.value = one + 2;
    assert_refused(precomputed_check_kept(&k, &x, 7, &err), PERC_EDATA, &err, "row 7 is not a 1");
    assert_int_equal(precomputed_check_kept(&other, &x, 7, &err), PERC_OK);
    x = dense_row(one, 2);
    assert_refused(precomputed_check_kept(&k, &x, 7, &err), PERC_EDATA, &err, "row 7 is not a 1");
    x = dense_row(one + 3, 1); /* a number that no row has */
    assert_true(kernel_own_column(&k, &x) == UINT64_MAX);
    x = dense_row(one + 2, 1);
    assert_int_equal(kernel_own_column(&k, &x), 2);
}

/* Rows of LIBSVM text whose indices begin with 1 have no room for a number. */
TEST(matrices_are_square)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        { "1\n-1\n", "2 rows and 0 columns" },
        { "1 1:1 2:1 3:0\n-1 1:2 2:0 3:1\n", "2 rows and 3 columns" },
    };
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct kernel k = { .type = KERNEL_PRECOMPUTED };
        perc_error err;
        FILE *f = fopen("rows", "w");
        assert_non_null(f);
        fputs(cases[i].text, f);
        fclose(f);
        perc_dataset *ds = t_read("rows", "");
        assert_refused(precomputed_fit(&e, &k, ds, &err), PERC_EDATA, &err, cases[i].words);
        perc_dataset_free(ds);
    }
}
