/* perceptron.h -- the perceptron family as a C library.
 *
 * A linear machine scores s(x) = w.x + b and answers +1 when s > 0, -1 when
 * s <= 0. An example (x, y) is a *mistake* when y s <= 0: a point exactly on
 * the boundary is a mistake for either label. The perceptron learns from its
 * mistakes alone: w += rate y x, b += rate y. With three labels or more there
 * is one w and b for each, the highest score answers, ties going to the lower
 * label, and it is a mistake when no other score is below that of the truth.
 *
 * The shape of a program:
 *
 *     perc_dataset *ds;  perc_params *p;  perc_model *m;  perc_report r;
 *     perc_error err = { 0 };
 *     perc_dataset_read(NULL, "train.svm", NULL, &ds, &err);
 *     perc_params_new(NULL, "averaged", &p, &err);
 *     perc_params_set(p, "epochs", "20", &err);
 *     perc_fit(NULL, ds, p, NULL, &m, &r, &err);
 *     perc_model_write(m, "model.safetensors", &err);
 *
 * Rules that hold everywhere:
 * - Every function that can fail returns a perc_status and, where `err` is not
 *   NULL, fills it: a place, and one line that names the culprit and a remedy.
 * - On failure every `*out` is NULL and nothing is left half-made.
 * - `_free(NULL)` is fine. What a function borrows it borrows for the call
 *   only, except perc_dataset_borrow_*, which say so.
 * - The library prints nothing, keeps no global state and never exits.
 * - Functions whose arguments are const may run in parallel on one object.
 * - The same data, options and seed give the same bits, on any number of
 *   threads and any machine; but for lp, whose weights come from the version of
 *   Clp that is installed.
 * - Strings are UTF-8 or plain bytes, NUL-terminated, never translated. */
#ifndef PERCEPTRON_H
#define PERCEPTRON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* the library hides everything that is not declared here */
#pragma GCC visibility push(default)
#endif

/* ===== Version ========================================================== */

#define PERC_VERSION_MAJOR 0
#define PERC_VERSION_MINOR 1
#define PERC_VERSION_PATCH 0

/* The version of the library that is running, for example "0.1.0". */
const char *perc_version(void);

/* ===== Status and errors ================================================ */

/* Values are never renumbered. */
typedef enum perc_status {
    PERC_OK = 0,
    PERC_ENOMEM = 1, /* memory is out                                     */
    PERC_EARG = 2,   /* the caller's mistake: an unknown name, a bad value */
    PERC_EDATA = 3,  /* the data or the model file is wrong               */
    PERC_EIO = 4,    /* the system failed: open, read, write, rename      */
    PERC_ENO = 5     /* the answer is no: no hyperplane does what was asked */
} perc_status;

typedef struct perc_error { /* optional everywhere: NULL = not wanted */
    perc_status status;
    int64_t line, column; /* place in the input, from 1; 0 if none        */
    char text[256];       /* one line, no newline                         */
} perc_error;

/* ===== Environment: memory and threads ================================== */

/* One function for all memory, in Lua's shape. new_size == 0 frees `ptr` and
 * returns NULL; ptr == NULL allocates; otherwise it resizes. It returns NULL
 * when memory is out and then leaves `ptr` as it was. It may be called from
 * several threads at once. */
typedef void *(*perc_alloc_fn)(void *ud, void *ptr, size_t old_size, size_t new_size);

/* How to run. Every creator takes one; NULL, or zero in a field, means the
 * default. The env is copied: it need not outlive the call. */
typedef struct perc_env {
    perc_alloc_fn alloc; /* default: realloc and free                      */
    void *alloc_ud;      /* first argument of alloc                        */
    int threads;         /* default: all cores                             */
} perc_env;

/* ===== Parameters by name =============================================== */

/* One table each describes how data are read ("data"), how a learner learns
 * ("averaged"), what a generator makes ("halfspace", ...), how models are compared
 * ("selection") and what is proved ("prove"). Command-line options, their help and the
 * documentation are printed from these tables. */
typedef struct perc_params perc_params;

typedef enum perc_type { PERC_INT, PERC_REAL, PERC_BOOL, PERC_CHOICE, PERC_TEXT } perc_type;

typedef struct perc_param {
    const char *name; /* "rate"; also the long option                   */
    perc_type type;
    const char *initial; /* the default, as text; NULL: none               */
    double min, max;     /* range of INT and REAL, inclusive               */
    const char *choices; /* "zero|unit|random"; NULL unless CHOICE. A text
                            default may stand for more: see `help`         */
    const char *metavar; /* "FILE", "N"                                    */
    const char *help;    /* one line, no full stop                         */
} perc_param;

/* The names of the tables: `kind` is "data", "learner", "generator", "selection" or
 * "prove"; i counts from 0; NULL past the end. *summary, if wanted, is one line about it. */
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
/* Whether the values go together, which is asked again where they are used. PERC_EARG:
 * two contradict each other. */
perc_status perc_params_check(const perc_params *p, perc_error *err);
void perc_params_free(perc_params *p);

/* ===== Data sets ======================================================== */

typedef struct perc_dataset perc_dataset;

/* What a data set is. Names point into the data set. */
typedef struct perc_dataset_info {
    uint64_t rows, features, nonzeros;
    uint64_t bytes;      /* text read, after decompression               */
    uint64_t memory;     /* bytes held by the rows                       */
    int index_base;      /* the smallest feature index: 0 or 1           */
    int dense;           /* 1 if every row has every feature             */
    size_t labels;       /* distinct labels                              */
    const char *format;  /* "libsvm", "csv", "blocks", "memory", "builtin" */
    const char *storage; /* how the values are kept: "ones", "u8", ...   */
    double seconds;      /* time spent reading                           */
    uint64_t unknown;    /* entries left out: features the model has not */
    uint64_t dropped;    /* rows left out: --missing drop                */
    uint64_t hashed;     /* --hash: buckets in use; 0 if read for a model */
    uint64_t collisions; /* buckets that two or more features share      */
    char note[256];      /* a decision worth telling the user; "" if none */
} perc_dataset_info;

