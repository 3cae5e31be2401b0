/* hash_key.h -- SipHash-1-3 (Aumasson, Bernstein 2012) for tables whose keys come from input.
 *
 * Who does not know the key cannot find texts that collide, so no input makes a table slow. It is
 * drawn from the system's randomness for each environment (env_resolve), and nothing but the place
 * in a table may depend on it: results are never in the order of slots, and a test compares the
 * bytes under several keys (tests/unit/test_hash_key.c).
 *
 * A word goes into four words of state v by one round, and the end is three:
 *
 *     v3 ^= w;  round;  v0 ^= w                                                        (1)
 *     v2 ^= 255;  round, round, round;  the hash is v0 ^ v1 ^ v2 ^ v3
 *
 * A text is its words of 8 bytes, the lowest first, and then the bytes that are left with the
 * length in the highest one. begin, one text, end: that is SipHash-1-3 as published. A sequence of
 * words and texts must say itself where each ends, else different ones could look the same. */
#ifndef PERC_HASH_KEY_H
#define PERC_HASH_KEY_H

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t k[2];
};

struct hash_keyed {
    uint64_t v0, v1, v2, v3;
};

/* A key nobody knows. Without the system's randomness it is made of the time and of addresses. */
struct hash_key hash_key_new(void);

static inline uint64_t hash_key_rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void hash_key_round(struct hash_keyed *h)
{
    h->v0 += h->v1;
    h->v2 += h->v3;
    h->v1 = hash_key_rotate(h->v1, 13) ^ h->v0;
    h->v3 = hash_key_rotate(h->v3, 16) ^ h->v2;
    h->v0 = hash_key_rotate(h->v0, 32);
    h->v2 += h->v1;
    h->v0 += h->v3;
    h->v1 = hash_key_rotate(h->v1, 17) ^ h->v2;
    h->v3 = hash_key_rotate(h->v3, 21) ^ h->v0;
    h->v2 = hash_key_rotate(h->v2, 32);
}

static inline struct hash_keyed hash_key_begin(const struct hash_key *key)
{
    return (struct hash_keyed){ key->k[0] ^ UINT64_C(0x736f6d6570736575),
                                key->k[1] ^ UINT64_C(0x646f72616e646f6d),
                                key->k[0] ^ UINT64_C(0x6c7967656e657261),
                                key->k[1] ^ UINT64_C(0x7465646279746573) };
}

static inline void hash_key_word(struct hash_keyed *h, uint64_t w) /* rule (1) */
{
    h->v3 ^= w;
    hash_key_round(h);
    h->v0 ^= w;
}

static inline uint64_t hash_key_end(struct hash_keyed *h)
{
    h->v2 ^= 255;
    hash_key_round(h);
    hash_key_round(h);
    hash_key_round(h);
    return h->v0 ^ h->v1 ^ h->v2 ^ h->v3;
}

/* The shifts compile to one load where the machine is little-endian. */
static inline uint64_t hash_key_load4(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

static inline uint64_t hash_key_load8(const unsigned char *p)
{
    return hash_key_load4(p) | hash_key_load4(p + 4) << 32;
}

/* The last n < 8 bytes of a text that ends at `end`: by loads that overlap. */
static inline uint64_t hash_key_tail(const unsigned char *end, size_t n)
{
    const unsigned char *p = end - n;

    if (n >= 4) return hash_key_load4(p) | hash_key_load4(end - 4) << 8 * (n - 4);
    if (n == 0) return 0;
    return (uint64_t)p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)end[-1] << 8 * (n - 1);
}

static inline void hash_key_text(struct hash_keyed *h, const void *text, size_t n)
{
    const unsigned char *p = text, *end = n > 0 ? p + n : p;

    for (; end - p >= 8; p += 8) hash_key_word(h, hash_key_load8(p));
    hash_key_word(h, (uint64_t)n << 56 | hash_key_tail(end, n % 8));
}

/* SipHash-1-3 of n bytes, and of one word (which is not that of its bytes). */
static inline uint64_t hash_key_bytes(const struct hash_key *key, const void *text, size_t n)
{
    struct hash_keyed h = hash_key_begin(key);

    hash_key_text(&h, text, n);
    return hash_key_end(&h);
}

static inline uint64_t hash_key_number(const struct hash_key *key, uint64_t w)
{
    struct hash_keyed h = hash_key_begin(key);

    hash_key_word(&h, w);
    return hash_key_end(&h);
}

#endif
