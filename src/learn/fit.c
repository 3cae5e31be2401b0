/* fit.c -- the loop around the learner.
 *
 * For a rule that only asks for the sign of the score, a quick score with a bound
 * on its error decides nearly every row; where the bound does not tell, and for
 * every other rule and every observer who looks at scores, the canonical score is
 * computed (vec/vec.h). So the updates are those of the plain loop, bit for bit,
 * on ties and duplicates too; only the speed differs.
 *
 * With a kernel the scores are those that ledger.h keeps, which are canonical. */
#include "learn/fit.h"

#include <math.h>

#include "data/gather.h"
#include "learn/batches.h"
#include "learn/ledger.h"
#include "learn/pocket.h"

/* ----- beginning and end ------------------------------------------------------- */

/* Scores that are kept, with a kernel and the data in memory; the textbook has none. */
static perc_status begin_kernel(struct fit *f, const perc_params *p)
{
    const struct learner *l = f->learner;
    double cache = l->kernel != NULL ? params_real(p, "cache") * 1e6 : 0, rows = 0;

    if (l->drop != NULL && f->blocks == NULL)
        return fail(f->err, PERC_EARG,
                    "--drop-after counts the mistakes of every row, so it needs "
                    "the data in memory: leave out --stream");
    if (l->kernel == NULL || l->budget != NULL || f->blocks == NULL ||
        params_is(p, "loop", "textbook"))
        return PERC_OK;
    for (size_t k = 0; k < f->block_count; k++) rows += (double)f->blocks[k].rows;
    if (!params_given(p, "cache") && cache < 8 * rows) cache = 0;
    return ledger_new(f, cache, &f->ledger, f->err);
}

/* A network that is told no number of passes: enough of them for so many steps. */
static int64_t passes_of_mlp(const struct fit *f, const perc_params *p)
{
    enum { PASSES = 20, STEPS = 2000 };
    const int64_t batch = params_int(p, "batch");
    int64_t rows = 0;

    for (size_t k = 0; k < f->block_count; k++) rows += (int64_t)f->blocks[k].rows;
    const int64_t a_pass = (rows + batch - 1) / batch;
    return rows == 0 || a_pass >= STEPS / PASSES ? PASSES : (STEPS + a_pass - 1) / a_pass;
}

perc_status fit_begin(struct fit *f, const perc_params *p, const struct map *map)
{
    struct learner *l = f->learner;

    f->epochs = params_int(p, "epochs");
    if (f->epochs < 0) f->epochs = passes_of_mlp(f, p);
    f->time_limit = params_real(p, "time-limit");
    f->pass_loss = NAN;
    l->progress.stop = PERC_STOP_NONE;
    l->diverged.epoch = l->diverged.step = 0;
    f->begin = f->noticed = clock_seconds();
    if (l->rule->solve != NULL) {
        lens_init(&f->lens, &l->e, map);
        return f->st = fit_labels(f);
    }
    f->updates = params_int(p, "updates");
    f->jumping = params_is(p, "order", "shuffle");
    f->exact = f->observer != NULL && f->observer->level > PERC_WATCH_COUNTS;
    lens_init(&f->lens, &l->e, map);
    if (l->pocket != NULL && pocket_begin(l->pocket, f)) return fail_memory(f->err);
    /* Observers of rows want to know which: those have to lie where they are. */
    if (f->jumping && !f->exact && l->kernel == NULL && l->mlp == NULL &&
        gather_new(&l->e, f->blocks, f->block_count, GATHER_WORTH, &f->gather))
        return f->st = fail_memory(f->err);
    for (size_t k = 0; k < f->block_count; k++) {
        f->entries += f->blocks[k].nonzeros;
        if ((f->st = lens_reserve(&f->lens, &f->blocks[k], f->err))) return f->st;
    }
    if ((f->st = begin_kernel(f, p)) || (f->st = fit_labels(f))) return f->st;
    return f->st = l->mlp != NULL ? batches_new(f, p, &f->batches) : PERC_OK;
}

void fit_end(struct fit *f)
{
    if (f->learner == NULL) return;
    const struct env *e = &f->learner->e;
    mem_free(e, f->class_of, f->known, sizeof *f->class_of);
    mem_free(e, f->weight_of, f->known, sizeof *f->weight_of);
    lens_free(&f->lens);
    gather_free(f->gather);
    f->gather = NULL;
    ledger_free(f->ledger);
    f->ledger = NULL;
    batches_free(f->batches);
    f->batches = NULL;
    if (f->learner->pocket != NULL) f->learner->pocket->fit = NULL;
    f->class_of = NULL;
    f->weight_of = NULL;
    f->known = 0;
}