/* Reads a file, a pipe ("-" is standard input) or a built-in set (":xor").
 * `data` is a set of "data" parameters or NULL for the defaults. The format
 * and the compression are told from the content. PERC_EDATA names the first
 * bad line in file order, whatever the number of threads. */
perc_status perc_dataset_read(const perc_env *env, const char *path, const perc_params *data,
                              perc_dataset **out, perc_error *err);

/* Likewise, for scoring with `model`: its index base, columns, categories and
 * transforms are used, never decided again, and labels may be absent. */
typedef struct perc_model perc_model;
perc_status perc_dataset_read_for(const perc_env *env, const perc_model *model, const char *path,
                                  const perc_params *data, perc_dataset **out, perc_error *err);

/* Borrowed arrays: no copy is made, so they must outlive the data set and stay
 * unchanged. Values must be finite. Strides count bytes. */
typedef enum perc_number { PERC_F32, PERC_F64, PERC_I32, PERC_I64 } perc_number;

typedef struct perc_dense { /* rows x columns                              */
    const void *values;
    perc_number type; /* PERC_F32 or PERC_F64                        */
    uint64_t rows, columns;
    ptrdiff_t row_stride, column_stride;
} perc_dense;

typedef struct perc_csr {               /* row i has entries start[i] .. start[i+1]-1  */
    const void *values;                 /* NULL: every entry is 1                      */
    perc_number value_type;             /* PERC_F32 or PERC_F64                        */
    const void *index;                  /* columns from 0, increasing in each row      */
    const void *start;                  /* rows + 1 of them                            */
    perc_number index_type, start_type; /* PERC_I32 or PERC_I64             */
    uint64_t rows, columns;
} perc_csr;

/* `labels` has one number a row; `weights` likewise or NULL (all 1). Both are
 * copied; the matrix is not. PERC_EDATA names the row of a value that is not
 * finite, an index out of order or out of range, a negative weight. */
perc_status perc_dataset_borrow_dense(const perc_env *env, const perc_dense *x,
                                      const double *labels, const double *weights,
                                      perc_dataset **out, perc_error *err);
perc_status perc_dataset_borrow_csr(const perc_env *env, const perc_csr *x, const double *labels,
                                    const double *weights, perc_dataset **out, perc_error *err);

/* A synthetic data set: `generator` names a table of kind "generator". */
perc_status perc_dataset_generate(const perc_env *env, const perc_params *generator,
                                  perc_dataset **out, perc_error *err);

/* Two parts of `ds`, of about (1 - part) and part of the rows, drawn with
 * `seed`, each label in proportion. The parts copy what they need. */
perc_status perc_dataset_split(const perc_dataset *ds, double part, uint64_t seed,
                               perc_dataset **rest, perc_dataset **held, perc_error *err);

/* Writes `ds` as "libsvm", "csv" or "blocks" (binary, checksummed, opened again
 * by mapping). "-" is standard output. A file is written whole or not at all. */
perc_status perc_dataset_write(const perc_dataset *ds, const char *path, const char *format,
                               perc_error *err);

/* Reads a file as perc_dataset_read_for would for a model trained on `like`: the same
 * columns, index base, categories and transforms. */
perc_status perc_dataset_read_like(const perc_env *env, const perc_dataset *like, const char *path,
                                   const perc_params *data, perc_dataset **out, perc_error *err);

void perc_dataset_info_get(const perc_dataset *ds, perc_dataset_info *info);
/* Label number i (sorted: numbers by value, words by letter), or NULL. */
const char *perc_dataset_label(const perc_dataset *ds, size_t i);
/* The label number of row i (from 0), or -1 for a row without one. */
int perc_dataset_row_label(const perc_dataset *ds, uint64_t row);
double perc_dataset_row_weight(const perc_dataset *ds, uint64_t row);
/* The line of the file that row i stands on; its number from 1 elsewhere. */
int64_t perc_dataset_row_line(const perc_dataset *ds, uint64_t row);
/* Row i as a dense vector of `features` numbers; x has room for them. */
void perc_dataset_row(const perc_dataset *ds, uint64_t row, double *x);
/* The name of feature j (from 0), or NULL where the file has none. */
const char *perc_dataset_feature(const perc_dataset *ds, uint64_t j);
void perc_dataset_free(perc_dataset *ds);

/* ===== Observers ======================================================== */

/* An observer watches a run and can end it: a non-zero answer stops training
 * after the event, and the model is what the algorithm would return then. Where work
 * is done on several threads it may be called on any of them, one at a time. Its level
 * is read again for every event: when it has seen enough it may lower it. */
typedef enum perc_watch {
    PERC_WATCH_COUNTS = 0, /* some times a second, and after each pass     */
    PERC_WATCH_UPDATES,    /* also after each update                       */
    PERC_WATCH_WEIGHTS     /* after every example, with the weights        */
} perc_watch;

