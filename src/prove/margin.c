/* margin.c -- the two margins of a problem: gamma', and the geometric one. See nearest.c. */
#include <math.h>

#include "prove/nearest.h"
#include "prove/proof.h"

/* For perc_part.gap_reached. Where it was not reached, the search was stopped (-1) or stuck (0). */
static int gap_reached(const struct nearest_result *r, const struct watch *watch)
{
    if (r->solved) return 1;
    return watch_ask(watch, 0) ? 0 : -1;
}

perc_status margin_measure(const struct whole *exact, const struct problem *floats,
                           const struct separation *a, double gap, const struct watch *watch,
                           perc_part *out, perc_error *err)
{
    struct nearest_options o = { .gap = gap, .w = (const mpz_t *)a->w, .watch = watch };
    struct nearest_result r = { .lower = 0 };
    bool seen[2] = { false, false };
    perc_status st;

    out->margin_lower = out->margin_upper = out->geometric_lower = out->geometric_upper = 0;
    if (a->verdict != PERC_SEPARABLE || exact->n == 0) return PERC_OK;
    if ((st = nearest_measure(exact, floats, &o, NULL, &r, err))) return st;
    out->margin_lower = out->geometric_lower = r.lower;
    out->margin_upper = out->geometric_upper = r.upper;
    out->gap_reached = gap_reached(&r, watch);
    if (!exact->offset) return PERC_OK; /* they are the same */
    for (uint64_t i = 0; i < exact->n; i++) seen[exact->sign[i] > 0] = true;
    if (!seen[0] || !seen[1]) { /* a plane may be arbitrarily far away */
        out->geometric_lower = out->geometric_upper = INFINITY;
        return PERC_OK;
    }
    o.hulls = true;
    if ((st = nearest_measure(exact, floats, &o, NULL, &r, err))) return st;
    out->geometric_lower = r.lower;
    out->geometric_upper = r.upper;
    if (out->gap_reached == 1) out->gap_reached = gap_reached(&r, watch);
    return PERC_OK;
}
