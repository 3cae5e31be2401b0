/* t_part.h -- a matrix as what the provers work on: whole numbers and doubles. */
#ifndef PERC_TEST_PART_H
#define PERC_TEST_PART_H

#include <stdlib.h>
#include <string.h>

#include "prove/proof.h"
#include "t_hull.h"
#include "t_make.h"

struct t_part {
    struct whole p;
    struct t_problem f;
    perc_dataset *ds;
    uint64_t *row;
    signed char *sign;
};

/* Doubles stand for the shortest decimal that reads back as them (data/exact.h). */
static inline struct t_part t_part_new(const struct t_data *d, bool offset, struct env e)
{
    struct t_part t = { .f = t_problem_new(d, offset, e),
                        .ds = t_borrow(d),
                        .row = malloc((d->rows + 1) * sizeof *t.row),
                        .sign = malloc(d->rows + 1) };

    for (size_t i = 0; i < d->rows; i++) {
        t.row[i] = i;
        t.sign[i] = d->y[i] > 0 ? 1 : -1;
    }
    t.p = (struct whole){ .e = e,
                          .ds = t.ds,
                          .offset = offset,
                          .dims = t.ds->columns + (offset ? 1 : 0),
                          .n = d->rows,
                          .row = t.row,
                          .sign = t.sign };
    return t;
}

static inline void t_part_free(struct t_part *t)
{
    t_problem_free(&t->f);
    perc_dataset_free(t->ds);
    free(t->row);
    free(t->sign);
}

#endif
