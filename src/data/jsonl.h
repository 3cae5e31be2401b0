/* jsonl.h -- JSON lines: a table whose rows are objects, each on a line of its own.
 *
 *     {"age": 40, "home": {"city": "Oslo"}, "tags": ["new", "far"], "size": [3, 4]}
 *
 * A column is a key, and one inside another object has both with a dot between: home.city. An
 * array of strings is one text; the elements of any other are keys, numbered from 0: size.0.
 * null, and a key that is not there, are a missing value; true and false are words. docs/formats.md
 * has the rest.
 *
 * The columns are the keys of the beginning of the file, and with a model also those of the model.
 * So one pass is enough, and chunks are parsed apart. */
#ifndef PERC_JSONL_H
#define PERC_JSONL_H

#include "base/json.h"
#include "data/csv.h"
#include "data/csv_cell.h"

#define JSONL_NONE UINT32_MAX

/* The keys of a file, and which column each is. Read-only while workers run. */
struct jsonl {
    struct env e;
    struct schema keys; /* (the key it is inside of + 1, or 0; key) -> its number */
    uint32_t *column;   /* of each key; JSONL_NONE: only objects and arrays were met there */
    size_t cap;
    struct schema names; /* of the columns, with dots -> column */
};

void jsonl_init(struct jsonl *k, const struct env *e);
void jsonl_free(struct jsonl *k);

/* ----- jsonl.c: a line ------------------------------------------------------------ */

/* A value as it stands in the line: a string without its quotes, still escaped; of an array of
 * strings, all of it with its brackets. */
struct jsonl_value {
    enum json_kind kind; /* JSON_NULL, _TRUE, _FALSE, _NUMBER, _STRING, or JSON_ARRAY: of strings */
    const char *text;
    size_t len;
    const char *at; /* where it begins, with its quote */
};

/* A walk over one line. Who walks sets `keys`, `leaf`, `err`, and `grow` or `seen`. */
struct jsonl_walk {
    struct json j;
    const struct jsonl *keys;
    struct jsonl *grow;  /* the keys, if new ones are to be added; else NULL */
    uint32_t *seen;      /* by key, the stamp of the line that had it last; NULL: not asked */
    uint32_t stamp;      /* of this line */
    uint32_t next;       /* the key that is expected: as they were met first */
    int64_t line;        /* its number, from 1 */
    struct text decoded; /* a key with escapes */
    struct text path;    /* of a key that is not known, dotted */
    perc_error *err;     /* may be NULL */
    /* What to do with a value that is not an object. `key` is JSONL_NONE if it is not known: then
     * w->path is its name. */
    perc_status (*leaf)(struct jsonl_walk *w, uint32_t key, const struct jsonl_value *v);
};

void jsonl_walk_init(struct jsonl_walk *w, const struct env *e);
void jsonl_walk_free(struct jsonl_walk *w);
/* Walks over the object in s. PERC_EDATA with the place. */
perc_status jsonl_walk(struct jsonl_walk *w, const char *s, size_t len);
/* PERC_EDATA about the place `at` of the line. */
perc_status jsonl_fail(const struct jsonl_walk *w, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends the dotted name of a key. */
void jsonl_name(const struct jsonl *k, uint32_t key, struct text *out);
/* The text of a value: in the line, or unescaped in `buf`, which is emptied. An array of strings is
 * these, with blanks between. *len may be 0. NULL: out of memory. */
const char *jsonl_text(const struct jsonl_value *v, struct text *buf, size_t *len);
/* The next line that is not blank, without its end: from *s on, which is moved behind it, counting
 * in *lines those that end before it. false: there is none. */
bool jsonl_line(const char **s, const char *end, int64_t *lines, const char **line, size_t *len);

/* ----- jsonl_look.c, jsonl_parse.c ------------------------------------------------- */

/* Whether the text begins with an object, or an array of them. */
bool jsonl_looks_like(const char *text, size_t len);
/* Adds a column to v and k, if there is none of this name. */
perc_status jsonl_add_column(struct jsonl *k, struct csv_survey *v, const char *name, size_t len,
                             uint32_t *column);
/* The columns in the beginning of a file, after those in v. What is wrong with a later line than
 * the first is left to the parser. */
perc_status jsonl_survey(const char *text, size_t len, struct jsonl *k, struct csv_survey *v,
                         perc_error *err);
/* The column of a value that a walk has met; JSONL_NONE: a null, or with a model a value, of which
 * nothing is known. PERC_EDATA in training: the beginning of the file had no such key. */
perc_status jsonl_column(struct jsonl_walk *w, const struct csv *c, uint32_t key,
                         const struct jsonl_value *v, uint32_t *column);
/* PERC_EDATA: a line has two values of this column. */
perc_status jsonl_twice(const struct jsonl_walk *w, const struct csv *c, uint32_t column,
                        const struct jsonl_value *v);
/* As csv_parse; what it leaves is for csv_merge. */
perc_status jsonl_parse(const struct csv *c, const char *text, size_t len, struct rows *r,
                        struct csv_chunk *local, perc_error *err);

#endif
