/* cmd_predict.c -- perceptron predict: an answer for each row, as rows come.
 *
 * Nothing is held, so that the file may be larger than memory. How an answer is written:
 * predict_write.c.
 *
 * --format is the form of the answers here, and of the data everywhere else; the data's is --from.
 * A word that only data can be is refused with that hint. */
#include "cli/predict.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "show/about.h"
#include "show/word.h"

/* ----- the command ---------------------------------------------------------- */

/* A distance needs one flat boundary: several vectors make many, a vote has none, and that of a
 * network is not a plane. */
static int check_distance(const struct predict *p, const char *path, const perc_model_info *info)
{
    const char *option = p->asked[PROJECTION] ? "--projection" : "--distance";
    const struct cli *cli = p->cli;

    if (info->outputs > 1)
        return cli_usage(cli,
                         "%s needs one boundary, and %s has a score for each of its "
                         "%zu labels (see --scores)",
                         option, path, info->labels);
    if (about_has_kernel(info))
        return cli_usage(cli, "%s needs the weights of a boundary, and %s has a kernel", option,
                         path);
    if (strcmp(info->machine, "mlp") == 0 || strcmp(info->machine, "gate") == 0)
        return cli_usage(cli,
                         "%s needs the weights of a boundary, and %s is a network "
                         "(see --scores)",
                         option, path);
    if (!about_is_linear(info))
        return cli_usage(cli, "%s needs a boundary, and %s is %s (see --scores)", option, path,
                         strcmp(info->machine, "votes") == 0
                             ? "a vote of many"
                             : "no plane: its scores are not w.x + b");
    if (p->asked[PROJECTION] && strcmp(info->map, "none") != 0)
        return cli_usage(cli,
                         "--projection: the plane of %s lies among products of features (map %s), "
                         "where its nearest point need not be the image of any row (see "
                         "--distance)",
                         path, info->map);
    return EXIT_DONE;
}

/* Checks that the model can give what was asked for. */
static int check_model(struct predict *p, const char *path)
{
    const struct cli *cli = p->cli;
    perc_error err = { .status = PERC_EDATA, .text = "the model knows no label yet" };
    perc_model_info info;
    int rc;

    perc_model_info_get(p->model, &info);
    p->outputs = info.outputs;
    p->features = info.features;
    if (info.labels == 0) return cli_fail(cli, path, &err);
    p->index_base = info.index_base;
    p->asked[DISTANCE] |= p->asked[PROJECTION];
    p->asked[SCORE] |= p->style >= STYLE_CSV;
    if (p->asked[DISTANCE] && (rc = check_distance(p, path, &info))) return rc;
    if (p->asked[LOSS] && strcmp(info.machine, "mlp") == 0)
        return cli_usage(cli,
                         "--losses are max(0, -y s), and %s is a network, which minimises the "
                         "cross-entropy (see --margins, --proba)",
                         path);
    if (p->asked[PROBABILITY] && !info.calibrated)
        return cli_usage(cli, "--proba: %s %s", path,
                         strcmp(info.machine, "gate") == 0  ? "is a gate: its answers are certain"
                         : strcmp(info.machine, "mlp") == 0 ? "knows only one label"
                                                            : "is not calibrated (train it with "
                                                              "--calibrate)");
    p->labels = info.labels;
    p->norm = p->asked[DISTANCE] ? cli_norm(p->model) : 1;
    p->p = calloc(info.labels, sizeof *p->p);
    p->w = calloc(p->asked[PROJECTION] ? (size_t)p->features + 1 : 1, sizeof *p->w);
    if (p->p == NULL || p->w == NULL) return cli_memory(cli);
    for (uint64_t j = 0; p->asked[PROJECTION] && j < p->features; j++)
        p->w[j] = perc_model_weight(p->model, j, 0);
    return EXIT_DONE;
}

static const char *const formats[] = {
    [STYLE_CSV] = "csv", [STYLE_TSV] = "tsv", [STYLE_JSONL] = "jsonl"
};

static const char *format_at(void *ud, size_t i)
{
    (void)ud;
    return STYLE_CSV + i <= STYLE_JSONL ? formats[STYLE_CSV + i] : NULL;
}

static int refuse_format(const struct cli *cli, const char *format)
{
    char near[CLI_NAME];

    if (cli_listed(cli_row("data", "format")->choices, format))
        return cli_usage(cli,
                         "--format is how the answers are written: csv, tsv or jsonl (the format "
                         "of DATA is --from %s)",
                         format);
    if (word_nearest(format, format_at, NULL, near))
        return cli_usage(cli, "--format: '%s' is not one of csv, tsv, jsonl (did you mean %s?)",
                         format, near);
    return cli_usage(cli, "--format: '%s' is not one of csv, tsv, jsonl", format);
}

