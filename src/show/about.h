/* about.h -- what there is to say of the library's objects, whichever command says it: facts
 * about a data set and a model. Proofs are in about_proof.h.
 *
 * Each function adds facts to the document, with all keys always: a program should not have to
 * ask whether one is there. For people only what applies is said. */
#ifndef PERC_SHOW_ABOUT_H
#define PERC_SHOW_ABOUT_H

#include "perceptron.h"
#include "show/facts.h"

/* ----- about.c ------------------------------------------------------------------ */

/* The object "data". */
void about_data(struct facts *f, const char *path, const perc_dataset *ds);
/* Says of the fact made last: "2^18 buckets, 5,000 in use, 12 shared by several features". */
void about_hashing(struct facts *f, const char *bits, uint64_t hashed, uint64_t collisions);

/* ----- about_model.c ---------------------------------------------------------------- */

/* The label for an answer: the model's name for it, or "+1" and "-1". */
const char *about_label(const perc_model_info *info, bool positive);
/* Whether the machine is a sum over support rows; whether it keeps a limited number of them, and
 * neither their numbers nor counters. */
bool about_has_kernel(const perc_model_info *info);
bool about_has_budget(const perc_model *m);

/* "algorithm", with the rule it wraps, and "options"; told: those that are not at their defaults
 * are for people, too. */
void about_algorithm(struct facts *f, const perc_model *m, bool told);
/* What it tells apart: "labels", "multiclass", "positive", "negative", and the "map" that its
 * features come from. */
void about_labels(struct facts *f, const perc_model *m);
/* "kernel", with the number of its support rows; rows: learned from, 0: not known. */
void about_kernel(struct facts *f, const perc_model *m, uint64_t rows);
/* "... and 12 more (--all shows them)", if there are more. */
void about_more(struct facts *f, uint64_t more);
/* For qsort, support rows: the counter falling, then the row rising. */
int about_by_counter(const void *a, const void *b);
/* "set_aside": rows that were dropped; ds: the training data, for the lines they stand on, or
 * NULL. */
void about_dropped(struct facts *f, const perc_model *m, const perc_dataset *ds);
/* The layers of a network, for people, and under `key` the number of its weights. Of another
 * model nothing. */
void about_network(struct facts *f, const perc_model *m, const char *key, uint64_t weights);
/* "solver": how near to the optimum the solver of svm or lp came, and what it knows of the margin.
 * radius: R for the mistake bound; NaN: not known. */
void about_solver(struct facts *f, const perc_model_info *info, double radius);
/* "kernel_check": what train --check-kernel found; rows 0: it was not asked. */
void about_spectrum(struct facts *f, const perc_spectrum *s);

/* A model, measured on data. */
struct about_test {
    const char *path; /* of the data */
    perc_dataset *ds;
    perc_model *model;
    perc_model_info info;
    perc_metrics m;
    uint64_t *confusion; /* labels x labels, [truth][prediction] */
};
/* All of `perceptron test`. */
void about_test(struct facts *f, const struct about_test *t);

#endif
