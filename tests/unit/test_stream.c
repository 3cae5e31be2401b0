/* test_stream.c -- training from a file that is never held: the bytes of the run in
 * memory, in file order.
 *
 * Which label is +1, how many features and rows there are, and from where indices
 * count is known only at the end of a stream. The model must show no trace of
 * that. What cannot be done without a first pass is refused, with a remedy. */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t.h"
#include "t_dir.h"
#include "t_make.h"

/* Trains both ways and compares files and reports. */
static void same_as_in_memory(const char *path, const char *data, const char *options)
{
    char in_file_order[256];
    perc_report rs, rm;

    snprintf(in_file_order, sizeof in_file_order, "%s order=file", options);
    perc_dataset *ds = t_read(path, data);
    perc_model *memory = t_fit(ds, in_file_order, &rm);
    perc_model *stream = t_stream(path, data, options, &rs);
    t_assert_same_file(memory, stream);
    assert_int_equal(rs.stop, rm.stop);
    assert_int_equal(rs.epochs, rm.epochs);
    assert_int_equal(rs.rows, rm.rows);
    assert_int_equal(rs.training_errors, rm.training_errors);
    assert_true(rs.radius == rm.radius);
    assert_true(rs.norm == rm.norm);
    /* One sum over the rows in order there, one for each block here. */
    assert_true(fabs(rs.loss - rm.loss) <= 1e-12 * rm.loss);
    t_free(memory, stream, ds);
}

/* A file whose first row has the label +1, or -1. */
static struct t_data rows_beginning_with(double y, size_t rows, size_t cols, uint64_t seed)
{
    struct t_data d = t_noise(rows, cols, T_REAL, 0.5, seed);

    if (d.y[0] != y)
        for (size_t i = 0; i < rows; i++) d.y[i] = -d.y[i];
    return d;
}

static const char *const options[] = {
    "epochs=1",
    "epochs=2",
    "epochs=6",
    "epochs=0",
    "epochs=6 offset=false",
    "epochs=6 rate=0.1",
    "epochs=6 updates=3",   /* the limit is reached in the first pass */
    "epochs=6 updates=100", /* in a later one */
    "epochs=6 positive=yes",
    "epochs=6 positive=no",
    "epochs=1 positive=no updates=7",
};
enum { OPTIONS = COUNT(options) };

/* ----- the same bytes ------------------------------------------------------------------- */

TEST(a_stream_gives_the_bytes_of_memory_whichever_label_comes_first)
{
    for (int k = 0; k < 2 * OPTIONS; k++) {
        struct t_data d = rows_beginning_with(k % 2 ? 1 : -1, 90, 12, (uint64_t)k);
        t_write(&d, "rows", 1, false, "no", "yes");
        same_as_in_memory("rows", "format=libsvm", options[k / 2]);
        t_write(&d, "rows", 0, false, "no", "yes");
        same_as_in_memory("rows", "format=libsvm", options[k / 2]);
        t_weigh(&d, (uint64_t)k);
        t_write_csv(&d, "rows", "no", "yes");
        same_as_in_memory("rows", "format=csv weight=weight", options[k / 2]);
        t_data_free(&d);
    }
}

/* Numbers as labels, the larger first and last. */
TEST(numbers_as_labels_are_ordered_by_value)
{
    for (int k = 0; k < 2; k++) {
        struct t_data d = rows_beginning_with(k ? 1 : -1, 50, 4, 5);
        t_write(&d, "rows", 1, false, "9", "10");
        same_as_in_memory("rows", "", "epochs=3");
        t_data_free(&d);
    }
}

TEST(data_options_work_on_a_stream)
{
    static const char *const data[] = { "scale=unit",         "scale=by:3",
                                        "scale=by:0.1",       "index=0",
                                        "scale=unit index=0", "index=1",
                                        "scale=none",         "scale=unit float32=true" };

    for (size_t k = 0; k < 2 * COUNT(data); k++) {
        struct t_data d = rows_beginning_with(k % 2 ? 1 : -1, 90, 12, k);
        t_write(&d, "rows", 1, false, "-1", "+1");
        same_as_in_memory("rows", data[k / 2], "epochs=1");
        same_as_in_memory("rows", data[k / 2], "epochs=5");
        t_data_free(&d);
    }
}

