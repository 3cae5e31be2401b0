/* test_votes_file.c -- votes in a file: what was written is read, and whatever training
 * could not have left there is refused, with its place. */
#include "machine/votes.h"
#include "t.h"
#include "t_alloc.h"

#include "t_votes_same.h"

static const char path[] = "file";

static perc_status read_back(const struct env *e, const struct votes_frame *f, struct votes *out,
                             perc_error *err)
{
    const struct env p = plain();
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
        const struct env e = plain();
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

/* What each row does to the arrays or to what is asked of them, and what is said of it. */
enum damage {
    UP_OUT,
    DOWN_OUT,
    DOWN_SAME,
    DOWN_NONE,
    STEP_ZERO,
    STEP_NAN,
    STEP_INF,
    STEP_NEGATIVE,
    AT_ZERO,
    AT_LATE,
    AT_BACK,
    AT_TWICE,
    ROW_OUT,
    ROW_EARLY,
    ROW_UNUSED,
    START_FIRST,
    START_BACK,
    START_END,
    COLUMN_OUT,
    COLUMN_SAME,
    VALUE_INF,
    VALUE_ZERO,
    PAIRS,
    SHOWN,
    DAMAGES
};

static const char *const said[DAMAGES] = {
    [UP_OUT] = "vote.up[7] is not a vector",
    [DOWN_OUT] = "vote.down[7] is not another",
    [DOWN_SAME] = "vote.down[7] is not another",
    [DOWN_NONE] = "vote.down[7] is not another",
    [STEP_ZERO] = "vote.step[7] is not a finite",
    [STEP_NAN] = "vote.step[7] is not a finite",
    [STEP_INF] = "vote.step[7] is not a finite",
    [STEP_NEGATIVE] = "vote.step[7] is negative",
    [AT_ZERO] = "vote.at[0] is not an example",
    [AT_LATE] = "vote.at[199] is not an example",
    [AT_BACK] = "vote.at[7] is less",
    [AT_TWICE] = "vote.at[7] is a second",
    [ROW_OUT] = "vote.row[7] is not one of the rows",
    [ROW_EARLY] = "vote.row[0] passes over",
    [ROW_UNUSED] = "begins a row that no update names",
    [START_FIRST] = "row.start[0] is not 0",
    [START_BACK] = "row.start[8] is less",
    [START_END] = "is not the number of entries",
    [COLUMN_OUT] = "row.column[3] is not a feature",
    [COLUMN_SAME] = "is not above the one before",
    [VALUE_INF] = "row.value[3] is not a finite",
    [VALUE_ZERO] = "row.value[3] is not a finite",
    [PAIRS] = "vote.down[0] must be 2^32 - 1",
    [SHOWN] = "vote.at[199] is not an example",
};

/* An array that was packed, to be changed. */
static void *array(const struct tensors *t, const char *name)
{
    size_t i = 0;

    while (strcmp(t->tensor[i].name, name) != 0) i++;
    return (void *)(uintptr_t)t->tensor[i].data;
}

static void damage_updates(enum damage d, const struct t_updates *t, const struct tensors *p)
{
    uint32_t *up = array(p, "vote.up"), *down = array(p, "vote.down");
    double *step = array(p, "vote.step");
    int64_t *at = array(p, "vote.at");

    switch (d) {
    case UP_OUT: up[7] = 3; break;
    case DOWN_OUT: down[7] = 3; break;
    case DOWN_SAME: down[7] = up[7]; break;
    case DOWN_NONE: down[7] = NO_DOWN; break;
    case STEP_ZERO: step[7] = -0.0; break;
    case STEP_NAN: memset(&step[7], 0xff, sizeof *step); break;
    case STEP_INF: step[7] = 1e308 * 10; break;
    case STEP_NEGATIVE: step[7] = -1; break;
    case AT_ZERO: at[0] = 0; break;
    case AT_LATE: at[199] = t->shown + 1; break;
    case AT_BACK: at[7] = at[6] - 1; break;
    case AT_TWICE: at[7] = at[6]; break;
    default: break;
    }
}

static void damage_rows(enum damage d, struct votes *v, const struct tensors *p,
                        struct votes_frame *f)
{
    uint32_t *row = array(p, "vote.row"), *column = array(p, "row.column");

    switch (d) {
    case ROW_OUT: row[7] = (uint32_t)v->rows; break;
    case ROW_EARLY: row[0] = 1; break;
    case ROW_UNUSED:
        for (size_t k = 0; k < v->n; k++)
            if (row[k] == v->rows - 1) row[k] = 0;
        break;
    case START_FIRST: v->start[0] = 1; break;
    case START_BACK: v->start[8] = v->start[7] - 1; break;
    case START_END: v->start[v->rows]--; break;
    case COLUMN_OUT: f->columns = column[3] + BELOW; break;
    case COLUMN_SAME: column[v->start[3] + 1] = column[v->start[3]]; break;
    case VALUE_INF: v->value[3] = -1e308 * 10; break;
    case VALUE_ZERO: v->value[3] = 0; break;
    case PAIRS: f->pairs = false; break;
    case SHOWN: f->shown = v->vote[199].at - 1; break;
    default: break;
    }
}

TEST(damage_is_refused)
{
    static struct t_updates t;
    const struct env e = plain();

    draw_for_file(1, T_NATIVE, &t);
    assert_int_equal(t.n, 200);
    for (int d = 0; d <= DAMAGES; d++) { /* the last one is none */
        struct votes v = made_of(&t, true), back;
        struct votes_frame f = frame_of(T_NATIVE, &t);
        struct tensors file;
        perc_error err = { 0 };
        tensors_init(&file, &e);
        assert_int_equal(votes_pack(&v, &f, &file), PERC_OK);
        damage_updates((enum damage)d, &t, &file);
        damage_rows((enum damage)d, &v, &file, &f);
        assert_int_equal(tensors_write(&file, path, &err), PERC_OK);
        const perc_status st = read_back(&e, &f, &back, &err);
        assert_int_equal(st, d < DAMAGES ? PERC_EDATA : PERC_OK);
        if (d < DAMAGES && strstr(err.text, said[d]) == NULL)
            fail_msg("damage %d: '%s' instead of '%s'", d, err.text, said[d]);
        votes_free(&back);
        tensors_free(&file);
        v.start[0] = 0;
        votes_free(&v);
    }
}

/* Against the rest, an example may have several updates, but in order and not for one
 * vector twice. */
TEST(updates_of_one_example)
{
    static struct t_updates t;
    const struct env e = plain();

    draw_for_file(2, T_REST, &t);
    for (int d = 0; d < 2; d++) {
        struct votes v = made_of(&t, true), back;
        const struct votes_frame f = frame_of(T_REST, &t);
        struct tensors file;
        perc_error err = { 0 };
        size_t k = 1;
        while (v.vote[k].at != v.vote[k - 1].at) k++;
        tensors_init(&file, &e);
        assert_int_equal(votes_pack(&v, &f, &file), PERC_OK);
        uint32_t *up = array(&file, "vote.up");
        if (d == 0) up[k - 1] = up[k];
        else up[k - 1] = 2, up[k] = 1;
        assert_int_equal(tensors_write(&file, path, &err), PERC_OK);
        assert_int_equal(read_back(&e, &f, &back, &err), PERC_EDATA);
        assert_non_null(strstr(err.text, "is a second update"));
        tensors_free(&file);
        votes_free(&v);
    }
}

/* Each array left out, of another type, or of another length. */
TEST(arrays_are_all_there)
{
    static struct t_updates t;
    const struct env e = plain();

    draw_for_file(3, T_NATIVE, &t);
    struct votes v = made_of(&t, true), back;
    const struct votes_frame f = frame_of(T_NATIVE, &t);
    for (size_t i = 0; i < 8; i++) {
        for (int d = 0; d < 4; d++) {
            struct tensors file;
            perc_error err = { 0 };
            tensors_init(&file, &e);
            assert_int_equal(votes_pack(&v, &f, &file), PERC_OK);
            assert_int_equal(file.n, 8);
            struct tensor *one = &file.tensor[i];
            const char *names[] = { "other", "vote.", "row." };
            if (d == 0) strcpy(one->name, names[0]);
            if (d == 1) one->type = tensors_dtype_size(one->type) == 8 ? DTYPE_U32 : DTYPE_F32;
            if (d == 2) one->shape[0] = --one->count;
            if (d == 3) one->shape[one->dims++] = 1;
            assert_int_equal(tensors_write(&file, path, &err), PERC_OK);
            assert_int_equal(read_back(&e, &f, &back, &err), PERC_EDATA);
            assert_true(strstr(err.text, names[1]) != NULL || strstr(err.text, names[2]) != NULL);
            assert_null(back.vote);
            tensors_free(&file);
        }
    }
    votes_free(&v);
}

TEST(files_survive_lack_of_memory)
{
    static struct t_updates t;
    struct t_alloc a = { .fail_at = -1 };
    const perc_env env = { t_alloc, &a, 1 };
    const struct env e = env_resolve(&env);
    perc_status st;

    draw_for_file(4, T_REST, &t);
    struct votes v = made_of(&t, true), back;
    const struct votes_frame f = frame_of(T_REST, &t);
    for (long n = 0;; n++) {
        struct tensors file;
        t_alloc_again(&a, n);
        tensors_init(&file, &e);
        st = votes_pack(&v, &f, &file);
        if (!st) st = tensors_write(&file, path, NULL);
        assert_int_equal(st, a.failed ? PERC_ENOMEM : PERC_OK);
        tensors_free(&file);
        t_alloc_holds(&a, 0);
        if (!a.failed) break;
    }
    for (long n = 0;; n++) {
        perc_error err = { 0 };
        t_alloc_again(&a, n);
        st = read_back(&e, &f, &back, &err);
        if (!st) break;
        assert_int_equal(err.status, PERC_ENOMEM);
        assert_null(back.start);
        t_alloc_holds(&a, 0);
    }
    assert_same(&v, &back);
    votes_free(&back);
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
