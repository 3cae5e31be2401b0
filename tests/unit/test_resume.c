/* test_resume.c -- stopping and going on gives the bytes of one run.
 *
 * A model keeps what training needs to go on: options, counters, the place within
 * the pass. The order of a pass follows from the seed and its number, so nothing
 * else is needed. Here a run is cut at every place there is: after each pass, at
 * each update, after each example; by a limit, an observer or a checkpoint; once
 * or many times; in memory or through the file. The end is compared with that of
 * the run that was never cut, as bytes of the model file. */
#include "t.h"
#include "t_dir.h"
#include "t_make.h"

enum { ROWS = 13, COLS = 4, EPOCHS = 5 };

static const char *const how[] = {
    "order=file",
    "order=shuffle seed=5",
    "order=shuffle seed=6 init=random rate=0.3",
    "order=shuffle offset=false init=unit",
    "order=shuffle seed=7 rate=0.1",
};
enum { RUNS = COUNT(how) };

/* The run, whole. */
struct run {
    struct t_data d;
    perc_dataset *ds;
    const char *options;
    perc_model *whole;
    struct t_bytes bytes; /* its file */
    perc_report report;
};

static struct run run_new(int k, bool separable)
{
    static const double u[COLS] = { 1, -1, 0.5, 0 };
    struct run r = { .options = how[k] };
    char text[128];

    r.d = separable ? t_planted(ROWS, COLS, u, 0, 0.1, (uint64_t)k)
                    : t_noise(ROWS, COLS, T_REAL, 1, (uint64_t)k);
    if (k % 2 && !separable) t_weigh(&r.d, 1);
    r.ds = t_borrow(&r.d);
    snprintf(text, sizeof text, "%s epochs=%d", r.options, separable ? 1000 : EPOCHS);
    r.whole = t_fit(r.ds, text, &r.report);
    assert_int_equal(r.report.stop, separable ? PERC_STOP_CONVERGED : PERC_STOP_EPOCHS);
    assert_true(r.report.updates > (separable ? 1 : 5)); /* guard */
    r.bytes = t_bytes_of(r.whole);
    return r;
}

static void run_free(struct run *r)
{
    free(r->bytes.p);
    t_free(r->whole, r->ds, &r->d);
}

/* The beginning of the run: its options, and a limit. */
static perc_model *begin(const struct run *r, const char *limit, const perc_observer *o)
{
    char text[160];

    snprintf(text, sizeof text, "%s %s", r->options, limit);
    return t_fit_watched(r->ds, text, o, NULL);
}

/* Goes on to the end of the run and compares; frees m. */
static void finish(const struct run *r, perc_model *m)
{
    char text[64];
    perc_report report;

    snprintf(text, sizeof text, "updates=0 epochs=%s", perc_model_option(r->whole, "epochs"));
    perc_model *end = t_resume(r->ds, m, text, NULL, &report);
    t_assert_same_machine(r->whole, end); /* first: its messages say more */
    t_assert_bytes(&r->bytes, end);
    assert_int_equal(report.stop, r->report.stop);
    assert_int_equal(report.epochs, r->report.epochs);
    assert_int_equal(report.examples, r->report.examples);
    assert_int_equal(report.mistakes, r->report.mistakes);
    assert_int_equal(report.training_errors, r->report.training_errors);
    assert_true(t_same_bits(report.loss, r->report.loss));
    t_free(end, m);
}

/* ----- cut by a limit ------------------------------------------------------------------- */

TEST(a_run_goes_on_after_any_pass)
{
    for (int k = 0; k < RUNS; k++) {
        struct run r = run_new(k, false);
        for (int pass = 0; pass <= EPOCHS; pass++) {
            char limit[32];
            snprintf(limit, sizeof limit, "epochs=%d", pass);
            finish(&r, begin(&r, limit, NULL));
            finish(&r, t_through_file(begin(&r, limit, NULL)));
        }
        run_free(&r);
    }
}

