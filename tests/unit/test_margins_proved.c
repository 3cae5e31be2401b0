/* test_margins_proved.c -- the bounds of src/prove/margin.c hold, for the decimals of the
 * file, and are as near to each other as was asked. */
#include <float.h>

#include "prove/nearest.h"
#include "solve/hard.h"
#include "t.h"
#include "t_alloc.h"
#include "t_cases.h"
#include "t_part.h"
#include "vec/rng.h"

static perc_part measure_on(const struct t_data *d, bool offset, double gap, int threads)
{
    const perc_env env = { NULL, NULL, threads };
    struct t_part t = t_part_new(d, offset, env_resolve(&env));
    const struct separation a = { .verdict = PERC_SEPARABLE };
    perc_part out = { .rows = 0 };
    perc_error err = { .status = PERC_OK };

    const perc_status st = margin_measure(&t.p, t_problem_of(&t.f), &a, gap, NULL, &out, &err);
    if (st) print_error("%s\n", err.text);
    assert_int_equal(st, PERC_OK);
    t_part_free(&t);
    return out;
}

static perc_part measure(const struct t_data *d, bool offset, double gap)
{
    return measure_on(d, offset, gap, 1);
}

/* lower <= sqrt(num / den) 10^exponent <= upper, in fractions; and the gap. */
static void assert_bounds(double lower, double upper, double gap, struct t_fraction f, int exponent)
{
    mpq_t want, t, ten;

    mpq_inits(want, t, ten, NULL);
    mpq_set_si(want, f.num, (unsigned long)f.den);
    mpq_canonicalize(want);
    mpz_ui_pow_ui(mpq_numref(ten), 10, (unsigned long)(2 * abs(exponent)));
    if (exponent < 0) mpq_div(want, want, ten);
    else mpq_mul(want, want, ten);
    assert_true(lower > 0 && isfinite(upper));
    mpq_set_d(t, lower);
    mpq_mul(t, t, t);
    assert_true(mpq_cmp(t, want) <= 0);
    mpq_set_d(t, upper);
    mpq_mul(t, t, t);
    assert_true(mpq_cmp(t, want) >= 0);
    if (!(upper - lower <= gap * upper))
        print_error("%.17g .. %.17g: a gap of %g\n", lower, upper, (upper - lower) / upper);
    assert_true(upper - lower <= gap * upper);
    mpq_clears(want, t, ten, NULL);
}

/* ----- against enumeration, in whole numbers ------------------------------------------ */

static double scaled(double v, int exponent)
{
    char text[64];

    snprintf(text, sizeof text, "%.0fe%d", v, exponent);
    return strtod(text, NULL);
}

/* The rows times 10^exponent, as decimals. */
static struct t_data times(const struct t_data *d, int exponent)
{
    struct t_data s = t_copy(d);

    for (size_t i = 0; i < d->rows * d->cols; i++) s.x[i] = scaled(d->x[i], exponent);
    return s;
}

/* 4 times the square of half the distance of the hulls: all differences as rows. */
static struct t_fraction distance2(const struct t_data *d)
{
    struct t_data all = t_data_new(HULL_ROWS, d->cols);
    size_t n = 0;

    for (size_t i = 0; i < d->rows; i++)
        for (size_t j = 0; j < d->rows; j++) {
            if (!(d->y[i] > 0 && d->y[j] < 0)) continue;
            assert_true(n < HULL_ROWS);
            for (size_t k = 0; k < d->cols; k++)
                all.x[n * d->cols + k] = d->x[i * d->cols + k] - d->x[j * d->cols + k];
            n++;
        }
    const struct t_fraction f = t_distance2(&all, false, (1u << n) - 1);
    t_data_free(&all);
    return f;
}

/* Three features, up to 6 rows with at most 8 pairs. */
static struct t_data random_rows(struct rng *r, int most)
{
    const size_t pos = 1 + (size_t)rng_below(r, 4), neg = 1 + (size_t)rng_below(r, 2);
    const size_t cols = 1 + (size_t)rng_below(r, 3);
    struct t_data d = t_data_new(pos + neg, cols);

