/* pass.c -- the loop around the learner.
 *
 * For a rule that only asks for the sign of the score, a quick score with a bound
 * on its error decides nearly every row; where the bound does not tell, and for
 * every other rule and every observer who looks at scores, the canonical score is
 * computed (vec/row.h). So the updates are those of the plain loop, bit for bit,
 * on ties and duplicates too; only the speed differs.
 *
 * With a kernel the scores are those that ledger.h keeps, which are canonical. A network
 * learns from batches (batches.h). */
#include "learn/pass.h"

#include <math.h>

#include "data/gather.h"
#include "learn/arithmetic.h"
#include "learn/batches.h"
#include "learn/ledger.h"
#include "learn/pocket.h"
#include "machine/machine_kernel.h"
#include "machine/shadow.h"

/* ----- beginning and end ------------------------------------------------------- */

/* What decides in exact arithmetic: it needs all classes, which are known. */
static perc_status make_shadow(struct fit *f)
{
    struct learner *l = f->learner;
    const struct shadow_plan plan = { .machine = l->machine,
                                      .blocks = f->blocks,
                                      .block_count = f->block_count,
                                      .lens = &f->lens,
                                      .class_of = f->class_of,
                                      .weight_of = f->weight_of,
                                      .vectors = learner_outputs(l),
                                      .kind = l->kind,
                                      .rate = l->rate,
                                      .margin = l->steps == &rule_margin ? l->margin : NAN };

    f->st = shadow_new(&plan, &f->shadow, f->err);
    l->shadow = f->shadow;
    return f->st;
}

/* A run that goes on has met all rows before. */
static void meet_all(struct fit *f)
{
    for (size_t k = 0; k < f->block_count; k++) {
        const struct block *b = &f->blocks[k];
        for (size_t i = 0; i < b->rows; i++) {
            const struct row x = lens_row(&f->lens, b, i);
            const double weight = block_weight(b, i) * f->weight_of[b->label[i]];
            if (weight > 0) nearness_meet(&f->nearness, f->learner, &x, weight);
        }
    }
}

perc_status pass_first(struct fit *f, const perc_params *p, const struct map *map)
{
    struct learner *l = f->learner;
    const unsigned flags = l->machine->ops->flags;
    const bool exact = arithmetic_is_exact(p);
    int64_t rows = 0;

    for (size_t k = 0; k < f->block_count; k++) rows += (int64_t)f->blocks[k].rows;
    f->epochs = params_int(p, "epochs");
    if (f->epochs < 0) { /* a network not told how many passes: enough for so many steps */
        enum { PASSES = 20, STEPS = 2000 };
        const int64_t batch = params_int(p, "batch"), a_pass = (rows + batch - 1) / batch;
        f->epochs = rows == 0 || a_pass >= STEPS / PASSES ? PASSES : (STEPS + a_pass - 1) / a_pass;
    }
    f->time_limit = params_real(p, "time-limit");
    f->pass_loss = NAN;
    l->progress.stop = PERC_STOP_NONE;
    l->diverged.epoch = l->diverged.step = 0;
    f->begin = f->noticed = clock_seconds();
    lens_init(&f->lens, &l->e, map);
    if (l->rule->solve != NULL) return f->st = fit_labels(f);
    f->updates = params_int(p, "updates");
    f->jumping = !params_is(p, "order", "file");
    f->canonical_scores = f->observer != NULL && f->observer->level > PERC_WATCH_COUNTS;
    f->nearness = nearness_begin(l, p, map);
    f->quick = l->quick && !f->canonical_scores && f->nearness.degree == 0;
    f->literal = pocket_of(l) != NULL && pocket_of(l)->literal;
    if (pocket_begin(pocket_of(l), f)) return f->st = fail_memory(f->err);
    /* Observers, exact arithmetic and machines that set rows aside need the numbers of rows, so
     * these may not be copied out of order. */
    if (f->jumping && !f->canonical_scores && !exact && l->machine->ops->skips == NULL &&
        flags & MACHINE_WEIGHTS &&
        gather_new(&l->e, f->blocks, f->block_count, GATHER_WORTH, &f->gather))
        return f->st = fail_memory(f->err);
    for (size_t k = 0; k < f->block_count; k++) {
        f->entries += f->blocks[k].nonzeros;
        if ((f->st = lens_reserve(&f->lens, &f->blocks[k], f->err))) return f->st;
    }
    /* Scores are kept for a machine that is a sum of its updates if the data are in memory; the
     * textbook keeps none. */
    if (machine_expansion_of(l->machine) != NULL && f->blocks != NULL && !exact &&
        !params_is(p, "loop", "textbook")) {
        const double cache = params_real(p, "cache") * 1e6;
        const size_t classes = l->closed || f->labels->n <= 2 ? 1 : f->labels->n + 1;
        const double need = (double)rows * (double)classes * sizeof(double);
        if (need > mem_physical())
            return f->st = fail(f->err, PERC_ENOMEM,
                                "out of memory: with a kernel the scores of %lld rows for each of "
                                "%zu classes need %.3g GB (pass --loop textbook, --budget B, or "
                                "--positive LABEL to learn one class)",
                                (long long)rows, f->labels->n, need / 1e9);
        const bool worth = params_given(p, "cache") || cache >= 8 * (double)rows;
        if ((f->st = ledger_new(f, worth ? cache : 0, &f->ledger, f->err))) return f->st;
    }
    if ((f->st = fit_labels(f)) || (exact && make_shadow(f))) return f->st;
    if (l->progress.updates > 0 && f->nearness.degree > 0) meet_all(f);
    if (f->blocks != NULL) l->most = f->labels->n > l->labels.n ? f->labels->n : l->labels.n;
    if (l->machine->ops->teach == NULL) return PERC_OK;
    return f->st = batches_new(f, p, &f->batches);
}

