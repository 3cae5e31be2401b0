/* figure_svg_table.c -- figures that are one table, as SVG: bars with names, and counts in
 * cells. */
#include <math.h>
#include <stdio.h>

#include "show/figure_svg.h"
#include "show/svg.h"
#include "show/word.h"

static double widest_label(const struct figure_layer *l)
{
    double most = 0;

    for (size_t i = 0; i < l->n; i++) most = fmax(most, svg_width(l->text[i]));
    return most * SVG_LETTER;
}

static void rect(struct out *o, const char *class, double x, double y, double w, double h)
{
    struct svg_pen pen = { .o = o, .unit = 100 };

    out_fmt(o, "<path class=\"%s\" d=\"", class);
    svg_pen_move(&pen, x, y);
    svg_pen_line(&pen, x + w, y);
    svg_pen_line(&pen, x + w, y + h);
    svg_pen_line(&pen, x, y + h);
    out_text(o, "z\"");
}

/* ----- bars ------------------------------------------------------------------ */

enum { BAR = 22 };

static void draw_bar(struct out *o, const struct figure_layer *l, size_t i, const double x[2],
                     double y)
{
    char buf[SVG_CLASS], class[24], number[WORD];
    const double low = fmin(x[0], x[1]), wide = fmax(fabs(x[1] - x[0]), 0.5);
    const bool below = x[1] < x[0];

    snprintf(class, sizeof class, "%s f-bar",
             figure_colour(l->class != NULL ? l->class[i] : 0, buf));
    rect(o, class, low, y + 3, wide, BAR - 7);
    out_text(o, "><title>");
    svg_escape(o, l->text[i]);
    out_fmt(o, ": %s</title></path>\n", word_grouped(number, l->x[i]));
    svg_text(o,
             (struct svg_text){ below ? low - 5 : low + wide + 5, y + 15, "f-text f-small",
                                below ? 'e' : 's', 0, 0 },
             word_grouped(number, l->x[i]));
}

void figure_svg_bars(const struct figure *f, struct out *o, enum figure_place place)
{
    const struct figure_layer *l = figure_table(f);
    const double top = figure_top(f, place), high = (double)l->n * BAR;
    const double wide = figure_wide(place), most = 0.37 * wide;
    const double names = fmin(widest_label(l), most), left = names + 26, room = 52;
    struct scale s = figure_scale(f, FIGURE_X);
    const bool below = s.from < 0;
    const double x0 = left + (below ? room : 0), x1 = wide - 16 - (s.to > 0 ? room : 0);
    const double zero = x0 + (x1 - x0) * fmin(fmax(ticks_fraction(&s, 0), 0), 1);
    const char *name = f->axis[FIGURE_X].name;

    figure_open(f, o, place, wide, top + high + (name != NULL ? 34 : 12));
    for (size_t i = 0; i < l->n; i++) {
        const double y = top + (double)i * BAR, share = ticks_fraction(&s, l->x[i]);
        svg_text(o, (struct svg_text){ left - 10, y + 15, "f-text", 'e', 0, most / SVG_LETTER },
                 l->text[i]);
        const double x[2] = { zero, x0 + (x1 - x0) * fmin(fmax(share, 0), 1) };
        if (isfinite(share)) draw_bar(o, l, i, x, y);
    }
    svg_rule(o, "f-frame", zero, top, zero, top + high);
    if (name != NULL)
        svg_text(o, (struct svg_text){ (x0 + x1) / 2, top + high + 22, "f-name", 'm', 0, 30 },
                 name);
    out_text(o, "</svg>\n");
}

/* ----- cells ------------------------------------------------------------------ */

struct cells {
    struct out *o;
    const struct figure_layer *l;
    double left, top, side; /* of the first cell */
    double high;            /* of a cell */
    bool numbers, upright;
};

static void draw_cell(const struct cells *c, size_t row, size_t column, double sum)
{
    const uint64_t count = c->l->count[row * c->l->n + column];
    const double share = sum > 0 ? (double)count / sum : 0;
    const double opacity = 0.05 + 0.85 * sqrt(share); /* so that small shares show, too */
    const double x = c->left + (double)column * c->side, y = c->top + (double)row * c->high;
    char word[WORD], percent[WORD];

    if (count == 0 && !c->numbers) return;
    rect(c->o, row == column ? "f-c0" : "f-c1", x + 1, y + 1, c->side - 2, c->high - 2);
    out_fmt(c->o, " fill=\"currentColor\" fill-opacity=\"%.2f\"><title>", opacity);
    svg_escape(c->o, c->l->text[row]);
    out_text(c->o, " → ");
    svg_escape(c->o, c->l->text[column]);
    out_fmt(c->o, ": %s (%s)</title></path>\n", word_count(word, count),
            word_percent(percent, share));
    if (!c->numbers) return;
    const char *class = opacity > 0.6 ? "f-over" : "f-text";
    char small[24];
    snprintf(small, sizeof small, "%s%s", class, c->side < 44 ? " f-small" : "");
    svg_text(c->o, (struct svg_text){ x + c->side / 2, y + c->high / 2 + 4.5, small, 'm', 0, 0 },
             word);
}

void figure_svg_cells(const struct figure *f, struct out *o, enum figure_place place)
{
    const struct figure_layer *l = figure_table(f);
    const double n = fmax((double)l->n, 1), label = widest_label(l), names = fmin(label, 120);
    const double wide = figure_wide(place);
    struct cells c = { .o = o, .l = l, .left = names + 40 };

    c.side = fmin((wide - 16 - c.left) / n, 110);
    c.high = fmin(c.side, 56);
    c.numbers = c.side >= 24;
    c.upright = label > c.side - 4;
    c.top = figure_top(f, place) + 18 + (c.upright ? fmin(label, 104) + 8 : 18);
    figure_open(f, o, place, wide, c.top + n * c.high + 14);
    for (size_t i = 0; i < l->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < l->n; j++) sum += (double)l->count[i * l->n + j];
        for (size_t j = 0; j < l->n; j++) draw_cell(&c, i, j, sum);
    }
    if (c.side >= 12) {
        const double letters = c.upright ? 8 : fmax((c.side - 4) / SVG_LETTER, 1);

        for (size_t i = 0; i < c.l->n; i++) {
            const double middle = c.left + ((double)i + 0.5) * c.side;
            svg_text(c.o,
                     (struct svg_text){ c.upright ? middle + 4.5 : middle, c.top - 7, "f-text",
                                        c.upright ? 's' : 'm', c.upright ? -90 : 0, letters },
                     l->text[i]);
            svg_text(c.o,
                     (struct svg_text){ c.left - 8, c.top + ((double)i + 0.5) * c.high + 4.5,
                                        "f-text", 'e', 0, 120 / SVG_LETTER },
                     l->text[i]);
        }
    }
    svg_text(o,
             (struct svg_text){ c.left + n * c.side / 2, figure_top(f, place) + 8, "f-name", 'm', 0,
                                40 },
             l->columns_are);
    svg_text(o, (struct svg_text){ 18, c.top + n * c.high / 2, "f-name", 'm', -90, 40 },
             l->rows_are);
    out_text(o, "</svg>\n");
}
