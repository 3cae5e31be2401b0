/* test_scores.c -- one score, however it is asked for.
 *
 * A row can be scored alone (perc_score), with its data set (perc_predict), from a
 * data set read for the model, from a file that passes through, and by a model
 * that was saved and read again. All of them give the same bits, with every
 * scaling: the state of the scaling is in the model and applied to what comes. */
#include <math.h>

#include "t.h"
#include "t_dir.h"
#include "t_make.h"

enum { ROWS = 75, COLS = 12 };

static const char *const scales[] = { "none", "standard", "minmax", "maxabs",
                                      "unit", "by:3",     "by:0.1" };
enum { SCALES = COUNT(scales) };

/* A data set as a file of one of three kinds, with columns of different sizes. */
struct file {
    struct t_data d;
    const char *path, *options;
};

enum { FROM_ONE, FROM_ZERO, TABLE, KINDS };

static struct file make_file(int kind, uint64_t seed)
{
    static const char *const option[] = { "format=libsvm index=1", "format=libsvm index=0",
                                          "format=csv" };
    struct file f = { t_noise(ROWS, COLS, T_REAL, 0.6, seed), "rows", option[kind] };

    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++)
            if (f.d.x[i * COLS + j] != 0)
                f.d.x[i * COLS + j] = ldexp(f.d.x[i * COLS + j], (int)j - 5) + (double)j;
    f.d.x[COLS - 1] = 2.5; /* the last column is used */
    if (kind == TABLE) t_write_csv(&f.d, f.path, "no", "yes");
    else t_write(&f.d, f.path, kind == FROM_ONE, false, "-1", "1");
    return f;
}

static perc_dataset *read_scaled(const struct file *f, const char *scale)
{
    char options[96];

    snprintf(options, sizeof options, "%s scale=%s", f->options, scale);
    return t_read(f->path, options);
}

static void assert_scores(const double *want, const double *got, const char *what)
{
    for (int i = 0; i < ROWS; i++)
        if (!t_same_bits(want[i], got[i]))
            fail_msg("%s: row %d has %.17g, not %.17g", what, i, got[i], want[i]);
}

/* ----- ways to ask ---------------------------------------------------------------------- */

/* Row by row, as they stand in the file: with all zeros, or without. */
static void ask_alone(const perc_model *m, const struct t_data *d, bool sparse, double *out)
{
    for (size_t i = 0; i < ROWS; i++) {
        const double *x = d->x + i * d->cols;
        uint32_t column[COLS];
        double value[COLS];
        perc_example e = { NULL, x, d->cols };
        if (sparse) e = (perc_example){ column, value, 0 };
        for (size_t j = 0; sparse && j < d->cols; j++) {
            if (x[j] == 0) continue;
            column[e.n] = (uint32_t)j;
            value[e.n++] = x[j];
        }
        out[i] = t_score(m, &e);
    }
}

static void ask(const perc_model *m, const perc_dataset *ds, double *out)
{
    perc_error err = { 0 };

    if (perc_predict(NULL, m, ds, out, &err)) fail_msg("%s", err.text);
}

static void ask_reading(const perc_model *m, const struct file *f, double *out)
{
    perc_params *p = t_params("data", f->options);
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_read_for(NULL, m, f->path, p, &ds, &err)) fail_msg("%s", err.text);
    ask(m, ds, out);
    t_free(ds, p);
}

struct taken {
    double *out;
    size_t n;
};

static int take(void *ud, const double *scores, size_t n)
{
    struct taken *t = ud;

    assert_true(t->n + n <= ROWS);
    memcpy(t->out + t->n, scores, n * sizeof *scores);
    t->n += n;
    return 0;
}

static void ask_passing(const perc_model *m, const struct file *f, double *out)
{
    perc_params *p = t_params("data", f->options);
    perc_error err = { 0 };
    struct taken t = { out, 0 };
    uint64_t unknown = 1;

    if (perc_predict_file(NULL, m, f->path, p, take, &t, &unknown, &err)) fail_msg("%s", err.text);
    assert_int_equal(t.n, ROWS);
    assert_int_equal(unknown, 0);
    perc_params_free(p);
}

/* ----- the promises --------------------------------------------------------------------- */

