/* test_platt.c -- the sigmoid of the smallest log loss, against plain formulas.
 *
 * The reference here knows nothing of how the minimum is found: it is the definition in
 * long doubles, its gradient, and a search that encloses the minimum from both sides. */
#include <float.h>
#include <math.h>

#include "model/platt.h"
#include "t.h"
#include "t_cases.h"
#include "vec/rng.h"

enum { MOST = 120 };

struct rows {
    double s[MOST], w[MOST];
    uint32_t c[MOST];
    size_t n;
};

static struct sigmoid fit(const struct rows *r, bool weighted)
{
    const struct platt_rows p = { r->s, 1, r->n, r->c, 1, weighted ? r->w : NULL };

    return platt_fit(&p);
}

/* ----- the reference --------------------------------------------------------------- */

struct slope {
    long double F, a, b;
};

/* F and its gradient as they are defined; the weights so that their mean is 1. */
static struct slope plain(const struct rows *r, bool weighted, long double a, long double b)
{
    long double total = 0, count = 0, many[2] = { 0, 0 };
    struct slope at = { 0, 0, 0 };

    for (size_t i = 0; i < r->n; i++) {
        const long double w = weighted ? r->w[i] : 1;
        total += w;
        count += w > 0;
    }
    for (size_t i = 0; i < r->n; i++)
        many[r->c[i] == 1] += (weighted ? r->w[i] : 1) * count / total;
    for (size_t i = 0; i < r->n; i++) {
        const long double v = (weighted ? r->w[i] : 1) * count / total;
        const long double t = r->c[i] == 1 ? (many[1] + 1) / (many[1] + 2) : 1 / (many[0] + 2);
        const long double f = a * r->s[i] + b;
        const long double p = f > 0 ? expl(-f) / (1 + expl(-f)) : 1 / (1 + expl(f));
        at.F += v * (f > 0 ? t * f + log1pl(expl(-f)) : (t - 1) * f + log1pl(expl(f)));
        at.a += v * (t - p) * r->s[i];
        at.b += v * (t - p);
    }
    return at;
}

/* The best b for this a: F falls before it and rises after it. */
static long double best_b(const struct rows *r, bool weighted, long double a)
{
    long double low = -1e4L, high = 1e4L;

    for (int k = 0; k < 90; k++) {
        const long double b = (low + high) / 2;
        if (plain(r, weighted, a, b).b < 0) low = b;
        else high = b;
    }
    return (low + high) / 2;
}

/* The best a <= 0, each with its best b: the lowest is between two that are higher. */
static struct sigmoid search(const struct rows *r, bool weighted)
{
    long double low = -1e3L, high = 0;

    for (int k = 0; k < 110; k++) {
        const long double p = low + (high - low) / 3, q = high - (high - low) / 3;
        if (plain(r, weighted, p, best_b(r, weighted, p)).F <
            plain(r, weighted, q, best_b(r, weighted, q)).F)
            high = q;
        else low = p;
    }
    const long double a = (low + high) / 2;
    return (struct sigmoid){ (double)a, (double)best_b(r, weighted, a) };
}

/* Scores with classes that overlap; slope < 0: the wrong way round. */
static struct rows draw(uint64_t seed, size_t n, double slope)
{
    struct rng g = rng_seed(seed, 0);
    struct rows r = { .n = n };

    for (size_t i = 0; i < n; i++) {
        r.s[i] = 3 * rng_normal(&g) + 0.5;
        r.c[i] = rng_uniform(&g) < 1 / (1 + exp(-slope * r.s[i] + 0.7));
        if (i < 2) r.c[i] = (uint32_t)i; /* both classes */
        r.w[i] = rng_below(&g, 4) == 0 ? 0 : 5 * rng_uniform(&g);
    }
    r.w[0] = r.w[1] = 1;
    return r;
}

/* ----- the minimum ------------------------------------------------------------------- */

TEST(the_gradient_is_zero_where_it_stops)
{
    for (unsigned k = 0; k < 200; k++) {
        const struct rows r = draw(k, 10 + k % 100, 0.2 + 0.1 * (k % 20));
        for (int weighted = 0; weighted < 2; weighted++) {
            const struct sigmoid g = fit(&r, weighted);
            const struct slope at = plain(&r, weighted, g.a, g.b);
            if (g.a == 0) continue;
            /* Of up to 110 rows, each at most 12 in size; what a and b are rounded by moves
             * the sums by that much of 1e-16. */
            assert_true(fabsl(at.a) < 1e-11L && fabsl(at.b) < 1e-12L);
        }
    }
}

