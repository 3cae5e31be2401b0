/* gate_file.c -- a network of threshold neurons as the arrays of a model file, and back.
 *
 * Reading trusts nothing: a neuron may listen only to what stands before it, so that a file cannot
 * hold a circle, and to each source once; no sum can overflow. What it accepts, gate_pack writes
 * again, byte for byte. */
#include <string.h>

#include "machine/gate.h"

/* The arrays, by name: one list for writing and reading. */
enum { START, SOURCE, WEIGHT, THRESHOLD, OUTPUT, ARRAYS };
static const struct {
    const char *name, *word;
    enum dtype type;
} arrays[ARRAYS] = {
    [START] = { "gate.start", "U64", DTYPE_U64 },
    [SOURCE] = { "gate.source", "U32", DTYPE_U32 },
    [WEIGHT] = { "gate.weight", "I64", DTYPE_I64 },
    [THRESHOLD] = { "gate.threshold", "I64", DTYPE_I64 },
    [OUTPUT] = { "gate.output", "U32", DTYPE_U32 },
};

#define INPUTS  "gate.inputs"
#define INPUT   "gate.input."  /* before the number of an input */
#define OUTPUTS "gate.output." /* and of an output */

/* The gate.start of no neurons. */
static const uint64_t none[1] = { 0 };

/* ----- writing -------------------------------------------------------------------------- */

static perc_status pack_names(struct tensors *t, const char *prefix, char *const *name, size_t n)
{
    struct text key;
    perc_status st = PERC_OK;

    text_init(&key, &t->e);
    for (size_t i = 0; i < n && !st; i++) {
        key.len = 0;
        text_str(&key, prefix);
        text_uint(&key, i);
        st = key.oom ? PERC_ENOMEM : tensors_meta(t, key.s, name[i]);
    }
    text_free(&key);
    return st;
}

