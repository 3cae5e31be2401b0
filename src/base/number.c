/* number.c -- decimal text to the nearest double, in every case.
 *
 * A text with digits d1 d2 ... and an exponent is a rational number; the double we
 * return is the one nearest to it, and of two equally near the even one. Parsers
 * that scale by pow(10, e) are wrong in the last place about once in three; strtod
 * is right but reads the decimal point from the locale, needs a NUL after the
 * text and takes "nan", "inf" and "0x1p3" for numbers. Here the work is in steps,
 * each of which is either certainly right or hands on:
 *
 * 1. number_scan_decimal: text to w 10^p, with w the first 19 significant digits. Eight
 *    digits are read at a time as one 64-bit word, never at or past `end`.
 * 2. w <= 2^53 and |p| <= 22: w and 10^|p| are doubles, and one multiplication
 *    or division of exact doubles rounds correctly (Clinger 1990).
 * 3. w 10^p from a 192-bit product with 128 bits of 10^p, rounded when the error
 *    bound allows (the method of Eisel and Lemire: Lemire, "Number parsing at a
 *    gigabyte per second", Software: Practice and Experience 51(8), 2021). Our
 *    test of certainty is an interval, not that paper's theorem: see
 *    number_table.h. With more than 19 digits the truth lies between w and w + 1;
 *    when both round to the same double that is it.
 * 4. What is left lies on or extremely near a tie between two doubles. The digits
 *    as a big integer are compared with the tie itself (big_compare). A tie has at
 *    most 767 significant digits, so DIGITS_KEPT of them plus "and something more"
 *    decide. The integers have a fixed size: nothing here allocates.
 *
 * Assumes the default rounding mode. Not here: numbers to text (number_format.c),
 * and what may surround a number in a file (src/data). */
#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number_table.h"

enum {
    MANTISSA_DIGITS = 19,     /* 10^19 < 2^64 */
    EXPONENT_LIMIT = 1000000, /* decimal.exponent stays within +- this */
    DIGITS_KEPT = 800,        /* of the text, in the exact comparison; > 767 */
    BIG_LIMBS = 96            /* 3072 bits: see decimal_round_exactly */
};

/* ----- scanning --------------------------------------------------------- */

static unsigned digit_at(const char *p) /* 0 .. 9, or more if it is not a digit */
{
    return (unsigned)(unsigned char)*p - '0';
}

/* Eight bytes, the first one lowest. Compiles to one load. */
static uint64_t load_eight(const char *s)
{
    const unsigned char *p = (const unsigned char *)s;

    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

/* The number whose digits are the bytes of x (values 0 .. 9), the lowest byte the
 * most significant: pairs, then fours, then all eight. */
static uint64_t eight_digits(uint64_t x)
{
    x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (x * 10000 + (x >> 32)) & UINT64_C(0xffffffff);
}

/* Appends the digits at p to *value (modulo 2^64: the caller counts them). Returns
 * the first character that is not a digit. */
static const char *read_digits(const char *p, const char *end, uint64_t *value)
{
    static const uint32_t ten[9] = {
        1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000
    };
    uint64_t v = *value;
    int n = 8;

    while (n == 8 && end - p >= 8) {
        const uint64_t x = load_eight(p) ^ UINT64_C(0x3030303030303030);
        /* A byte that is not a digit gets its top bit set; a carry can spoil only
         * the bytes after it. */
        const uint64_t other = (x | (x + UINT64_C(0x7676767676767676))) &
                               UINT64_C(0x8080808080808080);

        n = other ? __builtin_ctzll(other) >> 3 : 8;
        if (n > 0) /* n digits: move them up, so that zeros stand before them */
            v = v * ten[n] + eight_digits(x << (64 - 8 * n));
        p += n;
    }
    if (n == 8)
        for (; p < end && digit_at(p) <= 9; p++) v = v * 10 + digit_at(p);
    *value = v;
    return p;
}

/* For more than 19 digits. If enough of them are leading zeros, the mantissa is
 * right as it is. If not it has wrapped: the first 19 significant digits are read
 * again, and *exponent grows by the number left out. */
static void scan_long(struct decimal *out, int64_t count, int64_t *exponent)
{
    const char *p = out->digits;
    uint64_t m = 0;

    for (; p < out->end && (*p == '0' || *p == '.'); p++) count -= *p == '0';
    if (count <= MANTISSA_DIGITS) return;
    for (int taken = 0; taken < MANTISSA_DIGITS; p++) {
        if (*p != '.') {
            m = m * 10 + digit_at(p);
            taken++;
        }
    }
    for (; p < out->end && !out->more; p++) out->more = *p != '0' && *p != '.';
    out->mantissa = m;
    *exponent += count - MANTISSA_DIGITS;
}

/* The exponent part at p, which is 'e' or 'E'. NULL when it has no digits. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent)
{
    bool negative = false;
    int64_t e = 0;

    if (++p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
    if (p == end || digit_at(p) > 9) return NULL;
    for (; p < end && digit_at(p) <= 9; p++)
        if (e < INT64_C(100000000000000000)) /* far more than any text has digits */
            e = e * 10 + (int64_t)digit_at(p);
    *exponent += negative ? -e : e;
    return p;
}

