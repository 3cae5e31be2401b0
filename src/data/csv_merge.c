/* csv_merge.c -- from a chunk's own category numbers to the file's.
 *
 * A chunk was parsed alone, so its category k is column schema.numeric + k in its
 * rows. Merged in file order, a category that the schema has keeps its feature
 * and a new one gets the next: the numbering is that of one thread reading the
 * file from the top, whatever the chunks were. The map from old to new numbers
 * need not keep order, so the categories of a row are sorted again. */
#include <string.h>

#include "data/csv.h"
#include "data/csv_cell.h"

static void sift(uint32_t *a, size_t i, size_t n)
{
    const uint32_t v = a[i];

    for (size_t k; (k = 2 * i + 1) < n; i = k) {
        if (k + 1 < n && a[k + 1] > a[k]) k++;
        if (a[k] <= v) break;
        a[i] = a[k];
    }
    a[i] = v;
}

/* Increasing order: insertion for a few, a heap (Williams 1964) for many. Both
 * need no memory, unlike the C library's qsort. */
void csv_sort(uint32_t *a, size_t n)
{
    enum { FEW = 24 };

    if (n <= FEW) {
        for (size_t i = 1; i < n; i++) {
            const uint32_t v = a[i];
            size_t k = i;
            for (; k > 0 && a[k - 1] > v; k--) a[k] = a[k - 1];
            a[k] = v;
        }
        return;
    }
    for (size_t i = n / 2; i > 0; i--) sift(a, i - 1, n);
    for (size_t i = n - 1; i > 0; i--) {
        const uint32_t v = a[0];
        a[0] = a[i];
        a[i] = v;
        sift(a, 0, i);
    }
}

perc_status csv_merge(struct csv *c, const struct csv_chunk *local, struct rows *r,
                      perc_error *err)
{
    const size_t n = c->fixed ? 0 : local->local.categories;
    const uint32_t numeric = c->schema.numeric;
    perc_status st = PERC_OK;

    if (n == 0) return PERC_OK;
    uint32_t *map = mem_array(&r->e, n, sizeof *map);
    if (map == NULL) return fail_memory(err);
    for (size_t k = 0; k < n && !st; k++) {
        const struct category *g = &local->local.category[k];
        st = schema_add(&c->schema, g->column, g->text, strlen(g->text), &map[k]);
    }
    /* A row's categories stand at its end. They all have the value 1, so only
     * their columns are sorted. */
    for (size_t i = 0; i < r->n && !st; i++) {
        const size_t end = (size_t)r->start[i + 1];
        size_t k = end;
        for (; k > r->start[i] && r->index[k - 1] >= numeric; k--)
            r->index[k - 1] = map[r->index[k - 1] - numeric];
        csv_sort(r->index + k, end - k);
    }
    mem_free(&r->e, map, n, sizeof *map);
    if (st == PERC_EDATA) return fail(err, st, "too many categories");
    return st ? fail_memory(err) : PERC_OK;
}
