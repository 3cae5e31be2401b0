/* cmd_train.c -- perceptron train: read a data set, fit a model, save it.
 *
 * Three ways lead to a model: in memory (perc_fit), in one or more passes over a
 * file that is not kept (--stream, perc_fit_stream), and from a model that was
 * trained before (--resume, perc_fit_resume). What follows is the same: the
 * model is saved, however training ended, and the report says how it did. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/word.h"

struct train {
    struct cli *cli;
    const char *data, *output, *algorithm, *resume;
    int stream;
    perc_params *data_params, *params;
    perc_dataset *ds;      /* NULL with --stream */
    perc_model *from;      /* the model to go on from */
    perc_model *model;
    perc_report report;
};

/* ----- the report ---------------------------------------------------------- */

/* The value of the limit that ended training. */
static const char *limit_of(const struct train *t)
{
    const char *text = NULL;

    if (t->report.stop == PERC_STOP_EPOCHS)
        text = perc_model_option(t->model, "epochs");
    else if (t->report.stop == PERC_STOP_UPDATES)
        text = perc_model_option(t->model, "updates");
    else if (t->report.stop == PERC_STOP_TIME)
        text = perc_params_get(t->params, "time-limit"); /* not kept in the model */
    return text != NULL ? text : "?";
}

/* Speed, in the units in which one buys machines: MB of text and rows a second. */
static void report_times(const struct train *t, struct out *o)
{
    const perc_report *r = &t->report;
    char time[WORD], rate[WORD], speed[WORD];

    if (t->stream) { /* reading is part of training, and done in each pass */
        const double bytes = (double)r->bytes * (double)r->epochs;
        cli_fact(o, "training", "%s (%s, %s)", word_seconds(time, r->train_seconds),
                 word_rate(rate, r->rows_per_second, "rows"),
                 word_rate(speed, bytes / 1e6 / r->train_seconds, "MB"));
        return;
    }
    if (r->bytes > 0)
        cli_fact(o, "reading", "%s (%s)", word_seconds(time, r->read_seconds),
                 word_rate(speed, (double)r->bytes / 1e6 / r->read_seconds, "MB"));
    cli_fact(o, "training", "%s (%s)", word_seconds(time, r->train_seconds),
             word_rate(rate, r->rows_per_second, "rows"));
}

/* LIBSVM files count features from 0 or from 1, and do not say which. What was
 * decided here holds for the model from now on, so it is said. */
static void report_base(const struct train *t, struct out *o, const perc_model_info *info)
{
    const char *index = perc_params_get(t->data_params, "index");
    perc_dataset_info d = { .format = "libsvm" };
    char name[WORD];

    if (t->ds != NULL)
        perc_dataset_info_get(t->ds, &d);
    if (strcmp(d.format, "libsvm") != 0
        || (strcmp(info->map, "none") == 0
            && perc_model_feature(t->model, 0, name, sizeof name) != NULL))
        return; /* features have names, or are not from a text */
    if (index != NULL && strcmp(index, "auto") != 0)
        cli_fact(o, "index base", "%d (given)", info->index_base);
    else
        cli_fact(o, "index base", "%d (found: %s)", info->index_base,
                 info->index_base == 0 ? "an index 0 occurs" : "no index 0 occurs");
}

/* Where something else is returned than the last weights, their error stands beside
 * its own: that is what averaging, voting or keeping the best has gained. */
static void report_errors(const struct train *t, struct out *o)
{
    const perc_report *r = &t->report;
    char buf[4][WORD], last[WORD + 16] = "";

    if (!isnan(r->last_error))
        snprintf(last, sizeof last, "; last weights %s", word_percent(buf[3], r->last_error));
    cli_fact(o, "mistakes", "%s", word_count(buf[0], (uint64_t)r->mistakes));
    cli_fact(o, "updates", "%s", word_count(buf[0], (uint64_t)r->updates));
    if (isnan(r->training_error)) {
        cli_fact(o, "training error", "%s", t->stream ? "not counted: that takes another pass"
                                                      : "undefined: every row has weight 0");
        return;
    }
    cli_fact(o, "training error", "%s (%s of %s rows)%s", word_percent(buf[0], r->training_error),
             word_count(buf[1], r->training_errors), word_count(buf[2], r->rows), last);
    cli_fact(o, "perceptron loss", "%s", word_num(buf[0], r->loss));
}

