/* test_integer.c -- the whole numbers of the verifier, against sums on paper: decimal digits,
 * one at a time, which share nothing with them. */
#include "t.h"
#include "t_alloc.h"
#include "vec/rng.h"
#include "verify/integer.h"

static const struct env *env(void)
{
    static struct env e;

    e = env_resolve(NULL);
    return &e;
}

static struct integer from(const char *s)
{
    struct integer x = { 0 };
    const bool negative = *s == '-';

    s += negative;
    assert_true(integer_decimal(env(), &x, s, s + strlen(s)));
    if (x.n > 0) x.negative = negative;
    return x;
}

/* The sign of a b - c d. */
static int compare(const struct integer *a, const struct integer *b, const struct integer *c,
                   const struct integer *d)
{
    struct integer_sum s = { 0 };

    assert_true(integer_sum_add(env(), &s, a, b, 0, false));
    assert_true(integer_sum_add(env(), &s, c, d, 0, true));
    const int sign = integer_sum_sign(&s);
    integer_sum_free(env(), &s);
    return sign;
}

/* ----- on paper ---------------------------------------------------------------------------- */

/* a b in decimal; both without sign. */
static char *paper_product(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    char *out = calloc(n + m + 1, 1);

    for (size_t i = n; i-- > 0;)
        for (size_t j = m; j-- > 0;) {
            size_t at = i + j + 1;
            int v = out[at] + (a[i] - '0') * (b[j] - '0');

            for (out[at] = (char)(v % 10), v /= 10; v > 0; v /= 10) {
                v += out[--at];
                out[at] = (char)(v % 10);
            }
        }
    for (size_t i = 0; i < n + m; i++) out[i] = (char)(out[i] + '0');
    return out;
}

static void random_digits(struct rng *r, char *s, size_t n)
{
    static const char *const kind[] = { "0123456789", "9", "09", "1000000000" };
    const char *from_these = kind[rng_below(r, 4)];

    for (size_t i = 0; i < n; i++) s[i] = from_these[rng_below(r, strlen(from_these))];
    s[0] = s[0] == '0' ? '7' : s[0];
    s[n] = '\0';
}

TEST(products_are_those_on_paper)
{
    struct rng r;
    char a[400], b[400];

    r = rng_seed(3, 0);
    for (int k = 0; k < 3000; k++) {
        random_digits(&r, a, 1 + rng_below(&r, k % 100 == 0 ? 390 : 60));
        random_digits(&r, b, 1 + rng_below(&r, k % 100 == 0 ? 390 : 60));
        char *p = paper_product(a, b);
        struct integer x = from(a), y = from(b), xy = from(p), one = from("1"), z = { 0 };

        assert_int_equal(compare(&x, &y, &xy, &one), 0);
        assert_true(integer_multiply(env(), &z, &x, &y));
        assert_true(integer_same(&z, &xy));
        xy.digit[0] ^= 1; /* one more or less */
        assert_int_equal(compare(&x, &y, &xy, &one), (xy.digit[0] & 1) ? -1 : 1);
        assert_false(integer_same(&z, &xy));
        integer_free(env(), &x), integer_free(env(), &y), integer_free(env(), &xy);
        integer_free(env(), &one), integer_free(env(), &z);
        free(p);
    }
}

/* A power of ten is a factor below 10^9 and, in a sum, a place. */
TEST(decimals_and_powers_of_ten)
{
    struct rng r;
    char a[200], b[400];

    r = rng_seed(4, 0);
    for (size_t k = 0; k < 150; k++) {
        struct integer_sum s = { 0 };
        random_digits(&r, a, 1 + rng_below(&r, 190));
        strcpy(b, a);
        memset(b + strlen(a), '0', k);
        b[strlen(a) + k] = '\0';
        struct integer x = from(a), y = from(b), z = { 0 }, one = from("1");

        assert_false(k > 0 && integer_same(&x, &y));
        assert_true(integer_scale(env(), &x, (unsigned)k % INTEGER_FIGURES));
        assert_true(integer_sum_add(env(), &s, &one, &x, k / INTEGER_FIGURES, k % 2));
        assert_true(integer_sum_take(env(), &s, &z));
        assert_int_equal(integer_sign(&z), k % 2 ? -1 : 1);
        z.negative = false;
        assert_true(integer_same(&z, &y));
        integer_free(env(), &x), integer_free(env(), &y), integer_free(env(), &z);
        integer_free(env(), &one), integer_sum_free(env(), &s);
    }
    struct integer x = from("125"), y = from("000000000125"), z = from("0000000000"), set = { 0 };
    assert_true(integer_same(&x, &y));
    assert_int_equal(integer_sign(&z), 0);
    assert_true(integer_scale(env(), &z, 5) && z.n == 0);
    assert_true(integer_set(env(), &set, UINT64_MAX));
    struct integer max = from("18446744073709551615");
    assert_true(integer_same(&set, &max));
    integer_free(env(), &x), integer_free(env(), &y), integer_free(env(), &z);
    integer_free(env(), &set), integer_free(env(), &max);
}

