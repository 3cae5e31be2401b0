/* moment.h -- when something was: a cell that orders rows by time.
 *
 * A number (seconds, days, a year: the order is all that matters), or a date, with or without a
 * time of day (date.h). Dates become seconds since 1970-01-01, in UTC where they have an offset.
 * All of a column must be of one kind: whether 9:00 without an offset is before 9:00+01:00 nobody
 * can say. */
#ifndef PERC_MOMENT_H
#define PERC_MOMENT_H

#include "base/base.h"

enum moment_kind { MOMENT_NONE, MOMENT_NUMBER, MOMENT_DATE, MOMENT_ZONED };

/* MOMENT_NONE: it is neither. Two moments in order have values in order, or equal ones where they
 * are nearer than doubles tell apart. */
enum moment_kind moment_parse(const char *text, size_t len, double *out);
/* The same, where the rows before were of kind *kind (MOMENT_NONE: this is the first). PERC_EDATA
 * without a place. */
perc_status moment_take(const char *text, size_t len, enum moment_kind *kind, double *out,
                        perc_error *err);

#endif
