/* state.h -- the weights of a model file, and what training needs to go on. */
#ifndef PERC_STATE_H
#define PERC_STATE_H

#include "machine/machine_file.h"
#include "model/model.h"

/* What a file borrows, beside the model, while it is written. */
struct state {
    struct linear average; /* where the model's is not up to date */
    struct machine_file file;
};

/* Adds the tensors of m to t. *out is zeroed, and kept until t is written. */
perc_status state_encode(const perc_model *m, struct tensors *t, struct state *out);
void state_free(struct state *s);
/* Reads the tensors into m, whose labels, counters, base and map are known. PERC_EDATA. */
perc_status state_decode(perc_model *m, const struct tensors *t, perc_error *err);

#endif
