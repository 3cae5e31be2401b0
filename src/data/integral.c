/* integral.c -- rows as whole numbers. */
#include "data/integral.h"

#include <string.h>

enum { FIRST = 19 }; /* struct decimal: digits in a mantissa */

/* A look at all decimals: how many there are, and how far they reach. */
struct reach {
    uint64_t entries;
    int64_t low, high; /* powers of ten: of the last digit, above the first */
};

/* The power of ten above the first digit. */
static int64_t highest(const struct decimal *d)
{
    int64_t digits = 0;

    for (uint64_t m = d->mantissa; m > 0; m /= 10) digits++;
    return d->exponent + digits;
}

static perc_status look_at_row(const struct exact_lens *l, struct reach *r, int64_t line,
                               perc_error *err)
{
    for (size_t k = 0; k < l->n; k++) {
        const int64_t low = exact_lowest(&l->value[k]), high = highest(&l->value[k]);
        if (low < -INTEGRAL_PLACES || high > INTEGRAL_PLACES)
            return fail_at(err, PERC_EDATA, line, 0,
                           "a number of this row %s: exact arithmetic goes from 1e-%d to 1e%d "
                           "(round or rescale the data, or pass --arithmetic double)",
                           high > INTEGRAL_PLACES ? "is too large" : "has too many decimal places",
                           INTEGRAL_PLACES, INTEGRAL_PLACES);
        if (low < r->low) r->low = low;
        if (high > r->high) r->high = high;
    }
    r->entries += l->n;
    return PERC_OK;
}

/* 10^places d */
static void put_value(uint32_t *x, const struct decimal *d, int64_t places, size_t limbs)
{
    const uint32_t billion = 1000000000;
    const uint64_t m = d->more ? 0 : d->mantissa;

    memset(x, 0, limbs * sizeof *x);
    wide_scale(x, 0, (uint32_t)(m / billion / billion), limbs);
    wide_scale(x, billion, (uint32_t)(m / billion % billion), limbs);
    wide_scale(x, billion, (uint32_t)(m % billion), limbs);
    for (const char *p = d->digits; d->more && p < d->end; p++)
        if (*p != '.') wide_scale(x, 10, (uint32_t)(*p - '0'), limbs);
    wide_scale_ten(x, exact_lowest(d) + places, limbs);
    if (d->negative) wide_negate(x, limbs);
}

static void put_row(struct integral *x, const struct exact_lens *l)
{
    uint64_t at = x->start[x->rows];

    for (size_t k = 0; k < l->n; k++, at++) {
        x->column[at] = l->column[k];
        put_value(x->value + at * x->limbs, &l->value[k], x->places, x->limbs);
    }
    x->start[++x->rows] = at;
}

perc_status integral_make(struct integral *x, const struct env *e, const struct block *blocks,
                          size_t count, perc_error *err)
{
    struct reach reach = { .low = 0, .high = 1 };
    struct exact_lens lens;
    uint64_t rows = 0;
    perc_status st = PERC_OK;

    *x = (struct integral){ .e = *e };
    exact_init(&lens, e);
    for (size_t b = 0; b < count; b++)
        for (size_t i = 0; i < blocks[b].rows && !st; i++, rows++)
            st = exact_block_row(&lens, &blocks[b], i)
                     ? fail_memory(err)
                     : look_at_row(&lens, &reach, block_line(&blocks[b], i), err);
    if (st) goto done;
    x->places = -reach.low;
    x->bits = (size_t)(reach.high - reach.low) * 10 / 3 + 1; /* 10^3 < 2^10 */
    x->limbs = wide_limbs(x->bits);
    x->entries = reach.entries;
    x->start = mem_zeroed(e, rows + 1, sizeof *x->start);
    x->column = mem_array(e, x->entries, sizeof *x->column);
    x->value = mem_array(e, x->entries, x->limbs * sizeof *x->value);
    if (x->start == NULL || x->column == NULL || x->value == NULL) st = fail_memory(err);
    for (size_t b = 0; b < count; b++)
        for (size_t i = 0; i < blocks[b].rows && !st; i++) {
            if (exact_block_row(&lens, &blocks[b], i)) st = fail_memory(err);
            else put_row(x, &lens);
        }
    x->rows = rows; /* all that were asked for, so that they can be freed */
done:
    exact_free(&lens);
    return st;
}

void integral_free(struct integral *x)
{
    if (x->e.alloc == NULL) return;
    mem_free(&x->e, x->start, x->rows + 1, sizeof *x->start);
    mem_free(&x->e, x->column, x->entries, sizeof *x->column);
    mem_free(&x->e, x->value, x->entries, x->limbs * sizeof *x->value);
    *x = (struct integral){ .limbs = 0 };
}
