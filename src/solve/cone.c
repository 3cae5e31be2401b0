/* cone.c -- the point of a cone that is nearest to the origin.
 *
 * Row generation as in hard.c: wolfe.c finds the nearest point for a list of rows, a pass
 * over all rows finds those with a_i.z < 0, the worst for their length join the list. Rows
 * and g are divided by powers of two near their lengths, which rounds nothing; lambda is
 * scaled back at the end. */
#include "solve/cone.h"

#include <string.h>

#include "solve/margins.h"
#include "solve/wolfe.h"

static const double norm2_max = 1e280;

struct cone {
    const struct cone_options *o;
    struct cone_result *out;
    struct margins m;
    struct wolfe s;
    uint64_t dims;
    double *norm; /* n: |a_i| */
    double *g;    /* dims */
    double unit;  /* g was multiplied by this power of two */
    bool *listed;
    size_t most;
    struct pick *pick;
    bool unfit;
};

static perc_status open_all(struct cone *c, const struct problem *p, uint32_t positive,
                            perc_error *err)
{
    const struct env *e = &p->e;

    c->dims = p->dims + (p->offset ? 1 : 0);
    c->most = c->dims < 32 ? 32 : c->dims > 1024 ? 1024 : (size_t)c->dims;
    if (c->dims > UINT32_MAX) return fail(err, PERC_EARG, "too many columns for a cone");
    c->norm = mem_array(e, p->n, sizeof *c->norm);
    c->g = mem_zeroed(e, c->dims, sizeof *c->g);
    c->listed = mem_zeroed(e, p->n, sizeof *c->listed);
    c->pick = mem_array(e, c->most, sizeof *c->pick);
    if (c->norm == NULL || c->g == NULL || c->listed == NULL || c->pick == NULL)
        return fail_memory(err);
    return margins_open(&c->m, p, positive, err);
}

static void close_all(struct cone *c, const struct problem *p)
{
    const struct env *e = &p->e;

    wolfe_free(&c->s);
    margins_close(&c->m);
    mem_free(e, c->norm, p->n, sizeof *c->norm);
    mem_free(e, c->g, c->dims, sizeof *c->g);
    mem_free(e, c->listed, p->n, sizeof *c->listed);
    mem_free(e, c->pick, c->most, sizeof *c->pick);
}

/* The power of two that brings x near 1. */
static double power_for(double x)
{
    int exponent;

    frexp(x, &exponent);
    return ldexp(1, 1 - exponent);
}

/* The lengths, and g. Zero rows count as listed: nothing can be had from them. */
static perc_status begin(struct cone *c, perc_error *err)
{
    const struct problem *p = c->m.p;
    double norm2;

    margins_norms(&c->m);
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row r = problem_row(p, &c->m.lens[0], i);
        const double y = problem_sign(p, i, c->m.positive);
        if (c->m.value[i] > norm2_max) c->unfit = true;
        c->norm[i] = sqrt(c->m.value[i]);
        c->listed[i] = c->m.value[i] < 1 / norm2_max;
        row_axpy(y, &r, c->g, p->dims);
        if (p->offset) c->g[p->dims] += y;
    }
    norm2 = vec_norm2(c->g, c->dims);
    if (!(norm2 <= norm2_max)) c->unfit = true;
    if (c->unfit) return PERC_OK;
    c->unit = norm2 > 1 / norm2_max ? power_for(sqrt(norm2)) : 1;
    for (uint64_t j = 0; j < c->dims; j++) c->g[j] *= c->unit;
    wolfe_init(&c->s, &p->e, c->dims, 1, 1e-14);
    c->s.apex = c->g;
    return wolfe_start(&c->s, err);
}

static perc_status list_row(struct cone *c, uint64_t i, perc_error *err)
{
    const struct problem *p = c->m.p;
    const struct row r = problem_row(p, &c->m.lens[0], i);
    const double scale = power_for(c->norm[i]);
    perc_status st = wolfe_point(&c->s, &r, problem_sign(p, i, c->m.positive), p->offset, i, err);

    c->listed[i] = true;
    if (st) return st;
    struct points *q = &c->s.p;
    for (size_t k = q->start[q->n - 1]; k < q->start[q->n]; k++) q->value[k] *= scale;
    q->norm2[q->n - 1] *= scale * scale;
    return PERC_OK;
}