static void check_ways(const perc_model *m, const struct file *f, const double *want)
{
    double got[ROWS];

    ask_alone(m, &f->d, false, got);
    assert_scores(want, got, "alone, dense");
    ask_alone(m, &f->d, true, got);
    assert_scores(want, got, "alone, sparse");
    ask_reading(m, f, got);
    assert_scores(want, got, "read for the model");
    ask_passing(m, f, got);
    assert_scores(want, got, "from a passing file");
}

static const char *const machines[] = {
    "epochs=7",
    "epochs=7 offset=false",
    "epochs=3 kernel=rbf",
    "algorithm=voted epochs=3 kernel=poly degree=2",
    "algorithm=averaged epochs=2 kernel=gaussian sigma=9 offset=false",
    "epochs=2 kernel=sigmoid budget=20 budget-policy=random",
};
enum { MACHINES = COUNT(machines) };

TEST(every_way_to_ask_gives_the_same_bits)
{
    for (int k = 0; k < KINDS * SCALES * MACHINES; k++) {
        struct file f = make_file(k % KINDS, (uint64_t)k);
        perc_dataset *ds = read_scaled(&f, scales[k / KINDS / MACHINES]);
        perc_model *m = t_fit(ds, machines[k / KINDS % MACHINES], NULL);
        double want[ROWS];
        ask(m, ds, want);
        check_ways(m, &f, want);
        t_free(ds, m, &f.d);
    }
}

TEST(a_saved_model_gives_the_same_scores_and_the_same_bytes)
{
    for (int k = 0; k < KINDS * SCALES; k++) {
        struct file f = make_file(k % KINDS, 100 + (uint64_t)k);
        perc_dataset *ds = read_scaled(&f, scales[k / KINDS]);
        perc_model *m = t_fit(ds, "epochs=7 rate=0.7 init=random", NULL), *again;
        perc_error err = { 0 };
        double want[ROWS], got[ROWS];
        if (perc_model_write(m, "model", &err)) fail_msg("%s", err.text);
        if (perc_model_read(NULL, "model", &again, &err)) fail_msg("%s", err.text);
        ask(m, ds, want);
        ask(again, ds, got);
        assert_scores(want, got, "read again");
        check_ways(again, &f, want);
        t_assert_same_file(m, again);
        t_free(m, again, ds, &f.d);
    }
}

/* The scores are the scores that training saw: the report counts them. */
TEST(scores_agree_with_the_report)
{
    for (int k = 0; k < SCALES; k++) {
        struct file f = make_file(FROM_ONE, 200 + (uint64_t)k);
        perc_dataset *ds = read_scaled(&f, scales[k]);
        perc_report r;
        perc_model *m = t_fit(ds, "epochs=4", &r);
        double s[ROWS], loss = 0;
        uint64_t errors = 0;
        ask(m, ds, s);
        for (int i = 0; i < ROWS; i++) {
            errors += f.d.y[i] * s[i] <= 0;
            if (f.d.y[i] * s[i] < 0) loss -= f.d.y[i] * s[i];
        }
        assert_int_equal(r.training_errors, errors);
        assert_true(r.loss == loss / ROWS);
        assert_true(errors > 0); /* guard: these data cannot be separated */
        t_free(m, ds, &f.d);
    }
}

/* A caller's own arrays, not read for the model: scaled on the way. */
TEST(borrowed_arrays_are_scored_as_the_file_is)
{
    for (int k = 0; k < KINDS * SCALES; k++) {
        struct file f = make_file(k % KINDS, 300 + (uint64_t)k);
        struct t_csr c = t_csr_new(&f.d);
        perc_dataset *ds = read_scaled(&f, scales[k / KINDS]);
        perc_dataset *dense = t_borrow(&f.d);
        perc_dataset *sparse = t_borrow_csr(&f.d, &c, PERC_I32, PERC_I32);
        perc_model *m = t_fit(ds, machines[k % MACHINES], NULL);
        double want[ROWS], got[ROWS];
        ask(m, ds, want);
        ask(m, dense, got);
        assert_scores(want, got, "a dense matrix");
        ask(m, sparse, got);
        assert_scores(want, got, "sparse arrays");
        t_free(m, ds, dense, sparse, &c, &f.d);
    }
}

