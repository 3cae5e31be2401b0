/* test_text.c -- columns of text: what a word is, what a bag holds, which feature a
 * word becomes, and what a model does with words it has not met. */
#include "words_reference.h"

#include "data/words.h"
#include "t_alloc.h"

/* ----- words ------------------------------------------------------------------- */

static void words_are(const char *text, size_t len, const char *expected)
{
    const struct env e = env();
    struct words w;
    struct text all;
    const char *word;
    size_t n;

    words_init(&w, &e);
    text_init(&all, &e);
    text_str(&all, "");
    assert_true(words_of(&w, text, len));
    while ((word = words_next(&w, &n)) != NULL) {
        assert_int_equal(strlen(word), n);
        text_str(&all, word);
        text_char(&all, '|');
    }
    assert_null(words_next(&w, &n)); /* the end stays the end */
    assert_string_equal(all.s != NULL ? all.s : "", expected);
    text_free(&all);
    words_free(&w);
}

TEST(a_word_is_a_run_of_letters_and_digits)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        { "", "" },
        { " \t\n.,;", "" },
        { "one", "one|" },
        { "One TWO three", "one|two|three|" },
        { "It's 3.50, isn't it?", "it|s|3|50|isn|t|it|" },
        { "snake_case kebab-case", "snake|case|kebab|case|" },
        { "a1b2 1e5 0x1F", "a1b2|1e5|0x1f|" },
        { "@[`{/:", "" }, /* the neighbours of letters and digits */
        { "AZaz09", "azaz09|" },
        { "K\xc3\x84SE K\xc3\xa4se", "k\xc3\x84se|k\xc3\xa4se|" }, /* ASCII only is lowered */
        { "\x80\xff\x7f\xc2\xa0", "\x80\xff|\xc2\xa0|" },
        { "NA ? null", "na|null|" },
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        words_are(cases[i].text, strlen(cases[i].text), cases[i].words);
    words_are("a\0B", 3, "a|b|"); /* a NUL separates, too */
}

TEST(any_bytes_have_the_words_of_the_reference)
{
    struct rng g = rng_seed(12, 0);
    char text[200], expected[500], word[256];
    size_t words = 0;

    for (int round = 0; round < 3000; round++) {
        const size_t len = (size_t)rng_below(&g, sizeof text);
        size_t n = 0, at = 0;
        for (size_t i = 0; i < len; i++) text[i] = (char)rng_below(&g, round % 2 ? 256 : 128);
        while (ref_word(text, len, &at, word)) {
            n += (size_t)snprintf(expected + n, sizeof expected - n, "%s|", word);
            words++;
        }
        expected[n] = '\0';
        words_are(text, len, expected);
    }
    assert_true(words > 10000); /* guard */
}

/* ----- bags ---------------------------------------------------------------------- */

TEST(a_cell_becomes_the_counts_of_its_words)
{
    struct reading t;

    read_text(&t,
              "id,body,colour,y\n"
              "7,\"Free, free FREE money\",red,spam\n"
              "8,money for you,blue,ham\n"
              "9,,red,ham\n"
              "10,\"no \"\"free\"\" lunch\",red,ham\n",
              "text=body");
    assert_string_equal(t.note, "comma-separated, with a header; label 'y'; text: body; "
                                "categories: colour");
    assert_int_equal(schema_features(&t.csv.schema), 9);
    feature_is(&t, 0, "id");
    feature_is(&t, 1, "body=free");
    feature_is(&t, 2, "body=money");
    feature_is(&t, 3, "colour=red");
    feature_is(&t, 4, "body=for");
    feature_is(&t, 6, "colour=blue");
    feature_is(&t, 8, "body=lunch");
    row_is(&t, 0, "spam: 0=7 1=3 2=1 3=1");
    row_is(&t, 1, "ham: 0=8 2=1 4=1 5=1 6=1");
    row_is(&t, 2, "ham: 0=9 3=1");
    row_is(&t, 3, "ham: 0=10 1=1 3=1 7=1 8=1");
    done(&t);
}

TEST(the_column_is_part_of_a_word)
{
    struct reading t;

    read_text(&t, "title,body,y\nfree,free now,a\nnow,free,b\n", "text=title,body");
    feature_is(&t, 0, "title=free");
    feature_is(&t, 1, "body=free");
    feature_is(&t, 2, "body=now");
    feature_is(&t, 3, "title=now");
    row_is(&t, 0, "a: 0=1 1=1 2=1");
    row_is(&t, 1, "b: 1=1 3=1");
    done(&t);
    read_text(&t, "3 4,1,a\n4 4,2,b\n", "text=1 header=no"); /* by position, and numbers */
    feature_is(&t, 1, "x1=3");
    row_is(&t, 1, "b: 0=2 2=2");
    done(&t);
}

