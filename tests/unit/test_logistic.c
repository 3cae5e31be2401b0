/* test_logistic.c -- logistic regression: what it reports is true of its model, the gap bounds how
 * far the optimum is, and bytes do not depend on threads or on the form of the data.
 *
 * Objectives and slopes are plain loops here, with the system's exp and log. Another program finds
 * the optima again: tests/oracle/logistic_reference.py. */
#include <math.h>

#include "solve/logistic.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_hull.h"
#include "t_make.h"

struct wanted {
    double c, share; /* of l1 */
    bool inside;     /* the offset is in the penalty */
};

static double margin(const struct t_data *d, const perc_model *m, size_t i)
{
    double s = t_offset(m);

    for (size_t j = 0; j < d->cols; j++) s += t_weights(m)[j] * d->x[i * d->cols + j];
    return d->y[i] * s;
}

static double cost(const struct t_data *d, const struct wanted *o, size_t i)
{
    return o->c * (d->weight != NULL ? d->weight[i] : 1);
}

static double price(const struct wanted *o, double w)
{
    return o->share * fabs(w) + (1 - o->share) * w * w / 2;
}

static double objective(const struct t_data *d, const perc_model *m, const struct wanted *o)
{
    double sum = o->inside ? price(o, t_offset(m)) : 0;

    for (size_t j = 0; j < d->cols; j++) sum += price(o, t_weights(m)[j]);
    for (size_t i = 0; i < d->rows; i++) {
        const double f = margin(d, m, i);
        sum += cost(d, o, i) * (fmax(-f, 0) + log1p(exp(-fabs(f))));
    }
    return sum;
}

/* How far the least (sub)gradient by weight j is from 0; j == cols: by the offset. */
static double wrong(const struct t_data *d, const perc_model *m, const struct wanted *o, size_t j)
{
    const bool offset = j == d->cols;
    const double w = offset ? t_offset(m) : t_weights(m)[j], in = !offset || o->inside;
    const double t = in * o->share;
    double g = in * (1 - o->share) * w;

    for (size_t i = 0; i < d->rows; i++)
        g -= cost(d, o, i) / (1 + exp(margin(d, m, i))) * d->y[i] *
             (offset ? 1 : d->x[i * d->cols + j]);
    return w > 0 ? fabs(g + t) : w < 0 ? fabs(g - t) : fmax(fabs(g) - t, 0);
}

static const struct {
    const char *options;
    double share;
    bool inside, offset;
} HOW[] = {
    { "", 0, true, true },
    { "offset-free=true", 0, false, true },
    { "offset=false", 0, false, false },
    { "penalty=l1", 1, true, true },
    { "penalty=l1 offset-free=true", 1, false, true },
    { "penalty=elastic-net l1-ratio=0.25", 0.25, true, true },
    { "penalty=elastic-net offset-free=true", 0.5, false, true },
};

TEST(the_report_is_true_of_the_model)
{
    for (size_t k = 0; k < 8 * COUNT(HOW); k++) {
        const double c = (double[]){ 0.03, 1, 30, 0.3 }[k % 4];
        const struct wanted o = { c, HOW[k / 8].share, HOW[k / 8].inside };
        struct t_data d = t_noise(40 + k, 5, k % 2 ? T_WHOLE : T_REAL, 0.7, k);
        char options[160];
        perc_report r, fine;
        if (k % 8 >= 4) t_weigh(&d, k);
        perc_dataset *ds = t_borrow(&d);
        snprintf(options, sizeof options, "algorithm=logistic gap=1e-3 C=%g %s", c,
                 HOW[k / 8].options);
        perc_model *rough = t_fit(ds, options, &r);
        snprintf(options, sizeof options, "algorithm=logistic gap=1e-10 C=%g %s", c,
                 HOW[k / 8].options);
        perc_model *m = t_fit(ds, options, &fine);
        const double p = objective(&d, m, &o), q = objective(&d, rough, &o);
        if (fine.stop != PERC_STOP_SOLVED || r.stop != PERC_STOP_SOLVED)
            fail_msg("%s, set %zu: %s, gap %g of %g, %lld steps", options, k,
                     perc_stop_text(fine.stop), fine.primal - fine.dual, fine.primal,
                     (long long)fine.epochs);
        if (!(fabs(p - fine.primal) <= 1e-11 * p))
            fail_msg("%s: %g is %g", options, p, fine.primal);
        assert_true(fabs(q - r.primal) <= 1e-11 * q);
        assert_true(r.dual <= p * (1 + 1e-12) && p <= q * (1 + 1e-12)); /* the bound is one */
        assert_true(r.primal - r.dual <= 1e-3 * r.primal);
        assert_true(fine.primal - fine.dual <= 1e-10 * fine.primal);
        for (size_t j = 0; j < d.cols + HOW[k / 8].offset; j++)
            if (!(wrong(&d, m, &o, j) <= 1e-3 * (1 + c)))
                fail_msg("%s, set %zu: slope %zu is %g", options, k, j, wrong(&d, m, &o, j));
        if (!HOW[k / 8].offset) assert_true(t_offset(m) == 0);
        t_free(m, rough, ds, &d);
    }
}