/* A pass: what the rows have for their lengths. */
static void score(struct cone *c)
{
    margins_score(&c->m, c->s.x);
    for (uint64_t i = 0; i < c->m.p->n; i++)
        c->m.value[i] = c->norm[i] > 0 ? c->m.value[i] / c->norm[i] : 0;
}

static perc_status list_worst(struct cone *c, size_t *added, perc_error *err)
{
    /* z is a sum of numbers near 1: that much is rounding. */
    const double noise = 0x1p-50 * (double)(c->m.longest + 4);
    const double bar = -fmax(c->s.fine ? 0 : noise, 1e-12 * sqrt(c->s.norm2));
    perc_status st = PERC_OK;

    *added = margins_worst(&c->m, c->listed, bar, c->most, c->pick);
    for (size_t k = 0; k < *added && !st; k++) st = list_row(c, c->pick[k].row, err);
    return st;
}

/* What the end of a run over the list means, when no row had to join it. With 32 digits z
 * is known to some 20 of them, lambda being large at times. */
static enum cone_end meaning(const struct cone *c, enum wolfe_end end)
{
    if (end == WOLFE_ZERO || (c->s.fine && c->s.norm2 < 1e-36)) return CONE_ZERO;
    return end == WOLFE_BEST ? CONE_PLANE : end == WOLFE_STALLED ? CONE_STALLED : CONE_STOPPED;
}

/* With 16 digits for as long as that helps, then with 32. */
static perc_status improve(struct cone *c, perc_error *err)
{
    enum wolfe_end end;
    size_t added = 0;
    perc_status st;

    if (c->o->fine && (st = wolfe_refine(&c->s, err))) return st;
    for (int64_t pass = 0;; pass++) {
        if ((st = wolfe_run(&c->s, c->o->watch, pass, &end, err))) return st;
        c->out->end = meaning(c, end);
        score(c);
        if (c->out->end == CONE_ZERO || c->out->end == CONE_STOPPED) return PERC_OK;
        if ((st = list_worst(c, &added, err))) return st;
        /* A short z may be 0 but for rounding. */
        if (!c->s.fine && (end == WOLFE_STALLED || (added == 0 && c->s.norm2 < 1e-12))) {
            if ((st = wolfe_refine(&c->s, err))) return st;
        } else if (added == 0) {
            return PERC_OK;
        }
        c->out->end = CONE_STOPPED;
        if (pass >= c->o->passes || !watch_ask(c->o->watch, pass)) return PERC_OK;
    }
}

static perc_status hand_out(struct cone *c, perc_error *err)
{
    struct hard_corral *to = &c->out->rows;
    const struct wolfe *s = &c->s;
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
        to->lambda[i] = s->lambda[i].hi * power_for(c->norm[to->row[i]]) / c->unit;
    }
    memcpy(c->out->z, s->x, c->dims * sizeof *s->x);
    for (uint64_t i = 0; i < c->m.p->n; i++)
        c->out->cosine[i] = length > 0 ? c->m.value[i] / length : 0;
    c->out->length = length / fmax(sqrt(vec_norm2(c->g, c->dims)), 0x1p-1000);
    return PERC_OK;
}

perc_status cone_solve(const struct problem *p, uint32_t positive, const struct cone_options *o,
                       struct cone_result *out, perc_error *err)
{
    struct cone c = { .o = o, .out = out };
    perc_status st;

    out->end = CONE_STOPPED;
    out->rows = (struct hard_corral){ .n = 0 };
    out->length = 1;
    if (!(st = open_all(&c, p, positive, err)) && !(st = begin(&c, err)) && !c.unfit &&
        !(st = improve(&c, err)))
        st = hand_out(&c, err);
    close_all(&c, p);
    return st;
}
