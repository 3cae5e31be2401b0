/* test_start.c -- where a run begins: words, files of numbers, models; what does not fit is
 * refused with its reason. */
#include <math.h>

#include "t_alloc.h"
#include "t_dir.h"
#include "t_hostile.h"
#include "t_make.h"
#include "t_model.h"

/* A model of a file, written for others to begin with. */
static void make_start(const char *path, const char *data, const char *options, const char *to)
{
    perc_error err = { 0 };
    perc_dataset *ds = t_read(path, data);
    perc_model *m = t_fit(ds, options, NULL);

    if (perc_model_write(m, to, &err)) fail_msg("%s", err.text);
    t_free(m, ds);
}

/* In memory, and with a place for errors as without. */
static void refused(const char *path, const char *data, const char *options, perc_status status,
                    const char *part)
{
    perc_dataset *ds = t_read(path, data);
    perc_params *p = t_params("perceptron", options);
    perc_error err = { 0 };
    perc_model *m;

    assert_refused(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), status, &err, part);
    assert_null(m);
    assert_int_equal(perc_fit(NULL, ds, p, NULL, &m, NULL, NULL), status);
    t_free(ds, p);
}

static void refused_new(const char *options, perc_status status, const char *part)
{
    perc_params *p = t_params("perceptron", options);
    perc_error err = { 0 };
    perc_model *m;

    assert_refused(perc_model_new(NULL, p, &m, &err), status, &err, part);
    assert_null(m);
    perc_params_free(p);
}

/* Nothing learned: the weights are the start. */
static perc_model *begin(const char *path, const char *data, const char *options)
{
    char all[512];
    perc_dataset *ds = t_read(path, data);

    snprintf(all, sizeof all, "epochs=0 %s", options);
    perc_model *m = t_fit(ds, all, NULL);
    perc_dataset_free(ds);
    return m;
}

/* ----- a model's scaling ----------------------------------------------------------------- */

static const char OLD[] = "a,c,b,y\n10,red,1,no\n30,blue,5,yes\n20,red,9,no\n40,blue,1,yes\n";
static const char NEW[] = "n,b,c,a,y\n7,2,green,100,no\n9,3,red,300,yes\n20,4,green,100,yes\n";

static perc_status read_start(const perc_env *env, const char *scale, const char *missing,
                              perc_dataset **ds, perc_error *err)
{
    perc_params *p = t_params("perceptron", "epochs=0 init=old.m");
    perc_params *data;

    assert_int_equal(perc_params_new(NULL, "data", &data, NULL), PERC_OK);
    if (scale != NULL) assert_int_equal(perc_params_set(data, "scale", scale, NULL), PERC_OK);
    if (missing != NULL) assert_int_equal(perc_params_set(data, "missing", missing, NULL), PERC_OK);
    const perc_status st = perc_dataset_read_start(env, p, "new.csv", data, ds, err);
    perc_params_free(p);
    perc_params_free(data);
    return st;
}

static void write_old(const char *scale)
{
    perc_error err = { 0 };
    perc_params *data;
    perc_dataset *ds;

    assert_int_equal(t_put("old.csv", OLD), 0);
    assert_int_equal(t_put("new.csv", NEW), 0);
    assert_int_equal(perc_params_new(NULL, "data", &data, NULL), PERC_OK);
    assert_int_equal(perc_params_set(data, "scale", scale, NULL), PERC_OK);
    assert_int_equal(perc_dataset_read(NULL, "old.csv", data, &ds, NULL), PERC_OK);
    perc_model *m = t_fit(ds, "epochs=3 order=file", NULL);
    if (perc_model_write(m, "old.m", &err)) fail_msg("%s", err.text);
    t_free(m, ds);
    perc_params_free(data);
}

/* What the model knows is scaled by its numbers; a new level of a category is as it is and
 * begins at 0; a new column of numbers is scaled by its own. */
