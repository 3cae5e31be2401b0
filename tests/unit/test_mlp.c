/* test_mlp.c -- networks as numbers: shapes, the start, growth, classes that appear, scores, and
 * tensors. Learning is tested in test_gradient.c and test_backprop.c. */
#include <math.h>

#include "machine/mlp.h"
#include "t.h"
#include "vec/rng.h"

#include "t_alloc.h"
#include "t_hostile.h"

static struct env alone(void)
{
    return env_resolve(&(perc_env){ .threads = 1 });
}

static const struct mlp_shape small = { .activation = ACTIVATION_TANH,
                                        .offset = true,
                                        .start = MLP_GLOROT,
                                        .seed = 7,
                                        .hidden = { 20, 5 },
                                        .depth = 2 };

/* Drawn, with offsets that are not 0. */
static struct mlp make(const struct env *e, const struct mlp_shape *shape, uint64_t columns,
                       size_t outputs)
{
    struct mlp m;
    struct rng r = rng_seed(shape->seed, 99);

    assert_int_equal(mlp_init(&m, e, shape, columns, outputs), PERC_OK);
    mlp_draw(&m, columns, 1);
    for (size_t l = 0; l < m.layers && m.offset; l++)
        for (size_t u = 0; u < m.layer[l].out; u++) m.layer[l].b[u] = (float)rng_normal(&r);
    return m;
}

static void assert_same(const struct mlp *a, const struct mlp *b)
{
    assert_int_equal(a->layers, b->layers);
    for (size_t l = 0; l < a->layers; l++) {
        const struct layer *y = &a->layer[l], *z = &b->layer[l];
        assert_true(y->in == z->in && y->out == z->out && y->stride == z->stride);
        assert_memory_equal(y->w, z->w, y->in * y->stride * sizeof *y->w);
        assert_memory_equal(y->b, z->b, y->stride * sizeof *y->b);
    }
}

/* And the weights begin at cache lines. */
static void assert_padding_is_zero(const struct mlp *m)
{
    for (size_t l = 0; l < m->layers; l++) {
        const struct layer *y = &m->layer[l];
        assert_true((uintptr_t)y->w % 64 == 0 && (uintptr_t)y->b % 64 == 0);
        for (size_t u = y->out; u < y->stride; u++) {
            assert_true(y->b[u] == 0);
            for (size_t j = 0; j < y->in; j++) assert_true(y->w[j * y->stride + u] == 0);
        }
    }
}

/* ----- "100,50" -------------------------------------------------------------------------- */

TEST(layers_are_parsed)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        { "", "--layers is empty" },
        { "100,0", "--layers 100,0: a layer needs at least one neuron" },
        { "10,x", "--layers 10,x: 'x' is not a whole number" },
        { "-3", "a number is missing" },
        { "1.5", "'1.5' is not a whole number" },
        { "10, 20", "' 20' is not a whole number" },
        { "10,,20", "a number is missing" },
        { "10,", "a number is missing" },
        { ",", "a number is missing" },
        { "1048577", "too wide; at most 1048576" },
        { "99999999999999999999999", "too wide" },
        { "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "at most 32" },
    };
    struct mlp_shape s = { .seed = 3 };
    perc_error err;

    assert_int_equal(mlp_parse_layers("100,50,1048576", &s, &err), PERC_OK);
    assert_true(s.depth == 3 && s.hidden[0] == 100 && s.hidden[1] == 50 && s.hidden[2] == 1048576);
    assert_int_equal(s.seed, 3);
    assert_int_equal(mlp_parse_layers("10-20", &s, &err), PERC_OK); /* as in --search */
    assert_true(s.depth == 2 && s.hidden[0] == 10 && s.hidden[1] == 20);
    assert_int_equal(mlp_parse_layers("007", &s, &err), PERC_OK);
    assert_true(s.depth == 1 && s.hidden[0] == 7);
    for (size_t k = 0; k < COUNT(bad); k++) {
        assert_refused(mlp_parse_layers(bad[k].text, &s, &err), PERC_EARG, &err, bad[k].says);
    }
    assert_true(s.depth == 1 && s.hidden[0] == 7); /* not touched by what was refused */
}

