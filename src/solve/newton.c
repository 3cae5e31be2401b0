/* newton.c -- sums of smooth losses of rows by Newton's method.
 *
 *     P(w') = |w'|^2 / 2 + sum loss_i(m_i)                                          (1)
 *
 * is convex, and what the losses are is told by a struct newton_loss (newton.h): the squared
 * hinge (svm_newton.c) and those of logistic regression (logistic.c). With a_i = -loss_i'(m_i)
 * and u_i = loss_i''(m_i),
 *
 *     gradient       g = w' - sum a_i y_i x'_i                                      (2)
 *     (generalised) Hessian   H = I + sum u_i x'_i x'_i'                            (3)
 *
 * A step goes from w' along s = -H^{-1} g to the lowest point of the line (Keerthi,
 * DeCoste 2005): with the margins of w' and of s at hand no row need be looked at again for
 * it. Some ten steps, as a rule.
 *
 * The equations H s = -g. With few columns: H as a matrix, kept from step to step and
 * changed by the rows whose u_i changes, and Cholesky. With many: conjugate gradients with
 * the diagonal of H as preconditioner, stopped early (Lin, Weng, Keerthi 2008; Hsia,
 * Wei, Lin 2018).
 *
 * The first steps are made on a sample of the rows, with losses larger by as much: there
 * they cost little, and rows far from the margin never enter the H of a hinge.
 *
 * Symbols  d = numbers of w'   n = rows   loss_i, a_i, u_i: newton.h
 * Cost     a step: O(nonzeros), and O(d^3 / 3 + sum over changed rows of nonzeros^2)
 *          with Cholesky, O(nonzeros of the rows with u_i > 0) an iteration otherwise. */
#include "solve/newton.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "vec/cholesky.h"
#include "vec/rng.h"

enum {
    SAMPLE_SHARE = 8,  /* a sample has one row in so many                             */
    SAMPLE_MIN = 2000, /* ... and at least so many                                    */
    SAMPLE_STEPS = 4,  /* more would overfit the sample                         */
    STALLED = 3,       /* steps without progress: rounding has the last word          */
    SEARCH_MAX = 100,  /* evaluations in a line search: four or so are usual          */
    CG_MAX = 2000,     /* iterations for one step                                     */
    CG_ASK = 16        /* iterations from one look at the watch to the next           */
};

/* The residual that conjugate gradients leave, in shares of the gradient. */
#define CG_COARSE 0.1
#define CG_FINE   1e-3

static double of_column(const struct newton *s, size_t j, double x)
{
    return j >= s->charged ? 0 : x; /* the norm leaves the offset out */
}

static double dot_all(const struct newton *s, const double *x, const double *y)
{
    double sum = 0;

    for (size_t j = 0; j < s->d; j++) sum += x[j] * y[j];
    return sum;
}

/* x.y in the norm of the problem. */
static double inner(const struct newton *s, const double *x, const double *y)
{
    double sum = 0;

    for (size_t j = 0; j < s->d; j++) sum += of_column(s, j, x[j] * y[j]);
    return sum;
}

/* ----- where we are: P, g, D --------------------------------------------------------- */

struct evaluation {
    struct newton *s;
    struct newton_sums part[WALK_SLICES];
};

/* u, a and their sums from the margins. */
static void evaluate_slice(void *ud, uint64_t slice)
{
    struct evaluation *k = ud;

    k->part[slice] = k->s->o->loss->evaluate(k->s, slice);
}

/* Where the offset is free the two sides are summed separately: y = +1 in v, y = -1 in r. */
void newton_gradient(struct newton *s)
{
    const bool apart = s->o->free_offset && s->o->width == 0;

    walk_sum(&s->k, s->a, apart ? 1 : 0, s->v);
    if (apart) walk_sum(&s->k, s->a, -1, s->r);
    for (size_t j = 0; j < s->d; j++)
        s->g[j] = of_column(s, j, s->w[j]) - s->v[j] - (apart ? s->r[j] : 0);
}

static void evaluate(struct newton *s)
{
    struct evaluation k = { .s = s };
    struct newton_sums sum = { 0 };

    if (s->k.stopped) { /* the margins are not those of w' */
        s->primal = NAN;
        return;
    }
    walk_each(&s->k, evaluate_slice, &k);
    if (s->k.stopped) { /* within it */
        s->primal = NAN;
        return;
    }
    for (uint64_t c = 0; c < s->k.slices; c++) {
        const struct newton_sums *x = &k.part[c];
        sum.loss += x->loss;
        sum.supports += x->supports;
        for (int side = 0; side < 2; side++) {
            sum.a[side] += x->a[side];
            sum.q[side] += x->q[side];
        }
    }
    s->primal = inner(s, s->w, s->w) / 2 + sum.loss;
    s->supports = sum.supports;
    const double dual = s->o->loss->dual(s, &sum);
    if (dual > s->dual && isfinite(dual) && !s->k.stopped) s->dual = dual;
}

