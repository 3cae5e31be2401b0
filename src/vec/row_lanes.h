/* row_lanes.h -- the dot product in lanes, and the step that follows it.
 *
 * The canonical dot (row.h) is a chain of additions, each waiting for the one before: a
 * dense row of some hundred columns spends most of its time waiting. Where no other code
 * has to find the same sum, eight sums can run side by side:
 *
 *     s_l = the products of the columns j with j mod 8 = l, in their order,
 *     s = ((s_0 + s_1) + (s_2 + s_3)) + ((s_4 + s_5) + (s_6 + s_7)).
 *
 * Lanes go by the column and not by the place in the row, so that zeros change nothing
 * here either: dense and sparse copies of a row have the same sum, on any machine.
 *
 * To take the dot of a row and then add the row to w, decode its values once:
 *
 *     const struct row_values v = row_decode(&x, dims, buf);
 *     s = row_lane_dot(&x, &v, w);
 *     row_add(a, &x, &v, w);                                                          */
#ifndef PERC_ROW_LANES_H
#define PERC_ROW_LANES_H

#include "vec/row.h"

struct row_values {
    const double *v; /* NULL: all ones */
    size_t n;        /* entries below dims */
};

/* buf has room for all entries of the row. */
struct row_values row_decode(const struct row *r, uint64_t dims, double *buf);
double row_lane_dot(const struct row *r, const struct row_values *v, const double *w);
/* w_j += a x_j, each product rounded, then each sum: the bits of row_axpy. */
void row_add(double a, const struct row *r, const struct row_values *v, double *w);

/* The dot of two arrays, in lanes by place. */
double row_lanes_dot(const double *a, const double *b, uint64_t n);

#endif
