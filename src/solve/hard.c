/* hard.c -- the maximum-margin separator, with bounds.
 *
 *     gamma' = min over lambda in the simplex of |sum lambda_i a_i|,   a_i = y_i x'_i
 *
 * is the distance of the origin from the hull of the a_i, and w' its nearest point x, found by
 * row generation (workset.h): rows that lie before it have a_i.x < |x|^2. The geometric margin is
 * half the distance of the origin from the hull of all differences of rows of the two classes
 * (pairs.h); w is the nearest point, and b puts the plane halfway between the classes. In what
 * follows b is added to all scores: without it they may be far larger than the margin.
 *
 * Each pass gives both bounds. From below: min_i a_i.x / |x|, whatever x is. The scores
 * are rounded, each by at most e = (n + 4) 2^-52 |x| R, n the entries of the longest row;
 * those within 2 e of the least are computed again with 32 digits (twofold.h), so that
 * the minimum is the true one to a few units of the last place, which are taken off.
 * From above: |x|, computed from lambda with 32 digits.
 *
 * The work is done with 16 digits for as long as that helps, then with 32. No separating
 * hyperplane: x goes to 0, to 10^-25 R, and lambda says which rows hold the origin.
 *
 * Squares of very large or small numbers are infinite or 0. Such rows are copied, each
 * number and the constant feature times a power of two, which rounds nothing, and what
 * is found for the copies is scaled back.
 *
 * Threads share the passes, in slices that do not depend on their number; all else is
 * done by one. So the result is the same for any number of them. */
#include "solve/hard.h"

#include <string.h>

#include "solve/pairs.h"

static const double slack = 16 * 0x1p-53; /* what a few roundings cost, relatively */
static const double norm2_max = 1e180;    /* products of rows must neither overflow nor vanish:
                                              |x|^2 goes down to 10^-50 R^2, with 32 digits */
static const double finest = 1e-14;       /* a smaller gap cannot be closed */

struct hard {
    const struct hard_options *o;
    struct hard_result *out;
    struct problem p; /* hulls: without an offset until the norms are known */
    struct workset g;
    struct pairs pairs; /* hulls; and a lens for the second row of a pair */
    struct lens lens;
    double gap;
    bool scaled;     /* the largest number is 1/2 .. 1, or all are 0 */
    bool unfit;      /* the numbers are too large, or too small: nothing was done */
    struct two *sum; /* dims + 1 */
    double *plane;   /* dims + 1: x, and b where the hulls are asked for */
    double *best;    /* dims + 1: that of the best lower bound */
    bool any;        /* there is one */
};

/* The b for which both classes are equally far, added to the scores. */
static void centre_scores(struct hard *h)
{
    struct margins *m = &h->g.m;

    pairs_least(&h->pairs, m);
    const double b = (h->pairs.least[0] - h->pairs.least[1]) / 2;
    h->plane[h->g.dims] = b;
    h->sum[h->g.dims] = two_of(b);
    for (uint64_t i = 0; i < m->p->n; i++) m->value[i] += problem_sign(m->p, i, m->positive) * b;
}

/* A pass with the current x, and what follows from it for the margin. */
static void bound_margin(struct hard *h)
{
    const bool hulls = h->o->hulls;
    const double half = hulls ? 0.5 : 1;
    struct hard_result *out = h->out;
    struct margins *m = &h->g.m;
    struct wolfe *s = &h->g.s;
    const double error = margins_error(m, sqrt(s->norm2), out->radius) / half; /* b rounds, too */
    struct two norm2 = { 0, 0 }, *x = h->sum;

    memcpy(h->plane, s->x, h->g.dims * sizeof *h->plane);
    h->plane[h->g.dims] = 0;
    margins_score(m, h->plane);
    if (m->stopped) return; /* nothing is known of this x */
    h->g.passes++;
    out->upper = fmin(out->upper, half * wolfe_upper(s, h->sum) * (1 + slack));
    /* x itself: lambda gives another one, by rounding */
    for (uint64_t j = 0; j < h->g.dims; j++) x[j] = s->fine ? s->fine_x[j] : two_of(s->x[j]);
    if (hulls) centre_scores(h);
    /* While fine, all those near |x|^2 are wanted with 32 digits, to choose by. */
    const double near = m->value[margins_least(m)];
    double bar = near + 2 * error;
    if (s->fine) bar = fmax(bar, (hulls ? s->norm2 - near : s->norm2) + error);
    margins_exact(m, x, nextafter(bar, INFINITY));
    if (m->stopped) return;
    if (hulls) pairs_least(&h->pairs, m);
    const double least = hulls ? (h->pairs.least[0] + h->pairs.least[1]) / 2
                               : m->value[margins_least(m)];
    for (uint64_t j = 0; j < h->g.dims; j++)
        if (x[j].hi != 0) norm2 = two_add(norm2, two_mul(x[j], x[j]));
    const double length = two_root(norm2).hi;
    const double rest = (double)(m->longest + 4) * 4 * TWO_UNIT * out->radius;
    const double lower = length > 0 ? least / length * (least > 0 ? 1 - slack : 1 + slack) - rest
                                    : 0;
    if (h->any && !(lower > out->lower)) return;
    out->lower = lower;
    memcpy(h->best, h->plane, (h->g.dims + 1) * sizeof *h->best);
    h->any = true;
}

