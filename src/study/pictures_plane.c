/* pictures_plane.c -- points in the plane: the boundary of a model, and the rows that show that
 * no plane separates the classes. */
#include "study/pictures_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/prove.h"
#include "show/word.h"

enum { HINTS = 500, HINT = 64, EXACT_DIGITS = 15 };

/* ----- places of rows ----------------------------------------------------------------- */

/* Some rows, where they lie; size and text are of those that want them. */
struct places {
    double *x, *y, *size;
    const char **text;
    char (*words)[HINT];
    uint64_t *row;
    size_t n;
};

static void places_free(struct places *p)
{
    free(p->x);
    free(p->y);
    free(p->size);
    free(p->text);
    free(p->words);
    free(p->row);
}

static bool places_new(struct places *p, size_t room)
{
    *p = (struct places){ 0 };
    p->x = calloc(room + 1, sizeof *p->x);
    p->y = calloc(room + 1, sizeof *p->y);
    p->size = calloc(room + 1, sizeof *p->size);
    p->text = calloc(room + 1, sizeof *p->text);
    p->words = calloc(room + 1, sizeof *p->words);
    p->row = calloc(room + 1, sizeof *p->row);
    return p->x != NULL && p->y != NULL && p->size != NULL && p->text != NULL && p->words != NULL &&
           p->row != NULL;
}

/* Adds a row; what it has to say is for the caller to put into the last of `words`. */
static char *add(struct places *p, uint64_t row, const double at[2], double size)
{
    p->x[p->n] = at[0];
    p->y[p->n] = at[1];
    p->size[p->n] = size;
    p->row[p->n] = row;
    p->text[p->n] = p->words[p->n];
    return p->words[p->n++];
}

/* ----- points by class ------------------------------------------------------------------ */

/* All points of label c (-1: of none), with the line of the file and what the model thinks. */
static void class_points(struct figure *f, const struct study *s, const struct study_run *r, int c,
                         bool faint)
{
    char margin[WORD];
    struct places p;

    if (!places_new(&p, s->points)) {
        figure_fail(f);
    } else {
        for (size_t i = 0; i < s->points; i++) {
            const double at[2] = { s->x[i], s->y[i] };

            if (s->label[i] != c) continue;
            char *hint = add(&p, s->row[i], at, 1);
            if (r != NULL && r->margin != NULL)
                snprintf(hint, HINT, "row %llu, margin %s", (unsigned long long)s->row[i] + 1,
                         word_num(margin, r->margin[s->row[i]]));
            else snprintf(hint, HINT, "row %llu", (unsigned long long)s->row[i] + 1);
        }
        if (p.n > 0)
            figure_points(f, c >= 0 ? perc_dataset_label(s->ds, (size_t)c) : NULL,
                          c < 0 || faint ? FIGURE_FAINT : c, p.x, p.y, p.n, NULL, NULL,
                          s->points <= HINTS ? p.text : NULL);
    }
    places_free(&p);
}

static void all_points(struct figure *f, const struct study *s, const struct study_run *r)
{
    for (int c = -1; c < (int)s->data_info.labels; c++) class_points(f, s, r, c, false);
}

static void plane_axes(struct figure *f, const struct study *s)
{
    figure_axis(f, FIGURE_X, s->axis[0], s->box[0], s->box[2]);
    figure_axis(f, FIGURE_Y, s->axis[1], s->box[1], s->box[3]);
    if (s->plane == STUDY_COMPONENTS) figure_square(f);
}

/* ----- the boundary ------------------------------------------------------------------------ */

/* Support rows of label c, their area by their counters. */
static void class_supports(struct figure *f, const struct study *s, const struct study_run *r,
                           int c, double *x)
{
    const size_t most = r->supports < STUDY_POINTS ? r->supports : STUDY_POINTS;
    const double top = (double)r->support[0].counter;
    struct places p;
    double at[2];

    if (!places_new(&p, most)) {
        figure_fail(f);
    } else {
        for (size_t i = 0; i < most; i++) {
            const perc_support *v = &r->support[i];

            if (v->row < 0 || (uint64_t)v->row >= s->data_info.rows ||
                perc_dataset_row_label(s->ds, (uint64_t)v->row) != c)
                continue;
            study_place(s, (uint64_t)v->row, x, at);
            char *hint = add(&p, (uint64_t)v->row, at,
                             top > 0 ? 1 + 7 * (double)v->counter / top : 1);
            snprintf(hint, HINT, "row %lld, counter %lld", (long long)v->row + 1,
                     (long long)v->counter);
        }
        if (p.n > 0) {
            figure_points(f, NULL, c, p.x, p.y, p.n, p.size, NULL, p.n <= HINTS ? p.text : NULL);
            figure_outlines(f, FIGURE_INK, c, p.x, p.y, p.n, p.size);
        }
    }
    places_free(&p);
}

