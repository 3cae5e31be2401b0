/* cone.c -- the point of a cone that is nearest to the origin.
 *
 * By row generation (workset.h): the rows with a_i.z < 0 that are the worst for their length
 * join the list. Rows and g are divided by powers of two near their lengths, which rounds
 * nothing; lambda is scaled back at the end. */
#include "solve/cone.h"

#include <string.h>

#include "solve/workset.h"

static const double norm2_max = 1e280;

struct cone {
    const struct cone_options *o;
    struct cone_result *out;
    struct workset g;
    double *norm; /* n: |a_i| */
    double *apex; /* dims: g, times `unit` */
    double unit;  /* a power of two */
    bool unfit;
};

/* The lengths, and g. Zero rows count as listed: they contribute nothing. */
static perc_status begin_cone(struct cone *c, perc_error *err)
{
    struct workset *g = &c->g;
    const struct problem *p = g->m.p;
    double norm2;

    c->norm = pool_array(&g->pool, p->n, sizeof *c->norm);
    c->apex = pool_zeroed(&g->pool, g->dims, sizeof *c->apex);
    if (g->pool.failed) return fail_memory(err);
    g->norm = c->norm;
    margins_norms(&g->m);
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row r = problem_row(p, &g->m.lens[0], i);
        const double y = problem_sign(p, i, g->m.positive);
        if (g->m.value[i] > norm2_max) c->unfit = true;
        c->norm[i] = sqrt(g->m.value[i]);
        g->listed[i] = g->m.value[i] < 1 / norm2_max;
        row_axpy(y, &r, c->apex, p->dims);
        if (p->offset) c->apex[p->dims] += y;
    }
    norm2 = row_weights_norm2(c->apex, g->dims);
    if (!(norm2 <= norm2_max)) c->unfit = true;
    if (c->unfit) return PERC_OK;
    c->unit = norm2 > 1 / norm2_max ? workset_unit(sqrt(norm2)) : 1;
    for (uint64_t j = 0; j < g->dims; j++) c->apex[j] *= c->unit;
    wolfe_init(&g->s, &p->e, g->dims, 1, 1e-14);
    g->s.apex = c->apex;
    if (wolfe_start(&g->s, err)) return PERC_ENOMEM;
    return c->o->fine ? wolfe_refine(&g->s, err) : PERC_OK;
}

/* A pass: the scores of the rows relative to their lengths. With 32 digits z is good to some 20,
 * since lambda can be large. A short z may be 0 but for rounding: then more digits are used. */
static perc_status look_at_cone(void *ud, enum wolfe_end end, enum workset_next *next,
                                perc_error *err)
{
    struct cone *c = ud;
    struct workset *g = &c->g;
    const double noise = 0x1p-50 * (double)(g->m.longest + 4); /* z is a sum of numbers near 1 */
    const double bar = -fmax(g->s.fine ? 0 : noise, 1e-12 * sqrt(g->s.norm2));
    size_t added;
    perc_status st;

    c->out->end = end == WOLFE_ZERO || (g->s.fine && g->s.norm2 < 1e-36) ? CONE_ZERO
                  : end == WOLFE_BEST                                    ? CONE_PLANE
                  : end == WOLFE_STALLED                                 ? CONE_STALLED
                                                                         : CONE_STOPPED;
    g->passes++;
    margins_score(&g->m, g->s.x);
    for (uint64_t i = 0; i < g->m.p->n; i++)
        g->m.value[i] = c->norm[i] > 0 ? g->m.value[i] / c->norm[i] : 0;
    *next = WORKSET_DONE;
    if (c->out->end == CONE_ZERO || c->out->end == CONE_STOPPED) return PERC_OK;
    if ((st = workset_add_worst(g, bar, &added, err))) return st;
    const bool unsure = end == WOLFE_STALLED || (added == 0 && g->s.norm2 < 1e-12);
    if (!g->s.fine && unsure) *next = WORKSET_REFINE;
    else if (added > 0) *next = WORKSET_ON;
    if (*next != WORKSET_DONE) c->out->end = CONE_STOPPED; /* if a limit comes next */
    return PERC_OK;
}

static perc_status give_result(struct cone *c, perc_error *err)
{
    struct hard_corral *to = &c->out->rows;
    const struct wolfe *s = &c->g.s;
    const double length = sqrt(s->norm2);

    to->n = s->k;
    to->row = mem_array(&s->e, s->k, sizeof *to->row);
    to->lambda = mem_array(&s->e, s->k, sizeof *to->lambda);
    if (to->row == NULL || to->lambda == NULL) {
        hard_corral_free(&s->e, to);
        return fail_memory(err);
    }
    for (size_t i = 0; i < s->k; i++) {
        to->row[i] = s->p.row[s->member[i]];
        to->lambda[i] = s->lambda[i].hi * workset_unit(c->norm[to->row[i]]) / c->unit;
    }
    memcpy(c->out->z, s->x, c->g.dims * sizeof *s->x);
    for (uint64_t i = 0; i < c->g.m.p->n; i++)
        c->out->cosine[i] = length > 0 ? c->g.m.value[i] / length : 0;
    c->out->length = length / fmax(sqrt(row_weights_norm2(c->apex, c->g.dims)), 0x1p-1000);
    return PERC_OK;
}

perc_status cone_solve(const struct problem *p, uint32_t positive, const struct cone_options *o,
                       struct cone_result *out, perc_error *err)
{
    struct cone c = { .o = o,
                      .out = out,
                      .g = { .watch = o->watch, .limit = o->passes, .dims = p->dims + p->offset } };
    perc_status st;

    out->end = CONE_STOPPED;
    out->rows = (struct hard_corral){ .n = 0 };
    out->length = 1;
    if (!(st = workset_open(&c.g, p, positive, "a cone", err)) && !(st = begin_cone(&c, err)) &&
        !c.unfit && !(st = workset_run(&c.g, look_at_cone, &c, err)))
        st = give_result(&c, err);
    workset_close(&c.g);
    return st;
}
