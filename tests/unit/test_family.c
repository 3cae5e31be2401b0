/* test_family.c -- what every learner of the family promises, for each of them.
 *
 * Every rule, with every way of keeping weights, for two classes and for more: rows
 * one by one, a pass in memory and a stream give the same model; dense and sparse
 * copies do; stopping anywhere and going on does; a model comes back from its file as
 * it was; any number of threads gives the same bytes. One class against the rest is
 * as many runs of two classes; native on two classes is the binary machine, twice. */
#include <math.h>

#include "t.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

static const char *const online[] = {
    "algorithm=perceptron",
    "algorithm=perceptron schedule=1/t offset=false",
    "algorithm=perceptron schedule=1/sqrt rate=3",
    "algorithm=averaged",
    "algorithm=averaged rule=pa1 aggressiveness=0.1",
    "algorithm=averaged offset=false class-weight=1=2,0=0.5 rate=0.1",
    "algorithm=voted",
    "algorithm=voted rule=margin margin=0.5 offset=false",
    "algorithm=margin rate=0.7",
    "algorithm=margin margin=3 schedule=1/sqrt",
    "algorithm=pa",
    "algorithm=pa1 aggressiveness=0.01 class-weight=1=3",
    "algorithm=pa2 offset=false",
};
enum { ONLINE = COUNT(online) };

static const char *const batch[] = {
    "algorithm=pocket",
    "algorithm=pocket pocket=literal",
    "algorithm=pocket rule=pa1 class-weight=1=2",
};
enum { BATCH = COUNT(batch), MOST = ONLINE + BATCH + 32 };

/* Those, and every learner of rules that none of them is about; first all that are online. */
static struct {
    const char *line[MOST];
    char text[MOST][64];
    int online, all;
} family;

static bool is_about(const char *line, const char *learner)
{
    const size_t n = strlen(learner);

    return strncmp(line + strlen("algorithm="), learner, n) == 0 &&
           strchr(" ", line[strlen("algorithm=") + n]) != NULL;
}

/* Adds the lines, then the learners that none is about. */
static int add_lines(const char *const *line, int lines, bool row_by_row, int n)
{
    const char *name;

    for (int i = 0; i < lines; i++) family.line[n + i] = line[i];
    const int first = n;
    n += lines;
    for (size_t i = 0; (name = perc_table_name("learner", i, NULL)) != NULL; i++) {
        const perc_about *about = perc_table_about(name);
        bool known = (about->online != 0) != row_by_row ||
                     (strcmp(about->family, "rule") != 0 && strcmp(about->family, "keeper") != 0);

        for (int k = first; k < n; k++) known = known || is_about(family.line[k], name);
        if (known) continue;
        assert_true(n < MOST);
        snprintf(family.text[n], sizeof family.text[n], "algorithm=%s", name);
        family.line[n] = family.text[n];
        n++;
    }
    return n;
}

static void gather(void)
{
    family.online = add_lines(online, ONLINE, true, 0);
    family.all = add_lines(batch, BATCH, false, family.online);
}

static const struct {
    const char *options;
    int classes;
} kind[] = {
    { "", 2 },
    { "multiclass=native", 2 },
    { "multiclass=ovr", 2 },
    { "", 4 },
    { "multiclass=ovr", 5 },
    { "positive=1", 3 },
    /* In memory a native machine has all its classes from the first row on, unless it is told not
     * to; rows that come one by one do so if the classes are named. */
    { "multiclass=native classes=seen", 4 },
    { "multiclass=native classes=3,1,0,2", 4 },
};
enum { KINDS = COUNT(kind) };

/* Line k % family.all as kind k / family.all, and more options. */
static const char *options(int k, const char *more)
{
    static char text[256];
    const int a = k % family.all;

    snprintf(text, sizeof text, "%s %s %s", family.line[a], kind[k / family.all].options, more);
    return text;
}

/* Noise with labels 0, 1, ... in an order that is not theirs; some rows of weight 0. */
static struct t_data noise(int k, size_t rows, size_t cols, enum t_kind numbers, double density)
{
    struct rng r = rng_seed((uint64_t)k, 77);
    struct t_data d = t_noise(rows, cols, numbers, density, (uint64_t)k);

    const int classes = kind[k / family.all].classes;

    for (size_t i = 0; i < rows; i++) d.y[i] = (double)rng_below(&r, (uint64_t)classes);
    for (int c = 0; c < classes; c++) d.y[2 * c + 1] = classes - 1 - c;
    if (k % 3 == 0) {
        t_weigh(&d, (uint64_t)k);
        d.weight[4] = d.weight[7] = 0;
    }
    d.x[cols - 1] = 1; /* the last feature is met in the first row */
    return d;
}

