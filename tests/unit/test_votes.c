/* test_votes.c -- updates as they are stored: rows once each, and vectors turned, split
 * and numbered anew as a list of updates made from scratch would have them. */
#include "machine/votes.h"
#include "t.h"
#include "t_alloc.h"

#include "t_votes_same.h"

/* ----- adding -------------------------------------------------------------------------- */

TEST(a_row_is_stored_once)
{
    struct rng r = rng_seed(1, 0);
    static struct t_updates t;

    t_votes_draw(&r, T_TWO, 1, 50, 0.4, &t);
    struct votes dense = made_of(&t, true), sparse = made_of(&t, false);
    assert_same(&dense, &sparse);
    assert_in_range(dense.rows, 30, 50); /* guard: rows came again */
    for (size_t k = 0; k < t.n; k++) {   /* and each update has the row it was given */
        const uint32_t row = dense.vote[k].row;
        double x[T_COLUMNS] = { 0 };
        for (uint64_t l = dense.start[row]; l < dense.start[row + 1]; l++) {
            assert_true(dense.value[l] != 0);
            x[dense.column[l]] = dense.value[l];
        }
        assert_memory_equal(x, t.u[k].x, sizeof x);
    }
    votes_free(&dense);
    votes_free(&sparse);
}

/* Rows that differ in their values only, more of them than a hash table has slots at
 * first: a slot that is taken says nothing. */
TEST(like_rows_are_told_apart)
{
    const struct env e = env_resolve(NULL);
    struct votes v;

    votes_init(&v, &e);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < 400; i++) {
            const double pair[2] = { (double)(i / 20 + 1), (double)(i % 20 + 1) };
            const struct row x = { .value = pair, .n = 2, .stride = 8, .values = VALUES_F64 };
            assert_int_equal(votes_add(&v, &x, 0, NO_VECTOR, 1, (int64_t)v.n + 1), PERC_OK);
            assert_int_equal(v.vote[v.n - 1].row, i);
        }
    }
    assert_int_equal(v.rows, 400);
    votes_free(&v);
}

TEST(odd_rows)
{
    const struct env e = env_resolve(NULL);
    const double zeros[3] = { 0, -0.0, 0 }, one = 1;
    const uint64_t last = UINT32_MAX, beyond = last + 1;
    const struct row none = { .values = VALUES_F64, .indices = INDEX_U32 };
    const struct row zero = { .value = zeros, .n = 3, .stride = 8, .values = VALUES_F64 };
    struct row x = { .value = &one,
                     .index = &last,
                     .n = 1,
                     .stride = 8,
                     .values = VALUES_F64,
                     .indices = INDEX_U64 };
    struct votes v;

    votes_init(&v, &e);
    assert_int_equal(votes_add(&v, &none, 0, NO_VECTOR, 1, 1), PERC_OK);
    assert_int_equal(votes_add(&v, &zero, 0, NO_VECTOR, 1, 2), PERC_OK);
    assert_int_equal(v.rows, 1);
    assert_int_equal(v.entries, 0);
    assert_int_equal(votes_add(&v, &x, 0, NO_VECTOR, 0, 3), PERC_OK); /* no new vector */
    assert_int_equal(v.n, 2);
    assert_int_equal(votes_add(&v, &x, 0, NO_VECTOR, 1, 3), PERC_OK);
    assert_int_equal(v.column[0], UINT32_MAX);
    x.index = &beyond;
    assert_int_equal(votes_add(&v, &x, 0, NO_VECTOR, 1, 4), PERC_EDATA);
    assert_int_equal(v.n, 3);
    assert_int_equal(v.rows, 2);
    votes_free(&v);
}

/* Every allocation fails once: the votes are then those before, and adding goes on. */
TEST(adding_survives_lack_of_memory)
{
    struct rng r = rng_seed(2, 0);
    static struct t_updates t, part;
    struct t_alloc a = { .fail_at = 0 };
    const perc_env env = { t_alloc, &a, 1 };
    const struct env e = env_resolve(&env);
    struct votes v;
    long failures = 0;

    t_votes_draw(&r, T_REST, 3, 100, 0.5, &t);
    votes_init(&v, &e);
    for (size_t k = 0; k < t.n; k++) {
        const struct row x = t_votes_view(t.u[k].x, true, NULL, NULL);
        t_alloc_again(&a, 0);
        for (long n = 1;; n++) {
            const perc_status st = votes_add(&v, &x, t.u[k].up, t.u[k].down, t.u[k].step,
                                             t.u[k].at);
            if (st == PERC_OK) break;
            assert_int_equal(st, PERC_ENOMEM);
            part.n = k;
            memcpy(part.u, t.u, k * sizeof *t.u);
            struct votes want = made_of(&part, true);
            assert_same(&v, &want);
            votes_free(&want);
            failures++;
            t_alloc_again(&a, n);
        }
    }
    assert_true(failures > 20);
    struct votes copy;
    for (long n = 0;; n++) {
        t_alloc_again(&a, n);
        const long held = a.bytes;
        if (votes_copy(&e, &v, &copy) == PERC_OK) break;
        t_alloc_holds(&a, held);
        assert_null(copy.vote);
    }
    votes_free(&v);
    assert_made_of(&copy, &t);
    t_alloc_holds(&a, 0);
}

