/* sha256.h -- SHA-256, as FIPS 180-4 defines it. */
#ifndef PERC_SHA256_H
#define PERC_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_HEX = 65 /* with the NUL */ };

struct sha256 {
    uint32_t h[8];
    uint64_t len;            /* bytes so far */
    unsigned char block[64]; /* the last len % 64 of them */
};

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t len);
void sha256_end(struct sha256 *s, unsigned char out[SHA256_BYTES]);

void sha256_hex(const unsigned char hash[SHA256_BYTES], char out[SHA256_HEX]); /* lower case */

#endif
