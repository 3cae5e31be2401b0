/* renumber.c -- the features that a part of a table has.
 *
 * A reader numbers the levels and words of a file in the order in which it meets them (schema.c).
 * Here the rows of the part are met in the same order, and within a row column by column of the
 * table: so the numbers are those of a file of these rows, and what is computed from them has the
 * same bits. Words of one cell that are new together keep the order that they have in the whole
 * table: where they stand in the cell is not known any more. */
#include "data/renumber.h"

#include <string.h>

#include "data/levels.h"

const struct schema *renumber_schema(const perc_dataset *ds)
{
    return ds->wide.columns > 0 ? &ds->wide : &ds->schema;
}

bool renumber_is_needed(const struct schema *s)
{
    return s->hash_bits == 0 && s->categories > 0;
}

void renumber_close(struct renumber *r)
{
    mem_free(&r->e, r->to, r->n, sizeof *r->to);
    bag_free(&r->keys);
    *r = (struct renumber){ .e = r->e };
}

/* A set has as many columns as its rows use. */
static void count_columns(struct renumber *r, const struct row *x)
{
    bool number = false;

    for (size_t k = x->n; k > 0 && !number; k--) {
        const uint64_t column = renumber_column(r, row_column(x, k - 1));
        number = row_column(x, k - 1) < r->numeric;
        if (column != UINT64_MAX && column >= r->columns && (number || row_value(x, k - 1) != 0))
            r->columns = column + 1;
    }
}

/* Gives the next numbers to what row x is the first to have. */
static perc_status meet_row(struct renumber *r, const struct schema *of, const struct row *x,
                            struct schema *schema)
{
    r->keys.n = 0;
    for (size_t k = x->n; k > 0 && row_column(x, k - 1) >= r->numeric; k--) {
        const size_t j = (size_t)row_column(x, k - 1) - r->numeric;
        if (j >= r->n || r->to[j] != UINT32_MAX || row_value(x, k - 1) == 0) continue;
        if (!bag_put(&r->keys, (uint64_t)of->category[j].column << 32 | j)) return PERC_ENOMEM;
    }
    if (r->keys.n > 0 && !bag_sort(&r->keys)) return PERC_ENOMEM;
    for (size_t i = 0; i < r->keys.n; i++) {
        const size_t j = r->keys.key[i] & UINT32_MAX;
        if (schema_add_level(schema, &of->category[j], &r->to[j])) return PERC_ENOMEM;
    }
    count_columns(r, x);
    return PERC_OK;
}

perc_status renumber_open(const struct env *e, const perc_dataset *ds, const uint8_t *chosen,
                          struct renumber *r, struct schema *schema)
{
    const struct schema *of = renumber_schema(ds);
    const struct block *b = ds->raw != NULL ? ds->raw : ds->block;
    const struct block *const end = b + ds->blocks;
    perc_status st = PERC_OK;

    *r = (struct renumber){ .e = *e, .same = true, .columns = ds->columns };
    bag_init(&r->keys, e);
    if (!renumber_is_needed(of)) return schema_copy(e, of, schema);
    r->numeric = of->numeric;
    r->n = of->categories;
    r->to = mem_array(e, r->n, sizeof *r->to);
    if (r->to == NULL || schema_copy_columns(e, of, schema)) return PERC_ENOMEM;
    r->same = false; /* until all is known */
    r->columns = 0;
    for (size_t j = 0; j < r->n; j++) r->to[j] = UINT32_MAX;
    /* What the treatment of a column asks for is there without a row, before all that is met. */
    for (size_t j = 0; j < r->n && of->category[j].special != SCHEMA_TEXT; j++)
        if (schema_add_level(schema, &of->category[j], &r->to[j])) return PERC_ENOMEM;
    for (; b < end; b++)
        for (size_t i = 0; i < b->rows && !st; i++) {
            const struct row x = block_row(b, i);
            if (chosen[b->first_row + i]) st = meet_row(r, of, &x, schema);
        }
    r->same = r->columns == ds->columns && ds->wide.columns == 0;
    for (size_t j = 0; j < r->n; j++) r->same &= r->to[j] == of->category[j].feature;
    return st;
}

perc_status renumber_to(const struct env *e, const struct schema *from, const struct schema *to,
                        struct renumber *r)
{
    *r = (struct renumber){ .e = *e, .same = true };
    bag_init(&r->keys, e);
    if (!renumber_is_needed(from)) return PERC_OK;
    r->numeric = from->numeric;
    if ((r->to = mem_array(e, from->categories, sizeof *r->to)) == NULL) return PERC_ENOMEM;
    r->n = from->categories;
    for (size_t j = 0; j < r->n; j++) {
        r->to[j] = levels_find(to, &from->category[j]);
        r->same &= r->to[j] == from->category[j].feature;
    }
    return PERC_OK;
}

/* ----- levels ---------------------------------------------------------------------------- */

