/* test_kernel_model.c -- kernel machines as models: files, runs that go on, streams, lines,
 * folds, and the explicit map that a polynomial kernel stands for.
 *
 * A kernel machine has no weights to compare, so nearly everything here is compared as bytes
 * of the model file, or as bits of scores. */
#include "t_hostile.h"
#include "t_line.h"
#include "t_model.h"

#include <math.h>

static const char *const rules[] = {
    "algorithm=perceptron",
    "algorithm=averaged",
    "algorithm=voted",
    "algorithm=pocket",
    "algorithm=margin",
    "algorithm=pa1",
    "algorithm=averaged rule=pa2",
    "algorithm=pocket pocket=literal",
};
static const char *const kernels[] = {
    "kernel=linear", "kernel=poly degree=3 coef0=0.5",    "kernel=gaussian sigma=0.7",
    "kernel=rbf",    "kernel=rbf gamma=0.3 offset=false", "kernel=sigmoid eta=0.2 theta=-0.1",
};
static const char *const kinds[] = { "", "multiclass=native", "multiclass=ovr", "positive=b" };

/* ----- data -------------------------------------------------------------------------- */

/* Dense, or with most entries missing. The file counts from `base`. */
static void write_classes(const char *path, int rows, int cols, unsigned labels, bool dense,
                          int base, unsigned seed)
{
    const struct centres all = {
        .rows = rows, .cols = cols, .base = base, .labels = labels, .kept = 1, .of = dense ? 0 : 3
    };

    write_centres(path, &all, seed);
}

/* ----- files ------------------------------------------------------------------------- */

TEST(files_give_the_model_back)
{
    char options[256];

    for (int dense = 0; dense < 2; dense++) {
        write_classes("rows", 60, dense ? 3 : 12, 3, dense, dense, 7);
        perc_dataset *ds = t_read("rows", dense ? "index=1" : "index=0");
        for (size_t k = 0; k < COUNT(rules) * COUNT(kernels) * COUNT(kinds); k++) {
            snprintf(options, sizeof options, "%s %s %s epochs=2 seed=%zu",
                     rules[k / COUNT(kinds) / COUNT(kernels)],
                     kernels[k / COUNT(kinds) % COUNT(kernels)], kinds[k % COUNT(kinds)], k);
            perc_model *m = t_fit(ds, options, NULL), *back = reload(m);
            assert_true(machine_votes_of(m->learner.machine)->n > 5); /* guard */
            t_assert_same_file(m, back);
            t_assert_same_scores(m, back, ds);
            t_free(back, m);
        }
        perc_dataset_free(ds);
    }
}

/* Rows are kept in the way that takes less room. */
TEST(dense_rows_are_written_dense)
{
    for (int dense = 0; dense < 2; dense++) {
        write_classes("rows", 40, 12, 2, dense, 1, 3);
        perc_dataset *ds = t_read("rows", "");
        perc_model *m = t_fit(ds, "kernel=rbf gamma=1 epochs=1", NULL);
        struct t_bytes b = t_bytes_of(m);
        const char *at = NULL;
        for (size_t i = 0; i + 9 < b.n && at == NULL; i++)
            if (memcmp(b.p + i, "row.dense", 9) == 0) at = b.p + i;
        assert_int_equal(at != NULL, dense);
        free(b.p);
        t_free(m, ds);
    }
}

/* A model without a kernel says nothing of kernels; neither cache nor loop is ever kept. */
TEST(files_say_no_more_than_they_must)
{
    static const char *const never[] = { "option.cache", "option.loop" };
    static const char *const kernel[] = { "option.kernel", "option.degree", "option.drop-after",
                                          "option.budget", "kernel.gamma",  "\"features\"" };
    write_classes("rows", 30, 4, 2, true, 1, 3);
    perc_dataset *ds = t_read("rows", "");

    for (int with = 0; with < 2; with++) {
        perc_model *m = t_fit(ds, with ? "kernel=rbf cache=1 loop=textbook epochs=1" : "epochs=1",
                              NULL);
        struct t_bytes b = t_bytes_of(m);
        uint64_t n;
        memcpy(&n, b.p, sizeof n);
        char *head = calloc(n + 1, 1);
        assert_non_null(head);
        memcpy(head, b.p + 8, n);
        for (size_t i = 0; i < COUNT(never); i++) assert_null(strstr(head, never[i]));
        for (size_t i = 0; i < COUNT(kernel); i++)
            assert_int_equal(strstr(head, kernel[i]) != NULL, with);
        free(head);
        free(b.p);
        perc_model_free(m);
    }
    perc_dataset_free(ds);
}

/* ----- runs that go on --------------------------------------------------------------- */

static const char *const runs[] = {
    "algorithm=perceptron kernel=rbf",
    "algorithm=perceptron kernel=poly degree=2 multiclass=native",
    "algorithm=averaged kernel=rbf gamma=2",
    "algorithm=averaged kernel=gaussian multiclass=native rule=margin",
    "algorithm=voted kernel=rbf multiclass=ovr",
    "algorithm=voted kernel=poly degree=2 positive=b",
    "algorithm=pocket kernel=rbf",
    "algorithm=pocket pocket=literal kernel=rbf multiclass=native",
    "algorithm=margin kernel=sigmoid eta=0.1",
    "algorithm=pa2 kernel=rbf",
    "algorithm=perceptron kernel=rbf positive=a drop-after=2",
    "algorithm=perceptron kernel=rbf gamma=0.2 multiclass=native drop-after=3",
    "algorithm=perceptron kernel=rbf budget=8",
    "algorithm=perceptron kernel=rbf budget=8 budget-policy=random multiclass=native",
    "algorithm=perceptron kernel=rbf budget=8 budget-policy=forgetron positive=b",
    "algorithm=pa1 kernel=poly degree=2 budget=5 budget-policy=random",
};

