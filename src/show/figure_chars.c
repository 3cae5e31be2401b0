/* figure_chars.c -- a figure as characters on a terminal.
 *
 * The picture is an array of characters, row 0 at the top; later layers cover earlier ones.
 * Classes have marks of their own, o + x * and so on, in colours too where they are wanted. A
 * line across the picture is drawn with - / | \ as it is steep; what a class covers is filled
 * with a small sign. Plain ASCII, except for the texts it is given: it survives every
 * terminal, pager and mail. */
#include <math.h>
#include <string.h>

#include "show/chars.h"
#include "show/figure_parts.h"
#include "show/svg.h"
#include "show/word.h"

enum { NARROW = 40, WIDEST = 200, LABEL = 20 };

struct glyph {
    uint32_t code;
    int colour;
};

struct canvas {
    const struct figure *f;
    struct out *o;
    struct scale x, y;
    struct ticks tx, ty;
    int columns;          /* in all */
    int left, wide, high; /* width of the labels on the left; size of the picture */
    bool colour;
    struct glyph *cell; /* wide * high */
};

enum { PLAIN = -9 }; /* no colour */

static void put_cell(struct canvas *c, int column, int row, uint32_t code, int colour)
{
    if (column < 0 || row < 0 || column >= c->wide || row >= c->high) return;
    c->cell[row * c->wide + column] = (struct glyph){ code, colour };
}

/* A share as a column or a row; the far end belongs to the last one. */
static int cell_of(double share, int n)
{
    if (!(share >= -1e-9 && share <= 1 + 1e-9)) return -1; /* NaN too */
    const int at = (int)(share * n);
    return at < n ? at : n - 1;
}

static int canvas_row(const struct canvas *c, double v)
{
    const int up = cell_of(v, c->high);

    return up < 0 ? -1 : c->high - 1 - up;
}

/* ----- layers ----------------------------------------------------------------- */

/* Cells from one place to another, one per column or one per row. */
static void stroke(struct canvas *c, double u0, double v0, double u1, double v1, const char *marks,
                   int colour, enum figure_look look)
{
    if (!figure_clip(&u0, &v0, &u1, &v1)) return;
    const double dx = (u1 - u0) * c->wide, dy = (v1 - v0) * c->high;
    const int steps = (int)ceil(1.01 * fmax(fabs(dx), fabs(dy))); /* so that no cell is skipped */
    const bool flat = fabs(dx) > 2.5 * fabs(dy), steep = fabs(dy) > 1.5 * fabs(dx);
    const char mark = marks[flat ? 0 : steep ? 1 : (dx > 0) == (dy > 0) ? 2 : 3];

    for (int i = 0; i <= steps; i++) {
        const double t = steps > 0 ? (double)i / steps : 0;
        const int column = cell_of(u0 + t * (u1 - u0), c->wide);
        const int row = canvas_row(c, v0 + t * (v1 - v0));
        const int every = (flat ? column : row) % 3;
        if ((look == FIGURE_DASHED && every == 2) || (look == FIGURE_DOTTED && every != 0))
            continue;
        put_cell(c, column, row, (uint32_t)mark, colour);
    }
}

/* The head of an arrow at (u, v), by where it points. */
static void put_head(struct canvas *c, int colour, double du, double dv, double u, double v)
{
    const int column = cell_of(u, c->wide), row = canvas_row(c, v);
    const bool flat = fabs(du) * c->wide > 2 * fabs(dv) * c->high;

    if (column >= 0 && row >= 0)
        put_cell(c, column, row, flat ? (du > 0 ? '>' : '<') : (dv > 0 ? '^' : 'v'), colour);
}

static void put_curve(struct canvas *c, const struct figure_layer *l)
{
    const char mark = chars_mark(l->colour), marks[4] = { mark, mark, mark, mark };
    double u0 = NAN, v0 = NAN;

    for (size_t i = 0; i < l->n; i++) {
        const double u = ticks_fraction(&c->x, l->x[i]), v = ticks_fraction(&c->y, l->y[i]);
        if (isfinite(u0) && isfinite(v0) && isfinite(u) && isfinite(v))
            stroke(c, u0, v0, u, v, marks, l->colour, l->look);
        else if (isfinite(u) && isfinite(v)) stroke(c, u, v, u, v, marks, l->colour, FIGURE_SOLID);
        if (l->arrow && i + 1 == l->n && i > 0) put_head(c, l->colour, u - u0, v - v0, u, v);
        u0 = u;
        v0 = v;
    }
}

