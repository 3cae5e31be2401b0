/* dual.c -- the linear support vector machine by dual coordinate descent.
 *
 * In the dual (svm.h) one a_i at a time goes to where D is largest, the others fixed:
 *
 *     G = y_i w'.x'_i - 1 + d_i a_i,   Q_ii = |x'_i|^2 + d_i
 *     a_i <- min(max(a_i - G / Q_ii, 0), U_i),    w' = sum a_i y_i x'_i            (1)
 *
 * in a new random order in each pass (Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML
 * 2008, algorithm 3). Each pass is followed by a step further on (dual_push.c).
 *
 * Rows that seem to have arrived at a bound are left out (shrinking): those at 0 with G
 * above the largest violation of the last pass, those at U_i with G below the smallest,
 * until a check looks at every row again. Before that, a row that did nothing when it was
 * visited sits out a pass, then 3, 7, 15.
 *
 * The gap is a sum over the rows, all of whose terms are >= 0 (m_i = y_i w'.x'_i):
 *
 *     hinge    P - D = sum  a_i (m_i - 1)  or  (U_i - a_i) (1 - m_i),  whichever is >= 0
 *     squared  P - D = sum  a_i (m_i - 1) + a_i^2 / 4U_i  or  U_i (1 - m_i - a_i / 2U_i)^2
 *                      for m_i > 1, m_i <= 1                                       (2)
 *
 * A pass adds up these terms as it meets the rows. w' changes meanwhile and rows are left
 * out, so that is an estimate: it tells when a check is worth its time. The check
 * computes P from the scores of all rows, and D from the a_i and from a w' that was added
 * up anew, so that the rounding errors of millions of updates are not in it.
 *
 * Free offset. sum a_i y_i = 0 is not kept by (1). The offset gets a constant feature
 * sqrt(mu), and after each pass the multiplier of that condition, which is b, a step:
 *
 *     b = beta + mu sum a_i y_i,    beta <- b                                      (3)
 *
 * the method of multipliers (Hestenes 1969; Powell 1969), in the primal the proximal-point
 * method for (b - beta)^2 / 2 mu. A check takes the best b for w (svm_offset.c), and for D
 * the a_i of the side that is too heavy, scaled down to balance the other.
 *
 * Cost     O(nnz of the rows not left out) a pass; some 90 bytes a row and six w'.
 * Symbols  as in svm.h. */
#include <string.h>

#include "base/threads.h"
#include "solve/dual.h"
#include "vec/rng.h"
#include "vec/row_lanes.h"

enum {
    SLICE = 2048, /* rows summed up together, for any number of threads */
    FAR = 40,
    AHEAD = 24,
    NEAR = 12, /* rows ahead at which their items, blocks and values are fetched */
    GROUP = 16,
    TABLE = 16,        /* rows that stay together, groups that are shuffled together */
    GONE = 255,        /* in `nap`: to be left out */
    IDLE = 4,          /* visits without effect that are told apart */
    MANY_ROWS = 20000, /* of a pass: worth a second thread that brings them together */
    MANY = 10,         /* passes' worth of rows without a check */
    LONG = 4096,       /* columns: w does not fit the first cache */
    THREADS = 64
};

struct pass {
    double gap;       /* (2) as met */
    double low, high; /* projected gradients */
    uint64_t moved;   /* rows whose a_i changed */
    uint64_t gone;
};

/* ----- one row: (1) and (2) ----------------------------------------------------------- */

/* A term of (2); h = m_i - 1, d = d_i. */
DUAL_INLINE double term(bool squared, const struct item *it, double h, double d)
{
    const double u = fabs(it->u);

    if (!squared) return h > 0 ? it->a * h : (it->a - u) * h;
    return h > 0 ? it->a * h + it->a * it->a * d / 2 : u * (h + it->a * d) * (h + it->a * d);
}

/* Whether the row may be left out from now on; its projected gradient in *pg. */
DUAL_INLINE bool at_rest(const struct dual *s, bool squared, const struct item *it, double g,
                         double *pg)
{
    *pg = g;
    if (it->a == 0) {
        if (g > 0) *pg = 0;
        return g > s->high;
    }
    if (it->a == dual_upper(squared, it->u)) {
        if (g < 0) *pg = 0;
        return g < s->low;
    }
    return false;
}

enum visit { RESTS, IDLES, MOVES };

