/* select_report.c -- what `perceptron train` says about the comparing of models.
 *
 * Facts stand among those of the model; a table for each comparison follows them. Ratios
 * are per cent or have four digits, so that columns can be read down. */
#include "cli/train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/grid.h"
#include "show/word.h"

/* ----- the measures, each once ------------------------------------------------ */

enum form { PERCENT, RATIO, NUMBER };

static const struct measure {
    const char *name, *key;
    size_t at; /* in perc_metrics */
    enum form form;
} measures[] = {
    { "error E_n", "error", offsetof(perc_metrics, error), PERCENT },
    { "accuracy", "accuracy", offsetof(perc_metrics, accuracy), PERCENT },
    { "precision", "precision", offsetof(perc_metrics, precision), RATIO },
    { "recall", "recall", offsetof(perc_metrics, recall), RATIO },
    { "F1", "f1", offsetof(perc_metrics, f1), RATIO },
    { "ROC AUC", "auc", offsetof(perc_metrics, auc), RATIO },
    { "perceptron loss", "perceptron_loss", offsetof(perc_metrics, perceptron_loss), NUMBER },
    { "hinge loss", "hinge_loss", offsetof(perc_metrics, hinge_loss), NUMBER },
    { "log loss", "log_loss", offsetof(perc_metrics, log_loss), NUMBER },
    { "Brier score", "brier", offsetof(perc_metrics, brier), NUMBER },
};
enum { MEASURES = sizeof measures / sizeof *measures };

static double value_of(const perc_metrics *m, const struct measure *k)
{
    double v;

    memcpy(&v, (const char *)m + k->at, sizeof v);
    return v;
}

static void cell(struct grid *g, enum form form, double v)
{
    char buf[WORD];

    if (isnan(v)) grid_cell(g, "-");
    else if (form == PERCENT) grid_cell(g, word_percent(buf, v));
    else if (form == RATIO) grid_fmt(g, "%.4f", v);
    else grid_cell(g, word_num(buf, v));
}

static void heads(struct grid *g, const char *const *head, size_t n)
{
    for (size_t i = 0; i < n; i++) grid_cell(g, head[i]);
}

static void print(struct grid *g, struct out *o)
{
    grid_print(g, o, 0);
    grid_free(g);
}

/* "5 folds", or "the held-out rows": by what something was judged. */
static const char *judge_of(const struct train *t, char buf[WORD])
{
    if (t->select.holds) return "the held-out rows";
    snprintf(buf, WORD, "%zu folds", t->select.folds);
    return buf;
}

/* ----- facts -------------------------------------------------------------------- */

static void calibration_fact(const struct train *t, struct out *o)
{
    perc_model_info info;
    double a, b;
    char buf[2][WORD];

    if (!t->select.calibrated) return;
    perc_model_info_get(t->model, &info);
    if (info.outputs == 1 && perc_model_sigmoid(t->model, 0, &a, &b, NULL) == PERC_OK)
        cli_fact(o, "probabilities", "by %zu folds: p = 1 / (1 + exp(%s s %s %s))", t->select.folds,
                 word_num(buf[0], a), b < 0 ? "-" : "+", word_num(buf[1], fabs(b)));
    else cli_fact(o, "probabilities", "by %zu folds: a sigmoid for each label", t->select.folds);
}

void select_facts(const struct train *t, struct out *o)
{
    const struct selection *s = &t->select;
    const perc_report *r = &t->report;
    perc_dataset_info held, whole;
    char buf[4][WORD];

    if (s->held != NULL) {
        perc_dataset_info_get(s->held, &held);
        perc_dataset_info_get(s->whole != NULL ? s->whole : s->held, &whole);
        if (s->whole != NULL)
            cli_fact(o, "held-out rows", "%s of %s, drawn with seed %llu",
                     word_count(buf[0], held.rows), word_count(buf[1], whole.rows),
                     (unsigned long long)s->seed);
        else
            cli_fact(o, "held-out rows", "%s (%s)", word_count(buf[0], held.rows),
                     cli_input_name(perc_params_get(s->p, "validate")));
        if (r->solver[0] == '\0' && r->held_epoch > 0) /* else no pass was completed */
            cli_fact(o, "best pass", "%s of %s: the model is what it was then",
                     word_count(buf[0], (uint64_t)r->held_epoch),
                     word_count(buf[1], (uint64_t)r->epochs));
        cli_fact(o, "held-out error", "%s (%s of %s rows)", word_percent(buf[0], s->measured.error),
                 word_count(buf[1], s->measured.errors), word_count(buf[2], s->measured.rows));
    }
    calibration_fact(t, o);
}

