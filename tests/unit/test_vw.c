/* test_vw.c -- Vowpal Wabbit's text: what becomes of labels, tags, namespaces and values; what is
 * refused, and where; the same features for any cut into chunks; and no memory lost. Random texts
 * are read a second time by tests/oracle/formats_reference.py. */
#include "csv_table.h"
#include "data/reader.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

TEST(features_have_the_names_of_their_namespaces)
{
    struct reading t;

    read_text(&t,
              "1 2.5 'a-tag|ns:2 x:1.5 y |other:0.5 x:3\tcity:oslo | plain:-1e1 z\r\n"
              "\n-1 |ns y:4 new | z:0.25\n",
              "format=vw");
    assert_int_equal(t.rows.n, 2);
    assert_int_equal(t.rows.lines, 3);
    assert_int_equal(t.rows.line[1], 2);
    row_is(&t, 0, "1: 0=3 1=2 2=1.5 3=0.5 4=-10 5=1");
    row_is(&t, 1, "-1: 1=4 5=0.25 6=1");
    assert_true(t.rows.weight[0] == 2.5 && t.rows.weight[1] == 1);
    static const char *const names[] = { "ns^x",  "ns^y", "other^x", "other^city^oslo",
                                         "plain", "z",    "ns^new" };
    for (size_t j = 0; j < COUNT(names); j++) feature_is(&t, j, names[j]);
    done(&t);
}

TEST(what_is_there_twice_is_added_up_and_rounded_once)
{
    struct reading t;

    read_text(&t, "a |n:3 x:0.1 |n x:0.2 y:1e300 x:1e-5 |n:0.1 z:0.7\nb |n x:-1 x:1 y\n",
              "format=vw");
    assert_true(t.rows.n == 2);
    row_is(&t, 0, "a: 0=0.50001 1=1e+300 2=0.07"); /* 3 * 0.1 in doubles is 0.30000000000000004 */
    row_is(&t, 1, "b: 0=0 1=1");
    done(&t);
    read_text(&t, "a | x:0.1234567890123456789 x:1e30 x:-1e30\n", "format=vw"); /* in doubles */
    row_is(&t, 0, "a: 0=0");
    done(&t);
}

TEST(a_tag_touches_the_bar_or_has_a_quote)
{
    struct reading t, u;

    read_text(&t, "1 tag|n a\n2 'x |n a\n1 1 y|n a\n", "format=vw");
    row_is(&t, 0, "1: 0=1");
    row_is(&t, 1, "2: 0=1");
    read_for(&u, "tag|n a b:2\n|n a\n'only | c\n", "format=vw", &t.csv.schema);
    assert_int_equal(u.st, PERC_OK);
    row_is(&u, 0, "-: 0=1");
    row_is(&u, 1, "-: 0=1");
    row_is(&u, 2, "-:");
    assert_int_equal(u.rows.unknown, 2);
    done(&u);
    done(&t);
}

TEST(buckets_follow_from_the_names)
{
    struct reading t, u;

    read_text(&t, "1 |n a:2 b:3\n2 | c\n1 |n b\n", "format=vw hash=20");
    read_text(&u, "1 |n b:3 a:2\n2 | c\n1 |n b\n", "format=vw hash=20");
    assert_int_equal(t.rows.entries, 4);
    assert_memory_equal(t.rows.index, u.rows.index, 4 * sizeof *t.rows.index);
    assert_int_equal(t.rows.seen.used, 3);
    done(&u);
    read_text(&u, "1 |n a:0.5 b:0.25 c:1 d:2 e:4\n", "format=vw hash=1");
    double sum = 0;
    rows_unpack(&u.rows);
    for (size_t k = 0; k < u.rows.entries; k++) sum += u.rows.value[k];
    assert_true(u.rows.entries <= 2 && sum == 7.75);
    done(&u);
    done(&t);
}

