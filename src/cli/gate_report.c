/* gate_report.c -- what `perceptron gate` says: the network, whether one neuron would do and why
 * not, and what comes out: all rows, or all steps.
 *
 * For programs rows are texts of 0 and 1, in the order of the inputs; what was not asked for is
 * null. */
#include "cli/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

enum { SENTENCE_ROWS = 4, SENTENCE_INPUTS = 4, STEPS = 50 };

/* ----- inputs and states -------------------------------------------------------------- */

static void input_facts(const struct gating *t, struct facts *f, const char *key, size_t from,
                        size_t n)
{
    facts_list(f, key, n > 0 || from == 0 ? key : NULL);
    circuit_names(f, &t->circuit, from, n, false);
    for (size_t i = 0; i < n; i++) facts_string(f, NULL, NULL, perc_gate_input(t->gate, from + i));
    facts_end(f);
}

/* What --initial says of a state, or NULL; the text is known to be valid. */
static const char *initial_of(const char *text, const char *name)
{
    const size_t n = strlen(name);

    for (const char *p = text; p != NULL && *(p += strspn(p, " \t\n\r,")) != '\0';
         p += strcspn(p, " \t\n\r,"))
        if (strncmp(p, name, n) == 0 && p[n] == '=') return p + n + 1;
    return NULL;
}

/* A state at the first step, 0 or 1; a delay: what comes out of it, step by step, as a text. */
static void initial_fact(const struct gating *t, struct facts *f, const perc_gate *g, size_t i)
{
    const char *name = perc_gate_input(g, i), *bits = initial_of(t->initial, name);
    const size_t n = perc_gate_delay(g, i);
    char *text = strchr(name, '@') != NULL ? malloc(n + 1) : NULL;

    if (strchr(name, '@') == NULL) facts_int(f, name, NULL, bits != NULL && *bits == '1');
    else if (text == NULL) facts_fail(f);
    else {
        memset(text, '0', n);
        if (bits != NULL) memcpy(text, bits, n);
        text[n] = '\0';
        facts_string(f, name, NULL, text);
    }
    free(text);
}

/* The states at the first step, even if the machine was unrolled; and without inputs, after how
 * many steps it repeats itself, and from where on. */
static void time_facts(const struct gating *t, struct facts *f)
{
    const perc_gate *g = t->machine != NULL ? t->machine : t->gate;
    size_t before = 0, period = 0;
    perc_gate_info info;
    perc_error err = { 0 };

    perc_gate_info_get(g, &info);
    facts_object(f, "initial", NULL);
    for (size_t i = info.inputs; i < info.inputs + info.states; i++) initial_fact(t, f, g, i);
    facts_end(f);
    if (t->info.inputs > 0 || t->info.states == 0 ||
        perc_gate_period(t->gate, t->initial, &before, &period, &err) || period == 0) {
        facts_null(f, "period");
        return;
    }
    facts_object(f, "period", "period");
    facts_say(f, "%zu step%s", period, word_plural(period));
    if (before > 0) facts_more(f, ", from step %zu on", before);
    facts_count(f, "steps", NULL, period);
    facts_count(f, "from", NULL, before);
    facts_end(f);
}

/* ----- one neuron ------------------------------------------------------------------------ */

/* Adds "a=0 b=1 and a=1 b=0". */
static void say_rows(const struct gating *t, struct facts *f, const perc_single *s,
                     const uint32_t *row, const int64_t *count, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        facts_more(f, "%s", k > 0 ? " and" : "");
        for (size_t i = 0; i < s->inputs; i++)
            facts_more(f, " %s=%d", perc_gate_input(t->gate, s->input[i]), (int)(row[k] >> i & 1));
        if (count[k] > 1) facts_more(f, " (%s)", count[k] == 2 ? "twice" : "several times");
    }
}

static bool fits_sentence(const perc_single *s)
{
    int64_t most = 0;

    for (size_t k = 0; k < s->ones; k++) most = s->one_count[k] > most ? s->one_count[k] : most;
    for (size_t k = 0; k < s->zeros; k++) most = s->zero_count[k] > most ? s->zero_count[k] : most;
    return s->ones + s->zeros <= SENTENCE_ROWS && s->inputs <= SENTENCE_INPUTS && most <= 2;
}