/* In the middle of a pass: after each update of the run. */
TEST(a_run_goes_on_after_any_update)
{
    for (int k = 0; k < RUNS; k++) {
        struct run r = run_new(k, false);
        for (int64_t n = 1; n < r.report.updates; n++) {
            char limit[64];
            snprintf(limit, sizeof limit, "epochs=%d updates=%d", EPOCHS, (int)n);
            perc_model *m = begin(&r, limit, NULL);
            perc_model_info info;
            perc_model_info_get(m, &info);
            assert_int_equal(info.stop, PERC_STOP_UPDATES);
            assert_int_equal(info.updates, n);
            finish(&r, n % 3 ? m : t_through_file(m));
        }
        run_free(&r);
    }
}

/* Cut again and again: one more update each time, from the start to the end. */
TEST(a_run_may_be_cut_as_often_as_it_has_updates)
{
    for (int k = 0; k < RUNS; k++) {
        struct run r = run_new(k, false);
        perc_model *m = begin(&r, "epochs=5 updates=1", NULL);
        for (int64_t n = 2; n <= r.report.updates; n++) {
            char limit[64];
            snprintf(limit, sizeof limit, "updates=%d", (int)n);
            perc_model *next = t_resume(r.ds, m, limit, NULL, NULL);
            perc_model_free(m);
            m = next;
        }
        finish(&r, m);
        run_free(&r);
    }
}

/* ----- cut by an observer --------------------------------------------------------------- */

/* After every example, and after every pass: EPOCHS * (ROWS + 1) events. */
TEST(a_run_goes_on_after_any_event)
{
    for (int k = 0; k < RUNS; k++) {
        struct run r = run_new(k, false);
        for (int64_t at = 1; at <= EPOCHS * (ROWS + 1); at += k < 2 ? 1 : 5) {
            struct t_cut c = { at, 0 };
            const perc_observer o = { PERC_WATCH_WEIGHTS, t_cut_at, &c };
            perc_model *m = begin(&r, "epochs=5", &o);
            perc_model_info info;
            perc_model_info_get(m, &info);
            assert_int_equal(info.stop, PERC_STOP_CANCELLED);
            finish(&r, at % 7 ? m : t_through_file(m));
        }
        run_free(&r);
    }
}

/* A run that converges: also in its last pass, which has nothing to learn, and
 * after the last example of it, when only the verdict is missing. */
TEST(a_run_that_converges_goes_on_likewise)
{
    for (int k = 0; k < RUNS; k++) {
        struct run r = run_new(k, true);
        const int64_t events = r.report.epochs * (ROWS + 1);
        for (int64_t at = events - 2 * ROWS - 3; at <= events; at++) {
            struct t_cut c = { at, 0 };
            const perc_observer o = { PERC_WATCH_WEIGHTS, t_cut_at, &c };
            if (at < 1) continue;
            finish(&r, begin(&r, "epochs=1000", &o));
        }
        run_free(&r);
    }
}

TEST(a_finished_run_stays_as_it_is)
{
    for (int k = 0; k < 2; k++) {
        struct run r = run_new(1, k);
        perc_model *again = t_resume(r.ds, r.whole, "", NULL, NULL);
        t_assert_same_file(r.whole, again);
        perc_model_free(again);
        run_free(&r);
    }
}

/* ----- checkpoints ---------------------------------------------------------------------- */