/* An empty cell is an empty bag, NA and ? are text; other columns go on being missed. */
TEST(a_text_is_never_missing)
{
    static const char table[] = "body,n,y\n,1,a\nNA,2,b\n?,3,a\n\"\",4,b\n";
    static const char *const how[] = { "error", "drop", "mean", "zero" };
    char option[64];
    struct reading t;

    for (int i = 0; i < 4; i++) {
        snprintf(option, sizeof option, "text=body missing=%s", how[i]);
        read_text(&t, table, option);
        assert_int_equal(t.rows.n, 4);
        assert_int_equal(t.rows.dropped, 0);
        row_is(&t, 0, "a: 0=1");
        row_is(&t, 1, "b: 0=2 1=1");
        row_is(&t, 2, "a: 0=3");
        row_is(&t, 3, "b: 0=4");
        done(&t);
    }
    /* A dropped row leaves no word behind. */
    read_text(&t, "body,n,y\nold words,?,a\nnew,2,b\n", "text=body missing=drop");
    assert_int_equal(t.rows.dropped, 1);
    assert_int_equal(schema_features(&t.csv.schema), 2);
    feature_is(&t, 1, "body=new");
    done(&t);
}

TEST(a_header_of_words_is_known_by_the_option)
{
    struct reading t;

    (void)state; /* "body" comes again below, so the table looks like one without */
    read_text(&t, "body,kind\nmy body,a\nbody,b\n", "text=body");
    assert_true(t.csv.skip_first);
    assert_int_equal(t.rows.n, 2);
    done(&t);
}

TEST(wrong_options_are_refused)
{
    static const struct {
        const char *options, *complaint;
        perc_status st;
    } cases[] = {
        { "text=boddy", "text: there is no column 'boddy'", PERC_EARG },
        { "text=9", "text: there is no column '9'", PERC_EARG },
        { "text=body categorical=body", "text: column 'body' already has another use", PERC_EARG },
        { "text=body ignore=body", "text: column 'body' already has another use", PERC_EARG },
        { "text=body,n weight=n", "text: column 'n' already has another use", PERC_EARG },
        { "text=body label=body", "label: column 'body' already has another use", PERC_EARG },
        { "text=1 categorical=2", "text: column '1'", PERC_OK }, /* guard: these go together */
    };
    struct reading t;

    for (size_t i = 0; i < COUNT(cases); i++) {
        read_for(&t, "body,n,y\nfree,1,a\nlunch,2,b\n", cases[i].options, NULL);
        assert_int_equal(t.st, cases[i].st);
        if (t.st && strstr(t.err.text, cases[i].complaint) == NULL) fail_msg("%s", t.err.text);
        done(&t);
    }
}

TEST(a_model_counts_the_words_it_has_not)
{
    struct reading t, u;

    read_text(&t, "body,n,y\nfree money free,1,a\nlunch,2,b\n", "text=body");
    read_for(&u, "n,body\n5,\"Money! lunch, LUNCH and more and more\"\n6,\n", "", &t.csv.schema);
    assert_int_equal(u.st, PERC_OK);
    row_is(&u, 0, "-: 0=5 2=1 3=2");
    row_is(&u, 1, "-: 0=6");
    assert_int_equal(u.rows.unknown, 4);
    assert_int_equal(schema_features(&u.csv.schema), 4);
    done(&u);
    read_for(&u, "n,body\n5,lunch\n", "text=body", &t.csv.schema); /* what it is anyway */
    assert_int_equal(u.st, PERC_OK);
    done(&u);
    read_for(&u, "n,body\n5,lunch\n", "text=n", &t.csv.schema);
    assert_int_equal(u.st, PERC_EARG);
    assert_non_null(strstr(u.err.text, "the model does not take column 'n' as text"));
    done(&u);
    read_for(&u, "n\n5\n", "", &t.csv.schema);
    assert_int_equal(u.st, PERC_EDATA);
    assert_non_null(strstr(u.err.text, "lacks the column 'body'"));
    done(&u);
    done(&t);
}

/* Counts beyond what a packed decimal holds, and doubles in the same chunk. */
TEST(counts_are_exact_in_every_encoding)
{
    enum { MANY = (1 << 24) + 3 };
    char *text = malloc(2 * (size_t)MANY + 100);
    struct reading t;
    size_t n;

    assert_non_null(text);
    n = (size_t)sprintf(text, "n,body,y\n0.1234567890123,b a a,p\n1,");
    for (int i = 0; i < MANY; i++) {
        text[n++] = 'b';
        text[n++] = ' ';
    }
    memcpy(text + n, "a,q\n", 5);
    /* The look at the beginning stops at a line that is too long; the reader never. */
    const struct env e = env();
    perc_params *p = options("text=body");
    memset(&t, 0, sizeof t);
    rows_init(&t.rows, &e);
    t.rows.exact = true;
    assert_int_equal(csv_open(&e, text, 31, p, NULL, NULL, &t.csv, t.note, NULL), PERC_OK);
    assert_int_equal(csv_parse(&t.csv, text, n + 4, true, &t.rows, &t.local, NULL), PERC_OK);
    assert_int_equal(csv_merge(&t.csv, &t.local, &t.rows, NULL), PERC_OK);
    assert_int_equal(t.rows.n, 2);
    assert_false(t.rows.packed);
    row_is(&t, 0, "p: 0=0.1234567890123 1=1 2=2");
    row_is(&t, 1, "q: 0=1 1=16777219 2=1");
    assert_int_equal(t.rows.decimal[4].mantissa, MANY);
    assert_int_equal(t.rows.decimal[5].mantissa, 1);
    perc_params_free(p);
    done(&t);
    free(text);
}

