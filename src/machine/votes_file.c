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
 *             machine come to (expansion.c). */
#include <math.h>
#include <string.h>

#include "machine/votes.h"

/* The updates: the fields of struct vote. */
enum { ROW, UP, DOWN, STEP, AT, EXAMPLE, FIELDS };
static const struct tensor_spec updates[FIELDS] = {
    [ROW] = { "vote.row", DTYPE_U32, .at = offsetof(struct vote, row) },
    [UP] = { "vote.up", DTYPE_U32, .at = offsetof(struct vote, up) },
    [DOWN] = { "vote.down", DTYPE_U32, .at = offsetof(struct vote, down) },
    [STEP] = { "vote.step", DTYPE_F64, .at = offsetof(struct vote, step) },
    [AT] = { "vote.at", DTYPE_I64, .at = offsetof(struct vote, at) },
    [EXAMPLE] = { "vote.example", DTYPE_I64, .at = offsetof(struct vote, example) },
};

/* The fields that a file has. */
static size_t fields_of(const struct votes_frame *f)
{
    return f->kernel ? FIELDS : EXAMPLE;
}

/* The rows. */
enum { START, COLUMN, VALUE, ARRAYS };
enum { STARTS, ENTRIES, SIZES };
static const struct tensor_spec arrays[ARRAYS] = {
    [START] = { "row.start", DTYPE_U64, STARTS },
    [COLUMN] = { "row.column", DTYPE_U32, ENTRIES },
    [VALUE] = { "row.value", DTYPE_F64, ENTRIES },
};
#define DENSE "row.dense"

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

/* ----- rows without their zeros ------------------------------------------------------ */

perc_status votes_rows_pack(const struct votes_rows *r, uint64_t below, struct tensors *t)
{
    static const uint64_t none[1] = { 0 }; /* the row.start of no rows */
    const uint64_t size[SIZES] = { r->rows + 1, r->entries };
    const uint32_t *column = r->column;

    if (below > 0) {
        uint32_t *less = tensors_keep(t, r->entries, sizeof *less);
        if (less == NULL) return PERC_ENOMEM;
        for (uint64_t k = 0; k < r->entries; k++) less[k] = column[k] - (uint32_t)below;
        column = less;
    }
    const void *const data[ARRAYS] = { r->rows > 0 ? r->start : none, column, r->value };
    return tensors_add_all(t, arrays, ARRAYS, size, data);
}

/* Row i begins where the one before ends, and its columns increase. */
static perc_status check_rows(const struct votes_rows *r, uint64_t features, perc_error *err)
{
    const char *start = arrays[START].name, *column = arrays[COLUMN].name;

    if (r->start[0] != 0) return tensors_wrong(err, start, 0, "is not 0");
    for (uint64_t i = 0; i < r->rows; i++)
        if (r->start[i + 1] < r->start[i])
            return tensors_wrong(err, start, i + 1, "is less than the one before");
    if (r->start[r->rows] != r->entries)
        return tensors_wrong(err, start, r->rows, "is not the number of entries");
    for (uint64_t i = 0; i < r->rows; i++)
        for (uint64_t k = r->start[i] + 1; k < r->start[i + 1]; k++)
            if (r->column[k] <= r->column[k - 1])
                return tensors_wrong(err, column, k, "is not above the one before");
    for (uint64_t k = 0; k < r->entries; k++) {
        if (r->column[k] >= features)
            return tensors_wrong(err, column, k, "is not a feature of the model");
        if (r->value[k] == 0)
            return tensors_wrong(err, arrays[VALUE].name, k, "is not a finite number other than 0");
    }
    return PERC_OK;
}

