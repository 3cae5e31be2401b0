/* formula_weights.h -- the decimals of a neuron that a formula writes, as whole numbers. */
#ifndef PERC_FORMULA_WEIGHTS_H
#define PERC_FORMULA_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* digits / 10^places, without zeros at its end. */
struct decimal {
    int64_t digits;
    int places;
};

/* Reads a decimal, [+-] [digits] [. digits], where blanks may follow the sign, and a sign alone
 * is 1 or -1. Returns where it ends: p itself, and *d is 1, where none begins there. NULL: it
 * has more digits than an int64_t. */
const char *formula_weights_read(const char *p, struct decimal *d);

/* w.x >= t in the smallest whole numbers that say the same: everything times a power of ten; the
 * weights divided by what divides them all, the threshold too, rounded up; and a threshold that
 * is always reached, or never, as near to the sums as can be (formula.h). False: it takes too
 * many digits, or the weights add up to FORMULA_SUM or more. */
bool formula_weights_scale(const struct decimal *w, size_t n, struct decimal t, int64_t *weight,
                           int64_t *threshold);

#endif