/* ----- shape and start ------------------------------------------------------------------- */

TEST(shape)
{
    const struct env e = alone();
    struct mlp m = { 0 };

    mlp_free(&m);
    assert_int_equal(mlp_init(&m, &e, &small, 9, 3), PERC_OK);
    assert_int_equal(m.layers, 3);
    assert_true(m.layer[0].in == 9 && m.layer[0].out == 20 && m.layer[0].stride == 32);
    assert_true(m.layer[1].in == 20 && m.layer[1].out == 5 && m.layer[1].stride == 16);
    assert_true(m.layer[2].in == 5 && mlp_outputs(&m) == 3);
    assert_int_equal(mlp_weights(&m, 1), 8 * 20 + 20 + 20 * 5 + 5 + 5 * 3 + 3);
    m.offset = false;
    assert_int_equal(mlp_weights(&m, 0), 9 * 20 + 20 * 5 + 5 * 3);
    for (size_t l = 0; l < 3; l++)
        for (size_t k = 0; k < m.layer[l].in * m.layer[l].stride; k++)
            assert_true(m.layer[l].w[k] == 0);
    assert_true(mlp_is_finite(&m) && !mlp_any_negative(&m));
    m.layer[2].b[2] = -INFINITY;
    assert_true(!mlp_is_finite(&m) && mlp_any_negative(&m));
    m.layer[2].b[2] = 0;
    m.layer[1].w[19 * 16 + 4] = NAN;
    assert_true(!mlp_is_finite(&m) && !mlp_any_negative(&m));
    mlp_free(&m);
    /* Sizes that no machine has are "out of memory". */
    assert_int_equal(mlp_init(&m, &e, &small, UINT64_MAX / 2, 3), PERC_ENOMEM);
    assert_int_equal(mlp_init(&m, &e, &small, 9, SIZE_MAX), PERC_ENOMEM);
    mlp_free(&m);
}

/* n normal numbers of this variance: the estimate is off by sqrt(2/n) of it, times 5. */
static void assert_variance(const struct layer *y, size_t from, double variance)
{
    double sum = 0, squares = 0;
    const double n = (double)((y->in - from) * y->out);

    for (size_t j = from; j < y->in; j++)
        for (size_t u = 0; u < y->out; u++) {
            const double w = (double)y->w[j * y->stride + u];
            sum += w;
            squares += w * w;
        }
    assert_true(n > 1000);
    assert_true(fabs(sum / n) < 5 * sqrt(variance / n));
    assert_true(fabs(squares / n / variance - 1) < 5 * sqrt(2 / n));
}

TEST(the_start_is_normal)
{
    const struct env e = alone();
    struct mlp_shape s = { .start = MLP_HE, .seed = 4, .hidden = { 150, 90 }, .depth = 2 };

    for (int he = 0; he < 2; he++) {
        struct mlp m;
        s.start = he ? MLP_HE : MLP_GLOROT;
        assert_int_equal(mlp_init(&m, &e, &s, 81, 40), PERC_OK);
        mlp_draw(&m, 80, 1);
        assert_variance(&m.layer[0], 1, he ? 2.0 / 80 : 2.0 / (80 + 150));
        assert_variance(&m.layer[1], 0, he ? 2.0 / 150 : 2.0 / (150 + 90));
        assert_variance(&m.layer[2], 0, 2.0 / (90 + 40));
        for (size_t u = 0; u < 150; u++) assert_true(m.layer[0].w[u] == 0); /* below the base */
        for (size_t u = 0; u < 40; u++) assert_true(m.layer[2].b[u] == 0);
        assert_padding_is_zero(&m);
        mlp_free(&m);
    }
}

