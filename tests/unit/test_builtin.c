/* test_builtin.c -- the promises of the sets that come with the program. */
#include <math.h>

#include "data/dataset.h"
#include "t.h"
#include "t_alloc.h"
#include "vec/rng.h"

static perc_dataset *builtin(const char *name)
{
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_read(NULL, name, NULL, &ds, &err)) fail_msg("%s: %s", name, err.text);
    return ds;
}

TEST(reading_takes_no_longer_than_it_does)
{
    const double begun = clock_seconds();
    perc_dataset *ds = builtin(":iris");
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    assert_true(info.seconds >= 0 && info.seconds <= clock_seconds() - begun);
    perc_dataset_free(ds);
}

static double label_of(const perc_dataset *ds, uint64_t i)
{
    return strtod(ds->labels.at[perc_dataset_row_label(ds, i)].text, NULL);
}

TEST(truth_tables_are_in_the_order_of_the_courses)
{
    static const struct {
        const char *name;
        int rows, features;
        double at[4][3];
    } t[] = {
        { ":and", 4, 2, { { 0, 0, -1 }, { 0, 1, -1 }, { 1, 0, -1 }, { 1, 1, 1 } } },
        { ":or", 4, 2, { { 0, 0, -1 }, { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 1 } } },
        { ":not", 2, 1, { { 0, 1 }, { 1, -1 } } },
        { ":xor", 4, 2, { { 0, 0, -1 }, { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, -1 } } },
        { ":xnor", 4, 2, { { 0, 0, 1 }, { 1, 1, 1 }, { 0, 1, -1 }, { 1, 0, -1 } } },
        { ":square", 4, 2, { { 1, 1, 1 }, { 2, 2, 1 }, { 1, 2, -1 }, { 2, 1, -1 } } },
    };
    double x[2];

    for (size_t k = 0; k < COUNT(t); k++) {
        perc_dataset *ds = builtin(t[k].name);
        perc_dataset_info info;
        perc_dataset_info_get(ds, &info);
        assert_int_equal(info.rows, t[k].rows);
        assert_int_equal(info.features, t[k].features);
        assert_string_equal(info.format, "builtin");
        for (int i = 0; i < t[k].rows; i++) {
            perc_dataset_row(ds, (uint64_t)i, x);
            for (int j = 0; j < t[k].features; j++) assert_true(x[j] == t[k].at[i][j]);
            assert_true(label_of(ds, (uint64_t)i) == t[k].at[i][t[k].features]);
        }
        perc_dataset_free(ds);
    }
}

/* Passes of the plain perceptron until one is without mistakes; 0: too many. */
static int passes(double (*x)[2], const double *y, uint64_t seed)
{
    double w[2] = { 0, 0 }, b = 0;
    uint64_t order[85];

    for (int pass = 1; pass <= 200; pass++) {
        struct rng rng = rng_seed(seed, (uint64_t)pass);
        int mistakes = 0;
        for (uint64_t i = 0; i < 85; i++) order[i] = i;
        rng_shuffle(&rng, order, 85);
        for (int k = 0; k < 85; k++) {
            const uint64_t i = order[k];
            if (y[i] * (w[0] * x[i][0] + w[1] * x[i][1] + b) > 0) continue;
            w[0] += y[i] * x[i][0];
            w[1] += y[i] * x[i][1];
            b += y[i];
            mistakes++;
        }
        if (mistakes == 0) return pass;
    }
    return 0;
}

TEST(blobs85_are_separable_and_each_order_takes_its_own_time)
{
    perc_dataset *ds = builtin(":blobs85");
    double x[85][2], y[85];
    int least = 1000, most = 0, four[4];

    assert_int_equal(ds->rows, 85);
    for (uint64_t i = 0; i < 85; i++) {
        perc_dataset_row(ds, i, x[i]);
        y[i] = label_of(ds, i);
    }
    assert_true(x[0][0] == 0.43 && x[0][1] == -1.16); /* these points, for good */
    for (uint64_t seed = 0; seed < 20; seed++) {
        const int n = passes(x, y, seed);
        assert_true(n > 0); /* it settles: a line separates them */
        if (n < least) least = n;
        if (n > most) most = n;
        if (seed < 4) four[seed] = n;
    }
    assert_true(least >= 3 && most <= 40 && most >= 3 * least);
    assert_true(four[0] != four[1] || four[1] != four[2]);
    perc_dataset_free(ds);
}

