/* source.h -- bytes in, chunks of whole lines out.
 *
 * Files, pipes or standard input, each plain or compressed (stream.h), one after the other as
 * one text. A chunk is of one file: the last line of each is complete without a line end, and a
 * byte order mark is taken off each. Text is read, not mapped: a file
 * that another process shortens would kill a mapped reader, reading costs
 * little beside parsing, and what was parsed takes no memory. */
#ifndef PERC_SOURCE_H
#define PERC_SOURCE_H

#include "base/watch.h"

enum {
    SOURCE_CHUNK = 1 << 20, /* bytes asked for at a time: fits the second-level cache */
    SOURCE_PAD = 64         /* readable bytes after a chunk's end, so that a parser
                               may load wide words; they hold '\n' */
};
#define SOURCE_LINE_MAX ((size_t)PERC_LINE_MAX)

struct source;

struct chunk {
    struct env e;
    char *text;      /* whole lines; the last chunk may lack the last newline */
    size_t len, cap; /* cap counts the pad */
    uint64_t number; /* 0, 1, 2, ... in file order */
    size_t file;     /* which it is of, from 0 */
    bool begins;     /* it is the first of its file */
};

/* A text in UTF-16 is delivered in UTF-8 (utf16.h). `path` and `watch` are kept by reference until
 * source_close; who waits for text asks it (file_read). */
perc_status source_open(const struct env *e, const char *path, const struct watch *watch,
                        struct source **out, perc_error *err);
/* The same for n files in this order; the list is kept by reference, too. A file is opened when its
 * turn comes. */
perc_status source_open_all(const struct env *e, const char *const *path, size_t n,
                            const struct watch *watch, struct source **out, perc_error *err);
/* The beginning of the first file that is not empty, which is delivered again later: whole lines,
 * at least so many where there are as many; with 0, what a chunk holds of it, cut anywhere. A BOM
 * is taken off. Valid until the next call. */
perc_status source_peek(struct source *s, size_t lines, const char **text, size_t *len,
                        perc_error *err);
bool source_marked(const struct source *s);  /* after a peek: it had a BOM */
bool source_recoded(const struct source *s); /* it is UTF-16 */
/* A newline between two of these does not end a line (CSV); 0: each does. Before the first
 * source_next. */
void source_quotes(struct source *s, char quote);
/* The next chunk; len 0 at the end. Several threads may call it at once. */
perc_status source_next(struct source *s, struct chunk *c, perc_error *err);
uint64_t source_bytes(struct source *s); /* text delivered so far */
/* Bytes of the files that were read so far, and how many there are; 0: not known. */
uint64_t source_place(struct source *s, uint64_t *of);
uint64_t source_unchecked(struct source *s); /* of it, compressed without a checksum */
size_t source_file(const struct source *s);  /* which is being read: after a peek, or an error */
void source_close(struct source *s);         /* NULL is fine */
void source_chunk_free(struct chunk *c);

#endif
