/* test_treat.c -- a table with a file that says what its columns are: what is wrong with the file
 * is told with its place, what nobody says is told from the table, and the model knows it all. What
 * the entries are is compared with another program: tests/oracle/columns_reference.py. */
#include "csv_table.h"

#include "base/sha256.h"
#include "data/csv_cell.h"
#include "data/csv_open.h"
#include "data/dataset.h"
#include "data/date.h"
#include "data/stop.h"
#include "t_alloc.h"

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "wb");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

#define TABLE \
    "id,day,age,plan,note,y\nA1,2024-03-31,30,pro,a b,1\nA2,,,,b,0\nA3,2024-04-01,40,pro,c,1\n"

TEST(what_is_wrong_with_the_file_has_a_place)
{
    static const struct {
        const char *said, *options, *error;
        perc_status st;
    } cases[] = {
        { "ag: number\n", "", "--columns what:1:1: there is no column 'ag' (did you mean age?)",
          PERC_EDATA },
        { "#\n 7: number\n", "", "--columns what:2:2: there is no column '7'", PERC_EDATA },
        { "age: number\n3: number\n", "",
          "--columns what:2:1: column '3' has a line already, line 1", PERC_EDATA },
        { "age: number\n", "ignore=age", "--columns what:1:6: 'age' is number here, and ignore",
          PERC_EDATA },
        { "age: date\n", "categorical=3", "--columns what:1:6: 'age' is date here, and category",
          PERC_EDATA },
        { "plan: label\n", "label=y", "what:1:7: there is another column that is the label",
          PERC_EDATA },
        { "plan: label\ny: label\n", "", "what:2:4: there is another column that is the label",
          PERC_EDATA },
        { "age: weight\n", "weight=y", "what:1:6: there is another column that is the weight",
          PERC_EDATA },
        { "age: number fill=1e300\n", "float32=true", "what:1:6: fill is too large for --float32",
          PERC_EDATA },
        { "age: numbr\n", "", "--columns what:1:6: 'numbr' is no kind of column", PERC_EDATA },
        { "age: number fill=error\n", "missing=mean",
          "column 'age' is missing a value (which its fill=error says is an error)", PERC_EDATA },
        { "age: date\n", "missing=mean",
          "'30' in column 'age' is not a date (write it as 2024-03-31", PERC_EDATA },
        { "note: number\n", "", "'a b' in column 'note' is not a number", PERC_EDATA },
        { "plan: category reference=prp fill=none\n", "missing=zero",
          "no row has the level 'prp', which --columns says is the reference of column 'plan'",
          PERC_EDATA },
        { "plan: category rare=2\n", "hash=4", "what:1:7: rare, reference, fill=frequent and tfidf",
          PERC_EDATA },
        { "note: text tfidf\n", "hash=4", "what:1:7: rare, reference, fill=frequent and tfidf",
          PERC_EDATA },
        { "age: number scale=standard\n", "scale=unit missing=zero",
          "--scale unit is of whole rows", PERC_EARG },
        { "id: ignore\nday: ignore\nage: ignore\nplan: id\nnote: ignore\n", "",
          "the table has no column besides the label", PERC_EDATA },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_params *p = options(cases[i].options);
        perc_dataset *ds;
        perc_error err = { 0 };
        write_file("table.csv", TABLE);
        write_file("what", cases[i].said);
        assert_int_equal(perc_params_set(p, "columns", "what", NULL), PERC_OK);
        const perc_status st = perc_dataset_read(NULL, "table.csv", p, &ds, &err);
        if (st != cases[i].st || strstr(err.text, cases[i].error) == NULL)
            fail_msg("%s: %d, %s", cases[i].said, st, err.text);
        assert_null(ds);
        perc_params_free(p);
    }
}

