/* test_csv.c -- what is decided about a table, what its rows become, and every
 * complaint with its place. Random tables are in test_csv_random.c. */
#include "csv_table.h"

#include "data/csv_cell.h"
#include "vec/rng.h"

/* ----- decisions ------------------------------------------------------------- */

TEST(delimiter_is_found)
{
    static const struct {
        const char *text, *options;
        char delimiter;
        size_t columns;
    } cases[] = {
        { "a,b,c\n1,2,3\n4,5,6\n", "", ',', 3 },
        { "a\tb\tc\n1\t2\t3\n", "", '\t', 3 },
        { "a;b;c\n1;2;3\n", "", ';', 3 },
        { "a|b|c\n1|2|3\n", "", '|', 3 },
        { "a;b\n1;\"x,y,z\"\n2;\"u,v,w\"\n", "", ';', 2 },
        { "name\tnote\ty\nx\tone, two\t1\ny\tthree\t0\n", "", '\t', 3 },
        { "\"a,b\";\"c\"\n1;2\n", "", ';', 2 },
        { "a,b\n1,2\n", "delimiter=;", ';', 1 },
        { "a b\tc\n1\t2\n", "format=tsv", '\t', 2 },
        { "a,b\tc\n1\t2\n", "delimiter=tab", '\t', 2 },
        { "a;b;c\n1;2;3\n4;5\n", "", ';', 3 }, /* the run breaks, but nothing else fits */
    };
    const struct env e = env();

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct csv c;
        char note[256];
        perc_params *p = options(cases[i].options);
        const perc_status st = csv_open(&e, cases[i].text, strlen(cases[i].text), p, NULL, NULL, &c,
                                        note, NULL);
        if (cases[i].columns == 1) assert_int_equal(st, PERC_EDATA); /* no features */
        else {
            assert_int_equal(st, PERC_OK);
            assert_int_equal(c.delimiter, cases[i].delimiter);
            assert_int_equal(c.file_columns, cases[i].columns);
        }
        csv_free(&c);
        perc_params_free(p);
    }
}

TEST(header_is_found)
{
    static const struct {
        const char *text, *options;
        bool header;
    } cases[] = {
        { "a,b,c\n1,2,3\n", "", true },
        { "1,2,3\n4,5,6\n", "", false },
        { "1,2,yes\n4,5,no\n", "", false },
        { "red,big,yes\nred,small,no\n", "", false }, /* "red" comes again */
        { "colour,size,y\nred,big,no\nred,small,no\n", "", true },
        { "id,2019,y\n1,2,3\n4,5,6\n", "header=yes", true }, /* a number as a name */
        { "a,b,c\n1,2,3\n", "header=no categorical=1,2", false },
        { ",b,c\n0,2,3\n1,4,5\n", "", true }, /* an index without name */
        { "a,b,c\n?,?,x\n1,NA,y\n", "missing=zero", true },
        { "red,yes\n?,yes\nNA,no\n", "missing=zero", false }, /* no number anywhere */
        { "a,b,c\n", "", true },                              /* nothing but names */
        { "p,q\nu,v\np,w\n", "label=q", true },               /* the option says so */
        { "\n  \na,b\n1,2\n", "", true },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading t;
        read_for(&t, cases[i].text, cases[i].options, NULL);
        if (t.csv.skip_first != cases[i].header) fail_msg("header of: %s", cases[i].text);
        done(&t);
    }
}

TEST(label_is_found_by_option_by_name_or_last)
{
    static const struct {
        const char *text, *options;
        size_t label;
    } cases[] = {
        { "a,b,c\n1,2,3\n", "", 2 },
        { "a,Class,c\n1,2,3\n", "", 1 },
        { "y,target,c\n1,2,3\n", "", 1 }, /* target before y */
        { "y,b,LABEL\n1,2,3\n", "", 2 },
        { "y,b,c\n1,2,3\n", "label=b", 1 },
        { "y,b,c\n1,2,3\n", "label=3", 2 },
        { "3,b,c\nu,v,w\n", "label=3 header=yes", 0 }, /* a name before a position */
        { "y,b,c\n1,2,3\n", "ignore=y", 2 },
        { "a,b,c\n1,2,3\n", "ignore=3", 1 },
        { "1,2,3\n4,5,6\n", "label=1", 0 },
        { "1,2,3\n4,5,6\n", "label=x2", 1 },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading t;
        read_text(&t, cases[i].text, cases[i].options);
        for (size_t f = 0; f < t.csv.schema.columns; f++)
            assert_int_equal(t.csv.schema.column[f].kind == COLUMN_LABEL, f == cases[i].label);
        done(&t);
    }
}

