/* test_survey.c -- a survey of data: what is estimated is as near as is said, nothing depends on
 * keys, and memory that runs out leaves nothing behind. The numbers of whole tables are beside
 * Python's in tests/oracle/survey_reference.py. */
#include <math.h>

#include "data/survey.h"
#include "t.h"
#include "t_alloc.h"
#include "vec/rng.h"

static struct survey_room room_of(size_t values)
{
    return (struct survey_room){ .e = env_resolve(NULL), .values = values };
}

static size_t add_number(struct survey_values *v, struct survey_room *room, double x, uint64_t row)
{
    const struct survey_value one = { survey_hash_number(x), 1, row, x, NULL, SURVEY_NONE };
    size_t place;

    assert_true(survey_values_add(v, room, &one, 0, &place));
    return place;
}

/* 1.04 / sqrt(2^14) is 0.81 %; five times that, over all sizes. */
TEST(numbers_of_values_are_as_near_as_is_said)
{
    static const size_t sizes[] = { 255, 256, 257, 300, 1000, 5000, 16000, 40000, 80000, 200000 };

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct survey_room room = room_of(SURVEY_VALUES_ALL); /* each column has room for few */
        struct survey_values v = { .bits = 14 };
        for (size_t k = 0; k < 2 * sizes[i]; k++)
            add_number(&v, &room, (double)(k % sizes[i]) * 0.37, k);
        const double told = (double)survey_values_distinct(&v), is = (double)sizes[i];
        if (sizes[i] <= SURVEY_VALUES_LEAST) assert_true(v.rank == NULL && told == is);
        else assert_true(v.rank != NULL && fabs(told / is - 1) < 5 * 1.04 / 128);
        assert_true(v.n <= SURVEY_VALUES_LEAST);
        survey_values_free(&v, &room.e);
    }
}

/* What is frequent is there, and no count is short by more than is said, nor that more than
 * Misra and Gries allow. */
TEST(counts_are_short_by_no_more_than_is_said)
{
    enum { ROWS = 100000, FREQUENT = 20 };
    struct survey_room room = room_of(SURVEY_VALUES_ALL);
    struct survey_values v = { .bits = 10 };
    struct rng rng = rng_seed(5, 0);
    uint64_t is[FREQUENT] = { 0 };
    size_t met = 0;

    for (uint64_t i = 0; i < ROWS; i++) {
        const bool often = rng_below(&rng, 3) > 0;
        const uint64_t x = often ? rng_below(&rng, FREQUENT) : FREQUENT + rng_below(&rng, 1 << 30);
        if (often) is[x]++;
        add_number(&v, &room, (double)x, i);
    }
    survey_values_sort(&v, &room.e);
    assert_true(v.lost > 0 && v.lost <= 2 * ROWS / SURVEY_VALUES_LEAST);
    for (size_t i = 0; i < v.n; i++) {
        if (i > 0) assert_true(v.at[i].count <= v.at[i - 1].count);
        if (v.at[i].number >= FREQUENT) continue;
        const uint64_t true_count = is[(size_t)v.at[i].number];
        assert_true(v.at[i].count <= true_count && v.at[i].count + v.lost >= true_count);
        met++;
    }
    assert_int_equal(met, FREQUENT);
    survey_values_free(&v, &room.e);
}

/* Each row thrice, each tenth also with another label. */
TEST(repeated_rows_are_counted_exactly_and_then_estimated)
{
    static const uint64_t sizes[] = { 1000, 60000, 400000 };

    for (size_t i = 0; i < COUNT(sizes); i++) {
        const struct env e = env_resolve(NULL);
        const uint64_t n = sizes[i];
        struct survey_rows r = { .level = 0 };
        struct survey_repeats told;
        for (uint64_t k = 0; k < 3 * n; k++) {
            const uint64_t row = k % n;
            assert_true(survey_rows_add(&r, &e, survey_hash_word(row), row % 10 == 0 && k >= n));
        }
        survey_rows_count(&r, &told);
        const double duplicates = (double)(2 * n - n / 10), contradictions = 3 * (double)(n / 10);
        if (r.level == 0) {
            assert_true((double)told.duplicates == duplicates && told.duplicates_error == 0);
            assert_true((double)told.contradictions == contradictions);
            assert_true(told.contradictions_error == 0);
        } else {
            assert_true(told.duplicates_error > 0 && told.duplicates_error < 0.02 * duplicates);
            assert_true(fabs((double)told.duplicates - duplicates) < 5 * told.duplicates_error);
            assert_true(fabs((double)told.contradictions - contradictions) <
                        5 * told.contradictions_error);
        }
        assert_true(r.n <= SURVEY_ROWS && (r.level > 0) == (n > SURVEY_ROWS));
        survey_rows_free(&r, &e);
    }
}

