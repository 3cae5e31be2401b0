/* proof.h -- what perc_prove returns: the problems of a data set and their answers. */
#ifndef PERC_PROOF_H
#define PERC_PROOF_H

#include "prove/prove.h"
#include "prove/table.h"

/* In which space the planes are. */
enum space { SPACE_ROWS, SPACE_POLY, SPACE_RBF };

struct part {
    perc_part view;            /* what the caller sees; points into the rest */
    char *positive, *negative; /* labels; negative NULL: all the others */
    struct whole p;            /* owns row and sign */
    struct answer a;
    double *w;         /* view.w */
    uint64_t *witness; /* view.witness: rows of the data set */
    char **weight;     /* view.weight */
};

struct bound_curves; /* bound.c */
struct hull_rows;    /* hulls.c */

struct perc_proof {
    struct env e;
    uint64_t rows, columns; /* of the data set */
    int index_base;
    bool offset, quick;
    enum space space;
    int degree;           /* SPACE_POLY: of the monomials */
    bool homogeneous;     /* of exactly this degree, not up to it */
    perc_dataset *lifted; /* SPACE_POLY: the rows of monomials, one column each that
                                occurs; NULL else. Columns from 0 */
    uint32_t *monomial;   /* lifted->columns times degree: columns of the data set whose
                                product it is, rising, then UINT32_MAX */
    struct names names;   /* of the features of the data set; a copy; n == 0: none */
    struct part *part;
    size_t parts;
    struct bound_curves *bound;
    struct hull_rows *hulls;
};

/* lift.c: proof->lifted and proof->monomial, of the degree that the proof names. */
perc_status lift(perc_proof *proof, const perc_dataset *ds, perc_error *err);
/* radial.c: the answer for gaussian and rbf kernels, from which rows are equal. */
perc_status radial_settle(const struct whole *p, bool quick, const struct watch *watch,
                          struct answer *out, perc_error *err);
/* view.c: fills part->view from part->a. `f` are the rows of the part, `base` the first of
 * their columns that is a feature, of which there are `features`. */
perc_status part_view(struct part *part, const struct problem *f, uint64_t base, uint64_t features,
                      perc_error *err);
/* closest.c: the least margin and the rows that have it, for a part that is separable. */
perc_status closest_rows(const struct whole *p, const struct problem *f, const mpz_t *w,
                         perc_part *out, perc_error *err);

/* bound.c, margin.c, hulls.c; the first two for a part that is separable. */
perc_status margin_measure(const struct whole *p, const struct problem *f, const struct answer *a,
                           double gap, const struct watch *watch, perc_part *out, perc_error *err);
perc_status bound_curves(const perc_dataset *ds, const struct part *part, const perc_params *p,
                         const struct watch *watch, struct bound_curves **out, perc_error *err);
void bound_curves_get(const struct bound_curves *c, perc_bound *out);
void bound_curves_free(const struct env *e, struct bound_curves *c); /* NULL is fine */
/* PERC_EARG: more than two features, or no offset. */
perc_status hull_rows(const struct whole *p, struct hull_rows **out, perc_error *err);
void hull_rows_get(const struct hull_rows *h, perc_hulls *out);
void hull_rows_free(const struct env *e, struct hull_rows *h);

#endif
