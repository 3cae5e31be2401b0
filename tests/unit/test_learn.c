/* test_learn.c -- learning one example at a time.
 *
 * perc_learn is the learner; a pass over a data set is a loop around it. So n calls
 * of it give the bits of one pass in file order, from nothing, from a trained model
 * or from one that was saved in between. What it refuses leaves no mark. */
#include <math.h>

#include "t.h"
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
