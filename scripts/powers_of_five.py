#!/usr/bin/env python3
"""Prints number_table.c, and proves what number.c and number_format.c assume of it.

    scripts/powers_of_five.py             the table, as the build wants it
    scripts/powers_of_five.py --prove     check the assumptions, exactly

The entry for p is T = floor(10^p / 2^(e - 127)) with e = floor(log2(10^p)): the first 128 bits of
10^p, which are those of 5^p. Everything here is integer arithmetic of any size; nothing is rounded.
"""
import sys
from math import gcd

LOW, HIGH = -342, 324  # POWER_MIN, POWER_MAX of number_table.h

HEAD = """/* number_table.c -- the first 128 bits of the powers of ten.
 *
 * Made by scripts/powers_of_five.py. Entry p - POWER_MIN holds the
 * two halves, high one first, of
 *
 *     T(p) = floor(10^p / 2^(e - 127)),   e = floor(log2(10^p))
 *
 * so 2^127 <= T(p) < 2^128. T(p) is exact for 0 <= p <= 55, where 5^p has no
 * more than 128 bits, and cut short of the truth by less than 1 elsewhere. The
 * factor 2^p of 10^p moves only the exponent, hence "powers of five". */
#include "base/number_table.h"

const uint64_t number_power[POWER_MAX - POWER_MIN + 1][2] = {
"""


def floor_log2(num, den):
    """floor(log2(num / den)) for positive integers."""
    e = num.bit_length() - den.bit_length()
    below = num < den << e if e >= 0 else num << -e < den
    return e - 1 if below else e


def floor_log10(num, den):
    """floor(log10(num / den)) for positive integers."""
    k = len(str(num)) - len(str(den))
    below = num < den * 10**k if k >= 0 else num * 10**-k < den
    return k - 1 if below else k


def ratio(base, exponent):
    """base^exponent as (numerator, denominator)."""
    return (base**exponent, 1) if exponent >= 0 else (1, base**-exponent)


def entry(p):
    num, den = ratio(10, p)
    shift = 127 - floor_log2(num, den)
    return (num << shift) // den if shift >= 0 else num // (den << -shift)


def table():
    rows = []
    for p in range(LOW, HIGH + 1):
        t = entry(p)
        assert 1 << 127 <= t < 1 << 128
        rows.append("    { 0x%016x, 0x%016x }, /* 1e%d */" % (t >> 64, t & (2**64 - 1), p))
    return HEAD + "\n".join(rows) + "\n};\n"


def extremes(a, b, n):
    """The least k a mod b and the least -k a mod b over k = 1 .. n, when none of them is 0.

    The two-sided Euclid of the three-distance theorem: adding the k of the closest approach from
    above to that from below is always the next record."""
    low_k, low, high_k, high = 1, a % b, 0, b
    while True:
        if low < high:
            t = min((high - 1) // low, (n - high_k) // low_k)
            high, high_k = high - t * low, high_k + t * low_k
        else:
            t = min((low - 1) // high, (n - low_k) // high_k)
            low, low_k = low - t * high, low_k + t * high_k
        if t == 0:
            return low, high


def check_extremes():
    for b in range(3, 200):
        for a in range(1, b):
            for n in (1, 2, 3, 7, b // 3, b // 2):
                seen = [k * a % b for k in range(1, n + 1)]
                if n and 0 not in seen:
                    assert extremes(a, b, n) == (min(seen), b - max(seen)), (a, b, n)


def distance_bits(num, den, n):
    """d such that k num/den, for k = 1 .. n, is an integer or at least 2^-d from all integers.
    The fraction is reduced, so that k num/den is an integer only when den divides k."""
    if den <= n:
        return den.bit_length()
    low, high = extremes(num, den, n)
    return floor_log2(den, min(low, high)) + 1


def scaled(q, k):
    """2^q 10^-k as a reduced fraction."""
    a, b = ratio(2, q)
    c, d = ratio(10, -k)
    g = gcd(a * c, b * d)
    return a * c // g, b * d // g


def prove():
    check_extremes()

    # The integer logarithms of number_table.h, over more than the ranges used there.
    for p in range(-400, 401):
        assert (p * 217706) >> 16 == floor_log2(*ratio(10, p)), p
    for q in range(-1100, 1101):
        num, den = ratio(2, q)
        assert (q * 1262611) >> 22 == floor_log10(num, den), q
        assert (q * 1262611 - 524031) >> 22 == floor_log10(3 * num, 4 * den), q

    # Exactly 0 <= p <= 55 have an exact entry, and T + 1 carries into the high half for none.
    for p in range(LOW, HIGH + 1):
        t, (num, den) = entry(p), ratio(10, p)
        shift = 127 - floor_log2(num, den)
        exact = (num << shift if shift >= 0 else num) == t * (den if shift >= 0 else den << -shift)
        assert exact == (0 <= p <= 55), p
        assert (t + 1) & (2**64 - 1), p

    # number_format.c: every x = n 2^q 10^-k, with n up to the largest 4c + 2, is an integer or at
    # least 2^-66 from one, and its product overestimates x by less than (n << h) 2^-128 <= 2^-68.
    worst, top = 0, 2**55 + 2
    for q in range(-1074, 972):
        k = (q * 1262611) >> 22
        worst = max(worst, distance_bits(*scaled(q, k), top))
        check_shift(q, k, top)

        k = (q * 1262611 - 524031) >> 22  # c = 2^52, the narrow interval below a power of two
        check_shift(q, k, 2**54 + 2)
        num, den = scaled(q, k)
        for r in (n * num % den for n in (2**54 - 1, 2**54, 2**54 + 2)):
            if r:
                worst = max(worst, floor_log2(den, min(r, den - r)) + 1)
    assert worst <= 66, worst
    print("proved: logarithms, exact entries, a distance of 2^-%d from integers" % worst)


def check_shift(q, k, top):
    h = q + floor_log2(*ratio(10, -k)) + 1
    assert 1 <= h and top << h < 1 << 60, (q, k)


def main(args):
    if args == ["--prove"]:
        prove()
    elif not args:
        sys.stdout.write(table())
    else:
        sys.stderr.write(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
