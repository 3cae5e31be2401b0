/* test_settle.c -- the answers of decide: every verdict, by every way of finding it.
 *
 * Each problem is decided with the stages switched off in all combinations that make a
 * difference; the answers are checked here, in whole numbers, and must agree. */
#include <math.h>

#include "t.h"
#include "t_alloc.h"
#include "t_settle.h"
#include "vec/rng.h"

static struct env plain(int threads)
{
    struct env e = env_resolve(NULL);

    e.threads = threads;
    return e;
}

static struct separation settled(const struct t_problem *q, bool quick, const struct job_tune *tune)
{
    const struct job_options o = { .quick = quick };
    struct separation a;
    perc_error err = { .text = "" };

    assert_int_equal(decide_tuned(&q->t.p, &q->f, &o, tune, &a, &err), PERC_OK);
    assert_true(t_answer_right(&q->t.p, &a));
    return a;
}

static const struct job_tune ways[] = {
    { .no_float = false },
    { .no_equal = true },
    { .no_equal = true, .no_guess = true },
    { .no_guess = true, .no_peel = true },
    { .no_equal = true, .no_guess = true, .no_peel = true },
    { .no_equal = true, .no_guess = true, .no_peel = true, .no_coarse = true },
    { .no_equal = true, .no_guess = true, .no_coarse = true },
    { .no_float = true },
    { .no_equal = true, .no_float = true },
    { .no_equal = true, .no_face = true },
};
enum { WAYS = COUNT(ways) };

/* The verdict, |S| and rank by all ways, and yes or no by all ways. */
static void expect(const struct t_problem *q, perc_verdict verdict, uint64_t s)
{
    uint64_t rank = 0;

    for (int k = 0; k < WAYS; k++) {
        struct separation a = settled(q, false, &ways[k]);
        assert_int_equal(a.verdict, verdict);
        assert_int_equal(a.s, s);
        assert_int_equal(a.c, q->t.p.n - s);
        if (k == 0) rank = a.rank;
        if (verdict != PERC_SEPARABLE) assert_int_equal(a.rank, rank);
        separation_free(&a);
        a = settled(q, true, &ways[k]);
        assert_int_equal(a.verdict, verdict == PERC_SEPARABLE ? verdict : PERC_INSEPARABLE);
        separation_free(&a);
    }
}

static void expect_text(const char *text, bool offset, perc_verdict verdict, uint64_t s)
{
    struct t_problem q = t_problem_text(text, offset, plain(1));

    expect(&q, verdict, s);
    t_problem_free(&q);
}

TEST(by_hand)
{
    expect_text("-1 1:0 2:0\n-1 2:1\n-1 1:1\n1 1:1 2:1\n", true, PERC_SEPARABLE, 4);  /* and */
    expect_text("-1 1:0 2:0\n1 2:1\n1 1:1\n-1 1:1 2:1\n", true, PERC_OVERLAPPING, 0); /* xor */
    expect_text("1 1:1\n", true, PERC_SEPARABLE, 1);
    expect_text("1 1:1\n", false, PERC_SEPARABLE, 1);
    expect_text("1 1:1\n1 1:-3\n", true, PERC_SEPARABLE, 2); /* one class */
    expect_text("1 1:1\n1 1:-3\n", false, PERC_OVERLAPPING, 0);
    expect_text("-1 1:1\n-1 1:3\n", false, PERC_SEPARABLE, 2);
    expect_text("1 1:0\n", false, PERC_OVERLAPPING, 0); /* a row of zeros */
    expect_text("1 1:0\n1 1:4\n", false, PERC_TOUCHING, 1);
    expect_text("1 1:1\n-1 1:1\n1 1:4\n", true, PERC_TOUCHING, 1); /* equal rows */
    expect_text("1 1:1\n-1 1:1\n1 1:4\n-1 1:3\n", true, PERC_OVERLAPPING, 0);
    expect_text("1 1:1.0\n-1 1:1\n", true, PERC_OVERLAPPING, 0);
    expect_text("1 1:2e0\n-1 1:0.2e1\n1 1:5\n1 1:20e-1\n", true, PERC_TOUCHING, 1);
    expect_text("1 1:1\n1 1:3\n-1 1:2\n", true, PERC_OVERLAPPING, 0); /* collinear */
    expect_text("1 1:1 2:1\n1 1:3 2:3\n-1 1:2 2:2\n1 1:2 2:9\n-1 1:9 2:1\n", true, PERC_TOUCHING,
                2);
    expect_text("1 1:2 \n-1 1:4\n1 1:5\n", false, PERC_OVERLAPPING, 0); /* 2, -4, 5 */
}

