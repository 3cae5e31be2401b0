/* clock.c -- a formula with states, step by step, and the circle it ends in. */
#include "logic/clock.h"

#include <string.h>

#include "base/pool.h"

perc_status clock_run(const struct formula *f, const unsigned char *start,
                      const struct clock_inputs *in, unsigned char *value, perc_error *err)
{
    struct pool pool;

    pool_init(&pool, &f->e);
    unsigned char *state = pool_zeroed(&pool, f->states, 1);
    unsigned char *scratch = pool_array(&pool, f->nodes, 1);
    if (!pool.failed && start != NULL) memcpy(state, start, f->states);
    for (size_t t = 0; !pool.failed && t < in->steps; t++) {
        unsigned char *row = value + t * f->names;
        if (f->inputs > 0) memcpy(row, in->value + t * f->inputs, f->inputs);
        memcpy(row + f->inputs, state, f->states);
        formula_step(f, row, state, scratch);
    }
    pool_free(&pool);
    return pool.failed ? fail_memory(err) : PERC_OK;
}

/* ----- circles --------------------------------------------------------------- */

/* Two copies of the machine, one ahead of the other. */
struct copies {
    const struct formula *f;
    unsigned char *first;          /* the states at the beginning */
    unsigned char *behind, *ahead; /* values of all names */
    unsigned char *scratch;
    size_t left; /* steps that may still be made */
};

/* One step; false: there are none left. */
static bool move_on(struct copies *p, unsigned char *value)
{
    if (p->left == 0) return false;
    p->left--;
    formula_step(p->f, value, value + p->f->inputs, p->scratch);
    return true;
}

static void rewind_to_start(const struct copies *p, unsigned char *value)
{
    memcpy(value + p->f->inputs, p->first, p->f->states);
}

static bool have_met(const struct copies *p)
{
    const size_t at = p->f->inputs;

    return memcmp(p->behind + at, p->ahead + at, p->f->states) == 0;
}

/* Brent 1980: the copy behind waits while the other goes 1, 2, 4, ... steps ahead, then jumps to
 * where that one is; within the circle they meet after one turn. */
static size_t find_period(struct copies *p)
{
    size_t turn = 1, steps = 1;

    rewind_to_start(p, p->behind);
    rewind_to_start(p, p->ahead);
    if (!move_on(p, p->ahead)) return 0;
    while (!have_met(p)) {
        if (steps == turn) {
            memcpy(p->behind + p->f->inputs, p->ahead + p->f->inputs, p->f->states);
            turn *= 2;
            steps = 0;
        }
        if (!move_on(p, p->ahead)) return 0;
        steps++;
    }
    return steps;
}

/* From the start, one of them a period ahead, they meet where the circle begins. */
static size_t find_begin(struct copies *p, size_t period)
{
    size_t before = 0;

    p->left = SIZE_MAX; /* it takes no more than were made so far */
    rewind_to_start(p, p->behind);
    rewind_to_start(p, p->ahead);
    for (size_t i = 0; i < period; i++) move_on(p, p->ahead);
    for (; !have_met(p); before++) {
        move_on(p, p->behind);
        move_on(p, p->ahead);
    }
    return before;
}

perc_status clock_circle(const struct formula *f, const unsigned char *start,
                         struct clock_circle *out, perc_error *err)
{
    const size_t most = CLOCK_CELLS / (f->nodes + 1);
    struct pool pool;

    pool_init(&pool, &f->e);
    struct copies p = { f,
                        pool_zeroed(&pool, f->states, 1),
                        pool_zeroed(&pool, f->names, 1),
                        pool_zeroed(&pool, f->names, 1),
                        pool_array(&pool, f->nodes, 1),
                        most < CLOCK_STEPS ? most : CLOCK_STEPS };
    *out = (struct clock_circle){ 0, 0 };
    if (!pool.failed) {
        if (start != NULL) memcpy(p.first, start, f->states);
        out->period = find_period(&p);
        if (out->period > 0) out->before = find_begin(&p, out->period);
    }
    pool_free(&pool);
    return pool.failed ? fail_memory(err) : PERC_OK;
}