/* Cut after every few updates, mostly in the middle of a pass, through the file. */
TEST(a_run_that_goes_on_is_one_run)
{
    char options[256], limit[64];

    write_classes("rows", 50, 4, 3, true, 1, 11);
    perc_dataset *ds = t_read("rows", "");
    for (size_t k = 0; k < COUNT(runs); k++) {
        snprintf(options, sizeof options, "%s epochs=4 seed=%zu", runs[k], k);
        perc_model *whole = t_fit(ds, options, NULL);
        struct t_bytes want = t_bytes_of(whole);
        const int64_t updates = whole->learner.progress.updates;
        assert_true(updates > 10); /* guard */
        for (int64_t cut = 4; cut < updates; cut += 1 + updates / 9) {
            snprintf(options, sizeof options, "%s epochs=4 seed=%zu updates=%lld", runs[k], k,
                     (long long)cut);
            perc_model *part = t_fit(ds, options, NULL), *back = reload(part);
            assert_int_equal(part->learner.progress.stop, PERC_STOP_UPDATES);
            snprintf(limit, sizeof limit, "updates=0%s",
                     strstr(runs[k], "budget") != NULL ? "" /* it has no cache */
                     : cut % 2                         ? " loop=textbook"
                                                       : " cache=2");
            perc_model *rest = t_resume(ds, back, limit, NULL, NULL);
            t_assert_bytes(&want, rest);
            t_free(rest, back, part);
        }
        free(want.p);
        perc_model_free(whole);
    }
    perc_dataset_free(ds);
}

/* A checkpoint after a pass is the model of a run of so many passes, but for the limit. */
TEST(checkpoints_go_on)
{
    write_classes("rows", 50, 4, 3, true, 1, 11);
    perc_dataset *ds = t_read("rows", "");
    for (size_t k = 0; k < COUNT(runs); k++) {
        char options[256];
        perc_error err = { 0 };
        perc_model *from;
        snprintf(options, sizeof options, "%s epochs=3 every=2 checkpoint=here", runs[k]);
        perc_model *whole = t_fit(ds, options, NULL);
        if (perc_model_read(NULL, "here", &from, &err)) fail_msg("%s", err.text);
        perc_model *rest = t_resume(ds, from, "", NULL, NULL);
        t_assert_same_file(whole, rest);
        t_free(rest, from, whole);
    }
    perc_dataset_free(ds);
}

/* What was found from the data counts as given, and is told; the budget's policy too. */
TEST(options_are_compared_with_those_in_use)
{
    static const struct {
        const char *first, *then, *says;
    } cases[] = {
        { "kernel=rbf", "gamma=scale", NULL },
        { "kernel=rbf gamma=auto", "gamma=auto", NULL },
        { "kernel=rbf gamma=auto", "gamma=0.25", NULL }, /* 4 features */
        { "kernel=sigmoid", "eta=scale", NULL },
        { "kernel=poly", "gamma=1", NULL },
        { "kernel=rbf", "gamma=3", "--gamma is scale (" },
        { "kernel=rbf", "gamma=auto", "--gamma is scale (" },
        { "kernel=rbf gamma=auto", "gamma=scale", "--gamma is auto (0.25) in the model" },
        { "kernel=sigmoid", "eta=2", "--eta is scale (" },
        { "kernel=rbf gamma=2", "gamma=3", "--gamma is 2 in the model" },
        { "kernel=rbf", "degree=3", "which has --gamma" },
        { "kernel=rbf budget=9", "budget-policy=random", "--budget-policy is projectron in the" },
        { "kernel=rbf budget=9", "budget-policy=projectron", NULL },
        { "kernel=rbf budget=9", "cache=3", "--cache" },
        { "kernel=rbf", "cache=3", NULL },
    };

    write_classes("rows", 40, 4, 2, true, 1, 5);
    perc_dataset *ds = t_read("rows", "");
    for (size_t k = 0; k < COUNT(cases); k++) {
        char options[100];
        snprintf(options, sizeof options, "%s epochs=2", cases[k].first);
        perc_params *p = t_params("perceptron", cases[k].then);
        perc_model *first = t_fit(ds, options, NULL), *from = reload(first), *m;
        perc_error err = { 0 };
        const perc_status st = perc_fit_resume(NULL, ds, from, p, NULL, &m, NULL, &err);
        if (cases[k].says == NULL) {
            if (st) fail_msg("%s, %s: %s", cases[k].first, cases[k].then, err.text);
            t_assert_same_file(m, first); /* the option is written as it was */
        } else {
            assert_int_equal(st, PERC_EARG);
            if (strstr(err.text, cases[k].says) == NULL) fail_msg("%s", err.text);
        }
        t_free(m, from, first, p);
    }
    perc_dataset_free(ds);
}

/* ----- streams and lines ------------------------------------------------------------- */

static const char *const online[] = {
    "algorithm=perceptron kernel=rbf gamma=0.4",
    "algorithm=perceptron kernel=poly degree=2 rate=0.3 schedule=1/t",
    "algorithm=averaged kernel=gaussian",
    "algorithm=averaged rule=pa1 kernel=rbf gamma=0.4 offset=false",
    "algorithm=voted kernel=rbf gamma=1",
    "algorithm=voted kernel=linear rule=margin",
    "algorithm=margin kernel=sigmoid eta=0.1",
    "algorithm=pa2 kernel=rbf gamma=0.2",
    "algorithm=perceptron kernel=rbf gamma=0.4 budget=6",
    "algorithm=perceptron kernel=rbf gamma=0.4 budget=6 budget-policy=random",
    "algorithm=perceptron kernel=rbf gamma=0.4 budget=6 budget-policy=forgetron",
};

