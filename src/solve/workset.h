/* workset.h -- row generation around wolfe.c.
 *
 * Of all rows only few matter for a nearest point (at most dims + 2). wolfe.c finds it for a
 * list of rows; a pass over all rows finds those that lie before it; the worst of them join the
 * list. Work is done with 16 digits for as long as that helps, then with 32. */
#ifndef PERC_WORKSET_H
#define PERC_WORKSET_H

#include "base/pool.h"
#include "solve/margins.h"
#include "solve/wolfe.h"

struct workset {
    struct margins m;
    struct wolfe s;
    const struct watch *watch;
    int64_t passes, limit; /* passes made, which `look` counts, and allowed */
    uint64_t dims;         /* of the points */
    size_t most;           /* rows that join the list at once */
    bool *listed;          /* n: the row is a point of the list */
    struct pick *pick;     /* most */
    const double *norm;    /* n: |a_i|: points are divided by a power of two near it; or NULL */
    struct pool pool;      /* for arrays that live as long as this */
};

/* Sets everything but s, which wolfe_init begins; `g` is zeroed except for watch, limit and dims.
 * PERC_EARG: too many columns for `what`. PERC_ENOMEM. workset_close is safe after any of them. */
perc_status workset_open(struct workset *g, const struct problem *p, uint32_t positive,
                         const char *what, perc_error *err);
void workset_close(struct workset *g);

/* Adds row i to the list; adds the `most` rows with the least values below the bar. */
perc_status workset_add(struct workset *g, uint64_t i, perc_error *err);
perc_status workset_add_worst(struct workset *g, double bar, size_t *added, perc_error *err);

/* The power of two that brings x near 1. */
double workset_unit(double x);

enum workset_next { WORKSET_ON, WORKSET_REFINE, WORKSET_DONE };

/* What comes next, after rows joined the list or none did: go on, more digits, or the end. */
enum workset_next workset_after(const struct workset *g, enum wolfe_end end, size_t added);

/* Goes from list to list until `look` says that it is done, or a limit comes. `look` is told how
 * wolfe.c ended, makes a pass, and adds rows. */
typedef perc_status workset_look(void *ud, enum wolfe_end end, enum workset_next *next,
                                 perc_error *err);
perc_status workset_run(struct workset *g, workset_look *look, void *ud, perc_error *err);

#endif
