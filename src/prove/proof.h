/* proof.h -- what perc_prove returns: the problems of a data set and their answers.
 *
 * proof.c        perc_prove: the problems of a data set, kernels, several classes
 * decide.c       one problem of two classes; radial.c that of a radial kernel
 * margin.c       gamma' and the geometric margin; bound.c the mistake bound; hulls.c the plane
 * public_view.c  what the caller sees of it
 * certificate.c  writes it all down */
#ifndef PERC_PROOF_H
#define PERC_PROOF_H

#include "base/params.h"
#include "base/pool.h"
#include "prove/separation.h"
#include "solve/problem.h"

/* In which space the planes are. */
enum space { SPACE_ROWS, SPACE_POLY, SPACE_RBF };

struct subproof {
    struct pool pool;          /* of all arrays but those of `found` */
    perc_part view;            /* what the caller sees; points into the rest */
    char *positive, *negative; /* labels; negative NULL: all the others */
    struct whole exact;
    struct separation found;
};

struct bound_curves; /* bound.c */
/* The space of a kernel, for a bound there (gram_margin.h). */
struct bound_space {
    const struct kernel *kernel;
    bool offset; /* of the machine */
    const struct gram_answer *found;
    const double *advance; /* by row: y u.phi(x) */
};
struct hulls;     /* hulls.c */
struct redundant; /* redundant.c */

struct perc_proof {
    struct env e;
    perc_proof_info info;
    uint64_t rows, columns; /* of the data set */
    int index_base;
    bool offset, quick;
    enum space space;
    int degree;           /* SPACE_POLY: of the monomials */
    bool homogeneous;     /* of exactly this degree, not up to it */
    perc_dataset *lifted; /* SPACE_POLY: the rows of monomials, a column for each that
                                occurs, from 0; else NULL */
    uint32_t *monomial;   /* lifted->columns times degree: the columns of the data set
                                in each product, rising, then UINT32_MAX */
    struct names names;   /* of the features of the data set; a copy; n == 0: none */
    struct subproof *sub;
    size_t subs;
    struct bound_curves *bound;
    struct hulls *hulls;
    struct redundant *redundant; /* NULL: not looked for */
};

/* lift.c: proof->lifted and proof->monomial, of the degree that the proof names. */
perc_status lift(perc_proof *proof, const perc_dataset *ds, perc_error *err);
/* radial.c: the answer for gaussian and rbf kernels, from which rows are equal. */
perc_status radial_decide(const struct whole *exact, bool quick, const struct watch *watch,
                          struct separation *out, perc_error *err);
/* public_view.c: fills sub->view from sub->found. `rows` is what planes see, `floats` are the
 * rows of the problem. */
perc_status public_view_fill(struct subproof *sub, const perc_dataset *rows,
                             const struct problem *floats, perc_error *err);
/* closest.c: the least margin and the rows that have it, for a problem that is separable. */
perc_status closest_rows(const struct whole *exact, const struct problem *floats, const mpz_t *w,
                         perc_part *out, perc_error *err);

/* bound.c, margin.c, hulls.c; the first two for a problem that is separable. */
perc_status margin_measure(const struct whole *exact, const struct problem *floats,
                           const struct separation *a, double gap, const struct watch *watch,
                           perc_part *out, perc_error *err);
perc_status bound_curves(const perc_dataset *ds, const struct subproof *sub, const perc_params *p,
                         const struct bound_space *space, const struct watch *watch,
                         struct bound_curves **out, perc_error *err);
void bound_curves_get(const struct bound_curves *c, perc_bound *out);
void bound_curves_free(const struct env *e, struct bound_curves *c); /* NULL is fine */
/* redundant.c: which columns the others determine, in all rows of `exact`, whatever their signs.
 * *out NULL: it would take too long, or the watch said stop. */
perc_status redundant_new(const struct whole *exact, uint64_t features, const struct watch *watch,
                          struct redundant **out, perc_error *err);
size_t redundant_count(const struct redundant *r);
perc_redundant redundant_get(const struct redundant *r, size_t i);
void redundant_free(const struct env *e, struct redundant *r); /* NULL is fine */
/* PERC_EARG: more than two features, or no offset. */
perc_status hulls_new(const struct whole *exact, struct hulls **out, perc_error *err);
void hulls_get(const struct hulls *h, perc_hulls *out);
void hulls_free(const struct env *e, struct hulls *h);

#endif
