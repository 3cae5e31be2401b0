/* pocket.c -- the pocket algorithm with ratchet: of all weights that training goes
 * through, those with the fewest errors on the training data are returned.
 *
 * On data that no hyperplane separates a perceptron never settles, and its last
 * weights owe most to its last mistakes. So the best weights are kept aside, in the
 * pocket, and replaced by w as soon as
 *
 *     E(w) < E(pocket),   E(w) = number of rows with margin m <= 0              (1)
 *
 * on the whole data set. Whatever makes the updates (--rule) goes on undisturbed.
 *
 * Gallant's first version has no E: it keeps the weights with the longest streak of
 * right answers, which costs nothing and errs by luck. With rows drawn independently at
 * random, the chance that such a pocket is optimal tends to 1 as training goes on
 * (Gallant 1990) - if, as Muselli (1995) found missing in the proof, the length of the
 * streak stays within bounds that depend on the number of examples. The ratchet is the
 * test (1): the pocket never gets worse, and after a finite number of examples it is
 * optimal with probability 1, whatever the data (Muselli 1997). How many that takes
 * nobody can say, for finding the optimum is NP-hard; and in file order (--order file)
 * there is no such theorem.
 *
 * literal     Every w is put to the test, those of the start too. This is the reference.
 *
 * fast        Few of the many w have a chance, and the streak that they have survived tells
 *             which: weights that err on a share e of the rows have a streak of length r
 *             with probability (1 - e)^r. So put to the test are
 *               - the weights before an update that ends a streak as long as the 32
 *                 longest of the pass before; in the first pass, one longer than every
 *                 streak so far; and those of the start;
 *               - at the end of a pass, and when training stops: the weights as they
 *                 stand, and their average (averaged.c).
 *             With the average among them, the pocket never has more errors on the
 *             training data than the averaged perceptron.
 *
 * With a kernel a machine is the list of its updates, and the pocket one of its beginnings
 * (machine/expansion.h): the offsets and the number of updates are all that is kept. The
 * average is not a beginning of the list, and is not put to the test. Errors are counted at once,
 * from the scores that the ledger keeps; nothing waits in a buffer.
 *
 * Weights without a kernel are first copied to a buffer, side by side, and when it is full
 * one pass over the data counts the errors of all of them (pocket_score.c). The counts
 * are exact, among equals the earliest is kept, and the updates do not look at the pocket:
 * so what is found does not depend on when the counting is done.
 *
 * Nor does it when a run stops and goes on, if the buffer is emptied where it stops:
 * what is let into it depends on the lengths of runs and on nothing that counting finds.
 * Only the look of `fast` at a stop in the middle of a pass has no counterpart in
 * a run that did not stop. What it finds is returned, but does not go into the pocket.
 * And a run that is asked to stop (Ctrl-C, the time limit) has half a second left for
 * counting, so that it is saved in time: what has no count by then is not compared, and a
 * warning says so. Only with very many rows or classes does that take so long.
 *
 * Cost        literal: one evaluation of all rows an update. fast: at most 67 a pass,
 *             about 35 as a rule. Every value that is read serves all that wait in the
 *             buffer, which takes no more numbers than the data have, nor 256 MiB.
 *
 * Gallant, IEEE Trans. Neural Networks 1(2), 1990. Muselli, Is pocket algorithm
 * optimal?, EuroCOLT 1995; IEEE Trans. Neural Networks 8(3), 1997. */
#include "learn/pocket.h"

#include <assert.h>
#include <string.h>

#include "learn/fit.h"
#include "learn/parameters.h"
#include "machine/shadow.h"
#include "vec/row_many.h"

#define BUFFER_BYTES ((size_t)256 << 20)
#define GRACE        0.5

/* ----- making one ------------------------------------------------------------- */

static const struct found NOTHING = { .errors = -1 };

static struct pocket *pocket_in(const struct keeper *k)
{
    return (struct pocket *)(uintptr_t)k;
}

struct pocket *pocket_of(const struct learner *l)
{
    return pocket_in(l->keeper); /* there is no other keeper */
}

