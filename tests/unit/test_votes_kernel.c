/* test_votes_kernel.c -- the updates of a kernel machine: each knows its example, and in a
 * file there are what they come to beside them. test_votes_file.c has what every file has. */
#include <math.h>

#include "machine/expansion.h"
#include "t.h"
#include "t_alloc.h"
#include "t_hostile.h"

#include "t_votes_same.h"

static const char path[] = "file";

enum { VECTORS = 3, BELOW = 1 };

/* Votes of examples with numbers of their own, some of which take back what they did: the
 * same vector, or pair of them, moved again at the same time. Column 0 is not used. */
static struct votes draw(uint64_t seed, enum t_votes_kind kind, double density, struct t_updates *t)
{
    struct rng r = rng_seed(seed, 3);

    t_votes_draw(&r, kind, kind == T_TWO ? 1 : VECTORS, 50, density, t);
    for (size_t k = 0; k < t->n; k++) {
        t->u[k].x[0] = 0;
        t->u[k].step /= 3;
        if (k % 11 != 10) continue;
        const int64_t at = t->u[k].at;
        t->u[k] = t->u[k - 1];
        if (kind == T_NATIVE) {
            t->u[k].up = t->u[k - 1].down;
            t->u[k].down = t->u[k - 1].up;
        } else {
            t->u[k].step = -t->u[k].step;
        }
        if (k % 22 != 10) t->u[k].at = at;
    }
    struct votes v = made_of(t, true);
    for (size_t k = 0; k < v.n; k++)
        v.vote[k].example = k % 11 == 10 ? v.vote[k - 1].example : 1000 - (int64_t)k;
    return v;
}

static struct votes_frame frame_of(enum t_votes_kind kind, const struct t_updates *t)
{
    return (struct votes_frame){ .vectors = kind == T_TWO ? 1 : VECTORS,
                                 .pairs = kind == T_NATIVE,
                                 .kernel = true,
                                 .columns = T_COLUMNS,
                                 .below = BELOW,
                                 .shown = t->shown };
}

/* A file in the making. */
struct file {
    struct tensors t;
    struct votes tidy; /* what was packed: rows are numbered as in the file */
};

static void file_free(struct file *f)
{
    tensors_free(&f->t);
    votes_free(&f->tidy);
}

static perc_status pack(const struct env *e, const struct votes *v, const struct votes_frame *f,
                        const struct moment *m, struct file *out)
{
    *out = (struct file){ 0 };
    tensors_init(&out->t, e);
    perc_status st = votes_tidy(e, v, &out->tidy);
    if (!st) st = votes_pack(&out->tidy, f, &out->t);
    if (!st) st = expansion_pack(&out->tidy, m, f->vectors, f->vectors == 1, &out->t);
    return st;
}

static perc_status read_back(const struct env *e, const struct votes_frame *f,
                             const struct moment *m, const struct tensors *t, struct votes *out,
                             perc_error *err)
{
    votes_init(out, e);
    perc_status st = votes_unpack(out, f, t, err);
    if (!st) {
        st = expansion_compare(out, m, f->vectors, f->vectors == 1, t, err);
        if (st) votes_free(out);
    }
    return st;
}

static perc_status load(const struct env *e, const struct votes_frame *f, const struct moment *m,
                        struct votes *out, perc_error *err)
{
    const struct env p = env_resolve(NULL);
    struct tensors t;

    assert_int_equal(tensors_read(&p, path, &t, err), PERC_OK);
    const perc_status st = read_back(e, f, m, &t, out, err);
    tensors_free(&t);
    return st;
}

struct asked {
    struct votes_frame f;
    struct moment m;
};

static perc_status unpack(void *ud, struct tensors *t, perc_error *err)
{
    const struct asked *a = ud;
    const struct env e = env_resolve(NULL);
    struct votes back;
    const perc_status st = read_back(&e, &a->f, &a->m, t, &back, err);

    assert_true(!st || back.vote == NULL);
    votes_free(&back);
    return st;
}

static bool has(const struct tensors *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->tensor[i].name, name) == 0) return true;
    return false;
}

