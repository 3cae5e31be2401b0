/* slabs.h -- memory for many blocks that live and die together.
 *
 * A loaded data set is some hundred blocks of half a megabyte. Taken one by one
 * from the system they cost a page fault for every 4 kB, and training on shuffled
 * rows then misses the address translation cache at every row; taken from a few
 * large pieces the system can use pages of 2 MB. Several threads may take at once. */
#ifndef PERC_SLABS_H
#define PERC_SLABS_H

#include "base/base.h"
#include "base/pthreads.h"

struct slabs {
    struct env e;
    struct slab {
        char *memory;
        size_t size, used;
    } * slab;
    size_t n, cap;
    pthread_mutex_t lock;
};

perc_status slabs_new(const struct env *e, struct slabs **out);
void *slabs_take(struct slabs *s, size_t size); /* aligned to 64; NULL: out of memory */
void slabs_free(struct slabs *s);               /* NULL is fine */

#endif
