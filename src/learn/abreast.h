/* abreast.h -- several learners of two classes, trained in one walk over the rows.
 *
 * They have one rule and one start, see the rows in one order, and differ in which rows
 * they are shown. Learner c ends up as it would have, to the bit, if it had been trained
 * alone (fit.h) with weight 0 for the rows it is not shown.
 *
 *     abreast_begin
 *     while abreast_pass_begin:
 *         abreast_rows             all rows, in the order of the pass
 *     abreast_take for each learner
 *     abreast_end */
#ifndef PERC_ABREAST_H
#define PERC_ABREAST_H

#include "base/pool.h"
#include "data/lens.h"
#include "learn/class_weight.h"
#include "learn/learner.h"

enum { ABREAST_MOST = 32 }; /* bits of a set of learners, lanes of one walk over a row */

struct abreast {
    /* What the caller sets. */
    struct env e;
    const struct learner *start; /* as it would begin alone */
    size_t n;                    /* learners, at most ABREAST_MOST */
    const struct block *blocks;
    size_t block_count;
    const struct labels *labels;         /* of the data */
    const struct class_weights *weights; /* n */
    const uint32_t *to;                  /* by row of the set: whom it is shown, as bits */
    bool (*poll)(void *ud, const struct abreast *a); /* a few times a second; false: stop */
    void *ud;
    perc_error *err;
    /* The rest is abreast.c's. */
    struct pool pool; /* of all arrays below */
    struct lens lens;
    struct learner *each;    /* each has its own counters and borrows the rest from start */
    struct abreast_vectors { /* number c is learner c's */
        double *w, *b;       /* as in struct linear */
    } last, sum;             /* the last weights, and their sums (averaged.c) */
    uint64_t dims;
    size_t stride;
    size_t *class_of;        /* by label of the data */
    double *weight_of;       /* [label][n] */
    bool alike;              /* weight_of is the same for all learners */
    int64_t epochs, updates; /* limits; updates 0: none */
    bool jumping;
    uint32_t running;                       /* learners whose run is not over */
    int64_t time;                           /* rows shown to anyone */
    int64_t *missed;                        /* those of them that were not shown to c */
    int64_t examples;                       /* rows, shown or not */
    double *scores, *reach, *step, *before; /* by learner: of the row at hand */
    uint64_t work;
    bool stopped;   /* poll said so */
    perc_status st; /* PERC_EDATA: a row was refused */
};

/* Whether learners that begin as this one can go abreast. */
bool abreast_can(const struct learner *start);
perc_status abreast_begin(struct abreast *a, const perc_params *p, const struct map *map);
void abreast_end(struct abreast *a); /* safe on a zeroed struct */
/* false: every run is over, or poll wanted to stop. */
bool abreast_pass_begin(struct abreast *a);
void abreast_rows(struct abreast *a, const uint64_t *ref, uint64_t n);
/* Sets l, which began as `start` did, to what learner c has become. */
void abreast_take(const struct abreast *a, size_t c, struct learner *l);

#endif
