/* digits.c -- the decimals of a block's entries. */
#include "data/digits.h"

enum { MANTISSA_DIGITS = 19 }; /* of a struct decimal */

struct decimal digits_get(const struct digits *d, size_t k)
{
    const int32_t key = d->exponent[k], flags = key & 3;
    struct decimal out = { .mantissa = d->mantissa[k],
                           .exponent = (key - flags) / 4,
                           .negative = flags & 1,
                           .more = flags & 2 };

    if (!out.more) return out;
    out.digits = d->text + (out.mantissa >> 32);
    out.end = out.digits + (uint32_t)out.mantissa;
    out.mantissa = 0;
    for (int i = 0; i < MANTISSA_DIGITS; i++)
        out.mantissa = 10 * out.mantissa + (uint64_t)(out.digits[i] - '0');
    return out;
}

size_t digits_put(const struct decimal *from, uint64_t *mantissa, int32_t *exponent, size_t k,
                  char *text, size_t used)
{
    size_t len = 0;

    mantissa[k] = from->mantissa;
    exponent[k] = (int32_t)(4 * from->exponent) + (from->more ? 2 : 0) + (from->negative ? 1 : 0);
    if (from->more) {
        /* The digits of d without point, and without zeros at either end. */
        char *out = text + used;
        size_t n = 0, end = 0;
        for (const char *p = from->digits; p < from->end; p++) {
            if (*p == '.' || (*p == '0' && n == 0)) continue;
            out[n++] = *p;
            if (*p != '0') end = n;
        }
        len = end;
        mantissa[k] = (uint64_t)used << 32 | len;
    }
    return used + len;
}
