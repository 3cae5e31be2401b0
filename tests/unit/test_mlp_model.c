/* test_mlp_model.c -- networks as models: scores that do not depend on how rows come, files that
 * give the network and its optimiser back, probabilities, and the errors that a run reports. */
#include "machine/forward.h"
#include "machine/machine_mlp.h"
#include "model/judge.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_hostile.h"
#include "t_make.h"
#include "t_model.h"

#include <math.h>

#define MLP "algorithm=mlp "

/* ----- data and models ------------------------------------------------------------------ */

/* Rows of `labels` labels that overlap a little. */
static struct t_data classes(size_t rows, size_t cols, int labels, double density, uint64_t seed)
{
    struct t_data d = t_noise(rows, cols, T_REAL, density, seed);

    for (size_t i = 0; i < rows; i++) {
        d.y[i] = (double)(i % (size_t)labels);
        d.x[i * cols + i % (size_t)labels] += 1.5;
    }
    return d;
}

/* ----- scores --------------------------------------------------------------------------- */

/* z as machine/mlp.h has it: one chain of fused steps an element, offsets last. */
static void plain_scores(const struct mlp *net, uint64_t below, const double *x, size_t cols,
                         double *out)
{
    float a[64], b[64];

    assert_true(cols <= COUNT(a));
    for (size_t j = 0; j < cols; j++) a[j] = (float)x[j];
    for (size_t l = 0; l < net->layers; l++) {
        const struct layer *y = &net->layer[l];
        const size_t in = l == 0 ? cols : y->in, skip = l == 0 ? (size_t)below : 0;
        assert_true(y->out <= COUNT(b));
        for (size_t k = 0; k < y->out; k++) {
            float z = 0;
            for (size_t j = 0; j < in; j++) z = fmaf(a[j], y->w[(j + skip) * y->stride + k], z);
            z += y->b[k];
            b[k] = l + 1 < net->layers ? net_activation_of(net->activation, z) : z;
        }
        memcpy(a, b, sizeof a);
    }
    for (size_t c = 0; c < mlp_outputs(net); c++) out[c] = (double)a[c];
}

TEST(scores_are_those_of_the_formula)
{
    static const char *const options[] = {
        MLP "layers=7 epochs=2",
        MLP "layers=20,3,5 activation=tanh epochs=2",
        MLP "layers=17,2 activation=sigmoid offset=false epochs=2 optimizer=sgd",
    };

    for (size_t k = 0; k < 3 * COUNT(options); k++) {
        const int labels = 2 + (int)(k % 3);
        struct t_data d = classes(90, 11, labels, 0.6, k);
        perc_dataset *ds = t_borrow(&d);
        perc_model *m = t_fit(ds, options[k / 3], NULL);
        const size_t outputs = labels == 2 ? 1 : (size_t)labels;
        double *s = predict(m, ds, 2), want[8];
        assert_int_equal(learner_outputs(&m->learner), outputs);
        for (size_t i = 0; i < d.rows; i++) {
            plain_scores(&machine_mlp_of(m->learner.machine)->net, 0, d.x + i * d.cols, d.cols,
                         want);
            for (size_t c = 0; c < outputs; c++)
                assert_true(want[c] == s[i * outputs + c]); /* zeros may have either sign */
        }
        free(s);
        t_free(m, ds, &d);
    }
}

