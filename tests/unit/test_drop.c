/* test_drop.c -- rows that err again and again are set aside: --drop-after.
 *
 * The reference is a loop written out here, which keeps its updates in a list and strikes out
 * those of a row that is set aside. Both loops of the library must make the same mistakes
 * and set the same rows aside; and what is left must be what a machine can learn. */
#include <math.h>

#include "t_fit.h"

enum { CLASSES = 4 };

/* ----- the reference ------------------------------------------------------------------ */

struct slow {
    const struct t_data *d;
    const struct kernel *kernel;
    size_t classes, after;
    size_t n, room, dropped;
    struct {
        size_t row, up, down;
        double step;
    } * update;
    int *count;   /* mistakes by row; -1: set aside */
    size_t *list; /* rows set aside */
    double b[CLASSES];
};

static struct row row_of(const struct t_data *d, size_t i)
{
    return (struct row){ .value = d->x + i * d->cols,
                         .n = d->cols,
                         .stride = sizeof(double),
                         .values = VALUES_F64,
                         .indices = INDEX_DENSE };
}

static void add(struct slow *t, size_t row, size_t up, size_t down, double step)
{
    assert_true(t->n < t->room);
    t->update[t->n].row = row;
    t->update[t->n].up = up;
    t->update[t->n].down = down;
    t->update[t->n++].step = step;
    t->b[up] += step;
    t->b[down] -= step;
}

static void scores(const struct slow *t, size_t i, double *s)
{
    const struct row x = row_of(t->d, i);

    for (size_t c = 0; c < t->classes; c++) s[c] = 0;
    for (size_t k = 0; k < t->n; k++) {
        const struct row z = row_of(t->d, t->update[k].row);
        const double v = t->update[k].step * kernel_value(t->kernel, &z,
                                                          kernel_norm2(t->kernel, &z), &x,
                                                          kernel_norm2(t->kernel, &x));
        s[t->update[k].up] += v;
        s[t->update[k].down] -= v;
    }
    for (size_t c = 0; c < t->classes; c++) s[c] += t->b[c];
}

/* The half gap between the row's own score and the best of the others. */
static double margin(const struct slow *t, size_t i, size_t *rival)
{
    const size_t y = (size_t)t->d->y[i];
    double s[CLASSES];

    scores(t, i, s);
    *rival = y == 0;
    for (size_t c = 0; c < t->classes; c++)
        if (c != y && s[c] > s[*rival]) *rival = c;
    return (s[y] - s[*rival]) / 2;
}

/* Row i, which was not set aside. Two classes are a native machine with -w and w. */
static bool show(struct slow *t, size_t i, double *m)
{
    const size_t y = (size_t)t->d->y[i], n = t->n;
    size_t rival;

    *m = margin(t, i, &rival);
    if (*m > 0) return false;
    if ((size_t)++t->count[i] < t->after) {
        add(t, i, y, rival, 1);
        return true;
    }
    /* As if it had never been counted: the others, in the order in which they were made. */
    t->n = 0;
    for (size_t c = 0; c < t->classes; c++) t->b[c] = 0;
    for (size_t k = 0; k < n; k++)
        if (t->update[k].row != i)
            add(t, t->update[k].row, t->update[k].up, t->update[k].down, t->update[k].step);
    t->count[i] = -1;
    t->list[t->dropped++] = i;
    return true;
}

static struct slow slow_new(const struct t_data *d, const struct kernel *k, size_t classes,
                            size_t after)
{
    struct slow t = { .d = d, .kernel = k, .classes = classes, .after = after };

    t.room = 2 * d->rows * after;
    t.update = malloc((t.room + 1) * sizeof *t.update);
    t.count = calloc(d->rows, sizeof *t.count);
    t.list = malloc(d->rows * sizeof *t.list);
    assert_true(t.update != NULL && t.count != NULL && t.list != NULL);
    return t;
}

static void slow_free(struct slow *t)
{
    free(t->update);
    free(t->count);
    free(t->list);
}

/* ----- problems ------------------------------------------------------------------------- */

/* Noise with twins that contradict each other. */
static struct t_data make(struct rng *r, size_t classes)
{
    struct t_data d = t_data_new(12 + (size_t)rng_below(r, 90), 1 + (size_t)rng_below(r, 5));
    const bool grid = rng_below(r, 2) == 0;

    for (size_t i = 0; i < d.rows; i++) {
        const bool twin = i > 0 && rng_below(r, 4) == 0;
        for (size_t j = 0; j < d.cols; j++)
            d.x[i * d.cols + j] = twin   ? d.x[(i - 1) * d.cols + j]
                                  : grid ? (double)rng_below(r, 5) - 2
                                         : rng_normal(r);
        d.y[i] = i < classes ? (double)i : (double)rng_below(r, classes);
    }
    return d;
}

