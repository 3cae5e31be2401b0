/* test_schema.c -- the promises of data/schema.h: feature numbers by order, names,
 * and a JSON form that comes back the same or is refused. */
#include "data/schema.h"
#include "t.h"
#include "t_alloc.h"

static struct env env(void)
{
    return env_resolve(&(perc_env){ .threads = 1 });
}

static void add_treated(struct schema *s, const char *name, enum column_kind kind, const char *how)
{
    struct column *c = mem_resize(&s->e, s->column, s->columns, s->columns + 1, sizeof *c);

    assert_non_null(c);
    s->column = c;
    c += s->columns++;
    *c = (struct column){ .kind = kind, .feature = s->numeric };
    c->name = mem_text(&s->e, name, strlen(name));
    assert_int_equal(columns_treatment_parse(&s->e, kind, how, strlen(how), &c->how, NULL),
                     PERC_OK);
    s->numeric += column_is_number(c);
}

static void add_column(struct schema *s, const char *name, enum column_kind kind)
{
    add_treated(s, name, kind, "");
}

/* Columns: a number, b word, y label, c number, w weight, - left out, d word. */
static void make(struct schema *s, const struct env *e)
{
    static const char *const words[] = { "red", "", "caf\xe9" /* Latin-1 */, "\x01\"\\\n,",
                                         "blue" };
    uint32_t feature;

    schema_init(s, e);
    add_column(s, "a", COLUMN_NUMBER);
    add_column(s, "b\xff", COLUMN_CATEGORY);
    add_column(s, "y", COLUMN_LABEL);
    add_column(s, "c \xe2\x82\xac", COLUMN_NUMBER); /* the euro sign, in UTF-8 */
    add_column(s, "w", COLUMN_WEIGHT);
    add_column(s, "-", COLUMN_SKIP);
    add_column(s, "d", COLUMN_CATEGORY);
    s->header = true;
    s->delimiter = ';';
    s->notation = (struct notation){ true, '.', QUOTES_SINGLE };
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t column = i % 2 ? 1 : 6;
        assert_int_equal(schema_add(s, column, words[i], strlen(words[i]), &feature), PERC_OK);
        assert_int_equal(feature, 2 + i);
    }
}

/* Columns with treatments: a date with and one without days, gaps that are shown, rare levels. */
static void make_treated(struct schema *s, const struct env *e)
{
    uint32_t feature;

    schema_init(s, e);
    add_treated(s, "month", COLUMN_DATE, "month");
    add_treated(s, "n", COLUMN_NUMBER, "scale=none fill=median indicator");
    add_treated(s, "day", COLUMN_DATE, "days hour indicator");
    add_treated(s, "c", COLUMN_CATEGORY, "rare=3 fill=level reference=\"no. 1\"");
    add_treated(s, "id", COLUMN_ID, "");
    add_treated(s, "y", COLUMN_LABEL, "");
    add_treated(s, "f", COLUMN_CATEGORY, "fill=frequent");
    assert_int_equal(schema_add_special(s, 1, SCHEMA_MISSING, &feature), PERC_OK);
    assert_int_equal(feature, 2);
    assert_int_equal(schema_add_special(s, 2, SCHEMA_MISSING, &feature), PERC_OK);
    assert_int_equal(schema_add_special(s, 3, SCHEMA_MISSING, &feature), PERC_OK);
    assert_int_equal(schema_add_special(s, 3, SCHEMA_RARE, &feature), PERC_OK);
    assert_int_equal(schema_add(s, 3, "rare", 4, &feature), PERC_OK); /* a word of the file */
    assert_int_equal(feature, 6);
    assert_int_equal(schema_add(s, 2, "hour 7", 6, &feature), PERC_OK);
    assert_int_equal(schema_add_special(s, 3, SCHEMA_RARE, &feature), PERC_OK); /* again */
    assert_int_equal(feature, 5);
    s->column[3].reference = mem_text(e, "no. 1", 5);
    s->column[6].frequent = mem_text(e, "gr\xfcn", 4);
    assert_true(s->column[3].reference != NULL && s->column[6].frequent != NULL);
}

static void name_is(const struct schema *s, uint64_t j, const char *expected)
{
    const struct env e = env();
    struct text t;

    text_init(&t, &e);
    schema_name(s, j, &t);
    assert_string_equal(t.s != NULL ? t.s : "", expected);
    text_free(&t);
}

/* The other way round, with others between them, and a name that comes twice: the one at the same
 * place, or else the first. */
