/* plot.h -- points and lines in the plane, as characters on a terminal. */
#ifndef PERC_SHOW_PLOT_H
#define PERC_SHOW_PLOT_H

#include "show/out.h"

struct plot;

/* A picture of columns x rows characters that shows x0..x1 by y0..y1. NULL when
 * out of memory: the functions below then do nothing, and plot_print fails `o`. */
struct plot *plot_new(const perc_env *env, int columns, int rows, const double box[4]);
/* The smallest x and y and the largest x and y of all points, with a margin around them: the box
 * for plot_new. `points` are n pairs. */
void plot_box(const double *points, size_t n, double box[4]);
/* The line w1 x + w2 y + b = 0, drawn with `mark`. */
void plot_line(struct plot *p, double w1, double w2, double b, char mark);
void plot_point(struct plot *p, double x, double y, char mark);
/* With `colour` each mark has its own ANSI colour. */
void plot_print(const struct plot *p, struct out *o, int indent, bool colour);
void plot_free(struct plot *p);

#endif