perc_status fit_labels(struct fit *f)
{
    const struct env *e = &f->learner->e;
    const size_t n = f->labels->n;

    if (n <= f->known) return PERC_OK;
    size_t *class_of = mem_array(e, n, sizeof *class_of);
    double *weight_of = mem_array(e, n, sizeof *weight_of);
    if (class_of == NULL || weight_of == NULL) {
        mem_free(e, class_of, n, sizeof *class_of);
        mem_free(e, weight_of, n, sizeof *weight_of);
        return fail_memory(f->err);
    }
    for (size_t i = 0; i < f->known; i++) {
        class_of[i] = f->class_of[i];
        weight_of[i] = f->weight_of[i];
    }
    mem_free(e, f->class_of, f->known, sizeof *class_of);
    mem_free(e, f->weight_of, f->known, sizeof *weight_of);
    f->class_of = class_of;
    f->weight_of = weight_of;
    for (size_t i = f->known; i < n; i++) {
        class_of[i] = learner_class(f->learner, f->labels->at[i].text);
        weight_of[i] = class_weights_of(f->weights, f->labels->at[i].text);
    }
    f->known = n;
    return PERC_OK;
}

perc_status fit_meet(struct fit *f, size_t id)
{
    size_t class, at;

    f->st = learner_meet(f->learner, f->labels->at[id].text, &class, &at, f->err);
    if (at != CLASS_NONE) ledger_forget(f->ledger);
    for (size_t i = 0; i < f->known && at != CLASS_NONE; i++)
        if (f->class_of[i] != CLASS_NONE && f->class_of[i] >= at) f->class_of[i]++;
    if (!f->st) f->class_of[id] = class;
    return f->st;
}

/* ----- observers -------------------------------------------------------------- */

static perc_event event(const struct fit *f)
{
    const struct progress *g = &f->learner->progress;

    return (perc_event){ .epoch = g->epoch,
                         .examples = g->examples,
                         .mistakes = g->mistakes,
                         .updates = g->updates,
                         .pass_mistakes = g->pass_mistakes,
                         .held_error = NAN,
                         .loss = f->pass_loss,
                         .seconds = clock_seconds() - f->begin,
                         .row = -1,
                         .run = f->run };
}

static void notify(struct fit *f, const perc_event *ev)
{
    struct progress *g = &f->learner->progress;

    if (f->observer->notify(f->observer->ud, ev) != 0 && g->stop == PERC_STOP_NONE)
        g->stop = PERC_STOP_CANCELLED;
}

/* Events of one example, for observers who asked for them. */
static void notify_example(struct fit *f, const struct block *b, size_t i, size_t class,
                           const struct outcome *o)
{
    const struct linear *m = &f->learner->machine;
    perc_event ev = event(f);

    ev.row = (int64_t)(b->first_row + i);
    ev.y = f->learner->kind != KIND_TWO ? (double)class : class > 0 ? 1 : -1;
    ev.score = o->score;
    ev.mistake = o->mistake;
    ev.updated = o->updates;
    if (f->observer->level >= PERC_WATCH_WEIGHTS) {
        if (f->learner->kernel == NULL && m->dims > f->index_base) {
            ev.w = m->w + f->index_base * m->stride;
            ev.features = m->dims - f->index_base;
        }
        ev.b = m->b;
        ev.vectors = learner_outputs(f->learner);
        ev.stride = m->stride;
    }
    notify(f, &ev);
}

void fit_tell_step(struct fit *f, int64_t row)
{
    perc_event ev = event(f);

    ev.row = row;
    ev.y = ev.score = NAN;
    ev.updated = 1;
    notify(f, &ev);
}

/* Some times a second: the clock, and the observer's wish to stop. */
void fit_look_up(struct fit *f)
{
    struct progress *g = &f->learner->progress;
    const double now = clock_seconds();

    if (f->time_limit > 0 && now - f->begin >= f->time_limit && g->stop == PERC_STOP_NONE)
        g->stop = PERC_STOP_TIME;
    if (f->observer != NULL && now - f->noticed >= 0.05) {
        const perc_event ev = event(f);
        f->noticed = now;
        notify(f, &ev);
    }
}

/* ----- rows ---------------------------------------------------------------------- */

enum { LOOK_UP = 1 << 18 }; /* entries shown between two looks at the clock */

/* Only a kernel comes to this: linear scores that overflow are mistakes. */
static perc_status no_score(const struct fit *f, const struct block *b, size_t i)
{
    return fail_at(f->err, PERC_EDATA, block_line(b, i), 0,
                   "the score of this row is too large to be a number (scale the data: --scale "
                   "%s; or take a lower --degree or a --coef0 nearer to 0)",
                   f->blocks != NULL ? "standard, unit or by:NUMBER" : "unit or by:NUMBER");
}

