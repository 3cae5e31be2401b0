/* select.c -- perceptron train: comparing models on rows that they have not seen.
 *
 * Two ways to judge a set of parameters: by folds (perc_cross_validate), or on rows that
 * are held out (perc_fit_by_metric, perc_evaluate). --folds and --holdout or --validate
 * say which; a search, a learning curve or a calibration without either takes
 * FOLDS folds. Probabilities are always fitted by folds: beside held-out rows, --folds is
 * the number of those. What is saved is always one model, trained by cmd_train.c on everything
 * that was not held out. */
#include "cli/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

enum { FOLDS = 5 }; /* by default */

const double curve_parts[CURVE_POINTS] = { 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1 };

/* ----- what was asked for --------------------------------------------------- */

static double number_of(const struct train *t, const char *name)
{
    return word_value(perc_params_get(t->select.p, name));
}

/* The grid is checked before anything is read: this fails quickly or not at all. */
static int open_grid(struct train *t)
{
    perc_error err = { 0 };
    struct selection *s = &t->select;
    const char *name;
    int rc;

    if (!cli_given(t->cli, "search")) return EXIT_DONE;
    if (perc_grid_new(&t->cli->env, t->params, perc_params_get(s->p, "search"), &s->grid, &err))
        return err.status == PERC_EARG ? cli_usage(t->cli, "--search: %s", err.text)
                                       : cli_fail(t->cli, NULL, &err);
    for (size_t k = 0; (name = perc_grid_name(s->grid, k)) != NULL; k++) {
        if (cli_given(t->cli, name))
            return cli_usage(t->cli, "--%s is given, and varies in --search", name);
        if ((rc = cli_check_rule(t->cli, t->params, name, name))) return rc;
    }
    s->point = calloc(perc_grid_points(s->grid), sizeof *s->point);
    return s->point == NULL ? cli_memory(t->cli) : EXIT_DONE;
}

void select_rules(struct cli *cli)
{
    static const char separators[] = " \t\r\n;";

    for (size_t i = 0; i < cli->setting_count; i++) {
        if (strcmp(cli->settings[i].name, "search") != 0) continue;
        const char *s = cli->settings[i].value;
        for (cli->rules = NULL; *(s += strspn(s, separators)) != '\0'; s += strcspn(s, separators))
            if (strncmp(s, "rule=", 5) == 0) cli->rules = s + 5;
    }
}

/* What will be fitted to held-out scores. A run that goes on does again what was done to the model
 * that it begins from, since that was for other weights: it gives the same, trained at once. */
static void select_threshold(struct train *t)
{
    struct selection *s = &t->select;
    perc_threshold had = { .choice = "" };
    double a, b;

    if (cli_given(t->cli, "threshold")) s->threshold = perc_params_get(s->p, "threshold");
    if (t->from != NULL) {
        perc_model_threshold(t->from, &had);
        s->again = perc_model_sigmoid(t->from, 0, &a, &b, NULL) == PERC_OK;
        s->calibrate |= s->again;
        if (had.folds > 0 && !cli_given(t->cli, "folds")) s->folds = had.folds;
        if (s->threshold == NULL && had.choice[0] != '\0') s->threshold = had.choice;
        if (s->threshold == NULL && strcmp(had.of, "probabilities") == 0) s->threshold = had.of;
        if (s->threshold == NULL && strcmp(had.of, "probability") == 0) {
            snprintf(s->given, sizeof s->given, "%.17g", had.p);
            s->threshold = s->given;
        }
    }
    s->finds = s->threshold != NULL && strncmp(s->threshold, "best:", 5) == 0;
}

