/* test_hard.c -- the promises of src/solve/hard.h: bounds on gamma' that hold, verdicts
 * that are true, the same bits on any number of threads. */
#include <limits.h>

#include "solve/hard.h"
#include "solve/margins.h"
#include "solve/wolfe.h"
#include "t.h"
#include "t_alloc.h"
#include "t_cases.h"
#include "t_hull.h"
#include "vec/rng.h"

enum { COLS = 64 };

struct found {
    double w[COLS], b;
    struct hard_result r;
};

static struct found solve_on(const struct problem *p, double gap, const struct watch *watch)
{
    const struct hard_options o = { .gap = gap, .passes = 10000, .watch = watch };
    struct found f;

    assert_true(p->dims <= COLS);
    assert_int_equal(hard_solve(p, 1, &o, f.w, &f.b, &f.r, NULL), PERC_OK);
    return f;
}

static struct found solve(const struct t_data *d, bool offset, double gap)
{
    struct t_problem t = t_problem_new(d, offset, env_resolve(NULL));
    const struct found f = solve_on(t_problem_of(&t), gap, NULL);

    t_problem_free(&t);
    return f;
}

/* min y_i w'.x'_i / |w'|, and that the smallest margin is 1. */
static double margin_of(const struct t_data *d, const struct found *f)
{
    long double least = INFINITY, norm2 = (long double)f->b * f->b;

    for (size_t i = 0; i < d->rows; i++) least = fminl(least, t_margin(d, i, f->w, f->b));
    for (size_t j = 0; j < d->cols; j++) norm2 += (long double)f->w[j] * f->w[j];
    return (double)(least / sqrtl(norm2));
}

/* ----- sets with a known margin ------------------------------------------------------- */

/* Both bounds within `part` of gamma, from the right sides of it, and w' with it. */
static void assert_margin(const struct t_data *d, bool offset, double gamma, double part)
{
    const struct found f = solve(d, offset, 1e-11);
    const double unit = 4e-15 * gamma; /* `gamma` is rounded too */

    if (f.r.verdict != HARD_SEPARABLE || !f.r.solved)
        fail_msg("verdict %d, %.17g .. %.17g", f.r.verdict, f.r.lower, f.r.upper);
    if (!(f.r.lower <= gamma + unit) || !(f.r.upper >= gamma - unit) ||
        !(f.r.upper - f.r.lower <= 1e-10 * gamma))
        fail_msg("%.17g .. %.17g is to hold %.17g", f.r.lower, f.r.upper, gamma);
    if (!(fabs(margin_of(d, &f) - gamma) <= part * gamma))
        fail_msg("w' has %.17g in place of %.17g", margin_of(d, &f), gamma);
    long double least = INFINITY;
    for (size_t i = 0; i < d->rows; i++) least = fminl(least, t_margin(d, i, f.w, f.b));
    assert_true(fabsl(least - 1) <= part);
}

static void assert_rows(size_t rows, size_t cols, const double *x, const double *y, bool offset,
                        double gamma, double part)
{
    struct t_data d = t_rows(rows, cols, x, y);

    assert_margin(&d, offset, gamma, part);
    t_data_free(&d);
}

TEST(hand_made_sets)
{
    static const double signs[] = { 1, -1, 1, -1 };
    static const double two[] = { 3, -3 };
    static const double square[] = { 1, 1, -1, 1, 1, -1, -1, -1 };
    static const double apart[] = { 1, 1e6, -1, 1e6 };
    static const double thin[] = { 1e-6, 1, -1e-6, 1, 1e-6, -1, -1e-6, -1 };
    static const double copies[] = { 2, 2, 2, 2, 1, 2, 1, 2, 2 };
    static const double their[] = { 1, 1, 1, 1, -1, 1, -1, 1, 1 };

    assert_rows(2, 1, two, signs, true, 3, 1e-14);
    assert_rows(2, 1, two, signs, false, 3, 1e-14);
    assert_rows(4, 2, square, signs, true, 1, 1e-14);
    assert_rows(1, 1, two, signs, true, sqrt(10), 1e-14); /* one class: the row itself */
    assert_rows(2, 2, apart, signs, true, 1, 1e-9);       /* R = 10^6, gamma' = 1 */
    assert_rows(4, 2, thin, signs, true, 1e-6, 1e-9);
    /* 1 | 2: the line through (2, 1) and (-1, -1) passes the origin at 1 / |(3, 2)| */
    assert_rows(9, 1, copies, their, true, 1 / sqrt(13), 1e-14);
}

/* D - 1 | D + 1 on a line: gamma' is about 1 / D, a part of R that falls with D^2. What a w'
 * of 53 bits can hold of it falls too; the bounds hold all the same. */
TEST(far_from_the_origin)
{
    static const double signs[] = { 1, 1, 1, -1, -1, -1, 1, -1 };

    for (double far = 10; far <= 1e6; far *= 10) {
        const double x[] = { far + 2,    far + 1.5, far + 1 + 0x1p-20, far - 1 - 0x1p-19,
                             far - 1.25, far - 9,   far + 1,           far - 1 };
        const double gamma = 1 / sqrt(far * far + 1);
        assert_rows(2, 1, x + 6, signs + 6, true, gamma, 1e-11 + 1e-15 * far * far);
        assert_rows(8, 1, x, signs, true, gamma, 1e-11 + 1e-15 * far * far);
    }
}