TEST(lines_and_streams_are_a_pass_over_the_file)
{
    static const char *const kind[] = { "auto", "native classes=seen", "ovr" }; /* as lines do */
    char options[256], data[64];

    for (unsigned k = 0; k < COUNT(online) * 3 * 4; k++) {
        const bool two = strstr(online[k / 12], "forgetron") != NULL;
        const unsigned labels = two || k % 4 < 2 ? 2 : k % 4 + 1;
        const int base = (int)(k % 2);
        /* rows of a budget are shared by classes: which of them stay depends on who is there */
        const bool shared = strstr(online[k / 12], "budget") != NULL && labels > 2;
        if (two && k / 4 % 3 != 0) continue;
        snprintf(options, sizeof options, "%s multiclass=%s order=file epochs=1", online[k / 12],
                 kind[k / 4 % 3]);
        snprintf(data, sizeof data, "format=libsvm index=%d", base);
        write_svm("rows", 60, words, labels, base, k);
        perc_dataset *ds = t_read("rows", data);
        perc_model *streamed = t_stream("rows", data, options, NULL);
        perc_model *m = untaught(options, data), *whole = t_fit(ds, options, NULL);
        assert_true(whole->learner.progress.updates > 10); /* guard */
        if (!shared) t_assert_same_file(streamed, whole);
        assert_int_equal(show_file(m, "rows"), streamed->learner.progress.mistakes);
        end_pass(m, streamed);
        t_assert_same_file(m, streamed);
        t_free(m, streamed, whole, ds);
    }
}

/* Several passes, and what the report says of them. */
TEST(streams_are_runs_in_memory)
{
    char options[256];

    write_classes("rows", 80, 5, 3, true, 1, 5);
    perc_dataset *ds = t_read("rows", "");
    for (size_t k = 0; k < COUNT(online); k++) {
        perc_report a, b;
        if (strstr(online[k], "budget") != NULL) continue; /* above */
        snprintf(options, sizeof options, "%s order=file epochs=3", online[k]);
        perc_model *whole = t_fit(ds, options, &a), *streamed = t_stream("rows", "", options, &b);
        t_assert_same_file(whole, streamed);
        assert_int_equal(a.training_errors, b.training_errors);
        assert_int_equal(a.rows, b.rows);
        assert_true(a.loss == b.loss || fabs(a.loss - b.loss) < 1e-12 * a.loss);
        assert_true(a.radius == b.radius);
        assert_true(t_same_bits(a.last_error, b.last_error) || isnan(a.last_error));
        assert_int_equal(a.supports, b.supports);
        t_free(whole, streamed);
    }
    perc_dataset_free(ds);
}

/* A model file keeps a model that is being taught, whatever it returns. */
TEST(taught_models_are_kept)
{
    char options[256];

    for (unsigned k = 0; k < COUNT(online); k++) {
        char line[4096];
        const unsigned labels = strstr(online[k], "forgetron") != NULL ? 2 : 4;
        snprintf(options, sizeof options, "%s", online[k]);
        write_svm("rows", 40, words, labels, 1, k);
        perc_model *m = untaught(options, "format=libsvm index=1"), *back = reload(m);
        t_assert_same_file(m, back);
        perc_model_free(back);
        FILE *f = fopen("rows", "rb");
        assert_non_null(f);
        for (int i = 0; fgets(line, sizeof line, f) != NULL; i++) {
            show(m, line);
            if (i % 7 != 0) continue;
            back = reload(m); /* and goes on */
            struct t_bytes b = t_bytes_of(m);
            t_assert_bytes(&b, back);
            free(b.p);
            perc_params *data = t_params("data", "format=libsvm index=1");
            assert_int_equal(perc_learn_begin(back, data, NULL), PERC_OK);
            perc_params_free(data);
            const char *ask = strchr(line, ' '); /* without its label */
            if (ask != NULL) {
                perc_reply a = show(m, ask), c = show(back, ask);
                assert_true(t_same_bits(a.score, c.score));
            }
            perc_model_free(m);
            m = back;
        }
        fclose(f);
        perc_model_free(m);
    }
}

/* What is refused leaves no trace. */
TEST(refused_lines_leave_no_trace)
{
    static const struct {
        const char *options, *line, *why, *data;
    } cases[] = {
        { "kernel=poly degree=9 gamma=1", "1 1:1e40", "", "" },
        { "kernel=poly degree=9 gamma=1", "1 1:1e17 900:1e17", "", "" },
        { "algorithm=averaged kernel=linear", "1 1:1e200", "", "" },
        { "algorithm=voted kernel=linear", "1 1:1e154 2:-1e154", "", "" },
        { "kernel=poly degree=2 budget=3", "-1 2:1e90 7:1e80", "", "" },
        { "kernel=rbf gamma=1 budget=3 budget-policy=forgetron", "third 5000:1", "third label",
          "" },
        { "kernel=linear", "1 1:1 50:1e90", "", "map=poly:2" }, /* it has more columns then */
        { "kernel=linear", "1 1:1e200", "", "hash=6" },
    };
    char data[64];

    for (size_t k = 0; k < COUNT(cases); k++) {
        snprintf(data, sizeof data, "format=libsvm index=1 %s", cases[k].data);
        perc_model *m = untaught(cases[k].options, data);
        perc_error err = { 0 };
        perc_reply r;
        show(m, "1 1:1e3 2:-1");
        show(m, "-1 1:0.5 2:1");
        show(m, "1 1:-0.5 3:2e2");
        struct t_bytes before = t_bytes_of(m);
        const perc_status st = perc_learn_line(m, cases[k].line, strlen(cases[k].line), &r, &err);
        if (st != PERC_EDATA) fail_msg("%s: %s was taken", cases[k].options, cases[k].line);
        assert_true(err.text[0] != '\0' && err.line == 1);
        assert_non_null(strstr(err.text, cases[k].why));
        t_assert_bytes(&before, m);
        show(m, "1 1:1 2:1 4:1"); /* it goes on */
        free(before.p);
        perc_model_free(m);
    }
}

