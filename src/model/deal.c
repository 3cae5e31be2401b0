/* deal.c -- rows dealt out, each label evenly.
 *
 * The rows of each label are shuffled and laid out label after label, of each label first
 * those of weight > 0. To deal k folds, row number i of this layout goes to fold i mod k:
 * the next label goes on where the last one stopped. So the counts of a label in two folds
 * differ by at most 1, those of its rows of weight > 0 too, and so do the sizes of the
 * folds. Every fold needs a row of weight > 0 of each class: then no model is without one.
 *
 * Groups go to folds whole (deal_groups), and rows with times by their time (deal_times): then a
 * fold may lack a label, but not what its model learns from.
 *
 * With "positive" all other labels are one class, and of these some may have fewer rows
 * than there are folds. Such rare labels come last, one after the other, again first their
 * rows of weight > 0: if there are k of those in all, every fold has one of the class. */
#include "model/deal.h"

#include <inttypes.h>
#include <string.h>

#include "base/sort.h"
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

/* ----- by group ------------------------------------------------------------------------ */

struct dealt_group {
    uint64_t rows, place; /* in a random order */
    uint64_t number;
};

static int largest_first(const void *a, const void *b)
{
    const struct dealt_group *x = a, *y = b;

    if (x->rows != y->rows) return x->rows > y->rows ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

struct load {
    uint64_t rows;
    uint32_t fold;
};

static bool is_lighter(const struct load *a, const struct load *b)
{
    return a->rows < b->rows || (a->rows == b->rows && a->fold < b->fold);
}

/* The first of a heap of k has become heavier. */
static void sink_load(struct load *heap, size_t k)
{
    for (size_t i = 0, least; (least = 2 * i + 1) < k; i = least) {
        least += least + 1 < k && is_lighter(&heap[least + 1], &heap[least]);
        if (!is_lighter(&heap[least], &heap[i])) return;
        const struct load was = heap[i];
        heap[i] = heap[least];
        heap[least] = was;
    }
}

/* The groups that have rows, the largest first, of equals in a random order. */
static size_t order_groups(const struct groups *g, uint64_t seed, struct dealt_group *group,
                           uint64_t *place)
{
    struct rng rng = rng_seed(seed, DEAL_FOLDS);
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++) {
        group[i] = (struct dealt_group){ .number = i };
        place[i] = i;
    }
    rng_shuffle(&rng, place, g->n);
    for (uint64_t i = 0; i < g->rows; i++) group[g->of[i]].rows++;
    for (size_t i = 0; i < g->n; i++) group[place[i]].place = i;
    sort_items(group, g->n, sizeof *group, largest_first);
    while (n < g->n && group[n].rows > 0) n++;
    return n;
}

static perc_status deal_groups(const struct env *e, const struct groups *g, size_t k, uint64_t seed,
                               uint32_t *fold, perc_error *err)
{
    struct pool pool = { .e = *e };
    struct dealt_group *group = pool_array(&pool, g->n, sizeof *group);
    uint64_t *place = pool_array(&pool, g->n, sizeof *place);
    uint32_t *of = pool_array(&pool, g->n, sizeof *of);
    struct load *heap = pool_array(&pool, k, sizeof *heap);
    perc_status st = pool.failed ? fail_memory(err) : PERC_OK;
    const size_t n = st ? 0 : order_groups(g, seed, group, place);

    if (!st && n < k)
        st = fail(err, PERC_EDATA, "%zu group%s for %zu folds: each needs one (lower --folds)", n,
                  n == 1 ? "" : "s", k);
    for (size_t i = 0; i < k && !st; i++) heap[i] = (struct load){ 0, (uint32_t)i };
    for (size_t i = 0; i < n && !st; i++) {
        of[group[i].number] = heap[0].fold;
        heap[0].rows += group[i].rows;
        sink_load(heap, k);
    }
    for (uint64_t i = 0; i < g->rows && !st; i++) fold[i] = of[g->of[i]];
    pool_free(&pool);
    return st;
}

/* ----- by time ------------------------------------------------------------------------- */

static int earlier(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* The first of n sorted numbers that is not below v. */
static uint64_t rank_of(const double *sorted, uint64_t n, double v)
{
    uint64_t low = 0, high = n;

    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (sorted[mid] < v) low = mid + 1;
        else high = mid;
    }
    return low;
}

