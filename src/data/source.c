/* source.c -- bytes in, chunks of whole lines out.
 *
 * Under one lock: the tail of the last chunk is copied to the front of the new
 * one, the rest is read after it, and the new tail (what follows the last line
 * end) is kept for the next. Reading from the page cache or decompressing is
 * serial; parsing, which costs ten times as much, runs outside the lock. */
#include "data/source.h"

#include <string.h>

#include "base/file.h"
#include "base/pthreads.h"
#include "data/stream.h"

struct source {
    struct env e;
    const char *one; /* source_open: the path */
    const char *const *path;
    size_t paths, at; /* the file that is open, or comes next; all: they have ended */
    struct stream in; /* the open one */
    const struct watch *watch;
    char *carry; /* bytes that belong to its next chunk */
    size_t carried, carry_cap;
    uint64_t next, bytes;
    uint64_t size;              /* of all files; 0: not known */
    uint64_t passed, unchecked; /* bytes of those before this one; of their text, unchecked */
    bool begun;                 /* the open file's mark, if it had one, is off */
    bool fresh;                 /* nothing of it was delivered */
    bool marked, recoded, failed;
    char quote;    /* 0: none */
    int64_t lines; /* of the open file, delivered so far; of UTF-16 alone */
    pthread_mutex_t lock;
    pthread_mutex_t told; /* guards what follows, of the chunks so far: who asks is told at once */
    uint64_t delivered, place, loose;
};

void source_chunk_free(struct chunk *c)
{
    mem_free(&c->e, c->text, c->cap, 1);
    *c = (struct chunk){ .e = c->e };
}

/* ----- reading -------------------------------------------------------------- */

/* How many bytes the files have. */
static uint64_t count_bytes(const struct source *s)
{
    uint64_t sum = 0, size;

    for (size_t i = 0; i < s->paths; i++) {
        if (!file_size(s->path[i], &size)) return 0;
        sum += size;
    }
    return sum;
}

/* Opens the file whose turn it is. */
static perc_status open_next(struct source *s, perc_error *err)
{
    const perc_status st = stream_open(&s->e, s->path[s->at], s->watch, &s->in, err);

    s->begun = false;
    s->fresh = true;
    s->lines = 0;
    s->recoded = s->recoded || s->in.utf16 != NULL;
    return st;
}

static perc_status make_source(const struct env *e, const struct watch *watch, struct source **out,
                               perc_error *err)
{
    struct source *s = mem_zeroed(e, 1, sizeof *s);

    if (s == NULL) return fail_memory(err);
    s->e = *e;
    s->watch = watch;
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        mem_free(e, s, 1, sizeof *s);
        return fail_memory(err);
    }
    if (pthread_mutex_init(&s->told, NULL) != 0) {
        pthread_mutex_destroy(&s->lock);
        mem_free(e, s, 1, sizeof *s);
        return fail_memory(err);
    }
    s->carry_cap = SOURCE_CHUNK;
    s->carry = mem_array(e, s->carry_cap, 1);
    *out = s;
    return s->carry == NULL ? fail_memory(err) : PERC_OK;
}

static perc_status begin_source(struct source *s, const char *const *path, size_t n,
                                perc_error *err)
{
    s->path = path;
    s->paths = n;
    s->size = count_bytes(s);
    return open_next(s, err);
}

perc_status source_open_all(const struct env *e, const char *const *path, size_t n,
                            const struct watch *watch, struct source **out, perc_error *err)
{
    struct source *s = NULL;
    perc_status st = make_source(e, watch, &s, err);

    *out = NULL;
    if (!st) st = begin_source(s, path, n, err);
    if (st) source_close(s);
    else *out = s;
    return st;
}

perc_status source_open(const struct env *e, const char *path, const struct watch *watch,
                        struct source **out, perc_error *err)
{
    struct source *s = NULL;
    perc_status st = make_source(e, watch, &s, err);

    *out = NULL;
    if (!st) {
        s->one = path;
        st = begin_source(s, &s->one, 1, err);
    }
    if (st) source_close(s);
    else *out = s;
    return st;
}

void source_close(struct source *s)
{
    if (s == NULL) return;
    const struct env e = s->e;
    stream_close(&s->in);
    mem_free(&e, s->carry, s->carry_cap, 1);
    pthread_mutex_destroy(&s->told);
    pthread_mutex_destroy(&s->lock);
    mem_free(&e, s, 1, sizeof *s);
}

