/* metrics.c -- how good a model is on labelled rows.
 *
 * Two counts of wrong rows stand side by side, because they may differ:
 *
 *     errors      rows with y s <= 0: a row on the boundary errs for either label
 *     confusion   by the answer (answer.c): +1 when s > 0, -1 when s <= 0, unless the model
 *                 has a threshold
 *
 * so without one errors = (wrong answers) + (negative rows with s = 0).
 *
 *     perceptron loss  mean of max(0, -y s)      hinge loss  mean of max(0, 1 - y s)
 *     precision TP / (TP + FP)   recall TP / (TP + FN)   F1 2 TP / (2 TP + FP + FN)
 *
 * The area under the ROC curve is the share of the P N pairs of a positive and a
 * negative row in which the positive one scores higher, a tie counting a half
 * (Mann, Whitney 1947). Pairs are counted in whole numbers, doubled so that a
 * half is one: the count is exact, and rounding begins with the quotient.
 *
 * The average precision sums precision times what recall gains, from the highest score down, rows
 * of one score at once; no line is drawn between points, which would promise too much (Davis,
 * Goadrich 2006):
 *
 *     AP   sum over the scores h that positive rows have of
 *          (positive rows at h / P) TP(h) / (TP(h) + FP(h)), counted at or above h
 *
 * The balanced accuracy is the mean recall of the classes that there are rows of. The correlation
 * of labels and answers (Matthews 1975; Gorodkin 2004), of n rows, c of them right, t_k of class k
 * and p_k said to be:
 *
 *     MCC  (c n - sum p_k t_k) / sqrt((n^2 - sum p_k^2) (n^2 - sum t_k^2))
 *
 * in whole numbers up to the root. The baseline gives every row the label that most rows have.
 *
 * Quantiles of the margin y s and of the distance y s / |w|, both negative for a
 * row on the wrong side: with the margins sorted, m_0 <= ... <= m_(n-1), quantile
 * q lies at place h = q (n - 1), linearly between its neighbours (numpy's rule).
 * |w| is taken where the machine lives, after scaling; the offset is not in it.
 *
 * With more than two classes the margin is half the gap between the score of the
 * truth and the highest other, an error is a margin <= 0, the prediction is the
 * highest score, ties to the lower class; precision, recall and F1 are the means
 * over the classes that have them.
 *
 * Probabilities (calibrated models and networks), with p_c those of a row's classes and t its
 * truth; log p comes from the score and not from p, which may round to 0 or to 1:
 *
 *     log loss     mean of -log p_t
 *     Brier score  mean of (p - y)^2, p of the positive class and y 1 or 0 (Brier 1950);
 *                  more than two classes: mean of the sum over c of (p_c - [c = t])^2
 *     reliability  rows by tenths of p of the positive class, or of the answer if there are
 *                  more: mean p beside the share of rows for which it came true
 *
 * Every row counts once: example weights are for learning and play no part here.
 * Rows without a label, and those with one that the model does not know, are counted
 * and left out. A ratio 0/0 is NaN, so with no labelled rows all
 * ratios are.
 *
 * One sort serves all: positive and negative scores are sorted apart, by radix;
 * walking both upward counts the pairs, walking the negatives downward merges the
 * margins. O(rows) time after scoring, 24 bytes a row.
 *
 * Not here: the scores themselves (predict.c). */
#include <math.h>
#include <string.h>

#include "model/metrics.h"

/* ----- sorting scores ------------------------------------------------------ */

/* A double as a whole number that sorts the same way: a negative number has all its
 * bits flipped, any other only the sign. Adding 0 gives -0 and 0 the same key. */
static uint64_t key_of(double s)
{
    const uint64_t sign = (uint64_t)1 << 63;
    uint64_t u;

    s += 0.0;
    memcpy(&u, &s, sizeof u);
    return u & sign ? ~u : u | sign;
}

static double score_of(uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << 63, u = key & sign ? key ^ sign : ~key;
    double s;

    memcpy(&s, &u, sizeof s);
    return s;
}

/* Least significant byte first; `spare` has room for n. A byte that all keys
 * share moves nothing, and is skipped. */
static void sort_keys(uint64_t *key, size_t n, uint64_t *spare)
{
    size_t count[8][256] = { { 0 } };
    uint64_t *from = key, *to = spare;

    for (size_t i = 0; i < n; i++)
        for (int b = 0; b < 8; b++) count[b][key[i] >> 8 * b & 255]++;
    for (int b = 0; b < 8 && n > 0; b++) {
        size_t at = 0;
        if (count[b][key[0] >> 8 * b & 255] == n) continue;
        for (int v = 0; v < 256; v++) {
            const size_t c = count[b][v];
            count[b][v] = at;
            at += c;
        }
        for (size_t i = 0; i < n; i++) to[count[b][from[i] >> 8 * b & 255]++] = from[i];
        uint64_t *t = from;
        from = to;
        to = t;
    }
    if (from != key) memcpy(key, from, n * sizeof *key);
}