static bool close_enough(const struct newton *s)
{
    /* else inf <= inf would do */
    return isfinite(s->primal) && s->primal - s->dual <= s->o->gap * s->primal;
}

static bool go_on(const struct newton *s)
{
    return watch_ask(s->o->watch, s->rough ? 0 : s->steps);
}

/* ----- the step: Cholesky -------------------------------------------------------------- */

/* Brings H up to date: all of it, or the rows that crossed 1, whichever are fewer. */
static void update_matrix(struct newton *s, bool afresh)
{
    uint64_t inside = 0, crossed = 0;

    for (size_t i = 0; i < s->n; i++) {
        inside += s->u[i] != 0;
        crossed += s->u[i] != s->in_h[i];
    }
    if (afresh ||
        inside <= crossed) { /* the norm alone, and ones where the matrix was made larger */
        memset(s->h, 0, s->size * s->size * sizeof *s->h);
        for (size_t j = 0; j < s->size; j++)
            s->h[j * s->size + j] = j < s->d ? of_column(s, j, 1) : 1;
        memset(s->in_h, 0, s->n * sizeof *s->in_h);
    }
    walk_gram(&s->k, s->u, s->in_h, s->h, s->size, s->scratch);
    memcpy(s->in_h, s->u, s->n * sizeof *s->in_h);
}

static void solve_exactly(struct newton *s)
{
    const int threads = s->k.threads;

    update_matrix(s, false);
    if (s->k.stopped) return;
    if (cholesky(s->h, s->l, s->size, s->size, threads) > 0) {
        update_matrix(s, true); /* adding and removing rows has left rounding errors */
        if (s->k.stopped) return;
        cholesky(s->h, s->l, s->size, s->size, threads);
    }
    for (size_t j = 0; j < s->size; j++) s->s[j] = j < s->d ? -s->g[j] : 0;
    cholesky_solve(s->l, s->size, s->size, s->s);
}

/* ----- the step: conjugate gradients --------------------------------------------------- */

/* z = r over the diagonal; t = z + beta t, beta = r.z now / r.z before. */
static double turn_direction(struct newton *s, double rz)
{
    for (size_t j = 0; j < s->d; j++) s->z[j] = s->r[j] / s->diagonal[j];
    const double next = dot_all(s, s->r, s->z);
    for (size_t j = 0; j < s->d; j++) s->t[j] = s->z[j] + next / rz * s->t[j];
    return next;
}

/* From s = 0, until the residual r = -g - H s is small compared to g, in the norm of the
 * preconditioner. */
static void solve_by_cg(struct newton *s)
{
    /* How well the equations are to be solved: the nearer the end, the better (Dembo,
     * Eisenstat, Steihaug 1982), so that the last steps are few. */
    const double open = (s->primal - s->dual) / s->primal;
    const double left = sqrt(sqrt(dot_all(s, s->g, s->g) / s->steepest));
    /* Where the gap falls with the square of what is left, more than it takes is too much. */
    const double need = s->o->square_gap && open > s->o->gap ? sqrt(s->o->gap / open) / 3 : 0;
    const double share = fmax(CG_FINE, fmin(CG_COARSE, fmax(need, fmin(open, left))));
    double rz, goal;

    walk_squares(&s->k, s->u, s->diagonal);
    for (size_t j = 0; j < s->d; j++) {
        s->diagonal[j] += of_column(s, j, 1);
        if (!(s->diagonal[j] > 0)) s->diagonal[j] = 1;
    }
    memset(s->s, 0, s->d * sizeof *s->s);
    memset(s->t, 0, s->d * sizeof *s->t);
    for (size_t j = 0; j < s->d; j++) s->r[j] = -s->g[j];
    rz = turn_direction(s, 1);
    goal = share * share * rz;
    for (int64_t k = 1; k <= CG_MAX && rz > goal; k++) {
        walk_product(&s->k, s->u, s->t, s->ht); /* ht = H t */
        if (s->k.stopped) break;
        for (size_t j = 0; j < s->d; j++) s->ht[j] += of_column(s, j, s->t[j]);
        const double curve = dot_all(s, s->t, s->ht), alpha = rz / curve;
        if (!(curve > 0) || !isfinite(alpha)) break;
        for (size_t j = 0; j < s->d; j++) {
            s->s[j] += alpha * s->t[j];
            s->r[j] -= alpha * s->ht[j];
        }
        rz = turn_direction(s, rz);
        if (k % CG_ASK == 0 && !go_on(s)) {
            s->stopped = true;
            break;
        }
    }
}

