/* separation.h -- the answer to "can a plane separate these two classes?", with its proof.
 *
 * With a_i = y_i (x_i, 1), or y_i x_i without an offset, a complete answer is a pair
 * (w, lambda):
 *
 *     a_i.w > 0 on the rows S, a_i.w = 0 on all others, which are C
 *     sum over C of lambda_i a_i = 0 with lambda_i > 0 on all of C
 *
 * The second says that no plane does better: for any v with a_i.v >= 0 everywhere the sum
 * of lambda_i a_i.v over C is 0, so each of its terms is. Both are checked in whole
 * numbers before anybody sees them. */
#ifndef PERC_SEPARATION_H
#define PERC_SEPARATION_H

#include "prove/weights.h"

struct separation {
    struct env e;
    perc_verdict verdict;
    uint64_t dims, rows;   /* of the problem */
    mpz_t *w;              /* dims: w, with b as the last number where there is an offset;
                                NULL: none is known (PERC_OVERLAPPING: it is 0) */
    struct weights no;     /* plain no: others = 0, at most rank + 1 rows */
    struct weights all;    /* touching or overlapping: on C, others > 0; at most rank rows
                                are listed, or 2 rank by the exact simplex method */
    unsigned char *strict; /* rows: 1: in S; NULL with --quick unless separable */
    uint64_t s, c;         /* |S|, |C| */
    uint64_t rank;         /* of C, touching or overlapping; else that of the rows of `no` */
    /* how it was found */
    const char *method;  /* what decided it: "perceptron", "equal rows", "nearest point",
                                "exact simplex", ... */
    uint64_t rejected;   /* what solvers with rounding proposed and the check refused */
    uint64_t exact_rows; /* rows whose side was not clear to the filter */
    int64_t pivots;      /* of the exact simplex method */
    int64_t rounds;
};

void separation_init(struct separation *a, const struct env *e); /* PERC_UNDECIDED, else empty */
void separation_free(struct separation *a);                      /* safe on a zeroed one */

#endif
