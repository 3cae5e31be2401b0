/* test_votes_kernel.c -- the updates of a kernel machine: each knows its example, and in a
 * file there are what they come to beside them. test_votes_file.c has what every file has. */
#include <math.h>

#include "machine/expansion.h"
#include "t.h"
#include "t_alloc.h"

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
                             const struct moment *m, struct votes *out, perc_error *err)
{
    const struct env p = plain();
    struct tensors t;

    assert_int_equal(tensors_read(&p, path, &t, err), PERC_OK);
    votes_init(out, e);
    perc_status st = votes_unpack(out, f, &t, err);
    if (!st) {
        st = expansion_compare(out, m, f->vectors, f->vectors == 1, &t, err);
        if (st) votes_free(out);
    }
    tensors_free(&t);
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
    const struct env e = plain();
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
        assert_int_equal(read_back(&e, &f, &m, &back, NULL), PERC_OK);
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
    const struct env e = plain();
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
    const struct env e = plain();
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

enum damage {
    EXAMPLE_NEGATIVE,
    EXAMPLE_GONE,
    EXAMPLE_SHORT,
    EXAMPLE_TYPE,
    AT_BACK,
    STEP_NEGATIVE,
    DENSE_NAN,
    DENSE_INF,
    DENSE_MINUS_ZERO,
    DENSE_COLUMNS,
    DENSE_FLAT,
    DENSE_TYPE,
    DENSE_UNUSED,
    DENSE_ROWS,
    DENSE_EMPTY,
    ROW_OUT,
    SUM_OFF,
    SUM_NAN,
    SUM_GONE,
    SUM_FLAT,
    SUM_TYPE,
    SUM_SHORT,
    SUM_WIDE,
    COUNTER_OFF,
    COUNTER_GONE,
    COUNTER_TYPE,
    COUNTER_SHORT,
    DAMAGES
};

static const char *const said[DAMAGES] = {
    [EXAMPLE_NEGATIVE] = "vote.example[7] is negative",
    [EXAMPLE_GONE] = "'vote.example' is missing",
    [EXAMPLE_SHORT] = "'vote.example' must be I64 of shape [200]",
    [EXAMPLE_TYPE] = "'vote.example' must be I64",
    [AT_BACK] = "vote.at[7] is less",
    [STEP_NEGATIVE] = "vote.step[7] is negative",
    [DENSE_NAN] = "row.dense[1, 2] is not a finite",
    [DENSE_INF] = "row.dense[1, 2] is not a finite",
    [DENSE_MINUS_ZERO] = "row.dense[1, 2] is -0",
    [DENSE_COLUMNS] = "'row.dense' must be F64 of shape [.., 22]",
    [DENSE_FLAT] = "'row.dense' must be F64 of shape [.., 23]",
    [DENSE_TYPE] = "'row.dense' must be F64 of shape [.., 23]",
    [DENSE_UNUSED] = "begins a row that no update names",
    [DENSE_ROWS] = "is not one of the rows",
    [DENSE_EMPTY] = "would be smaller",
    [ROW_OUT] = "vote.row[7] is not one",
    [SUM_OFF] = "coefficient[4] is not what",
    [SUM_NAN] = "coefficient[1, 1] is not a finite",
    [SUM_GONE] = "'coefficient' is missing",
    [SUM_FLAT] = "'coefficient' must be F64 of shape [",
    [SUM_TYPE] = "'coefficient' must be F64 of shape [",
    [SUM_SHORT] = "'coefficient' must be F64 of shape [",
    [SUM_WIDE] = "'coefficient' must be F64 of shape [",
    [COUNTER_OFF] = "counter[4] is not the number",
    [COUNTER_GONE] = "'counter' is missing",
    [COUNTER_TYPE] = "'counter' must be I64 of shape [",
    [COUNTER_SHORT] = "'counter' must be I64 of shape [",
};

static struct tensor *named(struct tensors *t, const char *name)
{
    size_t i = 0;

    while (strcmp(t->tensor[i].name, name) != 0) i++;
    return &t->tensor[i];
}

static void reshape(struct tensor *one, int dims, uint64_t n0, uint64_t n1)
{
    one->dims = dims;
    one->shape[0] = n0;
    one->shape[1] = n1;
    one->count = dims == 1 ? n0 : n0 * n1;
}

/* An array that was packed, to be changed. */
static void *data(struct tensors *t, const char *name)
{
    return (void *)(uintptr_t)named(t, name)->data;
}

static void damage_votes(enum damage d, struct file *x)
{
    const uint64_t rows = x->tidy.rows, features = T_COLUMNS - BELOW;
    struct tensor *dense = named(&x->t, "row.dense"), *example = named(&x->t, "vote.example");
    double *cells = data(&x->t, "row.dense"), *cell = cells + features + 2;
    uint32_t *row = data(&x->t, "vote.row");
    int64_t *at = data(&x->t, "vote.at");

    switch (d) {
    case EXAMPLE_NEGATIVE: ((int64_t *)data(&x->t, "vote.example"))[7] = -1; break;
    case EXAMPLE_GONE: strcpy(example->name, "other"); break;
    case EXAMPLE_SHORT: reshape(example, 1, x->tidy.n - 1, 0); break;
    case EXAMPLE_TYPE: example->type = DTYPE_U64; break;
    case AT_BACK: at[7] = at[6] - 1; break;
    case STEP_NEGATIVE: ((double *)data(&x->t, "vote.step"))[7] = -1; break;
    case DENSE_NAN: *cell = NAN; break;
    case DENSE_INF: *cell = -INFINITY; break;
    case DENSE_MINUS_ZERO: *cell = -0.0; break;
    case DENSE_FLAT: reshape(dense, 1, rows * features, 0); break;
    case DENSE_TYPE: dense->type = DTYPE_I64; break;
    case DENSE_UNUSED:
        for (size_t k = 0; k < x->tidy.n; k++)
            if (row[k] == rows - 1) row[k] = 0;
        break;
    case DENSE_ROWS: reshape(dense, 2, rows - 1, features); break;
    case DENSE_EMPTY: memset(cells, 0, rows * features * sizeof *cell); break;
    case ROW_OUT: row[7] = (uint32_t)rows; break;
    default: break;
    }
}

static void damage_sums(enum damage d, struct file *x)
{
    const uint64_t rows = x->tidy.rows;
    struct tensor *sum = named(&x->t, "coefficient"), *counter = named(&x->t, "counter");
    double *cell = (double *)data(&x->t, "coefficient") + 4;

    switch (d) {
    case SUM_OFF: *cell = nextafter(*cell, 9); break;
    case SUM_NAN: *cell = NAN; break;
    case SUM_GONE: strcpy(sum->name, "other"); break;
    case SUM_FLAT: reshape(sum, 1, rows * VECTORS, 0); break;
    case SUM_TYPE: sum->type = DTYPE_I64; break;
    case SUM_SHORT: reshape(sum, 2, rows - 1, VECTORS); break;
    case SUM_WIDE: reshape(sum, 2, rows, VECTORS - 1); break;
    case COUNTER_OFF: ((int64_t *)data(&x->t, "counter"))[4]++; break;
    case COUNTER_GONE: strcpy(counter->name, "other"); break;
    case COUNTER_TYPE: counter->type = DTYPE_U64; break;
    case COUNTER_SHORT: reshape(counter, 1, rows - 1, 0); break;
    default: break;
    }
}

TEST(damage_is_refused)
{
    static struct t_updates t;
    const struct env e = plain();
    struct votes v = draw(1, T_NATIVE, 0.95, &t), back;
    const struct moment m = { v.n, 0 };

    for (int d = 0; d <= DAMAGES; d++) { /* the last one is none */
        struct votes_frame f = frame_of(T_NATIVE, &t);
        struct file one;
        perc_error err = { 0 };
        assert_int_equal(pack(&e, &v, &f, &m, &one), PERC_OK);
        damage_votes((enum damage)d, &one);
        damage_sums((enum damage)d, &one);
        if (d == DENSE_COLUMNS) f.columns--;
        assert_int_equal(tensors_write(&one.t, path, &err), PERC_OK);
        const perc_status st = read_back(&e, &f, &m, &back, &err);
        assert_int_equal(st, d < DAMAGES ? PERC_EDATA : PERC_OK);
        if (d < DAMAGES && strstr(err.text, said[d]) == NULL)
            fail_msg("damage %d: '%s' instead of '%s'", d, err.text, said[d]);
        if (d < DAMAGES) assert_null(back.vote);
        votes_free(&back);
        file_free(&one);
    }
    votes_free(&v);
}

/* Rows without their zeros where those with them are smaller: not what is written. */
TEST(the_larger_form_is_refused)
{
    static struct t_updates t;
    const struct env e = plain();
    struct votes v = draw(1, T_TWO, 0.95, &t), back;
    struct votes_frame f = frame_of(T_TWO, &t);
    const struct moment m = { v.n, 0 };
    struct file one;
    perc_error err = { 0 };

    f.columns = 100000; /* as long as there are so many features, zeros are left out */
    assert_int_equal(pack(&e, &v, &f, &m, &one), PERC_OK);
    assert_true(has(&one.t, "row.start"));
    assert_int_equal(tensors_write(&one.t, path, &err), PERC_OK);
    f.columns = T_COLUMNS;
    assert_int_equal(read_back(&e, &f, &m, &back, &err), PERC_EDATA);
    assert_non_null(strstr(err.text, "'row.dense' is missing"));
    file_free(&one);
    votes_free(&v);
}

/* Steps that add up to more than there is. */
TEST(sums_that_overflow_are_refused)
{
    static struct t_updates t;
    const struct env e = plain();
    struct votes v = draw(1, T_TWO, 0.4, &t), back;
    const struct votes_frame f = frame_of(T_TWO, &t);
    const struct moment m = { v.n, t.shown };
    struct file one;
    perc_error err = { 0 };

    v.vote[5].step = 1e308;
    assert_int_equal(pack(&e, &v, &f, &m, &one), PERC_OK);
    assert_int_equal(tensors_write(&one.t, path, &err), PERC_OK);
    assert_int_equal(read_back(&e, &f, &m, &back, &err), PERC_EDATA);
    assert_non_null(strstr(err.text, "is not a finite number"));
    file_free(&one);
    votes_free(&v);
}

TEST(files_survive_lack_of_memory)
{
    static struct t_updates t;
    struct t_alloc a = { .fail_at = -1 };
    const perc_env env = { t_alloc, &a, 1 };
    const struct env e = env_resolve(&env);
    perc_status st;

    for (int dense = 0; dense < 2; dense++) {
        struct votes v = draw(4, T_REST, dense ? 0.95 : 0.3, &t), back;
        const struct votes_frame f = frame_of(T_REST, &t);
        const struct moment m = { v.n, t.shown };
        for (long n = 0;; n++) {
            struct file one;
            t_alloc_again(&a, n);
            st = pack(&e, &v, &f, &m, &one);
            if (!st) st = tensors_write(&one.t, path, NULL);
            assert_int_equal(st, a.failed ? PERC_ENOMEM : PERC_OK);
            file_free(&one);
            t_alloc_holds(&a, 0);
            if (!a.failed) break;
        }
        for (long n = 0;; n++) {
            perc_error err = { 0 };
            t_alloc_again(&a, n);
            st = read_back(&e, &f, &m, &back, &err);
            if (!st) break;
            assert_int_equal(err.status, PERC_ENOMEM);
            t_alloc_holds(&a, 0);
        }
        assert_same(&v, &back);
        votes_free(&back);
        votes_free(&v);
    }
}
