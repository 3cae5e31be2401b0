/* test_budget_model.c -- models on a budget keep the promises of the family.
 *
 * Every policy, with every rule that may have one, for two classes and for more: rows one by
 * one, a pass in memory and a stream give the same model; dense and sparse copies do; stopping
 * anywhere and going on, through a file, does. With room for all rows they are the machine
 * without a budget. */
#include <math.h>

#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

static const struct {
    const char *options;
    int classes;
} kind[] = {
    { "budget=7 budget-policy=random", 2 },
    { "budget=7 budget-policy=random offset=false", 4 },
    { "budget=7 budget-policy=random multiclass=native classes=seen", 4 },
    { "budget=5 budget-policy=random multiclass=ovr seed=5", 3 },
    { "budget=7 budget-policy=forgetron", 2 },
    { "budget=4 budget-policy=forgetron offset=false", 2 },
    { "budget=6 budget-policy=forgetron positive=1", 3 },
    { "budget=7 budget-policy=projectron", 2 },
    { "budget=7 offset=false", 4 },
    { "budget=7 multiclass=native classes=0,1,2,3", 4 },
    { "budget=6 multiclass=native", 2 },
    { "budget=5 multiclass=ovr", 2 },
    { "budget=1", 2 },
    { "budget=1000000", 3 }, /* never used up: memory grows with the rows */
    { "budget=1000000 budget-policy=random multiclass=ovr", 3 },
    { "budget=30 budget-policy=forgetron", 2 },
};
static const char *const rule[] = {
    "algorithm=perceptron kernel=rbf gamma=0.3",
    "algorithm=margin margin=0.2 kernel=poly degree=2 schedule=1/sqrt",
    "algorithm=pa1 aggressiveness=0.3 kernel=gaussian sigma=2",
    "algorithm=perceptron kernel=sigmoid eta=0.1 theta=-0.2 class-weight=1=2 rate=3",
    "algorithm=pa kernel=linear",
};
enum { KINDS = COUNT(kind), RULES = COUNT(rule), ALL = KINDS * RULES };

static const char *options(int k, const char *more)
{
    static char text[256];

    snprintf(text, sizeof text, "%s %s %s", rule[k % RULES], kind[k / RULES].options, more);
    return text;
}

/* Noise with labels 0, 1, ... in an order that is not theirs; some rows of weight 0. */
static struct t_data noise(int k, size_t rows, size_t cols)
{
    const int classes = kind[k / RULES].classes;
    struct rng r = rng_seed((uint64_t)k, 78);
    struct t_data d = t_noise(rows, cols, T_REAL, 0.6, (uint64_t)k);

    for (size_t i = 0; i < rows; i++) d.y[i] = (double)rng_below(&r, (uint64_t)classes);
    for (int c = 0; c < classes; c++) d.y[2 * c + 1] = classes - 1 - c;
    if (k % 3 == 0) {
        t_weigh(&d, (uint64_t)k);
        d.weight[4] = d.weight[7] = 0;
    }
    d.x[cols - 1] = 1; /* the last feature is met in the first row */
    return d;
}

/* tolerance 0: to the bit. */
static void assert_scores(const perc_model *a, const perc_model *b, const perc_dataset *ds,
                          double tolerance)
{
    size_t na, nb;
    double *sa = t_scores(a, ds, &na), *sb = t_scores(b, ds, &nb);

    assert_int_equal(na, nb);
    if (tolerance == 0) assert_memory_equal(sa, sb, na * sizeof *sa);
    for (size_t i = 0; i < na; i++)
        if (!(fabs(sa[i] - sb[i]) <= tolerance * (1 + fabs(sb[i]))))
            fail_msg("%.17g is not %.17g", sa[i], sb[i]);
    free(sa);
    free(sb);
}

TEST(learning_row_by_row_is_one_pass_in_file_order)
{
    for (int k = 0; k < ALL; k++) {
        struct t_data d = noise(k, 60, 5);
        perc_dataset *ds = t_borrow(&d);
        perc_model *m = t_taught(&d, options(k, "order=file epochs=1"));
        perc_model *whole = t_fit(ds, options(k, "order=file epochs=1"), NULL);
        perc_model_info info, one;
        perc_model_info_get(whole, &info);
        perc_model_info_get(m, &one);
        assert_true(info.updates > 12); /* guard: more than there are slots */
        assert_int_equal(info.updates, one.updates);
        assert_int_equal(info.mistakes, one.mistakes);
        assert_scores(m, whole, ds, 0);
        t_free(m, whole, ds, &d);
    }
}

