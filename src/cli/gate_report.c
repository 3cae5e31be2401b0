/* gate_report.c -- what `perceptron gate` says: the network, whether one neuron would do and why
 * not, and what comes out: all rows, or all steps. */
#include "cli/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/word.h"

enum { LISTED = 24, SENTENCE_ROWS = 4, SENTENCE_INPUTS = 4, STEPS = 50, LINE = 1024 };

/* ----- the network --------------------------------------------------------------------- */

/* "3: a, b, c". */
static void names_fact(const struct gating *t, struct out *o, const char *what, size_t from,
                       size_t n, bool output)
{
    char buf[LINE];
    size_t at = (size_t)snprintf(buf, sizeof buf, "%zu%s", n, n > 0 ? ":" : "");

    for (size_t i = 0; i < n && i < LISTED && at < sizeof buf; i++)
        at += (size_t)snprintf(buf + at, sizeof buf - at, "%s %s", i > 0 ? "," : "",
                               output ? perc_gate_output(t->gate, from + i, NULL)
                                      : perc_gate_input(t->gate, from + i));
    if (n > LISTED && at < sizeof buf) snprintf(buf + at, sizeof buf - at, ", ...");
    cli_fact(o, what, "%s", buf);
}

/* "a + b - 2 n1"; "0" of no terms. Cut where it does not fit. */
static void put_sum(const struct gating *t, char *buf, size_t size, const uint32_t *source,
                    const int64_t *weight, size_t n)
{
    char name[GATE_NAME];
    size_t at = 0;

    snprintf(buf, size, "0");
    for (size_t i = 0; i < n && at < size; i++) {
        const long long w = weight[i], size_of = w < 0 ? -w : w;

        if (w == 0) continue;
        at += (size_t)snprintf(buf + at, size - at, "%s",
                               at > 0 ? (w < 0 ? " - " : " + ") : (w < 0 ? "-" : ""));
        if (at < size && size_of != 1)
            at += (size_t)snprintf(buf + at, size - at, "%lld ", size_of);
        if (at < size)
            at += (size_t)snprintf(buf + at, size - at, "%s", gating_source(t, source[i], name));
    }
}

/* A sum as long as it gets; NULL: memory is out. */
static char *sum_text(const struct gating *t, const uint32_t *source, const int64_t *weight,
                      size_t n)
{
    const size_t size = 16 + n * (GATE_NAME + 24);
    char *buf = malloc(size);

    if (buf != NULL) put_sum(t, buf, size, source, weight, n);
    return buf;
}

/* Outputs that are no neuron of their own: a state as it is, or the same as another. */
static void other_outputs(const struct gating *t, struct grid *g)
{
    char name[GATE_NAME];
    const char *output;
    size_t source;

    for (size_t o = 0; (output = perc_gate_output(t->gate, o, &source)) != NULL; o++) {
        const char *heard = gating_source(t, source, name);

        if (strcmp(heard, output) == 0) continue;
        grid_cell(g, output);
        grid_fmt(g, "is %s", heard);
        grid_cell(g, "");
    }
}

static void network(const struct gating *t, struct out *o)
{
    struct grid *g = grid_new(&t->cli->env, "lll");
    char name[GATE_NAME];
    perc_neuron n;

    for (size_t k = 0; k < t->info.neurons; k++) {
        perc_gate_neuron(t->gate, k, &n);
        char *sum = sum_text(t, n.source, n.weight, n.synapses);

        if (sum == NULL) out_fail_memory(o);
        grid_cell(g, gating_source(t, t->info.inputs + t->info.states + k, name));
        grid_cell(g, sum != NULL ? sum : "");
        grid_fmt(g, ">= %lld%s", (long long)n.threshold,
                 n.synapses > 0    ? ""
                 : n.threshold > 0 ? " (never)"
                                   : " (always)");
        free(sum);
    }
    other_outputs(t, g);
    out_text(o, "\nWhat fires, and when:\n");
    grid_print(g, o, 2);
    grid_free(g);
}

/* ----- one neuron ------------------------------------------------------------------------ */

/* "a=0 b=1 and a=1 b=0". */
static void put_rows(const struct gating *t, const perc_single *s, const uint32_t *row,
                     const int64_t *count, size_t n, char *buf, size_t size)
{
    size_t at = 0;

    for (size_t k = 0; k < n && at < size; k++) {
        at += (size_t)snprintf(buf + at, size - at, "%s", k > 0 ? " and" : "");
        for (size_t i = 0; i < s->inputs && at < size; i++)
            at += (size_t)snprintf(buf + at, size - at, "%s%s=%d", k + i > 0 ? " " : "",
                                   perc_gate_input(t->gate, s->input[i]), (int)(row[k] >> i & 1));
        if (count[k] > 1 && at < size)
            at += (size_t)snprintf(buf + at, size - at, " (%s)",
                                   count[k] == 2 ? "twice" : "several times");
    }
}

