/* deal.c -- rows dealt out, each label evenly.
 *
 * The rows of each label are shuffled and laid out label after label. To deal k folds,
 * row number i of this layout goes to fold i mod k: the next label goes on where the last
 * one stopped. So the counts of a label in two folds differ by at most 1, and so do the
 * sizes of the folds. */
#include "model/deal.h"

#include <inttypes.h>

#include "base/rng.h"

static perc_status count(const perc_dataset *ds, uint64_t *start, perc_error *err)
{
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            if (b->label[i] == LABEL_NONE)
                return fail_at(err, PERC_EDATA, block_line(b, i), 0, "the row has no label");
            start[b->label[i] + 1]++;
        }
    }
    for (size_t c = 0; c < ds->labels.n; c++) start[c + 1] += start[c];
    return PERC_OK;
}

/* Each row to the place of its label; `next` moves on to where the label ends. */
static void lay_out(const perc_dataset *ds, uint64_t *next, uint64_t *row)
{
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) row[next[b->label[i]]++] = b->first_row + i;
    }
}

perc_status deal_open(const struct env *e, const perc_dataset *ds, uint64_t seed, uint64_t stream,
                      struct deal *d, perc_error *err)
{
    struct rng rng = rng_seed(seed, stream);
    perc_status st;

    *d = (struct deal){ .e = *e, .rows = ds->rows, .labels = ds->labels.n };
    d->row = mem_array(e, (size_t)d->rows, sizeof *d->row);
    d->start = mem_zeroed(e, d->labels + 1, sizeof *d->start);
    if (d->row == NULL || d->start == NULL) st = fail_memory(err);
    else st = count(ds, d->start, err);
    if (st) {
        deal_close(d);
        return st;
    }
    lay_out(ds, d->start, d->row);
    for (size_t c = d->labels; c > 0; c--) d->start[c] = d->start[c - 1];
    d->start[0] = 0;
    for (size_t c = 0; c < d->labels; c++)
        rng_shuffle(&rng, d->row + d->start[c], d->start[c + 1] - d->start[c]);
    return PERC_OK;
}

void deal_close(struct deal *d)
{
    mem_free(&d->e, d->row, (size_t)d->rows, sizeof *d->row);
    mem_free(&d->e, d->start, d->labels + 1, sizeof *d->start);
    *d = (struct deal){ .e = d->e };
}

/* The rarest label decides. One that no row has, as in a part of a larger set, is no
 * label here. */
static perc_status check_counts(const struct deal *d, const struct labels *l, size_t k,
                                perc_error *err)
{
    uint64_t least = UINT64_MAX;
    size_t rarest = 0;

    for (size_t c = 0; c < d->labels; c++) {
        const uint64_t n = d->start[c + 1] - d->start[c];
        if (n == 0 || n >= least) continue;
        least = n;
        rarest = c;
    }
    if (least >= k) return PERC_OK;
    return fail(err, PERC_EDATA,
                "label %s has %" PRIu64 " row%s: %zu folds need at least %zu (lower --folds)",
                l->at[rarest].text, least, least == 1 ? "" : "s", k, k);
}

perc_status deal_folds(const struct env *e, const perc_dataset *ds, size_t k, uint64_t seed,
                       uint32_t *fold, perc_error *err)
{
    struct deal d;
    perc_status st;

    if (k < 2)
        return fail(err, PERC_EARG, "%zu fold%s: at least 2 are needed", k, k == 1 ? "" : "s");
    if ((st = deal_open(e, ds, seed, DEAL_FOLDS, &d, err))) return st;
    st = check_counts(&d, &ds->labels, k, err);
    for (uint64_t i = 0; i < d.rows && !st; i++) fold[d.row[i]] = (uint32_t)(i % k);
    deal_close(&d);
    return st;
}

perc_status perc_folds(const perc_dataset *ds, size_t k, uint64_t seed, uint32_t *fold,
                       perc_error *err)
{
    return deal_folds(&ds->e, ds, k, seed, fold, err);
}
