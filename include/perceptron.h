/* perceptron.h -- the perceptron family as a C library: the core.
 *
 * A linear machine scores s(x) = w.x + b and answers +1 when s > 0, -1 when s <= 0. An example
 * (x, y) is a *mistake* when y s <= 0: a point on the boundary is a mistake for either label.
 * The perceptron learns from its mistakes alone: w += rate y x, b += rate y. With three labels or
 * more there is one w and b for each, the highest score answers, ties going to the lower label,
 * and it is a mistake unless all others are below that of the truth.
 *
 * The shape of a program:
 *
 *     perc_dataset *ds;  perc_params *p;  perc_model *m;  perc_report r;  perc_error err = { 0 };
 *     perc_dataset_read(NULL, "train.svm", NULL, &ds, &err);
 *     perc_params_new(NULL, "averaged", &p, &err);
 *     perc_params_set(p, "epochs", "20", &err);
 *     perc_fit(NULL, ds, p, NULL, &m, &r, &err);
 *     perc_model_write(m, "model.safetensors", &err);
 *
 * Rules that hold everywhere:
 * - Every function that can fail returns a perc_status and, where `err` is not NULL, fills it: a
 *   place, and one line that names the culprit and a remedy.
 * - On failure every `*out` is NULL and nothing is left half-made.
 * - `_free(NULL)` is fine. Functions borrow for the call only, but for perc_dataset_borrow_*.
 * - The library prints nothing, keeps no global state and never exits or aborts: an argument that
 *   cannot be right, NULL or an object of another kind, is PERC_EARG; 0 or NULL without a status.
 * - Functions whose arguments are const may run in parallel on one object.
 * - The same data, options and seed give the same bits, on any number of threads and any machine;
 *   except for lp, whose weights come from the version of Clp that is installed.
 * - Strings are UTF-8 or plain bytes, NUL-terminated, never translated.
 *
 * What is promised: a program built with this version runs with every later library of the same
 * soname (libperceptron.so.0), without being built again.
 * - Functions keep their names, arguments and meaning. Values of enums are never renumbered; new
 *   ones may come, so a switch needs its default.
 * - Structs grow only at their end. A function that fills one is told its size: perc_fit is inline
 *   and calls perc_fit_sized with sizeof, and so do all that have a _sized version (other languages
 *   call that). No byte beyond that size is written, and members that an older library does not
 *   know are set to 0. perc_event and perc_about are lent, and may be longer than those known.
 * - Structs that a program fills in stay as they are, and so do a few others. These never
 *   change: perc_bound_run, perc_claim, perc_csr, perc_dense, perc_env, perc_error,
 *   perc_example, perc_neuron, perc_observer, perc_param, perc_signals. */
#ifndef PERCEPTRON_H
#define PERCEPTRON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ===== Version ========================================================== */

#define PERC_VERSION_MAJOR 0
#define PERC_VERSION_MINOR 1
#define PERC_VERSION_PATCH 0
#define PERC_MODEL_FORMAT  6 /* the newest that model files have; older ones are read, too */

/* The version of the library that is running, for example "0.1.0". */
const char *perc_version(void);

/* ===== Status and errors ================================================ */

typedef enum perc_status {
    PERC_OK = 0,
    PERC_ENOMEM = 1,    /* out of memory */
    PERC_EARG = 2,      /* the caller's mistake: an unknown name, a bad value */
    PERC_EDATA = 3,     /* the data or the model file is wrong */
    PERC_EIO = 4,       /* the system failed: open, read, write, rename */
    PERC_ENO = 5,       /* the answer is no: no hyperplane does what was asked */
    PERC_EUNDECIDED = 6 /* no answer: rounding or a limit came first, or no doubles have it */
} perc_status;

typedef struct perc_error { /* optional everywhere: NULL = not wanted */
    perc_status status;
    int64_t line, column; /* place in the input, from 1; 0 if none */
    char text[256];       /* one line, no newline */
} perc_error;

/* ===== Environment: memory and threads ================================== */

/* One function for all memory, in Lua's shape. new_size == 0 frees `ptr` and returns NULL; ptr ==
 * NULL allocates; otherwise it resizes. It returns NULL when it is out of memory and then leaves
 * `ptr` as it was. It may be called from several threads at once. */
typedef void *(*perc_alloc_fn)(void *ud, void *ptr, size_t old_size, size_t new_size);

/* How to run. Every creator takes one; NULL, or zero in a field, means the
 * default. The env is copied: it need not outlive the call. */
