/* validate.h -- training that is measured on held-out rows after each pass. */
#ifndef PERC_VALIDATE_H
#define PERC_VALIDATE_H

#include "model/model.h"
#include "solve/arbiter.h"

/* perc_fit_by_metric, with an arbiter; report may be NULL. */
perc_status validate_fit(const struct env *e, const perc_dataset *ds, const perc_params *p,
                         const perc_dataset *held, const char *metric, int64_t patience,
                         const perc_observer *observer, const struct arbiter *arbiter,
                         perc_model **out, perc_report *report, perc_error *err);

#endif
