/* test_calibrate.c -- calibration is what one gets by hand: folds, models without them,
 * their scores, a sigmoid through all of these. */
#include <float.h>
#include <math.h>
#include <unistd.h>

#include "model/model.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"
#include "vec/rng.h"

enum { ROWS = 90, COLS = 3, FOLDS = 4, CLASSES = 3 };

struct set { /* clouds that overlap, one a class; labels 0, 1, ... */
    double x[ROWS * COLS], y[ROWS], w[ROWS];
};

static struct set draw(uint64_t seed, size_t classes, double apart)
{
    struct rng g = rng_seed(seed, 0);
    struct set d;

    for (size_t i = 0; i < ROWS; i++) {
        const size_t c = i < classes * FOLDS ? i % classes : rng_below(&g, classes);
        d.y[i] = (double)c;
        d.w[i] = i % 7 == 0 ? 0 : 0.25 * (double)(1 + rng_below(&g, 8));
        for (size_t j = 0; j < COLS; j++) d.x[i * COLS + j] = rng_normal(&g) + (j == c ? apart : 0);
    }
    return d;
}

static perc_dataset *borrow(const struct set *d, const double *weight)
{
    const perc_dense x = { d->x, PERC_F64, ROWS, COLS, COLS * sizeof(double), sizeof(double) };
    perc_dataset *ds;

    assert_int_equal(perc_dataset_borrow_dense(NULL, &x, d->y, weight, &ds, NULL), PERC_OK);
    return ds;
}

/* The scores of every row by the model that has not seen it. */
static void held_out(const struct set *d, const double *weight, const char *options, size_t k,
                     uint64_t seed, size_t outputs, double *score)
{
    perc_dataset *ds = borrow(d, weight);
    uint32_t fold[ROWS];

    assert_int_equal(perc_folds(ds, k, seed, fold, NULL), PERC_OK);
    for (size_t f = 0; f < k; f++) {
        double w[ROWS], s[ROWS * CLASSES];
        for (size_t i = 0; i < ROWS; i++) w[i] = fold[i] == f ? 0 : weight != NULL ? weight[i] : 1;
        perc_dataset *rest = borrow(d, w);
        perc_model *m = t_fit(rest, options, NULL);
        assert_int_equal(perc_predict(NULL, m, ds, s, NULL), PERC_OK);
        for (size_t i = 0; i < ROWS; i++)
            if (fold[i] == f) memcpy(score + i * outputs, s + i * outputs, outputs * sizeof *s);
        t_free(m, rest);
    }
    perc_dataset_free(ds);
}

/* The sigmoids of m, of which `positive` (or -1) is the class picked. */
static void assert_by_hand(const perc_model *m, const struct set *d, const double *weight,
                           const char *options, size_t k, uint64_t seed, int positive)
{
    perc_model_info info;
    double score[ROWS * CLASSES];
    uint32_t class[ROWS];

    perc_model_info_get(m, &info);
    assert_true(info.calibrated);
    held_out(d, weight, options, k, seed, info.outputs, score);
    for (size_t i = 0; i < ROWS; i++)
        class[i] = positive >= 0 ? d->y[i] == positive : (uint32_t)d->y[i];
    for (size_t c = 0; c < info.outputs; c++) {
        const struct platt_rows rows = {
            score + c, info.outputs, ROWS, class, info.outputs == 1 ? 1 : (uint32_t)c, weight
        };
        const struct sigmoid want = platt_fit(&rows);
        double a, b;
        assert_int_equal(perc_model_sigmoid(m, c, &a, &b, NULL), PERC_OK);
        assert_true(want.a < 0); /* guard: the scores do tell something */
        assert_true(t_same_bits(a, want.a) && t_same_bits(b, want.b));
    }
}

/* ----- end to end ------------------------------------------------------------------- */