/* The file that is there after each pass leads to the same end. */
TEST(a_run_goes_on_from_its_checkpoint)
{
    for (int every = 1; every <= 4; every++) {
        for (int64_t pass = every; pass <= EPOCHS; pass++) {
            struct run r = run_new(1, false);
            /* cut within pass + 1, when the checkpoint of an earlier pass is there */
            struct t_cut c = { pass * (ROWS + 1) + 5, 0 };
            const perc_observer o = { PERC_WATCH_WEIGHTS, t_cut_at, &c };
            char limit[64];
            perc_error err = { 0 };
            perc_model *saved;
            perc_model_info info;
            snprintf(limit, sizeof limit, "epochs=5 checkpoint=saved every=%d", every);
            perc_model_free(begin(&r, limit, &o));
            if (perc_model_read(NULL, "saved", &saved, &err)) fail_msg("%s", err.text);
            perc_model_info_get(saved, &info);
            assert_int_equal(info.epochs, pass / every * every);
            finish(&r, saved);
            remove("saved");
            run_free(&r);
        }
    }
}

/* Saving checkpoints, and where they go, is no part of what is learned. */
TEST(checkpoints_leave_no_trace_in_the_model)
{
    struct run r = run_new(1, false);
    perc_model *m = begin(&r, "epochs=5 checkpoint=saved every=2", NULL);

    t_assert_same_file(r.whole, m);
    perc_model_free(m);
    run_free(&r);
}

/* ----- what cannot go on ---------------------------------------------------------------- */

static void refused(const perc_dataset *ds, const perc_model *from, const char *options,
                    perc_status status, const char *part)
{
    perc_params *p = t_params("perceptron", options);
    perc_error err = { 0 };
    perc_report report = { .stop = PERC_STOP_CONVERGED, .epochs = 7, .rows = 7 };
    perc_model *m;

    assert_int_equal(perc_fit_resume(NULL, ds, from, p, NULL, &m, &report, &err), status);
    assert_null(m);
    assert_true(report.stop == PERC_STOP_NONE && report.epochs == 0 &&
                report.rows == 0); /* none was made */
    if (strstr(err.text, part) == NULL) fail_msg("'%s' is not in '%s'", part, err.text);
    perc_params_free(p);
}

TEST(other_data_are_refused)
{
    struct run r = run_new(1, false);
    perc_dataset *ds;

    r.d.rows--;
    ds = t_borrow(&r.d); /* a row less */
    refused(ds, r.whole, "", PERC_EDATA, "13 rows");
    perc_dataset_free(ds);
    r.d.rows++;
    struct t_data wide = t_noise(ROWS, COLS + 1, T_REAL, 1, 1);
    ds = t_borrow(&wide); /* a feature more */
    refused(ds, r.whole, "", PERC_EDATA, "4 features");
    t_free(ds, &wide);
    r.d.y[3] = 2; /* another label */
    ds = t_borrow(&r.d);
    refused(ds, r.whole, "", PERC_EDATA, "label 2");
    perc_dataset_free(ds);
    r.d.y[3] = 1;
    t_write(&r.d, "one.svm", 1, true, "-1", "1"); /* another base */
    ds = t_read("one.svm", "");
    refused(ds, r.whole, "", PERC_EDATA, "these data are different");
    perc_dataset_free(ds);
    run_free(&r);
}

/* What was made of the columns of the same rows is a part of the data, too. */
TEST(data_made_in_another_way_are_refused)
{
    static const struct {
        const char *path, *data;
        const char *then, *now; /* other data of the second run */
        const char *words;
    } list[] = {
        { "rows.svm", "map=poly:2", "rows.svm", "map=poly:3", "--map" },
        { "rows.svm", "map=poly:2", "rows.svm", "", "--map" },
        { "rows.svm", "", "fewer.svm", "", "these data are different" },
        { "gaps.csv", "missing=mean", "other.csv", "missing=mean", "filled in another way" },
        { "gaps.csv", "missing=mean", "gaps.csv", "missing=zero", "filled in another way" },
        { "rows.svm", "scale=standard", "moved.svm", "scale=standard", "filled in another way" },
    };

    assert_int_equal(t_put("rows.svm", "-1 1:1 2:2\n1 1:2 2:-1\n-1 1:3 2:1\n"), 0);
    assert_int_equal(t_put("moved.svm", "-1 1:1 2:2\n1 1:2 2:-1\n-1 1:3 2:4\n"), 0);
    assert_int_equal(t_put("fewer.svm", "-1 1:1\n1 1:2\n-1 1:3\n"), 0);
    assert_int_equal(t_put("gaps.csv", "a,b,label\n1,2,x\n?,3,y\n4,5,x\n"), 0);
    assert_int_equal(t_put("other.csv", "a,b,label\n1,2,x\n?,3,y\n9,5,x\n"), 0);
    for (size_t i = 0; i < COUNT(list); i++) {
        perc_dataset *a = t_read(list[i].path, list[i].data);
        perc_dataset *b = t_read(list[i].then, list[i].now);
        perc_model *half = t_fit(a, "epochs=2", NULL);
        refused(b, half, "epochs=4", PERC_EDATA, list[i].words);
        t_free(half, a, b);
    }
}