/* ----- the line --------------------------------------------------------------------------- */

struct line_search {
    struct newton *s;
    double t;
    struct newton_slope part[WALK_SLICES];
};

static void slope_of(void *ud, uint64_t slice)
{
    struct line_search *k = ud;

    k->part[slice] = k->s->o->loss->slope(k->s, k->t, slice);
}

/* The t with f'(t) = 0, f(t) = P(w' + t s): Newton's method in one dimension, which ends
 * after finitely many pieces of the parabola, kept inside the bracket [low, high]. */
static double search_line(struct newton *s)
{
    struct line_search k = { .s = s, .t = 1 };
    const double ws = inner(s, s->w, s->s), ss = inner(s, s->s, s->s),
                 start = dot_all(s, s->g, s->s);
    double low = 0, high = INFINITY;

    if (!(start < 0) || !isfinite(ss)) return 0; /* up, or not a number */
    for (int round = 0; round < SEARCH_MAX; round++) {
        double first = ws + k.t * ss, second = ss, next;
        if (!walk_goes_on(&s->k, 0, s->n)) return 0;
        walk_each(&s->k, slope_of, &k);
        if (s->k.stopped) return 0;
        for (uint64_t c = 0; c < s->k.slices; c++) {
            first += k.part[c].first;
            second += k.part[c].second;
        }
        if (!(fabs(first) > -1e-12 * start)) break;
        if (first < 0) low = k.t;
        else high = k.t;
        next = k.t - first / second;
        if (!(next > low && next < high)) next = isinf(high) ? 2 * k.t : low + (high - low) / 2;
        if (!isfinite(next) || next == k.t) break;
        k.t = next;
    }
    return k.t;
}

/* ----- the whole ------------------------------------------------------------------------------ */

/* Margins from w' itself: adding them up step by step has rounded. */
static void evaluate_anew(struct newton *s)
{
    walk_margins(&s->k, s->w, s->m);
    evaluate(s);
}

void newton_step(struct newton *s)
{
    solve_exactly(s);
    walk_margins(&s->k, s->s, s->q);
}

/* From the w' at hand until the gap is closed or a limit comes. */
static void descend(struct newton *s)
{
    int stalled = 0;
    bool fresh = true;

    evaluate_anew(s);
    if (s->k.stopped) return;
    s->steepest = dot_all(s, s->g, s->g);
    for (;;) {
        if (close_enough(s)) {
            if (fresh) break;
            evaluate_anew(s);
            fresh = true;
            continue;
        }
        if (s->steps >= s->limit || stalled >= STALLED || s->stopped || s->k.stopped || !go_on(s))
            break;
        const double before = s->primal;
        if (s->h != NULL) solve_exactly(s);
        else solve_by_cg(s);
        walk_margins(&s->k, s->s, s->q);
        const double t = s->k.stopped ? 0 : search_line(s);
        if (!(t > 0)) break; /* no way down from here */
        for (size_t j = 0; j < s->d; j++) s->w[j] += t * s->s[j];
        for (size_t i = 0; i < s->n; i++) s->m[i] += t * s->q[i];
        s->steps++;
        evaluate(s);
        fresh = false;
        stalled = s->primal < before - 1e-15 * before ? 0 : stalled + 1;
    }
    if (!fresh && !s->k.stopped) evaluate_anew(s);
    if (s->dual > s->primal) s->dual = s->primal; /* by rounding alone */
}

enum { LINE = 8 }; /* numbers in a cache line: arrays begin on one */

static size_t lines(size_t n)
{
    return (n + LINE - 1) / LINE * LINE;
}

static double *carve_lines(double **from, size_t n)
{
    double *at = *from;

    *from += lines(n);
    return at;
}

/* Arrays of n, of d and of the matrix, one after the other in one piece of memory. What has to be 0
 * at first is set to it, and nothing else: of many classes that would take longer than a pass, and
 * nobody asks meanwhile. */