typedef struct perc_env {
    perc_alloc_fn alloc; /* default: realloc and free */
    void *alloc_ud;      /* first argument of alloc */
    int threads;         /* default: all cores */
} perc_env;

/* ===== Parameters by name =============================================== */

/* One table each describes how data are read ("data"), how a learner learns ("averaged"), what a
 * generator makes ("halfspace", ...), how models are compared ("selection"), what is proved
 * ("prove"), which rows are drawn ("split", "sample"). Options and help are printed from them. */
typedef struct perc_params perc_params;

typedef enum perc_type { PERC_INT, PERC_REAL, PERC_BOOL, PERC_CHOICE, PERC_TEXT } perc_type;

typedef struct perc_param {
    const char *name; /* "rate"; also the long option */
    perc_type type;
    const char *initial; /* the default, as text; NULL: none */
    double min, max;     /* range of INT and REAL, inclusive */
    const char *choices; /* CHOICE: "zero|unit|random"; else NULL. A text default */
                         /* may stand for more: see `help` */
    const char *metavar; /* "FILE", "N" */
    const char *help;    /* one line, no full stop */
} perc_param;

/* The names of the tables: `kind` is "data", "learner", "generator", ...; i counts from 0; NULL
 * past the end. *summary, if wanted, is one line about it. With "builtin" they are those of the
 * data sets that perc_dataset_read has, and *summary is "". */
const char *perc_table_name(const char *kind, size_t i, const char **summary);

/* The rows of table `name`, *count of them; NULL for an unknown name. */
const perc_param *perc_table(const char *name, size_t *count);

/* A set of values for one table, at their defaults. PERC_EARG: unknown name. */
perc_status perc_params_new(const perc_env *env, const char *table, perc_params **out,
                            perc_error *err);
/* Sets one value from text. PERC_EARG: unknown name, not a number, out of range. */
perc_status perc_params_set(perc_params *p, const char *name, const char *value, perc_error *err);
/* The value as text ("" if none); NULL for an unknown name. Valid until set again. */
const char *perc_params_get(const perc_params *p, const char *name);
/* Whether the values go together, which is checked again where they are used: else PERC_EARG. */
perc_status perc_params_check(const perc_params *p, perc_error *err);
void perc_params_free(perc_params *p);

/* ===== Data sets ======================================================== */

typedef struct perc_dataset perc_dataset;
typedef struct perc_model perc_model;

/* Reads a file, a pipe ("-": standard input), the files of a directory or pattern ("*.csv"), those
 * that "more" of `data` names after them, or a built-in set (":xor"). `data`: "data" parameters;
 * NULL: the defaults. Format and compression are told from the content. PERC_EDATA names the first
 * bad line in file order, for any number of threads; its text begins with one of several files. */
perc_status perc_dataset_read(const perc_env *env, const char *path, const perc_params *data,
                              perc_dataset **out, perc_error *err);
/* Likewise, for scoring with `model`: its columns and transforms are used; labels may be absent. */
perc_status perc_dataset_read_for(const perc_env *env, const perc_model *model, const char *path,
                                  const perc_params *data, perc_dataset **out, perc_error *err);

/* Borrowed arrays: no copy is made, so they must outlive the data set and stay unchanged. */
typedef enum perc_number { PERC_F32, PERC_F64, PERC_I32, PERC_I64 } perc_number;

typedef struct perc_dense { /* rows x columns */
    const void *values;     /* finite */
    perc_number type;       /* PERC_F32 or PERC_F64 */
    uint64_t rows, columns;
    ptrdiff_t row_stride, column_stride; /* in bytes */
} perc_dense;

typedef struct perc_csr {               /* row i has entries start[i] .. start[i+1]-1 */
    const void *values;                 /* finite; NULL: every entry is 1 */
    perc_number value_type;             /* PERC_F32 or PERC_F64 */
    const void *index;                  /* columns from 0, increasing in each row */
    const void *start;                  /* rows + 1 of them */
    perc_number index_type, start_type; /* PERC_I32 or PERC_I64 */
    uint64_t rows, columns;
} perc_csr;

/* One label a row: a whole number to its last digit, any other the shortest decimal that reads back
 * ("0.1"); `weights` likewise, or NULL (all 1). Both are copied, not the matrix. PERC_EDATA names
 * the row of a value that is not finite, an index out of order or range, a negative weight. */
perc_status perc_dataset_borrow_dense(const perc_env *env, const perc_dense *x,
                                      const double *labels, const double *weights,
                                      perc_dataset **out, perc_error *err);
