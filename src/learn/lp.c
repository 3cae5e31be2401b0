/* lp.c -- a hyperplane that errs on no row, by linear programming.
 *
 * The perceptron finds one if there is one, in a number of updates that depends on the
 * margin; a linear program finds one whatever the margin, and says so if there is none:
 *
 *     maximise t   subject to   y_i (w.x_i + b) >= t,   |w_j| <= 1,  |b| <= 1      (1)
 *
 * t > 0 exactly if the classes can be separated. What the program returns is rounded, so
 * w is checked on every row before it is believed. Weights of rows do not matter, unless
 * they are 0. Several classes are told apart one against the rest.
 *
 * The solver is in src/solve/lp.c. */
#include "solve/lp.h"

#include <math.h>

#include "learn/parameters.h"
#include "learn/problems.h"

/* ud: the limit on rounds. */
static perc_status solve_one(const void *ud, const struct problem *p, uint32_t positive,
                             const struct watch *watch, struct problems_result *out,
                             perc_error *err)
{
    const struct lp_options o = { *(const int64_t *)ud, watch };
    struct lp_result r = { 0 };
    const perc_status st = lp_solve(p, positive, &o, out->w, &out->b, &r, err);

    if (st) return st;
    if (r.verdict == LP_INSEPARABLE && r.holders == 1) return problems_zero_row(p, r.witness, err);
    if (r.verdict == LP_INSEPARABLE)
        return fail(
            err, PERC_ENO,
            "no hyperplane separates the rows: the program is infeasible, as %llu of them show",
            (unsigned long long)r.holders);
    out->end = r.verdict == LP_SEPARABLE ? PROBLEMS_SOLVED
               : r.rounds >= o.rounds    ? PROBLEMS_LIMIT
                                         : PROBLEMS_STUCK;
    out->solved = (struct solved){ .solver = SOLVER_LP,
                                   .primal = NAN,
                                   .dual = NAN,
                                   .lower = r.lower,
                                   .upper = NAN,
                                   .geometric_lower = NAN,
                                   .geometric_upper = NAN };
    watch_ask(watch, r.rounds);
    return PERC_OK;
}

static perc_status solve_lp(struct fit *f, const perc_params *p, const struct map *map)
{
    (void)p;
    return problems_each(f, map, solve_one, &f->epochs);
}

static const perc_param parameters[] = { PARAMETERS_OFFSET, PARAMETERS_REST, PARAMETERS_CLASSES,
                                         PARAMETERS_SOLVE };

const struct rule rule_lp = {
    .table = { "lp", "learner",
               "linear programming: a hyperplane without errors, or the answer that there is none",
               PARAMETERS(parameters) },
    .about = { .title = "linear program",
               .family = "solver",
               .page = "lp",
               .step = "all rows at once: a linear program",
               .guarantee = "no row on the wrong side, or \"no\"",
               .use = "is there a hyperplane at all?",
               .cost = { "solves", "1", "3 + the program" },
               .form = "-" },
    .keep = KEEP_LAST,
    .solve = solve_lp,
};
