/* decay.c -- weights that shrink with every example. See decay.h. */
#include "learn/decay.h"

#include <math.h>

#include "vec/fmath.h"

#define SPAN 20.0 /* e^-20 is above 2^-29 */

void decay_init(struct decay *d, double share)
{
    *d = (struct decay){ .share = share, .growth = 1 };
    if (!(share > 0)) return;
    d->rate = 0 - fm_log(1 - share);
    d->span = SPAN > d->rate ? (int64_t)(SPAN / d->rate) : 1;
}

int64_t decay_age(const struct decay *d, int64_t shown)
{
    return d->share > 0 ? shown % d->span : shown;
}

void decay_set(struct decay *d, struct machine *m, int64_t shown, double unit)
{
    if (!(d->share > 0)) return;
    const double age = (double)decay_age(d, shown);
    d->growth = fm_exp(d->rate * (age + 1));
    m->unit = unit * fm_exp(0 - d->rate * age);
}

/* v and u as they are after a walk. */
static inline void fold(double f, double span, double *v, double *u)
{
    if (u != NULL) *u = f * *u - f * span * *v;
    *v *= f;
}

static void fold_vectors(double f, double span, struct linear *v, struct linear *u)
{
    for (uint64_t k = 0; k < v->dims * v->stride; k++)
        fold(f, span, &v->w[k], u != NULL ? &u->w[k] : NULL);
    for (size_t c = 0; c < v->stride; c++) fold(f, span, &v->b[c], u != NULL ? &u->b[c] : NULL);
}

static double walk_factor(const struct decay *d)
{
    return fm_exp(0 - d->rate * (double)d->span);
}

double decay_shown(struct decay *d, struct machine *m, int64_t shown, double unit)
{
    const bool sums = machine_has_sum(m), walk = d->share > 0 && shown % d->span == 0;
    const double f = walk ? walk_factor(d) : 1, span = (double)d->span;

    if (walk) fold_vectors(f, span, &m->last, sums ? &m->sum : NULL);
    if (walk && m->expecting) fold_vectors(f, span, &m->unseen, sums ? &m->unseen_sum : NULL);
    decay_set(d, m, shown, unit);
    return f;
}

double decay_count(const struct decay *d, int64_t shown)
{
    if (!(d->share > 0)) return (double)shown;
    const double t = fm_tanh(d->rate * (double)shown / 2);
    return 2 * t / (1 + t) / d->share; /* (1 - e^-x) / D, without cancellation */
}

void decay_start(const struct decay *d, int64_t shown, double *w, double *sum)
{
    if (!(d->share > 0)) return;
    const double f = walk_factor(d);
    for (int64_t k = shown / d->span; k > 0 && (*w != 0 || (sum != NULL && *sum != 0)); k--)
        fold(f, (double)d->span, w, sum);
}
