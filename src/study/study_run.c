/* study_run.c -- the runs of a study: what each pass and each update brought.
 *
 * A learner is trained once, under the eyes of one observer that keeps
 *
 *     passes   counts, and the error on the training rows of what would be returned then
 *     norms    |(w, b)|^2 after updates, thinned as they grow in number
 *     steps    the first updates, each as a line in the plane or one for every class
 *     updated  the row of every update of the plain rule, to add up w.u when u is known
 *
 * The work this takes is counted as it goes. What costs more than STUDY_WORK is given up, and a
 * sentence says why; when single examples are no longer of interest the observer asks for counts
 * alone, and the run goes on at full speed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"
#include "study/study_parts.h"

enum { PASSES = 2048 }; /* remembered; of longer runs every second, every fourth, ... */
static const double most_scores = 4e7; /* numbers kept: rows times outputs */

struct watching {
    struct study *s;
    struct study_run *r;
    perc_observer watch, host;      /* observes training; whom its events are passed on to */
    double work, scored;            /* entries: for norms and steps; for errors */
    int64_t every, before;          /* keeps every so many passes; updates before this pass */
    int64_t stride, quiet;          /* keeps every so many norms; last pass with an extra one */
    int64_t last_pass, last_update; /* by the limits */
    double rate;                    /* norms are divided by it */
    bool norms, steps;              /* still followed */
    bool plain, several;            /* perhaps plain; more than two classes, or treated as if */
    size_t classes;                 /* whose lines are followed so far */
    bool met[STUDY_CLASSES];        /* labels of the examples so far */
    perc_status st;                 /* what went wrong while watching, and in words */
    perc_error why;
};

/* ----- passes --------------------------------------------------------------------- */

/* The error on the training rows of what would be returned now; NaN: unknown. */
static perc_status pass_error(struct watching *w, const perc_event *e, double *error)
{
    struct study *s = w->s;
    struct study_run *r = w->r;
    const perc_model *m;
    uint64_t rows = 0, errors = 0;
    perc_model_info info;
    perc_status st;

    *error = (double)NAN;
    if (r->why_errors[0] != '\0') return PERC_OK;
    if ((st = perc_event_model(e, &m, &w->why))) return st == PERC_EARG ? PERC_OK : st;
    perc_model_info_get(m, &info);
    const double numbers = (double)s->data_info.rows * (double)info.outputs;
    w->scored += study_scoring(s, m) + (double)info.features * (double)info.outputs;
    if (w->scored > s->work || numbers > most_scores) {
        snprintf(r->why_errors, STUDY_WHY, "scoring all rows after each pass would take too long");
        return PERC_OK;
    }
    if (r->score == NULL) {
        r->score = calloc((size_t)numbers + 1, sizeof *r->score);
        r->margin = calloc((size_t)s->data_info.rows + 1, sizeof *r->margin);
        if (r->score == NULL || r->margin == NULL) return study_memory(&w->why);
    }
    st = perc_predict(s->env, m, s->ds, r->score, &w->why);
    if (st == PERC_OK) st = perc_margins(m, s->ds, r->score, r->margin, &w->why);
    if (st == PERC_EDATA) {
        snprintf(r->why_errors, STUDY_WHY, "%s", w->why.text);
        return PERC_OK;
    }
    for (uint64_t i = 0; i < s->data_info.rows && st == PERC_OK; i++) {
        rows += isnan(r->margin[i]) == 0;
        errors += r->margin[i] <= 0;
    }
    *error = (double)errors / (double)rows;
    return st;
}

/* The last pass is always kept: it replaces the one before unless that is a multiple of `every`. */
static void note_pass(struct watching *w, const perc_event *e)
{
    struct study_run *r = w->r;
    struct study_pass now = { e->epoch, e->pass_mistakes, e->updates - w->before, 0, e->loss };
    size_t n = 0;

    w->before = e->updates;
    w->st = pass_error(w, e, &now.error);
    if (r->passes > 0 && r->pass[r->passes - 1].number % w->every != 0) r->passes--;
    r->pass[r->passes++] = now;
    if (r->passes < PASSES) return;
    w->every *= 2;
    for (size_t i = 0; i < r->passes; i++)
        if (r->pass[i].number % w->every == 0 || i + 1 == r->passes) r->pass[n++] = r->pass[i];
    r->passes = n;
}