TEST(any_learner_is_calibrated_as_by_hand)
{
    static const struct {
        const char *options;
        size_t classes;
        int positive;
    } cases[] = {
        { "epochs=5", 2, -1 },
        { "algorithm=averaged epochs=5 seed=0", 2, -1 },
        { "algorithm=voted epochs=3", 2, -1 },
        { "algorithm=pocket epochs=5", 2, -1 },
        { "algorithm=pa1 epochs=5 class-weight=balanced", 2, -1 },
        { "algorithm=averaged epochs=5 multiclass=ovr", 2, -1 },
        { "algorithm=averaged epochs=5 multiclass=native", 2, -1 },
        { "algorithm=averaged epochs=5 multiclass=ovr", 3, -1 },
        { "algorithm=averaged epochs=5 multiclass=native", 3, -1 },
        { "algorithm=voted epochs=2 multiclass=native", 3, -1 },
        { "algorithm=pocket epochs=5 multiclass=ovr", 3, -1 },
        { "algorithm=averaged epochs=5 positive=1", 3, 1 },
        { "algorithm=svm", 2, -1 },
        { "algorithm=svm", 3, -1 },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct set d = draw(i, cases[i].classes, 1.5);
        for (int weighted = 0; weighted < 2; weighted++) {
            const double *weight = weighted ? d.w : NULL;
            perc_dataset *ds = borrow(&d, weight);
            perc_model *m = t_fit(ds, cases[i].options, NULL);
            perc_model *before = t_fit(ds, cases[i].options, NULL);
            assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
            t_assert_same_machine(m, before);
            assert_by_hand(m, &d, weight, cases[i].options, FOLDS, 0, cases[i].positive);
            t_free(m, before, ds);
        }
    }
}

TEST(the_seed_deals_the_folds)
{
    const char *options = "algorithm=averaged epochs=3 order=file seed=11";
    const struct set d = draw(1, 2, 1.5);
    perc_dataset *ds = borrow(&d, NULL);
    perc_model *m = t_fit(ds, options, NULL);
    perc_model *other = t_fit(ds, "algorithm=averaged epochs=3 order=file seed=12", NULL);
    double a, b, c, e;

    assert_int_equal(perc_calibrate(NULL, m, ds, 7, NULL, NULL), PERC_OK);
    assert_by_hand(m, &d, NULL, options, 7, 11, -1);
    assert_int_equal(perc_calibrate(NULL, other, ds, 7, NULL, NULL), PERC_OK);
    perc_model_sigmoid(m, 0, &a, &b, NULL);
    perc_model_sigmoid(other, 0, &c, &e, NULL);
    assert_true(a != c && b != e);
    /* Once more, with other folds: the old sigmoid is replaced. */
    assert_int_equal(perc_calibrate(NULL, m, ds, 3, NULL, NULL), PERC_OK);
    assert_by_hand(m, &d, NULL, options, 3, 11, -1);
    t_free(m, other, ds);
}

TEST(threads_do_not_change_a_bit)
{
    const struct set d = draw(2, 3, 1);
    perc_dataset *ds = borrow(&d, d.w);
    perc_model *m = t_fit(ds, "algorithm=averaged epochs=4", NULL);

    const perc_env one = { NULL, NULL, 1 }, many = { NULL, NULL, 5 };
    assert_int_equal(perc_calibrate(&one, m, ds, FOLDS, NULL, NULL), PERC_OK);
    const struct t_bytes want = t_bytes_of(m);
    assert_int_equal(perc_calibrate(&many, m, ds, FOLDS, NULL, NULL), PERC_OK);
    t_assert_bytes(&want, m);
    free(want.p);
    t_free(m, ds);
}

/* Labels by chance: a model that has learned them by heart is sure of itself, and what it
 * says of new rows is worth nothing. Held-out rows tell, those learned from do not. */
TEST(what_was_learned_by_heart_is_not_believed)
{
    double honest = 0, fooled = 0;

    for (uint64_t k = 0; k < 10; k++) {
        const struct set d = draw(100 + k, 2, 0), fresh = draw(200 + k, 2, 0);
        perc_dataset *ds = borrow(&d, NULL), *other = borrow(&fresh, NULL);
        perc_model *m = t_fit(ds, "algorithm=averaged epochs=20", NULL);
        double s[ROWS];
        uint32_t class[ROWS];
        perc_metrics r;
        assert_int_equal(perc_calibrate(NULL, m, ds, 5, NULL, NULL), PERC_OK);
        assert_int_equal(perc_evaluate(NULL, m, other, &r, NULL, NULL), PERC_OK);
        honest += r.log_loss / 10;
        assert_int_equal(perc_predict(NULL, m, ds, s, NULL), PERC_OK);
        for (size_t i = 0; i < ROWS; i++) class[i] = d.y[i] > 0;
        const struct platt_rows rows = { s, 1, ROWS, class, 1, NULL };
        *m->sigmoid = platt_fit(&rows);
        assert_int_equal(perc_evaluate(NULL, m, other, &r, NULL, NULL), PERC_OK);
        fooled += r.log_loss / 10;
        t_free(m, ds, other);
    }
    assert_true(honest < fooled);
    assert_true(fabs(honest - log(2)) < 0.03); /* a coin's, and the noise of 90 rows */
}