static void supports(struct figure *f, const struct study *s, const struct study_run *r)
{
    double *x = calloc((size_t)s->data_info.features + 1, sizeof *x);

    if (x == NULL) figure_fail(f);
    for (int c = 0; x != NULL && r->supports > 0 && c < (int)s->data_info.labels; c++)
        class_supports(f, s, r, c, x);
    free(x);
}

/* The hull of some rows, which stand in order around it. */
static void hull(struct figure *f, const struct study *s, const uint64_t *row, size_t n,
                 const char *label)
{
    double *x = calloc((size_t)s->data_info.features + 1, sizeof *x), at[2];
    struct places p;

    if (!places_new(&p, n) || x == NULL) {
        figure_fail(f);
    } else if (n > 0) {
        for (size_t i = 0; i < n; i++) {
            study_place(s, row[i], x, at);
            add(&p, row[i], at, 1);
        }
        figure_area(f, NULL, picture_colour(s, label), p.x, p.y, p.n);
    }
    places_free(&p);
    free(x);
}

/* What hulls show, that a line can or cannot pass between them, is about linear machines. */
static void hulls(struct figure *f, const struct study *s, const struct study_run *r)
{
    if (!s->hulled || s->plane != STUDY_TWO_FEATURES || !r->line) return;
    hull(f, s, s->hulls.positive, s->hulls.positives, s->part.positive);
    hull(f, s, s->hulls.negative, s->hulls.negatives, s->part.negative);
}

static const char *sign(double v)
{
    return v < 0 ? "-" : "+";
}

