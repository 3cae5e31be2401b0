/* test_json.c -- the promises of base/json.h: exactly RFC 8259, whatever the bytes. */
#include <math.h>

#include "base/json.h"
#include "t.h"

static struct env env(void)
{
    return env_resolve(&(perc_env){ .threads = 1 });
}

struct verdict {
    enum json_kind kind; /* JSON_END or JSON_ERROR */
    size_t offset;
    const char *reason;
};

/* Reads to the end. The bytes stand in a block of just their size, so that a
 * sanitizer or valgrind sees one step too far. */
static struct verdict judge(const char *s, size_t n)
{
    char *copy = malloc(n > 0 ? n : 1);
    enum json_kind kind;
    struct json j;

    assert_non_null(copy);
    if (n > 0) memcpy(copy, s, n);
    json_begin(&j, copy, n);
    do kind = json_next(&j);
    while (kind != JSON_END && kind != JSON_ERROR);
    assert_int_equal(json_next(&j), kind); /* it stays */
    assert_true(json_offset(&j) <= n);
    const struct verdict v = { kind, json_offset(&j), j.reason };
    free(copy);
    return v;
}

static void accepts(const char *s)
{
    const struct verdict v = judge(s, strlen(s));

    if (v.kind != JSON_END) fail_msg("refused: %s (%s)", s, v.reason);
}

/* The offset says where, the reason why. */
static void refuses(const char *s, size_t offset, const char *reason)
{
    const struct verdict v = judge(s, strlen(s));

    if (v.kind != JSON_ERROR) fail_msg("accepted: %s", s);
    if (strcmp(v.reason, reason) != 0) fail_msg("%s: %s, expected %s", s, v.reason, reason);
    if (v.offset != offset) fail_msg("%s: at %zu, expected %zu", s, v.offset, offset);
}

TEST(documents_of_the_grammar_are_accepted)
{
    accepts("0");
    accepts(" \t\r\n null \n");
    accepts("\"\"");
    accepts("[]");
    accepts("{}");
    accepts("[[],{},[{}]]");
    accepts("{\"a\":1,\"a\":2,\"\":[true,false,null]}"); /* names may repeat here */
    accepts("[ 0 , -0 , 1.5 , -1e5 , 1E+2 , 0.1e-3 , 1e999 , 123456789012345678901234567890 ]");
    accepts("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\"");
    accepts("\"\x7f \xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xF0\x90\x80\x80 "
            "\xF4\x8F\xBF\xBF\"");
}

TEST(everything_else_is_refused_with_place_and_reason)
{
    const char *early = "unexpected end of the text", *no_value = "expected a value";
    const char *no_comma = "expected a comma or ]", *no_key = "expected a key in quotes";

    refuses("", 0, early);
    refuses("  ", 2, early);
    refuses("[", 1, early);
    refuses("[1", 2, early);
    refuses("[1,", 3, early);
    refuses("{\"a\":", 5, early);
    refuses("[1,]", 3, no_value);
    refuses("[,1]", 1, no_value);
    refuses("[1 2]", 3, no_comma);
    refuses("[1}", 2, no_comma);
    refuses("]", 0, no_value);
    refuses("{\"a\":1]", 6, "expected a comma or }");
    refuses("{\"a\":1,}", 7, no_key);
    refuses("{a:1}", 1, no_key);
    refuses("{1:1}", 1, no_key);
    refuses("{\"a\" 1}", 5, "expected a colon after the key");
    refuses("{\"a\"", 4, "expected a colon after the key");
    refuses("1 2", 2, "unexpected text after the end");
    refuses("{} /* c */", 3, "unexpected text after the end");
    refuses("\xEF\xBB\xBF{}", 0, no_value); /* a byte order mark */
    refuses("nul", 0, no_value);
    refuses("[True]", 1, no_value);
    refuses("truex", 4, "unexpected text after the end");
    refuses("NaN", 0, no_value);
    refuses("[Infinity]", 1, no_value);
    refuses("['a']", 1, no_value);
}

