/* t_path.h -- one file of its own for a test program, in the current directory.
 *
 * make_path() gives it a name that nobody else has, remove_path() removes it: set-up and
 * tear-down of the group. For tests that write one file after the other to the same place;
 * t_dir.h is for those that need several. */
#ifndef PERC_TEST_PATH_H
#define PERC_TEST_PATH_H

#include <stdlib.h>
#include <unistd.h>

static char path[] = "perceptron-test.XXXXXX";

static inline int make_path(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static inline int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

#endif