/* Threads, the form of the data, and how many rows come at once change no bit. */
TEST(scores_do_not_depend_on_how_rows_come)
{
    for (int labels = 2; labels < 5; labels++) {
        struct t_data d = classes(700, 23, labels, 0.3, (uint64_t)labels);
        struct t_csr csr = t_csr_new(&d);
        perc_dataset *dense = t_borrow(&d), *sparse = t_borrow_csr(&d, &csr, PERC_I32, PERC_I64);
        perc_model *m = t_fit(dense, MLP "layers=33,5 epochs=1", NULL);
        const size_t outputs = learner_outputs(&m->learner), n = d.rows * outputs;
        double *want = predict(m, dense, 1), one[8];

        for (int threads = 1; threads < 8; threads += 3) {
            double *a = predict(m, dense, threads), *b = predict(m, sparse, threads);
            assert_same_doubles(want, a, n, "dense");
            assert_same_doubles(want, b, n, "sparse");
            free(a);
            free(b);
        }
        for (size_t i = 0; i < d.rows; i += 7) {
            const perc_example x = { NULL, d.x + i * d.cols, d.cols };
            assert_int_equal(perc_score(m, &x, one, NULL), PERC_OK);
            assert_same_doubles(want + i * outputs, one, outputs, "one row");
        }
        free(want);
        t_free(m, dense, sparse, &csr, &d);
    }
}

/* A layer so wide that only a few rows fit into the scratch. */
TEST(wide_layers_take_fewer_rows_at_a_time)
{
    const struct env e = env_resolve(NULL);
    struct t_data d = classes(60, 2, 2, 1, 5);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=300000 epochs=0", NULL);
    double *s = predict(m, ds, 1), one;
    struct forward f;

    assert_int_equal(forward_open(&f, &e, &machine_mlp_of(m->learner.machine)->net, 60), PERC_OK);
    assert_true(f.most > 1 && f.most < 60); /* guard */
    forward_close(&f);
    for (size_t i = 0; i < d.rows; i++) {
        const perc_example x = { NULL, d.x + i * d.cols, d.cols };
        assert_int_equal(perc_score(m, &x, &one, NULL), PERC_OK);
        assert_same_doubles(&s[i], &one, 1, "one row");
    }
    free(s);
    t_free(m, ds, &d);
}

/* The rows of a pick have the scores that they have among all. */
TEST(picked_rows_score_alike)
{
    const struct env e = env_resolve(NULL);
    struct t_data d = classes(200, 6, 3, 0.7, 9);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=6 epochs=1", NULL);
    double *all = predict(m, ds, 1), some[200 * 3];
    uint8_t mark[200];
    size_t n = 0;

    for (size_t i = 0; i < d.rows; i++) mark[i] = i % 5 == 1;
    const struct judged p = { mark, 1, NULL };
    assert_int_equal(judge_scores(&e, m, ds, &p, some, NULL), PERC_OK);
    for (size_t i = 0; i < d.rows; i++)
        if (mark[i]) assert_same_doubles(all + 3 * i, some + 3 * n++, 3, "picked");
    assert_int_equal(n, 40);
    free(all);
    t_free(m, ds, &d);
}

static int take(void *ud, const double *scores, size_t n)
{
    double **at = ud;

    memcpy(*at, scores, n * sizeof **at);
    *at += n;
    return 0;
}

TEST(unknown_columns_are_left_out)
{
    double a[2], b[2], *at = a;
    uint64_t unknown = 0;

    /* Wide enough for rows to stay sparse, beside a narrow one below. */
    assert_int_equal(t_put("train", "1 1:1 2:0.5\n-1 1:-1 3:2\n1 2:1 3:-1\n-1 2:-1 40:0\n"), 0);
    assert_int_equal(t_put("plain", "1 1:1 2:3\n1 3:4\n"), 0);
    assert_int_equal(t_put("more", "1 1:1 2:3 41:9 77:1\n1 3:4 9000000:1\n"), 0);
    perc_dataset *ds = t_read("train", "");
    perc_model *m = t_fit(ds, MLP "layers=3 epochs=3", NULL);
    perc_params *p = t_params("data", "");
    assert_int_equal(perc_predict_file(NULL, m, "plain", p, take, &at, &unknown, NULL), PERC_OK);
    assert_int_equal(unknown, 0);
    at = b;
    assert_int_equal(perc_predict_file(NULL, m, "more", p, take, &at, &unknown, NULL), PERC_OK);
    assert_int_equal(unknown, 3);
    assert_same_doubles(a, b, 2, "left out");
    assert_true(a[0] != a[1]); /* guard */

    /* Base 1: feature 1 is the first row of the weights in use. */
    const double x[40] = { 1, 3, 0 }, wide[] = { 1, 3, 5, 7 };
    double want, got;
    plain_scores(&machine_mlp_of(m->learner.machine)->net, 1, x, 40, &want);
    assert_true(want == a[0]);
    t_free(m, ds);

    assert_int_equal(t_put("train", "1 1:1 2:0.5\n-1 1:-1 2:2\n"), 0); /* dense rows */
    ds = t_read("train", "");
    m = t_fit(ds, MLP "layers=3 epochs=3", NULL);
    const perc_example x2 = { NULL, wide, 2 }, x4 = { NULL, wide, 4 };
    assert_int_equal(perc_score(m, &x2, &want, NULL), PERC_OK);
    assert_int_equal(perc_score(m, &x4, &got, NULL), PERC_OK);
    assert_same_doubles(&want, &got, 1, "dense");
    t_free(p, m, ds);
}