/* The unit vectors of d dimensions against the origin, or alone and without an offset. */
TEST(simplices)
{
    for (size_t d = 1; d <= 60; d += d < 8 ? 1 : 13) {
        struct t_data all = t_data_new(d + 1, d), alone = t_data_new(d, d);
        for (size_t j = 0; j < d; j++) all.x[j * d + j] = alone.x[j * d + j] = 1;
        all.y[d] = -1;
        assert_margin(&all, true, 1 / sqrt(1 + 4 * (double)d), 1e-12);
        assert_margin(&alone, false, 1 / sqrt((double)d), 1e-12);
        const struct found f = solve(&all, true, 1e-11);
        assert_int_equal(f.r.supports, d + 1);
        for (size_t k = 0; k <= d && k < HARD_WITNESSES; k++)
            assert_int_equal(f.r.witness[k], k); /* all matter; the first ones are named */
        t_free(&all, &alone);
    }
}

/* Each row several times, moved by so little that the factor of wolfe.c cannot tell the
 * copies apart. The margin is that of the first ones, but for the move. */
TEST(nearly_the_same_rows)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        const double move = (double[]){ 1e-5, 1e-7, 1e-9, 1e-11 }[seed % 4];
        struct t_data d = t_data_new(80, 6), once = t_data_new(20, 6);
        struct rng r = rng_seed(seed, 6);
        for (size_t i = 0; i < 20; i++) {
            once.y[i] = i % 2 ? 1 : -1;
            for (size_t j = 0; j < 6; j++)
                once.x[6 * i + j] = rng_normal(&r) + (j == 0 ? 3 * once.y[i] : 0);
        }
        for (size_t i = 0; i < 80; i++) {
            d.y[i] = once.y[i / 4];
            for (size_t j = 0; j < 6; j++)
                d.x[6 * i + j] = once.x[6 * (i / 4) + j] + (i % 4 ? move * rng_normal(&r) : 0);
        }
        const struct found f = solve(&d, true, 1e-11), g = solve(&once, true, 1e-11);
        if (f.r.verdict != HARD_SEPARABLE || !f.r.solved)
            fail_msg("seed %d: %.17g .. %.17g", (int)seed, f.r.lower, f.r.upper);
        assert_true(f.r.lower <= g.r.upper && f.r.upper >= g.r.lower - 20 * move);
        t_free(&d, &once);
    }
}

/* Two m-gons that face each other with a corner or with a side. */
TEST(polygons)
{
    const double pi = acos(-1);

    for (size_t m = 3; m < 200; m += m < 12 ? 1 : 31)
        for (int side = 0; side < 2; side++) {
            struct t_data d = t_data_new(2 * m, 2);
            for (size_t i = 0; i < 2 * m; i++) {
                const double y = i < m ? 1 : -1;
                const double a = 2 * pi * ((double)i + (side ? 0.5 : 0)) / (double)m;
                d.y[i] = y;
                d.x[2 * i] = y * (3 - cos(a));
                d.x[2 * i + 1] = sin(a);
            }
            assert_margin(&d, true, 3 - (side ? cos(pi / (double)m) : 1), 1e-12);
            t_data_free(&d);
        }
}

/* ----- against whole numbers ---------------------------------------------------------- */

/* The rows that are named hold the origin by themselves. */
static void assert_witnesses(const struct t_data *d, bool offset, const struct hard_result *r)
{
    unsigned mask = 0;

    assert_in_range(r->supports, 1, d->cols + 2);
    for (size_t k = 0; k < r->supports; k++) {
        assert_true(r->witness[k] < d->rows && !(mask >> r->witness[k] & 1));
        assert_true(k == 0 || r->witness[k] > r->witness[k - 1]);
        mask |= 1u << r->witness[k];
    }
    assert_int_equal(t_distance2(d, offset, mask).num, 0);
}

TEST(agrees_with_exact_arithmetic)
{
    struct rng r = rng_seed(4, 1);
    int separable = 0, not = 0;

    for (int turn = 0; turn < t_cases(20000); turn++) {
        struct t_data d = t_small_set(&r, 1 + turn % 5);
        const bool offset = turn % 3 != 0;
        const struct t_fraction want = t_distance2(&d, offset, ~0u);
        const struct found f = solve(&d, offset, 1e-12);
        const double gamma = sqrt((double)want.num / (double)want.den);
        if (f.r.verdict != (want.num > 0 ? HARD_SEPARABLE : HARD_INSEPARABLE))
            fail_msg("set %d: verdict %d of gamma' = %g (%g .. %g)", turn, f.r.verdict, gamma,
                     f.r.lower, f.r.upper);
        if (!f.r.solved) fail_msg("set %d: %.17g .. %.17g", turn, f.r.lower, f.r.upper);
        if (!(f.r.lower <= gamma * (1 + 1e-15)) || !(f.r.upper >= gamma * (1 - 1e-15)))
            fail_msg("set %d: %.17g .. %.17g, not %.17g", turn, f.r.lower, f.r.upper, gamma);
        if (want.num > 0) {
            assert_true(f.r.upper - f.r.lower <= 1e-12 * gamma);
            assert_true(fabs(margin_of(&d, &f) - gamma) <= 1e-12 * gamma);
            separable++;
        } else {
            assert_true(f.r.upper <= HARD_ZERO * f.r.radius);
            assert_witnesses(&d, offset, &f.r);
            not ++;
        }
        t_data_free(&d);
    }
    assert_true(separable > t_cases(5000) && not > t_cases(5000));
}

