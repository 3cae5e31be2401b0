/* file.h -- whole files: read or map one, and write one so that a reader sees
 * the old content or the new, never a mixture. EINTR and short transfers are
 * handled here and nowhere else. */
#ifndef PERC_FILE_H
#define PERC_FILE_H

#include "base/utf8.h"
#include "base/watch.h"

/* ----- reading ---------------------------------------------------------- */

/* Opens for reading. PERC_EIO with a clear text for: no such file, a directory,
 * no permission. *fd is -1 on failure. "-" is standard input (fd 0). *size, where it is
 * asked for, is 0 if this is not a regular file. */
perc_status file_open(const char *path, int *fd, uint64_t *size, perc_error *err);
void file_close(int fd); /* leaves 0, 1 and 2 open; ignores -1 */
/* Reads up to n bytes, fewer only at the end of the file. *got may be 0. While there is nothing to
 * read, ten times a second, `watch` (NULL: nobody) is asked: PERC_EUNDECIDED where it says no. */
perc_status file_read(int fd, const char *path, const struct watch *watch, void *buf, size_t n,
                      size_t *got, perc_error *err);

/* Whether the path names a regular file (not a pipe, a device or nothing). */
bool file_is_regular(const char *path);
bool file_size(const char *path, uint64_t *size); /* the same, and its bytes, or 0 */

/* A whole file in memory. An empty one has size 0 and data that is not NULL. */
struct file_map {
    struct env e;
    const unsigned char *data;
    size_t size;
    bool mapped;
};
/* A copy that is ours: what is found to be right stays so, whatever becomes of the file. */
perc_status file_load(const struct env *e, const char *path, struct file_map *out, perc_error *err);
/* Mapped where possible, read otherwise (pipes, "-"): for callers who were promised that nobody
 * changes the file. Written to in place it changes under us; cut short, it kills us (SIGBUS). */
perc_status file_map(const struct env *e, const char *path, struct file_map *out, perc_error *err);
void file_unmap(struct file_map *m); /* either; safe on a zeroed struct */

/* ----- writing, all or nothing ------------------------------------------ */

/* Writes to PATH.perceptron-tmp-NN beside it (same permissions as an existing PATH,
 * 0666 & ~umask otherwise), then syncs and renames on commit. A path that is not
 * a regular file (a pipe, /dev/null) is written to directly; "-" is standard
 * output. On a terminal what could steer it is shown as '?' (utf8_tame), unless the caller takes
 * `terminal` back. A symbolic link is followed: its target is replaced, the link stays. A
 * file without write permission is refused. After an error, later calls return
 * the same status. Temporaries of PATH that killed runs have left are removed, those of
 * running ones are not: a lock tells them apart. */
struct file_out {
    struct env e;
    int fd, lock;       /* lock: holds that of temp between close and rename */
    char *path, *temp;  /* temp NULL: written directly */
    unsigned char *buf; /* collects small writes */
    size_t n;
    uint64_t written;
    bool terminal; /* what could steer it is shown as '?' */
    struct utf8_tame tame;
    perc_status status;
    int error; /* errno of the first failure */
};
perc_status file_create(const struct env *e, const char *path, struct file_out *f, perc_error *err);
perc_status file_write(struct file_out *f, const void *p, size_t n, perc_error *err);
/* Writes out what is in the buffer. */
perc_status file_flush(struct file_out *f, perc_error *err);
/* Flush, fsync, close, rename, fsync the directory. On failure the temporary is
 * removed and the old file is untouched; only when the very last step fails is
 * the new file there, complete, but perhaps not yet safe from a power cut. Frees
 * f's memory either way. */
perc_status file_commit(struct file_out *f, perc_error *err);
/* Of n files, together: none is renamed before all are on disk. */
perc_status file_commit_all(struct file_out *f, size_t n, perc_error *err);
void file_abort(struct file_out *f); /* safe on a zeroed struct and after commit */

#endif
