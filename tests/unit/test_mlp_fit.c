/* test_mlp_fit.c -- networks in training: the same bytes by every way to them, runs that go on,
 * streams and lines, classes that appear, losses that are no numbers, and the shapes that no line
 * separates. */
#include "t_line.h"
#include "t_model.h"

#include <math.h>

static const char *const ways[] = {
    "layers=7 batch=5",
    "layers=9,4 activation=tanh batch=8 optimizer=momentum",
    "layers=6 activation=sigmoid batch=16 optimizer=sgd rate=0.5 l2=0.01",
    "layers=17,5,3 batch=1 l2=0.001",
    "layers=20 batch=7 dropout=0.3",
    "layers=8 batch=10 offset=false order=file",
    "layers=8 batch=6 init=glorot class-weight=a=2,b=0.5",
};

/* Of 100 entries `share` are not 0; the others are left out, or written as 0. */
static void write_rows(const char *path, int rows, int cols, unsigned labels, unsigned share,
                       bool zeros, unsigned seed)
{
    const struct centres all = { .rows = rows,
                                 .cols = cols,
                                 .base = 1,
                                 .labels = labels,
                                 .kept = share,
                                 .of = 100,
                                 .zeros = zeros };

    write_centres(path, &all, seed);
}

static perc_model *fit_on(int threads, const perc_dataset *ds, const char *options)
{
    char how[300];

    snprintf(how, sizeof how, "algorithm=mlp %s", options);
    return t_fit_on(threads, ds, how, NULL);
}

/* The error that training ends with; fails if it does not. */
static perc_error error_of(const perc_dataset *ds, const char *options, perc_status want)
{
    perc_params *p = t_params("mlp", options);
    perc_error err = { 0 };
    perc_model *m = NULL;
    const perc_status st = perc_fit(NULL, ds, p, NULL, &m, NULL, &err);

    if (st != want) fail_msg("%s: status %d, %s", options, (int)st, err.text);
    assert_null(m);
    perc_params_free(p);
    return err;
}

/* ----- the same bytes ----------------------------------------------------------------- */

TEST(threads_loops_and_zeros_change_nothing)
{
    char options[256];

    for (unsigned labels = 2; labels <= 4; labels += 2) {
        write_rows("sparse", 60, 11, labels, 40, false, 5);
        write_rows("zeros", 60, 11, labels, 40, true, 5);
        perc_dataset *sparse = t_read("sparse", ""), *zeros = t_read("zeros", "");
        for (size_t k = 0; k < COUNT(ways); k++) {
            snprintf(options, sizeof options, "%s epochs=3 seed=%zu", ways[k], k);
            perc_model *m = fit_on(1, sparse, options);
            const struct t_bytes want = t_bytes_of(m);
            perc_model_free(m);
            for (int threads = 2; threads <= 5; threads++) {
                m = fit_on(threads, threads % 2 ? zeros : sparse, options);
                t_assert_bytes(&want, m);
                perc_model_free(m);
            }
            snprintf(options, sizeof options, "%s epochs=3 seed=%zu loop=textbook", ways[k], k);
            m = fit_on(2, sparse, options);
            t_assert_bytes(&want, m);
            perc_model_free(m);
            free(want.p);
        }
        t_free(sparse, zeros);
    }
}

TEST(seeds_differ)
{
    write_rows("rows", 40, 5, 2, 100, false, 3);
    perc_dataset *ds = t_read("rows", "");
    perc_model *a = fit_on(1, ds, "layers=4 epochs=1 seed=1");
    perc_model *b = fit_on(1, ds, "layers=4 epochs=1 seed=2");

    assert_true(perc_model_layer_weight(a, 0, 0, 0) != perc_model_layer_weight(b, 0, 0, 0));
    t_free(a, b, ds);
}