/* Several megabytes: many blocks, whatever the number of threads. */
TEST(many_blocks_are_as_good_as_one)
{
    struct t_data d = rows_beginning_with(1, 4000, 80, 3);
    perc_params *data = t_params("data", ""), *p = t_params("perceptron", "epochs=2");
    perc_error err = { 0 };
    perc_model *first = NULL;

    t_write(&d, "rows", 1, true, "-1", "+1");
    same_as_in_memory("rows", "", "epochs=1");
    same_as_in_memory("rows", "scale=unit", "epochs=3 updates=2000");
    for (int threads = 1; threads <= 8; threads += threads == 1 ? 1 : threads == 2 ? 1 : 5) {
        const perc_env env = { NULL, NULL, threads };
        perc_report r;
        perc_model *m;
        if (perc_fit_stream(&env, "rows", data, p, NULL, &m, &r, &err)) fail_msg("%s", err.text);
        assert_true(r.bytes > 3 << 20); /* guard: more than three chunks */
        if (first == NULL) {
            first = m;
            continue;
        }
        t_assert_same_file(first, m);
        perc_model_free(m);
    }
    t_free(first, data, p, &d);
}

/* Features that are first met late in the file, even after training has stopped. */
TEST(features_may_appear_late)
{
    struct t_data d = t_noise(3000, 90, T_REAL, 1, 4);

    for (size_t i = 0; i < d.rows; i++) /* row i has the first i / 33 features */
        for (size_t j = i / 33; j < d.cols; j++) d.x[i * d.cols + j] = 0;
    t_write(&d, "rows", 1, false, "-1", "+1");
    same_as_in_memory("rows", "", "epochs=1");
    same_as_in_memory("rows", "", "epochs=3");
    same_as_in_memory("rows", "", "epochs=3 updates=10");
    t_data_free(&d);
}

TEST(a_stream_converges_as_memory_does)
{
    const double u[] = { 1, -1, 2 };

    for (uint64_t seed = 0; seed < 6; seed++) {
        struct t_data d = t_planted(60, 3, u, 0.5, 0.2, seed);
        perc_report r;
        t_write(&d, "rows", 1, false, "-1", "+1");
        perc_model_free(t_stream("rows", "", "epochs=100000", &r));
        assert_int_equal(r.stop, PERC_STOP_CONVERGED);
        assert_int_equal(r.training_errors, 0);
        same_as_in_memory("rows", "", "epochs=100000");
        t_data_free(&d);
    }
}

TEST(one_label_against_the_rest_works_on_a_stream)
{
    static const char *const label[] = { "b", "c", "a", "d" };
    struct t_data d = t_noise(80, 5, T_REAL, 1, 6);
    FILE *f = fopen("rows", "wb");

    assert_non_null(f);
    for (size_t i = 0; i < d.rows; i++)
        fprintf(f, "%s 1:%.17g 2:%.17g\n", label[i * 7 % 4], d.x[i * 5], d.x[i * 5 + 1]);
    fclose(f);
    for (int k = 0; k < 4; k++) {
        char text[64];
        snprintf(text, sizeof text, "epochs=4 positive=%s", label[k]);
        same_as_in_memory("rows", "format=libsvm", text);
    }
    t_data_free(&d);
}

/* A start from a model needs to know the sign beforehand. */
TEST(a_stream_can_start_from_a_model)
{
    for (int k = 0; k < 4; k++) {
        struct t_data d = rows_beginning_with(k % 2 ? 1 : -1, 60, 6, 7);
        perc_error err = { 0 };
        char text[96];
        d.x[5] = 1; /* the last feature is used */
        t_write(&d, "rows", 1, false, "no", "yes");
        perc_dataset *ds = t_read("rows", "format=libsvm");
        snprintf(text, sizeof text, "positive=%s", k / 2 ? "yes" : "no");
        perc_model *m = t_fit(ds, text, NULL);
        if (perc_model_write(m, "start", &err)) fail_msg("%s", err.text);
        strcat(text, " init=start epochs=3");
        same_as_in_memory("rows", "format=libsvm", text);
        t_free(m, ds, &d);
    }
}