static bool gap_closed(const struct hard *h)
{
    return h->out->lower > 0 && h->out->upper - h->out->lower <= h->gap * h->out->upper;
}

/* For pairs_add. */
static perc_status make_pair(void *ud, uint64_t q, uint64_t p, perc_error *err)
{
    struct hard *h = ud;
    const struct row plus = problem_row(&h->p, &h->g.m.lens[0], p);
    const struct row minus = problem_row(&h->p, &h->lens, q);
    const perc_status st = wolfe_difference(&h->g.s, &plus, &minus, h->pairs.n, err);

    return st ? st : pairs_note(&h->pairs, &h->p.e, q, p, err);
}

/* R, and the first point: the row nearest to the origin, or the first row of each class. */
static perc_status begin_hull(struct hard *h, perc_error *err)
{
    struct workset *g = &h->g;
    const uint64_t n = h->p.n;
    const bool hulls = h->o->hulls;
    double largest = 0;
    uint64_t first[2] = { 0, 0 };
    perc_status st;

    h->sum = pool_zeroed(&g->pool, g->dims + 1, sizeof *h->sum);
    h->plane = pool_zeroed(&g->pool, g->dims + 1, sizeof *h->plane);
    h->best = pool_zeroed(&g->pool, g->dims + 1, sizeof *h->best);
    if (g->pool.failed) return fail_memory(err);
    margins_norms(&g->m);
    g->passes++;
    for (uint64_t i = 0; i < n; i++) largest = fmax(largest, g->m.value[i]);
    h->out->radius = h->out->upper = sqrt(largest);
    h->unfit = !h->scaled && !(largest <= norm2_max && largest >= 1 / norm2_max);
    if (h->unfit) return PERC_OK;
    if (hulls && largest > 0) {
        const double spread = margins_spread(&g->m, sqrt(largest), h->plane);
        largest *= spread * spread;
    }
    wolfe_init(&g->s, &h->p.e, g->dims, largest > 0 ? largest : 1, h->gap);
    if (hulls) {
        h->p.offset = true; /* of the scores, from here on */
        for (uint64_t i = n; i-- > 0;) first[!h->pairs.skip[1][i]] = i;
        st = make_pair(h, first[0], first[1], err);
    } else {
        st = workset_add(g, margins_least(&g->m), err);
    }
    return st ? st : wolfe_start(&g->s, err);
}

/* Finds both bounds; the rows furthest before x join the list. */
static perc_status look_at_hull(void *ud, enum wolfe_end end, enum workset_next *next,
                                perc_error *err)
{
    struct hard *h = ud;
    struct workset *g = &h->g;
    size_t added;
    perc_status st;

    *next = WORKSET_REFINE;
    if (!g->s.fine && end == WOLFE_ZERO && !h->o->coarse) return PERC_OK;
    bound_margin(h);
    *next = WORKSET_DONE;
    if (g->m.stopped || gap_closed(h) || end == WOLFE_ZERO || end == WOLFE_STOPPED) return PERC_OK;
    const double bar = g->s.norm2 * (1 - 0.5 * h->gap);
    st = h->o->hulls ? pairs_add(&h->pairs, g, bar, make_pair, h, &added, err)
                     : workset_add_worst(g, bar, &added, err);
    if (st) return st;
    *next = workset_after(g, end, added);
    return PERC_OK;
}

/* The best x as w', its least score 1. Whether the scores, computed in the usual way, have the
 * right signs is tested on the w' that is returned. */
static void give_plane(struct hard *h, double *w, double *b)
{
    struct hard_result *out = h->out;
    const struct problem *p = &h->p;
    double m = 0;

    for (int turn = 0; turn < 2; turn++) {
        margins_score(&h->g.m, h->best);
        if (h->g.m.stopped) m = 0;
        else m = h->g.m.value[margins_least(&h->g.m)];
        if (turn == 0 && m > 0)
            for (uint64_t j = 0; j <= h->g.dims; j++) h->best[j] /= m;
    }
    memcpy(w, h->best, p->dims * sizeof *w);
    *b = p->offset ? h->best[p->dims] : 0;
    out->solved = gap_closed(h);
    if (m > 0 && out->lower > 0) out->verdict = HARD_SEPARABLE;
    else if (!(out->lower > 0) && out->upper <= HARD_ZERO * out->radius) {
        out->verdict = HARD_INSEPARABLE;
        out->solved = true;
    }
}

