/* expansion.c -- the scores of a kernel machine, one row at a time. */
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
    void *norm2 = x->norm2, *value = x->value;

    if (!mem_grow(&x->e, &norm2, &x->norms_cap, v->rows, sizeof *x->norm2)) return PERC_ENOMEM;
    x->norm2 = norm2;
    if (!mem_grow(&x->e, &value, &x->value_cap, v->rows, sizeof *x->value)) return PERC_ENOMEM;
    x->value = value;
    for (; x->norms < v->rows; x->norms++) {
        const struct row r = votes_row(v, x->norms);
        x->norm2[x->norms] = row_norm2(&r);
    }
    return PERC_OK;
}

/* K(row i of v, r) for every i, into x->value. */
static perc_status values(struct expansion *x, const struct votes *v, const struct row *r)
{
    enum { MANY = 64 }; /* rows at a time */
    const double norm2 = row_norm2(r);
    struct row row[MANY];

    if (expansion_follow(x, v) || gram_spread_reserve(&x->spread, r)) return PERC_ENOMEM;
    for (size_t i = 0; i < v->rows; i += MANY) {
        const size_t n = v->rows - i < MANY ? v->rows - i : MANY;
        for (size_t k = 0; k < n; k++) row[k] = votes_row(v, i + k);
        gram_row(&x->kernel, &x->spread, row, x->norm2 + i, n, r, norm2, x->value + i);
    }
    return PERC_OK;
}

perc_status expansion_scores(struct expansion *x, const struct votes *v, const struct row *r,
                             const struct moment *m, size_t vectors, double *s)
{
    if (values(x, v, r)) return PERC_ENOMEM;
    for (size_t c = 0; c < vectors; c++) s[c] = 0;
    for (size_t k = 0; k < m->updates; k++) {
        const struct vote *one = &v->vote[k];
        const double t = moment_step(m, one) * x->value[one->row];
        if (one->up < vectors) s[one->up] += t;
        if (one->down < vectors) s[one->down] -= t;
    }
    return PERC_OK;
}
