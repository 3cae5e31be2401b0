/* options.h -- the parameters of proofs; here even where a build can prove nothing. */
#ifndef PERC_PROVE_OPTIONS_H
#define PERC_PROVE_OPTIONS_H

#include "base/params.h"
#include "kernel/kernel.h"

extern const struct table prove_table;  /* "prove" */
extern const struct table verify_table; /* "verify", of perc_verify_watched */

/* The kernel, never KERNEL_SIGMOID. PERC_EARG: there is no proof for it. */
perc_status options_kernel(const perc_params *p, struct kernel *out, perc_error *err);
/* Whether the values go together, as far as that can be said without data. */
perc_status options_check(const perc_params *p, perc_error *err);

#endif
