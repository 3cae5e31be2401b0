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

/* Asserts that a call is refused: its status, and words of what is said. */
#define assert_refused(call, status, err, words) \
    t_refused((call), (status), (err), (words), __FILE__, __LINE__)
/* The same, and the place in the text. */
#define assert_refused_at(call, status, err, row, place, words) \
    t_refused_at((call), (status), (err), (row), (place), (words), __FILE__, __LINE__)

static inline void t_refused(perc_status st, perc_status want, const perc_error *err,
                             const char *words, const char *file, int line)
{
    if (st == want && err->status == want && strstr(err->text, words) != NULL) return;
    print_error("status %d, '%s', is not %d, '%s'\n", (int)st, err->text, (int)want, words);
    _fail(file, line);
}

static inline void t_refused_at(perc_status st, perc_status want, const perc_error *err,
                                int64_t row, int64_t place, const char *words, const char *file,
                                int line)
{
    t_refused(st, want, err, words, file, line);
    if (err->line == row && err->column == place) return;
    print_error("'%s' is at %d:%d, not %d:%d\n", err->text, (int)err->line, (int)err->column,
                (int)row, (int)place);
    _fail(file, line);
}

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