/* --group and --time are about what is held out. */
static int check_grouping(const struct train *t)
{
    const struct cli *cli = t->cli;
    const struct selection *s = &t->select;
    const bool group = cli_given(cli, "group"), time = cli_given(cli, "time");
    const bool compares = cli_given(cli, "search") || s->curve;

    if (group && time)
        return cli_usage(cli, "--group and --time cannot be combined: folds go by one of them");
    if (!group && !time) return EXIT_DONE;
    if (s->cross || s->calibrate || s->finds || cli_given(cli, "holdout") ||
        (compares && !cli_given(cli, "validate")))
        return EXIT_DONE;
    return cli_usage(cli,
                     "--%s does nothing where no rows are held out of DATA (pass --folds, "
                     "--holdout, --search, --learning-curve or --calibrate)",
                     group ? "group" : "time");
}

int select_open(struct train *t)
{
    const struct cli *cli = t->cli;
    struct selection *s = &t->select;
    int rc;

    if ((rc = cli_params(cli, "selection", "selection", &s->p))) return rc;
    s->holds = cli_given(cli, "holdout") || cli_given(cli, "validate");
    s->cross = cli_given(cli, "folds") && !s->holds;
    s->curve = strcmp(perc_params_get(s->p, "learning-curve"), "true") == 0;
    s->calibrate = strcmp(perc_params_get(s->p, "calibrate"), "true") == 0;
    s->patience = (int64_t)number_of(t, "patience");
    s->folds = cli_given(cli, "folds") ? (size_t)number_of(t, "folds") : FOLDS;
    select_threshold(t);
    const bool fits = s->calibrate || s->finds;
    if (t->resume != NULL && s->cross && !fits)
        return cli_usage(cli,
                         "--resume and --folds cannot be combined: nothing is fitted by folds");
    s->cross = s->cross && t->resume == NULL;
    /* Options that exclude each other, or do nothing on their own. */
    size_t count = 0;
    const perc_param *rows = perc_table("selection", &count);
    for (size_t i = 0; i < count && (t->stream || t->resume != NULL); i++)
        if (cli_given(cli, rows[i].name) &&
            (t->stream || !cli_listed("calibrate threshold folds", rows[i].name)))
            return cli_usage(cli, "--%s and --%s cannot be combined",
                             t->stream ? "stream" : "resume", rows[i].name);
    if (cli_given(cli, "holdout") && cli_given(cli, "validate"))
        return cli_usage(cli, "--holdout and --validate cannot be combined: either holds rows out");
    if (cli_given(cli, "folds") && s->holds && !fits)
        return cli_usage(cli,
                         "--folds and --%s cannot be combined without --calibrate or a threshold "
                         "that is the best: each is a way to hold rows out",
                         cli_given(cli, "holdout") ? "holdout" : "validate");
    if (cli_given(cli, "patience") && !s->holds)
        return cli_usage(cli, "--patience does nothing without --holdout or --validate");
    if (cli_given(cli, "metric") && !cli_given(cli, "search") && !s->holds)
        return cli_usage(cli, "--metric does nothing without --search, --holdout or --validate");
    /* An option that the learner does not use; two that read the same. */
    if (cli_given(cli, "patience") && perc_params_get(t->params, "order") == NULL)
        return cli_usage(cli, "--patience does nothing with %s, which does not go in passes",
                         t->algorithm);
    if (cli_given(cli, "metric") && !cli_given(cli, "search") &&
        perc_params_get(t->params, "order") == NULL)
        return cli_usage(cli, "--metric does nothing with %s, which does not go in passes",
                         t->algorithm);
    if (several_has_input(cli) && strcmp(perc_params_get(s->p, "validate"), "-") == 0)
        return cli_usage(cli, "DATA and --validate are both -: standard input can be read once");
    if ((rc = check_grouping(t))) return rc;
    const double share = number_of(t, "holdout");
    if (cli_given(cli, "holdout") && !(share > 0 && share < 1))
        return cli_usage(cli, "--holdout %s: the share must lie above 0 and below 1",
                         perc_params_get(s->p, "holdout"));
    if ((rc = open_grid(t))) return rc;
    if (s->holds || !(s->cross || s->grid != NULL)) return EXIT_DONE;
    s->each = calloc(s->folds, sizeof *s->each);
    s->trial = calloc(s->folds, sizeof *s->trial);
    return s->each == NULL || s->trial == NULL ? cli_memory(cli) : EXIT_DONE;
}