/* l1 leaves weights at 0 exactly, more of them where C is small; where it is tiny, all. */
TEST(sparse_weights)
{
    const double u[] = { 2, 0, 0, -1, 0, 0, 0, 0 };
    struct t_data d = t_planted(200, 8, u, 0.1, 0.05, 4);
    perc_dataset *ds = t_borrow(&d);
    size_t before = 9;

    for (int k = 0; k < 3; k++) {
        static const char *const how[] = { "algorithm=logistic penalty=l1 C=1 gap=1e-8",
                                           "algorithm=logistic penalty=l1 C=0.05 gap=1e-8",
                                           "algorithm=logistic penalty=l1 C=1e-6 gap=1e-8" };
        perc_report r;
        perc_model *m = t_fit(ds, how[k], &r);
        size_t used = 0;
        for (size_t j = 0; j < 8; j++) used += t_weights(m)[j] != 0;
        assert_true(used <= before);
        assert_int_equal(r.stop, PERC_STOP_SOLVED);
        if (k == 1) assert_true(used > 0 && t_weights(m)[0] != 0);
        before = used;
        perc_model_free(m);
    }
    assert_int_equal(before, 0);
    t_free(ds, &d);
}

static const char *const KINDS[] = { "",
                                     "offset-free=true",
                                     "penalty=l1",
                                     "penalty=elastic-net",
                                     "multiclass=native",
                                     "multiclass=native offset-free=true" };

/* Several slices, and threads that share them; columns for a matrix, and more. */
TEST(threads_and_forms_do_not_matter)
{
    for (size_t k = 0; k < 2 * COUNT(KINDS); k++) {
        const bool wide = k % 2;
        struct t_data d = t_noise(wide ? 700 : 6000, wide ? 450 : 50, T_REAL, 1, k);
        for (size_t i = 0; i < d.rows * d.cols; i++)
            if (i % 3 == 1) d.x[i] = 0;
        struct t_csr c = t_csr_new(&d);
        perc_dataset *dense = t_borrow(&d), *sparse = t_borrow_csr(&d, &c, PERC_I32, PERC_I64);
        perc_params *p = t_params("logistic", KINDS[k / 2]);
        struct t_bytes first = { 0 };
        for (int threads = 1; threads <= 8; threads += threads == 1 ? 1 : 6) {
            const perc_env env = { .threads = threads };
            perc_model *m, *n;
            assert_int_equal(perc_fit(&env, dense, p, NULL, &m, NULL, NULL), PERC_OK);
            assert_int_equal(perc_fit(&env, sparse, p, NULL, &n, NULL, NULL), PERC_OK);
            for (uint64_t j = 0; j < d.cols; j++)
                assert_true(t_same_bits(perc_model_weight(m, j, 0), perc_model_weight(n, j, 0)));
            if (threads == 1) first = t_bytes_of(m);
            else t_assert_bytes(&first, m);
            t_free(m, n);
        }
        free(first.p);
        t_csr_free(&c);
        t_free(p, dense, sparse, &d);
    }
}

/* 1 / (1 + exp(-s)); the softmax; the former of each class over their sum. */
TEST(probabilities_of_its_own)
{
    static const char *const how[] = { "algorithm=logistic positive=virginica",
                                       "algorithm=logistic", "algorithm=logistic multiclass=ovr" };

    for (size_t k = 0; k < COUNT(how); k++) {
        perc_dataset *ds = t_read(":iris", "");
        perc_model *m = t_fit(ds, how[k], NULL);
        perc_error err = { 0 };
        perc_model_info info;
        double s[3] = { 0.3, -1.2, 2 }, p[3], want[3], sum = 0;
        perc_model_info_get(m, &info);
        assert_true(info.calibrated);
        assert_int_equal(perc_probabilities(m, s, p, &err), PERC_OK);
        for (size_t c = 0; c < 3; c++) {
            want[c] = k == 1 ? exp(s[c]) : 1 / (1 + exp(-s[c]));
            sum += want[c];
        }
        for (size_t c = 0; c < info.labels; c++) {
            const double q = k == 0 ? (c == 1 ? want[0] : 1 - want[0]) : want[c] / sum;
            assert_true(fabs(p[c] - q) <= 1e-15);
        }
        assert_int_equal(perc_calibrate(NULL, m, ds, 5, NULL, &err), PERC_EARG);
        assert_non_null(strstr(err.text, "no calibration"));
        t_free(m, ds);
    }
}

