/* wolfe.h -- the point of a hull that is nearest to the origin (Wolfe 1976).
 *
 *     minimise |x|,   x = sum lambda_i a_i,   lambda in the simplex
 *
 * over a list of points a_i that may grow between calls. See wolfe.c. Or of a cone,
 *
 *     minimise |x|,   x = g + sum lambda_i a_i,   lambda >= 0
 *
 * which takes the same steps but for the sum of lambda (Lawson, Hanson 1974: least squares
 * without negative numbers); then points and g must have lengths near 1. */
#ifndef PERC_WOLFE_H
#define PERC_WOLFE_H

#include "base/base.h"
#include "solve/problem.h"
#include "solve/twofold.h"

/* Points, one after the other, without their zeros. */
struct points {
    size_t n, entries;
    size_t *start; /* n + 1 */
    uint32_t *column;
    double *value;
    double *norm2;
    uint64_t *row; /* whose a_i it is */
    bool *inside;  /* it is in the corral */
    size_t cap, cap_start, cap_norm, cap_row, cap_inside, cap_column, cap_value;
};

struct wolfe {
    struct env e;
    uint64_t dims; /* of the points */
    struct points p;
    size_t longest;     /* entries of a point */
    double radius2;     /* R^2, or more; 1 for a cone, whose points have that length */
    const double *apex; /* g: the hull is a cone; NULL: it is not */
    double gap;         /* wanted: rows may be off by this share of |x|^2 */
    bool fine;          /* lambda and x with 32 digits in place of 16 */

    size_t k; /* points of the corral: those with lambda_i > 0 */
    size_t *member;
    struct two *lambda;
    double *factor;          /* columns of the triangle, packed */
    struct two *long_factor; /* the same with 32 digits in its place, for a cone while fine;
                            NULL: not in use */
    struct two *long_work;   /* k numbers for it */
    size_t cap_member, cap_lambda, cap_factor, cap_long, cap_long_work;

    double *x;          /* dims: x, or its head */
    struct two *fine_x; /* dims: x, while fine; made when needed */
    double *along;      /* dims: sum p_i a_i; and scratch */
    double norm2;       /* |x|^2 */

    /* k numbers each, in one piece: slopes a_i.x - |x|^2 and those before, the step and where it
     * would go but for the one before, the solution for (1, .. 1), scratch */
    double *slope, *before, *step, *towards, *ones, *scratch;
    size_t cap_work;
    bool ones_known;
    double last;               /* of the conjugate directions; 0: start over */
    const struct watch *watch; /* of wolfe_run: asked within its steps, too */
    uint64_t done;             /* since it was */
    bool stopped;              /* it said no */
};

void wolfe_init(struct wolfe *s, const struct env *e, uint64_t dims, double radius2, double gap);
void wolfe_free(struct wolfe *s);

/* Appends the point sign * (row, 1 if offset). PERC_ENOMEM. */
perc_status wolfe_point(struct wolfe *s, const struct row *x, double sign, bool offset,
                        uint64_t number, perc_error *err);

/* Appends the point p - q, exactly: where a difference is rounded, what is lost is an entry of its
 * own, so that a column may come up twice. PERC_ENOMEM. */
perc_status wolfe_difference(struct wolfe *s, const struct row *p, const struct row *q,
                             uint64_t number, perc_error *err);

/* Starts from the first point, a cone from g alone. PERC_ENOMEM. */
perc_status wolfe_start(struct wolfe *s, perc_error *err);

/* From here on with 32 digits. PERC_ENOMEM. */
perc_status wolfe_refine(struct wolfe *s, perc_error *err);

enum wolfe_end {
    WOLFE_BEST,    /* no point of the list lies before x by more than the gap */
    WOLFE_ZERO,    /* x is 0 as far as the numbers go */
    WOLFE_STALLED, /* rounding stands in the way */
    WOLFE_STOPPED  /* by the watch */
};

/* Goes on until the list has nothing better. PERC_ENOMEM. */
perc_status wolfe_run(struct wolfe *s, const struct watch *watch, int64_t passes,
                      enum wolfe_end *end, perc_error *err);

/* Of a hull: |sum lambda_i a_i| / sum lambda_i, with 32 digits. Overwrites `sum`, dims numbers. */
double wolfe_upper(const struct wolfe *s, struct two *sum);

#endif