typedef struct perc_event {
    int64_t epoch;             /* pass, from 1                             */
    int64_t examples;          /* examples shown so far, all passes        */
    int64_t mistakes, updates; /* so far, all passes                       */
    int64_t pass_mistakes;     /* in this pass                             */
    int pass_ended;            /* 1 on the event that follows a pass       */
    double held_error;         /* then, with perc_fit_validated: E_n of what would be
                                  returned, on the held-out rows; else NaN */
    double loss;               /* mlp: the mean over the rows of this pass, each before
                                  the step of its batch; else NaN          */
    double seconds;            /* since training began                     */
    /* From PERC_WATCH_UPDATES on; row is -1 in events of the lower level. */
    int64_t row;          /* row of the data set, from 0; mlp: -1 where a
                                  step was made by several rows            */
    double y, score;      /* its label, and its score before          */
                          /* more than two classes: the number of its
                                  class, and its margin: half the gap between
                                  its own score and the best of the others */
    int mistake, updated; /* updated: how many vectors erred, with ovr */
    /* PERC_WATCH_WEIGHTS only; b is NULL in the others. After the example. */
    const double *w; /* of feature j in vector c: w[j * stride + c];
                                  NULL where there are no features         */
    const double *b; /* `vectors` offsets                        */
    uint64_t features;
    size_t vectors, stride; /* one vector for two classes, else one each */
    struct perc_model *run; /* for perc_event_model                     */
} perc_event;

typedef struct perc_observer {
    perc_watch level;
    int (*notify)(void *ud, const perc_event *event);
    void *ud;
} perc_observer;

/* ===== Learning ========================================================= */

typedef enum perc_stop {
    PERC_STOP_NONE = 0,  /* not trained                                    */
    PERC_STOP_CONVERGED, /* a whole pass without an update                 */
    PERC_STOP_EPOCHS,    /* the epoch limit                                */
    PERC_STOP_UPDATES,   /* the update limit                               */
    PERC_STOP_TIME,      /* the time limit                                 */
    PERC_STOP_CANCELLED, /* an observer said so                            */
    PERC_STOP_SOLVED,    /* svm, lp: as near to the optimum as was asked   */
    PERC_STOP_HELD,      /* no better on the held-out rows for some passes */
    PERC_STOP_STUCK,     /* svm, lp: not so near, but rounding (lp: or the size of the
                            program) allows no more                        */
    PERC_STOP_DIVERGED   /* mlp: the loss was no finite number; the model is that of
                            the last whole pass                            */
} perc_stop;
const char *perc_stop_text(perc_stop stop);

typedef struct perc_report {
    perc_stop stop;
    int64_t epochs; /* passes begun                             */
    int64_t examples, mistakes, updates;
    uint64_t rows;                      /* in the training set, without weight 0    */
    uint64_t training_errors;           /* rows with y s <= 0, of what is returned  */
    double training_error;              /* E_n: training_errors / rows              */
    double loss;                        /* mean of max(0, -y s); mlp: of -log p(class) */
    double last_error;                  /* E_n of the last weights where something
                                  else is returned (averaged, voted, pocket) */
    int64_t found_epoch, found_updates; /* pocket: when its weights stood  */
    double norm;                        /* |w|, over all vectors; NaN with a kernel, and mlp */
    double norm_augmented;              /* |(w, b)|; |w| without an offset          */
    double radius;                      /* R = max |x'|, x' = (x, 1) with an offset;
                                  with a kernel |x|^2 is K(x, x)           */
    /* svm; sums over the classes, each against the rest. NaN elsewhere.   */
    double primal, dual; /* the objective reached, and a bound below that
                                  no w can pass                            */
    uint64_t supports;   /* rows whose multiplier is not 0: w is a sum of
                                  them; with --hard too. With a kernel: examples
                                  whose counter is not (perc_model_supports) */
    uint64_t dropped;    /* --drop-after: rows set aside             */
    /* svm with --hard, lp: bounds on gamma', the margin of the mistake bound; the
       smallest over the classes. NaN elsewhere, the upper one with lp too. */
    double margin_lower, margin_upper;
    const char *solver; /* "dual", "newton", "hard", "lp"; "" elsewhere */
    /* perc_fit_validated: the pass that was best, and its error. NaN elsewhere. */
    int64_t held_epoch; /* 0: no pass was completed                 */
    double held_error;
    uint64_t weights; /* mlp: numbers that are learned; 0 elsewhere */
    /* PERC_STOP_DIVERGED: the pass and the update where it was seen. 0 elsewhere. */
    int64_t diverged_epoch, diverged_update;
    uint64_t hashed, collisions; /* --hash: as in perc_dataset_info        */
    double read_seconds, train_seconds, rows_per_second;
    uint64_t bytes; /* text read, after decompression           */
} perc_report;

/* Trains a model. Borrows `ds` and `p` for this call only. `observer` may be
 * NULL. PERC_EDATA: fewer than two labels. O(epochs * nonzeros). */
perc_status perc_fit(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                     const perc_observer *observer, perc_model **out, perc_report *report,
                     perc_error *err);

/* Within an observer, on an event that ends a pass of perc_fit or perc_fit_resume: the model that
 * training would return now. It can be asked and used until the observer returns. PERC_EARG:
 * there is none; a solver has one only in the end. */
perc_status perc_event_model(const perc_event *event, const perc_model **out, perc_error *err);

/* Goes on from `from` (read from a file, or just trained) with its options,
 * except those set in `p` (NULL: none). Stopping and going on gives the bits
 * of one run. PERC_EDATA: `ds` is not what `from` was trained on. */
perc_status perc_fit_resume(const perc_env *env, const perc_dataset *ds, const perc_model *from,
                            const perc_params *p, const perc_observer *observer, perc_model **out,
                            perc_report *report, perc_error *err);

/* Trains from a file without holding it: constant memory, rows in file order.
 * The model is bit for bit that of perc_dataset_read and perc_fit in file
 * order. More than one pass needs a file that can be opened again. Which label is
 * +1 is known only when two have come: without "positive" observers see the label
 * met first as -1 until then. A run cancelled before that is an error. */
perc_status perc_fit_stream(const perc_env *env, const char *path, const perc_params *data,
                            const perc_params *p, const perc_observer *observer, perc_model **out,
                            perc_report *report, perc_error *err);