/* The style of the answers, and the format of the data, which is a parameter. */
static int choose_styles(struct predict *p, const char *format, const char *from, const char *keep,
                         perc_params *params)
{
    const struct cli *cli = p->cli;
    perc_error err = { 0 };

    p->style = cli->json ? STYLE_DOCUMENT : STYLE_LINES;
    for (enum style k = STYLE_CSV; format != NULL && k <= STYLE_JSONL; k++)
        if (strcmp(format, formats[k]) == 0) p->style = k;
    if (format != NULL && p->style < STYLE_CSV) return refuse_format(cli, format);
    if (format != NULL && cli->json)
        return cli_usage(cli, "--json is one document, --format %s is not: leave one of them out",
                         format);
    if (keep != NULL && p->style < STYLE_CSV)
        return cli_usage(cli,
                         "--keep needs columns to stand in: pass --format csv (or tsv, jsonl)");
    if (from == NULL) return EXIT_DONE;
    const perc_status st = perc_params_set(params, "format", from, &err);
    if (st == PERC_ENOMEM) return cli_memory(cli);
    return st == PERC_OK ? EXIT_DONE : cli_usage(cli, "--from: %s", err.text);
}

/* Everything between opening the model and closing the output. */
static int predict_rows(struct predict *p, const char *data, const char *keep,
                        const perc_params *params)
{
    struct cli *cli = p->cli;
    perc_error err = { 0 };
    perc_dataset_info info = { 0 };
    perc_status st;
    char count[WORD], rows[WORD];

    if (cli->json) {
        struct facts f;

        cli_facts(cli, &f);
        facts_string(&f, "command", NULL, "predict");
        about_labels(&f, p->model);
        facts_begin_list(&f, p->out, "predictions");
    }
    st = perc_predict_rows(&cli->env, p->model, data, params, keep, predict_write, p, &info, &err);
    if (interrupt_seen()) return EXIT_INTERRUPTED;
    if (out_broken(p->out)) return EXIT_DONE; /* out_close says why, and has the exit code */
    if (st != PERC_OK) return cli_fail(cli, data, &err);
    cli_note_unchecked(cli, data, info.unchecked);
    if (cli->json) {
        out_end(p->out, ']');
        out_key_int(p->out, "unknown", (int64_t)info.unknown);
        out_key_int(p->out, "ignored", (int64_t)info.ignored);
        if (p->asked[PROBABILITY]) out_key_int(p->out, "disagree", (int64_t)p->disagree);
        out_end(p->out, '}');
        out_text(p->out, "\n");
        return EXIT_DONE;
    }
    char several[SEVERAL_NAME];
    const char *name = several_name(cli, data, several);
    if (info.ignored > 0)
        cli_note(cli, "%s: %s (%s in all)", name, info.note, word_count(count, info.ignored));
    if (info.unknown > 0)
        cli_note(cli, "%s: entries left out (features that the model does not know): %s", name,
                 word_count(count, info.unknown));
    if (info.dropped > 0)
        cli_note(cli, "%s: rows without an answer (a cell is missing): %s", name,
                 word_count(count, info.dropped));
    perc_threshold threshold;
    perc_model_threshold(p->model, &threshold);
    if (p->disagree > 0 && strcmp(threshold.of, "rule") == 0)
        cli_note(cli,
                 "%s: rows whose most probable label is not the answer (labels follow the "
                 "scores, or --threshold probabilities): %s of %s",
                 name, word_count(count, p->disagree), word_count(rows, p->rows));
    return EXIT_DONE;
}

/* Into a file of its own, or where all results go. */
static int predict_to(struct predict *p, const char *output, const char *data, const char *keep,
                      const perc_params *params)
{
    const struct cli *cli = p->cli;
    const bool file = strcmp(output, "-") != 0;
    perc_error err = { 0 };
    int rc;

    p->out = cli->out;
    if (!file && isatty(STDOUT_FILENO)) cli->reading->shown = false; /* rows come there */
    if (file && (rc = cli_can_write(cli, output))) return rc;
    if (file && out_open(&cli->env, output, &p->out, &err))
        return cli_fail(cli, word_output(output), &err);
    if (file) interrupt_catch_briefly(); /* so that no half-written file stays behind */
    else interrupt_quit("perceptron predict: interrupted: later rows have no answer\n");
    rc = predict_rows(p, data, keep, params);
    if (rc == EXIT_INTERRUPTED) cli_say("perceptron predict: interrupted: no file was written");
    if (file && rc != EXIT_DONE) out_abort(p->out);
    else if (file && out_close(p->out, &err)) rc = cli_fail(cli, word_output(output), &err);
    return rc;
}

