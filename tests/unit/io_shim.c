/* io_shim.c -- see io_shim.h. For each wrapped call f the linker turns references to
 * f into __wrap_f, defined here, and __real_f into the true one. */
#include "io_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

enum { KINDS = 12 };

/* A test tool may keep globals; the library may not. */
static struct {
    unsigned failing, interrupted; /* masks */
    long at;
    bool onwards;
    int error;
    size_t limit;
    atomic_long count[KINDS], seen, failures, open_files;
} shim;

void io_shim_reset(void)
{
    shim.failing = shim.interrupted = 0;
    shim.limit = 0;
    for (int i = 0; i < KINDS; i++) atomic_store(&shim.count[i], 0);
    atomic_store(&shim.seen, 0);
    atomic_store(&shim.failures, 0);
    atomic_store(&shim.open_files, 0);
}

static void fail_when(unsigned kinds, long n, int error, bool onwards)
{
    shim.failing = kinds;
    shim.at = n;
    shim.error = error;
    shim.onwards = onwards;
    atomic_store(&shim.seen, 0);
}

void io_shim_fail_at(unsigned kinds, long n, int error)
{
    fail_when(kinds, n, error, false);
}

void io_shim_fail_from(unsigned kinds, long n, int error)
{
    fail_when(kinds, n, error, true);
}

void io_shim_short(size_t bytes)
{
    shim.limit = bytes;
}

void io_shim_interrupt(unsigned kinds)
{
    shim.interrupted = kinds;
}

long io_shim_count(unsigned kinds)
{
    long sum = 0;

    for (int i = 0; i < KINDS; i++)
        if (kinds & 1u << i) sum += atomic_load(&shim.count[i]);
    return sum;
}

long io_shim_failures(void)
{
    return atomic_load(&shim.failures);
}

long io_shim_open_files(void)
{
    return atomic_load(&shim.open_files);
}

/* Counts one call; true, with errno set, when it has to fail. */
static bool fails(enum io_kind kind)
{
    int i = 0;

    while ((unsigned)kind != 1u << i) i++;
    const long nth = atomic_fetch_add(&shim.count[i], 1);
    if ((shim.interrupted & (unsigned)kind) && nth % 2 == 0) {
        errno = EINTR;
        return true;
    }
    if (!(shim.failing & (unsigned)kind)) return false;
    const long seen = atomic_fetch_add(&shim.seen, 1);
    if (seen != shim.at && !(shim.onwards && seen > shim.at)) return false;
    atomic_fetch_add(&shim.failures, 1);
    errno = shim.error;
    return true;
}

static size_t shortened(size_t n)
{
    return shim.limit > 0 && n > shim.limit ? shim.limit : n;
}

static int opened(int fd)
{
    if (fd >= 0) atomic_fetch_add(&shim.open_files, 1);
    return fd;
}

/* The names are the linker's, and nobody includes a header for them. */
int __real_open(const char *path, int flags, ...);
int __real_open64(const char *path, int flags, ...);
ssize_t __real_read(int fd, void *p, size_t n);
ssize_t __real_write(int fd, const void *p, size_t n);
int __real_close(int fd);
int __real_rename(const char *from, const char *to);
void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);
void *__real_mmap64(void *at, size_t n, int prot, int flags, int fd, off_t offset);
int __real_fstat(int fd, struct stat *info);
int __real_fstat64(int fd, struct stat *info);
ssize_t __real_readlink(const char *path, char *p, size_t n);
int __real_fchmod(int fd, mode_t mode);
int __real_unlink(const char *path);

int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
ssize_t __wrap_read(int fd, void *p, size_t n);
ssize_t __wrap_write(int fd, const void *p, size_t n);
int __wrap_fsync(int fd);
int __wrap_close(int fd);
int __wrap_rename(const char *from, const char *to);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t n, int prot, int flags, int fd, off_t offset);
int __wrap_fstat(int fd, struct stat *info);
int __wrap_fstat64(int fd, struct stat *info);
ssize_t __wrap_readlink(const char *path, char *p, size_t n);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_unlink(const char *path);
int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl64(int fd, int command, ...);

/* open() has its third argument only where it may create. */
#define MODE_ARGUMENT(mode, flags) \
    mode_t mode = 0;               \
    if ((flags)&O_CREAT) {         \
        va_list ap;                \
        va_start(ap, flags);       \
        mode = va_arg(ap, mode_t); \
        va_end(ap);                \
    }

int __wrap_open(const char *path, int flags, ...)
{
    MODE_ARGUMENT(mode, flags)
    return fails(IO_OPEN) ? -1 : opened(__real_open(path, flags, mode));
}

int __wrap_open64(const char *path, int flags, ...)
{
    MODE_ARGUMENT(mode, flags)
    return fails(IO_OPEN) ? -1 : opened(__real_open64(path, flags, mode));
}

ssize_t __wrap_read(int fd, void *p, size_t n)
{
    return fails(IO_READ) ? -1 : __real_read(fd, p, shortened(n));
}

ssize_t __wrap_write(int fd, const void *p, size_t n)
{
    return fails(IO_WRITE) ? -1 : __real_write(fd, p, shortened(n));
}

/* The files of a sweep live for a moment: no disk is waited for, thousands of times. */
int __wrap_fsync(int fd)
{
    return fails(IO_FSYNC) || __real_fcntl(fd, F_GETFD) < 0 ? -1 : 0;
}

/* Of its commands, the one that makes another descriptor: all others have one argument or none. */
static int control(int fd, int command, int argument)
{
    if (command != F_DUPFD_CLOEXEC) return __real_fcntl(fd, command, argument);
    return fails(IO_DUP) ? -1 : opened(__real_fcntl(fd, command, argument));
}

#define INT_ARGUMENT(argument, last)      \
    va_list ap;                           \
    va_start(ap, last);                   \
    const int argument = va_arg(ap, int); \
    va_end(ap);

int __wrap_fcntl(int fd, int command, ...)
{
    INT_ARGUMENT(argument, command)
    return control(fd, command, argument);
}

int __wrap_fcntl64(int fd, int command, ...)
{
    INT_ARGUMENT(argument, command)
    return control(fd, command, argument);
}

int __wrap_close(int fd)
{
    const bool bad = fails(IO_CLOSE);
    const int code = errno, rc = __real_close(fd);

    if (rc == 0) atomic_fetch_sub(&shim.open_files, 1);
    if (!bad) return rc;
    errno = code;
    return -1;
}

int __wrap_rename(const char *from, const char *to)
{
    return fails(IO_RENAME) ? -1 : __real_rename(from, to);
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
    return fails(IO_MMAP) ? MAP_FAILED : __real_mmap(at, n, prot, flags, fd, offset);
}

void *__wrap_mmap64(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
    return fails(IO_MMAP) ? MAP_FAILED : __real_mmap64(at, n, prot, flags, fd, offset);
}

int __wrap_fstat(int fd, struct stat *info)
{
    return fails(IO_FSTAT) ? -1 : __real_fstat(fd, info);
}

int __wrap_fstat64(int fd, struct stat *info)
{
    return fails(IO_FSTAT) ? -1 : __real_fstat64(fd, info);
}

ssize_t __wrap_readlink(const char *path, char *p, size_t n)
{
    return fails(IO_READLINK) ? -1 : __real_readlink(path, p, n);
}

int __wrap_fchmod(int fd, mode_t mode)
{
    return fails(IO_FCHMOD) ? -1 : __real_fchmod(fd, mode);
}

int __wrap_unlink(const char *path)
{
    return fails(IO_UNLINK) ? -1 : __real_unlink(path);
}
