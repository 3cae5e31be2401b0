/* cmd_gate.c -- perceptron gate: a logic formula as a network of threshold neurons.
 *
 * The library compiles it and says for each output whether one neuron is enough. Here that is said,
 * with the truth table; or the network is run in time, or unrolled; and what was asked for is
 * written: a model, the table, and a proof about that very table. */
#include "cli/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64 }; /* of the table, without --rows */

/* ----- rows --------------------------------------------------------------------------------- */

bool gate_is_state(const struct gating *t, size_t k)
{
    size_t source;
    const char *name = perc_gate_output(t->gate, k, &source);

    return source < t->inputs || strchr(name, '@') != NULL;
}

uint64_t gate_rows(const struct gating *t)
{
    return (uint64_t)1 << t->inputs;
}

bool gate_row(const struct gating *t, uint64_t r, unsigned char *x)
{
    perc_error err = { 0 };

    for (size_t i = 0; i < t->inputs; i++) x[i] = r >> (t->inputs - 1 - i) & 1;
    return perc_gate_run(t->gate, x, t->value, &err) == PERC_OK;
}

/* ----- the work --------------------------------------------------------------------------- */

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* Where the text is not weights between commas, a colon and a threshold, each of them a number; the
 * numbers themselves are read with the formula. Its end: nowhere. */
static const char *find_fault(const char *text)
{
    static const char number[] = "0123456789.";
    bool threshold = false;

    for (;;) {
        text += strspn(text, " \t");
        const char *begin = text + strspn(text, "+-");
        text = begin + strspn(begin, number);
        if (text == begin) return text;
        text += strspn(text, " \t");
        if (*text == '\0') return threshold ? NULL : text;
        if (threshold || (*text != ',' && *text != ':')) return text;
        threshold = *text++ == ':';
    }
}

/* "1,1:1.5" is the formula neuron(1,1:1.5). */
static int write_neuron(struct gating *t)
{
    const size_t n = strlen(t->neuron);
    const char *fault = find_fault(t->neuron);
    perc_error err = { .status = PERC_EDATA, .line = 1 };

    if (fault != NULL) {
        err.column = fault - t->neuron + 1;
        snprintf(err.text, sizeof err.text,
                 "a neuron is weights, : and its threshold, all of them numbers: 1,1:1.5 (names "
                 "are for formulas: neuron(a, b : 1.5))");
        return gate_fault(t->cli, "--neuron", t->neuron, &err);
    }
    if ((t->written = malloc(n + sizeof "neuron()")) == NULL) return cli_memory(t->cli);
    snprintf(t->written, n + sizeof "neuron()", "neuron(%s)", t->neuron);
    t->formula = t->written;
    return EXIT_DONE;
}

/* A fault in the formula, or in the neuron that it was made of. */
static int formula_fault(const struct gating *t, perc_error *err)
{
    if (t->written == NULL) return gate_fault(t->cli, "formula", t->formula, err);
    const int64_t before = (int64_t)strlen("neuron(");
    err->column = err->column > before ? err->column - before : err->column > 0 ? 1 : 0;
    return gate_fault(t->cli, "--neuron", t->neuron, err);
}

/* An option that would do nothing is a mistake, and so is one that contradicts another. */
static int check_gate_options(const struct gating *t)
{
    const bool run = t->steps > 0 || t->input != NULL;

    if ((t->formula == NULL) == (t->neuron == NULL))
        return cli_usage(t->cli, t->neuron == NULL
                                     ? "FORMULA is missing, or --neuron WEIGHTS:THRESHOLD"
                                     : "--neuron or a formula: a formula can contain neurons, "
                                       "neuron(a, b : 1.5)");
    if (t->proof != NULL && t->table == NULL)
        return cli_usage(t->cli, "--proof needs --table FILE: a certificate is about a file");
    if (is_stdout(t->table))
        return cli_usage(t->cli, "--table needs a file (--rows N prints the table)");
    if (is_stdout(t->output) && is_stdout(t->proof))
        return cli_usage(t->cli, "-o and --proof cannot both be standard output");
    if (t->of != NULL && t->table == NULL)
        return cli_usage(t->cli, "--of does nothing without --table");
    if (t->unroll > 0 && run)
        return cli_usage(t->cli, "--unroll makes a network without time: leave out --steps and "
                                 "--input, or run the machine as it is");
    if (t->initial != NULL && t->unroll == 0 && !run)
        return cli_usage(t->cli, "--initial does nothing without --steps, --input or --unroll");
    return EXIT_DONE;
}

