/* margin.c -- the perceptron with margins.
 *
 * A row is left alone only when it is right by more than a little:
 *
 *     y_i s_i <= tau_i   =>   w += eta c_i y_i x_i,   b += eta c_i y_i,
 *     tau_i = M eta |x'_i|^2,   x' = (x, 1) with an offset                     (1)
 *
 * Why tau is measured so: an update by row i moves y_i s_i by eta |x'_i|^2, so M
 * counts updates: a row must be right by more than M of its own. A fixed tau would
 * mean nothing without the scale of the data; (1) does not change when all
 * features, or the rate, are multiplied by a number, and it needs no number that
 * is known only at the end of the data, such as R = max |x'_i|. M = 0 is the
 * perceptron.
 *
 * Guarantee, with all c_i = 1, a constant rate and a zero start, where u and gamma
 * are as in perceptron.c. At an update |w|^2 grows by at most
 * 2 eta tau_i + eta^2 |x'_i|^2 <= (1 + 2 M) eta^2 R^2, and u.w by at least
 * eta gamma. Hence
 *
 *     updates <= (1 + 2 M) R^2 / gamma^2,
 *
 * and when it has settled on rows of equal size R the margin reached is at least
 * gamma M / (1 + 2 M): close to half the best for large M.
 *
 * Cost     that of the perceptron, plus |x_i|^2 for rows near the boundary.
 * Krauth, Mezard, J. Phys. A 20, 1987; Li, Zaragoza, Herbrich, Shawe-Taylor,
 * Kandola, ICML 2002 (uneven margins). */
#include "learn/learner.h"
#include "learn/parameters.h"

static double margin_reach(const struct learner *l, double size2)
{
    return l->margin * learner_rate(l) * size2;
}

static double margin_step(const struct learner *l, const struct row *x, double margin,
                          double weight)
{
    return margin > 0 && margin > margin_reach(l, machine_size2(l->machine, x))
               ? 0
               : learner_rate(l) * weight;
}

static const perc_param parameters[] = {
    PARAMETERS_MARGIN,     PARAMETERS_RATE,   PARAMETERS_DECAY,
    PARAMETERS_ARITHMETIC, PARAMETERS_KERNEL, PARAMETERS_COMMON
};

const struct rule rule_margin = {
    .table = { "margin", "learner", "update on mistakes and on rows that are barely right",
               PARAMETERS(parameters) },
    .about = { .title = "perceptron with margins",
               .family = "rule",
               .page = "margin",
               .step = "η, when m ≤ Mη‖x'‖²",
               .guarantee = "at most (1 + 2M)(R/γ')² updates; margin γ' M/(1 + 2M) for rows of "
                            "equal size",
               .use = "a boundary away from the points is wanted",
               .cost = { "1", "1", "1" },
               .online = 1 },
    .flags = RULE_SIZE | RULE_SCALES,
    .keep = KEEP_LAST,
    .step = margin_step,
    .reach = margin_reach,
    .check = kernel_check,
};
