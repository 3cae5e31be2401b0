/* vote_counter.h -- the votes counted: prediction with a voted perceptron. */
#ifndef PERC_VOTE_COUNTER_H
#define PERC_VOTE_COUNTER_H

#include "machine/votes.h"

/* Votes made ready for counting: const once made, so several threads may use them. */
struct vote_counter;

/* Borrows nothing from v; `first` is v_0, which must stay (NULL: 0). Vectors numbered `vectors` or
 * more have no say. dims: all columns of v are smaller. shown: T, not smaller than any `at`.
 * PERC_ENOMEM. */
perc_status vote_counter_new(const struct env *e, const struct votes *v, const struct linear *first,
                             enum kind kind, size_t vectors, uint64_t dims, bool offset,
                             int64_t shown, struct vote_counter **out);
void vote_counter_free(struct vote_counter *b); /* NULL is fine */

/* Doubles of scratch that one thread needs. */
size_t vote_counter_scratch(const struct vote_counter *b);

/* For n <= VOTE_ROWS rows. A row has out[0] for KIND_TWO: (votes for +1 less votes for -1) / T.
 * Otherwise out[c] for c < vectors: the share of the T votes that class c has (native), or what
 * its own binary vote is (one-against-rest). T = 0: what v_0 says. Columns at or
 * beyond dims are passed over. The scores of row i stand at out + i * (1 or vectors), and have
 * the bits that row i gets alone. */
enum { VOTE_ROWS = 16 };
void vote_counter_scores(const struct vote_counter *b, const struct row *x, size_t n,
                         double *scratch, double *out);

#endif
