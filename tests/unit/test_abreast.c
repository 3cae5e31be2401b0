/* test_abreast.c -- learners side by side are what each would be alone.
 *
 * Several learners, each shown a random part of the rows, go through the data together;
 * each is then compared with perc_fit on the same rows where those it was not shown have
 * weight 0: weights, sums, counters and the reason it stopped, to the bit. */
#include "t.h"
#include "data/mask.h"
#include "learn/abreast.h"
#include "model/train.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

static const char *const rules[] = {
    "algorithm=averaged",
    "algorithm=perceptron",
    "algorithm=perceptron schedule=1/t offset=false rate=0.3",
    "algorithm=averaged schedule=1/sqrt",
    "algorithm=perceptron rate=0.3",
    "algorithm=averaged rule=pa1 aggressiveness=0.1",
    "algorithm=averaged rule=margin margin=0.7 offset=false rate=0.1",
    "algorithm=margin",
    "algorithm=margin margin=3 schedule=1/sqrt",
    "algorithm=pa",
    "algorithm=pa1 aggressiveness=0.01",
    "algorithm=pa2 offset=false",
};
static const char *const more[] = {
    "epochs=4",
    "epochs=3 order=file class-weight=balanced",
    "epochs=5 seed=7 class-weight=1=3,-1=0.25 init=unit",
    "epochs=100 updates=40",
    "epochs=2 init=random seed=3",
    "epochs=0",
    "epochs=3 positive=-1",
    "epochs=2 class-weight=-1=0",
};
enum { RULES = COUNT(rules), MORE = COUNT(more) };

static const char *both(int rule, int extra)
{
    static char text[256];

    snprintf(text, sizeof text, "%s %s", rules[rule], more[extra]);
    return text;
}

/* ----- masks --------------------------------------------------------------------------- */

struct masks {
    size_t n;      /* learners */
    uint8_t *keep; /* [n][rows] */
    uint32_t *to;
};

/* About `share` of the rows for each. */
static struct masks masks_new(size_t n, uint64_t rows, double share, uint64_t seed)
{
    struct masks m = { n, calloc(n, rows), calloc(rows, sizeof(uint32_t)) };
    struct rng r = rng_seed(seed, 9);

    assert_true(m.keep != NULL && m.to != NULL);
    for (size_t c = 0; c < n; c++)
        for (uint64_t i = 0; i < rows; i++) {
            if (rng_uniform(&r) >= share) continue;
            m.keep[c * rows + i] = 1;
            m.to[i] |= (uint32_t)1 << c;
        }
    return m;
}

static void masks_free(struct masks *m)
{
    free(m->keep);
    free(m->to);
}

/* ----- the two ways --------------------------------------------------------------------- */

/* What perc_fit makes of the rows kept. */
static perc_model *alone(const perc_dataset *ds, const perc_params *p, const uint8_t *keep)
{
    const struct env e = env_resolve(NULL);
    perc_dataset *masked;
    perc_error err = { 0 };
    perc_model *m;

    assert_int_equal(mask_dataset(&e, ds, keep, &masked), PERC_OK);
    if (perc_fit(NULL, masked, p, NULL, &m, NULL, &err)) fail_msg("%s", err.text);
    mask_remove(masked);
    return m;
}

/* Likewise: class weights as each learner would have them. */
static struct class_weights weights_of(const perc_dataset *ds, const perc_params *p,
                                       const uint8_t *keep)
{
    const struct env e = env_resolve(NULL);
    struct class_weights w;
    uint64_t count[8] = { 0 };

    assert_int_equal(class_weights_parse(&e, params_text(p, "class-weight"), &w, NULL), PERC_OK);
    for (uint64_t i = 0; i < ds->rows; i++)
        if (keep[i] && perc_dataset_row_weight(ds, i) > 0) count[perc_dataset_row_label(ds, i)]++;
    if (w.balanced) assert_int_equal(class_weights_balance(&w, &ds->labels, count), PERC_OK);
    return w;
}

static bool go_on(void *ud, const struct abreast *a)
{
    (void)a;
    return ud == NULL;
}

static void same_array(const double *a, const double *b, uint64_t n)
{
    for (uint64_t j = 0; j < n; j++) assert_true(t_same_bits(a[j], b[j]));
}

