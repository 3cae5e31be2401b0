/* cmd_gate.c -- perceptron gate: a logic formula as a network of threshold neurons.
 *
 * The library compiles it and says for each output whether one neuron is enough. Here that is told,
 * with the truth table; or the network is run in time, or unrolled; and what was asked for is
 * written: a model, the table, and a proof about that very table. */
#include "cli/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, SHOWN = 60 }; /* of the table, if --rows says nothing; signs of a faulty line */

/* ----- a formula with a fault ------------------------------------------------------- */

/* Line `line` of a text, and how long it is. */
static const char *line_of(const char *text, int64_t line, size_t *len)
{
    while (line > 1 && strchr(text, '\n') != NULL) {
        text = strchr(text, '\n') + 1;
        line--;
    }
    *len = strcspn(text, "\n");
    return text;
}

/* The line with a caret under the column, both cut where they are long. */
static void point_at(const char *text, const perc_error *err)
{
    size_t len, at = err->column > 0 ? (size_t)err->column - 1 : 0, from = 0;
    const char *line = line_of(text, err->line, &len);

    if (at > len)
        at = len;
    if (at > SHOWN)
        from = at - SHOWN;
    while (from > 0 && ((unsigned char)line[from] & 0xc0) == 0x80)
        from--; /* not in the middle of a character */
    fprintf(stderr, "  %s", from > 0 ? "..." : "");
    for (size_t i = from; i < len && i < at + SHOWN; i++)
        fputc((unsigned char)line[i] < ' ' ? ' ' : line[i], stderr);
    fprintf(stderr, "%s\n  %s", at + SHOWN < len ? "..." : "", from > 0 ? "   " : "");
    for (size_t i = from; i < at; i++)
        if (((unsigned char)line[i] & 0xc0) != 0x80)
            fputc(' ', stderr);
    fputs("^\n", stderr);
}

/* The formula is an argument: a fault in it is wrong usage. */
static int bad_text(const struct cli *cli, const char *what, const char *text,
                    const perc_error *err)
{
    if (err->status != PERC_EDATA)
        return cli_fail(cli, NULL, err);
    if (text == NULL || err->line == 0)
        return cli_usage(cli, "%s", err->text);
    if (strchr(text, '\n') != NULL)
        fprintf(stderr, "perceptron gate: %s:%lld:%lld: %s\n", what, (long long)err->line,
                (long long)err->column, err->text);
    else
        fprintf(stderr, "perceptron gate: %s:%lld: %s\n", what, (long long)err->column, err->text);
    point_at(text, err);
    return EXIT_USAGE;
}

/* ----- names and rows ----------------------------------------------------------------- */

const char *gating_source(const struct gating *t, size_t source, char buf[GATE_NAME])
{
    const char *name = perc_gate_input(t->gate, source);
    size_t heard, plain = 0;

    if (name != NULL)
        return name;
    for (size_t o = 0; (name = perc_gate_output(t->gate, o, &heard)) != NULL; o++)
        if (heard == source)
            return name;
    /* Those that are no output are counted. */
    for (size_t k = t->info.inputs + t->info.states; k <= source; k++) {
        bool output = false;

        for (size_t o = 0; perc_gate_output(t->gate, o, &heard) != NULL; o++)
            output |= heard == k;
        plain += !output;
    }
    snprintf(buf, GATE_NAME, "%s%zu", t->prefix, plain);
    return buf;
}

/* "n", or with more of them until no name of the formula is one of those. */
static void choose_prefix(struct gating *t)
{
    const size_t names = t->info.inputs + t->info.states;
    const size_t all = names + t->info.outputs + t->info.states;
    bool taken = true;

    for (size_t n = 1; taken && n < sizeof t->prefix; n++) {
        memset(t->prefix, 'n', n);
        t->prefix[n] = '\0';
        taken = false;
        for (size_t i = 0; i < all; i++) {
            const char *name = i < names ? perc_gate_input(t->gate, i)
                                         : perc_gate_output(t->gate, i - names, NULL);

            taken |= strncmp(name, t->prefix, n) == 0 && name[n] >= '0' && name[n] <= '9';
        }
    }
}

uint64_t gating_rows(const struct gating *t)
{
    return (uint64_t)1 << (t->info.inputs + t->info.states);
}

bool gating_row(const struct gating *t, uint64_t r, unsigned char *x, unsigned char *out)
{
    const size_t n = t->info.inputs + t->info.states;
    perc_error err = { 0 };

    for (size_t i = 0; i < n; i++)
        x[i] = r >> (n - 1 - i) & 1;
    return perc_gate_run(t->gate, x, out, &err) == PERC_OK;
}

bool gating_count(const struct gating *t, uint64_t *ones)
{
    const size_t n = t->info.outputs + t->info.states;
    unsigned char x[64], *out = malloc(n + 1);
    bool good = out != NULL;

    for (size_t o = 0; o < n; o++)
        ones[o] = 0;
    for (uint64_t r = 0; r < gating_rows(t) && good; r++) {
        good = gating_row(t, r, x, out);
        for (size_t o = 0; o < n && good; o++)
            ones[o] += out[o];
    }
    free(out);
    return good;
}

