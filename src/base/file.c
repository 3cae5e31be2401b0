/* file.c -- whole files: read or map one, write one all or nothing.
 *
 * Writing.  A model that took an hour must not be lost because the disk filled up
 * while the next one was saved. So the new content goes to a temporary file in the
 * same directory, is synced, and takes the old name in one rename(), which POSIX
 * makes atomic: a reader, or a machine that lost power, finds the old file or the
 * new one. The directory is synced last, so that the rename itself is on disk.
 *
 *     open TEMP -> lock -> write ... -> fsync -> close -> rename TEMP PATH -> fsync DIR
 *
 * Files that belong together are all written and synced before the first is renamed. Then only a
 * crash can come between two renames: each file is whole, the one old, the other new.
 *
 * A run that is killed leaves its temporary behind, and the next one that writes to PATH
 * removes it. Which is which the lock says: the system drops it with the process, however
 * that ended. So whoever can take the lock of a temporary knows that nobody is writing
 * it, and a name is only free for use again after that.
 *
 * Before that PATH is opened for writing, without truncation, to learn what it is:
 * a regular file (its permissions are copied), something else (a pipe, a device:
 * written to directly, because a rename would replace the device by a file), absent,
 * or not ours to write, which stops us although the rename would have succeeded.
 * The rename breaks hard links, and the new file belongs to whoever runs this.
 *
 * Reading.  A file is read to its end into memory of ours, unless its caller asks for it
 * to be mapped: no copy, and pages come as they are touched, but what another process
 * writes there is seen, and a file cut short kills us with SIGBUS; there is no portable
 * guard. What cannot be mapped is read; so is a regular file of size 0, because those of
 * /proc say 0 and are not empty. With PERC_NO_MMAP nothing can be mapped.
 *
 * Each system call is retried after EINTR, and a transfer goes on until it is
 * complete. close() is the exception: the descriptor is gone whatever it answers.
 * Descriptors 0, 1 and 2 are never used for a file even when they are free, or a
 * stray message on standard error would end up in a model.
 *
 * Not here: decompression and chunked reading (src/data), locking of the files themselves. */
#define _DEFAULT_SOURCE /* flock */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* rename */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PERC_NO_MMAP
#include <sys/mman.h>
#endif
#ifdef __wasi__ /* has no permissions, users and locks */
#define fchmod(fd, mode)     ((void)(fd), (void)(mode), 0)
#define geteuid()            0
#define flock(fd, operation) ((void)(fd), errno = ENOSYS, -1)
#else
#include <poll.h>
#include <sys/file.h>
#endif

static const size_t BUFFER = 65536;      /* collects small writes           */
static const size_t TRANSFER = 1u << 30; /* most bytes asked of one call     */
static const char TEMP_SUFFIX[] = ".perceptron-tmp-00";

enum {
    KEPT_NAME = 200, /* bytes of the name kept in a temporary's; NAME_MAX: 255  */
    PAUSE_MS = 100,  /* between two questions of a reader who waits */
    NAMES = 100,     /* of temporaries: the two digits at the end of TEMP_SUFFIX */
    LOOKED_AT = 8,   /* of them every time: more than eight at once are rare     */
    LINK_HOPS = 40,  /* the kernel's limit, too                                  */
    LINK_TEXT = 4096
};

/* ----- system calls, completed ------------------------------------------ */

/* open(), never interrupted, closed on exec, and above standard error. */
static int open_fd(const char *path, int flags, mode_t mode)
{
    int fd;

    do fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (fd < 0 && errno == EINTR);
    if (fd < 0 || fd > STDERR_FILENO) return fd;

#ifdef F_DUPFD_CLOEXEC
    const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), code = errno;
    close(fd);
    if (higher < 0 && (flags & O_CREAT) != 0) unlink(path);
    errno = code;
    return higher;
#else
    return fd; /* a system without F_DUPFD_CLOEXEC (WASI) never opens 0, 1 or 2 */
#endif
}

/* Not retried: after EINTR Linux has closed it, and another thread may already have
 * been given the same number. Other errors count: NFS reports a full disk here. */
static int close_fd(int fd)
{
    return close(fd) == 0 || errno == EINTR ? 0 : -1;
}

/* Keeps errno: it is called while a failure is on its way up. */
void file_close(int fd)
{
    const int code = errno;

    if (fd > STDERR_FILENO) close(fd);
    errno = code;
}

/* Some file systems cannot sync some things; that is not a failure to write. */
static int sync_fd(int fd)
{
    int rc;

    do rc = fsync(fd);
    while (rc != 0 && errno == EINTR);
    return rc == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS ? 0 : -1;
}

