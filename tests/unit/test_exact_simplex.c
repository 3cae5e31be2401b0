/* test_exact_simplex.c -- the promises of src/solve/exact_simplex.h, on small problems
 * against a search over all circuits, and on larger ones by their certificates. */
#include <math.h>

#include "solve/exact_simplex.h"
#include "t.h"
#include "t_alloc.h"
#include "t_whole.h"
#include "vec/rng.h"

/* ----- the search itself ------------------------------------------------------------------ */

static void expect_side(size_t rows, size_t cols, const int *x, const int *y, bool offset,
                        enum t_side side, size_t strict)
{
    struct t_small d = { .rows = rows, .cols = cols };

    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) d.x[i][j] = x[i * cols + j];
        d.y[i] = y[i];
    }
    struct t_brute b = t_brute_of(&d, offset);
    t_brute_solve(&b);
    assert_int_equal(b.side, side);
    assert_int_equal(b.strict, strict);
}

TEST(the_search_knows_hand_cases)
{
    static const int square[] = { 0, 0, 0, 1, 1, 0, 1, 1 };
    static const int and_y[] = { -1, -1, -1, 1 }, or_y[] = { -1, 1, 1, 1 };
    static const int xor_y[] = { -1, 1, 1, -1 }, one_y[] = { 1, 1, 1, 1 };
    static const int line[] = { 1, 2, 3 }, inner_y[] = { 1, -1, 1 }, outer_y[] = { 1, 1, -1 };
    static const int twice[] = { 1, 1, 4 }, twice_y[] = { 1, -1, 1 };
    static const int cross[] = { 0, 0, 2, 0, 1, 0, 1, 5, 7, -3 };
    static const int cross_y[] = { 1, 1, -1, -1, 1 };

    expect_side(4, 2, square, and_y, true, T_SEPARABLE, 4);
    expect_side(4, 2, square, or_y, true, T_SEPARABLE, 4);
    expect_side(4, 2, square, xor_y, true, T_OVERLAPPING, 0);
    expect_side(4, 2, square, one_y, true, T_SEPARABLE, 4);
    /* Without an offset a row of zeros is on every plane. */
    expect_side(4, 2, square, and_y, false, T_OVERLAPPING, 0);
    expect_side(4, 2, square, or_y, false, T_TOUCHING, 3);
    expect_side(3, 1, line, inner_y, true, T_OVERLAPPING, 0);
    expect_side(3, 1, line, outer_y, true, T_SEPARABLE, 3);
    expect_side(2, 1, twice, twice_y, true, T_OVERLAPPING, 0);
    expect_side(3, 1, twice, twice_y, true, T_TOUCHING, 1);
    /* Three on the axis overlap; one above and one below are on their sides of it. */
    expect_side(5, 2, cross, cross_y, true, T_TOUCHING, 2);
}

/* ----- certificates ------------------------------------------------------------------------- */

/* Rows that are not free are one more than their rank, what free rows span not counted. */
static void check_few(const struct t_brute *b, const unsigned char *kinds,
                      const struct simplex_result *r)
{
    bool free_rows[BRUTE_ROWS], both[BRUTE_ROWS];
    size_t new_rows = 0;

    for (size_t i = 0; i < b->n; i++) both[i] = free_rows[i] = kinds != NULL && kinds[i] == 1;
    for (size_t k = 0; k < r->rows; k++) {
        new_rows += !free_rows[r->row[k]];
        both[r->row[k]] = true;
    }
    assert_int_equal(new_rows, t_brute_rank(b, both) - t_brute_rank(b, free_rows) + 1);
}

/* sum x_k a_k = 0, with signs, in the matrix of the test. */
static void check_zero(const struct t_brute *b, const struct whole *p, const unsigned char *kinds,
                       const struct simplex_result *r)
{
    struct whole_vector v;
    mpz_t sum, f, g;
    bool one = false;

    mpz_inits(sum, f, g, NULL);
    whole_vector_init(&v, &p->e);
    assert_true(r->rows >= 1 && r->rows <= b->dims + 1);
    for (size_t j = 0; j < b->dims; j++) {
        mpz_set_ui(sum, 0);
        for (size_t k = 0; k < r->rows; k++) {
            assert_int_equal(whole_row(p, r->row[k], &v, NULL), PERC_OK);
            assert_true(v.exponent <= 0 || v.exponent < 9); /* 10, 20 is 1, 2 times 10 */
            mpz_ui_pow_ui(f, 10, (unsigned long)(9 - v.exponent));
            mpz_mul(f, f, r->x[k]);
            mpz_mul_si(f, f, b->a[r->row[k]][j]);
            mpz_add(sum, sum, f);
        }
        assert_int_equal(mpz_sgn(sum), 0);
    }
    for (size_t k = 0; k < r->rows; k++) {
        const int kind = kinds != NULL ? kinds[r->row[k]] : 0;
        assert_true(kind == 1 ? mpz_sgn(r->x[k]) != 0 : kind == 0 && mpz_sgn(r->x[k]) > 0);
        one |= kind == 0;
        if (k > 0) assert_true(r->row[k] > r->row[k - 1]);
        mpz_gcd(g, g, r->x[k]);
    }
    assert_true(one && mpz_cmp_ui(g, 1) == 0);
    check_few(b, kinds, r);
    assert_null(r->w);
    whole_vector_free(&v);
    mpz_clears(sum, f, g, NULL);
}

