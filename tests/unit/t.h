/* t.h -- what a test file begins with: cmocka, and tests that list themselves.
 *
 *     TEST(updates_stay_under_the_bound)
 *     {
 *         ...
 *     }
 *
 * is a test of the program of its file, test_NAME.c, which `units NAME` runs (units.c): each
 * in an empty directory of its own, so that names of files can be short, and in the order
 * of the file. */
#ifndef PERC_TEST_H
#define PERC_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h" /* before cmocka.h, whose macro fail() hides ours */
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

struct t_test {
    const char *file, *name;
    int line;
    void (*run)(void **state);
    struct t_test *next;
};

/* Before main(), for each test of each file. */
void t_list(struct t_test *it);

#define TEST(name)                                                        \
    static void name(void **state);                                       \
    __attribute__((constructor)) static void list_##name(void)            \
    {                                                                     \
        static struct t_test it = { __FILE__, #name, __LINE__, name, 0 }; \
        t_list(&it);                                                      \
    }                                                                     \
    static void name(void **state __attribute__((unused)))

#endif
