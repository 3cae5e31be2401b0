/* fuzz_jsonl.c -- any bytes as JSON lines.
 *
 * The first byte chooses the options, the second where the text is cut; the rest is the text. It
 * must not crash or read outside the range; what it accepts must be well-formed rows, the same
 * when the text is cut in two between lines, and for a model of the same columns. Each value of a
 * column of numbers is compared with a second reader, which knows objects without nesting
 * alone. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "data/dataset.h"
#include "data/jsonl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

static perc_params *options(const struct env *e, unsigned choice)
{
    static const char *const missing[] = { "error", "mean", "zero", "drop" };
    perc_params *p;

    must(params_new(e, &data_table, &p) == PERC_OK);
    perc_params_set(p, "missing", missing[choice & 3], NULL);
    if (choice & 4) perc_params_set(p, "label", "a", NULL);
    if (choice & 8) perc_params_set(p, "text", "b", NULL);
    if (choice & 16) perc_params_set(p, "ignore", "c,d.e", NULL);
    if (choice & 32) perc_params_set(p, "hash", "4", NULL);
    if (choice & 64) perc_params_set(p, "weight", "w", NULL);
    if (choice & 128) perc_params_set(p, "categorical", "n", NULL);
    return p;
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
            if (!r->packed)
                must(isfinite(r->value[k]) || (isnan(r->value[k]) && c->missing == MISSING_MEAN));
        }
    }
}

/* ----- a second reader --------------------------------------------------------------- */

static const char *blanks(const char *p, const char *end)
{
    while (p < end && strchr(" \t\r", *p) != NULL && *p != '\0') p++;
    return p;
}

/* The number under `name` in an object of plain keys; false: there is none, or the object has
 * something else in it. */
static bool plain_number(const char *p, const char *end, const char *name, double *out)
{
    const size_t n = strlen(name);
    enum number_fault fault;
    bool found = false;

    if ((p = blanks(p, end)) == end || *p++ != '{') return false;
    for (;;) {
        if ((p = blanks(p, end)) == end || *p++ != '"') return false;
        const char *key = p;
        while (p < end && *p != '"' && *p != '\\') p++;
        if (p == end || *p == '\\') return false;
        const bool it = (size_t)(p - key) == n && memcmp(key, name, n) == 0;
        if ((p = blanks(p + 1, end)) == end || *p++ != ':') return false;
        p = blanks(p, end);
        double v;
        const char *q = number_scan(p, end, &v, &fault);
        if (fault != NUMBER_OK) {
            if (p == end || *p != '"' || it) return false;
            for (q = p + 1; q < end && *q != '"' && *q != '\\'; q++) continue;
            if (q == end || *q == '\\') return false;
            q++;
        }
        if (it) *out = v, found = true;
        if ((p = blanks(q, end)) == end) return false;
        if (*p == '}') return found;
        if (*p++ != ',') return false;
    }
}

static void compare_numbers(const struct csv *c, const struct rows *r, const char *s, size_t len)
{
    const struct column *column = NULL;
    const char *end = s + len, *line = s;
    int64_t at = 0;
    double v;

    for (size_t f = 0; f < c->schema.columns && column == NULL; f++)
        if (c->schema.column[f].kind == COLUMN_NUMBER) column = &c->schema.column[f];
    for (size_t i = 0; column != NULL && i < r->n; i++) {
        for (; at < (int64_t)r->line[i]; at++)
            line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!plain_number(line, stop != NULL ? stop : end, column->name, &v)) continue;
        double found = 0;
        for (size_t k = (size_t)r->start[i]; k < r->start[i + 1]; k++)
            if (r->index[k] == column->feature)
                found = r->packed ? decimal_unpack(r->dec[k]) : r->value[k];
        must(found == v);
    }
}

/* ----- in two halves, and for a model ------------------------------------------------- */

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
    must(csv_open_objects(e, s, len, p, NULL, NULL, &c, note, NULL) == PERC_OK);
    while (cut < len && (cut == 0 || s[cut - 1] != '\n')) cut++;
    for (int half = 0; half < 2; half++) {
        const size_t from = half == 0 ? 0 : cut, to = half == 0 ? cut : len;
        rows_reset(&r);
        must(jsonl_parse(&c, s + from, to - from, &r, &local, NULL) == PERC_OK);
        must(csv_merge(&c, &local, &r, NULL) == PERC_OK);
        for (size_t i = 0; i < r.n; i++, row++) {
            must(row < whole->n && r.weight[i] == whole->weight[row]);
            must(perc_label_same(r.labels.at[r.label[i]].text,
                                 whole->labels.at[whole->label[row]].text));
        }
        for (size_t k = 0; k < r.entries; k++, entry++) {
            const double a = r.packed ? decimal_unpack(r.dec[k]) : r.value[k];
            const double b = whole->packed ? decimal_unpack(whole->dec[entry])
                                           : whole->value[entry];
            must(r.index[k] == whole->index[entry] && (a == b || (isnan(a) && isnan(b))));
        }
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
    if (csv_open_objects(e, s, len, p, model, NULL, &c, note, NULL) == PERC_OK &&
        jsonl_parse(&c, s, len, &r, &local, NULL) == PERC_OK) {
        check_rows(&c, &r);
        must(r.n == whole->n && r.unknown == 0);
    }
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
    char note[256];
    perc_error err = { 0 };

    if (size < 2) return 0;
    const char *s = (const char *)data + 2;
    const size_t len = size - 2;
    perc_params *p = options(&e, data[0]);
    memset(&local, 0, sizeof local);
    rows_init(&r, &e);
    jsonl_looks_like(s, len);
    perc_status st = csv_open_objects(&e, s, len, p, NULL, NULL, &c, note, &err);
    if (!st) st = jsonl_parse(&c, s, len, &r, &local, &err);
    if (!st) st = csv_merge(&c, &local, &r, &err);
    must(st == err.status && (st == PERC_OK || err.text[0] != '\0'));
    if (!st) {
        check_rows(&c, &r);
        compare_numbers(&c, &r, s, len);
        compare_halves(&e, p, s, len, len * data[1] / 256, &r);
        use_as_model(&e, p, &c.schema, s, len, &r);
    }
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&c);
    perc_params_free(p);
    return 0;
}
