/* cmd_test.c -- perceptron test: how well a model does on labelled data.
 *
 * Two counts of errors stand side by side. E_n counts rows with a margin <= 0, the
 * convention of the training error: a row on the boundary errs for either label.
 * Accuracy counts predictions, where a tie goes to the lower label (of two: s = 0
 * predicts the negative one). They differ by rows that lie exactly on the boundary.
 *
 * A calibrated model is judged by its probabilities too: log loss, Brier score, and a
 * table of how often what it calls probable is so.
 *
 * With more than two labels precision, recall and F1 are those of each label, and
 * above them their means over the labels. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/word.h"

enum { MATRIX = 20 }; /* labels up to which the confusion matrix fits on a screen */

static const char *const quantile_name[PERC_QUANTILES] = { "min",  "5 %",  "25 %", "median",
                                                           "75 %", "95 %", "max" };
static const char *const quantile_key[PERC_QUANTILES] = { "min", "q05", "q25", "median",
                                                          "q75", "q95", "max" };

struct test {
    struct cli *cli;
    const char *path; /* of the data */
    perc_model *model;
    perc_model_info info;
    perc_dataset *ds;
    perc_metrics m;
    uint64_t *confusion; /* labels x labels, [truth][prediction] */
};

/* ----- counts of one label -------------------------------------------------- */

struct label_counts {
    uint64_t rows, answers, both; /* of this truth, of this answer, right */
};

static struct label_counts counts_of(const struct test *t, size_t c)
{
    const size_t n = t->info.labels;
    struct label_counts k = { .both = t->confusion[c * n + c] };

    for (size_t i = 0; i < n; i++) {
        k.rows += t->confusion[c * n + i];
        k.answers += t->confusion[i * n + c];
    }
    return k;
}

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : (double)NAN;
}

/* A label of the data that the model has not. */
static const char *unknown_label(const struct test *t)
{
    const char *label;

    for (size_t i = 0; (label = perc_dataset_label(t->ds, i)) != NULL; i++) {
        size_t c = 0;

        while (c < t->info.labels && strcmp(label, perc_model_label(t->model, c)) != 0) c++;
        if (c == t->info.labels) return label;
    }
    return "?";
}

/* ----- text ---------------------------------------------------------------- */

/* Rows are the truth, columns the answers. Of two labels the positive one comes
 * first, as the measures above it are of that label. */
static void confusion(const struct test *t, struct out *o)
{
    const size_t n = t->info.labels;
    const bool two = t->info.outputs == 1;
    char align[MATRIX + 2], buf[WORD];

    align[0] = 'l';
    memset(align + 1, 'r', n);
    align[n + 1] = '\0';
    struct grid *g = grid_new(&t->cli->env, align);
    grid_cell(g, "truth \\ predicted");
    for (size_t c = 0; c < n; c++) grid_cell(g, perc_model_label(t->model, two ? 1 - c : c));
    for (size_t r = 0; r < n; r++) {
        const size_t truth = two ? 1 - r : r;

        grid_cell(g, perc_model_label(t->model, truth));
        for (size_t c = 0; c < n; c++)
            grid_cell(g, word_count(buf, t->confusion[truth * n + (two ? 1 - c : c)]));
    }
    out_text(o, "\n");
    grid_print(g, o, 0);
    grid_free(g);
}

static void label_table(const struct test *t, struct out *o)
{
    static const char *const head[] = { "label", "rows", "precision", "recall", "F1" };
    struct grid *g = grid_new(&t->cli->env, "lrrrr");
    char buf[WORD];

    for (size_t i = 0; i < sizeof head / sizeof *head; i++) grid_cell(g, head[i]);
    for (size_t c = 0; c < t->info.labels; c++) {
        const struct label_counts k = counts_of(t, c);

        grid_cell(g, perc_model_label(t->model, c));
        grid_cell(g, word_count(buf, k.rows));
        grid_cell(g, word_num(buf, ratio(k.both, k.answers)));
        grid_cell(g, word_num(buf, ratio(k.both, k.rows)));
        grid_cell(g, word_num(buf, ratio(2 * k.both, k.answers + k.rows)));
    }
    out_text(o, "\n");
    grid_print(g, o, 0);
    grid_free(g);
}

/* The margins grow with |w|; divided by |w| they are distances, which can be compared
 * between models. Negative ones are errors. Votes and several vectors have no |w|
 * to divide by. */
static void quantiles(const struct test *t, struct out *o)
{
    struct grid *g = grid_new(&t->cli->env, "lrrrrrrr");
    char buf[WORD];

    grid_cell(g, "quantiles");
    for (int i = 0; i < PERC_QUANTILES; i++) grid_cell(g, quantile_name[i]);
    grid_cell(g, t->info.outputs == 1 ? "margin y s" : "margin (half the gap)");
    for (int i = 0; i < PERC_QUANTILES; i++) grid_cell(g, word_num(buf, t->m.margin[i]));
    if (t->info.outputs == 1 && strcmp(t->info.machine, "linear") == 0) {
        grid_cell(g, "distance y s/|w|");
        for (int i = 0; i < PERC_QUANTILES; i++) grid_cell(g, word_num(buf, t->m.distance[i]));
    }
    out_text(o, "\n");
    grid_print(g, o, 0);
    grid_free(g);
}