/* Is `word` at p, in upper or lower case, and not part of a longer word? */
static bool word_at(const char *p, const char *end, const char *word)
{
    for (; *word; word++, p++)
        if (p == end || (*p | 0x20) != *word) return false;
    return p == end || (((*p | 0x20) < 'a' || (*p | 0x20) > 'z') && digit_at(p) > 9 && *p != '_');
}

/* Why there are no digits at p, which is just past the sign. */
static enum number_fault fault_without_digits(const char *p, const char *end)
{
    const bool nan = word_at(p, end, "nan") || word_at(p, end, "inf") ||
                     word_at(p, end, "infinity");

    return nan ? NUMBER_NAN : NUMBER_NONE;
}

const char *number_scan_decimal(const char *start, const char *end, struct decimal *out,
                                enum number_fault *fault)
{
    const char *p = start;
    int64_t exponent = 0, count;

    *out = (struct decimal){ .negative = p < end && *p == '-' };
    if (p < end && (*p == '-' || *p == '+')) p++;
    out->digits = p;
    p = read_digits(p, end, &out->mantissa);
    count = p - out->digits;
    if (p < end && *p == '.') {
        const char *point = p;

        p = read_digits(p + 1, end, &out->mantissa);
        exponent = point + 1 - p;
        count -= exponent;
    }
    out->end = p;

    *fault = NUMBER_OK;
    if (count == 0) *fault = fault_without_digits(out->digits, end);
    else if (p < end && (*p | 0x20) == 'x' && p - out->digits == 1 && p[-1] == '0')
        *fault = NUMBER_HEX;
    else if (count > MANTISSA_DIGITS) scan_long(out, count, &exponent);
    if (*fault == NUMBER_OK && p < end && (*p | 0x20) == 'e') {
        p = scan_exponent(p, end, &exponent);
        if (p == NULL) *fault = NUMBER_EXPONENT;
    }
    if (*fault != NUMBER_OK) return start;

    if (out->mantissa == 0) exponent = 0; /* zero has one form */
    else if (exponent > EXPONENT_LIMIT) exponent = EXPONENT_LIMIT;
    else if (exponent < -EXPONENT_LIMIT) exponent = -EXPONENT_LIMIT;
    out->exponent = exponent;
    return p;
}

bool number_decimal_is_complete(const struct decimal *d)
{
    if (d->exponent <= -EXPONENT_LIMIT || d->exponent >= EXPONENT_LIMIT) return false;
    return !d->more || d->end - d->digits <= DECIMAL_DIGITS_MAX;
}

/* Past the zeros, and the point, in front of the first digit that counts. */
static const char *first_digit(const struct decimal *d)
{
    const char *p = d->digits;

    while (p < d->end && (*p == '0' || *p == '.')) p++;
    return p;
}

int64_t number_magnitude(const struct decimal *d)
{
    int64_t count = 0; /* of digits in the mantissa */

    for (const char *p = first_digit(d); p < d->end && count < MANTISSA_DIGITS; p++)
        count += *p != '.';
    return d->mantissa == 0 ? 0 : d->exponent + count - 1;
}

int number_compare(const struct decimal *a, const struct decimal *b)
{
    const int sa = a->mantissa == 0 ? 0 : a->negative ? -1 : 1;
    const int sb = b->mantissa == 0 ? 0 : b->negative ? -1 : 1;
    const int64_t ma = number_magnitude(a), mb = number_magnitude(b);
    const char *p = first_digit(a), *q = first_digit(b);

    if (sa != sb) return sa < sb ? -1 : 1;
    if (ma != mb) return ma < mb ? -sa : sa;
    for (; p < a->end || q < b->end; p += p < a->end, q += q < b->end) {
        if (p < a->end && *p == '.') p++;
        if (q < b->end && *q == '.') q++;
        const char c = p < a->end ? *p : '0', d = q < b->end ? *q : '0';
        if (c != d) return c < d ? -sa : sa;
    }
    return 0;
}

