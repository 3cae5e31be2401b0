/* test_source.c -- bytes in, chunks of whole lines out: from files, pipes and
 * compressed files, of every awkward size. */
#include <pthread.h>

#include "data/source.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "vec/rng.h"

static const struct env *env(void)
{
    static struct env e;

    e = env_resolve(NULL);
    return &e;
}

static struct source *opened(const char *path)
{
    struct source *s;
    perc_error err = { 0 };

    if (source_open(env(), path, &s, &err)) fail_msg("%s: %s", path, err.text);
    return s;
}

/* n bytes of lines, of up to `longest` characters each; no newline at the end. */
static char *lines(size_t n, size_t longest, uint64_t seed)
{
    struct rng r = rng_seed(seed, n);
    char *s = malloc(n + 1);
    size_t left = (size_t)rng_below(&r, longest + 1);

    assert_non_null(s);
    for (size_t i = 0; i < n; i++) {
        s[i] = left > 0 ? (char)('a' + (i * 7 + seed) % 26) : '\n';
        left = left > 0 ? left - 1 : (size_t)rng_below(&r, longest + 1);
    }
    return s;
}

static void check_chunk(const struct chunk *c, const char *want, bool last)
{
    assert_memory_equal(c->text, want, c->len);
    assert_true(c->cap >= c->len + SOURCE_PAD);
    for (size_t i = 0; i < SOURCE_PAD; i++) assert_int_equal(c->text[c->len + i], '\n');
    assert_true(last || c->text[c->len - 1] == '\n'); /* whole lines */
}

/* Reads to the end; the chunks are the text. */
static void delivers(struct source *s, const char *text, size_t n)
{
    struct chunk c = { .e = *env() };
    perc_error err = { 0 };
    uint64_t number = 0;
    size_t at = 0;

    do {
        if (source_next(s, &c, &err)) fail_msg("chunk %d: %s", (int)number, err.text);
        assert_int_equal(c.number, number++);
        assert_true(c.len <= n - at);
        if (c.len > 0) check_chunk(&c, text + at, at + c.len == n);
        at += c.len;
        assert_int_equal(source_bytes(s), at);
    } while (c.len > 0);
    assert_int_equal(at, n);
    assert_int_equal(source_next(s, &c, &err), PERC_OK); /* the end stays the end */
    assert_int_equal(c.len, 0);
    source_chunk_free(&c);
    source_close(s);
}

/* ----- files -------------------------------------------------------------------------- */

TEST(a_file_comes_in_whole_lines)
{
    static const size_t sizes[] = { 0,
                                    1,
                                    2,
                                    3,
                                    5,
                                    6,
                                    7,
                                    100,
                                    SOURCE_CHUNK - 1,
                                    SOURCE_CHUNK,
                                    SOURCE_CHUNK + 1,
                                    3 * SOURCE_CHUNK,
                                    3500000 };

    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t longest = 0; longest < 3000; longest = 20 * longest + 9) {
            char *text = lines(sizes[i], longest, i);
            assert_int_equal(t_put_bytes("f", text, sizes[i]), 0);
            delivers(opened("f"), text, sizes[i]);
            free(text);
        }
}

TEST(a_line_may_be_longer_than_a_chunk)
{
    enum { N = 7 * SOURCE_CHUNK };
    char *text = lines(N, 50, 1);

    memset(text + 100000, 'x', 3 * SOURCE_CHUNK + 12345);       /* in the middle */
    memset(text + N - 2 * SOURCE_CHUNK, 'y', 2 * SOURCE_CHUNK); /* at the end, unfinished */
    assert_int_equal(t_put_bytes("f", text, N), 0);
    delivers(opened("f"), text, N);
    memset(text, 'z', N); /* nothing else */
    assert_int_equal(t_put_bytes("f", text, N), 0);
    delivers(opened("f"), text, N);
    free(text);
}

/* A file of n bytes, all NUL, that takes no room. */
static void put_hole(const char *name, size_t n)
{
    const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)n), 0);
    close(fd);
}

