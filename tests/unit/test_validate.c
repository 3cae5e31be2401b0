/* test_validate.c -- training with an eye on held-out rows, against the plain way.
 *
 * The plain way trains anew for every number of passes, and measures each model with
 * perc_evaluate. From those errors it is decided here which pass is the best and where
 * the run has to end; the library must say the same, and its model must be the one of
 * that pass, byte for byte. */
#include <math.h>

#include "model/model.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

enum { EPOCHS = 14 };

/* ----- data ------------------------------------------------------------------------------ */

/* Rows labelled by the largest of `classes` of their columns, some labels drawn; read
 * from a file, so that they can be scaled and mapped. */
static perc_dataset *make(int classes, double noise, uint64_t seed, const char *data)
{
    struct t_data d = t_noise(90, 6, T_REAL, 1, seed);
    struct rng r = rng_seed(seed, 9);
    FILE *f = fopen("rows.csv", "w");

    assert_non_null(f);
    fputs("a,b,c,d,e,f,label\n", f);
    for (size_t i = 0; i < d.rows; i++) {
        int label = 0;
        for (int c = 1; c < classes; c++)
            if (d.x[i * 6 + (size_t)c] > d.x[i * 6 + (size_t)label]) label = c;
        if (rng_uniform(&r) < noise) label = (int)rng_below(&r, (uint64_t)classes);
        for (size_t j = 0; j < 6; j++) fprintf(f, "%.17g,", d.x[i * 6 + j]);
        fprintf(f, "%c\n", "pqrs"[label]);
    }
    fclose(f);
    t_data_free(&d);
    return t_read("rows.csv", data);
}

/* Learner options "algorithm=NAME name=value ...". */
static perc_params *learner(const char *options)
{
    char name[32] = "perceptron";
    int used = 0;

    sscanf(options, "algorithm=%31s%n", name, &used);
    return t_params(name, options + used);
}

static void set(perc_params *p, const char *name, int64_t value)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)value);
    assert_int_equal(perc_params_set(p, name, text, NULL), PERC_OK);
}

/* ----- the plain way --------------------------------------------------------------------- */

struct plain {
    int64_t passes; /* that a run of EPOCHS makes: it may converge */
    bool converges;
    uint64_t errors[EPOCHS + 1]; /* by pass, from 1 */
    uint64_t rows;
};

static perc_model *fit(const perc_dataset *ds, perc_params *p, int64_t epochs, perc_report *report)
{
    perc_model *m;
    perc_error err = { 0 };

    set(p, "epochs", epochs);
    if (perc_fit(NULL, ds, p, NULL, &m, report, &err)) fail_msg("%s", err.text);
    return m;
}

static struct plain plain(const perc_dataset *ds, const perc_dataset *held, perc_params *p)
{
    struct plain out = { 0 };
    perc_report report;
    perc_metrics metrics;

    for (int64_t e = 1; e <= EPOCHS && !out.converges; e++) {
        perc_model *m = fit(ds, p, e, &report);
        assert_int_equal(perc_evaluate(NULL, m, held, &metrics, NULL, NULL), PERC_OK);
        out.errors[e] = metrics.errors;
        out.rows = metrics.rows;
        out.passes = e;
        out.converges = report.stop == PERC_STOP_CONVERGED;
        perc_model_free(m);
    }
    return out;
}

/* Where a run with this patience ends, and which pass is the best by then. */
static int64_t decide(const struct plain *w, int64_t patience, int64_t *best, perc_stop *stop)
{
    *best = 1;
    *stop = w->converges ? PERC_STOP_CONVERGED : PERC_STOP_EPOCHS;
    for (int64_t e = 2; e <= w->passes; e++) {
        if (w->errors[e] < w->errors[*best]) *best = e;
        else if (patience > 0 && e - *best >= patience && !(w->converges && e == w->passes)) {
            *stop = PERC_STOP_HELD;
            return e;
        }
    }
    return w->passes;
}

/* ----- the comparison -------------------------------------------------------------------- */

struct seen {
    int64_t passes;
    double error[EPOCHS + 1];
    int64_t stop_at; /* cancels after this pass; 0: never */
};

