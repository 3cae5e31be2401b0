/* memory.c -- the one door to memory.
 *
 * Every byte the library holds came through env.alloc with its size, and goes
 * back with the same size: an embedder can count, cap or pool, and a test can
 * fail the N-th call and see that nothing leaks. Sizes are multiplied here and
 * nowhere else, so that an overflow is an ordinary "out of memory". */
#define _DEFAULT_SOURCE /* madvise */
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/threads.h"

/* Large pieces are better off with large pages, where the system waits to be
 * asked. This is a hint: whether it is followed affects speed only. */
static void wish_large_pages(char *p, size_t size)
{
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)2 << 20, skip = -(uintptr_t)p & (page - 1);

    if (size >= 2 * page) madvise(p + skip, (size - skip) & ~(page - 1), MADV_HUGEPAGE);
#else
    (void)p, (void)size;
#endif
}

static void *plain_alloc(void *ud, void *p, size_t old, size_t size)
{
    (void)ud;
    if (size == 0) {
        free(p);
        return NULL;
    }
    void *q = realloc(p, size);
    if (q != NULL && old == 0) wish_large_pages(q, size);
    return q;
}

struct env env_resolve(const perc_env *env)
{
    struct env e = { plain_alloc, NULL, 0, hash_key_new() };

    if (env != NULL) {
        if (env->alloc != NULL) {
            e.alloc = env->alloc;
            e.ud = env->alloc_ud;
        }
        e.threads = env->threads;
    }
    if (e.threads < 1) e.threads = threads_cores();
    if (e.threads > THREADS_MAX) e.threads = THREADS_MAX;
    return e;
}

/* The bytes of n elements, at least 1 so that "none" is a pointer too; 0 on overflow. Counts have
 * 64 bits even where sizes have 32, so that one too large is not silently truncated. */
static size_t byte_count(uint64_t n, size_t size)
{
    size_t total;

    if (__builtin_mul_overflow(n, size, &total) || total > PTRDIFF_MAX) return 0;
    return total > 0 ? total : 1;
}

void *mem_array(const struct env *e, uint64_t n, size_t size)
{
    const size_t total = byte_count(n, size);

    return total > 0 ? e->alloc(e->ud, NULL, 0, total) : NULL;
}

void *mem_zeroed(const struct env *e, uint64_t n, size_t size)
{
    void *p = mem_array(e, n, size);

    if (p != NULL) memset(p, 0, byte_count(n, size));
    return p;
}

void *mem_resize(const struct env *e, void *p, uint64_t old_n, uint64_t n, size_t size)
{
    const size_t total = byte_count(n, size);

    if (total == 0) return NULL;
    return e->alloc(e->ud, p, p != NULL ? byte_count(old_n, size) : 0, total);
}

void mem_free(const struct env *e, void *p, uint64_t n, size_t size)
{
    if (p != NULL) e->alloc(e->ud, p, byte_count(n, size), 0);
}

char *mem_text(const struct env *e, const char *s, size_t len)
{
    char *copy = len < SIZE_MAX ? mem_array(e, len + 1, 1) : NULL;

    if (copy == NULL) return NULL;
    if (len > 0) memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}

void mem_free_text(const struct env *e, char *s)
{
    if (s != NULL) mem_free(e, s, strlen(s) + 1, 1);
}

bool mem_grow(const struct env *e, void *p, size_t *cap, uint64_t need, size_t size)
{
    void *at;

    if (need <= *cap) return true;
    uint64_t n = *cap + *cap / 2;
    if (n < need) n = need;
    if (n < 16) n = 16;
    memcpy(&at, p, sizeof at);
    if ((at = mem_resize(e, at, *cap, n, size)) == NULL) return false;
    memcpy(p, &at, sizeof at);
    *cap = (size_t)n;
    return true;
}

double mem_physical(void)
{
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    if (pages > 0 && size > 0) return (double)pages * (double)size;
#endif
    return INFINITY;
}
