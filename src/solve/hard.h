/* hard.h -- the maximum-margin separator, with bounds.
 *
 *     gamma' = max over unit u of min_i y_i u.x'_i
 *            = min over lambda in the simplex of |sum lambda_i a_i|
 *
 * the margin of the mistake bound: the offset is inside the norm. Or, with the offset outside,
 * the geometric margin, a distance:
 *
 *     gamma  = max over unit w, and b, of min_i y_i (w.x_i + b)
 *            = half the distance of the hulls of the two classes
 *
 * Any w' with positive margins gives a lower bound, any lambda an upper one. Where no
 * hyperplane separates the rows the upper bound can be brought to 0, and lambda says which
 * rows are why. */
#ifndef PERC_HARD_H
#define PERC_HARD_H

#include "solve/problem.h"

enum hard_verdict {
    HARD_SEPARABLE,   /* lower > 0: w' separates the rows */
    HARD_INSEPARABLE, /* upper <= HARD_ZERO * R, R = max |x'_i| or |x_i|, and lower <= 0 */
    HARD_UNDECIDED    /* a limit or rounding came first: the bounds hold all the same */
};
#define HARD_ZERO 1e-12

/* The rows with lambda_i > 0 and their lambda, in the order in which they came. */
struct hard_corral {
    size_t n;
    uint64_t *row; /* numbers in the problem */
    double *lambda;
};

struct hard_options {
    bool hulls;     /* the geometric margin, of a problem with an offset; else gamma' */
    double gap;     /* stop when upper - lower <= gap * upper; at least 1e-14 */
    int64_t passes; /* limit: passes over the rows; R and a first bound take two */
    const struct watch *watch;
    bool coarse;                /* stop where 16 digits do not tell x from 0, with no verdict */
    struct hard_corral *corral; /* NULL: not wanted; else zeroed, and for hard_corral_free; */
                                /* not of the hulls */
};

enum { HARD_WITNESSES = 16 };

struct hard_result {
    enum hard_verdict verdict;
    bool solved;         /* the gap is small enough; else a limit or the watch ended it */
    double lower, upper; /* on the margin; lower may be <= 0; of one class gamma is infinite */
    double radius;       /* R; of the hulls, max |x_i| */
    int64_t passes;
    uint64_t supports;                /* rows with lambda_i > 0 */
    uint64_t witness[HARD_WITNESSES]; /* the first of them, numbers in the problem */
};

/* w' of the best margin found, scaled so that the smallest y_i w'.x'_i is 1 where it is
 * positive, and less where w' would not be finite. Rows may be any finite numbers. The
 * bounds come from numbers of 32 digits; w' is rounded to doubles, and has the margin
 * `lower` but for a few parts in 10^16 of R. Costs in the problem do not matter.
 * PERC_ENOMEM. */
perc_status hard_solve(const struct problem *p, uint32_t positive, const struct hard_options *o,
                       double *w, double *b, struct hard_result *out, perc_error *err);
void hard_corral_free(const struct env *e, struct hard_corral *c);

#endif
