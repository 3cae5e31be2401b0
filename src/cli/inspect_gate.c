/* inspect_gate.c -- the neurons of a gate: what each listens to, and when it fires. */
#include "cli/gate.h"
#include "cli/inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/word.h"

enum { LISTED = 24, NAME = GATE_NAME, LINE = 4096 };

/* ----- names ---------------------------------------------------------------------------- */

/* How the neurons are called: by their output, or n1, n2, ... as `gate` calls them. */
struct naming {
    const perc_model *m;
    perc_gate_info info;
    char prefix[GATE_PREFIX]; /* "n", or more of them: no input or output is called that */
    const char **output;      /* of each neuron: an output that it is, or NULL */
    size_t *number;           /* of each neuron: its place among those that are no output, from 1 */
};

static bool is_taken(const struct naming *s)
{
    const char *name;

    for (size_t i = 0; (name = perc_model_gate_input(s->m, i)) != NULL; i++)
        if (gate_prefix_taken(name, s->prefix)) return true;
    for (size_t i = 0; (name = perc_model_gate_output(s->m, i, NULL)) != NULL; i++)
        if (gate_prefix_taken(name, s->prefix)) return true;
    return false;
}

static void naming_free(struct naming *s)
{
    free(s->output);
    free(s->number);
}

/* False: memory is out. */
static bool naming_init(struct naming *s, const perc_model *m)
{
    const char *name;
    size_t n = 0, plain = 0, source;

    *s = (struct naming){ .m = m };
    perc_model_gate(m, &s->info);
    do {
        s->prefix[n++] = 'n';
    } while (n + 1 < sizeof s->prefix && is_taken(s));
    s->output = calloc(s->info.neurons + 1, sizeof *s->output);
    s->number = calloc(s->info.neurons + 1, sizeof *s->number);
    if (s->output == NULL || s->number == NULL) {
        naming_free(s);
        return false;
    }
    for (size_t o = 0; (name = perc_model_gate_output(m, o, &source)) != NULL; o++)
        if (source >= s->info.inputs && s->output[source - s->info.inputs] == NULL)
            s->output[source - s->info.inputs] = name;
    for (size_t k = 0; k < s->info.neurons; k++) s->number[k] = s->output[k] == NULL ? ++plain : 0;
    return true;
}

/* In `buf`, or a name that lasts. */
static const char *source_name(const struct naming *s, size_t source, char buf[NAME])
{
    if (source < s->info.inputs) return perc_model_gate_input(s->m, source);
    if (s->output[source - s->info.inputs] != NULL) return s->output[source - s->info.inputs];
    snprintf(buf, NAME, "%s%zu", s->prefix, s->number[source - s->info.inputs]);
    return buf;
}

/* ----- text ----------------------------------------------------------------------------- */

/* "3: a, b, c". */
static void names_fact(struct out *o, const char *what, const perc_model *m, size_t n, bool output)
{
    char buf[LINE];
    size_t at = (size_t)snprintf(buf, sizeof buf, "%zu%s", n, n > 0 ? ":" : "");

    for (size_t i = 0; i < n && i < LISTED && at < sizeof buf; i++)
        at += (size_t)snprintf(buf + at, sizeof buf - at, "%s %s", i > 0 ? "," : "",
                               output ? perc_model_gate_output(m, i, NULL)
                                      : perc_model_gate_input(m, i));
    if (n > LISTED && at < sizeof buf) snprintf(buf + at, sizeof buf - at, ", ...");
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
static void put_sum(const struct naming *s, const perc_neuron *n, char *buf, size_t size)
{
    char name[NAME];
    size_t at = 0;

    snprintf(buf, size, "0");
    for (size_t i = 0; i < n->synapses && at < size; i++) {
        const long long w = n->weight[i], length = w < 0 ? -w : w;

        at += (size_t)snprintf(buf + at, size - at, "%s",
                               at > 0 ? (w < 0 ? " - " : " + ") : (w < 0 ? "-" : ""));
        if (at < size && length != 1) at += (size_t)snprintf(buf + at, size - at, "%lld ", length);
        if (at < size)
            at += (size_t)snprintf(buf + at, size - at, "%s", source_name(s, n->source[i], name));
    }
    if (at >= size) memcpy(buf + size - 4, "...", 4);
}

/* Outputs that are no neuron of their own: an input, or the same as another. */
static void other_outputs(const struct naming *s, struct grid *g)
{
    char name[NAME];
    const char *output;
    size_t source;

    for (size_t o = 0; (output = perc_model_gate_output(s->m, o, &source)) != NULL; o++) {
        const char *heard = source_name(s, source, name);

        if (strcmp(heard, output) == 0) continue;
        grid_cell(g, output);
        grid_fmt(g, "is %s", heard);
        grid_cell(g, "");
    }
}

void gate_table(struct cli *cli, const perc_model *m, uint64_t top)
{
    char name[NAME], sum[LINE], buf[WORD];
    struct naming s;
    perc_neuron n;

    if (!naming_init(&s, m)) {
        out_fail_memory(cli->out);
        return;
    }
    struct grid *g = grid_new(&cli->env, "lll");
    for (size_t k = 0; k < s.info.neurons && k < top; k++) {
        perc_model_neuron(m, k, &n);
        put_sum(&s, &n, sum, sizeof sum);
        grid_cell(g, source_name(&s, s.info.inputs + k, name));
        grid_cell(g, sum);
        grid_fmt(g, ">= %lld", (long long)n.threshold);
    }
    other_outputs(&s, g);
    out_text(cli->out, "\nWhat fires, and when:\n");
    grid_print(g, cli->out, 2);
    grid_free(g);
    if (top < s.info.neurons)
        out_fmt(cli->out, "... and %s more (--all shows them)\n",
                word_count(buf, s.info.neurons - top));
    naming_free(&s);
}

/* ----- for programs ---------------------------------------------------------------------- */

static void json_neuron(struct out *o, const struct naming *s, size_t k)
{
    char name[NAME];
    perc_neuron n;

    perc_model_neuron(s->m, k, &n);
    out_begin(o, '{');
    out_key_string(o, "name", source_name(s, s->info.inputs + k, name));
    out_key(o, "sources");
    out_begin(o, '[');
    for (size_t i = 0; i < n.synapses; i++) out_int(o, n.source[i]);
    out_end(o, ']');
    out_key(o, "source_names");
    out_begin(o, '[');
    for (size_t i = 0; i < n.synapses; i++) out_string(o, source_name(s, n.source[i], name));
    out_end(o, ']');
    out_key(o, "weights");
    out_begin(o, '[');
    for (size_t i = 0; i < n.synapses; i++) out_int(o, n.weight[i]);
    out_end(o, ']');
    out_key_int(o, "threshold", n.threshold);
    out_end(o, '}');
}

/* Sources are numbers: the inputs from 0, then the neurons. */
void gate_json(struct out *o, const perc_model *m, uint64_t top)
{
    struct naming s;
    const char *name;
    size_t source;

    if (!naming_init(&s, m)) {
        out_fail_memory(o);
        return;
    }
    out_key(o, "inputs");
    out_begin(o, '[');
    for (size_t i = 0; (name = perc_model_gate_input(m, i)) != NULL; i++) out_string(o, name);
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
    for (size_t k = 0; k < s.info.neurons && k < top; k++) json_neuron(o, &s, k);
    out_end(o, ']');
    naming_free(&s);
}
