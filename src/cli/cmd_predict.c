/* cmd_predict.c -- perceptron predict: one line for each row, as rows come.
 *
 * The label stands first on its line, then the probabilities of all labels, the nearest point of
 * the boundary, the distance s/|w|, the margin and the loss, and the score last: numbers are the
 * shortest texts that read back as the same. With more than two labels there is a score for
 * each, in the order of the model's labels. The label is always that of the scores, even if another
 * is more probable; a note says how often that happens. Plain labels are put together in a buffer
 * of our own; 200,000 of them cost a few milliseconds. Nothing is held, so that the file may be
 * larger than memory, unless more of a row is asked for than its scores: its label, for the
 * margin, or its numbers, for the point of the boundary. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"
#include "show/word.h"

enum { LINES = 1 << 14 };

struct predict {
    struct cli *cli;
    struct out *out;
    const perc_model *model;
    size_t outputs, labels; /* scores and probabilities per row */
    int scores, distance, proba, projection, margins, losses;
    double norm;             /* |w| */
    double *p;               /* with proba: the probabilities of a row */
    uint64_t rows, disagree; /* with proba: so far; those with a more probable label */
    perc_dataset *ds;        /* the rows, where they are held; NULL: they are not */
    uint64_t held;           /* how many */
    uint64_t features;       /* of the model: a file may have fewer, or more */
    double *margin;          /* of all rows; NaN: the label is not known */
    double *x, *w;           /* with projection: a row, and the weights */
    uint64_t row;            /* of ds, the next to be written */
};

/* ----- sinks: what becomes of scores ---------------------------------------- */

/* Puts the probabilities of a row into p->p. */
static void ask_probabilities(struct predict *p, const double *s)
{
    const char *answer = perc_answer(p->model, s);
    size_t best = 0, given = 0;

    perc_probabilities(p->model, s, p->p, NULL);
    for (size_t c = 0; c < p->labels; c++) {
        if (p->p[c] > p->p[best]) best = c;
        if (strcmp(perc_model_label(p->model, c), answer) == 0) given = c;
    }
    p->rows++;
    p->disagree += p->p[best] > p->p[given]; /* a tie is not a disagreement */
}

/* The point of the boundary that is nearest to the next row, in p->x:
 *
 *     x0 = x - (s / |w|^2) w,   so that w.x0 + b = 0 and |x - x0| = |s| / |w|. */
static void project_row(struct predict *p, double s)
{
    const double step = s / p->norm / p->norm;

    memset(p->x, 0, (size_t)p->features * sizeof *p->x);
    perc_dataset_row(p->ds, p->row, p->x);
    for (uint64_t j = 0; j < p->features; j++) p->x[j] -= step * p->w[j];
}

/* The perceptron loss, max(0, -m). */
static double loss_of(double m)
{
    return m < 0 ? -m : isnan(m) ? m : 0;
}

static void put_number(struct out *o, double v)
{
    out_bytes(o, " ", 1);
    out_num(o, v);
}

/* A label with numbers. Formatting these takes longer than everything else, so a buffer gains
 * nothing here. |w| = 0 gives nan: a model that learned nothing has no boundary to be far from. */
static int write_numbers(struct predict *p, const double *s, size_t n)
{
    for (size_t i = 0; i < n; i++, s += p->outputs) {
        out_word(p->out, perc_answer(p->model, s), WORD_FIELD);
        if (p->proba) ask_probabilities(p, s);
        for (size_t c = 0; p->proba && c < p->labels; c++) put_number(p->out, p->p[c]);
        if (p->projection) project_row(p, s[0]);
        for (uint64_t j = 0; p->projection && j < p->features; j++) put_number(p->out, p->x[j]);
        if (p->distance) put_number(p->out, s[0] / p->norm);
        if (p->margins) put_number(p->out, p->margin[p->row]);
        if (p->losses) put_number(p->out, loss_of(p->margin[p->row]));
        p->row++;
        for (size_t c = 0; p->scores && c < p->outputs; c++) put_number(p->out, s[c]);
        out_bytes(p->out, "\n", 1);
    }
    return out_broken(p->out);
}

/* One object per row, in the open list "predictions"; values per label are in the order of
 * "labels". */
static int write_json(struct predict *p, const double *s, size_t n)
{
    for (size_t i = 0; i < n; i++, s += p->outputs) {
        out_begin(p->out, '{');
        out_key_string(p->out, "label", perc_answer(p->model, s));
        if (p->proba) {
            ask_probabilities(p, s);
            out_key(p->out, "probabilities");
            out_reals(p->out, p->p, p->labels, 1);
        }
        if (p->projection) {
            project_row(p, s[0]);
            out_key(p->out, "projection");
            out_reals(p->out, p->x, p->features, 1);
        }
        if (p->distance) out_key_real(p->out, "distance", s[0] / p->norm);
        if (p->margins) out_key_real(p->out, "margin", p->margin[p->row]);
        if (p->losses) out_key_real(p->out, "loss", loss_of(p->margin[p->row]));
        p->row++;
        if (p->scores && p->outputs == 1) out_key_real(p->out, "score", s[0]);
        else if (p->scores) {
            out_key(p->out, "scores");
            out_reals(p->out, s, p->outputs, 1);
        }
        out_end(p->out, '}');
    }
    return out_broken(p->out);
}