static void same_learner(const struct learner *a, const struct learner *b)
{
    assert_int_equal(a->shown, b->shown);
    assert_int_equal(a->progress.stop, b->progress.stop);
    assert_int_equal(a->progress.epoch, b->progress.epoch);
    assert_int_equal(a->machine->last.dims, b->machine->last.dims);
    same_array(a->machine->last.w, b->machine->last.w, a->machine->last.dims);
    same_array(a->machine->last.b, b->machine->last.b, 1);
    if (a->rule->keep != KEEP_AVERAGE) return;
    same_array(a->machine->sum.w, b->machine->sum.w, a->machine->sum.dims);
    same_array(a->machine->sum.b, b->machine->sum.b, 1);
}

struct job {
    perc_model *m;
    struct class_weights *weights;
    uint64_t *ref;
    struct abreast a;
};

static struct job job_new(const perc_dataset *ds, const perc_params *p, const struct masks *k)
{
    const struct env e = env_resolve(NULL);
    struct job j = { .weights = calloc(k->n, sizeof *j.weights),
                     .ref = calloc(ds->rows, sizeof *j.ref) };
    perc_error err = { 0 };

    if (train_new(&e, ds, p, &j.m, &err)) fail_msg("%s", err.text);
    assert_true(abreast_can(&j.m->learner));
    assert_true(j.weights != NULL && j.ref != NULL);
    for (size_t c = 0; c < k->n; c++) j.weights[c] = weights_of(ds, p, k->keep + c * ds->rows);
    j.a = (struct abreast){ .e = e,
                            .start = &j.m->learner,
                            .n = k->n,
                            .blocks = ds->block,
                            .block_count = ds->blocks,
                            .labels = &ds->labels,
                            .weights = j.weights,
                            .to = k->to,
                            .poll = go_on };
    return j;
}

static void job_free(struct job *j)
{
    for (size_t c = 0; c < j->a.n; c++) class_weights_free(&j->weights[c]);
    abreast_end(&j->a);
    perc_model_free(j->m);
    free(j->weights);
    free(j->ref);
}

/* Returns the number of learners that stopped before the epoch limit. */
static int check(const perc_dataset *ds, const char *options, const struct masks *k)
{
    perc_params *p = t_params("averaged", options);
    struct job j = job_new(ds, p, k);
    int early = 0;

    assert_int_equal(abreast_begin(&j.a, p, &ds->map), PERC_OK);
    for (int64_t pass = 1; abreast_pass_begin(&j.a); pass++) {
        train_order(ds, p, pass, j.ref);
        abreast_rows(&j.a, j.ref, ds->rows);
    }
    for (size_t c = 0; c < k->n; c++) {
        perc_model *want = alone(ds, p, k->keep + c * ds->rows);
        abreast_take(&j.a, c, &j.m->learner);
        assert_int_equal(learner_refresh(&j.m->learner), PERC_OK);
        same_learner(&want->learner, &j.m->learner);
        t_assert_same_machine(want, j.m);
        early += want->learner.progress.stop != PERC_STOP_EPOCHS;
        perc_model_free(want);
    }
    job_free(&j);
    perc_params_free(p);
    return early;
}

/* ----- the tests ------------------------------------------------------------------------ */

static const size_t sizes[] = { 1, 2, 3, 4, 5, 10, 13, 32 };
enum { SIZES = COUNT(sizes) };

TEST(each_is_what_it_would_be_alone)
{
    for (int k = 0; k < RULES * MORE; k++) {
        const uint64_t seed = (uint64_t)k;
        struct t_data d = t_noise(60, 7, k % 2 ? T_REAL : T_WHOLE, 0.6, seed);
        if (k % 3 == 0) t_weigh(&d, seed);
        if (k % 3 == 0) d.weight[5] = d.weight[17] = 0; /* shown to nobody */
        perc_dataset *ds = t_borrow(&d);
        struct masks m = masks_new(sizes[k % SIZES], ds->rows, 0.8, seed);
        check(ds, both(k % RULES, k / RULES), &m);
        masks_free(&m);
        t_free(ds, &d);
    }
}

