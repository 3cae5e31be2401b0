/* test_folds.c -- folds are dealt evenly, and cross-validation is the slow loop.
 *
 * The slow loop is written out here with what anybody can call: for each fold a copy of
 * the rows with weight 0 for the fold's, perc_fit on them, and perc_evaluate on a set of
 * the fold's rows alone. perc_cross_validate gives the same numbers to the bit, for every
 * learner, by whatever way it goes, on any number of threads. */
#include <limits.h>
#include <math.h>
#include <time.h>

#include "data/mask.h"
#include "data/measure.h"
#include "model/deal.h"
#include "model/folds.h"
#include "model/trials.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

/* ----- dealing ------------------------------------------------------------------------- */

/* n rows of one feature with `labels` labels, some of them rare, in random order. */
static struct t_data many_labels(size_t n, size_t labels, uint64_t seed)
{
    struct t_data d = t_data_new(n, 1);
    struct rng r = rng_seed(seed, 2);

    for (size_t i = 0; i < n; i++) {
        d.x[i] = rng_uniform(&r);
        d.y[i] = (double)rng_below(&r, 1 + rng_below(&r, labels));
    }
    return d;
}

/* The largest number of rows in a fold less the smallest, of one label (-1: of all). */
static long unevenness(const struct t_data *d, const uint32_t *fold, size_t k, double label)
{
    long count[64] = { 0 }, low = LONG_MAX, high = 0;

    for (size_t i = 0; i < d->rows; i++) count[fold[i]] += label < 0 || d->y[i] == label;
    for (size_t f = 0; f < k; f++) {
        low = count[f] < low ? count[f] : low;
        high = count[f] > high ? count[f] : high;
    }
    return high - low;
}

static long rarest(const struct t_data *d)
{
    long count[64] = { 0 }, low = LONG_MAX;

    for (size_t i = 0; i < d->rows; i++) count[(int)d->y[i]]++;
    for (int c = 0; c < 64; c++)
        if (count[c] > 0 && count[c] < low) low = count[c];
    return low;
}

TEST(labels_are_spread_evenly)
{
    enum { ROWS = 500 };
    uint32_t fold[ROWS], again[ROWS];
    int refused = 0, dealt = 0;

    for (uint64_t seed = 0; seed < 60; seed++) {
        struct t_data d = many_labels(ROWS - seed, 2 + seed % 9, seed);
        perc_dataset *ds = t_borrow(&d);
        const size_t k = 2 + (size_t)(seed * 7 % 30);
        const perc_status st = perc_folds(ds, k, seed, fold, NULL);
        assert_int_equal(st, rarest(&d) < (long)k ? PERC_EDATA : PERC_OK);
        refused += st != PERC_OK;
        dealt += st == PERC_OK;
        for (size_t i = 0; i < d.rows && !st; i++) assert_true(fold[i] < k);
        for (double c = -1; c < 11 && !st; c++) assert_true(unevenness(&d, fold, k, c) <= 1);
        if (!st) {
            assert_int_equal(perc_folds(ds, k, seed, again, NULL), PERC_OK);
            assert_memory_equal(fold, again, d.rows * sizeof *fold);
            assert_int_equal(perc_folds(ds, k, seed + 1, again, NULL), PERC_OK);
            assert_memory_not_equal(fold, again, d.rows * sizeof *fold);
        }
        t_free(ds, &d);
    }
    assert_true(refused > 5 && dealt > 20);
}

/* Rows are shuffled: no fold is a stretch of the file, or every k-th row of it. */
TEST(folds_do_not_follow_the_order)
{
    enum { ROWS = 1000, K = 5 };
    struct t_data d = t_data_new(ROWS, 1);
    uint32_t fold[ROWS];
    int same = 0, stride = 0;

    for (size_t i = 0; i < ROWS; i++) d.y[i] = i < ROWS / 2;
    perc_dataset *ds = t_borrow(&d);
    assert_int_equal(perc_folds(ds, K, 1, fold, NULL), PERC_OK);
    for (size_t i = 0; i + K < ROWS; i++) {
        same += fold[i] == fold[i + 1];
        stride += fold[i] == fold[i + K];
    }
    assert_true(abs(same - ROWS / K) < 60 && abs(stride - ROWS / K) < 60); /* 5 deviations */
    t_free(ds, &d);
}

