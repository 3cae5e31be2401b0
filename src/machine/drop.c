/* drop.c -- counters of the rows' mistakes, and the rows that were set aside. */
#include "machine/drop.h"

#include <string.h>

perc_status drop_new(const struct env *e, int64_t after, struct drop **out)
{
    struct drop *d = *out = mem_zeroed(e, 1, sizeof *d);

    if (d == NULL) return PERC_ENOMEM;
    d->e = *e;
    d->after = after;
    return PERC_OK;
}

static void forget_all(struct drop *d)
{
    mem_free(&d->e, d->slot, d->slots, sizeof *d->slot);
    mem_free(&d->e, d->row, d->cap, sizeof *d->row);
    *d = (struct drop){ .e = d->e, .after = d->after };
}

void drop_free(struct drop *d)
{
    if (d == NULL) return;
    const struct env e = d->e;
    forget_all(d);
    mem_free(&e, d, 1, sizeof *d);
}

/* ----- counters --------------------------------------------------------------- */

/* The slot of a row, or the free one where it belongs. d->slots > 0. */
static struct mistakes *mistakes_of(const struct drop *d, int64_t row)
{
    for (uint64_t h = (uint64_t)row * 0x9e3779b97f4a7c15u, k = h ^ h >> 32;; k++) {
        struct mistakes *m = &d->slot[k & (d->slots - 1)];
        if (m->row == row || m->row < 0) return m;
    }
}

bool drop_has(const struct drop *d, int64_t row)
{
    return d != NULL && d->n > 0 && mistakes_of(d, row)->row == row &&
           mistakes_of(d, row)->count == DROPPED;
}

/* The counter of a row; NULL: out of memory. */
static uint32_t *counter(struct drop *d, int64_t row)
{
    if (d->used + 1 > d->slots / 2) {
        const struct drop had = *d;
        const size_t slots = d->slots > 0 ? 2 * d->slots : 64;
        struct mistakes *slot = mem_array(&d->e, slots, sizeof *slot);
        if (slot == NULL) return NULL;
        d->slot = slot;
        d->slots = slots;
        for (size_t k = 0; k < slots; k++) slot[k] = (struct mistakes){ .row = -1 };
        for (size_t k = 0; k < had.slots; k++)
            if (had.slot[k].row >= 0) *mistakes_of(d, had.slot[k].row) = had.slot[k];
        mem_free(&d->e, had.slot, had.slots, sizeof *had.slot);
    }
    struct mistakes *m = mistakes_of(d, row);
    d->used += m->row < 0;
    m->row = row;
    return &m->count;
}

static perc_status set_aside(struct drop *d, int64_t row)
{
    uint32_t *count = counter(d, row);

    if (count == NULL || !MEM_GROW(&d->e, d->row, &d->cap, d->n + 1)) return PERC_ENOMEM;
    d->row[d->n++] = row;
    *count = DROPPED;
    return PERC_OK;
}

perc_status drop_copy(const struct drop *from, struct drop *to)
{
    forget_all(to);
    to->slot = mem_array(&to->e, from->slots, sizeof *to->slot);
    to->slots = to->slot != NULL ? from->slots : 0;
    to->row = mem_array(&to->e, from->n, sizeof *to->row);
    to->cap = to->row != NULL ? from->n : 0;
    if (to->slot == NULL || to->row == NULL) {
        forget_all(to);
        return PERC_ENOMEM;
    }
    to->n = from->n;
    to->used = from->used;
    if (from->slots > 0) memcpy(to->slot, from->slot, from->slots * sizeof *to->slot);
    if (from->n > 0) memcpy(to->row, from->row, from->n * sizeof *to->row);
    return PERC_OK;
}

perc_status drop_count(struct drop *d, int64_t row, bool *now)
{
    uint32_t *count = counter(d, row);

    *now = false;
    if (count == NULL) return PERC_ENOMEM;
    if ((int64_t)*count + 1 < d->after) {
        ++*count;
        return PERC_OK;
    }
    if (set_aside(d, row)) return PERC_ENOMEM;
    *now = true;
    return PERC_OK;
}

perc_status drop_restore(struct drop *d, const int64_t *row, size_t n, const struct votes *v,
                         int64_t rows, perc_error *err)
{
    perc_status st = PERC_OK;

    forget_all(d);
    for (size_t i = 0; i < n && !st; i++) {
        if (row[i] < 0 || row[i] >= rows || drop_has(d, row[i]))
            st = fail(err, PERC_EDATA,
                      "dropped[%zu] is %lld, which is not a row of the data, or is listed twice", i,
                      (long long)row[i]);
        else if (set_aside(d, row[i])) st = fail_memory(err);
    }
    for (size_t k = 0; k < v->n && !st; k++) {
        const int64_t example = v->vote[k].example;
        uint32_t *count = example >= 0 && example < rows ? counter(d, example) : NULL;
        if (example < 0 || example >= rows)
            st = fail(err, PERC_EDATA, "vote.example[%zu] is %lld, which is not a row of the data",
                      k, (long long)example);
        else if (count == NULL) st = fail_memory(err);
        else if (*count != DROPPED && (int64_t)++ * count >= d->after)
            st = fail(err, PERC_EDATA, "row %lld has erred %lld times and is not in dropped",
                      (long long)example, (long long)d->after);
    }
    if (st) forget_all(d);
    return st;
}