/* What the rows of a kind add up to, in input i. */
static int64_t total(const perc_single *s, size_t i)
{
    int64_t sum = 0;

    for (size_t k = 0; k < s->ones; k++) sum += s->one[k] >> i & 1 ? s->one_count[k] : 0;
    return sum;
}

static int64_t most_times(const perc_single *s)
{
    int64_t most = 0;

    for (size_t k = 0; k < s->ones; k++) most = s->one_count[k] > most ? s->one_count[k] : most;
    for (size_t k = 0; k < s->zeros; k++) most = s->zero_count[k] > most ? s->zero_count[k] : most;
    return most;
}

static bool fits_sentence(const perc_single *s)
{
    return s->ones + s->zeros <= SENTENCE_ROWS && s->inputs <= SENTENCE_INPUTS &&
           most_times(s) <= 2;
}

static void no_sentence(const struct gating *t, struct out *o, const char *name,
                        const perc_single *s)
{
    char one[256], zero[256], sum[128];
    size_t at = 0;

    put_rows(t, s, s->one, s->one_count, s->ones, one, sizeof one);
    put_rows(t, s, s->zero, s->zero_count, s->zeros, zero, sizeof zero);
    for (size_t i = 0; i < s->inputs && at < sizeof sum; i++)
        at += (size_t)snprintf(sum + at, sizeof sum - at, "%s%lld", i > 0 ? ", " : "",
                               (long long)total(s, i));
    cli_fact(o, "one neuron",
             "%s: no; rows %s are 1, rows %s are 0, and both add up to (%s): no "
             "weights can tell them apart",
             name, one, zero, sum);
}

static void single_fact(const struct gating *t, struct out *o, size_t k)
{
    const char *name = perc_gate_output(t->gate, k, NULL);
    perc_single s;

    if (gating_is_state(t, k)) return;
    perc_gate_single(t->gate, k, &s);
    if (s.possible) {
        char *sum = sum_text(t, s.input, s.weight, s.inputs);

        if (sum == NULL) out_fail_memory(o);
        else cli_fact(o, "one neuron", "%s: yes, %s >= %lld", name, sum, (long long)s.threshold);
        free(sum);
    } else if (fits_sentence(&s)) {
        no_sentence(t, o, name, &s);
    } else {
        cli_fact(o, "one neuron", "%s: no; the rows below show it", name);
    }
}

static void no_rows(struct grid *g, const perc_single *s, bool ones)
{
    const size_t n = ones ? s->ones : s->zeros;
    const uint32_t *row = ones ? s->one : s->zero;
    const int64_t *count = ones ? s->one_count : s->zero_count;

    for (size_t k = 0; k < n; k++) {
        grid_cell(g, ones ? "1" : "0");
        grid_fmt(g, "%lld", (long long)count[k]);
        for (size_t i = 0; i < s->inputs; i++) grid_cell(g, row[k] >> i & 1 ? "1" : "0");
    }
}

/* The rows that no neuron tells apart, where they are too many for a sentence. */
static void no_table(const struct gating *t, struct out *o, size_t k)
{
    const char *name = perc_gate_output(t->gate, k, NULL);
    char align[64];
    perc_single s;

    perc_gate_single(t->gate, k, &s);
    if (s.possible || fits_sentence(&s)) return;
    memset(align, 'r', sizeof align);
    align[2 + s.inputs] = '\0';
    struct grid *g = grid_new(&t->cli->env, align);
    grid_cell(g, name);
    grid_cell(g, "times");
    for (size_t i = 0; i < s.inputs; i++) grid_cell(g, perc_gate_input(t->gate, s.input[i]));
    no_rows(g, &s, true);
    no_rows(g, &s, false);
    out_fmt(o,
            "\nNo weights can tell these rows of %s apart: so many times each, those with a 1\n"
            "and those with a 0 are equally many and add up to the same.\n",
            name);
    grid_print(g, o, 2);
    grid_free(g);
}

/* ----- what comes out ---------------------------------------------------------------------- */

static void truth_table(const struct gating *t, struct out *o)
{
    const size_t n = t->info.inputs + t->info.states, m = t->info.outputs + t->info.states;
    unsigned char x[64], *value = malloc(m + 1);
    char *align = malloc(n + m + 1);
    struct grid *g = NULL;

    if (value != NULL && align != NULL) {
        size_t columns = n;

        for (size_t k = 0; k < m; k++) columns += !gating_is_state(t, k);
        memset(align, 'r', columns);
        align[columns] = '\0';
        g = grid_new(&t->cli->env, align);
    }
    for (size_t i = 0; i < n && g != NULL; i++) grid_cell(g, perc_gate_input(t->gate, i));
    for (size_t k = 0; k < m && g != NULL; k++)
        if (!gating_is_state(t, k)) grid_cell(g, perc_gate_output(t->gate, k, NULL));
    for (uint64_t r = 0; r < gating_rows(t) && g != NULL; r++) {
        if (!gating_row(t, r, x, value)) out_fail_memory(o);
        for (size_t i = 0; i < n; i++) grid_cell(g, x[i] ? "1" : "0");
        for (size_t k = 0; k < m; k++)
            if (!gating_is_state(t, k)) grid_cell(g, value[k] ? "1" : "0");
    }
    out_text(o, "\n");
    grid_print(g, o, 2);
    grid_free(g);
    free(align);
    free(value);
}