TEST(what_cannot_be_dealt_is_said)
{
    struct t_data d = t_noise(12, 2, T_REAL, 1, 1);
    perc_error err = { 0 };
    uint32_t fold[12];
    perc_metrics each[20];

    for (size_t i = 0; i < 12; i++) d.y[i] = i < 3 ? 7 : 1;
    perc_dataset *ds = t_borrow(&d);
    perc_params *p = t_params("averaged", ""), *data = t_params("data", "");
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(perc_folds(ds, k, 0, fold, &err), PERC_EARG);
        assert_int_equal(perc_cross_validate(NULL, ds, p, k, NULL, each, &err), PERC_EARG);
    }
    assert_string_equal(err.text, "1 fold: at least 2 are needed");
    assert_int_equal(perc_folds(ds, 3, 0, fold, &err), PERC_OK);
    assert_int_equal(perc_folds(ds, 10, 0, fold, &err), PERC_EDATA);
    assert_string_equal(err.text, "label 7 has 3 rows: 10 folds need at least 10 (lower --folds)");
    assert_int_equal(perc_folds(ds, 13, 0, fold, &err), PERC_EDATA); /* more than rows */
    assert_int_equal(perc_cross_validate(NULL, ds, p, 4, NULL, each, &err), PERC_EDATA);
    assert_int_equal(perc_cross_validate(NULL, ds, data, 3, NULL, each, &err), PERC_EARG);
    assert_string_equal(err.text, "parameters of 'data', where the kind 'learner' is expected");
    ds->block[0].label[4] = LABEL_NONE;
    assert_int_equal(perc_folds(ds, 2, 0, fold, &err), PERC_EDATA);
    assert_string_equal(err.text, "the row has no label");
    assert_int_equal(err.line, 5);
    t_free(p, data, ds, &d);
}

/* Rows of weight > 0 of a label are spread evenly as well; those of weight 0 do not stand
 * in for them. */
TEST(rows_of_weight_0_are_dealt_apart)
{
    enum { ROWS = 200 };
    uint32_t fold[ROWS], plain[ROWS];
    int dealt = 0;

    for (uint64_t seed = 0; seed < 40; seed++) {
        struct t_data d = many_labels(ROWS, 3, seed);
        struct rng r = rng_seed(seed, 3);
        const size_t k = 2 + (size_t)(seed % 7);
        perc_dataset *ds = t_borrow(&d);
        const perc_status st = perc_folds(ds, k, seed, plain, NULL);
        perc_dataset_free(ds);
        t_weigh(&d, seed);
        ds = t_borrow(&d); /* weights as such change nothing */
        assert_int_equal(perc_folds(ds, k, seed, fold, NULL), st);
        if (!st) assert_memory_equal(fold, plain, sizeof fold);
        perc_dataset_free(ds);
        for (size_t i = 0; i < ROWS; i++)
            if (rng_below(&r, 3) > 0) d.weight[i] = 0;
        ds = t_borrow(&d);
        struct t_data some = t_copy(&d);
        for (size_t i = 0; i < ROWS; i++)
            if (!(d.weight[i] > 0)) some.y[i] = 63; /* no label of many_labels */
        if (!perc_folds(ds, k, seed, fold, NULL)) {
            for (double c = -1; c < 3; c++) assert_true(unevenness(&d, fold, k, c) <= 1);
            for (double c = 0; c < 3; c++) assert_true(unevenness(&some, fold, k, c) <= 1);
            dealt++;
        }
        t_free(ds, &some, &d);
    }
    assert_true(dealt > 20); /* guard */
}

TEST(too_few_rows_of_weight_are_said)
{
    struct t_data d = t_noise(12, 2, T_REAL, 1, 1);
    perc_error err = { 0 };
    uint32_t fold[12];
    perc_metrics each[3];

    for (size_t i = 0; i < 12; i++) d.y[i] = i < 4 ? 7 : 1;
    t_weigh(&d, 1);
    d.weight[1] = d.weight[2] = 0;
    perc_dataset *ds = t_borrow(&d);
    perc_params *p = t_params("averaged", "");
    assert_int_equal(perc_folds(ds, 2, 0, fold, NULL), PERC_OK);
    assert_int_equal(perc_folds(ds, 3, 0, fold, &err), PERC_EDATA);
    assert_string_equal(err.text, "label 7 has 2 rows of weight > 0: 3 folds need at least 3 "
                                  "(lower --folds)");
    assert_int_equal(perc_cross_validate(NULL, ds, p, 3, NULL, each, NULL), PERC_EDATA);
    perc_dataset_free(ds);
    d.weight[3] = 0;
    ds = t_borrow(&d);
    assert_int_equal(perc_folds(ds, 2, 0, fold, &err), PERC_EDATA);
    assert_string_equal(err.text, "label 7 has 1 row of weight > 0: 2 folds need at least 2 "
                                  "(lower --folds)");
    perc_dataset_free(ds);
    d.weight[0] = 0; /* no model learns this label, and none is missing it */
    ds = t_borrow(&d);
    assert_int_equal(perc_folds(ds, 5, 0, fold, NULL), PERC_OK);
    t_free(ds, p, &d);
}

/* ----- one label against the others --------------------------------------------------------- */

static perc_status dealt(const perc_dataset *ds, size_t k, uint64_t seed, const char *positive,
                         uint32_t *fold, perc_error *err)
{
    const struct env e = env_resolve(NULL);

    return deal_folds(&e, ds, k, seed, positive, fold, err);
}

