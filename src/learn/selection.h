/* selection.h -- the parameter table of model selection. */
#ifndef PERC_SELECTION_H
#define PERC_SELECTION_H

#include "base/params.h"

extern const struct table selection_table;

#endif