static int write_fd(int fd, const unsigned char *p, size_t n)
{
    while (n > 0) {
        const ssize_t k = write(fd, p, n < TRANSFER ? n : TRANSFER);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) {
            if (k == 0) errno = EIO; /* no progress and no reason: do not spin */
            return -1;
        }
        p += k;
        n -= (size_t)k;
    }
    return 0;
}

/* ----- reading ---------------------------------------------------------- */

static const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* file_open, but also says what was opened. */
static perc_status open_input(const char *path, int *fd, struct stat *info, perc_error *err)
{
    *fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open_fd(path, O_RDONLY, 0);
    if (*fd < 0) return fail_errno(err, "open", path);

    perc_status st = PERC_OK;
    if (fstat(*fd, info) != 0) st = fail_errno(err, "open", input_name(path));
    else if (S_ISDIR(info->st_mode))
        st = fail(err, PERC_EIO, "cannot read %s: it is a directory", input_name(path));
    if (st != PERC_OK) {
        file_close(*fd);
        *fd = -1;
    }
    return st;
}

perc_status file_open(const char *path, int *fd, uint64_t *size, perc_error *err)
{
    struct stat info;
    const perc_status st = open_input(path, fd, &info, err);

    if (size != NULL)
        *size = !st && S_ISREG(info.st_mode) && info.st_size > 0 ? (uint64_t)info.st_size : 0;
    return st;
}

/* Waits until there is something to read, be it the end or an error. false: not to wait on. */
static bool wait_input(int fd, const struct watch *watch)
{
#ifndef __wasi__
    struct pollfd input = { .fd = fd, .events = POLLIN };

    while (watch != NULL && watch->ask != NULL && poll(&input, 1, PAUSE_MS) <= 0)
        if (!watch_ask(watch, 0)) return false;
#endif
    (void)fd, (void)watch;
    return true;
}

perc_status file_read(int fd, const char *path, const struct watch *watch, void *buf, size_t n,
                      size_t *got, perc_error *err)
{
    char *p = buf;

    *got = 0;
    while (*got < n) {
        const size_t left = n - *got;
        if (!wait_input(fd, watch))
            return fail(err, PERC_EUNDECIDED, "stopped while %s was read", input_name(path));
        const ssize_t k = read(fd, p + *got, left < TRANSFER ? left : TRANSFER);
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) return fail_errno(err, "read", input_name(path));
        if (k == 0) break;
        *got += (size_t)k;
    }
    return PERC_OK;
}

/* Reads to the end. `expected` is only a guess at the length. */
static perc_status read_all(struct file_map *m, int fd, const char *path, size_t expected,
                            perc_error *err)
{
    void *p = NULL;
    size_t cap = 0, size = 0, got, need = expected > 0 ? expected + 1 : BUFFER;
    perc_status st;

    do { /* a short read means the end */
        got = 0;
        st = mem_grow(&m->e, &p, &cap, need, 1) ? PERC_OK : fail_memory(err);
        if (st == PERC_OK) st = file_read(fd, path, NULL, (char *)p + size, cap - size, &got, err);
        size += got;
        need = cap + BUFFER;
    } while (st == PERC_OK && size == cap);

    /* Trimmed to its size, so that file_unmap knows how much to free. */
    void *exact = st == PERC_OK ? mem_resize(&m->e, p, cap, size, 1) : NULL;
    if (exact == NULL) {
        mem_free(&m->e, p, cap, 1);
        return st != PERC_OK ? st : fail_memory(err);
    }
    m->data = exact;
    m->size = size;
    return PERC_OK;
}

#ifdef PERC_NO_MMAP
static void *map_fd(int fd, size_t size)
{
    (void)fd, (void)size;
    return NULL;
}

static void unmap(void *p, size_t size)
{
    (void)p, (void)size;
}
#else
/* NULL if it cannot be mapped. */
static void *map_fd(int fd, size_t size)
{
    void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

    return p != MAP_FAILED ? p : NULL;
}

static void unmap(void *p, size_t size)
{
    munmap(p, size);
}
#endif

static perc_status get_file(const struct env *e, const char *path, bool map, struct file_map *out,
                            perc_error *err)
{
    struct stat info;
    int fd;

    *out = (struct file_map){ .e = *e };
    perc_status st = open_input(path, &fd, &info, err);
    if (st != PERC_OK) return st;

    /* Standard input may be in the middle of its file: read what is left. */
    const bool whole = S_ISREG(info.st_mode) && info.st_size > 0 && fd != STDIN_FILENO;
    if (whole && (uintmax_t)info.st_size >= SIZE_MAX) {
        st = fail_memory(err); /* more than a pointer can reach */
        goto done;
    }
    const size_t size = whole ? (size_t)info.st_size : 0;
    void *p = whole && map ? map_fd(fd, size) : NULL;
    if (p == NULL) {
        st = read_all(out, fd, path, size, err);
        goto done;
    }
    out->data = p;
    out->size = size;
    out->mapped = true;
done:
    file_close(fd);
    return st;
}