/* Cut after every few steps, mostly in the middle of a pass, through the file. */
TEST(a_run_that_goes_on_is_one_run)
{
    char options[256];

    write_rows("rows", 50, 6, 3, 70, false, 11);
    perc_dataset *ds = t_read("rows", "");
    for (size_t k = 0; k < COUNT(ways); k++) {
        snprintf(options, sizeof options, "algorithm=mlp %s epochs=4 seed=%zu", ways[k], k);
        perc_model *whole = t_fit(ds, options, NULL);
        const struct t_bytes want = t_bytes_of(whole);
        const int64_t steps = whole->learner.progress.updates;
        assert_true(steps >= 16); /* guard */
        for (int64_t cut = 1; cut < steps; cut += 1 + steps / 7) {
            snprintf(options, sizeof options, "algorithm=mlp %s epochs=4 seed=%zu updates=%lld",
                     ways[k], k, (long long)cut);
            perc_model *part = t_fit(ds, options, NULL), *back = reload(part);
            assert_int_equal(part->learner.progress.stop, PERC_STOP_UPDATES);
            assert_int_equal(part->learner.progress.updates, cut);
            t_assert_same_file(part, back);
            perc_model *rest = t_resume(ds, back, "updates=0", NULL, NULL);
            t_assert_bytes(&want, rest);
            t_free(rest, back, part);
        }
        free(want.p);
        perc_model_free(whole);
    }
    perc_dataset_free(ds);
}

/* ----- streams and lines ----------------------------------------------------------------- */

/* One pass in file order, batches of one: what `learn` makes of the same rows. */
TEST(lines_are_batches_of_one)
{
    static const char *const online[] = { "layers=6", "layers=5,4 activation=tanh dropout=0.2",
                                          "layers=5 optimizer=momentum l2=0.01",
                                          "layers=5 optimizer=sgd" };
    char options[256];

    for (unsigned labels = 2; labels <= 3; labels++) {
        write_rows("rows", 40, 6, labels, 60, false, 21);
        perc_dataset *ds = t_read("rows", "index=1");
        for (size_t k = 0; k < COUNT(online); k++) {
            snprintf(options, sizeof options, "%s batch=1 order=file epochs=0", online[k]);
            perc_model *start = fit_on(2, ds, options);
            perc_model *pass = t_resume(ds, start, "epochs=1", NULL, NULL);
            perc_params *data = t_params("data", "index=1");
            perc_error err = { 0 };
            assert_int_equal(perc_learn_begin(start, data, &err), PERC_OK);
            const int64_t mistakes = show_file(start, "rows");
            if (strstr(online[k], "dropout") == NULL) /* else the step saw fewer neurons */
                assert_int_equal(mistakes, pass->learner.progress.mistakes);
            const struct layer *a = machine_mlp_of(pass->learner.machine)->net.layer,
                               *b = machine_mlp_of(start->learner.machine)->net.layer;
            for (size_t l = 0; l < machine_mlp_of(pass->learner.machine)->net.layers; l++)
                for (size_t j = 0; j < a[l].in; j++)
                    assert_memory_equal(a[l].w + j * a[l].stride, b[l].w + j * b[l].stride,
                                        a[l].out * sizeof(float));
            assert_int_equal(machine_mlp_of(start->learner.machine)->backprop->steps, 40);
            t_free(data, pass, start);
        }
        perc_dataset_free(ds);
    }
}

/* With --positive there are two classes from the start: memory and stream agree. */
TEST(streams_are_runs_in_file_order)
{
    write_rows("rows", 70, 9, 3, 50, false, 31);
    perc_dataset *ds = t_read("rows", "index=1");
    perc_model *m = fit_on(2, ds, "layers=6,3 batch=8 order=file epochs=3 positive=b inputs=9");
    perc_params *p = t_params("mlp", "layers=6,3 batch=8 epochs=3 positive=b inputs=9");
    perc_params *data = t_params("data", "index=1");
    perc_error err = { 0 };
    perc_report report;
    perc_model *s;

    if (perc_fit_stream(NULL, "rows", data, p, NULL, &s, &report, &err)) fail_msg("%s", err.text);
    t_assert_same_file(m, s);
    assert_true(report.training_error >= 0 && report.training_error < 1);
    t_free(p, s);
    p = t_params("mlp", "layers=6 epochs=1");
    assert_refused(perc_fit_stream(NULL, "rows", data, p, NULL, &s, NULL, &err), PERC_EARG, &err,
                   "--inputs");
    t_free(p, data, m, ds);
}

