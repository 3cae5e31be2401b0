/* figure_svg.c -- a figure as SVG.
 *
 * The picture is figure_wide units wide and as high as it needs to be; the page or the window gives
 * it its size. Everything has a class for its colour and one for its part (figure_css has them
 * all): a file brings the rules along, a page has them once.
 *
 * Nothing relies on clipping: curves, areas and lines are cut to the picture before they are
 * written, and points outside are left out, so no number in the file is beyond it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/figure_parts.h"
#include "show/figure_svg.h"
#include "show/svg.h"
#include <palette.h> /* made by scripts/palette */

/* ----- colours ----------------------------------------------------------------- */

static void put_palette(struct out *o, const struct palette *p)
{
    for (size_t i = 0; i < sizeof p->class / sizeof *p->class; i++)
        out_fmt(o, ".f-c%zu{color:%s}", i, p->class[i]);
    out_fmt(o, ".f-ink{color:%s}.f-faint{color:%s}.f-alert{color:%s}", p->ink, p->faint, p->alert);
    out_fmt(o, ".f-grid{stroke:%s}.f-frame{stroke:%s}", p->grid, p->faint);
    out_fmt(o, ".f-text,.f-name,.f-title,.f-word{fill:%s}", p->caption);
    out_fmt(o, ".f-bg{fill:%s}.f-over{fill:%s}.f-mark,.f-word{stroke:%s}\n", p->ground, p->ground,
            p->ground);
}

void figure_css(struct out *o)
{
    out_text(o, ".f{font-family:system-ui,sans-serif;font-size:13px}"
                ".f-title{font-size:15px;font-weight:600}.f-name{font-size:13px}"
                ".f-small{font-size:11px}"
                ".f-line{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linejoin:round;"
                "stroke-linecap:round}"
                ".f-dash{stroke-dasharray:7 5}.f-dot{stroke-dasharray:.1 5}"
                ".f-mark{fill:currentColor;stroke-width:.7}"
                ".f-spot{fill:currentColor;fill-opacity:.75}"
                ".f-dots{fill:none;stroke:currentColor;stroke-linecap:round;stroke-opacity:.75}"
                ".f-ring{fill:none;stroke:currentColor;stroke-width:1.8}"
                ".f-tint{fill:currentColor;fill-opacity:.16}"
                ".f-area{fill:currentColor;fill-opacity:.14;stroke:currentColor;"
                "stroke-width:1.3;stroke-linejoin:round}"
                ".f-drop{stroke-opacity:.45}.f-plane{fill-opacity:.2}"
                ".f-bar{fill:currentColor;fill-opacity:.75}"
                ".f-grid,.f-frame{fill:none;stroke-width:1}"
                ".f-word{stroke-width:3.5;stroke-linejoin:round;paint-order:stroke}\n");
    put_palette(o, &palette_light);
    out_text(o, "@media(prefers-color-scheme:dark){");
    put_palette(o, &palette_dark);
    out_text(o, "}\n@media print{");
    put_palette(o, &palette_light);
    out_text(o, "}\n");
}

const char *figure_colour(int colour, char buf[SVG_CLASS])
{
    if (colour < 0)
        return colour == FIGURE_INK ? "f-ink" : colour == FIGURE_FAINT ? "f-faint" : "f-alert";
    memcpy(buf, "f-c0", 5);
    buf[3] = (char)('0' + colour % 8);
    return buf;
}

/* Beyond eight classes the colours repeat, with the marks shifted by one. */
int figure_mark(int colour)
{
    return colour < 0 ? 0 : (colour + colour / 8) % SVG_MARKS;
}

void figure_path(struct out *o, int colour, const char *part, enum figure_look look)
{
    const char *dash = look == FIGURE_DASHED ? " f-dash" : look == FIGURE_DOTTED ? " f-dot" : "";
    char buf[SVG_CLASS];

    out_fmt(o, "<path class=\"%s %s%s\" d=\"", figure_colour(colour, buf), part, dash);
}