TEST(a_models_scaling_goes_on_with_its_weights)
{
    perc_report r;
    perc_dataset *ds;
    perc_error err = { 0 };
    double x[5];

    write_old("auto");
    assert_int_equal(read_start(NULL, "auto", NULL, &ds, &err), PERC_OK);
    perc_dataset_row(ds, 0, x);
    assert_true(x[0] == (7.0 - 12) / sqrt(98.0 / 3)); /* n: mean 12 */
    assert_true(x[1] == (2 - 4.0) / sqrt(11));        /* b: 4, 11 in old.csv */
    assert_true(x[2] == (100 - 25) / sqrt(125));      /* a: 25, 125 */
    assert_true(x[3] == 1 && x[4] == 0);              /* c=green, c=red */
    perc_model *old, *m = t_fit(ds, "epochs=0 init=old.m", &r);
    assert_int_equal(perc_model_read(NULL, "old.m", &old, NULL), PERC_OK);
    assert_true(r.start_found == 3 && r.start_missing == 2 && r.start_unused == 1);
    assert_true(perc_model_weight(m, 0, 0) == 0 && perc_model_weight(m, 3, 0) == 0);
    assert_true(perc_model_weight(m, 1, 0) == perc_model_weight(old, 1, 0));
    assert_true(perc_model_weight(m, 2, 0) == perc_model_weight(old, 0, 0));
    assert_true(perc_model_weight(old, 0, 0) != 0 && t_offset(m) == t_offset(old));
    perc_model_free(old);
    t_free(m, ds);
}

TEST(another_scaling_than_the_models_is_refused)
{
    static const char *const scale[] = { "none", "minmax", "by:2" };
    perc_dataset *ds;
    perc_error err = { 0 };

    write_old("standard");
    for (size_t i = 0; i < COUNT(scale); i++)
        assert_refused(read_start(NULL, scale[i], NULL, &ds, &err), PERC_EARG, &err,
                       "old.m has its own scaling");
    assert_int_equal(read_start(NULL, "standard", NULL, &ds, &err), PERC_OK);
    perc_dataset_free(ds);
    write_old("none"); /* nothing is scaled, not even by auto */
    assert_int_equal(read_start(NULL, "auto", NULL, &ds, &err), PERC_OK);
    double x[5];
    perc_dataset_row(ds, 0, x);
    assert_true(x[0] == 7 && x[2] == 100);
    perc_dataset_free(ds);
}

TEST(numbers_as_a_start_are_about_what_was_read)
{
    perc_params *p = t_params("perceptron", "init=w"), *data;
    perc_dataset *ds;
    double x[5];

    assert_int_equal(t_put("w", "1 2 3 4 5"), 0);
    assert_int_equal(t_put("new.csv", NEW), 0);
    assert_int_equal(perc_params_new(NULL, "data", &data, NULL), PERC_OK);
    assert_int_equal(perc_params_set(data, "scale", "auto", NULL), PERC_OK);
    assert_int_equal(perc_dataset_read_start(NULL, p, "new.csv", data, &ds, NULL), PERC_OK);
    perc_dataset_row(ds, 0, x);
    assert_true(x[0] == 7 && x[2] == 100);
    t_free(ds, p);
    perc_params_free(data);
}

/* ----- words and numbers ------------------------------------------------------------------ */

TEST(what_is_no_word_is_a_file)
{
    static const char *const files[] = { "unit:0", "unit:x", "unit:-3", "units", "random:", "one" };
    char options[64];

    assert_int_equal(t_put("rows", "a 1:1\nb 2:1\n"), 0);
    for (size_t i = 0; i < COUNT(files); i++) {
        snprintf(options, sizeof options, "init=%s", files[i]);
        refused("rows", "", options, PERC_EIO, files[i]);
    }
    perc_model *m = begin("rows", "", "init=unit:4");
    assert_true(perc_model_weight(m, 0, 0) == 0.5 && perc_model_weight(m, 3, 0) == 0.5);
    perc_model_free(m);
}

TEST(numbers_are_taken_as_people_write_them)
{
    static const char *const same[] = { "0.5 -2 b 3", "0.5,-2\r\n\tb3", "# w\n0.5#one\n-2 b\n3 # b",
                                        "0.5 -2 b 3#" };

    assert_int_equal(t_put("rows", "a 1:1\nb 2:1\n"), 0);
    for (size_t i = 0; i < COUNT(same); i++) {
        assert_int_equal(t_put("w", same[i]), 0);
        perc_model *m = begin("rows", "", "init=w");
        assert_true(perc_model_weight(m, 0, 0) == 0.5 && perc_model_weight(m, 1, 0) == -2);
        assert_true(t_offset(m) == 3);
        perc_model_free(m);
    }
}

