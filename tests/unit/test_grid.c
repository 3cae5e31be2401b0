/* test_grid.c -- grids of parameters: what is read, what is refused, and all points. */
#include "perceptron.h"
#include "t.h"
#include "t_alloc.h"

static perc_params *params(const char *table)
{
    perc_params *p;

    assert_int_equal(perc_params_new(NULL, table, &p, NULL), PERC_OK);
    return p;
}

static perc_grid *grid(const perc_params *p, const char *spec)
{
    perc_grid *g;
    perc_error err = { 0 };

    if (perc_grid_new(NULL, p, spec, &g, &err)) fail_msg("%s: %s", spec, err.text);
    return g;
}

/* The last name runs fastest; what is not in the grid is as in the base. */
TEST(points_are_all_combinations_in_order)
{
    static const char *const rate[] = { "0.1", "1", "10" }, *const order[] = { "file", "shuffle" };

    perc_params *base = params("averaged"), *p;
    assert_int_equal(perc_params_set(base, "epochs", "7", NULL), PERC_OK);
    perc_grid *g = grid(base, "rate=0.1,1,10 order=file,shuffle updates=5");

    assert_int_equal(perc_grid_points(g), 6);
    assert_int_equal(perc_grid_names(g), 3);
    assert_string_equal(perc_grid_name(g, 0), "rate");
    assert_string_equal(perc_grid_name(g, 1), "order");
    assert_string_equal(perc_grid_name(g, 2), "updates");
    assert_null(perc_grid_name(g, 3));
    assert_null(perc_grid_value(g, 6, 0));
    assert_null(perc_grid_value(g, 0, 3));
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(perc_grid_value(g, i, 0), rate[i / 2]);
        assert_string_equal(perc_grid_value(g, i, 1), order[i % 2]);
        assert_string_equal(perc_grid_value(g, i, 2), "5");
        assert_int_equal(perc_grid_params(g, i, &p, NULL), PERC_OK);
        assert_string_equal(perc_params_get(p, "rate"), rate[i / 2]);
        assert_string_equal(perc_params_get(p, "order"), order[i % 2]);
        assert_string_equal(perc_params_get(p, "updates"), "5");
        assert_string_equal(perc_params_get(p, "epochs"), "7");
        perc_params_free(p);
    }
    assert_int_equal(perc_grid_params(g, 6, &p, NULL), PERC_EARG);
    assert_null(p);
    assert_string_equal(perc_params_get(base, "rate"), "1"); /* the base stays as it was */
    perc_grid_free(g);
    perc_params_free(base);
}

TEST(separators_may_be_blanks_or_semicolons)
{
    static const char *const same[] = {
        "rate=1,2 epochs=3",
        "rate=1,2;epochs=3",
        " ; rate=1,2 ;;\t\n epochs=3 ; ",
    };

    perc_params *base = params("perceptron");
    for (size_t i = 0; i < COUNT(same); i++) {
        perc_grid *g = grid(base, same[i]);
        assert_int_equal(perc_grid_points(g), 2);
        assert_int_equal(perc_grid_names(g), 2);
        assert_string_equal(perc_grid_value(g, 1, 0), "2");
        assert_string_equal(perc_grid_value(g, 1, 1), "3");
        perc_grid_free(g);
    }
    perc_params_free(base);
}

/* Switches, choices and texts vary as numbers do. */
TEST(every_type_may_vary)
{
    perc_params *base = params("averaged"), *p;
    perc_grid *g = grid(base, "offset=true,false rule=perceptron,pa,pa1 init=zero,unit");

    assert_int_equal(perc_grid_points(g), 12);
    assert_int_equal(perc_grid_params(g, 11, &p, NULL), PERC_OK);
    assert_string_equal(perc_params_get(p, "offset"), "false");
    assert_string_equal(perc_params_get(p, "rule"), "pa1");
    assert_string_equal(perc_params_get(p, "init"), "unit");
    perc_params_free(p);
    perc_grid_free(g);
    perc_params_free(base);
}

/* Found before anything is trained. */
TEST(a_point_that_contradicts_itself_is_refused)
{
    perc_params *base = params("svm");
    perc_grid *g;
    perc_error err = { 0 };

    assert_int_equal(perc_grid_new(NULL, base, "loss=squared,hinge solver=dual,newton", &g, &err),
                     PERC_EARG);
    assert_null(g);
    assert_non_null(strstr(err.text, "smooth loss"));
    perc_params_free(base);
}