/* ----- tables ------------------------------------------------------------------- */

/* Measures that the data do not have (the AUC of three labels) have no line. */
static void folds_table(const struct train *t, struct out *o, const struct judged *j)
{
    static const char *const head[] = { "", "mean", "spread", "lowest", "highest" };
    const struct selection *s = &t->select;
    struct grid *g = grid_new(&t->cli->env, "lrrrr");

    heads(g, head, sizeof head / sizeof *head);
    for (size_t i = 0; i < MEASURES; i++) {
        const struct measure *k = &measures[i];
        double low = INFINITY, high = -INFINITY;

        if (isnan(value_of(&j->mean, k))) continue;
        for (size_t f = 0; f < s->folds; f++) {
            low = fmin(low, value_of(&s->each[f], k));
            high = fmax(high, value_of(&s->each[f], k));
        }
        grid_cell(g, k->name);
        cell(g, k->form, value_of(&j->mean, k));
        cell(g, k->form, value_of(&j->spread, k));
        cell(g, k->form, low);
        cell(g, k->form, high);
    }
    out_fmt(o, "\n%zu folds%s, each judged by a model that has not seen it\n\n", s->folds,
            s->grid != NULL ? " with the best values" : "");
    print(g, o);
}

static void held_table(const struct train *t, struct out *o)
{
    struct grid *g = grid_new(&t->cli->env, "lr");

    for (size_t i = 0; i < MEASURES; i++) {
        const double v = value_of(&t->select.measured, &measures[i]);

        if (isnan(v)) continue;
        grid_cell(g, measures[i].name);
        cell(g, measures[i].form, v);
    }
    out_text(o, "\nThe model on the held-out rows\n\n");
    print(g, o);
}

static const struct measure *metric(const struct train *t)
{
    const char *name = perc_params_get(t->select.p, "metric");
    size_t i = 0;

    while (i + 1 < MEASURES && strcmp(measures[i].key, name) != 0) i++;
    return &measures[i];
}

/* What the points are compared in: the metric first, then the others that are defined. */
static size_t search_columns(const struct train *t, const struct measure *column[3])
{
    const struct selection *s = &t->select;
    size_t n = 1;

    column[0] = metric(t);
    for (size_t i = 0; i < MEASURES; i++)
        if (&measures[i] != column[0] && cli_listed("accuracy f1 auc", measures[i].key) &&
            !isnan(value_of(&s->point[s->best].mean, &measures[i])))
            column[n++] = &measures[i];
    return n;
}

static void search_row(const struct train *t, struct grid *g, size_t i,
                       const struct measure *const *column, size_t n)
{
    const struct selection *s = &t->select;

    for (size_t k = 0; k < perc_grid_names(s->grid); k++)
        grid_cell(g, perc_grid_value(s->grid, i, k));
    for (size_t k = 0; k < n; k++) {
        cell(g, column[k]->form, value_of(&s->point[i].mean, column[k]));
        if (k == 0 && !s->holds) cell(g, column[0]->form, value_of(&s->point[i].spread, column[0]));
    }
    grid_cell(g, i == s->best ? "<- best" : "");
}

/* Numbers stand to the right, words to the left. */
static char align_of(const perc_grid *g, size_t k)
{
    for (size_t i = 0; i < perc_grid_points(g); i++)
        if (isnan(word_value(perc_grid_value(g, i, k)))) return 'l';
    return 'r';
}