perc_status votes_rows_unpack(struct votes_rows *r, uint64_t most, uint64_t features,
                              const struct tensors *t, perc_error *err)
{
    const struct tensor *one[ARRAYS];
    uint64_t size[SIZES] = { TENSORS_ANY, TENSORS_ANY };
    const perc_status st = tensors_want_all(t, arrays, ARRAYS, size, one, err);

    if (st) return st;
    if (size[STARTS] == 0 || size[STARTS] - 1 > most)
        return fail(err, PERC_EDATA, "tensor 'row.start' must have 1 to %llu elements",
                    (unsigned long long)most + 1);
    *r = (struct votes_rows){ one[START]->data, one[COLUMN]->data, one[VALUE]->data,
                              size[STARTS] - 1, size[ENTRIES] };
    return check_rows(r, features, err);
}

/* ----- writing ---------------------------------------------------------------------- */

perc_status votes_pack(const struct votes *v, const struct votes_frame *f, struct tensors *t)
{
    const struct votes_rows rows = { v->start, v->column, v->value, v->rows, v->entries };

    for (size_t i = 0; i < fields_of(f); i++) {
        const void *field = v->n > 0 ? (const char *)v->vote + updates[i].at : NULL;
        if (tensors_add_rows(t, updates[i].name, updates[i].type, field, sizeof *v->vote, v->n, 0))
            return PERC_ENOMEM;
    }
    if (!dense_pays(f, v->rows, v->entries)) return votes_rows_pack(&rows, f->below, t);
    const uint64_t features = features_of(f); /* dense_pays: less than what is in memory */
    double *dense = tensors_keep(t, v->rows * features, sizeof *dense);
    if (dense == NULL) return PERC_ENOMEM;
    for (size_t i = 0; i < v->rows; i++)
        for (uint64_t k = v->start[i]; k < v->start[i + 1]; k++)
            dense[i * features + (v->column[k] - f->below)] = v->value[k];
    return tensors_add(t, DENSE, DTYPE_F64, dense, v->rows, features);
}

/* ----- reading ---------------------------------------------------------------------- */

/* Update k of v, as far as it does not depend on the others. */
static perc_status check_update(const struct votes *v, size_t k, const struct votes_frame *f,
                                perc_error *err)
{
    const struct vote *one = &v->vote[k];

    if (one->up >= f->vectors)
        return tensors_wrong(err, updates[UP].name, k, "is not a vector of the model");
    if (!f->pairs && one->down != NO_DOWN)
        return tensors_wrong(err, updates[DOWN].name, k,
                             "must be 2^32 - 1: this kind of model has no pairs");
    if (f->pairs && (one->down >= f->vectors || one->down == one->up))
        return tensors_wrong(err, updates[DOWN].name, k, "is not another vector of the model");
    if (one->row >= v->rows)
        return tensors_wrong(err, updates[ROW].name, k, "is not one of the rows");
    if (one->step == 0)
        return tensors_wrong(err, updates[STEP].name, k, "is not a finite number other than 0");
    if (f->pairs && one->step < 0) return tensors_wrong(err, updates[STEP].name, k, "is negative");
    if (one->at < 1 || one->at > f->shown)
        return tensors_wrong(err, updates[AT].name, k, "is not an example that was shown");
    if (one->example < 0 || one->example > TENSORS_COUNT_MAX)
        return tensors_wrong(err, updates[EXAMPLE].name, k, "is not the number of an example");
    return PERC_OK;
}

/* Rows are numbered as updates first name them; updates are in the order of their examples. */
static perc_status check_updates(const struct votes *v, const struct votes_frame *f, bool dense,
                                 perc_error *err)
{
    uint64_t next = 0; /* rows named so far */

    for (size_t k = 0; k < v->n; k++) {
        const struct vote *one = &v->vote[k];
        const perc_status st = check_update(v, k, f, err);
        if (st) return st;
        if (one->row > next)
            return tensors_wrong(err, updates[ROW].name, k,
                                 "passes over a row that is not named yet");
        next += one->row == next;
        if (k == 0 || one->at > one[-1].at) continue;
        if (one->at < one[-1].at)
            return tensors_wrong(err, updates[AT].name, k, "is less than the one before");
        if (!f->kernel && (f->pairs || one->up <= one[-1].up))
            return tensors_wrong(err, updates[AT].name, k,
                                 "is a second update of one vector by one example");
    }
    if (next < v->rows)
        return tensors_wrong(err, dense ? DENSE : arrays[START].name, next,
                             "begins a row that no update names");
    return PERC_OK;
}