TEST(what_needs_the_data_first_is_refused)
{
    static const char *const cases[][2] = {
        { "kernel=rbf", "--gamma" },
        { "kernel=rbf gamma=scale", "--gamma" },
        { "kernel=poly gamma=auto", "--gamma" },
        { "kernel=sigmoid", "--eta" },
        { "kernel=rbf gamma=1 drop-after=2", "--drop-after" },
    };

    write_classes("rows", 20, 4, 2, true, 1, 5);
    for (size_t k = 0; k < COUNT(cases); k++) {
        perc_params *p = t_params("perceptron", cases[k][0]);
        perc_error err = { 0 };
        perc_model *m;
        assert_int_equal(perc_model_new(NULL, p, &m, &err), PERC_EARG);
        assert_null(m);
        assert_non_null(strstr(err.text, cases[k][1]));
        assert_int_equal(perc_fit_stream(NULL, "rows", NULL, p, NULL, &m, NULL, &err), PERC_EARG);
        assert_null(m);
        assert_non_null(strstr(err.text, cases[k][1]));
        perc_params_free(p);
    }
    perc_params *p = t_params("perceptron", "kernel=rbf init=random");
    perc_dataset *ds = t_read("rows", "");
    perc_error err = { 0 };
    perc_model *m;
    assert_refused(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EARG, &err, "--init");
    t_free(ds, p);
}

/* A model without weights is no start for one that has some. */
TEST(a_kernel_machine_is_no_start)
{
    write_classes("rows", 30, 4, 2, true, 1, 5);
    perc_dataset *ds = t_read("rows", "");
    perc_model *m = t_fit(ds, "kernel=rbf epochs=1", NULL), *other;
    perc_error err = { 0 };

    perc_model_free(reload(m));
    perc_params *p = t_params("perceptron", "init=model epochs=1");
    assert_refused(perc_fit(NULL, ds, p, NULL, &other, NULL, &err), PERC_EARG, &err, "kernel");
    t_free(p, m, ds);
}

/* ----- reports ----------------------------------------------------------------------- */

/* Errors, loss and radius of the rows that count, by the plain sums. */
TEST(reports_say_what_the_model_does)
{
    char options[256];
    struct t_data d = t_noise(40, 3, T_REAL, 1, 4);

    t_weigh(&d, 2);
    for (size_t i = 0; i < d.rows; i += 5) d.weight[i] = 0;
    perc_dataset *ds = t_borrow(&d);
    for (size_t k = 0; k < COUNT(rules) * COUNT(kernels) * 2; k++) {
        perc_report r;
        size_t n;
        uint64_t errors = 0, rows = 0;
        double radius2 = 0;
        snprintf(options, sizeof options, "%s %s epochs=3%s", rules[k / 2 / COUNT(kernels)],
                 kernels[k / 2 % COUNT(kernels)], k % 2 ? " loop=textbook" : "");
        perc_model *m = t_fit(ds, options, &r);
        double *s = t_scores(m, ds, &n);
        for (size_t i = 0; i < d.rows; i++) {
            const struct row x = { .value = d.x + i * d.cols,
                                   .n = d.cols,
                                   .values = VALUES_F64,
                                   .stride = sizeof(double),
                                   .indices = INDEX_DENSE };
            const struct kernel *kernel = &machine_kernel_of(m->learner.machine)->kernel;
            const double size2 = kernel_self(kernel, kernel_norm2(kernel, &x));
            if (!(d.weight[i] > 0)) continue;
            rows++;
            errors += !(d.y[i] * s[i] > 0);
            if (size2 > radius2) radius2 = size2;
        }
        assert_int_equal(r.rows, rows);
        assert_int_equal(r.training_errors, errors);
        assert_true(r.radius == sqrt(radius2 + m->learner.machine->last.offset));
        assert_true(isnan(r.norm));
        assert_int_equal(isnan(r.last_error), m->learner.rule->keep == KEEP_LAST);
        assert_true(r.supports > 0 && r.supports <= rows);
        perc_support *list = calloc(r.supports, sizeof *list);
        assert_non_null(list);
        assert_int_equal(perc_model_supports(m, list, NULL), PERC_OK);
        for (uint64_t i = 0; i < r.supports; i++) {
            assert_true(list[i].row >= 0 && (size_t)list[i].row < d.rows && list[i].counter > 0);
            assert_int_equal(list[i].label, d.y[list[i].row] > 0);
            assert_true(d.weight[list[i].row] > 0);
        }
        free(list);
        free(s);
        perc_model_free(m);
    }
    t_free(ds, &d);
}

/* Rows that were set aside are no supports, and are known by their numbers. */
TEST(dropped_rows_are_told)
{
    struct t_data d = t_noise(30, 2, T_REAL, 1, 9);
    perc_report r;
    perc_model_info info;

    for (size_t i = 0; i < 3; i++) { /* row 20 + i is row i with the other label */
        memcpy(d.x + (20 + i) * d.cols, d.x + i * d.cols, d.cols * sizeof *d.x);
        d.y[20 + i] = -d.y[i];
    }
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, "kernel=rbf gamma=3 drop-after=4 epochs=1000", &r), *back = reload(m);
    perc_model_info_get(back, &info);
    assert_int_equal(r.stop, PERC_STOP_CONVERGED);
    assert_true(r.dropped >= 3 && r.dropped < 20);
    assert_int_equal(info.dropped, r.dropped);
    assert_int_equal(info.supports, r.supports);
    for (size_t i = 0; i < r.dropped; i++) {
        assert_true(perc_model_dropped(m, i) >= 0 && perc_model_dropped(m, i) < 30);
        assert_int_equal(perc_model_dropped(m, i), perc_model_dropped(back, i));
    }
    assert_int_equal(perc_model_dropped(m, (size_t)r.dropped), -1);
    perc_support *list = calloc(r.supports + 1, sizeof *list);
    assert_non_null(list);
    assert_int_equal(perc_model_supports(back, list, NULL), PERC_OK);
    for (uint64_t i = 0; i < r.supports; i++) assert_true(list[i].counter > 0);
    free(list);
    t_free(back, m, ds, &d);
}

