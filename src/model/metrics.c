/* metrics.c -- how good a model is on labelled rows.
 *
 * Two counts of wrong rows stand side by side, because they may differ:
 *
 *     errors      rows with y s <= 0: a row on the boundary errs for either label
 *     confusion   by the prediction: +1 when s > 0, -1 when s <= 0
 *
 * so errors = (wrong predictions) + (negative rows with s = 0).
 *
 *     perceptron loss  mean of max(0, -y s)      hinge loss  mean of max(0, 1 - y s)
 *     precision TP / (TP + FP)   recall TP / (TP + FN)   F1 2 TP / (2 TP + FP + FN)
 *
 * The area under the ROC curve is the share of the P N pairs of a positive and a
 * negative row in which the positive one scores higher, a tie counting a half
 * (Mann, Whitney 1947). Pairs are counted in whole numbers, doubled so that a
 * half is one: the count is exact, and rounding begins with the quotient.
 *
 * Quantiles of the margin y s and of the distance y s / |w|, both negative for a
 * row on the wrong side: with the margins sorted, m_0 <= ... <= m_(n-1), quantile
 * q lies at place h = q (n - 1), linearly between its neighbours (numpy's rule).
 * |w| is taken where the machine lives, after scaling; the offset is not in it.
 *
 * Every row counts once: example weights are for learning and play no part here.
 * Rows without a label, or with one that the model does not know, are counted as
 * unlabelled and left out. A ratio 0/0 is NaN, so with no labelled rows all
 * ratios are.
 *
 * One sort serves all: positive and negative scores are sorted apart, by radix;
 * walking both upward counts the pairs, walking the negatives downward merges the
 * margins. O(rows) time after scoring, 24 bytes a row.
 *
 * Not here: the scores themselves (predict.c). */
#include <math.h>
#include <string.h>

#include "model/model.h"

/* ----- sorting scores ------------------------------------------------------ */

/* Doubles as whole numbers in the same order: of a negative number all bits are
 * turned, of another the sign alone. Adding 0 makes -0 and 0 one key. */
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
 * its end. */
struct ledger {
    const perc_model *m;
    const perc_dataset *ds;
    signed char *sign; /* of each label of the set: +1, -1; 0: not known */
    double *score;     /* of each row; later the margins, sorted */
    uint64_t *key, *spare;
    size_t rows, positives, negatives;
    perc_metrics *out;
    double perceptron_sum, hinge_sum;
};

static void count_row(struct ledger *t, double s, int sign)
{
    const double margin = sign * s; /* exact */
    perc_metrics *o = t->out;

    if (sign == 0) {
        o->unlabelled++;
        return;
    }
    o->rows++;
    o->errors += !(margin > 0);
    o->on_boundary += s == 0;
    o->confusion[sign > 0][s > 0]++;
    if (margin < 0) t->perceptron_sum -= margin;
    if (margin < 1) t->hinge_sum += 1 - margin;
    if (sign > 0) t->key[t->positives++] = key_of(s);
    else t->key[t->rows - ++t->negatives] = key_of(s);
}

static perc_status count_rows(struct ledger *t, perc_error *err)
{
    for (size_t k = 0; k < t->ds->blocks; k++) {
        const struct block *b = &t->ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            const double s = t->score[b->first_row + i];
            const uint32_t label = b->label != NULL ? b->label[i] : LABEL_NONE;

            if (!isfinite(s))
                return fail_at(err, PERC_EDATA, block_line(b, i), 0,
                               "the score of this row overflows: its values are too large for the "
                               "model's weights; scale the features (--scale) and train again");
            count_row(t, s, label < t->ds->labels.n ? t->sign[label] : 0);
        }
    }
    return PERC_OK;
}

/* ----- what the sorted scores tell --------------------------------------------- */

