/* picture_strip.c -- the boundary of a linear machine with the strip around it: the rows that are
 * closest to it, and how far they are.
 *
 * The strip is the widest one around the boundary that has no row inside,
 *
 *     |s(x)| / |w| < gamma,   gamma = the smallest |s(x_i)| / |w|,
 *
 * which is the margin if every row is on its own side. That of a support vector machine which
 * allows for errors is where |s| < 1, and the rows on its edges or beyond them, y s <= 1, are its
 * support rows.
 *
 * With two features the picture is their plane. With more it has the signed distance s / |w| from
 * left to right, so that the strip is as wide as it looks, and upwards the direction within the
 * boundary along which the rows vary most. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"
#include "study/picture_parts.h"

enum { CLOSEST = 3 };               /* shown on each side, if they are equally close */
static const double equal = 1e-6;   /* relative */
static const double on_edge = 1e-3; /* support rows: y s <= 1 within the tolerance of solvers */
static const double uneven = 6;     /* units of two features that differ more are not made equal */

struct strip {
    const struct study *s;
    const struct study_run *r;
    bool own;       /* in the plane of two features */
    double w[2], b; /* the boundary in the picture, w of length 1 */
    double norm;    /* a score divided by this is a distance */
    double half;    /* of the strip: gamma, or 1 / |w| */
    bool svm;       /* where |s| < 1 */
    double *along;  /* with more features: a unit vector within the boundary */
    double *row;    /* scratch */
    double *x, *y;  /* of the points of the study, in this picture */
    double box[4];
    double best[2];    /* smallest distance on the negative and on the positive side */
    uint64_t first[2]; /* the first row that has it */
    size_t supports;
    struct picture_places near, held; /* closest rows; support rows */
};

/* ----- the space of the picture --------------------------------------------------------- */

/* A file may have more features than the model. */
static double weight_of(const struct study_run *r, uint64_t j)
{
    return j < r->info.features ? perc_model_weight(r->model, j, 0) : 0;
}

/* The part of the first component that lies within the boundary, or of the second if the first
 * hardly has any. */
static void find_along(struct strip *t)
{
    const size_t d = (size_t)t->s->data_info.features;

    for (int k = 0; k < 2; k++) {
        const double *c = t->s->direction + (size_t)k * d;
        double dot = 0, length = 0;

        for (size_t j = 0; j < d; j++) dot += c[j] * weight_of(t->r, j);
        for (size_t j = 0; j < d; j++) {
            t->along[j] = c[j] - dot / t->norm * (weight_of(t->r, j) / t->norm);
            length += t->along[j] * t->along[j];
        }
        for (size_t j = 0; j < d && length > 0; j++) t->along[j] /= sqrt(length);
        if (length > 0.01) return;
    }
}

static void place_row(const struct strip *t, uint64_t row, double at[2])
{
    if (t->own) {
        study_place(t->s, row, t->row, at);
        return;
    }
    perc_dataset_row(t->s->ds, row, t->row);
    at[0] = t->r->score[row] / t->norm;
    at[1] = 0;
    for (uint64_t j = 0; j < t->s->data_info.features; j++) at[1] += t->along[j] * t->row[j];
}

/* Makes the box so large that the place is well inside. */
static void show_place(struct strip *t, const double at[2])
{
    for (int k = 0; k < 2; k++) {
        const double room = (t->box[2 + k] - t->box[k]) / 30;

        if (at[k] - room < t->box[k]) t->box[k] = at[k] - room;
        if (at[k] + room > t->box[2 + k]) t->box[2 + k] = at[k] + room;
    }
}

/* Whether the machine is one plane for two labels, and the rows were scored. */
static bool open_strip(struct strip *t, const struct study *s, const struct study_run *r)
{
    double norm2 = 0;

    *t = (struct strip){ .s = s, .r = r, .own = s->plane == STUDY_TWO_FEATURES };
    if (s->plane == STUDY_NO_PLANE || s->points == 0 || r->score == NULL || r->margin == NULL ||
        r->info.outputs != 1 || !study_linear(r) || s->bent || (t->own && !r->line))
        return false;
    for (uint64_t j = 0; j < r->info.features && !t->own; j++)
        norm2 += weight_of(r, j) * weight_of(r, j);
    if (t->own) norm2 = r->plane_w[0] * r->plane_w[0] + r->plane_w[1] * r->plane_w[1];
    t->norm = sqrt(norm2);
    t->w[0] = t->own ? r->plane_w[0] / t->norm : 1;
    t->w[1] = t->own ? r->plane_w[1] / t->norm : 0;
    t->b = t->own ? r->plane_b / t->norm : 0;
    return t->norm > 0 && isfinite(1 / t->norm) && isfinite(t->norm) && isfinite(t->b);
}