DUAL_INLINE enum visit visit(struct dual *s, bool squared, struct item *it, struct row x,
                             struct pass *pass)
{
    const struct row_values v = row_decode(&x, s->p->dims, s->value);
    const double y = dual_sign(it->u), d = dual_ridge(squared, it->u);
    const double h = y * (row_lane_dot(&x, &v, s->w) + s->b) - 1, g = h + d * it->a;
    double pg;

    if (at_rest(s, squared, it, g, &pg)) return RESTS;
    pass->gap += term(squared, it, h, d);
    if (pg > pass->high) pass->high = pg;
    if (pg < pass->low) pass->low = pg;
    if (pg == 0 || !isfinite(g)) return IDLES;
    const double a = dual_clip(squared, it->u, it->a - g / it->q), step = a - it->a;
    if (step == 0) return IDLES;
    s->rise -= step * (g + step * it->q / 2);
    it->a = a;
    row_add(step * y, &x, &v, s->w);
    s->b += s->mu * (step * y);
    return MOVES;
}

/* Asked after each row, or some of them, with the entries they had. False: the watch says no, once
 * and for all. */
DUAL_INLINE bool goes_on(struct dual *s, uint64_t *done, uint64_t entries)
{
    if (!watch_work(s->o->watch, done, entries + 8)) s->stopped = true;
    return !s->stopped;
}

/* ----- a pass --------------------------------------------------------------------------- */

/* The order of a pass. Rows scattered over memory have to be waited for, so GROUP rows that lie
 * side by side stay close together: the groups are shuffled, then the rows of each TABLE groups. */
static void deal_order(struct dual *s)
{
    struct rng r = rng_seed(s->o->seed, (uint64_t)s->passes);
    const uint64_t n = s->awake, groups = (n + GROUP - 1) / GROUP;
    uint64_t k = 0, from = 0;

    for (uint64_t g = 0; g < groups; g++) s->groups[g] = g;
    rng_shuffle(&r, s->groups, groups);
    for (uint64_t g = 0; g < groups; g++) {
        const uint64_t at = s->groups[g] * GROUP, end = n - at < GROUP ? n : at + GROUP;
        for (uint64_t i = at; i < end; i++) s->order[k++] = s->list[i];
        if ((g + 1) % TABLE == 0 || g + 1 == groups) {
            rng_shuffle(&r, s->order + from, k - from);
            from = k;
        }
    }
}

static void fetch_items(const struct dual *s, uint64_t k)
{
    if (k + FAR < s->awake) __builtin_prefetch(&s->item[s->order[k + FAR]], 1);
    if (k + AHEAD < s->awake) {
        const uint64_t ref = s->item[s->order[k + AHEAD]].ref;
        const struct block *b = &s->p->blocks[ref >> 32];
        if (b->start != NULL) __builtin_prefetch(&b->start[ref & UINT32_MAX]);
    }
    if (k + NEAR < s->awake) {
        const uint64_t ref = s->item[s->order[k + NEAR]].ref;
        const struct row x = block_row(&s->p->blocks[ref >> 32], (size_t)(ref & UINT32_MAX));
        row_prefetch(&x);
    }
}

/* Visits row i, which is x, and decides when to come back. */
DUAL_INLINE void call_on(struct dual *s, bool squared, uint64_t i, struct row x, struct pass *pass)
{
    static const unsigned char sits_out[IDLE] = { 1, 3, 7, 15 };

    switch (visit(s, squared, &s->item[i], x, pass)) {
    case RESTS:
        s->nap[i] = GONE;
        pass->gone++;
        break;
    case IDLES:
        s->nap[i] = sits_out[s->idle[i]];
        if (s->idle[i] < IDLE - 1) s->idle[i]++;
        break;
    default:
        s->idle[i] = 0;
        pass->moved++;
        break;
    }
}

DUAL_INLINE void visit_all(struct dual *s, bool squared, bool gathered, struct pass *pass)
{
    const struct block *b;
    uint64_t done = 0;
    bool go_on = true;

    for (uint64_t k = 0; k < s->awake && !gathered && go_on; k++) {
        const uint64_t i = s->order[k];
        fetch_items(s, k);
        const struct row x = dual_row(s, &s->lens[0], s->item[i].ref);
        call_on(s, squared, i, x, pass);
        go_on = goes_on(s, &done, x.n);
    }
    for (uint64_t k = 0; gathered && go_on && (b = gather_next(s->gather)) != NULL;)
        for (size_t j = 0; j < b->rows && go_on; j++, k++) {
            if (k + FAR < s->awake) __builtin_prefetch(&s->item[s->order[k + FAR]], 1);
            const struct row x = block_row(b, j);
            call_on(s, squared, s->order[k], x, pass);
            go_on = goes_on(s, &done, x.n);
        }
}

