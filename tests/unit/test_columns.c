/* test_columns.c -- the file that says what each column is: read, written, refused. */
#include "data/columns.h"

#include "t.h"
#include "t_alloc.h"

static struct env plain(void)
{
    return env_resolve(&(perc_env){ .threads = 1 });
}

static perc_status parse(const char *text, struct columns *out, perc_error *err)
{
    const struct env e = plain();

    *err = (perc_error){ 0 };
    return columns_parse(&e, text, strlen(text), out, err);
}

/* All lines of the text, as they are written. */
static void comes_back_as(const char *text, const char *want)
{
    const struct env e = plain();
    struct columns c;
    struct text out;
    perc_error err;

    if (parse(text, &c, &err)) {
        print_error("%s: %d:%d: %s\n", text, (int)err.line, (int)err.column, err.text);
        assert_true(false);
    }
    text_init(&out, &e);
    for (size_t i = 0; i < c.n; i++) columns_write(c.at[i].name, c.at[i].kind, &c.at[i].how, &out);
    text_char(&out, '\0');
    assert_string_equal(out.s, want);
    text_free(&out);
    columns_free(&c);
}

TEST(what_is_written_is_what_was_read)
{
    static const char all[] = "customer: id\n"
                              "signup: date days weekday month hour\n"
                              "last: date scale=none fill=mean\n"
                              "age: number scale=standard fill=median indicator\n"
                              "height: number scale=by:0.25 fill=-1.5\n"
                              "plan: category rare=10 fill=frequent reference=basic\n"
                              "town: category reference=first\n"
                              "note: text ngrams=2 tfidf stop=english\n"
                              "churn: label\n"
                              "w: weight\n"
                              "x9: ignore\n";

    comes_back_as(all, all);
    comes_back_as("", "");
    comes_back_as("\xef\xbb\xbf# a remark\r\n\n  age :number   fill=zero # and why\r\n",
                  "age: number fill=zero\n");
    /* A name that begins with a byte order mark keeps it. */
    comes_back_as("\"\xef\xbb\xbf\": id", "\"\xef\xbb\xbf\": id\n");
    /* What changes nothing is not written. */
    comes_back_as("a: text stop=none\nb: category reference=none", "a: text\nb: category\n");
}

TEST(any_name_and_level_can_be_written)
{
    static const char odd[] = "\"very good\": number\n"
                              "\"a:b\": category reference=\"x y\"\n"
                              "\"#\": category reference=\"none\"\n"
                              "\"\\\"\": category reference=\"first\"\n"
                              "{\"hex\":\"e9\"}: category reference={\"hex\":\"ff20\"}\n"
                              "k\xc3\xa4se: category reference=\xe2\x82\xac\n"
                              "a=b: category reference==\n"
                              "\"tab\\t\": number\n";

    comes_back_as(odd, odd);
    comes_back_as("\"age\": number fill=\"mean\"", "age: number fill=mean\n");
    comes_back_as("a: category reference=b:c", "a: category reference=\"b:c\"\n");
}

