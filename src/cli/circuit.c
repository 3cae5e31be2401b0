/* circuit.c -- a network of threshold neurons in words. See circuit.h.
 *
 * Sources are numbers from 0: inputs, then states, then neurons. A neuron has the name of the
 * output that it is, or n1, n2, ...; the prefix grows until no name of the formula looks alike. */
#include "cli/circuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"
#include "show/word.h"

enum { LISTED = 24, SYNAPSES = 64, FUNCTION = 512 }; /* names; of a neuron whose function is said */

const char *circuit_input(const struct circuit *c, size_t i)
{
    return c->gate != NULL ? perc_gate_input(c->gate, i) : perc_model_gate_input(c->model, i);
}

const char *circuit_output(const struct circuit *c, size_t o, size_t *source)
{
    return c->gate != NULL ? perc_gate_output(c->gate, o, source)
                           : perc_model_gate_output(c->model, o, source);
}

/* ----- names ------------------------------------------------------------------------- */

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether a word of the text is this prefix and a number: "n1 & b" has "n". */
static bool has_prefix(const char *text, const char *prefix)
{
    const size_t n = strlen(prefix);

    for (const char *p = text; (p = strstr(p, prefix)) != NULL; p++)
        if (p[n] >= '0' && p[n] <= '9' && (p == text || !in_word(p[-1]))) return true;
    return false;
}

static bool prefix_taken(const struct circuit *c, const char *formula)
{
    const char *name;

    if (formula != NULL) return has_prefix(formula, c->prefix);
    for (size_t i = 0; (name = circuit_input(c, i)) != NULL; i++)
        if (has_prefix(name, c->prefix)) return true;
    for (size_t i = 0; (name = circuit_output(c, i, NULL)) != NULL; i++)
        if (has_prefix(name, c->prefix)) return true;
    return false;
}

bool circuit_init(struct circuit *c, const perc_gate *gate, const perc_model *model,
                  const char *formula)
{
    const char *name;
    size_t n = 0, plain = 0, source;

    *c = (struct circuit){ .gate = gate, .model = model };
    if (gate != NULL) perc_gate_info_get(gate, &c->info);
    else perc_model_gate(model, &c->info);
    c->sources = c->info.inputs + c->info.states;
    do {
        c->prefix[n++] = 'n';
    } while (n + 1 < sizeof c->prefix && prefix_taken(c, formula));
    c->output = calloc(c->info.neurons + 1, sizeof *c->output);
    c->number = calloc(c->info.neurons + 1, sizeof *c->number);
    if (c->output == NULL || c->number == NULL) return false;
    for (size_t o = 0; (name = circuit_output(c, o, &source)) != NULL; o++)
        if (source >= c->sources && c->output[source - c->sources] == NULL &&
            strchr(name, '@') == NULL) /* what goes into a delay has its own name */
            c->output[source - c->sources] = name;
    for (size_t k = 0; k < c->info.neurons; k++) {
        if (gate != NULL && c->output[k] == NULL) c->output[k] = perc_gate_neuron_name(gate, k);
        c->number[k] = c->output[k] == NULL ? ++plain : 0;
    }
    return true;
}

void circuit_free(struct circuit *c)
{
    free(c->output);
    free(c->number);
}

/* The name of a source: an input, an output, or "n3"; in `buf`, or a name that lasts. */
static const char *source_name(const struct circuit *c, size_t source, char buf[CIRCUIT_NAME])
{
    if (source < c->sources) return circuit_input(c, source);
    if (c->output[source - c->sources] != NULL) return c->output[source - c->sources];
    snprintf(buf, CIRCUIT_NAME, "%s%zu", c->prefix, c->number[source - c->sources]);
    return buf;
}

/* ----- facts -------------------------------------------------------------------------- */

void circuit_names(struct facts *f, const struct circuit *c, size_t from, size_t n, bool output)
{
    facts_say(f, "%zu%s", n, n > 0 ? ":" : "");
    for (size_t i = 0; i < n && i < LISTED; i++)
        facts_more(f, "%s %s", i > 0 ? "," : "",
                   output ? circuit_output(c, from + i, NULL) : circuit_input(c, from + i));
    if (n > LISTED) facts_more(f, ", ...");
}

