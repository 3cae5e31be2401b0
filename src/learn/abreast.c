/* abreast.c -- several learners of two classes in one walk over the rows.
 *
 * Trained one after the other, k learners fetch each row k times, and each time a chain
 * of additions, one waiting for the other, makes the score. Here the weights of all of
 * them stand side by side (row_many.h): a row is fetched and decoded once, and its k
 * scores take little longer than one. Most rows are right for all learners by more than
 * the rule reaches, which one comparison each shows; on the others learners mostly err
 * together, since they have learned from nearly the same rows, and are moved in one walk.
 *
 * The scores are canonical (row.h), the steps are those of the rule, asked with the
 * counters of the learner. So each learner makes the updates that it would make alone:
 * pass.c, too, decides every row as its canonical score does.
 *
 * A learner whose run is over (no update in a pass, or a limit) stays as it is.
 *
 * The number of examples that learner c has been shown is time - missed[c]: rows that
 * some learner is not shown are few with folds, so that nearly all counting is one
 * addition for all. */
#include "learn/abreast.h"

#include <math.h>
#include <string.h>

#include "learn/fit.h"
#include "vec/row_many.h"

enum { CACHE_LINE = 64 };

bool abreast_can(const struct learner *l)
{
    return l->kind == KIND_TWO && l->labels.n == 2 && !l->machine->expecting && l->quick &&
           l->machine->ops->decide == NULL && /* else the step is not the rule's */
           l->machine->ops->skips == NULL && l->decay.share == 0 &&
           (l->rule->keep == KEEP_LAST || l->rule->keep == KEEP_AVERAGE);
}

static bool has_sum(const struct abreast *a)
{
    return a->start->rule->keep == KEEP_AVERAGE;
}

/* The lowest of a set of learners that is not empty. */
static size_t first_of(uint32_t set)
{
    return (size_t)__builtin_ctz(set);
}

/* ----- beginning and end ------------------------------------------------------------- */

/* All 0. They begin on a cache line: then 8 vectors are one line a feature, not two. */
static void make_vectors(struct abreast *a, struct abreast_vectors *v)
{
    const size_t room = (a->dims + 1) * a->stride + CACHE_LINE / sizeof(double);
    double *memory = pool_zeroed(&a->pool, room, sizeof *memory);

    if (memory == NULL) return;
    v->w = memory + (CACHE_LINE - (uintptr_t)memory % CACHE_LINE) / sizeof(double);
    v->b = v->w + a->dims * a->stride;
}

perc_status abreast_begin(struct abreast *a, const perc_params *p, const struct map *map)
{
    perc_status st;

    a->epochs = params_int(p, "epochs");
    a->updates = params_int(p, "updates");
    a->jumping = !params_is(p, "order", "file");
    a->running = a->n < 32 ? ((uint32_t)1 << a->n) - 1 : UINT32_MAX;
    a->dims = a->start->machine->last.dims;
    a->stride = row_many_stride(a->n);
    pool_init(&a->pool, &a->e);
    lens_init(&a->lens, &a->e, map);
    for (size_t k = 0; k < a->block_count; k++)
        if ((st = lens_reserve(&a->lens, &a->blocks[k], a->err))) return st;
    if (a->dims > SIZE_MAX / sizeof(double) / a->stride - 2 * CACHE_LINE)
        return fail_memory(a->err);
    a->each = pool_array(&a->pool, a->n, sizeof *a->each);
    a->class_of = pool_array(&a->pool, a->labels->n, sizeof *a->class_of);
    a->weight_of = pool_array(&a->pool, a->labels->n, a->n * sizeof *a->weight_of);
    a->missed = pool_zeroed(&a->pool, a->n, sizeof *a->missed);
    a->scores = pool_zeroed(&a->pool, 4 * a->stride, sizeof *a->scores);
    make_vectors(a, &a->last);
    if (has_sum(a)) make_vectors(a, &a->sum);
    if (a->pool.failed) return fail_memory(a->err);
    a->reach = a->scores + a->stride;
    a->step = a->reach + a->stride;
    a->before = a->step + a->stride;
    const struct linear *from = &a->start->machine->last;
    for (size_t c = 0; c < a->n; c++) {
        a->each[c] = *a->start;
        for (uint64_t j = 0; j < a->dims; j++) a->last.w[j * a->stride + c] = from->w[j];
        a->last.b[c] = from->b[0];
        /* Without RULE_SIZE it is the same for every row. */
        a->reach[c] = a->start->steps->reach(a->start, 0);
    }
    a->alike = true;
    for (size_t i = 0; i < a->labels->n; i++) {
        double *of = a->weight_of + i * a->n;
        a->class_of[i] = learner_class(a->start, a->labels->at[i].text);
        for (size_t c = 0; c < a->n; c++) {
            of[c] = class_weights_of(&a->weights[c], a->labels->at[i].text);
            a->alike &= of[c] == of[0];
        }
    }
    return PERC_OK;
}

