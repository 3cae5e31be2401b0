/* chars.c -- texts and marks on a terminal; bars and cells as characters. */
#include "show/chars.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "show/svg.h"
#include "show/word.h"

/* ----- characters --------------------------------------------------------------- */

char chars_mark(int colour)
{
    if (colour < 0) return colour == FIGURE_INK ? '*' : colour == FIGURE_FAINT ? '.' : '!';
    return "o+x#@%&$"[colour % 8];
}

char chars_fill(int class)
{
    return ".:,~'\"`;"[class % 8];
}

int chars_ansi(int colour)
{
    static const int code[8] = { 34, 31, 32, 35, 33, 36, 90, 93 };

    if (colour >= 0) return code[colour % 8];
    return colour == FIGURE_INK ? 0 : colour == FIGURE_FAINT ? 90 : 91;
}

static void put_code(struct out *o, uint32_t c)
{
    char b[4];

    out_bytes(o, b, utf8_encode(c, b));
}

void chars_put(struct out *o, uint32_t code, int ansi)
{
    if (ansi != 0 && code != ' ') out_fmt(o, "\033[%dm", ansi);
    put_code(o, code);
    if (ansi != 0 && code != ' ') out_text(o, "\033[0m");
}

/* East Asian letters are wide; combining marks take no column. */
size_t chars_columns(uint32_t c)
{
    if (c >= 0x300 && c < 0x370) return 0;
    return (c >= 0x1100 && c < 0x1160) || (c >= 0x2e80 && c < 0xd7a4) ||
                   (c >= 0xf900 && c < 0xfb00) || (c >= 0xfe30 && c < 0xfe70) ||
                   (c >= 0xff00 && c < 0xff61) || (c >= 0x1f000 && c < 0x40000)
               ? 2
               : 1;
}

size_t chars_width(const char *s)
{
    size_t n = 0;

    for (uint32_t c; (c = svg_char(&s)) != 0;) n += chars_columns(c);
    return n;
}

size_t chars_text(struct out *o, const char *s, size_t most)
{
    const size_t width = chars_width(s), room = width <= most ? most : most - 1;
    size_t n = 0;

    for (uint32_t c; (c = svg_char(&s)) != 0; n += chars_columns(c)) {
        if (n + chars_columns(c) > room) break;
        put_code(o, c == 0xfffd ? '?' : c);
    }
    if (width <= most) return n;
    out_text(o, "~");
    return n + 1;
}

static void blanks(struct out *o, size_t n)
{
    out_fmt(o, "%*s", (int)n, "");
}

static void put_right(struct out *o, const char *s, size_t most)
{
    const size_t n = chars_width(s);

    if (n < most) blanks(o, most - n);
    chars_text(o, s, most);
}

static size_t widest_label(const struct figure_layer *l, size_t most)
{
    size_t w = 1;

    for (size_t i = 0; i < l->n; i++) {
        const size_t n = chars_width(l->text[i]);
        if (n > w) w = n;
    }
    return w < most ? w : most;
}

/* ----- bars ---------------------------------------------------------------------- */

static void repeat(struct out *o, char mark, size_t n, int ansi)
{
    if (ansi != 0 && n > 0) out_fmt(o, "\033[%dm", ansi);
    for (size_t i = 0; i < n; i++) out_bytes(o, &mark, 1);
    if (ansi != 0 && n > 0) out_text(o, "\033[0m");
}

/* The width of the longest number, and a blank. */
static size_t widest_number(const struct figure_layer *l)
{
    char buf[WORD];
    size_t most = 1;

    for (size_t i = 0; i < l->n; i++) {
        const size_t n = strlen(word_grouped(buf, l->x[i]));
        if (n > most) most = n;
    }
    return most + 1;
}