/* Labels that are met on the way: every class gets an output, and is learned. */
TEST(classes_appear)
{
    write_rows("rows", 300, 9, 3, 100, false, 41);
    perc_model *s = t_stream("rows", "index=1",
                             "algorithm=mlp layers=16 batch=8 epochs=30 inputs=9 rate=0.01", NULL);
    perc_dataset *ds = t_read("rows", "index=1");
    perc_metrics metrics;
    perc_error err = { 0 };

    assert_int_equal(mlp_outputs(&machine_mlp_of(s->learner.machine)->net), 3);
    assert_int_equal(mlp_outputs(&machine_mlp_of(s->learner.machine)->backprop->first), 3);
    if (perc_evaluate(NULL, s, ds, &metrics, NULL, &err)) fail_msg("%s", err.text);
    assert_true(metrics.accuracy > 0.9);
    t_free(ds, s);
}

/* ----- what can go wrong ------------------------------------------------------------------- */

TEST(losses_that_are_no_numbers_end_a_run)
{
    perc_report r;

    write_rows("rows", 40, 6, 2, 100, false, 51);
    perc_dataset *ds = t_read("rows", "");
    static const char at_once[] = "algorithm=mlp layers=8 optimizer=sgd rate=1000000 batch=4 l2=9";
    perc_model *m = t_fit(ds, at_once, &r), *start = fit_on(1, ds, "layers=8 epochs=0");
    assert_int_equal(r.stop, PERC_STOP_DIVERGED);
    assert_int_equal(r.epochs, 0); /* the model is the start */
    assert_int_equal(r.diverged_epoch, 1);
    assert_true(r.diverged_update > 1);
    for (uint64_t k = 0; k < 8; k++)
        assert_true(perc_model_layer_weight(m, 0, 0, k) == perc_model_layer_weight(start, 0, 0, k));
    t_free(start, m);
    /* on a stream there is no start */
    perc_params *p = t_params("mlp", "layers=8 optimizer=sgd rate=1000000 batch=4 l2=9 inputs=6");
    perc_error err = { 0 };
    assert_refused(perc_fit_stream(NULL, "rows", NULL, p, NULL, &m, &r, &err), PERC_EDATA, &err,
                   "step");
    assert_non_null(strstr(err.text, "--rate"));
    assert_non_null(strstr(err.text, "--scale"));
    perc_params_free(p);
    /* later: l2 alone multiplies the weights by -9 each step */
    m = t_fit(ds,
              "algorithm=mlp layers=8 optimizer=sgd rate=1 l2=10 batch=20 "
              "epochs=100",
              &r);
    assert_int_equal(r.stop, PERC_STOP_DIVERGED);
    assert_true(r.epochs >= 1 && r.diverged_epoch == r.epochs + 1);
    assert_int_equal((r.diverged_update - 1) / 2, r.epochs);
    assert_true(mlp_is_finite(&machine_mlp_of(m->learner.machine)->net));
    char options[128]; /* the model is that of the last whole pass */
    snprintf(options, sizeof options,
             "algorithm=mlp layers=8 optimizer=sgd rate=1 l2=10 batch=20 "
             "epochs=%lld",
             (long long)r.epochs);
    perc_model *same = t_fit(ds, options, NULL);
    for (size_t l = 0; l < 2; l++)
        assert_memory_equal(machine_mlp_of(m->learner.machine)->net.layer[l].w,
                            machine_mlp_of(same->learner.machine)->net.layer[l].w,
                            machine_mlp_of(same->learner.machine)->net.layer[l].in *
                                machine_mlp_of(same->learner.machine)->net.layer[l].stride *
                                sizeof(float));
    perc_model_free(same);
    perc_model *back = reload(m);
    t_assert_same_file(m, back);
    t_free(back, m, ds);
}

