/* test_jsonl.c -- JSON lines: what becomes of keys and values, what is refused and where; the rows
 * of random objects are those of the same table in CSV, however the text is cut; and no memory is
 * lost when any allocation fails. */
#include "csv_table.h"
#include "data/reader.h"
#include "data/source.h"
#include "t_alloc.h"
#include "t_cases.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

static void column_is(const struct reading *t, size_t i, const char *name, enum column_kind kind)
{
    assert_true(i < t->csv.schema.columns);
    assert_string_equal(t->csv.schema.column[i].name, name);
    assert_int_equal(t->csv.schema.column[i].kind, kind);
}

/* ----- keys and values ------------------------------------------------------------- */

TEST(a_key_inside_another_has_both_names)
{
    struct reading t;

    read_text(&t,
              "{\"a\":{\"b\":1,\"c\":{\"d\":-2.5}},\"label\":\"x\"}\r\n"
              "  {\"label\":\"y\" , \"a\":{ \"c\":{\"d\":3e2} ,\"b\": 4 } }\n\n",
              "format=jsonl");
    assert_int_equal(t.csv.schema.columns, 3);
    column_is(&t, 0, "a.b", COLUMN_NUMBER);
    column_is(&t, 1, "a.c.d", COLUMN_NUMBER);
    column_is(&t, 2, "label", COLUMN_LABEL);
    assert_int_equal(t.rows.n, 2);
    row_is(&t, 0, "x: 0=1 1=-2.5");
    row_is(&t, 1, "y: 0=4 1=300");
    assert_int_equal(t.rows.lines, 3);
    assert_int_equal(t.rows.line[1], 1);
    assert_string_equal(t.note, "JSON lines; label 'label'");
    done(&t);
}

TEST(elements_of_arrays_are_keys_and_arrays_of_strings_are_texts)
{
    struct reading t;

    read_text(&t,
              "{\"v\":[1,{\"w\":2},[3]],\"tags\":[\"New York\",\"far\\u00e9\"],\"label\":1}\n"
              "{\"v\":[4,{\"w\":5},[6]],\"tags\":[],\"label\":2}\n"
              "{\"v\":[7,{\"w\":8},[9]],\"label\":2}\n"
              "{\"v\":[7,{\"w\":8},[9]],\"tags\":[\"new\"],\"label\":2}\n",
              "format=jsonl");
    column_is(&t, 0, "v.0", COLUMN_NUMBER);
    column_is(&t, 1, "v.1.w", COLUMN_NUMBER);
    column_is(&t, 2, "v.2.0", COLUMN_NUMBER);
    column_is(&t, 3, "tags", COLUMN_TEXT);
    row_is(&t, 0, "1: 0=1 1=2 2=3 3=1 4=1 5=1");
    row_is(&t, 1, "2: 0=4 1=5 2=6");
    row_is(&t, 2, "2: 0=7 1=8 2=9");
    row_is(&t, 3, "2: 0=7 1=8 2=9 3=1");
    feature_is(&t, 3, "tags=new");
    feature_is(&t, 4, "tags=york");
    feature_is(&t, 5, "tags=far\xc3\xa9");
    done(&t);
}

TEST(truth_is_a_word_and_a_number_may_stand_in_a_string)
{
    struct reading t;

    read_text(&t,
              "{\"s\":true,\"n\":\"1.5\",\"label\":true}\n{\"s\":false,\"n\":2,\"label\":false}\n"
              "{\"s\":\"true\",\"n\":-0,\"label\":\"true\"}\n",
              "format=jsonl");
    column_is(&t, 0, "s", COLUMN_CATEGORY);
    column_is(&t, 1, "n", COLUMN_NUMBER);
    row_is(&t, 0, "true: 0=1.5 1=1");
    row_is(&t, 1, "false: 0=2 2=1");
    row_is(&t, 2, "true: 0=-0 1=1");
    done(&t);
}

TEST(labels_keep_all_their_digits)
{
    struct reading t;

    read_text(&t,
              "{\"a\":1,\"y\":12345678901234567890123}\n{\"a\":2,\"y\":12345678901234567890124}\n"
              "{\"a\":3,\"y\":\"\\u0031\"}\n{\"a\":3,\"y\":1.0}\n",
              "format=jsonl");
    assert_int_equal(t.rows.labels.n, 3);
    row_is(&t, 0, "12345678901234567890123: 0=1");
    row_is(&t, 1, "12345678901234567890124: 0=2");
    row_is(&t, 3, "1: 0=3");
    done(&t);
}