/* Leaves room for numbers at both ends; zero is where the scale has it. */
static void bars(const struct figure_layer *l, const struct scale *s, struct out *o, int columns,
                 bool colour)
{
    const bool below = s->from < 0;
    const size_t all = (size_t)columns, label = widest_label(l, all / (all < 60 ? 5 : 3));
    const size_t number = widest_number(l), fixed = label + 2 + number + (below ? number : 0);
    const size_t wide = all > fixed + 2 ? all - fixed : 2;
    const size_t zero = (size_t)(fmin(fmax(ticks_fraction(s, 0), 0), 1) * (double)wide);
    char buf[WORD];

    for (size_t i = 0; i < l->n; i++) {
        const double share = ticks_fraction(s, l->x[i]);
        const int ansi = colour ? chars_ansi(l->class != NULL ? l->class[i] : 0) : 0;
        const double part = fmin(fmax(share, 0), 1) * (double)wide; /* NaN: 0 */
        const size_t end = (size_t)(part + 0.5);
        const size_t left = l->x[i] < 0 && end < zero ? zero - end : 0;
        const size_t over = l->x[i] > 0 && end > zero ? end - zero : 0;

        put_right(o, l->text[i], label);
        out_text(o, " ");
        word_grouped(buf, l->x[i]);
        if (below && l->x[i] < 0) out_fmt(o, "%*s ", (int)(number - 1 + zero - left), buf);
        else blanks(o, (below ? number : 0) + zero);
        repeat(o, '=', left, ansi);
        out_text(o, "|");
        repeat(o, '=', over, ansi);
        if (!(l->x[i] < 0)) out_fmt(o, " %s", buf);
        out_text(o, "\n");
    }
}

/* ----- cells ----------------------------------------------------------------------- */

static void cells(const struct figure_layer *l, struct out *o, int columns, bool colour)
{
    const size_t all = (size_t)columns, rows = widest_label(l, all / 4);
    size_t width = widest_label(l, 12) + 2;
    char buf[WORD];

    for (size_t i = 0; i < l->n * l->n; i++) {
        const size_t n = strlen(word_count(buf, l->count[i])) + 2;
        if (n > width) width = n;
    }
    while (width > 4 && rows + 1 + l->n * width > all && widest_label(l, width - 3) < width - 2)
        width--;
    if (rows + 1 + l->n * width > all) width = 1;
    const size_t shown = rows + 1 + l->n > all ? all - rows - 1 : l->n; /* the rest is cut off */

    blanks(o, rows + 1);
    chars_text(o, l->columns_are, all - rows - 1);
    out_text(o, "\n");
    if (width > 1 && l->n > 0) {
        blanks(o, rows + 1);
        for (size_t j = 0; j < l->n; j++) {
            out_text(o, "  ");
            put_right(o, l->text[j], width - 2);
        }
        out_text(o, "\n");
    }
    for (size_t i = 0; i < l->n && shown == l->n; i++) {
        put_right(o, l->text[i], rows);
        out_text(o, width > 1 ? " " : "|");
        /* Counts where they fit; otherwise one character per cell, darker for a larger share of its
         * row. */
        double sum = 0;
        size_t last = l->n;
        for (size_t j = 0; j < l->n; j++) sum += (double)l->count[i * l->n + j];
        while (width == 1 && last > 0 && l->count[i * l->n + last - 1] == 0) last--;
        for (size_t j = 0; j < last; j++) {
            const uint64_t count = l->count[i * l->n + j];
            const int ansi = colour && count > 0 ? chars_ansi(i == j ? 0 : 1) : 0;
            const char *sign = " .:-=+*#%@";
            if (width == 1) {
                const int k = count == 0 ? 0 : 1 + (int)(8 * sqrt((double)count / sum));
                chars_put(o, (uint32_t)sign[k], ansi);
                continue;
            }
            word_count(buf, count);
            out_fmt(o, ansi != 0 ? "\033[%dm%*s\033[0m" : "%.0d%*s", ansi, (int)width, buf);
        }
        out_text(o, "\n");
    }
    if (shown < l->n) out_fmt(o, "%zu labels: too many to show\n", l->n);
    out_text(o, "(rows: ");
    chars_text(o, l->rows_are, all - 8);
    out_text(o, ")\n");
}

void chars_table(const struct figure *f, struct out *o, int columns, bool colour)
{
    const struct figure_layer *l = figure_table(f);
    const struct scale s = figure_scale(f, FIGURE_X);

    if (l->kind == LAYER_CELLS) cells(l, o, columns, colour);
    else bars(l, &s, o, columns, colour);
}