perc_status gate_pack(const struct gate *g, struct tensors *t)
{
    const struct {
        const void *data;
        uint64_t n;
    } of[ARRAYS] = {
        [START] = { g->neurons > 0 ? g->start : none, g->neurons + 1 },
        [SOURCE] = { g->source, g->synapses },
        [WEIGHT] = { g->weight, g->synapses },
        [THRESHOLD] = { g->threshold, g->neurons },
        [OUTPUT] = { g->output, g->outputs },
    };

    for (size_t i = 0; i < ARRAYS; i++)
        if (tensors_add(t, arrays[i].name, arrays[i].type, of[i].data, of[i].n, 0))
            return PERC_ENOMEM;
    if (tensors_meta_int(t, INPUTS, (int64_t)g->inputs) ||
        pack_names(t, INPUT, g->input_name, g->inputs) ||
        pack_names(t, OUTPUTS, g->output_name, g->outputs))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* ----- reading --------------------------------------------------------------------------- */

static perc_status wrong(perc_error *err, int array, uint64_t place, const char *what)
{
    return fail(err, PERC_EDATA, "%s[%llu] %s", arrays[array].name, (unsigned long long)place,
                what);
}

/* The arrays, of the types and lengths that they must have. */
static perc_status find_arrays(const struct tensors *t, const struct tensor *one[ARRAYS],
                               perc_error *err)
{
    for (size_t i = 0; i < ARRAYS; i++) {
        one[i] = tensors_find(t, arrays[i].name);
        if (one[i] == NULL) return fail(err, PERC_EDATA, "tensor '%s' is missing", arrays[i].name);
        if (one[i]->type != arrays[i].type || one[i]->dims != 1)
            return fail(err, PERC_EDATA, "tensor '%s' must be %s of one dimension", arrays[i].name,
                        arrays[i].word);
    }
    if (one[THRESHOLD]->count > GATE_NEURONS)
        return fail(err, PERC_EDATA, "tensor 'gate.threshold' has more than %d elements",
                    GATE_NEURONS);
    if (one[START]->count != one[THRESHOLD]->count + 1)
        return fail(err, PERC_EDATA,
                    "tensor 'gate.start' must have one element more than "
                    "'gate.threshold'");
    if (one[SOURCE]->count != one[WEIGHT]->count)
        return fail(err, PERC_EDATA,
                    "tensors 'gate.source' and 'gate.weight' have different "
                    "lengths");
    if (one[OUTPUT]->count < 1 || one[OUTPUT]->count > GATE_OUTPUTS)
        return fail(err, PERC_EDATA, "tensor 'gate.output' must have 1 to %d elements",
                    GATE_OUTPUTS);
    return PERC_OK;
}

static perc_status check_start(const struct tensor *const one[ARRAYS], perc_error *err)
{
    const uint64_t *start = one[START]->data, neurons = one[THRESHOLD]->count;

    if (start[0] != 0) return wrong(err, START, 0, "is not 0");
    for (uint64_t k = 0; k < neurons; k++)
        if (start[k + 1] < start[k]) return wrong(err, START, k + 1, "is less than the one before");
    if (start[neurons] != one[SOURCE]->count)
        return wrong(err, START, neurons, "is not the number of synapses");
    return PERC_OK;
}

/* The n synapses of neuron k from place `at` on. Sources increase: so none comes twice. */
static perc_status check_neuron(const struct tensor *const one[ARRAYS], uint64_t inputs, uint64_t k,
                                uint64_t at, uint64_t n, perc_error *err)
{
    const uint32_t *source = one[SOURCE]->data;
    const int64_t *weight = one[WEIGHT]->data, *threshold = one[THRESHOLD]->data;

    for (uint64_t i = at; i < at + n; i++) {
        if (source[i] >= inputs + k)
            return wrong(err, SOURCE, i, "is neither an input nor a neuron before this one");
        if (i > at && source[i] <= source[i - 1])
            return wrong(err, SOURCE, i, "is not above the one before");
        if (weight[i] == 0) return wrong(err, WEIGHT, i, "is 0");
    }
    if (!gate_sum_fits(weight + at, (size_t)n, threshold[k]))
        return wrong(err, THRESHOLD, k, "and the weights of its neuron are too large");
    return PERC_OK;
}

static perc_status check_arrays(const struct tensor *const one[ARRAYS], uint64_t inputs,
                                perc_error *err)
{
    const uint64_t *start = one[START]->data, neurons = one[THRESHOLD]->count;
    const uint32_t *output = one[OUTPUT]->data;
    perc_status st = check_start(one, err);

    for (uint64_t k = 0; k < neurons && !st; k++)
        st = check_neuron(one, inputs, k, start[k], start[k + 1] - start[k], err);
    for (uint64_t o = 0; o < one[OUTPUT]->count && !st; o++)
        if (output[o] >= inputs + neurons)
            st = wrong(err, OUTPUT, o, "is neither an input nor a neuron");
    return st;
}

/* The name with this number. */
static perc_status find_name(const struct tensors *t, const char *prefix, size_t i,
                             const char **out, perc_error *err)
{
    struct text key;
    perc_status st = PERC_OK;

    text_init(&key, &t->e);
    text_str(&key, prefix);
    text_uint(&key, i);
    if (key.oom) st = fail_memory(err);
    else if ((*out = tensors_get(t, key.s)) == NULL)
        st = fail(err, PERC_EDATA, "metadata '%s' are missing", key.s);
    else if (**out == '\0') st = fail(err, PERC_EDATA, "metadata '%s' are empty", key.s);
    text_free(&key);
    return st;
}

static perc_status copy_inputs(const struct tensors *t, size_t inputs, struct gate *g,
                               perc_error *err)
{
    const char *name;
    perc_status st = PERC_OK;

    for (size_t i = 0; i < inputs && !st; i++)
        if (!(st = find_name(t, INPUT, i, &name, err)) && gate_add_input(g, name))
            st = fail_memory(err);
    return st;
}

static perc_status copy_neurons(const struct tensor *const one[ARRAYS], struct gate *g,
                                perc_error *err)
{
    const uint64_t *start = one[START]->data;
    const uint32_t *source = one[SOURCE]->data;
    const int64_t *weight = one[WEIGHT]->data, *threshold = one[THRESHOLD]->data;
    uint32_t number;

    for (uint64_t k = 0; k < one[THRESHOLD]->count; k++)
        if (gate_add_neuron(g, source + start[k], weight + start[k],
                            (size_t)(start[k + 1] - start[k]), threshold[k], &number))
            return fail_memory(err);
    return PERC_OK;
}

static perc_status copy_outputs(const struct tensors *t, const struct tensor *output,
                                struct gate *g, perc_error *err)
{
    const uint32_t *source = output->data;
    const char *name;
    perc_status st = PERC_OK;

    for (size_t o = 0; o < output->count && !st; o++)
        if (!(st = find_name(t, OUTPUTS, o, &name, err)) && gate_add_output(g, name, source[o]))
            st = fail_memory(err);
    return st;
}

perc_status gate_unpack(const struct env *e, const struct tensors *t, struct gate *out,
                        perc_error *err)
{
    const struct tensor *one[ARRAYS];
    int64_t inputs = 0;
    perc_status st;

    gate_init(out, e);
    if ((st = tensors_get_int(t, INPUTS, 0, GATE_INPUTS, &inputs, err)) ||
        (st = find_arrays(t, one, err)) || (st = check_arrays(one, (uint64_t)inputs, err)))
        return st;
    if ((st = copy_inputs(t, (size_t)inputs, out, err)) || (st = copy_neurons(one, out, err)) ||
        (st = copy_outputs(t, one[OUTPUT], out, err)))
        gate_free(out);
    return st;
}