static void put_line(struct canvas *c, const struct figure_layer *l)
{
    double u[LINE_POINTS], v[LINE_POINTS];
    const size_t n = figure_line_points(l->box, &c->x, &c->y, u, v);
    const char own = chars_mark(l->colour), each[4] = { own, own, own, own };
    const char *marks = l->colour >= 0 ? each : "-|/\\"; /* several are told apart by marks */

    for (size_t i = 1; i < n; i++)
        if (isfinite(u[i - 1] + v[i - 1] + u[i] + v[i]))
            stroke(c, u[i - 1], v[i - 1], u[i], v[i], marks, l->colour, l->look);
}

static void put_area(struct canvas *c, const struct figure_layer *l)
{
    for (size_t i = 0; i < l->n && !l->unlined; i++) {
        const size_t j = (i + 1) % l->n;
        const double u0 = ticks_fraction(&c->x, l->x[i]), v0 = ticks_fraction(&c->y, l->y[i]);
        const double u1 = ticks_fraction(&c->x, l->x[j]), v1 = ticks_fraction(&c->y, l->y[j]);
        if (isfinite(u0 + v0 + u1 + v1)) stroke(c, u0, v0, u1, v1, "-|/\\", l->colour, l->look);
    }
}

/* Points as marks; rings as brackets around what is there. */
static void put_points(struct canvas *c, const struct figure_layer *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const int column = cell_of(ticks_fraction(&c->x, l->x[i]), c->wide);
        const int row = canvas_row(c, ticks_fraction(&c->y, l->y[i]));
        if (column < 0 || row < 0) continue;
        if (l->kind == LAYER_POINTS) {
            put_cell(c, column, row, (uint32_t)chars_mark(l->colour), l->colour);
        } else {
            put_cell(c, column - 1, row, '(', l->colour);
            put_cell(c, column + 1, row, ')', l->colour);
        }
    }
}

static void put_regions(struct canvas *c, const struct figure_layer *l)
{
    for (int row = 0; row < c->high; row++)
        for (int column = 0; column < c->wide; column++) {
            const double x = ticks_value(&c->x, (column + 0.5) / c->wide);
            const double y = ticks_value(&c->y, (c->high - 1 - row + 0.5) / c->high);
            const struct scale sx = { l->box[0], l->box[2], false, false };
            const struct scale sy = { l->box[1], l->box[3], false, false };
            const int i = cell_of(ticks_fraction(&sx, x), (int)l->columns);
            const int j = cell_of(ticks_fraction(&sy, y), (int)l->rows);
            if (i < 0 || j < 0) continue;
            const int class = l->class[(size_t)j * l->columns + (size_t)i];
            if (class >= 0 && (column + row) % 2 == 0) /* so that points stand out */
                put_cell(c, column, row, (uint32_t)chars_fill(class), class);
        }
}

/* Each column shows the highest of its bars; a small one as '_'. */
static void put_histogram(struct canvas *c, const struct figure_layer *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const double u0 = fmax(ticks_fraction(&c->x, l->x[i]), 0);
        const double u1 = fmin(ticks_fraction(&c->x, l->x[i + 1]), 1);
        const double v = ticks_fraction(&c->y, l->y[i]);
        if (!(u0 < u1) || !isfinite(v) || !(l->y[i] > 0)) continue;
        const int from = cell_of(u0 + 0.25 / c->wide, c->wide);
        int to = cell_of(u1 - 0.25 / c->wide, c->wide);
        const int high = (int)(fmin(v, 1) * c->high + 0.5);
        if (to < from) to = from;
        for (int column = from; column <= to; column++) {
            for (int k = 0; k < high; k++)
                put_cell(c, column, c->high - 1 - k, (uint32_t)chars_mark(l->colour), l->colour);
            if (high <= 0) put_cell(c, column, c->high - 1, '_', l->colour);
        }
    }
}

/* Right of its place, or left of it where that is wanted or the other does not fit. */
static void put_word(struct canvas *c, const char *text, double x, double y, bool left)
{
    const int row = canvas_row(c, ticks_fraction(&c->y, y)), n = (int)chars_width(text);
    int column = cell_of(ticks_fraction(&c->x, x), c->wide);

    if (column < 0 || row < 0) return;
    left = left ? column > n : column + 2 + n > c->wide;
    column = left ? column - 1 - n : column + 2;
    if (column < 0) column = 0;
    for (uint32_t code; (code = svg_char(&text)) != 0; column++)
        put_cell(c, column, row, chars_columns(code) == 1 && code != 0xfffd ? code : '?', PLAIN);
}

