/* figure_svg.h -- what the two halves of the SVG form share. For figure_svg*.c alone. */
#ifndef PERC_SHOW_FIGURE_SVG_H
#define PERC_SHOW_FIGURE_SVG_H

#include "show/figure_parts.h"

/* The width of a picture: a file is viewed by itself, while pictures in a page stand in pairs and
 * on narrow screens, and letters shrink with the picture. */
double figure_wide(enum figure_place place);
#define SVG_LETTER 13.0 /* the size of most texts, as figure_css has it */

/* Where things are. */
struct svg_plan {
    struct out *o;
    const struct figure *f;
    struct scale x, y;
    struct ticks tx, ty;
    double all;                   /* width of everything */
    double left, top, wide, high; /* of the picture within the axes */
    double legend, height;        /* where the legend begins; height of everything */
    size_t points, hints;
};

double figure_x(const struct svg_plan *p, double u); /* from shares of the picture */
double figure_y(const struct svg_plan *p, double v);

enum { SVG_CLASS = 8 };
const char *figure_colour(int colour, char buf[SVG_CLASS]); /* "f-c3" */
int figure_mark(int colour); /* the mark of a class, for svg_pen_mark */
/* <path class="..." d=" with a colour and a part (f-line, ...). */
void figure_path(struct out *o, int colour, const char *part, enum figure_look look);
void figure_svg_curve(struct out *o, const struct figure_layer *l); /* the same, for a curve */
/* The element, its title and description; for a file also the colours, background and heading. */
void figure_open(const struct figure *f, struct out *o, enum figure_place place, double w,
                 double h);
/* Where the picture begins, below the heading. */
double figure_top(const struct figure *f, enum figure_place place);
/* A layer, and its texts, which are drawn above everything (figure_svg_layers.c). */
void figure_layer(const struct svg_plan *p, const struct figure_layer *l);
void figure_layer_texts(const struct svg_plan *p, const struct figure_layer *l);
/* Figures that are one table (figure_svg_table.c). */
void figure_svg_bars(const struct figure *f, struct out *o, enum figure_place place);
void figure_svg_cells(const struct figure *f, struct out *o, enum figure_place place);
/* Figures of points in space (figure_space.c). */
void figure_space_svg(const struct figure *f, struct out *o, enum figure_place place);

#endif
