/* test_side.c -- sides and weights are proofs, whatever the numbers are like. */
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

/* All sides of w by the library and by hand. */
static void expect_sides(struct t_problem *q, mpz_t *w)
{
    const struct whole *p = &q->t.p;
    struct row_signs s = { .sign = malloc(p->n + 1) };
    struct whole_vector v;
    perc_error err;

    whole_vector_init(&v, &p->e);
    assert_int_equal(row_signs(p, &q->f, (const mpz_t *)w, -1, &s, &err), PERC_OK);
    assert_int_equal(s.first, p->n);
    for (uint64_t i = 0; i < p->n; i++) assert_int_equal(s.sign[i], t_whole_sign(p, &v, i, w));
    for (int least = 0; least < 2; least++) {
        uint64_t below = 0;
        assert_int_equal(row_signs(p, &q->f, (const mpz_t *)w, least, &s, &err), PERC_OK);
        for (uint64_t i = 0; i < p->n; i++) below += t_whole_sign(p, &v, i, w) < least;
        assert_true(below > 0 ? s.first < p->n : s.first == p->n);
        if (below > 0) assert_true(t_whole_sign(p, &v, s.first, w) < least);
    }
    whole_vector_free(&v);
    free(s.sign);
}

static mpz_t *numbers(const struct t_problem *q)
{
    const struct env e = plain(1);

    return whole_numbers(&e, q->t.p.dims);
}

static void done(struct t_problem *q, mpz_t *w)
{
    const struct env e = plain(1);

    whole_numbers_free(&e, w, q->t.p.dims);
    t_problem_free(q);
}

static void set_random(mpz_t x, struct rng *r, unsigned bits)
{
    mpz_set_ui(x, 0);
    for (unsigned k = 0; k < bits; k += 32) {
        mpz_mul_2exp(x, x, 32);
        mpz_add_ui(x, x, rng_u64(r) >> 32);
    }
    mpz_tdiv_q_2exp(x, x, 32 * ((bits + 31) / 32) - bits);
    if (rng_below(r, 2)) mpz_neg(x, x);
}

TEST(random_planes)
{
    static const unsigned bits[] = { 2, 8, 40, 62, 64, 200, 1500 };
    struct rng r = rng_seed(5, 0);

    for (int turn = 0; turn < 42; turn++) {
        const enum t_kind kind = turn % 2 ? T_REAL : T_WHOLE;
        struct t_problem q = t_problem_data(
            t_noise(60, 1 + (size_t)turn % 9, kind, 0.7, (uint64_t)turn), turn % 3 != 0, plain(2));
        mpz_t *w = numbers(&q);
        for (uint64_t c = 0; c < q.t.p.dims; c++) set_random(w[c], &r, bits[turn % 7]);
        expect_sides(&q, w);
        done(&q, w);
    }
}

/* Numbers of w that differ by 2^1000 and more: none of them may be lost. */
TEST(wide_planes)
{
    struct t_problem q = t_problem_text("1 1:1 2:5\n-1 1:1 2:5\n1 2:-1\n-1 2:3\n1 1:0 2:0\n"
                                        "1 1:1e-290 2:1e300\n",
                                        false, plain(1));
    mpz_t *w = numbers(&q);

    mpz_set_ui(w[1], 1);
    mpz_mul_2exp(w[1], w[1], 5000);
    for (int sign = -1; sign < 2; sign++) {
        mpz_set_si(w[2], sign);
        expect_sides(&q, w);
    }
    /* 1e300 2^-1080 is above 1e-290; the filter may not take 2^-1080 for 0. */
    mpz_set_ui(w[1], 1);
    mpz_mul_2exp(w[1], w[1], 1080);
    mpz_set_si(w[2], -1);
    expect_sides(&q, w);
    done(&q, w);
}