/* ----- files ---------------------------------------------------------------------------- */

/* "a,b,out" and a line for each row; `only` an output, or all of them. */
static int write_table(const struct gating *t, bool only)
{
    const size_t inputs = t->info.inputs + t->info.states, all = t->info.outputs + t->info.states;
    const size_t from = only ? t->target : 0, to = only ? t->target + 1 : all;
    unsigned char x[64], *value = malloc(all + 1);
    perc_error err = { 0 };
    struct out *o;

    if (value == NULL)
        return cli_memory(t->cli);
    if (out_open(&t->cli->env, t->table, &o, &err)) {
        free(value);
        return cli_fail(t->cli, t->table, &err);
    }
    for (size_t i = 0; i < inputs; i++)
        out_fmt(o, "%s,", perc_gate_input(t->gate, i));
    for (size_t k = from; k < to; k++)
        out_fmt(o, "%s%s", k > from ? "," : "", perc_gate_output(t->gate, k, NULL));
    out_text(o, "\n");
    for (uint64_t r = 0; r < gating_rows(t) && !out_broken(o); r++) {
        if (!gating_row(t, r, x, value))
            out_fail_memory(o);
        for (size_t i = 0; i < inputs; i++)
            out_text(o, x[i] ? "1," : "0,");
        for (size_t k = from; k < to; k++)
            out_fmt(o, "%s%d", k > from ? "," : "", value[k]);
        out_text(o, "\n");
    }
    free(value);
    return out_close(o, &err) ? cli_fail(t->cli, t->table, &err) : EXIT_DONE;
}

/* `prove` on the table as it was written, so that the certificate is about that file. */
static int prove_table(struct gating *t)
{
    const perc_env *env = &t->cli->env;
    const char *label = perc_gate_output(t->gate, t->target, NULL);
    perc_dataset *ds = NULL;
    perc_params *p = NULL;
    perc_proof *proof = NULL;
    perc_single s;
    perc_part part;
    perc_error err = { .status = PERC_EDATA };
    int rc = EXIT_DONE;

    if (perc_params_new(env, "data", &p, &err) || perc_params_set(p, "label", label, &err)
        || perc_dataset_read_exact(env, t->table, p, &ds, &err)
        || perc_prove(env, ds, NULL, NULL, &proof, &err)
        || perc_proof_write(proof, ds, t->proof, &err)) {
        rc = cli_fail(t->cli, NULL, &err);
    } else {
        perc_proof_part(proof, 0, &part);
        perc_gate_single(t->gate, t->target, &s);
        t->verdict = part.verdict;
        t->proved = true;
        if ((part.verdict == PERC_SEPARABLE) != (s.possible != 0)) {
            snprintf(err.text, sizeof err.text, "a bug: the proof says the opposite");
            rc = cli_fail(t->cli, NULL, &err);
        }
    }
    perc_proof_free(proof);
    perc_dataset_free(ds);
    perc_params_free(p);
    return rc;
}

static int save_model(const struct gating *t)
{
    perc_model *m = NULL;
    perc_error err = { 0 };
    int rc = EXIT_DONE;

    if (perc_gate_model(t->gate, &m, &err))
        rc = err.status == PERC_EARG ? cli_usage(t->cli, "%s%s", err.text,
                                                 t->info.states > 0 ? " (pass --unroll T)" : "")
                                     : cli_fail(t->cli, NULL, &err);
    else if (perc_model_write(m, t->output, &err))
        rc = cli_fail(t->cli, t->output, &err);
    perc_model_free(m);
    return rc;
}

static int write_files(struct gating *t)
{
    int rc = EXIT_DONE;

    if (t->table != NULL)
        rc = write_table(t, t->proof != NULL || t->of != NULL);
    if (rc == EXIT_DONE && t->proof != NULL)
        rc = prove_table(t);
    if (rc == EXIT_DONE && t->output != NULL)
        rc = save_model(t);
    return rc;
}

/* ----- the work --------------------------------------------------------------------------- */

/* An option that would do nothing is a mistake, and so is one that contradicts another. */
static int check_usage(const struct gating *t)
{
    const bool run = t->steps > 0 || t->input != NULL;

    if (t->proof != NULL && t->table == NULL)
        return cli_usage(t->cli, "--proof needs --table FILE: a certificate is about a file");
    if (t->table != NULL && strcmp(t->table, "-") == 0)
        return cli_usage(t->cli, "--table needs a file (--rows N prints the table)");
    if (t->of != NULL && t->table == NULL)
        return cli_usage(t->cli, "--of does nothing without --table");
    if (t->unroll > 0 && run)
        return cli_usage(t->cli, "--unroll makes a network without time: leave out --steps and "
                         "--input, or run the machine as it is");
    if (t->initial != NULL && t->unroll == 0 && !run)
        return cli_usage(t->cli, "--initial does nothing without --steps, --input or --unroll");
    return EXIT_DONE;
}

