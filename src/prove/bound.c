/* bound.c -- the mistake bound beside the mistakes.
 *
 * Novikoff's proof (1962) follows two numbers through the run of a perceptron from w = 0.
 * With a unit vector u, a_i.u >= gamma' > 0 for all rows and |a_i| <= R, after k updates
 *
 *     w.u   >= k gamma'     each update adds a_i.u                                    (1)
 *     |w|^2 <= k R^2        each adds |a_i|^2 + 2 w.a_i, and w.a_i <= 0: a mistake    (2)
 *
 * so k gamma' <= w.u <= |w| <= sqrt(k) R, and k <= (R / gamma')^2. Here u is the best one
 * that nearest.c finds, its gamma' is rounded down and R up, both of the decimals of the
 * file; so the bound is one. The perceptron is run in several orders, and both curves are
 * kept, and checked: a run that broke (1) or (2) by more than rounding is an error.
 *
 * In the space of a kernel there is no w to look at. There w.u and |w|^2 are sums over the
 * updates: of y u.phi(x), which gram_margin.c has, and of 2 y s + K(x, x).
 *
 * The curves follow a copy of w that makes the learner's updates. They are thinned out to
 * CURVE points: the first update, every s-th, the last; s doubles when there is no room. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pool.h"
#include "prove/exact_margin.h"
#include "prove/gram_margin.h"
#include "prove/nearest.h"
#include "prove/proof.h"

enum { CURVE = 2000, LEAST_PASSES = 100 };
static const double work_limit = 4e8;   /* entries read per run: about a second */
enum { ROW_WORK = 8, PASS_WORK = 256 }; /* what a row and a pass cost, in entries */
static const double gap = 1e-6;         /* how near u is to the best */

struct bound_curve {
    char order[40];
    int64_t at[CURVE + 1];
    double along[CURVE + 1], norm2[CURVE + 1];
};

struct bound_curves {
    perc_bound view;
    perc_bound_run *run;
    struct bound_curve *curve; /* one per run */
    size_t room;               /* of both */
    char *exact;
    size_t exact_size;
};

/* What all runs share, and the run that is under way. */
struct runner {
    const perc_dataset *ds;
    const struct subproof *sub;
    const perc_params *p;
    const struct bound_space *space; /* NULL: that of the rows */
    const struct watch *watch;
    struct env e;
    struct problem floats; /* owns ref and class */
    uint64_t dims;
    double *u, *w;       /* dims; not in the space of a kernel */
    double along, norm2; /* w.u and |w|^2 there */
    double gamma, radius;
    struct bound_curve *curve;
    perc_bound_run *run;
    int64_t updates, stride, kept_at;
    size_t n;
    bool stopped;   /* by the watch */
    int64_t broken; /* the update after which an inequality did not hold; 0: none */
};

/* ----- the curves --------------------------------------------------------------------- */

/* Keeps a point of the curves, and checks (1) and (2), allowing for what k sums of rounded numbers
 * may be off by: w by k units of |w| <= sqrt(k) R, and a mistake may be due to rounding alone. */
static void keep_point(struct runner *r)
{
    const double k = (double)r->updates, most = sqrt(k) * r->radius;
    const double slack = (k + (double)r->dims + 64) * 0x1p-48;
    double along = r->along, norm2 = r->norm2;

    for (uint64_t j = 0; j < r->dims && r->space == NULL; j++) {
        along += r->w[j] * r->u[j];
        norm2 += r->w[j] * r->w[j];
    }
    const bool holds = along >= k * r->gamma - slack * most && norm2 <= most * most * (1 + slack);
    const bool finite = isfinite(norm2) && isfinite(most * most);
    if (finite && !holds) r->broken = r->updates;
    r->curve->at[r->n] = r->kept_at = r->updates;
    r->curve->along[r->n] = along;
    r->curve->norm2[r->n++] = norm2;
}