/* Passes on to the next file, if there is one. */
static perc_status pass_on(struct source *s, bool *more, perc_error *err)
{
    *more = s->at + 1 < s->paths;
    if (!*more) return PERC_OK;
    s->passed += stream_place(&s->in);
    s->unchecked += stream_unchecked(&s->in);
    stream_close(&s->in);
    s->at++;
    return open_next(s, err);
}

/* Up to n bytes of the open file. Its errors have lines of the file, and readers count those of
 * chunks. */
static perc_status fill_bytes(struct source *s, char *buf, size_t n, size_t *got, perc_error *err)
{
    const perc_status st = stream_fill(&s->in, buf, n, got, err);

    if (st && err != NULL && err->line > s->lines) err->line -= s->lines;
    return st;
}

/* Takes the mark off the beginning of the file. */
static perc_status begin_file(struct source *s, perc_error *err)
{
    perc_status st;

    if (s->begun) return PERC_OK;
    if ((st = fill_bytes(s, s->carry, UNPACK_HEAD, &s->carried, err))) return st;
    if (s->carried >= 3 && memcmp(s->carry, "\xef\xbb\xbf", 3) == 0) {
        s->carried -= 3; /* a byte order mark says only "UTF-8" */
        memmove(s->carry, s->carry + 3, s->carried);
        s->marked = s->marked || s->next == 0;
    }
    s->begun = true;
    return PERC_OK;
}

/* The first file that is not empty. */
static perc_status begin_text(struct source *s, perc_error *err)
{
    bool more = true;
    perc_status st = begin_file(s, err);

    while (!st && more && s->next == 0 && s->carried == 0 && s->in.ended)
        if (!(st = pass_on(s, &more, err)) && more) st = begin_file(s, err);
    return st;
}

static perc_status line_too_long(const struct source *s, perc_error *err)
{
    return fail_at(err, PERC_EDATA, 1, 0, "a line of more than %d MB%s",
                   (int)(SOURCE_LINE_MAX >> 20),
                   s->quote != '\0' ? " (is a closing quote missing?)" : " (is this text?)");
}

static const char *last_newline(const char *p, const char *end)
{
    while (end > p)
        if (*--end == '\n') return end;
    return NULL;
}

static bool has_lines(const char *p, const char *end, size_t n)
{
    for (; n > 0 && p != NULL; n--)
        if ((p = memchr(p, '\n', (size_t)(end - p))) != NULL) p++;
    return p != NULL;
}

/* Reads on until so many lines are there, if each is short enough. */
static perc_status see_lines(struct source *s, size_t lines, perc_error *err)
{
    size_t want = SOURCE_CHUNK, got;
    perc_status st;

    for (;;) {
        if (want < s->carried) want = s->carried;
        if (!MEM_GROW(&s->e, s->carry, &s->carry_cap, want)) return fail_memory(err);
        if ((st = fill_bytes(s, s->carry + s->carried, want - s->carried, &got, err))) return st;
        s->carried += got;
        const char *end = s->carry + s->carried, *last = last_newline(s->carry, end);
        const size_t most = (last != NULL ? (size_t)(last + 1 - s->carry) : 0) + SOURCE_LINE_MAX;
        if (s->in.ended || want >= most || has_lines(s->carry, end, lines)) return PERC_OK;
        want = 2 * want < most ? 2 * want : most;
    }
}

perc_status source_peek(struct source *s, size_t lines, const char **text, size_t *len,
                        perc_error *err)
{
    perc_status st = begin_text(s, err);

    if (!st) st = see_lines(s, lines, err);
    if (st) return st;
    *text = s->carry;
    *len = s->carried;
    if (lines == 0 || s->in.ended) return PERC_OK;
    const char *end = last_newline(s->carry, s->carry + s->carried);
    if (end == NULL) return line_too_long(s, err);
    *len = (size_t)(end + 1 - s->carry);
    return PERC_OK;
}

bool source_marked(const struct source *s)
{
    return s->marked;
}

bool source_recoded(const struct source *s)
{
    return s->recoded;
}

void source_quotes(struct source *s, char quote)
{
    s->quote = quote;
}

