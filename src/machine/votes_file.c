/* votes_file.c -- votes as the arrays of a model file, and back.
 *
 * In memory an update is one struct, because training and prediction take all of it
 * at once; in a file each of its numbers is an array, because that is what the
 * format has and what other programs read without knowing our structs.
 *
 * Reading trusts nothing: every index is compared with what it points into, every
 * number must be one that training could have left there (votes_frame). What it
 * accepts, votes_pack writes again, byte for byte.
 *
 * Not here    how many classes there are and how many examples were shown: the
 *             caller knows it from the rest of the file. */
#include <float.h>
#include <string.h>

#include "machine/votes.h"

/* The arrays, by name: one list for writing and reading. */
enum { ROW, UP, DOWN, STEP, AT, START, COLUMN, VALUE, ARRAYS };
static const struct {
    const char *name, *word; /* the type, as a message says it */
    enum dtype type;
} arrays[ARRAYS] = {
    [ROW] = { "vote.row", "U32", DTYPE_U32 },       [UP] = { "vote.up", "U32", DTYPE_U32 },
    [DOWN] = { "vote.down", "U32", DTYPE_U32 },     [STEP] = { "vote.step", "F64", DTYPE_F64 },
    [AT] = { "vote.at", "I64", DTYPE_I64 },         [START] = { "row.start", "U64", DTYPE_U64 },
    [COLUMN] = { "row.column", "U32", DTYPE_U32 },  [VALUE] = { "row.value", "F64", DTYPE_F64 },
};

/* The row.start of no rows. */
static const uint64_t none[1] = { 0 };

/* ----- writing ---------------------------------------------------------------------- */

void votes_packed_free(struct votes_packed *p)
{
    mem_free(&p->e, p->row, p->n, sizeof *p->row);
    mem_free(&p->e, p->up, p->n, sizeof *p->up);
    mem_free(&p->e, p->down, p->n, sizeof *p->down);
    mem_free(&p->e, p->step, p->n, sizeof *p->step);
    mem_free(&p->e, p->at, p->n, sizeof *p->at);
    mem_free(&p->e, p->column, p->entries, sizeof *p->column);
    votes_free(&p->tidy);
    *p = (struct votes_packed){ 0 };
}

/* The arrays that are not in memory as the file has them. */
static perc_status make_arrays(const struct votes *v, uint64_t below, struct votes_packed *p)
{
    p->row = mem_array(&p->e, p->n, sizeof *p->row);
    p->up = mem_array(&p->e, p->n, sizeof *p->up);
    p->down = mem_array(&p->e, p->n, sizeof *p->down);
    p->step = mem_array(&p->e, p->n, sizeof *p->step);
    p->at = mem_array(&p->e, p->n, sizeof *p->at);
    if (below > 0) p->column = mem_array(&p->e, p->entries, sizeof *p->column);
    if (p->row == NULL || p->up == NULL || p->down == NULL || p->step == NULL || p->at == NULL ||
        (below > 0 && p->column == NULL))
        return PERC_ENOMEM;
    for (size_t k = 0; k < p->n; k++) {
        p->row[k] = v->vote[k].row;
        p->up[k] = v->vote[k].up;
        p->down[k] = v->vote[k].down;
        p->step[k] = v->vote[k].step;
        p->at[k] = v->vote[k].at;
    }
    for (size_t k = 0; below > 0 && k < p->entries; k++)
        p->column[k] = v->column[k] - (uint32_t)below;
    return PERC_OK;
}

perc_status votes_pack(const struct env *e, const struct votes *v, uint64_t below,
                       struct tensors *t, struct votes_packed *out)
{
    *out = (struct votes_packed){ .e = *e, .tidy = { .e = *e } };
    if (!votes_in_order(v)) {
        if (votes_tidy(e, v, &out->tidy)) return PERC_ENOMEM;
        v = &out->tidy;
    }
    out->n = v->n;
    out->entries = v->entries;
    if (make_arrays(v, below, out)) return PERC_ENOMEM;