/* ----- sets that no hyperplane separates ---------------------------------------------- */

static void assert_inseparable(size_t rows, size_t cols, const double *x, const double *y,
                               bool offset)
{
    struct t_data d = t_rows(rows, cols, x, y);
    const struct found f = solve(&d, offset, 1e-9);

    assert_int_equal(f.r.verdict, HARD_INSEPARABLE);
    assert_true(f.r.solved);
    assert_true(f.r.upper <= HARD_ZERO * f.r.radius);
    assert_true(f.r.lower <= 0);
    t_data_free(&d);
}

TEST(notices_what_cannot_be_separated)
{
    static const double corners[] = { 0, 0, 1, 1, 0, 1, 1, 0 }, halves[] = { 1, 1, -1, -1 };
    static const double touch[] = { -1, 0, 0, 1 }, ends[] = { -1, -1, 1, 1 };
    static const double edge[] = { 0, 0, 0, 2, -3, 1, 0, 1, 3, 0, 3, 2 };
    static const double sides[] = { 1, 1, 1, -1, -1, -1 };
    static const double both[] = { 0.1, 0.7, 0.1, 0.7, 5, 5 }, signs[] = { 1, -1, 1 };
    static const double opposite[] = { 1, 2, -3, -6 }, ones[] = { 1, 1 };
    static const double nothing[] = { 0, 0, 1, 1 };
    /* 0.1 + 0.2 | 0.3: not the same double, but a third point lies beyond both */
    static const double near[] = { 0.1 + 0.2, 0.3, 0.4 }, order[] = { 1, -1, -1 };

    assert_inseparable(4, 2, corners, halves, true);
    assert_inseparable(4, 1, touch, ends, true); /* hulls that share one point */
    assert_inseparable(6, 2, edge, sides, true); /* a corner on a side */
    assert_inseparable(3, 2, both, signs, true); /* one row, both labels */
    assert_inseparable(2, 2, opposite, ones, false);
    assert_inseparable(2, 2, nothing, ones, false); /* a row of zeros scores 0 */
    assert_inseparable(3, 1, near, order, true);
}

/* Classes that meet in the last bit of a number, and those that miss each other by it. */
TEST(tells_one_unit_of_the_last_place)
{
    const double x[] = { 1, nextafter(1, 2) }, y[] = { -1, 1 };
    struct t_data d = t_rows(2, 1, x, y);
    const struct found f = solve(&d, true, 1e-9);
    const double gamma = (x[1] - x[0]) / hypot(x[0] + x[1], 2);

    assert_true(fabs(f.r.lower - gamma) <= 1e-9 * gamma);
    assert_true(fabs(f.r.upper - gamma) <= 1e-9 * gamma);
    /* It is separable, but s = w x + b of doubles is 0 or has the wrong sign on one of
     * the two: w < -b < w (1 + 2^-52) has no solution among them. */
    assert_int_equal(f.r.verdict, HARD_UNDECIDED);
    assert_true(f.r.lower > 0);
    t_data_free(&d);
}

static struct t_data blobs(size_t rows, size_t cols, double apart, uint64_t seed)
{
    struct t_data d = t_data_new(rows, cols);
    struct rng r = rng_seed(seed, 5);

    for (size_t i = 0; i < rows; i++) {
        d.y[i] = i % 2 ? 1 : -1;
        for (size_t j = 0; j < cols; j++)
            d.x[i * cols + j] = rng_normal(&r) + (j == 0 ? apart * d.y[i] : 0);
    }
    return d;
}

TEST(overlapping_blobs)
{
    for (size_t cols = 1; cols <= 32; cols *= 2) {
        struct t_data d = blobs(40 * cols, cols, 0.3, cols);
        const struct found f = solve(&d, true, 1e-9);
        assert_int_equal(f.r.verdict, HARD_INSEPARABLE);
        assert_true(f.r.passes < 100);
        assert_in_range(f.r.supports, 2, cols + 2);
        t_data_free(&d);
    }
}

/* ----- numbers whose squares are none -------------------------------------------------- */

/* d with all numbers times 2^power. */
static struct t_data times(const struct t_data *d, int power)
{
    struct t_data s = t_copy(d);

    for (size_t i = 0; i < d->rows * d->cols; i++) s.x[i] = ldexp(d->x[i], power);
    return s;
}

