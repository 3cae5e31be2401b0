/* exact.c -- the numbers of a row as the file has them. */
#include "data/exact.h"

#include <string.h>

void exact_init(struct exact_lens *l, const struct env *e)
{
    *l = (struct exact_lens){ .e = *e };
}

void exact_free(struct exact_lens *l)
{
    if (l->e.alloc == NULL) return;
    mem_free(&l->e, l->column, l->cap_column, sizeof *l->column);
    mem_free(&l->e, l->value, l->cap_value, sizeof *l->value);
    *l = (struct exact_lens){ 0 };
}

struct decimal exact_double(double v)
{
    char buf[NUMBER_TEXT];
    enum number_fault fault;
    struct decimal d;

    number_scan_decimal(buf, buf + number_format(v, buf), &d, &fault);
    d.digits = d.end = NULL;
    return d;
}

/* Entry k of a row whose block has no digits. */
static struct decimal entry_of(const struct row *r, size_t k)
{
    uint32_t packed;

    if (r->values == VALUES_ONES) return (struct decimal){ .mantissa = 1 };
    const unsigned char *at = (const unsigned char *)r->value + (ptrdiff_t)k * r->stride;
    if (r->values == VALUES_U8) return (struct decimal){ .mantissa = *at };
    if (r->values != VALUES_DEC) return exact_double(row_value(r, k));
    memcpy(&packed, at, sizeof packed);
    return (struct decimal){ .mantissa = packed & 0xffffffu,
                             .exponent = -(int64_t)(packed >> 24 & 31),
                             .negative = packed >> 29 & 1 };
}

perc_status exact_row(struct exact_lens *l, const perc_dataset *ds, uint64_t row)
{
    size_t i;
    const struct block *b = dataset_block(ds, row, &i);

    return exact_block_row(l, b, i);
}

perc_status exact_block_row(struct exact_lens *l, const struct block *b, size_t i)
{
    const struct row r = block_row(b, i);
    const bool digits = b->digits.mantissa != NULL;
    const size_t at = !digits                     ? 0
                      : b->indices == INDEX_DENSE ? i * (size_t)b->width
                                                  : (size_t)block_start(b, i);

    void *column = l->column, *value = l->value;

    l->n = 0;
    if (!mem_grow(&l->e, &column, &l->cap_column, r.n, sizeof *l->column)) return PERC_ENOMEM;
    l->column = column;
    if (!mem_grow(&l->e, &value, &l->cap_value, r.n, sizeof *l->value)) return PERC_ENOMEM;
    l->value = value;
    for (size_t k = 0; k < r.n; k++) {
        const struct decimal d = digits ? digits_get(&b->digits, at + k) : entry_of(&r, k);
        if (d.mantissa == 0) continue;
        l->column[l->n] = row_column(&r, k);
        l->value[l->n++] = d;
    }
    return PERC_OK;
}

enum { FIRST = 19, LIMIT = 1000000 }; /* struct decimal: digits in a mantissa; exponents */

int64_t exact_lowest(const struct decimal *d)
{
    const char *p = d->digits;
    int64_t count = 0;

    if (!d->more) return d->exponent;
    while (*p == '0' || *p == '.') p++;
    for (; p < d->end; p++) count += *p != '.';
    return d->exponent - (count - FIRST);
}

/* ----- the span of the numbers ------------------------------------------------------------ */

struct decimal_span {
    int64_t low, high; /* powers of ten: of the lowest digit, above the highest */
    uint64_t row;      /* the first with the lowest digit */
};

static uint64_t entries_before(const struct block *b, size_t i)
{
    return b->indices == INDEX_DENSE ? i * b->width : block_start(b, i);
}

/* Entry k of those digits; false: its exponent may have been clamped. */
static bool span_entry(const struct digits *d, uint64_t k, struct decimal_span *s, bool *lowest)
{
    const bool more = d->exponent[k] & 2;
    const int64_t e = digits_exponent(d, k);
    const int64_t low = more ? e - ((int64_t)(uint32_t)d->mantissa[k] - FIRST) : e;

    *lowest = false;
    if (!more && d->mantissa[k] == 0) return true;
    if (low < s->low) {
        s->low = low;
        *lowest = true;
    }
    if (e + FIRST > s->high) s->high = e + FIRST;
    return e > -LIMIT && e < LIMIT;
}

static bool span_block(const struct block *b, struct decimal_span *s)
{
    for (size_t i = 0; i < b->rows; i++) {
        const uint64_t end = entries_before(b, i + 1);
        for (uint64_t k = entries_before(b, i); k < end; k++) {
            bool lowest;
            const bool right = span_entry(&b->digits, k, s, &lowest);
            if (lowest || !right) s->row = b->first_row + i;
            if (!right) return false;
        }
    }
    return true;
}

perc_status exact_span(const perc_dataset *ds, bool constant, perc_error *err)
{
    struct decimal_span s = { .low = constant ? 0 : INT64_MAX, .high = constant ? 1 : INT64_MIN };
    bool right = true;

    for (size_t k = 0; k < ds->blocks && right; k++) {
        if (ds->block[k].digits.mantissa != NULL) right = span_block(&ds->block[k], &s);
        else {
            /* Blocks without digits hold doubles, or less: 17 digits from 10^-324 to 10^308. */
            if (s.low > -341) s.low = -341;
            if (s.high < 309) s.high = 309;
        }
    }
    if (right && (s.high < s.low || s.high - s.low <= EXACT_SPAN)) return PERC_OK;
    return dataset_blame(
        ds, s.row,
        fail_at(err, PERC_EDATA, perc_dataset_row_line(ds, s.row), 0,
                "the numbers of the data are too far apart for a proof: from this row's lowest "
                "digit to the highest of all are more than %d digits (round or rescale them)",
                EXACT_SPAN),
        err);
}