TEST(columns_of_words_become_categories)
{
    struct reading t;

    read_text(&t,
              "size,colour,w,zip,junk,y\n"
              "1.5,red,2,10,a,no\n"
              "2,\"light blue\",0.5,20,b,yes\n"
              "-3e1,red,1,10,c,no\n",
              "weight=w categorical=zip ignore=junk");
    assert_string_equal(t.note, "comma-separated, with a header; label 'y'; weight 'w'; "
                                "categories: colour, zip");
    assert_int_equal(schema_features(&t.csv.schema), 5);
    feature_is(&t, 0, "size");
    feature_is(&t, 1, "colour=red");
    feature_is(&t, 2, "zip=10");
    feature_is(&t, 3, "colour=light blue");
    feature_is(&t, 4, "zip=20");
    assert_int_equal(t.rows.n, 3);
    row_is(&t, 0, "no: 0=1.5 1=1 2=1");
    row_is(&t, 1, "yes: 0=2 3=1 4=1");
    row_is(&t, 2, "no: 0=-30 1=1 2=1");
    assert_true(t.rows.weighted && t.rows.weight[0] == 2 && t.rows.weight[1] == 0.5);
    done(&t);
}

TEST(wide_category_rows_are_sorted)
{
    enum { N = 60 };
    char text[4 * N * N];
    struct reading t;
    size_t n = 0;

    /* words that do not come in the order of the columns */
    for (int i = 0; i < 19; i++) /* too few for names */
        for (int f = 0; f <= N; f++) {
            text[n++] = (char)('a' + (i * 7 + f * (i + 1)) % 26);
            text[n++] = f < N ? ',' : '\n';
        }
    text[n] = '\0';
    read_text(&t, text, "header=no");
    assert_string_equal(strstr(t.note, ", ..."), ", ..."); /* not all are named */
    for (size_t i = 0; i < t.rows.n; i++) {
        assert_int_equal(t.rows.start[i + 1] - t.rows.start[i], N);
        for (size_t k = (size_t)t.rows.start[i] + 1; k < t.rows.start[i + 1]; k++)
            assert_true(t.rows.index[k] > t.rows.index[k - 1]);
    }
    done(&t);
}

/* The three ways of csv_sort: few, close together, far apart. */
TEST(sorting_sorts)
{
    enum { N = 200, LOW = 5, SPAN = 1 << 20 };
    static uint64_t bits[SPAN / 64 + 1];
    struct rng g = rng_seed(1, 0);
    uint32_t a[N];

    for (int round = 0; round < 300; round++) {
        const size_t n = rng_below(&g, round % 3 == 0 ? 13 : N);
        const uint32_t step = round % 2 == 0 ? 3 : SPAN / N; /* distinct by construction */
        uint64_t order[N];
        for (size_t i = 0; i < N; i++) order[i] = i;
        rng_shuffle(&g, order, N);
        for (size_t i = 0; i < n; i++) a[i] = LOW + (uint32_t)order[i] * step;
        csv_sort(a, n, LOW, bits);
        uint64_t sum = 0, expected = 0;
        for (size_t i = 0; i < n; i++) {
            sum += a[i];
            expected += LOW + order[i] * step;
            assert_true(i == 0 || a[i] > a[i - 1]);
        }
        assert_int_equal(sum, expected);
    }
    for (size_t w = 0; w < COUNT(bits); w++) assert_int_equal(bits[w], 0);
}

/* ----- what is accepted -------------------------------------------------------- */