/* Of a table that is not shown: how many ones. */
static void ones_facts(const struct gating *t, struct out *o)
{
    const size_t m = t->info.outputs + t->info.states;
    uint64_t *ones = malloc((m + 1) * sizeof *ones);
    const char *hint = " (--rows N prints a table of so many)";
    char buf[2][WORD];

    if (ones == NULL || !gating_count(t, ones)) out_fail_memory(o);
    for (size_t k = 0; ones != NULL && k < m; k++) {
        if (gating_is_state(t, k)) continue;
        cli_fact(o, "ones", "%s: in %s of %s rows%s", perc_gate_output(t->gate, k, NULL),
                 word_count(buf[0], ones[k]), word_count(buf[1], gating_rows(t)), hint);
        hint = "";
    }
    free(ones);
}

/* A signal from step `from` on: its values, and the same to look at. */
static void wave(const struct gating *t, struct out *o, const char *name, int width, size_t k,
                 size_t from)
{
    const perc_signals *s = &t->signals;
    const size_t to = s->steps - from < STEPS ? s->steps : from + STEPS;

    out_fmt(o, "  %-*s  ", width, name);
    for (size_t i = from; i < to; i++) out_text(o, s->value[i * s->signals + k] ? "1" : "0");
    out_text(o, "  ");
    for (size_t i = from; i < to; i++) out_text(o, s->value[i * s->signals + k] ? "#" : "_");
    out_text(o, "\n");
}

static void waves(const struct gating *t, struct out *o)
{
    const size_t sources = t->info.inputs + t->info.states;
    size_t width = 4;

    for (size_t k = 0; k < t->signals.signals; k++) {
        const char *name = k < sources ? perc_gate_input(t->gate, k)
                                       : perc_gate_output(t->gate, k - sources, NULL);

        width = strlen(name) > width ? strlen(name) : width;
    }
    for (size_t from = 0; from < t->signals.steps; from += STEPS) {
        out_fmt(o, "\n  %-*s  %zu ...\n", (int)width, "step", from);
        for (size_t k = 0; k < t->signals.signals; k++) {
            size_t source = sources;
            const char *name = k < sources ? perc_gate_input(t->gate, k)
                                           : perc_gate_output(t->gate, k - sources, &source);

            if (k < sources || source >= sources || strcmp(perc_gate_input(t->gate, source), name))
                wave(t, o, name, (int)width, k, from);
        }
    }
}

static void period_fact(const struct gating *t, struct out *o)
{
    size_t before = 0, period = 0;

    if (!gating_period(t, &before, &period)) return;
    if (before == 0) cli_fact(o, "period", "%zu step%s", period, period == 1 ? "" : "s");
    else
        cli_fact(o, "period", "%zu step%s, from step %zu on", period, period == 1 ? "" : "s",
                 before);
}

/* ----- all of it ----------------------------------------------------------------------------- */

static void files_facts(const struct gating *t, struct out *o)
{
    const char *label = perc_gate_output(t->gate, t->target, NULL);
    char buf[WORD];

    if (t->table != NULL)
        cli_fact(o, "table", "%s (%s rows)", t->table, word_count(buf, gating_rows(t)));
    if (t->proved)
        cli_fact(o, "certificate", "%s (%s); check it with: perceptron verify %s %s --label \"%s\"",
                 t->proof, perc_verdict_text(t->verdict), t->proof, t->table, label);
    if (t->output != NULL) cli_fact(o, "model", "%s", t->output);
}

void gate_report_text(const struct gating *t, struct out *o)
{
    const size_t all = t->info.outputs + t->info.states;
    char buf[2][WORD];

    names_fact(t, o, "inputs", 0, t->info.inputs, false);
    if (t->info.states > 0) names_fact(t, o, "states", t->info.inputs, t->info.states, false);
    names_fact(t, o, "outputs", 0, t->info.outputs, true);
    cli_fact(o, "neurons", "%s, with %s synapse%s", word_count(buf[0], t->info.neurons),
             word_count(buf[1], t->info.synapses), t->info.synapses == 1 ? "" : "s");
    for (size_t k = 0; k < all; k++) single_fact(t, o, k);
    period_fact(t, o);
    if (!t->run && !t->whole) ones_facts(t, o);
    files_facts(t, o);
    network(t, o);
    for (size_t k = 0; k < all; k++) no_table(t, o, k);
    if (t->run) waves(t, o);
    else if (t->whole) truth_table(t, o);
    if (!t->run && t->info.states > 0)
        out_text(o, "\nIt has states: --steps T or --input \"...\" runs it, --unroll T makes a "
                    "network\nwithout them.\n");
}
