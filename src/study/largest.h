/* largest.h -- of many numbers the few that count most. */
#ifndef PERC_LARGEST_H
#define PERC_LARGEST_H

#include <stddef.h>
#include <stdint.h>

enum { LARGEST = 20 };

struct largest { /* zeroed at first; by size, the largest first, of equals the earlier */
    size_t n;
    double value[LARGEST];
    uint64_t what[LARGEST]; /* the caller's number for it */
};

/* Neither 0 nor NaN is kept. */
void largest_keep(struct largest *l, double value, uint64_t what);

#endif
