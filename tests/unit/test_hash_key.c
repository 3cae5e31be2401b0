/* test_hash_key.c -- the promises of base/hash_key.h: it is SipHash-1-3, keys differ, and texts
 * that were chosen to collide do not, in the tables that hold input. That no result depends on the
 * key is in test_faults.c, for every scene. */
#include "base/hash.h"
#include "data/hashing.h"
#include "data/labels.h"
#include "data/schema.h"
#include "t.h"

/* Values of CPython 3.11, whose hash of bytes is SipHash-1-3, with PYTHONHASHSEED=0 (a key of
 * zeros), and of Rust's tests of SipHasher13 with the key 00 01 ... 0f. */
TEST(known_texts_have_their_published_hash)
{
    static const struct {
        size_t n;
        uint64_t hash;
    } zeros[] = { { 1, 0x68a914128e01e473 },  { 2, 0x010bac45c41e3669 },
                  { 3, 0x4d4c9a4a8ef6e0ad },  { 4, 0x7cc43f98813e4dbd },
                  { 5, 0x5abe2169dff36275 },  { 7, 0x2f098ab0c751325a },
                  { 8, 0xead411e67ebe2eea },  { 9, 0x75927f9d95124362 },
                  { 15, 0xf30eb725bb91c9ea }, { 16, 0x8972188433a5c5b7 },
                  { 17, 0x4883c49a2c009c1d }, { 63, 0x385d3e39e5f37359 } },
      rising[] = { { 0, 0xabac0158050fc4dc },
                   { 1, 0xc9f49bf37d57ca93 },
                   { 6, 0xc50d2b50c59f22a7 },
                   { 14, 0x605aa111c0f95d34 },
                   { 63, 0x9d199062b7bbb3a8 } };
    const struct hash_key zero = { { 0, 0 } },
                          rise = { { 0x0706050403020100, 0x0f0e0d0c0b0a0908 } };
    unsigned char text[64];

    for (size_t i = 0; i < sizeof text; i++) text[i] = (unsigned char)i;
    for (size_t i = 0; i < COUNT(zeros); i++)
        assert_true(hash_key_bytes(&zero, text, zeros[i].n) == zeros[i].hash);
    for (size_t i = 0; i < COUNT(rising); i++)
        assert_true(hash_key_bytes(&rise, text, rising[i].n) == rising[i].hash);
    assert_true(hash_key_bytes(&rise, NULL, 0) == rising[0].hash);
}

/* What is hashed in a row says where each piece ends, and in which order they come. */
TEST(pieces_are_not_what_they_make_together)
{
    static const char *const pair[][2] = {
        { "ab", "c" }, { "a", "bc" }, { "", "abc" }, { "abc", "" }, { "c", "ab" }
    };
    const struct hash_key key = { { 1, 2 } }, other = { { 1, 3 } };
    uint64_t hash[COUNT(pair)];

    for (size_t i = 0; i < COUNT(pair); i++) {
        struct hash_keyed h = hash_key_begin(&key);
        for (size_t k = 0; k < 2; k++) hash_key_text(&h, pair[i][k], strlen(pair[i][k]));
        hash[i] = hash_key_end(&h);
        for (size_t k = 0; k < i; k++) assert_true(hash[k] != hash[i]);
        assert_true(hash[i] != hash_key_bytes(&key, "abc", 3));
    }
    assert_true(hash_key_number(&key, 5) == hash_key_number(&key, 5));
    assert_true(hash_key_number(&key, 5) != hash_key_number(&key, 6));
    assert_true(hash_key_number(&key, 5) != hash_key_number(&other, 5));
    assert_true(hash_key_number(&key, 5) != hash_key_bytes(&key, "\5\0\0\0\0\0\0\0", 8));
}

TEST(every_environment_has_a_key_of_its_own)
{
    const struct env a = env_resolve(NULL), b = env_resolve(NULL);

    assert_true(a.key.k[0] != b.key.k[0] && a.key.k[1] != b.key.k[1]);
}

/* ----- texts that are chosen to collide ------------------------------------------------- */

enum { TEXTS = 1000 };

/* The longest run of slots in use: what a search may have to walk. With half of them in use and
 * homes at random, 200 would be a miracle; were all homes the same, it would be TEXTS. */
static void assert_scattered(const uint32_t *slot, size_t slots)
{
    size_t run = 0, longest = 0;

    for (size_t i = 0; i < slots; i++) {
        run = slot[i] != 0 ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    assert_in_range(longest, 2, TEXTS / 5);
}

/* The categories of the hash that schemas had, of which the state after 8 bytes can be undone. */
TEST(categories_cannot_be_made_to_collide)
{
    const struct env e = env_resolve(NULL);
    const uint64_t mix = 0x9E3779B97F4A7C15;
    struct schema s;
    uint32_t feature;

    schema_init(&s, &e);
    for (uint64_t i = 0; i < TEXTS; i++) {
        char text[17];
        uint64_t second;
        snprintf(text, sizeof text, "%08d", (int)i);
        memcpy(&second, text, 8);
        second = ((mix ^ 16) ^ second) * mix; /* column 0, 16 bytes */
        second ^= second >> 32 ^ UINT64_C(0x8181818181818181);
        memcpy(text + 8, &second, 8);
        if (memchr(text, '\0', 16) != NULL) continue;
        assert_int_equal(schema_add(&s, 0, text, 16, &feature), PERC_OK);
    }
    assert_true(s.categories > TEXTS / 2);
    assert_scattered(s.slot, s.slots);
    schema_free(&s);
}

/* Texts whose XXH64, the hash that labels had, is the same in the bits that count. */
TEST(labels_cannot_be_made_to_collide)
{
    const struct env e = env_resolve(NULL);
    struct labels l;
    uint32_t id;

    labels_init(&l, &e);
    for (int i = 0; l.n < TEXTS; i++) {
        char text[16];
        const int n = snprintf(text, sizeof text, "w%d", i);
        if (hash_bytes(text, (size_t)n) % 1024 > 1) continue;
        assert_int_equal(labels_add(&l, text, (size_t)n, &id, NULL), PERC_OK);
    }
    assert_scattered(l.slot, l.slots);
    labels_free(&l);
}

/* Buckets are part of the model, and can be chosen; not where the table of them has them. */
TEST(buckets_that_lie_side_by_side_do_not_slow_the_count)
{
    const struct env e = env_resolve(NULL);
    struct buckets b, joined;
    static uint32_t used[4 * TEXTS];

    hashing_buckets_init(&b, &e, 30);
    hashing_buckets_init(&joined, &e, 30);
    for (uint64_t i = 0; i < TEXTS; i++) assert_true(hashing_buckets_add(&b, i << 34 | 4));
    assert_true(hashing_buckets_join(&joined, &b));
    assert_int_equal(joined.used, TEXTS);
    for (const struct buckets *one = &b; one != NULL; one = one == &b ? &joined : NULL) {
        assert_true(one->slots <= COUNT(used));
        for (size_t i = 0; i < one->slots; i++) used[i] = one->slot[i] != 0;
        assert_scattered(used, one->slots);
    }
    hashing_buckets_free(&b);
    hashing_buckets_free(&joined);
}
