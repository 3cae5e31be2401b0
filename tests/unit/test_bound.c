/* test_bound.c -- the mistake bound (Novikoff 1962) as a test.
 *
 * With x' = (x, 1) (x' = x without an offset), R = max |x'| and a unit vector u
 * with y u.x' >= gamma' for every row, the perceptron makes at most (R / gamma')^2
 * updates from w' = 0; from any start w'_0 and with rate eta, k updates satisfy
 *
 *     k eta gamma' + w'_0.u  <=  sqrt(|w'_0|^2 + k eta^2 R^2).                  (3)
 *
 * The data are planted: u is known because the labels were made with it. It need
 * not be the best u, but the theorem holds for each one, so a bound computed with
 * its margin is valid. The margin is that of the theorem, offset inside the norm;
 * a test shows that the geometric one would be wrong. Proof: docs/algorithms. */
#include <math.h>

#include "t.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

enum { COLS_MAX = 8 };

/* A separable set and the unit vector of augmented space that separates it. */
struct planted {
    struct t_data d;
    bool offset;
    double u[COLS_MAX + 1]; /* u[cols] belongs to the constant feature */
    double gamma, radius;   /* gamma' and R */
};

/* y x'.u of row i, or with another vector v. */
static double along(const struct planted *p, size_t i, const double *v)
{
    double s = p->offset ? v[p->d.cols] : 0;

    for (size_t j = 0; j < p->d.cols; j++) s += v[j] * p->d.x[i * p->d.cols + j];
    return p->d.y[i] * s;
}

static void measure(struct planted *p)
{
    const size_t cols = p->d.cols;
    double norm2 = 0;

    if (!p->offset) p->u[cols] = 0;
    for (size_t j = 0; j <= cols; j++) norm2 += p->u[j] * p->u[j];
    for (size_t j = 0; j <= cols; j++) p->u[j] /= sqrt(norm2);
    p->gamma = INFINITY;
    p->radius = 0;
    for (size_t i = 0; i < p->d.rows; i++) {
        double x2 = p->offset ? 1 : 0;
        for (size_t j = 0; j < cols; j++) x2 += p->d.x[i * cols + j] * p->d.x[i * cols + j];
        p->radius = fmax(p->radius, sqrt(x2));
        p->gamma = fmin(p->gamma, along(p, i, p->u));
    }
    assert_true(p->gamma > 0); /* the labels were made with u */
}

static struct planted plant(uint64_t seed)
{
    struct rng r = rng_seed(seed, 99);
    const size_t cols = 1 + (size_t)rng_below(&r, COLS_MAX), rows = 2 + (size_t)rng_below(&r, 99);
    struct planted p = { .offset = rng_below(&r, 4) > 0 };
    double b = 0, length2 = 0;

    for (size_t j = 0; j < cols; j++) p.u[j] = rng_normal(&r);
    for (size_t j = 0; j < cols; j++) length2 += p.u[j] * p.u[j];
    if (p.offset) b = 3 * rng_normal(&r) * sqrt(length2); /* boundaries near and far */
    p.u[cols] = b;
    p.d = t_planted(rows, cols, p.u, b, 0.05 + 0.2 * rng_uniform(&r), seed);
    measure(&p);
    return p;
}

static double ratio2(const struct planted *p)
{
    return p->radius / p->gamma * (p->radius / p->gamma);
}

/* ----- the theorem ---------------------------------------------------------------------- */

/* A limit of one update more than the theorem allows: a run that breaks the
 * theorem ends there and is seen, and every test comes to an end. */
TEST(updates_stay_within_the_bound)
{
    static const char *const rate[] = { "1", "0.125", "7" };
    double closest = 0;
    int64_t most = 0;

    for (uint64_t seed = 0; seed < 500; seed++) {
        struct planted p = plant(seed);
        const double bound = ratio2(&p);
        perc_dataset *ds = t_borrow(&p.d);
        char text[128];
        perc_report r;
        snprintf(text, sizeof text,
                 "offset=%s order=%s rate=%s seed=%d epochs=1000000 updates=%.0f",
                 p.offset ? "true" : "false", seed % 2 ? "file" : "shuffle", rate[seed % 3],
                 (int)seed, floor(bound) + 1);
        perc_model *m = t_fit(ds, text, &r);

        if (r.stop != PERC_STOP_CONVERGED)
            fail_msg("seed %d: %s after %d updates, bound %g", (int)seed, perc_stop_text(r.stop),
                     (int)r.updates, bound);
        assert_true((double)r.updates <= bound);
        assert_int_equal(r.training_errors, 0);
        /* R is a maximum of the same sums, so the two agree but for rounding. */
        assert_true(fabs(r.radius - p.radius) <= 1e-14 * p.radius);
        closest = fmax(closest, (double)r.updates / bound);
        if (r.updates > most) most = r.updates;
        t_free(m, ds, &p.d);
    }
    /* Guards: some runs were long, and some no small part of the bound. */
    print_message("500 separable sets: up to %d updates, up to %.2f of the bound\n", (int)most,
                  closest);
    assert_true(most > 100);
    assert_true(closest > 0.1);
}

