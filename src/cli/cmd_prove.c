/* cmd_prove.c -- perceptron prove: can a plane separate the classes? With a proof.
 *
 * The file is read with every number as it stands there, the library settles each problem
 * and checks its answer in whole numbers, and the answer is printed. With -o it is also
 * written down so that `perceptron verify`, or anybody, can check it again. */
#include "cli/prove.h"

#include <string.h>

#include "show/word.h"

/* Options of "data" that a proof refuses, because it is about the file. They are not offered, but
 * the library tells anybody who tries why not. */
#define REFUSED "scale map hash float32 group time"

struct refused {
    const char *scale, *map, *hash;
    int float32;
};

/* ----- options ----------------------------------------------------------------- */

/* An option that would do nothing is a mistake. */
static int check_prove_options(struct proving *t)
{
    static const char *const needs[][2] = { { "gap", "margin" }, { "orders", "bound" } };

    t->about.params = t->params;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (cli_given(t->cli, needs[i][0]) && !witness_flag(&t->about, needs[i][1]))
            return cli_usage(t->cli, "--%s does nothing without --%s", needs[i][0], needs[i][1]);
    return EXIT_DONE;
}

static int set_refused(const struct proving *t, const struct refused *r)
{
    const char *const pair[][2] = { { "scale", r->scale },
                                    { "map", r->map },
                                    { "hash", r->hash },
                                    { "float32", r->float32 ? "true" : NULL } };
    perc_error err = { 0 };

    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        if (pair[i][1] != NULL && perc_params_set(t->data_params, pair[i][0], pair[i][1], &err))
            return cli_usage(t->cli, "%s", err.text);
    return EXIT_DONE;
}

/* ----- the work ---------------------------------------------------------------- */

int prove_answer(const struct proving *t)
{
    const bool bound = witness_flag(&t->about, "bound");
    perc_bound b;
    perc_part p;
    int rc = EXIT_DONE;

    for (size_t i = 0; i < perc_proof_parts(t->proof); i++) {
        perc_proof_part(t->proof, i, &p);
        if (p.verdict == PERC_UNDECIDED) rc = EXIT_UNDECIDED;
        else if (p.verdict != PERC_SEPARABLE) return EXIT_NO;
        else if (p.margin_lower == 0 || (bound && !perc_proof_bound(t->proof, &b)))
            rc = EXIT_UNDECIDED; /* asked for, and not found */
    }
    return rc;
}

/* Undecided problems are left out of the certificate. */
static int write_certificate(struct proving *t)
{
    const size_t n = perc_proof_parts(t->proof);
    perc_error err = { 0 };

    if (t->output == NULL) return EXIT_DONE;
    if (t->undecided == n) {
        cli_note(t->cli, "%s was not written: a certificate proves an answer, and %s undecided",
                 word_output(t->output), n == 1 ? "this one is" : "all of these are");
        return EXIT_DONE;
    }
    if (t->undecided > 0)
        cli_note(t->cli, "%s holds %zu of %zu problems; %zu %s undecided and left out",
                 word_output(t->output), n - t->undecided, n, t->undecided,
                 t->undecided == 1 ? "is" : "are");
    if (perc_proof_write(t->proof, t->ds, t->output, &err))
        return cli_fail(t->cli, word_output(t->output), &err);
    t->written = true;
    return EXIT_DONE;
}

static int prove_data(struct proving *t)
{
    const perc_env *env = &t->cli->env;
    perc_error err = { 0 };
    perc_status st;
    perc_part part;
    double begun;
    int rc;

    if (perc_dataset_read_exact(env, t->data, t->data_params, &t->ds, &err))
        return cli_fail(t->cli, t->data, &err);
    const perc_observer watch = ticker_observer(&t->ticker, t->cli);
    t->ticker.unit = "problem";
    interrupt_catch(); /* not earlier: reading cannot be cut short and kept */
    begun = ticker_seconds();
    st = perc_prove(env, t->ds, t->params, &watch, &t->proof, &err);
    t->seconds = ticker_seconds() - begun;
    ticker_clear(&t->ticker);
    if (st == PERC_EARG) return cli_usage(t->cli, "%s", err.text);
    if (st != PERC_OK) return cli_fail(t->cli, t->data, &err);
    t->about.proof = t->proof;
    t->about.ds = t->ds;
    t->about.form = t->cli->form;
    t->about.reason = interrupt_seen() ? "an interrupt came first" : "a limit came first";
    perc_dataset_info_get(t->ds, &t->about.info);
    perc_proof_info_get(t->proof, &t->about.all);
    t->about.info.labels = t->about.all.labels;
    cli_note_unchecked(t->cli, t->data, t->about.info.unchecked);
    for (size_t i = 0; i < perc_proof_parts(t->proof); i++) {
        perc_proof_part(t->proof, i, &part);
        t->undecided += part.verdict == PERC_UNDECIDED;
    }
    if ((rc = write_certificate(t))) return rc;
    /* With the certificate on standard output the report goes to standard error. */
    struct facts f;

    cli_facts(t->cli, &f);
    prove_report(t, &f);
    if ((rc = cli_print(t->cli, &f, t->written && strcmp(t->output, "-") == 0))) return rc;
    return interrupt_seen() ? EXIT_INTERRUPTED : prove_answer(t);
}

int cmd_prove(struct cli *cli)
{
    struct proving t = { .cli = cli };
    struct refused r = { 0 };
    const struct opt opts[] = { { 'o', "output", OPT_WRITE, &t.output, "CERT.json",
                                  "write the certificate, which 'perceptron verify' checks", 0, 0 },
                                { 0, "scale", OPT_TEXT, &r.scale, "HOW", NULL, 0, 0 },
                                { 0, "map", OPT_TEXT, &r.map, "MAP", NULL, 0, 0 },
                                { 0, "hash", OPT_TEXT, &r.hash, "BITS", NULL, 0, 0 },
                                { 0, "float32", OPT_FLAG, &r.float32, NULL, NULL, 0, 0 },
                                OPT_FORM(cli),
                                OPT_THREADS(cli),
                                OPT_JSON(cli),
                                { 'q', "quiet", OPT_FLAG, &cli->quiet, NULL,
                                  "no progress and no report: the exit status is the answer", 0,
                                  0 },
                                OPT_END };
    const struct operand operands[] = { { "DATA", &t.data, false, OPT_DATA }, OPERANDS_END };
    const struct tables tables[] = { { "prove", NULL, NULL, NULL },
                                     { "data", NULL, NULL, REFUSED },
                                     TABLES_END };
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &t.data_params)) == EXIT_DONE &&
        (rc = set_refused(&t, &r)) == EXIT_DONE &&
        (rc = cli_params(cli, "prove", "prove", &t.params)) == EXIT_DONE &&
        (rc = check_prove_options(&t)) == EXIT_DONE &&
        (rc = cli_can_write(cli, t.output)) == EXIT_DONE)
        rc = prove_data(&t);
    perc_proof_free(t.proof);
    perc_dataset_free(t.ds);
    perc_params_free(t.params);
    perc_params_free(t.data_params);
    return rc;
}
