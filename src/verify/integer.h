/* integer.h -- whole numbers of any length, as few functions as the verifier needs.
 *
 * Sign and magnitude, digits of base 2^30, the lowest first. The base leaves room above a
 * product of two digits: a sum of products (struct integer_sum) keeps each digit in 64 bits and
 * carries only now and then, so that its inner loop is one multiplication and one addition,
 * without a chain from digit to digit.
 *
 * Nothing but C11 is assumed. Functions that return bool say false when out of memory; what
 * they were to change can then still be freed, or set again. */
#ifndef PERC_INTEGER_H
#define PERC_INTEGER_H

#include "base/base.h"

enum { DIGIT_BITS = 30 };

struct integer {     /* zeroed, it is 0 */
    uint32_t *digit; /* n digits below 2^30; the highest is not 0 */
    size_t n, cap;
    bool negative; /* false for 0 */
};

void integer_free(const struct env *e, struct integer *x); /* x is 0 afterwards */
bool integer_set(const struct env *e, struct integer *x, uint64_t v);
/* From decimal digits s .. end, without a sign; points among them are passed over. */
bool integer_decimal(const struct env *e, struct integer *x, const char *s, const char *end);
/* x *= 10^k */
bool integer_scale(const struct env *e, struct integer *x, uint64_t k);
/* x = a b; x is neither of them. */
bool integer_multiply(const struct env *e, struct integer *x, const struct integer *a,
                      const struct integer *b);
bool integer_copy(const struct env *e, struct integer *x, const struct integer *a);
bool integer_same(const struct integer *a, const struct integer *b);

/* The digits from number `cut` on, which a goes on owning: a = high 2^(30 cut) + less than that. */
struct integer integer_high(const struct integer *a, size_t cut);

static inline int integer_sign(const struct integer *x)
{
    return x->n == 0 ? 0 : x->negative ? -1 : 1;
}

/* A sum of products. */
struct integer_sum { /* zeroed, it is 0 */
    int64_t *digit;  /* n of them: sum of digit[i] 2^(30 i), each of either sign */
    size_t n, cap;
    uint64_t load; /* |digit[i]| <= load 2^30 */
};

void integer_sum_free(const struct env *e, struct integer_sum *s);
void integer_sum_clear(struct integer_sum *s); /* = 0, memory is kept */
/* s += a b, or with `minus` s -= a b. Fewer than 2^64 times. */
bool integer_sum_add(const struct env *e, struct integer_sum *s, const struct integer *a,
                     const struct integer *b, bool minus);
int integer_sum_sign(struct integer_sum *s); /* -1, 0, 1 */
/* x = s, which is destroyed. */
bool integer_sum_take(const struct env *e, struct integer_sum *s, struct integer *x);
/* Its value, if that is below 2^60 or so; after integer_sum_sign. */
bool integer_sum_small(const struct integer_sum *s, int64_t *out);

#endif
