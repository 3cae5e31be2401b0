/* block.c -- blocks: rows packed as narrowly as is lossless.
 *
 * Which encoding a block gets:
 *   values   all ones: none; whole numbers to 255: a byte; short decimals (all
 *            of them in practice, for text of up to seven digits): 32 bits;
 *            doubles that are floats: 32 bits; else 64.
 *   columns  none if storing the zeros too is smaller; else 16 or 32 bits.
 *   digits   the decimals, if they are wanted and the values are doubles.
 * All arrays lie in one piece of memory, the widest elements first, so that each
 * is aligned and a block is one allocation. */
#include "data/block.h"

#include <math.h>
#include <string.h>

#include "data/paths.h"
#include "data/slabs.h"

void block_free(struct block *b)
{
    mem_free(&b->e, b->memory, b->memory_size, 1);
    *b = (struct block){ .e = b->e };
}

int64_t block_place(const struct block *b, size_t i)
{
    if (b->first_line == 0) return (int64_t)(b->first_row + i) + 1;
    return b->first_line + (b->line != NULL ? (int64_t)b->line[i] : (int64_t)i);
}

/* The file of a row, and its line there. */
static size_t locate_row(const struct block *b, size_t i, int64_t *line)
{
    *line = block_place(b, i);
    return b->files != NULL ? paths_locate(b->files, line) : 0;
}

int64_t block_line(const struct block *b, size_t i)
{
    int64_t line;

    locate_row(b, i, &line);
    return line;
}

const char *block_file(const struct block *b, size_t i)
{
    int64_t line;
    const size_t k = locate_row(b, i, &line);

    return b->files != NULL ? b->files->name[k] : NULL;
}

perc_status block_blame(const struct block *b, size_t i, perc_status st, perc_error *err)
{
    int64_t line;
    const size_t k = locate_row(b, i, &line);

    return b->files != NULL ? paths_blame(b->files, k, st, err) : st;
}

/* ----- choosing the encoding ---------------------------------------------- */

static double entry(const struct rows *r, size_t k)
{
    return r->packed ? decimal_unpack(r->dec[k]) : r->value[k];
}

/* A byte or none if all values, in whatever form ("1.0", 2e1), are whole numbers to 255;
 * else `wide`. As a rule the first value decides. */
static unsigned char narrowest_value(const struct rows *r, unsigned char wide)
{
    bool ones = true;

    for (size_t k = 0; k < r->entries; k++) {
        const double v = entry(r, k);
        if (!(v >= 0 && v <= UINT8_MAX) || v != (double)(uint8_t)v || signbit(v)) return wide;
        ones &= v == 1;
    }
    return ones ? VALUES_ONES : VALUES_U8;
}

static unsigned char narrowest_packed(const struct rows *r)
{
    uint32_t any = 0, not_one = 0;

    for (size_t k = 0; k < r->entries; k++) {
        any |= r->dec[k];
        not_one |= r->dec[k] ^ 1;
    }
    if (any > UINT8_MAX) return narrowest_value(r, VALUES_DEC);
    return not_one == 0 ? VALUES_ONES : VALUES_U8;
}

static unsigned char narrowest_double(const struct rows *r)
{
    for (size_t k = 0; k < r->entries; k++)
        if ((double)(float)r->value[k] != r->value[k]) return VALUES_F64;
    return narrowest_value(r, VALUES_F32);
}

struct block_plan {
    uint32_t min, max; /* columns */
    bool dense, lines;
    unsigned char values, indices;
    uint64_t width;
    size_t places; /* for values: entries, or all places of a dense block */
    size_t value_bytes, start_bytes, index_bytes, label_bytes, weight_bytes, line_bytes;
    bool digits;
    size_t mantissa_bytes, exponent_bytes, text_bytes;
};

