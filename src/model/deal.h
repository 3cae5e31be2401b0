/* deal.h -- the rows of a data set as a pack of cards: by label, each label shuffled.
 *
 * Taking them one after the other gives each label in proportion; taking the first ones
 * of each label gives a part that grows with the number taken. */
#ifndef PERC_DEAL_H
#define PERC_DEAL_H

#include "base/pool.h"
#include "data/dataset.h"

/* Independent streams of a seed: those of the passes are at 2^32 and above (train.c). */
enum { DEAL_FOLDS = 0xf01d, DEAL_SHARES = 0x5a4e };

struct deal {
    struct pool pool; /* of both arrays */
    uint64_t *row;    /* all rows, label after label                           */
    uint64_t *start;  /* piles + 1: where the rows of each pile begin          */
    uint64_t rows;
    size_t piles; /* two a label: its rows of weight > 0, those of weight 0 */
};

/* PERC_EDATA names the line of a row without a label: it cannot be learned from. */
perc_status deal_open(const struct env *e, const perc_dataset *ds, uint64_t seed, uint64_t stream,
                      struct deal *d, perc_error *err);
void deal_close(struct deal *d); /* safe on a zeroed struct */

/* The fold of rows that no fold has: the oldest, where rows have times. Every model learns them. */
#define DEAL_FIRST UINT32_MAX

/* Whether the model of fold t learns from a row of this fold. */
static inline bool deal_learns(const perc_dataset *ds, uint32_t fold, size_t t)
{
    return fold == DEAL_FIRST || (ds->groups.time != NULL ? fold < t : fold != t);
}

/* perc_folds, with memory from e. Where `positive` is not "", that label and all others are
 * the two classes that need k rows, and a rare label may have fewer. */
perc_status deal_folds(const struct env *e, const perc_dataset *ds, size_t k, uint64_t seed,
                       const char *positive, uint32_t *fold, perc_error *err);

#endif
