/* test_curves.c -- the two curves of Novikoff's proof: src/prove/bound.c. */
#include <float.h>
#include <math.h>

#include "prove/exact_margin.h"
#include "prove/gram_margin.h"
#include "prove/nearest.h"
#include "t.h"
#include "t_alloc.h"
#include "t_part.h"
#include "vec/rng.h"

static char one[] = "1", minus[] = "-1";

/* A part of the labels 1 and -1. */
static struct subproof part_of(const struct t_part *t)
{
    return (struct subproof){ .positive = one, .negative = minus, .exact = t->p };
}

struct found {
    perc_bound b;
    struct bound_curves *c;
    struct env e;
};

static struct found find(const struct t_data *d, bool offset, const char *options, int threads)
{
    const perc_env env = { NULL, NULL, threads };
    struct t_part t = t_part_new(d, offset, env_resolve(&env));
    const struct subproof part = part_of(&t);
    perc_params *p = t_params("prove", options);
    struct found f = { .e = t.p.e };
    perc_error err = { .status = PERC_OK };

    const perc_status st = bound_curves(t.ds, &part, p, NULL, NULL, &f.c, &err);
    if (st) print_error("%s\n", err.text);
    assert_int_equal(st, PERC_OK);
    bound_curves_get(f.c, &f.b);
    perc_params_free(p);
    t_part_free(&t);
    return f;
}

static void drop(struct found *f)
{
    bound_curves_free(&f->e, f->c);
}

static double radius_of(const struct t_data *d, bool offset)
{
    double most = 0;

    for (size_t i = 0; i < d->rows; i++) {
        double s = offset ? 1 : 0;
        for (size_t j = 0; j < d->cols; j++) s += d->x[i * d->cols + j] * d->x[i * d->cols + j];
        most = fmax(most, s);
    }
    return sqrt(most);
}

/* Both inequalities at every step, and what a step may do. */
static void assert_run(const perc_bound *b, const perc_bound_run *r)
{
    const double little = 1 + 1e-9;

    assert_true((double)r->mistakes <= b->bound);
    assert_true(r->steps > 0 || r->mistakes == 0);
    if (r->steps == 0) return;
    assert_int_equal(r->at[0], 1);
    assert_int_equal(r->at[r->steps - 1], r->mistakes);
    for (size_t i = 0; i < r->steps; i++) {
        const double k = (double)r->at[i];
        assert_true(r->along[i] * little >= k * b->margin);
        assert_true(r->norm2[i] <= k * b->radius * b->radius * little);
        assert_true(r->along[i] * r->along[i] <= r->norm2[i] * little);
        if (i == 0) continue;
        const double more = (double)(r->at[i] - r->at[i - 1]);
        assert_true(more >= 1);
        assert_true((r->along[i] - r->along[i - 1]) * little >= more * b->margin);
        assert_true(r->norm2[i] - r->norm2[i - 1] <= more * b->radius * b->radius * little);
    }
}

/* ----- against a perceptron of the test's own ----------------------------------------- */

/* In file order; |w|^2 after each update into norm2, at most `most`. Exact: whole numbers. */
static int64_t perceptron(const struct t_data *d, bool offset, double *norm2, size_t most,
                          int64_t *passes)
{
    double w[8] = { 0 }, b = 0;
    int64_t updates = 0, before = -1;

    for (*passes = 0; before != updates; ++*passes) {
        before = updates;
        for (size_t i = 0; i < d->rows; i++) {
            double s = b, sum = 0;
            for (size_t j = 0; j < d->cols; j++) s += w[j] * d->x[i * d->cols + j];
            if (d->y[i] * s > 0) continue;
            for (size_t j = 0; j < d->cols; j++) w[j] += d->y[i] * d->x[i * d->cols + j];
            if (offset) b += d->y[i];
            for (size_t j = 0; j < d->cols; j++) sum += w[j] * w[j];
            assert_true((size_t)updates < most);
            norm2[updates++] = sum + b * b;
        }
    }
    return updates;
}

/* Rows of whole numbers on the right side of a plane through the origin. */
static struct t_data separable(struct rng *r)
{
    const size_t rows = 2 + (size_t)rng_below(r, 30), cols = 1 + (size_t)rng_below(r, 5);
    struct t_data d = t_data_new(rows, cols);
    double u[5];

