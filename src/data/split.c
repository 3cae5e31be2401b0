/* split.c -- a data set in two parts, each label in proportion.
 *
 * Of the n_c rows with label c, floor(part n_c + 1/2) are held out. Which of them
 * is decided in one walk over the rows by selection sampling (Knuth, TAOCP 2,
 * 3.4.2, algorithm S): with `left` rows of the label still to come and `want` of
 * them still wanted, the next one is taken with probability want / left. Every
 * subset of the right size is equally likely, the rows keep their order, and
 * nothing but two counters a label is stored. Rows without a label are one more
 * class.
 *
 * The parts copy their rows, and keep what the set knows of itself: labels (with
 * the same numbers), names, index base, transforms, map, and the line of each row. What was
 * measured on the rows is measured again, on the rest alone: the rows held out are as a model of
 * the rest would read them. */
#include <math.h>

#include "data/draw.h"
#include "data/measure.h"
#include "data/renumber.h"
#include "vec/rng.h"

struct stratum {
    uint64_t left, want;
};

/* A part while its rows come in, a block of the set at a time. */
struct split_side {
    perc_dataset *ds;
    struct rows rows;
    int64_t first_line; /* of the block being filled */
};

static size_t stratum_of(const perc_dataset *ds, uint32_t label)
{
    return label != LABEL_NONE ? label : ds->labels.n;
}

static perc_status side_new(const perc_dataset *ds, const struct schema *schema, uint64_t columns,
                            struct split_side *p)
{
    perc_status st;

    rows_init(&p->rows, &ds->e);
    if ((st = dataset_new(&ds->e, &p->ds))) return st;
    if ((st = labels_copy(&ds->e, &ds->labels, &p->ds->labels))) return st;
    if ((st = schema_copy(&ds->e, schema, &p->ds->schema))) return st;
    if ((st = names_make(&ds->e, &p->ds->schema, &p->ds->names))) return st;
    if ((st = paths_copy(&ds->e, &ds->files, &p->ds->files))) return st;
    p->ds->index_base = ds->index_base;
    p->ds->columns = columns;
    p->ds->map = ds->map;
    p->ds->format = ds->format;
    p->ds->chosen = ds->chosen;
    return map_set_inputs(&p->ds->map, (uint64_t)ds->index_base, columns, NULL);
}

static void side_free(struct split_side *p)
{
    perc_dataset_free(p->ds);
    rows_free(&p->rows);
}

/* The rows collected become the part's next block. */
static perc_status close_block(struct split_side *p)
{
    const uint64_t columns = p->ds->columns;
    struct block b;
    perc_status st;

    if (p->rows.n == 0) return PERC_OK;
    if ((st = block_from_rows(&p->rows.e, NULL, &p->rows, false, &b))) return st;
    b.first_line = p->first_line;
    b.files = p->ds->files.n > 1 ? &p->ds->files : NULL;
    if ((st = dataset_append(p->ds, &b))) block_free(&b);
    p->ds->columns = columns;
    rows_reset(&p->rows);
    return st;
}

/* Rows that have groups or times are held out by those. */
static perc_status mark_grouped(const perc_dataset *ds, double part, uint64_t seed, uint8_t *rest,
                                perc_error *err)
{
    const double share = floor(part * (double)ds->rows + 0.5);
    uint32_t *label = mem_array(&ds->e, ds->rows, sizeof *label);
    const struct draw d = { .rows = ds->rows,
                            .want = share < 1 ? 1 : (uint64_t)share,
                            .seed = seed,
                            .label = label,
                            .labels = ds->labels.n + 1,
                            .group = ds->groups.of,
                            .groups = ds->groups.n,
                            .time = ds->groups.time,
                            .rest = true };
    uint64_t held;

    if (label == NULL) return fail_memory(err);
    for (size_t k = 0; k < ds->blocks; k++)
        for (size_t i = 0; i < ds->block[k].rows; i++)
            label[ds->block[k].first_row + i] = (uint32_t)stratum_of(ds, ds->block[k].label[i]);
    const perc_status st = draw_rows(&ds->e, &d, rest, &held, err);
    for (uint64_t i = 0; i < ds->rows && !st; i++) rest[i] = !rest[i];
    mem_free(&ds->e, label, ds->rows, sizeof *label);
    return st;
}

/* rest[i] = 0 for the rows that are held out. */
static perc_status mark_rows(const perc_dataset *ds, double part, uint64_t seed, uint8_t *rest,
                             perc_error *err)
{
    if (ds->groups.rows > 0) return mark_grouped(ds, part, seed, rest, err);
    struct rng rng = rng_seed(seed, 0);
    struct stratum *s = mem_zeroed(&ds->e, ds->labels.n + 1, sizeof *s);

    if (s == NULL) return fail_memory(err);
    /* The rows of each label, and how many to hold out. */
    for (size_t i = 0; i < ds->blocks; i++)
        for (size_t k = 0; k < ds->block[i].rows; k++)
            s[stratum_of(ds, ds->block[i].label[k])].left++;
    for (size_t c = 0; c <= ds->labels.n; c++)
        s[c].want = (uint64_t)floor(part * (double)s[c].left + 0.5);
    for (size_t i = 0; i < ds->blocks; i++)
        for (size_t k = 0; k < ds->block[i].rows; k++) {
            struct stratum *c = &s[stratum_of(ds, ds->block[i].label[k])];
            const bool hold = rng_below(&rng, c->left--) < c->want;
            if (hold) c->want--;
            *rest++ = !hold;
        }
    mem_free(&ds->e, s, ds->labels.n + 1, sizeof *s);
    return PERC_OK;
}

