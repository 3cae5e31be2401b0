/* problems.h -- between the learners that solve a problem at once (logistic, svm, lp) and solvers:
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

/* Solves for all classes at once, the vectors `width` side by side (vec/row_many.h): w and b are
 * such, and zero at first. Like problems_each, but for one problem. */
typedef perc_status (*problems_all)(const void *ud, const struct problem *p, size_t classes,
                                    size_t width, const struct watch *watch, double *w, double *b,
                                    struct problems_result *out, perc_error *err);
perc_status problems_jointly(struct fit *f, const struct map *map, problems_all all,
                             const void *ud);

/* PERC_EDATA, with the line, if |x'|^2 of a row that counts overflows. */
perc_status problems_check_sizes(const struct fit *f, const struct map *map);
/* PERC_EARG: c times the weights of the rows overflows. */
perc_status problems_check_cost(const struct problem *p, double c, perc_error *err);

/* The number in the data, from 0, of row i of the problem. */
uint64_t problems_row(const struct problem *p, uint64_t i);

/* PERC_ENO: row i alone makes the problem inseparable, because it is 0, or as good as 0 compared to
 * the others, and there is no offset. */
perc_status problems_zero_row(const struct problem *p, uint64_t i, perc_error *err);

#endif
