/* prove.h -- the parts of `perceptron prove`: the run (cmd_prove.c) and what it says
 * (prove_report.c). */
#ifndef PERC_CLI_PROVE_H
#define PERC_CLI_PROVE_H

#include "cli/cli.h"
#include "show/about_proof.h"

struct proving {
    struct cli *cli;
    const char *data, *output; /* output NULL: no certificate */
    perc_params *data_params, *params;
    perc_dataset *ds;
    perc_proof *proof;
    struct proof_words about; /* these two, and the options */
    struct ticker ticker;
    double seconds;   /* of perc_prove */
    size_t undecided; /* problems */
    bool written;     /* the certificate, with the decided problems */
};

/* EXIT_NO: one problem is not separable; else EXIT_UNDECIDED: one is undecided; else EXIT_DONE. */
int prove_answer(const struct proving *t);
void prove_report(const struct proving *t, struct facts *f);

#endif
