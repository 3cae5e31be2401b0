/* test_params.c -- values by name: every type, every range, every complaint. */
#include "base/params.h"
#include "t.h"
#include "t_alloc.h"

static const perc_param rows[] = {
    { "count", PERC_INT, "3", -5, 1e15, NULL, "N", "a whole number" },
    { "size", PERC_REAL, "0.50", 1e-3, 1e3, NULL, "X", "a number" },
    { "loud", PERC_BOOL, "false", 0, 0, NULL, NULL, "a switch" },
    { "way", PERC_CHOICE, "up", 0, 0, "up|down|upper", "WAY", "a choice" },
    { "name", PERC_TEXT, NULL, 0, 0, NULL, "TEXT", "a text without a default" },
    { "from", PERC_TEXT, "here", 0, 0, NULL, "TEXT", "a text with one" },
};
static const struct table own = { "own", "test", "a table of its own", rows, COUNT(rows) };

static perc_params *fresh(void)
{
    const struct env e = env_resolve(NULL);
    perc_params *p;

    assert_int_equal(params_new(&e, &own, &p), PERC_OK);
    return p;
}

/* ----- values ------------------------------------------------------------------------ */

TEST(defaults_come_from_the_table)
{
    perc_params *p = fresh();

    assert_int_equal(params_int(p, "count"), 3);
    assert_true(params_real(p, "size") == 0.5);
    assert_false(params_bool(p, "loud"));
    assert_true(params_is(p, "way", "up"));
    assert_false(params_is(p, "way", "u"));
    assert_string_equal(params_text(p, "name"), "");
    assert_string_equal(params_text(p, "from"), "here");
    for (size_t i = 0; i < own.count; i++) assert_false(params_given(p, rows[i].name));
    perc_params_free(p);
}

TEST(what_was_written_is_kept_letter_by_letter)
{
    static const char *const set[][2] = {
        { "count", "+007" },
        { "count", "-5" },
        { "count", "1000000000000000" },
        { "size", "1e-3" },
        { "size", "1000.000" },
        { "size", ".5" },
        { "size", "5." },
        { "loud", "true" },
        { "loud", "false" },
        { "way", "down" },
        { "way", "upper" },
        { "name", "" },
        { "name", "any thing, \xc3\xa9" },
        { "from", "|" },
    };
    perc_params *p = fresh();
    perc_error err;

    assert_string_equal(perc_params_get(p, "size"), "0.50");
    for (size_t i = 0; i < COUNT(set); i++) {
        assert_int_equal(perc_params_set(p, set[i][0], set[i][1], &err), PERC_OK);
        assert_string_equal(perc_params_get(p, set[i][0]), set[i][1]);
        assert_true(params_given(p, set[i][0]));
    }
    assert_int_equal(params_int(p, "count"), 1000000000000000);
    assert_true(params_real(p, "size") == 5);
    assert_int_equal(perc_params_set(p, "loud", "true", NULL), PERC_OK);
    assert_true(params_bool(p, "loud"));
    assert_null(perc_params_get(p, "nosuch"));
    assert_false(params_given(p, "nosuch"));
    perc_params_free(p);
}

TEST(bad_values_are_refused_and_leave_the_old_one)
{
    static const struct {
        const char *name, *value, *complaint;
    } cases[] = {
        { "count", "", "count is ''; it must be a whole number" },
        { "count", "x", "count is 'x'; it must be a whole number" },
        { "count", "1.5", "it must be a whole number" },
        { "count", "1e3", "it must be a whole number" },
        { "count", " 1", "it must be a whole number" },
        { "count", "1 ", "it must be a whole number" },
        { "count", "-", "it must be a whole number" },
        { "count", "99999999999999999999", "it must be a whole number" },
        { "count", "-6", "count is -6; it must be between -5 and 1000000000000000" },
        { "count", "1000000000000001", "it must be between" },
        { "size", "", "size is ''; it must be a number" },
        { "size", "nan", "size is 'nan'; it must be a number" },
        { "size", "inf", "it must be a number" },
        { "size", "0x10", "it must be a number" },
        { "size", "1e999", "it must be a number" },
        { "size", "1,5", "it must be a number" },
        { "size", "0", "size is 0; it must be between 0.001 and 1000" },
        { "size", "-1", "it must be between" },
        { "size", "1000.0000000000002", "it must be between" },
        { "loud", "", "loud is ''; it must be true or false" },
        { "loud", "yes", "it must be true or false" },
        { "loud", "True", "it must be true or false" },
        { "loud", "true|false", "it must be true or false" },
        { "way", "", "way is ''; it must be one of up|down|upper" },
        { "way", "u", "it must be one of" },
        { "way", "uppe", "it must be one of" },
        { "way", "up|down", "it must be one of" },
        { "way", "Up", "it must be one of" },
        { "nosuch", "1", "own has no parameter 'nosuch'" },
        { "", "1", "own has no parameter ''" },
    };
    perc_params *p = fresh();

    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_error err = { 0 };
        if (perc_params_set(p, cases[i].name, cases[i].value, &err) != PERC_EARG)
            fail_msg("%s=%s was taken", cases[i].name, cases[i].value);
        assert_int_equal(perc_params_set(p, cases[i].name, cases[i].value, NULL), PERC_EARG);
        assert_int_equal(err.status, PERC_EARG);
        if (strstr(err.text, cases[i].complaint) == NULL)
            fail_msg("'%s' does not say '%s'", err.text, cases[i].complaint);
        assert_false(params_given(p, cases[i].name));
    }
    assert_string_equal(perc_params_get(p, "count"), "3");
    assert_string_equal(perc_params_get(p, "size"), "0.50");
    assert_string_equal(perc_params_get(p, "way"), "up");
    perc_params_free(p);
}

