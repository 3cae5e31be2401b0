/* gate.c -- a network of McCulloch-Pitts neurons: made, and run.
 *
 *     neuron k fires   <=>   sum over its synapses of  weight * state[source]  >=  threshold_k
 *
 * All in whole numbers. The neurons stand in an order in which each listens only to those
 * before it, so that one walk gives every state.
 *
 * Invariants  start[0] = 0, start[neurons] = synapses; source < inputs + k in neuron k; the sizes
 *             of the weights and of the threshold of a neuron add up to less than GATE_SUM.
 * Cost        a run O(neurons + synapses).
 * Not here    how a formula becomes a network (logic/compile.c).
 * McCulloch, Pitts, Bulletin of Mathematical Biophysics 5, 1943. */
#include "machine/gate.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void gate_init(struct gate *g, const struct env *e)
{
    *g = (struct gate){ .e = *e };
}

static void free_names(const struct env *e, char **name, size_t n, size_t cap)
{
    for (size_t i = 0; i < n; i++) mem_free_text(e, name[i]);
    mem_free(e, name, cap, sizeof *name);
}

void gate_free(struct gate *g)
{
    free_names(&g->e, g->input_name, g->inputs, g->input_cap);
    free_names(&g->e, g->output_name, g->outputs, g->name_cap);
    mem_free(&g->e, g->output, g->output_cap, sizeof *g->output);
    mem_free(&g->e, g->start, g->start_cap, sizeof *g->start);
    mem_free(&g->e, g->source, g->source_cap, sizeof *g->source);
    mem_free(&g->e, g->weight, g->weight_cap, sizeof *g->weight);
    mem_free(&g->e, g->threshold, g->threshold_cap, sizeof *g->threshold);
    *g = (struct gate){ .e = g->e };
}

/* ----- making one ----------------------------------------------------------------------- */

perc_status gate_add_input(struct gate *g, const char *name)
{
    assert(g->neurons == 0);
    if (g->inputs == GATE_INPUTS) return PERC_EARG;
    if (!MEM_GROW(&g->e, g->input_name, &g->input_cap, g->inputs + 1) ||
        (g->input_name[g->inputs] = mem_text(&g->e, name, strlen(name))) == NULL)
        return PERC_ENOMEM;
    g->inputs++;
    return PERC_OK;
}

perc_status gate_add_output(struct gate *g, const char *name, uint32_t source)
{
    assert(source < g->inputs + g->neurons);
    if (g->outputs == GATE_OUTPUTS) return PERC_EARG;
    if (!MEM_GROW(&g->e, g->output_name, &g->name_cap, g->outputs + 1) ||
        !MEM_GROW(&g->e, g->output, &g->output_cap, g->outputs + 1) ||
        (g->output_name[g->outputs] = mem_text(&g->e, name, strlen(name))) == NULL)
        return PERC_ENOMEM;
    g->output[g->outputs++] = source;
    return PERC_OK;
}

bool gate_sum_fits(const int64_t *weight, size_t n, int64_t threshold)
{
    uint64_t left = (uint64_t)GATE_SUM - 1;

    for (size_t i = 0; i <= n; i++) {
        const int64_t v = i < n ? weight[i] : threshold;
        const uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
        if (size > left) return false;
        left -= size;
    }
    return true;
}

perc_status gate_add_neuron(struct gate *g, const uint32_t *source, const int64_t *weight, size_t n,
                            int64_t threshold, uint32_t *number)
{
    if (g->neurons == GATE_NEURONS || n > g->inputs + g->neurons ||
        !gate_sum_fits(weight, n, threshold))
        return PERC_EARG;
    if (!MEM_GROW(&g->e, g->start, &g->start_cap, g->neurons + 2) ||
        !MEM_GROW(&g->e, g->threshold, &g->threshold_cap, g->neurons + 1) ||
        !MEM_GROW(&g->e, g->source, &g->source_cap,
                  g->synapses + n + 1) || /* even without synapses, so that */
        !MEM_GROW(&g->e, g->weight, &g->weight_cap,
                  g->synapses + n + 1)) /* NULL + 0 is never computed   */
        return PERC_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        assert(source[i] < g->inputs + g->neurons && weight[i] != 0);
        assert(i == 0 || source[i] > source[i - 1]);
        g->source[g->synapses + i] = source[i];
        g->weight[g->synapses + i] = weight[i];
    }
    g->start[g->neurons] = g->synapses; /* changes it for the first one only */
    g->synapses += n;
    g->threshold[g->neurons] = threshold;
    *number = (uint32_t)(g->inputs + g->neurons++);
    g->start[g->neurons] = g->synapses;
    return PERC_OK;
}

