/* walk.h -- passes over the rows of a problem, for solvers that work with sums over them.
 *
 * The rows are cut into slices whose number depends on the problem alone. Threads take
 * slices; each slice has sums of its own, which are added up in the order of the slices:
 * the same bits for any number of threads. */
#ifndef PERC_WALK_H
#define PERC_WALK_H

#include "solve/problem.h"
#include "vec/spread.h"

enum { WALK_SLICES = 16 };

struct walk {
    const struct problem *p;
    uint32_t positive;
    size_t width; /* 0, or the scores of a row: `positive` means nothing then, and there are so many
                     numbers a column (vec/row_many.h) */
    size_t d; /* numbers of w': one a column of p->dims, and with an offset of one more, the last */
    uint64_t slices;
    int threads; /* 1 where there is little to do */
    struct lens lens[WALK_SLICES];
    double *part;   /* slices x d */
    double *scores; /* slices x width: of a row */
    const struct watch *watch;
    uint64_t done[WALK_SLICES]; /* since it was asked */
    _Atomic bool stopped;       /* by the watch: from there on no pass is made, or whole */
};

perc_status walk_init(struct walk *k, const struct problem *p, uint32_t positive, size_t width,
                      perc_error *err);
/* The numbers of w'; SIZE_MAX: too many. */
size_t walk_numbers(const struct problem *p, size_t width);
void walk_free(struct walk *k); /* safe on a zeroed walk */

/* run(ud, slice) for every slice, whose rows are from .. to - 1. */
void walk_each(const struct walk *k, void (*run)(void *ud, uint64_t slice), void *ud);
static inline uint64_t walk_from(const struct walk *k, uint64_t slice)
{
    const uint64_t each = k->p->n / k->slices, rest = k->p->n % k->slices;

    return slice * each + (slice < rest ? slice : rest);
}

/* Whether to go on after `more` numbers of a slice. */
static inline bool walk_goes_on(struct walk *k, uint64_t slice, uint64_t more)
{
    if (!watch_work(k->watch, &k->done[slice], more)) k->stopped = true;
    return !k->stopped;
}

/* Below, with several scores a row: y_i is 1, and a_i and out_i stand for `width` numbers each;
 * walk_product and walk_squares are those of a softmax, whose scores z = v x'_i have the weights
 * a_ic (z_c - sum a_ik z_k / sum a_ik). There is no walk_gram. */
/* out_i = y_i x'_i.v */
void walk_margins(struct walk *k, const double *v, double *out);
/* out = sum a_i y_i x'_i; side +1 or -1: over the rows of this sign alone. Rows with
 * a_i = 0 are passed over, here and below. */
void walk_sum(struct walk *k, const double *a, int side, double *out);
/* out = sum a_i (x'_i.v) x'_i */
void walk_product(struct walk *k, const double *a, const double *v, double *out);
/* out_j = sum a_i x'_ij^2 */
void walk_squares(struct walk *k, const double *a, double *out);
/* The lower half of h += sum (now_i - then_i) x'_i x'_i' (spread.h), by rows of h that threads
 * share. scratch: walk_gram_room() numbers, all zero, and zero again afterwards. */
void walk_gram(struct walk *k, const double *now, const double *then, double *h, size_t stride,
               double *scratch);
size_t walk_gram_room(const struct walk *k);

#endif
