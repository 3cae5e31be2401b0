/* voted.c -- the voted perceptron.
 *
 * Every weight vector that training goes through has a vote for each example that
 * it stood: with w_t the weights after example t, a row is answered by
 *
 *     sum_t sign(w_t.x + b_t),   sign(s) = +1 where s > 0, else -1.
 *
 * With several classes each w_t votes for the class of its highest score; one
 * against the rest, each class has a vote of its own, and the highest sum wins.
 *
 * Guarantee (Freund, Schapire 1999, theorem 3 with Helmbold, Warmuth 1995): if the
 * rows are drawn independently, the chance that the vote of one pass errs on the
 * next row is at most twice the expected mistakes of that pass, n + 1 rows long,
 * divided by n + 1. That holds whether or not the rows are separable.
 *
 * The vectors are kept as the updates that made them: (row, step, how long it
 * stood), the rows once each (machine/votes.h). Nothing is left out: memory grows
 * with the updates, and so does the time of a prediction.
 *
 * Freund, Schapire, Machine Learning 37(3), 1999. */
#include "learn/learner.h"
#include "learn/parameters.h"

static const perc_param parameters[] = {
    PARAMETERS_RULE(RULES_OFFERED), PARAMETERS_RATE,   PARAMETERS_MARGIN, PARAMETERS_AGGRESSIVENESS,
    PARAMETERS_ARITHMETIC,          PARAMETERS_KERNEL, PARAMETERS_COMMON
};

const struct rule rule_voted = {
    .table = { "voted", "learner", "every weight vector has a vote: close to averaged, and slow",
               PARAMETERS(parameters) },
    .about = { .title = "voted perceptron",
               .family = "keeper",
               .page = "voted",
               .step = "as `--rule` does; all weights vote",
               .guarantee = "chance of an error at most 2 E[mistakes of a pass]/(rows + 1), after "
                            "one pass",
               .use = "the theorem is wanted, or the share of votes",
               .cost = { "1", "every update", "1 + every update" },
               .online = 1 },
    .keep = KEEP_VOTES,
    .check = kernel_check,
};
