/* run.c -- a run of a learner that stops where the page wants, and goes on from there.
 *
 * perc_fit begins it, with an observer that ends it after some examples; perc_fit_resume
 * goes on. The library promises the bits of one uninterrupted run, so what the page shows
 * step by step is what the command line computes at once, and the model at any moment is the
 * one that the algorithm would return then.
 *
 * One call of web_run_advance goes to the end of a pass at most: there the report has the
 * training error of the pass, for the curves. The run as it is there is kept, so that going back
 * takes no longer than going forward from the end of an earlier pass: some of these are kept, more
 * of them the nearer they are.
 *
 * The report looks at all rows, which with a kernel takes far longer than an example. So
 * it is made where a pass is known to end, and elsewhere only when it is asked for: by
 * repeating the last stretch, from the model that it began with.
 *
 * Learners that do not go row by row (svm, lp) are done in one call. */
#include "web.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum goal {
    GOAL_STEPS,   /* so many more examples; mlp: batches     */
    GOAL_UPDATE,  /* the next update                         */
    GOAL_PASS,    /* the end of the pass                     */
    GOAL_EXAMPLES /* so many examples since the start        */
};

/* The run as it was at the end of a pass. */
struct past {
    perc_model *model; /* perhaps shared with the run */
    perc_report report;
    perc_event last;
    int64_t steps, updates;
    double *weights; /* `now`, then `before` */
    uint64_t features;
    size_t vectors, size;
    int64_t *counter;
};

enum { PAST_MOST = 48, PAST_FEW = 6, MANY_ROWS = 20000 }; /* with many rows, few are kept */

struct run {
    const perc_dataset *ds;
    perc_params *params;
    bool by_rows; /* learns row by row, or by batches */
    bool kernel, offset;
    bool two; /* two classes; learners of more begin with one vector, too */
    int64_t rows;
    perc_model *model; /* as of now; NULL: nothing was shown yet */
    perc_model *from;  /* at the beginning of the last stretch; NULL: the start */
    perc_report report;
    bool reported; /* `report` is that of `model` */
    perc_stop stop;
    perc_event last;                 /* the last example; its pointers are not kept */
    bool any;                        /* there is a last example */
    int64_t pass_from, pass_updates; /* examples and updates when the pass began */
    int first_label;                 /* of the first example shown */
    bool second_met;                 /* an example with another label was shown */
    /* Weights after and before the last example: `vectors` times (features and an offset). */
    uint64_t features;
    size_t vectors, size;
    double *now, *before;
    bool start_known; /* `before` is known for the first example: zeros */
    bool before_known;
    int64_t *counter;                /* kernel: updates on each row */
    int64_t steps;                   /* events since the start */
    struct past past[PAST_MOST + 1]; /* by increasing examples */
    size_t pasts;
    /* After every update of this call, with two classes: features and offset, one after another. */
    double *trail;
    size_t trail_updates, trail_cap;
    /* This call. */
    enum goal goal;
    int64_t target;
    bool full, pass_ended, failed;
    int64_t skip;    /* examples shown in an earlier call: repeated, not reported */
    int64_t shown;   /* events, that is examples or batches */
    perc_event pass; /* the last pass that ended */
};

static bool option_is(const perc_params *p, const char *name, const char *value)
{
    const char *s = perc_params_get(p, name);

    return s == NULL || strcmp(s, value) == 0;
}

/* ----- notes ------------------------------------------------------------------------ */

/* Room for the weights, all 0. */
static bool make_room(struct run *r, uint64_t features, size_t vectors)
{
    const size_t size = ((size_t)features + 1) * vectors;
    double *now = calloc(size + 1, sizeof *now), *before = calloc(size + 1, sizeof *before);

    if (now == NULL || before == NULL) {
        free(now);
        free(before);
        return false;
    }
    free(r->now);
    free(r->before);
    r->now = now;
    r->before = before;
    r->size = size;
    r->features = features;
    r->vectors = vectors;
    return true;
}