perc_status gate_copy(const struct env *e, const struct gate *from, struct gate *to)
{
    uint32_t number;
    perc_status st = PERC_OK;

    gate_init(to, e);
    for (size_t i = 0; i < from->inputs && !st; i++) st = gate_add_input(to, from->input_name[i]);
    for (size_t k = 0; k < from->neurons && !st; k++) {
        const uint64_t at = from->start[k];
        st = gate_add_neuron(to, from->source + at, from->weight + at,
                             (size_t)(from->start[k + 1] - at), from->threshold[k], &number);
    }
    for (size_t o = 0; o < from->outputs && !st; o++)
        st = gate_add_output(to, from->output_name[o], from->output[o]);
    if (st) gate_free(to);
    return st;
}

/* ----- running it ------------------------------------------------------------------------ */

perc_neuron gate_neuron(const struct gate *g, size_t k)
{
    if (g == NULL || k >= g->neurons) return (perc_neuron){ .synapses = 0 };
    return (perc_neuron){ .synapses = (size_t)(g->start[k + 1] - g->start[k]),
                          .source = g->source + g->start[k],
                          .weight = g->weight + g->start[k],
                          .threshold = g->threshold[k] };
}

int64_t gate_excess(const struct gate *g, const unsigned char *state, size_t k)
{
    int64_t sum = 0;

    for (uint64_t i = g->start[k]; i < g->start[k + 1]; i++)
        sum += state[g->source[i]] ? g->weight[i] : 0;
    return sum - g->threshold[k];
}

void gate_run(const struct gate *g, unsigned char *state)
{
    for (size_t k = 0; k < g->neurons; k++) state[g->inputs + k] = gate_excess(g, state, k) >= 0;
}

/* sum >= threshold  <=>  2 (sum - threshold) + 1 > 0: never 0, so its sign cannot matter. */
double gate_score(const struct gate *g, const unsigned char *state, size_t o)
{
    const uint32_t source = g->output[o];

    if (source < g->inputs) return state[source] ? 1 : -1;
    return 2 * (double)gate_excess(g, state, source - g->inputs) + 1;
}

void gate_label(const struct gate *g, size_t class, struct text *out)
{
    for (size_t o = 0; o < g->outputs; o++) {
        if (g->outputs > 1) {
            if (o > 0) text_char(out, ',');
            text_str(out, g->output_name[o]);
            text_char(out, '=');
        }
        text_char(out, class >> (g->outputs - 1 - o) & 1 ? '1' : '0');
    }
}

/* ----- in a file ----------------------------------------------------------------------------
 *
 * Reading trusts nothing: a neuron may listen only to what stands before it, so that a file cannot
 * hold a cycle, and to each source once; no sum can overflow. What it accepts, gate_pack writes
 * again, byte for byte. */

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

/* The synapses of neuron k. Sources increase, so none comes twice. */
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
    return fail(err, PERC_EDATA, "metadata '%s' is empty", key);
}

perc_status gate_unpack(struct gate *g, const struct tensors *t, perc_error *err)
{
    struct arrays a;
    const char *name;
    int64_t inputs;
    uint32_t number;
    perc_status st;

    if ((st = tensors_get_int(t, COUNT, 0, GATE_INPUTS, &inputs, err)) ||
        (st = find_arrays(t, &a, err)) || (st = check_arrays(&a, (uint64_t)inputs, err)))
        return st;
    for (size_t i = 0; i < (size_t)inputs && !st; i++)
        if (!(st = find_name(t, true, i, &name, err)) && gate_add_input(g, name))
            st = fail_memory(err);
    for (uint64_t k = 0; k < a.size[NEURONS] && !st; k++)
        if (gate_add_neuron(g, a.source + a.start[k], a.weight + a.start[k],
                            (size_t)(a.start[k + 1] - a.start[k]), a.threshold[k], &number))
            st = fail_memory(err);
    for (size_t o = 0; o < a.size[OUTPUTS] && !st; o++)
        if (!(st = find_name(t, false, o, &name, err)) && gate_add_output(g, name, a.output[o]))
            st = fail_memory(err);
    if (st) gate_free(g);
    return st;
}