/* Kernel machines, by the panel and on several threads: as each row alone. */
TEST(threads_change_no_score)
{
    enum { MANY = 700 };
    struct t_data d = t_noise(MANY, COLS, T_REAL, 0.6, 11);
    perc_dataset *ds = t_borrow(&d);

    for (size_t k = 2; k < MACHINES; k++) {
        perc_model *m = t_fit(ds, machines[k], NULL);
        for (int threads = 1; threads <= 8; threads *= 2) {
            const perc_env env = { .threads = threads };
            double got[MANY];
            assert_int_equal(perc_predict(&env, m, ds, got, NULL), PERC_OK);
            for (size_t i = 0; i < MANY; i += threads == 1 ? 1 : 50) {
                const perc_example e = { NULL, d.x + i * COLS, COLS };
                assert_true(t_same_bits(got[i], t_score(m, &e)));
            }
        }
        perc_model_free(m);
    }
    t_free(ds, &d);
}

/* The kernel x.z makes the machine that there is without one; whole numbers, so that the
 * order of a sum does not matter. */
TEST(the_linear_kernel_is_none)
{
    static const char *const options[] = { "epochs=5", "algorithm=voted epochs=5",
                                           "algorithm=voted epochs=5 offset=false" };
    enum { MANY = 200 };
    struct t_data d = t_noise(MANY, COLS, T_WHOLE, 0.6, 21);
    perc_dataset *ds = t_borrow(&d);

    for (size_t k = 0; k < COUNT(options); k++) {
        char with[80];
        double want[MANY], got[MANY];
        snprintf(with, sizeof with, "%s kernel=linear", options[k]);
        perc_model *a = t_fit(ds, options[k], NULL), *b = t_fit(ds, with, NULL);
        ask(a, ds, want);
        ask(b, ds, got);
        for (size_t i = 0; i < MANY; i++) assert_true(want[i] == got[i]);
        t_free(a, b);
    }
    t_free(ds, &d);
}

/* Several scores a row, each at its place. */
TEST(threads_change_no_score_of_several)
{
    static const char *const options[] = { "epochs=3 kernel=rbf",
                                           "algorithm=voted epochs=3 "
                                           "kernel=poly degree=2 multiclass=ovr" };
    enum { MANY = 300, CLASSES = 3 };
    FILE *f = fopen("three", "w");

    assert_non_null(f);
    for (int i = 0; i < MANY; i++)
        fprintf(f, "%d 1:%d 2:%d 3:%g\n", i * i % 7 % CLASSES, i % 13, i % 29, i * 0.25);
    fclose(f);
    perc_dataset *ds = t_read("three", "index=1");
    for (size_t k = 0; k < COUNT(options); k++) {
        perc_model *m = t_fit(ds, options[k], NULL);
        double got[MANY * CLASSES], alone[CLASSES];
        for (int threads = 1; threads <= 8; threads *= 2) {
            const perc_env env = { .threads = threads };
            assert_int_equal(perc_predict(&env, m, ds, got, NULL), PERC_OK);
            for (int i = 0; i < MANY; i++) {
                const double x[] = { i % 13, i % 29, i * 0.25 };
                const perc_example e = { NULL, x, 3 };
                assert_int_equal(perc_score(m, &e, alone, NULL), PERC_OK);
                for (int c = 0; c < CLASSES; c++)
                    assert_true(t_same_bits(got[i * CLASSES + c], alone[c]));
            }
        }
        perc_model_free(m);
    }
    perc_dataset_free(ds);
}

static int count_rows(void *ud, const double *scores, size_t n)
{
    (void)scores;
    *(size_t *)ud += n;
    return 0;
}

/* Of the rows that are too large for the kernel, the first is named. */
TEST(rows_without_a_score_are_refused)
{
    enum { MANY = 700, FIRST = 401, LATER = 650 };
    static const char *const options[] = { "epochs=2 kernel=poly degree=4",
                                           "algorithm=voted epochs=2 kernel=poly degree=4",
                                           "epochs=2 kernel=poly degree=4 budget=9" };
    struct t_data d = t_noise(MANY, COLS, T_REAL, 0.6, 12);
    struct t_data small = t_noise(60, COLS, T_REAL, 0.6, 13);
    perc_dataset *ds = t_borrow(&small);

    for (size_t j = 0; j < COLS; j++)
        d.x[(FIRST - 1) * COLS + j] = d.x[(LATER - 1) * COLS + j] = 1e120;
    t_write(&d, "rows", 0, true, "-1", "1");
    for (size_t k = 0; k < COUNT(options); k++) {
        perc_model *m = t_fit(ds, options[k], NULL);
        perc_params *p = t_params("data", "index=0");
        perc_dataset *all;
        perc_error err = { 0 };
        double got[MANY];
        size_t n = 0;
        const perc_example e = { NULL, d.x + (FIRST - 1) * COLS, COLS };
        assert_int_equal(perc_dataset_read_for(NULL, m, "rows", p, &all, NULL), PERC_OK);
        for (int threads = 1; threads <= 8; threads *= 2) {
            const perc_env env = { .threads = threads };
            assert_int_equal(perc_predict(&env, m, all, got, &err), PERC_EDATA);
            assert_int_equal(err.line, FIRST);
            assert_non_null(strstr(err.text, "outside"));
            assert_int_equal(perc_predict_file(&env, m, "rows", p, count_rows, &n, NULL, &err),
                             PERC_EDATA);
            assert_int_equal(err.line, FIRST);
        }
        assert_int_equal(perc_score(m, &e, got, &err), PERC_EDATA);
        assert_true(n < FIRST * 4);
        t_free(all, p, m);
    }
    t_free(ds, &d, &small);
}

