/* deal.c -- rows dealt out, each label evenly.
 *
 * The rows of each label are shuffled and laid out label after label, of each label first
 * those of weight > 0. To deal k folds, row number i of this layout goes to fold i mod k:
 * the next label goes on where the last one stopped. So the counts of a label in two folds
 * differ by at most 1, those of its rows of weight > 0 too, and so do the sizes of the
 * folds. Every fold needs a row of weight > 0 of each class: then no model is without one.
 *
 * With "positive" all other labels are one class, and of these some may have fewer rows
 * than there are folds. Such rare labels come last, one after the other, again first their
 * rows of weight > 0: if there are k of those in all, every fold has one of the class. */
#include "model/deal.h"

#include <inttypes.h>
#include <string.h>

#include "model/model.h"
#include "vec/rng.h"

/* The pile of a row: those of weight > 0 of label c are pile 2 c, the others pile 2 c + 1. */
static size_t pile_of(const struct block *b, size_t i)
{
    return 2 * (size_t)b->label[i] + !(block_weight(b, i) > 0);
}

perc_status deal_open(const struct env *e, const perc_dataset *ds, uint64_t seed, uint64_t stream,
                      struct deal *d, perc_error *err)
{
    struct rng rng = rng_seed(seed, stream);
    perc_status st;

    *d = (struct deal){ .pool.e = *e, .rows = ds->rows, .piles = 2 * ds->labels.n };
    d->row = pool_array(&d->pool, d->rows, sizeof *d->row);
    d->start = pool_zeroed(&d->pool, d->piles + 1, sizeof *d->start);
    st = d->pool.failed ? fail_memory(err) : model_check_labels(ds->block, ds->blocks, err);
    if (st) {
        deal_close(d);
        return st;
    }
    for (size_t k = 0; k < ds->blocks; k++)
        for (size_t i = 0; i < ds->block[k].rows; i++) d->start[pile_of(&ds->block[k], i) + 1]++;
    for (size_t c = 0; c < d->piles; c++) d->start[c + 1] += d->start[c];
    /* Put each row into its pile; start[] of the pile moves on to its end as it fills. */
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) d->row[d->start[pile_of(b, i)]++] = b->first_row + i;
    }
    for (size_t c = d->piles; c > 0; c--) d->start[c] = d->start[c - 1];
    d->start[0] = 0;
    for (size_t c = 0; c < d->piles; c++)
        rng_shuffle(&rng, d->row + d->start[c], d->start[c + 1] - d->start[c]);
    return PERC_OK;
}

void deal_close(struct deal *d)
{
    pool_free(&d->pool);
    *d = (struct deal){ .pool.e = d->pool.e };
}

/* ----- folds ------------------------------------------------------------------------- */

struct folding {
    struct deal deal;
    const struct labels *labels;
    size_t k;
    const char *positive; /* the label told apart from all others; "": none */
    uint32_t *fold;       /* by row */
    uint64_t place;       /* the next row's, in the order of dealing */
};

/* Rows of label c: those of weight > 0, or the others. */
static uint64_t rows_of(const struct folding *f, size_t c, size_t weightless)
{
    return f->deal.start[2 * c + weightless + 1] - f->deal.start[2 * c + weightless];
}

static bool is_positive(const struct folding *f, size_t c)
{
    return perc_label_same(f->labels->at[c].text, f->positive);
}

/* A label, or all others together, have only n rows of weight > 0 and `more` of weight 0. */
static perc_status too_few(const struct folding *f, const char *label, bool others, uint64_t n,
                           uint64_t more, perc_error *err)
{
    return fail(err, PERC_EDATA,
                "%s %s %s %" PRIu64 " row%s%s: %zu folds need at least %zu (lower --folds)",
                others ? "labels other than" : "label", label, others ? "have" : "has", n,
                n == 1 ? "" : "s", more > 0 ? " of weight > 0" : "", f->k, f->k);
}

/* Every label needs k rows; with a positive one, that label and all others together. A label
 * without rows of weight > 0, as in a share of a larger set, is exempt: the model of all rows does
 * not learn it either. The error names the rarest label. */
static perc_status check_rows(const struct folding *f, perc_error *err)
{
    const bool two = f->positive[0] != '\0';
    uint64_t n[2] = { 0 }, more[2] = { 0 }, least = UINT64_MAX;
    size_t rarest = 0;

    for (size_t c = 0; c < f->labels->n; c++) {
        const uint64_t rows = rows_of(f, c, 0);
        n[is_positive(f, c)] += rows;
        more[is_positive(f, c)] += rows_of(f, c, 1);
        if (rows == 0 || rows >= least) continue;
        least = rows;
        rarest = c;
    }
    for (size_t other = 0; other < 2 && two; other++)
        if (n[!other] > 0 && n[!other] < f->k)
            return too_few(f, f->positive, other > 0, n[!other], more[!other], err);
    if (two || least >= f->k) return PERC_OK;
    return too_few(f, f->labels->at[rarest].text, false, least, rows_of(f, rarest, 1), err);
}

static bool is_rare(const struct folding *f, size_t c)
{
    const uint64_t n = rows_of(f, c, 0);

    return f->positive[0] != '\0' && !is_positive(f, c) && n > 0 && n < f->k;
}

static void deal_pile(struct folding *f, size_t pile)
{
    for (uint64_t i = f->deal.start[pile]; i < f->deal.start[pile + 1]; i++)
        f->fold[f->deal.row[i]] = (uint32_t)(f->place++ % f->k);
}

perc_status deal_folds(const struct env *e, const perc_dataset *ds, size_t k, uint64_t seed,
                       const char *positive, uint32_t *fold, perc_error *err)
{
    struct folding f = { .labels = &ds->labels, .k = k, .positive = positive, .fold = fold };
    perc_status st;

    if (k < 2)
        return fail(err, PERC_EARG, "%zu fold%s: at least 2 are needed", k, k == 1 ? "" : "s");
    if ((st = deal_open(e, ds, seed, DEAL_FOLDS, &f.deal, err))) return st;
    st = check_rows(&f, err);
    for (size_t c = 0; c < 2 * f.labels->n && !st; c++)
        if (!is_rare(&f, c / 2)) deal_pile(&f, c);
    for (size_t c = 0; c < 2 * f.labels->n && !st; c++) { /* rows of weight 0 come last */
        const size_t label = c % f.labels->n, weightless = c / f.labels->n;
        if (is_rare(&f, label)) deal_pile(&f, 2 * label + weightless);
    }
    deal_close(&f.deal);
    return st;
}

perc_status perc_folds(const perc_dataset *ds, size_t k, uint64_t seed, uint32_t *fold,
                       perc_error *err)
{
    NEED(ds != NULL && fold != NULL);
    return deal_folds(&ds->e, ds, k, seed, "", fold, err);
}
