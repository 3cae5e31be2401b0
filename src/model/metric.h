/* metric.h -- by which metric the passes of a run are compared. */
#ifndef PERC_METRIC_H
#define PERC_METRIC_H

#include "model/model.h"

/* Unless one is named: the log loss where probabilities are learned. Errors can stand still there
 * for many passes while it falls: with 4 % positive rows a network calls all of them negative at
 * first. */
const char *metric_of_passes(const perc_model *m);

#endif
