/* test_rng.c -- random numbers: the same on every machine, and fair.
 *
 * The golden numbers come from an independent implementation in another language;
 * those of the state { 1, 2, 3, 4 } are also the published ones of xoshiro256++.
 * Fairness is Pearson's chi-square against a limit that a fair generator exceeds
 * once in ten thousand; the seeds are fixed, so it either always does or never. */
#include <math.h>

#include "t.h"
#include "vec/rng.h"

/* ----- golden values ------------------------------------------------------------ */

TEST(generator_is_xoshiro256pp)
{
    static const uint64_t want[] = { 41943041u,
                                     58720359u,
                                     3588806011781223u,
                                     3591011842654386u,
                                     9228616714210784205u,
                                     9973669472204895162u,
                                     14011001112246962877u,
                                     12406186145184390807u,
                                     15849039046786891736u,
                                     10450023813501588000u };
    struct rng r = { { 1, 2, 3, 4 } };

    for (size_t i = 0; i < 10; i++) assert_true(rng_u64(&r) == want[i]);
}

TEST(seeds_and_streams_give_golden_numbers)
{
    static const struct {
        uint64_t seed, stream, want[4];
    } cases[] = {
        { 0,
          0,
          { 0x5fe0799288de7456u, 0x959000ae92d36a9eu, 0xa648abbefde8d8f9u, 0x4a24acf5a99b9f26u } },
        { 0,
          1,
          { 0x12ba32b822eba4b3u, 0x56e464157757db38u, 0x66884567f865111au, 0xdf89bea078bc2708u } },
        { 1,
          0,
          { 0x16d41c3ed6834134u, 0x100cb111c8dde6b8u, 0x1c7d3ee823ccfcf5u, 0x3f95f37f934679d7u } },
        { UINT64_MAX,
          UINT64_MAX,
          { 0x8ef84fad5499286cu, 0xed914db9f5cd0c40u, 0x9ebc821dc6389dddu, 0x834d1a4db972cb33u } },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rng r = rng_seed(cases[i].seed, cases[i].stream);
        for (int k = 0; k < 4; k++) assert_true(rng_u64(&r) == cases[i].want[k]);
    }
}

TEST(derived_numbers_are_golden_too)
{
    static const uint64_t small[] = { 530, 252, 601, 843, 610, 28, 238, 92, 585, 949, 877, 149 };
    static const uint64_t large[] = { 8681472653890649007u, 8185358565477297119u,
                                      7351280969082280943u, 6625478945074906745u };
    static const double uniform[] = { 0x1.8c8ca7e1ca9d2p-1, 0x1.ebe978bb8a05ep-2,
                                      0x1.bd527de4475c9p-1 };
    static const double normal[] = { 0.18935070803461151, 0.7901869001273016, 0.24679740139243955,
                                     -0.09546421483859245 };
    static const uint64_t shuffled[] = { 4, 9, 8, 1, 5, 6, 2, 0, 3, 7 };
    uint64_t a[10];

    struct rng r = rng_seed(42, 3);
    for (int i = 0; i < 12; i++) assert_true(rng_below(&r, 1000) == small[i]);
    r = rng_seed(42, 4);
    for (int i = 0; i < 4; i++) assert_true(rng_below(&r, (uint64_t)3 << 62) == large[i]);
    r = rng_seed(42, 5);
    for (int i = 0; i < 3; i++) assert_true(rng_uniform(&r) == uniform[i]);
    /* The golden logarithm is a libm's: it and ours may differ in the last place. */
    r = rng_seed(9, 0);
    for (int i = 0; i < 4; i++) assert_true(fabs(rng_normal(&r) - normal[i]) < 1e-15);
    for (uint64_t i = 0; i < 10; i++) a[i] = i;
    r = rng_seed(7, 1);
    rng_shuffle(&r, a, 10);
    assert_memory_equal(a, shuffled, sizeof a);
}

TEST(near_seeds_and_streams_share_nothing)
{
    enum { N = 64 };
    uint64_t first[N * N];
    size_t n = 0;

    for (uint64_t seed = 0; seed < N; seed++)
        for (uint64_t stream = 0; stream < N; stream++) {
            struct rng r = rng_seed(seed, stream), again = rng_seed(seed, stream);
            first[n] = rng_u64(&r);
            assert_true(rng_u64(&again) == first[n]);
            n++;
        }
    for (size_t i = 0; i < n; i++) /* 2^23 pairs: chance makes an equal one in 2^41 runs */
        for (size_t k = 0; k < i; k++)
            if (first[i] == first[k]) fail_msg("%zu and %zu begin alike", i, k);
}

/* ----- fairness --------------------------------------------------------------------- */

/* The value that chi-square with `free` degrees of freedom exceeds with probability
 * 1e-4 (Wilson and Hilferty 1931; 3.719 is that quantile of the normal). */
static double limit(double free)
{
    const double c = 2 / (9 * free), t = 1 - c + 3.719 * sqrt(c);

    return free * t * t * t;
}

static double chi_square(const unsigned *count, size_t cells, double draws)
{
    const double expected = draws / (double)cells;
    double sum = 0;

    for (size_t i = 0; i < cells; i++) {
        const double d = count[i] - expected;
        sum += d * d / expected;
    }
    return sum;
}

