/* test_unpack.c -- compressed files: the text that was packed, or a refusal that names the
 * place; never another text. */
#include "data/source.h"
#include "data/unpack.h"
#include "t.h"
#include "t_alloc.h"
#include "t_cases.h"
#include "t_dir.h"
#include "vec/rng.h"

enum { PLENTY = 4 << 20 };

static const struct form {
    const struct unpack_format *format;
    const char *pack, *pack_unchecked; /* NULL: there is always a checksum */
} forms[] = {
    { &unpack_gzip, "gzip -q", NULL },
    { &unpack_bzip2, "bzip2 -q", NULL },
    { &unpack_xz, "xz -q", "xz -q --check=none" },
    { &unpack_zstd, "zstd -q --check", "zstd -q --no-check" },
};
enum { FORMS = COUNT(forms) };

struct bytes {
    char *p;
    size_t n;
};

/* Memory until let_go(), at the end of a round. */
static struct {
    char *at[32];
    size_t n;
} kept;

static char *keep(size_t n)
{
    assert_true(kept.n < COUNT(kept.at));
    char *p = kept.at[kept.n++] = malloc(n);
    assert_non_null(p);
    return p;
}

static void let_go(void)
{
    while (kept.n > 0) free(kept.at[--kept.n]);
}

/* n characters of LIBSVM text. */
static struct bytes some_text(size_t n, uint64_t seed)
{
    struct rng r = rng_seed(seed, n);
    struct bytes b = { keep(n + 64), 0 };

    while (b.n < n)
        b.n += (size_t)snprintf(b.p + b.n, 64, "%d 1:%.4f 2:%.3f\n", (int)rng_below(&r, 2),
                                rng_uniform(&r), rng_uniform(&r));
    b.n = n;
    return b;
}

static struct bytes get_file(const char *path)
{
    struct bytes b = { keep(PLENTY), 0 };
    const long n = t_get(path, b.p, PLENTY);

    assert_in_range(n, 1, PLENTY - 1);
    b.n = (size_t)n;
    return b;
}

/* Packs the text with the usual program; .p is NULL where it is missing, or this build
 * does not read what it writes. */
static struct bytes packed(const struct form *f, const char *command, struct bytes text)
{
    if (f->format->size == 0) {
        print_message("this build does not read %s: not tried\n", f->format->ending);
        return (struct bytes){ NULL, 0 };
    }
    assert_int_equal(t_put_bytes("text", text.p, text.n), 0);
    char line[80];
    snprintf(line, sizeof line, "%s < text > z 2>/dev/null", command);
    if (system(line) == 0) return get_file("z");
    print_message("no %s here: it is not tried\n", command);
    return (struct bytes){ NULL, 0 };
}

/* Reads these bytes to their end: from a pipe, where they fit in one, for disks are slow; else
 * from a file. */
static perc_status read_bytes(const struct env *e, struct bytes z, struct text *out,
                              bool *unchecked, perc_error *err)
{
    enum { PIPE = 4096 };
    struct chunk c = { .e = *e };
    struct source *s;
    char path[32] = "f";
    int ends[2] = { -1, -1 };

    if (z.n <= PIPE) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], z.p, z.n), z.n);
        close(ends[1]);
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    } else {
        assert_int_equal(t_put_bytes(path, z.p, z.n), 0);
    }
    perc_status st = source_open(e, path, NULL, &s, err);
    text_init(out, e);
    while (!st && !(st = source_next(s, &c, err)) && c.len > 0) text_add(out, c.text, c.len);
    if (!st && unchecked != NULL) *unchecked = source_unchecked(s);
    if (!st && out->oom) st = fail_memory(err);
    source_chunk_free(&c);
    source_close(s);
    if (ends[0] >= 0) close(ends[0]);
    return st;
}

enum outcome { REFUSED, SAME, OTHER };

/* What becomes of these bytes in a file, of which the text is known. */
static enum outcome outcome_of(struct bytes file, struct bytes text, perc_error *err)
{
    const struct env e = env_resolve(NULL);
    struct text got;

    *err = (perc_error){ 0 };
    const perc_status st = read_bytes(&e, file, &got, NULL, err);
    const bool same = got.len == text.n && (text.n == 0 || memcmp(got.s, text.p, text.n) == 0);
    text_free(&got);
    if (st) assert_int_equal(st, PERC_EDATA);
    if (st) assert_non_null(strstr(err->text, "file"));
    return st ? REFUSED : same ? SAME : OTHER;
}

static struct bytes joined(struct bytes a, struct bytes b)
{
    struct bytes all = { keep(a.n + b.n + 1), a.n + b.n };

    memcpy(all.p, a.p, a.n);
    memcpy(all.p + a.n, b.p, b.n);
    return all;
}

static void assert_outcome(enum outcome want, struct bytes file, struct bytes text,
                           const char *words)
{
    perc_error err;
    const enum outcome is = outcome_of(file, text, &err);

    if (is != want || (words != NULL && strstr(err.text, words) == NULL))
        fail_msg("outcome %d, not %d; '%s', not '%s'", (int)is, (int)want, err.text,
                 words != NULL ? words : "");
}

