/* machine_gate.h -- a network of threshold neurons among the machines: it has nothing to learn. */
#ifndef PERC_MACHINE_GATE_H
#define PERC_MACHINE_GATE_H

#include "machine/gate.h"
#include "machine/machine.h"

/* Outputs that a gate may have as a model, whose labels are their 2^n words. */
enum { MACHINE_GATE_OUTPUTS = 8 };

struct machine_gated {
    struct machine base;
    struct gate gate;
};

/* The neurons of m; NULL: it has none. */
struct gate *machine_gate_of(const struct machine *m);

#endif
