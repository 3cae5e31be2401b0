/* number_table.h -- what reading (number.c) and writing (number_format.c) share:
 * the powers of ten to 128 bits, one wide product with them, and its rounding.
 *
 * Reading asks: which 53-bit integer is nearest to w 10^p 2^s? An integer of 64 bits
 * meets a power of ten known to 128 bits, and the 192-bit product P says it all unless
 * the truth lies so close above P that a tie may fall between. product_round() knows
 * when, and the reader then compares whole integers. Writing asks between which
 * multiples of a power of ten c 2^q lies, and its product always tells. */
#ifndef PERC_NUMBER_TABLE_H
#define PERC_NUMBER_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* Reading needs -342 (below it every 19-digit mantissa rounds to 0) to 308; writing
 * the smallest subnormal needs 324. */
enum { POWER_MIN = -342, POWER_MAX = 324, POWER_EXACT = 55 };

extern const uint64_t number_power[POWER_MAX - POWER_MIN + 1][2]; /* high, low */

/* Integer logarithms: scripts/powers_of_five.py --prove checks them for |p| <= 400
 * and |q| <= 1100. A right shift of a negative number rounds down in every
 * compiler we build with. */
static inline int log2_of_10(int p) /* floor(log2(10^p)) */
{
    return (p * 217706) >> 16;
}

static inline int log10_of_2(int q) /* floor(log10(2^q)) */
{
    return (q * 1262611) >> 22;
}

/* a b = *hi 2^64 + the result. NUMBER_PORTABLE chooses the plain version, which is
 * what 32-bit and wasm targets get. */
#if defined(__SIZEOF_INT128__) && !defined(NUMBER_PORTABLE)
__extension__ typedef unsigned __int128 number_u128;

static inline uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *hi)
{
    const number_u128 p = (number_u128)a * b;

    *hi = (uint64_t)(p >> 64);
    return (uint64_t)p;
}
#else
static inline uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *hi)
{
    const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    const uint64_t low = a0 * b0;
    const uint64_t mid = a1 * b0 + (low >> 32);          /* < 2^64: (2^32-1)^2 + 2^32-1 */
    const uint64_t cross = a0 * b1 + (mid & 0xffffffff); /* likewise                    */

    *hi = a1 * b1 + (mid >> 32) + (cross >> 32);
    return cross << 32 | (low & 0xffffffff);
}
#endif

/* P = hi 2^128 + mid 2^64 + lo = w (t1 2^64 + t0). */
struct wide_product {
    uint64_t hi, mid, lo;
};

static inline struct wide_product product_with(uint64_t w, uint64_t t1, uint64_t t0)
{
    struct wide_product p;
    uint64_t carry;

    p.lo = multiply_wide(w, t0, &carry);
    p.mid = multiply_wide(w, t1, &p.hi);
    p.mid += carry;
    p.hi += p.mid < carry;
    return p;
}

/* *m = the integer nearest to the truth / 2^(128 + drop), ties to even, where the
 * truth is P when `exact`, and otherwise lies strictly between P and P + 2^64.
 * 1 <= drop <= 64. False, with *m rounded down, when P does not decide: the truth
 * may lie on either side of, or on, the tie just above P. */
static inline bool product_round(struct wide_product p, int drop, bool exact, uint64_t *m)
{
    const uint64_t half = UINT64_C(1) << (drop - 1);
    const uint64_t below = p.hi & (half + (half - 1));
    const bool rest = !exact || (p.mid | p.lo) != 0;
    const uint64_t down = drop == 64 ? 0 : p.hi >> drop;

    *m = down + (below > half || (below == half && (rest || (down & 1))));
    return exact || below != half - 1 || p.mid != UINT64_MAX;
}

#endif
