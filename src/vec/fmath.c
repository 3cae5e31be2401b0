/* fmath.c -- exp, log, sin, cos, tanh that give the same bits everywhere.
 *
 * Two libms agree on most arguments and differ in the last bit of some. That is
 * enough for a generated data set, and so for every model trained on it, to
 * depend on the machine. Here each function is a fixed sequence of IEEE double
 * operations (+ - * / and floor, each correctly rounded by definition) and moves
 * of the exponent field; so its bits are settled by this file. What that needs:
 * rounding to nearest, no contraction of a*b+c into one operation, and doubles
 * evaluated as doubles (the #error below).
 *
 * The plan is the same each time. (a) An exact reduction brings the argument near
 * 0; constants such as ln 2 are split in pieces short enough for k * piece to be
 * exact, so that the subtraction loses nothing. (b) A truncated Taylor series, or
 * for tanh a continued fraction, that needs no fitted coefficient: the next term,
 * given at each table, is below 2^-57 of the result. (c) The sum is ordered so that
 * all but the last addition work on something several times smaller than the
 * result. Then the last rounding (half an ulp) dominates; the whole stays under 1
 * ulp for exp, log, sin and cos and under 2 for tanh, which tests/unit/test_fmath.c
 * measures on a million points each.
 *
 * These are a little slower than a libm, which uses tables and fewer terms: where there
 * are many arguments, many.h takes several at a time, by the same operations.
 *
 * Not here: correct rounding, sin and cos beyond 1e5 (they answer NaN), the error
 * flags and errno.
 * Muller, Elementary Functions, 3rd ed. 2016, ch. 11 (reduction); Knuth, TAOCP 2,
 * 4.2.2 theorem B (two_sum); Lambert 1768 (the fraction of tanh). */
#include "vec/fmath.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vec/fmath_table.h"

#if FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD < 0
#error "doubles are evaluated wider than stored: compile with SSE2 arithmetic (-msse2 -mfpmath=sse)"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc knows only -ffp-contract=off, its default in ISO mode */
#endif

/* c[0] + c[1] z + c[2] z^2 + ..., innermost first. */
static double series(const double *c, size_t n, double z)
{
    double sum = c[n - 1];

    for (size_t i = n - 1; i > 0; i--) sum = sum * z + c[i - 1];
    return sum;
}

static uint64_t bits_of(double x)
{
    uint64_t u;

    memcpy(&u, &x, sizeof u);
    return u;
}

static double double_of(uint64_t u)
{
    double x;

    memcpy(&x, &u, sizeof x);
    return x;
}

/* 2^k for -1022 <= k <= 1023. */
static double power_of_2(int k)
{
    return double_of((uint64_t)(k + 1023) << 52);
}

/* x = k ln 2 + r  =>  e^x = 2^k e^r,   e^r = 1 + (r + r^2 (1/2! + r/3! + ...)). */
double fm_exp(double x)
{
    if (x != x) return x;
    if (x > 710) return INFINITY; /* ln of the largest double is 709.78... */
    if (x < -746) return 0;       /* ln of half the smallest is -745.13... */

    const double k = floor(x * LN2_INVERSE + 0.5);
    const double high = x - k * LN2_HIGH; /* exact: a multiple of 2^-54, below 1/2 */
    const double low = k * LN2_LOW;
    const double r = high - low;
    const double y = 1 + (high + (r * r * series(EXP_SERIES, COUNT(EXP_SERIES), r) - low));

    /* 2^k in two halves: each is a normal number even where 2^k is not, and only
     * the last product can round (to a subnormal) or overflow. */
    const int half = (int)k / 2;
    return y * power_of_2(half) * power_of_2((int)k - half);
}

/* 2/3, 2/5, ..., 2/21. For |s| <= 3 - 2 sqrt 2 the next term, 2 s^22/23, is below
 * 2^-59. */
static const double LOG_SERIES[] = {
    2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21,
};

/* x = 2^k (1 + f) with sqrt(1/2) < 1 + f < sqrt 2. With s = f/(2 + f),
 *
 *     ln(1 + f) = 2 artanh s = 2 s + s R,   R = 2 (s^2/3 + s^4/5 + ...)
 *
 * and 2 s = f - s f, so that ln(1 + f) = f - s (f - R): f is exact, and what is
 * taken from it is a fifth of it or less. */
double fm_log(double x)
{
    if (!(x > 0)) return x == 0 ? -INFINITY : NAN;
    if (x > DBL_MAX) return x;

    int k = 0;
    if (x < DBL_MIN) { /* a subnormal: bring it up, exactly */
        x *= 0x1p54;
        k = -54;
    }
    const uint64_t u = bits_of(x), fraction = u & ((UINT64_C(1) << 52) - 1);
    double m = double_of(fraction | bits_of(1.0)); /* in [1, 2) */
    k += (int)(u >> 52) - 1023;
    if (m > 0x1.6a09e667f3bcdp+0) { /* sqrt 2 */
        m *= 0.5;
        k++;
    }

    const double f = m - 1, s = f / (2 + f), z = s * s;
    const double R = z * series(LOG_SERIES, COUNT(LOG_SERIES), z);
    return k * LN2_HIGH + (f - (s * (f - R) - k * LN2_LOW));
}