/* A row without a label contradicts nobody. */
TEST(rows_without_a_label_contradict_nothing)
{
    const struct env e = env_resolve(NULL);
    struct survey_rows r = { .level = 0 };
    struct survey_repeats told;

    for (uint32_t k = 0; k < 4; k++)
        assert_true(survey_rows_add(&r, &e, 7, k % 2 == 0 ? SURVEY_NONE : 0));
    survey_rows_count(&r, &told);
    assert_int_equal(told.duplicates, 2);
    assert_int_equal(told.contradictions, 0);
    survey_rows_free(&r, &e);
}

/* ----- files ------------------------------------------------------------------------------- */

static const struct {
    const char *path, *text;
} files[] = {
    { "a.csv", "id,day,x,\"a, b\",w,y\n1,2024-01-02,3,red,2,p\n2,,4.5,\"b\"\"l\nue\",1,q\n"
               "3,03.02.2024,?,NA,1,p\n4,2024-01-02,oops,red,1,\n" },
    { "a.jsonl", "{\"x\":1,\"in\":{\"c\":\"a\\u0041\"},\"tags\":[\"one\",\"two\"],\"y\":\"p\"}\n"
                 "{\"x\":null,\"in\":{\"c\":\"b\"},\"y\":\"q\"}\n{\"y\":\"q\",\"x\":2.5}\n" },
    { "a.svm", "1 1:1 3:2.5\n-1 2:1\n1 1:1 3:2.5\n" },
    { "a.vw", "1 |a x:2 y\n-1 |a x |b z\n" },
    { "b.csv", "x;c;day;y\n1.000,5;u;31.12.2023;1,5\n2;1,5;01.01.2024;2\nx;v;?;2\n" },
};

static perc_status survey_of(const perc_env *e, const char *path, perc_error *err)
{
    perc_params *p = NULL;
    perc_survey *s = NULL;
    perc_survey_info info;
    perc_survey_column c;
    perc_status st = perc_params_new(e, "data", &p, err);

    if (!st && strcmp(path, "a.csv") == 0) st = perc_params_set(p, "weight", "w", err);
    if (!st && strcmp(path, "b.csv") == 0) st = perc_params_set(p, "more", path, err);
    if (!st && strcmp(path, "b.csv") == 0) st = perc_params_set(p, "thousands", ".", err);
    if (!st) st = perc_survey_read(e, path, p, &s, err);
    assert_int_equal(st == PERC_OK, s != NULL);
    if (s != NULL) {
        perc_survey_info_get(s, &info);
        assert_true(info.rows >= 2 && info.labels == 2);
        for (uint64_t i = 0; perc_survey_column_get(s, i, &c); i++) assert_non_null(c.name);
        assert_int_equal(info.table, perc_survey_proposal(s) != NULL);
    }
    perc_survey_free(s);
    perc_params_free(p);
    return st;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

TEST(memory_that_runs_out_leaves_nothing)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        write_text(files[i].path, files[i].text);
        for (struct t_sweep s = { .least = 50 }; t_sweep_next(&s);) {
            const perc_status st = survey_of(&s.env, files[i].path, NULL);
            t_sweep_judge(&s, st);
        }
    }
    for (struct t_sweep s = { .least = 20 }; t_sweep_next(&s);) {
        const perc_status st = survey_of(&s.env, ":xor", NULL);
        t_sweep_judge(&s, st);
    }
}

