/* clock.c -- a formula with states, step by step, and the circle it ends in. */
#include "logic/clock.h"

#include <string.h>

#include "base/pool.h"

void clock_recall(const struct formula *f, const unsigned char *cell, size_t t,
                  unsigned char *state)
{
    for (size_t k = 0; k < f->states; k++) {
        const uint32_t delay = f->name[f->inputs + k].delay;
        state[k] = cell[t % delay];
        cell += delay;
    }
}

void clock_remember(const struct formula *f, unsigned char *cell, size_t t,
                    const unsigned char *next)
{
    for (size_t k = 0; k < f->states; k++) {
        const uint32_t delay = f->name[f->inputs + k].delay;
        cell[t % delay] = next[k];
        cell += delay;
    }
}

perc_status clock_run(const struct formula *f, const unsigned char *start,
                      const struct clock_inputs *in, unsigned char *value, perc_error *err)
{
    struct pool pool;

    pool_init(&pool, &f->e);
    unsigned char *cell = pool_zeroed(&pool, f->cells, 1);
    unsigned char *next = pool_array(&pool, f->states, 1);
    unsigned char *scratch = pool_array(&pool, f->nodes, 1);
    if (!pool.failed && start != NULL) memcpy(cell, start, f->cells);
    for (size_t t = 0; !pool.failed && t < in->steps; t++) {
        unsigned char *row = value + t * f->names;
        if (f->inputs > 0) memcpy(row, in->value + t * f->inputs, f->inputs);
        clock_recall(f, cell, t, row + f->inputs);
        formula_step(f, row, next, scratch);
        clock_remember(f, cell, t, next);
    }
    pool_free(&pool);
    return pool.failed ? fail_memory(err) : PERC_OK;
}

/* ----- circles --------------------------------------------------------------- */

/* A copy of the machine, after t steps. */
struct copy {
    unsigned char *cell;
    size_t t;
};

/* Two copies of the machine, one ahead of the other. */
struct copies {
    const struct formula *f;
    const unsigned char *first; /* the memory at the beginning */
    struct copy behind, ahead;
    unsigned char *value; /* scratch: of all names, */
    unsigned char *next;  /* of the next states,    */
    unsigned char *node;  /* of the nodes           */
    size_t left;          /* steps that may still be made */
};

/* One step; false: there are none left. */
static bool move_on(struct copies *p, struct copy *c)
{
    if (p->left == 0) return false;
    p->left--;
    clock_recall(p->f, c->cell, c->t, p->value + p->f->inputs);
    formula_step(p->f, p->value, p->next, p->node);
    clock_remember(p->f, c->cell, c->t++, p->next);
    return true;
}

static void rewind_to_start(const struct copies *p, struct copy *c)
{
    memcpy(c->cell, p->first, p->f->cells);
    c->t = 0;
}

/* Whether both hold the same, and will say it in the same order. */
static bool have_met(const struct copies *p)
{
    const unsigned char *a = p->behind.cell, *b = p->ahead.cell;

    for (size_t k = 0; k < p->f->states; k++) {
        const uint32_t delay = p->f->name[p->f->inputs + k].delay;
        for (size_t i = 0; i < delay; i++)
            if (a[(p->behind.t + i) % delay] != b[(p->ahead.t + i) % delay]) return false;
        a += delay;
        b += delay;
    }
    return true;
}

/* Brent 1980: the copy behind waits while the other goes 1, 2, 4, ... steps ahead, then jumps to
 * where that one is; within the circle they meet after one turn. */
static size_t find_period(struct copies *p)
{
    size_t turn = 1, steps = 1;

    rewind_to_start(p, &p->behind);
    rewind_to_start(p, &p->ahead);
    if (!move_on(p, &p->ahead)) return 0;
    while (!have_met(p)) {
        if (steps == turn) {
            memcpy(p->behind.cell, p->ahead.cell, p->f->cells);
            p->behind.t = p->ahead.t;
            turn *= 2;
            steps = 0;
        }
        if (!move_on(p, &p->ahead)) return 0;
        steps++;
    }
    return steps;
}

/* From the start, one of them a period ahead, they meet where the circle begins. */
static size_t find_begin(struct copies *p, size_t period)
{
    size_t before = 0;

    p->left = SIZE_MAX; /* it takes no more than were made so far */
    rewind_to_start(p, &p->behind);
    rewind_to_start(p, &p->ahead);
    for (size_t i = 0; i < period; i++) move_on(p, &p->ahead);
    for (; !have_met(p); before++) {
        move_on(p, &p->behind);
        move_on(p, &p->ahead);
    }
    return before;
}

perc_status clock_circle(const struct formula *f, const unsigned char *start,
                         struct clock_circle *out, perc_error *err)
{
    const size_t most = CLOCK_CELLS / (f->nodes + f->cells + 1);
    struct pool pool;

    pool_init(&pool, &f->e);
    unsigned char *first = pool_zeroed(&pool, f->cells, 1);
    struct copies p = { .f = f,
                        .first = first,
                        .behind = { pool_array(&pool, f->cells, 1), 0 },
                        .ahead = { pool_array(&pool, f->cells, 1), 0 },
                        .value = pool_zeroed(&pool, f->names, 1),
                        .next = pool_array(&pool, f->states, 1),
                        .node = pool_array(&pool, f->nodes, 1),
                        .left = most < CLOCK_STEPS ? most : CLOCK_STEPS };
    *out = (struct clock_circle){ 0, 0 };
    if (!pool.failed) {
        if (start != NULL) memcpy(first, start, f->cells);
        out->period = find_period(&p);
        if (out->period > 0) out->before = find_begin(&p, out->period);
    }
    pool_free(&pool);
    return pool.failed ? fail_memory(err) : PERC_OK;
}
