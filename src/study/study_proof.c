/* study_proof.c -- can a plane separate the classes of a study? And with what margin?
 *
 * The proof reads the file again, every number as it stands there, before --scale: a scaling of
 * the features by themselves changes the margin and not the answer. It has a time limit, the
 * only clock in a study: what is not settled by then is said to be undecided.
 *
 * The direction u of the largest margin gamma' = min y_i u.(x_i, 1), |u| = 1, is that of the
 * hard-margin support vector machine on the rows as the learner sees them: then for every run of
 * the perceptron from 0, after k updates (Novikoff 1962),
 *
 *     k gamma' <= w.u <= |w| <= sqrt(k) R,      so      k <= (R / gamma')^2. */
#include "study/study_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double most_entries = 2e7;   /* of a proof's rows, each kept as text has it */
static const double solver_entries = 4e6; /* of rows that the direction is looked for in */

/* ----- the proof -------------------------------------------------------------------- */

/* Of a run's option; all learners have the same. */
static bool has_offset(const struct study *s)
{
    return !study_is(&s->run[0], "offset", "false");
}

/* The label that is +1 by --positive, or NULL. */
static const char *positive_of(const struct study *s)
{
    const char *label = perc_params_get(s->run[0].params, "positive");

    return label != NULL && label[0] != '\0' ? label : NULL;
}

/* One problem: two labels, or one label against the rest. */
static bool one_problem(const struct study *s)
{
    return s->data_info.labels == 2 || positive_of(s) != NULL;
}

/* Other orders of the rows are tried where that takes no time to speak of. */
static bool small(const struct study *s)
{
    return (double)s->data_info.rows * (double)s->data_info.features <= 1e4;
}

static perc_status ask(const struct study *s, double seconds, perc_params **out, perc_error *err)
{
    const char *positive = positive_of(s);
    const bool one = one_problem(s);
    char limit[32];
    const char *const set[][2] = {
        { "time-limit", limit },
        { "offset", has_offset(s) ? "true" : "false" },
        { "problems", s->data_info.labels > 2 ? "rest" : NULL },
        { "positive", s->data_info.labels > 2 ? positive : NULL },
        { "bound", one && small(s) ? "true" : NULL },
        { "hulls", one && s->data_info.features == 2 && has_offset(s) ? "true" : NULL }
    };
    perc_status st = perc_params_new(&s->cli->env, "prove", out, err);

    snprintf(limit, sizeof limit, "%g", seconds);
    for (size_t i = 0; i < sizeof set / sizeof *set && st == PERC_OK; i++)
        if (set[i][1] != NULL) st = perc_params_set(*out, set[i][0], set[i][1], err);
    return st;
}

/* The data for a proof: of the options about reading, all but --scale. */
static perc_status read_exact(const struct study *s, perc_dataset **out, perc_error *err)
{
    size_t n = 0;
    const perc_param *row = perc_table("data", &n);
    perc_params *p;
    perc_status st = perc_params_new(&s->cli->env, "data", &p, err);

    for (size_t i = 0; i < n && st == PERC_OK; i++) {
        const char *value = perc_params_get(s->data_params, row[i].name);
        const char *initial = row[i].initial != NULL ? row[i].initial : "";

        if (strcmp(row[i].name, "scale") != 0 && value != NULL && strcmp(value, initial) != 0)
            st = perc_params_set(p, row[i].name, value, err);
    }
    if (st == PERC_OK) st = perc_dataset_read_exact(&s->cli->env, s->data, p, out, err);
    perc_params_free(p);
    return st;
}

/* Why it is not even tried. */
static void weigh_proof(struct study *s, double seconds)
{
    const char *map = perc_params_get(s->data_params, "map");

    if (!(seconds > 0)) snprintf(s->why_proof, STUDY_WHY, "it was not asked for");
    else if (strcmp(s->data, "-") == 0)
        snprintf(s->why_proof, STUDY_WHY,
                 "a proof reads the data by itself, and standard input "
                 "can be read only once");
    else if (map != NULL && strcmp(map, "none") != 0)
        snprintf(s->why_proof, STUDY_WHY,
                 "a proof speaks of the numbers of the file, and --map "
                 "makes others of them");
    else if ((double)s->data_info.nonzeros > most_entries)
        snprintf(s->why_proof, STUDY_WHY,
                 "there are too many numbers to keep each as the file "
                 "has it");
}

/* What the proof says of two labels; of more the first problem with a no, else the first. */
static void pick_part(struct study *s)
{
    size_t at = 0;
    perc_part p;

    for (size_t i = perc_proof_parts(s->proof); i-- > 0;) {
        perc_proof_part(s->proof, i, &p);
        if (p.witnesses > 0) at = i;
    }
    perc_proof_part(s->proof, at, &s->part);
    s->bounded = one_problem(s) && perc_proof_bound(s->proof, &s->bound) != 0;
    s->hulled = perc_proof_hulls(s->proof, &s->hulls) != 0;
}

