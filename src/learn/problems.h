/* problems.h -- between the learners that solve a problem at once (svm, lp) and the solvers:
 * the rows and classes of a run as a problem, each class against the rest by itself. */
#ifndef PERC_PROBLEMS_H
#define PERC_PROBLEMS_H

#include "learn/fit.h"
#include "solve/problem.h"

/* Solves for one vector: `positive` is +1. It may fail with PERC_ENO. Several of them
 * run at once, for different vectors. */
typedef perc_status (*problems_one)(void *ud, const struct problem *p, uint32_t positive,
                                    size_t vector, const struct watch *watch, double *w, double *b,
                                    perc_error *err);

/* Calls `one` for every vector of the machine of f's learner and keeps what it finds. A
 * limit that came first is in progress.stop then. An error names the class. */
perc_status problems_each(struct fit *f, const struct map *map, problems_one one, void *ud);

/* The row of the data that row i of the problem is, from 0. */
uint64_t problems_row(const struct problem *p, uint64_t i);

/* PERC_ENO: row i alone makes the problem inseparable, because it is 0, or as good as 0
 * beside the others, and there is no offset. */
perc_status problems_zero_row(const struct problem *p, uint64_t i, perc_error *err);

/* How the solvers of all n vectors ended, for progress.stop: solved, or else the limit on
 * passes if one of them came to it, or else as far as rounding allows. A stop that the
 * clock or an observer has set stays. */
enum problems_end { PROBLEMS_STUCK, PROBLEMS_LIMIT, PROBLEMS_SOLVED };
void problems_ended(struct fit *f, const enum problems_end *end, size_t n);

#endif
