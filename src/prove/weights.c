/* weights.c -- rows with positive weights whose sum is 0. */
#include "prove/weights.h"

#include <string.h>

#include "prove/exact_sum.h"

void weights_init(struct weights *l)
{
    *l = (struct weights){ .n = 0 };
    mpz_init(l->others);
}

void weights_free(const struct env *e, struct weights *l)
{
    mem_free(e, l->row, l->n, sizeof *l->row);
    whole_numbers_free(e, l->value, l->n);
    mpz_clear(l->others);
    memset(l, 0, sizeof *l);
}

/* Rows that are not listed are summed first, each once; that sum is multiplied by `others`. */
perc_status weights_check(const struct whole *exact, const struct weights *l,
                          const unsigned char *strict, bool *right, perc_error *err)
{
    struct whole_vector v;
    struct exact_sum t;
    perc_status st;

    *right = false;
    if (mpz_sgn(l->others) < 0 || (l->n == 0 && mpz_sgn(l->others) == 0)) return PERC_OK;
    for (size_t k = 0; k < l->n; k++) {
        if (l->row[k] >= exact->n || (k > 0 && l->row[k] <= l->row[k - 1])) return PERC_OK;
        if (mpz_sgn(l->value[k]) <= 0 || (strict != NULL && strict[l->row[k]])) return PERC_OK;
    }
    whole_vector_init(&v, &exact->e);
    st = exact_sum_init(&t, &exact->e, exact->dims, err);
    for (uint64_t i = 0, k = 0; i < exact->n && mpz_sgn(l->others) > 0 && !st; i++) {
        const bool listed = k < l->n && l->row[k] == i;
        k += listed;
        if (listed || (strict != NULL && strict[i])) continue;
        if (!(st = whole_row(exact, i, &v, err))) exact_sum_row(&t, &v);
    }
    if (!st) exact_sum_gather(&t);
    for (uint64_t j = 0; j < exact->dims && !st; j++) mpz_mul(t.sum[j], t.sum[j], l->others);
    for (size_t k = 0; k < l->n && !st; k++)
        if (!(st = whole_row(exact, l->row[k], &v, err))) exact_sum_add(&t, &v, l->value[k]);
    if (!st) {
        exact_sum_gather(&t);
        *right = exact_sum_is_zero(&t);
    }
    exact_sum_free(&t);
    whole_vector_free(&v);
    return st;
}
