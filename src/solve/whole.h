/* whole.h -- rows as vectors of whole numbers, for solvers that do not round.
 *
 *     a_i = y_i (x_i, 1)  with an offset,  y_i x_i  without;  column dims - 1 is the 1
 *
 * Times a power of ten that makes all its numbers whole, a row is a vector of whole
 * numbers. Multiples by positive numbers do not change on which side of a
 * plane a row is; where sums of rows matter, `exponent` says which power it was. */
#ifndef PERC_WHOLE_H
#define PERC_WHOLE_H

#include <gmp.h>

#include "data/exact.h"
#include "solve/problem.h"

/* A problem in whole numbers: some rows of a data set, each with its side. */
struct whole {
    struct env e; /* e.threads: as many as may be used */
    const perc_dataset *ds;
    bool offset;
    uint64_t dims;           /* ds->columns, and 1 with an offset */
    uint64_t n;              /* rows that count */
    const uint64_t *row;     /* n: their numbers in ds, rising */
    const signed char *sign; /* n: y_i, +1 or -1 */
};

/* One a_i; reused for the next. */
struct whole_vector {
    struct exact_lens lens;
    size_t n;         /* entries, none 0 */
    uint64_t *column; /* rising */
    int64_t *small;   /* the numbers, where all of them fit: `fits` */
    bool fits;
    mpz_t *value;                                   /* the numbers, where they do not */
    size_t cap_column, cap_small, cap_value, ready; /* ready: mpz_t initialised */
    int64_t exponent;                               /* a_i = 10^exponent times the vector */
};

void whole_vector_init(struct whole_vector *v, const struct env *e);
void whole_vector_free(struct whole_vector *v); /* safe on a zeroed one */

/* Numbers of more digits than this are refused, because GMP cannot say that it is out of memory. */
enum { WHOLE_DIGITS = EXACT_SPAN };

/* a_i of row i < n of the problem. PERC_ENOMEM; PERC_EDATA names a row whose numbers span
 * more than WHOLE_DIGITS digits. */
perc_status whole_row(const struct whole *p, uint64_t i, struct whole_vector *v, perc_error *err);

/* Entry k, whichever way it is kept: x = value. */
static inline void whole_get(const struct whole_vector *v, size_t k, mpz_t x)
{
    if (v->fits) mpz_set_si(x, v->small[k]);
    else mpz_set(x, v->value[k]);
}

/* The same rows in the same order in doubles, for solvers that round; class[i] is 1 where sign[i]
 * is +1, else 0. It owns ref and class; whole_floats_free is safe after any failure.
 * PERC_ENOMEM. */
perc_status whole_floats(const struct whole *p, struct problem *floats, perc_error *err);
void whole_floats_free(struct problem *floats);

/* sum += f * a_i. `sum` has dims numbers. The vector as it is, without its power of ten. */
void whole_add(const struct whole_vector *v, const mpz_t f, mpz_t *sum);
/* x = a_i.w */
void whole_dot(const struct whole_vector *v, const mpz_t *w, mpz_t x);

/* Arrays of numbers. NULL: out of memory. */
mpz_t *whole_numbers(const struct env *e, size_t n);
void whole_numbers_free(const struct env *e, mpz_t *x, size_t n); /* NULL is fine */
/* Divides them by their greatest common divisor. */
void whole_reduce(mpz_t *x, size_t n);

#endif
