/* test_ballot.c -- counted votes against every vector held and asked.
 *
 * The reference keeps w_t for every example t and asks each of them; on whole numbers
 * nothing is rounded, so the votes must be equal. Where numbers are rounded, the
 * definition of a score (vote_counter.c, (1)) is computed update by update. vote_counter.c is
 * included, not linked, so that every way of the processor is tried, and that a test
 * can see which way the dots go. */
#include "t_ways.h"

#include "machine/vote_counter.c"

#include "base/threads.h"
#include "t_alloc.h"
#include "t_votes.h"

enum { CLASSES = 5, ROWS = 40 };

static const enum kind kind_of[] = {
    [T_TWO] = KIND_TWO, [T_NATIVE] = KIND_NATIVE, [T_REST] = KIND_REST
};

/* ----- every vector held --------------------------------------------------------- */

/* The votes of row x by definition, into out[0] or out[c]: for t = 1 .. shown, apply the
 * updates of example t to the weights, then ask them. */
static void ask_all(const struct t_updates *t, enum t_votes_kind kind, size_t vectors, bool offset,
                    const double *x, double *out)
{
    static double w[CLASSES + 1][T_COLUMNS + 1];
    size_t k = 0;
    const double shown = (double)t->shown;

    memset(w, 0, sizeof w);
    for (size_t c = 0; c < vectors; c++) out[c] = 0;
    for (int64_t at = 1; at <= t->shown; at++) {
        for (; k < t->n && t->u[k].at == at; k++) {
            const struct t_update *u = &t->u[k];
            for (size_t j = 0; j <= T_COLUMNS; j++) {
                const double xj = j < T_COLUMNS ? u->x[j] : offset;
                w[u->up][j] += u->step * xj;
                if (u->down != NO_VECTOR) w[u->down][j] -= u->step * xj;
            }
        }
        double score[CLASSES + 1];
        size_t best = 0;
        for (size_t c = 0; c < vectors; c++) {
            score[c] = w[c][T_COLUMNS];
            for (size_t j = 0; j < T_COLUMNS; j++) score[c] += w[c][j] * x[j];
            if (score[c] > score[best]) best = c;
            if (kind != T_NATIVE) out[c] += score[c] > 0 ? 1 : -1;
        }
        if (kind == T_NATIVE) out[best]++;
    }
    for (size_t c = 0; c < vectors; c++) out[c] /= shown;
}

/* Scratch memory as badly aligned as doubles can be, full of what nobody may rely on,
 * and a mark behind it. */
struct scratch {
    double *memory, *p, *end;
};

static struct scratch scratch_for(const struct vote_counter *b)
{
    const size_t n = vote_counter_scratch(b);
    struct scratch s = { .memory = malloc((n + 2 * LANES) * sizeof *s.p) };

    assert_non_null(s.memory);
    memset(s.memory, 0x7f, (n + 2 * LANES) * sizeof *s.p);
    s.p = s.memory;
    while ((uintptr_t)s.p / sizeof *s.p % LANES != 1) s.p++;
    s.end = s.p + n;
    *s.end = 42;
    return s;
}

static void scratch_free(struct scratch *s)
{
    assert_true(*s->end == 42);
    free(s->memory);
}

/* Rows x, the same in batches of 1 .. VOTE_ROWS, all against want. */
static void check_batches(const struct vote_counter *b, double (*x)[T_COLUMNS], size_t outputs,
                          const double *want)
{
    double value[VOTE_ROWS][T_COLUMNS], out[VOTE_ROWS * CLASSES];
    uint16_t index[VOTE_ROWS][T_COLUMNS];
    struct scratch s = scratch_for(b);

    for (size_t batch = 0; batch <= VOTE_ROWS; batch++) { /* 0: each alone */
        for (size_t i = 0; i < ROWS;) {
            struct row row[VOTE_ROWS];
            size_t n = batch == 0 ? 1 : batch;
            if (n > ROWS - i) n = ROWS - i;
            for (size_t k = 0; k < n; k++)
                row[k] = t_votes_view(x[i + k], (i + k + batch) % 2, value[k], index[k]);
            if (batch == 0) vote_counter_scores(b, row, 1, s.p, out);
            else vote_counter_scores(b, row, n, s.p, out);
            assert_memory_equal(out, want + i * outputs, n * outputs * sizeof *out);
            i += n;
        }
    }
    scratch_free(&s);
}

