/* feed.h -- the batches of a pass, made ahead of the learner by another thread: rows fetched from
 * wherever a shuffled order finds them, mapped, rounded to floats, transposed. */
#ifndef PERC_FEED_H
#define PERC_FEED_H

#include "data/lens.h"
#include "machine/minibatch.h"

struct feed;

/* For rows of these blocks, in batches of `batch`; class and weight of a row by its label (and its
 * own weight times that of its label). All borrowed until feed_free. `columns`: more than any in
 * use, after the map. */
struct feed_source {
    const struct block *blocks;
    size_t block_count;
    const struct map *map;
    const size_t *class_of;
    const double *weight_of;
    uint64_t columns;
    size_t batch;
};
perc_status feed_new(const struct env *e, const struct feed_source *s, struct feed **out,
                     perc_error *err);
void feed_free(struct feed *f); /* NULL is fine */
/* Begins a pass over these rows (block.h), which stay until feed_end. With one thread, or where
 * none can be started, batches are made when they are asked for. */
void feed_begin(struct feed *f, const uint64_t *ref, uint64_t n);
/* The next batch; valid until the next call. *out is NULL at the end. PERC_ENOMEM. */
perc_status feed_next(struct feed *f, struct minibatch **out);
void feed_end(struct feed *f);

#endif
