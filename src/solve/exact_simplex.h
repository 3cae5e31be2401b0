/* exact_simplex.h -- is 0 in the hull of the rows? In whole numbers, without tolerances.
 *
 *     minimise  sum_j |z_j|   subject to   sum_i lambda_i a_i + sum_k mu_k a_k = z,
 *                                          sum_i lambda_i = 1,  lambda >= 0,  mu free
 *
 * over the rows i that are not `free` and the rows k that are. The dual is
 *
 *     maximise t   subject to   a_i.w >= t,   a_k.w = 0,   |w_j| <= 1
 *
 * so the optimum is 0 exactly if no w has a_i.w > 0 on all rows i and 0 on all rows k.
 * The revised simplex method with the inverse of the basis in whole numbers (Edmonds 1967,
 * Bareiss 1968), which stays as large as the basis, not the data: rows are priced with
 * doubles and an error bound, and in whole numbers where that leaves the sign open.
 * Finite: Bland's rule (1977) where steps have length 0. It is the last resort of a proof
 * and can be slow; where it starts near the answer it is not. */
#ifndef PERC_EXACT_SIMPLEX_H
#define PERC_EXACT_SIMPLEX_H

#include "solve/problem.h"
#include "solve/whole.h"

/* STOPPED: by the watch, or because the numbers would take gigabytes. */
enum simplex_end { SIMPLEX_ZERO, SIMPLEX_POSITIVE, SIMPLEX_STOPPED };

struct simplex_options {
    const uint64_t *start; /* rows of the problem to begin with, `starts` of them: those that
                                a solver with rounding took to be the answer. A hint */
    size_t starts;
    const unsigned char *free; /* n: 1: the row is free, 2: it does not count; NULL: all 0 */
    const struct watch *watch; /* asked now and then */
};

struct simplex_result {
    enum simplex_end end;
    /* SIMPLEX_ZERO: rows and whole numbers with sum x_k a_k = 0 (the vectors of whole_row, without
     * powers of ten); those of rows that are not free are > 0, and there is at least one. There is
     * one more of them than their rank modulo the span of the free ones; rows rise. */
    uint64_t *row; /* rows: at most dims + 1 */
    mpz_t *x;
    size_t rows;
    /* SIMPLEX_POSITIVE: w with a_i.w > 0, and 0 for free rows; dims numbers, else NULL. */
    mpz_t *w;
    uint64_t dims;
    int64_t pivots;
};

/* PERC_ENOMEM, also if the basis would be too large from the start. On failure the result is
 * empty. */
perc_status exact_simplex(const struct whole *p, const struct simplex_options *o,
                          struct simplex_result *out, perc_error *err);
void exact_simplex_free(const struct env *e, struct simplex_result *r);

#endif
