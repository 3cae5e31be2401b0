/* stream.c -- the bytes of one file as text. See stream.h. */
#include "data/stream.h"

#include <string.h>

#include "base/file.h"

perc_status stream_open(const struct env *e, const char *path, struct stream *out, perc_error *err)
{
    struct stream s = { .path = path, .open = true };
    perc_status st = file_open(path, &s.fd, NULL, err);

    *out = (struct stream){ .open = false };
    if (st) return st;
    st = file_read(s.fd, path, s.head, UNPACK_HEAD, &s.held, err);
    if (!st) st = unpack_open(e, s.fd, path, s.head, s.held, &s.unpack, err);
    if (st) {
        file_close(s.fd);
        return st;
    }
    s.waiting = s.unpack == NULL ? s.held : 0;
    *out = s;
    return PERC_OK;
}

perc_status stream_fill(struct stream *s, char *buf, size_t n, size_t *got, perc_error *err)
{
    const size_t first = s->waiting < n ? s->waiting : n;
    perc_status st = PERC_OK;

    *got = 0;
    if (s->ended || n == 0) return PERC_OK;
    memcpy(buf, s->head + s->held - s->waiting, first);
    s->waiting -= first;
    if (s->unpack != NULL) st = unpack_fill(s->unpack, buf, n, got, err);
    else if (first < n && s->held == UNPACK_HEAD)
        st = file_read(s->fd, s->path, buf + first, n - first, got, err);
    *got += first;
    s->given += *got;
    s->ended = *got < n;
    return st;
}

uint64_t stream_place(const struct stream *s)
{
    return s->unpack != NULL ? unpack_place(s->unpack) : s->given;
}

uint64_t stream_unchecked(const struct stream *s)
{
    return s->unpack != NULL ? unpack_unchecked(s->unpack) : 0;
}

void stream_close(struct stream *s)
{
    unpack_close(s->unpack);
    if (s->open) file_close(s->fd);
    *s = (struct stream){ .open = false };
}
