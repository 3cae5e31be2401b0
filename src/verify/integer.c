/* integer.c -- whole numbers of any length. */
#include "verify/integer.h"

#include <string.h>

enum { BASE = 1000000000 }; /* 10^9 < 2^30: a product of two digits and much more fit 64 bits */

/* ----- one number ------------------------------------------------------------------------ */

void integer_free(const struct env *e, struct integer *x)
{
    mem_free(e, x->digit, x->cap, sizeof *x->digit);
    *x = (struct integer){ 0 };
}

/* x = 0, with room for n digits. */
static bool begin_digits(const struct env *e, struct integer *x, size_t n)
{
    x->n = 0;
    x->negative = false;
    return n <= x->cap || mem_grow(e, (void **)&x->digit, &x->cap, n, sizeof *x->digit);
}

/* Digits that are 0 at the top are none. */
static void trim(struct integer *x)
{
    while (x->n > 0 && x->digit[x->n - 1] == 0) x->n--;
}

bool integer_set(const struct env *e, struct integer *x, uint64_t v)
{
    if (!begin_digits(e, x, 3)) return false;
    for (; v > 0; v /= BASE) x->digit[x->n++] = (uint32_t)(v % BASE);
    return true;
}

bool integer_decimal(const struct env *e, struct integer *x, const char *s, const char *end)
{
    uint32_t digit = 0, power = 1;

    if (!begin_digits(e, x, (size_t)(end - s) / INTEGER_FIGURES + 1)) return false;
    while (end > s) {
        digit += power * (uint32_t)(*--end - '0');
        power *= 10;
        if (power < BASE) continue;
        x->digit[x->n++] = digit;
        digit = 0, power = 1;
    }
    if (power > 1) x->digit[x->n++] = digit;
    trim(x);
    return true;
}

