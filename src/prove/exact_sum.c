/* exact_sum.c -- sums of many rows in whole numbers. */
#include "prove/exact_sum.h"

#include <string.h>

perc_status exact_sum_init(struct exact_sum *t, const struct env *e, uint64_t dims, perc_error *err)
{
    *t = (struct exact_sum){ .e = *e, .dims = dims };
    mpz_init(t->ten);
    mpz_init(t->scratch);
    t->sum = whole_numbers(e, dims);
    return t->sum == NULL ? fail_memory(err) : PERC_OK;
}

void exact_sum_free(struct exact_sum *t)
{
    for (int k = 0; k < t->tens; k++) mem_free(&t->e, t->small[k], t->dims, sizeof **t->small);
    whole_numbers_free(&t->e, t->sum, t->dims);
    mpz_clear(t->ten);
    mpz_clear(t->scratch);
    memset(t, 0, sizeof *t);
}

/* Brings the exponent of the sum to e, or leaves a lower one; ten = 10^(e - exponent) is the
 * factor for a vector with the exponent e. */
static void lower_exponent(struct exact_sum *t, int64_t e)
{
    if (!t->any) t->exponent = e;
    t->any = true;
    if (e < t->exponent) {
        mpz_ui_pow_ui(t->ten, 10, (unsigned long)(t->exponent - e));
        for (uint64_t j = 0; j < t->dims; j++) mpz_mul(t->sum[j], t->sum[j], t->ten);
        t->exponent = e;
    }
    mpz_ui_pow_ui(t->ten, 10, (unsigned long)(e - t->exponent));
}

void exact_sum_add(struct exact_sum *t, const struct whole_vector *v, const mpz_t f)
{
    lower_exponent(t, v->exponent);
    mpz_mul(t->ten, t->ten, f);
    whole_add(v, t->ten, t->sum);
}

void exact_sum_row(struct exact_sum *t, const struct whole_vector *v)
{
    int k = 0;

    while (k < t->tens && t->power[k] != v->exponent) k++; /* where such rows are collected */
    if (v->fits && k == t->tens && k < EXACT_SUM_TENS) {
        t->small[k] = mem_zeroed(&t->e, t->dims, sizeof **t->small);
        t->power[k] = v->exponent;
        t->rows[k] = 0;
        if (t->small[k] != NULL) t->tens++; /* else it is only slower */
    }
    if (!v->fits || k == t->tens) {
        mpz_set_ui(t->scratch, 1);
        exact_sum_add(t, v, t->scratch);
        return;
    }
    /* 2^63 rows of numbers below 2^63 fit 128 bits. */
    exact_i128 *s = t->small[k];
    t->rows[k]++;
    for (size_t i = 0; i < v->n; i++) s[v->column[i]] += v->small[i];
}

void exact_sum_gather(struct exact_sum *t)
{
    for (int k = 0; k < t->tens; k++) {
        if (t->rows[k] == 0) continue;
        lower_exponent(t, t->power[k]);
        for (uint64_t j = 0; j < t->dims; j++) {
            const exact_i128 v = t->small[k][j];
            const exact_u128 size = v < 0 ? -(exact_u128)v : (exact_u128)v;
            if (v == 0) continue;
            mpz_set_ui(t->scratch, (unsigned long)(size >> 64));
            mpz_mul_2exp(t->scratch, t->scratch, 64);
            mpz_add_ui(t->scratch, t->scratch, (unsigned long)size);
            if (v < 0) mpz_submul(t->sum[j], t->scratch, t->ten);
            else mpz_addmul(t->sum[j], t->scratch, t->ten);
        }
        memset(t->small[k], 0, t->dims * sizeof **t->small);
        t->rows[k] = 0;
    }
}

bool exact_sum_is_zero(const struct exact_sum *t)
{
    for (uint64_t j = 0; j < t->dims; j++)
        if (mpz_sgn(t->sum[j]) != 0) return false;
    return true;
}