/* A chain: each column separates one row more, once those before are gone. */
TEST(cascades)
{
    expect_text("1 1:1 2:5 3:-7\n-1 1:-1 2:9\n1 2:1 3:-4\n-1 2:-1 3:8\n1 3:1\n-1 3:1\n", false,
                PERC_TOUCHING, 4);
    struct t_problem q = t_problem_text("1 1:1 2:-50\n-1 1:-3 2:90\n1 2:1 3:-40\n-1 2:-1\n", false,
                                        plain(1));
    struct separation a = settled(&q, false, &ways[2]);
    assert_string_equal(a.method, "columns of one sign");
    assert_int_equal(a.rejected, 0);
    separation_free(&a);
    t_problem_free(&q);
    expect_text("1 1:1 2:-50\n-1 1:-3 2:90\n1 2:1 3:-40\n-1 2:-1 3:80\n1 3:1\n-1 3:-2\n", false,
                PERC_SEPARABLE, 6);
}

/* What doubles cannot tell apart, decimals do: every proposal is refused, and counted. */
TEST(rounding_misleads)
{
    static const struct {
        const char *text;
        perc_verdict verdict;
        uint64_t s;
    } cases[] = {
        { "1 1:1\n-1 1:0.99999999999999999999999999999999999999999999\n", PERC_SEPARABLE, 2 },
        { "1 1:0.1\n-1 1:0.1000000000000000000000000000000000000000001\n"
          "1 1:0.1000000000000000000000000000000000000000002\n",
          PERC_OVERLAPPING, 0 },
        { "1 1:1e-400\n-1 1:-1e-400\n", PERC_SEPARABLE, 2 },
        { "1 1:1e-400\n-1 1:1e-400\n1 1:3e-400\n", PERC_TOUCHING, 1 },
        { "1 1:1e-320 2:1e-323\n-1 1:-1e-320\n1 2:5e-324\n-1 2:-4.99e-324\n", PERC_SEPARABLE, 4 },
    };

    for (size_t k = 0; k < COUNT(cases); k++) {
        struct t_problem q = t_problem_text(cases[k].text, true, plain(1));
        expect(&q, cases[k].verdict, cases[k].s);
        t_problem_free(&q);
    }
    struct t_problem q = t_problem_text(cases[0].text, true, plain(1));
    struct separation a = settled(&q, false, &ways[0]);
    assert_true(a.rejected > 0);
    assert_true(a.pivots > 0);
    assert_string_equal(a.method, "exact simplex");
    separation_free(&a);
    t_problem_free(&q);
}

/* Numbers from 1e-300 to 1e300: the squares are no doubles. */
TEST(large_and_small)
{
    expect_text("1 1:1e300 2:1e-300\n-1 1:-1e300 2:1e-300\n1 1:1e300 2:-1e-300\n", true,
                PERC_SEPARABLE, 3);
    expect_text("1 1:1e300\n-1 1:-1e300\n1 1:-2e300\n-1 1:3e300\n", true, PERC_OVERLAPPING, 0);
    expect_text("1 1:1e200 2:1\n-1 1:1e200 2:1\n1 1:1e-200 2:7\n", true, PERC_TOUCHING, 1);
    expect_text("1 1:1e-310\n-1 1:0\n1 1:-1e-310\n", true, PERC_OVERLAPPING, 0);
}

/* Short and readable where it costs nothing. */
TEST(answers_are_short)
{
    struct t_problem q = t_problem_text("-1 1:0 2:0\n-1 2:1\n-1 1:1\n1 1:1 2:1\n", true, plain(1));
    struct separation a = settled(&q, false, &ways[2]);

    assert_int_equal(mpz_get_si(a.w[1]), 2);
    assert_int_equal(mpz_get_si(a.w[2]), 2);
    assert_int_equal(mpz_get_si(a.w[3]), -3);
    separation_free(&a);
    t_problem_free(&q);
    q = t_problem_text("-1 1:0 2:0\n1 2:1\n1 1:1\n-1 1:1 2:1\n", true, plain(1));
    a = settled(&q, false, &ways[0]);
    assert_int_equal(a.no.n, 4);
    for (int k = 0; k < 4; k++) assert_int_equal(mpz_get_si(a.no.value[k]), 1);
    separation_free(&a);
    t_problem_free(&q);
    /* Of many equal pairs the first one, with the weights 1 and 1. */
    q = t_problem_text("1 1:9\n1 1:4\n-1 1:3\n-1 1:4.0\n-1 1:9\n", true, plain(1));
    a = settled(&q, true, &ways[0]);
    assert_string_equal(a.method, "equal rows");
    assert_int_equal(a.no.n, 2);
    assert_int_equal(a.no.row[0], 1);
    assert_int_equal(a.no.row[1], 3);
    for (int k = 0; k < 2; k++) assert_int_equal(mpz_get_si(a.no.value[k]), 1);
    separation_free(&a);
    t_problem_free(&q);
}