/* A power of two changes no digit: same w', same bounds, but for the power. */
TEST(any_power_of_two)
{
    static const int powers[] = { -1000, -700, -540, -300, 20, 299, 520, 700, 1000 };
    struct rng r = rng_seed(8, 1);
    int separable = 0, not = 0;

    for (int turn = 0; turn < t_cases(900); turn++) {
        const int power = powers[turn % 9];
        struct t_data d = t_small_set(&r, 1 + turn % 5), s = times(&d, power);
        const struct found f = solve(&d, false, 1e-12), g = solve(&s, false, 1e-12);
        assert_int_equal(f.r.verdict, g.r.verdict);
        assert_true(f.r.solved == g.r.solved);
        assert_int_equal(f.r.supports, g.r.supports);
        assert_true(t_same_bits(f.r.radius, ldexp(g.r.radius, -power)));
        if (f.r.verdict == HARD_SEPARABLE) { /* else the bounds are about 0 */
            assert_true(t_same_bits(f.r.upper, ldexp(g.r.upper, -power)));
            assert_true(t_same_bits(f.r.lower, ldexp(g.r.lower, -power)));
            for (size_t j = 0; j < d.cols; j++)
                assert_true(t_same_bits(ldexp(f.w[j], -power), g.w[j])); /* may be subnormal */
            separable++;
        } else {
            assert_true(g.r.upper <= HARD_ZERO * g.r.radius);
            not ++;
        }
        t_free(&d, &s);
    }
    assert_true(separable > t_cases(200) && not > t_cases(200));
}

/* An offset is a column of ones, for large numbers too. */
TEST(the_offset_is_scaled_with_the_rows)
{
    struct rng r = rng_seed(9, 1);

    for (int turn = 0; turn < 200; turn++) {
        struct t_data small = t_small_set(&r, 3), d = times(&small, 600);
        struct t_data wide = t_data_new(d.rows, d.cols + 1);
        for (size_t i = 0; i < d.rows; i++) {
            memcpy(wide.x + i * wide.cols, d.x + i * d.cols, d.cols * sizeof *d.x);
            wide.x[i * wide.cols + d.cols] = 1;
            wide.y[i] = d.y[i];
        }
        const struct found f = solve(&d, true, 1e-9), g = solve(&wide, false, 1e-9);
        assert_int_equal(f.r.verdict, g.r.verdict);
        assert_true(t_same_bits(f.r.lower, g.r.lower) && t_same_bits(f.r.upper, g.r.upper));
        assert_memory_equal(f.w, g.w, d.cols * sizeof *f.w);
        assert_true(t_same_bits(f.b, g.w[d.cols]));
        t_free(&small, &d, &wide);
    }
}

/* The ends of what a double holds; there w' cannot have a least score of 1. */
TEST(the_smallest_and_the_largest_numbers)
{
    static const double size[] = { 0x1p-1074, 1e-310, 1e-200, 1e-163, 1e200, 1.7e308 };
    static const double y[] = { 1, -1, 1 };

    for (size_t k = 0; k < COUNT(size); k++) {
        const double x[] = { size[k], -size[k], 0 };
        struct t_data d = t_rows(2, 1, x, y), zero = t_rows(3, 1, x, y);
        const struct found f = solve(&d, false, 1e-9), g = solve(&zero, false, 1e-9);
        assert_int_equal(f.r.verdict, HARD_SEPARABLE);
        assert_true(f.r.solved && isfinite(f.w[0]) && f.w[0] * size[k] > 0);
        assert_true(f.r.lower >= size[k] * (1 - 1e-9) && f.r.upper <= size[k] * (1 + 1e-9));
        if (k > 1) assert_true(fabs(f.w[0] * size[k] - 1) <= 1e-14);
        assert_int_equal(g.r.verdict, HARD_INSEPARABLE); /* the third row is 0 */
        assert_int_equal(g.r.supports, 1);
        assert_int_equal(g.r.witness[0], 2);
        t_free(&d, &zero);
    }
}

/* Below 1e-14 the gap is 1e-14. */
TEST(a_gap_of_nothing)
{
    static const double x[] = { 3, -3 }, y[] = { 1, -1 };
    struct t_data d = t_rows(2, 1, x, y);

    assert_true(solve(&d, true, 1e-14).r.solved);
    assert_true(solve(&d, true, 1e-16).r.solved);
    t_data_free(&d);
}

/* ----- the theorem -------------------------------------------------------------------- */

/* Novikoff 1962: from w' = 0 the perceptron makes at most (R / gamma')^2 mistakes. */
TEST(the_perceptron_keeps_within_the_bound)
{
    struct rng r = rng_seed(9, 2);
    double closest = 0;

    for (uint64_t seed = 0; seed < 300; seed++) {
        const size_t rows = 2 + (size_t)rng_below(&r, 60), cols = 1 + (size_t)rng_below(&r, 6);
        double u[6];
        for (size_t j = 0; j < cols; j++) u[j] = rng_normal(&r);
        struct t_data d = t_planted(rows, cols, u, 0.3 * rng_normal(&r), 0.02, seed);
        const struct found f = solve(&d, true, 1e-10);
        perc_dataset *ds = t_borrow(&d);
        perc_report report;
        perc_model *m = t_fit(ds, "order=file epochs=1000000", &report);
        const double lower = f.r.radius / f.r.lower, upper = f.r.radius / f.r.upper;

        assert_int_equal(f.r.verdict, HARD_SEPARABLE);
        assert_true(f.r.solved && f.r.upper - f.r.lower <= 1e-10 * f.r.upper);
        assert_int_equal(report.stop, PERC_STOP_CONVERGED);
        assert_true((double)report.mistakes <= lower * lower);
        assert_true((double)report.mistakes <= upper * upper * (1 + 1e-12));
        assert_true(fabs(report.radius - f.r.radius) <= 1e-14 * f.r.radius);
        closest = fmax(closest, (double)report.mistakes / (upper * upper));
        t_free(m, ds, &d);
    }
    assert_true(closest > 0.5); /* a bound that is never near proves little */
}

