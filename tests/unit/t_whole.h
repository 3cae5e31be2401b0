/* t_whole.h -- problems in whole numbers out of matrices and files, and sums over their rows
 * that the test does itself. */
#ifndef PERC_TEST_WHOLE_H
#define PERC_TEST_WHOLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include "solve/whole.h"
#include "t_brute.h"
#include "t_make.h"

struct t_whole {
    struct whole p;
    perc_dataset *ds;
    struct t_data d; /* what ds borrows; empty where it was read */
    uint64_t *row;
    signed char *sign;
};

/* Of a data set of n rows: row i is +1 where y[i] > 0. Takes ds and d. */
static inline struct t_whole t_whole_new(perc_dataset *ds, struct t_data d, size_t n,
                                         const double *y, bool offset, struct env e)
{
    struct t_whole t = {
        .ds = ds, .d = d, .row = malloc((n + 1) * sizeof *t.row), .sign = malloc(n + 1)
    };

    for (size_t i = 0; i < n; i++) {
        t.row[i] = i;
        t.sign[i] = y[i] > 0 ? 1 : -1;
    }
    t.p = (struct whole){ .e = e,
                          .ds = ds,
                          .offset = offset,
                          .dims = ds->columns + (offset ? 1 : 0),
                          .n = n,
                          .row = t.row,
                          .sign = t.sign };
    return t;
}

/* Of a matrix; takes it. */
static inline struct t_whole t_whole_of(struct t_data d, bool offset, struct env e)
{
    return t_whole_new(t_borrow(&d), d, d.rows, d.y, offset, e);
}

static inline struct t_data t_small_data(const struct t_small *d)
{
    struct t_data out = t_data_new(d->rows, d->cols);

    for (size_t i = 0; i < d->rows; i++) {
        for (size_t j = 0; j < d->cols; j++) out.x[i * d->cols + j] = d->x[i][j];
        out.y[i] = d->y[i];
    }
    return out;
}

static inline void t_whole_free(struct t_whole *t)
{
    perc_dataset_free(t->ds);
    t_data_free(&t->d);
    free(t->row);
    free(t->sign);
}

/* The sign of a_i.w. */
static inline int t_whole_sign(const struct whole *p, struct whole_vector *v, uint64_t i, mpz_t *w)
{
    mpz_t x;

    if (whole_row(p, i, v, NULL)) abort();
    mpz_init(x);
    whole_dot(v, (const mpz_t *)w, x);
    const int sign = mpz_sgn(x);
    mpz_clear(x);
    return sign;
}

/* out = t_brute's a_i, as GMP's. */
static inline void t_brute_dot(const struct t_brute *b, size_t i, mpz_t *w, mpz_t out)
{
    mpz_set_ui(out, 0);
    for (size_t j = 0; j < b->dims; j++) {
        if (b->a[i][j] >= 0) mpz_addmul_ui(out, w[j], (unsigned long)b->a[i][j]);
        else mpz_submul_ui(out, w[j], (unsigned long)-b->a[i][j]);
    }
}

#endif
