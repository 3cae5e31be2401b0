/* ticks.c -- scales of pictures, and the round numbers that are written beside them.
 *
 * A tick is kept as whole digits and a power of ten, so that its text is exact: 0.3 is three
 * tenths and not the double beside it. The step is the smallest of 1, 2 and 5 times a power of
 * ten that gives no more ticks than wanted.
 *
 * Numbers may be anything that a double can be. Differences are taken of halves, since
 * 1e308 - -1e308 overflows; ends nearer to each other than NEAR of their size are moved apart,
 * since the texts of their ticks would be all digits. */
#include "show/ticks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "vec/fmath.h"

#define NEAR  1e-9 /* the least length of a scale, relative to its ends */
#define LEAST 1e-300
#define LN10  2.302585092994046

void ticks_span(struct span *s, double v)
{
    if (!isfinite(v)) return;
    if (!s->any || v < s->low) s->low = v;
    if (!s->any || v > s->high) s->high = v;
    if (v > 0 && (s->positive == 0 || v < s->positive)) s->positive = v;
    s->any = true;
}

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v; /* inf too */
}

/* digits * 10^exponent, correctly rounded; infinite beyond the largest number. */
static double decimal(int64_t digits, int exponent)
{
    char buf[48];
    double v = 0;
    const int n = snprintf(buf, sizeof buf, "%llde%d", (long long)digits, exponent);

    if (!number_parse(buf, (size_t)n, &v)) return digits < 0 ? -INFINITY : INFINITY;
    return v;
}

/* ----- scales --------------------------------------------------------------- */

static struct scale make_log(const struct span *s, double from, double to)
{
    double low = from > 0 ? from : s->positive, high = to > 0 ? to : s->high;

    if (!(low > 0)) low = high > 0 ? high / 10 : 0.1;
    if (!(high > 0)) high = low * 10;
    low = clamp(low, DBL_MIN, DBL_MAX / 16);
    high = clamp(high, DBL_MIN, DBL_MAX);
    if (high < low * 1.0001) {
        low = clamp(low / 2, DBL_MIN, DBL_MAX / 16);
        high = low * 4;
    }
    const double room = s->room ? 0.04 * (fm_log(high) - fm_log(low)) : 0;
    if (!(from > 0)) low = clamp(fm_exp(fm_log(low) - room), DBL_MIN, DBL_MAX / 16);
    if (!(to > 0)) high = clamp(fm_exp(fm_log(high) + room), DBL_MIN, DBL_MAX);
    return (struct scale){ low, high, true, false };
}

/* Moves ends apart that are too close. An end that was asked for stays if it can. */
static void part_ends(double *low, double *high, bool keep_low, bool keep_high)
{
    const double size = fmax(fabs(*low), fabs(*high));
    double least = fmax(NEAR * size, LEAST);

    if (*high / 2 - *low / 2 >= least / 2) return;
    least = size == 0 ? 1 : *high == *low ? fmax(size / 4, least) : least;
    if (!keep_low || keep_high) *low -= least;
    if (!keep_high || keep_low) *high += least;
}

struct scale ticks_scale(const struct span *s, double from, double to, bool log, bool whole)
{
    const bool given_from = isfinite(from), given_to = isfinite(to);

    if (log) return make_log(s, given_from ? from : 0, given_to ? to : 0);
    double low = given_from ? from : s->any ? s->low : given_to ? to : 0;
    double high = given_to ? to : s->any ? s->high : given_from ? from : 0;
    if (!s->any && !given_from && !given_to) high = 1;
    if (s->zero && !given_from && low > 0 && low <= 0.6 * high) low = 0;
    if (s->zero && !given_to && high < 0 && high >= 0.6 * low) high = 0;
    if (low > high) { /* an end asked for lies beyond all values, or the ends are swapped */
        const double t = low;
        if (given_from == given_to) low = high, high = t;
        else if (given_from) high = low;
        else low = high;
    }
    part_ends(&low, &high, given_from, given_to);
    const double room = 0.05 * (high / 2 - low / 2) * 2;
    const bool at_zero = s->zero && low == 0;
    if (s->room && !given_from && !at_zero) low -= room;
    if ((s->room || s->zero) && !given_to && !(s->zero && high == 0)) high += room;
    low = clamp(low, -DBL_MAX, DBL_MAX);
    high = clamp(high, -DBL_MAX, DBL_MAX);
    return (struct scale){ low, high, false, whole };
}

double ticks_fraction(const struct scale *s, double v)
{
    double share;

    if (!isfinite(v)) return NAN;
    if (!s->log) share = (v / 2 - s->from / 2) / (s->to / 2 - s->from / 2);
    else if (v > 0) share = (fm_log(v) - fm_log(s->from)) / (fm_log(s->to) - fm_log(s->from));
    else share = -SCALE_FAR;
    return clamp(share, -SCALE_FAR, SCALE_FAR);
}

double ticks_value(const struct scale *s, double share)
{
    if (s->log) return fm_exp(fm_log(s->from) + share * (fm_log(s->to) - fm_log(s->from)));
    return s->from * (1 - share) + s->to * share;
}

