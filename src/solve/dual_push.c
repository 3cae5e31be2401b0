/* dual_push.c -- a step further after each pass of dual coordinate descent.
 *
 * Passes of coordinate descent soon take nearly the same step again and again, each a
 * little shorter. So after a pass from x to x + d, D is maximised exactly over
 *
 *     x + d + s d + t p,    p the whole step before it,                              (1)
 *
 * which is conjugate gradients with the pass as the preconditioner (in the form that is
 * optimal step by step; Takahashi 1965, Knyazev 2001). D is quadratic and w' linear in a,
 * so s and t need no look at the data, only O(rows + dims).
 *
 * The bounds: a row that is at one has no part in d and p. One that (1) would take
 * beyond a bound is set to it, and w' corrected by that row. If D does not rise in the
 * end, the point after the pass stays. */
#include <string.h>

#include "solve/dual.h"
#include "vec/row_lanes.h"

#define MOST_D 1e4
#define MOST_P 1.0

void dual_push_new(struct dual *s)
{
    if (!s->pushes) return;
    s->before.a = pool_zeroed(&s->pool, s->p->n, sizeof *s->before.a);
    s->before.w = pool_zeroed(&s->pool, s->p->dims, sizeof *s->before.w);
    s->last.a = pool_zeroed(&s->pool, s->p->n, sizeof *s->last.a);
    s->last.w = pool_zeroed(&s->pool, s->p->dims, sizeof *s->last.w);
    s->trial = pool_zeroed(&s->pool, s->p->dims, sizeof *s->trial);
}

/* ----- directions ------------------------------------------------------------------------ */

void dual_remember(struct dual *s)
{
    if (!s->pushes) return;
    for (uint64_t k = 0; k < s->active; k++) s->before.a[s->rows[k]] = s->item[s->rows[k]].a;
    memcpy(s->before.w, s->w, (size_t)s->p->dims * sizeof *s->w);
    s->before.b = s->b;
}

/* Takes the part of row i out of a direction. */
static void take_out(struct dual *s, struct move *m, uint64_t i)
{
    const struct item *it = &s->item[i];
    const struct row x = dual_row(s, &s->lens[0], it->ref);
    const double by = -m->a[i] * dual_sign(it->u);

    row_axpy(by, &x, m->w, s->p->dims);
    m->b += s->mu * by;
    m->a[i] = 0;
}

/* Slopes of D along d and p, and the quadratic form of its curvature. */
struct form {
    double gd, gp, dd, dp, pp;
};

/* After the pass: replaces the point before it by its step d. (At once: when w' is added up again,
 * the rounding error this removes is not a direction to go on in.) */
void dual_measure_step(struct dual *s)
{
    struct move *d = &s->before;

    if (!s->pushes) return;
    for (uint64_t k = 0; k < s->active; k++)
        d->a[s->rows[k]] = s->item[s->rows[k]].a - d->a[s->rows[k]];
    for (uint64_t j = 0; j < s->p->dims; j++) d->w[j] = s->w[j] - d->w[j];
    d->b = s->b - d->b;
}

/* Takes the rows at a bound out of d and p, and finds the form, from the other rows and w'. */
static struct form measure_form(struct dual *s)
{
    struct move *d = &s->before, *p = &s->last;
    const uint64_t n = s->p->dims;
    struct form f = { 0 };

    for (uint64_t k = 0; k < s->active; k++) {
        const uint64_t i = s->rows[k];
        const struct item *it = &s->item[i];
        if (!(it->a > 0 && it->a < dual_upper(s->squared, it->u))) {
            if (d->a[i] != 0) take_out(s, d, i);
            if (p->a[i] != 0) take_out(s, p, i);
            continue;
        }
        const double r = dual_ridge(s->squared, it->u), g = 1 - r * it->a;
        f.gd += g * d->a[i];
        f.gp += g * p->a[i];
        f.dd += r * d->a[i] * d->a[i];
        f.dp += r * d->a[i] * p->a[i];
        f.pp += r * p->a[i] * p->a[i];
    }
    f.gd -= row_lanes_dot(s->w, d->w, n);
    f.gp -= row_lanes_dot(s->w, p->w, n);
    f.dd += row_lanes_dot(d->w, d->w, n);
    f.dp += row_lanes_dot(d->w, p->w, n);
    f.pp += row_lanes_dot(p->w, p->w, n);
    if (s->mu > 0) { /* the constant feature is sqrt(mu): a_i y_i moves b by mu times that */
        const double db = d->b / s->mu, pb = p->b / s->mu;
        f.gd -= s->b * db;
        f.gp -= s->b * pb;
        f.dd += d->b * db;
        f.dp += d->b * pb;
        f.pp += p->b * pb;
    }
    return f;
}

