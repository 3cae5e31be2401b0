/* test_gradient.c -- every derivative that backpropagation gives, against differences of a loss
 * that is computed here, from nothing but its definition.
 *
 * The loops under test are those of the library: machine/backprop_plain.h is compiled here with
 * double for float, so that differences tell more than rounding; and then the library's own
 * step, in float, is held to what the loops gave in double. */
#include <float.h>
#include <math.h>

#include "t.h"
#include "vec/fmath.h"
#include "vec/net.h"
#include "vec/rng.h"

static double activate(enum activation f, double z)
{
    if (f == ACTIVATION_SIGMOID) return 1 / (1 + exp(-z));
    return f == ACTIVATION_TANH ? tanh(z) : z > 0 ? z : 0;
}

static double slope(enum activation f, double a)
{
    if (f == ACTIVATION_SIGMOID) return a * (1 - a);
    return f == ACTIVATION_TANH ? 1 - a * a : a > 0;
}

#define real           double
#define FMA(a, b, c)   fma(a, b, c)
#define ACTIVATE(f, z) activate(f, z)
#define SLOPE(f, a)    slope(f, a)
#include "machine/backprop_plain.h"

#include "t_alloc.h"

/* ----- a case --------------------------------------------------------------------------- */

/* Column 0 is below the base, column UNUSED in no row. A row counts for nothing. */
enum { ROWS = 7, COLUMNS = 6, UNUSED = 4, MOST = 18, DEEP = 3 };

struct options {
    enum activation f;
    size_t depth, outputs;
    double l2, dropout;
    bool weighted, offset;
};

struct scene {
    struct options o;
    double x[ROWS][COLUMNS];
    uint32_t start[ROWS + 1], column[ROWS * COLUMNS], class[ROWS];
    float value[ROWS * COLUMNS], weight[ROWS];
    struct minibatch batch;
    struct backprop how;
    struct mlp m;                                   /* as the library has it */
    double w[DEEP + 1][MOST * 32], b[DEEP + 1][32]; /* the same in double */
};

static struct env plain_env(void)
{
    return env_resolve(&(perc_env){ .threads = 1 });
}

static void make_rows(struct scene *s, struct rng *r)
{
    uint32_t n = 0;

    for (size_t i = 0; i < ROWS; i++) {
        for (uint32_t j = 1; j < COLUMNS; j++) {
            if (j == UNUSED || rng_below(r, 4) == 0) continue;
            s->column[n] = j;
            s->value[n] = (float)rng_normal(r);
            s->x[i][j] = (double)s->value[n++];
        }
        s->start[i + 1] = n;
        s->class[i] = (uint32_t)(i % (s->o.outputs == 1 ? 2 : s->o.outputs));
        s->weight[i] = s->o.weighted ? (float[]){ 2, 0.25f, 0, 1.5f }[i % 4] : 1;
        s->batch.counted += s->weight[i] > 0;
    }
    s->batch.n = ROWS;
    s->batch.start = s->start;
    s->batch.column = s->column;
    s->batch.value = s->value;
    s->batch.class = s->class;
    s->batch.weight = s->weight;
}

static void make_scene(struct scene *s, const struct env *e, struct options o, uint64_t seed)
{
    struct mlp_shape shape = { .activation = o.f,
                               .offset = o.offset,
                               .start = MLP_HE,
                               .seed = seed,
                               .hidden = { MOST, 5, 3 },
                               .depth = o.depth };
    struct rng r = rng_seed(seed, 1);

    *s = (struct scene){ .o = o };
    make_rows(s, &r);
    s->how = (struct backprop){ .e = *e,
                                .optimizer = OPTIMIZER_SGD,
                                .rate = 0.1,
                                .l2 = o.l2,
                                .dropout = o.dropout,
                                .seed = seed,
                                .steps = 41 };
    assert_int_equal(mlp_init(&s->m, e, &shape, COLUMNS, o.outputs), PERC_OK);
    mlp_draw(&s->m, COLUMNS - 1, 1);
    for (size_t l = 0; l < s->m.layers; l++) {
        const struct layer *y = &s->m.layer[l];
        for (size_t u = 0; u < y->out && o.offset; u++) y->b[u] = (float)(rng_normal(&r) / 4);
        for (size_t k = 0; k < y->in * y->stride; k++) s->w[l][k] = (double)y->w[k];
        for (size_t u = 0; u < y->stride; u++) s->b[l][u] = (double)y->b[u];
    }
}