TEST(harmless_things_are_accepted)
{
    struct reading t;

    read_text(&t, "a,b,c\r\n\r\n 1 ,\t2,\" x \"\r\n\n3,\"4\", y", "");
    assert_int_equal(t.rows.n, 2);
    row_is(&t, 0, " x : 0=1 1=2"); /* blanks inside quotes stay */
    row_is(&t, 1, "y: 0=3 1=4");
    assert_int_equal(t.rows.line[0], 2); /* line ends before the row */
    assert_int_equal(t.rows.line[1], 4);
    assert_int_equal(t.rows.lines, 5);
    done(&t);
    read_text(&t, "1,a\r\n2,b\r", ""); /* the last line feed is missing */
    assert_int_equal(t.rows.n, 2);
    assert_int_equal(t.rows.lines, 2);
    done(&t);
    read_text(&t, "a,1\r\nb,2\r", "label=1");
    row_is(&t, 1, "b: 0=2");
    done(&t);
}

TEST(quoted_cells_hold_anything)
{
    struct reading t;

    read_text(&t, "\"a \"\"b\"\"\",\"y\nz\"\n\"1\",\"say \"\"no\"\"\"\n 2 , \"x,\r\n1\" \n", "");
    assert_string_equal(t.csv.schema.column[0].name, "a \"b\"");
    assert_string_equal(t.csv.schema.column[1].name, "y\nz");
    row_is(&t, 0, "say \"no\": 0=1");
    row_is(&t, 1, "x,\r\n1: 0=2");
    assert_int_equal(t.rows.line[0], 2); /* the header has two lines */
    assert_int_equal(t.rows.line[1], 3);
    assert_int_equal(t.rows.lines, 5);
    done(&t);
    /* The label is kept while other cells are made plain. */
    read_text(&t, "y,a,n\n\"l\"\"1\",\"a longer \"\"word\"\"\",3\n", "");
    row_is(&t, 0, "l\"1: 0=3 1=1");
    feature_is(&t, 1, "a=a longer \"word\"");
    done(&t);
}

TEST(labels_are_numbers_or_words)
{
    struct reading t;

    read_text(&t, "1,+1\n2,1.0\n3,\"1\"\n4,a much longer label\n5,a\n6,a much longer label\n",
              "header=no");
    assert_int_equal(t.rows.labels.n, 3);
    row_is(&t, 1, "+1: 0=2"); /* as it was written first */
    row_is(&t, 5, "a much longer label: 0=6");
    done(&t);
}

TEST(missing_cells_become_what_the_option_says)
{
    static const char text[] = "a,b,y\n1,red,0\n,red,1\n3,NA,0\n4,blue,1\nN/a,?,0\n5,red,\n";
    struct reading t;

    read_text(&t, "a,b,y\n1,red,0\nnull,red,1\n3,Nan,0\n", "missing=mean");
    row_is(&t, 1, "1: 0=nan 1=1");
    row_is(&t, 2, "0: 0=3");
    done(&t);
    read_text(&t, "a,b,y\n1,red,0\n\" \",red,1\n3,nAN,0\n", "missing=zero");
    row_is(&t, 1, "1: 0=0 1=1");
    row_is(&t, 2, "0: 0=3");
    done(&t);
    read_text(&t, text, "missing=drop");
    assert_int_equal(t.rows.n, 2);
    assert_int_equal(t.rows.dropped, 4);
    row_is(&t, 1, "1: 0=4 2=1");
    assert_int_equal(t.rows.line[1], 4);
    done(&t);
}

TEST(a_dropped_row_leaves_no_trace)
{
    struct reading t;

    read_text(&t, "y,b,a\nu,red,1\nv,green,\nw,blue,2\n", "missing=drop");
    assert_int_equal(t.rows.n, 2);
    assert_int_equal(t.rows.labels.n, 2);         /* no v */
    assert_int_equal(t.csv.schema.categories, 2); /* no green */
    feature_is(&t, 2, "b=blue");
    row_is(&t, 1, "w: 0=2 2=1");
    done(&t);
}

/* A word that only dropped rows had is not known when the next row has it (csv_words_truncate). */
TEST(a_word_of_a_dropped_row_is_new_again)
{
    struct reading t;

    read_text(&t,
              "y,b,a\nu,red,1\nv,green,\nw,blue,2\nw,green,3\nu,blue,4\nu,red,5\n"
              "u,red,1234567890123456789012345678901234567890\n", /* room to look ahead */
              "missing=drop");
    assert_int_equal(t.rows.n, 6);
    assert_int_equal(t.csv.schema.categories, 3);
    feature_is(&t, 2, "b=blue");
    feature_is(&t, 3, "b=green");
    row_is(&t, 1, "w: 0=2 2=1");
    row_is(&t, 2, "w: 0=3 3=1");
    row_is(&t, 3, "u: 0=4 2=1");
    row_is(&t, 4, "u: 0=5 1=1");
    done(&t);
}