/* No bound below (R / gamma')^2 holds for all data: d orthonormal rows, without an
 * offset, have R = 1 and gamma' = 1 / sqrt(d), and each of them is a mistake once. */
TEST(the_bound_is_reached)
{
    for (size_t n = 2; n <= 40; n++) {
        struct t_data d = t_data_new(n, n);
        perc_report r;
        for (size_t i = 0; i < n; i++) {
            d.x[i * n + i] = 1;
            d.y[i] = i % 2 ? 1 : -1;
        }
        perc_dataset *ds = t_borrow(&d);
        perc_model *m = t_fit(ds, "offset=false", &r);
        assert_int_equal(r.stop, PERC_STOP_CONVERGED);
        assert_int_equal(r.updates, n);
        t_free(m, ds, &d);
    }
}

/* With example weights: k <= (c_max / c_min) (R / gamma')^2. */
TEST(weights_loosen_the_bound_by_their_ratio)
{
    for (uint64_t seed = 1000; seed < 1100; seed++) {
        struct planted p = plant(seed);
        perc_report r;
        char text[96];
        t_weigh(&p.d, seed); /* 1/4 .. 3: the ratio is 12 */
        perc_dataset *ds = t_borrow(&p.d);
        snprintf(text, sizeof text, "offset=%s epochs=1000000 updates=%.0f",
                 p.offset ? "true" : "false", floor(12 * ratio2(&p)) + 1);
        perc_model *m = t_fit(ds, text, &r);
        assert_int_equal(r.stop, PERC_STOP_CONVERGED);
        t_free(m, ds, &p.d);
    }
}

/* ----- both halves of the proof, at every update ---------------------------------------- */

struct proof {
    const struct planted *p;
    int64_t seen;
};

/* (1) w'.u >= k gamma' and (2) |w'|^2 <= k R^2, from zero with rate 1. */
static int check_proof(void *ud, const perc_event *e)
{
    struct proof *f = ud;
    const struct planted *p = f->p;
    const double k = (double)e->updates;
    const double b = e->b != NULL ? e->b[0] : 0;
    double wu = p->offset ? b * p->u[p->d.cols] : 0, w2 = b * b;

    if (!e->updated) return 0;
    for (size_t j = 0; j < p->d.cols; j++) {
        wu += e->w[j] * p->u[j];
        w2 += e->w[j] * e->w[j];
    }
    /* Both may be equalities, so rounding has to be allowed for: k + d roundings
     * of at most 1.2e-16 of numbers of at most k R. */
    const double slack = 1e-15 * (k + COLS_MAX) * k * p->radius;
    assert_true(wu >= k * p->gamma - slack);
    assert_true(w2 <= k * p->radius * p->radius + slack * p->radius);
    f->seen++;
    return 0;
}

TEST(both_halves_of_the_proof_hold_at_every_update)
{
    int64_t seen = 0;

    for (uint64_t seed = 2000; seed < 2100; seed++) {
        struct planted p = plant(seed);
        struct proof f = { &p, 0 };
        const perc_observer o = { PERC_WATCH_WEIGHTS, check_proof, &f };
        perc_dataset *ds = t_borrow(&p.d);
        perc_report r;
        perc_model *m = t_fit_watched(ds, p.offset ? "epochs=100000" : "offset=false epochs=100000",
                                      &o, &r);
        assert_int_equal(f.seen, r.updates);
        seen += f.seen;
        t_free(m, ds, &p.d);
    }
    assert_true(seen > 2000); /* guard */
}

/* ----- other starts --------------------------------------------------------------------- */

/* (3), and what follows from it: k <= (R/gamma')^2 + 2 (|w'_0| - w'_0.u) / (eta gamma'). */
static void check_start(const struct planted *p, const perc_model *start, double rate, int64_t k)
{
    const double *w = t_weights(start), b = t_offset(start);
    double a = p->offset ? b * p->u[p->d.cols] : 0, norm2 = b * b;

    for (size_t j = 0; j < p->d.cols; j++) {
        a += w[j] * p->u[j];
        norm2 += w[j] * w[j];
    }
    const double left = (double)k * rate * p->gamma + a;
    const double right = sqrt(norm2 + (double)k * rate * rate * p->radius * p->radius);
    /* Equality needs k = 0 or special data; the slack is for the rounding of both sides. */
    assert_true(left <= right + 1e-12 * (fabs(left) + right));
    assert_true((double)k <= ratio2(p) + 2 * (sqrt(norm2) - a) / (rate * p->gamma) + 1e-9);
}

