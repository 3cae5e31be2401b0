/* test_facts.c -- a document of facts: one filling, three forms, and memory that runs out. */
#include "show/facts.h"
#include "t.h"

#include <math.h>

#include "t_alloc.h"

typedef void printer(const struct facts *f, struct out *o);
typedef void filler(struct facts *f);

/* What `fill` makes is printed so, whether or not the document keeps facts for others. */
static void prints(filler *fill, enum facts_readers readers, printer *print, const char *expected)
{
    for (int k = 0; k < 2; k++) {
        struct out *o = NULL;
        struct facts f;

        facts_init(&f, NULL, k == 0 ? FACTS_ALL : readers);
        fill(&f);
        assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
        print(&f, o);
        assert_string_equal(out_kept(o), expected);
        out_abort(o);
        facts_free(&f);
    }
}

static void fill_values(struct facts *f)
{
    facts_count(f, "count", "count", 1234567);
    facts_int(f, "int", "int", -1234567);
    facts_bytes(f, "bytes", "bytes", 165000000);
    facts_real(f, "real", "real", 1.0 / 3);
    facts_real(f, "nan", "nan", NAN);
    facts_ratio(f, "ratio", "ratio", 0.5);
    facts_percent(f, "share", "share", 0.125);
    facts_seconds(f, "seconds", "seconds", 1.5);
    facts_bool(f, "bool", "bool", true);
    facts_string(f, "string", "string", "a \"b\"");
    facts_string(f, "none", NULL, NULL);
    facts_count_if(f, "unknown", NULL, false, 7);
    facts_null(f, "null");
    facts_line(f, "people", "alone, %d", 3);
    facts_real(f, "programs", NULL, 2);
    facts_count(f, "said", "said", 2);
    facts_say(f, "not this");
    facts_say(f, "%d of", 2);
    facts_more(f, " %d", 3);
}

TEST(a_value_has_one_form_for_each_reader)
{
    prints(fill_values, FACTS_PROGRAMS, facts_json,
           "{\"count\":1234567,\"int\":-1234567,\"bytes\":165000000,\"real\":0.3333333333333333,"
           "\"nan\":null,\"ratio\":0.5,\"share\":0.125,\"seconds\":1.5,\"bool\":true,"
           "\"string\":\"a \\\"b\\\"\",\"none\":null,\"unknown\":null,\"null\":null,\"programs\":2,"
           "\"said\":2}\n");
    prints(fill_values, FACTS_PEOPLE, facts_text,
           "count            1,234,567\n"
           "int              -1234567\n"
           "bytes            165 MB\n"
           "real             0.333333\n"
           "nan              undefined\n"
           "ratio            0.5000\n"
           "share            12.50 %\n"
           "seconds          1.50 s\n"
           "bool             yes\n"
           "string           a \"b\"\n"
           "people           alone, 3\n"
           "said             2 of 3\n");
}

/* A row each time it is asked for; the second is for programs. */
static void fill_row(struct facts *f, const void *ud, uint64_t i)
{
    const char *const *names = ud;

    facts_row(f);
    facts_string(f, "name", "name", names[i]);
    facts_object(f, "deep", NULL);
    facts_real(f, "value", "value", i == 0 ? 0.5 : (double)NAN);
    facts_end(f);
    facts_string(f, NULL, "", i == 0 ? "<- first" : "");
    facts_end(f);
}

static void fill_tree(struct facts *f)
{
    static const char *const names[] = { "a", "bb", "<c>" };

    facts_table(f, "rows", "A table:");
    facts_each(f, 3, 2, fill_row, names);
    facts_end(f);
    facts_prose(f, "... and %d more\n", 1);
    facts_object(f, "object", "object");
    facts_say(f, "has one");
    facts_list(f, "list", NULL);
    facts_int(f, NULL, NULL, 1);
    facts_list(f, NULL, NULL);
    facts_end(f);
    facts_end(f);
    facts_int(f, "child", "child", 2);
    facts_end(f);
    facts_section(f, 2);
    facts_int(f, "later", "later", 3);
    facts_section(f, 1);
    facts_int(f, "between", "between", 4);
    facts_section(f, FACTS_UNTOLD);
    facts_int(f, "untold", "untold", 5);
    facts_table(f, NULL, "nobody");
    facts_end(f);
}

TEST(a_tree_is_told_section_by_section)
{
    prints(fill_tree, FACTS_PROGRAMS, facts_json,
           "{\"rows\":[{\"name\":\"a\",\"deep\":{\"value\":0.5}},{\"name\":\"bb\",\"deep\":"
           "{\"value\":null}},{\"name\":\"<c>\",\"deep\":{\"value\":null}}],"
           "\"object\":{\"list\":[1,[]],\"child\":2},\"later\":3,\"between\":4,\"untold\":5}\n");
    prints(fill_tree, FACTS_PEOPLE, facts_text,
           "object           has one\n"
           "child            2\n"
           "\n"
           "A table:\n"
           "  name  value\n"
           "  a       0.5  <- first\n"
           "  bb        -\n"
           "... and 1 more\n"
           "\n"
           "between          4\n"
           "later            3\n");
    prints(fill_tree, FACTS_PEOPLE, facts_html,
           "<dl class=\"facts\">\n"
           "<dt>object</dt><dd>has one</dd>\n"
           "<dt>child</dt><dd>2</dd>\n"
           "</dl>\n"
           "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"A table:\"><table>"
           "<caption>A table:</caption>\n"
           "<thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"r\">value</th>"
           "<th scope=\"col\"></th></tr></thead>\n"
           "<tbody>\n"
           "<tr><th scope=\"row\">a</th><td class=\"r\">0.5</td><td>&lt;- first</td></tr>\n"
           "<tr><th scope=\"row\">bb</th><td class=\"r\">\xE2\x80\x93</td><td></td></tr>\n"
           "</tbody></table></div>\n"
           "<p>... and 1 more\n</p>\n"
           "<dl class=\"facts\">\n"
           "<dt>between</dt><dd>4</dd>\n"
           "<dt>later</dt><dd>3</dd>\n"
           "</dl>\n");
}