/* ----- the rows of the strip --------------------------------------------------------------- */

static void add_row(struct strip *t, struct picture_places *to, uint64_t row)
{
    double at[2];
    char number[WORD];

    place_row(t, row, at);
    snprintf(picture_places_add(to, row, at, 1), PICTURE_HINT, "%s (row %llu)",
             word_num(number, fabs(t->r->score[row]) / t->norm), (unsigned long long)row + 1);
    show_place(t, at);
    const double s = t->w[0] * at[0] + t->w[1] * at[1] + t->b;
    if (to == &t->near) show_place(t, (double[2]){ at[0] - s * t->w[0], at[1] - s * t->w[1] });
}

static void find_rows(struct strip *t)
{
    const char *hard = perc_model_option(t->r->model, "hard");
    size_t kept[2] = { 0, 0 };

    t->svm = strcmp(t->r->info.algorithm, "svm") == 0 &&
             (hard == NULL || strcmp(hard, "true") != 0);
    t->best[0] = t->best[1] = INFINITY;
    for (uint64_t i = 0; i < t->s->data_info.rows; i++) {
        const int side = t->r->score[i] > 0;
        const double far = fabs(t->r->score[i]) / t->norm;

        if (isnan(t->r->margin[i])) continue; /* its label is not known */
        if (far < t->best[side]) {
            t->best[side] = far;
            t->first[side] = i;
        }
        if (!t->svm || t->r->margin[i] > 1 + on_edge) continue;
        if (t->supports++ < STUDY_POINTS) add_row(t, &t->held, i);
    }
    t->half = t->svm ? 1 / t->norm : fmin(t->best[0], t->best[1]);
    for (uint64_t i = 0; i < t->s->data_info.rows; i++) {
        const int side = t->r->score[i] > 0;
        const double far = fabs(t->r->score[i]) / t->norm;

        if (isnan(t->r->margin[i]) || far > t->best[side] * (1 + equal)) continue;
        if (kept[side]++ < CLOSEST) add_row(t, &t->near, i);
    }
}

/* ----- drawing ------------------------------------------------------------------------------- */

/* The strip as a polygon that reaches beyond the picture. */
static void draw_band(struct figure *f, const struct strip *t)
{
    const double wide = t->box[2] - t->box[0], high = t->box[3] - t->box[1];
    const double mx = (t->box[0] + t->box[2]) / 2, my = (t->box[1] + t->box[3]) / 2;
    const double far = 4 * (wide + high), s = t->w[0] * mx + t->w[1] * my + t->b;
    double x[4], y[4];

    for (int k = 0; k < 4; k++) {
        const double across = (k < 2 ? 1 : -1) * t->half - s, on = (k % 3 == 0 ? 1 : -1) * far;

        x[k] = mx + across * t->w[0] - on * t->w[1];
        y[k] = my + across * t->w[1] + on * t->w[0];
    }
    figure_area(f, NULL, FIGURE_FAINT, x, y, 4);
    figure_unlined(f);
}

/* From each of the closest rows to the point of the boundary nearest to it. */
static void draw_distances(struct figure *f, struct strip *t)
{
    for (size_t i = 0; i < t->near.n; i++) {
        const double s = t->w[0] * t->near.x[i] + t->w[1] * t->near.y[i] + t->b;
        const double x[2] = { t->near.x[i], t->near.x[i] - s * t->w[0] };
        const double y[2] = { t->near.y[i], t->near.y[i] - s * t->w[1] };

        figure_curve(f, NULL, FIGURE_ALERT, FIGURE_SOLID, x, y, 2);
        figure_hint(f, t->near.text[i]);
    }
    for (size_t i = 0; i < t->near.n; i++) { /* over the end of the line; the sample may lack it */
        const int label = perc_dataset_row_label(t->s->ds, t->near.row[i]);

        figure_points(f, NULL, label >= 0 ? label : FIGURE_FAINT, &t->near.x[i], &t->near.y[i], 1,
                      NULL, NULL, NULL);
    }
    figure_rings(f, "closest rows", FIGURE_ALERT, t->near.x, t->near.y, t->near.n, t->near.text);
}

static void strip_axes(struct figure *f, const struct strip *t)
{
    const double wide = t->box[2] - t->box[0], high = t->box[3] - t->box[1];

    figure_axis(f, FIGURE_X, t->own ? t->s->axis[0] : "signed distance, s / |w|", t->box[0],
                t->box[2]);
    figure_axis(f, FIGURE_Y, t->own ? t->s->axis[1] : "along the boundary", t->box[1], t->box[3]);
    if (wide < uneven * high && high < uneven * wide) figure_square(f);
}

