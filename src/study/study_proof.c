/* study_proof.c -- can a plane separate the classes of a study? And with what margin?
 *
 * The proof reads the file again, every number as it stands there, before --scale: scaling
 * single features changes the margin but not the answer. It has a time limit, the
 * only clock in a study: what is not decided by then is said to be undecided.
 *
 * The direction u of the largest margin gamma' = min y_i u.(x_i, 1), |u| = 1, is that of the
 * hard-margin support vector machine on the rows as the learner sees them: then for every run of
 * the perceptron from 0, after k updates (Novikoff 1962),
 *
 *     k gamma' <= w.u <= |w| <= sqrt(k) R,      so      k <= (R / gamma')^2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_parts.h"

static const double most_entries = 2e7;   /* of a proof's rows, each kept as text */
enum { SPACE_ROWS = 300 };                /* with a kernel: about a second */
static const double solver_entries = 4e6; /* of rows among which the direction is sought */

/* ----- the proof -------------------------------------------------------------------- */

/* As in the first run; all learners have the same. */
static bool has_offset(const struct study *s)
{
    return !study_is(&s->run[0], "offset", "false");
}

/* The label that --positive makes +1, or NULL. */
static const char *positive_of(const struct study *s)
{
    const char *label = perc_params_get(s->run[0].params, "positive");

    return label[0] != '\0' ? label : NULL;
}

/* One problem: two labels, or one label against the rest. */
static bool one_problem(const struct study *s)
{
    return s->data_info.labels == 2 || positive_of(s) != NULL;
}

/* Small enough to try other orders of the rows in next to no time. */
static bool small(const struct study *s)
{
    return (double)s->data_info.rows * (double)s->data_info.features <= 1e4;
}

static perc_status ask_for(const struct study *s, perc_params **out, perc_error *err)
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
    perc_status st = perc_params_new(s->env, "prove", out, err);

    snprintf(limit, sizeof limit, "%g", s->q->prove_seconds);
    for (size_t i = 0; i < sizeof set / sizeof *set && st == PERC_OK; i++)
        if (set[i][1] != NULL) st = perc_params_set(*out, set[i][0], set[i][1], err);
    return st;
}

perc_status study_prove(struct study *s, perc_error *err)
{
    perc_dataset *ds = NULL;
    perc_params *data = NULL;
    perc_error why = { 0 };
    perc_status st;

    /* Why it is not even tried. */
    const char *map = perc_params_get(s->q->data_params, "map");
    if (!(s->q->prove_seconds > 0)) snprintf(s->why_proof, STUDY_WHY, "it was not asked for");
    else if (study_reads_input(s))
        snprintf(s->why_proof, STUDY_WHY,
                 "a proof reads the data by itself, and standard input "
                 "can be read only once");
    else if (strcmp(map, "none") != 0)
        snprintf(s->why_proof, STUDY_WHY,
                 "a proof speaks of the numbers of the file, and --map "
                 "makes others of them");
    else if ((double)s->data_info.nonzeros > most_entries)
        snprintf(s->why_proof, STUDY_WHY,
                 "there are too many numbers to keep each as the file "
                 "has it");
    if (s->why_proof[0] != '\0') return PERC_OK;
    const perc_observer watch = study_work(s, NULL, "problem", 0);
    st = study_params(s->env, "data", s->q->data_params, "scale", &data, &why);
    if (st == PERC_OK) st = perc_dataset_read_exact(s->env, s->data, data, &ds, &why);
    if (st == PERC_OK) st = ask_for(s, &s->prove_params, &why);
    if (st == PERC_OK) st = perc_prove(s->env, ds, s->prove_params, &watch, &s->proof, &why);
    study_rest(s);
    perc_params_free(data);
    perc_dataset_free(ds);
    if (st == PERC_ENOMEM) return study_memory(err);
    if (st != PERC_OK || perc_proof_parts(s->proof) == 0) {
        snprintf(s->why_proof, STUDY_WHY, "%s",
                 st == PERC_OK ? "there is nothing to prove" : why.text);
        return PERC_OK;
    }
    /* With two labels the only problem; with more the first "no", or else the first. */
    size_t at = 0;
    for (size_t i = perc_proof_parts(s->proof); i-- > 0;) {
        perc_proof_part(s->proof, i, &s->part);
        if (s->part.witnesses > 0) at = i;
    }
    perc_proof_part(s->proof, at, &s->part);
    s->bounded = one_problem(s) && perc_proof_bound(s->proof, &s->bound) != 0;
    s->hulled = perc_proof_hulls(s->proof, &s->hulls) != 0;
    return PERC_OK;
}

