/* test_neuron_hard.c -- functions that are almost threshold functions, whose refutation takes
 * more than four rows; answers that are wrong; memory that runs out. */
#include "t_alloc.h"
#include "t_neuron.h"
#include "vec/rng.h"

/* ----- functions that are almost threshold functions ----------------------------------------- */

/* w.x > T, and on w.x = T by chance: any proof is made of these rows alone. Most weights differ, so
 * that the order of strength is kept; about as many such rows as inputs: both answers come. */
TEST(ties_decided_by_chance_are_settled)
{
    struct rng g = rng_seed(3, 0);
    uint64_t *t = new_table();
    size_t found = 0, pairs = 0, longer = 0;

    for (int k = 0; k < 200; k++) {
        const size_t n = k % 40 == 0 ? 19 : 10 + rng_below(&g, 7);
        int64_t w[NEURON_INPUTS], all = 0;
        for (size_t i = 0; i < n; i++) {
            w[i] = 1 + (int64_t)rng_below(&g, ((uint64_t)1 << n) / (3 * n) + 2);
            all += w[i];
        }
        threshold_table(t, n, w, all / 2 + 1);
        for (uint32_t r = 0; !(r >> n); r++)
            if (dot(w, n, r) == all / 2 && rng_below(&g, 2)) t[r / 64] |= (uint64_t)1 << (r % 64);
        const struct neuron a = find(t, n);
        if (a.found) found++;
        else if (a.true_rows + a.false_rows <= 4) pairs++;
        else longer++;
    }
    assert_true(found > 50 && pairs > 50 && longer > 3);
    free(t);
}

/* Taylor & Zwicker 1995: inputs are the cells of a square with equal sums of rows and columns,
 * and no others that have this sum; f is 1 above it, and on the rows. All rows together are all
 * columns together, and there is no other proof. Every other input negated, to try that too. */
static void squares(const int64_t *w, size_t side, const uint32_t negated)
{
    const size_t n = side * side;
    uint64_t *t = new_table();
    int64_t sum = 0;
    size_t ties = 0;

    for (size_t i = 0; i < side; i++) sum += w[i];
    for (uint32_t r = 0; !(r >> n); r++) {
        const int64_t v = dot(w, n, r);
        bool row = false;
        for (size_t i = 0; i < side; i++) row = row || r == ((1U << side) - 1) << (i * side);
        ties += v == sum;
        if (v > sum || row) t[(r ^ negated) / 64] |= (uint64_t)1 << ((r ^ negated) % 64);
    }
    assert_int_equal(ties, 2 * side); /* the square is as it should be */
    const struct neuron a = find(t, n);
    assert_false(a.found);
    assert_int_equal(a.true_rows, side);
    assert_int_equal(a.false_rows, side);
    for (size_t k = 0; k < side; k++) {
        assert_int_equal(a.true_count[k], 1);
        assert_int_equal(a.false_count[k], 1);
    }
    free(t);
}

static const int64_t square3[] = { 11, 49, 39, 52, 5, 42, 36, 45, 18 };
static const int64_t square4[] = { 2728, 4740, 5139, 7193, 3259,  8835, 3356, 4350,
                                   2977, 3226, 6279, 7318, 10836, 2999, 5026, 939 };

TEST(squares_are_refuted_by_their_rows_and_columns)
{
    squares(square3, 3, 0);
    squares(square3, 3, 0x155);
    squares(square4, 4, 0);
    squares(square4, 4, 0x5555);
}

/* Unions of threshold functions with one order of strength: only the linear program sees that
 * they are none themselves. Weights are equal here and there, so that groups are tried. */
TEST(unions_are_settled)
{
    struct rng g = rng_seed(4, 0);
    uint64_t *t = new_table(), *part = new_table();
    size_t found = 0, refuted = 0;

    for (int k = 0; k < 300; k++) {
        const size_t n = 6 + rng_below(&g, k % 20 == 0 ? 12 : 7);
        clear(t);
        for (uint64_t parts = 2 + rng_below(&g, 6); parts > 0; parts--) {
            int64_t w[NEURON_INPUTS] = { 0 }, all = 0;
            for (size_t i = 0; i < n; i++) {
                w[i] = (i > 0 ? w[i - 1] : 0) + (rng_below(&g, 3) ? 0 : (int64_t)rng_below(&g, 50));
                all += w[i];
            }
            const int64_t above = (int64_t)rng_below(&g, (uint64_t)all / 4 + 1);
            threshold_table(part, n, w, all * 3 / 8 + 1 + above);
            for (size_t j = 0; j < WORDS; j++) t[j] |= part[j];
        }
        const struct neuron a = find(t, n);
        if (a.found) found++;
        else refuted++;
        if (!a.found && n <= 8) assert_true(a.true_rows + a.false_rows <= 4); /* few: all tried */
    }
    assert_true(found > 50 && refuted > 50);
    free(t);
    free(part);
}

