/* folds.c -- k-fold cross-validation.
 *
 * The rows are dealt into k folds (deal.c). For each fold a model is trained on all rows
 * with weight 0 for the fold's (trials.c), and asked about those: every row is judged
 * once, by a model that has not learned from it. */
#include "model/folds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/deal.h"
#include "model/judge.h"
#include "model/trials.h"

struct folds {
    const perc_dataset *ds;
    uint32_t *fold;     /* by row */
    perc_metrics *each; /* by fold; NULL: not wanted */
    size_t each_size;   /* bytes from one to the next */
    size_t outputs;
    double *scores; /* by row; NULL: not wanted */
};

static void choose_others(const void *ud, size_t t, uint8_t *chosen)
{
    const struct folds *f = ud;

    for (uint64_t i = 0; i < f->ds->rows; i++) chosen[i] = f->fold[i] != t;
}

static void name_fold(const void *ud, size_t t, char name[TRIAL_NAME])
{
    (void)ud;
    snprintf(name, TRIAL_NAME, "fold %zu", t + 1);
}

static perc_status score_fold(const struct folds *f, const struct trial *t,
                              const struct judged *held, perc_error *err)
{
    const struct env *e = &t->e;
    const size_t n = (size_t)judge_count(held, f->ds->rows);
    double *own;
    perc_status st;

    if (learner_outputs(&t->m->learner) != f->outputs)
        return fail(err, PERC_EDATA, "training ended before all labels were met: allow more");
    own = mem_array(e, n, f->outputs * sizeof *own);
    if (own == NULL) return fail_memory(err);
    st = judge_scores(e, t->m, t->ds, held, own, err);
    const double *from = own;
    for (uint64_t i = 0; i < f->ds->rows && !st; i++) {
        if (f->fold[i] != t->number) continue;
        memcpy(f->scores + i * f->outputs, from, f->outputs * sizeof *from);
        from += f->outputs;
    }
    mem_free(e, own, n, f->outputs * sizeof *own);
    return st;
}

static perc_status judge_fold(void *ud, const struct trial *t, perc_error *err)
{
    const struct folds *f = ud;
    const struct judged held = { t->chosen, 0, t->watch };

    if (f->scores != NULL) return score_fold(f, t, &held, err);
    perc_metrics own;
    const perc_status st = judge_rows(&t->e, t->m, t->ds, &held, &own, err);
    if (!st) sized_copy(sized_at(f->each, f->each_size, t->number), f->each_size, &own, sizeof own);
    return st;
}

static perc_status run_folds(const struct env *e, struct folds *f, const perc_params *p, size_t k,
                             const perc_observer *observer, perc_error *err)
{
    const size_t rows = (size_t)f->ds->rows;
    const struct trials t = { .e = *e,
                              .ds = f->ds,
                              .p = p,
                              .observer = observer,
                              .count = k,
                              .ud = f,
                              .choose = choose_others,
                              .judge = judge_fold,
                              .name = name_fold };
    perc_status st;

    f->fold = mem_array(e, rows, sizeof *f->fold);
    if (f->fold == NULL) return fail_memory(err);
    st = deal_folds(e, f->ds, k, (uint64_t)params_int(p, "seed"), params_text(p, "positive"),
                    f->fold, err);
    if (!st) st = trials_run(&t, err);
    mem_free(e, f->fold, rows, sizeof *f->fold);
    return st;
}

perc_status perc_cross_validate_sized(const perc_env *env, const perc_dataset *ds,
                                      const perc_params *p, size_t k, const perc_observer *observer,
                                      perc_metrics *each, size_t size, perc_error *err)
{
    NEED(ds != NULL && each != NULL);
    NEED(observer_is_valid(observer));
    NEED_PARAMS(p, "learner");
    const struct env e = env_resolve(env);
    struct folds f = { .ds = ds, .each = each, .each_size = size };

    return run_folds(&e, &f, p, k, observer, err);
}

perc_status folds_scores(const struct env *e, const perc_dataset *ds, const perc_params *p,
                         size_t k, const perc_observer *observer, size_t outputs, double *scores,
                         perc_error *err)
{
    struct folds f = { .ds = ds, .outputs = outputs, .scores = scores };

    return run_folds(e, &f, p, k, observer, err);
}

/* ----- mean and spread --------------------------------------------------------------- */

/* The real numbers of perc_metrics are adjacent, except those of the bins and those after them. */
enum {
    REALS = 8 + 2 * PERC_QUANTILES + 2,
    REALS_AT = offsetof(perc_metrics, accuracy),
    LATER = 4,
    LATER_AT = offsetof(perc_metrics, average_precision),
    BINS_AT = offsetof(perc_metrics, reliability),
    BIN = (int)sizeof((perc_metrics *)0)->reliability[0]
};
_Static_assert(offsetof(perc_metrics, disagree) == REALS_AT + REALS * sizeof(double),
               "a number was added to perc_metrics: it needs a mean");
_Static_assert(offsetof(perc_metrics, baseline_label) == LATER_AT + LATER * sizeof(double),
               "likewise");
_Static_assert(BIN == 3 * sizeof(double), "a bin is a count and two numbers");

/* A number of result i; results are `size` bytes apart, an older program's lack the last ones. */
static double real_at(const perc_metrics *each, size_t size, size_t i, size_t at)
{
    double v = 0;

    if (at + sizeof v <= size) memcpy(&v, (const char *)each + i * size + at, sizeof v);
    return v;
}

/* The mean and the standard deviation: two passes, divisor k - 1; 0 for a single result. */
static void summarise(const perc_metrics *each, size_t size, size_t k, size_t at,
                      perc_metrics *mean, perc_metrics *spread)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < k; i++) sum += real_at(each, size, i, at);
    const double m = sum / (double)k;
    for (size_t i = 0; i < k; i++) {
        const double d = real_at(each, size, i, at) - m;
        squares += d * d;
    }
    const double s = k > 1 ? sqrt(squares / (double)(k - 1)) : 0 * m;
    memcpy((char *)mean + at, &m, sizeof m);
    memcpy((char *)spread + at, &s, sizeof s);
}

void perc_metrics_summary_sized(const perc_metrics *each, size_t k, perc_metrics *mean,
                                perc_metrics *spread, size_t size)
{
    if (each == NULL) k = 0;
    perc_metrics one, m = { 0 }, s = { 0 };

    for (size_t i = 0; i < k; i++) {
        sized_copy(&one, sizeof one, (const char *)each + i * size, size);
        m.rows += one.rows;
        m.unlabelled += one.unlabelled;
        m.unknown += one.unknown;
        m.errors += one.errors;
        m.on_boundary += one.on_boundary;
        m.disagree += one.disagree;
        m.wrong += one.wrong;
        if (i == 0) m.baseline_label = one.baseline_label;
        for (size_t b = 0; b < PERC_BINS; b++) m.reliability[b].rows += one.reliability[b].rows;
    }
    for (size_t r = 0; r < REALS; r++)
        summarise(each, size, k, REALS_AT + r * sizeof(double), &m, &s);
    for (size_t r = 0; r < LATER; r++)
        summarise(each, size, k, LATER_AT + r * sizeof(double), &m, &s);
    for (size_t b = 0; b < PERC_BINS; b++) {
        summarise(each, size, k, BINS_AT + b * BIN + sizeof(double), &m, &s);
        summarise(each, size, k, BINS_AT + b * BIN + 2 * sizeof(double), &m, &s);
    }
    sized_copy(mean, size, &m, sizeof m);
    sized_copy(spread, size, &s, sizeof s);
}
