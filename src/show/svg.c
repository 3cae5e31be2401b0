/* svg.c -- pieces of SVG: numbers, texts, paths. */
#include "show/svg.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

/* ----- texts ---------------------------------------------------------------- */

uint32_t svg_char(const char **s)
{
    uint32_t code = 0;

    if (**s == '\0') return 0;
    const size_t n = utf8_decode(*s, SIZE_MAX, &code);
    *s += n > 0 ? n : 1;
    if (code == '\t' || code == '\n' || code == '\r') return ' ';
    if (n == 0 || utf8_is_control(code) || (code & 0xfffe) == 0xfffe) return 0xfffd;
    return code;
}

static void put_escape(struct out *o, uint32_t code, const char *from, const char *to)
{
    switch (code) {
    case '<': out_text(o, "&lt;"); break;
    case '>': out_text(o, "&gt;"); break;
    case '&': out_text(o, "&amp;"); break;
    case '"': out_text(o, "&quot;"); break;
    case '\'': out_text(o, "&#39;"); break;
    case ' ': out_text(o, " "); break; /* tabs end up here, too */
    case 0xfffd: out_text(o, UTF8_REPLACEMENT); break;
    default: out_bytes(o, from, (size_t)(to - from));
    }
}

void svg_escape(struct out *o, const char *s)
{
    const char *from = s;

    for (uint32_t c; (c = svg_char(&s)) != 0; from = s) put_escape(o, c, from, s);
}

/* For common sans-serif fonts. */
static double width_of(uint32_t c)
{
    if (c >= 0x1100) return c >= 0x2000 && c < 0x2e80 ? 0.7 : 1.0;
    if (c >= 0x80) return 0.64;
    if (strchr("iljtfI.,:;'|!()[] /", (int)c) != NULL) return 0.34;
    if (strchr("mwMW@%", (int)c) != NULL) return 0.92;
    return c >= 'A' && c <= 'Z' ? 0.69 : 0.57;
}

double svg_width(const char *s)
{
    double sum = 0;

    for (uint32_t c; (c = svg_char(&s)) != 0;) sum += width_of(c);
    return sum;
}

/* Escapes a text, cut to width `most`, with an ellipsis if it was cut. */
static void escape_cut(struct out *o, const char *s, double most)
{
    const char *from = s;
    double sum = 0;

    if (svg_width(s) <= most) {
        svg_escape(o, s);
        return;
    }
    for (uint32_t c; (c = svg_char(&s)) != 0; from = s) {
        sum += width_of(c);
        if (sum > most - 0.8) break;
        put_escape(o, c, from, s);
    }
    out_text(o, "…");
}

/* ----- numbers --------------------------------------------------------------- */

/* n / unit without redundant zeros: 12.5, -.25, 0. */
static void put_number(struct out *o, long n, int unit)
{
    char buf[32], *p = buf + sizeof buf;
    unsigned long v = n < 0 ? 0ul - (unsigned long)n : (unsigned long)n;
    bool point = false;

    for (int u = unit; u > 1; u /= 10, v /= 10) {
        if (v % 10 == 0 && !point) continue;
        *--p = (char)('0' + v % 10);
        point = true;
    }
    if (point) *--p = '.';
    if (v > 0 || !point) do
            *--p = (char)('0' + v % 10);
        while ((v /= 10) > 0);
    if (n < 0) *--p = '-';
    out_bytes(o, p, (size_t)(buf + sizeof buf - p));
}

/* Distant places are clamped to what any drawing program accepts. */
static long rounded(double v, int unit)
{
    if (!(v > -1e6)) return v < 0 ? -1000000l * unit : 0; /* NaN: 0 */
    return lround((v < 1e6 ? v : 1e6) * unit);
}

void svg_num(struct out *o, double v)
{
    put_number(o, rounded(v, 100), 100);
}

/* ----- elements -------------------------------------------------------------- */

static void attribute(struct out *o, const char *name, double v)
{
    out_fmt(o, " %s=\"", name);
    svg_num(o, v);
    out_text(o, "\"");
}

void svg_text(struct out *o, struct svg_text t, const char *s)
{
    out_fmt(o, "<text class=\"%s\"", t.class);
    attribute(o, "x", t.x);
    attribute(o, "y", t.y);
    if (t.anchor != 's') out_fmt(o, " text-anchor=\"%s\"", t.anchor == 'm' ? "middle" : "end");
    if (t.angle != 0) {
        out_fmt(o, " transform=\"rotate(%d ", t.angle);
        svg_num(o, t.x);
        out_text(o, " ");
        svg_num(o, t.y);
        out_text(o, ")\"");
    }
    out_text(o, ">");
    if (t.most > 0 && svg_width(s) > t.most) {
        out_text(o, "<title>");
        svg_escape(o, s);
        out_text(o, "</title>");
    }
    escape_cut(o, s, t.most > 0 ? t.most : 1e9);
    out_text(o, "</text>\n");
}