/* ----- sums -------------------------------------------------------------------------------- */

/* The largest digits, so often that digits would overflow if nothing were carried. */
TEST(many_large_terms)
{
    struct integer x = from("999999999999999999"), count = { 0 }, xx = { 0 };
    struct integer_sum s = { 0 };

    for (int negative = 0; negative < 2; negative++) {
        for (int k = 0; k < 5000; k++)
            assert_true(integer_sum_add(env(), &s, &x, &x, 0, negative != 0));
        assert_true(integer_set(env(), &count, 5000));
        assert_true(integer_multiply(env(), &xx, &x, &x));
        assert_true(integer_sum_add(env(), &s, &count, &xx, 0, negative == 0));
        assert_int_equal(integer_sum_sign(&s), 0);
        struct integer one = from("1");
        assert_true(integer_sum_add(env(), &s, &one, &one, 0, negative != 0));
        assert_int_equal(integer_sum_sign(&s), negative ? -1 : 1);
        integer_free(env(), &one);
        integer_sum_clear(&s);
        assert_int_equal(integer_sum_sign(&s), 0);
    }
    integer_free(env(), &x), integer_free(env(), &count), integer_free(env(), &xx);
    integer_sum_free(env(), &s);
}

/* Of a sum that is small and was carried. */
static int64_t value_of(const struct integer_sum *s)
{
    int64_t v = 0;

    for (size_t i = s->n; i-- > 0;) v = v * INT64_C(1000000000) + s->digit[i];
    return v;
}

/* A long number, then short ones below it, of both signs. */
TEST(short_terms_after_long)
{
    char digits[3001];
    struct integer_sum s = { 0 };

    memset(digits, '9', 3000);
    digits[3000] = '\0';
    struct integer x = from(digits), one = from("1"), minus = from("-1");
    assert_true(integer_sum_add(env(), &s, &x, &one, 0, false));
    assert_true(integer_sum_add(env(), &s, &one, &one, 0, false)); /* 10^3000 */
    assert_int_equal(integer_sum_sign(&s), 1);
    assert_true(integer_sum_add(env(), &s, &x, &minus, 0, false));
    assert_int_equal(integer_sum_sign(&s), 1);
    assert_int_equal(value_of(&s), 1);
    assert_true(integer_sum_add(env(), &s, &minus, &one, 0, false));
    assert_int_equal(integer_sum_sign(&s), 0);
    assert_true(integer_sum_add(env(), &s, &minus, &minus, 0, true));
    assert_int_equal(integer_sum_sign(&s), -1);
    assert_int_equal(value_of(&s), -1);
    assert_true(integer_sum_add(env(), &s, &x, &minus, 0, false));
    assert_int_equal(integer_sum_sign(&s), -1);
    integer_free(env(), &x), integer_free(env(), &one), integer_free(env(), &minus);
    integer_sum_free(env(), &s);
}

/* Random small sums, whose value int64_t knows. */
TEST(signs_of_small_sums)
{
    struct rng r;

    r = rng_seed(5, 0);
    for (int k = 0; k < 5000; k++) {
        struct integer_sum s = { 0 };
        struct integer x = { 0 }, y = { 0 };
        int64_t truth = 0;

        for (int i = 0; i < 4; i++) {
            const uint64_t range = rng_below(&r, 2) ? 4 : UINT64_C(1) << 29;
            const int64_t a = (int64_t)rng_below(&r, range), b = (int64_t)rng_below(&r, range);
            const bool minus = rng_below(&r, 2);

            assert_true(integer_set(env(), &x, (uint64_t)a) && integer_set(env(), &y, (uint64_t)b));
            if (a != 0) x.negative = rng_below(&r, 2);
            truth += (minus != x.negative ? -1 : 1) * a * b;
            assert_true(integer_sum_add(env(), &s, &x, &y, 0, minus));
        }
        assert_int_equal(integer_sum_sign(&s), (truth > 0) - (truth < 0));
        assert_int_equal(value_of(&s), truth);
        integer_free(env(), &x), integer_free(env(), &y);
        integer_sum_free(env(), &s);
    }
}

TEST(memory_runs_out)
{
    for (struct t_sweep w = { .least = 1, .onwards = true }; t_sweep_next(&w);) {
        const struct env e = env_resolve(&w.env);
        const char digits[] = "123456789012345678901234567890";
        struct integer x = { 0 }, y = { 0 }, z = { 0 };
        struct integer_sum s = { 0 };
        const bool ok = integer_decimal(&e, &x, digits, digits + 30) && integer_set(&e, &y, 7) &&
                        integer_scale(&e, &y, 8) && integer_multiply(&e, &z, &x, &y) &&
                        integer_sum_add(&e, &s, &z, &y, 40, true) && integer_sum_sign(&s) == -1 &&
                        integer_sum_take(&e, &s, &z);

        integer_free(&e, &x), integer_free(&e, &y), integer_free(&e, &z);
        integer_sum_free(&e, &s);
        t_sweep_judge(&w, ok ? PERC_OK : PERC_ENOMEM);
        assert_true(w.n < 1000);
    }
}
