/* slabs.c -- a few large pieces of memory, handed out from the front. */
#include "data/slabs.h"

enum { ALIGN = 64 };

static const size_t FIRST = (size_t)1 << 20, LARGEST = (size_t)32 << 20;

perc_status slabs_new(const struct env *e, struct slabs **out)
{
    struct slabs *s = mem_zeroed(e, 1, sizeof *s);

    *out = NULL;
    if (s == NULL) return PERC_ENOMEM;
    s->e = *e;
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        mem_free(e, s, 1, sizeof *s);
        return PERC_ENOMEM;
    }
    *out = s;
    return PERC_OK;
}

void slabs_free(struct slabs *s)
{
    if (s == NULL) return;
    const struct env e = s->e;
    for (size_t i = 0; i < s->n; i++) mem_free(&e, s->slab[i].memory, s->slab[i].size, 1);
    mem_free(&e, s->slab, s->cap, sizeof *s->slab);
    pthread_mutex_destroy(&s->lock);
    mem_free(&e, s, 1, sizeof *s);
}

/* A new slab with room for `size`: twice the last one, within bounds. */
static struct slab *grow_list(struct slabs *s, size_t size)
{
    size_t want = s->n == 0 ? FIRST : 2 * s->slab[s->n - 1].size;
    void *p = s->slab;

    if (want > LARGEST) want = LARGEST;
    if (want < size) want = size;
    if (!mem_grow(&s->e, &p, &s->cap, s->n + 1, sizeof *s->slab)) return NULL;
    s->slab = p;
    char *memory = mem_array(&s->e, want, 1);
    if (memory == NULL) return NULL;
    s->slab[s->n] = (struct slab){ memory, want, 0 };
    return &s->slab[s->n++];
}

/* Bytes to skip so that the next piece is aligned. */
static size_t gap(const struct slab *b)
{
    return (size_t)(-((uintptr_t)b->memory + b->used) & (ALIGN - 1));
}

void *slabs_take(struct slabs *s, size_t size)
{
    void *out = NULL;

    if (size > SIZE_MAX - ALIGN) return NULL;
    pthread_mutex_lock(&s->lock);
    struct slab *b = s->n > 0 ? &s->slab[s->n - 1] : NULL;
    if (b == NULL || b->size - b->used < gap(b) || b->size - b->used - gap(b) < size)
        b = grow_list(s, size + ALIGN);
    if (b != NULL) {
        b->used += gap(b);
        out = b->memory + b->used;
        b->used += size;
    }
    pthread_mutex_unlock(&s->lock);
    return out;
}
