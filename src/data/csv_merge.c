/* csv_merge.c -- from a chunk's own numbers of categories and words to the file's.
 *
 * A chunk was parsed alone, so its category k is column schema.numeric + k in its
 * rows. Merged in file order, a category that the schema has keeps its feature
 * and a new one gets the next: the numbering is that of one thread reading the
 * file from the top, whatever the chunks were. The map from old to new numbers
 * need not keep order, so the categories of a row are sorted again. */
#include <string.h>

#include "base/sort.h"
#include "data/bag.h"
#include "data/csv.h"
#include "data/csv_cell.h"

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* A few numbers are inserted. Many that lie close together, which is the rule, are
 * marked in a set of bits and read off it, without a comparison; many that lie far
 * apart are compared. None of these needs memory of its own. */
void csv_sort(uint32_t *a, size_t n, uint32_t low, uint64_t *bits)
{
    enum { FEW = 12 };
    uint32_t min = UINT32_MAX, max = 0;

    if (n <= FEW) {
        for (size_t i = 1; i < n; i++) {
            const uint32_t v = a[i];
            size_t k = i;
            for (; k > 0 && a[k - 1] > v; k--) a[k] = a[k - 1];
            a[k] = v;
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        min = a[i] < min ? a[i] : min;
        max = a[i] > max ? a[i] : max;
    }
    const size_t first = (min - low) / 64, last = (max - low) / 64;
    if (last - first > 4 * n) {
        sort_items(a, n, sizeof *a, by_number);
        return;
    }
    for (size_t i = 0; i < n; i++) bits[(a[i] - low) / 64] |= (uint64_t)1 << (a[i] - low) % 64;
    for (size_t w = first; w <= last; bits[w++] = 0)
        for (uint64_t b = bits[w]; b != 0; b &= b - 1)
            *a++ = low + (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(b);
}

/* The same where values are counts. A key is the new column and the count: a whole
 * number below 2^32, because a line is shorter than that (SOURCE_LINE_MAX). */
static perc_status renumber_counts(struct rows *r, uint32_t numeric, const uint32_t *map)
{
    struct bag keys;
    perc_status st = PERC_OK;

    bag_init(&keys, &r->e);
    for (size_t i = 0; i < r->n && !st; i++) {
        size_t k = (size_t)r->start[i + 1];
        keys.n = 0;
        for (; k > r->start[i] && r->index[k - 1] >= numeric && !st; k--) {
            const uint32_t n = r->packed ? r->dec[k - 1] : (uint32_t)r->value[k - 1];
            const uint64_t key = (uint64_t)map[r->index[k - 1] - numeric] << 32 | n;
            if (!bag_put(&keys, key)) st = PERC_ENOMEM;
        }
        if (st || !bag_sort(&keys)) {
            st = PERC_ENOMEM;
            break;
        }
        const size_t end = r->entries; /* put them where they were */
        r->entries = k;
        for (size_t j = 0; j < keys.n; j++)
            rows_put_count(r, (uint32_t)(keys.key[j] >> 32), (uint32_t)keys.key[j]);
        r->entries = end;
    }
    bag_free(&keys);
    return st;
}

perc_status csv_merge(struct csv *c, const struct csv_chunk *local, struct rows *r, perc_error *err)
{
    const size_t n = c->fixed ? 0 : local->local.categories;
    const uint32_t numeric = c->schema.numeric;
    uint64_t *bits = NULL;
    size_t words = 0;
    perc_status st = PERC_OK;

    if (n == 0) return PERC_OK;
    uint32_t *map = mem_array(&r->e, n, sizeof *map);
    if (map == NULL) return fail_memory(err);
    for (size_t k = 0; k < n && !st; k++) {
        const struct category *g = &local->local.category[k];
        st = g->special ? schema_add_special(&c->schema, g->column, g->special, &map[k])
                        : schema_add(&c->schema, g->column, g->text, strlen(g->text), &map[k]);
    }
    if (!st && c->counted) {
        st = renumber_counts(r, numeric, map);
    } else if (!st) {
        words = c->schema.categories / 64 + 1;
        bits = mem_zeroed(&r->e, words, sizeof *bits);
        if (bits == NULL) st = PERC_ENOMEM;
        /* The categories of a row stand at its end and all have the value 1, so that sorting
         * their columns is enough. */
        for (size_t i = 0; i < r->n && !st; i++) {
            const size_t end = (size_t)r->start[i + 1];
            size_t k = end;
            for (; k > r->start[i] && r->index[k - 1] >= numeric; k--)
                r->index[k - 1] = map[r->index[k - 1] - numeric];
            csv_sort(r->index + k, end - k, numeric, bits);
        }
    }
    mem_free(&r->e, bits, words, sizeof *bits);
    mem_free(&r->e, map, n, sizeof *map);
    if (st == PERC_EDATA) return fail(err, st, "too many categories");
    return st ? fail_memory(err) : PERC_OK;
}
