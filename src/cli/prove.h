/* prove.h -- the parts of `perceptron prove`: the run (cmd_prove.c), what it says
 * (prove_report.c) and what programs read (prove_json.c). Sentences that a report has too are
 * in show/witness.h. */
#ifndef PERC_CLI_PROVE_H
#define PERC_CLI_PROVE_H

#include "cli/cli.h"
#include "show/witness.h"

struct prove {
    struct cli *cli;
    const char *data, *output; /* output NULL: no certificate is wanted */
    perc_params *data_params, *params;
    perc_dataset *ds;
    perc_dataset_info info;
    perc_proof *proof;
    struct witness words; /* env, ds, info and params again, for sentences */
    struct ticker ticker;
    double seconds;   /* of perc_prove */
    size_t undecided; /* problems */
    bool written;     /* the certificate: of those that are decided */
};

/* Not separable in any part: EXIT_NO; else undecided in any: EXIT_UNDECIDED; else EXIT_DONE. */
int proving_answer(const struct prove *t);

/* Why something is not known: "a limit came first", or an interrupt. */
const char *proving_reason(void);
/* Whether the verdict is a full one: which rows are strict and which are held is known. */
bool proving_full(const perc_part *p);

/* In how many rows of each class a feature is not 0; rows is 0 at first. Looks at every row.
 * False: that would take too long, or memory is out. */
struct feature_use {
    uint64_t feature;
    uint64_t rows[2]; /* positive, negative */
};
bool proving_uses(const struct prove *t, const perc_part *p, struct feature_use *use, size_t n);

void prove_report_text(const struct prove *t, struct out *o);
void prove_report_json(const struct prove *t, struct out *o);

#endif
