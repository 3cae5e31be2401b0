/* train.c -- from a data set to a model: labels to signs, the start, the passes,
 * the report; and going on from a saved model. */
#include "model/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "learn/arithmetic.h"
#include "learn/ledger.h"
#include "learn/pocket.h"
#include "machine/machine_kernel.h"
#include "machine/shadow.h"
#include "model/scorer.h"
#include "model/start.h"
#include "vec/rng.h"

/* ----- labels --------------------------------------------------------------------- */

static bool drops_rows(const perc_params *p)
{
    return perc_params_get(p, "drop-after") != NULL && params_int(p, "drop-after") > 0;
}

/* Whether classes are made as they are met, though the n labels are known: see learner.h. One
 * against the rest, that is the same as knowing them all, except for rows that are taken for a
 * class before it is met, which are mistakes then. The pocket must know them all: it counts errors
 * on all rows. With a kernel that is better, too: what is known of the rows need not be started
 * afresh (learn/ledger.h). In file order, though, a run must equal that of a stream. Rows that are
 * set aside are counted class by class (machine/drop.h). */
static bool meets_as_seen(const perc_model *m, size_t n)
{
    const struct learner *l = &m->learner;
    const bool all = l->keeper != NULL || drops_rows(m->params) ||
                     (l->machine->ops->flags & MACHINE_REWORKS &&
                      !params_is(m->params, "order", "file"));

    if (arithmetic_is_exact(m->params)) return false; /* as on paper, they all compete */
    if (!learner_takes_start(l) || (l->kind != KIND_REST && n <= 2)) return false;
    /* A start has a vector for every class; a model's has one for those that it has brought. */
    if (!params_is(m->params, "init", "zero") && l->labels.n == 0) return false;
    if (l->native) return l->asked == CLASSES_SEEN;
    return !all && (l->asked == CLASSES_DEFAULT || l->asked == CLASSES_SEEN);
}

perc_status train_labels(perc_model *m, const struct labels *data, bool late, perc_error *err)
{
    const char *positive = params_text(m->params, "positive");
    const struct labels *l = m->learner.asked == CLASSES_LISTED ? &m->learner.listed : data;
    perc_status st;

    if (l->n < 2)
        return fail(err, PERC_EDATA, "%s%s%s: two classes are needed",
                    l->n == 1 ? "all rows have the label '" : "no row has a label",
                    l->n == 1 ? l->at[0].text : "", l->n == 1 ? "'" : "");
    if ((st = class_weights_check(&m->weights, l, err))) return st;
    if (positive[0] != '\0') { /* one class against the others */
        const uint32_t id = labels_find(l, positive, strlen(positive));
        const char *other = l->n > 2 ? "rest" : l->at[id == 0].text;
        char hint[SPELLING_HINT];
        if (id == LABEL_NONE)
            return fail(err, PERC_EDATA, "no row has the label '%.60s'%s; the labels are %s, %s%s",
                        positive, labels_hint(l, positive, hint), l->at[0].text, l->at[1].text,
                        l->n > 2 ? ", ..." : "");
        st = learner_fix_two_classes(&m->learner, other, l->at[id].text, l->n > 2);
        return st ? fail_memory(err) : PERC_OK;
    }
    if (late) /* a network has an output for each label of the file, met or not */
        return learner_takes_start(&m->learner) ? PERC_OK : learner_meet_all(&m->learner, l, err);
    const size_t n = l->n > m->learner.labels.n ? l->n : m->learner.labels.n;
    return meets_as_seen(m, n) ? PERC_OK : learner_know(&m->learner, l, err);
}

/* PERC_EDATA, with its line, for the first row whose label is not one of --classes. */
static perc_status check_listed(perc_model *m, const perc_dataset *ds, perc_error *err)
{
    struct learner *l = &m->learner;
    size_t class, at;

    for (size_t k = 0; k < ds->blocks && l->asked == CLASSES_LISTED; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            const char *label = ds->labels.at[b->label[i]].text;
            const perc_status st = learner_meet(l, label, &class, &at, err);
            if (st && err != NULL) err->line = block_line(b, i);
            if (st) return block_blame(b, i, st, err);
        }
    }
    return PERC_OK;
}

