/* test_line_bad.c -- lines that are refused leave no mark; what a model's lines are: the
 * base of its indices, the columns of its table. */
#include "t_hostile.h"
#include "t_line.h"

/* ----- refusals ---------------------------------------------------------------------- */

/* The line is refused with these words at this column, and nothing has changed. */
static void refuses(perc_model *m, const char *line, size_t length, int64_t column,
                    const char *words_of_it)
{
    const struct t_bytes before = t_bytes_of(m);
    perc_reply r;
    perc_error err = { 0 };

    assert_refused(perc_learn_line(m, line, length, &r, &err), PERC_EDATA, &err, words_of_it);
    assert_int_equal(err.column, column);
    assert_true(r.label == NULL && r.answer == NULL && !r.mistake && !r.updated);
    t_assert_bytes(&before, m);
    free(before.p);
}

static const struct {
    const char *line;
    int64_t column;
    const char *text;
} bad_svm[] = {
    { "1 2:x", 5, "not a number" },
    { "1 2:1 1:1", 7, "must increase" },
    { "1 900:1 3", 10, "lacks the colon" },
    { "new 2:1 0:1", 9, "0" },
    { "nan 2:1", 1, "not a finite number" },
    { "1 7:1e999", 5, "too large" },
    { "5.1,3.5,setosa", 1, "row of a table" },
    { "1 2:1\n1 3:1", 1, "one by one" },
    { "2:1 2:1", 5, "twice" },
    { "other 99999999999:1", 7, "is above 4294967295" },
};

TEST(a_bad_line_leaves_no_mark)
{
    static const char *const kind[] = { "algorithm=averaged", "algorithm=voted multiclass=ovr" };

    for (unsigned k = 0; k < 2; k++) {
        perc_model *m = untaught(kind[k], "");
        for (int taught = 0; taught < 2; taught++) {
            for (size_t i = 0; i < COUNT(bad_svm); i++)
                refuses(m, bad_svm[i].line, strlen(bad_svm[i].line), bad_svm[i].column,
                        bad_svm[i].text);
            refuses(m, "1 \0001:1", 6, 3, "NUL");
            write_svm("rows", 30, words, 3, 1, k);
            show_file(m, "rows");
        }
        perc_model_free(m);
    }
}

/* What only scaling or the map finds out. */
TEST(a_row_that_cannot_be_scaled_leaves_no_mark)
{
    perc_model *m = untaught("algorithm=averaged", "scale=by:1e-300");
    refuses(m, "1 2:1e200", 9, 0, "too large");
    show(m, "1 1:1e-300");
    refuses(m, "2 2:1e200", 9, 0, "too large");
    refuses(m, "2:1e200", 7, 0, "too large");
    perc_model_free(m);

    m = untaught("algorithm=averaged", "map=poly:3");
    refuses(m, "1 9:1e200", 9, 0, "");
    show(m, "1 1:1 2:5");
    refuses(m, "2 9:1e200", 9, 0, "");
    refuses(m, "2 900000:1", 10, 0, "poly"); /* too many products */
    perc_model_free(m);
}

/* Shows a line that may be refused because its update would overflow; whether it was. What is
 * learned can be saved, or t_bytes_of fails. */
static bool overflows(perc_model *m, const char *line)
{
    struct t_bytes before = t_bytes_of(m), after;
    perc_reply r;
    perc_error err = { 0 };
    const perc_status st = perc_learn_line(m, line, strlen(line), &r, &err);

    if (st) {
        assert_refused(st, PERC_EDATA, &err, "no longer be numbers");
        assert_int_equal(err.line, 1);
        t_assert_bytes(&before, m);
    }
    after = t_bytes_of(m);
    free(before.p);
    free(after.p);
    return st != PERC_OK;
}

/* Two models are shown the same lines, but one is spared those that the other refuses. Largest
 * values, squares that are none, steps that are none since |x|^2 is nearly 0; known labels and new
 * ones, which must not become classes. */
