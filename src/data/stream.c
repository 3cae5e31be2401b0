/* stream.c -- the bytes of one file as text. See stream.h. */
#include "data/stream.h"

#include <string.h>

#include "base/file.h"

/* Up to n bytes of the file, unpacked; fewer at its end only. */
static perc_status next_bytes(void *ud, char *buf, size_t n, size_t *got, perc_error *err)
{
    struct stream *s = ud;
    const size_t first = s->waiting < n ? s->waiting : n;
    perc_status st = PERC_OK;

    memcpy(buf, s->head + s->held - s->waiting, first);
    s->waiting -= first;
    *got = 0;
    if (first < n && s->held == UNPACK_HEAD)
        st = s->unpack != NULL
                 ? unpack_fill(s->unpack, buf + first, n - first, got, err)
                 : file_read(s->fd, s->path, s->watch, buf + first, n - first, got, err);
    *got += first;
    return st;
}

/* Reads the first bytes and tells whether they are compressed, and how characters are. */
static perc_status tell(const struct env *e, struct stream *s, perc_error *err)
{
    perc_status st = file_read(s->fd, s->path, s->watch, s->head, UNPACK_HEAD, &s->held, err);

    if (!st) st = unpack_open(e, s->fd, s->path, s->watch, s->head, s->held, &s->unpack, err);
    if (!st && s->unpack != NULL) st = unpack_fill(s->unpack, s->head, UNPACK_HEAD, &s->held, err);
    if (!st) st = utf16_open(e, s->head, s->held, next_bytes, s, &s->utf16, err);
    if (!st && s->utf16 == NULL) s->waiting = s->held;
    return st;
}

perc_status stream_open(const struct env *e, const char *path, const struct watch *watch,
                        struct stream *out, perc_error *err)
{
    perc_status st;

    *out = (struct stream){ .path = path, .watch = watch };
    if ((st = file_open(path, &out->fd, NULL, err))) return st;
    out->open = true;
    if ((st = tell(e, out, err))) stream_close(out);
    return st;
}

perc_status stream_fill(struct stream *s, char *buf, size_t n, size_t *got, perc_error *err)
{
    perc_status st;

    *got = 0;
    if (s->ended || n == 0) return PERC_OK;
    st = s->utf16 != NULL ? utf16_fill(s->utf16, buf, n, got, err)
                          : next_bytes(s, buf, n, got, err);
    s->given += *got;
    s->ended = *got < n;
    return st;
}

uint64_t stream_place(const struct stream *s)
{
    return s->unpack != NULL  ? unpack_place(s->unpack)
           : s->utf16 != NULL ? utf16_place(s->utf16)
                              : s->given;
}

uint64_t stream_unchecked(const struct stream *s)
{
    return s->unpack != NULL ? unpack_unchecked(s->unpack) : 0;
}

void stream_close(struct stream *s)
{
    utf16_close(s->utf16);
    unpack_close(s->unpack);
    if (s->open) file_close(s->fd);
    *s = (struct stream){ .open = false };
}
