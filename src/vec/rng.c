/* rng.c -- xoshiro256++ 1.0 (Blackman and Vigna, ACM TOMS 47(4), 2021). */
#include "vec/rng.h"

#include <math.h>

#include "vec/fmath.h"

static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = *x += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct rng rng_seed(uint64_t seed, uint64_t stream)
{
    struct rng r;
    uint64_t a = seed, b = splitmix(&a) + stream; /* far apart for near seeds and streams */

    for (int i = 0; i < 4; i++) r.s[i] = splitmix(&b) ^ splitmix(&a);
    if ((r.s[0] | r.s[1] | r.s[2] | r.s[3]) == 0) r.s[0] = 1; /* the one forbidden state */
    return r;
}

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t rng_u64(struct rng *r)
{
    uint64_t *s = r->s;
    const uint64_t result = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

__extension__ typedef unsigned __int128 u128;

/* Lemire, ACM TOMACS 29(1), 2019: the high half of x n is uniform once the few
 * low halves that would favour small results are drawn again. */
uint64_t rng_below(struct rng *r, uint64_t n)
{
    u128 m = (u128)rng_u64(r) * n;

    if ((uint64_t)m < n) {
        const uint64_t reject = (0 - n) % n; /* 2^64 mod n */
        while ((uint64_t)m < reject) m = (u128)rng_u64(r) * n;
    }
    return (uint64_t)(m >> 64);
}

double rng_uniform(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method; the second value of the pair is dropped, so that a
 * generator stays four words and one call draws one number. */
double rng_normal(struct rng *r)
{
    double u, v, s;

    do {
        u = 2 * rng_uniform(r) - 1;
        v = 2 * rng_uniform(r) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * sqrt(-2 * fm_log(s) / s);
}

void rng_shuffle(struct rng *r, uint64_t *a, uint64_t n)
{
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = rng_below(r, i), t = a[i - 1];
        a[i - 1] = a[j];
        a[j] = t;
    }
}
