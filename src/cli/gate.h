/* gate.h -- the parts of `perceptron gate`: the run (cmd_gate.c), a formula with a fault
 * (gate_fault.c), the files it writes (gate_files.c) and what it says (gate_report.c). */
#ifndef PERC_CLI_GATE_H
#define PERC_CLI_GATE_H

#include "cli/circuit.h"
#include "cli/cli.h"

struct gating {
    struct cli *cli;
    const char *formula;
    const char *output, *proof, *table, *of; /* files, and the output that is proved about */
    const char *input, *initial;
    int64_t steps, unroll, rows; /* steps, unroll 0: not asked for */
    perc_gate *gate, *machine;   /* machine: before it was unrolled; else NULL */
    perc_gate_info info;         /* of gate */
    size_t inputs, outputs;      /* of a row: with the states, before and after it */
    unsigned char *value;        /* scratch: the outputs of a row */
    struct circuit circuit;      /* of gate */
    perc_signals signals;        /* if `run` */
    bool run, whole;             /* whole: all rows are shown */
    size_t target;               /* the output that `of` names, or the first */
    bool several;                /* the table is about all outputs, more than one */
    perc_verdict verdict;        /* if `proved` */
    bool proved;
};

/* Whether output k is a state as it is, which stands among the states already. */
bool gate_is_state(const struct gating *t, size_t k);
/* All rows of the truth table. */
uint64_t gate_rows(const struct gating *t);
/* Row r, its outputs into t->value; x has room for the inputs, of which the first is the highest
 * digit. False: out of memory. */
bool gate_row(const struct gating *t, uint64_t r, unsigned char *x);
enum { GATE_INPUTS = 64 };

/* Says what is wrong in a text of the command line, and where; an exit code. */
int gate_fault(const struct cli *cli, const char *what, const char *text, const perc_error *err);

/* Writes the truth table, the certificate and the model that were asked for. Returns 0, or an exit
 * code after saying why. */
int gate_files(struct gating *t);

void gate_report(const struct gating *t, struct facts *f);

#endif
