/* sized.h -- structs of which a program may know fewer members than the library, or more
 * (perceptron.h, "What is promised"). */
#ifndef PERC_SIZED_H
#define PERC_SIZED_H

#include <stddef.h>
#include <string.h>

/* Copies the members that both sides know; those that only `to` has become 0. `to` may be
 * NULL: not wanted. */
static inline void sized_copy(void *to, size_t to_size, const void *from, size_t from_size)
{
    const size_t known = to_size < from_size ? to_size : from_size;

    if (to == NULL) return;
    memcpy(to, from, known);
    memset((char *)to + known, 0, to_size - known);
}

/* Element i of the caller's array, whose elements are `size` bytes apart. */
static inline void *sized_at(void *array, size_t size, size_t i)
{
    return (char *)array + i * size;
}

#endif