TEST(a_score_that_is_no_number_is_an_error_with_its_line)
{
    perc_error err = { 0 };
    double s[3], huge = 1e300;
    const perc_example x = { NULL, &huge, 1 };

    assert_int_equal(t_put("train", "1 1:1\n-1 1:-1\n"), 0);
    assert_int_equal(t_put("huge", "1 1:1\n\n1 1:1e300\n-1 1:1\n"), 0);
    perc_dataset *ds = t_read("train", "");
    perc_model *m = t_fit(ds, MLP "layers=20 epochs=1", NULL); /* neurons of either sign */
    perc_dataset *big;
    assert_int_equal(perc_dataset_read_for(NULL, m, "huge", NULL, &big, NULL), PERC_OK);
    assert_int_equal(perc_predict(NULL, m, big, s, &err), PERC_EDATA);
    assert_int_equal(err.line, 3);
    assert_non_null(strstr(err.text, "too large"));
    assert_non_null(strstr(err.text, "--scale"));
    assert_int_equal(perc_score(m, &x, s, &err), PERC_EDATA);
    t_free(big, ds, m);
}

/* ----- files ---------------------------------------------------------------------------- */

TEST(files_give_the_network_back)
{
    static const char *const how[] = {
        "layers=5 epochs=2",
        "layers=16,3 activation=sigmoid optimizer=momentum epochs=2 momentum=0.5",
        "layers=2,2,2 activation=tanh optimizer=sgd epochs=3 offset=false",
        "layers=9 epochs=0 init=glorot seed=7",
        "layers=4 epochs=2 dropout=0.5 l2=0.01 batch=7",
        "layers=4 epochs=5 updates=9 batch=8", /* in the middle of a pass */
    };
    char options[200];

    for (size_t k = 0; k < 4 * COUNT(how); k++) {
        struct t_data d = classes(60, 5, 2 + (int)(k % 2), 0.7, k);
        snprintf(options, sizeof options, MLP "%s%s", how[k / 4], k % 4 == 3 ? " positive=c" : "");
        t_write(&d, "rows", (int)(k % 4 / 2), false, "a", "b");
        perc_dataset *ds = k % 4 == 3 ? NULL : t_borrow(&d);
        if (ds == NULL) { /* a base of 1, a scaling, labels that are words */
            FILE *f = fopen("words", "wb");
            for (size_t i = 0; i < d.rows; i++)
                fprintf(f, "%c 1:%.3g 3:%.3g\n", "abc"[(int)d.y[i]], d.x[i * 5], d.x[i * 5 + 1]);
            assert_int_equal(fclose(f), 0);
            ds = t_read("words", "scale=standard");
        }
        perc_model *m = t_fit(ds, options, NULL), *back = reload(m);
        const size_t n = (size_t)ds->rows * learner_outputs(&m->learner);
        double *a = predict(m, ds, 1), *b = predict(back, ds, 1);
        assert_same_doubles(a, b, n, options);
        t_assert_same_file(m, back);
        assert_int_equal(machine_mlp_of(back->learner.machine)->backprop->steps,
                         m->learner.progress.updates);
        assert_int_equal(machine_mlp_of(back->learner.machine)->net.features,
                         machine_mlp_of(m->learner.machine)->net.features);
        free(a);
        free(b);
        t_free(back, m, ds, &d);
    }
}