/* With many rows, a second thread that brings them together is worth it. */
static struct pass run_pass(struct dual *s)
{
    struct pass pass = { .low = INFINITY, .high = -INFINITY };

    s->awake = 0;
    for (uint64_t k = 0; k < s->active; k++) {
        const uint64_t i = s->rows[k];
        if (s->nap[i] > 0) s->nap[i]--;
        else s->list[s->awake++] = i;
    }
    deal_order(s);
    bool gathered = s->gather != NULL && s->awake >= MANY_ROWS;
    for (uint64_t k = 0; k < s->awake && gathered; k++) s->refs[k] = s->item[s->order[k]].ref;
    gathered = gathered && gather_begin(s->gather, s->refs, s->awake);
    if (s->squared) visit_all(s, true, gathered, &pass);
    else visit_all(s, false, gathered, &pass);
    if (gathered) gather_end(s->gather);
    s->visited += (double)s->awake;
    s->passes += !s->stopped;
    s->high = pass.high > 0 ? pass.high : INFINITY;
    s->low = pass.low < 0 ? pass.low : -INFINITY;
    return pass;
}

/* Removes the rows that are to be left out from the list. */
static void leave_out(struct dual *s)
{
    uint64_t kept = 0;

    for (uint64_t k = 0; k < s->active; k++) {
        const uint64_t i = s->rows[k];
        if (s->nap[i] != GONE) s->rows[kept++] = i; /* one that goes had no part in the last step */
        else s->nap[i] = s->idle[i] = 0;
    }
    s->active = kept;
}

/* ----- all rows: scores and sums ---------------------------------------------------------- */

static uint64_t slice_end(const struct dual *s, uint64_t from)
{
    return s->p->n - from < SLICE ? s->p->n : from + SLICE;
}

/* One at a time where rows are images: each lasts until the next. */
static void score_share(void *ud, int k)
{
    struct dual *s = ud;
    const uint64_t most = s->lens[k].map != NULL ? 1 : ROW_DOTS;
    struct row x[ROW_DOTS];
    uint64_t done = 0;

    for (uint64_t c = (uint64_t)k; c < s->slices; c += (uint64_t)s->threads) {
        const uint64_t to = slice_end(s, c * SLICE);
        for (uint64_t i = c * SLICE; i < to; i += most) {
            const int n = (int)(to - i < most ? to - i : most);
            for (int j = 0; j < n; j++)
                x[j] = dual_row(s, &s->lens[k], s->item[i + (uint64_t)j].ref);
            row_dots(x, n, s->w, s->p->dims, s->score + i);
            if (!goes_on(s, &done, x[0].n * (size_t)n)) return;
        }
    }
}

/* Sums over a slice of rows, or all. */
struct loss_sums {
    double loss;    /* C c_i xi_i^q */
    double alpha;   /* a_i          */
    double square;  /* d_i a_i^2    */
    double balance; /* a_i y_i      */
};

/* Slice by slice: errors grow with the length of a sum. */
static struct loss_sums sum_all(const struct dual *s, double b)
{
    struct loss_sums all = { 0 };

    for (uint64_t from = 0, to; from < s->p->n; from = to) {
        struct loss_sums sum = { 0 };
        to = slice_end(s, from);
        for (uint64_t i = from; i < to; i++) {
            const struct item *it = &s->item[i];
            const double y = dual_sign(it->u), u = fabs(it->u), xi = 1 - y * (s->score[i] + b);
            if (xi > 0) sum.loss += s->squared ? u * xi * xi : u * xi;
            sum.alpha += it->a;
            sum.square += dual_ridge(s->squared, it->u) * it->a * it->a;
            sum.balance += it->a * y;
        }
        all.loss += sum.loss;
        all.alpha += sum.alpha;
        all.square += sum.square;
        all.balance += sum.balance;
    }
    return all;
}

/* ----- free offset -------------------------------------------------------------------- */

/* Whether the row is one of those to scale down: on the heavier side and, if `inner`, not at its
 * upper bound. */
static bool is_cut(const struct dual *s, const struct item *it, double side, bool inner)
{
    return it->a > 0 && dual_sign(it->u) == side &&
           (!inner || it->a < dual_upper(s->squared, it->u));
}