TEST(features_are_found_by_the_name_of_their_column)
{
    static const char *const turned[] = { "w", "-", "c", "y", "b", "a", "a", "z" };
    const struct env e = env();
    struct schema of, in, names;

    schema_init(&of, &e);
    schema_init(&in, &e);
    schema_init(&names, &e);
    for (const char *c = "abc"; *c != '\0'; c++)
        add_column(&of, (char[]){ *c, '\0' }, COLUMN_NUMBER);
    for (size_t i = 0; i < COUNT(turned); i++)
        add_column(&in, turned[i], i % 7 == 0 ? COLUMN_SKIP : COLUMN_NUMBER);
    assert_int_equal(schema_index(&in, &names), PERC_OK);
    assert_int_equal(schema_locate(&in, &names, &of, 0), 4);
    assert_int_equal(schema_locate(&in, &names, &of, 1), 3);
    assert_int_equal(schema_locate(&in, &names, &of, 2), 1);
    for (size_t i = 0; i < 3; i++) add_column(&of, i == 2 ? "a" : "none", COLUMN_SKIP);
    add_column(&of, "a", COLUMN_NUMBER); /* at place 6 in both */
    add_column(&of, "w", COLUMN_NUMBER);
    assert_int_equal(schema_locate(&in, &names, &of, 3), 5);
    assert_int_equal(schema_locate(&in, &names, &of, 4), UINT64_MAX); /* it is left out there */
    schema_free(&of);
    schema_free(&in);
    schema_free(&names);
}

TEST(features_are_numbered_and_named)
{
    const struct env e = env();
    struct schema s;
    uint32_t feature;

    make(&s, &e);
    assert_int_equal(schema_features(&s), 7);
    name_is(&s, 0, "a");
    name_is(&s, 1, "c \xe2\x82\xac");
    name_is(&s, 2, "d=red");
    name_is(&s, 3, "b\xff=");
    name_is(&s, 7, "");
    assert_int_equal(schema_find(&s, 6, "red", 3), 2);
    assert_int_equal(schema_find(&s, 1, "red", 3), UINT32_MAX); /* another column's */
    assert_int_equal(schema_find(&s, 6, "redder", 6), UINT32_MAX);
    assert_int_equal(schema_find(&s, 6, "re", 2), UINT32_MAX);
    assert_int_equal(schema_add(&s, 6, "red", 3, &feature), PERC_OK);
    assert_int_equal(feature, 2);
    schema_free(&s);
}

TEST(special_levels_are_no_words)
{
    const struct env e = env();
    struct schema s, in, names;

    make_treated(&s, &e);
    assert_true(schema_has_treatments(&s));
    assert_int_equal(s.numeric, 2);
    name_is(&s, 0, "n");
    name_is(&s, 1, "day");
    name_is(&s, 2, "n:missing");
    name_is(&s, 5, "c:rare");
    name_is(&s, 6, "c=rare");
    name_is(&s, 7, "day=hour 7");
    assert_int_equal(schema_find(&s, 3, "missing", 7), UINT32_MAX);
    assert_int_equal(schema_find(&s, 3, "rare", 4), 6);
    assert_int_equal(schema_find_special(&s, 3, SCHEMA_RARE), 5);
    assert_int_equal(schema_find_special(&s, 1, SCHEMA_RARE), UINT32_MAX);

    /* Found by name in a schema whose columns stand the other way round. */
    schema_init(&in, &e);
    schema_init(&names, &e);
    for (size_t i = s.columns; i-- > 0;) {
        struct text how;
        text_init(&how, &e);
        columns_treatment_write(&s.column[i].how, &how);
        add_treated(&in, s.column[i].name, s.column[i].kind, how.s != NULL ? how.s : "");
        text_free(&how);
    }
    for (size_t k = s.categories; k-- > 0;) {
        const struct category *c = &s.category[k];
        const uint32_t column = (uint32_t)s.columns - 1 - c->column;
        uint32_t feature;
        const perc_status st = c->special
                                   ? schema_add_special(&in, column, c->special, &feature)
                                   : schema_add(&in, column, c->text, strlen(c->text), &feature);
        assert_int_equal(st, PERC_OK);
    }
    assert_int_equal(schema_index(&in, &names), PERC_OK);
    for (uint64_t j = 0; j < 2; j++) assert_int_equal(schema_locate(&in, &names, &s, j), 1 - j);
    for (uint64_t j = 2; j < 8; j++) assert_int_equal(schema_locate(&in, &names, &s, j), 9 - j);
    schema_truncate(&s, 1);
    assert_int_equal(schema_find_special(&s, 3, SCHEMA_MISSING), UINT32_MAX);
    assert_int_equal(schema_find_special(&s, 1, SCHEMA_MISSING), 2);
    schema_free(&s);
    schema_free(&in);
    schema_free(&names);
}