/* The page's rules have one width for all lines, and its policy forbids inline styles. */
void figure_svg_curve(struct out *o, const struct figure_layer *l)
{
    char buf[SVG_CLASS];

    if (l->broad == 0 || l->broad == 1) {
        figure_path(o, l->colour, "f-line", l->look);
        return;
    }
    out_fmt(o,
            "<path class=\"%s\" fill=\"none\" stroke=\"currentColor\" stroke-linejoin=\"round\""
            " stroke-width=\"",
            figure_colour(l->colour, buf));
    svg_num(o, 1.8 * fmin(l->broad, 10));
    out_text(o, l->look == FIGURE_DASHED ? "\" stroke-dasharray=\"7 5\" d=\"" : "\" d=\"");
}

/* ----- the whole ---------------------------------------------------------------- */

/* Where the first line of the title ends: at its end, or at a blank before it gets too long. */
#define FILE_WIDE  600.0
#define TITLE_LINE ((FILE_WIDE - 28) / 16.5) /* bold letters of size 15, estimated wide */

double figure_wide(enum figure_place place)
{
    return place == FIGURE_FILE ? FILE_WIDE : 440;
}

static size_t title_break(const char *title)
{
    char line[256];
    size_t end = 0;

    if (svg_width(title) <= TITLE_LINE) return strlen(title);
    for (size_t i = 1; title[i] != '\0' && i < sizeof line; i++) {
        if (title[i] != ' ') continue;
        snprintf(line, sizeof line, "%.*s", (int)i, title);
        if (svg_width(line) > TITLE_LINE) break;
        end = i;
    }
    return end > 0 ? end : strlen(title); /* one long word is cut */
}

double figure_top(const struct figure *f, enum figure_place place)
{
    return place != FIGURE_FILE ? 14 : f->title[title_break(f->title)] == '\0' ? 44 : 64;
}

void figure_open(const struct figure *f, struct out *o, enum figure_place place, double w, double h)
{
    out_fmt(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"%s\" class=\"f\" viewBox=\"0 0 ",
            f->id);
    svg_num(o, w);
    out_text(o, " ");
    svg_num(o, h);
    out_fmt(o, "\" role=\"img\" aria-labelledby=\"%s-title %s-desc\">\n<title id=\"%s-title\">",
            f->id, f->id, f->id);
    svg_escape(o, f->title);
    out_fmt(o, "</title>\n<desc id=\"%s-desc\">", f->id);
    svg_escape(o, figure_about_text(f));
    out_text(o, "</desc>\n");
    if (place != FIGURE_FILE) return;
    out_text(o, "<style>\n");
    figure_css(o);
    out_text(o, "</style>\n<rect class=\"f-bg\" width=\"");
    svg_num(o, w);
    out_text(o, "\" height=\"");
    svg_num(o, h);
    out_text(o, "\"/>\n");
    char line[256];
    const size_t end = title_break(f->title);
    const bool whole = f->title[end] == '\0';
    snprintf(line, sizeof line, "%.*s", (int)end, f->title);
    svg_text(o, (struct svg_text){ 14, 26, "f-title", 's', 0, TITLE_LINE },
             whole ? f->title : line);
    if (!whole)
        svg_text(o, (struct svg_text){ 14, 46, "f-title", 's', 0, TITLE_LINE }, f->title + end + 1);
}

/* ----- where things are ---------------------------------------------------------- */

double figure_x(const struct svg_plan *p, double u)
{
    return p->left + u * p->wide;
}

double figure_y(const struct svg_plan *p, double v)
{
    return p->top + (1 - v) * p->high;
}

static double widest_tick(const struct ticks *t)
{
    char buf[TICK_TEXT];
    double most = 0;

    for (size_t i = 0; i < t->n; i++) most = fmax(most, svg_width(ticks_text(buf, t, i, true)));
    return most * SVG_LETTER;
}

/* Names are cut so that an entry is never wider than the picture. */
static double entry_width(const struct svg_plan *p, const struct figure_layer *l)
{
    return fmin(svg_width(l->name) * SVG_LETTER * 1.04, p->all - 120) + 44;
}

