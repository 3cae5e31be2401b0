/* panel_scorer.h -- the scores of a kernel machine for many rows at once: prediction.
 *
 * Rows are taken in panels, some at a time. The kernel values of the distinct rows of
 * the votes with a panel are computed once; then the updates are walked in order, each adding to
 * all rows of the panel (expansion.h has the sum). Every score has the bits that expansion_scores
 * gives, for any number of threads and whatever rows stand beside it. */
#ifndef PERC_PANEL_SCORER_H
#define PERC_PANEL_SCORER_H

#include "base/pool.h"
#include "machine/expansion.h"
#include "machine/vote_counter.h"
#include "vec/turns.h"

/* What answers; const while it is used, by several threads. The caller says: */
struct panel_scorer {
    struct env e;
    struct kernel kernel;
    const struct votes *votes; /* borrowed, may not change */
    struct moment moment;
    bool one;        /* a single row will be asked for */
    bool voting;     /* each machine on the way has a vote (vote_counter.h), and the
                               moment is not looked at */
    enum kind kind;  /* voting */
    int64_t shown;   /* voting: T */
    bool offset;     /* voting: each update moves the offset too */
    size_t vectors;  /* scores of a row; votes of other vectors have no say */
    const double *b; /* not voting: `vectors` offsets, added at the end; borrowed */

    /* and panel_scorer_open makes: */
    struct row *row; /* those that the updates name, in that order */
    double *norm2;   /* of each */
    size_t rows;
    struct bundle *bundle; /* the same rows */
    size_t bundles;
    bool packed;       /* some of them are, so that several panels are worth having */
    struct turn *turn; /* the updates that count, with what they count for */
    size_t turns;
    double before;    /* native: how long the zero machine stood */
    struct pool pool; /* of all arrays */
};

/* PERC_ENOMEM: nothing is made. */
perc_status panel_scorer_open(struct panel_scorer *c);
void panel_scorer_close(struct panel_scorer *c); /* safe on a zeroed struct */

/* Scratch of one thread: panels, and PANEL numbers for each of them and each row of the scorer. */
struct panel_scratch;
perc_status panel_scratch_new(const struct panel_scorer *c, struct panel_scratch **out);
void panel_scratch_free(struct panel_scratch *s); /* NULL is fine */
enum { SCORER_ROWS = 4 * PANEL };
size_t panel_scratch_rows(
    const struct panel_scratch *s); /* that it takes at a time: <= SCORER_ROWS */
/* n of them: out[i * vectors + v], with offsets; voting: as vote_counter_scores. A score that
 * is not finite is left to the caller to refuse; voting, where a machine on the way had such a
 * score for row i, all numbers of row i are NaN. PERC_ENOMEM. */
perc_status panel_scratch_scores(struct panel_scratch *s, const struct row *x, size_t n,
                                 double *out);

#endif
