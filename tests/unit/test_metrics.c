/* test_metrics.c -- perc_evaluate, perc_roc and perc_margins, against counts by hand and in O(n^2).
 *
 * The model here has one feature and w = 1, b = 0, so that a row's value is its
 * score: every case of scores and labels can be written down. */
#include <math.h>

#include "model/model.h"
#include "model/trials.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"
#include "vec/rng.h"

/* A model with these weights and labels -1 and +1. */
static perc_model *model_with(double w)
{
    perc_params *p = t_params("perceptron", "");
    perc_model *m;

    assert_int_equal(perc_model_new(NULL, p, &m, NULL), PERC_OK);
    perc_params_free(p);
    assert_int_equal(linear_grow(&m->learner.machine->last, 1), PERC_OK);
    m->learner.machine->last.w[0] = w;
    m->index_base = 0;
    size_t class, at;
    assert_int_equal(learner_meet(&m->learner, "-1", &class, &at, NULL), PERC_OK);
    assert_int_equal(learner_meet(&m->learner, "1", &class, &at, NULL), PERC_OK);
    return m;
}

static perc_dataset *rows_with(const double *score, const double *y, size_t n)
{
    const perc_dense x = { score, PERC_F64, n, 1, sizeof *score, sizeof *score };
    perc_dataset *ds;

    assert_int_equal(perc_dataset_borrow_dense(NULL, &x, y, NULL, &ds, NULL), PERC_OK);
    return ds;
}

/* The metrics of rows with these scores and labels; [truth][prediction], if wanted. */
static perc_metrics measure_with(const double *score, const double *y, size_t n,
                                 uint64_t *confusion)
{
    perc_model *m = model_with(1);
    perc_dataset *ds = rows_with(score, y, n);
    perc_metrics r;

    assert_int_equal(perc_evaluate(NULL, m, ds, &r, confusion, NULL), PERC_OK);
    t_free(ds, m);
    return r;
}

static perc_metrics measure(const double *score, const double *y, size_t n)
{
    return measure_with(score, y, n, NULL);
}

/* ----- counts and losses --------------------------------------------------------- */

TEST(a_small_case_agrees_with_the_count_by_hand)
{
    /*                  TP  TP   FN    FP   TN  s = 0 of either label */
    const double s[] = { 2, 0.5, -1.5, 0.25, -4, 0, 0 };
    const double y[] = { 1, 1, 1, -1, -1, 1, -1 };
    uint64_t confusion[4];
    const perc_metrics r = measure_with(s, y, 7, confusion);

    assert_int_equal(r.rows, 7);
    assert_int_equal(r.unlabelled, 0);
    assert_int_equal(r.on_boundary, 2);
    assert_int_equal(r.errors, 4); /* two wrong, and both on the boundary */
    assert_true(r.error == 4 / 7.0);
    assert_true(r.accuracy == 4 / 7.0); /* s = 0 predicts -1: right for one of the two */
    assert_int_equal(confusion[3], 2);
    assert_int_equal(confusion[2], 2);
    assert_int_equal(confusion[1], 1);
    assert_int_equal(confusion[0], 2);
    assert_true(r.precision == 2 / 3.0 && r.recall == 0.5 && r.f1 == 4 / 7.0);
    assert_true(r.perceptron_loss == (1.5 + 0.25) / 7);
    assert_true(r.hinge_loss == (0.5 + 2.5 + 1.25 + 1 + 1) / 7);
    /* Of 12 pairs the positive one is higher in 3 + 3 + 1 + 1 and level in one. */
    assert_true(r.auc == 8.5 / 12);
}

/* Errors and accuracy differ by the boundary: E_n = 1 - accuracy only without it. */
TEST(all_scores_zero_is_all_errors_and_an_auc_of_a_half)
{
    const double s[] = { 0, -0.0, 0, 0, -0.0 }, y[] = { 1, 1, -1, -1, -1 };
    const perc_metrics r = measure(s, y, 5);

    assert_int_equal(r.errors, 5);
    assert_int_equal(r.on_boundary, 5);
    assert_true(r.accuracy == 0.6); /* the negatives, by the convention for s = 0 */
    assert_true(r.auc == 0.5);      /* 0 and -0 tie */
    assert_true(isnan(r.precision) && r.recall == 0 && r.f1 == 0);
    assert_true(r.perceptron_loss == 0 && r.hinge_loss == 1);
    for (int k = 0; k < PERC_QUANTILES; k++) assert_true(r.margin[k] == 0 && r.distance[k] == 0);
}

TEST(one_class_alone_has_no_auc)
{
    const double s[] = { 3, -1 }, pos[] = { 1, 1 }, neg[] = { -1, -1 };
    const perc_metrics p = measure(s, pos, 2), n = measure(s, neg, 2);

    assert_true(isnan(p.auc) && isnan(n.auc));
    assert_true(p.precision == 1 && p.recall == 0.5);
    assert_true(n.precision == 0 && isnan(n.recall) && n.f1 == 0);
    assert_true(p.margin[0] == -1 && p.margin[6] == 3);
    assert_true(n.margin[0] == -3 && n.margin[6] == 1);
}

