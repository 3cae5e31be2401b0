/* test_backprop.c -- a step in tiles on several threads is the step of the textbook, to the bit:
 * weights, offsets, moments, loss and mistakes, whatever the shape of the network and the batch,
 * and whatever is asked for. */
#include <math.h>

#include "machine/backprop.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"
#include "vec/rng.h"

struct scene {
    size_t columns, outputs;
    size_t hidden[3], depth;
    size_t batch;
    double density; /* of the rows */
    int threads;
    enum activation f;
    bool offset, weighted;
    const char *options; /* of the learner */
};

static struct mlp net_new(const struct env *e, const struct scene *s)
{
    struct mlp_shape shape = { .activation = s->f,
                               .offset = s->offset,
                               .seed = 3,
                               .start = s->f == ACTIVATION_RELU ? MLP_HE : MLP_GLOROT,
                               .depth = s->depth };
    struct mlp m;

    memcpy(shape.hidden, s->hidden, sizeof s->hidden);
    assert_int_equal(mlp_init(&m, e, &shape, s->columns, s->outputs), PERC_OK);
    mlp_draw(&m, s->columns, 0);
    return m;
}

/* A learner for m with the options of the scene, whose steps are shared out however small. */
static struct backprop *learner_new(const struct env *e, const struct scene *s, const struct mlp *m)
{
    perc_params *p = t_params("mlp", s->options);
    struct backprop *b = NULL;

    assert_int_equal(backprop_new(e, p, m, &b), PERC_OK);
    b->pays = 0;
    perc_params_free(p);
    return b;
}

/* Random rows; the first column is never used, and columns that are used come in runs. */
static void fill(struct minibatch *x, const struct scene *s, size_t rows, struct rng *r)
{
    double *v = calloc(s->columns, sizeof *v);
    const size_t classes = s->outputs == 1 ? 2 : s->outputs;

    assert_non_null(v);
    minibatch_clear(x);
    for (size_t i = 0; i < rows; i++) {
        const struct row row = { .value = v,
                                 .n = s->columns,
                                 .stride = sizeof *v,
                                 .values = VALUES_F64,
                                 .indices = INDEX_DENSE };
        for (size_t j = 1; j < s->columns; j++) {
            const bool in = rng_uniform(r) < s->density && j % 7 != 3;
            v[j] = in ? rng_normal(r) : 0;
        }
        const double weight = !s->weighted ? 1 : (double)rng_below(r, 4) / 2;
        assert_int_equal(minibatch_add(x, &row, (size_t)rng_below(r, classes), weight, i), PERC_OK);
    }
    assert_int_equal(minibatch_transpose(x, s->columns), PERC_OK);
    free(v);
}

static void assert_same_net(const struct mlp *a, const struct mlp *b)
{
    assert_int_equal(a->layers, b->layers);
    for (size_t l = 0; l < a->layers; l++) {
        const struct layer *x = &a->layer[l], *y = &b->layer[l];
        assert_int_equal(x->in, y->in);
        assert_int_equal(x->out, y->out);
        for (size_t j = 0; j < x->in; j++)
            assert_memory_equal(x->w + j * x->stride, y->w + j * y->stride, x->out * sizeof *x->w);
        assert_memory_equal(x->b, y->b, x->out * sizeof *x->b);
    }
}

static bool same_net(const struct mlp *a, const struct mlp *b)
{
    bool same = true;

    for (size_t l = 0; l < a->layers; l++)
        same &= memcmp(a->layer[l].w, b->layer[l].w,
                       a->layer[l].in * a->layer[l].stride * sizeof(float)) == 0;
    return same;
}

struct pair { /* the textbook and the fast way, side by side */
    struct mlp plain, fast;
    struct backprop *by_plain, *by_fast;
};

static struct pair pair_new(const struct scene *s)
{
    const struct env one = env_resolve(&(perc_env){ .threads = 1 });
    const struct env many = env_resolve(&(perc_env){ .threads = s->threads });
    struct pair p = { .plain = net_new(&one, s), .fast = net_new(&many, s) };

