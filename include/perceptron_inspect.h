/* perceptron_inspect.h -- what learners, data sets and models are made of: rows, names, weights,
 * the layers of a network, the support rows of a kernel machine; and whether a kernel is one. */
#ifndef PERCEPTRON_INSPECT_H
#define PERCEPTRON_INSPECT_H

#include "perceptron.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===== What can learn ==================================================== */

/* More about a learner, for programs that offer a choice of them. */
typedef struct perc_about {
    const char *title;     /* "perceptron with margins" */
    const char *family;    /* "rule": makes steps along a row; "keeper": makes something of the */
                           /* steps of a rule; "solver": solves a problem for all rows at once; */
                           /* "network": learns by gradients */
    const char *page;      /* docs/algorithms/PAGE.md is about it */
    const char *step;      /* how far it moves w along y x, and when */
    const char *guarantee; /* what is proved of it */
    const char *use;       /* when it is the one to use */
    struct {               /* in walks along a row, and in weight vectors */
        const char *update, *answer, *memory;
    } cost;
    const char *form; /* options for a page of few points, "layers=8 rate=0.02"; NULL: the */
                      /* defaults are right; "-": cannot be run there */
    int online;       /* 1: learns row by row; 0: needs all rows */
} perc_about;
const perc_about *perc_table_about(const char *name); /* NULL: no learner of that name */

/* Reads the file that the parameter "init" of a learner names, if it names one. PERC_EDATA with the
 * place in it: it is neither a model nor numbers. */
perc_status perc_start_check(const perc_env *env, const perc_params *p, perc_error *err);

/* perc_dataset_read for perc_fit with the learner parameters p. Where their "init" names a model,
 * columns that it knows by name are scaled and filled as there, which its weights need; new ones
 * as it would have scaled them. PERC_EARG: `data` ask for another scaling. */
perc_status perc_dataset_read_start(const perc_env *env, const perc_params *p, const char *path,
                                    const perc_params *data, perc_dataset **out, perc_error *err);

/* ===== A run ============================================================ */

/* Within an observer, on an event that ends a pass of perc_fit or perc_fit_resume: the model that
 * training would return now; on one that says `ended`: what is returned. It can be used until the
 * observer returns. PERC_EARG: there is none; a solver has one only at the end. */
perc_status perc_event_model(const perc_event *event, const perc_model **out, perc_error *err);

/* ===== Data sets ======================================================== */

/* How far a file has been read. It is lent, and may be longer than this. */
typedef struct perc_reading {
    uint64_t rows;
    uint64_t bytes,
        of;    /* of the file, as it is stored; of == 0: its length is not known (a pipe) */
    int ended; /* 1: the last of the file, whether it was good or not */
} perc_reading;
typedef void (*perc_reading_fn)(void *ud, const perc_reading *reading);
/* From now on `notify` is told of every file of text that is read with these parameters, about once
 * in a megabyte, one call at a time. NULL: nobody is. PERC_EARG: not of the kind "data". */
perc_status perc_params_watch(perc_params *data, perc_reading_fn notify, void *ud, perc_error *err);

/* A synthetic data set: `generator` names a table of kind "generator". */
perc_status perc_dataset_generate(const perc_env *env, const perc_params *generator,
                                  perc_dataset **out, perc_error *err);

/* Writes `ds` as "libsvm", "csv" or "blocks" (binary, checksummed, opened again
 * by mapping). "-" is standard output. A file is written whole or not at all. */
perc_status perc_dataset_write(const perc_dataset *ds, const char *path, const char *format,
                               perc_error *err);

/* Label number i (sorted: numbers by value, words by letter), or NULL. */
const char *perc_dataset_label(const perc_dataset *ds, size_t i);
/* Whether two texts are one label: decimals that are exactly the same number ("1", "+1", "1.0"), or
 * the same bytes. A zero too many in front ("007") makes a word. A data set, or a model, shows a
 * label as it was written first. */
