/* test_notation.c -- numbers with a decimal comma and with separators, the quotes of a table, and
 * what is told of them from the table alone. */
#include "csv_table.h"
#include "data/notation.h"
#include "t_alloc.h"
#include "vec/rng.h"

/* ----- one number -------------------------------------------------------------------- */

static void reads(const struct notation *n, const char *text, enum notation_fault fault,
                  const char *plain)
{
    const struct env e = env();
    struct text out;

    text_init(&out, &e);
    const enum notation_fault got = notation_number(n, text, strlen(text), &out);
    if (got != fault) fail_msg("%s: fault %d, not %d", text, (int)got, (int)fault);
    if (plain != NULL) assert_string_equal(out.s, plain);
    text_free(&out);
}

#define COMMA                  \
    {                          \
        true, 0, QUOTES_DOUBLE \
    }
#define GERMAN                   \
    {                            \
        true, '.', QUOTES_DOUBLE \
    }
#define FRENCH                   \
    {                            \
        true, ' ', QUOTES_DOUBLE \
    }
#define ENGLISH                   \
    {                             \
        false, ',', QUOTES_DOUBLE \
    }
#define SWISS                      \
    {                              \
        false, '\'', QUOTES_DOUBLE \
    }
#define ENGINEER                  \
    {                             \
        false, '_', QUOTES_DOUBLE \
    }