    p.by_plain = learner_new(&one, s, &p.plain);
    p.by_fast = learner_new(&many, s, &p.fast);
    return p;
}

static void pair_free(struct pair *p)
{
    backprop_free(p->by_plain);
    backprop_free(p->by_fast);
    mlp_free(&p->plain);
    mlp_free(&p->fast);
}

/* One step of both; returns the loss. */
static double pair_step(struct pair *p, struct minibatch *x)
{
    struct backprop_outcome a, b;

    assert_int_equal(backprop_plain(p->by_plain, &p->plain, x, &a), PERC_OK);
    assert_int_equal(backprop_step(p->by_fast, &p->fast, x, &b), PERC_OK);
    assert_true(t_same_bits(a.loss, b.loss) || (isnan(a.loss) && isnan(b.loss)));
    assert_int_equal(a.mistakes, b.mistakes);
    assert_int_equal(p->by_plain->steps, p->by_fast->steps);
    assert_same_net(&p->plain, &p->fast);
    assert_same_net(&p->by_plain->first, &p->by_fast->first);
    assert_same_net(&p->by_plain->second, &p->by_fast->second);
    return a.loss;
}

/* Some steps, the third of which has fewer rows. Returns whether anything was learned. */
static bool check(const struct scene *s, uint64_t seed)
{
    const struct env e = env_resolve(NULL);
    struct pair p = pair_new(s);
    struct mlp before = net_new(&e, s);
    struct rng r = rng_seed(seed, 1);
    struct minibatch x;

    minibatch_init(&x, &e);
    for (int step = 0; step < 4; step++) {
        fill(&x, s, step == 2 ? (s->batch + 2) / 3 : s->batch, &r);
        pair_step(&p, &x);
    }
    const bool learned = !same_net(&before, &p.fast);
    minibatch_free(&x);
    mlp_free(&before);
    pair_free(&p);
    return learned;
}

/* ----- every option, drawn at random ----------------------------------------------------- */

static const struct scene shapes[] = {
    { .columns = 3, .outputs = 1, .hidden = { 2 }, .depth = 1 },
    { .columns = 40, .outputs = 3, .hidden = { 16 }, .depth = 1 },
    { .columns = 41, .outputs = 1, .hidden = { 17, 4 }, .depth = 2 },
    { .columns = 300, .outputs = 10, .hidden = { 100 }, .depth = 1 },
    { .columns = 25, .outputs = 20, .hidden = { 33, 130, 7 }, .depth = 3 },
    { .columns = 20, .outputs = 2, .hidden = { 1100 }, .depth = 1 }, /* wider than a tile */
    { .columns = 9, .outputs = 4, .hidden = { 530, 3 }, .depth = 2 },
    { .columns = 11, .outputs = 1, .hidden = { 3, 530 }, .depth = 2 },
};

static bool check_options(struct scene s, enum optimizer o, struct rng *r)
{
    static const char *const name[] = { "sgd", "momentum", "adam" };
    static const size_t batch[] = { 1, 7, 32, 75 };
    static const double density[] = { 0.02, 0.3, 1 };
    static const int threads[] = { 1, 2, 3, 5 };
    char options[128];

    s.batch = batch[rng_below(r, 4)];
    s.density = density[rng_below(r, 3)];
    s.threads = threads[rng_below(r, 4)];
    s.offset = rng_below(r, 4) > 0;
    s.weighted = rng_below(r, 2) > 0 && s.batch > 1; /* or no row might count */
    snprintf(options, sizeof options, "optimizer=%s l2=%s dropout=%s batch=%zu seed=%d", name[o],
             rng_below(r, 2) ? "0.01" : "0", rng_below(r, 2) ? "0.4" : "0", s.batch,
             (int)rng_below(r, 1000));
    s.options = options;
    return check(&s, rng_u64(r));
}

