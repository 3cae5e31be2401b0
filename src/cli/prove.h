/* prove.h -- the parts of `perceptron prove`: the run (cmd_prove.c), what it says
 * (prove_report.c), the witness in words (prove_witness.c) and for programs (prove_json.c). */
#ifndef PERC_CLI_PROVE_H
#define PERC_CLI_PROVE_H

#include "cli/cli.h"

struct prove {
    struct cli *cli;
    const char *data, *output; /* output NULL: no certificate is wanted */
    perc_params *data_params, *params;
    perc_dataset *ds;
    perc_dataset_info info;
    perc_proof *proof;
    struct ticker ticker;
    double seconds;   /* of perc_prove */
    size_t undecided; /* problems */
    bool written;     /* the certificate: of those that are decided */
};

/* What the options said. */
bool proving_flag(const struct prove *t, const char *name);
/* "none", "poly", ...: the linear kernel is none. */
const char *proving_kernel(const struct prove *t);
/* Not separable in any part: EXIT_NO; else undecided in any: EXIT_UNDECIDED; else EXIT_DONE. */
int proving_answer(const struct prove *t);

/* Why something is not known: "a limit came first", or an interrupt. */
const char *proving_reason(void);
/* A label as part of a sentence: "the rest" for NULL. */
const char *proving_class(const char *label);
/* Whether the verdict is a full one: which rows are strict and which are held is known. */
bool proving_full(const perc_part *p);
/* Whether a row of this part has its positive label. */
bool proving_positive(const perc_dataset *ds, const perc_part *p, uint64_t row);

/* In how many rows of each class a feature is not 0; rows is 0 at first. Looks at every row.
 * False: that would take too long, or memory is out. */
struct feature_use {
    uint64_t feature;
    uint64_t rows[2]; /* positive, negative */
};
bool proving_uses(const struct prove *t, const perc_part *p, struct feature_use *use, size_t n);

void prove_report_text(const struct prove *t, struct out *o);
/* What the verdict means to others; false: nothing to say. */
enum { PROVE_SENTENCE = 512 };
bool proving_meaning(const struct prove *t, const perc_part *p, char buf[PROVE_SENTENCE]);
void prove_report_json(const struct prove *t, struct out *o);

/* ----- prove_witness.c ------------------------------------------------------- */

/* One line that says what the witness shows: "rows 1 and 4 (a) and rows 2 and 3 (b) have
 * the same midpoint". */
void witness_sentence(const struct prove *t, const perc_part *p, char buf[PROVE_SENTENCE]);
/* Its rows with their weights, some of each class; nothing where the sentence says it all. */
void witness_table(const struct prove *t, const perc_part *p, struct out *o);
/* "row 7", "rows 1 and 4", "rows 1, 2 and 3", numbers from 1; with the line where that is
 * another number: "row 7 (line 8)". */
void proving_rows(const struct prove *t, const uint64_t *row, size_t n, char *buf, size_t size);

#endif
