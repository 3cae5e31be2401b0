/* calibrate.c -- probabilities: sigmoids fitted to scores of rows that were held out.
 *
 * A model knows the rows it learned from too well: their scores would make every sigmoid
 * too steep. So `folds` models are trained as this one was, each without a part of the
 * rows, and each asked about that part (folds.h); all those scores together are what the
 * sigmoids are fitted to (platt.c). The model itself keeps its weights.
 *
 * Two classes have one score and one sigmoid. More have a sigmoid each, fitted to "this
 * class or another" by the score of the class, and p is the sigmoid divided by the sum of
 * all (Zadrozny, Elkan 2002). Scores of a native machine are comparable with each other
 * and not with 0; a sigmoid has an offset of its own, so that does not matter.
 *
 * Weights of rows count, class weights do not: those say what an error costs, and a
 * probability is about how often something is so.
 *
 * Answers stay with the scores, unless a threshold says otherwise (answer.c). The most probable
 * label may be another one, because p = 1/2 need not lie at s = 0, and sigmoids of several classes
 * differ.
 *
 * A network has learned probabilities: it has its own (mlp_proba), and its answer is the most
 * probable label. It may be calibrated as any other model, if they turn out to be too sure;
 * the sigmoids then take their place. A gate is certain, and has none. */
#include <math.h>

#include "base/threads.h"
#include "machine/forward.h"
#include "model/folds.h"
#include "model/model.h"

void model_uncalibrate(perc_model *m)
{
    mem_free(&m->e, m->sigmoid, m->sigmoids, sizeof *m->sigmoid);
    m->sigmoid = NULL;
    m->sigmoids = 0;
}

/* A threshold that was given stays where the probabilities are those of the machine itself. */
void model_forget_fitted(perc_model *m)
{
    const bool fitted = m->sigmoid != NULL || m->threshold.of == THRESHOLD_SCORE;

    model_uncalibrate(m);
    if (fitted) m->threshold = (struct threshold){ .of = THRESHOLD_RULE };
    m->folds = 0;
}

/* ----- probabilities ----------------------------------------------------------------- */

/* A network that learned has learned probabilities, and so has logistic regression. */
bool model_learns_p(const struct rule *rule, const struct machine_ops *ops)
{
    return ops->teach != NULL || rule->flags & RULE_PROBABLE;
}

static bool has_own_p(const perc_model *m)
{
    return model_learns_p(m->learner.rule, m->learner.machine->ops);
}

bool model_has_p(const perc_model *m)
{
    return m->sigmoid != NULL || (has_own_p(m) && m->learner.labels.n > 1);
}

void model_probabilities(const perc_model *m, const double *scores, double *p)
{
    const size_t outputs = learner_outputs(&m->learner);
    const double other = -scores[0];

    if (m->sigmoid != NULL) {
        platt_probabilities(m->sigmoid, m->sigmoids, scores, p);
    } else if (m->learner.kind == KIND_REST) { /* what each says by itself, over the sum */
        platt_probabilities(NULL, outputs, scores, p);
    } else if (outputs == 1) { /* p[0] = 1 - p[1] would lose the digits of a small p[0] */
        mlp_proba(&other, 1, &p[0]);
        mlp_proba(scores, 1, &p[1]);
    } else {
        mlp_proba(scores, outputs, p);
    }
}

double model_log_p(const perc_model *m, const double *scores, size_t class)
{
    if (m->sigmoid != NULL) return platt_log(m->sigmoid, m->sigmoids, scores, class);
    if (m->learner.kind == KIND_REST)
        return platt_log(NULL, learner_outputs(&m->learner), scores, class);
    return -forward_loss(scores, learner_outputs(&m->learner), class);
}

size_t model_most_probable(const perc_model *m, const double *scores)
{
    const size_t outputs = learner_outputs(&m->learner);
    double p[2];

    if (outputs > 1)
        return m->sigmoid != NULL ? platt_best(m->sigmoid, outputs, scores)
                                  : linear_best(scores, outputs);
    model_probabilities(m, scores, p);
    return p[1] >= 0.5;
}

