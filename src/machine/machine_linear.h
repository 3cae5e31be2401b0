/* machine_linear.h -- what the linear machine lends to others that have vectors. */
#ifndef PERC_MACHINE_LINEAR_H
#define PERC_MACHINE_LINEAR_H

#include "machine/machine.h"

/* Operations of struct machine_ops. */
perc_status machine_linear_scores(struct machine *m, const struct row *x, size_t outputs,
                                  double *out);
bool machine_linear_add_unseen(struct machine *m, const struct update *u);
perc_status machine_linear_scratch_open(struct machine_scratch *d);
void machine_linear_scratch_close(struct machine_scratch *d);
perc_status machine_linear_run(struct machine_scratch *d, double *out, size_t *bad);

#endif
