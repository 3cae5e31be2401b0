/* many.h -- functions of many numbers at once: the bits that each would get alone.
 *
 * All work in place. */
#ifndef PERC_MANY_H
#define PERC_MANY_H

#include <stddef.h>
#include <stdint.h>

void many_exp(double *x, size_t n);  /* x_i = fm_exp(x_i), whatever x_i is  */
void many_tanh(double *x, size_t n); /* x_i = fm_tanh(x_i)                  */

/* x_i = a x_i + b, the product rounded, then the sum. */
void many_affine(double a, double b, double *x, size_t n);
/* x_i = fm_power(x_i, degree). */
void many_power(int degree, double *x, size_t n);

/* Squared distances of one row, |x|^2 = a, from 32 rows of squared lengths b_i: the dots
 * x_i become d_i = s_i - 2 x_i, s_i = a + b_i. Bit i of the result is set where d_i is not
 * at least s_i / 1024: too many digits have cancelled there. */
uint32_t many_distance2(double a, const double *b, double *x);

#endif
