/* figure_svg_layers.c -- the layers of a figure with two axes, as SVG.
 *
 * Nothing relies on clipping: curves, areas and lines are cut to the picture before they are
 * written, and points outside are left out, so no number in the file is beyond it. What many
 * points have in common is written once, and points of a curve that make no visible difference
 * are left out. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "show/figure_svg.h"
#include "show/regions.h"
#include "show/svg.h"

/* Beyond MANY points, none has an outline; beyond HINTS hints, none is written. */
enum { MANY = 400, HINTS = 400 };

/* ----- curves ---------------------------------------------------------------------- */

/* A curve that drops points: one that moves the line by less than SLACK is not written. Keeps the
 * cone of directions that pass within SLACK of all points since the last corner (Williams 1978). */
#define SLACK 0.2
struct thin {
    struct svg_pen pen;
    bool begun, waiting;
    double x, y;           /* the last corner */
    double wx, wy;         /* the pending point, the farthest so far */
    double low, high, far; /* the cone, as slopes against the first direction; its length */
    double dx, dy;
};

static void thin_flush(struct thin *t)
{
    if (t->waiting) svg_pen_line(&t->pen, t->wx, t->wy);
    t->x = t->wx;
    t->y = t->wy;
    t->waiting = false;
}

static void thin_move(struct thin *t, double x, double y)
{
    thin_flush(t);
    svg_pen_move(&t->pen, x, y);
    t->x = t->wx = x;
    t->y = t->wy = y;
    t->begun = true;
}

/* Slopes are relative to the first direction (dx, dy), so no angles are needed. */
static void thin_line(struct thin *t, double x, double y)
{
    for (int again = 0; again < 2; again++) {
        const double ax = x - t->x, ay = y - t->y, length = sqrt(ax * ax + ay * ay);

        if (!t->waiting) {
            if (length < SLACK / 2) return;
            t->dx = ax / length;
            t->dy = ay / length;
            t->low = -SLACK / length;
            t->high = SLACK / length;
            t->far = length;
        } else {
            const double along = ax * t->dx + ay * t->dy, across = ay * t->dx - ax * t->dy;
            if (!(along >= t->far) || across < t->low * along || across > t->high * along) {
                thin_flush(t);
                continue;
            }
            t->low = fmax(t->low, (across - SLACK) / along);
            t->high = fmin(t->high, (across + SLACK) / along);
            t->far = along;
        }
        t->wx = x;
        t->wy = y;
        t->waiting = true;
        return;
    }
}

/* Draws a curve in segments, in shares; one that begins where the last ended is joined to it. */
struct curve_pen {
    const struct svg_plan *p;
    struct thin thin;
    bool open;
    double u, v; /* where it is */
};

static void curve_to(struct curve_pen *c, double u, double v)
{
    double u0 = c->u, v0 = c->v, u1 = u, v1 = v;

    c->u = u;
    c->v = v;
    if (!isfinite(u0) || !isfinite(v0) || !isfinite(u) || !isfinite(v)) {
        c->open = false;
        return;
    }
    if (!figure_clip(&u0, &v0, &u1, &v1)) {
        c->open = false;
        return;
    }
    if (!c->open) thin_move(&c->thin, figure_x(c->p, u0), figure_y(c->p, v0));
    thin_line(&c->thin, figure_x(c->p, u1), figure_y(c->p, v1));
    c->open = u1 == u && v1 == v; /* it did not leave the picture */
    if (!c->open) thin_flush(&c->thin);
}

static bool inside(double u, double v)
{
    return u >= -1e-9 && u <= 1 + 1e-9 && v >= -1e-9 && v <= 1 + 1e-9; /* NaN: no */
}