/* ----- comparing models -------------------------------------------------------------- */

TEST(folds_are_fits_without_rows)
{
    enum { K = 3 };
    static const char *const how[] = {
        "algorithm=averaged kernel=rbf gamma=0.8 epochs=2",
        "algorithm=perceptron kernel=poly degree=2 epochs=2",
        "algorithm=voted kernel=gaussian epochs=1",
        "algorithm=pocket kernel=rbf gamma=1 epochs=2",
        "algorithm=perceptron kernel=rbf gamma=1 budget=7 epochs=2",
    };
    struct t_data d = t_noise(45, 3, T_REAL, 1, 4);
    perc_dataset *ds = t_borrow(&d);

    for (size_t h = 0; h < COUNT(how); h++) {
        perc_params *p = t_params("perceptron", how[h]);
        perc_metrics each[K], got;
        perc_error err = { 0 };
        uint32_t fold[45];
        assert_int_equal(perc_folds(ds, K, 0, fold, &err), PERC_OK);
        if (perc_cross_validate(NULL, ds, p, K, NULL, each, &err)) fail_msg("%s", err.text);
        for (uint32_t f = 0; f < K; f++) {
            struct t_data learn = t_copy(&d), ask = t_data_new(45, 3);
            size_t n = 0;
            assert_non_null(learn.weight = calloc(d.rows, sizeof *learn.weight));
            for (size_t i = 0; i < d.rows; i++) {
                learn.weight[i] = fold[i] != f;
                if (fold[i] != f) continue;
                memcpy(ask.x + n * d.cols, d.x + i * d.cols, d.cols * sizeof *d.x);
                ask.y[n++] = d.y[i];
            }
            ask.rows = n;
            perc_dataset *a = t_borrow(&learn), *b = t_borrow(&ask);
            perc_model *m;
            if (perc_fit(NULL, a, p, NULL, &m, NULL, &err)) fail_msg("%s", err.text);
            if (perc_evaluate(NULL, m, b, &got, NULL, &err)) fail_msg("%s", err.text);
            assert_true(got.accuracy == each[f].accuracy);
            assert_true(t_same_bits(got.auc, each[f].auc));
            assert_true(t_same_bits(got.margin[0], each[f].margin[0]));
            t_free(m, a, b, &learn, &ask);
        }
        perc_params_free(p);
    }
    t_free(ds, &d);
}

/* The best pass is what a run of so many passes gives; curves and probabilities are made. */
TEST(validated_models_are_the_best_pass)
{
    struct t_data d = t_noise(60, 3, T_REAL, 1, 4);
    perc_dataset *ds = t_borrow(&d), *rest, *held;
    perc_error err = { 0 };

    assert_int_equal(perc_dataset_split(ds, 0.3, 1, &rest, &held, &err), PERC_OK);
    for (size_t k = 0; k < COUNT(runs); k++) {
        static const double part[] = { 0.5, 1 };
        perc_metrics train[2], test[2];
        double rows[2];
        char options[256];
        perc_report r;
        perc_model *m;
        if (strstr(runs[k], "positive=") != NULL) continue;
        snprintf(options, sizeof options, "%s epochs=5", runs[k]);
        perc_params *p = t_params("perceptron", options);
        if (perc_fit_validated(NULL, rest, p, held, 0, NULL, &m, &r, &err))
            fail_msg("%s: %s", options, err.text);
        snprintf(options, sizeof options, "%s epochs=%lld", runs[k], (long long)r.held_epoch);
        perc_report again;
        perc_model *best = t_fit(rest, options, &again);
        m->learner.progress.stop = best->learner.progress.stop;
        t_assert_same_file(m, best);
        assert_int_equal(r.training_errors, again.training_errors);
        assert_int_equal(r.supports, again.supports);
        if (perc_learning_curve(NULL, rest, p, held, 0, part, 2, NULL, rows, train, test, &err))
            fail_msg("%s: %s", options, err.text);
        assert_true(train[1].accuracy >= 0.5);
        if (perc_calibrate(NULL, m, rest, 3, NULL, &err)) fail_msg("%s: %s", options, err.text);
        perc_model *back = reload(m);
        t_assert_same_file(m, back);
        t_free(back, best, m, p);
    }
    t_free(held, rest, ds, &d);
}

TEST(grids_go_over_kernels)
{
    perc_params *base = t_params("averaged", "kernel=rbf");
    perc_error err = { 0 };
    perc_grid *g;

    if (perc_grid_new(NULL, base, "gamma=0.1,1,scale epochs=1,2", &g, &err))
        fail_msg("%s", err.text);
    assert_int_equal(perc_grid_points(g), 6);
    for (size_t i = 0; i < 6; i++) {
        perc_params *p;
        perc_metrics each[3];
        if (perc_grid_params(g, i, &p, &err)) fail_msg("%s", err.text);
        perc_dataset *ds = t_read(":iris", "");
        if (perc_cross_validate(NULL, ds, p, 3, NULL, each, &err)) fail_msg("%s", err.text);
        assert_true(each[0].accuracy > 0.6);
        t_free(ds, p);
    }
    perc_grid_free(g);
    perc_params_free(base);
}

/* ----- the space of a polynomial kernel ----------------------------------------------- */

/* (x.z + 1)^2 is the dot product of all x_i x_j, (i, j) and (j, i) both, all x_i twice and
 * 1. With whole numbers every sum is exact: the linear machine of those columns makes the
 * same mistakes, updates and scores, to the bit. */