static void assert_same(const struct found *a, const struct found *b, uint64_t dims)
{
    assert_memory_equal(a->w, b->w, dims * sizeof *a->w);
    assert_true(t_same_bits(a->b, b->b) && t_same_bits(a->r.lower, b->r.lower));
    assert_true(t_same_bits(a->r.upper, b->r.upper));
    assert_int_equal(a->r.passes, b->r.passes);
    assert_int_equal(a->r.supports, b->r.supports);
    assert_int_equal(a->r.verdict, b->r.verdict);
}

/* ----- the geometric margin ------------------------------------------------------------- */

static struct found solve_hulls(const struct t_data *d, int threads)
{
    struct t_problem t = t_problem_new(d, true, env_resolve(NULL));
    const struct hard_options o = { .hulls = true, .gap = 1e-9, .passes = 10000 };
    struct found f;

    t.p.e.threads = threads;
    assert_int_equal(hard_solve(t_problem_of(&t), 1, &o, f.w, &f.b, &f.r, NULL), PERC_OK);
    t_problem_free(&t);
    return f;
}

/* With a constant feature of K in place of 1 the offset costs 1 / K^2 of what it did: gamma' rises
 * to the geometric margin as K grows. And that margin does not move with the rows. */
TEST(a_large_constant_leads_to_the_geometric_margin)
{
    struct rng r = rng_seed(19, 5);

    for (uint64_t seed = 0; seed < 60; seed++) {
        const size_t rows = 2 + (size_t)rng_below(&r, 40), cols = 1 + (size_t)rng_below(&r, 6);
        double u[6];
        for (size_t j = 0; j < cols; j++) u[j] = rng_normal(&r);
        struct t_data d = t_planted(rows, cols, u, 0.3 * rng_normal(&r), 0.05, seed);
        bool both = false;
        for (size_t i = 1; i < rows; i++) both |= d.y[i] * d.y[0] < 0;
        const struct found f = solve_hulls(&d, 1);
        if (!both) {
            assert_true(isinf(f.r.lower) && f.b * d.y[0] > 0);
            t_data_free(&d);
            continue;
        }
        assert_true(f.r.verdict == HARD_SEPARABLE && f.r.solved);
        struct t_data wide = t_data_new(rows, cols + 1);
        for (size_t i = 0; i < rows; i++) {
            memcpy(wide.x + i * (cols + 1), d.x + i * cols, cols * sizeof *d.x);
            wide.x[i * (cols + 1) + cols] = 3e3 * f.r.radius;
            wide.y[i] = d.y[i];
        }
        const struct found limit = solve(&wide, false, 1e-9);
        assert_true(limit.r.upper <= f.r.upper * (1 + 1e-8));
        assert_true(fabs(limit.r.lower - f.r.lower) <= 1e-5 * f.r.lower);
        for (size_t k = 0; k < rows * cols; k++) d.x[k] += 64;
        const struct found moved = solve_hulls(&d, 1);
        assert_true(fabs(moved.r.lower - f.r.lower) <= 1e-8 * f.r.lower);
        t_free(&wide, &d);
    }
}

/* Numbers whose squares overflow, or vanish; and threads. */
TEST(hulls_of_any_size_on_any_threads)
{
    static const int exponent[] = { 600, -700 };
    struct t_data d = blobs(9000, 5, 6, 78);
    const struct found f = solve_hulls(&d, 1), many = solve_hulls(&d, 5);

    assert_int_equal(f.r.verdict, HARD_SEPARABLE);
    assert_same(&f, &many, d.cols);
    for (size_t k = 0; k < COUNT(exponent); k++) {
        struct t_data far = t_copy(&d);
        for (size_t i = 0; i < d.rows * d.cols; i++) far.x[i] = ldexp(d.x[i], exponent[k]);
        const struct found g = solve_hulls(&far, 1);
        assert_int_equal(g.r.verdict, HARD_SEPARABLE);
        assert_true(fabs(ldexp(g.r.lower, -exponent[k]) - f.r.lower) <= 1e-8 * f.r.lower);
        assert_true(fabs(g.b - f.b) <= 1e-6 * (1 + fabs(f.b)));
        t_data_free(&far);
    }
    t_data_free(&d);
}

/* ----- the parts ---------------------------------------------------------------------- */

__extension__ typedef __int128 wide;