static void fill_hostile(struct facts *f)
{
    facts_string(f, "label", "label", "x\nack 9");
    facts_line(f, "a\x1b", "saved to %s", "a\nb\x9b \"c\\");
    facts_table(f, NULL, "");
    facts_row(f);
    facts_string(f, NULL, "na\nme", "\xe2\x80\xae");
    facts_string(f, NULL, "", "two words");
    facts_end(f);
    facts_end(f);
}

TEST(texts_of_the_input_stay_in_their_line)
{
    prints(fill_hostile, FACTS_PEOPLE, facts_text,
           "label            \"x\\nack 9\"\n"
           "a\\u001b               saved to a\\nb\\udc9b \"c\\\n"
           "\n"
           "\"na\\nme\"\n"
           "\"\\u202e\"  two words\n");
}

/* Words that grow piece by piece are as long as they get, and others stay as they are. */
TEST(what_is_said_has_any_length)
{
    enum { PIECES = 20000 };
    struct out *o = NULL;
    struct facts f;

    facts_init(&f, NULL, FACTS_PEOPLE);
    facts_string(&f, NULL, "first", "one");
    facts_line(&f, "long", "%s", "");
    for (int i = 0; i < PIECES; i++) facts_more(&f, "%05d,", i);
    facts_string(&f, NULL, "last", "two");
    assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
    facts_text(&f, o);
    const char *text = out_kept(o);
    assert_non_null(strstr(text, "first            one\nlong             00000,00001,"));
    assert_non_null(strstr(text, "19998,19999,\nlast             two\n"));
    assert_int_equal(strlen(text), 2 * 21 + 18 + 6 * PIECES);
    out_abort(o);
    facts_free(&f);
}

/* Each refused allocation fails the output, and nothing is leaked. */
TEST(memory_that_runs_out_fails_the_output)
{
    static printer *const forms[] = { facts_json, facts_text, facts_html };

    for (size_t k = 0; k < 3; k++)
        for (struct t_sweep s = { .least = 4 }; t_sweep_next(&s);) {
            struct out *o = NULL;
            struct facts f;
            perc_status st = out_open(&s.env, NULL, &o, NULL);

            facts_init(&f, &s.env, FACTS_ALL);
            for (int i = 0; i < 40; i++) fill_values(&f);
            fill_tree(&f);
            if (st == PERC_OK) forms[k](&f, o);
            facts_free(&f);
            if (st == PERC_OK) st = out_close(o, NULL);
            t_sweep_judge(&s, st);
        }
}

/* ----- words (show/word.h) and cells (show/out.h) ------------------------------------------ */

TEST(words_are_plain_or_quoted)
{
    static const struct {
        const char *s, *line, *field, *csv; /* NULL: as it is */
    } table[] = {
        { "1", NULL, NULL, NULL },
        { "gr\xc3\xbc\xc3\x9f", NULL, NULL, NULL },
        { "a\"b\\c", NULL, NULL, "\"a\"\"b\\c\"" },
        { "two words", NULL, "\"two words\"", NULL },
        { "a,b", NULL, NULL, "\"a,b\"" },
        { "", "\"\"", "\"\"", NULL },
        { " a", "\" a\"", "\" a\"", "\"\"\" a\"\"\"" },
        { "a ", "\"a \"", "\"a \"", "\"\"\"a \"\"\"" },
        { "\"a", "\"\\\"a\"", "\"\\\"a\"", "\"\"\"\\\"\"a\"\"\"" },
        { "a\nb", "\"a\\nb\"", "\"a\\nb\"", "\"\"\"a\\nb\"\"\"" },
        { "\x7f\xc2\x9b", "\"\\u007f\\u009b\"", "\"\\u007f\\u009b\"",
          "\"\"\"\\u007f\\u009b\"\"\"" },
        { "caf\xe9", "\"caf\\udce9\"", "\"caf\\udce9\"", "\"\"\"caf\\udce9\"\"\"" },
    };
    char buf[WORD_QUOTED];

    for (size_t i = 0; i < COUNT(table); i++) {
        const char *s = table[i].s, *line = table[i].line != NULL ? table[i].line : s;
        const char *field = table[i].field != NULL ? table[i].field : s;
        struct out *o;
        char want[256];
        assert_string_equal(word_quoted(buf, s, WORD_LINE), line);
        assert_string_equal(word_quoted(buf, s, WORD_FIELD), field);
        assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
        out_word(o, s, WORD_LINE);
        out_text(o, ",");
        out_word(o, s, WORD_FIELD);
        out_text(o, ",");
        out_csv(o, s);
        snprintf(want, sizeof want, "%s,%s,%s", line, field, table[i].csv ? table[i].csv : s);
        assert_string_equal(out_kept(o), want);
        out_abort(o);
    }
    assert_string_equal(word_quote(buf, 16, "\n\n\n\n\n\n\n\n\n"), "\"\\n\\n\\n\\n\\n…\"");
}
