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
 *     gamma' = max over (w, b) of min_i y_i (w.x_i + b) / |(w, b)|                 (2)
 *
 * which is the gamma' of the perceptron's mistake bound (R / gamma')^2. It is returned with
 * a lower and an upper bound, or else the answer is that no hyperplane separates them.
 *
 * Several classes are told apart one against the rest.
 *
 * Cortes, Vapnik, Machine Learning 20, 1995. Hsieh, Chang, Lin, Keerthi, Sundararajan,
 * ICML 2008. The solvers are in src/solve. */
#include "solve/svm.h"

#include <math.h>

#include "learn/batch.h"
#include "learn/parameters.h"
#include "solve/hard.h"

/* One solution a vector. */
struct run {
    const perc_params *params;
    struct svm_options options;
    struct solved *each;
    bool *reached;           /* the gap that was asked for */
};

static perc_status soft(void *ud, const struct problem *p, uint32_t positive, size_t vector,
                        const struct watch *watch, double *w, double *b, perc_error *err)
{
    const struct run *run = ud;
    struct svm_options o = run->options;
    struct svm_result r = { 0 };
    const bool newton = params_is(run->params, "solver", "newton") ||
                        (params_is(run->params, "solver", "auto") && svm_prefers_newton(p, &o));

    o.watch = watch;
    const perc_status st = newton ? svm_newton(p, positive, &o, w, b, &r, err)
                                  : svm_dual(p, positive, &o, w, b, &r, err);
    run->reached[vector] = r.solved;
    run->each[vector] = (struct solved){ .solver = newton ? SOLVER_NEWTON : SOLVER_DUAL,
                                         .primal = r.primal,
                                         .dual = r.dual,
                                         .lower = NAN,
                                         .upper = NAN,
                                         .supports = r.supports };
    if (!st) watch_ask(watch, r.passes); /* how many it took */
    return st;
}

/* Why no hyperplane separates the rows: those that a sum of zero is made of. */
static perc_status inseparable(const struct problem *p, const struct hard_result *r,
                               perc_error *err)
{
    if (r->supports > 3 || r->supports < 2)
        return fail(err, PERC_ENO,
                    "no hyperplane separates the rows: the margin is at most %.3g (R = %.6g), by "
                    "%llu rows whose convex hulls meet",
                    r->upper, r->radius, (unsigned long long)r->supports);
    return fail(err, PERC_ENO,
                "no hyperplane separates the rows: the margin is at most %.3g (R = %.6g); the "
                "convex hulls of rows %llu, %llu%s%.0llu meet",
                r->upper, r->radius, (unsigned long long)batch_row(p, r->witness[0]) + 1,
                (unsigned long long)batch_row(p, r->witness[1]) + 1, r->supports > 2 ? ", " : "",
                r->supports > 2 ? (unsigned long long)batch_row(p, r->witness[2]) + 1 : 0);
}

static perc_status hard(void *ud, const struct problem *p, uint32_t positive, size_t vector,
                        const struct watch *watch, double *w, double *b, perc_error *err)
{
    const struct run *run = ud;
    const struct hard_options o = { run->options.gap, run->options.passes, watch };
    struct hard_result r = { 0 };
    const perc_status st = solve_hard(p, positive, &o, w, b, &r, err);

    if (st) return st;
    if (r.verdict == HARD_INSEPARABLE) return inseparable(p, &r, err);
    run->reached[vector] = r.solved && r.verdict == HARD_SEPARABLE;
    run->each[vector] = (struct solved){ .solver = SOLVER_HARD,
                                         .primal = NAN,
                                         .dual = NAN,
                                         .lower = r.lower,
                                         .upper = r.upper,
                                         .supports = r.supports };
    watch_ask(watch, r.passes);
    return PERC_OK;
}

/* The vectors together: sums, and the smallest margin. */
static struct solved together(const struct solved *each, size_t n)
{
    struct solved all = each[0];

    for (size_t c = 1; c < n; c++) {
        all.primal += each[c].primal;
        all.dual += each[c].dual;
        all.supports += each[c].supports;
        if (each[c].lower < all.lower) all.lower = each[c].lower;
        if (each[c].upper < all.upper) all.upper = each[c].upper;
    }
    return all;
}

static perc_status check_options(const perc_params *p, perc_error *err)
{
    const bool hinge = params_is(p, "loss", "hinge"), hard_wanted = params_bool(p, "hard");

    if (hard_wanted && (params_given(p, "C") || params_given(p, "loss")))
        return fail(err, PERC_EARG, "--hard allows no errors: leave out -C and --loss");
    if (hard_wanted && !params_is(p, "solver", "auto"))
        return fail(err, PERC_EARG, "--hard has a solver of its own: leave out --solver");
    if (hard_wanted && params_bool(p, "offset-free"))
        return fail(err, PERC_EARG,
                    "--hard has the offset inside the norm: leave out --offset-free");
    if (hinge && params_is(p, "solver", "newton"))
        return fail(err, PERC_EARG,
                    "Newton's method needs a smooth loss: --loss squared, or --solver dual");
    if (params_bool(p, "offset-free") && !params_bool(p, "offset"))
        return fail(err, PERC_EARG, "--offset-free and --no-offset contradict each other");
    return PERC_OK;
}

static perc_status solve(struct fit *f, const perc_params *p, const struct map *map)
{
    struct learner *l = f->learner;
    const size_t n = l->machine.vectors;
    struct run run = {
        .params = p,
        .options = { .c = params_real(p, "C"),
                     .loss = params_is(p, "loss", "hinge") ? SVM_HINGE : SVM_SQUARED,
                     .free_offset = params_bool(p, "offset-free"),
                     .gap = params_real(p, "gap"),
                     .passes = f->epochs,
                     .seed = (uint64_t)params_int(p, "seed") },
        .each = mem_zeroed(&l->e, n, sizeof *run.each),
        .reached = mem_zeroed(&l->e, n, sizeof *run.reached),
    };
    perc_status st = check_options(p, f->err);

    if (!st && (run.each == NULL || run.reached == NULL)) st = fail_memory(f->err);
    if (!st) st = batch_each(f, map, params_bool(p, "hard") ? hard : soft, &run);
    if (!st) {
        bool all = true;
        for (size_t c = 0; c < n; c++) all &= run.reached[c];
        l->solved = together(run.each, n);
        if (all) l->progress.stop = PERC_STOP_SOLVED;
        else if (l->progress.stop == PERC_STOP_NONE) l->progress.stop = PERC_STOP_EPOCHS;
    }
    mem_free(&l->e, run.each, n, sizeof *run.each);
    mem_free(&l->e, run.reached, n, sizeof *run.reached);
    return st;
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
      "the offset costs nothing: |w| in the objective, not |(w, b)|" },
    PARAMETERS_REST,
    PARAMETERS_CLASSES,
    PARAMETERS_SOLVE,
};

const struct rule rule_svm = {
    .table = { "svm", "learner", "linear support vector machine: the widest margin, at a price C",
               PARAMETERS(parameters) },
    .keep = KEEP_LAST,
    .solve = solve,
};