/* The pass and the update after which the weights in the pocket stood. */
static void report_found(const struct train *t, struct out *o, const perc_model_info *info)
{
    char buf[2][WORD];

    if (strcmp(info->algorithm, "pocket") != 0)
        return;
    if (t->report.found_epoch > 0)
        cli_fact(o, "found", "in pass %s, after %s update%s",
                 word_count(buf[0], (uint64_t)t->report.found_epoch),
                 word_count(buf[1], (uint64_t)t->report.found_updates),
                 t->report.found_updates == 1 ? "" : "s");
    else
        cli_fact(o, "found", "at the start");
}

/* What was read, how it ended, what came out, how long it took, where it is. */
static void report_text(const struct train *t, struct out *o)
{
    const perc_report *r = &t->report;
    perc_model_info info;
    char buf[WORD], stop[256];

    perc_model_info_get(t->model, &info);
    if (t->ds != NULL) {
        cli_data_facts(o, t->data, t->ds);
    } else {
        cli_fact(o, "data", "%s (stream)", cli_input_name(t->data));
        cli_fact(o, "rows", "%s", word_count(buf, r->rows));
        cli_fact(o, "features", "%s", word_count(buf, info.features));
        if (r->hashed > 0)
            cli_hashing_fact(o, perc_params_get(t->data_params, "hash"), r->hashed,
                             r->collisions);
    }
    report_base(t, o, &info);
    cli_labels_facts(o, t->model);
    cli_algorithm_fact(o, t->model);
    cli_stop_words(stop, sizeof stop, r, limit_of(t));
    cli_fact(o, "end", "%s", stop);
    cli_fact(o, "passes", "%s", word_count(buf, (uint64_t)r->epochs));
    report_errors(t, o);
    report_found(t, o, &info);
    cli_fact(o, "|w|", "%s", word_num(buf, r->norm));
    if (!isnan(r->training_error)) /* else the rows were not measured */
        cli_fact(o, "R", "%s", word_num(buf, r->radius));
    report_times(t, o);
    cli_fact(o, "model", "%s", cli_output_name(t->output));
}

/* Null for those that are not found but come last. */
static void json_found(struct out *o, const char *key, const perc_model_info *info, int64_t when)
{
    out_key(o, key);
    if (strcmp(info->algorithm, "pocket") == 0)
        out_int(o, when);
    else
        out_null(o);
}

static void json_counts(struct out *o, const perc_report *r, const perc_model_info *info)
{
    out_key_int(o, "epochs", r->epochs);
    out_key_int(o, "examples", r->examples);
    out_key_int(o, "mistakes", r->mistakes);
    out_key_int(o, "updates", r->updates);
    out_key_int(o, "training_errors", (int64_t)r->training_errors);
    out_key_real(o, "training_error", r->training_error);
    out_key_real(o, "last_error", r->last_error);
    out_key_real(o, "perceptron_loss", r->loss);
    json_found(o, "found_epoch", info, r->found_epoch);
    json_found(o, "found_updates", info, r->found_updates);
    out_key_real(o, "norm", r->norm);
    out_key_real(o, "norm_augmented", r->norm_augmented);
    out_key_real(o, "radius", r->radius);
}

/* The same facts and some more, for programs. */
static void report_json(const struct train *t, struct out *o)
{
    const perc_report *r = &t->report;
    perc_model_info info;
    char stop[256];

    perc_model_info_get(t->model, &info);
    cli_stop_words(stop, sizeof stop, r, limit_of(t));
    out_begin(o, '{');
    out_key_string(o, "command", "train");
    out_key(o, "data");
    if (t->ds != NULL) {
        cli_data_json(o, t->data, t->ds);
    } else {
        out_begin(o, '{');
        out_key_string(o, "path", t->data);
        out_key_int(o, "rows", (int64_t)r->rows);
        out_key_int(o, "features", (int64_t)info.features);
        out_key_int(o, "bytes", (int64_t)r->bytes);
        out_end(o, '}');
    }
    cli_options_json(o, t->model);
    cli_labels_json(o, t->model);
    out_key_bool(o, "converged", r->stop == PERC_STOP_CONVERGED);
    out_key_string(o, "stop", stop);
    json_counts(o, r, &info);
    out_key_real(o, "read_seconds", r->read_seconds);
    out_key_real(o, "train_seconds", r->train_seconds);
    out_key_real(o, "rows_per_second", r->rows_per_second);
    out_key_int(o, "bytes", (int64_t)r->bytes);
    out_key_string(o, "model", t->output);
    out_end(o, '}');
    out_text(o, "\n");
}