/* What a stream left off, a run in memory can take up. */
TEST(a_streamed_model_goes_on_in_memory)
{
    struct t_data d = rows_beginning_with(1, 60, 6, 8);

    t_write(&d, "rows", 1, true, "-1", "+1");
    perc_dataset *ds = t_read("rows", "");
    perc_model *whole = t_fit(ds, "order=file epochs=5", NULL);
    static const char *const cut[] = { "epochs=1", "epochs=3", "epochs=5 updates=9",
                                       "epochs=5 updates=60" };
    for (int k = 0; k < 4; k++) {
        perc_model *m = t_stream("rows", "", cut[k], NULL);
        perc_model *end = t_resume(ds, m, "epochs=5 updates=0", NULL, NULL);
        t_assert_same_file(whole, end);
        t_free(m, end);
    }
    t_free(whole, ds, &d);
}

/* ----- a pipe --------------------------------------------------------------------------- */

/* One pass over what cannot be read twice; the training error stays unknown. */
TEST(one_pass_can_come_from_a_pipe)
{
    struct t_data d = rows_beginning_with(1, 60, 6, 9);
    static char text[1 << 16];

    t_write(&d, "rows", 1, true, "-1", "+1");
    perc_dataset *ds = t_read("rows", "");
    perc_model *memory = t_fit(ds, "order=file epochs=1", NULL);
    const long n = t_get("rows", text, sizeof text);
    assert_in_range(n, 1, sizeof text - 1);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *f = fopen("pipe", "wb");
        const int ok = f != NULL && fwrite(text, 1, (size_t)n, f) == (size_t)n && fclose(f) == 0;
        _exit(ok ? 0 : 1);
    }
    perc_report r;
    perc_model *m = t_stream("pipe", "", "epochs=1", &r);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    t_assert_same_file(memory, m);
    assert_true(isnan(r.training_error) && isnan(r.loss));
    t_free(m, memory, ds, &d);
}

/* ----- what a stream cannot do ---------------------------------------------------------- */

static void refused(const char *path, const char *data, const char *learner, perc_status status,
                    const char *part)
{
    perc_params *d = t_params("data", data), *p = t_params("perceptron", learner);
    perc_error err = { 0 };
    perc_model *m;

    assert_int_equal(perc_fit_stream(NULL, path, d, p, NULL, &m, NULL, &err), status);
    assert_null(m);
    if (strstr(err.text, part) == NULL) fail_msg("'%s' is not in '%s'", part, err.text);
    t_free(d, p);
}

TEST(labels_that_do_not_fit_are_an_error)
{
    assert_int_equal(t_put("three", "1 1:1\n2 1:2\n1 1:3\n3 1:4\n"), 0);
    refused("three", "", "updates=1", PERC_EDATA, "before a second label was met");
    refused("three", "", "positive=4", PERC_EDATA, "no row has the label '4'");
    assert_int_equal(t_put("one", "1 1:1\n+1 1:2\n1.0 1:3\n"), 0);
    refused("one", "", "epochs=1", PERC_EDATA, "all rows have the label '1'");
    refused("one", "", "positive=1", PERC_EDATA, "two classes");
    assert_int_equal(t_put("none", "1 1:1\n 1:2\n2 1:3\n"), 0);
    refused("none", "format=libsvm", "epochs=1", PERC_EDATA, "label");
    assert_int_equal(t_put("empty", "# nothing\n\n"), 0);
    refused("empty", "format=libsvm", "epochs=1", PERC_EDATA, "no rows");
}