TEST(going_on_from_a_file_gives_the_bytes_of_one_run)
{
    static const char *const optimizers[] = { "adam", "momentum", "sgd" };
    struct t_data d = classes(50, 4, 3, 0.8, 3);
    perc_dataset *ds = t_borrow(&d);
    char options[100];

    for (size_t k = 0; k < COUNT(optimizers); k++) {
        snprintf(options, sizeof options, MLP "layers=6 dropout=0.2 epochs=7 optimizer=%s",
                 optimizers[k]);
        perc_model *whole = t_fit(ds, options, NULL);
        options[strlen(MLP "layers=6 dropout=0.2 epochs=")] = '3';
        perc_model *part = t_fit(ds, options, NULL), *back = reload(part);
        perc_model *on = t_resume(ds, back, MLP "epochs=7", NULL, NULL);
        t_assert_same_file(whole, on);
        t_free(whole, part, back, on);
    }
    t_free(ds, &d);
}

/* One that learns line by line is read back in every state, from the first: without a column,
 * with one label, two, three. */
TEST(an_untaught_network_comes_back_and_learns)
{
    static const char *const label[] = { "b", "b", "a", "c", "a", "b", "aa", "c" };
    perc_model *m = t_untaught(MLP "layers=3 inputs=4"), *back;

    for (size_t i = 0; i <= COUNT(label); i++) {
        const uint32_t column[] = { (uint32_t)(i % 3), (uint32_t)(4 + i) };
        const double value[] = { 1, (double)i - 3 };
        const perc_example x = { column, value, 2 };
        back = reload(m);
        t_assert_same_file(m, back);
        if (i < COUNT(label)) {
            assert_int_equal(perc_learn(m, &x, label[i], 1, NULL, NULL), PERC_OK);
            assert_int_equal(perc_learn(back, &x, label[i], 1, NULL, NULL), PERC_OK);
            t_assert_same_file(m, back);
        }
        perc_model_free(back);
    }
    assert_int_equal(m->learner.labels.n, 4);
    assert_true(machine_mlp_of(m->learner.machine)->backprop->steps == 8 &&
                mlp_outputs(&machine_mlp_of(m->learner.machine)->net) == 4);
    perc_model_free(m);
}

/* ----- files that cannot be right ---------------------------------------------------------- */

/* Each tensor that a file has, spoiled in every way. */
TEST(every_tensor_is_looked_at)
{
    struct t_data d = classes(40, 4, 3, 1, 1);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=5,2 epochs=2", NULL);
    struct tensors t = t_tensors_of(m);

    assert_int_equal(t.n, 3 * 3 * 2);
    for (size_t i = 0; i < t.n; i++) {
        const char *name = t.tensor[i].name, *end = t_text("%s[-1]", name);
        const bool first = strcmp(name, "layer.0.weight") == 0; /* whose length is the inputs' */
        const bool last = strcmp(name, "layer.2.weight") == 0;
        const bool second = strncmp(name, "state.second.", 13) == 0;
        const struct hostile ways[] = {
            { GONE, name, NULL, name },
            { TYPE, name, "F64", name },
            { TURNED, name, NULL, name },
            { SHORTER, name, NULL, first ? "state.first.0.weight" : name },
            { ELEMENT, end, "nan", name },
            { ELEMENT, end, "inf", name },
            { ELEMENT, end, "-inf", name },
            { ELEMENT, end, "-1e-30", second ? "state.second" : NULL },
            { NARROWER, name, NULL, name },                        /* matrices only, from here on */
            { NARROWER, name, NULL, last ? "one a score" : name }, /* before memory is taken */
        };
        assert_int_equal(t.tensor[i].type, DTYPE_F32);
        t_refuses_model(m, ways, COUNT(ways) - (t.tensor[i].dims == 2 ? 0 : 2));
    }
    tensors_free(&t);
    t_free(m, ds, &d);
}

