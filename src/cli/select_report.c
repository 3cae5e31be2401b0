/* select_report.c -- what `perceptron train` says about comparing models.
 *
 * Facts stand among those of the model; a table for each comparison follows them. Ratios
 * are in per cent or have four digits, so that columns can be read down. */
#include "cli/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/about.h"
#include "show/word.h"

/* ----- the measures, each once ------------------------------------------------ */

static const struct measure {
    const char *name, *key;
    size_t at; /* in perc_metrics */
    void (*add)(struct facts *f, const char *key, const char *words, double v);
} measures[] = {
    { "error E_n (margin <= 0)", "error", offsetof(perc_metrics, error), facts_percent },
    { "baseline (majority)", "baseline_error", offsetof(perc_metrics, baseline_error),
      facts_percent },
    { "accuracy", "accuracy", offsetof(perc_metrics, accuracy), facts_percent },
    { "balanced accuracy", "balanced_accuracy", offsetof(perc_metrics, balanced_accuracy),
      facts_percent },
    { "precision", "precision", offsetof(perc_metrics, precision), facts_ratio },
    { "recall", "recall", offsetof(perc_metrics, recall), facts_ratio },
    { "F1", "f1", offsetof(perc_metrics, f1), facts_ratio },
    { "MCC", "mcc", offsetof(perc_metrics, mcc), facts_ratio },
    { "ROC AUC", "auc", offsetof(perc_metrics, auc), facts_ratio },
    { "average precision", "average_precision", offsetof(perc_metrics, average_precision),
      facts_ratio },
    { "perceptron loss", "perceptron_loss", offsetof(perc_metrics, perceptron_loss), facts_real },
    { "hinge loss", "hinge_loss", offsetof(perc_metrics, hinge_loss), facts_real },
    { "log loss", "log_loss", offsetof(perc_metrics, log_loss), facts_real },
    { "Brier score", "brier", offsetof(perc_metrics, brier), facts_real },
};
enum { MEASURES = sizeof measures / sizeof *measures };

static double measure_value(const perc_metrics *m, const struct measure *k)
{
    double v;

    memcpy(&v, (const char *)m + k->at, sizeof v);
    return v;
}

/* The measures as facts. People get those in `shown`, a bit each, under `words`, or under their
 * names if NULL. */
static void measure_facts(struct facts *f, const perc_metrics *m, unsigned shown, const char *words)
{
    for (size_t i = 0; i < MEASURES; i++) {
        const struct measure *k = &measures[i];
        const char *name = shown >> i & 1 ? (words != NULL ? words : k->name) : NULL;

        k->add(f, k->key, name, measure_value(m, k));
    }
}

static void metrics_facts(struct facts *f, const char *key, const perc_metrics *m, unsigned shown,
                          const char *words)
{
    facts_object(f, key, NULL);
    facts_count(f, "rows", NULL, m->rows);
    facts_count(f, "errors", NULL, m->errors);
    measure_facts(f, m, shown, words);
    facts_end(f);
}

/* Means and spreads, as two objects; people get those in `mean`, and the one in `spread`, a bit
 * each. */
static void judged_facts(struct facts *f, const struct held_errors *j, unsigned mean,
                         unsigned spread)
{
    char words[WORD] = "";

    for (size_t i = 0; i < MEASURES; i++)
        if (spread >> i & 1) snprintf(words, sizeof words, "spread of %.30s", measures[i].name);
    facts_real(f, "seconds", NULL, j->seconds);
    facts_object(f, "mean", NULL);
    measure_facts(f, &j->mean, mean, NULL);
    facts_end(f);
    facts_object(f, "spread", NULL);
    measure_facts(f, &j->spread, spread, words);
    facts_end(f);
}

/* "5 folds", or "the held-out rows": what something was judged by. */
static const char *judge_of(const struct train *t, char buf[WORD])
{
    if (t->select.holds) return "the held-out rows";
    snprintf(buf, WORD, "%zu folds", t->select.folds);
    return buf;
}

/* ----- a search ------------------------------------------------------------------ */

static size_t metric_of(const struct train *t)
{
    char key[WORD];
    size_t i = 0;

    snprintf(key, sizeof key, "%s", select_metric(t));
    for (char *at = key; (at = strchr(at, '-')) != NULL;) *at = '_';
    while (i + 1 < MEASURES && strcmp(measures[i].key, key) != 0) i++;
    return i;
}