/* Rows by what the model says of them: where p is right, both columns of numbers agree. */
static void reliability(const struct test *t, struct out *o)
{
    struct grid *g = grid_new(&t->cli->env, "lrrr");
    char buf[WORD];

    if (t->info.outputs == 1) grid_fmt(g, "p of %s", t->info.positive);
    else grid_cell(g, "p of the answer");
    grid_cell(g, "rows");
    grid_cell(g, "mean p");
    grid_cell(g, t->info.outputs == 1 ? "share" : "right");
    for (int i = 0; i < PERC_BINS; i++) {
        grid_fmt(g, "%.1f - %.1f", i / (double)PERC_BINS, (i + 1) / (double)PERC_BINS);
        grid_cell(g, word_count(buf, t->m.reliability[i].rows));
        if (t->m.reliability[i].rows == 0) {
            grid_cell(g, "-");
            grid_cell(g, "-");
            continue;
        }
        grid_cell(g, word_num(buf, t->m.reliability[i].p));
        grid_cell(g, word_num(buf, t->m.reliability[i].share));
    }
    out_text(o, "\n");
    grid_print(g, o, 0);
    grid_free(g);
}

static void probability_facts(const struct test *t, struct out *o)
{
    char buf[WORD], rows[WORD];

    if (!t->info.calibrated) return;
    cli_fact(o, "log loss", "%s", word_num(buf, t->m.log_loss));
    cli_fact(o, "Brier score", "%s", word_num(buf, t->m.brier));
    if (t->m.disagree > 0)
        cli_fact(o, "most probable", "not the answer in %s of %s rows",
                 word_count(buf, t->m.disagree), word_count(rows, t->m.rows));
}

/* What the numbers speak of, and what they leave out. */
static void print_rows(const struct test *t, struct out *o)
{
    const perc_metrics *m = &t->m;
    char buf[WORD], errors[WORD], rows[WORD];

    if (m->unlabelled > 0)
        cli_fact(o, "rows left out", "%s without a label", word_count(buf, m->unlabelled));
    if (m->unknown > 0)
        cli_fact(o, "rows left out", "%s with a label that the model has not met (such as %s)",
                 word_count(buf, m->unknown), unknown_label(t));
    cli_labels_facts(o, t->model);
    cli_fact(o, "error E_n", "%s (%s of %s rows with %s <= 0)", word_percent(buf, m->error),
             word_count(errors, m->errors), word_count(rows, m->rows),
             t->info.outputs == 1 ? "y s" : "a margin");
    cli_fact(o, "accuracy", "%s", word_percent(buf, m->accuracy));
    if (m->on_boundary > 0)
        cli_fact(o, "on the boundary", "%s rows with %s = 0: errors for %s label",
                 word_count(buf, m->on_boundary), t->info.outputs == 1 ? "s" : "a margin",
                 t->info.outputs == 1 ? "either" : "any");
}

static void print_text(const struct test *t)
{
    struct out *o = t->cli->out;
    const perc_metrics *m = &t->m;
    const bool two = t->info.outputs == 1;
    const char *of = two ? "" : " (mean of the labels)";
    char buf[WORD];

    cli_data_facts(o, t->path, t->ds);
    cli_supports_fact(o, t->model, 0);
    print_rows(t, o);
    cli_fact(o, "perceptron loss", "%s", word_num(buf, m->perceptron_loss));
    cli_fact(o, "hinge loss", "%s", word_num(buf, m->hinge_loss));
    cli_fact(o, "precision", "%s%s", word_num(buf, m->precision), of);
    cli_fact(o, "recall", "%s%s", word_num(buf, m->recall), of);
    cli_fact(o, "F1", "%s%s", word_num(buf, m->f1), of);
    if (two) cli_fact(o, "ROC AUC", "%s", word_num(buf, m->auc));
    probability_facts(t, o);
    if (!two) label_table(t, o);
    if (t->info.labels <= MATRIX) confusion(t, o);
    else
        out_fmt(o, "\nThe confusion matrix of %zu labels is in the output of --json.\n",
                t->info.labels);
    quantiles(t, o);
    if (t->info.calibrated) reliability(t, o);
}

/* ----- JSON ---------------------------------------------------------------- */

static void json_quantiles(struct out *o, const char *key, const double *q)
{
    out_key(o, key);
    out_begin(o, '{');
    for (int i = 0; i < PERC_QUANTILES; i++) out_key_real(o, quantile_key[i], q[i]);
    out_end(o, '}');
}

/* Of two labels the four counts have names; of more there is a matrix, its rows and
 * columns in the order of "labels". */
static void json_confusion(const struct test *t, struct out *o)
{
    const size_t n = t->info.labels;
    const uint64_t *c = t->confusion;

    out_key(o, "confusion");
    if (t->info.outputs == 1) {
        out_begin(o, '{');
        out_key_int(o, "true_positive", (int64_t)c[3]);
        out_key_int(o, "false_negative", (int64_t)c[2]);
        out_key_int(o, "false_positive", (int64_t)c[1]);
        out_key_int(o, "true_negative", (int64_t)c[0]);
        out_end(o, '}');
        return;
    }
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) {
        out_begin(o, '[');
        for (size_t k = 0; k < n; k++) out_int(o, (int64_t)c[i * n + k]);
        out_end(o, ']');
    }
    out_end(o, ']');
}

