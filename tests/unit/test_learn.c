/* test_learn.c -- learning one example at a time.
 *
 * perc_learn is the learner; a pass over a data set is a loop around it. So n calls
 * of it give the bits of one pass in file order, from nothing, from a trained model
 * or from one that was saved in between. What it refuses leaves no mark. */
#include <math.h>

#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"

/* ----- a pass --------------------------------------------------------------------------- */

/* Shows row i of d to m, as it stands or without its zeros. */
static void show(perc_model *m, const struct t_data *d, size_t i, bool sparse, perc_outcome *o)
{
    const double *x = d->x + i * d->cols;
    double value[64];
    uint32_t column[64];
    perc_example e = { NULL, x, d->cols };
    perc_error err = { 0 };

    assert_true(d->cols <= 64);
    if (sparse) {
        e = (perc_example){ column, value, 0 };
        for (size_t j = 0; j < d->cols; j++) {
            if (x[j] == 0) continue;
            column[e.n] = (uint32_t)j;
            value[e.n++] = x[j];
        }
    }
    if (perc_learn(m, &e, t_sign(d->y[i]), d->weight != NULL ? d->weight[i] : 1, o, &err))
        fail_msg("%s", err.text);
}

/* +1 or -1 as a learner sees it that met the rows before i: a label alone is -1. */
static double sign(const struct t_data *d, size_t i)
{
    for (size_t k = 0; k <= i; k++)
        if (d->y[k] != d->y[0]) return d->y[i];
    return -1;
}

TEST(learning_row_by_row_is_one_pass_in_file_order)
{
    static const char *const option[] = { "order=file epochs=1", "order=file epochs=1 offset=false",
                                          "order=file epochs=1 rate=0.1" };

    for (int k = 0; k < 12; k++) {
        struct t_data d = t_noise(90, 20, T_REAL, k % 2 ? 0.2 : 1, (uint64_t)k);
        perc_model *m = t_untaught(option[k / 4]);
        int64_t mistakes = 0, updates = 0;
        d.x[19] = 0.25; /* the last feature is met: both have all of them */
        if (k % 4 >= 2) t_weigh(&d, (uint64_t)k);
        for (size_t i = 0; i < d.rows; i++) {
            perc_outcome o;
            show(m, &d, i, k % 2, &o);
            mistakes += o.mistake;
            updates += o.updated;
            assert_int_equal(o.mistake, sign(&d, i) * o.score <= 0);
        }
        perc_model *whole = t_fit_rows(&d, option[k / 4], NULL);
        perc_model_info info;
        perc_model_info_get(whole, &info);
        t_assert_same_machine(m, whole);
        assert_int_equal(mistakes, info.mistakes);
        assert_int_equal(updates, info.updates);
        t_free(m, whole, &d);
    }
}

/* A model from a file goes on learning: one pass of fit, then one by hand. */
TEST(learning_goes_on_from_a_trained_model)
{
    for (int base = 0; base < 2; base++) {
        struct t_data d = t_noise(50, 7, T_REAL, 1, 20);
        t_write(&d, "rows.svm", base, true, "-1", "+1");
        perc_dataset *ds = t_read("rows.svm", base ? "index=1" : "index=0");
        perc_model *m = t_fit(ds, "order=file epochs=1", NULL);
        perc_model *two = t_fit(ds, "order=file epochs=2", NULL);
        for (size_t i = 0; i < d.rows; i++) show(m, &d, i, i % 2, NULL);
        t_assert_same_machine(m, two);
        t_free(m, two, ds, &d);
    }
}

/* Saved and read again in the middle, as a service that is restarted would do. */
TEST(a_taught_model_can_be_saved_and_goes_on)
{
    struct t_data d = t_noise(60, 9, T_REAL, 0.5, 21);
    perc_model *m = t_untaught("order=file epochs=1 rate=0.3"), *again;
    perc_error err = { 0 };

    d.x[8] = 1; /* the last feature is met */
    perc_model *whole = t_fit_rows(&d, "order=file epochs=1 rate=0.3", NULL);
    for (size_t i = 0; i < d.rows; i++) {
        show(m, &d, i, true, NULL);
        if (i % 7 != 3) continue;
        if (perc_model_write(m, "model", &err)) fail_msg("%s", err.text);
        if (perc_model_read(NULL, "model", &again, &err)) fail_msg("%s", err.text);
        t_assert_same_file(m, again);
        perc_model_free(m);
        m = again;
    }
    t_assert_same_machine(m, whole);
    t_free(m, whole, &d);
}

