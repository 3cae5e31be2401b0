/* replay.c -- runs a fuzz target without a fuzzer, over inputs that are kept.
 *
 *     target-replay [DIRECTORY | FILE]...
 *
 * Linked with one fuzz_*.c it runs every file of the directories given; with no
 * argument, some thousand inputs of fixed random bytes. It prints how many inputs
 * were run and fails if there were none: a test that checks nothing is no test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "vec/rng.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RANDOM_INPUTS = 2000, RANDOM_SIZE = 300, PATH_SIZE = 4096 };

/* In memory of its own, just as large, so that a sanitizer sees one step too far. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL) abort();
    if (size > 0) memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static long run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t n = 0, room = 0, got = 1;

    while (f != NULL && got > 0) {
        if (n == room) {
            room = room > 0 ? 2 * room : 4096;
            data = realloc(data, room);
            if (data == NULL) abort();
        }
        got = fread(data + n, 1, room - n, f);
        n += got;
    }
    if (f == NULL || ferror(f)) {
        perror(path);
        exit(1);
    }
    fclose(f);
    run(data, n);
    free(data);
    return 1;
}

static long run_path(const char *path)
{
    char inside[PATH_SIZE];
    const struct dirent *entry;
    struct stat info;
    long n = 0;

    if (stat(path, &info) != 0) {
        perror(path);
        exit(1);
    }
    if (!S_ISDIR(info.st_mode)) return run_file(path);
    DIR *dir = opendir(path);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        if (snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < PATH_SIZE)
            n += run_path(inside);
    }
    if (dir != NULL) closedir(dir);
    return n;
}

/* Bytes of any kind, and bytes that look a little like text. */
static long run_random(void)
{
    static const char letters[] = "0123456789  ::..,,-+eE\n\n\t\r#\"{}[]abcnaninf\0";
    uint8_t data[RANDOM_SIZE];

    for (uint64_t i = 0; i < RANDOM_INPUTS; i++) {
        struct rng r = rng_seed(1, i);
        const size_t n = (size_t)rng_below(&r, RANDOM_SIZE + 1);
        for (size_t k = 0; k < n; k++)
            data[k] = (uint8_t)(i % 2 == 0 ? rng_below(&r, 256)
                                           : (uint64_t)letters[rng_below(&r, sizeof letters)]);
        run(data, n);
    }
    return RANDOM_INPUTS;
}

int main(int argc, char **argv)
{
    long n = argc < 2 ? run_random() : 0;

    for (int i = 1; i < argc; i++) n += run_path(argv[i]);
    printf("%ld inputs\n", n);
    return n > 0 ? 0 : 1;
}
