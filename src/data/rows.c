/* rows.c -- rows under construction: growable arrays that a parser fills and
 * block_from_rows (block.c) copies into a block of the right size. */
#include <math.h>
#include <string.h>

#include "data/block.h"

void rows_init(struct rows *r, const struct env *e)
{
    *r = (struct rows){ .e = *e, .packed = true, .rewritten.e = *e };
    labels_init(&r->labels, e);
    hashing_buckets_init(&r->seen, e, 0);
}

void rows_free(struct rows *r)
{
    const struct env *e = &r->e;

    mem_free(e, r->start, r->cap_rows + 1, sizeof *r->start);
    mem_free(e, r->label, r->cap_rows, sizeof *r->label);
    mem_free(e, r->weight, r->cap_rows, sizeof *r->weight);
    mem_free(e, r->line, r->cap_rows, sizeof *r->line);
    mem_free(e, r->index, r->cap_entries, sizeof *r->index);
    mem_free(e, r->dec, r->cap_entries, sizeof *r->dec);
    mem_free(e, r->value, r->cap_entries, sizeof *r->value);
    mem_free(e, r->decimal, r->cap_decimals, sizeof *r->decimal);
    mem_free(e, r->kept, r->cap_kept, 1);
    pool_free(&r->rewritten);
    carry_release(&r->carried);
    mem_free(e, r->gaps, r->gap_columns, sizeof *r->gaps);
    labels_free(&r->labels);
    hashing_buckets_free(&r->seen);
    *r = (struct rows){ .e = *e, .packed = true, .rewritten.e = *e };
}

void rows_reset(struct rows *r)
{
    r->n = r->entries = 0;
    r->packed = true;
    r->weighted = r->zero_index = false;
    r->lines = 0;
    r->unknown = r->dropped = 0;
    pool_free(&r->rewritten);
    r->rewritten.failed = false;
    r->carried.text.len = 0;
    if (r->gaps != NULL) memset(r->gaps, 0, r->gap_columns * sizeof *r->gaps);
    labels_clear(&r->labels);
    hashing_buckets_free(&r->seen);
}

/* Arrays that grow together grow all or none: the new ones are allocated first, and
 * replace the old ones only when all of them are there. */
struct growing {
    void **array;
    size_t used, old, size; /* elements to keep, elements it has, bytes each */
    void *fresh;
};

static bool grow_all(const struct env *e, struct growing *g, int n, size_t extra)
{
    int made = 0;

    while (made < n && (g[made].fresh = mem_array(e, g[made].old + extra, g[made].size)) != NULL)
        made++;
    if (made < n) {
        while (made-- > 0) mem_free(e, g[made].fresh, g[made].old + extra, g[made].size);
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (g[i].used > 0) memcpy(g[i].fresh, *g[i].array, g[i].used * g[i].size);
        mem_free(e, *g[i].array, g[i].old, g[i].size);
        *g[i].array = g[i].fresh;
    }
    return true;
}

static bool grow_rows(struct rows *r, size_t n)
{
    const size_t old = r->cap_rows;
    void *start = r->start, *label = r->label, *weight = r->weight, *line = r->line;
    struct growing g[] = { { &start, old > 0 ? r->n + 1 : 0, old + 1, sizeof *r->start, NULL },
                           { &label, r->n, old, sizeof *r->label, NULL },
                           { &weight, r->n, old, sizeof *r->weight, NULL },
                           { &line, r->n, old, sizeof *r->line, NULL } };

    if (!grow_all(&r->e, g, 4, n - old)) return false;
    r->start = start;
    r->label = label;
    r->weight = weight;
    r->line = line;
    if (old == 0) r->start[0] = 0;
    r->cap_rows = n;
    return true;
}

static bool grow_entries(struct rows *r, size_t n)
{
    const size_t old = r->cap_entries;
    void *index = r->index, *dec = r->dec, *value = r->value;
    struct growing g[] = { { &index, r->entries, old, sizeof *r->index, NULL },
                           { &dec, r->packed ? r->entries : 0, old, sizeof *r->dec, NULL },
                           { &value, r->packed ? 0 : r->entries, old, sizeof *r->value, NULL } };

    if (!grow_all(&r->e, g, 3, n - old)) return false;
    r->index = index;
    r->dec = dec;
    r->value = value;
    r->cap_entries = n;
    return true;
}

static size_t at_least(size_t cap, size_t need)
{
    return cap + cap / 2 > need ? cap + cap / 2 : need;
}

