/* nearest.h -- margins with bounds that hold for the decimals of the file.
 *
 *     gamma'     max over unit (w, b) of min_i a_i.(w, b)
 *                = min over lambda in the simplex of |sum lambda_i a_i|
 *     geometric  max over unit w, and b, of min_i y_i (w.x_i + b)
 *                = half the distance of the hulls of the two classes
 *
 * Any w gives a lower bound, any lambda an upper one. Both are evaluated in whole numbers
 * and rounded outwards. */
#ifndef PERC_NEAREST_H
#define PERC_NEAREST_H

#include "solve/problem.h"
#include "solve/whole.h"

struct nearest_options {
    bool hulls;     /* the geometric margin; else gamma' */
    double gap;     /* stop when upper - lower <= gap * upper */
    const mpz_t *w; /* dims: a separator to fall back on; or NULL */
    const struct watch *watch;
};

struct nearest_result {
    double lower, upper;
    bool solved; /* the gap is as small as requested */
};

/* The rows, at least one, and the same in doubles; exact_span holds for them. Where the hulls
 * are asked for there is an offset, and both classes have rows. u, if wanted, has dims numbers:
 * a vector of length about 1 whose margin is about `lower`. PERC_ENOMEM, PERC_EARG (too many
 * columns), PERC_EDATA (whole_row). */
perc_status nearest_measure(const struct whole *exact, const struct problem *floats,
                            const struct nearest_options *o, double *u, struct nearest_result *out,
                            perc_error *err);

/* min_i a_i.u / |u|, rounded down; 0 where it is not positive. */
perc_status nearest_margin(const struct whole *exact, const struct problem *floats, const double *u,
                           double *out, perc_error *err);

/* R = max |a_i|, rounded up. */
perc_status nearest_radius(const struct whole *exact, const struct problem *floats, double *out,
                           perc_error *err);

/* 10^exponent sqrt(a / b), rounded down, or up; a >= 0, b > 0. */
double nearest_root(const mpz_t a, const mpz_t b, int64_t exponent, bool up);

#endif