/* ----- probabilities ------------------------------------------------------------- */

static void calibrate(perc_model *m, const struct sigmoid *g, size_t n)
{
    model_uncalibrate(m);
    m->sigmoid = mem_array(&m->e, n, sizeof *g);
    assert_non_null(m->sigmoid);
    m->sigmoids = n;
    memcpy(m->sigmoid, g, n * sizeof *g);
}

static void assert_no_probabilities(const perc_metrics *r)
{
    assert_true(isnan(r->log_loss) && isnan(r->brier) && r->disagree == 0);
    for (int i = 0; i < PERC_BINS; i++) {
        assert_int_equal(r->reliability[i].rows, 0);
        assert_true(isnan(r->reliability[i].p) && isnan(r->reliability[i].share));
    }
}

TEST(a_model_without_probabilities_has_none_to_measure)
{
    const double s[] = { 1, -1 }, y[] = { 1, -1 }, other[] = { 3, 4 };
    const perc_metrics r = measure(s, y, 2);
    perc_model *m = model_with(1);
    perc_dataset *ds = rows_with(s, other, 2);
    const struct sigmoid g = { -1, 0 };
    perc_metrics none;

    assert_no_probabilities(&r);
    calibrate(m, &g, 1); /* nor has one that knows none of the labels */
    assert_int_equal(perc_evaluate(NULL, m, ds, &none, NULL, NULL), PERC_OK);
    assert_no_probabilities(&none);
    t_free(ds, m);
}

struct bins {
    double rows[PERC_BINS], p[PERC_BINS], so[PERC_BINS];
};

static void put(struct bins *b, double p, bool so)
{
    for (int i = 0; i < PERC_BINS; i++) {
        if (!(p >= i / 10.0 && (p < (i + 1) / 10.0 || i == 9))) continue;
        b->rows[i]++;
        b->p[i] += p;
        b->so[i] += so;
    }
}

static void assert_bins(const struct bins *b, const perc_metrics *r)
{
    for (int i = 0; i < PERC_BINS; i++) {
        assert_true((double)r->reliability[i].rows == b->rows[i]);
        if (b->rows[i] == 0) {
            assert_true(isnan(r->reliability[i].p) && isnan(r->reliability[i].share));
            continue;
        }
        assert_true(fabs(r->reliability[i].p - b->p[i] / b->rows[i]) < 1e-14);
        assert_true(r->reliability[i].share == b->so[i] / b->rows[i]);
    }
}

TEST(probabilities_of_two_classes_agree_with_plain_loops)
{
    uint64_t most = 0;

    for (unsigned k = 0; k < 20; k++) {
        const struct sigmoid g = { -0.1 * k, (2.0 * (k % 7) - 6) / 10 }; /* b = 0 too */
        struct rng random = rng_seed(k, 9);
        double s[300], y[300], log_loss = 0, brier = 0;
        struct bins b = { { 0 }, { 0 }, { 0 } };
        uint64_t disagree = 0;
        for (size_t i = 0; i < 300; i++) {
            s[i] = i < 4 ? 0.0 : 6 * rng_normal(&random);
            y[i] = rng_below(&random, 2) ? 1 : -1;
            const double f = g.a * s[i] + g.b, p = 1 / (1 + exp(f));
            log_loss -= log(y[i] > 0 ? p : 1 / (1 + exp(-f))) / 300;
            brier += (p - (y[i] > 0)) * (p - (y[i] > 0)) / 300;
            disagree += (p > 0.5) != (s[i] > 0);
            put(&b, p, y[i] > 0);
        }
        perc_model *m = model_with(1);
        perc_dataset *ds = rows_with(s, y, 300);
        perc_metrics r;
        calibrate(m, &g, 1);
        assert_int_equal(perc_evaluate(NULL, m, ds, &r, NULL, NULL), PERC_OK);
        assert_true(fabs(r.log_loss - log_loss) < 1e-12 * log_loss);
        assert_true(fabs(r.brier - brier) < 1e-13);
        assert_int_equal(r.disagree, disagree);
        assert_bins(&b, &r);
        if (disagree > most) most = disagree;
        t_free(ds, m);
    }
    assert_true(most > 10); /* guard: p = 1/2 is not s = 0 */
}

/* What rounds to p = 0 for the truth costs what its score says, not infinity. */
TEST(certainty_that_was_wrong_has_a_finite_price)
{
    const double s[] = { 1000, -2000, 1e300 }, y[] = { -1, 1, 1 };
    const struct sigmoid g = { -1, 0 };
    perc_model *m = model_with(1);
    perc_dataset *ds = rows_with(s, y, 3);
    perc_metrics r;

    calibrate(m, &g, 1);
    assert_int_equal(perc_evaluate(NULL, m, ds, &r, NULL, NULL), PERC_OK);
    assert_true(r.log_loss == 1000 && r.brier == 2 / 3.0 && r.disagree == 0);
    assert_int_equal(r.reliability[0].rows, 1);
    assert_int_equal(r.reliability[9].rows, 2); /* p = 1 is in the last */
    assert_true(r.reliability[0].share == 1 && r.reliability[9].share == 0.5);
    t_free(ds, m);
}

