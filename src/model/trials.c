/* trials.c -- trainings that leave out some rows, several at a time.
 *
 * There are two ways, which give the same models. In general each trial is one perc_fit
 * on a masked set, on one thread. Where learners can go abreast (learn/abreast.h), each
 * thread has a group of trials and takes them through the rows together.
 *
 * Threads take trials, or groups of them, in order. A trial that fails ends those that
 * come after it, not those before: so the failure reported is that of the first one,
 * whatever the number of threads. */
#include "model/trials.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/pthreads.h"
#include "base/threads.h"
#include "data/mask.h"
#include "data/measure.h"
#include "learn/abreast.h"
#include "learn/arithmetic.h"
#include "model/start.h"
#include "model/train.h"

/* Trials in a group. 16, two registers wide, cost little more than twice as much as one
 * training, so groups are not made smaller to keep more threads busy. */
enum { GROUP = 16 };
/* Bytes that the weights of all groups may take: with many millions of features groups
 * are smaller. */
#define GROUP_BYTES ((uint64_t)1 << 30)

/* What the threads share. */
struct crew {
    const struct trials *t;
    perc_dataset ds; /* of the trials, and how it is measured */
    bool parts;      /* each measures its own rows */
    perc_params *p;  /* those of the trials, without a checkpoint */
    perc_status *st; /* by trial */
    perc_error *err;
    _Atomic size_t failed; /* the first trial that has; `count`: none */
    size_t group;          /* trials that go abreast; 1: each goes alone */
    /* The observer hears of one thing at a time; what follows is under the lock. */
    pthread_mutex_t lock;
    _Atomic bool cancelled;
    perc_event sum;        /* of the trials that are done */
    double begin, noticed; /* clock */
};

/* ----- the observer ------------------------------------------------------------------ */

/* Tells the observer of trials done and of how far another one is. */
static void tell_observer(struct crew *c, const perc_event *now, bool done)
{
    perc_event ev = c->sum;

    ev.examples += now->examples;
    ev.mistakes += now->mistakes;
    ev.updates += now->updates;
    ev.pass_mistakes = now->mistakes;
    ev.epoch = c->sum.epoch + 1;
    ev.pass_ended = done;
    ev.held_error = ev.held_value = NAN;
    ev.row = -1;
    ev.seconds = clock_seconds() - c->begin;
    if (done) c->sum = ev;
    if (c->t->observer->notify(c->t->observer->ud, &ev) != 0) c->cancelled = true;
}

/* The observer of one training: passes on what it hears, not too often. */
static int overhear(void *ud, const perc_event *ev)
{
    struct crew *c = ud;

    pthread_mutex_lock(&c->lock);
    const double now = clock_seconds();
    if (!c->cancelled && now - c->noticed >= 0.05) {
        c->noticed = now;
        tell_observer(c, ev, false);
    }
    pthread_mutex_unlock(&c->lock);
    return c->cancelled;
}

/* The same while a model is judged, which has no events. */
static bool ask_crew(void *ud, int64_t passes)
{
    const perc_event nothing = { .epoch = passes, .loss = NAN };
    struct crew *c = ud;

    return c->t->observer == NULL || !overhear(c, &nothing);
}

static void tell_done(struct crew *c, const perc_model *m)
{
    const struct progress *g = &m->learner.progress;
    const perc_event ev = {
        .examples = g->examples, .mistakes = g->mistakes, .updates = g->updates, .loss = NAN
    };

    if (c->t->observer == NULL) return;
    pthread_mutex_lock(&c->lock);
    if (!c->cancelled) tell_observer(c, &ev, true);
    pthread_mutex_unlock(&c->lock);
}

/* ----- one trial --------------------------------------------------------------------- */

/* st: how trial i ended. */
static void note_end(struct crew *c, size_t i, perc_status st)
{
    size_t first = c->failed;

    c->st[i] = st;
    while (st && i < first && !atomic_compare_exchange_weak(&c->failed, &first, i)) {
    }
}