/* Every prefix of a growing table can be gone back to, across growth of the hash. */
TEST(the_newest_categories_can_be_taken_out)
{
    enum { N = 500 };
    const struct env e = env();
    struct schema s;
    char text[16];
    uint32_t feature;

    schema_init(&s, &e);
    for (unsigned keep = 0; keep < N; keep += 37) {
        for (unsigned k = keep; k < N; k++) {
            snprintf(text, sizeof text, "%u", k);
            assert_int_equal(schema_add(&s, k % 3, text, strlen(text), &feature), PERC_OK);
            assert_int_equal(feature, k);
        }
        schema_truncate(&s, keep + 37 < N ? keep + 37 : N);
        for (unsigned k = 0; k < N; k++) {
            snprintf(text, sizeof text, "%u", k);
            assert_int_equal(schema_find(&s, k % 3, text, strlen(text)),
                             k < s.categories ? k : UINT32_MAX);
        }
    }
    schema_free(&s);
}

static void same(const struct schema *a, const struct schema *b)
{
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->header, b->header);
    assert_int_equal(a->delimiter, b->delimiter);
    assert_int_equal(a->notation.comma, b->notation.comma);
    assert_int_equal(a->notation.thousands, b->notation.thousands);
    assert_int_equal(a->notation.quotes, b->notation.quotes);
    assert_int_equal(a->numeric, b->numeric);
    assert_int_equal(a->categories, b->categories);
    for (size_t i = 0; i < a->columns; i++) {
        assert_string_equal(a->column[i].name, b->column[i].name);
        assert_int_equal(a->column[i].kind, b->column[i].kind);
        assert_int_equal(a->column[i].feature, b->column[i].feature);
        assert_int_equal(a->column[i].how.fill, b->column[i].how.fill);
        assert_int_equal(a->column[i].how.rare, b->column[i].how.rare);
        assert_int_equal(a->column[i].how.parts, b->column[i].how.parts);
    }
    for (size_t k = 0; k < a->categories; k++) {
        const struct category *c = &a->category[k];
        assert_string_equal(c->text, b->category[k].text);
        assert_int_equal(c->special, b->category[k].special);
        assert_int_equal(c->special ? schema_find_special(b, c->column, c->special)
                                    : schema_find(b, c->column, c->text, strlen(c->text)),
                         c->feature);
    }
}

TEST(json_and_copies_come_back_the_same)
{
    const struct env e = env();
    struct schema s, copy, back;
    struct text t;
    perc_error err;

    for (int treated = 0; treated < 2; treated++) {
        (treated ? make_treated : make)(&s, &e);
        assert_int_equal(schema_copy(&e, &s, &copy), PERC_OK);
        same(&s, &copy);
        text_init(&t, &e);
        schema_to_json(&s, &t);
        assert_non_null(strstr(t.s, treated
                                        ? "\"how\":\"rare=3 fill=level reference=\\\"no. 1\\\"\""
                                        : "{\"hex\":\"636166e9\"}"));
        if (schema_from_json(&e, t.s, t.len, &back, &err)) fail_msg("%s", err.text);
        same(&s, &back);
        text_free(&t);
        schema_free(&s);
        schema_free(&copy);
        schema_free(&back);
    }
}

#define HEAD "{\"header\":true,\"delimiter\":\",\",\"columns\":["
#define A    "{\"name\":\"a\",\"kind\":\"category\"}"
#define Y    "{\"name\":\"y\",\"kind\":\"label\"}"

