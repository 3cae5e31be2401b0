/* validate.c -- training that is measured on held-out rows after each pass.
 *
 * The passes are those of perc_fit, to the bit: an observer of the run measures, and changes
 * nothing except when the run ends. After pass e it measures
 *
 *     M(e) = a metric (metric.c), on the held-out rows, of what would be returned now
 *
 * keeps a copy of the model where M(e) is better than every earlier one, and stops the run after
 * `patience` passes without one. When the run is over, however it ended, the copy
 * takes the place of the last state. So the model is the one that "epochs" set to the best
 * pass gives, and says so: it can go on, and be trained again, from there.
 *
 * Prechelt, "Early stopping - but when?", 1998, compares rules for when to give up.
 *
 * Rows are counted as perc_evaluate does: each once, whatever its weight; those without a
 * label, or with one that the model does not have, are left out. */
#include "model/validate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pthreads.h"
#include "model/judge.h"
#include "model/metric.h"
#include "model/metrics.h"
#include "model/train.h"

struct held {
    perc_model *m;                 /* in training */
    const perc_dataset *rows;      /* held out */
    const perc_observer *observer; /* the caller's; may be NULL */
    int64_t patience;
    perc_model *best;         /* as after the best pass; NULL: no pass has ended */
    int64_t epoch, since;     /* that pass, 0: none; passes after it */
    uint64_t errors, counted; /* its errors, of so many rows */
    const char *metric;       /* what passes are compared by */
    double value;             /* of that pass */
    struct progress ended;    /* how the run ended */
    perc_status st;
    perc_error *err;
    /* While errors are counted: the event that was the occasion, and whether to go on. */
    perc_event event;
    double begun, noticed; /* clock */
    pthread_mutex_t lock;
    bool cut;
};

/* The clock and the observer, while errors are counted. */
static bool ask_held(void *ud, int64_t passes)
{
    struct held *h = ud;
    const double limit = params_real(h->m->params, "time-limit"), now = clock_seconds();

    (void)passes;
    pthread_mutex_lock(&h->lock);
    perc_event ev = h->event;
    ev.pass_ended = 0;
    ev.seconds += now - h->begun;
    const bool late = !ev.ended && limit > 0 && ev.seconds >= limit;
    if (late) h->m->learner.progress.stop = PERC_STOP_TIME;
    h->cut |= late;
    if (!h->cut && h->observer != NULL && now - h->noticed >= 0.05) {
        const int answer = h->observer->notify(h->observer->ud, &ev);
        h->cut = ev.ended ? answer == PERC_UNCOUNTED : answer != 0;
        h->noticed = now;
    }
    const bool go_on = !h->cut;
    pthread_mutex_unlock(&h->lock);
    return go_on;
}

/* How the model, whose result is up to date, does on the held-out rows: errors, of so many rows,
 * and the metric. */
struct held_count {
    uint64_t errors, rows;
    double value;
};

/* PERC_EUNDECIDED: it was cut short. Errors are counted without sorting the scores. */
static perc_status measure_model(struct held *h, struct held_count *out, perc_error *err)
{
    const perc_model *m = h->m;
    const perc_dataset *ds = h->rows;
    const struct watch watch = { ask_held, h };
    const struct learner *l = &m->learner;
    const size_t outputs = learner_outputs(l);
    struct pool pool = { .e = m->e };
    double *all = pool_array(&pool, ds->rows, outputs * sizeof *all), *scores = all;
    const size_t *class_of = model_classes(m, ds, &pool);
    perc_metrics metrics;
    perc_status st;

    h->begun = h->noticed = clock_seconds();
    if (pool.failed) st = fail_memory(err);
    else st = judge_failed(predict_machine(&m->e, m, ds, false, &watch, scores, err), err);
    *out = (struct held_count){ .value = NAN };
    for (size_t k = 0; k < ds->blocks && !st; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++, scores += outputs) {
            const size_t class = model_class_at(b, i, ds->labels.n, class_of);
            if (class == CLASS_NONE) continue;
            out->rows++;
            out->errors += !(learner_margin(l, scores, class) > 0);
        }
    }
    if (!st && out->rows == 0)
        st = fail(err, PERC_EDATA, "no held-out row has a label that the training rows have");
    if (!st && strcmp(h->metric, "error") == 0)
        out->value = (double)out->errors / (double)out->rows;
    else if (!st && !(st = judge_failed(metrics_of(&m->e, m, ds, all, &metrics, NULL, err), err)))
        out->value = perc_metric_value(&metrics, h->metric);
    pool_free(&pool);
    return st;
}

