/* kernel_check.c -- whether the parameters of a kernel machine go together, as far as that can be
 * told without data. */
#include <string.h>

#include "kernel/kernel.h"
#include "learn/arithmetic.h"
#include "learn/learner.h"

/* A counter belongs to a row's mistakes: with margins a row makes updates without one; and what an
 * average, a vote or a pocket remembers cannot be taken back. */
static perc_status check_drop(const perc_params *p, perc_error *err)
{
    if (params_int(p, "drop-after") == 0) return PERC_OK;
    if (params_int(p, "drop-after") == 1)
        return fail(err, PERC_EARG,
                    "--drop-after 1 would set every row aside: the machine is "
                    "empty at first, and errs on each (pass 2 or more)");
    if (strcmp(p->table->name, "perceptron") != 0)
        return fail(err, PERC_EARG,
                    "--drop-after is for the plain rule, and this is %s (pass --algorithm "
                    "perceptron, or leave it out)",
                    p->table->name);
    if (params_int(p, "budget") > 0)
        return fail(err, PERC_EARG,
                    "--drop-after cannot be combined with --budget: rows that were "
                    "forgotten cannot be taken back");
    return PERC_OK;
}

/* Sums of updates would have to shrink one by one, and whole numbers do not shrink. */
static perc_status check_decay(const perc_params *p, const struct kernel *k, perc_error *err)
{
    const char *rule = perc_params_get(p, "rule"), *with = NULL;

    if (!rule_uses(p, "decay")) return PERC_OK;
    if (k->type != KERNEL_NONE) with = "--kernel";
    else if (params_int(p, "drop-after") > 0) with = "--drop-after";
    else if (rule != NULL && rule_find(rule)->machine != NULL) with = "a --rule that has variances";
    if (with != NULL)
        return fail(err, PERC_EARG,
                    "--decay is for weights that steps along rows have made: leave out %s", with);
    if (arithmetic_is_exact(p))
        return fail(err, PERC_EARG,
                    "exact arithmetic keeps whole numbers: leave out --decay (or pass --arithmetic "
                    "double)");
    return PERC_OK;
}

static perc_status check_budget(const perc_params *p, perc_error *err)
{
    static const char *const none[] = { "cache", "loop" };
    const char *name = p->table->name;

    if (params_int(p, "budget") == 0) {
        if (!params_given(p, "budget-policy")) return PERC_OK;
        return fail(err, PERC_EARG,
                    "--budget-policy says what to do when a budget is used up "
                    "(pass --budget B)");
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (params_given(p, none[i]))
            return fail(err, PERC_EARG,
                        "a budget keeps no cache, and has one loop (leave out --%s)", none[i]);
    if (strcmp(name, "averaged") == 0 || strcmp(name, "voted") == 0 || strcmp(name, "pocket") == 0)
        return fail(err, PERC_EARG,
                    "%s needs all the rows that have erred, so it has no --budget (pass "
                    "--algorithm perceptron, margin or pa1)",
                    name);
    if (params_is(p, "budget-policy", "forgetron") && !params_is(p, "multiclass", "auto"))
        return fail(err, PERC_EARG,
                    "the forgetron is for two classes, told apart by one sign (leave out "
                    "--multiclass %s, or pass --budget-policy projectron)",
                    params_text(p, "multiclass"));
    return PERC_OK;
}

perc_status kernel_check(const perc_params *p, perc_error *err)
{
    static const char *const only[] = { "budget", "budget-policy", "cache", "loop" };
    const char *name = perc_params_get(p, "rule") != NULL ? params_text(p, "rule") : NULL;
    struct kernel k;
    perc_status st = kernel_parse(p, &k, err);

    if (st || (st = arithmetic_check(p, &k, err)) || (st = check_decay(p, &k, err))) return st;
    /* A rule with a machine of its own makes no steps along rows, and kernel machines are sums of
     * such steps. */
    if (name != NULL && rule_find(name)->machine != NULL && k.type != KERNEL_NONE)
        return fail(err, PERC_EARG, "%s has no --kernel: leave it out, or pass another --rule",
                    name);
    for (size_t i = 0; i < sizeof only / sizeof *only && k.type == KERNEL_NONE; i++)
        if (params_given(p, only[i]))
            return fail(err, PERC_EARG, "--%s is for machines with a kernel (pass --kernel)",
                        only[i]);
    if ((st = check_drop(p, err)) || (k.type == KERNEL_NONE && params_int(p, "drop-after") == 0))
        return st;
    if (!params_is(p, "init", "zero") && params_int(p, "budget") == 0)
        return fail(err, PERC_EARG,
                    "a machine that is the sum of its updates starts from zero: leave out --init "
                    "%.60s (with --budget it may begin with the rows of a kernel model)",
                    params_text(p, "init"));
    return k.type == KERNEL_NONE ? PERC_OK : check_budget(p, err);
}
