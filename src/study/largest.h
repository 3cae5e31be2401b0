/* largest.h -- the few largest of many numbers. */
#ifndef PERC_LARGEST_H
#define PERC_LARGEST_H

#include <stddef.h>
#include <stdint.h>

enum { LARGEST = 20 };

struct largest { /* zero it first; the largest |value| first, the earlier of equals first */
    size_t n;
    double value[LARGEST];
    uint64_t what[LARGEST]; /* the caller's number for it */
};

/* Neither 0 nor NaN is kept. */
void largest_keep(struct largest *l, double value, uint64_t what);

#endif
