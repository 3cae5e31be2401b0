/* matrix_memory.c -- memory at cache lines, from an allocator that knows only malloc's alignment:
 * one more line is allocated, and the word before the first float says how far it was moved. */
#include "vec/matrix_memory.h"

#include <string.h>

enum { LINE = 64 };

/* Lines to allocate; 0: too many. */
static size_t lines_of(uint64_t rows, size_t stride)
{
    const size_t most = SIZE_MAX / LINE - 1;
    const size_t row = stride / (LINE / sizeof(float));

    if (row > 0 && rows > most / row) return 0;
    return (size_t)rows * row + 1;
}

float *matrix_new(const struct env *e, uint64_t rows, size_t stride)
{
    const size_t lines = lines_of(rows, stride);
    char *p = lines > 0 ? mem_array(e, lines, LINE) : NULL;

    if (p == NULL) return NULL;
    const uint32_t moved = (uint32_t)(LINE - (uintptr_t)p % LINE); /* 1 to LINE; >= 16 by malloc */
    char *at = p + moved;
    memcpy(at - sizeof moved, &moved, sizeof moved);
    memset(at, 0, (lines - 1) * LINE);
    return (float *)(void *)at;
}

void matrix_free(const struct env *e, float *p, uint64_t rows, size_t stride)
{
    uint32_t moved;

    if (p == NULL) return;
    memcpy(&moved, (char *)p - sizeof moved, sizeof moved);
    mem_free(e, (char *)p - moved, lines_of(rows, stride), LINE);
}