/* With held-out rows the model is the best, and the report still says where the loss was lost. */
TEST(losses_are_lost_with_held_out_rows_too)
{
    write_rows("rows", 60, 6, 2, 100, false, 53);
    perc_dataset *ds = t_read("rows", "");
    perc_params *p = t_params("mlp", "layers=8 optimizer=sgd rate=1 l2=10 batch=20 epochs=100");
    perc_error err = { 0 };
    perc_report r;
    perc_model *m;

    if (perc_fit_validated(NULL, ds, p, ds, 0, NULL, &m, &r, &err)) fail_msg("%s", err.text);
    assert_int_equal(r.stop, PERC_STOP_DIVERGED);
    assert_true(r.diverged_epoch == r.epochs + 1 && r.diverged_update > 3);
    assert_true(r.held_epoch >= 1 && r.held_epoch <= r.epochs);
    t_free(m, p, ds);
}

/* A row of weight 0 has its place in a batch and no other effect, whatever its values. */
TEST(rows_of_no_weight_count_for_nothing)
{
    struct t_bytes want = { 0 };

    for (int huge = 0; huge < 2; huge++) {
        FILE *f = fopen("weighted", "wb");
        assert_non_null(f);
        fputs("x,y,weight,label\n", f);
        for (int i = 0; i < 20; i++) {
            if (i == 7) fprintf(f, "%s,1,0,a\n", huge ? "1e39" : "5");
            else fprintf(f, "%d,%d,1,%c\n", i % 5, i % 3, 'a' + i % 2);
        }
        assert_int_equal(fclose(f), 0);
        perc_dataset *ds = t_read("weighted", "label=label weight=weight");
        perc_model *m = fit_on(1, ds, "layers=4 batch=6 epochs=3 dropout=0.2");
        if (huge) t_assert_bytes(&want, m);
        else want = t_bytes_of(m);
        t_free(m, ds);
    }
    free(want.p);
}

/* The same numbers as a table, whose columns count from 0, and as LIBSVM text from 1. */
TEST(tables_and_sparse_text_give_the_same_weights)
{
    FILE *csv = fopen("table", "wb"), *svm = fopen("sparse", "wb");
    unsigned seed = 5;

    assert_true(csv != NULL && svm != NULL);
    fputs("p,q,r,label\n", csv);
    for (int i = 0; i < 40; i++) {
        const unsigned v[] = { next(&seed, 9), next(&seed, 3), next(&seed, 7) };
        fprintf(csv, "%u,%u,%u,%u\n", v[0], v[1], v[2], next(&seed, 2));
        fprintf(svm, "%d 1:%u 2:%u 3:%u\n", seed >> 8 & 1 ? 1 : 0, v[0], v[1], v[2]);
    }
    assert_int_equal(fclose(csv) | fclose(svm), 0);
    perc_dataset *a = t_read("table", "label=label"), *b = t_read("sparse", "");
    perc_model *m = fit_on(1, a, "layers=5 epochs=0"), *n = fit_on(1, b, "layers=5 epochs=0");

    for (uint64_t j = 0; j < 3; j++)
        for (uint64_t k = 0; k < 5; k++)
            assert_true(perc_model_layer_weight(m, 0, j, k) == perc_model_layer_weight(n, 0, j, k));
    t_free(m, n, a, b);
}

/* A label that the model does not know, in a run that goes on in its first pass. */
TEST(other_labels_are_other_data)
{
    write_rows("three", 40, 4, 3, 100, false, 81);
    write_rows("four", 40, 4, 4, 100, false, 81);
    perc_dataset *three = t_read("three", ""), *four = t_read("four", "");
    perc_params *p = t_params("mlp", "updates=0");
    perc_model *part = fit_on(1, three, "layers=4 batch=8 updates=2"), *m = NULL;
    perc_error err = { 0 };

    assert_int_equal(perc_fit_resume(NULL, four, part, p, NULL, &m, NULL, &err), PERC_EDATA);
    assert_null(m);
    t_free(p, part, three, four);
}

/* Rows that would leave weights, or moments, that are no numbers are refused: what was learned
 * before stays, and can be saved. */
