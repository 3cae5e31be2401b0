/* t_dir.h -- a directory of its own for a test, and files in it.
 *
 * t_dir_enter() makes a new directory and goes there; t_dir_leave() goes back and
 * removes it with the plain files in it. As cmocka set-up and tear-down they give
 * each test an empty place, so that names can be short and left-overs are seen. */
#ifndef PERC_TEST_DIR_H
#define PERC_TEST_DIR_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct t_dir {
    int back; /* the directory we came from */
    char path[64];
};

static inline int t_dir_enter(void **state)
{
    struct t_dir *d = malloc(sizeof *d);

    if (d == NULL) return -1;
    snprintf(d->path, sizeof d->path, "/tmp/perceptron-test-XXXXXX");
    d->back = open(".", O_RDONLY | O_DIRECTORY);
    if (d->back < 0 || mkdtemp(d->path) == NULL || chdir(d->path) != 0) return -1;
    *state = d;
    return 0;
}

/* The number of files in the current directory; *first is the name of one of them
 * that is not `known`, if any. */
static inline int t_dir_count(const char *known, char first[256])
{
    DIR *dir = opendir(".");
    const struct dirent *entry;
    int n = 0;

    first[0] = '\0';
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (strcmp(entry->d_name, known) != 0) snprintf(first, 256, "%s", entry->d_name);
        n++;
    }
    if (dir != NULL) closedir(dir);
    return n;
}

static inline int t_dir_leave(void **state)
{
    struct t_dir *d = *state;
    char name[256];

    while (t_dir_count("", name) > 0)
        if (unlink(name) != 0 && rmdir(name) != 0) break;
    int rc = fchdir(d->back);
    rc |= close(d->back);
    rc |= rmdir(d->path);
    free(d);
    return rc;
}

/* Writes or reads a small file by stdio, which shares no code with what is tested. */
static inline int t_put_bytes(const char *name, const void *bytes, size_t n)
{
    FILE *f = fopen(name, "wb");

    if (f == NULL) return -1;
    const bool ok = fwrite(bytes, 1, n, f) == n;
    return fclose(f) == 0 && ok ? 0 : -1;
}

static inline int t_put(const char *name, const char *text)
{
    return t_put_bytes(name, text, strlen(text));
}

/* The length, or -1 where there is no such file; buf gets as much as fits. */
static inline long t_get(const char *name, char *buf, size_t room)
{
    FILE *f = fopen(name, "rb");

    if (f == NULL) return -1;
    const size_t n = fread(buf, 1, room, f);
    fclose(f);
    return (long)n;
}

#endif