/* Appends `now` to the trail. */
static bool leave_trail(struct run *r)
{
    const size_t n = r->trail_updates * r->size;

    if (n + r->size > r->trail_cap) {
        const uint64_t cap = (uint64_t)r->trail_cap * 2 + (uint64_t)r->size * 64;
        if (cap > PTRDIFF_MAX / sizeof *r->trail) return false;
        double *p = realloc(r->trail, (size_t)cap * sizeof *p);
        if (p == NULL) return false;
        r->trail = p;
        r->trail_cap = (size_t)cap;
    }
    memcpy(r->trail + n, r->now, r->size * sizeof *r->now);
    r->trail_updates++;
    return true;
}

/* Keeps the weights after and before an example. */
static bool note_weights(struct run *r, const perc_event *e)
{
    const size_t size = ((size_t)e->features + 1) * e->vectors;

    if (size != r->size) { /* the first example, or a new class */
        r->before_known = r->size == 0 && r->start_known;
        if (!make_room(r, e->features, e->vectors)) return false;
    } else {
        memcpy(r->before, r->now, size * sizeof *r->now);
        r->before_known = true;
    }
    double *to = r->now;
    for (size_t c = 0; c < e->vectors; c++) {
        for (uint64_t j = 0; j < e->features; j++) *to++ = e->w[j * e->stride + c];
        *to++ = e->b[c];
    }
    if (!e->updated) {
        memcpy(r->before, r->now, size * sizeof *r->now);
        r->before_known = true;
    }
    return !e->updated || e->vectors > 1 || !r->two || leave_trail(r);
}

static bool reached(const struct run *r, const perc_event *e)
{
    switch (r->goal) {
    case GOAL_STEPS: return r->shown >= r->target;
    case GOAL_UPDATE: return e->updated != 0;
    case GOAL_EXAMPLES: return e->examples >= r->target;
    default: return false;
    }
}

static void note_label(struct run *r, int64_t row)
{
    const int label = row >= 0 ? perc_dataset_row_label(r->ds, (uint64_t)row) : -1;

    if (!r->any) r->first_label = label;
    if (label != r->first_label || row < 0) r->second_met = true;
}

/* Called for each example, or batch. */
static int note_example(struct run *r, const perc_event *e)
{
    if (e->examples <= r->skip) return 0;
    note_label(r, e->row);
    r->last = *e;
    r->last.w = r->last.b = NULL;
    r->any = true;
    r->shown++;
    r->steps++;
    if (r->kernel && e->row >= 0) r->counter[e->row] += e->updated;
    if (e->b != NULL && !r->kernel && !note_weights(r, e)) r->failed = true;
    if (reached(r, e)) r->full = true;
    /* After the last row of a pass its end follows at once: better stop there. */
    return r->failed || (r->full && e->examples - r->pass_from < r->rows);
}

/* Whether the run ends with this pass in any case: then the library should say why. */
static bool is_last_pass(const struct run *r, const perc_event *e)
{
    const char *epochs = r->model != NULL ? perc_model_option(r->model, "epochs")
                                          : perc_params_get(r->params, "epochs");
    const long long limit = epochs != NULL ? strtoll(epochs, NULL, 10) : -1;

    return e->updates == r->pass_updates || (limit > 0 && e->epoch >= limit);
}

static int note_pass(struct run *r, const perc_event *e)
{
    const bool last = is_last_pass(r, e);

    r->pass = *e;
    r->pass_ended = true;
    r->pass_from = e->examples;
    r->pass_updates = e->updates;
    return !last;
}

static int notify(void *ud, const perc_event *e)
{
    struct run *r = ud;

    if (!r->by_rows) {
        if (e->pass_ended) r->pass = *e;
        return 0;
    }
    if (r->full && !e->pass_ended) return 1;
    if (e->pass_ended) return note_pass(r, e);
    /* Other events are for the clock: no example, so no update either. */
    return e->row >= 0 || e->updated != 0 ? note_example(r, e) : 0;
}

