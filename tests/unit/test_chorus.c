/* test_chorus.c -- many rows at once have the scores that each has alone, to the bit, and
 * votes are those of the machines on the way, each asked by itself. */
#include <math.h>

#include "base/threads.h"
#include "machine/panel_scorer.h"
#include "t.h"
#include "t_alloc.h"

#include "t_votes_same.h"

enum { ROWS = 70, VECTORS = 3, KERNELS = 5 };

static const struct kernel kernels[KERNELS] = {
    { .type = KERNEL_LINEAR, .gamma = 1 },
    { .type = KERNEL_POLY, .gamma = 0.37, .coef0 = 1, .degree = 3 },
    { .type = KERNEL_GAUSSIAN, .gamma = 0.21 },
    { .type = KERNEL_RBF, .gamma = 1.3 },
    { .type = KERNEL_SIGMOID, .gamma = 0.11, .coef0 = -0.2 },
};

/* Votes and rows to score. rough: numbers whose sums are rounded; else small whole numbers,
 * so that with the linear kernel scores are often equal, or 0. */
struct scene {
    enum t_votes_kind kind;
    size_t vectors;
    int64_t shown;
    struct votes votes;
    double x[ROWS][T_COLUMNS], b[VECTORS + 1];
};

static void draw(uint64_t seed, enum t_votes_kind kind, bool rough, struct scene *s)
{
    static struct t_updates t;
    struct rng r = rng_seed(seed, 77);

    s->kind = kind;
    s->vectors = kind == T_TWO ? 1 : VECTORS;
    /* rows that come again, or more of them than are computed at a time */
    t_votes_draw(&r, kind, s->vectors, seed % 4 < 2 ? 400 : 60, seed % 2 == 0 ? 0.2 : 0.7, &t);
    for (size_t k = 0; k < t.n && rough; k++) {
        for (size_t j = 0; j < T_COLUMNS; j++) t.u[k].x[j] *= 0.1;
        t.u[k].step /= 3;
    }
    s->votes = made_of(&t, seed % 3 == 0);
    s->shown = t.shown + 4;
    for (size_t k = 0; k < s->votes.n; k++) s->votes.vote[k].at += 4; /* without a mistake */
    /* Several updates by one example, in any order, as when some are taken back. */
    for (size_t k = 20; k < s->votes.n; k += 1 + k % 7)
        if (k % 5 != 0) s->votes.vote[k].at = s->votes.vote[k - 1].at;
    for (size_t i = 0; i < ROWS; i++) {
        t_votes_row(&r, i % 9 == 0 ? 0 : 0.4, s->x[i]);
        for (size_t j = 0; j < T_COLUMNS && rough; j++) s->x[i][j] /= 7;
        if (i % 4 == 1) memcpy(s->x[i], t.u[i].x, sizeof s->x[i]); /* one of the votes' */
    }
    for (size_t c = 0; c <= VECTORS; c++) s->b[c] = (double)c / 3 - 0.5;
}

/* Row i: dense, or without its zeros. */
struct view {
    double value[T_COLUMNS];
    uint16_t index[T_COLUMNS];
};

static struct row view(const struct scene *s, size_t i, struct view *v)
{
    return t_votes_view(s->x[i], i % 2 == 0, v->value, v->index);
}

static struct panel_scorer chorus_of(const struct env *e, const struct scene *s,
                                     const struct kernel *k, struct moment m)
{
    static const enum kind kind[] = {
        [T_TWO] = KIND_TWO, [T_NATIVE] = KIND_NATIVE, [T_REST] = KIND_REST
    };

    return (struct panel_scorer){ .e = *e,
                                  .kernel = *k,
                                  .votes = &s->votes,
                                  .moment = m,
                                  .kind = kind[s->kind],
                                  .shown = s->shown,
                                  .vectors = s->vectors,
                                  .b = s->b };
}

