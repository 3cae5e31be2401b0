/* about_test.c -- how well a model does on labelled data.
 *
 * Two counts of errors stand side by side. E_n counts rows with a margin <= 0, the
 * convention of the training error: a row on the boundary errs for either label.
 * Accuracy counts predictions, where a tie goes to the lower label (with two: s = 0
 * predicts the negative one). They differ by rows that lie exactly on the boundary.
 *
 * A calibrated model is judged by its probabilities too: log loss, Brier score, and a
 * table of how often what it calls probable is so.
 *
 * With more than two labels precision, recall and F1 are given for each label, and
 * above them their means over the labels. */
#include "show/about.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/word.h"

enum { MATRIX = 20 }; /* the most labels for which the confusion matrix fits on a screen */

static const char *const quantile_name[PERC_QUANTILES] = { "min",  "5 %",  "25 %", "median",
                                                           "75 %", "95 %", "max" };
static const char *const quantile_key[PERC_QUANTILES] = { "min", "q05", "q25", "median",
                                                          "q75", "q95", "max" };

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : (double)NAN;
}

/* A label of the data that the model does not have. */
static const char *unknown_label(const struct about_test *t)
{
    const char *label;

    for (size_t i = 0; (label = perc_dataset_label(t->ds, i)) != NULL; i++) {
        size_t c = 0;

        while (c < t->info.labels && !perc_label_same(label, perc_model_label(t->model, c))) c++;
        if (c == t->info.labels) return label;
    }
    return "?";
}

void about_baseline(struct facts *f, const char *label, double error)
{
    char buf[WORD], quoted[WORD_QUOTED];

    if (isnan(error)) label = NULL;
    facts_percent(f, "baseline_error", label != NULL ? "baseline" : NULL, error);
    if (label != NULL)
        facts_say(f, "%s (always %s)", word_percent(buf, error),
                  word_quote(quoted, sizeof quoted, label));
    facts_string(f, "baseline_label", NULL, label);
}

/* With a threshold, answers and E_n differ by more than the rows on the boundary. */
void about_wrong(struct facts *f, const perc_model *m, const perc_metrics *q)
{
    perc_threshold t;
    char buf[3][WORD];

    perc_model_threshold(m, &t);
    facts_count(f, "wrong", strcmp(t.of, "rule") != 0 ? "wrong answers" : NULL, q->wrong);
    facts_say(f, "%s (%s of %s rows, with the threshold)", word_percent(buf[0], 1 - q->accuracy),
              word_count(buf[1], q->wrong), word_count(buf[2], q->rows));
}

/* What two classes cost each other. */
static void trade_facts(const struct about_test *t, struct facts *f)
{
    if (t->trade == NULL) {
        facts_null(f, "trade_off");
        return;
    }
    const bool proba = t->info.calibrated != 0;

    facts_table(f, "trade_off", "Trade-off: what each threshold would give");
    for (size_t i = 0; i < t->trades; i++) {
        const perc_trade *one = &t->trade[i];

        facts_row(f);
        facts_real(f, "score", "s >=", one->score);
        facts_real(f, "probability", proba ? "p >=" : NULL, one->p);
        facts_count(f, "true_positives", NULL, one->true_positives);
        facts_count(f, "false_positives", NULL, one->false_positives);
        facts_ratio(f, "precision", "precision", one->precision);
        facts_ratio(f, "recall", "recall", one->recall);
        facts_ratio(f, "false_positive_rate", "false pos. rate", one->false_positive_rate);
        facts_ratio(f, "f1", "F1", one->f1);
        facts_bool(f, "here", NULL, one->here != 0);
        facts_string(f, NULL, "", one->here ? "<- the model" : "");
        facts_end(f);
    }
    facts_end(f);
}