static const struct {
    const char *text, *spec;
    int64_t line, column;
    const char *words;
} bad[] = {
    { "1 | a\n1 a:2\n", "", 2, 1, "no bar" },
    { "1 | a\n | b\n", "", 2, 1, "the label is missing" },
    { "1 | a\n1|n b\n", "", 2, 1, "'1' is a tag" },
    { "1:0.5 2:0 | a\n", "", 1, 1, "costs or probabilities" },
    { "1 | a\n1,2 | a\n", "", 2, 1, "several labels" },
    { "1 1 0.5 | a\n", "", 1, 5, "'0.5' is a base" },
    { "1 1 0 2 | a\n", "", 1, 7, "only label, importance, base" },
    { "1 -1 | a\n", "", 1, 3, "negative importance" },
    { "1 x | a\n", "", 1, 3, "'x'" },
    { "1 1e400 | a\n", "", 1, 3, "too large" },
    { "1 1 x | a\n", "", 1, 5, "'x'" },
    { "1 | a:1\xe9\n", "", 1, 8, "'?' is out of place" },
    { "1 | a\n't |n b\n", "", 2, 1, "'t' is a tag" },
    { "1 | a\n-inf 2 | b\n", "", 2, 1, "'-inf' is not a finite number" },
    { "1 1e39 | a\n", "float32=true", 1, 3, "too large" },
    { "1 | a\n1 | a:1e30 a:3e38 a:3e38\n", "float32=true", 2, 1, "too large to be added up" },
    { "1 | a:1e400\n", "", 1, 7, "too large" },
    { "1 | a:nan\n", "", 1, 7, "nan" },
    { "1 | a:-inf\n", "", 1, 7, "inf" },
    { "1 | a:1x\n", "", 1, 8, "'x' is out of place" },
    { "1 | a:1:2\n", "", 1, 8, "out of place" },
    { "1 | a:b:c\n", "", 1, 5, "two colons" },
    { "1 | a:\n", "", 1, 6, "the value of 'a' is missing" },
    { "1 | :1\n", "", 1, 5, "a value without a feature" },
    { "1 |n:x a\n", "", 1, 6, "'x'" },
    { "1 |n:1e200 a:1e200\n", "", 1, 12, "too large, times its scale" },
    { "1 | a:1e308 a:1e308\n", "", 1, 1, "too large to be added up" },
    { "1 | a:1e39\n", "float32=true", 1, 7, "too large" },
    { "1 | a\rb\n", "", 1, 6, "carriage return" },
    { "nan | a\n", "", 1, 1, "'nan' is not a finite number" },
    { "1 | a\n", "text=x", 0, 0, "--text names columns" },
    { "", "", 0, 0, "no rows" },
};

TEST(what_is_wrong_is_said_with_its_place)
{
    struct reading t;
    char spec[100];

    for (size_t i = 0; i < COUNT(bad); i++) {
        snprintf(spec, sizeof spec, "format=vw%s%s", *bad[i].spec ? " " : "", bad[i].spec);
        read_bytes(&t, bad[i].text, strlen(bad[i].text), spec, NULL);
        if (t.err.line != bad[i].line || t.err.column != bad[i].column ||
            strstr(t.err.text, bad[i].words) == NULL)
            fail_msg("%s: '%s' at %d:%d", bad[i].text, t.err.text, (int)t.err.line,
                     (int)t.err.column);
        assert_true(t.st == PERC_EDATA || t.st == PERC_EARG);
        done(&t);
    }
    read_bytes(&t, "1 | a\0b\n", 8, "format=vw", NULL);
    assert_refused_at(t.st, PERC_EDATA, &t.err, 1, 6, "NUL");
    done(&t);
}

TEST(tags_are_all_that_can_be_kept)
{
    static const struct {
        const char *keep, *words;
    } cases[] = { { "tag", NULL },
                  { ",tag,", NULL },
                  { "tag,tag", "column 'tag' is named twice" },
                  { "tab", "there is no column 'tab'" },
                  { "tags", "there is no column 'tags'" } };
    static const char text[] = "1 t| a b\n-1 u| b\n";
    const struct env e = env();
    perc_params *p = options("format=vw");

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct csv c;
        char note[256];
        perc_error err = { 0 };
        const perc_status st = vw_open(&e, text, sizeof text - 1, p, NULL, cases[i].keep, &c, note,
                                       &err);
        if (cases[i].words != NULL) assert_refused(st, PERC_EARG, &err, cases[i].words);
        else assert_int_equal(st == PERC_OK && c.carry.n == 1, 1);
        csv_free(&c);
    }
    perc_params_free(p);
}

