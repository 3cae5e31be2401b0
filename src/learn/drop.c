/* drop.c -- counters of the rows' mistakes, and the rows that were set aside. */
#include "learn/drop.h"

#include <string.h>

perc_status drop_new(const struct env *e, int64_t after, struct drop **out)
{
    struct drop *d = *out = mem_zeroed(e, 1, sizeof *d);

    if (d == NULL) return PERC_ENOMEM;
    d->e = *e;
    d->after = after;
    return PERC_OK;
}

static void empty(struct drop *d)
{
    mem_free(&d->e, d->count, d->room, sizeof *d->count);
    mem_free(&d->e, d->row, d->cap, sizeof *d->row);
    *d = (struct drop){ .e = d->e, .after = d->after };
}

void drop_free(struct drop *d)
{
    if (d == NULL) return;
    const struct env e = d->e;
    empty(d);
    mem_free(&e, d, 1, sizeof *d);
}

/* Counters for rows 0 .. row. */
static perc_status reach(struct drop *d, int64_t row)
{
    const size_t had = d->room;
    void *p = d->count;

    if ((uint64_t)row >= SIZE_MAX ||
        !mem_grow(&d->e, &p, &d->room, (size_t)row + 1, sizeof *d->count))
        return PERC_ENOMEM;
    d->count = p;
    if (d->room > had) memset(d->count + had, 0, (d->room - had) * sizeof *d->count);
    return PERC_OK;
}

static perc_status list(struct drop *d, int64_t row)
{
    void *p = d->row;

    if (reach(d, row) || !mem_grow(&d->e, &p, &d->cap, d->n + 1, sizeof *d->row))
        return PERC_ENOMEM;
    d->row = p;
    d->row[d->n++] = row;
    d->count[row] = DROPPED;
    return PERC_OK;
}

perc_status drop_copy(const struct drop *from, struct drop *to)
{
    empty(to);
    to->count = mem_array(&to->e, from->room, sizeof *to->count);
    to->room = to->count != NULL ? from->room : 0;
    to->row = mem_array(&to->e, from->n, sizeof *to->row);
    to->cap = to->row != NULL ? from->n : 0;
    if (to->count == NULL || to->row == NULL) {
        empty(to);
        return PERC_ENOMEM;
    }
    to->n = from->n;
    if (from->room > 0) memcpy(to->count, from->count, from->room * sizeof *to->count);
    if (from->n > 0) memcpy(to->row, from->row, from->n * sizeof *to->row);
    return PERC_OK;
}

perc_status drop_count(struct drop *d, int64_t row, bool *now)
{
    *now = false;
    if (reach(d, row)) return PERC_ENOMEM;
    *now = (int64_t)d->count[row] + 1 >= d->after;
    if (*now) return list(d, row);
    d->count[row]++;
    return PERC_OK;
}

perc_status drop_restore(struct drop *d, const int64_t *row, size_t n, const struct votes *v,
                         int64_t rows, perc_error *err)
{
    perc_status st = PERC_OK;

    empty(d);
    for (size_t i = 0; i < n && !st; i++) {
        if (row[i] < 0 || row[i] >= rows || drop_has(d, row[i]))
            st = fail(err, PERC_EDATA, "dropped[%zu] is %lld, which is no row of the data, or one "
                      "that stands there twice", i, (long long)row[i]);
        else if (list(d, row[i])) st = fail_memory(err);
    }
    for (size_t k = 0; k < v->n && !st; k++) {
        const int64_t example = v->vote[k].example;
        if (example < 0 || example >= rows)
            st = fail(err, PERC_EDATA, "vote.example[%zu] is %lld, which is no row of the data", k,
                      (long long)example);
        else if (reach(d, example)) st = fail_memory(err);
        else if (d->count[example] != DROPPED && (int64_t)++d->count[example] >= d->after)
            st = fail(err, PERC_EDATA, "row %lld has erred %lld times and is not in dropped",
                      (long long)example, (long long)d->after);
    }
    if (st) empty(d);
    return st;
}