static double column_mean(const perc_dataset *ds, size_t j)
{
    double x[30], sum = 0;

    for (uint64_t i = 0; i < ds->rows; i++) {
        perc_dataset_row(ds, i, x);
        sum += x[j];
    }
    return sum / (double)ds->rows;
}

/* Known figures: R's iris (mean 5.843, 3.057, 3.758, 1.199). */
TEST(iris_has_the_figures_of_fisher)
{
    static const double mean[] = { 5.843333, 3.057333, 3.758, 1.199333 };
    static const char *const names[] = { "sepal length", "sepal width", "petal length",
                                         "petal width" };
    static const char *const labels[] = { "setosa", "versicolor", "virginica" };
    perc_dataset *ds = builtin(":iris");

    assert_int_equal(ds->rows, 150);
    assert_int_equal(ds->labels.n, 3);
    for (size_t j = 0; j < 4; j++) {
        assert_true(fabs(column_mean(ds, j) - mean[j]) < 1e-6); /* given to six places */
        assert_string_equal(perc_dataset_feature(ds, j), names[j]);
    }
    for (uint64_t i = 0; i < 150; i++)
        assert_string_equal(perc_dataset_label(ds, (size_t)perc_dataset_row_label(ds, i)),
                            labels[i / 50]);
    perc_dataset_free(ds);
}

/* Known figures: 357 benign, 212 malignant; means as scikit-learn's copy has them. */
TEST(cancer_has_the_figures_of_wisconsin)
{
    static const struct {
        size_t column;
        const char *name;
        double mean;
    } known[] = {
        { 0, "mean radius", 14.127292 },    { 1, "mean texture", 19.289649 },
        { 2, "mean perimeter", 91.969033 }, { 3, "mean area", 654.889104 },
        { 10, "radius error", 0.405172 },   { 29, "worst fractal dimension", 0.083946 },
    };
    perc_dataset *ds = builtin(":cancer");
    uint64_t malignant = 0;
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    assert_int_equal(info.rows, 569);
    assert_int_equal(info.features, 30);
    assert_string_equal(perc_dataset_label(ds, 0), "benign");
    assert_string_equal(perc_dataset_label(ds, 1), "malignant");
    for (uint64_t i = 0; i < 569; i++) malignant += perc_dataset_row_label(ds, i) == 1;
    assert_int_equal(malignant, 212);
    for (size_t k = 0; k < COUNT(known); k++) {
        assert_true(fabs(column_mean(ds, known[k].column) - known[k].mean) < 1e-6);
        assert_string_equal(perc_dataset_feature(ds, known[k].column), known[k].name);
    }
    perc_dataset_free(ds);
}

TEST(an_unknown_built_in_set_lists_those_there_are)
{
    const struct env e = env_resolve(NULL);
    perc_error err = { 0 };
    perc_dataset *ds;

    assert_int_equal(builtin_read(&e, ":nope", &ds, &err), PERC_EARG);
    assert_null(ds);
    assert_non_null(strstr(err.text, ":nope"));
    assert_non_null(strstr(err.text, ":blobs85 :iris :cancer"));
}

/* Fails allocation 0, 1, 2, ... until there is one more than needed. */
TEST(running_out_of_memory_leaves_nothing_behind)
{
    static const char *const what[] = { ":xor", ":blobs85", ":iris", ":cancer" };

    for (size_t k = 0; k < COUNT(what); k++) {
        for (struct t_sweep s = { .least = 5 }; t_sweep_next(&s);) {
            const struct env e = env_resolve(&s.env);
            perc_error err = { 0 };
            perc_dataset *ds;
            const perc_status st = builtin_read(&e, what[k], &ds, &err);
            assert_true((st == PERC_OK) == (ds != NULL));
            perc_dataset_free(ds);
            t_sweep_judge(&s, st);
        }
    }
}