    for (size_t j = 0; j < cols; j++) u[j] = (double)rng_below(r, 9) - 4;
    u[0] += 0.5;
    for (size_t i = 0; i < rows; i++) {
        double s = 0;
        for (size_t j = 0; j < cols; j++) {
            double *x = &d.x[i * cols + j];
            *x = (double)rng_below(r, 19) - 9;
            if (j == 0 && *x == 0) *x = 1;
            s += u[j] * *x;
        }
        if (s == 0) s = 0.5, d.x[i * cols] += u[0] > 0 ? 1 : -1;
        if (i < 2 && (s > 0) != (i == 0)) { /* both labels are there */
            for (size_t j = 0; j < cols; j++) d.x[i * cols + j] *= -1;
            s = -s;
        }
        d.y[i] = s > 0 ? 1 : -1;
    }
    return d;
}

enum { MOST = 2000 };

TEST(curves_are_those_of_the_perceptron)
{
    struct rng r = rng_seed(21, 0);
    double norm2[MOST];

    for (int trial = 0; trial < 300; trial++) {
        struct t_data d = separable(&r);
        const bool offset = trial % 2;
        struct found f = find(&d, offset, "orders=4", 1);
        int64_t passes;
        const int64_t updates = perceptron(&d, offset, norm2, MOST, &passes);
        assert_int_equal(f.b.runs, 4);
        assert_true(f.b.radius >= radius_of(&d, offset) * (1 - 1e-15));
        assert_true(f.b.radius <= radius_of(&d, offset) * (1 + 1e-15));
        const double above = f.b.radius * f.b.radius / (f.b.margin * f.b.margin);
        assert_non_null(f.b.exact);
        assert_true(f.b.bound_lower <= f.b.bound && f.b.bound <= above * (1 + 1e-12));
        assert_true(f.b.bound_lower >= above * (1 - 1e-5));
        assert_true(f.b.most == (uint64_t)f.b.bound_lower);
        for (size_t k = 0; k < 4; k++) {
            assert_true(f.b.run[k].converged);
            assert_run(&f.b, &f.b.run[k]);
        }
        assert_string_equal(f.b.run[0].order, "file");
        assert_string_equal(f.b.run[2].order, "shuffled, seed 1");
        assert_int_equal(f.b.run[0].mistakes, updates);
        assert_int_equal(f.b.run[0].passes, passes);
        assert_int_equal(f.b.run[0].steps, updates);
        for (int64_t i = 0; i < updates; i++) assert_true(f.b.run[0].norm2[i] == norm2[i]);
        drop(&f);
        t_data_free(&d);
    }
}

/* Each run is that of `train` with the same order and seed. */
TEST(runs_are_those_of_training)
{
    const double u[] = { 1, -2, 0.5, 3 };
    struct t_data d = t_planted(300, 4, u, 0.2, 0.03, 1);
    struct found f = find(&d, true, "orders=3 seed=7", 2);
    perc_dataset *ds = t_borrow(&d);
    const char *const options[] = { "order=file epochs=100000",
                                    "order=shuffle seed=7 epochs=100000",
                                    "order=shuffle seed=8 epochs=100000" };

    assert_int_equal(f.b.runs, 3);
    assert_string_equal(f.b.run[1].order, "shuffled, seed 7");
    for (size_t k = 0; k < 3; k++) {
        const perc_bound_run *r = &f.b.run[k];
        perc_report report;
        perc_model *m = t_fit(ds, options[k], &report);
        assert_run(&f.b, r);
        assert_int_equal(report.mistakes, r->mistakes);
        assert_int_equal(report.epochs, r->passes);
        const double norm2 = report.norm_augmented * report.norm_augmented;
        assert_true(fabs(norm2 - r->norm2[r->steps - 1]) <= 1e-12 * norm2);
        perc_model_free(m);
    }
    assert_true(f.b.run[1].mistakes != f.b.run[2].mistakes); /* other orders */
    perc_dataset_free(ds);
    drop(&f);
    t_data_free(&d);
}

/* The margin is within 10^-6 of the best there is, and no more than it. */
TEST(the_margin_is_the_best)
{
    const double x[] = { 0, 0, 0, 1, 1, 0, 1, 1 }, y[] = { -1, -1, -1, 1 };
    struct t_data d = t_rows(4, 2, x, y);
    struct found f = find(&d, true, "orders=1", 1);

    assert_true(f.b.margin <= 1 / sqrt(17) * (1 + 1e-15));
    assert_true(f.b.margin >= 1 / sqrt(17) * (1 - 2e-6));
    assert_true(f.b.bound >= 51 && f.b.bound < 51.001);
    drop(&f);
    t_data_free(&d);
}

