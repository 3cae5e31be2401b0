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

/* From (0, 0) to (1, 1); of points in a line upwards or across only the ends are kept. A point is
 * kept if it lies at least `step` along the curve beyond the last one kept, measured in x + y,
 * which never falls; the end always is. Returns how many; `x` NULL: they are only counted. */
static size_t walk_curve(const struct roc_sides *s, double step, double *x, double *y)
{
    const double *pos = s->score, *neg = s->score + (s->rows - s->negatives);
    double at[2][2] = { { 0, 0 } }; /* the last two points kept: x, y */
    size_t p = 0, q = 0, n = 1;

    if (x != NULL) x[0] = y[0] = 0;
    while (p < s->positives || q < s->negatives) {
        const double high = p == s->positives                     ? neg[q]
                            : q < s->negatives && neg[q] > pos[p] ? neg[q]
                                                                  : pos[p];

        while (p < s->positives && pos[p] == high) p++;
        while (q < s->negatives && neg[q] == high) q++;
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
    if (learner_outputs(&m->learner) != 1)
        return fail(err, PERC_EARG, "a ROC curve is about two classes");
    if (most < 3) return fail(err, PERC_EARG, "a curve has three points at least");
    if ((s.score = mem_array(&e, s.rows + 1, sizeof *s.score)) == NULL) return fail_memory(err);
    st = split_scores(m, ds, scores, &s, err);
    if (!st) {
        sort_items(s.score, s.positives, sizeof *s.score, falling);
        sort_items(s.score + (s.rows - s.negatives), s.negatives, sizeof *s.score, falling);
        const bool all = walk_curve(&s, 0, NULL, NULL) <= most;
        *n = walk_curve(&s, all ? 0 : 2.0 / (double)(most - 2), x, y);
    }
    mem_free(&e, s.score, s.rows + 1, sizeof *s.score);
    return st;
}