/* p on the bounds i / 10 themselves, as nearly as a score can give them. */
TEST(bounds_belong_to_the_bin_above)
{
    const struct sigmoid g = { -1, 0 };
    double s[] = { 0 }, y[] = { 1 };
    size_t met = 0;

    for (int i = 1; i < PERC_BINS; i++) {
        const double bound = i / 10.0;
        s[0] = log(bound / (1 - bound));
        for (int k = 0; k < 40; k++) s[0] = nextafter(s[0], -INFINITY);
        for (int k = 0; k < 80; k++, s[0] = nextafter(s[0], INFINITY)) {
            perc_model *m = model_with(1);
            perc_dataset *ds = rows_with(s, y, 1);
            perc_metrics r;
            double p[2];
            calibrate(m, &g, 1);
            assert_int_equal(perc_probabilities(m, s, p, NULL), PERC_OK);
            assert_int_equal(perc_evaluate(NULL, m, ds, &r, NULL, NULL), PERC_OK);
            assert_int_equal(r.reliability[p[1] >= bound ? i : i - 1].rows, 1);
            met += p[1] == bound;
            t_free(ds, m);
        }
    }
    assert_true(met > 5); /* guard: most bounds were hit */
}

/* ----- labels -------------------------------------------------------------------- */

TEST(labels_the_model_does_not_know_are_left_out)
{
    const double s[] = { 1, -1, 5, -5 }, y[] = { 1, -1, 7, 7 };
    const perc_metrics r = measure(s, y, 4);

    assert_int_equal(r.rows, 2);
    assert_int_equal(r.unknown, 2);
    assert_int_equal(r.unlabelled, 0);
    assert_true(r.accuracy == 1 && r.auc == 1 && r.margin[6] == 1);
}

TEST(against_the_rest_every_other_label_is_negative)
{
    const double s[] = { 1, -1, 5, -5 }, y[] = { 1, -1, 7, 8 };
    perc_model *m = model_with(1);
    perc_dataset *ds = rows_with(s, y, 4);
    perc_metrics r;
    uint64_t confusion[4];

    assert_int_equal(learner_fix_two_classes(&m->learner, "rest", "1", true), PERC_OK);
    assert_int_equal(perc_evaluate(NULL, m, ds, &r, confusion, NULL), PERC_OK);
    assert_int_equal(r.rows, 4);
    assert_int_equal(r.unknown, 0);
    assert_int_equal(confusion[1], 1);
    assert_int_equal(confusion[0], 2);
    t_free(ds, m);
}

TEST(no_labelled_row_gives_counts_of_0_and_nan)
{
    const double s[] = { 1, 2 }, y[] = { 3, 4 };
    const perc_metrics r = measure(s, y, 2);

    assert_int_equal(r.rows, 0);
    assert_int_equal(r.unknown, 2);
    assert_true(isnan(r.accuracy) && isnan(r.error) && isnan(r.auc) && isnan(r.f1));
    assert_true(isnan(r.perceptron_loss) && isnan(r.hinge_loss));
    assert_true(isnan(r.margin[0]) && isnan(r.distance[6]));
}

/* ----- AUC and quantiles, against slow references ---------------------------------- */

/* Pairs, doubled, one by one. */
static double slow_auc(const double *s, const double *y, size_t n)
{
    uint64_t twice = 0, pairs = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (!(y[i] > 0 && y[j] < 0)) continue;
            pairs++;
            twice += s[i] > s[j] ? 2 : s[i] == s[j];
        }
    return (double)twice / (2.0 * (double)pairs);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Place q (n - 1) among the sorted numbers, in between linearly. */
static double slow_quantile(const double *sorted, size_t n, double q)
{
    const double h = q * (double)(n - 1);
    const size_t i = (size_t)h;
    const double next = sorted[i + 1 < n ? i + 1 : i];

    return sorted[i] + (next - sorted[i]) * (h - (double)i);
}

enum { MOST = 400 };

/* Scores of case c: coarse ones with many ties, or fine ones of all magnitudes. */
static size_t draw(unsigned c, double *s, double *y)
{
    struct rng g = rng_seed(c, 0);
    const size_t n = 2 + rng_below(&g, MOST - 2);

    for (size_t i = 0; i < n; i++) {
        const double u = rng_uniform(&g) - 0.4;
        s[i] = floor(u * (double)(1 + c % 13));
        if (c % 2 == 1) s[i] = ldexp(u, (int)rng_below(&g, 200) - 100);
        y[i] = i < 2 ? (i == 0 ? 1 : -1) : rng_below(&g, 3) == 0 ? 1 : -1;
    }
    return n;
}