TEST(null_and_a_key_that_is_not_there_are_missing)
{
    static const char text[] =
        "{\"a\":1,\"c\":\"u\",\"label\":1}\n{\"a\":null,\"c\":null,\"label\":2}\n"
        "{\"label\":1}\n{\"c\":\"v\",\"a\":2,\"label\":1}\n";
    struct reading t;

    read_text(&t, text, "format=jsonl missing=mean");
    row_is(&t, 1, "2: 0=nan");
    row_is(&t, 2, "1: 0=nan");
    row_is(&t, 3, "1: 0=2 2=1");
    done(&t);
    read_text(&t, text, "format=jsonl missing=zero");
    row_is(&t, 1, "2: 0=0");
    row_is(&t, 2, "1:"); /* nothing is kept for what is 0 */
    done(&t);
    read_text(&t, text, "format=jsonl missing=drop");
    assert_int_equal(t.rows.n, 2);
    assert_int_equal(t.rows.dropped, 2);
    row_is(&t, 1, "1: 0=2 2=1");
    done(&t);
    read_bytes(&t, text, sizeof text - 1, "format=jsonl", NULL);
    assert_refused_at(t.st, PERC_EDATA, &t.err, 2, 6, "column 'a' is missing a value");
    done(&t);
}

TEST(a_key_that_was_null_at_first_is_what_it_turns_out_to_be)
{
    struct reading t;

    read_text(&t,
              "{\"a\":null,\"b\":null,\"label\":1}\n{\"a\":{\"x\":1},\"b\":\"u\",\"label\":2}\n",
              "format=jsonl missing=zero");
    column_is(&t, 0, "label", COLUMN_LABEL);
    column_is(&t, 1, "a.x", COLUMN_NUMBER);
    column_is(&t, 2, "b", COLUMN_CATEGORY);
    row_is(&t, 0, "1:");
    row_is(&t, 1, "2: 0=1 1=1");
    done(&t);
}

/* ----- what is refused ------------------------------------------------------------- */

static const struct {
    const char *text, *spec;
    int64_t line, column;
    const char *words;
} bad[] = {
    { "{\"a\":1,\"label\":2}\n{\"a\":1,\"a\":2,\"label\":2}\n", "", 2, 8, "'a' is there twice" },
    { "{\"a\":{\"b\":1},\"a.b\":1,\"label\":2}\n", "", 1, 20, "'a.b' is there twice" },
    { "{\"a\":{},\"a\":{},\"n\":1,\"label\":2}\n", "", 1, 9, "'a' is there twice" },
    { "{\"a\":1,\"label\":2}\n[1]\n", "", 2, 1, "an array, and not an object" },
    { "[{\"a\":1,\"label\":2}]\n", "", 1, 1, "jq -c .[]" },
    { "{\"a\":1,\"label\":2}\n5\n", "", 2, 1, "must be an object" },
    { "{\"a\":1,\"label\":2}\n{\"a\":1\n", "", 2, 7, "must end on its line" },
    { "{\"a\":1,\"label\":2}\n{\"a\":01}\n", "", 2, 6, "leading zero" },
    { "{\"a\":1,\"label\":2}\n{\"a\":NaN}\n", "", 2, 6, "expected a value" },
    { "{\"a\":1,\"label\":2} x\n", "", 1, 19, "after the end" },
    { "{\"a\":\"\xff\",\"label\":2}\n", "", 1, 7, "not valid UTF-8" },
    { "{\"a\":\"\\ud800\",\"label\":2}\n", "", 1, 7, "unpaired surrogate" },
    { "{\"a\":\"\\u0000\",\"label\":2}\n", "", 1, 7, "u0000" },
    { "{\"\":1,\"label\":2}\n", "", 1, 2, "without a name" },
    { "{\"a\":1e400,\"label\":2}\n", "", 1, 6, "'1e400' in column 'a' is too large" },
    { "{\"a\":1e39,\"label\":2}\n", "float32=true", 1, 6, "too large for --float32" },
    { "{\"a\":1,\"label\":2}\n{\"b\":1,\"label\":1}\n", "", 1, 1, "'b' is missing" },
    { "{\"a\":1,\"label\":2}\n{\"a\":1,\"label\":null}\n", "", 2, 16, "'label' is missing" },
    { "{\"a\":1,\"label\":2}\n{\"a\":1}\n", "", 2, 1, "'label' is missing" },
    { "{\"a\":1,\"w\":-1,\"label\":2}\n", "weight=w", 1, 12, "negative weight" },
    { "", "", 0, 0, "no rows" },
    { "\n \r\n", "", 0, 0, "no rows" },
    { "{}\n{}\n", "", 0, 0, "no column is left for the label" },
};

