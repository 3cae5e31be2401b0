/* test_vec_ways.c -- rows as floats, rows in bundles and turns of a panel, against plain loops.
 *
 * The files are included, not linked, so that what they learn of the processor passes
 * through here: every way is tried that this processor knows. */
#include "t_ways.h"

#include "vec/bundle.c"
#include "vec/row_floats.c"
#include "vec/turns.c"

#include "t_cases.h"
#include "t_rows.h"

TEST(floats_are_the_values_without_zeros)
{
    static struct sample s;
    static uint32_t column[LONGEST + ROW_FLOATS_ROOM];
    static float value[LONGEST + ROW_FLOATS_ROOM];
    struct rng r = rng_seed(21, 0);
    size_t zeros = 0;

    for (int round = 0; round < t_cases(900); round++) {
        const int values = round % 5, indices = round / 5 % 4;
        draw_row(&r, &s, values, indices, rng_below(&r, LONGEST + 1), natural[values]);
        for (way = 0; way < WAYS; way++) {
            const size_t n = row_floats(&s.row, column, value);
            size_t k = 0;
            for (size_t i = 0; i < s.row.n; i++) {
                const float x = (float)s.value[i];
                if (x == 0) continue;
                assert_true(k < n && column[k] == s.column[i]);
                assert_memory_equal(&value[k++], &x, sizeof x);
            }
            assert_int_equal(k, n);
            zeros += s.row.n - n;
        }
    }
    assert_true(zeros > 0); /* guard: some bytes were 0 */
    way = AVX512;
}

/* ----- bundles ---------------------------------------------------------------------- */

enum { ROWS = 40, ENTRIES = 260 };

/* The entries of row i in strip s are those of the row, and perhaps a zero. */
static void check_strip(const struct bundle *b, size_t s, size_t i, size_t *done)
{
    const uint32_t *column = b->x[i].index;
    const double *value = b->x[i].value;
    size_t at = b->start[s * b->rows + i];
    const size_t end = b->start[s * b->rows + i + 1];

    assert_int_equal(at % 2, 0);
    for (; *done < b->x[i].n && column[*done] < (s + 1) * STRIP; ++*done, at++) {
        assert_true(at < end && b->column[at] == column[*done]);
        same(b->value[at], value[*done]);
    }
    if (at < end) same(b->value[at++], 0);
    assert_int_equal(at, end);
}

TEST(a_bundle_has_the_entries_of_its_rows)
{
    static uint32_t column[ROWS][ENTRIES];
    static double value[ROWS][ENTRIES];
    static struct bundle_room room;
    struct row x[ROWS];
    struct rng r = rng_seed(22, 0);
    int packed = 0, all = 0;

    for (int round = 0; round < t_cases(60); round++) {
        for (size_t i = 0; i < ROWS; i++) {
            uint64_t at = rng_below(&r, 9);
            x[i] = (struct row){ .value = value[i], .index = column[i], .stride = sizeof(double) };
            x[i].values = VALUES_F64;
            x[i].indices = INDEX_U32;
            x[i].n = 2 + rng_below(&r, ENTRIES - 1);
            for (size_t k = 0; k < x[i].n; k++, at += 1 + rng_below(&r, 9)) {
                column[i][k] = (uint32_t)at;
                value[i][k] = rng_normal(&r);
            }
        }
        for (way = 0; way < WAYS; way++, all++) {
            struct bundle b;
            assert_true(bundle_fill(&b, &room, x, 1 + rng_below(&r, ROWS), 2) > 0);
            packed += b.strips > 0;
            for (size_t i = 0; i < b.rows && b.strips > 0; i++) {
                size_t done = 0;
                for (size_t s = 0; s < b.strips; s++) check_strip(&b, s, i, &done);
                assert_int_equal(done, x[i].n);
            }
        }
    }
    assert_true(packed > all / 4); /* guard */
    way = AVX512;
}

/* ----- turns ------------------------------------------------------------------------ */

enum { SHOWN = 20, VECTORS = 4, TURNS = 50 };

struct lines {
    _Alignas(64) double k[SHOWN * PANEL], f[VECTORS * PANEL], votes[VECTORS * PANEL];
};

/* One turn of one lane. */
static void turn_lane(struct lines *x, const struct turn *t, enum how how, double one, size_t lane)
{
    const double by = (x->k[t->row * PANEL + lane] + (how == ADD ? 0 : one)) * t->step;
    size_t best = t->up;

    x->f[t->up * PANEL + lane] += by;
    if (t->down != NO_TURN) x->f[t->down * PANEL + lane] -= by;
    if (how == BEST) {
        best = 0;
        for (size_t v = 1; v < VECTORS; v++)
            if (x->f[v * PANEL + lane] > x->f[best * PANEL + lane]) best = v;
    }
    const bool votes = how == BEST || (how == OWN && x->f[best * PANEL + lane] > 0);
    if (votes) x->votes[best * PANEL + lane] += t->stood;
}

static void draw_turns(struct rng *r, struct turn *t, enum how how)
{
    for (size_t i = 0; i < TURNS; i++) {
        t[i] = (struct turn){ rng_normal(r), (double)rng_below(r, 3), 0, 0, NO_TURN };
        t[i].row = (uint32_t)rng_below(r, SHOWN);
        t[i].up = (uint32_t)rng_below(r, VECTORS);
        if (how != OWN && rng_below(r, 2) == 0) t[i].down = (t[i].up + 1) % VECTORS;
    }
}

TEST(turns_are_a_loop_over_lanes)
{
    static struct lines begin, got, want;
    struct turn t[TURNS];
    struct rng r = rng_seed(23, 0);

    for (int round = 0; round < t_cases(90); round++) {
        const enum how how = (enum how)(round % 3);
        const double one = (double)rng_below(&r, 2);
        for (size_t i = 0; i < SHOWN * PANEL; i++) begin.k[i] = rng_normal(&r);
        draw_turns(&r, t, how);
        want = begin;
        for (size_t i = 0; i < TURNS; i++)
            for (size_t lane = 0; lane < PANEL; lane++) turn_lane(&want, &t[i], how, one, lane);
        for (way = 0; way < WAYS; way++) {
            got = begin;
            if (how == ADD) turns_add(t, TURNS, got.k, got.f);
            else if (how == OWN) turns_own(t, TURNS, got.k, one, got.f, got.votes);
            else turns_best(t, TURNS, got.k, one, VECTORS, got.f, got.votes);
            assert_memory_equal(&got, &want, sizeof got);
        }
    }
    way = AVX512;
}
