/* svm.c -- the linear support vector machine: a wide margin, at a price for the rows
 * inside it.
 *
 *     minimise  |(w, b)|^2 / 2 + C sum_i c_i max(0, 1 - y_i (w.x_i + b))^q         (1)
 *
 * q = 1 with --loss hinge, 2 with squared; c_i is the weight of row i. The offset is part
 * of the norm, which is a constant feature of value 1 (LIBLINEAR's -B 1); with
 * --offset-free it is not, which is what most textbooks write. Both are solved to a known
 * distance from the optimum: see src/solve/svm.h.
 *
 * --hard drops the price: of all hyperplanes that separate the rows, the one with the
 * largest margin
 *
 *     gamma  = max over (w, b) of min_i y_i (w.x_i + b) / |w|                      (2)
 *     gamma' = max over (w, b) of min_i y_i (w.x_i + b) / |(w, b)|                 (3)
 *
 * gamma is a distance, half that of the convex hulls of the classes. gamma' is the one of the
 * perceptron's mistake bound (R / gamma')^2; --offset-inside asks for its hyperplane. The
 * margin is returned with a lower and an upper bound, or else the answer is that no
 * hyperplane separates the rows. Where doubles cannot tell, whole numbers are asked
 * (solve/arbiter.h).
 *
 * Several classes are told apart one against the rest.
 *
 * Cortes, Vapnik, Machine Learning 20, 1995. Hsieh, Chang, Lin, Keerthi, Sundararajan,
 * ICML 2008. The solvers are in src/solve. */
#include "solve/svm.h"

#include <math.h>
#include <string.h>

#include "learn/parameters.h"
#include "learn/problems.h"
#include "solve/arbiter.h"
#include "solve/hard.h"

/* With --solver auto, Newton's method gives way to the dual if it ends with a larger gap than this,
 * below which both struggle with the last digits. It needs far fewer steps. */
static const double rounding = 1e-9;
enum { NEWTON_STEPS = 300 };

/* With --hard: a margin of so many times what rounding has taken from the rows is told by doubles,
 * to seven digits. */
static const double telling = 0x1p23;

struct svm_how {
    const perc_params *params;
    struct svm_options options;
    const struct arbiter *arbiter; /* may be NULL */
};

/* ----- a price for errors ------------------------------------------------------------ */

/* Newton's method can lose its way where C is very large: the dual is tried then, in the
 * passes that are left, and the better one is kept. What each has proved holds for both. */
static perc_status second_try(const struct problem *p, uint32_t positive,
                              const struct svm_options *o, double *w, double *b,
                              struct svm_result *r, bool *newton, perc_error *err)
{
    double *other = mem_zeroed(&p->e, p->dims, sizeof *other), other_b;
    struct svm_options rest = *o;
    struct svm_result s;
    perc_status st = other == NULL ? fail_memory(err) : PERC_OK;

    rest.passes -= r->passes;
    if (!st) st = svm_dual(p, positive, &rest, other, &other_b, &s, err);
    if (!st && s.primal < r->primal) {
        memcpy(w, other, p->dims * sizeof *w);
        *b = other_b;
        r->primal = s.primal;
        r->supports = s.supports;
        *newton = false;
    }
    if (!st) {
        r->dual = fmin(fmax(r->dual, s.dual), r->primal);
        r->solved = isfinite(r->primal) && r->primal - r->dual <= o->gap * r->primal;
        r->passes += s.passes;
    }
    mem_free(&p->e, other, p->dims, sizeof *other);
    return st;
}

static perc_status solve_soft(const void *ud, const struct problem *p, uint32_t positive,
                              const struct watch *watch, struct problems_result *out,
                              perc_error *err)
{
    const struct svm_how *how = ud;
    struct svm_options o = how->options;
    struct svm_result r = { 0 };
    const bool choose = params_is(how->params, "solver", "auto");
    bool newton = params_is(how->params, "solver", "newton") ||
                  (choose && svm_prefers_newton(p, &o));
    perc_status st = problems_check_cost(p, o.c, err); /* P(0) */

    o.watch = watch;
    if (newton && choose && o.passes > NEWTON_STEPS) o.passes = NEWTON_STEPS;
    if (!st)
        st = newton ? svm_newton(p, positive, &o, out->w, &out->b, &r, err)
                    : svm_dual(p, positive, &o, out->w, &out->b, &r, err);
    o.passes = how->options.passes;
    if (!st && newton && choose && !r.solved && r.passes < o.passes &&
        !(r.primal - r.dual <= rounding * r.primal) && watch_ask(watch, r.passes))
        st = second_try(p, positive, &o, out->w, &out->b, &r, &newton, err);
    out->end = r.solved ? PROBLEMS_SOLVED : r.passes >= o.passes ? PROBLEMS_LIMIT : PROBLEMS_STUCK;
    out->solved = (struct solved){ .solver = newton ? SOLVER_NEWTON : SOLVER_DUAL,
                                   .primal = r.primal,
                                   .dual = r.dual,
                                   .lower = NAN,
                                   .upper = NAN,
                                   .geometric_lower = NAN,
                                   .geometric_upper = NAN,
                                   .supports = r.supports };
    if (!st) watch_ask(watch, r.passes); /* how many it took */
    return st;
}

