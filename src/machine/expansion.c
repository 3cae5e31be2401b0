/* expansion.c -- a kernel machine: its scores, one row at a time, and what its updates come to. */
#include "machine/expansion.h"

#include <string.h>

perc_status expansion_new(const struct env *e, const struct kernel *k, struct expansion **out)
{
    struct expansion *x = *out = mem_zeroed(e, 1, sizeof *x);

    if (x == NULL) return PERC_ENOMEM;
    x->e = x->spread.e = *e;
    x->kernel = *k;
    return PERC_OK;
}

void expansion_free(struct expansion *x)
{
    if (x == NULL) return;
    const struct env e = x->e;
    mem_free(&e, x->norm2, x->norms_cap, sizeof *x->norm2);
    gram_spread_free(&x->spread);
    mem_free(&e, x->value, x->value_cap, sizeof *x->value);
    mem_free(&e, x, 1, sizeof *x);
}

perc_status expansion_follow(struct expansion *x, const struct votes *v)
{
    if (!MEM_GROW(&x->e, x->norm2, &x->norms_cap, v->rows) ||
        !MEM_GROW(&x->e, x->value, &x->value_cap, v->rows))
        return PERC_ENOMEM;
    for (; x->norms < v->rows; x->norms++) {
        const struct row r = votes_row(v, x->norms);
        x->norm2[x->norms] = kernel_norm2(&x->kernel, &r);
    }
    return PERC_OK;
}

perc_status expansion_scores(struct expansion *x, const struct votes *v, const struct row *r,
                             const struct moment *m, size_t vectors, double *s)
{
    enum { MANY = 64 }; /* rows at a time */
    const double norm2 = kernel_norm2(&x->kernel, r);
    struct row row[MANY];

    if (expansion_follow(x, v) || gram_spread_reserve(&x->spread, r)) return PERC_ENOMEM;
    for (size_t i = 0; i < v->rows; i += MANY) {
        const size_t n = v->rows - i < MANY ? v->rows - i : MANY;
        for (size_t k = 0; k < n; k++) row[k] = votes_row(v, i + k);
        gram_row(&x->kernel, &x->spread, row, x->norm2 + i, n, r, norm2, x->value + i);
    }
    for (size_t c = 0; c < vectors; c++) s[c] = 0;
    for (size_t k = 0; k < m->updates; k++) {
        const struct vote *one = &v->vote[k];
        const double t = moment_step(m, one) * x->value[one->row];
        if (one->up < vectors) s[one->up] += t;
        if (one->down < vectors) s[one->down] -= t;
    }
    return PERC_OK;
}

/* ----- in a file ------------------------------------------------------------------------
 *
 * The machine is its updates; the coefficients and counters are what they add up to, for people
 * and for other programs, which would rather read
 *
 *     s_c(x) = sum_i coefficient_ic K(x_i, x) + b_c
 *
 * than walk the updates. Those in a file are not used: they must agree with the votes, or
 * the file is refused. */

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
        const char *is = one[a]->data, *should = own.tensor[a].data;
        uint64_t k = 0;
        while (k < one[a]->count && memcmp(is + 8 * k, should + 8 * k, 8) == 0) k++;
        if (k < one[a]->count)
            st = tensors_wrong(err, one[a]->name, k,
                               a == COUNTER ? "is not the number of its updates"
                                            : "is not what the updates add up to");
    }
    tensors_free(&own);
    return st;
}