perc_status file_load(const struct env *e, const char *path, struct file_map *out, perc_error *err)
{
    return get_file(e, path, false, out, err);
}

perc_status file_map(const struct env *e, const char *path, struct file_map *out, perc_error *err)
{
    return get_file(e, path, true, out, err);
}

void file_unmap(struct file_map *m)
{
    if (m->data == NULL) return;
    /* The cast drops a const that file_map put on: nobody else wrote there. */
    if (m->mapped) unmap((void *)(uintptr_t)m->data, m->size);
    else mem_free(&m->e, (void *)(uintptr_t)m->data, m->size, 1);
    *m = (struct file_map){ .e = m->e };
}

/* ----- where to write --------------------------------------------------- */

/* The functions below return 0, or -1 with errno set, even when we run out of memory. */
static int no_memory(void)
{
    errno = ENOMEM;
    return -1;
}

/* The length of the directory part of a path, with its slash. */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Resolves f->path to the file it refers to. A rename onto a symbolic link would
 * replace the link, so links are followed here, even to a target that does not exist
 * yet (which realpath() would refuse). */
static int follow_links(struct file_out *f)
{
    char text[LINK_TEXT];

    for (int hops = 0; hops < LINK_HOPS; hops++) {
        ssize_t n;
        do n = readlink(f->path, text, sizeof text);
        while (n < 0 && errno == EINTR);
        if (n < 0) /* not a link, nothing there, or a system without links */
            return errno == EINVAL || errno == ENOENT || errno == ENOSYS ? 0 : -1;
        if (n == LINK_TEXT) { /* uncovered: Linux makes no link as long as this */
            errno = ENAMETOOLONG;
            return -1;
        }
        /* A relative link starts from the directory it is in. */
        const size_t dir = n > 0 && text[0] == '/' ? 0 : directory_length(f->path);
        char *next = mem_array(&f->e, dir + (size_t)n + 1, 1);
        if (next == NULL) return no_memory();
        memcpy(next, f->path, dir);
        memcpy(next + dir, text, (size_t)n);
        next[dir + (size_t)n] = '\0';
        mem_free_text(&f->e, f->path);
        f->path = next;
    }
    errno = ELOOP; /* uncovered: examine() has just followed these links: they were changed since */
    return -1;
}

/* What is at a path now. */
struct target {
    int fd;      /* >= 0: not a regular file, write to this */
    bool exists; /* a regular file, with this mode          */
    mode_t mode;
};

/* Opening a pipe waits for its reader, as it should. */
static int examine(const char *path, struct target *t)
{
    struct stat info;

    *t = (struct target){ .fd = -1, .mode = 0666 };
    const int fd = open_fd(path, O_WRONLY, 0);
    if (fd < 0) return errno == ENOENT ? 0 : -1;
    if (fstat(fd, &info) != 0) {
        file_close(fd);
        return -1;
    }
    if (S_ISREG(info.st_mode)) {
        t->exists = true;
        t->mode = info.st_mode & 0777;
        file_close(fd);
    } else {
        t->fd = fd;
    }
    return 0;
}

/* ----- the temporary ---------------------------------------------------- */

/* open() applied the umask; this restores the old file's permissions. Where
 * the file system refuses, the new file has fewer permissions, never more. */
static int keep_mode(int fd, mode_t mode)
{
    int rc;

    do rc = fchmod(fd, mode);
    while (rc != 0 && errno == EINTR);
    return rc == 0 || errno == EPERM || errno == ENOTSUP || errno == ENOSYS ? 0 : -1;
}

/* Takes the lock of a file that is open for writing. False: somebody has it. */
static bool take_lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/* Removes the temporary `temp` if it is ours and nobody is writing it. Nothing depends on it. */
static void remove_left(const char *temp)
{
    struct stat named, opened;

    if (lstat(temp, &named) != 0 || !S_ISREG(named.st_mode) || named.st_uid != geteuid()) return;
    const int fd = open_fd(temp, O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0) return;
    /* Once the lock is ours, the name may have gone to another file: look again. */
    if (take_lock(fd) && fstat(fd, &opened) == 0 && lstat(temp, &named) == 0 &&
        named.st_ino == opened.st_ino && named.st_dev == opened.st_dev)
        unlink(temp);
    file_close(fd);
}

