/* clock.c -- seconds that never run backwards. */
#include <time.h>

#include "base/base.h"

double clock_seconds(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
