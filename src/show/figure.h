/* figure.h -- a picture, described: what is to be seen, not how it is drawn.
 *
 * A figure has two axes, or a table of cells, and layers that are drawn in the order in
 * which they were added. One description serves three ways to draw it: an SVG file of its own, SVG
 * inside a page, and characters on a terminal. Texts are any bytes and are escaped where
 * they are written. All arrays are copied. A figure that ran out of memory remembers it:
 * the functions accept it and do nothing, and printing it makes the `out` fail. So no
 * picture goes missing for want of memory: NULL means that there is nothing to show. */
#ifndef PERC_SHOW_FIGURE_H
#define PERC_SHOW_FIGURE_H

#include "show/out.h"

struct figure;

/* `id`: a word such as "boundary", the id of the element and part of a file's name. `title` stands
 * above the picture; `about`, one or two sentences, is the text for those who cannot see it. */
struct figure *figure_new(const perc_env *env, const char *id, const char *title);
/* A figure that ran out of memory; figure_new gives it rather than NULL. */
struct figure *figure_lost(void);
void figure_fail(struct figure *f);        /* its maker ran out of memory */
bool figure_ready(const struct figure *f); /* every text and array is there */
void figure_about(struct figure *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void figure_free(struct figure *f);
const char *figure_id(const struct figure *f);
const char *figure_title(const struct figure *f);
const char *figure_about_text(const struct figure *f);

/* ----- axes ----------------------------------------------------------------- */

enum figure_axis { FIGURE_X, FIGURE_Y };
/* The name, and the smallest and largest value to show; NaN: as the layers need. */
void figure_axis(struct figure *f, enum figure_axis a, const char *name, double from, double to);
void figure_log(struct figure *f, enum figure_axis a);   /* a logarithmic scale */
void figure_whole(struct figure *f, enum figure_axis a); /* ticks at whole numbers only */
void figure_square(struct figure *f);                    /* a unit of x is as long as one of y  */
void figure_bare(struct figure *f);                      /* a diagram: the axes are not drawn */

/* ----- layers --------------------------------------------------------------- */

/* How a layer looks. Colours from 0 on are those of classes (chosen to be told apart by the
 * colour-blind; each also has a mark of its own: disc, square, triangle, diamond, ...). */
enum { FIGURE_INK = -1, FIGURE_FAINT = -2, FIGURE_ALERT = -3 };
enum figure_look { FIGURE_SOLID, FIGURE_DASHED, FIGURE_DOTTED };

/* A curve through n points; NaN breaks it. `name` (NULL: none) goes to the legend. */
void figure_curve(struct figure *f, const char *name, int colour, enum figure_look look,
                  const double *x, const double *y, size_t n);
/* Points of class `colour`; size[i] (NULL: 1 each) multiplies the area; text[i] (NULL: none) stands
 * beside the point, `hint[i]` (NULL: none) shows when it is pointed at. */
void figure_points(struct figure *f, const char *name, int colour, const double *x, const double *y,
                   size_t n, const double *size, const char *const *text, const char *const *hint);
/* Rings around points; not in the legend if name is NULL. text: as for points, or NULL. */
void figure_rings(struct figure *f, const char *name, int colour, const double *x, const double *y,
                  size_t n, const char *const *text);
/* Outlines of the marks of class `of`, in the sizes of figure_points: rows that stand out but keep
 * their marks. */
void figure_outlines(struct figure *f, int colour, int of, const double *x, const double *y,
                     size_t n, const double *size);
/* Makes the last curve this many times as broad, so that it shows beneath another that runs along
 * it, or says how much it counts. */
void figure_broad(struct figure *f, double times);
/* Puts the head of an arrow at the end of the last curve; a text that shows when the curve is
 * pointed at. */
void figure_arrow(struct figure *f);
void figure_hint(struct figure *f, const char *text);
/* A polygon, filled faintly: hulls, witnesses. */
void figure_area(struct figure *f, const char *name, int colour, const double *x, const double *y,
                 size_t n);
/* Leaves out the outline of the last area: a strip, whose edges are lines of their own. */
void figure_unlined(struct figure *f);
/* The line w1 x + w2 y + b = 0, across the picture. */
void figure_line(struct figure *f, const char *name, int colour, enum figure_look look, double w1,
                 double w2, double b);
/* Columns by rows cells over the whole picture, row by row from the lower left: the class of each
 * (-1: none). Drawn faintly, as runs of equal cells. */
void figure_regions(struct figure *f, const int *cell, size_t columns, size_t rows,
                    const double box[4]); /* smallest x, smallest y, largest x, largest y */
/* Bars from edge[i] to edge[i + 1] of height count[i]: n of them, n + 1 edges. */
void figure_histogram(struct figure *f, const char *name, int colour, const double *edge,
                      const double *count, size_t n);
/* Horizontal bars, one per name, from the top: weights, counters. The y axis has no numbers. */
void figure_bars(struct figure *f, const char *const *label, const double *value, const int *colour,
                 size_t n);
/* A table of counts, [row][column], each shaded by its share of the row: a confusion matrix. */
void figure_cells(struct figure *f, const char *rows_are, const char *columns_are,
                  const char *const *label, const uint64_t *count, size_t n);
/* A word at a place: "bound 54". */
void figure_word(struct figure *f, double x, double y, const char *text);

/* Points in space, each of a class, and perhaps a plane w.x + b = 0 between them: the whole of a
 * figure, without other layers. Axis 3 points up. In a page it can be turned. */
struct figure_space {
    const char *axis[3];
    const double *at; /* 3 n */
    const int *class;
    const char *const *hint;
    size_t n;
    const char *const *label; /* of the classes */
    size_t labels;
    bool plane;
    double w[3], b;
};
void figure_space(struct figure *f, const struct figure_space *s);

/* ----- drawing ---------------------------------------------------------------- */

enum figure_place { FIGURE_FILE, FIGURE_INLINE }; /* with its own colours; with the page's */
void figure_svg(const struct figure *f, struct out *o, enum figure_place place);
/* The CSS rules that FIGURE_INLINE relies on, for the <style> of the page, once: for light, dark
 * and print. All class names begin with "f":
 *     f                    the <svg> itself (its size is the page's: .f{width:100%})
 *     f-c0 .. f-c7         colours of classes, as `color`; f-ink, f-faint, f-alert likewise
 *     f-line f-dash f-dot  curves
 *     f-mark f-spot f-dots f-ring
 *                          points: with an outline, without one, many discs, rings
 *     f-tint f-area f-bar  areas: regions, polygons, bars
 *     f-grid f-frame       lines of the axes
 *     f-drop f-plane       in space: lines from points to the floor; the plane
 *     f-text f-name f-word f-title f-small f-over
 *                          texts: of ticks and legends, of axes, in the picture, the heading (in
 *                          files only), smaller ones, those on a dark cell
 *     f-bg                 the background (in files only)
 * In a page the heading is the page's: figure_title. */
void figure_css(struct out *o);
/* At most `columns` wide, clamped to 40..200; with `colour` in ANSI colours. */
void figure_chars(const struct figure *f, struct out *o, int columns, bool colour);

#endif
