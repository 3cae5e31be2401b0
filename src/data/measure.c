/* measure.c -- what is measured on the rows of a data set, and on some of them alone.
 *
 * A part is a set with all rows of the whole: those that are judged by what was measured on the
 * others must look as they would to that model. Its blocks borrow from those that were read until
 * they are renumbered or transformed, which gives them memory of their own. */
#include "data/measure.h"

#include <string.h>

#include "base/threads.h"
#include "data/levels.h"
#include "data/renumber.h"
#include "data/vw.h"

bool measure_is_table(const perc_dataset *ds)
{
    return strcmp(ds->format, "csv") == 0 || strcmp(ds->format, "jsonl") == 0;
}

bool measure_matters(const perc_dataset *ds, bool plain)
{
    const bool whole = ds->transform.scale == SCALE_UNIT || ds->map.bits > 0;

    return ds->measured.yes || (renumber_is_needed(&ds->schema) && (whole || !plain));
}

/* ----- measuring ------------------------------------------------------------------------ */

static const struct block *blocks_read(const perc_dataset *ds)
{
    return ds->raw != NULL ? ds->raw : ds->block;
}

/* The columns of a table, some of which are numbers, and some not. */
static const struct schema *told_of(const perc_dataset *ds)
{
    return ds->schema.columns > 0 && !vw_is_schema(&ds->schema) ? &ds->schema : NULL;
}

perc_status measure_rows(perc_dataset *ds, const uint8_t *chosen, perc_error *err)
{
    const struct measure *how = &ds->measured;
    const struct schema *told = told_of(ds);
    /* Settled rows are not transformed yet, and have the features of the set. */
    const struct block *from = ds->wide.columns > 0 ? ds->block : blocks_read(ds);
    perc_status st = PERC_OK;

    transform_free(&ds->transform);
    if (how->scale == SCALE_AUTO)
        st = transform_choose(&ds->e, from, ds->blocks, chosen, ds->columns, ds->schema.numeric,
                              how->fill, told, &ds->transform, &ds->choice, err);
    else if (how->scale != SCALE_NONE || how->fill || transform_is_told(told, how->scale))
        st = transform_fit(&ds->e, from, ds->blocks, chosen, ds->columns, ds->index_base,
                           how->scale, how->by, how->fill, told, &ds->transform, err);
    if (st || how->column == NULL) return st;
    return transform_adopt(&ds->transform, &how->start, how->column, ds->columns) ? fail_memory(err)
                                                                                  : PERC_OK;
}

perc_status measure_find_scale(const perc_dataset *ds, enum scale *scale, perc_error *err)
{
    perc_dataset probe = *ds;
    perc_status st;

    *scale = ds->measured.scale;
    if (!ds->measured.model || *scale != SCALE_STANDARD || !measure_is_table(ds)) return PERC_OK;
    probe.transform = (struct transform){ .e = ds->e };
    probe.measured.scale = SCALE_AUTO;
    if (!(st = measure_rows(&probe, NULL, err)) && transform_same(&probe.transform, &ds->transform))
        *scale = SCALE_AUTO;
    transform_free(&probe.transform);
    return st;
}

/* ----- applying ------------------------------------------------------------------------- */

struct applying {
    perc_dataset *ds;
    perc_status *st; /* by block */
    perc_error *err;
};

static void apply_one(void *ud, uint64_t i)
{
    const struct applying *a = ud;

    a->st[i] = transform_block(&a->ds->e, &a->ds->transform, &a->ds->block[i], &a->err[i]);
}

/* The blocks stay as they were read, and what is transformed are copies of them that borrow. */
static perc_status keep_raw(perc_dataset *ds)
{
    struct block *copy = mem_array(&ds->e, ds->cap, sizeof *copy);

    if (copy == NULL) return PERC_ENOMEM;
    memcpy(copy, ds->block, ds->blocks * sizeof *copy);
    for (size_t i = 0; i < ds->blocks; i++) copy[i].memory = NULL;
    ds->raw = ds->block;
    ds->block = copy;
    return PERC_OK;
}

