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

static bool grow(struct exact_lens *l, size_t n)
{
    void *column = l->column, *value = l->value;

    if (!mem_grow(&l->e, &column, &l->cap_column, n, sizeof *l->column)) return false;
    l->column = column;
    if (!mem_grow(&l->e, &value, &l->cap_value, n, sizeof *l->value)) return false;
    l->value = value;
    return true;
}

/* The shortest decimal that reads back as v. It has at most 17 digits. */
static struct decimal shortest(double v)
{
    char buf[NUMBER_TEXT];
    struct decimal d;
    enum number_fault fault;

    decimal_scan(buf, buf + number_format(v, buf), &d, &fault);
    d.digits = d.end = NULL;
    return d;
}

/* Entry k of a row whose block has no digits. */
static struct decimal entry(const struct row *r, size_t k)
{
    uint32_t packed;

    if (r->values == VALUES_ONES) return (struct decimal){ .mantissa = 1 };
    const unsigned char *at = (const unsigned char *)r->value + (ptrdiff_t)k * r->stride;
    if (r->values == VALUES_U8) return (struct decimal){ .mantissa = *at };
    if (r->values != VALUES_DEC) return shortest(row_value(r, k));
    memcpy(&packed, at, sizeof packed);
    return (struct decimal){ .mantissa = packed & 0xffffffu,
                             .exponent = -(int64_t)(packed >> 24 & 31),
                             .negative = packed >> 29 & 1 };
}

perc_status exact_row(struct exact_lens *l, const perc_dataset *ds, uint64_t row)
{
    size_t i;
    const struct block *b = dataset_block(ds, row, &i);
    const struct row r = block_row(b, i);
    const bool digits = b->digits.mantissa != NULL;
    const size_t at = !digits ? 0
                      : b->indices == INDEX_DENSE ? i * (size_t)b->width
                                                  : (size_t)block_start(b, i);

    l->n = 0;
    if (!grow(l, r.n)) return PERC_ENOMEM;
    for (size_t k = 0; k < r.n; k++) {
        const struct decimal d = digits ? digits_get(&b->digits, at + k) : entry(&r, k);
        if (d.mantissa == 0) continue;
        l->column[l->n] = row_column(&r, k);
        l->value[l->n++] = d;
    }
    return PERC_OK;
}