TEST(a_stream_is_a_run_in_file_order)
{
    for (int k = 0; k < ALL; k++) {
        const char *more = k % 2 ? "order=file epochs=3" : "order=file updates=40";
        struct t_data d = noise(k, 60, 5);
        free(d.weight); /* LIBSVM text has no place for them */
        d.weight = NULL;
        perc_dataset *made = t_borrow(&d);
        perc_error err = { 0 };
        perc_report a, b;
        if (perc_dataset_write(made, "rows.svm", "libsvm", &err)) fail_msg("%s", err.text);
        perc_dataset *ds = t_read("rows.svm", "format=libsvm");
        perc_model *memory = t_fit(ds, options(k, more), &a);
        perc_model *stream = t_stream("rows.svm", "format=libsvm", options(k, more), &b);
        t_assert_same_file(memory, stream);
        assert_int_equal(a.training_errors, b.training_errors);
        t_free(memory, stream, ds, made, &d);
    }
}

TEST(dense_and_sparse_copies_give_the_same_bytes)
{
    for (int k = 0; k < ALL; k++) {
        struct t_data d = noise(k, 50, 6);
        struct t_csr c = t_csr_new(&d);
        perc_dataset *dense = t_borrow(&d), *sparse = t_borrow_csr(&d, &c, PERC_I32, PERC_I64);
        perc_model *a = t_fit(dense, options(k, "epochs=4"), NULL);
        perc_model *b = t_fit(sparse, options(k, "epochs=4"), NULL);
        t_assert_same_file(a, b);
        assert_scores(a, b, sparse, 0);
        t_free(a, b, dense, sparse, &c, &d);
    }
}

static int cancel_at(void *ud, const perc_event *e)
{
    return e->examples >= *(const int64_t *)ud;
}

/* Cut after any number of examples, through a file or not: the bytes of one run. */
TEST(stopping_anywhere_and_going_on_is_one_run)
{
    for (int k = 0; k < ALL; k++) {
        struct t_data d = noise(k, 20, 4);
        perc_dataset *ds = t_borrow(&d);
        perc_model *whole = t_fit(ds, options(k, "epochs=3 seed=3"), NULL);
        struct t_bytes bytes = t_bytes_of(whole);
        for (int64_t at = 9; at < 3 * 20; at += 5 + k % 3) {
            const perc_observer o = { PERC_WATCH_WEIGHTS, cancel_at, &at };
            perc_error err = { 0 };
            perc_model *m = t_fit_watched(ds, options(k, "epochs=3 seed=3"), &o, NULL);
            if (at % 2) {
                perc_model *again;
                if (perc_model_write(m, "cut", &err)) fail_msg("%s", err.text);
                if (perc_model_read(NULL, "cut", &again, &err)) fail_msg("%s", err.text);
                t_assert_same_file(m, again);
                assert_scores(m, again, ds, 0);
                perc_model_free(m);
                m = again;
            }
            perc_model *end = t_resume(ds, m, "", NULL, NULL);
            t_assert_bytes(&bytes, end);
            t_free(end, m);
        }
        free(bytes.p);
        t_free(whole, ds, &d);
    }
}

