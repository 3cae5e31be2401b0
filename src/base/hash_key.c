/* hash_key.c -- where the keys of hash_key.h come from. */
#define _DEFAULT_SOURCE /* getentropy */
#include "base/hash_key.h"

#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

struct hash_key hash_key_new(void)
{
    struct hash_key key;
    struct timespec t = { 0 };

    if (getentropy(&key, sizeof key) == 0) return key;
    /* No randomness, as in a sandbox: what an author of input cannot see is next best. */
    clock_gettime(CLOCK_REALTIME, &t);
    key.k[0] = (uint64_t)(uintptr_t)&key ^ (uint64_t)t.tv_sec << 32;
    key.k[1] = (uint64_t)(uintptr_t)hash_key_new ^ (uint64_t)t.tv_nsec << 32;
    return key;
}