TEST(a_long_or_ugly_value_makes_a_clean_message)
{
    char text[5000];
    perc_params *p = fresh();
    perc_error err = { 0 };

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    text[0] = '\n';
    text[1] = '\033';
    assert_int_equal(perc_params_set(p, "count", text, &err), PERC_EARG);
    assert_non_null(memchr(err.text, '\0', sizeof err.text));
    assert_null(strpbrk(err.text, "\n\033"));
    assert_int_equal(perc_params_set(p, "name", text, &err), PERC_OK);
    assert_string_equal(perc_params_get(p, "name"), text);
    perc_params_free(p);
}

TEST(a_copy_is_equal_and_on_its_own)
{
    const struct env e = env_resolve(NULL);
    perc_params *p = fresh(), *q;

    assert_int_equal(perc_params_set(p, "count", "12", NULL), PERC_OK);
    assert_int_equal(perc_params_set(p, "name", "n", NULL), PERC_OK);
    assert_int_equal(params_copy(&e, p, &q), PERC_OK);
    for (size_t i = 0; i < own.count; i++) {
        assert_string_equal(perc_params_get(p, rows[i].name), perc_params_get(q, rows[i].name));
        assert_int_equal(params_given(p, rows[i].name), params_given(q, rows[i].name));
    }
    assert_int_equal(perc_params_set(p, "count", "13", NULL), PERC_OK);
    perc_params_free(p);
    assert_int_equal(params_int(q, "count"), 12);
    perc_params_free(q);
    perc_params_free(NULL);
}

/* ----- the tables of the program -------------------------------------------------------- */

/* Sets each parameter of the table to its own default, and its limits to theirs. */
static void check_table(const char *name)
{
    perc_params *p;
    perc_error err = { 0 };
    size_t count;
    const perc_param *t = perc_table(name, &count);
    char text[32];

    assert_true(t != NULL && count > 0);
    assert_int_equal(perc_params_new(NULL, name, &p, &err), PERC_OK);
    for (size_t i = 0; i < count; i++) {
        const bool number = t[i].type == PERC_INT || t[i].type == PERC_REAL;
        for (size_t k = 0; k < i; k++) assert_string_not_equal(t[i].name, t[k].name);
        assert_non_null(t[i].help);
        assert_true(t[i].help[0] != '\0' && t[i].help[strlen(t[i].help) - 1] != '.');
        assert_true(t[i].type == PERC_BOOL || t[i].metavar != NULL);
        assert_true(t[i].type != PERC_CHOICE || t[i].choices != NULL);
        assert_true(t[i].type == PERC_TEXT || t[i].initial != NULL);
        if (t[i].initial != NULL && perc_params_set(p, t[i].name, t[i].initial, &err))
            fail_msg("%s: its own default: %s", name, err.text);
        if (!number) continue;
        assert_true(t[i].min < t[i].max);
        const double limits[] = { t[i].min, t[i].max };
        for (int k = 0; k < 2; k++) {
            snprintf(text, sizeof text, t[i].type == PERC_INT ? "%.0f" : "%.17g", limits[k]);
            if (perc_params_set(p, t[i].name, text, &err))
                fail_msg("%s: its own limit: %s", name, err.text);
        }
    }
    perc_params_free(p);
}

