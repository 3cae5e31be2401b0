/* decide.h -- one problem of two classes: can a plane separate them? */
#ifndef PERC_DECIDE_H
#define PERC_DECIDE_H

#include "prove/job.h"

/* The three-way answer, or with `quick` PERC_SEPARABLE or PERC_INSEPARABLE; PERC_UNDECIDED
 * where a limit came first. Every other verdict was checked in whole numbers. */
perc_status decide(const struct whole *exact, const struct problem *floats,
                   const struct job_options *o, struct separation *out, perc_error *err);
perc_status decide_tuned(const struct whole *exact, const struct problem *floats,
                         const struct job_options *o, const struct job_tune *tune,
                         struct separation *out, perc_error *err);

#endif
