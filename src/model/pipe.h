/* pipe.h -- what is done to a row before a machine sees it: columns counted from another base,
 * scaling (if the data were not read for the model), the map. */
#ifndef PERC_PIPE_H
#define PERC_PIPE_H

#include "data/dataset.h"
#include "data/lens.h"

struct pipe {
    struct env e;
    uint64_t shift;                    /* added to the columns */
    const struct transform *transform; /* NULL: the rows are scaled already */
    struct lens lens;
    uint32_t *shifted, *column; /* scratch */
    double *value;
    size_t shifted_cap, column_cap, value_cap;
};

void pipe_init(struct pipe *p, const struct env *e, uint64_t shift,
               const struct transform *transform, const struct map *map);
void pipe_free(struct pipe *p); /* safe on a zeroed struct */
/* Whether rows go through as they are. */
bool pipe_is_identity(const struct pipe *p);
/* *x becomes what the machine sees; valid until the next call. `line`: where it stands. */
perc_status pipe_row(struct pipe *p, struct row *x, int64_t line, perc_error *err);

#endif