/* What always the same answer would get wrong, below a table of errors. */
static void baseline_prose(const struct train *t, struct facts *f)
{
    const perc_model *m = t->model;
    size_t label;
    double error;
    char buf[WORD];

    if (perc_baseline(m, t->select.whole != NULL ? t->select.whole : t->ds, &label, &error, NULL) ||
        isnan(error))
        return;
    facts_prose(f, "baseline: always \"%s\", error %s\n", perc_model_label(m, label),
                word_percent(buf, error));
}

/* What the points are compared by: the metric, and the others that are defined. */
static unsigned search_columns(const struct train *t)
{
    const struct selection *s = &t->select;
    unsigned shown = 1u << metric_of(t);

    for (size_t i = 0; i < MEASURES; i++)
        if (cli_listed("accuracy f1 auc", measures[i].key) &&
            !isnan(measure_value(&s->point[s->best].mean, &measures[i])))
            shown |= 1u << i;
    return shown;
}

/* Numbers are aligned right, words left. */
static bool is_numeric(const perc_grid *g, size_t k)
{
    for (size_t i = 0; i < perc_grid_points(g); i++)
        if (isnan(word_value(perc_grid_value(g, i, k)))) return false;
    return true;
}

static void search_facts(const struct train *t, struct facts *f)
{
    const struct selection *s = &t->select;
    char caption[256], judge[WORD], count[WORD];

    if (s->grid == NULL) {
        facts_null(f, "search");
        return;
    }
    const size_t points = perc_grid_points(s->grid);
    snprintf(caption, sizeof caption,
             "Search: %s point%s, each judged by %s; the best in %s was taken",
             word_count(count, points), word_plural(points), judge_of(t, judge),
             measures[metric_of(t)].name);
    facts_object(f, "search", NULL);
    facts_string(f, "metric", NULL, select_metric(t));
    facts_count(f, "folds", NULL, s->holds ? 0 : s->folds);
    facts_count(f, "best", NULL, s->best); /* from 0 */
    facts_table(f, "points", caption);
    for (size_t i = 0; i < points; i++) {
        const size_t names = perc_grid_names(s->grid);

        facts_row(f);
        facts_object(f, "values", NULL);
        for (size_t k = 0; k < names; k++) {
            const char *table = t->algorithm != NULL ? t->algorithm : CLI_ALGORITHM;
            const perc_param *row = cli_row(table, perc_grid_name(s->grid, k));

            if (row != NULL) about_option(f, row, perc_grid_value(s->grid, i, k));
        }
        facts_end(f);
        for (size_t k = 0; k < names; k++) {
            const char *name = perc_grid_name(s->grid, k), *value = perc_grid_value(s->grid, i, k);

            if (is_numeric(s->grid, k)) facts_line(f, name, "%s", value);
            else facts_string(f, NULL, name, value);
        }
        judged_facts(f, &s->point[i], search_columns(t), s->holds ? 0 : 1u << metric_of(t));
        facts_string(f, NULL, "", i == s->best ? "<- best" : "");
        facts_end(f);
    }
    facts_end(f);
    facts_end(f);
    baseline_prose(t, f);
}

/* ----- folds ---------------------------------------------------------------------- */

/* For --folds, or for the best of a search; programs get each fold, for plots. */
static void folds_facts(const struct train *t, struct facts *f)
{
    const struct selection *s = &t->select;
    const struct held_errors *j = s->grid != NULL ? &s->point[s->best] : &s->cv;
    const bool time = cli_given(t->cli, "time");
    const char *by = perc_params_get(t->data_params, time ? "time" : "group");

    if (s->each == NULL) {
        facts_null(f, "cross_validation");
        return;
    }
    facts_object(f, "cross_validation", NULL);
    facts_count(f, "folds", NULL, s->folds);
    if (by[0] != '\0') facts_string(f, time ? "time" : "group", NULL, by);
    judged_facts(f, j, 0, 0);
    facts_list(f, "each", NULL);
    for (size_t n = 0; n < s->folds; n++) metrics_facts(f, NULL, &s->each[n], 0, NULL);
    facts_end(f);
    facts_end(f);
    /* Measures that the data do not have (such as the AUC of three labels) get no line. */
    char caption[256];
    snprintf(caption, sizeof caption, "%zu folds%s%.80s%s, each judged by a model that has %s",
             s->folds, by[0] != '\0' ? " by " : "", by,
             s->grid != NULL ? " with the best values" : "",
             time ? "learned from older rows alone" : "not seen it");
    facts_table(f, NULL, caption);
    for (size_t i = 0; i < MEASURES; i++) {
        const struct measure *k = &measures[i];
        double low = INFINITY, high = -INFINITY;

        if (isnan(measure_value(&j->mean, k))) continue;
        for (size_t n = 0; n < s->folds; n++) {
            low = fmin(low, measure_value(&s->each[n], k));
            high = fmax(high, measure_value(&s->each[n], k));
        }
        facts_row(f);
        facts_string(f, NULL, "", k->name);
        k->add(f, NULL, "mean", measure_value(&j->mean, k));
        k->add(f, NULL, "spread", measure_value(&j->spread, k));
        k->add(f, NULL, "lowest", low);
        k->add(f, NULL, "highest", high);
        facts_end(f);
    }
    facts_end(f);
}