/* Rows, layers and seeds have numbers of their own. */
TEST(nothing_is_drawn_twice)
{
    const struct env e = alone();
    struct mlp_shape s = { .start = MLP_GLOROT, .seed = 1, .hidden = { 8, 8, 8 }, .depth = 3 };
    struct mlp a, b;

    assert_int_equal(mlp_init(&a, &e, &s, 8, 8), PERC_OK);
    mlp_draw(&a, 8, 0);
    s.seed = 2;
    assert_int_equal(mlp_init(&b, &e, &s, 8, 8), PERC_OK);
    mlp_draw(&b, 8, 0);
    const float *row[2 * 4 * 8];
    for (size_t k = 0; k < 64; k++) {
        const struct layer *y = &(k < 32 ? &a : &b)->layer[k / 8 % 4];
        row[k] = y->w + k % 8 * y->stride;
        for (size_t i = 0; i < k; i++)
            for (size_t u = 0; u < 8; u++) assert_true(row[k][u] != row[i][0]);
    }
    mlp_free(&a);
    mlp_free(&b);
}

TEST(growth_does_not_matter)
{
    const struct env e = alone();
    struct mlp whole, part, none;

    assert_int_equal(mlp_init(&whole, &e, &small, 100, 3), PERC_OK);
    mlp_draw(&whole, 50, 1);
    assert_int_equal(mlp_init(&part, &e, &small, 0, 3), PERC_OK);
    mlp_draw(&part, 50, 1);
    for (uint64_t n = 0; n <= 100; n += n % 3 + 1) assert_int_equal(mlp_grow(&part, n), PERC_OK);
    assert_int_equal(mlp_grow(&part, 100), PERC_OK);
    assert_int_equal(mlp_grow(&part, 40), PERC_OK); /* no step back */
    assert_same(&whole, &part);
    assert_true(part.layer[0].room < 200);
    assert_padding_is_zero(&part);

    assert_int_equal(mlp_like(&whole, &none), PERC_OK); /* moments: what appears is 0 */
    assert_int_equal(mlp_grow(&none, 130), PERC_OK);
    for (size_t k = 0; k < 130 * none.layer[0].stride; k++) assert_true(none.layer[0].w[k] == 0);
    mlp_free(&whole);
    mlp_free(&part);
    mlp_free(&none);
}

/* A network that becomes a smaller one: what it had beyond is forgotten. */
TEST(a_smaller_one_is_assigned)
{
    const struct env e = alone();
    struct mlp large = make(&e, &small, 100, 3), part = make(&e, &small, 40, 3);

    large.features = 0; /* draws nothing */
    mlp_assign(&large, &part);
    assert_same(&large, &part);
    assert_int_equal(mlp_grow(&large, 90), PERC_OK);
    for (size_t k = 40 * 32; k < 90 * 32; k++) assert_true(large.layer[0].w[k] == 0);
    mlp_free(&large);
    mlp_free(&part);
}

/* However often it grows by one, memory is asked for some times only. */
TEST(growth_is_geometric)
{
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_resolve(&(perc_env){ t_alloc, &a, 1 });
    struct mlp m;

    assert_int_equal(mlp_init(&m, &e, &small, 1, 1), PERC_OK);
    t_alloc_again(&a, -1);
    for (uint64_t n = 2; n < 5000; n++) assert_int_equal(mlp_grow(&m, n), PERC_OK);
    assert_true(a.calls < 30);
    mlp_free(&m);
    t_alloc_holds(&a, 0);
}

TEST(copies)
{
    const struct env e = alone();
    struct mlp m = make(&e, &small, 12, 3), copy, other;

    assert_int_equal(mlp_copy(&e, &m, &copy), PERC_OK);
    assert_same(&m, &copy);
    assert_true(copy.seed == m.seed && copy.features == 12 && copy.below == 1);
    assert_int_equal(mlp_grow(&m, 50), PERC_OK);
    assert_int_equal(mlp_grow(&copy, 50), PERC_OK); /* it draws as the first does */
    assert_same(&m, &copy);
    copy.layer[1].w[3]++;
    assert_true(copy.layer[1].w[3] != m.layer[1].w[3]);
    mlp_assign(&copy, &m);
    assert_same(&m, &copy);
    assert_int_equal(mlp_like(&m, &other), PERC_OK);
    assert_int_equal(other.features, 0);
    mlp_assign(&other, &m);
    assert_same(&m, &other);
    mlp_free(&m);
    mlp_free(&copy);
    mlp_free(&other);
}

