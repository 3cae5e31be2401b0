/* logistic.c -- logistic regression: how probable a label is, from a score that adds up.
 *
 *     log (p / (1 - p)) = w.x + b,                                                   (1)
 *
 *     minimise  R(w, b) + C sum_i c_i log(1 + exp(-y_i (w.x_i + b)))                 (2)
 *
 * exp(w_j) is what the odds are multiplied by if x_j is one more. c_i is the weight of row i. R is
 * half the square of the norm (--penalty l2), the sum of sizes (l1), which makes most weights 0, or
 * a share of both (elastic-net). The offset is part of it, which is a constant feature of value 1
 * (LIBLINEAR's -B 1); with --offset-free it is not, as in scikit-learn.
 *
 * Three labels or more have a vector each and the softmax of their scores, all learned at once; or,
 * with --multiclass ovr and wherever the penalty is not l2, one against the rest.
 *
 * Without a penalty (2) has a least value exactly where no plane has all rows on their side or on
 * it, some of them strictly (Albert, Anderson, Biometrika 71, 1984): where they are neither
 * separable nor touching, in the words of `prove`. Elsewhere the weights grow without end. So whole
 * numbers are asked first (solve/arbiter.h).
 *
 * Solved to a known distance from the optimum: src/solve/logistic.h. */
#include "solve/logistic.h"

#include <math.h>
#include <string.h>

#include "learn/parameters.h"
#include "learn/problems.h"
#include "solve/arbiter.h"

struct logistic_how {
    const perc_params *params;
    struct logistic_options options;
    const struct arbiter *arbiter; /* may be NULL */
};

enum { STEPS = 200 }; /* of Newton's method without a penalty: some ten where there is an optimum */

/* ----- one problem ------------------------------------------------------------------------ */

/* PERC_ENO: (2) has no least value. */
static perc_status check_finite(const struct logistic_how *how, const struct problem *p,
                                uint32_t positive, const struct watch *watch, perc_error *err)
{
    perc_verdict verdict = PERC_UNDECIDED;
    const bool asks = how->arbiter != NULL && (p->map == NULL || map_is_identity(p->map));
    const perc_status st = asks ? how->arbiter->decide(how->arbiter->ud, p, positive, watch,
                                                       &verdict, err)
                                : PERC_OK;

    if (st || (verdict != PERC_SEPARABLE && verdict != PERC_TOUCHING)) return st;
    return fail(err, PERC_ENO,
                "without a penalty the weights grow without end: a plane %s (checked in whole "
                "numbers; 'perceptron prove' shows it); choose --penalty l2",
                verdict == PERC_SEPARABLE ? "separates the rows"
                                          : "has all rows on their side or on it");
}

/* What came of it, in words that all solvers share. */
static void tell(const struct logistic_options *o, const struct logistic_result *r,
                 enum solver solver, struct problems_result *out)
{
    out->end = r->solved                ? PROBLEMS_SOLVED
               : r->passes >= o->passes ? PROBLEMS_LIMIT
                                        : PROBLEMS_STUCK;
    out->solved = (struct solved){ .solver = solver,
                                   .primal = r->primal,
                                   .dual = r->dual,
                                   .lower = NAN,
                                   .upper = NAN,
                                   .geometric_lower = NAN,
                                   .geometric_upper = NAN };
    watch_ask(o->watch, r->passes);
}

static perc_status solve_one(const void *ud, const struct problem *p, uint32_t positive,
                             const struct watch *watch, struct problems_result *out,
                             perc_error *err)
{
    const struct logistic_how *how = ud;
    struct logistic_options o = how->options;
    struct logistic_result r = { 0 };
    perc_status st = problems_check_cost(p, o.c, err);

    o.watch = watch;
    if (o.no_penalty && o.passes > STEPS) o.passes = STEPS;
    if (!st && o.no_penalty) st = check_finite(how, p, positive, watch, err);
    if (st) return st;
    st = o.share > 0 ? logistic_sparse(p, positive, &o, out->w, &out->b, &r, err)
                     : logistic_newton(p, positive, &o, out->w, &out->b, &r, err);
    if (st) return st;
    if (o.no_penalty && r.separated && !r.solved)
        return fail(err, PERC_ENO,
                    "without a penalty the weights grow without end: a plane separates the rows; "
                    "choose --penalty l2");
    tell(&o, &r, o.share > 0 ? SOLVER_DESCENT : SOLVER_NEWTON, out);
    return PERC_OK;
}

static perc_status solve_jointly(const void *ud, const struct problem *p, size_t classes,
                                 size_t width, const struct watch *watch, double *w, double *b,
                                 struct problems_result *out, perc_error *err)
{
    const struct logistic_how *how = ud;
    struct logistic_options o = how->options;
    struct logistic_result r = { 0 };
    perc_status st = problems_check_cost(p, o.c, err);