TEST(numbers_follow_the_grammar)
{
    refuses("-", 0, "a number has no digits");
    refuses("[-a]", 1, "a number has no digits");
    refuses("01", 0, "a number has a leading zero");
    refuses("-00", 0, "a number has a leading zero");
    refuses("1.", 0, "a number has no digits after its point");
    refuses("1.e5", 0, "a number has no digits after its point");
    refuses("1e", 0, "a number has no digits in its exponent");
    refuses("1e+", 0, "a number has no digits in its exponent");
    refuses("+1", 0, "expected a value");
    refuses(".5", 0, "expected a value");
    refuses("0x10", 1, "unexpected text after the end");
    refuses("-Infinity", 0, "a number has no digits");
}

TEST(strings_are_utf8_and_escapes_complete)
{
    const char *utf8 = "a string is not valid UTF-8", *half = "an unpaired surrogate";

    refuses("\"abc", 0, "a string does not end");
    refuses("\"abc\\", 4, "a string does not end");
    refuses("\"a\nb\"", 2, "a control character in a string");
    refuses("\"\x1f\"", 1, "a control character in a string");
    refuses("\"\\x\"", 1, "an unknown escape in a string");
    refuses("\"\\u12g4\"", 1, "\\u needs four hexadecimal digits");
    refuses("\"\\u123", 1, "\\u needs four hexadecimal digits");
    refuses("\"\\u0000\"", 1, "\\u0000 is not allowed");
    refuses("\"\\ud800\"", 1, half);
    refuses("\"\\udc00\\ud800\"", 1, half);
    refuses("\"\\ud800\\u0041\"", 1, half);
    refuses("\"\\ud800\\ue000\"", 1, half);
    refuses("\"\\ud800\\udc0", 1, half);
    refuses("\"\x80\"", 1, utf8);
    refuses("\"\xC1\xBF\"", 1, utf8); /* overlong */
    refuses("\"\xE0\x9F\xBF\"", 1, utf8);
    refuses("\"\xF0\x8F\xBF\xBF\"", 1, utf8);
    refuses("\"\xED\xA0\x80\"", 1, utf8);     /* a surrogate */
    refuses("\"\xF4\x90\x80\x80\"", 1, utf8); /* above 10FFFF */
    refuses("\"\xF5\x80\x80\x80\"", 1, utf8);
    refuses("\"\xE2\x82\"", 1, utf8); /* cut short */
    refuses("\"\xE2\x82", 1, utf8);
    assert_int_equal(judge("\"\0\"", 3).kind, JSON_ERROR);
    assert_int_equal(judge("\"\\\0\"", 4).kind, JSON_ERROR);
    assert_int_equal(judge("1\0", 2).kind, JSON_ERROR);
}

