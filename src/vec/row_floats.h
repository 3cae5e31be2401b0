/* row_floats.h -- a row as floats, without its zeros: what a network reads. */
#ifndef PERC_ROW_FLOATS_H
#define PERC_ROW_FLOATS_H

#include "vec/row.h"

enum { ROW_FLOATS_ROOM = 16 }; /* elements beyond the last that may be overwritten */

/* The entries of r that are not 0 once they are rounded to float, and their columns, which are
 * below 2^32. Both arrays have room for r->n + ROW_FLOATS_ROOM. Returns how many there are. */
size_t row_floats(const struct row *r, uint32_t *column, float *value);

#endif