    for (size_t i = 0; i < pos + neg; i++) {
        d.y[i] = i < pos ? 1 : -1;
        for (size_t j = 0; j < cols; j++)
            d.x[i * cols + j] = (double)rng_below(r, (uint64_t)(2 * most + 1)) - most;
        if (rng_below(r, 2)) d.x[i * cols] += d.y[i] * most;
    }
    return d;
}

TEST(random_rows_have_the_margins_of_the_enumeration)
{
    static const int exponents[] = { 0, -1, -3, 5, 150, -150, 290, -300 };
    struct rng r = rng_seed(3, 0);
    int geometric = 0, inside = 0;

    for (int trial = 0; trial < t_cases(3000); trial++) {
        struct t_data d = random_rows(&r, trial % 3 == 0 ? 2 : 20);
        const int e = exponents[trial % 8];
        struct t_data s = times(&d, e);
        const double gap = trial % 2 ? 1e-6 : 1e-12;
        const struct t_fraction half = distance2(&d);
        if (half.num > 0) { /* separable */
            const perc_part p = measure(&s, true, gap);
            assert_bounds(p.geometric_lower * 2, p.geometric_upper * 2, gap, half, e);
            if (e == 0)
                assert_bounds(p.margin_lower, p.margin_upper, gap,
                              t_distance2(&d, true, (1u << d.rows) - 1), 0);
            geometric++;
        }
        const struct t_fraction f = t_distance2(&d, false, (1u << d.rows) - 1);
        if (f.num > 0) {
            const perc_part p = measure(&s, false, gap);
            assert_bounds(p.margin_lower, p.margin_upper, gap, f, e);
            assert_true(p.margin_lower == p.geometric_lower && p.margin_upper == p.geometric_upper);
            inside++;
        }
        t_free(&s, &d);
    }
    assert_true(geometric > t_cases(500) && inside > t_cases(500));
}

/* The offset is 1 whatever the features are: rows of tenths, times 10 with a column of 10. */
TEST(the_offset_counts_as_one)
{
    struct rng r = rng_seed(4, 0);
    size_t seen = 0;

    for (int trial = 0; trial < 500; trial++) {
        struct t_data d = random_rows(&r, 9), s = times(&d, -1);
        struct t_data more = t_data_new(d.rows, d.cols + 1);
        for (size_t i = 0; i < d.rows; i++) {
            for (size_t j = 0; j < d.cols; j++) more.x[i * more.cols + j] = d.x[i * d.cols + j];
            more.x[i * more.cols + d.cols] = 10;
            more.y[i] = d.y[i];
        }
        const struct t_fraction f = t_distance2(&more, false, (1u << d.rows) - 1);
        if (f.num > 0) {
            const perc_part p = measure(&s, true, 1e-9);
            assert_bounds(p.margin_lower, p.margin_upper, 1e-9, f, -1);
            seen++;
        }
        t_free(&more, &s, &d);
    }
    assert_true(seen > 100);
}

/* ----- known margins ------------------------------------------------------------------ */

static void assert_near(double lower, double upper, double want)
{
    if (!(lower <= want * (1 + 1e-15) && upper >= want * (1 - 1e-15)))
        print_error("%.17g .. %.17g, not %.17g\n", lower, upper, want);
    assert_true(lower <= want * (1 + 1e-15) && upper >= want * (1 - 1e-15));
    assert_true(upper - lower <= 1e-6 * upper);
}

TEST(two_points)
{
    const double x[] = { 0, 0, 3, 4 }, y[] = { -1, 1 };
    struct t_data d = t_rows(2, 2, x, y);
    const perc_part p = measure(&d, true, 1e-6);

    assert_near(p.geometric_lower, p.geometric_upper, 2.5);
    /* |lambda (3,4,1) - (1 - lambda) (0,0,1)|^2 = 25 l^2 + (2 l - 1)^2, least at l = 2/29 */
    assert_near(p.margin_lower, p.margin_upper, sqrt(25 * 4 / 841.0 + 625 / 841.0));
    t_data_free(&d);
}

TEST(and_has_the_margins_of_its_picture)
{
    const double x[] = { 0, 0, 0, 1, 1, 0, 1, 1 }, y[] = { -1, -1, -1, 1 };
    struct t_data d = t_rows(4, 2, x, y);
    const perc_part p = measure(&d, true, 1e-6);

    assert_near(p.geometric_lower, p.geometric_upper, sqrt(2) / 4);
    assert_near(p.margin_lower, p.margin_upper, 1 / sqrt(17)); /* w = (2, 2), b = -3 */
    t_data_free(&d);
}

