/* arbiter_stub.c -- a build without GMP and FLINT: what doubles cannot tell stays open. */
#include "prove/arbiter.h"

perc_status arbiter_ask(const void *ud, const struct problem *p, uint32_t positive, bool plane,
                        double *w, double *b, double gap, const struct watch *watch,
                        struct arbiter_bounds *out, perc_error *err)
{
    (void)ud, (void)p, (void)positive, (void)plane, (void)w, (void)b, (void)gap, (void)watch,
        (void)out;
    return fail(err, PERC_EUNDECIDED,
                "doubles cannot tell whether a hyperplane separates the rows, and this build has "
                "no exact arithmetic (GMP, FLINT)");
}

perc_status arbiter_decide(const void *ud, const struct problem *p, uint32_t positive,
                           const struct watch *watch, perc_verdict *out, perc_error *err)
{
    (void)ud, (void)p, (void)positive, (void)watch, (void)err;
    *out = PERC_UNDECIDED;
    return PERC_OK;
}
