/* cmd_test.c -- perceptron test: how well a model does on labelled data (show/about_test.c). */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>

#include "show/about.h"

enum { TRADES = 20 }; /* for people */

/* The scores once more: perc_evaluate keeps none. */
static int trade_off(struct cli *cli, struct about_test *t, perc_error *err)
{
    perc_dataset_info data;

    perc_dataset_info_get(t->ds, &data);
    const size_t rows = (size_t)data.rows, most = cli->json ? rows + 3 : TRADES;
    double *scores = malloc((rows + 1) * sizeof *scores);
    t->trade = malloc(most * sizeof *t->trade);
    if (scores == NULL || t->trade == NULL) {
        free(scores);
        return cli_memory(cli);
    }
    perc_status st = perc_predict(&cli->env, t->model, t->ds, scores, err);
    if (st == PERC_OK)
        st = perc_trade_off(&cli->env, t->model, t->ds, scores, most, t->trade, &t->trades, err);
    free(scores);
    return st != PERC_OK ? cli_fail(cli, t->path, err) : EXIT_DONE;
}

static int test_model(struct cli *cli, struct about_test *t, const char *model,
                      const char *threshold, int trade, const perc_params *p)
{
    const perc_env *env = &cli->env;
    perc_error err = { 0 };
    perc_dataset_info data;
    struct facts f;
    int rc;

    if (perc_model_read(env, model, &t->model, &err)) return cli_fail(cli, model, &err);
    perc_model_info_get(t->model, &t->info);
    cli_note_software(cli, t->model);
    if (threshold != NULL && (rc = cli_threshold(cli, t->model, threshold))) return rc;
    if (trade && t->info.outputs != 1)
        return cli_usage(cli, "--trade-off is about two labels, and %s has a score for each of %zu",
                         model, t->info.labels);
    t->confusion = calloc(t->info.labels * t->info.labels + 1, sizeof *t->confusion);
    if (t->confusion == NULL) return cli_memory(cli);
    if (perc_dataset_read_for(env, t->model, t->path, p, &t->ds, &err) ||
        perc_evaluate(env, t->model, t->ds, &t->m, t->confusion, &err))
        return cli_fail(cli, t->path, &err);
    perc_dataset_info_get(t->ds, &data);
    cli_note_unchecked(cli, t->path, data.unchecked);
    if (t->m.rows > 0) {
        if (trade && (rc = trade_off(cli, t, &err))) return rc;
        cli_facts(cli, &f);
        about_test(&f, t);
        return cli_print(cli, &f, false);
    }
    err.status = PERC_EDATA;
    if (t->info.outputs == 1)
        snprintf(err.text, sizeof err.text, "no row has a label that the model knows (%s or %s)",
                 t->info.positive, t->info.negative);
    else
        snprintf(err.text, sizeof err.text, "no row has one of the %zu labels that the model knows",
                 t->info.labels);
    return cli_fail(cli, t->path, &err);
}

int cmd_test(struct cli *cli)
{
    struct about_test t = { 0 };
    const char *model = NULL, *threshold = NULL;
    int trade = 0;
    const struct opt opts[] = {
        { 0, "threshold", OPT_TEXT, &threshold, "T", CLI_HELP_THRESHOLD, 0, 0 },
        { 0, "trade-off", OPT_FLAG, &trade, NULL,
          "two labels: precision, recall and false positives for every threshold, some 20 of them; "
          "with --json all",
          0, 0 },
        OPT_THREADS(cli),
        OPT_JSON(cli),
        OPT_END
    };
    const struct operand operands[] = { { "MODEL", &model, false, OPT_READ },
                                        { "DATA", &t.path, false, OPT_DATA },
                                        OPERANDS_END };
    const struct tables tables[] = { { "data", NULL, NULL, CLI_HIDDEN_FOR_MODEL }, TABLES_END };
    perc_params *p = NULL;
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &p)) == EXIT_DONE)
        rc = test_model(cli, &t, model, threshold, trade, p);
    free(t.confusion);
    free(t.trade);
    perc_dataset_free(t.ds);
    perc_model_free(t.model);
    perc_params_free(p);
    return rc;
}