/* ----- the loss, by its definition ---------------------------------------------------- */

/* Which hidden neurons are above 0, as a number: relu has no derivative where it changes. */
static double slow_loss(const struct scene *s, uint64_t *pattern)
{
    const struct mlp *m = &s->m;
    double sum = 0, squares = 0;

    *pattern = 0;
    for (size_t i = 0; i < ROWS; i++) {
        double a[MOST], z[MOST], all = 0, largest = -INFINITY;
        for (size_t l = 0; l < m->layers; l++) {
            const struct layer *y = &m->layer[l];
            for (size_t u = 0; u < y->out; u++) {
                z[u] = s->b[l][u];
                for (size_t j = 0; j < y->in; j++)
                    z[u] += (l == 0 ? s->x[i][j] : a[j]) * s->w[l][j * y->stride + u];
                if (l + 1 < m->layers) *pattern = *pattern * 31 + (z[u] > 0);
            }
            for (size_t u = 0; u < y->out && l + 1 < m->layers; u++) {
                a[u] = activate(s->o.f, z[u]);
                if (s->o.dropout > 0)
                    a[u] = backprop_stays(&s->how, s->how.steps + 1, l, i, u)
                               ? a[u] * (double)backprop_scale(s->o.dropout)
                               : 0;
            }
        }
        if (s->o.outputs == 1) { /* softmax of (0, z) */
            z[1] = z[0];
            z[0] = 0;
        }
        const size_t classes = s->o.outputs == 1 ? 2 : s->o.outputs;
        for (size_t c = 0; c < classes; c++) largest = fmax(largest, z[c]);
        for (size_t c = 0; c < classes; c++) all += exp(z[c] - largest);
        sum += (double)s->weight[i] * (log(all) + largest - z[s->class[i]]);
    }
    for (size_t l = 0; l < m->layers; l++)
        for (size_t k = 0; k < m->layer[l].in * m->layer[l].stride; k++)
            squares += s->w[l][k] * s->w[l][k];
    return sum / (double)s->batch.counted + s->o.l2 / 2 * squares;
}

/* ----- derivatives ---------------------------------------------------------------------- */

static struct plain open_plain(const struct scene *s)
{
    struct plain t;

    assert_int_equal(plain_open(&t, &s->how, &s->m, &s->batch), PERC_OK);
    for (size_t l = 0; l < s->m.layers; l++) {
        t.layer[l].w = s->w[l];
        t.layer[l].b = s->o.offset ? s->b[l] : NULL;
    }
    return t;
}

/* false: a kink of relu is too near. H is such that the error of the difference, H^2 / 6 times
 * a third derivative, and the rounding of the loss, DBL_EPSILON / H, are both near 1e-11. The
 * bound leaves room for third derivatives in the hundreds. */
static bool same_as_difference(const struct scene *s, double *number, double derivative,
                               double *worst)
{
    static const double H = 1e-5, BOUND = 1e-8;
    const double was = *number;
    uint64_t pattern, up, down;

    slow_loss(s, &pattern);
    *number = was + H;
    const double above = slow_loss(s, &up);
    *number = was - H;
    const double below = slow_loss(s, &down);
    *number = was;
    if (s->o.f == ACTIVATION_RELU && (up != pattern || down != pattern)) return false;
    const double error = fabs((above - below) / (2 * H) - derivative);
    if (!(error <= BOUND * (1 + fabs(derivative))))
        fail_msg("%.12g is not %.12g", derivative, (above - below) / (2 * H));
    *worst = fmax(*worst, error);
    return true;
}

/* The same for all numbers of a layer; counts the derivatives of the loss, without l2, that
 * are not 0. */
static bool check_layer(struct scene *s, const struct plain_layer *y, size_t l, double *worst)
{
    size_t weights = 0, offsets = 0;

    for (size_t j = 0; j < y->in; j++)
        for (size_t u = 0; u < y->out; u++) {
            double *w = &s->w[l][j * y->stride + u];
            const double g = y->gw[j * y->stride + u];
            if (!same_as_difference(s, w, g + s->o.l2 * *w, worst)) return false;
            weights += g != 0;
            if (l == 0 && (j == 0 || j == UNUSED)) assert_true(g == 0);
        }
    for (size_t u = 0; u < y->out; u++) {
        if (!same_as_difference(s, &s->b[l][u], y->gb[u], worst)) return false;
        offsets += y->gb[u] != 0;
    }
    if (weights == 0 || offsets == 0) fail_msg("layer %zu has no gradient", l);
    return l > 0 || weights > 10;
}