/* Rows 0 .. n - 1, some panels at a time. */
static perc_status sing(const struct panel_scorer *c, const struct scene *s, size_t n, double *out)
{
    struct panel_scratch *choir;
    perc_status st = panel_scratch_new(c, &choir);

    for (size_t from = 0, m; from < n && !st; from += m) {
        struct view v[SCORER_ROWS];
        struct row x[SCORER_ROWS];
        m = n - from < panel_scratch_rows(choir) ? n - from : panel_scratch_rows(choir);
        for (size_t i = 0; i < m; i++) x[i] = view(s, from + i, &v[i]);
        st = panel_scratch_scores(choir, x, m, out + from * c->vectors);
    }
    panel_scratch_free(choir);
    return st;
}

/* ----- sums ---------------------------------------------------------------------------------- */

static void assert_as_alone(const struct scene *s, const struct kernel *k, struct moment m,
                            size_t vectors, size_t n)
{
    const struct env e = env_resolve(NULL);
    struct panel_scorer c = chorus_of(&e, s, k, m);
    struct expansion *one;
    double got[ROWS * VECTORS], want[VECTORS];

    c.vectors = vectors;
    assert_int_equal(expansion_new(&e, k, &one), PERC_OK);
    assert_int_equal(panel_scorer_open(&c), PERC_OK);
    memset(got, 0xff, sizeof got);
    assert_int_equal(sing(&c, s, n, got), PERC_OK);
    for (size_t i = 0; i < n; i++) {
        struct view v;
        const struct row x = view(s, i, &v);
        assert_int_equal(expansion_scores(one, &s->votes, &x, &m, vectors, want), PERC_OK);
        for (size_t v2 = 0; v2 < vectors; v2++) want[v2] += s->b[v2];
        assert_memory_equal(got + i * vectors, want, vectors * sizeof *want);
    }
    panel_scorer_close(&c);
    expansion_free(one);
}

TEST(sums_have_the_bits_of_the_plain_loop)
{
    static struct scene s;

    for (uint64_t seed = 0; seed < 12; seed++) {
        draw(seed, (enum t_votes_kind)(seed % 3), true, &s);
        for (size_t k = 0; k < KERNELS; k++) {
            const struct moment moments[] = {
                { s.votes.n, 0 }, { s.votes.n, s.shown }, { s.votes.n / 2, 0 }, { 1, 0 }, { 0, 0 }
            };
            for (size_t m = 0; m < COUNT(moments); m++) {
                assert_as_alone(&s, &kernels[k], moments[m], s.vectors, ROWS);
                if (s.vectors > 1) /* the last one has no say */
                    assert_as_alone(&s, &kernels[k], moments[m], s.vectors - 1, ROWS);
            }
        }
        votes_free(&s.votes);
    }
}

TEST(any_number_of_rows)
{
    static struct scene s;

    draw(5, T_NATIVE, true, &s);
    for (size_t n = 1; n <= ROWS; n++)
        assert_as_alone(&s, &kernels[n % KERNELS], (struct moment){ s.votes.n, 0 }, s.vectors, n);
    votes_free(&s.votes);
}

/* Rows of many columns, most of them empty: the rows of the votes are packed, and several panels
 * share them. */