TEST(no_rows)
{
    struct t_problem q = t_problem_text("1 1:1\n-1 1:2\n", true, plain(1));

    q.t.p.n = q.f.n = 0;
    for (int k = 0; k < WAYS; k++) {
        struct separation a = settled(&q, false, &ways[k]);
        assert_int_equal(a.verdict, PERC_SEPARABLE);
        separation_free(&a);
    }
    t_problem_free(&q);
}

/* ----- random problems ---------------------------------------------------------------------- */

/* Few different numbers: copies, collinear rows and ties of all kinds. */
TEST(random_small)
{
    static const perc_verdict verdict[] = { PERC_SEPARABLE, PERC_TOUCHING, PERC_OVERLAPPING };
    struct rng r = rng_seed(77, 0);
    int seen[3] = { 0, 0, 0 };

    for (int turn = 0; turn < 300; turn++) {
        struct t_small d = { .rows = 2 + rng_below(&r, 10), .cols = 1 + rng_below(&r, 4) };
        const uint64_t span = 1 + rng_below(&r, 4);
        const bool offset = rng_below(&r, 3) > 0;
        for (size_t i = 0; i < d.rows; i++) {
            int along = 0;
            for (size_t j = 0; j < d.cols; j++) {
                d.x[i][j] = (int)rng_below(&r, 2 * span + 1) - (int)span;
                along += d.x[i][j];
            }
            /* Mostly by a plane, so that all verdicts are frequent. */
            d.y[i] = along != 0 && rng_below(&r, 8) > 0 ? along > 0 ? 1 : -1
                     : rng_below(&r, 2)                 ? 1
                                                        : -1;
        }
        struct t_brute b = t_brute_of(&d, offset);
        t_brute_solve(&b);
        struct t_problem q = t_problem_data(t_small_data(&d), offset, plain(1));
        expect(&q, verdict[b.side], b.strict);
        seen[b.side]++;
        t_problem_free(&q);
    }
    for (int k = 0; k < 3; k++) assert_true(seen[k] > 30);
}

/* Rows of which some are in a common plane, with `noise` of their labels random. */
static struct t_data touching_data(size_t rows, size_t cols, uint64_t seed)
{
    struct rng r = rng_seed(seed, 3);
    struct t_data d = t_data_new(rows, cols);

    for (size_t i = 0; i < rows; i++) {
        const bool inside = rng_below(&r, 2) > 0;
        for (size_t j = 0; j < cols; j++) d.x[i * cols + j] = (double)rng_below(&r, 19) - 9;
        double *last = &d.x[i * cols + cols - 1];
        if (inside) {
            *last = d.x[i * cols];
            d.y[i] = rng_below(&r, 2) ? 1 : -1;
        } else {
            if (*last == d.x[i * cols]) *last += 1;
            d.y[i] = *last > d.x[i * cols] ? 1 : -1;
        }
    }
    return d;
}

TEST(larger_ones)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct t_data d = touching_data(150, 5, seed);
        uint64_t s = 0;
        for (size_t i = 0; i < d.rows; i++) s += d.x[i * 5 + 4] != d.x[i * 5];
        struct t_problem q = t_problem_data(d, true, plain(1));
        expect(&q, PERC_TOUCHING, s);
        t_problem_free(&q);
        q = t_problem_data(t_noise(120, 4, seed % 2 ? T_REAL : T_WHOLE, 1, seed), true, plain(1));
        expect(&q, PERC_OVERLAPPING, 0);
        t_problem_free(&q);
        const double u[] = { 1, -2, 3, 0.5 };
        q = t_problem_data(t_planted(120, 4, u, 0.1, 1e-3, seed), true, plain(1));
        expect(&q, PERC_SEPARABLE, 120);
        t_problem_free(&q);
    }
}