/* ----- asking ------------------------------------------------------------------------- */

TEST(probabilities_follow_from_the_sigmoids)
{
    for (size_t classes = 2; classes <= 3; classes++) {
        const struct set d = draw(3, classes, 1.5);
        perc_dataset *ds = borrow(&d, NULL);
        perc_model *m = t_fit(ds, "algorithm=averaged epochs=4", NULL);
        const size_t outputs = classes == 2 ? 1 : classes;
        double s[ROWS * CLASSES], p[CLASSES];
        assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
        assert_int_equal(perc_predict(NULL, m, ds, s, NULL), PERC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            double q[CLASSES], sum = 0;
            for (size_t c = 0; c < outputs; c++) {
                double a, b;
                assert_int_equal(perc_model_sigmoid(m, c, &a, &b, NULL), PERC_OK);
                q[c] = 1 / (1 + exp(a * s[i * outputs + c] + b));
                sum += q[c];
            }
            assert_int_equal(perc_probabilities(m, s + i * outputs, p, NULL), PERC_OK);
            for (size_t c = 0; c < classes; c++) {
                const double want = outputs > 1 ? q[c] / sum : c == 1 ? q[0] : 1 - q[0];
                assert_true(fabs(p[c] - want) < 1e-14);
            }
        }
        t_free(m, ds);
    }
}

TEST(a_model_without_calibration_says_so)
{
    const struct set d = draw(4, 2, 1);
    perc_dataset *ds = borrow(&d, NULL);
    perc_model *m = t_fit(ds, "epochs=2", NULL);
    perc_model_info info;
    perc_error err = { 0 };
    double s = 1, p[2] = { 5, 5 }, a, b;

    perc_model_info_get(m, &info);
    assert_false(info.calibrated);
    assert_refused(perc_probabilities(m, &s, p, &err), PERC_EARG, &err, "not calibrated");
    assert_true(p[0] == 5 && p[1] == 5);
    assert_int_equal(perc_model_sigmoid(m, 0, &a, &b, &err), PERC_EARG);
    assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
    assert_int_equal(perc_model_sigmoid(m, 0, &a, &b, NULL), PERC_OK);
    assert_int_equal(perc_model_sigmoid(m, 1, &a, &b, &err), PERC_EARG);
    t_free(m, ds);
}

/* ----- in a file, and forgotten --------------------------------------------------------- */

static bool is_calibrated(const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    return info.calibrated != 0;
}

TEST(a_file_keeps_the_sigmoids_to_the_bit)
{
    static const char *const options[] = { "algorithm=averaged epochs=4",
                                           "algorithm=voted epochs=2 multiclass=native" };

    for (size_t classes = 2; classes <= 3; classes++) {
        const struct set d = draw(5, classes, 1);
        perc_dataset *ds = borrow(&d, NULL);
        perc_model *m = t_fit(ds, options[classes - 2], NULL), *back;
        double s[ROWS * CLASSES], p[CLASSES], q[CLASSES];
        assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
        assert_int_equal(perc_model_write(m, "calibrated.model", NULL), PERC_OK);
        assert_int_equal(perc_model_read(NULL, "calibrated.model", &back, NULL), PERC_OK);
        unlink("calibrated.model");
        assert_int_equal(back->sigmoids, m->sigmoids);
        assert_memory_equal(back->sigmoid, m->sigmoid, m->sigmoids * sizeof *m->sigmoid);
        t_assert_same_file(m, back);
        assert_int_equal(perc_predict(NULL, m, ds, s, NULL), PERC_OK);
        assert_int_equal(perc_probabilities(m, s, p, NULL), PERC_OK);
        assert_int_equal(perc_probabilities(back, s, q, NULL), PERC_OK);
        assert_memory_equal(p, q, classes * sizeof *p);
        t_free(m, back, ds);
    }
}