TEST(wide_rows_have_the_bits_of_the_plain_loop)
{
    enum { COLUMNS = 400, NAMED = 90, WIDE = 3 * PANEL + 5 };
    static double value[NAMED + WIDE][COLUMNS];
    static uint32_t column[NAMED + WIDE][COLUMNS];
    struct row x[NAMED + WIDE];
    const struct env e = env_resolve(NULL);
    struct rng r = rng_seed(31, 0);
    static const double b[1] = { 0.25 };
    struct votes votes;

    votes_init(&votes, &e);
    for (size_t i = 0; i < NAMED + WIDE; i++) {
        const uint64_t often = 2 + rng_below(&r, 4);
        x[i] = (struct row){ .value = value[i],
                             .index = column[i],
                             .stride = 8,
                             .values = VALUES_F64,
                             .indices = INDEX_U32 };
        for (uint32_t j = 0; j < COLUMNS; j++) {
            if (rng_below(&r, often) > 0) continue;
            value[i][x[i].n] = rng_normal(&r) / 8;
            column[i][x[i].n++] = j;
        }
        if (i < NAMED)
            assert_int_equal(
                votes_add(&votes, &x[i], 0, NO_VECTOR, i % 2 == 0 ? 1 : -0.7, (int64_t)i + 1),
                PERC_OK);
    }
    for (size_t k = 0; k < KERNELS; k++)
        for (int rounded = 0; rounded < 2; rounded++) {
            struct kernel kernel = kernels[k];
            struct panel_scorer c = { .e = e, .votes = &votes, .vectors = 1, .b = b };
            struct panel_scratch *scratch;
            struct expansion *one;
            double got[WIDE], want;
            kernel.rounded = rounded;
            c.kernel = kernel;
            c.moment.updates = votes.n;
            assert_int_equal(panel_scorer_open(&c), PERC_OK);
            assert_true(c.packed);
            assert_int_equal(panel_scratch_new(&c, &scratch), PERC_OK);
            assert_in_range(WIDE, 1, panel_scratch_rows(scratch));
            assert_int_equal(panel_scratch_scores(scratch, x + NAMED, WIDE, got), PERC_OK);
            assert_int_equal(expansion_new(&e, &kernel, &one), PERC_OK);
            for (size_t i = 0; i < WIDE; i++) {
                assert_int_equal(expansion_scores(one, &votes, &x[NAMED + i], &c.moment, 1, &want),
                                 PERC_OK);
                want += b[0];
                assert_memory_equal(&got[i], &want, sizeof want);
            }
            expansion_free(one);
            panel_scratch_free(scratch);
            panel_scorer_close(&c);
        }
    votes_free(&votes);
}

/* Rows that no update of the moment names are not looked at. */
TEST(only_rows_that_are_named)
{
    static struct scene s;
    const struct env e = env_resolve(NULL);

    draw(4, T_REST, true, &s);
    for (size_t n = 0; n <= s.votes.n; n += 25) {
        for (size_t vectors = 1; vectors <= VECTORS; vectors++) {
            bool named[T_UPDATES] = { false };
            size_t want = 0;
            for (size_t k = 0; k < n; k++) {
                const struct vote *one = &s.votes.vote[k];
                if (one->up >= vectors) continue;
                want += !named[one->row];
                named[one->row] = true;
            }
            struct panel_scorer c = chorus_of(&e, &s, &kernels[1], (struct moment){ n, 0 });
            c.vectors = vectors;
            assert_int_equal(panel_scorer_open(&c), PERC_OK);
            assert_int_equal(c.rows, want);
            panel_scorer_close(&c);
        }
    }
    votes_free(&s.votes);
}

/* ----- votes --------------------------------------------------------------------------------- */

/* The scores that the machine of example t gives: all updates up to there, with K of row i. */
static void machine_at(const struct scene *s, const double *k, int64_t t, double one, double *f)
{
    for (size_t c = 0; c < s->vectors; c++) f[c] = 0;
    for (size_t u = 0; u < s->votes.n && s->votes.vote[u].at <= t; u++) {
        const struct vote *v = &s->votes.vote[u];
        const double by = v->step * (k[v->row] + one);
        f[v->up] += by;
        if (v->down != NO_DOWN) f[v->down] -= by;
    }
}

/* Each machine asked by itself, for every example of its time. */
static void ask_all(const struct scene *s, const double *k, double one, double *out)
{
    double votes[VECTORS] = { 0 }, f[VECTORS];

    for (int64_t t = 1; t <= s->shown; t++) {
        size_t top = 0;
        machine_at(s, k, t, one, f);
        for (size_t c = 1; c < s->vectors; c++)
            if (f[c] > f[top]) top = c;
        for (size_t c = 0; c < s->vectors; c++)
            votes[c] += s->kind == T_NATIVE ? c == top : f[c] > 0;
    }
    for (size_t c = 0; c < s->vectors; c++) {
        const double all = (double)s->shown;
        out[c] = s->kind == T_NATIVE ? votes[c] / all : (votes[c] - (all - votes[c])) / all;
    }
}

