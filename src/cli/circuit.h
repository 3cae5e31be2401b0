/* circuit.h -- a network of threshold neurons in words, just compiled from a formula (`gate`) or
 * read from a model (`inspect`). */
#ifndef PERC_CLI_CIRCUIT_H
#define PERC_CLI_CIRCUIT_H

#include "cli/cli.h"

enum { CIRCUIT_PREFIX = 72, CIRCUIT_NAME = 96 }; /* longer than the names in a formula get */

struct circuit {
    const perc_gate *gate; /* one of the two */
    const perc_model *model;
    perc_gate_info info;
    size_t sources;              /* before the neurons: inputs and states */
    char prefix[CIRCUIT_PREFIX]; /* of neurons that are no output: "n", or more n's */
    const char **output;         /* for each neuron: an output that it is, or the name that the
                                    formula gives it, or NULL */
    size_t *number;              /* for each neuron: its place among those that are no output */
};

/* formula: neurons get names that do not occur in it; NULL: only the names of the model count.
 * False: out of memory. */
bool circuit_init(struct circuit *c, const perc_gate *gate, const perc_model *model,
                  const char *formula);
void circuit_free(struct circuit *c);

const char *circuit_input(const struct circuit *c, size_t i);
const char *circuit_output(const struct circuit *c, size_t o, size_t *source);

/* Words for the last fact: "3: a, b, c", inputs or outputs from `from` on. */
void circuit_names(struct facts *f, const struct circuit *c, size_t from, size_t n, bool output);
/* Adds to these words: "a + b - 2 n1"; "0" without terms. */
void circuit_sum(struct facts *f, const struct circuit *c, const uint32_t *source,
                 const int64_t *weight, size_t n);
/* "neurons": their number; for the first `top`, what they listen to and when they fire. */
void circuit_neurons(struct facts *f, const struct circuit *c, uint64_t top);

#endif