void circuit_sum(struct facts *f, const struct circuit *c, const uint32_t *source,
                 const int64_t *weight, size_t n)
{
    char name[CIRCUIT_NAME];
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        const long long w = weight[i], size = w < 0 ? -w : w;

        if (w == 0) continue;
        facts_more(f, "%s", any ? (w < 0 ? " - " : " + ") : (w < 0 ? "-" : ""));
        if (size != 1) facts_more(f, "%lld ", size);
        facts_more(f, "%s", source_name(c, source[i], name));
        any = true;
    }
    if (!any) facts_more(f, "0");
}

/* Which function a neuron computes, as a formula and by its name; for people as a cell, where the
 * formula wrote neurons. */
static void function_facts(struct facts *f, const struct circuit *c, const perc_neuron *n)
{
    char buf[SYNAPSES][CIRCUIT_NAME], text[FUNCTION];
    const char *name[SYNAPSES], *word = NULL;
    const size_t known = n->synapses < SYNAPSES ? n->synapses : SYNAPSES;

    for (size_t i = 0; i < known; i++) name[i] = source_name(c, n->source[i], buf[i]);
    const bool found = perc_neuron_function(n, name, &word, text, sizeof text) != 0;
    facts_object(f, "function", NULL);
    facts_string(f, "name", NULL, word);
    facts_string(f, "formula", NULL, found ? text : NULL);
    facts_end(f);
    if (c->info.written == 0) return;
    facts_string(f, NULL, "", "");
    facts_say(f, "%s%s%s%s", found ? text : "", found && word != NULL ? " (" : "",
              found && word != NULL ? word : "", found && word != NULL ? ")" : "");
}

static void neuron_row(struct facts *f, const void *ud, uint64_t k)
{
    const struct circuit *c = ud;
    char name[CIRCUIT_NAME];
    perc_neuron n;

    if (c->gate != NULL) perc_gate_neuron(c->gate, k, &n);
    else perc_model_neuron(c->model, k, &n);
    facts_row(f);
    facts_string(f, "name", "", source_name(c, c->sources + k, name));
    facts_list(f, "sources", NULL);
    for (size_t i = 0; i < n.synapses; i++) facts_int(f, NULL, NULL, n.source[i]);
    facts_end(f);
    facts_list(f, "source_names", NULL);
    for (size_t i = 0; i < n.synapses; i++)
        facts_string(f, NULL, NULL, source_name(c, n.source[i], name));
    facts_end(f);
    facts_list(f, "weights", NULL);
    for (size_t i = 0; i < n.synapses; i++) facts_int(f, NULL, NULL, n.weight[i]);
    facts_end(f);
    facts_string(f, NULL, "", "");
    circuit_sum(f, c, n.source, n.weight, n.synapses);
    facts_int(f, "threshold", NULL, n.threshold);
    facts_string(f, NULL, "", "");
    facts_say(f, ">= %lld%s", (long long)n.threshold,
              n.synapses > 0    ? ""
              : n.threshold > 0 ? " (never)"
                                : " (always)");
    function_facts(f, c, &n);
    facts_end(f);
}

void circuit_neurons(struct facts *f, const struct circuit *c, uint64_t top)
{
    const uint64_t n = c->info.neurons, shown = top < n ? top : n;
    char buf[2][WORD];

    facts_line(f, "neurons", "%s, with %s synapse%s", word_count(buf[0], n),
               word_count(buf[1], c->info.synapses), word_plural(c->info.synapses));
    facts_list(f, "neurons", NULL);
    facts_each(f, shown, 0, neuron_row, c);
    facts_end(f);
    facts_table(f, NULL, "What fires, and when:");
    facts_each(f, shown, shown, neuron_row, c);
    /* Outputs without a neuron of their own: a source as it is, or the same as another output. */
    char name[CIRCUIT_NAME];
    const char *output;
    size_t source;
    for (size_t o = 0; (output = circuit_output(c, o, &source)) != NULL; o++) {
        const char *heard = source_name(c, source, name);

        if (strcmp(heard, output) == 0 || strchr(output, '@') != NULL) continue; /* a delay */
        facts_row(f);
        facts_string(f, NULL, "", output);
        facts_string(f, NULL, "", "");
        facts_say(f, "is %s", heard);
        facts_string(f, NULL, "", "");
        if (c->info.written > 0) facts_string(f, NULL, "", "");
        facts_end(f);
    }
    facts_end(f);
    about_more(f, n - shown);
}
