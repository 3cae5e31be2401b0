/* problem.h -- what the solvers solve: rows, the class of each, what an error costs.
 *
 * A solver works on data alone. It is told which class is +1, every other being -1,
 * and returns one w and b; several classes are several problems on the same rows.
 *
 *     y_i = +1 if class[i] == positive, else -1
 *     x'_i = (x_i, 1) with an offset, x_i without;   w' = (w, b) likewise
 *     a_i = y_i x'_i
 *
 * Problems are const: several threads may solve for several classes at once. */
#ifndef PERC_PROBLEM_H
#define PERC_PROBLEM_H

#include "base/watch.h"
#include "data/block.h"
#include "data/lens.h"
#include "data/map.h"

struct problem {
    struct env e; /* e.threads: as many as a solver may use              */
    const struct block *blocks;
    size_t block_count;
    const struct map *map; /* the machine sees the image of a row; may be NULL */
    uint64_t dims;         /* columns that the machine sees: w has so many     */
    bool offset;
    uint64_t n;            /* rows that count                                  */
    const uint64_t *ref;   /* n: where they lie, in the order of the data      */
    const uint32_t *class; /* n                                                */
    const double *cost;    /* n, > 0: the weight of the row; NULL: all 1       */
    const double *norm2;   /* n: |x_i|^2 by row_norm2; NULL: not known         */
};

static inline double problem_sign(const struct problem *p, uint64_t i, uint32_t positive)
{
    return p->class[i] == positive ? 1 : -1;
}

static inline double problem_cost(const struct problem *p, uint64_t i)
{
    return p->cost != NULL ? p->cost[i] : 1;
}

/* A lens for one thread, with room for every row of p. */
perc_status problem_lens(const struct problem *p, struct lens *out, perc_error *err);

/* Row i as the machine sees it; valid until the lens is used again. */
static inline struct row problem_row(const struct problem *p, struct lens *lens, uint64_t i)
{
    return lens_row(lens, &p->blocks[p->ref[i] >> 32], (size_t)(p->ref[i] & UINT32_MAX));
}

/* Row i as it lies in its block, before any map. */
static inline struct row problem_block_row(const struct problem *p, uint64_t i)
{
    return block_row(&p->blocks[p->ref[i] >> 32], (size_t)(p->ref[i] & UINT32_MAX));
}

#endif
