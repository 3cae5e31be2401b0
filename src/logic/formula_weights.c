/* formula_weights.c -- decimals as whole numbers, exactly. See formula_weights.h. */
#include "logic/formula_weights.h"

#include "logic/formula.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* d becomes 10 d + digit, `zeros` zeros before it. False: too large. */
static bool append_digit(struct decimal *d, int64_t zeros, int digit)
{
    for (; zeros > 0; zeros--)
        if (__builtin_mul_overflow(d->digits, 10, &d->digits)) return false;
    return !__builtin_mul_overflow(d->digits, 10, &d->digits) &&
           !__builtin_add_overflow(d->digits, digit, &d->digits);
}

/* Zeros after the point count once another digit follows them. */
static const char *read_digits(const char *p, struct decimal *d)
{
    int zeros = 0;

    for (; is_digit(*p); p++)
        if (!append_digit(d, 0, *p - '0')) return NULL;
    if (*p != '.') return p;
    for (p++; is_digit(*p); p++) {
        if (*p == '0') {
            zeros++;
            continue;
        }
        if (!append_digit(d, zeros, *p - '0')) return NULL;
        d->places += zeros + 1;
        zeros = 0;
    }
    return p;
}

const char *formula_weights_read(const char *p, struct decimal *d)
{
    const bool sign = *p == '+' || (*p == '-' && p[1] != '>'); /* -> is an operator */
    const bool negative = *p == '-';
    const char *end = p + sign;

    *d = (struct decimal){ 1, 0 };
    while (sign && (*end == ' ' || *end == '\t' || *end == '\n' || *end == '\r')) end++;
    if (is_digit(*end) || (*end == '.' && is_digit(end[1]))) {
        d->digits = 0;
        end = read_digits(end, d);
    } else if (sign) end = p + 1;
    if (sign && negative) d->digits = -d->digits;
    return end;
}

static uint64_t size_of(int64_t w)
{
    return w < 0 ? -(uint64_t)w : (uint64_t)w;
}

/* d times 10^places. False: too large. */
static bool shift_point(struct decimal d, int places, int64_t *out)
{
    *out = d.digits;
    for (int i = d.places; i < places && *out != 0; i++)
        if (__builtin_mul_overflow(*out, 10, out)) return false;
    return true;
}

bool formula_weights_scale(const struct decimal *w, size_t n, struct decimal t, int64_t *weight,
                           int64_t *threshold)
{
    int places = t.places;
    uint64_t common = 0, size = 0;
    int64_t low = 0, high = 0;

    for (size_t i = 0; i < n; i++) places = w[i].places > places ? w[i].places : places;
    for (size_t i = 0; i < n; i++) {
        if (!shift_point(w[i], places, &weight[i])) return false;
        for (uint64_t a = size_of(weight[i]), r; a != 0; a = r) { /* the common divisor (Euclid) */
            r = common % a;
            common = a;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (common > 0) weight[i] /= (int64_t)common;
        size += size_of(weight[i]);
        if (size_of(weight[i]) >= FORMULA_SUM || size >= FORMULA_SUM) return false;
        *(weight[i] < 0 ? &low : &high) += weight[i];
    }
    if (!shift_point(t, places, threshold)) return false;
    if (common > 1) {
        const int64_t rest = *threshold % (int64_t)common;
        *threshold = *threshold / (int64_t)common + (rest > 0);
    }
    if (*threshold < low) *threshold = low;
    if (*threshold > high) *threshold = high + 1;
    return true;
}