static void check_kind(enum t_votes_kind kind, size_t vectors, double density, bool columns,
                       bool offset, uint64_t seed)
{
    const struct env e = env_resolve(NULL);
    struct rng r = rng_seed(seed, 0);
    static struct t_updates t;
    double x[ROWS][T_COLUMNS], want[ROWS * CLASSES];
    const size_t outputs = kind == T_TWO ? 1 : vectors;
    struct votes v;
    struct vote_counter *b;
    size_t votes = 0;

    t_votes_draw(&r, kind, vectors, 60, density, &t);
    for (size_t k = 0; k < t.n; k += 5) t.u[k].down = NO_VECTOR; /* a class without a rival */
    votes_init(&v, &e);
    assert_int_equal(t_votes_add(&v, &t, false), PERC_OK);
    for (size_t i = 0; i < ROWS; i++) {
        t_votes_row(&r, density, x[i]);
        ask_all(&t, kind, vectors, offset, x[i], want + i * outputs);
        for (size_t c = 0; c < outputs; c++) votes += want[i * outputs + c] > 0;
    }
    assert_in_range(votes, 1, ROWS * outputs - 1); /* guard: they disagree */
    assert_int_equal(
        vote_counter_new(&e, &v, NULL, kind_of[kind], vectors, T_COLUMNS, offset, t.shown, &b),
        PERC_OK);
    assert_int_equal(b->by_columns, columns);
    for (way = PLAIN; way < WAYS; way++) check_batches(b, x, outputs, want);
    vote_counter_free(b);
    votes_free(&v);
}

TEST(all_vectors_are_asked)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        const bool offset = seed % 2, sparse = seed % 3 == 2;
        const double density = sparse ? 0.05 : 0.6;
        check_kind(T_TWO, 1, density, sparse, offset, seed);
        check_kind(T_REST, 3, density, sparse, offset, seed);
        for (size_t classes = 2; classes <= CLASSES; classes++)
            check_kind(T_NATIVE, classes, density, sparse, offset, seed);
    }
}

/* ----- to the bit ------------------------------------------------------------------ */

/* Rounded numbers: three updates forth and the same three back, in another order, leave
 * nothing but what was rounded off, and the sign of that decides the vote. So this
 * tells the right order of operations, and that each is rounded, from any other. */
TEST(scores_are_rounded_as_defined)
{
    const struct env e = env_resolve(NULL);
    struct rng r = rng_seed(5, 0);
    static struct t_updates t;
    double x[ROWS][T_COLUMNS], want[ROWS];
    static const size_t back[] = { 1, 2, 0 };
    size_t residues = 0;

    for (int offset = 0; offset < 2; offset++) {
        t = (struct t_updates){ .n = 240, .shown = 240 };
        for (size_t k = 0; k < t.n; k++) {
            struct t_update *u = &t.u[k];
            const size_t in = k % 6;
            if (in < 3) {
                for (size_t j = 0; j < T_COLUMNS; j++) u->x[j] = rng_uniform(&r) - 0.5;
                u->step = rng_uniform(&r);
            } else {
                *u = t.u[k - in + back[in - 3]];
                u->step = -u->step;
            }
            u->up = 0;
            u->down = NO_VECTOR;
            u->at = (int64_t)k + 1;
        }
        for (size_t i = 0; i < ROWS; i++) {
            int64_t votes = 0;
            double s = 0;
            for (size_t j = 0; j < T_COLUMNS; j++) x[i][j] = rng_uniform(&r) - 0.5;
            for (size_t k = 0; k < t.n; k++) {
                const struct row one = t_votes_view(t.u[k].x, true, NULL, NULL);
                s += t.u[k].step * (row_dot(&one, x[i], T_COLUMNS) + (offset ? 1 : 0));
                votes += s > 0 ? 1 : -1;
                residues += k % 6 == 5 && s != 0;
            }
            want[i] = (double)votes / (double)t.shown;
        }
        struct votes v;
        struct vote_counter *b;
        votes_init(&v, &e);
        assert_int_equal(t_votes_add(&v, &t, true), PERC_OK);
        assert_int_equal(
            vote_counter_new(&e, &v, NULL, KIND_TWO, 1, T_COLUMNS, offset, t.shown, &b), 0);
        for (way = PLAIN; way < WAYS; way++) check_batches(b, x, 1, want);
        vote_counter_free(b);
        votes_free(&v);
    }
    assert_true(residues > ROWS * 40); /* guard: half of the ends, at least */
}

/* ----- at the edges ------------------------------------------------------------------ */

TEST(nothing_shown_is_the_zero_vector)
{
    const struct env e = env_resolve(NULL);
    const double one[2] = { 1, 1 };
    const struct row x = { .value = one, .n = 2, .stride = 8, .values = VALUES_F64 };
    struct votes v;

    votes_init(&v, &e);
    for (int64_t shown = 0; shown < 20; shown += 7) {
        for (size_t k = 0; k < 3; k++) {
            struct vote_counter *b;
            double out[3] = { 7, 7, 7 };
            const size_t vectors = k == T_TWO ? 1 : 3;
            assert_int_equal(
                vote_counter_new(&e, &v, NULL, kind_of[k], vectors, 2, true, shown, &b), PERC_OK);
            struct scratch s = scratch_for(b);
            vote_counter_scores(b, &x, 1, s.p, out);
            assert_true(out[0] == (k == T_NATIVE ? 1 : -1));
            assert_true(out[1] == (k == T_NATIVE ? 0 : k == T_REST ? -1 : 7));
            scratch_free(&s);
            vote_counter_free(b);
        }
    }
    votes_free(&v);
}

