/* expansion.h -- a kernel machine: what every update has added, summed.
 *
 *     s_c(x) = (((0 + g_1 K(x_1, x)) + g_2 K(x_2, x)) + ...) + b_c
 *
 * over the updates k that concern vector c, in the order in which they were made, each
 * operation rounded; g_k = step where c is `up`, -step where it is `down`. The updates are
 * kept as votes.h has them, for every rule: a row that erred a_i times is there once, and
 * a_i is the number of updates that name it. So all machines that training went through
 * are there, and what is returned is a matter of which updates count and for how much:
 *
 *     the last         all of them
 *     the average      update k counts (T - at_k + 1) / T: for as long as it stood
 *     the pocket's     the first `updates`
 *     the votes        each machine by itself
 *
 * The order is the reference's: a fast path that adds up in it has the same bits. */
#ifndef PERC_EXPANSION_H
#define PERC_EXPANSION_H

#include "kernel/gram.h"
#include "machine/machine.h"
#include "machine/votes.h"

struct expansion {
    struct env e;
    struct kernel kernel;
    uint64_t dims; /* 1 + the largest column met */
    double *norm2; /* kernel_norm2 of the first `norms` rows of the votes */
    size_t norms, norms_cap;
    struct spread_out spread; /* scratch */
    double *value;            /* scratch: K(row i of the votes, x) */
    size_t value_cap;
};

perc_status expansion_new(const struct env *e, const struct kernel *k, struct expansion **out);
void expansion_free(struct expansion *x); /* NULL is fine */

/* What update k counts for in machine m. */
static inline double moment_step(const struct moment *m, const struct vote *one)
{
    if (m->mean == 0) return one->step;
    return (double)(m->mean - one->at + 1) * one->step / (double)m->mean;
}

/* Norms of all rows of v, and room for their values. PERC_ENOMEM. */
perc_status expansion_follow(struct expansion *x, const struct votes *v);

/* s[c] for c < vectors, without offsets; votes of other vectors have no say. The plain
 * reference: one row, one kernel value after the other. Not const: it uses scratch.
 * PERC_ENOMEM. */
perc_status expansion_scores(struct expansion *x, const struct votes *v, const struct row *r,
                             const struct moment *m, size_t vectors, double *s);

/* ----- what the machine is made of ---------------------------------------------------- */

/* By distinct row i of the votes: coefficient[i * vectors + c], the sum of what the updates of
 * moment m add to vector c, in order; counter[i], the updates that name it, except those of
 * examples that were set aside and of vectors that are not outputs. */
void expansion_coefficients(const struct votes *v, const struct moment *m, size_t vectors,
                            double *coefficient, int64_t *counter);

/* In a file, for other programs:
 *
 *     coefficient  F64 [rows, vectors]  or [rows], `flat`
 *     counter      I64 [rows]
 */
/* Adds both to t; v is in order (votes_in_order). PERC_ENOMEM. */
perc_status expansion_pack(const struct votes *v, const struct moment *m, size_t vectors, bool flat,
                           struct tensors *t);
/* Whether those in a file agree with its votes: PERC_EDATA with a text that names the array and the
 * place; PERC_ENOMEM. */
perc_status expansion_compare(const struct votes *v, const struct moment *m, size_t vectors,
                              bool flat, const struct tensors *t, perc_error *err);

#endif
