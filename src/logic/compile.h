/* compile.h -- from a formula to a network of threshold neurons that computes it. */
#ifndef PERC_COMPILE_H
#define PERC_COMPILE_H

#include "logic/formula.h"
#include "logic/neuron.h"
#include "machine/gate.h"

enum {
    COMPILE_INPUTS = NEURON_INPUTS, /* inputs and states together, at most */
    COMPILE_SKETCH = 12             /* most inputs of a term tried as one neuron */
};

/* Whether one neuron can compute an output from the inputs (of the network) that its text names. */
struct single {
    uint32_t input[COMPILE_INPUTS];
    size_t inputs;
    struct neuron neuron; /* over those */
};

struct compiled {
    struct gate net;        /* its inputs: those of the formula, then its states; its outputs: those
                              of the formula, then the next value of each state, called NAME' */
    size_t states, outputs; /* of the formula */
    struct single *single;  /* one for each output of the network */
    uint32_t *wire; /* of each neuron: the wire of the formula that it is, if that is written
                               as a neuron or has a delay; else COMPILE_NO_WIRE */
    size_t wires;   /* room in `wire`: there may have been more neurons */
};
#define COMPILE_NO_WIRE UINT32_MAX

/* Every output has a neuron of its own, unless it is just a state. What one neuron can compute is
 * one neuron, unless it has a part that the text writes as a neuron: those are neurons of the
 * network, as they are written. The network has been compared with the formula on all rows.
 * PERC_EDATA: too many inputs or outputs. PERC_ENOMEM. On failure *out is zeroed. */
perc_status compile(const struct env *e, const struct formula *f, struct compiled *out,
                    perc_error *err);
void compile_free(struct compiled *c); /* safe on a zeroed struct */

/* Checks that the network gives the outputs and the next states of the formula on all rows. For
 * compile, and for whoever does not believe it. PERC_EDATA, with the row: it does not.
 * PERC_ENOMEM. */
perc_status compile_check(const struct compiled *c, const struct formula *f, perc_error *err);

#endif