static double sum_cut(const struct dual *s, double side, bool inner)
{
    double sum = 0;

    for (uint64_t i = 0; i < s->p->n; i++)
        if (is_cut(s, &s->item[i], side, inner)) sum += s->item[i].a;
    return sum;
}

/* D of the a_i with those of the heavier side scaled down so that they balance; the inner
 * ones alone if they are enough: they have G = 0, and D hardly notices. */
static double balanced_bound(struct dual *s, const struct loss_sums *all)
{
    const double side = all->balance > 0 ? 1 : -1, excess = fabs(all->balance);
    const bool inner = sum_cut(s, side, true) >= excess;
    const double sum = sum_cut(s, side, inner), cut = sum > 0 ? excess / sum : 0;
    double square = all->square, w2 = 0;
    uint64_t done = 0;

    memset(s->part, 0, (size_t)s->p->dims * sizeof *s->part);
    for (uint64_t i = 0; i < s->p->n; i++) {
        const struct item *it = &s->item[i];
        if (!is_cut(s, it, side, inner)) continue;
        const struct row x = dual_row(s, &s->lens[0], it->ref);
        row_axpy(it->a * side, &x, s->part, s->p->dims);
        square -= dual_ridge(s->squared, it->u) * it->a * it->a * cut * (2 - cut);
        if (!goes_on(s, &done, x.n)) return -INFINITY;
    }
    for (uint64_t j = 0; j < s->p->dims; j++) {
        const double v = s->w[j] - cut * s->part[j];
        w2 += v * v;
    }
    /* Where nearly all is cut off, the rest may be nothing but rounding errors. */
    return all->alpha - excess - w2 / 2 - square / 2 - 0x1p-50 * all->alpha;
}

/* ----- the bounds ------------------------------------------------------------------------- */

static void keep_primal(struct dual *s, double primal, double b)
{
    if (!(primal < s->primal)) return; /* NaN is not a P */
    s->checked = true;
    s->primal = primal;
    s->best_b = b;
    memcpy(s->best_w, s->w, (size_t)s->p->dims * sizeof *s->w);
}

/* Keeps the present P, and returns D, which is as good as w is the sum of its terms; if it was
 * stopped, -infinity. */
static double find_bounds(struct dual *s)
{
    double b = s->b;

    threads_run(s->threads, score_share, s);
    if (s->stopped) return -INFINITY;
    if (s->free) b = svm_best_offset(s->score, s->signed_u, s->p->n, s->o->loss);
    const struct loss_sums all = sum_all(s, b);
    const double norm2 = row_lanes_dot(s->w, s->w, s->p->dims) + (s->free ? 0 : b * b);
    keep_primal(s, norm2 / 2 + all.loss, b);
    return s->free ? balanced_bound(s, &all) : all.alpha - norm2 / 2 - all.square / 2;
}

/* The same with w' = sum a_i y_i x'_i added up again: D is kept too. */
static double find_bounds_well(struct dual *s)
{
    uint64_t done = 0;

    memset(s->fresh, 0, (size_t)s->p->dims * sizeof *s->fresh);
    for (uint64_t i = 0; i < s->p->n; i++) {
        const struct item *it = &s->item[i];
        if (it->a == 0) continue;
        const struct row x = dual_row(s, &s->lens[0], it->ref);
        row_axpy(it->a * dual_sign(it->u), &x, s->fresh, s->p->dims);
        if (!goes_on(s, &done, x.n)) return -INFINITY;
    }
    memcpy(s->w, s->fresh, (size_t)s->p->dims * sizeof *s->w);
    if (!s->free && s->mu > 0) s->b = sum_all(s, s->b).balance;
    const double bound = find_bounds(s);
    if (bound > s->bound && bound < INFINITY) s->bound = bound;
    return bound;
}

static bool is_small(const struct dual *s, double gap)
{
    return isfinite(s->primal) && gap <= s->o->gap * s->primal;
}

/* Whether the gap is small enough. `estimate` is the last pass's; sure: find the bounds well at
 * once. */
static bool check_gap(struct dual *s, double estimate, bool sure)
{
    double bound = sure ? find_bounds_well(s) : find_bounds(s);

    if (!sure && !s->stopped && is_small(s, s->primal - bound)) bound = find_bounds_well(s);
    if (s->stopped) return false;
    const double ratio = (s->primal - bound) / estimate;
    s->ratio = ratio < 2 ? ratio > 0.3 ? ratio : 0.3 : 2;
    s->visited = 0;
    return is_small(s, s->primal - s->bound);
}

