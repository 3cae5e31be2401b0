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
#include "data/unpack.h"

struct source {
    struct env e;
    const char *path;
    const struct watch *watch;
    int fd;
    char *carry; /* bytes that belong to the next chunk */
    size_t carried, carry_cap;
    uint64_t next, bytes;
    uint64_t size; /* of the file; 0: not known */
    bool eof, begun, marked, quotes, failed;
    pthread_mutex_t lock;
    struct unpack *unpack; /* NULL: plain */
    pthread_mutex_t told;  /* guards what follows, of the chunks so far: who asks is told at once */
    uint64_t delivered, place, unchecked;
};

void source_chunk_free(struct chunk *c)
{
    mem_free(&c->e, c->text, c->cap, 1);
    *c = (struct chunk){ .e = c->e };
}

/* ----- reading -------------------------------------------------------------- */

/* Reads the first bytes and tells whether they are compressed. */
static perc_status begin_text(struct source *s, perc_error *err)
{
    size_t got;
    perc_status st = file_read(s->fd, s->path, s->watch, s->carry, UNPACK_HEAD, &got, err);

    if (!st) st = unpack_open(&s->e, s->fd, s->path, s->watch, s->carry, got, &s->unpack, err);
    if (st || s->unpack != NULL) return st;
    s->eof = got < UNPACK_HEAD;
    s->carried = got;
    return PERC_OK;
}

perc_status source_open(const struct env *e, const char *path, const struct watch *watch,
                        struct source **out, perc_error *err)
{
    struct source *s = mem_zeroed(e, 1, sizeof *s);
    perc_status st;

    *out = NULL;
    if (s == NULL) return fail_memory(err);
    s->e = *e;
    s->path = path;
    s->watch = watch;
    s->fd = -1;
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
    st = s->carry == NULL ? fail_memory(err) : PERC_OK;
    if (!st) st = file_open(path, &s->fd, &s->size, err);
    if (!st) st = begin_text(s, err);
    if (st) {
        source_close(s);
        return st;
    }
    *out = s;
    return PERC_OK;
}

void source_close(struct source *s)
{
    if (s == NULL) return;
    const struct env e = s->e;
    unpack_close(s->unpack);
    file_close(s->fd);
    mem_free(&e, s->carry, s->carry_cap, 1);
    pthread_mutex_destroy(&s->told);
    pthread_mutex_destroy(&s->lock);
    mem_free(&e, s, 1, sizeof *s);
}

/* Reads up to n bytes; fewer at the end of the text only. */
static perc_status fill_bytes(struct source *s, char *buf, size_t n, size_t *got, perc_error *err)
{
    perc_status st;

    *got = 0;
    if (s->eof || n == 0) return PERC_OK;
    st = s->unpack != NULL ? unpack_fill(s->unpack, buf, n, got, err)
                           : file_read(s->fd, s->path, s->watch, buf, n, got, err);
    if (!st && *got < n) s->eof = true;
    return st;
}

static perc_status line_too_long(const struct source *s, perc_error *err)
{
    return fail_at(err, PERC_EDATA, 1, 0, "a line of more than %d MB%s",
                   (int)(SOURCE_LINE_MAX >> 20),
                   s->quotes ? " (is a closing quote missing?)" : " (is this text?)");
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
        if (s->eof || want >= most || has_lines(s->carry, end, lines)) return PERC_OK;
        want = 2 * want < most ? 2 * want : most;
    }
}

perc_status source_peek(struct source *s, size_t lines, const char **text, size_t *len,
                        perc_error *err)
{
    const perc_status st = see_lines(s, lines, err);

    if (st) return st;
    if (!s->begun && s->carried >= 3 && memcmp(s->carry, "\xef\xbb\xbf", 3) == 0) {
        s->carried -= 3; /* a byte order mark says only "UTF-8" */
        memmove(s->carry, s->carry + 3, s->carried);
        s->marked = true;
    }
    s->begun = true;
    *text = s->carry;
    *len = s->carried;
    if (lines == 0 || s->eof) return PERC_OK;
    const char *end = last_newline(s->carry, s->carry + s->carried);
    if (end == NULL) return line_too_long(s, err);
    *len = (size_t)(end + 1 - s->carry);
    return PERC_OK;
}

bool source_marked(const struct source *s)
{
    return s->marked;
}

void source_quotes(struct source *s, bool quotes)
{
    s->quotes = quotes;
}

/* The last line end in the text that is not inside quotes; NULL if none. */
static const char *last_end(const char *p, const char *end, bool quotes)
{
    const char *found = NULL, *q;

    if (!quotes || memchr(p, '"', (size_t)(end - p)) == NULL) return last_newline(p, end);
    for (bool inside = false; p < end; inside = !inside, p = q + 1) {
        q = memchr(p, '"', (size_t)(end - p));
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
        if (s->eof) return PERC_OK; /* the rest of the text, line end or not */
        if ((end = last_end(c->text, c->text + c->len, s->quotes)) != NULL) break;
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

static void tell_counts(struct source *s)
{
    pthread_mutex_lock(&s->told);
    s->delivered = s->bytes;
    s->place = s->unpack != NULL ? unpack_place(s->unpack) : s->bytes;
    s->unchecked = s->unpack != NULL ? unpack_unchecked(s->unpack) : 0;
    pthread_mutex_unlock(&s->told);
}

perc_status source_next(struct source *s, struct chunk *c, perc_error *err)
{
    const char *text;
    perc_status st = PERC_OK;
    size_t len;

    pthread_mutex_lock(&s->lock);
    c->len = 0;
    c->number = s->next++;
    if (!s->failed) { /* after an error there is nothing more */
        if (!s->begun) st = source_peek(s, 0, &text, &len, err);
        if (!st) st = next_lines(s, c, err);
        s->failed = st != PERC_OK;
        s->bytes += c->len;
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
    const uint64_t n = s->unchecked;
    pthread_mutex_unlock(&s->told);
    return n;
}
