/* t_cases.h -- how many random cases a test tries.
 *
 * As many as it says; before a release PERC_TEST_LONG times as many (scripts/test long). The
 * sanitizers look at every access and not at the results, and each case takes them long: they
 * get a part, in which all of the code is still run. */
#ifndef PERC_TEST_CASES_H
#define PERC_TEST_CASES_H

#include <stdlib.h>

/* Whether threads are watched: then what a single one does need not be done again. */
#if defined __SANITIZE_THREAD__
enum { T_WATCHED = 1 };
#else
enum { T_WATCHED = 0 };
#endif

static inline int t_cases(int n)
{
    const char *text = getenv("PERC_TEST_LONG");
    const int times = text != NULL ? atoi(text) : 1;

#if defined __SANITIZE_ADDRESS__
    n = n / 7 + 1;
#elif defined __SANITIZE_THREAD__
    n = n / 20 + 1;
#endif
    return n * (times > 1 ? times : 1);
}

#endif