static int notify(void *ud, const perc_event *e)
{
    struct seen *s = ud;

    if (!e->pass_ended) {
        assert_true(isnan(e->held_error));
        return 0;
    }
    s->passes++;
    assert_int_equal(e->epoch, s->passes);
    s->error[s->passes] = e->held_error;
    return s->passes == s->stop_at;
}

static perc_model *validated(const perc_dataset *ds, perc_params *p, const perc_dataset *held,
                             int64_t patience, struct seen *seen, perc_report *report)
{
    const perc_observer watch = { PERC_WATCH_COUNTS, notify, seen };
    perc_model *m;
    perc_error err = { 0 };

    if (perc_fit_validated(NULL, ds, p, held, patience, seen != NULL ? &watch : NULL, &m, report,
                           &err))
        fail_msg("%s", err.text);
    return m;
}

/* The model is that of "epochs" set to the best pass: all but why it stopped. */
static void is_that_of(const perc_dataset *ds, perc_params *p, perc_model *m, int64_t best)
{
    perc_model *want = fit(ds, p, best, NULL);

    want->learner.progress.stop = m->learner.progress.stop;
    t_assert_same_file(m, want);
    perc_model_free(want);
}

/* *stopped and *ties count the runs that ended so, and those with a later equal of the best. */
static void compare(const perc_dataset *ds, const perc_dataset *held, perc_params *p,
                    int64_t patience, const struct plain *w, int *stopped, int *ties)
{
    struct seen seen = { 0 };
    perc_report r;
    perc_stop stop;
    int64_t best;
    const int64_t end = decide(w, patience, &best, &stop);

    set(p, "epochs", EPOCHS);
    perc_model *m = validated(ds, p, held, patience, &seen, &r);
    assert_int_equal(r.stop, stop);
    assert_int_equal(r.epochs, end);
    assert_int_equal(seen.passes, end);
    assert_int_equal(r.held_epoch, best);
    assert_true(r.held_error == (double)w->errors[best] / (double)w->rows);
    for (int64_t e = 1; e <= end; e++) {
        assert_true(seen.error[e] == (double)w->errors[e] / (double)w->rows);
        *ties += e > best && w->errors[e] == w->errors[best];
    }
    *stopped += stop == PERC_STOP_HELD;
    assert_int_equal(m->learner.progress.stop, best < end ? PERC_STOP_HELD : stop);
    is_that_of(ds, p, m, best);
    perc_model_free(m);
}

/* ----- every learner --------------------------------------------------------------------- */

static const struct {
    const char *options, *data;
    int classes;
} setups[] = {
    { "algorithm=perceptron", "", 2 },
    { "algorithm=averaged", "", 2 },
    { "algorithm=averaged", "scale=standard map=poly:2", 2 },
    { "algorithm=averaged order=file", "scale=standard", 3 },
    { "algorithm=averaged multiclass=native rule=pa1", "map=poly:2", 4 },
    { "algorithm=pocket", "", 2 },
    { "algorithm=pocket", "", 3 },
    { "algorithm=pocket pocket=literal", "", 2 },
    { "algorithm=voted", "", 2 },
    { "algorithm=voted", "scale=minmax", 3 },
    { "algorithm=margin margin=2 class-weight=balanced", "", 2 },
    { "algorithm=pa", "", 3 },
    { "algorithm=pa2", "", 2 },
    { "algorithm=perceptron positive=r", "", 3 },
    { "algorithm=perceptron init=random multiclass=ovr", "", 2 },
};

TEST(the_best_pass_is_found_and_returned)
{
    int stopped = 0, ties = 0, last = 0;

    for (size_t i = 0; i < COUNT(setups); i++)
        for (uint64_t seed = 1; seed <= 2; seed++) {
            perc_dataset *ds = make(setups[i].classes, 0.15, seed, setups[i].data), *rest, *held;
            perc_params *p = learner(setups[i].options);
            assert_int_equal(perc_dataset_split(ds, 0.4, seed, &rest, &held, NULL), PERC_OK);
            const struct plain w = plain(rest, held, p);
            for (int64_t patience = 0; patience <= 4; patience++)
                compare(rest, held, p, patience, &w, &stopped, &ties);
            last += w.passes == EPOCHS;
            t_free(p, rest, held, ds);
        }
    assert_true(stopped > 40 && ties > 20 && last > 10); /* guard: all of it was met */
}