static void json_labels(const struct test *t, struct out *o)
{
    out_key(o, "by_label");
    out_begin(o, '[');
    for (size_t c = 0; c < t->info.labels; c++) {
        const struct label_counts k = counts_of(t, c);

        out_begin(o, '{');
        out_key_string(o, "label", perc_model_label(t->model, c));
        out_key_int(o, "rows", (int64_t)k.rows);
        out_key_real(o, "precision", ratio(k.both, k.answers));
        out_key_real(o, "recall", ratio(k.both, k.rows));
        out_key_real(o, "f1", ratio(2 * k.both, k.answers + k.rows));
        out_end(o, '}');
    }
    out_end(o, ']');
}

/* A model without probabilities has none of the numbers, and no bins. */
static void json_probabilities(const struct test *t, struct out *o)
{
    out_key_bool(o, "calibrated", t->info.calibrated != 0);
    out_key_real(o, "log_loss", t->m.log_loss);
    out_key_real(o, "brier", t->m.brier);
    out_key_int(o, "disagree", (int64_t)t->m.disagree);
    out_key(o, "reliability");
    out_begin(o, '[');
    for (int i = 0; i < PERC_BINS && t->info.calibrated; i++) {
        out_begin(o, '{');
        out_key_real(o, "from", i / (double)PERC_BINS);
        out_key_real(o, "to", (i + 1) / (double)PERC_BINS);
        out_key_int(o, "rows", (int64_t)t->m.reliability[i].rows);
        out_key_real(o, "p", t->m.reliability[i].p);
        out_key_real(o, "share", t->m.reliability[i].share);
        out_end(o, '}');
    }
    out_end(o, ']');
}

/* Numbers that are 0/0 (precision without positive answers, ...) become null. */
static void print_json(const struct test *t)
{
    struct out *o = t->cli->out;
    const perc_metrics *m = &t->m;

    out_begin(o, '{');
    out_key_string(o, "command", "test");
    out_key(o, "data");
    cli_data_json(o, t->path, t->ds);
    out_key_string(o, "algorithm", t->info.algorithm);
    cli_labels_json(o, t->model);
    cli_kernel_json(o, t->model);
    out_key_int(o, "rows", (int64_t)m->rows);
    out_key_int(o, "unlabelled", (int64_t)m->unlabelled);
    out_key_int(o, "unknown", (int64_t)m->unknown);
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
    json_confusion(t, o);
    json_labels(t, o);
    json_quantiles(o, "margin", m->margin);
    json_quantiles(o, "distance", m->distance);
    json_probabilities(t, o);
    out_end(o, '}');
    out_text(o, "\n");
}

/* ----- the command ---------------------------------------------------------- */

/* After the data were read and scored. */
static int report(const struct test *t)
{
    perc_error err = { .status = PERC_EDATA };

    if (t->m.rows > 0) {
        if (t->cli->json) print_json(t);
        else print_text(t);
        return EXIT_DONE;
    }
    if (t->info.outputs == 1)
        snprintf(err.text, sizeof err.text, "no row has a label that the model knows (%s or %s)",
                 t->info.positive, t->info.negative);
    else
        snprintf(err.text, sizeof err.text, "no row has one of the %zu labels that the model knows",
                 t->info.labels);
    return cli_fail(t->cli, t->path, &err);
}

static int run(struct test *t, const char *model, const perc_params *p)
{
    const perc_env *env = &t->cli->env;
    perc_error err = { 0 };

    if (perc_model_read(env, model, &t->model, &err)) return cli_fail(t->cli, model, &err);
    perc_model_info_get(t->model, &t->info);
    t->confusion = calloc(t->info.labels * t->info.labels + 1, sizeof *t->confusion);
    if (t->confusion == NULL) return cli_memory(t->cli);
    if (perc_dataset_read_for(env, t->model, t->path, p, &t->ds, &err) ||
        perc_evaluate(env, t->model, t->ds, &t->m, t->confusion, &err))
        return cli_fail(t->cli, t->path, &err);
    return report(t);
}

int cmd_test(struct cli *cli)
{
    struct test t = { .cli = cli };
    const char *model = NULL;
    const struct opt opts[] = { OPT_THREADS(cli), OPT_JSON(cli), OPT_END };
    const struct operand operands[] = { { "MODEL", &model, false },
                                        { "DATA", &t.path, false },
                                        OPERANDS_END };
    const struct tables tables[] = { { "data", NULL, NULL, CLI_HIDDEN_FOR_MODEL }, TABLES_END };
    perc_params *p = NULL;
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &p)) == EXIT_DONE) rc = run(&t, model, p);
    free(t.confusion);
    perc_dataset_free(t.ds);
    perc_model_free(t.model);
    perc_params_free(p);
    return rc;
}
