/* arbiter.h -- who decides what doubles cannot tell.
 *
 * A solver that rounds cannot tell a margin near 2^-53 R from none, and the numbers of a file are
 * rounded before it sees them. Whole numbers can (src/prove); solvers lie below that room, so
 * whoever calls them brings the arbiter along. */
#ifndef PERC_ARBITER_H
#define PERC_ARBITER_H

#include "solve/problem.h"

struct arbiter_bounds {                      /* for the decimals of the rows, rounded outwards */
    double lower, upper;                     /* gamma' */
    double geometric_lower, geometric_upper; /* NaN without an offset */
};

struct arbiter {
    /* Can a plane separate the rows of p, a problem without a map? `plane`: (w, b) is one whose
     * scores have the right signs; else another is sought, and put there. PERC_OK: yes, and the
     * bounds are known to within `gap`, or as far as they can be. Else err has the answer in
     * words. PERC_ENO: no. PERC_EUNDECIDED: yes, but no plane of doubles was found; or a limit
     * came first; or there is no exact arithmetic. */
    perc_status (*ask)(const void *ud, const struct problem *p, uint32_t positive, bool plane,
                       double *w, double *b, double gap, const struct watch *watch,
                       struct arbiter_bounds *out, perc_error *err);
    /* The verdict on the same question, in *out: PERC_SEPARABLE, PERC_TOUCHING or
     * PERC_OVERLAPPING; PERC_UNDECIDED where nobody can tell. */
    perc_status (*decide)(const void *ud, const struct problem *p, uint32_t positive,
                          const struct watch *watch, perc_verdict *out, perc_error *err);
    const void *ud;
};

#endif
