/* exact_sum.h -- sums of many rows in whole numbers, powers of ten included.
 *
 *     sum_i f_i a_i = 10^exponent * sum
 *
 * Rows that come once each and whose numbers are small are collected by their power of ten
 * in numbers of 128 bits first: that is most rows of most files. */
#ifndef PERC_EXACT_SUM_H
#define PERC_EXACT_SUM_H

#include "solve/whole.h"

enum { EXACT_SUM_TENS = 24 }; /* powers of ten for which rows are collected */

__extension__ typedef __int128 exact_i128;
__extension__ typedef unsigned __int128 exact_u128;

struct exact_sum {
    struct env e;
    uint64_t dims;
    mpz_t *sum;
    int64_t exponent;
    bool any; /* the exponent means something */
    mpz_t ten, scratch;
    int tens;
    int64_t power[EXACT_SUM_TENS];
    uint64_t rows[EXACT_SUM_TENS]; /* collected there */
    exact_i128 *small[EXACT_SUM_TENS];
};

perc_status exact_sum_init(struct exact_sum *t, const struct env *e, uint64_t dims,
                           perc_error *err);
void exact_sum_free(struct exact_sum *t); /* safe after exact_sum_init, even if that failed */

void exact_sum_row(struct exact_sum *t, const struct whole_vector *v);
void exact_sum_add(struct exact_sum *t, const struct whole_vector *v, const mpz_t f);
/* Adds what was collected to the sum. Call it before reading `sum`. */
void exact_sum_gather(struct exact_sum *t);
bool exact_sum_is_zero(const struct exact_sum *t);

#endif
