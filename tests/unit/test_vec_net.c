/* test_vec_net.c -- activations, slopes and steps against one number at a time, to the bit.
 *
 * net.c is included, not linked, so that what it learns of the processor passes through here:
 * every way is tried that this processor knows. */
#include "t_ways.h"

#include "vec/net.c"

#include "vec/rng.h"

enum { MOST = 2000 };

static const enum activation activations[] = { ACTIVATION_RELU, ACTIVATION_SIGMOID,
                                               ACTIVATION_TANH };

/* Numbers of all sizes, and what is none. */
static float draw(struct rng *r)
{
    static const float special[] = {
        0.0f, -0.0f, 1,    -1,      0.5f,     FLT_MIN,  -FLT_MIN,  FLT_TRUE_MIN, -3 * FLT_TRUE_MIN,
        90,   -90,   -104, FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, NAN,          0x1p-30f
    };
    static const double range[] = { 1, 1, 10, 120, 1e-4, 1e-20, 1e-36 };
    const double x = 2 * rng_uniform(r) - 1;

    if (rng_below(r, 12) == 0) return special[rng_below(r, COUNT(special))];
    return (float)(x * range[rng_below(r, COUNT(range))]);
}

static void fill(struct rng *r, float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = draw(r);
}

static void same(float x, float y, const char *what, size_t at)
{
    if (memcmp(&x, &y, sizeof x) != 0 && !(x != x && y != y))
        fail_msg("way %d, %s, number %zu: %a is not %a", way, what, at, (double)x, (double)y);
}

/* ----- one number ------------------------------------------------------------------------ */

TEST(activations_are_what_they_are_called)
{
    for (float z = -120; z < 120; z += 0.37f) {
        const double sigmoid = 1 / (1 + exp(-(double)z)), t = tanh((double)z);
        /* a float has 24 bits: half a unit in the last place, and a little for exp itself */
        assert_true(fabs((double)net_activation_of(ACTIVATION_SIGMOID, z) - sigmoid) <=
                    sigmoid * 0x1.01p-24 + 0x1p-149);
        assert_true(fabs((double)net_activation_of(ACTIVATION_TANH, z) - t) <=
                    fabs(t) * 0x1.01p-24);
        assert_true(net_activation_of(ACTIVATION_RELU, z) == (z > 0 ? z : 0));
    }
    assert_true(net_activation_of(ACTIVATION_SIGMOID, 0) == 0.5f);
    assert_true(net_activation_of(ACTIVATION_SIGMOID, INFINITY) == 1);
    assert_true(net_activation_of(ACTIVATION_SIGMOID, -INFINITY) == 0);
    assert_true(net_activation_of(ACTIVATION_TANH, -INFINITY) == -1);
    for (int f = 0; f < 3; f++) assert_true(isnan(net_activation_of(activations[f], NAN)));
    assert_true(!signbit(net_activation_of(ACTIVATION_RELU, -0.0f)));
}

/* (f(z + h) - f(z - h)) / 2h, which is off by about h^2 / 6 times the third derivative, at most
 * 2, and what the rounding of f, 2^-24, gives over 2h. */
TEST(slopes_are_derivatives)
{
    const float h = 0x1p-7f;

    for (int f = 0; f < 3; f++)
        for (float z = -6.01f; z < 6; z += 0.0625f) {
            const double up = (double)net_activation_of(activations[f], z + h);
            const double down = (double)net_activation_of(activations[f], z - h);
            const double slope = (double)net_activation_slope(activations[f],
                                                              net_activation_of(activations[f], z));
            assert_true(fabs(slope - (up - down) / (2 * (double)h)) < 4e-5);
        }
    assert_true(net_activation_slope(ACTIVATION_RELU, 0) == 0);
}

/* ----- many ------------------------------------------------------------------------------- */

