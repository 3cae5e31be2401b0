/* gate_json.c -- `perceptron gate --json`: the network and all that is known of it, for programs.
 *
 * Sources are numbers from 0: inputs, then states, then neurons. Rows are texts of 0 and 1, in
 * the order of the inputs. What was not asked for is null. */
#include "cli/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void json_names(const struct gating *t, struct out *o, const char *key, size_t from,
                       size_t n)
{
    out_key(o, key);
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) out_string(o, perc_gate_input(t->gate, from + i));
    out_end(o, ']');
}

static void json_numbers(struct out *o, const char *key, const int64_t *v, size_t n)
{
    out_key(o, key);
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) out_int(o, v[i]);
    out_end(o, ']');
}

static void json_sources(struct out *o, const char *key, const uint32_t *v, size_t n)
{
    out_key(o, key);
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) out_int(o, v[i]);
    out_end(o, ']');
}

static void json_neurons(const struct gating *t, struct out *o)
{
    char name[GATE_NAME];
    perc_neuron n;

    out_key(o, "neurons");
    out_begin(o, '[');
    for (size_t k = 0; k < t->info.neurons; k++) {
        perc_gate_neuron(t->gate, k, &n);
        out_begin(o, '{');
        out_key_string(o, "name", gating_source(t, t->info.inputs + t->info.states + k, name));
        json_sources(o, "sources", n.source, n.synapses);
        out_key(o, "source_names");
        out_begin(o, '[');
        for (size_t i = 0; i < n.synapses; i++) out_string(o, gating_source(t, n.source[i], name));
        out_end(o, ']');
        json_numbers(o, "weights", n.weight, n.synapses);
        out_key_int(o, "threshold", n.threshold);
        out_end(o, '}');
    }
    out_end(o, ']');
}

static void json_rows(struct out *o, const char *key, const perc_single *s, const uint32_t *row,
                      const int64_t *count, size_t n)
{
    char text[32];

    out_key(o, key);
    out_begin(o, '[');
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < s->inputs; i++) text[i] = row[k] >> i & 1 ? '1' : '0';
        text[s->inputs] = '\0';
        out_begin(o, '{');
        out_key_string(o, "row", text);
        out_key_int(o, "times", count[k]);
        out_end(o, '}');
    }
    out_end(o, ']');
}

/* Whether one neuron is enough: its inputs, all that the text of the output names, with their
 * weights, or the rows that say no, in the order of these inputs. */
static void json_single(const struct gating *t, struct out *o, size_t k)
{
    perc_single s;

    perc_gate_single(t->gate, k, &s);
    out_key(o, "one_neuron");
    out_begin(o, '{');
    out_key_bool(o, "possible", s.possible != 0);
    out_key(o, "inputs");
    out_begin(o, '[');
    for (size_t i = 0; i < s.inputs; i++) {
        out_begin(o, '{');
        out_key_string(o, "name", perc_gate_input(t->gate, s.input[i]));
        out_key_int(o, "source", s.input[i]);
        if (s.possible) out_key_int(o, "weight", s.weight[i]);
        out_end(o, '}');
    }
    out_end(o, ']');
    if (s.possible) {
        out_key_int(o, "threshold", s.threshold);
    } else {
        json_rows(o, "ones", &s, s.one, s.one_count, s.ones);
        json_rows(o, "zeros", &s, s.zero, s.zero_count, s.zeros);
    }
    out_end(o, '}');
}

static void json_outputs(const struct gating *t, struct out *o)
{
    const size_t n = t->info.outputs + t->info.states;
    uint64_t *ones = malloc((n + 1) * sizeof *ones);
    size_t source;

    if (ones == NULL || !gating_count(t, ones)) out_fail_memory(o);
    out_key(o, "outputs");
    out_begin(o, '[');
    for (size_t k = 0; ones != NULL && k < n; k++) {
        out_begin(o, '{');
        out_key_string(o, "name", perc_gate_output(t->gate, k, &source));
        out_key_int(o, "source", (int64_t)source);
        out_key_bool(o, "next_state", k >= t->info.outputs);
        out_key_int(o, "ones", (int64_t)ones[k]);
        json_single(t, o, k);
        out_end(o, '}');
    }
    out_end(o, ']');
    free(ones);
}