perc_status perc_dataset_borrow_csr(const perc_env *env, const perc_csr *x, const double *labels,
                                    const double *weights, perc_dataset **out, perc_error *err);

/* What a data set is. Names point into the data set. */
typedef struct perc_dataset_info {
    uint64_t rows, features, nonzeros;
    uint64_t bytes;      /* text read, after decompression */
    uint64_t memory;     /* bytes held by the rows */
    int index_base;      /* the smallest feature index: 0 or 1 */
    int dense;           /* 1 if every row has every feature */
    size_t labels;       /* distinct labels */
    const char *format;  /* "libsvm", "csv", "jsonl", "vw", "blocks", "memory", "builtin" */
    const char *storage; /* how the values are kept: "ones", "u8", ... */
    double seconds;      /* time spent reading */
    uint64_t unknown;    /* entries left out: features unknown to the model */
    uint64_t dropped;    /* rows left out: --missing drop */
    uint64_t hashed;     /* --hash: buckets in use; 0 if read for a model */
    uint64_t collisions; /* buckets that two or more features share */
    char note[256];      /* a decision worth telling the user; "" if none */
    uint64_t unchecked;  /* of `bytes`: compressed without a checksum */
    uint64_t ignored;    /* columns that the model does not know: `note` has names */
    uint64_t filled;     /* missing numbers that have the mean of their column now */
    uint64_t files;      /* of text that were read */
} perc_dataset_info;

void perc_dataset_info_get_sized(const perc_dataset *ds, perc_dataset_info *info, size_t size);
static inline void perc_dataset_info_get(const perc_dataset *ds, perc_dataset_info *info)
{
    perc_dataset_info_get_sized(ds, info, sizeof *info);
}
void perc_dataset_free(perc_dataset *ds);

/* ===== Observers ======================================================== */

/* An observer watches a run and can end it: a non-zero result stops training
 * after the event, and the model is what the algorithm would return then. Where work
 * is done on several threads it may be called on any of them, one at a time. Its level
 * is read again for every event: having seen enough, it may lower it. */
typedef enum perc_watch {
    PERC_WATCH_COUNTS = 0, /* several times a second, and after each pass */
    PERC_WATCH_UPDATES,    /* also after each update */
    PERC_WATCH_WEIGHTS     /* after every example, with the weights */
} perc_watch;

typedef struct perc_event {
    int64_t epoch;             /* pass, from 1 */
    int64_t examples;          /* examples shown so far, all passes */
    int64_t mistakes, updates; /* so far, all passes */
    int64_t pass_mistakes;     /* in this pass */
    int pass_ended;            /* 1 on the event that follows a pass */
    double held_error;         /* validated, after a pass: its E_n on held-out rows; else NaN */
    double loss;               /* mlp: the mean over the rows of this pass, each before the */
                               /* step of its batch; else NaN */
    double seconds;            /* since training began */
    /* From PERC_WATCH_UPDATES on; row is -1 in events of the lower level. */
    int64_t row;          /* row of the data set, from 0; -1: several rows made a step of mlp */
    double y, score;      /* its label, and its score before; more than two classes: the */
                          /* number of its class, and its margin, half the gap between its */
                          /* own score and the best of the others */
    int mistake, updated; /* updated: how many vectors erred, with ovr */
    /* PERC_WATCH_WEIGHTS only, after the example; b is NULL in the others. */
    const double *w; /* feature j in vector c: w[j * stride + c]; NULL: no features */
    const double *b; /* `vectors` offsets */
    uint64_t features;
    size_t vectors, stride; /* one vector for two classes, else one each */
    struct perc_model *run; /* for perc_event_model                     */
    /* The same as they were learned: w, b and score are shown times perc_model_info.unit. */
    const double *w_units, *b_units;
    int ended; /* 1: the run is over, and perc_event_model has its model, to be saved before its */
               /* errors are counted; not counted (NaN) if the answer is PERC_UNCOUNTED */
    const char *warning; /* a sentence: what the run goes on without, and why; else NULL */
    double held_value;   /* as held_error, in the metric that passes are compared by */
} perc_event;
enum { PERC_UNCOUNTED = 2 };

typedef struct perc_observer {
    perc_watch level;
    int (*notify)(void *ud, const perc_event *event);
    void *ud;
} perc_observer;

/* ===== Learning ========================================================= */