TEST(steps_are_those_of_the_textbook)
{
    struct rng r = rng_seed(1, 2);
    int scenes = 0, learned = 0;

    for (size_t k = 0; k < COUNT(shapes); k++)
        for (int f = ACTIVATION_RELU; f <= ACTIVATION_TANH; f++)
            for (int o = OPTIMIZER_SGD; o <= OPTIMIZER_ADAM; o++)
                for (int again = 0; again < 3; again++, scenes++) {
                    struct scene s = shapes[k];
                    s.f = (enum activation)f;
                    learned += check_options(s, (enum optimizer)o, &r);
                }
    assert_true(learned * 10 >= scenes * 9); /* guard: some batches are empty */
}

/* More rows than a panel has room for, and tiles of rows of every size. */
TEST(large_batches_too)
{
    static const double density[] = { 0.1, 1 };

    for (size_t n = 100; n <= 2500; n += 1200)
        for (size_t k = 0; k < 2; k++) {
            const struct scene s = { .columns = 60,
                                     .outputs = 3,
                                     .hidden = { 20 },
                                     .depth = 1,
                                     .batch = n,
                                     .density = density[k],
                                     .threads = 3,
                                     .offset = true,
                                     .options = "optimizer=adam" };
            assert_true(check(&s, n + k));
        }
}

/* ----- a network that grows ---------------------------------------------------------------- */

/* With room for more, so that not every one makes rows longer. */
static void add_output(struct mlp *m, size_t room)
{
    if (m->layers == 0) return;
    assert_int_equal(mlp_reserve(&m, 1, room), PERC_OK);
    mlp_insert(m, 1);
}

/* `rows` more rows in each step. */
static void check_growth(size_t rows)
{
    struct scene s = { .columns = 10,
                       .outputs = 16,
                       .hidden = { 5 },
                       .depth = 1,
                       .batch = 9,
                       .density = 0.5,
                       .threads = 2,
                       .offset = true,
                       .options = "rate=0.01" };
    struct pair p = pair_new(&s);
    struct rng r = rng_seed(4, 4);
    struct minibatch x;

    minibatch_init(&x, &p.plain.e);
    for (size_t step = 0; step < 6; step++) {
        fill(&x, &s, s.batch + step * rows, &r);
        pair_step(&p, &x);
        if (rows > 0) continue;
        s.columns += 30;
        assert_int_equal(mlp_grow(&p.plain, s.columns), PERC_OK);
        assert_int_equal(mlp_grow(&p.fast, s.columns), PERC_OK);
        s.outputs++; /* the first one makes rows longer, and the last, whose room is larger still */
        const size_t room = step < 4 ? s.outputs : 70;
        add_output(&p.plain, room);
        add_output(&p.fast, step < 2 ? room + 20 : room);
        add_output(&p.by_plain->first, room);
        add_output(&p.by_plain->second, room);
        add_output(&p.by_fast->first, step < 2 ? room + 20 : room);
        add_output(&p.by_fast->second, step < 2 ? room + 20 : room);
    }
    minibatch_free(&x);
    pair_free(&p);
}

TEST(columns_outputs_and_rows_may_be_added)
{
    check_growth(0);
    check_growth(11);
}

/* ----- nothing to learn -------------------------------------------------------------------- */

static const struct scene small = { .columns = 12,
                                    .outputs = 3,
                                    .hidden = { 20 },
                                    .depth = 1,
                                    .batch = 30,
                                    .density = 0.6,
                                    .threads = 2,
                                    .offset = true,
                                    .options = "optimizer=adam batch=30" };

TEST(what_is_no_number_changes_nothing)
{
    const struct env e = env_resolve(NULL);
    struct pair p = pair_new(&small);
    struct rng r = rng_seed(5, 5);
    struct mlp before;
    struct minibatch x;

    minibatch_init(&x, &e);
    fill(&x, &small, 30, &r);
    pair_step(&p, &x);
    assert_int_equal(mlp_copy(&e, &p.fast, &before), PERC_OK);
    fill(&x, &small, 30, &r);
    x.value[x.entries / 2] = INFINITY;
    assert_int_equal(minibatch_transpose(&x, small.columns), PERC_OK);
    assert_true(!isfinite(pair_step(&p, &x)));
    assert_true(p.by_fast->steps == 1);
    assert_same_net(&before, &p.fast);
    mlp_free(&before);
    minibatch_free(&x);
    pair_free(&p);
}

