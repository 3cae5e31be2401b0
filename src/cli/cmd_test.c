/* cmd_test.c -- perceptron test: how well a model does on labelled data.
 *
 * Two counts of errors stand side by side. E_n counts rows with y s <= 0, the
 * convention of the training error: a row on the boundary errs for either
 * label. Accuracy counts predictions, where s = 0 predicts the negative label.
 * They differ by the negative rows that lie exactly on the boundary. */
#include "cli/cli.h"

#include <stdio.h>

#include "show/grid.h"
#include "show/word.h"

static const char *const quantile_name[PERC_QUANTILES] = {
    "min", "5 %", "25 %", "median", "75 %", "95 %", "max"
};
static const char *const quantile_key[PERC_QUANTILES] = {
    "min", "q05", "q25", "median", "q75", "q95", "max"
};

/* ----- text ---------------------------------------------------------------- */

/* Rows are the truth, columns the answers; the positive label comes first, as the
 * measures above it are of that label. */
static void confusion(struct out *o, const struct cli *cli, const perc_model_info *info,
                      const perc_metrics *m)
{
    struct grid *g = grid_new(&cli->env, "lrr");
    char buf[WORD];

    grid_cell(g, "truth \\ predicted");
    grid_cell(g, cli_label(info, true));
    grid_cell(g, cli_label(info, false));
    for (int truth = 1; truth >= 0; truth--) {
        grid_cell(g, cli_label(info, truth));
        grid_cell(g, word_count(buf, m->confusion[truth][1]));
        grid_cell(g, word_count(buf, m->confusion[truth][0]));
    }
    out_text(o, "\n");
    grid_print(g, o, 0);
    grid_free(g);
}

/* The margins y s grow with |w|; divided by |w| they are distances, which can be
 * compared between models. Negative ones are errors. */
static void quantiles(struct out *o, const struct cli *cli, const perc_metrics *m)
{
    struct grid *g = grid_new(&cli->env, "lrrrrrrr");
    char buf[WORD];

    grid_cell(g, "quantiles");
    for (int i = 0; i < PERC_QUANTILES; i++)
        grid_cell(g, quantile_name[i]);
    grid_cell(g, "margin y s");
    for (int i = 0; i < PERC_QUANTILES; i++)
        grid_cell(g, word_num(buf, m->margin[i]));
    grid_cell(g, "distance y s/|w|");
    for (int i = 0; i < PERC_QUANTILES; i++)
        grid_cell(g, word_num(buf, m->distance[i]));
    out_text(o, "\n");
    grid_print(g, o, 0);
    grid_free(g);
}

static void print_text(const struct cli *cli, const perc_model_info *info, const char *path,
                       const perc_dataset *ds, const perc_metrics *m)
{
    struct out *o = cli->out;
    char buf[WORD], errors[WORD], rows[WORD];

    cli_data_facts(o, path, ds);
    if (m->unlabelled > 0)
        cli_fact(o, "no known label", "%s rows, left out", word_count(buf, m->unlabelled));
    cli_fact(o, "labels", "+1 is %s, -1 is %s", cli_label(info, true), cli_label(info, false));
    cli_fact(o, "error E_n", "%s (%s of %s rows with y s <= 0)", word_percent(buf, m->error),
             word_count(errors, m->errors), word_count(rows, m->rows));
    cli_fact(o, "accuracy", "%s", word_percent(buf, m->accuracy));
    if (m->on_boundary > 0)
        cli_fact(o, "on the boundary", "%s rows with s = 0: errors for either label",
                 word_count(buf, m->on_boundary));
    cli_fact(o, "perceptron loss", "%s", word_num(buf, m->perceptron_loss));
    cli_fact(o, "hinge loss", "%s", word_num(buf, m->hinge_loss));
    cli_fact(o, "precision", "%s", word_num(buf, m->precision));
    cli_fact(o, "recall", "%s", word_num(buf, m->recall));
    cli_fact(o, "F1", "%s", word_num(buf, m->f1));
    cli_fact(o, "ROC AUC", "%s", word_num(buf, m->auc));
    confusion(o, cli, info, m);
    quantiles(o, cli, m);
}

