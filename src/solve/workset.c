/* workset.c -- row generation around wolfe.c. */
#include "solve/workset.h"

perc_status workset_open(struct workset *g, const struct problem *p, uint32_t positive,
                         const char *what, perc_error *err)
{
    pool_init(&g->pool, &p->e);
    g->most = g->dims < 32 ? 32 : g->dims > 1024 ? 1024 : (size_t)g->dims;
    if (g->dims > UINT32_MAX) return fail(err, PERC_EARG, "too many columns for %s", what);
    g->listed = pool_zeroed(&g->pool, p->n, sizeof *g->listed);
    g->pick = pool_array(&g->pool, g->most, sizeof *g->pick);
    if (g->pool.failed) return fail_memory(err);
    return margins_open(&g->m, p, positive, err);
}

void workset_close(struct workset *g)
{
    wolfe_free(&g->s);
    margins_close(&g->m);
    pool_free(&g->pool);
}

double workset_unit(double x)
{
    int exponent;

    frexp(x, &exponent);
    return ldexp(1, 1 - exponent);
}

perc_status workset_add(struct workset *g, uint64_t i, perc_error *err)
{
    const struct problem *p = g->m.p;
    const struct row r = problem_row(p, &g->m.lens[0], i);
    const double scale = g->norm != NULL ? workset_unit(g->norm[i]) : 1;
    perc_status st = wolfe_point(&g->s, &r, problem_sign(p, i, g->m.positive), p->offset, i, err);

    g->listed[i] = true;
    if (st || g->norm == NULL) return st;
    struct points *q = &g->s.p;
    for (size_t k = q->start[q->n - 1]; k < q->start[q->n]; k++) q->value[k] *= scale;
    q->norm2[q->n - 1] *= scale * scale;
    return PERC_OK;
}

perc_status workset_add_worst(struct workset *g, double bar, size_t *added, perc_error *err)
{
    perc_status st = PERC_OK;

    *added = margins_worst(&g->m, g->listed, bar, g->most, g->pick);
    for (size_t k = 0; k < *added && !st; k++) st = workset_add(g, g->pick[k].row, err);
    return st;
}

enum workset_next workset_after(const struct workset *g, enum wolfe_end end, size_t added)
{
    if (added > 0 && (g->s.fine || end == WOLFE_BEST)) return WORKSET_ON;
    return g->s.fine ? WORKSET_DONE : WORKSET_REFINE;
}

perc_status workset_run(struct workset *g, workset_look *look, void *ud, perc_error *err)
{
    enum workset_next next;
    enum wolfe_end end;
    perc_status st;

    do {
        if ((st = wolfe_run(&g->s, g->watch, g->passes, &end, err))) return st;
        if ((st = look(ud, end, &next, err)) || next == WORKSET_DONE) return st;
        if (next == WORKSET_REFINE && (st = wolfe_refine(&g->s, err))) return st;
    } while (g->passes < g->limit && watch_ask(g->watch, g->passes));
    return PERC_OK;
}
