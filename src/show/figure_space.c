/* figure_space.c -- points in space and a plane between them, in a box.
 *
 * The box becomes the cube -1 .. 1, which is seen from far away (an orthographic projection): from
 * the azimuth a around the third axis, which points up, and the elevation e above the floor,
 *
 *     right  = (-sin a, cos a, 0)
 *     up     = (-cos a sin e, -sin a sin e, cos e)                                          (1)
 *     toward = ( cos a cos e,  sin a cos e, sin e)      to the one who looks
 *
 * Three faces of the box are behind all points; they have the grid. Points on the far side of the
 * plane are drawn before it, and it shades them. space.mjs has the same drawing for pages in which
 * the box is turned, and reads the numbers from the element's `data-space`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/figure_svg.h"
#include "show/svg.h"
#include "vec/fmath.h"

enum {
    DROPS = 60,
    CORNERS = 12,
    SLICES = 32
}; /* points with a line to the floor, at most; of a cut cube */

struct space {
    char *axis[3];
    size_t n, labels;
    double *at; /* 3 n */
    int *class;
    char **hint, **label;
    bool plane;
    double w[3], b;
};

/* ----- the description ------------------------------------------------------------- */

static char *copy_text(struct figure *f, const char *text)
{
    char *copy = mem_text(&f->e, text, strlen(text));

    if (copy == NULL) figure_fail(f);
    return copy;
}

static char **copy_texts(struct figure *f, const char *const *text, size_t n)
{
    char **copy = mem_zeroed(&f->e, n + 1, sizeof *copy);

    if (copy == NULL) figure_fail(f);
    for (size_t i = 0; copy != NULL && i < n; i++) copy[i] = copy_text(f, text[i]);
    return copy;
}

void figure_space(struct figure *f, const struct figure_space *from)
{
    struct space *s;

    if (!figure_ready(f)) return;
    if ((s = mem_zeroed(&f->e, 1, sizeof *s)) == NULL) {
        figure_fail(f);
        return;
    }
    f->space = s;
    s->n = from->n;
    s->labels = from->labels;
    s->plane = from->plane;
    s->b = from->b;
    s->at = mem_array(&f->e, 3 * s->n + 1, sizeof *s->at);
    s->class = mem_array(&f->e, s->n + 1, sizeof *s->class);
    s->hint = copy_texts(f, from->hint, s->n);
    s->label = copy_texts(f, from->label, s->labels);
    for (size_t k = 0; k < 3; k++) {
        s->axis[k] = copy_text(f, from->axis[k]);
        s->w[k] = from->w[k];
    }
    if (s->at == NULL || s->class == NULL) {
        figure_fail(f);
        return;
    }
    memcpy(s->at, from->at, 3 * s->n * sizeof *s->at);
    memcpy(s->class, from->class, s->n * sizeof *s->class);
}

static void free_texts(const struct env *e, char **text, size_t n)
{
    for (size_t i = 0; text != NULL && i < n; i++) mem_free_text(e, text[i]);
    mem_free(e, text, n + 1, sizeof *text);
}

void figure_space_free(struct figure *f)
{
    struct space *s = f->space;

    if (s == NULL) return;
    for (size_t k = 0; k < 3; k++) mem_free_text(&f->e, s->axis[k]);
    mem_free(&f->e, s->at, 3 * s->n + 1, sizeof *s->at);
    mem_free(&f->e, s->class, s->n + 1, sizeof *s->class);
    free_texts(&f->e, s->hint, s->n);
    free_texts(&f->e, s->label, s->labels);
    mem_free(&f->e, s, 1, sizeof *s);
}

/* ----- where things are -------------------------------------------------------------- */

struct view {
    const struct space *s;
    struct scale scale[3];
    struct ticks ticks[3];
    double a, e; /* azimuth, elevation */
    double right[3], up[3], toward[3];
    double normal[3], b; /* the plane in the cube */
    double unit, x, y;   /* of the cube in the picture; its middle */
};

static double dot(const double *p, const double *q)
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

/* From the units of an axis to the cube. */
static double in_cube(const struct view *v, size_t axis, double value)
{
    return 2 * ticks_fraction(&v->scale[axis], value) - 1;
}

