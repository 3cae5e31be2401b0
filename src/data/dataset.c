/* dataset.c -- a data set in memory: a list of blocks and what they share. */
#include "data/dataset.h"

#include <string.h>

perc_status dataset_new(const struct env *e, perc_dataset **out)
{
    perc_dataset *ds = mem_zeroed(e, 1, sizeof *ds);

    *out = ds;
    if (ds == NULL) return PERC_ENOMEM;
    ds->e = *e;
    ds->format = "memory";
    labels_init(&ds->labels, e);
    schema_init(&ds->schema, e);
    schema_init(&ds->wide, e);
    return PERC_OK;
}

void perc_dataset_free(perc_dataset *ds)
{
    if (ds == NULL) return;
    const struct env e = ds->e;
    for (size_t i = 0; i < ds->blocks; i++) block_free(&ds->block[i]);
    for (size_t i = 0; i < ds->blocks && ds->raw != NULL; i++) block_free(&ds->raw[i]);
    mem_free(&e, ds->block, ds->cap, sizeof *ds->block);
    mem_free(&e, ds->raw, ds->cap, sizeof *ds->raw);
    groups_free(&ds->e, &ds->groups);
    labels_free(&ds->labels);
    schema_free(&ds->schema);
    schema_free(&ds->wide);
    transform_free(&ds->transform);
    transform_free(&ds->measured.start);
    mem_free(&e, ds->measured.column, ds->measured.columns, sizeof *ds->measured.column);
    slabs_free(ds->slabs);
    file_unmap(&ds->file);
    names_free(&ds->names);
    paths_free(&ds->files);
    mem_free(&e, ds, 1, sizeof *ds);
}

perc_status dataset_append(perc_dataset *ds, struct block *b)
{
    void *p = ds->block;

    if (!mem_grow(&ds->e, &p, &ds->cap, ds->blocks + 1, sizeof *ds->block)) return PERC_ENOMEM;
    ds->block = p;
    b->first_row = ds->rows;
    ds->rows += b->rows;
    ds->nonzeros += b->nonzeros;
    if (b->columns > ds->columns) ds->columns = b->columns;
    ds->block[ds->blocks++] = *b;
    *b = (struct block){ .e = ds->e };
    return PERC_OK;
}

perc_status dataset_sort_labels(perc_dataset *ds)
{
    uint32_t *map = mem_array(&ds->e, ds->labels.n, sizeof *map);

    if (map == NULL || labels_sort(&ds->labels, map)) {
        mem_free(&ds->e, map, ds->labels.n, sizeof *map);
        return PERC_ENOMEM;
    }
    for (size_t k = 0; k < ds->blocks; k++) {
        uint32_t *label = ds->block[k].label;
        for (size_t i = 0; i < ds->block[k].rows; i++)
            if (label[i] != LABEL_NONE) label[i] = map[label[i]];
    }
    mem_free(&ds->e, map, ds->labels.n, sizeof *map);
    return PERC_OK;
}

perc_status dataset_add_rows(perc_dataset *ds, const struct rows *r)
{
    struct block b;

    if (r->n == 0) return PERC_OK;
    if (block_from_rows(&ds->e, NULL, r, false, &b)) return PERC_ENOMEM;
    b.first_line = 0; /* rows without lines */
    perc_status st = labels_join(&ds->labels, &r->labels, b.label, b.rows, NULL);
    if (!st) st = dataset_append(ds, &b);
    block_free(&b);
    return st;
}

/* ----- looking at it ---------------------------------------------------------- */

const struct block *dataset_block(const perc_dataset *ds, uint64_t row, size_t *i)
{
    size_t lo = 0, hi = ds->blocks - 1;

    while (lo < hi) { /* the last block that starts at or before the row */
        const size_t mid = hi - (hi - lo) / 2;
        if (ds->block[mid].first_row <= row) lo = mid;
        else hi = mid - 1;
    }
    *i = (size_t)(row - ds->block[lo].first_row);
    return &ds->block[lo];
}

struct row dataset_row(const perc_dataset *ds, uint64_t row)
{
    size_t i;
    const struct block *b = dataset_block(ds, row, &i);

    return block_row(b, i);
}

static uint64_t feature_count(const perc_dataset *ds)
{
    const uint64_t base = (uint64_t)ds->index_base;
    const uint64_t named = schema_features(&ds->schema);
    const uint64_t used = ds->columns > base ? ds->columns - base : 0;

    return used > named ? used : named;
}

static const char *storage(const perc_dataset *ds)
{
    static const char *const name[] = { "ones", "u8", "decimal32", "float32", "float64" };

    if (ds->blocks == 0) return "none";
    for (size_t i = 1; i < ds->blocks; i++)
        if (ds->block[i].values != ds->block[0].values) return "mixed";
    return name[ds->block[0].values];
}

