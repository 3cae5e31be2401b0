/* turns.c -- updates added to the scores of a panel of rows.
 *
 * Each loop is written once, in lanes, and compiled for several processors (lanes.h). A
 * line is UNITS lanes, which lie in registers or in the nearest cache: what costs is to
 * fetch the line of the row. */
#include "vec/turns.h"

#include "vec/lanes.h"
#include "vec/targets.h"

enum { UNITS = PANEL / LANES };

/* Everything that a walk takes, so that the copies for each processor are short. */
struct turns_walk {
    const struct turn *t;
    size_t n;
    const double *k;
    double one;
    size_t vectors;
    double *f, *votes;
};

LANES_INLINE const lanes *line(const double *at, size_t i)
{
    return (const lanes *)(const void *)(at + i * PANEL);
}

LANES_INLINE lanes *line_of(double *at, size_t i)
{
    return (lanes *)(void *)(at + i * PANEL);
}

/* One turn, for each kind of walk; `one` is added only if with_one. */
LANES_INLINE void move(const struct turns_walk *w, const struct turn *t, bool with_one)
{
    const lanes *k = line(w->k, t->row);
    lanes *up = line_of(w->f, t->up);
    lanes by[UNITS];

    for (size_t u = 0; u < UNITS; u++) {
        by[u] = k[u];
        if (with_one) by[u] += w->one;
        by[u] *= t->step;
        up[u] += by[u];
    }
    if (t->down == NO_TURN) return;
    lanes *down = line_of(w->f, t->down);
    for (size_t u = 0; u < UNITS; u++) down[u] -= by[u];
}

LANES_INLINE void walk_add(const struct turns_walk *w)
{
    for (const struct turn *t = w->t; t < w->t + w->n; t++) move(w, t, false);
}

LANES_INLINE void walk_own(const struct turns_walk *w)
{
    for (const struct turn *t = w->t; t < w->t + w->n; t++) {
        const lanes *f = line(w->f, t->up);
        lanes *votes = line_of(w->votes, t->up);
        move(w, t, true);
        for (size_t u = 0; u < UNITS; u++) votes[u] += lanes_only(f[u] > 0, lanes_all(t->stood));
    }
}

/* All vectors are looked at, whichever has moved: in lanes that is cheaper than finding out. */
LANES_INLINE void walk_best(const struct turns_walk *w)
{
    for (const struct turn *t = w->t; t < w->t + w->n; t++) {
        move(w, t, true);
        if (!(t->stood > 0)) continue;
        for (size_t u = 0; u < UNITS; u++) {
            lanes top = line(w->f, 0)[u], who = { 0 };
            for (size_t v = 1; v < w->vectors; v++) {
                const lanes f = line(w->f, v)[u];
                const lanes_mask higher = f > top;
                top = lanes_pick(higher, f, top);
                who = lanes_pick(higher, lanes_all((double)v), who);
            }
            for (size_t v = 0; v < w->vectors; v++)
                line_of(w->votes, v)[u] += lanes_only(who == lanes_all((double)v),
                                                      lanes_all(t->stood));
        }
    }
}

/* ----- for this processor ----------------------------------------------------------- */

enum how { ADD, OWN, BEST };

LANES_INLINE void walk_any(const struct turns_walk *w, enum how how)
{
    if (how == ADD) walk_add(w);
    else if (how == OWN) walk_own(w);
    else walk_best(w);
}

TARGETS(walk, (const struct turns_walk *w, enum how how), (w, how))

void turns_add(const struct turn *t, size_t n, const double *k, double *f)
{
    const struct turns_walk w = { .t = t, .n = n, .k = k, .f = f };

    walk(&w, ADD);
}

void turns_own(const struct turn *t, size_t n, const double *k, double one, double *f,
               double *votes)
{
    const struct turns_walk w = { .t = t, .n = n, .k = k, .one = one, .f = f, .votes = votes };

    walk(&w, OWN);
}

void turns_best(const struct turn *t, size_t n, const double *k, double one, size_t vectors,
                double *f, double *votes)
{
    const struct turns_walk w = {
        .t = t, .n = n, .k = k, .one = one, .vectors = vectors, .f = f, .votes = votes
    };

    walk(&w, BEST);
}