static void drop_buffer(struct pocket *p)
{
    mem_free(&p->e, p->wait.w, p->wait.dims * p->wait.stride, sizeof *p->wait.w);
    mem_free(&p->e, p->wait.b, p->wait.stride, sizeof *p->wait.b);
    memset(&p->wait, 0, sizeof p->wait);
}

/* Gives back what only counting needs. */
void pocket_release(struct pocket *p)
{
    if (p == NULL) return;
    drop_buffer(p);
    pocket_counter_free(p->counter);
    p->counter = NULL;
}

static void free_pocket(struct keeper *k)
{
    struct pocket *p = pocket_in(k);

    pocket_release(p);
    linear_free(&p->best);
    linear_free(&p->spare);
    mem_free(&p->e, p, 1, sizeof *p);
}

static perc_status copy_pocket(const struct keeper *source, struct keeper *target)
{
    const struct pocket *from = pocket_in(source);
    struct pocket *to = pocket_in(target);

    to->is = from->is;
    to->last_is_spare = false;
    linear_free(&to->best);
    linear_free(&to->spare);
    if (linear_copy(&to->e, &from->best, &to->best) ||
        linear_copy(&to->e, &from->spare, &to->spare))
        return PERC_ENOMEM;
    to->last_is_spare = from->last_is_spare;
    return PERC_OK;
}

/* The streaks go too: being right among fewer classes was easier, and a gate made of such streaks
 * would let nothing in. */
static void empty_pocket(struct keeper *k)
{
    struct pocket *p = pocket_in(k);

    p->is.found = p->is.last = NOTHING;
    p->last_is_spare = false;
    p->wait.n = 0;
    p->is.streak = p->is.longest = p->is.gate = p->is.admitted = 0;
    memset(p->is.bins, 0, sizeof p->is.bins);
}

perc_status pocket_begin(struct pocket *p, struct fit *f)
{
    if (p == NULL) return PERC_OK;
    pocket_release(p);
    p->is.last = NOTHING;
    p->last_is_spare = p->touched = p->failed = false;
    return f->blocks != NULL ? pocket_counter_new(&p->e, f, p->grace, &p->counter) : PERC_OK;
}

bool pocket_possible(const struct pocket_state *s)
{
    const int64_t *number = (const int64_t *)(const void *)s;

    for (size_t i = 0; i < POCKET_NUMBERS; i++) {
        const bool errors = number + i == &s->found.errors || number + i == &s->last.errors;
        if (number[i] < (errors ? -1 : 0) || number[i] > TENSORS_COUNT_MAX) return false;
    }
    return s->gate < POCKET_BINS;
}

/* ----- memory ------------------------------------------------------------------------ */

/* Whether the score is that of the vectors alone. */
static bool is_vectors(const struct learner *l)
{
    return l->machine->ops->flags & MACHINE_QUICK;
}

/* Machines of the shape that l has now. */
static bool ready(struct pocket *p, const struct learner *l)
{
    const struct linear *m = &l->machine->last;

    if (p->failed) return false;
    if (linear_reserve(&p->best, m->stride) || linear_grow(&p->best, m->dims) ||
        linear_reserve(&p->spare, m->stride) || (!p->literal && linear_grow(&p->spare, m->dims)))
        p->failed = true;
    return !p->failed;
}

/* A buffer for candidates of the shape that l has now: their weights must not take more numbers
 * than the data have, or a copy would cost as much as counting at once. */
static bool ready_to_wait(struct pocket *p, const struct learner *l)
{
    const uint64_t dims = l->machine->last.dims;
    const size_t classes = learner_outputs(l);

    if (!ready(p, l)) return false;
    if (p->wait.b != NULL && p->wait.dims == dims && p->wait.classes == classes) return true;
    assert(p->wait.n == 0); /* columns are known from the start, classes empty the pocket */
    drop_buffer(p);
    p->wait.dims = dims;
    p->wait.classes = classes;
    const double each = (double)dims * (double)classes + 1;
    double room = is_vectors(l) && l->shadow == NULL ? pocket_entries(p->counter) / each : 0;
    if (room > BUFFER_BYTES / sizeof(double) / each) room = BUFFER_BYTES / sizeof(double) / each;
    if (room >= VEC_LANES) p->wait.room = room < POCKET_BUFFER ? (size_t)room : POCKET_BUFFER;
    p->wait.stride = row_many_stride(p->wait.room * classes);
    p->wait.b = mem_zeroed(&p->e, p->wait.stride, sizeof *p->wait.b);
    if (p->wait.room > 0) p->wait.w = mem_zeroed(&p->e, dims * p->wait.stride, sizeof *p->wait.w);
    if (p->wait.b == NULL || (p->wait.room > 0 && p->wait.w == NULL)) {
        drop_buffer(p);
        p->failed = true;
    }
    return !p->failed;
}

