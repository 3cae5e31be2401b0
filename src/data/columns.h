/* columns.h -- what each column of a table is, and what becomes of its cells: a small text
 * (--columns FILE), one line a column.
 *
 *     # a comment
 *     customer: id
 *     signup: date days weekday month
 *     age: number scale=standard fill=median indicator
 *     plan: category rare=10 fill=frequent reference=basic
 *     note: text ngrams=2 tfidf stop=english
 *     "very good": label
 *
 * NAME: KIND [OPTION | OPTION=VALUE]... A name or a value with blanks, colons, '#', quotes or
 * control characters is a JSON string, and bytes that are not UTF-8 are {"hex":"e9"}. A level
 * called first, frequent or none stands in quotes after reference=, too. docs/columns.md has the
 * meanings.
 *
 * The same words, after the kind, describe a column in model files (schema_json.c). */
#ifndef PERC_COLUMNS_H
#define PERC_COLUMNS_H

#include "base/base.h"

enum column_kind {
    COLUMN_NUMBER,
    COLUMN_CATEGORY, /* a cell is one feature of value 1            */
    COLUMN_TEXT,     /* each word of a cell is a feature, its value how often it occurs */
    COLUMN_DATE,     /* the day as a number, and categories such as the weekday */
    COLUMN_LABEL,
    COLUMN_WEIGHT,
    COLUMN_ID,  /* to be kept beside a row; not learned from */
    COLUMN_SKIP /* not read */
};

enum scale {
    SCALE_NONE,
    SCALE_STANDARD,
    SCALE_MINMAX,
    SCALE_MAXABS,
    SCALE_UNIT, /* of whole rows: not for a column */
    SCALE_BY,
    SCALE_AUTO
};

enum fill {
    FILL_OPTION, /* as --missing says */
    FILL_ERROR,
    FILL_DROP,
    FILL_MEAN, /* numbers and dates */
    FILL_MEDIAN,
    FILL_ZERO,
    FILL_CONSTANT,
    FILL_FREQUENT, /* categories */
    FILL_LEVEL,
    FILL_NONE
};

enum { DATE_DAYS = 1, DATE_WEEKDAY = 2, DATE_MONTH = 4, DATE_HOUR = 8 };
enum { COLUMNS_NGRAMS_MAX = 8 };

struct treatment {
    /* Numbers, and the days of dates. */
    bool scaled; /* else as --scale says */
    enum scale scale;
    double by; /* SCALE_BY */
    enum fill fill;
    double constant; /* FILL_CONSTANT */
    bool indicator;
    /* Categories. */
    char *reference; /* the level without a feature; NULL: none */
    bool first;      /* it is the one met first */
    bool most;       /* it is the one of most rows */
    uint64_t rare;   /* levels with fewer rows are one; 0: none are */
    /* Texts. */
    unsigned ngrams; /* 0 is 1 */
    bool tfidf, stop;
    /* Dates. */
    unsigned parts; /* 0: those that are usual */
};

void columns_treatment_free(const struct env *e, struct treatment *t); /* safe on a zeroed one */
perc_status columns_treatment_copy(const struct env *e, const struct treatment *from,
                                   struct treatment *to);
/* Whether nothing is asked for. */
bool columns_treatment_is_plain(const struct treatment *t);
/* " scale=standard fill=median", in a fixed order; nothing for a plain one. */
void columns_treatment_write(const struct treatment *t, struct text *out);
/* Reads that for a column of this kind. PERC_EDATA with the place. */
perc_status columns_treatment_parse(const struct env *e, enum column_kind kind, const char *text,
                                    size_t len, struct treatment *out, perc_error *err);

/* The words of scaling by enum scale; "by:", and a number, for SCALE_BY. */
extern const char *const columns_scale_word[SCALE_AUTO + 1];
/* How a kind of column is called in such a file. */
const char *columns_kind_word(enum column_kind kind);

/* One line of the file. */
struct columns_line {
    char *name;
    enum column_kind kind;
    struct treatment how;
    int64_t line, column; /* where the name stands */
    int64_t kind_column;  /* and the kind */
};

struct columns {
    struct env e;
    struct columns_line *at;
    size_t n, cap;
};

void columns_init(struct columns *c, const struct env *e);
void columns_free(struct columns *c); /* safe on a zeroed struct */
/* PERC_EDATA with line and column; *out is freed then. */
perc_status columns_parse(const struct env *e, const char *text, size_t len, struct columns *out,
                          perc_error *err);
/* A file of that. What is wrong with it is said with its name, and has no place of its own: the
 * data are read as well. */
perc_status columns_read(const struct env *e, const char *path, struct columns *out,
                         perc_error *err);
/* PERC_EDATA about a line of the file, with its name and the place. */
perc_status columns_fail(perc_error *err, const char *path, int64_t line, int64_t column,
                         const char *why);
/* Appends a line that columns_parse reads. */
void columns_write(const char *name, enum column_kind kind, const struct treatment *how,
                   struct text *out);

#endif
