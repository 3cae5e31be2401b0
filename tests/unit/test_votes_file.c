/* test_votes_file.c -- votes in a file: what was written is read, and whatever training
 * could not have left there is refused, with its place. */
#include "machine/votes.h"
#include "t.h"
#include "t_alloc.h"
#include "t_hostile.h"

#include "t_votes_same.h"

static const char path[] = "file";

static perc_status read_back(const struct env *e, const struct votes_frame *f, struct votes *out,
                             perc_error *err)
{
    const struct env p = env_resolve(NULL);
    struct tensors t;

    assert_int_equal(tensors_read(&p, path, &t, err), PERC_OK);
    votes_init(out, e);
    const perc_status st = votes_unpack(out, f, &t, err);
    tensors_free(&t);
    return st;
}

/* ----- files ---------------------------------------------------------------------------------- */

enum { BELOW = 1 };

static struct votes_frame frame_of(enum t_votes_kind kind, const struct t_updates *t)
{
    return (struct votes_frame){ .vectors = kind == T_TWO ? 1 : 3,
                                 .pairs = kind == T_NATIVE,
                                 .columns = T_COLUMNS,
                                 .below = BELOW,
                                 .shown = t->shown };
}

/* Updates whose column 0 is not used, as with indices from 1. */
static void draw_for_file(uint64_t seed, enum t_votes_kind kind, struct t_updates *t)
{
    struct rng r = rng_seed(seed, 1);

    t_votes_draw(&r, kind, kind == T_TWO ? 1 : 3, 50, 0.4, t);
    for (size_t k = 0; k < t->n; k++) t->u[k].x[0] = 0;
}

TEST(files_give_back_what_was_written)
{
    static struct t_updates t;

    for (uint64_t seed = 0; seed < 12; seed++) {
        const enum t_votes_kind kind = (enum t_votes_kind)(seed % 3);
        draw_for_file(seed, kind, &t);
        if (seed > 8) t.n = 0;
        struct votes v = made_of(&t, true), back;
        struct votes_frame f = frame_of(kind, &t);
        f.below = seed % 2;
        struct tensors file;
        const struct env e = env_resolve(NULL);
        tensors_init(&file, &e);
        assert_int_equal(votes_pack(&v, &f, &file), PERC_OK);
        assert_int_equal(tensors_write(&file, path, NULL), PERC_OK);
        tensors_free(&file);
        assert_int_equal(read_back(&e, &f, &back, NULL), PERC_OK);
        assert_same(&v, &back);
        const size_t rows = v.rows; /* and it goes on: known rows are found */
        if (t.n > 0) {
            const struct row x = t_votes_view(t.u[9].x, true, NULL, NULL);
            assert_int_equal(votes_add(&back, &x, 0, NO_VECTOR, 1, t.shown + 1), PERC_OK);
            assert_int_equal(back.rows, rows);
        }
        votes_free(&back);
        votes_free(&v);
    }
}

/* ----- damage ------------------------------------------------------------------------------- */

static perc_status unpack(void *ud, struct tensors *t, perc_error *err)
{
    const struct env e = env_resolve(NULL);
    struct votes back;

    votes_init(&back, &e);
    const perc_status st = votes_unpack(&back, ud, t, err);
    assert_true(!st || back.vote == NULL);
    votes_free(&back);
    return st;
}

static struct tensors packed(const struct votes *v, struct votes_frame *f)
{
    const struct env e = env_resolve(NULL);
    struct tensors file;

    tensors_init(&file, &e);
    assert_int_equal(votes_pack(v, f, &file), PERC_OK);
    return file;
}

/* An array that was packed, to be changed. */
static void *array(const struct tensors *t, const char *name)
{
    size_t i = 0;

    while (strcmp(t->tensor[i].name, name) != 0) i++;
    return (void *)(uintptr_t)t->tensor[i].data;
}