#define LITERAL(text) ((struct bytes){ (char *)(uintptr_t)(text), sizeof(text) - 1 })

/* ----- what is right ------------------------------------------------------------------ */

TEST(members_one_after_the_other_are_one_text)
{
    static const size_t sizes[] = { 0, 1, 300, SOURCE_CHUNK + 70000 };

    for (size_t k = 0; k < FORMS * COUNT(sizes); k++, let_go()) {
        const struct form *f = &forms[k % FORMS];
        const struct bytes text = some_text(sizes[k / FORMS], 1), z = packed(f, f->pack, text);
        if (z.p == NULL) continue;
        assert_outcome(SAME, z, text, NULL);
        assert_outcome(SAME, joined(z, z), joined(text, text), NULL);
        if (text.n > 1) assert_outcome(REFUSED, joined(z, text), text, "what follows");
    }
}

/* Wherever it is cut when it is read: the first member has a field (RFC 1952, 2.3.1.1) that makes
 * it so long that the second begins around the end of what is read at once. */
TEST(a_member_may_begin_at_any_byte)
{
    enum { AT_ONCE = 1 << 16, HEAD = 10, FEXTRA = 4, FLAGS = 3 };

    for (size_t end = AT_ONCE - 2; end < AT_ONCE + 2 * UNPACK_HEAD; end++, let_go()) {
        const struct bytes text = some_text(300, 2), z = packed(&forms[0], forms[0].pack, text);
        if (z.p == NULL) continue;
        struct bytes first = { keep(end), end };
        const size_t extra = end - z.n - 2;
        memset(first.p, 0, end);
        memcpy(first.p, z.p, HEAD);
        first.p[FLAGS] |= FEXTRA;
        first.p[HEAD] = (char)(extra & 255);
        first.p[HEAD + 1] = (char)(extra >> 8);
        memcpy(first.p + HEAD + 2 + extra, z.p + HEAD, z.n - HEAD);
        assert_outcome(SAME, joined(first, z), joined(text, text), NULL);
    }
}

/* Frames of zstd that say "skip me", zeros after gzip and xz. */
TEST(what_formats_allow_between_members_is_skipped)
{
    static char skip[] = "\x57\x2a\x4d\x18\x03\0\0\0abc", zeros[100000];
    const struct bytes skipped = LITERAL(skip), some = { zeros, sizeof zeros }, odd = { zeros, 3 };

    for (int i = 0; i < FORMS; i++, let_go()) {
        const struct bytes text = some_text(500, 2), z = packed(&forms[i], forms[i].pack, text);
        const bool gzip = forms[i].format == &unpack_gzip, xz = forms[i].format == &unpack_xz;
        const bool zstd = forms[i].format == &unpack_zstd;
        if (z.p == NULL) continue;
        const struct bytes twice = joined(text, text), gap = joined(z, joined(some, z));
        assert_outcome(gzip || xz ? SAME : REFUSED, joined(z, some), text, NULL);
        assert_outcome(gzip ? SAME : REFUSED, joined(z, odd), text, NULL);
        assert_outcome(xz ? SAME : REFUSED, gap, twice, NULL);
        assert_outcome(zstd ? SAME : REFUSED, joined(z, joined(skipped, z)), twice, NULL);
        if (zstd) assert_outcome(SAME, joined(skipped, z), text, NULL);
        if (zstd) assert_outcome(REFUSED, (struct bytes){ skipped.p, 9 }, text, "cut short");
    }
}

/* Told by content, whatever the name says; and "BZh1" may begin a text. */
TEST(text_that_begins_like_a_compressed_file_is_text)
{
    static const char *const texts[] = { "BZh1 1:1\nBZh2 2:1\n", "BZh9\n",   "B", "BZh0 1AY&SY",
                                         "_*M8 1:1\n",           "\x1f\x0b", "P*" };

    for (size_t i = 0; i < COUNT(texts); i++) {
        const struct bytes text = { (char *)(uintptr_t)texts[i], strlen(texts[i]) };
        assert_outcome(SAME, text, text, NULL);
    }
}

TEST(a_file_without_a_checksum_is_told)
{
    const struct env e = env_resolve(NULL);

    for (int i = 0; i < 2 * FORMS; i++, let_go()) {
        const struct form *f = &forms[i / 2];
        const bool with = i % 2 == 0;
        const char *command = with ? f->pack : f->pack_unchecked;
        const struct bytes text = some_text(1000, 3);
        const struct bytes z = command != NULL ? packed(f, command, text) : text;
        const struct bytes first = packed(f, f->pack, text);
        struct text got;
        bool unchecked = false;
        if (z.p == NULL || command == NULL) continue;
        assert_int_equal(read_bytes(&e, z, &got, &unchecked, NULL), PERC_OK);
        text_free(&got);
        assert_int_equal(unchecked, !with);
        unchecked = false; /* be it the second member */
        assert_int_equal(read_bytes(&e, joined(first, z), &got, &unchecked, NULL), PERC_OK);
        text_free(&got);
        assert_int_equal(unchecked, !with);
    }
}