static perc_status make_arrays(struct newton *s, bool exact, perc_error *err)
{
    const size_t size = gram_size(s->d), square = exact ? size * size : 0;
    const size_t gram = exact ? walk_gram_room(&s->k) : 0, vectors = exact ? 5 : 9;
    double *at;

    if (s->n > SIZE_MAX / 64 || size > SIZE_MAX / 128) return fail_memory(err);
    s->size = size;
    s->room = (exact ? 5 : 4) * lines(s->n) + vectors * size + 2 * square + gram + LINE;
    s->memory = at = mem_array(&s->k.p->e, s->room, sizeof *at);
    if (at == NULL) return fail_memory(err);
    while ((uintptr_t)at % (LINE * sizeof *at) != 0) at++;
    s->w = carve_lines(&at, size), s->g = carve_lines(&at, size), s->s = carve_lines(&at, size);
    s->v = carve_lines(&at, size), s->r = carve_lines(&at, size);
    s->m = carve_lines(&at, s->n), s->q = carve_lines(&at, s->n);
    s->a = carve_lines(&at, s->n), s->u = carve_lines(&at, s->n);
    if (exact) {
        s->h = carve_lines(&at, square), s->l = carve_lines(&at, square);
        s->in_h = carve_lines(&at, s->n), s->scratch = carve_lines(&at, gram);
        memset(s->in_h, 0, s->n * sizeof *s->in_h);
        memset(s->scratch, 0, gram * sizeof *s->scratch);
    } else {
        s->z = carve_lines(&at, size), s->t = carve_lines(&at, size);
        s->ht = carve_lines(&at, size), s->diagonal = carve_lines(&at, size);
    }
    return PERC_OK;
}

/* What to do: the whole problem, or a beginning on a sample. */
struct task {
    double c;      /* C, larger on a sample */
    int64_t limit; /* steps */
    bool rough;    /* no matrix: a few iterations a step are enough */
};

static perc_status run_newton(const struct problem *p, uint32_t positive,
                              const struct newton_options *o, const struct task *k, double *w,
                              struct newton_result *out, perc_error *err)
{
    struct newton s = { .o = o, .c = k->c, .limit = k->limit, .rough = k->rough };
    const size_t width = o->width > 0 ? o->width : 1;
    perc_status st;

    if ((st = walk_init(&s.k, p, positive, o->width, err))) return st;
    s.k.watch = o->watch;
    s.n = (size_t)p->n * width;
    s.d = s.k.d;
    s.charged = o->no_norm ? 0 : o->free_offset ? s.d - width : s.d;
    if (!(st = make_arrays(&s, !k->rough && s.d <= o->exact, err))) {
        memcpy(s.w, w, s.d * sizeof *w);
        descend(&s);
        memcpy(w, s.w, s.d * sizeof *w);
        *out = (struct newton_result){ s.primal, s.dual, s.steps, s.supports, close_enough(&s) };
    }
    mem_free(&p->e, s.memory, s.room, sizeof *s.memory);
    walk_free(&s.k);
    return st;
}

/* ----- a sample to begin with --------------------------------------------------------------- */

/* w' starts at the solution of a sample, which starts at that of a smaller one, or at 0. A sample
 * has one row, drawn, of every SAMPLE_SHARE consecutive ones. */
static perc_status begin_on_sample(const struct problem *p, uint32_t positive,
                                   const struct newton_options *o, double c, double *w,
                                   perc_error *err)
{
    const struct task rough = { c * SAMPLE_SHARE, SAMPLE_STEPS, true };
    const size_t n = (size_t)(p->n / SAMPLE_SHARE);
    struct rng rng = rng_seed(o->seed, 0);
    struct problem sample = *p;
    struct newton_result ignored;
    struct pool pool;
    perc_status st;

    if (n < SAMPLE_MIN) return PERC_OK;
    pool_init(&pool, &p->e);
    uint64_t *ref = pool_array(&pool, n, sizeof *ref);
    uint32_t *class = pool_array(&pool, n, sizeof *class);
    double *cost = pool_array(&pool, n, sizeof *cost);
    st = pool.failed ? fail_memory(err) : PERC_OK;
    for (size_t k = 0; k < n && !st; k++) {
        const uint64_t i = k * SAMPLE_SHARE + rng_below(&rng, SAMPLE_SHARE);
        ref[k] = p->ref[i];
        class[k] = p->class[i];
        cost[k] = problem_cost(p, i);
    }
    sample.n = n;
    sample.ref = ref;
    sample.class = class;
    sample.cost = cost;
    if (!st && !(st = begin_on_sample(&sample, positive, o, rough.c, w, err)))
        st = run_newton(&sample, positive, o, &rough, w, &ignored, err);
    pool_free(&pool);
    return st;
}

perc_status newton_solve(const struct problem *p, uint32_t positive, const struct newton_options *o,
                         double *w, struct newton_result *out, perc_error *err)
{
    const struct task whole = { o->c, o->passes, false };
    const size_t d = walk_numbers(p, o->width);
    bool finite = true;
    const perc_status st = o->no_norm ? PERC_OK : begin_on_sample(p, positive, o, o->c, w, err);

    for (size_t j = 0; j < d; j++) finite &= isfinite(w[j]) != 0;
    if (!finite) memset(w, 0, d * sizeof *w); /* C was too large there */
    return st ? st : run_newton(p, positive, o, &whole, w, out, err);
}
