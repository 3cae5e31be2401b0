/* clock.h -- formulas with delays as a machine that makes one step at a time.
 *
 * At step t every input has a value x(t), given, and every state a value s(t); the wires follow
 * from these, and so do the values of the states at the next step (McCulloch and Pitts 1943: a
 * neuron answers one step after its inputs):
 *
 *     s(0) = start,   wires(t) = W(x(t), s(t)),   s(t + 1) = N(x(t), s(t))
 *
 * A tap, x@d, is a state that has its next value d steps later: it needs d cells of memory, and a
 * start for each of the first d steps. With unit delays it would be a chain of d states.
 *
 * Unrolled, the T steps are one formula without states: the inputs x.0 ... x.(T-1), every step's
 * outputs, and in between s(t + 1) as a wire. */
#ifndef PERC_LOGIC_CLOCK_H
#define PERC_LOGIC_CLOCK_H

#include "logic/formula.h"

enum {
    CLOCK_STEPS = 1 << 20,
    CLOCK_CELLS = 1 << 28, /* steps of a run; steps times names */
    CLOCK_NODES = 1 << 20,
    CLOCK_NAMES = 1 << 16
}; /* limits; the last two of an unrolled formula */

/* The memory at the first step, f->cells values: from a text such as "s=1 x@3=011", a digit for
 * each step of the delay, where the others are 0; NULL is all 0. Pairs are separated by blanks or
 * commas. PERC_EDATA with line 1 and a column: no such state, a value that is not 0 or 1, too few
 * or too many of them, a name that comes twice. */
perc_status clock_start(const struct formula *f, const char *text, unsigned char *cell,
                        perc_error *err);

/* A state of delay d has d cells. At step t its value is in the one with the number t mod d, and
 * gives way there to the value that it will have at step t + d. */
void clock_recall(const struct formula *f, const unsigned char *cell, size_t t,
                  unsigned char *state);
void clock_remember(const struct formula *f, unsigned char *cell, size_t t,
                    const unsigned char *next);

/* What the inputs are at every step, from a text such as "a=0110 r=0001". */
struct clock_inputs {
    struct env e;
    size_t steps, inputs;
    unsigned char *value; /* steps x inputs, row major: value[t * inputs + i] */
};
/* *steps: how many are wanted; 0: as many as the text has, and *steps is set to that number.
 * Every input needs its sequence, all of the same length and at least *steps long; the rest is
 * ignored. A formula without inputs needs no text (NULL or blanks), but a number of steps.
 * PERC_EDATA with a column (in line 1; 0: something is missing), PERC_ENOMEM: *out is zeroed. */
perc_status clock_inputs(const struct formula *f, const char *text, size_t *steps,
                         struct clock_inputs *out, perc_error *err);
void clock_inputs_free(struct clock_inputs *in); /* safe on a zeroed struct */

/* The values of all names at every step: value[t * names + k], in the caller's array of
 * in->steps x names. start: as clock_start makes it (NULL: all 0). PERC_ENOMEM. */
perc_status clock_run(const struct formula *f, const unsigned char *start,
                      const struct clock_inputs *in, unsigned char *value, perc_error *err);

/* A machine without inputs, or with all inputs held at 0, returns to a state it has been in: after
 * `before` steps it repeats every `period` steps. period 0: not within the steps that were tried,
 * CLOCK_STEPS or fewer for a large formula. PERC_ENOMEM. */
struct clock_circle {
    size_t before, period;
};
perc_status clock_circle(const struct formula *f, const unsigned char *start,
                         struct clock_circle *out, perc_error *err);

/* The formula without states that gives f's outputs at `steps` steps from `start` (as clock_start
 * makes it, NULL: all 0). Its inputs are f's at each step, a.0 b.0 a.1 b.1 ... (even those that
 * nothing depends on), its outputs f's at each step in the order of formula_outputs:
 * sum.0 carry.0 sum.1 carry.1 ... What follows from the start is worked out: constants appear
 * only as whole outputs, wires that no output needs are left out, and a wire that only
 * repeats another name is replaced by it. PERC_EDATA: too large; PERC_EARG: no steps;
 * PERC_ENOMEM. *out is zeroed then. */
perc_status clock_unroll(const struct formula *f, const unsigned char *start, size_t steps,
                         struct formula *out, perc_error *err);

#endif