TEST(numbers_that_are_none_have_a_place)
{
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } list[] = {
        { "1 2x", 1, 3, "this is no number" },
        { "1\n 1e999", 2, 2, "number too large" },
        { "1 b b 2", 1, 5, "not a number" },
        { "1 b 2 b 3", 1, 7, "not a number" },
        { "1 b 2\n3", 2, 1, "the offset b is the last" },
        { "1\nb\n", 3, 0, "the number after the letter b is missing" },
        { "# nothing", 0, 0, "there is no number in this file" },
    };
    perc_params *p = t_params("perceptron", "init=w");
    char place[32], words[128];

    assert_int_equal(t_put("rows", "a 1:1\nb 2:1\n"), 0);
    for (size_t i = 0; i < COUNT(list); i++) {
        perc_error err = { 0 };
        assert_int_equal(t_put("w", list[i].text), 0);
        assert_refused_at(perc_start_check(NULL, p, &err), PERC_EDATA, &err, list[i].line,
                          list[i].column, list[i].words);
        /* A run has two files: the text says which. */
        place[0] = '\0';
        if (list[i].line > 0) snprintf(place, sizeof place, ":%d", list[i].line);
        if (list[i].column > 0)
            snprintf(place, sizeof place, ":%d:%d", list[i].line, list[i].column);
        snprintf(words, sizeof words, "--init w%s: ", place);
        refused("rows", "", "init=w", PERC_EDATA, words);
        refused("rows", "", "init=w", PERC_EDATA, list[i].words);
        refused_new("init=w positive=b", PERC_EDATA, words);
    }
    perc_params_free(p);
}

TEST(numbers_are_one_vector)
{
    assert_int_equal(t_put("three", "a 1:1\nb 2:1\nc 1:-1\n"), 0);
    assert_int_equal(t_put("w", "1 2"), 0);
    refused("three", "", "init=w", PERC_EDATA, "more than two classes");
    refused("three", "", "init=w multiclass=native", PERC_EDATA, "more than two classes");
    /* A model without data finds out when it begins, and has not begun then. */
    perc_params *p = t_params("perceptron", "init=w classes=a,b,c");
    const double one = 1;
    const perc_example x = { NULL, &one, 1 };
    perc_error err = { 0 };
    perc_model *m;
    if (perc_model_new(NULL, p, &m, &err)) fail_msg("%s", err.text);
    assert_refused(perc_model_write(m, "none", &err), PERC_EARG, &err, "has not begun");
    assert_refused(perc_learn(m, &x, "a", 1, NULL, &err), PERC_EDATA, &err, "one w");
    assert_refused(perc_learn_begin(m, NULL, &err), PERC_EDATA, &err, "one w");
    t_free(m, p);
}

/* ----- a model ------------------------------------------------------------------------------ */

/* Of two classes, one that both know is enough; the other way round, weights are negated. */
TEST(a_model_gives_weights_to_the_classes_it_knows)
{
    static const struct {
        const char *rows, *options;
        double sign;
    } list[] = {
        { "a 1:1\nb 2:1\n", "", 1 },
        { "a 1:1\nc 2:1\n", "positive=c", 1 },  /* a is the first of both */
        { "b 1:1\nc 2:1\n", "positive=c", -1 }, /* b was the second */
        { "a 1:1\nb 2:1\n", "positive=a", -1 },
        { "a 1:1\nb 2:1\nc 1:2\n", "positive=b", 1 },
    };

    assert_int_equal(t_put("rows", "a 1:1\nb 2:1\na 1:3\n"), 0);
    make_start("rows", "", "epochs=3", "start");
    perc_model *from;
    assert_int_equal(perc_model_read(NULL, "start", &from, NULL), PERC_OK);
    for (size_t i = 0; i < COUNT(list); i++) {
        char options[64];
        assert_int_equal(t_put("other", list[i].rows), 0);
        snprintf(options, sizeof options, "init=start %s", list[i].options);
        perc_model *m = begin("other", "", options);
        if (perc_model_weight(m, 0, 0) != list[i].sign * perc_model_weight(from, 0, 0) ||
            perc_model_weight(m, 1, 0) != list[i].sign * perc_model_weight(from, 1, 0))
            fail_msg("%zu: %g %g", i, perc_model_weight(m, 0, 0), perc_model_weight(m, 1, 0));
        perc_model_free(m);
    }
    perc_model_free(from);
    refused("rows", "", "init=start classes=a,c", PERC_EDATA, "'b'");
}

TEST(a_model_with_products_is_a_start_for_the_same)
{
    assert_int_equal(t_put("rows", "a 1:1 2:2\nb 1:-1 2:1\na 1:3 2:-1\nb 2:1\n"), 0);
    make_start("rows", "map=poly:2", "epochs=5", "start");
    perc_model *m = begin("rows", "map=poly:2", "init=start"), *from;
    perc_model_info info;

    assert_int_equal(perc_model_read(NULL, "start", &from, NULL), PERC_OK);
    perc_model_info_get(m, &info);
    assert_int_equal(info.features, 5);
    for (uint64_t j = 0; j < info.features; j++)
        assert_true(perc_model_weight(m, j, 0) == perc_model_weight(from, j, 0));
    t_free(m, from);
}