/* The same rows, scaled in another way or not at all, are other data. */
TEST(data_scaled_in_another_way_are_refused)
{
    static const char *const scale[] = { "scale=none",   "scale=standard", "scale=minmax",
                                         "scale=maxabs", "scale=unit",     "scale=by:2",
                                         "scale=by:4" };
    enum { SCALES = COUNT(scale) };
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 9);

    t_write(&d, "rows.svm", 1, true, "-1", "1");
    for (int k = 0; k < SCALES * SCALES; k++) {
        perc_dataset *a = t_read("rows.svm", scale[k / SCALES]);
        perc_dataset *b = t_read("rows.svm", scale[k % SCALES]);
        perc_model *half = t_fit(a, "epochs=2", NULL), *whole = t_fit(a, "epochs=4", NULL);
        if (k / SCALES == k % SCALES) {
            perc_model *end = t_resume(b, half, "epochs=4", NULL, NULL);
            t_assert_same_file(whole, end);
            perc_model_free(end);
        } else {
            refused(b, half, "epochs=4", PERC_EDATA, "scaled");
        }
        t_free(half, whole, a, b);
    }
    t_data_free(&d);
}

/* A start with more features than the data have: they stay, and so does the run. */
TEST(a_run_that_began_from_a_wider_model_goes_on)
{
    struct t_data wide = t_noise(ROWS, COLS + 3, T_REAL, 1, 9);
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 8);
    perc_dataset *ws = t_borrow(&wide), *ds = t_borrow(&d);
    perc_model *start = t_fit(ws, "epochs=2", NULL);
    perc_error err = { 0 };

    if (perc_model_write(start, "start", &err)) fail_msg("%s", err.text);
    perc_model *whole = t_fit(ds, "init=start epochs=5", NULL);
    perc_model *half = t_fit(ds, "init=start epochs=2", NULL);
    perc_model *end = t_resume(ds, half, "epochs=5", NULL, NULL);
    t_assert_same_file(whole, end);
    t_free(start, whole, half, end, ws, ds);
    t_free(&wide, &d);
}

/* Only limits may change: anything else would be another run. */
TEST(other_options_are_refused)
{
    static const char *const other[] = { "seed=4",    "rate=2",       "order=file",
                                         "init=unit", "offset=false", "positive=1" };
    struct run r = run_new(1, false);

    for (size_t i = 0; i < COUNT(other); i++)
        refused(r.ds, r.whole, other[i], PERC_EARG, "keeps it");
    refused(r.ds, r.whole, "algorithm=pa1 aggressiveness=3", PERC_EARG, "no option");
    perc_model *as_it_is;
    assert_int_equal(perc_fit_resume(NULL, r.ds, r.whole, NULL, NULL, &as_it_is, NULL, NULL),
                     PERC_OK);
    t_assert_same_file(r.whole, as_it_is);
    perc_model_free(as_it_is);
    perc_model *same = t_resume(r.ds, r.whole, "seed=5 order=shuffle", NULL, NULL);
    t_assert_same_file(r.whole, same); /* naming what it has is fine */
    perc_model_free(same);
    run_free(&r);
}