int study_prove(struct study *s, double seconds)
{
    struct ticker ticker;
    perc_observer watch;
    perc_dataset *ds = NULL;
    perc_params *p = NULL;
    perc_error err = { 0 };
    perc_status st;

    weigh_proof(s, seconds);
    if (s->why_proof[0] != '\0') return EXIT_DONE;
    watch = ticker_observer(&ticker, s->cli);
    ticker.unit = "problem";
    st = read_exact(s, &ds, &err);
    if (st == PERC_OK) st = ask(s, seconds, &p, &err);
    if (st == PERC_OK) st = perc_prove(&s->cli->env, ds, p, &watch, &s->proof, &err);
    ticker_clear(&ticker);
    perc_params_free(p);
    perc_dataset_free(ds);
    if (st == PERC_ENOMEM) return cli_memory(s->cli);
    if (st == PERC_OK && perc_proof_parts(s->proof) > 0) pick_part(s);
    else
        snprintf(s->why_proof, STUDY_WHY, "%s",
                 st == PERC_OK ? "there is nothing to prove" : err.text);
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* ----- the direction of the largest margin --------------------------------------------- */

static void weigh_direction(struct study *s)
{
    bool plain = false, settled = false;

    for (size_t i = 0; i < s->runs; i++) {
        plain = plain || s->run[i].plain;
        settled = settled || (s->run[i].info.outputs == 1 && study_linear(&s->run[i]) &&
                              s->run[i].report.training_errors == 0);
    }
    const bool no = s->proof != NULL && s->part.verdict != PERC_SEPARABLE &&
                    s->part.verdict != PERC_UNDECIDED;
    if (s->run[0].info.outputs != 1)
        snprintf(s->why_bound, STUDY_WHY, "the bound is about two classes, and there are %zu",
                 s->run[0].info.labels);
    else if (!plain)
        snprintf(s->why_bound, STUDY_WHY,
                 "the bound is shown for the perceptron's rule from zero "
                 "weights, at a constant rate, all rows counting alike, without a kernel");
    else if (strcmp(s->run[0].info.map, "none") != 0)
        snprintf(s->why_bound, STUDY_WHY, "the bound is shown for rows as they are, without --map");
    else if (no)
        snprintf(s->why_bound, STUDY_WHY,
                 "no plane separates the classes: there is no margin, and "
                 "mistakes are without bound");
    else if (!settled && (s->proof == NULL || s->part.verdict != PERC_SEPARABLE))
        snprintf(s->why_bound, STUDY_WHY, "it is not known that a plane separates the classes");
    else if ((double)s->data_info.nonzeros > solver_entries ||
             (double)s->data_info.rows * (double)s->data_info.features > 2 * STUDY_WORK)
        snprintf(s->why_bound, STUDY_WHY, "finding the largest margin would take too long");
}

static perc_status fit_hard(const struct study *s, perc_model **m, perc_report *report,
                            perc_error *err)
{
    struct ticker ticker;
    const perc_observer watch = ticker_observer(&ticker, s->cli);
    const char *positive = positive_of(s);
    perc_params *p;
    perc_status st = perc_params_new(&s->cli->env, "svm", &p, err);

    if (st == PERC_OK) st = perc_params_set(p, "hard", "true", err);
    if (st == PERC_OK && !has_offset(s)) st = perc_params_set(p, "offset", "false", err);
    if (st == PERC_OK && positive != NULL) st = perc_params_set(p, "positive", positive, err);
    if (st == PERC_OK) st = perc_params_set(p, "epochs", "1000", err);
    if (st == PERC_OK) st = perc_params_set(p, "gap", "1e-6", err);
    if (st == PERC_OK) st = perc_fit(&s->cli->env, s->ds, p, &watch, m, report, err);
    ticker_clear(&ticker);
    perc_params_free(p);
    return st;
}

/* u = (w, b) / |(w, b)|, and the smallest y u.(x, 1) of all rows. */
static int take_direction(struct study *s, const perc_model *m, const perc_report *report)
{
    const uint64_t d = s->data_info.features;
    double *score = calloc((size_t)s->data_info.rows + 1, sizeof *score), least = INFINITY;
    const double length = report->norm_augmented;
    perc_model_info info;
    perc_error err = { 0 };

    s->u = calloc((size_t)d + 1, sizeof *s->u);
    if (score == NULL || s->u == NULL || perc_predict(&s->cli->env, m, s->ds, score, &err)) {
        free(score);
        return cli_memory(s->cli);
    }
    perc_model_info_get(m, &info);
    for (uint64_t i = 0; i < s->data_info.rows; i++) {
        const int label = perc_dataset_row_label(s->ds, i);
        const char *text = label >= 0 ? perc_dataset_label(s->ds, (size_t)label) : NULL;
        const bool up = text != NULL && strcmp(text, info.positive) == 0;

        least = text == NULL ? least : fmin(least, up ? score[i] : -score[i]);
    }
    for (uint64_t j = 0; j < d; j++) s->u[j] = perc_model_weight(m, j, 0) / length;
    s->u_offset = perc_model_offset(m, 0) / length;
    s->gamma = least / length;
    s->radius = report->radius;
    free(score);
    return EXIT_DONE;
}

/* (R / gamma')^2: the proof's own where it speaks of the same numbers. */
static void find_limit(struct study *s)
{
    const double own = s->radius / s->gamma * (s->radius / s->gamma);

    s->limit = s->bounded && s->drawn == s->ds && s->lens_a == NULL && s->bound.bound < INFINITY
                   ? s->bound.bound
                   : own;
}

int study_direction(struct study *s)
{
    perc_model *m = NULL;
    perc_report report;
    perc_error err = { 0 };
    perc_status st;
    int rc = EXIT_DONE;

    s->limit = NAN;
    weigh_direction(s);
    if (s->why_bound[0] != '\0') return EXIT_DONE;
    st = fit_hard(s, &m, &report, &err);
    if (st == PERC_OK && report.norm_augmented > 0) rc = take_direction(s, m, &report);
    perc_model_free(m);
    if (st == PERC_ENOMEM || rc != EXIT_DONE) return rc != EXIT_DONE ? rc : cli_memory(s->cli);
    if (s->u != NULL && s->gamma > 0) {
        find_limit(s);
    } else {
        free(s->u);
        s->u = NULL;
        snprintf(s->why_bound, STUDY_WHY, "%s",
                 st != PERC_OK ? err.text : "the margin is too small to be told from none");
    }
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}
