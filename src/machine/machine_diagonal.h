/* machine_diagonal.h -- vectors with a number beside every weight and offset: the diagonal of a
 * second-order matrix that learning keeps.
 *
 * What the numbers mean is the rule's affair. It says so with a struct diagonal_form, which is
 * rule.form (learn/learner.h): all else that such a machine needs, classes that appear, columns
 * that appear, copies, averages, prediction and files, is here. */
#ifndef PERC_MACHINE_DIAGONAL_H
#define PERC_MACHINE_DIAGONAL_H

#include "machine/machine.h"

/* Vectors, which are those of the machine, and what stands beside them, of the same shape. */
struct diagonal {
    struct linear *w;
    struct linear *sum; /* of averaging, which follows w; NULL: none */
    struct linear a;
    double number; /* the parameter of the form */
    double memo;   /* of `decide`, for the `add` that follows it */
};

struct diagonal_form {
    const char *parameter; /* the option that is its number ... */
    double standard;       /* ... which is this for a learner that has no such option */
    double start;          /* of every number of the diagonal */
    /* s_c(x) of the first n vectors, offsets in; columns at or beyond w->dims are left out. NULL:
     * w.x + b. */
    void (*scores)(const struct diagonal *d, const struct row *x, size_t n, double *out);
    /* The step for an example, > 0; else 0. */
    double (*decide)(struct diagonal *d, const struct lesson *l);
    /* Moves the vectors `up` and `down`, and their diagonals. */
    void (*add)(struct diagonal *d, const struct update *u);
    /* Whether all that stays finite. */
    bool (*holds)(const struct diagonal *d, const struct update *u);
};

/* The machine whose form has scores, and the one whose form has none. */
extern const struct machine_ops machine_diagonal, machine_diagonal_linear;

#endif
