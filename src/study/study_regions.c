/* study_regions.c -- what a model says about every point of the plane. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_parts.h"

/* The centre of cell i along side k. */
static double middle(const struct study *s, int k, size_t i)
{
    return s->box[k] + (s->box[2 + k] - s->box[k]) * ((double)i + 0.5) / STUDY_CELLS;
}

/* Scores of n points of the plane, given in units of the file: the model scales them. */
static perc_status score_points(const struct study *s, const struct study_run *r,
                                const double (*at)[2], size_t n, double *x, double *scores,
                                perc_error *err)
{
    const size_t d = (size_t)s->data_info.features;
    const perc_dense dense = { .values = x,
                               .type = PERC_F64,
                               .rows = n,
                               .columns = d,
                               .row_stride = (ptrdiff_t)(d * sizeof *x),
                               .column_stride = sizeof *x };
    const double none[STUDY_CELLS] = { 0 };
    perc_dataset *ds = NULL;
    perc_status st;

    for (size_t i = 0; i < n; i++) study_lift(s, at[i], x + i * d);
    st = perc_dataset_borrow_dense(s->env, &dense, none, NULL, &ds, err);
    if (st == PERC_OK) st = perc_predict(s->env, r->model, ds, scores, err);
    perc_dataset_free(ds);
    return st;
}

/* Scores each point on its own. */
static perc_status score_cells(const struct study *s, struct study_run *r, double *x,
                               double *scores, perc_error *err)
{
    double at[STUDY_CELLS][2];
    perc_status st = PERC_OK;

    for (size_t j = 0; j < STUDY_CELLS && st == PERC_OK && !study_stopped(s); j++) {
        for (size_t i = 0; i < STUDY_CELLS; i++) {
            at[i][0] = middle(s, 0, i);
            at[i][1] = middle(s, 1, j);
        }
        st = score_points(s, r, (const double(*)[2])at, STUDY_CELLS, x, scores, err);
        for (size_t i = 0; i < STUDY_CELLS && st == PERC_OK; i++)
            r->region[j * STUDY_CELLS + i] = study_label(
                s, perc_answer(r->model, scores + i * r->info.outputs));
    }
    return st;
}

/* Linear scores follow everywhere in the plane from those at three corners. */
static perc_status score_corners(const struct study *s, struct study_run *r, double *x,
                                 double *scores, perc_error *err)
{
    const double at[3][2] = { { s->box[0], s->box[1] },
                              { s->box[2], s->box[1] },
                              { s->box[0], s->box[3] } };
    const size_t k = r->info.outputs;
    double *here = scores + 3 * k;
    const perc_status st = score_points(s, r, at, 3, x, scores, err);

    for (size_t c = 0; c < STUDY_CELLS * STUDY_CELLS && st == PERC_OK; c++) {
        const double right = ((double)(c % STUDY_CELLS) + 0.5) / STUDY_CELLS;
        const double up = ((double)(c / STUDY_CELLS) + 0.5) / STUDY_CELLS;

        for (size_t o = 0; o < k; o++)
            here[o] = scores[o] + right * (scores[k + o] - scores[o]) +
                      up * (scores[2 * k + o] - scores[o]);
        r->region[c] = study_label(s, perc_answer(r->model, here));
    }
    return st;
}

perc_status study_regions(struct study *s, struct study_run *r, perc_error *err)
{
    const bool flat = study_linear(r) && !s->bent;
    const size_t d = (size_t)s->data_info.features, k = r->info.outputs;
    /* The work for all cells, in entries. */
    const double rows = fmax((double)s->data_info.rows, 1);
    const double entries = ((double)s->data_info.nonzeros + rows) / rows;
    const double cost = STUDY_CELLS * STUDY_CELLS / rows * study_scoring(s, r->model) *
                        (study_network(r) ? 1 : ((double)d + 1) / entries);
    perc_status st;
    double *x, *scores, line[3];

    if (s->plane == STUDY_NO_PLANE) snprintf(r->why_regions, STUDY_WHY, "%s", s->why_plane);
    else if (!flat && cost > 4 * s->work)
        snprintf(r->why_regions, STUDY_WHY, "scoring %d points of the plane would take too long",
                 STUDY_CELLS * STUDY_CELLS);
    if (r->why_regions[0] != '\0') return PERC_OK;
    x = calloc((d > r->info.features ? d : (size_t)r->info.features) + 1,
               (flat ? 3 : STUDY_CELLS) * sizeof *x);
    scores = calloc(k + 1, STUDY_CELLS * sizeof *scores);
    r->region = calloc(STUDY_CELLS * STUDY_CELLS, sizeof *r->region);
    st = x == NULL || scores == NULL || r->region == NULL ? study_memory(err)
         : flat                                           ? score_corners(s, r, x, scores, err)
                                                          : score_cells(s, r, x, scores, err);
    if (st == PERC_OK && flat && k == 1) { /* the line itself, from the weights */
        for (size_t j = 0; j < r->info.features; j++) x[j] = perc_model_weight(r->model, j, 0);
        study_line(s, x, r->info.features, 1, perc_model_offset(r->model, 0), line);
        r->plane_w[0] = line[0];
        r->plane_w[1] = line[1];
        r->plane_b = line[2];
        r->line = true;
    }
    free(x);
    free(scores);
    return st;
}

/* How far from zero to look: twice the distance of the line. */
static double far_enough(const struct study_run *r)
{
    double most = 0;

    for (size_t c = 0; c < r->info.outputs; c++) {
        const double w1 = perc_model_weight(r->model, 0, c), w2 = perc_model_weight(r->model, 1, c);
        const double away = fabs(perc_model_offset(r->model, c)) / sqrt(w1 * w1 + w2 * w2);

        if (isfinite(away) && away > most) most = away;
    }
    return fmin(fmax(2 * most, 2), 1e100);
}

perc_status study_alone(struct study *s, perc_error *err)
{
    struct study_run *r = &s->run[0];
    const perc_model_info *info = &r->info;

    s->data_info.features = info->features;
    s->data_info.labels = info->labels;
    s->data_info.index_base = info->index_base;
    if (info->features != 2 || info->labels == 0 || strcmp(info->algorithm, "gate") == 0)
        return PERC_OK;
    s->plane = STUDY_TWO_FEATURES;
    s->feature[1] = 1;
    for (int k = 0; k < 2; k++) {
        study_feature(s, s->feature[k], s->axis[k], sizeof s->axis[k]);
        s->box[2 + k] = far_enough(r);
        s->box[k] = -s->box[2 + k];
    }
    return study_regions(s, r, err);
}
