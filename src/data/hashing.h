/* hashing.h -- features by the hash of what they are called: a fixed number of
 * buckets in place of a dictionary (--hash BITS).
 *
 *     h = XXH64(name of the column, a 0 byte, word)       a table: words, categories
 *     h = XXH64(index, as 8 bytes, the lowest first)      LIBSVM text
 *     bucket = the highest BITS bits of h                 0 .. 2^BITS - 1
 *
 * What falls into one bucket is one feature: within a row the values are added up.
 * The bucket depends on nothing but the name and BITS, so it is the same on every
 * machine, in every run, for any number of threads, and at prediction; and memory
 * does not grow with the vocabulary.
 *
 * There is no sign. Weinberger et al. (2009) multiply a value by a second hash of
 * -1 or +1, which makes inner products of hashed rows right in the mean. Here a
 * weight is learned for the bucket as it is, which needs no such thing; two words
 * of one row could cancel, and counts would no longer be counts.
 *
 * Shi et al., "Hash Kernels for Structured Data", JMLR 10, 2009 (without signs).
 * Weinberger, Dasgupta, Langford, Smola, Attenberg, "Feature Hashing for Large
 * Scale Multitask Learning", ICML 2009. */
#ifndef PERC_HASHING_H
#define PERC_HASHING_H

#include "base/base.h"
#include "base/hash.h"

enum { HASH_BITS_MAX = 31 };

/* The beginning of h for all words of a column. */
static inline struct hash64 hashing_column(const char *name, size_t len)
{
    struct hash64 h;

    hash_init(&h);
    hash_add(&h, name, len);
    hash_add(&h, "", 1);
    return h;
}

static inline uint64_t hashing_word(const struct hash64 *column, const char *word, size_t len)
{
    struct hash64 h = *column;

    hash_add(&h, word, len);
    return hash_end(&h);
}

uint64_t hashing_index(uint32_t index);

static inline uint32_t hashing_bucket(uint64_t h, unsigned bits)
{
    return (uint32_t)(h >> (64 - bits));
}

/* ----- how many features share a bucket ----------------------------------------- */

/* Which buckets are in use, and which of them by two or more different features. For
 * each bucket in use the first feature's fingerprint is kept, the upper 62 bits of
 * its h; the bucket is shared once a feature with another fingerprint falls into it.
 *
 * `used` is exact. `shared` is exact except for different features whose 62 bits are the
 * same, of which one expects n^2 / 2^63 pairs among n features: for a billion of
 * them, a tenth of a pair. How many features a shared bucket has is not counted:
 * that would take a dictionary, which hashing is there to avoid.
 *
 * Both numbers depend on the set of features alone, not on the order in which they
 * were met, and joining two counts is counting all their features: so parts of a file
 * may be counted separately.
 *
 * Memory: 8 bytes a slot of the table, of which there are at most 2^bits, and at most
 * four times as many (at first 1024) as buckets in use. */
struct buckets {
    struct env e;
    unsigned bits;  /* 0: nothing is counted */
    uint64_t *slot; /* fingerprint and flags; 0: empty */
    size_t slots;   /* a power of two, 2^bits at most; 0: none yet */
    uint64_t used, shared;
};

void hashing_buckets_init(struct buckets *b, const struct env *e, unsigned bits);
void hashing_buckets_free(struct buckets *b); /* safe on a zeroed struct; bits is 0 after it */
/* Adds a feature, by its h. false: out of memory. */
bool hashing_buckets_add(struct buckets *b, uint64_t h);
/* Adds all of `from`, which has the same number of bits. */
bool hashing_buckets_join(struct buckets *b, const struct buckets *from);

#endif
