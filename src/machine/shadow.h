/* shadow.h -- exact arithmetic: a machine in whole numbers, beside the one in doubles.
 *
 * With --arithmetic exact every decision is made on the decimals of the data, as on paper. The rows
 * are whole numbers X = 10^k x (data/integral.h). From a zero start and at a constant rate eta,
 * weights are whole numbers too:
 *
 *     w = eta 10^-k W,   b = eta B;   an update by c y:  W += c y X,  B += c y                  (1)
 *
 * with c, the weight of the example, a whole number. So are scores, in units of eta / D:
 *
 *     S(x) = sum_j W_j X_j + D B,   D = 10^2k                                                   (2)
 *
 * and with a polynomial kernel of degree p whose gamma and coef0 are whole numbers
 *
 *     S(x_i) = sum of c y K(x_r, x_i) over the updates, r their rows, + D B,   D = 10^2kp,
 *     K(x, z) = (gamma X.Z + coef0 10^2k)^p                                                     (3)
 *
 * which is kept for every row. Images under a map of degree p are in whole numbers, too: the
 * products of p decimals have kp places, and a lift, whose weights are sqrt(m_j) W_j, has
 *
 *     S(x) = sum_j m_j W_j X_j + D B                                                            (4)
 *
 * with m_j times a power of ten, which D has as well (data/integral.h). All numbers have one width,
 * chosen when the run begins, so that none can overflow.
 *
 * The machine in doubles stays what observers see and what is saved: after each update its weights
 * are the doubles nearest to the exact ones; with a lift those nearest to W_j, times sqrt(m_j) in
 * doubles. The learner is given the doubles nearest to the exact scores, which have their signs;
 * where two would coincide though the exact ones differ, the higher is moved up, so that they are
 * in the right order, too. By these it decides right, except where a rule compares with more than 0
 * (shadow_holds). The machine in doubles is asked as well, and how often its score has another sign
 * is counted.
 *
 * Averages are exact sums, (T W - U) / T as in learn/averaged.c, rounded once. The pocket counts
 * errors here. A file has the doubles alone, so that such a run cannot go on from one. */
#ifndef PERC_SHADOW_H
#define PERC_SHADOW_H

#include "base/watch.h"
#include "data/lens.h"
#include "machine/machine.h"

struct shadow;

/* What it is made for: rows in memory, whose classes are known, and a learner at its start. */
struct shadow_plan {
    struct machine *machine;
    const struct block *blocks;
    size_t block_count;
    struct lens *lens;       /* with room for all of their images; borrowed */
    const size_t *class_of;  /* by label of the data */
    const double *weight_of; /* likewise; times the weight of a row, whole numbers */
    size_t vectors;
    enum kind kind;
    double rate, margin; /* margin: M of the rule margin; NaN: the plain rule */
};

/* PERC_ENOMEM; PERC_EDATA: a row whose numbers or weight cannot be had exactly; PERC_EARG: a map
 * beside a kernel. */
perc_status shadow_new(const struct shadow_plan *plan, struct shadow **out, perc_error *err);
void shadow_free(struct shadow *s); /* NULL is fine */

/* The scores of row number `row`, which is x, into `out`, one for each vector. PERC_ENOMEM. */
perc_status shadow_scores(struct shadow *s, uint64_t row, const struct row *x, double *out);
/* (S_class - S_rival) / 2 of the row scored last, as the nearest double. */
double shadow_margin(struct shadow *s, size_t class, size_t rival);
/* Whether that row is right by more than the rule asks for. */
bool shadow_holds(struct shadow *s, const struct lesson *one);
/* Follows an update by that row, which the machine in doubles has made, and rounds its weights.
 * shown: examples shown before. */
void shadow_add(struct shadow *s, const struct lesson *one, int64_t shown);

/* The mean of the weights after each of `shown` > 0 examples, rounded like them. */
void shadow_mean(struct shadow *s, int64_t shown, struct linear *out);
/* The training errors of the weights, or of that mean with shown > 0; at least `limit`, if there
 * are that many, or if the watch cuts it short. */
int64_t shadow_errors(struct shadow *s, int64_t shown, int64_t limit, const struct watch *watch);
/* What was just counted goes into the pocket. */
void shadow_keep(struct shadow *s, int64_t shown);
/* Rows for which the score of the weights that are returned, rounded and in doubles, has another
 * sign than that of the exact ones; -1: a kernel machine or votes, which have no such weights. */
int64_t shadow_other_rows(struct shadow *s, int64_t shown);

/* Examples decided, and those for which the machine in doubles has another sign. */
struct shadow_count {
    int64_t decisions, other;
};
struct shadow_count shadow_counted(const struct shadow *s); /* NULL: none */

#endif
