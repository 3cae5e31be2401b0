/* study_parts.h -- what the files that make a study share. */
#ifndef PERC_STUDY_PARTS_H
#define PERC_STUDY_PARTS_H

#include "study/study.h"

/* Sizes, never a clock, decide what is worth doing, so that the same input gives the same study.
 * The unit is an entry of a row that is read, about a nanosecond. */
#define STUDY_WORK 2e9

/* Fills err and returns st. */
perc_status study_fail(perc_error *err, perc_status st, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
perc_status study_memory(perc_error *err);
/* The cost of scoring every row once with a model, in entries. */
double study_scoring(const struct study *s, const perc_model *m);
/* Whether feature j has a name; it is put in `buf`, cut to fit. */
bool study_named(const struct study *s, uint64_t j, char *buf, size_t size);
/* The values of `from` (NULL: defaults) for a table, but for parameter `except`. */
perc_status study_params(const perc_env *env, const char *table, const perc_params *from,
                         const char *except, perc_params **out, perc_error *err);

/* Announces work to the host; returns its observer, valid until study_rest. */
/* Whether standard input is among the data: it can be read once. */
bool study_reads_input(const struct study *s);
perc_observer study_work(const struct study *s, const char *stage, const char *unit, int64_t of);
void study_rest(const struct study *s);

/* ----- study_run.c ---------------------------------------------------------- */

/* Trains, and records passes, norms and steps. */
perc_status study_fit(struct study *s, struct study_run *r, perc_error *err);

/* ----- study_orders.c ------------------------------------------------------- */

/* The first learner in other orders of the rows. PERC_EARG: it was asked for and has none. */
perc_status study_orders(struct study *s, perc_error *err);

/* ----- study_measure.c: the rows, scored -------------------------------------- */

perc_status study_measure(struct study *s, struct study_run *r, perc_error *err);
perc_status study_calibrate(struct study *s, struct study_run *r, perc_error *err);
perc_status study_supports(struct study_run *r, perc_error *err);

/* ----- study_plane.c and study_regions.c ---------------------------------------- */

/* Chooses the plane before the work begins: `features` may be wrong. */
perc_status study_pick(struct study *s, perc_error *err);
perc_status study_plane(struct study *s, perc_error *err);
/* The plane of a model without data, and its answers there. */
perc_status study_alone(struct study *s, perc_error *err);
perc_status study_regions(struct study *s, struct study_run *r, perc_error *err);
/* From a point of the plane to the numbers of a row. */
void study_lift(const struct study *s, const double at[2], double *x);
/* The weights (w, b) of a learner, w[j * stride] of n features, as a line in the plane. */
void study_line(const struct study *s, const double *w, uint64_t n, size_t stride, double b,
                double line[3]);

/* ----- study_proof.c ---------------------------------------------------------- */

perc_status study_space(struct study *s, perc_error *err);
perc_status study_prove(struct study *s, perc_error *err);
/* The direction of the largest margin, and how far each run went along it. */
perc_status study_direction(struct study *s, perc_error *err);

#endif