/* ----- the past ------------------------------------------------------------------------- */

/* Frees a model unless it is still in use. */
static void drop_model(const struct run *r, perc_model *m)
{
    if (m == r->model || m == r->from) return;
    for (size_t i = 0; i < r->pasts; i++)
        if (r->past[i].model == m) return;
    perc_model_free(m);
}

static void forget(struct run *r, size_t i)
{
    struct past gone = r->past[i];

    memmove(r->past + i, r->past + i + 1, (--r->pasts - i) * sizeof gone);
    drop_model(r, gone.model);
    free(gone.weights);
    free(gone.counter);
}

/* The one we can best do without: its neighbours are close together, and it is far from here. */
static size_t least_missed(const struct run *r)
{
    double least = INFINITY;
    size_t which = 0;

    for (size_t i = 0; i + 1 < r->pasts; i++) {
        const int64_t here = r->past[i].last.examples;
        const int64_t before = i > 0 ? r->past[i - 1].last.examples : 0;
        const double gap = (double)(r->past[i + 1].last.examples - before);
        const double far = fabs((double)(r->last.examples - here)) + (double)r->rows;
        if (here == r->last.examples || gap / far >= least) continue;
        least = gap / far;
        which = i;
    }
    return which;
}

/* Fills the arrays of *p; false: out of memory, and this past is not kept. */
static bool copy_arrays(const struct run *r, struct past *p)
{
    const size_t half = r->size * sizeof *r->now, rows = r->kernel ? (size_t)r->rows : 0;

    p->weights = malloc(2 * half + 1);
    p->counter = calloc(rows + 1, sizeof *p->counter);
    if (p->weights == NULL || p->counter == NULL) {
        free(p->weights);
        free(p->counter);
        return false;
    }
    if (half > 0) {
        memcpy(p->weights, r->now, half);
        memcpy(p->weights + r->size, r->before, half);
    }
    memcpy(p->counter, r->counter, rows * sizeof *p->counter);
    return true;
}

/* Keeps the run as it is at the end of a pass. */
static void remember(struct run *r)
{
    struct past now = { .model = r->model,
                        .report = r->report,
                        .last = r->last,
                        .steps = r->steps,
                        .updates = r->pass_updates,
                        .features = r->features,
                        .vectors = r->vectors,
                        .size = r->size };
    size_t i = r->pasts;

    while (i > 0 && r->past[i - 1].last.examples > now.last.examples) i--;
    if (i > 0 && r->past[i - 1].last.examples == now.last.examples) return;
    if (!copy_arrays(r, &now)) return;
    memmove(r->past + i + 1, r->past + i, (r->pasts++ - i) * sizeof now);
    r->past[i] = now;
    if (r->pasts > (r->rows > MANY_ROWS ? PAST_FEW : PAST_MOST)) forget(r, least_missed(r));
}

/* ----- from here to there --------------------------------------------------------------- */

/* With three labels or more there is no model until a second one is met, and the library says so:
 * then the next call starts over and skips what was shown. */
static bool is_too_early(const struct run *r, perc_status st)
{
    return st == PERC_EDATA && r->model == NULL && r->full && !r->second_met;
}

/* perc_fit or perc_fit_resume; report NULL: not wanted. */
static perc_status stretch(const struct run *r, const perc_model *from, const perc_observer *watch,
                           perc_model **out, perc_report *report)
{
    if (from == NULL) return perc_fit(NULL, r->ds, r->params, watch, out, report, &web_failure);
    return perc_fit_resume(NULL, r->ds, from, NULL, watch, out, report, &web_failure);
}

/* Whether the pass, and so the stretch, will end before the goal is reached. */
static bool will_end_pass(const struct run *r)
{
    const int64_t left = r->rows - (r->last.examples - r->pass_from);

    switch (r->goal) {
    case GOAL_PASS: return true;
    case GOAL_STEPS: return r->target >= left;
    case GOAL_EXAMPLES: return r->target - r->last.examples >= left;
    default: return !r->by_rows;
    }
}

