/* job.h -- one problem of two classes while it is being decided, and the stages of deciding.
 *
 * decide.c            which stage comes when
 * job.c               the check of what the stages propose
 * equal.c             rows that are equal and have opposite labels
 * levels.c            columns of one sign, and planes made of several levels
 * subproblem.c        some of the rows as a problem of their own
 * precondition.c      the rows in better coordinates, for solvers that round
 * round_plane.c       planes in doubles as planes in whole numbers
 * witness.c           rows and weights from what solvers with rounding say
 * facial_reduction.c  which rows are on every plane: S and C, with doubles, then exactly
 * exact_rounds.c      the same by the exact simplex method alone
 *
 * Everything a stage says is a proposal. The functions job_* check it in whole numbers, and
 * nothing else writes the verdict. */
#ifndef PERC_JOB_H
#define PERC_JOB_H

#include "base/pool.h"
#include "prove/separation.h"
#include "solve/exact_system.h"
#include "solve/hard.h"

struct job_options {
    bool quick;                /* yes or no is enough */
    double until;              /* by clock_seconds(); 0: no limit */
    const struct watch *watch; /* asked now and then; false: stop, undecided */
};

/* For tests: what not to try. */
struct job_tune {
    bool no_equal, no_guess, no_peel, no_float; /* no_float: the exact simplex method alone */
    bool no_coarse;                             /* 32 digits at once */
    bool no_face;                               /* S and C by the exact simplex method */
};

struct job {
    const struct whole *exact;
    const struct problem *floats;
    const struct job_options *o;
    const struct job_tune *tune;
    struct separation *found;
    struct watch watch; /* the caller's, and the clock */
    bool done;
};

/* ----- decide.c --------------------------------------------------------------------------- */

/* Can a plane separate the two classes? The three-way answer, or with `quick` PERC_SEPARABLE or
 * PERC_INSEPARABLE; PERC_UNDECIDED where a limit came first. Every other verdict was checked in
 * whole numbers. */
perc_status decide(const struct whole *exact, const struct problem *floats,
                   const struct job_options *o, struct separation *out, perc_error *err);
perc_status decide_tuned(const struct whole *exact, const struct problem *floats,
                         const struct job_options *o, const struct job_tune *tune,
                         struct separation *out, perc_error *err);

/* ----- job.c ------------------------------------------------------------------------------ */

bool job_goes_on(const struct job *j);
/* *time: there is time to solve a system with these rows, or no limit. */
perc_status job_has_time(const struct job *j, const struct exact_basis *b, bool *time,
                         perc_error *err);
/* Whether the rows with on[i] are on the plane and all others strictly on their side; on NULL:
 * all rows are strictly on theirs. */
perc_status job_check_plane(struct job *j, const mpz_t *w, const unsigned char *on, bool *good,
                            perc_error *err);
/* Separable, if no row errs and none is on the plane: *good. The numbers of w are then moved
 * out of it (by mpz_swap). A refused proposal is counted. */
perc_status job_try_plane(struct job *j, mpz_t *w, const char *method, bool *good, perc_error *err);
/* Not separable, if the vectors of whole_row (without powers of ten) of these rows, times x,
 * add up to 0: *good. Weights of 0 are left out, all others are positive. The rows must be
 * minimally dependent: rank = count - 1. */
perc_status job_try_no(struct job *j, size_t n, const uint64_t *row, const mpz_t *x,
                       const char *method, bool *good, perc_error *err);
/* Touching or overlapping: C is the rows with on[i], of this rank. w was checked, NULL where
 * there is none; its numbers are moved out of it. */
perc_status job_conclude(struct job *j, const unsigned char *on, uint64_t rank, mpz_t *w,
                         perc_error *err);

/* ----- subproblem.c ----------------------------------------------------------------------- */

struct subproblem {
    struct whole exact;
    struct problem floats;
    uint64_t *number; /* exact.n: the numbers of the rows in the problem of the job */
    struct pool pool;
};

