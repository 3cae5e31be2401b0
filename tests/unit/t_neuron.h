/* t_neuron.h -- answers of src/logic/neuron.h checked row by row, without the library. An
 * answer proves itself: weights are right, or rows show that there are none. Include before
 * cmocka.h. */
#ifndef PERC_TEST_NEURON_H
#define PERC_TEST_NEURON_H

#include "logic/neuron.h"
#include "t.h"

enum { WORDS = 1 << (NEURON_INPUTS - 6) };

static inline bool bit(const uint64_t *t, uint32_t r)
{
    return (t[r / 64] >> (r % 64)) & 1;
}

static inline int64_t dot(const int64_t *w, size_t n, uint32_t r)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++) sum += (r >> i) & 1 ? w[i] : 0;
    return sum;
}

static inline int64_t size_of(const int64_t *w, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++) sum += llabs(w[i]);
    return sum;
}

static inline void clear(uint64_t *t)
{
    memset(t, 0, WORDS * sizeof *t);
}

static inline void threshold_table(uint64_t *t, size_t n, const int64_t *w, int64_t theta)
{
    clear(t);
    for (uint32_t r = 0; !(r >> n); r++)
        if (dot(w, n, r) >= theta) t[r / 64] |= (uint64_t)1 << (r % 64);
}

/* ----- answers, checked the long way ------------------------------------------------------ */

static inline void expect_rows(const uint64_t *t, size_t n, bool value, size_t rows,
                               const uint32_t *row, const int64_t *count, int64_t *sum)
{
    for (size_t k = 0; k < rows; k++) {
        assert_true(row[k] < (1U << n));
        assert_int_equal(bit(t, row[k]), value);
        assert_true(count[k] > 0);
        for (size_t i = 0; i < n; i++)
            if ((row[k] >> i) & 1) sum[i] += value ? count[k] : -count[k];
        sum[n] += value ? count[k] : -count[k];
        for (size_t l = 0; l < k; l++) assert_int_not_equal(row[l], row[k]);
    }
}

static inline struct neuron find(const uint64_t *t, size_t n)
{
    const struct env e = env_resolve(NULL);
    struct neuron a;
    int64_t sum[NEURON_INPUTS + 1] = { 0 };

    memset(&a, 0xA5, sizeof a);
    assert_int_equal(neuron_find(&e, t, n, &a, NULL), PERC_OK);
    if (a.found) {
        for (uint32_t r = 0; !(r >> n); r++)
            if (bit(t, r) != (dot(a.weight, n, r) >= a.threshold)) fail_msg("row %u", r);
        bool least = false, no = false; /* is there a row just below it? */
        for (uint32_t r = 0; !(r >> n) && !least; r++) {
            least = dot(a.weight, n, r) == a.threshold - 1;
            no = no || !bit(t, r);
        }
        assert_true(least || !no);
        assert_int_equal(a.true_rows + a.false_rows, 0);
    } else {
        assert_in_range(a.true_rows + a.false_rows, 3, n + 2);
        expect_rows(t, n, true, a.true_rows, a.true_row, a.true_count, sum);
        expect_rows(t, n, false, a.false_rows, a.false_row, a.false_count, sum);
        for (size_t i = 0; i <= n; i++) assert_int_equal(sum[i], 0);
    }
    assert_true(neuron_check(t, n, &a));
    return a;
}

/* A table of 2^20 rows, for any n. */
static inline uint64_t *new_table(void)
{
    uint64_t *t = calloc(WORDS, sizeof *t);

    assert_non_null(t);
    return t;
}

#endif
