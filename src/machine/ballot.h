/* ballot.h -- the votes counted: prediction with a voted perceptron. */
#ifndef PERC_BALLOT_H
#define PERC_BALLOT_H

#include "machine/votes.h"

/* Votes made ready for counting: const once made, so several threads may use them. */
struct ballots;

enum ballot_kind {
    BALLOT_TWO,    /* one vector, two classes                        */
    BALLOT_NATIVE, /* one vector a class, each w_t has one vote      */
    BALLOT_REST    /* one vector a class, each a vote of its own     */
};

/* Borrows nothing from v. Vectors numbered `vectors` or more have no say. dims: all
 * columns of v are smaller. shown: T, not smaller than any `at`. PERC_ENOMEM. */
perc_status ballots_new(const struct env *e, const struct votes *v, enum ballot_kind kind,
                        size_t vectors, uint64_t dims, bool offset, int64_t shown,
                        struct ballots **out);
void ballots_free(struct ballots *b); /* NULL is fine */

/* Doubles of scratch that one thread needs. */
size_t ballots_scratch(const struct ballots *b);

/* out[0] for BALLOT_TWO: (votes for +1 less votes for -1) / T. Otherwise out[c] for
 * c < vectors: the share of the T votes that class c has (native), or what its own
 * binary vote is (one-against-rest). T = 0: what the zero vector says. Columns at or
 * beyond dims are passed over. */
void ballots_score(const struct ballots *b, const struct row *x, double *scratch, double *out);

/* The same for n <= BALLOT_BATCH rows at once, which is cheaper: the scores of row i
 * stand at out + i * (1 or vectors), and have the bits that row i gets alone. */
enum { BALLOT_BATCH = 16 };
void ballots_scores(const struct ballots *b, const struct row *x, size_t n, double *scratch,
                    double *out);

#endif
