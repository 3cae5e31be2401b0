/* blockfile.c -- writes a data set as it lies in memory; blockfile_read.c reads it.
 *
 * Reading text is parsing; a block file is read as it is. The blocks of a
 * data set are arrays already (block.h), so the file is those arrays in the
 * container of base/tensors.h, in the same narrow encodings; the layout stands in
 * blockfile.h. Nothing is converted, so that training from a block file gives the
 * bits of training from the text, and the same data set gives the same bytes.
 *
 * Not here    scaled data: the state of the scaling belongs to a model, so only
 *             data as they were read are written. */
#include "data/blockfile.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"

void blockfile_name(char name[TENSOR_NAME], size_t block, const char *what)
{
    snprintf(name, TENSOR_NAME, "b%zu.%s", block, what);
}

/* ----- writing ------------------------------------------------------------- */

/* The arrays of one block as the file wants them: rows back to back from entry 0.
 * Blocks made by our parsers are like that; borrowed ones (strides, 32-bit starts,
 * a slice of a larger matrix) are rearranged. */
struct packed {
    const void *value, *index;
    const uint64_t *start;
    uint64_t entries;
    unsigned char values;
};

static perc_status pack_dense(struct tensors *t, const struct block *b, struct packed *p)
{
    const size_t width = (size_t)b->width, n = b->rows * width;
    /* Ones are written too: what a file claims must be bounded by what it holds. */
    p->values = b->values == VALUES_ONES ? VALUES_U8 : b->values;
    const size_t vs = row_value_size(p->values);
    const bool tight = b->values != VALUES_ONES && b->stride == (ptrdiff_t)vs &&
                       b->row_stride == (ptrdiff_t)(width * vs);

    p->entries = n;
    p->value = b->value;
    if (tight || n == 0) return PERC_OK;
    char *out = tensors_keep(t, n, vs);
    if (out == NULL) return PERC_ENOMEM;
    p->value = out;
    if (b->values == VALUES_ONES) {
        memset(out, 1, n);
        return PERC_OK;
    }
    for (size_t i = 0; i < b->rows; i++) {
        const char *from = (const char *)b->value + (ptrdiff_t)i * b->row_stride;
        for (size_t k = 0; k < width; k++, from += b->stride, out += vs) memcpy(out, from, vs);
    }
    return PERC_OK;
}

static perc_status pack_sparse(struct tensors *t, const struct block *b, struct packed *p)
{
    const struct row first = block_row(b, 0);

    p->values = b->values;
    p->value = first.value;
    p->index = first.index;
    p->start = b->start;
    if (b->start == NULL || b->start[0] != 0) {
        uint64_t *start = tensors_keep(t, b->rows + 1, sizeof *start);
        if (start == NULL) return PERC_ENOMEM;
        for (size_t i = 0; i < b->rows; i++) start[i + 1] = start[i] + block_row(b, i).n;
        p->start = start;
    }
    p->entries = p->start[b->rows];
    return PERC_OK;
}

struct blockfile_writer {
    struct tensors t;
    uint64_t *fact;
    size_t n; /* blocks with rows */
};

static perc_status add_array(struct blockfile_writer *w, const char *what, enum dtype type,
                             const void *data, uint64_t count)
{
    char name[TENSOR_NAME];

    blockfile_name(name, w->n, what);
    return tensors_add(&w->t, name, type, data, count, 0);
}

static perc_status store_block(struct blockfile_writer *w, const struct block *b)
{
    struct packed p = { 0 };
    const bool dense = b->indices == INDEX_DENSE;
    perc_status st = dense ? pack_dense(&w->t, b, &p) : pack_sparse(&w->t, b, &p);

    if (!st && p.values != VALUES_ONES)
        st = add_array(w, "value", blockfile_values[p.values], p.value, p.entries);
    if (!st && !dense)
        st = add_array(w, "index", blockfile_indices[b->indices], p.index, p.entries);
    if (!st && !dense) st = add_array(w, "start", DTYPE_U64, p.start, (uint64_t)b->rows + 1);
    if (!st) st = add_array(w, "label", DTYPE_U32, b->label, b->rows);
    if (!st && b->weight != NULL) st = add_array(w, "weight", DTYPE_F64, b->weight, b->rows);
    if (!st && b->line != NULL && b->first_line > 0)
        st = add_array(w, "line", DTYPE_U32, b->line, b->rows);
    if (st) return st;

    uint64_t *fact = w->fact + w->n++ * FACTS;
    fact[FACT_ROWS] = b->rows;
    fact[FACT_VALUES] = p.values;
    fact[FACT_INDICES] = b->indices;
    fact[FACT_FIRST] = dense ? b->first : 0;
    fact[FACT_WIDTH] = dense ? b->width : 0;
    fact[FACT_FIRST_LINE] = (uint64_t)b->first_line;
    fact[FACT_COLUMNS] = b->columns;
    fact[FACT_NONZEROS] = dense ? b->nonzeros : p.entries;
    return PERC_OK;
}

