/* pass.h -- passes over the data, in memory or from a stream.
 *
 *     pass_first
 *     while pass_begin:
 *         pass_rest, or pass_block for each block
 *         pass_end
 *     pass_last
 *     pass_free
 *
 * The second to the fourth answer false when the run is over; fit.learner->progress then says why
 * and where, and from there the run can go on; or f->st says what went wrong. */
#ifndef PERC_PASS_H
#define PERC_PASS_H

#include "learn/fit.h"

/* Before the first pass. What the caller has set: learner, observer, labels, weights, blocks (if
 * any), err. */
perc_status pass_first(struct fit *f, const perc_params *p, const struct map *map);
bool pass_begin(struct fit *f);
/* The rows `ref` of f's blocks, all of a pass that are left; brought together by a second thread
 * where that pays. */
bool pass_rest(struct fit *f, const uint64_t *ref, uint64_t n);
/* The rows of one block in order, from row `from` on. */
bool pass_block(struct fit *f, const struct block *b, size_t from);
bool pass_end(struct fit *f);
/* After the last pass: makes what the learner returns. */
perc_status pass_last(struct fit *f, perc_error *err);
void pass_free(struct fit *f); /* safe on a zeroed struct */

#endif
