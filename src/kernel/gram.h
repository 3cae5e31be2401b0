/* gram.h -- many kernel values at once. */
#ifndef PERC_GRAM_H
#define PERC_GRAM_H

#include "data/dataset.h"
#include "kernel/kernel.h"
#include "vec/panel.h"

/* out[i * PANEL + j] = K(x_i, row j of p) for n rows x_i with norms nx_i: the bits of
 * kernel_value. Columns j >= p->rows of `out` are written, with meaningless numbers. */
void gram_panel(const struct kernel *k, const struct panel *p, const struct row *x,
                const double *nx, size_t n, double *out);
/* The same for the rows of a bundle. */
void gram_bundle(const struct kernel *k, const struct panel *p, const struct bundle *b,
                 const double *nx, double *out);

/* ----- one row against many: the plain loops ----------------------------------------- */

/* A row spread out over memory, zeros elsewhere, so that dots with it are quick. A row
 * with a column beyond SPREAD_MAX is not spread, or one line of a file could ask for
 * gigabytes; its values have the same bits, but take longer. */
#define SPREAD_MAX ((uint64_t)1 << 22)
struct spread_out {
    struct env e;
    double *dense;
    size_t cap;
};
void gram_spread_free(struct spread_out *s); /* safe on a zeroed struct */
/* Room for x, so that gram_row cannot fail. PERC_ENOMEM. */
perc_status gram_spread_reserve(struct spread_out *s, const struct row *x);
/* out[i] = K(row[i], x) for n rows: the bits of kernel_value. */
void gram_row(const struct kernel *k, struct spread_out *s, const struct row *row,
              const double *norm2, size_t n, const struct row *x, double nx, double *out);

/* ----- a kernel for data -------------------------------------------------------------- */

/* Finds gamma where it is "scale", 1 / (d Var), or "auto", 1 / d: d is the number of features
 * (after the map), Var the variance of all n d numbers, zeros too, as in
 * scikit-learn. Then makes sure that no K of two rows can overflow (kernel_bound):
 * PERC_EDATA names the line of the largest row. */
perc_status gram_fit(const struct env *e, struct kernel *k, const perc_dataset *ds,
                     perc_error *err);
/* For one row of a stream, whose statistics are not known yet, so that it cannot be scaled by
 * them; line 0: unknown. PERC_EDATA. */
perc_status gram_check_row(const struct kernel *k, const struct row *x, int64_t line,
                           perc_error *err);

/* Whether the Gram matrix of `rows` rows of ds, drawn by the seed without repetition (all of
 * them if there are no more), is positive semi-definite: its smallest and largest eigenvalue
 * (LAPACK). PERC_EARG where this build has no LAPACK. */
struct spectrum {
    uint64_t rows;
    double smallest, largest;
    double tolerance; /* below -tolerance an eigenvalue is negative beyond rounding */
};
perc_status spectrum_measure(const struct env *e, const struct kernel *k, const perc_dataset *ds,
                             uint64_t rows, uint64_t seed, struct spectrum *out, perc_error *err);

#endif
