/* metric.c -- the metrics by name, for whoever chooses by one: a search, or the best pass of a run
 * (validate.c). What they are is in metrics.c. */
#include "model/metric.h"

#include <math.h>
#include <string.h>

#include "model/model.h"

static const struct {
    const char *name;
    bool lower;       /* the less the better */
    bool two;         /* needs two classes and one score */
    bool probability; /* needs a learner that learns probabilities */
    size_t at;        /* in perc_metrics */
} metric[] = {
    { "error", true, false, false, offsetof(perc_metrics, error) },
    { "accuracy", false, false, false, offsetof(perc_metrics, accuracy) },
    { "balanced-accuracy", false, false, false, offsetof(perc_metrics, balanced_accuracy) },
    { "f1", false, false, false, offsetof(perc_metrics, f1) },
    { "mcc", false, false, false, offsetof(perc_metrics, mcc) },
    { "auc", false, true, false, offsetof(perc_metrics, auc) },
    { "average-precision", false, true, false, offsetof(perc_metrics, average_precision) },
    { "log-loss", true, false, true, offsetof(perc_metrics, log_loss) },
    { "brier", true, false, true, offsetof(perc_metrics, brier) },
};
enum { METRICS = sizeof metric / sizeof *metric };

static size_t find(const char *name)
{
    size_t i = 0;

    while (i < METRICS && (name == NULL || strcmp(metric[i].name, name) != 0)) i++;
    return i;
}

const char *perc_metric_name(size_t i)
{
    return i < METRICS ? metric[i].name : NULL;
}

double perc_metric_value_sized(const perc_metrics *metrics, const char *name, size_t size)
{
    const size_t i = find(name);
    double v = NAN;

    if (metrics != NULL && i < METRICS && metric[i].at + sizeof v <= size)
        memcpy(&v, (const char *)metrics + metric[i].at, sizeof v);
    return v;
}

int perc_metric_better(const char *name, double a, double b)
{
    const size_t i = find(name);

    if (i == METRICS || isnan(a)) return 0;
    return isnan(b) || (metric[i].lower ? a < b : a > b);
}

perc_status perc_metric_check(const char *name, const perc_params *p, const perc_dataset *ds,
                              perc_error *err)
{
    NEED(name != NULL && ds != NULL);
    NEED_PARAMS(p, "learner");
    const size_t i = find(name);
    const struct rule *rule = rule_find(p->table->name);
    const char *how = perc_params_get(p, "multiclass"), *positive = params_text(p, "positive");

    if (i == METRICS)
        return fail(err, PERC_EARG, "there is no metric '%.60s' (see perc_metric_name)", name);
    if (metric[i].probability && !model_learns_p(rule, learner_machine(rule, p)))
        return fail(err, PERC_EARG,
                    "%s is about probabilities, and %s learns none: --calibrate fits them when "
                    "all is chosen (use auc)",
                    name, rule->table.name);
    if (!metric[i].two || positive[0] != '\0') return PERC_OK;
    if (ds->labels.n > 2)
        return fail(err, PERC_EARG, "%s is for two labels, these data have %zu (use f1)", name,
                    ds->labels.n);
    if (how != NULL && strcmp(how, "auto") != 0)
        return fail(err, PERC_EARG, "%s needs one score: leave out --multiclass %s", name, how);
    return PERC_OK;
}

const char *metric_of_passes(const perc_model *m)
{
    return model_learns_p(m->learner.rule, m->learner.machine->ops) ? "log-loss" : "error";
}
