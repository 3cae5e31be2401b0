/* exact_system.h -- rank, independent rows and solutions of systems in whole numbers.
 *
 * Of m rows of a problem (whole.h), a matrix with `dims` columns. Rank and pivots are
 * those modulo a prime of some 60 bits: independent modulo p is independent; dependent
 * modulo p nearly always is dependent, and whoever relies on it checks it. Solutions
 * are p-adic (Dixon 1982), by FLINT, and are checked in whole numbers before they are
 * returned. Functions that take a const basis may run on several threads at once. */
#ifndef PERC_EXACT_SYSTEM_H
#define PERC_EXACT_SYSTEM_H

#include "solve/whole.h"

/* Rows that are independent, in the order in which they were offered, and a column for
 * each such that the square matrix of these is regular. Grows row by row. */
struct exact_basis {
    struct env e;
    const struct whole *p;
    size_t rank;
    uint64_t *row, *column; /* rank: numbers of rows, pivot columns */
    /* The rest is for exact_basis.c. */
    uint32_t *pivot;             /* the place of the pivot column */
    struct echelon_row *echelon; /* the E_k */
    size_t cap_row, cap_column, cap_pivot, cap_echelon;
    /* Columns in use have places, in the order in which they came into use. */
    uint32_t *place; /* p->dims: place + 1; 0: not in use */
    uint64_t *used;  /* the column of each place */
    uint64_t *work;  /* the row being reduced, 0 between calls */
    uint64_t *probe; /* z, of each place */
    size_t places, cap_used, cap_work, cap_probe;
    bool probing; /* z is that of the rank rows */
    struct whole_vector v;
};

perc_status exact_basis_new(const struct whole *p, struct exact_basis **out, perc_error *err);
void exact_basis_free(struct exact_basis *b); /* NULL is fine */
/* Offers row i. *joined: it does not depend on those before it (modulo p), and is the
 * next one. A row that depends on them is not kept. */
perc_status exact_basis_offer(struct exact_basis *b, uint64_t i, bool *joined, perc_error *err);

/* Which rows are in the span of the basis (modulo p): in[m] is 1 or 0 for row m < n. Costs no more
 * than reading the rows, on p->e.threads threads: a product with a random vector orthogonal to the
 * basis. A row outside the span passes for one inside with a chance of about 2^-62. PERC_ENOMEM. */
perc_status exact_basis_spans(struct exact_basis *b, uint64_t n, unsigned char *in,
                              perc_error *err);

/* Whole numbers x_k and d > 0 with  sum_k x_k a_(rows k) = d * target,  if there are any: *found.
 * The vectors are those of whole_row, without their powers of ten. `target` has dims numbers; x has
 * room for rank numbers. Checked on every column. The system is solved on the pivot columns; *found
 * is false if another column does not fit: then the target is not in the span of the rows.
 * PERC_ENOMEM also if the numbers would be too long from the start. */
perc_status exact_combine(const struct exact_basis *b, const mpz_t *target, mpz_t *x, mpz_t d,
                          bool *found, perc_error *err);

/* How long exact_combine or exact_complete will take, roughly: they cannot be interrupted. */
perc_status exact_seconds(const struct exact_basis *b, double *seconds, perc_error *err);

/* Whole numbers w, and d > 0, with a_(rows k).w = 0 for all k, and w_j = d * given_j for every
 * column j that is not a pivot column. `given` has dims numbers; those of pivot columns are not
 * looked at. w has room for dims. Checked on every row of the basis. */
perc_status exact_complete(const struct exact_basis *b, const mpz_t *given, mpz_t *w, mpz_t d,
                           perc_error *err);

#endif