/* ----- norms ------------------------------------------------------------------------ */

/* Due after the first update, every stride-th, and the last. Nobody knows in advance which one that
 * is: so all of the last pass allowed are due, and the first row of a pass that is right, which
 * is enough for a pass without updates. */
static bool norm_is_due(struct watching *w, const perc_event *e)
{
    const struct study_run *r = w->r;
    const int64_t k = e->updates;

    if (e->updated)
        return k == 1 || k % w->stride == 0 || e->epoch == w->last_pass || k == w->last_update;
    if (w->quiet == e->epoch || r->norms == 0 || r->norm[r->norms - 1].k == (double)k) return false;
    w->quiet = e->epoch;
    return true;
}

static void note_norm(struct watching *w, const perc_event *e)
{
    struct study_run *r = w->r;
    double norm2 = e->b[0] * e->b[0];
    size_t n = 1;

    if (e->vectors > 1) w->norms = false; /* a norm is that of one vector */
    if (!w->norms || !norm_is_due(w, e)) return;
    w->work += (double)e->features;
    for (uint64_t j = 0; j < e->features; j++) norm2 += e->w[j * e->stride] * e->w[j * e->stride];
    if (r->norms > 1 && (int64_t)r->norm[r->norms - 1].k % w->stride != 0) r->norms--;
    r->norm[r->norms++] = (struct study_norm){ (double)e->updates, norm2 / (w->rate * w->rate),
                                               (double)NAN };
    if (r->norms < STUDY_NORMS) return;
    w->stride *= 3; /* cycles often have two or four steps: this way all are seen */
    for (size_t i = 1; i < r->norms; i++)
        if ((int64_t)r->norm[i].k % w->stride == 0 || i + 1 == r->norms) r->norm[n++] = r->norm[i];
    r->norms = n;
}

/* ----- steps ------------------------------------------------------------------------- */

/* One vector tells two classes apart by its sign. Learners of several classes begin like this. */
static bool tells_two(const perc_event *e)
{
    return e->vectors == 1 && e->y != 0;
}

/* The score of every class in the plane after the next step. Labels become classes when they are
 * met (pocket knows all from the start), and vectors are in the order of the classes. */
static void note_classes(struct watching *w, const perc_event *e)
{
    struct study_class *at = w->r->class + w->r->steps * w->classes;
    const bool all = e->vectors == w->classes, two = tells_two(e);
    size_t v = 0;

    w->work += (double)e->features * (double)e->vectors;
    for (size_t c = 0; c < w->classes; c++) {
        const size_t from = two ? 0 : v;
        const double sign = two && v == 0 ? -1 : 1;
        double to[3];

        at[c] = (struct study_class){ { NAN, NAN }, NAN };
        if ((!all && !w->met[c]) || from >= e->vectors) continue;
        study_line(w->s, e->w != NULL ? e->w + from : NULL, e->features, e->stride, e->b[from], to);
        at[c] = (struct study_class){ { sign * to[0], sign * to[1] }, sign * to[2] };
        v++;
    }
}

static void note_step(struct watching *w, const perc_event *e)
{
    struct study_run *r = w->r;
    /* With several classes, the margin, which is y s as long as there are two. */
    const double score = w->several && tells_two(e) ? e->y * e->score : e->score;
    double to[3] = { NAN, NAN, NAN };

    if (r->steps == STUDY_STEPS) {
        r->steps_cut = true;
        w->steps = false;
        return;
    }
    if (e->w != NULL && e->vectors == 1 && !w->s->bent)
        study_line(w->s, e->w, e->features, e->stride, e->b[0], to);
    if (w->classes > 0) note_classes(w, e);
    r->step[r->steps++] = (struct study_shot){ e->epoch, e->row, score, { to[0], to[1] }, to[2] };
}