static bool is_batch(int k)
{
    return k % family.all >= family.online;
}

/* ----- one by one, in memory, from a stream ------------------------------------------ */

static perc_model *taught(const struct t_data *d, const char *how)
{
    perc_model *m = t_taught(d, how);
    perc_error err = { 0 };

    if (perc_model_refresh(m, &err)) fail_msg("%s", err.text);
    return m;
}

TEST(learning_row_by_row_is_one_pass_in_file_order)
{
    gather();
    for (int k = 0; k < family.all * KINDS; k++) {
        if (is_batch(k)) continue;
        struct t_data d = noise(k, 60, 9, T_REAL, 0.6);
        perc_dataset *ds = t_borrow(&d);
        perc_model *m = taught(&d, options(k, "order=file epochs=1"));
        perc_model *whole = t_fit(ds, options(k, "order=file epochs=1"), NULL);
        perc_model_info info;
        perc_model_info_get(whole, &info);
        assert_true(info.updates > 5); /* guard */
        t_assert_same_machine(m, whole);
        t_assert_same_scores(m, whole, ds);
        t_free(m, whole, ds, &d);
    }
}

/* A score between two examples is that of the model if it were settled now. */
TEST(a_score_does_not_wait_for_settling)
{
    gather();
    struct t_data d = noise(3 * family.all, 40, 6, T_REAL, 1);
    perc_model *m = taught(&d, "algorithm=averaged");
    const perc_example x = { NULL, d.x, d.cols };
    double before[4], after[4];
    perc_error err = { 0 };

    assert_int_equal(perc_learn(m, &x, "2", 1, NULL, &err), PERC_OK);
    assert_int_equal(perc_score(m, &x, before, &err), PERC_OK);
    assert_int_equal(perc_model_refresh(m, &err), PERC_OK);
    assert_int_equal(perc_score(m, &x, after, &err), PERC_OK);
    assert_memory_equal(before, after, sizeof before);
    t_free(m, &d);
}

TEST(a_stream_is_a_run_in_file_order)
{
    gather();
    for (int k = 0; k < 2 * family.all * KINDS; k++) {
        const char *more = k % 2 ? "order=file epochs=3" : "order=file updates=40";
        if (is_batch(k / 2)) continue;
        struct t_data d = noise(k / 2, 60, 7, T_REAL, 0.5);
        free(d.weight); /* LIBSVM text has no place for them */
        d.weight = NULL;
        perc_dataset *made = t_borrow(&d);
        perc_error err = { 0 };
        perc_report a, b;
        if (perc_dataset_write(made, "rows.svm", "libsvm", &err)) fail_msg("%s", err.text);
        perc_dataset *ds = t_read("rows.svm", "format=libsvm");
        perc_model *memory = t_fit(ds, options(k / 2, more), &a);
        perc_model *stream = t_stream("rows.svm", "format=libsvm", options(k / 2, more), &b);
        t_assert_same_machine(memory, stream);
        t_assert_same_file(memory, stream);
        assert_int_equal(a.training_errors, b.training_errors);
        assert_true(t_same_bits(a.last_error, b.last_error) || isnan(a.last_error));
        t_free(memory, stream, ds, made, &d);
    }
}

/* ----- forms of the same data ---------------------------------------------------------- */

TEST(dense_and_sparse_copies_give_the_same_bytes)
{
    gather();
    for (int k = 0; k < family.all * KINDS; k++) {
        struct t_data d = noise(k, 50, 8, T_REAL, 0.4);
        struct t_csr c = t_csr_new(&d);
        perc_dataset *dense = t_borrow(&d), *sparse = t_borrow_csr(&d, &c, PERC_I32, PERC_I64);
        perc_model *a = t_fit(dense, options(k, "epochs=4"), NULL);
        perc_model *b = t_fit(sparse, options(k, "epochs=4"), NULL);
        t_assert_same_file(a, b);
        t_assert_same_scores(a, b, sparse);
        t_free(a, b, dense, sparse, &c, &d);
    }
}

