/* train_report.c -- what `perceptron train` says when it is done. */
#include "cli/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/ending.h"
#include "show/word.h"

/* The value of the limit that ended training. A model that was held to its best pass
 * has that as its own. */
static const char *limit_of(const struct train *t)
{
    const char *text = NULL;

    if (t->report.stop == PERC_STOP_HELD) text = perc_params_get(t->select.p, "patience");
    else if (t->report.stop == PERC_STOP_EPOCHS)
        text = t->select.held != NULL ? perc_params_get(t->params, "epochs")
                                      : perc_model_option(t->model, "epochs");
    else if (t->report.stop == PERC_STOP_UPDATES) text = perc_model_option(t->model, "updates");
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

    if (t->ds != NULL) perc_dataset_info_get(t->ds, &d);
    if (strcmp(d.format, "libsvm") != 0 ||
        (strcmp(info->map, "none") == 0 &&
         perc_model_feature(t->model, 0, name, sizeof name) != NULL))
        return; /* features have names, or are not from a text */
    if (index != NULL && strcmp(index, "auto") != 0)
        cli_fact(o, "index base", "%d (given)", info->index_base);
    else
        cli_fact(o, "index base", "%d (found: %s)", info->index_base,
                 info->index_base == 0 ? "an index 0 occurs" : "no index 0 occurs");
}

/* Where something else is returned than the last weights, their error stands beside
 * its own: that is what averaging, voting or keeping the best has gained. */
static void report_errors(const struct train *t, struct out *o, bool kernel)
{
    const perc_report *r = &t->report;
    char buf[4][WORD], last[WORD + 16] = "";

    if (!isnan(r->last_error))
        snprintf(last, sizeof last, "; last %s %s", kernel ? "machine" : "weights",
                 word_percent(buf[3], r->last_error));
    if (r->solver[0] == '\0') { /* solvers make neither */
        cli_fact(o, "mistakes", "%s", word_count(buf[0], (uint64_t)r->mistakes));
        cli_fact(o, "updates", "%s", word_count(buf[0], (uint64_t)r->updates));
    }
    if (isnan(r->training_error)) {
        cli_fact(o, "training error", "%s",
                 t->stream ? "not counted: that takes another pass"
                           : "undefined: every row has weight 0");
        return;
    }
    cli_fact(o, "training error", "%s (%s of %s rows)%s", word_percent(buf[0], r->training_error),
             word_count(buf[1], r->training_errors), word_count(buf[2], r->rows), last);
    cli_fact(o, r->weights > 0 ? "cross-entropy" : "perceptron loss", "%s",
             word_num(buf[0], r->loss));
}

/* The pass and the update after which the weights in the pocket stood. */
static void report_found(const struct train *t, struct out *o, const perc_model_info *info)
{
    char buf[2][WORD];

    if (strcmp(info->algorithm, "pocket") != 0) return;
    if (t->report.found_epoch > 0)
        cli_fact(o, "found", "in pass %s, after %s update%s",
                 word_count(buf[0], (uint64_t)t->report.found_epoch),
                 word_count(buf[1], (uint64_t)t->report.found_updates),
                 t->report.found_updates == 1 ? "" : "s");
    else cli_fact(o, "found", "at the start");
}

/* Rows that were held out were read with the others. */
static const perc_dataset *data_of(const struct train *t)
{
    return t->select.whole != NULL ? t->select.whole : t->ds;
}

/* |w| and R; with a kernel w is not at hand, and R is the length of a row where K is a dot
 * product. Rows of a stream are not measured again. */
static void report_size(const struct train *t, struct out *o, const perc_model_info *info)
{
    const perc_report *r = &t->report;
    const bool kernel = cli_has_kernel(info);
    char buf[WORD];

    cli_supports_fact(o, t->model, r->rows);
    if (t->stream && kernel && !cli_has_budget(t->model))
        cli_fact(o, "stream",
                 "not in constant memory: all support rows are kept (--budget B "
                 "bounds them)");
    if (!kernel && r->weights == 0) cli_fact(o, "|w|", "%s", word_num(buf, r->norm));
    if (!isnan(r->training_error) && !isnan(r->radius))
        cli_fact(o, "R", "%s%s", word_num(buf, r->radius),
                 !kernel            ? ""
                 : info->has_offset ? " (largest sqrt(K(x, x) + 1))"
                                    : " (largest sqrt(K(x, x)))");
}

