/* groups.h -- which rows of a data set belong together, or when each was: what folds and rows held
 * out go by (--group, --time, perc_dataset_set_groups). A row has one or the other, or neither. */
#ifndef PERC_GROUPS_H
#define PERC_GROUPS_H

#include "base/base.h"

struct groups {
    uint64_t rows; /* that the arrays have; 0: there are none */
    uint32_t *of;  /* by row, or NULL: numbers below n, in the order in which they were met */
    size_t n;
    double *time; /* by row, or NULL */
};

void groups_free(const struct env *e, struct groups *g); /* safe on a zeroed struct */
/* Those of the rows that stand in row[0 .. n - 1]; group numbers stay. */
perc_status groups_choose(const struct env *e, const struct groups *from, const uint64_t *row,
                          uint64_t n, struct groups *out);

#endif