/* exp of the weight for a unit of the data, whatever the scaling. */
TEST(odds_ratios)
{
    static const char *const scale[] = { "", "scale=by:10", "scale=standard", "scale=unit" };
    const char *const options = "algorithm=logistic penalty=none positive=versicolor gap=1e-12";

    for (size_t k = 0; k < COUNT(scale); k++) {
        perc_dataset *ds = t_read(":iris", scale[k]), *plain = t_read(":iris", "");
        perc_model *m = t_fit(ds, options, NULL), *n = t_fit(plain, options, NULL);
        for (uint64_t j = 0; j < 4; j++) {
            const double odds = perc_model_odds_ratio(m, j, 0);
            const double want = exp(perc_model_weight(n, j, 0));
            if (k < 3 && !(fabs(odds - want) <= 1e-6 * want))
                fail_msg("%s: %g is not %g", scale[k], odds, want);
            if (k == 3) assert_true(isnan(odds));
        }
        t_free(m, n, ds, plain);
    }
    perc_dataset *ds = t_read(":iris", "");
    perc_model *m = t_fit(ds, "algorithm=perceptron", NULL);
    assert_true(isnan(perc_model_odds_ratio(m, 0, 0)) && isnan(perc_model_odds_ratio(NULL, 0, 0)));
    t_free(m, ds);
}

static perc_status fit_text(const char *text, const char *options, perc_error *err)
{
    FILE *f = fopen("rows.svm", "w");
    perc_params *p = t_params("logistic", options);
    perc_model *m;

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    perc_dataset *ds = t_read("rows.svm", "");
    const perc_status st = perc_fit(NULL, ds, p, NULL, &m, NULL, err);
    assert_true((m == NULL) == (st != PERC_OK));
    t_free(m, p, ds);
    return st;
}

/* Separable, touching, overlapping. */
TEST(no_penalty_and_no_optimum)
{
    perc_error err = { 0 };

    assert_int_equal(fit_text("1 1:1\n-1 1:-1\n", "penalty=none", &err), PERC_ENO);
    assert_non_null(strstr(err.text, "a plane separates the rows"));
    assert_int_equal(fit_text("1 1:2\n1 1:1\n-1 1:1\n-1 2:0\n", "penalty=none", &err), PERC_ENO);
    assert_non_null(strstr(err.text, "on their side or on it"));
    assert_int_equal(fit_text("1 1:2\n1 1:1\n-1 1:1\n-1 1:3\n", "penalty=none", &err), PERC_OK);
    assert_int_equal(fit_text("1 1:2\n1 1:1\n-1 1:1\n-1 2:0\n", "", &err), PERC_OK);
    assert_int_equal(fit_text("1 1:1\n-1 2000:-1\n", "penalty=none", &err), PERC_EARG);
}

/* Where all that counts has one label and the offset is free, no weight is worth its price, and the
 * offset is as large as makes a difference. */
TEST(one_label_that_counts)
{
    static const char *const penalties[] = { "penalty=l2", "penalty=l1", "penalty=elastic-net" };

    assert_int_equal(t_put("rows", "1 1:1\n-1 1:2\n1 1:3\n-1 1:0.5\n"), 0);
    for (size_t k = 0; k < 2 * COUNT(penalties); k++) {
        char options[100];
        perc_dataset *ds = t_read("rows", "");
        snprintf(options, sizeof options, "%s offset-free=true class-weight=%s", penalties[k / 2],
                 k % 2 == 0 ? "1=0" : "-1=0");
        perc_params *p = t_params("logistic", options);
        perc_error err = { 0 };
        perc_model *m;
        if (perc_fit(NULL, ds, p, NULL, &m, NULL, &err)) fail_msg("%s: %s", options, err.text);
        assert_true(t_weights(m)[0] == 0);
        assert_true(t_offset(m) == (k % 2 == 0 ? -40 : 40));
        t_free(m, p, ds);
    }
}

TEST(options_that_do_not_go_together)
{
    static const char *const bad[] = { "penalty=none C=2", "l1-ratio=0.5",
                                       "penalty=l1 multiclass=native",
                                       "offset-free=true offset=false" };
    perc_error err = { 0 };

    for (size_t k = 0; k < COUNT(bad); k++)
        assert_int_equal(fit_text("1 1:1\n-1 1:-1\n", bad[k], &err), PERC_EARG);
    assert_int_equal(fit_text("1 1:1\n-1 1:-1\n", "C=1e300 class-weight=1=1e300", &err), PERC_EARG);
}