/* Permuted and negated inputs are the same task: as small weights, or a proof again. */
TEST(names_and_signs_of_inputs_do_not_matter)
{
    struct rng g = rng_seed(5, 0);
    uint64_t *t = new_table(), *u = new_table();

    for (int k = 0; k < 200; k++) {
        const size_t n = 2 + rng_below(&g, 9);
        int64_t w[NEURON_INPUTS];
        uint64_t to[NEURON_INPUTS];
        for (size_t i = 0; i < n; i++) {
            w[i] = (int64_t)rng_below(&g, 9) - 4;
            to[i] = i;
        }
        threshold_table(t, n, w, (int64_t)rng_below(&g, 5) - 2);
        if (k % 2) t[0] ^= 1;
        rng_shuffle(&g, to, n);
        const uint32_t negated = (uint32_t)rng_below(&g, (uint64_t)1 << n);
        clear(u);
        for (uint32_t r = 0; !(r >> n); r++) {
            uint32_t there = 0;
            for (size_t i = 0; i < n; i++) there |= ((r >> i) & 1) << to[i];
            there ^= negated;
            if (bit(t, r)) u[there / 64] |= (uint64_t)1 << (there % 64);
        }
        const struct neuron a = find(t, n), b = find(u, n);
        assert_int_equal(a.found, b.found);
        assert_int_equal(size_of(a.weight, n), size_of(b.weight, n));
    }
    free(t);
    free(u);
}

/* ----- the check, and failures ---------------------------------------------------------------- */

TEST(wrong_answers_do_not_pass_the_check)
{
    const uint64_t and3 = 0x80, parity3 = 0x96;
    const struct neuron yes = find(&and3, 3), no = find(&parity3, 3);
    struct neuron a;

#define REFUSED(table, from, change)               \
    do {                                           \
        a = from;                                  \
        change;                                    \
        assert_false(neuron_check(&table, 3, &a)); \
    } while (0)
    REFUSED(and3, yes, a.threshold--);
    REFUSED(and3, yes, a.threshold++);
    REFUSED(and3, yes, a.weight[1]--);
    REFUSED(and3, yes, a.weight[2] = INT64_MIN);
    REFUSED(parity3, yes, (void)0);
    REFUSED(and3, yes, a.found = false); /* no rows are no proof */
    REFUSED(and3, no, (void)0);
    REFUSED(parity3, no, a.true_count[0]++);
    REFUSED(parity3, no, a.true_count[0] = a.false_count[0] = 0);
    REFUSED(parity3, no, a.true_rows--);
    REFUSED(parity3, no, a.false_row[0] ^= 1);
    REFUSED(parity3, no, a.true_row[0] |= 8);
    REFUSED(parity3, no, a.true_row[1] = a.true_row[0]);
    REFUSED(parity3, no, (a.true_count[0] *= 2, a.true_count[1] *= 2)); /* more of the ones */
    REFUSED(parity3, no, a.found = true);
    REFUSED(parity3, no, a.false_row[0] |= 8);
    REFUSED(parity3, no, (a.true_row[2] = 7, a.true_count[2] = 0, a.true_rows = 3));
    REFUSED(parity3, no,
            (a.false_row[0] = 3, a.false_row[1] = 0, a.true_row[0] = 1, a.true_row[1] = 2,
             a.false_count[1] = 2)); /* sums are, counts not */
#undef REFUSED
    a = no;
    for (int k = 0; k < 2; k++) { /* a multiple of a proof is one, but not with a row twice */
        a.true_count[k] *= 5;
        a.false_count[k] *= 5;
    }
    assert_true(neuron_check(&parity3, 3, &a));
    a.true_row[2] = a.true_row[0];
    a.true_count[2] = 2;
    a.true_count[0] -= 2;
    a.true_rows = 3;
    assert_false(neuron_check(&parity3, 3, &a));
    assert_false(neuron_check(&parity3, NEURON_INPUTS + 1, &a));
}

TEST(too_many_inputs_are_refused)
{
    const struct env e = env_resolve(NULL);
    const uint64_t f = 0;
    struct neuron a;
    perc_error err = { 0 };

    assert_int_equal(neuron_find(&e, &f, NEURON_INPUTS + 1, &a, &err), PERC_EARG);
    assert_string_equal(err.text, "21 inputs; a table may have 20");
    assert_false(a.found);
}

/* Fails one request after the other, until all are granted; `least`: there are so many. */
static void sweep(const uint64_t *t, size_t n, long least)
{
    for (struct t_sweep s = { .least = least }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct neuron a;
        const perc_status st = neuron_find(&e, t, n, &a, NULL);

        t_sweep_judge(&s, st);
        if (st) assert_true(!a.found && a.true_rows + a.false_rows == 0);
        else assert_true(neuron_check(t, n, &a));
    }
}

TEST(memory_may_run_out_anywhere)
{
    uint64_t *t = new_table();
    const uint64_t xor = 6, constant = 1;

    sweep(&xor, 2, 1);
    sweep(&constant, 0, 3);
    threshold_table(t, 9, square3, 99);
    sweep(t, 9, 8);
    for (uint32_t r = 0; r < 3; r++) { /* and its columns are false: the longest way */
        const uint32_t column = 0x49U << r;
        t[column / 64] &= ~((uint64_t)1 << (column % 64));
    }
    assert_int_equal(find(t, 9).true_rows, 3);
    sweep(t, 9, 14);
    free(t);
}