/* For people: whether one neuron makes output k, or why not. */
static void single_line(const struct gating *t, struct facts *f, size_t k)
{
    const char *name = perc_gate_output(t->gate, k, NULL);
    perc_single s;

    perc_gate_single(t->gate, k, &s);
    if (s.possible) {
        facts_line(f, "one neuron", "%s: yes, ", name);
        circuit_sum(f, &t->circuit, s.input, s.weight, s.inputs);
        facts_more(f, " >= %lld", (long long)s.threshold);
    } else if (fits_sentence(&s)) {
        facts_line(f, "one neuron", "%s: no; rows", name);
        say_rows(t, f, &s, s.one, s.one_count, s.ones);
        facts_more(f, " are 1, rows");
        say_rows(t, f, &s, s.zero, s.zero_count, s.zeros);
        facts_more(f, " are 0, and both add up to (");
        for (size_t i = 0; i < s.inputs; i++) {
            long long sum = 0;

            for (size_t r = 0; r < s.ones; r++) sum += s.one[r] >> i & 1 ? s.one_count[r] : 0;
            facts_more(f, "%s%lld", i > 0 ? ", " : "", sum);
        }
        facts_more(f, "): no weights can tell them apart");
    } else {
        facts_line(f, "one neuron", "%s: no; the rows below show it", name);
    }
}

/* Rows that no neuron tells apart: those with a 1, or those with a 0. */
static void no_rows(const struct gating *t, struct facts *f, size_t k, const perc_single *s,
                    bool ones)
{
    const uint32_t *row = ones ? s->one : s->zero;
    const int64_t *count = ones ? s->one_count : s->zero_count;

    for (size_t n = 0; n < (ones ? s->ones : s->zeros); n++) {
        facts_row(f);
        facts_int(f, NULL, perc_gate_output(t->gate, k, NULL), ones);
        facts_int(f, NULL, "times", count[n]);
        for (size_t i = 0; i < s->inputs; i++)
            facts_int(f, NULL, perc_gate_input(t->gate, s->input[i]), row[n] >> i & 1);
        facts_end(f);
    }
}

/* For rows that are too many for a sentence. */
static void no_table(const struct gating *t, struct facts *f, size_t k)
{
    char caption[512];
    perc_single s;

    perc_gate_single(t->gate, k, &s);
    if (s.possible || fits_sentence(&s)) return;
    snprintf(
        caption, sizeof caption,
        "No weights can tell these rows of %s apart: taken as many times as shown, those with\n"
        "a 1 and those with a 0 are equal in number and add up to the same.",
        perc_gate_output(t->gate, k, NULL));
    facts_table(f, NULL, caption);
    no_rows(t, f, k, &s, true);
    no_rows(t, f, k, &s, false);
    facts_end(f);
}

static void witness_rows(struct facts *f, const char *key, const perc_single *s,
                         const uint32_t *row, const int64_t *count, size_t n)
{
    char text[GATE_INPUTS];

    facts_list(f, key, NULL);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < s->inputs; i++) text[i] = row[k] >> i & 1 ? '1' : '0';
        text[s->inputs] = '\0';
        facts_row(f);
        facts_string(f, "row", NULL, text);
        facts_int(f, "times", NULL, count[k]);
        facts_end(f);
    }
    facts_end(f);
}

/* ----- outputs ------------------------------------------------------------------------------ */

/* How many rows have a 1 in each output; NULL: out of memory. */
static uint64_t *count_ones(const struct gating *t)
{
    uint64_t *ones = calloc(t->outputs + 1, sizeof *ones);
    unsigned char x[GATE_INPUTS];

    for (uint64_t r = 0; r < gate_rows(t) && ones != NULL; r++) {
        if (!gate_row(t, r, x)) {
            free(ones);
            return NULL;
        }
        for (size_t k = 0; k < t->outputs; k++) ones[k] += t->value[k];
    }
    return ones;
}

