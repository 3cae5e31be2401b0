/* html.c -- see html.h.
 *
 * The style and the program of a page are files of their own, report.css and report.js, which
 * the build turns into arrays (scripts/embed) together with their SHA-256: the page's
 * Content-Security-Policy allows just these two texts. Should an escape ever be forgotten, a
 * browser still would not run what slipped through. */
#include "show/html.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "show/word.h"
#include <report_files.h> /* made by scripts/embed */

/* ----- text ------------------------------------------------------------------ */

/* Control characters are not allowed in HTML, except for white space. */
static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

/* Runs of plain characters go out in one piece. */
void html_text(struct out *o, const char *text)
{
    const char *s = text, *run = s;
    uint32_t code;

    while (*s != '\0') {
        const size_t n = utf8_decode(s, SIZE_MAX, &code);
        const bool blank = *s == '\t' || *s == '\n' || *s == '\r';
        const char *other = n == 0 || (utf8_is_control(code) && !blank) ? UTF8_REPLACEMENT
                                                                        : entity(*s);

        if (other != NULL) {
            out_bytes(o, run, (size_t)(s - run));
            out_text(o, other);
            run = s + (n > 0 ? n : 1);
        }
        s += n > 0 ? n : 1;
    }
    out_bytes(o, run, (size_t)(s - run));
}

void html_put(struct out *o, const char *markup, ...)
{
    const char *run = markup;
    va_list ap;

    va_start(ap, markup);
    for (const char *p = markup; (p = strchr(p, '%')) != NULL; p += 2, run = p) {
        out_bytes(o, run, (size_t)(p - run));
        assert(p[1] == 's' || p[1] == '%');
        if (p[1] == 's') html_text(o, va_arg(ap, const char *));
        else out_text(o, "%");
    }
    va_end(ap);
    out_text(o, run);
}

/* In JSON these characters occur only in strings, where each can be escaped: so the HTML parser
 * never sees "</script" or "<!--", nor line separators that JSON does not count as such. */
void html_json(struct out *o, const char *id, const char *json)
{
    const char *run = json;

    html_put(o, "<script type=\"application/json\" id=\"%s\">", id);
    for (const char *p = json; *p != '\0'; p++) {
        const char *other = *p == '<'                            ? "\\u003c"
                            : *p == '>'                          ? "\\u003e"
                            : *p == '&'                          ? "\\u0026"
                            : strncmp(p, "\xE2\x80\xA8", 3) == 0 ? "\\u2028"
                            : strncmp(p, "\xE2\x80\xA9", 3) == 0 ? "\\u2029"
                                                                 : NULL;

        if (other == NULL) continue;
        out_bytes(o, run, (size_t)(p - run));
        out_text(o, other);
        p += *p == '\xE2' ? 2 : 0;
        run = p + 1;
    }
    out_text(o, run);
    out_text(o, "</script>\n");
}

/* ----- tables ---------------------------------------------------------------- */

/* The box can be focused and scrolled with the keyboard. */
void html_table(struct html_table *t, struct out *o, const char *caption, const char *align)
{
    *t = (struct html_table){ .o = o, .align = align };
    html_put(o,
             "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table>"
             "<caption>%s</caption>\n<thead><tr>",
             caption, caption);
}

static char letter(struct html_table *t)
{
    const char c = t->align[t->column];

    t->column += c != '\0';
    return c;
}

void html_head(struct html_table *t, const char *text)
{
    const char c = letter(t);

    html_put(t->o,
             c == 'r' || c == 'R' ? "<th scope=\"col\" class=\"r\">%s</th>"
                                  : "<th scope=\"col\">%s</th>",
             text);
}

void html_heads(struct html_table *t, const char *const *text)
{
    for (; *text != NULL; text++) html_head(t, *text);
}

void html_row(struct html_table *t)
{
    out_text(t->o, t->body ? "</tr>\n<tr>" : "</tr></thead>\n<tbody>\n<tr>");
    t->body = true;
    t->column = 0;
}

void html_cell(struct html_table *t, const char *text)
{
    switch (letter(t)) {
    case 'L': html_put(t->o, "<th scope=\"row\">%s</th>", text); break;
    case 'R': html_put(t->o, "<th scope=\"row\" class=\"r\">%s</th>", text); break;
    case 'r': html_put(t->o, "<td class=\"r\">%s</td>", text); break;
    default: html_put(t->o, "<td>%s</td>", text);
    }
}

void html_cell_count(struct html_table *t, uint64_t n)
{
    char buf[WORD];

    html_cell(t, word_count(buf, n));
}

void html_cell_num(struct html_table *t, double v)
{
    char buf[WORD];

    html_cell(t, isfinite(v) ? word_num(buf, v) : "\xE2\x80\x93");
}

void html_table_end(struct html_table *t)
{
    out_text(t->o, t->body ? "</tr>\n</tbody></table></div>\n" : "</tr></thead></table></div>\n");
}

/* ----- the page -------------------------------------------------------------- */

void html_begin(struct out *o, const char *title, const char *description)
{
    out_text(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src '" REPORT_CSS_SHA256 "'; script-src '" REPORT_JS_SHA256 "'; "
                "base-uri 'none'; form-action 'none'\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta name=\"referrer\" content=\"no-referrer\">\n");
    html_put(o, "<meta name=\"description\" content=\"%s\">\n<title>%s</title>\n<style>",
             description, title);
    out_bytes(o, (const char *)report_css, sizeof report_css);
    out_text(o, "</style>\n</head>\n<body>\n");
}

void html_end(struct out *o)
{
    out_text(o, "<script>");
    out_bytes(o, (const char *)report_js, sizeof report_js);
    out_text(o, "</script>\n</body>\n</html>\n");
}
