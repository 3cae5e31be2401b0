/* test_lp.c -- the promises of src/solve/lp.h: verdicts that are true and agree with those
 * of hard_solve, a t that is the best, and nothing said where nothing is known. */
#include "solve/hard.h"
#include "solve/lp.h"
#include "t.h"
#include "t_alloc.h"
#include "t_cases.h"
#include "t_hull.h"
#include "vec/rng.h"

enum { COLS = 400 };

struct found {
    double w[COLS], b;
    struct lp_result r;
};

static void needs_solver(void)
{
    if (!lp_exists()) skip();
}

static struct found solve_on(const struct problem *p, const struct watch *watch)
{
    const struct lp_options o = { .rounds = 1000, .watch = watch };
    struct found f;

    assert_true(p->dims <= COLS);
    assert_int_equal(lp_solve(p, 1, &o, f.w, &f.b, &f.r, NULL), PERC_OK);
    return f;
}

static struct found solve(const struct t_data *d, bool offset)
{
    struct t_problem t = t_problem_new(d, offset, env_resolve(NULL));
    const struct found f = solve_on(t_problem_of(&t), NULL);

    t_problem_free(&t);
    return f;
}

/* Every row on its side; t and the lower bound are those of w'. */
static void assert_separates(const struct t_data *d, const struct found *f)
{
    long double least = INFINITY, norm2 = (long double)f->b * f->b, largest = fabs(f->b);

    for (size_t i = 0; i < d->rows; i++) least = fminl(least, t_margin(d, i, f->w, f->b));
    for (size_t j = 0; j < d->cols; j++) {
        norm2 += (long double)f->w[j] * f->w[j];
        largest = fmaxl(largest, fabs(f->w[j]));
    }
    assert_true(least > 0);
    assert_true(fabsl(least / sqrtl(norm2) - f->r.lower) <= 1e-9 * f->r.lower);
    if (!(fabsl(least / largest - f->r.t) <= 1e-6 * f->r.t))
        fail_msg("t = %.17g, the rows say %.17Lg", f->r.t, least / largest);
}

/* Nothing is said of no rows at all, whose plane is 0. */
TEST(without_rows_nothing_is_known)
{
    needs_solver();
    struct t_data d = t_noise(6, 2, T_REAL, 1, 1);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    struct problem none = *t_problem_of(&t);

    none.n = 0;
    const struct found f = solve_on(&none, NULL);
    assert_int_equal(f.r.verdict, LP_UNDECIDED);
    assert_true(f.w[0] == 0 && f.w[1] == 0 && f.b == 0 && f.r.rounds == 0);
    t_problem_free(&t);
    t_data_free(&d);
}

/* Whole numbers, where hulls often just touch: all subsets say what is true. */
TEST(verdicts_are_exact_on_small_sets)
{
    needs_solver();
    struct rng r = rng_seed(4, 11);
    int yes = 0, no = 0;

    for (int turn = 0; turn < t_cases(5000); turn++) {
        struct t_data d = t_small_set(&r, 1 + turn % 5);
        const bool offset = turn % 3 != 0;
        const bool want = t_distance2(&d, offset, ~0u).num > 0;
        const struct found f = solve(&d, offset);
        if (f.r.verdict != (want ? LP_SEPARABLE : LP_INSEPARABLE))
            fail_msg("set %d: verdict %d, t = %g", turn, f.r.verdict, f.r.t);
        if (want) assert_separates(&d, &f);
        else assert_true(fabs(f.r.t) <= 1e-6 && f.r.lower <= 0);
        if (!want) assert_in_range(f.r.holders, 1, d.cols + 2);
        if (!want) assert_in_range(f.r.witness, 0, d.rows - 1);
        *(want ? &yes : &no) += 1;
        t_data_free(&d);
    }
    assert_true(yes > t_cases(1000) && no > t_cases(1000));
}

/* In one dimension: the best of y_i (w x_i + b) with |w|, |b| <= 1 by hand. */
TEST(t_is_the_best)
{
    needs_solver();
    static const double line[] = { 2, 5, -1, -4 }, y[] = { 1, 1, -1, -1 };
    static const double square[] = { 1, 1, -1, 1, 1, -1, -1, -1 }, sides[] = { 1, -1, 1, -1 };
    struct t_data d = t_rows(4, 1, line, y), s = t_rows(4, 2, square, sides);
    const struct found f = solve(&d, true), g = solve(&s, true);

    assert_true(fabs(f.r.t - 1.5) <= 1e-9); /* w = 1, b = -1/2 */
    assert_separates(&d, &f);
    assert_true(fabs(g.r.t - 1) <= 1e-9);
    assert_separates(&s, &g);
    t_free(&d, &s);
}