static void put_layer(struct canvas *c, const struct figure_layer *l)
{
    switch (l->kind) {
    case LAYER_CURVE: put_curve(c, l); break;
    case LAYER_POINTS:
    case LAYER_RINGS: put_points(c, l); break;
    case LAYER_AREA: put_area(c, l); break;
    case LAYER_LINE: put_line(c, l); break;
    case LAYER_REGIONS: put_regions(c, l); break;
    case LAYER_HISTOGRAM: put_histogram(c, l); break;
    default: break;
    }
}

static void put_texts(struct canvas *c, const struct figure_layer *l)
{
    const bool places = l->kind == LAYER_POINTS || l->kind == LAYER_RINGS;

    for (size_t i = 0; places && l->text != NULL && i < l->n; i++)
        if (l->text[i] != NULL) /* a point by itself: away from the middle */
            put_word(c, l->text[i], l->x[i], l->y[i],
                     l->n == 1 && l->kind == LAYER_POINTS && ticks_fraction(&c->x, l->x[i]) < 0.5);
    if (l->kind == LAYER_WORD && l->name != NULL) put_word(c, l->name, l->x[0], l->y[0], false);
}

/* ----- the frame ---------------------------------------------------------------- */

/* The axis below with its ticks, and their labels where there is room. */
static void print_below(const struct canvas *c)
{
    char rule[WIDEST + 1], labels[WIDEST + 1], buf[TICK_TEXT];
    int used = -1;

    memset(rule, '-', (size_t)c->wide);
    memset(labels, ' ', (size_t)(c->left + 2 + c->wide));
    for (size_t i = 0; i < c->tx.n; i++) {
        const int column = cell_of(ticks_fraction(&c->x, c->tx.at[i].value), c->wide);
        if (column < 0) continue;
        rule[column] = '+';
        const char *text = ticks_text(buf, &c->tx, i, false);
        const int n = (int)strlen(text), most = c->left + 2 + c->wide - n;
        int at = c->left + 2 + column - n / 2;
        at = at > most ? most : at;
        if (at <= used) continue;
        memcpy(labels + at, text, (size_t)n);
        used = at + n;
    }
    out_fmt(c->o, "%*s +%.*s\n", c->left, "", c->wide, rule);
    out_fmt(c->o, "%.*s\n", used > 0 ? used : 0, labels);
    const char *name = c->f->axis[FIGURE_X].name;
    if (name == NULL) return;
    const int width = (int)chars_width(name), blank = c->left + 2 + (c->wide - width) / 2;
    out_fmt(c->o, "%*s", width < c->wide ? blank : c->left + 2, "");
    chars_text(c->o, name, (size_t)c->wide);
    out_text(c->o, "\n");
}

/* ----- all of it ----------------------------------------------------------------- */

static int widest_tick(const struct ticks *t)
{
    char buf[TICK_TEXT];
    size_t most = 1;

    for (size_t i = 0; i < t->n; i++) {
        const size_t n = strlen(ticks_text(buf, t, i, false));
        if (n > most) most = n;
    }
    return most < LABEL ? (int)most : LABEL;
}