TEST(with_positive_there_are_two_classes)
{
    enum { K = 5 };
    struct t_data d = t_noise(41, 2, T_REAL, 1, 1);
    perc_error err = { 0 };
    uint32_t fold[41];
    perc_metrics each[30];

    for (size_t i = 0; i < 41; i++) d.y[i] = i < 20 ? 1 : i < 40 ? 2 : 3;
    perc_dataset *ds = t_borrow(&d);
    perc_params *all = t_params("averaged", "epochs=1"),
                *one = t_params("averaged", "epochs=1 positive=1");
    perc_params *rare = t_params("averaged", "epochs=1 positive=3");
    assert_int_equal(perc_folds(ds, K, 0, fold, &err), PERC_EDATA);
    assert_int_equal(perc_cross_validate(NULL, ds, all, K, NULL, each, &err), PERC_EDATA);
    assert_int_equal(perc_cross_validate(NULL, ds, one, K, NULL, each, &err), PERC_OK);
    assert_int_equal(perc_cross_validate(NULL, ds, rare, 2, NULL, each, &err), PERC_EDATA);
    assert_string_equal(err.text, "label 3 has 1 row: 2 folds need at least 2 (lower --folds)");
    assert_int_equal(perc_cross_validate(NULL, ds, one, 21, NULL, each, &err), PERC_EDATA);
    assert_string_equal(err.text, "label 1 has 20 rows: 21 folds need at least 21 (lower --folds)");
    perc_dataset_free(ds);
    for (size_t i = 20; i < 41; i++) d.y[i] = i < 23 ? 2 : i < 26 ? 3 : 1;
    ds = t_borrow(&d);
    assert_int_equal(perc_cross_validate(NULL, ds, one, 6, NULL, each, &err), PERC_OK);
    assert_int_equal(perc_cross_validate(NULL, ds, one, 7, NULL, each, &err), PERC_EDATA);
    assert_string_equal(err.text, "labels other than 1 have 6 rows: 7 folds need at least 7 "
                                  "(lower --folds)");
    t_free(ds, all, one, rare, &d);
}

/* Two rows of weight > 0 are all that the other class has, each of a label of its own, the
 * one before the positive label and the other after it. */
TEST(rare_labels_are_dealt_in_turn)
{
    uint32_t fold[16];

    for (size_t n = 2; n < 8; n++)                   /* rows of the positive label */
        for (size_t light = 0; light < 6; light++) { /* of weight 0, of the first label */
            struct t_data d = t_data_new(n + light + 2, 1);
            t_weigh(&d, 1);
            d.y[0] = 0;
            d.y[1] = 2;
            for (size_t i = 2; i < 2 + light; i++) d.y[i] = d.weight[i] = 0;
            perc_dataset *ds = t_borrow(&d);
            assert_int_equal(dealt(ds, 2, n, "1", fold, NULL), PERC_OK);
            assert_true(fold[0] != fold[1]);
            t_free(ds, &d);
        }
}

/* Whichever labels are rare, and whatever weighs nothing: each fold has a row of weight > 0
 * of both classes, and sizes differ by at most 1. Where no label is rare the folds are those
 * of perc_folds. */
TEST(every_fold_has_both_classes)
{
    enum { ROWS = 60 };
    uint32_t fold[ROWS], plain[ROWS];
    int with_rare = 0, as_ever = 0;

    for (uint64_t seed = 0; seed < 300; seed++) {
        struct t_data d = many_labels(ROWS, 9, seed), class = t_data_new(ROWS, 1);
        const size_t k = 2 + (size_t)(seed % 6);
        char positive[32];
        t_weigh(&d, seed);
        struct rng r = rng_seed(seed, 4);
        for (size_t i = 0; i < ROWS; i++)
            if (seed % 2 && rng_below(&r, 3) == 0) d.weight[i] = 0;
        const double one = (double)rng_below(&r, 3);
        snprintf(positive, sizeof positive, "%g", one);
        for (size_t i = 0; i < ROWS; i++) class.y[i] = !(d.weight[i] > 0) ? 5 : d.y[i] == one;
        perc_dataset *ds = t_borrow(&d);
        const perc_status st = dealt(ds, k, seed, positive, fold, NULL);
        const bool usual = perc_folds(ds, k, seed, plain, NULL) == PERC_OK;
        if (usual) assert_int_equal(st, PERC_OK);
        if (usual) assert_memory_equal(fold, plain, sizeof fold);
        for (size_t f = 0; f < k && !st; f++) {
            int n[2] = { 0 };
            for (size_t i = 0; i < ROWS; i++)
                if (fold[i] == f && class.y[i] < 2) n[(int)class.y[i]]++;
            assert_true(n[0] > 0 && n[1] > 0);
        }
        if (!st) assert_true(unevenness(&d, fold, k, -1) <= 1);
        as_ever += usual;
        with_rare += !usual && !st;
        t_free(ds, &d, &class);
    }
    assert_true(as_ever > 3 && with_rare > 100); /* guard */
}

/* ----- rows that count for nothing --------------------------------------------------------- */