typedef enum perc_stop {
    PERC_STOP_NONE = 0,  /* not trained */
    PERC_STOP_CONVERGED, /* a whole pass without an update */
    PERC_STOP_EPOCHS,    /* the epoch limit */
    PERC_STOP_UPDATES,   /* the update limit */
    PERC_STOP_TIME,      /* the time limit */
    PERC_STOP_CANCELLED, /* an observer said so */
    PERC_STOP_SOLVED,    /* a solver: as near to the optimum as was asked */
    PERC_STOP_HELD,      /* no better on the held-out rows for some passes */
    PERC_STOP_STUCK,     /* not that near, but rounding (lp: or size) allows no more */
    PERC_STOP_DIVERGED   /* mlp: the loss was not finite; the last whole pass counts */
} perc_stop;
const char *perc_stop_text(perc_stop stop);

typedef struct perc_report {
    perc_stop stop;
    int64_t epochs; /* passes begun */
    int64_t examples, mistakes, updates;
    uint64_t rows;                      /* in the training set, without weight 0 */
    uint64_t training_errors;           /* rows with y s <= 0, of what is returned */
    double training_error;              /* E_n: training_errors / rows */
    double loss;                        /* mean of max(0, -y s); mlp: of -log p(class) */
    double last_error;                  /* E_n of the last weights, where something else is */
                                        /* returned (averaged, voted, pocket) */
    int64_t found_epoch, found_updates; /* pocket: when its weights were found */
    double norm;                        /* |w|, over all vectors; NaN with a kernel, and mlp */
    double norm_augmented;              /* |(w, b)|; |w| without an offset */
    double radius;                      /* R = max |x'|, x' = (x, 1) with an offset; with a */
                                        /* kernel |x|^2 is K(x, x) */
    /* svm; sums over the classes, each against the rest. NaN elsewhere. */
    double primal, dual; /* the objective reached, and a lower bound that no w can beat */
    uint64_t supports;   /* rows whose multiplier is not 0: w is a sum of them; with --hard */
                         /* too. With a kernel: examples whose counter is not */
    uint64_t dropped;    /* --drop-after: rows set aside */
    /* --init MODEL: features of the data that it has, and has not; its own that they have not */
    uint64_t start_found, start_missing, start_unused;
    /* svm with --hard, lp: bounds on gamma', the margin of the mistake bound; the smallest
     * over the classes. NaN elsewhere; the upper one with lp, too. */
    double margin_lower, margin_upper;
    const char *solver; /* "dual", "newton", "hard", "lp"; "" elsewhere */
    /* Validated: the pass that was best (0: none was completed), and its error; else NaN. */
    int64_t held_epoch;
    double held_error;
    uint64_t weights;                        /* mlp: numbers that are learned; 0 elsewhere */
    int64_t diverged_epoch, diverged_update; /* PERC_STOP_DIVERGED: where; 0 elsewhere */
    uint64_t hashed, collisions;             /* --hash: as in perc_dataset_info */
    double read_seconds, train_seconds, rows_per_second;
    uint64_t bytes; /* text read, after decompression */
    /* "arithmetic" exact: examples decided in whole numbers, how many of them doubles would have
     * decided otherwise, and rows to which the weights returned, as doubles, give another sign
     * (-1: in doubles, with a kernel, voted, validated). */
    int64_t decisions, other_decisions, other_rows;
    int64_t close_calls; /* map lift or products: decisions of this run within rounding of 0, */
                         /* where its kernel may differ; -1: not counted */
    /* svm with --hard and an offset that is not inside: bounds on the geometric margin; or NaN. */
    double geometric_lower, geometric_upper;
    int64_t checkpoints, checkpoints_failed; /* written; and not, which does not end the run */
    uint64_t unchecked;                      /* as in perc_dataset_info */
    const char *held_metric;                 /* validated: what passes are compared by; else NULL */
    double held_value;                       /* and how good the best one is in it; else NaN */
} perc_report;

/* Trains a model. Borrows `ds` and `p` for this call only. `observer` and `report`
 * may be NULL. PERC_EDATA: fewer than two labels. svm with --hard decides in whole numbers what
 * doubles cannot tell: PERC_ENO, PERC_EUNDECIDED. O(epochs * nonzeros). */
perc_status perc_fit_sized(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                           const perc_observer *observer, perc_model **out, perc_report *report,
                           size_t size, perc_error *err);
static inline perc_status perc_fit(const perc_env *env, const perc_dataset *ds,
                                   const perc_params *p, const perc_observer *observer,
                                   perc_model **out, perc_report *report, perc_error *err)
{
    return perc_fit_sized(env, ds, p, observer, out, report, sizeof *report, err);
}

