/* picture_plane.c -- points in the plane: the boundary of a model, and the rows that show that
 * no plane separates the classes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "show/witness.h"
#include "show/word.h"
#include "study/picture_parts.h"

/* ----- places of rows ----------------------------------------------------------------- */

void picture_places_free(struct picture_places *p)
{
    free(p->x);
    free(p->y);
    free(p->size);
    free(p->text);
    free(p->words);
    free(p->row);
}

bool picture_places_new(struct picture_places *p, size_t room)
{
    *p = (struct picture_places){ 0 };
    p->x = calloc(room + 1, sizeof *p->x);
    p->y = calloc(room + 1, sizeof *p->y);
    p->size = calloc(room + 1, sizeof *p->size);
    p->text = calloc(room + 1, sizeof *p->text);
    p->words = calloc(room + 1, sizeof *p->words);
    p->row = calloc(room + 1, sizeof *p->row);
    return p->x != NULL && p->y != NULL && p->size != NULL && p->text != NULL && p->words != NULL &&
           p->row != NULL;
}

char *picture_places_add(struct picture_places *p, uint64_t row, const double at[2], double size)
{
    p->x[p->n] = at[0];
    p->y[p->n] = at[1];
    p->size[p->n] = size;
    p->row[p->n] = row;
    p->text[p->n] = p->words[p->n];
    return p->words[p->n++];
}

/* ----- points by class ------------------------------------------------------------------ */

/* All points of label c (-1: without a label), with the number and the margin of each row. */
static void class_points(struct figure *f, const struct study *s, const struct study_run *r, int c,
                         const double *x, const double *y)
{
    char margin[WORD];
    struct picture_places p;

    if (!picture_places_new(&p, s->points)) {
        figure_fail(f);
    } else {
        for (size_t i = 0; i < s->points; i++) {
            const double at[2] = { x[i], y[i] };

            if (s->label[i] != c) continue;
            char *hint = picture_places_add(&p, s->row[i], at, 1);
            if (r != NULL && r->margin != NULL)
                snprintf(hint, PICTURE_HINT, "row %llu, margin %s",
                         (unsigned long long)s->row[i] + 1, word_num(margin, r->margin[s->row[i]]));
            else snprintf(hint, PICTURE_HINT, "row %llu", (unsigned long long)s->row[i] + 1);
        }
        if (p.n > 0)
            figure_points(f, c >= 0 ? perc_dataset_label(s->ds, (size_t)c) : NULL,
                          c < 0 ? FIGURE_FAINT : c, p.x, p.y, p.n, NULL, NULL,
                          s->points <= PICTURE_HINTS ? p.text : NULL);
    }
    picture_places_free(&p);
}

void picture_points(struct figure *f, const struct study *s, const struct study_run *r,
                    const double *x, const double *y)
{
    for (int c = -1; c < (int)s->data_info.labels; c++) class_points(f, s, r, c, x, y);
}

void picture_axes(struct figure *f, const struct study *s)
{
    figure_axis(f, FIGURE_X, s->axis[0], s->box[0], s->box[2]);
    figure_axis(f, FIGURE_Y, s->axis[1], s->box[1], s->box[3]);
    if (s->plane == STUDY_COMPONENTS) figure_square(f);
}

/* ----- the boundary ------------------------------------------------------------------------ */

/* Support rows of label c; their counters give their areas. */
static void class_supports(struct figure *f, const struct study *s, const struct study_run *r,
                           int c, double *x)
{
    const size_t most = r->supports < STUDY_POINTS ? r->supports : STUDY_POINTS;
    const double top = (double)r->support[0].counter;
    struct picture_places p;
    double at[2];

    if (!picture_places_new(&p, most)) {
        figure_fail(f);
    } else {
        for (size_t i = 0; i < most; i++) {
            const perc_support *v = &r->support[i];

            if (perc_dataset_row_label(s->ds, (uint64_t)v->row) != c) continue;
            study_place(s, (uint64_t)v->row, x, at);
            char *hint = picture_places_add(&p, (uint64_t)v->row, at,
                                            top > 0 ? 1 + 7 * (double)v->counter / top : 1);
            snprintf(hint, PICTURE_HINT, "row %lld, counter %lld", (long long)v->row + 1,
                     (long long)v->counter);
        }
        if (p.n > 0) {
            figure_points(f, NULL, c, p.x, p.y, p.n, p.size, NULL,
                          p.n <= PICTURE_HINTS ? p.text : NULL);
            figure_outlines(f, FIGURE_INK, c, p.x, p.y, p.n, p.size);
        }
    }
    picture_places_free(&p);
}

