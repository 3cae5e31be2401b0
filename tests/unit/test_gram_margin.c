/* test_gram_margin.c -- margins in the space of a kernel, where they are known in closed form or
 * from an explicit map, and what becomes of them when a limit comes first: gram_margin.c. */
#include "prove/gram_margin.h"

#include <math.h>

#include "t.h"
#include "t_alloc.h"
#include "t_part.h"
#include "vec/rng.h"

struct asked {
    struct t_data d;
    struct kernel kernel;
    bool offset;
    const struct watch *watch;
};

static struct gram_answer measure(const struct asked *q, double *advance)
{
    struct t_part t = t_part_new(&q->d, false, env_resolve(NULL));
    const struct gram_question question = { &q->kernel, q->offset, true, 1e-9, q->watch };
    struct gram_answer a;
    perc_error err = { 0 };

    if (gram_margin_measure(&t.p, &question, advance, &a, &err)) fail_msg("%s", err.text);
    t_part_free(&t);
    return a;
}

static void assert_between(double lower, double upper, double want)
{
    assert_true(lower > 0 && upper - lower <= 1e-9 * upper);
    assert_true(lower <= want * (1 + 1e-14) && want * (1 - 1e-14) <= upper);
}

/* Two rows: the hulls are points, at the distance sqrt(2 - 2 K); and the nearest point of the
 * segment between them, one turned around, is its middle, as both have the same length. */
TEST(two_rows_and_a_radial_kernel)
{
    const double x[] = { 0, 0.7 }, y[] = { 1, -1 };

    for (double gamma = 1e-12; gamma < 100; gamma *= 10) {
        struct asked q = { .d = t_rows(2, 1, x, y),
                           .kernel = { .type = KERNEL_RBF, .gamma = gamma },
                           .offset = true };
        const struct gram_answer a = measure(&q, NULL);
        const double want = sqrt(-expm1(-gamma * 0.49) / 2);
        assert_int_equal(a.gap_reached, 1);
        assert_between(a.lower, a.upper, want);
        assert_between(a.geometric_lower, a.geometric_upper, want);
        assert_true(a.radius >= sqrt(2) && a.radius < 1.5);
        t_data_free(&q.d);
    }
}

/* (x z)^3 is the product of cubes: the same margins as those of the linear kernel on x^3. */
TEST(one_feature_and_its_powers)
{
    struct rng r = rng_seed(5, 0);

    for (int round = 0; round < 40; round++) {
        double x[8], cube[8], y[8];
        for (size_t i = 0; i < 8; i++) {
            x[i] = (double)rng_below(&r, 40) / 8 - 2.5;
            cube[i] = x[i] * x[i] * x[i];
            y[i] = x[i] > 0.3 ? 1 : -1;
        }
        x[0] = cube[0] = y[0] = 1;
        x[1] = 0.125;
        cube[1] = x[1] * x[1] * x[1];
        y[1] = -1;
        struct asked q = { .d = t_rows(8, 1, x, y),
                           .kernel = { .type = KERNEL_POLY, .degree = 3, .gamma = 1 },
                           .offset = true };
        struct asked p = { .d = t_rows(8, 1, cube, y),
                           .kernel = { .type = KERNEL_POLY, .degree = 1, .gamma = 1 },
                           .offset = true };
        double along[8], least = INFINITY;
        const struct gram_answer a = measure(&q, along), b = measure(&p, NULL);
        assert_between(a.lower, a.upper, b.lower);
        assert_between(a.geometric_lower, a.geometric_upper, b.geometric_lower);
        for (size_t i = 0; i < 8; i++) least = fmin(least, along[i]);
        assert_between(a.lower, a.upper, least);
        t_data_free(&q.d);
        t_data_free(&p.d);
    }
}

/* Rows that doubles could not tell from each other in that space: more digits are taken. */
TEST(digits_are_added_until_it_is_known)
{
    const double x[] = { 0, 1, 3 }, y[] = { 1, -1, 1 };
    struct asked q = { .d = t_rows(3, 1, x, y),
                       .kernel = { .type = KERNEL_RBF, .gamma = 1e-60 },
                       .offset = true };
    const struct gram_answer a = measure(&q, NULL);

    assert_int_equal(a.gap_reached, 1);
    /* 1 lies between 0 and 3, and the images are on a line but for a bend of the second order:
     * with c = (2/3, -1, 1/3), where sum c = 0 and sum c x = 0,
     * sum c_i c_j exp(-g (x_i - x_j)^2) = g^2/2 sum c_i c_j (x_i - x_j)^4 = 3 g^2 (sum c x^2)^2 */
    assert_between(a.geometric_lower, a.geometric_upper, 1e-60 * sqrt(3));
    t_data_free(&q.d);
}

