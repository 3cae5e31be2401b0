/* ticks.h -- scales of pictures, and the round numbers that are written beside them. */
#ifndef PERC_SHOW_TICKS_H
#define PERC_SHOW_TICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps the values `from` to `to`, from < to, to the shares 0 to 1 of a length. */
struct scale {
    double from, to;
    bool log;   /* then from > 0 */
    bool whole; /* ticks at whole numbers only */
};

/* The extent of a picture's layers along one axis. */
struct span {
    bool any;
    double low, high; /* of the finite values */
    double positive;  /* the smallest above zero; 0: none */
    bool room;        /* leave a margin: there are points */
    bool zero;        /* include zero if it is not far off */
};
void ticks_span(struct span *s, double v);

/* The scale from `from` to `to`; where one is NaN, the span decides. The scale can always be drawn:
 * ends that are equal, or too close to be told apart, are moved apart. */
struct scale ticks_scale(const struct span *s, double from, double to, bool log, bool whole);
/* The share at which v lies, within +-SCALE_FAR; NaN for NaN and infinities. On a logarithmic
 * scale, values that are not positive lie far below. */
#define SCALE_FAR 1e6
double ticks_fraction(const struct scale *s, double v);
double ticks_value(const struct scale *s, double share);

/* A tick: digits * 10^exponent, exactly. */
struct tick {
    double value;
    int64_t digits;
    int exponent;
};
enum { TICKS = 24 };
struct ticks {
    struct tick at[TICKS];
    size_t n;
    bool powers; /* all are written with an exponent */
    bool commas; /* 1,000 where there is a 10,000 too */
};

/* About `want` ticks (at least 2 if the scale allows) at multiples of 1, 2 or 5 times a power of
 * ten; on a logarithmic scale at powers of ten, or at 1, 2 and 5 times those. */
void ticks_make(struct ticks *t, const struct scale *s, int want);
/* "0.25", "20,000", "1.5e-7"; with `fine` typographically, in UTF-8: a true minus, 1.5x10^-7 with a
 * multiplication sign and superscripts. */
enum { TICK_TEXT = 64 };
const char *ticks_text(char buf[TICK_TEXT], const struct ticks *t, size_t i, bool fine);

#endif