/* A run that is over stays as it is while the others go on. */
TEST(runs_end_one_by_one)
{
    static const double u[] = { 1, -2, 0.5 };
    int early = 0;

    for (int k = 0; k < 4 * RULES; k++) {
        struct t_data d = t_planted(80, 3, u, 0.2, 0.02 + 0.02 * k, (uint64_t)k);
        perc_dataset *ds = t_borrow(&d);
        struct masks m = masks_new(9, ds->rows, 0.3 + 0.1 * (k % 5), (uint64_t)k);
        char text[256];
        snprintf(text, sizeof text, "%s epochs=30%s", rules[k % RULES], k % 2 ? " updates=25" : "");
        early += check(ds, text, &m);
        masks_free(&m);
        t_free(ds, &d);
    }
    assert_true(early > 50); /* guard: some do end early */
}

TEST(files_and_maps_too)
{
    static const char *const data[] = { "", "map=poly:2", "map=poly:3:hash:5", "scale=standard",
                                        "index=1" };
    struct t_data d = t_noise(300, 9, T_WHOLE, 0.3, 4);

    memset(d.x + 3 * d.cols, 0, d.cols * sizeof *d.x); /* a row without entries */
    t_write(&d, "d.svm", 1, false, "no", "yes");
    for (int k = 0; k < 5 * 4; k++) {
        perc_dataset *ds = t_read("d.svm", data[k % 5]);
        struct masks m = masks_new(6, ds->rows, 0.9, (uint64_t)k);
        char text[256];
        snprintf(text, sizeof text, "%s epochs=3", rules[k * 3 % RULES]);
        check(ds, text, &m);
        masks_free(&m);
        perc_dataset_free(ds);
    }
    t_data_free(&d);
}

/* Several blocks, of which rows are numbered from the first. */
TEST(rows_of_several_blocks)
{
    struct t_data d = t_noise(70000, 2, T_REAL, 0.9, 8);
    perc_dataset *ds = t_borrow(&d);
    struct masks m = masks_new(5, ds->rows, 0.5, 8);

    assert_true(ds->blocks > 1);
    check(ds, "algorithm=averaged epochs=1", &m);
    check(ds, "algorithm=pa1 epochs=1 order=file class-weight=balanced", &m);
    masks_free(&m);
    t_free(ds, &d);
}

TEST(who_wants_to_stop_is_heard)
{
    struct t_data d = t_noise(30000, 30, T_REAL, 1, 8);
    perc_dataset *ds = t_borrow(&d);
    struct masks m = masks_new(3, ds->rows, 0.5, 8);
    perc_params *p = t_params("averaged", "");
    struct job j = job_new(ds, p, &m);
    int passes = 0;

    j.a.ud = &j; /* go_on says no */
    assert_int_equal(abreast_begin(&j.a, p, NULL), PERC_OK);
    for (; abreast_pass_begin(&j.a); passes++) {
        train_order(ds, p, passes + 1, j.ref);
        abreast_rows(&j.a, j.ref, ds->rows);
    }
    assert_int_equal(passes, 1);
    assert_true(j.a.stopped && j.a.examples < 30000);
    job_free(&j);
    masks_free(&m);
    t_free(p, ds, &d);
}

TEST(some_cannot_go_abreast)
{
    static const char *const not [] = { "algorithm=voted", "algorithm=pocket",
                                        "algorithm=averaged multiclass=native",
                                        "algorithm=averaged multiclass=ovr" };
    const struct env e = env_resolve(NULL);
    struct t_data d = t_noise(20, 3, T_REAL, 1, 8);

    for (int k = 0; k < 5; k++) {
        perc_params *p = t_params("averaged", k < 4 ? not [k] : "");
        perc_model *m;
        if (k == 4) d.y[0] = 3; /* a third label */
        perc_dataset *ds = t_borrow(&d);
        assert_int_equal(train_new(&e, ds, p, &m, NULL), PERC_OK);
        assert_false(abreast_can(&m->learner));
        t_free(m, ds, p);
    }
    t_data_free(&d);
}

TEST(memory_may_run_out_anywhere)
{
    struct t_data d = t_noise(30, 4, T_REAL, 1, 8);
    perc_dataset *ds = t_borrow(&d);
    struct masks m = masks_new(5, ds->rows, 0.5, 8);
    perc_params *p = t_params("averaged", "epochs=2");

    for (struct t_sweep s = { .least = 7 /* that many arrays */ }; t_sweep_next(&s);) {
        struct job j = job_new(ds, p, &m);
        j.a.e = env_resolve(&s.env);
        const perc_status st = abreast_begin(&j.a, p, NULL);
        job_free(&j);
        t_sweep_judge(&s, st);
    }
    masks_free(&m);
    t_free(p, ds, &d);
}
