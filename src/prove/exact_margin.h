/* exact_margin.h -- the mistake bound as a fraction. */
#ifndef PERC_EXACT_MARGIN_H
#define PERC_EXACT_MARGIN_H

#include "solve/problem.h"
#include "solve/whole.h"

/* (R / gamma')^2 of the rows, exactly; u is near the best plane. *found is false, and the fraction
 * means nothing, where too many rows are nearest, the numbers have too many digits, u is no
 * plane, or the watch says no. PERC_ENOMEM, PERC_EDATA (whole_row). */
perc_status exact_bound(const struct whole *exact, const struct problem *floats, const double *u,
                        const struct watch *watch, mpq_t bound, bool *found, perc_error *err);

#endif