/* ----- rows ------------------------------------------------------------------------------ */

struct table {
    struct sparse x;
    uint32_t *start, *column;
    float *value;
    float *dense; /* [rows][columns] */
};

/* A `share` of the values is there, from column 1 on; some are stored zeros. */
static struct table make_table(size_t rows, size_t columns, double share, uint64_t seed)
{
    struct rng r = rng_seed(seed, 5);
    struct table t = { .start = calloc(rows + 1, sizeof *t.start),
                       .column = calloc(rows * columns + 1, sizeof *t.column),
                       .value = calloc(rows * columns + 1, sizeof *t.value),
                       .dense = calloc(rows * columns + 1, sizeof *t.dense) };
    uint32_t n = 0;

    for (size_t i = 0; i < rows; i++) {
        for (uint32_t j = 1; j < columns; j++) {
            if (rng_uniform(&r) >= share) continue;
            t.column[n] = j;
            t.value[n] = rng_below(&r, 20) == 0 ? 0 : (float)rng_normal(&r);
            t.dense[i * columns + j] = t.value[n++];
        }
        t.start[i + 1] = n;
    }
    t.x = (struct sparse){ rows, t.start, t.column, t.value };
    return t;
}

static void free_table(struct table *t)
{
    free(t->start);
    free(t->column);
    free(t->value);
    free(t->dense);
}

/* One row, from the formulas: chains over all columns, the zeros among them. */
static void naive_forward(const struct mlp *m, const float *x, float *a, float *z)
{
    for (size_t l = 0; l < m->layers; l++) {
        const struct layer *y = &m->layer[l];
        for (size_t u = 0; u < y->out; u++) {
            z[u] = 0;
            for (size_t j = 0; j < y->in; j++)
                z[u] = fmaf(l == 0 ? x[j] : a[j], y->w[j * y->stride + u], z[u]);
            if (m->offset) z[u] += y->b[u];
        }
        for (size_t u = 0; u < y->out && l + 1 < m->layers; u++)
            a[u] = net_activation_of(m->activation, z[u]);
    }
}

/* Any share of entries -- spread out or not --, any rows: the bits of the plain loop. */
TEST(forward_is_the_plain_loop)
{
    static const double shares[] = { 0, 0.02, 0.3, 0.45, 0.55, 0.9, 1 };
    static const size_t columns[] = { 1, 7, 256, 257, 600 };
    const struct env e = alone();

    for (size_t k = 0; k < 7 * 5 * 3 * 2; k++) {
        const size_t width = columns[k % 5], rows = 1 + k * 7 % 40;
        struct mlp_shape s = { .activation = (enum activation)(k / 35 % 3),
                               .offset = k / 105,
                               .start = MLP_HE,
                               .seed = k,
                               .hidden = { 33, 16, 3 },
                               .depth = k % 3 + 1 };
        struct mlp m = make(&e, &s, width, k % 2 ? 1 : 17);
        if (!m.offset) m.layer[0].b[0] = 3; /* not to be read */
        struct table t = make_table(rows, width, shares[k / 5 % 7], k);
        struct mlp_scratch a;
        assert_int_equal(mlp_scratch_init(&a, &e, &m, rows), PERC_OK);
        const size_t cut = rows / 3;
        mlp_forward(&m, &a, &t.x, cut, rows);
        mlp_forward(&m, &a, &t.x, 0, cut);
        mlp_forward(&m, &a, &t.x, cut, cut);
        mlp_forward(&m, &a, &t.x, 0, rows / 2); /* again: nothing is left of what was there */
        for (size_t i = 0; i < rows; i++) {
            float hidden[40], z[40];
            const float *got = a.a[m.layers - 1] + i * a.stride[m.layers - 1];
            naive_forward(&m, t.dense + i * width, hidden, z);
            for (size_t u = 0; u < mlp_outputs(&m); u++)
                if (got[u] != z[u])
                    fail_msg("case %zu: %a, not %a", k, (double)got[u], (double)z[u]);
            for (size_t u = mlp_outputs(&m); u < a.stride[m.layers - 1]; u++)
                assert_true(got[u] == 0);
        }
        mlp_scratch_free(&a);
        free_table(&t);
        mlp_free(&m);
    }
}

