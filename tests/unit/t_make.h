/* t_make.h -- small data sets, parameters and models for the tests of learning.
 *
 * A test states its data as a plain matrix, which it can also compute with, and
 * hands it to the library in any of the forms that the library takes. Everything
 * here ends the test with a message where it fails, so that a caller reads as the
 * promise it checks and not as error handling. */
#ifndef PERC_TEST_MAKE_H
#define PERC_TEST_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perceptron.h"

/* ----- data as a matrix ------------------------------------------------------- */

struct t_data {
    size_t rows, cols;
    double *x;      /* rows x cols, zeros included                          */
    double *y;      /* -1 or +1                                             */
    double *weight; /* of the examples; NULL: all 1                         */
};

enum t_kind {
    T_WHOLE, /* whole numbers -9 .. 9: sums are exact, whatever their order */
    T_REAL   /* doubles in (-1, 1) with all their digits: sums are rounded  */
};

struct t_data t_data_new(size_t rows, size_t cols); /* all 0, y = +1 */
struct t_data t_copy(const struct t_data *d);
void t_data_free(struct t_data *d);

/* Random rows with random labels, both of them present: not separable as a rule.
 * About `density` of the entries are not 0. */
struct t_data t_noise(size_t rows, size_t cols, enum t_kind kind, double density, uint64_t seed);

/* Random rows labelled by the hyperplane u.x + b = 0, those nearer to it than
 * `gap` (in units of |u|) left out; both labels present. u has cols numbers. */
struct t_data t_planted(size_t rows, size_t cols, const double *u, double b, double gap,
                        uint64_t seed);

/* Weights of 1/4, 1/2, 1, 2 or 3 for the rows. */
void t_weigh(struct t_data *d, uint64_t seed);

/* ----- in the forms the library takes ------------------------------------------ */

perc_dataset *t_borrow(const struct t_data *d); /* dense doubles */

struct t_csr { /* the same matrix without its zeros */
    double *value;
    int32_t *index32, *start32;
    int64_t *index64, *start64;
};
struct t_csr t_csr_new(const struct t_data *d);
void t_csr_free(struct t_csr *c);
perc_dataset *t_borrow_csr(const struct t_data *d, const struct t_csr *c, perc_number index,
                           perc_number start);

/* A LIBSVM file with all digits of every value; zeros only if asked for. */
void t_write(const struct t_data *d, const char *path, int base, bool zeros, const char *negative,
             const char *positive);
/* A CSV file: columns f0, f1, ..., weight (if there are weights) and label. */
void t_write_csv(const struct t_data *d, const char *path, const char *negative,
                 const char *positive);

/* ----- parameters, data sets, models ---------------------------------------------- */

/* Values for a table from "name=value name=value". */
perc_params *t_params(const char *table, const char *options);
/* One value, whatever is in it; no name: none. */
perc_params *t_option(const char *table, const char *name, const char *value);
/* A file or built-in set with "data" options; on so many threads. */
perc_dataset *t_read(const char *path, const char *options);
perc_dataset *t_read_on(int threads, const char *path, const char *options);
/* A model of `ds` with learner options; *report if wanted. The option "algorithm" names
 * another learner than perceptron. */
perc_model *t_fit(const perc_dataset *ds, const char *options, perc_report *report);
perc_model *t_fit_rows(const struct t_data *d, const char *options, perc_report *report);
perc_model *t_fit_on(int threads, const perc_dataset *ds, const char *options, perc_report *report);
perc_model *t_fit_watched(const perc_dataset *ds, const char *options, const perc_observer *o,
                          perc_report *report);
perc_model *t_resume(const perc_dataset *ds, const perc_model *from, const char *options,
                     const perc_observer *o, perc_report *report);
perc_model *t_stream(const char *path, const char *data, const char *options, perc_report *report);
/* For an observer: ends the run at an event, those of the clock not counted. */
struct t_cut {
    int64_t at, seen;
};
int t_cut_at(void *ud, const perc_event *e);
/* A model that has seen nothing yet. */
perc_model *t_untaught(const char *options);
/* A model that was shown the rows one by one. */
perc_model *t_taught(const struct t_data *d, const char *options);
/* What a reader of its file gets; frees m. */
perc_model *t_through_file(perc_model *m);
double t_offset(const perc_model *m);
/* The weights of a model of two classes; of more, w[j * stride + c]. */
const double *t_weights(const perc_model *m);
/* The one score of two classes. */
double t_score(const perc_model *m, const perc_example *x);
/* All scores of all rows, and how many they are; free(). */
double *t_scores(const perc_model *m, const perc_dataset *ds, size_t *n);
/* The label of a number: "1", "-1", ... */
const char *t_sign(double y);

/* ----- giving back ------------------------------------------------------------------- */

/* Up to six of them, in this order: t_free(model, ds, &data). */
#define t_free(...)                                                                   \
    T_PICK(__VA_ARGS__, T_FREE_6, T_FREE_5, T_FREE_4, T_FREE_3, T_FREE_2, T_FREE_1, ) \
    (__VA_ARGS__)
#define T_PICK(a, b, c, d, e, f, name, ...) name
#define T_OF(type)                          type * : type##_free
#define T_FREE_1(a)                                                                          \
    _Generic((a), T_OF(perc_model), T_OF(perc_dataset), T_OF(perc_params), T_OF(perc_proof), \
             T_OF(perc_gate), struct T_OF(t_data), struct T_OF(t_csr))(a)
#define T_FREE_2(a, ...) (T_FREE_1(a), T_FREE_1(__VA_ARGS__))
#define T_FREE_3(a, ...) (T_FREE_1(a), T_FREE_2(__VA_ARGS__))
#define T_FREE_4(a, ...) (T_FREE_1(a), T_FREE_3(__VA_ARGS__))
#define T_FREE_5(a, ...) (T_FREE_1(a), T_FREE_4(__VA_ARGS__))
#define T_FREE_6(a, ...) (T_FREE_1(a), T_FREE_5(__VA_ARGS__))

/* ----- sameness ---------------------------------------------------------------------- */

bool t_same_bits(double a, double b); /* +0 and -0 differ */
/* Weights and offset to the bit, and the counters. */
void t_assert_same_machine(const perc_model *a, const perc_model *b);
/* The scores of all rows, to the bit. */
void t_assert_same_scores(const perc_model *a, const perc_model *b, const perc_dataset *ds);
/* The whole model file, byte for byte. Writes into the current directory. */
void t_assert_same_file(const perc_model *a, const perc_model *b);

struct t_bytes { /* a file in memory; free(p) */
    char *p;
    size_t n;
};
struct t_bytes t_slurp(const char *path);
/* A model file kept, to compare many with it. */
struct t_bytes t_bytes_of(const perc_model *m);
void t_assert_bytes(const struct t_bytes *want, const perc_model *m);

#endif
