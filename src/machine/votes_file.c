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
 *             caller knows it from the rest of the file. What the updates of a kernel
 *             machine come to (expansion_file.c). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "machine/votes.h"

/* The arrays, by name: one list for writing and reading. */
enum { ROW, UP, DOWN, STEP, AT, EXAMPLE, START, COLUMN, VALUE, DENSE, ARRAYS };
static const struct {
    const char *name, *word; /* the type, as a message says it */
    enum dtype type;
} arrays[ARRAYS] = {
    [ROW] = { "vote.row", "U32", DTYPE_U32 },      [UP] = { "vote.up", "U32", DTYPE_U32 },
    [DOWN] = { "vote.down", "U32", DTYPE_U32 },    [STEP] = { "vote.step", "F64", DTYPE_F64 },
    [AT] = { "vote.at", "I64", DTYPE_I64 },        [START] = { "row.start", "U64", DTYPE_U64 },
    [COLUMN] = { "row.column", "U32", DTYPE_U32 }, [VALUE] = { "row.value", "F64", DTYPE_F64 },
    [DENSE] = { "row.dense", "F64", DTYPE_F64 },   [EXAMPLE] = { "vote.example", "I64", DTYPE_I64 },
};

/* The row.start of no rows. */
static const uint64_t none[1] = { 0 };

/* The features that a file's rows may have. */
static uint64_t features_of(const struct votes_frame *f)
{
    const uint64_t most = (uint64_t)UINT32_MAX + 1; /* in memory a column has 32 bits */
    const uint64_t columns = f->columns < most ? f->columns : most;

    return columns > f->below ? columns - f->below : 0;
}

/* Whether so many rows take fewer bytes with their zeros than without. */
static bool dense_pays(const struct votes_frame *f, uint64_t rows, uint64_t entries)
{
    const uint64_t features = features_of(f), sparse = 8 * (rows + 1) + 12 * entries;

    if (!f->kernel || rows == 0 || features == 0) return false;
    return features <= sparse / 8 / rows && 8 * rows * features < sparse;
}

/* Whether a file with dense rows, or without, has this array. */
static bool has_array(const struct votes_frame *f, bool dense, size_t i)
{
    if (i == EXAMPLE) return f->kernel;
    return i < START || (i == DENSE) == dense;
}

/* ----- writing ---------------------------------------------------------------------- */

void votes_packed_free(struct votes_packed *p)
{
    mem_free(&p->e, p->row, p->n, sizeof *p->row);
    mem_free(&p->e, p->up, p->n, sizeof *p->up);
    mem_free(&p->e, p->down, p->n, sizeof *p->down);
    mem_free(&p->e, p->step, p->n, sizeof *p->step);
    mem_free(&p->e, p->at, p->n, sizeof *p->at);
    mem_free(&p->e, p->example, p->n, sizeof *p->example);
    mem_free(&p->e, p->column, p->entries, sizeof *p->column);
    mem_free(&p->e, p->dense, p->cells, sizeof *p->dense);
    votes_free(&p->tidy);
    *p = (struct votes_packed){ 0 };
}

/* The updates, an array for each of their numbers. */
static perc_status make_updates(const struct votes *v, bool kernel, struct votes_packed *p)
{
    p->row = mem_array(&p->e, p->n, sizeof *p->row);
    p->up = mem_array(&p->e, p->n, sizeof *p->up);
    p->down = mem_array(&p->e, p->n, sizeof *p->down);
    p->step = mem_array(&p->e, p->n, sizeof *p->step);
    p->at = mem_array(&p->e, p->n, sizeof *p->at);
    if (kernel) p->example = mem_array(&p->e, p->n, sizeof *p->example);
    if (p->row == NULL || p->up == NULL || p->down == NULL || p->step == NULL || p->at == NULL ||
        (kernel && p->example == NULL))
        return PERC_ENOMEM;
    for (size_t k = 0; k < p->n; k++) {
        p->row[k] = v->vote[k].row;
        p->up[k] = v->vote[k].up;
        p->down[k] = v->vote[k].down;
        p->step[k] = v->vote[k].step;
        p->at[k] = v->vote[k].at;
        if (kernel) p->example[k] = v->vote[k].example;
    }
    return PERC_OK;
}

