/* fit.c -- a run: the classes of its labels, its limits and its observer. */
#include "learn/fit.h"

#include <math.h>

perc_status fit_labels(struct fit *f)
{
    const struct env *e = &f->learner->e;
    const size_t n = f->labels->n;

    if (n <= f->known) return PERC_OK;
    if (!MEM_GROW(e, f->class_of, &f->class_cap, n) ||
        !MEM_GROW(e, f->weight_of, &f->weight_cap, n))
        return fail_memory(f->err);
    for (; f->known < n; f->known++) {
        const char *label = f->labels->at[f->known].text;
        f->class_of[f->known] = learner_class(f->learner, label);
        f->weight_of[f->known] = class_weights_of(f->weights, label);
    }
    return PERC_OK;
}

perc_status fit_meet(struct fit *f, size_t id)
{
    size_t class, at;

    f->st = learner_meet(f->learner, f->labels->at[id].text, &class, &at, f->err);
    const bool moved = at != CLASS_NONE && at + 1 < f->learner->labels.n;
    size_t *of = f->class_of;
    for (size_t i = 0, n = moved ? f->known : 0; i < n; i++)
        of[i] += (of[i] >= at) & (of[i] != CLASS_NONE); /* no branches: it is done for each class */
    if (!f->st) of[id] = class;
    return f->st;
}

/* ----- observers -------------------------------------------------------------- */

static perc_event new_event(const struct fit *f)
{
    const struct progress *g = &f->learner->progress;

    return (perc_event){ .epoch = g->epoch,
                         .examples = g->examples,
                         .mistakes = g->mistakes,
                         .updates = g->updates,
                         .pass_mistakes = g->pass_mistakes,
                         .held_error = NAN,
                         .held_value = NAN,
                         .loss = f->pass_loss,
                         .seconds = clock_seconds() - f->begin,
                         .row = -1,
                         .run = f->run };
}

static void tell_observer(struct fit *f, const perc_event *ev)
{
    struct progress *g = &f->learner->progress;

    if (f->observer->notify(f->observer->ud, ev) != 0 && g->stop == PERC_STOP_NONE)
        g->stop = PERC_STOP_CANCELLED;
}

/* The weights and offsets of the last machine, for an event: where they lie, or times the unit. */
static perc_status show_weights(struct fit *f, perc_event *ev)
{
    const struct machine *machine = f->learner->machine;
    const struct linear *m = &machine->last;
    const bool weights = machine->ops->flags & MACHINE_WEIGHTS && m->dims > f->index_base;
    const size_t n = weights ? (size_t)(m->dims - f->index_base) * m->stride : 0;

    ev->features = n / m->stride;
    ev->vectors = learner_outputs(f->learner);
    ev->stride = m->stride;
    ev->w = ev->w_units = weights ? m->w + f->index_base * m->stride : NULL;
    ev->b = ev->b_units = m->b;
    if (machine->unit == 1 && !m->moved) return PERC_OK;
    const size_t all = n + m->stride; /* numbers: in order, and then as they are shown */
    if (!MEM_GROW(&f->learner->e, f->shown, &f->shown_cap, 2 * all)) return PERC_ENOMEM;
    double *shown = f->shown, *units = m->moved ? shown + all : NULL;
    for (size_t k = 0; k <= n && m->moved; k += m->stride)
        linear_take(m, k < n ? ev->w_units + k : m->b, m->vectors, units + k);
    if (units != NULL && weights) ev->w_units = units;
    if (units != NULL) ev->b_units = units + n;
    for (size_t k = 0; k < n; k++) shown[k] = machine_shown(machine, ev->w_units[k]);
    for (size_t c = 0; c < m->stride; c++) shown[n + c] = machine_shown(machine, ev->b_units[c]);
    if (weights) ev->w = shown;
    ev->b = shown + n;
    return PERC_OK;
}