/* ----- vectors ------------------------------------------------------------------------------ */

TEST(split_in_two)
{
    struct rng r = rng_seed(3, 0);
    static struct t_updates t;

    t_votes_draw(&r, T_TWO, 1, 50, 0.4, &t);
    struct votes w = made_of(&t, true);
    for (size_t k = 0; k < t.n; k++) {
        struct t_update *u = &t.u[k];
        u->up = u->step > 0 ? 1 : 0;
        u->down = u->step > 0 ? 0 : 1;
        if (u->step < 0) u->step = -u->step;
    }
    votes_split(&w);
    assert_made_of(&w, &t);
}

static int by_place(const void *a, const void *b)
{
    const struct t_update *x = a, *y = b;

    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->up < y->up ? -1 : x->up > y->up;
}

/* What votes_insert should do, done to the list. */
static void insert_plainly(struct t_updates *t, size_t at, size_t from)
{
    const size_t n = t->n;

    for (size_t k = 0; k < n; k++) {
        if (from != NO_VECTOR && t->u[k].up == from) {
            t->u[t->n] = t->u[k];
            t->u[t->n++].up = at;
        }
        if (t->u[k].up >= at) t->u[k].up++;
        if (t->u[k].down != NO_VECTOR && t->u[k].down >= at) t->u[k].down++;
    }
    if (t->n > n) qsort(t->u, t->n, sizeof *t->u, by_place); /* no two are alike */
}

TEST(vectors_are_inserted_and_dropped)
{
    enum { VECTORS = 4 };
    struct rng r = rng_seed(4, 0);
    static struct t_updates drawn, t;
    size_t dropped = 0;

    for (size_t at = 0; at <= VECTORS; at++) {
        for (size_t from = 0; from <= VECTORS; from++) {
            t_votes_draw(&r, T_REST, VECTORS, 200, 0.4, &drawn);
            const size_t copied = from < VECTORS ? from : NO_VECTOR;
            t = drawn;
            struct votes v = made_of(&t, true);
            assert_int_equal(votes_reserve(&v, 0, v.n), PERC_OK);
            votes_insert(&v, at, copied);
            insert_plainly(&t, at, copied);
            assert_true((t.n > drawn.n) == (from < VECTORS));
            struct votes w;
            const struct env e = env_resolve(NULL);
            assert_int_equal(votes_copy(&e, &v, &w), PERC_OK);
            assert_made_of(&v, &t);

            size_t n = 0; /* the last vector goes again, and its rows */
            for (size_t k = 0; k < t.n; k++)
                if (t.u[k].up != VECTORS) t.u[n++] = t.u[k];
            t.n = n;
            const size_t rows = w.rows;
            votes_drop(&w, VECTORS);
            dropped += rows - w.rows;
            const struct row x = t_votes_view(t.u[0].x, false, (double[T_COLUMNS]){ 0 },
                                              (uint16_t[T_COLUMNS]){ 0 });
            assert_int_equal(votes_add(&w, &x, 0, NO_VECTOR, 1, drawn.shown), PERC_OK);
            assert_int_equal(w.vote[--w.n].row, w.vote[0].row); /* rows are found again */
            assert_made_of(&w, &t);
        }
    }
    assert_true(dropped > 20); /* guard */
    t_votes_draw(&r, T_NATIVE, VECTORS, 50, 0.4, &t);
    struct votes v = made_of(&t, true);
    assert_int_equal(votes_reserve(&v, 0, v.n), PERC_OK);
    votes_insert(&v, 1, NO_VECTOR);
    insert_plainly(&t, 1, NO_VECTOR);
    assert_made_of(&v, &t);
}

TEST(reserving_survives_lack_of_memory)
{
    struct rng r = rng_seed(5, 0);
    static struct t_updates t;
    struct t_alloc a = { .fail_at = -1 };
    const perc_env env = { t_alloc, &a, 1 };
    const struct env e = env_resolve(&env);
    struct votes v;

    t_votes_draw(&r, T_REST, 2, 50, 0.4, &t);
    votes_init(&v, &e);
    assert_int_equal(t_votes_add(&v, &t, true), PERC_OK);
    t_alloc_again(&a, 0);
    perc_status st = PERC_OK;
    for (size_t i = 0; i < 4 && !st; i++) { /* there may be room for some */
        st = votes_reserve(&v, 0, v.n);
        if (st) break;
        votes_insert(&v, 0, 0);
        insert_plainly(&t, 0, 0);
    }
    assert_int_equal(st, PERC_ENOMEM);
    assert_made_of(&v, &t);
    t_alloc_holds(&a, 0);
}
