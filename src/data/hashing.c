/* hashing.c -- see hashing.h for what is hashed and what is counted.
 *
 * The table of fingerprints is an open hash table over buckets with linear probing. In the last
 * size, 2^bits slots, each bucket has a home of its own, and nothing is ever displaced. Smaller
 * ones are at most half full, and a bucket's home is a keyed hash of it: whoever writes the
 * features can choose the buckets. */
#include "data/hashing.h"

#include <string.h>

enum { USED = 1, SHARED = 2, FLAGS = 3, FIRST_SLOTS = 1024 };

uint64_t hashing_index(uint32_t index)
{
    const unsigned char bytes[8] = { (unsigned char)index, (unsigned char)(index >> 8),
                                     (unsigned char)(index >> 16), (unsigned char)(index >> 24) };

    return hash_bytes(bytes, sizeof bytes);
}

void hashing_buckets_init(struct buckets *b, const struct env *e, unsigned bits)
{
    *b = (struct buckets){ .e = *e, .bits = bits };
}

void hashing_buckets_free(struct buckets *b)
{
    mem_free(&b->e, b->slot, b->slots, sizeof *b->slot);
    hashing_buckets_init(b, &b->e, 0);
}

/* The slot of h's bucket, or the empty one where it would be. */
static size_t bucket_slot(const struct buckets *b, uint64_t h)
{
    const size_t mask = b->slots - 1;
    const uint64_t bucket = h >> (64 - b->bits);
    size_t i = mask >> (b->bits - 1) > 0 ? bucket : hash_key_number(&b->e.key, bucket) & mask;

    while (b->slot[i] != 0 && (b->slot[i] ^ h) >> (64 - b->bits) != 0) i = (i + 1) & mask;
    return i;
}

/* Room for `more` buckets. */
static bool grow_set(struct buckets *b, uint64_t more)
{
    const uint64_t most = (uint64_t)1 << b->bits;
    const struct buckets old = *b;
    uint64_t n = b->slots > 0 ? b->slots : FIRST_SLOTS;

    while (n < most && n < 2 * (b->used + more)) n *= 2;
    if (n > most) n = most;
    if (n == b->slots) return true;
    if (n > SIZE_MAX) return false;
    uint64_t *slot = mem_zeroed(&b->e, (size_t)n, sizeof *slot);
    if (slot == NULL) return false;
    b->slot = slot;
    b->slots = (size_t)n;
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i] != 0) slot[bucket_slot(b, old.slot[i])] = old.slot[i];
    mem_free(&b->e, old.slot, old.slots, sizeof *old.slot);
    return true;
}

/* A fingerprint with its flags. */
static bool put_key(struct buckets *b, uint64_t fingerprint)
{
    if (!grow_set(b, 1)) return false;
    uint64_t *s = &b->slot[bucket_slot(b, fingerprint)];
    if (*s == 0) {
        *s = fingerprint;
        b->used++;
        b->shared += (fingerprint & SHARED) != 0;
    } else if (!(*s & SHARED) && ((*s ^ fingerprint) & ~(uint64_t)USED) != 0) {
        *s |= SHARED; /* another feature, or a bucket shared already */
        b->shared++;
    }
    return true;
}

bool hashing_buckets_add(struct buckets *b, uint64_t h)
{
    return put_key(b, (h & ~(uint64_t)FLAGS) | USED);
}

bool hashing_buckets_join(struct buckets *b, const struct buckets *from)
{
    /* At once: in the order of the slots, a table that is still small would fill from one end. */
    if (!grow_set(b, from->used)) return false;
    for (size_t i = 0; i < from->slots; i++)
        if (from->slot[i] != 0 && !put_key(b, from->slot[i])) return false;
    return true;
}