/* Two regular polygons round (0, 0) and (4, 0): vertices at 0 and pi face each other. */
TEST(regular_polygons)
{
    for (size_t n = 4; n <= 60; n += 8) {
        struct t_data d = t_data_new(2 * n, 2);
        for (size_t i = 0; i < 2 * n; i++) {
            const double angle = 2 * 3.14159265358979323846 * (double)(i % n) / (double)n;
            d.x[2 * i] = (i < n ? 0 : 4) + (i % n == 0 ? 1 : i % n == n / 2 ? -1 : cos(angle));
            d.x[2 * i + 1] = i % n == 0 || i % n == n / 2 ? 0 : sin(angle);
            d.y[i] = i < n ? 1 : -1;
        }
        const perc_part p = measure(&d, true, 1e-6);
        assert_near(p.geometric_lower, p.geometric_upper, 1);
        t_data_free(&d);
    }
}

static struct t_data of_set(const char *name, uint32_t positive)
{
    perc_dataset *ds = t_read(name, "");
    struct t_data d = t_data_new(ds->rows, ds->columns);

    for (uint64_t i = 0; i < ds->rows; i++) {
        size_t at;
        const struct block *b = dataset_block(ds, i, &at);
        const struct row r = block_row(b, at);
        for (size_t k = 0; k < r.n; k++) d.x[i * d.cols + row_column(&r, k)] = row_value(&r, k);
        d.y[i] = b->label[at] == positive ? 1 : -1;
    }
    perc_dataset_free(ds);
    return d;
}

/* setosa against the rest. gamma' is also what hard_solve says. */
TEST(iris)
{
    struct t_data d = of_set(":iris", 0);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    const struct hard_options o = { .gap = 1e-9, .passes = 10000 };
    const perc_part p = measure(&d, true, 1e-9);
    double w[8], b;
    struct hard_result r;

    assert_true(d.cols <= 8);
    assert_int_equal(hard_solve(t_problem_of(&t), 1, &o, w, &b, &r, NULL), PERC_OK);
    assert_true(p.margin_upper - p.margin_lower <= 1e-9 * p.margin_upper);
    assert_true(p.margin_lower <= r.upper * (1 + 1e-14));
    assert_true(p.margin_upper >= r.lower * (1 - 1e-14));
    assert_true(p.geometric_upper - p.geometric_lower <= 1e-9 * p.geometric_upper);
    /* the plane of support vector machines has 2 / |w| = 1.64 */
    assert_true(p.geometric_lower > 0.81 && p.geometric_upper < 0.83);
    assert_true(p.margin_upper < p.geometric_lower);
    t_problem_free(&t);
    t_data_free(&d);
}

/* ----- small margins, digits, scales -------------------------------------------------- */

/* |(t - 1 + ..., h)|: the hull passes the origin at a height of 10^-12 of R. */
TEST(small_margins)
{
    const double y[] = { 1, 1, -1, -1 };

    for (int e = 0; e <= 12; e++) {
        const double h = scaled(1, -e);
        const double x[] = { 1, h, -1, h, 1, -h, -1, -h };
        struct t_data d = t_rows(4, 2, x, y);
        const struct t_fraction one = { 1, 1 };
        perc_part p = measure(&d, true, 1e-6);
        assert_bounds(p.geometric_lower, p.geometric_upper, 1e-6, one, -e);
        assert_bounds(p.margin_lower, p.margin_upper, 1e-6, one, -e);
        p = measure(&d, false, 1e-6);
        assert_bounds(p.margin_lower, p.margin_upper, 1e-6, one, -e);
        t_data_free(&d);
    }
}

/* A tilted version: (1, 1.0000001) and so on, far from the origin. */
TEST(clouds_far_from_the_origin)
{
    const double y[] = { 1, 1, -1, -1 };

    for (int e = 3; e <= 12; e += 3) {
        const double c = scaled(1, e);
        const double x[] = { c + 3, c + 4, c + 7, c + 1, c, c, c + 4, c - 3 };
        struct t_data d = t_rows(4, 2, x, y);
        const perc_part p = measure(&d, true, 1e-6);
        /* (3,4) - (7,1) is parallel to (0,0) - (4,-3), at a distance of 5 */
        assert_near(p.geometric_lower, p.geometric_upper, 2.5);
        t_data_free(&d);
    }
}

