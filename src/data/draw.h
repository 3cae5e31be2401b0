/* draw.h -- which rows are drawn, of a text or a data set: some at random, each label in
 * proportion, whole groups, or the newest. */
#ifndef PERC_DRAW_H
#define PERC_DRAW_H

#include "base/base.h"
#include "vec/rng.h"

enum { DRAW_ROWS = 0xd4a3 }; /* streams of a seed: this and those after it, one a label */

struct draw {
    uint64_t rows, want; /* how many there are, and are to be drawn; want <= rows */
    uint64_t seed;
    /* By row, or NULL. */
    const uint32_t *label; /* drawn in proportion: numbers below `labels` */
    size_t labels;
    const uint32_t *group; /* drawn as a whole: numbers below `groups` */
    size_t groups;
    const double *time; /* the newest are drawn */
    bool rest;          /* some row must be drawn, and some must not */
};

/* drawn[i] is 1 if row i is drawn, else 0; *count of them.
 *
 * at random   exactly `want`: of each label the share that its rows have, rounded so that the sum
 *             is right (largest remainder; of equal ones the label met first)
 * by group    the groups come in a random order, and each is taken that brings the rows nearer to
 *             what is wanted: the sum over the labels of (drawn - wanted)^2 becomes smaller
 * by time     the newest, as near to `want` as it goes with rows of one time on one side
 *
 * Of the rest nothing is drawn where rest is set and it cannot be: PERC_EDATA. */
perc_status draw_rows(const struct env *e, const struct draw *d, uint8_t *drawn, uint64_t *count,
                      perc_error *err);

/* The reservoir of `want` places that rows at random come from (Waterman's algorithm R): where row
 * i, met in order, is put; it takes the place of the row there. UINT64_MAX: nowhere. */
static inline uint64_t draw_place(struct rng *r, uint64_t i, uint64_t want)
{
    const uint64_t k = i < want ? i : rng_below(r, i + 1);

    return k < want ? k : UINT64_MAX;
}

#endif