/* backprop_plain with momentum: from moments 0 the first are the gradients, l2 among them. */
static void check_float(struct scene *s, const struct plain *t)
{
    struct backprop b = s->how;
    struct backprop_outcome out;
    struct mlp before;

    b.optimizer = OPTIMIZER_MOMENTUM;
    b.momentum = 0.9;
    assert_int_equal(mlp_like(&s->m, &b.first), PERC_OK);
    assert_int_equal(mlp_copy(&s->m.e, &s->m, &before), PERC_OK);
    assert_int_equal(backprop_plain(&b, &s->m, &s->batch, &out), PERC_OK);
    assert_int_equal(b.steps, s->how.steps + 1);
    for (size_t l = 0; l < s->m.layers; l++) {
        const struct layer *y = &s->m.layer[l], *g = &b.first.layer[l], *was = &before.layer[l];
        /* Chains of at most 20 steps: some FLT_EPSILON of numbers of about 1. */
        const double bound = 20 * (double)FLT_EPSILON;
        for (size_t k = 0; k < y->in * y->stride; k++) {
            const double d = t->layer[l].gw[k] + s->o.l2 * s->w[l][k];
            if (!(fabs((double)g->w[k] - d) <= bound)) fail_msg("%g, not %g", (double)g->w[k], d);
            assert_true(y->w[k] == was->w[k] - (float)0.1 * g->w[k]);
        }
        for (size_t u = 0; u < y->stride; u++) {
            const double d = s->o.offset ? t->layer[l].gb[u] : 0;
            if (!(fabs((double)g->b[u] - d) <= bound)) fail_msg("%g, not %g", (double)g->b[u], d);
            assert_true(y->b[u] == was->b[u] - (float)0.1 * g->b[u]);
        }
    }
    mlp_free(&before);
    mlp_free(&b.first);
}

/* false: a kink is near, or too many neurons are off; take another network. */
static bool check_scene(struct options o, uint64_t seed, double *worst)
{
    const struct env e = plain_env();
    struct scene s;
    uint64_t pattern;
    bool good = true;

    make_scene(&s, &e, o, seed);
    struct plain t = open_plain(&s);
    const struct backprop_outcome out = plain_learn(&t);
    double loss = slow_loss(&s, &pattern), squares = 0;
    for (size_t l = 0; l < t.layers; l++)
        for (size_t k = 0; k < t.layer[l].in * t.layer[l].stride; k++)
            squares += s.w[l][k] * s.w[l][k];
    loss = (loss - o.l2 / 2 * squares) * (double)s.batch.counted;
    assert_true(fabs(out.loss - loss) <= 1e-13 * (1 + loss)); /* some ulp, of another order */
    for (size_t l = 0; l < t.layers && good; l++) good = check_layer(&s, &t.layer[l], l, worst);
    if (good) check_float(&s, &t);
    pool_free(&t.pool);
    mlp_free(&s.m);
    return good;
}

static void all_options(enum activation f)
{
    double worst = 0;

    for (unsigned k = 0; k < 96; k++) {
        const struct options o = { .f = f,
                                   .depth = k % 3 + 1,
                                   .outputs = k / 3 % 2 ? 4 : 1,
                                   .l2 = k / 6 % 2 ? 0.3 : 0,
                                   .dropout = k / 12 % 2 ? 0.4 : 0,
                                   .weighted = k / 24 % 2,
                                   .offset = k / 48 % 2 };
        uint64_t seed = 1;
        while (!check_scene(o, seed, &worst)) assert_true(++seed < 50);
    }
    print_message("largest error of a derivative: %.1e\n", worst);
}

TEST(relu)
{
    all_options(ACTIVATION_RELU);
}

TEST(sigmoid)
{
    all_options(ACTIVATION_SIGMOID);
}

TEST(hyperbolic_tangent)
{
    all_options(ACTIVATION_TANH);
}

/* ----- what is not learned from -------------------------------------------------------------- */