TEST(a_line_of_more_than_64_mb_is_refused)
{
    struct chunk c = { .e = *env() };
    perc_error err = { 0 };

    put_hole("f", SOURCE_LINE_MAX + 100);
    struct source *s = opened("f");
    assert_int_equal(source_next(s, &c, &err), PERC_EDATA);
    assert_int_equal(err.line, 1);
    assert_string_equal(err.text, "a line of more than 64 MB (is this text?)");
    assert_int_equal(source_next(s, &c, &err), PERC_OK); /* nothing more after an error */
    assert_int_equal(c.len, 0);
    source_close(s);

    s = opened("f");
    source_quotes(s, true);
    assert_int_equal(source_next(s, &c, &err), PERC_EDATA);
    assert_string_equal(err.text, "a line of more than 64 MB (is a closing quote missing?)");
    source_close(s);

    put_hole("f", SOURCE_LINE_MAX - 1); /* just not too long */
    s = opened("f");
    assert_int_equal(source_next(s, &c, &err), PERC_OK);
    assert_true(c.len == SOURCE_LINE_MAX - 1);
    source_close(s);
    source_chunk_free(&c);
}

TEST(a_byte_order_mark_is_taken_off)
{
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        { "\xef\xbb\xbf+1 1:1\n", "+1 1:1\n" },
        { "\xef\xbb\xbf", "" },
        { "\xef\xbb\xbf\n", "\n" },
        { "\xef\xbb\xbf\xef\xbb\xbfx", "\xef\xbb\xbfx" }, /* only one */
        { "\xef\xbb", "\xef\xbb" },
        { "\xef\xbbx\n", "\xef\xbbx\n" },
        { "1\n\xef\xbb\xbf", "1\n\xef\xbb\xbf" }, /* only at the beginning */
    };
    const size_t n = 2 * SOURCE_CHUNK + 5;
    char *text = lines(n, 80, 3);

    for (size_t i = 0; i < COUNT(cases); i++) {
        t_put("f", cases[i].bytes);
        delivers(opened("f"), cases[i].text, strlen(cases[i].text));
    }
    memcpy(text, "\xef\xbb\xbf", 3);
    assert_int_equal(t_put_bytes("f", text, n), 0);
    delivers(opened("f"), text + 3, n - 3);
    free(text);
}

TEST(what_was_peeked_at_is_delivered_again)
{
    static const size_t sizes[] = { 0, 4, 6, 1000, SOURCE_CHUNK, 2500000 };

    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t bom = 0; bom <= 3; bom += 3) {
            const size_t n = sizes[i];
            char *text = lines(n + bom, 60, i);
            const char *seen;
            size_t len;
            if (bom > 0) memcpy(text, "\xef\xbb\xbf", bom);
            assert_int_equal(t_put_bytes("f", text, n + bom), 0);
            struct source *s = opened("f");
            for (int k = 0; k < 2; k++) { /* as often as one likes */
                assert_int_equal(source_peek(s, &seen, &len, NULL), PERC_OK);
                assert_true(len == n || (len <= n && len >= SOURCE_CHUNK - 3));
                if (len > 0) assert_memory_equal(seen, text + bom, len);
            }
            delivers(s, text + bom, n);
            free(text);
        }
}

TEST(a_newline_in_quotes_ends_no_line)
{
    const size_t n = 4 * SOURCE_CHUNK;
    char *text = lines(n, 30, 5);
    struct chunk c = { .e = *env() };
    size_t at = 0;
    bool inside = false;

    for (size_t i = 1000; i + 3000 < n; i += 4096) text[i] = text[i + 1 + i % 2999] = '"';
    text[SOURCE_CHUNK - 500] = '"'; /* one cell across the end of a chunk */
    text[SOURCE_CHUNK + 70000] = '"';
    assert_int_equal(t_put_bytes("f", text, n), 0);
    struct source *s = opened("f");
    source_quotes(s, true);
    do {
        assert_int_equal(source_next(s, &c, NULL), PERC_OK);
        if (c.len > 0) check_chunk(&c, text + at, at + c.len == n);
        for (size_t i = 0; i < c.len; i++) inside ^= c.text[i] == '"';
        assert_false(inside && at + c.len < n); /* no chunk ends inside quotes */
        at += c.len;
    } while (c.len > 0);
    assert_int_equal(at, n);
    source_close(s);
    source_chunk_free(&c);
    free(text);
}