/* The head of an arrow, where the curve ends: not where the picture does. */
static void draw_head(const struct svg_plan *p, const struct figure_layer *l)
{
    const size_t n = l->n;
    const double u0 = n > 1 ? ticks_fraction(&p->x, l->x[n - 2]) : (double)NAN;
    const double v0 = n > 1 ? ticks_fraction(&p->y, l->y[n - 2]) : (double)NAN;
    const double u1 = n > 1 ? ticks_fraction(&p->x, l->x[n - 1]) : (double)NAN;
    const double v1 = n > 1 ? ticks_fraction(&p->y, l->y[n - 1]) : (double)NAN;
    const double x = figure_x(p, u1), y = figure_y(p, v1);
    const double dx = x - figure_x(p, u0), dy = y - figure_y(p, v0), far = sqrt(dx * dx + dy * dy);
    const double size = fmin(8 + 4 * fmax(l->broad, 1), far), wide = 0.4 * size;
    struct svg_pen pen = { .o = p->o, .unit = 100 };

    if (!inside(u1, v1) || !(far > 0)) return;
    figure_path(p->o, l->colour, "f-mark", FIGURE_SOLID);
    svg_pen_move(&pen, x, y);
    svg_pen_line(&pen, x - (size * dx + wide * dy) / far, y - (size * dy - wide * dx) / far);
    svg_pen_line(&pen, x - (size * dx - wide * dy) / far, y - (size * dy + wide * dx) / far);
    svg_pen_close(&pen, x, y);
    out_text(p->o, "\"/>\n");
}

static void draw_curve(const struct svg_plan *p, const struct figure_layer *l)
{
    struct curve_pen c = { .p = p, .thin.pen = { .o = p->o, .unit = 100 }, .u = NAN };

    figure_svg_curve(p->o, l);
    for (size_t i = 0; i < l->n; i++)
        curve_to(&c, ticks_fraction(&p->x, l->x[i]), ticks_fraction(&p->y, l->y[i]));
    thin_flush(&c.thin);
    if (l->hint != NULL && l->hint[0] != NULL) {
        out_text(p->o, "\"><title>");
        svg_escape(p->o, l->hint[0]);
        out_text(p->o, "</title></path>\n");
    } else {
        out_text(p->o, "\"/>\n");
    }
    if (l->arrow) draw_head(p, l);
}

static void draw_line(const struct svg_plan *p, const struct figure_layer *l)
{
    struct curve_pen c = { .p = p, .thin.pen = { .o = p->o, .unit = 100 }, .u = NAN };
    double u[LINE_POINTS], v[LINE_POINTS];
    const size_t n = figure_line_points(l->box, &p->x, &p->y, u, v);

    figure_path(p->o, l->colour, "f-line", l->look);
    for (size_t i = 0; i < n; i++) curve_to(&c, u[i], v[i]);
    thin_flush(&c.thin);
    out_text(p->o, "\"/>\n");
}

/* ----- points ----------------------------------------------------------------------- */

/* The radius of the mark of point i. */
static double mark_radius(const struct svg_plan *p, const struct figure_layer *l, size_t i)
{
    const double r = p->points > 1000 ? 2.3 : p->points > 200 ? 3 : 4;
    const double size = l->size != NULL && isfinite(l->size[i]) ? l->size[i] : 1;

    return r * sqrt(fmin(fmax(size, 0.1), 36));
}