/* Small whole numbers and a polynomial: all sums are exact, in any order. */
TEST(room_for_all_rows_is_no_budget)
{
    static const char *const how[] = { "", "multiclass=native", "multiclass=ovr" };

    for (int c = 0; c < 9; c++) {
        const bool random = c % 3 == 0, forgets = c % 3 == 1;
        if (forgets && c / 3 > 0) continue; /* two classes by sign only */
        struct t_data d = t_noise(70, 9, T_WHOLE, 0.7, (uint64_t)c);
        for (size_t i = 0; i < d.rows && !forgets; i++) d.y[i] = (double)((i + i * i / 5) % 3);
        perc_dataset *ds = t_borrow(&d);
        char with[300], without[200];
        /* (x.z + 1)^2 of nine features has 55 products: rows depend on each other, and
         * projections are rounded; rbf has no such thing */
        const char *kernel = random || forgets ? "kernel=poly degree=2" : "kernel=rbf gamma=0.02";
        snprintf(without, sizeof without, "%s epochs=5 %s", kernel, how[c / 3]);
        snprintf(with, sizeof with, "%s budget=400 budget-policy=%s", without,
                 random    ? "random"
                 : forgets ? "forgetron"
                           : "projectron");
        perc_report a, b;
        perc_model *one = t_fit(ds, with, &a), *all = t_fit(ds, without, &b);
        if (a.updates < 60) fail_msg("%lld updates", (long long)a.updates);
        assert_int_equal(a.updates, b.updates);
        assert_int_equal(a.mistakes, b.mistakes);
        assert_scores(one, all, ds, random || forgets ? 1e-14 : 1e-7);
        t_free(one, all, ds, &d);
    }
}

TEST(the_seed_is_what_chooses)
{
    struct t_data d = noise(0, 80, 4);
    perc_dataset *ds = t_borrow(&d);
    const char *how = "kernel=rbf gamma=1 budget=6 budget-policy=random order=file epochs=2";
    char other[200];

    snprintf(other, sizeof other, "%s seed=1", how);
    perc_model *a = t_fit(ds, how, NULL), *b = t_fit(ds, how, NULL), *c = t_fit(ds, other, NULL);
    t_assert_same_file(a, b);
    size_t n;
    double *sa = t_scores(a, ds, &n), *sc = t_scores(c, ds, &n);
    assert_true(memcmp(sa, sc, n * sizeof *sa) != 0);
    free(sa);
    free(sc);
    t_free(a, b, c, ds, &d);
}

/* With K(x, x) = 1 the rate only scales the weights, of the forgetron too. */
TEST(the_rate_only_scales)
{
    static const char *const policy[] = { "random", "forgetron", "projectron" };
    struct t_data d = noise(0, 200, 4);
    perc_dataset *ds = t_borrow(&d);

    for (int i = 0; i < 3; i++) {
        char one[200], four[300];
        perc_report a, b;
        snprintf(one, sizeof one, "kernel=rbf gamma=1 budget=8 epochs=3 budget-policy=%s",
                 policy[i]);
        snprintf(four, sizeof four, "%s rate=4", one);
        perc_model *x = t_fit(ds, one, &a), *y = t_fit(ds, four, &b);
        assert_int_equal(a.mistakes, b.mistakes);
        size_t n;
        double *sx = t_scores(x, ds, &n), *sy = t_scores(y, ds, &n);
        for (size_t k = 0; k < n; k++) assert_true(4 * sx[k] == sy[k]);
        free(sx);
        free(sy);
        t_free(x, y);
    }
    t_free(ds, &d);
}

/* A class that is met late begins where the one that was told "no" all along is. */
TEST(a_late_class_has_heard_no)
{
    struct t_data d = t_noise(60, 4, T_REAL, 1, 5);
    perc_model *m;
    double s[3];

    for (size_t i = 0; i < d.rows; i++) d.y[i] = i == 59 ? 2 : (double)(i % 2);
    d.rows = 59;
    m = t_taught(&d, "kernel=rbf gamma=1 budget=9 multiclass=ovr");
    const perc_example x = { NULL, d.x + 59 * d.cols, d.cols };
    perc_error err = { 0 };
    perc_outcome out;
    assert_int_equal(perc_learn(m, &x, "2", 0, &out, &err), PERC_OK); /* weight 0: only met */
    assert_int_equal(perc_score(m, &x, s, &err), PERC_OK);
    assert_true(s[2] < 0);
    assert_int_equal(perc_learn(m, &x, "2", 1, &out, &err), PERC_OK);
    assert_true(out.mistake && out.updated > 0);
    const double before = s[2];
    assert_int_equal(perc_score(m, &x, s, &err), PERC_OK);
    assert_true(s[2] > before);
    perc_model_free(m);
    d.rows = 60;
    t_data_free(&d);
}

