/* test_utf16.c -- a text in UTF-16 is delivered as the same one in UTF-8, in whatever pieces it is
 * read; and what is no UTF-16 is refused with its place. */
#include "data/utf16.h"

#include "base/utf8.h"
#include "data/source.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "vec/rng.h"

struct bytes {
    unsigned char *p;
    size_t n, at, most; /* bytes given, and given at a time */
};

static perc_status give(void *ud, char *buf, size_t n, size_t *got, perc_error *err)
{
    struct bytes *b = ud;

    (void)err;
    *got = b->n - b->at < n ? b->n - b->at : n;
    memcpy(buf, b->p + b->at, *got);
    b->at += *got;
    return PERC_OK;
}

/* All of it as UTF-8, n bytes at a time. */
static perc_status convert(const struct env *e, struct bytes *b, size_t head, size_t n, char *out,
                           size_t *len, perc_error *err)
{
    struct utf16 *u;
    size_t got;

    b->at = head < b->n ? head : b->n;
    perc_status st = utf16_open(e, (char *)b->p, b->at, give, b, &u, err);
    *len = 0;
    if (st) return st;
    if (u == NULL) return PERC_EARG; /* it is none */
    do {
        st = utf16_fill(u, out + *len, n, &got, err);
        *len += got;
    } while (!st && got == n);
    if (!st) assert_int_equal(utf16_place(u), b->n);
    utf16_close(u);
    return st;
}

static void put_unit(struct bytes *b, uint32_t unit, bool big)
{
    b->p[b->n++] = (unsigned char)(big ? unit >> 8 : unit);
    b->p[b->n++] = (unsigned char)(big ? unit : unit >> 8);
}

/* Random characters of all lengths, and the same in UTF-8. Returns its length. */
static size_t random_text(struct bytes *b, size_t n, bool mark, bool big, char *utf8, uint64_t seed)
{
    static const uint32_t most[] = { 0x7f, 0x7ff, 0xd7ff, 0x10ffff };
    struct rng g = rng_seed(seed, n);
    size_t len = 0;

    b->n = 0;
    if (mark) put_unit(b, 0xfeff, big);
    for (size_t i = 0; i < n; i++) {
        uint32_t c = i < 8 ? 'a' + (uint32_t)i
                           : 1 + (uint32_t)rng_below(&g, most[rng_below(&g, 4)]);
        if (c >= 0xd800 && c < 0xe000) c = '\n';
        if (c < 0x10000) put_unit(b, c, big);
        else
            put_unit(b, 0xd800 + ((c - 0x10000) >> 10), big),
                put_unit(b, 0xdc00 + (c & 0x3ff), big);
        len += utf8_encode(c, utf8 + len);
    }
    return len;
}

TEST(the_same_characters_come_out_in_utf8)
{
    enum { MOST = 70000 };
    static unsigned char raw[4 * MOST + 8];
    static char utf8[4 * MOST], out[4 * MOST + 70000];
    static const size_t sizes[] = { 8, 9, 100, 5000, MOST }, steps[] = { 1, 2, 3, 7, 4096, 65536 };
    const struct env e = env_resolve(NULL);
    size_t len;

    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int form = 0; form < 4; form++)
            for (size_t k = 0; k < COUNT(steps); k++) {
                struct bytes b = { .p = raw };
                const size_t n = random_text(&b, sizes[i], form & 1, form & 2, utf8, 3 + i);
                assert_int_equal(convert(&e, &b, 10, steps[k], out, &len, NULL), PERC_OK);
                assert_int_equal(len, n);
                assert_memory_equal(out, utf8, n);
            }
}

TEST(what_is_no_utf16_is_left_alone)
{
    static const struct {
        const char *text;
        size_t n;
    } cases[] = {
        { "", 0 },
        { "a", 1 },
        { "a\0", 2 },
        { "ab\0c", 4 },
        { "\0\0\0\0", 4 },
        { "a,b\n1,2\n", 8 },
        { "a\0b\0\0\0", 6 },
        { "\xef\xbb\xbf", 3 },
        { "\x58\1\0\0\0\0\0\0{\"", 10 },
    };
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < COUNT(cases); i++) {
        char out[16];
        size_t len;
        struct bytes b = { .p = (unsigned char *)(uintptr_t)cases[i].text, .n = cases[i].n };
        if (convert(&e, &b, 10, 8, out, &len, NULL) != PERC_EARG) fail_msg("case %d", (int)i);
    }
}

