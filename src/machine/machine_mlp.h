/* machine_mlp.h -- a network that learns: its layers (mlp.h), and what it learns with. It has no
 * vectors: those of struct machine are empty, and kept in step with its outputs. */
#ifndef PERC_MACHINE_MLP_H
#define PERC_MACHINE_MLP_H

#include "machine/backprop.h"
#include "machine/machine.h"

struct machine_network {
    struct machine base;
    struct mlp net;
    struct backprop *backprop;
    struct minibatch single;  /* it learns from one row as from a batch of one */
    struct mlp_scratch alone; /* and answers for it with this */
};

/* m as a network; NULL: it is not one. */
struct machine_network *machine_mlp_of(const struct machine *m);
/* All that a step changes: the layers and their moments. `square`: which of them has no sign. */
enum { MACHINE_MLP_SETS = 3, MACHINE_MLP_SQUARE = 2 };
void machine_mlp_sets(struct machine_network *n, struct mlp *set[MACHINE_MLP_SETS]);
bool machine_mlp_is_finite(struct machine_network *n);

#endif
