/* decay.h -- weights that shrink: the parameter "decay", for streams that drift.
 *
 * Before each example that counts the weights and offsets are multiplied by 1 - D: what was learned
 * k examples ago counts for (1 - D)^k of what it did. To multiply them all would cost a walk
 * over the columns; so they stay, and steps grow. With f_t = (1 - D)^(t mod span) the machine
 * has v = w / f_t, an update adds g x / f_t to it, and f_t is a factor of machine->unit, times
 * which its numbers are shown. When t reaches a multiple of `span`, the last f is multiplied into
 * all numbers once. span D is about 20: f_t stays above 2^-31, and a walk is made once in 20/D
 * examples.
 *
 * All of it follows from the number of examples shown, so that a run that goes on is the run that
 * was never stopped. Margins are those of v: a rule that asks for one of 1 asks for `growth`.
 *
 * The sums of averaging (averaged.c) count from the last such walk: with a_t = sum_i (1 - D)^(t-i)
 * w_i = f_t (k v - u), where k = t mod span, the walk turns u into f (u - span v). Divided by
 * sum_i (1 - D)^(t-i) that is the mean which forgets as the weights do. */
#ifndef PERC_DECAY_H
#define PERC_DECAY_H

#include "machine/machine.h"

struct decay {
    double share;  /* D; 0: none, and all of this does nothing */
    double rate;   /* -log(1 - D) */
    int64_t span;  /* examples between two walks */
    double growth; /* 1 / f of the next example: what its step is multiplied by */
};

void decay_init(struct decay *d, double share);
/* For a machine that has been shown so many examples, whose numbers would be shown times `unit`. */
void decay_set(struct decay *d, struct machine *m, int64_t shown, double unit);
/* The example that makes them so many has been shown. What scores, too, are to be multiplied by. */
double decay_shown(struct decay *d, struct machine *m, int64_t shown, double unit);
/* Examples since the last walk: what the sums of averaging count. */
int64_t decay_age(const struct decay *d, int64_t shown);
/* What their mean is divided by. */
double decay_count(const struct decay *d, int64_t shown);
/* A weight that the run began with, of a column that came only now, as it is by now. */
void decay_start(const struct decay *d, int64_t shown, double *w, double *sum);

#endif