int perc_label_same(const char *a, const char *b);
/* The label number of row i (from 0), or -1 for a row without one. */
int perc_dataset_row_label(const perc_dataset *ds, uint64_t row);
double perc_dataset_row_weight(const perc_dataset *ds, uint64_t row);
/* The line of row i in its file; without a file, its number from 1. */
int64_t perc_dataset_row_line(const perc_dataset *ds, uint64_t row);
/* Which file that is, where the data are several; else NULL. */
const char *perc_dataset_row_file(const perc_dataset *ds, uint64_t row);

/* The files of a data set: those that `path` and a list like "more" of the "data" parameters
 * (NULL: none) stand for, in their order. */
typedef struct perc_files perc_files;
perc_status perc_files_find(const perc_env *env, const char *path, const char *more,
                            perc_files **out, perc_error *err);
size_t perc_files_count(const perc_files *files);
const char *perc_files_name(const perc_files *files, size_t k); /* NULL: there is no such one */
void perc_files_free(perc_files *files);
/* Row i as a dense vector of `features` numbers; x has room for them. */
void perc_dataset_row(const perc_dataset *ds, uint64_t row, double *x);
/* The name of feature j (from 0), or NULL where the file has none. */
const char *perc_dataset_feature(const perc_dataset *ds, uint64_t j);

/* How the features of a data set were scaled when it was read. auto decides for each column of
 * numbers of a table: those that were nearly always 0 are not among the four counts. */
typedef struct perc_scaling {
    char how[40];               /* what came of it: "none", "standard", "by:255", ... */
    int chosen;                 /* 1: by auto; the rest is 0 otherwise */
    uint64_t numbers;           /* columns of numbers */
    uint64_t standard, divided; /* (x - mean) / sd; nearly always 0, and then large: x / max|x| */
    uint64_t binary;            /* only 0 and 1: as they were */
    uint64_t large;             /* too large to be scaled, or too many: as they were */
} perc_scaling;
void perc_dataset_scaling_sized(const perc_dataset *ds, perc_scaling *out, size_t size);
static inline void perc_dataset_scaling(const perc_dataset *ds, perc_scaling *out)
{
    perc_dataset_scaling_sized(ds, out, sizeof *out);
}

/* ===== Maps ============================================================= */

/* The image of a point, which has n features from 1 on, under a map as the parameter "map" names
 * it. *columns: how many numbers that is; `image` has room for `room` of them and is left as it is
 * if they are more, or NULL. PERC_EARG: no such map, or one of buckets; PERC_EDATA: the image is
 * not finite. */
perc_status perc_map_image(const perc_env *env, const char *map, const double *x, size_t n,
                           double *image, size_t room, uint64_t *columns, perc_error *err);
/* The name of number j of such an image, "sqrt(2)*x1*x2"; NULL: there is none. The text is in
 * `buf`, cut if it is too long. */
const char *perc_map_name(const char *map, size_t n, uint64_t j, char *buf, size_t size);

/* ===== Weights ========================================================== */

/* What is returned (the average, the pocket; voted: the last vector), as the machine
 * uses it, after the transforms: output c (from 0) weighs feature j by the first.
 * After perc_learn, call perc_model_refresh first. With a kernel there are no weights:
 * the first is 0 then, and perc_model_supports says what the machine is made of. */
double perc_model_weight(const perc_model *m, uint64_t j, size_t c);
double perc_model_offset(const perc_model *m, size_t c);
/* Logistic regression: what the odds of output c are multiplied by if feature j is one more, in the
 * units of the data: exp(weight / divisor of the scaling). NaN: the model has no such number,
 * another algorithm's, or where features are scaled row by row (unit), products or buckets. */
double perc_model_odds_ratio(const perc_model *m, uint64_t j, size_t c);
/* The name of feature j (a product "x1*x3" with a map), or NULL: it has none. The
 * text is in `buf`, cut if it is too long. */
const char *perc_model_feature(const perc_model *m, uint64_t j, char *buf, size_t size);

