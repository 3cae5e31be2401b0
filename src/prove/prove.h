/* prove.h -- the parts of a proof.
 *
 * settle.c    one problem of two classes: what solver is asked when, and the check of what
 *             it says (settle)
 * side.c      on which side of w is each row: doubles with an error bound, whole numbers
 *             where that is not enough (sides)
 * proof.c     perc_prove: the problems of a data set, kernels, several classes
 * margin.c    gamma' and the geometric margin; bound.c the mistake bound; hulls.c the plane
 * certificate.c  writes it all down */
#ifndef PERC_PROVE_H
#define PERC_PROVE_H

#include "prove/answer.h"
#include "solve/problem.h"

struct settle_options {
    bool quick;   /* yes or no is enough */
    double until; /* by clock_seconds(); 0: no limit */
    uint64_t seed;
    const struct watch *watch; /* asked now and then; false: stop, undecided */
};

/* The three-way answer, or with `quick` PERC_SEPARABLE or PERC_INSEPARABLE; PERC_UNDECIDED
 * where a limit came first. Every other verdict was checked in whole numbers. `f` are the
 * same rows in doubles, in the same order: f->class[i] == 1 where p->sign[i] is +1, else 0. */
perc_status settle(const struct whole *p, const struct problem *f, const struct settle_options *o,
                   struct answer *out, perc_error *err);

/* The rows of p in doubles, as `settle` and others take them (part.c). The problem owns ref and
 * class, and doubles_free, which is safe after any failure, gives them back. PERC_ENOMEM. */
perc_status doubles_of(const struct whole *p, struct problem *f, perc_error *err);
void doubles_free(struct problem *f);

/* side[i] = sign of a_i.w: -1, 0, 1, for all rows; as a proof. On threads. Stops early, with
 * `first` the number of a row with a sign below `least`, if there is one: the lowest of those
 * that doubles tell, if they tell any, else the lowest; n: none. side[] is complete where it
 * is n. The same for any number of threads. */
struct sides {
    signed char *side; /* n */
    uint64_t first;
    uint64_t exact; /* rows that needed whole numbers */
};
perc_status sides(const struct whole *p, const struct problem *f, const mpz_t *w, int least,
                  struct sides *out, perc_error *err);

/* Whether the weights prove what they say: sum over the listed rows, and `others` times the
 * rows of C that are not listed (strict == NULL: all rows are C), is 0, in whole numbers;
 * and all weights are > 0 and the rows rise. */
perc_status weights_check(const struct whole *p, const struct weights *l,
                          const unsigned char *strict, bool *right, perc_error *err);

#endif
