/* parts.h -- the parameters of dividing a text among files, and of samples. */
#ifndef PERC_PARTS_H
#define PERC_PARTS_H

#include "base/params.h"

extern const struct table split_table, sample_table;

/* Whether the values go together; PERC_EARG. */
perc_status parts_check(const perc_params *p, perc_error *err);

#endif
