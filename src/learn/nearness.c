/* nearness.c -- decisions that rounding may have made. */
#include "learn/nearness.h"

#include <math.h>

#include "learn/arithmetic.h"

struct nearness nearness_begin(const struct learner *l, const perc_params *p, const struct map *map)
{
    struct nearness a = { 0 };

    if (map_is_identity(map) || map->kind == MAP_POLY || l->rule->solve != NULL ||
        !(l->steps->flags & RULE_SIGN) || !(l->machine->ops->flags & MACHINE_WEIGHTS) ||
        !params_is(p, "init", "zero") || arithmetic_is_exact(p) || l->decay.share > 0)
        return a;
    a.degree = map->degree;
    return a;
}

static double size2(const struct learner *l, const struct row *x)
{
    return row_norm2(x) + (l->machine->last.offset ? 1 : 0);
}

void nearness_meet(struct nearness *a, const struct learner *l, const struct row *x, double weight)
{
    const double step = l->steps->step(l, x, -1, weight);

    a->radius2 = fmax(a->radius2, size2(l, x));
    a->step = fmax(a->step, fmax(step, l->rate * weight)); /* a schedule has come down from there */
    a->rounded = a->rounded || step != floor(step);
    for (size_t i = 0; i < x->n && !a->rounded; i++) {
        const double v = row_value(x, i);
        a->rounded = v != floor(v);
    }
}

/* The decision that came nearest to 0: a score against the rest, elsewhere the margin. */
static double nearest(const struct learner *l, const struct outcome *o)
{
    double least = fabs(o->score);

    if (l->kind != KIND_REST) return least;
    least = INFINITY;
    for (size_t c = 0; c < l->labels.n; c++) least = fmin(least, fabs(l->scores[c]));
    return least;
}

void nearness_judge(struct nearness *a, const struct learner *l, const struct row *x,
                    const struct outcome *o, int64_t updates)
{
    const double u = 0x1p-53, r = (2 * a->degree + 4) * u, k = (double)updates;
    const double reach = k * a->step * sqrt(a->radius2); /* |w'| is no longer */
    const double bound = 2 * (2 * r + (k + (double)x->n + 1) * u) * reach * sqrt(size2(l, x));

    if (updates == 0 || (!a->rounded && reach * sqrt(a->radius2) < 0x1p53)) return;
    a->count += nearest(l, o) <= bound;
}
