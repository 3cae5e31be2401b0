/* picture_update.c -- one update of a linear machine of two features: in the plane of its weights,
 * where it is an arrow, w + a y x, and in the plane of the data, where the boundary turns. */
#include <math.h>
#include <stdio.h>

#include "show/word.h"
#include "study/picture_parts.h"

struct update {
    const struct study_run *r;
    size_t k; /* from 1 */
    uint64_t row;
    double y, x[2];                /* the example */
    double was[2], was_b, w[2], b; /* before and after */
};

/* The update that was asked for; otherwise the first that has a boundary to turn. */
static size_t which_update(const struct study *s, const struct study_run *r)
{
    size_t k = 1;

    if (s->q->update > 0) return s->q->update;
    while (k < r->steps && r->step[k - 1].w[0] == 0 && r->step[k - 1].w[1] == 0) k++;
    return k < r->steps ? k + 1 : r->steps;
}

/* Steps are noted with the weights as the plane has them: those of the features in the units of
 * the file. */
static bool open_update(struct update *u, const struct study *s, const struct study_run *r)
{
    const size_t k = which_update(s, r);

    if (s->plane != STUDY_TWO_FEATURES || s->learned || k == 0 || k > r->steps ||
        r->info.outputs != 1 || !study_linear(r) || isnan(r->step[k - 1].w[0]) ||
        (k == 1 && !study_is(r, "init", "zero")) || study_decays(r))
        return false;
    const struct study_shot *at = &r->step[k - 1], start = { 0 };
    const struct study_shot *before = k > 1 ? at - 1 : &start;
    const int label = perc_dataset_row_label(s->ds, (uint64_t)at->row);

    *u = (struct update){ .r = r, .k = k, .row = (uint64_t)at->row, .b = at->b };
    u->y = label == study_label(s, r->info.positive) ? 1 : -1;
    study_place(s, u->row, (double[2]){ 0 }, u->x);
    u->was_b = before->b;
    for (int j = 0; j < 2; j++) {
        u->w[j] = at->w[j];
        u->was[j] = before->w[j];
    }
    return true;
}

/* "(1, -2)" */
static const char *pair(char buf[2 * WORD], const double v[2])
{
    char a[WORD], b[WORD];

    snprintf(buf, 2 * WORD, "(%s, %s)", word_num(a, v[0] == 0 ? 0 : v[0]),
             word_num(b, v[1] == 0 ? 0 : v[1]));
    return buf;
}

static void update_about(struct figure *f, const struct study *s, const struct update *u)
{
    const double step[2] = { u->w[0] - u->was[0], u->w[1] - u->was[1] };
    const enum hyperplane_form form = s->q->form;
    char text[3][2 * WORD], number[3][WORD];

    figure_about(f,
                 "Row %llu, label %s, x = %s, has y s = %s. The update adds %s to w, which becomes "
                 "%s; %s goes from %s to %s.",
                 (unsigned long long)u->row + 1,
                 u->y > 0 ? u->r->info.positive : u->r->info.negative, pair(text[0], u->x),
                 word_num(number[0], u->y * u->r->step[u->k - 1].score), pair(text[1], step),
                 pair(text[2], u->w), hyperplane_letter(form),
                 word_num(number[1], hyperplane_constant(form, u->was_b)),
                 word_num(number[2], hyperplane_constant(form, u->b)));
}

static void draw_arrow(struct figure *f, const char *name, int colour, const double from[2],
                       const double to[2])
{
    const double x[2] = { from[0], to[0] }, y[2] = { from[1], to[1] };

    if (x[0] == x[1] && y[0] == y[1]) return; /* w = 0 */
    figure_curve(f, name, colour, FIGURE_SOLID, x, y, 2);
    figure_arrow(f);
    figure_hint(f, name);
}

/* ----- the plane of the weights ----------------------------------------------------------- */

/* All weights so far, from where they start. */
static void draw_path(struct figure *f, const struct update *u, double box[4])
{
    double x[STUDY_STEPS + 1] = { 0 }, y[STUDY_STEPS + 1] = { 0 };
    const bool zero = study_is(u->r, "init", "zero");
    size_t n = zero ? 1 : 0;

    for (size_t i = 0; i < u->k; i++) {
        x[n] = u->r->step[i].w[0];
        y[n++] = u->r->step[i].w[1];
    }
    for (size_t i = 0; i < n; i++) {
        box[0] = fmin(box[0], x[i]);
        box[1] = fmin(box[1], y[i]);
        box[2] = fmax(box[2], x[i]);
        box[3] = fmax(box[3], y[i]);
    }
    if (u->k > 2) figure_curve(f, "the weights so far", FIGURE_FAINT, FIGURE_DOTTED, x, y, n);
}

/* With a rate of 1 the step is y x itself; arow does not go along x. */
static const char *step_name(const struct update *u, const double step[2])
{
    const double cross = step[0] * u->x[1] - step[1] * u->x[0];

    if (step[0] == u->y * u->x[0] && step[1] == u->y * u->x[1]) return "y x";
    return fabs(cross) <= 1e-9 * hypot(step[0], step[1]) * hypot(u->x[0], u->x[1])
               ? "the step along y x"
               : "the step";
}