void abreast_end(struct abreast *a)
{
    pool_free(&a->pool);
    lens_free(&a->lens);
}

/* The run of learner c is over. */
static void halt_learner(struct abreast *a, size_t c, perc_stop stop)
{
    a->each[c].progress.stop = stop;
    a->each[c].progress.examples = a->examples;
    a->each[c].shown = a->time - a->missed[c];
    a->running &= ~((uint32_t)1 << c);
}

/* ----- one row ----------------------------------------------------------------------- */

/* Those of `to` for whom the row has a weight. */
static uint32_t who_counts(const struct abreast *a, uint32_t to, const double *weight_of,
                           double weight)
{
    uint32_t who = to;

    if (a->alike) return weight * weight_of[0] > 0 ? to : 0;
    for (uint32_t left = to; left != 0; left &= left - 1) {
        const size_t c = first_of(left);
        if (!(weight * weight_of[c] > 0)) who &= ~((uint32_t)1 << c);
    }
    return who;
}

/* Whether all weights stay finite (learner.c); else the run is over. */
static bool all_hold(struct abreast *a, const struct row *x, uint32_t moved)
{
    const struct linear w = { .w = a->last.w,
                              .b = a->last.b,
                              .stride = a->stride,
                              .offset = a->start->machine->last.offset };
    const struct linear sum = { .w = a->sum.w, .b = a->sum.b, .stride = a->stride };
    bool ordinary = row_is_ordinary(x);

    for (uint32_t left = moved; left != 0; left &= left - 1)
        ordinary &= fabs(a->step[first_of(left)]) < 0x1p502;
    for (; moved != 0 && !ordinary && !a->st; moved &= moved - 1) {
        const size_t c = first_of(moved);
        const struct update u = {
            .x = x, .up = c, .down = NO_VECTOR, .step = a->step[c], .shown = a->each[c].shown
        };
        if (!machine_vectors_hold(&w, has_sum(a) ? &sum : NULL, NULL, &u)) a->st = PERC_EDATA;
    }
    return !a->st;
}

/* The learners in `near` may be moved: if c is, its weights get step_c x' and its sums before_c x'.
 * Returns those that have reached the update limit. */
static uint32_t move_learners(struct abreast *a, const struct row *x, double y, uint32_t near,
                              const double *weight_of, double weight)
{
    double *w = a->last.w, *u = has_sum(a) ? a->sum.w : NULL;
    uint32_t moved = 0, full = 0;

    memset(a->step, 0, 2 * a->stride * sizeof *a->step); /* and before */
    for (; near != 0; near &= near - 1) {
        const size_t c = first_of(near);
        const double m = y * a->scores[c];
        struct learner *l = &a->each[c];
        l->shown = a->time - a->missed[c];
        const double g = l->steps->step(l, x, m, weight * weight_of[c]);
        l->progress.mistakes += !(m > 0);
        if (!(g > 0)) continue;
        l->progress.updates++;
        l->progress.pass_updates++;
        a->step[c] = g * y;
        a->before[c] = (double)l->shown * a->step[c];
        moved |= (uint32_t)1 << c;
        if (a->updates > 0 && l->progress.updates >= a->updates) full |= (uint32_t)1 << c;
    }
    if (moved == 0 || !all_hold(a, x, moved)) return 0;
    const size_t c = first_of(moved);
    if ((moved & (moved - 1)) != 0)
        row_axpy_all(a->step, a->before, x, w, u, ALL_COLUMNS, a->stride);
    else if (u != NULL)
        row_axpy_two(a->step[c], a->before[c], x, w + c, u + c, ALL_COLUMNS, a->stride);
    else row_axpy_in(a->step[c], x, w + c, ALL_COLUMNS, a->stride);
    for (size_t k = 0; k < a->n && a->start->machine->last.offset; k++) {
        a->last.b[k] += a->step[k]; /* 0 for those that stay */
        if (u != NULL) a->sum.b[k] += a->before[k];
    }
    return full;
}