/* The rows, as far as they are not in memory as the file has them. */
static perc_status make_rows(const struct votes *v, const struct votes_frame *f, bool dense,
                             struct votes_packed *p)
{
    const uint64_t features = features_of(f);

    if (!dense && f->below == 0) return PERC_OK;
    if (!dense) {
        if ((p->column = mem_array(&p->e, p->entries, sizeof *p->column)) == NULL)
            return PERC_ENOMEM;
        for (size_t k = 0; k < p->entries; k++) p->column[k] = v->column[k] - (uint32_t)f->below;
        return PERC_OK;
    }
    p->cells = v->rows * (size_t)features; /* dense_pays: less than what is in memory */
    if ((p->dense = mem_zeroed(&p->e, p->cells, sizeof *p->dense)) == NULL) return PERC_ENOMEM;
    for (size_t i = 0; i < v->rows; i++)
        for (uint64_t k = v->start[i]; k < v->start[i + 1]; k++)
            p->dense[i * features + (v->column[k] - f->below)] = v->value[k];
    return PERC_OK;
}

perc_status votes_pack(const struct env *e, const struct votes *v, const struct votes_frame *f,
                       struct tensors *t, struct votes_packed *out)
{
    *out = (struct votes_packed){ .e = *e, .votes = v, .tidy = { .e = *e } };
    if (!votes_in_order(v)) {
        if (votes_tidy(e, v, &out->tidy)) return PERC_ENOMEM;
        out->votes = v = &out->tidy;
    }
    const bool dense = dense_pays(f, v->rows, v->entries);
    out->n = v->n;
    out->entries = v->entries;
    if (make_updates(v, f->kernel, out) || make_rows(v, f, dense, out)) return PERC_ENOMEM;