struct figure *picture_update(const struct study *s, size_t k)
{
    const double zero[2] = { 0, 0 };
    double box[4] = { 0, 0, 0, 0 };
    char text[2 * WORD], name[PICTURE_LINE], axis[PICTURE_TEXT];
    struct update u;

    if (!open_update(&u, s, &s->run[k]) || s->scaling_a != NULL) return NULL;
    const double step[2] = { u.w[0] - u.was[0], u.w[1] - u.was[1] };
    struct figure *f = picture_of(s, k, "update", "Update %zu, on row %llu: w moves by %s", u.k,
                                  (unsigned long long)u.row + 1, pair(text, step));

    update_about(f, s, &u);
    draw_path(f, &u, box);
    snprintf(name, sizeof name, "w before, %s", pair(text, u.was));
    draw_arrow(f, name, FIGURE_FAINT, zero, u.was);
    snprintf(name, sizeof name, "w after, %s", pair(text, u.w));
    draw_arrow(f, name, FIGURE_INK, zero, u.w);
    snprintf(name, sizeof name, "%s, %s", step_name(&u, step), pair(text, step));
    draw_arrow(f, name, FIGURE_ALERT, u.was, u.w);
    const double room = fmax(fmax(box[2] - box[0], box[3] - box[1]) / 12, 1e-300);
    for (int j = 0; j < 2; j++) {
        snprintf(axis, sizeof axis, "weight of %.80s", s->axis[j]);
        figure_axis(f, j == 0 ? FIGURE_X : FIGURE_Y, axis, box[j] - room, box[2 + j] + room);
    }
    figure_square(f);
    return f;
}

/* ----- the plane of the data ---------------------------------------------------------------- */

/* A boundary, and where it points: an arrow along w, from the point nearest to the row. The box
 * grows to show that point, if it is not far away. */
static void draw_boundary(struct figure *f, const struct study *s, const struct update *u,
                          bool after, double box[4])
{
    const double *w = after ? u->w : u->was, b = after ? u->b : u->was_b;
    const double norm = sqrt(w[0] * w[0] + w[1] * w[1]);
    const double far = (w[0] * u->x[0] + w[1] * u->x[1] + b) / norm;
    const double size = fmin(s->box[2] - s->box[0], s->box[3] - s->box[1]) / 6;
    const double from[2] = { u->x[0] - far * w[0] / norm, u->x[1] - far * w[1] / norm };
    const double to[2] = { from[0] + size * w[0] / norm, from[1] + size * w[1] / norm };

    if (!(norm > 0)) return; /* every score is b: there is none */
    figure_line(f, after ? "boundary after" : "boundary before", after ? FIGURE_INK : FIGURE_FAINT,
                after ? FIGURE_SOLID : FIGURE_DASHED, w[0], w[1], b);
    draw_arrow(f, NULL, after ? FIGURE_INK : FIGURE_FAINT, from, to);
    for (int j = 0; j < 2; j++) {
        const double wide = s->box[2 + j] - s->box[j], room = wide / 20;

        if (from[j] < box[j] && from[j] > s->box[j] - 3 * wide) box[j] = from[j] - room;
        if (from[j] > box[2 + j] && from[j] < s->box[2 + j] + 3 * wide) box[2 + j] = from[j] + room;
    }
}

struct figure *picture_turn(const struct study *s, size_t k)
{
    double box[4] = { s->box[0], s->box[1], s->box[2], s->box[3] };
    char margin[2][WORD], text[PICTURE_TEXT];
    const char *word = text;
    struct update u;

    if (!open_update(&u, s, &s->run[k])) return NULL;
    const double now = u.y * (u.w[0] * u.x[0] + u.w[1] * u.x[1] + u.b);
    struct figure *f = picture_of(s, k, "turn",
                                  "Update %zu turns the boundary: y s of row %llu "
                                  "goes from %s to %s",
                                  u.k, (unsigned long long)u.row + 1,
                                  word_num(margin[0], u.y * u.r->step[u.k - 1].score),
                                  word_num(margin[1], now));

    update_about(f, s, &u);
    picture_points(f, s, NULL, s->x, s->y);
    draw_boundary(f, s, &u, false, box);
    draw_boundary(f, s, &u, true, box);
    snprintf(text, sizeof text, "row %llu", (unsigned long long)u.row + 1);
    figure_rings(f, "the example", FIGURE_ALERT, &u.x[0], &u.x[1], 1, &word);
    figure_axis(f, FIGURE_X, s->axis[0], box[0], box[2]);
    figure_axis(f, FIGURE_Y, s->axis[1], box[1], box[3]);
    const double wide = box[2] - box[0], high = box[3] - box[1];
    if (wide < 6 * high && high < 6 * wide) figure_square(f);
    return f;
}