perc_status perc_probabilities(const perc_model *m, const double *scores, double *p,
                               perc_error *err)
{
    NEED(m != NULL && scores != NULL && p != NULL);
    if (!model_has_p(m) && has_own_p(m))
        return fail(err, PERC_EARG,
                    "the model has no probabilities: it does not know two labels "
                    "yet");
    if (!model_has_p(m))
        return fail(err, PERC_EARG, "the model has no probabilities: it was not calibrated");
    model_probabilities(m, scores, p);
    return PERC_OK;
}

perc_status perc_model_sigmoid(const perc_model *m, size_t c, double *a, double *b, perc_error *err)
{
    NEED(m != NULL && a != NULL && b != NULL);
    if (m->sigmoid == NULL)
        return fail(err, PERC_EARG, "the model has no sigmoids: it was not calibrated");
    if (c >= m->sigmoids)
        return fail(err, PERC_EARG, "output %zu: the model has %zu", c, m->sigmoids);
    *a = m->sigmoid[c].a;
    *b = m->sigmoid[c].b;
    return PERC_OK;
}

/* ----- fitting ----------------------------------------------------------------------- */

struct calibration {
    const perc_model *m;
    const perc_dataset *ds;
    size_t outputs, rows;
    double *score;  /* rows * outputs */
    double *weight; /* of the rows */
    uint32_t *class;
    struct sigmoid *sigmoid; /* outputs; NULL: none are fitted */
};

/* Classes and weights, row by row. */
static perc_status list_rows(struct calibration *c, perc_error *err)
{
    for (size_t k = 0; k < c->ds->blocks; k++) {
        const struct block *b = &c->ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            const uint32_t label = b->label[i];
            const size_t class = label < c->ds->labels.n
                                     ? learner_class(&c->m->learner, c->ds->labels.at[label].text)
                                     : CLASS_NONE;
            if (class == CLASS_NONE)
                return block_blame(b, i,
                                   fail_at(err, PERC_EDATA, block_line(b, i), 0,
                                           "the row has no label that the model knows"),
                                   err);
            c->class[b->first_row + i] = (uint32_t) class;
            c->weight[b->first_row + i] = block_weight(b, i);
        }
    }
    return PERC_OK;
}

/* Fits the sigmoid of output `i`; with two classes, the one for the second class. */
static void fit_one(void *ud, uint64_t i)
{
    const struct calibration *c = ud;
    const struct platt_rows rows = { .score = c->score + i,
                                     .stride = c->outputs,
                                     .n = c->rows,
                                     .class = c->class,
                                     .positive = c->outputs == 1 ? 1 : (uint32_t)i,
                                     .weight = c->weight };

    c->sigmoid[i] = platt_fit(&rows);
}

/* The scores of all rows, each by a model that has not seen it. */
static perc_status score_rows(const struct env *e, struct calibration *c, size_t folds,
                              const perc_observer *observer, struct pool *pool, perc_error *err)
{
    const perc_model *m = c->m;
    const size_t outputs = c->outputs;
    perc_status st;

    if (!machine_learns(m->learner.machine))
        return fail(err, PERC_EARG,
                    "a gate cannot be calibrated: it has learned nothing, and its "
                    "answers are certain");
    if (c->sigmoid != NULL && m->learner.rule->flags & RULE_PROBABLE)
        return fail(err, PERC_EARG,
                    "%s has learned probabilities already: they need no calibration",
                    m->learner.rule->table.name);
    if (m->learner.labels.n < 2)
        return fail(err, PERC_EDATA, "the model does not know two labels yet");
    if (c->ds->rows != m->rows)
        return fail(err, PERC_EDATA,
                    "the model was trained on %llu rows, these are %llu: calibrate it with the "
                    "rows it was trained on",
                    (unsigned long long)m->rows, (unsigned long long)c->ds->rows);
    c->score = pool_array(pool, c->rows, outputs * sizeof *c->score);
    c->weight = pool_array(pool, c->rows, sizeof *c->weight);
    c->class = pool_array(pool, c->rows, sizeof *c->class);
    st = pool->failed ? fail_memory(err) : list_rows(c, err);
    if (!st)
        st = folds_scores(e, c->ds, m->params, folds, observer, outputs, c->score, c->weight, err);
    for (size_t i = 0; i < c->rows * outputs && !st; i++) {
        if (isfinite(c->score[i])) continue;
        size_t at;
        const struct block *b = dataset_block(c->ds, i / outputs, &at);
        st = block_blame(b, at,
                         fail_at(err, PERC_EDATA, block_line(b, at), 0,
                                 "the score of this row overflows: scale the features (--scale)"),
                         err);
    }
    return st;
}

