/* pool.c -- memory that is given back together: a list through the heads of its arrays. */
#include "base/pool.h"

#include <string.h>

struct pool_item {
    _Alignas(max_align_t) struct pool_item *before;
    size_t bytes; /* with this head */
};

void pool_init(struct pool *p, const struct env *e)
{
    *p = (struct pool){ .e = *e };
}

void *pool_array(struct pool *p, uint64_t n, size_t size)
{
    const bool fits = size == 0 || n <= (SIZE_MAX - sizeof *p->last) / size;
    const size_t bytes = fits ? (size_t)n * size + sizeof *p->last : 0;
    struct pool_item *item = fits && !p->failed ? mem_array(&p->e, bytes, 1) : NULL;

    if (item == NULL) {
        p->failed = true;
        return NULL;
    }
    *item = (struct pool_item){ .before = p->last, .bytes = bytes };
    p->last = item;
    return item + 1;
}

void *pool_zeroed(struct pool *p, uint64_t n, size_t size)
{
    void *at = pool_array(p, n, size);

    if (at != NULL) memset(at, 0, (size_t)n * size);
    return at;
}

void *pool_copy(struct pool *p, const void *from, size_t n, size_t size)
{
    void *to = pool_array(p, n, size);

    if (to != NULL && n > 0) memcpy(to, from, n * size);
    return to;
}

void pool_free(struct pool *p)
{
    while (p->last != NULL) {
        struct pool_item *item = p->last;
        p->last = item->before;
        mem_free(&p->e, item, item->bytes, 1);
    }
}