    const void *data[ARRAYS] = {
        [ROW] = out->row,
        [UP] = out->up,
        [DOWN] = out->down,
        [STEP] = out->step,
        [AT] = out->at,
        [EXAMPLE] = out->example,
        [START] = v->rows > 0 ? v->start : none,
        [COLUMN] = out->column != NULL ? out->column : v->column,
        [VALUE] = v->value,
        [DENSE] = out->dense,
    };
    for (size_t i = 0; i < ARRAYS; i++) {
        const uint64_t n = i < START    ? v->n
                           : i == START ? v->rows + 1
                           : i == DENSE ? v->rows
                                        : v->entries;
        if (has_array(f, dense, i) && tensors_add(t, arrays[i].name, arrays[i].type, data[i], n,
                                                  i == DENSE ? features_of(f) : 0))
            return PERC_ENOMEM;
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

/* Array i, of the type and the dimensions that it must have. */
static perc_status find_array(const struct tensors *t, size_t i, const struct tensor **out,
                              perc_error *err)
{
    const struct tensor *one = *out = tensors_find(t, arrays[i].name);
    const bool dense = i == DENSE;

    if (one == NULL) return fail(err, PERC_EDATA, "tensor '%s' is missing", arrays[i].name);
    if (one->type != arrays[i].type || one->dims != (dense ? 2 : 1))
        return fail(err, PERC_EDATA, "tensor '%s' must be %s of %s", arrays[i].name, arrays[i].word,
                    dense ? "two dimensions" : "one dimension");
    return PERC_OK;
}

/* The arrays, NULL for those that a file of this kind does not have. */
static perc_status find_arrays(const struct tensors *t, const struct votes_frame *f,
                               const struct tensor *one[ARRAYS], perc_error *err)
{
    const bool dense = f->kernel && tensors_find(t, arrays[DENSE].name) != NULL;

    for (size_t i = 0; i < ARRAYS; i++) {
        perc_status st;
        one[i] = NULL;
        if (!has_array(f, dense, i)) continue;
        if ((st = find_array(t, i, &one[i], err))) return st;
        const size_t like = i < START ? ROW : i == VALUE ? COLUMN : i;
        if (one[i]->count != one[like]->count)
            return fail(err, PERC_EDATA, "tensors '%s' and '%s' have different lengths",
                        arrays[like].name, arrays[i].name);
    }
    if (dense && one[DENSE]->shape[0] >= UINT32_MAX)
        return fail(err, PERC_EDATA, "tensor 'row.dense' must have fewer than 2^32 - 1 rows");
    if (!dense && (one[START]->count == 0 || one[START]->count > UINT32_MAX))
        return fail(err, PERC_EDATA, "tensor 'row.start' must have 1 to 2^32 - 1 elements");
    return PERC_OK;
}

static uint64_t rows_of(const struct tensor *const one[ARRAYS])
{
    return one[DENSE] != NULL ? one[DENSE]->shape[0] : one[START]->count - 1;
}

perc_status votes_check_rows(const struct tensor *starts, const struct tensor *columns,
                             const struct tensor *values, uint64_t features, perc_error *err)
{
    const uint64_t *start = starts->data;
    const uint32_t *column = columns->data;
    const double *value = values->data;
    const uint64_t rows = starts->count - 1, entries = columns->count;

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

static perc_status check_sparse(const struct tensor *const one[ARRAYS], const struct votes_frame *f,
                                perc_error *err)
{
    const perc_status st = votes_check_rows(one[START], one[COLUMN], one[VALUE], features_of(f),
                                            err);

    if (st) return st;
    if (dense_pays(f, rows_of(one), one[COLUMN]->count))
        return fail(err, PERC_EDATA,
                    "tensor 'row.dense' is missing: it would be smaller than "
                    "row.start, row.column and row.value");
    return PERC_OK;
}

static uint64_t entries_of(const struct tensor *dense)
{
    const double *value = dense->data;
    uint64_t n = 0;

    for (uint64_t k = 0; k < dense->count; k++) n += value[k] != 0;
    return n;
}

static perc_status check_dense(const struct tensor *dense, const struct votes_frame *f,
                               perc_error *err)
{
    const double *value = dense->data;

    if (dense->shape[1] != features_of(f))
        return fail(err, PERC_EDATA, "tensor 'row.dense' must have %llu columns",
                    (unsigned long long)features_of(f));
    for (uint64_t k = 0; k < dense->count; k++)
        if (!is_finite(value[k]) || (value[k] == 0 && signbit(value[k])))
            return fail(err, PERC_EDATA, "row.dense[%llu, %llu] is not a finite number, or is -0",
                        (unsigned long long)(k / dense->shape[1]),
                        (unsigned long long)(k % dense->shape[1]));
    if (!dense_pays(f, dense->shape[0], entries_of(dense)))
        return fail(err, PERC_EDATA,
                    "tensor 'row.dense' is there, but row.start, row.column and "
                    "row.value would be smaller");
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

static perc_status check_order(const struct tensor *const one[ARRAYS], const struct votes_frame *f,
                               perc_error *err)
{
    const uint32_t *up = one[UP]->data;
    const int64_t *at = one[AT]->data, *example = f->kernel ? one[EXAMPLE]->data : NULL;

    for (uint64_t k = 0; k < one[ROW]->count; k++) {
        if (at[k] < 1 || at[k] > f->shown)
            return wrong(err, AT, k, "is not an example that was shown");
        if (example != NULL && example[k] < 0) return wrong(err, EXAMPLE, k, "is negative");
        if (k == 0 || at[k] > at[k - 1]) continue;
        if (at[k] < at[k - 1]) return wrong(err, AT, k, "is less than the one before");
        if (!f->kernel && (f->pairs || up[k] <= up[k - 1]))
            return wrong(err, AT, k, "is a second update of one vector by one example");
    }
    return PERC_OK;
}

static perc_status check_updates(const struct tensor *const one[ARRAYS],
                                 const struct votes_frame *f, perc_error *err)
{
    const uint32_t *row = one[ROW]->data;
    const double *step = one[STEP]->data;
    const uint64_t rows = rows_of(one);
    uint64_t next = 0; /* rows named so far */

    for (uint64_t k = 0; k < one[ROW]->count; k++) {
        if (row[k] >= rows) return wrong(err, ROW, k, "is not one of the rows");
        if (row[k] > next) return wrong(err, ROW, k, "passes over a row that is not named yet");
        next += row[k] == next;
        if (!is_finite(step[k]) || step[k] == 0)
            return wrong(err, STEP, k, "is not a finite number other than 0");
        if (f->pairs && step[k] < 0) return wrong(err, STEP, k, "is negative");
    }
    if (next < rows)
        return wrong(err, one[DENSE] != NULL ? DENSE : START, next,
                     "begins a row that no update names");
    return check_order(one, f, err);
}

/* The rest is checked; *v is empty. */
static perc_status copy_rows(const struct tensor *const one[ARRAYS], uint64_t below,
                             struct votes *v)
{
    const size_t rows = (size_t)rows_of(one);
    const struct tensor *dense = one[DENSE];
    const size_t entries = (size_t)(dense != NULL ? entries_of(dense) : one[COLUMN]->count);

    if (rows == 0) return PERC_OK;
    if (votes_room(v, rows, entries)) return PERC_ENOMEM;
    if (dense == NULL) {
        const uint32_t *column = one[COLUMN]->data;
        memcpy(v->start, one[START]->data, (rows + 1) * sizeof *v->start);
        for (size_t k = 0; k < entries; k++) v->column[k] = column[k] + (uint32_t)below;
        if (entries > 0) memcpy(v->value, one[VALUE]->data, entries * sizeof *v->value);
    } else {
        const double *value = dense->data;
        size_t n = 0;
        for (size_t i = 0; i < rows; v->start[++i] = n) {
            for (uint64_t j = 0; j < dense->shape[1]; j++, value++) {
                if (*value == 0) continue;
                v->column[n] = (uint32_t)(j + below);
                v->value[n++] = *value;
            }
        }
    }
    v->rows = rows;
    v->entries = entries;
    return votes_index(v);
}

static perc_status copy_updates(const struct tensor *const one[ARRAYS], struct votes *v)
{
    const size_t n = (size_t)one[ROW]->count;
    const int64_t *example = one[EXAMPLE] != NULL ? one[EXAMPLE]->data : NULL;

    if (!mem_grow(&v->e, (void **)&v->vote, &v->cap, n, sizeof *v->vote)) return PERC_ENOMEM;
    for (size_t k = 0; k < n; k++)
        v->vote[k] = (struct vote){ .row = ((const uint32_t *)one[ROW]->data)[k],
                                    .up = ((const uint32_t *)one[UP]->data)[k],
                                    .down = ((const uint32_t *)one[DOWN]->data)[k],
                                    .step = ((const double *)one[STEP]->data)[k],
                                    .at = ((const int64_t *)one[AT]->data)[k],
                                    .example = example != NULL ? example[k] : 0 };
    v->n = n;
    return PERC_OK;
}

perc_status votes_unpack(const struct env *e, const struct tensors *t, const struct votes_frame *f,
                         struct votes *out, perc_error *err)
{
    const struct tensor *one[ARRAYS];
    perc_status st;

    *out = (struct votes){ 0 };
    if ((st = find_arrays(t, f, one, err))) return st;
    st = one[DENSE] != NULL ? check_dense(one[DENSE], f, err) : check_sparse(one, f, err);
    if (st || (st = check_vectors(one, f, err)) || (st = check_updates(one, f, err))) return st;
    votes_init(out, e);
    if (copy_rows(one, f->below, out) || copy_updates(one, out)) {
        votes_free(out);
        return fail_memory(err);
    }
    return PERC_OK;
}