/* Events of one example, for observers who asked for them. */
static void notify_example(struct fit *f, const struct block *b, size_t i, size_t class,
                           const struct outcome *o)
{
    perc_event ev = new_event(f);

    ev.row = (int64_t)(b->first_row + i);
    ev.y = f->learner->kind != KIND_TWO ? (double)class : class > 0 ? 1 : -1;
    ev.score = machine_shown(f->learner->machine, o->score);
    ev.mistake = o->mistake;
    ev.updated = o->updates;
    if (f->observer->level >= PERC_WATCH_WEIGHTS && show_weights(f, &ev))
        f->st = fail_memory(f->err);
    else tell_observer(f, &ev);
}

void fit_tell_step(struct fit *f, int64_t row)
{
    perc_event ev = new_event(f);

    ev.row = row;
    ev.y = ev.score = NAN;
    ev.updated = 1;
    tell_observer(f, &ev);
}

void fit_tell_pass(struct fit *f)
{
    if (f->observer == NULL) return;
    perc_event ev = new_event(f);
    ev.pass_ended = 1;
    tell_observer(f, &ev);
}

void fit_warn(struct fit *f, const char *text)
{
    if (f->observer == NULL) return;
    perc_event ev = new_event(f);
    ev.warning = text;
    tell_observer(f, &ev);
}

static bool ask_counting(void *ud, int64_t passes)
{
    struct fit_counting *c = ud;
    struct fit *f = c->f;
    const double now = clock_seconds();

    (void)passes;
    pthread_mutex_lock(&c->lock);
    if (!c->skipped && now - f->noticed >= 0.05) {
        perc_event ev = new_event(f);
        ev.ended = 1;
        f->noticed = now;
        c->skipped = f->observer->notify(f->observer->ud, &ev) == PERC_UNCOUNTED;
    }
    const bool go_on = !c->skipped;
    pthread_mutex_unlock(&c->lock);
    return go_on;
}

bool fit_counting_begin(struct fit_counting *c, struct fit *f)
{
    *c = (struct fit_counting){ .f = f, .watch = { f->observer != NULL ? ask_counting : NULL, c } };
    pthread_mutex_init(&c->lock, NULL);
    f->noticed = -INFINITY;
    return watch_ask(&c->watch, 0);
}

void fit_counting_end(struct fit_counting *c)
{
    pthread_mutex_destroy(&c->lock);
}

void fit_poll(struct fit *f)
{
    struct progress *g = &f->learner->progress;
    const double now = clock_seconds();

    if (f->time_limit > 0 && now - f->begin >= f->time_limit && g->stop == PERC_STOP_NONE)
        g->stop = PERC_STOP_TIME;
    if (f->observer != NULL && now - f->noticed >= 0.05) {
        const perc_event ev = new_event(f);
        f->noticed = now;
        tell_observer(f, &ev);
    }
}

/* ----- rows ------------------------------------------------------------------------ */

/* A linear score that overflows is a mistake; one of a kernel ends the run. */
perc_status fit_overflow(const struct learner *l, const struct block *b, size_t i, bool in_memory,
                         perc_error *err)
{
    const bool kernel = l->machine->ops->flags & MACHINE_FINITE;

    return block_blame(b, i,
                       fail_at(err, PERC_EDATA, block_line(b, i), 0,
                               "%s (scale the data: --scale %s%s)",
                               kernel ? "the score of this row is too large to be a number"
                                      : "the weights would no longer be numbers after this row",
                               in_memory ? "standard, unit or by:NUMBER" : "unit or by:NUMBER",
                               kernel ? "; or take a lower --degree or a --coef0 nearer to 0" : ""),
                       err);
}

bool fit_count(struct fit *f, const struct block *b, size_t i, size_t class,
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
    if (f->learner->machine->failed) f->st = fail_memory(f->err);
    if (f->learner->overflow) f->st = fit_overflow(f->learner, b, i, f->blocks != NULL, f->err);
    return g->stop == PERC_STOP_NONE && !f->st;
}
