/* wide.c -- whole numbers of a fixed width. */
#include "base/wide.h"

#include <math.h>
#include <string.h>

void wide_set(uint32_t *x, int64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = i < 2 ? (uint32_t)((uint64_t)v >> (WIDE_LIMB * i)) : v < 0 ? UINT32_MAX : 0;
}

void wide_copy(uint32_t *x, const uint32_t *a, size_t n)
{
    memcpy(x, a, n * sizeof *x);
}

void wide_extend(uint32_t *x, const uint32_t *a, size_t na, size_t n)
{
    const uint32_t rest = wide_is_negative(a, na) ? UINT32_MAX : 0;

    wide_copy(x, a, na);
    for (size_t i = na; i < n; i++) x[i] = rest;
}

int wide_sign(const uint32_t *x, size_t n)
{
    size_t i = 0;

    if (wide_is_negative(x, n)) return -1;
    while (i < n && x[i] == 0) i++;
    return i < n;
}

int wide_compare(const uint32_t *a, const uint32_t *b, size_t n)
{
    const bool below = wide_is_negative(a, n);

    if (below != wide_is_negative(b, n)) return below ? -1 : 1;
    for (size_t i = n; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

size_t wide_bits(const uint32_t *x, size_t n)
{
    size_t bits;

    while (n > 0 && x[n - 1] == 0) n--;
    if (n == 0) return 0;
    bits = n * WIDE_LIMB;
    for (uint32_t top = x[n - 1]; !(top >> (WIDE_LIMB - 1)); top <<= 1) bits--;
    return bits;
}

/* ----- sums and products --------------------------------------------------------------------- */

void wide_negate(uint32_t *x, size_t n)
{
    uint64_t carry = 1;

    for (size_t i = 0; i < n; i++) {
        carry += (uint32_t)~x[i];
        x[i] = (uint32_t)carry;
        carry >>= WIDE_LIMB;
    }
}

void wide_add(uint32_t *x, const uint32_t *a, size_t n)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < n; i++) {
        carry += (uint64_t)x[i] + a[i];
        x[i] = (uint32_t)carry;
        carry >>= WIDE_LIMB;
    }
}

void wide_subtract(uint32_t *x, const uint32_t *a, size_t n)
{
    uint64_t carry = 1;

    for (size_t i = 0; i < n; i++) {
        carry += (uint64_t)x[i] + (uint32_t)~a[i];
        x[i] = (uint32_t)carry;
        carry >>= WIDE_LIMB;
    }
}

/* Read without its sign a negative a is too large by 2^(32 na). */
void wide_add_product(uint32_t *x, const uint32_t *a, size_t na, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < na; i++) {
        uint64_t carry = 0;
        if (a[i] == 0) continue;
        for (size_t k = i; k < n; k++) {
            carry += (uint64_t)a[i] * b[k - i] + x[k];
            x[k] = (uint32_t)carry;
            carry >>= WIDE_LIMB;
        }
    }
    if (na < n && wide_is_negative(a, na)) wide_subtract(x + na, b, n - na);
}

void wide_product(uint32_t *x, const uint32_t *a, size_t na, const uint32_t *b, size_t n)
{
    memset(x, 0, n * sizeof *x);
    wide_add_product(x, a, na, b, n);
}

void wide_scale(uint32_t *x, uint32_t m, uint32_t a, size_t n)
{
    uint64_t carry = a;

    for (size_t i = 0; i < n; i++) {
        carry += (uint64_t)x[i] * m;
        x[i] = (uint32_t)carry;
        carry >>= WIDE_LIMB;
    }
}

void wide_scale_ten(uint32_t *x, int64_t k, size_t n)
{
    for (; k > 0; k--) wide_scale(x, 10, 0, n);
}

/* ----- doubles ------------------------------------------------------------------------------- */

/* x *= 2^by */
static void shift(uint32_t *x, size_t by, size_t n)
{
    const size_t limbs = by / WIDE_LIMB, bits = by % WIDE_LIMB;

    for (size_t i = n; i-- > 0;) {
        const uint64_t high = i >= limbs ? x[i - limbs] : 0, low = i > limbs ? x[i - limbs - 1] : 0;
        x[i] = (uint32_t)((high << WIDE_LIMB | low) << bits >> WIDE_LIMB);
    }
}

static double small_value(const uint32_t *x, size_t n)
{
    return (double)(x[0] | (n > 1 ? (uint64_t)x[1] << WIDE_LIMB : 0));
}

/* By long division, 53 bits of the quotient and two more: the last of them says whether anything
 * follows, which is all that rounding to nearest needs to know. */
double wide_ratio(const uint32_t *p, const uint32_t *q, size_t n, uint32_t *scratch)
{
    enum { BITS = 55, EXACT = 53 };
    const bool negative = wide_is_negative(p, n);
    uint32_t *a = scratch, *b = scratch + n;
    uint64_t quotient = 0;

    wide_copy(a, p, n);
    if (negative) wide_negate(a, n);
    const size_t abits = wide_bits(a, n), bbits = wide_bits(q, n);
    if (abits == 0) return 0;
    if (abits <= EXACT && bbits <= EXACT) {
        const double ratio = small_value(a, n) / small_value(q, n);
        return negative ? -ratio : ratio;
    }
    wide_copy(b, q, n);
    if (abits < bbits) shift(a, bbits - abits, n);
    else shift(b, abits - bbits, n);
    int exponent = (int)abits - (int)bbits;
    if (wide_compare(a, b, n) < 0) { /* 1 <= a / b < 2 from here on */
        shift(a, 1, n);
        exponent--;
    }
    for (int i = 0; i < BITS; i++) {
        const bool one = wide_compare(a, b, n) >= 0;
        if (one) wide_subtract(a, b, n);
        quotient = quotient << 1 | one;
        shift(a, 1, n);
    }
    quotient |= wide_sign(a, n) != 0;
    const double ratio = ldexp((double)quotient, exponent - (BITS - 1));
    return negative ? -ratio : ratio;
}