/* ----- every example ------------------------------------------------------------------- */

static void note_row(struct watching *w, const perc_event *e)
{
    struct study_run *r = w->r;

    if (!w->plain || r->updates == STUDY_UPDATES) return;
    if (r->updates == r->updates_cap) {
        const size_t cap = r->updates_cap > 0 ? 2 * r->updates_cap : 1024;
        uint32_t *more = realloc(r->updated, cap * sizeof *more);

        if (more == NULL) {
            w->st = study_memory(&w->why);
            return;
        }
        r->updated = more;
        r->updates_cap = cap;
    }
    r->updated[r->updates++] = (uint32_t)e->row;
}

static int notice_event(void *ud, const perc_event *e)
{
    struct watching *w = ud;

    if (e->row >= 0 && e->b != NULL) {
        w->work += 1 + (double)e->features / 64;
        if (w->classes > 0) w->met[perc_dataset_row_label(w->s->ds, (uint64_t)e->row)] = true;
        if (w->norms) note_norm(w, e);
        if (e->updated && w->norms) note_row(w, e);
        if (e->updated && w->steps) note_step(w, e);
        if (w->work > w->s->work) {
            if (w->norms)
                snprintf(w->r->why_norms, STUDY_WHY, "following all updates would take too long");
            w->r->steps_cut = w->r->steps_cut || w->steps;
            w->norms = w->steps = false;
        }
        if (!w->norms && !w->steps) w->watch.level = PERC_WATCH_COUNTS;
    }
    if (e->pass_ended) note_pass(w, e);
    return w->host.notify(w->host.ud, e) != 0 || w->st != PERC_OK;
}

/* ----- before and after ----------------------------------------------------------------- */

/* Rosenblatt's rule from w = 0 with steps of one size, which is what Novikoff's two
 * inequalities are about. averaged, voted and pocket make the same steps. */
static bool is_plain(const struct study *s, const struct study_run *r)
{
    const char *rule = perc_params_get(r->params, "rule");
    const char *costs = perc_params_get(r->params, "class-weight");
    const char *kernel = perc_params_get(r->params, "kernel");

    if (strcmp(rule != NULL ? rule : r->algorithm, STUDY_PLAIN) != 0 ||
        strcmp(kernel, "none") != 0 || !study_is(r, "init", "zero") ||
        !study_is(r, "schedule", "constant") || study_decays(r) || costs[0] != '\0' ||
        s->data_info.rows > UINT32_MAX)
        return false;
    for (uint64_t i = 0; i < s->data_info.rows; i++)
        if (perc_dataset_row_weight(s->ds, i) != 1) return false;
    return true;
}

/* What there may be to see, judging by the parameters; the rest turns out on the way. */
static struct watching watching_of(struct study *s, struct study_run *r)
{
    const perc_params *p = r->params;
    const char *kernel = perc_params_get(p, "kernel"), *how = perc_params_get(p, "multiclass");
    const char *positive = perc_params_get(p, "positive"), *rate = perc_params_get(p, "rate");
    const char *epochs = perc_params_get(p, "epochs"), *updates = perc_params_get(p, "updates");
    const bool rows = perc_params_get(p, "order") != NULL && perc_params_get(p, "layers") == NULL;
    const bool lines = kernel == NULL || strcmp(kernel, "none") == 0;
    struct watching w = { .s = s, .r = r, .every = 1, .stride = 1, .rate = 1 };

    w.several = positive[0] == '\0' &&
                (s->data_info.labels > 2 || (how != NULL && strcmp(how, "auto") != 0));
    w.norms = rows && lines;
    w.steps = rows && s->q->animate && s->plane != STUDY_NO_PLANE;
    w.plain = is_plain(s, r);
    if (w.plain) w.rate = word_value(rate);
    if (w.steps && w.several && lines && !s->bent && s->data_info.labels <= STUDY_CLASSES)
        w.classes = s->data_info.labels;
    w.last_pass = (int64_t)word_value(epochs);
    w.last_update = updates != NULL ? (int64_t)word_value(updates) : 0;
    return w;
}

