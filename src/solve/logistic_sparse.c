/* logistic_sparse.c -- logistic regression with l1 or elastic net, by coordinate descent inside
 * Newton's method (newGLMNET: Yuan, Ho, Lin, JMLR 13, 2012).
 *
 *     P(w') = sum_j (t_j |w_j| + r_j w_j^2 / 2) + sum_i loss_i(m_i)
 *
 * t_j = share, r_j = 1 - share, both 0 for a free offset. At w', with g the gradient of all but the
 * sizes and H = sum u_i x'_i x'_i' + r, a step d is sought that makes
 *
 *     g.d + d.H d / 2 + sum t_j |w_j + d_j|                                          (1)
 *
 * small: one number d_j at a time goes to its best value, which is 0 - w_j for most, in a new
 * random order each pass; q_i = y_i x'_i.d is kept for it. Columns whose weight is 0 and stays
 * there, as their part of the gradient says, are left out until all are looked at again, before
 * every step. Then a step is halved until P falls by enough.
 *
 * The bound (logistic.h). With a = U / (1 + e^m) and v = sum a_i y_i x'_i, which is in g already,
 * l1 wants |v_j| <= 1, so a is scaled down by the largest; with elastic net it may be, or not,
 * and the better bound counts. With a free offset the heavier side is scaled down before.
 *
 * With few columns H is made as a matrix, and a pass over d costs no look at the rows.
 *
 * The rows are turned: coordinate descent needs them by columns, 12 bytes an entry. Sums along a
 * column are in the order of the rows; sums over rows are those of walk.h. So any number of threads
 * gives the same bits. */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "base/threads.h"
#include "solve/logistic.h"
#include "solve/logistic_loss.h"
#include "solve/walk.h"
#include "vec/rng.h"

enum {
    TASKS = 64,  /* that columns are dealt to */
    PASSES = 50, /* of coordinate descent for one step, at most */
    PASSES_GRAM = 2000,
    GRAM_COLUMNS = 1500, /* H as a matrix, up to so many columns */
    GRAM_ENTRIES = 400,  /* ... and entries of a row */
    HALVINGS = 40,       /* of a step */
    STALLED = 5          /* steps without progress: rounding has the last word */
};

static const double FAR = 40;           /* logistic.c */
static const double ENOUGH = 0.01;      /* the part of the promised fall that a step has to bring */
static const double RIDGE = 1e-12;      /* of H: a column may be empty */
static const double ROUNDING = 1e-14;   /* of P: so much more is no rise */
static const double ENOUGH_WRONG = 0.2; /* the part of what is wrong that may be left of (1) */
static const double GRAM_WRONG = 0.001; /* ... where a pass costs little */

struct pair {
    double q, u;
};

struct sparse {
    struct walk k;
    const struct logistic_options *o;
    struct pool pool;
    size_t n, d, charged;
    uint64_t *start; /* d + 1: the entries of a column */
    uint64_t *place; /* slices x d: where the next entry of a slice goes */
    uint32_t *row;
    double *x;                                /* times y_i */
    double *w, *step, *g, *h;                 /* d: h is the diagonal of H */
    double *plus, *minus;                     /* d: v of the rows with y = +1, and -1 */
    double *m, *a;                            /* n */
    struct pair *pair;                        /* n: q_i, u_i */
    double *gram, *bent, *u, *none, *scratch; /* H, g + H d; n: u_i, zeros; or NULL */
    size_t size;                              /* of H */
    uint32_t *list;                           /* columns in play */
    double f[2];                              /* what scales a: y = -1, y = +1 */
    double primal, dual;
    int64_t steps;
    uint64_t work;
    uint64_t wrong;
    bool stopped;
    struct rng rng;
};

static double size_price(const struct sparse *s, size_t j)
{
    return j < s->charged ? s->o->share : 0;
}

static double square_price(const struct sparse *s, size_t j)
{
    return j < s->charged ? 1 - s->o->share : 0;
}

static double upper(const struct sparse *s, uint64_t i)
{
    return s->o->c * problem_cost(s->k.p, i);
}

/* ----- columns --------------------------------------------------------------------------- */

/* Entries of a slice by column: counted, or put in their places. */
struct turning {
    struct sparse *s;
    bool fill;
};