static void set_number(char *temp, int number)
{
    char *digits = temp + strlen(temp) - 2;

    digits[0] = (char)('0' + number / 10);
    digits[1] = (char)('0' + number % 10);
}

/* Creates `temp` and locks it. -1 with EEXIST: the name is taken. Where locks are not supported
 * nobody can take one, and nothing is removed. */
static int create_locked(const char *temp, mode_t mode)
{
    struct stat info;
    const int fd = open_fd(temp, O_WRONLY | O_CREAT | O_EXCL, mode);

    if (fd < 0) return -1;
    const bool taken = !take_lock(fd) && errno == EWOULDBLOCK;
    const bool asked = fstat(fd, &info) == 0;
    if (asked && !taken && info.st_nlink > 0) return fd;
    /* Another run took it for one left behind, in the moment before it was locked. */
    if (asked) errno = EEXIST;
    else unlink(temp);
    file_close(fd);
    return -1;
}

/* The mode given to open() is at most the old file's, so that a private file is never
 * readable by others, not even while it is being written. */
static int open_temp(struct file_out *f, const struct target *t)
{
    /* "DIR/NAME" and TEMP_SUFFIX, with a long NAME cut so that the result is still valid. */
    const size_t dir = directory_length(f->path), name = strlen(f->path + dir);
    const size_t kept = dir + (name < KEPT_NAME ? name : KEPT_NAME);
    char *const temp = mem_array(&f->e, kept + sizeof TEMP_SUFFIX, 1);

    if (temp == NULL) return no_memory();
    memcpy(temp, f->path, kept);
    memcpy(temp + kept, TEMP_SUFFIX, sizeof TEMP_SUFFIX);
    for (int i = 0; i < LOOKED_AT; i++) {
        set_number(temp, i);
        remove_left(temp);
    }
    for (int i = 0; i < NAMES; i++) {
        set_number(temp, i);
        if (i >= LOOKED_AT) remove_left(temp);
        f->fd = create_locked(temp, t->mode);
        if (f->fd >= 0) {
            f->temp = temp;
            return t->exists ? keep_mode(f->fd, t->mode) : 0;
        }
        if (errno != EEXIST) break;
    }
    mem_free_text(&f->e, temp); /* not made by us: nothing to remove */
    return -1;
}

/* ----- writing ---------------------------------------------------------- */

/* Repeats the first failure, for a caller who checks only at the end. */
static perc_status still_broken(const struct file_out *f, perc_error *err)
{
    if (f->status == PERC_ENOMEM) return fail_memory(err);
    errno = f->error;
    return fail_errno(err, "write", f->path != NULL ? f->path : "a file given up before");
}

/* Records the first failure, from errno. */
static perc_status broken(struct file_out *f, perc_error *err)
{
    f->error = errno;
    f->status = errno == ENOMEM ? PERC_ENOMEM : PERC_EIO;
    return still_broken(f, err);
}

/* Decides where the bytes go and opens it. */
static int open_place(struct file_out *f, const char *path)
{
    const bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard output" : path;
    struct target t = { .fd = STDOUT_FILENO };

    f->path = mem_text(&f->e, name, strlen(name));
    f->buf = mem_array(&f->e, BUFFER, 1);
    if (f->path == NULL || f->buf == NULL) return no_memory();
    if (path[0] == '\0') { /* the temporary would have a name, the file none */
        errno = ENOENT;
        return -1;
    }
    if (!standard && examine(path, &t) != 0) return -1;
    f->fd = t.fd;
    f->terminal = t.fd >= 0 && isatty(t.fd);
    if (t.fd >= 0) return 0;
    return follow_links(f) == 0 ? open_temp(f, &t) : -1;
}

perc_status file_create(const struct env *e, const char *path, struct file_out *f, perc_error *err)
{
    *f = (struct file_out){ .e = *e, .fd = -1, .lock = -1 };
    if (open_place(f, path) == 0) return PERC_OK;
    const perc_status st = broken(f, err);
    file_abort(f);
    return st;
}

static int flush_buffer(struct file_out *f)
{
    const size_t n = f->n;

    f->n = 0;
    return write_fd(f->fd, f->buf, n);
}

static perc_status write_tamed(struct file_out *f, const char *p, size_t n, perc_error *err)
{
    while (n > 0) {
        const size_t k = n < BUFFER - f->n ? n : BUFFER - f->n;
        memcpy(f->buf + f->n, p, k);
        utf8_tame(&f->tame, (char *)f->buf + f->n, k);
        f->n += k;
        p += k;
        n -= k;
        if (f->n == BUFFER && flush_buffer(f) != 0) return broken(f, err);
    }
    return PERC_OK;
}

