/* wide.h -- whole numbers of a fixed width: n limbs of 32 bits, the lowest first, in two's
 * complement.
 *
 * Nothing can fail, and nothing is checked: whoever chooses n has shown that all numbers fit into
 * it, a sign included. Numbers of several widths meet in wide_add_product alone. Arrays of them are
 * arrays of limbs. Nothing but C11 is assumed, so that a browser has them too. */
#ifndef PERC_WIDE_H
#define PERC_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WIDE_LIMB = 32 };

/* Limbs for numbers of so many bits, beside their sign. */
static inline size_t wide_limbs(size_t bits)
{
    return bits / WIDE_LIMB + 1;
}
static inline bool wide_is_negative(const uint32_t *x, size_t n)
{
    return x[n - 1] >> (WIDE_LIMB - 1);
}

void wide_set(uint32_t *x, int64_t v, size_t n); /* n >= 2, or v fits */
void wide_copy(uint32_t *x, const uint32_t *a, size_t n);
/* x = a, which has na <= n limbs. */
void wide_extend(uint32_t *x, const uint32_t *a, size_t na, size_t n);
int wide_sign(const uint32_t *x, size_t n);                       /* -1, 0, 1 */
int wide_compare(const uint32_t *a, const uint32_t *b, size_t n); /* of a - b */
size_t wide_bits(const uint32_t *x, size_t n); /* x >= 0: up to its highest 1; of 0: 0 */

void wide_negate(uint32_t *x, size_t n);
void wide_add(uint32_t *x, const uint32_t *a, size_t n);
void wide_subtract(uint32_t *x, const uint32_t *a, size_t n);
/* x += a b, and x = a b, where a has na <= n limbs. x is neither of them. */
void wide_add_product(uint32_t *x, const uint32_t *a, size_t na, const uint32_t *b, size_t n);
void wide_product(uint32_t *x, const uint32_t *a, size_t na, const uint32_t *b, size_t n);
/* x = x m + a */
void wide_scale(uint32_t *x, uint32_t m, uint32_t a, size_t n);
void wide_scale_ten(uint32_t *x, int64_t k, size_t n); /* x *= 10^k, k >= 0 */

/* The double nearest to p / q, ties to even, where it is not below 2^-1022; q > 0. Two bits more
 * than p and q have must fit. `scratch`: 2 n limbs. */
double wide_ratio(const uint32_t *p, const uint32_t *q, size_t n, uint32_t *scratch);

#endif