void perc_dataset_info_get_sized(const perc_dataset *ds, perc_dataset_info *out, size_t size)
{
    if (ds == NULL) {
        sized_copy(out, size, &(perc_dataset_info){ .rows = 0 }, sizeof *out);
        return;
    }
    perc_dataset_info info = { .rows = ds->rows,
                               .features = feature_count(ds),
                               .nonzeros = ds->nonzeros,
                               .bytes = ds->bytes,
                               .unchecked = ds->unchecked,
                               .index_base = ds->index_base,
                               .dense = ds->blocks > 0,
                               .labels = ds->labels.n,
                               .format = ds->format,
                               .storage = storage(ds),
                               .seconds = ds->seconds,
                               .unknown = ds->unknown,
                               .ignored = ds->ignored,
                               .dropped = ds->dropped,
                               .filled = ds->filled,
                               .files = ds->files.n,
                               .hashed = ds->hashed,
                               .collisions = ds->collisions };
    for (size_t i = 0; i < ds->blocks; i++) {
        info.memory += ds->block[i].memory_size;
        if (ds->block[i].indices != INDEX_DENSE) info.dense = 0;
    }
    if (!ds->file.mapped) info.memory += ds->file.size;
    memcpy(info.note, ds->note, sizeof info.note);
    sized_copy(out, size, &info, sizeof info);
}

void perc_dataset_scaling_sized(const perc_dataset *ds, perc_scaling *out, size_t size)
{
    perc_scaling s = { .how = "none" };

    if (ds != NULL) {
        transform_option(&ds->transform, s.how);
        s.chosen = ds->chosen;
        s.numbers = ds->choice.numbers;
        s.standard = ds->choice.standard;
        s.divided = ds->choice.divided;
        s.binary = ds->choice.binary;
        s.large = ds->choice.large;
    }
    sized_copy(out, size, &s, sizeof s);
}

int perc_dataset_column_sized(const perc_dataset *ds, size_t i, perc_column *out, size_t size)
{
    perc_column own;
    const bool there = schema_describe(ds != NULL ? &ds->schema : NULL, i, &own);

    sized_copy(out, size, &own, sizeof own);
    return there;
}

const char *perc_dataset_label(const perc_dataset *ds, size_t i)
{
    return ds != NULL && i < ds->labels.n ? ds->labels.at[i].text : NULL;
}

int perc_dataset_row_label(const perc_dataset *ds, uint64_t row)
{
    size_t i;

    if (ds == NULL || row >= ds->rows) return -1;
    const struct block *b = dataset_block(ds, row, &i);
    return b->label[i] == LABEL_NONE ? -1 : (int)b->label[i];
}

double perc_dataset_row_weight(const perc_dataset *ds, uint64_t row)
{
    size_t i;

    if (ds == NULL || row >= ds->rows) return 0;
    const struct block *b = dataset_block(ds, row, &i);
    return block_weight(b, i);
}

int64_t perc_dataset_row_line(const perc_dataset *ds, uint64_t row)
{
    size_t i;

    if (ds == NULL || row >= ds->rows) return 0;
    const struct block *b = dataset_block(ds, row, &i);
    return block_line(b, i);
}

const char *perc_dataset_row_file(const perc_dataset *ds, uint64_t row)
{
    size_t i;

    if (ds == NULL || row >= ds->rows) return NULL;
    const struct block *b = dataset_block(ds, row, &i);
    return block_file(b, i);
}

perc_status dataset_blame(const perc_dataset *ds, uint64_t row, perc_status st, perc_error *err)
{
    size_t i;
    const struct block *b = dataset_block(ds, row, &i);

    return block_blame(b, i, st, err);
}

void perc_dataset_row(const perc_dataset *ds, uint64_t row, double *x)
{
    if (ds == NULL || x == NULL) return;
    const uint64_t base = (uint64_t)ds->index_base, n = feature_count(ds);

    for (uint64_t j = 0; j < n; j++) x[j] = 0;
    if (row >= ds->rows) return;
    const struct row r = dataset_row(ds, row);
    for (size_t k = 0; k < r.n; k++) {
        const uint64_t j = row_column(&r, k);
        if (j >= base && j - base < n) x[j - base] = row_value(&r, k);
    }
}

const char *perc_dataset_kept(const perc_dataset *ds, uint64_t row, size_t k)
{
    if (ds == NULL || ds->carry == NULL || row >= ds->rows || k >= ds->carry->n) return NULL;
    return ds->carried->text.s + ds->carried->at[row * ds->carry->n + k];
}

const char *perc_dataset_kept_name(const perc_dataset *ds, size_t k)
{
    return ds != NULL && ds->carry != NULL ? carry_name(ds->carry, k) : NULL;
}

const char *perc_dataset_feature(const perc_dataset *ds, uint64_t j)
{
    return ds != NULL && j < ds->names.n ? ds->names.at[j] : NULL;
}
