/* test_hash.c -- the promises of base/hash.h: it is XXH64, however the bytes come. */
#include "base/hash.h"
#include "t.h"

/* Values of the reference implementation (xxHash 0.8, seed 0). */
TEST(known_texts_have_their_published_hash)
{
    const char *s = "Nobody inspects the spammish repetition"; /* 39 bytes: a stripe and a tail */

    assert_true(hash_bytes("", 0) == 0xEF46DB3751D8E999);
    assert_true(hash_bytes(NULL, 0) == 0xEF46DB3751D8E999);
    assert_true(hash_bytes("a", 1) == 0xD24EC4F1A98C6E5B);
    assert_true(hash_bytes("abc", 3) == 0x44BC2CF5AD770999);
    assert_true(hash_bytes(s, strlen(s)) == 0xFBCEA83C8A378BF1);
}

static void fill(unsigned char *p, size_t n)
{
    uint32_t s = 1;

    for (size_t i = 0; i < n; i++) {
        s = s * 1664525 + 1013904223;
        p[i] = (unsigned char)(s >> 24);
    }
}

/* Every length up to some stripes: each way through the tail. The reference gave the
 * hash of the 200 hashes. */
TEST(every_tail_length_agrees_with_the_reference)
{
    unsigned char data[200], sums[200 * 8];

    fill(data, sizeof data);
    for (size_t n = 0; n < sizeof data; n++) {
        const uint64_t h = hash_bytes(data, n);
        for (size_t i = 0; i < 8; i++) sums[n * 8 + i] = (unsigned char)(h >> 8 * i);
    }
    assert_true(hash_bytes(sums, sizeof sums) == 0xA26B924F6F96F5FE);
}

TEST(pieces_give_the_hash_of_the_whole)
{
    unsigned char data[300];

    fill(data, sizeof data);
    const uint64_t whole = hash_bytes(data, sizeof data);
    for (size_t a = 0; a <= sizeof data; a++) {
        const size_t b = a + (sizeof data - a) / 3;
        struct hash64 h;
        hash_init(&h);
        hash_add(&h, data, a);
        hash_add(&h, data + a, b - a);
        hash_add(&h, NULL, 0);
        hash_add(&h, data + b, sizeof data - b);
        assert_true(hash_end(&h) == whole);
        assert_true(hash_end(&h) == whole); /* ending is not an end: it may be asked again */
    }
}

TEST(one_flipped_bit_changes_it)
{
    unsigned char data[100];

    fill(data, sizeof data);
    const uint64_t whole = hash_bytes(data, sizeof data);
    for (size_t i = 0; i < sizeof data * 8; i++) {
        data[i / 8] ^= (unsigned char)(1u << i % 8);
        assert_true(hash_bytes(data, sizeof data) != whole);
        data[i / 8] ^= (unsigned char)(1u << i % 8);
    }
    assert_true(hash_bytes(data, sizeof data - 1) != whole);
}
