/* svm_offset.c -- the best offset for given weights.
 *
 * The loss as a function of b is convex and made of pieces: row i counts while
 * b < y_i - s_i (y_i = +1) or b > y_i - s_i (y_i = -1). Its derivative
 *
 *     g(b) = sum over the rows that count of  -y_i U_i                     (hinge)
 *                                             -2 y_i U_i (1 - y_i (s_i + b)) (squared)
 *
 * rises, so its zero is found by bisection: not of the numbers but of their bit
 * patterns, so that 64 steps lead from any two doubles to neighbours. */
#include <math.h>
#include <string.h>

#include "solve/svm.h"

/* Doubles in their order as whole numbers, and back. */
static int64_t rank_of(double v)
{
    int64_t k;

    memcpy(&k, &v, sizeof k);
    return k < 0 ? INT64_MIN - k : k;
}

static double of_rank(int64_t k)
{
    double v;

    if (k < 0) k = INT64_MIN - k;
    memcpy(&v, &k, sizeof v);
    return v;
}

double svm_best_offset(const double *s, const double *u, uint64_t n, enum svm_loss loss)
{
    double low = INFINITY, high = -INFINITY;

    for (uint64_t i = 0; i < n; i++) { /* all changes of slope lie between these */
        const double at = (u[i] > 0 ? 1 : -1) - s[i];
        if (at < low) low = at;
        if (at > high) high = at;
    }
    if (!(low <= high) || !isfinite(low) || !isfinite(high)) return 0;
    int64_t a = rank_of(low), b = rank_of(high);
    while (a < b) { /* the first number where g >= 0 */
        const int64_t mid = (a >> 1) + (b >> 1) + (a & b & 1);
        const double at = of_rank(mid);
        double g = 0;
        for (uint64_t i = 0; i < n; i++) {
            const double xi = u[i] > 0 ? 1 - (s[i] + at) : 1 + (s[i] + at);
            if (xi > 0) g -= loss == SVM_HINGE ? u[i] : 2 * u[i] * xi;
        }
        if (g >= 0) b = mid;
        else a = mid + 1;
    }
    return of_rank(a);
}