/* The output that --of names; the only one, where there is no choice. */
static int choose_target(struct gating *t)
{
    const size_t n = t->info.outputs + t->info.states;

    if (t->of == NULL && t->proof != NULL && n > 1)
        return cli_usage(t->cli, "--proof is about one output of several: pass --of %s, say",
                         perc_gate_output(t->gate, 0, NULL));
    if (t->of == NULL)
        return EXIT_DONE;
    for (size_t o = 0; o < n; o++)
        if (strcmp(perc_gate_output(t->gate, o, NULL), t->of) == 0) {
            t->target = o;
            return EXIT_DONE;
        }
    return cli_usage(t->cli, "--of: there is no output '%s'", t->of);
}

static int unroll(struct gating *t)
{
    perc_error err = { 0 };

    t->machine = t->gate;
    t->gate = NULL;
    if (!perc_gate_unroll(t->machine, t->initial, (size_t)t->unroll, &t->gate, &err))
        return EXIT_DONE;
    if (err.status == PERC_EDATA && err.line == 0)
        return cli_usage(t->cli, "unrolled, %s (pass a smaller --unroll)", err.text);
    return bad_text(t->cli, "--initial", t->initial, &err);
}

static int run(struct gating *t)
{
    const char *where = NULL;
    perc_error err = { 0 };

    if (perc_gate_steps(t->gate, t->input, t->initial, (size_t)t->steps, &t->signals, &where, &err))
        return bad_text(t->cli, where == t->initial ? "--initial" : "--input", where, &err);
    t->run = true;
    return EXIT_DONE;
}

static int gate(struct gating *t)
{
    perc_error err = { 0 };
    int rc;

    if (perc_gate_new(&t->cli->env, t->formula, &t->gate, &err))
        return bad_text(t->cli, "formula", t->formula, &err);
    if (t->unroll > 0 && (rc = unroll(t)))
        return rc;
    perc_gate_info_get(t->gate, &t->info);
    choose_prefix(t);
    t->whole = gating_rows(t) <= (uint64_t)t->rows;
    if ((rc = choose_target(t)) || ((t->steps > 0 || t->input != NULL) && (rc = run(t)))
        || (rc = write_files(t)))
        return rc;
    if (t->cli->json)
        gate_report_json(t, t->cli->out);
    else if (!t->cli->quiet)
        gate_report_text(t, t->cli->out);
    return EXIT_DONE;
}

int cmd_gate(struct cli *cli)
{
    struct gating t = { .cli = cli, .rows = ROWS };
    const struct opt opts[] = {
        { 'o', "output", OPT_TEXT, &t.output, "MODEL", "save the network as a model", 0, 0 },
        { 0, "rows", OPT_INT, &t.rows, "N",
          "print the truth table if it has at most N rows [64]", 0, 1 << 20 },
        { 0, "table", OPT_TEXT, &t.table, "FILE.csv", "write the whole truth table", 0, 0 },
        { 0, "proof", OPT_TEXT, &t.proof, "CERT.json",
          "write a certificate for the answer whether one neuron is enough, about the rows of "
          "--table; 'perceptron verify' checks it", 0, 0 },
        { 0, "of", OPT_TEXT, &t.of, "NAME", "the output that --table and --proof are about", 0, 0 },
        { 0, "steps", OPT_INT, &t.steps, "T", "run the network for T steps", 1, 1 << 20 },
        { 0, "input", OPT_TEXT, &t.input, "SEQUENCES",
          "what the inputs are, step by step: \"a=0110 r=0001\"", 0, 0 },
        { 0, "initial", OPT_TEXT, &t.initial, "VALUES",
          "what the states are at first, \"s=1\" [all 0]", 0, 0 },
        { 0, "unroll", OPT_INT, &t.unroll, "T",
          "a network without states, for T steps at once", 1, 1 << 20 },
        OPT_JSON(cli),
        { 'q', "quiet", OPT_FLAG, &cli->quiet, NULL, "write the files and say nothing", 0, 0 },
        OPT_END
    };
    const struct operand operands[] = { { "FORMULA", &t.formula, false }, OPERANDS_END };
    int rc;

    if (!cli_parse(cli, opts, operands, NULL))
        return cli->rc;
    if ((rc = check_usage(&t)) == EXIT_DONE
        && (rc = t.output != NULL ? cli_can_write(cli, t.output, NULL) : EXIT_DONE) == EXIT_DONE
        && (rc = t.table != NULL ? cli_can_write(cli, t.table, NULL) : EXIT_DONE) == EXIT_DONE
        && (rc = t.proof != NULL ? cli_can_write(cli, t.proof, NULL) : EXIT_DONE) == EXIT_DONE)
        rc = gate(&t);
    perc_signals_free(&t.signals);
    perc_gate_free(t.gate);
    perc_gate_free(t.machine);
    return rc;
}