/* Columns that the votes do not know, and vectors that have no say. */
TEST(strangers_are_passed_over)
{
    const struct env e = env_resolve(NULL);
    struct rng r = rng_seed(3, 0);
    static struct t_updates t;
    struct votes v;

    for (int sparse = 0; sparse < 2; sparse++) {
        t_votes_draw(&r, T_REST, 4, 40, sparse ? 0.05 : 0.5, &t);
        for (size_t k = 0; k < t.n; k++) /* the last columns are not used */
            memset(t.u[k].x + 20, 0, 4 * sizeof *t.u[k].x);
        votes_init(&v, &e);
        assert_int_equal(t_votes_add(&v, &t, true), PERC_OK);
        struct vote_counter *three, *four;
        assert_int_equal(vote_counter_new(&e, &v, NULL, KIND_REST, 3, 20, true, t.shown, &three),
                         PERC_OK);
        assert_int_equal(vote_counter_new(&e, &v, NULL, KIND_REST, 4, 24, true, t.shown, &four),
                         PERC_OK);
        assert_int_equal(three->by_columns, sparse);
        for (size_t i = 0; i < ROWS; i++) {
            double x[T_COLUMNS], a[4] = { 0 }, b[4];
            t_votes_row(&r, 0.7, x);
            const struct row row = t_votes_view(x, true, NULL, NULL);
            struct scratch s = scratch_for(three), more = scratch_for(four);
            vote_counter_scores(three, &row, 1, s.p, a);
            vote_counter_scores(four, &row, 1, more.p, b);
            assert_memory_equal(a, b, 3 * sizeof *a);
            assert_true(a[3] == 0);
            const uint64_t beyond = (uint64_t)1 << 40;
            const struct row nothing = { .values = VALUES_ONES };
            const struct row strange = {
                .index = &beyond, .n = 1, .values = VALUES_ONES, .indices = INDEX_U64
            };
            vote_counter_scores(three, &nothing, 1, s.p, a);
            vote_counter_scores(three, &strange, 1, s.p, b);
            assert_memory_equal(a, b, 3 * sizeof *a);
            scratch_free(&s);
            scratch_free(&more);
        }
        vote_counter_free(three);
        vote_counter_free(four);
        votes_free(&v);
    }
}

/* ----- memory and threads ---------------------------------------------------------------- */

TEST(memory_may_run_out)
{
    const struct env e = env_resolve(NULL);
    struct rng r = rng_seed(4, 0);
    static struct t_updates t;
    struct votes v;

    for (int sparse = 0; sparse < 2; sparse++) {
        t_votes_draw(&r, T_REST, 3, 40, sparse ? 0.05 : 0.5, &t);
        votes_init(&v, &e);
        assert_int_equal(t_votes_add(&v, &t, true), PERC_OK);
        for (struct t_sweep s = { .least = 6 }; t_sweep_next(&s);) {
            const struct env own = env_resolve(&s.env);
            struct vote_counter *b = (struct vote_counter *)&s;
            const perc_status st = vote_counter_new(&own, &v, NULL, KIND_REST, 3, T_COLUMNS, true,
                                                    t.shown, &b);
            if (st == PERC_OK) vote_counter_free(b);
            else assert_null(b);
            t_sweep_judge(&s, st);
        }
        votes_free(&v);
    }
}

struct crowd {
    const struct vote_counter *b;
    double (*x)[T_COLUMNS];
    double out[4][ROWS * CLASSES];
};

static void score_all(void *ud, int k)
{
    struct crowd *c = ud;
    double *scratch = malloc(vote_counter_scratch(c->b) * sizeof *scratch);

    for (size_t i = 0; i < ROWS; i++) {
        const struct row row = t_votes_view(c->x[i], true, NULL, NULL);
        vote_counter_scores(c->b, &row, 1, scratch, c->out[k] + i * CLASSES);
    }
    free(scratch);
}

TEST(threads_share_the_ballots)
{
    const struct env e = env_resolve(NULL);
    struct rng r = rng_seed(6, 0);
    static struct t_updates t;
    static struct crowd c;
    double x[ROWS][T_COLUMNS];
    struct votes v;
    struct vote_counter *b;

    t_votes_draw(&r, T_NATIVE, CLASSES, 40, 0.5, &t);
    for (size_t i = 0; i < ROWS; i++) t_votes_row(&r, 0.5, x[i]);
    votes_init(&v, &e);
    assert_int_equal(t_votes_add(&v, &t, true), PERC_OK);
    assert_int_equal(
        vote_counter_new(&e, &v, NULL, KIND_NATIVE, CLASSES, T_COLUMNS, true, t.shown, &b), 0);
    votes_free(&v); /* nothing is borrowed */
    c = (struct crowd){ .b = b, .x = x };
    threads_run(4, score_all, &c);
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < ROWS; i++) {
            double want[CLASSES];
            ask_all(&t, T_NATIVE, CLASSES, true, x[i], want);
            assert_memory_equal(c.out[k] + i * CLASSES, want, sizeof want);
        }
    }
    vote_counter_free(b);
}
