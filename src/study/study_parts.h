/* study_parts.h -- how a study is made, between the files that make it. */
#ifndef PERC_STUDY_PARTS_H
#define PERC_STUDY_PARTS_H

#include "study/study.h"

/* What is worth doing is decided by sizes, never by a clock, so that the same input gives the
 * same study: entries of rows that are read, about a nanosecond each. */
#define STUDY_WORK 2e9

/* Fills err and returns st. */
perc_status study_fail(perc_error *err, perc_status st, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
perc_status study_memory(perc_error *err);
/* What it costs to score every row once with a model, in entries. */
double study_scoring(const struct study *s, const perc_model *m);
/* Whether feature j has a name; it is in `buf`, cut where it is longer. */
bool study_named(const struct study *s, uint64_t j, char *buf, size_t size);
/* A wish of the caller about reading; NULL: none. All of them but --scale. */
const char *study_reading(const struct study *s, const char *name);
perc_status study_unscaled(const struct study *s, perc_params **out, perc_error *err);

/* Work that the host is told of: its observer, until study_rest. */
perc_observer study_work(const struct study *s, const char *stage, const char *unit, int64_t of);
void study_rest(const struct study *s);

/* ----- study_run.c ---------------------------------------------------------- */

/* Trains, with all there is to know of passes, norms and steps. */
perc_status study_fit(struct study *s, struct study_run *r, perc_error *err);

/* ----- study_measure.c: the rows, scored -------------------------------------- */

perc_status study_measure(struct study *s, struct study_run *r, perc_error *err);
perc_status study_calibrate(struct study *s, struct study_run *r, perc_error *err);
perc_status study_supports(struct study_run *r, perc_error *err);

/* ----- study_plane.c and study_regions.c ---------------------------------------- */

/* Which plane it will be, before the work: `features` may be wrong. */
perc_status study_pick(struct study *s, perc_error *err);
perc_status study_plane(struct study *s, perc_error *err);
/* The plane of a model alone, and its answers there. */
perc_status study_alone(struct study *s, perc_error *err);
perc_status study_regions(struct study *s, struct study_run *r, perc_error *err);
/* From the plane to the numbers of a row. */
void study_lift(const struct study *s, const double at[2], double *x);
/* The weights (w, b) of a learner, w[j * stride] of n features, as a line in the plane. */
void study_line(const struct study *s, const double *w, uint64_t n, size_t stride, double b,
                double line[3]);

/* ----- study_proof.c ---------------------------------------------------------- */

perc_status study_prove(struct study *s, perc_error *err);
/* The direction of the largest margin, and how far each run went along it. */
perc_status study_direction(struct study *s, perc_error *err);

#endif