TEST(data_that_were_changed_otherwise_are_refused)
{
    static const struct {
        const char *of, *with;
        const char *path, *data;
        const char *words; /* NULL: it is a start */
    } list[] = {
        { "rows", "scale=standard", "rows", "scale=standard", NULL },
        { "rows", "scale=standard", "moved", "scale=standard", "other numbers" },
        { "rows", "scale=maxabs", "moved", "scale=maxabs", "other numbers" },
        { "rows", "scale=maxabs", "wider", "scale=maxabs", NULL },
        { "rows", "scale=standard", "rows", "", "--scale standard" },
        { "rows", "hash=4", "rows", "hash=5", "another --hash" },
        { "rows", "hash=4", "rows", "", "another --hash" },
        { "rows", "hash=4", "rows", "hash=4", NULL },
        { "rows", "map=poly:2", "rows", "map=poly:3", "another --map" },
        { "rows", "map=poly:2", "base", "map=poly:2", "another order" },
        { "names.csv", "", "rows", "", "no feature" },
        { "rows", "", "names.csv", "", "no feature" },
        { "names.csv", "", "names.csv", "", NULL },
    };

    assert_int_equal(t_put("rows", "a 1:1 2:2\nb 1:-1 2:1\na 1:3 2:-1\nb 2:1\n"), 0);
    assert_int_equal(t_put("moved", "a 1:1 2:2\nb 1:-1 2:1\na 1:9 2:-1\nb 2:1\n"), 0);
    assert_int_equal(t_put("wider", "a 1:1 2:2\nb 1:-1 2:1 3:1\na 1:3 2:-1\nb 2:1\n"), 0);
    assert_int_equal(t_put("base", "a 0:1 1:2\nb 0:-1 1:1\n"), 0);
    assert_int_equal(t_put("names.csv", "u,v,label\n1,2,a\n-1,1,b\n"), 0);
    for (size_t i = 0; i < COUNT(list); i++) {
        make_start(list[i].of, list[i].with, "epochs=2", "start");
        if (list[i].words == NULL) perc_model_free(begin(list[i].path, list[i].data, "init=start"));
        else refused(list[i].path, list[i].data, "init=start", PERC_EDATA, list[i].words);
    }
}

/* ----- a budget ------------------------------------------------------------------------------ */

static void write_ring(const char *path, const char *const *label, size_t labels)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    for (int i = 0; i < 24; i++)
        fprintf(f, "%s 1:%d 2:%d\n", label[(size_t)(i * i) % labels], i % 5, i % 7 - 3);
    fclose(f);
}

/* With room for all its rows, a budget answers as the machine that it begins with; so does one that
 * begins with a budget. */
TEST(a_budget_begins_with_the_rows_of_a_model)
{
    static const char *const labels[] = { "a", "b", "c" };
    static const struct {
        size_t labels;
        const char *from, *more;
        double sign;
    } list[] = {
        { 2, "kernel=rbf gamma=0.5", "", 1 },
        { 2, "kernel=rbf gamma=0.5 offset=false", "offset=false", 1 },
        { 2, "kernel=rbf gamma=0.5 budget=40", "", 1 },
        { 2, "kernel=rbf gamma=0.5 budget=40 positive=a", "positive=b", -1 },
        { 3, "kernel=rbf gamma=0.5 budget=40 multiclass=native", "multiclass=native", 1 },
        { 3, "kernel=rbf gamma=0.5 multiclass=ovr", "multiclass=ovr", 1 },
    };

    for (size_t i = 0; i < COUNT(list); i++) {
        char options[256];
        size_t n, same;
        perc_model *from;
        write_ring("rows", labels, list[i].labels);
        snprintf(options, sizeof options, "epochs=2 %s", list[i].from);
        make_start("rows", "", options, "start");
        assert_int_equal(perc_model_read(NULL, "start", &from, NULL), PERC_OK);
        snprintf(options, sizeof options, "init=start kernel=rbf gamma=0.5 budget=40 %s",
                 list[i].more);
        perc_model *m = begin("rows", "", options);
        perc_dataset *ds = t_read("rows", "");
        double *a = t_scores(from, ds, &n), *b = t_scores(m, ds, &same);
        assert_int_equal(n, same);
        for (size_t k = 0; k < n; k++)
            if (!(b[k] - list[i].sign * a[k] < 1e-12 && list[i].sign * a[k] - b[k] < 1e-12))
                fail_msg("%zu: score %zu is %g, not %g", i, k, b[k], list[i].sign * a[k]);
        free(a);
        free(b);
        t_free(m, from, ds);
    }
}

