/* problem_floats.h -- the rows of an exact problem in doubles.
 *
 * In this room a problem comes twice: `exact`, the decimals of the file as whole numbers, and
 * `floats`, the same rows in the same order in doubles, for solvers that round.
 * floats->class[i] is 1 where exact->sign[i] is +1, else 0. */
#ifndef PERC_PROBLEM_FLOATS_H
#define PERC_PROBLEM_FLOATS_H

#include "solve/problem.h"
#include "solve/whole.h"

/* It owns ref and class. problem_floats_free is safe after any failure. PERC_ENOMEM. */
perc_status problem_floats(const struct whole *exact, struct problem *floats, perc_error *err);
void problem_floats_free(struct problem *floats);

#endif
