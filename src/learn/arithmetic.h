/* arithmetic.h -- the option "arithmetic": doubles, or whole numbers (machine/shadow.h). */
#ifndef PERC_ARITHMETIC_H
#define PERC_ARITHMETIC_H

#include "base/params.h"
#include "kernel/kernel.h"

bool arithmetic_is_exact(const perc_params *p);
/* PERC_EARG: it is exact, and another option rounds. k: the kernel that p names. */
perc_status arithmetic_check(const perc_params *p, const struct kernel *k, perc_error *err);

#endif