/* ----- held-out rows ---------------------------------------------------------------- */

/* The data, without lines for people: those about all rows are there already. */
static void held_data(const struct train *t, struct facts *f)
{
    const struct selection *s = &t->select;
    const char *file = perc_params_get(s->p, "validate");
    perc_dataset_info held, whole;
    char buf[2][WORD];

    perc_dataset_info_get(s->held, &held);
    perc_dataset_info_get(s->whole != NULL ? s->whole : s->held, &whole);
    facts_section(f, FACTS_UNTOLD);
    about_data(f, s->whole != NULL ? t->data : file, s->held);
    facts_section(f, 0);
    word_count(buf[0], held.rows);
    if (s->whole != NULL)
        facts_line(f, "held-out rows", "%s of %s, drawn with seed %llu", buf[0],
                   word_count(buf[1], whole.rows), (unsigned long long)s->seed);
    else facts_line(f, "held-out rows", "%s (%s)", buf[0], word_input(file));
}

static void held_facts(const struct train *t, struct facts *f)
{
    const struct selection *s = &t->select;
    const perc_metrics *m = &s->measured;
    const perc_report *r = &t->report;
    const bool pass = r->solver[0] == '\0' && r->held_epoch > 0; /* a pass was completed */
    char buf[3][WORD];

    if (s->held == NULL || s->unmeasured) {
        facts_null(f, "held_out");
        if (s->unmeasured) facts_line(f, "held-out error", "not counted: interrupted");
        return;
    }
    facts_object(f, "held_out", NULL);
    held_data(t, f);
    facts_int(f, "patience", NULL, s->patience);
    facts_string(f, "metric", NULL, r->held_metric);
    facts_int(f, "best_epoch", pass ? "best pass" : NULL, r->held_epoch);
    facts_say(f, "%s of %s: the model is what it was then",
              word_count(buf[0], (uint64_t)r->held_epoch), word_count(buf[1], (uint64_t)r->epochs));
    if (strcmp(r->held_metric, "error") != 0)
        facts_more(f, " (%s %s)", r->held_metric, word_num(buf[0], r->held_value));
    facts_count(f, "rows", NULL, m->rows);
    facts_count(f, "unlabelled", NULL, m->unlabelled);
    facts_count(f, "unknown", NULL, m->unknown);
    facts_count(f, "errors", "held-out error", m->errors);
    facts_say(f, "%s (%s of %s rows)", word_percent(buf[0], m->error),
              word_count(buf[1], m->errors), word_count(buf[2], m->rows));
    about_baseline(f, perc_model_label(t->model, m->baseline_label), m->baseline_error);
    for (size_t i = 0; i < MEASURES; i++)
        if (measures[i].at != offsetof(perc_metrics, baseline_error)) /* it is there already */
            measures[i].add(f, measures[i].key, NULL, measure_value(m, &measures[i]));
    facts_list(f, "reliability", NULL);
    for (int i = 0; i < PERC_BINS && !isnan(m->log_loss); i++) {
        facts_row(f);
        facts_count(f, "rows", NULL, m->reliability[i].rows);
        facts_real(f, "p", NULL, m->reliability[i].p);
        facts_real(f, "share", NULL, m->reliability[i].share);
        facts_end(f);
    }
    facts_end(f);
    facts_end(f);
    facts_table(f, NULL, "The model on the held-out rows");
    for (size_t i = 0; i < MEASURES; i++) {
        if (isnan(measure_value(m, &measures[i]))) continue;
        facts_row(f);
        facts_string(f, NULL, "", measures[i].name);
        measures[i].add(f, NULL, "", measure_value(m, &measures[i]));
        facts_end(f);
    }
    facts_end(f);
}