/* ===== Models =========================================================== */

/* An untrained model with the parameters `p`, to be taught by perc_learn. */
perc_status perc_model_new(const perc_env *env, const perc_params *p, perc_model **out,
                           perc_error *err);

typedef struct perc_example { /* one row: n entries                        */
    const uint32_t *column;   /* from 0, increasing; NULL: 0 .. n-1        */
    const double *value;
    size_t n;
} perc_example;

typedef struct perc_outcome {
    double score; /* before learning; more than two classes: the
                                 margin, as in perc_event                  */
    int mistake, updated;
    const char *answer; /* the label it answered with before learning,
                                 NULL where it knew none; the model's       */
} perc_outcome;

/* Shows the model one example with its label. weight >= 0 scales the update (1:
 * the plain rule; 0: the example counts for nothing). Calling it for every row in
 * order is one pass of perc_fit in file order, bit for bit. A label that was not
 * met before makes a new class: two labels share one vector, told apart by sign; with
 * the third each gets its own. PERC_EARG: a weight or a value out of order, or a
 * learner that needs the whole data set (pocket, svm, lp). */
perc_status perc_learn(perc_model *m, const perc_example *x, const char *label, double weight,
                       perc_outcome *out, perc_error *err);

/* Scores one example: `outputs` numbers, s = w.x + b summed in the order of the
 * columns (voted: shares of the votes). */
perc_status perc_score(const perc_model *m, const perc_example *x, double *scores, perc_error *err);
/* The label that these scores speak for; NULL where the model knows none. */
const char *perc_answer(const perc_model *m, const double *scores);

/* How lines of text are read, as `data` parameters; NULL, or not calling it: the
 * defaults. An untaught model takes index (auto: 1), scale and map from here, others
 * have their own. PERC_EARG: those are others, or perc_learn would refuse as well. */
perc_status perc_learn_begin(perc_model *m, const perc_params *data, perc_error *err);

/* One line of text, as it would stand in a file for this model (LIBSVM, or CSV for a
 * model of a table): learns from it if it has a label, by the last weights answering
 * before; without one answers as perc_score would. A first line of column names says
 * what the cells of the others are. PERC_EDATA has the place; the model is then as it
 * was. Texts are valid until the next call. */
enum { PERC_LINE_MAX = 64 << 20 }; /* bytes: a longer line is refused, in files too */
typedef struct perc_reply {
    int skipped;        /* blank, a comment, column names: not an example */
    const char *label;  /* of the line; NULL: none, nothing was learned */
    const char *answer; /* NULL: no label is known yet               */
    double score;       /* that of the answer; two classes: s        */
    double weight;      /* of the row; 1 where a table has no weights */
    int mistake, updated;
    int fresh;        /* its label was met for the first time      */
    uint64_t unknown; /* cells left out: categories the model has not */
} perc_reply;
perc_status perc_learn_line(perc_model *m, const char *line, size_t length, perc_reply *out,
                            perc_error *err);

typedef struct perc_model_info { /* strings point into the model           */
    const char *algorithm, *machine;
    uint64_t features;
    size_t outputs;         /* scores it gives: 1 for two classes     */
    size_t labels;          /* that it knows                          */
    const char *multiclass; /* "two", "native" or "ovr"               */
    int index_base, has_offset;
    const char *negative, *positive; /* of two classes; "" if unknown      */
    char map[32];                    /* "none", "poly:2", ...                  */
    perc_stop stop;
    int64_t epochs, examples, mistakes, updates;
    char scale[40]; /* "none", "standard", "by:255", ...      */
    /* As in perc_report.                                                  */
    double primal, dual, margin_lower, margin_upper;
    uint64_t supports;
    const char *solver;
    int calibrated;      /* perc_probabilities can be asked        */
    const char *kernel;  /* "" where there is none: weights        */
    double gamma, coef0; /* as used; gaussian: gamma = 1/(2 sigma^2);
                                    sigmoid: eta, theta; NaN: it has none  */
    int degree;          /* 0: it has none                         */
    uint64_t dropped;    /* --drop-after: rows set aside           */
} perc_model_info;
void perc_model_info_get(const perc_model *m, perc_model_info *info);
/* Label i of the model, in order; NULL past the end. */
const char *perc_model_label(const perc_model *m, size_t i);
/* What is returned (the average, the pocket; voted: the last vector), as the machine
 * uses it, after the transforms: output c (from 0) weighs feature j by the first.
 * After perc_learn call perc_model_settle before. With a kernel there are no weights:
 * the first is 0 then, and perc_model_supports says what the machine is made of. */
double perc_model_weight(const perc_model *m, uint64_t j, size_t c);
double perc_model_offset(const perc_model *m, size_t c);
/* A layer of a network (mlp), from the first hidden one, 0, to the output. */
typedef struct perc_layer {
    uint64_t inputs, outputs; /* weights are [inputs, outputs]            */
    int has_offset;
    const char *activation; /* "relu", "sigmoid", "tanh"; "" of the output layer */
    double norm;            /* sqrt of the sum of the squared weights   */
} perc_layer;
/* 0: there is no such layer, or the model is no network. */
int perc_model_layer(const perc_model *m, size_t i, perc_layer *out);
/* Weight from input j to neuron k of layer i, and the offset of that neuron; they exist. */
double perc_model_layer_weight(const perc_model *m, size_t i, uint64_t j, uint64_t k);
double perc_model_layer_offset(const perc_model *m, size_t i, uint64_t k);

/* Brings what is returned up to date after perc_learn. O(features). */
perc_status perc_model_settle(perc_model *m, perc_error *err);
/* The name of feature j (a product "x1*x3" with a map), or NULL: it has none. The
 * text is in `buf`, cut if it is too long. */