/* ----- the start --------------------------------------------------------------------- */

/* Gives the machine its columns and its start. */
static perc_status start_machine(perc_model *m, const perc_dataset *ds, struct start *s,
                                 perc_error *err)
{
    struct machine *machine = m->learner.machine;
    const uint64_t base = (uint64_t)m->index_base;
    const uint64_t image = map_is_identity(&m->map) ? ds->columns
                                                    : map_columns(&m->map, ds->columns);
    perc_status st;

    if ((st = model_grow(m, ds->labels.n, image, err))) return st;
    if (machine->ops->draw != NULL)
        machine->ops->draw(machine, image > base ? image - base : 1, base);
    if ((st = start_measure(s, image > base ? image - base : 0, err)) ||
        (st = start_compare(s, m, &m->schema, ds->columns, err)) ||
        (st = start_fill(s, m, &m->schema, image, err)))
        return st;
    return start_finish(s, m, &ds->labels, ds->columns, err);
}

/* ----- passes -------------------------------------------------------------------------- */

perc_status train_pass_ended(struct fit *f, perc_model *m, bool *go_on)
{
    const char *path = params_text(m->params, "checkpoint");
    char text[320];
    perc_error why = { 0 };

    *go_on = pass_end(f);
    if (f->st || path[0] == '\0' || m->learner.progress.epoch % params_int(m->params, "every") != 0)
        return f->st;
    /* A run does not end because a copy of it could not be made: the disk may have room later. */
    if (learner_refresh(&m->learner)) fail_memory(&why);
    else perc_model_write(m, path, &why);
    f->checkpoints += why.status == PERC_OK;
    f->checkpoints_failed += why.status != PERC_OK;
    if (why.status != PERC_OK) {
        snprintf(text, sizeof text, "no checkpoint: %s; the run goes on", why.text);
        fit_warn(f, text);
    }
    if (m->learner.progress.stop != PERC_STOP_NONE) *go_on = false;
    return f->st;
}

void train_order(const perc_dataset *ds, const perc_params *p, int64_t pass, uint64_t *ref)
{
    uint64_t n = 0;

    for (size_t k = 0; k < ds->blocks; k++)
        for (size_t i = 0; i < ds->block[k].rows; i++) ref[n++] = ref_make(k, i);
    if (params_is(p, "order", "shuffle-once")) pass = 1; /* the first */
    if (!params_is(p, "order", "file")) {
        const uint64_t stream = (uint64_t)pass + ((uint64_t)1 << 32);
        struct rng r = rng_seed((uint64_t)params_int(p, "seed"), stream);
        rng_shuffle(&r, ref, n);
    }
}

static bool has_row_left(const struct machine *machine, const perc_dataset *ds, const struct fit *f,
                         size_t vector)
{
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++)
            if (block_weight(b, i) * f->weight_of[b->label[i]] > 0 &&
                !machine_skips(machine, (int64_t)(b->first_row + i), vector))
                return true;
    }
    return false;
}

/* PERC_EDATA: every row that counts was set aside (machine/drop.h). The machine is empty then,
 * and a pass without a mistake would mean nothing. */
static perc_status check_left(const perc_model *m, const perc_dataset *ds, const struct fit *f,
                              perc_error *err)
{
    const struct learner *l = &m->learner;
    const size_t problems = l->kind == KIND_REST ? l->labels.n : 1;

    if (machine_describe(l->machine, 0).dropped_count == 0) return PERC_OK;
    for (size_t c = 0; c < problems; c++)
        if (!has_row_left(l->machine, ds, f, c))
            return fail(err, PERC_EDATA,
                        "every row was set aside%s%.60s%s: none is left that the machine gets "
                        "right (pass a larger --drop-after, another --kernel or other values of "
                        "its parameters)",
                        problems > 1 ? " for class '" : "",
                        problems > 1 ? l->labels.at[c].text : "", problems > 1 ? "'" : "");
    return PERC_OK;
}