/* Features may turn up at any time: one that was not there yet has the weight 0. */
TEST(the_model_grows_with_its_examples)
{
    perc_model *m = t_untaught("");
    const double one = 1;
    perc_model_info info;
    perc_error err = { 0 };

    for (uint32_t j = 0; j < 1000; j += 37) {
        const perc_example x = { &j, &one, 1 };
        perc_outcome o;
        const double before = t_score(m, &x);
        if (perc_learn(m, &x, j % 2 ? "1" : "-1", 1, &o, &err)) fail_msg("%s", err.text);
        assert_true(t_same_bits(o.score, before));
        perc_model_info_get(m, &info);
        assert_true(o.score == t_offset(m) - (o.updated ? (j % 2 ? 1 : -1) : 0));
        assert_int_equal(info.features, j + 1);
    }
    perc_model_free(m);
}

/* ----- what is refused ------------------------------------------------------------------ */

TEST(a_bad_example_is_refused_and_changes_nothing)
{
    static const double value[] = { 1, 2, 3 }, bad[] = { 1, NAN, 3 }, huge[] = { 1, 2, INFINITY };
    static const uint32_t column[] = { 0, 4, 9 }, twice[] = { 0, 4, 4 }, back[] = { 4, 0, 9 };
    static const struct {
        perc_example x;
        const char *label;
        double weight;
    } wrong[] = {
        { { column, value, 3 }, "nan", 1 }, { { column, value, 3 }, "1", -1 },
        { { column, value, 3 }, "1", NAN }, { { column, value, 3 }, "1", INFINITY },
        { { column, bad, 3 }, "1", 1 },     { { column, huge, 3 }, "1", 1 },
        { { NULL, bad, 3 }, "1", 1 },       { { twice, value, 3 }, "1", 1 },
        { { back, value, 3 }, "1", 1 },
    };
    struct t_data d = t_noise(30, 5, T_REAL, 1, 22);
    perc_model *m = t_fit_rows(&d, "epochs=3", NULL), *same = t_fit_rows(&d, "epochs=3", NULL);

    for (size_t k = 0; k < COUNT(wrong); k++) {
        perc_error err = { 0 };
        perc_outcome o;
        assert_int_equal(perc_learn(m, &wrong[k].x, wrong[k].label, wrong[k].weight, &o, &err),
                         k == 0 ? PERC_EDATA : PERC_EARG);
        assert_true(err.text[0] != '\0');
        t_assert_same_file(m, same);
    }
    t_free(m, same, &d);
}

/* All rows are learned from, in memory: one without a label is named, and so are data that exact
 * arithmetic cannot take at their word. */
TEST(data_that_cannot_be_learned_are_refused)
{
    static const struct {
        const char *path, *data, *options;
        perc_status status;
        const char *words;
    } list[] = {
        { "one", "", "", PERC_EDATA, "all rows have the label 'a'" },
        { "whole", "scale=by:2", "arithmetic=exact", PERC_EARG, "these were scaled" },
        { "whole", "map=poly:2:hash:3", "arithmetic=exact", PERC_EARG, "put into buckets" },
        { "gap.csv", "missing=mean", "arithmetic=exact", PERC_EARG, "filled in" },
    };

    assert_int_equal(t_put("one", "a 1:1\na 1:2\n"), 0);
    assert_int_equal(t_put("whole", "a 1:1\nb 1:2\n"), 0);
    assert_int_equal(t_put("gap.csv", "x,z,label\n1,2,a\n,3,b\n"), 0);
    for (size_t i = 0; i < COUNT(list); i++) {
        perc_dataset *ds = t_read(list[i].path, list[i].data);
        perc_params *p = t_params("perceptron", list[i].options);
        perc_error err = { 0 };
        perc_model *m;
        assert_refused(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), list[i].status, &err,
                       list[i].words);
        t_free(ds, p);
    }
}