TEST(a_row_that_would_overflow_leaves_no_mark)
{
    static const char *const rule[] = { "algorithm=perceptron",
                                        "algorithm=margin",
                                        "algorithm=perceptron schedule=1/t rate=1e300",
                                        "algorithm=averaged",
                                        "algorithm=voted",
                                        "algorithm=second-order",
                                        "algorithm=pa offset=false",
                                        "algorithm=averaged rule=pa offset=false",
                                        "algorithm=averaged rule=arow rho=1e-300 offset=false",
                                        "algorithm=averaged rule=margin" };
    static const char *const kind[] = { "", "multiclass=native", "multiclass=ovr" };
    static const char *const lines[] = { "a 1:1 2:0.5",
                                         "b 1:-1 2:0.3",
                                         "a 3:1e308",
                                         "b 3:1e308",
                                         "b 3:1.7e308",
                                         "b 3:1.7e308",
                                         "a 3:1e308",
                                         "a 1:0.2",
                                         "a 3:-1.7e308",
                                         "a 3:-1.7e308",
                                         "b 1:1e160",
                                         "a 1:1e160",
                                         "c 2:1.7e308",
                                         "d 2:-1.7e308",
                                         "a 3:1e-162",
                                         "b 3:1e-162",
                                         "a 4:3e-162",
                                         "b 2:0.7 3:-1",
                                         "c 9:1.7e308",
                                         "c 9:-1.7e308",
                                         "a 9:1.7e308",
                                         "e 90:-1.7e308",
                                         "b 90:1.7e308",
                                         "e 90:-1.7e308",
                                         "a 90:1.7e308",
                                         "b 1:-2 90:1e-300",
                                         "a 13:1.7e308",
                                         "b 15:1.7e308",
                                         "a 13:1.7e308",
                                         "b 15:1.7e308",
                                         "a 13:1.7e308 15:1.7e308",
                                         "b 13:1.7e308 15:1.7e308",
                                         "a 1:1" };

    for (size_t k = 0; k < COUNT(rule) * COUNT(kind); k++) {
        char options[128];
        size_t refused = 0;
        snprintf(options, sizeof options, "%s %s", rule[k / COUNT(kind)], kind[k % COUNT(kind)]);
        perc_model *m = untaught(options, ""), *spared = untaught(options, "");
        for (size_t i = 0; i < COUNT(lines); i++) {
            if (overflows(m, lines[i])) refused++;
            else show(spared, lines[i]);
        }
        if (refused == 0 && strstr(options, "arow") == NULL) /* whose variances shrink */
            fail_msg("%s refuses nothing", options);
        const struct t_bytes bytes = t_bytes_of(spared);
        t_assert_bytes(&bytes, m);
        free(bytes.p);
        t_free(m, spared);
    }
}

/* Someone else's index must not take all memory; a model that is as large already has the weights
 * it needs. */
TEST(a_row_that_would_need_too_much_memory_leaves_no_mark)
{
    perc_model *m = untaught("algorithm=averaged", "");

    refuses(m, "1 2147483647:1", 14, 0, "--hash");
    show(m, "1 1:1");
    refuses(m, "2 67108864:1", 12, 0,
            "--hash"); /* 4 arrays of 2^26 + 1 numbers: above 2^31 bytes */
    refuses(m, "1 2147483647:1", 14, 0, "68.7 GB");
    perc_model_free(m);
    m = untaught("algorithm=averaged", "hash=4");
    show(m, "1 2147483647:1");
    perc_model_free(m);
    m = untaught("algorithm=perceptron kernel=linear", ""); /* which has no weights */
    show(m, "1 2147483647:1");
    perc_model_free(m);
    m = untaught("algorithm=mlp inputs=3", "");
    refuses(m, "1 2147483647:1", 14, 0, "--hash");
    perc_model_free(m);
}

/* With counters as large as they may be, the next class doubles the updates, and takes over those
 * of the unseen one: what is learned can be read again, or is not learned. */