/* One path for all points, except those with a hint. */
static void draw_points(const struct svg_plan *p, const struct figure_layer *l)
{
    struct svg_pen pen = { .o = p->o, .unit = 10 };
    char buf[SVG_CLASS];
    const bool hints = l->hint != NULL && p->hints <= HINTS;
    const bool dots = figure_mark(l->colour) == 0 && l->size == NULL && p->points > MANY && !hints;

    out_fmt(p->o, "<g class=\"%s f-%s\">", figure_colour(l->colour, buf),
            dots               ? "dots"
            : p->points > MANY ? "spot"
                               : "mark");
    if (!hints) out_text(p->o, "<path d=\"");
    for (size_t i = 0; i < l->n; i++) {
        const double u = ticks_fraction(&p->x, l->x[i]), v = ticks_fraction(&p->y, l->y[i]);
        if (!inside(u, v)) continue;
        if (hints) {
            out_text(p->o, "<path d=\"");
            pen = (struct svg_pen){ .o = p->o, .unit = 10 };
        }
        svg_pen_mark(&pen, dots ? SVG_DOT : figure_mark(l->colour), figure_x(p, u), figure_y(p, v),
                     mark_radius(p, l, i));
        if (!hints) continue;
        out_text(p->o, "\"><title>");
        svg_escape(p->o, l->hint[i] != NULL ? l->hint[i] : "");
        out_text(p->o, "</title></path>\n");
    }
    if (!hints && dots) {
        out_text(p->o, "\" stroke-width=\"");
        svg_num(p->o, 2 * mark_radius(p, l, 0));
    }
    out_text(p->o, hints ? "</g>\n" : "\"/></g>\n");
}

static double ring_radius(const struct svg_plan *p)
{
    return p->points > 200 ? 6 : 7.5;
}

/* The text stands beside its point, away from the other points and clear of a ring around it; it
 * switches sides if it would leave the picture. */
static void draw_text(const struct svg_plan *p, const struct figure_layer *l, size_t i,
                      const double middle[2])
{
    const double x = figure_x(p, ticks_fraction(&p->x, l->x[i])),
                 y = figure_y(p, ticks_fraction(&p->y, l->y[i]));
    const double dx = x - middle[0], dy = y - middle[1], far = sqrt(dx * dx + dy * dy);
    const double out = fmax(mark_radius(p, l, i), ring_radius(p)) + 5;
    const double wide = svg_width(l->text[i]) * SVG_LETTER;
    double side = far > 1 ? dx / far : 0.7, up = far > 1 ? -dy / far : 0.7;

    if (fabs(side) < 0.4)
        side = copysign(0.4, side); /* never right above or below, where lines come from */
    if (x + side * out + wide > p->all - 2) side = -fabs(side);
    if (x + side * out - wide < p->left + 2) side = fabs(side);
    const double top = fmin(fmax(y - up * out + 4.5, p->top + 11), figure_y(p, 0) - 3);
    svg_text(p->o, (struct svg_text){ x + side * out, top, "f-word", side < 0 ? 'e' : 's', 0, 40 },
             l->text[i]);
}

static void draw_texts(const struct svg_plan *p, const struct figure_layer *l)
{
    double middle[2];

    if (l->text == NULL) return;
    /* The centre of the layer's points on the picture; for one point, that of the picture. */
    size_t n = 0;
    middle[0] = figure_x(p, 0.5);
    middle[1] = figure_y(p, 0.5);
    for (size_t i = 0; l->n > 1 && i < l->n; i++) {
        const double u = ticks_fraction(&p->x, l->x[i]), v = ticks_fraction(&p->y, l->y[i]);
        if (!inside(u, v)) continue;
        n++;
        middle[0] += (figure_x(p, u) - middle[0]) / (double)n;
        middle[1] += (figure_y(p, v) - middle[1]) / (double)n;
    }
    for (size_t i = 0; i < l->n; i++)
        if (l->text[i] != NULL &&
            inside(ticks_fraction(&p->x, l->x[i]), ticks_fraction(&p->y, l->y[i])))
            draw_text(p, l, i, middle);
}

static void draw_rings(const struct svg_plan *p, const struct figure_layer *l)
{
    struct svg_pen pen = { .o = p->o, .unit = 10 };

    figure_path(p->o, l->colour, "f-ring", FIGURE_SOLID);
    for (size_t i = 0; i < l->n; i++) {
        const double u = ticks_fraction(&p->x, l->x[i]), v = ticks_fraction(&p->y, l->y[i]);
        if (!inside(u, v)) continue;
        if (l->mark < 0) svg_pen_mark(&pen, 0, figure_x(p, u), figure_y(p, v), ring_radius(p));
        else
            svg_pen_mark(&pen, figure_mark(l->mark), figure_x(p, u), figure_y(p, v),
                         mark_radius(p, l, i));
    }
    out_text(p->o, "\"/>\n");
}

