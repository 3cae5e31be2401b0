/* sha256.c -- SHA-256 in plain C (FIPS 180-4, section 6.2).
 *
 * The message, padded to whole blocks of 64 bytes, changes a state of eight words block
 * by block. The names are the standard's: h the state, a .. h the working variables, W
 * the message schedule, K the first 32 bits of the fractional parts of the cube roots of
 * the first 64 primes; the state begins with those of the square roots of the first 8. */
#include "base/sha256.h"

#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static uint32_t load_word(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_word(unsigned char *p, uint32_t v)
{
    p[0] = (unsigned char)(v >> 24);
    p[1] = (unsigned char)(v >> 16);
    p[2] = (unsigned char)(v >> 8);
    p[3] = (unsigned char)v;
}

static void schedule(const unsigned char *m, uint32_t W[64])
{
    for (int t = 0; t < 16; t++) W[t] = load_word(m + 4 * t);
    for (int t = 16; t < 64; t++) {
        const uint32_t x = W[t - 15], y = W[t - 2];
        const uint32_t s0 = rotr(x, 7) ^ rotr(x, 18) ^ x >> 3;
        const uint32_t s1 = rotr(y, 17) ^ rotr(y, 19) ^ y >> 10;
        W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
}

static void compress(uint32_t state[8], const unsigned char *m)
{
    uint32_t W[64], v[8];

    schedule(m, W);
    memcpy(v, state, sizeof v);
    uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
    for (int t = 0; t < 64; t++) {
        const uint32_t S1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25), ch = (e & f) ^ (~e & g);
        const uint32_t S0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
        const uint32_t maj = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t T1 = h + S1 + ch + K[t] + W[t], T2 = S0 + maj;
        h = g;
        g = f;
        f = e;
        e = d + T1;
        d = c;
        c = b;
        b = a;
        a = T1 + T2;
    }
    const uint32_t w[8] = { a, b, c, d, e, f, g, h };
    for (int i = 0; i < 8; i++) state[i] = v[i] + w[i];
}

void sha256_begin(struct sha256 *s)
{
    static const uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

    memcpy(s->h, h, sizeof h);
    s->len = 0;
}

void sha256_add(struct sha256 *s, const void *data, size_t len)
{
    const unsigned char *p = data;
    const size_t used = (size_t)(s->len % 64), room = 64 - used;

    if (len == 0) return; /* data may be NULL */
    s->len += len;
    if (len < room) {
        memcpy(s->block + used, p, len);
        return;
    }
    if (used > 0) {
        memcpy(s->block + used, p, room);
        compress(s->h, s->block);
        p += room;
        len -= room;
    }
    for (; len >= 64; p += 64, len -= 64) compress(s->h, p);
    memcpy(s->block, p, len);
}

/* The padding: a bit 1, zeros, and the length in bits as 64 bits, up to a whole block. */
void sha256_end(struct sha256 *s, unsigned char out[SHA256_BYTES])
{
    const uint64_t bits = s->len * 8;
    size_t used = (size_t)(s->len % 64);

    s->block[used++] = 0x80;
    if (used > 56) {
        memset(s->block + used, 0, 64 - used);
        compress(s->h, s->block);
        used = 0;
    }
    memset(s->block + used, 0, 56 - used);
    store_word(s->block + 56, (uint32_t)(bits >> 32));
    store_word(s->block + 60, (uint32_t)bits);
    compress(s->h, s->block);
    for (int i = 0; i < 8; i++) store_word(out + 4 * i, s->h[i]);
}

void sha256_hex(const unsigned char hash[SHA256_BYTES], char out[SHA256_HEX])
{
    static const char digit[] = "0123456789abcdef";

    for (int i = 0; i < SHA256_BYTES; i++) {
        out[2 * i] = digit[hash[i] >> 4];
        out[2 * i + 1] = digit[hash[i] & 15];
    }
    out[2 * SHA256_BYTES] = '\0';
}
