/* svm_newton.c -- the squared hinge by Newton's method.
 *
 *     loss_i(m) = C c_i xi_i^2,   xi_i = max(0, 1 - m)
 *
 * is once differentiable, and quadratic wherever m does not cross 1: u_i = 2 C c_i for the rows
 * with m_i < 1 and 0 for the others, a_i = u_i xi_i. So P is a parabola in pieces along a line;
 * when no margin crosses 1 its lowest point is the solution, and there are finitely many steps.
 *
 * The bound. a is feasible in the dual (svm.h), and so is t a; the best t gives
 *
 *     D = (sum a_i)^2 / (2 (|sum a_i y_i x'_i|^2 + sum a_i^2 / u_i))                (1)
 *
 * With a free offset sum a_i y_i = 0 is wanted too: the heavier side is scaled down. */
#include <math.h>
#include <string.h>

#include "solve/newton.h"
#include "solve/svm.h"

enum { EXACT_MAX = 1500 }; /* Cholesky up to so many columns: two matrices of 18 MB */

static struct newton_sums evaluate(struct newton *s, uint64_t slice)
{
    struct newton_sums sum = { 0 };

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1); i++) {
        const double xi = 1 - s->m[i];
        const int side = problem_sign(s->k.p, i, s->k.positive) > 0;
        s->u[i] = xi > 0 ? 2 * s->c * problem_cost(s->k.p, i) : 0;
        s->a[i] = xi > 0 ? s->u[i] * xi : 0;
        if (!(xi > 0)) continue;
        sum.loss += s->a[i] * xi / 2;
        sum.a[side] += s->a[i];
        sum.q[side] += s->a[i] * xi; /* a_i^2 / u_i */
        sum.supports++;
    }
    return sum;
}

static struct newton_slope slope(struct newton *s, double t, uint64_t slice)
{
    struct newton_slope sum = { 0 };

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1); i++) {
        const double xi = 1 - (s->m[i] + t * s->q[i]);
        const double uq = xi > 0 ? 2 * s->c * problem_cost(s->k.p, i) * s->q[i] : 0;
        sum.first -= uq * xi;
        sum.second += uq * s->q[i];
    }
    return sum;
}

/* (1) for factors f[0], f[1] by which the two sides of a are multiplied. v2 is the square of the
 * sum with these factors. */
static double best_dual(const struct newton_sums *sum, const double *f, double v2)
{
    const double a = f[0] * sum->a[0] + f[1] * sum->a[1];
    const double q = f[0] * f[0] * sum->q[0] + f[1] * f[1] * sum->q[1];

    return v2 + q > 0 ? a / (v2 + q) * a / 2 : 0;
}

static double dual(struct newton *s, const struct newton_sums *sum)
{
    double f[2] = { 1, 1 }, v2 = 0;

    newton_gradient(s);
    if (!s->o->free_offset) {
        for (size_t j = 0; j < s->d; j++) v2 += s->v[j] * s->v[j];
        return best_dual(sum, f, v2);
    }
    if (sum->a[0] > sum->a[1]) f[0] = sum->a[1] / sum->a[0];
    if (sum->a[1] > sum->a[0]) f[1] = sum->a[0] / sum->a[1];
    for (size_t j = 0; j < s->charged; j++) {
        const double v = f[1] * s->v[j] + f[0] * s->r[j];
        v2 += v * v;
    }
    return best_dual(sum, f, v2);
}

static const struct newton_loss squared_hinge = { evaluate, slope, dual };

perc_status svm_newton(const struct problem *p, uint32_t positive, const struct svm_options *o,
                       double *w, double *b, struct svm_result *out, perc_error *err)
{
    const struct newton_options how = { .loss = &squared_hinge,
                                        .c = o->c,
                                        .free_offset = o->free_offset,
                                        .exact = EXACT_MAX,
                                        .gap = o->gap,
                                        .passes = o->passes,
                                        .seed = o->seed,
                                        .watch = o->watch };
    const double y = p->n > 0 ? problem_sign(p, 0, positive) : 0;
    const size_t d = walk_numbers(p, 0);
    bool one_sided = o->free_offset;
    struct newton_result r;

    *out = (struct svm_result){ .solved = true };
    *b = 0;
    memset(w, 0, (size_t)p->dims * sizeof *w);
    if (p->n == 0) return PERC_OK;
    for (uint64_t i = 1; i < p->n && one_sided; i++) one_sided = problem_sign(p, i, positive) == y;
    if (one_sided) { /* P = 0: no row is wrong */
        *b = y;
        return PERC_OK;
    }
    double *both = mem_zeroed(&p->e, d, sizeof *both);
    if (both == NULL) return fail_memory(err);
    const perc_status st = newton_solve(p, positive, &how, both, &r, err);
    if (!st) {
        memcpy(w, both, (size_t)p->dims * sizeof *w);
        if (p->offset) *b = both[p->dims];
        *out = (struct svm_result){ r.primal, r.dual, r.steps, r.supports, r.solved };
    }
    mem_free(&p->e, both, d, sizeof *both);
    return st;
}
