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

static int find_roc(const struct study *s, struct study_run *r)
{
    perc_error err = { 0 };
    perc_status st;

    if (r->info.outputs != 1) {
        snprintf(r->why_roc, STUDY_WHY, "a ROC curve is about two classes, and there are %zu",
                 r->info.labels);
        return EXIT_DONE;
    }
    r->roc_x = calloc(ROC_POINTS, sizeof *r->roc_x);
    r->roc_y = calloc(ROC_POINTS, sizeof *r->roc_y);
    if (r->roc_x == NULL || r->roc_y == NULL) return cli_memory(s->cli);
    st = perc_roc(&s->cli->env, r->model, s->ds, r->score, ROC_POINTS, r->roc_x, r->roc_y, &r->roc,
                  &err);
    if (st == PERC_EDATA) snprintf(r->why_roc, STUDY_WHY, "%s", err.text);
    else if (st != PERC_OK) return cli_fail(s->cli, s->data, &err);
    return EXIT_DONE;
}

/* ----- scores ------------------------------------------------------------------------ */

int study_measure(struct study *s, struct study_run *r)
{
    const perc_env *env = &s->cli->env;
    const double numbers = (double)s->data_info.rows * (double)r->info.outputs;
    perc_error err = { 0 };

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
    if ((r->margin = calloc((size_t)s->data_info.rows + 1, sizeof *r->margin)) == NULL)
        return cli_memory(s->cli);
    if (perc_margins(r->model, s->ds, r->score, r->margin, &err))
        return cli_fail(s->cli, s->data, &err);
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