static void turn_row(const struct turning *t, const struct row *r, uint64_t i, uint64_t *place)
{
    struct sparse *s = t->s;
    const double y = problem_sign(s->k.p, i, s->k.positive);
    struct row_entries e;

    for (size_t from = 0; from < r->n;) {
        const size_t n = row_entries_read(r, from, &e);
        for (size_t k = 0; k < n; k++) {
            if (e.column[k] >= s->k.p->dims || e.x[k] == 0) continue;
            const uint64_t at = place[e.column[k]]++;
            if (!t->fill) continue;
            s->row[at] = (uint32_t)i;
            s->x[at] = y * e.x[k];
        }
        from += n;
    }
    if (!s->k.p->offset) return;
    const uint64_t at = place[s->k.p->dims]++;
    if (!t->fill) return;
    s->row[at] = (uint32_t)i;
    s->x[at] = y;
}

static void turn_slice(void *ud, uint64_t slice)
{
    const struct turning *t = ud;
    struct sparse *s = t->s;

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1); i++) {
        const struct row r = problem_row(s->k.p, &s->k.lens[slice], i);
        turn_row(t, &r, i, s->place + slice * s->d);
        if (!walk_goes_on(&s->k, slice, r.n)) return;
    }
}

static perc_status turn(struct sparse *s, perc_error *err)
{
    struct turning t = { .s = s };
    uint64_t sum = 0;

    walk_each(&s->k, turn_slice, &t);
    for (size_t j = 0; j < s->d; j++) {
        s->start[j] = sum;
        for (uint64_t c = 0; c < s->k.slices; c++) {
            const uint64_t n = s->place[c * s->d + j];
            s->place[c * s->d + j] = sum;
            sum += n;
        }
    }
    s->start[s->d] = sum;
    s->row = pool_array(&s->pool, sum + 1, sizeof *s->row);
    s->x = pool_array(&s->pool, sum + 1, sizeof *s->x);
    if (s->pool.failed) return fail_memory(err);
    t.fill = true;
    if (!s->k.stopped) walk_each(&s->k, turn_slice, &t);
    return PERC_OK;
}

/* The columns of a task: both sides of v, and the diagonal of H. */
static void column_task(void *ud, uint64_t task)
{
    struct sparse *s = ud;
    const size_t from = s->d * task / TASKS, to = s->d * (task + 1) / TASKS;

    for (size_t j = from; j < to; j++) {
        double side[2] = { 0 }, h = 0;
        for (uint64_t e = s->start[j]; e < s->start[j + 1]; e++) {
            const uint32_t i = s->row[e];
            const double x = s->x[e], a = s->a[i];
            side[a > 0] += x * fabs(a); /* a has the sign of the row */
            h += x * x * s->pair[i].u;
        }
        s->plus[j] = side[1];
        s->minus[j] = side[0];
        s->h[j] = h + square_price(s, j) + RIDGE;
        s->g[j] = square_price(s, j) * s->w[j] - s->plus[j] - s->minus[j];
    }
}

/* ----- where we are: P, g, D ---------------------------------------------------------------- */

struct rows_sum {
    struct sparse *s;
    double t;      /* losses at m + t q */
    double factor; /* entropies of a times this */
    double part[WALK_SLICES], side[2][WALK_SLICES];
    uint64_t wrong[WALK_SLICES];
};

static size_t piece(const struct sparse *s, uint64_t i, uint64_t slice)
{
    const uint64_t rest = walk_from(&s->k, slice + 1) - i;

    return (size_t)(rest < LOGISTIC_PIECE ? rest : LOGISTIC_PIECE);
}

/* a with the sign of its row, u, and the losses. */
static void evaluate_slice(void *ud, uint64_t slice)
{
    struct rows_sum *k = ud;
    struct sparse *s = k->s;
    double e[LOGISTIC_PIECE], loss = 0, side[2] = { 0 };

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1);) {
        const size_t n = piece(s, i, slice);
        logistic_exp(s->m + i, n, e);
        for (size_t j = 0; j < n; j++, i++) {
            const double m = s->m[i], u = upper(s, i), y = problem_sign(s->k.p, i, s->k.positive);
            const double a = u * logistic_error(m, e[j]);
            s->a[i] = y * a;
            s->pair[i] = (struct pair){ 0, u * (e[j] / ((1 + e[j]) * (1 + e[j]))) };
            loss += u * logistic_log(m, e[j]);
            side[y > 0] += a;
            k->wrong[slice] += !(m > 0);
        }
    }
    k->part[slice] = loss;
    k->side[0][slice] = side[0];
    k->side[1][slice] = side[1];
}

static void loss_slice(void *ud, uint64_t slice)
{
    struct rows_sum *k = ud;
    const struct sparse *s = k->s;
    double m[LOGISTIC_PIECE], e[LOGISTIC_PIECE], loss = 0;

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1);) {
        const size_t n = piece(s, i, slice);
        for (size_t j = 0; j < n; j++) m[j] = s->m[i + j] + k->t * s->pair[i + j].q;
        logistic_exp(m, n, e);
        for (size_t j = 0; j < n; j++, i++) loss += upper(s, i) * logistic_log(m[j], e[j]);
    }
    k->part[slice] = loss;
}

