/* gates.c -- threshold logic for callers: perceptron_gate.h. */
#include <string.h>

#include "logic/clock.h"
#include "logic/gates.h"

void perc_gate_free(perc_gate *g)
{
    if (g == NULL) return;
    const struct env e = g->e;
    formula_free(&g->formula);
    compile_free(&g->compiled);
    mem_free(&e, g, 1, sizeof *g);
}

static perc_status gates_open(const struct env *e, perc_gate **out, perc_error *err)
{
    if ((*out = mem_zeroed(e, 1, sizeof **out)) == NULL) return fail_memory(err);
    (*out)->e = *e;
    return PERC_OK;
}

/* Compiles the formula of *g, unless st says that there is none. On failure there is no gate. */
static perc_status gates_compile(perc_gate **g, perc_status st, perc_error *err)
{
    if (!st) st = compile(&(*g)->e, &(*g)->formula, &(*g)->compiled, err);
    if (!st) return PERC_OK;
    perc_gate_free(*g);
    *g = NULL;
    return st;
}

perc_status perc_gate_new(const perc_env *env, const char *formula, perc_gate **out,
                          perc_error *err)
{
    NEED_OUT(out);
    NEED(formula != NULL);
    const struct env e = env_resolve(env);
    const perc_status st = gates_open(&e, out, err);

    if (st) return st;
    return gates_compile(out, formula_parse(&e, formula, &(*out)->formula, err), err);
}

/* ----- looking at a gate, running it ------------------------------------------------------- */

void perc_gate_info_get_sized(const perc_gate *g, perc_gate_info *out, size_t size)
{
    if (g == NULL) {
        sized_copy(out, size, &(perc_gate_info){ 0 }, sizeof *out);
        return;
    }
    const struct compiled *c = &g->compiled;
    perc_gate_info info = { .inputs = c->net.inputs - c->states,
                            .states = c->states,
                            .outputs = c->outputs,
                            .neurons = c->net.neurons,
                            .synapses = c->net.synapses };

    for (size_t i = 0; i < g->formula.nodes; i++) info.written += g->formula.node[i].written;
    sized_copy(out, size, &info, sizeof info);
}

const char *perc_gate_input(const perc_gate *g, size_t i)
{
    return g != NULL && i < g->compiled.net.inputs ? g->compiled.net.input_name[i] : NULL;
}

size_t perc_gate_delay(const perc_gate *g, size_t i)
{
    return g != NULL && i < g->compiled.net.inputs ? g->formula.name[i].delay : 0;
}

const char *perc_gate_output(const perc_gate *g, size_t o, size_t *source)
{
    if (g == NULL) return NULL;
    const struct gate *net = &g->compiled.net;

    if (o >= net->outputs) return NULL;
    if (source != NULL) *source = net->output[o];
    return net->output_name[o];
}

void perc_gate_neuron(const perc_gate *g, size_t k, perc_neuron *out)
{
    if (out != NULL) *out = gate_neuron(g != NULL ? &g->compiled.net : NULL, k);
}

const char *perc_gate_neuron_name(const perc_gate *g, size_t k)
{
    if (g == NULL || k >= g->compiled.net.neurons) return NULL;
    const uint32_t wire = g->compiled.wire[k];

    return wire != COMPILE_NO_WIRE ? g->formula.name[wire].text : NULL;
}

void perc_gate_single_sized(const perc_gate *g, size_t o, perc_single *out, size_t size)
{
    if (g == NULL || o >= g->compiled.net.outputs) {
        sized_copy(out, size, &(perc_single){ 0 }, sizeof *out);
        return;
    }
    const struct single *s = &g->compiled.single[o];
    const struct neuron *n = &s->neuron;

    perc_single own = { .possible = n->found, .inputs = s->inputs, .input = s->input };

    if (n->found) {
        own.weight = n->weight;
        own.threshold = n->threshold;
    } else {
        own.ones = n->true_rows;
        own.zeros = n->false_rows;
        own.one = n->true_row;
        own.zero = n->false_row;
        own.one_count = n->true_count;
        own.zero_count = n->false_count;
    }
    sized_copy(out, size, &own, sizeof own);
}

perc_status perc_gate_run(const perc_gate *g, const unsigned char *x, unsigned char *out,
                          perc_error *err)
{
    NEED(g != NULL);
    NEED(out != NULL && (x != NULL || g->compiled.net.inputs == 0));
    const struct gate *net = &g->compiled.net;
    const size_t sources = net->inputs + net->neurons;
    unsigned char *state = mem_array(&g->e, sources, sizeof *state);

    if (state == NULL) return fail_memory(err);
    for (size_t i = 0; i < net->inputs; i++) state[i] = x[i] != 0;
    gate_run(net, state);
    for (size_t o = 0; o < net->outputs; o++) out[o] = state[net->output[o]];
    mem_free(&g->e, state, sources, sizeof *state);
    return PERC_OK;
}

