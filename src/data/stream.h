/* stream.h -- the bytes of one file as text: as they stand, or unpacked (unpack.h); of UTF-16, as
 * UTF-8 (utf16.h). */
#ifndef PERC_STREAM_H
#define PERC_STREAM_H

#include "data/unpack.h"
#include "data/utf16.h"

struct stream { /* zeroed: none is open */
    const char *path;
    const struct watch *watch;
    bool open, ended;
    int fd;
    char head[UNPACK_HEAD]; /* the first bytes, unpacked, which told what the text is */
    size_t waiting;         /* of them that are still to be delivered, the last ones of `held` */
    size_t held;
    uint64_t given;        /* bytes of text so far */
    struct unpack *unpack; /* NULL: not compressed */
    struct utf16 *utf16;   /* NULL: UTF-8 */
};

/* `path` and `watch` (file_read) are kept by reference, and `out` stays where it is until it is
 * closed. After a failure nothing is open. */
perc_status stream_open(const struct env *e, const char *path, const struct watch *watch,
                        struct stream *out, perc_error *err);
/* Up to n bytes of text; fewer at its end only, and then it has ended. */
perc_status stream_fill(struct stream *s, char *buf, size_t n, size_t *got, perc_error *err);
uint64_t stream_place(const struct stream *s);     /* bytes of the file so far */
uint64_t stream_unchecked(const struct stream *s); /* bytes of text without a checksum */
void stream_close(struct stream *s);

#endif
