/* measure.h -- what is measured on the rows of a data set, and on some of them alone.
 *
 * A scaling by means, a mean that fills gaps, the levels of a category: rows that are held out must
 * have no part in them, or the estimate on them knows what it is asked. So a set keeps its blocks
 * as they were read where something was measured (perc_dataset.raw; a file's lie in memory that
 * stays as long as the set anyway), and a part is measured anew. */
#ifndef PERC_MEASURE_H
#define PERC_MEASURE_H

#include "data/dataset.h"

/* Whether ds was read from a table, which tells columns of numbers from levels and words. */
bool measure_is_table(const perc_dataset *ds);
/* Whether a part of ds has something of its own: numbers that were measured, or levels of its own.
 * The latter say nothing to a learner whose weights begin at 0, in the space of the features
 * (`plain`): what no row of the part has stays at 0. */
bool measure_matters(const perc_dataset *ds, bool plain);

/* Measures ds->transform as ds->measured says, on the rows i with chosen[i] != 0 (NULL: all). */
perc_status measure_rows(perc_dataset *ds, const uint8_t *chosen, perc_error *err);
/* A model says standard, too, where auto has found out what to do. Which of them it was, where
 * these are the rows that it was measured on: what it would be on them decides. */
perc_status measure_find_scale(const perc_dataset *ds, enum scale *scale, perc_error *err);
/* Transforms the blocks by it. keep: those that were read stay, where a part would have something
 * of its own. */
perc_status measure_apply(perc_dataset *ds, bool keep, perc_error *err);

/* A set of rows of ds, with levels of its own, is to be measured as ds is. PERC_ENOMEM. */
perc_status measure_copy(const perc_dataset *ds, perc_dataset *part);
/* Settles the levels (levels.h) of a set that was read, by its rows, or as those of a schema of the
 * same columns, with so many features. PERC_ENOMEM; PERC_EDATA, where `strict`. */
perc_status measure_settle(perc_dataset *ds, bool strict, perc_error *err);
perc_status measure_settle_as(perc_dataset *ds, const struct schema *schema, uint64_t columns,
                              perc_error *err);
/* *out has all rows of ds, as a file of the chosen ones, or a model trained on it, would have read
 * them: its features, its scaling. It borrows from ds, which must outlive it. */
perc_status measure_part(const struct env *e, const perc_dataset *ds, const uint8_t *chosen,
                         perc_dataset **out, perc_error *err);
/* The rows of another set, which was read as ds was (perc_dataset_read_like), for a part of ds. */
perc_status measure_like(const struct env *e, const perc_dataset *part, const perc_dataset *from,
                         perc_dataset **out, perc_error *err);

#endif