TEST(format_is_told_from_the_content)
{
    static const struct {
        const char *text;
        bool csv;
    } cases[] = {
        { "", false },
        { "\n\n", false },
        { "+1 1:0.5 7:1\n-1 2:3\n", false },
        { "1\t1:0.5\t7:1\n0\t2:3\n", false },
        { "spam 1:2\nham 3:4 # a, b; c\n", false },
        { "3 qid:1 1:1 2:0\n1 qid:1 2:1\n", false },
        { "1,2 3:0.5 4:1\n5 6:7\n", false }, /* several labels: the parser's to refuse */
        { "# a comment, with commas\n1 1:2\n", false },
        { "1\n-1\n1 # all zero, all of it\n", false },
        { "1 1:abc 2\n", false },
        { "1 1:0.5\n-1 2:\n1 5 7:1\n", false },
        { "a,b,c\n1,2,3\n", true },
        { "a\tb\n1\t2\n", true },
        { "1;2\n", true },
        { "when,what\n2020-01-01 12:30,5\n2020-01-02 12:31,6\n", true },
        { "12:30\t12:45\t5\n12:30\t12:45\t5\n", false }, /* index:value twice: undecidable */
        { "#id,x,y\n1,2,3\n", true },
        { "x|y\n1|2\n", true },
        { "one, two, three\n", true },
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        if (csv_looks_like(cases[i].text, strlen(cases[i].text)) != cases[i].csv)
            fail_msg("format of: %s", cases[i].text);
}

/* ----- complaints ----------------------------------------------------------------- */

struct complaint {
    const char *text, *options;
    perc_status st;
    int64_t line, column;
    const char *says; /* part of the message */
};

static void complains(const struct complaint *c, size_t len, const struct schema *model)
{
    struct reading t;

    read_bytes(&t, c->text, len, c->options, model);
    assert_refused_at(t.st, c->st, &t.err, c->line, c->column, c->says);
    done(&t);
}

#define TEN "1,0\n2,1\n3,0\n4,1\n5,0\n6,1\n7,0\n8,1\n9,0\n10,1\n"

TEST(every_fault_is_named_with_its_place)
{
    static const struct complaint cases[] = {
        { "a,b,y\n1,2,0\n3,1\n", "", PERC_EDATA, 3, 4, "ends after 2 of 3 cells" },
        { "a,b,y\n1,2,0\n3\n", "", PERC_EDATA, 3, 2, "ends after 1 of 3 cells" },
        { "a,b,y\r\n1,2,0\r\n3,1\r\n", "", PERC_EDATA, 3, 4, "ends after 2 of 3 cells" },
        { "a,b,y\n1,2,0,5\n", "", PERC_EDATA, 2, 7, "more than 3 cells" },
        { "a,b,y\n1,2,0,\n", "", PERC_EDATA, 2, 7, "more than 3 cells" },
        { "a,y\n1,\"x\n\ny\"\n2,3,4\n", "", PERC_EDATA, 5, 5, "more than 2 cells" },
        { "a,y\n1,x\"y\n", "", PERC_EDATA, 2, 4, "a quote inside a cell" },
        { "a,y\n1,\"x\"y\n", "", PERC_EDATA, 2, 6, "text after a closing quote" },
        { "a,y\n1,0\n2,\"x\n3,4\n", "", PERC_EDATA, 3, 3, "never closed" },
        { "a,y\n1,\"x\n", "", PERC_EDATA, 2, 3, "never closed" },
        { "\"a,y\n1,2\n", "", PERC_EDATA, 1, 1, "never closed" },
        { "a,y\n1\r2,0\n", "", PERC_EDATA, 2, 2, "carriage return" },
        { "a,y\n1,0\n,1\n", "", PERC_EDATA, 3, 1, "'a' is missing a value (pass --missing mean" },
        { "a,y\n1,0\n  NA ,1\n", "", PERC_EDATA, 3, 3, "missing a value" },
        { "a,y\nred,0\n?,1\n", "", PERC_EDATA, 3, 1, "missing a value" },
        { "a,y\n1,0\n2,\n", "", PERC_EDATA, 3, 3, "'y' is missing a value (pass --missing drop" },
        { "a,y\n1,0\n2,?\n", "missing=mean", PERC_EDATA, 3, 3, "pass --missing drop" },
        { "a,w,y\n1,,0\n", "weight=w missing=zero", PERC_EDATA, 2, 3, "pass --missing drop" },
        { "a,w,y\n1,-2,0\n", "weight=w", PERC_EDATA, 2, 3, "negative weight" },
        { "a,w,y\n1,inf,0\n", "weight=w", PERC_EDATA, 2, 3, "not a finite number" },
        { "a,w,y\n1,1x,0\n", "weight=w", PERC_EDATA, 2, 3, "'1x' in column 'w' is not a number" },
        { "a,y\n" TEN "abc,0\n", "", PERC_EDATA, 12, 1,
          "'abc' in column 'a' is not a number (pass --categorical a " },
        { "a,y\n" TEN "1.5x,0\n", "", PERC_EDATA, 12, 1, "'1.5x' in column 'a' is not a number" },
        { "a,y\n" TEN "1e,0\n", "", PERC_EDATA, 12, 1, "not a number" },
        { "a,y\n" TEN "- 1,0\n", "", PERC_EDATA, 12, 1, "not a number" },
        { "a,y\n" TEN "-,0\n", "", PERC_EDATA, 12, 1, "not a number" },
        { "a,y\n" TEN " \"x\"\"y\",0\n", "", PERC_EDATA, 12, 2, "'x\"y' in column" },
        { "a,y\n1,0\ninf,0\n", "", PERC_EDATA, 3, 1, "'inf' in column 'a' is not a finite" },
        { "a,y\n1,0\n-Infinity,0\n", "", PERC_EDATA, 3, 1, "not a finite number" },
        { "a,y\n1,0\n-nan,0\n", "", PERC_EDATA, 3, 1, "not a finite number" },
        { "a,y\n1,0\n0x1F,0\n", "", PERC_EDATA, 3, 1, "hexadecimal" },
        { "a,y\n1,0\n1e999,0\n", "", PERC_EDATA, 3, 1, "too large" },
        { "a,y\n1,0\n1e39,0\n", "float32=true", PERC_EDATA, 3, 1, "too large for --float32" },
        { "a,y\n1,0\n2,inf\n", "", PERC_EDATA, 3, 3, "label 'inf'" },
        { "a,2019\n" TEN "11,0\n", "", PERC_EDATA, 1, 1, "pass --header yes" },
        { "a;b;y\n1,5;0.5;0\n2,5;1;1\n", "", PERC_EDATA, 2, 1, "--decimal , reads it so" },
        { "a;y\n1,500;0\n2,500;1\n", "", PERC_EDATA, 2, 1, "--decimal , or --thousands ," },
        { "a;y\n1.500,5;0\n2,500;1\n", "", PERC_EDATA, 2, 1, "--decimal , --thousands ." },
        { "a,y\n\"1,500.5\",0\n\"2,500\",1\n", "", PERC_EDATA, 2, 1, "--thousands ," },
        { "a;y\n1,5;0\n2,5;1\n1.5;1\n", "decimal=,", PERC_EDATA, 4, 1, "has a point" },
        { "a,y\n" TEN "\"2,5\",0\n", "", PERC_EDATA, 12, 1, "--decimal , reads it" },
        { "a;y\n1,5;0\n12.34;1\n", "thousands=.", PERC_EDATA, 3, 1, "other than three digits" },
        { "a;y\n1,500;0\n12,34,567;1\n", "thousands=,", PERC_EDATA, 3, 1, "three digits" },
        { "a;y\n1500;0\n1.5;1.5\n", "decimal=,", PERC_EDATA, 3, 1, "has a point" },
        { "a;y\n15;0\n1;1.5\n", "decimal=,", PERC_EDATA, 3, 3, "the label '1.5' has a point" },
        { "a;y\n15;0\n", "decimal=. thousands=.", PERC_EARG, 0, 0, "cannot be both" },
        { "a;y\n15;0\n", "thousands=;", PERC_EARG, 0, 0, "thousands is ';'" },
        { "a;y\n15;0\n", "quote=q", PERC_EARG, 0, 0, "quote is 'q'" },
        { "a;y\n'15;0\n", "quote='", PERC_EDATA, 2, 1, "never closed" },
        { "a,b,a\n1,2,3\n", "", PERC_EDATA, 1, 5, "two columns are named 'a'" },
        { "", "", PERC_EDATA, 0, 0, "no rows" },
        { "\n \r\n", "", PERC_EDATA, 0, 0, "no rows" },
        { "a\n1\n2\n", "", PERC_EDATA, 0, 0, "no column besides the label" },
        { "a,y\n1,0\n", "label=z", PERC_EARG, 0, 0, "label: there is no column 'z'" },
        { "a,y\n1,0\n", "label=3", PERC_EARG, 0, 0, "there is no column '3'" },
        { "1,0\n2,1\n", "label=a", PERC_EARG, 0, 0, "2 columns and no header" },
        { "a,y\n1,0\n", "ignore=0", PERC_EARG, 0, 0, "there is no column '0'" },
        { "a,y\n1,0\n", "label=y weight=2", PERC_EARG, 0, 0, "another use" },
        { "a,y\n1,0\n", "ignore=1,~2", PERC_EARG, 0, 0, "no column is left" },
        { "a,y\n1,0\n", "delimiter=x", PERC_EARG, 0, 0, "delimiter is 'x'" },
        { "a,y\n1,0\n", "label=y group=y", PERC_EARG, 0, 0,
          "group: column 'y' already has another use" },
        { "a,w,y\n1,1,0\n", "weight=w time=w", PERC_EARG, 0, 0,
          "time: column 'w' already has another use" },
        { "a,w,y\n1,1,0\n", "label=y weight=y", PERC_EARG, 0, 0, "another use" },
        { "a\ty\n1\t0\n", "ignore=a", PERC_EDATA, 0, 0, "is the delimiter 'tab' right?" },
        { "a,y\n1,0\n", "columns=none", PERC_EIO, 0, 0, "none" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) complains(&cases[i], strlen(cases[i].text), NULL);
}

/* A message and a note have room for so much; what is left out is said to be. */
TEST(many_columns_are_named_as_far_as_there_is_room)
{
    enum { MANY = 40 };
    char text[MANY * 64];
    size_t n = 0;
    struct reading t, u;

    for (int i = 0; i < MANY; i++) n += (size_t)sprintf(text + n, "a_rather_long_name_%d,", i);
    n += (size_t)sprintf(text + n, "y\n");
    for (int i = 0; i < MANY; i++) n += (size_t)sprintf(text + n, "w,");
    sprintf(text + n, "0\n");
    complains(&(struct complaint){ text, "label=who", PERC_EARG, 0, 0, ", ... (41 in all)" },
              strlen(text), NULL);
    read_text(&t, text, "");
    assert_non_null(strstr(t.note, "; categories: a_rather_long_name_0, a_rather_long_name_1, "));
    assert_string_equal(t.note + strlen(t.note) - 5, ", ...");
    done(&t);
    read_text(&t, text, "text=a_rather_long_name_7 ignore=a_rather_long_name_8");
    assert_non_null(strstr(t.note, "; text: a_rather_long_name_7; categories: "));
    done(&t);
    /* The model knows one of them. */
    read_text(&t, "a_rather_long_name_3,y\nw,0\nv,1\n", "");
    read_for(&u, text, "", &t.csv.schema);
    assert_int_equal(u.st, PERC_OK);
    assert_memory_equal(u.note, "columns that the model does not know are left out: ", 51);
    assert_non_null(strstr(u.note, "_name_0, a_rather_long_name_1, a_rather_long_name_2, "));
    assert_null(strstr(u.note, "_name_3"));
    assert_string_equal(u.note + strlen(u.note) - 5, ", ...");
    assert_int_equal(u.csv.ignored, MANY - 1);
    row_is(&u, 0, "0: 0=1");
    done(&u);
    done(&t);
}

TEST(a_nul_byte_is_an_error_anywhere)
{
    static const char text[] = "a,b,y\n1,2,0\n3,x4,1\n5,\"6\n7\",0\n8,9,0\n";

    for (size_t at = 0; at < sizeof text - 1; at++) {
        char copy[sizeof text];
        struct reading t;

        memcpy(copy, text, sizeof text);
        copy[at] = '\0';
        read_bytes(&t, copy, sizeof text - 1, "header=yes label=y categorical=b delimiter=,", NULL);
        /* Where the NUL takes the place of a quote or a delimiter, something else may
         * be wrong first; but it never goes unnoticed. */
        assert_int_equal(t.st, PERC_EDATA);
        done(&t);
    }
    complains(&(struct complaint){ "a,y\n1,\0\n", "", PERC_EDATA, 2, 3, "a NUL byte" }, 8, NULL);
    complains(&(struct complaint){ "a,y\n1,\"x\ny\0\"\n", "", PERC_EDATA, 3, 2, "a NUL byte" }, 13,
              NULL);
}

/* ----- for a model ----------------------------------------------------------------- */

TEST(columns_are_matched_to_the_model)
{
    struct reading m, t;
    const struct schema *s = &m.csv.schema;

    read_text(&m, "a,col,b,skip,w,y\n1,red,2,9,1,no\n3,blue,4,9,2,yes\n", "ignore=skip weight=w");
    /* By name, in any order; unknown words are counted. */
    read_for(&t, "y,b,col,a\nno,20,blue,10\nyes,40,green,30\n,6,red,5\n", "", s);
    assert_int_equal(t.st, PERC_OK);
    assert_true(t.csv.labelled);
    row_is(&t, 0, "no: 0=10 1=20 3=1");
    row_is(&t, 1, "yes: 0=30 1=40");
    row_is(&t, 2, "-: 0=5 1=6 2=1");
    assert_int_equal(t.rows.unknown, 1);
    done(&t);
    /* No label, and what training left out is left out again, numbers or not. */
    read_for(&t, "w;skip;a;b;col\n0.5;junk;1;2;red\n", "", s);
    assert_int_equal(t.st, PERC_OK);
    assert_false(t.csv.labelled);
    row_is(&t, 0, "-: 0=1 1=2 2=1");
    assert_true(t.rows.weight[0] == 0.5);
    done(&t);
    /* Without a header: by position, with or without the label. */
    read_for(&t, "1,red,2,9,1,no\n", "", s);
    row_is(&t, 0, "no: 0=1 1=2 2=1");
    done(&t);
    read_for(&t, "1,red,2,9,1\n", "", s);
    row_is(&t, 0, "-: 0=1 1=2 2=1");
    done(&t);
    /* What the model does not know is left out and counted, even if two have one name. */
    read_for(&t, "new,a,n2,b,col,new\nx,1,3,2,red,\n", "", s);
    row_is(&t, 0, "-: 0=1 1=2 2=1");
    assert_int_equal(t.csv.ignored, 3);
    assert_string_equal(t.note, "columns that the model does not know are left out: new, n2, new");
    done(&t);
    /* A column to be ignored need not be known, and is no news. */
    read_for(&t, "new,a,b,col\nx,1,2,red\n", "ignore=new", s);
    row_is(&t, 0, "-: 0=1 1=2 2=1");
    assert_int_equal(t.csv.ignored, 0);
    done(&t);
    done(&m);
}

TEST(a_table_that_does_not_fit_the_model_is_an_error)
{
    static const struct complaint cases[] = {
        { "a,col,bb\n1,red,3\n", "", PERC_EDATA, 0, 0, "lacks the column 'b'" },
        { "a,colour,b\n1,red,3\n", "", PERC_EDATA, 0, 0,
          "'col', which the model uses (did you mean colour?)" },
        { "a,col\n1,red\n", "", PERC_EDATA, 0, 0, "lacks the column 'b'" },
        { "a,col,b\n1,red,3\n", "ignore=b", PERC_EDATA, 0, 0, "lacks the column 'b'" },
        { "a,col,b,a\n1,red,3,4\n", "", PERC_EDATA, 1, 9, "two columns are named 'a'" },
        { "1,2\n3,4\n", "", PERC_EDATA, 0, 0, "has 2 columns, but the model was trained on 4" },
        { "a,col,b\n1,red,x\n", "", PERC_EDATA, 2, 7, "'x' in column 'b' is not a number" },
        { "b,col,a\n1,red,\n", "", PERC_EDATA, 2, 7, "missing a value" },
        { "b,col,a\n1,red,1e999\n", "", PERC_EDATA, 2, 7, "too large" },
    };
    struct reading m;

    read_text(&m, "a,col,b,y\n1,red,2,no\n3,blue,4,yes\n", "");
    for (size_t i = 0; i < COUNT(cases); i++)
        complains(&cases[i], strlen(cases[i].text), &m.csv.schema);
    done(&m);
}

TEST(a_model_without_names_matches_by_position)
{
    struct reading m, t;

    read_text(&m, "1,2,0\n3,4,1\n", "");
    assert_false(m.csv.schema.header);
    read_for(&t, "p,q,r\n5,6,1\n", "", &m.csv.schema); /* names it cannot know */
    row_is(&t, 0, "1: 0=5 1=6");
    done(&t);
    read_for(&t, "5,6\n", "", &m.csv.schema);
    row_is(&t, 0, "-: 0=5 1=6");
    done(&t);
    done(&m);
    read_text(&m, "1,0,2\n3,1,4\n", "label=2"); /* the label is absent from the middle */
    read_for(&t, "5,6\n", "", &m.csv.schema);
    row_is(&t, 0, "-: 0=5 1=6");
    done(&t);
    done(&m);
}

/* A first line of 7 MB: its columns can be told only from all of it, and from the next. */
TEST(a_million_columns_are_a_table)
{
    enum { COLUMNS = 1000000 };
    FILE *f = fopen("wide.csv", "w");
    perc_dataset *ds;
    perc_dataset_info info;
    perc_error err = { 0 };

    assert_non_null(f);
    for (int i = 0; i < COLUMNS; i++) fprintf(f, "x%d;", i);
    fputs("y\n", f);
    for (int row = 0; row < 2; row++) {
        for (int i = 0; i < COLUMNS; i++) fputs(i % 2 == row ? "1;" : "0;", f);
        fprintf(f, "%d\n", row);
    }
    fclose(f);
    if (perc_dataset_read(NULL, "wide.csv", NULL, &ds, &err)) fail_msg("%s", err.text);
    perc_dataset_info_get(ds, &info);
    assert_int_equal(info.rows, 2);
    assert_int_equal(info.features, COLUMNS);
    assert_string_equal(perc_dataset_feature(ds, COLUMNS - 1), "x999999");
    assert_string_equal(info.note, "semicolon-separated, with a header; label 'y'");
    perc_dataset_free(ds);
}

/* A file of a megabyte must not take gigabytes: each level is called by its column. */
TEST(levels_of_a_column_with_a_long_name_are_bounded)
{
    enum { NAME = 1 << 20, LEVELS = 600 };
    FILE *f = fopen("long.csv", "w");
    perc_dataset *ds;
    perc_error err = { 0 };

    assert_non_null(f);
    for (int i = 0; i < NAME; i++) fputc('n', f);
    fputs(",y\n", f);
    for (int i = 0; i < 2 * LEVELS; i++) fprintf(f, "c%d,%d\n", i / 2, i % 2);
    fclose(f);
    assert_int_equal(perc_dataset_read(NULL, "long.csv", NULL, &ds, &err), PERC_EDATA);
    assert_non_null(strstr(err.text, "too long a name of their column"));
    perc_params *p = options("hash=10");
    assert_int_equal(perc_dataset_read(NULL, "long.csv", p, &ds, &err), PERC_OK);
    perc_dataset_free(ds);
    perc_params_free(p);

    struct schema s; /* rows that are dropped give back what they took */
    char *name = calloc(NAME + 1, 1);
    uint32_t feature;
    const struct env e = env();
    schema_init(&s, &e);
    s.column = calloc(1, sizeof *s.column);
    s.columns = 1;
    s.column[0].name = memset(name, 'n', NAME);
    for (int round = 0; round < 2; round++) {
        size_t n = 0;
        for (char text[12]; snprintf(text, sizeof text, "%zu", n) > 0 &&
                            schema_add(&s, 0, text, strlen(text), &feature) == PERC_OK;)
            n++;
        assert_true(n >= 512 && n <= 513);
        schema_truncate(&s, 0);
    }
    free(name);
    free(s.column);
    s.column = NULL;
    s.columns = 0;
    schema_free(&s);
}
