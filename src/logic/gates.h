/* gates.h -- what stands behind a perc_gate. */
#ifndef PERC_GATES_H
#define PERC_GATES_H

#include "logic/compile.h"

struct perc_gate {
    struct env e;
    struct formula formula; /* if it has states, it is unrolled from here */
    struct compiled compiled;
};

#endif
