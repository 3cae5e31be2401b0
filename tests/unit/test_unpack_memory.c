/* test_unpack_memory.c -- compressed files while malloc fails, in whichever library it is
 * called: that is "out of memory", and never a damaged file.
 *
 * The program has a malloc of its own, in front of the system's, which refuses call 0, 1, 2, ...
 * until there is none of that number; once that call alone, and once all that follow too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/source.h" /* before cmocka.h, whose macro fail() hides ours */
#include <cmocka.h>

#include "t_dir.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static long calls, refuse_at = -1; /* -1: none */
static bool onwards;

static bool refused(void)
{
    const long n = calls++;

    return refuse_at >= 0 && (n == refuse_at || (onwards && n > refuse_at));
}

void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return refused() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    return refused() ? NULL : __libc_realloc(p, size);
}

static perc_status read_z(size_t *n, perc_error *err)
{
    const perc_env one = { NULL, NULL, 1 };
    const struct env e = env_resolve(&one);
    struct chunk c = { .e = e };
    struct source *s;
    perc_status st = source_open(&e, "z", NULL, &s, err);

    for (*n = 0; !st && !(st = source_next(s, &c, err)) && c.len > 0;) *n += c.len;
    source_chunk_free(&c);
    source_close(s);
    return st;
}

static void a_failing_malloc_is_out_of_memory(void **state)
{
    static const char *const commands[] = { "gzip", "bzip2", "xz", "zstd -q" };
    char text[20000], line[80];
    size_t n;
    perc_error err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)('a' + i * i % 23 % 11);
    assert_int_equal(t_put_bytes("text", text, sizeof text), 0);
    for (size_t i = 0; i < 2 * (sizeof commands / sizeof commands[0]); i++) {
        const char *command = commands[i / 2];
        long at = 0;
        snprintf(line, sizeof line, "%s < text > z 2>/dev/null", command);
        refuse_at = -1;
        if (system(line) != 0 || read_z(&n, &err) != PERC_OK) {
            print_message("no %s here: it is not tried (%s)\n", command, err.text);
            continue;
        }
        onwards = i % 2 == 1;
        for (bool hit = true; hit; at++) {
            calls = 0;
            refuse_at = at;
            const perc_status st = read_z(&n, &err);
            hit = calls > at;
            refuse_at = -1;
            assert_int_equal(st, hit ? PERC_ENOMEM : PERC_OK);
            if (!hit) assert_int_equal(n, sizeof text);
        }
        print_message("%s: %ld calls refused%s\n", command, at - 1, onwards ? " for good" : "");
        assert_true(at > 6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_failing_malloc_is_out_of_memory, t_dir_enter,
                                        t_dir_leave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
