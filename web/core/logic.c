/* logic.c -- formulas as threshold neurons, and certificates. */
#include "web.h"

#include <stdlib.h>

/* ----- formulas ------------------------------------------------------------------ */

WEB(perc_gate *, web_gate_new, const char *formula)
{
    perc_gate *g;

    perc_gate_new(NULL, formula, &g, &web_failure);
    return g;
}

WEB(void, web_gate_free, perc_gate *g)
{
    perc_gate_free(g);
}

static void say_neurons(const perc_gate *g, size_t n)
{
    perc_neuron one;

    say_key("neurons");
    say_open('[');
    for (size_t k = 0; k < n; k++) {
        perc_gate_neuron(g, k, &one);
        say_open('{');
        say_key("sources");
        say_open('[');
        for (size_t i = 0; i < one.synapses; i++) say_int(one.source[i]);
        say_close(']');
        say_key("weights");
        say_open('[');
        for (size_t i = 0; i < one.synapses; i++) say_int(one.weight[i]);
        say_close(']');
        say_key_int("threshold", one.threshold);
        say_close('}');
    }
    say_close(']');
}

static void say_inputs(const perc_gate *g, const char *key, size_t from, size_t n)
{
    say_key(key);
    say_open('[');
    for (size_t i = 0; i < n; i++) say_text(perc_gate_input(g, from + i));
    say_close(']');
}

WEB(const char *, web_gate_info, const perc_gate *g)
{
    perc_gate_info info;
    const char *name;
    size_t source;

    perc_gate_info_get(g, &info);
    say_begin();
    say_open('{');
    say_inputs(g, "inputs", 0, info.inputs);
    say_inputs(g, "states", info.inputs, info.states);
    say_key("outputs"); /* followed by the next values of the states */
    say_open('[');
    for (size_t o = 0; (name = perc_gate_output(g, o, &source)) != NULL; o++) {
        say_open('{');
        say_key_text("name", name);
        say_key_int("source", (int64_t)source);
        say_close('}');
    }
    say_close(']');
    say_key_int("synapses", (int64_t)info.synapses);
    say_neurons(g, info.neurons);
    say_close('}');
    return say_end();
}

static void say_numbers(const char *key, const uint32_t *v, size_t n)
{
    say_key(key);
    say_open('[');
    for (size_t i = 0; i < n; i++) say_int(v[i]);
    say_close(']');
}

static void say_counts(const char *key, const int64_t *v, size_t n)
{
    say_key(key);
    say_open('[');
    for (size_t i = 0; i < n; i++) say_int(v[i]);
    say_close(']');
}

/* Whether one neuron can compute output o. Rows are numbers: bit i is the value of inputs[i]. */
WEB(const char *, web_gate_single, const perc_gate *g, size_t o)
{
    perc_single s;

    perc_gate_single(g, o, &s);
    say_begin();
    say_open('{');
    say_key_bool("possible", s.possible != 0);
    say_numbers("inputs", s.input, s.inputs);
    if (s.possible) {
        say_counts("weights", s.weight, s.inputs);
        say_key_int("threshold", s.threshold);
    } else {
        say_numbers("ones", s.one, s.ones);
        say_counts("oneCounts", s.one_count, s.ones);
        say_numbers("zeros", s.zero, s.zeros);
        say_counts("zeroCounts", s.zero_count, s.zeros);
    }
    say_close('}');
    return say_end();
}

WEB(perc_status, web_gate_run, const perc_gate *g, const unsigned char *x, unsigned char *out)
{
    return perc_gate_run(g, x, out, &web_failure);
}

/* A model that predicts the outputs from tables of the inputs. */
WEB(perc_model *, web_gate_model, const perc_gate *g)
{
    perc_model *m;

    perc_gate_model(g, &m, &web_failure);
    return m;
}

/* ----- certificates ----------------------------------------------------------------- */

static void say_claims(const perc_check *c)
{
    const size_t n = c->parts < PERC_CLAIMS ? c->parts : PERC_CLAIMS;

    say_key("claims");
    say_open('[');
    for (size_t i = 0; i < n && c->valid; i++) {
        const perc_claim *one = &c->claim[i];
        say_open('{');
        say_key_text("verdict", perc_verdict_text(one->verdict));
        say_key_text("positive", one->positive);
        say_key_text("negative", one->negative);
        say_key_int("rows", (int64_t)one->rows);
        say_key_int("strict", (int64_t)one->strict);
        say_key_int("held", (int64_t)one->on_all_planes);
        say_close('}');
    }
    say_close(']');
}

/* NULL on error, *where being the file that its place is in; otherwise the findings. */
WEB(const char *, web_verify, const char *certificate, const char *data_path,
    const perc_params *data, const char **where)
{
    perc_check *c = calloc(1, sizeof *c);

    *where = NULL;
    if (c == NULL) return web_no_memory();
    if (perc_verify(NULL, certificate, data_path, data, c, where, &web_failure)) {
        free(c);
        return NULL;
    }
    say_begin();
    say_open('{');
    say_key_bool("valid", c->valid != 0);
    say_key_text("reason", c->reason);
    say_key_int("row", c->row);
    say_key_int("part", c->part);
    say_key_int("parts", (int64_t)c->parts);
    say_key_int("rows", (int64_t)c->rows);
    say_key_text("sha256", c->sha256);
    say_key_bool("offset", c->offset != 0);
    say_key_text("kernel", c->kernel);
    say_key_int("degree", c->degree);
    say_key_bool("homogeneous", c->homogeneous != 0);
    say_key_bool("otherData", c->other_data != 0);
    say_key_int("dropped", (int64_t)c->dropped);
    say_claims(c);
    say_close('}');
    free(c);
    return say_end();
}