perc_status blockfile_add_schema(struct tensors *t, const struct schema *s)
{
    struct text json;

    if (s->columns == 0 && s->hash_bits == 0) return PERC_OK;
    text_init(&json, &t->e);
    schema_to_json(s, &json);
    const perc_status st = json.oom ? PERC_ENOMEM : tensors_meta(t, "schema", json.s);
    text_free(&json);
    return st;
}

/* Of the set, or of its rows as they were read, whose levels may be other ones. */
static uint64_t columns_of(const perc_dataset *ds, const struct block *block)
{
    uint64_t columns = 0;

    if (ds->wide.columns == 0) return ds->columns;
    for (size_t k = 0; k < ds->blocks; k++)
        if (block[k].columns > columns) columns = block[k].columns;
    return columns;
}

perc_status blockfile_write(const perc_dataset *ds, const char *path, perc_error *err)
{
    struct blockfile_writer w = { 0 };
    struct tensors *t = &w.t;
    perc_status st = PERC_OK;

    /* What the columns say themselves is measured again by whoever reads it. */
    if (!transform_is_identity(&ds->transform) &&
        (ds->raw == NULL || ds->measured.scale != SCALE_NONE ||
         (ds->measured.fill && !schema_measures_gaps(&ds->schema))))
        return fail(err, PERC_EARG,
                    "scaled or filled data cannot be written as blocks: "
                    "convert them as they are, and scale when training");
    const struct block *block = ds->raw != NULL ? ds->raw : ds->block;
    const struct schema *schema = ds->wide.columns > 0 ? &ds->wide : &ds->schema;
    const uint64_t columns = columns_of(ds, block);
    tensors_init(&w.t, &ds->e);
    w.fact = tensors_keep(&w.t, ds->blocks, FACTS * sizeof *w.fact);
    if (w.fact == NULL) st = PERC_ENOMEM;
    for (size_t k = 0; k < ds->blocks && !st; k++)
        if (block[k].rows > 0) st = store_block(&w, &block[k]);
    if (!st && (tensors_meta(t, "format", BLOCKFILE_FORMAT) ||
                tensors_meta_int(t, "format_version", BLOCKFILE_VERSION) ||
                tensors_meta_int(t, "rows", (int64_t)ds->rows) ||
                tensors_meta_int(t, "columns", (int64_t)columns) ||
                tensors_meta_int(t, "index_base", ds->index_base) ||
                tensors_meta(t, "decimal",
                             "U32 values: m / 10^p, m bits 0-23, p bits 24-28, sign bit 29")))
        st = PERC_ENOMEM;
    if (!st && ds->schema.hash_bits > 0 &&
        (tensors_meta_int(t, "hashed", (int64_t)ds->hashed) ||
         tensors_meta_int(t, "collisions", (int64_t)ds->collisions)))
        st = PERC_ENOMEM;
    if (!st) st = tensors_add(t, "blocks", DTYPE_U64, w.fact, w.n, FACTS);
    if (!st) {
        /* ["-1","1"] */
        struct text json;
        struct json_out o = { .t = &json };
        text_init(&json, &w.t.e);
        json_open(&o, '[');
        for (size_t i = 0; i < ds->labels.n; i++) json_bytes(&o, ds->labels.at[i].text);
        json_close(&o, ']');
        st = json.oom ? PERC_ENOMEM : tensors_meta(&w.t, "labels", json.s);
        text_free(&json);
    }
    if (!st) st = blockfile_add_schema(&w.t, schema);
    st = st ? fail_memory(err) : tensors_write(&w.t, path, err);
    tensors_free(&w.t);
    return st;
}
