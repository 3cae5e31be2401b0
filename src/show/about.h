/* about.h -- what there is to say about the library's objects, whichever command says it: facts
 * about a data set and a model. Proofs are in about_proof.h.
 *
 * Each function adds facts to the document, always with all keys: a program should not have to
 * ask whether one is there. People are told only what applies. */
#ifndef PERC_SHOW_ABOUT_H
#define PERC_SHOW_ABOUT_H

#include "perceptron.h"
#include "show/facts.h"

/* ----- about.c ------------------------------------------------------------------ */

/* An option by the type of its table: numbers as numbers, flags as booleans, null where a number is
 * not given; all others as the text that was set. */
void about_option(struct facts *f, const perc_param *row, const char *value);
/* The object "options": all that p has. */
void about_options(struct facts *f, const char *table, const perc_params *p);
/* The object "data". */
void about_data(struct facts *f, const char *path, const perc_dataset *ds);
/* What auto did with the columns of a table; nothing where it had no say. */
void about_scaling(struct facts *f, const perc_dataset *ds);
/* Words for the last fact: "2^18 buckets, 5,000 in use, 12 shared by several features". */
void about_hashing(struct facts *f, const char *bits, uint64_t hashed, uint64_t collisions);

/* ----- about_model.c ---------------------------------------------------------------- */

/* The label for an answer: the model's name for it, or "+1" and "-1". */
const char *about_label(const perc_model_info *info, bool positive);
/* Whether the machine is a sum over support rows; and whether the number of those is limited, in
 * which case neither row numbers nor counters are kept. */
bool about_has_kernel(const perc_model_info *info);
/* Whether each score is w.x + b, of the row or of its image under a map: second-order keeps weights
 * as arow does, but divides by numbers of the row. */
bool about_is_linear(const perc_model_info *info);
bool about_has_budget(const perc_model *m);

enum { ABOUT_SENTENCE = 160 };
/* "averaged (rule perceptron), order shuffle, seed 0": what one needs to know to repeat it. NULL:
 * it has none. */
const char *about_learner(char buf[ABOUT_SENTENCE], const char *algorithm, const char *rule,
                          const char *order, const char *seed);
/* "algorithm", with the rule it wraps, and "options". told: people see the options that are not at
 * their defaults, too. */
void about_algorithm(struct facts *f, const perc_model *m, bool told);
/* What the model tells apart: "labels", "multiclass", "positive", "negative", and the "map" that
 * makes its features. */
void about_labels(struct facts *f, const perc_model *m);
/* "notation": how its table was written, if that was not as usual, and only where told.
 * "columns": those of a table that are treated in a way of their own, or had gaps; nothing where
 * there are none. told: people see each, else what was filled. */
void about_columns(struct facts *f, const perc_model *m, bool told);
/* "kernel", with the number of its support rows. rows: how many it learned from, 0: unknown. */
void about_kernel(struct facts *f, const perc_model *m, uint64_t rows);
/* "arithmetic": doubles, or exact, and then how often doubles have another sign; the same in words,
 * "exact (doubles agree on all 36 decisions)". */
void about_arithmetic(struct facts *f, const perc_report *r);
const char *about_decisions(char buf[ABOUT_SENTENCE], const perc_report *r);
/* "... and 12 more (--all shows them)", if there are more. */
void about_more(struct facts *f, uint64_t more);
/* For qsort: support rows by falling counter, then by rising row. */
int about_by_counter(const void *a, const void *b);
/* "set_aside": the rows that were dropped. ds: the training data, for their line numbers, or
 * NULL. */
void about_dropped(struct facts *f, const perc_model *m, const perc_dataset *ds);
/* The layers of a network, for people, and the number of its weights under `key`. Nothing for other
 * models. */
void about_network(struct facts *f, const perc_model *m, const char *key, uint64_t weights);
/* "solver": how near the solver of svm or lp came to the optimum, and what it knows about the
 * margin. radius: R for the mistake bound; NaN: unknown. */
void about_solver(struct facts *f, const perc_model_info *info, double radius);
/* "close_calls": decisions of the run within rounding; only where they were counted. */
void about_close_calls(struct facts *f, const perc_report *r);
/* "kernel_check": what train --check-kernel found; rows 0: it was not asked for. */
void about_spectrum(struct facts *f, const perc_spectrum *s);
/* The same of a precomputed kernel. */
void about_gram(struct facts *f, const perc_gram *g);

/* What always the same answer would get wrong, for the line after errors. NULL: there are no
 * rows. */
void about_baseline(struct facts *f, const char *label, double error);

/* "wrong": answers that are not the label, told where a threshold makes them. */
void about_wrong(struct facts *f, const perc_model *m, const perc_metrics *q);
/* "threshold": from where on the model answers with the positive label; nothing is told of the
 * rule. */
void about_threshold(struct facts *f, const perc_model *m);

/* A model, measured on data. */
struct about_test {
    const char *path; /* of the data */
    perc_dataset *ds;
    perc_model *model;
    perc_model_info info;
    perc_metrics m;
    uint64_t *confusion; /* labels x labels, [truth][prediction] */
    perc_trade *trade;   /* --trade-off; else NULL */
    size_t trades;
};
/* All of `perceptron test`. */
void about_test(struct facts *f, const struct about_test *t);

#endif