/* The hull of some rows, given in order around it. */
static void draw_hull(struct figure *f, const struct study *s, const uint64_t *row, size_t n,
                      const char *label)
{
    double *x = calloc((size_t)s->data_info.features + 1, sizeof *x), at[2];
    struct picture_places p;

    if (!picture_places_new(&p, n) || x == NULL) {
        figure_fail(f);
    } else if (n > 0) {
        for (size_t i = 0; i < n; i++) {
            study_place(s, row[i], x, at);
            picture_places_add(&p, row[i], at, 1);
        }
        figure_area(f, NULL, picture_colour(s, label), p.x, p.y, p.n);
    }
    picture_places_free(&p);
    free(x);
}

static void boundary_about(struct figure *f, const struct study *s, const struct study_run *r)
{
    char rows[WORD], drawn[WORD], line[PICTURE_LINE] = "", equation[HYPERPLANE_TEXT];
    char support[PICTURE_TEXT];

    if (r->line && r->plane_w[0] == 0 && r->plane_w[1] == 0)
        snprintf(line, sizeof line, " There is no line: the score is the same everywhere.");
    else if (r->line && s->plane == STUDY_TWO_FEATURES)
        snprintf(line, sizeof line, " The line is %s.",
                 hyperplane_line(s->q->form, r->plane_w, r->plane_b, equation));
    else if (r->supports > 0 && !s->learned)
        snprintf(line, sizeof line, " The %s are outlined, larger where the counter is.",
                 picture_count(support, (int64_t)r->supports, "support row", "support rows"));
    else if (r->region == NULL) snprintf(line, sizeof line, " No regions: %.200s.", r->why_regions);
    if (s->sampled)
        figure_about(f, "A sample of %s of %s rows in %s.%s", word_count(drawn, s->points),
                     word_count(rows, s->data_info.rows), s->plane_words, line);
    else
        figure_about(f, "All %s rows in %s.%s", word_count(rows, s->data_info.rows), s->plane_words,
                     line);
}

/* For a model without data. */
static struct figure *answers_alone(const struct study *s, const struct study_run *r)
{
    struct figure *f = picture_new(s, "boundary", "What the model answers in the plane");

    figure_about(f, "The label that the model gives to each point, around the zero of both "
                    "features; there are no data in this picture.");
    figure_regions(f, r->region, STUDY_CELLS, STUDY_CELLS, s->box);
    for (size_t i = 0; i < r->info.labels; i++)
        figure_points(f, perc_model_label(r->model, i), (int)i, NULL, NULL, 0, NULL, NULL, NULL);
    picture_axes(f, s);
    figure_square(f);
    return f;
}

struct figure *picture_boundary(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    char errors[WORD], rows[WORD], support[PICTURE_TEXT], more[PICTURE_TEXT] = "";
    struct figure *f;

    if (s->plane == STUDY_NO_PLANE || (s->points == 0 && s->ds != NULL)) return NULL;
    if (s->ds == NULL) return answers_alone(s, r);
    if (r->supports > 0 && !s->learned)
        snprintf(more, sizeof more, ", %.80s",
                 picture_count(support, (int64_t)r->supports, "support row", "support rows"));
    f = picture_of(s, k, "boundary", "%s of %s %s on the wrong side%s",
                   word_count(errors, r->metrics.errors), word_count(rows, r->metrics.rows),
                   s->learned ? "rows" : "training rows", more);
    boundary_about(f, s, r);
    picture_axes(f, s);
    if (r->region != NULL) figure_regions(f, r->region, STUDY_CELLS, STUDY_CELLS, s->box);
    /* Whether a line can pass between the hulls is a question about linear machines only. */
    if (s->hulled && s->plane == STUDY_TWO_FEATURES && r->line) {
        draw_hull(f, s, s->hulls.positive, s->hulls.positives, s->part.positive);
        draw_hull(f, s, s->hulls.negative, s->hulls.negatives, s->part.negative);
    }
    picture_points(f, s, r, s->x, s->y);
    double *x = calloc((size_t)s->data_info.features + 1, sizeof *x);
    if (x == NULL) figure_fail(f);
    for (int c = 0; x != NULL && r->supports > 0 && !s->learned && c < (int)s->data_info.labels;
         c++)
        class_supports(f, s, r, c, x);
    free(x);
    if (r->line && (r->plane_w[0] != 0 || r->plane_w[1] != 0))
        figure_line(f, NULL, FIGURE_INK, FIGURE_SOLID, r->plane_w[0], r->plane_w[1], r->plane_b);
    return f;
}