static void plan_block(struct block_plan *p, const struct rows *r, bool float32)
{
    p->min = UINT32_MAX;
    p->max = 0;
    for (size_t i = 0; i < r->n; i++) { /* columns increase within a row */
        const uint64_t a = r->start[i], b = r->start[i + 1];
        if (a == b) continue;
        if (r->index[a] < p->min) p->min = r->index[a];
        if (r->index[b - 1] > p->max) p->max = r->index[b - 1];
    }
    if (p->min > p->max) p->min = p->max; /* no entries at all */
    p->values = r->packed ? narrowest_packed(r) : narrowest_double(r);
    if (float32 && p->values >= VALUES_DEC) p->values = VALUES_F32;
    p->indices = p->max <= UINT16_MAX ? INDEX_U16 : INDEX_U32;
    p->width = (uint64_t)p->max - p->min + 1;

    /* Dense needs a place for zeros, so ones become bytes. */
    const unsigned char dense_values = p->values == VALUES_ONES ? VALUES_U8 : p->values;
    const double entry_size = (double)(row_value_size(p->values) + (1u << p->indices));
    const double sparse = (double)r->entries * entry_size + 8 * (double)r->n;
    const double dense = (double)r->n * (double)p->width * (double)row_value_size(dense_values);
    p->dense = r->entries > 0 && dense <= sparse;
    if (p->dense) {
        p->values = dense_values;
        p->indices = INDEX_DENSE;
        p->places = r->n * (size_t)p->width;
    } else {
        p->places = r->entries;
        p->start_bytes = (r->n + 1) * sizeof(uint64_t);
        p->index_bytes = r->entries << p->indices;
    }
    p->value_bytes = p->places * row_value_size(p->values);
    p->label_bytes = r->n * sizeof(uint32_t);
    p->weight_bytes = r->weighted ? r->n * sizeof(double) : 0;
    for (size_t i = 0; i < r->n && !p->lines; i++) p->lines = r->line[i] - r->line[0] != i;
    p->line_bytes = p->lines ? r->n * sizeof(uint32_t) : 0;
    p->digits = r->exact && !r->packed;
    if (!p->digits) return;
    p->mantissa_bytes = p->places * sizeof(uint64_t);
    p->exponent_bytes = p->places * sizeof(int32_t);
    for (size_t k = 0; k < r->entries; k++)
        if (r->decimal[k].more) p->text_bytes += (size_t)(r->decimal[k].end - r->decimal[k].digits);
}

/* ----- filling ------------------------------------------------------------- */

static uint8_t byte(const struct rows *r, size_t k)
{
    return r->packed && r->dec[k] <= UINT8_MAX ? (uint8_t)r->dec[k] : (uint8_t)entry(r, k);
}

/* Entries [from, to) of r, encoded at `out`. */
static void put_values(const struct rows *r, unsigned char values, size_t from, size_t to,
                       void *out)
{
    switch (values) {
    case VALUES_U8:
        for (size_t k = from; k < to; k++) ((uint8_t *)out)[k - from] = byte(r, k);
        break;
    case VALUES_DEC: memcpy(out, r->dec + from, (to - from) * sizeof *r->dec); break;
    case VALUES_F32:
        for (size_t k = from; k < to; k++) ((float *)out)[k - from] = (float)entry(r, k);
        break;
    case VALUES_F64: memcpy(out, r->value + from, (to - from) * sizeof *r->value); break;
    default: break;
    }
}

static void put_dense(const struct rows *r, const struct block_plan *p, void *out)
{
    const size_t vs = row_value_size(p->values);

    memset(out, 0, p->value_bytes);
    for (size_t i = 0; i < r->n; i++) {
        char *row = (char *)out + i * (size_t)p->width * vs;
        const size_t a = (size_t)r->start[i], b = (size_t)r->start[i + 1];
        if (b - a == p->width) put_values(r, p->values, a, b, row); /* full: no holes */
        else
            for (size_t k = a; k < b; k++)
                put_values(r, p->values, k, k + 1, row + (r->index[k] - p->min) * vs);
    }
}

