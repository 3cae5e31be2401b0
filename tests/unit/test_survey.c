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
        const bool often = rng_below(&rng, 3) == 0;
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