void svg_rule(struct out *o, const char *class, double x0, double y0, double x1, double y1)
{
    struct svg_pen p = { .o = o, .unit = 100 };

    out_fmt(o, "<path class=\"%s\" d=\"", class);
    svg_pen_move(&p, x0, y0);
    svg_pen_line(&p, x1, y1);
    out_text(o, "\"/>\n");
}

/* ----- paths ----------------------------------------------------------------- */

static void command(struct svg_pen *p, char letter, const long *v, int n)
{
    if (p->letter != letter) out_bytes(p->o, &letter, 1);
    for (int i = 0; i < n; i++) {
        if (v[i] >= 0 && (i > 0 || p->letter == letter)) out_text(p->o, " ");
        put_number(p->o, v[i], p->unit);
    }
    p->letter = letter;
}

void svg_pen_move(struct svg_pen *p, double x, double y)
{
    const long X = rounded(x, p->unit), Y = rounded(y, p->unit);
    const long at[2] = { p->down ? X - p->x : X, p->down ? Y - p->y : Y };

    p->letter = '\0'; /* numbers right after a move would be lines */
    command(p, p->down ? 'm' : 'M', at, 2);
    p->down = true;
    p->x = X;
    p->y = Y;
}

void svg_pen_line(struct svg_pen *p, double x, double y)
{
    const long X = rounded(x, p->unit), Y = rounded(y, p->unit);
    const long at[2] = { X - p->x, Y - p->y };

    if (at[1] == 0) command(p, 'h', at, 1);
    else if (at[0] == 0) command(p, 'v', at + 1, 1);
    else command(p, 'l', at, 2);
    p->x = X;
    p->y = Y;
}

void svg_pen_close(struct svg_pen *p, double x, double y)
{
    out_text(p->o, "z");
    p->letter = '\0';
    p->x = rounded(x, p->unit);
    p->y = rounded(y, p->unit);
}

/* The corners, in radii; the areas are about that of the disc. */
static const double corner[SVG_MARKS][13][2] = {
    [1] = { { -.9, -.9 }, { .9, -.9 }, { .9, .9 }, { -.9, .9 } },
    [2] = { { 0, -1.25 }, { 1.15, .8 }, { -1.15, .8 } },
    [3] = { { 0, -1.3 }, { 1.15, 0 }, { 0, 1.3 }, { -1.15, 0 } },
    [4] = { { 0, 1.25 }, { 1.15, -.8 }, { -1.15, -.8 } },
    [5] = { { -.4, -1.2 },
            { .4, -1.2 },
            { .4, -.4 },
            { 1.2, -.4 },
            { 1.2, .4 },
            { .4, .4 },
            { .4, 1.2 },
            { -.4, 1.2 },
            { -.4, .4 },
            { -1.2, .4 },
            { -1.2, -.4 },
            { -.4, -.4 } },
    [6] = { { 0, -.55 },
            { .6, -1.15 },
            { 1.15, -.6 },
            { .55, 0 },
            { 1.15, .6 },
            { .6, 1.15 },
            { 0, .55 },
            { -.6, 1.15 },
            { -1.15, .6 },
            { -.55, 0 },
            { -1.15, -.6 },
            { -.6, -1.15 } },
    [7] = { { -1.2, -1.05 }, { 1.2, 1.05 }, { 1.2, -1.05 }, { -1.2, 1.05 } },
};
static const int corners[SVG_MARKS] = { 0, 4, 3, 4, 3, 12, 12, 4 };

void svg_pen_mark(struct svg_pen *p, int kind, double x, double y, double r)
{
    if (kind == SVG_DOT) {
        svg_pen_move(p, x, y);
        out_text(p->o, "h0");
        return;
    }
    if (kind == 0) {
        /* A disc as two half circles. */
        const long R = rounded(r, p->unit);

        svg_pen_move(p, x - r, y);
        for (int half = 0; half < 2; half++) {
            out_text(p->o, "a");
            put_number(p->o, R, p->unit);
            out_text(p->o, " ");
            put_number(p->o, R, p->unit);
            out_text(p->o, half == 0 ? " 0 1 1 " : " 0 1 1-");
            put_number(p->o, 2 * R, p->unit);
            out_text(p->o, " 0");
        }
        p->letter = '\0';
        return;
    }
    for (int i = 0; i < corners[kind]; i++) {
        const double X = x + r * corner[kind][i][0], Y = y + r * corner[kind][i][1];
        if (i == 0) svg_pen_move(p, X, Y);
        else svg_pen_line(p, X, Y);
    }
    svg_pen_close(p, x + r * corner[kind][0][0], y + r * corner[kind][0][1]);
}
