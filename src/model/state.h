/* state.h -- the weights of a model file, and what training needs to go on. */
#ifndef PERC_STATE_H
#define PERC_STATE_H

#include "base/tensors.h"
#include "learn/pocket.h"
#include "model/model.h"

/* What a file borrows, beside the model, while it is written. */
struct state {
    struct linear average; /* where the model's is not up to date */
    struct votes tidy;     /* where the model's are not in the order of a file */
};

/* Adds the tensors of m to t. *out is zeroed, and kept until t is written. */
perc_status state_encode(const perc_model *m, struct tensors *t, struct state *out);
void state_free(struct state *s);
/* Before a network is made of the options `p`: whether t has its layers, so that it takes no more
 * memory than the file does. PERC_EDATA. */
perc_status state_check_layers(const struct tensors *t, const perc_params *p, perc_error *err);
/* The tensors into m, whose labels, counters, base and map are known. PERC_EDATA. */
perc_status state_decode(perc_model *m, const struct tensors *t, perc_error *err);

#endif
