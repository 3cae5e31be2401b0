/* test_source.c -- bytes in, chunks of whole lines out: from files and pipes of every
 * awkward size. Compressed files are in test_unpack.c. */
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

    if (source_open(env(), path, NULL, &s, &err)) fail_msg("%s: %s", path, err.text);
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

static void put_newline(const char *name, size_t at)
{
    const int fd = open(name, O_WRONLY);

    assert_int_equal(pwrite(fd, "\n", 1, (off_t)at), 1);
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
    source_quotes(s, '"');
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
                assert_int_equal(source_peek(s, 0, &seen, &len, NULL), PERC_OK);
                assert_true(len == n || (len <= n && len >= SOURCE_CHUNK - 3));
                if (len > 0) assert_memory_equal(seen, text + bom, len);
            }
            delivers(s, text + bom, n);
            free(text);
        }
}

/* As many lines as are asked for, and no part of one. */
TEST(lines_longer_than_a_chunk_can_be_peeked_at)
{
    static const struct {
        size_t first, second, lines, seen; /* lengths of lines; asked for; seen */
    } cases[] = {
        { 10, 10, 2, 2 },
        { 3 * SOURCE_CHUNK, 10, 1, 2 }, /* the second was in sight */
        { 3 * SOURCE_CHUNK, 5 * SOURCE_CHUNK, 2, 2 },
        { 10, 5 * SOURCE_CHUNK, 1, 1 },
        { 10, 5 * SOURCE_CHUNK, 2, 2 },
        { 10, SOURCE_LINE_MAX + 10, 2, 1 }, /* too long, as will be told when it is its turn */
        { SOURCE_LINE_MAX + 10, 10, 2, 0 },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const size_t ends[] = { cases[i].first, cases[i].first + 1 + cases[i].second };
        const size_t n = ends[1] + 20 * (size_t)SOURCE_CHUNK; /* the end is not in sight */
        const char *seen;
        size_t len;
        perc_error err = { 0 };
        put_hole("f", n);
        for (int k = 0; k < 2; k++) put_newline("f", ends[k]);
        struct source *s = opened("f");
        const perc_status st = source_peek(s, cases[i].lines, &seen, &len, &err);
        if (cases[i].seen == 0) {
            assert_refused_at(st, PERC_EDATA, &err, 1, 0, "a line of more than 64 MB");
        } else {
            assert_int_equal(st, PERC_OK);
            assert_int_equal(len, ends[cases[i].seen - 1] + 1);
        }
        source_close(s);
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
    source_quotes(s, '"');
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

    assert_int_equal(source_open(env(), "absent", NULL, &s, &err), PERC_EIO);
    assert_null(s);
    assert_string_equal(err.text, "cannot open absent: No such file or directory");
    assert_refused(source_open(env(), ".", NULL, &s, &err), PERC_EIO, &err, "directory");
    source_close(NULL);
    t_put("locked", "1 1:1\n");
    assert_int_equal(chmod("locked", 0), 0);
    const uid_t me = geteuid(), nobody = 65534;
    if (me == 0 && (chmod(".", 0755) != 0 || seteuid(nobody) != 0)) { /* root may read all */
        print_message("running as root: permissions are not tried\n");
        return;
    }
    assert_int_equal(source_open(env(), "locked", NULL, &s, &err), PERC_EIO);
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

/* ----- memory -------------------------------------------------------------------------------- */

static perc_status read_all(const struct env *e, size_t *n)
{
    struct source *s;
    struct chunk c = { .e = *e };
    perc_error err = { 0 };
    perc_status st = source_open(e, "f", NULL, &s, &err);

    *n = 0;
    assert_true((st == PERC_OK) == (s != NULL));
    while (!st && !(st = source_next(s, &c, &err)) && c.len > 0) *n += c.len;
    assert_int_equal(err.status, st);
    source_chunk_free(&c);
    source_close(s);
    return st;
}

TEST(memory_may_run_out_under_a_peek)
{
    put_hole("f", 5 * SOURCE_CHUNK);
    for (struct t_sweep s = { .least = 4 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct source *source;
        const char *seen;
        size_t len;
        perc_status st = source_open(&e, "f", NULL, &source, NULL);
        if (!st) st = source_peek(source, 1, &seen, &len, NULL);
        source_close(source);
        t_sweep_judge(&s, st);
    }
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
