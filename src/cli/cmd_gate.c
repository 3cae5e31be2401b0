/* cmd_gate.c -- perceptron gate: a logic formula as a network of threshold neurons.
 *
 * The library compiles it and says for each output whether one neuron is enough. Here that is told,
 * with the truth table; or the network is run in time, or unrolled; and what was asked for is
 * written: a model, the table, and a proof about that very table. */
#include "cli/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

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

/* n bytes of a text of the user; returns how many columns they take. */
static size_t put_clean(const char *s, size_t n)
{
    size_t columns = 0;

    for (size_t i = 0, len; i<n; i += len> 0 ? len : 1, columns++) {
        if ((len = word_char(s + i, n - i)) > 0) fwrite(s + i, 1, len, stderr);
        else fputc(s[i] == '\t' || s[i] == '\r' ? ' ' : '?', stderr);
    }
    return columns;
}

/* The line with a caret under the column, both cut where they are long. */
static void point_at(const char *text, const perc_error *err)
{
    size_t len, at = err->column > 0 ? (size_t)err->column - 1 : 0, from = 0;
    const char *line = line_of(text, err->line, &len);

    if (at > len) at = len;
    size_t to = at + SHOWN < len ? at + SHOWN : len;
    if (at > SHOWN) from = at - SHOWN;
    while (from > 0 && ((unsigned char)line[from] & 0xc0) == 0x80)
        from--; /* not in the middle of a character */
    while (to < len && ((unsigned char)line[to] & 0xc0) == 0x80) to++;
    fprintf(stderr, "  %s", from > 0 ? "..." : "");
    const size_t before = put_clean(line + from, at - from);
    put_clean(line + at, to - at);
    fprintf(stderr, "%s\n  %s%*s^\n", to < len ? "..." : "", from > 0 ? "   " : "", (int)before,
            "");
}

/* The formula is an argument: a fault in it is wrong usage. */
static int bad_text(const struct cli *cli, const char *what, const char *text,
                    const perc_error *err)
{
    if (err->status != PERC_EDATA) return cli_fail(cli, NULL, err);
    if (text == NULL || err->line == 0) return cli_usage(cli, "%s", err->text);
    if (strchr(text, '\n') != NULL)
        fprintf(stderr, "perceptron gate: %s:%lld:%lld: ", what, (long long)err->line,
                (long long)err->column);
    else fprintf(stderr, "perceptron gate: %s:%lld: ", what, (long long)err->column);
    put_clean(err->text, strlen(err->text));
    fputc('\n', stderr);
    point_at(text, err);
    return EXIT_USAGE;
}

/* ----- names and rows ----------------------------------------------------------------- */

