/* merge.h -- at least so many of some sketches, as one sketch. */
#ifndef PERC_MERGE_H
#define PERC_MERGE_H

#include "logic/sketch.h"

/* One of those that are counted. */
struct term {
    const struct sketch *sketch;
    uint32_t neuron; /* where it can be heard as a whole, if it is not a constant or a source */
    bool merged;     /* its sources are listened to, not its neuron */
};

/* Merges as many of the n terms as one neuron can take, in their order: each is kept if the
 * result is still a threshold function of at most `most` sources. If any was merged, *out is
 * that neuron and *done is true. most <= NEURON_INPUTS. PERC_ENOMEM. */
perc_status merge_terms(const struct env *e, struct term *term, size_t n, int64_t least,
                        size_t most, struct sketch *out, bool *done, perc_error *err);

/* One sketch can always be merged into an `and`, and into an `or`, of others, if its weights are
 * left as they are and those of the others are large enough: merge_weight says how large, or 0 if
 * that is more than MERGE_WEIGHT. */
enum { MERGE_WEIGHT = 1000 };
int64_t merge_weight(const struct sketch *p, bool and);
/* p, which is  sum of others >= threshold, becomes  p and one,  or  p or one. PERC_ENOMEM. */
perc_status merge_one(struct sketch *p, const struct sketch *one, bool and);

#endif
