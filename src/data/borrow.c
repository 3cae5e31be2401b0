/* borrow.c -- a caller's own arrays as a data set, without a copy of the matrix.
 *
 * The arrays are looked through once: a value that is not finite, or columns out
 * of order, would otherwise surface as nonsense far from the caller's mistake. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/dataset.h"

enum { BLOCK_ROWS = 1 << 16 };

static perc_status label_rows(perc_dataset *ds, struct block *b, const double *labels,
                              const double *weights, uint64_t from, perc_error *err)
{
    perc_status st;

    for (size_t i = 0; i < b->rows; i++) {
        const uint64_t row = from + i;
        if (!isfinite(labels[row]))
            return fail(err, PERC_EDATA, "the label of row %llu is not finite",
                        (unsigned long long)row);
        if ((st = labels_add_double(&ds->labels, labels[row], &b->label[i], err))) return st;
        if (weights == NULL) continue;
        if (!isfinite(weights[row]) || weights[row] < 0)
            return fail(err, PERC_EDATA, "the weight of row %llu is negative or not finite",
                        (unsigned long long)row);
        b->weight[i] = weights[row];
    }
    return PERC_OK;
}

static perc_status check_borrowed(const struct block *b, uint64_t columns, uint64_t from,
                                  perc_error *err)
{
    for (size_t i = 0; i < b->rows; i++) {
        const struct row r = block_row(b, i);
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t j = row_column(&r, k);
            if (j >= columns || (k > 0 && j <= row_column(&r, k - 1)))
                return fail(err, PERC_EDATA,
                            "row %llu, entry %zu: column %llu is out of order or out of range",
                            (unsigned long long)(from + i), k, (unsigned long long)j);
            if (!isfinite(row_value(&r, k)))
                return fail(err, PERC_EDATA, "row %llu, column %llu: the value is not finite",
                            (unsigned long long)(from + i), (unsigned long long)j);
        }
    }
    return PERC_OK;
}

/* Gives block b its labels and weights, checks it and appends it. */
static perc_status append_block(perc_dataset *ds, struct block *b, uint64_t from, uint64_t columns,
                                const double *labels, const double *weights, perc_error *err)
{
    const size_t wide = weights != NULL ? b->rows * sizeof(double) : 0;
    perc_status st;

    b->e = ds->e;
    b->memory_size = wide + b->rows * sizeof(uint32_t);
    b->memory = mem_array(&ds->e, b->memory_size, 1);
    if (b->memory == NULL) return fail_memory(err);
    if (weights != NULL) b->weight = b->memory;
    b->label = (uint32_t *)(void *)((char *)b->memory + wide);
    b->columns = columns;
    st = label_rows(ds, b, labels, weights, from, err);
    if (!st) st = check_borrowed(b, columns, from, err);
    if (!st && dataset_append(ds, b)) st = fail_memory(err);
    block_free(b);
    return st;
}

static perc_status finish_set(perc_dataset *ds, perc_dataset **out, perc_status st, perc_error *err)
{
    if (!st && ds->rows == 0) st = fail(err, PERC_EDATA, "the data set has no rows");
    if (!st && dataset_sort_labels(ds)) st = fail_memory(err);
    if (st) perc_dataset_free(ds);
    else *out = ds;
    return st;
}

perc_status perc_dataset_borrow_dense(const perc_env *env, const perc_dense *x,
                                      const double *labels, const double *weights,
                                      perc_dataset **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(x != NULL && labels != NULL);
    NEED(x->values != NULL || x->rows == 0 || x->columns == 0);
    NEED(x->columns <= UINT32_MAX);
    const struct env e = env_resolve(env);
    perc_dataset *ds;
    perc_status st = PERC_OK;

    if (x->type != PERC_F32 && x->type != PERC_F64)
        return fail(err, PERC_EARG, "a dense matrix is made of PERC_F32 or PERC_F64");
    if (dataset_new(&e, &ds)) return fail_memory(err);
    for (uint64_t from = 0; from < x->rows && !st; from += BLOCK_ROWS) {
        const uint64_t rows = x->rows - from < BLOCK_ROWS ? x->rows - from : BLOCK_ROWS;
        struct block b = { .rows = (size_t)rows,
                           .nonzeros = rows * x->columns,
                           .values = x->type == PERC_F32 ? VALUES_F32 : VALUES_F64,
                           .indices = INDEX_DENSE,
                           .value = (const char *)x->values + (ptrdiff_t)from * x->row_stride,
                           .width = x->columns,
                           .row_stride = x->row_stride,
                           .stride = x->column_stride };
        st = append_block(ds, &b, from, x->columns, labels, weights, err);
    }
    return finish_set(ds, out, st, err);
}

static uint64_t start_at(const perc_csr *x, uint64_t i)
{
    return x->start_type == PERC_I32 ? (uint64_t)((const int32_t *)x->start)[i]
                                     : (uint64_t)((const int64_t *)x->start)[i];
}

perc_status perc_dataset_borrow_csr(const perc_env *env, const perc_csr *x, const double *labels,
                                    const double *weights, perc_dataset **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(x != NULL && labels != NULL);
    NEED(x->start != NULL && (x->index != NULL || x->columns == 0));
    const struct env e = env_resolve(env);
    perc_dataset *ds;
    perc_status st = PERC_OK;

    if (x->start_type != PERC_I32 && x->start_type != PERC_I64)
        return fail(err, PERC_EARG, "row starts are PERC_I32 or PERC_I64");
    if (x->index_type != PERC_I32 && x->index_type != PERC_I64)
        return fail(err, PERC_EARG, "column indices are PERC_I32 or PERC_I64");
    if (x->values != NULL && x->value_type != PERC_F32 && x->value_type != PERC_F64)
        return fail(err, PERC_EARG, "values are PERC_F32 or PERC_F64");
    if (start_at(x, 0) > INT64_MAX) return fail(err, PERC_EDATA, "the start of row 0 is negative");
    for (uint64_t i = 0; i < x->rows; i++)
        if (start_at(x, i + 1) < start_at(x, i) || start_at(x, i + 1) > INT64_MAX)
            return fail(err, PERC_EDATA, "row %llu ends before it starts", (unsigned long long)i);
    if (dataset_new(&e, &ds)) return fail_memory(err);
    for (uint64_t from = 0; from < x->rows && !st; from += BLOCK_ROWS) {
        const uint64_t rows = x->rows - from < BLOCK_ROWS ? x->rows - from : BLOCK_ROWS;
        struct block b = { .rows = (size_t)rows,
                           .nonzeros = start_at(x, from + rows) - start_at(x, from),
                           .values = x->values == NULL           ? VALUES_ONES
                                     : x->value_type == PERC_F32 ? VALUES_F32
                                                                 : VALUES_F64,
                           .indices = x->index_type == PERC_I32 ? INDEX_U32 : INDEX_U64,
                           .value = x->values,
                           .index = x->index };
        if (x->start_type == PERC_I32) b.start32 = (const int32_t *)x->start + from;
        else b.start = (const uint64_t *)x->start + from;
        st = append_block(ds, &b, from, x->columns, labels, weights, err);
    }
    return finish_set(ds, out, st, err);
}