const char *perc_model_feature(const perc_model *m, uint64_t j, char *buf, size_t size);
/* An option the model was trained with, as text; NULL for an unknown name. */
const char *perc_model_option(const perc_model *m, const char *name);

/* With a kernel: the examples that the machine is made of, perc_model_info.supports of them, by
 * row number: those whose counter is above 0. Two equal rows that have both erred are two
 * supports, each with its own counter and label; the model keeps what is equal in them once,
 * and the file's `coefficient` and `counter` are those of such distinct rows. With a budget
 * these are the rows kept, in their order: which examples they were is not known. */
typedef struct perc_support {
    int64_t row;        /* its number in the training data, from 0; what was learned
                                    later has numbers above those. -1: not known (a budget) */
    int64_t counter;    /* alpha: the updates made on it, less those taken back by
                                    drop-after. -1: not known (a budget)   */
    int64_t label;      /* number of its class; -1: not known     */
    double coefficient; /* two classes: what it counts for in what is returned, the
                                    sum of its updates; NaN with more classes */
} perc_support;
/* Fills `out`, which has room for all of them. PERC_EARG: there is no kernel; PERC_ENOMEM. */
perc_status perc_model_supports(const perc_model *m, perc_support *out, perc_error *err);
/* Row i of those set aside by drop-after, in the order in which they were; -1 past the end. */
int64_t perc_model_dropped(const perc_model *m, size_t i);

/* Whether a kernel is one: the Gram matrix of `rows` rows of ds, drawn by the seed of `p`
 * without repetition (all of them if there are no more), must have no negative eigenvalue.
 * `p` are those of a learner, with a kernel. PERC_EARG: more rows than PERC_SPECTRUM_ROWS,
 * or a build without LAPACK. O(rows^3): 1,000 rows take a second. */
enum { PERC_SPECTRUM_ROWS = 5000 }; /* the most: 200 MB, about a minute   */
typedef struct perc_spectrum {
    uint64_t rows;
    double smallest, largest; /* eigenvalues                            */
    double tolerance;         /* what rounding may have made of 0       */
    int semidefinite;         /* smallest >= -tolerance                 */
} perc_spectrum;
perc_status perc_check_kernel(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                              uint64_t rows, perc_spectrum *out, perc_error *err);

/* Writes one safetensors file, to a temporary name first: never half a model.
 * The same model gives the same bytes. */
perc_status perc_model_write(const perc_model *m, const char *path, perc_error *err);
perc_status perc_model_read(const perc_env *env, const char *path, perc_model **out,
                            perc_error *err);
void perc_model_free(perc_model *m);

/* ===== Prediction and metrics =========================================== */

/* Scores every row: scores has room for rows * outputs numbers, row by row. */
perc_status perc_predict(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                         double *scores, perc_error *err);

/* Scores a file block by block without holding it, in order. `sink` gets the
 * scores of n consecutive rows, and may stop with a non-zero answer.
 * *unknown, if wanted, counts the entries of features the model has not. */
typedef int (*perc_score_sink)(void *ud, const double *scores, size_t n);
perc_status perc_predict_file(const perc_env *env, const perc_model *m, const char *path,
                              const perc_params *data, perc_score_sink sink, void *ud,
                              uint64_t *unknown, perc_error *err);

enum {
    PERC_QUANTILES = 7, /* min, 5 %, 25 %, 50 %, 75 %, 95 %, max         */
    PERC_BINS = 10
}; /* of a reliability table                        */

typedef struct perc_metrics {
    uint64_t rows;                      /* rows with a label the model knows        */
    uint64_t unlabelled;                /* rows left out: no label                  */
    uint64_t unknown;                   /* rows left out: a label the model has not */
    uint64_t errors;                    /* E_n: rows of margin <= 0                 */
    uint64_t on_boundary;               /* rows of margin 0: they err for either label */
    double accuracy;                    /* of the predictions                       */
    double error;                       /* errors / rows                            */
    double perceptron_loss, hinge_loss; /* means over the margins          */
    double precision, recall, f1;       /* two classes: of the positive one; else
                                      the mean over classes; NaN if 0/0    */
    double auc;                         /* ties count a half; NaN but for two classes */
    double margin[PERC_QUANTILES];      /* y s; more classes: half the gap    */
    double distance[PERC_QUANTILES];    /* of y s / |w|; NaN if w = 0, and for
                                        more than two classes              */
    /* Calibrated models only; NaN and 0 elsewhere.                        */
    double log_loss;   /* mean of -log p(truth)                    */
    double brier;      /* mean of (p - y)^2; more than two classes: of the
                                  sum over classes                         */
    uint64_t disagree; /* rows whose most probable label is not the answer */
    struct {           /* p of the positive class; more than two: of the
                                  answer. Bin i: i / 10 <= p < (i + 1) / 10 */
        uint64_t rows;
        double p, share; /* mean p, and how often it was so; NaN if empty */
    } reliability[PERC_BINS];
} perc_metrics;

/* `confusion`, if wanted, gets labels * labels counts, [truth][prediction], the labels
 * in the model's order; two classes: 0 = negative. */
perc_status perc_evaluate(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                          perc_metrics *out, uint64_t *confusion, perc_error *err);

/* From the scores of perc_predict: the margin of each row, NaN without a label that the model
 * knows. */
perc_status perc_margins(const perc_model *m, const perc_dataset *ds, const double *scores,
                         double *margins, perc_error *err);
/* The ROC curve of two classes, likewise, from (0, 0) to (1, 1): x is the false and y the true
 * positive rate as the threshold falls. They have room for `most` >= 3 points; of more, some
 * that are evenly apart along the curve. PERC_EARG: more classes; PERC_EDATA: rows of one only. */
perc_status perc_roc(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                     const double *scores, size_t most, double *x, double *y, size_t *n,
                     perc_error *err);