/* Called by the library with the scores of some rows. Non-zero stops the reading: after Ctrl-C, and
 * when nobody takes the output any more. */
static int sink_scores(void *ud, const double *scores, size_t n)
{
    struct predict *p = ud;

    if (interrupt_seen()) return 1;
    if (p->cli->json) return write_json(p, scores, n);
    if (p->scores || p->distance || p->proba || p->margins || p->losses)
        return write_numbers(p, scores, n);
    /* Only labels, the common case: copied into a buffer on the stack, which is passed on when the
     * next label might not fit. */
    const double *s = scores;
    char buf[LINES];
    size_t used = 0;

    for (size_t i = 0; i < n; i++, s += p->outputs) {
        const char *label = perc_answer(p->model, s);
        const size_t len = strlen(label);

        const bool plain = len + 1 <= sizeof buf && word_is_plain(label, WORD_LINE);

        if (!plain || used + len + 1 > sizeof buf) {
            out_bytes(p->out, buf, used);
            used = 0;
        }
        if (!plain) {
            out_word(p->out, label, WORD_LINE);
            out_bytes(p->out, "\n", 1);
            continue;
        }
        memcpy(buf + used, label, len);
        used += len;
        buf[used++] = '\n';
    }
    out_bytes(p->out, buf, used);
    return out_broken(p->out);
}

/* ----- the command ---------------------------------------------------------- */

/* A distance needs one flat boundary: several vectors make many, a vote has none, and that of a
 * network is not a plane. */
static int check_distance(const struct predict *p, const char *path, const perc_model_info *info)
{
    const char *option = p->projection ? "--projection" : "--distance";
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
    if (p->projection && strcmp(info->map, "none") != 0)
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
    p->distance |= p->projection;
    if (p->distance && (rc = check_distance(p, path, &info))) return rc;
    if (p->losses && strcmp(info.machine, "mlp") == 0)
        return cli_usage(cli,
                         "--losses are max(0, -y s), and %s is a network, which minimises the "
                         "cross-entropy (see --margins, --proba)",
                         path);
    if (p->proba && !info.calibrated)
        return cli_usage(cli, "--proba: %s %s", path,
                         strcmp(info.machine, "gate") == 0  ? "is a gate: its answers are certain"
                         : strcmp(info.machine, "mlp") == 0 ? "knows only one label"
                                                            : "is not calibrated (train it with "
                                                              "--calibrate)");
    p->labels = info.labels;
    p->norm = p->distance ? cli_norm(p->model) : 1;
    p->p = calloc(info.labels, sizeof *p->p);
    return p->p != NULL ? EXIT_DONE : cli_memory(cli);
}

/* Reads the rows and keeps them, with their margins. */
static perc_status hold_rows(struct predict *p, const char *data, const perc_params *params,
                             double **scores, perc_dataset_info *info, perc_error *err)
{
    struct cli *cli = p->cli;
    perc_status st = perc_dataset_read_for(&cli->env, p->model, data, params, &p->ds, err);

    if (st != PERC_OK) return st;
    perc_dataset_info_get(p->ds, info);
    const size_t rows = (size_t)info->rows, features = (size_t)p->features;
    p->held = info->rows;
    *scores = calloc(rows + 1, p->outputs * sizeof **scores);
    p->margin = calloc(rows + 1, sizeof *p->margin);
    p->x = calloc((info->features > features ? (size_t)info->features : features) + 1,
                  sizeof *p->x);
    p->w = calloc(features + 1, sizeof *p->w);
    if (*scores == NULL || p->margin == NULL || p->x == NULL || p->w == NULL) {
        *err = (perc_error){ .status = PERC_ENOMEM, .text = "out of memory" };
        return PERC_ENOMEM;
    }
    for (size_t j = 0; p->projection && j < features; j++)
        p->w[j] = perc_model_weight(p->model, j, 0);
    if ((st = perc_predict(&cli->env, p->model, p->ds, *scores, err))) return st;
    return perc_margins(p->model, p->ds, *scores, p->margin, err);
}

static perc_status predict_held(struct predict *p, const char *data, const perc_params *params,
                                perc_dataset_info *info, perc_error *err)
{
    double *scores = NULL;
    const perc_status st = hold_rows(p, data, params, &scores, info, err);

    while (st == PERC_OK && p->row < p->held) {
        const uint64_t rest = p->held - p->row;

        if (sink_scores(p, scores + p->row * p->outputs, rest < LINES ? (size_t)rest : LINES))
            break;
    }
    free(scores);
    return st;
}

