/* unpack.h -- compressed bytes in, text out: .gz, .bz2, .xz and .zst.
 *
 * The format is told from the first bytes. What comes out was checked: a bit that
 * flipped, a file cut short, bytes after the end, a second member that is broken are
 * refused with their place in the compressed file. Members one after the other are one
 * text. Where a file has no checksum (.zst and .xz may do without), unpack_unchecked
 * says how much of the text had none. */
#ifndef PERC_UNPACK_H
#define PERC_UNPACK_H

#include "base/watch.h"

enum {
    UNPACK_HEAD = 10,   /* first bytes that tell the format */
    UNPACK_WINDOW = 27, /* a file may ask for 2^27 bytes of memory, as zstd's own program allows */
};

struct unpack;

/* The file with these first n bytes, fewer than UNPACK_HEAD only if it has no more; *out is
 * NULL if it is not compressed. `path` and `watch` (file_read) are kept by reference. */
perc_status unpack_open(const struct env *e, int fd, const char *path, const struct watch *watch,
                        const void *head, size_t n, struct unpack **out, perc_error *err);
/* Up to n bytes of text; fewer at its end only. Not to be called again after an error. */
perc_status unpack_fill(struct unpack *u, void *buf, size_t n, size_t *got, perc_error *err);
/* Bytes of text so far that no checksum stands for. */
uint64_t unpack_unchecked(const struct unpack *u);
uint64_t unpack_place(const struct unpack *u); /* bytes of the file so far */
void unpack_close(struct unpack *u);           /* NULL is fine */

/* ----- for unpack_formats.c ------------------------------------------------------- */

/* A file on its way through a library. */
struct unpack {
    struct env e;
    const struct unpack_format *format;
    void *state; /* the library's, format->size bytes, first all 0 */
    const unsigned char *in;
    size_t left; /* bytes at `in` that wait to be unpacked */
    char *out;
    size_t room;     /* where text is wanted */
    bool ended;      /* nothing follows what is at `in` */
    bool loose;      /* the member has no checksum */
    bool inside;     /* of a member */
    const char *why; /* STEP_DAMAGED: what is wrong */
    int fd;
    const char *path;
    const struct watch *watch;
    unsigned char *buf;
    uint64_t read, unchecked; /* bytes of the file; of text without a checksum */
};

enum unpack_step { STEP_ON, STEP_END, STEP_DAMAGED, STEP_MEMORY, STEP_LARGE };

struct unpack_format {
    const char *name, *ending;
    bool zeros;  /* zeros may follow the last member, to fill a block of a tape */
    size_t size; /* of the state; 0: not in this build */
    enum unpack_step (*begin)(struct unpack *u); /* a member, whose first bytes are at `in` */
    enum unpack_step (*step)(struct unpack *u);  /* STEP_END: the member is complete and right */
    void (*close)(struct unpack *u);
};
extern const struct unpack_format unpack_gzip, unpack_bzip2, unpack_xz, unpack_zstd;

/* Memory of the library's allocator, for callers who do not know sizes when they free. */
void *unpack_take(const struct unpack *u, size_t n, size_t size);
void unpack_give(const struct unpack *u, void *p); /* NULL is fine */

#endif
