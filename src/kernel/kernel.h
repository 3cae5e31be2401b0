/* kernel.h -- kernels: the dot product of two rows somewhere else.
 *
 *     linear    x.z
 *     poly      (gamma x.z + coef0)^degree
 *     gaussian  exp(-|x - z|^2 / (2 sigma^2))
 *     rbf       exp(-gamma |x - z|^2)
 *     sigmoid   tanh(eta x.z + theta)              not positive definite as a rule
 *     precomputed   column i of z, x being row i of the training data
 *
 * The last is a matrix that somebody else has computed: the columns of a row are its kernel values
 * with the training rows (precomputed.h). What a machine keeps of row i is then e_i, a 1 in that
 * column, and K is a dot product with it: one entry.
 *
 * Each formula stands once, in kernel.c, for training and prediction, for two rows and
 * for many. Its bits are settled there: x.z is one chain of fused steps in the order of the
 * columns (vec/row.h); powers are products in a fixed order; exp and tanh are our own.
 *
 * The square of the distance is |x|^2 + |z|^2 - 2 x.z where that is at least a 1024th of
 * |x|^2 + |z|^2, so that at most ten bits are lost. Of rows that are closer the difference is
 * mostly rounding, and may be negative: there it is the chain of the squared differences, in the
 * order of the columns, no step of which can be. So K(x, x) = 1 and K <= 1, to the bit. */
#ifndef PERC_KERNEL_H
#define PERC_KERNEL_H

#include "base/base.h"
#include "base/params.h"
#include "vec/row.h"

enum kernel_type {
    KERNEL_NONE,
    KERNEL_LINEAR,
    KERNEL_POLY,
    KERNEL_GAUSSIAN,
    KERNEL_RBF,
    KERNEL_SIGMOID,
    KERNEL_PRECOMPUTED
};
/* How gamma (eta) is to be found once the data are known. */
enum gamma_from { GAMMA_GIVEN, GAMMA_SCALE, GAMMA_AUTO };

struct kernel {
    enum kernel_type type;
    enum gamma_from gamma_from;
    int degree;
    double gamma;   /* gaussian: 1 / (2 sigma^2); sigmoid: eta. NaN until it is found */
    double coef0;   /* sigmoid: theta */
    uint64_t first; /* precomputed: the column of the first training row */
    bool numbered;  /* precomputed: rows say which one they are in the column before */
    bool rounded;   /* the dot of models before format 3: each product is rounded, then each sum */
};

extern const char *const kernel_names[]; /* by enum kernel_type; "none" */

/* The kernel that the parameters name; KERNEL_NONE where the table has no "kernel".
 * PERC_EARG: values that make no kernel, or that belong to another one. */
perc_status kernel_parse(const perc_params *p, struct kernel *out, perc_error *err);

/* Whether K is a function of the distance alone. */
static inline bool kernel_is_radial(const struct kernel *k)
{
    return k->type == KERNEL_GAUSSIAN || k->type == KERNEL_RBF;
}

/* Whether K has a number that may have been found from the data. */
static inline bool kernel_has_gamma(const struct kernel *k)
{
    return k->type != KERNEL_LINEAR && k->type != KERNEL_PRECOMPUTED;
}

/* x.x, the dot of this kernel; K(x, x) if that is precomputed. */
double kernel_norm2(const struct kernel *k, const struct row *x);
/* K(x, z): the reference. nx, nz: kernel_norm2 of the rows. */
double kernel_value(const struct kernel *k, const struct row *x, double nx, const struct row *z,
                    double nz);
/* The same after their dot product has been computed. */
double kernel_of_dot(const struct kernel *k, double dot, const struct row *x, double nx,
                     const struct row *z, double nz);
/* K(x, x), of nx = kernel_norm2(k, x). */
double kernel_self(const struct kernel *k, double nx);
/* Precomputed: the column that belongs to x, a row of the training data; above UINT32_MAX where it
 * has none. */
uint64_t kernel_own_column(const struct kernel *k, const struct row *x);
/* |x - z|^2 from the differences, in the order of the columns: for rows that are close. */
double kernel_distance2(const struct kernel *k, const struct row *x, const struct row *z);
/* A number that no |K(x, z)| exceeds, nor anything on the way to it, where nx is the
 * largest |x|^2 of all rows; not finite where something may overflow. */
double kernel_bound(const struct kernel *k, double nx);

#endif