TEST(damage_is_refused)
{
    static struct t_updates t;

    draw_for_file(1, T_NATIVE, &t);
    assert_int_equal(t.n, 200);
    struct votes v = made_of(&t, true);
    struct votes_frame f = frame_of(T_NATIVE, &t);
    struct tensors file = packed(&v, &f);
    const uint32_t *column = array(&file, "row.column");
    const long long before = v.vote[6].at, third = (long long)v.start[3];
    const struct hostile list[] = {
        { AS_IT_IS, NULL, NULL, NULL },
        { ELEMENT, "vote.up[7]", "3", "vote.up[7] is not a vector" },
        { ELEMENT, "vote.down[7]", "3", "vote.down[7] is not another" },
        { ELEMENT, "vote.down[7]", t_text("%u", (unsigned)v.vote[7].up),
          "vote.down[7] is not another" },
        { ELEMENT, "vote.down[7]", t_text("%u", (unsigned)NO_DOWN), "vote.down[7] is not another" },
        { ELEMENT, "vote.step[7]", "-0.0", "vote.step[7] is not a finite" },
        { ELEMENT, "vote.step[7]", "-nan", "vote.step[7] is not a finite" },
        { ELEMENT, "vote.step[7]", "inf", "vote.step[7] is not a finite" },
        { ELEMENT, "vote.step[7]", "-1", "vote.step[7] is negative" },
        { ELEMENT, "vote.at[0]", "0", "vote.at[0] is not an example" },
        { ELEMENT, "vote.at[199]", t_text("%lld", (long long)t.shown + 1),
          "vote.at[199] is not an example" },
        { ELEMENT, "vote.at[7]", t_text("%lld", before - 1), "vote.at[7] is less" },
        { ELEMENT, "vote.at[7]", t_text("%lld", before), "vote.at[7] is a second" },
        { ELEMENT, "vote.row[7]", t_text("%zu", v.rows), "vote.row[7] is not one of the rows" },
        { ELEMENT, "vote.row[0]", "1", "vote.row[0] passes over" },
        { ELEMENT, "row.start[0]", "1", "row.start[0] is not 0" },
        { ELEMENT, "row.start[8]", t_text("%llu", (unsigned long long)v.start[7] - 1),
          "row.start[8] is less" },
        { ELEMENT, "row.start[-1]", t_text("%zu", v.entries - 1), "is not the number of entries" },
        { ELEMENT, t_text("row.column[%lld]", third + 1), t_text("%u", (unsigned)column[third]),
          "is not above the one before" },
        { ELEMENT, "row.value[3]", "-inf", "row.value[3] is not a finite" },
        { ELEMENT, "row.value[3]", "0", "row.value[3] is not a finite" },
    };
    struct votes_frame narrow = f, single = f, early = f;
    static const struct hostile column_out = { AS_IT_IS, NULL, NULL,
                                               "row.column[3] is not a feature" };
    static const struct hostile no_pairs = { AS_IT_IS, NULL, NULL,
                                             "vote.down[0] must be 2^32 - 1" };
    static const struct hostile shown = { AS_IT_IS, NULL, NULL, "vote.at[199] is not an example" };
    static const struct hostile unused = { AS_IT_IS, NULL, NULL,
                                           "begins a row that no update names" };

    t_refuses(&file, unpack, &f, list, COUNT(list));
    narrow.columns = column[3] + BELOW;
    t_refuses(&file, unpack, &narrow, &column_out, 1);
    single.pairs = false;
    t_refuses(&file, unpack, &single, &no_pairs, 1);
    early.shown = v.vote[199].at - 1;
    t_refuses(&file, unpack, &early, &shown, 1);
    uint32_t *row = array(&file, "vote.row");
    for (size_t k = 0; k < v.n; k++)
        if (row[k] == v.rows - 1) row[k] = 0;
    t_refuses(&file, unpack, &f, &unused, 1);
    tensors_free(&file);
    votes_free(&v);
}

/* Against the rest, an example may have several updates, but in order and not for one
 * vector twice. */
