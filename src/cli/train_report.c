/* train_report.c -- what `perceptron train` says when it is done. */
#include "cli/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/about.h"
#include "show/ending.h"
#include "show/word.h"

/* The value of the limit that ended training. A model that was cut back to its best pass has the
 * number of that as its own limit. */
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

/* ----- what was read ------------------------------------------------------------ */

/* Held-out rows were read with the others. */
static void data_facts(const struct train *t, struct facts *f, const perc_model_info *info)
{
    const perc_report *r = &t->report;
    char several[SEVERAL_NAME];

    if (t->ds != NULL) {
        about_data(f, t->data, t->select.whole != NULL ? t->select.whole : t->ds);
        about_scaling(f, t->select.whole != NULL ? t->select.whole : t->ds);
    } else {
        facts_object(f, "data", "data");
        facts_say(f, "%s (stream)", several_name(t->cli, t->data, several));
        facts_string(f, "path", NULL, t->data);
        if (t->cli->more != NULL) facts_count(f, "files", NULL, perc_files_count(t->cli->files));
        facts_count(f, "rows", "rows", r->rows);
        facts_count(f, "features", "features", info->features);
        facts_count(f, NULL, r->hashed > 0 ? "hashing" : NULL, r->hashed);
        about_hashing(f, perc_params_get(t->data_params, "hash"), r->hashed, r->collisions);
        facts_bytes(f, "bytes", NULL, r->bytes);
        facts_end(f);
    }
    /* LIBSVM files count features from 0 or from 1, and do not say which. What was decided here
     * holds for the model from now on, so it is printed. */
    const char *index = perc_params_get(t->data_params, "index");
    perc_dataset_info d = { .format = "libsvm" };
    char name[WORD];
    if (t->ds != NULL) perc_dataset_info_get(t->ds, &d);
    if (strcmp(d.format, "libsvm") != 0 ||
        (strcmp(info->map, "none") == 0 &&
         perc_model_feature(t->model, 0, name, sizeof name) != NULL))
        return; /* features have names, or do not come from a text */
    if (index != NULL && strcmp(index, "auto") != 0)
        facts_line(f, "index base", "%d (given)", info->index_base);
    else
        facts_line(f, "index base", "%d (found: %s)", info->index_base,
                   info->index_base == 0 ? "an index 0 occurs" : "no index 0 occurs");
}

/* Where it began, if not at zero. A model is read by the names of its features, so what the two do
 * not share is said. */
static void start_facts(const struct train *t, struct facts *f)
{
    const perc_report *r = &t->report;
    const char *init = perc_model_option(t->model, "init");
    const bool network = r->weights > 0;
    char buf[3][WORD];

    if (init == NULL || network || strcmp(init, "zero") == 0 || t->from != NULL) return;
    facts_object(f, "start", "start");
    facts_say(f, "%s", init);
    if (r->start_found + r->start_missing > 0) {
        facts_more(f, ": %s of the %s features of the data", word_count(buf[0], r->start_found),
                   word_count(buf[1], r->start_found + r->start_missing));
        if (r->start_missing > 0)
            facts_more(f, " (%s begin%s at 0)", word_count(buf[2], r->start_missing),
                       r->start_missing == 1 ? "s" : "");
        if (r->start_unused > 0)
            facts_more(f, "; %s of its own %s not among them", word_count(buf[2], r->start_unused),
                       r->start_unused == 1 ? "is" : "are");
    }
    if (t->ds != NULL && r->start_found > 0) {
        perc_scaling scaling;
        perc_dataset_scaling(t->ds, &scaling);
        if (strcmp(scaling.how, "none") != 0) facts_more(f, "; scaled as there");
    }
    facts_string(f, "init", NULL, init);
    facts_count(f, "found", NULL, r->start_found);
    facts_count(f, "missing", NULL, r->start_missing);
    facts_count(f, "unused", NULL, r->start_unused);
    facts_end(f);
}

/* ----- what came out -------------------------------------------------------------- */

/* If something other than the last weights is returned, their error stands beside its own: the
 * difference is what averaging, voting or keeping the best has gained. */