/* Counts an outcome and tells whoever wants to know. false: the run is over. */
static bool count(struct fit *f, const struct block *b, size_t i, size_t class,
                  const struct outcome *o)
{
    struct progress *g = &f->learner->progress;

    g->position++;
    g->examples++;
    g->mistakes += o->mistake;
    g->pass_mistakes += o->mistake;
    g->updates += o->updates;
    g->pass_updates += o->updates;
    if (o->updates > 0 && f->updates > 0 && g->updates >= f->updates) g->stop = PERC_STOP_UPDATES;
    if (f->observer != NULL && f->observer->level >= PERC_WATCH_UPDATES &&
        (o->updates > 0 || f->observer->level >= PERC_WATCH_WEIGHTS))
        notify_example(f, b, i, class, o);
    if (f->learner->failed) f->st = fail_memory(f->err);
    if (f->learner->overflow) f->st = no_score(f, b, i);
    return g->stop == PERC_STOP_NONE && !f->st;
}

/* A row for two classes. A quick score decides where its error bound allows: the
 * row is right by more than the rule reaches; or the rule asks only for the sign. */
static struct outcome show_two(const struct fit *f, const struct row *x, size_t class,
                               double weight)
{
    struct learner *l = f->learner;
    const unsigned flags = l->steps->flags;
    const double y = class > 0 ? 1 : -1, b = l->machine.b[0];
    const struct quick q = flags & RULE_SIZE ? row_measure(x, l->machine.w)
                                             : row_quick(x, l->machine.w);
    const double s = q.sum + b, bound = quick_bound(&q, x->n, b);

    /* norm2 is within a part in 10^12 */
    const double size2 = flags & RULE_SIZE ? (q.norm2 + 1) * (1 + 1e-9) : 0;
    if (y * s - bound > l->steps->reach(l, size2)) return learner_pass(l, x, weight, s);
    if ((flags & RULE_SIGN) && y * s < -bound) return learner_show_scored(l, x, class, weight, s);
    return learner_show(l, x, class, weight);
}

/* Shows one row. false: the run is over. */
static bool show(struct fit *f, const struct block *b, size_t i)
{
    struct learner *l = f->learner;
    const uint32_t label = b->label[i];
    const double weight = block_weight(b, i) * f->weight_of[label];

    if (f->class_of[label] == CLASS_NONE && fit_meet(f, label)) return false;
    const size_t class = f->class_of[label];
    const struct row x = lens_row(&f->lens, b, i);
    l->example = (int64_t)(b->first_row + i);
    f->work += l->pocket != NULL && l->pocket->literal ? f->entries : x.n + 16;
    if (l->kernel != NULL) f->work += l->votes.n * (x.n + 16);
    const bool quick = l->kind == KIND_TWO && !f->exact && l->kernel == NULL;
    const struct outcome o = quick ? show_two(f, &x, class, weight)
                                   : learner_show(l, &x, class, weight);
    return count(f, b, i, class, &o);
}

/* Whether a row was set aside (drop.h): it is not shown, and is no example. */
static bool passed_over(struct fit *f, const struct block *b, size_t i)
{
    if (!drop_has(f->learner->drop, (int64_t)(b->first_row + i))) return false;
    f->learner->progress.position++;
    return true;
}

/* Some times a second, the clock. false: the run is over. */
static bool look_up(struct fit *f)
{
    if (f->work >= LOOK_UP) {
        f->work = 0;
        fit_look_up(f);
    }
    return f->learner->progress.stop == PERC_STOP_NONE;
}

/* Shows row i of those that the ledger has taken, whose class is known. */
static bool show_known(struct fit *f, const struct block *b, size_t row, size_t i)
{
    struct learner *l = f->learner;
    const size_t class = f->class_of[b->label[row]];
    const double weight = block_weight(b, row) * f->weight_of[b->label[row]];
    const struct row *x = ledger_row(f->ledger, i);

    l->example = (int64_t)(b->first_row + row);
    const struct outcome o = learner_show_kernel(l, x, class, weight, ledger_scores(f->ledger, i));
    if (!l->failed && ledger_shown(f->ledger)) l->failed = true;
    f->work += x->n + 16 + ledger_work(f->ledger);
    return count(f, b, row, class, &o);
}

/* Shows some of the rows that are next; *taken: how many. A class that is met in the middle
 * changes what the ledger knows, so the rows from there on have to be taken again. */
