/* pool.h -- memory that is given back together.
 *
 * For arrays that live as long as the work they are for. Once an array could not be
 * allocated, `failed` stays true, so that one check after all of them is enough. */
#ifndef PERC_POOL_H
#define PERC_POOL_H

#include "base/base.h"

struct pool {
    struct env e;
    struct pool_item *last;
    bool failed;
};

void pool_init(struct pool *p, const struct env *e);
/* Like mem_array and mem_zeroed. */
void *pool_array(struct pool *p, uint64_t n, size_t size);
void *pool_zeroed(struct pool *p, uint64_t n, size_t size);
void *pool_copy(struct pool *p, const void *from, size_t n, size_t size);
void pool_free(struct pool *p); /* frees all of them; safe on a zeroed pool */

#endif