/* ----- JSON ---------------------------------------------------------------- */

static void json_quantiles(struct out *o, const char *key, const double *q)
{
    out_key(o, key);
    out_begin(o, '{');
    for (int i = 0; i < PERC_QUANTILES; i++)
        out_key_real(o, quantile_key[i], q[i]);
    out_end(o, '}');
}

/* Numbers that are 0/0 (precision without positive answers, ...) become null. */
static void print_json(struct out *o, const perc_model_info *info, const char *path,
                       const perc_dataset *ds, const perc_metrics *m)
{
    out_begin(o, '{');
    out_key_string(o, "command", "test");
    out_key(o, "data");
    cli_data_json(o, path, ds);
    out_key_string(o, "positive", cli_label(info, true));
    out_key_string(o, "negative", cli_label(info, false));
    out_key_int(o, "rows", (int64_t)m->rows);
    out_key_int(o, "unlabelled", (int64_t)m->unlabelled);
    out_key_int(o, "errors", (int64_t)m->errors);
    out_key_real(o, "error", m->error);
    out_key_int(o, "on_boundary", (int64_t)m->on_boundary);
    out_key_real(o, "accuracy", m->accuracy);
    out_key_real(o, "perceptron_loss", m->perceptron_loss);
    out_key_real(o, "hinge_loss", m->hinge_loss);
    out_key_real(o, "precision", m->precision);
    out_key_real(o, "recall", m->recall);
    out_key_real(o, "f1", m->f1);
    out_key_real(o, "auc", m->auc);
    out_key(o, "confusion");
    out_begin(o, '{');
    out_key_int(o, "true_positive", (int64_t)m->confusion[1][1]);
    out_key_int(o, "false_negative", (int64_t)m->confusion[1][0]);
    out_key_int(o, "false_positive", (int64_t)m->confusion[0][1]);
    out_key_int(o, "true_negative", (int64_t)m->confusion[0][0]);
    out_end(o, '}');
    json_quantiles(o, "margin", m->margin);
    json_quantiles(o, "distance", m->distance);
    out_end(o, '}');
    out_text(o, "\n");
}

int cmd_test(struct cli *cli)
{
    const char *model = NULL, *data = NULL;
    const struct opt opts[] = { OPT_THREADS(cli), OPT_JSON(cli), OPT_END };
    const struct operand operands[] = {
        { "MODEL", &model, false }, { "DATA", &data, false }, OPERANDS_END
    };
    const struct tables tables[] = { { "data", NULL, NULL, CLI_HIDDEN_FOR_MODEL }, TABLES_END };
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_dataset *ds = NULL;
    perc_model_info info;
    perc_metrics metrics;
    perc_error err = { 0 };
    int rc;

    if (!cli_parse(cli, opts, operands, tables))
        return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &p)))
        return rc;
    if (perc_model_read(&cli->env, model, &m, &err)) {
        rc = cli_fail(cli, model, &err);
    } else if (perc_dataset_read_for(&cli->env, m, data, p, &ds, &err)
               || perc_evaluate(&cli->env, m, ds, &metrics, &err)) {
        rc = cli_fail(cli, data, &err);
    } else if (perc_model_info_get(m, &info), metrics.rows == 0) {
        err.status = PERC_EDATA;
        snprintf(err.text, sizeof err.text, "no row has a label that the model knows (%s or %s)",
                 info.positive, info.negative);
        rc = cli_fail(cli, data, &err);
    } else {
        if (cli->json)
            print_json(cli->out, &info, data, ds, &metrics);
        else
            print_text(cli, &info, data, ds, &metrics);
    }
    perc_dataset_free(ds);
    perc_model_free(m);
    perc_params_free(p);
    return rc;
}
