/* roc.c -- how single rows fare under a model: their margins, and the ROC curve.
 *
 * The margin of a row is y s; of more than two classes half the gap between the score of its own
 * and the best of the others. A row is an error where it is not above 0.
 *
 * As a threshold falls from above the highest score to the lowest, the ROC curve has the share of
 * the negative rows at or above it across, and that of the positive rows upwards.
 * Rows of one score are passed at once, so that the area below counts ties a half: it is the
 * AUC of metrics.c. */
#include <math.h>

#include "base/sort.h"
#include "model/model.h"

perc_status perc_margins(const perc_model *m, const perc_dataset *ds, const double *scores,
                         double *margins, perc_error *err)
{
    NEED(m != NULL && ds != NULL && scores != NULL && margins != NULL);
    const size_t outputs = learner_outputs(&m->learner);
    struct pool pool = { .e = m->e };
    const size_t *class_of = model_classes(m, ds, &pool);

    if (class_of == NULL) return fail_memory(err);
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            const size_t class = model_class_at(b, i, ds->labels.n, class_of);
            const uint64_t row = b->first_row + i;

            margins[row] = class != CLASS_NONE
                               ? learner_margin(&m->learner, scores + row * outputs, class)
                               : NAN;
        }
    }
    pool_free(&pool);
    return PERC_OK;
}

perc_status perc_baseline(const perc_model *m, const perc_dataset *ds, size_t *label, double *error,
                          perc_error *err)
{
    NEED(m != NULL && ds != NULL && label != NULL && error != NULL);
    struct pool pool = { .e = m->e };
    const size_t n = m->learner.labels.n, *class_of = model_classes(m, ds, &pool);
    uint64_t *count = pool_zeroed(&pool, n, sizeof *count), rows = 0;

    *label = 0;
    *error = NAN;
    if (pool.failed) {
        pool_free(&pool);
        return fail_memory(err);
    }
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            const size_t class = model_class_at(b, i, ds->labels.n, class_of);
            if (class == CLASS_NONE || !(block_weight(b, i) > 0)) continue;
            rows++;
            count[class]++;
        }
    }
    for (size_t c = 1; c < n; c++)
        if (count[c] > count[*label]) *label = c;
    if (rows > 0) *error = (double)(rows - count[*label]) / (double)rows;
    pool_free(&pool);
    return PERC_OK;
}

/* The scores of positive rows from the front, those of negative ones from the end. */
struct roc_sides {
    double *score;
    size_t rows, positives, negatives;
};

static perc_status split_scores(const perc_model *m, const perc_dataset *ds, const double *scores,
                                struct roc_sides *s, perc_error *err)
{
    struct pool pool = { .e = m->e };
    const size_t *class_of = model_classes(m, ds, &pool);
    perc_status st = class_of == NULL ? fail_memory(err) : PERC_OK;

    for (size_t k = 0; k < ds->blocks && !st; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows && !st; i++) {
            const size_t class = model_class_at(b, i, ds->labels.n, class_of);
            const double score = scores[b->first_row + i];

            if (class == CLASS_NONE) continue;
            if (!isfinite(score)) st = fail(err, PERC_EARG, "a score is not a finite number");
            else if (class > 0) s->score[s->positives++] = score;
            else s->score[s->rows - ++s->negatives] = score;
        }
    }
    pool_free(&pool);
    if (!st && (s->positives == 0 || s->negatives == 0))
        return fail(err, PERC_EDATA, "all rows are of one class");
    return st;
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* Both sides, sorted; to be closed even if that fails. */
static perc_status open_sides(const struct env *e, const perc_model *m, const perc_dataset *ds,
                              const double *scores, struct roc_sides *s, perc_error *err)
{
    perc_status st;

    if (learner_outputs(&m->learner) != 1)
        return fail(err, PERC_EARG, "a ROC curve is about two classes");
    if ((s->score = mem_array(e, s->rows + 1, sizeof *s->score)) == NULL) return fail_memory(err);
    if ((st = split_scores(m, ds, scores, s, err))) return st;
    sort_items(s->score, s->positives, sizeof *s->score, falling);
    sort_items(s->score + (s->rows - s->negatives), s->negatives, sizeof *s->score, falling);
    return PERC_OK;
}

static void close_sides(const struct env *e, struct roc_sides *s)
{
    mem_free(e, s->score, s->rows + 1, sizeof *s->score);
}

/* The next lower score, of which p positive and q negative rows have been passed before. */
static double pass_score(const struct roc_sides *s, size_t *p, size_t *q)
{
    const double *pos = s->score, *neg = s->score + (s->rows - s->negatives);
    const bool left = *q < s->negatives;
    const double high = *p == s->positives || (left && neg[*q] > pos[*p]) ? neg[*q] : pos[*p];

    while (*p < s->positives && pos[*p] == high) ++*p;
    while (*q < s->negatives && neg[*q] == high) ++*q;
    return high;
}

