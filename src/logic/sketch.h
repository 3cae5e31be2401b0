/* sketch.h -- a threshold neuron that is not part of a network yet: it fires if the weights of its
 * sources that are 1 add up to its threshold or more. */
#ifndef PERC_SKETCH_H
#define PERC_SKETCH_H

#include "machine/gate.h"

struct sketch {
    struct env e;
    uint32_t *source; /* n of them, increasing */
    int64_t *weight;
    size_t n, source_cap, weight_cap;
    int64_t threshold;
};

void sketch_init(struct sketch *p, const struct env *e);
void sketch_free(struct sketch *p); /* safe on a zeroed struct */
/* `to` is empty. PERC_ENOMEM. */
perc_status sketch_copy(const struct sketch *from, struct sketch *to);
/* Adds a weight to that of a source. PERC_ENOMEM. */
perc_status sketch_add(struct sketch *p, uint32_t source, int64_t weight);
/* Takes out weights that are 0; a sketch that always fires, or never does, loses its sources and
 * gets the threshold 0, or 1. The functions below rely on that. */
void sketch_simplify(struct sketch *p);
void sketch_negate(struct sketch *p);

/* 1: it is its only source; -1: it is the negation of that; 0: something else. */
int sketch_sign(const struct sketch *p);
/* Whether it is the `and` of its sources, some of them negated; the `or`. */
bool sketch_is_and(const struct sketch *p);
bool sketch_is_or(const struct sketch *p);
/* Whether neuron k of a network is this one. */
bool sketch_is_neuron(const struct sketch *p, const struct gate *g, size_t k);

#endif
