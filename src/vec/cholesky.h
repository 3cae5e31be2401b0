/* cholesky.h -- H = L L', and equations with it, for the symmetric matrices of spread.h. */
#ifndef PERC_CHOLESKY_H
#define PERC_CHOLESKY_H

#include <stddef.h>

/* The lower half of l becomes L with L L' = H. A pivot that rounding has made
 * zero or negative is replaced by the diagonal element it began as (by 1 if that is 0):
 * L L' is then another matrix, but a positive definite one. Returns how many were replaced. */
size_t cholesky(const double *h, double *l, size_t size, size_t stride, int threads);
/* Solves L L' x = b; on entry x holds b. */
void cholesky_solve(const double *l, size_t size, size_t stride, double *x);

#endif
