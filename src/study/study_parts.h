/* study_parts.h -- how a study is made, between the files that make it. */
#ifndef PERC_STUDY_PARTS_H
#define PERC_STUDY_PARTS_H

#include "study/study.h"

/* What is worth doing is decided by sizes, never by a clock, so that the same input gives the
 * same study: entries of rows that are read, about a nanosecond each. */
#define STUDY_WORK 2e9

/* What it costs to score every row once with a run's model, in entries. */
double study_scoring(const struct study *s, const struct study_run *r);
bool study_is(const struct study_run *r, const char *name, const char *value); /* an option */
bool study_linear(const struct study_run *r); /* weights, and no map between it and the rows */
bool study_network(const struct study_run *r);
/* Whether feature j has a name; it is in `buf`, cut where it is longer. */
bool study_named(const struct study *s, uint64_t j, char *buf, size_t size);

/* ----- study_run.c ---------------------------------------------------------- */

/* Trains, with what there is to know of each pass. */
int study_fit(struct study *s, struct study_run *r);
/* Again, for training errors by pass; and for norms and steps. Both may leave them out. */
int study_errors(struct study *s, struct study_run *r);
int study_watch(struct study *s, struct study_run *r, bool animate);

/* ----- study_measure.c: the training rows, scored ---------------------------- */

int study_measure(struct study *s, struct study_run *r);
int study_calibrate(struct study *s, struct study_run *r);
int study_supports(struct study *s, struct study_run *r);

/* ----- study_plane.c ------------------------------------------------------------ */

/* Which plane it will be, before the work: --features may be wrong. */
int study_pick(struct study *s, const char *features);
int study_plane(struct study *s);
int study_regions(struct study *s, struct study_run *r);
/* From the plane to the numbers of a row. */
void study_lift(const struct study *s, const double at[2], double *x);
/* The weights (w, b) of a learner, w[j * stride] of n features, as a line in the plane. */
void study_line(const struct study *s, const double *w, uint64_t n, size_t stride, double b,
                double line[3]);

/* ----- study_proof.c ---------------------------------------------------------- */

int study_prove(struct study *s, double seconds);
int study_direction(struct study *s); /* u */

#endif
