/* newton.h -- Newton's method for a sum of smooth convex losses; see newton.c.
 *
 *     minimise  P(w') = |w'|^2 / 2 + sum loss_i(m_i)
 *
 * m_i = y_i w'.x'_i is the margin of row i. A problem of several classes at once has `width`
 * scores a row in place of one margin, and as many numbers a column (vec/row_many.h); then there
 * are no signs, and m, q, a and u below have n * width numbers.
 *
 * A loss says what its derivatives are, and what bounds P from below. */
#ifndef PERC_NEWTON_H
#define PERC_NEWTON_H

#include "solve/walk.h"

struct newton;

struct newton_sums { /* over the rows; sides: those with y = -1 first, y = +1 second */
    double loss;     /* sum loss_i */
    double a[2];     /* sum a_i */
    double q[2];     /* what else the loss wants to know */
    uint64_t supports;
};

struct newton_slope {
    double first, second;
};

struct newton_loss {
    /* Of a slice: from m, a_i = -loss_i'(m_i), u_i = loss_i''(m_i) and the sums. */
    struct newton_sums (*evaluate)(struct newton *s, uint64_t slice);
    /* The first two derivatives of the sum of losses at m + t q, by t. Both ask walk_goes_on where
     * a slice may be long; what they give after a no is not used. */
    struct newton_slope (*slope)(struct newton *s, double t, uint64_t slice);
    /* Sets g, the gradient; a number that P cannot be below. s->primal is P(w'). */
    double (*dual)(struct newton *s, const struct newton_sums *sum);
};

struct newton_options {
    const struct newton_loss *loss;
    double c;         /* C of the loss: larger on a sample */
    bool free_offset; /* the norm leaves it out */
    bool square_gap;  /* P - D is |g|^2 / 2 */
    bool no_norm;     /* nor is anything else in it: w' may be any, and P is the losses alone */
    size_t width, classes; /* 0, or scores a row and how many of them are used */
    size_t exact;          /* columns up to which H is a matrix; 0: never */
    double gap;
    int64_t passes;
    uint64_t seed;
    const struct watch *watch;
};

struct newton_result {
    double primal, dual;
    int64_t steps;
    uint64_t supports;
    bool solved;
};

struct newton {
    struct walk k;
    const struct newton_options *o;
    double c;       /* C; larger on a sample */
    int64_t limit;  /* steps */
    bool rough;     /* a sample: its steps are not counted */
    size_t n, d;    /* margins, numbers of w' */
    size_t charged; /* of w', those in the norm */
    double *memory; /* all arrays below */
    size_t room;
    double *w, *g, *s;    /* d: w', the gradient, the step */
    double *v;            /* d: sum a_i y_i x'_i; free offset: of the rows with y = +1 */
    double *m, *q;        /* n: margins of w', of the step */
    double *a, *u;        /* n */
    double *h, *l, *in_h; /* size x size; n: the u_i that are in h; h == NULL: by CG */
    double *scratch;      /* for walk_gram */
    size_t size;
    double *r, *z, *t, *ht, *diagonal; /* d: conjugate gradients */
    double primal, dual;               /* of w'; the best bound so far */
    double steepest;                   /* |g|^2 at the start */
    uint64_t supports;
    int64_t steps;
    bool stopped; /* by the watch */
};

/* w: walk_numbers() of them, where to start, and then the solution. The result is the same to the
 * bit for any number of threads. PERC_ENOMEM. */
perc_status newton_solve(const struct problem *p, uint32_t positive, const struct newton_options *o,
                         double *w, struct newton_result *out, perc_error *err);

/* For losses: g = w' - v where the norm has w'; the step s of H s = -g, by the matrix, and its
 * margins q. */
void newton_gradient(struct newton *s);
void newton_step(struct newton *s);

#endif