static const struct options usual = {
    .f = ACTIVATION_TANH, .depth = 2, .outputs = 4, .weighted = true, .offset = true
};

static void assert_same(const struct mlp *a, const struct mlp *b)
{
    for (size_t l = 0; l < a->layers; l++) {
        const struct layer *y = &a->layer[l], *z = &b->layer[l];
        assert_memory_equal(y->w, z->w, y->in * y->stride * sizeof *y->w);
        assert_memory_equal(y->b, z->b, y->stride * sizeof *y->b);
    }
}

/* A loss that is no number, and a batch of which no row counts: no step. */
TEST(nothing_is_learned)
{
    const struct env e = plain_env();

    for (int which = 0; which < 3; which++) {
        struct scene s;
        struct backprop_outcome out;
        struct mlp before;
        make_scene(&s, &e, usual, 3);
        s.how.optimizer = OPTIMIZER_ADAM;
        assert_int_equal(mlp_like(&s.m, &s.how.first), PERC_OK);
        assert_int_equal(mlp_like(&s.m, &s.how.second), PERC_OK);
        if (which == 0) s.value[s.start[1]] = NAN;
        if (which == 1) s.value[s.start[2]] = NAN; /* a row of weight 0 is seen as well */
        for (size_t i = 0; i < ROWS && which == 2; i++) s.weight[i] = 0;
        if (which == 2) s.batch.counted = 0;
        assert_int_equal(mlp_copy(&e, &s.m, &before), PERC_OK);
        assert_int_equal(backprop_plain(&s.how, &s.m, &s.batch, &out), PERC_OK);
        assert_true(which == 2 ? out.loss == 0 && out.mistakes == 0 : isnan(out.loss));
        assert_int_equal(s.how.steps, 41);
        assert_same(&s.m, &before);
        assert_true(mlp_is_finite(&s.how.first) && s.how.first.layer[0].w[20] == 0);
        mlp_free(&before);
        mlp_free(&s.how.first);
        mlp_free(&s.how.second);
        mlp_free(&s.m);
    }
}

/* Every allocation fails once: the network stays as it was and nothing is lost. */
TEST(memory_runs_out)
{
    const struct env e = plain_env();

    for (struct t_sweep w = { .least = 11, .armed = true }; t_sweep_next(&w);) {
        const struct env counted = env_resolve(&w.env);
        struct scene s;
        struct backprop_outcome out;
        struct mlp before;
        make_scene(&s, &counted, usual, 3);
        assert_int_equal(mlp_copy(&e, &s.m, &before), PERC_OK);
        const long held = w.a.bytes;
        t_sweep_arm(&w);
        const perc_status st = backprop_plain(&s.how, &s.m, &s.batch, &out);
        if (st) assert_same(&s.m, &before);
        t_alloc_holds(&w.a, held);
        mlp_free(&s.m);
        mlp_free(&before);
        t_sweep_judge(&w, st);
    }
}

/* ----- mistakes, the steps of adam, dropout ------------------------------------------------- */

static uint64_t mistakes_of(const float *z, size_t outputs, uint32_t class, float weight)
{
    const struct minibatch one = { .n = 1, .counted = 1, .class = &class, .weight = &weight };
    double p[3], loss;
    float delta[3];
    const uint64_t n = backprop_output(&one, 0, 1, outputs, z, 16, p, &loss, delta);

    if (weight == 0) assert_true(loss == 0 && delta[0] == 0);
    return n;
}

TEST(a_tie_is_a_mistake)
{
    static const float up[] = { 1 }, down[] = { -1 }, zero[] = { 0 }, nan[] = { NAN };
    static const float three[] = { 1, 2, 2 }, clear[] = { 1, 2, 3 };

    assert_int_equal(mistakes_of(up, 1, 1, 1), 0);
    assert_int_equal(mistakes_of(up, 1, 0, 1), 1);
    assert_int_equal(mistakes_of(down, 1, 1, 1), 1);
    assert_int_equal(mistakes_of(down, 1, 0, 1), 0);
    assert_int_equal(mistakes_of(zero, 1, 0, 1), 1);
    assert_int_equal(mistakes_of(zero, 1, 1, 1), 1);
    assert_int_equal(mistakes_of(nan, 1, 0, 1), 1);
    assert_int_equal(mistakes_of(three, 3, 1, 1), 1);
    assert_int_equal(mistakes_of(three, 3, 2, 1), 1);
    assert_int_equal(mistakes_of(clear, 3, 2, 1), 0);
    assert_int_equal(mistakes_of(clear, 3, 1, 1), 1);
    assert_int_equal(mistakes_of(up, 1, 0, 0), 0);
}

