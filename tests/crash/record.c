/* record.c -- writes down what a program does to its files, for crash.py.
 *
 * Loaded with LD_PRELOAD, it stands in front of the calls that change files and passes them on.
 * Those that succeeded are appended to $CRASH_LOG, one a line, in the order in which they were
 * made, what goes to standard output among them:
 *
 *     open FD FLAGS NAME      flags as words: create, truncate, append, folder; or "-"
 *     write FD OFFSET BYTES   OFFSET -1: where the last one ended
 *     size FD LENGTH
 *     sync FD
 *     close FD
 *     rename NAME NAME    link NAME NAME    unlink NAME
 *
 * NAME and BYTES are in hex. What it misses crash.py notices: the log, replayed, must give
 * the files that are there in the end. Not seen: what a C library writes for itself (stdio). */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* or open and open64 would be one name here */
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* One line, written by one call, so that those of threads do not mix. */
static void note(const char *what, const void *p, size_t n, const void *q, size_t m)
{
    const char *path = getenv("CRASH_LOG");
    const int code = errno;
    const size_t head = strlen(what);
    char *line = malloc(head + 2 * (n + m) + 4), *s = line;

    if (line == NULL || path == NULL) abort();
    memcpy(s, what, head);
    s += head;
    for (int k = 0; k < 2; k++) {
        const unsigned char *b = k == 0 ? p : q;
        if (b == NULL) continue;
        *s++ = ' ';
        for (size_t i = 0; i < (k == 0 ? n : m); i++) {
            *s++ = "0123456789abcdef"[b[i] / 16];
            *s++ = "0123456789abcdef"[b[i] % 16];
        }
    }
    *s++ = '\n';
    const long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (syscall(SYS_write, fd, line, (size_t)(s - line)) != s - line) abort();
    syscall(SYS_close, fd);
    free(line);
    errno = code;
}

static void note_name(const char *what, const char *a, const char *b)
{
    note(what, a, strlen(a), b, b != NULL ? strlen(b) : 0);
}

static void note_fd(const char *what, int fd, long long n, const void *p, size_t length)
{
    char head[64];

    if (n < -1) snprintf(head, sizeof head, "%s %d", what, fd);
    else snprintf(head, sizeof head, "%s %d %lld", what, fd, n);
    note(head, p, length, NULL, 0);
}

static void *real(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);

    if (f == NULL) abort();
    return f;
}

/* The real function of the same type as the one it is in. */
#define REAL(f) ((__typeof__(&f))(uintptr_t)real(#f))

/* ----- opening ---------------------------------------------------------------------- */

static int opened(int fd, const char *name, int flags)
{
    char head[96];

    if (fd < 0) return fd;
    if ((flags & O_ACCMODE) == O_RDONLY && (flags & O_DIRECTORY) == 0) return fd;
    snprintf(head, sizeof head, "open %d -%s%s%s%s", fd, flags & O_CREAT ? ",create" : "",
             flags & O_TRUNC ? ",truncate" : "", flags & O_APPEND ? ",append" : "",
             (flags & O_DIRECTORY) != 0 ? ",folder" : "");
    note_name(head, name, NULL);
    return fd;
}

#define OPEN(open)                                                        \
    int open(const char *name, int flags, ...)                            \
    {                                                                     \
        va_list ap;                                                       \
        va_start(ap, flags);                                              \
        const unsigned mode = flags & O_CREAT ? va_arg(ap, unsigned) : 0; \
        va_end(ap);                                                       \
        return opened(REAL(open)(name, flags, mode), name, flags);        \
    }
OPEN(open)
OPEN(open64)
#undef OPEN

/* What a hardened build calls. */
int __open_2(const char *name, int flags);
int __open_2(const char *name, int flags)
{
    return open(name, flags);
}

int __open64_2(const char *name, int flags);
int __open64_2(const char *name, int flags)
{
    return open64(name, flags);
}

int close(int fd)
{
    note_fd("close", fd, -2, NULL, 0);
    return REAL(close)(fd);
}

/* ----- data ------------------------------------------------------------------------- */

static ssize_t wrote(ssize_t n, int fd, long long offset, const void *p)
{
    if (n > 0) note_fd("write", fd, offset, p, (size_t)n);
    return n;
}

ssize_t write(int fd, const void *p, size_t n)
{
    return wrote(REAL(write)(fd, p, n), fd, -1, p);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
    return wrote(REAL(pwrite)(fd, p, n, at), fd, at, p);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at)
{
    return wrote(REAL(pwrite64)(fd, p, n, at), fd, at, p);
}

ssize_t writev(int fd, const struct iovec *v, int count)
{
    ssize_t sum = 0;

    for (int i = 0; i < count; i++) { /* not in one piece, which nobody here asks for */
        const ssize_t n = write(fd, v[i].iov_base, v[i].iov_len);
        if (n < 0) return sum > 0 ? sum : n;
        sum += n;
        if ((size_t)n < v[i].iov_len) break;
    }
    return sum;
}

/* ----- the others: noted when they have succeeded ------------------------------------- */

#define AFTER(parameters, call, arguments, noting) \
    int call parameters                            \
    {                                              \
        const int rc = REAL(call) arguments;       \
        if (rc == 0) noting;                       \
        return rc;                                 \
    }
AFTER((int fd, off_t n), ftruncate, (fd, n), note_fd("size", fd, n, NULL, 0))
AFTER((int fd, off64_t n), ftruncate64, (fd, n), note_fd("size", fd, n, NULL, 0))
AFTER((int fd), fsync, (fd), note_fd("sync", fd, -2, NULL, 0))
AFTER((int fd), fdatasync, (fd), note_fd("sync", fd, -2, NULL, 0))
AFTER((const char *a, const char *b), rename, (a, b), note_name("rename", a, b))
AFTER((const char *a, const char *b), link, (a, b), note_name("link", a, b))
AFTER((const char *a), unlink, (a), note_name("unlink", a, NULL))