/* Rows that were read to be answered need no label, those to learn from do. */
TEST(rows_without_a_label_are_not_learned)
{
    static const struct {
        const char *text, *words;
        int64_t line;
    } list[] = { { "1:1\n1:2\n", "no row has a label", 0 },
                 { "a 1:1\nb 1:2\n1:3\n", "the row has no label", 3 } };
    perc_params *p = t_params("perceptron", "");
    perc_dataset *ds;
    perc_model *other;

    assert_int_equal(t_put("whole", "a 1:1\nb 1:2\nb 1:3\n"), 0);
    perc_dataset *whole = t_read("whole", "");
    perc_model *m = t_fit(whole, "", NULL);
    for (size_t i = 0; i < COUNT(list); i++) {
        perc_error err = { 0 };
        assert_int_equal(t_put("rows.svm", list[i].text), 0);
        if (perc_dataset_read_for(NULL, m, "rows.svm", NULL, &ds, &err)) fail_msg("%s", err.text);
        assert_refused_at(perc_fit(NULL, ds, p, NULL, &other, NULL, &err), PERC_EDATA, &err,
                          list[i].line, 0, list[i].words);
        perc_dataset_free(ds);
    }
    assert_int_equal(perc_dataset_read_for(NULL, m, "rows.svm", NULL, &ds, NULL), PERC_OK);
    perc_error err = { 0 };
    assert_refused_at(perc_fit_resume(NULL, ds, m, p, NULL, &other, NULL, &err), PERC_EDATA, &err,
                      3, 0, "the row has no label");
    t_free(m, whole, ds, p);
}

/* ----- what is asked of a model ---------------------------------------------------------- */

TEST(an_untaught_model_has_no_answer)
{
    perc_model *m = t_untaught("");
    const double score = 1;

    assert_null(perc_answer(m, &score));
    assert_null(perc_model_dropped_class(m, 0));
    assert_int_equal(perc_model_dropped(m, 0), -1);
    perc_model_free(m);
}

/* A product has the names of its factors, whatever these are called after. */
TEST(features_that_are_made_have_names)
{
    static const struct {
        const char *path, *data;
        uint64_t j;
        const char *name;
    } list[] = {
        { "rows", "map=poly:2 index=1", 0, "x1" },
        { "rows", "map=poly:2 index=1", 4, "x2^2" },
        { "names.csv", "map=poly:2", 3, "long*b" },
        { "rows", "hash=2 map=poly:2", 0, "hash:0" },
        { "rows", "hash=2", 3, "hash:3" },
        { "rows", "", 0, NULL },
        { "rows", "hash=2", 4, NULL },
    };

    assert_int_equal(t_put("rows", "a 1:1 2:2\nb 1:-1 2:1\n"), 0);
    assert_int_equal(t_put("names.csv", "long,b,label\n1,2,a\n-1,1,b\n"), 0);
    for (size_t i = 0; i < COUNT(list); i++) {
        char name[32] = "?", cut[4] = "?", empty[1] = "";
        perc_dataset *ds = t_read(list[i].path, list[i].data);
        perc_model *m = t_fit(ds, "epochs=1", NULL);
        const char *got = perc_model_feature(m, list[i].j, name, sizeof name);
        if (list[i].name == NULL) {
            assert_null(got);
        } else {
            assert_string_equal(got, list[i].name);
            assert_memory_equal(perc_model_feature(m, list[i].j, cut, sizeof cut), list[i].name,
                                strlen(list[i].name) < 3 ? strlen(list[i].name) : 3);
            assert_int_equal(cut[3], 0);
            assert_null(perc_model_feature(m, list[i].j, empty, 0));
            assert_null(perc_model_feature(m, list[i].j, NULL, 9));
        }
        t_free(m, ds);
    }
}