/* Rows without a gap, of different lengths, and one that begins later: not quite a matrix. */
TEST(nearly_dense_rows)
{
    enum { ROWS = 3, WIDTH = 40 };
    const struct env e = alone();
    struct mlp m = make(&e, &small, WIDTH, 2);
    struct mlp_scratch a;

    assert_int_equal(mlp_scratch_init(&a, &e, &m, ROWS), PERC_OK);
    for (uint32_t k = 0; k < 4; k++) {
        struct table t = make_table(ROWS, WIDTH, 0, 1);
        uint32_t n = 0;
        for (uint32_t i = 0; i < ROWS; i++) {
            const uint32_t first = k == 1 ? 1 + i : 1;
            const uint32_t end = WIDTH - (k == 0 ? 2 - i : k == 2 ? i : 0);
            for (uint32_t j = first; j < end; j++) {
                if (k == 3 && i == 1 && j == 20) continue;
                t.column[n] = j;
                t.dense[i * WIDTH + j] = t.value[n++] = (float)(i + 1) / (float)(j + 1);
            }
            t.start[i + 1] = n;
        }
        mlp_forward(&m, &a, &t.x, 0, ROWS);
        for (size_t i = 0; i < ROWS; i++) {
            float hidden[20], z[20];
            naive_forward(&m, t.dense + i * WIDTH, hidden, z);
            assert_true(a.a[2][i * 16] == z[0] && a.a[2][i * 16 + 1] == z[1]);
        }
        free_table(&t);
    }
    mlp_scratch_free(&a);
    mlp_free(&m);
}

TEST(probabilities)
{
    double p[3];

    for (double z = -40; z <= 40; z += 0.37) { /* 2 ulp of fm_exp, and the quotient */
        mlp_proba(&z, 1, p);
        assert_true(fabs(p[0] - 1 / (1 + exp(-z))) <= 1e-15 * p[0]);
        mlp_proba((double[]){ -z / 2, z / 2 }, 2, p + 1);
        assert_true(fabs(p[2] - p[0]) <= 2e-15 * p[0]);
    }
    mlp_proba(&(double){ 1e300 }, 1, p);
    assert_true(p[0] == 1);
    mlp_proba(&(double){ -1e300 }, 1, p);
    assert_true(p[0] == 0);
    mlp_proba(&(double){ -700 }, 1, p);
    assert_true(p[0] > 0);
    mlp_proba(&(double){ 0 }, 1, p);
    assert_true(p[0] == 0.5);
    mlp_proba((double[]){ 1e300, -1e300, 1e300 }, 3, p);
    assert_true(p[0] == 0.5 && p[1] == 0 && p[2] == 0.5);
    mlp_proba((double[]){ -1e300, -1e300, -1e300 }, 3, p);
    assert_true(p[0] == 1.0 / 3 && p[1] == p[0] && p[2] == p[0]);
    memcpy(p, (double[]){ 1, 2, 4 }, sizeof p); /* in place */
    mlp_proba(p, 3, p);
    const double sum = exp(1) + exp(2) + exp(4);
    assert_true(fabs(p[0] - exp(1) / sum) < 1e-15 && fabs(p[2] - exp(4) / sum) < 1e-15);
    mlp_proba(&(double){ NAN }, 1, p);
    assert_true(isnan(p[0]));
}

/* ----- classes that appear --------------------------------------------------------------- */

enum { SHOWN = 11 };

/* p of SHOWN rows: the probability of class 1 for one output, else of all. */
static void probabilities_of(const struct mlp *m, const struct table *t, double *p)
{
    const size_t outputs = mlp_outputs(m);
    struct mlp_scratch a;

    assert_int_equal(mlp_scratch_init(&a, &m->e, m, SHOWN), PERC_OK);
    mlp_forward(m, &a, &t->x, 0, SHOWN);
    for (size_t i = 0; i < SHOWN; i++) {
        for (size_t u = 0; u < outputs; u++)
            p[i * outputs + u] = (double)a.a[m->layers - 1][i * a.stride[m->layers - 1] + u];
        mlp_proba(p + i * outputs, outputs, p + i * outputs);
    }
    mlp_scratch_free(&a);
}