TEST(wrong_metadata_are_refused_for_their_reason)
{
    static const struct hostile cases[] = {
        { META, "machine", "linear", "the algorithm is mlp" },
        { META, "machine", "kernel", "the algorithm is mlp" },
        { META, "machine", "gate", "the algorithm is mlp" },
        { META, "machine", "network", "not known" },
        { META, "algorithm", "perceptron", "" }, /* whose options are others */
        { META, "algorithm", "gate", "" },
        { META, "inputs", NULL, "inputs" },
        { META, "inputs", "-1", "inputs" },
        { META, "inputs", "4294967296", "inputs" },
        { META, "inputs", "many", "inputs" },
        { META, "steps", NULL, "steps" },
        { META, "steps", "-1", "steps" },
        { META, "steps", "81", "steps" }, /* more than examples */
        { META, "option.layers", "5", "layer.1.weight" },
        { META, "option.layers", "5,3", "layer.1.weight" },
        { META, "option.layers", "2,5", "layer.1.weight" },
        { META, "option.layers", "6,2", "layer.1.weight" },
        { META, "option.layers", "5,2,3", "layer.3.weight" },
        { META, "option.layers", "5,0", "at least one neuron" },
        { META, "option.layers", "", "empty" },
        { META, "option.layers", "5,,2", "missing" },
        { META, "option.layers", "1048576,1048576", "layer.1.weight" },
        { META, "option.layers", "1048577", "too wide" },
        { META, "option.activation", "step", "one of" },
        { META, "option.optimizer", "newton", "one of" },
        { META, "option.momentum", "1", "between" },
        { META, "option.batch", "0", "between" },
        { META, "option.dropout", "1", "between" },
        { META, "option.offset", "false", "must be 0" },
        { META, "option.rate", "nan", "number" },
        { META, "option.kernel", "rbf", "no option 'kernel'" },
        { META, "option.loop", "fast", "no option 'loop'" },
        { META, "multiclass", "two", "contradict" },
        { META, "multiclass", "ovr", "contradict" },
        { META, "labels", "2", "contradict" },
        { META, "unseen", "true", "not for this kind" },
        { META, "stop", "tired", "tired" },
        { META, "shown", "81", "shown" },
        { META, "updates", "999", "contradict" },
        { META, "steps", "80", NULL }, /* guard */
    };
    struct t_data d = classes(40, 4, 3, 1, 1);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=5,2 epochs=2", NULL);

    t_refuses_model(m, cases, COUNT(cases));
    t_free(m, ds, &d);
}

/* An optimiser with moments cannot go on from the file of one without. */
TEST(moments_belong_to_their_optimizer)
{
    static const char *const optimizers[] = { "sgd", "momentum", "adam" };
    struct t_data d = classes(40, 3, 2, 1, 2);
    perc_dataset *ds = t_borrow(&d);
    char options[80];

    for (size_t k = 0; k < 3; k++) {
        snprintf(options, sizeof options, MLP "layers=2 epochs=2 optimizer=%s", optimizers[k]);
        perc_model *m = t_fit(ds, options, NULL);
        for (size_t o = 0; o < 3; o++) {
            const char *lacks = k == 0 ? "state.first.0.weight" : "state.second.0.weight";
            const struct hostile other = { META, "option.optimizer", optimizers[o],
                                           o <= k ? NULL : lacks };
            t_refuses_model(m, &other, 1);
        }
        perc_model_free(m);
    }
    t_free(ds, &d);
}

