/* hash.c -- XXH64, the checksum of model and block files.
 *
 * Four lanes run over stripes of 32 bytes, 8 bytes a lane:
 *
 *     v <- rotl(v + w P2, 31) P1                                          (1)
 *
 * At the end the lanes are folded into one word, the rest of the input goes in
 * 8, 4 and 1 bytes at a time, and an avalanche spreads every bit over the whole
 * word. The four chains of (1) are independent, so that the multiplier stays
 * busy: about as fast as memory can be read, which is why it was chosen over a
 * CRC. It finds accidents. Whoever wants to forge a file can.
 *
 * Words are read as little-endian on every machine, so that a file's checksum is
 * the same number everywhere. The seed is 0.
 *
 * Invariants  total = bytes given so far;  n = total mod 32 of them wait in buf.
 * Not here    XXH3 and the 32-bit variant.
 * Y. Collet, "xxHash fast digest algorithm", specification 0.1.1, section XXH64. */
#include "base/hash.h"

#include <string.h>

static const uint64_t P1 = 0x9E3779B185EBCA87, P2 = 0xC2B2AE3D27D4EB4F, P3 = 0x165667B19E3779F9,
                      P4 = 0x85EBCA77C2B2AE63, P5 = 0x27D4EB2F165667C5;

enum { STRIPE = 32 };

static uint64_t rotl(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

/* The shifts compile to one load where the machine is little-endian. */
static uint64_t word32(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

static uint64_t word64(const unsigned char *p)
{
    return word32(p) | word32(p + 4) << 32;
}

static uint64_t round_of(uint64_t v, uint64_t w) /* rule (1) */
{
    return rotl(v + w * P2, 31) * P1;
}

static void stripes(uint64_t lane[4], const unsigned char *p, size_t count)
{
    uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];

    for (; count > 0; count--, p += STRIPE) {
        a = round_of(a, word64(p));
        b = round_of(b, word64(p + 8));
        c = round_of(c, word64(p + 16));
        d = round_of(d, word64(p + 24));
    }
    lane[0] = a;
    lane[1] = b;
    lane[2] = c;
    lane[3] = d;
}

void hash_init(struct hash64 *h)
{
    /* Seed 0: seed + P1 + P2, seed + P2, seed, seed - P1. */
    *h = (struct hash64){ .lane = { P1 + P2, P2, 0, 0 - P1 } };
}

void hash_add(struct hash64 *h, const void *data, size_t n)
{
    const unsigned char *p = data;

    h->total += n;
    if (h->n > 0) {
        const size_t take = n < STRIPE - h->n ? n : STRIPE - h->n;
        if (take > 0) memcpy(h->buf + h->n, p, take);
        h->n += (unsigned)take;
        if (h->n < STRIPE) return;
        stripes(h->lane, h->buf, 1);
        p += take;
        n -= take;
        h->n = 0;
    }
    stripes(h->lane, p, n / STRIPE);
    h->n = (unsigned)(n % STRIPE);
    if (h->n > 0) memcpy(h->buf, p + (n - h->n), h->n);
}

uint64_t hash_end(const struct hash64 *h)
{
    const uint64_t *lane = h->lane;
    const unsigned char *p = h->buf;
    size_t n = h->n;
    uint64_t v = P5; /* fewer than 32 bytes never touched a lane */

    if (h->total >= STRIPE) { /* the four lanes as one word */
        v = rotl(lane[0], 1) + rotl(lane[1], 7) + rotl(lane[2], 12) + rotl(lane[3], 18);
        for (int i = 0; i < 4; i++) v = (v ^ round_of(0, lane[i])) * P1 + P4;
    }
    v += h->total;
    for (; n >= 8; n -= 8, p += 8) v = rotl(v ^ round_of(0, word64(p)), 27) * P1 + P4;
    for (; n >= 4; n -= 4, p += 4) v = rotl(v ^ word32(p) * P1, 23) * P2 + P3;
    for (; n > 0; n--, p++) v = rotl(v ^ *p * P5, 11) * P1;
    v = (v ^ v >> 33) * P2;
    v = (v ^ v >> 29) * P3;
    return v ^ v >> 32;
}

uint64_t hash_bytes(const void *p, size_t n)
{
    struct hash64 h;

    hash_init(&h);
    hash_add(&h, p, n);
    return hash_end(&h);
}