TEST(json_that_is_not_a_schema_is_refused)
{
    static const char *const bad[] = {
        "",
        "null",
        "[]",
        "{}",
        "{\"header\":true}",
        "{\"header\":1",
        HEAD A "],\"categories\":[]",                                             /* cut */
        HEAD A "],\"categories\":[]} x",                                          /* more */
        HEAD A "],\"categories\":[],\"categories\":[]}",                          /* twice */
        "{\"delimiter\":\",\",\"header\":true,\"columns\":[],\"categories\":[]}", /* order */
        "{\"header\":true,\"delimiter\":\"x\",\"columns\":[],\"categories\":[]}",
        "{\"header\":true,\"delimiter\":\",,\",\"columns\":[],\"categories\":[]}",
        HEAD Y "," Y "],\"categories\":[]}",             /* two labels */
        HEAD Y "],\"categories\":[],\"decimal\":\".\"}", /* what needs no word */
        HEAD Y "],\"categories\":[],\"decimal\":\"\"}",
        HEAD Y "],\"categories\":[],\"decimal\":1}",
        HEAD Y "],\"categories\":[],\"thousands\":\"\"}",
        HEAD Y "],\"categories\":[],\"thousands\":\";\"}",
        HEAD Y "],\"categories\":[],\"thousands\":\".\"}", /* the point is a point */
        HEAD Y "],\"categories\":[],\"decimal\":\",\",\"thousands\":\",\"}",
        HEAD Y "],\"categories\":[],\"quote\":\"double\"}",
        HEAD Y "],\"categories\":[],\"quote\":\"half\"}",
        HEAD Y "],\"categories\":[],\"quote\":\"none\",\"decimal\":\",\"}", /* order */
        HEAD "{\"name\":\"a\"}],\"categories\":[]}",                        /* no kind */
        HEAD "{\"kind\":\"label\"}],\"categories\":[]}",                    /* no name */
        HEAD "{\"name\":\"a\",\"kind\":\"thing\"}],\"categories\":[]}",
        HEAD "{\"name\":\"a\",\"name\":\"b\",\"kind\":\"label\"}],\"categories\":[]}",
        HEAD "{\"name\":1,\"kind\":\"label\"}],\"categories\":[]}",
        HEAD "{\"name\":{\"hex\":\"e\"},\"kind\":\"label\"}],\"categories\":[]}",
        HEAD "{\"name\":{\"hex\":\"eg\"},\"kind\":\"label\"}],\"categories\":[]}",
        HEAD "{\"name\":{\"hex\":\"00\"},\"kind\":\"label\"}],\"categories\":[]}",
        HEAD "{\"name\":{\"hex\":\"\"},\"kind\":\"label\"}],\"categories\":[]}",
        HEAD "{\"name\":{\"hey\":\"e9\"},\"kind\":\"label\"}],\"categories\":[]}",
        HEAD "{\"name\":{\"hex\":\"e9\",\"hex\":\"e9\"},\"kind\":\"label\"}],\"categories\":[]}",
        HEAD "\"a\"],\"categories\":[]}",
        HEAD A "],\"categories\":[[0,\"r\"],[0,\"r\"]]}", /* one word twice */
        HEAD A "],\"categories\":[[1,\"r\"]]}",           /* no such column */
        HEAD A "],\"categories\":[[-1,\"r\"]]}",
        HEAD A "],\"categories\":[[0.5,\"r\"]]}",
        HEAD A "],\"categories\":[[18446744073709551616,\"r\"]]}",
        HEAD A "," Y "],\"categories\":[[1,\"r\"]]}", /* the label has none */
        HEAD A "],\"categories\":[[0]]}",
        HEAD A "],\"categories\":[[0,\"r\",1]]}",
        HEAD A "],\"categories\":[0]}",
        HEAD A "],\"categories\":{}}",
        HEAD "{\"name\":\"a\",\"how\":\"days\",\"kind\":\"date\"}],\"categories\":[]}", /* order */
        HEAD "{\"name\":\"a\",\"kind\":\"number\",\"how\":\"days\"}],\"categories\":[]}",
        HEAD "{\"name\":\"a\",\"kind\":\"number\",\"how\":1}],\"categories\":[]}",
        HEAD "{\"name\":\"a\",\"kind\":\"date\"}],\"categories\":[]}", /* no parts */
        HEAD A "],\"categories\":[[0,\"rare\",true]]}",                /* it has no such level */
        HEAD A "],\"categories\":[[0,\"red\",true]]}",
        /* Levels that nobody asked for, or of no category, or no text, or twice. */
        HEAD "{\"name\":\"a\",\"kind\":\"category\",\"frequent\":\"r\"}],\"categories\":[]}",
        HEAD "{\"name\":\"a\",\"kind\":\"category\",\"how\":\"fill=none\",\"frequent\":\"r\"}],"
             "\"categories\":[]}",
        HEAD "{\"name\":\"a\",\"kind\":\"category\",\"how\":\"rare=2\",\"reference\":\"r\"}],"
             "\"categories\":[]}",
        HEAD "{\"name\":\"a\",\"kind\":\"number\",\"how\":\"fill=3\",\"reference\":\"r\"}],"
             "\"categories\":[]}",
        HEAD "{\"name\":\"a\",\"kind\":\"category\",\"how\":\"reference=first\",\"reference\":1}],"
             "\"categories\":[]}",
        HEAD
        "{\"name\":\"a\",\"kind\":\"category\",\"how\":\"reference=first\",\"reference\":\"r\","
        "\"reference\":\"s\"}],\"categories\":[]}",
        HEAD A "],\"categories\":[[0,\"missing\",true],[0,\"missing\",true]]}",
        HEAD A "],\"categories\":[[0,\"missing\",true,true]]}",
        HEAD "{\"name\":\"a\",\"kind\":\"number\",\"how\":\"indicator\"}],\"categories\":[[0,"
             "\"red\"]]}",
        "{\"header\":true,\"delimiter\":\"\",\"columns\":[],\"categories\":[]}",
        "{\"header\":true,\"delimiter\":\"5\",\"columns\":[],\"categories\":[]}",
        "{\"header\":true,\"delimiter\":\".\",\"columns\":[],\"categories\":[]}",
        HEAD A "],\"categories\":[],\"decimal\":\".\"}", /* that is not said */
        HEAD A "],\"categories\":[],\"decimal\":\"\"}",
        HEAD A "],\"categories\":[],\"decimal\":1}",
        HEAD A "],\"categories\":[],\"thousands\":\".\"}", /* nor is a comma there */
        HEAD A "],\"categories\":[],\"decimal\":\",\",\"thousands\":\",\"}",
        HEAD A "],\"categories\":[],\"thousands\":\"none\"}",
        HEAD A "],\"categories\":[],\"thousands\":\" \"}", /* the word is space */
        HEAD A "],\"categories\":[],\"thousands\":\"x\"}",
        HEAD A "],\"categories\":[],\"quote\":\"double\"}",
        HEAD A "],\"categories\":[],\"quote\":\"'\"}",
        HEAD A "],\"categories\":[],\"quote\":\"none\",\"decimal\":\",\"}", /* order */
        HEAD A "],\"categories\":[],\"decimal\":\",\",\"decimal\":\",\"}",
        HEAD A "],\"categories\":[],\"decimal\":\",\",\"hash\":3}",
    };
    const struct env e = env();
    struct schema s;
    perc_error err;

    for (size_t i = 0; i < COUNT(bad); i++) {
        err.text[0] = '\0';
        if (schema_from_json(&e, bad[i], strlen(bad[i]), &s, &err) != PERC_EDATA)
            fail_msg("accepted: %s", bad[i]);
        assert_int_equal(err.status, PERC_EDATA);
        assert_non_null(strstr(err.text, "damaged"));
        assert_null(s.column);
        schema_free(&s);
    }
    static const char *const good[] = {
        HEAD A "," Y "],\"categories\":[[0,\"r\"],[0,\"s\"]]}", /* guards */
        HEAD Y "],\"categories\":[],\"decimal\":\",\",\"thousands\":\".\",\"quote\":\"none\"}",
        HEAD Y "],\"categories\":[],\"quote\":\"single\"}",
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        if (schema_from_json(&e, good[i], strlen(good[i]), &s, &err))
            fail_msg("%s: %s", good[i], err.text);
        schema_free(&s);
    }
}

