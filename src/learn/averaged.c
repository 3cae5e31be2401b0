/* averaged.c -- the averaged perceptron.
 *
 * Of the weights w_1, ..., w_T that training goes through, w_t those after example
 * t, over every example of every pass, the mean is returned:
 *
 *     a = (1 / T) sum_t w_t                                                    (1)
 *
 * The last w owes much to the last rows; in (1) weights count for as long as they
 * stand, and those stand longest that err least. It is the cheap form of the vote
 * (voted.c) and, on data that no hyperplane separates, the one to use.
 *
 * Most w_t equal the one before, so (1) is not summed as it stands. With d_t the
 * step made at example t (0 for most), w_t = w_0 + d_1 + ... + d_t and
 *
 *     sum_t w_t = T w_T - u,   u = sum_t (t - 1) d_t                           (2)
 *
 * u is updated with w: twice the work at a mistake, none elsewhere. On whole
 * numbers (2) is exact, so that a is the correctly rounded (1).
 *
 * Convergence, mistakes and updates speak of w, not of a. The report gives the
 * training error of both.
 *
 * Cost     O(nonzeros) time a pass, 2 numbers a column (3 at the end).
 * Freund, Schapire, Machine Learning 37(3), 1999; Collins, EMNLP 2002. */
#include "learn/learner.h"
#include "learn/parameters.h"
#include "machine/shadow.h"

/* (t w - u) / n. A mean of finite numbers is finite, though t w may not be. */
static inline double mean_of(double t, double n, double w, double u)
{
    const double mean = (t * w - u) / n;

    if (isfinite(mean)) return mean;
    const double half = t / n * (w / 2) - u / n / 2;
    return half < -DBL_MAX / 2 ? -DBL_MAX : half > DBL_MAX / 2 ? DBL_MAX : 2 * half;
}

void averaged_vectors(const struct learner *l, struct linear *out)
{
    const struct linear *w = &l->machine->last, *u = &l->machine->sum;
    const double t = (double)decay_age(&l->decay, l->shown);
    const double n = decay_count(&l->decay, l->shown);

    if (l->shown == 0) {
        linear_assign(out, w);
        return;
    }
    if (l->shadow != NULL) {
        shadow_mean(l->shadow, l->shown, out);
        return;
    }
    for (uint64_t k = 0; k < w->dims * w->stride; k++) out->w[k] = mean_of(t, n, w->w[k], u->w[k]);
    for (size_t c = 0; c < w->stride; c++) out->b[c] = mean_of(t, n, w->b[c], u->b[c]);
    linear_number(out, w);
}

void averaged_scores(const struct learner *l, const struct row *x, double *out)
{
    const struct linear *w = &l->machine->last, *u = &l->machine->sum;
    const double t = (double)decay_age(&l->decay, l->shown);
    const double n = decay_count(&l->decay, l->shown);

    for (size_t vector = 0; vector < w->vectors; vector++) {
        const size_t c = linear_at(w, vector);
        double s = 0;
        for (size_t k = 0; k < x->n && row_column(x, k) < w->dims; k++) {
            const uint64_t at = row_column(x, k) * w->stride + c;
            s += (l->shown > 0 ? mean_of(t, n, w->w[at], u->w[at]) : w->w[at]) * row_value(x, k);
        }
        out[vector] = s + (l->shown > 0 ? mean_of(t, n, w->b[c], u->b[c]) : w->b[c]);
    }
}

static const perc_param parameters[] = {
    PARAMETERS_RULE(RULES_AVERAGED), PARAMETERS_RATE,   PARAMETERS_MARGIN,
    PARAMETERS_AGGRESSIVENESS,       PARAMETERS_RHO,    PARAMETERS_DECAY,
    PARAMETERS_ARITHMETIC,           PARAMETERS_KERNEL, PARAMETERS_COMMON
};

const struct rule rule_averaged = {
    .table = { "averaged", "learner",
               "the mean of all weights on the way: the one to use on real data",
               PARAMETERS(parameters) },
    .about = { .title = "averaged perceptron",
               .family = "keeper",
               .page = "averaged",
               .step = "as `--rule` does; returns the mean of all weights on the way",
               .guarantee = "that of the rule for its mistakes; convex losses of the mean at most "
                            "the mean of the losses",
               .use = "the data may not be separable and nothing is to be tuned",
               .cost = { "2", "1", "2" },
               .online = 1 },
    .keep = KEEP_AVERAGE,
    .check = kernel_check,
};
