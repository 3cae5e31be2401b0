/* shared.h -- what problems on the same rows share, when there are several.
 *
 * With one problem a class, every row is decoded and measured again for each of them.
 * That is done once here: a copy of the blocks with their short decimals as doubles, and
 * |x_i|^2. Both are the numbers that a solver would find by itself. */
#ifndef PERC_SHARED_H
#define PERC_SHARED_H

#include "solve/problem.h"

struct shared {
    struct env e;
    struct block *blocks; /* n; only `value` is not the original's */
    size_t n;
    double *value;
    size_t entries;
    double *norm2;
    size_t rows;
};

/* Makes p use it where that pays. Where memory does not allow it, p stays as it is. */
void shared_make(struct problem *p, struct shared *out);
void shared_free(struct shared *s); /* safe on a zeroed struct */

#endif