/* More rows than a program begins with, or fewer than columns; both verdicts. */
TEST(agrees_with_the_hard_margin)
{
    needs_solver();
    static const struct {
        size_t rows, cols;
        double apart;
    } kind[] = { { 4000, 3, 7 }, { 4000, 3, 2 }, { 1500, 10, 5 }, { 1500, 10, 1 },
                 { 60, 40, 0 },  { 100, 40, 0 }, { 30, 300, 0 },  { 208, 60, 1 } };
    int yes = 0, no = 0;

    for (size_t k = 0; k < COUNT(kind); k++) {
        struct t_data d = t_data_new(kind[k].rows, kind[k].cols);
        struct rng r = rng_seed(k, 5);
        for (size_t i = 0; i < d.rows; i++) {
            d.y[i] = i % 2 ? 1 : -1;
            for (size_t j = 0; j < d.cols; j++)
                d.x[i * d.cols + j] = rng_normal(&r) + (j == 0 ? kind[k].apart * d.y[i] : 0);
        }
        struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
        const struct found f = solve_on(t_problem_of(&t), NULL);
        const struct hard_options o = { .gap = 1e-6, .passes = 1000 };
        double w[COLS], b;
        struct hard_result hard;
        assert_int_equal(hard_solve(&t.p, 1, &o, w, &b, &hard, NULL), PERC_OK);
        assert_int_equal(f.r.verdict == LP_SEPARABLE, hard.verdict == HARD_SEPARABLE);
        assert_int_equal(f.r.verdict == LP_INSEPARABLE, hard.verdict == HARD_INSEPARABLE);
        assert_true(f.r.lower <= hard.upper);
        assert_true(f.r.rows <= d.rows);
        if (f.r.verdict == LP_SEPARABLE) assert_separates(&d, &f);
        *(f.r.verdict == LP_SEPARABLE ? &yes : &no) += 1;
        t_problem_free(&t);
        t_data_free(&d);
    }
    assert_true(yes >= 3 && no >= 2);
}

/* The ends of what a double holds, and numbers whose squares are none. */
TEST(the_smallest_and_the_largest_numbers)
{
    needs_solver();
    static const double size[] = { 0x1p-1074, 1e-310, 1e-200, 1e-163, 1e200, 1.7e308 };
    static const double y[] = { 1, -1, 1 };

    for (size_t k = 0; k < COUNT(size); k++) {
        const double x[] = { size[k], -size[k], 0 };
        struct t_data d = t_rows(2, 1, x, y), zero = t_rows(3, 1, x, y);
        const struct found f = solve(&d, false), g = solve(&zero, false);
        assert_int_equal(f.r.verdict, LP_SEPARABLE);
        assert_true(fabs(f.r.lower - size[k]) <= 1e-9 * size[k]);
        if (k > 0) assert_true(fabs(f.w[0] - 1) <= 1e-9); /* |w| <= 1 is all that limits it */
        assert_int_equal(g.r.verdict, LP_INSEPARABLE);
        assert_true(g.r.holders == 1 && g.r.witness == 2);
        t_free(&d, &zero);
    }
}

/* The margin is far below what the solver's tolerances see. */
TEST(small_margins)
{
    needs_solver();
    for (double m = 1e-3; m > 1e-13; m /= 10) {
        const double x[] = { 1 + m, 1, 1 - m, -1 }, y[] = { 1, 1, -1, -1 };
        struct t_data d = t_rows(4, 1, x, y);
        const struct found f = solve(&d, true);
        assert_int_equal(f.r.verdict, LP_SEPARABLE);
        assert_true(f.r.lower > 0);
        t_data_free(&d);
    }
}

/* Separable, but by no w' of doubles: neither verdict may be given. */
TEST(says_nothing_where_nothing_is_known)
{
    needs_solver();
    const double x[] = { 1, nextafter(1, 2) }, y[] = { -1, 1 };
    struct t_data d = t_rows(2, 1, x, y);

    assert_int_equal(solve(&d, true).r.verdict, LP_UNDECIDED);
    t_data_free(&d);
}