static perc_status go_on(struct run *r)
{
    const perc_observer watch = { PERC_WATCH_WEIGHTS, notify, r };
    const bool report = will_end_pass(r) || !r->by_rows;
    perc_model *next = NULL;
    perc_model_info info;

    r->skip = r->model == NULL ? r->last.examples : 0;
    const perc_status st = stretch(r, r->model, &watch, &next, report ? &r->report : NULL);
    if (is_too_early(r, st)) return PERC_OK;
    if (st) return st;
    perc_model *old = r->from;
    r->from = r->model;
    r->model = next;
    drop_model(r, old);
    r->reported = report;
    perc_model_info_get(next, &info);
    r->stop = info.stop;
    if (!r->failed) return PERC_OK;
    web_no_memory();
    return PERC_ENOMEM;
}

static bool has_ended(const struct run *r)
{
    return r->stop != PERC_STOP_NONE && r->stop != PERC_STOP_CANCELLED;
}

/* ----- the report ----------------------------------------------------------------------------- */

struct again {
    int64_t examples; /* where it stopped */
    bool at_pass_end, to_the_end;
};

static int notify_again(void *ud, const perc_event *e)
{
    const struct again *a = ud;

    if (a->to_the_end || e->examples < a->examples) return 0;
    return e->pass_ended || !a->at_pass_end;
}

/* Repeats the last stretch, for its report. */
static perc_status report_again(struct run *r)
{
    struct again a = { .examples = r->last.examples,
                       .at_pass_end = r->pass_from == r->last.examples,
                       .to_the_end = has_ended(r) };
    const perc_observer watch = { PERC_WATCH_WEIGHTS, notify_again, &a };
    perc_model *m = NULL;
    const perc_status st = stretch(r, r->from, &watch, &m, &r->report);

    perc_model_free(m);
    r->reported = st == PERC_OK;
    return st;
}

/* ----- forward and back ----------------------------------------------------------------------- */

/* Goes on to `goal` (see enum goal), the end of the pass or the end of the run. */
WEB(perc_status, web_run_advance, struct run *r, int goal, double target)
{
    r->goal = (enum goal)goal;
    r->target = (int64_t)target;
    r->full = r->pass_ended = r->failed = false;
    r->shown = 0;
    r->trail_updates = 0;
    if (has_ended(r)) return PERC_OK;
    if (r->goal == GOAL_EXAMPLES && r->target <= r->last.examples) return PERC_OK;
    perc_status st = go_on(r);
    if (!st && r->pass_ended && r->by_rows && !r->reported) st = report_again(r);
    if (!st && r->pass_ended && r->by_rows && !has_ended(r) && r->pass_from == r->last.examples)
        remember(r);
    return st;
}

/* Forgets everything that was learned. */
static void rewind_run(struct run *r)
{
    perc_model *model = r->model, *from = r->from;

    r->model = r->from = NULL;
    drop_model(r, model);
    if (from != model) drop_model(r, from);
    r->steps = r->shown = 0;
    r->pass_ended = false;
    r->reported = false;
    r->report = (perc_report){ 0 };
    r->stop = PERC_STOP_NONE;
    r->last = (perc_event){ .row = -1 };
    r->any = r->second_met = false;
    r->pass_from = r->pass_updates = 0;
    r->size = 0;
    r->trail_updates = 0;
    memset(r->counter, 0, ((size_t)r->rows + 1) * sizeof *r->counter);
}

/* Restores the run as it was then. */
static void return_to(struct run *r, const struct past *p)
{
    r->model = p->model;
    r->report = p->report;
    r->reported = true;
    r->stop = PERC_STOP_CANCELLED;
    r->last = p->last;
    r->any = r->second_met = true;
    r->steps = p->steps;
    r->pass_from = p->last.examples;
    r->pass_updates = p->updates;
    r->before_known = p->size > 0;
    if (p->size > 0) {
        memcpy(r->now, p->weights, p->size * sizeof *r->now);
        memcpy(r->before, p->weights + p->size, p->size * sizeof *r->before);
    }
    if (r->kernel) memcpy(r->counter, p->counter, (size_t)r->rows * sizeof *r->counter);
}