static void error_facts(const struct train *t, struct facts *f, const perc_model_info *info)
{
    const perc_report *r = &t->report;
    const bool network = r->weights > 0, known = !isnan(r->training_error);
    char buf[3][WORD];

    facts_count_if(f, "training_errors", NULL, known, r->training_errors);
    facts_percent(f, "training_error", "training error", r->training_error);
    if (!known) {
        facts_say(f, "%s",
                  interrupt_count() > t->interrupts ? "not counted: interrupted"
                  : t->stream                       ? "not counted: that takes another pass"
                                                    : "undefined: every row has weight 0");
    } else {
        facts_say(f, "%s (%s of %s rows)", word_percent(buf[0], r->training_error),
                  word_count(buf[1], r->training_errors), word_count(buf[2], r->rows));
        if (!isnan(r->last_error))
            facts_more(f, "; last %s %s", about_has_kernel(info) ? "machine" : "weights",
                       word_percent(buf[0], r->last_error));
    }
    size_t label = 0;
    double baseline = NAN;
    if (known && t->ds != NULL) perc_baseline(t->model, t->ds, &label, &baseline, NULL);
    about_baseline(f, perc_model_label(t->model, label), baseline);
    facts_real(f, "last_error", NULL, r->last_error);
    facts_real(f, "perceptron_loss", known && !network ? "perceptron loss" : NULL,
               network ? (double)NAN : r->loss);
    if (network) {
        facts_real(f, "cross_entropy", known ? "cross-entropy" : NULL, r->loss);
        about_network(f, t->model, "weights", r->weights);
    }
}

/* The pass and the update that the weights in the pocket are from; null for other learners, whose
 * weights come last. */
static void found_facts(const struct train *t, struct facts *f, const perc_model_info *info)
{
    const perc_report *r = &t->report;
    char buf[2][WORD];

    if (strcmp(info->algorithm, "pocket") != 0) {
        facts_null(f, "found_epoch");
        facts_null(f, "found_updates");
        return;
    }
    facts_int(f, "found_epoch", "found", r->found_epoch);
    if (r->found_epoch > 0)
        facts_say(f, "in pass %s, after %s update%s", word_count(buf[0], (uint64_t)r->found_epoch),
                  word_count(buf[1], (uint64_t)r->found_updates),
                  word_plural((uint64_t)r->found_updates));
    else facts_say(f, "at the start");
    facts_int(f, "found_updates", NULL, r->found_updates);
}

static void history_row(struct facts *f, const void *ud, uint64_t i)
{
    const struct history_pass *p = &((const struct history *)ud)->at[i];

    facts_row(f);
    facts_int(f, "epoch", NULL, p->epoch);
    facts_int(f, "mistakes", NULL, p->mistakes);
    facts_int(f, "updates", NULL, p->updates);
    facts_real(f, "seconds", NULL, p->seconds);
    facts_real(f, "held_error", NULL, p->held_error);
    facts_real(f, "held_value", NULL, p->held_value);
    if (!isnan(p->loss)) facts_real(f, "loss", NULL, p->loss);
    facts_end(f);
}

/* |w| and R; with a kernel w is not available, and R is the length of a row if K is a dot product.
 * Rows of a stream are not measured again. */
static void size_facts(struct facts *f, const perc_report *r, const perc_model_info *info)
{
    const bool kernel = about_has_kernel(info);
    const bool measured = !isnan(r->training_error) && !isnan(r->radius);
    char buf[WORD];

    facts_real(f, "norm", kernel || r->weights > 0 ? NULL : "|w|", r->norm);
    facts_real(f, "norm_augmented", NULL, r->norm_augmented);
    facts_real(f, "radius", measured ? "R" : NULL, r->radius);
    if (kernel)
        facts_say(f, "%s (largest sqrt(K(x, x)%s))", word_num(buf, r->radius),
                  info->has_offset ? " + 1" : "");
}

/* The solvers that answer whether a plane separates the rows. */
bool train_asks(const struct train *t)
{
    return strcmp(t->report.solver, "hard") == 0 || strcmp(t->report.solver, "lp") == 0;
}

/* False: the solver was stopped too early, or has no plane. */
bool train_answered(const struct train *t)
{
    const perc_report *r = &t->report;
    const bool stopped = r->stop == PERC_STOP_EPOCHS || r->stop == PERC_STOP_TIME ||
                         r->stop == PERC_STOP_STUCK || r->stop == PERC_STOP_CANCELLED;

    return !stopped || (r->margin_lower > 0 && r->training_errors == 0);
}

static const char *answer_of(const struct train *t)
{
    return !train_asks(t) ? NULL : train_answered(t) ? "yes" : "undecided";
}