TEST(a_number_in_another_notation_becomes_the_plain_one)
{
    static const struct {
        struct notation n;
        const char *text;
        enum notation_fault fault;
        const char *plain;
    } cases[] = {
        { COMMA, "1234,5", NOTATION_OK, "1234.5" },
        { COMMA, "-0,5", NOTATION_OK, "-0.5" },
        { COMMA, "+,5", NOTATION_OK, "+.5" },
        { COMMA, "12,", NOTATION_OK, "12." },
        { COMMA, "1,25e-3", NOTATION_OK, "1.25e-3" },
        { COMMA, "17", NOTATION_OK, "17" },
        { COMMA, "1.5", NOTATION_POINT, NULL },
        { COMMA, "1.5e3", NOTATION_POINT, NULL },
        { COMMA, ".5", NOTATION_POINT, NULL },
        { COMMA, "1,2,3", NOTATION_WORD, NULL },
        { COMMA, "1,5.2", NOTATION_WORD, NULL },
        { COMMA, "abc", NOTATION_WORD, NULL },
        { COMMA, "0x1f", NOTATION_WORD, NULL },
        { COMMA, "12,5 kg", NOTATION_WORD, NULL },
        { GERMAN, "1.234,50", NOTATION_OK, "1234.50" },
        { GERMAN, "-12.345.678", NOTATION_OK, "-12345678" },
        { GERMAN, "123.456,7e2", NOTATION_OK, "123456.7e2" },
        { GERMAN, "1234,5", NOTATION_OK, "1234.5" },
        { GERMAN, "1.5", NOTATION_GROUPS, NULL },
        { GERMAN, "1234.567", NOTATION_GROUPS, NULL },
        { GERMAN, ".123", NOTATION_GROUPS, NULL },
        { GERMAN, "1.234.", NOTATION_GROUPS, NULL },
        { GERMAN, "1..234", NOTATION_GROUPS, NULL },
        { GERMAN, "1.2345", NOTATION_GROUPS, NULL },
        { GERMAN, "1,234.5", NOTATION_WORD, NULL },
        { FRENCH, "1 234,5", NOTATION_OK, "1234.5" },
        { FRENCH,
          "1\xc2\xa0"
          "234,5",
          NOTATION_OK, "1234.5" },
        { FRENCH,
          "1\xe2\x80\xaf"
          "234\xc2\xa0"
          "567,5",
          NOTATION_OK, "1234567.5" },
        { FRENCH, "1 23", NOTATION_GROUPS, NULL },
        { FRENCH, "1\xc2", NOTATION_WORD, NULL },
        { ENGLISH, "1,234.5", NOTATION_OK, "1234.5" },
        { ENGLISH, "12,34,567", NOTATION_GROUPS, NULL },
        { ENGLISH, "1.234,5", NOTATION_WORD, NULL },
        { SWISS, "1'234.5", NOTATION_OK, "1234.5" },
        { SWISS,
          "1\xe2\x80\x99"
          "234.5",
          NOTATION_OK, "1234.5" },
        { ENGINEER, "1_234_567", NOTATION_OK, "1234567" },
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        reads(&cases[i].n, cases[i].text, cases[i].fault, cases[i].plain);
}

TEST(a_plain_number_is_recognised_as_one_of_elsewhere)
{
    static const struct {
        const char *text;
        enum notation_look look;
    } cases[] = {
        { "1,5", LOOKS_COMMA },
        { "-12,75", LOOKS_COMMA },
        { "0,123", LOOKS_COMMA },
        { "1234,567", LOOKS_COMMA },
        { "1,234", LOOKS_EITHER },
        { "-1,234", LOOKS_EITHER },
        { "1.234,5", LOOKS_POINTS },
        { "1.234.567", LOOKS_POINTS },
        { "1,234.5", LOOKS_COMMAS },
        { "1,234,567", LOOKS_COMMAS },
        { "1,2,3", LOOKS_OTHERWISE },
        { "1,", LOOKS_OTHERWISE },
        { ",5", LOOKS_OTHERWISE },
        { "a,5", LOOKS_OTHERWISE },
        { "", LOOKS_OTHERWISE },
        { "-", LOOKS_OTHERWISE },
        { "1,-5", LOOKS_OTHERWISE },
        { "1.2.3", LOOKS_OTHERWISE },
        { "31.12.2024", LOOKS_OTHERWISE },
    };

    const struct notation plain = { .comma = false }, blanks = { .thousands = ' ' };
    for (size_t i = 0; i < COUNT(cases); i++)
        if (notation_look(&plain, cases[i].text, strlen(cases[i].text)) != cases[i].look)
            fail_msg("%s", cases[i].text);
    assert_int_equal(notation_look(&blanks, "1 234,5", 7), LOOKS_COMMA);
    assert_int_equal(notation_look(&blanks, "1 23,5", 6), LOOKS_OTHERWISE);
    assert_int_equal(notation_look(&plain, "1 234,5", 7), LOOKS_OTHERWISE);
}

/* ----- tables ------------------------------------------------------------------------- */

TEST(commas_are_told_where_nothing_else_can_be_meant)
{
    static const struct {
        const char *text, *row, *note;
    } cases[] = {
        { "a;b;y\n1,5;2;u\n2,25;3;v\n", "u: 0=1.5 1=2", "decimal commas" },
        { "a\tb\ty\n1,5\t2\tu\n1,234\t3\tv\n3,5\t1\tu\n", "u: 0=1.5 1=2", "decimal commas" },
        { "1,5;2;u\n2,25;3;v\n7,5;3;v\n", "u: 0=1.5 1=2", "semicolon-separated" },
        { "a;b;y\n1.5;2;u\n2.25;3;v\n", "u: 0=1.5 1=2", "header; label" },
        { "a,b,y\n1.5,2,u\n2.25,3,v\n", "u: 0=1.5 1=2", "header; label" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading t;
        read_text(&t, cases[i].text, "");
        row_is(&t, 0, cases[i].row);
        if (strstr(t.note, cases[i].note) == NULL) fail_msg("%s: %s", cases[i].text, t.note);
        assert_int_equal(t.csv.schema.notation.comma, strchr(cases[i].text, '.') == NULL);
        done(&t);
    }
}

TEST(commas_are_told_beside_separators_that_are_given)
{
    struct reading t;

    read_text(&t, "a;b;y\n1 234,5;2;u\n2 000;3;v\n0,5;1;u\n", "thousands=space");
    row_is(&t, 0, "u: 0=1234.5 1=2");
    row_is(&t, 1, "v: 0=2000 1=3");
    assert_true(t.csv.schema.notation.comma);
    done(&t);
}

TEST(the_note_says_what_was_taken)
{
    struct reading t;

    read_text(&t, "a;b;y\n'1.234,5';2;'u;'\n3,5;1.000;v\n", "thousands=. quote='");
    assert_string_equal(t.note, "semicolon-separated, with a header; decimal commas, '.' between "
                                "thousands; quotes: single; label 'y'");
    row_is(&t, 0, "u;: 0=1234.5 1=2");
    row_is(&t, 1, "v: 0=3.5 1=1000");
    done(&t);
    read_text(&t, "a b y\n1_000 \"x u\n2 z v\n", "thousands=_ quote=none delimiter=space");
    assert_string_equal(t.note, "space-separated, with a header; '_' between thousands; quotes: "
                                "none; label 'y'; categories: b");
    feature_is(&t, 1, "b=\"x");
    done(&t);
}

TEST(labels_and_weights_are_numbers_of_the_notation)
{
    struct reading t;

    read_text(&t, "a;w;y\n1;0,5;1,50\n2;1,5;1,5\n3;1.000,5;007,5\n4;1;a,b\n5;1;1.000\n",
              "decimal=, thousands=. weight=w label=y");
    assert_true(t.rows.weight[0] == 0.5 && t.rows.weight[2] == 1000.5);
    row_is(&t, 0, "1.50: 0=1");
    row_is(&t, 1, "1.50: 0=2"); /* the same number, as it was written first */
    row_is(&t, 2, "007,5: 0=3");
    row_is(&t, 3, "a,b: 0=4");
    row_is(&t, 4, "1000: 0=5");
    done(&t);
}

TEST(json_numbers_are_as_they_are)
{
    struct reading t;

    read_text(&t,
              "{\"a\":\"1.234,5\",\"y\":1.000}\n{\"a\":12.5,\"y\":\"1.000\"}\n{\"a\":7,\"y\":1}\n",
              "format=jsonl decimal=, thousands=.");
    row_is(&t, 0, "1.000: 0=1234.5");
    row_is(&t, 1, "1000: 0=12.5");
    row_is(&t, 2, "1.000: 0=7");
    done(&t);
}

TEST(a_model_keeps_the_notation)
{
    static const char text[] = "a;b;y\n1.234,5;2;u\n3,5;1;v\n";
    const struct env e = env();
    struct schema back;
    struct reading t;
    struct text json;

    read_text(&t, text, "decimal=, thousands=. quote=none");
    text_init(&json, &e);
    schema_to_json(&t.csv.schema, &json);
    assert_non_null(strstr(json.s, "\"decimal\":\",\",\"thousands\":\".\",\"quote\":\"none\"}"));
    assert_int_equal(schema_from_json(&e, json.s, json.len, &back, NULL), PERC_OK);
    assert_memory_equal(&back.notation, &t.csv.schema.notation, sizeof back.notation);
    assert_true(schema_has_notation(&back));
    text_free(&json);
    schema_free(&back);
    done(&t);
}

/* ----- digits for proofs ----------------------------------------------------------------- */

TEST(exact_digits_are_kept_whatever_stands_between_them)
{
    static const char plain[] = "a;y\n12345678901234567890123.25;0\n-1.5;1\n",
                      other[] = "a;y\n12.345.678.901.234.567.890.123,25;0\n-1,5;1\n";
    const struct env e = env();
    struct reading t[2];
    char canonical[2][NUMBER_CANONICAL];

    for (int i = 0; i < 2; i++) {
        const char *text = i == 0 ? plain : other;
        perc_params *p = options(i == 0 ? "" : "decimal=, thousands=.");
        memset(&t[i], 0, sizeof t[i]);
        rows_init(&t[i].rows, &e);
        t[i].rows.exact = true;
        assert_int_equal(
            csv_open(&e, text, strlen(text), p, NULL, NULL, &t[i].csv, t[i].note, NULL), PERC_OK);
        assert_int_equal(
            csv_parse(&t[i].csv, text, strlen(text), true, &t[i].rows, &t[i].local, &t[i].err),
            PERC_OK);
        assert_true(t[i].rows.decimal[0].more);
        const size_t n = number_canonical(&t[i].rows.decimal[0], canonical[i]);
        canonical[i][n] = '\0';
        perc_params_free(p);
    }
    assert_string_equal(canonical[0], canonical[1]);
    assert_string_equal(canonical[0], "1.234567890123456789012325e+22");
    done(&t[0]);
    done(&t[1]);
}

/* ----- fast and slow agree -------------------------------------------------------------------- */

TEST(numbers_are_the_same_as_with_points)
{
    enum { ROWS = 400 };
    struct rng g = rng_seed(11, 0);
    static char plain[ROWS * 64], other[ROWS * 64];
    size_t n = (size_t)sprintf(plain, "a;b;y\n");
    struct reading a, b;

    for (int i = 0; i < ROWS; i++) {
        const double u = (rng_uniform(&g) - 0.5) * pow(10, (double)rng_below(&g, 12));
        n += (size_t)snprintf(plain + n, 64, "%.*f;%s%.17g;%d\n", (int)rng_below(&g, 12), u,
                              rng_below(&g, 4) == 0 ? " " : "", u / 3, i % 2);
    }
    for (size_t i = 0; i <= n; i++) other[i] = plain[i] == '.' ? ',' : plain[i];
    read_text(&a, plain, "");
    read_text(&b, other, "decimal=,");
    assert_int_equal(a.rows.entries, b.rows.entries);
    rows_unpack(&a.rows);
    rows_unpack(&b.rows);
    assert_memory_equal(a.rows.value, b.rows.value, a.rows.entries * sizeof *a.rows.value);
    done(&a);
    done(&b);
}

/* ----- memory ------------------------------------------------------------------------------- */

TEST(memory_may_run_out_in_any_notation)
{
    static const char text[] =
        "a;w;b;y\n1.234,50;1,5;x;1,5\n'12.345.678.901.234.567.890,25';2;y;2\n";

    for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        perc_params *p = options("decimal=, thousands=. quote=' weight=w");
        struct rows r;
        struct csv_chunk local;
        struct csv c;
        perc_error err = { 0 };
        char note[256];

        memset(&local, 0, sizeof local);
        rows_init(&r, &e);
        r.exact = true;
        perc_status st = csv_open(&e, text, sizeof text - 1, p, NULL, NULL, &c, note, &err);
        if (!st) {
            st = csv_parse(&c, text, sizeof text - 1, true, &r, &local, &err);
            if (!st) st = csv_merge(&c, &local, &r, &err);
            csv_free(&c);
        }
        schema_free(&local.local);
        rows_free(&r);
        perc_params_free(p);
        t_sweep_judge(&s, st);
    }
}