/* Drops every second point, but never the first. */
static void thin_curve(struct runner *r)
{
    struct bound_curve *c = r->curve;
    size_t kept = 1;

    r->stride *= 2;
    for (size_t i = 1; i < r->n; i++) {
        if (c->at[i] % r->stride != 0) continue;
        c->at[kept] = c->at[i];
        c->along[kept] = c->along[i];
        c->norm2[kept++] = c->norm2[i];
    }
    r->n = kept;
}

static int notify(void *ud, const perc_event *event)
{
    struct runner *r = ud;

    if (event->row >= 0) { /* an update */
        const struct row x = dataset_row(r->ds, (uint64_t)event->row);
        if (r->space != NULL) {
            const struct kernel *k = r->space->kernel;
            r->along += r->space->advance[event->row];
            r->norm2 += 2 * event->y * event->score + kernel_self(k, kernel_norm2(k, &x)) +
                        (r->space->offset ? 1 : 0);
        } else {
            row_axpy(event->y, &x, r->w, r->ds->columns);
            if (r->sub->exact.offset) r->w[r->dims - 1] += event->y;
        }
        r->updates++;
        if (r->updates % r->stride == 0 && r->n == CURVE) thin_curve(r);
        if (r->updates == 1 || r->updates % r->stride == 0) keep_point(r);
    }
    if (event->row < 0 || r->updates % 1024 == 0) r->stopped = !watch_ask(r->watch, event->epoch);
    return r->stopped || r->broken != 0;
}

/* ----- a run -------------------------------------------------------------------------- */

static perc_status finish_run(struct runner *r, const perc_report *report, double bound,
                              perc_error *err)
{
    const struct bound_curve *c = r->curve;

    if (r->kept_at != r->updates) keep_point(r);
    *r->run = (perc_bound_run){ .order = c->order,
                                .mistakes = report->mistakes,
                                .passes = report->epochs,
                                .converged = report->stop == PERC_STOP_CONVERGED,
                                .steps = r->n,
                                .at = c->at,
                                .along = c->along,
                                .norm2 = c->norm2 };
    if (r->broken == 0 && !((double)report->mistakes <= bound * (1 + 1e-9)))
        r->broken = report->mistakes;
    if (r->broken == 0) return PERC_OK;
    return fail(
        err, PERC_EDATA,
        "order %s: after %" PRId64
        " updates the perceptron is beyond its bound: rounding is too coarse for these numbers",
        c->order, r->broken);
}

/* Run 0 is in file order, the others shuffled, each with its own seed. Every pass but the last has
 * a mistake, so there is at most one pass more than the bound; fewer are made where that would take
 * forever. */
static perc_status run_order(struct runner *r, struct bound_curves *c, size_t k, int64_t seed,
                             perc_error *err)
{
    const perc_env env = { r->e.alloc, r->e.ud, r->e.threads };
    const perc_observer observer = { PERC_WATCH_UPDATES, notify, r };
    const double work = (double)r->ds->nonzeros + ROW_WORK * (double)r->ds->rows + PASS_WORK;
    const double most = fmax(LEAST_PASSES, floor(work_limit / work));
    char seed_text[32], epochs[32];
    static const char *const shape[] = { "kernel", "degree", "gamma", "sigma", "coef0" };
    const bool offset = r->space != NULL ? r->space->offset : r->sub->exact.offset;
    const char *const set[][2] = { { "offset", offset ? "true" : "false" },
                                   { "order", k > 0 ? "shuffle" : "file" },
                                   { "positive", r->sub->positive },
                                   { "seed", seed_text },
                                   { "epochs", epochs } };
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_report report;
    perc_status st;

    if (k > 0) seed += (int64_t)k - 1;
    snprintf(seed_text, sizeof seed_text, "%" PRId64, seed);
    snprintf(epochs, sizeof epochs, "%" PRId64, (int64_t)fmin(c->view.bound + 2, most));
    r->curve = &c->curve[k];
    r->run = &c->run[k];
    r->updates = r->kept_at = r->broken = 0;
    r->n = 0;
    r->stride = 1;
    r->along = r->norm2 = 0;
    if (r->space == NULL) memset(r->w, 0, r->dims * sizeof *r->w);
    snprintf(r->curve->order, sizeof r->curve->order, k == 0 ? "file" : "shuffled, seed %" PRId64,
             seed);
    st = perc_params_new(&env, "perceptron", &p, err);
    for (size_t i = 0; i < sizeof set / sizeof *set && !st; i++)
        st = perc_params_set(p, set[i][0], set[i][1], err);
    for (size_t i = 0; i < sizeof shape / sizeof *shape && !st && r->space != NULL; i++)
        if (params_given(r->p, shape[i]))
            st = perc_params_set(p, shape[i], perc_params_get(r->p, shape[i]), err);
    if (!st && !(st = perc_fit(&env, r->ds, p, &observer, &m, &report, err)))
        st = finish_run(r, &report, c->view.bound, err);
    perc_model_free(m);
    perc_params_free(p);
    return st;
}

