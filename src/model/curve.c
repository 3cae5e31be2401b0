/* curve.c -- learning curves: how the error falls as the rows grow in number.
 *
 * The rows of each label are shuffled once (deal.c). The share s of a label with n rows
 * is the first round(s n) of them, at least one; those of weight 0 are counted apart. So
 * each share has its labels in proportion, and holds every smaller one. With folds, n
 * counts the rows outside the fold, and every share is learned k times, each time without
 * a different fold; the report has means over the folds. */
#include <math.h>
#include <stdio.h>

#include "data/measure.h"
#include "model/deal.h"
#include "model/judge.h"
#include "model/trials.h"

struct learning_curve {
    const perc_dataset *ds, *held_set; /* held_set NULL: folds */
    size_t k, n;                       /* folds (1: none) and shares */
    const double *share;
    struct deal deal;
    uint32_t *fold;             /* by row; NULL: none */
    perc_metrics *train, *held; /* by trial: share by share, fold by fold */
    uint64_t *rows;             /* likewise: how many were learned from */
};

/* Whether a row is outside fold f. */
static bool is_free(const struct learning_curve *c, size_t f, uint64_t row)
{
    return c->fold == NULL || c->fold[row] != f;
}

static void choose_share(const void *ud, size_t t, uint8_t *chosen)
{
    const struct learning_curve *c = ud;
    const double share = c->share[t / c->k];
    const size_t f = t % c->k;

    for (uint64_t i = 0; i < c->ds->rows; i++) chosen[i] = 0;
    for (size_t l = 0; l < c->deal.piles; l++) {
        const uint64_t *row = c->deal.row + c->deal.start[l];
        const uint64_t n = c->deal.start[l + 1] - c->deal.start[l];
        uint64_t free = 0, want;
        for (uint64_t i = 0; i < n; i++) free += is_free(c, f, row[i]);
        want = (uint64_t)floor(share * (double)free + 0.5);
        if (want == 0) want = 1;
        for (uint64_t i = 0; i < n && want > 0; i++) {
            if (!is_free(c, f, row[i])) continue;
            chosen[row[i]] = 1;
            want--;
        }
    }
}

/* The rows of a set of its own, as the model of the trial reads them. */
static perc_status judge_set(const struct trial *t, const perc_dataset *held, bool measured,
                             perc_metrics *out, perc_error *err)
{
    const perc_env env = { t->e.alloc, t->e.ud, t->e.threads };
    perc_dataset *own = NULL;
    perc_status st = PERC_OK;

    if (measured) st = measure_like(&t->e, t->ds, held, &own, err);
    if (!st) st = perc_evaluate(&env, t->m, own != NULL ? own : held, out, NULL, err);
    perc_dataset_free(own);
    return judge_failed(st, err);
}

static perc_status judge_share(void *ud, const struct trial *t, perc_error *err)
{
    const struct learning_curve *c = ud;
    const size_t rows = (size_t)c->ds->rows, n = t->number;
    const struct judged learned = { t->chosen, 1, t->watch };
    perc_status st = judge_rows(&t->e, t->m, t->ds, &learned, &c->train[n], err);

    c->rows[n] = judge_count(&learned, rows);
    if (st) return st;
    if (c->held_set != NULL) return judge_set(t, c->held_set, t->ds != c->ds, &c->held[n], err);
    uint8_t *own = mem_array(&t->e, rows, sizeof *own);
    if (own == NULL) return fail_memory(err);
    for (size_t i = 0; i < rows; i++) own[i] = c->fold[i] == n % c->k;
    st = judge_rows(&t->e, t->m, t->ds, &(struct judged){ own, 1, t->watch }, &c->held[n], err);
    mem_free(&t->e, own, rows, sizeof *own);
    return st;
}

static void name_share(const void *ud, size_t t, char name[TRIAL_NAME])
{
    const struct learning_curve *c = ud;
    const double percent = 100 * c->share[t / c->k];

    if (c->fold == NULL) snprintf(name, TRIAL_NAME, "%.4g %% of the rows", percent);
    else snprintf(name, TRIAL_NAME, "%.4g %% of the rows, fold %zu", percent, t % c->k + 1);
}

perc_status perc_learning_curve_sized(const perc_env *env, const perc_dataset *ds,
                                      const perc_params *p, const perc_dataset *held_set, size_t k,
                                      const double *share, size_t n, const perc_observer *observer,
                                      double *rows, perc_metrics *train, perc_metrics *held,
                                      size_t size, perc_error *err)
{
    NEED(ds != NULL && share != NULL && rows != NULL && train != NULL && held != NULL);
    NEED(n <= UINT32_MAX && k <= UINT32_MAX && observer_is_valid(observer));
    NEED_PARAMS(p, "learner");
    const struct env e = env_resolve(env);
    struct pool pool = { .e = e };
    struct learning_curve c = {
        .ds = ds, .held_set = held_set, .n = n, .k = held_set != NULL ? 1 : k, .share = share
    };
    const struct trials t = { .e = e,
                              .ds = ds,
                              .p = p,
                              .observer = observer,
                              .count = c.k * n,
                              .ud = &c,
                              .choose = choose_share,
                              .judge = judge_share,
                              .name = name_share };
    const uint64_t seed = (uint64_t)params_int(p, "seed");
    perc_status st = PERC_OK;

    for (size_t i = 0; i < n && !st; i++)
        if (!(share[i] > 0 && share[i] <= 1))
            st = fail(err, PERC_EARG, "a share of the rows must lie between 0 and 1");
    if (!st && held_set == NULL && k < 2)
        st = fail(err, PERC_EARG, "%zu fold%s: at least 2 are needed", k, k == 1 ? "" : "s");
    if (!st) st = deal_open(&e, ds, seed, DEAL_SHARES, &c.deal, err);
    if (st) return st;
    c.train = pool_zeroed(&pool, t.count, sizeof *c.train);
    c.held = pool_zeroed(&pool, t.count, sizeof *c.held);
    c.rows = pool_zeroed(&pool, t.count, sizeof *c.rows);
    if (held_set == NULL) c.fold = pool_array(&pool, ds->rows, sizeof *c.fold);
    if (pool.failed) st = fail_memory(err);
    if (!st && held_set == NULL)
        st = deal_folds(&e, ds, k, seed, params_text(p, "positive"), c.fold, err);
    if (!st) st = trials_run(&t, err);
    if (!st) {
        perc_metrics mean, spread;
        for (size_t i = 0; i < c.n; i++) {
            uint64_t sum = 0;
            for (size_t f = 0; f < c.k; f++) sum += c.rows[i * c.k + f];
            rows[i] = (double)sum / (double)c.k;
            perc_metrics_summary(c.train + i * c.k, c.k, &mean, &spread);
            sized_copy(sized_at(train, size, i), size, &mean, sizeof mean);
            perc_metrics_summary(c.held + i * c.k, c.k, &mean, &spread);
            sized_copy(sized_at(held, size, i), size, &mean, sizeof mean);
        }
    }
    deal_close(&c.deal);
    pool_free(&pool);
    return st;
}