static void boundary_about(struct figure *f, const struct study *s, const struct study_run *r)
{
    char rows[WORD], drawn[WORD], line[PICTURE_LINE] = "", w[2][WORD], b[WORD];
    char support[PICTURE_TEXT];

    if (r->line && r->plane_w[0] == 0 && r->plane_w[1] == 0)
        snprintf(line, sizeof line, " There is no line: the score is the same everywhere.");
    else if (r->line && s->plane == STUDY_TWO_FEATURES)
        snprintf(line, sizeof line, " The line is %s x %s %s y %s %s = 0.",
                 word_num(w[0], r->plane_w[0]), sign(r->plane_w[1]),
                 word_num(w[1], fabs(r->plane_w[1])), sign(r->plane_b),
                 word_num(b, fabs(r->plane_b)));
    else if (r->supports > 0)
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

struct figure *picture_boundary(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    char errors[WORD], rows[WORD], support[PICTURE_TEXT], more[PICTURE_TEXT] = "";
    struct figure *f;

    if (s->plane == STUDY_NO_PLANE || s->points == 0) return NULL;
    if (r->supports > 0)
        snprintf(more, sizeof more, ", %.80s",
                 picture_count(support, (int64_t)r->supports, "support row", "support rows"));
    f = picture_of(s, k, "boundary", "%s of %s %s on the wrong side%s",
                   word_count(errors, r->metrics.errors), word_count(rows, r->metrics.rows),
                   s->model != NULL ? "rows" : "training rows", more);
    boundary_about(f, s, r);
    plane_axes(f, s);
    if (r->region != NULL) figure_regions(f, r->region, STUDY_CELLS, STUDY_CELLS, s->box);
    hulls(f, s, r);
    all_points(f, s, r);
    supports(f, s, r);
    if (r->line && (r->plane_w[0] != 0 || r->plane_w[1] != 0))
        figure_line(f, NULL, FIGURE_INK, FIGURE_SOLID, r->plane_w[0], r->plane_w[1], r->plane_b);
    return f;
}

/* ----- the witness --------------------------------------------------------------------------- */

/* Rows of the certificate on one side, with their weights. */
struct side {
    struct places at;
    double *weight, sum; /* relative to the longest number of the certificate */
    bool whole;          /* weights and their sum are short whole numbers */
};

/* A whole number of any length, by 10^longest unless all are short. */
static double weight_of(const char *text, size_t longest)
{
    const size_t n = strlen(text);
    char lead[EXACT_DIGITS + 1];

    snprintf(lead, sizeof lead, "%s", text);
    if (longest <= EXACT_DIGITS) return word_value(lead);
    return word_value(lead) *
           pow(10, (double)(n > EXACT_DIGITS ? n - EXACT_DIGITS : 0) - (double)longest);
}

static void side_free(struct side *d)
{
    places_free(&d->at);
    free(d->weight);
}

static bool side_of(const struct study *s, bool positive, struct side *d)
{
    const perc_part *p = &s->part;
    double *x = calloc((size_t)s->data_info.features + 1, sizeof *x), at[2];
    size_t longest = 0;

    *d = (struct side){ .weight = calloc(p->witnesses + 1, sizeof *d->weight) };
    for (size_t i = 0; i < p->witnesses; i++)
        longest = strlen(p->weight[i]) > longest ? strlen(p->weight[i]) : longest;
    d->whole = longest < 7;
    const bool room = places_new(&d->at, p->witnesses) && x != NULL && d->weight != NULL;
    for (size_t i = 0; room && i < p->witnesses; i++) {
        if (proving_positive(s->ds, p, p->witness[i]) != positive) continue;
        d->weight[d->at.n] = weight_of(p->weight[i], longest);
        d->sum += d->weight[d->at.n];
        study_place(s, p->witness[i], x, at);
        add(&d->at, p->witness[i], at, 1);
    }
    free(x);
    return room;
}

/* "1/3" of the mean; without an offset there are sums, and the weight itself. */
static void side_words(struct side *d, bool offset)
{
    for (size_t i = 0; i < d->at.n; i++) {
        const double w = d->weight[i];
        char *text = d->at.words[i];

        if (!offset) {
            snprintf(text, HINT, d->whole ? "%.0f" : "%.3g", w);
        } else if (d->whole) {
            const uint64_t g = word_gcd((uint64_t)w, (uint64_t)d->sum);

            if (w == d->sum) snprintf(text, HINT, "1");
            else
                snprintf(text, HINT, "%llu/%llu", (unsigned long long)w / g,
                         (unsigned long long)d->sum / g);
        } else {
            snprintf(text, HINT, "%.3g", w / d->sum);
        }
    }
}

/* In the plane, in order around their middle, so that a polygon does not cross itself. */
static void side_turn(struct places *p)
{
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
}

/* Its rows ringed, with their weights; a segment or polygon between them; their mean. */
static void side_draw(struct figure *f, const struct study *s, struct side *d, const char *label,
                      bool offset, double mean[2])
{
    const int colour = label != NULL ? picture_colour(s, label) : FIGURE_INK;
    struct places *p = &d->at;

    side_words(d, offset);
    mean[0] = mean[1] = 0;
    for (size_t i = 0; i < p->n && d->sum > 0; i++) {
        mean[0] += d->weight[i] / d->sum * p->x[i];
        mean[1] += d->weight[i] / d->sum * p->y[i];
    }
    figure_points(f, NULL, colour, p->x, p->y, p->n, NULL, p->text, NULL);
    figure_rings(f, NULL, FIGURE_ALERT, p->x, p->y, p->n);
    side_turn(p);
    if (p->n > 2) figure_area(f, NULL, colour, p->x, p->y, p->n);
    else if (p->n == 2) figure_curve(f, NULL, colour, FIGURE_SOLID, p->x, p->y, 2);
}

static void witness_about(struct figure *f, const struct study *s, size_t positives,
                          size_t negatives, bool offset)
{
    const char *negative = s->part.negative != NULL ? s->part.negative : "the rest";

    if (offset)
        figure_about(f,
                     "The rows of the certificate are ringed: %zu of %s and %zu of %s. Weighted "
                     "as written beside them, both sides have the same mean, marked by a disc%s: "
                     "a plane with each class on its own side would have it on both.",
                     positives, s->part.positive, negatives, negative,
                     s->data_info.features > 2 ? ", in all features and so in this plane" : "");
    else
        figure_about(f,
                     "The rows of the certificate are ringed: %zu of %s and %zu of %s. Weighted "
                     "as written beside them, both sides have the same sum: no plane through the "
                     "origin has each class on its own side.",
                     positives, s->part.positive, negatives, negative);
}

struct figure *picture_witness(const struct study *s)
{
    const bool offset = s->runs > 0 && s->run[0].info.has_offset;
    struct side plus, minus;
    char rows[PICTURE_TEXT];
    double mean[2], other[2];
    struct figure *f = figure_lost();

    if (s->proof == NULL || s->part.witnesses == 0 || s->plane == STUDY_NO_PLANE) return NULL;
    const bool room = side_of(s, true, &plus);
    if (side_of(s, false, &minus) && room) {
        f = picture_new(s, "witness", "%s that no plane separates %s from %s",
                        picture_count(rows, (int64_t)s->part.witnesses, "row shows", "rows show"),
                        s->part.positive, s->part.negative != NULL ? s->part.negative : "the rest");
        witness_about(f, s, plus.at.n, minus.at.n, offset);
        plane_axes(f, s);
        all_points(f, s, NULL);
        side_draw(f, s, &plus, s->part.positive, offset, mean);
        side_draw(f, s, &minus, s->part.negative, offset, other);
        if (offset) {
            const double size = 3;

            figure_points(f, "the mean of both", FIGURE_ALERT, &mean[0], &mean[1], 1, &size, NULL,
                          NULL);
        }
    }
    side_free(&plus);
    side_free(&minus);
    return f;
}