/* ----- counting -------------------------------------------------------------- */

/* The labelled rows' scores: positives from the front of `key`, negatives from
 * its end. More than two classes: the margins, all from the front. */
struct measured {
    const perc_model *m;
    const perc_dataset *ds;
    size_t *class_of; /* of each label of the set; CLASS_NONE: not known */
    double *score;    /* `outputs` of each row; later the margins, sorted */
    uint64_t *key, *spare;
    uint64_t *confusion; /* [truth][prediction] */
    size_t rows, outputs, classes, positives, negatives;
    perc_metrics *out;
    double perceptron_sum, hinge_sum;
    double *p; /* scratch: `classes` probabilities; NULL: there are none */
    double log_sum, brier_sum;
};

/* Counts the probabilities of one row. The bins hold sums until `evaluate` divides them. */
static void count_p(struct measured *t, const double *s, size_t class, size_t answer)
{
    const perc_model *m = t->m;
    const bool two = t->outputs == 1;
    perc_metrics *o = t->out;
    double brier = 0;

    model_probabilities(m, s, t->p);
    t->log_sum -= model_log_p(m, s, class);
    o->disagree += t->p[linear_best(t->p, t->classes)] > t->p[answer]; /* ties agree */
    for (size_t c = two; c < t->classes; c++) {
        const double d = t->p[c] - (c == class);
        brier += d * d;
    }
    t->brier_sum += brier;
    const double p = t->p[two ? 1 : answer];
    /* Bin i has i / 10 <= p < (i + 1) / 10, with the bounds as doubles; 1 is in the last. A p that
     * is a bound, or above it, is not below it times 10, either. */
    int i = (int)(p * PERC_BINS);
    if (i > PERC_BINS - 1) i = PERC_BINS - 1;
    while (i > 0 && p < i / (double)PERC_BINS) i--;
    o->reliability[i].rows++;
    o->reliability[i].p += p;
    o->reliability[i].share += class == (two ? 1 : answer);
}

/* Counts one row whose label the model knows. */
static void count_row(struct measured *t, const double *s, size_t class)
{
    const struct learner *l = &t->m->learner;
    const bool two = t->outputs == 1;
    const double margin = learner_margin(l, s, class); /* exact for two */
    const size_t answer = model_answer(t->m, s);
    perc_metrics *o = t->out;

    o->rows++;
    o->errors += !(margin > 0);
    o->on_boundary += margin == 0;
    t->confusion[class * t->classes + answer]++;
    if (margin < 0) t->perceptron_sum -= margin;
    if (margin < 1) t->hinge_sum += 1 - margin;
    if (t->p != NULL) count_p(t, s, class, answer);
    if (!two) t->key[t->positives++] = key_of(margin);
    else if (class > 0) t->key[t->positives++] = key_of(s[0]);
    else t->key[t->rows - ++t->negatives] = key_of(s[0]);
}

static perc_status count_rows(struct measured *t, perc_error *err)
{
    for (size_t k = 0; k < t->ds->blocks; k++) {
        const struct block *b = &t->ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            const double *s = t->score + (b->first_row + i) * t->outputs;
            const size_t class = model_class_at(b, i, t->ds->labels.n, t->class_of);
            bool finite = true;
            for (size_t c = 0; c < t->outputs; c++) finite &= isfinite(s[c]) != 0;
            if (!finite)
                return block_blame(
                    b, i,
                    fail_at(err, PERC_EDATA, block_line(b, i), 0,
                            "the score of this row overflows: its values are too large for the "
                            "model's weights; scale the features (--scale) and train again"),
                    err);
            if (class != CLASS_NONE) count_row(t, s, class);
            else if (b->label[i] >= t->ds->labels.n) t->out->unlabelled++;
            else t->out->unknown++;
        }
    }
    return PERC_OK;
}

/* ----- what the sorted scores tell --------------------------------------------- */

/* A positive row with j negatives below its score and e - j at the same score wins j
 * pairs and ties e - j: doubled, 2 j + (e - j) = j + e. The sum is at most
 * 2 P N, which 64 bits hold for fewer than 2^32 rows. */
static double auc(const uint64_t *pos, size_t p, const uint64_t *neg, size_t n)
{
    uint64_t twice = 0;
    size_t j = 0, e = 0;

    if (p == 0 || n == 0) return NAN;
    for (size_t i = 0; i < p; i++) {
        while (j < n && neg[j] < pos[i]) j++;
        if (e < j) e = j;
        while (e < n && neg[e] == pos[i]) e++;
        twice += (uint64_t)j + e;
    }
    return (double)twice / (2.0 * (double)p * (double)n);
}