TEST(learning_more_forgets_the_calibration)
{
    const struct set d = draw(6, 2, 1);
    const perc_example x = { NULL, d.x, COLS };
    perc_dataset *ds = borrow(&d, NULL);
    perc_model *m = t_fit(ds, "algorithm=averaged epochs=4", NULL), *on;
    perc_params *more = t_params("averaged", "epochs=5");
    perc_reply reply;

    assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
    assert_int_equal(perc_fit_resume(NULL, ds, m, more, NULL, &on, NULL, NULL), PERC_OK);
    assert_false(is_calibrated(on));
    assert_true(is_calibrated(m));
    /* What was refused has taught nothing; nor has a question. */
    assert_int_equal(perc_learn(m, &x, "1", -1, NULL, NULL), PERC_EARG);
    assert_int_equal(perc_learn_line(m, "1:oops", 6, &reply, NULL), PERC_EDATA);
    assert_int_equal(perc_learn_line(m, "0:1", 3, &reply, NULL), PERC_OK);
    assert_true(reply.answer != NULL && reply.label == NULL); /* guard: it was a question */
    assert_true(is_calibrated(m));
    assert_int_equal(perc_learn(m, &x, "1", 1, NULL, NULL), PERC_OK);
    assert_false(is_calibrated(m));
    assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
    assert_int_equal(perc_learn_line(m, "1 0:1", 5, &reply, NULL), PERC_OK);
    assert_false(is_calibrated(m));
    t_free(more, m, on, ds);
}

/* ----- what goes wrong -------------------------------------------------------------------- */

TEST(what_cannot_be_calibrated_is_refused)
{
    const struct set d = draw(7, 2, 1);
    perc_dataset *ds = borrow(&d, NULL), *other, *rest;
    perc_model *m = t_fit(ds, "epochs=2", NULL), *empty;
    perc_params *p = t_params("perceptron", "");
    perc_error err = { 0 };
    double a, b, c, e;

    assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
    perc_model_sigmoid(m, 0, &a, &b, NULL);
    assert_int_equal(perc_dataset_split(ds, 0.5, 1, &rest, &other, NULL), PERC_OK);
    assert_refused(perc_calibrate(NULL, m, rest, FOLDS, NULL, &err), PERC_EDATA, &err,
                   "trained on 90 rows");
    assert_int_equal(perc_calibrate(NULL, m, ds, ROWS, NULL, &err), PERC_EDATA);
    assert_int_equal(perc_calibrate(NULL, m, ds, 1, NULL, &err), PERC_EARG);
    assert_int_equal(perc_calibrate(NULL, m, ds, 0, NULL, &err), PERC_EARG);
    perc_model_sigmoid(m, 0, &c, &e, NULL); /* none of these has changed anything */
    assert_true(a == c && b == e);
    assert_int_equal(perc_model_new(NULL, p, &empty, NULL), PERC_OK);
    assert_refused(perc_calibrate(NULL, empty, ds, FOLDS, NULL, &err), PERC_EDATA, &err,
                   "two labels");
    t_free(empty, p, rest, other, m, ds);
}

/* Rows of one label that is told from the others, of which one is rare. */
TEST(with_positive_other_labels_may_be_rare)
{
    struct set d = draw(8, 2, 1.5);
    perc_error err = { 0 };

    d.y[5] = 2;
    perc_dataset *ds = borrow(&d, NULL);
    perc_model *m = t_fit(ds, "epochs=2 positive=0", NULL), *all = t_fit(ds, "epochs=2", NULL);
    assert_int_equal(perc_calibrate(NULL, all, ds, FOLDS, NULL, &err), PERC_EDATA);
    assert_string_equal(err.text, "label 2 has 1 row: 4 folds need at least 4 (lower --folds)");
    assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
    t_free(m, all, ds);
}

