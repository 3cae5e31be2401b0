/* study_measure.c -- how the models of a study do on the rows that they learned from: scores,
 * margins, the confusion matrix, the ROC curve, probabilities; and what a kernel machine is
 * made of. */
#include "study/study_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 5, ROC_POINTS = 1000 };
static const double most_scores = 4e7; /* numbers kept: rows times outputs */

/* ----- margins ------------------------------------------------------------------ */

/* The model's number of the data's label: of two classes 1 is the positive one, and all other
 * labels are 0. -1: the row has no label, or none that it knows. */
static int class_of(const struct study_run *r, const char *label)
{
    if (label == NULL) return -1;
    for (size_t c = 0; c < r->info.labels; c++)
        if (strcmp(perc_model_label(r->model, c), label) == 0) return (int)c;
    return r->info.outputs == 1 && strcmp(r->info.negative, "rest") == 0 ? 0 : -1;
}

/* y s; of more than two classes half the gap between its own score and the best of the
 * others. */
static double margin_of(const struct study_run *r, const double *score, int truth)
{
    double best = -(double)INFINITY;

    if (truth < 0) return (double)NAN;
    if (r->info.outputs == 1) return truth == 1 ? score[0] : -score[0];
    for (size_t c = 0; c < r->info.outputs; c++)
        if (c != (size_t)truth && score[c] > best) best = score[c];
    return (score[truth] - best) / 2;
}

static int find_margins(const struct study *s, struct study_run *r)
{
    int *of = calloc(s->data_info.labels + 1, sizeof *of);

    r->margin = calloc((size_t)s->data_info.rows + 1, sizeof *r->margin);
    if (of == NULL || r->margin == NULL) {
        free(of);
        return cli_memory(s->cli);
    }
    for (size_t c = 0; c < s->data_info.labels; c++)
        of[c] = class_of(r, perc_dataset_label(s->ds, c));
    for (uint64_t i = 0; i < s->data_info.rows; i++) {
        const int label = perc_dataset_row_label(s->ds, i);

        r->margin[i] = margin_of(r, r->score + i * r->info.outputs, label < 0 ? -1 : of[label]);
    }
    free(of);
    return EXIT_DONE;
}

/* ----- the ROC curve --------------------------------------------------------------- */

struct ranked {
    double score;
    int positive;
};

/* The highest score first; NaN is no score, and comes last. */
static int by_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    const double p = isnan(x->score) ? -(double)INFINITY : x->score;
    const double q = isnan(y->score) ? -(double)INFINITY : y->score;

    return p > q ? -1 : p < q ? 1 : 0;
}

/* One more point; three in a line upwards, or to the right, are two. */
static void roc_point(struct study_run *r, double x, double y)
{
    const size_t n = r->roc;

    if (n > 1 && ((r->roc_x[n - 1] == x && r->roc_x[n - 2] == x) ||
                  (r->roc_y[n - 1] == y && r->roc_y[n - 2] == y)))
        r->roc--;
    r->roc_x[r->roc] = x;
    r->roc_y[r->roc++] = y;
}

/* Of very many points those remain that are a step along the curve apart; steps are counted in
 * x + y, which never falls. */
static void thin_roc(struct study_run *r)
{
    const double step = 2.0 / (ROC_POINTS - 2);
    size_t n = 1;

    if (r->roc <= ROC_POINTS) return;
    for (size_t i = 1; i < r->roc; i++) {
        const double gone = r->roc_x[i] - r->roc_x[n - 1] + r->roc_y[i] - r->roc_y[n - 1];

        if (gone >= step || i == r->roc - 1) {
            r->roc_x[n] = r->roc_x[i];
            r->roc_y[n++] = r->roc_y[i];
        }
    }
    r->roc = n;
}

/* From (0,0): the threshold falls from the highest score to the lowest, past all rows of equal
 * score at once, so that the area below counts ties a half. */
static void walk_roc(struct study_run *r, const struct ranked *at, size_t n, size_t positives)
{
    const double up = (double)positives, across = (double)(n - positives);
    size_t p = 0, q = 0;

    roc_point(r, 0, 0);
    for (size_t i = 0; i < n;) {
        const double score = at[i].score;

        for (; i < n && (at[i].score == score || isnan(score)); i++) {
            p += at[i].positive != 0;
            q += at[i].positive == 0;
        }
        roc_point(r, (double)q / across, (double)p / up);
    }
    thin_roc(r);
}