TEST(other_starts_obey_the_general_inequality)
{
    static const double rate[] = { 1, 0.01, 20 };
    int64_t more = 0;

    for (uint64_t seed = 3000; seed < 3300; seed++) {
        struct planted p = plant(seed);
        perc_dataset *ds = t_borrow(&p.d);
        const char *init = seed % 3 == 0 ? "unit" : seed % 3 == 1 ? "random" : "start.safetensors";
        const double eta = rate[seed / 3 % 3];
        char text[192];
        perc_report r;
        perc_error err = { 0 };
        snprintf(text, sizeof text, "offset=%s rate=%g seed=%d epochs=1000000",
                 p.offset ? "true" : "false", eta, (int)seed);
        if (seed % 3 == 2) { /* a model that was taught the opposite, five times as long */
            for (size_t i = 0; i < p.d.rows; i++) p.d.y[i] = -p.d.y[i];
            perc_dataset *turned = t_borrow(&p.d);
            perc_model *bad = t_fit(turned, "rate=5 epochs=20", NULL);
            if (perc_model_write(bad, "start.safetensors", &err)) fail_msg("%s", err.text);
            for (size_t i = 0; i < p.d.rows; i++) p.d.y[i] = -p.d.y[i];
            t_free(bad, turned);
        }
        strcat(strcat(text, " init="), init);
        perc_model *m = t_fit(ds, text, &r);
        strcat(text, " epochs=0"); /* the later one counts: the start alone */
        perc_model *start = t_fit(ds, text, NULL);

        assert_int_equal(r.stop, PERC_STOP_CONVERGED);
        check_start(&p, start, eta, r.updates);
        more += (double)r.updates > ratio2(&p);
        t_free(start, m, ds, &p.d);
    }
    assert_true(more > 5); /* guard: the bound of a zero start would not have held */
}

/* ----- the wrong margin ----------------------------------------------------------------- */

/* One feature, x = 2 is -1, x = 6 is +1. The geometric margin is 2 and R^2 = 37:
 * "at most 9 updates". There are 11. gamma'^2 = 4/17 gives 157. */
TEST(the_geometric_margin_does_not_bound_the_mistakes)
{
    struct planted p = { t_data_new(2, 1), true, { 1, -4 }, 0, 0 };
    perc_report r;

    p.d.x[0] = 2;
    p.d.x[1] = 6;
    p.d.y[0] = -1;
    measure(&p);
    perc_dataset *ds = t_borrow(&p.d);
    perc_model *m = t_fit(ds, "order=file", &r);

    assert_int_equal(r.stop, PERC_STOP_CONVERGED);
    assert_int_equal(r.updates, 11);
    assert_int_equal(r.epochs, 9);
    assert_true(t_weights(m)[0] == 2 && t_offset(m) == -5);
    assert_true(r.radius * r.radius / (2 * 2) < 11); /* R / geometric margin, squared: 9.25 */
    assert_true(fabs(ratio2(&p) - 157.25) < 1e-9);   /* a few roundings of 157.25 */
    t_free(m, ds, &p.d);
}

/* The further from the origin, the further off: pairs at distance D, 2 apart, have
 * the geometric margin 1 and R^2 = (D+1)^2 + 1, but their updates grow faster. */
TEST(far_from_the_origin_the_geometric_margin_is_far_off)
{
    double last = 0;

    for (int far = 4; far <= 64; far *= 2) {
        struct planted p = { t_data_new(2, 1), true, { 1, -far }, 0, 0 };
        perc_report r;
        p.d.x[0] = far - 1;
        p.d.x[1] = far + 1;
        p.d.y[0] = -1;
        measure(&p);
        perc_dataset *ds = t_borrow(&p.d);
        perc_model *m = t_fit(ds, "order=file epochs=1000000", &r);
        const double wrong = (double)r.updates / (r.radius * r.radius / 1);
        assert_int_equal(r.stop, PERC_STOP_CONVERGED);
        assert_true((double)r.updates <= ratio2(&p));
        assert_true(wrong > last); /* relative to the wrong bound it only gets worse */
        last = wrong;
        t_free(m, ds, &p.d);
    }
    assert_true(last > 1);
}