/* Doubles with all their digits: the bounds contain what long doubles say. */
TEST(random_doubles)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const double u[] = { 1, -2, 0.5, 3, 0, 1 };
        struct t_data d = t_planted(300, 6, u, 0.3, 0.05, seed);
        const perc_part p = measure(&d, true, 1e-9);
        assert_true(p.margin_lower > 0 && p.geometric_lower > p.margin_lower);
        assert_true(p.margin_upper - p.margin_lower <= 1e-9 * p.margin_upper);
        assert_true(p.geometric_upper - p.geometric_lower <= 1e-9 * p.geometric_upper);
        assert_true(p.geometric_upper >= 0.05); /* the planted plane has that */
        t_data_free(&d);
    }
}

TEST(any_number_of_threads)
{
    const double u[] = { 1, -2, 0.5, 3, 0, 1 };
    struct t_data d = t_planted(3000, 6, u, 0.3, 0.01, 5);
    const perc_part a = measure_on(&d, true, 1e-6, 1), b = measure_on(&d, true, 1e-6, 4);

    assert_true(t_same_bits(a.margin_lower, b.margin_lower));
    assert_true(t_same_bits(a.margin_upper, b.margin_upper));
    assert_true(t_same_bits(a.geometric_lower, b.geometric_lower));
    assert_true(t_same_bits(a.geometric_upper, b.geometric_upper));
    t_data_free(&d);
}

/* ----- edges -------------------------------------------------------------------------- */

TEST(one_class)
{
    const double x[] = { 3, 4, 6, 8 }, y[] = { 1, 1 };
    struct t_data d = t_rows(2, 2, x, y);
    perc_part p = measure(&d, true, 1e-6);

    assert_near(p.margin_lower, p.margin_upper, sqrt(26));
    assert_true(isinf(p.geometric_lower) && isinf(p.geometric_upper));
    assert_int_equal(p.gap_reached, 1);
    p = measure(&d, false, 1e-6);
    assert_near(p.geometric_lower, p.geometric_upper, 5);
    t_data_free(&d);
}

TEST(no_margin_where_nothing_separates)
{
    const double x[] = { 1, 1 }, y[] = { 1, -1 };
    struct t_data d = t_rows(2, 1, x, y);
    struct t_part t = t_part_new(&d, true, env_resolve(NULL));
    const struct separation a = { .verdict = PERC_OVERLAPPING };
    perc_part p = { .margin_lower = 7 };

    assert_int_equal(margin_measure(&t.p, t_problem_of(&t.f), &a, 1e-6, NULL, &p, NULL), PERC_OK);
    assert_true(p.margin_lower == 0 && p.margin_upper == 0);
    assert_true(p.geometric_lower == 0 && p.geometric_upper == 0);
    t_part_free(&t);
    t_data_free(&d);
}

static bool stop(void *ud, int64_t passes)
{
    (void)ud;
    (void)passes;
    return false;
}

/* Stopped at once: the bounds are wide, and hold, because a separator is known. */
TEST(a_watch_may_stop_it)
{
    const double u[] = { 1, -2, 0.5, 3 };
    struct t_data d = t_planted(500, 4, u, 0, 0.01, 9);
    struct t_part t = t_part_new(&d, true, env_resolve(NULL));
    mpz_t w[5];
    const struct separation a = { .verdict = PERC_SEPARABLE, .w = w };
    const struct watch watch = { stop, NULL };
    const perc_part best = measure(&d, true, 1e-9);
    perc_part p;

    for (int j = 0; j < 5; j++) mpz_init_set_si(w[j], j < 4 ? (long)(2 * u[j]) : 0);
    assert_int_equal(margin_measure(&t.p, t_problem_of(&t.f), &a, 1e-6, &watch, &p, NULL), PERC_OK);
    assert_true(p.margin_lower > 0 && p.geometric_lower > 0);
    assert_true(p.margin_lower <= best.margin_upper && p.margin_upper >= best.margin_lower);
    assert_true(p.geometric_lower <= best.geometric_upper);
    assert_true(p.geometric_upper >= best.geometric_lower);
    assert_true(p.margin_upper - p.margin_lower > 1e-6 * p.margin_upper);
    assert_int_equal(p.gap_reached, -1);
    assert_int_equal(best.gap_reached, 1);
    for (int j = 0; j < 5; j++) mpz_clear(w[j]);
    t_part_free(&t);
    t_data_free(&d);
}