/* false: it has no place there. */
static bool point_in_cube(const struct view *v, size_t i, double p[3])
{
    bool inside = true;

    for (size_t k = 0; k < 3; k++) {
        p[k] = in_cube(v, k, v->s->at[3 * i + k]);
        inside = inside && fabs(p[k]) <= 1; /* NaN: no */
    }
    return inside;
}

static double screen_x(const struct view *v, const double p[3])
{
    return v->x + v->unit * dot(p, v->right);
}

static double screen_y(const struct view *v, const double p[3])
{
    return v->y - v->unit * dot(p, v->up);
}

static void look_from(struct view *v, double a, double e)
{
    const double ca = fm_cos(a), sa = fm_sin(a), ce = fm_cos(e), se = fm_sin(e);
    const double right[3] = { -sa, ca, 0 }, up[3] = { -ca * se, -sa * se, ce };
    const double toward[3] = { ca * ce, sa * ce, se };

    v->a = a;
    v->e = e;
    memcpy(v->right, right, sizeof right);
    memcpy(v->up, up, sizeof up);
    memcpy(v->toward, toward, sizeof toward);
}

/* From a corner of the box, such that the plane is seen at a slant: neither edge-on nor flat. */
static void choose_view(struct view *v)
{
    static const double turn[] = { -1.1, -0.8, -0.5, 0.5, 0.8, 1.1 };
    const double length = sqrt(dot(v->normal, v->normal));
    double best = 0, least = INFINITY;

    for (size_t i = 0; i < 2 * sizeof turn / sizeof *turn; i++) {
        const double a = turn[i / 2] + (i % 2 ? 3.1 : 0);
        look_from(v, a, 0.35);
        const double off = fabs(fabs(dot(v->normal, v->toward)) / length - 0.35);
        if (!(off < least)) continue;
        least = off;
        best = a;
    }
    look_from(v, v->s->plane ? best : turn[0], 0.35);
}

static struct view make_view(const struct space *s, double wide, double top, double high)
{
    struct view v = { .s = s, .x = wide / 2, .y = top + high / 2, .b = s->b };

    v.unit = fmin((wide - 120) / 2 / 1.42, (high - 70) / 2 / 1.42);
    for (size_t k = 0; k < 3; k++) {
        struct span span = { .room = true };
        for (size_t i = 0; i < s->n; i++) ticks_span(&span, s->at[3 * i + k]);
        v.scale[k] = ticks_scale(&span, NAN, NAN, false, false);
        ticks_make(&v.ticks[k], &v.scale[k], 4);
        const double half = (v.scale[k].to - v.scale[k].from) / 2;
        v.normal[k] = s->w[k] * half;
        v.b += s->w[k] * (v.scale[k].from + half);
    }
    choose_view(&v);
    return v;
}

/* ----- the box -------------------------------------------------------------------------- */

static void add_segment(const struct view *v, struct svg_pen *pen, const double p[3],
                        const double q[3])
{
    svg_pen_move(pen, screen_x(v, p), screen_y(v, p));
    svg_pen_line(pen, screen_x(v, q), screen_y(v, q));
}

/* The face of the box that is behind everything along axis k. */
static double far_side(const struct view *v, size_t k)
{
    return v->toward[k] > 0 ? -1 : 1;
}

/* Lines at the ticks of axis k, on the two far faces that have that axis; or the edges there. */
static void add_lines(const struct view *v, struct svg_pen *pen, size_t k, double at)
{
    for (size_t other = 1; other < 3; other++) {
        const size_t j = (k + other) % 3, l = 3 - k - j;
        double p[3], q[3];
        p[k] = q[k] = at;
        p[j] = q[j] = far_side(v, j);
        p[l] = -1;
        q[l] = 1;
        add_segment(v, pen, p, q);
    }
}

static void draw_box(const struct view *v, struct out *o)
{
    struct svg_pen pen = { .o = o, .unit = 100 };

    out_text(o, "<path class=\"f-grid\" d=\"");
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < v->ticks[k].n; i++)
            add_lines(v, &pen, k, in_cube(v, k, v->ticks[k].at[i].value));
    out_text(o, "\"/>\n<path class=\"f-frame\" d=\"");
    pen = (struct svg_pen){ .o = o, .unit = 100 };
    for (size_t k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2) add_lines(v, &pen, k, side);
    out_text(o, "\"/>\n");
}

