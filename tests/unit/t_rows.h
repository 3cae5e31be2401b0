/* t_rows.h -- rows of every encoding, together with the numbers they stand for.
 *
 * The numbers are kept beside the row, in plain arrays, and never read back through
 * the code under test. Included once by a test, after cmocka.h. */
#ifndef T_ROWS_H
#define T_ROWS_H

#include "vec/rng.h"
#include "vec/row.h"

enum {
    LONGEST = 600,   /* entries of a row: two pieces and a rest              */
    COLUMNS = 70000, /* more than 16 bits can count                          */
    GAP = 32         /* the largest stride tried                             */
};

/* A row together with what it stands for. */
struct sample {
    struct row row;
    uint64_t column[LONGEST];
    double value[LONGEST];
    uint64_t index_store[LONGEST];         /* as 16, 32 or 64 bits, packed     */
    double value_store[LONGEST * GAP / 8]; /* aligned for all encodings        */
};

static void same(double a, double b)
{
    if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%a is not %a", a, b);
}

static double draw_value(struct rng *r, int values, char *at)
{
    const uint32_t mantissa = (uint32_t)rng_below(r, 1 << 24);
    const unsigned places = (unsigned)rng_below(r, DEC_PLACES_MAX + 1);
    const bool negative = rng_below(r, 2) == 1;
    char text[40];
    uint8_t byte;
    uint32_t packed;
    float single;
    double v = 1;

    switch (values) {
    case VALUES_U8:
        byte = (uint8_t)rng_below(r, 256);
        *(uint8_t *)at = byte;
        return byte;
    case VALUES_DEC: /* what the decimal is, from its text */
        packed = decimal_pack(mantissa, places, negative);
        memcpy(at, &packed, sizeof packed);
        snprintf(text, sizeof text, "%s%ue-%u", negative ? "-" : "", (unsigned)mantissa, places);
        return strtod(text, NULL);
    case VALUES_F32:
        single = (float)rng_normal(r);
        memcpy(at, &single, sizeof single);
        return (double)single;
    case VALUES_F64:
        v = rng_normal(r) * (rng_below(r, 8) == 0 ? 1e200 : 1);
        memcpy(at, &v, sizeof v);
        return v;
    default: return 1;
    }
}

/* n entries; strides other than the size of a value are for dense rows only, but
 * nothing in the loops knows that. */
static void draw_row(struct rng *r, struct sample *s, int values, int indices, size_t n,
                     ptrdiff_t stride)
{
    const uint64_t most = indices == INDEX_U16 ? 65536 : COLUMNS;
    uint64_t column = rng_below(r, 50);

    /* A negative stride walks down from the end of the store. */
    char *const base = (char *)s->value_store + (stride < 0 ? -stride * (LONGEST - 1) : 0);
    s->row = (struct row){ .n = n, .stride = stride, .first = column };
    s->row.values = (unsigned char)values;
    s->row.indices = (unsigned char)indices;
    if (values != VALUES_ONES) s->row.value = base;
    if (indices != INDEX_DENSE) s->row.index = s->index_store;
    for (size_t k = 0; k < n; k++) {
        s->column[k] = column;
        if (indices == INDEX_U16) ((uint16_t *)s->index_store)[k] = (uint16_t)column;
        if (indices == INDEX_U32) ((uint32_t *)s->index_store)[k] = (uint32_t)column;
        if (indices == INDEX_U64) s->index_store[k] = column;
        s->value[k] = draw_value(r, values, base + (ptrdiff_t)k * stride);
        column += indices == INDEX_DENSE ? 1 : 1 + rng_below(r, most / (LONGEST + 1));
    }
    assert_true(n == 0 || s->column[n - 1] < most);
}

static const ptrdiff_t natural[] = { 0, 1, 4, 4, 8 }; /* stride by values */

#endif