/* An example of weight 0, or whose label weighs 0, might as well not be there. */
TEST(rows_of_weight_0_count_for_nothing)
{
    gather();
    for (int k = 0; k < family.all * KINDS; k++) {
        struct t_data d = noise(k, 40, 5, T_REAL, 1);
        const size_t drop[] = { 20, 30 };
        struct t_data less = t_data_new(d.rows - 2, d.cols);
        if (d.weight == NULL) t_weigh(&d, 1);
        less.weight = malloc(less.rows * sizeof *less.weight);
        for (size_t i = 0, n = 0; i < d.rows; i++) {
            if (i == drop[0] || i == drop[1]) {
                d.weight[i] = 0;
                continue;
            }
            memcpy(less.x + n * d.cols, d.x + i * d.cols, d.cols * sizeof *d.x);
            less.y[n] = d.y[i];
            less.weight[n++] = d.weight[i];
        }
        perc_dataset *all = t_borrow(&d), *few = t_borrow(&less);
        perc_report ra, rb;
        perc_model *a = t_fit(all, options(k, "order=file epochs=3"), &ra);
        perc_model *b = t_fit(few, options(k, "order=file epochs=3"), &rb);
        perc_model_info ia, ib;
        perc_model_info_get(a, &ia);
        perc_model_info_get(b, &ib);
        assert_int_equal(ia.mistakes, ib.mistakes);
        assert_int_equal(ia.updates, ib.updates);
        assert_int_equal(ra.training_errors, rb.training_errors);
        t_assert_same_scores(a, b, few);
        t_free(a, b, all, few, &d, &less);
    }
}

/* ----- stopping, saving, going on ---------------------------------------------------------- */

static int cancel_at(void *ud, const perc_event *e)
{
    return e->examples >= *(const int64_t *)ud;
}

/* Cut after any number of examples, through a file or not: the bytes of one run. */
TEST(stopping_anywhere_and_going_on_is_one_run)
{
    gather();
    for (int k = 0; k < family.all * KINDS; k++) {
        struct t_data d = noise(k, 14, 4, k % 2 ? T_REAL : T_WHOLE, 1);
        perc_dataset *ds = t_borrow(&d);
        perc_report whole_report;
        perc_model *whole = t_fit(ds, options(k, "epochs=3 seed=3"), &whole_report);
        struct t_bytes bytes = t_bytes_of(whole);
        for (int64_t at = k < family.all ? 1 : 9; /* two labels are met */ at < 3 * 14;
             at += 1 + k % 3) {
            const perc_observer o = { PERC_WATCH_WEIGHTS, cancel_at, &at };
            perc_report report;
            perc_error err = { 0 };
            perc_model *m = t_fit_watched(ds, options(k, "epochs=3 seed=3"), &o, NULL);
            if (at % 2) {
                perc_model *again;
                if (perc_model_write(m, "cut", &err)) fail_msg("%s", err.text);
                if (perc_model_read(NULL, "cut", &again, &err)) fail_msg("%s", err.text);
                t_assert_same_file(m, again);
                t_assert_same_scores(m, again, ds);
                perc_model_free(m);
                m = again;
            }
            perc_model *end = t_resume(ds, m, "", NULL, &report);
            t_assert_same_machine(whole, end);
            t_assert_bytes(&bytes, end);
            assert_int_equal(report.training_errors, whole_report.training_errors);
            assert_int_equal(report.found_updates, whole_report.found_updates);
            t_free(end, m);
        }
        free(bytes.p);
        t_free(whole, ds, &d);
    }
}

/* ----- threads --------------------------------------------------------------------------- */

static perc_model *fit_with(const char *path, const char *how, int threads, perc_report *report)
{
    perc_dataset *ds = t_read_on(threads, path, "");
    perc_model *m = t_fit_on(threads, ds, how, report);

    perc_dataset_free(ds);
    return m;
}

TEST(any_number_of_threads_gives_the_same_bytes)
{
    gather();
    static const int few[] = { 2, 3, 8 };

    for (int k = 0; k < family.all * KINDS; k++) {
        struct t_data d = noise(k, 300, 6, T_REAL, 1);
        free(d.weight);
        d.weight = NULL;
        perc_dataset *ds = t_borrow(&d);
        perc_error err = { 0 };
        perc_report one, other;
        if (perc_dataset_write(ds, "rows.svm", "libsvm", &err)) fail_msg("%s", err.text);
        perc_model *m = fit_with("rows.svm", options(k, "epochs=2"), 1, &one);
        for (int t = 0; t < 3; t++) {
            perc_model *n = fit_with("rows.svm", options(k, "epochs=2"), few[t], &other);
            t_assert_same_file(m, n);
            assert_int_equal(one.training_errors, other.training_errors);
            assert_true(t_same_bits(one.loss, other.loss));
            perc_model_free(n);
        }
        t_free(m, ds, &d);
    }
}