/* ----- counting ---------------------------------------------------------------------- */

static struct contest lone(const struct linear *m, const struct learner *l)
{
    const struct contest c = { .w = m->w,
                               .b = m->b,
                               .dims = l->machine->last.dims,
                               .stride = m->stride,
                               .classes = learner_outputs(l),
                               .n = 1,
                               .as = m };

    return c;
}

/* Machine k of c, alone. */
static void put_contestant(struct linear *to, const struct contest *c, size_t k)
{
    const size_t at = k * c->classes;

    for (uint64_t j = 0; j < to->dims; j++) {
        const size_t n = j < c->dims ? c->classes : 0;
        for (size_t i = 0; i < to->stride; i++)
            to->w[j * to->stride + i] = i < n ? c->w[j * c->stride + at + i] : 0;
    }
    for (size_t i = 0; i < to->stride; i++) to->b[i] = i < c->classes ? c->b[at + i] : 0;
    linear_number(to, c->as);
    to->vectors = c->classes;
}

/* Whether m, made as `made` says, has fewer errors than *best; if so, *best becomes that. */
static bool beats(struct pocket *p, const struct learner *l, const struct linear *m,
                  const struct found *made, struct found *best)
{
    const struct contest c = lone(m, l);
    const int64_t limit = best->errors >= 0 ? best->errors : INT64_MAX;
    const int64_t mean = m == &l->machine->last ? 0 : l->shown;
    int64_t errors;
    perc_status st = PERC_OK;

    if (limit == 0 || p->failed) return false;
    if (l->shadow != NULL) errors = shadow_errors(l->shadow, mean, limit, pocket_watch(p->counter));
    else if (is_vectors(l)) st = pocket_count(p->counter, &c, limit, &errors);
    else st = pocket_count_machine(p->counter, l, limit, &errors);
    p->failed = st == PERC_ENOMEM;
    if (st || errors >= limit) return false;
    if (l->shadow != NULL) shadow_keep(l->shadow, mean);
    *best = *made;
    best->errors = errors;
    return true;
}

/* Puts m into the pocket if it is better. */
static void consider(struct pocket *p, const struct learner *l, const struct linear *m,
                     const struct found *made)
{
    const struct contest c = lone(m, l);

    if (beats(p, l, m, made, &p->is.found)) put_contestant(&p->best, &c, 0);
}

/* Counts the errors of all that wait. Among equals the first is kept, as if they had been counted
 * one by one: so it does not matter when this is done. */
static void count_waiting(struct pocket *p, const struct learner *l)
{
    const size_t n = p->wait.n, stride = row_many_stride(n * p->wait.classes);
    const struct contest c = { p->wait.w,       p->wait.b, p->wait.dims,     stride,
                               p->wait.classes, n,         &l->machine->last };
    int64_t errors[POCKET_BUFFER];
    size_t best = 0;

    p->wait.n = 0;
    if (n == 0 || p->is.found.errors == 0 || !ready(p, l)) return;
    for (uint64_t j = 1; j < c.dims && stride < p->wait.stride; j++) /* close the ranks */
        memmove(p->wait.w + j * stride, p->wait.w + j * p->wait.stride,
                n * c.classes * sizeof *c.w);
    const perc_status st = pocket_count(p->counter, &c, INT64_MAX, errors);
    p->failed = st == PERC_ENOMEM;
    if (st) return;
    for (size_t k = 1; k < n; k++)
        if (errors[k] < errors[best]) best = k;
    if (p->is.found.errors >= 0 && errors[best] >= p->is.found.errors) return;
    put_contestant(&p->best, &c, best);
    p->is.found = p->wait.made[best];
    p->is.found.errors = errors[best];
}