TEST(no_other_sigmoid_is_better)
{
    size_t inside = 0, flat = 0;

    for (unsigned k = 0; k < 24; k++) {
        const struct rows r = draw(1000 + k, 8 + k, k % 3 == 0 ? -0.3 : 0.4);
        const bool weighted = k % 2 == 1;
        const struct sigmoid got = fit(&r, weighted), want = search(&r, weighted);
        const long double F = plain(&r, weighted, got.a, got.b).F;
        assert_true(F <= plain(&r, weighted, want.a, want.b).F + 1e-14L);
        /* A search by values of F sees half the digits. */
        assert_true(fabs(got.a - want.a) < 1e-7 && fabs(got.b - want.b) < 1e-7);
        assert_true(got.a <= 0);
        *(got.a < 0 ? &inside : &flat) += 1;
    }
    assert_true(inside > 4 && flat > 2); /* guard: both kinds of answers were tried */
}

/* Scores that point the wrong way tell nothing: p is the share of positive targets. */
TEST(scores_that_fall_give_a_flat_sigmoid)
{
    const struct rows r = { .s = { 1, 2, 3, 4, 5 }, .c = { 1, 1, 1, 0, 0 }, .n = 5 };
    const struct sigmoid g = fit(&r, false);
    const double p = (3 * 4.0 / 5 + 2 * 1.0 / 4) / 5;

    assert_true(g.a == 0);
    assert_true(fabs(g.b - log((1 - p) / p)) < 1e-15);
    assert_true(fabsl(plain(&r, false, 0, g.b).b) < 1e-15L);
    assert_true(plain(&r, false, 0, g.b).a < 0); /* guard: a > 0 would be lower */
}

/* sklearn.calibration._SigmoidCalibration gives a_ and b_ as below; it stops early, so
 * that five digits agree. */
TEST(a_small_case_agrees_with_scikit_learn)
{
    const struct rows r = { .s = { -3, -2.5, -1, -0.5, 0, 0.25, 1, 1.5, 2, 4 },
                            .c = { 0, 0, 1, 0, 0, 1, 0, 1, 1, 1 },
                            .n = 10 };
    const struct sigmoid g = fit(&r, false);

    assert_true(fabs(g.a + 0.5055501352103653) < 1e-5);
    assert_true(fabs(g.b - 0.08108097458343468) < 1e-5);
}

/* ----- what may not matter ------------------------------------------------------------- */

