/* grid.h -- a small table with aligned columns. */
#ifndef PERC_SHOW_GRID_H
#define PERC_SHOW_GRID_H

#include "show/out.h"

struct grid;

enum { GRID_COLUMNS = 128 };

/* `align` has one letter per column: 'l' or 'r'. NULL: out of memory; all functions below accept
 * NULL and do nothing, and grid_print then makes `o` fail, so the caller checks only `o`. */
struct grid *grid_new(const perc_env *env, const char *align);
/* The next cell, row by row. The text is copied. */
void grid_cell(struct grid *g, const char *text);
void grid_fmt(struct grid *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints every row after `indent` spaces, with two between columns. */
void grid_print(const struct grid *g, struct out *o, int indent);
void grid_free(struct grid *g);

#endif
