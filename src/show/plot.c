/* plot.c -- points and lines in the plane, as characters on a terminal.
 *
 * The picture is an array of characters, row 0 at the top. A character is about
 * twice as high as wide, which the caller allows for in columns and rows. A
 * point covers what was drawn before it, so lines are drawn first.
 *
 * A line w1 x + w2 y + b = 0 is drawn with one mark in each column where it is
 * flat (in characters) and one in each row where it is steep, so that it has no
 * gaps and is never thicker than one character.
 *
 * Plain ASCII: it survives every terminal, pager and mail. */
#include "show/plot.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

struct plot {
    struct env e;
    int columns, rows;
    double x0, y0, x1, y1;
    char *cell; /* rows x columns, row major, blank at first */
};

struct plot *plot_new(const perc_env *env, int columns, int rows, const double box[4])
{
    const struct env e = env_resolve(env);
    struct plot *p = mem_zeroed(&e, 1, sizeof *p);

    if (p == NULL) return NULL;
    *p = (struct plot){ .e = e,
                        .columns = columns,
                        .rows = rows,
                        .x0 = box[0],
                        .y0 = box[1],
                        .x1 = box[2],
                        .y1 = box[3] };
    p->cell = mem_array(&e, (size_t)columns * (size_t)rows, 1);
    if (p->cell == NULL) {
        plot_free(p);
        return NULL;
    }
    memset(p->cell, ' ', (size_t)columns * (size_t)rows);
    return p;
}

/* A margin of one twentieth on each side, so that no point sits on the frame. */
void plot_box(const double *points, size_t n, double box[4])
{
    for (int k = 0; k < 2; k++) {
        double low = 0, high = 0;

        for (size_t i = 0; i < n; i++) {
            const double v = points[2 * i + (size_t)k];
            low = i == 0 || v < low ? v : low;
            high = i == 0 || v > high ? v : high;
        }
        const double margin = high > low ? (high - low) / 20 : 1;
        box[k] = low - margin;
        box[k + 2] = high + margin;
    }
}

/* Which column (or row) a coordinate falls in; -1 outside. */
static int cell_of(double v, double low, double high, int cells)
{
    const double at = floor((v - low) / (high - low) * cells);

    return at >= 0 && at < cells ? (int)at : -1; /* NaN compares false: outside */
}

void plot_point(struct plot *p, double x, double y, char mark)
{
    if (p == NULL) return;
    const int column = cell_of(x, p->x0, p->x1, p->columns);
    const int up = cell_of(y, p->y0, p->y1, p->rows);

    if (column >= 0 && up >= 0) p->cell[(p->rows - 1 - up) * p->columns + column] = mark;
}

void plot_line(struct plot *p, double w1, double w2, double b, char mark)
{
    if (p == NULL) return;
    const double dx = (p->x1 - p->x0) / p->columns, dy = (p->y1 - p->y0) / p->rows;

    /* In characters the slope is (w1 dx) / (w2 dy): compare without dividing. */
    if (fabs(w1 * dx) <= fabs(w2 * dy)) {
        for (int i = 0; i < p->columns; i++) {
            const double x = p->x0 + (i + 0.5) * dx;
            plot_point(p, x, -(w1 * x + b) / w2, mark);
        }
    } else {
        for (int i = 0; i < p->rows; i++) {
            const double y = p->y0 + (i + 0.5) * dy;
            plot_point(p, -(w2 * y + b) / w1, y, mark);
        }
    }
}

/* Marks for the ANSI colours from 31 on: the classes are red and blue. */
static const char marks[] = "o21+34";

static void print_rule(const struct plot *p, struct out *o, int indent)
{
    out_fmt(o, "%*s+", indent, "");
    for (int i = 0; i < p->columns; i++) out_text(o, "-");
    out_text(o, "+\n");
}

void plot_print(const struct plot *p, struct out *o, int indent, bool colour)
{
    if (p == NULL) {
        out_fail_memory(o);
        return;
    }
    print_rule(p, o, indent);
    for (int row = 0; row < p->rows; row++) {
        out_fmt(o, "%*s|", indent, "");
        /* A colour code around every mark is wasteful and simple. */
        for (int i = 0; i < p->columns; i++) {
            const char mark = p->cell[row * p->columns + i];
            const char *coloured = colour ? strchr(marks, mark) : NULL;
            if (coloured != NULL)
                out_fmt(o, "\033[%dm%c\033[0m", (int)(31 + coloured - marks), mark);
            else out_bytes(o, &mark, 1);
        }
        out_text(o, "|\n");
    }
    print_rule(p, o, indent);
}

void plot_free(struct plot *p)
{
    if (p == NULL) return;
    const struct env e = p->e;
    mem_free(&e, p->cell, (size_t)p->columns * (size_t)p->rows, 1);
    mem_free(&e, p, 1, sizeof *p);
}