TEST(lines_do_no_harm)
{
    static const char *const bad[] = { "b 2:1e22", "c 1:1e39", "zz 7:3e38 8:3e38 9:-3e38" };
    perc_params *p = t_params("mlp", "layers=4 inputs=2"), *data = t_params("data", "index=1");
    perc_error err = { 0 };
    perc_model *m;
    int refused = 0;

    if (perc_model_new(NULL, p, &m, &err) || perc_learn_begin(m, data, &err))
        fail_msg("%s", err.text);
    assert_true(show(m, "a 1:1").mistake); /* a label that it did not know */
    assert_true(show(m, "b 1:-1").mistake);
    for (size_t k = 0; k < COUNT(bad); k++) {
        perc_reply r;
        refused += perc_learn_line(m, bad[k], strlen(bad[k]), &r, &err) != PERC_OK;
        show(m, k % 2 ? "a 1:1" : "b 1:-1");
        assert_true(mlp_is_finite(&machine_mlp_of(m->learner.machine)->net) &&
                    mlp_is_finite(&machine_mlp_of(m->learner.machine)->backprop->second));
    }
    assert_true(refused >= 2);
    assert_int_equal(m->learner.labels.n, 2);
    perc_model *back = reload(m);
    t_free(back, m, p, data);
}

TEST(bad_values_are_refused)
{
    write_rows("rows", 10, 3, 2, 100, false, 61);
    write_rows("one", 10, 3, 1, 100, false, 61);
    perc_dataset *ds = t_read("rows", ""), *one = t_read("one", "");
    perc_error err;

    err = error_of(ds, "layers=5,0", PERC_EARG);
    assert_non_null(strstr(err.text, "neuron"));
    err = error_of(ds, "layers=x", PERC_EARG);
    err = error_of(ds, "layers=5 optimizer=sgd momentum=0.5", PERC_EARG);
    assert_non_null(strstr(err.text, "sgd"));
    err = error_of(ds, "layers=5 batch=11", PERC_EARG);
    assert_non_null(strstr(err.text, "at most 10"));
    err = error_of(one, "layers=5", PERC_EDATA);
    assert_non_null(strstr(err.text, "two classes"));
    perc_model_free(fit_on(1, ds, "layers=5 epochs=1 batch=10"));
    perc_model_free(fit_on(1, ds, "layers=5 epochs=1")); /* not given: at most all rows */
    t_free(ds, one);
}

/* ----- what it is for ------------------------------------------------------------------------ */

static void solved_from_every_seed(const perc_dataset *ds, const char *options)
{
    char text[256];
    perc_report r;

    for (int seed = 0; seed < 10; seed++) {
        snprintf(text, sizeof text, "algorithm=mlp %s seed=%d", options, seed);
        perc_model_free(t_fit(ds, text, &r));
        if (r.training_errors > 0) fail_msg("%s: %d errors", text, (int)r.training_errors);
    }
}

static perc_dataset *shape(const char *kind)
{
    perc_params *g = t_params(kind, "rows=200 noise=0");
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_generate(NULL, g, &ds, &err)) fail_msg("%s", err.text);
    perc_params_free(g);
    return ds;
}

TEST(shapes_are_learned_from_ten_of_ten_seeds)
{
    perc_dataset * xor = t_read(":xor", "");
    perc_dataset *circles = shape("circles"), *spirals = shape("spirals");

    solved_from_every_seed(xor, "layers=8 activation=tanh rate=0.02 epochs=500");
    solved_from_every_seed(circles, "layers=8 activation=tanh rate=0.02 epochs=100");
    solved_from_every_seed(spirals, "layers=32,32 activation=tanh rate=0.01 epochs=500");
    t_free(xor, circles, spirals);
}

/* Rows of weight 0 count for nothing; a class that weighs more is missed less. */
TEST(weights_count)
{
    char name[64];
    double share[2];

    write_rows("rows", 400, 2, 2, 100, false, 71);
    perc_dataset *ds = t_read("rows", "");
    for (int heavy = 0; heavy < 2; heavy++) {
        perc_metrics metrics;
        perc_error err = { 0 };
        snprintf(name, sizeof name, "layers=8 epochs=20 class-weight=%s", heavy ? "a=9" : "b=9");
        perc_model *m = fit_on(1, ds, name);
        if (perc_evaluate(NULL, m, ds, &metrics, NULL, &err)) fail_msg("%s", err.text);
        share[heavy] = metrics.recall;
        perc_model_free(m);
    }
    assert_true(share[0] > share[1] + 0.05); /* recall of b, where b or a weighs more */
    perc_dataset_free(ds);
}
