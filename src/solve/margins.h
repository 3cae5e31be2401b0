/* margins.h -- y_i w'.x'_i of every row of a problem, for solvers that go over all rows
 * to find the few that matter.
 *
 * Threads share a pass in slices that do not depend on their number: the same bits for
 * any number of them. */
#ifndef PERC_MARGINS_H
#define PERC_MARGINS_H

#include "solve/problem.h"
#include "solve/twofold.h"

struct margins {
    const struct problem *p;
    uint32_t positive;
    uint64_t dims;     /* of w': p->dims, and 1 for the offset */
    double *value;     /* n: of the last pass */
    struct lens *lens; /* one a thread; lens[0] is free between passes */
    int threads;
    size_t longest;        /* entries of a row */
    _Atomic uint64_t next; /* slice */
    void (*run)(struct margins *m, struct lens *lens, uint64_t from, uint64_t to);
    const double *w;
    const struct two *long_w;
    double bar;
    const struct watch *watch; /* NULL, as margins_open leaves it: passes are whole */
    _Atomic bool stopped;      /* by the watch: value[] is of no pass */
};

/* PERC_ENOMEM, PERC_EDATA (problem_lens). p has rows. margins_close is safe after both. */
perc_status margins_open(struct margins *m, const struct problem *p, uint32_t positive,
                         perc_error *err);
void margins_close(struct margins *m);

void margins_norms(struct margins *m);                  /* value[i] = |x'_i|^2 */
void margins_score(struct margins *m, const double *w); /* value[i] = y_i s_i, canonical */
/* Computes again, with 32 digits, those that are now below the bar. */
void margins_exact(struct margins *m, const struct two *w, double bar);

/* The error of value[i] after margins_score: a sum of n products is off by at most (n + 1) 2^-53
 * times the sum of their sizes (Higham 2002, section 4.2), which is at most |w'| R; twice that, and
 * a little. */
double margins_error(const struct margins *m, double norm, double radius);

uint64_t margins_least(const struct margins *m); /* the first row with the least value */

/* 2 max |x_i - x_0| / unit, without the offset: at least the largest difference of two rows, and at
 * most twice that. It may be far below R. `first` is scratch: p->dims numbers. */
double margins_spread(struct margins *m, double unit, double *first);

struct pick {
    double value;
    uint64_t row;
};

/* The rows with the least values below the bar, at most `most`, in order; those that are
 * `listed` do not count. Of rows with the same value, mostly copies of each other, only
 * the first. `to` has `most` elements; returns how many were found. */
size_t margins_worst(const struct margins *m, const bool *listed, double bar, size_t most,
                     struct pick *to);

#endif