static wide whole(struct two a)
{
    return (wide)a.hi + (wide)a.lo;
}

static wide distance(wide a, wide b)
{
    return a < b ? b - a : a - b;
}

/* Sums and products of whole numbers, against whole numbers of 128 bits. */
TEST(numbers_of_32_digits)
{
    struct rng r = rng_seed(1, 1);

    for (int turn = 0; turn < t_cases(10000); turn++) {
        const double a = (double)(rng_u64(&r) >> 11), b = -(double)(rng_u64(&r) >> 11);
        const int64_t n = (int64_t)(rng_u64(&r) >> 4), m = (int64_t)(rng_u64(&r) >> 5);
        const struct two p = { (double)n, (double)(n - (int64_t)(double)n) };
        const struct two q = { (double)m, (double)(m - (int64_t)(double)m) };
        const wide nm = (wide)n * m;

        assert_true(whole(two_sum(a, b)) == (wide)a + (wide)b);
        assert_true(whole(two_product(a, b)) == (wide)a * (wide)b);
        assert_true(whole(two_add(p, q)) == (wide)n + m);
        assert_true(distance(whole(two_mul(p, q)), nm) <= nm >> 100);
        assert_true(distance(whole(two_times(p, b)), (wide)b * n) <= (wide)-b * n >> 100);
        assert_true(distance(whole(two_div(two_product(a, b), two_of(b))), (wide)a) <= 0);
        const struct two s = two_root(p), back = two_mul(s, s);
        assert_true(fabs(two_add(back, two_minus(p)).hi) <= 0x1p-98 * p.hi);
    }
}

static int by_value(const void *a, const void *b)
{
    const struct pick *x = a, *y = b;

    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return x->row < y->row ? -1 : 1;
}

/* The worst rows are those that sorting all of them gives. */
TEST(the_worst_rows)
{
    enum { N = 300 };
    struct rng r = rng_seed(2, 1);
    double value[N];
    bool listed[N];
    const struct problem p = { .n = N };
    const struct margins m = { .p = &p, .value = value };

    for (int turn = 0; turn < 200; turn++) {
        struct pick all[N], got[N];
        const size_t most = 1 + (size_t)rng_below(&r, turn % 2 ? 20 : N);
        size_t n = 0, kept = 0;
        for (size_t i = 0; i < N; i++) {
            value[i] = (double)rng_below(&r, turn % 3 ? 1000000 : 100) - 40;
            listed[i] = rng_below(&r, 5) == 0;
            if (!listed[i] && value[i] < 50) all[n++] = (struct pick){ value[i], i };
        }
        qsort(all, n, sizeof *all, by_value);
        if (n > most) n = most;
        for (size_t i = 0; i < n; i++)
            if (kept == 0 || all[i].value != all[kept - 1].value) all[kept++] = all[i];
        assert_int_equal(margins_worst(&m, listed, 50, most, got), kept);
        for (size_t i = 0; i < kept; i++) assert_int_equal(got[i].row, all[i].row);
    }
}

/* Twice the largest distance from the first row, also where a sparse row leaves out its columns. */
TEST(the_spread_of_sparse_rows)
{
    const double x[] = { 3, 0, 0, 0, 4, 0, 3, 1, 2 }, y[] = { 1, -1, 1 };
    struct t_data d = t_rows(3, 3, x, y);
    struct t_csr csr = t_csr_new(&d);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    double first[3];

    for (int sparse = 0; sparse < 2; sparse++) {
        struct margins m;
        if (sparse) {
            t.block.indices = INDEX_U32;
            t.block.value = csr.value;
            t.block.index = csr.index32;
            t.block.start32 = csr.start32;
        }
        assert_int_equal(margins_open(&m, t_problem_of(&t), 1, NULL), PERC_OK);
        assert_true(margins_spread(&m, 1, first) == 10);
        assert_true(margins_spread(&m, 2, first) == 5);
        margins_close(&m);
    }
    t_problem_free(&t);
    t_csr_free(&csr);
    t_data_free(&d);
}

/* Nothing is said of no rows at all, whose plane is 0. */
TEST(without_rows_nothing_is_known)
{
    struct t_data d = blobs(6, 3, 4, 1);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    struct problem none = *t_problem_of(&t);

    none.n = 0;
    const struct found f = solve_on(&none, 1e-9, NULL);
    assert_int_equal(f.r.verdict, HARD_UNDECIDED);
    assert_true(f.w[0] == 0 && f.w[1] == 0 && f.w[2] == 0 && f.b == 0);
    assert_true(!f.r.solved && f.r.passes == 0);
    t_problem_free(&t);
    t_data_free(&d);
}

/* ----- threads, limits, memory -------------------------------------------------------- */

TEST(threads_change_nothing)
{
    for (int turn = 0; turn < 3; turn++) {
        struct t_data d = blobs(9000, 5, (double[]){ 6, 0.5, 4.2 }[turn], 77);
        struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
        t.p.e.threads = 1;
        const struct found one = solve_on(t_problem_of(&t), 1e-10, NULL);
        assert_int_equal(one.r.verdict, turn == 0 ? HARD_SEPARABLE : one.r.verdict);
        for (int n = 2; n <= 7; n += n < 3 ? 1 : 4) {
            t.p.e.threads = n;
            const struct found many = solve_on(t_problem_of(&t), 1e-10, NULL);
            assert_same(&one, &many, d.cols);
        }
        t_problem_free(&t);
        t_data_free(&d);
    }
}