static void check_positive(const struct t_brute *b, const unsigned char *kinds,
                           const struct simplex_result *r)
{
    mpz_t x;

    mpz_init(x);
    assert_int_equal(r->dims, b->dims);
    for (size_t i = 0; i < b->n; i++) {
        const int kind = kinds != NULL ? kinds[i] : 0;
        t_brute_dot(b, i, r->w, x);
        if (kind == 0) assert_true(mpz_sgn(x) > 0);
        if (kind == 1) assert_int_equal(mpz_sgn(x), 0);
    }
    assert_int_equal(r->rows, 0);
    mpz_clear(x);
}

/* What the search says of rows of which some are free (they count with both signs) or do
 * not count: true: 0 is in the hull. */
static bool zero_by_search(const struct t_brute *b, const unsigned char *kinds)
{
    struct t_brute all = { .dims = b->dims };
    size_t from[BRUTE_ROWS];

    for (size_t i = 0; i < b->n; i++) {
        const int kind = kinds != NULL ? kinds[i] : 0;
        for (int sign = 1; sign >= -1 && kind != 2; sign -= 2) {
            if (sign < 0 && kind == 0) break;
            assert_true(all.n < BRUTE_ROWS);
            for (size_t j = 0; j < b->dims; j++) all.a[all.n][j] = sign * b->a[i][j];
            from[all.n++] = i;
        }
    }
    t_brute_solve(&all);
    for (size_t i = 0; i < all.n; i++)
        if (all.held[i] && (kinds == NULL || kinds[from[i]] == 0)) return true;
    return false;
}

static int tally[2];

static void solve_small(const struct t_small *d, bool offset, const unsigned char *kinds,
                        const uint64_t *start, size_t starts)
{
    struct t_whole t = t_whole_of(t_small_data(d), offset, env_resolve(NULL));
    const struct t_brute b = t_brute_of(d, offset);
    const struct simplex_options o = { .start = start, .starts = starts, .free = kinds };
    struct simplex_result r;

    assert_int_equal(exact_simplex(&t.p, &o, &r, NULL), PERC_OK);
    const bool zero = zero_by_search(&b, kinds);
    assert_int_equal(r.end, zero ? SIMPLEX_ZERO : SIMPLEX_POSITIVE);
    if (zero) check_zero(&b, &t.p, kinds, &r);
    else check_positive(&b, kinds, &r);
    tally[zero]++;
    exact_simplex_free(&t.p.e, &r);
    t_whole_free(&t);
}

enum { PROBLEMS = 6000 };

TEST(small_problems)
{
    uint64_t seed = 1;

    tally[0] = tally[1] = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        const size_t cols = 1 + (size_t)t_small_below(&seed, 4);
        const size_t rows = 1 + (size_t)t_small_below(&seed, 11);
        const struct t_small d = t_small_new(rows, cols, 1 + k % 4, &seed);
        solve_small(&d, k % 2, NULL, NULL, 0);
    }
    assert_true(tally[0] > PROBLEMS / 8 && tally[1] > PROBLEMS / 8);
}

/* Hints change nothing but the way: rows at random, also ones that do not exist. */
TEST(hints_and_free_rows)
{
    uint64_t seed = 2;

    tally[0] = tally[1] = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        const size_t cols = 1 + (size_t)t_small_below(&seed, 4);
        const size_t rows = 1 + (size_t)t_small_below(&seed, 10);
        const struct t_small d = t_small_new(rows, cols, 1 + k % 3, &seed);
        unsigned char kinds[BRUTE_ROWS];
        uint64_t start[40];
        const size_t starts = (size_t)t_small_below(&seed, k % 8 == 0 ? 40 : 6);
        for (size_t i = 0; i < starts; i++)
            start[i] = (uint64_t)t_small_below(&seed, (int)rows + (k % 5 == 0 ? 3 : 0));
        for (size_t i = 0; i < rows; i++) {
            const int roll = t_small_below(&seed, 8);
            kinds[i] = (unsigned char)(roll < 2 ? 1 : roll == 2 ? 2 : 0);
        }
        solve_small(&d, k % 2, k % 3 ? kinds : NULL, start, starts);
    }
    assert_true(tally[0] > PROBLEMS / 8 && tally[1] > PROBLEMS / 8);
}

