/* pairs.c -- points that are differences of rows. */
#include "solve/pairs.h"

perc_status pairs_open(struct pairs *s, struct workset *g, perc_error *err)
{
    const struct problem *p = g->m.p;

    *s = (struct pairs){ .skip[0] = g->listed, .pick[0] = g->pick };
    s->skip[1] = pool_zeroed(&g->pool, p->n, sizeof *s->skip[1]);
    s->pick[1] = pool_array(&g->pool, g->most, sizeof *s->pick[1]);
    if (g->pool.failed) return fail_memory(err);
    for (uint64_t i = 0; i < p->n; i++) s->skip[problem_sign(p, i, g->m.positive) < 0][i] = true;
    return PERC_OK;
}

void pairs_close(struct pairs *s, const struct env *e)
{
    mem_free(e, s->row, s->cap, sizeof *s->row);
}

perc_status pairs_note(struct pairs *s, const struct env *e, uint64_t q, uint64_t p,
                       perc_error *err)
{
    if (!mem_grow(e, (void **)&s->row, &s->cap, s->n + 1, sizeof *s->row)) return fail_memory(err);
    s->row[s->n][0] = q;
    s->row[s->n++][1] = p;
    return PERC_OK;
}

void pairs_least(struct pairs *s, const struct margins *m)
{
    s->least[0] = s->least[1] = INFINITY;
    for (uint64_t i = 0; i < m->p->n; i++) { /* a NaN is passed over */
        double *least = &s->least[s->skip[1] != NULL && !s->skip[1][i]];
        *least = fmin(*least, m->value[i]);
    }
}

static perc_status add_pair(const struct pairs *s, size_t most, size_t i, size_t j, double bar,
                            pairs_make *make, void *ud, size_t *added, perc_error *err)
{
    if (i >= s->picked[0] || j >= s->picked[1] || *added >= most) return PERC_OK;

    const struct pick *q = &s->pick[0][i], *p = &s->pick[1][j];
    if (!(q->value + p->value < bar)) return PERC_OK;
    for (size_t k = 0; k < s->n; k++)
        if (s->row[k][0] == q->row && s->row[k][1] == p->row) return PERC_OK;
    ++*added;
    return make(ud, q->row, p->row, err);
}

perc_status pairs_add(struct pairs *s, struct workset *g, double bar, pairs_make *make, void *ud,
                      size_t *added, perc_error *err)
{
    perc_status st = PERC_OK;

    for (int c = 0; c < 2; c++)
        s->picked[c] = margins_worst(&g->m, s->skip[c], nextafter(bar - s->least[1 - c], INFINITY),
                                     g->most, s->pick[c]);
    *added = 0;
    for (size_t k = 0; k < g->most && !st; k++) {
        st = add_pair(s, g->most, k, k, bar, make, ud, added, err);
        if (!st && k > 0) st = add_pair(s, g->most, k, 0, bar, make, ud, added, err);
        if (!st && k > 0) st = add_pair(s, g->most, 0, k, bar, make, ud, added, err);
    }
    return st;
}