TEST(one_class)
{
    for (double sign = -1; sign <= 1; sign += 2) {
        const double x[] = { 1, 2 }, y[] = { sign, sign };
        struct asked q = { .d = t_rows(2, 1, x, y), .kernel = { .type = KERNEL_RBF, .gamma = 1 } };
        const struct gram_answer a = measure(&q, NULL);

        assert_true(isinf(a.geometric_lower));
        assert_between(a.lower, a.upper, sqrt((1 + exp(-1)) / 2));
        t_data_free(&q.d);
    }
}

static bool stop_after(void *ud, int64_t passes)
{
    int *left = ud;

    (void)passes;
    return --*left > 0;
}

/* Whenever it is stopped, what is told holds. */
TEST(a_watch_may_stop_it)
{
    struct asked q = { .kernel = { .type = KERNEL_RBF, .gamma = 2 }, .offset = true };
    double x[60], y[30];
    struct rng r = rng_seed(7, 0);

    for (size_t i = 0; i < 60; i++) x[i] = (double)rng_below(&r, 1000) / 1000;
    for (size_t i = 0; i < 30; i++) y[i] = i % 2 == 0 ? 1 : -1;
    q.d = t_rows(30, 2, x, y);
    const struct gram_answer whole = measure(&q, NULL);
    int stopped = 0;
    for (int left = 1; left < 100; left += 3) {
        int more = left;
        const struct watch watch = { stop_after, &more };
        q.watch = &watch;
        const struct gram_answer a = measure(&q, NULL);
        assert_true(a.lower <= whole.upper && a.upper >= whole.lower);
        assert_true(a.geometric_lower <= whole.geometric_upper &&
                    a.geometric_upper >= whole.geometric_lower);
        stopped += a.gap_reached != 1;
    }
    assert_true(stopped > 10);
    t_data_free(&q.d);
}

/* Two doubles are never nearer than a unit: the digits come to an end, and the bounds hold. */
TEST(a_gap_that_no_double_has_is_not_reached)
{
    const double x[] = { 0, 1, 3 }, y[] = { 1, -1, 1 };
    struct t_data d = t_rows(3, 1, x, y);
    struct t_part t = t_part_new(&d, false, env_resolve(NULL));
    const struct kernel k = { .type = KERNEL_RBF, .gamma = 1 };
    const struct gram_question wide = { &k, true, true, 1e-9, NULL };
    const struct gram_question none = { &k, true, true, 0, NULL };
    struct gram_answer a, b;

    assert_int_equal(gram_margin_measure(&t.p, &wide, NULL, &a, NULL), PERC_OK);
    assert_int_equal(gram_margin_measure(&t.p, &none, NULL, &b, NULL), PERC_OK);
    assert_int_equal(a.gap_reached, 1);
    assert_int_equal(b.gap_reached, 0);
    assert_true(b.lower >= a.lower && b.upper <= a.upper && b.lower < b.upper);
    assert_true(b.upper - b.lower <= 4e-16 * b.upper);
    t_part_free(&t);
    t_data_free(&d);
}

TEST(memory_may_run_out)
{
    const double x[] = { 0, 1, 3, 4 }, y[] = { 1, -1, 1, -1 };
    struct t_data d = t_rows(4, 1, x, y);
    const struct kernel k = { .type = KERNEL_RBF, .gamma = 1e-12 };
    const struct gram_question q = { &k, true, true, 1e-9, NULL };

    for (struct t_sweep s = { .least = 30 }; t_sweep_next(&s);) {
        struct t_part t = t_part_new(&d, false, env_resolve(&s.env));
        struct gram_answer a;
        const perc_status st = gram_margin_measure(&t.p, &q, NULL, &a, NULL);
        t_part_free(&t);
        t_sweep_judge(&s, st);
    }
    t_data_free(&d);
}
