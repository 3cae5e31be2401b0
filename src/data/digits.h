/* digits.h -- the decimals of a block's entries, kept beside their doubles for proofs.
 *
 * Blocks whose numbers are short decimals, bytes or ones need none: these are exact.
 * Here an entry takes 12 bytes; a number of more than 19 digits, its text as well. */
#ifndef PERC_DIGITS_H
#define PERC_DIGITS_H

#include "base/number.h"

struct digits {
    const uint64_t *mantissa; /* by entry, as they are stored (dense: by place); NULL: the
                                 block has none. Of a long one: place in `text` << 32 |
                                 length there */
    const int32_t *exponent;  /* 4 times the exponent + 2 if it is long + 1 if negative */
    const char *text;         /* significant digits of the long ones, one after another,
                                 without point, and without zeros at either end */
};

/* Entry k. If it has `more`, its digits stand in d->text. */
struct decimal digits_get(const struct digits *d, size_t k);

/* The exponent of entry k alone. */
static inline int64_t digits_exponent(const struct digits *d, size_t k)
{
    return (d->exponent[k] - (d->exponent[k] & 3)) / 4;
}

/* For filling: writes `from` as entry k. `text` has `used` characters already, and room
 * for all those of from's digits; returns how many it has then. */
size_t digits_put(const struct decimal *from, uint64_t *mantissa, int32_t *exponent, size_t k,
                  char *text, size_t used);

#endif