perc_status pass_last(struct fit *f, perc_error *err)
{
    struct learner *l = f->learner;

    if (f->batches != NULL) batches_stopped(f->batches);
    if (f->st) return f->st;
    for (size_t i = 0; i < f->known; i++) f->class_of[i] = learner_class(l, f->labels->at[i].text);
    if (l->labels.n < 2)
        return fail(err, PERC_EDATA,
                    "training ended before a second label was met: allow more, or leave out "
                    "--order file");
    if (f->blocks != NULL && pocket_end(pocket_of(l), l)) return fail_memory(err);
    return learner_refresh(l) ? fail_memory(err) : PERC_OK;
}

void pass_free(struct fit *f)
{
    if (f->learner == NULL) return;
    const struct env *e = &f->learner->e;
    mem_free(e, f->class_of, f->class_cap, sizeof *f->class_of);
    mem_free(e, f->weight_of, f->weight_cap, sizeof *f->weight_of);
    mem_free(e, f->shown, f->shown_cap, sizeof *f->shown);
    lens_free(&f->lens);
    gather_free(f->gather);
    ledger_free(f->ledger);
    batches_free(f->batches);
    pocket_release(pocket_of(f->learner));
    shadow_free(f->shadow);
    f->shadow = f->learner->shadow = NULL;
    f->gather = NULL;
    f->ledger = NULL;
    f->batches = NULL;
    f->class_of = NULL;
    f->weight_of = f->shown = NULL;
    f->known = f->class_cap = f->weight_cap = f->shown_cap = 0;
}

/* ----- rows ---------------------------------------------------------------------- */

enum { POLL = 1 << 18 }; /* entries shown between two polls of the clock */

/* A row for two classes. A quick score decides where its error bound allows: the
 * row is right by more than the rule reaches; or the rule asks only for the sign. */