static void draw_entry(const struct svg_plan *p, const struct figure_layer *l, double x, double y)
{
    struct svg_pen pen = { .o = p->o, .unit = 100 };
    char buf[SVG_CLASS];

    switch (l->kind) {
    case LAYER_POINTS:
    case LAYER_RINGS:
        out_fmt(p->o, "<path class=\"%s %s\" d=\"", figure_colour(l->colour, buf),
                l->kind == LAYER_POINTS ? "f-mark" : "f-ring");
        svg_pen_mark(&pen, l->kind == LAYER_POINTS ? figure_mark(l->colour) : 0, x + 12, y - 4.5,
                     l->kind == LAYER_POINTS ? 4.5 : 6);
        break;
    case LAYER_CURVE:
    case LAYER_LINE:
        figure_svg_curve(p->o, l);
        svg_pen_move(&pen, x, y - 4.5);
        svg_pen_line(&pen, x + 24, y - 4.5);
        break;
    default:
        figure_path(p->o, l->colour, l->kind == LAYER_AREA ? "f-area" : "f-bar", FIGURE_SOLID);
        svg_pen_move(&pen, x + 4, y - 11);
        svg_pen_line(&pen, x + 20, y - 11);
        svg_pen_line(&pen, x + 20, y + 1);
        svg_pen_line(&pen, x + 4, y + 1);
        out_text(p->o, "z");
    }
    out_text(p->o, "\"/>\n");
    svg_text(p->o, (struct svg_text){ x + 30, y, "f-text", 's', 0, (p->all - 120) / SVG_LETTER },
             l->name);
}

/* The number of rows in the legend; draws it if `draw`. */
static int legend(const struct svg_plan *p, bool draw)
{
    double x = p->left;
    int rows = 0;

    for (size_t i = 0; i < p->f->layers; i++) {
        const struct figure_layer *l = &p->f->layer[i];
        if (!figure_in_legend(p->f, i)) continue;
        if (rows == 0) rows = 1;
        if (x > p->left && x + entry_width(p, l) > p->all) {
            rows++;
            x = p->left;
        }
        if (draw) draw_entry(p, l, x, p->legend + 20 * rows - 6);
        x += entry_width(p, l);
    }
    return rows;
}

/* The picture takes the shape of its scales, tall or wide, within reason; beyond that, one of them
 * shows more than was asked for. */
static void make_square(struct svg_plan *p)
{
    const double ratio = (p->y.to / 2 - p->y.from / 2) / (p->x.to / 2 - p->x.from / 2);
    const double wide = p->wide;

    if (p->x.log || p->y.log) return;
    const double most = 0.7 * p->all;
    p->high = wide * fmax(ratio, 0.4);
    if (p->high > most) {
        p->high = most;
        p->wide = fmin(fmax(p->high / ratio, 0.4 * p->all), wide);
    }
    p->left += (wide - p->wide) / 2;
    figure_even(&p->x, &p->y, p->wide, p->high);
    ticks_make(&p->ty, &p->y, (int)(p->high / 48));
}

static struct svg_plan make_plan(const struct figure *f, struct out *o, enum figure_place place)
{
    struct svg_plan p = { .o = o, .f = f, .all = figure_wide(place) };
    const double name_y = f->axis[FIGURE_Y].name != NULL ? 24 : 4;
    const double below = f->bare ? 6 : f->axis[FIGURE_X].name != NULL ? 44 : 26;

    p.high = place == FIGURE_FILE ? 300 : 250;
    p.x = figure_scale(f, FIGURE_X);
    p.y = figure_scale(f, FIGURE_Y);
    for (size_t i = 0; i < p.f->layers; i++) {
        const struct figure_layer *l = &p.f->layer[i];
        if (l->kind == LAYER_POINTS) p.points += l->n;
        if (l->kind == LAYER_POINTS && l->hint != NULL) p.hints += l->n;
    }
    ticks_make(&p.ty, &p.y, (int)(p.high / 48));
    p.left = f->bare ? 4 : name_y + widest_tick(&p.ty) + 12;
    p.wide = p.all - (f->bare ? 4 : 20) - p.left;
    if (f->square) make_square(&p);
    int want = 8;
    do ticks_make(&p.tx, &p.x, want--);
    while (want > 1 && (double)p.tx.n * (widest_tick(&p.tx) + 14) > p.wide);
    p.top = figure_top(f, place);
    p.legend = p.top + p.high + below;
    p.height = p.legend + 20 * legend(&p, false) + 8;
    return p;
}

