/* sort.h -- sorts in place: qsort may ask for memory behind the library's back. */
#ifndef PERC_SORT_H
#define PERC_SORT_H

#include <stddef.h>
#include <string.h>

enum { SORT_ITEM = 64 }; /* bytes, at most */

typedef int sort_compare(const void *a, const void *b);

static inline void sort_swap(char *a, char *b, size_t size)
{
    char t[SORT_ITEM];

    memcpy(t, a, size);
    memcpy(a, b, size);
    memcpy(b, t, size);
}

/* Heapsort (Williams 1964): n log n, whatever the order. */
static inline void sort_items(void *items, size_t n, size_t size, sort_compare *compare)
{
    char *at = items;

    for (size_t begin = n / 2, end = n; end > 1;) {
        if (begin > 0) begin--;
        else sort_swap(at, at + --end * size, size);
        for (size_t k = begin, child; (child = 2 * k + 1) < end; k = child) {
            if (child + 1 < end && compare(at + child * size, at + (child + 1) * size) < 0) child++;
            if (compare(at + k * size, at + child * size) >= 0) break;
            sort_swap(at + k * size, at + child * size, size);
        }
    }
}

#endif