static int find_roc(const struct study *s, struct study_run *r)
{
    struct ranked *at;
    size_t n = 0, positives = 0;

    if (r->info.outputs != 1) {
        snprintf(r->why_roc, STUDY_WHY, "a ROC curve is about two classes, and there are %zu",
                 r->info.labels);
        return EXIT_DONE;
    }
    at = calloc((size_t)s->data_info.rows + 1, sizeof *at);
    r->roc_x = calloc((size_t)s->data_info.rows + 2, sizeof *r->roc_x);
    r->roc_y = calloc((size_t)s->data_info.rows + 2, sizeof *r->roc_y);
    if (at == NULL || r->roc_x == NULL || r->roc_y == NULL) {
        free(at);
        return cli_memory(s->cli);
    }
    for (uint64_t i = 0; i < s->data_info.rows; i++) {
        const int label = perc_dataset_row_label(s->ds, i);
        const int truth = class_of(r, label < 0 ? NULL : perc_dataset_label(s->ds, (size_t)label));

        if (truth < 0) continue;
        at[n++] = (struct ranked){ r->score[i], truth };
        positives += truth == 1;
    }
    if (positives > 0 && positives < n) {
        qsort(at, n, sizeof *at, by_score);
        walk_roc(r, at, n, positives);
    } else {
        snprintf(r->why_roc, STUDY_WHY, "all rows are of one class");
    }
    free(at);
    return EXIT_DONE;
}

/* ----- scores ------------------------------------------------------------------------ */

int study_measure(struct study *s, struct study_run *r)
{
    const perc_env *env = &s->cli->env;
    const double numbers = (double)s->data_info.rows * (double)r->info.outputs;
    perc_error err = { 0 };
    int rc;

    if ((r->confusion = calloc(r->info.labels * r->info.labels + 1, sizeof *r->confusion)) == NULL)
        return cli_memory(s->cli);
    if (perc_evaluate(env, r->model, s->ds, &r->metrics, r->confusion, &err))
        return cli_fail(s->cli, s->data, &err);
    if (numbers > most_scores) {
        snprintf(r->why_roc, STUDY_WHY, "there are too many rows to keep all scores");
        return EXIT_DONE;
    }
    if ((r->score = calloc((size_t)numbers + 1, sizeof *r->score)) == NULL)
        return cli_memory(s->cli);
    if (perc_predict(env, r->model, s->ds, r->score, &err)) return cli_fail(s->cli, s->data, &err);
    if ((rc = find_margins(s, r))) return rc;
    return find_roc(s, r);
}

/* ----- probabilities ------------------------------------------------------------------ */

/* A network has its own. Others are calibrated by scores of rows that were held out in turn,
 * for which as many models are trained as there are folds. */
int study_calibrate(struct study *s, struct study_run *r)
{
    const double passes = r->report.epochs > 0 ? (double)r->report.epochs : 1;
    const double cost = FOLDS * (passes + 1) * study_scoring(s, r);
    struct ticker ticker;
    perc_observer watch;
    perc_error err = { 0 };
    perc_status st;

    r->calibrated = r->info.calibrated != 0;
    if (r->calibrated) return EXIT_DONE;
    if (cost > 2 * STUDY_WORK) {
        snprintf(r->why_calibration, STUDY_WHY,
                 "training %d more models, on parts of the rows, "
                 "would take too long",
                 FOLDS);
        return EXIT_DONE;
    }
    watch = ticker_observer(&ticker, s->cli);
    ticker.unit = "fold";
    ticker.of = FOLDS;
    st = perc_calibrate(&s->cli->env, r->model, s->ds, FOLDS, &watch, &err);
    ticker_clear(&ticker);
    if (st == PERC_ENOMEM) return cli_memory(s->cli);
    if (st == PERC_EDATA)
        snprintf(r->why_calibration, STUDY_WHY,
                 "a label has fewer than %d rows, too few to hold "
                 "out a part of them in turn",
                 FOLDS);
    else if (st != PERC_OK) snprintf(r->why_calibration, STUDY_WHY, "%s", err.text);
    perc_model_info_get(r->model, &r->info);
    r->calibrated = st == PERC_OK;
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* ----- support rows ------------------------------------------------------------------- */

static int by_counter(const void *a, const void *b)
{
    const perc_support *x = a, *y = b;

    if (x->counter != y->counter) return x->counter > y->counter ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

int study_supports(struct study *s, struct study_run *r)
{
    perc_error err = { 0 };

    if (!cli_has_kernel(&r->info) || r->info.supports == 0) return EXIT_DONE;
    if ((r->support = calloc((size_t)r->info.supports, sizeof *r->support)) == NULL)
        return cli_memory(s->cli);
    if (perc_model_supports(r->model, r->support, &err)) return cli_fail(s->cli, s->data, &err);
    r->supports = (size_t)r->info.supports;
    qsort(r->support, r->supports, sizeof *r->support, by_counter);
    return EXIT_DONE;
}