/* ----- axes ------------------------------------------------------------------------ */

static void tick(const struct svg_plan *p, double x, double y, char anchor, const char *text)
{
    svg_text(p->o, (struct svg_text){ x, y, "f-text", anchor, 0, 0 }, text);
}

static void draw_axes(const struct svg_plan *p)
{
    char buf[TICK_TEXT];
    const double bottom = figure_y(p, 0), right = figure_x(p, 1);
    struct svg_pen pen = { .o = p->o, .unit = 100 };

    out_text(p->o, "<path class=\"f-grid\" d=\"");
    for (size_t i = 0; i < p->tx.n; i++) {
        const double x = figure_x(p, ticks_fraction(&p->x, p->tx.at[i].value));
        svg_pen_move(&pen, x, p->top);
        svg_pen_line(&pen, x, bottom + 5);
    }
    for (size_t i = 0; i < p->ty.n; i++) {
        const double y = figure_y(p, ticks_fraction(&p->y, p->ty.at[i].value));
        svg_pen_move(&pen, p->left - 5, y);
        svg_pen_line(&pen, right, y);
    }
    out_text(p->o, "\"/>\n");
    out_text(p->o, "<path class=\"f-frame\" d=\"");
    pen = (struct svg_pen){ .o = p->o, .unit = 100 };
    svg_pen_move(&pen, p->left, p->top);
    svg_pen_line(&pen, p->left, bottom);
    svg_pen_line(&pen, right, bottom);
    out_text(p->o, "\"/>\n");
    for (size_t i = 0; i < p->tx.n; i++)
        tick(p, figure_x(p, ticks_fraction(&p->x, p->tx.at[i].value)), bottom + 19, 'm',
             ticks_text(buf, &p->tx, i, true));
    for (size_t i = 0; i < p->ty.n; i++)
        tick(p, p->left - 8, figure_y(p, ticks_fraction(&p->y, p->ty.at[i].value)) + 4.5, 'e',
             ticks_text(buf, &p->ty, i, true));
    if (p->f->axis[FIGURE_X].name != NULL)
        svg_text(p->o,
                 (struct svg_text){ p->left + p->wide / 2, bottom + 38, "f-name", 'm', 0,
                                    p->wide / SVG_LETTER },
                 p->f->axis[FIGURE_X].name);
    if (p->f->axis[FIGURE_Y].name != NULL)
        svg_text(p->o,
                 (struct svg_text){ p->left - widest_tick(&p->ty) - 18, p->top + p->high / 2,
                                    "f-name", 'm', -90, p->high / SVG_LETTER },
                 p->f->axis[FIGURE_Y].name);
}

/* ----- all of it -------------------------------------------------------------------------- */

/* Regions lie below the grid; words and texts above everything. */
static void draw_axes_figure(const struct figure *f, struct out *o, enum figure_place place)
{
    const struct svg_plan p = make_plan(f, o, place);

    figure_open(f, o, place, p.all, p.height);
    for (size_t i = 0; i < f->layers; i++)
        if (f->layer[i].kind == LAYER_REGIONS) figure_layer(&p, &f->layer[i]);
    if (!f->bare) draw_axes(&p);
    for (size_t i = 0; i < f->layers; i++)
        if (f->layer[i].kind != LAYER_REGIONS) figure_layer(&p, &f->layer[i]);
    for (size_t i = 0; i < f->layers; i++) figure_layer_texts(&p, &f->layer[i]);
    legend(&p, true);
    out_text(o, "</svg>\n");
}

void figure_svg(const struct figure *f, struct out *o, enum figure_place place)
{
    if (!figure_ready(f)) {
        out_fail_memory(o);
        return;
    }
    const struct figure_layer *table = figure_table(f);
    if (f->space != NULL) figure_space_svg(f, o, place);
    else if (table == NULL) draw_axes_figure(f, o, place);
    else if (table->kind == LAYER_BARS) figure_svg_bars(f, o, place);
    else figure_svg_cells(f, o, place);
}