TEST(what_needs_a_first_pass_is_refused)
{
    assert_int_equal(t_put("rows", "1 1:1\n2 1:2\n"), 0);
    refused("rows", "scale=standard", "", PERC_EARG, "needs a first pass");
    refused("rows", "scale=minmax", "", PERC_EARG, "needs a first pass");
    refused("rows", "scale=maxabs", "", PERC_EARG, "needs a first pass");
    refused("rows", "missing=mean", "", PERC_EARG, "needs a first pass");
    refused("rows", "map=poly:2", "", PERC_EARG, "--map needs --index");
    refused("rows", "map=cubic", "", PERC_EARG, "unknown map 'cubic'");
    refused("rows", "scale=logs", "", PERC_EARG, "logs");
    refused("rows", "", "positive=1 init=unit", PERC_EARG, "number of features");
    refused("rows", "", "classes=1,2 init=random", PERC_EARG, "number of features");
    refused("rows", "", "init=unit:1", PERC_EARG, "--classes");
    refused("rows", "", "positive=1 init=unit:1", PERC_EARG, "--index");
    refused("rows", "", "classes=all", PERC_EARG, "in memory");
    refused("rows", "", "order=shuffle", PERC_EARG, "file order");
    refused("rows", "", "init=model", PERC_EIO, "cannot open model");
    refused(":xor", "", "", PERC_EARG, "in memory already");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    refused("pipe", "", "epochs=2", PERC_EARG, "cannot be read twice");
}

/* As in memory, a start from a model that shares no label or no feature with the data is
 * refused. */
TEST(a_start_that_does_not_fit_is_refused)
{
    perc_error err = { 0 };

    assert_int_equal(t_put("rows", "1 1:1\n2 1:2\n"), 0);
    assert_int_equal(t_put("labels", "5 1:1\n6 1:2\n"), 0);
    assert_int_equal(t_put("base", "1 0:1\n2 0:2\n"), 0);
    perc_dataset *ds = t_read("rows", "");
    perc_model *m = t_fit(ds, "positive=2", NULL);
    if (perc_model_write(m, "start", &err)) fail_msg("%s", err.text);
    refused("labels", "", "positive=6 init=start epochs=1", PERC_EDATA, "neither 'rest' nor '6'");
    refused("labels", "", "init=start epochs=1", PERC_EDATA, "other classes");
    refused("base", "", "positive=2 init=start epochs=1", PERC_EDATA, "no feature");
    refused("rows", "scale=by:2", "positive=2 init=start epochs=1", PERC_EDATA, "--scale by:2");
    refused("rows", "map=poly:2 index=1", "positive=2 init=start", PERC_EDATA, "--map");
    t_free(m, ds);
}

/* ----- interrupted ---------------------------------------------------------------------- */

static perc_status cancelled(const char *path, int64_t at, perc_model **m, perc_report *r,
                             perc_error *err)
{
    perc_params *p = t_params("perceptron", "epochs=5");
    struct t_cut c = { at, 0 };
    const perc_observer o = { PERC_WATCH_WEIGHTS, t_cut_at, &c };
    const perc_status st = perc_fit_stream(NULL, path, NULL, p, &o, m, r, err);

    perc_params_free(p);
    return st;
}

/* Training ends at once, and the weights are those of that moment. */
TEST(a_stream_can_be_interrupted)
{
    struct t_data d = rows_beginning_with(1, 40, 5, 10);

    d.y[1] = -1; /* both labels at once, whatever comes later */
    t_write(&d, "rows", 1, true, "-1", "+1");
    perc_dataset *ds = t_read("rows", "");
    for (int64_t at = 2; at < 120; at += 13) {
        struct t_cut c = { at, 0 };
        const perc_observer o = { PERC_WATCH_WEIGHTS, t_cut_at, &c };
        perc_error err = { 0 };
        perc_report r;
        perc_model *m, *memory = t_fit_watched(ds, "order=file epochs=5", &o, NULL);
        if (cancelled("rows", at, &m, &r, &err)) fail_msg("%s", err.text);
        assert_int_equal(r.stop, PERC_STOP_CANCELLED);
        t_assert_same_machine(memory, m);
        t_free(m, memory);
    }
    t_free(ds, &d);
}

