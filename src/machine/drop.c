/* drop.c -- counters of the rows' mistakes, and the rows that were set aside. */
#include "machine/drop.h"

#include <string.h>

perc_status drop_new(const struct env *e, int64_t after, bool each, struct drop **out)
{
    struct drop *d = *out = mem_zeroed(e, 1, sizeof *d);

    if (d == NULL) return PERC_ENOMEM;
    d->e = *e;
    d->key = e->key;
    d->after = after;
    d->each = each;
    d->vectors = 1;
    return PERC_OK;
}

static void forget_all(struct drop *d)
{
    mem_free(&d->e, d->slot, d->slots, sizeof *d->slot);
    mem_free(&d->e, d->row, d->row_cap, sizeof *d->row);
    mem_free(&d->e, d->vector, d->vector_cap, sizeof *d->vector);
    *d = (struct drop){
        .e = d->e, .key = d->key, .after = d->after, .each = d->each, .vectors = d->vectors
    };
}

void drop_free(struct drop *d)
{
    if (d == NULL) return;
    const struct env e = d->e;
    forget_all(d);
    mem_free(&e, d, 1, sizeof *d);
}

/* ----- counters --------------------------------------------------------------- */

/* The slot of a key, or the free one where it belongs. d->slots > 0. */
static struct mistakes *mistakes_of(const struct drop *d, int64_t key)
{
    for (uint64_t k = hash_key_number(&d->key, (uint64_t)key);; k++) {
        struct mistakes *m = &d->slot[k & (d->slots - 1)];
        if (m->key == key || m->key < 0) return m;
    }
}

static int64_t key_of(const struct drop *d, int64_t row, size_t vector)
{
    return d->vectors > 1 ? row * (int64_t)d->vectors + (int64_t)vector : row;
}

bool drop_has(const struct drop *d, int64_t row, size_t vector)
{
    if (d == NULL || d->n == 0) return false;
    const struct mistakes *m = mistakes_of(d, key_of(d, row, vector));
    return m->key >= 0 && m->count == DROPPED;
}

/* The counter of a row; NULL: out of memory. */
static uint32_t *counter(struct drop *d, int64_t row, size_t vector)
{
    const int64_t key = key_of(d, row, vector);

    if (d->used + 1 > d->slots / 2) {
        const struct drop had = *d;
        const size_t slots = d->slots > 0 ? 2 * d->slots : 64;
        struct mistakes *slot = mem_array(&d->e, slots, sizeof *slot);
        if (slot == NULL) return NULL;
        d->slot = slot;
        d->slots = slots;
        for (size_t k = 0; k < slots; k++) slot[k] = (struct mistakes){ .key = -1 };
        for (size_t k = 0; k < had.slots; k++)
            if (had.slot[k].key >= 0) *mistakes_of(d, had.slot[k].key) = had.slot[k];
        mem_free(&d->e, had.slot, had.slots, sizeof *had.slot);
    }
    struct mistakes *m = mistakes_of(d, key);
    d->used += m->key < 0;
    m->key = key;
    return &m->count;
}

static perc_status set_aside(struct drop *d, int64_t row, size_t vector)
{
    uint32_t *count = counter(d, row, vector);

    if (count == NULL || !MEM_GROW(&d->e, d->row, &d->row_cap, d->n + 1) ||
        !MEM_GROW(&d->e, d->vector, &d->vector_cap, d->n + 1))
        return PERC_ENOMEM;
    size_t other = 0; /* the row may have left another problem before */
    while (other < d->vectors && !drop_has(d, row, other)) other++;
    d->rows += other == d->vectors;
    d->vector[d->n] = d->vectors > 1 ? (uint32_t)vector : 0;
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
    to->row_cap = to->row != NULL ? from->n : 0;
    to->vector = mem_array(&to->e, from->n, sizeof *to->vector);
    to->vector_cap = to->vector != NULL ? from->n : 0;
    if (to->slot == NULL || to->row == NULL || to->vector == NULL) {
        forget_all(to);
        return PERC_ENOMEM;
    }
    to->key = from->key; /* the slots are copied as they are */
    to->n = from->n;
    to->used = from->used;
    to->rows = from->rows;
    to->vectors = from->vectors;
    if (from->slots > 0) memcpy(to->slot, from->slot, from->slots * sizeof *to->slot);
    if (from->n > 0) memcpy(to->row, from->row, from->n * sizeof *to->row);
    if (from->n > 0) memcpy(to->vector, from->vector, from->n * sizeof *to->vector);
    return PERC_OK;
}

perc_status drop_count(struct drop *d, int64_t row, size_t vector, bool *now)
{
    uint32_t *count = counter(d, row, vector);

    *now = false;
    if (count == NULL) return PERC_ENOMEM;
    if ((int64_t)*count + 1 < d->after) {
        ++*count;
        return PERC_OK;
    }
    if (set_aside(d, row, vector)) return PERC_ENOMEM;
    *now = true;
    return PERC_OK;
}

/* ----- in a file ---------------------------------------------------------------- */

perc_status drop_restore(struct drop *d, const int64_t *row, const uint32_t *vector, size_t n,
                         const struct votes *v, int64_t rows, perc_error *err)
{
    perc_status st = PERC_OK;

    forget_all(d);
    for (size_t i = 0; i < n && !st; i++) {
        const size_t problem = vector != NULL ? vector[i] : 0;
        if (row[i] < 0 || row[i] >= rows || problem >= d->vectors || drop_has(d, row[i], problem))
            st = fail(err, PERC_EDATA,
                      "dropped[%zu] is %lld, which is not a row of the data, or is listed twice", i,
                      (long long)row[i]);
        else if (set_aside(d, row[i], problem)) st = fail_memory(err);
    }
    for (size_t k = 0; k < v->n && !st; k++) {
        const int64_t example = v->vote[k].example;
        const bool known = example >= 0 && example < rows;
        uint32_t *count = known ? counter(d, example, v->vote[k].up) : NULL;
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

perc_status drop_pack(const struct drop *d, struct tensors *t)
{
    if (d == NULL || d->n == 0) return PERC_OK;
    if (tensors_add(t, "dropped", DTYPE_I64, d->row, d->n, 0)) return PERC_ENOMEM;
    return d->vectors > 1 ? tensors_add(t, "dropped.vector", DTYPE_U32, d->vector, d->n, 0)
                          : PERC_OK;
}

perc_status drop_unpack(struct drop *d, const struct votes *v, int64_t rows,
                        const struct tensors *t, perc_error *err)
{
    const struct tensor *row = tensors_find(t, "dropped"), *vector = NULL;
    perc_status st = PERC_OK;

    if (row != NULL && d == NULL)
        return fail(err, PERC_EDATA, "rows were dropped without 'drop-after'");
    if (d == NULL) return PERC_OK;
    if (row != NULL) st = tensors_want(t, "dropped", DTYPE_I64, TENSORS_ANY, 0, &row, err);
    if (!st && row != NULL && d->vectors > 1)
        st = tensors_want(t, "dropped.vector", DTYPE_U32, row->count, 0, &vector, err);
    if (st) return st;
    return drop_restore(d, row != NULL ? row->data : NULL, vector != NULL ? vector->data : NULL,
                        row != NULL ? (size_t)row->count : 0, v, rows, err);
}