void select_close(struct train *t)
{
    struct selection *s = &t->select;

    perc_params_free(s->p);
    perc_grid_free(s->grid);
    perc_dataset_free(s->held);
    perc_dataset_free(s->whole);
    free(s->each);
    free(s->trial);
    free(s->point);
}

/* ----- rows that are set aside ---------------------------------------------- */

/* The labels of a set, and which of them its rows have: a part of a set has the labels of the
 * whole. */
struct met {
    const perc_dataset *ds;
    size_t labels;
    bool *met;   /* by label; NULL: out of memory */
    size_t last; /* the label found last: sets are sorted alike, so the next is near */
};

static struct met met_new(const perc_dataset *ds)
{
    perc_dataset_info d;

    perc_dataset_info_get(ds, &d);
    struct met m = { .ds = ds, .labels = d.labels, .met = calloc(d.labels + 1, sizeof *m.met) };
    for (uint64_t row = 0; m.met != NULL && row < d.rows; row++) {
        const int label = perc_dataset_row_label(ds, row);

        if (label >= 0) m.met[label] = true;
    }
    return m;
}

static bool met_has(struct met *m, const char *label)
{
    for (size_t k = 0; k < m->labels; k++) {
        const size_t i = (m->last + k) % m->labels;

        if (perc_label_same(perc_dataset_label(m->ds, i), label)) {
            m->last = i;
            return m->met[i];
        }
    }
    return false;
}

/* "note: no held-out row has the label 7": such a label is not measured. */
static void note_missing(struct train *t, struct met *in, const struct met *of, const char *words)
{
    char list[256] = "";
    size_t n = 0;
    int used = 0;

    for (size_t i = 0; i < of->labels; i++) {
        const char *label = perc_dataset_label(of->ds, i);

        if (of->met[i] && !met_has(in, label) && used < (int)sizeof list - 80) {
            used += snprintf(list + used, sizeof list - (size_t)used, "%s%.60s", n > 0 ? ", " : "",
                             label);
            n++;
        }
    }
    if (n > 0) cli_note(t->cli, "note: no %s has the label%s %s", words, n > 1 ? "s" : "", list);
}

/* Notes the labels that either part lacks. */
static int compare_labels(struct train *t)
{
    struct met rest = met_new(t->ds), held = met_new(t->select.held);
    const bool memory = rest.met != NULL && held.met != NULL;

    if (memory) note_missing(t, &held, &rest, "held-out row");
    if (memory && perc_params_get(t->params, "positive")[0] == '\0') /* else the others are one */
        note_missing(t, &rest, &held, "row to learn from");
    free(rest.met);
    free(held.met);
    return memory ? EXIT_DONE : cli_memory(t->cli);
}

/* What a learner has no metric for is found before it is trained. */
static int check_metric(const struct train *t)
{
    perc_error err = { 0 };

    if (!cli_given(t->cli, "metric") ||
        perc_metric_check(select_metric(t), t->params, t->ds, &err) == PERC_OK)
        return EXIT_DONE;
    return cli_usage(t->cli, "--metric %s", err.text);
}

static int split_rows(struct train *t)
{
    struct selection *s = &t->select;
    perc_dataset *rest;
    perc_error err = { 0 };

    s->seed = (uint64_t)word_value(perc_params_get(t->params, "seed"));
    if (perc_dataset_split(t->ds, number_of(t, "holdout"), s->seed, &rest, &s->held, &err))
        return cli_fail(t->cli, t->data, &err);
    s->whole = t->ds;
    t->ds = rest;
    return EXIT_DONE;
}