static void search_table(const struct train *t, struct out *o)
{
    const struct selection *s = &t->select;
    const size_t names = perc_grid_names(s->grid), points = perc_grid_points(s->grid);
    const struct measure *column[3];
    const size_t n = search_columns(t, column), cells = names + n + !s->holds;
    char align[64], judge[WORD], count[WORD];

    memset(align, 'r', sizeof align);
    for (size_t k = 0; k < names && k < sizeof align; k++) align[k] = align_of(s->grid, k);
    snprintf(align + (cells < 60 ? cells : 60), 2, "l");
    struct grid *g = grid_new(&t->cli->env, align);
    for (size_t k = 0; k < names; k++) grid_cell(g, perc_grid_name(s->grid, k));
    for (size_t k = 0; k < n; k++) {
        grid_cell(g, column[k]->name);
        if (k == 0 && !s->holds) grid_cell(g, "spread");
    }
    grid_cell(g, "");
    for (size_t i = 0; i < points; i++) search_row(t, g, i, column, n);
    out_fmt(o, "\nSearch: %s point%s, each judged by %s; the best in %s was taken\n\n",
            word_count(count, points), points == 1 ? "" : "s", judge_of(t, judge), column[0]->name);
    print(g, o);
}

static void curve_table(const struct train *t, struct out *o)
{
    static const char *const head[] = { "share", "rows", "training error", "held-out error" };
    const struct selection *s = &t->select;
    struct grid *g = grid_new(&t->cli->env, "rrrr");
    char judge[WORD];

    heads(g, head, sizeof head / sizeof *head);
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        grid_fmt(g, "%.0f %%", 100 * curve_parts[i]);
        grid_fmt(g, "%.0f", s->rows[i]);
        cell(g, PERCENT, s->curve_train[i].error);
        cell(g, PERCENT, s->curve_held[i].error);
    }
    out_fmt(o, "\nLearning curve: growing shares of the rows, judged by %s\n\n",
            judge_of(t, judge));
    print(g, o);
}

void select_tables(const struct train *t, struct out *o)
{
    const struct selection *s = &t->select;

    if (s->grid != NULL) search_table(t, o);
    if (s->each != NULL) folds_table(t, o, s->grid != NULL ? &s->point[s->best] : &s->cv);
    if (s->held != NULL) held_table(t, o);
    if (s->curve) curve_table(t, o);
}

/* ----- JSON --------------------------------------------------------------------- */

static void json_measures(struct out *o, const perc_metrics *m)
{
    for (size_t i = 0; i < MEASURES; i++)
        out_key_real(o, measures[i].key, value_of(m, &measures[i]));
}

static void json_metrics(struct out *o, const char *key, const perc_metrics *m)
{
    if (key != NULL) out_key(o, key);
    out_begin(o, '{');
    out_key_int(o, "rows", (int64_t)m->rows);
    out_key_int(o, "errors", (int64_t)m->errors);
    json_measures(o, m);
    out_end(o, '}');
}

/* Means and spreads, and for plots each fold: of --folds, or of a search's best. */
static void json_folds(const struct train *t, struct out *o)
{
    const struct selection *s = &t->select;
    const struct judged *j = s->grid != NULL ? &s->point[s->best] : &s->cv;

    out_key(o, "cross_validation");
    if (s->each == NULL) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_int(o, "folds", (int64_t)s->folds);
    out_key_real(o, "seconds", j->seconds);
    out_key(o, "mean");
    out_begin(o, '{');
    json_measures(o, &j->mean);
    out_end(o, '}');
    out_key(o, "spread");
    out_begin(o, '{');
    json_measures(o, &j->spread);
    out_end(o, '}');
    out_key(o, "each");
    out_begin(o, '[');
    for (size_t f = 0; f < s->folds; f++) json_metrics(o, NULL, &s->each[f]);
    out_end(o, ']');
    out_end(o, '}');
}

static void json_reliability(struct out *o, const perc_metrics *m)
{
    out_key(o, "reliability");
    out_begin(o, '[');
    for (int i = 0; i < PERC_BINS && !isnan(m->log_loss); i++) {
        out_begin(o, '{');
        out_key_int(o, "rows", (int64_t)m->reliability[i].rows);
        out_key_real(o, "p", m->reliability[i].p);
        out_key_real(o, "share", m->reliability[i].share);
        out_end(o, '}');
    }
    out_end(o, ']');
}