/* What the numbers are about, and what they leave out. */
static void count_facts(const struct about_test *t, struct facts *f)
{
    const perc_metrics *m = &t->m;
    const bool two = t->info.outputs == 1;
    const char *of = two ? "" : " (mean of the labels)";
    char buf[3][WORD];

    facts_count(f, "rows", NULL, m->rows);
    facts_count(f, "unlabelled", m->unlabelled > 0 ? "rows left out" : NULL, m->unlabelled);
    facts_say(f, "%s without a label", word_count(buf[0], m->unlabelled));
    facts_count(f, "unknown", m->unknown > 0 ? "rows left out" : NULL, m->unknown);
    facts_say(f, "%s with a label that the model does not know (such as %s)",
              word_count(buf[0], m->unknown), unknown_label(t));
    facts_count(f, "errors", NULL, m->errors);
    facts_percent(f, "error", "error E_n", m->error);
    facts_say(f, "%s (%s of %s rows with %s <= 0)", word_percent(buf[0], m->error),
              word_count(buf[1], m->errors), word_count(buf[2], m->rows), two ? "y s" : "a margin");
    about_baseline(f, perc_model_label(t->model, m->baseline_label), m->baseline_error);
    about_wrong(f, t->model, m);
    facts_count(f, "on_boundary", m->on_boundary > 0 ? "on the boundary" : NULL, m->on_boundary);
    facts_say(f, "%s rows with %s = 0: errors for %s label", word_count(buf[0], m->on_boundary),
              two ? "s" : "a margin", two ? "either" : "any");
    facts_percent(f, "accuracy", "accuracy", m->accuracy);
    facts_percent(f, "balanced_accuracy", "bal. accuracy", m->balanced_accuracy);
    facts_say(f, "%s (the mean recall of the labels)", word_percent(buf[0], m->balanced_accuracy));
    facts_real(f, "perceptron_loss", "perceptron loss", m->perceptron_loss);
    facts_real(f, "hinge_loss", "hinge loss", m->hinge_loss);
    facts_real(f, "precision", "precision", m->precision);
    facts_say(f, "%s%s", word_num(buf[0], m->precision), of);
    facts_real(f, "recall", "recall", m->recall);
    facts_say(f, "%s%s", word_num(buf[0], m->recall), of);
    facts_real(f, "f1", "F1", m->f1);
    facts_say(f, "%s%s", word_num(buf[0], m->f1), of);
    facts_real(f, "mcc", "MCC", m->mcc);
    facts_real(f, "auc", two ? "ROC AUC" : NULL, m->auc);
    facts_real(f, "average_precision", two ? "avg. precision" : NULL, m->average_precision);
}

/* For people: rows are the truth, columns the answers. With two labels the positive one comes
 * first, since the measures above the table are about it. */
static void matrix_table(const struct about_test *t, struct facts *f)
{
    const size_t n = t->info.labels;
    const bool two = t->info.outputs == 1;

    if (n > MATRIX) {
        facts_prose(f, "\nThe confusion matrix of %zu labels is in the output of --json.\n", n);
        return;
    }
    facts_table(f, NULL, "");
    for (size_t r = 0; r < n; r++) {
        const size_t truth = two ? 1 - r : r;

        facts_row(f);
        facts_string(f, NULL, "truth \\ predicted", perc_model_label(t->model, truth));
        for (size_t c = 0; c < n; c++) {
            const size_t answer = two ? 1 - c : c;

            facts_count(f, NULL, perc_model_label(t->model, answer),
                        t->confusion[truth * n + answer]);
        }
        facts_end(f);
    }
    facts_end(f);
}

/* For programs: with two labels the four counts have names; with more there is a matrix, its rows
 * and columns in the order of "labels". */
static void confusion_facts(const struct about_test *t, struct facts *f)
{
    const size_t n = t->info.labels;
    const uint64_t *c = t->confusion;

    if (t->info.outputs == 1) {
        facts_object(f, "confusion", NULL);
        facts_count(f, "true_positive", NULL, c[3]);
        facts_count(f, "false_negative", NULL, c[2]);
        facts_count(f, "false_positive", NULL, c[1]);
        facts_count(f, "true_negative", NULL, c[0]);
        facts_end(f);
        return;
    }
    facts_list(f, "confusion", NULL);
    for (size_t i = 0; i < n; i++) {
        facts_list(f, NULL, NULL);
        for (size_t k = 0; k < n; k++) facts_count(f, NULL, NULL, c[i * n + k]);
        facts_end(f);
    }
    facts_end(f);
}

/* Without probabilities there are none of these numbers, and no bins. The table groups rows by
 * the probability that the model gives them: if that is right, both columns of numbers agree. */
