/* test_lens.c -- the promises of src/data/lens.h, and a data set's map on its way. */
#include <math.h>

#include "data/lens.h"
#include "data/read.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

static struct t_alloc heap = { .fail_at = -1 };
static const struct env env = { .alloc = t_alloc, .ud = &heap, .threads = 1 };
static const perc_env user = { t_alloc, &heap, 1 };

static struct block dense(const double *x, size_t rows, size_t cols, uint64_t first)
{
    return (struct block){ .rows = rows,
                           .first_line = 100,
                           .values = VALUES_F64,
                           .indices = INDEX_DENSE,
                           .value = x,
                           .first = first,
                           .width = cols,
                           .columns = first + cols,
                           .stride = sizeof(double),
                           .row_stride = (ptrdiff_t)(cols * sizeof(double)) };
}

static struct map poly(unsigned degree, unsigned bits, uint64_t first, uint64_t inputs)
{
    return (struct map){ .degree = degree, .bits = bits, .first = first, .inputs = inputs };
}

/* ----- rows ------------------------------------------------------------------------------ */

TEST(without_a_map_rows_pass)
{
    const double x[6] = { 1, 0, 2, 3, 4, 1e300 };
    const struct block b = dense(x, 2, 3, 1);
    const struct map none = { 0 };
    const struct map *const maps[] = { NULL, &none };

    for (size_t k = 0; k < 2; k++) {
        struct lens l;

        t_alloc_again(&heap, 0); /* no memory is wanted */
        lens_init(&l, &env, maps[k]);
        assert_int_equal(lens_reserve(&l, &b, NULL), PERC_OK);
        for (size_t i = 0; i < 2; i++) {
            const struct row r = lens_row(&l, &b, i), s = lens_image(&l, &r);
            assert_ptr_equal(r.value, x + 3 * i);
            assert_ptr_equal(s.value, r.value);
            assert_int_equal(r.n, 3);
            assert_int_equal(r.first, 1);
            assert_int_equal(s.indices, INDEX_DENSE);
            assert_int_equal(lens_reserve_row(&l, &r, 1, NULL), PERC_OK);
        }
        lens_free(&l);
        assert_int_equal(heap.calls, 0);
    }
    t_alloc_again(&heap, -1);
}

/* Rows of growing length, through one lens, are what map_row makes of them. */
TEST(rows_are_their_images)
{
    enum { ROWS = 40, COLS = 10, ROOM = 4096 };
    static uint32_t column[ROOM];
    static double value[ROOM], x[ROWS * COLS];
    struct rng g = rng_seed(3, 0);

    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++)
            x[i * COLS + j] = rng_below(&g, ROWS) < i ? rng_uniform(&g) - 0.5 : 0;
    for (unsigned bits = 0; bits <= 10; bits += 5) {
        const struct map m = poly(3, bits, 1, COLS + 1);
        const struct block b = dense(x, ROWS, COLS, 1);
        struct lens l;

        lens_init(&l, &env, &m);
        assert_int_equal(lens_reserve(&l, &b, NULL), PERC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            const struct row raw = block_row(&b, i);
            const struct row r = i % 2 == 0 ? lens_row(&l, &b, i) : lens_image(&l, &raw);

            assert_int_equal(r.n, map_row(&m, &raw, column, value));
            for (size_t k = 0; k < r.n; k++) {
                const double v = row_value(&r, k);
                assert_int_equal(row_column(&r, k), column[k]);
                assert_true(k == 0 || row_column(&r, k) > row_column(&r, k - 1));
                assert_memory_equal(&v, &value[k], sizeof v);
            }
        }
        lens_free(&l);
        t_alloc_holds(&heap, 0);
    }
}

/* The map may get more features while a lens looks through it, as on a stream. */
TEST(maps_may_grow)
{
    const double x[4] = { 2, 3, 5, 7 };
    struct block b = dense(x, 1, 4, 1);
    struct map m = { .degree = 2 };
    struct lens l;

    lens_init(&l, &env, &m);
    for (uint64_t n = 0; n <= 4; n++) {
        assert_int_equal(map_set_inputs(&m, 1, n + 1, NULL), PERC_OK);
        assert_int_equal(lens_reserve(&l, &b, NULL), PERC_OK);
        const struct row r = lens_row(&l, &b, 0);
        assert_int_equal(r.n, (n + 1) * (n + 2) / 2 - 1);
        if (n > 0) assert_true(row_value(&r, r.n - 1) == x[n - 1] * x[n - 1]);
    }
    lens_free(&l);
    t_alloc_holds(&heap, 0);
}

