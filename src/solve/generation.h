/* generation.h -- row generation around wolfe.c.
 *
 * Of all rows only few matter for a nearest point (at most dims + 2). wolfe.c finds it for a
 * list of rows; a pass over all rows finds those that lie before it; the worst of them join the
 * list. Work is done with 16 digits for as long as that helps, then with 32. */
#ifndef PERC_GENERATION_H
#define PERC_GENERATION_H

#include "base/pool.h"
#include "solve/margins.h"
#include "solve/wolfe.h"

struct generation {
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

/* Everything but s, which wolfe_init begins; a zeroed `g` with watch, limit and dims. PERC_EARG:
 * too many columns for `what`. PERC_ENOMEM. generation_close is safe after any of them. */
perc_status generation_open(struct generation *g, const struct problem *p, uint32_t positive,
                            const char *what, perc_error *err);
void generation_close(struct generation *g);

/* Row i joins the list; the `most` rows with the least values below the bar do. */
perc_status generation_add(struct generation *g, uint64_t i, perc_error *err);
perc_status generation_add_worst(struct generation *g, double bar, size_t *added, perc_error *err);

/* The power of two that brings x near 1. */
double generation_unit(double x);

enum generation_next { GENERATION_ON, GENERATION_REFINE, GENERATION_DONE };

/* What follows when rows joined the list, or none did: on, with more digits, or the end. */
enum generation_next generation_after(const struct generation *g, enum wolfe_end end, size_t added);

/* From list to list, until `look` says that it is done or a limit comes. `look` is told how
 * wolfe.c ended, makes a pass, and adds rows. */
typedef perc_status generation_look(void *ud, enum wolfe_end end, enum generation_next *next,
                                    perc_error *err);
perc_status generation_run(struct generation *g, generation_look *look, void *ud, perc_error *err);

#endif