static perc_status run_learner(perc_model *m, const perc_dataset *ds, struct fit *f,
                               perc_error *err)
{
    const struct progress *g = &m->learner.progress;
    uint64_t *ref = mem_array(&m->e, ds->rows, sizeof *ref);
    bool go_on = ref != NULL;
    perc_status st = ref == NULL ? fail_memory(err) : pass_first(f, m->params, &m->map);

    while (!st && go_on && pass_begin(f)) {
        const uint64_t from = (uint64_t)g->position;
        train_order(ds, m->params, g->epoch, ref);
        if (from > ds->rows) st = fail(err, PERC_EDATA, "the model was trained on more rows");
        else if (!pass_rest(f, ref + from, ds->rows - from)) break;
        else if (!(st = check_left(m, ds, f, err))) st = train_pass_ended(f, m, &go_on);
    }
    mem_free(&m->e, ref, ds->rows, sizeof *ref);
    if (!st) st = f->st;
    if (!st) st = check_left(m, ds, f, err); /* a run may end within a pass */
    if (!st && g->epoch == 0)
        st = learner_meet_all(&m->learner, &ds->labels, err); /* no pass was wanted */
    return st ? st : pass_last(f, err);
}

/* ----- the report ------------------------------------------------------------------------ */

void train_report(const perc_model *m, const struct fit *f, const struct tally *t,
                  const struct tally *last, double seconds, perc_report *out)
{
    const struct learner *l = &m->learner;
    const struct progress *g = &l->progress;
    const struct linear *lin = machine_result(l->machine);
    const bool vectors = l->machine->ops->flags & MACHINE_WEIGHTS; /* else there is no w */
    const double unit = l->machine->unit;
    const struct machine_facts facts = machine_describe(l->machine, model_base(m));

    *out = (perc_report){ .stop = g->stop,
                          .epochs = g->epoch,
                          .examples = g->examples,
                          .mistakes = g->mistakes,
                          .updates = g->updates,
                          .rows = m->rows,
                          .norm = vectors ? unit * linear_norm(lin) : NAN,
                          .norm_augmented = vectors ? unit * linear_norm_augmented(lin) : NAN,
                          .radius = NAN,
                          .train_seconds = seconds,
                          .training_errors = t->errors,
                          .training_error = NAN,
                          .last_error = NAN,
                          .loss = NAN,
                          .primal = NAN,
                          .dual = NAN,
                          .margin_lower = NAN,
                          .margin_upper = NAN,
                          .geometric_lower = NAN,
                          .geometric_upper = NAN,
                          .solver = solver_names[l->solved.solver],
                          .held_error = NAN,
                          .held_value = NAN,
                          .weights = facts.weights,
                          .supports = model_supports(m),
                          .dropped = facts.dropped_rows,
                          .start_found = m->start.found,
                          .start_missing = m->start.missing,
                          .start_unused = m->start.unused,
                          .diverged_epoch = l->diverged.epoch,
                          .diverged_update = l->diverged.step,
                          .other_rows = -1,
                          .close_calls = nearness_calls(&f->nearness),
                          .checkpoints = f->checkpoints,
                          .checkpoints_failed = f->checkpoints_failed };
    if (l->solved.solver != SOLVER_NONE) {
        out->primal = l->solved.primal;
        out->dual = l->solved.dual;
        out->margin_lower = l->solved.lower;
        out->margin_upper = l->solved.upper;
        out->geometric_lower = l->solved.geometric_lower;
        out->geometric_upper = l->solved.geometric_upper;
    }
    pocket_found(pocket_of(l), &out->found_epoch, &out->found_updates);
    if (t->rows > 0) {
        out->rows = t->rows; /* those of weight 0 count for nothing */
        out->training_error = (double)t->errors / (double)t->rows;
        out->loss = t->loss / (double)t->rows;
        out->radius = sqrt(t->radius2 + (lin->offset ? 1 : 0));
    }
    if (l->rule->keep != KEEP_LAST && last->rows > 0)
        out->last_error = (double)last->errors / (double)last->rows;
}

