/* seal.h -- makes mutated bytes a container again, so that a fuzzer gets past the
 * header and the checksum to what lies behind them.
 *
 * The first byte of an input says how much to repair: bit 0 the checksum, bit 1
 * the length of the header. With neither, the bytes go in as they are. */
#ifndef FUZZ_SEAL_H
#define FUZZ_SEAL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/tensors.h"

enum { SEAL_CHECKSUM = 1, SEAL_LENGTH = 2 };

/* The length of the JSON object at p with the spaces after it; n if it never ends. */
static size_t object_length(const uint8_t *p, size_t n)
{
    size_t i = 0;
    int depth = 0, quoted = 0;

    for (; i < n; i++) {
        if (p[i] == '\\' && quoted) i++;
        else if (p[i] == '"') quoted = !quoted;
        else if (p[i] == '{' && !quoted) depth++;
        else if (p[i] == '}' && !quoted && --depth <= 0) break;
    }
    if (i >= n) return n;
    for (i++; i < n && p[i] == ' '; i++) {
    }
    return i;
}

static void seal_length(uint8_t *p, size_t n)
{
    const uint64_t length = object_length(p + TENSORS_LENGTH, n - TENSORS_LENGTH);

    for (int i = 0; i < TENSORS_LENGTH; i++) p[i] = (uint8_t)(length >> 8 * i);
}

static void seal_checksum(uint8_t *p, size_t n)
{
    static const char key[] = "\"checksum\":\"";
    const size_t len = sizeof key - 1;

    for (size_t i = 0; i + len + TENSORS_DIGITS <= n; i++) {
        if (memcmp(p + i, key, len) != 0) continue;
        char *digits = (char *)p + i + len;
        memcpy(digits, TENSORS_ZEROS, TENSORS_DIGITS);
        tensors_digits(digits, hash_bytes(p, n));
        return;
    }
}

/* A repaired copy of the input without its first byte, in memory of just that
 * size so that a sanitizer sees one step too far. NULL: nothing to do. */
static uint8_t *seal(const uint8_t *data, size_t size, size_t *n)
{
    if (size < 1) return NULL;
    *n = size - 1;
    uint8_t *p = malloc(*n > 0 ? *n : 1);
    if (p == NULL) return NULL;
    memcpy(p, data + 1, *n);
    if ((data[0] & SEAL_LENGTH) && *n > TENSORS_LENGTH) seal_length(p, *n);
    if (data[0] & SEAL_CHECKSUM) seal_checksum(p, *n);
    return p;
}

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

#endif
