/* figure.h -- a picture, described: what is to be seen, not how it is drawn.
 *
 * A figure has two axes, or a table of cells, and layers that are drawn in the order in
 * which they were added. One description serves three ways to draw it: an SVG file of its own, SVG
 * inside a page, and characters on a terminal. Texts are any bytes and are escaped where
 * they are written. All arrays are copied. A figure that ran out of memory remembers it:
 * the functions take it, and NULL, and do nothing, and printing then fails the `out`. So no
 * picture goes missing for want of memory: NULL is one that there is nothing to see in. */
#ifndef PERC_SHOW_FIGURE_H
#define PERC_SHOW_FIGURE_H

#include "show/out.h"

struct figure;

/* `id`: a word, "boundary": of the element, and part of a file's name. `title` stands above
 * it; `about`, one or two sentences, is the text for those who cannot see it. */
struct figure *figure_new(const perc_env *env, const char *id, const char *title);
/* A figure that ran out of memory; figure_new gives it rather than NULL. */
struct figure *figure_lost(void);
void figure_fail(struct figure *f);        /* who draws it ran out of memory: so did it */
bool figure_ready(const struct figure *f); /* every text and array is there */
void figure_about(struct figure *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void figure_free(struct figure *f);
const char *figure_id(const struct figure *f);
const char *figure_title(const struct figure *f);
const char *figure_about_text(const struct figure *f);

/* ----- axes ----------------------------------------------------------------- */

enum figure_axis { FIGURE_X, FIGURE_Y };
/* Name, and the smallest and largest value to be seen; NaN: as the layers need. */
void figure_axis(struct figure *f, enum figure_axis a, const char *name, double from, double to);
void figure_log(struct figure *f, enum figure_axis a);   /* a logarithmic scale */
void figure_whole(struct figure *f, enum figure_axis a); /* ticks at whole numbers only */
void figure_square(struct figure *f);                    /* a unit of x is as long as one of y  */

/* ----- layers --------------------------------------------------------------- */

/* How a layer looks. Colours 0.. are those of classes (told apart by the blind to colours,
 * and by marks of their own: disc, square, triangle, diamond, ...). */
enum { FIGURE_INK = -1, FIGURE_FAINT = -2, FIGURE_ALERT = -3 };
enum figure_look { FIGURE_SOLID, FIGURE_DASHED, FIGURE_DOTTED };

/* A curve through n points; NaN breaks it. `name` (NULL: none) goes to the legend. */
void figure_curve(struct figure *f, const char *name, int colour, enum figure_look look,
                  const double *x, const double *y, size_t n);
/* Points of class `colour`; size[i] (NULL: 1 each) multiplies the area; text[i] (NULL: none) is
 * shown beside the point, `hint[i]` (NULL: none) when it is pointed at. */
void figure_points(struct figure *f, const char *name, int colour, const double *x, const double *y,
                   size_t n, const double *size, const char *const *text, const char *const *hint);
/* Rings around points, without a legend if name is NULL. */
void figure_rings(struct figure *f, const char *name, int colour, const double *x, const double *y,
                  size_t n);
/* The outlines of marks of class `of`, as large as figure_points draws them: rows that stand
 * out without another mark of their own. */
void figure_outlines(struct figure *f, int colour, int of, const double *x, const double *y,
                     size_t n, const double *size);
/* The curve added last is so many times as broad as others: it can be seen below one that runs
 * along it. */
void figure_broad(struct figure *f, double times);
/* A polygon, filled faintly: hulls, witnesses. */
void figure_area(struct figure *f, const char *name, int colour, const double *x, const double *y,
                 size_t n);
/* The line w1 x + w2 y + b = 0, across the picture. */
void figure_line(struct figure *f, const char *name, int colour, enum figure_look look, double w1,
                 double w2, double b);
/* Columns by rows cells over the whole picture, from the lower left, row by row: the class
 * of each (-1: none). Drawn as runs of equal cells, faintly. */
void figure_regions(struct figure *f, const int *cell, size_t columns, size_t rows,
                    const double box[4]); /* smallest x, smallest y, largest x, largest y */
/* Bars from edge[i] to edge[i + 1] of height count[i]: n of them, n + 1 edges. */
void figure_histogram(struct figure *f, const char *name, int colour, const double *edge,
                      const double *count, size_t n);
/* Bars that lie, one a name, from above: weights, counters. Without axes of numbers on y. */
void figure_bars(struct figure *f, const char *const *label, const double *value, const int *colour,
                 size_t n);
/* A table of counts, [row][column], shaded by share of its row: a confusion matrix. */
void figure_cells(struct figure *f, const char *rows_are, const char *columns_are,
                  const char *const *label, const uint64_t *count, size_t n);
/* A word at a place: "bound 54". */
void figure_word(struct figure *f, double x, double y, const char *text);

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
 *     f-tint f-area f-bar  faces: regions, polygons, bars
 *     f-grid f-frame       lines of the axes
 *     f-text f-name f-word f-title f-small f-over
 *                          texts: of ticks and legends, of axes, in the picture, the heading (in
 *                          files alone), smaller ones, those on a dark cell
 *     f-bg                 the background (in files alone)
 * In a page the heading is the page's: figure_title. */
void figure_css(struct out *o);
/* At most `columns` wide, which is taken as 40 to 200; with `colour` in ANSI colours. */
void figure_chars(const struct figure *f, struct out *o, int columns, bool colour);

#endif