TEST(what_is_wrong_is_said_with_its_place)
{
    struct reading t;
    char spec[100];

    for (size_t i = 0; i < COUNT(bad); i++) {
        snprintf(spec, sizeof spec, "format=jsonl%s%s", *bad[i].spec ? " " : "", bad[i].spec);
        read_bytes(&t, bad[i].text, strlen(bad[i].text), spec, NULL);
        if (t.err.line != bad[i].line || t.err.column != bad[i].column ||
            strstr(t.err.text, bad[i].words) == NULL)
            fail_msg("%s: '%s' at %d:%d", bad[i].text, t.err.text, (int)t.err.line,
                     (int)t.err.column);
        assert_true(t.st == PERC_EDATA || t.st == PERC_EARG);
        done(&t);
    }
}

/* What the look at the beginning did not see: it is cut behind the first line. */
static perc_status parse_more(struct reading *t, const char *begin, const char *more,
                              const char *spec, const struct schema *model)
{
    const struct env e = env();
    perc_params *p = options(spec);

    memset(t, 0, sizeof *t);
    rows_init(&t->rows, &e);
    t->st = csv_open_objects(&e, begin, strlen(begin), p, model, NULL, &t->csv, t->note, &t->err);
    assert_int_equal(t->st, PERC_OK);
    t->st = jsonl_parse(&t->csv, more, strlen(more), &t->rows, &t->local, &t->err);
    if (!t->st) t->st = csv_merge(&t->csv, &t->local, &t->rows, &t->err);
    perc_params_free(p);
    return t->st;
}

TEST(a_key_that_comes_later_is_refused_unless_an_option_names_it)
{
    static const char first[] = "{\"a\":1,\"o\":{\"x\":1},\"label\":1}\n";
    struct reading t;

    assert_refused_at(parse_more(&t, first, "{\"a\":1,\"o\":{\"x\":1,\"y\":[2]},\"label\":1}\n",
                                 "format=jsonl", NULL),
                      PERC_EDATA, &t.err, 1, 24, "the beginning of the file has no 'o.y.0'");
    done(&t);
    assert_refused_at(
        parse_more(&t, first, "{\"a\":1,\"o\":5,\"label\":1}\n", "format=jsonl", NULL), PERC_EDATA,
        &t.err, 1, 12, "has no 'o'");
    done(&t);
    assert_int_equal(parse_more(&t, first,
                                "{\"a\":1,\"o\":{\"x\":2,\"y\":[2]},\"n\":null,\"label\":1}\n",
                                "format=jsonl ignore=o.y.0", NULL),
                     PERC_OK);
    row_is(&t, 0, "1: 0=1 1=2");
    done(&t);
    assert_int_equal(parse_more(&t, first, "{\"a\":1,\"o\":{\"x\":2},\"t\":\"u v\",\"label\":1}\n",
                                "format=jsonl text=t", NULL),
                     PERC_OK);
    row_is(&t, 0, "1: 0=1 1=2 2=1 3=1");
    done(&t);
}

TEST(a_model_finds_its_columns_by_name_wherever_they_come)
{
    struct reading t, u;

    read_text(&t, "a,b,label,home.city\n1,2,x,Oslo\n3,4,y,Rome\n", "");
    assert_int_equal(
        parse_more(&u, "{\"home\":{\"city\":\"Rome\"},\"z\":{\"y\":1},\"a\":5}\n",
                   "{\"b\":6,\"home\":{\"city\":\"Rome\"},\"a\":5,\"z\":{\"y\":1}}\n"
                   "{\"label\":\"x\",\"new\":[1,2],\"b\":7,\"home.city\":\"Bonn\",\"a\":8}\n",
                   "format=jsonl", &t.csv.schema),
        PERC_OK);
    row_is(&u, 0, "-: 0=5 1=6 3=1");
    row_is(&u, 1, "x: 0=8 1=7");
    assert_int_equal(u.rows.unknown, 3); /* Bonn, new.0, new.1 */
    done(&u);
    parse_more(&u, "{\"a\":5}\n", "{\"a\":5,\"b\":1}\n", "format=jsonl", &t.csv.schema);
    assert_refused_at(u.st, PERC_EDATA, &u.err, 1, 1, "column 'home.city' is missing");
    done(&u);
    done(&t);
}