/* Everything between opening the model and closing the output. */
static int predict_rows(struct predict *p, const char *data, const perc_params *params)
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
    st = p->projection || p->margins || p->losses
             ? predict_held(p, data, params, &info, &err)
             : perc_predict_file_info(&cli->env, p->model, data, params, sink_scores, p, &info,
                                      &err);
    if (interrupt_seen()) return EXIT_INTERRUPTED;
    if (out_broken(p->out)) return EXIT_DONE; /* out_close says why, and has the exit code */
    if (st != PERC_OK) return cli_fail(cli, data, &err);
    cli_note_unchecked(cli, data, info.unchecked);
    if (cli->json) {
        out_end(p->out, ']');
        out_key_int(p->out, "unknown", (int64_t)info.unknown);
        if (p->proba) out_key_int(p->out, "disagree", (int64_t)p->disagree);
        out_end(p->out, '}');
        out_text(p->out, "\n");
        return EXIT_DONE;
    }
    if (info.unknown > 0)
        cli_note(cli, "%s: entries left out (features that the model does not know): %s",
                 word_input(data), word_count(count, info.unknown));
    if (p->disagree > 0)
        cli_note(cli,
                 "%s: rows whose most probable label is not the answer (labels follow the "
                 "scores): %s of %s",
                 word_input(data), word_count(count, p->disagree), word_count(rows, p->rows));
    return EXIT_DONE;
}

/* Into a file of its own, or where all results go. */
static int predict_to(struct predict *p, const char *output, const char *data,
                      const perc_params *params)
{
    const struct cli *cli = p->cli;
    const bool file = strcmp(output, "-") != 0;
    perc_error err = { 0 };
    int rc;

    p->out = cli->out;
    if (file && (rc = cli_can_write(cli, output))) return rc;
    if (file && out_open(&cli->env, output, &p->out, &err))
        return cli_fail(cli, word_output(output), &err);
    interrupt_catch(); /* so that no half-written file stays behind */
    rc = predict_rows(p, data, params);
    if (file && rc != EXIT_DONE) out_abort(p->out);
    else if (file && out_close(p->out, &err)) rc = cli_fail(cli, word_output(output), &err);
    return rc;
}

int cmd_predict(struct cli *cli)
{
    struct predict p = { .cli = cli };
    const char *model = NULL, *data = NULL, *output = "-";
    const struct opt opts[] = {
        { 'o', "output", OPT_WRITE, &output, "FILE", "where to write [standard output]", 0, 0 },
        { 0, "scores", OPT_FLAG, &p.scores, NULL,
          "add the score, last on its line: w.x + b, with a kernel the sum over the support rows "
          "+ b, of a network its output; with more than two labels the score of each, in the order "
          "of 'perceptron inspect'",
          0, 0 },
        { 0, "distance", OPT_FLAG, &p.distance, NULL,
          "two labels: add the signed distance to the boundary, score / |w|", 0, 0 },
        { 0, "projection", OPT_FLAG, &p.projection, NULL,
          "two labels: add the point of the boundary nearest to the row, x - (s / |w|^2) w, a "
          "number for each feature as the machine sees it (scaled, if the model scales), then the "
          "distance; holds the rows in memory, as do --margins and --losses",
          0, 0 },
        { 0, "margins", OPT_FLAG, &p.margins, NULL,
          "add the margin: y s; with more than two labels half the gap between the score of the "
          "row's label and the best of the others; nan where the label is not known",
          0, 0 },
        { 0, "losses", OPT_FLAG, &p.losses, NULL,
          "add the perceptron loss of the row, max(0, -margin)", 0, 0 },
        { 0, "proba", OPT_FLAG, &p.proba, NULL,
          "add the probability of each label, in the order of 'perceptron inspect', after the "
          "answer; for networks (mlp) and models trained with --calibrate",
          0, 0 },
        OPT_THREADS(cli),
        OPT_JSON(cli),
        OPT_QUIET(cli),
        OPT_END
    };
    const struct operand operands[] = { { "MODEL", &model, false, OPT_READ },
                                        { "DATA", &data, false, OPT_READ },
                                        OPERANDS_END };
    const struct tables tables[] = { { "data", NULL, NULL, CLI_HIDDEN_FOR_MODEL }, TABLES_END };
    perc_params *params = NULL;
    perc_model *m = NULL;
    perc_error err = { 0 };
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &params))) return rc;
    if (perc_model_read(&cli->env, model, &m, &err)) {
        rc = cli_fail(cli, model, &err);
    } else {
        p.model = m;
        cli_note_software(cli, m);
        if ((rc = check_model(&p, model)) == EXIT_DONE) rc = predict_to(&p, output, data, params);
    }
    free(p.p);
    free(p.margin);
    free(p.x);
    free(p.w);
    perc_dataset_free(p.ds);
    perc_model_free(m);
    perc_params_free(params);
    return rc;
}