/* A certain and wrong network: the loss is |z|, not infinity, and delta is -1 or 1. */
TEST(losses_far_out)
{
    static const float z[] = { 1e30f, -1e30f, 0 };
    const float weight = 1;
    double p[3], loss;
    float delta[3];

    for (uint32_t class = 0; class < 2; class ++) {
        const struct minibatch one = {
            .n = 1, .counted = 1, .class = &(uint32_t){ class }, .weight = &(float){ weight }
        };
        backprop_output(&one, 0, 1, 1, z, 16, p, &loss, delta);
        assert_true(loss == (class == 0 ? (double)1e30f : 0));
        assert_true(delta[0] == (class == 0 ? 1 : 0));
        backprop_output(&one, 0, 1, 3, z, 16, p, &loss, delta);
        assert_true(loss == (class == 0 ? 0 : 2 * (double)1e30f));
        assert_true(delta[0] == (class == 0 ? 0 : 1) && delta[1] == (class == 0 ? 0 : -1));
    }
}

/* Kingma and Ba 2015, algorithm 1, word by word in double. */
TEST(adam_by_the_paper)
{
    struct backprop b = { .optimizer = OPTIMIZER_ADAM, .rate = 0.01, .momentum = 0.8 };
    float w = 1, u = 0, v = 0;
    double theta = 1, m = 0, s = 0;

    for (int t = 1; t <= 3000; t++, b.steps++) {
        const double g = cos(t * 0.1) + 0.3;
        const struct net_step step = backprop_net_step(&b);
        net_update(&step, &w, &u, &v, &(float){ (float)g }, 1);
        m = 0.8 * m + 0.2 * g;
        s = 0.999 * s + 0.001 * g * g;
        theta -= 0.01 * (m / (1 - pow(0.8, t))) / (sqrt(s / (1 - pow(0.999, t))) + 1e-8);
        /* float: 1 - 0.999f is 1e-3 to 1e-5 of itself; w is about 10 in the end. */
        assert_true(fabs((double)w - theta) <= 1e-5 * fabs(1 - theta) + 1e-6);
    }
    assert_true(fabs(theta - 1) > 1); /* it went somewhere */
    b.steps = INT64_MAX - 1;
    assert_true(backprop_net_step(&b).rate == (float)0.01);
}

/* The share that stays, and no tie between neighbours in any direction. */
TEST(dropout_is_chance)
{
    enum { N = 40 };
    static const double shares[] = { 0.1, 0.5, 0.95 };

    for (size_t k = 0; k < 3; k++) {
        const struct backprop b = { .dropout = shares[k], .seed = 5 };
        const struct backprop other = { .dropout = shares[k], .seed = 6 };
        const double stay = 1 - shares[k], n = (double)N * N * N * 2;
        const double both = stay * stay + shares[k] * shares[k];
        double kept = 0, same[5] = { 0 };
        for (int64_t t = 1; t <= N; t++)
            for (size_t at = 0; at < (size_t)N * N * 2; at++) {
                const size_t l = at % 2, i = at / 2 % N, j = at / 2 / N;
                const bool here = backprop_stays(&b, t, l, i, j);
                kept += here;
                same[0] += here == backprop_stays(&b, t + 1, l, i, j);
                same[1] += here == backprop_stays(&b, t, l + 1, i, j);
                same[2] += here == backprop_stays(&b, t, l, i + 1, j);
                same[3] += here == backprop_stays(&b, t, l, i, j + 1);
                same[4] += here == backprop_stays(&other, t, l, i, j);
            }
        /* Five standard deviations; pairs that share a member are nearly independent. */
        assert_true(fabs(kept / n - stay) < 5 * sqrt(stay * shares[k] / n));
        for (size_t d = 0; d < 5; d++)
            assert_true(fabs(same[d] / n - both) < 5 * sqrt(both * (1 - both) * 2 / n));
    }
    assert_true(backprop_scale(0.5) == 2 && stays_share(0) == 0);
}