/* ----- where the ticks are ---------------------------------------------------- */

/* The k with 10^k <= v < 10^(k + 1); v > 0. */
static int decade(double v)
{
    int k = (int)floor(fm_log(v) / LN10);

    while (decimal(1, k) > v) k--;
    while (decimal(1, k + 1) <= v) k++;
    return k;
}

static void add_tick(struct ticks *t, int64_t digits, int exponent)
{
    const double value = decimal(digits, exponent);

    if (t->n < TICKS && isfinite(value)) t->at[t->n++] = (struct tick){ value, digits, exponent };
}

/* Powers of ten: only every n-th if there are many; also 2 and 5 times these if there are few. */
static void log_ticks(struct ticks *t, const struct scale *s, int want)
{
    const int low = decade(s->from), high = decade(s->to);
    const int every = 1 + (high - low) / want;
    const bool between = high - low <= want / 3;

    for (int k = low; k <= high; k++) {
        if ((k % every + every) % every != 0) continue;
        for (int m = 1; m <= (between ? 5 : 1); m += m == 2 ? 3 : 1) {
            const double v = decimal(m, k);
            if (v >= s->from * (1 - 1e-9) && v <= s->to * (1 + 1e-9)) add_tick(t, m, k);
        }
    }
}

void ticks_make(struct ticks *t, const struct scale *s, int want)
{
    double most = 0;
    int least = 0;

    *t = (struct ticks){ .n = 0 };
    want = want < 2 ? 2 : want > TICKS - 4 ? TICKS - 4 : want;
    if (s->log) log_ticks(t, s, want);
    for (; t->n < 2 && want <= TICKS - 4; want++) { /* at least two, or the scale cannot be read */
        t->n = 0;
        const double rough = s->to / want - s->from / want;
        int e = decade(rough), m;
        const double lead = rough / decimal(1, e);
        m = lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10;
        if (m == 10) m = 1, e++;
        if (s->whole && e < 0) m = 1, e = 0;
        const double step = decimal(m, e), slip = 1e-9;
        const double first = ceil(s->from / step - slip), last = floor(s->to / step + slip);
        for (double k = first; k <= last && t->n < TICKS; k++) add_tick(t, (int64_t)k * m, e);
    }
    for (size_t i = 0; i < t->n; i++) {
        most = fmax(most, fabs(t->at[i].value));
        if (t->at[i].exponent < least) least = t->at[i].exponent;
    }
    t->powers = most >= 1e7 || least < -6 || (s->log && least < -3);
    t->commas = most >= 1e4;
}

/* ----- their texts ------------------------------------------------------------ */

static size_t raised(char *to, int v)
{
    static const char *const digit[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
    char plain[16];
    size_t n = 0;

    snprintf(plain, sizeof plain, "%d", v);
    for (const char *p = plain; *p != '\0'; p++) {
        const char *s = *p == '-' ? "⁻" : digit[*p - '0'];
        memcpy(to + n, s, strlen(s));
        n += strlen(s);
    }
    to[n] = '\0';
    return n;
}

/* Digits with an exponent: 15 * 10^-8 is 1.5e-7. */
static void power_text(char *to, size_t size, const char *digits, int exponent, bool fine)
{
    int n = (int)strlen(digits);

    exponent += n - 1;
    while (n > 1 && digits[n - 1] == '0') n--;
    const bool one = fine && n == 1 && digits[0] == '1';
    const char *point = n > 1 ? "." : "";
    int at = one ? 0 : snprintf(to, size, "%c%s%.*s", digits[0], point, n - 1, digits + 1);
    if (!fine) {
        snprintf(to + at, size - (size_t)at, "e%d", exponent);
        return;
    }
    at += snprintf(to + at, size - (size_t)at, "%s10", one ? "" : "×");
    raised(to + at, exponent);
}

/* Digits in full, with commas or a point. */
static void plain_text(char *to, const char *digits, int exponent, bool commas)
{
    const int n = (int)strlen(digits), whole = n + exponent, shown = whole > 0 ? whole : 1;

    for (int i = 0; i < shown; i++) {
        *to++ = whole > 0 && i < n ? digits[i] : '0';
        if (commas && i + 1 < shown && (shown - 1 - i) % 3 == 0) *to++ = ',';
    }
    if (exponent < 0) {
        *to++ = '.';
        for (int i = whole; i < n; i++) *to++ = i < 0 ? '0' : digits[i];
    }
    *to = '\0';
}

const char *ticks_text(char buf[TICK_TEXT], const struct ticks *t, size_t i, bool fine)
{
    const struct tick k = t->at[i];
    char digits[24];
    const char *minus = k.digits < 0 ? fine ? "−" : "-" : "";

    snprintf(buf, TICK_TEXT, "%s", k.digits == 0 ? "0" : minus);
    if (k.digits == 0) return buf;
    snprintf(digits, sizeof digits, "%lld", (long long)(k.digits < 0 ? -k.digits : k.digits));
    if (t->powers) power_text(buf + strlen(buf), TICK_TEXT - 4, digits, k.exponent, fine);
    else plain_text(buf + strlen(buf), digits, k.exponent, t->commas);
    return buf;
}