static void run_trial(void *ud, uint64_t number)
{
    struct crew *c = ud;
    const struct trials *t = c->t;
    const struct env e = { t->e.alloc, t->e.ud, 1, t->e.key };
    const perc_observer observer = { .level = PERC_WATCH_COUNTS, .notify = overhear, .ud = c };
    const size_t i = (size_t)number, rows = (size_t)t->ds->rows;
    perc_error *err = &c->err[i];
    perc_dataset *part = NULL, *masked = NULL;
    perc_model *m = NULL;
    perc_status st = PERC_OK;

    if (c->cancelled || i > c->failed) return;
    uint8_t *chosen = mem_array(&e, rows, sizeof *chosen);
    if (chosen == NULL) st = fail_memory(err);
    else t->choose(t->ud, i, chosen);
    if (!st && c->parts) st = measure_part(&e, &c->ds, chosen, &part, err);
    const perc_dataset *seen = part != NULL ? part : t->ds;
    if (!st && mask_dataset(&e, seen, chosen, &masked)) st = fail_memory(err);
    if (!st)
        st = train_fit(&e, masked, c->p, t->observer != NULL ? &observer : NULL, NULL, &m, NULL,
                       err);
    if (!st && c->cancelled) st = fail(err, PERC_EARG, "cancelled");
    const struct watch watch = { ask_crew, c };
    if (!st) st = t->judge(t->ud, &(struct trial){ e, i, m, seen, chosen, &watch }, err);
    if (!st) tell_done(c, m);
    perc_model_free(m);
    mask_remove(masked);
    perc_dataset_free(part);
    mem_free(&e, chosen, rows, sizeof *chosen);
    note_end(c, i, st);
}

/* ----- a group of trials abreast ----------------------------------------------------- */

struct trial_group {
    struct env e;
    const struct trials *t;
    size_t first, n; /* trials */
    size_t at;       /* the one at work when something fails */
    perc_model *m;   /* the start; later the model of each trial in turn */
    struct pool pool;
    uint8_t *chosen; /* by row */
    uint32_t *to;
    uint64_t *ref;
    struct class_weights *weights; /* by trial */
};

/* To whom each row is shown, and how rare the labels are among what trial c is shown. */
static perc_status group_plan(struct trial_group *g, size_t c, perc_error *err)
{
    const perc_dataset *ds = g->t->ds;
    struct class_weights *w = &g->weights[c];
    perc_status st = class_weights_parse(&g->e, params_text(g->m->params, "class-weight"), w, err);

    if (st) return st;
    g->t->choose(g->t->ud, g->first + c, g->chosen);
    for (uint64_t i = 0; i < ds->rows; i++)
        if (g->chosen[i]) g->to[i] |= (uint32_t)1 << c;
    return train_balance(&g->e, ds, g->chosen, w) ? fail_memory(err) : PERC_OK;
}

/* How far a group is, for the observer: all its trials together. */
static bool poll_observer(void *ud, const struct abreast *a)
{
    struct crew *c = ud;
    perc_event ev = { .examples = a->examples * (int64_t)a->n, .loss = NAN };

    if (c->t->observer == NULL) return true;
    for (size_t k = 0; k < a->n; k++) {
        ev.mistakes += a->each[k].progress.mistakes;
        ev.updates += a->each[k].progress.updates;
    }
    return overhear(c, &ev) == 0;
}

static perc_status group_judge(struct crew *c, struct trial_group *g, const struct abreast *a,
                               perc_error *err)
{
    const struct trials *t = g->t;
    const struct watch watch = { ask_crew, c };
    perc_status st = PERC_OK;

    for (size_t k = 0; k < g->n && !st; k++) {
        g->at = g->first + k;
        abreast_take(a, k, &g->m->learner);
        if (learner_refresh(&g->m->learner)) return fail_memory(err);
        t->choose(t->ud, g->at, g->chosen);
        st = t->judge(t->ud, &(struct trial){ g->e, g->at, g->m, t->ds, g->chosen, &watch }, err);
        if (!st) tell_done(c, g->m);
    }
    return st;
}

