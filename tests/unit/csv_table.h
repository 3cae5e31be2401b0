/* csv_table.h -- for the tests of the readers of tables: one from a string to rows, as CSV or, with
 * format=jsonl or vw, as JSON lines or Vowpal Wabbit's text. */
#ifndef PERC_TEST_CSV_TABLE_H
#define PERC_TEST_CSV_TABLE_H

#include <math.h>

#include "data/csv.h"
#include "data/dataset.h"
#include "data/jsonl.h"
#include "data/vw.h"
#include "t.h"

/* A table being read: open, parse, merge. */
struct reading {
    struct csv csv;
    struct rows rows;
    struct csv_chunk local;
    char note[256];
    perc_error err;
    perc_status st;
};

static inline struct env env(void)
{
    return env_resolve(&(perc_env){ .threads = 1 });
}

/* Options are "name=value" separated by blanks; '~' in a value stands for a blank. */
static inline perc_params *options(const char *spec)
{
    const struct env e = env();
    perc_params *p;
    char word[100];

    assert_int_equal(params_new(&e, &data_table, &p), PERC_OK);
    while (*spec != '\0') {
        const size_t n = strcspn(spec, " ");
        assert_true(n < sizeof word);
        memcpy(word, spec, n);
        word[n] = '\0';
        for (char *c = word; *c != '\0'; c++)
            if (*c == '~') *c = ' ';
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        assert_int_equal(perc_params_set(p, word, value, NULL), PERC_OK);
        spec += spec[n] == ' ' ? n + 1 : n;
    }
    return p;
}

/* The bytes stand in a block of just their size, so that a sanitizer sees one step
 * too far. */
static inline void read_bytes(struct reading *t, const char *text, size_t len, const char *spec,
                              const struct schema *model)
{
    const struct env e = env();
    perc_params *p = options(spec);
    char *copy = malloc(len > 0 ? len : 1);

    assert_non_null(copy);
    if (len > 0) memcpy(copy, text, len);
    memset(t, 0, sizeof *t);
    rows_init(&t->rows, &e);
    const bool objects = params_is(p, "format", "jsonl"), vw = params_is(p, "format", "vw");
    t->st = (objects ? csv_open_objects
             : vw    ? vw_open
                     : csv_open)(&e, copy, len, p, model, NULL, &t->csv, t->note, &t->err);
    if (!t->st && objects) t->st = jsonl_parse(&t->csv, copy, len, &t->rows, &t->local, &t->err);
    else if (!t->st && vw) t->st = vw_parse(&t->csv, copy, len, &t->rows, &t->local, &t->err);
    else if (!t->st) t->st = csv_parse(&t->csv, copy, len, true, &t->rows, &t->local, &t->err);
    if (!t->st) t->st = csv_merge(&t->csv, &t->local, &t->rows, &t->err);
    perc_params_free(p);
    free(copy);
}

static inline void read_for(struct reading *t, const char *text, const char *spec,
                            const struct schema *model)
{
    read_bytes(t, text, strlen(text), spec, model);
}

static inline void read_text(struct reading *t, const char *text, const char *spec)
{
    read_for(t, text, spec, NULL);
    if (t->st)
        fail_msg("%s: %lld:%lld: %s", text, (long long)t->err.line, (long long)t->err.column,
                 t->err.text);
}

static inline void done(struct reading *t)
{
    schema_free(&t->local.local);
    rows_free(&t->rows);
    csv_free(&t->csv);
}

/* Row i as "label: j=v j=v ...", for short comparisons. */
static inline void row_is(struct reading *t, size_t i, const char *expected)
{
    const struct env e = env();
    struct rows *r = &t->rows;
    struct text s;

    assert_true(i < r->n);
    rows_unpack(r);
    text_init(&s, &e);
    text_str(&s, r->label[i] == LABEL_NONE ? "-" : r->labels.at[r->label[i]].text);
    text_char(&s, ':');
    for (size_t k = (size_t)r->start[i]; k < r->start[i + 1]; k++) {
        text_char(&s, ' ');
        text_uint(&s, r->index[k]);
        text_char(&s, '=');
        if (isnan(r->value[k])) text_str(&s, "nan");
        else text_num(&s, r->value[k]);
    }
    assert_string_equal(s.s, expected);
    text_free(&s);
}

static inline void feature_is(const struct reading *t, uint64_t j, const char *expected)
{
    const struct env e = env();
    struct text s;

    text_init(&s, &e);
    schema_name(&t->csv.schema, j, &s);
    assert_string_equal(s.s, expected);
    text_free(&s);
}

#endif
