/* gate.h -- the parts of `perceptron gate`: the run (cmd_gate.c), what it says (gate_report.c)
 * and for programs (gate_json.c). */
#ifndef PERC_CLI_GATE_H
#define PERC_CLI_GATE_H

#include "cli/cli.h"

enum { GATE_PREFIX = 72, GATE_NAME = 96 }; /* longer than the names of a formula get */

struct gating {
    struct cli *cli;
    const char *formula;
    const char *output, *proof, *table, *of; /* files, and the output that is proved about */
    const char *input, *initial;
    int64_t steps, unroll, rows; /* steps, unroll 0: not asked for */
    perc_gate *gate, *machine;   /* machine: before it was unrolled; else NULL */
    perc_gate_info info;         /* of gate */
    perc_signals signals;        /* if `run` */
    bool run, whole;             /* whole: all rows are shown */
    size_t target;               /* the output that `of` names, or the first */
    bool several;                /* the table is about all outputs, more than one */
    perc_verdict verdict;        /* if `proved` */
    bool proved;
    char prefix[GATE_PREFIX]; /* of the names of neurons that are no output */
};

/* Whether a word of the text is this prefix and a number, as in "n1 & b" of "n". */
bool gate_prefix_taken(const char *text, const char *prefix);
/* How a source is called: an input, an output, or "n3"; in `buf`, or a name that lasts. */
const char *gating_source(const struct gating *t, size_t source, char buf[GATE_NAME]);
/* Whether output k is a state as it is, which stands among the states already. */
bool gating_is_state(const struct gating *t, size_t k);
/* All rows of the truth table. */
uint64_t gating_rows(const struct gating *t);
/* Row r: the first input is the highest digit. x has inputs + states places, out has outputs +
 * states. False: memory is out. */
bool gating_row(const struct gating *t, uint64_t r, unsigned char *x, unsigned char *out);
/* How many rows have a 1 in each output, outputs + states of them. */
bool gating_count(const struct gating *t, uint64_t *ones);
/* Of a machine without inputs: after `before` steps it repeats itself every `period` steps. False:
 * it has inputs, no states, or no period was found. */
bool gating_period(const struct gating *t, size_t *before, size_t *period);

void gate_report_text(const struct gating *t, struct out *o);
void gate_report_json(const struct gating *t, struct out *o);

#endif