/* The mean of the rows, and the k directions in which they vary most (principal components), of
 * length 1 and one after the other, `features` numbers each; share: of the variance that lies
 * along each. Of the n rows `row`; NULL: of all. PERC_EARG: k is none of 1 .. 12, or more than
 * there are features; no such row. */
perc_status perc_dataset_components(const perc_env *env, const perc_dataset *ds,
                                    const uint64_t *row, uint64_t n, size_t k, double *mean,
                                    double *direction, double *share, perc_error *err);

/* ===== Probabilities ==================================================== */

/* Fits a sigmoid p = 1 / (1 + exp(a s + b)), a <= 0, to the scores of every class
 * (Platt 1999; Lin, Lin, Weng 2007), on scores of rows that were held out: `folds`
 * models are trained as `m` was, each without a fold. m was trained on ds and keeps
 * its weights; it can answer with probabilities from now on, until it learns more.
 * PERC_EDATA: a label with fewer rows than folds. */
perc_status perc_calibrate(const perc_env *env, perc_model *m, const perc_dataset *ds, size_t folds,
                           const perc_observer *observer, perc_error *err);

/* From the `outputs` scores of a row to `labels` probabilities in the model's order, of
 * sum 1. With more than two classes they are the sigmoids divided by their sum; the most
 * probable label need not be the answer. A network (mlp) that is not calibrated has its own:
 * 1 / (1 + exp(-s)), or the softmax of its scores. PERC_EARG: the model has none. */
perc_status perc_probabilities(const perc_model *m, const double *scores, double *p,
                               perc_error *err);
/* The sigmoid of output c. PERC_EARG likewise. */
perc_status perc_model_sigmoid(const perc_model *m, size_t c, double *a, double *b,
                               perc_error *err);

/* ===== Model selection ================================================== */

/* Deals the rows into k >= 2 folds: fold[i] is that of row i, from 0. Each label is
 * spread evenly, with `seed`, and so are its rows of weight > 0. PERC_EDATA: a label with
 * fewer than k of those. */
perc_status perc_folds(const perc_dataset *ds, size_t k, uint64_t seed, uint32_t *fold,
                       perc_error *err);

/* k-fold cross-validation: for each fold a model is trained with `p` on the other rows,
 * which is training on all rows with weight 0 for the fold's, to the bit; each[f] is how
 * it does on the fold, weights left aside. Folds come from the parameter "seed"; with
 * "positive" all other labels are one class, and may be rare.
 * An observer sees one event a fold, as if it were a pass; cancelling is an error then.
 * PERC_EDATA, PERC_ENO name the fold. */
perc_status perc_cross_validate(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                                size_t k, const perc_observer *observer, perc_metrics *each,
                                perc_error *err);

/* Mean and spread (standard deviation, of k - 1) over k results, of the real numbers in
 * them; the counts are sums, and 0. A number that is NaN in one is NaN. */
void perc_metrics_summary(const perc_metrics *each, size_t k, perc_metrics *mean,
                          perc_metrics *spread);

/* Trains on ds and looks at `held` after each pass. Stops when there were no fewer
 * errors for `patience` passes (0: never), and returns the model as it was after the
 * best pass, the earliest of equals: the one that "epochs" set to that pass gives, and
 * so its option says. The report's counters are those of the whole run; held_epoch is 0 if
 * no pass was completed. Learners that do not go in passes are just trained. PERC_EDATA: no
 * held-out row has a known label. */
perc_status perc_fit_validated(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                               const perc_dataset *held, int64_t patience,
                               const perc_observer *observer, perc_model **out, perc_report *report,
                               perc_error *err);

/* A learning curve: for every i < n trains on the share part[i] of the rows, each label
 * in proportion, smaller shares being parts of larger ones, and measures on those same
 * rows (train[i]) and on held-out ones (held[i]). With `held_set` those; otherwise by
 * k-fold cross-validation, and the results are means. rows[i]: how many were learned
 * from, on average. */
perc_status perc_learning_curve(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                                const perc_dataset *held_set, size_t k, const double *part,
                                size_t n, const perc_observer *observer, double *rows,
                                perc_metrics *train, perc_metrics *held, perc_error *err);

/* A grid of parameters, "C=0.01,0.1,1 loss=hinge,squared": every combination, the last
 * name running fastest, on top of `base`. "seed" and a few others cannot vary. */
typedef struct perc_grid perc_grid;
perc_status perc_grid_new(const perc_env *env, const perc_params *base, const char *spec,
                          perc_grid **out, perc_error *err);
size_t perc_grid_points(const perc_grid *g);
size_t perc_grid_names(const perc_grid *g);
const char *perc_grid_name(const perc_grid *g, size_t k);            /* NULL past the end */
const char *perc_grid_value(const perc_grid *g, size_t i, size_t k); /* of point i        */
/* The parameters of point i, new. */
perc_status perc_grid_params(const perc_grid *g, size_t i, perc_params **out, perc_error *err);
void perc_grid_free(perc_grid *g);

/* ===== Proofs =========================================================== */

/* Can a plane separate the classes? With a_i = y_i (x_i, 1), or y_i x_i without an
 * offset: is there a w with a_i.w > 0 for all rows? Every verdict but the last was
 * checked in whole numbers, on the decimal numbers of the file. */
typedef enum perc_verdict {
    PERC_SEPARABLE,   /* yes: all rows strictly on their side              */
    PERC_TOUCHING,    /* no; but a plane has all rows on their side or on it, and
                         some strictly                                     */
    PERC_OVERLAPPING, /* no, and no plane has any row strictly on its side
                         without erring on another                         */
    PERC_INSEPARABLE, /* no, by --quick: touching or overlapping           */
    PERC_UNDECIDED    /* a limit came first                                */
} perc_verdict;
const char *perc_verdict_text(perc_verdict v); /* "separable", ..., "not separable" */