/* ----- streaks ------------------------------------------------------------------------- */

/* Lengths below 32 have a bin each, longer ones share one with those up to a sixteenth
 * longer. */
static int64_t bin_of(int64_t streak)
{
    int shift = 0;

    while (streak >> shift >= 32) shift++;
    const int64_t bin = 16 * (int64_t)shift + (streak >> shift);
    return bin < POCKET_BINS ? bin : POCKET_BINS - 1;
}

/* ----- what the learner and the loop call ------------------------------------------------ */

static struct found found_now(const struct learner *l, int updates, int shown)
{
    return (struct found){ .epoch = l->progress.epoch,
                           .updates = l->progress.updates + updates,
                           .shown = l->shown + shown };
}

static void before_update(struct keeper *k, const struct learner *l)
{
    struct pocket *p = pocket_in(k);

    if (p->touched || p->counter == NULL) return;
    p->touched = true;
    /* Whether the weights of the streak that ends are put to the test. */
    p->admit = p->literal || (p->is.found.errors < 0 && p->wait.n == 0);
    if (!p->admit && p->is.streak > 0 && p->is.admitted < 2 * POCKET_LONGEST)
        p->admit = p->is.gate > 0 ? bin_of(p->is.streak) >= p->is.gate
                                  : p->is.streak > p->is.longest;
    if (!p->admit || p->is.found.errors == 0 || !ready_to_wait(p, l)) return;
    if (p->wait.room > 0) {
        /* Copies the weights, by columns, to place n of the buffer. */
        const struct linear *m = &l->machine->last;
        const size_t classes = p->wait.classes, at = p->wait.n * classes;
        for (uint64_t j = 0; j < m->dims; j++)
            for (size_t c = 0; c < classes; c++)
                p->wait.w[j * p->wait.stride + at + c] = m->w[j * m->stride + c];
        for (size_t c = 0; c < classes; c++) p->wait.b[at + c] = m->b[c];
        p->wait.made[p->wait.n] = p->is.made;
    } else consider(p, l, &l->machine->last, &p->is.made);
}

static void after_example(struct keeper *k, const struct learner *l, const struct outcome *o)
{
    struct pocket *p = pocket_in(k);

    p->touched = false;
    if (o->updates == 0) {
        p->is.streak++;
        return;
    }
    p->is.made = found_now(l, o->updates, 1);
    if (p->counter == NULL || p->failed) return;
    p->is.bins[bin_of(p->is.streak)]++;
    if (p->is.streak > p->is.longest) p->is.longest = p->is.streak;
    p->is.streak = 0;
    p->is.admitted += p->admit;
    if (!p->admit || p->is.found.errors == 0 || p->wait.room == 0) return;
    if (++p->wait.n == p->wait.room) count_waiting(p, l);
}

perc_status pocket_pass_end(struct pocket *p, const struct learner *l)
{
    const struct found mean = found_now(l, 0, 0);

    if (p == NULL) return PERC_OK;
    if (p->counter == NULL || !ready(p, l)) return p->failed ? PERC_ENOMEM : PERC_OK;
    count_waiting(p, l);
    consider(p, l, &l->machine->last, &p->is.made);
    if (!p->literal && is_vectors(l)) {
        averaged_vectors(l, &p->spare);
        consider(p, l, &p->spare, &mean);
    }
    /* The gate for the next pass. */
    int64_t n = 0, gate = POCKET_BINS;
    while (gate > 1 && n < POCKET_LONGEST) n += p->is.bins[--gate];
    p->is.gate = gate;
    p->is.admitted = 0;
    memset(p->is.bins, 0, sizeof p->is.bins);
    return p->failed ? PERC_ENOMEM : PERC_OK;
}

