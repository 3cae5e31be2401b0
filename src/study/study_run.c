/* study_run.c -- the runs of a study: what each pass and each update brought.
 *
 * A run is made up to three times, which is the same run because training is deterministic: for
 * the model; with the training rows as held-out ones, for the error after each pass of what
 * would be returned then; and watched closely, for |w|^2 and w.u after each update and for the
 * steps of the animation. The second and third are left out where they would take too long. */
#include "study/study_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

enum { PASSES = 2048 }; /* remembered: of longer runs every second, every fourth, ... */

struct watching {
    struct study *s;
    struct study_run *r;
    struct ticker ticker;
    int64_t every, updates; /* of passes; updates before this pass */
    struct study_pass last; /* the pass that ended last */
    size_t at;              /* the next pass whose error comes */
    int64_t stride;         /* of norms: every so many updates */
    double rate;            /* what norms are divided by */
    bool norms, steps;
    bool met[STUDY_CLASSES]; /* labels of the examples so far, of several classes */
};

static struct watching watching_of(struct study *s, struct study_run *r)
{
    struct watching w = { .s = s, .r = r, .every = 1, .stride = 1, .rate = 1 };

    ticker_observer(&w.ticker, s->cli);
    if (s->runs > 1) snprintf(w.ticker.stage, sizeof w.ticker.stage, "%s   ", r->algorithm);
    return w;
}

static int tick(struct watching *w, const perc_event *e)
{
    const perc_observer ticker = ticker_watch(&w->ticker);

    return ticker.notify(ticker.ud, e);
}

/* ----- for the model ------------------------------------------------------------ */

static void thin(struct watching *w)
{
    size_t n = 0;

    w->every *= 2;
    for (size_t i = 0; i < w->r->passes; i++)
        if (w->r->pass[i].epoch % w->every == 0) w->r->pass[n++] = w->r->pass[i];
    w->r->passes = n;
}

static int note_pass(void *ud, const perc_event *e)
{
    struct watching *w = ud;

    if (e->pass_ended) {
        w->last = (struct study_pass){ e->epoch, e->pass_mistakes, e->updates - w->updates,
                                       (double)NAN, e->loss };
        w->updates = e->updates;
        if (w->r->passes == PASSES) thin(w);
        if (e->epoch % w->every == 0) w->r->pass[w->r->passes++] = w->last;
    }
    return tick(w, e);
}

/* Rosenblatt's rule from w = 0 with steps of one size, which is what Novikoff's two
 * inequalities are about. averaged, voted and pocket make the same steps. */
static bool is_plain(const struct study *s, const struct study_run *r)
{
    const char *rule = perc_params_get(r->params, "rule"), *costs;

    if (strcmp(rule != NULL ? rule : r->algorithm, CLI_PLAIN) != 0 || r->info.outputs != 1 ||
        cli_has_kernel(&r->info) || !study_is(r, "init", "zero") ||
        !study_is(r, "schedule", "constant"))
        return false;
    costs = perc_params_get(r->params, "class-weight");
    if (costs != NULL && costs[0] != '\0') return false;
    for (uint64_t i = 0; i < s->data_info.rows; i++)
        if (perc_dataset_row_weight(s->ds, i) != 1) return false;
    return true;
}

/* "No" of one among several: it is left out, and the reader is told. */
static int no_model(struct study *s, const struct study_run *r, const perc_error *err)
{
    if (s->runs > 1 && (err->status == PERC_ENO || err->status == PERC_EDATA)) {
        snprintf(s->why_missing, sizeof s->why_missing, "%s: %s", r->algorithm, err->text);
        cli_note(s->cli, "%s is left out: %s", r->algorithm, err->text);
        return err->status == PERC_ENO ? EXIT_NO : EXIT_DATA;
    }
    return cli_fail(s->cli, s->data, err);
}