/* One byte changed in a good text: read or refused, never a crash or a leak. */
TEST(damaged_json_is_harmless)
{
    const struct env e = env();
    struct schema s, back;
    struct text t;

    make_treated(&s, &e);
    text_init(&t, &e);
    schema_to_json(&s, &t);
    for (size_t i = 0; i < t.len; i++) {
        const char was = t.s[i];
        for (const char *c = "\"{}[],:0x\xff"; *c != '\0'; c++) {
            t.s[i] = *c;
            if (schema_from_json(&e, t.s, t.len, &back, NULL) == PERC_OK)
                assert_true(schema_features(&back) <= 9);
            schema_free(&back);
        }
        t.s[i] = was;
        assert_int_equal(schema_from_json(&e, t.s, i, &back, NULL), PERC_EDATA); /* cut */
        schema_free(&back);
    }
    text_free(&t);
    schema_free(&s);
}

/* ----- memory runs out ------------------------------------------------------------ */

TEST(nothing_leaks_whichever_allocation_fails)
{
    const struct env plain = env();
    struct schema s, copy, back;
    struct text t;

    make_treated(&s, &plain);
    text_init(&t, &plain);
    schema_to_json(&s, &t);
    for (struct t_sweep w = { .least = 20 }; t_sweep_next(&w);) {
        const struct env e = env_resolve(&w.env);
        perc_status st = schema_copy(&e, &s, &copy);
        struct text again;
        text_init(&again, &e);
        schema_init(&back, &e);
        if (!st) {
            schema_to_json(&copy, &again);
            st = again.oom ? PERC_ENOMEM : schema_from_json(&e, again.s, again.len, &back, NULL);
        }
        if (!st) assert_string_equal(again.s, t.s);
        text_free(&again);
        schema_free(&copy);
        schema_free(&back);
        t_sweep_judge(&w, st);
    }
    text_free(&t);
    schema_free(&s);
}
