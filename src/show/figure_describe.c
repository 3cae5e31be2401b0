/* figure_describe.c -- a picture, described. See figure.h for the promises.
 *
 * A layer is a copy of what was given; nothing is drawn here. What all ways to draw need is
 * here, too: scales that show every layer, and where a line crosses the picture. */
#include "show/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/figure_parts.h"

enum { ID = 64 };

/* ----- a new one, and its texts ---------------------------------------------- */

/* An id is part of a file's name and of other ids: letters, digits, '-' and '_', a letter
 * first. */
static char *safe_id(const struct env *e, const char *id)
{
    char safe[ID + 2];
    size_t n = 0;
    const bool first = (id[0] >= 'a' && id[0] <= 'z') || (id[0] >= 'A' && id[0] <= 'Z');

    if (!first) safe[n++] = 'f';
    for (; *id != '\0' && n < ID; id++) {
        const bool good = (*id >= 'a' && *id <= 'z') || (*id >= 'A' && *id <= 'Z') ||
                          (*id >= '0' && *id <= '9') || *id == '-' || *id == '_';
        safe[n++] = good ? *id : '-';
    }
    return mem_text(e, safe, n);
}

/* Never written to: functions that change a figure leave one alone that is out of memory. */
static const struct figure lost = { .oom = true };

struct figure *figure_lost(void)
{
    return (struct figure *)(uintptr_t)&lost;
}

void figure_fail(struct figure *f)
{
    if (!f->oom) f->oom = true; /* `lost` is read-only */
}

struct figure *figure_new(const perc_env *env, const char *id, const char *title)
{
    const struct env e = env_resolve(env);
    struct figure *f = mem_zeroed(&e, 1, sizeof *f);

    if (f == NULL) return figure_lost();
    f->e = e;
    for (int a = 0; a < 2; a++) f->axis[a].from = f->axis[a].to = NAN;
    f->id = safe_id(&e, id);
    f->title = mem_text(&e, title, strlen(title));
    f->oom = f->id == NULL || f->title == NULL;
    return f;
}

/* A copy of a text; NULL stays NULL. */
static char *keep_text(struct figure *f, const char *text)
{
    char *copy = text != NULL ? mem_text(&f->e, text, strlen(text)) : NULL;

    if (text != NULL && copy == NULL) f->oom = true;
    return copy;
}

void figure_about(struct figure *f, const char *fmt, ...)
{
    va_list ap;

    if (f->oom) return;
    va_start(ap, fmt);
    const int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    mem_free_text(&f->e, f->about);
    f->about = mem_array(&f->e, (size_t)n + 1, 1);
    if (f->about == NULL) {
        f->oom = true;
        return;
    }
    va_start(ap, fmt);
    vsnprintf(f->about, (size_t)n + 1, fmt, ap);
    va_end(ap);
}

const char *figure_id(const struct figure *f)
{
    return f->id != NULL ? f->id : "figure";
}

const char *figure_title(const struct figure *f)
{
    return f->title != NULL ? f->title : "";
}

const char *figure_about_text(const struct figure *f)
{
    return f->about != NULL ? f->about : "";
}

bool figure_ready(const struct figure *f)
{
    return f != NULL && !f->oom;
}

/* ----- giving it back ---------------------------------------------------------- */

static void free_texts(const struct env *e, char **text, size_t n)
{
    for (size_t i = 0; text != NULL && i < n; i++) mem_free_text(e, text[i]);
    mem_free(e, text, n, sizeof *text);
}

static void free_layer(const struct env *e, struct figure_layer *l)
{
    mem_free_text(e, l->name);
    mem_free(e, l->x, l->n + (l->kind == LAYER_HISTOGRAM && l->n > 0), sizeof *l->x);
    mem_free(e, l->y, l->n, sizeof *l->y);
    mem_free(e, l->size, l->n, sizeof *l->size);
    free_texts(e, l->text, l->n);
    free_texts(e, l->hint, l->n);
    mem_free(e, l->class, l->columns * l->rows, sizeof *l->class);
    mem_free(e, l->count, l->n * l->n, sizeof *l->count);
    mem_free_text(e, l->rows_are);
    mem_free_text(e, l->columns_are);
}

void figure_free(struct figure *f)
{
    if (f == NULL || f == &lost) return;
    const struct env e = f->e;

    for (size_t i = 0; i < f->layers; i++) free_layer(&e, &f->layer[i]);
    mem_free(&e, f->layer, f->cap, sizeof *f->layer);
    mem_free_text(&e, f->id);
    mem_free_text(&e, f->title);
    mem_free_text(&e, f->about);
    mem_free_text(&e, f->axis[0].name);
    mem_free_text(&e, f->axis[1].name);
    figure_space_free(f);
    mem_free(&e, f, 1, sizeof *f);
}