TEST(what_makes_no_sense_is_refused)
{
    static const struct {
        const char *learner, *options, *text;
    } bad[] = {
        { "averaged", "kernel=rbf budget=5", "budget" },
        { "voted", "kernel=rbf budget=5", "budget" },
        { "pocket", "kernel=rbf budget=5", "budget" },
        { "perceptron", "budget=5", "kernel" },
        { "perceptron", "kernel=rbf budget-policy=random", "--budget" },
        { "perceptron", "kernel=rbf budget=5 budget-policy=forgetron multiclass=ovr",
          "two classes" },
        { "perceptron", "kernel=rbf budget=5 budget-policy=forgetron multiclass=native",
          "two classes" },
        { "perceptron", "kernel=rbf budget=5 drop-after=2", "budget" },
    };
    struct t_data d = t_noise(20, 3, T_REAL, 1, 1);
    perc_dataset *ds = t_borrow(&d);
    perc_error err = { 0 };

    for (size_t i = 0; i < COUNT(bad); i++) {
        char how[200];
        perc_model *m = NULL;
        snprintf(how, sizeof how, "algorithm=%s %s", bad[i].learner, bad[i].options);
        perc_params *p = t_params("perceptron", how);
        assert_refused(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EARG, &err, bad[i].text);
        assert_null(m);
        perc_params_free(p);
    }
    perc_dataset_free(ds);

    /* A third label, on the way. */
    for (size_t i = 0; i < d.rows; i++) d.y[i] = i == 13 ? 7 : d.y[i];
    ds = t_borrow(&d);
    perc_params *p = t_params("perceptron", "kernel=rbf budget=5 budget-policy=forgetron");
    perc_model *m = NULL;
    assert_int_equal(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EDATA);
    assert_null(m);
    assert_non_null(strstr(err.text, "third label"));
    assert_non_null(strstr(err.text, "--positive"));
    t_free(p, ds, &d);
}

TEST(any_number_of_threads_gives_the_same_scores)
{
    for (int k = 0; k < ALL; k += 4) {
        struct t_data d = noise(k, 500, 6);
        perc_dataset *ds = t_borrow(&d);
        perc_model *m = t_fit(ds, options(k, "epochs=1"), NULL);
        size_t n;
        double *one = t_scores(m, ds, &n), *many = malloc((n + 1) * sizeof *many);
        for (int threads = 1; threads <= 8; threads *= 2) {
            const perc_env env = { .threads = threads };
            assert_int_equal(perc_predict(&env, m, ds, many, NULL), PERC_OK);
            assert_memory_equal(one, many, n * sizeof *one);
        }
        for (size_t i = 0; i < 20; i++) { /* and row by row */
            const perc_example x = { NULL, d.x + i * d.cols, d.cols };
            const size_t outputs = n / d.rows;
            assert_int_equal(perc_score(m, &x, many, NULL), PERC_OK);
            assert_memory_equal(one + i * outputs, many, outputs * sizeof *one);
        }
        free(one);
        free(many);
        t_free(m, ds, &d);
    }
}

/* Memory fails at each call in turn, while learning and while fitting: the example can be
 * shown again, and nothing leaks. */
TEST(memory_may_run_out)
{
    for (int k = 0; k < ALL; k += 3) {
        struct t_data d = noise(k, 30, 4);
        struct t_alloc a = { .fail_at = -1 };
        const perc_env env = { t_alloc, &a, 1 };
        perc_params *p = t_params("perceptron", options(k, "order=file epochs=1"));
        perc_dataset *ds = t_borrow(&d);
        perc_model *want = t_fit(ds, options(k, "order=file epochs=1"), NULL), *m;
        perc_error err = { 0 };
        int failed = 0;
        assert_int_equal(perc_model_new(&env, p, &m, &err), PERC_OK);
        for (size_t i = 0; i < d.rows; i++) {
            const perc_example x = { NULL, d.x + i * d.cols, d.cols };
            const double weight = d.weight != NULL ? d.weight[i] : 1;
            for (long n = 0;; n++, failed++) {
                t_alloc_again(&a, n);
                if (!perc_learn(m, &x, t_sign(d.y[i]), weight, NULL, &err)) break;
                assert_int_equal(err.status, PERC_ENOMEM);
            }
        }
        t_alloc_again(&a, -1);
        assert_true(failed > 0);
        assert_scores(m, want, ds, 0);
        perc_model_free(m);
        t_alloc_holds(&a, 0);
        for (struct t_sweep s = { .least = 1 }; t_sweep_next(&s);) {
            const perc_status st = perc_fit(&s.env, ds, p, NULL, &m, NULL, &err);
            perc_model_free(m);
            t_sweep_judge(&s, st);
        }
        t_free(want, ds, p, &d);
    }
}

