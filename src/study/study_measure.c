/* study_measure.c -- how the models of a study do on the rows they learned from: scores,
 * margins, the confusion matrix, ROC and precision-recall curves, probabilities; and what a kernel
 * machine is made of. */
#include <stdio.h>
#include <stdlib.h>

#include "show/about.h"
#include "study/study_parts.h"

enum { FOLDS = 5, CURVE_POINTS = 1000 };
static const double most_scores = 4e7; /* numbers kept: rows times outputs */

perc_status study_measure(struct study *s, struct study_run *r, perc_error *err)
{
    const double numbers = (double)s->data_info.rows * (double)r->info.outputs;
    perc_status st;

    if ((r->confusion = calloc(r->info.labels * r->info.labels + 1, sizeof *r->confusion)) == NULL)
        return study_memory(err);
    if ((st = perc_evaluate(s->env, r->model, s->ds, &r->metrics, r->confusion, err))) return st;
    if (numbers > most_scores) {
        snprintf(r->why_roc, STUDY_WHY, "there are too many rows to keep all scores");
        return PERC_OK;
    }
    free(r->score); /* from an earlier pass */
    free(r->margin);
    r->score = calloc((size_t)numbers + 1, sizeof *r->score);
    r->margin = calloc((size_t)s->data_info.rows + 1, sizeof *r->margin);
    if (r->score == NULL || r->margin == NULL) return study_memory(err);
    if ((st = perc_predict(s->env, r->model, s->ds, r->score, err)) ||
        (st = perc_margins(r->model, s->ds, r->score, r->margin, err)))
        return st;
    perc_error why = { 0 };

    if (r->info.outputs != 1) {
        snprintf(r->why_roc, STUDY_WHY, "a ROC curve is about two classes, and there are %zu",
                 r->info.labels);
        return PERC_OK;
    }
    r->roc_x = calloc(CURVE_POINTS, sizeof *r->roc_x);
    r->roc_y = calloc(CURVE_POINTS, sizeof *r->roc_y);
    r->trade = calloc(CURVE_POINTS, sizeof *r->trade);
    if (r->roc_x == NULL || r->roc_y == NULL || r->trade == NULL) return study_memory(err);
    st = perc_roc(s->env, r->model, s->ds, r->score, CURVE_POINTS, r->roc_x, r->roc_y, &r->roc,
                  &why);
    if (st == PERC_OK)
        st = perc_trade_off(s->env, r->model, s->ds, r->score, CURVE_POINTS, r->trade, &r->trades,
                            &why);
    if (st == PERC_EDATA) snprintf(r->why_roc, STUDY_WHY, "%s", why.text);
    return st == PERC_OK || st == PERC_EDATA ? PERC_OK : study_fail(err, st, "%s", why.text);
}

/* ----- probabilities ------------------------------------------------------------------ */

/* A network has its own. Others are calibrated on scores of rows held out in turn, for which one
 * model is trained per fold. */
perc_status study_calibrate(struct study *s, struct study_run *r, perc_error *err)
{
    const double passes = r->report.epochs > 0 ? (double)r->report.epochs : 1;
    const double cost = FOLDS * (passes + 1) * study_scoring(s, r->model);
    perc_error why = { 0 };

    r->calibrated = r->info.calibrated != 0;
    if (r->calibrated) return PERC_OK;
    if (cost > 2 * s->work) {
        snprintf(r->why_calibration, STUDY_WHY,
                 "training %d more models, on parts of the rows, would take too long", FOLDS);
        return PERC_OK;
    }
    const perc_observer watch = study_work(s, NULL, "fold", FOLDS);
    const perc_status st = perc_calibrate(s->env, r->model, s->ds, FOLDS, &watch, &why);
    study_rest(s);
    if (st == PERC_ENOMEM) return study_memory(err);
    if (st == PERC_EDATA)
        snprintf(r->why_calibration, STUDY_WHY,
                 "a label has fewer than %d rows, too few to hold out a part of them in turn",
                 FOLDS);
    else if (st != PERC_OK) snprintf(r->why_calibration, STUDY_WHY, "%s", why.text);
    perc_model_info_get(r->model, &r->info);
    r->calibrated = st == PERC_OK;
    return PERC_OK;
}

/* ----- support rows ------------------------------------------------------------------- */

perc_status study_supports(struct study_run *r, perc_error *err)
{
    perc_status st;

    if (!study_kernel(r) || r->info.supports == 0) return PERC_OK;
    if ((r->support = calloc((size_t)r->info.supports, sizeof *r->support)) == NULL)
        return study_memory(err);
    if ((st = perc_model_supports(r->model, r->support, err))) return st;
    r->supports = (size_t)r->info.supports;
    qsort(r->support, r->supports, sizeof *r->support, about_by_counter);
    return PERC_OK;
}