/* The kinds of the columns, a letter each. */
static void kinds_are(const char *text, const char *expected)
{
    static const char letter[] = {
        [COLUMN_NUMBER] = 'n', [COLUMN_CATEGORY] = 'c', [COLUMN_TEXT] = 't', [COLUMN_DATE] = 'd',
        [COLUMN_LABEL] = 'l',  [COLUMN_WEIGHT] = 'w',   [COLUMN_ID] = 'i',   [COLUMN_SKIP] = '-'
    };
    struct reading t;
    char got[16] = "";

    read_for(&t, text, "missing=mean", NULL);
    for (size_t i = 0; i < t.csv.schema.columns; i++) got[i] = letter[t.csv.schema.column[i].kind];
    if (strcmp(got, expected) != 0) fail_msg("%s, expected %s: %.60s", got, expected, text);
    done(&t);
}

/* n rows of `line`, in which every # is the number of the row. */
static const char *repeat(char *text, const char *head, const char *line, int n)
{
    char *p = text + sprintf(text, "%s", head);

    for (int i = 0; i < n; i++)
        for (const char *s = line; *s != '\0'; s++)
            p += *s == '#' ? sprintf(p, "%d", i) : sprintf(p, "%c", *s);
    return text;
}

TEST(kinds_are_told_from_the_table)
{
    char text[4096];

    kinds_are("d,x,y\n2024-03-31,1,a\n,2,b\n31.12.2023,3,a\n", "dnl");
    kinds_are("d,x,y\n2024-03-31,1,a\n2024-02-30,2,b\n", "cnl"); /* there is no such day */
    kinds_are("d,x,y\n2024-03-31,1,a\n2024,2,b\n", "cnl");
    kinds_are("d,y\n2024-03-31,a\n2024-03-30,b\n", "dl"); /* a header stands above dates */
    kinds_are("2024-03-31,a\n2024-03-30,b\n", "dl");      /* and has none itself */
    kinds_are(repeat(text, "id,x,y\n", "C#,1,a\n", 20), "inl");
    kinds_are(repeat(text, "id,x,y\n", "C#,1,a\n", 19), "cnl");
    kinds_are(repeat(text, "id,x,y\nC7,1,a\n", "C#,1,a\n", 20), "cnl"); /* one came twice */
    kinds_are(repeat(text, "id,x,y\n", "C #,1,a\n", 20), "cnl");        /* two words */
    kinds_are(repeat(text, "id,x,y\n", "row # is long,1,a\n", 20), "tnl");
    kinds_are(repeat(text, "id,x,y\n", "a row is long,1,a\n", 20), "cnl"); /* always the same */
    kinds_are(repeat(text, "id,x,y\n", "#,1,a\n", 20), "nnl");             /* numbers are numbers */
    kinds_are(repeat(text, "x,y\n", "1,C#\n", 20), "nl");                  /* the label stays it */
}

static void read_fails(const char *text, const char *spec, const struct schema *model,
                       const char *error)
{
    struct reading t;

    read_for(&t, text, spec, model);
    assert_true(t.st != PERC_OK);
    if (strstr(t.err.text, error) == NULL) fail_msg("%s", t.err.text);
    done(&t);
}

TEST(a_model_knows_its_columns)
{
    struct reading t, other;
    struct text json;
    struct schema back;

    write_file("what",
               "age: number fill=3 indicator\nplan: category fill=level\nday: date hour fill=zero\n"
               "note: text ngrams=2\nid: id\n");
    read_for(&t, TABLE, "missing=zero columns=what", NULL);
    assert_true(t.csv.counted);
    text_init(&json, &t.csv.schema.e);
    schema_to_json(&t.csv.schema, &json);
    assert_non_null(
        strstr(json.s, "{\"name\":\"age\",\"kind\":\"number\",\"how\":\"fill=3 indicator\"}"));
    assert_non_null(strstr(json.s, "\"categories\":[[2,\"missing\",true],[3,\"missing\",true],"));
    assert_int_equal(schema_from_json(&t.csv.schema.e, json.s, json.len, &back, NULL), PERC_OK);

    /* Without the file, and with it; but not with another. */
    read_for(&other, "age,y,plan,day,note,new\n,1,,,b a b,z\n7,0,pro,2024-01-01 05:00,,z\n", "",
             &back);
    row_is(&other, 0, "1: 0=3 1=1 2=1 5=1 6=2 7=1");
    done(&other);
    read_for(&other, TABLE, "columns=what", &back);
    assert_int_equal(other.rows.n, 3);
    done(&other);
    write_file("what", "age: number fill=4 indicator\n");
    read_fails(TABLE, "columns=what", &back, "the model takes this column otherwise");
    read_fails(TABLE, "missing=mean", &back, "leave out --missing mean");
    schema_free(&back);
    text_free(&json);
    done(&t);
}

