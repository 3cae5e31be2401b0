/* figure_parts.h -- what the drawing code knows about a figure: the layers as they were given, and
 * the scales that show all of them. For figure*.c alone. */
#ifndef PERC_SHOW_FIGURE_PARTS_H
#define PERC_SHOW_FIGURE_PARTS_H

#include "base/base.h"
#include "show/figure.h"
#include "show/ticks.h"

enum layer_kind {
    LAYER_CURVE,
    LAYER_POINTS,
    LAYER_RINGS,
    LAYER_AREA,
    LAYER_LINE,
    LAYER_REGIONS,
    LAYER_HISTOGRAM,
    LAYER_BARS,
    LAYER_CELLS,
    LAYER_WORD
};

struct figure_layer {
    enum layer_kind kind;
    char *name; /* for the legend; NULL: none. LAYER_WORD: the word */
    int colour;
    enum figure_look look;
    size_t n;
    double *x, *y;       /* n each; LAYER_HISTOGRAM: x has n + 1. NULL: none */
    double *size;        /* n, LAYER_POINTS and LAYER_RINGS, or NULL */
    int mark;            /* LAYER_RINGS: the class whose mark is outlined; -1: a ring */
    double broad;        /* LAYER_CURVE: times as broad as others; 0: as others */
    bool arrow;          /* LAYER_CURVE: with a head at its end */
    bool unlined;        /* LAYER_AREA: without an outline */
    char **text, **hint; /* n each, or NULL; NULL elements: none. LAYER_CURVE: hint[0] of all */
    int *class;          /* LAYER_REGIONS: columns * rows; LAYER_BARS: n colours */
    size_t columns, rows;
    double box[4];   /* LAYER_REGIONS; LAYER_LINE: w1, w2, b */
    uint64_t *count; /* LAYER_CELLS: n * n */
    char *rows_are, *columns_are;
};

struct axis {
    char *name;
    double from, to; /* NaN: as the layers need */
    bool log, whole;
};

struct figure {
    struct env e;
    char *id, *title, *about;
    struct axis axis[2];
    bool square, bare, oom;
    struct space *space; /* figure_space.c; NULL: a flat figure */
    struct figure_layer *layer;
    size_t layers, cap;
};

/* Points in space (figure_space.c): what a figure owns of them, and a flat figure of them for
 * characters, seen along the plane; without one, the first axis and the last. */
void figure_space_free(struct figure *f);
struct figure *figure_space_flat(const struct figure *f);

/* The scale of an axis: as asked for, otherwise wide enough for all layers. */
struct scale figure_scale(const struct figure *f, enum figure_axis a);
/* The layer of bars or cells that makes up the whole figure; NULL: a figure with two axes. */
const struct figure_layer *figure_table(const struct figure *f);
/* Makes a unit of x as long as one of y in a picture of these proportions, by showing more along
 * one of the axes. */
void figure_even(struct scale *x, struct scale *y, double wide, double high);
/* Whether this layer has an entry of its own in the legend: it has a name, and no earlier layer has
 * the same name, kind and colour. */
bool figure_in_legend(const struct figure *f, size_t layer);

/* The line w1 x + w2 y + b = 0 as up to `max` points in shares of the picture, also for logarithmic
 * scales; returns how many. */
enum { LINE_POINTS = 65 };
size_t figure_line_points(const double w[3], const struct scale *x, const struct scale *y,
                          double u[LINE_POINTS], double v[LINE_POINTS]);
/* Cuts the segment to the unit square; false: they do not meet. */
bool figure_clip(double *u0, double *v0, double *u1, double *v1);

#endif
