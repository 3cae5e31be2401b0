/* failmalloc.c -- memory that is out: preloaded, it lets allocation number FAIL_AT fail and, with
 * FAIL_ALL, all after it. FAIL_COUNT=FILE: writes how many there were. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

static atomic_long made;
static long at;
static int all;

__attribute__((constructor)) static void begin(void)
{
    const char *n = getenv("FAIL_AT");

    at = n != NULL ? strtol(n, NULL, 10) : 0;
    all = getenv("FAIL_ALL") != NULL;
    made = 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_COUNT");
    const long count = made;
    FILE *f = path != NULL ? fopen(path, "w") : NULL;

    if (f == NULL) return;
    fprintf(f, "%ld\n", count);
    fclose(f);
}

static int refused(void)
{
    const long n = ++made;

    if (at == 0 || (all ? n < at : n != at)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return refused() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return refused() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return n > 0 && refused() ? NULL : __libc_realloc(p, n);
}
