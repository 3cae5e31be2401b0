/* forward.h -- rows of data through a network, some at a time: rounded to floats side by side
 * (minibatch.h), then layer by layer (machine/mlp.h). For scores and for errors on the training
 * set. How many rows go together changes no bit. */
#ifndef PERC_FORWARD_H
#define PERC_FORWARD_H

#include "machine/minibatch.h"
#include "machine/mlp.h"

enum { FORWARD_ROWS = 256 }; /* at a time, at most; fewer where layers are wide */

struct forward {
    struct env e;
    const struct mlp *net;
    size_t most; /* rows at a time */
    struct minibatch batch;
    struct mlp_scratch scratch;
};

/* The scratch of one thread, for at most `rows` rows at a time; `net` is borrowed and has layers.
 * PERC_ENOMEM: safe to close. */
perc_status forward_open(struct forward *f, const struct env *e, const struct mlp *net,
                         size_t rows);
void forward_close(struct forward *f); /* safe on a zeroed struct */
/* One more row, of at most f->most. Entries of columns that the network does not know are left
 * out. PERC_ENOMEM. */
perc_status forward_add(struct forward *f, const struct row *x);
/* z of the rows that were added, mlp_outputs of them each; then there are none. */
void forward_run(struct forward *f, double *out);

/* -log p(class) by the z of a row: what the row adds to the loss. Finite where z is. */
double forward_loss(const double *z, size_t outputs, size_t class);

#endif
