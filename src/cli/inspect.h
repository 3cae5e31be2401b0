/* inspect.h -- the parts of `perceptron inspect`: weights (cmd_inspect.c), support rows
 * (inspect_supports.c), the layers of a network (inspect_layers.c), threshold neurons
 * (inspect_gate.c); and of data (inspect_data.c). */
#ifndef PERC_CLI_INSPECT_H
#define PERC_CLI_INSPECT_H

#include "cli/circuit.h"
#include "cli/cli.h"

/* The rows that a machine with a kernel is made of, by counter, largest first. Equal rows are
 * listed separately, for they may have different labels. */
struct supports {
    const perc_model *model;
    perc_support *list;
    bool budget;           /* then `row` is a slot, and there are no counters */
    uint64_t count, shown; /* all, or those of the label asked for; those to print */
};

/* label: its number; -1: all. Returns 0, or an exit code after saying why; free `list` in either
 * case. */
int inspect_supports_list(struct cli *cli, const perc_model *m, int64_t label, uint64_t top,
                          struct supports *out);
/* "counters" and "support_rows". */
void inspect_supports(struct facts *f, const struct supports *s);

/* The size of the weights that lead from feature j to the neurons of the first layer. */
double inspect_feature(const perc_model *m, uint64_t j);
/* "optimizer", "steps", "learned_numbers" and "layers". */
void inspect_layers(struct facts *f, const perc_model *m);

/* "inputs", "outputs" and what the first `top` "neurons" do. */
void inspect_gate(struct facts *f, const struct circuit *c, uint64_t top);

/* Of data: `top` columns are printed; or a file for --columns. Returns 0, or an exit code after
 * saying why. */
int inspect_data(struct cli *cli, const char *path, uint64_t top, bool propose);

#endif
