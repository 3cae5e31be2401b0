/* io_shim.h -- system calls that fail when a test says so.
 *
 * The linker's --wrap sends every call of open, read, ... in the program's own
 * objects through this shim (calls inside shared libraries, such as libc's stdio, are
 * not seen). It counts them and, on request, fails one, cuts transfers short, or
 * answers EINTR. A sweep is a loop:
 *
 *     for (long n = 0; ; n++) {
 *         io_shim_reset();
 *         io_shim_fail_at(IO_ALL, n, EIO);
 *         st = the_thing_under_test();
 *         if (io_shim_failures() == 0) break;      // n was past the last call
 *         io_shim_reset();
 *         ... st is an error, or all is well; nothing is half done, nothing leaks ...
 *     }
 *
 * A program that links io_shim.c must link the code under test statically, with
 *
 *     -Wl,--wrap=open,--wrap=open64,--wrap=read,--wrap=write,--wrap=fsync
 *     -Wl,--wrap=close,--wrap=rename,--wrap=mmap,--wrap=mmap64
 *     -Wl,--wrap=fstat,--wrap=fstat64,--wrap=readlink,--wrap=fchmod
 *     -Wl,--wrap=unlink,--wrap=fcntl,--wrap=fcntl64
 *
 * (the names with 64 are what -D_FILE_OFFSET_BITS=64 makes of the others), without
 * _FORTIFY_SOURCE, which renames some of them again, and without link-time
 * optimisation. A test should begin with a check that io_shim_count() moves: a shim
 * that is not hooked in would let every sweep pass.
 *
 * Counting is safe in threads; the io_shim_ settings are for one thread at a time. */
#ifndef PERC_TEST_IO_SHIM_H
#define PERC_TEST_IO_SHIM_H

#include <stddef.h>

enum io_kind { /* a set of them is a mask */
               IO_OPEN = 1,
               IO_READ = 2,
               IO_WRITE = 4,
               IO_FSYNC = 8,
               IO_CLOSE = 16,
               IO_RENAME = 32,
               IO_MMAP = 64,
               IO_FSTAT = 128,
               IO_READLINK = 256,
               IO_FCHMOD = 512,
               IO_DUP = 2048,
               IO_ALL = 1023 |
                        IO_DUP, /* those above, not unlink: if that fails, a temporary must stay */
               IO_UNLINK = 1024
};

/* All calls work again, all counts are 0. */
void io_shim_reset(void);

/* Of the calls of these kinds from now on, number n (from 0) fails with `error`. A
 * failing close() closes all the same, as Linux does; the others do nothing. */
void io_shim_fail_at(unsigned kinds, long n, int error);
/* The same, and so do all that follow: a disk that is full stays full. */
void io_shim_fail_from(unsigned kinds, long n, int error);

/* read and write move at most this many bytes a call; 0: no limit. */
void io_shim_short(size_t bytes);

/* Every other call of these kinds, the first included, fails with EINTR. */
void io_shim_interrupt(unsigned kinds);

/* Calls of these kinds since the reset, failed ones included. */
long io_shim_count(unsigned kinds);
/* Failures made by fail_at and fail_from since the reset. */
long io_shim_failures(void);
/* Files opened less files closed since the reset: 0 where nothing leaks. */
long io_shim_open_files(void);

#endif
