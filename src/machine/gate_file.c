/* gate_file.c -- a network of threshold neurons as the arrays of a model file, and back.
 *
 * Reading trusts nothing: a neuron may listen only to what stands before it, so that a file cannot
 * hold a circle, and to each source once; no sum can overflow. What it accepts, gate_pack writes
 * again, byte for byte. */
#include <stdio.h>

#include "machine/gate.h"

/* The arrays, by name: one list for writing and reading. */
enum { START, SOURCE, WEIGHT, THRESHOLD, OUTPUT, ARRAYS };
enum { STARTS, SYNAPSES, NEURONS, OUTPUTS, SIZES };
static const struct tensor_spec arrays[ARRAYS] = {
    [START] = { "gate.start", DTYPE_U64, STARTS },
    [SOURCE] = { "gate.source", DTYPE_U32, SYNAPSES },
    [WEIGHT] = { "gate.weight", DTYPE_I64, SYNAPSES },
    [THRESHOLD] = { "gate.threshold", DTYPE_I64, NEURONS },
    [OUTPUT] = { "gate.output", DTYPE_U32, OUTPUTS },
};

#define COUNT       "gate.inputs"
#define INPUT_NAME  "gate.input.%zu"
#define OUTPUT_NAME "gate.output.%zu"

/* ----- writing -------------------------------------------------------------------------- */