/* The parts keep the groups or times of their rows. */
static perc_status give_groups(const perc_dataset *ds, const uint8_t *rest,
                               struct split_side side[2])
{
    uint64_t *row = mem_array(&ds->e, ds->rows, sizeof *row);
    perc_status st = row == NULL ? PERC_ENOMEM : PERC_OK;

    for (int k = 0; k < 2 && !st && ds->groups.rows > 0; k++) {
        uint64_t n = 0;
        for (uint64_t i = 0; i < ds->rows; i++)
            if (rest[i] == !k) row[n++] = i;
        st = groups_choose(&ds->e, &ds->groups, row, n, &side[k].ds->groups);
    }
    mem_free(&ds->e, row, ds->rows, sizeof *row);
    return st;
}

/* side[0] gets the rest, side[1] what is held out. */
static perc_status deal_rows(const perc_dataset *ds, const uint8_t *rest, struct renumber *r,
                             struct split_side side[2])
{
    perc_status st;

    for (size_t i = 0; i < ds->blocks; i++) {
        const struct block *b = ds->raw != NULL ? &ds->raw[i] : &ds->block[i];
        for (size_t k = 0; k < b->rows; k++) {
            struct split_side *p = &side[!rest[b->first_row + k]];
            if (p->rows.n == 0) p->first_line = block_place(b, k);
            if ((st = renumber_row(r, b, k, p->first_line, &p->rows))) return st;
        }
        if ((st = close_block(&side[0])) || (st = close_block(&side[1]))) return st;
    }
    return give_groups(ds, rest, side);
}

/* Both sides as a model of the first will see them. */
static perc_status scale_sides(const perc_dataset *ds, struct split_side side[2], perc_error *err)
{
    perc_status st = PERC_OK;

    if (!ds->measured.yes && ds->raw == NULL) { /* the rows are copies of transformed ones */
        for (int k = 0; k < 2 && !st; k++)
            st = transform_copy(&ds->e, &ds->transform, &side[k].ds->transform);
        return st ? fail_memory(err) : PERC_OK;
    }
    if ((st = measure_settle(side[0].ds, false, err)) ||
        (st = measure_settle_as(side[1].ds, &side[0].ds->schema, side[0].ds->columns, err)))
        return st;
    for (int k = 0; k < 2 && !st; k++) st = measure_copy(ds, side[k].ds);
    if (!st) st = measure_rows(side[0].ds, NULL, err);
    if (!st) st = transform_copy(&ds->e, &side[0].ds->transform, &side[1].ds->transform);
    if (st == PERC_ENOMEM) fail_memory(err);
    if (!st) st = measure_apply(side[0].ds, true, err);
    return st ? st : measure_apply(side[1].ds, true, err);
}

perc_status perc_dataset_split(const perc_dataset *ds, double part, uint64_t seed,
                               perc_dataset **rest, perc_dataset **held, perc_error *err)
{
    NEED_OUT(rest);
    NEED_OUT(held);
    NEED(ds != NULL);
    const struct env e = ds->e;
    struct split_side p[2] = { 0 };
    struct renumber r = { .e = e };
    struct schema schema;
    perc_status st;

    if (!(part > 0 && part < 1))
        return fail(err, PERC_EARG, "the part held out must lie between 0 and 1");
    schema_init(&schema, &e);
    uint8_t *mark = mem_array(&e, (size_t)ds->rows, sizeof *mark);
    if (mark == NULL) st = fail_memory(err);
    else st = mark_rows(ds, part, seed, mark, err);
    if (st) goto done;
    if (!(st = renumber_open(&e, ds, mark, &r, &schema)) &&
        !(st = side_new(ds, &schema, r.columns, &p[0])) &&
        !(st = side_new(ds, &schema, r.columns, &p[1])))
        st = deal_rows(ds, mark, &r, p);
    if (st == PERC_ENOMEM) fail_memory(err);
    else if (st) fail(err, st, "a column above %lu cannot be copied", (unsigned long)UINT32_MAX);
    else if (p[0].ds->rows == 0 || p[1].ds->rows == 0)
        st = fail(err, PERC_EDATA, "%llu rows are too few to split this way",
                  (unsigned long long)ds->rows);
    else if (!(st = scale_sides(ds, p, err))) {
        *rest = p[0].ds; /* the caller's now */
        *held = p[1].ds;
        p[0].ds = p[1].ds = NULL;
    }
done:
    side_free(&p[0]);
    side_free(&p[1]);
    renumber_close(&r);
    schema_free(&schema);
    mem_free(&e, mark, (size_t)ds->rows, sizeof *mark);
    return st;
}