/* ----- the largest margin -------------------------------------------------------------- */

/* Why no hyperplane separates the rows, as far as doubles can tell: the rows that make up a sum
 * of zero. Nobody was asked who could prove it. */
static perc_status say_no(const struct problem *p, const struct hard_result *r, perc_error *err)
{
    if (r->supports == 1) return problems_zero_row(p, r->witness[0], err);
    if (r->supports > 3)
        return fail(
            err, PERC_ENO,
            "no hyperplane separates the rows: the margin is at most %.3g (R = %.6g), as shown "
            "by %llu rows whose convex hulls meet",
            r->upper, r->radius, (unsigned long long)r->supports);
    return fail(err, PERC_ENO,
                "no hyperplane separates the rows: the margin is at most %.3g (R = %.6g); the "
                "convex hulls of rows %llu, %llu%s%.0llu meet",
                r->upper, r->radius, (unsigned long long)problems_row(p, r->witness[0]) + 1,
                (unsigned long long)problems_row(p, r->witness[1]) + 1, r->supports > 2 ? ", " : "",
                r->supports > 2 ? (unsigned long long)problems_row(p, r->witness[2]) + 1 : 0);
}

/* The margin of the decimals that the rows stand for may be another one: rounding has taken up to
 * 2^-53 of each number, and of each product of a map. Whether it is at least so many times that. */
static bool is_above_rounding(const struct problem *p, const struct hard_result *r, double times)
{
    const int factors = p->map == NULL || map_is_identity(p->map) ? 1 : 2 * (int)p->map->degree;

    return r->verdict == HARD_SEPARABLE && r->lower > times * factors * 0x1p-53 * r->radius;
}

/* The answer of whole numbers, in place of what doubles say. */
static perc_status ask_arbiter(const struct svm_how *how, const struct problem *p,
                               uint32_t positive, const struct watch *watch,
                               const struct hard_result *r, struct problems_result *out,
                               perc_error *err)
{
    const bool mapped = p->map != NULL && !map_is_identity(p->map);
    struct arbiter_bounds found;

    if (how->arbiter == NULL && r->verdict == HARD_INSEPARABLE) return say_no(p, r, err);
    if (how->arbiter == NULL || mapped)
        return fail(err, PERC_EUNDECIDED,
                    "doubles cannot tell whether a hyperplane separates the rows: the margin is at "
                    "most %.3g (R = %.6g)%s",
                    r->upper, r->radius,
                    mapped ? "; exact answers are for rows without a map" : "");
    const perc_status st = how->arbiter->ask(how->arbiter->ud, p, positive,
                                             r->verdict == HARD_SEPARABLE, out->w, &out->b,
                                             how->options.gap, watch, &found, err);
    if (st) return st;
    out->solved.lower = found.lower;
    out->solved.upper = found.upper;
    if (isnan(out->solved.geometric_lower)) return PERC_OK; /* not asked for */
    out->solved.geometric_lower = found.geometric_lower;
    out->solved.geometric_upper = found.geometric_upper;
    return PERC_OK;
}

/* gamma', for the mistake bound. Whatever comes of it, the hyperplane of the geometric margin is a
 * lower bound, and that margin an upper one. */
static perc_status bound_inside(const struct problem *p, uint32_t positive, struct hard_options *o,
                                const struct problems_result *geometric, struct hard_result *r,
                                perc_error *err)
{
    const double n = sqrt(row_weights_norm2(geometric->w, p->dims));
    const double own = r->lower * (n / hypot(n, geometric->b)) * (1 - 1e-14), upper = r->upper;
    const int64_t passes = r->passes;
    double *w = mem_zeroed(&p->e, p->dims, sizeof *w), b;

    if (w == NULL) return fail_memory(err);
    o->hulls = false;
    o->passes -= passes;
    const perc_status st = hard_solve(p, positive, o, w, &b, r, err);
    r->lower = fmax(r->lower, own);
    r->upper = fmin(r->upper, upper);
    r->passes += passes;
    mem_free(&p->e, w, p->dims, sizeof *w);
    return st;
}