/* Rows that are nearly parallel: numbers like 480 +- 5. All verdicts. */
TEST(far_from_zero)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        const double u[] = { 1, -2, 3, 0.5 };
        struct t_data d = seed % 3 == 0   ? t_noise(80, 4, T_WHOLE, 1, seed)
                          : seed % 3 == 1 ? t_planted(80, 4, u, 0.1, 1e-3, seed)
                                          : touching_data(80, 4, seed);
        uint64_t s = seed % 3 == 0 ? 0 : 80;
        if (seed % 3 == 2) {
            s = 0;
            for (size_t i = 0; i < 80; i++) s += d.x[i * 4 + 3] != d.x[i * 4];
        }
        for (size_t i = 0; i < 80 * 4; i++) d.x[i] = 480 + round(d.x[i] * 512) / 1024;
        struct t_problem q = t_problem_data(d, true, plain(1));
        expect(&q, s == 80 ? PERC_SEPARABLE : s > 0 ? PERC_TOUCHING : PERC_OVERLAPPING, s);
        struct separation a = settled(&q, false, &ways[2]); /* doubles are good enough for these */
        assert_string_equal(a.method, "nearest point");
        assert_int_equal(a.pivots, 0);
        separation_free(&a);
        t_problem_free(&q);
    }
}

/* More columns than rows. */
TEST(wide)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct t_data d = t_noise(30, 80, T_REAL, 0.5, seed);
        struct t_problem q = t_problem_data(d, seed % 2 == 0, plain(1));
        expect(&q, PERC_SEPARABLE, 30);
        t_problem_free(&q);
        d = t_noise(30, 80, T_WHOLE, 0.5, seed); /* two equal rows */
        memcpy(d.x, d.x + 80, 80 * sizeof *d.x);
        d.y[0] = 1;
        d.y[1] = -1;
        q = t_problem_data(d, true, plain(1));
        expect(&q, PERC_TOUCHING, 28);
        t_problem_free(&q);
    }
}

/* ----- threads, limits, memory --------------------------------------------------------------- */

static void expect_same(const struct separation *a, const struct separation *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->rejected, b->rejected);
    assert_int_equal(a->exact_rows, b->exact_rows);
    assert_int_equal(a->pivots, b->pivots);
    assert_int_equal(a->rounds, b->rounds);
    assert_int_equal(a->w != NULL, b->w != NULL);
    for (uint64_t c = 0; a->w != NULL && c < a->dims; c++)
        assert_int_equal(mpz_cmp(a->w[c], b->w[c]), 0);
    assert_int_equal(a->all.n, b->all.n);
    assert_int_equal(a->no.n, b->no.n);
    for (size_t k = 0; k < a->no.n; k++) {
        assert_int_equal(a->no.row[k], b->no.row[k]);
        assert_int_equal(mpz_cmp(a->no.value[k], b->no.value[k]), 0);
    }
    for (size_t k = 0; k < a->all.n; k++) {
        assert_int_equal(a->all.row[k], b->all.row[k]);
        assert_int_equal(mpz_cmp(a->all.value[k], b->all.value[k]), 0);
    }
}

TEST(same_on_threads)
{
    for (int kind = 0; kind < 3; kind++) {
        const double u[] = { 1, -2, 3, 0.5 };
        struct t_data d = kind == 0   ? t_noise(6000, 4, T_REAL, 1, 5)
                          : kind == 1 ? touching_data(6000, 4, 5)
                                      : t_planted(6000, 4, u, 0.1, 1e-4, 5);
        struct t_problem q = t_problem_data(d, true, plain(1));
        for (int k = 0; k < 3; k++) {
            t_problem_env(&q, plain(1));
            struct separation one = settled(&q, false, &ways[k]);
            for (int threads = 2; threads <= 8; threads *= 4) {
                t_problem_env(&q, plain(threads));
                struct separation many = settled(&q, false, &ways[k]);
                expect_same(&one, &many);
                separation_free(&many);
            }
            separation_free(&one);
        }
        t_problem_env(&q, plain(1));
        t_problem_free(&q);
    }
}

static bool countdown(void *ud, int64_t passes)
{
    int *left = ud;

    (void)passes;
    return (*left)-- > 0;
}

/* Whenever it is stopped: what it says then is right, if it is not "undecided". */
TEST(stops_when_told)
{
    struct t_problem q = t_problem_data(touching_data(200, 5, 9), true, plain(1));
    int undecided = 0, plain_no = 0, touching = 0;

    for (int k = 0; k < WAYS; k++)
        for (int turn = 0; turn < 400; turn += turn < 20 ? 1 : 7) {
            int left = turn;
            const struct watch watch = { countdown, &left };
            const struct job_options o = { .watch = &watch };
            struct separation a;
            assert_int_equal(decide_tuned(&q.t.p, &q.f, &o, &ways[k], &a, NULL), PERC_OK);
            if (a.verdict != PERC_UNDECIDED) assert_true(t_answer_right(&q.t.p, &a));
            undecided += a.verdict == PERC_UNDECIDED;
            plain_no += a.verdict == PERC_INSEPARABLE;
            touching += a.verdict == PERC_TOUCHING;
            separation_free(&a);
        }
    assert_true(undecided > 5 && plain_no > 5 && touching > 5);
    const struct job_options late = { .until = clock_seconds() / 2 };
    struct separation a;
    assert_int_equal(decide(&q.t.p, &q.f, &late, &a, NULL), PERC_OK);
    assert_int_equal(a.verdict, PERC_UNDECIDED);
    separation_free(&a);
    t_problem_free(&q);
}