static void draw_word(const struct svg_plan *p, const struct figure_layer *l)
{
    const double u = ticks_fraction(&p->x, l->x[0]), v = ticks_fraction(&p->y, l->y[0]);

    if (!inside(u, v) || l->name == NULL) return;
    const double wide = svg_width(l->name) * SVG_LETTER, x = figure_x(p, u);
    const bool left = x + 6 + wide > p->all - 4;
    svg_text(p->o,
             (struct svg_text){ left ? x - 6 : x + 6, fmax(figure_y(p, v) - 6, p->top + 11),
                                "f-word", left ? 'e' : 's', 0, 60 },
             l->name);
}

/* ----- areas, histograms ------------------------------------------------------------- */

/* Each bar is as high as its count, down to zero or the edge of the picture. */
static void draw_histogram(const struct svg_plan *p, const struct figure_layer *l)
{
    struct svg_pen pen = { .o = p->o, .unit = 100 };
    const double zero = p->y.log ? 0 : fmin(fmax(ticks_fraction(&p->y, 0), 0), 1);

    figure_path(p->o, l->colour, "f-bar", FIGURE_SOLID);
    for (size_t i = 0; i < l->n; i++) {
        double u0 = ticks_fraction(&p->x, l->x[i]), u1 = ticks_fraction(&p->x, l->x[i + 1]);
        double v = ticks_fraction(&p->y, l->y[i]);
        if (!isfinite(u0) || !isfinite(u1) || !isfinite(v)) continue;
        u0 = fmin(fmax(u0, 0), 1);
        u1 = fmin(fmax(u1, 0), 1);
        v = fmin(fmax(v, 0), 1);
        const double gap = fmin(0.6, (u1 - u0) * p->wide / 8);
        if (!(u1 > u0) || v == zero) continue;
        svg_pen_move(&pen, figure_x(p, u0) + gap, figure_y(p, zero));
        svg_pen_line(&pen, figure_x(p, u0) + gap, figure_y(p, v));
        svg_pen_line(&pen, figure_x(p, u1) - gap, figure_y(p, v));
        svg_pen_line(&pen, figure_x(p, u1) - gap, figure_y(p, zero));
        svg_pen_close(&pen, figure_x(p, u0) + gap, figure_y(p, zero));
    }
    out_text(p->o, "\"/>\n");
}

/* A polygon cut by four half planes, one after the other (Sutherland and Hodgman 1974). */
static size_t cut(const double (*from)[2], size_t n, double (*to)[2], int k, double edge, int sign)
{
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        const double *a = from[i], *b = from[(i + 1) % n];
        const double da = sign * (a[k] - edge), db = sign * (b[k] - edge);
        if (da >= 0) memcpy(to[m++], a, sizeof *to);
        if ((da < 0) != (db < 0)) {
            const double t = da / (da - db);
            to[m][k] = edge;
            to[m][1 - k] = a[1 - k] + t * (b[1 - k] - a[1 - k]);
            m++;
        }
    }
    return m;
}