enum { LITTLE = 1 << 18 };

/* t_alloc, but for LITTLE bytes at most. */
static void *little(void *ud, void *p, size_t old, size_t size)
{
    const struct t_alloc *a = ud;

    return (size_t)a->bytes + size > LITTLE ? NULL : t_alloc(ud, p, old, size);
}

/* Also of a model whose file says that it may keep a million. */
TEST(a_budget_takes_no_memory_before_it_is_used)
{
    static const char *const how[] = {
        "kernel=rbf gamma=1 epochs=2 budget-policy=random",
        "kernel=rbf gamma=1 epochs=2 budget-policy=forgetron",
        "kernel=rbf gamma=1 epochs=2 budget-policy=projectron",
        "kernel=rbf gamma=1 epochs=2 budget-policy=random multiclass=ovr",
        "kernel=rbf gamma=1 epochs=2 budget-policy=projectron multiclass=native",
    };

    for (int i = 0; i < 5; i++) {
        struct t_alloc a = { .fail_at = -1 };
        const perc_env env = { little, &a, 1 };
        struct t_data d = noise(0, 60, 4);
        perc_error err = { 0 };
        perc_model *m, *again;
        char text[200];
        if (i > 2)
            for (size_t k = 0; k < d.rows; k++) d.y[k] = (double)(k % 5);
        perc_dataset *ds = t_borrow(&d);
        snprintf(text, sizeof text, "%s budget=1000000", how[i]);
        perc_params *p = t_params("perceptron", text);
        snprintf(text, sizeof text, "%s budget=120", how[i]);
        perc_model *want = t_fit(ds, text, NULL);
        if (perc_fit(&env, ds, p, NULL, &m, NULL, &err)) fail_msg("%s: %s", how[i], err.text);
        perc_model_info info;
        perc_model_info_get(m, &info);
        assert_true(info.supports > 32); /* guard: room was made three times */
        assert_scores(m, want, ds, 0);
        if (perc_model_write(m, "million", &err) || perc_model_read(&env, "million", &again, &err))
            fail_msg("%s: %s", how[i], err.text);
        t_assert_same_file(m, again);
        for (size_t k = 0; k < 20; k++) { /* rows that it does not have: more room */
            const double v[4] = { (double)k, 9, 9, 9 };
            const perc_example x = { NULL, v, 4 };
            if (perc_learn(again, &x, k % 2 ? "1" : "0", 1, NULL, &err)) fail_msg("%s", err.text);
        }
        t_free(m, again, want, p, ds, &d);
        t_alloc_holds(&a, 0);
    }
}

/* Learning line by line without an end: the memory does not grow. */
TEST(memory_does_not_grow)
{
    static const char *const policy[] = { "random", "forgetron", "projectron" };

    for (int i = 0; i < 3; i++) {
        struct t_alloc a = { .fail_at = -1 };
        const perc_env env = { t_alloc, &a, 1 };
        struct rng r = rng_seed(3, 3);
        char how[200];
        perc_error err = { 0 };
        perc_model *m;
        long bytes = 0;
        snprintf(how, sizeof how, "kernel=rbf gamma=2 budget=12 budget-policy=%s", policy[i]);
        perc_params *p = t_params("perceptron", how);
        assert_int_equal(perc_model_new(&env, p, &m, &err), PERC_OK);
        for (int t = 0; t < 6000; t++) {
            const double v[3] = { rng_normal(&r), rng_normal(&r), rng_normal(&r) };
            const perc_example x = { NULL, v, 3 };
            const bool y = v[0] * v[1] + v[2] > 0;
            if (perc_learn(m, &x, y ? "a" : "b", 1, NULL, &err)) fail_msg("%s", err.text);
            if (t == 1500) bytes = a.bytes;
        }
        assert_int_equal(a.bytes, bytes);
        perc_model_info info;
        perc_model_info_get(m, &info);
        assert_true(info.updates > 500 && info.supports == 12);
        t_free(m, p);
        t_alloc_holds(&a, 0);
    }
}
