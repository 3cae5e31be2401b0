/* machine_dropping.h -- rows that err again and again are set aside: what machine_dropping.c, which
 * has weights, and machine_expansion.c, which has a kernel, share. */
#ifndef PERC_MACHINE_DROPPING_H
#define PERC_MACHINE_DROPPING_H

#include "machine/drop.h"
#include "machine/machine_votes.h"

/* Why a stream will not do: PERC_EARG. */
perc_status machine_dropping_without_data(const struct machine *m, const char *where,
                                          perc_error *err);
/* Counters of mistakes, as the options ask for them; NULL: they do not. */
perc_status machine_dropping_new(const struct machine *m, const perc_params *p, struct drop **out);
/* Where each class has a problem of its own, all must come before the first mistake: PERC_EDATA
 * names one that does not. d may be NULL here and below. */
perc_status machine_dropping_check_class(const struct drop *d, const char *label, perc_error *err);
/* A class has come. */
void machine_dropping_know(struct drop *d, const struct machine *m);
/* An update is to be made: counts the mistake. The S-th sets the row aside: then all that it
 * has added is taken out of the votes, the answer is true, and the sums of what remains are to be
 * made again. Out of memory: m->failed. */
bool machine_dropping_count(struct machine *m, struct drop *d, const struct update *u);
void machine_dropping_tell(const struct drop *d, struct machine_facts *out);

#endif