/* ----- u, gamma' and R ---------------------------------------------------------------- */

/* (radius / gamma)^2 or just above: a quotient or a square that was rounded down goes up by one
 * unit. Exact ones stay, so that a bound that is reached is seen to be reached. */
static double bound_up(double radius, double gamma)
{
    if (!(gamma > 1e-140 && radius < 1e140)) { /* fma itself might round to 0 */
        const double ratio = radius / gamma;   /* by 0: infinite, as R > 0 */
        return ratio * ratio * (1 + 0x1p-50);
    }
    double ratio = radius / gamma;
    if (fma(ratio, gamma, -radius) < 0) ratio = nextafter(ratio, INFINITY);
    const double square = ratio * ratio;
    return fma(ratio, ratio, -square) > 0 ? nextafter(square, INFINITY) : square;
}

/* R and gamma', and the bound that they make. */
static void write_bound(double radius, double gamma, double upper, perc_bound *out)
{
    const double ratio = radius / upper;

    *out = (perc_bound){ .radius = radius,
                         .margin = gamma,
                         .margin_upper = upper,
                         .bound = bound_up(radius, gamma),
                         .bound_lower = isfinite(ratio)
                                            ? fmin(ratio * ratio * (1 - 0x1p-48), DBL_MAX)
                                            : 0 };
    out->most = out->bound < 1e15 ? (uint64_t)out->bound : UINT64_MAX;
}

/* gamma' of u as rounded to doubles. Where rounding took it below 0, the bound is that of
 * the unrounded u, and (1) is checked with 0. */
static perc_status measure_bound(struct runner *r, perc_bound *out, perc_error *err)
{
    const struct whole *exact = &r->sub->exact;
    const struct nearest_options o = { .gap = gap,
                                       .w = (const mpz_t *)r->sub->found.w,
                                       .watch = r->watch };
    struct nearest_result best;
    perc_status st;

    if ((st = nearest_radius(exact, &r->floats, &r->radius, err)) ||
        (st = nearest_measure(exact, &r->floats, &o, r->u, &best, err)) ||
        (st = nearest_margin(exact, &r->floats, r->u, &r->gamma, err)))
        return st;
    write_bound(r->radius, r->gamma > 0 ? r->gamma : best.lower, best.upper, out);
    return PERC_OK;
}

/* The bound as a fraction, if it can be had: text, and the doubles on both sides. */
static perc_status sharpen_bound(const struct runner *r, struct bound_curves *c, perc_error *err)
{
    mpq_t q, d;
    bool found;

    mpq_inits(q, d, NULL);
    perc_status st = exact_bound(&r->sub->exact, &r->floats, r->u, r->watch, q, &found, err);
    if (found) {
        c->exact_size = mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3;
        c->exact = mem_array(&r->e, c->exact_size, 1);
        if (c->exact == NULL) st = fail_memory(err);
    }
    if (c->exact != NULL) {
        double *lower = &c->view.bound_lower, *upper = &c->view.bound;
        c->view.exact = mpq_get_str(c->exact, 10, q);
        *lower = *upper = mpq_get_d(q); /* towards 0 */
        if (!isfinite(*lower)) *lower = DBL_MAX;
        mpq_set_d(d, *lower);
        if (mpq_cmp(d, q) < 0) *upper = nextafter(*lower, INFINITY);
        mpz_tdiv_q(mpq_numref(d), mpq_numref(q), mpq_denref(q));
        c->view.most = mpz_fits_ulong_p(mpq_numref(d)) ? mpz_get_ui(mpq_numref(d)) : UINT64_MAX;
    }
    mpq_clears(q, d, NULL);
    return st;
}