    const void *data[ARRAYS] = {
        [ROW] = out->row,   [UP] = out->up, [DOWN] = out->down,
        [STEP] = out->step, [AT] = out->at, [START] = v->rows > 0 ? v->start : none,
        [COLUMN] = below > 0 ? out->column : v->column, [VALUE] = v->value,
    };
    for (size_t i = 0; i < ARRAYS; i++) {
        const uint64_t n = i < START ? v->n : i == START ? v->rows + 1 : v->entries;
        if (tensors_add(t, arrays[i].name, arrays[i].type, data[i], n, 0)) return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* ----- reading ---------------------------------------------------------------------- */

/* "vote.up[17] is ...". */
static perc_status wrong(perc_error *err, int array, uint64_t place, const char *what)
{
    return fail(err, PERC_EDATA, "%s[%llu] %s", arrays[array].name, (unsigned long long)place,
                what);
}

static bool is_finite(double v)
{
    return v >= -DBL_MAX && v <= DBL_MAX;
}

/* The arrays, of the types and lengths that they must have. */
static perc_status find_arrays(const struct tensors *t, const struct tensor *one[ARRAYS],
                               perc_error *err)
{
    for (size_t i = 0; i < ARRAYS; i++) {
        one[i] = tensors_find(t, arrays[i].name);
        if (one[i] == NULL)
            return fail(err, PERC_EDATA, "tensor '%s' is missing", arrays[i].name);
        if (one[i]->type != arrays[i].type || one[i]->dims != 1)
            return fail(err, PERC_EDATA, "tensor '%s' must be %s of one dimension",
                        arrays[i].name, arrays[i].word);
        const size_t like = i < START ? ROW : i > START ? COLUMN : START;
        if (one[i]->count != one[like]->count)
            return fail(err, PERC_EDATA, "tensors '%s' and '%s' have different lengths",
                        arrays[like].name, arrays[i].name);
    }
    if (one[START]->count == 0 || one[START]->count > UINT32_MAX)
        return fail(err, PERC_EDATA, "tensor 'row.start' must have 1 to 2^32 - 1 elements");
    return PERC_OK;
}

static perc_status check_rows(const struct tensor *const one[ARRAYS], const struct votes_frame *f,
                              perc_error *err)
{
    const uint64_t *start = one[START]->data;
    const uint32_t *column = one[COLUMN]->data;
    const double *value = one[VALUE]->data;
    const uint64_t rows = one[START]->count - 1, entries = one[COLUMN]->count;
    const uint64_t most = (uint64_t)UINT32_MAX + 1; /* in memory a column has 32 bits */
    const uint64_t columns = f->columns < most ? f->columns : most;
    const uint64_t features = columns > f->below ? columns - f->below : 0;

    if (start[0] != 0) return wrong(err, START, 0, "is not 0");
    for (uint64_t i = 0; i < rows; i++)
        if (start[i + 1] < start[i]) return wrong(err, START, i + 1, "is less than the one before");
    if (start[rows] != entries) return wrong(err, START, rows, "is not the number of entries");
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t k = start[i] + 1; k < start[i + 1]; k++)
            if (column[k] <= column[k - 1])
                return wrong(err, COLUMN, k, "is not above the one before");
    for (uint64_t k = 0; k < entries; k++) {
        if (column[k] >= features) return wrong(err, COLUMN, k, "is not a feature of the model");
        if (!is_finite(value[k]) || value[k] == 0)
            return wrong(err, VALUE, k, "is not a finite number other than 0");
    }
    return PERC_OK;
}

static perc_status check_vectors(const struct tensor *const one[ARRAYS],
                                 const struct votes_frame *f, perc_error *err)
{
    const uint32_t *up = one[UP]->data, *down = one[DOWN]->data;

    for (uint64_t k = 0; k < one[ROW]->count; k++) {
        if (up[k] >= f->vectors) return wrong(err, UP, k, "is not a vector of the model");
        if (!f->pairs && down[k] != NO_DOWN)
            return wrong(err, DOWN, k, "must be 2^32 - 1: this kind of model has no pairs");
        if (f->pairs && (down[k] >= f->vectors || down[k] == up[k]))
            return wrong(err, DOWN, k, "is not another vector of the model");
    }
    return PERC_OK;
}

static perc_status check_updates(const struct tensor *const one[ARRAYS],
                                 const struct votes_frame *f, perc_error *err)
{
    const uint32_t *row = one[ROW]->data, *up = one[UP]->data;
    const double *step = one[STEP]->data;
    const int64_t *at = one[AT]->data;
    const uint64_t rows = one[START]->count - 1;
    uint64_t next = 0; /* rows named so far */

    for (uint64_t k = 0; k < one[ROW]->count; k++) {
        if (row[k] >= rows) return wrong(err, ROW, k, "is not one of the rows");
        if (row[k] > next) return wrong(err, ROW, k, "passes over a row that is not named yet");
        next += row[k] == next;
        if (!is_finite(step[k]) || step[k] == 0)
            return wrong(err, STEP, k, "is not a finite number other than 0");
        if (f->pairs && step[k] < 0) return wrong(err, STEP, k, "is negative");
        if (at[k] < 1 || at[k] > f->shown)
            return wrong(err, AT, k, "is not an example that was shown");
        if (k == 0 || at[k] > at[k - 1]) continue;
        if (at[k] < at[k - 1]) return wrong(err, AT, k, "is less than the one before");
        if (f->pairs || up[k] <= up[k - 1])
            return wrong(err, AT, k, "is a second update of one vector by one example");
    }
    return next == rows ? PERC_OK : wrong(err, START, next, "begins a row that no update names");
}

/* All is checked; *v is empty. */
static perc_status copy_arrays(const struct tensor *const one[ARRAYS], uint64_t below,
                               struct votes *v)
{
    const size_t rows = (size_t)one[START]->count - 1, entries = (size_t)one[COLUMN]->count;
    const size_t n = (size_t)one[ROW]->count;
    const uint32_t *column = one[COLUMN]->data;