static void draw_area(const struct svg_plan *p, const struct figure_layer *l)
{
    struct svg_pen pen = { .o = p->o, .unit = 100 };
    const size_t room = 2 * l->n + 16;
    double(*a)[2] = mem_array(&p->f->e, room, sizeof *a);
    double(*b)[2] = mem_array(&p->f->e, room, sizeof *b);
    size_t n = 0;

    for (size_t i = 0; a != NULL && b != NULL && i < l->n; i++) {
        a[n][0] = ticks_fraction(&p->x, l->x[i]);
        a[n][1] = ticks_fraction(&p->y, l->y[i]);
        if (isfinite(a[n][0]) && isfinite(a[n][1])) n++;
    }
    if (a == NULL || b == NULL) {
        out_fail_memory(p->o);
    } else {
        n = cut((const double(*)[2])a, n, b, 0, 0, 1);
        n = cut((const double(*)[2])b, n, a, 0, 1, -1);
        n = cut((const double(*)[2])a, n, b, 1, 0, 1);
        n = cut((const double(*)[2])b, n, a, 1, 1, -1);
        figure_path(p->o, l->colour, l->unlined ? "f-tint" : "f-area", FIGURE_SOLID);
        for (size_t i = 0; i < n; i++)
            if (i == 0) svg_pen_move(&pen, figure_x(p, a[0][0]), figure_y(p, a[0][1]));
            else svg_pen_line(&pen, figure_x(p, a[i][0]), figure_y(p, a[i][1]));
        out_text(p->o, n > 0 ? "z\"/>\n" : "\"/>\n");
    }
    mem_free(&p->f->e, a, room, sizeof *a);
    mem_free(&p->f->e, b, room, sizeof *b);
}

/* ----- regions ------------------------------------------------------------------------- */

struct region {
    const struct svg_plan *p;
    const struct figure_layer *l;
    struct svg_pen pen;
    double x, y; /* where the outline began */
};

static void region_corner(void *ud, double x, double y, bool first)
{
    struct region *g = ud;
    const struct figure_layer *l = g->l;
    const double share_x = x / (double)l->columns, share_y = y / (double)l->rows;
    const double u = ticks_fraction(&g->p->x, l->box[0] * (1 - share_x) + l->box[2] * share_x);
    const double v = ticks_fraction(&g->p->y, l->box[1] * (1 - share_y) + l->box[3] * share_y);
    const double X = figure_x(g->p, fmin(fmax(u, 0), 1)), Y = figure_y(g->p, fmin(fmax(v, 0), 1));

    if (!first) {
        svg_pen_line(&g->pen, X, Y);
        return;
    }
    if (g->pen.down) svg_pen_close(&g->pen, g->x, g->y);
    svg_pen_move(&g->pen, g->x = X, g->y = Y);
}

static void draw_regions(const struct svg_plan *p, const struct figure_layer *l)
{
    int next = -1; /* the classes that occur, from the smallest */

    for (;;) {
        int least = INT_MAX;
        for (size_t i = 0; i < l->columns * l->rows; i++)
            if (l->class[i] > next && l->class[i] < least) least = l->class[i];
        if (least == INT_MAX) return;
        next = least;
        struct region g = { .p = p, .l = l, .pen = { .o = p->o, .unit = 10 } };
        figure_path(p->o, next, "f-tint", FIGURE_SOLID);
        if (!regions_trace(&p->f->e, l->class, l->columns, l->rows, next, region_corner, &g))
            out_fail_memory(p->o);
        out_text(p->o, g.pen.down ? "z\"/>\n" : "\"/>\n");
    }
}

/* ----- all of it ----------------------------------------------------------------------- */

void figure_layer(const struct svg_plan *p, const struct figure_layer *l)
{
    switch (l->kind) {
    case LAYER_CURVE: draw_curve(p, l); break;
    case LAYER_POINTS: draw_points(p, l); break;
    case LAYER_RINGS: draw_rings(p, l); break;
    case LAYER_AREA: draw_area(p, l); break;
    case LAYER_LINE: draw_line(p, l); break;
    case LAYER_REGIONS: draw_regions(p, l); break;
    case LAYER_HISTOGRAM: draw_histogram(p, l); break;
    default: break;
    }
}

void figure_layer_texts(const struct svg_plan *p, const struct figure_layer *l)
{
    if (l->kind == LAYER_WORD) draw_word(p, l);
    if (l->kind == LAYER_POINTS || l->kind == LAYER_RINGS) draw_texts(p, l);
}