TEST(what_is_wrong_is_said_with_its_place)
{
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } list[] = {
        { "age", 1, 4, "expected a colon" },
        { "\n\nage number", 3, 5, "expected a colon" },
        { ": number", 1, 1, "expected NAME: KIND" },
        { "age:", 1, 5, "expected what the column is" },
        { "age: # number", 1, 6, "expected what the column is" },
        { "age: numbr", 1, 6, "'numbr' is no kind of column (did you mean number?)" },
        { "age: skip", 1, 6, "label, weight, id or ignore" },
        { "a: number\nb: number fil=mean", 2, 11, "(did you mean fill?)" },
        { "b: number rare=2", 1, 11, "'rare' is no option of a number: it is scale, fill or" },
        { "b: id rare=2", 1, 7, "after id, which has no options" },
        { "b: number fill", 1, 15, "fill takes a value" },
        { "b: number fill=", 1, 16, "a value is missing" },
        { "b: number fill= mean", 1, 16, "a value is missing" },
        { "b: number fill=meen", 1, 16, "fill is 'meen' (did you mean mean?)" },
        { "b: number fill=frequent", 1, 16, "mean, median, zero, drop, error or NUMBER" },
        { "b: category fill=mean", 1, 18, "frequent, level, none, drop or error" },
        { "b: category fill=0", 1, 18, "fill is '0'" },
        { "b: number fill=inf", 1, 16, "fill is 'inf'" },
        { "b: number scale=unit", 1, 17, "scale is 'unit'" },
        { "b: number scale=by:0", 1, 17, "scale is 'by:0'" },
        { "b: number scale=by:-1", 1, 17, "scale is 'by:-1'" },
        { "b: number scale=by:", 1, 17, "scale is 'by:'" },
        { "b: number indicator=1", 1, 20, "indicator takes no value" },
        { "b: number indicator indicator", 1, 21, "indicator stands here twice" },
        { "b: number fill=1 fill=1", 1, 18, "fill stands here twice" },
        { "b: category rare=0", 1, 18, "a number of rows, from 1" },
        { "b: category rare=1.5", 1, 18, "rare is '1.5'" },
        { "b: category rare=99999999999999999999", 1, 18, "rare is" },
        { "b: text ngrams=9", 1, 16, "1 to 8" },
        { "b: text ngrams=0", 1, 16, "1 to 8" },
        { "b: text stop=german", 1, 14, "english or none" },
        { "b: date days days", 1, 14, "days stands here twice" },
        { "b: date year", 1, 9, "'year' is no option of a date" },
        { "b c: number", 1, 3, "expected a colon" },
        { "b#: number", 1, 2, "in quotes only" },
        { "b\": number", 1, 2, "in quotes only" },
        { "b\001: number", 1, 2, "in quotes only" },
        { "\"b: number", 1, 1, "not closed" },
        { "\"b\\\": number", 1, 1, "not closed" },
        { "\"\": number", 1, 1, "not a JSON string" },
        { "\"\\q\": number", 1, 1, "not a JSON string" },
        { "\"\\u0000\": number", 1, 1, "not a JSON string" },
        { "{\"hex\":\"zz\"}: number", 1, 1, "not a JSON string" },
        { "{\"hex\":\"e9\"", 1, 1, "not closed" },
        { "b: category reference=\"a\"b", 1, 26, "a blank is missing" },
        { "b: category reference=\"a", 1, 23, "not closed" },
        { "b: category reference=", 1, 23, "a value is missing" },
    };
    struct columns c;
    perc_error err;

    for (size_t i = 0; i < COUNT(list); i++)
        assert_refused_at(parse(list[i].text, &c, &err), PERC_EDATA, &err, list[i].line,
                          list[i].column, list[i].words);
}

TEST(a_byte_zero_is_refused)
{
    const struct env e = plain();
    struct columns c;
    perc_error err = { 0 };

    assert_refused_at(columns_parse(&e, "a\0b: id", 7, &c, &err), PERC_EDATA, &err, 1, 2, "quotes");
    /* Words that go on behind it are longer than what they are compared with. */
    assert_refused_at(columns_parse(&e, "a: id\0 is not a kind", 20, &c, &err), PERC_EDATA, &err, 1,
                      4, "'id");
    assert_refused_at(columns_parse(&e, "a: text stop\0behind-it", 22, &c, &err), PERC_EDATA, &err,
                      1, 9, "'stop");
}

TEST(a_file_is_named_where_it_is_wrong)
{
    const struct env e = plain();
    struct columns c;
    perc_error err = { 0 };
    FILE *f = fopen("what", "w");

    fputs("# columns\nage: numbr\n", f);
    fclose(f);
    assert_refused(columns_read(&e, "what", &c, &err), PERC_EDATA, &err,
                   "--columns what:2:6: 'numbr' is no kind");
    assert_int_equal(err.line, 0);
    assert_refused(columns_read(&e, "nowhere", &c, &err), PERC_EIO, &err, "nowhere");
}

TEST(options_alone_are_read_too)
{
    const struct env e = plain();
    struct treatment t;
    struct text out;

    text_init(&out, &e);
    assert_int_equal(
        columns_treatment_parse(&e, COLUMN_CATEGORY, " rare=3 reference=a", 19, &t, NULL), PERC_OK);
    columns_treatment_write(&t, &out);
    assert_string_equal(out.s, " rare=3 reference=a");
    assert_false(columns_treatment_is_plain(&t));
    columns_treatment_free(&e, &t);
    assert_true(columns_treatment_is_plain(&t));
    text_free(&out);
}

TEST(memory_may_run_out_anywhere)
{
    for (struct t_sweep s = { .least = 8 }; t_sweep_next(&s);) {
        static const char text[] = "a: category reference=b\n\"c d\": category reference=\"e f\"\n"
                                   "{\"hex\":\"e9\"}: number\nx: id\ny: id\nz: id\n";
        const struct env e = env_resolve(&s.env);
        struct columns c;
        struct treatment t;
        perc_status st = columns_parse(&e, text, strlen(text), &c, NULL);
        if (!st) st = columns_treatment_copy(&e, &c.at[1].how, &t);
        if (!st) columns_treatment_free(&e, &t);
        columns_free(&c);
        t_sweep_judge(&s, st);
    }
}
