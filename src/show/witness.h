/* witness.h -- a proof in words: what its verdicts mean, and the rows that show a "no". */
#ifndef PERC_SHOW_WITNESS_H
#define PERC_SHOW_WITNESS_H

#include <stdbool.h>

#include "show/facts.h"
#include "show/hyperplane.h"
#include "show/word.h"

struct proof_words { /* what the words are about */
    const perc_env *env;
    const perc_dataset *ds;
    perc_dataset_info info;    /* of ds */
    const perc_params *params; /* of the proof */
    const perc_proof *proof;   /* for the names of features */
    perc_proof_info all;       /* of it; info.labels are those of rows that count, too */
    const char *reason;        /* why something is unknown: "a limit came first" */
    enum hyperplane_form form; /* how the plane is written */
};

/* The value of an option that is yes or no. */
bool witness_flag(const struct proof_words *t, const char *name);
/* "none", "poly", ...: the linear kernel is none. */
const char *witness_kernel(const struct proof_words *t);
/* A label as part of a sentence: "the rest" for NULL. */
const char *witness_class(const char *label);
/* Whether a row of this part has its positive label. */
bool witness_positive(const perc_dataset *ds, const perc_part *p, uint64_t row);

enum { WITNESS_SENTENCE = 512 };
/* What the verdict means outside this program; false: nothing to say. */
bool witness_meaning(const struct proof_words *t, const perc_part *p, char buf[WITNESS_SENTENCE]);
/* One line that says what the witness shows: "rows 1 and 4 (a) and rows 2 and 3 (b) have
 * the same midpoint". */
void witness_sentence(const struct proof_words *t, const perc_part *p, char buf[WITNESS_SENTENCE]);
/* For people: its rows with their weights, some of each class. */
void witness_table(struct facts *f, const struct proof_words *t, const perc_part *p);
/* The weight of witness row i in the weighted mean, or sum, of its side. */
double witness_share(const struct proof_words *t, const perc_part *p, size_t i);
/* Its weight: "1/3" of the mean, or as it is without an offset, where there are sums. */
const char *witness_weight(const struct proof_words *t, const perc_part *p, size_t i,
                           char buf[WORD]);
/* "row 7", "rows 1 and 4", "rows 1, 2 and 3", numbered from 1; with the line if that differs: "row
 * 7 (line 8)". */
void witness_rows(const struct proof_words *t, const uint64_t *row, size_t n, char *buf,
                  size_t size);

#endif
