/* grid.h -- a small table with aligned columns. */
#ifndef PERC_SHOW_GRID_H
#define PERC_SHOW_GRID_H

#include "show/out.h"

struct grid;

enum { GRID_COLUMNS = 128 };

/* `align` has one letter a column: 'l' or 'r'. Returns NULL when out of memory;
 * every function below takes NULL and does nothing, and grid_print then makes
 * `o` fail, so that the caller checks `o` alone. */
struct grid *grid_new(const perc_env *env, const char *align);
/* The next cell, row by row. The text is copied. */
void grid_cell(struct grid *g, const char *text);
void grid_fmt(struct grid *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints every row with `indent` spaces before and two between the columns. */
void grid_print(const struct grid *g, struct out *o, int indent);
void grid_free(struct grid *g);

#endif
