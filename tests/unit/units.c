/* units.c -- many test programs in one: `units NAME` runs the tests of test_NAME.c (t.h).
 *
 * Linking one program takes a second where a hundred took minutes; Meson still runs each file in
 * a process of its own. */
#include "t.h"
#include "t_dir.h"

static struct t_test *all;

/* The tests of a file stay in its order, whatever that of the constructors is. */
void t_list(struct t_test *it)
{
    struct t_test **at = &all;

    while (*at != NULL && (strcmp((*at)->file, it->file) != 0 || (*at)->line < it->line))
        at = &(*at)->next;
    it->next = *at;
    *at = it;
}

static bool is_of(const struct t_test *it, const char *name)
{
    const char *slash = strrchr(it->file, '/'), *file = slash != NULL ? slash + 1 : it->file;
    const size_t n = strlen(name);

    return strncmp(file, "test_", 5) == 0 && strncmp(file + 5, name, n) == 0 &&
           strcmp(file + 5 + n, ".c") == 0;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[100]; /* cmocka passes over those without a name */
    size_t n = 0;

    for (const struct t_test *it = all; it != NULL && argc == 2; it = it->next)
        if (is_of(it, argv[1])) {
            if (n == COUNT(tests)) return 2;
            tests[n++] = (struct CMUnitTest){ it->name, it->run, t_dir_enter, t_dir_leave, NULL };
        }
    if (n > 0) return cmocka_run_group_tests_name(argv[1], tests, NULL, NULL);
    fprintf(stderr, "usage: units NAME, for the tests of tests/unit/test_NAME.c\n");
    return 2;
}