/* It ends when told, with what there is; the limit on steps holds. */
static int stop_now(void *ud, const perc_event *event)
{
    (void)ud, (void)event;
    return 1;
}

TEST(it_stops_when_told)
{
    for (size_t k = 0; k < COUNT(KINDS); k++) {
        struct t_data d = t_noise(3000, 60, T_REAL, 1, k);
        perc_dataset *ds = t_borrow(&d);
        const perc_observer o = { .level = PERC_WATCH_COUNTS, .notify = stop_now };
        char options[120];
        perc_report r;
        snprintf(options, sizeof options, "algorithm=logistic gap=1e-13 %s", KINDS[k]);
        perc_model_free(t_fit_watched(ds, options, &o, &r));
        snprintf(options, sizeof options, "algorithm=logistic gap=1e-13 epochs=1 %s", KINDS[k]);
        perc_model_free(t_fit(ds, options, &r));
        assert_int_equal(r.stop, PERC_STOP_EPOCHS);
        assert_true(r.epochs <= 1 && r.dual <= r.primal);
        t_free(ds, &d);
    }
}

/* What is said of a run that is stopped on the way is true, and later stops know more. */
TEST(it_may_be_stopped_at_any_event)
{
    for (size_t k = 0; k < COUNT(KINDS); k++) {
        struct t_data d = t_noise(300, 8, T_REAL, 1, k);
        perc_dataset *ds = t_borrow(&d);
        char options[120];
        double dual = 0;
        snprintf(options, sizeof options, "algorithm=logistic gap=1e-13 %s", KINDS[k]);
        for (int64_t at = 1; at <= 9; at++) {
            struct t_cut cut = { .at = at };
            const perc_observer o = { .level = PERC_WATCH_COUNTS, .notify = t_cut_at, .ud = &cut };
            perc_report r;
            perc_model *m = t_fit_watched(ds, options, &o, &r);
            for (size_t j = 0; j < d.cols; j++) assert_true(isfinite(t_weights(m)[j]));
            if (isfinite(r.primal)) {
                assert_true(r.dual <= r.primal && r.dual >= dual);
                dual = r.dual;
            }
            perc_model_free(m);
        }
        t_free(ds, &d);
    }
}

TEST(memory_may_run_out_anywhere)
{
    static const char *const more[] = { "", "penalty=l1", "penalty=none", "multiclass=native",
                                        "offset-free=true" };

    for (size_t k = 0; k < 2 * COUNT(more); k++) {
        struct t_data d = t_noise(k % 2 ? 60 : 40, k % 2 ? 3 : 410, T_REAL, 1, k);
        perc_dataset *ds = t_borrow(&d);
        perc_params *p = t_params("logistic", more[k / 2]);
        if (k / 2 == 2 && k % 2 == 0) { /* which would be separable */
            t_free(p, ds, &d);
            continue;
        }
        perc_params_set(p, "gap", "0.1", NULL);
        /* The proof that is asked goes on without what is only faster. */
        for (struct t_sweep sweep = { .least = 5, .survives = k / 2 == 2 }; t_sweep_next(&sweep);) {
            perc_model *m;
            const perc_status st = perc_fit(&sweep.env, ds, p, NULL, &m, NULL, NULL);
            perc_model_free(m);
            t_sweep_judge(&sweep, st);
        }
        t_free(p, ds, &d);
    }
}

static bool say_no(void *ud, int64_t passes)
{
    (void)ud;
    (void)passes;
    return false;
}

/* "No row is wrong" means without a penalty that there is no optimum: stopped within its first pass
 * over the rows, a run has not seen that. */
TEST(a_run_that_was_stopped_at_once_says_nothing)
{
    struct t_data d = t_noise(1400, 1499, T_REAL, 1, 7);
    struct t_problem t = t_problem_new(&d, true, env_resolve(NULL));
    const struct watch no = { say_no, NULL };
    const struct logistic_options o = {
        .c = 1, .no_penalty = true, .gap = 1e-4, .passes = 9, .watch = &no
    };
    struct logistic_result r;
    double *w = calloc(d.cols, sizeof *w), b;

    assert_int_equal(logistic_newton(t_problem_of(&t), 1, &o, w, &b, &r, NULL), PERC_OK);
    assert_true(!r.solved && !r.separated && isnan(r.primal));
    free(w);
    t_problem_free(&t);
    t_data_free(&d);
}
