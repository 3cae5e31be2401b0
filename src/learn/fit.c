/* fit.c -- the loop around the learner.
 *
 * For a rule that only asks for the sign of the score, a quick score with a bound
 * on its error decides nearly every row; where the bound does not tell, and for
 * every other rule and every observer who looks at scores, the canonical score is
 * computed (base/vec.h). So the updates are those of the plain loop, bit for bit,
 * on ties and duplicates too; only the speed differs. */
#include "learn/fit.h"

#include <math.h>

#include "base/threads.h"

void fit_begin(struct fit *f, const perc_params *p)
{
    f->learner->rate = params_real(p, "rate");
    f->epochs = params_int(p, "epochs");
    f->updates = params_int(p, "updates");
    f->time_limit = params_real(p, "time-limit");
    f->learner->progress.stop = PERC_STOP_NONE;
    f->begin = f->noticed = clock_seconds();
    f->jumping = params_is(p, "order", "shuffle");
    f->exact = !(f->learner->rule->flags & RULE_SIGN) ||
               (f->observer != NULL && f->observer->level > PERC_WATCH_COUNTS);
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
                         .seconds = clock_seconds() - f->begin,
                         .row = -1 };
}

static void notify(struct fit *f, const perc_event *ev)
{
    struct progress *g = &f->learner->progress;

    if (f->observer->notify(f->observer->ud, ev) != 0 && g->stop == PERC_STOP_NONE)
        g->stop = PERC_STOP_CANCELLED;
}

/* Events of one example, for observers who asked for them. */
static void notify_example(struct fit *f, const struct block *b, size_t i, double y,
                           const struct outcome *o)
{
    const struct linear *m = &f->learner->machine;
    perc_event ev = event(f);

    ev.row = (int64_t)(b->first_row + i);
    ev.y = y;
    ev.score = o->score;
    ev.mistake = o->mistake;
    ev.updated = o->updated;
    if (f->observer->level >= PERC_WATCH_WEIGHTS && m->dims > f->index_base) {
        ev.w = m->w + f->index_base;
        ev.features = m->dims - f->index_base;
        ev.b = m->b;
    }
    notify(f, &ev);
}

/* Some times a second: the clock, and the observer's wish to stop. */
static void look_up(struct fit *f)
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

/* Counts an outcome and tells whoever wants to know. false: the run is over. */
static bool count(struct fit *f, const struct block *b, size_t i, double y,
                  const struct outcome *o)
{
    struct progress *g = &f->learner->progress;

    g->position++;
    g->examples++;
    g->mistakes += o->mistake;
    g->pass_mistakes += o->mistake;
    g->updates += o->updated;
    g->pass_updates += o->updated;
    if (o->updated && f->updates > 0 && g->updates >= f->updates) g->stop = PERC_STOP_UPDATES;
    if (f->observer != NULL && f->observer->level >= PERC_WATCH_UPDATES &&
        (o->updated || f->observer->level >= PERC_WATCH_WEIGHTS))
        notify_example(f, b, i, y, o);
    return g->stop == PERC_STOP_NONE;
}

struct shown {
    const struct block *b;
    size_t i;
    struct row x;
};

static struct shown shown_at(const struct block *blocks, uint64_t ref)
{
    struct shown s = { &blocks[ref >> 32], (size_t)(ref & UINT32_MAX), { 0 } };

    s.x = block_row(s.b, s.i);
    return s;
}

/* A number with the sign of the canonical score, or that score itself. */
static double decide(const struct linear *m, const struct row *x)
{
    const struct quick q = row_quick(x, m->w);
    const double s = q.sum + m->b;

    return fabs(s) > quick_bound(&q, x->n, m->b) ? s : row_dot(x, m->w, ALL_COLUMNS) + m->b;
}

/* Shows one row. false: the run is over. */
static bool show(struct fit *f, const struct shown *s)
{
    struct learner *l = f->learner;
    const double y = f->sign[s->b->label[s->i]], weight = block_weight(s->b, s->i);
    const struct outcome o =
        f->exact ? l->rule->learn(l, &s->x, y, weight)
                 : l->rule->settle(l, &s->x, y, weight, decide(&l->machine, &s->x));

    return count(f, s->b, s->i, y, &o);
}

