/* gate.c -- looking at the threshold neurons of a model (perceptron_gate.h). */
#include "machine/machine_gate.h"
#include "model/model.h"

/* The gate of m; one without inputs and outputs if m is another kind of machine. */
static const struct gate *gate_of(const perc_model *m)
{
    static const struct gate none = { 0 };
    const struct gate *g = m != NULL ? machine_gate_of(m->learner.machine) : NULL;

    return g != NULL ? g : &none;
}

int perc_model_gate_sized(const perc_model *m, perc_gate_info *out, size_t size)
{
    const struct gate *g = gate_of(m);
    const perc_gate_info info = {
        .inputs = g->inputs, .outputs = g->outputs, .neurons = g->neurons, .synapses = g->synapses
    };

    sized_copy(out, size, &info, sizeof info);
    return g->outputs > 0;
}

const char *perc_model_gate_input(const perc_model *m, size_t i)
{
    const struct gate *g = gate_of(m);

    return i < g->inputs ? g->input_name[i] : NULL;
}

const char *perc_model_gate_output(const perc_model *m, size_t o, size_t *source)
{
    const struct gate *g = gate_of(m);

    if (o >= g->outputs) return NULL;
    if (source != NULL) *source = g->output[o];
    return g->output_name[o];
}

void perc_model_neuron(const perc_model *m, size_t k, perc_neuron *out)
{
    if (out != NULL) *out = gate_neuron(gate_of(m), k);
}
