/* net.c -- activations, their slopes, and the steps of optimisers.
 *
 * net_lanes.h is compiled for several kinds of processor, all of which give the same bits: no
 * product is fused with a sum. exp and tanh are taken in double, MANY numbers at a time, and
 * rounded to float. */
#include "vec/net.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "vec/fmath.h"
#include "vec/many.h"
#include "vec/targets.h"

enum { MANY = 256 };

/* NaN stays NaN, so that a network that diverged is seen to have. */
INLINE float relu_of(float z)
{
    return z <= 0 ? 0 : z;
}

INLINE float slope_of(enum activation f, float a)
{
    switch (f) {
    case ACTIVATION_SIGMOID: return a * (1 - a);
    case ACTIVATION_TANH: return 1 - a * a;
    default: return a > 0 ? 1 : 0;
    }
}

/* A subnormal number becomes 0. A fading mean would get stuck there (0.9 times a few times the
 * smallest float rounds back to the same), and processors are slow with such numbers. */
INLINE float normal(float x)
{
    return fabsf(x) < FLT_MIN ? 0 : x;
}

#define TARGETS_BODY "vec/net_lanes.h"
#include "vec/targets_each.h"

/* ----- activations ---------------------------------------------------------------------- */

float net_activation_of(enum activation f, float z)
{
    switch (f) {
    case ACTIVATION_SIGMOID: return (float)(1 / (1 + fm_exp(-(double)z)));
    case ACTIVATION_TANH: return (float)fm_tanh((double)z);
    default: return relu_of(z);
    }
}

float net_activation_slope(enum activation f, float a)
{
    return slope_of(f, a);
}

void net_activate(enum activation f, float *a, size_t rows, size_t n, size_t stride, const float *b)
{
    if (f == ACTIVATION_RELU) {
        for (size_t i = 0; i < rows; i++) TARGETED(relu)(a + i * stride, b, n);
        return;
    }
    const double sign = f == ACTIVATION_SIGMOID ? -1 : 1;
    double x[MANY];
    for (size_t j = 0; j < n; j += MANY) {
        const size_t wide = n - j < MANY ? n - j : MANY, most = MANY / wide;
        for (size_t i = 0, high; i < rows; i += high) {
            float *at = a + i * stride + j;
            high = rows - i < most ? rows - i : most;
            for (size_t k = 0; k < high; k++) TARGETED(widen)
            (sign, at + k * stride, b == NULL ? NULL : b + j, wide, x + k * wide);
            if (f == ACTIVATION_SIGMOID) many_exp(x, high * wide);
            else many_tanh(x, high * wide);
            for (size_t k = 0; k < high; k++)
                TARGETED(narrow)(f, x + k * wide, wide, at + k * stride);
        }
    }
}

void net_slope(enum activation f, float *d, const float *a, size_t n)
{
    TARGETED(slope)(f, d, a, n);
}

/* ----- steps ------------------------------------------------------------------------------ */

void net_update(const struct net_step *s, float *w, float *u, float *v, const float *g, size_t n)
{
    TARGETED(update)(s, w, u, v, g, n);
}