    if (rows > 0) {
        if (votes_room(v, rows, entries)) return PERC_ENOMEM;
        memcpy(v->start, one[START]->data, (rows + 1) * sizeof *v->start);
        for (size_t k = 0; k < entries; k++) v->column[k] = column[k] + (uint32_t)below;
        if (entries > 0) memcpy(v->value, one[VALUE]->data, entries * sizeof *v->value);
        v->rows = rows;
        v->entries = entries;
        if (votes_index(v)) return PERC_ENOMEM;
    }
    if (!mem_grow(&v->e, (void **)&v->vote, &v->cap, n, sizeof *v->vote)) return PERC_ENOMEM;
    for (size_t k = 0; k < n; k++)
        v->vote[k] = (struct vote){ .row = ((const uint32_t *)one[ROW]->data)[k],
                                    .up = ((const uint32_t *)one[UP]->data)[k],
                                    .down = ((const uint32_t *)one[DOWN]->data)[k],
                                    .step = ((const double *)one[STEP]->data)[k],
                                    .at = ((const int64_t *)one[AT]->data)[k] };
    v->n = n;
    return PERC_OK;
}

perc_status votes_unpack(const struct env *e, const struct tensors *t,
                         const struct votes_frame *f, struct votes *out, perc_error *err)
{
    const struct tensor *one[ARRAYS];
    perc_status st;

    *out = (struct votes){ 0 };
    if ((st = find_arrays(t, one, err)) || (st = check_rows(one, f, err)) ||
        (st = check_vectors(one, f, err)) || (st = check_updates(one, f, err)))
        return st;
    votes_init(out, e);
    if ((st = copy_arrays(one, f->below, out))) {
        votes_free(out);
        return fail_memory(err);
    }
    return PERC_OK;
}