/* With the model or the certificate on standard output the report goes to standard error. */
static int compile_gate(struct gating *t)
{
    const char *where = NULL;
    perc_error err = { 0 };
    struct facts f;
    int rc;

    if (perc_gate_new(&t->cli->env, t->formula, &t->gate, &err)) return formula_fault(t, &err);
    if (t->unroll > 0) {
        t->machine = t->gate;
        t->gate = NULL;
        if (perc_gate_unroll(t->machine, t->initial, (size_t)t->unroll, &t->gate, &err))
            return err.status == PERC_EDATA && err.line == 0
                       ? cli_usage(t->cli, "unrolled, %s (pass a smaller --unroll)", err.text)
                       : gate_fault(t->cli, "--initial", t->initial, &err);
    }
    perc_gate_info_get(t->gate, &t->info);
    t->inputs = t->info.inputs + t->info.states;
    t->outputs = t->info.outputs + t->info.states;
    t->value = malloc(t->outputs + 1);
    if (t->value == NULL || !circuit_init(&t->circuit, t->gate, NULL, t->formula))
        return cli_memory(t->cli);
    t->whole = gate_rows(t) <= (uint64_t)t->rows;
    /* The output that --of names, or the only one. */
    size_t plain = 0;

    /* Without inputs the table is one column, whose name cannot be told from a value. */
    if (t->proof != NULL && t->inputs == 0)
        return cli_usage(t->cli, "--proof: there are no inputs, every output is a constant, and "
                                 "nothing is left to prove");
    for (size_t o = t->outputs; o > 0; o--) {
        if (t->of != NULL && strcmp(perc_gate_output(t->gate, o - 1, NULL), t->of) != 0) continue;
        if (t->of != NULL && gate_is_state(t, o - 1))
            return cli_usage(t->cli, "--of: %s is a state; its next value is called %s'", t->of,
                             t->of);
        if (gate_is_state(t, o - 1)) continue;
        t->target = o - 1;
        plain++;
    }
    if (t->of != NULL && plain == 0)
        return cli_usage(t->cli, "--of: there is no output '%s'", t->of);
    t->several = plain > 1;
    if (t->several && t->proof != NULL)
        return cli_usage(t->cli, "--proof is about one output of several: pass --of %s, say",
                         perc_gate_output(t->gate, t->target, NULL));
    t->run = t->steps > 0 || t->input != NULL;
    if (t->run &&
        perc_gate_steps(t->gate, t->input, t->initial, (size_t)t->steps, &t->signals, &where, &err))
        return gate_fault(t->cli, where == t->initial ? "--initial" : "--input", where, &err);
    if ((rc = gate_files(t))) return rc;
    cli_facts(t->cli, &f);
    gate_report(t, &f);
    return cli_print(t->cli, &f, is_stdout(t->output) || is_stdout(t->proof));
}

int cmd_gate(struct cli *cli)
{
    struct gating t = { .cli = cli, .rows = ROWS };
    const struct opt opts[] = {
        { 0, "neuron", OPT_TEXT, &t.neuron, "W,...:T",
          "in place of a formula: one neuron with these weights and this threshold, 1,1:1.5", 0,
          0 },
        { 'o', "output", OPT_WRITE, &t.output, "MODEL", "save the network as a model", 0, 0 },
        { 0, "rows", OPT_INT, &t.rows, "N", "print the truth table if it has at most N rows [64]",
          0, 1 << 20 },
        { 0, "table", OPT_WRITE, &t.table, "FILE.csv", "write the whole truth table", 0, 0 },
        { 0, "proof", OPT_WRITE, &t.proof, "CERT.json",
          "write a certificate for the answer whether one neuron is enough, about the rows of "
          "--table; 'perceptron verify' checks it",
          0, 0 },
        { 0, "of", OPT_TEXT, &t.of, "NAME", "the output that --table and --proof are about", 0, 0 },
        { 0, "steps", OPT_INT, &t.steps, "T", "run the network for T steps", 1, 1 << 20 },
        { 0, "input", OPT_TEXT, &t.input, "SEQUENCES",
          "what the inputs are, step by step: \"a=0110 r=0001\"", 0, 0 },
        { 0, "initial", OPT_TEXT, &t.initial, "VALUES",
          "what the states are at first, \"s=1\" [all 0]", 0, 0 },
        { 0, "unroll", OPT_INT, &t.unroll, "T", "a network without states, for T steps at once", 1,
          1 << 20 },
        OPT_JSON(cli),
        { 'q', "quiet", OPT_FLAG, &cli->quiet, NULL, "write the files and say nothing", 0, 0 },
        OPT_END
    };
    const struct operand operands[] = { { "FORMULA", &t.formula, true, OPT_TEXT }, OPERANDS_END };
    int rc;

    if (!cli_parse(cli, opts, operands, NULL)) return cli->rc;
    if ((rc = check_gate_options(&t)) == EXIT_DONE &&
        (rc = t.neuron != NULL ? write_neuron(&t) : EXIT_DONE) == EXIT_DONE &&
        (rc = cli_can_write(cli, t.output)) == EXIT_DONE &&
        (rc = cli_can_write(cli, t.table)) == EXIT_DONE &&
        (rc = cli_can_write(cli, t.proof)) == EXIT_DONE)
        rc = compile_gate(&t);
    free(t.value);
    free(t.written);
    circuit_free(&t.circuit);
    perc_signals_free(&t.signals);
    perc_gate_free(t.gate);
    perc_gate_free(t.machine);
    return rc;
}
