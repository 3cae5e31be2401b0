/* test_supports.c -- the examples that a kernel machine is made of: their counters are counted
 * once more, by an observer of the run, and their coefficients must give the scores. */
#include "t_line.h"

#include <math.h>

static perc_support *list_of(const perc_model *m, uint64_t *n)
{
    perc_model_info info;
    perc_error err = { 0 };

    perc_model_info_get(m, &info);
    perc_support *list = calloc((size_t)info.supports + 1, sizeof *list);
    assert_non_null(list);
    list[info.supports].row = -77; /* nothing is written behind the last */
    if (perc_model_supports(m, list, &err)) fail_msg("%s", err.text);
    assert_int_equal(list[info.supports].row, -77);
    *n = info.supports;
    return list;
}

/* ----- by hand -------------------------------------------------------------------------- */

static void is_list(const perc_model *m, const int64_t (*want)[3], size_t n)
{
    uint64_t got;
    perc_support *list = list_of(m, &got);

    assert_int_equal(got, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(list[i].row, want[i][0]);
        assert_int_equal(list[i].counter, want[i][1]);
        assert_int_equal(list[i].label, want[i][2]);
        assert_true(list[i].coefficient == (double)(want[i][2] > 0 ? want[i][1] : -want[i][1]));
    }
    free(list);
}

/* Equal rows with different labels: each has its own counter, and a row that was set aside
 * has none. */
TEST(equal_rows_are_told_apart)
{
    static const int64_t aside[][3] = { { 0, 4, 0 }, { 1, 1, 1 }, { 2, 1, 1 }, { 4, 4, 1 } };
    static const int64_t twice[][3] = { { 0, 3, 0 }, { 1, 3, 1 }, { 2, 1, 1 }, { 4, 1, 0 } };
    perc_report r;

    assert_int_equal(t_put("rows", "-1 1:0 2:0\n1 1:0 2:1\n1 1:1 2:0\n-1 1:1 2:1\n1 1:1 2:1\n"), 0);
    perc_dataset *ds = t_read("rows", "");
    perc_model *m = t_fit(ds, "kernel=rbf gamma=1 order=file drop-after=5", &r);
    is_list(m, aside, COUNT(aside));
    assert_int_equal(perc_model_dropped(m, 0), 3);
    assert_int_equal(r.supports, COUNT(aside));
    t_free(m, ds);
    assert_int_equal(t_put("rows", "-1 1:0\n1 1:0\n1 1:0\n1 1:0\n-1 1:1 2:1\n"), 0);
    ds = t_read("rows", "");
    m = t_fit(ds, "kernel=rbf gamma=1 order=file epochs=3", &r);
    is_list(m, twice, COUNT(twice));
    t_free(m, ds);
}

/* ----- against the events of the run -------------------------------------------------------- */

enum { ROWS = 120 };

/* Few places, so that many rows are equal, and some of them have other labels. */
static void write_places(const char *path, unsigned labels, unsigned seed)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (int i = 0; i < ROWS; i++) {
        const unsigned x = next(&seed, 5), y = next(&seed, 4);
        const unsigned c = next(&seed, 6) == 0 ? next(&seed, labels) : (x + y) % labels;
        fprintf(f, "%c 1:%u 2:%u\n", 'a' + (int)c, x, y);
    }
    assert_int_equal(fclose(f), 0);
}

static int count_updates(void *ud, const perc_event *e)
{
    if (e->row >= 0) ((int64_t *)ud)[e->row] += e->updated;
    return 0;
}

TEST(counters_are_those_of_the_run)
{
    static const struct {
        unsigned labels;
        const char *options;
    } cases[] = {
        { 2, "algorithm=perceptron" },
        { 2, "algorithm=averaged" },
        { 2, "algorithm=voted" },
        { 2, "algorithm=pa1" },
        { 2, "algorithm=margin" },
        { 2, "algorithm=perceptron drop-after=3" },
        { 3, "algorithm=perceptron" },
        { 3, "algorithm=averaged multiclass=native" },
        { 4, "algorithm=perceptron multiclass=native drop-after=4" },
        { 3, "algorithm=pa2 multiclass=ovr" },
        { 3, "algorithm=perceptron positive=b" },
    };
    char options[200];

    for (unsigned k = 0; k < 3 * COUNT(cases); k++) {
        int64_t counter[ROWS] = { 0 };
        const perc_observer watch = { PERC_WATCH_UPDATES, count_updates, counter };
        const char *own = cases[k / 3].options;
        perc_report r;
        uint64_t n, want = 0;
        snprintf(options, sizeof options, "%s kernel=rbf gamma=0.9 epochs=6 seed=%u", own, k);
        write_places("rows", cases[k / 3].labels, k);
        perc_dataset *ds = t_read("rows", "");
        perc_model *m = t_fit_watched(ds, options, &watch, &r);
        for (size_t i = 0; i < r.dropped; i++) counter[perc_model_dropped(m, i)] = 0;
        perc_support *list = list_of(m, &n);
        for (size_t i = 0; i < ROWS; i++) {
            if (counter[i] == 0) continue;
            const int label = perc_dataset_row_label(ds, i);
            const bool one = strstr(own, "positive") != NULL;
            assert_true(want < n);
            assert_int_equal(list[want].row, i);
            assert_int_equal(list[want].counter, counter[i]);
            if (list[want].label >= 0 || cases[k / 3].labels == 2)
                assert_int_equal(list[want].label, one ? label == 1 : label);
            want++;
        }
        assert_int_equal(n, want);
        assert_int_equal(r.supports, n);
        if (strstr(own, "drop") != NULL) assert_true(r.dropped > 0); /* guard */
        free(list);
        t_free(m, ds);
    }
}