static void run_group(void *ud, uint64_t i)
{
    struct crew *c = ud;
    const struct trials *t = c->t;
    const size_t first = (size_t)i * c->group;
    struct trial_group g = { .e = { t->e.alloc, t->e.ud, 1, t->e.key },
                             .pool.e = { t->e.alloc, t->e.ud, 1, t->e.key },
                             .t = t,
                             .first = first,
                             .at = first,
                             .n = t->count - first < c->group ? t->count - first : c->group };
    perc_error *err = &c->err[first];
    perc_status st;

    if (c->cancelled || first > c->failed) return;
    if (!(st = train_new(&g.e, t->ds, c->p, &g.m, err))) {
        g.chosen = pool_array(&g.pool, t->ds->rows, sizeof *g.chosen);
        g.to = pool_zeroed(&g.pool, t->ds->rows, sizeof *g.to);
        g.ref = pool_array(&g.pool, t->ds->rows, sizeof *g.ref);
        g.weights = pool_zeroed(&g.pool, g.n, sizeof *g.weights);
        if (g.pool.failed) st = fail_memory(err);
    }
    if (!st) {
        struct abreast a = { .e = g.e,
                             .start = &g.m->learner,
                             .n = g.n,
                             .blocks = t->ds->block,
                             .block_count = t->ds->blocks,
                             .labels = &t->ds->labels,
                             .weights = g.weights,
                             .to = g.to,
                             .poll = poll_observer,
                             .ud = c,
                             .err = err };
        for (size_t k = 0; k < g.n && !st; k++) st = group_plan(&g, k, err);
        if (!st) st = abreast_begin(&a, g.m->params, &g.m->map);
        for (int64_t pass = 1; !st && abreast_pass_begin(&a); pass++) {
            train_order(t->ds, g.m->params, pass, g.ref);
            abreast_rows(&a, g.ref, t->ds->rows);
            st = a.st;
        }
        if (!st && c->cancelled) st = fail(err, PERC_EARG, "cancelled");
        if (!st) st = group_judge(c, &g, &a, err);
        abreast_end(&a);
    }
    if (st && g.at != first) c->err[g.at] = *err;
    note_end(c, g.at, st);
    for (size_t k = 0; k < g.n && g.weights != NULL; k++) class_weights_free(&g.weights[k]);
    pool_free(&g.pool);
    perc_model_free(g.m);
}

/* Whether the parameters allow it. A time limit is per trial, so then each goes alone; a
 * kernel machine has no weights to lay side by side. A start from a file may hold a -0,
 * which row_axpy_all does not keep. */
static bool may_go_abreast(const perc_params *p)
{
    const struct rule *rule = rule_find(p->table->name);

    if (perc_params_get(p, "kernel") != NULL && !params_is(p, "kernel", "none")) return false;
    return rule->about.online && !(params_real(p, "time-limit") > 0) &&
           (params_is(p, "init", "zero") || params_is(p, "init", "unit") ||
            params_is(p, "init", "random"));
}

/* How many trials should go abreast: an equal part for each thread, but not too few. 1:
 * each goes alone, as some learners must. */
static perc_status choose_group(struct crew *c, perc_error *err)
{
    const struct trials *t = c->t;
    const size_t threads = (size_t)t->e.threads, part = (t->count + threads - 1) / threads;
    size_t group = part > GROUP ? part : GROUP;
    perc_model *m;
    perc_status st;

    c->group = 1;
    if (t->count < 2 || c->parts || !may_go_abreast(c->p)) return PERC_OK;
    if ((st = train_new(&t->e, t->ds, c->p, &m, err)) == PERC_ENOMEM) return st;
    if (!st && abreast_can(&m->learner)) {
        /* As many as fit into memory on each of `threads`, at two numbers per weight, padding
         * aside; in as few groups as possible, of about the same size. */
        const uint64_t each = (m->learner.machine->last.dims + 1) * 2 * sizeof(double);
        const uint64_t most = GROUP_BYTES / threads / each;
        if (group > ABREAST_MOST) group = ABREAST_MOST;
        if (group > most) group = (size_t)most;
        const size_t groups = group > 1 ? (t->count + group - 1) / group : t->count;
        c->group = (t->count + groups - 1) / groups;
    }
    perc_model_free(m);
    return PERC_OK; /* the trials will report whatever else is wrong */
}