/* A child that writes rows to a pipe, more than is read at a time, and then is silent. */
static pid_t write_and_wait(const char *path, size_t rows)
{
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child > 0) return child;
    FILE *f = fopen(path, "wb");
    for (size_t i = 0; f != NULL && i < rows; i++) fputs("1 1:1 2:3\n-1 1:2 2:1\n", f);
    if (f != NULL) fflush(f);
    for (;;) pause();
}

struct silence {
    int64_t rows;  /* more than this are known */
    int64_t shown; /* by the last event */
};

/* Ends the run when nothing has been shown since the last event. */
static int until_silent(void *ud, const perc_event *e)
{
    struct silence *s = ud;
    const bool silent = e->examples == s->shown && e->examples >= s->rows;

    s->shown = e->examples;
    return silent;
}

/* What waits for rows that do not come hears of its observer and of the clock. Before there is a
 * row there is nothing to keep. */
TEST(a_silent_pipe_does_not_keep_a_stream_from_ending)
{
    static const struct {
        size_t rows;
        const char *options;
        perc_stop stop;
    } runs[] = { { 0, "epochs=1", PERC_STOP_CANCELLED },
                 { 80000, "epochs=1", PERC_STOP_CANCELLED },
                 { 80000, "epochs=1 updates=2", PERC_STOP_CANCELLED },
                 { 80000, "epochs=1 time-limit=0.3", PERC_STOP_TIME } };

    assert_int_equal(mkfifo("pipe", 0600), 0);
    for (size_t k = 0; k < 2 * COUNT(runs); k++) {
        const size_t i = k / 2;
        const perc_env env = { NULL, NULL, k % 2 == 0 ? 1 : 3 };
        const bool limited = runs[i].stop == PERC_STOP_TIME;
        struct silence s = { runs[i].rows > 0 && strstr(runs[i].options, "updates") == NULL, -1 };
        const perc_observer o = { PERC_WATCH_COUNTS, until_silent, &s };
        perc_params *p = t_params("perceptron", runs[i].options);
        perc_report r = { 0 };
        perc_error err = { 0 };
        perc_model *m;
        const pid_t child = write_and_wait("pipe", runs[i].rows);
        const perc_status st = perc_fit_stream(&env, "pipe", NULL, p, limited ? NULL : &o, &m, &r,
                                               &err);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        if (runs[i].rows == 0) {
            assert_refused(st, PERC_EUNDECIDED, &err, "stopped while");
            assert_null(m);
        } else if (st != PERC_EUNDECIDED || !limited) { /* a slow machine has read no row yet */
            if (st) fail_msg("%zu: %s", k, err.text);
            assert_int_equal(r.stop, runs[i].stop);
            assert_int_equal(err.status, PERC_OK);
            assert_true(r.rows > 0);
        }
        t_free(m, p);
    }
}

/* What was not read yet cannot do harm: a third label, wider rows. */
TEST(what_follows_an_interruption_does_no_harm)
{
    struct t_data d = rows_beginning_with(1, 1500, 90, 11); /* more than one block */
    perc_error err = { 0 };
    perc_report r;
    perc_model *m;

    d.y[1] = -1;
    t_write(&d, "rows", 1, true, "-1", "+1");
    FILE *f = fopen("rows", "ab");
    assert_non_null(f);
    for (int k = 0; k < 200; k++) fprintf(f, "%d 100:1 4000000:1\n", 10 + k);
    fclose(f);
    const perc_status st = cancelled("rows", 3, &m, &r, &err);
    assert_true(st == PERC_OK || st == PERC_EDATA);
    if (st == PERC_OK) assert_int_equal(r.stop, PERC_STOP_CANCELLED);
    t_free(m, &d);
}

/* ----- the file changes ----------------------------------------------------------------- */

static int write_again(void *ud, const perc_event *e)
{
    if (e->pass_ended && e->epoch == 1) assert_int_equal(t_put("rows", ud), 0);
    return 0;
}