/* Above all sizes, where tables are made smaller. */
TEST(memory_that_runs_out_in_a_full_table_leaves_nothing)
{
    for (struct t_sweep s = { .least = 5 }; t_sweep_next(&s);) {
        struct survey_room room = { .e = env_resolve(&s.env), .values = SURVEY_VALUES_ALL };
        struct survey_values v = { .bits = 10 };
        bool ok = true;
        for (size_t k = 0; k < 600 && ok; k++) {
            const struct survey_value one = { survey_hash_word(k), 1, k, 0, (char[]){ "x" }, 0 };
            size_t place;
            ok = survey_values_add(&v, &room, &one, 1, &place);
        }
        survey_values_free(&v, &room.e);
        t_sweep_judge(&s, ok ? PERC_OK : PERC_ENOMEM);
    }
}

/* Every environment has a key of its own. */
TEST(nothing_depends_on_the_key)
{
    enum { ROWS = 140000 };
    FILE *f = fopen("many.csv", "wb");
    struct rng rng = rng_seed(9, 0);
    perc_survey *s[2];
    perc_survey_info a, b;
    perc_survey_column c, d;

    assert_non_null(f);
    fputs("x,c,y\n", f);
    for (int i = 0; i < ROWS; i++)
        fprintf(f, "%llu,w%llu,%d\n", (unsigned long long)rng_below(&rng, 1 << 30),
                (unsigned long long)rng_below(&rng, 50), (int)rng_below(&rng, 2));
    assert_int_equal(fclose(f), 0);
    for (int k = 0; k < 2; k++)
        assert_int_equal(perc_survey_read(NULL, "many.csv", NULL, &s[k], NULL), PERC_OK);
    perc_survey_info_get(s[0], &a);
    perc_survey_info_get(s[1], &b);
    assert_true(a.duplicates_error >= 0 && a.rows == ROWS);
    assert_int_equal(a.duplicates, b.duplicates);
    assert_int_equal(a.contradictions, b.contradictions);
    for (uint64_t i = 0; perc_survey_column_get(s[0], i, &c); i++) {
        assert_true(perc_survey_column_get(s[1], i, &d));
        assert_int_equal(c.distinct, d.distinct);
        assert_int_equal(c.short_by, d.short_by);
        assert_int_equal(c.levels, d.levels);
        assert_true(c.mean == d.mean || isnan(c.mean));
        assert_true(c.quartile[1] == d.quartile[1] || isnan(c.quartile[1]));
        for (size_t k = 0; k < c.levels; k++) {
            uint64_t m, n;
            assert_string_equal(perc_survey_level(s[0], i, k, &m),
                                perc_survey_level(s[1], i, k, &n));
            assert_int_equal(m, n);
        }
    }
    assert_string_equal(perc_survey_proposal(s[0]), perc_survey_proposal(s[1]));
    perc_survey_free(s[0]);
    perc_survey_free(s[1]);
}

/* ----- features ---------------------------------------------------------------------------- */

static perc_survey *survey_text(const char *path, const char *text, const char *name,
                                const char *value)
{
    perc_params *p;
    perc_survey *s;
    perc_error err;

    write_text(path, text);
    assert_int_equal(perc_params_new(NULL, "data", &p, NULL), PERC_OK);
    if (name != NULL) assert_int_equal(perc_params_set(p, name, value, NULL), PERC_OK);
    if (perc_survey_read(NULL, path, p, &s, &err)) fail_msg("%s: %s", path, err.text);
    perc_params_free(p);
    return s;
}

static perc_survey_column column_of(const perc_survey *s, uint64_t i)
{
    perc_survey_column c;

    assert_true(perc_survey_column_get(s, i, &c));
    return c;
}