static bool count_down(void *ud, int64_t passes)
{
    int *left = ud;

    assert_true(passes > 0);
    return (*left)-- > 0;
}

/* Whenever it is stopped, what it says is true, and later it says no less. */
static void assert_stops(const struct t_data *d)
{
    const struct found best = solve(d, true, 1e-10);
    struct t_problem t = t_problem_new(d, true, env_resolve(NULL));
    double lower = -INFINITY, upper = INFINITY;
    bool done = false;
    int n = 0;

    assert_int_equal(best.r.verdict, HARD_SEPARABLE);
    for (; !done; n++) {
        int left = n;
        const struct watch watch = { count_down, &left };
        const struct found f = solve_on(t_problem_of(&t), 1e-10, &watch);
        done = f.r.solved;
        assert_true(done || left == -1); /* after the first no nobody asks */
        assert_true(f.r.lower <= best.r.upper && f.r.upper >= best.r.lower);
        assert_true(f.r.lower >= lower && f.r.upper <= upper);
        lower = f.r.lower;
        upper = f.r.upper;
        assert_true((f.r.verdict == HARD_SEPARABLE) == (f.r.lower > 0));
        assert_true(f.r.verdict != HARD_INSEPARABLE);
        const double m = margin_of(d, &f);
        assert_true(fabs(m - f.r.lower) <= 1e-12 * fabs(m));
        assert_true(n < 1000);
    }
    assert_true(n > 2); /* it was stopped early before */
    const struct hard_options o = { .gap = 1e-10, .passes = 3 };
    struct found f;
    assert_int_equal(hard_solve(&t.p, 1, &o, f.w, &f.b, &f.r, NULL), PERC_OK);
    assert_true(!f.r.solved && f.r.passes <= 3);
    t_problem_free(&t);
}

TEST(stops_when_told)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        const size_t cols = 12 + 8 * (size_t)(seed % 4);
        struct t_data d = blobs(2000, cols, 5.5, seed);
        assert_stops(&d);
        t_data_free(&d);
        const double u[] = { 1, -2, 0.5 };
        d = t_planted(4000, 3, u, 0.3, 0.001, seed);
        assert_stops(&d);
        t_data_free(&d);
    }
}

/* What was asked of the watch, and of whom. */
struct questions {
    struct wolfe *s;       /* whose steps are asked about as often as can be; NULL: nobody's */
    int asked, least;      /* from number `least` on the answer is no */
    int passes;            /* asked between passes */
    bool between;          /* the first no was given there */
    int joining, stepping; /* by s, a point having joined that has no part of x yet; all have one */
};

static bool answer_until(void *ud, int64_t passes)
{
    struct questions *q = ud;
    struct wolfe *s = q->s;

    if (passes > 0) q->passes++;
    else if (s != NULL) {
        size_t parts = 0;
        while (parts < s->k && s->lambda[parts].hi > 0) parts++;
        q->stepping += parts == s->k;
        q->joining += parts < s->k;
    }
    if (s != NULL) s->done = WATCH_WORK;
    if (++q->asked == q->least) q->between = passes > 0;
    return q->asked < q->least;
}

/* Wolfe's method on the rows of d, stopped at question number `least`, if there is one. */
static enum wolfe_end run_wolfe(const struct t_data *d, bool fine, int least, struct questions *q)
{
    const struct env e = env_resolve(NULL);
    const struct watch watch = { answer_until, q };
    struct wolfe s;
    enum wolfe_end end;
    double largest = 0;

    for (size_t i = 0; i < d->rows; i++) {
        double norm2 = 0;
        for (size_t j = 0; j < d->cols; j++) norm2 += d->x[i * d->cols + j] * d->x[i * d->cols + j];
        largest = fmax(largest, norm2);
    }
    wolfe_init(&s, &e, d->cols, largest, 1e-10);
    for (size_t i = 0; i < d->rows; i++) {
        const struct row r = { .value = d->x + i * d->cols,
                               .n = d->cols,
                               .stride = sizeof *d->x,
                               .values = VALUES_F64,
                               .indices = INDEX_DENSE };
        assert_int_equal(wolfe_point(&s, &r, 1, false, i, NULL), PERC_OK);
    }
    *q = (struct questions){ .s = &s, .least = least };
    assert_int_equal(wolfe_start(&s, NULL), PERC_OK);
    if (fine) assert_int_equal(wolfe_refine(&s, NULL), PERC_OK);
    s.done = WATCH_WORK;
    assert_int_equal(wolfe_run(&s, &watch, 7, &end, NULL), PERC_OK);
    wolfe_free(&s);
    return end;
}

/* While points join, and after each step towards their nearest point, and now and then whatever
 * they cost: with thousands of points each takes long. */