static int predict_with(struct predict *p, const char *model, const char *output, const char *data,
                        const char *keep, const perc_params *params)
{
    struct cli *cli = p->cli;
    perc_model *m = NULL;
    perc_error err = { 0 };
    int rc;

    if (perc_model_read(&cli->env, model, &m, &err)) return cli_fail(cli, model, &err);
    p->model = m;
    cli_note_software(cli, m);
    rc = p->threshold != NULL ? cli_threshold(cli, m, p->threshold) : EXIT_DONE;
    if (rc == EXIT_DONE) rc = check_model(p, model);
    if (rc == EXIT_DONE) rc = predict_to(p, output, data, keep, params);
    perc_model_free(m);
    return rc;
}

int cmd_predict(struct cli *cli)
{
    struct predict p = { .cli = cli };
    const char *model = NULL, *data = NULL, *output = "-", *format = NULL, *from = NULL,
               *keep = NULL;
    const struct opt opts[] = {
        { 'o', "output", OPT_WRITE, &output, "FILE", "where to write [standard output]", 0, 0 },
        { 0, "format", OPT_TEXT, &format, "csv|tsv|jsonl",
          "write a table with a header, or a JSON object a line: label, score (with more than two "
          "labels score.LABEL for each), and what is asked for below; the format of DATA is --from "
          "[a line for each row: its label]",
          0, 0 },
        { 0, "keep", OPT_TEXT, &keep, "COLUMNS",
          "with --format: columns of DATA, a table, to carry along before the label, by name or "
          "position, id,date; cells stay as they are, also of columns that the model does not know",
          0, 0 },
        { 0, "scores", OPT_FLAG, &p.asked[SCORE], NULL,
          "add the score, last on its line: w.x + b, with a kernel the sum over the support rows "
          "+ b, of a network its output; with more than two labels the score of each, in the order "
          "of 'perceptron inspect'",
          0, 0 },
        { 0, "distance", OPT_FLAG, &p.asked[DISTANCE], NULL,
          "two labels: add the signed distance to the boundary, score / |w|", 0, 0 },
        { 0, "projection", OPT_FLAG, &p.asked[PROJECTION], NULL,
          "two labels: add the point of the boundary nearest to the row, x - (s / |w|^2) w, a "
          "number for each feature as the machine sees it (scaled, if the model scales), then the "
          "distance",
          0, 0 },
        { 0, "margins", OPT_FLAG, &p.asked[MARGIN], NULL,
          "add the margin: y s; with more than two labels half the gap between the score of the "
          "row's label and the best of the others; nan where the label is not known",
          0, 0 },
        { 0, "losses", OPT_FLAG, &p.asked[LOSS], NULL,
          "add the perceptron loss of the row, max(0, -margin)", 0, 0 },
        { 0, "proba", OPT_FLAG, &p.asked[PROBABILITY], NULL,
          "add the probability of each label, in the order of 'perceptron inspect', after the "
          "answer; for networks (mlp), logistic regression, and models trained with --calibrate",
          0, 0 },
        { 0, "threshold", OPT_TEXT, &p.threshold, "T", CLI_HELP_THRESHOLD, 0, 0 },
        { 0, "from", OPT_TEXT, &from, cli_row("data", "format")->choices,
          "what DATA is, which elsewhere is --format; auto tells it from the content [auto]", 0,
          0 },
        OPT_THREADS(cli),
        OPT_JSON(cli),
        OPT_QUIET(cli),
        OPT_END
    };
    const struct operand operands[] = { { "MODEL", &model, false, OPT_READ },
                                        { "DATA", &data, false, OPT_DATA },
                                        OPERANDS_END };
    const struct tables tables[] = { { "data", NULL, NULL, CLI_HIDDEN_FOR_MODEL " format" },
                                     TABLES_END };
    perc_params *params = NULL;
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &params))) return rc;
    if ((rc = choose_styles(&p, format, from, keep, params)) == EXIT_DONE)
        rc = predict_with(&p, model, output, data, keep, params);
    predict_free(&p);
    perc_params_free(params);
    return rc;
}
