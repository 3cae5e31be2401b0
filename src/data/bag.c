/* bag.c -- keys in order.
 *
 * Merge sort from below: short runs are sorted by insertion, then merged in pairs,
 * to and fro between two arrays. At most n log n comparisons whatever the keys,
 * and a run that already precedes its neighbour is only copied. (The C
 * library's qsort may allocate, which our memory hook would not see.) */
#include "data/bag.h"

#include <string.h>

enum { RUN = 8 };

void bag_init(struct bag *b, const struct env *e)
{
    *b = (struct bag){ .e = *e };
}

void bag_free(struct bag *b)
{
    mem_free(&b->e, b->key, b->cap, sizeof *b->key);
    mem_free(&b->e, b->spare, b->spare_cap, sizeof *b->spare);
    *b = (struct bag){ .e = b->e };
}

static void insertion_sort(uint64_t *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t v = a[i];
        size_t k = i;
        for (; k > 0 && a[k - 1] > v; k--) a[k] = a[k - 1];
        a[k] = v;
    }
}

/* The sorted runs a[0 .. m) and a[m .. n) as one, at `out`. */
static void merge(const uint64_t *a, size_t m, size_t n, uint64_t *out)
{
    size_t i = 0, k = m;

    if (m == n || a[m - 1] <= a[m]) {
        memcpy(out, a, n * sizeof *a);
        return;
    }
    while (i < m && k < n) { /* no branch depends on the keys, which nobody can predict */
        const bool second = a[k] < a[i];
        *out++ = second ? a[k] : a[i];
        k += second;
        i += !second;
    }
    memcpy(out, a + i, (m - i) * sizeof *a);
    memcpy(out + (m - i), a + k, (n - k) * sizeof *a);
}

bool bag_sort(struct bag *b)
{
    const size_t n = b->n;
    void *p = b->spare;

    for (size_t at = 0; at < n; at += RUN) insertion_sort(b->key + at, n - at < RUN ? n - at : RUN);
    if (n <= RUN) return true;
    if (!mem_grow(&b->e, &p, &b->spare_cap, n, sizeof *b->spare)) return false;
    b->spare = p;
    for (size_t width = RUN; width < n; width *= 2) { /* n keys are in memory: no overflow */
        for (size_t at = 0; at < n; at += 2 * width) {
            const size_t left = n - at;
            merge(b->key + at, left < width ? left : width, left < 2 * width ? left : 2 * width,
                  b->spare + at);
        }
        uint64_t *const key = b->key;
        const size_t cap = b->cap;
        b->key = b->spare;
        b->cap = b->spare_cap;
        b->spare = key;
        b->spare_cap = cap;
    }
    return true;
}
