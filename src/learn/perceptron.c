/* perceptron.c -- Rosenblatt's perceptron.
 *
 * Find w, b with y_i (w.x_i + b) > 0 for every row i, one mistake at a time:
 *
 *     y_i (w.x_i + b) <= 0   =>   w += eta c_i y_i x_i,   b += eta c_i y_i    (1)
 *
 * with c_i the weight of the example, 1 unless the data or --class-weight give
 * another.
 *
 * Guarantee (Novikoff 1962): from w = 0, b = 0, with all c_i = 1 and a constant
 * rate, if a unit vector u has y_i u.(x_i, 1) >= gamma for all i, there are at most
 * (R / gamma)^2 updates, R = max |(x_i, 1)|, whatever eta > 0. If no such u
 * exists, (1) never converges; the limit on passes stops it and the report says so,
 * which proves nothing about the data.
 *
 * From a zero start eta only scales (w, b): it changes neither the mistakes nor
 * the boundary, and is no part of the arithmetic (learner.h: units of the rate). It
 * matters when training starts elsewhere (--init), and is rounded in every step there
 * and when it falls with time (--schedule).
 *
 * Symbols  eta = parameter "rate"   x_i, y_i = the row and its label, -1 or +1
 * Cost     O(nonzeros) time a pass, O(columns) memory.
 * Not here: several classes (learner.c), averaging (averaged.c), best-so-far (pocket.c).
 * Rosenblatt, Psychological Review 65(6), 1958; Novikoff, Symp. Math. Theory of
 * Automata, 1962. */
#include "learn/learner.h"
#include "learn/parameters.h"

/* Written so that NaN is a mistake. */
static double perceptron_step(const struct learner *l, const struct row *x, double margin,
                              double weight)
{
    (void)x;
    return margin > 0 ? 0 : learner_rate(l) * weight;
}

static double perceptron_reach(const struct learner *l, double size2)
{
    (void)l, (void)size2;
    return 0;
}

static const perc_param parameters[] = { PARAMETERS_RATE, PARAMETERS_DECAY, PARAMETERS_ARITHMETIC,
                                         PARAMETERS_KERNEL, PARAMETERS_COMMON };

const struct rule rule_perceptron = {
    .table = { "perceptron", "learner",
               "Rosenblatt's rule: update on mistakes; settles on separable data",
               PARAMETERS(parameters) },
    .about = { .title = "perceptron",
               .family = "rule",
               .page = "perceptron",
               .step = "η, when m ≤ 0",
               .guarantee = "at most (R/γ')² updates on separable data",
               .use = "the data are separable, or for study",
               .cost = { "1", "1", "1" },
               .online = 1 },
    .flags = RULE_SIGN | RULE_SCALES,
    .keep = KEEP_LAST,
    .step = perceptron_step,
    .reach = perceptron_reach,
    .check = kernel_check,
};
