/* bundle.h -- rows on their way to panels, packed where that pays.
 *
 * A panel of many columns does not fit the first-level cache, but a strip of its columns does. Rows
 * with gaps that are to meet several panels are therefore cut at the strips: a bundle has the
 * entries of all its rows in the first strip, row after row, then those in the second, and so on.
 * Walked in that order, memory is read from end to end, and the strip stays where it is near.
 *
 * The entries of a row in a strip are filled up to an even number with zeros, which change no sum
 * (row.h). */
#ifndef PERC_BUNDLE_H
#define PERC_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vec/row.h"

enum {
    STRIP = 128,           /* columns: 32 KiB of a panel */
    BUNDLE = 32,           /* rows */
    BUNDLE_ENTRIES = 8192, /* 80 KiB, and no more than that */
    BUNDLE_COLUMNS = 4096,
    BUNDLE_STRIPS = BUNDLE_COLUMNS / STRIP + 1
};

struct bundle {
    const struct row *x; /* the rows themselves, borrowed */
    size_t rows;
    size_t strips; /* 0: it is not packed, and what follows is not there */
    /* Row i has in strip s the entries from start[s * rows + i] to the next start. */
    const uint32_t *start;
    const uint16_t *column;
    const double *value;
};

/* Where one lies. */
struct bundle_room {
    uint32_t done[BUNDLE]; /* scratch: entries of each row that are packed */
    uint32_t start[BUNDLE_STRIPS * BUNDLE + 1];
    uint16_t column[BUNDLE_ENTRIES + 8]; /* they are written by eight */
    double value[BUNDLE_ENTRIES + 8];
};

/* Whether rows with so many columns and entries in all are worth packing, where they have gaps and
 * meet several panels. */
bool bundle_pays(uint64_t columns, uint64_t entries, size_t rows);
/* As many of the n > 0 rows as a bundle has room for, which are to meet this many panels; returns
 * how many. They must stay as long as the bundle is used. */
size_t bundle_fill(struct bundle *b, struct bundle_room *room, const struct row *x, size_t n,
                   size_t panels);
/* Numbers of starts and entries of a packed bundle. */
static inline size_t bundle_starts(const struct bundle *b)
{
    return b->strips * b->rows + 1;
}
static inline size_t bundle_entries(const struct bundle *b)
{
    return b->start[b->strips * b->rows];
}

#endif
