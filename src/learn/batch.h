/* batch.h -- between the learners that solve a problem at once (svm, lp) and the solvers:
 * the rows and classes of a run as a problem, each class against the rest by itself. */
#ifndef PERC_BATCH_H
#define PERC_BATCH_H

#include "learn/fit.h"
#include "solve/problem.h"

/* Solves for one vector: `positive` is +1. It may fail with PERC_ENO. Several of them
 * run at once, for different vectors. */
typedef perc_status (*batch_one)(void *ud, const struct problem *p, uint32_t positive,
                                 size_t vector, const struct watch *watch, double *w, double *b,
                                 perc_error *err);

/* Calls `one` for every vector of the machine of f's learner and keeps what it finds. A
 * limit that came first is in progress.stop then. An error names the class. */
perc_status batch_each(struct fit *f, const struct map *map, batch_one one, void *ud);

/* The row of the data that row i of the problem is, from 0. */
uint64_t batch_row(const struct problem *p, uint64_t i);

#endif
