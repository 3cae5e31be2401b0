/* test_utf8.c -- every code and every short string of bytes, against the definition. */
#include "base/utf8.h"
#include "t.h"

/* What RFC 3629 says, not how: a character is the shortest form of a code that is one. */
static size_t defined(const unsigned char *s, size_t n, uint32_t *code)
{
    static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t len = s[0] < 0x80 ? 1 : s[0] < 0xC0 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;

    if (len == 0 || len > n || s[0] > 0xF7) return 0;
    *code = len == 1 ? s[0] : s[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (s[i] >> 6 != 2) return 0;
        *code = *code << 6 | (s[i] & 0x3Fu);
    }
    return *code < least[len] || *code > 0x10FFFF || (*code >> 11) == 0x1B ? 0 : len;
}

TEST(codes_come_back)
{
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char s[5] = { 0 };
        uint32_t back = 0;
        if (code >> 11 == 0x1B) continue; /* surrogates */
        const size_t n = utf8_encode(code, s);
        assert_int_equal(utf8_decode(s, n, &back), n);
        assert_int_equal(back, code);
        if (code > 0) assert_true(utf8_valid(s));
        assert_int_equal(utf8_decode(s, n - 1, &back), 0); /* cut off */
    }
}

/* All of three bytes, and of four where it matters. */
TEST(bytes_are_characters_or_none)
{
    uint32_t found = 0, want = 0;

    for (uint32_t v = 0; v < 1u << 24; v++) {
        const unsigned char s[4] = { v >> 16 & 255, v >> 8 & 255, v & 255, 0x80 };
        const size_t n = defined(s, 4, &want);
        assert_int_equal(utf8_decode((const char *)s, 4, &found), n);
        if (n > 0) assert_int_equal(found, want);
    }
    const unsigned char cut[4] = { 0xF0, 0x90, 0x80, 0x7F };
    assert_int_equal(utf8_decode((const char *)cut, 4, &found), 0);
    assert_int_equal(utf8_decode("\xE2", SIZE_MAX, &found), 0); /* the NUL ends it */
    assert_false(utf8_valid("caf\xE9") || utf8_valid("\xED\xA0\x80"));
}

TEST(texts_are_cut_between_characters)
{
    const char *s = "a\xC3\xA9\xE2\x82\xAC!"; /* a, e with acute, the euro, ! */
    static const size_t want[] = { 0, 1, 1, 3, 3, 3, 6, 7, 7 };

    for (size_t most = 0; most < 9; most++) assert_int_equal(utf8_cut(s, 7, most), want[most]);
}

TEST(controls_are_known)
{
    static const uint32_t ends[][2] = {
        { 0, 0x1F },        { 0x7F, 0x9F },     { 0x61C, 0x61C },
        { 0x200E, 0x200F }, { 0x2028, 0x202E }, { 0x2066, 0x2069 }
    };
    size_t n = 0;

    for (uint32_t code = 0; code <= 0x10FFFF; code++) n += utf8_is_control(code);
    for (size_t k = 0; k < COUNT(ends); k++)
        assert_true(utf8_is_control(ends[k][0]) && utf8_is_control(ends[k][1]));
    assert_int_equal(n, 32 + 33 + 1 + 2 + 7 + 4);
}

TEST(every_character_has_a_visible_form)
{
    static const struct {
        const char *s, *shown;
    } table[] = { { "a", "a" },
                  { " ", " " },
                  { "\"", "\\\"" },
                  { "\\", "\\\\" },
                  { "\n", "\\n" },
                  { "\t", "\\t" },
                  { "\x1b", "\\u001b" },
                  { "\x7f", "\\u007f" },
                  { "\xc2\x85", "\\u0085" },
                  { "\xe2\x80\xa8", "\\u2028" },
                  { "\xe2\x80\xae", "\\u202e" },
                  { "\xff", "\\udcff" },
                  { "\xc3\xa9", "\xc3\xa9" },
                  { "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" } };

    for (size_t k = 0; k < COUNT(table); k++) {
        char out[UTF8_VISIBLE + 1];
        size_t len;
        assert_int_equal(utf8_visible(table[k].s, out, &len), strlen(table[k].s));
        out[len] = '\0';
        assert_string_equal(out, table[k].shown);
    }
    char out[UTF8_VISIBLE];
    size_t len;
    assert_int_equal(utf8_visible("\xe2\x80z", out, &len), 1); /* a character that is cut */
}

/* Wherever the text is cut in two; but the first byte of a C1 that was cut is out already. */
TEST(data_for_a_terminal_are_tame)
{
    static const struct {
        const char *s, *tame;
    } table[] = { { "a\tb\n", "a\tb\n" },
                  { "\x1b[2J\r\x07\x7f", "?[2J???" },
                  { "\x9b\x31m", "?1m" },
                  { "x\xc2\x9by", "x??y" },
                  { "\xc2\xa0\xc3\x9b", "\xc2\xa0\xc3\x9b" },
                  { "\xe2\x82\xac\x80", "\xe2\x82\xac?" },
                  { "\xf0\x9f\x98\x80\x80", "\xf0\x9f\x98\x80?" },
                  { "\xc3(\xa9", "\xc3(?" } };

    for (size_t k = 0; k < COUNT(table); k++)
        for (size_t cut = 0; cut <= strlen(table[k].s); cut++) {
            struct utf8_tame t = { 0 };
            char s[16], want[16];
            snprintf(s, sizeof s, "%s", table[k].s);
            snprintf(want, sizeof want, "%s", table[k].tame);
            utf8_tame(&t, s, cut);
            utf8_tame(&t, s + cut, strlen(table[k].s) - cut);
            if (cut > 0 && (unsigned char)table[k].s[cut - 1] == 0xC2 && want[cut] == '?')
                want[cut - 1] = table[k].s[cut - 1];
            assert_string_equal(s, want);
        }
}