TEST(classes_appear)
{
    const struct env e = alone();
    struct mlp m = make(&e, &small, 30, 1);
    struct table t = make_table(SHOWN, 30, 0.5, 2);
    double one[SHOWN], turned[SHOWN], two[SHOWN * 2];

    probabilities_of(&m, &t, one);
    mlp_negate(&m);
    probabilities_of(&m, &t, turned);
    for (size_t i = 0; i < SHOWN; i++) assert_true(fabs(one[i] + turned[i] - 1) < 1e-15);
    mlp_negate(&m);
    assert_int_equal(mlp_reserve(&(struct mlp *){ &m }, 1, 2), PERC_OK);
    mlp_split(&m, false);
    assert_int_equal(mlp_outputs(&m), 2);
    probabilities_of(&m, &t, two);
    for (size_t i = 0; i < SHOWN; i++) /* halves are exact */
        assert_true(fabs(two[2 * i + 1] - one[i]) < 1e-15 && one[i] > 0.001 && one[i] < 0.999);
    mlp_free(&m);
    free_table(&t);
}

/* Across the stride, at the front, in between and at the end: the new z is 0, the others stay. */
TEST(classes_are_inserted)
{
    const struct env e = alone();

    for (size_t outputs = 2; outputs < 35; outputs += outputs % 5 + 1)
        for (size_t at = 0; at <= outputs; at += at == 0 ? 1 : outputs - 1) {
            struct mlp m = make(&e, &small, 30, outputs), wide;
            assert_int_equal(mlp_copy(&e, &m, &wide), PERC_OK);
            assert_int_equal(mlp_reserve(&(struct mlp *){ &wide }, 1, outputs + 1), PERC_OK);
            mlp_insert(&wide, at);
            assert_int_equal(mlp_outputs(&wide), outputs + 1);
            assert_padding_is_zero(&wide);
            const struct layer *y = &m.layer[2], *z = &wide.layer[2];
            assert_int_equal(z->stride, matrix_stride(outputs + 1));
            for (size_t j = 0; j <= y->in; j++) {
                const float *was = j < y->in ? y->w + j * y->stride : y->b;
                const float *now = j < y->in ? z->w + j * z->stride : z->b;
                for (size_t u = 0; u <= outputs; u++)
                    assert_true(now[u] == (u == at ? 0 : was[u - (u > at)]));
            }
            mlp_free(&m);
            mlp_free(&wide);
        }
}

/* A network and its moments have rows of the same length, or a step would mix them up. */
TEST(outputs_are_reserved_in_all_or_in_none)
{
    for (struct t_sweep s = { .armed = true }; t_sweep_next(&s);) {
        const struct env e = alone(), counted = env_resolve(&s.env);
        struct mlp m = make(&counted, &small, 30, 16), was, moments[2];
        struct mlp *const all[] = { &m, &moments[0], &moments[1] };
        assert_int_equal(mlp_copy(&e, &m, &was), PERC_OK);
        for (size_t k = 0; k < 2; k++) assert_int_equal(mlp_like(&m, &moments[k]), PERC_OK);
        const long held = s.a.bytes;
        t_sweep_arm(&s);
        const perc_status st = mlp_reserve(all, 3, 40);
        if (st) t_alloc_holds(&s.a, held);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(all[k]->layer[2].stride, st ? 16 : 48);
            assert_int_equal(mlp_outputs(all[k]), 16);
            assert_padding_is_zero(all[k]);
        }
        for (size_t j = 0; j < 5; j++)
            assert_memory_equal(m.layer[2].w + j * m.layer[2].stride, was.layer[2].w + j * 16, 64);
        assert_memory_equal(m.layer[2].b, was.layer[2].b, 64);
        mlp_free(&was);
        for (size_t k = 0; k < 3; k++) mlp_free(all[k]);
        t_sweep_judge(&s, st);
    }
}