/* Between two passes: another label, a wider row, a row without a label. */
TEST(a_file_that_changes_meanwhile_is_an_error)
{
    static char other[][40] = { "1 1:1\n2 1:2\n3 1:1\n", "1 1:1\n2 1:2 5000000:1\n",
                                "1 1:1\n 1:2\n2 1:1\n" };

    for (int k = 0; k < 3; k++) {
        perc_params *d = t_params("data", "format=libsvm"), *p = t_params("perceptron", "");
        const perc_observer o = { PERC_WATCH_COUNTS, write_again, other[k] };
        perc_error err = { 0 };
        perc_model *m;
        assert_int_equal(t_put("rows", "1 1:1\n2 1:2\n"), 0);
        assert_refused(perc_fit_stream(NULL, "rows", d, p, &o, &m, NULL, &err), PERC_EDATA, &err,
                       "changed");
        assert_null(m);
        t_free(d, p);
    }
}

/* ----- observers ------------------------------------------------------------------------ */

struct seen {
    size_t n;
    perc_event event[400];
    double last[400]; /* the last weight */
};

static int keep(void *ud, const perc_event *e)
{
    struct seen *s = ud;

    if (e->row < 0 && !e->pass_ended) return 0; /* those come with the clock */
    assert_true(s->n < 400);
    s->last[s->n] = e->w != NULL ? e->w[e->features - 1] : 0;
    s->event[s->n++] = *e; /* its w is not to be used any more */
    return 0;
}

static void assert_same_event(const perc_event *a, const perc_event *b)
{
    assert_int_equal(a->epoch, b->epoch);
    assert_int_equal(a->examples, b->examples);
    assert_int_equal(a->mistakes, b->mistakes);
    assert_int_equal(a->updates, b->updates);
    assert_int_equal(a->pass_mistakes, b->pass_mistakes);
    assert_int_equal(a->pass_ended, b->pass_ended);
    assert_int_equal(a->row, b->row);
    assert_int_equal(a->mistake, b->mistake);
    assert_int_equal(a->updated, b->updated);
    assert_int_equal(a->features, b->features);
    assert_true(t_same_bits(a->y, b->y));
    assert_true(t_same_bits(a->score, b->score));
}

/* With a known +1 a stream is watched as a run in memory is, row by row; without
 * it only the first pass may have the signs turned. */
TEST(observers_see_the_same_on_a_stream)
{
    static struct seen memory, stream;
    static const char *const how[] = { "order=file epochs=3 positive=yes",
                                       "order=file epochs=3 positive=no", "order=file epochs=3" };

    for (int k = 0; k < 6; k++) {
        struct t_data d = rows_beginning_with(1, 50, 6, 12);
        perc_params *data = t_params("data", "format=libsvm");
        perc_params *p = t_params("perceptron", how[k / 2]);
        const perc_observer om = { PERC_WATCH_WEIGHTS, keep, &memory };
        const perc_observer os = { PERC_WATCH_WEIGHTS, keep, &stream };
        const size_t from = k / 2 == 2 ? 51 : 0; /* 50 examples and the end of the pass */
        perc_error err = { 0 };
        perc_model *m;
        d.x[5] = d.x[0] = 1; /* the first row has all features: they are known at once */
        t_write(&d, "rows", k % 2, true, "no", "yes");
        memory.n = stream.n = 0;
        perc_dataset *ds = t_read("rows", "format=libsvm");
        perc_model_free(t_fit_watched(ds, how[k / 2], &om, NULL));
        if (perc_fit_stream(NULL, "rows", data, p, &os, &m, NULL, &err)) fail_msg("%s", err.text);
        assert_int_equal(memory.n, stream.n);
        assert_int_equal(memory.n, 3 * 51);
        for (size_t i = from; i < memory.n; i++) {
            assert_same_event(&memory.event[i], &stream.event[i]);
            assert_true(t_same_bits(memory.last[i], stream.last[i]));
        }
        t_free(m, ds, data, p, &d);
    }
}