/* The list after a check: all rows except those that its scores show to be at rest. `all`: these
 * too. */
static void choose_rows(struct dual *s, bool all)
{
    s->active = 0;
    for (uint64_t i = 0; i < s->p->n; i++) {
        const struct item *it = &s->item[i];
        const double h = dual_sign(it->u) * (s->score[i] + s->b) - 1;
        double pg;
        const bool rests = at_rest(s, s->squared, it, h + dual_ridge(s->squared, it->u) * it->a,
                                   &pg);
        if (pg != 0 || all || s->nap[i] == GONE) s->nap[i] = s->idle[i] = 0;
        /* A row with a part in the last step stays until that part is taken out. */
        const bool stays = s->pushes && s->last.a[i] != 0;
        if (!rests || all || stays) s->rows[s->active++] = i;
    }
}

/* ----- beginning and end -------------------------------------------------------------------- */

static void set_items(void *ud, int k)
{
    struct dual *s = ud;
    const struct problem *p = s->p;
    uint64_t done = 0;

    for (uint64_t c = (uint64_t)k; c < s->slices; c += (uint64_t)s->threads)
        for (uint64_t i = c * SLICE; i < slice_end(s, c * SLICE); i++) {
            const struct row x = dual_row(s, &s->lens[k], p->ref[i]);
            double u = s->o->c * problem_cost(p, i);
            if (!(u <= DBL_MAX)) u = DBL_MAX;
            if (u < DBL_MIN) u = DBL_MIN; /* so that 1 / 2u is a number */
            s->item[i] = (struct item){ .u = problem_sign(p, i, s->positive) * u,
                                        .ref = p->ref[i] };
            s->item[i].q = p->norm2 != NULL ? p->norm2[i] : row_norm2(&x);
            s->item[i].q += s->mu;
            s->item[i].q += dual_ridge(s->squared, u);
            s->rows[i] = i;
            if (s->free) s->signed_u[i] = s->item[i].u;
            if (!goes_on(s, &done, x.n)) return;
        }
}

static void free_dual(struct dual *s)
{
    gather_free(s->gather);
    for (int k = 0; k < s->threads && s->lens != NULL; k++) lens_free(&s->lens[k]);
    pool_free(&s->pool);
}

static perc_status new_dual(struct dual *s, perc_error *err)
{
    const struct problem *p = s->p;
    /* dual_push.c is worth it only where a pass has more to do than w has numbers: only then is it
     * cheap compared to the pass. The squared hinge needs it less: with a long w more has to be
     * gained. */
    const double share = s->squared && p->dims > LONG ? 64 : 1;
    double entries = 0;
    perc_status st = PERC_OK;

    pool_init(&s->pool, &p->e);
    s->item = pool_zeroed(&s->pool, p->n, sizeof *s->item);
    s->rows = pool_array(&s->pool, p->n, sizeof *s->rows);
    s->list = pool_array(&s->pool, p->n, sizeof *s->list);
    s->order = pool_array(&s->pool, p->n, sizeof *s->order);
    s->groups = pool_array(&s->pool, p->n / GROUP + 1, sizeof *s->groups);
    s->nap = pool_zeroed(&s->pool, p->n, sizeof *s->nap);
    s->idle = pool_zeroed(&s->pool, p->n, sizeof *s->idle);
    s->score = pool_zeroed(&s->pool, p->n, sizeof *s->score);
    s->best_w = pool_zeroed(&s->pool, p->dims, sizeof *s->best_w);
    s->fresh = pool_array(&s->pool, p->dims, sizeof *s->fresh);
    s->lens = pool_zeroed(&s->pool, (size_t)s->threads, sizeof *s->lens);
    if (s->free) s->signed_u = pool_array(&s->pool, p->n, sizeof *s->signed_u);
    if (s->free) s->part = pool_array(&s->pool, p->dims, sizeof *s->part);
    if (s->pool.failed) return fail_memory(err);
    for (int k = 0; k < s->threads && !st; k++) st = problem_lens(p, &s->lens[k], err);
    if (st) return st;
    for (uint64_t i = 0; i < p->n; i++) {
        const size_t n = problem_block_row(p, i).n;
        entries += (double)n;
        if (n > s->longest) s->longest = n;
    }
    if (s->lens[0].map != NULL) s->longest = s->lens[0].cap;
    s->pushes = share * (double)p->dims <= entries;
    s->value = pool_array(&s->pool, s->longest, sizeof *s->value);
    dual_push_new(s);
    if (s->pool.failed) return fail_memory(err);
    if (s->lens[0].map != NULL) return PERC_OK; /* the images are what takes time */
    if (gather_new(&p->e, p->blocks, p->block_count, GATHER_WORTH, &s->gather))
        return fail_memory(err);
    if (s->gather != NULL) s->refs = pool_array(&s->pool, p->n, sizeof *s->refs);
    return s->pool.failed ? fail_memory(err) : PERC_OK;
}

