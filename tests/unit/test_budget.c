/* test_budget.c -- kernel machines on a budget, against slow copies that keep everything in
 * plain matrices and follow the papers word by word. */
#include <math.h>

#include "machine/budget.h"
#include "t.h"

#include "t_alloc.h"
#include "t_hostile.h"

enum { DIM = 5, MOST = 40 };

static const struct kernel rbf = { .type = KERNEL_RBF, .gamma = 0.7 };
static const struct kernel poly = { .type = KERNEL_POLY, .gamma = 1, .coef0 = 1, .degree = 2 };

/* ----- a learner of two classes around the budget -------------------------------------- */

struct machine {
    struct budget *b;
    struct linear m;
};

static struct machine machine_new(const struct env *e, const struct kernel *k, size_t slots,
                                  enum budget_policy policy, double unit, bool offset)
{
    struct machine x;

    assert_int_equal(budget_new(e, k, slots, policy, 7, unit, &x.b), PERC_OK);
    assert_int_equal(linear_init(&x.m, e, 1, offset), PERC_OK);
    assert_int_equal(linear_grow(&x.m, slots), PERC_OK);
    return x;
}

static void machine_free(struct machine *x)
{
    budget_free(x->b);
    linear_free(&x->m);
}

static struct row dense(const double *x, size_t n)
{
    return (struct row){
        .value = x, .n = n, .stride = sizeof *x, .values = VALUES_F64, .indices = INDEX_DENSE
    };
}

static double score(struct machine *m, const double *x)
{
    const struct row r = dense(x, DIM);
    struct row k;

    assert_int_equal(budget_see(m->b, &r, &k), PERC_OK);
    assert_int_equal(k.n, m->b->rows);
    return linear_score(&m->m, &k);
}

/* true: a mistake, learned from. */
static bool show(struct machine *m, const double *x, double y, double g)
{
    const struct row r = dense(x, DIM);

    if (y * score(m, x) > 0) return false;
    assert_int_equal(budget_update(m->b, &r, &m->m, NULL, 0, NO_VECTOR, g * y), PERC_OK);
    return true;
}

static struct env alone(void)
{
    return env_resolve(&(perc_env){ .threads = 1 });
}

/* Two moons of sorts with one label in ten wrong; zeros among the values. */
static double example(struct rng *r, double *x)
{
    double s = -2.2;

    for (size_t j = 0; j < DIM; j++) {
        x[j] = rng_below(r, 5) == 0 ? 0 : rng_normal(r);
        s += x[j] * x[j] * (j < 3 ? 1 : 0.1);
    }
    return (s > 0) != (rng_below(r, 10) == 0) ? 1 : -1;
}

static double value(const struct kernel *k, const double *x, const double *z)
{
    const struct row a = dense(x, DIM), b = dense(z, DIM);

    return kernel_value(k, &a, kernel_norm2(k, &a), &b, kernel_norm2(k, &b));
}

/* ----- slow copies --------------------------------------------------------------------- */

struct slow { /* f = sum a_i (K(x_i, .) + one), in no particular order */
    const struct kernel *k;
    double one; /* 1 with an offset */
    size_t n;
    double x[MOST + 1][DIM], a[MOST + 1];
    double loose; /* what is added beside the rows: projectron's offset */
};

static double slow_score(const struct slow *s, const double *x)
{
    double f = s->loose;

    for (size_t i = 0; i < s->n; i++) f += s->a[i] * (value(s->k, s->x[i], x) + s->one);
    return f;
}

static void slow_add(struct slow *s, const double *x, double a)
{
    assert_true(s->n <= MOST);
    memcpy(s->x[s->n], x, sizeof s->x[0]);
    s->a[s->n++] = a;
}