/* By every metric, against trainings of 1, 2, ... passes; a network's own choice is its loss. */
TEST(passes_are_compared_by_any_metric)
{
    static const char *const options[] = { "algorithm=perceptron", "algorithm=averaged",
                                           "algorithm=mlp layers=3" };
    const char *name, *metric;
    int later = 0, other = 0;

    for (size_t i = 0; i < 3 * 10; i++) {
        const bool network = i % 3 == 2;
        perc_dataset *ds = make(2, 0.2, 11 + i % 3, ""), *rest, *held;
        perc_params *p = learner(options[i % 3]);
        perc_report r;
        perc_model *m;
        double best = NAN;
        int64_t pass = 0, by_error = 0;
        uint64_t least = UINT64_MAX;

        metric = name = perc_metric_name(i / 3); /* NULL: what is chosen without one */
        if (metric == NULL) metric = network ? "log-loss" : "error";
        assert_int_equal(perc_dataset_split(ds, 0.4, i, &rest, &held, NULL), PERC_OK);
        for (int64_t e = 1; e <= EPOCHS; e++) {
            perc_metrics now;
            perc_model *want = fit(rest, p, e, NULL);
            assert_int_equal(perc_evaluate(NULL, want, held, &now, NULL, NULL), PERC_OK);
            const double value = perc_metric_value(&now, metric);
            if (e == 1 || perc_metric_better(metric, value, best)) best = value, pass = e;
            if (now.errors < least) least = now.errors, by_error = e;
            perc_model_free(want);
        }
        set(p, "epochs", EPOCHS);
        const perc_status st = perc_fit_by_metric(NULL, rest, p, held, name, 0, NULL, &m, &r, NULL);
        if (!network && (strcmp(metric, "log-loss") == 0 || strcmp(metric, "brier") == 0))
            assert_int_equal(st, PERC_EARG);
        else {
            assert_int_equal(st, PERC_OK);
            assert_string_equal(r.held_metric, metric);
            assert_int_equal(r.held_epoch, pass);
            assert_true(r.held_value == best || (isnan(best) && isnan(r.held_value)));
            is_that_of(rest, p, m, pass);
            later += pass > 1;
            other += pass != by_error;
        }
        t_free(m, p, rest, held, ds);
    }
    assert_true(later > 10 && other > 4); /* guard: it matters which metric it is */
}

/* One row in 25 is positive, and a network calls none of them so for many passes: its errors stand
 * still, its loss falls. */
TEST(rare_labels_do_not_end_a_network_at_its_first_pass)
{
    FILE *f = fopen("rare.csv", "w");
    struct rng g = rng_seed(5, 5);
    perc_dataset *rest, *held;
    perc_report loss, error;
    perc_metrics at_error, at_loss;
    perc_model *m;

    assert_non_null(f);
    fputs("a,b,c,label\n", f);
    for (int i = 0; i < 1500; i++)
        fprintf(f, "%.6f,%.6f,%.6f,%s\n", rng_normal(&g) + (i % 25 == 0 ? 2 : 0), rng_normal(&g),
                rng_normal(&g), i % 25 == 0 ? "yes" : "no");
    fclose(f);
    perc_dataset *ds = t_read("rare.csv", "");
    perc_params *p = learner("algorithm=mlp layers=4 epochs=40 rate=0.001");
    assert_int_equal(perc_dataset_split(ds, 0.3, 1, &rest, &held, NULL), PERC_OK);
    assert_int_equal(perc_fit_by_metric(NULL, rest, p, held, "error", 5, NULL, &m, &error, NULL),
                     PERC_OK);
    assert_int_equal(perc_evaluate(NULL, m, held, &at_error, NULL, NULL), PERC_OK);
    perc_model_free(m);
    m = validated(rest, p, held, 5, NULL, &loss);
    assert_int_equal(perc_evaluate(NULL, m, held, &at_loss, NULL, NULL), PERC_OK);
    assert_true(error.stop == PERC_STOP_HELD && error.epochs < 20 && loss.held_epoch > 30);
    assert_true(at_loss.log_loss < 0.8 * at_error.log_loss);
    assert_true(at_loss.average_precision > at_error.average_precision);
    t_free(m, p, rest, held, ds);
}