TEST(what_is_filled_in_has_a_limit)
{
    enum { KEYS = 3000, LINES = 6000 };
    const struct env e = env();
    struct text first, more;
    struct reading t;

    text_init(&first, &e);
    text_init(&more, &e);
    for (int i = 0; i < KEYS; i++) text_fmt(&first, "%c\"k%d\":1", i > 0 ? ',' : '{', i);
    text_str(&first, ",\"label\":1}\n");
    for (int i = 0; i < LINES; i++) text_str(&more, "{\"label\":1}\n");
    parse_more(&t, first.s, more.s, "format=jsonl missing=mean", NULL);
    assert_int_equal(t.st, PERC_EDATA);
    assert_non_null(strstr(t.err.text, "missing values without end"));
    done(&t);
    assert_int_equal(parse_more(&t, first.s, more.s, "format=jsonl missing=zero", NULL), PERC_OK);
    assert_int_equal(t.rows.n, LINES);
    assert_int_equal(t.rows.entries, 0);
    done(&t);
    text_free(&first);
    text_free(&more);
}

/* ----- beside CSV ------------------------------------------------------------------ */

enum { COLUMNS = 6 };

/* A character of a string, in CSV and in JSON, escaped in one of its ways. */
static void put_letter(struct rng *r, struct text *csv, struct text *json)
{
    static const char *const letter[][4] = {
        { "a", "a", "\\u0061", "a" },
        { "b c", "b c", "b\\u0020c", "b c" },
        { "\"\"", "\\\"", "\\u0022", "\\\"" },
        { "/", "/", "\\/", "\\u002F" },
        { "\\", "\\\\", "\\u005c", "\\\\" },
        { "\xc3\xa9", "\xc3\xa9", "\\u00e9", "\\u00E9" },
        { "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", "\\ud83d\\ude00", "\\uD83D\\uDE00" },
        { "\t", "\\t", "\\u0009", "\\t" },
        { ",", ",", ",", "\\u002c" },
    };
    const char *const *l = letter[rng_below(r, COUNT(letter))];

    text_str(csv, l[0]);
    text_str(json, l[1 + rng_below(r, 3)]);
}

static void put_number(struct rng *r, struct text *csv, struct text *json)
{
    const double v = 1000 * rng_normal(r);
    char text[64];

    switch (rng_below(r, 4)) {
    case 0: snprintf(text, sizeof text, "%.0f", v); break;
    case 1: snprintf(text, sizeof text, "%.3f", v); break;
    case 2: snprintf(text, sizeof text, "%.17g", v); break;
    default: snprintf(text, sizeof text, "%.2e", v);
    }
    if (rng_below(r, 9) == 0) snprintf(text, sizeof text, "0.12345678901234567890123e-5");
    text_str(csv, text);
    const bool quoted = rng_below(r, 8) == 0;
    if (quoted) text_char(json, '"');
    text_str(json, text);
    if (quoted) text_char(json, '"');
}

static void put_value(struct rng *r, int column, struct text *csv, struct text *json)
{
    if (column < 3) {
        put_number(r, csv, json);
        return;
    }
    text_str(csv, "\"w");
    text_str(json, "\"w");
    for (uint64_t n = rng_below(r, 3); n > 0; n--) put_letter(r, csv, json);
    text_char(csv, '"');
    text_char(json, '"');
}