/* s(x) = sum of coefficient_i K(x_i, x) + b, over the examples. */
TEST(coefficients_give_the_scores)
{
    static const char *const rules[] = { "algorithm=perceptron", "algorithm=averaged",
                                         "algorithm=pocket", "algorithm=pa1",
                                         "algorithm=perceptron drop-after=3" };
    char options[200];

    write_places("rows", 2, 4);
    perc_dataset *ds = t_read("rows", "");
    for (size_t k = 0; k < COUNT(rules); k++) {
        uint64_t n;
        double scores[ROWS], x[2], z[2];
        snprintf(options, sizeof options, "%s kernel=rbf gamma=0.9 epochs=4", rules[k]);
        perc_model *m = t_fit(ds, options, NULL);
        perc_support *list = list_of(m, &n);
        assert_int_equal(perc_predict(NULL, m, ds, scores, NULL), PERC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            double s = perc_model_offset(m, 0);
            perc_dataset_row(ds, i, x);
            for (size_t j = 0; j < n; j++) {
                perc_dataset_row(ds, (uint64_t)list[j].row, z);
                s += list[j].coefficient * exp(-0.9 * (pow(x[0] - z[0], 2) + pow(x[1] - z[1], 2)));
            }
            assert_true(fabs(s - scores[i]) < 1e-9);
        }
        free(list);
        perc_model_free(m);
    }
    perc_model *m = t_fit(ds, "kernel=rbf epochs=2 multiclass=native", NULL);
    uint64_t n;
    perc_support *list = list_of(m, &n);
    assert_true(n > 0 && isnan(list[0].coefficient));
    free(list);
    t_free(m, ds);
}

/* ----- lines ---------------------------------------------------------------------------------- */

/* The number is kept line by line, as classes come; counted anew it is the same. */
TEST(lines_are_counted_as_they_come)
{
    static const char *const options[] = {
        "algorithm=perceptron kernel=rbf gamma=1",
        "algorithm=averaged kernel=rbf gamma=1",
        "algorithm=perceptron kernel=rbf gamma=1 multiclass=native",
        "algorithm=margin kernel=poly degree=2 multiclass=ovr",
        "algorithm=voted kernel=rbf gamma=1 multiclass=ovr",
        "algorithm=perceptron kernel=linear offset=false multiclass=ovr",
        "algorithm=perceptron kernel=linear offset=false",
    };
    char line[100];

    for (unsigned k = 0; k < 2 * COUNT(options); k++) {
        perc_model *m = untaught(options[k / 2], "format=libsvm index=1");
        uint64_t last = 0;
        unsigned seed = k;
        for (unsigned t = 0; t < ROWS; t++) { /* labels that come late: until then one is unseen */
            const unsigned x = next(&seed, 5), y = next(&seed, 4), most = k % 2 ? 2 : 5;
            const unsigned labels = 1 + t / 12 < most ? 1 + t / 12 : most;
            snprintf(line, sizeof line, "%c 1:%d 2:%d\n", 'a' + (int)((x > 1) + y) % (int)labels,
                     (int)x - 2, (int)y - 1);
            show(m, line);
            perc_model *back;
            uint64_t a, b;
            assert_int_equal(perc_model_write(m, "model", NULL), PERC_OK);
            assert_int_equal(perc_model_read(NULL, "model", &back, NULL), PERC_OK);
            perc_support *list = list_of(m, &a), *read = list_of(back, &b);
            assert_int_equal(a, b);
            for (uint64_t i = 0; i < a; i++) {
                assert_true(list[i].counter > 0 && (i == 0 || list[i].row > list[i - 1].row));
                assert_true(list[i].row == read[i].row && list[i].counter == read[i].counter);
            }
            assert_true(a >= last);
            last = a;
            free(list);
            free(read);
            perc_model_free(back);
        }
        assert_true(last > 5);
        perc_model_free(m);
    }
}

/* A stream is told as the same rows in memory are. */
TEST(streams_are_counted)
{
    perc_report a, b;

    write_places("rows", 3, 8);
    perc_dataset *ds = t_read("rows", "index=1");
    perc_model *m = t_fit(ds, "kernel=rbf gamma=1 order=file epochs=3", &a);
    perc_model *s = t_stream("rows", "index=1", "kernel=rbf gamma=1 order=file epochs=3", &b);
    assert_true(a.supports > 0);
    assert_int_equal(a.supports, b.supports);
    t_free(m, s, ds);
}

/* ----- budgets ------------------------------------------------------------------------------ */

TEST(a_budget_knows_no_counters)
{
    for (unsigned labels = 2; labels < 4; labels++) {
        uint64_t n;
        unsigned met = 0;
        write_places("rows", labels, labels);
        perc_dataset *ds = t_read("rows", "");
        perc_model *m = t_fit(ds, "algorithm=margin kernel=rbf budget=7 epochs=3", NULL);
        perc_support *list = list_of(m, &n);
        assert_int_equal(n, 7);
        for (uint64_t i = 0; i < n; i++) {
            assert_true(list[i].row == -1 && list[i].counter == -1);
            assert_true(list[i].label >= 0 && list[i].label < labels);
            assert_int_equal(isnan(list[i].coefficient), labels > 2);
            if (labels == 2) assert_int_equal(list[i].label, list[i].coefficient > 0);
            met |= 1u << list[i].label;
        }
        assert_int_equal(met, (1u << labels) - 1); /* no label does without rows */
        free(list);
        t_free(m, ds);
    }
}