/* ----- the rest ----------------------------------------------------------------------- */

static void curve_facts(const struct train *t, struct facts *f)
{
    const struct selection *s = &t->select;
    char caption[128], judge[WORD];

    if (!s->curve) {
        facts_null(f, "learning_curve");
        return;
    }
    snprintf(caption, sizeof caption, "Learning curve: growing shares of the rows, judged by %s",
             judge_of(t, judge));
    facts_object(f, "learning_curve", NULL);
    facts_count(f, "folds", NULL, s->holds ? 0 : s->folds);
    facts_table(f, "points", caption);
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        facts_row(f);
        facts_percent(f, "share", "share", curve_parts[i]);
        facts_say(f, "%.0f %%", 100 * curve_parts[i]);
        facts_real(f, "rows", "rows", s->rows[i]);
        facts_say(f, "%.0f", s->rows[i]);
        metrics_facts(f, "train", &s->curve_train[i], 1, "training error");
        metrics_facts(f, "held", &s->curve_held[i], 1, "held-out error");
        facts_end(f);
    }
    facts_end(f);
    facts_end(f);
    baseline_prose(t, f);
}

/* What the threshold does on the rows that it was found on, and on those that were learned from. */
static void threshold_facts(const struct train *t, struct facts *f)
{
    const struct selection *s = &t->select;
    const perc_choice *c = &s->choice;
    perc_metrics trained;
    char buf[4][WORD];

    if (!s->fitted || s->threshold == NULL || s->none.status != PERC_OK) {
        facts_null(f, "threshold_choice");
        return;
    }
    if (perc_evaluate(&t->cli->env, t->model, t->ds, &trained, NULL, NULL) == PERC_OK)
        about_wrong(f, t->model, &trained);
    if (!s->finds) {
        facts_null(f, "threshold_choice");
        return;
    }
    facts_object(f, "threshold_choice", "on the folds");
    facts_say(f, "precision %s, recall %s, F1 %s, balanced accuracy %s",
              word_num(buf[0], c->precision), word_num(buf[1], c->recall), word_num(buf[2], c->f1),
              word_num(buf[3], c->balanced_accuracy));
    facts_real(f, "true_positives", NULL, c->true_positives);
    facts_real(f, "false_positives", NULL, c->false_positives);
    facts_real(f, "false_negatives", NULL, c->false_negatives);
    facts_real(f, "true_negatives", NULL, c->true_negatives);
    facts_real(f, "precision", NULL, c->precision);
    facts_real(f, "recall", NULL, c->recall);
    facts_real(f, "f1", NULL, c->f1);
    facts_real(f, "balanced_accuracy", NULL, c->balanced_accuracy);
    facts_end(f);
}

void select_report_facts(const struct train *t, struct facts *f)
{
    threshold_facts(t, f);
    search_facts(t, f);
    folds_facts(t, f);
    held_facts(t, f);
    curve_facts(t, f);
    /* A sigmoid for each score: p = 1 / (1 + exp(a s + b)). */
    const size_t folds = t->select.folds;
    perc_model_info info;
    double a, b;
    char buf[2][WORD];
    if (!t->select.calibrated) {
        facts_null(f, "calibration");
        return;
    }
    perc_model_info_get(t->model, &info);
    facts_object(f, "calibration", "probabilities");
    if (info.outputs == 1 && perc_model_sigmoid(t->model, 0, &a, &b, NULL) == PERC_OK)
        facts_say(f, "by %zu folds: p = 1 / (1 + exp(%s s %s %s))", folds, word_num(buf[0], a),
                  b < 0 ? "-" : "+", word_num(buf[1], fabs(b)));
    else facts_say(f, "by %zu folds: a sigmoid for each label", folds);
    if (t->select.again) facts_more(f, "; fitted again, as %s had them", t->resume);
    facts_count(f, "folds", NULL, folds);
    facts_list(f, "sigmoids", NULL);
    for (size_t c = 0; c < info.outputs; c++) {
        if (perc_model_sigmoid(t->model, c, &a, &b, NULL)) continue;
        facts_row(f);
        facts_string(f, "label", NULL,
                     info.outputs == 1 ? info.positive : perc_model_label(t->model, c));
        facts_real(f, "a", NULL, a);
        facts_real(f, "b", NULL, b);
        facts_end(f);
    }
    facts_end(f);
    facts_end(f);
}
