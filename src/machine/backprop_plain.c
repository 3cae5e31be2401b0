/* backprop_plain.c -- a step of learning by the loops of the textbook, which stand in
 * backprop_plain.h; and what they share with the fast ones.
 *
 * It is slow, and meant to be read. backprop.c does the same in tiles on several threads, and is
 * held to these bits. */
#define real           float
#define FMA(a, b, c)   fmaf(a, b, c)
#define ACTIVATE(f, z) net_activation_of(f, z)
#define SLOPE(f, a)    net_activation_slope(f, a)
#include "machine/backprop_plain.h"

#include <limits.h>

/* ----- shared with the fast path ----------------------------------------------------- */

uint64_t backprop_output(const struct minibatch *batch, size_t from, size_t to, size_t outputs,
                         const float *z, size_t stride, double *p, double *loss, float *delta)
{
    return plain_output(batch, from, to, outputs, z, stride, p, loss, delta);
}

/* 1 - beta^t, the power by squaring. Beyond INT_MAX steps it is 1 for any beta we allow. */
static double correction(double beta, int64_t t)
{
    return 1 - fm_power(beta, t < INT_MAX ? (int)t : INT_MAX);
}

/* Kingma and Ba 2015, end of section 2: with the averages u and v begun at 0,
 *
 *     rate * (u / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
 *         = rate_t * u / (sqrt(v) + epsilon_t),
 *
 *     rate_t = rate sqrt(1 - beta2^t) / (1 - beta1^t),   epsilon_t = epsilon sqrt(1 - beta2^t) */
struct net_step backprop_net_step(const struct backprop *b)
{
    const double beta2 = 0.999, epsilon = 1e-8;
    const int64_t t = b->steps + 1;
    struct net_step s = { .optimizer = b->optimizer,
                          .rate = (float)b->rate,
                          .l2 = (float)b->l2,
                          .beta1 = (float)b->momentum };

    if (b->optimizer == OPTIMIZER_ADAM) {
        const double root = sqrt(correction(beta2, t));
        s.rate = (float)(b->rate * root / correction(b->momentum, t));
        s.beta2 = (float)beta2;
        s.epsilon = (float)(epsilon * root);
    }
    return s;
}

/* splitmix64's last steps (Steele, Lea and Flood 2014): any change of x changes half the bits. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t backprop_stays_key(const struct backprop *b, int64_t step, size_t l, size_t i)
{
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    const uint64_t run = mix(b->seed + golden), now = mix(run + golden * (uint64_t)step);

    return mix(mix(now + golden * (l + 1)) + golden * (i + 1));
}

bool backprop_stays(const struct backprop *b, int64_t step, size_t l, size_t i, size_t j)
{
    return stays_unit(backprop_stays_key(b, step, l, i), (uint32_t)j, stays_share(b->dropout));
}

/* ----- a step ---------------------------------------------------------------------------- */

perc_status backprop_plain(struct backprop *b, struct mlp *m, struct minibatch *batch,
                           struct backprop_outcome *out)
{
    struct plain t;

    *out = (struct backprop_outcome){ 0 };
    if (batch->counted == 0) return PERC_OK;
    if ((b->first.layers > 0 && mlp_grow(&b->first, m->layer[0].in)) ||
        (b->second.layers > 0 && mlp_grow(&b->second, m->layer[0].in)) ||
        plain_open(&t, b, m, batch))
        return PERC_ENOMEM;
    for (size_t l = 0; l < m->layers; l++) {
        t.layer[l].w = m->layer[l].w;
        t.layer[l].b = m->offset ? m->layer[l].b : NULL;
    }
    *out = plain_learn(&t);
    const bool finite = isfinite(out->loss);
    const struct net_step weights = backprop_net_step(b);
    struct net_step offsets = weights;
    offsets.l2 = 0;
    /* The weights and the moments u, v (NULL: the optimiser has none) move by the gradients. Rows
     * of W that the batch did not use have gradient 0; moments and l2 move them too. */
    for (size_t l = 0; l < m->layers && finite; l++) {
        const struct layer *y = &m->layer[l];
        const struct layer *u = b->first.layers > 0 ? &b->first.layer[l] : NULL;
        const struct layer *v = b->second.layers > 0 ? &b->second.layer[l] : NULL;
        net_update(&weights, y->w, u ? u->w : NULL, v ? v->w : NULL, t.layer[l].gw,
                   y->in * y->stride);
        if (m->offset)
            net_update(&offsets, y->b, u ? u->b : NULL, v ? v->b : NULL, t.layer[l].gb, y->stride);
    }
    b->steps += finite;
    pool_free(&t.pool);
    return PERC_OK;
}
