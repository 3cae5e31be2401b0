/* sort.h -- sorts in place: qsort may ask for memory behind the library's back. No file of the
 * library calls qsort (scripts/check-rooms). */
#ifndef PERC_SORT_H
#define PERC_SORT_H

#include <stddef.h>

enum { SORT_ITEM = 128 }; /* bytes, at most */

typedef int sort_compare(const void *a, const void *b);

/* Items that compare equal end up in an arbitrary order, the same on every machine. n log n,
 * whatever the order was. */
void sort_items(void *items, size_t n, size_t size, sort_compare *compare);

#endif