TEST(ends_of_the_range)
{
    static const unsigned char all_free[] = { 1, 1, 1 }, none_counts[] = { 2, 2, 2 };
    static const unsigned char one_counts[] = { 2, 0, 2 };
    const struct t_small zeros = { .rows = 3, .cols = 2, .y = { 1, -1, 1 } };
    const struct t_small some = {
        .rows = 3, .cols = 2, .x = { { 1, 2 }, { 0, 0 }, { 3, -1 } }, .y = { 1, -1, 1 }
    };

    for (int offset = 0; offset < 2; offset++) {
        solve_small(&zeros, offset, NULL, NULL, 0);
        solve_small(&zeros, offset, all_free, NULL, 0);
        solve_small(&zeros, offset, none_counts, NULL, 0);
        solve_small(&zeros, offset, one_counts, NULL, 0);
        solve_small(&some, offset, NULL, NULL, 0);
        solve_small(&some, offset, all_free, NULL, 0);
        solve_small(&some, offset, one_counts, NULL, 0);
    }
}

/* ----- larger ones, by their certificates --------------------------------------------------- */

/* Solves, checks what comes back with sums over all columns, and returns the end. */
static enum simplex_end solve_checked(const struct whole *p, const struct simplex_options *o,
                                      int64_t *pivots)
{
    struct whole_vector v;
    struct simplex_result r;
    mpz_t *sum = whole_numbers(&p->e, p->dims);

    whole_vector_init(&v, &p->e);
    assert_int_equal(exact_simplex(p, o, &r, NULL), PERC_OK);
    if (r.end == SIMPLEX_POSITIVE)
        for (uint64_t i = 0; i < p->n; i++) assert_int_equal(t_whole_sign(p, &v, i, r.w), 1);
    if (r.end == SIMPLEX_ZERO) {
        for (size_t k = 0; k < r.rows; k++) {
            assert_true(mpz_sgn(r.x[k]) > 0);
            assert_int_equal(whole_row(p, r.row[k], &v, NULL), PERC_OK);
            whole_add(&v, r.x[k], sum);
        }
        for (uint64_t j = 0; j < p->dims; j++) assert_int_equal(mpz_sgn(sum[j]), 0);
        assert_true(r.rows >= 1 && r.rows <= p->dims + 1);
    }
    const enum simplex_end end = r.end;
    if (pivots != NULL) *pivots = r.pivots;
    exact_simplex_free(&p->e, &r);
    whole_numbers_free(&p->e, sum, p->dims);
    whole_vector_free(&v);
    return end;
}

static enum simplex_end solve_matrix(struct t_data d, bool offset)
{
    const struct simplex_options o = { .starts = 0 };
    struct t_whole t = t_whole_of(d, offset, env_resolve(NULL));
    const enum simplex_end end = solve_checked(&t.p, &o, NULL);

    t_whole_free(&t);
    return end;
}

TEST(medium_problems)
{
    double u[20];

    for (int j = 0; j < 20; j++) u[j] = j % 3 - 0.75;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        assert_int_equal(solve_matrix(t_planted(200, 20, u, 0.25, 0.01, seed), true),
                         SIMPLEX_POSITIVE);
        assert_int_equal(solve_matrix(t_noise(200, 20, T_WHOLE, 0.5, seed), true), SIMPLEX_ZERO);
        assert_int_equal(solve_matrix(t_noise(60, 12, T_REAL, 1, seed), true), SIMPLEX_ZERO);
        assert_int_equal(solve_matrix(t_noise(100, 12, T_WHOLE, 0.9, seed), false), SIMPLEX_ZERO);
    }
}

/* Fewer rows than columns. */
TEST(wide_problems)
{
    struct t_data d = t_noise(40, 3000, T_WHOLE, 0.02, 5);
    assert_int_equal(solve_matrix(t_copy(&d), true), SIMPLEX_POSITIVE);
    /* The last row is the mean of the first two times 2, with the other sign. */
    for (size_t j = 0; j < d.cols; j++) d.x[39 * d.cols + j] = (d.x[j] + d.x[d.cols + j]) / 2;
    d.y[0] = d.y[1] = 1;
    d.y[39] = -1;
    assert_int_equal(solve_matrix(d, true), SIMPLEX_ZERO);
}

