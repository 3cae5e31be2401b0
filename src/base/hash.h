/* hash.h -- XXH64 (Collet), the checksum of model and block files: it catches
 * damage, not malice. */
#ifndef PERC_HASH_H
#define PERC_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash64 {
    uint64_t lane[4], total;
    unsigned char buf[32];
    unsigned n; /* bytes in buf */
};

void hash_init(struct hash64 *h);
void hash_add(struct hash64 *h, const void *p, size_t n);
uint64_t hash_end(const struct hash64 *h);
uint64_t hash_bytes(const void *p, size_t n);

#endif