static size_t bytes_of(const struct tensors *t, const char *begin)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (strncmp(t->tensor[i].name, begin, strlen(begin)) == 0)
            n += t->tensor[i].count * tensors_dtype_size(t->tensor[i].type);
    return n;
}

/* ----- what was written is read ------------------------------------------------------------ */

TEST(files_give_back_what_was_written)
{
    static struct t_updates t;
    const struct env e = env_resolve(NULL);
    int dense = 0;

    for (uint64_t seed = 0; seed < 18; seed++) {
        const enum t_votes_kind kind = (enum t_votes_kind)(seed % 3);
        const double density = seed % 2 != 0 ? 0.95 : seed % 4 == 0 ? 0.3 : 0.55;
        struct votes v = draw(seed, kind, density, &t), back;
        struct votes_frame f = frame_of(kind, &t);
        if (seed > 15) v.n = 0; /* then no row is named */
        const struct moment m = { v.n - (v.n > 9 ? seed : 0), seed % 4 == 0 ? t.shown : 0 };
        struct file one, again;
        f.below = seed % 4 > 1;
        assert_int_equal(pack(&e, &v, &f, &m, &one), PERC_OK);
        assert_true(has(&one.t, "vote.example") && has(&one.t, "counter"));
        assert_true(has(&one.t, "row.dense") != has(&one.t, "row.start"));
        dense += has(&one.t, "row.dense");
        /* What it costs is no more than either way would. */
        const size_t rows = one.tidy.rows, entries = one.tidy.entries;
        const size_t cells = rows * (T_COLUMNS - f.below);
        assert_true(bytes_of(&one.t, "row.") <= 8 * (rows + 1) + 12 * entries);
        if (rows > 0) assert_true(bytes_of(&one.t, "row.") <= 8 * cells);
        assert_int_equal(tensors_write(&one.t, path, NULL), PERC_OK);
        assert_int_equal(load(&e, &f, &m, &back, NULL), PERC_OK);
        assert_same(&one.tidy, &back);
        assert_int_equal(pack(&e, &back, &f, &m, &again), PERC_OK);
        assert_int_equal(again.t.n, one.t.n);
        for (size_t i = 0; i < one.t.n; i++) {
            const struct tensor *x = &one.t.tensor[i], *y = &again.t.tensor[i];
            assert_string_equal(x->name, y->name);
            assert_int_equal(x->count, y->count);
            if (x->count > 0)
                assert_memory_equal(x->data, y->data, x->count * tensors_dtype_size(x->type));
        }
        file_free(&one);
        file_free(&again);
        votes_free(&back);
        votes_free(&v);
    }
    assert_int_equal(dense, 8);
}

/* Without a kernel nothing of it is in the file. */
TEST(linear_files_have_no_more_than_before)
{
    static struct t_updates t;
    const struct env e = env_resolve(NULL);
    struct votes v = draw(1, T_TWO, 0.95, &t);
    struct votes_frame f = frame_of(T_TWO, &t);
    struct tensors file;

    f.kernel = false;
    tensors_init(&file, &e);
    assert_int_equal(votes_pack(&v, &f, &file), PERC_OK);
    assert_int_equal(file.n, 8);
    assert_false(has(&file, "vote.example") || has(&file, "row.dense"));
    tensors_free(&file);
    votes_free(&v);
}

/* ----- examples stay with their updates ---------------------------------------------------- */

TEST(examples_survive)
{
    static struct t_updates t;
    const struct env e = env_resolve(NULL);
    struct votes v = draw(2, T_REST, 0.4, &t), copy, tidy;

    assert_int_equal(votes_copy(&e, &v, &copy), PERC_OK);
    assert_same(&v, &copy);
    assert_int_equal(votes_tidy(&e, &v, &tidy), PERC_OK);
    assert_same(&v, &tidy);
    votes_drop(&copy, VECTORS - 1); /* rows that only that one had are gone */
    assert_true(copy.rows <= v.rows && copy.n < v.n);
    for (size_t k = 0, n = 0; k < v.n; k++) {
        if (v.vote[k].up == VECTORS - 1) continue;
        assert_int_equal(copy.vote[n].at, v.vote[k].at);
        assert_int_equal(copy.vote[n++].example, v.vote[k].example);
    }
    votes_free(&copy);
    votes_free(&tidy);
    votes_free(&v);
}