/* ----- random tables in files -------------------------------------------------------- */

enum { FEATURES = 3000 };

struct dictionary {
    char *name[FEATURES]; /* "body=free"; feature 0 is the number */
    size_t n;
    unsigned char *row; /* the row being counted */
};

static void count_word(void *ud, const char *column, const char *word)
{
    struct dictionary *d = ud;
    char name[300];
    size_t j = 1;

    snprintf(name, sizeof name, "%s=%s", column, word);
    while (j < d->n && strcmp(d->name[j], name) != 0) j++;
    if (j == d->n) {
        assert_true(d->n < FEATURES);
        d->name[d->n++] = strcpy(malloc(strlen(name) + 1), name);
    }
    d->row[j]++;
}

/* All rows of ds are those in x, which has REF_ROWS rows of FEATURES numbers. */
static void rows_are(const perc_dataset *ds, const unsigned char *x, size_t features)
{
    double row[FEATURES];
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    assert_int_equal(info.rows, REF_ROWS);
    assert_int_equal(info.features, features);
    for (uint64_t i = 0; i < info.rows; i++) {
        perc_dataset_row(ds, i, row);
        for (size_t j = 0; j < features; j++) assert_true(row[j] == x[i * FEATURES + j]);
    }
}

TEST(any_table_has_the_bags_of_the_reference_for_any_threads)
{
    static const int threads[] = { 1, 2, 3, 8 };
    static struct ref_table table;
    static const char *const formats[] = { "blocks", "libsvm", "csv" };
    struct dictionary d = { .n = 1 };
    unsigned char *x = calloc((size_t)REF_ROWS * FEATURES, sizeof *x);
    perc_dataset *ds;

    assert_non_null(x);
    ref_table_draw(&table, 3);
    ref_table_write(&table, 0, REF_ROWS, "t.csv");
    for (int i = 0; i < REF_ROWS; i++) {
        d.row = x + (size_t)i * FEATURES;
        d.row[0] = (unsigned char)table.size[i];
        ref_each(&table, i, count_word, &d);
    }
    assert_true(d.n > 500);
    for (int k = 0; k < 4; k++) {
        ds = read_path("t.csv", "text=body,title label=y", threads[k]);
        assert_true(ds->blocks > 2); /* guard: several chunks were merged */
        rows_are(ds, x, d.n);
        for (size_t j = 1; j < d.n; j++)
            assert_string_equal(perc_dataset_feature(ds, j), d.name[j]);
        if (k == 3) /* and what is written reads back */
            for (int i = 0; i < 3; i++)
                assert_int_equal(perc_dataset_write(ds, formats[i], formats[i], NULL), PERC_OK);
        perc_dataset_free(ds);
    }
    for (int i = 0; i < 3; i++) {
        ds = read_path(formats[i], "", 2);
        rows_are(ds, x, d.n);
        for (size_t j = 1; j < d.n && i != 1; j++)
            assert_string_equal(perc_dataset_feature(ds, j), d.name[j]);
        perc_dataset_free(ds);
    }
    for (size_t j = 1; j < d.n; j++) free(d.name[j]);
    ref_table_free(&table);
    free(x);
}

/* ----- memory runs out --------------------------------------------------------------- */

TEST(nothing_leaks_whichever_allocation_fails)
{
    static const char train[] = "n,c,body,y\n1,u,one two two three four five six seven,a\n"
                                "2,v,\"a \"\"b\"\" c d e f g h i j k l m n o p\",b\n3,u,,a\n";
    static const char use[] = "n,c,body\n1,u,one two a b z z d e f g h i j k\n";
    perc_params *p = options("text=body"), *none = options("");

    for (struct t_sweep s = { .least = 50 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct csv c = { 0 }, c2 = { 0 };
        struct rows r;
        struct csv_chunk local = { 0 };
        char note[256];
        rows_init(&r, &e);
        perc_status st = csv_open(&e, train, sizeof train - 1, p, NULL, NULL, &c, note, NULL);
        if (!st) st = csv_parse(&c, train, sizeof train - 1, true, &r, &local, NULL);
        if (!st) st = csv_merge(&c, &local, &r, NULL);
        rows_reset(&r);
        if (!st) st = csv_open(&e, use, sizeof use - 1, none, &c.schema, NULL, &c2, note, NULL);
        if (!st) st = csv_parse(&c2, use, sizeof use - 1, true, &r, &local, NULL);
        if (!st) assert_int_equal(r.unknown, 2);
        schema_free(&local.local);
        rows_free(&r);
        csv_free(&c);
        csv_free(&c2);
        t_sweep_judge(&s, st);
    }
    perc_params_free(p);
    perc_params_free(none);
}
