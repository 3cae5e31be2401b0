/* batches.h -- the rows of a run, as a network learns from them: in batches.
 *
 * A batch is `batch` rows of the pass, one after the other; the last of a pass may be smaller. In
 * memory they are made ahead by another thread (feed.h), on a stream as the rows come. A run
 * ends between two batches: rows of a batch that was not full then were not shown.
 *
 * A loss that is not finite ends the run too. Nothing good can come of weights that led
 * there, so the state after the last whole pass is put back, or the start. A stream has no
 * start: in its first pass the run has failed. */
#ifndef PERC_BATCHES_H
#define PERC_BATCHES_H

#include "learn/fit.h"

struct batches;

/* The machine of f's learner is a network. */
perc_status batches_new(struct fit *f, const perc_params *p, struct batches **out);
void batches_free(struct batches *b); /* NULL is fine */
void batches_pass_begin(struct batches *b);
/* The rows of a pass, or some of them: false when the run is over. */
bool batches_pass(struct batches *b, const uint64_t *ref, uint64_t n);
bool batches_rows(struct batches *b, const struct block *blocks, const uint64_t *ref, size_t n);
/* The rows that are left, and a check of the weights; false: the run is over. */
bool batches_pass_end(struct batches *b);
/* Keeps the present state as a good one. */
perc_status batches_keep(struct batches *b);
/* The run was ended in the middle of a pass: goes back if the weights are not finite. */
void batches_stopped(struct batches *b);

#endif
