/* passive_aggressive.c -- passive when a row is right by 1, else just far enough.
 *
 * With the hinge loss max(0, 1 - m), m the margin of the row, the new weights are
 * those nearest to the old ones that
 *
 *   pa    have no loss on the row:   g = (1 - m) / |x'|^2                      (1)
 *   pa1   minimise |w - w_old|^2 / 2 + C loss:
 *                                    g = min(C c, (1 - m) / |x'|^2)            (2)
 *   pa2   minimise |w - w_old|^2 / 2 + C loss^2:
 *                                    g = (1 - m) / (|x'|^2 + 1 / (2 C c))      (3)
 *
 * where m < 1, and the step is w += g y x, b += g y. c is the weight of the
 * example; (1) is a demand without a price, so that only c = 0 means anything to
 * it. A row with |x'| = 0 cannot be learned from.
 *
 * An update is not a mistake: rows with 0 < m < 1 are right, and still move w.
 *
 * Guarantee (the paper's theorem 2, for pa): on rows that some u separates with
 * y_i u.x'_i >= 1, the sum of the squared losses is at most R^2 |u|^2; each mistake
 * has a loss of at least 1, so there are at most R^2 |u|^2 = R^2 / gamma^2 of them.
 *
 * Native multi-class: m is half the gap between the scores. The paper asks for a
 * gap of 1, this for a gap of 2: the same machine with its weights, and C, doubled.
 *
 * Cost     that of the perceptron, plus |x|^2 for each update.
 * Crammer, Dekel, Keshet, Shalev-Shwartz, Singer, JMLR 7, 2006. */
#include "learn/learner.h"
#include "learn/parameters.h"

/* (1 - m) / (|x'|^2 + slack), 0 where there is no loss; 1 in the numbers of the machine. */
static double hinge_step(const struct learner *l, const struct row *x, double margin, double slack)
{
    const double one = l->decay.growth;

    if (!(margin < one)) return 0;
    const double size2 = machine_size2(l->machine, x);
    return size2 > 0 ? (one - margin) / (size2 + slack) : 0;
}

static double pa_step(const struct learner *l, const struct row *x, double margin, double weight)
{
    (void)weight;
    return hinge_step(l, x, margin, 0);
}

static double pa1_step(const struct learner *l, const struct row *x, double margin, double weight)
{
    const double most = l->aggressiveness * weight * l->decay.growth,
                 g = hinge_step(l, x, margin, 0);

    return g < most ? g : most;
}

static double pa2_step(const struct learner *l, const struct row *x, double margin, double weight)
{
    return hinge_step(l, x, margin, 1 / (2 * l->aggressiveness * weight));
}

static double pa_reach(const struct learner *l, double size2)
{
    (void)size2;
    return l->decay.growth;
}

static const perc_param hard[] = { PARAMETERS_DECAY, PARAMETERS_KERNEL, PARAMETERS_COMMON };
static const perc_param soft[] = { PARAMETERS_AGGRESSIVENESS, PARAMETERS_DECAY, PARAMETERS_KERNEL,
                                   PARAMETERS_COMMON };

const struct rule rule_pa = {
    .table = { "pa", "learner", "passive-aggressive: after an update the row is right by 1",
               PARAMETERS(hard) },
    .about = { .title = "passive-aggressive (pa)",
               .family = "rule",
               .page = "passive-aggressive",
               .step = "(1 − m)/‖x'‖², when m < 1",
               .guarantee = "Σ losses² ≤ (R/γ')² on separable data",
               .use = "labels can be trusted, each example must tell at once",
               .cost = { "1", "1", "1" },
               .online = 1 },
    .keep = KEEP_LAST,
    .step = pa_step,
    .reach = pa_reach,
    .check = kernel_check,
};

const struct rule rule_pa1 = {
    .table = { "pa1", "learner", "passive-aggressive, steps of at most C: for noisy labels",
               PARAMETERS(soft) },
    .about = { .title = "passive-aggressive (pa1)",
               .family = "rule",
               .page = "passive-aggressive",
               .step = "that of `pa`, at most C",
               .guarantee = "mistakes ≤ max(R², 1/C) (‖u‖² + 2C Σ losses of u), any u",
               .use = "some labels are wrong, and there is time to choose C",
               .cost = { "1", "1", "1" },
               .online = 1 },
    .keep = KEEP_LAST,
    .step = pa1_step,
    .reach = pa_reach,
    .check = kernel_check,
};

const struct rule rule_pa2 = {
    .table = { "pa2", "learner", "passive-aggressive, steps damped by 1 / 2C: for noisy labels",
               PARAMETERS(soft) },
    .about = { .title = "passive-aggressive (pa2)",
               .family = "rule",
               .page = "passive-aggressive",
               .step = "(1 − m)/(‖x'‖² + 1/2C), when m < 1",
               .guarantee = "Σ losses² ≤ (R² + 1/2C)(‖u‖² + 2C Σ losses² of u), any u",
               .use = "some labels are wrong, and there is time to choose C",
               .cost = { "1", "1", "1" },
               .online = 1 },
    .keep = KEEP_LAST,
    .step = pa2_step,
    .reach = pa_reach,
    .check = kernel_check,
};