/* ----- several classes and two ---------------------------------------------------------------- */

TEST(one_against_the_rest_is_so_many_runs_of_two)
{
    gather();
    for (int a = 0; a < family.online; a++) {
        const int k = 4 * family.all + a; /* five classes */
        struct t_data d = noise(k, 60, 6, T_REAL, 1);
        perc_dataset *ds = t_borrow(&d);
        char how[256];
        snprintf(how, sizeof how, "%s multiclass=ovr epochs=3", family.line[a]);
        perc_model *all = t_fit(ds, how, NULL);
        int64_t updates = 0;
        for (size_t c = 0; c < 5; c++) {
            perc_model_info info;
            snprintf(how, sizeof how, "%s positive=%d epochs=3", family.line[a], (int)c);
            perc_model *one = t_fit(ds, how, NULL);
            perc_model_info_get(one, &info);
            updates += info.updates;
            for (uint64_t j = 0; j < 6; j++)
                assert_true(
                    t_same_bits(perc_model_weight(all, j, c), perc_model_weight(one, j, 0)));
            assert_true(t_same_bits(perc_model_offset(all, c), perc_model_offset(one, 0)));
            size_t n, m;
            double *many = t_scores(all, ds, &n), *few = t_scores(one, ds, &m);
            assert_int_equal(n, 5 * m);
            for (size_t i = 0; i < m; i++) assert_true(t_same_bits(many[5 * i + c], few[i]));
            free(many);
            free(few);
            perc_model_free(one);
        }
        perc_model_info info;
        perc_model_info_get(all, &info);
        assert_int_equal(info.updates, updates);
        t_free(all, ds, &d);
    }
}

/* Of the rules whose step depends on half the gap alone: learner.h. */
TEST(native_on_two_classes_is_the_machine_and_its_mirror)
{
    for (int a = 0; a < ONLINE; a++) {
        struct t_data d = noise(a, 60, 6, T_REAL, 1);
        perc_dataset *ds = t_borrow(&d);
        char how[256];
        snprintf(how, sizeof how, "%s multiclass=native epochs=3", online[a]);
        perc_model *native = t_fit(ds, how, NULL);
        snprintf(how, sizeof how, "%s epochs=3", online[a]);
        perc_model *two = t_fit(ds, how, NULL);
        perc_model_info in, it;
        perc_model_info_get(native, &in);
        perc_model_info_get(two, &it);
        assert_int_equal(in.mistakes, it.mistakes);
        assert_int_equal(in.updates, it.updates);
        for (uint64_t j = 0; j < 6; j++) {
            const double w = perc_model_weight(two, j, 0);
            assert_true(perc_model_weight(native, j, 1) == w);
            assert_true(perc_model_weight(native, j, 0) == -w);
        }
        t_free(native, two, ds, &d);
    }
}

/* ----- the average, against its definition ------------------------------------------------ */

struct sums {
    double w[6], b; /* exact: whole numbers */
    int64_t n;
};

static int add_up(void *ud, const perc_event *e)
{
    struct sums *s = ud;

    if (e->row < 0) return 0;
    s->n++;
    for (uint64_t j = 0; j < e->features; j++) s->w[j] += e->w[j];
    s->b += e->b[0];
    return 0;
}

TEST(the_average_is_that_of_all_weights_on_the_way)
{
    gather();
    static const char *const how[] = { "epochs=5", "epochs=4 offset=false",
                                       "rule=margin margin=2 epochs=3" };

    for (int k = 0; k < 12; k++) {
        struct t_data d = noise(3 * family.all + 1 + k, 50, 6, T_WHOLE, 0.7); /* four classes */
        struct sums s = { 0 };
        const perc_observer o = { PERC_WATCH_WEIGHTS, add_up, &s };
        char text[128];
        free(d.weight);
        d.weight = NULL;
        perc_dataset *ds = t_borrow(&d);
        snprintf(text, sizeof text, "algorithm=averaged positive=%d %s", k % 4, how[k % 3]);
        perc_model *m = t_fit_watched(ds, text, &o, NULL);
        perc_model_info info;
        perc_model_info_get(m, &info);
        assert_int_equal(s.n, info.examples);
        assert_int_equal(info.outputs, 1); /* of more, the test above speaks */
        for (uint64_t j = 0; j < info.features; j++)
            assert_true(perc_model_weight(m, j, 0) == s.w[j] / (double)s.n);
        assert_true(perc_model_offset(m, 0) == s.b / (double)s.n);
        t_free(m, ds, &d);
    }
}
