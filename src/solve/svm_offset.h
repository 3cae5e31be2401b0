/* svm_offset.h -- the best offset for given weights. */
#ifndef PERC_SVM_OFFSET_H
#define PERC_SVM_OFFSET_H

#include "solve/svm.h"

/* The b that minimises  sum_i U_i max(0, 1 - y_i (s_i + b))^q  for the scores s_i = w.x_i
 * of n rows; u[i] = y_i U_i. To the last bit or so: the error of b is that of the sums. */
double svm_best_offset(const double *s, const double *u, uint64_t n, enum svm_loss loss);

#endif