/* ----- long runs ---------------------------------------------------------------------- */

TEST(long_curves_are_thinned_out)
{
    const double x[] = { 1, 0.9997 }, y[] = { 1, -1 };
    struct t_data d = t_rows(2, 1, x, y);
    struct found f = find(&d, true, "orders=2", 1);

    for (size_t k = 0; k < 2; k++) {
        const perc_bound_run *r = &f.b.run[k];
        assert_run(&f.b, r);
        assert_true(r->converged);
        assert_true(r->mistakes > 10000);
        assert_true(r->steps <= 2001 && r->steps > 1000);
        const int64_t stride = r->at[2] - r->at[1];
        for (size_t i = 1; i + 1 < r->steps; i++) assert_int_equal(r->at[i], stride * (int64_t)i);
    }
    drop(&f);
    t_data_free(&d);
}

TEST(hopeless_runs_are_cut_short)
{
    const double x[] = { 1, 0.999999 }, y[] = { 1, -1 };
    struct t_data d = t_rows(2, 1, x, y);
    struct found f = find(&d, true, "orders=1", 1);

    assert_true(f.b.bound > 1e12);
    assert_false(f.b.run[0].converged);
    assert_true(f.b.run[0].mistakes > 100);
    assert_run(&f.b, &f.b.run[0]);
    drop(&f);
    t_data_free(&d);
}

static bool stop(void *ud, int64_t passes)
{
    int *left = ud;

    (void)passes;
    return --*left > 0;
}

TEST(a_watch_may_stop_it)
{
    const double x[] = { 1, 0.999999 }, y[] = { 1, -1 };
    struct t_data d = t_rows(2, 1, x, y);
    struct t_part t = t_part_new(&d, true, env_resolve(NULL));
    const struct subproof part = part_of(&t);
    perc_params *p = t_params("prove", "");
    int left = 40;
    const struct watch watch = { stop, &left };
    struct bound_curves *c;
    perc_bound b;

    assert_int_equal(bound_curves(t.ds, &part, p, NULL, &watch, &c, NULL), PERC_OK);
    bound_curves_get(c, &b);
    assert_int_equal(b.runs, 1);
    assert_true(b.run[0].passes < 1000);
    assert_false(b.run[0].converged);
    assert_run(&b, &b.run[0]);
    bound_curves_free(&t.p.e, c);
    perc_params_free(p);
    t_part_free(&t);
    t_data_free(&d);
}

/* However early it is stopped, there is no fraction or the right one. */
TEST(a_fraction_may_be_stopped)
{
    enum { D = 4 };
    double x[D * D] = { 0 }, y[D], u[D];
    int given = 0, stopped = 0;

    for (size_t i = 0; i < D; i++) y[i] = 1, x[i * D + i] = 1, u[i] = i == 0 ? 1e-3 : 1;
    struct t_data d = t_rows(D, D, x, y);
    struct t_part t = t_part_new(&d, false, env_resolve(NULL));
    mpq_t bound;
    mpq_init(bound);
    for (int turn = 1; turn < 40; turn++) {
        int left = turn;
        const struct watch watch = { stop, &left };
        bool found;
        assert_int_equal(exact_bound(&t.p, t_problem_of(&t.f), u, &watch, bound, &found, NULL),
                         PERC_OK);
        if (found) assert_int_equal(mpq_cmp_ui(bound, D, 1), 0);
        given += found;
        stopped += !found;
    }
    assert_true(given > 1 && stopped > 3);
    mpq_clear(bound);
    t_part_free(&t);
    t_data_free(&d);
}

/* The nearest point needs all of n unit vectors: R / gamma' squared is n, as a fraction where few
 * rows matter, and within the rounding of doubles where they are many. */
TEST(few_rows_make_a_fraction)
{
    for (size_t n = 30; n <= 50; n += 20) {
        struct t_data d = t_data_new(n, n);
        for (size_t i = 0; i < n; i++) {
            d.x[i * n + i] = i % 2 ? 1 : -1;
            d.y[i] = i % 2 ? 1 : -1;
        }
        struct found f = find(&d, false, "orders=1", 1);
        if (n < 40) assert_string_equal(f.b.exact, "30");
        else assert_null(f.b.exact);
        assert_true(f.b.bound_lower <= (double)n && f.b.bound >= (double)n);
        assert_true(f.b.bound - f.b.bound_lower < 1e-3);
        drop(&f);
        t_data_free(&d);
    }
}

