/* csv.h -- the CSV/TSV parser. */
#ifndef PERC_CSV_H
#define PERC_CSV_H

#include "base/params.h"
#include "data/block.h"
#include "data/carry.h"
#include "data/schema.h"

enum missing { MISSING_ERROR, MISSING_MEAN, MISSING_MEDIAN, MISSING_ZERO, MISSING_DROP };

/* Everything a worker needs to parse a chunk; read-only while workers run. */
struct csv {
    struct schema schema; /* grows only in csv_merge */
    enum missing missing;
    bool exact;    /* for a proof: missing numbers cannot be filled in */
    bool fixed;    /* the schema is a model's: unknown categories are
                             counted in rows.unknown, not added */
    uint32_t *map; /* fixed: file column -> schema column, UINT32_MAX skip */
    size_t file_columns;
    bool labelled;   /* the file has the label column */
    bool skip_first; /* a file starts with a header line */
    char delimiter;
    char point;         /* in plain cells; a digit: there is none (csv_parse.c) */
    bool float32;       /* refuse what float cannot hold */
    bool counted;       /* rows hold counts: a column of texts, or hashing */
    bool valued;        /* and any values: the features of Vowpal Wabbit's text (vw.h) */
    struct carry carry; /* columns whose cells go along with the rows */
    uint64_t ignored;   /* columns of the file that the model does not know */
    char *header;       /* kept to compare those of further files with; NULL: none */
    struct jsonl *keys; /* JSON lines: which key is which column; CSV: NULL */
};

/* Categories and words of one chunk, in order of appearance; rows refer to number k
 * of them as column schema.numeric + k until csv_merge. With hashing there are none:
 * rows have their columns from the start. */
struct csv_chunk {
    struct schema local; /* only its category table is used */
};

/* What becomes of a missing cell of this column, which is a feature: what its own treatment says,
 * or the option. */
enum fill csv_fill(enum missing missing, const struct column *column);

/* PERC_EARG where a treatment changes numbers: a proof is about those of the file. */
perc_status csv_check_exact(const struct schema *s, perc_error *err);
/* Whether missing cells are NaN, and to be filled with what is measured. */
bool csv_fills(const struct csv *c);

/* Decides delimiter, header, columns and kinds from the beginning of the file, whole lines,
 * and the "data" parameters (format csv|tsv, delimiter, quote, decimal, thousands, header, label,
 * weight, categorical, text, hash, ignore, missing). `model` is NULL in training; with it, columns
 * are matched to the model's by name (by position without a header) and unknown ones are
 * left out and counted, unless they are of `keep` (NULL: none), a list of the columns that
 * go along. `note` (>= 256 bytes) gets a sentence about what was decided, or "". */
perc_status csv_open(const struct env *e, const char *text, size_t len, const perc_params *data,
                     const struct schema *model, const char *keep, struct csv *out, char *note,
                     perc_error *err);
/* The same for JSON lines (jsonl.h), which have no delimiter and no header. */
perc_status csv_open_objects(const struct env *e, const char *text, size_t len,
                             const perc_params *data, const struct schema *model, const char *keep,
                             struct csv *out, char *note, perc_error *err);
/* One table in several files: keeps the header of the first, whose text this is, if it has one; and
 * compares that of another with it. PERC_EDATA: they differ; `like` is the first file's name. */
perc_status csv_header_keep(struct csv *c, const char *text, size_t len, perc_error *err);
perc_status csv_header_check(const struct csv *c, const char *text, size_t len, const char *like,
                             perc_error *err);
void csv_free(struct csv *c); /* safe on a zeroed struct */

/* What those need who leave rows as they are: whether there is a header, and where two columns are,
 * the label and `by` ("": none is meant). Decided as csv_open decides (or csv_open_objects), but of
 * the other columns nothing is asked. The note names the label. */
struct csv_places {
    char delimiter;
    char quote; /* 0: none */
    bool header;
    size_t label, by;         /* columns, from 0 */
    char *label_key, *by_key; /* of objects: their names, the caller's, also after an error */
};
perc_status csv_open_places(const struct env *e, const char *text, size_t len,
                            const perc_params *data, const char *by, bool objects,
                            struct csv_places *out, char *note, perc_error *err);

/* Parses a chunk of whole records into r, which is empty (rows_reset). err->line
 * counts lines of the chunk from 1. `first`: it begins a file. `local` is zeroed or
 * schema_init'ed before its first use, emptied here at each, and freed by
 * schema_free(&local->local). */
perc_status csv_parse(const struct csv *c, const char *text, size_t len, bool first, struct rows *r,
                      struct csv_chunk *local, perc_error *err);

/* In file order: gives the chunk's new categories their feature numbers, and
 * rewrites the columns of its rows, keeping each row's columns increasing. */
perc_status csv_merge(struct csv *c, const struct csv_chunk *local, struct rows *r,
                      perc_error *err);

/* Whether the text looks like CSV/TSV rather than LIBSVM. */
bool csv_looks_like(const char *text, size_t len);

#endif
