/* gate.h -- the parts of `perceptron gate`: the run (cmd_gate.c), a formula with a fault
 * (gate_fault.c), the files it writes (gate_files.c) and what it says (gate_report.c). */
#ifndef PERC_CLI_GATE_H
#define PERC_CLI_GATE_H

#include "cli/circuit.h"
#include "cli/cli.h"

struct gating {
    struct cli *cli;
    const char *formula, *neuron; /* one of them; the neuron is then written as a formula */
    char *written;                /* that formula */
    const char *output, *proof, *table, *of; /* files, and the output to prove something about */
    const char *input, *initial;
    int64_t steps, unroll, rows; /* steps, unroll 0: not asked for */
    perc_gate *gate, *machine;   /* machine: before unrolling; otherwise NULL */
    perc_gate_info info;         /* of gate */
    size_t inputs, outputs;      /* of a row: with the states before and after it */
    unsigned char *value;        /* scratch: the outputs of a row */
    struct circuit circuit;      /* of gate */
    perc_signals signals;        /* if `run` */
    bool run, whole;             /* whole: all rows are shown */
    size_t target;               /* the output that `of` names, or the first */
    bool several;                /* the table is about several outputs */
    perc_verdict verdict;        /* if `proved` */
    bool proved;
};

/* Whether output k is just a state, which is shown among the states already, or goes into a delay,
 * a@3', where a is shown. */
bool gate_is_state(const struct gating *t, size_t k);
/* The number of rows of the truth table. */
uint64_t gate_rows(const struct gating *t);
/* Row r, its outputs into t->value; x has room for the inputs, the first being the highest digit.
 * False: out of memory. */
bool gate_row(const struct gating *t, uint64_t r, unsigned char *x);
enum { GATE_INPUTS = 64 };

/* Says what is wrong in a text from the command line, and where; returns an exit code. */
int gate_fault(const struct cli *cli, const char *what, const char *text, const perc_error *err);

/* Writes the truth table, the certificate and the model that were asked for. Returns 0, or an exit
 * code after saying why. */
int gate_files(struct gating *t);

void gate_report(const struct gating *t, struct facts *f);

#endif
