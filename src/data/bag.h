/* bag.h -- 64-bit keys, gathered one by one and put in order: what a row of words
 * is counted with. The memory is kept from row to row. */
#ifndef PERC_BAG_H
#define PERC_BAG_H

#include "base/base.h"

struct bag {
    struct env e;
    uint64_t *key;   /* n of them, in the order they were put in, or sorted */
    uint64_t *spare; /* for sorting */
    size_t n, cap, spare_cap;
};

void bag_init(struct bag *b, const struct env *e);
void bag_free(struct bag *b); /* safe on a zeroed struct */

/* false: out of memory. */
static inline bool bag_put(struct bag *b, uint64_t key)
{
    void *p = b->key;

    if (b->n == b->cap) {
        if (!mem_grow(&b->e, &p, &b->cap, b->n + 1, sizeof key)) return false;
        b->key = p;
    }
    b->key[b->n++] = key;
    return true;
}
bool bag_sort(struct bag *b);

#endif
