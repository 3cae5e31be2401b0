/* row_signs.h -- on which side of a plane each row is, as a proof. */
#ifndef PERC_ROW_SIGNS_H
#define PERC_ROW_SIGNS_H

#include "solve/problem.h"
#include "solve/whole.h"

struct row_signs {
    signed char *sign; /* n: of a_i.w: -1, 0, 1 */
    uint64_t first;    /* a row whose sign is below `least`; n: none, and sign[] is complete */
    uint64_t exact;    /* rows that needed whole numbers */
};

/* The signs of all rows, or the first that is below `least`: the work ends there. A pass in
 * doubles comes first. If it is sure of such a row, `first` is the lowest that it found. Else
 * a second pass, in whole numbers, visits the rows in doubt, and `first` is the lowest of all.
 * The same for any number of threads. */
perc_status row_signs(const struct whole *exact, const struct problem *floats, const mpz_t *w,
                      int least, struct row_signs *out, perc_error *err);

#endif