/* In the order of the file a row of weight 0 might as well not be there. */
TEST(masked_rows_might_as_well_be_absent)
{
    static const char *const options[] = {
        "algorithm=averaged order=file epochs=5 class-weight=balanced",
        "algorithm=perceptron order=file epochs=5 class-weight=balanced schedule=1/t",
        "algorithm=pa2 order=file epochs=3",
        "algorithm=pocket order=file epochs=3 class-weight=balanced",
    };
    const struct env e = env_resolve(NULL);

    for (int k = 0; k < 12; k++) {
        struct t_data d = t_noise(50, 4, T_REAL, 0.8, (uint64_t)k), few = t_data_new(50, 4);
        uint8_t keep[50];
        if (k % 2) t_weigh(&d, 1), t_weigh(&few, 1);
        few.rows = 0;
        for (size_t i = 0; i < 50; i++) {
            keep[i] = i < 4 || i % 3 != (d.y[i] > 0); /* one label loses more than the other */
            if (!keep[i]) continue;
            memcpy(few.x + few.rows * 4, d.x + i * 4, 4 * sizeof *d.x);
            if (k % 2) few.weight[few.rows] = d.weight[i];
            few.y[few.rows++] = d.y[i];
        }
        perc_dataset *ds = t_borrow(&d), *rest = t_borrow(&few), *masked;
        assert_int_equal(mask_dataset(&e, ds, keep, &masked), PERC_OK);
        perc_model *a = t_fit(masked, options[k % 4], NULL), *b = t_fit(rest, options[k % 4], NULL);
        for (uint64_t j = 0; j < 4; j++)
            assert_true(t_same_bits(perc_model_weight(a, j, 0), perc_model_weight(b, j, 0)));
        assert_true(t_same_bits(t_offset(a), t_offset(b)));
        t_free(a, b);
        mask_remove(masked);
        t_free(ds, rest, &d, &few);
    }
}

/* ----- the slow loop ----------------------------------------------------------------------- */

/* The rows of fold f alone. */
static struct t_data rows_of(const struct t_data *d, const uint32_t *fold, size_t f)
{
    struct t_data h = t_data_new(d->rows, d->cols);

    h.rows = 0;
    for (size_t i = 0; i < d->rows; i++) {
        if (fold[i] != f) continue;
        memcpy(h.x + h.rows * d->cols, d->x + i * d->cols, d->cols * sizeof *d->x);
        h.y[h.rows++] = d->y[i];
    }
    return h;
}

/* The model of fold f, and how it does on its rows. */
static perc_model *slow_fold(const struct t_data *d, const perc_params *p, const uint32_t *fold,
                             size_t f, perc_metrics *out)
{
    struct t_data rest = t_copy(d), held = rows_of(d, fold, f);
    perc_error err = { 0 };
    perc_model *m;

    if (rest.weight == NULL) t_weigh(&rest, 0);
    for (size_t i = 0; i < d->rows; i++)
        rest.weight[i] = fold[i] == f ? 0 : d->weight != NULL ? d->weight[i] : 1;
    perc_dataset *ds = t_borrow(&rest), *part = t_borrow(&held);
    if (perc_fit(NULL, ds, p, NULL, &m, NULL, &err)) fail_msg("%s", err.text);
    assert_int_equal(perc_evaluate(NULL, m, part, out, NULL, NULL), PERC_OK);
    t_free(ds, part, &rest, &held);
    return m;
}

/* What each model says about its own rows is what folds_scores says. */
static void check_scores(const struct t_data *d, const perc_model *m, const uint32_t *fold,
                         size_t f, size_t outputs, const double *scores)
{
    perc_dataset *ds = t_borrow(d);
    double *own = calloc(d->rows * outputs, sizeof *own);

    assert_non_null(own);
    assert_int_equal(perc_predict(NULL, m, ds, own, NULL), PERC_OK);
    for (size_t i = 0; i < d->rows * outputs; i++)
        if (fold[i / outputs] == f) assert_true(t_same_bits(own[i], scores[i]));
    perc_dataset_free(ds);
    free(own);
}

