/* dual.h -- what the files of dual coordinate descent share; see dual.c. */
#ifndef PERC_DUAL_H
#define PERC_DUAL_H

#include <float.h>
#include <math.h>

#include "base/pool.h"
#include "data/gather.h"
#include "solve/svm.h"

#define DUAL_INLINE static inline __attribute__((always_inline))

/* What a step needs to know of a row, in one place: in a shuffled pass every row is somewhere
 * else. */
struct item {
    double a, q; /* a_i, Q_ii */
    double u;    /* y_i C c_i */
    uint64_t ref;
};

/* A point (a, w', b) minus another: only rows of the list have a part in it. */
struct move {
    double *a; /* n    */
    double *w; /* dims */
    double b;
};

struct dual {
    struct pool pool; /* of all arrays */
    const struct problem *p;
    uint32_t positive;
    const struct svm_options *o;
    bool squared, free;
    double mu; /* square of the constant feature; 0: none      */
    double *w, b;
    struct item *item;                      /* n                                            */
    uint64_t *rows, active;                 /* the list: rows that are not left out, rising */
    uint64_t *list, *order, *groups, awake; /* of a pass: its rows, shuffled     */
    struct gather *gather;     /* brings them together; NULL: they are where they are */
    uint64_t *refs;            /* of `order`, for gather                           */
    unsigned char *nap, *idle; /* n: passes to sit out; visits without effect  */
    double *value;             /* of one row */
    size_t longest;            /* entries of a row */
    double low, high;          /* violations of the last pass: PGmin, PGmax    */
    double *score;             /* n: of the last check, without b              */
    double *signed_u;          /* n, free offset only                          */
    uint64_t slices;
    struct lens *lens; /* one a thread */
    int threads;
    double *best_w, best_b; /* and the smallest P with them */
    double primal, bound;   /* the smallest P, the largest D that is certain */
    double *part;           /* dims, free offset only: part of w */
    bool pushes;            /* dual_push.c: there is room for what follows */
    struct move before;     /* the point before the pass, then its step */
    struct move last;       /* the last whole step */
    double *trial;          /* dims */
    double *fresh;          /* dims: w added up again */
    _Atomic bool stopped;   /* within a pass, by the watch */
    bool checked;           /* best_w is of a check */
    int64_t passes;
    double rise;    /* D, as the steps add up */
    double visited; /* rows, since the last check */
    double ratio;   /* true gap over its estimate, at the last check */
};

DUAL_INLINE double dual_upper(bool squared, double u)
{
    return squared ? DBL_MAX : fabs(u);
}

/* d_i */
DUAL_INLINE double dual_ridge(bool squared, double u)
{
    return squared ? 0.5 / fabs(u) : 0;
}

DUAL_INLINE double dual_clip(bool squared, double u, double a)
{
    const double up = dual_upper(squared, u);

    return a > 0 ? a < up ? a : up : 0; /* NaN: 0 */
}

DUAL_INLINE double dual_sign(double u)
{
    return u > 0 ? 1 : -1;
}

static inline struct row dual_row(const struct dual *s, struct lens *lens, uint64_t ref)
{
    return lens_row(lens, &s->p->blocks[ref >> 32], (size_t)(ref & UINT32_MAX));
}

/* dual_push.c: before a pass, after it, and when it is time to step further. */
void dual_push_new(struct dual *s); /* its arrays, from the pool */
void dual_remember(struct dual *s);
void dual_measure_step(struct dual *s);
void dual_push(struct dual *s);

#endif