static void assert_votes(const struct scene *s, const struct kernel *k, bool offset)
{
    const struct env e = env_resolve(NULL);
    struct panel_scorer c = chorus_of(&e, s, k, (struct moment){ 0 });
    double got[ROWS * VECTORS], want[VECTORS], value[T_UPDATES];

    c.voting = true;
    c.offset = offset;
    assert_int_equal(panel_scorer_open(&c), PERC_OK);
    assert_int_equal(sing(&c, s, ROWS, got), PERC_OK);
    for (size_t i = 0; i < ROWS; i++) {
        struct view v;
        const struct row x = view(s, i, &v);
        for (size_t r = 0; r < s->votes.rows; r++) {
            const struct row z = votes_row(&s->votes, r);
            value[r] = kernel_value(k, &z, kernel_norm2(k, &z), &x, kernel_norm2(k, &x));
        }
        ask_all(s, value, offset ? 1 : 0, want);
        assert_memory_equal(got + i * s->vectors, want, s->vectors * sizeof *want);
    }
    panel_scorer_close(&c);
}

TEST(every_machine_has_its_votes)
{
    static struct scene s;

    for (uint64_t seed = 0; seed < 6; seed++) {
        draw(seed, (enum t_votes_kind)(seed % 3), seed > 2, &s);
        for (size_t k = 0; k < KERNELS; k++) assert_votes(&s, &kernels[k], k % 2 == seed % 2);
        assert_votes(&s, &kernels[0], true);
        assert_votes(&s, &kernels[0], false);
        votes_free(&s.votes);
    }
}

/* With x.z for a kernel, and its sums rounded as those of weights are, it is the voted
 * perceptron. */
TEST(the_linear_kernel_votes_as_ballots_do)
{
    static const struct kernel linear = { .type = KERNEL_LINEAR, .gamma = 1, .rounded = true };
    static struct scene s;
    const struct env e = env_resolve(NULL);

    for (uint64_t seed = 0; seed < 15; seed++) {
        draw(seed, (enum t_votes_kind)(seed % 3), seed % 4 < 2, &s);
        struct panel_scorer c = chorus_of(&e, &s, &linear, (struct moment){ 0 });
        struct vote_counter *b;
        double got[ROWS * VECTORS], want[VECTORS];
        c.voting = true;
        c.offset = seed % 2 == 0;
        if (seed >= 6 && s.vectors > 1) c.vectors--; /* one that has no say */
        if (seed >= 9) {                             /* nothing was learned, or shown */
            s.votes.n = 0;
            if (seed >= 12) c.shown = 0;
        }
        assert_int_equal(vote_counter_new(&e, &s.votes, NULL, c.kind, c.vectors, T_COLUMNS,
                                          c.offset, c.shown, &b),
                         PERC_OK);
        double *scratch = malloc(vote_counter_scratch(b) * sizeof *scratch);
        assert_int_equal(panel_scorer_open(&c), PERC_OK);
        assert_int_equal(sing(&c, &s, ROWS, got), PERC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            struct view v;
            const struct row x = view(&s, i, &v);
            vote_counter_scores(b, &x, 1, scratch, want);
            assert_memory_equal(got + i * c.vectors, want, c.vectors * sizeof *want);
        }
        free(scratch);
        vote_counter_free(b);
        panel_scorer_close(&c);
        votes_free(&s.votes);
    }
}

/* A row whose scores are too large says so, alone, whether it is summed or voted. */
TEST(what_is_no_number_is_seen)
{
    static struct scene s;
    const struct env e = env_resolve(NULL);

    for (int kind = T_TWO; kind <= T_REST; kind++) {
        for (int voting = 0; voting < 2; voting++) {
            draw((uint64_t)kind, (enum t_votes_kind)kind, true, &s);
            for (size_t j = 0; j < T_COLUMNS; j++) s.x[40][j] = 1e150;
            struct panel_scorer c = chorus_of(&e, &s, &kernels[1], (struct moment){ s.votes.n, 0 });
            double got[ROWS * VECTORS];
            c.voting = voting;
            assert_int_equal(panel_scorer_open(&c), PERC_OK);
            assert_int_equal(sing(&c, &s, ROWS, got), PERC_OK);
            for (size_t i = 0; i < ROWS * s.vectors; i++)
                assert_int_equal(isfinite(got[i]) != 0, i / s.vectors != 40);
            panel_scorer_close(&c);
            votes_free(&s.votes);
        }
    }
}