TEST(auc_is_the_exact_share_of_pairs)
{
    double s[MOST], y[MOST];

    for (unsigned c = 0; c < 60; c++) {
        const size_t n = draw(c, s, y);
        assert_true(measure(s, y, n).auc == slow_auc(s, y, n)); /* whole numbers: no tolerance */
    }
}

/* Precision at each positive row's score, and the mean of that. */
static double slow_average_precision(const double *s, const double *y, size_t n)
{
    double sum = 0, positives = 0;

    for (size_t i = 0; i < n; i++) {
        double right = 0, said = 0;
        if (!(y[i] > 0)) continue;
        for (size_t j = 0; j < n; j++) {
            said += s[j] >= s[i];
            right += s[j] >= s[i] && y[j] > 0;
        }
        sum += right / said;
        positives++;
    }
    return sum / positives;
}

/* The correlation coefficient of two columns of 0 and 1, by its definition. */
static double slow_mcc(const double *s, const double *y, size_t n)
{
    double mean[2] = { 0 }, both = 0, one = 0, other = 0;

    for (size_t i = 0; i < n; i++) {
        mean[0] += (double)(s[i] > 0) / (double)n;
        mean[1] += (double)(y[i] > 0) / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        const double a = (s[i] > 0) - mean[0], b = (y[i] > 0) - mean[1];
        both += a * b;
        one += a * a;
        other += b * b;
    }
    return both / sqrt(one * other);
}

TEST(answers_and_their_order_agree_with_plain_loops)
{
    double s[MOST], y[MOST];
    size_t correlated = 0, negative = 0;

    for (unsigned c = 0; c < 60; c++) {
        const size_t n = draw(c, s, y);
        double rows[2] = { 0 }, right[2] = { 0 }, said = 0;
        for (size_t i = 0; i < n; i++) {
            rows[y[i] > 0]++;
            right[y[i] > 0] += (s[i] > 0) == (y[i] > 0);
            said += s[i] > 0;
        }
        const perc_metrics r = measure(s, y, n);
        assert_true(fabs(r.average_precision - slow_average_precision(s, y, n)) < 1e-13);
        assert_true(r.balanced_accuracy == (right[0] / rows[0] + right[1] / rows[1]) / 2);
        assert_true((double)r.wrong == (double)n - right[0] - right[1]);
        assert_int_equal(r.baseline_label, rows[1] > rows[0]);
        assert_true(r.baseline_error == fmin(rows[0], rows[1]) / (double)n);
        if (said == 0 || said == (double)n) {
            assert_true(isnan(r.mcc));
            continue;
        }
        assert_true(fabs(r.mcc - slow_mcc(s, y, n)) < 1e-12);
        correlated++;
        negative += r.mcc < 0;
    }
    assert_true(correlated > 30 && negative > 5); /* guard */
}

/* Products of whole numbers, and a root: no rounding moves the ends. */
TEST(the_correlation_is_exactly_one_or_its_negative)
{
    const double s[] = { 1, 2, 3, -1, -2 }, y[] = { 1, 1, 1, -1, -1 };
    double turned[5];

    for (size_t i = 0; i < 5; i++) turned[i] = -s[i];
    assert_true(measure(s, y, 5).mcc == 1 && measure(turned, y, 5).mcc == -1);
    assert_true(measure(s, y, 5).average_precision == 1);
}

TEST(one_class_alone_has_half_of_what_there_is)
{
    const double s[] = { 3, -1 }, pos[] = { 1, 1 }, neg[] = { -1, -1 };
    const perc_metrics p = measure(s, pos, 2), n = measure(s, neg, 2);

    assert_true(p.average_precision == 1 && isnan(n.average_precision));
    assert_true(p.balanced_accuracy == 0.5 && n.balanced_accuracy == 0.5);
    assert_true(isnan(p.mcc) && p.baseline_error == 0 && p.baseline_label == 1);
    assert_true(n.baseline_error == 0 && n.baseline_label == 0);
}

/* Rows of weight 0, which nothing was learned from, do not count; nor those of unknown labels. */
TEST(the_baseline_of_a_set_counts_what_is_learned_from)
{
    const double x[] = { 1, 2, 3, 4, 5, 6 }, y[] = { 1, 1, 1, -1, -1, 9 },
                 w[] = { 1, 0, 0, 2, 1, 5 };
    const perc_dense dense = { x, PERC_F64, 6, 1, sizeof *x, sizeof *x };
    perc_model *m = model_with(1);
    perc_dataset *ds, *none = rows_with(x, (const double[]){ 9, 9 }, 2);
    size_t label = 7;
    double error;

    assert_int_equal(perc_dataset_borrow_dense(NULL, &dense, y, w, &ds, NULL), PERC_OK);
    assert_int_equal(perc_baseline(m, ds, &label, &error, NULL), PERC_OK);
    assert_true(label == 0 && error == 1 / 3.0);
    assert_int_equal(perc_baseline(m, none, &label, &error, NULL), PERC_OK);
    assert_true(label == 0 && isnan(error));
    t_free(none, ds, m);
}

/* ----- metrics by name ----------------------------------------------------------------- */

