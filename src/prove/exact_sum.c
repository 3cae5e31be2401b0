/* exact_sum.c -- sums of many rows in whole numbers. */
#include "prove/exact_sum.h"

#include <string.h>

perc_status exact_sum_init(struct exact_sum *t, const struct env *e, uint64_t dims, perc_error *err)
{
    *t = (struct exact_sum){ .e = *e, .dims = dims };
    mpz_init(t->ten);
    mpz_init(t->part);
    t->sum = whole_numbers(e, dims);
    return t->sum == NULL ? fail_memory(err) : PERC_OK;
}

void exact_sum_free(struct exact_sum *t)
{
    if (t->e.alloc == NULL) return;
    for (int k = 0; k < t->tens; k++) mem_free(&t->e, t->small[k], t->dims, sizeof **t->small);
    whole_numbers_free(&t->e, t->sum, t->dims);
    mpz_clear(t->ten);
    mpz_clear(t->part);
    memset(t, 0, sizeof *t);
}

/* The sum has the exponent e, or a lower one; ten = 10^(e - exponent), what a vector with
 * the exponent e is to be multiplied by. */
static void lower(struct exact_sum *t, int64_t e)
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
    lower(t, v->exponent);
    mpz_mul(t->ten, t->ten, f);
    whole_add(v, t->ten, t->sum);
}

/* Where rows of this exponent are collected; -1: nowhere. */
static int place(struct exact_sum *t, int64_t exponent)
{
    for (int k = 0; k < t->tens; k++)
        if (t->power[k] == exponent) return k;
    if (t->tens == EXACT_SUM_TENS) return -1;
    t->small[t->tens] = mem_zeroed(&t->e, t->dims, sizeof **t->small);
    if (t->small[t->tens] == NULL) return -1; /* slower, no more than that */
    t->power[t->tens] = exponent;
    t->rows[t->tens] = 0;
    return t->tens++;
}

void exact_sum_row(struct exact_sum *t, const struct whole_vector *v)
{
    const int k = v->fits ? place(t, v->exponent) : -1;

    if (k < 0) {
        mpz_set_ui(t->part, 1);
        exact_sum_add(t, v, t->part);
        return;
    }
    /* 2^63 rows of numbers below 2^63 fit 128 bits. */
    exact_i128 *s = t->small[k];
    t->rows[k]++;
    for (size_t i = 0; i < v->n; i++) s[v->column[i]] += v->small[i];
}

static void set_i128(mpz_t x, exact_i128 v)
{
    const bool negative = v < 0;
    __extension__ typedef unsigned __int128 u128;
    const u128 u = negative ? -(u128)v : (u128)v;

    mpz_set_ui(x, (unsigned long)(u >> 64));
    mpz_mul_2exp(x, x, 64);
    mpz_add_ui(x, x, (unsigned long)u);
    if (negative) mpz_neg(x, x);
}

void exact_sum_gather(struct exact_sum *t)
{
    for (int k = 0; k < t->tens; k++) {
        if (t->rows[k] == 0) continue;
        lower(t, t->power[k]);
        for (uint64_t j = 0; j < t->dims; j++) {
            if (t->small[k][j] == 0) continue;
            set_i128(t->part, t->small[k][j]);
            mpz_addmul(t->sum[j], t->part, t->ten);
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