TEST(broken_text_is_refused_with_its_place)
{
    static const struct {
        const char *text;
        size_t n;
        long long line, column;
        const char *why;
    } cases[] = {
        { "\xff\xfe"
          "a\0\n\0b\0\x00\xd8"
          "c\0",
          12, 2, 2, "first half of a surrogate pair" },
        { "\xff\xfe"
          "a\0\n\0\xe9\0\x00\xdc"
          "c\0",
          12, 2, 3, "second half of a surrogate pair" },
        { "\xfe\xff\0a\xd8\0\xd8\0", 8, 1, 2, "first half" },
        { "\xfe\xff\0a\xd8\0", 6, 1, 2, "first half" },
        { "\xfe\xff\0a\xd8\0\xdc", 7, 1, 2, "first half" },
        { "\xfe\xff\0a\0", 5, 1, 2, "half a character at the end" },
        { "a\0b\0c\0d\0e", 9, 1, 5, "byte 8 of this text in UTF-16" },
        { "\xff\xfe\0\0a\0\0\0", 8, 0, 0, "UTF-32" },
        { "\0\0\xfe\xff\0\0\0a", 8, 0, 0, "iconv" },
    };
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < COUNT(cases); i++) {
        char out[16];
        size_t len;
        perc_error err = { 0 };
        struct bytes b = { .p = (unsigned char *)(uintptr_t)cases[i].text, .n = cases[i].n };
        assert_int_equal(convert(&e, &b, 10, 8, out, &len, &err), PERC_EDATA);
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(err.column, cases[i].column);
        if (strstr(err.text, cases[i].why) == NULL) fail_msg("case %d: %s", (int)i, err.text);
    }
}

/* The place of an error far behind is counted from the chunk that it is in. */
TEST(a_source_counts_lines_from_its_chunk)
{
    enum { LINES = 400000 };
    const struct env e = env_resolve(NULL);
    struct bytes b = { .p = malloc(8 * LINES + 16) };
    struct chunk c = { .e = e };
    perc_error err = { 0 };
    struct source *s;
    long long lines = 0;
    perc_status st = PERC_OK;

    assert_non_null(b.p);
    put_unit(&b, 0xfeff, false);
    for (int i = 0; i < LINES; i++)
        for (const char *p = "1,2\n"; *p != '\0'; p++) put_unit(&b, (uint32_t)*p, false);
    put_unit(&b, 0xdc00, false);
    assert_int_equal(t_put_bytes("f", b.p, b.n), 0);
    assert_int_equal(source_open(&e, "f", NULL, &s, &err), PERC_OK);
    assert_true(source_recoded(s));
    while (!(st = source_next(s, &c, &err)) && c.len > 0)
        for (size_t i = 0; i < c.len; i++) lines += c.text[i] == '\n';
    assert_int_equal(st, PERC_EDATA);
    assert_true(lines > 0);
    assert_int_equal(lines + err.line, LINES + 1);
    assert_int_equal(err.column, 1);
    source_chunk_free(&c);
    source_close(s);
    free(b.p);
}

TEST(memory_may_run_out_while_it_is_read)
{
    assert_int_equal(t_put_bytes("f",
                                 "\xff\xfe"
                                 "1\0 \0001\0:\0002\0\n\0",
                                 14),
                     0);
    for (struct t_sweep s = { .least = 4 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct source *source;
        struct chunk c = { .e = e };
        perc_status st = source_open(&e, "f", NULL, &source, NULL);
        if (!st) st = source_next(source, &c, NULL);
        source_chunk_free(&c);
        source_close(source);
        t_sweep_judge(&s, st);
    }
}