static void probability_facts(const struct about_test *t, struct facts *f)
{
    const bool two = t->info.outputs == 1, known = t->info.calibrated != 0;
    char buf[2][WORD], head[128] = "p of the answer";

    if (two) snprintf(head, sizeof head, "p of %s", t->info.positive);
    facts_bool(f, "calibrated", NULL, known);
    facts_real(f, "log_loss", known ? "log loss" : NULL, t->m.log_loss);
    facts_real(f, "brier", known ? "Brier score" : NULL, t->m.brier);
    facts_count(f, "disagree", t->m.disagree > 0 ? "most probable" : NULL, t->m.disagree);
    facts_say(f, "not the answer in %s of %s rows", word_count(buf[0], t->m.disagree),
              word_count(buf[1], t->m.rows));
    facts_table(f, "reliability", "");
    for (int i = 0; i < PERC_BINS && known; i++) {
        const bool any = t->m.reliability[i].rows > 0;

        facts_row(f);
        facts_real(f, "from", NULL, i / (double)PERC_BINS);
        facts_real(f, "to", NULL, (i + 1) / (double)PERC_BINS);
        facts_string(f, NULL, head, "");
        facts_say(f, "%.1f - %.1f", i / (double)PERC_BINS, (i + 1) / (double)PERC_BINS);
        facts_count(f, "rows", "rows", t->m.reliability[i].rows);
        facts_real(f, "p", "mean p", t->m.reliability[i].p);
        if (!any) facts_say(f, "-");
        facts_real(f, "share", two ? "share" : "right", t->m.reliability[i].share);
        if (!any) facts_say(f, "-");
        facts_end(f);
    }
    facts_end(f);
}

/* Numbers that are 0/0 (such as precision without positive answers) are null, or "undefined". */
void about_test(struct facts *f, const struct about_test *t)
{
    facts_string(f, "command", NULL, "test");
    about_data(f, t->path, t->ds);
    facts_string(f, "algorithm", NULL, t->info.algorithm);
    about_labels(f, t->model);
    about_kernel(f, t->model, 0);
    count_facts(t, f);
    confusion_facts(t, f);
    facts_table(f, "by_label", t->info.outputs == 1 ? NULL : "");
    for (size_t c = 0, n = t->info.labels; c < n; c++) {
        const uint64_t right = t->confusion[c * n + c];
        uint64_t rows = 0, answers = 0; /* with this label; with this answer */

        for (size_t i = 0; i < n; i++) {
            rows += t->confusion[c * n + i];
            answers += t->confusion[i * n + c];
        }
        facts_row(f);
        facts_string(f, "label", "label", perc_model_label(t->model, c));
        facts_count(f, "rows", "rows", rows);
        facts_real(f, "precision", "precision", ratio(right, answers));
        facts_real(f, "recall", "recall", ratio(right, rows));
        facts_real(f, "f1", "F1", ratio(2 * right, answers + rows));
        facts_end(f);
    }
    facts_end(f);
    matrix_table(t, f);
    /* The margins grow with |w|; divided by |w| they are distances, which can be compared
     * between models. Negative ones are errors. Votes and several vectors have no |w| to
     * divide by. */
    const bool two = t->info.outputs == 1;
    const double *const q[] = { t->m.margin, t->m.distance };
    const char *const keys[] = { "margin", "distance" };
    const char *const words[] = { two ? "margin y s" : "margin (half the gap)",
                                  "distance y s/|w|" };
    const int shown = two && strcmp(t->info.machine, "linear") == 0 ? 2 : 1;
    for (int k = 0; k < 2; k++) {
        facts_object(f, keys[k], NULL);
        for (int i = 0; i < PERC_QUANTILES; i++) facts_real(f, quantile_key[i], NULL, q[k][i]);
        facts_end(f);
    }
    facts_table(f, NULL, "");
    for (int k = 0; k < shown; k++) {
        facts_row(f);
        facts_string(f, NULL, "quantiles", words[k]);
        for (int i = 0; i < PERC_QUANTILES; i++) facts_real(f, NULL, quantile_name[i], q[k][i]);
        facts_end(f);
    }
    facts_end(f);
    probability_facts(t, f);
    trade_facts(t, f);
}