/* Continues from `from` (read from a file, or just trained) with its options,
 * except those set in `p` (NULL: none). Stopping and going on gives the bits
 * of one run. PERC_EDATA: `ds` is not what `from` was trained on. */
perc_status perc_fit_resume_sized(const perc_env *env, const perc_dataset *ds,
                                  const perc_model *from, const perc_params *p,
                                  const perc_observer *observer, perc_model **out,
                                  perc_report *report, size_t size, perc_error *err);
static inline perc_status perc_fit_resume(const perc_env *env, const perc_dataset *ds,
                                          const perc_model *from, const perc_params *p,
                                          const perc_observer *observer, perc_model **out,
                                          perc_report *report, perc_error *err)
{
    return perc_fit_resume_sized(env, ds, from, p, observer, out, report, sizeof *report, err);
}

/* Trains from a file without holding it: constant memory, rows in file order. The model is bit for
 * bit that of perc_dataset_read and perc_fit in file order (native: with the same "classes"). More
 * than one pass needs a file that can be opened again. Without "positive" or "classes" observers
 * see the first label as -1 until there are two; a run cancelled before is an error. While there
 * is nothing to read they are asked ten times a second (PERC_EUNDECIDED: before any row). */
perc_status perc_fit_stream_sized(const perc_env *env, const char *path, const perc_params *data,
                                  const perc_params *p, const perc_observer *observer,
                                  perc_model **out, perc_report *report, size_t size,
                                  perc_error *err);
static inline perc_status perc_fit_stream(const perc_env *env, const char *path,
                                          const perc_params *data, const perc_params *p,
                                          const perc_observer *observer, perc_model **out,
                                          perc_report *report, perc_error *err)
{
    return perc_fit_stream_sized(env, path, data, p, observer, out, report, sizeof *report, err);
}

/* ===== Teaching one example at a time =================================== */

/* An untrained model with the parameters `p`, to be taught by perc_learn. */
perc_status perc_model_new(const perc_env *env, const perc_params *p, perc_model **out,
                           perc_error *err);

typedef struct perc_example { /* one row: n entries */
    const uint32_t *column;   /* from 0, increasing; NULL: 0 .. n-1 */
    const double *value;
    size_t n;
} perc_example;

typedef struct perc_outcome {
    double score; /* before learning; more than two classes: the margin, as in perc_event */
    int mistake, updated;
    const char *answer; /* the model's label before learning; NULL where it knew none */
} perc_outcome;

/* Shows the model one example with its label. weight >= 0 scales the update (1: the plain rule; 0:
 * the example counts for nothing). Calling it for every row in order is one pass of perc_fit in
 * file order, bit for bit. A label that was not seen before makes a new class: two labels share one
 * vector, told apart by sign; with the third each gets its own. PERC_EARG: a bad weight, column or
 * value, or a learner that needs the whole data set (pocket, solvers). */
perc_status perc_learn_sized(perc_model *m, const perc_example *x, const char *label, double weight,
                             perc_outcome *out, size_t size, perc_error *err);
static inline perc_status perc_learn(perc_model *m, const perc_example *x, const char *label,
                                     double weight, perc_outcome *out, perc_error *err)
{
    return perc_learn_sized(m, x, label, weight, out, sizeof *out, err);
}

/* How lines of text are read, as `data` parameters; NULL, or not calling it: the
 * defaults. An untaught model gets index (auto: 1), scale and map from here; others
 * have their own. PERC_EARG: `data` contradict those, or perc_learn would refuse as well. */
perc_status perc_learn_begin(perc_model *m, const perc_params *data, perc_error *err);

enum { PERC_LINE_MAX = 64 << 20 }; /* bytes: a longer line is refused, in files too */
typedef struct perc_reply {
    int skipped;        /* blank, a comment, column names: not an example */
    const char *label;  /* of the line; NULL: none, nothing was learned */
    const char *answer; /* NULL: no label is known yet */
    double score;       /* that of the answer; two classes: s */
    double weight;      /* of the row; 1 where a table has no weights */
    int mistake, updated;
    int fresh;        /* its label was met for the first time */
    uint64_t unknown; /* cells left out: categories unknown to the model */
} perc_reply;

/* One line of text, as it would stand in a file for this model (LIBSVM, or CSV for a model of a
 * table). With a label: answers by the last weights, then learns from it. Without one: answers as
 * perc_score would. A first line of column names says what the cells of the others are. PERC_EDATA
 * has the place; the model is then as it was. Texts are valid until the next call. */