TEST(metrics_have_names_and_directions)
{
    const double s[] = { 1, -2, 3, -1, 0.5 }, y[] = { 1, 1, 1, -1, -1 };
    const perc_metrics r = measure(s, y, 5);
    const char *name;
    size_t n = 0;

    for (; (name = perc_metric_name(n)) != NULL; n++) {
        const bool lower = strcmp(name, "error") == 0 || strcmp(name, "log-loss") == 0 ||
                           strcmp(name, "brier") == 0;
        assert_int_equal(perc_metric_better(name, 0.2, 0.3), lower);
        assert_int_equal(perc_metric_better(name, 0.3, 0.2), !lower);
        assert_int_equal(perc_metric_better(name, 0.3, 0.3), 0);
        assert_int_equal(perc_metric_better(name, (double)NAN, 0.3), 0);
        assert_int_equal(perc_metric_better(name, 0.3, (double)NAN), 1);
    }
    assert_int_equal(n, 9);
    assert_true(perc_metric_value(&r, "error") == r.error);
    assert_true(perc_metric_value(&r, "average-precision") == r.average_precision);
    assert_true(perc_metric_value(&r, "mcc") == r.mcc);
    assert_true(isnan(perc_metric_value(&r, "brier")) && isnan(perc_metric_value(&r, "speed")));
    assert_true(isnan(perc_metric_value_sized(&r, "mcc", offsetof(perc_metrics, mcc))));
    assert_int_equal(perc_metric_better("speed", 1, 0), 0);
}

static void refused_metric(const char *metric, const char *algorithm, const char *data,
                           const char *options, const char *why)
{
    perc_params *p = t_params(algorithm, options);
    perc_dataset *ds = t_read(data, "");
    perc_error err = { 0 };

    assert_int_equal(perc_metric_check(metric, p, ds, &err), why[0] != '\0' ? PERC_EARG : PERC_OK);
    if (strstr(err.text, why) == NULL) fail_msg("%s", err.text);
    t_free(p, ds);
}

TEST(a_metric_that_a_learner_has_not_is_refused)
{
    refused_metric("speed", "averaged", ":xor", "", "no metric 'speed'");
    refused_metric("log-loss", "averaged", ":xor", "", "averaged learns none");
    refused_metric("brier", "mlp", ":iris", "", "");
    refused_metric("auc", "averaged", ":iris", "", "two labels, these data have 3");
    refused_metric("average-precision", "mlp", ":iris", "", "two labels, these data have 3");
    refused_metric("auc", "averaged", ":iris", "positive=setosa", "");
    refused_metric("auc", "averaged", ":xor", "multiclass=ovr", "leave out --multiclass ovr");
    refused_metric("mcc", "averaged", ":iris", "multiclass=ovr", "");
}

/* The share of rows of class `of` that score at or above `from`. */
static double found(const double *s, const double *y, size_t n, double of, double from)
{
    double rows = 0, there = 0;

    for (size_t i = 0; i < n; i++) {
        rows += y[i] == of;
        there += y[i] == of && s[i] >= from;
    }
    return there / rows;
}

/* Every point is that of a threshold, those of all thresholds lie on it, and the area is the
 * AUC. Of too many points some remain, with the ends, evenly apart. */
TEST(the_roc_curve_is_that_of_all_thresholds)
{
    double s[MOST], y[MOST], x_at[MOST + 2], y_at[MOST + 2];

    for (unsigned c = 0; c < 60; c++) {
        const size_t n = draw(c, s, y), few = 3 + c % 20;
        perc_model *m = model_with(1);
        perc_dataset *ds = rows_with(s, y, n);
        double area = 0;
        size_t points;

        assert_int_equal(perc_roc(NULL, m, ds, s, MOST + 2, x_at, y_at, &points, NULL), PERC_OK);
        assert_true(x_at[0] == 0 && y_at[0] == 0 && x_at[points - 1] == 1 && y_at[points - 1] == 1);
        for (size_t k = 1; k < points; k++)
            area += (x_at[k] - x_at[k - 1]) * (y_at[k] + y_at[k - 1]) / 2;
        assert_true(fabs(area - slow_auc(s, y, n)) < 1e-12);
        for (size_t i = 0; i < n; i++) {
            const double across = found(s, y, n, -1, s[i]), up = found(s, y, n, 1, s[i]);
            size_t k = 1;

            while (x_at[k] < across || y_at[k] < up) k++; /* between k - 1 and k, in line */
            assert_true(x_at[k - 1] <= across && y_at[k - 1] <= up);
            assert_true(fabs((x_at[k] - x_at[k - 1]) * (up - y_at[k - 1]) -
                             (across - x_at[k - 1]) * (y_at[k] - y_at[k - 1])) < 1e-15);
        }
        assert_int_equal(perc_roc(NULL, m, ds, s, few, x_at, y_at, &points, NULL), PERC_OK);
        assert_in_range(points, 2, few);
        assert_true(x_at[0] == 0 && y_at[0] == 0 && x_at[points - 1] == 1 && y_at[points - 1] == 1);
        for (size_t k = 1; k < points; k++)
            assert_true(x_at[k] >= x_at[k - 1] && y_at[k] >= y_at[k - 1]);
        t_free(ds, m);
    }
}

