/* neuron_witness.h -- from "no ordered weights" to rows whose sums are equal.
 *
 * The linear program over the rows that decide says no with true rows p and false rows q, each
 * counted y times, as many of the ones as of the others, such that sum y p is no stronger
 * than sum y q: for each group, no more bits at this strength or above. Bits of p that move up,
 * and bits of q that move down or are cleared, leave the ones true and the others false, until
 * the sums are equal. Of these rows a second linear program keeps at most m + 2 (Caratheodory
 * 1911). */
#ifndef PERC_NEURON_WITNESS_H
#define PERC_NEURON_WITNESS_H

#include "logic/neuron_shape.h"

/* Rows of g, with how often each of them counts. A program has m + 1 columns at most and its ray
 * one row more; each of at most 2 m moves may split one row. */
enum { WITNESS_ROWS = 3 * NEURON_INPUTS + 4 };
struct counted {
    size_t rows;
    uint32_t row[WITNESS_ROWS];
    int64_t count[WITNESS_ROWS];
};

void neuron_witness_add(struct counted *b, uint32_t row, int64_t count);

/* Looks for two true and two false points (one may count twice) that say no by themselves, which
 * most functions have if they can be refuted: among the points `which`, `count` of them
 * (NULL: all), in a fixed number of trials at most. *found: they are in the lists, which were
 * empty before. PERC_ENOMEM. */
perc_status neuron_witness_pairs(const struct shape *s, const uint32_t *which, size_t count,
                                 struct counted *yes, struct counted *no, bool *found,
                                 perc_error *err);

/* Changes both lists; the answer is written to `out` as rows of f. PERC_ENOMEM. */
perc_status neuron_witness_find(const struct shape *s, struct counted *yes, struct counted *no,
                                struct neuron *out, perc_error *err);

#endif