/* Each names the culprit. */
TEST(what_is_wrong_is_named)
{
    static const struct {
        const char *spec, *part;
    } bad[] = {
        { "", "empty" },
        { " ; ", "empty" },
        { "rate", "'rate' is not NAME=VALUE" },
        { "=1", "'=1' is not NAME=VALUE" },
        { "rate=1 , epochs=2", "',' is not NAME=VALUE" },
        { "rate=", "'rate' has an empty value" },
        { "rate=1,", "'rate' has an empty value" },
        { "rate=,1", "'rate' has an empty value" },
        { "rate=1,,2", "'rate' has an empty value" },
        { "rat=1", "averaged has no parameter 'rat'" },
        { "C=1", "averaged has no parameter 'C'" },
        { "rate=1,x", "rate is 'x'" },
        { "rate=1,0", "rate is 0; it must be between" },
        { "rate=1 epochs=1.5", "epochs is '1.5'" },
        { "order=file,sideways", "order is 'sideways'" },
        { "offset=maybe", "offset is 'maybe'" },
        { "rate=1 rate=2", "'rate' is given twice" },
        { "rate=1,2,1", "'rate' has the value 1 twice" },
        { "rate=1,1.0", "'rate' has the value 1.0 twice" },
        { "rate=10,2,1e1", "'rate' has the value 1e1 twice" },
        { "epochs=7,07", "'epochs' has the value 07 twice" },
        { "epochs=7,+7", "'epochs' has the value +7 twice" },
        { "order=file,file", "'order' has the value file twice" },
        { "checkpoint=a,b", "'checkpoint' cannot vary" },
        { "every=1,2", "'every' cannot vary" },
        { "positive=a,b", "'positive' cannot vary" },
        { "seed=1,2", "'seed' cannot vary in a grid: folds are dealt with it" },
        { "class-weight=balanced", "'class-weight' cannot vary" },
    };

    perc_params *base = params("averaged");
    for (size_t i = 0; i < COUNT(bad); i++) {
        perc_grid *g;
        perc_error err = { 0 };
        assert_int_equal(perc_grid_new(NULL, base, bad[i].spec, &g, &err), PERC_EARG);
        assert_null(g);
        assert_int_equal(err.status, PERC_EARG);
        if (strstr(err.text, bad[i].part) == NULL)
            fail_msg("%s: '%s' is not in '%s'", bad[i].spec, bad[i].part, err.text);
    }
    perc_params_free(base);
}

/* "updates=1,2,...,n" */
static char *numbers(int n, const char *more)
{
    char *text = malloc((size_t)n * 8 + 64), *at = text + sprintf(text, "updates=");

    for (int i = 1; i <= n; i++) at += sprintf(at, "%d%s", i, i < n ? "," : "");
    sprintf(at, " %s", more);
    return text;
}

TEST(a_grid_has_at_most_ten_thousand_points)
{
    static const struct {
        int n;
        const char *more;
        size_t points; /* 0: too many */
    } cases[] = {
        { 10000, "", 10000 },
        { 10001, "", 0 },
        { 5000, "order=file,shuffle", 10000 },
        { 5000, "order=file,shuffle offset=true,false", 0 },
        { 3334, "rate=1,2,3", 0 },
    };

    perc_params *base = params("averaged");
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *spec = numbers(cases[i].n, cases[i].more), last[16];
        perc_grid *g;
        perc_error err = { 0 };
        const perc_status st = perc_grid_new(NULL, base, spec, &g, &err);
        assert_int_equal(st, cases[i].points > 0 ? PERC_OK : PERC_EARG);
        if (st) assert_non_null(strstr(err.text, "10000 points"));
        else {
            assert_int_equal(perc_grid_points(g), cases[i].points);
            snprintf(last, sizeof last, "%d", cases[i].n);
            assert_string_equal(perc_grid_value(g, cases[i].points - 1, 0), last);
        }
        perc_grid_free(g);
        free(spec);
    }
    perc_params_free(base);
}

TEST(every_allocation_may_fail)
{
    perc_params *base = params("averaged");

    for (struct t_sweep s = { .least = 40 }; t_sweep_next(&s);) {
        perc_error err = { 0 };
        perc_params *p = NULL;
        perc_grid *g;
        perc_status st = perc_grid_new(
            &s.env, base, "rate=1,2 epochs=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", &g, &err);
        assert_true((g == NULL) == (st != PERC_OK));
        if (!st) {
            st = perc_grid_params(g, 3, &p, &err);
            assert_true((p == NULL) == (st != PERC_OK));
        }
        assert_int_equal(err.status, st);
        perc_params_free(p);
        perc_grid_free(g);
        t_sweep_judge(&s, st);
    }
    perc_params_free(base);
}