TEST(a_roc_curve_may_be_refused)
{
    const double s[] = { 1, 2, -1 }, y[] = { 1, 1, -1 }, one[] = { 1, 1, 9 };
    const double bad[] = { 1, (double)NAN, -1 };
    perc_dataset *ds = rows_with(s, y, 3), *alone = rows_with(s, one, 3);
    struct t_alloc a;
    perc_model *m = model_with(1);
    double x_at[5], y_at[5];
    size_t n = 9;

    assert_int_equal(perc_roc(NULL, m, alone, s, 5, x_at, y_at, &n, NULL), PERC_EDATA);
    assert_int_equal(n, 0);
    assert_int_equal(perc_roc(NULL, m, ds, bad, 5, x_at, y_at, &n, NULL), PERC_EARG);
    assert_int_equal(perc_roc(NULL, m, ds, s, 2, x_at, y_at, &n, NULL), PERC_EARG);
    t_alloc_reset(&a, 0, false);
    const perc_env env = { t_alloc, &a, 1 };
    assert_int_equal(perc_roc(&env, m, ds, s, 5, x_at, y_at, &n, NULL), PERC_ENOMEM);
    t_alloc_holds(&a, 0);
    assert_int_equal(perc_roc(NULL, m, ds, s, 5, x_at, y_at, &n, NULL), PERC_OK);
    assert_int_equal(n, 3); /* up, then across */
    perc_dataset *iris = t_read(":iris", "");
    perc_model *three = t_fit(iris, "epochs=1", NULL);
    assert_int_equal(perc_roc(NULL, three, iris, s, 5, x_at, y_at, &n, NULL), PERC_EARG);
    t_free(alone, ds, m, iris, three);
}

/* Both take their memory from the model. */
TEST(curve_and_margins_may_lack_memory)
{
    const double s[] = { 1, 2, -1 }, y[] = { 1, 1, -1 };
    perc_dataset *ds = rows_with(s, y, 3);
    perc_model *m = model_with(1);
    const struct env own = m->e;
    double x_at[5], y_at[5], margin[3];
    size_t n;

    for (struct t_sweep sweep = { .least = 2 }; t_sweep_next(&sweep);) {
        m->e = env_resolve(&sweep.env);
        perc_status st = perc_margins(m, ds, s, margin, NULL);
        if (!st) st = perc_roc(NULL, m, ds, s, 5, x_at, y_at, &n, NULL);
        m->e = own;
        t_sweep_judge(&sweep, st);
    }
    t_free(ds, m);
}

/* Of two classes y s; of three half the gap to the best of the others. */
TEST(margins_are_those_of_the_rows)
{
    const double s[] = { 2, -0.5, 3, 0.25 }, y[] = { 1, -1, 9, 1 };
    perc_model *m = model_with(1), *three;
    perc_dataset *ds = rows_with(s, y, 4), *iris;
    perc_metrics r;
    double margin[150], *scores = calloc(150 * 3, sizeof *scores);
    uint64_t errors = 0;
    perc_params *p;

    assert_int_equal(perc_margins(m, ds, s, margin, NULL), PERC_OK);
    assert_true(margin[0] == 2 && margin[1] == 0.5 && isnan(margin[2]) && margin[3] == 0.25);
    assert_int_equal(perc_dataset_read(NULL, ":iris", NULL, &iris, NULL), PERC_OK);
    p = t_params("perceptron", "epochs=5");
    assert_int_equal(perc_fit(NULL, iris, p, NULL, &three, NULL, NULL), PERC_OK);
    assert_int_equal(perc_predict(NULL, three, iris, scores, NULL), PERC_OK);
    assert_int_equal(perc_margins(three, iris, scores, margin, NULL), PERC_OK);
    for (uint64_t i = 0; i < 150; i++) {
        const int own = perc_dataset_row_label(iris, i);
        const double *of = scores + 3 * i;

        assert_true(margin[i] == (of[own] - fmax(of[(own + 1) % 3], of[(own + 2) % 3])) / 2);
        errors += !(margin[i] > 0);
    }
    assert_int_equal(perc_evaluate(NULL, three, iris, &r, NULL, NULL), PERC_OK);
    assert_int_equal(errors, r.errors);
    t_free(p, iris, three);
    free(scores);
    t_free(ds, m);
}