/* rows x n with a stride beyond it, and what is beyond stays as it was. */
static void check_activate(struct rng *r, enum activation f, size_t rows, size_t n, size_t stride,
                           const float *b)
{
    float start[MOST], a[MOST];

    assert_true(rows * stride <= MOST && n <= stride);
    fill(r, start, rows * stride);
    for (way = PLAIN; way < WAYS; way++) {
        memcpy(a, start, sizeof a);
        net_activate(f, a, rows, n, stride, b);
        for (size_t i = 0; i < rows * stride; i++) {
            const size_t j = i % stride;
            const float z = b == NULL ? start[i] : start[i] + b[j < n ? j : 0];
            same(a[i], j < n ? net_activation_of(f, z) : start[i], "activation", i);
        }
    }
    way = AVX512;
}

TEST(many_are_activated_as_one)
{
    struct rng r = rng_seed(81, 0);
    float b[MOST];

    for (int round = 0; round < 300; round++) {
        const size_t n = 1 + (size_t)rng_below(&r, round % 10 == 0 ? 900 : 70);
        const size_t stride = (n + 15) / 16 * 16, rows = (size_t)rng_below(&r, MOST / stride + 1);
        fill(&r, b, n);
        for (int f = 0; f < 3; f++) {
            check_activate(&r, activations[f], rows, n, stride, b);
            check_activate(&r, activations[f], rows, n, stride, NULL);
        }
    }
    for (size_t n = 255; n <= 257; n++) check_activate(&r, ACTIVATION_TANH, 3, n, 272, b);
    check_activate(&r, ACTIVATION_SIGMOID, 5, 0, 16, b);
}

TEST(many_slopes_are_as_one)
{
    struct rng r = rng_seed(82, 0);
    float start[MOST], a[MOST], d[MOST + 1];

    for (int round = 0; round < 300; round++) {
        const size_t n = (size_t)rng_below(&r, round % 2 == 0 ? 80 : MOST);
        const enum activation f = activations[round % 3];
        fill(&r, start, n);
        for (size_t i = 0; i < n; i++) a[i] = net_activation_of(f, draw(&r));
        for (way = PLAIN; way < WAYS; way++) {
            memcpy(d, start, n * sizeof *d);
            d[n] = 7;
            net_slope(f, d, a, n);
            for (size_t i = 0; i < n; i++)
                same(d[i], start[i] * net_activation_slope(f, a[i]), "slope", i);
            assert_true(d[n] == 7);
        }
        way = AVX512;
    }
}

/* ----- steps --------------------------------------------------------------------------------- */

/* One operation, rounded; no compiler looks through a volatile to fuse it with the next. */
static float times(float x, float y)
{
    volatile float z = x * y;
    return z;
}

static float plus(float x, float y)
{
    volatile float z = x + y;
    return z;
}

/* a (1 - a) and 1 - a^2, each operation rounded. */
TEST(slopes_are_rounded_in_this_order)
{
    for (float a = -0.99f; a < 1; a += 0.0037f) {
        assert_true(net_activation_slope(ACTIVATION_SIGMOID, a) == times(a, plus(1, -a)));
        assert_true(net_activation_slope(ACTIVATION_TANH, a) == plus(1, -times(a, a)));
    }
}

static float without_subnormals(float x)
{
    return fpclassify(x) == FP_SUBNORMAL || fpclassify(x) == FP_ZERO ? 0 : x;
}

static void step_of_one(const struct net_step *s, float *w, float *u, float *v, float g)
{
    if (s->l2 > 0) g = plus(g, times(s->l2, *w));
    if (s->optimizer == OPTIMIZER_SGD) {
        *w = plus(*w, -times(s->rate, g));
    } else if (s->optimizer == OPTIMIZER_MOMENTUM) {
        *u = without_subnormals(plus(times(s->beta1, *u), g));
        *w = plus(*w, -times(s->rate, *u));
    } else {
        const float a = times(s->beta1, *u), b = times(plus(1, -s->beta1), g);
        const float c = times(s->beta2, *v), d = times(plus(1, -s->beta2), times(g, g));
        *u = without_subnormals(plus(a, b));
        *v = without_subnormals(plus(c, d));
        volatile float root = sqrtf(*v), quotient = times(s->rate, *u) / plus(root, s->epsilon);
        *w = plus(*w, -quotient);
    }
}

