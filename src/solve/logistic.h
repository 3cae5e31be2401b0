/* logistic.h -- logistic regression: losses of rows by how probable their labels are.
 *
 *     minimise  P(w') = R(w') + C sum_i c_i log(1 + exp(-y_i w'.x'_i))               (1)
 *
 *     R(w') = (1 - t) |w'|^2 / 2 + t |w'|_1
 *
 * with t = 0 (l2), t = 1 (l1) or between (elastic net), or R = 0. The offset is part of w', and so
 * of R, as in LIBLINEAR with -B 1; with `free_offset` R has w alone. Several classes at once have a
 * vector each, and the softmax of their scores:
 *
 *     minimise  P(W') = |W'|^2 / 2 + C sum_i c_i (log sum_k exp(w'_k.x'_i) - w'_i.x'_i)   (2)
 *
 * where w'_i is the vector of the row's own class.
 *
 * The dual of (1): for 0 <= a_i <= U_i = C c_i, with v = sum a_i y_i x'_i and
 * h(p) = p log p + (1 - p) log(1 - p),
 *
 *     D(a) = -R*(v) - sum U_i h(a_i / U_i)  <=  P(w')  for every w',                 (3)
 *
 *     R*(v) = |v|^2 / 2 (l2);  0 where |v_j| <= 1 for all j (l1);
 *             sum max(0, |v_j| - t)^2 / (2 (1 - t)) (elastic net)
 *
 * (free offset: and sum a_i y_i = 0). All solvers stop when P - D <= gap * P. */
#ifndef PERC_LOGISTIC_H
#define PERC_LOGISTIC_H

#include "solve/problem.h"

struct logistic_options {
    double c;         /* C > 0 */
    double share;     /* t, from 0 to 1 */
    bool no_penalty;  /* R = 0 */
    bool free_offset; /* p->offset is true then */
    double gap;
    int64_t passes; /* limit: Newton steps */
    uint64_t seed;
    const struct watch *watch; /* may be NULL; asked within passes, too */
};

struct logistic_result {
    double primal, dual; /* P of the w' returned, and the best D found */
    int64_t passes;
    uint64_t nonzero; /* of the numbers in w */
    bool solved;      /* the gap is small enough; else a limit or the watch ended it */
    bool separated;   /* all rows are strictly on the right side */
};

enum { LOGISTIC_EXACT = 1500 }; /* columns, at most, without a penalty */

/* l2, or no penalty. w has p->dims numbers, whatever they are before; *b is 0 without an offset.
 * The result is the same to the bit for any number of threads. PERC_ENOMEM. */
perc_status logistic_newton(const struct problem *p, uint32_t positive,
                            const struct logistic_options *o, double *w, double *b,
                            struct logistic_result *out, perc_error *err);
/* l1 and elastic net (logistic_sparse.c). */
perc_status logistic_sparse(const struct problem *p, uint32_t positive,
                            const struct logistic_options *o, double *w, double *b,
                            struct logistic_result *out, perc_error *err);
/* (2), for `classes` classes of which `width` numbers each lie side by side in w, of which there
 * are p->dims * width, and in b (vec/row_many.h). */
perc_status logistic_softmax(const struct problem *p, size_t classes, size_t width,
                             const struct logistic_options *o, double *w, double *b,
                             struct logistic_result *out, perc_error *err);

#endif