/* The same table twice. Columns 0 and 1 are inside an object; keys come in any order. */
static void draft_tables(struct rng *r, struct text *csv, struct text *json, int rows)
{
    static const char *const name[] = { "o.a", "o.b", "c", "d", "e", "label" };
    struct text cell[COLUMNS], value[COLUMNS];

    for (int f = 0; f < COLUMNS; f++) text_fmt(csv, "%s%c", name[f], f < COLUMNS - 1 ? ',' : '\n');
    for (int i = 0; i < rows; i++) {
        for (int f = 0; f < COLUMNS; f++) {
            text_init(&cell[f], &csv->e);
            text_init(&value[f], &csv->e);
            if (i > 9 && f < COLUMNS - 1 && rng_below(r, 6) == 0) {
                if (rng_below(r, 2) == 0) text_str(&value[f], "null");
            } else put_value(r, f, &cell[f], &value[f]);
            text_fmt(csv, "%s%c", cell[f].s != NULL ? cell[f].s : "", f < COLUMNS - 1 ? ',' : '\n');
        }
        text_str(json, "{\"o\":{");
        const int turn = i == 0 ? 0 : (int)rng_below(r, 4);
        bool comma = false;
        for (int f = 0; f < 2; f++) {
            if (value[f].len == 0) continue;
            text_fmt(json, "%s\"%c\":%s", comma ? "," : "", name[f][2], value[f].s);
            comma = true;
        }
        text_char(json, '}');
        for (int k = 0; k < 4; k++) {
            const int f = 2 + (k + turn) % 4;
            if (value[f].len > 0) text_fmt(json, ", \"%s\" :%s", name[f], value[f].s);
        }
        text_str(json, rng_below(r, 2) == 0 ? "}\r\n" : " }\n");
        for (int f = 0; f < COLUMNS; f++) {
            text_free(&cell[f]);
            text_free(&value[f]);
        }
    }
}

static void same_rows(struct reading *a, struct reading *b)
{
    struct rows *x = &a->rows, *y = &b->rows;

    rows_unpack(x);
    rows_unpack(y);
    assert_int_equal(x->n, y->n);
    assert_int_equal(x->dropped, y->dropped);
    assert_int_equal(x->labels.n, y->labels.n);
    assert_int_equal(schema_features(&a->csv.schema), schema_features(&b->csv.schema));
    for (size_t k = 0; k < a->csv.schema.categories; k++)
        assert_string_equal(a->csv.schema.category[k].text, b->csv.schema.category[k].text);
    for (size_t i = 0; i < x->n; i++) {
        assert_string_equal(x->labels.at[x->label[i]].text, y->labels.at[y->label[i]].text);
        assert_int_equal(x->start[i + 1], y->start[i + 1]);
    }
    assert_memory_equal(x->index, y->index, x->entries * sizeof *x->index);
    for (size_t k = 0; k < x->entries; k++)
        assert_true(isnan(x->value[k]) ? isnan(y->value[k])
                                       : memcmp(&x->value[k], &y->value[k], sizeof(double)) == 0);
}

TEST(random_objects_are_the_rows_of_the_same_table_in_csv)
{
    static const char *const spec[] = { "missing=mean", "missing=drop", "missing=mean hash=5",
                                        "missing=mean text=d", "missing=drop ignore=c text=d,e" };
    const struct env e = env();
    struct rng r = rng_seed(22, 1);
    char both[100];

    for (int i = 0; i < t_cases(200); i++) {
        struct text csv, json;
        struct reading t, u;
        text_init(&csv, &e);
        text_init(&json, &e);
        draft_tables(&r, &csv, &json, 15 + (int)rng_below(&r, 40));
        const char *s = spec[rng_below(&r, COUNT(spec))];
        snprintf(both, sizeof both, "header=yes label=label %s", s);
        read_text(&t, csv.s, both);
        snprintf(both, sizeof both, "format=jsonl label=label %s", s);
        read_text(&u, json.s, both);
        same_rows(&t, &u);
        assert_true(t.rows.n > 0);
        done(&t);
        done(&u);
        text_free(&csv);
        text_free(&json);
    }
}

/* ----- by the reader --------------------------------------------------------------- */

