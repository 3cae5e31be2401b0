/* settle.h -- the parts of settle: one problem of two classes.
 *
 * part.c      some of the rows as a problem of their own
 * centre.c    the rows in better coordinates, for solvers that round
 * equal.c     rows that are equal and have opposite labels
 * guess.c     a plane by the perceptron; planes in doubles as planes in whole numbers
 * peel.c      columns of one sign, and planes made of several levels
 * witness.c   rows and weights from what solvers with rounding say
 * face.c      which rows are on every plane: S and C, with doubles, then exactly
 * rounds.c    the same by the exact simplex method alone
 *
 * Everything a solver says is a proposal. job_try_plane and job_try_no check it in whole
 * numbers, and nothing else writes the verdict. */
#ifndef PERC_SETTLE_H
#define PERC_SETTLE_H

#include "prove/prove.h"
#include "solve/exact_system.h"
#include "solve/hard.h"

/* For tests: what not to try. */
struct settle_tune {
    bool no_equal, no_guess, no_peel, no_float; /* no_float: the exact simplex method alone */
    bool no_coarse;                             /* 32 digits at once */
    bool no_face;                               /* S and C by the exact simplex method */
};

perc_status settle_tuned(const struct whole *p, const struct problem *f,
                         const struct settle_options *o, const struct settle_tune *tune,
                         struct answer *out, perc_error *err);

struct job {
    const struct whole *p;
    const struct problem *f;
    const struct settle_options *o;
    const struct settle_tune *tune;
    struct answer *a;
    struct watch watch; /* the caller's, and the clock */
    bool done;
};

bool job_goes_on(const struct job *j);
/* Not a single row errs and not one is on the plane: separable. Takes over what w holds (by
 * mpz_swap) if it is so. *good: it was. A proposal refused is counted. */
perc_status job_try_plane(struct job *j, mpz_t *w, const char *method, bool *good, perc_error *err);
/* The weights x_k > 0 of the vectors of whole_row (without powers of ten) of some rows; those
 * that are 0 do not count. No row may be left out of the others: they have no other weights
 * that add up to 0, so that their rank is one less than their number. */
perc_status job_try_no(struct job *j, size_t n, const uint64_t *row, const mpz_t *x,
                       const char *method, bool *good, perc_error *err);

/* ----- part.c ----------------------------------------------------------------------------- */

struct part_of {
    struct whole p;
    struct problem f;
    uint64_t *number; /* p.n: the numbers of the rows in the problem it is part of */
    uint64_t *row, *ref;
    signed char *sign;
    uint32_t *class;
};

/* The rows i with keep[i]. */
perc_status part_new(struct part_of *t, const struct whole *p, const struct problem *f,
                     const unsigned char *keep, perc_error *err);
void part_free(struct part_of *t); /* safe on a zeroed one */

/* ----- centre.c --------------------------------------------------------------------------- */

/* The rows in better coordinates, or as they are. Of the same classes. */
struct centred {
    struct problem f;     /* what solvers are to solve; it is in place: not to be copied */
    bool any;             /* it is not the problem as it was */
    double *mean, *scale; /* f.dims */
    struct block block;
    double *value;
    uint64_t *ref;
};

perc_status centre_new(struct centred *t, const struct problem *f, perc_error *err);
void centre_free(struct centred *t); /* safe on a zeroed one */
/* A plane of t->f, with the offset last, becomes one of the rows as they were. */
void centre_back(const struct centred *t, double *w);

/* ----- equal.c ---------------------------------------------------------------------------- */

/* The first pair of rows that are equal but for their labels, or a row that is 0: a witness
 * of *n = 2 or 1 rows; 0: there is none. */
perc_status equal_find(const struct job *j, uint64_t row[2], size_t *n, perc_error *err);

/* ----- guess.c ---------------------------------------------------------------------------- */

/* Passes of the perceptron; *found: one without a mistake, by doubles. w: dims. */
perc_status guess_plane(struct job *j, double *w, bool *found, perc_error *err);
/* w with few digits, then with more, until the check agrees. */
perc_status guess_try(struct job *j, const double *w, const char *method, bool *good,
                      perc_error *err);
/* out_j = w_j in units of the largest |w_j| / steps, rounded; steps at most 2^60. */
void guess_round(const double *w, uint64_t dims, double steps, mpz_t *out);
/* Likewise with 2^bits steps, not rounded to less than a double has. */
void guess_whole(const double *w, uint64_t dims, unsigned bits, mpz_t *out);

/* ----- peel.c ----------------------------------------------------------------------------- */

/* Planes u_1, u_2, ...: u_l has the rows of level l strictly on their side, those of later
 * levels, and of none (0), on it. */
struct levels {
    struct env e;
    uint64_t n, dims;
    uint32_t *level; /* n */
    size_t count;
    double **plane; /* count: dims numbers each */
    size_t cap;
    uint64_t left; /* rows of no level */
};

perc_status levels_init(struct levels *l, const struct job *j, perc_error *err);
void levels_free(struct levels *l);
/* A zeroed plane for the next level. NULL: memory is out. */
double *levels_next(struct levels *l);
perc_status peel(struct job *j, struct levels *l, perc_error *err);
/* w += M_1 u_1 + M_2 u_2 + ..., with M_l so large that the rows of level l are strictly on
 * their side whatever comes after it. w: dims, a plane for the rows of no level. */
void levels_join(const struct job *j, const struct levels *l, double *w);

/* ----- witness.c -------------------------------------------------------------------------- */

/* *time: there is time to solve a system with these rows, or no limit. */
perc_status job_has_time(const struct job *j, const struct exact_basis *b, bool *time,
                         perc_error *err);
/* A plain no from rows with the positive weights lambda, that a solver says add up to 0. The
 * rows are numbers in j->p. */
perc_status witness_try(struct job *j, const struct hard_corral *c, const char *method, bool *good,
                        perc_error *err);
/* Positive weights for all rows of C, those with c[i], whose sum is 0: one weight for those
 * that are not listed, and what makes up for it on the basis b of C. The list is the basis,
 * or, where `row` is not NULL, the n rows of it, which have the basis among them, and
 * sum value_k v_k = 0 with value_k > 0 (v_k of whole_row): as much of that is added as it
 * takes. a->all is it, if it is right: *good. */
perc_status witness_all(struct job *j, const struct exact_basis *b, const unsigned char *c,
                        size_t n, const uint64_t *row, const mpz_t *value, bool *good,
                        perc_error *err);

/* ----- face.c, rounds.c ------------------------------------------------------------------- */

/* S and C, with doubles. l: levels found by peeling. j->done where it worked. */
perc_status face(struct job *j, struct levels *l, perc_error *err);
/* The answer, whatever the numbers are like. `start`: rows that may matter. */
perc_status rounds(struct job *j, size_t starts, const uint64_t *start, perc_error *err);

#endif
