/* budget_file.c -- the rows of a budget as the arrays of a model file, and back.
 *
 * Reading trusts nothing. What it accepts, budget_pack writes again, byte for byte. */
#include "machine/budget.h"
#include "machine/votes.h"

/* What is not rows: one list for writing and reading. */
enum { COUNT, FORGETRON, ARRAYS };
static const struct tensor_spec arrays[ARRAYS] = {
    [COUNT] = { "budget.count", DTYPE_I64 },
    [FORGETRON] = { "budget.forgetron", DTYPE_F64 },
};

static size_t arrays_of(const struct budget *b)
{
    return b->policy == BUDGET_FORGETRON ? ARRAYS : FORGETRON;
}

/* ----- writing -------------------------------------------------------------------------- */

perc_status budget_pack(const struct budget *b, uint64_t below, struct tensors *t)
{
    const uint64_t size[] = { 2 };
    uint64_t entries = 0;

    for (size_t i = 0; i < b->rows; i++) entries += b->slot[i].n;
    uint64_t *start = tensors_keep(t, b->rows + 1, sizeof *start);
    uint32_t *column = tensors_keep(t, entries, sizeof *column);
    double *value = tensors_keep(t, entries, sizeof *value);
    int64_t *count = tensors_keep(t, 2, sizeof *count);
    double *forgetron = tensors_keep(t, 2, sizeof *forgetron);
    if (start == NULL || column == NULL || value == NULL || count == NULL || forgetron == NULL)
        return PERC_ENOMEM;
    for (size_t i = 0; i < b->rows; i++) {
        const struct slot *s = &b->slot[i];
        start[i + 1] = start[i] + s->n;
        for (size_t k = 0; k < s->n; k++) {
            column[start[i] + k] = s->column[k] - (uint32_t)below;
            value[start[i] + k] = s->value[k];
        }
    }
    count[0] = b->updates;
    count[1] = b->removed;
    forgetron[0] = b->q;
    forgetron[1] = b->radius2;
    const struct votes_rows rows = { start, column, value, b->rows, entries };
    const void *const data[ARRAYS] = { count, forgetron };
    if (votes_rows_pack(&rows, 0, t)) return PERC_ENOMEM;
    return tensors_add_all(t, arrays, arrays_of(b), size, data);
}

/* ----- reading --------------------------------------------------------------------------- */

/* Counters that the policy could have come to with so many rows. */
static perc_status check_counts(const struct budget *b, int64_t rows, const int64_t *count,
                                const double *forgetron, perc_error *err)
{
    const char *name = arrays[COUNT].name;
    const bool projects = b->policy == BUDGET_PROJECTRON;

    if (count[0] < rows || count[0] > INT64_MAX / 2)
        return tensors_wrong(err, name, 0, "is not a number of updates that made these rows");
    if (count[1] < 0 || (projects ? count[1] != 0 : count[1] != count[0] - rows) ||
        (count[1] > 0 && (uint64_t)rows < b->slots))
        return tensors_wrong(err, name, 1, "is not the number of rows that had to go");
    if (forgetron == NULL) return PERC_OK;
    name = arrays[FORGETRON].name;
    if (forgetron[0] > 15.0 / 32 * (double)count[0] * (1 + 1e-9))
        return tensors_wrong(err, name, 0, "is more than so many updates allow");
    if (forgetron[1] < 1) return tensors_wrong(err, name, 1, "is not a number of at least 1");
    return PERC_OK;
}

perc_status budget_unpack(struct budget *b, uint64_t columns, uint64_t below,
                          const struct tensors *t, perc_error *err)
{
    const uint64_t most = (uint64_t)UINT32_MAX + 1, limit = columns < most ? columns : most;
    const struct tensor *one[ARRAYS];
    uint64_t size[] = { 2 };
    struct votes_rows rows;
    perc_status st;

    if ((st = votes_rows_unpack(&rows, b->slots, limit > below ? limit - below : 0, t, err)) ||
        (st = tensors_want_all(t, arrays, arrays_of(b), size, one, err)))
        return st;
    const int64_t *count = one[COUNT]->data;
    const double *forgetron = b->policy == BUDGET_FORGETRON ? one[FORGETRON]->data : NULL;
    if ((st = check_counts(b, (int64_t)rows.rows, count, forgetron, err))) return st;
    for (; b->rows < rows.rows; b->rows++) {
        const uint64_t at = rows.start[b->rows];
        const size_t n = (size_t)(rows.start[b->rows + 1] - at);
        if (budget_open_slot(b, n)) return fail_memory(err);
        struct slot *s = &b->slot[b->rows];
        for (size_t k = 0; k < n; k++) {
            s->column[k] = rows.column[at + k] + (uint32_t)below;
            s->value[k] = rows.value[at + k];
        }
        s->n = n;
        const struct row x = budget_row(b, b->rows);
        s->norm2 = row_norm2(&x);
    }
    b->updates = count[0];
    b->removed = count[1];
    if (forgetron != NULL) {
        b->q = forgetron[0];
        b->radius2 = forgetron[1];
    }
    return PERC_OK;
}
