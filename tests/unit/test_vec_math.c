/* test_vec_math.c -- functions of many numbers against those of one, to the bit.
 *
 * many.c is included, not linked, so that what it learns of the processor passes
 * through here: every way is tried that this processor knows. */
#include "t_ways.h"

#include "vec/many.c"

#include <float.h>

#include "t_number.h"
#include "vec/rng.h"

enum { MANY = 1000, ROUNDS = 2000 }; /* two million arguments for each function and way */

static void same(double a, double b, double x)
{
    if (memcmp(&a, &b, sizeof a) != 0) fail_msg("f(%a): %a is not %a", x, a, b);
}

/* Where something happens: the ends of the ranges, seams, what is not a number. */
static const double special[] = {
    0.0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    709.78,
    709.79,
    710,
    -708.4,
    -745.13,
    -745.14,
    -746,
    1e9,
    -1e9,
    INFINITY,
    -INFINITY,
    DBL_MIN,
    -DBL_MIN,
    DBL_MAX,
    -DBL_MAX,
    0x1p-1074,
    -0x1p-1074,
    0x1p-27,
    -0x1p-27,
    0.5625,
    -0.5625,
    20,
    -20,
    0x1.62e42fefa39efp-1,
    -0x1.62e42fefa39efp-1,
    0x1.62e42fefa39efp-2,
    -0x1.62e42fefa39efp-2,
    0x1.fffffffffffffp-28,
};
enum { SPECIAL = COUNT(special) };

/* A neighbour of a special value, any bits at all (NaN too), or a number of some range. */
static double draw(struct rng *r)
{
    static const double range[] = { 1, 25, 760, 1e-3, 4, 1e10 };
    const uint64_t kind = rng_below(r, 10);

    if (kind == 0) return special[rng_below(r, SPECIAL)];
    if (kind == 1) {
        uint64_t u;
        memcpy(&u, &special[rng_below(r, SPECIAL)], sizeof u);
        return from_bits(u + rng_below(r, 7) - 3);
    }
    if (kind == 2) return from_bits(rng_u64(r));
    const double x = rng_uniform(r) * range[rng_below(r, COUNT(range))];
    return rng_below(r, 2) == 0 ? x : -x;
}

static double cube(double x)
{
    return fm_power(x, 3);
}

static void cube_many(double *x, size_t n)
{
    many_power(3, x, n);
}

static double seventh(double x)
{
    return fm_power(x, 7);
}

static void seventh_many(double *x, size_t n)
{
    many_power(7, x, n);
}

static double line(double x)
{
    return -0.3 * x + 0.7;
}

static void line_many(double *x, size_t n)
{
    many_affine(-0.3, 0.7, x, n);
}

static const struct pair {
    double (*one)(double x);
    void (*many)(double *x, size_t n);
} pairs[] = { { fm_exp, many_exp },
              { fm_tanh, many_tanh },
              { cube, cube_many },
              { seventh, seventh_many },
              { line, line_many } };

static void check(const struct pair *f, const double *x, size_t n)
{
    double y[MANY + 1];

    for (way = PLAIN; way < WAYS; way++) {
        memcpy(y, x, n * sizeof *x);
        y[n] = 12345;
        f->many(y, n);
        for (size_t i = 0; i < n; i++) same(y[i], f->one(x[i]), x[i]);
        same(y[n], 12345, 0); /* not one more */
    }
    way = AVX512;
}

TEST(many_are_as_each_alone)
{
    struct rng r = rng_seed(61, 0);
    double x[MANY];

    for (size_t k = 0; k < COUNT(pairs); k++) {
        check(&pairs[k], special, SPECIAL);
        for (int round = 0; round < ROUNDS / (k < 2 ? 1 : 10); round++) {
            const size_t n = round % 4 == 0 ? (size_t)rng_below(&r, 70) : MANY;
            for (size_t i = 0; i < n; i++) x[i] = draw(&r);
            check(&pairs[k], x, n);
        }
    }
}

/* Every result that is subnormal, or nearly: the last rounding is the only one. */
TEST(results_that_underflow_are_rounded_once)
{
    double x[MANY];

    for (int i = 0; i < 40 * MANY; i++) {
        x[i % MANY] = -745.2 + (745.2 - 707) * i / (40.0 * MANY);
        if (i % MANY == MANY - 1) check(&pairs[0], x, MANY);
    }
}

TEST(distances_say_where_digits_cancelled)
{
    struct rng r = rng_seed(62, 0);
    double b[32], dot[32], d2[32];
    int seen[2] = { 0, 0 };

    for (int round = 0; round < 20000; round++) {
        const double a = round % 50 == 0 ? INFINITY : rng_uniform(&r) * 10;
        for (size_t i = 0; i < 32; i++) {
            b[i] = rng_below(&r, 4) == 0 ? a : rng_uniform(&r) * 10;
            dot[i] = (a + b[i]) / 2 * (1 - (rng_uniform(&r) - 0.1) / 256);
            if (rng_below(&r, 8) == 0) dot[i] = (a + b[i]) / 2 * (1 - 0x1p-10); /* just far */
        }
        for (way = PLAIN; way < WAYS; way++) {
            memcpy(d2, dot, sizeof d2);
            const uint32_t near = many_distance2(a, b, d2);
            for (size_t i = 0; i < 32; i++) {
                const double s = a + b[i], want = s - 2 * dot[i];
                assert_int_equal(near >> i & 1, !(want >= s * 0x1p-10));
                same(d2[i], want, dot[i]);
                seen[near >> i & 1]++;
            }
        }
        way = AVX512;
    }
    assert_true(seen[0] > 100000 && seen[1] > 100000);
}

/* By squaring, from the lowest bit of n: what a power is, where it is exact. */
TEST(powers_of_whole_numbers_are_exact)
{
    for (int n = 1; n <= 30; n++) {
        double want = 1;
        for (int i = 0; i < n; i++) want *= 3;
        if (want < 0x1p53) assert_true(fm_power(3, n) == want && fm_power(-1, n) == 1 - n % 2 * 2);
        assert_true(fm_power(2, n) == ldexp(1, n) && fm_power(0, n) == 0);
    }
}
