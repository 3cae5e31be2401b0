/* units.c -- many test programs in one: `units NAME` is the main() of test_NAME.c.
 *
 * The build compiles each of them with main_of_NAME in place of main, and lists them all in
 * TESTS: T(NAME) T(NAME) ... Linking one program takes a second where a hundred took minutes;
 * Meson still runs each test in a process of its own. */
#include <stdio.h>
#include <string.h>

#define T(name) int main_of_##name(void);
TESTS
#undef T
#define T(name) { #name, main_of_##name },

static const struct {
    const char *name;
    int (*run)(void);
} all[] = { TESTS };

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof all / sizeof *all; i++)
        if (strcmp(argv[1], all[i].name) == 0) return all[i].run();
    fprintf(stderr, "usage: units NAME, where NAME is one of\n");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) fprintf(stderr, "%s\n", all[i].name);
    return 2;
}