    o.watch = watch;
    if (!st) st = logistic_softmax(p, classes, width, &o, w, b, &r, err);
    if (!st) tell(&o, &r, SOLVER_NEWTON, out);
    return st;
}

/* ----- all of them -------------------------------------------------------------------------- */

static bool is_l2(const perc_params *p)
{
    return params_is(p, "penalty", "l2");
}

static perc_status check_options(const perc_params *p, perc_error *err)
{
    const char *penalty = params_text(p, "penalty");

    if (params_given(p, "C") && params_is(p, "penalty", "none"))
        return fail(err, PERC_EARG,
                    "without a penalty there is nothing that C could be weighed against: leave "
                    "out -C");
    if (params_given(p, "l1-ratio") && !params_is(p, "penalty", "elastic-net"))
        return fail(err, PERC_EARG, "--l1-ratio is for --penalty elastic-net");
    if (params_is(p, "multiclass", "native") && !is_l2(p))
        return fail(err, PERC_EARG,
                    "--multiclass native is for --penalty l2: with %s each class is learned "
                    "against the rest (--multiclass ovr)",
                    penalty);
    if (params_bool(p, "offset-free") && !params_bool(p, "offset"))
        return fail(err, PERC_EARG, "--offset-free and --no-offset contradict each other");
    return PERC_OK;
}

static perc_status solve_logistic(struct fit *f, const perc_params *p, const struct map *map)
{
    const bool none = params_is(p, "penalty", "none"), joint = f->learner->kind == KIND_NATIVE;
    struct logistic_how how = {
        .params = p,
        .options = { .c = params_real(p, "C"),
                     .share = params_is(p, "penalty", "l1")            ? 1
                              : params_is(p, "penalty", "elastic-net") ? params_real(p, "l1-ratio")
                                                                       : 0,
                     .no_penalty = none,
                     .free_offset = params_bool(p, "offset-free"),
                     .gap = params_real(p, "gap"),
                     .passes = f->epochs,
                     .seed = (uint64_t)params_int(p, "seed") },
        .arbiter = f->arbiter,
    };
    const perc_status st = problems_check_sizes(f, map);

    if (st) return st;
    if (none && f->learner->machine->last.dims > LOGISTIC_EXACT)
        return fail(f->err, PERC_EARG,
                    "--penalty none is for at most %d columns, and these data have %llu: choose "
                    "--penalty l2 (a large C makes it small)",
                    LOGISTIC_EXACT, (unsigned long long)f->learner->machine->last.dims);
    return joint ? problems_jointly(f, map, solve_jointly, &how)
                 : problems_each(f, map, solve_one, &how);
}

static const perc_param parameters[] = {
    { "C", PERC_REAL, "1", 1e-300, 1e300, NULL, "C",
      "what the rows count for beside the penalty: the larger, the larger the weights" },
    { "penalty", PERC_CHOICE, "l2", 0, 0, "l2|l1|elastic-net|none", "HOW",
      "half the squares of the weights; their sizes, which leaves most at 0; both; or none" },
    { "l1-ratio", PERC_REAL, "0.5", 1e-3, 1, NULL, "PART",
      "--penalty elastic-net: the part of l1 in it" },
    { "gap", PERC_REAL, "0.0001", 1e-15, 1, NULL, "PART",
      "stop when the objective is proved to be within this part of the optimum" },
    PARAMETERS_OFFSET,
    { "offset-free", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "the offset costs nothing: the penalty has w, not (w, b)" },
    { "multiclass", PERC_CHOICE, "auto", 0, 0, "auto|native|ovr", "HOW",
      "native: a softmax of all classes; ovr: each against the rest; auto: native with l2, else "
      "ovr" },
    PARAMETERS_CLASSES,
    PARAMETERS_SOLVE,
};

const struct rule rule_logistic = {
    .table = { "logistic", "learner",
               "logistic regression: probabilities, and weights that are log odds",
               PARAMETERS(parameters) },
    .about = { .title = "logistic regression",
               .family = "solver",
               .page = "logistic",
               .step = "all rows at once: least penalty + C Σ log(1 + exp(−y s))",
               .guarantee = "within `--gap` of the optimum, shown by its dual; without a penalty, "
                            "or that there is none",
               .use = "probabilities are wanted, and what each feature does to the odds",
               .cost = { "solves", "1", "10 + 40 bytes/row" } },
    .flags = RULE_PROBABLE,
    .keep = KEEP_LAST,
    .solve = solve_logistic,
    .joint = is_l2,
    .check = check_options,
};