/* In the space of a kernel all depends on what is handed in: a margin that is too good makes
 * Novikoff's inequalities fail, and so they are seen to be checked. */
TEST(a_run_beyond_the_bound_is_an_error)
{
    static const struct {
        double margin, radius;
        bool right;
    } cases[] = { { 1, 1, true }, { 1.5, 1, false }, { 0.1, 0.5, false }, { 1, 0.999, false } };
    const double x[] = { 1, -1 }, y[] = { 1, -1 };
    struct t_data d = t_rows(2, 1, x, y);
    struct t_part t = t_part_new(&d, false, env_resolve(NULL));
    const struct subproof part = part_of(&t);
    const struct kernel k = { .type = KERNEL_POLY, .degree = 1, .gamma = 1 };
    perc_params *p = t_params("prove",
                              "kernel=poly degree=1 gamma=1 coef0=0 orders=1 offset=false");

    for (size_t i = 0; i < COUNT(cases); i++) {
        const double advance[] = { 1, 1 };
        const struct gram_answer a = { .radius = cases[i].radius,
                                       .lower = cases[i].margin,
                                       .upper = cases[i].margin };
        const struct bound_space space = { &k, false, &a, advance };
        struct bound_curves *c;
        perc_error err = { 0 };
        const perc_status st = bound_curves(t.ds, &part, p, &space, NULL, &c, &err);
        if (cases[i].right) assert_int_equal(st, PERC_OK);
        else assert_refused(st, PERC_EDATA, &err, "bound");
        bound_curves_free(&t.p.e, c);
    }
    perc_params_free(p);
    t_part_free(&t);
    t_data_free(&d);
}

TEST(any_number_of_threads)
{
    const double u[] = { 1, -2, 0.5, 3 };
    struct t_data d = t_planted(4000, 4, u, 0.2, 0.01, 3);
    struct found a = find(&d, true, "", 1), b = find(&d, true, "", 4);

    assert_true(t_same_bits(a.b.margin, b.b.margin) && t_same_bits(a.b.radius, b.b.radius));
    assert_int_equal(a.b.runs, 5);
    assert_int_equal(b.b.runs, 5);
    for (size_t k = 0; k < 5; k++) {
        const perc_bound_run *r = &a.b.run[k], *s = &b.b.run[k];
        assert_int_equal(r->steps, s->steps);
        assert_memory_equal(r->at, s->at, r->steps * sizeof *r->at);
        assert_memory_equal(r->along, s->along, r->steps * sizeof *r->along);
        assert_memory_equal(r->norm2, s->norm2, r->steps * sizeof *r->norm2);
    }
    drop(&a);
    drop(&b);
    t_data_free(&d);
}

TEST(large_and_small_numbers)
{
    const double scale[] = { 1e-150, 1e-100, 1e100, 1e150 }, y[] = { 1, 1, -1 };

    for (size_t k = 0; k < 4; k++) {
        const double s = scale[k], x[] = { 3 * s, 4 * s, 5 * s, 1 * s, -s, -2 * s };
        struct t_data d = t_rows(3, 2, x, y);
        struct found f = find(&d, false, "orders=3", 1);
        assert_true(f.b.radius >= 5 * s && f.b.radius < 6 * s);
        assert_true(f.b.margin > s && f.b.margin < 3 * s);
        assert_true(f.b.bound > 1 && f.b.bound < 20);
        for (size_t i = 0; i < 3; i++) assert_true(f.b.run[i].converged);
        drop(&f);
        t_data_free(&d);
    }
}

/* Two rows without an offset, R = |x| and gamma' = |z|: bounds that no integer has, or no double,
 * rows longer than any double, and rows too far apart for fractions. */
TEST(bounds_out_of_range)
{
    static const struct {
        double x, z, least, most;
        bool exact;
    } cases[] = {
        { 1, -1e-9, 1e18, 1e18, true },          { 1, -1e-12, 1e24, 1e24, true },
        { 1, -1e-160, DBL_MAX, INFINITY, true }, { 1e200, -1e-250, DBL_MAX, INFINITY, false },
        { 1e300, -1e300, 1, 1, true },
    };
    const double y[] = { 1, -1 };

    for (size_t k = 0; k < COUNT(cases); k++) {
        const double x[] = { cases[k].x, cases[k].z };
        struct t_data d = t_rows(2, 1, x, y);
        struct found f = find(&d, false, "orders=1", 1);
        assert_int_equal(f.b.exact != NULL, cases[k].exact);
        assert_true(f.b.bound_lower <= cases[k].least && f.b.bound >= cases[k].most);
        if (isfinite(cases[k].most)) {
            assert_true(f.b.bound_lower >= cases[k].least * (1 - 1e-15));
            assert_true(f.b.bound <= cases[k].most * (1 + 1e-15));
        }
        assert_int_equal(f.b.most, cases[k].most < 1e19 ? (uint64_t)cases[k].most : UINT64_MAX);
        drop(&f);
        t_data_free(&d);
    }
}