static const char *const kernels[] = { "kernel=rbf gamma=0.7", "kernel=poly degree=2",
                                       "kernel=linear", "kernel=sigmoid eta=0.3" };

/* The run `got` against the reference, event by event. */
static void compare(const struct run *got, struct slow *t, size_t passes)
{
    size_t event = 0, before;

    for (size_t pass = 0; pass < passes; pass++) {
        size_t made = 0;
        before = t->dropped;
        for (size_t i = 0; i < t->d->rows; i++) {
            double m;
            if (t->count[i] < 0) continue;
            const bool mistake = show(t, i, &m);
            made += mistake;
            assert_true(event < got->events);
            assert_int_equal(got->seen[event].row, i);
            assert_int_equal(got->seen[event].mistake, mistake);
            assert_int_equal(got->seen[event].updated, mistake);
            if (t->classes == 2) m *= t->d->y[i] > 0 ? 1 : -1;
            assert_true(m == got->seen[event].score);
            event++;
        }
        if (made == 0 && before == t->dropped) break;
    }
    assert_int_equal(event, got->events);
    assert_int_equal(got->l.progress.examples, event);
    assert_int_equal(machine_votes_of(got->l.machine)->n, t->n);
    assert_int_equal(machine_expansion_of(got->l.machine)->drop->n, t->dropped);
    for (size_t i = 0; i < t->dropped; i++)
        assert_int_equal(machine_expansion_of(got->l.machine)->drop->row[i], t->list[i]);
}

TEST(rows_are_set_aside_as_the_reference_does)
{
    struct rng r = rng_seed(11, 0);
    size_t dropped = 0;

    for (int k = 0; k < 1000; k++) {
        const size_t classes = k % 3 == 0 ? 3 : 2, after = 2 + (size_t)(k % 5);
        char text[200];
        struct t_data d = make(&r, classes);
        struct set s = set_of(&d, k % 2 == 0, k % 4 < 2);
        snprintf(text, sizeof text, "%s order=file epochs=5 drop-after=%zu %s",
                 kernels[rng_below(&r, 4)], after, classes > 2 ? "multiclass=native" : "");
        const struct how how = { "perceptron", text, false, "", "" };
        struct run plain = run_of(&s, &how, "loop=textbook", 1, true);
        struct run fast = run_of(&s, &how, "cache=1", 2, true);
        struct slow t = slow_new(&d, &machine_kernel_of(plain.l.machine)->kernel, classes, after);

        assert_int_equal(plain.st, PERC_OK);
        compare(&plain, &t, 5);
        assert_same(&plain, &fast, &how, "drop");
        dropped += t.dropped;
        slow_free(&t);
        run_free(&plain);
        run_free(&fast);
        set_free(&s);
        t_data_free(&d);
    }
    assert_true(dropped > 4000); /* guard */
}

/* Of twins that contradict each other one goes, at least; the rest is learned. */
TEST(what_is_left_converges)
{
    struct t_data d = t_data_new(120, 2);
    const struct how how = { "perceptron", "kernel=rbf gamma=2 drop-after=6 epochs=500", false, "",
                             "" };
    struct rng r = rng_seed(12, 0);

    for (size_t i = 0; i < d.rows; i++) {
        double *x = d.x + 2 * i;
        x[0] = rng_normal(&r);
        x[1] = rng_normal(&r);
        d.y[i] = x[0] * x[0] + x[1] * x[1] > 1;
        if (i >= 110) { /* the twin of an earlier row, with the other label */
            memcpy(x, d.x + 2 * (i - 110), 2 * sizeof *x);
            d.y[i] = !(d.y[i - 110] > 0);
        }
    }
    struct set s = set_of(&d, false, false);
    struct run got = run_of(&s, &how, "", 1, false);
    const struct drop *drop = machine_expansion_of(got.l.machine)->drop;
    assert_int_equal(got.l.progress.stop, PERC_STOP_CONVERGED);
    assert_in_range(drop->n, 10, 60);
    for (size_t i = 0; i < 10; i++)
        assert_true(drop_has(drop, (int64_t)i, 0) || drop_has(drop, (int64_t)(110 + i), 0));
    for (size_t i = 0; i < d.rows; i++) { /* what was taken out leaves nothing */
        const struct row x = row_of(&d, i);
        assert_int_equal(learner_scores(&got.l, &x), PERC_OK);
        if (!drop_has(drop, (int64_t)i, 0)) assert_true((d.y[i] > 0) == (got.l.scores[0] > 0));
        double net = 0;
        for (size_t k = 0; k < machine_votes_of(got.l.machine)->n; k++)
            if (machine_votes_of(got.l.machine)->vote[k].example == (int64_t)i)
                net += machine_votes_of(got.l.machine)->vote[k].step;
        if (drop_has(drop, (int64_t)i, 0)) assert_true(net == 0);
    }
    run_free(&got);
    set_free(&s);
    t_data_free(&d);
}

