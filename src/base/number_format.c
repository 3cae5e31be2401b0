/* number_format.c -- doubles to decimal text: the shortest that reads back.
 *
 * printf("%.17g") always reads back but writes 0.1 as 0.10000000000000001, takes
 * the decimal point from the locale, and is slow. Data files and model reports
 * want the shortest text that means the same double, on every machine the same.
 *
 * A double v = c 2^q is read back from every decimal in its rounding interval
 *     [ (c - 1/2) 2^q, (c + 1/2) 2^q ],
 * ends included when c is even; where c is the least of its binade the lower half
 * is only 1/4 wide. number_format takes, of the decimals in it with the fewest
 * digits, the one nearest to v. Method: Giulietti, "The Schubfach way to render
 * doubles" (2020). With k the largest integer with 10^k no wider than the interval,
 * some multiple of 10^k lies in it, and at most one multiple of 10^(k+1): if there
 * is one, it is the answer and its trailing zeros go; if not, the answer is one of
 * the two multiples of 10^k around v. All that is needed is where v and the ends
 * lie between multiples of 10^k, from three products with one power of ten.
 *
 * Invariant: digits is not 0 and, without trailing zeros, has at most 17 digits.
 * Not here: reading (number.c). */
#include <stdbool.h>
#include <string.h>

#include "base/number.h"
#include "base/number_table.h"

struct shortest {
    uint64_t digits;
    int power;
};

/* ----- layout ----------------------------------------------------------- */