/* ----- the direction of the largest margin --------------------------------------------- */

static perc_status fit_hard(const struct study *s, perc_model **m, perc_report *report,
                            perc_error *err)
{
    const char *const set[][2] = { { "hard", "true" },
                                   { has_offset(s) ? "offset-inside" : "offset",
                                     has_offset(s) ? "true" : "false" },
                                   { "positive", positive_of(s) },
                                   { "epochs", "1000" },
                                   { "gap", "1e-6" } };
    perc_params *p;
    perc_status st = perc_params_new(s->env, "svm", &p, err);

    for (size_t i = 0; i < sizeof set / sizeof *set && st == PERC_OK; i++)
        if (set[i][1] != NULL) st = perc_params_set(p, set[i][0], set[i][1], err);
    const perc_observer watch = study_work(s, NULL, NULL, 0);
    if (st == PERC_OK) st = perc_fit(s->env, s->ds, p, &watch, m, report, err);
    study_rest(s);
    perc_params_free(p);
    return st;
}

/* y u.(x, 1) of all rows, u = (w, b) / |(w, b)|, and the smallest of these. */
static perc_status find_advance(struct study *s, const perc_model *m, const perc_report *report,
                                perc_error *err)
{
    const size_t rows = (size_t)s->data_info.rows;
    perc_status st;

    if ((s->advance = calloc(rows + 1, sizeof *s->advance)) == NULL) return study_memory(err);
    if ((st = perc_predict(s->env, m, s->ds, s->advance, err)) ||
        (st = perc_margins(m, s->ds, s->advance, s->advance, err)))
        return st;
    s->gamma = INFINITY;
    s->radius = report->radius;
    for (size_t i = 0; i < rows; i++) {
        s->advance[i] /= report->norm_augmented;
        s->gamma = fmin(s->gamma, s->advance[i]);
    }
    return PERC_OK;
}

/* An update on row i adds y_i (x_i, 1), which adds the row's advance along u to w.u. */
static void follow_run(const struct study *s, struct study_run *r)
{
    double along = 0;

    for (size_t k = 1, at = 0; r->plain && k <= r->updates && at < r->norms; k++) {
        along += s->advance[r->updated[k - 1]];
        if (r->norm[at].k == (double)k) r->norm[at++].along = along;
    }
}