/* ----- refusals --------------------------------------------------------------------------- */

/* 23169 features have 2^28 products of two and some; a thousand of them stored as 0 cost
 * nothing. */
TEST(rows_too_long_are_named)
{
    enum { COLS = 23169 };
    static double x[2 * COLS];
    const struct block b = dense(x, 2, COLS, 0);
    const struct map m = poly(2, 0, 0, COLS);
    perc_error err = { 0 };
    struct lens l;

    x[5] = 1;
    for (size_t j = 0; j < COLS; j++) x[COLS + j] = 1;
    lens_init(&l, &env, &m);
    assert_int_equal(lens_reserve(&l, &b, &err), PERC_EDATA);
    assert_int_equal(err.line, 101);
    assert_non_null(strstr(err.text, "23169 features have more than 268435456 products"));
    for (size_t j = 0; j < 1000; j++) x[COLS + 7 * j] = 0;
    t_alloc_again(&heap, 0);
    assert_int_equal(lens_reserve(&l, &b, &err), PERC_ENOMEM); /* wanted: 246 million */
    t_alloc_again(&heap, -1);
    lens_free(&l);
    t_alloc_holds(&heap, 0);
}

/* A power that is still a number passes, the next is refused, by line and feature. A
 * sum of buckets has more terms, and a lower limit. */
TEST(products_stay_finite)
{
    static const struct {
        double x;
        unsigned degree, bits;
        perc_status st;
    } at[] = {
        { 0x1p511, 2, 0, PERC_OK },     { 0x1p512, 2, 0, PERC_EDATA },
        { -0x1p512, 2, 0, PERC_EDATA }, { 0x1p127, 8, 0, PERC_OK },
        { 0x1p128, 8, 0, PERC_EDATA },  { 0x1p510, 2, 4, PERC_OK },
        { 0x1p511, 2, 4, PERC_EDATA },  { 1e-300, 8, 0, PERC_OK },
    };

    for (size_t k = 0; k < COUNT(at); k++) {
        const double x[4] = { 1, 1, 1, at[k].x };
        const struct block b = dense(x, 2, 2, 1);
        const struct map m = poly(at[k].degree, at[k].bits, 1, 3);
        perc_error err = { 0 };
        struct lens l;

        lens_init(&l, &env, &m);
        assert_int_equal(lens_reserve(&l, &b, &err), at[k].st);
        if (at[k].st == PERC_OK) {
            const struct row r = lens_row(&l, &b, 1);
            for (size_t i = 0; i < r.n; i++) assert_true(isfinite(row_value(&r, i)));
        } else {
            assert_int_equal(err.line, 101);
            assert_non_null(strstr(err.text, "feature 2 is too large"));
        }
        lens_free(&l);
    }
    t_alloc_holds(&heap, 0);
}

/* Index 0 where the features were counted from 1; a stored zero there is nothing. */
TEST(columns_below_the_first)
{
    double x[2] = { 0, 1 };
    const struct row r = { x, NULL, 2, 0, sizeof *x, VALUES_F64, INDEX_DENSE, 0 };
    const struct map m = poly(2, 0, 1, 2);
    perc_error err = { 0 };
    struct lens l;

    lens_init(&l, &env, &m);
    assert_int_equal(lens_reserve_row(&l, &r, 7, NULL), PERC_OK);
    assert_int_equal(lens_image(&l, &r).n, 2);
    x[0] = 1;
    assert_int_equal(lens_reserve_row(&l, &r, 7, &err), PERC_EDATA);
    assert_int_equal(err.line, 7);
    assert_non_null(strstr(err.text, "--index 0"));
    lens_free(&l);
    t_alloc_holds(&heap, 0);
}