static void show_row(struct abreast *a, const struct block *b, size_t i)
{
    const double *weight_of = a->weight_of + b->label[i] * a->n, weight = block_weight(b, i);
    const double y = a->class_of[b->label[i]] > 0 ? 1 : -1;
    const uint32_t to = who_counts(a, a->to[b->first_row + i] & a->running, weight_of, weight);
    uint32_t near = 0, full = 0;

    a->examples++;
    a->work += 16;
    if (to == 0) return;
    const struct row x = lens_row(&a->lens, b, i);
    a->work += x.n;
    /* The scores of all learners: the bits of linear_score for each. */
    row_scores(&x, a->last.w, ALL_COLUMNS, a->stride, a->scores);
    for (size_t c = 0; c < a->stride; c++) a->scores[c] += a->last.b[c];
    if (a->start->steps->flags & RULE_SIZE) {
        /* For rules whose reach depends on the row: with the size that the rule itself takes. */
        const double size2 = machine_size2(a->start->machine, &x);
        for (uint32_t left = a->running; left != 0; left &= left - 1) {
            const size_t c = first_of(left);
            a->each[c].shown = a->time - a->missed[c];
            a->reach[c] = a->start->steps->reach(&a->each[c], size2);
        }
    }
    /* The learners that the row may move: those it is not right for by more than the rule
     * reaches. Written so that NaN is among them. */
    for (size_t c = 0; c < a->n; c++) near |= (uint32_t) !(y * a->scores[c] > a->reach[c]) << c;
    near &= to;
    if (near != 0) full = move_learners(a, &x, y, near, weight_of, weight);
    if (a->st) fit_overflow(a->start, b, i, true, a->err);
    a->time++;
    for (uint32_t not = a->running & ~to; not != 0; not &= not -1) a->missed[first_of(not )]++;
    for (; full != 0; full &= full - 1) halt_learner(a, first_of(full), PERC_STOP_UPDATES);
}

/* ----- passes ------------------------------------------------------------------------ */

void abreast_rows(struct abreast *a, const uint64_t *ref, uint64_t n)
{
    enum { POLL = 1 << 18 }; /* entries shown between two polls */

    for (uint64_t at = 0; at < n && a->running != 0 && !a->st; at++) {
        if (a->work >= POLL) {
            a->work = 0;
            a->stopped = !a->poll(a->ud, a);
            if (a->stopped) return;
        }
        const size_t i = (size_t)(ref[at] & UINT32_MAX);
        if (a->jumping) block_fetch_ahead(a->blocks, ref, n, at);
        if (a->jumping && at + BLOCK_FAR < n) {
            const uint64_t far = ref[at + BLOCK_FAR];
            __builtin_prefetch(&a->to[a->blocks[far >> 32].first_row + (far & UINT32_MAX)]);
        }
        show_row(a, &a->blocks[ref[at] >> 32], i);
    }
}

bool abreast_pass_begin(struct abreast *a)
{
    for (uint32_t left = a->running; left != 0; left &= left - 1) {
        const size_t c = first_of(left);
        struct progress *g = &a->each[c].progress;
        if (g->epoch > 0 && g->pass_updates == 0) {
            halt_learner(a, c, PERC_STOP_CONVERGED);
        } else if (g->epoch >= a->epochs) {
            halt_learner(a, c, PERC_STOP_EPOCHS);
        } else {
            g->epoch++;
            g->pass_updates = 0;
        }
    }
    return a->running != 0 && !a->stopped;
}

void abreast_take(const struct abreast *a, size_t c, struct learner *l)
{
    const struct abreast_vectors *w = &a->last, *u = &a->sum;

    for (uint64_t j = 0; j < a->dims; j++) l->machine->last.w[j] = w->w[j * a->stride + c];
    l->machine->last.b[0] = w->b[c];
    for (uint64_t j = 0; j < a->dims && has_sum(a); j++)
        l->machine->sum.w[j] = u->w[j * a->stride + c];
    if (has_sum(a)) l->machine->sum.b[0] = u->b[c];
    l->shown = a->each[c].shown;
    l->progress = a->each[c].progress;
    l->machine->kept_is_current = false;
}