/* What a column of a table is, and what becomes of its cells. */
typedef struct perc_column {
    const char *name; /* as long as the data or the model; "" where there is no such column */
    const char *kind; /* "number", "category", "text", "date", "label", "weight", "id", "ignore" */
    uint64_t missing; /* cells of the rows; a model's file knows it of columns that are treated */
    char how[200];    /* its treatment in the words of --columns, "fill=mean indicator"; cut */
    /* Of a category, as long as the data or the model; "": none. */
    const char *frequent;  /* the level that its gaps are */
    const char *reference; /* the level without a feature */
} perc_column;
/* Column i from 0 of the table that was read, or that the model learned from; 0: there is none. */
int perc_dataset_column_sized(const perc_dataset *ds, size_t i, perc_column *out, size_t size);
static inline int perc_dataset_column(const perc_dataset *ds, size_t i, perc_column *out)
{
    return perc_dataset_column_sized(ds, i, out, sizeof *out);
}
int perc_model_column_sized(const perc_model *m, size_t i, perc_column *out, size_t size);
static inline int perc_model_column(const perc_model *m, size_t i, perc_column *out)
{
    return perc_model_column_sized(m, i, out, sizeof *out);
}
/* How the table that the model learned from was written, and so what it reads: the value of the
 * "data" parameter "decimal", "thousands" or "quote"; NULL: as usual, or no such parameter. */
const char *perc_model_notation(const perc_model *m, const char *name);

/* ===== Networks (mlp) =================================================== */

typedef struct perc_layer {   /* from the first hidden one, 0, to the output */
    uint64_t inputs, outputs; /* weights are [inputs, outputs] */
    int has_offset;
    const char *activation; /* "relu", "sigmoid", "tanh"; "" of the output layer */
    double norm;            /* sqrt of the sum of the squared weights */
} perc_layer;

/* 0: there is no such layer, or the model is no network. */
int perc_model_layer_sized(const perc_model *m, size_t i, perc_layer *out, size_t size);
static inline int perc_model_layer(const perc_model *m, size_t i, perc_layer *out)
{
    return perc_model_layer_sized(m, i, out, sizeof *out);
}
/* Weight from input j to neuron k of layer i, and the offset of that neuron; 0: there is none. */
double perc_model_layer_weight(const perc_model *m, size_t i, uint64_t j, uint64_t k);
double perc_model_layer_offset(const perc_model *m, size_t i, uint64_t k);

/* ===== Kernel machines ================================================== */

/* The examples that the machine is made of, perc_model_info.supports of them, by row number:
 * those whose counter is above 0. Two equal rows that have both erred are two supports, each
 * with its own counter and label; the model keeps what is equal in them once, and the file's
 * `coefficient` and `counter` are those of such distinct rows. With a budget these are the
 * rows kept, in their order: which examples they were is not known. */
typedef struct perc_support {
    int64_t row;        /* its number in the training data, from 0; what was learned later */
                        /* has numbers above those. -1: not known (a budget) */
    int64_t counter;    /* alpha: the updates made on it, less those undone by drop-after. */
                        /* -1: not known (a budget) */
    int64_t label;      /* number of its class; -1: not known */
    double coefficient; /* two classes: what it counts for in what is returned, the sum of */
                        /* its updates; NaN with more classes */
} perc_support;

/* Fills `out`, which has room for all of them. PERC_EARG: there is no kernel; PERC_ENOMEM. */
perc_status perc_model_supports_sized(const perc_model *m, perc_support *out, size_t size,
                                      perc_error *err);
static inline perc_status perc_model_supports(const perc_model *m, perc_support *out,
                                              perc_error *err)
{
    return perc_model_supports_sized(m, out, sizeof *out, err);
}
/* The i-th row set aside by drop-after, in the order they were; -1 past the end. */
int64_t perc_model_dropped(const perc_model *m, size_t i);
/* One class against the rest: the class in whose problem it was; elsewhere NULL. */
const char *perc_model_dropped_class(const perc_model *m, size_t i);

enum { PERC_SPECTRUM_ROWS = 5000 }; /* the most: 200 MB, about a minute */
typedef struct perc_spectrum {
    uint64_t rows;
    double smallest, largest; /* eigenvalues */
    double tolerance;         /* what rounding may have made of 0 */
    int semidefinite;         /* smallest >= -tolerance */
} perc_spectrum;

