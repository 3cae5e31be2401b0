/* test_html.c -- text of any bytes in a page: it is shown, and is never markup. */
#include "show/html.h"
#include "t.h"

#include <math.h>

static struct out *kept(void)
{
    struct out *o = NULL;

    assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
    return o;
}

static void shows(const char *text, const char *expected)
{
    struct out *o = kept();

    html_text(o, text);
    assert_string_equal(out_kept(o), expected);
    out_abort(o);
}

#define NONE "\xEF\xBF\xBD" /* U+FFFD */

TEST(signs_of_markup_are_escaped)
{
    shows("", "");
    shows("plain", "plain");
    shows("<a href=\"x\">'&'</a>", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
    shows("&lt;", "&amp;lt;");
    shows("tab\tline\n", "tab\tline\n");
}

/* RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF, nothing cut short. */
TEST(what_is_not_utf8_is_replaced)
{
    shows("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    shows("a\xFFz", "a" NONE "z");
    shows("\x80", NONE);
    shows("\xC0\xAF", NONE NONE);
    shows("\xE0\x80\xBC", NONE NONE NONE);
    shows("\xED\xA0\x80", NONE NONE NONE);
    shows("\xF4\x90\x80\x80", NONE NONE NONE NONE);
    shows("\xF5\x80\x80\x80", NONE NONE NONE NONE);
    shows("\xE2\x82", NONE NONE);
    shows("\xC3<", NONE "&lt;");
    shows("\x01\x1B[0m\x7F\xC2\x9F", NONE NONE "[0m" NONE NONE);
    shows("\xE2\x80\xAEgnp\xE2\x81\xA6", NONE "gnp" NONE);
}

TEST(put_escapes_what_is_put_in)
{
    struct out *o = kept();

    html_put(o, "<p class=\"x\">100%% of %s and %s</p>", "<b>", "%s");
    assert_string_equal(out_kept(o), "<p class=\"x\">100% of &lt;b&gt; and %s</p>");
    out_abort(o);
}

/* Nothing in a document can end the element or begin a comment; JSON reads it as before. */
TEST(json_cannot_leave_its_element)
{
    struct out *json = kept(), *o = kept();
    const char *text, *end;

    out_begin(json, '[');
    out_string(json, "</script><!--<script>&");
    out_string(json, "a\xE2\x80\xA8"
                     "b\xE2\x80\xA9\xE2\x82\xAC");
    out_end(json, ']');
    html_json(o, "data", out_kept(json));
    text = strchr(out_kept(o), '>') + 1;
    end = strstr(text, "</script>\n");
    assert_non_null(end);
    assert_string_equal(end, "</script>\n");
    for (const char *p = text; p < end; p++) assert_null(strchr("<>&", *p));
    assert_int_equal(strncmp(text,
                             "[\"\\u003c/script\\u003e\\u003c!--\\u003cscript\\u003e"
                             "\\u0026\",\"a\\u2028b\\u2029\xE2\x82\xAC\"]",
                             (size_t)(end - text)),
                     0);
    out_abort(json);
    out_abort(o);
}

TEST(tables_name_rows_and_columns)
{
    struct out *o = kept();
    struct html_table t;

    html_table(&t, o, "A \"b\"", "Lr");
    html_head(&t, "<x>");
    html_head(&t, "n");
    html_row(&t);
    html_cell(&t, "one");
    html_cell_count(&t, 1234);
    html_row(&t);
    html_cell(&t, "two");
    html_cell_num(&t, (double)NAN);
    html_table_end(&t);
    assert_string_equal(
        out_kept(o),
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"A &quot;b&quot;\">"
        "<table><caption>A &quot;b&quot;</caption>\n<thead><tr><th scope=\"col\">&lt;x&gt;</th>"
        "<th scope=\"col\" class=\"r\">n</th></tr></thead>\n<tbody>\n"
        "<tr><th scope=\"row\">one</th><td class=\"r\">1,234</td></tr>\n"
        "<tr><th scope=\"row\">two</th><td class=\"r\">\xE2\x80\x93</td></tr>\n"
        "</tbody></table></div>\n");
    out_abort(o);
}