/* The ones are counted if the table is not shown. */
static void output_facts(const struct gating *t, struct facts *f)
{
    const char *hint = " (--rows N prints larger tables)";
    const bool told = !t->run && !t->whole;
    uint64_t *ones = told || t->cli->json ? count_ones(t) : calloc(t->outputs + 1, sizeof *ones);
    char buf[2][WORD];
    size_t source;

    if (ones == NULL) facts_fail(f);
    facts_list(f, "outputs", NULL);
    for (size_t k = 0; ones != NULL && k < t->outputs; k++) {
        facts_row(f);
        facts_string(f, "name", NULL, perc_gate_output(t->gate, k, &source));
        facts_count(f, "source", NULL, source);
        facts_bool(f, "next_state", NULL, k >= t->info.outputs);
        facts_count(f, "ones", NULL, ones[k]);
        /* For programs: its inputs, which are all that the output's text names, with their weights,
         * or the rows that say no, in the order of these inputs. */
        perc_single s;
        perc_gate_single(t->gate, k, &s);
        facts_object(f, "one_neuron", NULL);
        facts_bool(f, "possible", NULL, s.possible != 0);
        facts_list(f, "inputs", NULL);
        for (size_t i = 0; i < s.inputs; i++) {
            facts_row(f);
            facts_string(f, "name", NULL, perc_gate_input(t->gate, s.input[i]));
            facts_int(f, "source", NULL, s.input[i]);
            if (s.possible) facts_int(f, "weight", NULL, s.weight[i]);
            facts_end(f);
        }
        facts_end(f);
        if (s.possible) {
            facts_int(f, "threshold", NULL, s.threshold);
        } else {
            witness_rows(f, "ones", &s, s.one, s.one_count, s.ones);
            witness_rows(f, "zeros", &s, s.zero, s.zero_count, s.zeros);
        }
        facts_end(f);
        facts_end(f);
    }
    facts_end(f);
    for (size_t k = 0; k < t->outputs; k++)
        if (!gate_is_state(t, k)) single_line(t, f, k);
    for (size_t k = 0; ones != NULL && k < t->outputs && told; k++) {
        if (gate_is_state(t, k)) continue;
        facts_line(f, "ones", "%s: in %s of %s rows%s", perc_gate_output(t->gate, k, NULL),
                   word_count(buf[0], ones[k]), word_count(buf[1], gate_rows(t)), hint);
        hint = "";
    }
    free(ones);
    for (size_t k = 0; k < t->outputs; k++) no_table(t, f, k);
}

/* ----- what comes out ---------------------------------------------------------------------- */

/* For programs: row r as two texts, what goes in and what comes out. */
static void table_pair(struct facts *f, const void *ud, uint64_t r)
{
    const struct gating *t = ud;
    unsigned char x[GATE_INPUTS];

    if (!gate_row(t, r, x)) facts_fail(f);
    for (size_t i = 0; i < t->inputs; i++) x[i] = x[i] ? '1' : '0';
    for (size_t k = 0; k < t->outputs; k++) t->value[k] = t->value[k] ? '1' : '0';
    x[t->inputs] = t->value[t->outputs] = '\0';
    facts_list(f, NULL, NULL);
    facts_string(f, NULL, NULL, (const char *)x);
    facts_string(f, NULL, NULL, (const char *)t->value);
    facts_end(f);
}

/* For people: a row of cells. */
static void table_row(struct facts *f, const void *ud, uint64_t r)
{
    const struct gating *t = ud;
    unsigned char x[GATE_INPUTS];

    if (!gate_row(t, r, x)) facts_fail(f);
    facts_row(f);
    for (size_t i = 0; i < t->inputs; i++) facts_int(f, NULL, perc_gate_input(t->gate, i), x[i]);
    for (size_t k = 0; k < t->outputs; k++)
        if (!gate_is_state(t, k))
            facts_int(f, NULL, perc_gate_output(t->gate, k, NULL), t->value[k]);
    facts_end(f);
}

static void table_facts(const struct gating *t, struct facts *f)
{
    if (!t->whole) {
        facts_null(f, "table");
        return;
    }
    facts_list(f, "table", NULL);
    facts_each(f, gate_rows(t), 0, table_pair, t);
    facts_end(f);
    if (t->run) return;
    facts_table(f, NULL, "");
    facts_each(f, 0, gate_rows(t), table_row, t);
    facts_end(f);
}