/* What a file asks for in memory is what the file itself has, times a little. */
TEST(a_small_file_takes_little_memory)
{
    static const char *const layers[] = { "1048576,1048576", "2,1048576", "1048576" };
    struct t_data d = classes(40, 3, 2, 1, 2);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=2,2 epochs=2", NULL), *back;
    struct tensors good = t_tensors_of(m);

    for (size_t k = 0; k < COUNT(layers); k++) {
        struct t_alloc a = { .fail_at = -1 };
        const perc_env env = { t_alloc, &a, 1 };
        const struct hostile wide = { META, "option.layers", layers[k], "layers" };
        t_refuses_model(m, &wide, 1);
        t_hostile_write(&good, &wide, "wide");
        assert_int_equal(perc_model_read(&env, "wide", &back, NULL), PERC_EDATA);
        assert_true(a.calls < 1000);
        t_alloc_holds(&a, 0);
    }
    /* Many labels, and an output layer of one column. */
    const struct hostile many = { META, "labels", "3", "label.2" };
    t_refuses_model(m, &many, 1);
    tensors_free(&good);
    t_free(m, ds, &d);
}

/* A network that has run away is not written. */
TEST(numbers_that_are_not_finite_are_not_written)
{
    struct t_data d = classes(40, 3, 2, 1, 2);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=2 epochs=2", NULL);
    struct learner *l = &m->learner;
    float *const at[] = { &machine_mlp_of(l->machine)->net.layer[0].w[0],
                          &machine_mlp_of(l->machine)->net.layer[1].b[0],
                          &machine_mlp_of(l->machine)->backprop->first.layer[1].w[0],
                          &machine_mlp_of(l->machine)->backprop->second.layer[0].b[1] };

    for (size_t k = 0; k < COUNT(at); k++) {
        const float was = *at[k];
        *at[k] = k % 2 ? INFINITY : NAN;
        assert_int_equal(perc_model_write(m, "model", NULL), PERC_EDATA);
        *at[k] = was;
    }
    assert_int_equal(perc_model_write(m, "model", NULL), PERC_OK);
    t_free(m, ds, &d);
}

/* ----- probabilities ------------------------------------------------------------------------ */

TEST(probabilities_are_the_networks_own)
{
    for (int labels = 2; labels < 5; labels++) {
        struct t_data d = classes(100, 4, labels, 1, 4);
        perc_dataset *ds = t_borrow(&d);
        perc_model *m = t_fit(ds, MLP "layers=8 epochs=10 rate=0.02", NULL);
        const size_t outputs = learner_outputs(&m->learner);
        double *s = predict(m, ds, 1), p[4], log_loss = 0, brier = 0;
        perc_metrics got;
        perc_model_info info;

        perc_model_info_get(m, &info);
        assert_int_equal(info.calibrated, 1);
        for (size_t i = 0; i < d.rows; i++) {
            const double *z = s + i * outputs;
            const size_t class = (size_t)d.y[i];
            double sum = 0, want = 0;
            assert_int_equal(perc_probabilities(m, z, p, NULL), PERC_OK);
            for (int c = 0; c < labels; c++) sum += p[c];
            assert_true(fabs(sum - 1) < 1e-15 * 4);
            for (size_t c = 0; c < outputs; c++) want += exp(z[c] - z[class % outputs]);
            want = outputs > 1 ? 1 / want : class ? 1 / (1 + exp(-z[0])) : 1 / (1 + exp(z[0]));
            assert_true(fabs(p[class] - want) < 1e-15 * 8);
            log_loss -= log(want);
            for (int c = labels == 2; c < labels; c++)
                brier += (p[c] - (c == (int)class)) * (p[c] - (c == (int)class));
        }
        assert_int_equal(perc_evaluate(NULL, m, ds, &got, NULL, NULL), PERC_OK);
        assert_true(fabs(got.log_loss - log_loss / 100) < 1e-13); /* rounding of 100 terms */
        assert_true(fabs(got.brier - brier / 100) < 1e-13);
        assert_int_equal(got.disagree, 0); /* the most probable label is the answer */
        assert_true(got.accuracy > 0.5 && (labels > 2 || got.auc > 0.5)); /* guard */
        assert_true(isnan(got.distance[3]));                              /* no plane */
        free(s);
        t_free(m, ds, &d);
    }
}

