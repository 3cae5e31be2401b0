/* draw.c -- which rows are drawn. See draw.h. */
#include "data/draw.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "base/sort.h"

static uint32_t label_of(const struct draw *d, uint64_t i)
{
    return d->label != NULL ? d->label[i] : 0;
}

/* ----- how many of each label ------------------------------------------------------- */

struct drawn_label {
    uint64_t rows, want;
    uint64_t rest; /* of want * rows / all */
    size_t number;
};

static int by_rest(const void *a, const void *b)
{
    const struct drawn_label *x = a, *y = b;

    if (x->rest != y->rest) return x->rest > y->rest ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_number(const void *a, const void *b)
{
    const struct drawn_label *x = a, *y = b;

    return x->number < y->number ? -1 : x->number > y->number;
}

/* floor(a b / c) and the remainder, for a, b <= c < 2^62: bit by bit, since a b may not fit. */
static uint64_t multiply_divide(uint64_t a, uint64_t b, uint64_t c, uint64_t *rest)
{
    uint64_t q = 0, r = 0;

    for (int bit = 63; bit >= 0; bit--) {
        q <<= 1;
        r <<= 1;
        if (r >= c) r -= c, q++;
        if ((b >> bit & 1) == 0) continue;
        r += a;
        if (r >= c) r -= c, q++;
    }
    *rest = r;
    return q;
}

static void apportion(const struct draw *d, struct drawn_label *label, size_t n)
{
    uint64_t left = d->want;

    for (size_t c = 0; c < n; c++) label[c].number = c;
    for (uint64_t i = 0; i < d->rows; i++) label[label_of(d, i)].rows++;
    for (size_t c = 0; c < n && d->rows > 0; c++) {
        label[c].want = multiply_divide(label[c].rows, d->want, d->rows, &label[c].rest);
        left -= label[c].want;
    }
    sort_items(label, n, sizeof *label, by_rest);
    for (size_t c = 0; c < left; c++) label[c].want++;
    sort_items(label, n, sizeof *label, by_number);
}

/* ----- at random ---------------------------------------------------------------------- */

static perc_status draw_random(struct pool *pool, const struct draw *d,
                               const struct drawn_label *label, size_t n, uint8_t *drawn,
                               perc_error *err)
{
    uint64_t *place = pool_array(pool, d->want, sizeof *place); /* the reservoirs, side by side */
    uint64_t *start = pool_zeroed(pool, n + 1, sizeof *start),
             *met = pool_zeroed(pool, n, sizeof *met);
    struct rng *rng = pool_array(pool, n, sizeof *rng);

    if (pool->failed) return fail_memory(err);
    for (size_t c = 0; c < n; c++) {
        start[c + 1] = start[c] + label[c].want;
        rng[c] = rng_seed(d->seed, DRAW_ROWS + c);
    }
    for (uint64_t i = 0; i < d->rows; i++) {
        const uint32_t c = label_of(d, i);
        const uint64_t k = draw_place(&rng[c], met[c]++, label[c].want);
        if (k != UINT64_MAX) place[start[c] + k] = i;
    }
    for (uint64_t k = 0; k < d->want; k++) drawn[place[k]] = 1;
    return PERC_OK;
}

/* ----- by group ------------------------------------------------------------------------- */

struct drawing {
    const struct draw *d;
    uint64_t *row, *start; /* the rows of each group: row[start[g]] .. */
    int64_t *lack;         /* by label: rows wanted, less those drawn */
    uint8_t *drawn;
};

/* Puts a group's rows in or takes them out; what that adds to the sum of squares. */
static double move_group(struct drawing *w, uint64_t g, int in)
{
    double change = 0;

    for (uint64_t k = w->start[g]; k < w->start[g + 1]; k++) {
        int64_t *lack = &w->lack[label_of(w->d, w->row[k])];
        const double before = (double)*lack;
        *lack += in ? -1 : 1;
        change += (double)*lack * (double)*lack - before * before;
        w->drawn[w->row[k]] = (uint8_t)in;
    }
    return change;
}

static uint64_t group_size(const struct drawing *w, uint64_t g)
{
    return w->start[g + 1] - w->start[g];
}

/* The smallest group that has rows, the first of equals in the order, and how many have. */
static uint64_t smallest_group(const struct drawing *w, const uint64_t *order, size_t *n)
{
    uint64_t least = 0;

    *n = 0;
    for (size_t i = 0; i < w->d->groups; i++) {
        const uint64_t g = order[i], size = group_size(w, g);
        if (size > 0 && (*n == 0 || size < group_size(w, least))) least = g;
        *n += size > 0;
    }
    return least;
}

static perc_status draw_groups(struct pool *pool, const struct draw *d,
                               const struct drawn_label *label, size_t n, uint8_t *drawn,
                               perc_error *err)
{
    struct rng rng = rng_seed(d->seed, DRAW_ROWS);
    struct drawing w = { .d = d, .drawn = drawn };
    uint64_t *order = pool_array(pool, d->groups, sizeof *order), count = 0;
    size_t groups;

    w.row = pool_array(pool, d->rows, sizeof *w.row);
    w.start = pool_zeroed(pool, d->groups + 2, sizeof *w.start);
    w.lack = pool_array(pool, n, sizeof *w.lack);
    if (pool->failed) return fail_memory(err);
    for (size_t c = 0; c < n; c++) w.lack[c] = (int64_t)label[c].want;
    for (uint64_t i = 0; i < d->rows; i++) w.start[d->group[i] + 2]++;
    for (size_t g = 0; g < d->groups; g++) w.start[g + 2] += w.start[g + 1];
    for (uint64_t i = 0; i < d->rows; i++) w.row[w.start[d->group[i] + 1]++] = i;
    for (size_t g = 0; g < d->groups; g++) order[g] = g;
    rng_shuffle(&rng, order, d->groups);
    const uint64_t least = smallest_group(&w, order, &groups);
    if (d->rest && groups < 2)
        return fail(err, PERC_EDATA, "all rows are of one group: it cannot be divided");
    for (size_t i = 0; i < d->groups; i++) {
        if (move_group(&w, order[i], 1) < 0) count += group_size(&w, order[i]);
        else move_group(&w, order[i], 0);
    }
    if (d->rest && count == 0) move_group(&w, least, 1);
    if (d->rest && count == d->rows) move_group(&w, least, 0);
    return PERC_OK;
}

/* ----- by time ---------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static perc_status draw_newest(struct pool *pool, const struct draw *d, uint8_t *drawn,
                               perc_error *err)
{
    double *sorted = pool_copy(pool, d->time, (size_t)d->rows, sizeof *sorted);
    const uint64_t n = d->rows, at = n - d->want;
    uint64_t low = at, high = at;

    if (sorted == NULL) return fail_memory(err);
    if (d->want == 0) return PERC_OK;
    sort_items(sorted, (size_t)n, sizeof *sorted, by_time);
    /* Where rows of another time begin, before and after. */
    while (low > 0 && sorted[low - 1] == sorted[at]) low--;
    while (high < n && sorted[high] == sorted[at]) high++;
    if (d->rest && low == 0 && high == n)
        return fail(err, PERC_EDATA, "all rows have the same time: none are newer");
    bool older = at - low > high - at; /* the times at the cut stay with the older rows */
    if (d->rest && low == 0) older = true;
    if (high == n) older = false; /* nothing would be drawn */
    const double first = sorted[older ? high : low];
    for (uint64_t i = 0; i < n; i++) drawn[i] = d->time[i] >= first;
    return PERC_OK;
}

/* ----- either ------------------------------------------------------------------------------- */

perc_status draw_rows(const struct env *e, const struct draw *d, uint8_t *drawn, uint64_t *count,
                      perc_error *err)
{
    const size_t n = d->label != NULL ? d->labels : 1;
    struct pool pool = { .e = *e };
    struct drawn_label *label = pool_zeroed(&pool, n, sizeof *label);
    perc_status st = label == NULL ? fail_memory(err) : PERC_OK;

    *count = 0;
    memset(drawn, 0, (size_t)d->rows);
    if (!st) apportion(d, label, n);
    if (!st)
        st = d->time != NULL    ? draw_newest(&pool, d, drawn, err)
             : d->group != NULL ? draw_groups(&pool, d, label, n, drawn, err)
                                : draw_random(&pool, d, label, n, drawn, err);
    for (uint64_t i = 0; i < d->rows && !st; i++) *count += drawn[i];
    pool_free(&pool);
    return st;
}