/* ----- axes --------------------------------------------------------------------- */

void figure_axis(struct figure *f, enum figure_axis a, const char *name, double from, double to)
{
    if (f->oom) return;
    mem_free_text(&f->e, f->axis[a].name);
    f->axis[a].name = keep_text(f, name);
    f->axis[a].from = from;
    f->axis[a].to = to;
}

void figure_log(struct figure *f, enum figure_axis a)
{
    if (!f->oom) f->axis[a].log = true;
}

void figure_whole(struct figure *f, enum figure_axis a)
{
    if (!f->oom) f->axis[a].whole = true;
}

void figure_square(struct figure *f)
{
    if (!f->oom) f->square = true;
}

void figure_bare(struct figure *f)
{
    if (!f->oom) f->bare = true;
}

/* ----- layers ------------------------------------------------------------------- */

/* A layer at the end of the list, all zeros except for these; NULL: out of memory. */
static struct figure_layer *add_layer(struct figure *f, enum layer_kind kind, const char *name,
                                      int colour, size_t n)
{
    void *p = f->layer;

    if (f->oom) return NULL;
    if (!mem_grow(&f->e, &p, &f->cap, f->layers + 1, sizeof *f->layer)) {
        f->oom = true;
        return NULL;
    }
    f->layer = p;
    struct figure_layer *l = &f->layer[f->layers++];
    *l = (struct figure_layer){ .kind = kind, .colour = colour, .n = n, .mark = -1 };
    l->name = keep_text(f, name);
    return l;
}

static void *copy_array(struct figure *f, const void *from, size_t n, size_t size)
{
    void *to = mem_array(&f->e, n, size);

    if (to == NULL) f->oom = true;
    else if (n > 0) memcpy(to, from, n * size);
    return to;
}

static char **copy_texts(struct figure *f, const char *const *from, size_t n)
{
    char **to = from != NULL ? mem_zeroed(&f->e, n, sizeof *to) : NULL;

    if (from != NULL && to == NULL) f->oom = true;
    for (size_t i = 0; to != NULL && i < n; i++) to[i] = keep_text(f, from[i]);
    return to;
}

/* A layer of n places. */
static struct figure_layer *add_places(struct figure *f, enum layer_kind kind, const char *name,
                                       int colour, const double *x, const double *y, size_t n)
{
    struct figure_layer *l = add_layer(f, kind, name, colour, n);

    if (l == NULL) return NULL;
    l->x = copy_array(f, x, n, sizeof *x);
    l->y = copy_array(f, y, n, sizeof *y);
    return l;
}

void figure_curve(struct figure *f, const char *name, int colour, enum figure_look look,
                  const double *x, const double *y, size_t n)
{
    struct figure_layer *l = add_places(f, LAYER_CURVE, name, colour, x, y, n);

    if (l != NULL) l->look = look;
}

void figure_points(struct figure *f, const char *name, int colour, const double *x, const double *y,
                   size_t n, const double *size, const char *const *text, const char *const *hint)
{
    struct figure_layer *l = add_places(f, LAYER_POINTS, name, colour, x, y, n);

    if (l == NULL) return;
    if (size != NULL) l->size = copy_array(f, size, n, sizeof *size);
    l->text = copy_texts(f, text, n);
    l->hint = copy_texts(f, hint, n);
}

void figure_rings(struct figure *f, const char *name, int colour, const double *x, const double *y,
                  size_t n, const char *const *text)
{
    struct figure_layer *l = add_places(f, LAYER_RINGS, name, colour, x, y, n);

    if (l != NULL) l->text = copy_texts(f, text, n);
}

void figure_outlines(struct figure *f, int colour, int of, const double *x, const double *y,
                     size_t n, const double *size)
{
    struct figure_layer *l = add_places(f, LAYER_RINGS, NULL, colour, x, y, n);

    if (l == NULL) return;
    l->mark = of;
    l->size = copy_array(f, size, n, sizeof *size);
}

/* The layer that was added last; NULL: there is none. */
static struct figure_layer *last_layer(struct figure *f)
{
    return !f->oom && f->layers > 0 ? &f->layer[f->layers - 1] : NULL;
}

void figure_broad(struct figure *f, double times)
{
    struct figure_layer *l = last_layer(f);

    if (l != NULL) l->broad = times;
}

void figure_arrow(struct figure *f)
{
    struct figure_layer *l = last_layer(f);

    if (l != NULL) l->arrow = true;
}