struct weights {
    float w[MOST + 1], u[MOST + 1], v[MOST + 1], g[MOST];
};

static void check_update(const struct net_step *s, const struct weights *start, size_t n)
{
    struct weights one = *start, many;

    for (size_t i = 0; i < n; i++) step_of_one(s, &one.w[i], &one.u[i], &one.v[i], one.g[i]);
    for (way = PLAIN; way < WAYS; way++) {
        many = *start;
        net_update(s, many.w, s->optimizer == OPTIMIZER_SGD ? NULL : many.u,
                   s->optimizer == OPTIMIZER_ADAM ? many.v : NULL, many.g, n);
        for (size_t i = 0; i <= n; i++) { /* and one beyond, where nothing happens */
            same(many.w[i], one.w[i], "w", i);
            same(many.u[i], one.u[i], "u", i);
            same(many.v[i], one.v[i], "v", i);
        }
    }
    way = AVX512;
}

TEST(steps_are_as_of_one_number)
{
    static const float l2[] = { 0, 1e-4f, 0.3f };
    struct rng r = rng_seed(83, 0);
    struct weights x;

    for (int round = 0; round < 270; round++) {
        const size_t n = (size_t)rng_below(&r, round % 2 == 0 ? 80 : MOST);
        const struct net_step s = { (enum optimizer)(round % 3),
                                    0.001f + 0.1f * (float)(round % 2),
                                    l2[round / 3 % 3],
                                    0.9f,
                                    0.999f,
                                    1e-8f };
        fill(&r, x.w, MOST + 1);
        fill(&r, x.u, MOST + 1);
        fill(&r, x.v, MOST + 1);
        fill(&r, x.g, MOST);
        for (size_t i = 0; i <= MOST; i++) x.v[i] = fabsf(x.v[i]);
        check_update(&s, &x, n);
    }
}

/* By hand: adam with rate 1, beta1 1/2, beta2 3/4, epsilon 1, gradient 4, from u = 2, v = 0:
 * u = 1 + 2 = 3, v = 16 / 4 = 4, w -= 3 / (2 + 1). */
TEST(steps_by_hand)
{
    struct net_step s = { OPTIMIZER_ADAM, 1, 0, 0.5f, 0.75f, 1 };
    float w = 5, u = 2, v = 0, g = 4;

    net_update(&s, &w, &u, &v, &g, 1);
    assert_true(w == 4 && u == 3 && v == 4);
    s.optimizer = OPTIMIZER_MOMENTUM;
    s.rate = 0.25f;
    s.l2 = 0.5f; /* g = 4 + 2, u = 1.5 + 6, w = 4 - 7.5 / 4 */
    net_update(&s, &w, &u, NULL, &g, 1);
    assert_true(w == 2.125f && u == 7.5f && v == 4);
    s.optimizer = OPTIMIZER_SGD;
    s.l2 = 0;
    net_update(&s, &w, NULL, NULL, &g, 1);
    assert_true(w == 1.125f && g == 4);
}

/* Without a gradient the means fade, and one day are gone. */
TEST(means_fade_to_nothing)
{
    const struct net_step adam = { OPTIMIZER_ADAM, 0.001f, 0, 0.9f, 0.9f, 1e-8f };
    const struct net_step momentum = { OPTIMIZER_MOMENTUM, 0.001f, 0, 0.9f, 0, 0 };
    float w[40] = { 0 }, u[40], v[40], g[40] = { 0 };

    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 40; i++) u[i] = v[i] = 1;
        for (int i = 0; i < 1000; i++) net_update(round == 0 ? &adam : &momentum, w, u, v, g, 40);
        for (int i = 0; i < 40; i++) assert_true(u[i] == 0 && (round == 1 || v[i] == 0));
    }
}