static bool same(struct sigmoid x, struct sigmoid y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

TEST(the_unit_of_scores_does_not_matter)
{
    static const int power[] = { -1000, -600, -1, 1, 300, 1015 };

    for (unsigned k = 0; k < 20; k++) {
        const struct rows r = draw(k, 50, 1);
        const struct sigmoid want = fit(&r, true);
        assert_true(want.a < 0); /* guard */
        for (size_t j = 0; j < COUNT(power); j++) {
            struct rows t = r;
            for (size_t i = 0; i < t.n; i++) t.s[i] = ldexp(t.s[i], power[j]);
            const struct sigmoid got = fit(&t, true);
            assert_true(same(got, (struct sigmoid){ ldexp(want.a, -power[j]), want.b }));
        }
    }
}

TEST(a_common_part_of_the_scores_moves_b_alone)
{
    for (unsigned k = 0; k < 20; k++) {
        const struct rows r = draw(k, 60, 1);
        const struct sigmoid g = fit(&r, false);
        struct rows t = r;
        for (size_t i = 0; i < t.n; i++) t.s[i] += 1e6;
        const struct sigmoid h = fit(&t, false);
        /* The sums s + 1e6 are rounded by 1e-10. */
        assert_true(fabs(h.a - g.a) < 1e-8 * fabs(g.a));
        assert_true(fabs(h.b + h.a * 1e6 - g.b) < 1e-8);
    }
}

/* Positive and negative change places: p becomes 1 - p. */
TEST(turning_scores_and_classes_turns_b)
{
    for (unsigned k = 0; k < 50; k++) {
        const struct rows r = draw(k, 60, 0.5);
        const struct sigmoid g = fit(&r, true);
        struct rows t = r;
        for (size_t i = 0; i < t.n; i++) {
            t.s[i] = -t.s[i];
            t.c[i] = !t.c[i];
        }
        const struct sigmoid h = fit(&t, true);
        assert_true(fabs(h.a - g.a) < 1e-12 * (1 + fabs(g.a)));
        assert_true(fabs(h.b + g.b) < 1e-12 * (1 + fabs(g.b)));
    }
}

TEST(rows_of_weight_0_are_as_if_they_were_not_there)
{
    size_t left_out = 0;

    for (unsigned k = 0; k < 30; k++) {
        struct rows r = draw(k, 80, 0.7), t = { .n = 0 };
        for (size_t i = 0; i < r.n; i++) {
            if (r.w[i] == 0) {
                r.s[i] = i % 2 ? 1e308 : -3; /* whatever they say */
                left_out++;
                continue;
            }
            t.s[t.n] = r.s[i];
            t.w[t.n] = r.w[i];
            t.c[t.n++] = r.c[i];
        }
        assert_true(same(fit(&r, true), fit(&t, true)));
    }
    assert_true(left_out > 100); /* guard */
}

TEST(a_common_factor_of_the_weights_changes_nothing)
{
    static const double factor[] = { 0x1p-1060, 0x1p-9, 8, 0x1p1020 };

    for (unsigned k = 0; k < 10; k++) {
        struct rows r = draw(k, 40, 0.7);
        for (size_t i = 0; i < r.n; i++) r.w[i] = floor(8 * r.w[i]) / 8;
        for (size_t j = 0; j < 4; j++) {
            struct rows t = r;
            for (size_t i = 0; i < r.n; i++) t.w[i] *= factor[j];
            assert_true(same(fit(&r, true), fit(&t, true)));
            for (size_t i = 0; i < r.n; i++) t.w[i] = factor[j]; /* all alike: none */
            assert_true(same(fit(&t, true), fit(&t, false)));
        }
    }
}

/* ----- extremes -------------------------------------------------------------------------- */

static void check_sane(struct sigmoid g)
{
    assert_true(isfinite(g.a) && isfinite(g.b) && g.a <= 0);
}

TEST(no_rows_and_one_row_have_an_answer)
{
    struct rows r = { .s = { 7, 7 }, .w = { 0, 0 }, .c = { 1, 0 }, .n = 0 };

    assert_true(same(fit(&r, false), (struct sigmoid){ 0, 0 }));
    assert_true(same(fit(&r, true), (struct sigmoid){ 0, 0 }));
    r.n = 2; /* both of weight 0 */
    assert_true(same(fit(&r, true), (struct sigmoid){ 0, 0 }));
    r.n = 1; /* t = 2/3 */
    const struct sigmoid g = fit(&r, false);
    assert_true(g.a == 0 && fabs(g.b - log(0.5)) < 1e-15);
}

TEST(one_class_alone_gives_its_target)
{
    struct rows r = draw(3, 98, 1);

    for (uint32_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < r.n; i++) r.c[i] = c;
        const struct sigmoid g = fit(&r, false);
        assert_true(fabs(g.a) < 1e-12); /* all targets are the same: nothing to tell apart */
        assert_true(fabs(g.b - (c ? -1 : 1) * log(99)) < 1e-12);
    }
}

TEST(equal_scores_give_a_flat_sigmoid)
{
    static const double score[] = { 0, -0.0, 0.1, -3e300, 1e-320, 1 / 3.0 };

    for (size_t j = 0; j < 60 * (COUNT(score)); j++) {
        struct rows r = draw(j, 5 + j % 100, 1); /* means that are rounded in many ways */
        for (size_t i = 0; i < r.n; i++) r.s[i] = score[j / 60];
        for (int weighted = 0; weighted < 2; weighted++) {
            const struct sigmoid g = fit(&r, weighted);
            assert_true(g.a == 0);
            assert_true(fabsl(plain(&r, weighted, 0, g.b).b) < 1e-13L);
        }
    }
}

/* The targets are never 0 and 1, so a is finite: of two scores, p is exactly the targets. */
TEST(separable_scores_have_a_finite_slope)
{
    static const double size[] = { 1, 1e300, 1e-300, 5e-324, 1e-9 };
    struct rows r = { .n = 50 };

    for (size_t j = 0; j < COUNT(size); j++) {
        for (size_t i = 0; i < r.n; i++) {
            r.c[i] = i % 5 == 0;
            r.s[i] = r.c[i] ? size[j] : -size[j];
        }
        const struct sigmoid g = fit(&r, false);
        double p[2];
        check_sane(g);
        if (size[j] == 5e-324) continue; /* 1 / a is not a double */
        platt_probabilities(&g, 1, &r.s[0], p);
        assert_true(fabs(p[1] - 11.0 / 12) < 1e-12);
        platt_probabilities(&g, 1, &r.s[1], p);
        assert_true(fabs(p[1] - 1.0 / 42) < 1e-12);
    }
}