/* Reads a data set for a proof: like perc_dataset_read, and every number is kept as
 * the text has it. PERC_EARG: `data` ask for scaling, hashing, filling in, a map or
 * rounding, because a proof speaks of the file. */
perc_status perc_dataset_read_exact(const perc_env *env, const char *path, const perc_params *data,
                                    perc_dataset **out, perc_error *err);

typedef struct perc_proof perc_proof;

/* `p`: parameters of the table "prove" (NULL: the defaults). Two labels, or one, are one
 * problem, the later label being +1; more are each class against the rest, then each pair.
 * All rows count, whatever their weights. An observer is asked now and then whether to go
 * on: an event's `epoch` is the number of the problem, from 1, `examples` how many problems
 * there are, and pass_ended is 1 after each; where several run at once, problems count in
 * the order in which they end. What is not settled when it says stop is undecided.
 * PERC_EDATA: a row has no label. PERC_EARG: a kernel for which there is no proof; the
 * build has no exact arithmetic. */
perc_status perc_prove(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                       const perc_observer *observer, perc_proof **out, perc_error *err);
void perc_proof_free(perc_proof *proof);

/* One problem of a proof. Pointers point into the proof. */
typedef struct perc_part {
    perc_verdict verdict;
    const char *positive, *negative; /* labels; negative NULL: all the others */
    uint64_t rows, strict, held;     /* held: |C|, the rows on every such plane */
    uint64_t strict_positive;        /* rows of S with the positive label; 0 where S is
                                        not known */
    uint64_t rank;                   /* of C; PERC_INSEPARABLE: of the witness's rows */
    /* The plane: short whole numbers as they are, else doubles near the exact ones, the
     * largest |w_j| being 1; 0 only where it is 0. NULL: none is known, or S is empty. */
    uint64_t features;
    const double *w; /* by feature, from 0 */
    double b;
    int exact;           /* 1: w and b are just the ones that were checked;
                                        0: rounded, and the certificate has them */
    double least;        /* separable: the smallest y (w.x + b) / |(w, b)|;
                                        else NaN */
    uint64_t closest[4]; /* the rows with the smallest, from 0: the nearest
                                        first, and then the lower row, exactly */
    size_t closest_count;
    /* The witness of a plain no: rows of the data set whose weighted sum is 0. */
    size_t witnesses;
    const uint64_t *witness;   /* from 0 */
    const char *const *weight; /* whole numbers, as text */
    size_t listed;             /* rows of C with a weight of their own in the full
                                        certificate */
    const char *method;
    uint64_t rejected, exact_rows;
    int64_t pivots, rounds;
    double seconds;
    /* --margin; NaN where not asked for, 0 where there is none */
    double margin_lower, margin_upper;       /* gamma' */
    double geometric_lower, geometric_upper; /* offset outside the norm; one class: infinite */
    int gap_reached;                         /* 1: both pairs are as near as was asked; 0: rounding
                                        allows no more; -1: a limit came first */
} perc_part;

size_t perc_proof_parts(const perc_proof *proof);
void perc_proof_part(const perc_proof *proof, size_t i, perc_part *out);

/* --bound: runs of the plain perceptron, on two classes that are separable. */
typedef struct perc_bound_run {
    const char *order; /* "file", "shuffled, seed 1", ...    */
    int64_t mistakes, passes;
    int converged;
    size_t steps; /* the two curves, after 1 .. steps updates; thinned
                                        out where there are very many: `at` says which */
    const int64_t *at;
    const double *along, *norm2; /* w.u and |w|^2                      */
} perc_bound_run;
typedef struct perc_bound {
    double radius;               /* R, rounded up                      */
    double margin, margin_upper; /* of u, below gamma'; and a number above it */
    double bound;                /* (R / gamma')^2 or more; may be infinite */
    size_t orders, runs;         /* asked for; run, before a limit came */
    const perc_bound_run *run;
} perc_bound;
int perc_proof_bound(const perc_proof *proof, perc_bound *out); /* 0: there is none */

/* --hulls: both convex hulls in the plane, counter-clockwise, as rows of the data set. */
typedef struct perc_hulls {
    size_t positives, negatives;
    const uint64_t *positive, *negative;
    perc_verdict verdict; /* by the hulls alone                 */
} perc_hulls;
int perc_proof_hulls(const perc_proof *proof, perc_hulls *out);

/* The name of feature j of the planes: the file's, "x3", or a product "x1 x2^2" with a
 * polynomial kernel. In `buf`; returns it. */
const char *perc_proof_feature(const perc_proof *proof, uint64_t j, char *buf, size_t size);

/* Writes the certificate (docs/certificate-format.md), "-" to standard output; whole or
 * not at all. `ds` is what was proved about. Parts that are undecided are left out;
 * PERC_EARG: all of them are. */
perc_status perc_proof_write(const perc_proof *proof, const perc_dataset *ds, const char *path,
                             perc_error *err);

/* What a certificate says about one problem. */
typedef struct perc_claim {
    perc_verdict verdict;
    char positive[64], negative[64]; /* labels, cut where they are longer; negative "":
                                        all the others */
    uint64_t rows, strict, held;     /* strict and held are 0 for PERC_INSEPARABLE */
} perc_claim;