/* ----- the witness --------------------------------------------------------------------------- */

/* Rows of the certificate on one side: their positions, their weights in words and, as sizes, as
 * shares of the side. */
static bool places_of_side(const struct study *s, bool positive, struct picture_places *p)
{
    const struct proof_words words = study_words(s);
    const perc_part *part = &s->part;
    double *x = calloc((size_t)s->data_info.features + 1, sizeof *x), at[2];
    const bool room = picture_places_new(p, part->witnesses) && x != NULL;

    for (size_t i = 0; room && i < part->witnesses; i++) {
        char text[WORD];

        if (witness_positive(s->ds, part, part->witness[i]) != positive) continue;
        study_place(s, part->witness[i], x, at);
        char *word = picture_places_add(p, part->witness[i], at, witness_share(&words, part, i));
        snprintf(word, PICTURE_HINT, "%s", witness_weight(&words, part, i, text));
    }
    free(x);
    return room;
}

/* Rings around its rows, with their weights; a segment or polygon between them; their mean. */
static void draw_side(struct figure *f, const struct study *s, struct picture_places *p,
                      const char *label, double mean[2])
{
    const int colour = label != NULL ? picture_colour(s, label) : FIGURE_INK;

    mean[0] = mean[1] = 0;
    for (size_t i = 0; i < p->n; i++) {
        mean[0] += p->size[i] * p->x[i];
        mean[1] += p->size[i] * p->y[i];
    }
    figure_points(f, NULL, colour, p->x, p->y, p->n, NULL, p->text, NULL);
    figure_rings(f, NULL, FIGURE_ALERT, p->x, p->y, p->n, NULL);
    /* In order around their centre, so that the polygon does not cross itself. */
    double mx = 0, my = 0;
    for (size_t i = 0; i < p->n; i++) {
        mx += p->x[i] / (double)p->n;
        my += p->y[i] / (double)p->n;
    }
    for (size_t i = 1; i < p->n; i++)
        for (size_t j = i; j > 0; j--) {
            const double a = atan2(p->y[j - 1] - my, p->x[j - 1] - mx);
            const double b = atan2(p->y[j] - my, p->x[j] - mx);
            const double x = p->x[j], y = p->y[j];

            if (a <= b) break;
            p->x[j] = p->x[j - 1];
            p->y[j] = p->y[j - 1];
            p->x[j - 1] = x;
            p->y[j - 1] = y;
        }
    if (p->n > 2) figure_area(f, NULL, colour, p->x, p->y, p->n);
    else if (p->n == 2) figure_curve(f, NULL, colour, FIGURE_SOLID, p->x, p->y, 2);
}

struct figure *picture_witness(const struct study *s)
{
    const bool offset = s->run[0].info.has_offset;
    const double size = 3;
    struct picture_places plus, minus;
    char rows[PICTURE_TEXT];
    double mean[2], other[2];
    struct figure *f = figure_lost();

    if (s->proof == NULL || s->part.witnesses == 0 || s->plane == STUDY_NO_PLANE) return NULL;
    const bool room = places_of_side(s, true, &plus);
    if (places_of_side(s, false, &minus) && room) {
        f = picture_new(s, "witness", "%s that no plane separates %s from %s",
                        picture_count(rows, (int64_t)s->part.witnesses, "row shows", "rows show"),
                        s->part.positive, witness_class(s->part.negative));
        const char *negative = witness_class(s->part.negative);
        if (offset)
            figure_about(
                f,
                "The rows of the certificate are ringed: %zu of %s and %zu of %s. Weighted "
                "as written beside them, both sides have the same mean, marked by a disc%s: "
                "a plane with each class on its own side would have it on both.",
                plus.n, s->part.positive, minus.n, negative,
                s->data_info.features > 2 ? ", in all features and so in this plane" : "");
        else
            figure_about(
                f,
                "The rows of the certificate are ringed: %zu of %s and %zu of %s. Weighted "
                "as written beside them, both sides have the same sum: no plane through the "
                "origin has each class on its own side.",
                plus.n, s->part.positive, minus.n, negative);
        picture_axes(f, s);
        picture_points(f, s, NULL, s->x, s->y);
        draw_side(f, s, &plus, s->part.positive, mean);
        draw_side(f, s, &minus, s->part.negative, other);
        if (offset)
            figure_points(f, "the mean of both", FIGURE_ALERT, &mean[0], &mean[1], 1, &size, NULL,
                          NULL);
    }
    picture_places_free(&plus);
    picture_places_free(&minus);
    return f;
}
