/* mask.h -- a data set in which some rows count for nothing.
 *
 * Rows of weight 0 are shown to a learner but change nothing, and still make their label
 * known. So a model trained on a masked set has the classes, the columns and the order of
 * the rows of the whole one, and what it learned is what the other rows say. */
#ifndef PERC_MASK_H
#define PERC_MASK_H

#include "data/dataset.h"

/* *out is ds with weight 0 for the rows i where included[i] is 0. It borrows everything
 * but the weights from ds, which must outlive it. PERC_ENOMEM. */
perc_status mask_dataset(const struct env *e, const perc_dataset *ds, const uint8_t *included,
                         perc_dataset **out);
/* Frees what mask_dataset made, in place of perc_dataset_free. NULL is fine. */
void mask_remove(perc_dataset *masked);

#endif