static void entropy_slice(void *ud, uint64_t slice)
{
    struct rows_sum *k = ud;
    const struct sparse *s = k->s;
    double sum = 0;

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1); i++) {
        const double u = upper(s, i), f = k->factor * s->f[s->a[i] > 0];
        sum += u * logistic_entropy(fmin(f * (fabs(s->a[i]) / u), 1));
    }
    k->part[slice] = sum;
}

static double add_up(struct rows_sum *k, void (*run)(void *ud, uint64_t slice))
{
    double sum = 0;

    walk_each(&k->s->k, run, k);
    for (uint64_t c = 0; c < k->s->k.slices; c++) sum += k->part[c];
    return sum;
}

static double penalty(const struct sparse *s, double t)
{
    double sum = 0;

    for (size_t j = 0; j < s->charged; j++) {
        const double w = s->w[j] + t * s->step[j];
        sum += size_price(s, j) * fabs(w) + square_price(s, j) * w * w / 2;
    }
    return sum;
}

/* D of a as it is scaled by f, and by what makes all |v_j| <= t besides; the better one. */
static double best_dual(struct sparse *s)
{
    struct rows_sum k = { .s = s, .factor = 1 };
    double top = 0, over = 0;

    for (size_t j = 0; j < s->charged; j++) {
        const double v = fabs(s->f[1] * s->plus[j] + s->f[0] * s->minus[j]);
        const double more = v - size_price(s, j);
        top = fmax(top, v);
        if (more > 0) over += more * more;
    }
    const double whole = s->o->share < 1 ? over / (2 * (1 - s->o->share)) : over > 0 ? INFINITY : 0;
    double best = isfinite(whole) ? add_up(&k, entropy_slice) - whole : 0;
    if (top > s->o->share && s->o->share > 0) {
        k.factor = s->o->share / top * (1 - 1e-15);
        best = fmax(best, add_up(&k, entropy_slice));
    }
    return best;
}

static void evaluate(struct sparse *s)
{
    struct rows_sum k = { .s = s };
    double a[2] = { 0 };

    if (s->k.stopped) return;
    memset(s->step, 0, s->d * sizeof *s->step);
    s->primal = add_up(&k, evaluate_slice) + penalty(s, 0);
    s->wrong = 0;
    for (uint64_t c = 0; c < s->k.slices; c++) {
        s->wrong += k.wrong[c];
        for (int side = 0; side < 2; side++) a[side] += k.side[side][c];
    }
    threads_each(s->k.threads, TASKS, column_task, s);
    s->f[0] = s->o->free_offset && a[0] > a[1] ? a[1] / a[0] : 1;
    s->f[1] = s->o->free_offset && a[1] > a[0] ? a[0] / a[1] : 1;
    const double dual = best_dual(s);
    if (dual > s->dual && isfinite(dual)) s->dual = dual;
}

static bool close_enough(const struct sparse *s)
{
    return isfinite(s->primal) && s->primal - s->dual <= s->o->gap * s->primal;
}

/* ----- the step ------------------------------------------------------------------------------- */

/* How far the least (sub)gradient of column j is from 0, at weight w with the gradient g. */
static double violation(const struct sparse *s, size_t j, double w, double g)
{
    const double t = size_price(s, j);

    if (w > 0) return fabs(g + t);
    if (w < 0) return fabs(g - t);
    return fmax(fabs(g) - t, 0);
}

static double slope_of(const struct sparse *s, size_t j)
{
    double g = s->g[j] + (square_price(s, j) + RIDGE) * s->step[j];

    if (s->gram != NULL) return s->bent[j];
    for (uint64_t e = s->start[j]; e < s->start[j + 1]; e++) {
        const struct pair *p = &s->pair[s->row[e]];
        g += s->x[e] * p->u * p->q;
    }
    return g;
}

static void shift(struct sparse *s, size_t j, double z)
{
    s->step[j] += z;
    if (s->gram == NULL) {
        for (uint64_t e = s->start[j]; e < s->start[j + 1]; e++)
            s->pair[s->row[e]].q += s->x[e] * z;
        return;
    }
    for (size_t k = 0; k < s->d; k++) s->bent[k] += z * s->gram[j * s->size + k];
}