/* With --positive there are two classes, and other labels may be rare. */
static int check_classes(const struct train *t, const char *positive)
{
    const size_t folds = t->select.folds;
    perc_dataset_info d;
    perc_error err = { .status = PERC_EDATA };
    size_t n[2] = { 0 };

    perc_dataset_info_get(t->ds, &d);
    for (uint64_t row = 0; row < d.rows; row++) {
        const int label = perc_dataset_row_label(t->ds, row);

        if (label >= 0 && perc_dataset_row_weight(t->ds, row) > 0)
            n[perc_label_same(perc_dataset_label(t->ds, (size_t)label), positive)]++;
    }
    if (n[0] >= folds && n[1] >= folds) return EXIT_DONE;
    snprintf(err.text, sizeof err.text,
             "%zu rows are %.60s and %zu are not: %zu folds need at "
             "least %zu of both (lower --folds)",
             n[1], positive, n[0], folds, folds);
    return cli_fail(t->cli, t->data, &err);
}

/* Probabilities are fitted after training: check before it that there are enough rows. */
static int check_folds(const struct train *t)
{
    const struct selection *s = &t->select;
    const char *positive = perc_params_get(t->params, "positive");
    perc_dataset_info d;
    perc_error err = { 0 };
    uint32_t *fold;

    if (s->threshold != NULL &&
        perc_threshold_check(s->threshold, t->params, t->ds, s->calibrate, &err))
        return cli_usage(t->cli, "--threshold: %s", err.text);
    if (!s->calibrate && !s->finds) return EXIT_DONE;
    if (positive[0] != '\0') return check_classes(t, positive);
    perc_dataset_info_get(t->ds, &d);
    if ((fold = malloc((size_t)d.rows * sizeof *fold)) == NULL) return cli_memory(t->cli);
    const perc_status st = perc_folds(t->ds, s->folds, 0, fold, &err);
    free(fold);
    return st != PERC_OK ? cli_fail(t->cli, t->data, &err) : EXIT_DONE;
}

/* Reading data for a model accepts a file without rows, since it has nothing to predict. */
static int read_held(struct train *t)
{
    struct selection *s = &t->select;
    const char *file = perc_params_get(s->p, "validate");
    perc_error err = { 0 };
    perc_dataset_info d;

    /* The further files are of the data that are learned from. */
    perc_status st = perc_params_set(t->data_params, "more", "", &err);
    if (st == PERC_OK)
        st = perc_dataset_read_like(&t->cli->env, t->ds, file, t->data_params, &s->held, &err);
    if (st == PERC_OK && t->cli->more != NULL)
        st = perc_params_set(t->data_params, "more", t->cli->more, &err);
    if (st != PERC_OK) return cli_fail(t->cli, file, &err);
    perc_dataset_info_get(s->held, &d);
    cli_note_unchecked(t->cli, file, d.unchecked);
    if (d.rows > 0) return EXIT_DONE;
    err = (perc_error){ .status = PERC_EDATA,
                        .text = "the file has no rows (at least one is needed)" };
    return cli_fail(t->cli, file, &err);
}

int select_rows(struct train *t)
{
    int rc = check_metric(t);

    if (rc != EXIT_DONE || !t->select.holds) return rc != EXIT_DONE ? rc : check_folds(t);
    rc = cli_given(t->cli, "holdout") ? split_rows(t) : read_held(t);
    if (rc == EXIT_DONE) rc = compare_labels(t);
    return rc != EXIT_DONE ? rc : check_folds(t);
}

/* ----- comparing -------------------------------------------------------------- */

static int compare_failed(struct train *t, const perc_error *err)
{
    ticker_clear(&t->ticker);
    return cli_fail(t->cli, t->data, err);
}

static perc_observer set_stage(struct train *t, const char *unit, size_t of)
{
    ticker_stage(&t->ticker, unit, (int64_t)of);
    return ticker_watch(&t->ticker);
}

static perc_status judge_held(struct train *t, const perc_params *p, struct held_errors *out,
                              perc_error *err)
{
    const perc_env *env = &t->cli->env;
    const perc_observer watch = set_stage(t, NULL, 0);
    perc_model *m = NULL;
    perc_status st = perc_fit_by_metric(env, t->ds, p, t->select.held, select_passes(t),
                                        t->select.patience, &watch, &m, NULL, err);

    if (st == PERC_OK) st = perc_evaluate(env, m, t->select.held, &out->mean, NULL, err);
    perc_model_free(m);
    perc_metrics nothing; /* no results have neither a mean nor a spread: both are NaN */
    perc_metrics_summary(NULL, 0, &nothing, &out->spread);
    return st;
}