/* ----- damage ------------------------------------------------------------------------- */

/* Every bit of a file is flipped, by itself; there are more than 10,000. */
TEST(no_flipped_bit_gives_another_text)
{
    const size_t step = 10000 / (size_t)t_cases(10000);

    for (int i = 0; i < FORMS; i++, let_go()) {
        const struct bytes text = some_text(5400, 4), z = packed(&forms[i], forms[i].pack, text);
        size_t refused = 0, same = 0;
        perc_error err;
        if (z.p == NULL) continue;
        assert_true(8 * z.n >= 10000);
        for (size_t bit = 0; bit<8 * z.n; bit += step> 0 ? step : 1) {
            z.p[bit / 8] ^= (char)(1 << bit % 8);
            const enum outcome is = outcome_of(z, text, &err);
            z.p[bit / 8] ^= (char)(1 << bit % 8);
            if (is == OTHER) fail_msg("%s: bit %zu", forms[i].format->ending, bit);
            refused += is == REFUSED;
            same += is == SAME;
        }
        print_message("%s: %zu flipped bits are refused, %zu make no difference\n",
                      forms[i].format->ending, refused, same);
        assert_true(same < 80 && refused > 1000); /* names, times and the like in headers */
    }
}

/* So are those of a second member, where a broken beginning looks like an end. */
TEST(a_broken_second_member_is_refused)
{
    for (int i = 0; i < FORMS; i++, let_go()) {
        const struct bytes text = some_text(100, 5), z = packed(&forms[i], forms[i].pack, text);
        if (z.p == NULL) continue;
        const struct bytes zz = joined(z, z), twice = joined(text, text);
        perc_error err;
        for (size_t bit = 8 * z.n; bit < 8 * zz.n; bit++) {
            zz.p[bit / 8] ^= (char)(1 << bit % 8);
            const enum outcome is = outcome_of(zz, twice, &err);
            zz.p[bit / 8] ^= (char)(1 << bit % 8);
            if (is == OTHER) fail_msg("%s: bit %zu", forms[i].format->ending, bit);
            if (bit / 8 < z.n + 2) assert_int_equal(is, REFUSED);
        }
        zz.p[z.n] ^= 1;
        snprintf(err.text, sizeof err.text, " byte %zu", z.n);
        assert_outcome(REFUSED, zz, twice, forms[i].format != &unpack_xz ? err.text : "near byte");
    }
}

TEST(a_file_cut_anywhere_is_refused)
{
    for (int i = 0; i < 2 * FORMS; i++, let_go()) {
        const struct form *f = &forms[i / 2];
        const struct bytes text = some_text(i % 2 == 0 ? 0 : 700, 6), z = packed(f, f->pack, text);
        if (z.p == NULL) continue;
        const struct bytes zz = joined(z, z), twice = joined(text, text);
        for (size_t n = 2; n < zz.n; n++)
            if (n != z.n)
                assert_outcome(REFUSED, (struct bytes){ zz.p, n }, twice,
                               "the compressed file is cut short: it ends at byte");
    }
}

/* ----- memory ------------------------------------------------------------------------- */

/* libzstd has an allocator of its own: see test_unpack_memory.c. */
TEST(memory_may_run_out_anywhere)
{
    for (int i = 0; i < FORMS; i++, let_go()) {
        const struct bytes text = some_text(3000, 7), z = packed(&forms[i], forms[i].pack, text);
        const bool zstd = forms[i].format == &unpack_zstd;
        if (z.p == NULL) continue;
        const struct bytes zz = joined(z, z);
        for (struct t_sweep s = { .least = zstd ? 6 : 8 }; t_sweep_next(&s);) {
            const struct env e = env_resolve(&s.env);
            struct text got;
            perc_error err = { 0 };
            const perc_status st = read_bytes(&e, zz, &got, NULL, &err);
            assert_int_equal(err.status, st);
            if (!st) assert_int_equal(got.len, 2 * text.n);
            text_free(&got);
            t_sweep_judge(&s, st);
        }
    }
}

/* A few bytes that ask for gigabytes. */
TEST(a_window_beyond_the_limit_is_refused)
{
    static const char zstd[] = "\x28\xb5\x2f\xfd\x04\x98\x01\0\0";          /* 2^29 */
    static const char xz[] = "\xfd\x37\x7a\x58\x5a\0\0\x04\xe6\xd6\xb4\x46" /* 2^29 */
                             "\x02\0\x21\x01\x22\0\0\0\x82\x40\xac\xdc";
    const struct {
        const struct unpack_format *format;
        struct bytes z;
    } large[] = { { &unpack_zstd, LITERAL(zstd) }, { &unpack_xz, LITERAL(xz) } };

    for (size_t i = 0; i < COUNT(large); i++)
        if (large[i].format->size > 0)
            assert_outcome(REFUSED, large[i].z, LITERAL(""), "takes more than 128 MB");
}