perc_status pocket_end(struct pocket *p, const struct learner *l)
{
    const struct linear *m = &l->machine->last;

    if (p == NULL) return PERC_OK;
    if (p->counter != NULL && ready(p, l)) {
        count_waiting(p, l);
        if (p->literal) {
            consider(p, l, m, &p->is.made); /* it would be counted next */
        } else if (l->progress.pass_open || p->is.found.errors < 0) {
            /* The weights and the average at a stop in the middle of a pass: for what is returned
             * only, because a run that went on would not have looked here. */
            const struct contest c = lone(m, l);
            const struct found here = found_now(l, 0, 0);
            struct found last = p->is.found;
            const bool machine = beats(p, l, m, &p->is.made, &last);
            if (is_vectors(l)) averaged_vectors(l, &p->spare);
            const bool average = is_vectors(l) && beats(p, l, &p->spare, &here, &last);
            if (machine && !average) put_contestant(&p->spare, &c, 0);
            p->last_is_spare = machine || average;
            if (p->last_is_spare) p->is.last = last;
        }
    }
    pocket_release(p);
    return p->failed ? PERC_ENOMEM : PERC_OK;
}

/* What is returned: found at a stop, or in the pocket. */
static const struct found *best_found(const struct pocket *p)
{
    return p->is.last.errors >= 0 ? &p->is.last : &p->is.found;
}

void pocket_found(const struct pocket *p, int64_t *epoch, int64_t *updates)
{
    const struct found *f = p != NULL ? best_found(p) : &NOTHING;

    *epoch = f->epoch;
    *updates = f->updates;
}

/* Every update of a kernel machine is one of those it keeps, so their count says which machine. */
static size_t updates_of(const struct keeper *k, size_t all)
{
    const struct found *f = best_found(pocket_in(k));

    return f->errors >= 0 && (size_t)f->updates < all ? (size_t)f->updates : all;
}

static void put_returned(const struct keeper *k, const struct learner *l, struct linear *out)
{
    const struct pocket *p = pocket_in(k);
    const struct linear *pocket = p->last_is_spare ? &p->spare : &p->best;
    const struct linear *m = p->last_is_spare || p->is.found.errors >= 0 ? pocket
                                                                         : &l->machine->last;
    struct contest c = lone(m, l);

    c.dims = m->dims;
    put_contestant(out, &c, 0);
    out->vectors = l->machine->last.vectors;
}

static const struct keeper_ops operations = {
    .free = free_pocket,
    .copy = copy_pocket,
    .forget = empty_pocket,
    .before_update = before_update,
    .after_example = after_example,
    .returned = put_returned,
    .updates = updates_of,
};

static perc_status new_pocket(const struct env *e, const perc_params *options, struct keeper **out)
{
    const bool offset = params_bool(options, "offset");
    struct pocket *p = mem_zeroed(e, 1, sizeof *p);

    *out = NULL;
    if (p == NULL) return PERC_ENOMEM;
    p->keeper.ops = &operations;
    p->e = *e;
    p->literal = params_is(options, "pocket", "literal");
    p->grace = GRACE;
    p->is.found = p->is.last = NOTHING;
    if (linear_init(&p->best, e, 1, offset) || linear_init(&p->spare, e, 1, offset)) {
        free_pocket(&p->keeper);
        return PERC_ENOMEM;
    }
    *out = &p->keeper;
    return PERC_OK;
}

/* ----- the rule ------------------------------------------------------------------------- */

static const perc_param parameters[] = {
    PARAMETERS_RULE(RULES_OFFERED),
    PARAMETERS_RATE,
    PARAMETERS_MARGIN,
    PARAMETERS_AGGRESSIVENESS,
    { "pocket", PERC_CHOICE, "fast", 0, 0, "fast|literal", "HOW",
      "literal: count errors after every update; fast: of weights that last" },
    PARAMETERS_ARITHMETIC,
    PARAMETERS_KERNEL,
    PARAMETERS_COMMON
};

const struct rule rule_pocket = {
    .table = { "pocket", "learner", "the weights with the fewest errors on the training data",
               PARAMETERS(parameters) },
    .about = { .title = "pocket",
               .family = "keeper",
               .page = "pocket",
               .step = "as `--rule` does; returns the weights with the fewest training errors",
               .guarantee = "never more training errors than `averaged`; the optimum in the limit, "
                            "for independent draws only",
               .use = "the fewest training errors are wanted",
               .cost = { "2 + error counts", "1", "5 + candidates" } },
    .keep = KEEP_BEST,
    .keeper = new_pocket,
    .check = kernel_check,
};