/* The name of signal k; NULL: an output that is a state, and shown among the states already. */
static const char *signal_name(const struct gating *t, size_t k)
{
    size_t source;

    if (k < t->inputs) return perc_gate_input(t->gate, k);
    const char *name = perc_gate_output(t->gate, k - t->inputs, &source);
    const bool shown = source < t->inputs && strcmp(name, perc_gate_input(t->gate, source)) == 0;
    return shown ? NULL : name;
}

/* The signals from step `from` on: their values, and a drawing of them. */
static void say_waves(const struct gating *t, struct facts *f, size_t from, int width)
{
    const perc_signals *s = &t->signals;
    const size_t n = s->steps - from < STEPS ? s->steps - from : STEPS;
    char value[STEPS + 1], wave[STEPS + 1];

    facts_prose(f, "\n  %-*s  %zu ...\n", width, "step", from);
    for (size_t k = 0; k < s->signals; k++) {
        const char *name = signal_name(t, k);

        if (name == NULL) continue;
        for (size_t i = 0; i < n; i++) {
            const bool on = s->value[(from + i) * s->signals + k] != 0;

            value[i] = on ? '1' : '0';
            wave[i] = on ? '#' : '_';
        }
        value[n] = wave[n] = '\0';
        facts_more(f, "  %-*s  %s  %s\n", width, name, value, wave);
    }
}

/* For programs, each signal is a text with a digit per step. */
static void signal_facts(const struct gating *t, struct facts *f)
{
    const perc_signals *s = &t->signals;
    char *text = t->run ? malloc(s->steps + 1) : NULL;
    size_t width = 4;

    if (text == NULL) {
        facts_null(f, "signals");
        if (t->run) facts_fail(f);
        return;
    }
    facts_object(f, "signals", NULL);
    for (size_t k = 0; k < s->signals; k++) {
        const char *name = signal_name(t, k);

        if (name == NULL) continue;
        for (size_t i = 0; i < s->steps; i++) text[i] = s->value[i * s->signals + k] ? '1' : '0';
        text[s->steps] = '\0';
        facts_string(f, name, NULL, text);
        width = strlen(name) > width ? strlen(name) : width;
    }
    facts_end(f);
    free(text);
    for (size_t from = 0; from < s->steps; from += STEPS) say_waves(t, f, from, (int)width);
}

/* ----- all of it ----------------------------------------------------------------------------- */

void gate_report(const struct gating *t, struct facts *f)
{
    facts_string(f, "command", NULL, "gate");
    facts_string(f, "formula", NULL, t->formula);
    facts_int(f, "unrolled", NULL, t->unroll);
    input_facts(t, f, "inputs", 0, t->info.inputs);
    input_facts(t, f, "states", t->info.inputs, t->info.states);
    facts_line(f, "outputs", "%s", "");
    circuit_names(f, &t->circuit, 0, t->info.outputs, true);
    time_facts(t, f);
    circuit_neurons(f, &t->circuit, t->info.neurons);
    output_facts(t, f);
    table_facts(t, f);
    signal_facts(t, f);
    const char *label = perc_gate_output(t->gate, t->target, NULL);
    char buf[WORD];
    facts_string(f, "model", t->output != NULL ? "model" : NULL, t->output);
    facts_string(f, "truth_table", t->table != NULL ? "table" : NULL, t->table);
    facts_say(f, "%s (%s rows)", t->table != NULL ? t->table : "", word_count(buf, gate_rows(t)));
    facts_string(f, "certificate", t->proved ? "certificate" : NULL, t->proof);
    if (t->proved)
        facts_say(f, "%s (%s); check it with: perceptron verify %s %s --label \"%s\"", t->proof,
                  perc_verdict_text(t->verdict), t->proof, t->table, label);
    facts_string(f, "verdict", NULL, t->proved ? perc_verdict_text(t->verdict) : NULL);
    if (!t->run && t->info.states > 0)
        facts_prose(f, "\nIt has states: --steps T or --input \"...\" runs it, --unroll T makes a "
                       "network\nwithout them.\n");
}