/* Whether the lines of the classes are those of the model: weights, in the order of the labels. */
static bool has_classes(const struct study *s, const struct study_run *r)
{
    if (!study_linear(r) || r->info.outputs < 2 || s->data_info.labels != r->info.outputs)
        return false;
    for (size_t c = 0; c < r->info.outputs; c++)
        if (study_label(s, perc_model_label(r->model, c)) != (int)c) return false;
    return true;
}

static void conclude_run(struct watching *w)
{
    struct study_run *r = w->r;

    perc_model_info_get(r->model, &r->info);
    r->plain = w->plain && r->info.outputs == 1;
    r->classes = w->classes > 0 && has_classes(w->s, r) ? w->classes : 0;
    if (r->passes == 0)
        snprintf(r->why_errors, STUDY_WHY, "%s does not learn in passes over the rows",
                 r->algorithm);
    for (size_t i = 0; i < r->passes && r->why_errors[0] != '\0'; i++)
        r->pass[i].error = (double)NAN;
    /* Why there are no norms; those noted for a learner of several classes do not count. */
    if (study_network(r))
        snprintf(r->why_norms, STUDY_WHY, "a network has many weight vectors, and no such bound");
    else if (perc_params_get(r->params, "order") == NULL)
        snprintf(r->why_norms, STUDY_WHY,
                 "%s solves for its weights: there are no updates to follow", r->algorithm);
    else if (study_kernel(r))
        snprintf(r->why_norms, STUDY_WHY,
                 "with a kernel the weights are those of a space that is not written down");
    else if (r->info.outputs != 1)
        snprintf(r->why_norms, STUDY_WHY,
                 "%zu classes have a weight vector each, and the bound is about one",
                 r->info.labels);
    else if (r->report.updates == 0) snprintf(r->why_norms, STUDY_WHY, "no update was made");
    if (r->why_norms[0] != '\0') r->norms = r->updates = 0;
    char *why = r->why_steps;
    if (study_network(r))
        snprintf(why, STUDY_WHY, "a step of a network changes all of its weights");
    else if (perc_params_get(r->params, "order") == NULL)
        snprintf(why, STUDY_WHY, "%s does not learn row by row: there are no steps to show",
                 r->algorithm);
    else if (w->s->plane == STUDY_NO_PLANE)
        snprintf(why, STUDY_WHY, "there is no plane to show them in");
    else if (r->report.updates == 0) snprintf(why, STUDY_WHY, "no update was made");
    else if (!w->s->q->animate) snprintf(why, STUDY_WHY, "they were not asked for");
}

perc_status study_fit(struct study *s, struct study_run *r, perc_error *err)
{
    struct watching w = watching_of(s, r);
    perc_status st;

    r->pass = calloc(PASSES, sizeof *r->pass);
    r->norm = calloc(STUDY_NORMS, sizeof *r->norm);
    r->step = calloc(STUDY_STEPS, sizeof *r->step);
    r->class = calloc(STUDY_STEPS * w.classes + 1, sizeof *r->class);
    if (r->pass == NULL || r->norm == NULL || r->step == NULL || r->class == NULL)
        return study_memory(err);
    w.host = study_work(s, s->q->learners > 1 ? r->algorithm : NULL, NULL, 0);
    w.watch = (perc_observer){ w.norms || w.steps ? PERC_WATCH_WEIGHTS : PERC_WATCH_COUNTS,
                               notice_event, &w };
    st = perc_fit(s->env, s->ds, r->params, &w.watch, &r->model, &r->report, err);
    study_rest(s);
    if (w.st != PERC_OK) { /* training was stopped for it, and may complain of that */
        *err = w.why;
        return w.st;
    }
    if (st == PERC_OK) conclude_run(&w);
    return st;
}
