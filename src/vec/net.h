/* net.h -- what a network does to its numbers one by one: activations and their slopes,
 * and the steps of optimisers. The same bits on any processor: no operation is fused unless it
 * is written as fma, and exp and tanh are our own (fmath.h, in double, rounded to float). */
#ifndef PERC_NET_H
#define PERC_NET_H

#include <stddef.h>

enum activation { ACTIVATION_RELU, ACTIVATION_SIGMOID, ACTIVATION_TANH };

/* For one number: what the functions below do to each. */
float net_activation_of(enum activation f, float z);    /* relu: z <= 0 ? 0 : z, so NaN stays NaN */
float net_activation_slope(enum activation f, float a); /* f'(z) if a = f(z); relu: a > 0 ? 1 : 0 */

/* a_i = f(a_i + b_i) for rows x n, b of n: the offset (NULL: none) and the activation at once.
 * What is beyond n in a row stays as it is. */
void net_activate(enum activation f, float *a, size_t rows, size_t n, size_t stride,
                  const float *b);
/* d_i *= f'(z_i), a_i = f(z_i). */
void net_slope(enum activation f, float *d, const float *a, size_t n);

enum optimizer { OPTIMIZER_SGD, OPTIMIZER_MOMENTUM, OPTIMIZER_ADAM };

/* The constants of one step, for all numbers alike; all floats. With g the gradient plus l2 w:
 *   sgd        w -= rate g
 *   momentum   u = beta1 u + g;  w -= rate u                              (Polyak 1964)
 *   adam       u = beta1 u + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2
 *              w -= rate u / (sqrt(v) + epsilon)        (Kingma and Ba 2015, section 2: the
 *              corrections by 1 - beta^t are in `rate` and `epsilon` as they stand here) */
struct net_step {
    enum optimizer optimizer;
    float rate, l2, beta1, beta2, epsilon;
};
/* w, u and v are n long; u, v NULL where the optimiser has none. Each operation is rounded by
 * itself, in the order of the formulas: g = g + l2 w (only if l2 > 0), beta1 u + (1 - beta1) g
 * as two products and a sum, (1 - beta2) (g g), rate u then the quotient. 1 - beta in float.
 * A new u or v below FLT_MIN in size becomes +0: a subnormal would fade no further and be slow. */
void net_update(const struct net_step *s, float *w, float *u, float *v, const float *g, size_t n);

#endif