TEST(what_is_no_file_is_refused)
{
    struct source *s = (struct source *)(void *)&s;
    perc_error err = { 0 };

    assert_int_equal(source_open(env(), "absent", &s, &err), PERC_EIO);
    assert_null(s);
    assert_string_equal(err.text, "cannot open absent: No such file or directory");
    assert_refused(source_open(env(), ".", &s, &err), PERC_EIO, &err, "directory");
    source_close(NULL);
    t_put("locked", "1 1:1\n");
    assert_int_equal(chmod("locked", 0), 0);
    const uid_t me = geteuid(), nobody = 65534;
    if (me == 0 && (chmod(".", 0755) != 0 || seteuid(nobody) != 0)) { /* root may read all */
        print_message("running as root: permissions are not tried\n");
        return;
    }
    assert_int_equal(source_open(env(), "locked", &s, &err), PERC_EIO);
    assert_int_equal(seteuid(me), 0);
    assert_string_equal(err.text, "cannot open locked: Permission denied");
}

/* ----- pipes ---------------------------------------------------------------------------- */

struct writer {
    int fd; /* or -1: opens `path` */
    const char *path, *text;
    size_t n;
};

/* Writes in pieces of odd sizes, as a slow producer would. */
static void *write_all(void *ud)
{
    const struct writer *w = ud;
    struct rng r = rng_seed(9, w->n);
    const int fd = w->fd >= 0 ? w->fd : open(w->path, O_WRONLY);

    for (size_t at = 0; fd >= 0 && at < w->n;) {
        const size_t piece = 1 + (size_t)rng_below(&r, 100000), left = w->n - at;
        const ssize_t k = write(fd, w->text + at, piece < left ? piece : left);
        if (k < 0) break;
        at += (size_t)k;
    }
    if (fd >= 0) close(fd);
    return NULL;
}

TEST(a_pipe_reads_like_a_file)
{
    static const size_t sizes[] = { 0, 1, 6, 1000, SOURCE_CHUNK + 1, 3000000 };

    for (size_t i = 0; i < COUNT(sizes); i++)
        for (int named = 0; named < 2; named++) {
            char *text = lines(sizes[i], 100, 6), path[32] = "fifo";
            struct writer w = { -1, path, text, sizes[i] };
            int ends[2] = { -1, -1 };
            pthread_t id;
            if (named) {
                assert_int_equal(mkfifo(path, 0600), 0);
            } else {
                assert_int_equal(pipe(ends), 0);
                snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
                w.fd = ends[1];
            }
            assert_int_equal(pthread_create(&id, NULL, write_all, &w), 0);
            delivers(opened(path), text, sizes[i]);
            pthread_join(id, NULL);
            if (named) unlink(path);
            else close(ends[0]);
            free(text);
        }
}

/* ----- several readers ------------------------------------------------------------------- */

enum { READERS = 4, CHUNKS = 64 };

struct share {
    struct source *s;
    char *copy[CHUNKS]; /* by chunk number: each is written by one thread */
    size_t len[CHUNKS];
};

static void *take_chunks(void *ud)
{
    struct share *h = ud;
    struct chunk c = { .e = env_resolve(NULL) };

    while (source_next(h->s, &c, NULL) == PERC_OK && c.len > 0 && c.number < CHUNKS) {
        h->len[c.number] = c.len;
        if ((h->copy[c.number] = malloc(c.len)) != NULL) memcpy(h->copy[c.number], c.text, c.len);
    }
    source_chunk_free(&c);
    return NULL;
}

TEST(several_threads_share_the_chunks)
{
    const size_t n = 9 * SOURCE_CHUNK + 77;
    char *text = lines(n, 200, 8);
    struct share h = { .s = NULL };
    pthread_t id[READERS];
    size_t at = 0;

    assert_int_equal(t_put_bytes("f", text, n), 0);
    h.s = opened("f");
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&id[i], NULL, take_chunks, &h), 0);
    for (int i = 0; i < READERS; i++) pthread_join(id[i], NULL);
    for (int i = 0; i < CHUNKS && h.copy[i] != NULL; i++) {
        assert_memory_equal(h.copy[i], text + at, h.len[i]);
        at += h.len[i];
        free(h.copy[i]);
    }
    assert_int_equal(at, n);
    source_close(h.s);
    free(text);
}