/* Counts the rows of each of n levels, by its feature. A block file may have other columns. */
static void count_levels(const struct renumber *r, const struct row *x, size_t n, uint64_t *rows)
{
    for (size_t k = x->n; k > 0 && row_column(x, k - 1) >= r->numeric; k--) {
        const uint64_t j = renumber_column(r, row_column(x, k - 1));
        if (j - r->numeric < n && row_value(x, k - 1) != 0) rows[j - r->numeric]++;
    }
}

/* Counts the levels of the chosen rows, or, without `rows`, their columns. */
static void count_rows(struct renumber *r, const perc_dataset *ds, const uint8_t *chosen,
                       size_t levels, uint64_t *rows)
{
    const struct block *b = ds->raw != NULL ? ds->raw : ds->block;
    const struct block *const end = b + ds->blocks;

    for (; b < end; b++)
        for (size_t i = 0; i < b->rows; i++) {
            const struct row x = block_row(b, i);
            if (chosen != NULL && !chosen[b->first_row + i]) continue;
            if (rows != NULL) count_levels(r, &x, levels, rows);
            else count_columns(r, &x);
        }
}

perc_status renumber_settle(struct renumber *r, const perc_dataset *ds, const uint8_t *chosen,
                            bool strict, struct schema *schema, perc_error *err)
{
    const struct env *e = &r->e;
    const size_t n = schema->categories;
    struct renumber next = { .e = *e };
    struct schema settled;
    uint64_t *rows = mem_zeroed(e, n, sizeof *rows);
    perc_status st = rows == NULL ? fail_memory(err) : PERC_OK;

    schema_init(&settled, e);
    if (!st) count_rows(r, ds, chosen, n, rows);
    if (!st) st = levels_settle(e, schema, rows, strict, &settled, err);
    if (!st && renumber_to(e, renumber_schema(ds), &settled, &next)) st = fail_memory(err);
    mem_free(e, rows, n, sizeof *rows);
    if (st) {
        renumber_close(&next);
        schema_free(&settled);
        return st;
    }
    schema_free(schema);
    *schema = settled;
    renumber_close(r);
    *r = next;
    count_rows(r, ds, chosen, 0, NULL);
    r->same &= r->columns == ds->columns && ds->wide.columns == 0;
    return PERC_OK;
}

/* ----- rows ------------------------------------------------------------------------------ */

/* Entry k of x, as column j. */
static void put_entry(const struct row *x, size_t k, uint32_t j, struct rows *out)
{
    uint32_t packed;

    if (x->values != VALUES_DEC) {
        rows_put(out, j, row_value(x, k));
        return;
    }
    memcpy(&packed, (const char *)x->value + (ptrdiff_t)k * x->stride, sizeof packed);
    rows_put_decimal(out, j, packed);
}

perc_status renumber_row(struct renumber *r, const struct block *b, size_t i, int64_t first_line,
                         struct rows *out)
{
    const struct row x = block_row(b, i);
    /* A dense block may store zeros that nobody gave: those are left out. */
    const bool holes = b->indices == INDEX_DENSE && b->nonzeros < b->rows * b->width;
    size_t k = 0;

    if (!rows_reserve(out, 1, x.n)) return PERC_ENOMEM;
    r->keys.n = 0;
    for (; k < x.n && (r->same || row_column(&x, k) < r->numeric); k++) {
        const uint64_t j = row_column(&x, k);
        if (j > UINT32_MAX) return PERC_EDATA;
        if (!holes || row_value(&x, k) != 0) put_entry(&x, k, (uint32_t)j, out);
    }
    for (; k < x.n; k++) {
        const uint64_t to = renumber_column(r, row_column(&x, k));
        if (to == UINT64_MAX || (holes && row_value(&x, k) == 0)) continue;
        if (!bag_put(&r->keys, to << 32 | k)) return PERC_ENOMEM;
    }
    if (r->keys.n > 0 && !bag_sort(&r->keys)) return PERC_ENOMEM;
    for (size_t n = 0; n < r->keys.n; n++)
        put_entry(&x, r->keys.key[n] & UINT32_MAX, (uint32_t)(r->keys.key[n] >> 32), out);
    rows_end(out, b->label[i], block_weight(b, i), (uint32_t)(block_place(b, i) - first_line));
    return PERC_OK;
}

perc_status renumber_block(struct renumber *r, const struct block *b, struct block *out)
{
    const int64_t first_line = b->rows > 0 ? block_place(b, 0) : 0;
    struct rows rows;
    perc_status st = PERC_OK;

    rows_init(&rows, &r->e);
    for (size_t i = 0; i < b->rows && !st; i++) st = renumber_row(r, b, i, first_line, &rows);
    if (!st) st = block_from_rows(&r->e, NULL, &rows, false, out);
    rows_free(&rows);
    if (st) return PERC_ENOMEM; /* a table has no column beyond UINT32_MAX */
    out->first_row = b->first_row;
    out->first_line = first_line;
    out->files = b->files;
    return PERC_OK;
}