static void assert_near(double a, double b)
{
    if (isnan(a) && isnan(b)) return;
    if (!(fabs(a - b) <= 1e-12 * (1 + fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

static void assert_same_facts(const perc_survey *a, const perc_survey *b, uint64_t i)
{
    const perc_survey_column c = column_of(a, i), d = column_of(b, i);

    assert_int_equal(c.numbers, d.numbers);
    assert_int_equal(c.whole, d.whole);
    assert_int_equal(c.distinct, d.distinct);
    assert_int_equal(c.levels, d.levels);
    assert_int_equal(c.constant, d.constant);
    assert_int_equal(c.near_constant, d.near_constant);
    assert_true(c.min == d.min && c.max == d.max);
    assert_near(c.mean, d.mean);
    assert_near(c.sd, d.sd);
    for (int k = 0; k < 3; k++) assert_near(c.quartile[k], d.quartile[k]);
    assert_string_equal(c.leak, d.leak);
    if (c.levels > 0) { /* the most frequent */
        uint64_t m, n;
        perc_survey_level(a, i, 0, &m);
        perc_survey_level(b, i, 0, &n);
        assert_int_equal(m, n);
    }
}

/* What is not there is 0: the facts are those of the table in which it is written. Column 0 is
 * there in all rows, 1 above 0 for one label alone, 2 below 0, 3 for one label alone always the
 * same, 4 in one row, and the rest anywhere. */
TEST(features_that_are_not_stored_are_zeros)
{
    enum { ROWS = 300, FEATURES = 60, ROOM = ROWS * FEATURES * 8 };
    struct rng rng = rng_seed(31, 0);
    static char sparse[ROOM], table[ROOM];
    size_t n = 0, m = 0;

    for (int j = 0; j < FEATURES; j++) m += (size_t)sprintf(table + m, "f%d,", j);
    m += (size_t)sprintf(table + m, "y\n");
    for (int i = 0; i < ROWS; i++) {
        const int y = rng_below(&rng, 3) > 0;
        n += (size_t)sprintf(sparse + n, "%d", y);
        for (int j = 0; j < FEATURES; j++) {
            const int draw = 1 + (int)rng_below(&rng, 9);
            const double v = j == 0   ? draw
                             : j == 1 ? (y ? draw + rng_uniform(&rng) : 0)
                             : j == 2 ? (draw < 3 ? -draw : 0)
                             : j == 3 ? (y ? 2 : 0)
                             : j == 4 ? i == 7
                                      : (rng_below(&rng, 20) == 0 ? draw - 4.5 : 0);
            if (v != 0) n += (size_t)sprintf(sparse + n, " %d:%g", j + 1, v);
            m += (size_t)sprintf(table + m, "%g,", v);
        }
        n += (size_t)sprintf(sparse + n, "\n");
        m += (size_t)sprintf(table + m, "%d\n", y);
    }
    perc_survey *a = survey_text("s.svm", sparse, NULL, NULL),
                *b = survey_text("s.csv", table, NULL, NULL);
    for (uint64_t i = 0; i < FEATURES; i++) assert_same_facts(a, b, i);
    assert_string_equal(column_of(a, 1).leak, "order");
    assert_string_equal(column_of(a, 3).leak, "values");
    assert_true(column_of(a, 4).near_constant);
    assert_non_null(strstr(perc_survey_proposal(b), "; nearly always the same (ignore)"));
    assert_null(perc_survey_proposal(a)); /* no table */
    perc_survey_free(a);
    perc_survey_free(b);
}

/* More labels than are looked at one by one. Feature 0 determines all labels but the last, which
 * share its zeros. */
TEST(zeros_go_with_all_labels_of_their_rows)
{
    enum { LABELS = 40, FEATURES = 30, ROOM = 1 << 16 };
    static char sparse[ROOM], table[ROOM];
    size_t n = 0, m = 0;

    for (int j = 0; j < FEATURES; j++) m += (size_t)sprintf(table + m, "f%d,", j);
    m += (size_t)sprintf(table + m, "y\n");
    for (int i = 0; i < 4 * LABELS; i++) {
        n += (size_t)sprintf(sparse + n, "%d", i % LABELS);
        for (int j = 0; j < FEATURES; j++) {
            const int label = i % LABELS, own = label < 32 ? label + 1 : 0;
            const int v = j == 0 ? own : (i + j) % FEATURES == 0 ? 1 + i % 7 : 0;
            if (v != 0) n += (size_t)sprintf(sparse + n, " %d:%d", j + 1, v);
            m += (size_t)sprintf(table + m, "%d,", v);
        }
        n += (size_t)sprintf(sparse + n, "\n");
        m += (size_t)sprintf(table + m, "%d\n", i % LABELS);
    }
    perc_survey *a = survey_text("s.svm", sparse, NULL, NULL),
                *b = survey_text("s.csv", table, NULL, NULL);
    for (uint64_t i = 0; i < FEATURES; i++) assert_same_facts(a, b, i);
    perc_survey_free(a);
    perc_survey_free(b);
}

/* Features beyond those that are described still tell rows apart. */
TEST(rows_differ_in_features_that_are_not_described)
{
    perc_survey *s = survey_text("far.svm",
                                 "1 1:2 9000:1\n1 1:2 9000:3\n-1 1:2 9000:1\n"
                                 "1 1:2 9000:3\n",
                                 NULL, NULL);
    perc_survey_info info;

    perc_survey_info_get(s, &info);
    assert_int_equal(info.columns, 9000);
    assert_true(info.described < 9000);
    assert_int_equal(info.cells, 8);
    assert_int_equal(info.duplicates, 1);
    assert_int_equal(info.contradictions, 2);
    perc_survey_free(s);
}

/* A file that begins at 1, counted from 0, has a feature 0 that is in no row. */
TEST(features_are_counted_from_where_the_option_says)
{
    perc_survey *s = survey_text("one.svm", "1 1:5\n-1 1:6\n", "index", "0");

    assert_string_equal(column_of(s, 0).name, "0");
    assert_true(column_of(s, 0).constant);
    assert_string_equal(column_of(s, 1).name, "1");
    assert_true(column_of(s, 1).min == 5);
    perc_survey_free(s);
}

/* ----- tables ------------------------------------------------------------------------------ */

TEST(weights_below_zero_are_wrong)
{
    perc_survey *s = survey_text("w.csv", "x,w,y\n1,2,a\n2,-1,b\n3,-2,b\n4,1,a\n", "weight", "w");
    const perc_survey_column w = column_of(s, 1);

    assert_int_equal(w.wrong, 2);
    assert_string_equal(w.wrong_text, "-1");
    assert_int_equal(w.wrong_line, 3);
    assert_true(w.min == 1 && w.max == 2);
    assert_non_null(strstr(perc_survey_proposal(s), "2 that are no number: -1"));
    perc_survey_free(s);
}

/* What stops a survey has its line, also behind the first chunk of a file. */
TEST(what_stops_a_survey_has_its_place)
{
    static const struct {
        const char *path, *head, *row, *bad, *words;
        int64_t line; /* after the rows */
    } cases[] = {
        { "p.csv", "a,y\n", "1,u\n", "1,inf\n", "the label 'inf' is not a finite number", 2 },
        { "p.csv", "a,y\n", "1,u\n", "1\n", "after 1 of 2 cells", 2 },
        { "p.jsonl", "", "{\"a\":1,\"y\":\"u\"}\n", "{\"a\":1,\"y\":\"inf\"}\n",
          "the label 'inf' is not a finite number", 1 },
        { "p.jsonl", "", "{\"a\":1,\"y\":\"u\"}\n", "{\"a\":1,\"a\":2}\n", "twice", 1 },
        { "p.jsonl", "", "{\"a\":1,\"y\":\"u\"}\n", "{\"a\":1,\"y\":\"inf\",\"a\":2}\n", "twice",
          1 },
        { "p.svm", "", "1 1:1 2:3\n", "1 2:1 1:3\n", "index", 1 },
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        for (int64_t rows = 3; rows < 2000000; rows *= 100000) {
            FILE *f = fopen(cases[i].path, "wb");
            perc_survey *s;
            perc_error err;
            assert_non_null(f);
            fputs(cases[i].head, f);
            for (int64_t k = 0; k < rows; k++) fputs(cases[i].row, f);
            fputs(cases[i].bad, f);
            assert_int_equal(fclose(f), 0);
            const perc_status st = perc_survey_read(NULL, cases[i].path, NULL, &s, &err);
            assert_refused(st, PERC_EDATA, &err, cases[i].words);
            assert_int_equal(err.line, rows + cases[i].line);
            assert_null(s);
        }
}

TEST(what_is_not_there_is_nothing)
{
    perc_survey_column c;
    perc_survey_info info;
    uint64_t n = 7;

    assert_int_equal(perc_survey_column_get(NULL, 0, &c), 0);
    assert_string_equal(c.name, "");
    perc_survey_info_get(NULL, &info);
    assert_string_equal(info.format, "");
    assert_null(perc_survey_label(NULL, 0, &n));
    assert_int_equal(n, 0);
    assert_null(perc_survey_level(NULL, 0, 0, NULL));
    assert_null(perc_survey_proposal(NULL));
    perc_survey_free(NULL);
}
