/* expansion_file.c -- what the updates of a kernel machine come to, row by row.
 *
 * The machine is its updates; the coefficients and counters are what they add up to, for
 * people and for other programs, which would rather read
 *
 *     s_c(x) = sum_i coefficient_ic K(x_i, x) + b_c
 *
 * than walk the updates. Nothing here is computed from a file's: they must be what the
 * votes say, or the file is refused. */
#include <string.h>

#include "machine/expansion.h"

void expansion_coefficients(const struct votes *v, const struct moment *m, size_t vectors,
                            double *coefficient, int64_t *counter)
{
    for (size_t i = 0; i < v->rows * vectors; i++) coefficient[i] = 0;
    for (size_t i = 0; i < v->rows; i++) counter[i] = 0;
    for (size_t k = 0; k < m->updates; k++) {
        const struct vote *one = &v->vote[k];
        const double step = moment_step(m, one);
        if (one->up < vectors) coefficient[one->row * vectors + one->up] += step;
        if (one->down < vectors) coefficient[one->row * vectors + one->down] -= step;
        counter[one->row] += one->up < vectors && !one->aside;
    }
}

/* ----- in a file ------------------------------------------------------------------------ */

/* The arrays, by name; the second list is for `flat` ones. */
enum { COEFFICIENT, COUNTER, ARRAYS };
enum { ROWS, VECTORS, SIZES };
static const struct tensor_spec arrays[2][ARRAYS] = {
    { { "coefficient", DTYPE_F64, .n0 = ROWS, .n1 = VECTORS },
      { "counter", DTYPE_I64, .n0 = ROWS } },
    { { "coefficient", DTYPE_F64, .n0 = ROWS }, { "counter", DTYPE_I64, .n0 = ROWS } },
};

perc_status expansion_pack(const struct votes *v, const struct moment *m, size_t vectors, bool flat,
                           struct tensors *t)
{
    const uint64_t size[SIZES] = { v->rows, vectors };

    if (vectors > 0 && v->rows > SIZE_MAX / vectors) return PERC_ENOMEM;
    double *coefficient = tensors_keep(t, v->rows * vectors, sizeof *coefficient);
    int64_t *counter = tensors_keep(t, v->rows, sizeof *counter);
    if (coefficient == NULL || counter == NULL) return PERC_ENOMEM;
    expansion_coefficients(v, m, vectors, coefficient, counter);
    const void *const data[ARRAYS] = { coefficient, counter };
    return tensors_add_all(t, arrays[flat], ARRAYS, size, data);
}

/* The first of n words of 8 bytes that differs; n: none does. */
static uint64_t first_other(const void *a, const void *b, uint64_t n)
{
    uint64_t k = 0;

    while (k < n && memcmp((const char *)a + 8 * k, (const char *)b + 8 * k, 8) == 0) k++;
    return k;
}

perc_status expansion_compare(const struct votes *v, const struct moment *m, size_t vectors,
                              bool flat, const struct tensors *t, perc_error *err)
{
    const struct tensor *one[ARRAYS];
    uint64_t size[SIZES] = { v->rows, vectors };
    struct tensors own;
    perc_status st = tensors_want_all(t, arrays[flat], ARRAYS, size, one, err);

    if (st) return st;
    tensors_init(&own, &v->e);
    if (expansion_pack(v, m, vectors, flat, &own)) st = fail_memory(err);
    for (size_t a = 0; a < ARRAYS && !st; a++) {
        const uint64_t k = first_other(own.tensor[a].data, one[a]->data, one[a]->count);
        if (k < one[a]->count)
            st = tensors_wrong(err, one[a]->name, k,
                               a == COUNTER ? "is not the number of its updates"
                                            : "is not what the updates add up to");
    }
    tensors_free(&own);
    return st;
}