static perc_status unpack_sparse(struct votes *v, const struct votes_frame *f,
                                 const struct tensors *t, perc_error *err)
{
    struct votes_rows r;
    const perc_status st = votes_rows_unpack(&r, UINT32_MAX - 1, features_of(f), t, err);

    if (st) return st;
    if (dense_pays(f, r.rows, r.entries))
        return fail(err, PERC_EDATA,
                    "tensor 'row.dense' is missing: it would be smaller than "
                    "row.start, row.column and row.value");
    if (r.rows == 0) return PERC_OK;
    if (votes_room(v, (size_t)r.rows, (size_t)r.entries)) return fail_memory(err);
    memcpy(v->start, r.start, (r.rows + 1) * sizeof *v->start);
    for (size_t k = 0; k < r.entries; k++) {
        v->column[k] = r.column[k] + (uint32_t)f->below;
        v->value[k] = r.value[k];
    }
    v->rows = (size_t)r.rows;
    v->entries = (size_t)r.entries;
    return PERC_OK;
}

static perc_status unpack_dense(struct votes *v, const struct votes_frame *f,
                                const struct tensors *t, perc_error *err)
{
    const struct tensor *dense;
    const uint64_t features = features_of(f);
    uint64_t entries = 0;
    perc_status st;

    if ((st = tensors_want(t, DENSE, DTYPE_F64, TENSORS_ANY, features > 0 ? features : TENSORS_ANY,
                           &dense, err)))
        return st;
    const double *value = dense->data;
    const uint64_t columns = dense->shape[1];
    if (dense->shape[0] >= UINT32_MAX)
        return fail(err, PERC_EDATA, "tensor 'row.dense' must have fewer than 2^32 - 1 rows");
    for (uint64_t k = 0; k < dense->count; k++) {
        entries += value[k] != 0;
        if (value[k] == 0 && signbit(value[k]))
            return fail(err, PERC_EDATA, "row.dense[%llu, %llu] is -0",
                        (unsigned long long)(k / columns), (unsigned long long)(k % columns));
    }
    if (!dense_pays(f, dense->shape[0], entries))
        return fail(err, PERC_EDATA,
                    "tensor 'row.dense' is present, but row.start, row.column and "
                    "row.value would be smaller");
    if (votes_room(v, (size_t)dense->shape[0], (size_t)entries)) return fail_memory(err);
    for (; v->rows < dense->shape[0]; v->start[++v->rows] = v->entries) {
        for (uint64_t j = 0; j < features; j++, value++) {
            if (*value == 0) continue;
            v->column[v->entries] = (uint32_t)(j + f->below);
            v->value[v->entries++] = *value;
        }
    }
    return PERC_OK;
}

perc_status votes_unpack(struct votes *v, const struct votes_frame *f, const struct tensors *t,
                         perc_error *err)
{
    const bool dense = f->kernel && tensors_find(t, DENSE) != NULL;
    const struct tensor *one[FIELDS];
    uint64_t size[1] = { TENSORS_ANY }; /* all fields have it */
    perc_status st = tensors_want_all(t, updates, fields_of(f), size, one, err);

    if (!st && !MEM_GROW(&v->e, v->vote, &v->cap, size[0])) st = fail_memory(err);
    if (!st) v->n = (size_t)size[0];
    for (size_t k = 0; k < v->n && !st; k++) v->vote[k] = (struct vote){ 0 };
    for (size_t i = 0; i < fields_of(f) && v->n > 0 && !st; i++)
        tensors_copy_rows(one[i], (char *)v->vote + updates[i].at, sizeof *v->vote);
    if (!st) st = dense ? unpack_dense(v, f, t, err) : unpack_sparse(v, f, t, err);
    if (!st) st = check_updates(v, f, dense, err);
    if (!st && v->rows > 0 && votes_index(v)) st = fail_memory(err);
    if (st) votes_free(v);
    return st;
}