bool integer_scale(const struct env *e, struct integer *x, unsigned k)
{
    uint64_t power = 1, carry = 0;

    if (!mem_grow(e, (void **)&x->digit, &x->cap, x->n + 1, sizeof *x->digit)) return false;
    for (; k > 0; k--) power *= 10;
    for (size_t i = 0; i < x->n; i++) {
        carry += power * x->digit[i];
        x->digit[i] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    if (carry > 0) x->digit[x->n++] = (uint32_t)carry; /* below the power */
    return true;
}

bool integer_multiply(const struct env *e, struct integer *x, const struct integer *a,
                      const struct integer *b)
{
    if (!begin_digits(e, x, a->n + b->n)) return false;
    if (a->n == 0 || b->n == 0) return true;
    memset(x->digit, 0, (a->n + b->n) * sizeof *x->digit);
    for (size_t k = 0; k < b->n; k++) {
        uint64_t carry = 0;
        for (size_t i = 0; i < a->n; i++) {
            carry += x->digit[k + i] + (uint64_t)a->digit[i] * b->digit[k];
            x->digit[k + i] = (uint32_t)(carry % BASE);
            carry /= BASE;
        }
        x->digit[k + a->n] = (uint32_t)carry;
    }
    x->n = a->n + b->n;
    trim(x);
    x->negative = a->negative != b->negative;
    return true;
}

bool integer_copy(const struct env *e, struct integer *x, const struct integer *a)
{
    if (!begin_digits(e, x, a->n + 1)) return false;
    if (a->n > 0) memcpy(x->digit, a->digit, a->n * sizeof *x->digit);
    x->n = a->n;
    x->negative = a->negative;
    return true;
}

bool integer_same(const struct integer *a, const struct integer *b)
{
    return a->n == b->n && a->negative == b->negative &&
           (a->n == 0 || memcmp(a->digit, b->digit, a->n * sizeof *a->digit) == 0);
}

/* What a has from digit `cut` on. The digits below a cut may leave none above it. */
struct integer integer_high(const struct integer *a, size_t cut)
{
    if (cut >= a->n) return (struct integer){ 0 };
    return (struct integer){ .digit = a->digit + cut, .n = a->n - cut, .negative = a->negative };
}

/* ----- sums of products ------------------------------------------------------------------ */

/* With a load below this, every |digit[i]| is below 2^63. */
#define LOAD_LIMIT ((uint64_t)INT64_MAX / BASE)
enum {
    /* What one call of `carry` adds to a digit is below 2^63 / 10^9 < 10 10^9. */
    CARRIED = 10,
    /* Digits above those of a product. Fewer than 2^64 products below 10^(9 m) come to less
     * than 10^(9 (m + 3)): the highest digit takes in what is carried. */
    HEADROOM = 4
};

void integer_sum_free(const struct env *e, struct integer_sum *s)
{
    mem_free(e, s->digit, s->cap, sizeof *s->digit);
    *s = (struct integer_sum){ 0 };
}

void integer_sum_clear(struct integer_sum *s)
{
    s->n = 0;
    s->load = 0;
}

/* Makes all digits 0 .. 10^9 - 1 but the highest, which keeps the sign. */
static void carry(struct integer_sum *s)
{
    int64_t c = 0;

    for (size_t i = 0; i + 1 < s->n; i++) {
        const int64_t v = s->digit[i] + c, low = v % BASE;
        s->digit[i] = low < 0 ? low + BASE : low;
        c = v / BASE - (low < 0);
    }
    if (s->n > 0) s->digit[s->n - 1] += c;
    s->load = 1;
}

/* d[i] += f a[i], or -=: the inner loop of all that is verified. Unsigned, modulo 2^64, which
 * gives the same for negative numbers. */
static void add_multiple(uint64_t *restrict d, const uint32_t *restrict a, size_t n, uint32_t f,
                         bool minus)
{
    if (minus)
        for (size_t i = 0; i < n; i++) d[i] -= (uint64_t)f * a[i];
    else
        for (size_t i = 0; i < n; i++) d[i] += (uint64_t)f * a[i];
}

/* At least n digits; those that are new are 0. */
static bool sum_reserve(const struct env *e, struct integer_sum *s, size_t n)
{
    if (n <= s->n) return true;
    if (n > s->cap && !mem_grow(e, (void **)&s->digit, &s->cap, n, sizeof *s->digit)) return false;
    memset(s->digit + s->n, 0, (n - s->n) * sizeof *s->digit);
    s->n = n;
    return true;
}

bool integer_sum_add(const struct env *e, struct integer_sum *s, const struct integer *a,
                     const struct integer *b, size_t place, bool minus)
{
    if (a->n < b->n)
        return integer_sum_add(e, s, b, a, place, minus); /* the inner loop is the longer one */
    if (b->n == 0) return true;
    if (!sum_reserve(e, s, place + a->n + b->n + HEADROOM)) return false;
    minus = minus != (a->negative != b->negative);
    for (size_t k = 0; k < b->n; k++) {
        const uint32_t x = b->digit[k];
        if (s->load + x + CARRIED >= LOAD_LIMIT) carry(s);
        s->load += x;
        add_multiple((uint64_t *)s->digit + place + k, a->digit, a->n, x, minus);
    }
    return true;
}

int integer_sum_sign(struct integer_sum *s)
{
    carry(s);
    if (s->n == 0) return 0;
    if (s->digit[s->n - 1] < 0) return -1;
    for (size_t i = 0; i < s->n; i++)
        if (s->digit[i] != 0) return 1;
    return 0;
}

bool integer_sum_take(const struct env *e, struct integer_sum *s, struct integer *x)
{
    const bool negative = integer_sum_sign(s) < 0; /* carries */

    if (!begin_digits(e, x, s->n)) return false;
    for (size_t i = 0; i < s->n && negative; i++) s->digit[i] = -s->digit[i];
    if (negative) carry(s);
    for (size_t i = 0; i < s->n; i++) x->digit[i] = (uint32_t)s->digit[i];
    x->n = s->n;
    trim(x);
    x->negative = negative;
    return true;
}
