/* integer.h -- whole numbers of any length, as few functions as the verifier needs.
 *
 * Sign and magnitude, digits of base 10^9, the lowest first. What is verified is written in
 * decimals, and so are these: a number is read in one step for each nine of its figures, and one
 * times 10^(9 k) is the same digits k places higher. Numbers that are 10^600 apart cost no more
 * than others, and a sum of products takes as many steps as these have digits to be multiplied.
 *
 * The base leaves room above a product of two digits: a sum of products (struct integer_sum) keeps
 * each digit in 64 bits and carries only now and then, so that its inner loop is one multiplication
 * and one addition, without a chain from digit to digit.
 *
 * Nothing but C11 is assumed. Functions that return bool say false when out of memory; what
 * they were to change can then still be freed, or set again. */
#ifndef PERC_INTEGER_H
#define PERC_INTEGER_H

#include "base/base.h"

enum { INTEGER_FIGURES = 9 }; /* decimal figures in a digit */

struct integer {     /* zeroed, it is 0 */
    uint32_t *digit; /* n digits below 10^9; the highest is not 0 */
    size_t n, cap;
    bool negative; /* false for 0 */
};

void integer_free(const struct env *e, struct integer *x); /* x is 0 afterwards */
bool integer_set(const struct env *e, struct integer *x, uint64_t v);
/* From decimal figures s .. end, without sign or point. */
bool integer_decimal(const struct env *e, struct integer *x, const char *s, const char *end);
/* x *= 10^k, k < INTEGER_FIGURES */
bool integer_scale(const struct env *e, struct integer *x, unsigned k);
/* x = a b; x is neither of them. */
bool integer_multiply(const struct env *e, struct integer *x, const struct integer *a,
                      const struct integer *b);
bool integer_copy(const struct env *e, struct integer *x, const struct integer *a);
bool integer_same(const struct integer *a, const struct integer *b);

/* The digits from number `cut` on, which a goes on owning: with B = 10^(9 cut), a = high B + less
 * than B. */
struct integer integer_high(const struct integer *a, size_t cut);

static inline int integer_sign(const struct integer *x)
{
    return x->n == 0 ? 0 : x->negative ? -1 : 1;
}

/* A sum of products. */
struct integer_sum { /* zeroed, it is 0 */
    int64_t *digit;  /* n of them: sum of digit[i] 10^(9 i), each of either sign */
    size_t n, cap;
    uint64_t load; /* |digit[i]| <= load 10^9 */
};

void integer_sum_free(const struct env *e, struct integer_sum *s);
void integer_sum_clear(struct integer_sum *s); /* = 0, memory is kept */
/* s += a b 10^(9 place), or with `minus` s -= it. Fewer than 2^64 times. */
bool integer_sum_add(const struct env *e, struct integer_sum *s, const struct integer *a,
                     const struct integer *b, size_t place, bool minus);
int integer_sum_sign(struct integer_sum *s); /* -1, 0, 1 */
/* x = s, which is destroyed. */
bool integer_sum_take(const struct env *e, struct integer_sum *s, struct integer *x);

#endif
