/* gates.h -- what stands behind a perc_gate. */
#ifndef PERC_GATES_H
#define PERC_GATES_H

#include "logic/compile.h"

struct perc_gate {
    struct env e;
    struct formula formula; /* what has states is unrolled from it */
    struct compiled compiled;
};

#endif