static perc_status solve_hard(const void *ud, const struct problem *p, uint32_t positive,
                              const struct watch *watch, struct problems_result *out,
                              perc_error *err)
{
    const struct svm_how *how = ud;
    const bool hulls = p->offset && !params_bool(how->params, "offset-inside");
    struct hard_options o = {
        .hulls = hulls, .gap = how->options.gap, .passes = how->options.passes, .watch = watch
    };
    struct hard_result r = { 0 };
    perc_status st = hard_solve(p, positive, &o, out->w, &out->b, &r, err);

    if (st) return st;
    const bool limit = r.passes >= o.passes, go_on = watch_ask(watch, r.passes);
    out->end = r.solved && r.verdict == HARD_SEPARABLE ? PROBLEMS_SOLVED
               : limit                                 ? PROBLEMS_LIMIT
                                                       : PROBLEMS_STUCK;
    out->solved = (struct solved){ .solver = SOLVER_HARD,
                                   .primal = NAN,
                                   .dual = NAN,
                                   .geometric_lower = hulls ? r.lower : NAN,
                                   .geometric_upper = hulls ? r.upper : NAN,
                                   .supports = r.supports };
    if (!is_above_rounding(p, &r, telling) && (r.verdict != HARD_UNDECIDED || (go_on && !limit))) {
        st = ask_arbiter(how, p, positive, watch, &r, out, err);
        if (st != PERC_EUNDECIDED || !is_above_rounding(p, &r, 2)) return st;
        st = PERC_OK; /* it is a plane all the same */
    }
    if (hulls && r.verdict == HARD_SEPARABLE) st = bound_inside(p, positive, &o, out, &r, err);
    else if (hulls) r.lower = fmin(r.lower, 0); /* of gamma', without a plane */
    out->solved.lower = r.lower;
    out->solved.upper = r.upper;
    watch_ask(watch, r.passes);
    return st;
}

/* ----- both ------------------------------------------------------------------------------ */

static perc_status check_options(const perc_params *p, perc_error *err)
{
    const bool hinge = params_is(p, "loss", "hinge"), hard = params_bool(p, "hard");

    if (hard && (params_given(p, "C") || params_given(p, "loss")))
        return fail(err, PERC_EARG, "--hard allows no errors: leave out -C and --loss");
    if (hard && !params_is(p, "solver", "auto"))
        return fail(err, PERC_EARG, "--hard has a solver of its own: leave out --solver");
    if (!hard && params_bool(p, "offset-inside"))
        return fail(err, PERC_EARG,
                    "--offset-inside is for --hard: without it the offset is inside the norm "
                    "already");
    if (params_bool(p, "offset-inside") && params_bool(p, "offset-free"))
        return fail(err, PERC_EARG, "--offset-inside and --offset-free contradict each other");
    if (params_bool(p, "offset-inside") && !params_bool(p, "offset"))
        return fail(err, PERC_EARG, "--offset-inside and --no-offset contradict each other");
    if (hinge && params_is(p, "solver", "newton"))
        return fail(err, PERC_EARG,
                    "Newton's method needs a smooth loss: --loss squared, or --solver dual");
    if (params_bool(p, "offset-free") && !params_bool(p, "offset"))
        return fail(err, PERC_EARG, "--offset-free and --no-offset contradict each other");
    return PERC_OK;
}

static perc_status solve_svm(struct fit *f, const perc_params *p, const struct map *map)
{
    const struct svm_how how = {
        .params = p,
        .options = { .c = params_real(p, "C"),
                     .loss = params_is(p, "loss", "hinge") ? SVM_HINGE : SVM_SQUARED,
                     .free_offset = params_bool(p, "offset-free"),
                     .gap = params_real(p, "gap"),
                     .passes = f->epochs,
                     .seed = (uint64_t)params_int(p, "seed") },
        .arbiter = f->arbiter,
    };
    const bool hard = params_bool(p, "hard");
    const perc_status st = hard ? PERC_OK : problems_check_sizes(f, map);

    return st ? st : problems_each(f, map, hard ? solve_hard : solve_soft, &how);
}

static const perc_param parameters[] = {
    { "C", PERC_REAL, "1", 1e-300, 1e300, NULL, "C",
      "what an error costs: the larger, the narrower the margin" },
    { "loss", PERC_CHOICE, "squared", 0, 0, "hinge|squared", "LOSS",
      "a row inside the margin costs its distance to it, or the square of that" },
    { "hard", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "no errors at all: the hyperplane of the largest margin, or none" },
    { "solver", PERC_CHOICE, "auto", 0, 0, "auto|dual|newton", "HOW",
      "dual coordinate descent, Newton's method, or what is expected to be faster" },
    { "gap", PERC_REAL, "0.0001", 1e-15, 1, NULL, "PART",
      "stop when the objective is proved to be within this part of the optimum" },
    PARAMETERS_OFFSET,
    { "offset-free", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "the offset costs nothing: |w| in the objective, not |(w, b)|; with --hard it never does" },
    { "offset-inside", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "with --hard: the largest gamma', with |(w, b)| in place of |w|, of the mistake bound" },
    PARAMETERS_REST,
    PARAMETERS_CLASSES,
    PARAMETERS_SOLVE,
};

const struct rule rule_svm = {
    .table = { "svm", "learner", "linear support vector machine: the widest margin, at a price C",
               PARAMETERS(parameters) },
    .about = { .title = "support vector machine",
               .family = "solver",
               .page = "svm",
               .step = "all rows at once: least ½‖w'‖² + C Σ losses; with `--hard`, largest γ",
               .guarantee = "within `--gap` of the optimum, shown by its dual; with `--hard`, γ "
                            "from below and above, or \"no\"",
               .use = "accuracy matters more than speed, and there is time to choose C; with "
                      "`--hard`, the largest margin is wanted",
               .cost = { "solves", "1", "5 + 90 bytes/row" } },
    .keep = KEEP_LAST,
    .solve = solve_svm,
    .check = check_options,
};
