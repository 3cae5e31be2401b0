/* pairs.h -- points that are differences of rows: the hulls of two classes.
 *
 * The distance of the hulls is that of the origin from the hull of all differences p - q,
 * p a row of one class and q of the other. Of those only few are ever made: for a given x the
 * best p and the best q are the best pair. A pair is a_q + a_p, q of class 0 (-1), p of 1 (+1). */
#ifndef PERC_PAIRS_H
#define PERC_PAIRS_H

#include "solve/workset.h"

struct pairs {
    bool *skip[2];        /* n: by class: rows that are not of it */
    struct pick *pick[2]; /* by class: the worst rows */
    size_t picked[2];
    double least[2];    /* by class: the least value of the last pass */
    uint64_t (*row)[2]; /* the rows of point k of the list */
    size_t n, cap;
};

/* For the rows of g, which is open; what it makes lives as long as g, but for the list, which
 * pairs_close frees. PERC_ENOMEM. */
perc_status pairs_open(struct pairs *s, struct workset *g, perc_error *err);
void pairs_close(struct pairs *s, const struct env *e);

/* The next point of the list has these rows. PERC_ENOMEM. */
perc_status pairs_note(struct pairs *s, const struct env *e, uint64_t q, uint64_t p,
                       perc_error *err);
/* Of a zeroed struct, which makes no difference of classes: least[0]. */
void pairs_least(struct pairs *s, const struct margins *m);

/* Makes a point of a pair, and notes it. */
typedef perc_status pairs_make(void *ud, uint64_t q, uint64_t p, perc_error *err);

/* Makes points of pairs whose values add up to less than the bar: the k-th worst rows of both
 * classes, and each with the worst of the other. `least` is up to date. */
perc_status pairs_add(struct pairs *s, struct workset *g, double bar, pairs_make *make, void *ud,
                      size_t *added, perc_error *err);

#endif
