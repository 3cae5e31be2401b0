/* perceptron_gate.h -- threshold logic: formulas as networks of McCulloch-Pitts neurons. */
#ifndef PERCEPTRON_GATE_H
#define PERCEPTRON_GATE_H

#include "perceptron.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A logic formula as a network of McCulloch-Pitts neurons (docs/algorithms/gates.md): each
 * adds up the weights of its sources that are 1, and fires if the sum reaches its threshold.
 * Sources are numbered: the inputs, then the states (cells of memory: names with a primed
 * definition), then the neurons, each of which listens to sources before it. */
typedef struct perc_gate perc_gate;

/* "(a & b) | !c"; "sum = a ^ b; carry = a & b"; "s' = a | (s & !r); out = s";
 * "neuron(a, -2 b : 0.5)", a neuron of the network as it stands there; "a & a@3", with the value
 * of three steps ago. At most 20 inputs and states: the network has been compared with the formula
 * on every row of its table. PERC_EDATA: an error, with line and column in the formula; or,
 * without these, it is too large. */
perc_status perc_gate_new(const perc_env *env, const char *formula, perc_gate **out,
                          perc_error *err);
void perc_gate_free(perc_gate *g);

typedef struct perc_gate_info {
    size_t inputs, states, outputs;
    size_t neurons, synapses;
    size_t written; /* how many neurons the formula writes, neuron(...); of a model: 0 */
} perc_gate_info;
void perc_gate_info_get_sized(const perc_gate *g, perc_gate_info *info, size_t size);
static inline void perc_gate_info_get(const perc_gate *g, perc_gate_info *info)
{
    perc_gate_info_get_sized(g, info, sizeof *info);
}

/* The name of an input, or state. NULL past the end. */
const char *perc_gate_input(const perc_gate *g, size_t i);
/* The steps after which a state has its next value: 1, or 3 for one called a@3; of an input 0. */
size_t perc_gate_delay(const perc_gate *g, size_t i);
/* The outputs, then for each state its next value, called NAME'; *source, if wanted, is the
 * number of the source that it is. NULL past the end. */
const char *perc_gate_output(const perc_gate *g, size_t o, size_t *source);

typedef struct perc_neuron {
    size_t synapses;
    const uint32_t *source; /* increasing */
    const int64_t *weight;  /* none is 0 */
    int64_t threshold;
} perc_neuron;
void perc_gate_neuron(const perc_gate *g, size_t k, perc_neuron *out); /* all 0 past the end */
/* The name that the formula gives a neuron that it writes, h = neuron(...), or delays; or NULL. */
const char *perc_gate_neuron_name(const perc_gate *g, size_t k);

/* Which Boolean function of its sources a neuron computes: `text` becomes a formula, such as
 * "a & b" or "atleast(2; a, !b, c)", whose names are name[i] for the i-th of its sources; *word
 * what it is called, "always", "never", "identity", "not", "and", "or", "nand", "nor",
 * "implication", "majority", "at least", or NULL. 0: there is no room for it, it has more than 64
 * sources, or the formula would be the or of more than 64 terms. */
int perc_neuron_function(const perc_neuron *n, const char *const *name, const char **word,
                         char *text, size_t size);

/* What comes out, outputs + states values, for x, inputs + states values. Values are 0 and 1. */
perc_status perc_gate_run(const perc_gate *g, const unsigned char *x, unsigned char *out,
                          perc_error *err);

/* Can one neuron compute output o (or next state) alone? Either its weights, or rows that show that
 * there are none: rows where it is 1 and rows where it is 0, each taken as often as its count says.
 * Both kinds are equally many, and have the same sum: any weights give both the same total, which
 * cannot be at least, and below, the threshold times their number (Elgot 1961, Chow 1961).
 * Pointers point into g. */
typedef struct perc_single {
    int possible;
    size_t inputs;         /* those that the text of the output names */
    const uint32_t *input; /* their numbers, increasing */
    const int64_t *weight; /* possible: one each, some may be 0 */
    int64_t threshold;
    size_t ones, zeros;         /* not possible: rows of each kind */
    const uint32_t *one, *zero; /* bit i of a row is the value of input[i] */
    const int64_t *one_count, *zero_count;
} perc_single;
void perc_gate_single_sized(const perc_gate *g, size_t o, perc_single *out, size_t size);
static inline void perc_gate_single(const perc_gate *g, size_t o, perc_single *out)
{
    perc_gate_single_sized(g, o, out, sizeof *out);
}

/* The network as a machine in time: the inputs, the states and the outputs at every step. */
typedef struct perc_signals {
    size_t steps, signals;      /* signals: inputs, then states, then outputs */
    const unsigned char *value; /* value[t * signals + k] */
    void *own;
} perc_signals;

/* `inputs` says what the inputs are, "a=0110 r=0001", from the first step on; `initial` the states
 * at the first step, "s=1", or steps, "a@3=010", others are 0; either may be NULL. steps 0: as many
 * as `inputs` says. PERC_EDATA with a column in one of the two, which `where`, if wanted, points
 * to. */
perc_status perc_gate_steps(const perc_gate *g, const char *inputs, const char *initial,
                            size_t steps, perc_signals *out, const char **where, perc_error *err);
void perc_signals_free(perc_signals *s); /* safe on a zeroed struct */
/* With all inputs 0: after `before` steps it repeats itself every `period` steps; period 0: none
 * was found within 2^20 steps. */
perc_status perc_gate_period(const perc_gate *g, const char *initial, size_t *before,
                             size_t *period, perc_error *err);

/* The same without states: a network of the inputs of all steps, "a.0", "a.1", ..., and the
 * outputs of all steps, "out.0", "out.1", ... PERC_EDATA: more than 20 inputs. */
perc_status perc_gate_unroll(const perc_gate *g, const char *initial, size_t steps, perc_gate **out,
                             perc_error *err);

/* A model that predicts the output from tables with the inputs as columns: labels 0 and 1; several
 * outputs, at most 8, have labels such as "sum=1,carry=0". PERC_EARG: it has states, no input, or
 * too many outputs. */
perc_status perc_gate_model(const perc_gate *g, perc_model **out, perc_error *err);
/* The network of such a model, as above: 0, and NULL, where the model has none. */
int perc_model_gate_sized(const perc_model *m, perc_gate_info *info, size_t size);
static inline int perc_model_gate(const perc_model *m, perc_gate_info *info)
{
    return perc_model_gate_sized(m, info, sizeof *info);
}
const char *perc_model_gate_input(const perc_model *m, size_t i);
const char *perc_model_gate_output(const perc_model *m, size_t o, size_t *source);
void perc_model_neuron(const perc_model *m, size_t k, perc_neuron *out); /* as perc_gate_neuron */

#ifdef __cplusplus
}
#endif
#endif