/* Rows in an unpredictable order are in no cache. Their contents are asked for
 * some rows early, and where they lie (block_row reads it) earlier still. */
static void fetch_ahead(const struct block *blocks, const uint64_t *ref, size_t n, size_t at)
{
    enum { NEAR = 8, FAR = 24 };

    if (at + FAR < n)
        block_prefetch(&blocks[ref[at + FAR] >> 32], (size_t)(ref[at + FAR] & UINT32_MAX));
    if (at + NEAR < n) {
        const struct shown s = shown_at(blocks, ref[at + NEAR]);
        row_prefetch(&s.x);
    }
}

bool fit_rows(struct fit *f, const struct block *blocks, const uint64_t *ref, size_t n)
{
    enum { LOOK_UP = 4096 };
    const struct progress *g = &f->learner->progress;

    for (size_t at = 0; at < n; at++) {
        const struct shown s = shown_at(blocks, ref[at]);
        if (at % LOOK_UP == 0) {
            look_up(f);
            if (g->stop != PERC_STOP_NONE) return false;
        }
        if (f->jumping) fetch_ahead(blocks, ref, n, at);
        if (!show(f, &s)) return false;
    }
    return true;
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
    return true;
}

bool fit_pass_end(struct fit *f)
{
    struct progress *g = &f->learner->progress;

    g->pass_open = false;
    if (f->observer != NULL) {
        perc_event ev = event(f);
        ev.pass_ended = 1;
        notify(f, &ev);
    }
    return g->stop == PERC_STOP_NONE;
}

/* ----- how good is it ----------------------------------------------------------------- */

/* One row: whether it errs, its loss, its size. Errors are decided as in training;
 * the loss is made of canonical scores. */
static void tally_row(const struct linear *m, const struct row *x, double y, struct tally *t)
{
    const struct quick q = row_measure(x, m->w);
    double s = q.sum + m->b;

    t->rows++;
    if (!(y * s > quick_bound(&q, x->n, m->b))) { /* an error, or too close to say */
        s = row_dot(x, m->w, ALL_COLUMNS) + m->b;
        t->errors += !(y * s > 0);
        if (y * s < 0) t->loss -= y * s;
    }
    if (q.norm2 > t->radius2 * (1 - 1e-9)) { /* perhaps the largest so far */
        const double norm2 = row_norm2(x);
        if (norm2 > t->radius2) t->radius2 = norm2;
    }
}

void tally_block(const struct linear *m, const struct block *b, const signed char *sign,
                 struct tally *t)
{
    for (size_t i = 0; i < b->rows; i++) {
        const struct row x = block_row(b, i);
        if (block_weight(b, i) > 0) tally_row(m, &x, sign[b->label[i]], t);
    }
}

struct tallies {
    const struct linear *m;
    const struct block *blocks;
    const signed char *sign;
    struct tally *each;
};

static void tally_one(void *ud, uint64_t i)
{
    struct tallies *t = ud;

    tally_block(t->m, &t->blocks[i], t->sign, &t->each[i]);
}

perc_status tally_blocks(const struct env *e, const struct linear *m, const struct block *blocks,
                         size_t n, const signed char *sign, struct tally *out)
{
    struct tallies t = { m, blocks, sign, mem_zeroed(e, n, sizeof(struct tally)) };

    *out = (struct tally){ 0 };
    if (t.each == NULL) return PERC_ENOMEM;
    threads_each(e->threads, n, tally_one, &t);
    for (size_t i = 0; i < n; i++) { /* in order: the same bits for any number of threads */
        out->rows += t.each[i].rows;
        out->errors += t.each[i].errors;
        out->loss += t.each[i].loss;
        if (t.each[i].radius2 > out->radius2) out->radius2 = t.each[i].radius2;
    }
    mem_free(e, t.each, n, sizeof *t.each);
    return PERC_OK;
}