static struct t_data explicit_of(const struct t_data *d)
{
    const size_t n = d->cols, cols = n * n + 2 * n + 1;
    struct t_data out = t_data_new(d->rows, cols);

    for (size_t i = 0; i < d->rows; i++) {
        const double *x = d->x + i * n;
        double *to = out.x + i * cols;
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++) *to++ = x[a] * x[b];
        for (size_t a = 0; a < n; a++) *to++ = x[a], *to++ = x[a];
        *to = 1;
        out.y[i] = d->y[i];
    }
    return out;
}

TEST(an_explicit_map_makes_the_same_mistakes)
{
    static const char *const how[] = {
        "algorithm=perceptron",
        "algorithm=averaged",
        "algorithm=voted",
        "algorithm=margin",
        "algorithm=pocket pocket=literal",
        "algorithm=perceptron multiclass=native",
        "algorithm=averaged multiclass=ovr",
    };
    char options[256];

    for (size_t k = 0; k < COUNT(how); k++) {
        struct t_data d = t_noise(50, 4, T_WHOLE, 0.8, k), wide = explicit_of(&d);
        perc_dataset *a = t_borrow(&d), *b = t_borrow(&wide);
        size_t n, same;
        snprintf(options, sizeof options, "%s kernel=poly degree=2 epochs=5", how[k]);
        perc_model *kernel = t_fit(a, options, NULL);
        snprintf(options, sizeof options, "%s epochs=5", how[k]);
        perc_model *linear = t_fit(b, options, NULL);
        assert_int_equal(kernel->learner.progress.mistakes, linear->learner.progress.mistakes);
        assert_int_equal(kernel->learner.progress.updates, linear->learner.progress.updates);
        assert_true(kernel->learner.progress.mistakes > 20); /* guard */
        double *s = t_scores(kernel, a, &n), *t = t_scores(linear, b, &same);
        assert_int_equal(n, same);
        for (size_t i = 0; i < n; i++) { /* an average is rounded in another place */
            const double gap = fabs(s[i] - t[i]);
            if (gap > (kernel->learner.rule->keep == KEEP_AVERAGE ? 1e-12 * fabs(t[i]) : 0))
                fail_msg("%s: %.17g and %.17g", how[k], s[i], t[i]);
        }
        free(s);
        free(t);
        t_free(kernel, linear, a, b, &d, &wide);
    }
}

/* How often (x.z + 1)^2 counts a monomial of --map poly:2, which has each once: x_i x_j and
 * x_i twice, squares once. */
static double times(const char *monomial)
{
    return strchr(monomial, '^') != NULL ? 1 : 2;
}

/* The kernel machine written as a model of --map poly:2: the same predictions. */
TEST(the_map_gives_the_same_predictions)
{
    static const double u[3] = { 1, -1, 0.5 };
    struct t_data d = t_planted(80, 3, u, 0.1, 0, 3);

    for (size_t i = 0; i < d.rows; i++) { /* inside or outside a quadric */
        const double *x = d.x + i * 3;
        d.y[i] = x[0] * x[1] + x[2] * x[2] - 0.3 * x[0] > 0.1 ? 1 : -1;
    }
    t_write(&d, "rows", 1, false, "out", "in");
    perc_dataset *ds = t_read("rows", ""), *mapped = t_read("rows", "map=poly:2");
    perc_model *kernel = t_fit(ds, "kernel=poly degree=2 coef0=1 epochs=50", NULL);
    perc_model *linear = t_fit(mapped, "epochs=1", NULL);
    struct linear *w = &linear->learner.machine->last;
    struct pipe pipe;
    size_t n, same;

    memset(w->w, 0, w->dims * w->stride * sizeof *w->w);
    w->b[0] = kernel->learner.machine->last.b[0];
    pipe_init(&pipe, &linear->e, 0, NULL, &linear->map);
    for (size_t k = 0; k < machine_votes_of(kernel->learner.machine)->n; k++) {
        const struct vote *one = &machine_votes_of(kernel->learner.machine)->vote[k];
        struct row x = votes_row(machine_votes_of(kernel->learner.machine), one->row);
        assert_int_equal(pipe_row(&pipe, &x, 0, NULL), PERC_OK);
        for (size_t i = 0; i < x.n; i++) {
            char name[64];
            perc_model_feature(linear, row_column(&x, i) - 1, name, sizeof name);
            w->w[row_column(&x, i)] += one->step * times(name) * row_value(&x, i);
        }
        w->b[0] += one->step; /* the constant, c^2 = 1 */
    }
    pipe_free(&pipe);
    double *s = t_scores(kernel, ds, &n), *t = t_scores(linear, mapped, &same);
    assert_int_equal(n, same);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(s[i] > 0, t[i] > 0);
        assert_true(fabs(s[i] - t[i]) < 1e-9 * (1 + fabs(s[i])));
    }
    free(s);
    free(t);
    t_free(kernel, linear, ds, mapped, &d);
}

/* With x in {-1, 1}^2 the squares are 1: --map poly:2 without offset has the dot products
 * ((x.z + 1)^2 + 1) / 2, half those of the kernel with its offset. So the two runs make the
 * same mistakes, and one scores twice the other. */