TEST(quantiles_are_those_of_the_sorted_margins)
{
    static const double q[PERC_QUANTILES] = { 0, 0.05, 0.25, 0.5, 0.75, 0.95, 1 };
    double s[MOST], y[MOST], m[MOST];

    for (unsigned c = 0; c < 60; c++) {
        const size_t n = draw(c, s, y);
        const perc_metrics r = measure(s, y, n);

        for (size_t i = 0; i < n; i++) m[i] = s[i] * y[i];
        qsort(m, n, sizeof *m, by_value);
        for (int k = 0; k < PERC_QUANTILES; k++) {
            const double want = slow_quantile(m, n, q[k]);
            /* The two formulas round twice each, in units of the larger neighbour. */
            const double slack = 1e-15 * (fabs(m[0]) + fabs(m[n - 1]));
            assert_true(fabs(r.margin[k] - want) <= slack);
            assert_true(r.distance[k] == r.margin[k]); /* |w| = 1 */
        }
        assert_true(r.margin[0] == m[0] && r.margin[6] == m[n - 1]);
    }
}

/* numpy.quantile([-3, 1, 2, 10], [0, .05, .25, .5, .75, .95, 1]), by its rule. */
TEST(four_margins_have_the_quantiles_numpy_gives)
{
    const double s[] = { 10, -1, 3, 2 }, y[] = { 1, -1, -1, 1 };
    const double want[] = { -3, -2.4, 0, 1.5, 4, 8.8, 10 };
    const perc_metrics r = measure(s, y, 4);

    for (int k = 0; k < PERC_QUANTILES; k++) /* h = 2.85 rounds by 2e-16, times the slope 8 */
        assert_true(fabs(r.margin[k] - want[k]) <= 4e-15);
}

/* The gap between two margins may be no number, what lies between them is one. */
TEST(quantiles_between_the_largest_numbers_are_numbers)
{
    const double s[] = { 1.7e308, -1.7e308 }, y[] = { 1, 1 };
    const perc_metrics r = measure(s, y, 2);

    assert_true(r.margin[0] == -1.7e308 && r.margin[3] == 0 && r.margin[6] == 1.7e308);
    assert_true(fabs(r.margin[2] / -0.85e308 - 1) < 1e-15);
}

TEST(distance_is_the_margin_over_the_norm_of_w)
{
    const double s[] = { 1, -2, 3 }, y[] = { 1, -1, -1 };
    perc_dataset *ds = rows_with(s, y, 3);
    perc_model *m = model_with(-4), *zero = model_with(0);
    perc_metrics r;

    assert_int_equal(perc_evaluate(NULL, m, ds, &r, NULL, NULL), PERC_OK);
    assert_true(r.margin[0] == -8 && r.distance[0] == -2);
    assert_true(r.margin[6] == 12 && r.distance[6] == 3);
    assert_int_equal(perc_evaluate(NULL, zero, ds, &r, NULL, NULL), PERC_OK);
    assert_true(r.margin[3] == 0 && isnan(r.distance[3])); /* no hyperplane, no distance */
    t_free(m, zero, ds);
}

/* ----- what goes wrong --------------------------------------------------------------- */

TEST(what_cannot_be_evaluated_is_refused)
{
    const double s[] = { 1, -1 }, y[] = { 1, -1 };
    perc_model *m = model_with(1), *untaught = t_untaught("");
    perc_dataset *ds = rows_with(s, y, 2);
    perc_error err = { 0 };
    perc_metrics r;

    assert_refused(perc_evaluate(NULL, untaught, ds, &r, NULL, &err), PERC_EDATA, &err,
                   "two labels");
    ds->rows += UINT32_MAX; /* no memory holds them: the number alone */
    assert_refused(perc_evaluate(NULL, m, ds, &r, NULL, &err), PERC_EARG, &err, "in parts");
    perc_params *p = t_params("perceptron", "");
    assert_refused(trials_run(&(struct trials){ .ds = ds, .p = p }, &err), PERC_EARG, &err,
                   "take fewer");
    ds->rows -= UINT32_MAX;
    t_free(m, untaught, ds, p);
}

TEST(a_score_that_overflows_is_an_error_with_its_row)
{
    const double s[] = { 1, 1e300 }, y[] = { 1, -1 };
    perc_model *m = model_with(1e300);
    perc_dataset *ds = rows_with(s, y, 2);
    perc_metrics r;
    perc_error err = { 0 };

    assert_int_equal(perc_evaluate(NULL, m, ds, &r, NULL, &err), PERC_EDATA);
    assert_int_equal(err.line, 2);
    assert_int_equal(r.rows, 0);
    t_free(m, ds);
}

TEST(running_out_of_memory_anywhere_leaves_nothing_behind)
{
    const double s[] = { 1, -2, 3 }, y[] = { 1, -1, -1 };
    const struct sigmoid g = { -1, 0 };
    perc_model *m = model_with(1);
    perc_dataset *ds = rows_with(s, y, 3);
    perc_metrics r;

    calibrate(m, &g, 1);
    for (struct t_sweep sweep = { .least = 4 /* arrays */ }; t_sweep_next(&sweep);) {
        const perc_status st = perc_evaluate(&sweep.env, m, ds, &r, NULL, NULL);
        t_sweep_judge(&sweep, st);
        assert_int_equal(r.rows, st == PERC_OK ? 3 : 0);
    }
    t_free(m, ds);
}

/* ----- more than two classes, counted by hand ------------------------------------- */