TEST(every_table_agrees_with_itself)
{
    static const char *const kinds[] = { "data", "learner", "generator" };
    size_t tables = 0;

    for (size_t k = 0; k < 3; k++) {
        const char *name, *summary = NULL;
        for (size_t i = 0; (name = perc_table_name(kinds[k], i, &summary)) != NULL; i++) {
            assert_true(summary != NULL && summary[0] != '\0');
            assert_string_equal(perc_table_name(kinds[k], i, NULL), name);
            check_table(name);
            tables++;
        }
    }
    assert_true(tables >= 9); /* data, perceptron, seven generators */
    assert_null(perc_table_name("nosuch", 0, NULL));
    const char *name;
    size_t sets = 0;

    for (; (name = perc_table_name("builtin", sets, NULL)) != NULL; sets++) {
        perc_dataset *ds;

        assert_int_equal(perc_dataset_read(NULL, name, NULL, &ds, NULL), PERC_OK);
        perc_dataset_free(ds);
    }
    assert_true(sets >= 10);
}

/* Help, manual, documentation and playground print what a learner says of itself. */
TEST(every_learner_says_what_it_is)
{
    const char *name;

    for (size_t i = 0; (name = perc_table_name("learner", i, NULL)) != NULL; i++) {
        const perc_about *a = perc_table_about(name);
        if (a == NULL) fail_msg("%s has no title", name);
        const char *const texts[] = { a->title,       a->family,      a->page,
                                      a->step,        a->guarantee,   a->use,
                                      a->cost.update, a->cost.answer, a->cost.memory };
        for (size_t k = 0; k < COUNT(texts); k++)
            if (texts[k] == NULL || texts[k][0] == '\0') fail_msg("%s: text %zu", name, k);
    }
    assert_null(perc_table_about("gate")); /* it cannot be trained */
    assert_null(perc_table_about("data"));
    assert_null(perc_table_about("nosuch"));
}

/* What --rule offers are learners, and the learners that offer it keep what a rule makes. */
TEST(the_rules_that_are_offered_are_registered)
{
    const char *name;
    size_t keepers = 0;

    for (size_t i = 0; (name = perc_table_name("learner", i, NULL)) != NULL; i++) {
        perc_params *p = NULL;
        assert_int_equal(perc_params_new(NULL, name, &p, NULL), PERC_OK);
        const char *rule = perc_params_get(p, "rule");
        assert_int_equal(rule != NULL, strcmp(perc_table_about(name)->family, "keeper") == 0);
        for (size_t k = 0; rule != NULL && (rule = perc_table_name("learner", k, NULL)) != NULL;
             k++)
            if (perc_params_set(p, "rule", rule, NULL) == PERC_OK) {
                assert_string_equal(perc_table_about(rule)->family, "rule");
                keepers++;
            }
        perc_params_free(p);
    }
    assert_true(keepers >= 15); /* guard: three by five */
}

TEST(an_unknown_table_is_refused)
{
    perc_params *p = (perc_params *)(void *)&p;
    perc_error err = { 0 };
    size_t count = 7;

    assert_int_equal(perc_params_new(NULL, "nosuch", &p, &err), PERC_EARG);
    assert_null(p);
    assert_non_null(strstr(err.text, "there is no 'nosuch'"));
    assert_null(perc_table("nosuch", &count));
    assert_int_equal(count, 0);
    assert_null(perc_table("nosuch", NULL));
}

/* ----- memory ------------------------------------------------------------------------------ */

/* Makes, sets and copies; the status of the first step that failed. */
static perc_status make_and_copy(const perc_env *env)
{
    const struct env e = env_resolve(env);
    perc_params *p = NULL, *q = NULL;
    perc_error err = { 0 };
    perc_status st = perc_params_new(env, "perceptron", &p, &err);

    assert_true((st == PERC_OK) == (p != NULL));
    if (!st) {
        st = perc_params_set(p, "epochs", "7", &err);
        assert_string_equal(perc_params_get(p, "epochs"), st ? "100" : "7");
        assert_int_equal(params_given(p, "epochs"), !st);
    }
    if (!st) {
        st = params_copy(&e, p, &q);
        assert_true((st == PERC_OK) == (q != NULL));
    } else {
        assert_int_equal(err.status, st);
    }
    perc_params_free(p);
    perc_params_free(q);
    return st;
}

TEST(memory_may_run_out_anywhere)
{
    for (struct t_sweep s = { .least = 20 }; t_sweep_next(&s);) {
        const perc_status st = make_and_copy(&s.env);
        t_sweep_judge(&s, st);
    }
}