static void put_index(const struct rows *r, unsigned char indices, void *out)
{
    if (indices == INDEX_U32) {
        memcpy(out, r->index, r->entries * sizeof *r->index);
        return;
    }
    for (size_t k = 0; k < r->entries; k++) ((uint16_t *)out)[k] = (uint16_t)r->index[k];
}

/* In the same places as the values; a place without an entry (dense) stays 0. */
static struct digits put_digits(const struct rows *r, const struct block_plan *p,
                                uint64_t *mantissa, int32_t *exponent, char *text)
{
    size_t used = 0;

    memset(mantissa, 0, p->mantissa_bytes);
    memset(exponent, 0, p->exponent_bytes);
    for (size_t i = 0; i < r->n; i++) {
        for (size_t k = (size_t)r->start[i]; k < r->start[i + 1]; k++) {
            const size_t at = p->dense ? i * (size_t)p->width + (r->index[k] - p->min) : k;
            used = digits_put(&r->decimal[k], mantissa, exponent, at, text, used);
        }
    }
    return (struct digits){ mantissa, exponent, text };
}

/* The pieces of the block's memory, in order of decreasing alignment. */
static size_t carve_bytes(size_t *at, size_t n)
{
    const size_t here = (*at + 7) & ~(size_t)7;

    *at = here + n;
    return here;
}

/* Values, and the columns of a sparse block. */
static void put_entries(const struct rows *r, const struct block_plan *p, char *value, char *start,
                        void *index, struct block *out)
{
    out->value = value;
    if (p->dense) {
        out->first = p->min;
        out->width = p->width;
        out->stride = (ptrdiff_t)row_value_size(p->values);
        out->row_stride = (ptrdiff_t)p->width * out->stride;
        put_dense(r, p, value);
    } else {
        out->start = memcpy(start, r->start, p->start_bytes);
        out->index = index;
        put_values(r, p->values, 0, r->entries, value);
        put_index(r, p->indices, index);
    }
}

perc_status block_from_rows(const struct env *e, struct slabs *slabs, const struct rows *r,
                            bool float32, struct block *out)
{
    struct block_plan p = { 0 };
    size_t size = 0;

    *out = (struct block){ .e = *e };
    plan_block(&p, r, float32);
    const size_t value = carve_bytes(&size, p.value_bytes),
                 start = carve_bytes(&size, p.start_bytes),
                 index = carve_bytes(&size, p.index_bytes),
                 label = carve_bytes(&size, p.label_bytes),
                 weight = carve_bytes(&size, p.weight_bytes),
                 line = carve_bytes(&size, p.line_bytes),
                 mantissa = carve_bytes(&size, p.mantissa_bytes),
                 exponent = carve_bytes(&size, p.exponent_bytes),
                 text = carve_bytes(&size, p.text_bytes);
    char *m = slabs != NULL ? slabs_take(slabs, size) : mem_array(e, size, 1);
    if (m == NULL) return PERC_ENOMEM;

    *out = (struct block){ .e = *e,
                           .memory = slabs != NULL ? NULL : m,
                           .memory_size = size,
                           .rows = r->n,
                           .first_line = r->n > 0 ? 1 + (int64_t)r->line[0] : 1,
                           .nonzeros = r->entries,
                           .columns = r->entries > 0 ? (uint64_t)p.max + 1 : 0,
                           .values = p.values,
                           .indices = p.indices,
                           .label = (uint32_t *)(void *)(m + label) };
    memcpy(out->label, r->label, p.label_bytes);
    put_entries(r, &p, m + value, m + start, m + index, out);
    if (r->weighted) out->weight = memcpy(m + weight, r->weight, p.weight_bytes);
    if (p.lines) {
        uint32_t *l = (uint32_t *)(void *)(m + line);
        for (size_t i = 0; i < r->n; i++) l[i] = r->line[i] - r->line[0];
        out->line = l;
    }
    if (p.digits)
        out->digits = put_digits(r, &p, (uint64_t *)(void *)(m + mantissa),
                                 (int32_t *)(void *)(m + exponent), m + text);
    return PERC_OK;
}
