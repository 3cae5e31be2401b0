/* fuzz_csv.c -- any bytes into the CSV reader.
 *
 * The first byte chooses the options, the rest is the table. It must not crash or
 * read outside the range; what it accepts must be well-formed rows, the same when
 * the text is cut in two between records; the schema must survive JSON; and the
 * same text read for that schema, as for a model, must be well-formed rows too.
 *
 * Each table is read once with plain columns, and again with columns of text, with hashing, with
 * both, or with a file that says what its first columns are, and in another notation, by the length
 * of the input. The file's text is one of a few: any bytes are for fuzz_columns. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/csv.h"
#include "data/dataset.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

enum { TEXT = 1, HASH = 2, SAID = 4, NOTATION = 8 }; /* and behind it, which one */

/* A file for --columns, made once for a process and removed at its end. */
static char said[3][40];

static void remove_said(void)
{
    for (int i = 0; i < 3; i++) unlink(said[i]);
}

static const char *said_file(unsigned i)
{
    static const char *const text[3] = {
        "1: date\n2: number fill=zero indicator\n3: category fill=level\n",
        "1: text ngrams=3 stop=english\n2: date days hour fill=-3 indicator\n3: id\n",
        "1: category fill=drop\n2: label\n3: date weekday month fill=zero\n",
    };

    if (said[0][0] == '\0') {
        for (int k = 0; k < 3; k++) {
            snprintf(said[k], sizeof said[k], "/tmp/fuzz_csv.XXXXXX");
            const int fd = mkstemp(said[k]);
            must(fd >= 0 && write(fd, text[k], strlen(text[k])) == (ssize_t)strlen(text[k]));
            close(fd);
        }
        atexit(remove_said);
    }
    return said[i % 3];
}

static void set_notation(perc_params *p, unsigned which)
{
    static const char *const thousands[] = { "none", ".", "space", "'", ",", "_" };
    static const char *const decimal[] = { ",", "auto", "." };
    static const char *const quote[] = { "double", "single", "none" };

    perc_params_set(p, "thousands", thousands[which % 6], NULL);
    perc_params_set(p, "decimal", decimal[which / 6 % 3], NULL);
    perc_params_set(p, "quote", quote[which / 18 % 3], NULL);
    if (which / 54 % 3 == 0) perc_params_set(p, "delimiter", "space", NULL);
}

static perc_params *options(const struct env *e, unsigned choice, unsigned words)
{
    static const char *const header[] = { "auto", "yes", "no", "auto" };
    static const char *const missing[] = { "error", "mean", "zero", "drop" };
    static const char *const delimiter[] = { "", ",", "tab", ";" };
    perc_params *p;

    must(params_new(e, &data_table, &p) == PERC_OK);
    perc_params_set(p, "header", header[choice & 3], NULL);
    perc_params_set(p, "missing", missing[choice >> 2 & 3], NULL);
    perc_params_set(p, "delimiter", delimiter[choice >> 4 & 3], NULL);
    if (choice & 64) perc_params_set(p, "categorical", "1,3", NULL);
    if (choice & 128) {
        perc_params_set(p, "label", "1", NULL);
        perc_params_set(p, "weight", "2", NULL);
    }
    if (words & TEXT)
        perc_params_set(p, "text", choice & 128 ? "3" : choice & 64 ? "2" : "1,2", NULL);
    if (words & HASH) perc_params_set(p, "hash", "4", NULL);
    if (words & SAID) perc_params_set(p, "columns", said_file(choice >> 2), NULL);
    if (words & NOTATION) set_notation(p, words / (2 * NOTATION));
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
            if (r->index[k] >= c->schema.numeric) /* a whole number: 1, or a count */
                must(r->packed ? r->dec[k] >= 1 && r->dec[k] < 1u << DEC_MANTISSA_BITS
                               : r->value[k] >= 1 && r->value[k] == floor(r->value[k]));
            if (!r->packed)
                must(isfinite(r->value[k]) || (isnan(r->value[k]) && c->missing == MISSING_MEAN));
        }
    }
}

/* Behind the first line end, outside quotes, past the middle; `len` if there is
 * none. This is how chunks are cut. The first one holds the first record. */
static size_t middle(const char *s, size_t len, char delimiter, char quote)
{
    bool inside = false, begun = false;

    for (size_t i = 0; i < len; i++) {
        inside ^= quote != '\0' && s[i] == quote;
        begun |= s[i] == delimiter || strchr(" \t\r\n", s[i]) == NULL;
        if (!inside && begun && s[i] == '\n' && i >= len / 2) return i + 1;
    }
    return len;
}