/* The edge beside which axis k is written, as a point of it: for the first two on the floor, in
 * front; for the third the leftmost. */
static void label_edge(const struct view *v, size_t k, double p[3])
{
    double least = INFINITY;

    p[2] = -1;
    for (size_t j = 0; j < 2; j++) p[j] = 0 - far_side(v, j);
    for (int i = 0; k == 2 && i < 4; i++) {
        const double corner[3] = { i % 2 ? 1 : -1, i / 2 ? 1 : -1, 0 };
        if (screen_x(v, corner) >= least) continue;
        least = screen_x(v, corner);
        memcpy(p, corner, sizeof corner);
    }
    p[k] = 0;
}

static void draw_axis(const struct view *v, struct out *o, size_t k)
{
    double p[3];
    char buf[TICK_TEXT];

    label_edge(v, k, p);
    /* at right angles to the edge, away from the box */
    const double along = sqrt(v->right[k] * v->right[k] + v->up[k] * v->up[k]);
    const double side = v->up[k] * (screen_x(v, p) - v->x) + v->right[k] * (screen_y(v, p) - v->y) <
                                0
                            ? -1
                            : 1;
    const double ux = side * v->up[k] / along, uy = side * v->right[k] / along;
    const char anchor = ux > 0.3 ? 's' : ux < -0.3 ? 'e' : 'm';
    for (size_t i = 0; i < v->ticks[k].n; i++) {
        p[k] = in_cube(v, k, v->ticks[k].at[i].value);
        svg_text(o,
                 (struct svg_text){ screen_x(v, p) + 8 * ux, screen_y(v, p) + 9 * uy + 4.5,
                                    "f-text f-small", anchor, 0, 0 },
                 ticks_text(buf, &v->ticks[k], i, true));
    }
    p[k] = k == 2 ? 1 : 0;
    const double out = k == 2 ? 0 : 34;
    svg_text(o,
             (struct svg_text){ screen_x(v, p) + out * ux,
                                screen_y(v, p) + out * uy - (k == 2 ? 12 : -4.5), "f-name",
                                k == 2 ? 'm' : anchor, 0, 16 },
             v->s->axis[k]);
}

/* ----- the plane -------------------------------------------------------------------------- */

/* Where the plane cuts the edges of the cube, in order around it; returns how many corners. */
static size_t cut_cube(const struct view *v, double at[CORNERS][2])
{
    size_t n = 0;
    double mx = 0, my = 0;

    for (size_t k = 0; k < 3 && v->s->plane; k++)
        for (int i = 0; i < 4; i++) {
            const size_t j = (k + 1) % 3, l = (k + 2) % 3;
            double p[3];
            p[j] = i % 2 ? 1 : -1;
            p[l] = i / 2 ? 1 : -1;
            p[k] = 0 - (v->normal[j] * p[j] + v->normal[l] * p[l] + v->b) / v->normal[k];
            if (!(fabs(p[k]) <= 1)) continue; /* also where the edge is along the plane */
            at[n][0] = screen_x(v, p);
            at[n++][1] = screen_y(v, p);
        }
    for (size_t i = 0; i < n; i++) {
        mx += at[i][0] / (double)n;
        my += at[i][1] / (double)n;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0; j--) {
            const double x = at[j][0], y = at[j][1];
            if (atan2(at[j - 1][1] - my, at[j - 1][0] - mx) <= atan2(y - my, x - mx)) break;
            memcpy(at[j], at[j - 1], sizeof at[j]);
            at[j - 1][0] = x;
            at[j - 1][1] = y;
        }
    return n;
}

static void draw_plane(const struct view *v, struct out *o)
{
    double at[CORNERS][2];
    const size_t n = cut_cube(v, at);
    struct svg_pen pen = { .o = o, .unit = 100 };

    if (n < 3) return;
    out_text(o, "<path class=\"f-ink f-area f-plane\" d=\"");
    svg_pen_move(&pen, at[0][0], at[0][1]);
    for (size_t i = 1; i < n; i++) svg_pen_line(&pen, at[i][0], at[i][1]);
    out_text(o, "z\"/>\n");
}

