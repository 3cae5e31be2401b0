/* fmath.h -- exp, log, sin, cos, tanh that give the same bits everywhere.
 * libm implementations differ in the last place, and generated data must not.
 * Error below 2 ulp over the stated range; made of + - * / and integer moves. */
#ifndef PERC_FMATH_H
#define PERC_FMATH_H

double fm_exp(double x); /* any x; overflow gives inf, underflow 0 (subnormals rounded once) */
double fm_log(double x); /* x > 0; 0 gives -inf; negative or NaN gives NaN */
double fm_log_1_plus(double e); /* log(1 + e), e >= 0 */
double fm_sin(double x);        /* |x| <= 1e5; NaN beyond */
double fm_cos(double x);
double fm_tanh(double x);
double fm_pow(double x, double y); /* x > 0: exp(y log x); error a few ulp * |y log x| */
double fm_power(double x, int n);  /* n >= 1: products, by squaring, in a fixed order */

#endif
