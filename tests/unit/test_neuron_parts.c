/* test_neuron_parts.c -- what neuron.c is made of: shapes against their definitions, multipliers
 * that become proofs, a linear program on which one can go round. */
#include "logic/neuron_lp.h"
#include "logic/neuron_witness.h"
#include "t_neuron.h"
#include "vec/rng.h"

/* Two threshold functions with one order of strength, or'ed; position i is input i. */
static void random_union(struct rng *g, uint64_t *t, size_t n)
{
    uint64_t *part = new_table();

    clear(t);
    for (int k = 0; k < 3; k++) {
        int64_t w[NEURON_INPUTS] = { 0 }, all = 0;
        for (size_t i = 0; i < n; i++) {
            w[i] = (i > 0 ? w[i - 1] : 1) + (rng_below(g, 3) ? 0 : (int64_t)rng_below(g, 9));
            all += w[i];
        }
        threshold_table(part, n, w, all * 3 / 8 + 1 + (int64_t)rng_below(g, (uint64_t)all / 4 + 1));
        for (size_t j = 0; j < WORDS; j++) t[j] |= part[j];
    }
    free(part);
}

/* Row r with bit i cleared or moved down to i - 1, where that can be; r: not. */
static uint32_t lowered(uint32_t r, size_t i, bool move)
{
    const uint32_t here = 1U << i, below = here >> 1;

    if (!(r & here) || (move && (i == 0 || (r & below)))) return r;
    return move ? r ^ here ^ below : r ^ here;
}

static bool can_fall(const uint64_t *t, size_t n, uint32_t r)
{
    for (size_t i = 0; i < n; i++)
        for (int move = 0; move < 2; move++) {
            const uint32_t to = lowered(r, i, move);
            if (to != r && bit(t, to)) return true;
        }
    return false;
}

/* A row is lowered as its complement is raised. */
static bool can_rise(const uint64_t *t, size_t n, uint32_t r)
{
    const uint32_t all = (1U << n) - 1;

    for (size_t i = 0; i < n; i++)
        for (int move = 0; move < 2; move++) {
            const uint32_t to = all ^ lowered(all ^ r, i, move);
            if (to != r && !bit(t, to)) return true;
        }
    return false;
}

static bool change_places(const uint64_t *t, size_t n, size_t i, size_t j)
{
    for (uint32_t r = 0; !(r >> n); r++) {
        const uint32_t both = 1U << i | 1U << j;
        if (((r >> i) & 1) != ((r >> j) & 1) && bit(t, r) != bit(t, r ^ both)) return false;
    }
    return true;
}

TEST(shapes_are_as_defined)
{
    const struct env e = env_resolve(NULL);
    struct rng g = rng_seed(8, 0);
    uint64_t *t = new_table();

    for (int k = 0; k < 200; k++) {
        const size_t n = 1 + rng_below(&g, 10);
        struct shape s;
        struct neuron a;
        bool settled;
        random_union(&g, t, n);
        assert_int_equal(neuron_shape_find(&s, &e, t, n, &a, &settled, NULL), PERC_OK);
        assert_false(settled);
        if (s.m == n) { /* all matter: else rows have other numbers */
            size_t yes = 0, no = 0;
            for (size_t i = 1; i < n; i++)
                assert_int_equal(s.group[i] == s.group[i - 1],
                                 change_places(t, n, s.input[i - 1], s.input[i]));
            for (uint32_t r = 0; !(r >> n); r++) {
                assert_int_equal(bit(s.g, r), bit(t, neuron_shape_row(&s, r)));
                yes += bit(s.g, r) && !can_fall(s.g, n, r);
                no += !bit(s.g, r) && !can_rise(s.g, n, r);
            }
            assert_int_equal(s.trues, yes);
            assert_int_equal(s.falses, no);
            for (size_t p = 0; p < s.trues + s.falses; p++)
                assert_true(p < s.trues ? !can_fall(s.g, n, s.point[p]) && bit(s.g, s.point[p])
                                        : !can_rise(s.g, n, s.point[p]) && !bit(s.g, s.point[p]));
        }
        neuron_shape_free(&s);
    }
    free(t);
}

/* Program (1) of neuron.c with all points at once. False: the bags have the multipliers. */
static bool program(const struct shape *s, struct counted *yes, struct counted *no)
{
    int64_t a[NEURON_INPUTS + 1] = { 0 };
    struct neuron_lp d;

    assert_int_equal(neuron_lp_begin(&d, &s->e, s->groups + 1, a, NULL), PERC_OK);
    for (size_t k = 0; k < s->trues + s->falses; k++) {
        const int64_t sign = k < s->trues ? 1 : -1;
        memset(a, 0, sizeof a);
        for (size_t p = 0; p < s->m; p++)
            for (size_t j = 0; j <= s->group[p] && (s->point[k] >> p) & 1; j++) a[j] += sign;
        a[s->groups] = -sign;
        assert_int_equal(neuron_lp_add(&d, a, sign < 0, NULL), PERC_OK);
    }
    const bool found = neuron_lp_solve(&d);
    for (size_t k = 0; k < s->trues + s->falses && !found; k++)
        neuron_witness_add(k < s->trues ? yes : no, s->point[k], neuron_lp_ray(&d, d.cols + k));
    if (!found) neuron_witness_add(no, 0, neuron_lp_ray(&d, s->groups));
    neuron_lp_free(&d);
    return found;
}

/* The way that neuron_find goes only where no two and two rows do; also many times over. */
TEST(multipliers_become_proofs)
{
    const struct env e = env_resolve(NULL);
    struct rng g = rng_seed(9, 0);
    uint64_t *t = new_table();
    size_t refuted = 0, longer = 0;

    for (int k = 0; k < 400; k++) {
        const size_t n = 7 + rng_below(&g, 7);
        struct counted yes = { 0 }, no = { 0 };
        struct shape s;
        struct neuron a = { 0 };
        bool settled;
        random_union(&g, t, n);
        assert_int_equal(neuron_shape_find(&s, &e, t, n, &a, &settled, NULL), PERC_OK);
        const bool found = program(&s, &yes, &no);
        assert_int_equal(found, find(t, n).found);
        if (!found) {
            assert_int_equal(neuron_witness_find(&s, &yes, &no, &a, NULL), PERC_OK);
            assert_true(neuron_check(t, n, &a));
            refuted++;
            longer += a.true_rows + a.false_rows > 4;
        }
        neuron_shape_free(&s);
    }
    assert_true(refuted > 100 && longer > 30);
    free(t);
}

/* The dual of the example of Beale 1955, times 100, on which other rules go round for ever. Its
 * optimum is 1/20, at y_2 = 1/20. */
TEST(an_example_in_which_to_circle_is_solved)
{
    static const int64_t cost[3] = { 0, 0, 1 };
    static const int64_t a[4][3] = {
        { 25, 50, 0 }, { -6000, -9000, 0 }, { -4, -2, 100 }, { 900, 300, 0 }
    };
    static const int64_t b[4] = { 75, -15000, 2, -600 };
    const struct env e = env_resolve(NULL);
    struct neuron_lp d;

    assert_int_equal(neuron_lp_begin(&d, &e, 3, cost, NULL), PERC_OK);
    for (int k = 0; k < 4; k++) assert_int_equal(neuron_lp_add(&d, a[k], b[k], NULL), PERC_OK);
    assert_true(neuron_lp_solve(&d));
    assert_int_equal(20 * d.t[0], d.scale);
    assert_int_equal(20 * neuron_lp_value(&d, 2), d.scale);
    neuron_lp_free(&d);
}