/* ----- exact comparison ------------------------------------------------- */

struct big {
    uint32_t limb[BIG_LIMBS]; /* lowest first */
    int n;                    /* limbs in use; the top one is not 0 */
};

/* b = b * factor + term */
static void big_multiply_add(struct big *b, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;

    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        assert(b->n < BIG_LIMBS);
        b->limb[b->n++] = (uint32_t)carry;
    }
}

static void big_set(struct big *b, uint64_t v)
{
    b->limb[0] = (uint32_t)v;
    b->limb[1] = (uint32_t)(v >> 32);
    b->n = b->limb[1] ? 2 : b->limb[0] ? 1 : 0;
}

static void big_shift_left(struct big *b, int64_t bits)
{
    const int limbs = (int)(bits / 32);

    big_multiply_add(b, UINT32_C(1) << (bits % 32), 0);
    assert(b->n + limbs <= BIG_LIMBS);
    memmove(b->limb + limbs, b->limb, (size_t)b->n * sizeof *b->limb);
    memset(b->limb, 0, (size_t)limbs * sizeof *b->limb);
    b->n += limbs;
}

/* The sign of d 10^power - m 2^exponent. With the negative powers moved to the
 * other side, and the twos that both sides share left out:
 *     d 5^power 2^(power - exponent)  against  m,      and so on. */
static int big_compare(const struct big *d, int64_t power, uint64_t m, int exponent)
{
    struct big a = *d, b;
    const int64_t twos = power - exponent;

    big_set(&b, m);
    struct big *fives = power > 0 ? &a : &b;
    int64_t left = power > 0 ? power : -power;
    for (; left >= 13; left -= 13) big_multiply_add(fives, 1220703125, 0); /* 5^13 < 2^32 */
    for (; left > 0; left--) big_multiply_add(fives, 5, 0);
    big_shift_left(twos > 0 ? &a : &b, twos > 0 ? twos : -twos);
    if (a.n != b.n) return a.n < b.n ? -1 : 1;
    for (int i = a.n - 1; i >= 0; i--)
        if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i] ? -1 : 1;
    return 0;
}

/* All digits of d as b 10^(the result): DIGITS_KEPT of them, and one 1 in place of
 * the others unless they are zeros. Nine digits go in at a time. */
static int64_t decimal_digits(const struct decimal *d, struct big *b)
{
    const char *p = d->digits;
    uint32_t chunk = 0, scale = 1;
    int64_t taken = 0;

    big_set(b, 0);
    for (; p < d->end && taken < DIGITS_KEPT; p++) {
        if (*p == '.' || (*p == '0' && taken == 0)) continue;
        chunk = chunk * 10 + digit_at(p);
        scale *= 10;
        if (++taken % 9 == 0) {
            big_multiply_add(b, scale, chunk);
            chunk = 0;
            scale = 1;
        }
    }
    big_multiply_add(b, scale, chunk);
    while (p < d->end && (*p == '0' || *p == '.')) p++;
    if (p < d->end) {
        big_multiply_add(b, 10, 1);
        taken++;
    }
    return d->exponent + MANTISSA_DIGITS - taken;
}

/* ----- rounding --------------------------------------------------------- */

#define INFINITY_BITS (UINT64_C(0x7ff) << 52)