/* A column may be the last that there can be: no model has one behind it. */
TEST(a_column_beyond_all_models_counts_for_nothing)
{
    static const uint32_t column[] = { 0, UINT32_MAX }, first[] = { 0 };
    static const double value[] = { 2, 5 };
    const perc_example x = { column, value, 2 }, near = { first, value, 1 };

    assert_int_equal(t_put("rows", "a 1:1 2:2\nb 1:-1 2:1\n"), 0);
    perc_dataset *ds = t_read("rows", "index=1");
    perc_model *m = t_fit(ds, "epochs=1", NULL);
    assert_true(t_score(m, &x) == t_score(m, &near));
    t_free(m, ds);
}

/* ----- new features and new classes -------------------------------------------------------- */

TEST(a_map_grows_with_its_examples)
{
    static const double value[] = { 1, 2, 3 };
    const perc_example x = { NULL, value, 3 };
    perc_model_info info;
    perc_error err = { 0 };

    assert_int_equal(t_put("rows", "a 0:1 1:2\nb 0:-1 1:1\n"), 0);
    perc_dataset *ds = t_read("rows", "map=poly:2");
    perc_model *m = t_fit(ds, "epochs=1", NULL);
    perc_model_info_get(m, &info);
    assert_int_equal(info.features, 2 + 3);
    if (perc_learn(m, &x, "a", 1, NULL, &err)) fail_msg("%s", err.text);
    perc_model_info_get(m, &info);
    assert_int_equal(info.features, 3 + 6);
    t_free(m, ds);
}

/* Rows of ever more labels, large ones among them, for which a copy of the learner is taught first.
 * A row for which memory was refused has left no trace: it is shown again, and the end is the
 * same. */
static perc_status teach_labels(const perc_env *env, struct t_sweep *s, const char *options,
                                double *score)
{
    static const char *const label[] = { "a", "b", "c", "a", "d", "e", "f", "b", "g" };
    perc_params *p = t_params("perceptron", options);
    const double large = strstr(options, "mlp") != NULL ? 3 : 1e130; /* a network has floats */
    perc_status st, refused = PERC_OK;
    perc_model *m;

    assert_int_equal(perc_model_new(env, p, &m, NULL), PERC_OK);
    if (s != NULL) t_sweep_arm(s);
    for (size_t i = 0; i < COUNT(label); i++) {
        const double value[] = { i % 2 ? large : 1, (double)i, i % 3 ? large / -9 : 2 };
        const perc_example x = { NULL, value, 2 + i % 2 };
        st = perc_learn(m, &x, label[i], 1, NULL, NULL);
        if (st == PERC_ENOMEM) {
            refused = st;
            st = perc_learn(m, &x, label[i], 1, NULL, NULL);
        }
        if (st) fail_msg("%s, row %zu: status %d", options, i, (int)st);
    }
    const double ones[] = { 1, 1, 1 };
    const perc_example x = { NULL, ones, 3 };
    for (size_t c = 0; c < 8; c++) score[c] = 0;
    st = perc_score(m, &x, score, NULL);
    if (st == PERC_ENOMEM) refused = st, st = perc_score(m, &x, score, NULL);
    assert_int_equal(st, PERC_OK);
    t_free(m, p);
    return refused;
}

TEST(a_new_class_survives_when_memory_runs_out)
{
    static const char *const how[] = { "algorithm=perceptron",
                                       "algorithm=averaged",
                                       "algorithm=pa1 multiclass=native",
                                       "algorithm=perceptron kernel=linear",
                                       "algorithm=arow multiclass=ovr",
                                       "algorithm=mlp layers=2 inputs=3" };
    double want[8], got[8];

    for (size_t k = 0; k < COUNT(how); k++) {
        assert_int_equal(teach_labels(NULL, NULL, how[k], want), PERC_OK);
        for (struct t_sweep s = { .least = 10, .armed = true }; t_sweep_next(&s);) {
            const perc_status st = teach_labels(&s.env, &s, how[k], got);
            t_sweep_judge(&s, st);
            assert_memory_equal(got, want, sizeof want);
        }
    }
}