/* What was read, how it ended, what came out, how long it took, where it is. */
void train_report_text(const struct train *t, struct out *o)
{
    const perc_report *r = &t->report;
    perc_model_info info;
    char buf[WORD], stop[256];

    perc_model_info_get(t->model, &info);
    if (t->ds != NULL) {
        cli_data_facts(o, t->data, data_of(t));
    } else {
        cli_fact(o, "data", "%s (stream)", cli_input_name(t->data));
        cli_fact(o, "rows", "%s", word_count(buf, r->rows));
        cli_fact(o, "features", "%s", word_count(buf, info.features));
        if (r->hashed > 0)
            cli_hashing_fact(o, perc_params_get(t->data_params, "hash"), r->hashed, r->collisions);
    }
    report_base(t, o, &info);
    cli_labels_facts(o, t->model);
    cli_algorithm_fact(o, t->model);
    cli_kernel_fact(o, t->model);
    cli_network_fact(o, t->model, r->weights);
    if (t->spectrum.rows > 0) cli_spectrum_fact(o, &t->spectrum);
    ending_words(stop, sizeof stop, r, limit_of(t));
    cli_fact(o, "end", "%s", stop);
    cli_fact(o, "passes", "%s", word_count(buf, (uint64_t)r->epochs));
    report_errors(t, o, cli_has_kernel(&info));
    report_found(t, o, &info);
    cli_dropped_fact(o, t->model, t->ds);
    select_facts(t, o);
    report_size(t, o, &info);
    cli_solver_facts(o, &info, r->radius);
    report_times(t, o);
    cli_fact(o, "model", "%s", cli_output_name(t->output));
    select_tables(t, o);
}

/* Null for those that are not found but come last. */
static void json_found(struct out *o, const char *key, const perc_model_info *info, int64_t when)
{
    out_key(o, key);
    if (strcmp(info->algorithm, "pocket") == 0) out_int(o, when);
    else out_null(o);
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
    out_key_real(o, "perceptron_loss", r->weights > 0 ? NAN : r->loss);
    if (r->weights > 0) { /* a network */
        out_key_real(o, "cross_entropy", r->loss);
        out_key_int(o, "weights", (int64_t)r->weights);
    }
    json_found(o, "found_epoch", info, r->found_epoch);
    json_found(o, "found_updates", info, r->found_updates);
    out_key_real(o, "norm", r->norm);
    out_key_real(o, "norm_augmented", r->norm_augmented);
    out_key_real(o, "radius", r->radius);
}

static void json_history(struct out *o, const struct history *h)
{
    out_key(o, "history");
    out_begin(o, '[');
    for (size_t i = 0; i < h->n; i++) {
        const struct pass *p = &h->at[i];

        out_begin(o, '{');
        out_key_int(o, "epoch", p->epoch);
        out_key_int(o, "mistakes", p->mistakes);
        out_key_int(o, "updates", p->updates);
        out_key_real(o, "seconds", p->seconds);
        out_key_real(o, "held_error", p->held_error);
        if (!isnan(p->loss)) out_key_real(o, "loss", p->loss);
        out_end(o, '}');
    }
    out_end(o, ']');
}

/* The same facts and some more, for programs. */
void train_report_json(const struct train *t, struct out *o)
{
    const perc_report *r = &t->report;
    perc_model_info info;
    char stop[256];

    perc_model_info_get(t->model, &info);
    ending_words(stop, sizeof stop, r, limit_of(t));
    out_begin(o, '{');
    out_key_string(o, "command", "train");
    out_key(o, "data");
    if (t->ds != NULL) {
        cli_data_json(o, t->data, data_of(t));
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
    cli_solver_json(o, &info, r->radius);
    cli_kernel_json(o, t->model);
    cli_spectrum_json(o, &t->spectrum);
    cli_dropped_json(o, t->model, t->ds);
    json_history(o, &t->history);
    select_json(t, o);
    out_key_real(o, "read_seconds", r->read_seconds);
    out_key_real(o, "train_seconds", r->train_seconds);
    out_key_real(o, "rows_per_second", r->rows_per_second);
    out_key_int(o, "bytes", (int64_t)r->bytes);
    out_key_string(o, "model", t->output);
    out_end(o, '}');
    out_text(o, "\n");
}