/* 0.1 + 0.2 - 0.3 is 0, and one unit of the 20th digit decides. */
TEST(decimals_count)
{
    struct t_problem q = t_problem_text("1 1:0.1 2:0.2 3:-0.3\n"
                                        "1 1:0.1 2:0.2 3:-0.30000000000000000001\n"
                                        "1 1:0.1 2:0.2 3:-0.29999999999999999999\n"
                                        "-1 1:0.1 2:0.2 3:-0.29999999999999999999\n"
                                        "1 1:0.10 2:0.200 3:-3e-1\n",
                                        false, plain(1));
    const struct whole *p = &q.t.p;
    struct row_signs s = { .sign = malloc(p->n) };
    mpz_t *w = numbers(&q);

    for (uint64_t c = 1; c < p->dims; c++) mpz_set_ui(w[c], 1);
    expect_sides(&q, w);
    assert_int_equal(row_signs(p, &q.f, (const mpz_t *)w, -1, &s, NULL), PERC_OK);
    static const int want[] = { 0, -1, 1, -1, 0 };
    for (int i = 0; i < 5; i++) assert_int_equal(s.sign[i], want[i]);
    assert_int_equal(s.exact, 5);
    free(s.sign);
    done(&q, w);
}

/* Numbers that are 0 as doubles, subnormal, or as large as doubles go. */
TEST(extreme_numbers)
{
    struct t_problem q = t_problem_text("1 1:1e-400\n-1 1:1e-400 2:1e-320\n1 2:5e-324 3:-5e-324\n"
                                        "1 2:4.9e-324 3:-5e-324\n1 1:1e308 2:1.7e308 3:-1e308\n"
                                        "-1 1:1e308 2:1.7e308 3:1.5e308\n1 2:-1e-310 3:1e-310\n",
                                        false, plain(1));
    struct rng r = rng_seed(6, 0);
    mpz_t *w = numbers(&q);

    for (int turn = 0; turn < 200; turn++) {
        for (uint64_t c = 0; c < q.t.p.dims; c++) set_random(w[c], &r, turn % 2 ? 3 : 90);
        expect_sides(&q, w);
    }
    done(&q, w);
}

/* The first row below `least` is the same for any number of threads, and so is the count. */
TEST(threads_agree)
{
    struct t_data d = t_noise(9000, 3, T_WHOLE, 1, 11);
    struct t_problem q = t_problem_data(d, true, plain(1));
    struct row_signs one = { .sign = malloc(9000) }, many = { .sign = malloc(9000) };
    mpz_t *w = numbers(&q);

    for (int turn = 0; turn < 6; turn++) {
        const int least = turn % 3 - 1;
        for (uint64_t c = 0; c < 4; c++) mpz_set_si(w[c], (long)c - turn);
        for (uint64_t i = 0; i < 9000; i++) q.t.sign[i] = turn > 2 ? d.y[i] > 0 ? 1 : -1 : 1;
        if (turn > 2) mpz_set_ui(w[3], 40);
        t_problem_env(&q, plain(1));
        assert_int_equal(row_signs(&q.t.p, &q.f, (const mpz_t *)w, least, &one, NULL), PERC_OK);
        for (int threads = 2; threads <= 8; threads += 3) {
            t_problem_env(&q, plain(threads));
            assert_int_equal(row_signs(&q.t.p, &q.f, (const mpz_t *)w, least, &many, NULL),
                             PERC_OK);
            assert_int_equal(one.first, many.first);
            assert_int_equal(one.exact, many.exact);
            if (one.first == 9000) assert_memory_equal(one.sign, many.sign, 9000);
        }
    }
    free(one.sign);
    free(many.sign);
    done(&q, w);
}