/* Both keys rise, and are walked from the end. */
static double average_precision(const uint64_t *pos, size_t p, const uint64_t *neg, size_t n)
{
    const size_t all = p;
    size_t passed = n; /* negatives below what has been passed */
    double sum = 0;

    if (p == 0) return NAN;
    while (p > 0) {
        const uint64_t here = pos[p - 1];
        const size_t before = p;
        while (p > 0 && pos[p - 1] == here) p--;
        while (passed > 0 && neg[passed - 1] >= here) passed--;
        const double tp = (double)(all - p), fp = (double)(n - passed);
        sum += (double)(before - p) * (tp / (tp + fp));
    }
    return sum / (double)all;
}

/* Quantiles of m_i / unit. */
static void quantiles(const double *m, size_t n, double unit, double out[PERC_QUANTILES])
{
    static const double q[PERC_QUANTILES] = { 0, 0.05, 0.25, 0.5, 0.75, 0.95, 1 };

    for (int k = 0; k < PERC_QUANTILES; k++) {
        out[k] = NAN;
        if (n == 0 || !(unit > 0)) continue;
        const double h = q[k] * (double)(n - 1), floor_h = floor(h);
        const size_t i = (size_t)floor_h;
        const double a = m[i] / unit, b = m[i + 1 < n ? i + 1 : i] / unit, g = h - floor_h;
        /* From the nearer end, as numpy does, so that the result never leaves [a, b]; a
         * weighted mean where b - a overflows. */
        if (!isfinite(b - a)) out[k] = a * (1 - g) + b * g;
        else out[k] = g < 0.5 ? a + (b - a) * g : b - (b - a) * (1 - g);
    }
}

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : NAN;
}

static void conclude_two(struct measured *t)
{
    perc_metrics *o = t->out;
    const uint64_t *c = t->confusion, fp = c[1], fn = c[2], tp = c[3];
    uint64_t *neg = t->key + (t->rows - t->negatives);

    o->precision = ratio(tp, tp + fp);
    o->recall = ratio(tp, tp + fn);
    o->f1 = ratio(2 * tp, 2 * tp + fp + fn);
    sort_keys(t->key, t->positives, t->spare);
    sort_keys(neg, t->negatives, t->spare);
    o->auc = auc(t->key, t->positives, neg, t->negatives);
    o->average_precision = average_precision(t->key, t->positives, neg, t->negatives);
    /* Margins in rising order: y s is s for a positive row, -s for a negative one. */
    const size_t p = t->positives;
    size_t n = t->negatives;
    double *out = t->score;
    size_t i = 0;
    while (i < p || n > 0) {
        const double a = i < p ? score_of(t->key[i]) : INFINITY;
        const double b = n > 0 ? 0.0 - score_of(neg[n - 1]) : INFINITY; /* no -0 */
        if (a <= b) i++;
        else n--;
        *out++ = a <= b ? a : b;
    }
    const struct learner *l = &t->m->learner; /* a vote has no distance */
    const double norm = l->rule->keep == KEEP_VOTES
                            ? 0
                            : l->machine->unit * linear_norm(machine_result(l->machine));
    quantiles(t->score, (size_t)o->rows, norm, o->distance);
}

/* Rows rightly said to be of a class, over those said to be of it (said = 1), those that are
 * (are = 1), or both (F1): the mean over the classes for which that is not 0/0. */
static double mean_ratio(const struct measured *t, uint64_t said, uint64_t are)
{
    double sum = 0;
    size_t n = 0;

    for (size_t c = 0; c < t->classes; c++) {
        const uint64_t a = (said + are) * t->confusion[c * t->classes + c];
        uint64_t b = 0;
        for (size_t k = 0; k < t->classes; k++)
            b += said * t->confusion[k * t->classes + c] + are * t->confusion[c * t->classes + k];
        if (b == 0) continue;
        sum += (double)a / (double)b;
        n++;
    }
    return n > 0 ? sum / (double)n : NAN;
}

