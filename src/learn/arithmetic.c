/* arithmetic.c -- whether the options ask for exact arithmetic (machine/shadow.h), and whether it
 * can be had with the others. */
#include "learn/arithmetic.h"

#include <math.h>
#include <string.h>

bool arithmetic_is_exact(const perc_params *p)
{
    return perc_params_get(p, "arithmetic") != NULL && params_is(p, "arithmetic", "exact");
}

static bool is_whole(double v)
{
    return v == floor(v) && fabs(v) <= 0x1p53;
}

perc_status arithmetic_check(const perc_params *p, const struct kernel *k, perc_error *err)
{
    static const char else_double[] = "(or pass --arithmetic double)";
    const char *rule = perc_params_get(p, "rule");
    const double far = 1e50, rate = arithmetic_is_exact(p) ? params_real(p, "rate") : 1;

    if (!arithmetic_is_exact(p)) return PERC_OK;
    if (rule != NULL && strcmp(rule, "perceptron") != 0 && strcmp(rule, "margin") != 0)
        return fail(err, PERC_EARG, "exact arithmetic has no rule %s: pass perceptron or margin %s",
                    rule, else_double);
    if (!params_is(p, "schedule", "constant"))
        return fail(err, PERC_EARG, "exact arithmetic has a constant rate: leave out --schedule %s",
                    else_double);
    if (!(rate >= 1 / far && rate <= far))
        return fail(err, PERC_EARG, "exact arithmetic takes a --rate from %g to %g %s", 1 / far,
                    far, else_double);
    if (!params_is(p, "init", "zero"))
        return fail(err, PERC_EARG, "exact arithmetic starts from zero: leave out --init %.60s %s",
                    params_text(p, "init"), else_double);
    if (params_is(p, "class-weight", "balanced"))
        return fail(err, PERC_EARG,
                    "balanced weights are rounded: give whole numbers, --class-weight LABEL=W %s",
                    else_double);
    if (params_int(p, "budget") > 0 || params_int(p, "drop-after") > 0)
        return fail(err, PERC_EARG, "exact arithmetic keeps all rows: leave out --%s %s",
                    params_int(p, "budget") > 0 ? "budget" : "drop-after", else_double);
    if (k->type > KERNEL_POLY)
        return fail(err, PERC_EARG,
                    "exact arithmetic has the kernels linear and poly, and %s rounds %s",
                    params_text(p, "kernel"), else_double);
    if (k->gamma_from != GAMMA_GIVEN || !is_whole(k->gamma) || !is_whole(k->coef0))
        return fail(err, PERC_EARG,
                    "exact arithmetic takes whole numbers for --gamma and --coef0 %s", else_double);
    return PERC_OK;
}
