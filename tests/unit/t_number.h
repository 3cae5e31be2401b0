/* t_number.h -- for the tests of numbers: doubles as bits, and random ones. */
#ifndef PERC_TEST_NUMBER_H
#define PERC_TEST_NUMBER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t random_state; /* each test has a beginning of its own */

static inline uint64_t random_u64(void) /* splitmix64 */
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline int random_int(int low, int high) /* low .. high */
{
    return low + (int)(random_u64() % (uint64_t)(high - low + 1));
}

static inline uint64_t bits_of(double v)
{
    uint64_t b;

    memcpy(&b, &v, sizeof b);
    return b;
}

static inline double from_bits(uint64_t b)
{
    double v;

    memcpy(&v, &b, sizeof v);
    return v;
}

static inline double random_finite(void)
{
    double v;

    do v = from_bits(random_u64());
    while (!isfinite(v));
    return v;
}

#endif