static void check_against_slow_loop(const struct t_data *d, const char *options, size_t k,
                                    int threads)
{
    const struct env e = env_resolve(&(perc_env){ .threads = threads });
    const perc_env env = { .threads = threads };
    perc_dataset *ds = t_borrow(d);
    perc_params *p = t_params("averaged", options);
    uint32_t *fold = calloc(d->rows, sizeof *fold);
    perc_metrics *each = calloc(k, sizeof *each), want;
    double *scores = NULL;
    perc_error err = { 0 };

    assert_true(fold != NULL && each != NULL);
    assert_int_equal(perc_folds(ds, k, (uint64_t)params_int(p, "seed"), fold, NULL), PERC_OK);
    if (perc_cross_validate(&env, ds, p, k, NULL, each, &err))
        fail_msg("%s: %s", options, err.text);
    for (size_t f = 0; f < k; f++) {
        perc_model *m = slow_fold(d, p, fold, f, &want);
        const size_t outputs = learner_outputs(&m->learner);
        if (scores == NULL) {
            scores = calloc(d->rows * outputs, sizeof *scores);
            assert_non_null(scores);
            assert_int_equal(folds_scores(&e, ds, p, k, NULL, outputs, scores, NULL), PERC_OK);
        }
        if (memcmp(&want, &each[f], sizeof want) != 0)
            fail_msg("%s, %zu folds, %d threads: fold %zu: accuracy %.17g and %.17g, error %.17g "
                     "and %.17g, loss %.17g and %.17g",
                     options, k, threads, f, want.accuracy, each[f].accuracy, want.error,
                     each[f].error, want.hinge_loss, each[f].hinge_loss);
        check_scores(d, m, fold, f, outputs, scores);
        perc_model_free(m);
    }
    free(fold);
    free(each);
    free(scores);
    t_free(p, ds);
}

static const char *const learners[] = {
    "algorithm=averaged",
    "algorithm=perceptron",
    "algorithm=perceptron schedule=1/t offset=false",
    "algorithm=averaged schedule=1/sqrt rate=2",
    "algorithm=averaged rule=pa1 aggressiveness=0.1",
    "algorithm=averaged rule=margin rate=0.1",
    "algorithm=voted",
    "algorithm=pocket",
    "algorithm=pocket rule=pa1",
    "algorithm=margin margin=2",
    "algorithm=pa",
    "algorithm=pa1 aggressiveness=0.03",
    "algorithm=pa2 offset=false",
};
static const char *const ways[] = {
    "epochs=4",
    "epochs=3 order=file class-weight=balanced seed=5",
    "epochs=50 updates=30",
    "epochs=4 time-limit=1000", /* each fold by itself */
    "epochs=3 class-weight=1=2,0=0.5 seed=8",
    "epochs=2 multiclass=native",
    "epochs=3 positive=1",
    "epochs=3 multiclass=ovr class-weight=balanced",
    "epochs=3 order=shuffle-once init=unit",
    "epochs=2 init=random",
};
enum { LEARNERS = COUNT(learners), WAYS = COUNT(ways) };

/* Whole numbers, so that rows lie on boundaries, or real ones; two classes or more. */
static struct t_data noise(int k, size_t classes)
{
    struct t_data d = t_noise(64, 5, k % 2 ? T_REAL : T_WHOLE, 0.7, (uint64_t)k);

    for (size_t i = 0; i < d.rows; i++)
        d.y[i] = classes == 2 ? d.y[i] > 0 : (double)(i * 7 % 11 % classes);
    if (k % 3 == 0) t_weigh(&d, (uint64_t)k);
    if (k % 3 == 0) d.weight[9] = d.weight[30] = 0;
    return d;
}

TEST(cross_validation_is_the_slow_loop)
{
    static const size_t folds[] = { 2, 3, 5, 10 };

    for (int k = 0; k < LEARNERS * WAYS; k++) {
        struct t_data d = noise(k, 2 + (k % 5 == 4));
        char text[256];
        snprintf(text, sizeof text, "%s %s", learners[k % LEARNERS], ways[k / LEARNERS]);
        check_against_slow_loop(&d, text, folds[k % 4], 1 + k % 3);
        t_data_free(&d);
    }
}

/* As many folds as there are rows of each label: one row of each in every fold. More
 * folds than one walk takes. */
TEST(many_folds)
{
    struct t_data d = t_noise(90, 3, T_REAL, 1, 5);

    for (size_t i = 0; i < d.rows; i++) d.y[i] = (double)(i % 2);
    check_against_slow_loop(&d, "algorithm=averaged epochs=3", 45, 1);
    check_against_slow_loop(&d, "algorithm=margin epochs=3", 45, 2);
    check_against_slow_loop(&d, "algorithm=pocket epochs=2", 33, 3);
    t_data_free(&d);
}

/* Data that can be separated: folds converge, each in its own pass. */
TEST(folds_may_stop_early)
{
    static const double u[] = { 1, -2, 0.5 };
    struct t_data d = t_planted(120, 3, u, 0.1, 0.05, 3);

    for (int k = 0; k < LEARNERS; k++) {
        char text[256];
        snprintf(text, sizeof text, "%s epochs=40", learners[k]);
        check_against_slow_loop(&d, text, 4, 1 + k % 2);
    }
    t_data_free(&d);
}

