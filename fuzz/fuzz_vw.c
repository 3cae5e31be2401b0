/* fuzz_vw.c -- any bytes as Vowpal Wabbit's text.
 *
 * The first byte chooses the options, the second where the text is cut; the rest is the text. It
 * must not crash or read outside the range; what it accepts must be well-formed rows, the same
 * when the text is cut in two between lines, and for a model of the same features. Where a row
 * has each feature once and no scale, its values are those of a second reader. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "data/dataset.h"
#include "data/vw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

static double value_at(const struct rows *r, size_t k)
{
    return r->packed ? decimal_unpack(r->dec[k]) : r->value[k];
}

static void check_rows(const struct csv *c, const struct rows *r)
{
    for (size_t i = 0; i < r->n; i++) {
        must(r->start[i] <= r->start[i + 1] && r->start[i + 1] <= r->entries);
        must(r->label[i] < r->labels.n || (c->fixed && r->label[i] == LABEL_NONE));
        must(isfinite(r->weight[i]) && r->weight[i] >= 0);
        must(r->line[i] < r->lines && (i == 0 || r->line[i] > r->line[i - 1]));
        for (size_t k = (size_t)r->start[i]; k < r->start[i + 1]; k++) {
            must(r->index[k] < schema_features(&c->schema));
            must(k == r->start[i] || r->index[k] > r->index[k - 1]);
            must(isfinite(value_at(r, k)));
        }
    }
}

/* The values of a line by a reader that knows "LABEL | name:value name ..." alone: each is looked
 * up by its name. false: the line has something else. */
static bool plain_line(const struct csv *c, const char *s, const char *end, const struct rows *r,
                       size_t row)
{
    const char *bar = memchr(s, '|', (size_t)(end - s));
    size_t n = 0;

    if (bar == NULL || bar + 1 >= end || bar[1] != ' ') return false;
    if (memchr(bar + 1, '|', (size_t)(end - bar - 1)) != NULL) return false;
    if (memchr(bar, '\t', (size_t)(end - bar)) != NULL) return false;
    for (const char *p = bar + 1, *q; p < end; p = q + 1) {
        for (q = p; q < end && *q != ' '; q++) continue;
        if (q == p) continue;
        const char *colon = memchr(p, ':', (size_t)(q - p));
        enum number_fault fault = NUMBER_OK;
        double v = 1;
        if (colon != NULL) number_scan(colon + 1, q, &v, &fault);
        if (fault != NUMBER_OK) return false;
        const uint32_t f = schema_find(&c->schema, 1, p, (size_t)((colon != NULL ? colon : q) - p));
        must(f != UINT32_MAX);
        size_t k = (size_t)r->start[row];
        while (k < r->start[row + 1] && r->index[k] != f) k++;
        must(k < r->start[row + 1]);
        if (value_at(r, k) != v) return true; /* twice in the line: added up */
        n++;
    }
    must(n >= r->start[row + 1] - r->start[row]);
    return true;
}

static void compare_lines(const struct csv *c, const struct rows *r, const char *s, size_t len)
{
    const char *end = s + len, *line = s;
    int64_t at = 0;

    for (size_t i = 0; c->schema.hash_bits == 0 && i < r->n; i++) {
        for (; at < (int64_t)r->line[i]; at++)
            line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL) stop = end;
        if (stop > line && stop[-1] == '\r') stop--;
        plain_line(c, line, stop, r, i);
    }
}

static void compare_halves(const struct env *e, const perc_params *p, const char *s, size_t len,
                           size_t cut, const struct rows *whole)
{
    struct csv c;
    struct rows r;
    struct csv_chunk local;
    char note[256];
    size_t row = 0, entry = 0;

    memset(&local, 0, sizeof local);
    rows_init(&r, e);
    must(vw_open(e, s, len, p, NULL, NULL, &c, note, NULL) == PERC_OK);
    while (cut < len && (cut == 0 || s[cut - 1] != '\n')) cut++;
    for (int half = 0; half < 2; half++) {
        const size_t from = half == 0 ? 0 : cut, to = half == 0 ? cut : len;
        rows_reset(&r);
        must(vw_parse(&c, s + from, to - from, &r, &local, NULL) == PERC_OK);
        must(csv_merge(&c, &local, &r, NULL) == PERC_OK);
        for (size_t i = 0; i < r.n; i++, row++)
            must(row < whole->n && r.weight[i] == whole->weight[row]);
        for (size_t k = 0; k < r.entries; k++, entry++)
            must(r.index[k] == whole->index[entry] && value_at(&r, k) == value_at(whole, entry));
    }
    must(row == whole->n && entry == whole->entries);
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&c);
}

static void use_as_model(const struct env *e, const perc_params *p, const struct schema *model,
                         const char *s, size_t len, const struct rows *whole)
{
    struct csv c;
    struct rows r;
    struct csv_chunk local;
    char note[256];

    memset(&local, 0, sizeof local);
    rows_init(&r, e);
    must(vw_open(e, s, len, p, model, "tag", &c, note, NULL) == PERC_OK);
    must(vw_parse(&c, s, len, &r, &local, NULL) == PERC_OK);
    check_rows(&c, &r);
    must(r.n == whole->n && r.unknown == 0 && r.entries == whole->entries);
    for (size_t k = 0; k < r.entries; k++)
        must(r.index[k] == whole->index[k] && value_at(&r, k) == value_at(whole, k));
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    struct csv c;
    struct rows r;
    struct csv_chunk local;
    perc_params *p;
    char note[256];
    perc_error err = { 0 };

    if (size < 2) return 0;
    const char *s = (const char *)data + 2;
    const size_t len = size - 2;
    must(params_new(&e, &data_table, &p) == PERC_OK);
    if (data[0] & 1) perc_params_set(p, "hash", "3", NULL);
    if (data[0] & 2) perc_params_set(p, "float32", "true", NULL);
    memset(&local, 0, sizeof local);
    rows_init(&r, &e);
    vw_looks_like(s, len);
    perc_status st = vw_open(&e, s, len, p, NULL, NULL, &c, note, &err);
    if (!st) st = vw_parse(&c, s, len, &r, &local, &err);
    if (!st) st = csv_merge(&c, &local, &r, &err);
    must(st == err.status && (st == PERC_OK || err.text[0] != '\0'));
    if (!st) {
        check_rows(&c, &r);
        compare_lines(&c, &r, s, len);
        compare_halves(&e, p, s, len, len * data[1] / 256, &r);
        use_as_model(&e, p, &c.schema, s, len, &r);
    }
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&c);
    perc_params_free(p);
    return 0;
}