/* Neither p nor its logarithm loses its digits where one side is nearly certain. */
TEST(far_scores_have_probabilities)
{
    struct t_data d = classes(40, 3, 2, 1, 2);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=2 epochs=1", NULL);
    const double far = -600, z[] = { 1000, -1000, 998 };
    double p[3];

    assert_int_equal(perc_probabilities(m, &far, p, NULL), PERC_OK);
    assert_true(p[0] == 1 && fabs(p[1] / exp(-600) - 1) < 1e-12);
    assert_true(fabs(model_log_p(m, &far, 1) + 600) < 1e-9);
    assert_true(fabs(model_log_p(m, &far, 0) / -exp(-600) - 1) < 1e-12);
    mlp_proba(z, 3, p);
    assert_true(p[1] == 0 && fabs(forward_loss(z, 3, 1) - 2000 - log1p(exp(-2))) < 1e-9);
    assert_true(fabs(forward_loss(z, 3, 0) / log1p(exp(-2)) - 1) < 1e-14);
    t_free(m, ds, &d);
}

TEST(one_label_has_no_probabilities)
{
    perc_params *p = t_params("mlp", "layers=2 inputs=1");
    const double x = 1;
    const perc_example e = { NULL, &x, 1 };
    double s[2], out[2];
    perc_error err;
    perc_model *m;

    assert_int_equal(perc_model_new(NULL, p, &m, NULL), PERC_OK);
    assert_int_equal(perc_learn(m, &e, "a", 1, NULL, NULL), PERC_OK);
    assert_int_equal(perc_score(m, &e, s, NULL), PERC_OK);
    assert_refused(perc_probabilities(m, s, out, &err), PERC_EARG, &err, "two labels");
    assert_int_equal(perc_learn(m, &e, "b", 1, NULL, NULL), PERC_OK);
    assert_int_equal(perc_probabilities(m, s, out, &err), PERC_OK);
    t_free(m, p);
}

/* A network may be calibrated; until it learns more, the sigmoids speak. */
TEST(sigmoids_take_the_place_of_a_networks_probabilities)
{
    for (int labels = 2; labels < 4; labels++) {
        struct t_data d = classes(90, 3, labels, 1, 6);
        perc_dataset *ds = t_borrow(&d);
        perc_model *m = t_fit(ds, MLP "layers=4 epochs=20", NULL);
        const size_t outputs = learner_outputs(&m->learner);
        double *s = predict(m, ds, 1), own[3], fitted[3], again[3], a, b;
        const perc_example x = { NULL, d.x, d.cols };
        perc_error err;

        assert_int_equal(perc_probabilities(m, s, own, NULL), PERC_OK);
        assert_int_equal(perc_model_sigmoid(m, 0, &a, &b, &err), PERC_EARG);
        if (perc_calibrate(NULL, m, ds, 3, NULL, &err)) fail_msg("%s", err.text);
        assert_int_equal(perc_model_sigmoid(m, outputs - 1, &a, &b, NULL), PERC_OK);
        assert_int_equal(perc_probabilities(m, s, fitted, NULL), PERC_OK);
        assert_true(own[0] != fitted[0]);
        perc_model *back = reload(m);
        t_assert_same_file(m, back);
        assert_int_equal(perc_probabilities(back, s, again, NULL), PERC_OK);
        assert_same_doubles(fitted, again, (size_t)labels, "read back");
        assert_int_equal(perc_learn(back, &x, "1", 0, NULL, NULL), PERC_OK);
        assert_int_equal(perc_probabilities(back, s, again, NULL), PERC_OK);
        assert_same_doubles(own, again, (size_t)labels, "its own again");
        free(s);
        t_free(back, m, ds, &d);
    }
}