perc_status gate_pack(const struct gate *g, struct tensors *t)
{
    static const uint64_t none[1] = { 0 }; /* the gate.start of no neurons */
    const uint64_t size[SIZES] = { g->neurons + 1, g->synapses, g->neurons, g->outputs };
    const void *const data[ARRAYS] = { g->neurons > 0 ? g->start : none, g->source, g->weight,
                                       g->threshold, g->output };
    char key[TENSOR_NAME];

    if (tensors_add_all(t, arrays, ARRAYS, size, data) ||
        tensors_meta_int(t, COUNT, (int64_t)g->inputs))
        return PERC_ENOMEM;
    for (size_t i = 0; i < g->inputs; i++) {
        snprintf(key, sizeof key, INPUT_NAME, i);
        if (tensors_meta(t, key, g->input_name[i])) return PERC_ENOMEM;
    }
    for (size_t o = 0; o < g->outputs; o++) {
        snprintf(key, sizeof key, OUTPUT_NAME, o);
        if (tensors_meta(t, key, g->output_name[o])) return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* ----- reading --------------------------------------------------------------------------- */

/* A file's arrays. */
struct arrays {
    const uint64_t *start;
    const uint32_t *source, *output;
    const int64_t *weight, *threshold;
    uint64_t size[SIZES];
};

static perc_status find_arrays(const struct tensors *t, struct arrays *a, perc_error *err)
{
    const struct tensor *one[ARRAYS];
    uint64_t *size = a->size;

    for (size_t i = 0; i < SIZES; i++) size[i] = TENSORS_ANY;
    const perc_status st = tensors_want_all(t, arrays, ARRAYS, size, one, err);
    if (st) return st;
    if (size[NEURONS] > GATE_NEURONS)
        return fail(err, PERC_EDATA, "tensor 'gate.threshold' has more than %d elements",
                    GATE_NEURONS);
    if (size[STARTS] != size[NEURONS] + 1)
        return fail(err, PERC_EDATA,
                    "tensor 'gate.start' must have one element more than "
                    "'gate.threshold'");
    if (size[OUTPUTS] < 1 || size[OUTPUTS] > GATE_OUTPUTS)
        return fail(err, PERC_EDATA, "tensor 'gate.output' must have 1 to %d elements",
                    GATE_OUTPUTS);
    a->start = one[START]->data;
    a->source = one[SOURCE]->data;
    a->weight = one[WEIGHT]->data;
    a->threshold = one[THRESHOLD]->data;
    a->output = one[OUTPUT]->data;
    return PERC_OK;
}

/* The synapses of neuron k. Sources increase: so none comes twice. */
static perc_status check_neuron(const struct arrays *a, uint64_t inputs, uint64_t k,
                                perc_error *err)
{
    const uint64_t from = a->start[k], to = a->start[k + 1];
    const char *source = arrays[SOURCE].name;

    for (uint64_t i = from; i < to; i++) {
        if (a->source[i] >= inputs + k)
            return tensors_wrong(err, source, i,
                                 "is neither an input nor a neuron before this one");
        if (i > from && a->source[i] <= a->source[i - 1])
            return tensors_wrong(err, source, i, "is not above the one before");
        if (a->weight[i] == 0) return tensors_wrong(err, arrays[WEIGHT].name, i, "is 0");
    }
    if (!gate_sum_fits(a->weight + from, (size_t)(to - from), a->threshold[k]))
        return tensors_wrong(err, arrays[THRESHOLD].name, k,
                             "and the weights of its neuron are too large");
    return PERC_OK;
}

static perc_status check_arrays(const struct arrays *a, uint64_t inputs, perc_error *err)
{
    const uint64_t neurons = a->size[NEURONS];
    const char *start = arrays[START].name;
    perc_status st = PERC_OK;

    if (a->start[0] != 0) return tensors_wrong(err, start, 0, "is not 0");
    for (uint64_t k = 0; k < neurons; k++)
        if (a->start[k + 1] < a->start[k])
            return tensors_wrong(err, start, k + 1, "is less than the one before");
    if (a->start[neurons] != a->size[SYNAPSES])
        return tensors_wrong(err, start, neurons, "is not the number of synapses");
    for (uint64_t k = 0; k < neurons && !st; k++) st = check_neuron(a, inputs, k, err);
    for (uint64_t o = 0; o < a->size[OUTPUTS] && !st; o++)
        if (a->output[o] >= inputs + neurons)
            st = tensors_wrong(err, arrays[OUTPUT].name, o, "is neither an input nor a neuron");
    return st;
}

/* The name of input or output i. */
static perc_status find_name(const struct tensors *t, bool input, size_t i, const char **out,
                             perc_error *err)
{
    char key[TENSOR_NAME];

    if (input) snprintf(key, sizeof key, INPUT_NAME, i);
    else snprintf(key, sizeof key, OUTPUT_NAME, i);
    const perc_status st = tensors_need(t, key, out, err);
    if (st || **out != '\0') return st;
    return fail(err, PERC_EDATA, "metadata '%s' are empty", key);
}

/* All is checked but the names; g is empty. */
static perc_status copy_gate(struct gate *g, const struct arrays *a, uint64_t inputs,
                             const struct tensors *t, perc_error *err)
{
    const char *name;
    uint32_t number;
    perc_status st = PERC_OK;

    for (size_t i = 0; i < inputs && !st; i++)
        if (!(st = find_name(t, true, i, &name, err)) && gate_add_input(g, name))
            st = fail_memory(err);
    for (uint64_t k = 0; k < a->size[NEURONS] && !st; k++)
        if (gate_add_neuron(g, a->source + a->start[k], a->weight + a->start[k],
                            (size_t)(a->start[k + 1] - a->start[k]), a->threshold[k], &number))
            st = fail_memory(err);
    for (size_t o = 0; o < a->size[OUTPUTS] && !st; o++)
        if (!(st = find_name(t, false, o, &name, err)) && gate_add_output(g, name, a->output[o]))
            st = fail_memory(err);
    return st;
}

perc_status gate_unpack(struct gate *g, const struct tensors *t, perc_error *err)
{
    struct arrays a;
    int64_t inputs;
    perc_status st;

    if ((st = tensors_get_int(t, COUNT, 0, GATE_INPUTS, &inputs, err)) ||
        (st = find_arrays(t, &a, err)) || (st = check_arrays(&a, (uint64_t)inputs, err)))
        return st;
    if ((st = copy_gate(g, &a, (uint64_t)inputs, t, err))) gate_free(g);
    return st;
}
