/* lp.h -- a consistent half-space by linear programming, in the max-min-margin form:
 *
 *     maximise t   subject to   y_i w'.x'_i >= t  for every row i,   |w'_j| <= 1
 *
 * t > 0 exactly if a hyperplane separates the rows. The best t is at most the largest
 * max-norm margin; it is not gamma' (hard.h), whose norm is Euclidean. */
#ifndef PERC_LP_H
#define PERC_LP_H

#include "solve/problem.h"

enum lp_verdict {
    LP_SEPARABLE,   /* w' was checked: y_i w'.x'_i > 0 on every row, to the bit */
    LP_INSEPARABLE, /* the optimum is t = 0 */
    LP_UNDECIDED    /* the solver gave up, a limit came first, or t is too small to tell */
};

struct lp_options {
    int64_t rounds; /* limit: rounds of row generation */
    const struct watch *watch;
};

struct lp_result {
    enum lp_verdict verdict;
    double t;         /* of the last program */
    int64_t rounds;   /* programs solved */
    uint64_t rows;    /* in the last program */
    uint64_t holders; /* LP_INSEPARABLE: rows that are inseparable by themselves */
    uint64_t witness; /* the first of them, its number in the problem */
    double lower;     /* min y_i w'.x'_i / |w'|: a lower bound on gamma' */
};

/* Whether this build has a solver at all. */
bool lp_exists(void);
/* PERC_EARG: no solver in this build. PERC_ENOMEM. */
perc_status lp_solve(const struct problem *p, uint32_t positive, const struct lp_options *o,
                     double *w, double *b, struct lp_result *out, perc_error *err);

#endif
