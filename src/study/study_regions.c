/* study_regions.c -- what a model says of every point of the plane. */
#include "study/study_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The middle of cell i along side k. */
static double middle(const struct study *s, int k, size_t i)
{
    return s->box[k] + (s->box[2 + k] - s->box[k]) * ((double)i + 0.5) / STUDY_CELLS;
}

/* Scores of n points of the plane. They are numbers of the file, which the model scales. */
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
    st = perc_dataset_borrow_dense(&s->cli->env, &dense, none, NULL, &ds, err);
    if (st == PERC_OK) st = perc_predict(&s->cli->env, r->model, ds, scores, err);
    perc_dataset_free(ds);
    return st;
}

static int class_at(const struct study *s, const struct study_run *r, const double *scores)
{
    return study_label(s, perc_answer(r->model, scores));
}

/* Every point by itself. */
static perc_status score_cells(const struct study *s, struct study_run *r, double *x,
                               double *scores, perc_error *err)
{
    double at[STUDY_CELLS][2];
    perc_status st = PERC_OK;

    for (size_t j = 0; j < STUDY_CELLS && st == PERC_OK && !interrupt_seen(); j++) {
        for (size_t i = 0; i < STUDY_CELLS; i++) {
            at[i][0] = middle(s, 0, i);
            at[i][1] = middle(s, 1, j);
        }
        st = score_points(s, r, (const double(*)[2])at, STUDY_CELLS, x, scores, err);
        for (size_t i = 0; i < STUDY_CELLS && st == PERC_OK; i++)
            r->region[j * STUDY_CELLS + i] = class_at(s, r, scores + i * r->info.outputs);
    }
    return st;
}

/* Linear scores are known in the whole plane where they are known at three corners. */
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
        r->region[c] = class_at(s, r, here);
    }
    return st;
}

/* The line itself, of two classes: as the weights have it. */
static int find_line(const struct study *s, struct study_run *r)
{
    const uint64_t d = r->info.features;
    double *w = calloc((size_t)d + 1, sizeof *w), line[3];

    if (w == NULL) return cli_memory(s->cli);
    for (uint64_t j = 0; j < d; j++) w[j] = perc_model_weight(r->model, j, 0);
    study_line(s, w, d, 1, perc_model_offset(r->model, 0), line);
    free(w);
    r->plane_w[0] = line[0];
    r->plane_w[1] = line[1];
    r->plane_b = line[2];
    r->line = true;
    return EXIT_DONE;
}

/* Work for all cells, in entries. */
static double cost_of(const struct study *s, const struct study_run *r)
{
    const double rows = (double)s->data_info.rows, d = (double)s->data_info.features;
    const double entries = ((double)s->data_info.nonzeros + rows) / (rows > 0 ? rows : 1);

    return STUDY_CELLS * STUDY_CELLS / (rows > 0 ? rows : 1) * study_scoring(s, r) *
           (study_network(r) ? 1 : (d + 1) / entries);
}

int study_regions(struct study *s, struct study_run *r)
{
    const bool flat = study_linear(r) && !s->bent;
    const size_t d = (size_t)s->data_info.features, k = r->info.outputs;
    perc_error err = { 0 };
    perc_status st;
    double *x, *scores;

    r->line = false;
    if (s->plane == STUDY_NO_PLANE) snprintf(r->why_regions, STUDY_WHY, "%s", s->why_plane);
    else if (!flat && cost_of(s, r) > 4 * STUDY_WORK)
        snprintf(r->why_regions, STUDY_WHY, "scoring %d points of the plane would take too long",
                 STUDY_CELLS * STUDY_CELLS);
    if (r->why_regions[0] != '\0') return EXIT_DONE;
    x = calloc(d + 1, (flat ? 3 : STUDY_CELLS) * sizeof *x);
    scores = calloc(k + 1, STUDY_CELLS * sizeof *scores);
    r->region = calloc(STUDY_CELLS * STUDY_CELLS, sizeof *r->region);
    st = x == NULL || scores == NULL || r->region == NULL ? PERC_ENOMEM
         : flat                                           ? score_corners(s, r, x, scores, &err)
                                                          : score_cells(s, r, x, scores, &err);
    free(x);
    free(scores);
    if (st == PERC_ENOMEM) return cli_memory(s->cli);
    if (st != PERC_OK) return cli_fail(s->cli, s->data, &err);
    return flat && k == 1 ? find_line(s, r) : EXIT_DONE;
}