/* A pass has ended. */
static perc_status measure_held(struct held *h, perc_event *told)
{
    struct learner *l = &h->m->learner;
    struct held_count now;
    perc_status st = learner_refresh(l) ? fail_memory(h->err) : PERC_OK;

    if (!st) st = measure_model(h, &now, h->err);
    if (st == PERC_EUNDECIDED && h->cut) return PERC_OK; /* this pass is not compared */
    if (st) return st;
    told->held_error = (double)now.errors / (double)now.rows;
    told->held_value = now.value;
    if (h->best == NULL || perc_metric_better(h->metric, now.value, h->value)) {
        perc_model_free(h->best);
        h->best = NULL;
        h->epoch = l->progress.epoch;
        h->since = 0;
        h->errors = now.errors;
        h->counted = now.rows;
        h->value = now.value;
        return train_copy(&h->m->e, h->m, &h->best, h->err);
    }
    h->since++;
    /* A pass without an update has converged, which says more. */
    if (h->patience > 0 && h->since >= h->patience && l->progress.pass_updates > 0 &&
        l->progress.stop == PERC_STOP_NONE)
        l->progress.stop = PERC_STOP_HELD;
    return PERC_OK;
}

static int notify_held(void *ud, const perc_event *event)
{
    struct held *h = ud;
    perc_event told = *event;

    h->event = *event;
    if (event->pass_ended && h->m->learner.rule->solve == NULL) h->st = measure_held(h, &told);
    if (h->st || (h->cut && !event->ended)) return 1;
    return h->observer != NULL ? h->observer->notify(h->observer->ud, &told) : 0;
}

/* The run is over: the best state takes the place of the last. Without a whole pass (a
 * limit, a solver) there is only one state, which is measured later. */
static perc_status put_best_back(void *ud, perc_error *err)
{
    struct held *h = ud;
    struct learner *l = &h->m->learner;

    if (h->st) return h->st;
    h->ended = l->progress;
    h->cut = false;
    if (h->best == NULL) {
        if (l->rule->solve != NULL) h->epoch = l->progress.epoch;
        return PERC_OK;
    }
    const struct learner last = *l;
    *l = h->best->learner;
    h->best->learner = last;
    l->progress.stop = h->since > 0 ? PERC_STOP_HELD : h->ended.stop;
    l->diverged = last.diverged;
    /* The best pass becomes the limit of passes. */
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)h->epoch);
    return perc_params_set(h->m->params, "epochs", text, err);
}

perc_status validate_fit(const struct env *e, const perc_dataset *ds, const perc_params *p,
                         const perc_dataset *held, const char *metric, int64_t patience,
                         const perc_observer *observer, const struct arbiter *arbiter,
                         perc_model **out, perc_report *report, perc_error *err)
{
    struct held h = { .rows = held, .observer = observer, .patience = patience, .err = err };
    const perc_observer watch = { observer != NULL ? observer->level : PERC_WATCH_COUNTS,
                                  notify_held, &h };
    const struct train_end end = { put_best_back, &h };
    perc_status st;

    *out = NULL;
    if (patience < 0) return fail(err, PERC_EARG, "the patience must not be negative");
    if (metric != NULL && (st = perc_metric_check(metric, p, ds, err))) return st;
    if ((st = train_new(e, ds, p, &h.m, err))) return st;
    h.metric = metric_of_passes(h.m);
    for (size_t i = 0; metric != NULL && strcmp(h.metric, metric) != 0; i++)
        h.metric = perc_metric_name(i); /* a text that outlives the call */
    pthread_mutex_init(&h.lock, NULL);
    st = train_run(h.m, ds, &watch, arbiter, &end, report, err);
    h.event.ended = 1;
    if (!st && h.best == NULL) {
        struct held_count now;
        st = measure_model(&h, &now, err);
        h.errors = now.errors;
        h.counted = now.rows;
        h.value = now.value;
    }
    if (h.cut && st == PERC_EUNDECIDED) st = PERC_OK;
    pthread_mutex_destroy(&h.lock);
    if (!st && report != NULL) {
        /* The counters are those of the whole run, so that they agree with its end. */
        report->stop = h.ended.stop;
        report->epochs = h.ended.epoch;
        report->examples = h.ended.examples;
        report->mistakes = h.ended.mistakes;
        report->updates = h.ended.updates;
        report->held_epoch = h.epoch;
        report->held_error = h.counted > 0 ? (double)h.errors / (double)h.counted : NAN;
        report->held_metric = h.metric;
        report->held_value = h.counted > 0 ? h.value : NAN;
    }
    if (st) perc_model_free(h.m);
    else *out = h.m;
    perc_model_free(h.best);
    return st;
}
