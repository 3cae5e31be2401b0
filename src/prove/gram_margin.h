/* gram_margin.h -- margins in the space of a kernel, with bounds that hold for the decimals of the
 * file. */
#ifndef PERC_GRAM_MARGIN_H
#define PERC_GRAM_MARGIN_H

#include "kernel/kernel.h"
#include "solve/problem.h"
#include "solve/whole.h"

enum { GRAM_ROWS = 1000 }; /* the most rows: all their kernel values are kept */

struct gram_question {
    const struct kernel *kernel; /* poly, coef0 >= 0, or radial; its gamma is a double, exactly */
    bool offset;                 /* of the machine: K + 1 */
    bool hulls;                  /* the geometric margin too */
    double gap;                  /* wanted: upper - lower <= gap * upper */
    const struct watch *watch;
};

struct gram_answer {
    double lower, upper;                     /* gamma'; lower 0: none was found */
    double geometric_lower, geometric_upper; /* infinite: there is one class */
    double radius;                           /* max sqrt(K(x, x) + offset), rounded up */
    int gap_reached;                         /* as in perc_part */
};

/* `rows` are those of the data set, without an offset, at most GRAM_ROWS, of a problem that is
 * separable. advance, if wanted, has a number for each row: about y u.phi(x), where u of length 1
 * has the margin `lower`. PERC_ENOMEM, PERC_EDATA (whole_row). */
perc_status gram_margin_measure(const struct whole *rows, const struct gram_question *q,
                                double *advance, struct gram_answer *out, perc_error *err);

#endif
