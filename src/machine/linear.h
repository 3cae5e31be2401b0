/* linear.h -- the linear machine: s(x) = w.x + b. */
#ifndef PERC_LINEAR_H
#define PERC_LINEAR_H

#include "base/base.h"
#include "base/vec.h"

/* Columns are those of the data set: column = index in the file, so that with
 * 1-based files w[0] is never used. */
struct linear {
    struct env e;
    double *w;
    uint64_t dims, cap; /* weights in use, and room for them */
    double b;           /* stays 0 without an offset */
    bool offset;
};

void linear_init(struct linear *m, const struct env *e, bool offset);
void linear_free(struct linear *m); /* safe on a zeroed struct */
perc_status linear_copy(const struct env *e, const struct linear *from, struct linear *to);
/* At least `dims` weights; new ones are 0. */
perc_status linear_grow(struct linear *m, uint64_t dims);
double linear_score(const struct linear *m, const struct row *x);
double linear_norm(const struct linear *m);           /* |w|      */
double linear_norm_augmented(const struct linear *m); /* |(w, b)| */

#endif
