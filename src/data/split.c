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
 * the same numbers), names, index base, transforms, map, and the line of each row. */
#include <math.h>
#include <string.h>

#include "data/dataset.h"
#include "data/draw.h"
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

static perc_status side_new(const perc_dataset *ds, struct split_side *p)
{
    perc_status st;

    rows_init(&p->rows, &ds->e);
    if ((st = dataset_new(&ds->e, &p->ds))) return st;
    if ((st = labels_copy(&ds->e, &ds->labels, &p->ds->labels))) return st;
    if ((st = schema_copy(&ds->e, &ds->schema, &p->ds->schema))) return st;
    if ((st = names_make(&ds->e, &p->ds->schema, &p->ds->names))) return st;
    if ((st = transform_copy(&ds->e, &ds->transform, &p->ds->transform))) return st;
    p->ds->index_base = ds->index_base;
    p->ds->map = ds->map;
    p->ds->format = ds->format;
    return PERC_OK;
}

static void side_free(struct split_side *p)
{
    perc_dataset_free(p->ds);
    rows_free(&p->rows);
}

/* Row i of b, entry by entry, in the encoding it has where that is a decimal. */
static perc_status copy_row(struct split_side *p, const struct block *b, size_t i)
{
    const struct row x = block_row(b, i);
    /* A dense block may store zeros that nobody gave: those are left out. */
    const bool holes = b->indices == INDEX_DENSE && b->nonzeros < b->rows * b->width;
    struct rows *r = &p->rows;
    uint32_t packed;

    if (!rows_reserve(r, 1, x.n)) return PERC_ENOMEM;
    if (r->n == 0) p->first_line = block_line(b, i);
    for (size_t k = 0; k < x.n; k++) {
        const uint64_t column = row_column(&x, k);
        const double v = row_value(&x, k);
        if (column > UINT32_MAX) return PERC_EDATA;
        if (holes && v == 0) continue;
        if (x.values == VALUES_DEC) {
            memcpy(&packed, (const char *)x.value + (ptrdiff_t)k * x.stride, sizeof packed);
            rows_put_decimal(r, (uint32_t)column, packed);
        } else {
            rows_put(r, (uint32_t)column, v);
        }
    }
    rows_end(r, b->label[i], block_weight(b, i), (uint32_t)(block_line(b, i) - p->first_line));
    return PERC_OK;
}

/* The rows collected become the part's next block. */
static perc_status close_block(struct split_side *p)
{
    struct block b;
    perc_status st;

    if (p->rows.n == 0) return PERC_OK;
    if ((st = block_from_rows(&p->rows.e, NULL, &p->rows, false, &b))) return st;
    b.first_line = p->first_line;
    if ((st = dataset_append(p->ds, &b))) block_free(&b);
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
static perc_status deal_rows(const perc_dataset *ds, const uint8_t *rest, struct split_side side[2])
{
    perc_status st;

    for (size_t i = 0; i < ds->blocks; i++) {
        const struct block *b = &ds->block[i];
        for (size_t k = 0; k < b->rows; k++) {
            if ((st = copy_row(&side[!rest[b->first_row + k]], b, k))) return st;
        }
        if ((st = close_block(&side[0])) || (st = close_block(&side[1]))) return st;
    }
    side[0].ds->columns = side[1].ds->columns = ds->columns;
    return give_groups(ds, rest, side);
}

perc_status perc_dataset_split(const perc_dataset *ds, double part, uint64_t seed,
                               perc_dataset **rest, perc_dataset **held, perc_error *err)
{
    NEED_OUT(rest);
    NEED_OUT(held);
    NEED(ds != NULL);
    const struct env e = ds->e;
    struct split_side p[2] = { 0 };
    uint8_t *mark = NULL;
    perc_status st;

    if (!(part > 0 && part < 1))
        return fail(err, PERC_EARG, "the part held out must lie between 0 and 1");
    if ((mark = mem_array(&e, ds->rows, sizeof *mark)) == NULL) return fail_memory(err);
    if ((st = mark_rows(ds, part, seed, mark, err))) goto done;
    if ((st = side_new(ds, &p[0])) || (st = side_new(ds, &p[1])) || (st = deal_rows(ds, mark, p))) {
        st = st == PERC_ENOMEM
                 ? fail_memory(err)
                 : fail(err, st, "a column above %lu cannot be copied", (unsigned long)UINT32_MAX);
        goto done;
    }
    if (p[0].ds->rows == 0 || p[1].ds->rows == 0) {
        st = fail(err, PERC_EDATA, "%llu rows are too few to split this way",
                  (unsigned long long)ds->rows);
        goto done;
    }
    *rest = p[0].ds; /* the caller's now */
    *held = p[1].ds;
    p[0].ds = p[1].ds = NULL;
done:
    side_free(&p[0]);
    side_free(&p[1]);
    mem_free(&e, mark, ds->rows, sizeof *mark);
    return st;
}
