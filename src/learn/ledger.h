/* ledger.h -- scores of the training rows, kept up to date as far as they are needed.
 *
 * The textbook computes the score of a row from all updates each time it is shown. Here
 * every training row j has its sums f_j, and a number u_j: f_j is the sum of the first u_j
 * updates, in order. When j is about to be shown, the updates since are added, in order; so
 * f_j has the bits of the plain loop (machine/expansion.h), and every pair of an update and
 * a row is looked at once, if at all.
 *
 * Rows are brought up to date a window at a time, in the order of the pass, on several
 * threads (sweep.h). Mistakes inside the window are then added to the rows of the window that
 * are still to come, before these are asked for. How many rows a window has depends on how
 * often there are mistakes, and changes nothing but the time.
 *
 * When classes come, or the unseen one goes, everything starts over.
 *
 * Memory: the sums, a number a row and class; the kernel values that are kept, within
 * --cache; and a few MB of scratch for each thread. */
#ifndef PERC_LEDGER_H
#define PERC_LEDGER_H

#include "learn/fit.h"

struct ledger;

/* For the learner of f, whose machine is an expansion, and its blocks, which stay where they are.
 * cache: bytes. PERC_ENOMEM;
 * PERC_EARG: a cache that does not hold one row of kernel values. */
perc_status ledger_new(struct fit *f, double cache, struct ledger **out, perc_error *err);
void ledger_free(struct ledger *g); /* NULL is fine */

/* The next n rows of the pass, in order; it brings as many of them up to date as it likes: *taken,
 * > 0. PERC_ENOMEM. */
perc_status ledger_open_window(struct ledger *g, const uint64_t *ref, size_t n, size_t *taken);
/* Row i of those, as the learner sees it; not for rows that were set aside (drop.h). */
const struct row *ledger_row(const struct ledger *g, size_t i);
/* Its scores, offsets added: learner_vectors of them, as the learner stands. To be called in
 * order; valid until the next call. PERC_ENOMEM. */
perc_status ledger_scores(struct ledger *g, size_t i, const double **out);

/* Errors, loss and radius (in the kernel's space, without the offset) of the learner's last
 * machine on all rows, as tally_blocks has them; added up in the order of the rows, until there are
 * `limit` errors. May be called between any two of the above. PERC_ENOMEM; PERC_EUNDECIDED: the
 * watch, which may be NULL, has cut it short. */
perc_status ledger_tally(struct ledger *g, uint64_t limit, const struct watch *watch,
                         struct tally *out);

/* About how many products were computed since this was last asked: for whoever polls the clock. */
uint64_t ledger_work(struct ledger *g);

#endif
