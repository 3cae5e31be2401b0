/* arow.c -- adaptive regularisation of weight vectors: a margin, and a variance for every weight.
 *
 * Each weight w_j has a variance S_j, 1 at first, which says how unsure it is. A row that is right
 * by less than 1, m = y (w.x + b) < 1, moves the unsure weights far and the others little, and
 * makes those that it has moved surer:
 *
 *     v = sum_j S_j x'_j^2,   beta = 1 / (v + rho / c),   alpha = (1 - m) beta              (1)
 *     w_j += alpha y S_j x'_j,   S_j -= beta (S_j x'_j)^2                                   (2)
 *
 * where x' = (x, 1) with an offset, whose weight is b, and c is the weight of the example. With the
 * variances fixed, (1) is the step of pa2 for C = c / (2 rho) in the norm sum_j w_j^2 / S_j: a
 * weight c multiplies the price of the loss. After an update the row's own loss is (1 - m) times
 * (rho / c) / (v + rho / c). A row with x' = 0 cannot be learned from.
 *
 * Several classes: each has a w and an S of its own. Native, with the rival r: m is the whole gap
 * s_true - s_r, v = sum_j (S_true,j + S_r,j) x'_j^2, and both move, the rival by -alpha. So two
 * native classes are w and -w, but not those of the machine with one vector. Against the rest, each
 * class by itself.
 *
 * Guarantee: with the whole covariance matrix in the place of S there is a bound on the mistakes
 * like that of the second-order perceptron, for rows that need not be separable
 * (docs/algorithms/arow.md). With its diagonal none is known.
 *
 * What is returned is the last weights: as variances shrink so do steps, which is half of what
 * averaging is for. The mean is averaged --rule arow.
 *
 * Symbols  rho = parameter "rho"   S = the diagonal (machine_diagonal.h)
 * Cost     that of the perceptron, a walk along the row for v of rows with m < 1, and 2 numbers a
 *          column.
 * Crammer, Kulesza, Dredze, NIPS 2009; Machine Learning 91, 2013. */
#include "learn/learner.h"
#include "learn/parameters.h"
#include "machine/machine_diagonal.h"

static double decide_step(struct diagonal *d, const struct lesson *l)
{
    const struct linear *s = &d->a;
    const size_t up = linear_at(s, l->up);
    const size_t down = l->down != NO_VECTOR ? linear_at(s, l->down) : up;
    const double m = l->native ? 2 * l->margin : l->margin; /* which is half the gap */
    double v = 0; /* variance of the score of `up`; native, of its lead on `down` or its mirror */

    if (!(m < 1)) return 0;
    for (size_t k = 0; k < l->x->n; k++) {
        const uint64_t at = row_column(l->x, k) * s->stride;
        const double value = row_value(l->x, k);
        v += (s->w[at + up] + (l->native ? s->w[at + down] : 0)) * value * value;
    }
    if (s->offset) v += s->b[up] + (l->native ? s->b[down] : 0);
    d->memo = 1 / (v + d->number / l->weight);
    return v > 0 ? (1 - m) * d->memo : 0;
}

/* (2) for one variance; returns S x'. Rounding must not make a variance negative. */
static double shrink_variance(double *s, double value, double beta)
{
    const double t = *s * value, less = beta * (t * t);

    *s = less < *s ? *s - less : 0;
    return t;
}

/* Moves vector c, and what averaging sums up (averaged.c). */
static void move_vector(struct diagonal *d, const struct update *u, size_t vector, double step)
{
    struct linear *w = d->w, *s = &d->a, *sum = d->sum;
    const double before = (double)u->shown * step;
    const size_t c = linear_at(w, vector);

    for (size_t k = 0; k < u->x->n; k++) {
        const uint64_t at = row_column(u->x, k) * w->stride + c;
        const double t = shrink_variance(&s->w[at], row_value(u->x, k), d->memo);
        w->w[at] += step * t;
        if (sum != NULL) sum->w[at] += before * t;
    }
    if (w->offset) {
        const double t = shrink_variance(&s->b[c], 1, d->memo);
        w->b[c] += step * t;
        if (sum != NULL) sum->b[c] += before * t;
    }
}

static void move_vectors(struct diagonal *d, const struct update *u)
{
    move_vector(d, u, u->up, u->step);
    if (u->down != NO_VECTOR) move_vector(d, u, u->down, 0 - u->step);
}

static double arow_reach(const struct learner *l, double size2)
{
    (void)l, (void)size2;
    return 1;
}

/* Variances only shrink. */
static bool vectors_hold(const struct diagonal *d, const struct update *u)
{
    return machine_vectors_hold(d->w, d->sum, &d->a, u);
}

static const struct diagonal_form form = { "rho",        1,           1, NULL, decide_step,
                                           move_vectors, vectors_hold };

static const perc_param parameters[] = { PARAMETERS_RHO, PARAMETERS_COMMON };

const struct rule rule_arow = {
    .table = { "arow", "learner",
               "a margin, and a variance for every weight: rare features move further",
               PARAMETERS(parameters) },
    .about = { .title = "AROW",
               .family = "rule",
               .page = "arow",
               .step = "(1 − m)/(Σ S x'² + ρ) times its variance S, when m < 1",
               .guarantee = "the loss of the row times ρ/(Σ S x'² + ρ); with the whole matrix, a "
                            "bound on the mistakes",
               .use = "one pass over sparse data with many rare features, and nothing is to be "
                      "tuned",
               .cost = { "2", "1", "2" },
               .online = 1 },
    .keep = KEEP_LAST,
    .reach = arow_reach,
    .machine = &machine_diagonal_linear,
    .form = &form,
};