/* ----- threads and memory -------------------------------------------------------------------- */

struct concert {
    const struct panel_scorer *c;
    const struct scene *s;
    double out[8][ROWS * VECTORS];
    perc_status st[8];
};

static void sing_one(void *ud, uint64_t task)
{
    struct concert *all = ud;

    all->st[task] = sing(all->c, all->s, ROWS, all->out[task]);
}

TEST(threads_share_a_chorus)
{
    static struct scene s;
    static struct concert all;
    const struct env e = env_resolve(NULL);

    draw(7, T_NATIVE, true, &s);
    struct panel_scorer c = chorus_of(&e, &s, &kernels[3], (struct moment){ 0 });
    c.voting = true;
    assert_int_equal(panel_scorer_open(&c), PERC_OK);
    all.c = &c;
    all.s = &s;
    threads_each(4, 8, sing_one, &all);
    for (size_t k = 0; k < 8; k++) {
        assert_int_equal(all.st[k], PERC_OK);
        assert_memory_equal(all.out[k], all.out[0], ROWS * s.vectors * sizeof(double));
    }
    panel_scorer_close(&c);
    votes_free(&s.votes);
}

TEST(memory_may_run_out)
{
    static struct scene s;

    draw(3, T_REST, true, &s);
    for (int voting = 0; voting < 2; voting++) {
        /* arrays of the chorus, the choir, its panel */
        for (struct t_sweep w = { .least = 5, .armed = true }; t_sweep_next(&w);) {
            const struct env e = env_resolve(&w.env);
            struct panel_scorer c = chorus_of(&e, &s, &kernels[2], (struct moment){ s.votes.n, 0 });
            double got[ROWS * VECTORS];
            c.voting = voting;
            t_sweep_arm(&w);
            perc_status st = panel_scorer_open(&c);
            if (!st) st = sing(&c, &s, ROWS, got);
            panel_scorer_close(&c);
            t_sweep_judge(&w, st);
        }
    }
    votes_free(&s.votes);
}

/* ----- what the machine is made of ------------------------------------------------------------ */

/* Summed with the kernel values, coefficients are the score, but for rounding. */
TEST(coefficients_make_the_scores)
{
    static struct scene s;
    const struct env e = env_resolve(NULL);

    for (uint64_t seed = 0; seed < 6; seed++) {
        draw(seed, (enum t_votes_kind)(seed % 3), true, &s);
        const struct kernel *k = &kernels[seed % KERNELS];
        const struct moment m = { s.votes.n - seed, seed % 2 == 0 ? s.shown : 0 };
        double *a = malloc(s.votes.rows * s.vectors * sizeof *a), want[VECTORS];
        struct expansion *one;
        assert_int_equal(expansion_new(&e, k, &one), PERC_OK);
        int64_t *count = malloc(s.votes.rows * sizeof *count);
        expansion_coefficients(&s.votes, &m, s.vectors, a, count);
        free(count);
        for (size_t i = 0; i < ROWS; i++) {
            struct view v;
            const struct row x = view(&s, i, &v);
            assert_int_equal(expansion_scores(one, &s.votes, &x, &m, s.vectors, want), PERC_OK);
            for (size_t c = 0; c < s.vectors; c++) {
                double sum = 0, size = 0;
                for (size_t r = 0; r < s.votes.rows; r++) {
                    const double by = a[r * s.vectors + c] * one->value[r];
                    sum += by;
                    size += fabs(by) + fabs(one->value[r]);
                }
                assert_true(fabs(sum - want[c]) <= 1e-12 * size); /* some hundred roundings */
            }
        }
        expansion_free(one);
        free(a);
        votes_free(&s.votes);
    }
}