/* A positive row whose score has j negatives below it and e - j beside it wins j
 * pairs and halves e - j: doubled, 2 j + (e - j) = j + e. The sum is at most
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

/* Margins in rising order: y s is s for a positive row, -s for a negative one. */
static void merge_margins(const uint64_t *pos, size_t p, const uint64_t *neg, size_t n, double *out)
{
    size_t i = 0;

    while (i < p || n > 0) {
        const double a = i < p ? score_of(pos[i]) : INFINITY;
        const double b = n > 0 ? 0.0 - score_of(neg[n - 1]) : INFINITY; /* no -0 */
        if (a <= b) i++;
        else n--;
        *out++ = a <= b ? a : b;
    }
}

/* Between a <= b at 0 <= g < 1. From the nearer end, as numpy does, so that the
 * result never leaves [a, b]; where b - a overflows, weighted. */
static double between(double a, double b, double g)
{
    const double d = b - a;

    if (!isfinite(d)) return a * (1 - g) + b * g;
    return g < 0.5 ? a + d * g : b - d * (1 - g);
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
        out[k] = between(m[i] / unit, m[i + 1 < n ? i + 1 : i] / unit, h - floor_h);
    }
}

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : NAN;
}

static void conclude(struct ledger *t)
{
    perc_metrics *o = t->out;
    const uint64_t tn = o->confusion[0][0], fp = o->confusion[0][1], fn = o->confusion[1][0],
                   tp = o->confusion[1][1];
    uint64_t *neg = t->key + (t->rows - t->negatives);

    o->accuracy = ratio(tp + tn, o->rows);
    o->error = ratio(o->errors, o->rows);
    o->perceptron_loss = o->rows > 0 ? t->perceptron_sum / (double)o->rows : NAN;
    o->hinge_loss = o->rows > 0 ? t->hinge_sum / (double)o->rows : NAN;
    o->precision = ratio(tp, tp + fp);
    o->recall = ratio(tp, tp + fn);
    o->f1 = ratio(2 * tp, 2 * tp + fp + fn);

    sort_keys(t->key, t->positives, t->spare);
    sort_keys(neg, t->negatives, t->spare);
    o->auc = auc(t->key, t->positives, neg, t->negatives);
    merge_margins(t->key, t->positives, neg, t->negatives, t->score);
    quantiles(t->score, (size_t)o->rows, 1, o->margin);
    quantiles(t->score, (size_t)o->rows, linear_norm(&t->m->learner.machine), o->distance);
}

perc_status perc_evaluate(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                          perc_metrics *out, perc_error *err)
{
    const struct env e = env_resolve(env);
    struct ledger t = { .m = m, .ds = ds, .rows = (size_t)ds->rows, .out = out };
    const size_t labels = ds->labels.n;
    perc_status st = PERC_OK;

    *out = (perc_metrics){ 0 };
    if (ds->rows > UINT32_MAX)
        return fail(err, PERC_EARG, "more than 2^32 - 1 rows: evaluate them in parts");
    t.sign = mem_array(&e, labels, sizeof *t.sign);
    t.score = mem_array(&e, t.rows, sizeof *t.score);
    t.key = mem_array(&e, t.rows, sizeof *t.key);
    t.spare = mem_array(&e, t.rows, sizeof *t.spare);
    if (t.sign == NULL || t.score == NULL || t.key == NULL || t.spare == NULL) {
        st = fail_memory(err);
        goto done;
    }
    for (size_t i = 0; i < labels; i++)
        t.sign[i] = (signed char)model_sign(m, ds->labels.at[i].text);
    if ((st = perc_predict(env, m, ds, t.score, err))) goto done;
    if ((st = count_rows(&t, err))) goto done;
    conclude(&t);
done:
    if (st != PERC_OK) *out = (perc_metrics){ 0 };
    mem_free(&e, t.sign, labels, sizeof *t.sign);
    mem_free(&e, t.score, t.rows, sizeof *t.score);
    mem_free(&e, t.key, t.rows, sizeof *t.key);
    mem_free(&e, t.spare, t.rows, sizeof *t.spare);
    return st;
}