/* What perc_verify found. */
enum { PERC_CLAIMS = 64 };
typedef struct perc_check {
    int valid;        /* 1: it proves what it says, about these data */
    char reason[256]; /* else: why not */
    int64_t row;      /* the offending row, from 0, or -1 */
    int64_t part;     /* of this part, from 0, or -1 */
    size_t parts;
    uint64_t rows;
    char sha256[65];                 /* of the data */
    int offset;                      /* 1: planes with an offset */
    const char *kernel;              /* "none", "poly" or "rbf"            */
    int degree, homogeneous;         /* poly: of the products, up to it or just it */
    int other_data;                  /* 1: refuted because the data are others */
    uint64_t dropped;                /* rows left out: --missing drop      */
    size_t verdicts[PERC_UNDECIDED]; /* parts that were verified, by verdict */
    perc_claim claim[PERC_CLAIMS];   /* the first of them */
} perc_check;

/* Checks a certificate against data, in whole numbers of its own. PERC_EDATA: it is not a
 * certificate (line and column), or the data are wrong; `where` says which file. A
 * certificate that is refuted is PERC_OK with valid == 0. */
perc_status perc_verify(const perc_env *env, const char *certificate, const char *data_path,
                        const perc_params *data, perc_check *out, const char **where,
                        perc_error *err);

/* ===== Threshold logic ================================================== */

/* A logic formula as a network of McCulloch-Pitts neurons (docs/algorithms/gates.md): each
 * adds up the weights of its sources that are 1, and fires if the sum reaches its threshold.
 * Sources are numbered: the inputs, then the states (cells of memory: names with a primed
 * definition), then the neurons, each of which listens to sources before it. */
typedef struct perc_gate perc_gate;

/* "(a & b) | !c"; "sum = a ^ b; carry = a & b"; "s' = a | (s & !r); out = s". At most 20 inputs and
 * states: the network has been compared with the formula on every row of its table. PERC_EDATA:
 * what is wrong, with line and column in the formula; or it is too large, without. */
perc_status perc_gate_new(const perc_env *env, const char *formula, perc_gate **out,
                          perc_error *err);
void perc_gate_free(perc_gate *g);

typedef struct perc_gate_info {
    size_t inputs, states, outputs;
    size_t neurons, synapses;
} perc_gate_info;
void perc_gate_info_get(const perc_gate *g, perc_gate_info *info);

/* The name of an input, or state. NULL past the end. */
const char *perc_gate_input(const perc_gate *g, size_t i);
/* The outputs, then for each state its next value, called NAME'; *source, if wanted, is where it
 * can be heard. NULL past the end. */
const char *perc_gate_output(const perc_gate *g, size_t o, size_t *source);

typedef struct perc_neuron {
    size_t synapses;
    const uint32_t *source; /* increasing */
    const int64_t *weight;  /* none is 0 */
    int64_t threshold;
} perc_neuron;
void perc_gate_neuron(const perc_gate *g, size_t k, perc_neuron *out); /* k < neurons */

/* What comes out, outputs + states values, where inputs + states are x. Values are 0 and 1. */
perc_status perc_gate_run(const perc_gate *g, const unsigned char *x, unsigned char *out,
                          perc_error *err);

/* Can one neuron compute output o (or next state) alone? Either its weights, or rows that show that
 * there are none: rows that are 1 and rows that are 0, with counts of which the sums are equal, and
 * so are the sums of the rows; any weights then give both the same total, which cannot be at
 * least and below the threshold times the same number (Elgot 1961, Chow 1961). Pointers point
 * into g. */
typedef struct perc_single {
    int possible;
    size_t inputs;         /* that the text of the output names */
    const uint32_t *input; /* their numbers, increasing */
    const int64_t *weight; /* possible: one each, some may be 0 */
    int64_t threshold;
    size_t ones, zeros;         /* not possible: rows of each kind */
    const uint32_t *one, *zero; /* bit i of a row is the value of input[i] */
    const int64_t *one_count, *zero_count;
} perc_single;
void perc_gate_single(const perc_gate *g, size_t o, perc_single *out);

/* The network as a machine in time: the inputs, the states and the outputs at every step. */
typedef struct perc_signals {
    size_t steps, signals;      /* signals: inputs, then states, then outputs */
    const unsigned char *value; /* value[t * signals + k] */
    void *own;
} perc_signals;

/* `inputs` says what the inputs are, "a=0110 r=0001", from the first step on; `initial` the states
 * at the first step, "s=1", others are 0; either may be NULL. steps 0: as many as `inputs` says.
 * PERC_EDATA with a column in one of the two, which `where`, if wanted, points to. */
perc_status perc_gate_steps(const perc_gate *g, const char *inputs, const char *initial,
                            size_t steps, perc_signals *out, const char **where, perc_error *err);
void perc_signals_free(perc_signals *s); /* safe on a zeroed struct */
/* With all inputs 0: after `before` steps it repeats itself every `period` steps; period 0: none
 * was found within 2^20 steps. */
perc_status perc_gate_period(const perc_gate *g, const char *initial, size_t *before,
                             size_t *period, perc_error *err);

/* The same without states: a network of the inputs of all steps, "a.0", "a.1", ..., and the
 * outputs of all steps, "out.0", "out.1", ... PERC_EDATA: more than 20 inputs. */
perc_status perc_gate_unroll(const perc_gate *g, const char *initial, size_t steps, perc_gate **out,
                             perc_error *err);

/* A model that predicts it from tables with these inputs as columns, of the labels 0 and 1; several
 * outputs, at most 8, have labels such as "sum=1,carry=0". PERC_EARG: it has states, no input, or
 * too many outputs. */
perc_status perc_gate_model(const perc_gate *g, perc_model **out, perc_error *err);
/* The network of such a model, as above: 0, and NULL, where the model is none. */
int perc_model_gate(const perc_model *m, perc_gate_info *info);
const char *perc_model_gate_input(const perc_model *m, size_t i);
const char *perc_model_gate_output(const perc_model *m, size_t o, size_t *source);
void perc_model_neuron(const perc_model *m, size_t k, perc_neuron *out); /* k < neurons */

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