/* Where the slope is 0: along d and p, or along d alone if they are nearly parallel. No further on
 * the way than MOST_D and MOST_P: where D is flat, as with equal rows, the way is long and would
 * multiply the rounding errors of d and p. With MOST_P <= 1 those of p die out. */
static void best_step(const struct form *f, double *along_d, double *along_p)
{
    const double det = f->dd * f->pp - f->dp * f->dp;

    *along_d = *along_p = 0;
    if (det > 1e-10 * f->dd * f->pp) {
        *along_d = (f->gd * f->pp - f->gp * f->dp) / det;
        *along_p = (f->gp * f->dd - f->gd * f->dp) / det;
    } else if (f->dd > 0) *along_d = f->gd / f->dd;
    const double least = fmin(1, fmin(MOST_D / fabs(*along_d), MOST_P / fabs(*along_p)));
    *along_d *= least;
    *along_p *= least;
}

/* ----- going there ---------------------------------------------------------------------------- */

/* w' of (1) in s->trial, the offset in *b. Returns how much D rises. */
static double try_step(struct dual *s, double along_d, double along_p, double *b)
{
    const struct move *d = &s->before, *p = &s->last;
    const uint64_t dims = s->p->dims;
    double rise = 0;

    for (uint64_t j = 0; j < dims; j++)
        s->trial[j] = s->w[j] + (along_d * d->w[j] + along_p * p->w[j]);
    *b = s->b + (along_d * d->b + along_p * p->b);
    for (uint64_t k = 0; k < s->active; k++) {
        const uint64_t i = s->rows[k];
        const struct item *it = &s->item[i];
        const double full = it->a + (along_d * d->a[i] + along_p * p->a[i]);
        const double a = dual_clip(s->squared, it->u, full);
        if (a != full) {
            const struct row x = dual_row(s, &s->lens[0], it->ref);
            const double by = (a - full) * dual_sign(it->u);
            row_axpy(by, &x, s->trial, dims);
            *b += s->mu * by;
        }
        rise += (a - it->a) * (1 - dual_ridge(s->squared, it->u) * (a + it->a) / 2);
    }
    rise -= (row_lanes_dot(s->trial, s->trial, dims) - row_lanes_dot(s->w, s->w, dims)) / 2;
    return s->mu > 0 ? rise - (*b - s->b) * (*b + s->b) / (2 * s->mu) : rise;
}

/* The point tried becomes the point, and what led to it the last step. */
static void accept_step(struct dual *s, double along_d, double along_p, double b)
{
    struct move *d = &s->before, *p = &s->last;

    for (uint64_t k = 0; k < s->active; k++) {
        const uint64_t i = s->rows[k];
        struct item *it = &s->item[i];
        const double step = along_d * d->a[i] + along_p * p->a[i];
        const double a = dual_clip(s->squared, it->u, it->a + step);
        p->a[i] = d->a[i] + (a - it->a);
        it->a = a;
    }
    for (uint64_t j = 0; j < s->p->dims; j++) {
        p->w[j] = d->w[j] + (s->trial[j] - s->w[j]);
        s->w[j] = s->trial[j];
    }
    p->b = d->b + (b - s->b);
    s->b = b;
}

void dual_push(struct dual *s)
{
    double along_d, along_p, b;

    if (!s->pushes) return;
    const struct form f = measure_form(s);
    best_step(&f, &along_d, &along_p);
    const double rise = try_step(s, along_d, along_p, &b);
    const bool up = rise > 0 && isfinite(rise);
    if (up) s->rise += rise;
    if (!up) { /* p = d */
        memcpy(s->trial, s->w, (size_t)s->p->dims * sizeof *s->w);
        along_d = along_p = 0;
        b = s->b;
    }
    accept_step(s, along_d, along_p, b);
}