TEST(roots_are_rounded_outwards)
{
    struct rng r = rng_seed(8, 0);
    mpz_t a, b;
    mpq_t want, t, ten;

    mpz_inits(a, b, NULL);
    mpq_inits(want, t, ten, NULL);
    for (int trial = 0; trial < t_cases(3000); trial++) {
        const int e = (int)rng_below(&r, 900) - 450; /* beyond doubles, too */
        mpz_set_ui(a, rng_u64(&r) >> rng_below(&r, 60));
        mpz_set_ui(b, 1 + (rng_u64(&r) >> (1 + rng_below(&r, 60))));
        mpz_ui_pow_ui(mpq_numref(ten), 10, (unsigned long)(2 * abs(e)));
        mpq_set_num(want, a);
        mpq_set_den(want, b);
        mpq_canonicalize(want);
        if (e < 0) mpq_div(want, want, ten);
        else mpq_mul(want, want, ten);
        const double down = nearest_root(a, b, e, false), up = nearest_root(a, b, e, true);
        mpq_set_d(t, down);
        mpq_mul(t, t, t);
        assert_true(mpq_cmp(t, want) <= 0);
        if (isfinite(up)) {
            mpq_set_d(t, up);
            mpq_mul(t, t, t);
            assert_true(mpq_cmp(t, want) >= 0);
        }
        if (isinf(up)) assert_true(down == DBL_MAX);
        else assert_true(up <= down * (1 + 0x1p-51) + 0x1p-1072);
    }
    mpz_set_ui(a, 1); /* a digit that the quotient of 200 bits has no room for */
    mpz_mul_2exp(a, a, 400);
    mpz_set_ui(b, 1);
    assert_true(nearest_root(a, b, 0, false) == 0x1p200 && nearest_root(a, b, 0, true) == 0x1p200);
    mpz_sub_ui(a, a, 1);
    assert_true(nearest_root(a, b, 0, false) < 0x1p200);
    mpz_add_ui(a, a, 2);
    assert_true(nearest_root(a, b, 0, true) > 0x1p200);
    mpz_clears(a, b, NULL);
    mpq_clears(want, t, ten, NULL);
}

TEST(the_radius_is_exact)
{
    const double x[] = { 3, 4, 0, 0.1, -5, 0 }, y[] = { 1, -1, 1 };
    struct t_data d = t_rows(3, 2, x, y);
    struct t_part t = t_part_new(&d, false, env_resolve(NULL));
    double r;

    assert_int_equal(nearest_radius(&t.p, t_problem_of(&t.f), &r, NULL), PERC_OK);
    assert_true(r == 5);
    t_part_free(&t);
    t = t_part_new(&d, true, env_resolve(NULL));
    assert_int_equal(nearest_radius(&t.p, t_problem_of(&t.f), &r, NULL), PERC_OK);
    assert_true(r >= sqrt(26) && r <= nextafter(nextafter(sqrt(26), 9), 9));
    t_part_free(&t);
    t_data_free(&d);
}

TEST(memory_may_run_out)
{
    const double u[] = { 1, -2, 0.5 };
    struct t_data d = t_planted(40, 3, u, 0.1, 0.05, 2);

    for (size_t i = 0; i < d.rows; i += 3)
        d.x[3 * i] *= 1e25; /* more than 64 bits beside the rest */
    for (size_t i = 0; i < d.rows; i += 3) d.y[i] = d.x[3 * i] > 0 ? 1 : -1;
    for (struct t_sweep s = { .least = 1 }; t_sweep_next(&s);) {
        struct t_part t = t_part_new(&d, true, env_resolve(&s.env));
        const struct separation yes = { .verdict = PERC_SEPARABLE };
        perc_part p;
        const perc_status st = margin_measure(&t.p, t_problem_of(&t.f), &yes, 1e-6, NULL, &p, NULL);
        t_part_free(&t);
        t_sweep_judge(&s, st);
    }
    t_data_free(&d);
}