/* Learners that solve a problem at once, and whose answer may be no. */
TEST(solvers_too)
{
    static const char *const separators[] = { "algorithm=lp", "algorithm=svm hard=true" };
    static const double u[] = { 1, -2, 0.5, 0, 1 };
    struct t_data d = t_planted(60, 5, u, 0.1, 0.1, 3), n = noise(0, 2);
    perc_dataset *ds = t_borrow(&d), *no = t_borrow(&n);
    perc_metrics each[4];

    for (int k = 0; k < 4; k++) {
        struct t_data e = noise(k, 2 + (size_t)(k & 1));
        check_against_slow_loop(
            &e, k < 2 ? "algorithm=svm" : "algorithm=svm class-weight=balanced offset=false", 3,
            1 + k % 3);
        t_data_free(&e);
    }
    for (int k = 0; k < 2; k++) {
        perc_params *p = t_params("lp", separators[k]);
        perc_error err = { 0 };
        perc_model *m;
        if (perc_fit(NULL, ds, p, NULL, &m, NULL, &err)) { /* built without the solver */
            print_message("%s\n", err.text);
        } else {
            check_against_slow_loop(&d, separators[k], 4, 2);
            assert_int_equal(perc_cross_validate(NULL, no, p, 3, NULL, each, &err), PERC_ENO);
            assert_true(strncmp(err.text, "fold 1: ", 8) == 0);
        }
        t_free(m, p);
    }
    t_free(ds, no, &d, &n);
}

/* What folds_scores says of a set that was read, against models of masked sets. */
TEST(files_and_maps_too)
{
    static const char *const data[] = { "", "map=poly:2", "scale=standard", "map=poly:2:hash:6" };
    static const char *const options[] = { "algorithm=averaged epochs=3",
                                           "algorithm=voted epochs=2",
                                           "algorithm=pocket epochs=2" };
    const struct env e = env_resolve(&(perc_env){ .threads = 2 });
    struct t_data d = t_noise(100, 6, T_WHOLE, 0.5, 4);
    double scores[100], own[100];
    uint32_t fold[100];
    uint8_t keep[100];

    t_write(&d, "d.svm", 1, false, "no", "yes");
    for (int k = 0; k < 12; k++) {
        perc_dataset *ds = t_read("d.svm", data[k % 4]), *part, *masked;
        perc_params *p = t_params("averaged", options[k / 4]);
        assert_int_equal(perc_folds(ds, 4, 0, fold, NULL), PERC_OK);
        assert_int_equal(folds_scores(&e, ds, p, 4, NULL, 1, scores, NULL), PERC_OK);
        for (uint32_t f = 0; f < 4; f++) {
            for (size_t i = 0; i < 100; i++) keep[i] = fold[i] != f;
            assert_int_equal(measure_part(&e, ds, keep, &part, NULL), PERC_OK);
            assert_int_equal(mask_dataset(&e, part, keep, &masked), PERC_OK);
            perc_model *m = t_fit(masked, options[k / 4], NULL);
            assert_int_equal(perc_predict(NULL, m, part, own, NULL), PERC_OK);
            for (size_t i = 0; i < 100; i++)
                if (fold[i] == f) assert_true(t_same_bits(own[i], scores[i]));
            perc_model_free(m);
            mask_remove(masked);
            perc_dataset_free(part);
        }
        t_free(p, ds);
    }
    t_data_free(&d);
}

/* ----- numbers that can be worked out by hand ------------------------------------------------ */

/* One feature, x = y: whatever is left out, the sign of x is learned from the first row
 * on, and all held rows are right. With labels turned round in the rows of one fold it
 * alone is all wrong. */
TEST(estimates_by_hand)
{
    enum { ROWS = 40, K = 4 };
    struct t_data d = t_data_new(ROWS, 1);
    perc_params *p = t_params("perceptron", "offset=false epochs=1");
    perc_metrics each[K], mean, spread;
    uint32_t fold[ROWS];

    for (size_t i = 0; i < ROWS; i++) d.x[i] = d.y[i] = i % 2 ? 1 : -1;
    perc_dataset *ds = t_borrow(&d);
    assert_int_equal(perc_cross_validate(NULL, ds, p, K, NULL, each, NULL), PERC_OK);
    perc_metrics_summary(each, K, &mean, &spread);
    assert_int_equal(mean.rows, ROWS);
    assert_int_equal(mean.errors, 0);
    assert_true(mean.accuracy == 1 && spread.accuracy == 0 && mean.auc == 1);
    assert_true(mean.margin[3] == 1); /* w = 1: learned from one row */

    assert_int_equal(perc_folds(ds, K, 0, fold, NULL), PERC_OK);
    for (size_t i = 0; i < ROWS; i++)
        if (fold[i] == 2) d.x[i] = -d.x[i];
    assert_int_equal(perc_cross_validate(NULL, ds, p, K, NULL, each, NULL), PERC_OK);
    assert_true(each[2].accuracy == 0 && each[2].errors == ROWS / K);
    t_free(ds, p, &d);
}