/* ----- compressed ------------------------------------------------------------------------- */

#define SMALL "+1 1:1 2:0.5\n-1 2:3\n"

/* SMALL, as the usual programs write it. */
static const struct {
    const char *name, *bytes;
    size_t n;
} packed[] = {
    { "gzip",
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xd3\x36\x54\x30\xb4\x32\x54\x30\xb2\x32\xd0\x33"
      "\xe5\xd2\x05\x31\x8c\xb9\x00\x5b\xa0\xb0\x49\x14\x00\x00\x00",
      37 },
    { "bzip2",
      "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x5a\x05\x6e\x09\x00\x00\x02\xd8\x00\x00\x10\x40"
      "\x0b\x7a\x10\x20\x00\x31\x00\xd3\x4d\x04\x00\x7a\x81\xa2\xc2\x1d\x8c\x0a\xfb\xc3\x78\xbb"
      "\x92\x29\xc2\x84\x82\xd0\x2b\x70\x48",
      53 },
    { "xz",
      "\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x00\x21\x01\x1c\x00\x00\x00\x10\xcf"
      "\x58\xcc\x01\x00\x13\x2b\x31\x20\x31\x3a\x31\x20\x32\x3a\x30\x2e\x35\x0a\x2d\x31\x20\x32"
      "\x3a\x33\x0a\x00\x5b\xa0\xb0\x49\x00\x01\x28\x14\xfc\xcf\x01\x67\x90\x42\x99\x0d\x01\x00"
      "\x00\x00\x00\x01\x59\x5a",
      72 },
    { "zstd",
      "\x28\xb5\x2f\xfd\x20\x14\xa1\x00\x00\x2b\x31\x20\x31\x3a\x31\x20\x32\x3a\x30\x2e\x35\x0a"
      "\x2d\x31\x20\x32\x3a\x33\x0a",
      29 },
};
enum { PACKED = COUNT(packed) };

/* Whether this build can decompress; one that cannot says so. */
static bool can_decompress(void)
{
    struct source *s;
    perc_error err = { 0 };

    assert_int_equal(t_put_bytes("f", packed[0].bytes, packed[0].n), 0);
    const perc_status st = source_open(env(), "f", &s, &err);
    source_close(s);
    if (!st) return true;
    assert_int_equal(st, PERC_EDATA);
    assert_non_null(strstr(err.text, "this build reads plain files only"));
    print_message("built without libarchive: compressed files are not tried\n");
    return false;
}

TEST(compressed_files_are_told_by_content)
{
    if (!can_decompress()) return;
    for (int i = 0; i < PACKED; i++) {
        assert_int_equal(t_put_bytes("plain.svm", packed[i].bytes, packed[i].n),
                         0); /* whatever the name says */
        delivers(opened("plain.svm"), SMALL, strlen(SMALL));
    }
    char twice[200]; /* members one after the other are one text */
    memcpy(twice, packed[0].bytes, packed[0].n);
    memcpy(twice + packed[0].n, packed[0].bytes, packed[0].n);
    assert_int_equal(t_put_bytes("f", twice, 2 * packed[0].n), 0);
    delivers(opened("f"), SMALL SMALL, 2 * strlen(SMALL));
}

/* Cut anywhere, a compressed file is refused; or its text was complete, and what was
 * cut only a checksum or an index. */
TEST(truncated_files_are_refused)
{
    struct chunk c = { .e = *env() };

    if (!can_decompress()) return;
    for (int i = 0; i < PACKED; i++)
        for (size_t n = 6; n < packed[i].n; n++) {
            struct source *s;
            perc_error err = { 0 };
            if (n < 16 && strcmp(packed[i].name, "bzip2") == 0) continue; /* may be a text */
            assert_int_equal(t_put_bytes("f", packed[i].bytes, n), 0);
            perc_status st = source_open(env(), "f", &s, &err);
            if (!st) st = source_next(s, &c, &err);
            if (st) {
                assert_int_equal(st, PERC_EDATA);
                assert_non_null(strstr(err.text, "the compressed file is damaged or cut short: "));
            } else if (c.len != strlen(SMALL) || memcmp(c.text, SMALL, c.len) != 0) {
                fail_msg("%s cut to %zu bytes gives %zu characters", packed[i].name, n, c.len);
            }
            source_close(s);
        }
    source_chunk_free(&c);
}