TEST(no_memory)
{
    struct t_problem q = t_problem_data(t_noise(3000, 4, T_WHOLE, 1, 12), true, plain(1));
    struct row_signs s = { .sign = malloc(3000) };
    mpz_t *w = numbers(&q);

    for (struct t_sweep sweep = { .least = 5, .threads = 2 }; t_sweep_next(&sweep);) {
        t_problem_env(&q, env_resolve(&sweep.env));
        const perc_status st = row_signs(&q.t.p, &q.f, (const mpz_t *)w, -1, &s, NULL);
        t_sweep_judge(&sweep, st);
    }
    t_problem_env(&q, plain(1));
    free(s.sign);
    done(&q, w);
}

/* ----- weights ------------------------------------------------------------------------------ */

static bool right(const struct t_problem *q, size_t n, const uint64_t *row, const long *value,
                  long others, const unsigned char *strict)
{
    const struct env e = plain(1);
    struct weights l = { .n = n, .value = whole_numbers(&e, n) };
    bool is = !n;

    l.row = mem_array(&e, n, sizeof *l.row);
    mpz_init_set_si(l.others, others);
    for (size_t k = 0; k < n; k++) {
        l.row[k] = row[k];
        mpz_set_si(l.value[k], value[k]);
    }
    assert_int_equal(weights_check(&q->t.p, &l, strict, &is, NULL), PERC_OK);
    weights_free(&e, &l);
    return is;
}

TEST(weights_are_checked)
{
    /* Powers of ten differ: 0.5 + 0.25 + 0.25 = 1. */
    struct t_problem q = t_problem_text("1 1:1\n-1 1:0.5\n-1 1:0.25\n-1 1:2.5e-1\n1 1:7\n", false,
                                        plain(1));
    const uint64_t pair[] = { 0, 1 }, back[] = { 1, 0 }, twice[] = { 0, 0, 1 }, far[] = { 0, 5 };
    const unsigned char strict[] = { 0, 0, 0, 0, 1 };

    assert_true(right(&q, 2, pair, (const long[]){ 1, 2 }, 0, NULL));
    assert_false(right(&q, 2, pair, (const long[]){ 1, 3 }, 0, NULL));
    assert_false(right(&q, 2, pair, (const long[]){ 0, 0 }, 0, NULL));
    assert_false(right(&q, 2, pair, (const long[]){ -1, -2 }, 0, NULL));
    assert_false(right(&q, 2, back, (const long[]){ 2, 1 }, 0, NULL));
    assert_false(right(&q, 3, twice, (const long[]){ 1, 1, 4 }, 0, NULL));
    assert_false(right(&q, 2, far, (const long[]){ 1, 2 }, 0, NULL));
    assert_false(right(&q, 0, NULL, NULL, 0, NULL));
    assert_true(right(&q, 0, NULL, NULL, 1, strict));
    assert_true(right(&q, 0, NULL, NULL, 3, strict));
    assert_false(right(&q, 0, NULL, NULL, 1, NULL));
    assert_false(right(&q, 0, NULL, NULL, -1, strict));
    assert_true(right(&q, 2, pair, (const long[]){ 5, 6 }, 4, strict));
    assert_false(right(&q, 2, pair, (const long[]){ 5, 6 }, 3, strict));
    assert_false(right(&q, 1, (const uint64_t[]){ 4 }, (const long[]){ 1 }, 1, strict));
    t_problem_free(&q);
}

/* More powers of ten than are collected, and numbers of more than 64 bits. */
TEST(many_powers)
{
    char text[8000];
    int at = 0;

    for (int k = 0; k < 60; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%d 1:1e%d\n%d 1:1e%d 2:%s\n",
                       k % 2 ? 1 : -1, k - 30, k % 2 ? -1 : 1, k - 30,
                       k == 59   ? "1e-30"
                       : k == 58 ? "1e-30"
                                 : "0");
    struct t_problem q = t_problem_text(text, false, plain(1));
    assert_true(right(&q, 0, NULL, NULL, 1, NULL));
    q.t.sign[119] = (signed char)-q.t.sign[119];
    assert_false(right(&q, 0, NULL, NULL, 1, NULL));
    t_problem_free(&q);
}