TEST(summary_by_hand)
{
    perc_metrics each[3] = { 0 }, mean, spread;

    for (int i = 0; i < 3; i++) {
        each[i].rows = 10 + (uint64_t)i;
        each[i].unknown = each[i].unlabelled = each[i].on_boundary = 2;
        each[i].errors = 1;
        each[i].accuracy = 0.5 + 0.25 * i; /* 0.5 0.75 1 */
        each[i].margin[6] = 3 - i;         /* 3 2 1 */
        each[i].brier = 4 * i;             /* 0 4 8 */
        each[i].f1 = i == 1 ? NAN : 1;
        each[i].reliability[9].rows = 1;
        each[i].reliability[9].p = 0.9;
        each[i].reliability[9].share = i;
    }
    perc_metrics_summary(each, 3, &mean, &spread);
    assert_int_equal(mean.rows, 33);
    assert_int_equal(mean.unknown + mean.unlabelled + mean.on_boundary, 18);
    assert_int_equal(mean.errors, 3);
    assert_int_equal(spread.rows + spread.errors + spread.unknown, 0);
    assert_true(mean.accuracy == 0.75 && spread.accuracy == 0.25);
    assert_true(mean.margin[6] == 2 && spread.margin[6] == 1);
    assert_true(mean.brier == 4 && spread.brier == 4);
    assert_true(isnan(mean.f1) && isnan(spread.f1));
    assert_true(mean.recall == 0 && spread.recall == 0);
    assert_int_equal(mean.reliability[9].rows, 3);
    assert_true(fabs(mean.reliability[9].p - 0.9) < 1e-15); /* a sum of three roundings */
    assert_true(mean.reliability[9].share == 1 && spread.reliability[9].share == 1);
    /* A program of an older release has no room for the last numbers. */
    const size_t old = offsetof(perc_metrics, brier);
    char shorter[3 * sizeof *each];
    for (size_t i = 0; i < 3; i++) memcpy(shorter + i * old, &each[i], old);
    perc_metrics first = { .brier = 7 }, other = { .brier = 7 };
    perc_metrics_summary_sized((perc_metrics *)(void *)shorter, 3, &first, &other, old);
    assert_true(first.accuracy == mean.accuracy && other.margin[6] == spread.margin[6]);
    assert_true(first.brier == 7 && other.brier == 7);
    perc_metrics_summary(each, 1, each, &spread); /* in place, and of one alone */
    assert_true(each[0].accuracy == 0.5 && spread.accuracy == 0);
}

/* ----- observers, failures ---------------------------------------------------------------- */

struct seen {
    int folds, others;
    int64_t epoch, updates;
    int stop_at; /* 0: never */
};

static int note(void *ud, const perc_event *ev)
{
    struct seen *s = ud;

    assert_true(ev->row == -1 && ev->w == NULL && isnan(ev->held_error));
    s->folds += ev->pass_ended;
    s->others += !ev->pass_ended;
    if (ev->pass_ended) assert_int_equal(ev->epoch, s->folds);
    assert_true(ev->updates >= s->updates || !ev->pass_ended);
    if (ev->pass_ended) s->updates = ev->updates;
    return s->stop_at > 0 && s->folds >= s->stop_at;
}

TEST(observers_see_folds_as_passes)
{
    static const char *const options[] = { "algorithm=averaged epochs=5",
                                           "algorithm=pocket epochs=5" };
    struct t_data d = t_noise(60, 4, T_REAL, 1, 2);
    perc_dataset *ds = t_borrow(&d);
    perc_metrics each[6];
    int64_t updates = 0;

    for (int k = 0; k < 8; k++) {
        struct seen s = { .stop_at = k < 4 ? 0 : 2 };
        const perc_observer o = { PERC_WATCH_WEIGHTS, note, &s };
        const perc_env env = { .threads = 1 + k / 2 % 2 };
        perc_params *p = t_params("averaged", options[k % 2]);
        perc_error err = { 0 };
        const perc_status st = perc_cross_validate(&env, ds, p, 6, &o, each, &err);
        assert_int_equal(st, k < 4 ? PERC_OK : PERC_EARG);
        assert_int_equal(s.folds, k < 4 ? 6 : 2);
        if (st) assert_string_equal(err.text, "cancelled");
        if (k < 2) updates = s.updates;
        if (k == 3) assert_int_equal(s.updates, updates); /* as on one thread: pocket's */
        perc_params_free(p);
    }
    t_free(ds, &d);
}

/* Cancelled long before a fold is done. */
static int stop_at_once(void *ud, const perc_event *ev)
{
    int *events = ud;

    (void)ev;
    return ++*events > 0;
}

TEST(cancelling_need_not_wait)
{
    static const char *const options[] = { "algorithm=averaged epochs=1000000000",
                                           "algorithm=pocket epochs=1000000000",
                                           "algorithm=pa epochs=1000000000 time-limit=1e9" };
    struct t_data d = t_noise(200, 30, T_REAL, 1, 2);
    perc_dataset *ds = t_borrow(&d);
    perc_metrics each[4];

    for (int k = 0; k < 6; k++) {
        int events = 0;
        const perc_observer o = { PERC_WATCH_COUNTS, stop_at_once, &events };
        const perc_env env = { .threads = 1 + k / 3 };
        perc_params *p = t_params("averaged", options[k % 3]);
        assert_int_equal(perc_cross_validate(&env, ds, p, 4, &o, each, NULL), PERC_EARG);
        assert_int_equal(events, 1);
        perc_params_free(p);
    }
    t_free(ds, &d);
}