/* ----- points ------------------------------------------------------------------------------ */

/* Whether the plane is between a point and the one who looks. */
static bool is_behind(const struct view *v, const double p[3])
{
    return v->s->plane && (dot(p, v->normal) + v->b) * dot(v->toward, v->normal) < 0;
}

static void draw_drops(const struct view *v, struct out *o)
{
    struct svg_pen pen = { .o = o, .unit = 100 };

    if (v->s->n > DROPS) return;
    out_text(o, "<path class=\"f-frame f-drop\" d=\"");
    for (size_t i = 0; i < v->s->n; i++) {
        double p[3];
        if (!point_in_cube(v, i, p)) continue;
        const double floor[3] = { p[0], p[1], -1 };
        add_segment(v, &pen, floor, p);
    }
    out_text(o, "\"/>\n");
}

/* Those behind the plane, or those in front of it, in one of the slices from far to near. */
static void draw_slice(const struct view *v, struct out *o, bool behind, int slice)
{
    char buf[SVG_CLASS];

    for (size_t i = 0; i < v->s->n; i++) {
        struct svg_pen pen = { .o = o, .unit = 100 };
        double p[3];
        if (!point_in_cube(v, i, p) || is_behind(v, p) != behind) continue;
        if ((int)fmin(fmax((dot(p, v->toward) / 1.8 + 1) / 2 * SLICES, 0), SLICES - 1) != slice)
            continue;
        /* what is near is a little larger */
        const double r = (v->s->n > 200 ? 3 : 4.5) * (1 + 0.15 * dot(p, v->toward));
        out_fmt(o, "<path class=\"%s f-mark\" data-i=\"%zu\" d=\"",
                figure_colour(v->s->class[i], buf), i);
        svg_pen_mark(&pen, figure_mark(v->s->class[i]), screen_x(v, p), screen_y(v, p), r);
        out_text(o, "\"><title>");
        svg_escape(o, v->s->hint[i]);
        out_text(o, "</title></path>\n");
    }
}

static void draw_points(const struct view *v, struct out *o, bool behind)
{
    for (int slice = 0; slice < SLICES; slice++) draw_slice(v, o, behind, slice);
}

/* ----- the legend, and what a page needs to turn the box ------------------------------------ */

static void draw_legend(const struct view *v, struct out *o, double wide, double y)
{
    double x = 20;
    char buf[SVG_CLASS];

    for (size_t i = 0; i <= v->s->labels; i++) {
        const bool plane = i == v->s->labels;
        const char *name = plane ? "the separating plane" : v->s->label[i];
        const double width = fmin(svg_width(name) * SVG_LETTER * 0.96, 150) + 34;
        struct svg_pen pen = { .o = o, .unit = 100 };
        if ((plane && !v->s->plane) || x + width > wide) continue;
        if (plane) {
            out_text(o, "<path class=\"f-ink f-area\" d=\"");
            svg_pen_move(&pen, x - 6, y - 10);
            svg_pen_line(&pen, x + 8, y - 10);
            svg_pen_line(&pen, x + 6, y + 1);
            svg_pen_line(&pen, x - 8, y + 1);
            out_text(o, "z");
        } else {
            out_fmt(o, "<path class=\"%s f-mark\" d=\"", figure_colour((int)i, buf));
            svg_pen_mark(&pen, figure_mark((int)i), x, y - 4.5, 4.5);
        }
        out_text(o, "\"/>\n");
        svg_text(o, (struct svg_text){ x + 12, y, "f-text", 's', 0, 150 / SVG_LETTER }, name);
        x += width;
    }
}

static void put_axis(const struct view *v, size_t k, struct out *json)
{
    char buf[TICK_TEXT];

    out_begin(json, '{');
    out_key_string(json, "name", v->s->axis[k]);
    out_key_real(json, "from", v->scale[k].from);
    out_key_real(json, "to", v->scale[k].to);
    out_key(json, "ticks");
    out_begin(json, '[');
    for (size_t i = 0; i < v->ticks[k].n; i++) {
        out_begin(json, '[');
        out_real(json, v->ticks[k].at[i].value);
        out_string(json, ticks_text(buf, &v->ticks[k], i, true));
        out_end(json, ']');
    }
    out_end(json, ']');
    out_end(json, '}');
}

