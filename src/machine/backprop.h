/* backprop.h -- learning in a network: the gradient of the loss by the chain rule, layer by
 * layer from the last to the first, and a step of the optimiser (Rumelhart, Hinton and
 * Williams 1986).
 *
 * The loss of a batch is the mean over its rows of weight > 0 of
 *
 *     weight * -log p(class)   +   l2 / 2 * sum of the squares of all weights (not offsets)
 *
 * There are two ways to make a step, which give the same bits: backprop_plain, loops as in the
 * textbook, one row after the other; and backprop_step, tiles on several threads. */
#ifndef PERC_BACKPROP_H
#define PERC_BACKPROP_H

#include "base/params.h"
#include "base/pool.h"
#include "machine/minibatch.h"
#include "machine/mlp.h"

struct team; /* base/team.h */

struct backprop {
    struct env e;
    enum optimizer optimizer;
    double rate, momentum, l2, dropout;
    size_t batch;  /* rows of a step */
    uint64_t seed; /* of dropout */
    bool textbook;
    int64_t steps;            /* made so far: with the moments, all that a run needs to go on */
    struct mlp first, second; /* moments: adam has both, momentum the first, sgd none (layers 0) */
    /* Scratch, made when first needed. */
    size_t rows;          /* of the largest batch there is room for */
    struct mlp_scratch a; /* activations a_l [rows][out_l], after dropout */
    struct mlp_scratch d; /* deltas: the gradient of the batch's loss by the sums z_l */
    struct mlp_scratch before, factor; /* with dropout: a_l before it, and what it multiplies */
    struct pool pool;                  /* of the arrays that follow, except `bench` */
    float **transposed;      /* W_l transposed, for layers after the first: [out_l][in_l] */
    size_t *transposed_size; /* their floats */
    size_t layers;           /* of transposed */
    double *p;               /* [rows][outputs] */
    size_t outputs;
    double *loss;       /* [rows] */
    uint64_t *mistakes; /* by tile of rows: at most `rows` */
    float *bench;       /* a tile of the gradient for each thread */
    size_t benches;
    struct team *team; /* NULL: one thread */
    double pays;       /* products of a step from which threads pay off */
};

/* What a step found, with the weights before it. */
struct backprop_outcome {
    double loss;       /* sum over the rows of weight * -log p, in the order of the rows */
    uint64_t mistakes; /* rows of weight > 0 whose class lacks the largest p: z <= 0 for class
                         1, z > 0 -- and z == 0, the boundary -- for class 0; z_true <= max of the
                         others. As everywhere here: a tie is a mistake */
};

/* Parameters: optimizer, rate (0: 0.002 adam, 0.01 momentum, 0.1 sgd), momentum, l2, dropout,
 * batch, seed, loop. Moments are made for m, all zero. */
perc_status backprop_new(const struct env *e, const perc_params *p, const struct mlp *m,
                         struct backprop **out);
void backprop_free(struct backprop *b); /* NULL is fine */
/* The moments and the steps; not the scratch. */
perc_status backprop_copy(const struct backprop *from, struct backprop *to);

/* One step. If the loss is not finite nothing has been learned (the caller ends the run). A batch
 * without a row that counts makes no step. The batch has been transposed (minibatch_transpose).
 * Moments grow with the columns of m; scratch is made on the first call, and again for a larger
 * batch or when m has more outputs. With loop=textbook backprop_step is backprop_plain.
 * PERC_ENOMEM, and nothing has been learned. */
perc_status backprop_step(struct backprop *b, struct mlp *m, struct minibatch *batch,
                          struct backprop_outcome *out);
perc_status backprop_plain(struct backprop *b, struct mlp *m, struct minibatch *batch,
                           struct backprop_outcome *out);

/* ----- what both ways share, so that their bits are the same (backprop_plain.c) ------------- */

/* The step b->steps + 1: rates and corrections, rounded to floats. For offsets l2 is 0 instead. */
struct net_step backprop_net_step(const struct backprop *b);

/* The output layer for rows from .. to - 1 of the batch. z, delta: [n][stride]; p: [n][outputs];
 * loss: [n].
 *
 *     loss_i = weight_i * -log p_i(class)      delta_i = weight_i / counted * (p_i - [class])
 *
 * in double; delta is rounded to float, its padding is not touched. Returns the mistakes among
 * them. Threads may share the arrays. */
uint64_t backprop_output(const struct minibatch *batch, size_t from, size_t to, size_t outputs,
                         const float *z, size_t stride, double *p, double *loss, float *delta);

/* Whether unit j of hidden layer l stays, for row i of the batch of step t: depends on these and
 * the seed alone, so that no state of a generator has to be kept. Kept activations are multiplied
 * by backprop_scale(dropout). Step t is b->steps + 1. */
bool backprop_stays(const struct backprop *b, int64_t step, size_t l, size_t i, size_t j);

/* The same in two parts, for loops over j: stays_unit(key, j, share) of this key. */
uint64_t backprop_stays_key(const struct backprop *b, int64_t step, size_t l, size_t i);

/* The share that is dropped, in units of 2^-32. */
static inline uint32_t stays_share(double dropout)
{
    return (uint32_t)(dropout * 0x1p32);
}

/* Two rounds of an integer hash with good avalanche (Wellons 2018, "lowbias32"), half of the key
 * going in before each; of operations that every processor does in lanes. */
static inline bool stays_unit(uint64_t key, uint32_t j, uint32_t share)
{
    uint32_t h = j * 0x9e3779b9u + (uint32_t)key;

    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = ((h ^ (h >> 15)) + (uint32_t)(key >> 32)) * 0x846ca68bu;
    return (h ^ (h >> 16)) >= share;
}

/* What a kept activation is multiplied by. */
static inline float backprop_scale(double dropout)
{
    return (float)(1 / (1 - dropout));
}

#endif