/* k + 1 parts: a row's is told by how many are older than it, so rows of one time share it. */
static perc_status deal_times(const struct env *e, const struct groups *g, size_t k, uint32_t *fold,
                              perc_error *err)
{
    struct pool pool = { .e = *e };
    double *sorted = pool_copy(&pool, g->time, (size_t)g->rows, sizeof *sorted);
    uint8_t *used = pool_zeroed(&pool, k, 1);
    perc_status st = pool.failed ? fail_memory(err) : PERC_OK;

    if (!st) sort_items(sorted, (size_t)g->rows, sizeof *sorted, earlier);
    for (uint64_t i = 0; i < g->rows && !st; i++) {
        const uint64_t older = rank_of(sorted, g->rows, g->time[i]);
        const uint64_t part = older * (k + 1) / g->rows; /* k <= 10^6 */
        fold[i] = part == 0 ? DEAL_FIRST : (uint32_t)(part - 1);
        if (part > 0) used[part - 1] = 1;
    }
    for (size_t t = 0; t < k && !st; t++)
        if (!used[t])
            st = fail(err, PERC_EDATA,
                      "fold %zu of %zu would have no rows: too many rows have one time, or there "
                      "are too few (lower --folds)",
                      t + 1, k);
    pool_free(&pool);
    return st;
}

/* ----- what the models of those folds learn ------------------------------------------- */

/* Of each class the rows of weight > 0: the first fold that has one, and whether another has. With
 * times that is the oldest. */
struct dealt_class {
    bool met, several;
    uint32_t fold;
};

static perc_status check_classes(const struct env *e, const perc_dataset *ds, const char *positive,
                                 const uint32_t *fold, perc_error *err)
{
    const bool two = positive[0] != '\0', time = ds->groups.time != NULL;
    const size_t n = ds->labels.n;
    struct dealt_class *class = mem_zeroed(e, n + 2, sizeof *class);
    perc_status st = class == NULL ? fail_memory(err) : PERC_OK;

    for (uint64_t i = 0; i < ds->rows && !st; i++) {
        size_t at;
        const struct block *b = dataset_block(ds, i, &at);
        const size_t c = !two ? b->label[at]
                              : n + (perc_label_same(ds->labels.at[b->label[at]].text, positive) !=
                                     0);
        struct dealt_class *d = &class[c];
        if (!(block_weight(b, at) > 0)) continue;
        d->several |= d->met && d->fold != fold[i];
        if (!d->met || (time && fold[i] + 1 < d->fold + 1)) d->fold = fold[i];
        d->met = true;
    }
    for (size_t c = 0; c < n + 2 && !st; c++) {
        const struct dealt_class *d = &class[c];
        const char *label = c < n ? ds->labels.at[c].text : positive;
        const char *others = c == n ? "labels other than" : "the label";
        if (!d->met || (time ? d->fold == DEAL_FIRST : d->several)) continue;
        st = fail(err, PERC_EDATA,
                  time ? "%s %.60s: no row before fold %u, so the model of fold 1 cannot learn it "
                         "(lower --folds)"
                       : "%s %.60s: all rows are in fold %u, so its model cannot learn it (another "
                         "--seed, or more groups with it)",
                  others, label, d->fold + 1);
    }
    mem_free(e, class, n + 2, sizeof *class);
    return st;
}

/* ----- either -------------------------------------------------------------------------- */

perc_status deal_folds(const struct env *e, const perc_dataset *ds, size_t k, uint64_t seed,
                       const char *positive, uint32_t *fold, perc_error *err)
{
    struct folding f = { .labels = &ds->labels, .k = k, .positive = positive, .fold = fold };
    perc_status st;

    if (k < 2)
        return fail(err, PERC_EARG, "%zu fold%s: at least 2 are needed", k, k == 1 ? "" : "s");
    if (ds->groups.rows > 0) {
        if (k > ds->rows)
            return fail(err, PERC_EDATA, "%" PRIu64 " rows for %zu folds (lower --folds)", ds->rows,
                        k);
        if ((st = model_check_labels(ds->block, ds->blocks, err))) return st;
        st = ds->groups.of != NULL ? deal_groups(e, &ds->groups, k, seed, fold, err)
                                   : deal_times(e, &ds->groups, k, fold, err);
        return st ? st : check_classes(e, ds, positive, fold, err);
    }
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