/* Feature 3 of one file may be feature 4 of another: no guess is made. */
TEST(a_file_that_counts_in_another_way_is_refused)
{
    for (int base = 0; base < 2; base++) {
        struct file f = make_file(base ? FROM_ZERO : FROM_ONE, 350);
        perc_dataset *ds = read_scaled(&f, "none");
        perc_model *m = t_fit(ds, "epochs=1", NULL);
        perc_error err = { 0 };
        double got[ROWS];
        t_write(&f.d, "other", base, true, "-1", "1");
        perc_dataset *other = t_read("other", base ? "index=1" : "index=0");
        assert_refused(perc_predict(NULL, m, other, got, &err), PERC_EDATA, &err,
                       "count features from");
        t_free(other, ds, m, &f.d);
    }
}

/* Features that the model has not met weigh nothing (but count in |x|). */
TEST(unknown_features_are_passed_over)
{
    for (int k = 0; k < SCALES; k++) {
        struct file f = make_file(FROM_ONE, 400 + (uint64_t)k);
        perc_dataset *ds = read_scaled(&f, scales[k]);
        perc_model *m = t_fit(ds, "epochs=7", NULL);
        struct t_data wide = t_data_new(ROWS, COLS + 3);
        double alone[ROWS], file[ROWS];
        perc_params *p = t_params("data", f.options);
        perc_error err = { 0 };
        struct taken t = { file, 0 };
        uint64_t unknown = 0;

        for (size_t i = 0; i < ROWS; i++) {
            memcpy(wide.x + i * (COLS + 3), f.d.x + i * COLS, COLS * sizeof(double));
            wide.x[i * (COLS + 3) + COLS + 1] = 4;
        }
        for (size_t i = 0; i < ROWS; i++) {
            const perc_example e = { NULL, wide.x + i * (COLS + 3), COLS + 3 };
            alone[i] = t_score(m, &e);
        }
        t_write(&wide, "wide", 1, false, "-1", "1");
        if (perc_predict_file(NULL, m, "wide", p, take, &t, &unknown, &err))
            fail_msg("%s", err.text);
        assert_scores(alone, file, "with unknown features");
        assert_int_equal(unknown, ROWS);
        if (strcmp(scales[k], "unit") != 0) {
            ask(m, ds, alone);
            assert_scores(alone, file, "without them");
        }
        t_free(&wide, p, m, ds, &f.d);
    }
}

/* A scaled model taught row by row, with rows as they stand in the file: one pass. */
TEST(learning_scales_as_training_did)
{
    for (int k = 0; k < KINDS * SCALES; k++) {
        struct file f = make_file(k % KINDS, 500 + (uint64_t)k);
        perc_dataset *ds = read_scaled(&f, scales[k / KINDS]);
        perc_model *m = t_fit(ds, "order=file epochs=0", NULL);
        perc_model *one = t_fit(ds, "order=file epochs=1", NULL);
        for (size_t i = 0; i < ROWS; i++) {
            const perc_example e = { NULL, f.d.x + i * COLS, COLS };
            perc_error err = { 0 };
            perc_outcome o;
            const double before = t_score(m, &e);
            const char *word = f.d.y[i] > 0 ? "yes" : "no";
            const char *label = k % KINDS == TABLE ? word : t_sign(f.d.y[i]);
            if (perc_learn(m, &e, label, 1, &o, &err)) fail_msg("%s", err.text);
            assert_true(t_same_bits(o.score, before));
        }
        t_assert_same_machine(m, one);
        t_free(m, one, ds, &f.d);
    }
}
