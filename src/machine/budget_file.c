/* budget_file.c -- the rows of a budget as the arrays of a model file, and back.
 *
 * Reading trusts nothing. What it accepts, budget_pack writes again, byte for byte. */
#include <math.h>
#include <string.h>

#include "machine/budget.h"
#include "machine/votes.h"

/* The arrays, by name: one list for writing and reading. */
enum { START, COLUMN, VALUE, COUNT, FORGETRON, ARRAYS };
static const struct {
    const char *name, *word;
    enum dtype type;
} arrays[ARRAYS] = {
    [START] = { "row.start", "U64", DTYPE_U64 },
    [COLUMN] = { "row.column", "U32", DTYPE_U32 },
    [VALUE] = { "row.value", "F64", DTYPE_F64 },
    [COUNT] = { "budget.count", "I64", DTYPE_I64 },
    [FORGETRON] = { "budget.forgetron", "F64", DTYPE_F64 },
};

static size_t arrays_of(const struct budget *b)
{
    return b->policy == BUDGET_FORGETRON ? ARRAYS : FORGETRON;
}

/* ----- writing -------------------------------------------------------------------------- */

void budget_packed_free(struct budget_packed *p)
{
    mem_free(&p->e, p->start, p->rows + 1, sizeof *p->start);
    mem_free(&p->e, p->column, p->entries, sizeof *p->column);
    mem_free(&p->e, p->value, p->entries, sizeof *p->value);
    *p = (struct budget_packed){ .e = p->e };
}

static perc_status make_arrays(const struct budget *b, uint64_t below, struct budget_packed *p)
{
    for (size_t i = 0; i < b->rows; i++) p->entries += b->slot[i].n;
    p->start = mem_array(&p->e, p->rows + 1, sizeof *p->start);
    p->column = mem_array(&p->e, p->entries, sizeof *p->column);
    p->value = mem_array(&p->e, p->entries, sizeof *p->value);
    if (p->start == NULL || p->column == NULL || p->value == NULL) return PERC_ENOMEM;
    size_t at = 0;
    for (size_t i = 0; i < b->rows; i++) {
        const struct slot *s = &b->slot[i];
        p->start[i] = at;
        for (size_t k = 0; k < s->n; k++, at++) {
            p->column[at] = s->column[k] - (uint32_t)below;
            p->value[at] = s->value[k];
        }
    }
    p->start[b->rows] = at;
    return PERC_OK;
}

perc_status budget_pack(const struct env *e, const struct budget *b, uint64_t below,
                        struct tensors *t, struct budget_packed *out)
{
    *out = (struct budget_packed){ .e = *e,
                                   .rows = b->rows,
                                   .count = { b->updates, b->removed },
                                   .forgetron = { b->q, b->radius2 } };
    if (make_arrays(b, below, out)) return PERC_ENOMEM;
    const struct {
        const void *data;
        uint64_t n;
    } of[ARRAYS] = {
        [START] = { out->start, b->rows + 1 },  [COLUMN] = { out->column, out->entries },
        [VALUE] = { out->value, out->entries }, [COUNT] = { out->count, 2 },
        [FORGETRON] = { out->forgetron, 2 },
    };
    for (size_t i = 0; i < arrays_of(b); i++)
        if (tensors_add(t, arrays[i].name, arrays[i].type, of[i].data, of[i].n, 0))
            return PERC_ENOMEM;
    return PERC_OK;
}

/* ----- reading --------------------------------------------------------------------------- */

static perc_status wrong(perc_error *err, int array, uint64_t place, const char *what)
{
    return fail(err, PERC_EDATA, "%s[%llu] %s", arrays[array].name, (unsigned long long)place,
                what);
}

