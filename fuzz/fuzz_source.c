/* fuzz_source.c -- any bytes as a file, plain or compressed.
 *
 * Reading must not crash, must say why it fails, and must come to the same a second time; a plain
 * text comes back as it is, and twice the same file is one data set of twice the text. What unpacks
 * to a lot is read in part. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "data/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHUNKS = 8 };

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

struct reading {
    perc_status st;
    uint64_t bytes, sum;
    int whole;
};

static struct reading read_all(const char *const *path, size_t files)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    struct reading r = { 0 };
    perc_error err = { 0 };
    struct source *s;

    r.st = source_open_all(&e, path, files, NULL, &s, &err);
    for (uint64_t i = 0; r.st == PERC_OK && i < files * CHUNKS; i++) {
        struct chunk c = { .e = e };
        r.st = source_next(s, &c, &err);
        if (r.st == PERC_OK) {
            must(c.len == 0 || (c.number == i && c.file < files));
            for (size_t k = 0; c.text != NULL && k < SOURCE_PAD; k++)
                must(c.text[c.len + k] == '\n');
            r.bytes += c.len;
            if (c.len > 0) r.sum = r.sum * 31 + hash_bytes(c.text, c.len);
        }
        const bool ended = c.len == 0;
        source_chunk_free(&c);
        r.whole = r.st == PERC_OK && ended;
        if (ended) break;
    }
    must(r.st == err.status && (r.st == PERC_OK || err.text[0] != '\0'));
    must(r.st == PERC_OK || r.st == PERC_EDATA || r.st == PERC_ENOMEM);
    source_close(s);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("source", 0);
    char path[40];

    must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *const twice[] = { path, path };
    const struct reading a = read_all(twice, 1), b = read_all(twice, 1), c = read_all(twice, 2);
    must(a.st == b.st && a.bytes == b.bytes && a.sum == b.sum);
    must(!a.whole || (c.whole && c.bytes == 2 * a.bytes));
    must(a.st == PERC_OK || c.st == a.st);
    close(fd);
    return 0;
}