/* A set that is separable, held out and all: errors go to 0 and the run converges. */
TEST(a_run_may_converge)
{
    perc_dataset *ds = make(2, 0, 7, ""), *rest, *held;
    perc_params *p = learner("algorithm=perceptron");
    perc_report r, again;
    perc_metrics metrics;

    assert_int_equal(perc_dataset_split(ds, 0.4, 1, &rest, &held, NULL), PERC_OK);
    set(p, "epochs", 100000);
    perc_model *m = validated(rest, p, held, 0, NULL, &r);
    assert_int_equal(r.stop, PERC_STOP_CONVERGED);
    assert_true(r.epochs > r.held_epoch); /* guard: something to choose from */
    assert_int_equal(m->learner.progress.stop, PERC_STOP_HELD);
    assert_int_equal(perc_evaluate(NULL, m, held, &metrics, NULL, NULL), PERC_OK);
    assert_true(metrics.error == r.held_error);
    is_that_of(rest, p, m, r.held_epoch);
    perc_model_free(m);
    /* Patience that ends with the pass that converges: it says so. */
    set(p, "epochs", 100000);
    perc_model_free(validated(rest, p, held, r.epochs - r.held_epoch, NULL, &again));
    assert_int_equal(again.stop, PERC_STOP_CONVERGED);
    assert_int_equal(again.epochs, r.epochs);
    t_free(p, rest, held, ds);
}

static int knows_no_held_rows(void *ud, const perc_event *e)
{
    ++*(int *)ud;
    assert_true(isnan(e->held_error));
    return 0;
}

/* Only the end of a pass has an error on held-out rows, and only where there are some. */
TEST(other_events_have_no_held_error)
{
    perc_dataset *ds = make(2, 0.2, 5, "");
    perc_params *p = learner("algorithm=perceptron epochs=2");
    struct seen seen = { 0 };
    int events = 0;
    const perc_observer plain = { PERC_WATCH_UPDATES, knows_no_held_rows, &events };
    const perc_observer close = { PERC_WATCH_UPDATES, notify, &seen };
    perc_model *m;

    assert_int_equal(perc_fit(NULL, ds, p, &plain, &m, NULL, NULL), PERC_OK);
    assert_true(events > 4); /* guard: updates were seen */
    perc_model_free(m);
    assert_int_equal(perc_fit_validated(NULL, ds, p, ds, 0, &close, &m, NULL, NULL), PERC_OK);
    assert_int_equal(seen.passes, 2);
    t_free(m, p, ds);
}

/* A run that goes on from the best pass is the run that was never stopped. */
TEST(the_model_can_go_on)
{
    for (size_t i = 0; i < COUNT(setups); i++) {
        perc_dataset *ds = make(setups[i].classes, 0.15, 3, setups[i].data), *rest, *held;
        perc_params *p = learner(setups[i].options);
        assert_int_equal(perc_dataset_split(ds, 0.4, 3, &rest, &held, NULL), PERC_OK);
        set(p, "epochs", EPOCHS);
        perc_model *m = validated(rest, p, held, 2, NULL, NULL);
        perc_model *whole = fit(rest, p, EPOCHS, NULL), *again;
        assert_int_equal(perc_fit_resume(NULL, rest, m, p, NULL, &again, NULL, NULL), PERC_OK);
        t_assert_same_file(whole, again);
        t_free(m, whole, again, p);
        t_free(rest, held, ds);
    }
}

/* ----- ends in the middle ---------------------------------------------------------------- */

struct scene {
    perc_dataset *ds, *rest, *held;
    perc_params *p;
};