/* d_j goes to its best value; what was wrong with it. */
static double move_column(struct sparse *s, size_t j)
{
    const double w = s->w[j] + s->step[j], t = size_price(s, j), h = s->h[j];
    const double g = slope_of(s, j), wrong = violation(s, j, w, g);
    double z;

    if (g + t <= h * w) z = -(g + t) / h;
    else if (g - t >= h * w) z = -(g - t) / h;
    else z = -w;
    if (z != 0 && isfinite(z)) shift(s, j, z);
    return wrong;
}

static bool goes_on(struct sparse *s, uint64_t more)
{
    if (!watch_work(s->o->watch, &s->work, more)) s->stopped = true;
    return !s->stopped;
}

/* One pass over the columns in play, in a random order; the sum of what was wrong. Columns that
 * are at 0 and stay there leave the list. */
static double pass(struct sparse *s, size_t *n)
{
    double sum = 0;
    size_t keep = 0;

    for (size_t k = 0; k < *n; k++) {
        const size_t at = k + (size_t)rng_below(&s->rng, *n - k);
        const uint32_t j = s->list[at];
        s->list[at] = s->list[k];
        s->list[k] = j;
        const double wrong = move_column(s, j);
        sum += wrong;
        if (!goes_on(s, s->gram != NULL ? s->d : 2 * (s->start[j + 1] - s->start[j]))) return 0;
        if (wrong > 0 || s->w[j] + s->step[j] != 0) {
            s->list[k] = s->list[keep];
            s->list[keep++] = j;
        }
    }
    *n = keep;
    return sum;
}

/* All of H; g + H d for d = 0. */
static void make_gram(struct sparse *s)
{
    memset(s->gram, 0, s->size * s->size * sizeof *s->gram);
    for (size_t i = 0; i < s->n; i++) s->u[i] = s->pair[i].u;
    walk_gram(&s->k, s->u, s->none, s->gram, s->size, s->scratch);
    for (size_t j = 0; j < s->d; j++) {
        for (size_t k = 0; k < j; k++) s->gram[k * s->size + j] = s->gram[j * s->size + k];
        s->gram[j * s->size + j] = s->h[j];
    }
    memcpy(s->bent, s->g, s->d * sizeof *s->g);
}

/* (1), until what is wrong is a part of what it was. */
static void find_step(struct sparse *s)
{
    size_t n = 0;
    double all_wrong = 0;

    for (size_t j = 0; j < s->d; j++) {
        const double wrong = violation(s, j, s->w[j], s->g[j]);
        if (s->w[j] != 0 || wrong > 0) s->list[n++] = (uint32_t)j;
        all_wrong += wrong;
    }
    if (s->gram != NULL) make_gram(s);
    /* What left the list is looked at again before the next step. */
    for (int round = 0; round < (s->gram != NULL ? PASSES_GRAM : PASSES) && !s->stopped; round++)
        if (pass(s, &n) <= (s->gram != NULL ? GRAM_WRONG : ENOUGH_WRONG) * all_wrong) break;
    if (s->gram == NULL) return;
    walk_margins(&s->k, s->step, s->a);
    for (size_t i = 0; i < s->n; i++) s->pair[i].q = s->a[i];
}

/* w' moves along d, by 1 or less, so that P falls; false: there is no way down. */
static bool take_step(struct sparse *s)
{
    struct rows_sum k = { .s = s, .t = 1 };
    const double rounding = ROUNDING * s->primal;
    double fall = 0; /* as (1) without its squares has it */

    for (size_t j = 0; j < s->d; j++)
        fall += size_price(s, j) * (fabs(s->w[j] + s->step[j]) - fabs(s->w[j])) +
                s->g[j] * s->step[j];
    if (!(fall <= rounding)) return false;
    for (int half = 0; half < HALVINGS && walk_goes_on(&s->k, 0, s->n); half++, k.t /= 2) {
        const double p = add_up(&k, loss_slice) + penalty(s, k.t);
        if (!(p - s->primal <= ENOUGH * k.t * fall + rounding)) continue;
        for (size_t j = 0; j < s->d; j++)
            s->w[j] = s->step[j] == 0 - s->w[j] && k.t == 1 ? 0 : s->w[j] + k.t * s->step[j];
        for (size_t i = 0; i < s->n; i++) s->m[i] += k.t * s->pair[i].q;
        return true;
    }
    return false;
}

/* ----- the whole ------------------------------------------------------------------------- */