perc_status perc_learn_line_sized(perc_model *m, const char *line, size_t length, perc_reply *out,
                                  size_t size, perc_error *err);
static inline perc_status perc_learn_line(perc_model *m, const char *line, size_t length,
                                          perc_reply *out, perc_error *err)
{
    return perc_learn_line_sized(m, line, length, out, sizeof *out, err);
}

/* Brings what is returned up to date after perc_learn. O(features). */
perc_status perc_model_refresh(perc_model *m, perc_error *err);

/* ===== Models: what they are, their files, their answers ================ */

typedef struct perc_model_info { /* strings point into the model */
    const char *algorithm, *machine;
    uint64_t features;
    size_t outputs;         /* scores it gives: 1 for two classes */
    size_t labels;          /* that it knows */
    const char *multiclass; /* "two", "native" or "ovr" */
    int index_base, has_offset;
    const char *negative, *positive; /* of two classes; "" if unknown */
    char map[32];                    /* "none", "poly:2", ... */
    perc_stop stop;
    int64_t epochs, examples, mistakes, updates;
    char scale[40];                                  /* "none", "standard", "by:255", ... */
    double primal, dual, margin_lower, margin_upper; /* as in perc_report, */
    uint64_t supports;                               /* and these */
    const char *solver;
    int calibrated;      /* perc_probabilities can be used */
    const char *kernel;  /* "": none, the model has weights */
    double gamma, coef0; /* as used; gaussian: gamma = 1/(2 sigma^2); sigmoid: eta, theta; */
                         /* NaN: it has none */
    int degree;          /* 0: it has none */
    uint64_t dropped;    /* --drop-after: rows set aside; ovr: in one class after another */
    double unit; /* all weights and scores that are given away are those that were learned */
                 /* times this, rounded: the rate, where it only scales; else 1 */
    double geometric_lower, geometric_upper; /* as in perc_report */
    const char *classes; /* native, three labels or more: "all", those that compete from the */
                         /* first row on; "seen": each from its own first row on. Else "" */
} perc_model_info;

void perc_model_info_get_sized(const perc_model *m, perc_model_info *info, size_t size);
static inline void perc_model_info_get(const perc_model *m, perc_model_info *info)
{
    perc_model_info_get_sized(m, info, sizeof *info);
}
/* Label i of the model, in order; NULL past the end. */
const char *perc_model_label(const perc_model *m, size_t i);
/* An option the model was trained with, as text; NULL: it has none of that name, or it is one of
 * a rule that did not make its steps. */
const char *perc_model_option(const perc_model *m, const char *name);

/* Writes one safetensors file, never half a model. The same model gives the same bytes. */
perc_status perc_model_write(const perc_model *m, const char *path, perc_error *err);
perc_status perc_model_read(const perc_env *env, const char *path, perc_model **out,
                            perc_error *err);
void perc_model_free(perc_model *m);

/* Scores one example: `outputs` numbers, s = w.x + b summed in the order of the
 * columns, as learned, times the unit (voted: shares of the votes). */
perc_status perc_score(const perc_model *m, const perc_example *x, double *scores, perc_error *err);
/* The label that these scores speak for; NULL where the model knows none. */
const char *perc_answer(const perc_model *m, const double *scores);
/* Scores every row: scores has room for rows * outputs numbers, row by row. */
perc_status perc_predict(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                         double *scores, perc_error *err);
/* Scores a file block by block without holding it, in order. `sink` gets the scores of the next n
 * rows, and may stop by returning non-zero. *unknown, if wanted, counts entries unknown to it. */
typedef int (*perc_score_sink)(void *ud, const double *scores, size_t n);
perc_status perc_predict_file(const perc_env *env, const perc_model *m, const char *path,
                              const perc_params *data, perc_score_sink sink, void *ud,
                              uint64_t *unknown, perc_error *err);

#ifdef __cplusplus
}
#endif

/* The rest. With PERC_CORE_ONLY defined, include by name those that you want. */
#ifndef PERC_CORE_ONLY
#include "perceptron_gate.h"    /* threshold logic */
#include "perceptron_inspect.h" /* what learners, data sets and models are made of */
#include "perceptron_prove.h"   /* separability: proofs and their certificates */
#include "perceptron_select.h"  /* measuring models, and choosing among them */
#include "perceptron_split.h"   /* the rows of a text, divided among files */
#endif
#endif
