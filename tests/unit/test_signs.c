/* test_signs.c -- which of two labels is +1.
 *
 * The larger number, or the later word, whichever comes first in the file: so the
 * sign of a model never depends on the order of the rows (peers take the first
 * label they see). A number is its value, not its spelling. */
#include "t.h"
#include "t_dir.h"
#include "t_make.h"

static perc_model *fit_file(const char *path, const char *options)
{
    perc_dataset *ds = t_read(path, "format=libsvm");
    perc_model *m = t_fit(ds, options, NULL);

    perc_dataset_free(ds);
    return m;
}

static void assert_labels(const perc_model *m, const char *negative, const char *positive)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    assert_string_equal(info.negative, negative);
    assert_string_equal(info.positive, positive);
}

/* Pairs in their order: the second is +1. */
static const char *const pairs[][2] = {
    { "-1", "1" },   { "0", "1" },    { "1", "2" },
    { "9", "10" },   { "-10", "-9" }, { "-0.5", "0.25" },
    { "1e-3", "1" }, { "2", "1e10" }, { "ham", "spam" },
    { "B", "a" },    { "a", "aa" },   { "no", "yes" },
    { "7", "word" }, { "-", "zero" }, { "\xc3\xa9t\xc3\xa9", "\xc3\xaele" },
};
enum { PAIRS = COUNT(pairs) };

TEST(the_larger_label_is_plus_one_whichever_comes_first)
{
    struct t_data d = t_noise(20, 3, T_REAL, 1, 1);

    for (int k = 0; k < PAIRS; k++) {
        perc_model *model[2];
        char shown[2][64];
        for (int first = 0; first < 2; first++) { /* the label of the first row */
            for (size_t i = 0; i < d.rows; i++) d.y[i] = (i % 3 == 0) == (first == 1) ? 1 : -1;
            t_write(&d, "pair.svm", 1, false, pairs[k][0], pairs[k][1]);
            model[first] = fit_file("pair.svm", "order=file epochs=5");
            perc_model_info info;
            perc_model_info_get(model[first], &info);
            snprintf(shown[first], sizeof shown[first], "%s/%s", info.negative, info.positive);
        }
        assert_string_equal(shown[0], shown[1]);
        /* The rows are the same and all labels exchanged: the machine is negated. */
        for (int j = 0; j < 3; j++) assert_true(t_weights(model[0])[j] == -t_weights(model[1])[j]);
        assert_true(t_offset(model[0]) == -t_offset(model[1]));
        t_free(model[0], model[1]);
    }
    t_data_free(&d);
}

/* The same rows in another order, so that the other label comes first: a machine
 * that separates them still gives the larger label the positive scores. */
TEST(the_order_of_rows_does_not_turn_the_sign)
{
    const double u[] = { 1, -2 };
    struct t_data d = t_planted(40, 2, u, 0.3, 0.2, 2), e = t_copy(&d);

    for (size_t i = 0; i < 40; i++) {
        memcpy(e.x + i * 2, d.x + (39 - i) * 2, 2 * sizeof *e.x);
        e.y[i] = d.y[39 - i];
    }
    assert_true(d.y[0] != e.y[0]); /* t_planted: first and last row differ */
    for (int k = 0; k < PAIRS; k++) {
        for (int turned = 0; turned < 2; turned++) {
            double scores[40];
            perc_error err = { 0 };
            const struct t_data *rows = turned ? &e : &d;
            t_write(rows, "pair.svm", 1, true, pairs[k][0], pairs[k][1]);
            perc_dataset *ds = t_read("pair.svm", "format=libsvm");
            perc_model *m = t_fit(ds, "epochs=100000", NULL);
            if (perc_predict(NULL, m, ds, scores, &err)) fail_msg("%s", err.text);
            for (int i = 0; i < 40; i++) assert_true(rows->y[i] * scores[i] > 0);
            t_free(m, ds);
        }
    }
    t_free(&d, &e);
}

TEST(numbers_are_ordered_by_value_and_words_by_letter)
{
    struct t_data d = t_noise(9, 2, T_REAL, 1, 3);
    static const char *const expect[][4] = {
        { "10", "9", "9", "10" }, /* given in this order: -1 then +1 as text */
        { "b", "a", "a", "b" },   { "x10", "x9", "x10", "x9" }, /* words: by letter */
        { "1", "-1", "-1", "1" }, { "word", "3", "3", "word" }, /* a number comes before a word */
    };

    for (size_t k = 0; k < COUNT(expect); k++) {
        t_write(&d, "order.svm", 1, false, expect[k][0], expect[k][1]);
        perc_model *m = fit_file("order.svm", "epochs=1");
        assert_labels(m, expect[k][2], expect[k][3]);
        perc_model_free(m);
    }
    t_data_free(&d);
}

/* "+1", "1", "1.0", "1e0" and "01" are one label. */
TEST(a_number_is_its_value_not_its_spelling)
{
    static const char *const one[] = { "+1", "1", "1.0", "1e0", "1.", "10e-1", "1.000" };
    struct t_data d = t_noise(30, 3, T_REAL, 1, 4);

    t_write(&d, "plain.svm", 1, false, "-1", "1");
    perc_model *plain = fit_file("plain.svm", "epochs=5");
    for (size_t k = 0; k < COUNT(one); k++) {
        t_write(&d, "other.svm", 1, false, "-1.0", one[k]);
        perc_model *m = fit_file("other.svm", "epochs=5");
        t_assert_same_machine(plain, m);
        assert_labels(m, "-1.0", one[k]); /* as it was written */
        perc_model_free(m);
    }
    t_free(plain, &d);
}

/* Mixed in one file they are still one label, and --positive takes any spelling. */
TEST(spellings_may_be_mixed)
{
    assert_int_equal(t_put("mixed.svm", "+1 1:1 2:3\n-1 1:-1\n1.0 2:2\n1 1:2\n-1.0 2:-3\n"), 0);
    assert_int_equal(t_put("plain.svm", "1 1:1 2:3\n-1 1:-1\n1 2:2\n1 1:2\n-1 2:-3\n"), 0);
    perc_model *a = fit_file("mixed.svm", "epochs=5"), *b = fit_file("plain.svm", "epochs=5");
    t_assert_same_machine(a, b);
    t_free(a, b);
    a = fit_file("mixed.svm", "epochs=5 positive=-1.0");
    assert_labels(a, "+1", "-1");
    perc_model_free(a);
}

static void fit_error(const char *text, const char *options, perc_status status, const char *part)
{
    perc_params *p = t_params("perceptron", options);
    perc_error err = { 0 };
    perc_model *m;

    assert_int_equal(t_put("bad.svm", text), 0);
    perc_dataset *ds = t_read("bad.svm", "format=libsvm");
    assert_int_equal(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), status);
    assert_null(m);
    if (strstr(err.text, part) == NULL) fail_msg("'%s' is not in '%s'", part, err.text);
    t_free(ds, p);
}

TEST(one_label_is_an_error_with_a_remedy)
{
    fit_error("1 1:1\n1 1:2\n", "", PERC_EDATA, "all rows have the label '1'");
    fit_error("1 1:1\n2 1:2\n", "positive=3", PERC_EDATA, "no row has the label '3'");
    fit_error("1 1:1\n1 1:2\n", "positive=1", PERC_EDATA, "two classes");
}