TEST(what_is_learned_with_large_counters_can_be_read)
{
    static const char *const count[] = { "2251799813685248", "2251799813685249",
                                         "9007199254740992" };
    static const char *const key[] = { "examples", "updates", "unseen_updates", "shown", "rows" };

    assert_int_equal(t_put("rows", "1 1:0.5\n-1 2:1\n"), 0);
    perc_dataset *ds = t_read("rows", "");
    for (size_t k = 0; k < COUNT(count); k++) {
        perc_model *m = untaught("algorithm=averaged", ""), *again, *resumed;
        perc_error err = { 0 };
        perc_reply r;
        show(m, "1 1:0.5");
        show(m, "-1 2:1");
        struct tensors t = t_tensors_of(m);
        for (size_t i = 0; i < COUNT(key); i++) {
            const struct hostile one = { META, key[i], count[k], NULL };
            t_hostile_write(&t, &one, "m");
            tensors_free(&t);
            perc_model_free(m);
            assert_int_equal(perc_model_read(NULL, "m", &m, &err), PERC_OK);
            t = t_tensors_of(m);
        }
        tensors_free(&t);
        const perc_status st = perc_learn_line(m, "new 1:0.5", 9, &r, &err);
        assert_int_equal(st, k == 0 ? PERC_OK : PERC_EDATA);
        if (st) assert_non_null(strstr(err.text, "counted to"));
        assert_int_equal(perc_model_write(m, "m", &err), PERC_OK);
        assert_int_equal(perc_model_read(NULL, "m", &again, &err), PERC_OK);
        if (st)
            assert_refused(perc_fit_resume(NULL, ds, again, NULL, NULL, &resumed, NULL, &err),
                           PERC_EDATA, &err, "counted to");
        t_free(m, again);
    }
    t_free(ds);
}

TEST(a_line_that_is_too_long_is_refused)
{
    perc_model *m = untaught("algorithm=perceptron", "");
    const size_t n = (size_t)PERC_LINE_MAX + 1;
    char *line = calloc(n, 1); /* never looked at */

    assert_non_null(line);
    refuses(m, line, n, 0, "a line of more than 64 MB");
    free(line);
    perc_model_free(m);
}

static void begin_refuses(const char *options, const char *data, const char *text)
{
    perc_params *p = t_params("perceptron", options), *d = t_params("data", data);
    perc_error err = { 0 };
    perc_model *m;

    assert_int_equal(perc_model_new(NULL, p, &m, &err), PERC_OK);
    assert_refused(perc_learn_begin(m, d, &err), PERC_EARG, &err, text);
    t_free(m, p, d);
}

TEST(options_that_are_none_are_refused)
{
    static const char *const bad[] = { "map=cubic", "scale=logs", "scale=standard" };
    perc_model *m = t_untaught("");

    for (size_t i = 0; i < COUNT(bad); i++) {
        perc_params *d = t_params("data", bad[i]);
        perc_error err = { 0 };
        assert_refused(perc_learn_begin(m, d, &err), PERC_EARG, &err, strchr(bad[i], '=') + 1);
        perc_params_free(d);
    }
    perc_model_free(m);
}

/* Votes are made ready once for many questions. A class may come without an example that counts:
 * there is one score more then. */
TEST(a_class_that_counts_for_nothing_is_among_the_answers)
{
    static const double value[] = { 9, 9 };
    const perc_example x = { NULL, value, 2 };
    perc_model *m = untaught("algorithm=voted multiclass=ovr", "");
    perc_error err = { 0 };

    show(m, "a 1:1");
    show(m, "b 2:1");
    show(m, "a 1:2 2:-1");
    assert_string_equal(show(m, "1:1").answer, "a");
    if (perc_learn(m, &x, "c", 0, NULL, &err)) fail_msg("%s", err.text);
    assert_int_equal(m->learner.labels.n, 3);
    assert_string_equal(show(m, "1:1").answer, "a");
    perc_model_free(m);
}