bool rows_reserve(struct rows *r, size_t rows, size_t entries)
{
    if (rows > SIZE_MAX / 2 - r->n || entries > SIZE_MAX / 2 - r->entries) return false;
    if (r->n + rows > r->cap_rows && !grow_rows(r, at_least(r->cap_rows, r->n + rows)))
        return false;
    if (r->entries + entries > r->cap_entries &&
        !grow_entries(r, at_least(r->cap_entries, r->entries + entries)))
        return false;
    if (!r->exact || r->cap_decimals >= r->cap_entries) return true;
    /* The decimals have as many places as the entries, but only once rows are `exact`. */
    struct decimal *fresh = mem_array(&r->e, r->cap_entries, sizeof *fresh);
    if (fresh == NULL) return false;
    if (r->entries > 0) memcpy(fresh, r->decimal, r->entries * sizeof *fresh);
    mem_free(&r->e, r->decimal, r->cap_decimals, sizeof *fresh);
    r->decimal = fresh;
    r->cap_decimals = r->cap_entries;
    return true;
}

bool rows_keep_text(struct rows *r)
{
    void *kept = r->kept;
    size_t size = 0;

    for (size_t k = 0; r->exact && k < r->entries; k++)
        if (r->decimal[k].more) size += (size_t)(r->decimal[k].end - r->decimal[k].digits);
    if (size == 0) return true;
    if (!mem_grow(&r->e, &kept, &r->cap_kept, size, 1)) return false;
    r->kept = kept;
    char *out = r->kept;
    for (size_t k = 0; k < r->entries; k++) {
        struct decimal *d = &r->decimal[k];
        if (!d->more) continue;
        const size_t len = (size_t)(d->end - d->digits);
        d->digits = memcpy(out, d->digits, len);
        d->end = out += len;
    }
    return true;
}

void rows_unpack(struct rows *r)
{
    if (!r->packed) return;
    for (size_t k = 0; k < r->entries; k++) r->value[k] = decimal_unpack(r->dec[k]);
    r->packed = false;
}

static void put_double(struct rows *r, uint32_t column, double value)
{
    rows_unpack(r);
    r->index[r->entries] = column;
    r->value[r->entries++] = value;
}

void rows_put(struct rows *r, uint32_t column, double value)
{
    /* Whole numbers below 2^24 pack, except -0. (NaN fails both comparisons.) */
    if (r->packed && value >= 0 && value < 0x1p24 && value == (double)(uint32_t)value &&
        !signbit(value)) {
        rows_put_decimal(r, column, decimal_pack((uint32_t)value, 0, false));
        return;
    }
    if (r->exact) /* never NaN, nor a fraction: filling in is refused */
        r->decimal[r->entries] = (struct decimal){ .mantissa = (uint64_t)fabs(value),
                                                   .negative = signbit(value) != 0 };
    put_double(r, column, value);
}

void rows_put_number(struct rows *r, uint32_t column, const struct decimal *d, double v)
{
    const uint64_t limit = (uint64_t)1 << DEC_MANTISSA_BITS;
    uint64_t m = d->mantissa;
    int64_t e = d->exponent;
    const size_t at = r->entries;

    for (; e > 0 && m < limit; e--) m *= 10; /* 1e3 is 1000 */
    for (; e < 0 && (m >= limit || e < -DEC_PLACES_MAX) && m % 10 == 0; e++) m /= 10;
    if (m < limit && !d->more && e <= 0 && e >= -DEC_PLACES_MAX)
        rows_put_decimal(r, column, decimal_pack((uint32_t)m, (unsigned)-e, d->negative));
    else put_double(r, column, v);
    if (r->exact) r->decimal[at] = *d;
}

void rows_put_count(struct rows *r, uint32_t column, uint32_t n)
{
    rows_put_number(r, column, &(struct decimal){ .mantissa = n }, n);
}

void rows_put_decimal(struct rows *r, uint32_t column, uint32_t packed)
{
    if (r->exact)
        r->decimal[r->entries] = (struct decimal){ .mantissa = packed & 0xffffffu,
                                                   .exponent = -(int64_t)(packed >> 24 & 31),
                                                   .negative = packed >> 29 & 1 };
    r->index[r->entries] = column;
    if (r->packed) r->dec[r->entries++] = packed;
    else r->value[r->entries++] = decimal_unpack(packed);
}

void rows_end(struct rows *r, uint32_t label, double weight, uint32_t line)
{
    r->label[r->n] = label;
    r->weight[r->n] = weight;
    r->line[r->n] = line;
    if (weight != 1) r->weighted = true;
    r->start[++r->n] = r->entries;
}