TEST(a_map_makes_xor_separable)
{
    needs_solver();
    static const double x[] = { 1, 1, -1, -1, 1, -1, -1, 1 }, y[] = { 1, 1, -1, -1 };
    struct t_data d = t_rows(4, 2, x, y);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    struct map map = { .degree = 2, .first = 0, .inputs = 2 };

    assert_int_equal(solve_on(t_problem_of(&t), NULL).r.verdict, LP_INSEPARABLE);
    t.p.map = &map;
    t.p.dims = map_columns(&map, 2);
    const struct found f = solve_on(t_problem_of(&t), NULL);
    assert_int_equal(f.r.verdict, LP_SEPARABLE);
    assert_true(fabs(f.r.t - 1) <= 1e-9);
    t_problem_free(&t);
    t_data_free(&d);
}

static struct t_data noise(size_t rows, size_t cols, double apart)
{
    struct t_data d = t_data_new(rows, cols);
    struct rng r = rng_seed(3, 3);

    for (size_t i = 0; i < rows; i++) {
        d.y[i] = i % 2 ? 1 : -1;
        for (size_t j = 0; j < cols; j++)
            d.x[i * cols + j] = rng_normal(&r) + (j == 0 ? apart * d.y[i] : 0);
    }
    return d;
}

TEST(threads_change_nothing)
{
    needs_solver();
    struct t_data d = noise(9000, 6, 6);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));

    t.p.e.threads = 1;
    const struct found one = solve_on(t_problem_of(&t), NULL);
    t.p.e.threads = 3;
    const struct found three = solve_on(t_problem_of(&t), NULL);
    assert_int_equal(one.r.verdict, LP_SEPARABLE);
    assert_true(one.r.rounds > 1); /* rows were added by passes */
    assert_memory_equal(one.w, three.w, d.cols * sizeof *one.w);
    assert_true(t_same_bits(one.b, three.b) && t_same_bits(one.r.t, three.r.t));
    assert_int_equal(one.r.rounds, three.r.rounds);
    t_problem_free(&t);
    t_data_free(&d);
}

static bool count_down(void *ud, int64_t rounds)
{
    int *left = ud;

    (void)rounds;
    return (*left)-- > 0;
}

/* Stopped early it knows less, and says nothing that is not so. */
TEST(stops_when_told)
{
    needs_solver();
    struct t_data d = noise(9000, 6, 6);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    bool undecided = false;

    for (int n = 0; n < 4; n++) {
        int left = n;
        const struct watch watch = { count_down, &left };
        const struct found f = solve_on(t_problem_of(&t), &watch);
        assert_true(f.r.verdict != LP_INSEPARABLE && f.r.rounds <= n);
        undecided = undecided || f.r.verdict == LP_UNDECIDED;
    }
    assert_true(undecided);
    const struct lp_options o = { .rounds = 1 };
    struct found f;
    assert_int_equal(lp_solve(&t.p, 1, &o, f.w, &f.b, &f.r, NULL), PERC_OK);
    assert_int_equal(f.r.rounds, 1);
    t_problem_free(&t);
    t_data_free(&d);
}

/* Our own memory; Clp's does not come from the hook. */
TEST(memory_may_run_out)
{
    needs_solver();
    for (int turn = 0; turn < 3; turn++) {
        struct t_data d = noise(1500, 4, turn == 0 ? 6 : 0.5);
        struct t_problem t = t_problem_new(&d, turn < 2, env_resolve(NULL));
        const struct lp_options o = { .rounds = 1000 };
        struct found f;
        for (struct t_sweep s = { .least = 11 }; t_sweep_next(&s);) {
            perc_error err = { 0 };
            t.p.e = env_resolve(&s.env);
            const perc_status st = lp_solve(t_problem_of(&t), 1, &o, f.w, &f.b, &f.r, &err);
            assert_int_equal(err.status, st);
            t_sweep_judge(&s, st);
        }
        t.p.e = env_resolve(NULL);
        t_problem_free(&t);
        t_data_free(&d);
    }
}

TEST(says_whether_there_is_a_solver)
{
    struct t_data d = noise(10, 1, 1);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    const struct lp_options o = { .rounds = 10 };
    perc_error err;
    struct found f;

    assert_int_equal(lp_solve(t_problem_of(&t), 1, &o, f.w, &f.b, &f.r, &err),
                     lp_exists() ? PERC_OK : PERC_EARG);
    if (!lp_exists()) assert_non_null(strstr(err.text, "Clp"));
    t_problem_free(&t);
    t_data_free(&d);
}