static void slow_remove(struct slow *s, size_t i) /* the rest keeps its order */
{
    s->n--;
    memmove(s->x[i], s->x[i + 1], (s->n - i) * sizeof s->x[0]);
    memmove(s->a + i, s->a + i + 1, (s->n - i) * sizeof s->a[0]);
}

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * (1 + fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

/* ----- random -------------------------------------------------------------------------- */

/* The row that went is the one whose slot the new one has; all else is as it was. */
TEST(random_forgets_one_row_by_chance)
{
    enum { B = 10 };
    const struct env e = alone();
    int gone[B] = { 0 }, removals = 0, mistakes = 0;

    for (int offset = 0; offset < 2; offset++) {
        struct machine m = machine_new(&e, &rbf, B, BUDGET_RANDOM, 1, offset);
        struct slow s = { .k = &rbf, .one = offset };
        struct rng r = rng_seed(3, (uint64_t)offset);
        for (int t = 0; t < 8000; t++) {
            double x[DIM];
            const double y = example(&r, x);
            near(score(&m, x), slow_score(&s, x), 1e-12);
            const size_t before = m.b->rows;
            if (!show(&m, x, y, 1)) continue;
            mistakes++;
            assert_int_equal(m.b->rows, before < B ? before + 1 : B);
            if (before == B) { /* the slow copy keeps the slots, too */
                const size_t i = m.b->place;
                gone[i]++;
                removals++;
                memcpy(s.x[i], x, sizeof x);
                s.a[i] = y;
            } else {
                slow_add(&s, x, y);
            }
        }
        assert_int_equal(m.b->updates - m.b->removed, B);
        machine_free(&m);
    }
    assert_true(removals > 2000 && mistakes == removals + 2 * B);
    for (size_t i = 0; i < B; i++) /* binomial: 6 deviations */
        assert_true(fabs(gone[i] - removals / 10.0) < 6 * sqrt(removals * 0.09));
}

/* ----- forgetron ----------------------------------------------------------------------- */

static double psi(double lambda, double mu)
{
    return lambda * lambda + 2 * lambda - 2 * lambda * mu;
}

/* The largest phi in (0, 1] with Q + Psi <= 15/32 M, from its definition: 1, or else the end of
 * the interval that begins at 0. */
static double slow_phi(double q, double sigma, double mu, double m)
{
    double low = 0, high = 1;

    if (q + psi(sigma, mu) <= 15.0 / 32 * m) return 1;
    for (int i = 0; i < 200; i++) {
        const double mid = (low + high) / 2;
        if (q + psi(mid * sigma, mid * mu) <= 15.0 / 32 * m) low = mid;
        else high = mid;
    }
    return low;
}

/* One mistake by the paper: add, shrink by phi, remove the oldest. phi is what it should be:
 * to 1e-6 only, because it is a root that may be nearly double. */
static void slow_forgetron(struct slow *s, size_t slots, const double *x, double y, int m,
                           double *q, double phi)
{
    slow_add(s, x, y);
    if (s->n <= slots) {
        assert_true(phi == 1);
        return;
    }
    const double sign = s->a[0] > 0 ? 1 : -1, r2 = 1 + s->one;
    const double sigma = fabs(s->a[0]), mu = sign * slow_score(s, s->x[0]) / r2;
    near(phi, slow_phi(*q, sigma, mu, m), 1e-6);
    *q += psi(phi * sigma, phi * mu);
    for (size_t i = 0; i < s->n; i++) s->a[i] *= phi;
    slow_remove(s, 0);
    assert_true(*q <= 15.0 / 32 * m * (1 + 1e-9));
}

TEST(forgetron_is_the_papers)
{
    const struct env e = alone();
    int shrunk = 0, whole = 0;

    for (int c = 0; c < 6; c++) {
        const bool offset = c % 2;
        const size_t slots = (size_t[]){ 1, 6, 25 }[c / 2];
        const double rate = c % 2 ? 1 : 0.25; /* a power of two: the same bits, scaled */
        struct machine m = machine_new(&e, &rbf, slots, BUDGET_FORGETRON, rate, offset);
        struct slow s = { .k = &rbf, .one = offset };
        struct rng r = rng_seed(5, (uint64_t)c);
        double q = 0;
        int mistakes = 0;
        for (int t = 0; t < 3000; t++) {
            double x[DIM];
            const double y = example(&r, x), f = slow_score(&s, x);
            near(score(&m, x) / rate, f, 1e-9);
            if (fabs(f) < 1e-8 && s.n > 0) continue; /* too close to call */
            assert_int_equal(show(&m, x, y, rate), !(y * f > 0));
            if (y * f > 0) continue;
            slow_forgetron(&s, slots, x, y, ++mistakes, &q, m.b->scale);
            near(m.b->q, q, 1e-9);
            shrunk += m.b->scale < 1;
            whole += m.b->scale == 1 && m.b->removed > 0;
            assert_int_equal(m.b->rows, s.n);
        }
        machine_free(&m);
    }
    assert_true(shrunk > 300 && whole > 300);
}

/* Mistakes <= 2 |u|^2 + 4 sum of losses, |u| <= sqrt((B+1) / ln(B+1)) / 4, B >= 84: u is a
 * difference of two bumps, one label in twenty is wrong. */
TEST(forgetron_keeps_its_bound)
{
    enum { B = 400, T = 12000 };
    const struct env e = alone();
    struct machine m = machine_new(&e, &rbf, B, BUDGET_FORGETRON, 1, false);
    struct rng r = rng_seed(1, 2);
    const double z[2][DIM] = { { 3 }, { -3 } }, c = 1.1;
    double losses = 0;
    int mistakes = 0;

    const double norm2 = 2 * c * c * (1 - value(&rbf, z[0], z[1]));
    assert_true(sqrt(norm2) <= sqrt((B + 1) / log(B + 1)) / 4);
    for (int t = 0; t < T; t++) {
        const int side = (int)rng_below(&r, 2);
        const double y = (side == 0) != (rng_below(&r, 20) == 0) ? 1 : -1;
        double x[DIM];
        for (size_t j = 0; j < DIM; j++) x[j] = z[side][j] + rng_normal(&r) * 0.1;
        const double u = c * (value(&rbf, z[0], x) - value(&rbf, z[1], x));
        losses += fmax(0, 1 - y * u);
        mistakes += show(&m, x, y, 1);
        assert_true(mistakes <= 2 * norm2 + 4 * losses);
    }
    assert_true(m.b->removed > 100);
    machine_free(&m);
}

/* ----- projectron ---------------------------------------------------------------------- */

/* G d = k by elimination with pivots; true unless G is singular. */
static bool solve(double g[MOST][MOST], double *k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t p = i;
        for (size_t j = i; j < n; j++)
            if (fabs(g[j][i]) > fabs(g[p][i])) p = j;
        if (g[p][i] == 0) return false;
        for (size_t j = 0; j < n; j++) {
            const double t = g[i][j];
            g[i][j] = g[p][j];
            g[p][j] = t;
        }
        const double t = k[i];
        k[i] = k[p];
        k[p] = t;
        for (size_t j = i + 1; j < n; j++) {
            const double by = g[j][i] / g[i][i];
            for (size_t l = i; l < n; l++) g[j][l] -= by * g[i][l];
            k[j] -= by * k[i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) k[i] -= g[i][j] * k[j];
        k[i] /= g[i][i];
    }
    return true;
}

/* d and the distance of x from the span of the rows. */
static double slow_project(const struct slow *s, const double *x, double *d)
{
    static double g[MOST][MOST];
    double k[MOST], d2 = value(s->k, x, x);

    for (size_t i = 0; i < s->n; i++) {
        d[i] = k[i] = value(s->k, s->x[i], x);
        for (size_t j = 0; j < s->n; j++) g[i][j] = value(s->k, s->x[i], s->x[j]);
    }
    assert_true(solve(g, d, s->n));
    for (size_t i = 0; i < s->n; i++) d2 -= k[i] * d[i];
    return sqrt(fmax(d2, 0));
}

TEST(projectron_projects)
{
    const struct env e = alone();

    for (int c = 0; c < 4; c++) {
        const struct kernel *k = c < 2 ? &rbf : &poly;
        const bool offset = c % 2;
        const size_t slots = c < 2 ? 30 : 12;
        struct machine m = machine_new(&e, k, slots, BUDGET_PROJECTRON, 1, offset);
        struct slow s = { .k = k };
        struct rng r = rng_seed(11, (uint64_t)c);
        int projected = 0;
        for (int t = 0; t < 3000; t++) {
            double x[DIM], d[MOST];
            const double y = example(&r, x), f = slow_score(&s, x);
            near(score(&m, x), f, 1e-6);
            if (fabs(f) < 1e-5 && s.n > 0) continue;
            assert_int_equal(show(&m, x, y, 1), !(y * f > 0));
            if (y * f > 0) continue;
            s.loose += offset ? y : 0;
            if (s.n < slots) {
                slow_add(&s, x, y);
                continue;
            }
            slow_project(&s, x, d);
            for (size_t i = 0; i < s.n; i++) s.a[i] += y * d[i];
            projected++;
        }
        assert_int_equal(m.b->rows, slots);
        assert_true(projected > 200);
        machine_free(&m);
    }
}

/* budget.c derives: mistakes <= |u|^2 + 2 sum of losses + 2 |u| sum of delta. */
TEST(projectron_keeps_its_bound)
{
    enum { B = 12 };
    const struct env e = alone();
    struct machine m = machine_new(&e, &rbf, B, BUDGET_PROJECTRON, 1, false);
    struct rng r = rng_seed(1, 2);
    const double z[2][DIM] = { { 0.9 }, { -0.9 } }, c = 1.6;
    double losses = 0, deltas = 0;
    int mistakes = 0;

    const double norm2 = 2 * c * c * (1 - value(&rbf, z[0], z[1]));
    for (int t = 0; t < 4000; t++) {
        const int side = (int)rng_below(&r, 2);
        const double y = (side == 0) != (rng_below(&r, 50) == 0) ? 1 : -1;
        struct slow s = { .k = &rbf, .n = m.b->rows };
        double x[DIM], d[MOST];
        for (size_t j = 0; j < DIM; j++) x[j] = z[side][j] + rng_normal(&r) * 0.1;
        for (size_t i = 0; i < s.n; i++)
            for (size_t k = 0; k < m.b->slot[i].n; k++)
                s.x[i][m.b->slot[i].column[k]] = m.b->slot[i].value[k];
        losses += fmax(0, 1 - y * c * (value(&rbf, z[0], x) - value(&rbf, z[1], x)));
        if (!show(&m, x, y, 1)) continue;
        mistakes++;
        if (s.n == B) deltas += slow_project(&s, x, d);
        assert_true(mistakes <= norm2 + 2 * losses + 2 * sqrt(norm2) * deltas + 1e-6);
    }
    assert_true(m.b->updates > 3 * B);
    machine_free(&m);
}

/* Rows in the span of others take no slot: five features have room for five rows. */
TEST(projectron_keeps_independent_rows_only)
{
    const struct env e = alone();
    const struct kernel linear = { .type = KERNEL_LINEAR };
    struct machine m = machine_new(&e, &linear, MOST, BUDGET_PROJECTRON, 1, false);
    struct rng r = rng_seed(2, 2);
    double w[DIM] = { 0 };

    for (int t = 0; t < 2000; t++) { /* the plain perceptron beside it */
        double x[DIM], s = 0;
        const double y = example(&r, x);
        for (size_t j = 0; j < DIM; j++) s += w[j] * x[j];
        near(score(&m, x), s, 1e-7);
        if (fabs(s) < 1e-6 && t > 0) continue;
        if (!show(&m, x, y, 1)) continue;
        for (size_t j = 0; j < DIM; j++) w[j] += y * x[j];
    }
    assert_int_equal(m.b->rows, DIM);
    machine_free(&m);
}

/* A row that is kept and errs again adds to its own coefficient, and to no other. */
TEST(projectron_knows_its_rows)
{
    const struct env e = alone();
    struct machine m = machine_new(&e, &rbf, 30, BUDGET_PROJECTRON, 1, false);
    struct rng r = rng_seed(2, 3);

    for (int t = 0; t < 1000; t++) {
        double x[DIM];
        const double y = example(&r, x);
        show(&m, x, y, 1);
    }
    assert_int_equal(m.b->rows, 30);
    for (size_t slot = 0; slot < 30; slot++) {
        const struct row kept = budget_row(m.b, slot);
        double x[DIM] = { 0 }, before[30];
        for (size_t k = 0; k < kept.n; k++) x[row_column(&kept, k)] = row_value(&kept, k);
        const struct row again = dense(x, DIM);
        memcpy(before, m.m.w, sizeof before);
        score(&m, x);
        assert_int_equal(budget_update(m.b, &again, &m.m, NULL, 0, NO_VECTOR, 2), PERC_OK);
        for (size_t i = 0; i < 30; i++) assert_true(m.m.w[i] == before[i] + (i == slot ? 2 : 0));
    }
    machine_free(&m);
}

static bool is_finite(const struct linear *m)
{
    bool finite = true;

    for (uint64_t k = 0; k < m->dims * m->stride; k++) finite &= isfinite(m->w[k]) != 0;
    for (size_t c = 0; c < m->stride; c++) finite &= isfinite(m->b[c]) != 0;
    return finite;
}

/* Whatever kernel and rows: finite numbers. */
TEST(nothing_makes_nan)
{
    static const struct kernel kernels[] = {
        { .type = KERNEL_SIGMOID, .gamma = 0.5, .coef0 = -1 },
        { .type = KERNEL_SIGMOID, .gamma = 2, .coef0 = 3 },
        { .type = KERNEL_LINEAR },
        { .type = KERNEL_POLY, .gamma = 1, .coef0 = -2, .degree = 3 },
        { .type = KERNEL_RBF, .gamma = 1e-12 },
        { .type = KERNEL_RBF, .gamma = 1e9 },
    };
    const struct env e = alone();

    for (size_t k = 0; k < COUNT(kernels); k++)
        for (int policy = 0; policy < 3; policy++) {
            struct machine m = machine_new(&e, &kernels[k], 9, (enum budget_policy)policy, 1, true);
            struct rng r = rng_seed(k, (uint64_t)policy);
            for (int t = 0; t < 600; t++) {
                double x[DIM] = { 0 };
                const double y = example(&r, x);
                if (t % 7 == 0) memset(x, 0, sizeof x);
                if (t % 11 == 0) x[2] *= 1e60;
                if (!isfinite(score(&m, x))) continue; /* the learner stops there */
                show(&m, x, y, t % 13 == 0 ? 1e30 : 1);
                assert_true(is_finite(&m.m));
                assert_true(isfinite(m.b->q));
            }
            machine_free(&m);
        }
}

/* ----- several classes ----------------------------------------------------------------- */

/* Updates of one row share a slot, and a slot that is emptied is so for all vectors and for
 * the other machine. */
TEST(classes_share_the_slots)
{
    enum { B = 4, C = 3 };
    const struct env e = alone();

    for (int policy = 0; policy < 3; policy += 2) {
        struct budget *b;
        struct linear m, other;
        struct rng r = rng_seed(8, 8);
        assert_int_equal(budget_new(&e, &rbf, B, (enum budget_policy)policy, 7, 1, &b), PERC_OK);
        assert_false(linear_init(&m, &e, C, true) || linear_grow(&m, B));
        assert_false(linear_init(&other, &e, 1, true) || linear_grow(&other, B));
        for (int t = 0; t < 40; t++) {
            double x[DIM], sum[C + 1] = { 0 };
            struct row k;
            example(&r, x);
            const struct row row = dense(x, DIM);
            assert_int_equal(budget_see(b, &row, &k), PERC_OK);
            assert_int_equal(budget_update(b, &row, &m, &other, 0, 2, 1), PERC_OK);
            assert_int_equal(budget_update(b, &row, &m, &other, 1, NO_VECTOR, -3), PERC_OK);
            assert_int_equal(budget_update(b, &row, &other, &m, 0, NO_VECTOR, 5), PERC_OK);
            assert_int_equal(b->rows, t < B ? t + 1 : B);
            assert_int_equal(b->updates, t + 1);
            for (size_t i = 0; i < B; i++) { /* the same rows made all of them */
                const double *w = m.w + i * m.stride;
                near(w[2], -w[0], 1e-12);
                near(w[1], -3 * w[0], 1e-12);
                near(other.w[i], 5 * w[0], 1e-12);
                for (size_t c = 0; c < C; c++) sum[c] += w[c];
                sum[C] += other.w[i];
            }
            if (policy == BUDGET_PROJECTRON) continue;
            for (size_t c = 0; c < C; c++) assert_true(m.b[c] == sum[c]);
            assert_true(other.b[0] == sum[C]);
        }
        linear_free(&m);
        linear_free(&other);
        budget_free(b);
    }
}

/* ----- memory -------------------------------------------------------------------------- */

TEST(memory_is_constant)
{
    for (int policy = 0; policy < 3; policy++) {
        struct t_alloc a = { .fail_at = -1 };
        const perc_env env = { t_alloc, &a, 1 };
        const struct env e = env_resolve(&env);
        struct machine m = machine_new(&e, &rbf, 15, (enum budget_policy)policy, 1, true);
        struct rng r = rng_seed(4, (uint64_t)policy);
        long calls = 0, bytes = 0;
        for (int t = 0; t < 12000; t++) {
            double x[DIM];
            const double y = example(&r, x);
            show(&m, x, y, 1);
            assert_true(m.b->rows <= 15);
            if (t == 4000) calls = a.calls, bytes = a.bytes;
        }
        assert_int_equal(a.calls, calls);
        assert_int_equal(a.bytes, bytes);
        machine_free(&m);
        t_alloc_holds(&a, 0);
    }
}

/* Memory fails at each call in turn: nothing has changed, and the next try goes on as if
 * nothing had happened. */
TEST(failures_change_nothing)
{
    for (int policy = 0; policy < 3; policy++) {
        struct t_alloc a = { .fail_at = -1 };
        const perc_env env = { t_alloc, &a, 1 };
        const struct env e = env_resolve(&env), sure = alone();
        struct machine m = machine_new(&e, &rbf, 8, (enum budget_policy)policy, 1, true);
        struct machine same = machine_new(&sure, &rbf, 8, (enum budget_policy)policy, 1, true);
        struct rng r = rng_seed(4, (uint64_t)policy);
        int failed = 0;
        for (int t = 0; t < 300; t++) {
            double x[DIM];
            struct row k;
            const double y = example(&r, x), s = score(&same, x);
            const struct row row = dense(x, DIM);
            for (long n = 0;; n++, failed++) {
                t_alloc_again(&a, n);
                if (budget_see(m.b, &row, &k)) continue;
                assert_true(linear_score(&m.m, &k) == s);
                if (y * s > 0 || !budget_update(m.b, &row, &m.m, NULL, 0, NO_VECTOR, y)) break;
                assert_int_equal(m.b->updates, same.b->updates);
                assert_int_equal(m.b->rows, same.b->rows);
                assert_memory_equal(m.m.w, same.m.w, 8 * sizeof *m.m.w);
            }
            t_alloc_again(&a, -1);
            show(&same, x, y, 1);
            assert_memory_equal(m.m.w, same.m.w, 8 * sizeof *m.m.w);
            assert_true(m.b->q == same.b->q && m.m.b[0] == same.m.b[0]);
        }
        if (failed < 8) fail_msg("%d failures", failed);
        machine_free(&same);
        machine_free(&m);
        t_alloc_holds(&a, 0);
    }
}

/* ----- copies and files ---------------------------------------------------------------- */

/* Both go on alike, to the bit. */
static void go_on_alike(struct machine *a, struct machine *b, struct rng r)
{
    for (int t = 0; t < 400; t++) {
        double x[DIM];
        const double y = example(&r, x);
        const double s = score(a, x), u = score(b, x);
        assert_memory_equal(&s, &u, sizeof s);
        assert_int_equal(show(a, x, y, 1), show(b, x, y, 1));
    }
    assert_memory_equal(a->m.w, b->m.w, a->b->slots * sizeof *a->m.w);
    assert_int_equal(a->b->removed, b->b->removed);
}

static struct machine taught(const struct env *e, int policy, int examples)
{
    struct machine m = machine_new(e, &rbf, 20, (enum budget_policy)policy, 1, true);
    struct rng r = rng_seed(6, 6);

    for (int t = 0; t < examples; t++) {
        double x[DIM];
        const double y = example(&r, x);
        show(&m, x, y, 1);
    }
    return m;
}

TEST(copies_and_files_go_on_alike)
{
    for (int c = 0; c < 6; c++) { /* full, and with empty slots */
        struct t_alloc a = { .fail_at = -1 };
        const perc_env env = { t_alloc, &a, 1 };
        const struct env e = env_resolve(&env);
        struct machine m = taught(&e, c / 2, c % 2 ? 20 : 600), copy, back;
        struct tensors t;
        perc_error err;
        assert_int_equal(m.b->rows < 20, c % 2);
        for (int way = 0; way < 2; way++) {
            struct machine *to = way ? &back : &copy;
            *to = machine_new(&e, &rbf, 20, (enum budget_policy)(c / 2), 1, true);
            linear_assign(&to->m, &m.m);
            if (way == 0) {
                assert_int_equal(budget_copy(m.b, to->b), PERC_OK);
                continue;
            }
            tensors_init(&t, &e);
            assert_int_equal(budget_pack(m.b, 0, &t), PERC_OK);
            t_sort(&t);
            assert_int_equal(budget_unpack(to->b, DIM, 0, &t, &err), PERC_OK);
            tensors_free(&t);
        }
        struct machine other = taught(&e, c / 2, c % 2 ? 20 : 600);
        go_on_alike(&m, &copy, rng_seed(9, 9));
        go_on_alike(&other, &back, rng_seed(9, 9));
        machine_free(&m);
        machine_free(&other);
        machine_free(&copy);
        machine_free(&back);
        t_alloc_holds(&a, 0);
    }
}

static perc_status unpack(void *ud, struct tensors *t, perc_error *err)
{
    const struct env e = alone();
    struct machine to = machine_new(&e, &rbf, 20, *(const enum budget_policy *)ud, 1, true);
    const perc_status st = budget_unpack(to.b, DIM, 0, t, err);

    machine_free(&to);
    return st;
}

/* One number of one array changed, or an array of another type, or gone: EDATA that names it. */
TEST(files_are_not_trusted)
{
    static const struct {
        enum budget_policy policy;
        const char *element, *is;
    } bad[] = {
        { 1, "row.start[0]", "1" },
        { 1, "row.start[2]", "90" },
        { 1, "row.start[20]", "1000000" },
        { 1, "row.column[1]", "0" },
        { 1, "row.column[1]", "4000000000" },
        { 0, "row.value[3]", "nan" },
        { 0, "row.value[3]", "0" },
        { 0, "row.value[3]", "-inf" },
        { 0, "budget.count[0]", "19" },
        { 0, "budget.count[1]", "-1" },
        { 1, "budget.count[1]", "3" },
        { 2, "budget.count[1]", "1" },
        { 2, "budget.count[0]", "19" },
        { 2, "budget.count[0]", "9000000000000000000" },
        { 1, "budget.count[0]", "9000000000000000000" },
        { 1, "budget.forgetron[0]", "1e6" },
        { 1, "budget.forgetron[0]", "nan" },
        { 1, "budget.forgetron[1]", "0.5" },
        { 1, "budget.forgetron[1]", "inf" },
    };
    const struct env e = alone();

    for (size_t i = 0; i < COUNT(bad); i++) {
        enum budget_policy policy = bad[i].policy;
        struct machine m = taught(&e, (int)policy, 600);
        const char *name = t_text("%.*s", (int)strcspn(bad[i].element, "["), bad[i].element);
        const struct hostile ways[] = {
            { AS_IT_IS, NULL, NULL, NULL },
            { ELEMENT, bad[i].element, bad[i].is, name },
            { TYPE, name, "U8", name },
            { GONE, name, NULL, name },
        };
        struct tensors t;
        tensors_init(&t, &e);
        assert_int_equal(budget_pack(m.b, 0, &t), PERC_OK);
        t_refuses(&t, unpack, &policy, ways, COUNT(ways));
        tensors_free(&t);
        machine_free(&m);
    }
}

/* More rows than the budget has slots, and arrays of different lengths. */
TEST(sizes_are_not_trusted)
{
    const struct env e = alone();

    for (int way = 0; way < 2; way++) {
        struct machine m = taught(&e, BUDGET_RANDOM, 600);
        struct machine to = machine_new(&e, &rbf, way ? 20 : 19, BUDGET_RANDOM, 1, true);
        struct tensors t;
        perc_error err = { 0 };
        tensors_init(&t, &e);
        assert_int_equal(budget_pack(m.b, 0, &t), PERC_OK);
        t_sort(&t);
        for (size_t k = 0; k < t.n && way; k++)
            if (strcmp(t.tensor[k].name, "row.value") == 0)
                t.tensor[k].shape[0] = --t.tensor[k].count;
        assert_refused(budget_unpack(to.b, DIM, 0, &t, &err), PERC_EDATA, &err,
                       way ? "'row.value' must be" : "1 to 20 elements");
        tensors_free(&t);
        machine_free(&m);
        machine_free(&to);
    }
}

/* Rows that no projectron would keep, from a file: used as far as they go, and no NaN. */
TEST(twins_in_a_file_do_no_harm)
{
    const struct env e = alone();
    const double x[6] = { 1, 2, 1, 2, 1, 2 };
    const uint32_t column[6] = { 0, 3, 0, 3, 0, 3 };
    const uint64_t start[4] = { 0, 2, 4, 6 };
    const int64_t count[2] = { 9, 0 };
    struct machine m = machine_new(&e, &rbf, 3, BUDGET_PROJECTRON, 1, true);
    struct tensors t;
    struct rng r = rng_seed(1, 1);

    tensors_init(&t, &e);
    assert_false(tensors_add(&t, "budget.count", DTYPE_I64, count, 2, 0) ||
                 tensors_add(&t, "row.column", DTYPE_U32, column, 6, 0) ||
                 tensors_add(&t, "row.start", DTYPE_U64, start, 4, 0) ||
                 tensors_add(&t, "row.value", DTYPE_F64, x, 6, 0));
    assert_int_equal(budget_unpack(m.b, DIM, 0, &t, NULL), PERC_OK);
    for (int k = 0; k < 50; k++) {
        double z[DIM];
        const double y = example(&r, z);
        show(&m, z, y, 1);
        assert_true(is_finite(&m.m));
    }
    assert_true(m.m.w[0] != 0 && m.m.w[1] == 0 && m.m.w[2] == 0);
    tensors_free(&t);
    machine_free(&m);
}