/* a = 0, w' = 0: P is what the rows cost, D = 0. */
static void begin_dual(struct dual *s)
{
    const uint64_t n = s->p->n;

    memset(s->w, 0, (size_t)s->p->dims * sizeof *s->w);
    threads_run(s->threads, set_items, s);
    if (s->stopped) return;
    if (s->free) { /* a constant feature about as large as a row */
        double mean = 0;
        for (uint64_t i = 0; i < n; i++)
            mean += (s->item[i].q - dual_ridge(s->squared, s->item[i].u)) / (double)n;
        s->mu = mean > 0 && mean < 1e100 ? mean : 1;
        for (uint64_t i = 0; i < n; i++) s->item[i].q += s->mu;
        s->b = svm_best_offset(s->score, s->signed_u, n, s->o->loss);
    }
    s->active = s->p->n;
    s->low = -INFINITY;
    s->high = INFINITY;
    s->ratio = 0.7;
    s->primal = sum_all(s, s->b).loss;
    s->best_b = s->b;
}

static bool run_passes(struct dual *s)
{
    if (s->stopped) return false;
    if (is_small(s, s->primal - s->bound)) return true;
    while (s->passes < s->o->passes && watch_ask(s->o->watch, s->passes)) {
        dual_remember(s);
        const struct pass pass = run_pass(s);
        if (s->stopped) return false;
        dual_measure_step(s);
        const bool whole = s->awake == s->p->n, still = pass.moved == 0;
        const bool near = pass.gap * s->ratio <= s->o->gap * (s->rise + pass.gap);
        const bool look_now = near || still || s->visited >= MANY * (double)s->p->n;
        if (look_now && check_gap(s, pass.gap, near || still)) return true;
        if (s->stopped) return false;
        dual_push(s);
        if (still) { /* everything again, by the scores of the last check */
            s->low = -INFINITY;
            s->high = INFINITY;
        }
        if (still || look_now) choose_rows(s, still);
        else if (pass.gone > 0) leave_out(s);
        const double b = s->b;
        if (s->free) s->b += s->mu * sum_all(s, b).balance; /* the step of the multiplier (3) */
        if (still && whole && s->b == b) return false;      /* nothing moves any more */
    }
    find_bounds_well(s);
    return !s->stopped && is_small(s, s->primal - s->bound);
}

/* Who is stopped has no time for another look at all rows: what is returned is that of the last
 * check or, if there was none, w as it stands, whose P nobody knows. */
static void give_unchecked(struct dual *s)
{
    s->primal = NAN;
    s->best_b = s->b;
    memcpy(s->best_w, s->w, (size_t)s->p->dims * sizeof *s->w);
}

perc_status svm_dual(const struct problem *p, uint32_t positive, const struct svm_options *o,
                     double *w, double *b, struct svm_result *out, perc_error *err)
{
    struct dual s = { .p = p, .positive = positive, .o = o, .w = w };
    perc_status st;

    *out = (struct svm_result){ 0 };
    s.squared = o->loss == SVM_SQUARED;
    s.free = o->free_offset;
    s.mu = p->offset && !s.free ? 1 : 0;
    s.slices = (p->n + SLICE - 1) / SLICE;
    const int most = p->e.threads < THREADS ? p->e.threads : THREADS;
    s.threads = s.slices < 2 || most < 1 ? 1 : s.slices < (uint64_t)most ? (int)s.slices : most;
    if (!(st = new_dual(&s, err))) {
        begin_dual(&s);
        out->solved = run_passes(&s);
        if (s.stopped && !s.checked) give_unchecked(&s);
        memcpy(w, s.best_w, (size_t)p->dims * sizeof *w);
        *b = p->offset ? s.best_b : 0;
        out->primal = s.primal;
        out->dual = s.bound > s.primal ? s.primal : s.bound; /* rounding */
        out->passes = s.passes;
        for (uint64_t i = 0; i < p->n; i++) out->supports += s.item[i].a > 0;
    }
    free_dual(&s);
    return st;
}
