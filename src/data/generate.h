/* generate.h -- what the generators of synthetic data share (generate.c). */
#ifndef PERC_GENERATE_H
#define PERC_GENERATE_H

#include "base/params.h"
#include "data/block.h"
#include "vec/rng.h"

/* The streams of a seed. Points and noise are drawn apart, so that a set has the
 * same points whatever its noise. */
enum { STREAM_RULE, STREAM_POINTS, STREAM_NOISE };

/* A generator at work. Every row is drawn from `points`, in order. */
struct maker {
    struct env e;
    const perc_params *p;
    uint64_t seed;
    struct rng points;
    int digits;        /* significant digits of a value                    */
    uint32_t features; /* columns 1 .. features                            */
    uint32_t classes;
    size_t row_max;   /* entries of a row, at most                        */
    double deviation; /* standard deviation around the shape              */
    double *rule;     /* halfspace: u; blobs: the centres, one after another */
    size_t rule_n;
    double *x; /* with a rule: scratch for one row                 */
    struct vocabulary *sparse;
};

/* May prepare its state (start may be NULL), and then makes row i: puts its
 * entries into r, where row_max are free, and returns its class. */
struct generator {
    perc_status (*start)(struct maker *m, perc_error *err);
    uint32_t (*row)(struct maker *m, struct rows *r, uint64_t i);
};

/* Stores v rounded to the set's digits; returns what was stored. */
double generate_put(const struct maker *m, struct rows *r, uint32_t column, double v);

/* generate_sparse.c */
perc_status generate_sparse_start(struct maker *m, perc_error *err);
uint32_t generate_sparse_row(struct maker *m, struct rows *r, uint64_t i);
void generate_sparse_free(struct maker *m);

#endif
