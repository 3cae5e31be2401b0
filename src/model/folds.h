/* folds.h -- models that are trained without some of the rows, and asked about those. */
#ifndef PERC_FOLDS_H
#define PERC_FOLDS_H

#include "model/model.h"

/* The scores of every row by the model that was trained with `p` without the row's fold,
 * `outputs` numbers each, row by row: what a model says about rows it has not seen.
 * The folds are those of perc_folds with the parameter "seed" of p; with "positive",
 * labels that are rarer than folds go with the others (deal.h). Where rows have times, the oldest
 * are in no fold: their scores and weights are set to 0. */
perc_status folds_scores(const struct env *e, const perc_dataset *ds, const perc_params *p,
                         size_t k, const perc_observer *observer, size_t outputs, double *scores,
                         double *weights, perc_error *err);

#endif