/* Counters come back with the votes and the list: a run in parts is one run. */
TEST(a_run_in_parts_is_one_run)
{
    struct rng r = rng_seed(13, 0);

    for (int k = 0; k < 100; k++) {
        const size_t classes = k % 3 == 0 ? 3 : 2;
        char text[200], part[60];
        struct t_data d = make(&r, classes);
        struct set s = set_of(&d, false, false);
        snprintf(text, sizeof text, "%s epochs=8 drop-after=%d %s", kernels[rng_below(&r, 4)],
                 2 + k % 4, classes > 2 ? "multiclass=native" : "");
        const struct how how = { "perceptron", text, false, "", "" };
        struct run whole = run_of(&s, &how, "", 1, false), second;
        snprintf(part, sizeof part, "updates=%d", 1 + (int)rng_below(&r, 60));
        struct run first = run_of(&s, &how, part, 1, false);
        const struct drop *had = machine_expansion_of(first.l.machine)->drop;
        assert_int_equal(begin(&second, &first.l.e, &s, &how, ""), PERC_OK);
        assert_int_equal(learner_copy(&first.l, &second.l), PERC_OK);
        if (k % 2 == 0) /* as from a file */
            assert_int_equal(drop_restore(machine_expansion_of(second.l.machine)->drop, had->row,
                                          had->vector, had->n, machine_votes_of(second.l.machine),
                                          (int64_t)d.rows, NULL),
                             PERC_OK);
        second.st = learn(&second, &s, &how, false);
        assert_same(&whole, &second, &how, "in two parts");
        run_free(&whole);
        run_free(&first);
        run_free(&second);
        set_free(&s);
        t_data_free(&d);
    }
}

/* ----- what is refused ------------------------------------------------------------------------ */

TEST(a_file_is_not_trusted)
{
    const struct env e = env_resolve(NULL);
    const struct row x = { .values = VALUES_F64 };
    struct votes v;
    struct drop *d;

    votes_init(&v, &e);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(votes_add(&v, &x, 0, NO_VECTOR, 1, k + 1), PERC_OK);
        v.vote[k].example = 3;
    }
    assert_int_equal(drop_new(&e, 3, false, &d), PERC_OK);
    static const int64_t good[] = { 4, 0 }, twice[] = { 4, 4 }, low[] = { -1 }, high[] = { 5 };
    assert_int_equal(drop_restore(d, good, NULL, 2, &v, 5, NULL), PERC_OK);
    assert_true(drop_has(d, 4, 0) && drop_has(d, 0, 0) && !drop_has(d, 3, 0) &&
                !drop_has(d, 77, 0));
    bool now = false; /* row 3 has erred twice: once more, and it goes */
    assert_int_equal(drop_count(d, 3, 0, &now), PERC_OK);
    assert_true(now && drop_has(d, 3, 0));
    assert_int_equal(drop_restore(d, twice, NULL, 2, &v, 5, NULL), PERC_EDATA);
    assert_int_equal(drop_restore(d, low, NULL, 1, &v, 5, NULL), PERC_EDATA);
    assert_int_equal(drop_restore(d, high, NULL, 1, &v, 5, NULL), PERC_EDATA);
    assert_int_equal(d->n, 0);
    assert_int_equal(drop_restore(d, good, NULL, 2, &v, 3, NULL), PERC_EDATA);
    v.vote[1].example = -1;
    assert_int_equal(drop_restore(d, NULL, NULL, 0, &v, 5, NULL), PERC_EDATA);
    v.vote[1].example = 3;
    d->after = 2; /* row 3 should have gone */
    assert_int_equal(drop_restore(d, good, NULL, 2, &v, 5, NULL), PERC_EDATA);
    drop_free(d);
    votes_free(&v);
}

