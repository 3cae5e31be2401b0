/* fmath_table.h -- constants of exp and tanh, for fmath.c and many.c alone: both do the
 * same operations with them, one on a number, one on several side by side. */
#ifndef PERC_FMATH_TABLE_H
#define PERC_FMATH_TABLE_H

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* ln 2 = LN2_HIGH + LN2_LOW; the first has 42 bits, so k * LN2_HIGH is exact for
 * |k| < 2^11, which all exponents are. */
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45,
                    LN2_INVERSE = 0x1.71547652b82fep+0;

/* 1/2!, 1/3!, ..., 1/13!. For |r| <= (ln 2)/2 the next term, r^14/14!, is below
 * 2^-57. */
static const double EXP_SERIES[] = {
    1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
    1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
};

/* Lambert's  tanh x = x/(1 + z/(3 + z/(5 + ... + z/15))),  z = x^2, multiplied out
 * and written as x - x z N(z)/D(z): the coefficients are whole numbers. Cut there
 * it errs, for |x| < 9/16, by less than 2^-58 of the result. */
static const double TANH_N[] = { 675675, 45045, 594, 1 };
static const double TANH_D[] = { 2027025, 945945, 51975, 630, 1 };

#endif