static struct outcome show_two(const struct fit *f, const struct row *x, size_t class,
                               double weight)
{
    struct learner *l = f->learner;
    const struct linear *w = &l->machine->last;
    const unsigned flags = l->steps->flags;
    const double y = class > 0 ? 1 : -1, b = w->b[0];
    const struct quick q = flags & RULE_SIZE ? row_measure(x, w->w) : row_quick(x, w->w);
    const double s = q.sum + b, bound = quick_bound(&q, x->n, b);

    /* norm2 is within a part in 10^12 */
    const double size2 = flags & RULE_SIZE ? (q.norm2 + 1) * (1 + 1e-9) : 0;
    if (y * s - bound > l->steps->reach(l, size2)) return learner_no_update(l, x, weight, s);
    if ((flags & RULE_SIGN) && y * s < -bound) return learner_show_scored(l, x, class, weight, s);
    return learner_show(l, x, class, weight);
}

/* Shows one row. false: the run is over. */
static bool show_row(struct fit *f, const struct block *b, size_t i)
{
    struct learner *l = f->learner;
    const struct machine *m = l->machine;
    const uint32_t label = b->label[i];
    const double weight = block_weight(b, i) * f->weight_of[label];
    const bool met = f->class_of[label] == CLASS_NONE;

    if (met && fit_meet(f, label)) {
        if (f->err != NULL && f->st == PERC_EDATA) f->err->line = block_line(b, i);
        block_blame(b, i, f->st, f->err);
        return false;
    }
    const size_t class = f->class_of[label];
    const struct row x = lens_row(&f->lens, b, i);
    f->work += met ? m->last.dims * m->last.stride : 0; /* at most: for room, all are copied */
    l->example = (int64_t)(b->first_row + i);
    f->work += f->literal ? f->entries : (x.n + 1) * m->last.stride + 16;
    if (m->ops->work != NULL) f->work += m->ops->work(m, &x);
    if (l->shadow != NULL) f->work += POLL / 64; /* with a kernel an update takes all rows */
    const bool judged = f->nearness.degree > 0 && weight > 0;
    if (judged) nearness_meet(&f->nearness, l, &x, weight);
    const struct outcome o = f->quick && l->kind == KIND_TWO ? show_two(f, &x, class, weight)
                                                             : learner_show(l, &x, class, weight);
    if (judged) nearness_judge(&f->nearness, l, &x, &o, l->progress.updates);
    return fit_count(f, b, i, class, &o);
}

/* Whether a row was set aside: it is not shown, and does not count as an example. One class
 * against the rest, it may be left to other classes: show_rest (learner.c) asks for each. */
static bool is_skipped(struct fit *f, const struct block *b, size_t i)
{
    const int64_t row = (int64_t)(b->first_row + i);

    if (f->learner->kind == KIND_REST || !machine_skips(f->learner->machine, row, 0)) return false;
    f->learner->progress.position++;
    return true;
}

/* Looks at the clock a few times a second. false: the run is over. */
static bool poll_clock(struct fit *f)
{
    if (f->work >= POLL) {
        f->work = 0;
        fit_poll(f);
    }
    return f->learner->progress.stop == PERC_STOP_NONE;
}

/* Shows row i of the ledger's window, whose class is known. */
static bool show_known(struct fit *f, const struct block *b, size_t row, size_t i)
{
    struct learner *l = f->learner;
    const size_t class = f->class_of[b->label[row]];
    const double weight = block_weight(b, row) * f->weight_of[b->label[row]];
    const struct row *x = ledger_row(f->ledger, i);
    const double *scores;

    l->example = (int64_t)(b->first_row + row);
    if (ledger_scores(f->ledger, i, &scores)) {
        f->st = fail_memory(f->err);
        return false;
    }
    const struct outcome o = learner_show_known(l, x, class, weight, scores);
    f->work += x->n + 16 + ledger_work(f->ledger);
    return fit_count(f, b, row, class, &o);
}

/* Shows some of the next rows; *shown: how many. A class that is first met in the middle changes
 * what the ledger knows, so the rows from there on need another window. */