/* The three classes of :iris, by a machine that errs on some rows. */
static perc_model *three_classes(const perc_dataset *ds, const char *multiclass)
{
    perc_params *p = t_params("perceptron", "epochs=2");
    perc_model *m;

    assert_int_equal(perc_params_set(p, "multiclass", multiclass, NULL), PERC_OK);
    assert_int_equal(perc_fit(NULL, ds, p, NULL, &m, NULL, NULL), PERC_OK);
    perc_params_free(p);
    return m;
}

TEST(three_classes_agree_with_a_count_by_hand)
{
    static const char *const how[] = { "native", "ovr" };
    perc_dataset *ds;

    assert_int_equal(perc_dataset_read(NULL, ":iris", NULL, &ds, NULL), PERC_OK);
    for (int k = 0; k < 2; k++) {
        perc_model *m = three_classes(ds, how[k]);
        uint64_t got[9], want[9] = { 0 }, errors = 0, right = 0;
        double s[450], loss = 0, recall = 0, precision = 0, named = 0;
        perc_metrics r;
        assert_int_equal(perc_evaluate(NULL, m, ds, &r, got, NULL), PERC_OK);
        assert_int_equal(perc_predict(NULL, m, ds, s, NULL), PERC_OK);
        for (uint64_t i = 0; i < 150; i++) {
            const double *x = s + 3 * i;
            const int y = perc_dataset_row_label(ds, i);
            const double a = x[(y + 1) % 3], b = x[(y + 2) % 3], other = a > b ? a : b;
            const int answer = x[0] >= x[1] && x[0] >= x[2] ? 0 : x[1] >= x[2] ? 1 : 2;
            want[3 * y + answer]++;
            right += answer == y;
            errors += x[y] <= other;
            if (x[y] < other) loss += (other - x[y]) / 2;
            assert_string_equal(perc_answer(m, x), perc_model_label(m, (size_t)answer));
        }
        assert_memory_equal(got, want, sizeof want);
        assert_true(errors > 0 && right < 150); /* guard */
        assert_int_equal(r.errors, errors);
        assert_true(r.accuracy == (double)right / 150);
        assert_true(fabs(r.perceptron_loss - loss / 150) < 1e-12 * (1 + loss));
        for (int c = 0; c < 3; c++) {
            recall += (double)want[4 * c] / 50 / 3;
            const uint64_t said = want[c] + want[3 + c] + want[6 + c];
            if (said > 0) precision += (double)want[4 * c] / (double)said;
            named += said > 0; /* a class that is never the answer has no precision */
        }
        assert_true(fabs(r.recall - recall) < 1e-12);
        assert_true(fabs(r.precision - precision / named) < 1e-12);
        assert_true(isnan(r.auc) && isnan(r.distance[0]) && r.margin[0] < 0 && r.margin[6] > 0);
        perc_model_free(m);
    }
    perc_dataset_free(ds);
}

TEST(probabilities_of_three_classes_agree_with_plain_loops)
{
    static const char *const how[] = { "native", "ovr" };
    const struct sigmoid g[3] = { { -0.02, 0.5 }, { -0.05, 0 }, { -0.01, -0.2 } };
    perc_dataset *ds;

    assert_int_equal(perc_dataset_read(NULL, ":iris", NULL, &ds, NULL), PERC_OK);
    for (int k = 0; k < 2; k++) {
        perc_model *m = three_classes(ds, how[k]);
        double s[450], log_loss = 0, brier = 0;
        struct bins b = { { 0 }, { 0 }, { 0 } };
        uint64_t disagree = 0;
        perc_metrics r;
        calibrate(m, g, 3);
        assert_int_equal(perc_evaluate(NULL, m, ds, &r, NULL, NULL), PERC_OK);
        assert_int_equal(perc_predict(NULL, m, ds, s, NULL), PERC_OK);
        for (uint64_t i = 0; i < 150; i++) {
            const double *x = s + 3 * i;
            const int y = perc_dataset_row_label(ds, i);
            const int answer = x[0] >= x[1] && x[0] >= x[2] ? 0 : x[1] >= x[2] ? 1 : 2;
            double p[3], sum = 0;
            for (int c = 0; c < 3; c++) sum += p[c] = 1 / (1 + exp(g[c].a * x[c] + g[c].b));
            for (int c = 0; c < 3; c++) {
                p[c] /= sum;
                brier += (p[c] - (c == y)) * (p[c] - (c == y)) / 150;
            }
            log_loss -= log(p[y]) / 150;
            disagree += p[answer] < fmax(p[0], fmax(p[1], p[2]));
            put(&b, p[answer], answer == y);
        }
        assert_true(fabs(r.log_loss - log_loss) < 1e-12 * log_loss);
        assert_true(fabs(r.brier - brier) < 1e-12);
        assert_int_equal(r.disagree, disagree);
        assert_true(disagree > 0); /* guard */
        assert_bins(&b, &r);
        perc_model_free(m);
    }
    perc_dataset_free(ds);
}