/* ----- step by step --------------------------------------------------------------------------- */

struct signals { /* what perc_signals owns */
    struct env e;
    size_t bytes; /* including this header */
    unsigned char value[];
};

void perc_signals_free(perc_signals *s)
{
    if (s == NULL) return;
    struct signals *own = s->own;

    if (own == NULL) return;
    const struct env e = own->e;
    mem_free(&e, own, own->bytes, 1);
    *s = (perc_signals){ .steps = 0 };
}

/* s(t + delay) = the outputs for the next states. `state` has a place for each source. */
static void run_steps(const perc_gate *g, const struct clock_inputs *in, unsigned char *cell,
                      unsigned char *state, unsigned char *value)
{
    const struct compiled *c = &g->compiled;
    const struct gate *net = &c->net;
    const size_t inputs = net->inputs - c->states, signals = net->inputs + c->outputs;

    for (size_t t = 0; t < in->steps; t++, value += signals) {
        if (inputs > 0) memcpy(state, in->value + t * inputs, inputs);
        clock_recall(&g->formula, cell, t, state + inputs);
        gate_run(net, state);
        if (net->inputs > 0) memcpy(value, state, net->inputs);
        for (size_t o = 0; o < c->outputs; o++) value[net->inputs + o] = state[net->output[o]];
        unsigned char next[COMPILE_INPUTS];
        for (size_t i = 0; i < c->states; i++) next[i] = state[net->output[c->outputs + i]];
        clock_remember(&g->formula, cell, t, next);
    }
}

/* The memory at the first step. */
static perc_status new_cells(const perc_gate *g, const char *initial, unsigned char **cell,
                             perc_error *err)
{
    if ((*cell = mem_array(&g->e, g->formula.cells, 1)) == NULL) return fail_memory(err);
    return clock_start(&g->formula, initial, *cell, err);
}

static void free_cells(const perc_gate *g, unsigned char *cell)
{
    mem_free(&g->e, cell, g->formula.cells, 1);
}

perc_status perc_gate_steps(const perc_gate *g, const char *inputs, const char *initial,
                            size_t steps, perc_signals *out, const char **where, perc_error *err)
{
    NEED(out != NULL);
    *out = (perc_signals){ .steps = 0 };
    NEED(g != NULL);
    const struct gate *net = &g->compiled.net;
    const size_t sources = net->inputs + net->neurons, signals = net->inputs + g->compiled.outputs;
    struct clock_inputs in = { .steps = 0 };
    struct signals *own = NULL;
    unsigned char *cell, *state = NULL;

    *out = (perc_signals){ .steps = 0 };
    if (where != NULL) *where = initial;
    perc_status st = new_cells(g, initial, &cell, err);
    if (!st && where != NULL) *where = inputs;
    if (!st) st = clock_inputs(&g->formula, inputs, &steps, &in, err);
    const size_t bytes = sizeof(struct signals) + in.steps * signals; /* bounded by CLOCK_CELLS */
    if (!st && ((state = mem_array(&g->e, sources, sizeof *state)) == NULL ||
                (own = mem_zeroed(&g->e, bytes, 1)) == NULL))
        st = fail_memory(err);
    if (!st) {
        own->e = g->e;
        own->bytes = bytes;
        run_steps(g, &in, cell, state, own->value);
        *out = (perc_signals){
            .steps = steps, .signals = signals, .own = own, .value = own->value
        };
    }
    mem_free(&g->e, state, sources, sizeof *state);
    clock_inputs_free(&in);
    free_cells(g, cell);
    return st;
}

perc_status perc_gate_period(const perc_gate *g, const char *initial, size_t *before,
                             size_t *period, perc_error *err)
{
    NEED(g != NULL && before != NULL && period != NULL);
    struct clock_circle circle = { 0, 0 };
    unsigned char *cell;
    perc_status st = new_cells(g, initial, &cell, err);

    if (!st) st = clock_circle(&g->formula, cell, &circle, err);
    free_cells(g, cell);
    *before = circle.before;
    *period = circle.period;
    return st;
}

perc_status perc_gate_unroll(const perc_gate *g, const char *initial, size_t steps, perc_gate **out,
                             perc_error *err)
{
    NEED_OUT(out);
    NEED(g != NULL);
    unsigned char *cell;
    perc_status st = new_cells(g, initial, &cell, err);

    if (!st && !(st = gates_open(&g->e, out, err)))
        st = gates_compile(out, clock_unroll(&g->formula, cell, steps, &(*out)->formula, err), err);
    free_cells(g, cell);
    return st;
}
