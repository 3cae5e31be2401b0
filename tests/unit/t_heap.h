/* t_heap.h -- memory that counts what is held, and can run out. */
#ifndef PERC_TEST_HEAP_H
#define PERC_TEST_HEAP_H

#include <stddef.h>
#include <stdlib.h>

struct t_heap {
    long live, calls, fail_at; /* bytes held; calls so far; the one that fails, or -1 */
};

/* A perc_alloc_fn; ud is the t_heap. Sizes must be given back as they were taken. */
static inline void *t_heap_alloc(void *ud, void *p, size_t old, size_t size)
{
    struct t_heap *h = ud;
    void *q = NULL;

    if (size > 0) {
        if (h->calls++ == h->fail_at) return NULL;
        q = realloc(p, size);
        if (q == NULL) return NULL;
        h->live += (long)size;
    } else {
        free(p);
    }
    if (p != NULL) h->live -= (long)old;
    return q;
}

#endif
