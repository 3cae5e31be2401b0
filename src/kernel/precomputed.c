/* precomputed.c -- whether a data set is the matrix of a kernel. */
#include "kernel/precomputed.h"

#include <inttypes.h>
#include <math.h>

#include "base/pool.h"

struct matrix {
    const perc_dataset *ds;
    const struct kernel *k;
    size_t n;
    struct row *row;
    uint64_t *column; /* of each row: its own */
};

static int64_t line_of(const struct matrix *m, size_t i)
{
    return perc_dataset_row_line(m->ds, i);
}

static perc_status not_square(const perc_dataset *ds, uint64_t columns, perc_error *err)
{
    return fail(err, PERC_EDATA,
                "%" PRIu64 " rows and %" PRIu64 " columns: the matrix of a kernel is square, with "
                "K(x_i, x_j) in row i and column j (or each row begins with its number, 0:NUMBER "
                "in LIBSVM text, and some rows may be missing)",
                ds->rows, columns);
}

/* Every row has a number of its own. */
static perc_status check_numbers(const struct matrix *m, uint64_t columns, uint8_t *taken,
                                 perc_error *err)
{
    for (size_t i = 0; i < m->n; i++) {
        const uint64_t own = m->column[i] - m->k->first;
        const double number = row_entry(&m->row[i], m->k->first - 1);
        const bool good = own < columns && number == floor(number);

        if (!good || taken[own]++)
            return dataset_blame(
                m->ds, i,
                fail_at(err, PERC_EDATA, line_of(m, i), 0,
                        "%zu rows and %" PRIu64 " columns are not square, so each row must "
                        "begin with its number, 1 to %" PRIu64 ", and this one begins with "
                        "%g%s (--holdout needs such numbers, --folds does not)",
                        m->n, columns + 1, columns, number, good ? ", as one before it" : ""),
                err);
    }
    return PERC_OK;
}

perc_status precomputed_not_symmetric(const perc_dataset *ds, const struct kernel *k, size_t i,
                                      size_t j, perc_error *err)
{
    const struct row x = dataset_row(ds, i), z = dataset_row(ds, j);
    const uint64_t a = kernel_own_column(k, &x), b = kernel_own_column(k, &z);
    const double one = row_entry(&x, b), other = row_entry(&z, a);

    return dataset_blame(
        ds, i,
        fail_at(err, PERC_EDATA, perc_dataset_row_line(ds, i), 0,
                "K(x_%" PRIu64 ", x_%" PRIu64 ") is %.17g here and %.17g on line %" PRId64
                "%s: the matrix of a kernel is symmetric (write the same number twice, such as "
                "the mean of both)",
                a - k->first + 1, b - k->first + 1, one, other, perc_dataset_row_line(ds, j),
                one == other ? ", but for digits that doubles do not have" : ""),
        err);
}

/* Row i and the rows j < i of a tile, which stay in the cache; else *j is the one that differs. */
static bool is_symmetric(const struct matrix *m, size_t from, size_t to, size_t i, size_t *j)
{
    for (*j = from; *j < to && *j < i; ++*j)
        if (row_entry(&m->row[i], m->column[*j]) != row_entry(&m->row[*j], m->column[i]))
            return false;
    return true;
}

static perc_status check_symmetric(const struct matrix *m, perc_error *err)
{
    enum { TILE = 32 };
    size_t j;

    for (size_t from = 0; from < m->n; from += TILE)
        for (size_t i = from + 1; i < m->n; i++)
            if (!is_symmetric(m, from, from + TILE, i, &j))
                return precomputed_not_symmetric(m->ds, m->k, j, i, err);
    return PERC_OK;
}

perc_status precomputed_fit(const struct env *e, struct kernel *k, const perc_dataset *ds,
                            perc_error *err)
{
    const uint64_t base = (uint64_t)ds->index_base;
    const uint64_t columns = ds->columns > base ? ds->columns - base : 0;
    struct matrix m = { .ds = ds, .k = k, .n = (size_t)ds->rows };
    struct pool pool;
    perc_status st = PERC_OK;

    if (!map_is_identity(&ds->map) || !transform_is_identity(&ds->transform))
        return fail(err, PERC_EARG,
                    "--kernel precomputed takes the numbers of the file as they are: leave out "
                    "--%s",
                    map_is_identity(&ds->map) ? "scale and --missing" : "map");
    k->numbered = columns != ds->rows;
    k->first = base + k->numbered;
    if (columns < ds->rows || columns > UINT32_MAX || (k->numbered && base > 0))
        return not_square(ds, columns, err);
    pool_init(&pool, e);
    m.row = pool_array(&pool, m.n, sizeof *m.row);
    m.column = pool_array(&pool, m.n, sizeof *m.column);
    uint8_t *taken = pool_zeroed(&pool, columns, sizeof *taken);
    if (pool.failed) st = fail_memory(err);
    for (size_t i = 0; i < m.n && !st; i++) {
        m.row[i] = dataset_row(ds, i);
        m.column[i] = kernel_own_column(k, &m.row[i]);
    }
    if (!st && k->numbered) st = check_numbers(&m, columns - 1, taken, err);
    if (!st) st = check_symmetric(&m, err);
    pool_free(&pool);
    return st;
}

perc_status precomputed_check_row(const struct kernel *k, uint64_t columns, const struct row *x,
                                  int64_t line, perc_error *err)
{
    const uint64_t end = x->n > 0 ? row_column(x, x->n - 1) + 1 : 0;

    if (end <= columns && (x->indices != INDEX_DENSE || end == columns)) return PERC_OK;
    return fail_at(err, PERC_EDATA, line, 0,
                   "this row has %" PRIu64 " columns, and the model's kernel %" PRIu64
                   ": one for each row of the matrix that it was trained on%s%s",
                   end > k->first ? end - k->first : 0, columns - k->first,
                   k->numbered ? ", after the number of the row" : "",
                   end < columns ? " (where the last one is 0, write the 0)" : "");
}

perc_status precomputed_check_kept(const struct kernel *k, const struct row *x, size_t i,
                                   perc_error *err)
{
    if (k->type != KERNEL_PRECOMPUTED ||
        (x->n == 1 && row_value(x, 0) == 1 && row_column(x, 0) >= k->first))
        return PERC_OK;
    return fail(err, PERC_EDATA,
                "row %zu is not a 1 in the column of a training row, as rows of a precomputed "
                "kernel are",
                i);
}