TEST(nesting_ends_at_the_limit)
{
    char s[2 * JSON_DEPTH + 2];

    memset(s, '[', JSON_DEPTH);
    memset(s + JSON_DEPTH, ']', JSON_DEPTH);
    assert_int_equal(judge(s, 2 * JSON_DEPTH).kind, JSON_END);
    memset(s, '[', JSON_DEPTH + 1);
    memset(s + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
    const struct verdict v = judge(s, 2 * JSON_DEPTH + 2);
    assert_int_equal(v.kind, JSON_ERROR);
    assert_int_equal(v.offset, JSON_DEPTH);
    assert_string_equal(v.reason, "brackets are nested too deeply");
}

TEST(tokens_come_in_order_with_their_offsets)
{
    static const char DOC[] = "{ \"k\\n\" : [1, \"v\"], \"b\":true}";
    static const struct {
        enum json_kind kind;
        size_t offset;
    } WANT[] = {
        { JSON_OBJECT, 0 },      { JSON_KEY, 2 },        { JSON_ARRAY, 10 }, { JSON_NUMBER, 11 },
        { JSON_STRING, 14 },     { JSON_ARRAY_END, 17 }, { JSON_KEY, 20 },   { JSON_TRUE, 24 },
        { JSON_OBJECT_END, 28 }, { JSON_END, 29 },       { JSON_END, 29 },
    };
    struct json j;

    json_begin(&j, DOC, strlen(DOC));
    for (size_t i = 0; i < COUNT(WANT); i++) {
        assert_int_equal(json_next(&j), WANT[i].kind);
        assert_int_equal(json_offset(&j), WANT[i].offset);
        assert_true(json_is(&j, "k\n") == (i == 1));
        assert_true(json_is(&j, "v") == (i == 4));
    }
}

TEST(skipping_passes_over_a_whole_value)
{
    static const char DOC[] = "{\"a\":{\"x\":[[1],{}]},\"b\":[],\"c\":7}", BAD[] = "[[1,{\"a\":]]";
    struct json j;
    int64_t v = 0;

    json_begin(&j, DOC, strlen(DOC));
    assert_int_equal(json_next(&j), JSON_OBJECT);
    assert_true(json_next(&j) == JSON_KEY && json_is(&j, "a"));
    assert_int_equal(json_skip(&j), JSON_OBJECT);
    assert_true(json_next(&j) == JSON_KEY && json_is(&j, "b"));
    assert_int_equal(json_skip(&j), JSON_ARRAY);
    assert_true(json_next(&j) == JSON_KEY && json_is(&j, "c"));
    assert_int_equal(json_skip(&j), JSON_NUMBER);
    assert_true(json_int(&j, &v) && v == 7);
    assert_int_equal(json_skip(&j), JSON_OBJECT_END);
    assert_int_equal(json_skip(&j), JSON_END);
    json_begin(&j, BAD, strlen(BAD));
    assert_int_equal(json_skip(&j), JSON_ERROR);
}

static void decoded(const char *doc, const char *want)
{
    const struct env e = env();
    struct json j;

    json_begin(&j, doc, strlen(doc));
    assert_int_equal(json_next(&j), JSON_STRING);
    char *s = json_text(&j, &e);
    assert_non_null(s);
    assert_string_equal(s, want);
    assert_true(json_is(&j, want));
    if (want[0] != '\0') {
        s[strlen(s) - 1] ^= 1;
        assert_false(json_is(&j, s)); /* one bit off */
        s[strlen(s) - 1] = '\0';
        assert_false(json_is(&j, s)); /* a prefix */
        s[strlen(s)] = ' ';
    }
    mem_free_text(&e, s);
    assert_false(json_is(&j, "something longer than it"));
}

TEST(strings_are_decoded_to_utf8)
{
    decoded("\"\"", "");
    decoded("\"plain\"", "plain");
    decoded("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
    decoded("\"\\u0001\\u007F\\u0080\\u07ff\"", "\x01\x7F\xC2\x80\xDF\xBF");
    decoded("\"\\u0800\\uD7FF\\uE000\\uFFFF\"", "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF");
    decoded("\"\\uD800\\uDC00\\udbff\\uDFFF\"", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
    decoded("\"\xC3\xA9\"", "\xC3\xA9");
}

static void number_is(const char *s, bool is_int, int64_t i, bool is_uint, uint64_t u)
{
    struct json j;
    int64_t got_i = 0;
    uint64_t got_u = 0;

    json_begin(&j, s, strlen(s));
    assert_int_equal(json_next(&j), JSON_NUMBER);
    assert_true(json_int(&j, &got_i) == is_int && got_i == i);
    assert_true(json_uint(&j, &got_u) == is_uint && got_u == u);
}

TEST(integers_are_exact_or_refused)
{
    struct json j;
    double d;
    int64_t i;

    number_is("0", true, 0, true, 0);
    number_is("-0", true, 0, false, 0);
    number_is("9007199254740993", true, 9007199254740993, true, 9007199254740993);
    number_is("9223372036854775807", true, INT64_MAX, true, INT64_MAX);
    number_is("-9223372036854775808", true, INT64_MIN, false, 0);
    number_is("9223372036854775808", false, 0, true, (uint64_t)INT64_MAX + 1);
    number_is("-9223372036854775809", false, 0, false, 0);
    number_is("18446744073709551615", false, 0, true, UINT64_MAX);
    number_is("18446744073709551616", false, 0, false, 0);
    number_is("1.0", false, 0, false, 0);
    number_is("1e2", false, 0, false, 0);
    json_begin(&j, "[0.1,1e999,\"5\"]", 15);
    json_next(&j);
    assert_true(json_next(&j) == JSON_NUMBER && json_double(&j, &d) && d == 0.1);
    assert_true(json_next(&j) == JSON_NUMBER && !json_double(&j, &d)); /* no infinity */
    assert_true(json_next(&j) == JSON_STRING && !json_double(&j, &d) && !json_int(&j, &i));
}

TEST(the_writer_places_commas_and_escapes)
{
    const struct env e = env();
    struct text t;

    text_init(&t, &e);
    struct json_out o = { .t = &t };
    json_open(&o, '{');
    json_key(&o, "a\"b");
    json_str(&o, "\\ \b\f\n\r\t\x01\x1f\x7f \xC3\xA9 \xFF\xE2\x82.");
    json_key(&o, "n");
    json_open(&o, '[');
    json_num(&o, 0.1);
    json_num(&o, NAN);
    json_num(&o, -INFINITY);
    json_i64(&o, INT64_MIN);
    json_open(&o, '[');
    json_close(&o, ']');
    json_bool(&o, true);
    json_close(&o, ']');
    json_key(&o, "z");
    json_bool(&o, false);
    json_close(&o, '}');
    assert_false(t.oom);
    assert_string_equal(t.s, "{\"a\\\"b\":\"\\\\ \\b\\f\\n\\r\\t\\u0001\\u001f\x7f \xC3\xA9 "
                             "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD.\",\"n\":[0.1,null,null,"
                             "-9223372036854775808,[],true],\"z\":false}");
    accepts(t.s);
    text_free(&t);
}

static uint32_t next(uint32_t *s)
{
    return *s = *s * 1664525 + 1013904223;
}

/* Damage a good document at random places: the reader ends with a verdict, inside
 * the range (which judge() checks), and both verdicts do occur. */
TEST(random_damage_is_survived)
{
    static const char DOC[] =
        "{\"format\":\"1\",\"w\":{\"shape\":[2,3.5e-7,-0],\"t\":true,\"u\":null,"
        "\"s\":\"\\u00e9\\ud83d\\ude00\\n\xC3\xA9\"},\"e\":[[],{}]}";
    static const char ALPHABET[] = "{}[]\",:\\u0123dDeE+-. tfn\n\xC3\xA9\xED";
    uint32_t s = 1;
    int good = 0, bad = 0;

    for (int i = 0; i < 200000; i++) {
        char copy[sizeof DOC];
        memcpy(copy, DOC, sizeof DOC);
        for (uint32_t k = next(&s) >> 30; k > 0; k--)
            copy[(next(&s) >> 8) % (sizeof DOC - 1)] =
                ALPHABET[(next(&s) >> 8) % (sizeof ALPHABET - 1)];
        const size_t n = i % 8 == 0 ? (next(&s) >> 8) % sizeof DOC : sizeof DOC - 1;
        if (judge(copy, n).kind == JSON_END) good++;
        else bad++;
    }
    assert_true(good > 1000 && bad > 1000);
}

static void *no_memory(void *ud, void *p, size_t old, size_t size)
{
    (void)ud, (void)p, (void)old, (void)size;
    return NULL;
}

TEST(decoding_without_memory_gives_null)
{
    const struct env e = { .alloc = no_memory, .threads = 1 };
    struct json j;

    json_begin(&j, "\"a\"", 3);
    assert_int_equal(json_next(&j), JSON_STRING);
    assert_null(json_text(&j, &e));
}