/* Whether a kernel is one: the Gram matrix of `rows` rows of ds, drawn by the seed of `p`
 * without repetition (all of them if there are no more), must have no negative eigenvalue.
 * `p` are those of a learner with a kernel. PERC_EARG: more rows than PERC_SPECTRUM_ROWS,
 * or a build without LAPACK. O(rows^3): 1,000 rows take a second. */
perc_status perc_check_kernel_sized(const perc_env *env, const perc_dataset *ds,
                                    const perc_params *p, uint64_t rows, perc_spectrum *out,
                                    size_t size, perc_error *err);
static inline perc_status perc_check_kernel(const perc_env *env, const perc_dataset *ds,
                                            const perc_params *p, uint64_t rows, perc_spectrum *out,
                                            perc_error *err)
{
    return perc_check_kernel_sized(env, ds, p, rows, out, sizeof *out, err);
}

/* Whether this processor has the fused multiply-adds that kernels and networks are made of; 0: they
 * are computed in software, to the same bits, and slowly. */
int perc_has_fma(void);

/* perc_predict_file; *info, if wanted, has `rows`, `bytes`, `unchecked` and `unknown` of what was
 * read. The rest is 0: nothing is held that it could be about. */
perc_status perc_predict_file_info_sized(const perc_env *env, const perc_model *m, const char *path,
                                         const perc_params *data, perc_score_sink sink, void *ud,
                                         perc_dataset_info *info, size_t size, perc_error *err);
static inline perc_status perc_predict_file_info(const perc_env *env, const perc_model *m,
                                                 const char *path, const perc_params *data,
                                                 perc_score_sink sink, void *ud,
                                                 perc_dataset_info *info, perc_error *err)
{
    return perc_predict_file_info_sized(env, m, path, data, sink, ud, info, sizeof *info, err);
}

/* The same, and the sink gets the rows too: a data set of those that follow one another, as read
 * for the model, which is valid for the call; its labels are those met so far. perc_margins and
 * what looks at data sets take it. `keep`: columns of a table, "id,date", by name or position,
 * whose cells come along, whether the model knows the columns or not; then "missing" drop may leave
 * rows out, which info->dropped counts. Or NULL. Without an error the sink is called at least once,
 * for a file without rows with none. PERC_EARG: no such column, or no table. */
typedef int (*perc_row_sink)(void *ud, const perc_dataset *rows, const double *scores);
perc_status perc_predict_rows_sized(const perc_env *env, const perc_model *m, const char *path,
                                    const perc_params *data, const char *keep, perc_row_sink sink,
                                    void *ud, perc_dataset_info *info, size_t size,
                                    perc_error *err);
static inline perc_status perc_predict_rows(const perc_env *env, const perc_model *m,
                                            const char *path, const perc_params *data,
                                            const char *keep, perc_row_sink sink, void *ud,
                                            perc_dataset_info *info, perc_error *err)
{
    return perc_predict_rows_sized(env, m, path, data, keep, sink, ud, info, sizeof *info, err);
}
/* The cell of the column that `keep` names k-th, from 0, in a row: without its quotes, and else to
 * the byte. And the name of that column. NULL: there is none. */
const char *perc_dataset_kept(const perc_dataset *rows, uint64_t row, size_t k);
const char *perc_dataset_kept_name(const perc_dataset *rows, size_t k);

/* ===== A survey ========================================================= */

/* What a file of data holds: its columns as training would take them, their gaps, values and
 * ranges, the labels, rows that occur again or contradict each other. One pass; what is kept does
 * not grow with the rows. Up to 131,072 different values of a column, 2,097,152 of all, and 131,072
 * different rows everything is counted; beyond, what is estimated says so, with its standard error.
 * Nothing depends on chance, threads or keys. */
typedef struct perc_survey perc_survey;

/* Reads a file, a pipe, "-" or a built-in set; or several files, a directory or a pattern, as one
 * data set ("more"). `data` are "data" parameters, or NULL. Cells that
 * training would refuse, as a word among numbers, are counted. PERC_EDATA: the text cannot be cut
 * into rows and cells. */
