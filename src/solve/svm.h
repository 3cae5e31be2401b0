/* svm.h -- the linear soft-margin support vector machine.
 *
 *     minimise  P(w') = |w'|^2 / 2 + C sum_i c_i xi_i^q,   xi_i = max(0, 1 - y_i w'.x'_i)
 *
 * q = 1 (hinge) or 2 (squared hinge), c_i the weight of the row. The offset is part of
 * w' and so of the norm, as in LIBLINEAR with -B 1. With `free_offset` it is not:
 * |w|^2 / 2 takes the place of |w'|^2 / 2.
 *
 * The dual, with U_i = C c_i and d_i = 0 for the hinge, U_i = infinity and
 * d_i = 1 / (2 C c_i) for the squared hinge:
 *
 *     maximise  D(a) = sum a_i - |sum a_i y_i x'_i|^2 / 2 - sum d_i a_i^2 / 2,
 *               0 <= a_i <= U_i           (free offset: x_i for x'_i, and sum a_i y_i = 0)
 *
 * D(a) <= P(w') for every a and w': the gap bounds how far w' can be from the
 * optimum. Both solvers stop when P - D <= gap * P. */
#ifndef PERC_SVM_H
#define PERC_SVM_H

#include "solve/problem.h"

enum svm_loss { SVM_HINGE, SVM_SQUARED };

struct svm_options {
    double c; /* C > 0 */
    enum svm_loss loss;
    bool free_offset; /* p->offset is true then */
    double gap;       /* > 0, relative: see above */
    int64_t passes;   /* limit: passes over the rows (dual), Newton steps (newton) */
    uint64_t seed;
    const struct watch *watch; /* may be NULL; asked within passes, too */
};

struct svm_result {
    double primal, dual; /* P of the w' returned, and the best D found */
    int64_t passes;
    uint64_t supports; /* rows with a_i > 0 */
    bool solved;       /* the gap is small enough; else a limit or the watch ended it */
};

/* Dual coordinate descent (dual.c) and Newton's method (newton.c, SVM_SQUARED only).
 * w has p->dims numbers, whatever they are before; *b is 0 without an offset. The
 * result is the same to the bit for any number of threads. PERC_ENOMEM. */
perc_status svm_dual(const struct problem *p, uint32_t positive, const struct svm_options *o,
                     double *w, double *b, struct svm_result *out, perc_error *err);
perc_status svm_newton(const struct problem *p, uint32_t positive, const struct svm_options *o,
                       double *w, double *b, struct svm_result *out, perc_error *err);

/* Which of the two is expected to be faster (choose.c): true: newton. */
bool svm_prefers_newton(const struct problem *p, const struct svm_options *o);

/* The b that minimises  sum_i U_i max(0, 1 - y_i (s_i + b))^q  for the scores s_i = w.x_i
 * of n rows; u[i] = y_i U_i. To the last bit or so: the error of b is that of the sums. */
double svm_best_offset(const double *s, const double *u, uint64_t n, enum svm_loss loss);

#endif