/* ----- what is measured --------------------------------------------------------------- */

/* Whether weights begin at 0, in the space of the features. */
static bool is_plain(const perc_params *p)
{
    const char *kernel = perc_params_get(p, "kernel");

    return (kernel == NULL || strcmp(kernel, "none") == 0) &&
           perc_params_get(p, "layers") == NULL &&
           (perc_params_get(p, "init") == NULL || params_is(p, "init", "zero"));
}

/* Finds out how the set was measured. A start in a file keeps its numbers; where the set was read
 * for a model, it does not know of one. */
static perc_status know_measured(struct crew *c, perc_error *err)
{
    struct start start = { .e = c->t->e };
    perc_status st = PERC_OK;

    c->parts = !arithmetic_is_exact(c->p) && measure_matters(&c->ds, is_plain(c->p));
    if (!c->parts) return PERC_OK;
    if (c->ds.measured.model && perc_params_get(c->p, "init") != NULL &&
        !(st = start_open(&c->t->e, c->p, &start, err)) && start_keep(&start, &c->ds))
        st = fail_memory(err);
    start_close(&start);
    return st ? st : measure_find_scale(&c->ds, &c->ds.measured.scale, err);
}

/* What know_measured has added to the set. */
static void forget_measured(struct crew *c)
{
    struct measure *how = &c->ds.measured;

    if (how->column == c->t->ds->measured.column) return;
    mem_free(&c->ds.e, how->column, (size_t)how->columns, sizeof *how->column);
    transform_free(&how->start);
}

/* ----- all trials -------------------------------------------------------------------- */

perc_status trials_run(const struct trials *t, perc_error *err)
{
    struct crew c = { .t = t, .ds = *t->ds, .begin = clock_seconds() };
    struct pool pool = { .e = t->e };
    perc_status st;

    if (t->ds->rows > UINT32_MAX)
        return fail(err, PERC_EARG, "more than 2^32 - 1 rows: take fewer of them");
    if (pthread_mutex_init(&c.lock, NULL) != 0) return fail_memory(err);
    atomic_init(&c.failed, t->count);
    c.st = pool_zeroed(&pool, t->count, sizeof *c.st);
    c.err = pool_zeroed(&pool, t->count, sizeof *c.err);
    st = pool.failed || params_copy(&t->e, t->p, &c.p) ? fail_memory(err) : PERC_OK;
    /* A checkpoint is of the model that is wanted in the end, not of a trial. */
    if (!st && perc_params_get(c.p, "checkpoint") != NULL)
        st = perc_params_set(c.p, "checkpoint", "", err);
    if (!st) st = know_measured(&c, err);
    if (!st) st = choose_group(&c, err);
    if (!st) {
        const size_t groups = (t->count + c.group - 1) / c.group;
        threads_each(t->e.threads, groups, c.group > 1 ? run_group : run_trial, &c);
        if (c.cancelled) st = fail(err, PERC_EARG, "cancelled");
        else if (c.failed < t->count) st = c.st[c.failed];
        if (st == PERC_ENOMEM) fail_memory(err);
        else if (st && !c.cancelled) { /* which trial went wrong, and how */
            const perc_error *why = &c.err[c.failed];
            char name[TRIAL_NAME];
            t->name(t->ud, c.failed, name);
            fail_at(err, st, why->line, why->column, "%s: %s", name, why->text);
        }
    }
    forget_measured(&c);
    perc_params_free(c.p);
    pool_free(&pool);
    pthread_mutex_destroy(&c.lock);
    return st;
}
