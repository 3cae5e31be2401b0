/* neuron_lp.h -- small linear programs in whole numbers, by the dual simplex method.
 *
 *     minimise  c.x   subject to   a_r.x >= b_r,   x >= 0,       c >= 0
 *
 * Constraints come one after another, as cuts do: with c >= 0 the method begins at x = 0, which
 * is optimal where there are none, and a new constraint never spoils that (Lemke 1954).
 *
 * The dictionary is kept times `scale`, the determinant of the basis: all numbers in it are
 * then determinants of parts of (A, b, c), whole, and divisions are exact (Edmonds 1967,
 * Bareiss 1968). The callers have at most 23 rows that are independent, each of 0, 1, -1 after
 * columns were added to each other, so by Hadamard a number is at most 23^(23/2) < 2^53, and a
 * product fits in 128 bits. */
#ifndef PERC_NEURON_LP_H
#define PERC_NEURON_LP_H

#include "base/base.h"

struct neuron_lp {
    struct env e;
    size_t cols, rows, cap_t, cap_basic; /* cap_t: numbers there is room for; cap_basic: rows */
    /* scale * (the variable of row r) = t[r][0] + sum_j t[r][j + 1] * nonbasic variable j;
     * row 0 is c.x. Variables 0 .. cols - 1 are x, cols + k is a_k.x - b_k. */
    int64_t scale, *t;
    size_t *basic;    /* one per row; that of row 0 means nothing */
    size_t *nonbasic; /* cols */
    size_t stuck;     /* if neuron_lp_solve was false: the row that shows it */
    int64_t pivots;
};

/* PERC_ENOMEM leaves an empty one, for which neuron_lp_free is fine. */
perc_status neuron_lp_begin(struct neuron_lp *d, const struct env *e, size_t cols,
                            const int64_t *cost, perc_error *err);
void neuron_lp_free(struct neuron_lp *d); /* safe on a zeroed one */

/* Adds a.x >= b. PERC_ENOMEM: nothing has changed. */
perc_status neuron_lp_add(struct neuron_lp *d, const int64_t *a, int64_t b, perc_error *err);

/* True: x is optimal. False: no x meets the constraints, and neuron_lp_ray shows it. */
bool neuron_lp_solve(struct neuron_lp *d);
/* scale * x_j */
int64_t neuron_lp_value(const struct neuron_lp *d, size_t j);
/* Numbers y >= 0 for all variables, with sum_v y_v v = a number < 0 whatever x is (Farkas 1902). */
int64_t neuron_lp_ray(const struct neuron_lp *d, size_t variable);

#endif
