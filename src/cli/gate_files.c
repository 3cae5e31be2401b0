/* gate_files.c -- what `perceptron gate` writes: the truth table, a certificate about it, and a
 * model. */
#include "cli/gate.h"

#include <stdio.h>
#include <string.h>

#include "show/word.h"

/* The name of the label column for several outputs, as in the model: no input has this name. */
static void label_name(const struct gating *t, struct out *o)
{
    char name[CIRCUIT_NAME] = "label";
    size_t n = strlen(name), i = 0;

    while (perc_gate_input(t->gate, i) != NULL)
        if (strcmp(perc_gate_input(t->gate, i++), name) == 0 && n + 1 < sizeof name) {
            name[n++] = '_';
            i = 0;
        }
    out_text(o, name);
}

/* 0 or 1; for several outputs the label of the model, "sum=0,carry=1", quoted. */
static void table_label(const struct gating *t, struct out *o)
{
    const char *between = "\"";

    if (!t->several) {
        out_text(o, t->value[t->target] ? "1" : "0");
        return;
    }
    for (size_t k = 0; k < t->outputs; k++) {
        if (gate_is_state(t, k)) continue;
        out_fmt(o, "%s%s=%d", between, perc_gate_output(t->gate, k, NULL), t->value[k]);
        between = ",";
    }
    out_text(o, "\"");
}

/* "a,b,out" and a line per row: what `test` takes for the model. */
static int write_table(const struct gating *t)
{
    unsigned char x[GATE_INPUTS];
    perc_error err = { 0 };
    struct out *o;

    if (out_open(&t->cli->env, t->table, &o, &err)) return cli_fail(t->cli, t->table, &err);
    for (size_t i = 0; i < t->inputs; i++) out_fmt(o, "%s,", perc_gate_input(t->gate, i));
    if (t->several) label_name(t, o);
    else out_text(o, perc_gate_output(t->gate, t->target, NULL));
    out_text(o, "\n");
    for (uint64_t r = 0; r < gate_rows(t) && !out_broken(o); r++) {
        if (!gate_row(t, r, x)) out_fail_memory(o);
        for (size_t i = 0; i < t->inputs; i++) out_text(o, x[i] ? "1," : "0,");
        table_label(t, o);
        out_text(o, "\n");
    }
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
            rc = cli_fail(t->cli, word_output(t->proof), &err);
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
        rc = cli_fail(t->cli, word_output(t->output), &err);
    perc_model_free(m);
    return rc;
}

int gate_files(struct gating *t)
{
    int rc = EXIT_DONE;

    if (t->table != NULL) rc = write_table(t);
    if (rc == EXIT_DONE && t->proof != NULL) rc = prove_table(t);
    if (rc == EXIT_DONE && t->output != NULL) rc = save_model(t);
    return rc;
}