/* The rows i with wanted[i]; `pool` owns its arrays. */
perc_status subproblem_new(struct subproblem *t, const struct job *j, const unsigned char *wanted,
                           perc_error *err);

/* ----- precondition.c --------------------------------------------------------------------- */

/* The rows in better coordinates, or as they are, with the same classes. */
struct preconditioned {
    struct problem floats; /* for the solvers; points into this struct: not to be copied */
    bool any;              /* it differs from the original problem */
    double *mean, *scale;  /* floats.dims */
    struct block block;
    struct pool pool; /* for pool_free, even on failure */
};

perc_status precondition_new(struct preconditioned *t, const struct problem *floats,
                             perc_error *err);
/* A plane of t->floats, with the offset last, becomes one of the original rows. */
void precondition_undo(const struct preconditioned *t, double *w);

/* ----- equal.c ---------------------------------------------------------------------------- */

/* The first pair of rows that are equal except for their labels, or a row that is 0: a witness
 * of *n = 2 or 1 rows; 0: there is none. */
perc_status equal_find(const struct job *j, uint64_t row[2], size_t *n, perc_error *err);

/* ----- round_plane.c ---------------------------------------------------------------------- */

/* Tries w with few digits, then with more, until the check accepts it. */
perc_status round_plane_try(struct job *j, const double *w, const char *method, bool *good,
                            perc_error *err);
/* out_j = w_j in units of the largest |w_j| / steps, rounded; steps at most 2^60. */
void round_plane_steps(const double *w, uint64_t dims, double steps, mpz_t *out);
/* Likewise with 2^bits steps, never rounded below the precision of a double. */
void round_plane_bits(const double *w, uint64_t dims, unsigned bits, mpz_t *out);

/* ----- levels.c --------------------------------------------------------------------------- */

/* Planes u_1, u_2, ...: u_l has the rows of level l strictly on their side, those of later
 * levels, and of none (0), on it. */
struct levels {
    struct env e;
    uint64_t n, dims;
    uint32_t *level; /* n */
    size_t count, cap;
    double *plane; /* count of dims numbers, one after the other */
    uint64_t left; /* rows of no level */
};

perc_status levels_init(struct levels *l, const struct job *j, perc_error *err);
void levels_free(struct levels *l);
/* A zeroed plane for the next level; valid until the next call. NULL: out of memory. */
double *levels_next(struct levels *l);
/* Peels off columns of one sign, level by level. */
perc_status levels_peel(struct job *j, struct levels *l, perc_error *err);
/* w += M_1 u_1 + M_2 u_2 + ..., with M_l so large that the rows of level l are strictly on
 * their side whatever comes after it. w: dims, a plane for the rows of no level. */
void levels_join(const struct job *j, const struct levels *l, double *w);

/* ----- witness.c -------------------------------------------------------------------------- */

/* A plain no from rows with positive weights lambda whose sum, a solver says, is 0. The rows
 * are numbers in j->exact. */
perc_status witness_try(struct job *j, const struct hard_corral *c, const char *method, bool *good,
                        perc_error *err);
/* Positive weights for all rows of C, those with c[i], that sum to 0: one weight for the rows
 * that are not listed, and what balances it on the basis b of C. The list is the basis or, if
 * `row` is not NULL, its n rows, the basis among them, with sum value_k v_k = 0, value_k > 0
 * (v_k of whole_row): as much of that sum is added as is needed. The result goes to
 * found->all, if it is right: *good. */
perc_status witness_all(struct job *j, const struct exact_basis *b, const unsigned char *c,
                        size_t n, const uint64_t *row, const mpz_t *value, bool *good,
                        perc_error *err);

/* ----- facial_reduction.c, exact_rounds.c ------------------------------------------------- */

/* S and C, with doubles. l: levels found by peeling. j->done where it worked. */
perc_status facial_reduction(struct job *j, struct levels *l, perc_error *err);
/* The answer, whatever the numbers are like. `start`: rows that may matter. */
perc_status exact_rounds(struct job *j, size_t starts, const uint64_t *start, perc_error *err);

#endif