static void put_space(const struct view *v, struct out *json)
{
    const struct space *s = v->s;
    const double plane[4] = { s->w[0], s->w[1], s->w[2], s->b };

    out_begin(json, '{');
    out_key_real(json, "a", v->a);
    out_key_real(json, "e", v->e);
    out_key(json, "axes");
    out_begin(json, '[');
    for (size_t k = 0; k < 3; k++) put_axis(v, k, json);
    out_end(json, ']');
    out_key(json, "at");
    out_reals(json, s->at, 3 * s->n, 1);
    out_key(json, "class");
    out_begin(json, '[');
    for (size_t i = 0; i < s->n; i++) out_int(json, s->class[i]);
    out_end(json, ']');
    out_key(json, "plane");
    if (s->plane) out_reals(json, plane, 4, 1);
    else out_null(json);
    out_end(json, '}');
}

static void open_space(const struct view *v, const struct figure *f, struct out *o)
{
    const perc_env env = { f->e.alloc, f->e.ud, f->e.threads };
    struct out *json;

    out_text(o, "<g data-space=\"");
    if (out_open(&env, NULL, &json, NULL)) {
        out_fail_memory(o);
    } else {
        put_space(v, json);
        if (out_broken(json)) out_fail_memory(o);
        svg_escape(o, out_kept(json));
        out_abort(json);
    }
    out_text(o, "\">\n");
}

void figure_space_svg(const struct figure *f, struct out *o, enum figure_place place)
{
    const double wide = figure_wide(place), top = figure_top(f, place), high = 0.76 * wide;
    const struct view v = make_view(f->space, wide, top, high);

    figure_open(f, o, place, wide, top + high + 30);
    open_space(&v, f, o);
    draw_box(&v, o);
    draw_drops(&v, o);
    draw_points(&v, o, true);
    draw_plane(&v, o);
    draw_points(&v, o, false);
    for (size_t k = 0; k < 3; k++) draw_axis(&v, o, k);
    out_text(o, "</g>\n");
    draw_legend(&v, o, wide, top + high + 18);
    out_text(o, "</svg>\n");
}

/* ----- characters --------------------------------------------------------------------------- */

struct figure *figure_space_flat(const struct figure *f)
{
    const struct space *s = f->space;
    const perc_env env = { f->e.alloc, f->e.ud, f->e.threads };
    const double length = sqrt(dot(s->w, s->w));
    double *x = mem_array(&f->e, s->n + 1, sizeof *x), *y = mem_array(&f->e, s->n + 1, sizeof *y);
    struct figure *flat = figure_new(&env, f->id, f->title);
    size_t along = 0;

    for (size_t k = 1; k < 3; k++)
        if (fabs(s->w[k]) < fabs(s->w[along])) along = k;
    if (x == NULL || y == NULL) figure_fail(flat);
    for (size_t c = 0; figure_ready(flat) && c < s->labels; c++) {
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++) {
            const double *p = s->at + 3 * i, far = (dot(p, s->w) + s->b) / length;
            if (s->class[i] != (int)c) continue;
            x[n] = s->plane ? p[along] - far * s->w[along] / length : p[0];
            y[n++] = s->plane ? far : p[2];
        }
        figure_points(flat, s->label[c], (int)c, x, y, n, NULL, NULL, NULL);
    }
    figure_axis(flat, FIGURE_X, s->axis[s->plane ? along : 0], NAN, NAN);
    figure_axis(flat, FIGURE_Y, s->plane ? "distance from the plane" : s->axis[2], NAN, NAN);
    if (s->plane) figure_line(flat, "the separating plane", FIGURE_INK, FIGURE_SOLID, 0, 1, 0);
    mem_free(&f->e, x, s->n + 1, sizeof *x);
    mem_free(&f->e, y, s->n + 1, sizeof *y);
    return flat;
}