/* Row r as two texts, what goes in and what comes out. */
static void json_table(const struct gating *t, struct out *o)
{
    const size_t n = t->info.inputs + t->info.states, m = t->info.outputs + t->info.states;
    unsigned char x[64];
    char in[64];
    unsigned char *value = malloc(m + 1);
    char *text = malloc(m + 1);

    out_key(o, "table");
    if (!t->whole || value == NULL || text == NULL) {
        out_null(o);
        if (t->whole) out_fail_memory(o);
    } else {
        out_begin(o, '[');
        for (uint64_t r = 0; r < gating_rows(t); r++) {
            if (!gating_row(t, r, x, value)) out_fail_memory(o);
            for (size_t i = 0; i < n; i++) in[i] = x[i] ? '1' : '0';
            in[n] = '\0';
            for (size_t k = 0; k < m; k++) text[k] = value[k] ? '1' : '0';
            text[m] = '\0';
            out_begin(o, '[');
            out_string(o, in);
            out_string(o, text);
            out_end(o, ']');
        }
        out_end(o, ']');
    }
    free(value);
    free(text);
}

/* Each signal as a text, a digit a step. */
static void json_signals(const struct gating *t, struct out *o)
{
    const perc_signals *s = &t->signals;
    const size_t sources = t->info.inputs + t->info.states;
    char *text = t->run ? malloc(s->steps + 1) : NULL;

    out_key(o, "signals");
    if (!t->run || text == NULL) {
        out_null(o);
        if (t->run) out_fail_memory(o);
        return;
    }
    out_begin(o, '{');
    for (size_t k = 0; k < s->signals; k++) {
        size_t source = sources;
        const char *name = k < sources ? perc_gate_input(t->gate, k)
                                       : perc_gate_output(t->gate, k - sources, &source);

        if (k >= sources && source < sources && strcmp(name, perc_gate_input(t->gate, source)) == 0)
            continue; /* a state that is an output */
        for (size_t i = 0; i < s->steps; i++) text[i] = s->value[i * s->signals + k] ? '1' : '0';
        text[s->steps] = '\0';
        out_key_string(o, name, text);
    }
    out_end(o, '}');
    free(text);
}

/* What --initial says of a state, or 0; it has been read without complaint. */
static int initial_of(const char *text, const char *name)
{
    const size_t n = strlen(name);

    for (const char *p = text; p != NULL && *(p += strspn(p, " \t\n\r,")) != '\0';
         p += strcspn(p, " \t\n\r,"))
        if (strncmp(p, name, n) == 0 && p[n] == '=') return p[n + 1] == '1';
    return 0;
}

/* The states at the first step, also of a machine that was unrolled, and what it comes back to. */
static void json_time(const struct gating *t, struct out *o)
{
    const perc_gate *g = t->machine != NULL ? t->machine : t->gate;
    size_t before = 0, period = 0;
    perc_gate_info info;

    perc_gate_info_get(g, &info);
    out_key(o, "initial");
    out_begin(o, '{');
    for (size_t i = info.inputs; i < info.inputs + info.states; i++)
        out_key_int(o, perc_gate_input(g, i), initial_of(t->initial, perc_gate_input(g, i)));
    out_end(o, '}');
    out_key(o, "period");
    if (gating_period(t, &before, &period)) {
        out_begin(o, '{');
        out_key_int(o, "steps", (int64_t)period);
        out_key_int(o, "from", (int64_t)before);
        out_end(o, '}');
    } else {
        out_null(o);
    }
}

static void json_file(struct out *o, const char *key, const char *path)
{
    out_key(o, key);
    if (path != NULL) out_string(o, path);
    else out_null(o);
}

void gate_report_json(const struct gating *t, struct out *o)
{
    out_begin(o, '{');
    out_key_string(o, "command", "gate");
    out_key_string(o, "formula", t->formula);
    out_key_int(o, "unrolled", t->unroll);
    json_names(t, o, "inputs", 0, t->info.inputs);
    json_names(t, o, "states", t->info.inputs, t->info.states);
    json_time(t, o);
    json_neurons(t, o);
    json_outputs(t, o);
    json_table(t, o);
    json_signals(t, o);
    json_file(o, "model", t->output);
    json_file(o, "truth_table", t->table);
    json_file(o, "certificate", t->proof);
    json_file(o, "verdict", t->proved ? perc_verdict_text(t->verdict) : NULL);
    out_end(o, '}');
    out_text(o, "\n");
}