/* Nothing is believed: weights that do not add up to 0, or are negative, are no proof. */
TEST(wrong_weights_are_rejected)
{
    struct t_problem q = t_problem_text("1 1:1\n-1 1:2\n1 1:3\n", true, plain(1));
    const struct job_options o = { .quick = false };
    const struct {
        long x[3];
        bool good;
    } cases[] = { { { 1, 2, 1 }, true }, { { 1, 1, 1 }, false }, { { 0, 1, 1 }, false } };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const uint64_t row[] = { 0, 1, 2 };
        struct separation a;
        struct job j = { .exact = &q.t.p, .floats = &q.f, .o = &o, .found = &a };
        mpz_t x[3];
        bool good;
        separation_init(&a, &q.t.p.e);
        for (size_t k = 0; k < 3; k++) mpz_init_set_si(x[k], cases[i].x[k]);
        assert_int_equal(job_try_no(&j, 3, row, (const mpz_t *)x, "by hand", &good, NULL), PERC_OK);
        assert_int_equal(good, cases[i].good);
        assert_int_equal(a.verdict, good ? PERC_INSEPARABLE : PERC_UNDECIDED);
        assert_int_equal(a.rejected, good ? 0 : 1);
        assert_int_equal(a.no.n, good ? 3 : 0);
        for (size_t k = 0; k < 3; k++) mpz_clear(x[k]);
        separation_free(&a);
    }
    t_problem_free(&q);
}

/* A system that takes longer than there is time for is not begun. */
TEST(no_time_for_a_system)
{
    struct t_problem q = t_problem_text("1 1:1\n-1 1:2\n", true, plain(1));
    struct exact_basis *b;
    bool joined, time;

    assert_int_equal(exact_basis_new(&q.t.p, &b, NULL), PERC_OK);
    assert_int_equal(exact_basis_offer(b, 0, &joined, NULL), PERC_OK);
    /* The clock begins when the machine does: an hour ago there may have been none. */
    const double until[] = { clock_seconds() / 2, 0, clock_seconds() + 3600 };
    for (size_t k = 0; k < COUNT(until); k++) {
        const struct job_options o = { .until = until[k] };
        const struct job j = { .exact = &q.t.p, .o = &o };
        assert_int_equal(job_has_time(&j, b, &time, NULL), PERC_OK);
        assert_int_equal(time, k > 0);
    }
    exact_basis_free(b);
    t_problem_free(&q);
}

/* Each call for memory fails once, in each way. */
TEST(no_memory)
{
    static const char *const texts[] = {
        "-1 1:0 2:0\n-1 2:1\n-1 1:1\n1 1:1 2:1\n",
        "1 1:1 2:1\n1 1:3 2:3\n-1 1:2 2:2\n1 1:2 2:9\n-1 1:9 2:1\n",
        "1 1:1\n-1 1:0.99999999999999999999999999999999999999999999\n",
        "1 1:1 2:5 3:-7\n-1 1:-1 2:9\n1 2:1 3:-4\n-1 2:-1 3:8\n1 3:1\n-1 3:1\n",
    };

    for (size_t t = 0; t < COUNT(texts); t++)
        for (int k = 0; k < WAYS; k++) {
            struct t_problem q = t_problem_text(texts[t], true, plain(1));
            const struct job_options o = { .quick = false };
            for (struct t_sweep s = { .survives = true }; t_sweep_next(&s);) {
                struct separation a;
                perc_error err;
                t_problem_env(&q, env_resolve(&s.env));
                const perc_status st = decide_tuned(&q.t.p, &q.f, &o, &ways[k], &a, &err);
                struct whole own = q.t.p; /* the check has memory */
                own.e = plain(1);
                if (!st) assert_true(t_answer_right(&own, &a));
                separation_free(&a);
                t_sweep_judge(&s, st);
            }
            t_problem_env(&q, plain(1));
            t_problem_free(&q);
        }
}