TEST(text_that_begins_like_a_compressed_file_is_text)
{
    static const char text[] = "BZh1 1:1\nBZh2 2:1\n";

    if (!can_decompress()) return;
    assert_int_equal(t_put_bytes("f", text, strlen(text)), 0);
    delivers(opened("f"), text, strlen(text));
}

TEST(damaged_files_are_refused)
{
    struct chunk c = { .e = *env() };
    size_t refused = 0;

    if (!can_decompress()) return;
    for (int i = 0; i < PACKED; i++)
        for (size_t at = 6; at < packed[i].n; at++) {
            struct source *s;
            char bytes[100];
            memcpy(bytes, packed[i].bytes, packed[i].n);
            bytes[at] ^= 0x55;
            assert_int_equal(t_put_bytes("f", bytes, packed[i].n), 0);
            perc_status st = source_open(env(), "f", &s, NULL);
            if (!st) st = source_next(s, &c, NULL);
            assert_true(st == PERC_OK || st == PERC_EDATA); /* and no crash */
            refused += st != PERC_OK;
            source_close(s);
        }
    assert_true(refused > 80); /* those with a checksum nearly all */
    source_chunk_free(&c);
}

/* Several chunks, compressed by the program itself, read from a file and a pipe. */
TEST(large_compressed_files_come_in_chunks)
{
    const size_t n = 3 * SOURCE_CHUNK + 4321;
    char *text = lines(n, 300, 2), command[64];
    static char bytes[2 * SOURCE_CHUNK];

    if (!can_decompress()) return;
    assert_int_equal(t_put_bytes("text", text, n), 0);
    for (int i = 0; i < PACKED; i++) {
        snprintf(command, sizeof command, "%s -1 -q < text > z 2>/dev/null", packed[i].name);
        if (system(command) != 0) {
            print_message("no %s here: it is not tried\n", packed[i].name);
            continue;
        }
        delivers(opened("z"), text, n);
        const long size = t_get("z", bytes, sizeof bytes);
        assert_in_range(size, 100, sizeof bytes - 1);
        assert_int_equal(t_put_bytes("cut", bytes, (size_t)size - 20), 0);
        struct source *s;
        struct chunk c = { .e = *env() };
        perc_status st = source_open(env(), "cut", &s, NULL);
        while (!st && !(st = source_next(s, &c, NULL)) && c.len > 0) {
        }
        assert_int_equal(st, PERC_EDATA);
        source_close(s);
        source_chunk_free(&c);
    }
    free(text);
}

/* ----- memory -------------------------------------------------------------------------------- */

static perc_status read_all(const struct env *e, size_t *n)
{
    struct source *s;
    struct chunk c = { .e = *e };
    perc_error err = { 0 };
    perc_status st = source_open(e, "f", &s, &err);

    *n = 0;
    assert_true((st == PERC_OK) == (s != NULL));
    while (!st && !(st = source_next(s, &c, &err)) && c.len > 0) *n += c.len;
    assert_int_equal(err.status, st);
    source_chunk_free(&c);
    source_close(s);
    return st;
}

TEST(memory_may_run_out_anywhere)
{
    const size_t size = 5 * SOURCE_CHUNK;
    char *text = lines(size, 90, 4);
    size_t n = 0;

    memset(text + SOURCE_CHUNK, 'x', 5 * SOURCE_CHUNK / 2); /* so that chunk and tail grow */
    assert_int_equal(t_put_bytes("f", text, size), 0);
    for (struct t_sweep s = { .least = 5 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        const perc_status st = read_all(&e, &n);
        t_sweep_judge(&s, st);
    }
    assert_int_equal(n, size);
    free(text);
}