TEST(memory_runs_out)
{
    const double x[3] = { 1, 2, 3 };
    const struct block b = dense(x, 1, 3, 0);
    struct map m = poly(2, 0, 0, 3);
    long n = 0;

    for (perc_status st = PERC_ENOMEM; st != PERC_OK; n++) {
        struct lens l;

        m.inputs = 1;
        lens_init(&l, &env, &m);
        assert_int_equal(lens_reserve(&l, &b, NULL), PERC_OK); /* a smaller one is there */
        m.inputs = 3;
        t_alloc_again(&heap, n);
        st = lens_reserve(&l, &b, NULL);
        t_alloc_again(&heap, -1);
        assert_true(st == PERC_OK || st == PERC_ENOMEM);
        if (st == PERC_OK) assert_int_equal(lens_row(&l, &b, 0).n, 9);
        m.inputs = 1; /* after a failure the lens is as it was */
        assert_int_equal(lens_row(&l, &b, 0).n, 2);
        lens_free(&l);
        t_alloc_holds(&heap, 0);
    }
    assert_int_equal(n, 3); /* two pieces, each failed once, and success */
}

/* ----- data sets ---------------------------------------------------------------------------- */

static perc_status read_set(const char *path, const char *map, perc_dataset **out, perc_error *err)
{
    perc_params *p;
    perc_status st;

    assert_int_equal(perc_params_new(&user, "data", &p, NULL), PERC_OK);
    assert_int_equal(perc_params_set(p, "map", map, NULL), PERC_OK);
    st = perc_dataset_read(&user, path, p, out, err);
    perc_params_free(p);
    return st;
}

TEST(data_sets_carry_their_map)
{
    perc_dataset *ds, *rest, *held;
    perc_error err = { 0 };

    assert_int_equal(t_put("f.svm", "1 1:1 4:2\n-1 2:3\n1 3:1\n-1 1:2\n"), 0);
    assert_int_equal(read_set("f.svm", "poly:2", &ds, &err), PERC_OK);
    assert_int_equal(ds->map.degree, 2);
    assert_int_equal(ds->map.first, 1);
    assert_int_equal(ds->map.inputs, 5);
    assert_int_equal(ds->nonzeros, 5); /* nothing is stored */
    assert_int_equal(perc_dataset_split(ds, 0.5, 1, &rest, &held, &err), PERC_OK);
    assert_memory_equal(&rest->map, &ds->map, sizeof ds->map);
    assert_memory_equal(&held->map, &ds->map, sizeof ds->map);
    static const char *const format[] = { "libsvm", "csv", "blocks" };
    for (int i = 0; i < 3; i++) {
        assert_refused(perc_dataset_write(ds, "out", format[i], &err), PERC_EARG, &err, "--map");
    }
    t_free(rest, held, ds);
    assert_int_equal(read_set("f.svm", "poly", &ds, &err), PERC_EARG);
    assert_null(ds);
    assert_int_equal(t_put("wide.svm", "1 1:1 1000000:2\n-1 2:3\n"), 0);
    assert_refused(read_set("wide.svm", "poly:2", &ds, &err), PERC_EARG, &err,
                   "features out of 1,000,000");
    t_alloc_holds(&heap, 0);
}

/* Data for a model get its map; to ask for another one is an error. */
TEST(models_bring_their_map)
{
    const struct map m = poly(2, 0, 1, 3);
    const struct transform t = { .e = env };
    static const struct {
        const char *ask;
        bool has;
        perc_status st;
    } at[] = {
        { NULL, true, PERC_OK },        { NULL, false, PERC_OK },    { "poly:2", true, PERC_OK },
        { "poly:3", true, PERC_EARG },  { "none", true, PERC_EARG }, { "none", false, PERC_OK },
        { "poly:2", false, PERC_EARG }, { "x", true, PERC_EARG },
    };

    for (size_t k = 0; k < COUNT(at); k++) {
        const struct reader_model asks = { .index_base = 1, .map = at[k].has ? &m : NULL };
        perc_params *p;
        perc_dataset *ds;

        assert_int_equal(perc_params_new(&user, "data", &p, NULL), PERC_OK);
        if (at[k].ask != NULL) perc_params_set(p, "map", at[k].ask, NULL);
        assert_int_equal(read_dataset_for(&env, ":xor", p, &asks, &t, NULL, 3, &ds, NULL),
                         at[k].st);
        if (at[k].st == PERC_OK) assert_int_equal(ds->map.degree, at[k].has ? 2 : 0);
        t_free(ds, p);
        t_alloc_holds(&heap, 0);
    }
}