static void draw_canvas(struct canvas *c)
{
    for (int i = 0; i < c->wide * c->high; i++) c->cell[i] = (struct glyph){ ' ', PLAIN };
    for (size_t i = 0; i < c->f->layers; i++) put_layer(c, &c->f->layer[i]);
    for (size_t i = 0; i < c->f->layers; i++) put_texts(c, &c->f->layer[i]);
    if (c->f->axis[FIGURE_Y].name != NULL && !c->f->bare) {
        chars_text(c->o, c->f->axis[FIGURE_Y].name, (size_t)c->columns);
        out_text(c->o, "\n");
    }
    /* A tick's label stands in the row of its value. */
    char buf[TICK_TEXT];
    for (int row = 0; row < c->high; row++) {
        const char *label = "";
        for (size_t i = 0; i < c->ty.n; i++)
            if (canvas_row(c, ticks_fraction(&c->y, c->ty.at[i].value)) == row)
                label = ticks_text(buf, &c->ty, i, false);
        if (!c->f->bare) out_fmt(c->o, "%*s %c", c->left, label, label[0] != '\0' ? '+' : '|');
        int last = c->wide;
        while (last > 0 && c->cell[row * c->wide + last - 1].code == ' ') last--;
        for (int i = 0; i < last; i++) {
            const struct glyph *k = &c->cell[row * c->wide + i];
            chars_put(c->o, k->code, c->colour && k->colour != PLAIN ? chars_ansi(k->colour) : 0);
        }
        out_text(c->o, "\n");
    }
    if (!c->f->bare) print_below(c);
    const size_t most = (size_t)(c->columns - c->left - 2);
    size_t used = 0;
    for (size_t i = 0; i < c->f->layers; i++) {
        const struct figure_layer *l = &c->f->layer[i];
        if (!figure_in_legend(c->f, i)) continue;
        const size_t name = chars_width(l->name), need = (name < most - 3 ? name : most - 3) + 3;
        const bool fits = used > 0 && used + 3 + need <= most;
        out_fmt(c->o, "%s%*s", used > 0 && !fits ? "\n" : "", fits ? 3 : c->left + 2, "");
        const bool line = (l->kind == LAYER_LINE && l->colour < 0) || l->kind == LAYER_AREA;
        const char mark = line ? '-' : l->kind == LAYER_RINGS ? '(' : chars_mark(l->colour);
        chars_put(c->o, (uint32_t)mark, c->colour ? chars_ansi(l->colour) : 0);
        if (mark == '-' || mark == '(')
            chars_put(c->o, mark == '(' ? ')' : '-', c->colour ? chars_ansi(l->colour) : 0);
        else if (l->kind == LAYER_CURVE || l->kind == LAYER_LINE)
            chars_put(c->o, (uint32_t)mark, c->colour ? chars_ansi(l->colour) : 0);
        out_text(c->o, " ");
        chars_text(c->o, l->name, most - 3);
        used = fits ? used + 3 + need : need;
    }
    if (used > 0) out_text(c->o, "\n");
}

void figure_chars(const struct figure *f, struct out *o, int columns, bool colour)
{
    columns = columns < NARROW ? NARROW : columns > WIDEST ? WIDEST : columns;
    if (!figure_ready(f)) {
        out_fail_memory(o);
        return;
    }
    if (f->space != NULL) {
        struct figure *flat = figure_space_flat(f);
        figure_chars(flat, o, columns, colour);
        figure_free(flat);
        return;
    }
    chars_text(o, f->title, (size_t)columns);
    out_text(o, "\n\n");
    const struct figure_layer *table = figure_table(f);
    if (table != NULL) {
        chars_table(f, o, columns, colour);
        return;
    }
    struct canvas c = { .f = f, .o = o, .columns = columns, .colour = colour };
    /* A character is about twice as high as it is wide. */
    c.x = figure_scale(c.f, FIGURE_X);
    c.y = figure_scale(c.f, FIGURE_Y);
    c.high = c.columns >= 60 ? 20 : 14;
    ticks_make(&c.ty, &c.y, c.high / 4);
    c.left = widest_tick(&c.ty);
    c.wide = c.columns - c.left - 2;
    if (c.f->square && !c.x.log && !c.y.log) {
        const double ratio = (c.y.to / 2 - c.y.from / 2) / (c.x.to / 2 - c.x.from / 2);
        c.high = (int)fmin(fmax(ratio * c.wide / 2, 10), 26);
        const int wide = (int)fmin(2 * c.high / fmax(ratio, 1e-9), c.wide);
        c.wide = wide > 16 ? wide : 16;
        figure_even(&c.x, &c.y, c.wide, 2 * c.high);
        ticks_make(&c.ty, &c.y, c.high / 4);
        c.left = widest_tick(&c.ty);
        if (c.wide > c.columns - c.left - 2) c.wide = c.columns - c.left - 2;
    }
    ticks_make(&c.tx, &c.x, c.wide / 10);
    if (widest_tick(&c.tx) > 7) ticks_make(&c.tx, &c.x, c.wide / 16);
    c.cell = mem_array(&f->e, (size_t)(c.wide * c.high), sizeof *c.cell);
    if (c.cell == NULL) {
        out_fail_memory(o);
        return;
    }
    draw_canvas(&c);
    mem_free(&f->e, c.cell, (size_t)(c.wide * c.high), sizeof *c.cell);
}