int train_no(const struct train *t, const perc_error *err)
{
    struct facts f;
    int rc;

    cli_facts(t->cli, &f);
    facts_string(&f, "command", NULL, "train");
    if (t->ds != NULL) about_data(&f, t->data, t->ds);
    facts_string(&f, "algorithm", NULL, t->algorithm);
    about_options(&f, t->algorithm, t->params);
    facts_string(&f, "answer", NULL, "no");
    facts_string(&f, "reason", NULL, err->text);
    facts_null(&f, "model");
    rc = cli_print(t->cli, &f, strcmp(t->output, "-") == 0);
    return rc ? rc : EXIT_NO;
}

/* What was read, how it ended, what came out, how long it took, where it is. */
void train_report_facts(const struct train *t, struct facts *f)
{
    const perc_report *r = &t->report;
    perc_model_info info;
    char stop[ENDING_SENTENCE];

    perc_model_info_get(t->model, &info);
    facts_string(f, "command", NULL, "train");
    about_algorithm(f, t->model, false);
    data_facts(t, f, &info);
    about_columns(f, t->model, false);
    about_labels(f, t->model);
    start_facts(t, f);
    facts_string(f, "answer", NULL, answer_of(t));
    facts_bool(f, "converged", NULL, r->stop == PERC_STOP_CONVERGED);
    ending_value(stop, sizeof stop, r, limit_of(t));
    facts_string(f, "stop", "end", stop);
    ending_words(stop, sizeof stop, r, limit_of(t));
    ending_kept(stop, sizeof stop, r, info.algorithm);
    facts_say(f, "%s", stop);
    const bool steps = r->solver[0] == '\0'; /* solvers make neither mistakes nor updates */
    facts_count(f, "epochs", "passes", (uint64_t)r->epochs);
    facts_count(f, "examples", NULL, (uint64_t)r->examples);
    facts_count(f, "mistakes", steps ? "mistakes" : NULL, (uint64_t)r->mistakes);
    facts_count(f, "updates", steps ? "updates" : NULL, (uint64_t)r->updates);
    if (r->checkpoints + r->checkpoints_failed > 0) {
        facts_count(f, "checkpoints", NULL, (uint64_t)r->checkpoints);
        facts_count(f, "checkpoints_failed", NULL, (uint64_t)r->checkpoints_failed);
    }
    about_arithmetic(f, r);
    about_close_calls(f, r);
    error_facts(t, f, &info);
    found_facts(t, f, &info);
    size_facts(f, r, &info);
    about_solver(f, &info, r->radius);
    about_kernel(f, t->model, t->report.rows);
    if (t->stream && about_has_kernel(&info) && !about_has_budget(t->model))
        facts_line(f, "stream",
                   "not in constant memory: all support rows are kept (--budget B bounds them)");
    if (t->gram != NULL) about_gram(f, t->gram);
    else about_spectrum(f, &t->spectrum);
    about_dropped(f, t->model, t->ds);
    facts_list(f, "history", NULL);
    facts_each(f, t->history.n, 0, history_row, &t->history);
    facts_end(f);
    select_report_facts(t, f);
    /* Speed, in the units in which machines are sold: MB of text and rows per second. With a
     * stream, reading is part of training, and done in each pass. */
    const bool apart = !t->stream && r->bytes > 0;
    const double read = t->stream ? (double)r->bytes * (double)r->epochs / r->train_seconds
                                  : (double)r->bytes / r->read_seconds;
    char time[WORD], rate[WORD], speed[WORD];
    word_rate(speed, read / 1e6, "MB");
    facts_seconds(f, "read_seconds", apart ? "reading" : NULL, r->read_seconds);
    facts_say(f, "%s (%s)", word_seconds(time, r->read_seconds), speed);
    facts_seconds(f, "train_seconds", "training", r->train_seconds);
    facts_say(f, "%s (%s%s%s)", word_seconds(time, r->train_seconds),
              word_rate(rate, r->rows_per_second, "rows"), t->stream ? ", " : "",
              t->stream ? speed : "");
    facts_real(f, "rows_per_second", NULL, r->rows_per_second);
    facts_bytes(f, "bytes", NULL, r->bytes);
    warn_facts(t, f);
    facts_string(f, "model", "model", t->output);
    facts_say(f, "%s", word_output(t->output));
}
