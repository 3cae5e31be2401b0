/* cone.h -- the point of g + cone(a_i) that is nearest to the origin.
 *
 *     minimise |z|,   z = g + sum lambda_i a_i,   lambda >= 0,    g = sum_i a_i
 *
 * a_i as in problem.h. Where z = 0 every row has a weight 1 + lambda_i > 0 in a sum that is
 * 0: no plane has a row strictly on its side unless it errs on another. Else z itself is a
 * plane that has every row on its side or on it (a_i.z >= 0 is what being nearest means),
 * and some strictly, since the a_i.z add up to g.z = |z|^2. */
#ifndef PERC_CONE_H
#define PERC_CONE_H

#include "solve/hard.h"
#include "solve/problem.h"

enum cone_end {
    CONE_ZERO,    /* z is 0 as far as the numbers go */
    CONE_PLANE,   /* a_i.z is not below 0 by more than rounding */
    CONE_STALLED, /* rounding stands in the way */
    CONE_STOPPED  /* by the watch, or never begun: z and cosine mean nothing */
};

struct cone_options {
    int64_t passes; /* limit */
    bool fine;      /* with 32 digits */
    const struct watch *watch;
};

struct cone_result {
    enum cone_end end;
    struct hard_corral rows; /* lambda_i > 0; for hard_corral_free */
    double length;           /* |z| / |g| */
    double *z;               /* dims, of length near |z| / |g|; the caller's */
    double *cosine;          /* n: a_i.z / (|a_i| |z|); the caller's */
};

/* PERC_ENOMEM. Numbers whose squares overflow are refused with CONE_STOPPED. */
perc_status cone_solve(const struct problem *p, uint32_t positive, const struct cone_options *o,
                       struct cone_result *out, perc_error *err);

#endif