/* The features of a table whose column x has these cells, a letter each; a blank is a gap. */
static void features_are(const char *how, const char *cells, const char *expected)
{
    char text[400] = "x,n,y\n", features[200] = "";
    perc_params *p = options("columns=what missing=zero");
    perc_error err = { 0 };
    perc_dataset *ds;

    for (int i = 0; *cells != '\0'; i++, cells++)
        sprintf(text + strlen(text), "%.*s,%d,%c\n", *cells != ' ', cells, i, "ab"[i % 2]);
    write_file("table.csv", text);
    sprintf(text, "x: category %s\n", how);
    write_file("what", text);
    if (perc_dataset_read(NULL, "table.csv", p, &ds, &err)) fail_msg("%s: %s", how, err.text);
    for (uint64_t j = 0; perc_dataset_feature(ds, j) != NULL; j++)
        sprintf(features + strlen(features), "%s%s", j > 0 ? " " : "", perc_dataset_feature(ds, j));
    if (strcmp(features, expected) != 0) fail_msg("%s: %s", how, features);
    perc_params_free(p);
    perc_dataset_free(ds);
}

/* A model is given cells, and cannot be told to take them as words. */
TEST(a_cell_that_is_no_date_is_refused_as_who_reads_can_mend_it)
{
    struct reading m, t;

    read_text(&m, "d,x,y\n2024-03-31,1,a\n2024-03-30,2,b\n", "");
    read_for(&t, "d,x,y\n2024-03-29,1,a\n29 March,2,b\n", "", &m.csv.schema);
    assert_refused_at(t.st, PERC_EDATA, &t.err, 3, 1,
                      "'29 March' in column 'd' is not a date (write it as 2024-03-31, or leave it "
                      "empty)");
    done(&t);
    done(&m);
}

/* The middle of two numbers whose sum is none. */
TEST(the_median_of_the_largest_numbers_is_a_number)
{
    perc_params *p = options("missing=median scale=none");
    perc_dataset *ds;
    perc_error err = { 0 };
    double x;

    write_file("table.csv", "a,y\n1e308,1\n1.5e308,0\n,1\n");
    if (perc_dataset_read(NULL, "table.csv", p, &ds, &err)) fail_msg("%s", err.text);
    perc_dataset_row(ds, 2, &x);
    assert_true(fabs(x - 1.25e308) <= 1e-15 * 1.25e308);
    perc_dataset_free(ds);
    write_file("table.csv", "a,y\n-1e308,1\n-1.5e308,0\n,1\n1.5e308,0\n");
    if (perc_dataset_read(NULL, "table.csv", p, &ds, &err)) fail_msg("%s", err.text);
    perc_dataset_row(ds, 2, &x);
    assert_true(x == -1e308);
    perc_dataset_free(ds);
    perc_params_free(p);
}

/* What is missing has a bucket, which is that of no word, the word missing included. */
TEST(a_missing_level_has_a_bucket_of_its_own)
{
    perc_params *p = options("hash=20");
    perc_dataset *ds;
    perc_error err = { 0 };
    double *x[4];

    write_file("table.csv", "c,d,y\nred,u,1\n,u,0\nmissing,u,1\nNA,u,0\n");
    write_file("what", "c: category fill=level\nd: ignore\n");
    assert_int_equal(perc_params_set(p, "columns", "what", NULL), PERC_OK);
    if (perc_dataset_read(NULL, "table.csv", p, &ds, &err)) fail_msg("%s", err.text);
    for (uint64_t i = 0; i < 4; i++) {
        size_t n = 0;
        assert_non_null(x[i] = calloc((size_t)ds->columns, sizeof *x[i]));
        perc_dataset_row(ds, i, x[i]);
        for (uint64_t j = 0; j < ds->columns; j++) n += x[i][j] != 0;
        assert_int_equal(n, 1);
    }
    const size_t size = (size_t)ds->columns * sizeof *x[0];
    assert_memory_equal(x[1], x[3], size);
    assert_memory_not_equal(x[1], x[2], size);
    assert_memory_not_equal(x[1], x[0], size);
    for (int i = 0; i < 4; i++) free(x[i]);
    perc_dataset_free(ds);
    perc_params_free(p);
}

