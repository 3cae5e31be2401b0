/* neuron_shape.h -- what the table of a Boolean function says at once about its weights.
 *
 * Inputs that do not matter are dropped; where an input raises f in one row and lowers it in
 * another, or where neither of two inputs is everywhere at least as strong as the other, four
 * rows prove that f is no threshold function (Paull & McCluskey 1960, Winder 1962). Otherwise
 * inputs that lower f are negated and all are sorted by strength: g, of `m` positions with the
 * weakest at 0, is what they then make of f. It does not fall where a bit is set, nor where one
 * moves to a higher position: weights 0 <= w_0 <= w_1 <= ... are no restriction, and the few
 * rows that cannot move decide. */
#ifndef PERC_NEURON_SHAPE_H
#define PERC_NEURON_SHAPE_H

#include "logic/neuron.h"

struct shape {
    struct env e;
    size_t n, m; /* inputs; those that matter */
    size_t f_words, g_words;
    uint64_t *f, *g;
    int sign[NEURON_INPUTS];     /* by input: 1: it raises f, -1: it lowers f, 0: neither */
    size_t input[NEURON_INPUTS]; /* by position */
    size_t group[NEURON_INPUTS]; /* by position, from 0: inputs of one group can change places */
    size_t groups;
    /* Rows of g: true ones that are false wherever a bit is cleared or moves down, then
     * false ones that are true wherever one is set or moves up. */
    uint32_t *point;
    size_t trues, falses;
};

/* *refuted: `out` has the proof that f is no threshold function. PERC_ENOMEM. */
perc_status neuron_shape_find(struct shape *s, const struct env *e, const uint64_t *table, size_t n,
                              struct neuron *out, bool *refuted, perc_error *err);
void neuron_shape_free(struct shape *s); /* safe on a zeroed one */
/* The row of f that a row of g stands for. */
uint32_t neuron_shape_row(const struct shape *s, uint32_t row);

#endif