/* *e is the error of the rounded sum: a + b = (a (+) b) + *e exactly. */
static double two_sum(double a, double b, double *e)
{
    const double sum = a + b, b_part = sum - a;

    *e = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

/* pi/2 in pieces of 36, 36, 36 and 53 bits: k * piece is exact for the first three
 * and |k| < 2^17. */
static const double HALF_PI[4] = { 0x1.921fb5444p+0, 0x1.68c234c4cp-39, 0x1.98a2e037p-77,
                                   0x1.cd129024e088ap-115 };
static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;

static const double TRIG_LIMIT = 1e5; /* k stays below 2^17 */

struct angle {
    double r, low;     /* r + low = x - k pi/2, |r| <= pi/4 and a hair  */
    unsigned quadrant; /* k mod 4                                       */
};

/* For 0 <= x <= TRIG_LIMIT. No double in that range comes nearer to a multiple of
 * pi/2 than 2^-61 (a search over all k found 2^-60.5 at k = 29); the pieces reach down
 * to 2^-167 k, so r is good to all its bits even there. */
static struct angle reduce(double x)
{
    const double k = floor(x * TWO_OVER_PI + 0.5);
    double e1, e2;

    /* Exact: a multiple of 2^-53 below 1. */
    double r = x - k * HALF_PI[0];
    r = two_sum(r, -k * HALF_PI[1], &e1);
    r = two_sum(r, -k * HALF_PI[2], &e2);
    const double rest = e1 + e2 - k * HALF_PI[3];
    const double sum = r + rest;
    return (struct angle){ sum, rest - (sum - r), (unsigned)k % 4 };
}

/* -1/3!, 1/5!, ..., 1/17!. For |r| <= pi/4 the next term is below 2^-62 of sin r. */
static const double SIN_SERIES[] = {
    -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
    -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000,
};

/* 1/4!, -1/6!, ..., 1/16!. The next term is below 2^-58. */
static const double COS_SERIES[] = {
    1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
    1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000,
};

/* sin(r + low) = r + (r^3 S(r^2) + low cos r), cos r ~ 1 - r^2/2 there. */
static double sin_near_0(double r, double low)
{
    const double z = r * r;

    return r + (r * z * series(SIN_SERIES, COUNT(SIN_SERIES), z) + low * (1 - 0.5 * z));
}

/* cos(r + low) = 1 - z/2 + (z^2 C(z) - r low), z = r^2. The rounding error of
 * 1 - z/2 is found exactly and added back. */
static double cos_near_0(double r, double low)
{
    const double z = r * r, half = 0.5 * z, w = 1 - half;

    return w + (((1 - w) - half) + (z * z * series(COS_SERIES, COUNT(COS_SERIES), z) - r * low));
}

/* sin(x + k pi/2) for k = 0, 1, 2, 3 is sin, cos, -sin, -cos of the reduced x. */
static double wave(struct angle a, unsigned turn)
{
    const unsigned q = (a.quadrant + turn) % 4;
    const double v = q % 2 == 0 ? sin_near_0(a.r, a.low) : cos_near_0(a.r, a.low);

    return q < 2 ? v : -v;
}

double fm_sin(double x)
{
    const double a = fabs(x);

    if (!(a <= TRIG_LIMIT)) return NAN;
    if (a < 0x1p-27) return x; /* x^3/6 is below half an ulp; keeps the sign of 0 */
    const double v = wave(reduce(a), 0);
    return x < 0 ? -v : v; /* odd by construction */
}

double fm_cos(double x)
{
    const double a = fabs(x);

    return a <= TRIG_LIMIT ? wave(reduce(a), 1) : NAN;
}

/* Beyond 9/16, where tanh is above 1/2, 1 - 2/(e^2x + 1): the errors of the
 * quotient, which is below 1/2, count at most half. */
double fm_tanh(double x)
{
    const double a = fabs(x);

    if (x != x) return x;
    if (a < 0x1p-27) return x; /* x^3/3 is below half an ulp */
    if (a < 0.5625) {
        const double z = x * x;
        const double q = z * series(TANH_N, COUNT(TANH_N), z) / series(TANH_D, COUNT(TANH_D), z);
        return x - x * q;
    }
    const double t = a < 20 ? 1 - 2 / (fm_exp(2 * a) + 1) : 1; /* 2 e^-40 < 2^-56 */
    return x < 0 ? -t : t;
}

/* What 1 + e rounds away is put back in proportion. */
double fm_log_1_plus(double e)
{
    const double u = 1 + e;

    return u == 1 ? e : fm_log(u) * (e / (u - 1));
}

double fm_pow(double x, double y)
{
    return fm_exp(y * fm_log(x));
}

/* Bit by bit of n, from the lowest; many.c has the same for several x. */
double fm_power(double x, int n)
{
    double out = 1;

    for (; n > 1; n /= 2) {
        if (n % 2 == 1) out *= x;
        x *= x;
    }
    return out * x;
}