TEST(what_needs_the_whole_set_is_refused)
{
    perc_reply r;
    perc_error err = { 0 };

    begin_refuses("algorithm=pocket", "", "pocket needs the whole data set");
    begin_refuses("algorithm=perceptron class-weight=balanced", "", "whole data set");
    begin_refuses("algorithm=perceptron", "scale=standard", "unit or by:NUMBER");
    begin_refuses("algorithm=perceptron", "missing=mean", "no means");

    perc_params *p = t_params("perceptron", "algorithm=pocket");
    perc_model *m;
    assert_int_equal(perc_model_new(NULL, p, &m, &err), PERC_OK);
    assert_int_equal(perc_learn_line(m, "1 1:1", 5, &r, &err), PERC_EARG);
    t_free(m, p);
}

/* ----- from where indices count ------------------------------------------------------ */

TEST(indices_count_from_one_unless_told_otherwise)
{
    perc_params *zero = t_params("data", "index=0"), *one = t_params("data", "index=1"),
                *scale = t_params("data", "scale=unit"), *map = t_params("data", "map=poly:2");
    perc_error err = { 0 };
    perc_model_info info;
    perc_model *m = untaught("algorithm=perceptron", "");

    refuses(m, "1 0:1", 5, 3, "(or pass --index 0)");
    assert_int_equal(m->index_base, -1);
    show(m, "2:1"); /* no lesson: still open */
    assert_int_equal(m->index_base, -1);
    show(m, "1 2:1");
    perc_model_info_get(m, &info);
    assert_int_equal(info.index_base, 1);
    assert_int_equal(info.features, 2);
    assert_refused(perc_learn_begin(m, zero, &err), PERC_EARG, &err, "leave out --index 0");
    assert_int_equal(perc_learn_begin(m, scale, &err), PERC_EARG);
    assert_int_equal(perc_learn_begin(m, map, &err), PERC_EARG);
    assert_int_equal(perc_learn_begin(m, one, &err), PERC_OK);
    refuses(m, "1 0:1", 5, 3, "the model was trained on indices from 1");
    perc_model_free(m);

    m = untaught("algorithm=perceptron", "index=0");
    show(m, "1 0:3 2:1");
    perc_model_info_get(m, &info);
    assert_int_equal(info.index_base, 0);
    assert_int_equal(info.features, 3);
    assert_true(perc_model_weight(m, 0, 0) == -3); /* the lone label is the negative one */
    t_free(m, zero, one, scale, map);
}

/* ----- rows of a table --------------------------------------------------------------- */

TEST(the_label_of_a_row_may_be_missing)
{
    perc_model *m = table_model(small_table, "", "algorithm=averaged epochs=3");
    const perc_reply full = show(m, "5,blue,1,\n");
    const perc_reply narrow = show(m, "5,blue,1");

    assert_null(full.label);
    assert_non_null(full.answer);
    assert_true(t_same_bits(full.score, narrow.score));
    assert_string_equal(full.answer, narrow.answer);
    assert_string_equal(show(m, "5,blue,1,no").label, "no"); /* and with it again */
    assert_null(show(m, "1,red,1").label);
    assert_null(show(m, "\"1\", red ,1,?").label);
    perc_model_free(m);
}

TEST(categories_that_are_not_known_are_counted)
{
    perc_model *m = table_model(small_table, "", "algorithm=perceptron epochs=2");
    const uint64_t features = model_features(m);
    const perc_reply r = show(m, "1,green,1,no");

    assert_int_equal(r.unknown, 1);
    assert_string_equal(r.label, "no");
    assert_int_equal(show(m, "1,green,1,").unknown, 1);
    assert_int_equal(show(m, "1,red,1,no").unknown, 0);
    assert_int_equal(model_features(m), features);
    perc_model_free(m);
}