void figure_unlined(struct figure *f)
{
    struct figure_layer *l = last_layer(f);

    if (l != NULL) l->unlined = true;
}

void figure_hint(struct figure *f, const char *text)
{
    struct figure_layer *l = last_layer(f);

    if (l == NULL || l->kind != LAYER_CURVE || l->n == 0 || l->hint != NULL) return;
    if ((l->hint = mem_zeroed(&f->e, l->n, sizeof *l->hint)) == NULL) f->oom = true;
    else l->hint[0] = keep_text(f, text);
}

void figure_area(struct figure *f, const char *name, int colour, const double *x, const double *y,
                 size_t n)
{
    add_places(f, LAYER_AREA, name, colour, x, y, n);
}

void figure_line(struct figure *f, const char *name, int colour, enum figure_look look, double w1,
                 double w2, double b)
{
    struct figure_layer *l = add_layer(f, LAYER_LINE, name, colour, 0);

    if (l == NULL) return;
    l->look = look;
    l->box[0] = w1;
    l->box[1] = w2;
    l->box[2] = b;
}

void figure_regions(struct figure *f, const int *cell, size_t columns, size_t rows,
                    const double box[4])
{
    struct figure_layer *l = add_layer(f, LAYER_REGIONS, NULL, 0, 0);

    if (l == NULL) return;
    l->columns = columns;
    l->rows = rows;
    l->class = copy_array(f, cell, columns * rows, sizeof *cell);
    memcpy(l->box, box, sizeof l->box);
}

void figure_histogram(struct figure *f, const char *name, int colour, const double *edge,
                      const double *count, size_t n)
{
    struct figure_layer *l = add_layer(f, LAYER_HISTOGRAM, name, colour, n);

    if (l == NULL) return;
    l->x = copy_array(f, edge, n > 0 ? n + 1 : 0, sizeof *edge);
    l->y = copy_array(f, count, n, sizeof *count);
}

void figure_bars(struct figure *f, const char *const *label, const double *value, const int *colour,
                 size_t n)
{
    struct figure_layer *l = add_layer(f, LAYER_BARS, NULL, 0, n);

    if (l == NULL) return;
    l->text = copy_texts(f, label, n);
    l->x = copy_array(f, value, n, sizeof *value);
    if (colour != NULL) {
        l->columns = n;
        l->rows = 1;
        l->class = copy_array(f, colour, n, sizeof *colour);
    }
}

void figure_cells(struct figure *f, const char *rows_are, const char *columns_are,
                  const char *const *label, const uint64_t *count, size_t n)
{
    struct figure_layer *l = add_layer(f, LAYER_CELLS, NULL, 0, n);

    if (l == NULL) return;
    l->rows_are = keep_text(f, rows_are);
    l->columns_are = keep_text(f, columns_are);
    l->text = copy_texts(f, label, n);
    l->count = copy_array(f, count, n * n, sizeof *count);
}

void figure_word(struct figure *f, double x, double y, const char *text)
{
    add_places(f, LAYER_WORD, text, FIGURE_INK, &x, &y, 1);
}

/* ----- what the ways to draw share ------------------------------------------------------- */

const struct figure_layer *figure_table(const struct figure *f)
{
    for (size_t i = 0; i < f->layers; i++)
        if (f->layer[i].kind == LAYER_BARS || f->layer[i].kind == LAYER_CELLS) return &f->layer[i];
    return NULL;
}

bool figure_in_legend(const struct figure *f, size_t layer)
{
    const struct figure_layer *l = &f->layer[layer];

    if (l->name == NULL || l->kind == LAYER_WORD) return false;
    for (size_t i = 0; i < layer; i++) {
        const struct figure_layer *k = &f->layer[i];
        if (k->name != NULL && k->kind == l->kind && k->colour == l->colour && k->look == l->look &&
            strcmp(k->name, l->name) == 0)
            return false;
    }
    return true;
}