static perc_status judge_params(struct train *t, const perc_params *p, struct held_errors *out,
                                perc_error *err)
{
    struct selection *s = &t->select;
    const double begin = ticker_seconds();
    perc_status st;

    if (s->holds) st = judge_held(t, p, out, err);
    else {
        const perc_observer watch = set_stage(t, "fold", s->folds);

        st = perc_cross_validate(&t->cli->env, t->ds, p, s->folds, &watch, s->trial, err);
        if (st == PERC_OK) perc_metrics_summary(s->trial, s->folds, &out->mean, &out->spread);
    }
    out->seconds = ticker_seconds() - begin;
    return st;
}

const char *select_metric(const struct train *t)
{
    return cli_given(t->cli, "metric") ? perc_params_get(t->select.p, "metric") : "accuracy";
}

static double metric_of(const struct train *t, const perc_metrics *m)
{
    return perc_metric_value(m, select_metric(t));
}

const char *select_passes(const struct train *t)
{
    return cli_given(t->cli, "metric") ? perc_params_get(t->select.p, "metric") : NULL;
}

/* Puts the values of point i before the message: "C=0.1 loss=hinge: fold 2: ...", cut if too
 * long. */
static void name_point(const perc_grid *g, size_t i, perc_error *err)
{
    char before[128];
    perc_error named = *err;
    size_t n = 0;

    for (size_t k = 0; k < perc_grid_names(g) && n < sizeof before; k++)
        n += (size_t)snprintf(before + n, sizeof before - n, "%s%s=%s", k > 0 ? " " : "",
                              perc_grid_name(g, k), perc_grid_value(g, i, k));
    snprintf(named.text, sizeof named.text, "%s: %.120s", before, err->text);
    *err = named;
}

/* One point; it becomes the best if it is better than all before: the first of equals wins. An
 * undefined number is worse than any. */
static int try_point(struct train *t, size_t i)
{
    struct selection *s = &t->select;
    perc_params *p = NULL;
    perc_error err = { 0 };
    perc_status st = perc_grid_params(s->grid, i, &p, &err);

    snprintf(t->ticker.stage, sizeof t->ticker.stage, "point %zu of %zu   ", i + 1,
             perc_grid_points(s->grid));
    t->ticker.share = 1 / (double)perc_grid_points(s->grid);
    t->ticker.from = (double)i * t->ticker.share;
    if (st == PERC_OK) st = judge_params(t, p, &s->point[i], &err);
    perc_params_free(p);
    if (st != PERC_OK) name_point(s->grid, i, &err);
    if (st != PERC_OK) return compare_failed(t, &err);
    const double here = metric_of(t, &s->point[i].mean);
    const double best = metric_of(t, &s->point[s->best].mean);
    if (i == 0 || perc_metric_better(select_metric(t), here, best)) {
        s->best = i;
        if (s->each != NULL) memcpy(s->each, s->trial, s->folds * sizeof *s->each);
    }
    return EXIT_DONE;
}

/* Tries every point; then the best one becomes the parameters. */
static int search_grid(struct train *t)
{
    struct selection *s = &t->select;
    perc_params *p;
    perc_error err = { 0 };
    int rc = EXIT_DONE;

    for (size_t i = 0; i < perc_grid_points(s->grid) && rc == EXIT_DONE; i++) rc = try_point(t, i);
    t->ticker.stage[0] = '\0';
    t->ticker.share = 0;
    if (rc != EXIT_DONE) return rc;
    if (isnan(metric_of(t, &s->point[s->best].mean)))
        cli_note(t->cli, "note: %s is undefined for every point: the first was taken",
                 select_metric(t));
    if (perc_grid_params(s->grid, s->best, &p, &err)) return compare_failed(t, &err);
    perc_params_free(t->params);
    t->params = p;
    return EXIT_DONE;
}

