/* chorus.h -- the scores of a kernel machine for many rows at once: prediction.
 *
 * Rows are taken PANEL at a time. The kernel values of the distinct rows of the votes with
 * the panel are computed once; then the updates are walked in order, each adding to all rows
 * of the panel (expansion.h has the sum). Every score has the bits that expansion_scores
 * gives, for any number of threads and whatever rows stand beside it. */
#ifndef PERC_CHORUS_H
#define PERC_CHORUS_H

#include "machine/ballot.h"
#include "machine/expansion.h"
#include "vec/vec_turns.h"

/* What answers; const while it is used, by several threads. The caller says: */
struct chorus {
    struct env e;
    struct kernel kernel;
    const struct votes *votes; /* borrowed, may not change */
    struct moment moment;
    bool voting;           /* each machine on the way has a vote (ballot.h), and the
                               moment is not looked at */
    enum ballot_kind kind; /* voting */
    int64_t shown;         /* voting: T */
    bool offset;           /* voting: each update moves the offset too */
    size_t vectors;        /* scores of a row; votes of other vectors have no say */
    const double *b;       /* not voting: `vectors` offsets, added at the end; borrowed */

    /* and chorus_open makes: */
    struct row *row;       /* those that the updates name, in the order in which they do */
    double *norm2;         /* of each */
    size_t rows, room;     /* there is room for all rows of the votes */
    struct turn *turn;     /* the updates that count, with what they count for */
    size_t turns, updates; /* there is room for all updates */
    double before;         /* native: how long the zero machine stood */
};

/* PERC_ENOMEM: nothing is made. */
perc_status chorus_open(struct chorus *c);
void chorus_close(struct chorus *c); /* safe on a zeroed struct */

/* Scratch of one thread: PANEL numbers for each row of the chorus, and a panel. */
struct choir;
perc_status choir_new(const struct chorus *c, struct choir **out);
void choir_free(struct choir *s); /* NULL is fine */
/* n <= PANEL rows: out[i * vectors + v], with offsets; voting: as ballots_scores. A score that
 * is no finite number is left to the caller to refuse; voting, where a machine on the way had
 * such a score for row i, all numbers of row i are NaN. PERC_ENOMEM. */
perc_status choir_scores(struct choir *s, const struct row *x, size_t n, double *out);

#endif