static const char PAIRS[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* Drops trailing zeros; eight at once first, because short numbers have many. */
static struct shortest trim(struct shortest d)
{
    while (d.digits % 100000000 == 0) {
        d.digits /= 100000000;
        d.power += 8;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.power++;
    }
    return d;
}

/* Lays out n digits, of which the first has the exponent x, as %.17g does: plain when
 * -4 <= x < 17. */
static size_t lay_out_digits(char *buf, bool negative, const char *s, size_t n, int64_t x)
{
    const bool plain = x >= -4 && x < 17;
    /* How many of the digits stand before the point, if there is one. */
    const int whole = plain ? (int)x + 1 : 1;
    char *p = buf;

    if (negative) *p++ = '-';
    if (whole <= 0) { /* 0.00ddd */
        memcpy(p, "0.000", 5);
        p += 2 - whole;
        memcpy(p, s, n);
        p += n;
    } else if (n <= (size_t)whole) { /* ddd000 */
        memcpy(p, s, n);
        memset(p + n, '0', (size_t)whole - n);
        p += whole;
    } else { /* d.ddd */
        memcpy(p, s, (size_t)whole);
        p[whole] = '.';
        memcpy(p + whole + 1, s + whole, n - (size_t)whole);
        p += n + 1;
    }
    if (!plain) { /* "e-05", "e+17", "e+308": a sign and two digits at least */
        int64_t size = x < 0 ? -x : x, unit = 10;

        *p++ = 'e';
        *p++ = x < 0 ? '-' : '+';
        while (size / unit >= 10) unit *= 10;
        for (; unit > 0; unit /= 10) *p++ = (char)('0' + size / unit % 10);
    }
    return (size_t)(p - buf);
}

static size_t lay_out(char *buf, bool negative, struct shortest d)
{
    char text[20];                /* 2^64 has 20 digits */
    char *s = text + sizeof text; /* digits are written backwards from the end */
    uint64_t v = d.digits;

    for (; v >= 100; v /= 100) memcpy(s -= 2, PAIRS + v % 100 * 2, 2);
    if (v >= 10) memcpy(s -= 2, PAIRS + v * 2, 2);
    else *--s = (char)('0' + v);
    const size_t n = (size_t)(text + sizeof text - s);
    return lay_out_digits(buf, negative, s, n, (int64_t)n - 1 + d.power);
}

size_t number_canonical(const struct decimal *d, char buf[NUMBER_CANONICAL])
{
    char digits[NUMBER_CANONICAL_DIGITS];
    size_t n = 0, end = 0;

    for (const char *p = d->digits; p < d->end; p++) {
        if (*p == '.' || (*p == '0' && n == 0)) continue;
        digits[n++] = *p;
        if (*p != '0') end = n;
    }
    if (n == 0) digits[n++] = '0', end = 1;
    return lay_out_digits(buf, d->negative && d->mantissa > 0, digits, end, number_magnitude(d));
}

/* ----- digits ----------------------------------------------------------- */

/* |v| = c 2^q, split from its bits. */
struct parts {
    uint64_t c;
    int q;
    bool negative, least; /* least: the double below is only half as far */
};

static struct parts split(double v)
{
    uint64_t bits, fraction;
    int biased;

    memcpy(&bits, &v, sizeof bits);
    fraction = bits & ((UINT64_C(1) << 52) - 1);
    biased = (int)(bits >> 52 & 0x7ff);
    return (struct parts){ .c = biased ? fraction | UINT64_C(1) << 52 : fraction,
                           .q = (biased ? biased : 1) - 1075,
                           .negative = bits >> 63,
                           .least = fraction == 0 && biased > 1 };
}

/* Zero, infinities and nan as printf writes them, but that a nan has no sign: which it has depends
 * on the processor. 0 if v is none of these. */
static size_t special(char *buf, struct parts v)
{
    const char *word = "0";

    if (v.q == 0x7ff - 1075) word = v.c == UINT64_C(1) << 52 ? "inf" : "nan";
    else if (v.c != 0) return 0;
    const bool sign = v.negative && word[0] != 'n';
    if (sign) *buf++ = '-';
    memcpy(buf, word, strlen(word));
    return sign + strlen(word);
}

/* x = n 10^p 2^(...) rounded to odd: floor(x), with the last bit set when x is not
 * an integer, which keeps every comparison with even integers exact. t is one more
 * than the table's entry, so the product is too large, by less than 2^60; and any
 * x that is not an integer is at least 2^-66 from all of them, that is 2^62 in the
 * product's units (scripts/powers_of_five.py --prove). */
static uint64_t round_to_odd(uint64_t n, uint64_t t1, uint64_t t0)
{
    const struct wide_product p = product_with(n, t1, t0);

    return p.hi | ((p.mid | p.lo >> 60) != 0);
}

/* Schubfach. Everything is in units of 10^k / 4, so that v, the ends of its interval
 * and the multiples of 10^k compare as integers. */
static struct shortest shortest_digits(struct parts v)
{
    const int k = v.least ? (v.q * 1262611 - 524031) >> 22 /* floor(log10(3/4 2^q)) */
                          : log10_of_2(v.q);
    const uint64_t *t = number_power[-k - POWER_MIN];
    const uint64_t t1 = t[0], t0 = t[1] + 1;
    const int h = v.q + log2_of_10(-k) + 1; /* 1 .. 4 */
    const uint64_t open = v.c & 1;          /* are the ends outside? */
    const uint64_t mid = round_to_odd(4 * v.c << h, t1, t0);
    const uint64_t low = round_to_odd((4 * v.c - (v.least ? 1 : 2)) << h, t1, t0) + open;
    const uint64_t high = round_to_odd((4 * v.c + 2) << h, t1, t0) - open;
    const uint64_t s = mid / 4; /* s 10^k <= v < (s + 1) 10^k */
    const uint64_t ten = s / 10 * 10;
    bool down, up;

    down = low <= 4 * ten;
    up = 4 * (ten + 10) <= high;
    if (down || up) /* not both: 10^(k+1) is wider than the interval */
        return (struct shortest){ down ? ten : ten + 10, k };
    down = low <= 4 * s;
    up = 4 * (s + 1) <= high;
    if (down && up) { /* the nearer, or the even one */
        const uint64_t between = 4 * s + 2;
        up = mid > between || (mid == between && (s & 1));
    }
    return (struct shortest){ s + up, k };
}

size_t number_format(double v, char buf[NUMBER_TEXT])
{
    const struct parts x = split(v);
    const size_t n = special(buf, x);

    if (n > 0) return n;
    /* Integers below 2^53: doubles are then no further apart than integers, so no
     * other integer, and no shorter decimal, is in the interval. */
    if (x.q <= 0 && x.q >= -52 && (x.c & ((UINT64_C(1) << -x.q) - 1)) == 0)
        return lay_out(buf, x.negative, trim((struct shortest){ x.c >> -x.q, 0 }));
    return lay_out(buf, x.negative, trim(shortest_digits(x)));
}
