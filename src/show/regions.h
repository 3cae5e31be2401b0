/* regions.h -- the outlines of equal cells of a grid. */
#ifndef PERC_SHOW_REGIONS_H
#define PERC_SHOW_REGIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* Calls `corner` with the corners of each outline of the cells of `class`, in cells from the lower
 * left, `first` at the beginning of an outline; outlines are closed. Steps of one cell are
 * straightened, in the same way for both neighbours, so that they meet without a gap; cells on the
 * border of the grid reach up to it. False: out of memory. */
bool regions_trace(const struct env *e, const int *cell, size_t columns, size_t rows, int class,
                   void (*corner)(void *ud, double x, double y, bool first), void *ud);

#endif