TEST(rows_that_do_not_count_make_no_step)
{
    struct pair p = pair_new(&small);
    struct rng r = rng_seed(6, 5);
    struct minibatch x;

    minibatch_init(&x, &p.plain.e);
    fill(&x, &small, 3, &r);
    for (size_t i = 0; i < 3; i++) x.weight[i] = 0;
    x.counted = 0;
    assert_true(pair_step(&p, &x) == 0);
    minibatch_clear(&x);
    assert_true(pair_step(&p, &x) == 0);
    assert_true(p.by_fast->steps == 0);
    minibatch_free(&x);
    pair_free(&p);
}

/* ----- a copy goes on alike ---------------------------------------------------------------- */

TEST(copies_go_on_alike)
{
    const struct env e = env_resolve(NULL);
    struct mlp m = net_new(&e, &small), n;
    struct backprop *b = learner_new(&e, &small, &m), *c = learner_new(&e, &small, &m);
    struct backprop_outcome o;
    struct rng r = rng_seed(7, 5);
    struct minibatch x;

    minibatch_init(&x, &e);
    fill(&x, &small, 30, &r);
    for (int k = 0; k < 3; k++) assert_int_equal(backprop_step(b, &m, &x, &o), PERC_OK);
    assert_int_equal(mlp_copy(&e, &m, &n), PERC_OK);
    assert_int_equal(backprop_copy(b, c), PERC_OK);
    assert_int_equal(backprop_step(b, &m, &x, &o), PERC_OK);
    assert_int_equal(backprop_step(c, &n, &x, &o), PERC_OK);
    assert_int_equal(c->steps, 4);
    assert_same_net(&m, &n);
    assert_same_net(&b->first, &c->first);
    assert_same_net(&b->second, &c->second);
    minibatch_free(&x);
    backprop_free(b);
    backprop_free(c);
    mlp_free(&m);
    mlp_free(&n);
}

/* ----- memory ------------------------------------------------------------------------------ */

/* Two steps and a copy with memory that fails at call n. Returns whether it did. */
static void step_twice(struct t_sweep *s, const struct mlp *start, struct minibatch *x)
{
    const struct env e = env_resolve(&s->env);
    perc_params *p = t_params("mlp", "dropout=0.2 batch=30");
    struct backprop *b = NULL, *c = NULL;
    struct backprop_outcome o;
    struct mlp m;
    perc_status st;

    assert_int_equal(mlp_copy(&e, start, &m), PERC_OK);
    t_sweep_arm(s);
    st = backprop_new(&e, p, &m, &b);
    if (st == PERC_OK) {
        b->pays = 0;
        st = backprop_step(b, &m, x, &o);
        if (st != PERC_OK) {
            assert_same_net(start, &m);
            assert_int_equal(b->steps, 0);
            assert_int_equal(backprop_step(b, &m, x, &o), PERC_OK); /* it can be done again */
            assert_int_equal(b->steps, 1);
        }
    }
    if (st == PERC_OK) {
        const long calls = s->a.calls;
        assert_int_equal(backprop_step(b, &m, x, &o), PERC_OK);
        assert_int_equal(s->a.calls, calls); /* no memory is asked for from the second step on */
        st = backprop_new(&e, p, &m, &c);
    }
    if (st == PERC_OK) {
        st = backprop_copy(b, c);
        assert_int_equal(c->steps, st == PERC_OK ? 2 : 0);
    }
    backprop_free(c);
    backprop_free(b);
    mlp_free(&m);
    perc_params_free(p);
    t_sweep_judge(s, st);
}

TEST(memory_may_run_out_anywhere)
{
    const struct env e = env_resolve(NULL);
    struct mlp m = net_new(&e, &small);
    struct rng r = rng_seed(8, 5);
    struct minibatch x;

    minibatch_init(&x, &e);
    fill(&x, &small, 30, &r);
    for (int threads = 1; threads < 4; threads += 2)
        for (struct t_sweep s = { .least = 21, .threads = threads, .armed = true };
             t_sweep_next(&s);)
            step_twice(&s, &m, &x);
    minibatch_free(&x);
    mlp_free(&m);
}