TEST(chi_square_sees_a_loaded_die)
{
    const unsigned fair[] = { 998, 1003, 1010, 991, 995, 1003 };
    const unsigned loaded[] = { 1100, 980, 980, 980, 980, 980 };

    assert_true(fabs(limit(5) / 25.74 - 1) < 0.03); /* the tables' value; an approximation */
    assert_true(chi_square(fair, 6, 6000) < limit(5));
    assert_false(chi_square(loaded, 6, 6000) < 11); /* 5 %: 11.07 */
}

TEST(below_is_uniform)
{
    static const unsigned sizes[] = { 2, 3, 5, 6, 7, 10, 64, 100, 257, 1000 };
    enum { PER_CELL = 300 };

    for (size_t i = 0; i < COUNT(sizes); i++) {
        unsigned count[1000] = { 0 };
        struct rng r = rng_seed(3, sizes[i]);
        for (unsigned k = 0; k < PER_CELL * sizes[i]; k++) {
            const uint64_t v = rng_below(&r, sizes[i]);
            assert_true(v < sizes[i]);
            count[v]++;
        }
        assert_true(chi_square(count, sizes[i], PER_CELL * sizes[i]) < limit(sizes[i] - 1));
    }
    struct rng r = rng_seed(3, 1);
    for (int k = 0; k < 100; k++) assert_true(rng_below(&r, 1) == 0);
}

/* With n = 3 2^62, four words in a row fall on three results: without drawing again,
 * one result in three would come twice as often. */
TEST(below_is_unbiased_where_bias_would_be_largest)
{
    enum { DRAWS = 30000 };
    unsigned count[3] = { 0 };
    struct rng r = rng_seed(5, 5);

    for (int k = 0; k < DRAWS; k++) count[rng_below(&r, (uint64_t)3 << 62) % 3]++;
    assert_true(chi_square(count, 3, DRAWS) < limit(2));
}

TEST(uniform_fills_the_unit_interval)
{
    enum { CELLS = 128, DRAWS = 200 * CELLS };
    unsigned count[CELLS] = { 0 };
    struct rng r = rng_seed(11, 0);
    double sum = 0;

    for (int k = 0; k < DRAWS; k++) {
        const double u = rng_uniform(&r);
        assert_true(u >= 0 && u < 1);
        assert_true(u * 0x1p53 == floor(u * 0x1p53)); /* a multiple of 2^-53 */
        count[(int)(u * CELLS)]++;
        sum += u;
    }
    assert_true(chi_square(count, CELLS, DRAWS) < limit(CELLS - 1));
    assert_true(fabs(sum / DRAWS - 0.5) < 4 / sqrt(12.0 * DRAWS)); /* four deviations */
}

/* The edges are where the normal distribution leaves 1/8 in each cell. */
TEST(normal_has_the_shape_of_the_bell)
{
    static const double edge[] = { -1.1503493803760079,  -0.67448975019608171,
                                   -0.31863936396437514, 0,
                                   0.31863936396437514,  0.67448975019608171,
                                   1.1503493803760079 };
    enum { DRAWS = 80000 };
    unsigned count[8] = { 0 }, far = 0;
    struct rng r = rng_seed(12, 0);
    double sum = 0, squares = 0;

    for (int k = 0; k < DRAWS; k++) {
        const double x = rng_normal(&r);
        int cell = 0;
        while (cell < 7 && x > edge[cell]) cell++;
        count[cell]++;
        far += fabs(x) > 3;
        sum += x;
        squares += x * x;
    }
    assert_true(chi_square(count, 8, DRAWS) < limit(7));
    assert_true(fabs(sum / DRAWS) < 4 / sqrt(DRAWS)); /* four deviations */
    assert_true(fabs(squares / DRAWS - 1) < 4 * sqrt(2.0 / DRAWS));
    assert_true(fabs(far - 0.0026998 * DRAWS) < 4 * sqrt(0.0027 * DRAWS));
}

/* ----- shuffling ------------------------------------------------------------------------ */

TEST(shuffle_is_a_permutation)
{
    enum { N = 1000 };
    uint64_t a[N];

    for (uint64_t n = 0; n <= N; n = n < 5 ? n + 1 : 2 * n + 1) {
        bool seen[N] = { false };
        struct rng r = rng_seed(8, n);
        for (uint64_t i = 0; i < n; i++) a[i] = i;
        rng_shuffle(&r, a, n);
        for (uint64_t i = 0; i < n; i++) {
            assert_true(a[i] < n && !seen[a[i]]);
            seen[a[i]] = true;
        }
    }
}

TEST(every_order_of_four_is_equally_likely)
{
    enum { DRAWS = 24 * 400 };
    unsigned count[256] = { 0 }, orders[24];
    struct rng r = rng_seed(13, 0);
    size_t n = 0;

    for (int k = 0; k < DRAWS; k++) {
        uint64_t a[] = { 0, 1, 2, 3 };
        rng_shuffle(&r, a, 4);
        count[a[0] << 6 | a[1] << 4 | a[2] << 2 | a[3]]++;
    }
    for (size_t i = 0; i < 256; i++) {
        if (count[i] == 0) continue;
        assert_true(n < 24);
        orders[n++] = count[i];
    }
    assert_int_equal(n, 24);
    assert_true(chi_square(orders, 24, DRAWS) < limit(23));
}