/* What the table of labels and answers tells. Of n < 2^32 rows, n^2 fits into 64 bits. */
static void conclude_table(struct measured *t)
{
    perc_metrics *o = t->out;
    uint64_t right = 0, most = 0, both = 0, said = 0, are = 0;

    for (size_t c = 0; c < t->classes; c++) {
        uint64_t truth = 0, answers = 0;
        for (size_t k = 0; k < t->classes; k++) {
            truth += t->confusion[c * t->classes + k];
            answers += t->confusion[k * t->classes + c];
        }
        right += t->confusion[c * t->classes + c];
        both += truth * answers;
        said += answers * answers;
        are += truth * truth;
        if (truth > most) o->baseline_label = c;
        if (truth > most) most = truth;
    }
    const uint64_t n = o->rows, hits = right * n;
    const double sign = hits < both ? -1 : 1,
                 by = hits < both ? (double)(both - hits) : (double)(hits - both);
    const double root = sqrt((double)(n * n - said) * (double)(n * n - are));
    o->wrong = n - right;
    o->accuracy = ratio(right, n);
    o->error = ratio(o->errors, n);
    o->baseline_error = ratio(n - most, n);
    o->balanced_accuracy = mean_ratio(t, 0, 1);
    o->mcc = root > 0 ? sign * by / root : NAN;
}

static perc_status evaluate(struct measured *t, perc_error *err)
{
    perc_metrics *o = t->out;
    const perc_status st = count_rows(t, err);

    if (st) return st;
    conclude_table(t);
    o->perceptron_loss = o->rows > 0 ? t->perceptron_sum / (double)o->rows : NAN;
    o->hinge_loss = o->rows > 0 ? t->hinge_sum / (double)o->rows : NAN;
    if (t->outputs == 1) conclude_two(t);
    else {
        o->precision = mean_ratio(t, 1, 0);
        o->recall = mean_ratio(t, 0, 1);
        o->f1 = mean_ratio(t, 1, 1);
        o->auc = o->average_precision = NAN;
        sort_keys(t->key, t->positives, t->spare);
        for (size_t i = 0; i < t->positives; i++) t->score[i] = score_of(t->key[i]);
        quantiles(t->score, 0, 1, o->distance);
    }
    quantiles(t->score, (size_t)o->rows, 1, o->margin);
    const bool some = t->p != NULL && o->rows > 0;
    o->log_loss = some ? t->log_sum / (double)o->rows : NAN;
    o->brier = some ? t->brier_sum / (double)o->rows : NAN;
    for (int i = 0; i < PERC_BINS; i++) {
        const double n = (double)o->reliability[i].rows;
        o->reliability[i].p = n > 0 ? o->reliability[i].p / n : NAN;
        o->reliability[i].share = n > 0 ? o->reliability[i].share / n : NAN;
    }
    return PERC_OK;
}

perc_status metrics_of(const struct env *e, const perc_model *m, const perc_dataset *ds,
                       double *scores, perc_metrics *out, uint64_t *confusion, perc_error *err)
{
    const struct learner *l = &m->learner;
    struct measured t = { .m = m, .ds = ds, .score = scores, .rows = (size_t)ds->rows, .out = out };
    struct pool pool = { .e = *e };
    perc_status st;

    *out = (perc_metrics){ 0 };
    t.outputs = learner_outputs(l);
    t.classes = l->labels.n;
    t.class_of = model_classes(m, ds, &pool);
    t.key = pool_array(&pool, t.rows, sizeof *t.key);
    t.spare = pool_array(&pool, t.rows, sizeof *t.spare);
    t.confusion = pool_zeroed(&pool, t.classes, t.classes * sizeof *t.confusion);
    if (model_has_p(m)) t.p = pool_array(&pool, t.classes, sizeof *t.p);
    st = pool.failed ? fail_memory(err) : evaluate(&t, err);
    if (st) *out = (perc_metrics){ 0 };
    else if (confusion != NULL)
        memcpy(confusion, t.confusion, t.classes * t.classes * sizeof *confusion);
    pool_free(&pool);
    return st;
}

perc_status perc_evaluate_sized(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                                perc_metrics *out, size_t size, uint64_t *confusion,
                                perc_error *err)
{
    sized_copy(out, size, &(perc_metrics){ 0 }, sizeof *out);
    NEED(m != NULL && ds != NULL);
    const struct env e = env_resolve(env);
    const size_t outputs = learner_outputs(&m->learner);
    perc_metrics own = { 0 };
    double *scores;
    perc_status st;

    sized_copy(out, size, &own, sizeof own);
    if (ds->rows > UINT32_MAX)
        return fail(err, PERC_EARG, "more than 2^32 - 1 rows: evaluate them in parts");
    if (m->learner.labels.n < 2)
        return fail(err, PERC_EDATA, "the model does not know two labels yet");
    scores = mem_array(&e, (size_t)ds->rows, outputs * sizeof *scores);
    if (scores == NULL) return fail_memory(err);
    st = perc_predict(env, m, ds, scores, err);
    if (!st) st = metrics_of(&e, m, ds, scores, &own, confusion, err);
    mem_free(&e, scores, (size_t)ds->rows, outputs * sizeof *scores);
    sized_copy(out, size, &own, sizeof own);
    return st;
}