/* With the model on standard output the report goes to standard error. */
static int report(const struct train *t)
{
    const bool aside = strcmp(t->output, "-") == 0;
    struct out *o = t->cli->out;
    perc_error err = { 0 };

    if (aside && out_open(&t->cli->env, NULL, &o, &err))
        return cli_fail(t->cli, NULL, &err);
    if (t->cli->json)
        report_json(t, o);
    else if (!t->cli->quiet)
        report_text(t, o);
    if (aside) {
        fputs(out_kept(o), stderr);
        out_abort(o);
    }
    return t->report.stop == PERC_STOP_CANCELLED ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* ----- the work ------------------------------------------------------------ */

/* Everything that can fail cheaply is done first: the model to go on from, the
 * options, a look whether the output can be written; then the data. */
static int load(struct train *t)
{
    perc_error err = { 0 };
    perc_model_info info;
    int rc;

    if (t->resume != NULL) {
        if (perc_model_read(&t->cli->env, t->resume, &t->from, &err))
            return cli_fail(t->cli, t->resume, &err);
        perc_model_info_get(t->from, &info);
        if (t->algorithm != NULL && strcmp(t->algorithm, info.algorithm) != 0)
            return cli_usage(t->cli, "%s was trained by %s and cannot go on with %s", t->resume,
                             info.algorithm, t->algorithm);
        t->algorithm = info.algorithm;
        t->cli->rule = perc_model_option(t->from, "rule");
    }
    if ((rc = cli_params(t->cli, "data", "data", &t->data_params))
        || (rc = cli_params(t->cli, "learner", t->algorithm, &t->params))
        || (rc = cli_can_write(t->cli, t->output)))
        return rc;
    if (t->stream)
        return EXIT_DONE;
    /* A run that goes on has its columns, index base and scaling from the model. */
    if (t->from != NULL
            ? perc_dataset_read_for(&t->cli->env, t->from, t->data, t->data_params, &t->ds, &err)
            : perc_dataset_read(&t->cli->env, t->data, t->data_params, &t->ds, &err))
        return cli_fail(t->cli, t->data, &err);
    return EXIT_DONE;
}

/* Trains and saves. An interrupted run is saved like any other. */
static int fit(struct train *t)
{
    const perc_env *env = &t->cli->env;
    struct ticker ticker;
    const perc_observer watch = ticker_observer(&ticker, t->cli);
    perc_error err = { 0 };
    perc_status st;

    interrupt_catch(); /* not before: reading cannot be cut short and kept */
    if (t->stream)
        st = perc_fit_stream(env, t->data, t->data_params, t->params, &watch, &t->model,
                             &t->report, &err);
    else if (t->from != NULL)
        st = perc_fit_resume(env, t->ds, t->from, t->params, &watch, &t->model, &t->report, &err);
    else
        st = perc_fit(env, t->ds, t->params, &watch, &t->model, &t->report, &err);
    ticker_clear(&ticker);
    if (st != PERC_OK)
        return cli_fail(t->cli, t->data, &err);
    if (perc_model_write(t->model, t->output, &err))
        return cli_fail(t->cli, cli_output_name(t->output), &err);
    return report(t);
}

int cmd_train(struct cli *cli)
{
    struct train t = { .cli = cli, .output = "model.safetensors" };
    const struct opt opts[] = {
        { 'o', "output", OPT_TEXT, &t.output, "FILE", "model file [model.safetensors]", 0, 0 },
        { 'a', "algorithm", OPT_TEXT, &t.algorithm, "NAME",
          CLI_HELP_ALGORITHM " [" CLI_ALGORITHM "]", 0, 0 },
        { 0, "resume", OPT_TEXT, &t.resume, "MODEL",
          "go on from a model, with its options except those given", 0, 0 },
        { 0, "stream", OPT_FLAG, &t.stream, NULL,
          "read rows in file order and keep none: constant memory", 0, 0 },
        OPT_THREADS(cli), OPT_JSON(cli),
        { 'q', "quiet", OPT_FLAG, &cli->quiet, NULL, "no progress and no report", 0, 0 },
        OPT_END
    };
    const struct operand operands[] = { { "DATA", &t.data, false }, OPERANDS_END };
    const struct tables tables[] = {
        { "learner", &t.algorithm, NULL, NULL }, { "data", NULL, NULL, NULL }, TABLES_END
    };
    int rc;

    if (!cli_parse(cli, opts, operands, tables))
        return cli->rc;
    if (t.algorithm == NULL && t.resume == NULL)
        t.algorithm = CLI_ALGORITHM;
    if (t.stream && t.resume != NULL)
        rc = cli_usage(cli, "--stream and --resume do not go together");
    else if ((rc = load(&t)) == EXIT_DONE)
        rc = fit(&t);

    perc_model_free(t.model);
    perc_dataset_free(t.ds);
    perc_params_free(t.params);
    perc_params_free(t.data_params);
    perc_model_free(t.from);
    return rc;
}
