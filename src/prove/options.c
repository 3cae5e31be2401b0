/* options.c -- the parameters of proofs, and the words for what was found. */
#include "prove/options.h"

#include "learn/parameters.h"

#define OPTIONS_TIME_LIMIT                                     \
    {                                                          \
        "time-limit", PERC_REAL, "0", 0, 1e9, NULL, "SECONDS", \
            "give up after this long, undecided; 0: no limit"  \
    }

static const perc_param rows[] = {
    { "offset", PERC_BOOL, "true", 0, 0, NULL, NULL,
      "no offset b: planes through the origin; poly with coef0 > 0 has a constant of its own" },
    { "quick", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "answer yes or no: do not tell touching from overlapping" },
    { "problems", PERC_CHOICE, "all", 0, 0, "all|rest|pairs", "WHICH",
      "more than two labels: each against the rest, each pair, or both" },
    { "positive", PERC_TEXT, NULL, 0, 0, NULL, "LABEL",
      "only LABEL against the rest; with --problems pairs or all, against each other one" },
    { "negative", PERC_TEXT, NULL, 0, 0, NULL, "LABEL",
      "with --positive: only these two labels, the pair told in full" },
    { "kernel", PERC_CHOICE, "none", 0, 0, "none|linear|poly|gaussian|rbf|sigmoid", "KERNEL",
      "planes among the images of the rows; sigmoid is refused" },
    PARAMETERS_KERNEL_SHAPE,
    { "margin", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "also measure the margins, from below and from above; with a kernel in its space" },
    { "gap", PERC_REAL, "1e-6", 1e-14, 1, NULL, "G",
      "margin: both bounds agree to within this share" },
    { "bound", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "also run the perceptron, and set its mistakes beside (R / margin)^2" },
    { "orders", PERC_INT, "5", 1, 1000, NULL, "N",
      "bound: runs, each in another order of the rows" },
    { "hulls", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "two features: also both convex hulls, a second verdict" },
    OPTIONS_TIME_LIMIT,
    PARAMETERS_SEED,
};

static const perc_param verify_rows[] = { OPTIONS_TIME_LIMIT };

const struct table prove_table = { "prove", "prove", "what is proved", PARAMETERS(rows) };
const struct table verify_table = { "verify", "verify", "how long it may take",
                                    PARAMETERS(verify_rows) };

perc_status options_kernel(const perc_params *p, struct kernel *out, perc_error *err)
{
    perc_status st;

    if (params_is(p, "kernel", "sigmoid"))
        return fail(err, PERC_EARG,
                    "--kernel sigmoid: tanh(eta x.z + theta) is not positive definite, so there is "
                    "no space in which its planes lie (pass poly, gaussian or rbf)");
    if ((st = kernel_parse(p, out, err))) return st;
    if (out->type == KERNEL_POLY && out->coef0 < 0)
        return fail(err, PERC_EARG,
                    "--coef0 below 0: (gamma x.z + coef0)^degree is not positive definite as a "
                    "rule, so there is no space in which its planes lie (pass 0 or more)");
    return PERC_OK;
}

perc_status options_check(const perc_params *p, perc_error *err)
{
    struct kernel k;
    perc_status st = options_kernel(p, &k, err);

    if (st || k.type == KERNEL_NONE || k.type == KERNEL_LINEAR) return st;
    if (params_bool(p, "hulls"))
        return fail(err, PERC_EARG, "--hulls are those of the rows as they are, without a kernel");
    return PERC_OK;
}

const char *perc_verdict_text(perc_verdict v)
{
    switch (v) {
    case PERC_SEPARABLE: return "separable";
    case PERC_TOUCHING: return "touching";
    case PERC_OVERLAPPING: return "overlapping";
    case PERC_INSEPARABLE: return "not separable";
    default: return "undecided";
    }
}