/* Row i of a and row k of b. */
static void same_row(const struct rows *a, size_t i, const struct rows *b, size_t k)
{
    const size_t n = (size_t)(a->start[i + 1] - a->start[i]), x = (size_t)a->start[i],
                 y = (size_t)b->start[k];

    must(n == b->start[k + 1] - y && a->weight[i] == b->weight[k]);
    /* +0 and 0 are one label, written as it was met first: in a half that may be another row. */
    must(perc_label_same(a->labels.at[a->label[i]].text, b->labels.at[b->label[k]].text));
    for (size_t j = 0; j < n; j++) {
        must(a->index[x + j] == b->index[y + j]);
        must(memcmp(&a->value[x + j], &b->value[y + j], sizeof *a->value) == 0);
    }
}

/* The text in two chunks gives the rows of one. */
static void compare_halves(const struct env *e, const perc_params *p, const char *s, size_t len,
                           struct rows *whole)
{
    struct csv c;
    struct rows r;
    struct csv_chunk local;
    struct buckets seen;
    char note[256];
    size_t row = 0;

    memset(&local, 0, sizeof local);
    hashing_buckets_init(&seen, e, whole->seen.bits);
    rows_init(&r, e);
    must(csv_open(e, s, len, p, NULL, NULL, &c, note, NULL) == PERC_OK);
    rows_unpack(whole);
    const size_t cut = middle(s, len, c.delimiter, notation_quote(&c.schema.notation));
    for (int half = 0; half < 2; half++) {
        const size_t from = half == 0 ? 0 : cut, to = half == 0 ? cut : len;
        rows_reset(&r);
        must(csv_parse(&c, s + from, to - from, half == 0, &r, &local, NULL) == PERC_OK);
        must(csv_merge(&c, &local, &r, NULL) == PERC_OK);
        rows_unpack(&r);
        must(r.seen.bits == seen.bits && hashing_buckets_join(&seen, &r.seen));
        for (size_t i = 0; i < r.n; i++, row++) {
            must(row < whole->n);
            same_row(&r, i, whole, row);
        }
    }
    must(row == whole->n);
    must(seen.used == whole->seen.used && seen.shared == whole->seen.shared);
    hashing_buckets_free(&seen);
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&c);
}

static void use_as_model(const struct env *e, const perc_params *p, const struct schema *s,
                         const char *text, size_t len)
{
    struct schema back;
    struct csv c;
    struct rows r;
    struct csv_chunk local;
    struct text json;
    char note[256];

    text_init(&json, e);
    schema_to_json(s, &json);
    must(schema_from_json(e, json.s, json.len, &back, NULL) == PERC_OK);
    must(schema_features(&back) == schema_features(s));
    memset(&local, 0, sizeof local);
    rows_init(&r, e);
    if (csv_open(e, text, len, p, &back, NULL, &c, note, NULL) == PERC_OK &&
        csv_parse(&c, text, len, true, &r, &local, NULL) == PERC_OK)
        check_rows(&c, &r);
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&c);
    schema_free(&back);
    text_free(&json);
}

static void run(unsigned choice, unsigned words, const char *s, size_t len)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    struct csv c;
    struct rows r;
    struct csv_chunk local;
    char note[256];
    perc_error err = { 0 };

    perc_params *p = options(&e, choice, words);
    memset(&local, 0, sizeof local);
    rows_init(&r, &e);
    csv_looks_like(s, len);
    perc_status st = csv_open(&e, s, len, p, NULL, NULL, &c, note, &err);
    if (!st) st = csv_parse(&c, s, len, true, &r, &local, &err);
    if (!st) st = csv_merge(&c, &local, &r, &err);
    must(st == err.status);
    if (!st) {
        check_rows(&c, &r);
        compare_halves(&e, p, s, len, &r);
        use_as_model(&e, p, &c.schema, s, len);
    } else {
        must(err.text[0] != '\0');
    }
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&c);
    perc_params_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data + 1;

    if (size < 1) return 0;
    run(data[0], 0, s, size - 1);
    run(data[0], TEXT + (unsigned)(size % 3), s, size - 1); /* TEXT, HASH, both */
    run(data[0], SAID + (unsigned)(size % 2) * HASH, s, size - 1);
    run(data[0], NOTATION + 2 * NOTATION * (unsigned)(size % 162), s, size - 1);
    return 0;
}
