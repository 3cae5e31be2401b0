/* turns.h -- updates added to the scores of a panel of rows.
 *
 * After gram_panel (kernel/gram.h) a panel has lines of PANEL numbers, one a row that was
 * shown: line r is k + r * PANEL. Scores are lines too, one a vector: f + c * PANEL. A turn
 * moves one vector, or two of them in opposite directions, by a multiple of a line. Every
 * product and every sum is rounded by itself, lane by lane and in the order of the turns:
 * the same bits on any processor.
 *
 * Lines begin at multiples of 64 bytes. */
#ifndef PERC_TURNS_H
#define PERC_TURNS_H

#include "vec/panel.h"

struct turn {
    double step;
    double stood; /* for how many examples its result was left unchanged: its votes */
    uint32_t row;
    uint32_t up, down; /* f_up += step k_row, f_down -= step k_row; NO_TURN: there is none */
};
#define NO_TURN UINT32_MAX

/* Applies n turns to f, in order. */
void turns_add(const struct turn *t, size_t n, const double *k, double *f);

/* The same, and after each turn the vector it moved votes for itself where its score is
 * above 0: votes_up += stood. `one` is added to each of k first. No turn has a `down`. */
void turns_own(const struct turn *t, size_t n, const double *k, double one, double *f,
               double *votes);

/* The same, and after each turn the highest of the first `vectors` scores, the lower vector
 * where two are equal, gets the votes. */
void turns_best(const struct turn *t, size_t n, const double *k, double one, size_t vectors,
                double *f, double *votes);

#endif
