/* t_figure.h -- figures of every kind, and what was drawn of them. */
#ifndef PERC_TEST_FIGURE_H
#define PERC_TEST_FIGURE_H

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "t.h"

#include "base/number.h"
#include "show/figure.h"
#include "t_alloc.h"
#include "vec/rng.h"

#define HOSTILE \
    "</text><script>alert('1')</script>&\"\x1b[31m\xff\xc3\x28\xed\xa0\x80\xf5\x01\n]]>-->"

/* Numbers that nobody wants to see in a picture. */
static const double t_nasty[] = { 0,       -0.0,    NAN,      INFINITY, -INFINITY, 1e308,
                                  -1e308,  DBL_MAX, -DBL_MAX, 1e-300,   2e-300,    5e-324,
                                  -5e-324, 1,       1,        1 + 1e-15 };
enum { NASTY = sizeof t_nasty / sizeof *t_nasty };

/* One layer of each kind, of the numbers x and y and with `text` wherever a text can be. */
static inline void t_layers(struct figure *f, const double *x, const double *y, size_t n,
                            const char *text)
{
    const char *many[64];
    int cells[12 * 7];
    const double box[4] = { n > 0 ? x[0] : 0, n > 0 ? y[0] : 0, n > 1 ? x[1] : 1,
                            n > 1 ? y[1] : 1 };

    for (size_t i = 0; i < 64; i++) many[i] = i % 5 == 4 ? NULL : text;
    for (int i = 0; i < 12 * 7; i++) cells[i] = i * i % 4 - 1;
    figure_regions(f, cells, 12, 7, box);
    figure_curve(f, text, 0, FIGURE_DASHED, x, y, n);
    figure_points(f, text, 1, x, y, n, NULL, many, many);
    figure_points(f, text, 7, x, y, n, y, NULL, NULL);
    figure_rings(f, text, FIGURE_ALERT, x, y, n, many);
    figure_outlines(f, FIGURE_INK, 1, x, y, n, y);
    figure_curve(f, text, 4, FIGURE_SOLID, x, y, n);
    figure_broad(f, 3);
    figure_arrow(f);
    figure_hint(f, text);
    figure_area(f, text, 2, x, y, n);
    figure_area(f, text, 5, x, y, n);
    figure_unlined(f);
    figure_line(f, text, FIGURE_INK, FIGURE_DOTTED, n > 0 ? x[0] : 1, n > 0 ? y[n - 1] : 2, 1);
    figure_histogram(f, text, 3, x, y, n > 0 ? n - 1 : 0);
    figure_word(f, n > 0 ? x[0] : 0, n > 0 ? y[0] : 0, text);
}

enum { T_LAYERS, T_LOG, T_SQUARE, T_BARE, T_BARS, T_CELLS, T_SPACE, T_EMPTY, T_KINDS };

/* Points in space, and a plane of some of their numbers. At most 64. */
static inline void t_space(struct figure *f, const double *x, const double *y, size_t n,
                           const char *text)
{
    const char *label[64];
    double at[3 * 64];
    int class[64];

    for (size_t i = 0; i < 64; i++) {
        label[i] = text;
        class[i] = (int)(i % 3) - 1;
    }
    for (size_t i = 0; i < 3 * n; i++) at[i] = i % 3 == 1 ? y[i / 3] : x[(i + i % 3) / 3 % n];
    const struct figure_space s = { .axis = { text, text, text },
                                    .at = at,
                                    .class = class,
                                    .hint = label,
                                    .n = n,
                                    .label = label,
                                    .labels = 2,
                                    .plane = n % 4 != 3,
                                    .w = { n > 0 ? x[0] : 1, n > 0 ? y[n - 1] : 0, 1 },
                                    .b = n > 1 ? y[0] : -1 };
    figure_space(f, &s);
}

/* At most 64 numbers. */
static inline struct figure *t_figure(const perc_env *env, int kind, const double *x,
                                      const double *y, size_t n, const char *text)
{
    struct figure *f = figure_new(env, kind == T_EMPTY ? "" : text, text);
    const char *label[64];
    uint64_t count[64 * 64];

    for (size_t i = 0; i < 64 * 64; i++) count[i] = i < 64 ? (label[i] = text, 7u * i) : i % 11;
    figure_about(f, "%s", text);
    figure_axis(f, FIGURE_X, text, NAN, NAN);
    figure_axis(f, FIGURE_Y, text, NAN, NAN);
    if (kind <= T_BARE) t_layers(f, x, y, n, text);
    if (kind == T_BARE) figure_bare(f);
    if (kind == T_LOG) figure_log(f, FIGURE_X), figure_log(f, FIGURE_Y);
    if (kind == T_SQUARE) figure_square(f), figure_whole(f, FIGURE_Y);
    if (kind == T_BARS) figure_bars(f, label, x, NULL, n);
    if (kind == T_CELLS) figure_cells(f, text, text, label, count, n);
    if (kind == T_SPACE) t_space(f, x, y, n, text);
    return f;
}

/* What is drawn, in memory; free it. */
static inline char *t_svg(const struct figure *f, enum figure_place place)
{
    struct out *o;
    perc_error err;

    assert_int_equal(out_open(NULL, NULL, &o, &err), PERC_OK);
    figure_svg(f, o, place);
    assert_false(out_broken(o));
    char *s = strdup(out_kept(o));
    assert_int_equal(out_close(o, &err), PERC_OK);
    return s;
}

static inline char *t_chars(const struct figure *f, int columns, bool colour)
{
    struct out *o;
    perc_error err;

    assert_int_equal(out_open(NULL, NULL, &o, &err), PERC_OK);
    figure_chars(f, o, columns, colour);
    assert_false(out_broken(o));
    char *s = strdup(out_kept(o));
    assert_int_equal(out_close(o, &err), PERC_OK);
    return s;
}

/* Whether the bytes are UTF-8 as the standard's table 3-7 has it. */
static inline bool t_utf8(const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        const int n = *s < 0x80                  ? 0
                      : *s >= 0xc2 && *s <= 0xdf ? 1
                      : (*s & 0xf0) == 0xe0      ? 2
                      : *s >= 0xf0 && *s <= 0xf4 ? 3
                                                 : -1;
        const unsigned char a = *s, b = s[1];
        if (n < 0) return false;
        if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) || (a == 0xf0 && b < 0x90) ||
            (a == 0xf4 && b > 0x8f))
            return false;
        s++;
        for (int i = 0; i < n; i++, s++)
            if ((*s & 0xc0) != 0x80) return false;
    }
    return true;
}

/* Coordinates of which some, or all, are nasty; how many they are. */
static inline size_t t_nasty_points(struct rng *r, int trial, double x[NASTY], double y[NASTY])
{
    const size_t n = (size_t)rng_below(r, NASTY + 1);

    for (size_t i = 0; i < n; i++) {
        x[i] = trial % 3 == 0 ? rng_normal(r) : t_nasty[rng_below(r, NASTY)];
        y[i] = trial % 3 == 1 ? rng_normal(r) : t_nasty[rng_below(r, NASTY)];
    }
    return n;
}

#endif
