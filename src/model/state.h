/* state.h -- the weights of a model file, and what training needs to go on. */
#ifndef PERC_STATE_H
#define PERC_STATE_H

#include "base/tensors.h"
#include "learn/pocket.h"
#include "model/model.h"

/* What a model lends to a file while it is written: arrays that memory holds in
 * another shape. */
enum { STATE_ARRAYS = 8 };
struct state {
    struct env e;
    struct linear own; /* the average, where the model's is not up to date */
    struct votes_packed votes;
    struct expansion_packed sums; /* with a kernel */
    struct budget_packed budget;
    struct mlp_packed layers; /* of a network, and of its moments */
    bool bare;                /* there are no weights */
    bool budgeted;            /* the weights are those of a budget's rows: */
    uint64_t slots;
    struct {
        double *at;
        size_t n;
    } array[STATE_ARRAYS];
    size_t arrays;
};

/* Adds the tensors of m to t. *out is initialised, and is kept until t is written. */
perc_status state_encode(const perc_model *m, struct tensors *t, struct state *out);
void state_free(struct state *s);
/* Before a network is made of the options `p`: whether t has its layers, so that it takes no more
 * memory than the file does. PERC_EDATA. */
perc_status state_check_layers(const struct tensors *t, const perc_params *p, perc_error *err);
/* Whether all numbers of an encoded model are such that a reader takes them. */
bool state_is_finite(const perc_model *m, const struct state *s);
/* The tensors into m, whose labels, counters, base and map are known. PERC_EDATA. */
perc_status state_decode(perc_model *m, const struct tensors *t, perc_error *err);

/* A tensor of finite doubles: [n] or, with `columns`, [n, columns]; NULL if there is
 * none of that name. */
perc_status state_find(const struct tensors *t, const char *name, uint64_t columns,
                       const struct tensor **out, perc_error *err);

#endif