/* The rows with lambda_i > 0: how many, the first of them, and all in the corral if that is
 * wanted. */
static perc_status give_rows(struct hard *h, perc_error *err)
{
    const struct wolfe *s = &h->g.s;
    struct hard_corral *c = h->o->corral;
    bool *supports = h->g.listed; /* nobody asks any more */
    size_t at = 0;

    memset(supports, 0, h->p.n * sizeof *supports);
    for (size_t i = 0; i < s->k; i++) {
        const uint64_t number = s->p.row[s->member[i]];
        if (!(s->lambda[i].hi > 0)) continue;
        if (!h->o->hulls) supports[number] = true;
        else supports[h->pairs.row[number][0]] = supports[h->pairs.row[number][1]] = true;
    }
    h->out->supports = 0;
    for (uint64_t i = 0; i < h->p.n; i++) {
        if (!supports[i]) continue;
        if (h->out->supports < HARD_WITNESSES) h->out->witness[h->out->supports] = i;
        h->out->supports++;
    }
    if (c == NULL) return PERC_OK;
    hard_corral_free(&s->e, c);
    c->n = (size_t)h->out->supports;
    c->row = mem_array(&s->e, c->n, sizeof *c->row);
    c->lambda = mem_array(&s->e, c->n, sizeof *c->lambda);
    if (c->row == NULL || c->lambda == NULL) {
        hard_corral_free(&s->e, c);
        return fail_memory(err);
    }
    for (size_t i = 0; i < s->k; i++) {
        if (!(s->lambda[i].hi > 0)) continue;
        c->row[at] = s->p.row[s->member[i]];
        c->lambda[at++] = s->lambda[i].hi;
    }
    return PERC_OK;
}

void hard_corral_free(const struct env *e, struct hard_corral *c)
{
    mem_free(e, c->row, c->n, sizeof *c->row);
    mem_free(e, c->lambda, c->n, sizeof *c->lambda);
    *c = (struct hard_corral){ .n = 0 };
}

/* *unfit: the numbers are out of range, and nothing was done. NULL: they are in range. */
static perc_status solve_as_is(const struct problem *p, uint32_t positive,
                               const struct hard_options *o, double *w, double *b,
                               struct hard_result *out, bool *unfit, perc_error *err)
{
    struct hard h = { .o = o,
                      .out = out,
                      .p = *p,
                      .g = { .watch = o->watch, .limit = o->passes },
                      .gap = fmax(o->gap, finest),
                      .scaled = unfit == NULL };
    perc_status st;

    *out = (struct hard_result){ .verdict = HARD_UNDECIDED };
    if (o->hulls) h.p.offset = false;
    h.g.dims = h.p.dims + h.p.offset;
    st = workset_open(&h.g, &h.p, positive, "the hard margin", err);
    if (!st && o->hulls && !(st = pairs_open(&h.pairs, &h.g, err)))
        st = problem_lens(&h.p, &h.lens, err);
    if (!st) st = begin_hull(&h, err);
    h.g.m.watch = o->watch;
    if (!st && !h.unfit && !(st = workset_run(&h.g, look_at_hull, &h, err))) {
        if (!h.any) bound_margin(&h);
        if (!h.any) { /* stopped in the first pass: x as it is, and what is true of any plane */
            memcpy(h.best, h.plane, (h.g.dims + 1) * sizeof *h.best);
            out->lower = -out->radius;
        }
        give_plane(&h, w, b);
        st = give_rows(&h, err);
    }
    out->passes = h.g.passes;
    if (unfit != NULL) *unfit = h.unfit;
    pairs_close(&h.pairs, &p->e);
    lens_free(&h.lens);
    workset_close(&h.g);
    return st;
}

/* ----- numbers out of range ----------------------------------------------------------- */

/* All x'_i, each number times 2^-exponent, as rows without an offset; for the hulls all x_i. */
struct scaled {
    struct pool pool;
    struct problem p;
    struct block block;
    int exponent; /* the largest number is then 1/2 .. 1 */
};

