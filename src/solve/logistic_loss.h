/* logistic_loss.h -- the loss of two classes, for several rows at once.
 *
 *     loss(m) = U log(1 + e^-m),   a = U / (1 + e^m),   u = a (1 - a / U)
 *
 * Only e^-|m| is computed, by vec/many.h: it never overflows, and small numbers keep their
 * digits. */
#ifndef PERC_LOGISTIC_LOSS_H
#define PERC_LOGISTIC_LOSS_H

#include <math.h>

#include "vec/fmath.h"
#include "vec/many.h"

enum { LOGISTIC_PIECE = 256 }; /* rows at a time */

/* e_i = e^-|m_i|, n <= LOGISTIC_PIECE. */
static inline void logistic_exp(const double *m, size_t n, double *e)
{
    for (size_t i = 0; i < n; i++) e[i] = -fabs(m[i]);
    many_exp(e, n);
}

/* Of a margin m with e = e^-|m|: a / U, the probability of an error; log(1 + e^-m). */
static inline double logistic_error(double m, double e)
{
    return (m > 0 ? e : 1) / (1 + e);
}

static inline double logistic_log(double m, double e)
{
    return (m > 0 ? 0 : -m) + fm_log_1_plus(e);
}

/* -h(p) = -p log p - (1 - p) log(1 - p), 0 <= p <= 1. */
static inline double logistic_entropy(double p)
{
    const double a = p > 0 ? -p * fm_log(p) : 0, b = p < 1 ? -(1 - p) * fm_log(1 - p) : 0;

    return a + b;
}

#endif