static struct figure *strip_title(const struct strip *t, size_t k)
{
    const struct study_run *r = t->r;
    const int side = t->best[1] < t->best[0];
    char half[WORD], errors[WORD], rows[WORD], count[PICTURE_TEXT];

    word_num(half, t->half);
    if (t->svm)
        return picture_of(
            t->s, k, "strip", "A strip of %s to either side, with %s", half,
            picture_count(count, (int64_t)t->supports, "support row", "support rows"));
    if (t->half == 0)
        return picture_of(t->s, k, "strip", "Row %llu lies on the boundary: there is no strip",
                          (unsigned long long)t->first[side] + 1);
    if (r->metrics.errors == 0)
        return picture_of(t->s, k, "strip", "A margin of %s: row %llu is closest to the boundary",
                          half, (unsigned long long)t->first[side] + 1);
    return picture_of(
        t->s, k, "strip", "%s of %s rows on the wrong side; the closest row is %s away",
        word_count(errors, r->metrics.errors), word_count(rows, r->metrics.rows), half);
}

static void strip_about(struct figure *f, const struct strip *t)
{
    char side[2][PICTURE_TEXT] = { "none", "none" }, half[WORD], number[WORD];
    const bool scaled = t->s->scaling_a != NULL;

    for (int k = 0; k < 2; k++)
        if (isfinite(t->best[k]))
            snprintf(side[k], PICTURE_TEXT, "row %llu, %s away",
                     (unsigned long long)t->first[k] + 1, word_num(number, t->best[k]));
    figure_about(f,
                 "The boundary, and on either side of it, %s away, the edge of a strip %s. Closest "
                 "where the answer is %s: %s; where it is %s: %s.%s%s",
                 word_num(half, t->half),
                 t->svm ? "in which |s| < 1; support rows, with y s at most 1, are ringed"
                        : "that has no row inside",
                 t->r->info.positive, side[1], t->r->info.negative, side[0],
                 t->own ? ""
                        : " From left to right is the distance; upwards, the direction within the "
                          "boundary in which the rows vary most.",
                 !scaled  ? ""
                 : t->own ? " Distances are in the units of the file."
                          : " Distances are those of the scaled features.");
}

static void draw_strip(struct figure *f, struct strip *t)
{
    strip_about(f, t);
    strip_axes(f, t);
    if (t->half > 0) draw_band(f, t);
    picture_points(f, t->s, t->r, t->x, t->y);
    for (int sign = -1; sign <= 1 && t->half > 0; sign += 2)
        figure_line(f, "edges of the strip", FIGURE_FAINT, FIGURE_DASHED, t->w[0], t->w[1],
                    t->b + sign * t->half);
    figure_line(f, "boundary", FIGURE_INK, FIGURE_SOLID, t->w[0], t->w[1], t->b);
    if (t->svm) figure_rings(f, "support rows", FIGURE_INK, t->held.x, t->held.y, t->held.n, NULL);
    draw_distances(f, t);
}

struct figure *picture_strip(const struct study *s, size_t k)
{
    const size_t d = (size_t)s->data_info.features;
    struct figure *f = figure_lost();
    struct strip t;
    double at[2];

    if (!open_strip(&t, s, &s->run[k])) return NULL;
    t.along = calloc(d + 1, sizeof *t.along);
    t.row = calloc(d + 1, sizeof *t.row);
    t.x = calloc(s->points + 1, sizeof *t.x);
    t.y = calloc(s->points + 1, sizeof *t.y);
    const bool room = picture_places_new(&t.near, 2 * CLOSEST);
    if (picture_places_new(&t.held, STUDY_POINTS) && room && t.along != NULL && t.row != NULL &&
        t.x != NULL && t.y != NULL) {
        if (!t.own) find_along(&t);
        for (size_t i = 0; i < s->points; i++) {
            place_row(&t, s->row[i], at);
            t.x[i] = at[0];
            t.y[i] = at[1];
            for (int j = 0; j < 2; j++) {
                t.box[j] = i == 0 ? at[j] : fmin(t.box[j], at[j]);
                t.box[2 + j] = i == 0 ? at[j] : fmax(t.box[2 + j], at[j]);
            }
        }
        for (size_t i = 0; i < s->points; i++) show_place(&t, (double[2]){ t.x[i], t.y[i] });
        find_rows(&t);
        f = strip_title(&t, k);
        draw_strip(f, &t);
    }
    free(t.along);
    free(t.row);
    free(t.x);
    free(t.y);
    picture_places_free(&t.near);
    picture_places_free(&t.held);
    return f;
}