/* ----- all runs ----------------------------------------------------------------------- */

static perc_status check_bound_rows(const struct runner *r, perc_error *err)
{
    const struct whole *exact = &r->sub->exact;

    if (r->ds->labels.n < 2)
        return fail(err, PERC_EARG,
                    "the bound is that of a perceptron on two labels, and there is only one: leave "
                    "out --bound");
    for (size_t b = 0; b < r->ds->blocks; b++)
        for (size_t i = 0; i < r->ds->block[b].rows; i++)
            if (block_weight(&r->ds->block[b], i) != 1)
                return fail(err, PERC_EARG,
                            "the bound is that of rows which count the same, and these have "
                            "weights: leave out --bound, or the weights");
    if (exact->n != r->ds->rows)
        return fail(err, PERC_EARG,
                    "the bound is that of a perceptron on all rows, of two labels or one against "
                    "the rest: leave out --bound, or name one by --positive alone");
    return PERC_OK;
}

/* u and the bound, among the rows or in the space of a kernel. */
static perc_status prepare_runs(struct runner *r, struct pool *pool, struct bound_curves *c,
                                perc_error *err)
{
    perc_status st;

    if (r->space != NULL) {
        r->radius = r->space->found->radius;
        r->gamma = r->space->found->lower;
        write_bound(r->radius, r->gamma, r->space->found->upper, &c->view);
        return PERC_OK;
    }
    r->u = pool_zeroed(pool, r->dims, sizeof *r->u);
    r->w = pool_zeroed(pool, r->dims, sizeof *r->w);
    if (pool->failed) return fail_memory(err);
    if ((st = whole_floats(&r->sub->exact, &r->floats, err)) ||
        (st = measure_bound(r, &c->view, err)))
        return st;
    return sharpen_bound(r, c, err);
}

perc_status bound_curves(const perc_dataset *ds, const struct subproof *sub, const perc_params *p,
                         const struct bound_space *space, const struct watch *watch,
                         struct bound_curves **out, perc_error *err)
{
    struct runner r = { .ds = ds,
                        .sub = sub,
                        .p = p,
                        .space = space,
                        .watch = watch,
                        .e = sub->exact.e,
                        .dims = sub->exact.dims };
    const size_t orders = (size_t)params_int(p, "orders");
    struct bound_curves *c;
    struct pool pool;
    perc_status st;

    *out = NULL;
    if ((st = check_bound_rows(&r, err))) return st;
    if ((c = mem_zeroed(&r.e, 1, sizeof *c)) == NULL) return fail_memory(err);
    c->run = mem_zeroed(&r.e, orders, sizeof *c->run);
    c->curve = mem_array(&r.e, orders, sizeof *c->curve);
    c->room = orders;
    pool_init(&pool, &r.e);
    if (c->run == NULL || c->curve == NULL) st = fail_memory(err);
    if (!st) st = prepare_runs(&r, &pool, c, err);
    c->view.orders = orders;
    for (size_t k = 0; k < orders && !st && !r.stopped; k++) {
        st = run_order(&r, c, k, params_int(p, "seed"), err);
        c->view.runs = k + 1;
    }
    whole_floats_free(&r.floats);
    pool_free(&pool);
    if (st) bound_curves_free(&sub->exact.e, c);
    else *out = c;
    return st;
}

void bound_curves_get(const struct bound_curves *c, perc_bound *out)
{
    *out = c->view;
    out->run = c->run;
}

void bound_curves_free(const struct env *e, struct bound_curves *c)
{
    if (c == NULL) return;
    mem_free(e, c->run, c->room, sizeof *c->run);
    mem_free(e, c->curve, c->room, sizeof *c->curve);
    mem_free(e, c->exact, c->exact_size, 1);
    mem_free(e, c, 1, sizeof *c);
}
