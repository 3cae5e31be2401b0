/* bundle.c -- rows on their way to panels: see bundle.h. */
#include "vec/bundle.h"

#include <string.h>

#include "vec/row_decode.h"

enum {
    PANELS_MIN = 2,  /* that pay for the packing */
    ENTRIES_MIN = 8, /* of a row in a strip, on average: with fewer, rows are walked end to end */
    EIGHT = 8        /* entries are copied by so many, beyond what is wanted if need be: what comes
                        next is written over it */
};

/* The entries of x from `from` on, with columns below `end`, to place `at`; returns how many. */
INLINE size_t copy_below(const struct row *x, size_t from, uint32_t end, struct bundle_room *room,
                         size_t at)
{
    const uint32_t *column = (const uint32_t *)x->index + from;
    const double *value = (const double *)x->value + from;
    const size_t left = x->n - from;
    size_t n = 0, more = EIGHT;

    for (; n + EIGHT <= left && more == EIGHT; n += more) {
        memcpy(room->value + at + n, value + n, EIGHT * sizeof *value);
        for (size_t k = 0; k < EIGHT; k++) room->column[at + n + k] = (uint16_t)column[n + k];
        if (column[n + EIGHT - 1] < end) continue;
        more = 0;
        for (size_t k = 0; k < EIGHT; k++) more += column[n + k] < end;
    }
    for (; n < left && more == EIGHT && column[n] < end; n++) {
        room->value[at + n] = value[n];
        room->column[at + n] = (uint16_t)column[n];
    }
    return n;
}

INLINE void pack_any(const struct bundle *b, struct bundle_room *room)
{
    size_t at = 0;

    memset(room->done, 0, sizeof room->done);
    for (size_t s = 0; s < b->strips; s++)
        for (size_t i = 0; i < b->rows; i++) {
            const uint32_t end = (uint32_t)(s + 1) * STRIP;
            const size_t n = copy_below(&b->x[i], room->done[i], end, room, at);
            room->start[s * b->rows + i] = (uint32_t)at;
            room->done[i] += (uint32_t)n;
            at += n;
            if (n % 2 == 0) continue;
            room->value[at] = 0;
            room->column[at] = room->column[at - 1];
            at++;
        }
    room->start[b->strips * b->rows] = (uint32_t)at;
}

TARGETS(pack, (const struct bundle *b, struct bundle_room *room), (b, room))

/* The rows of votes are all of one kind, and no others are packed. */
static bool is_packable(const struct row *x)
{
    uint64_t first;

    return x->values == VALUES_F64 && x->stride == sizeof(double) && x->indices == INDEX_U32 &&
           !gapless(x, &first);
}

static size_t strips_of(uint64_t columns)
{
    return (size_t)((columns + STRIP - 1) / STRIP);
}

bool bundle_pays(uint64_t columns, uint64_t entries, size_t rows)
{
    return columns > STRIP && columns <= BUNDLE_COLUMNS && entries < columns * rows &&
           entries >= ENTRIES_MIN * strips_of(columns) * (uint64_t)rows;
}

size_t bundle_fill(struct bundle *b, struct bundle_room *room, const struct row *x, size_t n,
                   size_t panels)
{
    const size_t most = least(n, BUNDLE);
    uint64_t columns = 0;
    size_t entries = 0, rows = 0;
    bool fits = panels >= PANELS_MIN;

    for (; rows < most && fits; rows++) {
        const uint64_t end = x[rows].n > 0 ? row_column(&x[rows], x[rows].n - 1) + 1 : 0;
        if (end > columns) columns = end;
        fits = columns <= BUNDLE_COLUMNS && is_packable(&x[rows]);
        /* A zero may be added for each strip. */
        if (entries + x[rows].n + (rows + 1) * strips_of(columns) > BUNDLE_ENTRIES) break;
        entries += x[rows].n;
    }
    *b = (struct bundle){ .x = x,
                          .rows = fits ? rows : most,
                          .strips = fits ? strips_of(columns) : 0,
                          .start = room->start,
                          .column = room->column,
                          .value = room->value };
    if (b->strips == 0 || !bundle_pays(columns, entries, b->rows)) {
        b->strips = 0;
        return b->rows;
    }
    pack(b, room);
    /* Those of the next bundle come from memory while this one is used. */
    for (size_t i = b->rows; i < least(n, b->rows + BUNDLE); i++) row_prefetch(&x[i]);
    return b->rows;
}
