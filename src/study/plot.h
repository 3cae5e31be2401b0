/* plot.h -- pictures of a model alone, for `perceptron plot MODEL`. */
#ifndef PERC_PLOT_H
#define PERC_PLOT_H

#include "study/pictures.h"

/* Whether the file is a model, by its first bytes; anything that cannot be looked at is not. */
bool plot_is_model(const char *path);
/* The picture of the counters of a model's support rows; NULL: it has none. Returns likewise. */
int plot_counters(struct cli *cli, const perc_model *m, struct figure **out);
/* The pictures that there are of a model: its largest weights, the counters of its support rows,
 * and of two features the boundary. Returns 0, or an exit code after saying why. */
int plot_model(struct cli *cli, const char *path, struct figure *list[PICTURES], size_t *n);

#endif