/* From (0, 0) to (1, 1); of points in a line upwards or across only the ends are kept. A point is
 * kept if it lies at least `step` along the curve beyond the last one kept, measured in x + y,
 * which never falls; the end always is. Returns how many; `x` NULL: they are only counted. */
static size_t walk_curve(const struct roc_sides *s, double step, double *x, double *y)
{
    double at[2][2] = { { 0, 0 } }; /* the last two points kept: x, y */
    size_t p = 0, q = 0, n = 1;

    if (x != NULL) x[0] = y[0] = 0;
    while (p < s->positives || q < s->negatives) {
        pass_score(s, &p, &q);
        const double to[2] = { (double)q / (double)s->negatives, (double)p / (double)s->positives };
        const bool end = p == s->positives && q == s->negatives;
        if (!end && to[0] - at[1][0] + to[1] - at[1][1] < step) continue;
        const bool straight = n > 1 && ((at[0][0] == at[1][0] && at[1][0] == to[0]) ||
                                        (at[0][1] == at[1][1] && at[1][1] == to[1]));
        for (int k = 0; k < 2; k++) {
            if (!straight) at[0][k] = at[1][k];
            at[1][k] = to[k];
        }
        n += !straight;
        if (x != NULL) x[n - 1] = to[0], y[n - 1] = to[1];
    }
    return n;
}

/* ----- the trade-off ---------------------------------------------------------------------- */

static perc_trade trade_at(const perc_model *m, const struct roc_sides *s, double score, size_t tp,
                           size_t fp)
{
    const double all = (double)s->positives, right = (double)tp, said = right + (double)fp;
    double p[2] = { NAN, NAN };

    if (model_has_p(m)) model_probabilities(m, &score, p);
    return (perc_trade){ .score = score,
                         .p = p[1],
                         .true_positives = tp,
                         .false_positives = fp,
                         .precision = right / said,
                         .recall = right / all,
                         .false_positive_rate = (double)fp / (double)s->negatives,
                         .f1 = 2 * right / (said + all) };
}

/* The entries, at least `step` apart on the ROC curve but for the ends and that of the model's own
 * threshold. Returns how many; `each` NULL: they are only counted. */
static size_t walk_trades(const perc_model *m, const struct roc_sides *s, double step, void *each,
                          size_t size)
{
    double along = -1; /* x + y of the last entry */
    size_t n = 0, p = 0, q = 0;

    while (p < s->positives || q < s->negatives) {
        const double score = pass_score(s, &p, &q);
        const bool end = p == s->positives && q == s->negatives;
        perc_trade t = trade_at(m, s, score, p, q);
        size_t after[2] = { p, q };
        const double lower = end ? score : pass_score(s, &after[0], &after[1]);
        t.here = model_answer(m, &score) == 1 && (end || model_answer(m, &lower) == 0);
        if (!end && !t.here && n > 0 && t.false_positive_rate + t.recall - along < step) continue;
        if (!t.here) along = t.false_positive_rate + t.recall;
        if (each != NULL) sized_copy(sized_at(each, size, n), size, &t, sizeof t);
        n++;
    }
    return n;
}

perc_status perc_trade_off_sized(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                                 const double *scores, size_t most, perc_trade *each, size_t *n,
                                 size_t size, perc_error *err)
{
    NEED(n != NULL);
    *n = 0;
    NEED(m != NULL && ds != NULL && scores != NULL && each != NULL);
    const struct env e = env_resolve(env);
    struct roc_sides s = { .rows = (size_t)ds->rows };
    perc_status st = open_sides(&e, m, ds, scores, &s, err);

    if (!st && most < 3) st = fail(err, PERC_EARG, "a trade-off has three entries at least");
    if (!st) {
        const bool all = walk_trades(m, &s, 0, NULL, 0) <= most;
        *n = walk_trades(m, &s, all ? 0 : 2.0 / (double)(most - 2), each, size);
    }
    close_sides(&e, &s);
    return st;
}

/* ----- the curve -------------------------------------------------------------------------- */

perc_status perc_roc(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                     const double *scores, size_t most, double *x, double *y, size_t *n,
                     perc_error *err)
{
    NEED(n != NULL);
    *n = 0;
    NEED(m != NULL && ds != NULL && scores != NULL && x != NULL && y != NULL);
    const struct env e = env_resolve(env);
    struct roc_sides s = { .rows = (size_t)ds->rows };
    perc_status st;

    *n = 0;
    if (most < 3) return fail(err, PERC_EARG, "a curve has three points at least");
    st = open_sides(&e, m, ds, scores, &s, err);
    if (!st) {
        const bool all = walk_curve(&s, 0, NULL, NULL) <= most;
        *n = walk_curve(&s, all ? 0 : 2.0 / (double)(most - 2), x, y);
    }
    close_sides(&e, &s);
    return st;
}
