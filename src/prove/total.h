/* total.h -- sums of many rows in whole numbers, powers of ten and all.
 *
 *     sum_i f_i a_i = 10^exponent * sum
 *
 * Rows that come once each and whose numbers are small are collected by their power of ten
 * in numbers of 128 bits first: that is most rows of most files. */
#ifndef PERC_TOTAL_H
#define PERC_TOTAL_H

#include "solve/whole.h"

enum { TOTAL_TENS = 24 }; /* powers of ten that are collected */

__extension__ typedef __int128 total_i128;

struct total {
    struct env e;
    uint64_t dims;
    mpz_t *sum;
    int64_t exponent;
    bool any;  /* the exponent means something */
    mpz_t ten; /* scratch */
    mpz_t part;
    int tens;
    int64_t power[TOTAL_TENS];
    uint64_t rows[TOTAL_TENS]; /* collected there */
    total_i128 *small[TOTAL_TENS];
};

perc_status total_init(struct total *t, const struct env *e, uint64_t dims, perc_error *err);
void total_free(struct total *t); /* safe after total_init, whatever it said */

void total_row(struct total *t, const struct whole_vector *v);
void total_add(struct total *t, const struct whole_vector *v, const mpz_t f);
/* What was collected goes into the sum. Before `sum` is read. */
void total_settle(struct total *t);
bool total_is_zero(const struct total *t);

#endif