/* Back to the last kept moment, the end of a pass or the start, with at most so many steps, or
 * examples. */
WEB(void, web_run_back, struct run *r, double most, int steps)
{
    const struct past *found = NULL;

    for (size_t i = 0; i < r->pasts; i++) {
        const struct past *p = &r->past[i];
        if ((double)(steps ? p->steps : p->last.examples) <= most) found = p;
    }
    rewind_run(r);
    if (found == NULL) return;
    if (found->size > 0 && !make_room(r, found->features, found->vectors)) return;
    return_to(r, found);
}

/* ----- what it is now --------------------------------------------------------------------- */

static void say_vector(const char *key, const double *v, uint64_t n)
{
    say_key(key);
    say_open('[');
    for (uint64_t j = 0; j < n; j++) say_real(v[j]);
    say_close(']');
}

/* The weights after or before the last example: lists of lists if there are several vectors. */
static void say_weights(const struct run *r, const double *v)
{
    const size_t step = (size_t)r->features + 1;

    if (r->vectors == 1) {
        say_vector("w", v, r->features);
        say_key_real("b", v[r->features]);
        return;
    }
    say_key("w");
    say_open('[');
    for (size_t c = 0; c < r->vectors; c++) {
        say_open('[');
        for (uint64_t j = 0; j < r->features; j++) say_real(v[c * step + j]);
        say_close(']');
    }
    say_close(']');
    say_key("b");
    say_open('[');
    for (size_t c = 0; c < r->vectors; c++) say_real(v[c * step + r->features]);
    say_close(']');
}

static void say_last(const struct run *r)
{
    const perc_event *e = &r->last;

    say_key("last");
    if (!r->any) {
        say_text(NULL);
        return;
    }
    say_open('{');
    say_key_int("epoch", e->epoch);
    say_key_int("row", e->row);
    say_key_int("label", e->row >= 0 ? perc_dataset_row_label(r->ds, (uint64_t)e->row) : -1);
    say_key_real("y", e->y);
    say_key_real("score", e->score);
    say_key_real("margin", e->vectors > 1 ? e->score : e->y * e->score);
    say_key_bool("mistake", e->mistake != 0);
    say_key_bool("updated", e->updated != 0);
    say_key_int("updates", e->updated); /* one against the rest: of this many vectors */
    say_key_int("vectors", (int64_t)e->vectors);
    if (r->kernel && e->row >= 0) say_key_int("counter", r->counter[e->row]);
    if (r->size > 0) {
        say_weights(r, r->now);
        say_key("before");
        if (r->before_known) {
            say_open('{');
            say_weights(r, r->before);
            say_close('}');
        } else {
            say_text(NULL);
        }
    }
    say_close('}');
}

/* The pass that ended in this call, if the run stands at its end. The loss is that of the model
 * there: the loss of an event is only about the rows of one stretch. */
static void say_pass(struct run *r)
{
    const perc_event *e = &r->pass;

    say_key("pass");
    if (!r->pass_ended || !r->reported) {
        say_text(NULL);
        return;
    }
    say_open('{');
    say_key_int("epoch", e->epoch);
    say_key_int("mistakes", e->pass_mistakes);
    say_key_int("updates", e->updates);
    say_key_real("error", r->report.training_error);
    say_key_real("loss", r->report.loss);
    say_key_int("examples", e->examples);
    say_close('}');
}