TEST(moments_split)
{
    const struct env e = alone();
    struct mlp m = make(&e, &small, 3, 1), squares;

    assert_int_equal(mlp_copy(&e, &m, &squares), PERC_OK);
    assert_int_equal(mlp_reserve(&(struct mlp *){ &squares }, 1, 2), PERC_OK);
    mlp_split(&squares, true);
    for (size_t j = 0; j < 5; j++) {
        const float *w = squares.layer[2].w + j * 16, was = m.layer[2].w[j * 16];
        assert_true(w[0] == was / 4 && w[1] == was / 4);
    }
    assert_true(squares.layer[2].b[0] == m.layer[2].b[0] / 4);
    mlp_free(&m);
    mlp_free(&squares);
}

/* ----- tensors --------------------------------------------------------------------------- */

/* As after reading: sorted by name. */
static perc_status pack(const struct mlp *m, const struct env *e, struct tensors *t)
{
    tensors_init(t, e);
    const perc_status st = mlp_pack(m, 1, "layer.", t);
    if (!st) t_sort(t);
    return st;
}

TEST(a_network_in_tensors)
{
    const struct env e = alone();

    for (size_t k = 0; k < 12; k++) {
        struct mlp_shape s = small;
        s.hidden[0] = k % 2 ? 16 : 20; /* without padding, and with it */
        s.offset = k % 3 > 0;
        const uint64_t columns = k < 6 ? 13 : 1; /* 1: no feature at all */
        struct mlp m = make(&e, &s, columns, k % 4 == 0 ? 1 : 16), back, moments;
        struct tensors t;
        perc_error err;
        assert_int_equal(pack(&m, &e, &t), PERC_OK);
        assert_int_equal(t.n, 6);
        const struct tensor *first = tensors_find(&t, "layer.0.weight");
        assert_true(first->dims == 2 && first->shape[0] == columns - 1 &&
                    first->shape[1] == s.hidden[0] && first->type == DTYPE_F32);
        assert_int_equal(tensors_find(&t, "layer.2.offset")->count, mlp_outputs(&m));
        s.seed = 1234;
        assert_int_equal(mlp_init(&back, &e, &s, k % 5 * 5, mlp_outputs(&m)), PERC_OK);
        mlp_draw(&back, 3, 0);
        assert_int_equal(mlp_unpack(&back, 1, "layer.", true, &t, &err), PERC_OK);
        assert_same(&m, &back);
        assert_int_equal(mlp_like(&m, &moments), PERC_OK);
        assert_int_equal(mlp_unpack(&moments, 1, "layer.", false, &t, &err), PERC_OK);
        assert_same(&m, &moments);
        assert_padding_is_zero(&back);
        mlp_free(&m);
        mlp_free(&back);
        mlp_free(&moments);
        tensors_free(&t);
    }
}

struct unchanged {
    struct mlp now, before;
};

static perc_status unpack_layers(void *ud, struct tensors *t, perc_error *err)
{
    struct unchanged *net = ud;
    const perc_status st = mlp_unpack(&net->now, 1, "layer.", true, t, err);

    assert_same(&net->now, &net->before);
    return st;
}

/* Each tensor, damaged in each way. Nothing of the network changes. */
TEST(hostile_tensors)
{
    static const struct hostile list[] = {
        { GONE, "layer.1.weight", NULL, "tensor 'layer.1.weight' is missing" },
        { GONE, "layer.2.offset", NULL, "tensor 'layer.2.offset' is missing" },
        { NARROWER, "layer.0.weight", NULL,
          "tensor 'layer.0.weight' must be F32 of shape [.., 20]" },
        { SHAPE, "layer.1.weight", "21,5", "tensor 'layer.1.weight' must be F32 of shape [20, 5]" },
        { SHORTER, "layer.0.offset", NULL, "tensor 'layer.0.offset' must be F32 of shape [20]" },
        { TYPE, "layer.1.weight", "U32", "must be F32 of shape" },
        { TYPE, "layer.1.offset", "F64", "must be F32 of shape" },
        { ELEMENT, "layer.0.weight[239]", "nan", "layer.0.weight[11, 19] is not a finite number" },
        { ELEMENT, "layer.2.weight[14]", "inf", "layer.2.weight[4, 2] is not a finite number" },
        { ELEMENT, "layer.1.offset[4]", "-inf", "layer.1.offset[4] is not a finite number" },
        { TURNED, "layer.0.weight", NULL, "must be F32 of shape" },
        { TURNED, "layer.1.offset", NULL, "must be F32 of shape" },
    };
    const struct env e = alone();
    struct mlp m = make(&e, &small, 13, 3);
    struct unchanged net;
    struct tensors good;

    assert_int_equal(mlp_init(&net.now, &e, &small, 4, 3), PERC_OK);
    mlp_draw(&net.now, 3, 0);
    assert_int_equal(mlp_copy(&e, &net.now, &net.before), PERC_OK);
    assert_int_equal(pack(&m, &e, &good), PERC_OK);
    t_refuses(&good, unpack_layers, &net, list, COUNT(list));
    tensors_free(&good);
    mlp_free(&m);
    mlp_free(&net.now);
    mlp_free(&net.before);
}

