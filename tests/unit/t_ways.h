/* t_ways.h -- every way of the processor, for a test that includes the source it tests: included
 * before it, so that what that learns of the processor passes through here. */
#ifndef PERC_TEST_WAYS_H
#define PERC_TEST_WAYS_H

#include "t.h"

enum { PLAIN, AVX2, AVX512, WAYS };
static int way = AVX512; /* the best that may be used */

static int allowed(const char *name)
{
    return strncmp(name, "avx512", 6) == 0 ? way >= AVX512 : way >= AVX2;
}
#define __builtin_cpu_supports(name) (allowed(name) && __builtin_cpu_supports(name))

#endif