static bool show_window(struct fit *f, const uint64_t *ref, size_t n, size_t *shown)
{
    const uint32_t first = f->blocks[ref[0] >> 32].label[ref[0] & UINT32_MAX];
    size_t end;

    *shown = 0;
    if (f->class_of[first] == CLASS_NONE && fit_meet(f, first)) return false;
    if (ledger_open_window(f->ledger, ref, n, &end)) {
        f->st = fail_memory(f->err);
        return false;
    }
    f->work += ledger_work(f->ledger);
    for (; *shown < end; ++*shown) {
        const struct block *b = &f->blocks[ref[*shown] >> 32];
        const size_t row = (size_t)(ref[*shown] & UINT32_MAX);
        if (f->class_of[b->label[row]] == CLASS_NONE) return true;
        if (!poll_clock(f)) return false;
        if (!is_skipped(f, b, row) && !show_known(f, b, row, *shown)) return false;
    }
    return true;
}

static bool show_rows(struct fit *f, const struct block *blocks, const uint64_t *ref, size_t n)
{
    if (f->batches != NULL) return batches_rows(f->batches, blocks, ref, n);
    f->work = POLL;
    if (f->ledger != NULL && blocks == f->blocks) {
        for (size_t at = 0, shown; at < n; at += shown)
            if (!poll_clock(f) || !show_window(f, ref + at, n - at, &shown)) return false;
        return true;
    }
    for (size_t at = 0; at < n; at++) {
        const struct block *b = &blocks[ref[at] >> 32];
        const size_t i = (size_t)(ref[at] & UINT32_MAX);
        if (!poll_clock(f)) return false;
        if (blocks == f->blocks && f->jumping) block_fetch_ahead(blocks, ref, n, at);
        if (!is_skipped(f, b, i) && !show_row(f, b, i)) return false;
    }
    return true;
}

bool pass_rest(struct fit *f, const uint64_t *ref, uint64_t n)
{
    const struct block *b;
    bool go_on = true;

    if (f->batches != NULL) return batches_pass(f->batches, ref, n);
    if (f->gather == NULL || !gather_begin(f->gather, ref, n))
        return show_rows(f, f->blocks, ref, (size_t)n);
    while (go_on && (b = gather_next(f->gather)) != NULL) go_on = pass_block(f, b, 0);
    gather_end(f->gather);
    return go_on;
}

bool pass_block(struct fit *f, const struct block *b, size_t from)
{
    uint64_t ref[1024];

    for (size_t i = from; i < b->rows;) {
        size_t n = 0;
        for (; n < 1024 && i < b->rows; n++, i++) ref[n] = ref_make(0, i);
        if (!show_rows(f, b, ref, n)) return false;
    }
    return true;
}

/* ----- passes ---------------------------------------------------------------------- */

bool pass_begin(struct fit *f)
{
    struct progress *g = &f->learner->progress;

    /* Weights that shrink keep their signs, but not their margins. */
    const bool settles = f->learner->decay.share == 0 || f->learner->steps->flags & RULE_SIGN;

    if (g->epoch > 0 && !g->pass_open && g->pass_updates == 0 && settles)
        g->stop = PERC_STOP_CONVERGED;
    else if (!g->pass_open && g->epoch >= f->epochs) g->stop = PERC_STOP_EPOCHS;
    if (g->stop != PERC_STOP_NONE) return false;
    if (!g->pass_open) { /* otherwise: go on in the middle of a pass */
        g->epoch++;
        g->position = 0;
        g->pass_mistakes = g->pass_updates = 0;
        g->pass_open = true;
    }
    if (f->canonical_scores && f->observer->level <= PERC_WATCH_COUNTS) { /* it has seen enough */
        f->canonical_scores = false;
        f->quick = f->learner->quick && f->nearness.degree == 0;
    }
    if (f->batches != NULL) batches_pass_begin(f->batches);
    return true;
}

bool pass_end(struct fit *f)
{
    struct learner *l = f->learner;
    struct progress *g = &l->progress;

    if (f->batches != NULL && !batches_pass_end(f->batches)) return false;
    g->pass_open = false;
    learner_seal(l); /* every label has been met */
    if (pocket_pass_end(pocket_of(l), l)) f->st = fail_memory(f->err);
    if (f->batches != NULL) f->st = batches_keep(f->batches);
    fit_tell_pass(f);
    return g->stop == PERC_STOP_NONE && !f->st;
}
