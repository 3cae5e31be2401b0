/* failmalloc.c -- memory that is out: preloaded, it lets allocation number FAIL_AT fail and, with
 * FAIL_ALL, all after it; or with FAIL_SITE=N those that are asked for in place N of the code, in
 * the order in which these are met. FAIL_COUNT=FILE: writes how many there were, and how many
 * places. */
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

enum { PLACES = 512 };
static void *place[PLACES]; /* where memory was asked for: addresses to return to */
static int places, site;

__attribute__((constructor)) static void begin(void)
{
    const char *n = getenv("FAIL_AT");

    at = n != NULL ? strtol(n, NULL, 10) : 0;
    all = getenv("FAIL_ALL") != NULL;
    n = getenv("FAIL_SITE");
    site = n != NULL ? atoi(n) : -1; /* 0: they are counted */
    made = 0;
    places = 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_COUNT");
    const long count = made;
    FILE *f = path != NULL ? fopen(path, "w") : NULL;

    if (f == NULL) return;
    fprintf(f, "%ld %d\n", count, places);
    fclose(f);
}

/* Its number, from 1: of one thread. */
static int place_of(void *from)
{
    int i = 0;

    while (i < places && place[i] != from) i++;
    if (i == places && places < PLACES) place[places++] = from;
    return i + 1;
}

static int refused(void *from)
{
    const long n = ++made;
    const int here = site >= 0 ? place_of(from) : 0;

    if (here > 0 ? here != site : at == 0 || (all ? n < at : n != at)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return n > 0 && refused(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}