/* Of labels that are as probable as the answer none is more so. */
TEST(equal_probabilities_do_not_disagree)
{
    for (size_t classes = 2; classes <= 3; classes++) {
        const struct set d = draw(9, classes, 1.5);
        perc_dataset *ds = borrow(&d, NULL);
        perc_model *m = t_fit(ds, "algorithm=averaged epochs=4", NULL);
        perc_metrics r;
        assert_int_equal(perc_calibrate(NULL, m, ds, FOLDS, NULL, NULL), PERC_OK);
        for (size_t c = 0; c < m->sigmoids; c++) m->sigmoid[c] = (struct sigmoid){ 0, 0 };
        assert_int_equal(perc_evaluate(NULL, m, ds, &r, NULL, NULL), PERC_OK);
        assert_int_equal(r.disagree, 0);
        if (classes == 2) m->sigmoid[0].b = 1e-3; /* the first is more probable, always */
        else m->sigmoid[1].b = m->sigmoid[2].b = 1e-3;
        assert_int_equal(perc_evaluate(NULL, m, ds, &r, NULL, NULL), PERC_OK);
        assert_true(r.disagree > 20 && r.disagree < ROWS);
        t_free(m, ds);
    }
}

TEST(labels_the_model_has_not_met_are_refused)
{
    struct set d = draw(8, 2, 1);
    perc_dataset *ds = borrow(&d, NULL);
    perc_model *m = t_fit(ds, "epochs=2", NULL);
    perc_error err = { 0 };

    for (size_t i = 0; i < ROWS; i++) d.y[i] += 3;
    perc_dataset *other = borrow(&d, NULL);
    assert_refused(perc_calibrate(NULL, m, other, FOLDS, NULL, &err), PERC_EDATA, &err,
                   "no label that the model knows");
    t_free(other, m, ds);
}

TEST(a_score_that_overflows_is_an_error)
{
    struct set d = draw(9, 2, 1);
    perc_error err = { 0 };

    for (size_t i = 0; i < ROWS * COLS; i++) d.x[i] *= 1e200;
    perc_dataset *ds = borrow(&d, NULL);
    perc_model *m = t_fit(ds, "epochs=1", NULL);
    assert_refused(perc_calibrate(NULL, m, ds, FOLDS, NULL, &err), PERC_EDATA, &err, "overflows");
    assert_false(is_calibrated(m));
    t_free(m, ds);
}

static int say_no(void *ud, const perc_event *event)
{
    (void)event;
    return ++*(int *)ud;
}

TEST(an_observer_can_stop_it)
{
    const struct set d = draw(10, 2, 1);
    perc_dataset *ds = borrow(&d, NULL);
    perc_model *m = t_fit(ds, "epochs=2", NULL);
    int calls = 0;
    const perc_observer o = { PERC_WATCH_COUNTS, say_no, &calls };

    assert_int_not_equal(perc_calibrate(NULL, m, ds, FOLDS, &o, NULL), PERC_OK);
    assert_true(calls > 0);
    assert_false(is_calibrated(m));
    t_free(m, ds);
}

TEST(running_out_of_memory_keeps_what_there_was)
{
    const struct set d = draw(11, 3, 1);
    struct t_alloc a;
    const perc_env env = { t_alloc, &a, 1 };
    perc_dataset *ds = borrow(&d, d.w);
    perc_params *p = t_params("averaged", "epochs=2");
    perc_model *m;
    perc_status st;
    long k = 0;

    t_alloc_reset(&a, -1, false);
    assert_int_equal(perc_fit(&env, ds, p, NULL, &m, NULL, NULL), PERC_OK);
    const long held = a.bytes;
    do {
        perc_error err = { 0 };
        t_alloc_again(&a, k++);
        st = perc_calibrate(&env, m, ds, FOLDS, NULL, &err);
        assert_true(st == PERC_OK || st == PERC_ENOMEM);
        assert_int_equal(err.status, st);
        assert_int_equal(is_calibrated(m), st == PERC_OK);
        t_alloc_holds(&a, held + (st ? 0 : (long)(3 * sizeof(struct sigmoid))));
    } while (st);
    assert_true(k > 20);   /* guard: it did fail many times */
    t_alloc_again(&a, -1); /* once more: new sigmoids in place of the old */
    assert_int_equal(perc_calibrate(&env, m, ds, FOLDS + 1, NULL, NULL), PERC_OK);
    t_alloc_holds(&a, held + (long)(3 * sizeof(struct sigmoid)));
    perc_model_free(m);
    t_alloc_holds(&a, 0);
    t_free(p, ds);
}
