/* sort.c -- quicksort (Hoare 1962) with the median of three as its pivot, and heapsort
 * (Williams 1964) where that cuts badly: n log n, whatever the order (Musser 1997). */
#include "base/sort.h"

#include <string.h>

enum { SORT_FEW = 12 }; /* so few items are sorted by insertion */

static void swap_items(char *a, char *b, size_t size)
{
    char t[SORT_ITEM];

    memcpy(t, a, size);
    memcpy(a, b, size);
    memcpy(b, t, size);
}

static void sort_by_heap(char *at, size_t n, size_t size, sort_compare *compare)
{
    for (size_t begin = n / 2, end = n; end > 1;) {
        if (begin > 0) begin--;
        else swap_items(at, at + --end * size, size);
        for (size_t k = begin, child; (child = 2 * k + 1) < end; k = child) {
            if (child + 1 < end && compare(at + child * size, at + (child + 1) * size) < 0) child++;
            if (compare(at + k * size, at + child * size) >= 0) break;
            swap_items(at + k * size, at + child * size, size);
        }
    }
}

/* `cuts`: how many times a range may be cut in two before it goes to the heap. */
static void sort_range(char *at, size_t n, size_t size, sort_compare *compare, int cuts)
{
    while (n > SORT_FEW && cuts-- > 0) {
        char *low = at, *mid = at + n / 2 * size, *high = at + (n - 1) * size, pivot[SORT_ITEM];
        if (compare(mid, low) < 0) swap_items(mid, low, size);
        if (compare(high, mid) < 0) swap_items(high, mid, size);
        if (compare(mid, low) < 0) swap_items(mid, low, size);
        memcpy(pivot, mid, size);
        while (low <= high) { /* items at both ends stop the walks */
            while (compare(low, pivot) < 0) low += size;
            while (compare(pivot, high) < 0) high -= size;
            if (low > high) break;
            if (low < high) swap_items(low, high, size);
            low += size;
            high -= size;
        }
        const size_t left = (size_t)(high + size - at) / size,
                     right = n - (size_t)(low - at) / size;
        if (left < right) {
            sort_range(at, left, size, compare, cuts);
            at = low;
            n = right;
        } else {
            sort_range(low, right, size, compare, cuts);
            n = left;
        }
    }
    if (n > SORT_FEW) sort_by_heap(at, n, size, compare);
    else {
        for (size_t k = 1; k < n; k++) {
            char item[SORT_ITEM];
            size_t to = k;
            memcpy(item, at + k * size, size);
            while (to > 0 && compare(item, at + (to - 1) * size) < 0) to--;
            memmove(at + (to + 1) * size, at + to * size, (k - to) * size);
            memcpy(at + to * size, item, size);
        }
    }
}

void sort_items(void *items, size_t n, size_t size, sort_compare *compare)
{
    int cuts = 0;

    for (size_t left = n; left > 1; left /= 2) cuts += 2;
    sort_range(items, n, size, compare, cuts);
}