static struct scene scene_new(const char *options)
{
    struct scene s = { .ds = make(2, 0.2, 5, ""), .p = learner(options) };

    assert_int_equal(perc_dataset_split(s.ds, 0.4, 5, &s.rest, &s.held, NULL), PERC_OK);
    return s;
}

static void scene_free(struct scene *s)
{
    t_free(s->p, s->rest, s->held, s->ds);
}

/* No pass has ended: there is one state to return, and it is measured. */
TEST(without_a_whole_pass_the_last_state_counts)
{
    static const char *const how[] = { "algorithm=averaged updates=3", "algorithm=pocket updates=4",
                                       "algorithm=voted epochs=0", "algorithm=svm",
                                       "algorithm=svm epochs=1 gap=1e-15 solver=dual" };

    for (size_t i = 0; i < COUNT(how); i++) {
        struct scene s = scene_new(how[i]);
        perc_report r, want_r;
        perc_metrics metrics;
        perc_model *m = validated(s.rest, s.p, s.held, 1, NULL, &r), *want;
        assert_int_equal(perc_fit(NULL, s.rest, s.p, NULL, &want, &want_r, NULL), PERC_OK);
        t_assert_same_file(m, want);
        assert_int_equal(perc_evaluate(NULL, want, s.held, &metrics, NULL, NULL), PERC_OK);
        assert_true(r.held_error == metrics.error);
        assert_int_equal(r.stop, want_r.stop);
        /* A solver's steps are no passes, and it has gone to its end. */
        assert_int_equal(r.held_epoch, r.solver[0] != '\0' ? want_r.epochs : 0);
        assert_true(i >= 2 || want_r.epochs == 1); /* guard: the first pass was begun */
        assert_true(r.training_errors == want_r.training_errors && isnan(want_r.held_error));
        t_free(m, want);
        scene_free(&s);
    }
}

/* Cut after pass k: the best of the first k. */
TEST(a_cancelled_run_returns_the_best_so_far)
{
    struct scene s = scene_new("algorithm=averaged");
    const struct plain w = plain(s.rest, s.held, s.p);

    for (int64_t k = 1; k < w.passes; k++) {
        struct seen seen = { .stop_at = k };
        struct plain first = w;
        perc_report r;
        perc_stop stop;
        int64_t best;
        first.passes = k;
        decide(&first, 0, &best, &stop);
        set(s.p, "epochs", EPOCHS);
        perc_model *m = validated(s.rest, s.p, s.held, 0, &seen, &r);
        assert_int_equal(r.stop, PERC_STOP_CANCELLED);
        assert_int_equal(r.epochs, k);
        assert_int_equal(r.held_epoch, best);
        is_that_of(s.rest, s.p, m, best);
        perc_model_free(m);
    }
    scene_free(&s);
}

/* A checkpoint is the state of the run, not the best one: from it the run goes on. */
TEST(a_checkpoint_is_the_last_state)
{
    struct scene s = scene_new("algorithm=averaged checkpoint=saved");
    perc_report r;
    perc_model *saved, *again, *whole;

    set(s.p, "epochs", EPOCHS);
    perc_model_free(validated(s.rest, s.p, s.held, 2, NULL, &r));
    assert_int_equal(r.stop, PERC_STOP_HELD);
    assert_int_equal(perc_model_read(NULL, "saved", &saved, NULL), PERC_OK);
    assert_int_equal(saved->learner.progress.epoch, r.epochs);
    assert_int_equal(saved->learner.progress.stop, PERC_STOP_HELD);
    whole = fit(s.rest, s.p, EPOCHS, NULL);
    assert_int_equal(perc_fit_resume(NULL, s.rest, saved, s.p, NULL, &again, NULL, NULL), PERC_OK);
    t_assert_same_file(whole, again);
    t_free(saved, again, whole);
    scene_free(&s);
}

/* ----- held-out rows with other labels --------------------------------------------------- */

