/* schema.h -- what the columns of a table mean: which is the label, which are
 * numbers, categories or texts, and which feature each becomes.
 *
 * Numeric columns are features 0 .. numeric-1 in their order in the file; each
 * category "colour=red" and each word of a text "body=free" gets the next feature
 * number when it is first met, in file order. So one pass suffices, and the
 * numbering is the same for any number of threads. A schema is kept in the model
 * and used at prediction.
 *
 * With hashing (hashing.h) categories and words are not kept: bucket k is feature
 * numeric + k. A schema without columns but with hash_bits says that the indices
 * of LIBSVM text are hashed. */
#ifndef PERC_SCHEMA_H
#define PERC_SCHEMA_H

#include "base/base.h"
#include "data/columns.h"
#include "data/notation.h"

struct column {
    char *name; /* from the header, or "x1", "x2", ... */
    enum column_kind kind;
    uint32_t feature; /* how many columns of numbers come before; of such a column, its feature */
    struct treatment how; /* with what --missing says where the column's own line does not */
    uint64_t filled;      /* cells that were missing in the rows that were learned from */
    /* Of a category, once its rows are counted (levels.h); NULL: they are not, or there is none. */
    char *frequent;  /* FILL_FREQUENT: the level that gaps are */
    char *reference; /* the level without a feature */
};

/* Levels that no text of a file is. */
enum schema_special { SCHEMA_TEXT, SCHEMA_MISSING, SCHEMA_RARE, SCHEMA_SPECIALS };

/* (column, text) -> feature */
struct category {
    uint32_t column, feature;
    char *text;
    uint32_t hash;               /* by the key of the schema */
    enum schema_special special; /* its text is the name of it */
};

struct schema {
    struct env e;
    struct column *column;
    size_t columns;
    bool header;
    char delimiter;
    struct notation notation;  /* of the file that it was made of */
    unsigned hash_bits;        /* 2^hash_bits buckets instead of categories; 0: none */
    uint32_t numeric;          /* numeric features: 0 .. numeric-1 */
    struct category *category; /* and words of texts, in order of feature number */
    size_t categories, cap;
    size_t long_names; /* bytes that long names of columns add to the names of features */
    uint32_t *slot;    /* hash of (column, text) to category + 1 */
    size_t slots;
};

void schema_init(struct schema *s, const struct env *e);
void schema_free(struct schema *s);                             /* safe on a zeroed schema */
void schema_column_free(const struct env *e, struct column *c); /* what it points at */
perc_status schema_copy(const struct env *e, const struct schema *from, struct schema *to);
/* The same without the categories. */
perc_status schema_copy_columns(const struct env *e, const struct schema *from, struct schema *to);
/* The feature of a category, or UINT32_MAX. */
uint32_t schema_find(const struct schema *s, uint32_t column, const char *text, size_t len);
perc_status schema_add(struct schema *s, uint32_t column, const char *text, size_t len,
                       uint32_t *feature);
/* The same for the level of a column that stands for its missing cells, or its rare levels. */
uint32_t schema_find_special(const struct schema *s, uint32_t column, enum schema_special special);
perc_status schema_add_special(struct schema *s, uint32_t column, enum schema_special special,
                               uint32_t *feature);
/* The same for what a category of another schema stands for. */
uint32_t schema_find_level(const struct schema *s, const struct category *of);
perc_status schema_add_level(struct schema *s, const struct category *of, uint32_t *feature);
/* Removes the newest categories until this many are left. */
void schema_truncate(struct schema *s, size_t categories);
uint64_t schema_features(const struct schema *s);
/* Whether a column is a feature of its own, among the first: a number, or the day of a date. */
static inline bool column_is_number(const struct column *c)
{
    return c->kind == COLUMN_NUMBER || (c->kind == COLUMN_DATE && (c->how.parts & DATE_DAYS) != 0);
}
/* Whether words of its cells become features. */
static inline bool column_is_words(const struct column *c)
{
    return c->kind == COLUMN_CATEGORY || c->kind == COLUMN_TEXT ||
           (c->kind == COLUMN_DATE && (c->how.parts & ~(unsigned)DATE_DAYS) != 0);
}
/* Whether it has levels at all: a number has one if its gaps are shown. */
static inline bool column_has_levels(const struct column *c)
{
    return column_is_words(c) || c->how.indicator;
}
/* Whether a column has levels: words that become features. */
bool schema_has_words(const struct schema *s);
/* Whether the model says of some column what becomes of its missing cells. */
bool schema_fills(const struct schema *s);
/* Whether some of them become what only the rows can tell: a mean or a median. */
bool schema_measures_gaps(const struct schema *s);
/* Whether feature j is one of these. */
bool schema_fills_feature(const struct schema *s, uint64_t j);
/* Whether a column is treated in a way of its own: what older readers do not know. */
bool schema_has_treatments(const struct schema *s);
/* Whether the table is written in a way that they do not know. */
bool schema_has_notation(const struct schema *s);
/* The columns of `in` by name, for schema_locate: a set whose text number i is column i. */
perc_status schema_index(const struct schema *in, struct schema *names);
/* The feature of `in` that has the name of feature j of `of`; UINT64_MAX: none. Without columns a
 * feature is called x and its index. Both hash alike, or not at all. */
uint64_t schema_locate(const struct schema *in, const struct schema *names, const struct schema *of,
                       uint64_t j);
/* Appends the name of feature j: "age", "colour=red", "colour:missing" for a special level,
 * "hash:12" for a bucket. */
void schema_name(const struct schema *s, uint64_t j, struct text *out);

/* What there is to say of column i; false: there is none (NULL has no columns). */
bool schema_describe(const struct schema *s, size_t i, perc_column *out);

/* The names of the features, for callers who want plain strings. Buckets have none
 * here: it would take more memory than their weights. */
struct names {
    struct env e;
    char **at; /* n strings, inside text */
    uint64_t n;
    char *text;
    size_t size;
    char hash[12]; /* hash_bits as text */
};
perc_status names_make(const struct env *e, const struct schema *s, struct names *out);
void names_free(struct names *names); /* safe on a zeroed struct */

/* As JSON, for the model file and the block file. Reading refuses anything
 * inconsistent (PERC_EDATA): features out of order, two labels, ... */
void schema_to_json(const struct schema *s, struct text *out);
perc_status schema_from_json(const struct env *e, const char *json, size_t len, struct schema *out,
                             perc_error *err);

#endif