static double double_of(uint64_t bits, bool negative)
{
    double v;

    bits |= (uint64_t)negative << 63;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* `bits` or the next double, whichever is nearer to d: d lies between them, and is
 * compared with the tie there. The tie above m 2^u is (2m + 1) 2^(u - 1), also
 * where the next double is a power of two or infinity.
 *
 * Size: d has at most DIGITS_KEPT + 1 digits, so d < 2^2665, and its power is at
 * least POWER_MIN - (DIGITS_KEPT + 1 - MANTISSA_DIGITS) = -1124, so that
 * m 5^1124 < 2^2666. The sides are nearly equal, so the shift of one does not take
 * it beyond the other. With a positive power both are below 2^1100. BIG_LIMBS
 * leaves room in every case. */
static uint64_t decimal_round_exactly(const struct decimal *d, uint64_t bits)
{
    const int biased = (int)(bits >> 52);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const uint64_t m = biased ? fraction | UINT64_C(1) << 52 : fraction;
    int64_t power = d->exponent;
    struct big b;
    int sign;

    if (d->more) power = decimal_digits(d, &b);
    else big_set(&b, d->mantissa);
    sign = big_compare(&b, power, 2 * m + 1, (biased ? biased : 1) - 1076);
    return bits + (sign > 0 || (sign == 0 && (bits & 1)));
}

/* The double nearest to w 10^p as bits; false when it may be the next one. */
static bool round_product(uint64_t w, int p, uint64_t *bits)
{
    const int zeros = __builtin_clzll(w);
    const uint64_t *t = number_power[p - POWER_MIN];
    const struct wide_product x = product_with(w << zeros, t[0], t[1]);
    /* w 10^p = hi 2^e and a bit; a double is m 2^u with 2^52 <= m < 2^53, or with
     * the least u there is. hi has 63 or 64 bits. */
    const int e = log2_of_10(p) + 1 - zeros;
    const int top = x.hi >> 63 ? 11 : 10;
    const int u = e + top < -1074 ? -1074 : e + top;
    uint64_t m;
    bool sure = true;

    if (u - e > 64) /* below half the least subnormal */
        m = 0;
    else sure = product_round(x, u - e, p >= 0 && p <= POWER_EXACT, &m);
    *bits = ((uint64_t)(u + 1074) << 52) + m; /* m's 53rd bit adds one to the exponent */
    if (*bits > INFINITY_BITS) *bits = INFINITY_BITS;
    return sure;
}

double number_decimal_value(const struct decimal *d)
{
    static const double ten[23] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    const uint64_t w = d->mantissa;
    const int64_t p = d->exponent;
    uint64_t bits, above;
    bool sure;

    /* Not where doubles are computed in wider registers, and so rounded twice. */
    if (FLT_EVAL_METHOD == 0 && w <= UINT64_C(1) << 53 && !d->more && p >= -22 && p <= 22) {
        const double v = p < 0 ? (double)w / ten[-p] : (double)w * ten[p];
        return d->negative ? -v : v;
    }
    if (w == 0 || p < POWER_MIN) /* 10^19 10^-343 < 2^-1075 */
        return double_of(0, d->negative);
    if (p > 308) return double_of(INFINITY_BITS, d->negative);

    /* When not sure, or when w + 1 differs, the answer is `bits` or the next: it is
     * never below, and w >= 10^18 makes w + 1 nearer to w than doubles are. */
    sure = round_product(w, (int)p, &bits);
    if (sure && d->more) sure = round_product(w + 1, (int)p, &above) && above == bits;
    if (!sure) bits = decimal_round_exactly(d, bits);
    return double_of(bits, d->negative);
}

/* ----- whole numbers and messages --------------------------------------- */

const char *number_scan(const char *p, const char *end, double *out, enum number_fault *fault)
{
    struct decimal d;

    *out = 0;
    p = number_scan_decimal(p, end, &d, fault);
    if (*fault == NUMBER_OK) {
        const double v = number_decimal_value(&d);

        if (isfinite(v)) *out = v;
        else *fault = NUMBER_OVERFLOW;
    }
    return p;
}

bool number_parse(const char *s, size_t len, double *out)
{
    enum number_fault fault;
    const char *p = number_scan(s, s + len, out, &fault);

    return fault == NUMBER_OK && p == s + len;
}

bool number_parse_int(const char *s, size_t len, int64_t *out)
{
    const char *p = s, *end = s + len;
    const bool negative = len > 0 && *s == '-';
    const uint64_t limit = (uint64_t)INT64_MAX + negative;
    uint64_t v = 0;

    *out = 0;
    if (len > 0 && (*p == '-' || *p == '+')) p++;
    if (p == end) return false;
    for (; p < end; p++) {
        const unsigned d = digit_at(p);

        if (d > 9 || v > (limit - d) / 10) return false;
        v = v * 10 + d;
    }
    /* -v without overflow at INT64_MIN. */
    *out = negative && v > 0 ? -(int64_t)(v - 1) - 1 : (int64_t)v;
    return true;
}

const char *number_fault_text(enum number_fault fault)
{
    switch (fault) {
    case NUMBER_OK: return "a number";
    case NUMBER_NONE: return "not a number (write it as 0.5 or 1e-3)";
    case NUMBER_NAN: return "nan and infinity are not numbers (a finite one is needed)";
    case NUMBER_HEX: return "hexadecimal numbers are not allowed (write it in decimal)";
    case NUMBER_OVERFLOW: return "number too large (the largest is 1.8e308: rescale it)";
    case NUMBER_EXPONENT: return "exponent without digits (write it as 1e5)";
    case NUMBER_LONG:
        return "too many digits, or too large an exponent, for a proof (round it, or rescale it)";
    }
    return "not a number";
}
