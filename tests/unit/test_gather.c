/* test_gather.c -- the rows that a second thread brings together are those of the order.
 *
 * Sparse and dense rows in several encodings, with and without weights, in any order,
 * some of them often: what comes out, row by row, is what lies in the blocks. A pass may
 * end anywhere and another begin. */
#include "data/dataset.h"
#include "data/gather.h"
#include "learn/fit.h"
#include "t.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

enum { ROWS = 3000 };

static struct env env_of(int threads)
{
    return env_resolve(&(perc_env){ .threads = threads });
}

static void assert_same_row(const struct block *a, size_t i, const struct block *b, size_t j)
{
    const struct row x = block_row(a, i), y = block_row(b, j);

    assert_int_equal(x.n, y.n);
    for (size_t k = 0; k < x.n; k++) {
        assert_int_equal(row_column(&x, k), row_column(&y, k));
        assert_true(t_same_bits(row_value(&x, k), row_value(&y, k)));
    }
    assert_int_equal(a->label[i], b->label[j]);
    assert_true(block_weight(a, i) == block_weight(b, j));
}

/* A random order with repetitions, and the rows in it, up to `stop` of them. */
static void check_pass(struct gather *g, const perc_dataset *ds, uint64_t seed, uint64_t stop)
{
    struct rng r = rng_seed(seed, 5);
    uint64_t *ref = malloc(ROWS * sizeof *ref), seen = 0;
    const struct block *b;

    assert_non_null(ref);
    for (uint64_t k = 0; k < ROWS; k++) {
        const size_t block = (size_t)rng_below(&r, ds->blocks);
        ref[k] = ref_make(block, rng_below(&r, ds->block[block].rows));
    }
    assert_true(gather_begin(g, ref, ROWS));
    while (seen < stop && (b = gather_next(g)) != NULL) {
        assert_true(b->rows > 0);
        for (size_t i = 0; i < b->rows && seen < ROWS; i++, seen++)
            assert_same_row(b, i, &ds->block[ref[seen] >> 32], (size_t)(ref[seen] & UINT32_MAX));
    }
    if (stop >= ROWS) {
        assert_int_equal(seen, ROWS);
        assert_null(gather_next(g));
    }
    gather_end(g);
    free(ref);
}

static void check_set(const perc_dataset *ds)
{
    const struct env e = env_of(2);
    struct gather *g;

    assert_int_equal(gather_new(&e, ds->block, ds->blocks, 0, &g), PERC_OK);
    assert_non_null(g);
    for (uint64_t k = 0; k < 6; k++) check_pass(g, ds, k, k % 2 ? ROWS / 3 * (k - 1) : ROWS);
    gather_free(g);
}

TEST(rows_come_in_the_order_of_the_pass)
{
    for (int k = 0; k < 8; k++) {
        struct t_data d = t_noise(700, 90, k & 1 ? T_WHOLE : T_REAL, k & 2 ? 0.3 : 1, (uint64_t)k);
        struct t_csr c = t_csr_new(&d);
        if (k & 4) t_weigh(&d, 3);
        perc_dataset *dense = t_borrow(&d);
        perc_dataset *sparse = t_borrow_csr(&d, &c, PERC_I32, k & 1 ? PERC_I64 : PERC_I32);
        check_set(dense);
        check_set(sparse);
        t_free(dense, sparse, &c, &d);
    }
}

/* As a reader stores them: short decimals, ones, empty rows among them. */
TEST(rows_of_a_file_too)
{
    static const char *const text[] = { "1 1:0.5 7:2.25 9:-1\n-1\n1 2:3\n-1 3:0.125\n",
                                        "1 1:1 4:1\n-1 70000:1\n1\n-1 2:1 3:1\n" };

    for (int k = 0; k < 2; k++) {
        assert_int_equal(t_put("rows.svm", text[k]), 0);
        perc_dataset *ds = t_read("rows.svm", "format=libsvm");
        check_set(ds);
        perc_dataset_free(ds);
    }
}

/* Where it would not pay there is none. */
TEST(one_thread_or_few_rows_need_none)
{
    struct t_data d = t_noise(50, 9, T_REAL, 1, 1);
    perc_dataset *ds = t_borrow(&d);
    const struct env one = env_of(1), more = env_of(2);
    struct gather *g;

    assert_int_equal(gather_new(&one, ds->block, ds->blocks, 0, &g), PERC_OK);
    assert_null(g);
    assert_int_equal(gather_new(&more, ds->block, ds->blocks, GATHER_WORTH, &g), PERC_OK);
    assert_null(g);
    t_free(ds, &d);
}

/* A set that is large enough: any number of threads gives the same model. */
TEST(training_does_not_notice)
{
    static const char *const how[] = { "algorithm=averaged epochs=3",
                                       "algorithm=pa1 epochs=2 updates=9000" };

    for (int k = 0; k < 2; k++) {
        struct t_data d = t_noise(9000, 130, T_REAL, 1, 4);
        perc_dataset *ds = t_borrow(&d);
        const struct env e = env_of(2);
        struct gather *g;
        perc_model *m[2];
        assert_int_equal(gather_new(&e, ds->block, ds->blocks, GATHER_WORTH, &g), PERC_OK);
        assert_non_null(g); /* guard: it is used below */
        gather_free(g);
        for (int t = 0; t < 2; t++) {
            const perc_env env = { .threads = t + 1 };
            perc_params *p = t_params("perceptron", how[k]);
            assert_int_equal(perc_fit(&env, ds, p, NULL, &m[t], NULL, NULL), PERC_OK);
            perc_params_free(p);
        }
        t_assert_same_file(m[0], m[1]);
        t_free(m[0], m[1], ds, &d);
    }
}
