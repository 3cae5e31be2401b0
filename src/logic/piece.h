/* piece.h -- a threshold neuron that is not part of a network yet: it fires if the weights of its
 * sources that are 1 add up to its threshold or more. */
#ifndef PERC_PIECE_H
#define PERC_PIECE_H

#include "machine/gate.h"

struct piece {
    struct env e;
    uint32_t *source; /* n of them, increasing */
    int64_t *weight;
    size_t n, source_cap, weight_cap;
    int64_t threshold;
};

void piece_init(struct piece *p, const struct env *e);
void piece_free(struct piece *p); /* safe on a zeroed struct */
/* `to` is empty. PERC_ENOMEM. */
perc_status piece_copy(const struct piece *from, struct piece *to);
/* Adds a weight to that of a source. PERC_ENOMEM. */
perc_status piece_add(struct piece *p, uint32_t source, int64_t weight);
/* Takes out weights that are 0; one that always fires, or never, becomes one without sources and
 * with the threshold 0, or 1. The functions below want it so. */
void piece_tidy(struct piece *p);
void piece_negate(struct piece *p);

/* 1: it is its only source; -1: it is the negation of that; 0: something else. */
int piece_sign(const struct piece *p);
/* Whether it is the `and` of its sources, some of them negated; the `or`. */
bool piece_is_and(const struct piece *p);
bool piece_is_or(const struct piece *p);
/* Whether neuron k of a network is this one. */
bool piece_is_neuron(const struct piece *p, const struct gate *g, size_t k);

#endif