static void json_held(const struct train *t, struct out *o)
{
    const struct selection *s = &t->select;
    const perc_metrics *m = &s->measured;

    out_key(o, "held_out");
    if (s->held == NULL) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key(o, "data");
    cli_data_json(o, s->whole != NULL ? t->data : perc_params_get(s->p, "validate"), s->held);
    out_key_int(o, "patience", s->patience);
    out_key_int(o, "best_epoch", t->report.held_epoch);
    out_key_int(o, "rows", (int64_t)m->rows);
    out_key_int(o, "unlabelled", (int64_t)m->unlabelled);
    out_key_int(o, "unknown", (int64_t)m->unknown);
    out_key_int(o, "errors", (int64_t)m->errors);
    json_measures(o, m);
    json_reliability(o, m);
    out_end(o, '}');
}

static void json_point(const struct train *t, struct out *o, size_t i)
{
    const struct selection *s = &t->select;

    out_begin(o, '{');
    out_key(o, "values");
    out_begin(o, '{');
    for (size_t k = 0; k < perc_grid_names(s->grid); k++)
        out_key_string(o, perc_grid_name(s->grid, k), perc_grid_value(s->grid, i, k));
    out_end(o, '}');
    out_key_real(o, "seconds", s->point[i].seconds);
    out_key(o, "mean");
    out_begin(o, '{');
    json_measures(o, &s->point[i].mean);
    out_end(o, '}');
    out_key(o, "spread");
    out_begin(o, '{');
    json_measures(o, &s->point[i].spread);
    out_end(o, '}');
    out_end(o, '}');
}

static void json_search(const struct train *t, struct out *o)
{
    const struct selection *s = &t->select;

    out_key(o, "search");
    if (s->grid == NULL) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_string(o, "metric", perc_params_get(s->p, "metric"));
    out_key_int(o, "folds", s->holds ? 0 : (int64_t)s->folds);
    out_key_int(o, "best", (int64_t)s->best); /* from 0 */
    out_key(o, "points");
    out_begin(o, '[');
    for (size_t i = 0; i < perc_grid_points(s->grid); i++) json_point(t, o, i);
    out_end(o, ']');
    out_end(o, '}');
}

static void json_curve(const struct train *t, struct out *o)
{
    const struct selection *s = &t->select;

    out_key(o, "learning_curve");
    if (!s->curve) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_int(o, "folds", s->holds ? 0 : (int64_t)s->folds);
    out_key(o, "points");
    out_begin(o, '[');
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        out_begin(o, '{');
        out_key_real(o, "share", curve_parts[i]);
        out_key_real(o, "rows", s->rows[i]);
        json_metrics(o, "train", &s->curve_train[i]);
        json_metrics(o, "held", &s->curve_held[i]);
        out_end(o, '}');
    }
    out_end(o, ']');
    out_end(o, '}');
}

/* A sigmoid for each score: p = 1 / (1 + exp(a s + b)). */
static void json_calibration(const struct train *t, struct out *o)
{
    perc_model_info info;
    double a, b;

    out_key(o, "calibration");
    if (!t->select.calibrated) {
        out_null(o);
        return;
    }
    perc_model_info_get(t->model, &info);
    out_begin(o, '{');
    out_key_int(o, "folds", (int64_t)t->select.folds);
    out_key(o, "sigmoids");
    out_begin(o, '[');
    for (size_t c = 0; c < info.outputs; c++)
        if (perc_model_sigmoid(t->model, c, &a, &b, NULL) == PERC_OK) {
            out_begin(o, '{');
            out_key_string(o, "label",
                           info.outputs == 1 ? info.positive : perc_model_label(t->model, c));
            out_key_real(o, "a", a);
            out_key_real(o, "b", b);
            out_end(o, '}');
        }
    out_end(o, ']');
    out_end(o, '}');
}

void select_json(const struct train *t, struct out *o)
{
    json_search(t, o);
    json_folds(t, o);
    json_held(t, o);
    json_curve(t, o);
    json_calibration(t, o);
}
