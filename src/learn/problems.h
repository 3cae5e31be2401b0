/* problems.h -- between the learners that solve a problem at once (svm, lp) and the solvers:
 * the rows and classes of a run as a problem, each class against the rest by itself. */
#ifndef PERC_PROBLEMS_H
#define PERC_PROBLEMS_H

#include "learn/fit.h"
#include "solve/problem.h"

/* What came of one vector. */
struct problems_result {
    double *w, b;
    struct solved solved;
    enum { PROBLEMS_STUCK, PROBLEMS_LIMIT, PROBLEMS_SOLVED } end; /* STUCK: by rounding */
};
/* Solves for one vector: `positive` is +1. It may fail with PERC_ENO or PERC_EUNDECIDED. Several
 * of them run at once, for different vectors. */
typedef perc_status (*problems_one)(const void *ud, const struct problem *p, uint32_t positive,
                                    const struct watch *watch, struct problems_result *out,
                                    perc_error *err);

/* Calls `one` for every vector of the machine of f's learner and keeps what it finds: sums of the
 * objectives, the smallest margin. progress.stop says how they ended: solved, or else the limit on
 * passes if one of them hit it, or else as far as rounding allows; a stop that the clock or an
 * observer has set stays. An error names the class. */
perc_status problems_each(struct fit *f, const struct map *map, problems_one one, const void *ud);

/* The number in the data, from 0, of row i of the problem. */
uint64_t problems_row(const struct problem *p, uint64_t i);

/* PERC_ENO: row i alone makes the problem inseparable, because it is 0, or as good as 0 compared to
 * the others, and there is no offset. */
perc_status problems_zero_row(const struct problem *p, uint64_t i, perc_error *err);

#endif
