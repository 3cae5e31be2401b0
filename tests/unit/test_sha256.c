/* test_sha256.c -- SHA-256 against the examples of its standard. */
#include "base/sha256.h"
#include "t.h"

static void check(const char *message, size_t len, const char *want)
{
    struct sha256 s;
    unsigned char hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_begin(&s);
    sha256_add(&s, message, len);
    sha256_end(&s, hash);
    sha256_hex(hash, hex);
    assert_string_equal(hex, want);
}

/* The examples that NIST published with FIPS 180-2 and 180-4. */
TEST(examples_of_the_standard)
{
    static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const char longer[] = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                                 "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";

    check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check(NULL, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check(two, sizeof two - 1, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check(longer, sizeof longer - 1,
          "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

TEST(a_million_letters)
{
    static char a[1000];
    struct sha256 s;
    unsigned char hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    memset(a, 'a', sizeof a);
    sha256_begin(&s);
    for (int i = 0; i < 1000; i++) sha256_add(&s, a, sizeof a);
    sha256_end(&s, hash);
    sha256_hex(hash, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Around the end of a block the padding needs one block or two. The hash below is that of
 * the hashes of the messages of 0 to 299 letters, made by another program. */
TEST(every_length_of_padding)
{
    char text[300];
    struct sha256 s, all;
    unsigned char hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)('a' + i % 26);
    sha256_begin(&all);
    for (size_t n = 0; n < sizeof text; n++) {
        sha256_begin(&s);
        sha256_add(&s, text, n);
        sha256_end(&s, hash);
        sha256_add(&all, hash, sizeof hash);
    }
    sha256_end(&all, hash);
    sha256_hex(hash, hex);
    assert_string_equal(hex, "0cad9804271ac80db9aa1affce50bed37225adecd65d4ffba7483ce1d0f11442");
}

TEST(pieces_make_the_whole)
{
    char text[400];
    struct sha256 s;
    unsigned char whole[SHA256_BYTES], hash[SHA256_BYTES];

    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)(i * i >> 3);
    sha256_begin(&s);
    sha256_add(&s, text, sizeof text);
    sha256_end(&s, whole);
    for (size_t piece = 1; piece < 200; piece++) {
        sha256_begin(&s);
        for (size_t at = 0; at < sizeof text; at += piece)
            sha256_add(&s, text + at, sizeof text - at < piece ? sizeof text - at : piece);
        sha256_end(&s, hash);
        assert_memory_equal(hash, whole, sizeof hash);
    }
}
