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

    assert_true(integer_sum_add(env(), &s, a, b, false));
    assert_true(integer_sum_add(env(), &s, c, d, true));
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

TEST(decimals_and_powers_of_ten)
{
    struct rng r;
    char a[200], b[400];

    r = rng_seed(4, 0);
    for (size_t k = 0; k < 150; k++) {
        random_digits(&r, a, 1 + rng_below(&r, 190));
        strcpy(b, a);
        memset(b + strlen(a), '0', k);
        b[strlen(a) + k] = '\0';
        struct integer x = from(a), y = from(b);

        assert_false(k > 0 && integer_same(&x, &y));
        assert_true(integer_scale(env(), &x, k));
        assert_true(integer_same(&x, &y));
        integer_free(env(), &x), integer_free(env(), &y);
    }
    struct integer x = from("12.5"), y = from("0125"), z = from("000"), set = { 0 };
    assert_true(integer_same(&x, &y));
    assert_int_equal(integer_sign(&z), 0);
    assert_true(integer_scale(env(), &z, 5) && z.n == 0);
    assert_true(integer_set(env(), &set, UINT64_MAX));
    struct integer max = from("18446744073709551615");
    assert_true(integer_same(&set, &max));
    integer_free(env(), &x), integer_free(env(), &y), integer_free(env(), &z);
    integer_free(env(), &set), integer_free(env(), &max);
}

/* Long ones are read by halves, those with a point nine digits after nine. */
TEST(long_decimals_both_ways)
{
    static const size_t length[] = { 1151, 1152, 1153, 2304, 2305, 4607, 9216, 9217, 20000, 31234 };
    char *a = malloc(40000);
    struct rng r = rng_seed(6, 0);

    assert_non_null(a);
    for (size_t k = 0; k < 40; k++) {
        const size_t n = length[k % 10];
        random_digits(&r, a, n);
        if (k % 3 == 1) memset(a + n / 2, '0', n / 2 - 1);
        if (k % 3 == 2) memset(a + n / 2, '9', n / 2 - 1);
        struct integer x = from(a);
        strcpy(a + n, ".");
        struct integer y = from(a);
        assert_true(integer_same(&x, &y));
        integer_free(env(), &x), integer_free(env(), &y);
    }
    free(a);
}

/* ----- sums -------------------------------------------------------------------------------- */

/* Numbers with all bits set, so often that digits would overflow if nothing were carried. */
TEST(many_large_terms)
{
    struct integer x = from("1152921504606846975"), count = { 0 }, xx = { 0 }; /* 2^60 - 1 */
    struct integer_sum s = { 0 };

    for (int negative = 0; negative < 2; negative++) {
        for (int k = 0; k < 5000; k++)
            assert_true(integer_sum_add(env(), &s, &x, &x, negative != 0));
        assert_true(integer_set(env(), &count, 5000));
        assert_true(integer_multiply(env(), &xx, &x, &x));
        assert_true(integer_sum_add(env(), &s, &count, &xx, negative == 0));
        assert_int_equal(integer_sum_sign(&s), 0);
        struct integer one = from("1");
        assert_true(integer_sum_add(env(), &s, &one, &one, negative != 0));
        assert_int_equal(integer_sum_sign(&s), negative ? -1 : 1);
        integer_free(env(), &one);
        integer_sum_clear(&s);
        assert_int_equal(integer_sum_sign(&s), 0);
    }
    integer_free(env(), &x), integer_free(env(), &count), integer_free(env(), &xx);
    integer_sum_free(env(), &s);
}

/* A long number, then short ones below it, of both signs. */
TEST(short_terms_after_long)
{
    char digits[3001];
    struct integer_sum s = { 0 };

    memset(digits, '9', 3000);
    digits[3000] = '\0';
    struct integer x = from(digits), one = from("1"), minus = from("-1");
    assert_true(integer_sum_add(env(), &s, &x, &one, false));
    assert_true(integer_sum_add(env(), &s, &one, &one, false)); /* 10^3000 */
    assert_int_equal(integer_sum_sign(&s), 1);
    assert_true(integer_sum_add(env(), &s, &x, &minus, false));
    assert_int_equal(integer_sum_sign(&s), 1);
    int64_t v = 0;
    assert_true(integer_sum_small(&s, &v));
    assert_int_equal(v, 1);
    assert_true(integer_sum_add(env(), &s, &minus, &one, false));
    assert_int_equal(integer_sum_sign(&s), 0);
    assert_true(integer_sum_add(env(), &s, &minus, &minus, true));
    assert_int_equal(integer_sum_sign(&s), -1);
    assert_true(integer_sum_small(&s, &v));
    assert_int_equal(v, -1);
    assert_true(integer_sum_add(env(), &s, &x, &minus, false));
    assert_int_equal(integer_sum_sign(&s), -1);
    assert_false(integer_sum_small(&s, &v));
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
        int64_t truth = 0, v = 0;

        for (int i = 0; i < 4; i++) {
            const uint64_t range = rng_below(&r, 2) ? 4 : UINT64_C(1) << 29;
            const int64_t a = (int64_t)rng_below(&r, range), b = (int64_t)rng_below(&r, range);
            const bool minus = rng_below(&r, 2);

            assert_true(integer_set(env(), &x, (uint64_t)a) && integer_set(env(), &y, (uint64_t)b));
            if (a != 0) x.negative = rng_below(&r, 2);
            truth += (minus != x.negative ? -1 : 1) * a * b;
            assert_true(integer_sum_add(env(), &s, &x, &y, minus));
        }
        assert_int_equal(integer_sum_sign(&s), (truth > 0) - (truth < 0));
        assert_true(integer_sum_small(&s, &v));
        assert_int_equal(v, truth);
        integer_free(env(), &x), integer_free(env(), &y);
        integer_sum_free(env(), &s);
    }
}

TEST(memory_runs_out)
{
    char many[5000]; /* by halves, and these by Karatsuba */

    memset(many, '7', sizeof many);
    for (struct t_sweep w = { .least = 1, .onwards = true }; t_sweep_next(&w);) {
        const struct env e = env_resolve(&w.env);
        const char digits[] = "123456789012345678901234567890";
        struct integer x = { 0 }, y = { 0 }, z = { 0 };
        struct integer_sum s = { 0 };
        const bool ok = integer_decimal(&e, &x, digits, digits + 30) && integer_set(&e, &y, 7) &&
                        integer_scale(&e, &y, 400) && integer_multiply(&e, &z, &x, &y) &&
                        integer_sum_add(&e, &s, &z, &y, true) && integer_sum_sign(&s) == -1 &&
                        integer_sum_take(&e, &s, &z) &&
                        integer_decimal(&e, &x, many, many + sizeof many);

        integer_free(&e, &x), integer_free(&e, &y), integer_free(&e, &z);
        integer_sum_free(&e, &s);
        t_sweep_judge(&w, ok ? PERC_OK : PERC_ENOMEM);
        assert_true(w.n < 1000);
    }
}