static int learning_curve(struct train *t)
{
    struct selection *s = &t->select;
    const perc_observer watch = set_stage(t, "training", CURVE_POINTS * (s->holds ? 1 : s->folds));
    perc_error err = { 0 };

    snprintf(t->ticker.stage, sizeof t->ticker.stage, "learning curve   ");
    if (perc_learning_curve(&t->cli->env, t->ds, t->params, s->held, s->folds, curve_parts,
                            CURVE_POINTS, &watch, s->rows, s->curve_train, s->curve_held, &err))
        return compare_failed(t, &err);
    t->ticker.stage[0] = '\0';
    return EXIT_DONE;
}

int select_compare(struct train *t)
{
    struct selection *s = &t->select;
    perc_error err = { 0 };
    int rc = EXIT_DONE;

    interrupt_end("perceptron train: interrupted while models were compared: none was saved\n", 0);
    if (s->grid != NULL) rc = search_grid(t);
    else if (s->cross) {
        if (judge_params(t, t->params, &s->cv, &err) != PERC_OK) return compare_failed(t, &err);
        memcpy(s->each, s->trial, s->folds * sizeof *s->each);
    }
    if (rc == EXIT_DONE && s->curve) rc = learning_curve(t);
    set_stage(t, NULL, 0);
    interrupt_catch();
    return rc;
}

/* ----- after training ------------------------------------------------------------ */

/* Sigmoids and threshold, from the same held-out scores. */
static perc_status fit_answers(struct train *t, perc_error *err)
{
    struct selection *s = &t->select;
    const perc_env *env = &t->cli->env;
    const perc_observer watch = set_stage(t, "fold", s->folds);
    perc_status st = PERC_OK;

    snprintf(t->ticker.stage, sizeof t->ticker.stage, "%s   ",
             s->calibrate ? "calibrating" : "threshold");
    if (s->finds)
        st = perc_choose_threshold(env, t->model, t->ds, s->folds, s->threshold, s->calibrate,
                                   &watch, &s->choice, err);
    else if (s->calibrate) st = perc_calibrate(env, t->model, t->ds, s->folds, &watch, err);
    ticker_clear(&t->ticker);
    if (st == PERC_OK && s->threshold != NULL && !s->finds)
        st = perc_model_set_threshold(t->model, s->threshold, err);
    return st;
}

/* An interrupted run keeps its model, but without probabilities. A threshold that is nowhere good
 * enough is an answer: the model is kept without one. */
int select_calibrate(struct train *t)
{
    struct selection *s = &t->select;
    perc_error err = { 0 };

    if (!s->calibrate && s->threshold == NULL) return EXIT_DONE;
    if (!interrupt_seen()) {
        const perc_status st = fit_answers(t, &err);

        if (st == PERC_ENO) s->none = err;
        else if (st != PERC_OK && !interrupt_seen()) return cli_fail(t->cli, t->data, &err);
        s->fitted = st == PERC_OK || st == PERC_ENO;
        s->calibrated = s->calibrate && s->fitted;
    }
    if (!s->fitted)
        cli_note(t->cli, "note: interrupted before %s: the model has none",
                 s->calibrate ? "probabilities were fitted" : "a threshold was found");
    return EXIT_DONE;
}

/* A signal that has ended the training has been heard; another one means: no more of that. */
int select_measure(struct train *t)
{
    struct selection *s = &t->select;
    const perc_env *env = &t->cli->env;
    perc_error err = { 0 };

    s->unmeasured = s->held != NULL && interrupt_count() > t->interrupts;
    if (s->held == NULL || s->unmeasured) return EXIT_DONE;
    interrupt_end("perceptron train: interrupted while the model was measured: it is saved\n",
                  t->interrupts);
    if (perc_evaluate(env, t->model, s->held, &s->measured, NULL, &err)) {
        const bool file = cli_given(t->cli, "validate");
        return cli_fail(t->cli, file ? perc_params_get(s->p, "validate") : t->data, &err);
    }
    return EXIT_DONE;
}
