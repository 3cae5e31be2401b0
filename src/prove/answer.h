/* answer.h -- the answer to "can a plane separate these two classes?", with its proof.
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
#ifndef PERC_ANSWER_H
#define PERC_ANSWER_H

#include "solve/whole.h"

/* Row k of the list has the weight value[k] > 0; all other rows of C have the weight
 * `others` >= 0: one number for all of them. It is 0 for a plain no. (1 would not do with
 * whole numbers: in one dimension, of the rows 2, -4 and 5 with 5 not listed, 5 is no sum of
 * multiples of 2 and -4.) The weights are those of the rows as they stand in the file:
 * powers of ten are in them. Together they have no common divisor. */
struct weights {
    size_t n;
    uint64_t *row; /* numbers in the problem, rising */
    mpz_t *value;
    mpz_t others;
};

struct answer {
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
    const char *method;  /* what settled it: "perceptron", "equal rows", "nearest point",
                                "exact simplex", ... */
    uint64_t rejected;   /* what solvers with rounding proposed and the check refused */
    uint64_t exact_rows; /* rows whose side was not clear to the filter */
    int64_t pivots;      /* of the exact simplex method */
    int64_t rounds;
};

void answer_init(struct answer *a, const struct env *e); /* PERC_UNDECIDED, nothing else */
void answer_free(struct answer *a);                      /* safe on a zeroed one */

void weights_init(struct weights *l);
void weights_free(const struct env *e, struct weights *l);

#endif
