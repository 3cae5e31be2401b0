/* simplex.h -- what the files of the exact simplex method share.
 *
 * simplex.c   the method: what leaves, and the steps
 * simplex_basis.c   the basis, and lambda, z, w and t that belong to it
 * simplex_price.c   what may enter
 *
 * The variables are lambda_i of the rows (mu_k of free ones) and z_j of the columns, with
 * |z_j| as cost. Where k rows are basic, so are all z_j but those of k - 1 columns J. The
 * basis then falls into the k x k matrix
 *
 *     K = (1 per row that is not free; a_sj for the columns j of J, by basic rows s)
 *
 * and an identity, and only K^-1 is kept (inverse.h): wide data with few rows are no
 * harder than few columns. With D = det K > 0 and N = D K^-1:
 *
 *     D lambda = N (1, 0),   D z_l = sum_s D lambda_s a_sl       outside J
 *     w_l = sigma_l = sign z_l outside J;   (w_J, -t) = -g K^-1,  g_s = sum_l sigma_l a_sl
 *
 * A row may enter if a_i.w < t, the z_j of a column of J if |w_j| > 1. Free rows enter before
 * all others, whatever w is, and never leave. */
#ifndef PERC_SIMPLEX_H
#define PERC_SIMPLEX_H

#include "base/pool.h"
#include "solve/exact_simplex.h"
#include "solve/inverse.h"

enum { LIST = 32 };         /* rows priced between passes over all of them */
enum { FREE = 1, OUT = 2 }; /* o->free[i] */

#define NONE SIZE_MAX /* no row, no column */

/* The rows in doubles, each divided by a power of 2 so that its largest number is in
 * [1/2, 1): what the filter computes with. */
struct image {
    size_t *from;    /* n + 1 */
    uint32_t *place; /* of the column, in `used` */
    double *value;
    double *one; /* n: 1 divided by the same power */
    size_t cap_place, cap_value;
};

struct entering {
    bool column; /* z_at enters; else row `at` */
    size_t at;
    int tau; /* up or down */
};

struct simplex {
    const struct whole *p;
    const struct simplex_options *o;
    struct env e;
    struct pool pool; /* of the arrays that do not grow */
    size_t n, dims;
    struct image im;
    size_t used;
    size_t *column;  /* used: columns that have entries, rising */
    uint32_t *place; /* dims: where in `column` */
    /* the basis */
    struct inverse inv;
    size_t cap;               /* of the three that follow, and nc, rn, dual */
    struct whole_vector *vec; /* k: the basic rows */
    uint64_t *row;            /* k */
    size_t *col;              /* k: J from 1; 0 is the row of ones of K */
    mpz_t *nc, *rn, *dual;    /* dual: D w_J from 1, and -D t at 0 */
    unsigned char *basic;     /* n */
    size_t *pos;              /* dims: in col, or NONE */
    signed char *sigma;       /* dims */
    mpz_t *z, *dz, *w;        /* dims: D z, its change, D w */
    bool w_ready;
    double *wd;    /* used: w, divided by a power of 2 */
    double td, dd; /* t, D likewise */
    /* what enters */
    struct whole_vector enter, probe;
    uint64_t *list; /* rows to try first */
    size_t lists;
    size_t *kink;     /* used: columns, in the order of their kinks */
    uint64_t culprit; /* a row that w had on the wrong side */
    int64_t pivots;
    int stalls;
    double asked; /* bytes that were found to be available */
    mpz_t t1, t2, slope;
};

static inline int simplex_kind(const struct simplex *x, uint64_t i)
{
    return x->o->free != NULL ? x->o->free[i] : 0;
}

/* ----- simplex_basis.c -------------------------------------------------------------------- */

/* Everything but p, o, e, n and dims. simplex_close is safe after a failure. */
perc_status simplex_open(struct simplex *x, perc_error *err);
void simplex_close(struct simplex *x);
/* Makes the first basis: row i alone. */
perc_status simplex_begin(struct simplex *x, uint64_t i, perc_error *err);
/* D z, all of it. True: it is 0. */
bool simplex_primal(struct simplex *x);
/* w and t, and both for the filter. */
void simplex_duals(struct simplex *x);
/* D w in whole numbers, where it is needed. */
void simplex_find_w(struct simplex *x);

/* The four kinds of steps: row i, which is in `enter` and has N c in nc, enters for basic
 * row s, or for column l, which joins J; column j leaves J, for column l or basic row s. */
void simplex_replace(struct simplex *x, uint64_t i, size_t s);
perc_status simplex_grow(struct simplex *x, uint64_t i, size_t l);
void simplex_exchange(struct simplex *x, size_t j, size_t l);
void simplex_shrink(struct simplex *x, size_t j, size_t s);

/* ----- simplex_price.c -------------------------------------------------------------------- */

enum next { GO_ON, ZERO, POSITIVE };

/* GO_ON: *in is what enters; POSITIVE: w has all rows on their side. With `lowest`, it is the first
 * in order (Bland), else one that is far from where it should be. */
perc_status simplex_choose(struct simplex *x, bool lowest, struct entering *in, enum next *next,
                           perc_error *err);
/* slope = D (a_i.w - t), or D a_k.w of a free row; the row is then in v. */
perc_status simplex_exactly(struct simplex *x, uint64_t i, struct whole_vector *v, perc_error *err);

#endif
