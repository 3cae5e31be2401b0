/* survey.h -- what survey*.c share: a survey while rows come in. */
#ifndef PERC_SURVEY_H
#define PERC_SURVEY_H

#include "base/params.h"
#include "data/block.h"
#include "data/csv.h"
#include "data/csv_cell.h"
#include "data/paths.h"
#include "data/survey_values.h"
#include "perceptron_inspect.h"
#include "vec/rng.h"

enum {
    SURVEY_CLASSES = 32,    /* labels whose order is looked at, at most */
    SURVEY_LEVELS = 20,     /* values that are told of a column */
    SURVEY_FEATURES = 4096, /* features that are described, of data that are no table */
    SURVEY_DATE = 40
};

/* The numbers of one label in a column. */
struct survey_class {
    uint64_t n;
    double min, max;
};

struct survey_column {
    char *name;
    enum column_kind kind;
    uint64_t missing, numbers, wrong;
    bool whole;
    double min, max, mean, square; /* the sum of squares about the mean */
    uint32_t gap_label, there_label;
    int64_t wrong_line, wrong_column;
    size_t wrong_file;
    char wrong_text[CELL_BUFFER], first[SURVEY_DATE], last[SURVEY_DATE];
    struct survey_values values;
    double *sample;             /* by row of the sample; NaN: none */
    struct survey_class *class; /* by label */
    bool gap, there;            /* in the row at hand ... */
    size_t place;               /* ... and its value */
    double number;
    perc_survey_column facts; /* in the end */
};

struct perc_survey {
    struct env e;
    perc_survey_info info;
    struct perc_files files;
    struct schema schema; /* the columns of the table */
    struct text plain;    /* a number in another notation */
    struct survey_column *column;
    size_t columns, cap;
    struct survey_room room;
    struct labels labels;
    uint64_t *of_label; /* rows of each */
    size_t of_cap;
    struct survey_rows rows;
    struct rng rng;
    size_t sample; /* rows of the sample */
    unsigned bits; /* of the registers */
    bool sparse;   /* what is not there is 0 */
    /* The row at hand. */
    size_t file; /* which it is of */
    size_t slot; /* its place in the sample; SIZE_MAX: none */
    struct hash_keyed features;
    uint32_t label;
    struct text proposal;
};

/* ----- survey_column.c ------------------------------------------------------------------ */

/* One more column; `name` is taken over. false: out of memory. */
bool survey_column_add(struct perc_survey *s, char *name, enum column_kind kind);
/* A cell of the row. */
perc_status survey_column_take(struct perc_survey *s, struct survey_column *c, struct cell *cell,
                               perc_error *err);
/* An entry of the row, of data that are no table. false: out of memory. */
bool survey_column_number(struct perc_survey *s, struct survey_column *c, double v);
/* The row has this label: what its cells were is noted with it. */
void survey_column_label(struct survey_column *c, uint32_t label);
/* No more rows: the facts. */
perc_status survey_column_end(struct perc_survey *s, struct survey_column *c);
void survey_column_free(const struct perc_survey *s, struct survey_column *c);

/* ----- survey_facts.c ------------------------------------------------------------------- */

/* The quartiles, from the values or from the sample. false: out of memory. */
bool survey_facts_quartiles(const struct perc_survey *s, struct survey_column *c);
/* What is odd about a column: whether it is constant, unique, or determines the label. */
void survey_facts_remark(const struct perc_survey *s, struct survey_column *c);

/* ----- survey_read.c -------------------------------------------------------------------- */

/* A row: begin, its cells or entries, end. */
void survey_row_begin(struct perc_survey *s);
perc_status survey_row_end(struct perc_survey *s, perc_error *err);
/* Room for the counts of n labels. false: out of memory. */
bool survey_row_labels(struct perc_survey *s, size_t n);
/* All rows of a text, or of a block file or a built-in set. */
perc_status survey_read(struct perc_survey *s, const char *path, const perc_params *data,
                        perc_error *err);

/* ----- survey_propose.c ----------------------------------------------------------------- */

/* Fills s->proposal. false: out of memory. */
bool survey_propose(struct perc_survey *s);

#endif
