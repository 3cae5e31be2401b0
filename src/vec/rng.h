/* rng.h -- xoshiro256++ seeded by splitmix64 (Blackman, Vigna 2019): the same
 * numbers on every machine. A generator is a value; there is no global one. */
#ifndef PERC_RNG_H
#define PERC_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

/* Streams of one seed are independent: the shuffle of epoch e is stream e. */
struct rng rng_seed(uint64_t seed, uint64_t stream);
uint64_t rng_u64(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* uniform in 0 .. n-1, n > 0 (Lemire 2019) */
double rng_uniform(struct rng *r);             /* in [0, 1), a multiple of 2^-53 */
double rng_normal(struct rng *r);              /* standard normal, polar method */
void rng_shuffle(struct rng *r, uint64_t *a, uint64_t n); /* Fisher-Yates */

#endif