static bool show_some(struct fit *f, const uint64_t *ref, size_t n, size_t *taken)
{
    const uint32_t first = f->blocks[ref[0] >> 32].label[ref[0] & UINT32_MAX];
    size_t end;

    *taken = 0;
    if (f->class_of[first] == CLASS_NONE && fit_meet(f, first)) return false;
    if (ledger_take(f->ledger, ref, n, &end)) {
        f->st = fail_memory(f->err);
        return false;
    }
    f->work += ledger_work(f->ledger);
    for (; *taken < end; ++*taken) {
        const struct block *b = &f->blocks[ref[*taken] >> 32];
        const size_t row = (size_t)(ref[*taken] & UINT32_MAX);
        if (f->class_of[b->label[row]] == CLASS_NONE) return true;
        if (!look_up(f)) return false;
        if (!passed_over(f, b, row) && !show_known(f, b, row, *taken)) return false;
    }
    return true;
}

/* Rows in an unpredictable order are in no cache. Their contents are asked for
 * some rows early, and where they lie (block_row reads it) earlier still. */
static void fetch_ahead(const struct block *blocks, const uint64_t *ref, size_t n, size_t at)
{
    enum { NEAR = 8, FAR = 24 };

    if (at + FAR < n)
        block_prefetch(&blocks[ref[at + FAR] >> 32], (size_t)(ref[at + FAR] & UINT32_MAX));
    if (at + NEAR < n) {
        const struct row x = block_row(&blocks[ref[at + NEAR] >> 32],
                                       (size_t)(ref[at + NEAR] & UINT32_MAX));
        row_prefetch(&x);
    }
}

bool fit_rows(struct fit *f, const struct block *blocks, const uint64_t *ref, size_t n)
{
    if (f->batches != NULL) return batches_rows(f->batches, blocks, ref, n);
    f->work = LOOK_UP;
    if (f->ledger != NULL && blocks == f->blocks) {
        for (size_t at = 0, taken; at < n; at += taken)
            if (!look_up(f) || !show_some(f, ref + at, n - at, &taken)) return false;
        return true;
    }
    for (size_t at = 0; at < n; at++) {
        const struct block *b = &blocks[ref[at] >> 32];
        const size_t i = (size_t)(ref[at] & UINT32_MAX);
        if (!look_up(f)) return false;
        if (blocks == f->blocks && f->jumping) fetch_ahead(blocks, ref, n, at);
        if (!passed_over(f, b, i) && !show(f, b, i)) return false;
    }
    return true;
}

bool fit_shuffled(struct fit *f, const uint64_t *ref, uint64_t n)
{
    const struct block *b;
    bool go_on = true;

    if (f->batches != NULL) return batches_pass(f->batches, ref, n);
    if (f->gather == NULL || !gather_begin(f->gather, ref, n))
        return fit_rows(f, f->blocks, ref, (size_t)n);
    while (go_on && (b = gather_next(f->gather)) != NULL) go_on = fit_block(f, b, 0);
    gather_end(f->gather);
    return go_on;
}

bool fit_block(struct fit *f, const struct block *b, size_t from)
{
    uint64_t ref[1024];

    for (size_t i = from; i < b->rows;) {
        size_t n = 0;
        for (; n < 1024 && i < b->rows; n++, i++) ref[n] = ref_make(0, i);
        if (!fit_rows(f, b, ref, n)) return false;
    }
    return true;
}

/* ----- passes ---------------------------------------------------------------------- */

bool fit_pass_begin(struct fit *f)
{
    struct progress *g = &f->learner->progress;

    if (g->epoch > 0 && !g->pass_open && g->pass_updates == 0) g->stop = PERC_STOP_CONVERGED;
    else if (!g->pass_open && g->epoch >= f->epochs) g->stop = PERC_STOP_EPOCHS;
    if (g->stop != PERC_STOP_NONE) return false;
    if (!g->pass_open) { /* otherwise: go on in the middle of a pass */
        g->epoch++;
        g->position = 0;
        g->pass_mistakes = g->pass_updates = 0;
        g->pass_open = true;
    }
    f->exact = f->exact && f->observer->level > PERC_WATCH_COUNTS; /* it may have seen enough */
    if (f->batches != NULL) batches_pass_begin(f->batches);
    return true;
}

bool fit_pass_end(struct fit *f)
{
    struct learner *l = f->learner;
    struct progress *g = &l->progress;

    if (f->batches != NULL && !batches_pass_end(f->batches)) return false;
    g->pass_open = false;
    const bool expecting = l->expecting;
    learner_seal(l); /* every label has been met */
    if (l->expecting != expecting) ledger_forget(f->ledger);
    if (l->pocket != NULL && pocket_pass_end(l->pocket, l)) f->st = fail_memory(f->err);
    if (f->batches != NULL) f->st = batches_keep(f->batches);
    if (f->observer != NULL) {
        perc_event ev = event(f);
        ev.pass_ended = 1;
        notify(f, &ev);
    }
    return g->stop == PERC_STOP_NONE && !f->st;
}