TEST(examples_are_told_from_tables_and_pairs)
{
    static const struct {
        const char *text;
        bool yes;
    } cases[] = {
        { "1 |f a:0.5 b:1\n", true },
        { "1 1.0 |Metric:3.28 height:1.5 |Says black\n0 'x |Says white\n", true },
        { "|f word:2\n", true },
        { "1 zebra'|f a:1\n", true },
        { "1 | a b c\n", false }, /* a table with bars, perhaps */
        { "a|b|c\n1|2|3\n", false },
        { "a | b\n12:30 | 13:45\n", false },
        { "1 1:2 3:4\n", false },
        { "1 |f 1:2 3:4\n", false },
        { "1 |f 1:0.5 3:4\n", true },
        { "1,2 |f a:1\n", false },
        { "1 |f a:1\n1,2\n", false },
        { "", false },
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        if (vw_looks_like(cases[i].text, strlen(cases[i].text)) != cases[i].yes)
            fail_msg("%s", cases[i].text);
}

/* A text of several chunks: the same blocks for any number of threads, exact or not. */
TEST(a_big_file_is_the_same_for_any_number_of_threads)
{
    static const int threads[] = { 1, 2, 8 };
    const struct env e = env();
    struct rng r = rng_seed(22, 3);
    struct text text;
    char *bytes[3] = { NULL };
    long n[3];

    text_init(&text, &e);
    for (int i = 0; i < 40000; i++) {
        text_fmt(&text, "%d |n%d:0.5", (int)rng_below(&r, 3), (int)rng_below(&r, 4));
        for (int k = 0; k < 10; k++)
            text_fmt(&text, " f%d:%.3g", (int)rng_below(&r, 1 + (uint64_t)i), rng_normal(&r));
        text_char(&text, '\n');
    }
    assert_true(text.len > 3 << 20); /* guard: several chunks */
    assert_int_equal(t_put_bytes("f", text.s, text.len), 0);
    for (int i = 0; i < 3; i++) {
        perc_params *p = t_option("data", NULL, NULL);
        perc_dataset *ds;
        perc_error err = { 0 };
        const perc_env env = { .threads = threads[i] };
        if (perc_dataset_read(&env, "f", p, &ds, &err)) fail_msg("%s", err.text);
        assert_string_equal(ds->format, "vw");
        assert_int_equal(perc_dataset_write(ds, "f.blocks", "blocks", NULL), PERC_OK);
        bytes[i] = malloc(32 << 20);
        n[i] = t_get("f.blocks", bytes[i], 32 << 20);
        assert_true(n[i] > 0 && n[i] == n[0]);
        assert_memory_equal(bytes[i], bytes[0], (size_t)n[0]);
        perc_dataset_free(ds);
        perc_params_free(p);
    }
    for (int i = 0; i < 3; i++) free(bytes[i]);
    text_free(&text);
}

TEST(a_proof_takes_products_and_sums_that_are_exact)
{
    const struct env e = env();
    perc_params *p = t_option("data", "format", "vw");
    struct reader *r;
    struct block b;
    bool more;
    perc_error err = { 0 };

    assert_int_equal(
        t_put("f", "b | z\na |n:0.3 x:0.12345678901 x:1e-12 y:12345678901234567890123\n"), 0);
    assert_int_equal(reader_open_exact(&e, "f", p, NULL, NULL, &r, NULL), PERC_OK);
    assert_refused_at(reader_next(r, &b, &more, &err), PERC_EDATA, &err, 2, 34,
                      "too many digits, times its scale");
    block_free(&b);
    reader_close(r);
    assert_int_equal(
        t_put("f", "b | z\na |n:0.3 x:0.12345678901 x:1e-12 |n y:12345678901234567890123\n"), 0);
    assert_int_equal(reader_open_exact(&e, "f", p, NULL, NULL, &r, NULL), PERC_OK);
    assert_int_equal(reader_next(r, &b, &more, NULL), PERC_OK);
    assert_true(more && b.rows == 2 && b.digits.mantissa != NULL);
    size_t found = 0;
    for (size_t k = 0; k < b.nonzeros; k++) {
        const struct decimal d = digits_get(&b.digits, k);
        found += d.mantissa == 370370367033 && d.exponent == -13; /* 0.037037036703 + 3e-13 */
        found += d.more && d.end - d.digits == 23;
    }
    assert_int_equal(found, 2);
    block_free(&b);
    reader_close(r);
    perc_params_free(p);
}

TEST(no_memory_is_lost)
{
    static const char text[] = "1 2 'tag|n:2 a:1 b c:word |m a:3 a:4\n2 | x:123456789.123456789\n";
    const char *const spec[] = { "format=vw", "format=vw hash=6" };

    for (size_t i = 0; i < COUNT(spec); i++) {
        perc_params *p = options(spec[i]);
        for (struct t_sweep s = { .least = 15 }; t_sweep_next(&s);) {
            const struct env e = env_resolve(&s.env);
            struct reading t;
            memset(&t, 0, sizeof t);
            rows_init(&t.rows, &e);
            t.st = vw_open(&e, text, sizeof text - 1, p, NULL, "tag", &t.csv, t.note, &t.err);
            if (!t.st) t.st = vw_parse(&t.csv, text, sizeof text - 1, &t.rows, &t.local, &t.err);
            if (!t.st) t.st = csv_merge(&t.csv, &t.local, &t.rows, &t.err);
            const perc_status st = t.st;
            done(&t);
            t_sweep_judge(&s, st);
        }
        perc_params_free(p);
    }
}
