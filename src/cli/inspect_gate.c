/* inspect_gate.c -- the neurons of a gate: what each listens to, and when it fires. */
#include "cli/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/word.h"

enum { LISTED = 24, NAME = 96, LINE = 4096 };

/* How a source is called: an input, an output, or "n3" for neuron 3; in `buf`, or a name that
 * lasts. */
static const char *source_name(const perc_model *m, size_t source, char buf[NAME])
{
    perc_gate_info info;
    const char *name;
    size_t heard;

    perc_model_gate(m, &info);
    if ((name = perc_model_gate_input(m, source)) != NULL)
        return name;
    for (size_t o = 0; (name = perc_model_gate_output(m, o, &heard)) != NULL; o++)
        if (heard == source)
            return name;
    snprintf(buf, NAME, "n%zu", source - info.inputs);
    return buf;
}

/* "3: a, b, c". */
static void names_fact(struct out *o, const char *what, const perc_model *m, size_t n, bool output)
{
    char buf[LINE];
    size_t at = (size_t)snprintf(buf, sizeof buf, "%zu%s", n, n > 0 ? ":" : "");

    for (size_t i = 0; i < n && i < LISTED && at < sizeof buf; i++)
        at += (size_t)snprintf(buf + at, sizeof buf - at, "%s %s", i > 0 ? "," : "",
                               output ? perc_model_gate_output(m, i, NULL)
                                      : perc_model_gate_input(m, i));
    if (n > LISTED && at < sizeof buf)
        snprintf(buf + at, sizeof buf - at, ", ...");
    cli_fact(o, what, "%s", buf);
}

void gate_facts(struct out *o, const perc_model *m)
{
    perc_gate_info info;
    char buf[2][WORD];

    perc_model_gate(m, &info);
    names_fact(o, "inputs", m, info.inputs, false);
    names_fact(o, "outputs", m, info.outputs, true);
    cli_fact(o, "neurons", "%s, with %s synapses", word_count(buf[0], info.neurons),
             word_count(buf[1], info.synapses));
}

/* "a + b - 2 n1"; "0" of no terms; cut where it does not fit. */
static void put_sum(const perc_model *m, const perc_neuron *n, char *buf, size_t size)
{
    char name[NAME];
    size_t at = 0;

    snprintf(buf, size, "0");
    for (size_t i = 0; i < n->synapses && at < size; i++) {
        const long long w = n->weight[i], length = w < 0 ? -w : w;

        at += (size_t)snprintf(buf + at, size - at, "%s", at > 0 ? (w < 0 ? " - " : " + ")
                                                                 : (w < 0 ? "-" : ""));
        if (at < size && length != 1)
            at += (size_t)snprintf(buf + at, size - at, "%lld ", length);
        if (at < size)
            at += (size_t)snprintf(buf + at, size - at, "%s", source_name(m, n->source[i], name));
    }
    if (at >= size)
        memcpy(buf + size - 4, "...", 4);
}

/* Outputs that are no neuron of their own: an input, or the same as another. */
static void other_outputs(const perc_model *m, struct grid *g)
{
    char name[NAME];
    const char *output;
    size_t source;

    for (size_t o = 0; (output = perc_model_gate_output(m, o, &source)) != NULL; o++) {
        const char *heard = source_name(m, source, name);

        if (strcmp(heard, output) == 0)
            continue;
        grid_cell(g, output);
        grid_fmt(g, "is %s", heard);
        grid_cell(g, "");
    }
}

void gate_table(struct cli *cli, const perc_model *m, uint64_t top)
{
    struct grid *g = grid_new(&cli->env, "lll");
    char name[NAME], sum[LINE], buf[WORD];
    perc_gate_info info;
    perc_neuron n;

    perc_model_gate(m, &info);
    for (size_t k = 0; k < info.neurons && k < top; k++) {
        perc_model_neuron(m, k, &n);
        put_sum(m, &n, sum, sizeof sum);
        grid_cell(g, source_name(m, info.inputs + k, name));
        grid_cell(g, sum);
        grid_fmt(g, ">= %lld", (long long)n.threshold);
    }
    other_outputs(m, g);
    out_text(cli->out, "\nWhat fires, and when:\n");
    grid_print(g, cli->out, 2);
    grid_free(g);
    if (top < info.neurons)
        out_fmt(cli->out, "... and %s more (--all shows them)\n",
                word_count(buf, info.neurons - top));
}

static void json_neuron(struct out *o, const perc_model *m, size_t k)
{
    perc_neuron n;

    perc_model_neuron(m, k, &n);
    out_begin(o, '{');
    out_key(o, "sources");
    out_begin(o, '[');
    for (size_t i = 0; i < n.synapses; i++)
        out_int(o, n.source[i]);
    out_end(o, ']');
    out_key(o, "weights");
    out_begin(o, '[');
    for (size_t i = 0; i < n.synapses; i++)
        out_int(o, n.weight[i]);
    out_end(o, ']');
    out_key_int(o, "threshold", n.threshold);
    out_end(o, '}');
}

/* Sources are numbers: the inputs from 0, then the neurons. */
void gate_json(struct out *o, const perc_model *m, uint64_t top)
{
    perc_gate_info info;
    const char *name;
    size_t source;

    perc_model_gate(m, &info);
    out_key(o, "inputs");
    out_begin(o, '[');
    for (size_t i = 0; (name = perc_model_gate_input(m, i)) != NULL; i++)
        out_string(o, name);
    out_end(o, ']');
    out_key(o, "outputs");
    out_begin(o, '[');
    for (size_t i = 0; (name = perc_model_gate_output(m, i, &source)) != NULL; i++) {
        out_begin(o, '{');
        out_key_string(o, "name", name);
        out_key_int(o, "source", (int64_t)source);
        out_end(o, '}');
    }
    out_end(o, ']');
    out_key(o, "neurons");
    out_begin(o, '[');
    for (size_t k = 0; k < info.neurons && k < top; k++)
        json_neuron(o, m, k);
    out_end(o, ']');
}