static perc_status scaled_new(struct scaled *s, const struct problem *p, bool hulls,
                              perc_error *err)
{
    const bool constant = p->offset && !hulls;
    double largest = constant ? 1 : 0;
    size_t entries = 0, at = 0;
    struct lens lens = { 0 };
    perc_status st;

    *s = (struct scaled){ .p = *p };
    pool_init(&s->pool, &p->e);
    if ((st = problem_lens(p, &lens, err))) return st;
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row r = problem_row(p, &lens, i);
        for (size_t k = 0; k < r.n; k++)
            if (row_column(&r, k) < p->dims) largest = fmax(largest, fabs(row_value(&r, k)));
        entries += r.n + 1;
    }
    frexp(largest, &s->exponent);
    uint64_t *start = pool_array(&s->pool, p->n + 1, sizeof *start);
    uint64_t *ref = pool_array(&s->pool, p->n, sizeof *ref);
    uint32_t *column = pool_array(&s->pool, entries, sizeof *column);
    double *value = pool_array(&s->pool, entries, sizeof *value);
    for (uint64_t i = 0; i < p->n && !s->pool.failed; i++) {
        const struct row r = problem_row(p, &lens, i);
        start[i] = at;
        ref[i] = ref_make(0, i);
        for (size_t k = 0; k <= r.n; k++) { /* the last one is the offset */
            const uint64_t c = k < r.n ? row_column(&r, k) : p->dims;
            if (k < r.n ? c >= p->dims : !constant) continue;
            column[at] = (uint32_t)c;
            value[at++] = ldexp(k < r.n ? row_value(&r, k) : 1, -s->exponent);
        }
        start[i + 1] = at;
    }
    lens_free(&lens);
    s->block = (struct block){ .rows = (size_t)p->n,
                               .values = VALUES_F64,
                               .indices = INDEX_U32,
                               .value = value,
                               .index = column,
                               .start = start };
    s->p.blocks = &s->block;
    s->p.block_count = 1;
    s->p.map = NULL;
    s->p.dims = p->dims + (constant ? 1 : 0);
    s->p.offset = hulls;
    s->p.ref = ref;
    return s->pool.failed ? fail_memory(err) : PERC_OK;
}

/* x' is multiplied by 2^-exponent, so w' is too, and lengths by 2^exponent; w' by less where it
 * would not be finite. For the hulls b stays as it is, but for that. */
static perc_status solve_scaled(const struct problem *p, uint32_t positive,
                                const struct hard_options *o, double *w, double *b,
                                struct hard_result *out, perc_error *err)
{
    const uint64_t dims = p->dims + (p->offset ? 1 : 0);
    double *both = mem_zeroed(&p->e, dims, sizeof *both), outside = 0, largest = 0;
    struct margins m;
    struct scaled s;
    int most;
    perc_status st;

    if (both == NULL) return fail_memory(err);
    st = scaled_new(&s, p, o->hulls, err);
    if (!st) st = solve_as_is(&s.p, positive, o, both, &outside, out, NULL, err);
    pool_free(&s.pool);
    if (!st) {
        for (uint64_t j = 0; j < dims; j++) largest = fmax(largest, fabs(both[j]));
        frexp(largest, &most);
        const int shift = -s.exponent < 1024 - most ? -s.exponent : 1024 - most;
        for (uint64_t j = 0; j < dims; j++) both[j] = ldexp(both[j], shift);
        if (o->hulls) both[p->dims] = ldexp(outside, shift + s.exponent);
        out->lower = ldexp(out->lower, s.exponent);
        out->upper = ldexp(out->upper, s.exponent);
        out->radius = ldexp(out->radius, s.exponent);
    }
    if (!st && out->verdict == HARD_SEPARABLE) {
        /* Whether the scores of the rows themselves have the right signs: w' may have lost
         * digits when it was scaled back. */
        if (!(st = margins_open(&m, p, positive, err))) {
            margins_score(&m, both);
            if (!(m.value[margins_least(&m)] > 0)) out->verdict = HARD_UNDECIDED;
        }
        margins_close(&m);
    }
    if (!st) {
        memcpy(w, both, p->dims * sizeof *w);
        if (p->offset) *b = both[p->dims];
    }
    mem_free(&p->e, both, dims, sizeof *both);
    return st;
}

static bool one_class(const struct problem *p, uint32_t positive)
{
    for (uint64_t i = 1; i < p->n; i++)
        if ((p->class[i] == positive) != (p->class[0] == positive)) return false;
    return true;
}

perc_status hard_solve(const struct problem *p, uint32_t positive, const struct hard_options *o,
                       double *w, double *b, struct hard_result *out, perc_error *err)
{
    bool unfit = false;
    perc_status st;

    memset(w, 0, p->dims * sizeof *w);
    *b = 0;
    *out = (struct hard_result){ .verdict = HARD_UNDECIDED };
    if (p->n == 0) return PERC_OK;
    if (o->hulls && one_class(p, positive)) { /* a plane may be arbitrarily far away */
        *b = problem_sign(p, 0, positive);
        *out = (struct hard_result){ .solved = true, .lower = INFINITY, .upper = INFINITY };
        return PERC_OK;
    }
    st = solve_as_is(p, positive, o, w, b, out, &unfit, err);
    return st || !unfit ? st : solve_scaled(p, positive, o, w, b, out, err);
}