TEST(moments_have_the_shape_of_the_weights)
{
    const struct env e = alone();
    struct mlp m = make(&e, &small, 13, 3), other;
    struct tensors t;
    perc_error err;

    assert_int_equal(pack(&m, &e, &t), PERC_OK);
    assert_int_equal(mlp_init(&other, &e, &small, 14, 3), PERC_OK);
    assert_refused(mlp_unpack(&other, 1, "layer.", false, &t, &err), PERC_EDATA, &err,
                   "must be F32 of shape [13, 20]");
    other.offset = false;
    assert_refused(mlp_unpack(&other, 1, "layer.", true, &t, &err), PERC_EDATA, &err,
                   "layer.0.offset[0] must be 0");
    tensors_free(&t);
    mlp_free(&m);
    mlp_free(&other);
}

/* ----- memory ---------------------------------------------------------------------------- */

/* One call of those that can fail, by number; *end: there are no more. */
static perc_status do_one(int what, struct mlp *m, const struct tensors *t, bool *end)
{
    struct mlp other = { 0 };
    struct mlp_scratch a = { 0 };
    struct tensors packed_to;
    perc_status st = PERC_OK;

    *end = what == 8;
    switch (what) {
    case 0:
        st = mlp_init(&other, &m->e, &small, 9, 2);
        mlp_free(&other);
        break;
    case 1:
        st = mlp_copy(&m->e, m, &other);
        mlp_free(&other);
        break;
    case 2:
        st = mlp_like(m, &other);
        mlp_free(&other);
        break;
    case 3: st = mlp_grow(m, 1000); break;
    case 4:
        st = mlp_scratch_init(&a, &m->e, m, 9);
        mlp_scratch_free(&a);
        break;
    case 5: st = mlp_reserve(&m, 1, 33); break;
    case 6: st = mlp_unpack(m, 1, "layer.", true, t, NULL); break;
    case 7:
        st = pack(m, &m->e, &packed_to);
        tensors_free(&packed_to);
        break;
    default: break;
    }
    return st;
}

/* Each call fails at each of its allocations: the network is what it was. */
TEST(memory_runs_out)
{
    const struct env e = alone();
    struct mlp file = make(&e, &small, 300, 16);
    struct tensors t;
    bool end = false;

    assert_int_equal(pack(&file, &e, &t), PERC_OK);
    for (int what = 0; !end; what++) {
        for (struct t_sweep s = { .armed = true }; t_sweep_next(&s);) {
            const struct env counted = env_resolve(&s.env);
            struct mlp m = make(&counted, &small, 30, 16), before;
            assert_int_equal(mlp_copy(&e, &m, &before), PERC_OK);
            const long held = s.a.bytes;
            t_sweep_arm(&s);
            const perc_status st = do_one(what, &m, &t, &end);
            assert_true(st || s.n > 0 || end); /* each needs memory */
            if (st) {
                assert_same(&m, &before);
                t_alloc_holds(&s.a, held);
            }
            mlp_free(&m);
            mlp_free(&before);
            t_sweep_judge(&s, st);
        }
    }
    tensors_free(&t);
    mlp_free(&file);
}