int study_fit(struct study *s, struct study_run *r)
{
    struct watching w = watching_of(s, r);
    const perc_observer watch = { .level = PERC_WATCH_COUNTS, .notify = note_pass, .ud = &w };
    perc_error err = { 0 };
    perc_status st;

    if ((r->pass = calloc(PASSES + 1, sizeof *r->pass)) == NULL) return cli_memory(s->cli);
    st = perc_fit(&s->cli->env, s->ds, r->params, &watch, &r->model, &r->report, &err);
    ticker_clear(&w.ticker);
    if (st != PERC_OK) return no_model(s, r, &err);
    if (r->passes > 0 && r->pass[r->passes - 1].epoch != w.last.epoch)
        r->pass[r->passes++] = w.last; /* the last one is always there */
    perc_model_info_get(r->model, &r->info);
    r->plain = is_plain(s, r);
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* ----- the training error after each pass ---------------------------------------- */

static int note_error(void *ud, const perc_event *e)
{
    struct watching *w = ud;
    struct study_run *r = w->r;

    if (e->pass_ended) {
        while (w->at < r->passes && r->pass[w->at].epoch < e->epoch) w->at++;
        if (w->at < r->passes && r->pass[w->at].epoch == e->epoch)
            r->pass[w->at].error = e->held_error;
    }
    return tick(w, e);
}

int study_errors(struct study *s, struct study_run *r)
{
    const double cost = 2 * (double)r->report.epochs *
                        (study_scoring(s, r) + (double)r->info.features * (double)r->info.outputs);
    struct watching w = watching_of(s, r);
    const perc_observer watch = { .level = PERC_WATCH_COUNTS, .notify = note_error, .ud = &w };
    perc_model *model = NULL;
    perc_report report;
    perc_error err = { 0 };
    perc_status st;

    if (r->passes == 0)
        snprintf(r->why_errors, STUDY_WHY, "%s does not learn in passes over the rows",
                 r->algorithm);
    else if (cost > STUDY_WORK)
        snprintf(r->why_errors, STUDY_WHY, "scoring all rows after each pass would take too long");
    if (r->why_errors[0] != '\0') return EXIT_DONE;
    st = perc_fit_validated(&s->cli->env, s->ds, r->params, s->ds, 0, &watch, &model, &report,
                            &err);
    ticker_clear(&w.ticker);
    perc_model_free(model);
    if (st == PERC_ENOMEM) return cli_memory(s->cli);
    if (st != PERC_OK) snprintf(r->why_errors, STUDY_WHY, "%s", err.text);
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* ----- norms and steps ------------------------------------------------------------ */

static void note_norm(struct watching *w, const perc_event *e)
{
    struct study_run *r = w->r;
    const double *u = w->s->u;
    double norm2 = e->b[0] * e->b[0], along = e->b[0] * w->s->u_offset;

    if (e->updates != 1 && e->updates != r->report.updates && e->updates % w->stride != 0) return;
    for (uint64_t j = 0; j < e->features; j++) {
        const double v = e->w[j * e->stride];

        norm2 += v * v;
        along += u != NULL && j < r->info.features ? v * u[j] : 0;
    }
    r->norm[r->norms++] = (struct study_norm){ (double)e->updates, norm2 / (w->rate * w->rate),
                                               u != NULL ? along / w->rate : (double)NAN };
}

/* One vector tells two classes, by its sign. A learner of several begins so. */
static bool tells_two(const perc_event *e)
{
    return e->b != NULL && e->vectors == 1 && e->y != 0;
}

/* What every class scores in the plane after the step that is noted next. Labels become classes
 * when they are met (pocket knows all at once), and vectors are in the order of the classes. */
static void note_classes(struct watching *w, const perc_event *e)
{
    struct study_class *at = w->r->class + w->r->steps * w->r->classes;
    const bool all = e->vectors == w->r->classes, two = tells_two(e);
    size_t v = 0;

    for (size_t c = 0; c < w->r->classes; c++) {
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
    const bool line = e->b != NULL && e->vectors == 1 && r->line;
    /* of several classes the margin, which is y s as long as there are two */
    const double score = r->info.outputs > 1 && tells_two(e) ? e->y * e->score : e->score;
    double to[3] = { NAN, NAN, NAN };

    if (r->steps == STUDY_STEPS) {
        r->steps_cut = true;
        return;
    }
    if (line) study_line(w->s, e->w, e->features, e->stride, e->b[0], to);
    if (r->classes > 0 && e->b != NULL) note_classes(w, e);
    r->step[r->steps++] = (struct study_step){ e->examples, e->epoch,         e->row,
                                               score,       { to[0], to[1] }, to[2] };
}

static int note_update(void *ud, const perc_event *e)
{
    struct watching *w = ud;

    if (e->row >= 0 && w->r->classes > 0)
        w->met[perc_dataset_row_label(w->s->ds, (uint64_t)e->row)] = true;
    if (e->row >= 0 && e->updated) {
        if (w->norms && e->b != NULL && w->r->norms < STUDY_NORMS) note_norm(w, e);
        if (w->steps) note_step(w, e);
    }
    if (!w->norms && w->r->steps_cut) return 1; /* all that there is to see was seen */
    return tick(w, e);
}

/* Why there are no norms, or nothing: they are wanted. */
static void weigh_norms(const struct study *s, struct study_run *r)
{
    char *why = r->why_norms;
    const double cost = (double)r->report.examples * (1 + (double)r->info.features / 64) +
                        fmin((double)r->report.updates, STUDY_NORMS) * (double)r->info.features;

    (void)s;
    if (study_network(r))
        snprintf(why, STUDY_WHY, "a network has many weight vectors, and no such bound");
    else if (perc_params_get(r->params, "order") == NULL)
        snprintf(why, STUDY_WHY, "%s solves for its weights: there are no updates to follow",
                 r->algorithm);
    else if (cli_has_kernel(&r->info))
        snprintf(why, STUDY_WHY,
                 "with a kernel the weights are those of a space that is not "
                 "written down");
    else if (r->info.outputs != 1)
        snprintf(why, STUDY_WHY,
                 "%zu classes have a weight vector each, and the bound is about "
                 "one",
                 r->info.labels);
    else if (r->report.updates == 0) snprintf(why, STUDY_WHY, "no update was made");
    else if (cost > STUDY_WORK)
        snprintf(why, STUDY_WHY, "following all updates would take too long");
}

static void weigh_steps(const struct study *s, struct study_run *r, bool animate)
{
    char *why = r->why_steps;

    if (study_network(r))
        snprintf(why, STUDY_WHY, "a step of a network changes all of its weights");
    else if (perc_params_get(r->params, "order") == NULL)
        snprintf(why, STUDY_WHY, "%s does not learn row by row: there are no steps to show",
                 r->algorithm);
    else if (s->plane == STUDY_NO_PLANE)
        snprintf(why, STUDY_WHY, "there is no plane to show them in");
    else if (r->report.updates == 0) snprintf(why, STUDY_WHY, "no update was made");
    else if (!animate) snprintf(why, STUDY_WHY, "they were not asked for");
}

/* Of how many classes each the weights are kept; 0: of two one line is, or of none. */
static size_t classes_of(const struct study *s, const struct study_run *r)
{
    const double cost = fmin((double)r->report.updates, STUDY_STEPS) * (double)r->info.features *
                        (double)r->info.outputs;

    if (!study_linear(r) || s->bent || r->info.outputs < 2 || r->info.outputs > STUDY_CLASSES ||
        s->data_info.labels != r->info.outputs || cost > STUDY_WORK)
        return 0;
    for (size_t c = 0; c < r->info.outputs; c++)
        if (study_label(s, perc_model_label(r->model, c)) != (int)c) return 0;
    return r->info.outputs;
}

/* Room for what is noted. False: memory is out. */
static bool watch_room(struct study_run *r)
{
    r->norm = calloc(STUDY_NORMS, sizeof *r->norm);
    r->step = calloc(STUDY_STEPS, sizeof *r->step);
    r->class = calloc(STUDY_STEPS * r->classes + 1, sizeof *r->class);
    return r->norm != NULL && r->step != NULL && r->class != NULL;
}

/* Very many classes have no lines: there the updates alone are watched. With a kernel there are
 * none either; but how many vectors there are says what the score of a step is (note_step). */
int study_watch(struct study *s, struct study_run *r, bool animate)
{
    struct watching w = watching_of(s, r);
    perc_observer watch = { .level = PERC_WATCH_UPDATES, .notify = note_update, .ud = &w };
    const char *rate = perc_params_get(r->params, "rate");
    perc_model *model = NULL;
    perc_report report;
    perc_error err = { 0 };
    perc_status st;

    weigh_norms(s, r);
    weigh_steps(s, r, animate);
    w.norms = r->why_norms[0] == '\0';
    w.steps = r->why_steps[0] == '\0';
    if (!w.norms && !w.steps) return EXIT_DONE;
    w.rate = r->plain && rate != NULL ? word_value(rate) : 1;
    w.stride = r->report.updates / (STUDY_NORMS - 2) + 1;
    r->line = w.steps && study_linear(r) && r->info.outputs == 1 && !s->bent;
    r->classes = w.steps ? classes_of(s, r) : 0;
    if (w.norms || r->line || r->classes > 0 || (r->info.kernel[0] != '\0' && r->info.outputs > 1))
        watch.level = PERC_WATCH_WEIGHTS;
    if (!watch_room(r)) return cli_memory(s->cli);
    st = perc_fit(&s->cli->env, s->ds, r->params, &watch, &model, &report, &err);
    ticker_clear(&w.ticker);
    perc_model_free(model);
    if (st != PERC_OK) return cli_fail(s->cli, s->data, &err);
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}
