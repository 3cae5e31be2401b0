/* inspect.h -- the parts of `perceptron inspect`: weights (cmd_inspect.c), support rows
 * (inspect_supports.c), the layers of a network (inspect_layers.c), threshold neurons
 * (inspect_gate.c). */
#ifndef PERC_CLI_INSPECT_H
#define PERC_CLI_INSPECT_H

#include "cli/cli.h"

/* The rows that a machine with a kernel is made of, by counter, largest first: each by itself,
 * also where another is equal to it, for that may have another label. */
struct supports {
    perc_support *list;
    bool budget;           /* then `row` is a slot, and there are no counters */
    uint64_t count, shown; /* all of one label if one was asked for; those to print */
};

/* label: its number; -1: all. Returns 0, or an exit code after saying why; then, too, `list`
 * is for free(). */
int supports_list(struct cli *cli, const perc_model *m, int64_t label, uint64_t top,
                  struct supports *out);
/* "counters   1: 40, 2: 13, 3 to 4: 7, ...": how many rows have which. */
void supports_fact(struct out *o, const struct supports *s);
void supports_table(struct cli *cli, const perc_model *m, const struct supports *s);
/* "counters" and "support_rows", keys of the open object. */
void supports_json(struct out *o, const perc_model *m, const struct supports *s);

/* The size of the weights that lead from feature j to the neurons of the first layer. */
double layers_feature(const perc_model *m, uint64_t j);
/* "network" and "optimizer"; a table of the layers; the same as keys of the open object. */
void layers_facts(struct out *o, const perc_model *m);
void layers_table(struct cli *cli, const perc_model *m);
void layers_json(struct out *o, const perc_model *m);

/* "inputs", "outputs", "neurons"; what the first `top` of them do; keys of the open object. */
void gate_facts(struct out *o, const perc_model *m);
void gate_table(struct cli *cli, const perc_model *m, uint64_t top);
void gate_json(struct out *o, const perc_model *m, uint64_t top);

#endif