/* The last line end in the text that is not inside quotes; NULL if none. */
static const char *last_end(const char *p, const char *end, char quote)
{
    const char *found = NULL, *q;

    if (quote == '\0' || memchr(p, quote, (size_t)(end - p)) == NULL) return last_newline(p, end);
    for (bool inside = false; p < end; inside = !inside, p = q + 1) {
        q = memchr(p, quote, (size_t)(end - p));
        if (q == NULL) q = end;
        const char *n = inside ? NULL : last_newline(p, q);
        if (n != NULL) found = n;
    }
    return found;
}

static bool reserve_text(struct chunk *c, size_t n)
{
    void *p = c->text;

    if (!mem_grow(&c->e, &p, &c->cap, n + SOURCE_PAD, 1)) return false;
    c->text = p;
    return true;
}

static perc_status next_lines(struct source *s, struct chunk *c, perc_error *err)
{
    size_t want = SOURCE_CHUNK, got;
    const char *end;
    perc_status st;

    if (s->carried > want) want = s->carried;
    if (!reserve_text(c, want)) return fail_memory(err);
    memcpy(c->text, s->carry, s->carried);
    c->len = s->carried;
    s->carried = 0;
    for (;;) {
        if ((st = fill_bytes(s, c->text + c->len, want - c->len, &got, err))) return st;
        c->len += got;
        if (s->in.ended) return PERC_OK; /* the rest of the text, line end or not */
        if ((end = last_end(c->text, c->text + c->len, s->quote)) != NULL) break;
        if (want >= SOURCE_LINE_MAX) return line_too_long(s, err);
        want = 2 * want < SOURCE_LINE_MAX ? 2 * want : SOURCE_LINE_MAX;
        if (!reserve_text(c, want)) return fail_memory(err);
    }
    /* What follows the last line end is kept for the next chunk. */
    const size_t whole = (size_t)(end + 1 - c->text), tail = c->len - whole;
    void *p = s->carry;
    if (!mem_grow(&s->e, &p, &s->carry_cap, tail, 1)) return fail_memory(err);
    s->carry = p;
    memcpy(s->carry, end + 1, tail);
    s->carried = tail;
    c->len = whole;
    return PERC_OK;
}

/* The next lines, of this file or the one after it. */
static perc_status next_chunk(struct source *s, struct chunk *c, perc_error *err)
{
    bool more = true;
    perc_status st = PERC_OK;

    while (!st && more && c->len == 0) {
        st = begin_file(s, err);
        if (!st) st = next_lines(s, c, err);
        c->begins = s->fresh;
        if (!st && c->len == 0) st = pass_on(s, &more, err);
    }
    s->fresh = s->fresh && c->len == 0;
    c->file = s->at;
    return st;
}

static int64_t count_lines(const char *p, size_t len)
{
    const char *const end = p + len;
    int64_t n = 0;

    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) p++, n++;
    return n;
}

static void tell_counts(struct source *s)
{
    pthread_mutex_lock(&s->told);
    s->delivered = s->bytes;
    s->place = s->passed + stream_place(&s->in);
    s->loose = s->unchecked + stream_unchecked(&s->in);
    pthread_mutex_unlock(&s->told);
}

perc_status source_next(struct source *s, struct chunk *c, perc_error *err)
{
    perc_status st = PERC_OK;

    pthread_mutex_lock(&s->lock);
    c->len = 0;
    c->number = s->next++;
    if (!s->failed) { /* after an error there is nothing more */
        st = next_chunk(s, c, err);
        s->failed = st != PERC_OK;
        s->bytes += c->len;
        if (s->in.utf16 != NULL) s->lines += count_lines(c->text, c->len);
        tell_counts(s);
    }
    pthread_mutex_unlock(&s->lock);
    if (c->text != NULL) memset(c->text + c->len, '\n', SOURCE_PAD);
    return st;
}

uint64_t source_bytes(struct source *s)
{
    pthread_mutex_lock(&s->told);
    const uint64_t n = s->delivered;
    pthread_mutex_unlock(&s->told);
    return n;
}

uint64_t source_place(struct source *s, uint64_t *of)
{
    pthread_mutex_lock(&s->told);
    const uint64_t n = s->place;
    pthread_mutex_unlock(&s->told);
    *of = s->size;
    return n < s->size || s->size == 0 ? n : s->size;
}

uint64_t source_unchecked(struct source *s)
{
    pthread_mutex_lock(&s->told);
    const uint64_t n = s->loose;
    pthread_mutex_unlock(&s->told);
    return n;
}

size_t source_file(const struct source *s)
{
    return s->at;
}