TEST(a_budget_begins_with_its_own_kernel_alone)
{
    static const char *const labels[] = { "a", "b" };
    static const struct {
        const char *from, *options;
        perc_status status;
        const char *words;
    } list[] = {
        { "", "kernel=rbf gamma=1 budget=9", PERC_EARG, "has none" },
        { "kernel=rbf gamma=1", "kernel=poly budget=9", PERC_EDATA, "pass --kernel rbf" },
        { "kernel=rbf gamma=1", "kernel=rbf gamma=2 budget=9", PERC_EDATA, "gamma 1 (pass" },
        { "kernel=poly gamma=1", "kernel=poly gamma=1 coef0=2 budget=9", PERC_EDATA,
          "degree and coef0" },
        { "kernel=poly gamma=1", "kernel=poly gamma=1 degree=2 budget=9", PERC_EDATA,
          "degree and coef0" },
        { "kernel=linear", "kernel=linear budget=9 budget-policy=forgetron", PERC_EARG,
          "begins at zero" },
    };

    write_ring("rows", labels, 2);
    for (size_t i = 0; i < COUNT(list); i++) {
        char options[128];
        make_start("rows", "", list[i].from, "start");
        snprintf(options, sizeof options, "init=start %s", list[i].options);
        refused("rows", "", options, list[i].status, list[i].words);
    }
    refused("rows", "", "init=unit kernel=rbf budget=9", PERC_EARG, "has none");
    /* Dots were rounded before format 3: such rows mean something else. */
    make_start("rows", "", "kernel=rbf gamma=1", "start");
    perc_model *m;
    assert_int_equal(perc_model_read(NULL, "start", &m, NULL), PERC_OK);
    struct tensors t = t_tensors_of(m);
    const struct hostile old = { META, "kernel.dot", NULL, NULL };
    t_hostile_write(&t, &old, "start");
    tensors_free(&t);
    perc_model_free(m);
    refused("rows", "", "init=start kernel=rbf gamma=1 budget=9", PERC_EDATA, "before format 3");
}

/* ----- without data ------------------------------------------------------------------------- */

static perc_status begin_new(const perc_env *env, const char *options)
{
    static const double value[] = { 1, 2 };
    const perc_example x = { NULL, value, 2 };
    perc_params *p = t_params("perceptron", options);
    perc_model *m;
    perc_status st = perc_model_new(env, p, &m, NULL);

    if (!st) st = perc_learn(m, &x, "a", 1, NULL, NULL);
    t_free(m, p);
    return st;
}

/* It reads what the model reads; and memory for that may run out at any point. */
TEST(a_model_without_data_begins_with_another)
{
    static const char *const how[] = { "init=start", "init=start positive=a",
                                       "init=unit:2 positive=a" };

    assert_int_equal(t_put("names.csv", "u,v,label\n1,2,a\n-1,1,b\n3,4,a\n"), 0);
    make_start("names.csv", "scale=standard", "epochs=2", "start");
    for (size_t i = 0; i < COUNT(how); i++) {
        assert_int_equal(begin_new(NULL, how[i]), PERC_OK);
        for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
            const perc_status st = begin_new(&s.env, how[i]);
            t_sweep_judge(&s, st);
        }
    }
    perc_params *p = t_params("perceptron", "init=start");
    perc_model *m;
    char name[8];
    assert_int_equal(perc_model_new(NULL, p, &m, NULL), PERC_OK);
    assert_string_equal(perc_model_feature(m, 1, name, sizeof name), "v");
    assert_true(m->transform.scale == SCALE_STANDARD);
    t_free(m, p);
}

TEST(an_untaught_model_is_no_start)
{
    perc_model *m = t_untaught("");

    assert_int_equal(perc_model_write(m, "untaught", NULL), PERC_OK);
    perc_model_free(m);
    assert_int_equal(begin_new(NULL, "init=untaught classes=a,b"), PERC_EDATA);
    assert_int_equal(t_put("rows", "a 1:1\nb 2:1\n"), 0);
    refused("rows", "", "init=untaught", PERC_EDATA, "neither 'a' nor 'b'");
}