perc_status study_direction(struct study *s, perc_error *err)
{
    perc_model *m = NULL;
    perc_report report;
    perc_error why = { 0 };
    perc_status st;

    bool plain = false, separated = false;
    for (size_t i = 0; i < s->runs; i++) {
        plain = plain || s->run[i].plain;
        separated = separated || (s->run[i].info.outputs == 1 && study_linear(&s->run[i]) &&
                                  s->run[i].report.training_errors == 0);
    }
    const bool no = s->proof != NULL && s->part.verdict != PERC_SEPARABLE &&
                    s->part.verdict != PERC_UNDECIDED;
    if (s->run[0].info.outputs != 1)
        snprintf(s->why_bound, STUDY_WHY, "the bound is about two classes, and there are %zu",
                 s->run[0].info.labels);
    else if (!plain)
        snprintf(s->why_bound, STUDY_WHY,
                 "among the rows as they are the bound is shown for the perceptron's rule from "
                 "zero weights, at a constant rate, all rows counting alike, without a kernel");
    else if (strcmp(s->run[0].info.map, "none") != 0)
        snprintf(s->why_bound, STUDY_WHY, "the bound is shown for rows as they are, without --map");
    else if (no)
        snprintf(s->why_bound, STUDY_WHY,
                 "no plane separates the classes: there is no margin, and "
                 "mistakes are without bound");
    else if (!separated && (s->proof == NULL || s->part.verdict != PERC_SEPARABLE))
        snprintf(s->why_bound, STUDY_WHY, "it is not known that a plane separates the classes");
    else if ((double)s->data_info.nonzeros > solver_entries ||
             (double)s->data_info.rows * (double)s->data_info.features > 2 * s->work)
        snprintf(s->why_bound, STUDY_WHY, "finding the largest margin would take too long");
    if (s->why_bound[0] != '\0') return PERC_OK;
    st = fit_hard(s, &m, &report, &why);
    if (st == PERC_OK && report.norm_augmented > 0) st = find_advance(s, m, &report, &why);
    perc_model_free(m);
    if (st == PERC_ENOMEM) return study_memory(err);
    if (st == PERC_OK && s->gamma > 0) {
        /* (R / gamma')^2: the proof's own if it is about the same numbers. */
        const double own = s->radius / s->gamma * (s->radius / s->gamma);

        s->limit = s->bounded && s->drawn == s->ds && s->scaling_a == NULL &&
                           s->bound.bound < INFINITY
                       ? s->bound.bound
                       : own;
        for (size_t i = 0; i < s->runs; i++) follow_run(s, &s->run[i]);
        return PERC_OK;
    }
    free(s->advance);
    s->advance = NULL;
    snprintf(s->why_bound, STUDY_WHY, "%s",
             st != PERC_OK ? why.text : "the margin is too small to be told from none");
    return PERC_OK;
}

/* ----- the space of a kernel ---------------------------------------------------------------- */

/* The margin and the bound there, on the rows as the learner sees them. */
perc_status study_space(struct study *s, perc_error *err)
{
    static const char *const shape[][2] = { { "poly", "degree" },
                                            { "poly", "gamma" },
                                            { "poly", "coef0" },
                                            { "gaussian", "sigma" },
                                            { "rbf", "gamma" } };
    const struct study_run *run = NULL;
    perc_params *p = NULL;
    perc_error why = { 0 };
    char limit[32];

    for (size_t i = s->runs; i-- > 0;)
        if (study_kernel(&s->run[i]) && !study_is(&s->run[i], "kernel", "linear") &&
            !study_is(&s->run[i], "kernel", "sigmoid"))
            run = &s->run[i];
    if (run == NULL || !one_problem(s) || s->data_info.rows > SPACE_ROWS ||
        !(s->q->prove_seconds > 0) || strcmp(run->info.map, "none") != 0)
        return PERC_OK;
    const char *const set[][2] = { { "kernel", perc_params_get(run->params, "kernel") },
                                   { "offset", has_offset(s) ? "true" : "false" },
                                   { "positive", s->data_info.labels > 2 ? positive_of(s) : NULL },
                                   { "margin", "true" },
                                   { "bound", "true" },
                                   { "time-limit", limit } };
    snprintf(limit, sizeof limit, "%g", s->q->prove_seconds);
    perc_status st = perc_params_new(s->env, "prove", &p, &why);
    for (size_t i = 0; i < sizeof shape / sizeof *shape && st == PERC_OK; i++) {
        const char *value = perc_params_get(run->params, shape[i][1]);
        if (study_is(run, "kernel", shape[i][0]) && value[0] != '\0')
            st = perc_params_set(p, shape[i][1], value, &why);
    }
    for (size_t i = 0; i < sizeof set / sizeof *set && st == PERC_OK; i++)
        if (set[i][1] != NULL) st = perc_params_set(p, set[i][0], set[i][1], &why);
    const perc_observer watch = study_work(s, NULL, "problem", 0);
    if (st == PERC_OK) st = perc_prove(s->env, s->ds, p, &watch, &s->space, &why);
    study_rest(s);
    perc_params_free(p);
    if (st == PERC_ENOMEM) return study_memory(err);
    if (st == PERC_OK) {
        perc_proof_part(s->space, 0, &s->space_part);
        if (perc_proof_bound(s->space, &s->space_bound)) s->space_run = run;
    }
    return PERC_OK;
}
