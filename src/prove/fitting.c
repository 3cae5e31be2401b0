/* fitting.c -- perc_fit and perc_fit_validated: training (src/model), which may ask whole numbers
 * what doubles cannot tell. */
#include "model/train.h"
#include "model/validate.h"
#include "prove/arbiter.h"

perc_status perc_fit_sized(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                           const perc_observer *observer, perc_model **out, perc_report *report,
                           size_t size, perc_error *err)
{
    NEED_OUT(out);
    NEED(ds != NULL && observer_is_valid(observer));
    NEED_PARAMS(p, "learner");
    const struct env e = env_resolve(env);
    const struct arbiter arbiter = { arbiter_ask, arbiter_decide, ds };
    perc_report own = { 0 };
    const perc_status st = train_fit(&e, ds, p, observer, &arbiter, out,
                                     report != NULL ? &own : NULL, err);

    sized_copy(report, size, &own, sizeof own);
    return st;
}

perc_status perc_fit_by_metric_sized(const perc_env *env, const perc_dataset *ds,
                                     const perc_params *p, const perc_dataset *held,
                                     const char *metric, int64_t patience,
                                     const perc_observer *observer, perc_model **out,
                                     perc_report *report, size_t size, perc_error *err)
{
    NEED_OUT(out);
    NEED(ds != NULL && held != NULL && observer_is_valid(observer));
    NEED_PARAMS(p, "learner");
    const struct env e = env_resolve(env);
    const struct arbiter arbiter = { arbiter_ask, arbiter_decide, ds };
    perc_report own = { 0 };
    const perc_status st = validate_fit(&e, ds, p, held, metric, patience, observer, &arbiter, out,
                                        report != NULL ? &own : NULL, err);

    sized_copy(report, size, &own, sizeof own);
    return st;
}

perc_status perc_fit_validated_sized(const perc_env *env, const perc_dataset *ds,
                                     const perc_params *p, const perc_dataset *held,
                                     int64_t patience, const perc_observer *observer,
                                     perc_model **out, perc_report *report, size_t size,
                                     perc_error *err)
{
    return perc_fit_by_metric_sized(env, ds, p, held, NULL, patience, observer, out, report, size,
                                    err);
}
