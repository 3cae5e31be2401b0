/* piece.h -- reading a row's entries some hundred at a time, as doubles and
 * 64-bit columns, for passes that have nothing to do with dot products.
 *
 * Asking for the encoding once a piece, not once an entry, is what makes such a
 * pass several times faster than one through row_value(). */
#ifndef PERC_PIECE_H
#define PERC_PIECE_H

#include <string.h>

#include "vec/vec.h"

enum { PIECE = 256 };

struct piece {
    double x[PIECE];
    uint64_t column[PIECE];
};

#define PIECE_READ(type, put)                           \
    for (size_t k = 0; k < n; k++) {                    \
        type v;                                         \
        memcpy(&v, at + (ptrdiff_t)k * step, sizeof v); \
        put;                                            \
    }

static inline void piece_values(const struct row *r, size_t from, size_t n, double *x)
{
    const ptrdiff_t step = r->stride;
    const char *at = r->value;

    if (r->values != VALUES_ONES) at += (ptrdiff_t)from * step;
    switch (r->values) {
    case VALUES_U8: PIECE_READ(uint8_t, x[k] = v) break;
    case VALUES_DEC: PIECE_READ(uint32_t, x[k] = decimal_unpack(v)) break;
    case VALUES_F32: PIECE_READ(float, x[k] = (double)v) break;
    case VALUES_F64: PIECE_READ(double, x[k] = v) break;
    default:
        for (size_t k = 0; k < n; k++) x[k] = 1;
    }
}

static inline void piece_columns(const struct row *r, size_t from, size_t n, uint64_t *column)
{
    const ptrdiff_t step = (ptrdiff_t)1 << r->indices; /* U16, U32, U64: 2, 4, 8 bytes */
    const char *at = r->index;

    if (r->indices != INDEX_DENSE) at += (ptrdiff_t)from * step;
    switch (r->indices) {
    case INDEX_U16: PIECE_READ(uint16_t, column[k] = v) break;
    case INDEX_U32: PIECE_READ(uint32_t, column[k] = v) break;
    case INDEX_U64: PIECE_READ(uint64_t, column[k] = v) break;
    default:
        for (size_t k = 0; k < n; k++) column[k] = r->first + from + k;
    }
}

/* The entries from `from` on, as many as fit; returns how many. */
static inline size_t piece_read(const struct row *r, size_t from, struct piece *p)
{
    const size_t n = r->n - from < PIECE ? r->n - from : PIECE;

    piece_values(r, from, n, p->x);
    piece_columns(r, from, n, p->column);
    return n;
}

#undef PIECE_READ

#endif
