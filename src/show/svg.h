/* svg.h -- pieces of SVG: numbers, texts, paths.
 *
 * Texts may be any bytes: what is not UTF-8 or not allowed in XML becomes U+FFFD, blanks of any
 * kind become a space, and < > & " ' are escaped. Numbers have at most two decimals and are always
 * finite. */
#ifndef PERC_SHOW_SVG_H
#define PERC_SHOW_SVG_H

#include "show/out.h"

/* The next character of *s, which is advanced; 0 at the end. U+FFFD for bytes that are not UTF-8,
 * for control characters and for those that change the direction of writing. */
uint32_t svg_char(const char **s);
void svg_escape(struct out *o, const char *s);
void svg_num(struct out *o, double v);

/* The width of a text in units of its font size: an estimate, rather too large. */
double svg_width(const char *s);

/* <text>: `class` has its colour and size; anchor 's', 'm' or 'e'; angle in degrees. */
struct svg_text {
    double x, y;
    const char *class;
    char anchor;
    int angle;
    double most; /* maximum width, in units of the font size; 0: any */
};
void svg_text(struct out *o, struct svg_text t, const char *s);
void svg_rule(struct out *o, const char *class, double x0, double y0, double x1, double y1);

/* The "d" of a path, as moves from point to point in units of 1 / unit: positions are rounded, not
 * moves, so errors do not add up. */
struct svg_pen {
    struct out *o;
    int unit;    /* 10: one decimal; 100: two */
    long x, y;   /* where it is */
    bool down;   /* something was written */
    char letter; /* the command that a bare number would continue */
};
void svg_pen_move(struct svg_pen *p, double x, double y);
void svg_pen_line(struct svg_pen *p, double x, double y);
void svg_pen_close(struct svg_pen *p, double x, double y); /* back to the beginning, x and y */
/* The mark of class `kind`, 0 to 7, of radius r: disc, square, triangle, diamond, inverted
 * triangle, plus, cross, bow tie; SVG_DOT: a point that a round line cap turns into a disc. */
enum { SVG_DOT = -1, SVG_MARKS = 8 };
void svg_pen_mark(struct svg_pen *p, int kind, double x, double y, double r);

#endif