/* The extent of one layer along an axis. Only places that can be drawn count. */
static void span_layer(struct span *s, const struct figure_layer *l, enum figure_axis a)
{
    const double *v = a == FIGURE_X ? l->x : l->y;

    switch (l->kind) {
    case LAYER_REGIONS:
        ticks_span(s, l->box[a]);
        ticks_span(s, l->box[a + 2]);
        return;
    case LAYER_HISTOGRAM:
        for (size_t i = 0; a == FIGURE_X && l->n > 0 && i <= l->n; i++) ticks_span(s, v[i]);
        for (size_t i = 0; a == FIGURE_Y && i < l->n; i++) ticks_span(s, v[i]);
        if (a == FIGURE_Y) ticks_span(s, 0);
        s->zero |= a == FIGURE_Y;
        return;
    case LAYER_BARS:
        for (size_t i = 0; a == FIGURE_X && i < l->n; i++) ticks_span(s, v[i]);
        ticks_span(s, 0);
        return;
    case LAYER_LINE:
    case LAYER_CELLS: return;
    default:
        for (size_t i = 0; i < l->n; i++)
            if (isfinite(l->x[i]) && isfinite(l->y[i])) ticks_span(s, v[i]);
        s->room |= l->kind == LAYER_POINTS || l->kind == LAYER_RINGS;
        s->zero |= a == FIGURE_Y && (l->kind == LAYER_CURVE);
    }
}

/* Regions cover the whole picture: then there is no margin around the points. */
struct scale figure_scale(const struct figure *f, enum figure_axis a)
{
    struct span s = { .any = false };
    bool covered = false;

    for (size_t i = 0; i < f->layers; i++) {
        span_layer(&s, &f->layer[i], a);
        covered |= f->layer[i].kind == LAYER_REGIONS;
    }
    if (covered) s.room = s.zero = false;
    return ticks_scale(&s, f->axis[a].from, f->axis[a].to, f->axis[a].log, f->axis[a].whole);
}

void figure_even(struct scale *x, struct scale *y, double wide, double high)
{
    const double dx = x->to / 2 - x->from / 2, dy = y->to / 2 - y->from / 2; /* halves */
    const double want_x = dy / high * wide, want_y = dx / wide * high;

    if (x->log || y->log || !(want_x < 1e300) || !(want_y < 1e300)) return;
    if (want_x > dx) {
        x->from -= want_x - dx;
        x->to += want_x - dx;
    } else {
        y->from -= want_y - dy;
        y->to += want_y - dy;
    }
}

/* Liang and Barsky (1984): the part of a segment within 0 <= u, v <= 1. */
bool figure_clip(double *u0, double *v0, double *u1, double *v1)
{
    const double du = *u1 - *u0, dv = *v1 - *v0;
    const double p[4] = { -du, du, -dv, dv }, q[4] = { *u0, 1 - *u0, *v0, 1 - *v0 };
    double from = 0, to = 1;

    for (int k = 0; k < 4; k++) {
        if (p[k] == 0) {
            if (q[k] < 0) return false;
            continue;
        }
        const double t = q[k] / p[k];
        if (p[k] < 0 && t > from) from = t;
        if (p[k] > 0 && t < to) to = t;
    }
    if (!(from <= to)) return false; /* NaN too */
    *u1 = *u0 + to * du;
    *v1 = *v0 + to * dv;
    *u0 += from * du;
    *v0 += from * dv;
    return true;
}

/* In shares u, v of the picture the line is A u + B v + C = 0. Everything is scaled first, so that
 * nothing overflows. */
size_t figure_line_points(const double w[3], const struct scale *x, const struct scale *y,
                          double u[LINE_POINTS], double v[LINE_POINTS])
{
    const double most = fmax(fmax(fabs(w[0]), fabs(w[1])), fabs(w[2]));

    if (!isfinite(w[0]) || !isfinite(w[1]) || !isfinite(w[2]) || (w[0] == 0 && w[1] == 0)) return 0;
    /* On logarithmic scales a line is a curve: y at places of x spread evenly over the picture. */
    if (x->log || y->log) {
        for (size_t i = 0; i < LINE_POINTS; i++) {
            const double share = (double)i / (LINE_POINTS - 1);
            u[i] = w[1] != 0 ? share : ticks_fraction(x, -w[2] / w[0]);
            v[i] = w[1] != 0 ? ticks_fraction(y, -(w[0] * ticks_value(x, share) + w[2]) / w[1])
                             : share;
        }
        return LINE_POINTS;
    }
    const double w1 = w[0] / most, w2 = w[1] / most, b = w[2] / most;
    const double A = w1 * (x->to / 8 - x->from / 8), B = w2 * (y->to / 8 - y->from / 8);
    const double C = w1 * (x->from / 8) + w2 * (y->from / 8) + b / 8;
    const bool flat = fabs(A) <= fabs(B);

    for (int i = 0; i < 2; i++) {
        double at = flat ? -(A * i + C) / B : -(B * i + C) / A;
        if (!(fabs(at) <= SCALE_FAR)) at = at > 0 ? SCALE_FAR : -SCALE_FAR;
        u[i] = flat ? i : at;
        v[i] = flat ? at : i;
    }
    return figure_clip(&u[0], &v[0], &u[1], &v[1]) ? 2 : 0;
}