TEST(the_map_learns_xor_as_the_kernel_does)
{
    struct t_data d = t_data_new(24, 2);
    unsigned seed = 5;

    for (size_t i = 0; i < d.rows; i++) {
        d.x[2 * i] = next(&seed, 2) ? 1 : -1;
        d.x[2 * i + 1] = next(&seed, 2) ? 1 : -1;
        d.y[i] = d.x[2 * i] * d.x[2 * i + 1];
    }
    t_write(&d, "rows", 1, false, "no", "yes");
    perc_dataset *ds = t_read("rows", ""), *mapped = t_read("rows", "map=poly:2");
    perc_report a, b;
    size_t n;
    perc_model *kernel = t_fit(ds, "kernel=poly degree=2", &a);
    perc_model *linear = t_fit(mapped, "offset=false", &b);

    assert_int_equal(a.stop, PERC_STOP_CONVERGED);
    assert_int_equal(a.training_errors, 0);
    assert_int_equal(a.mistakes, b.mistakes);
    assert_int_equal(a.epochs, b.epochs);
    double *s = t_scores(kernel, ds, &n), *t = t_scores(linear, mapped, &n);
    for (size_t i = 0; i < n; i++) assert_true(s[i] == 2 * t[i]);
    free(s);
    free(t);
    t_free(kernel, linear, ds, mapped, &d);
}

/* ----- hostile files ------------------------------------------------------------------- */

TEST(hostile_files_are_refused)
{
    static const struct hostile any[] = {
        { META, "machine", "linear", "kernel" },
        { META, "machine", "votes", "kernel" },
        { META, "option.kernel", "none", "kernel" },
        { META, "option.kernel", "cubic", "kernel" },
        { META, "option.degree", "0", "degree" },
        { META, "option.degree", "5", "degree" },
        { META, "option.gamma", "-1", "gamma" },
        { META, "option.gamma", "0.25", "kernel.gamma" },
        { META, "kernel.gamma", "0", "kernel.gamma" },
        { META, "kernel.gamma", "-2", "kernel.gamma" },
        { META, "kernel.gamma", "nan", "kernel.gamma" },
        { META, "kernel.gamma", "1e999", "kernel.gamma" },
        { META, "kernel.gamma", "much", "kernel.gamma" },
        { META, "kernel.gamma", "2", "kernel.gamma" },
        { META, "kernel.gamma", NULL, "kernel.gamma" },
        { META, "kernel.dot", "rounded", "metadata 'kernel.dot' has the unknown value" },
        { META, "features", "-1", "features" },
        { META, "features", "1", "" },
        { META, "features", "9999999999", "features" },
        { META, "features", NULL, "features" },
        { META, "option.init", "random", "init" },
        { GONE, "offset", NULL, "offset" },
        { ELEMENT, "offset[0]", "nan", "offset" },
        { GONE, "vote.example", NULL, "vote.example" },
        { GONE, "vote.step", NULL, "vote.step" },
        { ELEMENT, "vote.step[0]", "inf", "vote.step" },
        { ELEMENT, "vote.example[0]", "-1", "vote.example" },
        { ELEMENT, "vote.row[0]", "7", "vote.row" },
        { ELEMENT, "vote.at[0]", "0", "vote.at" },
        { ELEMENT, "coefficient[0]", "12345", "coefficient" },
        { GONE, "coefficient", NULL, "coefficient" },
        { SHORTER, "coefficient", NULL, "coefficient" },
        { ELEMENT, "counter[0]", "99", "counter" },
        { GONE, "counter", NULL, "counter" },
        { ELEMENT, "row.dense[0]", "nan", "row.dense" },
        { SHORTER, "row.dense", NULL, "" },
    };
    static const struct hostile dropped[] = {
        { META, "option.drop-after", "0", "dropped" },
        { META, "option.drop-after", "-3", "drop-after" },
        { META, "option.multiclass", "ovr", "" },
        { ELEMENT, "dropped[0]", "-1", "" },
        { ELEMENT, "dropped[0]", "10000", "" },
        { META, "option.budget", "4", "" },
    };
    static const struct hostile budget[] = {
        { META, "option.budget", "0", "" },
        { META, "option.budget", "2", "" },
        { META, "option.budget", "-2", "budget" },
        { META, "option.budget-policy", "best", "budget-policy" },
        { META, "algorithm", "averaged", "" },
        { ELEMENT, "coefficient[0]", "inf", "coefficient" },
        { SHORTER, "coefficient", NULL, "coefficient" },
        { GONE, "coefficient", NULL, "coefficient" },
        { GONE, "row.start", NULL, "row.start" },
        { GONE, "budget.count", NULL, "budget.count" },
        { META, "features", "1", "" },
    };

    write_classes("rows", 40, 4, 2, true, 1, 3);
    perc_dataset *ds = t_read("rows", "");
    perc_model *m = t_fit(ds, "kernel=rbf gamma=0.5 epochs=2", NULL);
    t_refuses_model(m, any, COUNT(any));
    perc_model_free(m);
    m = t_fit(ds, "kernel=rbf gamma=0.01 drop-after=2 epochs=4", NULL);
    assert_true(machine_expansion_of(m->learner.machine)->drop->n > 1); /* guard */
    t_refuses_model(m, dropped, COUNT(dropped));
    perc_model_free(m);
    m = t_fit(ds, "kernel=rbf gamma=0.5 budget=6 epochs=2", NULL);
    assert_int_equal(machine_budget_of(m->learner.machine)->rows, 6); /* guard */
    t_refuses_model(m, budget, COUNT(budget));
    t_free(m, ds);
}

/* What no reader would take is not written. */
TEST(numbers_that_are_none_are_not_written)
{
    write_classes("rows", 20, 3, 2, true, 1, 3);
    perc_dataset *ds = t_read("rows", "");
    for (int k = 0; k < 4; k++) {
        perc_model *m = t_fit(ds, "algorithm=averaged kernel=rbf epochs=1", NULL);
        perc_error err = { 0 };
        struct learner *l = &m->learner;
        if (k == 0) machine_votes_of(l->machine)->vote[1].step = INFINITY;
        if (k == 1) l->machine->kept.b[0] = NAN;
        if (k == 2) l->machine->sum.b[0] = INFINITY;
        if (k == 3) { /* the step is finite, what it comes to is not */
            machine_votes_of(l->machine)->vote[0].step = 1.7e308;
            machine_votes_of(l->machine)->vote[0].at = 1;
        }
        assert_int_equal(perc_model_write(m, "none", &err), PERC_EDATA);
        assert_int_equal(access("none", F_OK), -1);
        perc_model_free(m);
    }
    perc_dataset_free(ds);
}