/* Rows longer than any double: R is infinite, and so is the bound, but it is one. */
TEST(rows_longer_than_doubles)
{
    const double x[] = { 1.7e308, 1.7e308, -1.7e308, -1.6e308 }, y[] = { 1, -1 };
    struct t_data d = t_rows(2, 2, x, y);

    for (int offset = 0; offset < 2; offset++) {
        struct found f = find(&d, offset, "orders=1", 1);
        assert_true(isinf(f.b.radius) && f.b.bound >= 1);
        assert_true(f.b.run[0].mistakes >= 1);
        drop(&f);
    }
    t_data_free(&d);
}

/* ----- what is refused ---------------------------------------------------------------- */

static perc_status refused(const struct t_data *d, const perc_dataset *ds, uint64_t rows,
                           const char *text)
{
    struct t_part t = t_part_new(d, true, env_resolve(NULL));
    struct subproof part = part_of(&t);
    perc_params *p = t_params("prove", "");
    struct bound_curves *c;
    perc_error err;

    part.exact.n = rows;
    const perc_status st = bound_curves(ds != NULL ? ds : t.ds, &part, p, NULL, NULL, &c, &err);
    assert_null(c);
    assert_non_null(strstr(err.text, text));
    perc_params_free(p);
    t_part_free(&t);
    return st;
}

TEST(parts_and_weights_are_refused)
{
    const double x[] = { 3, 5, -1 }, y[] = { 1, 1, -1 };
    struct t_data d = t_rows(3, 1, x, y);

    assert_int_equal(refused(&d, NULL, 2, "--positive"), PERC_EARG);
    d.y[2] = 1;
    assert_int_equal(refused(&d, NULL, 3, "two labels"), PERC_EARG);
    d.y[2] = -1;
    d.weight = malloc(3 * sizeof *d.weight);
    d.weight[0] = d.weight[1] = 1;
    d.weight[2] = 2;
    assert_int_equal(refused(&d, NULL, 3, "weights"), PERC_EARG);
    t_data_free(&d);
}

/* One class of several against the rest. */
TEST(iris_setosa)
{
    perc_dataset *ds = t_read(":iris", "");
    uint64_t row[150];
    signed char sign[150];
    perc_params *p = t_params("prove", "");
    struct bound_curves *c;
    perc_bound b;

    assert_int_equal(ds->rows, 150);
    for (uint64_t i = 0; i < 150; i++) {
        size_t at;
        const struct block *block = dataset_block(ds, i, &at);
        row[i] = i;
        sign[i] = block->label[at] == 0 ? 1 : -1;
    }
    const struct subproof part = { .positive = ds->labels.at[0].text,
                                   .exact = { .e = env_resolve(NULL),
                                              .ds = ds,
                                              .offset = true,
                                              .dims = ds->columns + 1,
                                              .n = 150,
                                              .row = row,
                                              .sign = sign } };
    assert_int_equal(bound_curves(ds, &part, p, NULL, NULL, &c, NULL), PERC_OK);
    bound_curves_get(c, &b);
    assert_int_equal(b.runs, 5);
    for (size_t k = 0; k < 5; k++) {
        assert_true(b.run[k].converged);
        assert_run(&b, &b.run[k]);
    }
    bound_curves_free(&part.exact.e, c);
    t_free(p, ds);
}

TEST(memory_may_run_out)
{
    const double x[] = { 3, 4e30, 5, 1, -1, -2.00000000000001e20, 0, -3 }, y[] = { 1, 1, -1, -1 };
    struct t_data d = t_rows(4, 2, x, y);
    perc_params *p = t_params("prove", "orders=2");

    for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
        struct t_part t = t_part_new(&d, true, env_resolve(&s.env));
        const struct subproof part = part_of(&t);
        struct bound_curves *c;
        const perc_status st = bound_curves(t.ds, &part, p, NULL, NULL, &c, NULL);
        if (st) assert_null(c);
        bound_curves_free(&t.p.e, c);
        t_part_free(&t);
        t_sweep_judge(&s, st);
    }
    t_free(p, &d);
}