/* ----- the report ---------------------------------------------------------------------------- */

/* Errors and loss of a run are those of a test on the same rows, whatever the threads; rows of
 * weight 0 count for nothing, other weights not at all. */
TEST(the_report_is_that_of_a_test)
{
    for (int labels = 2; labels < 4; labels++) {
        struct t_data d = classes(600, 4, labels, 0.8, 8);
        perc_dataset *ds = t_borrow(&d);
        perc_params *p = t_params("mlp", "layers=8 epochs=3 rate=0.01");
        perc_report first = { 0 }, r;
        perc_metrics want;
        perc_model *m;

        for (int threads = 1; threads < 5; threads++) {
            const perc_env env = { .threads = threads };
            assert_int_equal(perc_fit(&env, ds, p, NULL, &m, &r, NULL), PERC_OK);
            if (threads == 1) first = r;
            assert_true(t_same_bits(first.loss, r.loss));
            assert_int_equal(first.training_errors, r.training_errors);
            assert_true(t_same_bits(first.radius, r.radius));
            assert_int_equal(perc_evaluate(NULL, m, ds, &want, NULL, NULL), PERC_OK);
            assert_int_equal(r.training_errors, want.errors);
            assert_true(fabs(r.loss - want.log_loss) < 1e-12);
            assert_true(want.errors > 0 && want.errors < 400); /* guard */
            perc_model_free(m);
        }
        t_free(p, ds, &d);
    }
}

TEST(weights_of_rows_only_say_which_count)
{
    struct t_data d = classes(100, 3, 2, 1, 8);
    perc_report r;
    double loss = 0;
    uint64_t errors = 0;

    d.weight = calloc(d.rows, sizeof *d.weight);
    for (size_t i = 0; i < d.rows; i++) d.weight[i] = (double)(i % 3);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=4 epochs=3", &r);
    double *s = predict(m, ds, 1);
    for (size_t i = 0; i < d.rows; i++) {
        if (i % 3 == 0) continue;
        const double f = d.y[i] > 0 ? -s[i] : s[i];
        loss += log1p(exp(f));
        errors += !(f < 0);
    }
    assert_int_equal(r.rows, 66);
    assert_int_equal(r.training_errors, errors);
    assert_true(fabs(r.loss - loss / 66) < 1e-13);
    free(s);
    t_free(m, ds, &d);
}

/* A tie is a mistake, for either label. */
TEST(a_network_that_says_nothing_errs_everywhere)
{
    for (int labels = 2; labels < 4; labels++) {
        struct t_data d = classes(60, 3, labels, 1, 8);
        for (size_t i = 0; i < d.rows * d.cols; i++) d.x[i] = 0;
        perc_dataset *ds = t_borrow(&d);
        perc_report r;
        perc_metrics got;
        perc_model *m = t_fit(ds, MLP "layers=4 epochs=0", &r);
        assert_int_equal(r.training_errors, 60);
        assert_true(fabs(r.loss - log(labels)) < 1e-13); /* 60 roundings */
        assert_int_equal(perc_evaluate(NULL, m, ds, &got, NULL, NULL), PERC_OK);
        assert_int_equal(got.errors, 60);
        assert_int_equal(got.on_boundary, 60);
        t_free(m, ds, &d);
    }
}

/* ----- memory -------------------------------------------------------------------------------- */

TEST(memory_that_runs_out_leaves_nothing_behind)
{
    struct t_data d = classes(40, 3, 3, 1, 1);
    perc_dataset *ds = t_borrow(&d);
    perc_model *m = t_fit(ds, MLP "layers=5,2 epochs=1", NULL);

    assert_int_equal(perc_model_write(m, "model", NULL), PERC_OK);
    memory_runs_out(ds);
    t_free(m, ds, &d);
}