/* The arrays, of the types and lengths that they must have. */
static perc_status find_arrays(const struct budget *b, const struct tensors *t,
                               const struct tensor *one[ARRAYS], perc_error *err)
{
    for (size_t i = 0; i < arrays_of(b); i++) {
        one[i] = tensors_find(t, arrays[i].name);
        if (one[i] == NULL) return fail(err, PERC_EDATA, "tensor '%s' is missing", arrays[i].name);
        if (one[i]->type != arrays[i].type || one[i]->dims != 1)
            return fail(err, PERC_EDATA, "tensor '%s' must be %s of one dimension", arrays[i].name,
                        arrays[i].word);
        if (i >= COUNT && one[i]->count != 2)
            return fail(err, PERC_EDATA, "tensor '%s' must have 2 elements", arrays[i].name);
    }
    if (one[START]->count == 0 || one[START]->count - 1 > b->slots)
        return fail(err, PERC_EDATA,
                    "tensor 'row.start' must have 1 to %zu elements: the budget "
                    "is %zu rows",
                    b->slots + 1, b->slots);
    if (one[COLUMN]->count != one[VALUE]->count)
        return fail(err, PERC_EDATA, "tensors 'row.column' and 'row.value' have different lengths");
    return PERC_OK;
}

static perc_status check_rows(const struct tensor *const one[ARRAYS], uint64_t columns,
                              uint64_t below, perc_error *err)
{
    const uint64_t most = (uint64_t)UINT32_MAX + 1, limit = columns < most ? columns : most;
    const uint64_t features = limit > below ? limit - below : 0;

    return votes_check_rows(one[START], one[COLUMN], one[VALUE], features, err);
}

/* Counters that the policy could have come to with so many rows. */
static perc_status check_counts(const struct budget *b, const struct tensor *const one[ARRAYS],
                                perc_error *err)
{
    const int64_t *count = one[COUNT]->data, rows = (int64_t)(one[START]->count - 1);
    const bool projects = b->policy == BUDGET_PROJECTRON;

    if (count[0] < rows || count[0] > INT64_MAX / 2)
        return wrong(err, COUNT, 0, "is not a number of updates that made these rows");
    if (count[1] < 0 || (projects ? count[1] != 0 : count[1] != count[0] - rows) ||
        (count[1] > 0 && (uint64_t)rows < b->slots))
        return wrong(err, COUNT, 1, "is not the number of rows that had to go");
    if (b->policy != BUDGET_FORGETRON) return PERC_OK;
    const double *number = one[FORGETRON]->data;
    if (!isfinite(number[0]) || number[0] > 15.0 / 32 * (double)count[0] * (1 + 1e-9))
        return wrong(err, FORGETRON, 0, "is more than so many updates allow");
    if (!isfinite(number[1]) || number[1] < 1)
        return wrong(err, FORGETRON, 1, "is not a number of at least 1");
    return PERC_OK;
}

/* All is checked; b is empty. */
static perc_status copy_rows(struct budget *b, const struct tensor *const one[ARRAYS],
                             uint64_t below)
{
    const uint64_t *start = one[START]->data;
    const size_t rows = (size_t)one[START]->count - 1;

    for (; b->rows < rows; b->rows++) {
        const uint64_t at = start[b->rows];
        const size_t n = (size_t)(start[b->rows + 1] - at);
        if (budget_open_slot(b, n)) return PERC_ENOMEM;
        struct slot *s = &b->slot[b->rows];
        for (size_t k = 0; k < n; k++) {
            s->column[k] = ((const uint32_t *)one[COLUMN]->data)[at + k] + (uint32_t)below;
            s->value[k] = ((const double *)one[VALUE]->data)[at + k];
        }
        s->n = n;
        const struct row x = budget_row(b, b->rows);
        s->norm2 = row_norm2(&x);
    }
    return PERC_OK;
}

perc_status budget_unpack(struct budget *b, const struct tensors *t, uint64_t columns,
                          uint64_t below, perc_error *err)
{
    const struct tensor *one[ARRAYS] = { 0 };
    perc_status st;

    if ((st = find_arrays(b, t, one, err)) || (st = check_rows(one, columns, below, err)) ||
        (st = check_counts(b, one, err)))
        return st;
    if (copy_rows(b, one, below)) return fail_memory(err);
    b->updates = ((const int64_t *)one[COUNT]->data)[0];
    b->removed = ((const int64_t *)one[COUNT]->data)[1];
    if (b->policy == BUDGET_FORGETRON) {
        b->q = ((const double *)one[FORGETRON]->data)[0];
        b->radius2 = ((const double *)one[FORGETRON]->data)[1];
    }
    return PERC_OK;
}
