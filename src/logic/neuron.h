/* neuron.h -- can one neuron compute a Boolean function? A function of n inputs given by its
 * table is a threshold function if there are whole numbers w, theta with f(x) = 1 exactly where
 * w . x >= theta. */
#ifndef PERC_NEURON_H
#define PERC_NEURON_H

#include "base/base.h"

enum { NEURON_INPUTS = 20 };

struct neuron {
    bool found;
    int64_t weight[NEURON_INPUTS], threshold; /* whole numbers, checked on all 2^n rows */
    /* If not found: rows whose weighted sums are equal. sum of count_k x_k over the true rows =
     * that over the false rows, and the counts add up to the same: no w can put the ones above
     * and the others below (Elgot 1961, Chow 1961: not asummable). */
    size_t true_rows, false_rows; /* together n + 2 at most; none twice, counts > 0 */
    uint32_t true_row[NEURON_INPUTS + 2], false_row[NEURON_INPUTS + 2];
    int64_t true_count[NEURON_INPUTS + 2], false_count[NEURON_INPUTS + 2];
};

static inline bool neuron_bit(const uint64_t *table, uint32_t row)
{
    return (table[row / 64] >> (row % 64)) & 1;
}

/* table: bit r is f where bit i of r is x_i, as formula_table makes it; n <= NEURON_INPUTS.
 * Exact either way: whatever is returned has been checked in whole numbers. Inputs that do not
 * matter get weight 0; inputs that can change places get the same weight; a constant has no
 * weights, and threshold 0 if it is 1 (always fires) or 1 if it is 0 (never). The sum of |w_i|
 * is the least there is under these rules where the linear program's optimum is whole, which
 * it is for all functions of up to 6 inputs (tested) and as a rule for small ones; the
 * threshold is the least that these weights allow. A proof is
 * of two and two rows where the search for them succeeds. Same table, same answer.
 * PERC_EARG: n is too large. PERC_ENOMEM. On failure `out` is all 0. */
perc_status neuron_find(const struct env *e, const uint64_t *table, size_t n, struct neuron *out,
                        perc_error *err);
/* Checks an answer on all rows; for tests, and for whoever does not believe it. */
bool neuron_check(const uint64_t *table, size_t n, const struct neuron *a);

#endif