TEST(rows_of_unknown_labels_are_left_out)
{
    perc_dataset *ds = make(2, 0.2, 4, ""), *held, *none;
    perc_params *p = learner("algorithm=perceptron epochs=3");
    perc_report r;
    perc_metrics metrics;
    perc_error err = { 0 };
    perc_model *m;
    FILE *f = fopen("held.csv", "w");

    assert_non_null(f);
    fputs("a,b,c,d,e,f,label\n1,0,0,0,0,0,p\n0,1,0,0,0,0,q\n1,1,0,0,0,0,z\n1,0,0,0,0,0,q\n", f);
    fclose(f);
    f = fopen("none.csv", "w");
    assert_non_null(f);
    fputs("a,b,c,d,e,f,label\n1,0,0,0,0,0,y\n0,1,0,0,0,0,z\n", f);
    fclose(f);
    assert_int_equal(perc_dataset_read_like(NULL, ds, "held.csv", NULL, &held, NULL), PERC_OK);
    assert_int_equal(perc_dataset_read_like(NULL, ds, "none.csv", NULL, &none, NULL), PERC_OK);
    m = validated(ds, p, held, 0, NULL, &r);
    assert_int_equal(perc_evaluate(NULL, m, held, &metrics, NULL, NULL), PERC_OK);
    assert_int_equal(metrics.rows, 3);
    assert_true(metrics.errors > 0); /* one row has both labels */
    assert_true(r.held_error == metrics.error);
    perc_model_free(m);
    assert_int_equal(perc_fit_validated(NULL, ds, p, none, 0, NULL, &m, NULL, &err), PERC_EDATA);
    assert_null(m);
    assert_non_null(strstr(err.text, "no held-out row"));
    assert_int_equal(perc_fit_validated(NULL, ds, p, held, -1, NULL, &m, NULL, &err), PERC_EARG);
    assert_null(m);
    t_free(p, ds, held, none);
}

/* A row of the held-out file that has no score must not pass for one of the training file. */
TEST(a_bad_held_out_row_is_named_as_such)
{
    perc_dataset *ds = make(2, 0.2, 4, ""), *held;
    perc_params *p = learner("algorithm=perceptron epochs=3 kernel=poly");
    perc_params *linear = learner("algorithm=perceptron epochs=3 rate=100");
    const double part[] = { 1 };
    double rows[1];
    perc_metrics a[1], b[1];
    perc_error err = { 0 };
    perc_model *m;
    FILE *f = fopen("held.csv", "w");

    assert_non_null(f);
    fputs("a,b,c,d,e,f,label\n1,0,0,0,0,0,p\n0,1,0,0,0,0,q\n", f);
    fputs("1.7e308,1.7e308,1.7e308,1.7e308,1,1,p\n", f);
    fclose(f);
    assert_int_equal(perc_dataset_read_like(NULL, ds, "held.csv", NULL, &held, NULL), PERC_OK);
    assert_int_equal(perc_fit_validated(NULL, ds, p, held, 0, NULL, &m, NULL, &err), PERC_EDATA);
    assert_null(m);
    assert_int_equal(err.line, 0);
    assert_non_null(strstr(err.text, "held-out data, line 4: "));
    for (int k = 0; k < 2; k++) {
        err = (perc_error){ 0 };
        assert_int_equal(
            perc_learning_curve(NULL, ds, k ? p : linear, held, 0, part, 1, NULL, rows, a, b, &err),
            PERC_EDATA);
        assert_int_equal(err.line, 0);
        assert_non_null(strstr(err.text, "held-out data, line 4: "));
    }
    t_free(p, linear, ds, held);
}

/* ----- reading like another set ---------------------------------------------------------- */

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void same_rows(const perc_dataset *a, const perc_dataset *b)
{
    perc_dataset_info x, y;

    perc_dataset_info_get(a, &x);
    perc_dataset_info_get(b, &y);
    assert_int_equal(x.rows, y.rows);
    assert_int_equal(x.features, y.features);
    assert_int_equal(x.index_base, y.index_base);
    assert_int_equal(x.unknown, y.unknown);
    assert_int_equal(x.labels, y.labels);
    assert_int_equal(x.dropped, y.dropped);
    double *p = malloc((x.features + 1) * sizeof *p), *q = malloc((x.features + 1) * sizeof *q);
    for (uint64_t i = 0; i < x.rows; i++) {
        perc_dataset_row(a, i, p);
        perc_dataset_row(b, i, q);
        assert_memory_equal(p, q, x.features * sizeof *p);
        assert_int_equal(perc_dataset_row_label(a, i), perc_dataset_row_label(b, i));
        assert_true(perc_dataset_row_weight(a, i) == perc_dataset_row_weight(b, i));
    }
    free(p);
    free(q);
}