/* A class that is met takes over what the unseen one has learned, and from whom. */
TEST(copies_know_their_examples)
{
    static struct t_updates t;
    struct rng r = rng_seed(8, 3);

    t_votes_draw(&r, T_REST, VECTORS, 50, 0.4, &t);
    struct votes v = made_of(&t, true);
    for (size_t k = 0; k < v.n; k++) v.vote[k].example = 5000 - v.vote[k].at;
    const size_t had = v.n;
    assert_int_equal(votes_reserve(&v, 0, v.n), PERC_OK);
    votes_insert(&v, 0, VECTORS - 1);
    assert_true(v.n > had);
    for (size_t k = 0; k < v.n; k++) assert_int_equal(v.vote[k].example, 5000 - v.vote[k].at);
    votes_free(&v);
}

/* ----- damage ------------------------------------------------------------------------------ */

static struct tensor *named(struct tensors *t, const char *name)
{
    size_t i = 0;

    while (strcmp(t->tensor[i].name, name) != 0) i++;
    return &t->tensor[i];
}

/* An array that was packed, to be changed. */
static void *data(struct tensors *t, const char *name)
{
    return (void *)(uintptr_t)named(t, name)->data;
}

TEST(damage_is_refused)
{
    static struct t_updates t;
    const struct env e = env_resolve(NULL);
    struct votes v = draw(1, T_NATIVE, 0.95, &t);
    struct asked a = { frame_of(T_NATIVE, &t), { v.n, 0 } };
    struct file one;

    assert_int_equal(pack(&e, &v, &a.f, &a.m, &one), PERC_OK);
    const size_t rows = one.tidy.rows, features = T_COLUMNS - BELOW;
    const char *cell = t_text("row.dense[%zu]", features + 2);
    const int64_t *at = data(&one.t, "vote.at"), *counter = data(&one.t, "counter");
    const struct hostile list[] = {
        { AS_IT_IS, NULL, NULL, NULL },
        { ELEMENT, "vote.example[7]", "-1", "vote.example[7] is not the number of an example" },
        { ELEMENT, "vote.example[7]", "9007199254740993", "is not the number of an example" },
        { GONE, "vote.example", NULL, "'vote.example' is missing" },
        { SHORTER, "vote.example", NULL, "'vote.example' must be I64 of shape [200]" },
        { TYPE, "vote.example", "U64", "'vote.example' must be I64" },
        { ELEMENT, "vote.at[7]", t_text("%lld", (long long)at[6] - 1), "vote.at[7] is less" },
        { ELEMENT, "vote.step[7]", "-1", "vote.step[7] is negative" },
        { ELEMENT, cell, "nan", "row.dense[1, 2] is not a finite" },
        { ELEMENT, cell, "-inf", "row.dense[1, 2] is not a finite" },
        { ELEMENT, cell, "-0.0", "row.dense[1, 2] is -0" },
        { SHAPE, "row.dense", t_text("%zu", rows * features),
          "'row.dense' must be F64 of shape [.., 23]" },
        { TYPE, "row.dense", "I64", "'row.dense' must be F64 of shape [.., 23]" },
        { SHORTER, "row.dense", NULL, "is not one of the rows" },
        { BYTES, "row.dense", "0", "would be smaller" },
        { ELEMENT, "vote.row[7]", t_text("%zu", rows), "vote.row[7] is not one" },
        { ELEMENT, "coefficient[4]",
          t_text("%a", nextafter(((double *)data(&one.t, "coefficient"))[4], 9)),
          "coefficient[4] is not what" },
        { ELEMENT, "coefficient[4]", "nan", "coefficient[1, 1] is not a finite" },
        { GONE, "coefficient", NULL, "'coefficient' is missing" },
        { SHAPE, "coefficient", t_text("%zu", rows * VECTORS),
          "'coefficient' must be F64 of shape [" },
        { TYPE, "coefficient", "I64", "'coefficient' must be F64 of shape [" },
        { SHORTER, "coefficient", NULL, "'coefficient' must be F64 of shape [" },
        { NARROWER, "coefficient", NULL, "'coefficient' must be F64 of shape [" },
        { ELEMENT, "counter[4]", t_text("%lld", (long long)counter[4] + 1),
          "counter[4] is not the number" },
        { GONE, "counter", NULL, "'counter' is missing" },
        { TYPE, "counter", "U64", "'counter' must be I64 of shape [" },
        { SHORTER, "counter", NULL, "'counter' must be I64 of shape [" },
    };
    static const struct hostile narrow = { AS_IT_IS, NULL, NULL,
                                           "'row.dense' must be F64 of shape [.., 22]" };
    static const struct hostile unused = { AS_IT_IS, NULL, NULL,
                                           "begins a row that no update names" };

    t_refuses(&one.t, unpack, &a, list, COUNT(list));
    a.f.columns--;
    t_refuses(&one.t, unpack, &a, &narrow, 1);
    a.f.columns++;
    uint32_t *row = data(&one.t, "vote.row");
    for (size_t k = 0; k < one.tidy.n; k++)
        if (row[k] == rows - 1) row[k] = 0;
    t_refuses(&one.t, unpack, &a, &unused, 1);
    file_free(&one);
    votes_free(&v);
}

