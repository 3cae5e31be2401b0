/* test_wide.c -- whole numbers of a fixed width: against __int128 where that is wide enough, and
 * ratios against the reader of decimals, which shares nothing with them. */
#include <math.h>

#include "base/number.h"
#include "base/wide.h"
#include "t.h"
#include "vec/rng.h"

enum { LIMBS = 4, MOST = 40, ROUNDS = 20000 };

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

static void put(uint32_t *x, int128 v)
{
    for (int i = 0; i < LIMBS; i++) x[i] = (uint32_t)((uint128)v >> (WIDE_LIMB * i));
}

static int128 get(const uint32_t *x)
{
    uint128 v = 0;

    for (int i = LIMBS; i-- > 0;) v = v << WIDE_LIMB | x[i];
    return (int128)v;
}

/* Of any length up to 120 bits, often near a power of two, or 0. */
static int128 draw(struct rng *r)
{
    const int128 v = (int128)((uint128)rng_u64(r) << 56 ^ rng_u64(r)) >> rng_below(r, 128);
    const int128 power = (int128)1 << rng_below(r, 120);

    switch (rng_below(r, 4)) {
    case 0: return power - 1 + (int128)rng_below(r, 3);
    case 1: return -power;
    default: return rng_below(r, 2) ? v : -v;
    }
}

TEST(sums_products_and_comparisons_are_those_of_128_bits)
{
    struct rng r = rng_seed(1, 1);
    uint32_t x[LIMBS], y[LIMBS], z[LIMBS];

    for (int i = 0; i < ROUNDS; i++) {
        const int128 a = draw(&r), b = draw(&r);
        const int64_t small = (int64_t)rng_u64(&r) >> rng_below(&r, 64);
        put(x, a);
        put(y, b);
        assert_true(wide_compare(x, y, LIMBS) == (a > b) - (a < b));
        assert_true(wide_sign(x, LIMBS) == (a > 0) - (a < 0));
        wide_add(x, y, LIMBS);
        assert_true(get(x) == a + b);
        wide_subtract(x, y, LIMBS);
        assert_true(get(x) == a);
        wide_negate(x, LIMBS);
        assert_true(get(x) == -a);
        wide_set(z, small, LIMBS);
        assert_true(get(z) == small);
        wide_add_product(x, z, 2, y, LIMBS); /* modulo 2^128, as unsigned numbers are */
        assert_true((uint128)get(x) == (uint128)-a + (uint128)small * (uint128)b);
        put(x, a >> 60);
        wide_scale(x, 1000000007, 5, LIMBS);
        assert_true(get(x) == (a >> 60) * 1000000007 + 5);
        wide_extend(x, z, 2, LIMBS);
        assert_true(get(x) == small);
    }
}

/* p / 10^k is the decimal "pe-k". */
TEST(ratios_are_the_doubles_nearest_to_them)
{
    struct rng r = rng_seed(2, 2);
    uint32_t p[MOST], q[MOST], scratch[2 * MOST];

    for (int i = 0; i < ROUNDS; i++) {
        const size_t n = 8 + (size_t)rng_below(&r, MOST - 8);
        const int digits = 1 + (int)rng_below(&r, 9 * (n - 5));
        const int k = (int)rng_below(&r, 9 * (n - 5));
        char text[512];
        size_t len = 0;
        double wanted;
        const bool negative = rng_below(&r, 2);
        if (negative) text[len++] = '-';
        wide_set(p, 0, n);
        for (int d = 0; d < digits; d++) {
            /* nines, fives and zeros make ties and carries */
            const uint32_t digit = (uint32_t)(rng_below(&r, 3) ? "0599"[rng_below(&r, 4)] - '0'
                                                               : (int)rng_below(&r, 10));
            text[len++] = (char)('0' + digit);
            wide_scale(p, 10, digit, n);
        }
        if (negative) wide_negate(p, n);
        len += (size_t)snprintf(text + len, sizeof text - len, "e-%d", k);
        assert_true(number_parse(text, len, &wanted));
        wide_set(q, 1, n);
        wide_scale_ten(q, k, n);
        const double got = wide_ratio(p, q, n, scratch);
        if (got != wanted) print_error("%.*s: %.17g, wanted %.17g\n", (int)len, text, got, wanted);
        assert_true(got == wanted);
    }
}

/* Exactly between two doubles the even one is taken; a trace more is enough for the other. */
TEST(ties_go_to_the_even_one)
{
    uint32_t p[8], q[8], scratch[16];

    wide_set(q, 1, 8);
    wide_set(p, ((int64_t)1 << 53) + 1, 8); /* 2^53 and 2^53 + 2 are doubles */
    assert_true(wide_ratio(p, q, 8, scratch) == 0x1p53);
    wide_set(p, ((int64_t)1 << 53) + 3, 8);
    assert_true(wide_ratio(p, q, 8, scratch) == 0x1p53 + 4);
    wide_set(p, ((int64_t)1 << 53) + 1, 8);
    wide_scale_ten(p, 20, 8);
    wide_scale(p, 1, 1, 8);
    wide_scale_ten(q, 20, 8);
    assert_true(wide_ratio(p, q, 8, scratch) == 0x1p53 + 2);
}