const char *gating_source(const struct gating *t, size_t source, char buf[GATE_NAME])
{
    const char *name = perc_gate_input(t->gate, source);
    size_t heard, plain = 0;

    if (name != NULL) return name;
    for (size_t o = 0; (name = perc_gate_output(t->gate, o, &heard)) != NULL; o++)
        if (heard == source) return name;
    /* Those that are no output are counted. */
    for (size_t k = t->info.inputs + t->info.states; k <= source; k++) {
        bool output = false;

        for (size_t o = 0; perc_gate_output(t->gate, o, &heard) != NULL; o++) output |= heard == k;
        plain += !output;
    }
    snprintf(buf, GATE_NAME, "%s%zu", t->prefix, plain);
    return buf;
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool gate_prefix_taken(const char *text, const char *prefix)
{
    const size_t n = strlen(prefix);

    for (const char *p = text; (p = strstr(p, prefix)) != NULL; p++)
        if (p[n] >= '0' && p[n] <= '9' && (p == text || !in_word(p[-1]))) return true;
    return false;
}

/* "n", or with more of them until no name of the formula, also of a definition that is no output,
 * is one of those. */
static void choose_prefix(struct gating *t)
{
    size_t n = 0;

    do {
        t->prefix[n++] = 'n';
    } while (n + 1 < sizeof t->prefix && gate_prefix_taken(t->formula, t->prefix));
}

bool gating_is_state(const struct gating *t, size_t k)
{
    size_t source;

    perc_gate_output(t->gate, k, &source);
    return source < t->info.inputs + t->info.states;
}

uint64_t gating_rows(const struct gating *t)
{
    return (uint64_t)1 << (t->info.inputs + t->info.states);
}

bool gating_row(const struct gating *t, uint64_t r, unsigned char *x, unsigned char *out)
{
    const size_t n = t->info.inputs + t->info.states;
    perc_error err = { 0 };

    for (size_t i = 0; i < n; i++) x[i] = r >> (n - 1 - i) & 1;
    return perc_gate_run(t->gate, x, out, &err) == PERC_OK;
}

bool gating_count(const struct gating *t, uint64_t *ones)
{
    const size_t n = t->info.outputs + t->info.states;
    unsigned char x[64], *out = malloc(n + 1);
    bool good = out != NULL;

    for (size_t o = 0; o < n; o++) ones[o] = 0;
    for (uint64_t r = 0; r < gating_rows(t) && good; r++) {
        good = gating_row(t, r, x, out);
        for (size_t o = 0; o < n && good; o++) ones[o] += out[o];
    }
    free(out);
    return good;
}

bool gating_period(const struct gating *t, size_t *before, size_t *period)
{
    perc_error err = { 0 };

    return t->info.inputs == 0 && t->info.states > 0 &&
           !perc_gate_period(t->gate, t->initial, before, period, &err) && *period > 0;
}

/* ----- files ---------------------------------------------------------------------------- */

/* The column of labels of several outputs, as the model calls it: no input has the name. */
static void label_name(const struct gating *t, struct out *o)
{
    char name[GATE_NAME] = "label";
    size_t n = strlen(name), i = 0;

    while (perc_gate_input(t->gate, i) != NULL)
        if (strcmp(perc_gate_input(t->gate, i++), name) == 0 && n + 1 < sizeof name) {
            name[n++] = '_';
            i = 0;
        }
    out_text(o, name);
}

/* 0 or 1; of several outputs the label of the model, "sum=0,carry=1", quoted. */
static void table_label(const struct gating *t, struct out *o, const unsigned char *value)
{
    const size_t all = t->info.outputs + t->info.states;
    const char *between = "\"";

    if (!t->several) {
        out_text(o, value[t->target] ? "1" : "0");
        return;
    }
    for (size_t k = 0; k < all; k++) {
        if (gating_is_state(t, k)) continue;
        out_fmt(o, "%s%s=%d", between, perc_gate_output(t->gate, k, NULL), value[k]);
        between = ",";
    }
    out_text(o, "\"");
}

/* "a,b,out" and a line for each row: what `test` takes for the model. */
static int write_table(const struct gating *t)
{
    const size_t inputs = t->info.inputs + t->info.states, all = t->info.outputs + t->info.states;
    unsigned char x[64], *value = malloc(all + 1);
    perc_error err = { 0 };
    struct out *o;

    if (value == NULL) return cli_memory(t->cli);
    if (out_open(&t->cli->env, t->table, &o, &err)) {
        free(value);
        return cli_fail(t->cli, t->table, &err);
    }
    for (size_t i = 0; i < inputs; i++) out_fmt(o, "%s,", perc_gate_input(t->gate, i));
    if (t->several) label_name(t, o);
    else out_text(o, perc_gate_output(t->gate, t->target, NULL));
    out_text(o, "\n");
    for (uint64_t r = 0; r < gating_rows(t) && !out_broken(o); r++) {
        if (!gating_row(t, r, x, value)) out_fail_memory(o);
        for (size_t i = 0; i < inputs; i++) out_text(o, x[i] ? "1," : "0,");
        table_label(t, o, value);
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

    if (perc_params_new(env, "data", &p, &err) || perc_params_set(p, "label", label, &err) ||
        perc_dataset_read_exact(env, t->table, p, &ds, &err) ||
        perc_prove(env, ds, NULL, NULL, &proof, &err)) {
        rc = cli_fail(t->cli, NULL, &err);
    } else {
        perc_proof_part(proof, 0, &part);
        perc_gate_single(t->gate, t->target, &s);
        t->verdict = part.verdict;
        t->proved = true;
        if ((part.verdict == PERC_SEPARABLE) != (s.possible != 0)) {
            snprintf(err.text, sizeof err.text, "a bug: the proof says the opposite");
            rc = cli_fail(t->cli, NULL, &err);
        } else if (perc_proof_write(proof, ds, t->proof, &err)) {
            rc = cli_fail(t->cli, cli_output_name(t->proof), &err);
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
        rc = cli_fail(t->cli, cli_output_name(t->output), &err);
    perc_model_free(m);
    return rc;
}

static int write_files(struct gating *t)
{
    int rc = EXIT_DONE;

    if (t->table != NULL) rc = write_table(t);
    if (rc == EXIT_DONE && t->proof != NULL) rc = prove_table(t);
    if (rc == EXIT_DONE && t->output != NULL) rc = save_model(t);
    return rc;
}

/* ----- the work --------------------------------------------------------------------------- */

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* An option that would do nothing is a mistake, and so is one that contradicts another. */
static int check_usage(const struct gating *t)
{
    const bool run = t->steps > 0 || t->input != NULL;

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

/* The output that --of names; the only one, where there is no choice. */
static int choose_target(struct gating *t)
{
    const size_t n = t->info.outputs + t->info.states;
    size_t plain = 0;

    /* A table without inputs is one column: whoever reads it cannot tell its name from a value. */
    if (t->proof != NULL && t->info.inputs + t->info.states == 0)
        return cli_usage(t->cli, "--proof: there are no inputs, every output is a constant, and "
                                 "nothing is left to prove");
    for (size_t o = n; o > 0; o--) {
        if (t->of != NULL && strcmp(perc_gate_output(t->gate, o - 1, NULL), t->of) != 0) continue;
        if (t->of != NULL && gating_is_state(t, o - 1))
            return cli_usage(t->cli, "--of: %s is a state; its next value is called %s'", t->of,
                             t->of);
        if (gating_is_state(t, o - 1)) continue;
        t->target = o - 1;
        plain++;
    }
    if (t->of != NULL && plain == 0)
        return cli_usage(t->cli, "--of: there is no output '%s'", t->of);
    t->several = plain > 1;
    if (t->several && t->proof != NULL)
        return cli_usage(t->cli, "--proof is about one output of several: pass --of %s, say",
                         perc_gate_output(t->gate, t->target, NULL));
    return EXIT_DONE;
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

/* With the model or the certificate on standard output the report goes to standard error. */
static int report(const struct gating *t)
{
    const bool aside = is_stdout(t->output) || is_stdout(t->proof);
    struct out *o = t->cli->out;
    perc_error err = { 0 };

    if (aside && out_open(&t->cli->env, NULL, &o, &err)) return cli_fail(t->cli, NULL, &err);
    if (t->cli->json) gate_report_json(t, o);
    else if (!t->cli->quiet) gate_report_text(t, o);
    if (aside) {
        fputs(out_kept(o), stderr);
        out_abort(o);
    }
    return EXIT_DONE;
}

static int gate(struct gating *t)
{
    perc_error err = { 0 };
    int rc;

    if (perc_gate_new(&t->cli->env, t->formula, &t->gate, &err))
        return bad_text(t->cli, "formula", t->formula, &err);
    if (t->unroll > 0 && (rc = unroll(t))) return rc;
    perc_gate_info_get(t->gate, &t->info);
    choose_prefix(t);
    t->whole = gating_rows(t) <= (uint64_t)t->rows;
    if ((rc = choose_target(t)) || ((t->steps > 0 || t->input != NULL) && (rc = run(t))) ||
        (rc = write_files(t)))
        return rc;
    return report(t);
}

int cmd_gate(struct cli *cli)
{
    struct gating t = { .cli = cli, .rows = ROWS };
    const struct opt opts[] = {
        { 'o', "output", OPT_TEXT, &t.output, "MODEL", "save the network as a model", 0, 0 },
        { 0, "rows", OPT_INT, &t.rows, "N", "print the truth table if it has at most N rows [64]",
          0, 1 << 20 },
        { 0, "table", OPT_TEXT, &t.table, "FILE.csv", "write the whole truth table", 0, 0 },
        { 0, "proof", OPT_TEXT, &t.proof, "CERT.json",
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
    const struct operand operands[] = { { "FORMULA", &t.formula, false }, OPERANDS_END };
    int rc;

    if (!cli_parse(cli, opts, operands, NULL)) return cli->rc;
    if ((rc = check_usage(&t)) == EXIT_DONE &&
        (rc = t.output != NULL ? cli_can_write(cli, t.output, NULL) : EXIT_DONE) == EXIT_DONE &&
        (rc = t.table != NULL ? cli_can_write(cli, t.table, NULL) : EXIT_DONE) == EXIT_DONE &&
        (rc = t.proof != NULL ? cli_can_write(cli, t.proof, NULL) : EXIT_DONE) == EXIT_DONE)
        rc = gate(&t);
    perc_signals_free(&t.signals);
    perc_gate_free(t.gate);
    perc_gate_free(t.machine);
    return rc;
}
