/* weights.h -- rows with positive weights whose sum is 0: why no plane does better. */
#ifndef PERC_WEIGHTS_H
#define PERC_WEIGHTS_H

#include "solve/whole.h"

/* Row k of the list has the weight value[k] > 0; all other rows of C have the weight
 * `others` >= 0: one number for all of them. It is 0 for a plain no. (1 would not do with
 * whole numbers: in one dimension, with rows 2, -4 and 5 and 5 not listed, 5 is not a sum of
 * multiples of 2 and -4.) The weights are those of the rows as they stand in the file, powers
 * of ten included. Together they have no common divisor. */
struct weights {
    size_t n;
    uint64_t *row; /* numbers in the problem, rising */
    mpz_t *value;
    mpz_t others;
};

void weights_init(struct weights *l);
void weights_free(const struct env *e, struct weights *l);

/* Whether the weights prove what they say: all are positive, the rows rise, and in whole
 * numbers the listed rows and `others` times each row of C that is not listed add up to 0.
 * strict[i] says that row i is not in C; NULL: all rows are. */
perc_status weights_check(const struct whole *exact, const struct weights *l,
                          const unsigned char *strict, bool *right, perc_error *err);

#endif