/* Adds the errors and the loss of rows with these scores. */
void train_tally_rows(void *ud, const struct block *b, size_t from, size_t n, const double *scores)
{
    const struct train_tally *own = ud;
    const struct fit *f = own->f;
    const struct learner *l = f->learner;
    const size_t outputs = learner_outputs(l);
    struct tally *t = own->t;

    for (size_t i = from; i < from + n; i++) {
        const size_t class = f->class_of[b->label[i]];
        const double *s = scores + (i - from) * outputs;
        if (!(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
        const double m = class == CLASS_NONE ? NAN : learner_margin(l, s, class);
        t->errors += !(m > 0);
        if (m < 0) t->loss -= m;
    }
}

/* Rows and radius alone; in the space of the machine. */
void train_tally_sizes(struct fit *f, const struct block *b, struct tally *t)
{
    const struct machine *m = f->learner->machine;

    for (size_t i = 0; i < b->rows; i++) {
        if (!(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
        const struct row x = lens_row(&f->lens, b, i);
        const double size2 = m->ops->size2 != NULL ? m->ops->size2(m, &x) : row_norm2(&x);
        t->rows++;
        if (size2 > t->radius2) t->radius2 = size2;
    }
}

/* The errors of what is returned, or of the last machine, by its scores. */
static perc_status tally_scores(const perc_model *m, const struct fit *f, const perc_dataset *ds,
                                bool last, const struct watch *watch, struct tally *t,
                                perc_error *err)
{
    struct train_tally own = { f, t };
    struct scorer s;
    perc_status st = scorer_open(&s, &m->e, m, last ? SCORER_LAST : SCORER_MANY, err);

    s.watch = watch;
    t->errors = 0;
    t->loss = 0;
    for (size_t k = 0; k < ds->blocks && !st; k++)
        st = scorer_pieces(&s, &ds->block[k], 0, false, train_tally_rows, &own, err);
    scorer_close(&s);
    return st;
}

/* *t for what is returned, *last for the last machine: weights and networks block by block, others
 * by their scores. If `ledger`, f's ledger, if any, has the scores of the last machine. */
static perc_status tally_run(const perc_model *m, struct fit *f, const perc_dataset *ds,
                             bool ledger, const struct watch *watch, struct tally *t,
                             struct tally *last, perc_error *err)
{
    const enum keep keep = m->learner.rule->keep;
    const struct machine *machine = m->learner.machine;
    const bool blocks = machine->ops->flags & (MACHINE_QUICK | MACHINE_NETWORK);
    perc_status st = PERC_OK;

    *last = (struct tally){ 0 };
    if (blocks) {
        st = tally_blocks(f, &machine->last, watch, last, err);
    } else if (ledger && f->ledger != NULL) {
        if ((st = ledger_tally(f->ledger, UINT64_MAX, watch, last)))
            return st == PERC_ENOMEM ? fail_memory(err) : st;
        ledger_free(f->ledger); /* its memory would add to that of prediction */
        f->ledger = NULL;
    } else {
        for (size_t k = 0; k < ds->blocks; k++) train_tally_sizes(f, &ds->block[k], last);
        st = tally_scores(m, f, ds, true, watch, last, err);
    }
    *t = *last;
    if (!st && blocks && machine_result(machine) != &machine->last)
        st = tally_blocks(f, machine_result(machine), watch, t, err);
    if (!st && (blocks ? keep == KEEP_VOTES : keep != KEEP_LAST))
        st = tally_scores(m, f, ds, false, watch, t, err);
    return st;
}

perc_status train_count(struct fit *f, train_count_fn *count, void *ud, struct tally *t,
                        struct tally *last)
{
    struct fit_counting c;
    perc_status st = PERC_EUNDECIDED;

    *t = *last = (struct tally){ 0 };
    if (fit_counting_begin(&c, f)) st = count(ud, &c.watch, t, last);
    fit_counting_end(&c);
    if (st == PERC_EUNDECIDED && c.skipped) {
        *t = *last = (struct tally){ 0 };
        st = PERC_OK;
    }
    return st;
}

perc_status train_balance(const struct env *e, const perc_dataset *ds, const uint8_t *chosen,
                          struct class_weights *w)
{
    const size_t n = ds->labels.n;
    uint64_t *count;
    perc_status st;

    if (!w->balanced || w->labels.n > 0) return PERC_OK;
    count = mem_zeroed(e, n, sizeof *count);
    if (count == NULL) return PERC_ENOMEM;
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++)
            if (chosen == NULL || chosen[b->first_row + i])
                count[b->label[i]] += block_weight(b, i) > 0;
    }
    st = class_weights_balance(w, &ds->labels, count);
    mem_free(e, count, n, sizeof *count);
    return st;
}

/* What train_count needs to count. */
struct counting {
    const perc_model *m;
    struct fit *f;
    const perc_dataset *ds;
    bool ledger;
    perc_error *err;
};

static perc_status count_run(void *ud, const struct watch *watch, struct tally *t,
                             struct tally *last)
{
    const struct counting *c = ud;

    return tally_run(c->m, c->f, c->ds, c->ledger, watch, t, last, c->err);
}

/* The report of a run over ds that took so long and showed so many examples. */
static perc_status report_run(const perc_model *m, struct fit *f, const perc_dataset *ds,
                              bool ended, double seconds, double shown, perc_report *report,
                              perc_error *err)
{
    struct counting c = { m, f, ds, !ended, err };
    struct tally t, last;
    const perc_status st = train_count(f, count_run, &c, &t, &last);

    if (st) return st;
    train_report(m, f, &t, &last, seconds, report);
    report->decisions = shadow_counted(f->shadow).decisions;
    report->other_decisions = shadow_counted(f->shadow).other;
    if (f->shadow != NULL && !ended) /* else an earlier pass may have been put in place */
        report->other_rows = shadow_other_rows(f->shadow, m->learner.shown);
    report->read_seconds = ds->seconds;
    report->bytes = ds->bytes;
    report->unchecked = ds->unchecked;
    report->hashed = ds->hashed;
    report->collisions = ds->collisions;
    report->rows_per_second = seconds > 0 ? shown / seconds : 0;
    return PERC_OK;
}

perc_status train_run(perc_model *m, const perc_dataset *ds, const perc_observer *observer,
                      const struct arbiter *arbiter, const struct train_end *end,
                      perc_report *report, perc_error *err)
{
    const double begin = clock_seconds();
    const int64_t before = m->learner.progress.examples;
    struct fit f = { .learner = &m->learner,
                     .observer = observer,
                     .arbiter = arbiter,
                     .run = m,
                     .labels = &ds->labels,
                     .weights = &m->weights,
                     .blocks = ds->block,
                     .block_count = ds->blocks,
                     .err = err,
                     .index_base = (uint64_t)m->index_base };
    const struct rule *rule = m->learner.rule;
    perc_status st = train_balance(&m->e, ds, NULL, &m->weights) ? fail_memory(err) : PERC_OK;

    if (!st && rule->solve == NULL) st = run_learner(m, ds, &f, err);
    else if (!st && !(st = pass_first(&f, m->params, &m->map))) /* no passes: all rows at once */
        st = rule->solve(&f, m->params, &m->map);
    const double seconds = clock_seconds() - begin;
    const double shown = (double)(m->learner.progress.examples - before);
    if (!st && end != NULL) st = end->call(end->ud, err);
    if (!st) st = model_count_supports(m, err);
    if (!st && report != NULL) st = report_run(m, &f, ds, end != NULL, seconds, shown, report, err);
    pass_free(&f);
    return st;
}

/* PERC_EARG: the numbers of ds are not those of the file, though exact arithmetic is asked for. */
static perc_status check_untouched(const perc_params *p, const perc_dataset *ds, perc_error *err)
{
    const char *what = ds->transform.scale != SCALE_NONE ? "scaled"
                       : ds->transform.fill != NULL      ? "filled in"
                       : ds->map.bits > 0                ? "put into buckets"
                                                         : NULL;

    if (!arithmetic_is_exact(p) || what == NULL) return PERC_OK;
    return fail(err, PERC_EARG,
                "exact arithmetic is about the numbers of the file, and these were %s (or pass "
                "--arithmetic double)",
                what);
}

perc_status train_new(const struct env *e, const perc_dataset *ds, const perc_params *p,
                      perc_model **out, perc_error *err)
{
    struct start start = { .e = *e };
    perc_model *m = NULL;
    perc_status st;

    *out = NULL;
    if ((st = rule_check(p, err)) || (st = check_untouched(p, ds, err)) ||
        (st = model_new(e, p, &m, err)) || (st = start_open(e, p, &start, err)) ||
        (st = model_adopt(m, ds, err)))
        goto done;
    struct machine *machine = m->learner.machine;
    if (machine->ops->see_data != NULL && (st = machine->ops->see_data(machine, ds, err)))
        goto done;
    if ((st = start_check(&start, m, NULL, err)) || (st = start_classes(&start, m, err)) ||
        (st = train_labels(m, &ds->labels, false, err)))
        goto done;
    if ((st = model_check_labels(ds->block, ds->blocks, err))) goto done;
    if ((st = check_listed(m, ds, err))) goto done;
    if ((st = start_machine(m, ds, &start, err))) goto done;
    *out = m; /* the caller owns it now */
    m = NULL;
done:
    start_close(&start);
    perc_model_free(m);
    return st;
}

perc_status train_fit(const struct env *e, const perc_dataset *ds, const perc_params *p,
                      const perc_observer *observer, const struct arbiter *arbiter,
                      perc_model **out, perc_report *report, perc_error *err)
{
    perc_model *m;
    perc_status st = train_new(e, ds, p, &m, err);

    *out = NULL;
    if (!st) st = train_run(m, ds, observer, arbiter, NULL, report, err);
    if (st) perc_model_free(m);
    else *out = m;
    return st;
}

perc_status perc_event_model(const perc_event *event, const perc_model **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(event != NULL);
    const bool pass = event->pass_ended && event->run != NULL &&
                      event->run->learner.rule->solve == NULL;

    if (event->ended && event->run != NULL) { /* it is up to date, and may be read by others */
        *out = event->run;
        return PERC_OK;
    }
    if (!pass)
        return fail(err, PERC_EARG,
                    "there is a model only where a pass over the rows, or the run, has ended");
    if (learner_refresh(&event->run->learner)) return fail_memory(err);
    *out = event->run;
    return PERC_OK;
}

/* ----- resuming ----------------------------------------------------------------------------- */

/* Only the limits, the checkpoint and how kernel values are obtained may change: anything
 * else would not be the same run any more. A gamma equal to the one in use stays as it
 * was written, so that the file's bytes are those of a single run. */
static perc_status override_options(perc_model *m, const perc_params *p, perc_error *err)
{
    static const char *const may[] = { "epochs", "updates", "time-limit", "checkpoint",
                                       "every",  "cache",   "loop" };
    const struct kernel *k = machine_describe(m->learner.machine, 0).kernel;
    double v;
    perc_status st;

    if (p == NULL) return PERC_OK;
    for (size_t i = 0; i < p->table->count; i++) {
        const char *name = p->table->rows[i].name, *value = p->value[i];
        bool allowed = false;
        if (!p->given[i]) continue;
        for (size_t j = 0; j < sizeof may / sizeof may[0]; j++) allowed |= !strcmp(name, may[j]);
        const char *had = perc_params_get(m->params, name);
        if (had == NULL) return fail(err, PERC_EARG, "the model has no option '%s'", name);
        const bool same = strcmp(had, value) == 0;
        const bool gamma = k != NULL &&
                           strcmp(name, k->type == KERNEL_SIGMOID ? "eta" : "gamma") == 0;
        const bool found = gamma && ((k->gamma_from == GAMMA_SCALE && !strcmp(value, "scale")) ||
                                     (number_parse(value, strlen(value), &v) && v == k->gamma));
        if (!allowed && !same && !found) {
            char text[64] = "not set";
            if (gamma && k->gamma_from != GAMMA_GIVEN)
                snprintf(text, sizeof text, "%s (%.5g)",
                         k->gamma_from == GAMMA_SCALE ? "scale" : "auto", k->gamma);
            else if (had[0] != '\0') snprintf(text, sizeof text, "%.60s", had);
            return fail(err, PERC_EARG, "--%s is %s in the model; a run that goes on keeps it",
                        name, text);
        }
        if ((allowed || same) && (st = perc_params_set(m->params, name, value, err))) return st;
    }
    return rule_check(m->params, err);
}

perc_status train_copy(const struct env *e, const perc_model *from, perc_model **out,
                       perc_error *err)
{
    perc_model *m;
    perc_status st = model_new(e, from->params, &m, err);

    *out = NULL;
    if (st) return st;
    m->index_base = from->index_base;
    m->rows = from->rows;
    m->map = from->map;
    m->support_count = from->support_count;
    /* One that was not fitted, to probabilities that were not, stays. */
    if (from->sigmoid == NULL && from->threshold.of >= THRESHOLD_P) m->threshold = from->threshold;
    if (learner_copy(&from->learner, &m->learner) || schema_copy(e, &from->schema, &m->schema) ||
        transform_copy(e, &from->transform, &m->transform) || names_make(e, &m->schema, &m->names))
        st = fail_memory(err);
    if (st) perc_model_free(m);
    else *out = m;
    return st;
}

/* Whether ds may be what m was trained on. A machine that began as the copy of
 * another may be wider than its data. */
static perc_status check_same_data(const perc_model *m, const perc_dataset *ds, perc_error *err)
{
    const char *init = learner_takes_start(&m->learner) ? params_text(m->params, "init") : "zero";
    const bool copied = strcmp(init, "zero") != 0 && strcmp(init, "unit") != 0 &&
                        strcmp(init, "random") != 0;
    const uint64_t dims = model_inputs(m);

    if (ds->rows != m->rows || ds->columns > dims || (ds->columns < dims && !copied) ||
        ds->index_base != m->index_base)
        return fail(
            err, PERC_EDATA,
            "the model was trained on %llu rows with %llu features; these data are different",
            (unsigned long long)m->rows, (unsigned long long)model_features(m));
    if (!transform_same(&m->transform, &ds->transform))
        return fail(err, PERC_EDATA,
                    "the model was trained on data that were scaled or filled in another way (use "
                    "the same --scale and --missing)");
    if (!map_same(&m->map, &ds->map))
        return fail(err, PERC_EDATA, "the model was trained with another --map");
    /* In the first pass, labels may still be unmet. */
    const struct learner *n = &m->learner;
    if (!(n->machine->ops->flags & MACHINE_NETWORK) && !n->closed && n->progress.epoch <= 1 &&
        n->progress.pass_open)
        return PERC_OK;
    for (size_t i = 0; i < ds->labels.n; i++)
        if (learner_class(n, ds->labels.at[i].text) == CLASS_NONE) {
            if (n->kind != KIND_TWO)
                return fail(err, PERC_EDATA,
                            "a row has the label %s, which the model does not know",
                            ds->labels.at[i].text);
            return fail(err, PERC_EDATA, "the model tells %s from %s, but a row has the label %s",
                        n->labels.n > 1 ? n->labels.at[1].text : "+1",
                        n->labels.n > 0 ? n->labels.at[0].text : "-1", ds->labels.at[i].text);
        }
    return PERC_OK;
}

perc_status perc_fit_resume_sized(const perc_env *env, const perc_dataset *ds,
                                  const perc_model *from, const perc_params *p,
                                  const perc_observer *observer, perc_model **out,
                                  perc_report *report, size_t size, perc_error *err)
{
    NEED_OUT(out);
    NEED(ds != NULL && from != NULL && observer_is_valid(observer));
    if (p != NULL) NEED_PARAMS(p, "learner");
    const struct env e = env_resolve(env);
    perc_report own = { 0 };
    perc_model *m;
    perc_status st = train_copy(&e, from, &m, err);

    if (st) return st;
    if (!machine_learns(m->learner.machine))
        st = fail(err, PERC_EARG, "a gate was compiled from a formula: it does not learn");
    if (!st && m->learner.rule->solve != NULL)
        st = fail(err, PERC_EARG, "%s solves the whole problem each time: train it again",
                  m->learner.rule->table.name);
    if (!st && arithmetic_is_exact(m->params))
        st = fail(err, PERC_EARG,
                  "a run in exact arithmetic cannot go on: the model has its weights rounded to "
                  "doubles (train again, with more --epochs)");
    if (!st) st = model_counts_on(m, err);
    if (!st) st = check_same_data(m, ds, err);
    if (!st) st = model_check_labels(ds->block, ds->blocks, err);
    if (!st) st = override_options(m, p, err);
    if (!st) st = train_run(m, ds, observer, NULL, NULL, report != NULL ? &own : NULL, err);
    if (st) perc_model_free(m);
    else *out = m;
    sized_copy(report, size, &own, sizeof own);
    return st;
}