/* The threshold that is best for these scores, of one output. */
static perc_status choose_one(struct calibration *c, const struct wish *wish, struct pool *pool,
                              double *at, perc_choice *out, perc_error *err)
{
    struct held_score *row = pool_array(pool, c->rows, sizeof *row);
    size_t n = 0;

    if (row == NULL) return fail_memory(err);
    for (size_t i = 0; i < c->rows; i++)
        if (c->weight[i] > 0)
            row[n++] = (struct held_score){ c->score[i], c->weight[i], i, c->class[i] == 1 };
    return threshold_choose(wish, row, n, at, out, err);
}

/* Sigmoids, a threshold (best not NULL), or both. They are put into the model when all is done. */
static perc_status fit_answers(const struct env *e, perc_model *m, const perc_dataset *ds,
                               size_t folds, bool sigmoids, const char *best,
                               const perc_observer *observer, perc_choice *choice, perc_error *err)
{
    const size_t outputs = learner_outputs(&m->learner);
    struct pool pool = { .e = *e };
    struct calibration c = { .m = m, .ds = ds, .rows = (size_t)ds->rows, .outputs = outputs };
    struct threshold t = { .of = THRESHOLD_SCORE };
    struct wish wish;
    perc_status st = best != NULL ? threshold_wish(best, &wish, err) : PERC_OK;

    if (!st && best != NULL) st = model_threshold_fits(m, THRESHOLD_SCORE, 0, false, err);
    if (!st && sigmoids && (c.sigmoid = mem_array(&m->e, outputs, sizeof *c.sigmoid)) == NULL)
        st = fail_memory(err);
    if (!st) st = score_rows(e, &c, folds, observer, &pool, err);
    if (!st && sigmoids) threads_each(e->threads, outputs, fit_one, &c);
    if (!st && best != NULL) st = choose_one(&c, &wish, &pool, &t.at, choice, err);
    if (sigmoids && (st == PERC_OK || st == PERC_ENO)) {
        model_uncalibrate(m);
        m->sigmoid = c.sigmoid; /* the model owns them now */
        m->sigmoids = outputs;
        m->folds = folds;
        c.sigmoid = NULL;
    }
    if (!st && best != NULL) {
        for (size_t i = 0; (t.choice[i] = best[i]) != '\0';) i++; /* it fits: threshold_wish */
        m->threshold = t;
        m->folds = folds;
    }
    mem_free(&m->e, c.sigmoid, outputs, sizeof *c.sigmoid);
    pool_free(&pool);
    return st;
}

perc_status perc_calibrate(const perc_env *env, perc_model *m, const perc_dataset *ds, size_t folds,
                           const perc_observer *observer, perc_error *err)
{
    NEED(m != NULL && ds != NULL);
    NEED(observer_is_valid(observer));
    const struct env e = env_resolve(env);

    return fit_answers(&e, m, ds, folds, true, NULL, observer, NULL, err);
}

perc_status perc_choose_threshold_sized(const perc_env *env, perc_model *m, const perc_dataset *ds,
                                        size_t folds, const char *best, int calibrate,
                                        const perc_observer *observer, perc_choice *out,
                                        size_t size, perc_error *err)
{
    perc_choice own = { 0 };

    sized_copy(out, size, &own, sizeof own);
    NEED(m != NULL && ds != NULL && best != NULL);
    NEED(observer_is_valid(observer));
    const struct env e = env_resolve(env);
    const perc_status st = fit_answers(&e, m, ds, folds, calibrate != 0, best, observer, &own, err);

    sized_copy(out, size, &own, sizeof own);
    return st;
}