TEST(updates_of_one_example)
{
    static const struct hostile second = { AS_IT_IS, NULL, NULL, "is a second update" };
    static struct t_updates t;

    draw_for_file(2, T_REST, &t);
    for (int d = 0; d < 2; d++) {
        struct votes v = made_of(&t, true);
        struct votes_frame f = frame_of(T_REST, &t);
        struct tensors file = packed(&v, &f);
        uint32_t *up = array(&file, "vote.up");
        size_t k = 1;
        while (v.vote[k].at != v.vote[k - 1].at) k++;
        up[k - 1] = d == 0 ? up[k] : 2;
        up[k] = d == 0 ? up[k] : 1;
        t_refuses(&file, unpack, &f, &second, 1);
        tensors_free(&file);
        votes_free(&v);
    }
}

/* Each array left out, of another type, or of another length. */
TEST(arrays_are_all_there)
{
    static struct t_updates t;

    draw_for_file(3, T_NATIVE, &t);
    struct votes v = made_of(&t, true);
    struct votes_frame f = frame_of(T_NATIVE, &t);
    struct tensors file = packed(&v, &f);
    assert_int_equal(file.n, 8);
    for (size_t i = 0; i < 8; i++) {
        const char *name = file.tensor[i].name;
        const char *group = strncmp(name, "row.", 4) == 0 ? "row." : "vote.";
        const struct hostile ways[] = {
            { GONE, name, NULL, name },
            { TYPE, name, NULL, name },
            { SHORTER, name, NULL, group },
            { TURNED, name, NULL, name },
        };
        t_refuses(&file, unpack, &f, ways, COUNT(ways));
    }
    tensors_free(&file);
    votes_free(&v);
}

TEST(files_survive_lack_of_memory)
{
    static struct t_updates t;

    draw_for_file(4, T_REST, &t);
    struct votes v = made_of(&t, true), back;
    const struct votes_frame f = frame_of(T_REST, &t);
    for (struct t_sweep s = { .least = 3 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct tensors file;
        tensors_init(&file, &e);
        perc_status st = votes_pack(&v, &f, &file);
        if (!st) st = tensors_write(&file, path, NULL);
        tensors_free(&file);
        t_sweep_judge(&s, st);
    }
    for (struct t_sweep s = { .least = 3 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        perc_error err = { 0 };
        const perc_status st = read_back(&e, &f, &back, &err);
        assert_int_equal(err.status, st);
        if (st) assert_null(back.start);
        else assert_same(&v, &back);
        votes_free(&back);
        t_sweep_judge(&s, st);
    }
    votes_free(&v);
}

/* Where there is no memory to drop rows they stay, and are left out of the file. */
TEST(rows_may_stay)
{
    enum { VECTORS = 4 };
    struct rng r = rng_seed(6, 0);
    static struct t_updates t;
    struct t_alloc a = { .fail_at = -1 };
    const perc_env env = { t_alloc, &a, 1 };
    const struct env e = env_resolve(&env);
    struct votes v, tidy, back;
    struct tensors file;

    t_votes_draw(&r, T_REST, VECTORS, 200, 0.4, &t);
    votes_init(&v, &e);
    assert_int_equal(t_votes_add(&v, &t, true), PERC_OK);
    const size_t rows = v.rows;
    t_alloc_again(&a, 0);
    votes_drop(&v, VECTORS - 1);
    assert_int_equal(v.rows, rows);
    tensors_init(&file, &e);
    const struct votes_frame f = { .vectors = VECTORS - 1, .columns = T_COLUMNS, .shown = t.shown };
    assert_false(votes_in_order(&v));
    assert_int_equal(votes_tidy(&e, &v, &tidy), PERC_OK);
    assert_int_equal(votes_pack(&tidy, &f, &file), PERC_OK);
    assert_int_equal(tensors_write(&file, path, NULL), PERC_OK);
    tensors_free(&file);
    votes_free(&tidy);
    votes_free(&v);
    assert_int_equal(read_back(&e, &f, &back, NULL), PERC_OK);
    assert_true(back.rows < rows);
    size_t n = 0;
    for (size_t k = 0; k < t.n; k++)
        if (t.u[k].up != VECTORS - 1) t.u[n++] = t.u[k];
    t.n = n;
    assert_made_of(&back, &t);
    t_alloc_holds(&a, 0);
}