TEST(what_does_not_go_together_is_refused)
{
    static const struct {
        const char *algorithm, *options, *says;
    } bad[] = {
        { "averaged", "drop-after=2", "averaged" },
        { "perceptron", "drop-after=2 init=unit", "zero" },
        { "perceptron", "drop-after=1", "every row" },
        { "perceptron", "loop=textbook", "kernel" },
        { "perceptron", "cache=5", "kernel" },
        { "averaged", "kernel=linear drop-after=2", "averaged" },
        { "voted", "kernel=linear drop-after=2 rule=perceptron", "voted" },
        { "pocket", "kernel=linear drop-after=2", "pocket" },
        { "margin", "kernel=linear drop-after=2", "margin" },
        { "pa1", "kernel=linear drop-after=2", "pa1" },
        { "perceptron", "kernel=linear drop-after=2 budget=5", "budget" },
        { "perceptron", "kernel=linear drop-after=1", "every row" },
        { "perceptron", "kernel=linear budget=5 cache=3", "--cache" },
        { "perceptron", "kernel=linear budget=5 loop=textbook", "--loop" },
        { "perceptron", "kernel=linear budget-policy=random", "--budget" },
        { "averaged", "kernel=linear budget=5", "averaged" },
        { "voted", "kernel=linear budget=5", "voted" },
        { "pocket", "kernel=linear budget=5", "pocket" },
        { "perceptron", "kernel=linear init=unit", "unit" },
        { "margin", "kernel=linear init=m.safetensors", "zero" },
    };

    for (size_t i = 0; i < COUNT(bad); i++) {
        perc_params *p = t_params(bad[i].algorithm, bad[i].options);
        perc_error err = { 0 };
        assert_refused(perc_params_check(p, &err), PERC_EARG, &err, bad[i].says);
        perc_params_free(p);
    }
}

/* Rows of zeros, without an offset, have the score 0 for ever: all are set aside, and what is
 * left is no machine that has converged. */
TEST(a_run_that_sets_all_aside_is_an_error)
{
    static const char *const how[] = { "epochs=9", "epochs=2", "updates=6",
                                       "epochs=9 loop=textbook" };
    struct t_data d = t_data_new(3, 2);
    char options[100];

    d.y[1] = -1;
    perc_dataset *ds = t_borrow(&d);
    for (size_t k = 0; k < COUNT(how); k++) {
        snprintf(options, sizeof options, "kernel=linear offset=false drop-after=2 %s", how[k]);
        perc_params *p = t_params("perceptron", options);
        perc_error err = { 0 };
        perc_model *m;
        assert_int_equal(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EDATA);
        assert_null(m);
        assert_non_null(strstr(err.text, "every row was set aside"));
        assert_non_null(strstr(err.text, "--drop-after"));
        perc_params_free(p);
    }
    perc_dataset_free(ds);
    d.x[0] = 1; /* one row is enough */
    ds = t_borrow(&d);
    perc_report r;
    perc_model_free(t_fit(ds, "kernel=linear offset=false drop-after=2", &r));
    assert_true(r.stop == PERC_STOP_CONVERGED && r.dropped == 2);
    t_free(ds, &d);
}

/* Each class has its own counters, so none may come once they are in use; and nothing has
 * changed. */
TEST(a_class_must_not_come_late)
{
    static const char *const how[] = { "kernel=linear drop-after=2", "drop-after=2" };

    for (size_t k = 0; k < COUNT(how); k++) {
        const struct env e = env_resolve(NULL);
        const double one = 1;
        const struct row x = { .value = &one,
                               .n = 1,
                               .stride = sizeof one,
                               .values = VALUES_F64,
                               .indices = INDEX_DENSE };
        perc_params *p = t_params("perceptron", how[k]);
        struct learner l;
        perc_error err = { 0 };
        size_t class, at;
        assert_int_equal(learner_init(&l, &e, &rule_perceptron, p), PERC_OK);
        l.machine->expecting = false;
        assert_int_equal(machine_grow(l.machine, 1), PERC_OK);
        for (const char *label = "abc"; *label != '\0'; label++)
            assert_int_equal(learner_meet(&l, (char[]){ *label, '\0' }, &class, &at, &err),
                             PERC_OK);
        assert_int_equal(learner_show(&l, &x, 0, 1).updates, 3);
        assert_refused(learner_meet(&l, "d", &class, &at, &err), PERC_EDATA, &err, "new label");
        assert_int_equal(l.labels.n, 3);
        assert_int_equal(learner_show(&l, &x, 0, 1).updates, 0);
        assert_int_equal(learner_show(&l, &x, 1, 1).updates, 2); /* of a and b: both go there */
        assert_true(machine_skips(l.machine, 0, 0) && machine_skips(l.machine, 0, 1));
        assert_false(machine_skips(l.machine, 0, 2));
        assert_int_equal(learner_show(&l, &x, 1, 1).updates, 0);
        learner_free(&l);
        perc_params_free(p);
    }
}
