/* gather.h -- rows of a shuffled pass, brought together ahead of the learner.
 *
 * In a shuffled pass every row is somewhere else in memory, and one thread that learns
 * from it waits for it. A second thread walks the order ahead of the first and copies
 * the rows into small loads, in which they stand one after the other. The learner
 * sees the same rows in the same order: only the waiting is somebody else's. */
#ifndef PERC_GATHER_H
#define PERC_GATHER_H

#include "data/block.h"

struct gather;

/* With fewer bytes than this, rows are near anyway: the cache of one core holds them all. */
#define GATHER_WORTH ((size_t)8 << 20)

/* For the rows of these blocks. *out is NULL, without an error, where it would not
 * pay or cannot be done: one thread, less than `worth` bytes, blocks that store their
 * rows in different ways. PERC_ENOMEM. */
perc_status gather_new(const struct env *e, const struct block *blocks, size_t n, size_t worth,
                       struct gather **out);
void gather_free(struct gather *g); /* NULL is fine */

/* Begins a pass over the rows `ref` (block.h), which stay until gather_end. false: no
 * thread could be started. */
bool gather_begin(struct gather *g, const uint64_t *ref, uint64_t n);
/* The next rows of the pass as a block; NULL at its end. It is valid until the next call. */
const struct block *gather_next(struct gather *g);
/* Ends the pass, wherever it is. */
void gather_end(struct gather *g);

#endif