TEST(a_big_file_is_the_same_for_any_number_of_threads)
{
    static const int threads[] = { 1, 2, 8 };
    const struct env e = env();
    struct rng r = rng_seed(22, 2);
    struct text csv, json;
    char *bytes[3] = { NULL };
    long n[3];

    text_init(&csv, &e);
    text_init(&json, &e);
    draft_tables(&r, &csv, &json, 40000);
    assert_true(json.len > 3 << 20); /* guard: several chunks */
    assert_int_equal(t_put_bytes("f.jsonl", json.s, json.len), 0);
    for (int i = 0; i < 3; i++) {
        perc_params *p = t_option("data", "missing", "drop");
        perc_dataset *ds;
        perc_error err = { 0 };
        const perc_env env = { .threads = threads[i] };
        if (perc_dataset_read(&env, "f.jsonl", p, &ds, &err)) fail_msg("%s", err.text);
        assert_string_equal(ds->format, "jsonl");
        assert_int_equal(perc_dataset_write(ds, "f.blocks", "blocks", NULL), PERC_OK);
        bytes[i] = malloc(16 << 20);
        n[i] = t_get("f.blocks", bytes[i], 16 << 20);
        assert_true(n[i] > 0 && n[i] == n[0]);
        assert_memory_equal(bytes[i], bytes[0], (size_t)n[0]);
        perc_dataset_free(ds);
        perc_params_free(p);
    }
    for (int i = 0; i < 3; i++) free(bytes[i]);
    text_free(&csv);
    text_free(&json);
}

TEST(digits_are_kept_for_proofs)
{
    static const char text[] = "{\"a\":0.1234567890123456789012345,\"label\":1}\n"
                               "{\"a\":\"1e-30\",\"label\":2}\n";
    perc_params *p = t_option("data", NULL, NULL);
    const struct env e = env();
    struct reader *r;
    struct block b;
    bool more;

    assert_int_equal(t_put("f", text), 0);
    assert_int_equal(reader_open_exact(&e, "f", p, NULL, NULL, &r, NULL), PERC_OK);
    assert_int_equal(reader_next(r, &b, &more, NULL), PERC_OK);
    assert_true(more && b.rows == 2 && b.digits.mantissa != NULL);
    const struct decimal first = digits_get(&b.digits, 0), second = digits_get(&b.digits, 1);
    assert_true(first.more && first.end - first.digits == 25);
    assert_memory_equal(first.digits, "1234567890123456789012345", 25);
    assert_true(second.mantissa == 1 && second.exponent == -30);
    block_free(&b);
    reader_close(r);
    perc_params_free(p);
}

/* ----- told ------------------------------------------------------------------------ */

TEST(objects_are_told_from_cells_and_pairs)
{
    static const struct {
        const char *text;
        bool yes;
    } cases[] = {
        { "{\"a\":1}\n", true }, { "\n  { \"a\" : 1}", true }, { "{}\n", true },
        { "[{\"a\":1}]", true }, { "{\n\"a\":1}", true },      { "{a},1\n", false },
        { "1 1:2\n", false },    { "[1,2]\n", false },         { "{", false },
        { "", false },           { "a,b\n1,2\n", false },      { "\"{\"\"a\"\"\",1\n", false },
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        if (jsonl_looks_like(cases[i].text, strlen(cases[i].text)) != cases[i].yes)
            fail_msg("%s", cases[i].text);
}

/* ----- memory ---------------------------------------------------------------------- */

TEST(no_memory_is_lost)
{
    static const char text[] =
        "{\"a\":{\"b\\u0062\":1},\"t\":[\"u v\",\"\\u00e9\"],\"c\":\"d\\n\","
        "\"w\":2,\"id\":7,\"label\":\"x\\ty\"}\n"
        "{\"a\":{\"bb\":null},\"t\":[\"w\"],\"c\":\"e\",\"w\":2,\"label\":\"z\"}\n"
        "{\"new\":{\"k\":null},\"c\":\"e\",\"w\":2,\"label\":\"z\"}\n";
    perc_params *p = options("missing=mean weight=w ignore=new.j");

    for (struct t_sweep s = { .least = 60 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct reading t;
        memset(&t, 0, sizeof t);
        rows_init(&t.rows, &e);
        t.st = csv_open_objects(&e, text, sizeof text - 1, p, NULL, NULL, &t.csv, t.note, &t.err);
        if (!t.st) t.st = jsonl_parse(&t.csv, text, sizeof text - 1, &t.rows, &t.local, &t.err);
        if (!t.st) t.st = csv_merge(&t.csv, &t.local, &t.rows, &t.err);
        const perc_status st = t.st;
        done(&t);
        t_sweep_judge(&s, st);
    }
    perc_params_free(p);
}