/* Adds an update by example `who`, which is row `who` / 2. */
static void update(struct votes *v, int64_t who, size_t up, size_t down, double step, int64_t at)
{
    const double x[2] = { (double)(who / 2 + 1), 1 };
    const struct row r = {
        .value = x, .n = 2, .stride = 8, .values = VALUES_F64, .indices = INDEX_DENSE
    };

    assert_int_equal(votes_add(v, &r, up, down, step, at), PERC_OK);
    v->vote[v->n - 1].example = who;
}

/* Examples 2 and 3 are one row with two labels: what 3 takes back is not taken from 2. */
TEST(counters_are_net_of_what_was_taken_back)
{
    const struct env e = env_resolve(NULL);

    for (int native = 0; native < 2; native++) {
        const size_t a = native ? 1 : 0, b = native ? 0 : NO_VECTOR;
        struct votes v;
        int64_t n[3];
        votes_init(&v, &e);
        update(&v, 0, a, b, 1, 1);
        update(&v, 2, a, b, 2, 2);
        if (native) update(&v, 3, 0, 2, 1, 3), update(&v, 3, 0, 1, 0.5, 5);
        else update(&v, 3, 0, NO_VECTOR, -1, 3), update(&v, 3, 0, NO_VECTOR, -0.5, 5);
        update(&v, 4, a, b, 1, 6);
        update(&v, 2, a, b, 2, 7);
        const struct moment before = { v.n, 0 };
        double c[9];
        expansion_coefficients(&v, &before, 3, c, n);
        assert_int_equal(n[0], 1);
        assert_int_equal(n[1], 4);
        assert_int_equal(n[2], 1);
        for (size_t k = 0; k < v.n; k++)
            v.vote[k].aside = v.vote[k].example == 3; /* a file of old */
        const struct moment all = { v.n, 0 };
        expansion_coefficients(&v, &all, 3, c, n);
        assert_int_equal(n[0], 1);
        assert_int_equal(n[1], 2);
        assert_int_equal(n[2], 1);
        votes_remove(&v, 3, NO_VECTOR);
        assert_true(v.removals == 1 && v.removed_from == 2 && v.n == 4);
        const struct moment left = { v.n, 0 };
        expansion_coefficients(&v, &left, 3, c, n);
        assert_int_equal(n[1], 2);
        assert_true(c[3 + a] == 4 && c[5] == 0);
        votes_free(&v);
    }
}

/* Against the rest an example moves several vectors, each in its own direction. */
TEST(counters_of_one_against_the_rest)
{
    const struct env e = env_resolve(NULL);
    struct votes v;
    int64_t n[2];
    double c[6];

    votes_init(&v, &e);
    update(&v, 0, 0, NO_VECTOR, -1, 1);
    update(&v, 0, 1, NO_VECTOR, 1, 1);
    update(&v, 0, 2, NO_VECTOR, -1, 1);
    update(&v, 1, 0, NO_VECTOR, 1, 2); /* the same row as another class */
    update(&v, 2, 0, NO_VECTOR, 1, 3);
    update(&v, 0, 1, NO_VECTOR, -1, 4);
    const struct moment all = { v.n, 0 };
    expansion_coefficients(&v, &all, 3, c, n);
    assert_int_equal(n[0], 5);
    assert_int_equal(n[1], 1);
    votes_free(&v);
}

/* Many examples, two a row: each has its own direction. */
TEST(counters_of_many)
{
    enum { MANY = 1000 };
    const struct env e = env_resolve(NULL);

    for (size_t vectors = 1; vectors <= VECTORS; vectors++) {
        static int64_t n[MANY / 2];
        static double a[MANY / 2 * VECTORS];
        struct votes v;
        votes_init(&v, &e);
        for (int64_t i = 0; i < MANY; i++)
            for (size_t c = 0; c < vectors; c++)
                update(&v, i, c, NO_VECTOR, ((size_t)i + c) % 2 == 0 ? 1 : -1, i + 1);
        const struct moment all = { v.n, 0 };
        expansion_coefficients(&v, &all, vectors, a, n);
        for (size_t i = 0; i < MANY / 2; i++) assert_int_equal(n[i], 2 * vectors);
        votes_free(&v);
    }
}
