/* metrics.h -- how good a model is, by scores that are there already. */
#ifndef PERC_METRICS_H
#define PERC_METRICS_H

#include "model/model.h"

/* perc_evaluate without the scoring: `scores` are what m says about the rows of ds, whose
 * labels and lines alone are looked at. The scores are overwritten. */
perc_status metrics_of(const struct env *e, const perc_model *m, const perc_dataset *ds,
                       double *scores, perc_metrics *out, uint64_t *confusion, perc_error *err);

#endif