/* Long tails and a rare class: here whole steps of Newton's would go astray. */
TEST(scores_with_long_tails_reach_the_minimum_too)
{
    size_t sloped = 0;

    for (unsigned k = 0; k < 400; k++) {
        struct rng g = rng_seed(k, 6);
        struct rows r = { .n = 4 + rng_below(&g, 60) };
        const double rare = 0.02 + 0.5 * rng_uniform(&g), tail = 1 + (double)rng_below(&g, 6);
        for (size_t i = 0; i < r.n; i++) {
            const double z = rng_normal(&g);
            r.c[i] = i == 0 || rng_uniform(&g) < rare;
            r.s[i] = copysign(pow(fabs(z), tail), z) + (r.c[i] ? 1 : 0);
            if (k % 2 == 0) continue;
            r.s[i] = exp(3 * (i == 0 ? 2 : z)); /* the few highest are the class */
            r.c[i] = i == 0 || z > 1.5 + rare;
        }
        const struct sigmoid got = fit(&r, false);
        const struct slope at = plain(&r, false, got.a, got.b);
        if (got.a == 0) continue;
        sloped++;
        double size = 0;
        for (size_t i = 0; i < r.n; i++) size = fmax(size, fabs(r.s[i]));
        assert_true(fabsl(at.b) < 1e-11L && fabsl(at.a) < 1e-11L * (1 + size));
    }
    assert_true(sloped > 200); /* guard */
}

/* The target of a row far out is not quite 1, and f there is very long: it flattens the
 * sigmoid, as the definition says. The minimum is found all the same. */
TEST(one_score_far_away_is_no_obstacle)
{
    for (int k = 1; k < 12; k++) {
        struct rows r = draw(9, 100, 1);
        r.s[7] = pow(10, k);
        r.c[7] = 1;
        const struct sigmoid g = fit(&r, false);
        const long double F = plain(&r, false, g.a, g.b).F;
        assert_true(g.a < 0);
        assert_true(fabsl(plain(&r, false, g.a, g.b).b) < 1e-9L);
        for (int j = -1; j <= 1; j += 2) { /* a step of 1e-5 raises F by 1e-10 of its curvature */
            assert_true(plain(&r, false, g.a * (1 + j * 1e-5L), g.b).F > F);
            assert_true(plain(&r, false, g.a, g.b + j * 1e-5L).F > F);
        }
    }
    struct rows r = draw(9, 100, 1);
    r.s[7] = DBL_MAX;
    r.s[8] = -DBL_MAX;
    check_sane(fit(&r, false));
}

TEST(any_numbers_give_a_sigmoid)
{
    for (unsigned k = 0; k < (unsigned)t_cases(3000); k++) {
        struct rng g = rng_seed(k, 3);
        struct rows r = { .n = 1 + rng_below(&g, 12) };
        const int wide = (int)rng_below(&g, 2000);
        for (size_t i = 0; i < r.n; i++) {
            const int e = (int)rng_below(&g, (uint64_t)wide + 1) - wide / 2;
            r.s[i] = ldexp(rng_uniform(&g) - 0.3, e);
            r.w[i] = ldexp(rng_uniform(&g), (int)rng_below(&g, 1900) - 1000);
            r.c[i] = (uint32_t)rng_below(&g, 3);
        }
        check_sane(fit(&r, k % 2));
    }
}

/* ----- probabilities --------------------------------------------------------------------- */

TEST(two_probabilities_are_the_formula)
{
    const struct sigmoid g = { -0.75, 0.25 };

    for (double s = -40; s <= 40; s += 0.37) {
        const long double f = -0.75L * s + 0.25L, want = 1 / (1 + expl(f));
        double p[2];
        platt_probabilities(&g, 1, &s, p);
        assert_true(fabsl(p[1] - want) <= 4e-15L * want); /* f is rounded at 32, exp by it */
        assert_true(fabsl(p[0] - 1 / (1 + expl(-f))) <= 4e-15L / (1 + expl(-f)));
        assert_true(fabs(p[0] + p[1] - 1) <= DBL_EPSILON);
        assert_true(fabsl(platt_log(&g, 1, &s, 1) - logl(want)) <= 4e-15L * (1 + fabsl(f)));
        assert_true(fabsl(platt_log(&g, 1, &s, 0) + log1pl(expl(-f))) <= 4e-15L * (1 + fabsl(f)));
    }
}

