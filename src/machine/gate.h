/* gate.h -- a network of McCulloch-Pitts neurons (1943): each adds up whole numbers, a weight for
 * every input that is 1, and fires if the sum reaches its threshold.
 *
 * Sources are numbered: 0 .. inputs - 1 are the inputs, inputs + k is neuron k. A neuron listens
 * to inputs and to neurons before it, so that one walk evaluates all. */
#ifndef PERC_GATE_H
#define PERC_GATE_H

#include "base/tensors.h"

enum { GATE_INPUTS = 4096, GATE_NEURONS = 1 << 20, GATE_OUTPUTS = 4096 }; /* at most */
/* The sizes of the weights of a neuron, and of its threshold, add up to less than this: no sum
 * overflows, and every score is a whole number that a double holds. */
#define GATE_SUM ((int64_t)1 << 50)

struct gate {
    struct env e;
    size_t inputs, neurons, synapses, outputs;
    char **input_name;  /* inputs of them */
    char **output_name; /* outputs of them */
    uint32_t *output;   /* the source of each output */
    uint64_t *start;    /* neurons + 1 offsets into source and weight; NULL: no neurons */
    uint32_t *source;
    int64_t *weight;
    int64_t *threshold; /* of each neuron */
    size_t input_cap, output_cap, name_cap, start_cap, source_cap, weight_cap, threshold_cap;
};

void gate_init(struct gate *g, const struct env *e);
void gate_free(struct gate *g); /* safe on a zeroed struct */
perc_status gate_copy(const struct env *e, const struct gate *from, struct gate *to);
/* PERC_ENOMEM; PERC_EARG: too many. Likewise for the others. */
perc_status gate_add_input(struct gate *g, const char *name);
perc_status gate_add_output(struct gate *g, const char *name, uint32_t source);
/* A neuron of n synapses, their sources increasing, no weight 0; *number is its number as a source.
 * All inputs come first. PERC_EARG: the sizes add up to GATE_SUM or more. */
perc_status gate_add_neuron(struct gate *g, const uint32_t *source, const int64_t *weight, size_t n,
                            int64_t threshold, uint32_t *number);
/* Whether these sizes add up to less than GATE_SUM. */
bool gate_sum_fits(const int64_t *weight, size_t n, int64_t threshold);
/* state has inputs + neurons places, the inputs' filled with 0 and 1; fills the rest. */
void gate_run(const struct gate *g, unsigned char *state);
/* Neuron k as callers see it; all 0: there is none, or g is NULL. */
perc_neuron gate_neuron(const struct gate *g, size_t k);
/* Sum minus threshold of neuron k, after gate_run. */
int64_t gate_excess(const struct gate *g, const unsigned char *state, size_t k);

/* The score of output o: > 0 exactly if it is 1: 2 (sum - threshold) + 1 of its neuron, or
 * +1 and -1 for an output that is an input. */
double gate_score(const struct gate *g, const unsigned char *state, size_t o);

/* The outputs as a label: "0" and "1" of one, "sum=0,carry=1" of more. Bit outputs - 1 - o of
 * the class is output o, so that labels in order of their class are sorted. (Words of bits would
 * not do: "01" is the number 1 to whoever reads labels.) */
void gate_label(const struct gate *g, size_t class, struct text *out);

/* ----- the file -------------------------------------------------------------------- */
/* Tensors gate.start U64 [neurons + 1], gate.source U32, gate.weight I64, gate.threshold I64
 * [neurons], gate.output U32; metadata gate.inputs, gate.input.K, gate.output.K, K from 0. Borrows
 * the arrays of g. Reading trusts nothing; what it accepts, gate_pack writes again; g must be
 * initialised and empty, and is empty after a failure. */
perc_status gate_pack(const struct gate *g, struct tensors *t);
perc_status gate_unpack(struct gate *g, const struct tensors *t, perc_error *err);

#endif