TEST(levels_are_settled_by_their_rows)
{
    features_are("", "abcab", "n x=a x=b x=c");
    features_are("rare=1", "abcab", "n x:rare x=a x=b x=c");
    features_are("rare=2", "abcab", "n x:rare x=a x=b");
    features_are("rare=9", "abcab", "n x:rare");
    features_are("reference=first", "bacab", "n x=a x=c");
    features_are("reference=first", " bcab", "n x=c x=a");    /* a gap is no level */
    features_are("reference=frequent", "bacab", "n x=a x=c"); /* of equals the first */
    features_are("reference=frequent", "baaab", "n x=b");
    features_are("reference=none", "abcab", "n x=a x=b x=c");
    features_are("reference=c rare=2", "abcab", "n x:rare x=a x=b"); /* it is never rare */
    features_are("reference=first rare=2", "cabab", "n x:rare x=b"); /* it is none that is */
    features_are("reference=frequent rare=3", "cabab", "n x:rare");  /* there is no other */
    features_are("fill=level rare=2 reference=b", "ab ba", "n x:missing x:rare x=a");
    features_are("fill=frequent", " abb", "n x=a x=b");
    features_are("fill=frequent rare=3", " abb", "n x:rare x=b"); /* the gap counts */
    features_are("fill=frequent rare=3 reference=first", " abb", "n x:rare");
    features_are("fill=frequent", "    ", "n"); /* of nothing */
    features_are("fill=frequent reference=frequent rare=2", " a a", "n x:rare");
}

/* A model that reads stop=english reads it so for ever: the list may not change. */
TEST(the_stop_words_are_what_they_were)
{
    static const char *const left[] = { "", "cat", "th", "thee", "a b", "zebra" };
    struct sha256 h;
    uint8_t digest[32];
    size_t n = 0;

    sha256_begin(&h);
    for (const char *word; (word = stop_english_word(n)) != NULL; n++) {
        assert_true(stop_english(word, strlen(word)));
        if (n > 0) assert_true(strcmp(stop_english_word(n - 1), word) < 0); /* sorted */
        sha256_add(&h, word, strlen(word) + 1);
    }
    sha256_end(&h, digest);
    assert_int_equal(n, 176);
    assert_int_equal(memcmp(digest, "\xb0\xb6\x56\x38", 4), 0);
    for (size_t i = 0; i < COUNT(left); i++) assert_false(stop_english(left[i], strlen(left[i])));
}

TEST(nothing_leaks_whichever_call_fails)
{
    write_file("table.csv", TABLE);
    write_file("what", "age: number fill=median scale=minmax indicator\n"
                       "plan: category fill=frequent rare=1 reference=first\n"
                       "day: date days hour fill=zero\n"
                       "note: text ngrams=3 stop=english tfidf\nid: id\ny: label\n");
    for (struct t_sweep s = { .least = 30 }; t_sweep_next(&s);) {
        perc_params *p;
        perc_dataset *ds = NULL;
        perc_error err = { 0 };
        perc_status st = perc_params_new(&s.env, "data", &p, &err);
        if (!st) st = perc_params_set(p, "columns", "what", &err);
        if (!st) st = perc_dataset_read(&s.env, "table.csv", p, &ds, &err);
        assert_true(st == PERC_OK || ds == NULL);
        perc_dataset_free(ds);
        perc_params_free(p);
        t_sweep_judge(&s, st);
    }
}