/* Rows of weight 0 whose score overflows, in two folds: nobody learns from them, but the
 * folds they are in cannot be measured. The first such fold is named, and the row. */
TEST(failures_name_the_fold)
{
    struct t_data d = t_noise(60, 2, T_REAL, 1, 2);
    perc_metrics each[6];
    uint32_t fold[60];
    int64_t line = 0;

    t_weigh(&d, 1);
    for (size_t i = 0; i < 60; i++) d.y[i] = (double)(i % 2);
    for (size_t i = 21; i < 60; i++)
        if (i % 3 > 0) d.weight[i] = 0; /* not learned from, by any model */
    perc_dataset *ds = t_borrow(&d);
    assert_int_equal(perc_folds(ds, 6, 0, fold, NULL), PERC_OK);
    for (size_t i = 60; i-- > 0;) {
        const bool bad = (fold[i] == 3 || fold[i] == 4) && !(d.weight[i] > 0);
        if (bad && fold[i] == 3) line = (int64_t)i + 1;
        for (size_t j = 0; j < 2; j++) d.x[2 * i + j] *= bad ? 1.7e308 : 1000;
    }
    for (int k = 0; k < 8; k++) {
        const perc_env env = { .threads = 1 + k % 4 };
        perc_params *p = t_params("averaged", k < 4 ? "epochs=1" : "epochs=1 time-limit=9");
        perc_error err = { 0 };
        assert_int_equal(perc_cross_validate(&env, ds, p, 6, NULL, each, &err), PERC_EDATA);
        assert_true(strncmp(err.text, "fold 4: the score of this row overflows", 39) == 0);
        assert_int_equal(err.line, line);
        perc_params_free(p);
    }
    assert_true(line > 0); /* guard */
    t_free(ds, &d);
}

/* Two trials, of which the second fails while the first is still at work. */
struct race {
    _Atomic int failed;
};

static void choose_all(const void *ud, size_t t, uint8_t *keep)
{
    (void)ud;
    memset(keep, 1, 20);
    keep[t] = 0;
}

static perc_status fail_in_turn(void *ud, const struct trial *trial, perc_error *err)
{
    const size_t t = trial->number;
    struct race *r = ud;

    for (int k = 0; t == 0 && !r->failed && k < 5000; k++)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    snprintf(err->text, sizeof err->text, "trouble %zu", t);
    r->failed = 1;
    return PERC_EDATA;
}

static void name_trial(const void *ud, size_t t, char name[TRIAL_NAME])
{
    (void)ud;
    snprintf(name, TRIAL_NAME, "trial %zu", t);
}

TEST(the_first_of_two_failures_is_reported)
{
    struct t_data d = t_noise(20, 2, T_REAL, 1, 2);
    perc_dataset *ds = t_borrow(&d);
    perc_params *p = t_params("pocket", "epochs=1");
    struct race race = { 0 };
    const struct trials t = { .e = env_resolve(&(perc_env){ .threads = 2 }),
                              .ds = ds,
                              .p = p,
                              .count = 2,
                              .ud = &race,
                              .choose = choose_all,
                              .judge = fail_in_turn,
                              .name = name_trial };
    perc_error err = { 0 };

    assert_int_equal(trials_run(&t, &err), PERC_EDATA);
    assert_string_equal(err.text, "trial 0: trouble 0");
    t_free(p, ds, &d);
}

TEST(the_checkpoint_is_left_alone)
{
    struct t_data d = t_noise(40, 2, T_REAL, 1, 2);
    perc_dataset *ds = t_borrow(&d);
    perc_metrics each[4];
    char name[256];

    for (int k = 0; k < 2; k++) {
        perc_params *p = t_params("averaged", k ? "checkpoint=c.m time-limit=9" : "checkpoint=c.m");
        assert_int_equal(perc_cross_validate(NULL, ds, p, 4, NULL, each, NULL), PERC_OK);
        perc_params_free(p);
    }
    assert_int_equal(t_dir_count("", name), 0);
    t_free(ds, &d);
}

TEST(memory_may_run_out_anywhere)
{
    static const char *const options[] = { "algorithm=averaged epochs=2 class-weight=balanced",
                                           "algorithm=pa1 epochs=2 time-limit=100",
                                           "algorithm=voted epochs=1" };

    for (int k = 0; k < 6; k++) {
        struct t_data d = noise(1, k < 3 ? 2 : 3);
        perc_dataset *ds = t_borrow(&d);
        perc_params *p = t_params("averaged", options[k % 3]);
        perc_metrics each[3];
        for (struct t_sweep s = { .onwards = true, .least = 40 }; t_sweep_next(&s);) {
            const perc_status st = perc_cross_validate(&s.env, ds, p, 3, NULL, each, NULL);
            t_sweep_judge(&s, st);
        }
        t_free(p, ds, &d);
    }
}