WEB(const char *, web_run_state, struct run *r)
{
    const perc_report *p = &r->report;

    say_begin();
    say_open('{');
    say_key_int("shown", r->by_rows ? r->shown : p->examples);
    say_key_int("examples", r->by_rows ? r->last.examples : p->examples);
    say_key_int("steps", r->by_rows ? r->steps : r->model != NULL);
    say_key_int("epoch", r->by_rows ? r->last.epoch : p->epochs);
    say_key_int("mistakes", r->by_rows ? r->last.mistakes : p->mistakes);
    say_key_int("updates", r->by_rows ? r->last.updates : p->updates);
    say_key_int("passMistakes", r->last.pass_mistakes);
    say_key_bool("offset", r->offset);
    say_key_text("ended", web_stop_word(r->stop));
    say_key_text("stopText", has_ended(r) ? perc_stop_text(r->stop) : NULL);
    say_key_bool("passEnded", r->pass_from == r->last.examples && r->last.examples > 0);
    say_last(r);
    say_pass(r);
    say_close('}');
    return say_end();
}

WEB(const char *, web_run_report, struct run *r)
{
    if (!r->reported && report_again(r)) return NULL;
    say_begin();
    web_say_report(&r->report);
    return say_end();
}

/* The updates of the last call, each web_run_trail_size numbers. */
WEB(const double *, web_run_trail, const struct run *r)
{
    return r->trail;
}

WEB(size_t, web_run_trail_updates, const struct run *r)
{
    return r->trail_updates;
}

WEB(size_t, web_run_trail_size, const struct run *r)
{
    return r->size;
}

/* The updates made on each row so far, with a kernel: rows numbers. */
WEB(void, web_run_counters, const struct run *r, int32_t *out)
{
    for (int64_t i = 0; i < r->rows; i++) out[i] = (int32_t)r->counter[i];
}

/* It belongs to the run, and lasts until that goes on. */
WEB(perc_model *, web_run_model, const struct run *r)
{
    return r->model;
}

/* ----- begin and end ------------------------------------------------------------------------ */

WEB(void, web_run_free, struct run *r)
{
    if (r == NULL) return;
    while (r->pasts > 0) forget(r, r->pasts - 1);
    perc_model_free(r->model);
    if (r->from != r->model) perc_model_free(r->from);
    perc_params_free(r->params);
    free(r->now);
    free(r->before);
    free(r->counter);
    free(r->trail);
    free(r);
}

static int stop_at_once(void *ud, const perc_event *e)
{
    (void)ud, (void)e;
    return 1;
}

/* Some options are refused only when learning begins: better now than at the first step. Errors in
 * the data are left to that. */
static perc_status try_options(const struct run *r)
{
    const perc_observer watch = { PERC_WATCH_WEIGHTS, stop_at_once, NULL };
    perc_error err = { 0 };
    perc_model *m = NULL;
    perc_report report;

    if (perc_params_check(r->params, &web_failure)) return PERC_EARG;
    if (!r->by_rows) return PERC_OK;
    const perc_status st = perc_fit(NULL, r->ds, r->params, &watch, &m, &report, &err);
    perc_model_free(m);
    if (st != PERC_EARG) return PERC_OK;
    web_failure = err;
    return st;
}

/* Takes `p` over, even if it fails; `ds` must outlive the run. */
WEB(struct run *, web_run_new, const perc_dataset *ds, perc_params *p)
{
    struct run *r = calloc(1, sizeof *r);
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    if (r == NULL) {
        perc_params_free(p);
        return web_no_memory();
    }
    r->ds = ds;
    r->params = p;
    r->rows = (int64_t)info.rows;
    r->by_rows = perc_params_get(p, "order") != NULL;
    r->kernel = !option_is(p, "kernel", "none");
    r->offset = !option_is(p, "offset", "false");
    const char *positive = perc_params_get(p, "positive");
    r->two = info.labels <= 2 || (positive != NULL && *positive != '\0');
    r->start_known = option_is(p, "init", "zero");
    r->counter = calloc((size_t)info.rows + 1, sizeof *r->counter);
    if (r->counter == NULL) {
        web_run_free(r);
        return web_no_memory();
    }
    if (try_options(r)) {
        web_run_free(r);
        return NULL;
    }
    rewind_run(r);
    return r;
}