/* A good hint is worth it: the rows of the answer are found again in few steps. */
TEST(good_hints_are_quick)
{
    const struct simplex_options none = { .starts = 0 };
    struct t_whole t = t_whole_of(t_noise(400, 12, T_WHOLE, 1, 9), true, env_resolve(NULL));
    struct simplex_result r;
    int64_t cold, warm;

    assert_int_equal(solve_checked(&t.p, &none, &cold), SIMPLEX_ZERO);
    assert_int_equal(exact_simplex(&t.p, &none, &r, NULL), PERC_OK);
    const struct simplex_options hint = { .start = r.row, .starts = r.rows };
    assert_int_equal(solve_checked(&t.p, &hint, &warm), SIMPLEX_ZERO);
    exact_simplex_free(&t.p.e, &r);
    if (warm > cold || warm > 40) fail_msg("%d steps, %d with a hint", (int)cold, (int)warm);
    t_whole_free(&t);
}

/* ----- where doubles are misled ------------------------------------------------------------- */

TEST(numbers_of_all_sizes)
{
    /* 1e-200 decides between +1 and -1 beside 1e200. */
    static const double x[] = { 1e200, 1e-200, -1e200, 1e-200, 1e200, -1e-200, -1e200, -1e-200 };
    static const double y[] = { 1, 1, -1, -1 };
    static const double crossed[] = { 1, -1, -1, 1 };

    for (int offset = 0; offset < 2; offset++) {
        struct t_data d = t_data_new(4, 2), c;
        for (size_t i = 0; i < 8; i++) d.x[i] = x[i];
        for (size_t i = 0; i < 4; i++) d.y[i] = y[i];
        c = t_copy(&d);
        for (size_t i = 0; i < 4; i++) c.y[i] = crossed[i];
        assert_int_equal(solve_matrix(d, offset), SIMPLEX_POSITIVE);
        assert_int_equal(solve_matrix(c, offset), SIMPLEX_ZERO);
    }
}

/* Rows near one line, whose places along it are told apart by their last bits only. */
TEST(numbers_that_nearly_cancel)
{
    for (int yes = 0; yes < 2; yes++) {
        struct t_data d = t_data_new(40, 3);
        for (size_t i = 0; i < 40; i++) {
            const double s = (double)i / 64;
            d.x[i * 3] = 1 + s;
            d.x[i * 3 + 1] = 1 + s + (i % 2 ? 0x1p-50 : 0);
            d.x[i * 3 + 2] = 1 - s;
            d.y[i] = i % 2 ? 1 : -1;
        }
        if (!yes) d.y[20] = 1;
        /* The decimals are of 17 digits, not the doubles: x + 2^-50 stays above x. */
        assert_int_equal(solve_matrix(d, true), yes ? SIMPLEX_POSITIVE : SIMPLEX_ZERO);
    }
}

/* ----- stopping and failing ----------------------------------------------------------------- */

static bool thrice(void *ud, int64_t passes)
{
    (void)passes;
    return ++*(int *)ud < 3;
}

TEST(the_watch_stops_it)
{
    int asked = 0;
    const struct watch watch = { thrice, &asked };
    const struct simplex_options o = { .watch = &watch };
    struct t_whole t = t_whole_of(t_noise(60, 8, T_WHOLE, 1, 3), true, env_resolve(NULL));
    struct simplex_result r;

    assert_int_equal(exact_simplex(&t.p, &o, &r, NULL), PERC_OK);
    assert_int_equal(r.end, SIMPLEX_STOPPED);
    assert_int_equal(asked, 3);
    assert_int_equal(r.pivots, 2);
    assert_true(r.rows == 0 && r.row == NULL && r.x == NULL && r.w == NULL);
    exact_simplex_free(&t.p.e, &r);
    t_whole_free(&t);
}

static void run_out(struct t_data d, enum simplex_end end)
{
    struct t_whole t = t_whole_of(d, true, env_resolve(NULL));
    const struct simplex_options o = { .starts = 0 };

    for (struct t_sweep s = { .least = 20, .onwards = true }; t_sweep_next(&s);) {
        struct simplex_result r;
        t.p.e = env_resolve(&s.env);
        const perc_status st = exact_simplex(&t.p, &o, &r, NULL);
        if (st) assert_true(r.row == NULL && r.x == NULL && r.w == NULL);
        else assert_int_equal(r.end, end);
        exact_simplex_free(&t.p.e, &r);
        t_sweep_judge(&s, st);
    }
    t.p.e = env_resolve(NULL);
    t_whole_free(&t);
}

TEST(memory_runs_out)
{
    double u[10] = { 1, -1, 0.5 };

    run_out(t_noise(40, 10, T_WHOLE, 1, 4), SIMPLEX_ZERO);
    run_out(t_planted(40, 10, u, 0, 0.01, 4), SIMPLEX_POSITIVE);
}
