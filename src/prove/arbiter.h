/* arbiter.h -- can a plane separate the rows of a solver's problem? In whole numbers. */
#ifndef PERC_PROVE_ARBITER_H
#define PERC_PROVE_ARBITER_H

#include "solve/arbiter.h"

/* For a struct arbiter, which says what it does; `ud` is the data set of the problem's rows. */
perc_status arbiter_ask(const void *ud, const struct problem *p, uint32_t positive, bool plane,
                        double *w, double *b, double gap, const struct watch *watch,
                        struct arbiter_bounds *out, perc_error *err);
perc_status arbiter_decide(const void *ud, const struct problem *p, uint32_t positive,
                           const struct watch *watch, perc_verdict *out, perc_error *err);

#endif