perc_status measure_apply(perc_dataset *ds, bool keep, perc_error *err)
{
    const struct env *e = &ds->e;
    struct applying a = { ds, NULL, NULL };
    bool sparse = false;
    perc_status st = PERC_OK;

    if (transform_is_identity(&ds->transform)) return PERC_OK;
    for (size_t i = 0; i < ds->blocks; i++) sparse |= ds->block[i].indices != INDEX_DENSE;
    if (sparse && (st = transform_dense_fits(&ds->transform, ds->rows, err))) return st;
    a.st = mem_zeroed(e, ds->blocks, sizeof *a.st);
    a.err = mem_zeroed(e, ds->blocks, sizeof *a.err);
    keep = keep && (ds->measured.yes || renumber_is_needed(&ds->schema));
    if (a.st == NULL || a.err == NULL || (keep && ds->raw == NULL && keep_raw(ds)))
        st = fail_memory(err);
    else threads_each(e->threads, ds->blocks, apply_one, &a);
    ds->nonzeros = 0;
    for (size_t i = 0; i < ds->blocks && !st; i++) {
        ds->nonzeros += ds->block[i].nonzeros;
        if ((st = a.st[i]) && err != NULL) *err = a.err[i];
    }
    mem_free(e, a.st, ds->blocks, sizeof *a.st);
    mem_free(e, a.err, ds->blocks, sizeof *a.err);
    return st;
}

/* ----- parts ---------------------------------------------------------------------------- */

/* n blocks with the features that r says, in their own memory or that of the given. */
static perc_status change_blocks(struct renumber *r, const struct block *from, size_t n,
                                 perc_dataset *to)
{
    to->nonzeros = 0;
    for (to->blocks = 0; to->blocks < n; to->blocks++, from++) {
        struct block *b = &to->block[to->blocks];
        if (!r->same && renumber_block(r, from, b)) return PERC_ENOMEM;
        if (r->same) *b = *from, b->e = r->e, b->memory = NULL;
        to->nonzeros += b->nonzeros;
    }
    return PERC_OK;
}

/* A set with the rows of ds as they were read, their features as r says. */
static perc_status part_new(const struct env *e, const perc_dataset *ds, struct renumber *r,
                            perc_dataset **out)
{
    const struct block *from = blocks_read(ds);
    perc_dataset *part;

    if (dataset_new(e, &part)) return PERC_ENOMEM;
    *out = part; /* the caller frees it, whatever happens */
    part->rows = ds->rows;
    part->columns = r->columns;
    part->index_base = ds->index_base;
    part->format = ds->format;
    part->map = ds->map;
    part->cap = ds->blocks;
    part->block = mem_array(e, part->cap, sizeof *part->block);
    if (part->block == NULL || labels_copy(e, &ds->labels, &part->labels)) return PERC_ENOMEM;
    return change_blocks(r, from, ds->blocks, part);
}

/* The rows of ds get the features that r says, and *schema, which it owns then; those that were
 * read stay. */
static perc_status settle_rows(perc_dataset *ds, struct renumber *r, struct schema *schema)
{
    struct block *read = ds->block;
    const size_t n = ds->blocks;

    ds->block = mem_zeroed(&ds->e, ds->cap, sizeof *ds->block);
    if (ds->block == NULL) {
        ds->block = read;
        return PERC_ENOMEM;
    }
    ds->raw = read;
    ds->wide = ds->schema;
    ds->schema = *schema;
    schema_init(schema, &ds->e);
    ds->columns = r->columns;
    const perc_status st = change_blocks(r, read, n, ds);
    ds->blocks = n; /* those that could not be made are empty */
    return st;
}

