/* choose.c -- which solver for which problem: a rule of thumb, measured.
 *
 * Dual coordinate descent needs more passes the larger C |x'|^2 is, about
 * 5 + 12 sqrt(C |x'|^2) to a gap of 0.001 (a9a, dna, satimage, mnist, C from 0.01 to 100:
 * 5 to 800 passes; mushrooms, where few rows matter, needs far fewer). Newton's method
 * needs some six steps whatever C is; a step takes a few passes and, up to NEWTON_COLUMNS, a
 * factorisation, and the Hessian takes the square of a row's entries. Beyond that, by
 * conjugate gradients, it was slower than the dual by a factor of five to twenty everywhere
 * it was tried.
 *
 * The constants are nanoseconds of one thread. Only their ratios matter, and a wrong
 * choice costs time alone: both solvers stop at the same gap. Where C |x'|^2 is so large
 * that rounding stops Newton's method (1e15 on some data, not at 1e20 on others) the dual
 * has its turn after it: learn/svm.c. */
#include <math.h>

#include "solve/svm.h"

enum { NEWTON_COLUMNS = 1500, SAMPLE = 256 };

/* The mean of |x'|^2 and of the entries of x' that are not 0 come from some of the rows. Stored
 * zeros do not count: the choice must not depend on the form the data come in. An image is measured
 * without being made: |phi(x)|^2 <= (1 + |x|^2)^D. */
bool svm_prefers_newton(const struct problem *p, const struct svm_options *o)
{
    const double n = (double)p->n, d = (double)p->dims, offset = p->offset ? 1 : 0;
    const uint64_t step = p->n / SAMPLE + 1;
    const bool mapped = !map_is_identity(p->map);
    double rows = 0, square = 0, length = 0;

    if (o->loss != SVM_SQUARED || p->dims >= NEWTON_COLUMNS) return false;
    for (uint64_t i = 0; i < p->n; i += step) {
        const struct row r = problem_block_row(p, i);
        const double x2 = row_norm2(&r);
        double image = 1;
        for (unsigned k = 0; mapped && k < p->map->degree; k++) image *= 1 + x2;
        square += mapped ? image : x2;
        for (size_t k = 0; k < r.n; k++) length += row_value(&r, k) != 0;
        rows++;
    }
    const double x2 = rows > 0 ? square / rows + offset : 0;
    const double m = rows > 0 ? (mapped ? d : length / rows) + offset : 0;
    const double dual = (5 + 12 * sqrt(o->c * x2)) * n * (2 * m + 20);
    const double hessian = n / 2 * (20 * m + m * m / 4);
    const double newton = 6 * (n * (4 * m + 20) + 0.02 * d * d * d) + hessian;
    return !(dual < newton); /* too large for a number: Newton */
}
