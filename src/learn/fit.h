/* fit.h -- passes over the data, in memory or from a stream.
 *
 *     fit_begin
 *     while fit_pass_begin:
 *         fit_rows ...             as often as there are pieces of the data
 *         fit_pass_end
 *
 * Each answers false when the run is over; fit.learner->progress then says why
 * and where, and from there the run can go on. */
#ifndef PERC_FIT_H
#define PERC_FIT_H

#include "learn/learner.h"

struct fit {
    struct learner *learner;
    const perc_observer *observer; /* may be NULL */
    int64_t epochs, updates;       /* limits; updates 0: none */
    double time_limit;             /* seconds; 0: none */
    const signed char *sign;       /* +1 or -1 by label number */
    uint64_t index_base;           /* events show the weights from there on */
    double begin, noticed;         /* clock */
    bool exact;                    /* somebody looks at the scores themselves */
    bool jumping;                  /* rows come in no order that a cache could guess */
};

/* A row: number of its block << 32 | number in the block. */
static inline uint64_t ref_make(uint64_t block, uint64_t row)
{
    return block << 32 | row;
}

void fit_begin(struct fit *f, const perc_params *p);
bool fit_pass_begin(struct fit *f);
bool fit_rows(struct fit *f, const struct block *blocks, const uint64_t *ref, size_t n);
/* The rows of one block in order, from row `from` on. */
bool fit_block(struct fit *f, const struct block *b, size_t from);
bool fit_pass_end(struct fit *f);

/* What a run says about itself when it is over: errors, loss, radius, added up
 * over the rows of blocks. Rows of weight 0 count for nothing. */
struct tally {
    uint64_t rows, errors;
    double loss, radius2; /* sum of max(0, -y s); max |x|^2 */
};
void tally_block(const struct linear *m, const struct block *b, const signed char *sign,
                 struct tally *t);
/* Over all blocks, on several threads, added up in order. PERC_ENOMEM. */
perc_status tally_blocks(const struct env *e, const struct linear *m, const struct block *blocks,
                         size_t n, const signed char *sign, struct tally *out);

#endif