perc_status measure_settle(perc_dataset *ds, bool strict, perc_error *err)
{
    struct renumber r;
    struct schema schema;
    perc_status st;

    if (!levels_are_measured(&ds->schema)) return PERC_OK;
    schema_init(&schema, &ds->e);
    st = renumber_to(&ds->e, &ds->schema, &ds->schema, &r);
    r.columns = ds->columns;
    if (st || (st = schema_copy(&ds->e, &ds->schema, &schema))) fail_memory(err);
    else st = renumber_settle(&r, ds, NULL, strict, &schema, err);
    if (!st && settle_rows(ds, &r, &schema)) st = fail_memory(err);
    renumber_close(&r);
    schema_free(&schema);
    return st;
}

perc_status measure_settle_as(perc_dataset *ds, const struct schema *schema, uint64_t columns,
                              perc_error *err)
{
    struct renumber r;
    struct schema own;
    perc_status st;

    if (!levels_are_measured(&ds->schema)) return PERC_OK;
    schema_init(&own, &ds->e);
    st = renumber_to(&ds->e, &ds->schema, schema, &r);
    r.columns = columns;
    r.same &= columns == ds->columns;
    if (!st) st = schema_copy(&ds->e, schema, &own);
    if (!st) st = settle_rows(ds, &r, &own);
    renumber_close(&r);
    schema_free(&own);
    return st ? fail_memory(err) : PERC_OK;
}

perc_status measure_copy(const perc_dataset *ds, perc_dataset *part)
{
    const struct measure *how = &ds->measured;
    struct measure *own = &part->measured;
    struct renumber r;

    own->yes = how->yes;
    own->model = how->model;
    own->scale = how->scale;
    own->by = how->by;
    own->fill = how->fill;
    if (how->column == NULL) return PERC_OK;
    own->column = mem_array(&part->e, (size_t)part->columns, sizeof *own->column);
    own->columns = part->columns;
    if (own->column == NULL || transform_copy(&part->e, &how->start, &own->start) ||
        renumber_to(&part->e, &ds->schema, &part->schema, &r))
        return PERC_ENOMEM;
    for (uint64_t j = 0; j < part->columns; j++) own->column[j] = UINT64_MAX;
    for (uint64_t j = 0; j < how->columns; j++) {
        const uint64_t to = renumber_column(&r, j);
        if (to < part->columns) own->column[to] = how->column[j];
    }
    renumber_close(&r);
    return PERC_OK;
}

perc_status measure_part(const struct env *e, const perc_dataset *ds, const uint8_t *chosen,
                         perc_dataset **out, perc_error *err)
{
    struct renumber r;
    struct schema schema;
    perc_dataset *part = NULL;
    perc_status st;

    *out = NULL;
    schema_init(&schema, e);
    st = renumber_open(e, ds, chosen, &r, &schema);
    if (!st && levels_are_measured(&schema))
        st = renumber_settle(&r, ds, chosen, false, &schema, NULL);
    if (!st) st = part_new(e, ds, &r, &part);
    if (!st) {
        part->schema = schema; /* it owns it now */
        schema_init(&schema, e);
        st = measure_copy(ds, part);
    }
    if (st) fail_memory(err);
    else if (!(st = map_set_inputs(&part->map, (uint64_t)part->index_base, part->columns, err)) &&
             !(st = measure_rows(part, chosen, err)))
        st = measure_apply(part, false, err);
    renumber_close(&r);
    schema_free(&schema);
    if (st) perc_dataset_free(part);
    else *out = part;
    return st;
}

perc_status measure_like(const struct env *e, const perc_dataset *part, const perc_dataset *from,
                         perc_dataset **out, perc_error *err)
{
    struct renumber r;
    perc_dataset *like = NULL;
    perc_status st = renumber_to(e, renumber_schema(from), &part->schema, &r);

    *out = NULL;
    r.columns = part->columns;
    if (!st) st = part_new(e, from, &r, &like);
    if (!st) st = transform_copy(e, &part->transform, &like->transform);
    if (!st) like->map = part->map;
    if (st) fail_memory(err);
    else st = measure_apply(like, false, err);
    renumber_close(&r);
    if (st) perc_dataset_free(like);
    else *out = like;
    return st;
}