/* What fits waits in the buffer; what is larger than the buffer goes out as it is. */
perc_status file_write(struct file_out *f, const void *p, size_t n, perc_error *err)
{
    if (f->status != PERC_OK) return still_broken(f, err);
    if (n == 0) return PERC_OK;

    f->written += n;
    if (f->terminal) return write_tamed(f, p, n, err);
    if (n > BUFFER - f->n && flush_buffer(f) != 0) return broken(f, err);
    if (n > BUFFER) return write_fd(f->fd, p, n) == 0 ? PERC_OK : broken(f, err);
    memcpy(f->buf + f->n, p, n);
    f->n += n;
    return PERC_OK;
}

perc_status file_flush(struct file_out *f, perc_error *err)
{
    if (f->status != PERC_OK) return still_broken(f, err);
    return flush_buffer(f) == 0 ? PERC_OK : broken(f, err);
}

/* The lock outlives the descriptor that is closed before the rename. */
static int hold_lock(struct file_out *f)
{
#ifdef F_DUPFD_CLOEXEC
    f->lock = fcntl(f->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return f->lock >= 0 ? 0 : -1;
#else
    (void)f;
    return 0;
#endif
}

/* On disk, but under the name of the temporary. */
static int settle_file(struct file_out *f)
{
    const int fd = f->fd;

    if (sync_fd(fd) != 0 || hold_lock(f) != 0) return -1;
    f->fd = -1;
    return close_fd(fd);
}

/* Everything that can fail comes before the rename; only the sync of the directory
 * must follow it. A directory that may be written but not read cannot be synced. */
static int rename_file(struct file_out *f)
{
    /* The directory of the file, opened for sync. */
    const size_t n = directory_length(f->path);
    const char cut = f->path[n];
    f->path[n] = '\0';
    const int dir = open_fd(n > 0 ? f->path : ".", O_RDONLY | O_DIRECTORY, 0);
    f->path[n] = cut;
    if (dir < 0 && errno != EACCES) return -1;

    int rc;
    do rc = rename(f->temp, f->path);
    while (rc != 0 && errno == EINTR);
    if (rc == 0) {
        mem_free_text(&f->e, f->temp);
        f->temp = NULL;
        if (dir >= 0) rc = sync_fd(dir);
    }
    file_close(dir);
    return rc;
}

/* Direct output is not synced: pipes cannot be, and it is not for us to wait for a
 * device. */
static int finish_direct(struct file_out *f)
{
    const int fd = f->fd;

    f->fd = -1;
    return fd > STDERR_FILENO ? close_fd(fd) : 0;
}

static perc_status settle(struct file_out *f, perc_error *err)
{
    if (f->status != PERC_OK) return still_broken(f, err);
    if (flush_buffer(f) != 0 || (f->temp != NULL ? settle_file(f) : finish_direct(f)) != 0)
        return broken(f, err);
    return PERC_OK;
}

perc_status file_commit_all(struct file_out *f, size_t n, perc_error *err)
{
    perc_status st = PERC_OK;

    for (size_t i = 0; i < n && !st; i++) st = settle(&f[i], err);
    for (size_t i = 0; i < n && !st; i++)
        if (f[i].temp != NULL && rename_file(&f[i]) != 0) st = broken(&f[i], err);
    for (size_t i = 0; i < n; i++)
        file_abort(&f[i]); /* after a success there is only memory left to free */
    return st;
}

perc_status file_commit(struct file_out *f, perc_error *err)
{
    return file_commit_all(f, 1, err);
}

/* Undoes everything but keeps the status, which later calls return again. */
void file_abort(struct file_out *f)
{
    if (f->e.alloc == NULL) return; /* zeroed */
    file_close(f->fd);
    if (f->temp != NULL) unlink(f->temp);
    file_close(f->lock);
    mem_free_text(&f->e, f->temp);
    mem_free_text(&f->e, f->path);
    mem_free(&f->e, f->buf, BUFFER, 1);
    *f = (struct file_out){
        .e = f->e, .fd = -1, .lock = -1, .status = f->status, .error = f->error
    };
}

bool file_size(const char *path, uint64_t *size)
{
    struct stat s;
    const bool regular = stat(path, &s) == 0 && S_ISREG(s.st_mode);

    *size = regular && s.st_size > 0 ? (uint64_t)s.st_size : 0;
    return regular;
}

bool file_is_regular(const char *path)
{
    uint64_t size;

    return file_size(path, &size);
}
