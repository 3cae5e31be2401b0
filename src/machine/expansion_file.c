/* expansion_file.c -- what the updates of a kernel machine come to, row by row.
 *
 * The machine is its updates; the coefficients and counters are what they add up to, for
 * people and for other programs, which would rather read
 *
 *     s_c(x) = sum_i coefficient_ic K(x_i, x) + b_c
 *
 * than walk the updates. Nothing here is computed from a file's: they must be what the
 * votes say, or the file is refused. */
#include <math.h>
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

void expansion_packed_free(struct expansion_packed *p)
{
    mem_free(&p->e, p->coefficient, p->cells, sizeof *p->coefficient);
    mem_free(&p->e, p->counter, p->rows, sizeof *p->counter);
    *p = (struct expansion_packed){ 0 };
}

/* Both arrays for the rows of v. */
static perc_status make(const struct env *e, const struct votes *v, const struct moment *m,
                        size_t vectors, struct expansion_packed *out)
{
    *out = (struct expansion_packed){ .e = *e };
    if (vectors > 0 && v->rows > SIZE_MAX / vectors) return PERC_ENOMEM;
    out->rows = v->rows;
    out->cells = v->rows * vectors;
    out->coefficient = mem_array(e, out->cells, sizeof *out->coefficient);
    out->counter = mem_array(e, out->rows, sizeof *out->counter);
    if (out->coefficient == NULL || out->counter == NULL) return PERC_ENOMEM;
    expansion_coefficients(v, m, vectors, out->coefficient, out->counter);
    return PERC_OK;
}

perc_status expansion_pack(const struct env *e, const struct votes *v, const struct moment *m,
                           size_t vectors, bool flat, struct tensors *t,
                           struct expansion_packed *out)
{
    if (make(e, v, m, vectors, out) ||
        tensors_add(t, "coefficient", DTYPE_F64, out->coefficient, v->rows, flat ? 0 : vectors) ||
        tensors_add(t, "counter", DTYPE_I64, out->counter, v->rows, 0))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* A tensor of this shape; columns 0: of one dimension. */
static perc_status find(const struct tensors *t, const char *name, enum dtype type, uint64_t rows,
                        uint64_t columns, const struct tensor **out, perc_error *err)
{
    const struct tensor *one = *out = tensors_find(t, name);
    const char *word = type == DTYPE_F64 ? "F64" : "I64";

    if (one == NULL) return fail(err, PERC_EDATA, "tensor '%s' is missing", name);
    if (one->type == type && one->dims == (columns > 0 ? 2 : 1) && one->shape[0] == rows &&
        (columns == 0 || one->shape[1] == columns))
        return PERC_OK;
    if (columns == 0)
        return fail(err, PERC_EDATA, "tensor '%s' must be %s of shape [%llu]", name, word,
                    (unsigned long long)rows);
    return fail(err, PERC_EDATA, "tensor '%s' must be %s of shape [%llu, %llu]", name, word,
                (unsigned long long)rows, (unsigned long long)columns);
}

/* The first of n words of 8 bytes that differs; n: none does. */
static uint64_t first_other(const void *a, const void *b, uint64_t n)
{
    uint64_t k = 0;

    while (k < n && memcmp((const char *)a + 8 * k, (const char *)b + 8 * k, 8) == 0) k++;
    return k;
}

perc_status expansion_compare(const struct env *e, const struct tensors *t, const struct votes *v,
                              const struct moment *m, size_t vectors, bool flat, perc_error *err)
{
    const struct tensor *coefficient, *counter;
    struct expansion_packed own;
    perc_status st = find(t, "coefficient", DTYPE_F64, v->rows, flat ? 0 : vectors, &coefficient,
                          err);

    if (!st) st = find(t, "counter", DTYPE_I64, v->rows, 0, &counter, err);
    if (st) return st;
    if (make(e, v, m, vectors, &own)) {
        expansion_packed_free(&own);
        return fail_memory(err);
    }
    const uint64_t i = first_other(own.coefficient, coefficient->data, own.cells);
    const uint64_t k = first_other(own.counter, counter->data, own.rows);
    if (i < own.cells)
        st = fail(err, PERC_EDATA, "coefficient[%llu] is not what the updates add up to",
                  (unsigned long long)i);
    else if (k < own.rows)
        st = fail(err, PERC_EDATA, "counter[%llu] is not the number of its updates",
                  (unsigned long long)k);
    for (uint64_t j = 0; j < own.cells && !st; j++)
        if (!isfinite(own.coefficient[j]))
            st = fail(err, PERC_EDATA, "coefficient[%llu] is not a finite number",
                      (unsigned long long)j);
    expansion_packed_free(&own);
    return st;
}