/* Columns by name, in any order; without names, by position. */
TEST(a_first_line_may_name_the_columns)
{
    perc_model *a = table_model(small_table, "", "algorithm=pa epochs=2"),
               *b = table_model(small_table, "", "algorithm=pa epochs=2");

    assert_true(show(a, "label,b,a,colour\n").skipped);
    assert_string_equal(show(a, "yes,7,0.5,blue\n").label, "yes");
    assert_false(show(b, "0.5,blue,7,yes").skipped);
    t_assert_same_file(a, b);
    refuses(a, "no,7,1", 6, 7, "the row ends after 3 of 4 cells");
    refuses(b, "label,b,a,colour", 16, 1, "is not a number"); /* too late */
    perc_model_free(a);

    a = table_model(small_table, "", "algorithm=pa epochs=2"); /* names alone, no label */
    assert_true(show(a, "colour,b,a").skipped);
    assert_null(show(a, "red,1,2").label);
    t_free(a, b);
}

/* Wrong names, if they were passed over, would leave the order to chance. */
TEST(wrong_names_stop_the_lesson)
{
    perc_model *m = table_model(small_table, "", "algorithm=pa epochs=2");

    refuses(m, "b,a,color,label", 15, 0, "lacks the column 'colour'");
    refuses(m, "1,2,red,no", 10, 0, "begin again");
    assert_int_equal(perc_learn_begin(m, NULL, NULL), PERC_OK);
    assert_false(show(m, "1,red,2,no").skipped);
    perc_model_free(m);
}

/* A row of weight 0 is answered, and nothing else. */
TEST(rows_have_weights)
{
    static const char table[] = "x,importance,y\n1,1,no\n-1,2,yes\n";
    perc_model *a = table_model(table, "weight=importance", "algorithm=perceptron epochs=1"),
               *b = table_model(table, "weight=importance", "algorithm=perceptron epochs=1");
    const double w = perc_model_weight(a, 0, 0);

    perc_reply r = show(a, "3,0,yes"); /* w = -3, b = 1 or so: wrong */
    assert_true(r.weight == 0 && !r.mistake && !r.updated);
    assert_true(perc_model_weight(a, 0, 0) == w);
    r = show(a, "3,0.5,yes");
    assert_true(r.weight == 0.5 && r.mistake && r.updated);
    assert_true(perc_model_weight(a, 0, 0) == w + 1.5);
    show(b, "3,2,yes");
    assert_true(perc_model_weight(b, 0, 0) == w + 6);
    t_free(a, b);
}

TEST(a_bad_row_leaves_no_mark)
{
    perc_model *m = table_model(small_table, "", "algorithm=averaged epochs=2");

    for (int k = 0; k < 2; k++) {
        refuses(m, "1,red,x,no", 10, 7, "is not a number");
        refuses(m, "1,red", 5, 0, "columns");
        refuses(m, "1,red,2,no,5", 12, k == 0 ? 0 : 0, "columns");
        refuses(m, "1,red,,no", 9, 7, "missing a value");
        refuses(m, "1,\"red,2,no", 11, 3, "never closed");
        refuses(m, "1,red,2,no\n1,red,2,no\n", 22, 1, "one by one");
        refuses(m, "1 1:1", 5, 0, "columns");
        assert_true(show(m, " \n").skipped);
        show(m, "1,red,2,no");
    }
    perc_model_free(m);
}

TEST(a_missing_cell_is_what_the_options_say)
{
    perc_params *zero = t_params("data", "missing=zero"), *drop = t_params("data", "missing=drop");
    perc_model *m = table_model(small_table, "", "algorithm=averaged epochs=2");

    assert_int_equal(perc_learn_begin(m, zero, NULL), PERC_OK);
    const perc_reply r = show(m, "1,red,,");
    assert_true(t_same_bits(r.score, show(m, "1,red,0,").score));
    assert_int_equal(perc_learn_begin(m, drop, NULL), PERC_OK); /* it has an answer all the same */
    refuses(m, "1,red,,no", 9, 7, "missing a value");
    t_free(m, zero, drop);
}