TEST(the_watch_is_asked_within_the_steps)
{
    struct t_data d = t_noise(300, 40, T_REAL, 1, 3);

    for (size_t i = 0; i < d.rows; i++) d.x[i * d.cols] += 3;
    for (int fine = 0; fine < 2; fine++) {
        struct questions q;
        assert_int_equal(run_wolfe(&d, fine, INT_MAX, &q), WOLFE_BEST);
        if (!(q.joining > 9 && q.stepping > 9 && q.passes > 0))
            fail_msg("%d, %d, %d", q.joining, q.stepping, q.passes);
        const int all = q.asked;
        for (int least = 1; least <= all; least++) {
            assert_int_equal(run_wolfe(&d, fine, least, &q), WOLFE_STOPPED);
            /* A step may follow a point that joined, but no more. */
            if (q.asked > least + 1) fail_msg("%d: %d", least, q.asked);
        }
    }
    t_data_free(&d);
}

/* A pass over many rows is more than twice WATCH_WORK. Whenever it is stopped, what it says is
 * true. */
TEST(the_watch_is_asked_within_a_pass)
{
    struct t_data d = blobs(40000, 60, 6, 1);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));

    t.p.e.threads = 1;
    for (int hulls = 0; hulls < 2; hulls++) {
        struct questions q = { .least = INT_MAX };
        const struct watch watch = { answer_until, &q };
        const struct hard_options o = {
            .gap = 1e-6, .passes = 1000, .watch = &watch, .hulls = hulls
        };
        struct found best, f;
        assert_int_equal(hard_solve(t_problem_of(&t), 1, &o, best.w, &best.b, &best.r, NULL), 0);
        assert_int_equal(best.r.verdict, HARD_SEPARABLE);
        assert_true(best.r.solved && q.passes > 2);
        assert_true(q.asked - q.passes > 2 * q.passes);
        const int all = q.asked;
        for (int least = 1; least <= all; least += 1 + least / 4) {
            q = (struct questions){ .least = least };
            assert_int_equal(hard_solve(&t.p, 1, &o, f.w, &f.b, &f.r, NULL), 0);
            /* After a no between passes it is asked once more, in the pass for what is returned. */
            if (q.asked != least + q.between) fail_msg("%d: %d", least, q.asked);
            assert_true(f.r.lower <= best.r.upper && f.r.upper >= best.r.lower);
            assert_true(f.r.verdict != HARD_INSEPARABLE);
            if (f.r.verdict != HARD_SEPARABLE) continue;
            long double margin = INFINITY;
            for (size_t i = 0; i < d.rows; i++) margin = fminl(margin, t_margin(&d, i, f.w, f.b));
            assert_true(fabsl(margin - 1) < 1e-9);
        }
    }
    t_problem_free(&t);
    t_data_free(&d);
}

/* The products of the features separate xor, with gamma' = 1: w' is x1*x2 alone. */
TEST(a_map_makes_xor_separable)
{
    static const double x[] = { 1, 1, -1, -1, 1, -1, -1, 1 }, y[] = { 1, 1, -1, -1 };
    struct t_data d = t_rows(4, 2, x, y);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    struct map map = { .degree = 2, .first = 0, .inputs = 2 };

    t.p.map = &map;
    t.p.dims = map_columns(&map, 2);
    const struct found f = solve_on(t_problem_of(&t), 1e-11, NULL);
    assert_int_equal(f.r.verdict, HARD_SEPARABLE);
    assert_true(f.r.lower <= 1 && 1 <= f.r.upper && f.r.upper - f.r.lower <= 1e-10);
    for (uint64_t j = 0; j < t.p.dims; j++) {
        double want = 0;
        struct text name;
        text_init(&name, &t.p.e);
        map_name(&map, j, NULL, NULL, &name);
        if (strcmp(name.s, "x0*x1") == 0) want = 1;
        assert_true(fabs(f.w[j] - want) <= 1e-14);
        text_free(&name);
    }
    t_problem_free(&t);
    t_data_free(&d);
}

TEST(memory_may_run_out)
{
    for (int turn = 0; turn < 5; turn++) {
        struct t_data d = turn < 3 ? blobs(2500, 4, turn == 0 ? 5 : 0.5, 8) : blobs(2, 1, 1e5, 8);
        for (size_t i = 0; turn == 4 && i < d.rows; i++) d.x[i] *= 0x1p700;
        struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
        struct map map = { .degree = 2, .first = 0, .inputs = d.cols };
        const struct hard_options o = { .gap = 1e-12, .passes = 1000 };
        struct found f;
        if (turn == 2) {
            t.p.map = &map;
            t.p.dims = map_columns(&map, d.cols);
        }
        for (struct t_sweep s = { .least = 11, .threads = turn == 2 ? 2 : 1 }; t_sweep_next(&s);) {
            perc_error err = { 0 };
            t.p.e = env_resolve(&s.env);
            const perc_status st = hard_solve(t_problem_of(&t), 1, &o, f.w, &f.b, &f.r, &err);
            assert_int_equal(err.status, st);
            t_sweep_judge(&s, st);
        }
        t.p.e = env_resolve(NULL);
        t_problem_free(&t);
        t_data_free(&d);
    }
}