TEST(reading_like_a_set_is_reading_for_its_model)
{
    static const struct {
        const char *path, *other, *data;
    } cases[] = {
        { "a.svm", "b.svm", "" },
        { "a.svm", "b.svm", "scale=standard" },
        { "a.svm", "b.svm", "scale=maxabs map=poly:2" },
        { "a.svm", "b.svm", "hash=4" },
        { "a.svm", "b.svm", "index=0" },
        { "zero.svm", "b.svm", "" },
        { "a.csv", "b.csv", "missing=mean" },
        { "a.csv", "b.csv", "missing=mean scale=minmax" },
        { "a.csv", "b.csv", "missing=drop" },
        { "a.csv", "b.csv", "missing=zero hash=3 text=word" },
    };

    write_text("a.svm", "1 1:2 3:4\n-1 1:3 2:1\n1 2:5 3:1\n-1 1:1\n");
    write_text("zero.svm", "1 0:2 3:4\n-1 1:3 2:1\n");
    write_text("b.svm", "1 1:7 5:4\n2 2:1\n-1 3:2\n");
    write_text("a.csv", "x,word,y,label\n1,red,2,yes\n3,blue,,no\n4,red,1,yes\n2,green,5,no\n");
    write_text("b.csv", "x,word,y,label\n,red,2,yes\n3,pink,8,maybe\n5,green,1,no\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_params *data = t_params("data", cases[i].data);
        perc_dataset *ds = t_read(cases[i].path, cases[i].data), *like, *for_model;
        perc_model *m = t_fit(ds, "epochs=2", NULL);
        perc_error err = { 0 };
        if (perc_dataset_read_like(NULL, ds, cases[i].other, data, &like, &err))
            fail_msg("%s: %s", cases[i].data, err.text);
        if (perc_dataset_read_for(NULL, m, cases[i].other, data, &for_model, &err))
            fail_msg("%s: %s", cases[i].data, err.text);
        same_rows(like, for_model);
        t_free(like, for_model, m, ds, data);
    }
}

TEST(reading_like_a_set_refuses_another_scale)
{
    write_text("a.svm", "1 1:2 3:4\n-1 1:3 2:1\n");
    perc_dataset *ds = t_read("a.svm", "scale=standard"), *out;
    perc_params *data = t_params("data", "scale=minmax");
    perc_error err = { 0 };

    assert_int_equal(perc_dataset_read_like(NULL, ds, "a.svm", data, &out, &err), PERC_EARG);
    assert_null(out);
    assert_int_equal(perc_dataset_read_like(NULL, ds, "nothing", NULL, &out, &err), PERC_EIO);
    assert_null(out);
    t_free(ds, data);
}

/* ----- memory ---------------------------------------------------------------------------- */

TEST(every_allocation_may_fail)
{
    static const char *const how[] = { "algorithm=averaged epochs=4", "algorithm=pocket epochs=3",
                                       "algorithm=voted epochs=3", "algorithm=svm" };

    for (size_t i = 0; i < COUNT(how); i++) {
        struct scene s = scene_new(how[i]);
        for (struct t_sweep w = { .least = 30 }; t_sweep_next(&w);) {
            perc_error err = { 0 };
            perc_report r;
            perc_model *m;
            const perc_status st = perc_fit_validated(&w.env, s.rest, s.p, s.held, 2, NULL, &m, &r,
                                                      &err);
            assert_int_equal(err.status, st);
            assert_true((m == NULL) == (st != PERC_OK));
            perc_model_free(m);
            t_sweep_judge(&w, st);
        }
        scene_free(&s);
    }
}