/* ----- the rest ------------------------------------------------------------------------ */

TEST(info_tells_the_kernel)
{
    perc_model_info info;

    write_classes("rows", 30, 4, 2, true, 1, 5);
    perc_dataset *ds = t_read("rows", "");
    perc_model *m = t_fit(ds, "kernel=poly degree=4 coef0=-2 gamma=auto epochs=1", NULL);
    perc_model_info_get(m, &info);
    assert_string_equal(info.kernel, "poly");
    assert_string_equal(info.machine, "kernel");
    assert_true(info.gamma == 0.25 && info.coef0 == -2 && info.degree == 4);
    assert_int_equal(info.features, 4);
    assert_true(perc_model_weight(m, 3, 0) == 0);
    assert_true(isfinite(perc_model_offset(m, 0)));
    perc_model_free(m);
    m = t_fit(ds, "epochs=1", NULL);
    perc_model_info_get(m, &info);
    assert_string_equal(info.kernel, "");
    assert_true(isnan(info.gamma) && info.supports == 0);
    assert_int_equal(perc_model_supports(m, NULL, NULL), PERC_EARG);
    t_free(m, ds);
}

TEST(kernels_are_checked)
{
    perc_dataset *ds = t_read(":iris", "");
    perc_params *p = t_params("averaged", "kernel=rbf"), *none = t_params("averaged", "");
    perc_spectrum s;
    perc_error err = { 0 };

    perc_params *bad = t_params("averaged", "kernel=rbf gamma=-1"), *svm = t_params("svm", "");
    assert_int_equal(perc_check_kernel(NULL, ds, none, 20, &s, &err), PERC_EARG);
    assert_refused(perc_check_kernel(NULL, ds, svm, 20, &s, &err), PERC_EARG, &err, "no kernel");
    assert_refused(perc_check_kernel(NULL, ds, bad, 20, &s, &err), PERC_EARG, &err, "--gamma");
    t_free(bad, svm);
    const perc_status st = perc_check_kernel(NULL, ds, p, 20, &s, &err);
    if (st == PERC_EARG) {
        assert_non_null(strstr(err.text, "LAPACK"));
    } else {
        assert_int_equal(st, PERC_OK);
        assert_int_equal(s.rows, 20);
        assert_true(s.semidefinite && s.largest <= 20 && s.largest >= 1);
    }
    t_free(p, none, ds);
}

/* An overflow names the line, in memory and on a stream, and no model is made; also where
 * the row itself could be learned from, and only later ones would fail. */
TEST(rows_too_large_are_named)
{
    static const struct {
        const char *text;
        int64_t line;
    } cases[] = {
        { "a 1:1 2:3\nb 1:-1\na 1:2\nb 2:1e80\na 2:1\n", 4 },
        { "a 1:1e80 2:3\nb 1:-1\na 1:2\n", 1 },
    };
    perc_params *p = t_params("perceptron", "kernel=poly degree=4 order=file epochs=1");

    for (size_t k = 0; k < COUNT(cases); k++) {
        perc_error err = { 0 };
        perc_model *m;
        assert_int_equal(t_put("rows", cases[k].text), 0);
        perc_dataset *ds = t_read("rows", "");
        assert_int_equal(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EDATA);
        assert_null(m);
        assert_int_equal(err.line, cases[k].line);
        assert_int_equal(perc_fit_stream(NULL, "rows", NULL, p, NULL, &m, NULL, &err), PERC_EDATA);
        assert_null(m);
        assert_int_equal(err.line, cases[k].line);
        perc_dataset_free(ds);
    }
    perc_params_free(p);
}

/* In prediction it is the new row that is to blame. */
TEST(a_row_far_away_is_told_so)
{
    perc_error err = { 0 };
    double s[3];

    write_classes("rows", 20, 2, 2, true, 1, 5);
    assert_int_equal(t_put("far", "a 1:1 2:1\nb 1:1e160 2:1\n"), 0);
    perc_dataset *ds = t_read("rows", ""), *far;
    perc_model *m = t_fit(ds, "kernel=poly epochs=2", NULL);
    assert_int_equal(perc_dataset_read_for(NULL, m, "far", NULL, &far, NULL), PERC_OK);
    assert_int_equal(perc_predict(NULL, m, far, s, &err), PERC_EDATA);
    assert_int_equal(err.line, 2);
    assert_non_null(strstr(err.text, "far outside"));
    const perc_example x = { NULL, (const double[]){ 1e160, 1 }, 2 };
    assert_refused(perc_score(m, &x, s, &err), PERC_EDATA, &err, "far outside");
    t_free(m, far, ds);
}

TEST(a_matrix_that_is_not_symmetric_names_the_pair)
{
    perc_params *p = t_params("perceptron", "kernel=precomputed");
    perc_error err = { 0 };
    perc_model *m;

    assert_int_equal(t_put("rows", "1 0:1 1:4 2:2\n-1 0:2 1:3 2:4\n"), 0);
    perc_dataset *ds = t_read("rows", "");
    assert_refused(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EDATA, &err,
                   "K(x_1, x_2) is 2 here and 3 on line 2");
    perc_params_free(p);
    perc_dataset_free(ds);
}

/* The tool refuses it by itself. */
TEST(a_rule_with_a_machine_of_its_own_takes_no_kernel)
{
    perc_params *p = t_params("averaged", "rule=arow kernel=rbf gamma=1");
    perc_dataset *ds = t_read(":xor", "");
    perc_error err = { 0 };
    perc_model *m;

    assert_refused(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EARG, &err,
                   "arow has no --kernel");
    assert_null(m);
    t_free(p, ds);
}
