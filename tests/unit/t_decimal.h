/* t_decimal.h -- random decimals as digits and exponent, and the many ways to write one.
 *
 * A test draws the number first and spells it afterwards, so that what a reader makes of
 * the text can be compared with what was meant. */
#ifndef PERC_TEST_DECIMAL_H
#define PERC_TEST_DECIMAL_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "vec/rng.h"

enum { T_DIGITS = 48, T_SPELLED = 160 };

struct t_decimal {             /* (-1)^negative * digits * 10^exponent; "" is 0 */
    char digits[T_DIGITS + 1]; /* no zeros at either end */
    int exponent;
    bool negative;
};

/* Some short, some of 17 digits, some longer than any mantissa; exponents beyond those of
 * the smallest doubles. */
static inline struct t_decimal t_decimal_draw(struct rng *g)
{
    static const int sizes[] = { 0, 1, 1, 2, 3, 7, 8, 17, 18, 19, 20, 21, T_DIGITS };
    const int n = sizes[rng_below(g, sizeof sizes / sizeof *sizes)];
    struct t_decimal d = { .digits = "" };

    for (int i = 0; i < n; i++) {
        const bool edge = i == 0 || i == n - 1;
        d.digits[i] = (char)(edge ? '1' + rng_below(g, 9) : '0' + rng_below(g, 10));
    }
    if (n == 0) return d;
    d.negative = rng_below(g, 2) == 1;
    d.exponent = (int)rng_below(g, 8) - 4 - n / 2;
    if (rng_below(g, 8) == 0) d.exponent = (int)rng_below(g, 640) - 420;
    return d;
}

/* Writes d with a sign or none, zeros around it, the point anywhere, and an exponent where
 * one is needed or not. buf has T_SPELLED bytes. */
static inline void t_decimal_spell(struct rng *g, const struct t_decimal *d, char *buf)
{
    char digits[T_SPELLED] = "";
    int exponent = d->exponent - (int)rng_below(g, 4);
    const int zeros = d->exponent - exponent;
    const size_t lead = rng_below(g, 3) == 0 ? rng_below(g, 4) : 0;

    memset(digits, '0', lead);
    strcpy(digits + lead, d->digits);
    for (int i = 0; i < zeros; i++) strcat(digits, "0");
    if (digits[0] == '\0') strcpy(digits, "0");
    const size_t n = strlen(digits), point = rng_below(g, n + 1);
    const char *sign = d->negative ? "-" : rng_below(g, 4) == 0 ? "+" : "";
    exponent += (int)(n - point); /* the digits behind the point */
    if (rng_below(g, 2) == 0 && exponent <= 0 && (size_t)-exponent <= point) { /* no exponent */
        const size_t at = point - (size_t)-exponent;
        snprintf(buf, T_SPELLED, "%s%.*s.%s", sign, (int)at, digits, digits + at);
        return;
    }
    snprintf(buf, T_SPELLED, "%s%.*s.%s%c%+d", sign, (int)point, digits, digits + point,
             rng_below(g, 2) == 0 ? 'e' : 'E', exponent);
}

/* The decimal that a reader gives, in the same form. Digits beyond T_DIGITS are cut. */
static inline struct t_decimal t_decimal_of(const struct decimal *d)
{
    struct t_decimal out = { .negative = d->negative, .exponent = (int)d->exponent };
    char text[32];

    const char *s = d->more ? d->digits : text;
    snprintf(text, sizeof text, "%llu", (unsigned long long)d->mantissa);
    size_t n = d->more ? (size_t)(d->end - d->digits) : strlen(text);
    if (d->more) out.exponent -= (int)n - 19;
    for (; n > 0 && s[n - 1] == '0'; n--) out.exponent++;
    snprintf(out.digits, sizeof out.digits, "%.*s", (int)n, s);
    return out;
}

static inline bool t_decimal_same(const struct t_decimal *a, const struct t_decimal *b)
{
    return strcmp(a->digits, b->digits) == 0 && a->exponent == b->exponent &&
           a->negative == b->negative;
}

#endif