static perc_status make_arrays(struct sparse *s, perc_error *err)
{
    struct pool *pool = &s->pool;

    s->start = pool_array(pool, s->d + 1, sizeof *s->start);
    s->place = pool_zeroed(pool, s->d * (size_t)s->k.slices, sizeof *s->place);
    s->w = pool_zeroed(pool, s->d, sizeof *s->w);
    s->step = pool_zeroed(pool, s->d, sizeof *s->step);
    s->g = pool_array(pool, s->d, sizeof *s->g);
    s->h = pool_array(pool, s->d, sizeof *s->h);
    s->plus = pool_array(pool, s->d, sizeof *s->plus);
    s->minus = pool_array(pool, s->d, sizeof *s->minus);
    s->list = pool_array(pool, s->d, sizeof *s->list);
    s->m = pool_zeroed(pool, s->n, sizeof *s->m);
    s->a = pool_array(pool, s->n, sizeof *s->a);
    s->pair = pool_array(pool, s->n, sizeof *s->pair);
    return pool->failed ? fail_memory(err) : turn(s, err);
}

static perc_status make_matrix(struct sparse *s, perc_error *err)
{
    struct pool *pool = &s->pool;

    if (s->d > GRAM_COLUMNS || s->start[s->d] > (uint64_t)s->n * GRAM_ENTRIES) return PERC_OK;
    s->size = gram_size(s->d);
    s->gram = pool_array(pool, s->size * s->size, sizeof *s->gram);
    s->bent = pool_array(pool, s->d, sizeof *s->bent);
    s->u = pool_array(pool, s->n, sizeof *s->u);
    s->none = pool_zeroed(pool, s->n, sizeof *s->none);
    s->scratch = pool_zeroed(pool, walk_gram_room(&s->k), sizeof *s->scratch);
    return pool->failed ? fail_memory(err) : PERC_OK;
}

static void descend(struct sparse *s)
{
    int stalled = 0;
    bool fresh = true;

    evaluate(s);
    for (;;) {
        if (close_enough(s) && fresh) break;
        if (close_enough(s) || stalled >= STALLED) {
            if (fresh) break;
            walk_margins(&s->k, s->w, s->m); /* adding up step by step has rounded */
            evaluate(s);
            fresh = true;
            continue;
        }
        if (s->steps >= s->o->passes || s->k.stopped || !watch_ask(s->o->watch, s->steps)) break;
        const double primal = s->primal, dual = s->dual, least = 1e-15 * primal;
        find_step(s);
        if (!take_step(s)) break;
        s->steps++;
        evaluate(s);
        fresh = false;
        stalled = s->primal < primal - least || s->dual > dual + least ? 0 : stalled + 1;
        if (s->stopped) break;
    }
    if (!fresh && !s->k.stopped) {
        walk_margins(&s->k, s->w, s->m);
        evaluate(s);
    }
    if (s->dual > s->primal) s->dual = s->primal; /* by rounding alone */
}

perc_status logistic_sparse(const struct problem *p, uint32_t positive,
                            const struct logistic_options *o, double *w, double *b,
                            struct logistic_result *out, perc_error *err)
{
    struct sparse s = { .o = o, .n = (size_t)p->n, .rng = rng_seed(o->seed, 0) };
    uint64_t right = 0;
    perc_status st;

    *out = (struct logistic_result){ .solved = true, .separated = true };
    *b = 0;
    memset(w, 0, (size_t)p->dims * sizeof *w);
    if (p->n == 0) return PERC_OK;
    for (uint64_t i = 0; i < p->n; i++) right += problem_sign(p, i, positive) > 0;
    if (o->free_offset && (right == 0 || right == p->n)) {
        *b = right > 0 ? FAR : -FAR; /* P has no least value, and is as good as 0 */
        return PERC_OK;
    }
    if (p->n > UINT32_MAX || p->dims >= UINT32_MAX)
        return fail(err, PERC_EARG, "more than 2^32 rows or columns are too many for l1");
    if ((st = walk_init(&s.k, p, positive, 0, err))) return st;
    s.k.watch = o->watch;
    s.d = s.k.d;
    s.charged = o->free_offset ? s.d - 1 : s.d;
    pool_init(&s.pool, &p->e);
    if (!(st = make_arrays(&s, err)) && !(st = make_matrix(&s, err))) {
        descend(&s);
        memcpy(w, s.w, (size_t)p->dims * sizeof *w);
        if (p->offset) *b = s.w[p->dims];
        *out = (struct logistic_result){ .primal = s.primal,
                                         .dual = s.dual,
                                         .passes = s.steps,
                                         .solved = close_enough(&s),
                                         .separated = s.wrong == 0 };
        for (uint64_t j = 0; j < p->dims; j++) out->nonzero += w[j] != 0;
    }
    pool_free(&s.pool);
    walk_free(&s.k);
    return st;
}