/* Rows without their zeros where those with them are smaller: not what is written. */
TEST(the_larger_form_is_refused)
{
    static const struct hostile larger = { AS_IT_IS, NULL, NULL, "'row.dense' is missing" };
    static struct t_updates t;
    const struct env e = env_resolve(NULL);
    struct votes v = draw(1, T_TWO, 0.95, &t);
    struct asked a = { frame_of(T_TWO, &t), { v.n, 0 } };
    struct file one;

    a.f.columns = 100000; /* as long as there are so many features, zeros are left out */
    assert_int_equal(pack(&e, &v, &a.f, &a.m, &one), PERC_OK);
    assert_true(has(&one.t, "row.start"));
    a.f.columns = T_COLUMNS;
    t_refuses(&one.t, unpack, &a, &larger, 1);
    file_free(&one);
    votes_free(&v);
}

/* Steps that add up to more than there is. */
TEST(sums_that_overflow_are_refused)
{
    static const struct hostile sum = { AS_IT_IS, NULL, NULL, "is not a finite number" };
    static struct t_updates t;
    const struct env e = env_resolve(NULL);
    struct votes v = draw(1, T_TWO, 0.4, &t);
    struct asked a = { frame_of(T_TWO, &t), { v.n, t.shown } };
    struct file one;

    v.vote[5].step = 1e308;
    assert_int_equal(pack(&e, &v, &a.f, &a.m, &one), PERC_OK);
    t_refuses(&one.t, unpack, &a, &sum, 1);
    file_free(&one);
    votes_free(&v);
}

TEST(files_survive_lack_of_memory)
{
    static struct t_updates t;

    for (int dense = 0; dense < 2; dense++) {
        struct votes v = draw(4, T_REST, dense ? 0.95 : 0.3, &t), back;
        const struct votes_frame f = frame_of(T_REST, &t);
        const struct moment m = { v.n, t.shown };
        for (struct t_sweep s = { .least = 3 }; t_sweep_next(&s);) {
            const struct env e = env_resolve(&s.env);
            struct file one;
            perc_status st = pack(&e, &v, &f, &m, &one);
            if (!st) st = tensors_write(&one.t, path, NULL);
            file_free(&one);
            t_sweep_judge(&s, st);
        }
        for (struct t_sweep s = { .least = 3 }; t_sweep_next(&s);) {
            const struct env e = env_resolve(&s.env);
            perc_error err = { 0 };
            const perc_status st = load(&e, &f, &m, &back, &err);
            assert_int_equal(err.status, st);
            if (!st) assert_same(&v, &back);
            votes_free(&back);
            t_sweep_judge(&s, st);
        }
        votes_free(&v);
    }
}