perc_status perc_survey_read(const perc_env *env, const char *path, const perc_params *data,
                             perc_survey **out, perc_error *err);
void perc_survey_free(perc_survey *s);

typedef struct perc_survey_info { /* strings point into the survey */
    const char *format;           /* "csv", "jsonl", "libsvm", "vw", "blocks", "builtin" */
    uint64_t rows, bytes, unchecked;
    uint64_t files;          /* that the rows are of; 0: of none */
    uint64_t columns;        /* of a table all; else features */
    uint64_t described;      /* of them: those that perc_survey_column has */
    int table;               /* columns have kinds; 0: they are features */
    uint64_t cells, gaps;    /* of a table; else numbers that are not 0, and 0 */
    uint64_t wrong;          /* cells that training would refuse */
    size_t labels;           /* different ones */
    uint64_t unlabelled;     /* rows without a label */
    uint64_t duplicates;     /* rows that are as one before: features and label */
    uint64_t contradictions; /* rows whose features occur with more than one label */
    double duplicates_error, contradictions_error; /* standard errors; 0: exact */
    double distinct_error; /* of numbers of values that are estimated: relative */
    double quartile_error; /* of quartiles that are estimated: in shares of the rows */
    char note[256];        /* what was decided about the table; "" */
} perc_survey_info;

void perc_survey_info_get_sized(const perc_survey *s, perc_survey_info *info, size_t size);
static inline void perc_survey_info_get(const perc_survey *s, perc_survey_info *info)
{
    perc_survey_info_get_sized(s, info, sizeof *info);
}
/* Label i, in the order of values, and how many rows have it; NULL past the end. */
const char *perc_survey_label(const perc_survey *s, size_t i, uint64_t *rows);

/* A column. What is no number is NaN. */
typedef struct perc_survey_column {
    const char *name, *kind; /* as in perc_column; of features that are no columns "number" */
    char how[200];           /* its treatment in the words of --columns; cut */
    uint64_t missing;
    uint64_t numbers;  /* cells that are numbers */
    int whole;         /* all of them are whole */
    uint64_t distinct; /* different values */
    int estimated;     /* their number is */
    double min, max, mean, sd;
    double quartile[3];       /* the second is the median */
    int sampled;              /* they are those of a sample */
    const char *first, *last; /* dates: the earliest and the latest, as they stand; else "" */
    size_t levels;            /* that perc_survey_level has: the most frequent values */
    uint64_t short_by;        /* what their counts may be short by, at most; 0: they are exact */
    uint64_t wrong;           /* cells that training would refuse ... */
    const char *wrong_text;   /* ... and the first of them, with its place; else "" */
    int64_t wrong_line, wrong_column;
    const char *wrong_file; /* if they are several; else "" */
    int constant;           /* one value, or none */
    int near_constant;      /* 99 in 100 rows or more have one value, or none */
    int near_unique;        /* 19 in 20 words, or whole numbers, or more are different */
    /* The label follows from it: "values", each goes with one label; "order", the numbers of each
     * label lie apart; "gaps", from whether there is a value. Or "". */
    const char *leak;
} perc_survey_column;

/* Column i from 0; 0: there is none. */
int perc_survey_column_get_sized(const perc_survey *s, uint64_t i, perc_survey_column *out,
                                 size_t size);
static inline int perc_survey_column_get(const perc_survey *s, uint64_t i, perc_survey_column *out)
{
    return perc_survey_column_get_sized(s, i, out, sizeof *out);
}
/* Value k of column i in falling order of counts, as it stood first, cut if it is long; NULL past
 * the end. */
const char *perc_survey_level(const perc_survey *s, uint64_t i, size_t k, uint64_t *rows);
/* A file for --columns that says what the columns are taken for, with what was seen in comments:
 * training with it gives the model that training without it gives. NULL: there is no table. */
const char *perc_survey_proposal(const perc_survey *s);

#ifdef __cplusplus
}
#endif
#endif