TEST(a_higher_score_is_never_less_probable)
{
    for (unsigned k = 0; k < 50; k++) {
        const struct rows r = draw(k, 40, k % 5 == 0 ? -1 : 0.5);
        const struct sigmoid g = fit(&r, false);
        double before = -1, p[2];
        for (double s = -60; s <= 60; s += 0.01) {
            platt_probabilities(&g, 1, &s, p);
            assert_true(p[1] >= before);
            before = p[1];
        }
    }
}

TEST(many_probabilities_are_shares_of_the_sum)
{
    const struct sigmoid g[4] = { { -1, 0.5 }, { -2, 0 }, { 0, 1 }, { -0.25, -3 } };
    struct rng random = rng_seed(4, 4);

    for (int k = 0; k < 300; k++) {
        double s[4], p[4], total = 0;
        long double sum = 0, one[4];
        for (int c = 0; c < 4; c++) {
            s[c] = 20 * rng_normal(&random);
            one[c] = 1 / (1 + expl((long double)g[c].a * s[c] + g[c].b));
            sum += one[c];
        }
        platt_probabilities(g, 4, s, p);
        for (size_t c = 0; c < 4; c++) {
            total += p[c];
            assert_true(fabsl(p[c] - one[c] / sum) <= 1e-13L * one[c] / sum); /* |f| up to 120 */
            assert_true(fabsl(platt_log(g, 4, s, c) - logl(one[c] / sum)) <= 1e-12L);
        }
        assert_true(fabs(total - 1) <= 4 * DBL_EPSILON);
    }
}

TEST(probabilities_of_extreme_scores_are_numbers)
{
    const struct sigmoid two = { -1e10, 1 }, flat = { 0, 0.5 }, far = { -DBL_MAX, DBL_MAX };
    const struct sigmoid three[3] = { { -1, 0 }, { -1, 0 }, { -1, 0 } };
    static const double huge[] = { 1e300, -1e300, DBL_MAX, -DBL_MAX, 0, INFINITY, -INFINITY };
    double p[3];

    for (size_t k = 0; k < COUNT(huge); k++) {
        platt_probabilities(&two, 1, &huge[k], p);
        assert_true(p[0] >= 0 && p[1] >= 0 && fabs(p[0] + p[1] - 1) <= DBL_EPSILON);
        assert_true(isfinite(platt_log(&two, 1, &huge[k], 0)));
        assert_true(isfinite(platt_log(&two, 1, &huge[k], 1)));
        platt_probabilities(&flat, 1, &huge[k], p);
        assert_true(fabs(p[1] - 1 / (1 + exp(0.5))) < 1e-15);
        platt_probabilities(&far, 1, &huge[k], p);
        assert_true(p[0] + p[1] == 1);
        for (size_t j = 0; j < COUNT(huge); j++) {
            const double s[3] = { huge[k], huge[j], -DBL_MAX };
            platt_probabilities(three, 3, s, p);
            assert_true(fabs(p[0] + p[1] + p[2] - 1) <= DBL_EPSILON);
            for (size_t c = 0; c < 3; c++) assert_true(platt_log(three, 3, s, c) <= 0);
        }
    }
    /* All sigmoids round to 0, and the shares are still right. */
    const double low[3] = { -1000, -1000, -1001 };
    platt_probabilities(three, 3, low, p);
    assert_true(fabs(p[0] - 1 / (2 + exp(-1))) < 1e-12 && p[0] == p[1] && p[2] > 0.1);
    assert_true(fabs(platt_log(three, 3, low, 2) + 1 + log(2 + exp(-1))) < 1e-12);
    /* p rounds to 1 and its complement to 0, of which the logarithms are known. */
    const double s = 800;
    assert_true(platt_log(&three[0], 1, &s, 0) == -800);
    assert_true(platt_log(&three[0], 1, &s, 1) == 0);
    const double fifty = 50;
    assert_true(fabs(platt_log(&three[0], 1, &fifty, 1) / -exp(-50) - 1) < 1e-14);
}
