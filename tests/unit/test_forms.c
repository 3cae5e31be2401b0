/* test_forms.c -- one data set in many forms, one model.
 *
 * Text with or without its zeros, counted from 0 or from 1, CSV, a block file, a
 * caller's dense matrix with any strides, sparse arrays with 32- or 64-bit indices,
 * doubles or floats, read by one thread or eight: the rows are the same, so the
 * model must be, to the bit; and where the form is no part of the model, the model
 * file to the byte. (Peers fail this: a sparse copy may get another offset.) */
#include <math.h>

#include "t.h"
#include "t_dir.h"
#include "t_make.h"

static const char *const how[] = {
    "order=file epochs=6",
    "order=shuffle epochs=6 seed=2",
    "order=shuffle epochs=6 seed=3 init=random rate=0.3",
    "order=file epochs=6 offset=false init=unit",
};
enum { RUNS = COUNT(how) };

/* Two data sets give the same machines; or the same model files, with `file`. */
static void same_models(perc_dataset *a, perc_dataset *b, bool file)
{
    for (int k = 0; k < RUNS; k++) {
        perc_report r;
        perc_model *ma = t_fit(a, how[k], &r), *mb = t_fit(b, how[k], NULL);
        assert_true(r.updates > 10); /* guard */
        if (file) t_assert_same_file(ma, mb);
        else t_assert_same_machine(ma, mb);
        t_free(ma, mb);
    }
    t_free(a, b);
}

/* About a third of the entries; the last column is used. */
static struct t_data sparse_reals(size_t rows, size_t cols, uint64_t seed)
{
    struct t_data d = t_noise(rows, cols, T_REAL, 0.3, seed);

    d.x[cols - 1] = -0.7;
    return d;
}

/* ----- a caller's arrays ---------------------------------------------------------------- */

TEST(borrowed_dense_and_sparse_arrays_give_the_same_bytes)
{
    static const perc_number type[] = { PERC_I32, PERC_I64 };

    for (int weighted = 0; weighted < 2; weighted++) {
        struct t_data d = sparse_reals(90, 17, 1);
        struct t_csr c = t_csr_new(&d);
        if (weighted) t_weigh(&d, 1);
        for (int k = 0; k < 4; k++)
            same_models(t_borrow(&d), t_borrow_csr(&d, &c, type[k % 2], type[k / 2]), true);
        t_free(&c, &d);
    }
}

static perc_dataset *strided(const struct t_data *d, const void *values, perc_number type,
                             ptrdiff_t row, ptrdiff_t column)
{
    const perc_dense x = { values, type, d->rows, d->cols, row, column };
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_borrow_dense(NULL, &x, d->y, NULL, &ds, &err)) fail_msg("%s", err.text);
    return ds;
}

TEST(strides_do_not_matter)
{
    enum { ROWS = 50, COLS = 300, PAD = 3 }; /* longer than a decoded piece */
    struct t_data d = sparse_reals(ROWS, COLS, 2);
    const ptrdiff_t one = sizeof(double);
    double *padded = calloc(ROWS * (COLS + PAD) * 2, sizeof *padded);
    double *columns = calloc(ROWS * COLS, sizeof *columns);
    double *backward = calloc(ROWS * COLS, sizeof *backward);

    assert_true(padded != NULL && columns != NULL && backward != NULL);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLS; j++) {
            const double v = d.x[i * COLS + j];
            padded[(i * (COLS + PAD) + j) * 2] = v;
            padded[(i * (COLS + PAD) + j) * 2 + 1] = NAN; /* not to be looked at */
            columns[j * ROWS + i] = v;
            backward[(ROWS - 1 - i) * COLS + COLS - 1 - j] = v;
        }
    }
    same_models(t_borrow(&d), strided(&d, padded, PERC_F64, 2 * (COLS + PAD) * one, 2 * one), true);
    same_models(t_borrow(&d), strided(&d, columns, PERC_F64, one, ROWS * one), true);
    same_models(t_borrow(&d), strided(&d, backward + ROWS * COLS - 1, PERC_F64, -COLS * one, -one),
                true);
    free(padded);
    free(columns);
    free(backward);
    t_data_free(&d);
}

TEST(floats_are_the_doubles_they_stand_for)
{
    enum { ROWS = 60, COLS = 9 };
    struct t_data d = sparse_reals(ROWS, COLS, 3);
    struct t_csr c = t_csr_new(&d);
    float dense[ROWS * COLS], value[ROWS * COLS];
    perc_error err = { 0 };
    perc_dataset *ds;

    for (size_t i = 0; i < ROWS * COLS; i++) {
        dense[i] = (float)d.x[i];
        d.x[i] = (double)dense[i];
    }
    same_models(t_borrow(&d), strided(&d, dense, PERC_F32, sizeof(float) * COLS, sizeof(float)),
                true);
    for (int32_t k = 0; k < c.start32[ROWS]; k++) value[k] = (float)c.value[k];
    const perc_csr x = {
        value, PERC_F32, c.index64, c.start64, PERC_I64, PERC_I64, d.rows, d.cols
    };
    if (perc_dataset_borrow_csr(NULL, &x, d.y, NULL, &ds, &err)) fail_msg("%s", err.text);
    same_models(t_borrow(&d), ds, true);
    t_free(&c, &d);
}

TEST(values_left_out_are_ones)
{
    struct t_data d = sparse_reals(80, 15, 4);
    perc_error err = { 0 };
    perc_dataset *ds;

    for (size_t i = 0; i < d.rows * d.cols; i++) d.x[i] = d.x[i] != 0;
    struct t_csr c = t_csr_new(&d);
    const perc_csr x = { NULL, PERC_F64, c.index32, c.start32, PERC_I32, PERC_I32, d.rows, d.cols };
    if (perc_dataset_borrow_csr(NULL, &x, d.y, NULL, &ds, &err)) fail_msg("%s", err.text);
    same_models(t_borrow(&d), ds, true);
    t_free(&c, &d);
}

/* A data set is made of blocks; these are rows for two. */
TEST(more_rows_than_a_block_holds_change_nothing)
{
    struct t_data d = t_noise((1 << 16) + 777, 3, T_WHOLE, 0.5, 12);
    struct t_csr c = t_csr_new(&d);
    perc_report r;

    t_write(&d, "long.svm", 0, true, "-1", "1");
    perc_dataset *ds[] = { t_borrow(&d), t_borrow_csr(&d, &c, PERC_I32, PERC_I32),
                           t_borrow_csr(&d, &c, PERC_I64, PERC_I64), t_read("long.svm", "") };
    perc_model *first = t_fit(ds[0], "epochs=2 seed=4", &r);
    assert_true(r.updates > 1000); /* guard */
    for (int k = 1; k < 4; k++) {
        perc_model *m = t_fit(ds[k], "epochs=2 seed=4", NULL);
        t_assert_same_file(first, m);
        perc_model_free(m);
    }
    perc_model_free(first);
    for (int k = 0; k < 4; k++) perc_dataset_free(ds[k]);
    t_free(&c, &d);
}

/* ----- files ---------------------------------------------------------------------------- */

TEST(text_gives_the_model_of_the_matrix)
{
    struct t_data d = sparse_reals(90, 17, 5);

    t_write(&d, "dense.svm", 1, true, "-1", "1");
    t_write(&d, "sparse.svm", 1, false, "-1", "1");
    t_write(&d, "zero.svm", 0, false, "-1", "1");
    t_write_csv(&d, "table.csv", "-1", "1");
    same_models(t_read("dense.svm", ""), t_read("sparse.svm", ""), true);
    same_models(t_read("sparse.svm", ""), t_read("zero.svm", "index=0"), false);
    same_models(t_borrow(&d), t_read("zero.svm", "index=0"), true);
    same_models(t_borrow(&d), t_read("table.csv", ""), false);
    t_data_free(&d);
}

TEST(weights_of_a_table_are_those_of_the_array)
{
    struct t_data d = sparse_reals(90, 7, 6);

    t_weigh(&d, 6);
    t_write_csv(&d, "table.csv", "-1", "1");
    same_models(t_borrow(&d), t_read("table.csv", "weight=weight"), false);
    t_data_free(&d);
}

/* Short decimals, small whole numbers and ones are packed more tightly than reals. */
TEST(packed_values_are_the_values)
{
    static const char *const storage[] = { "decimal32", "u8", "ones" };

    for (int kind = 0; kind < 3; kind++) {
        struct t_data d = sparse_reals(90, 60, 7);
        for (size_t i = 0; i < d.rows * d.cols; i++) {
            if (d.x[i] == 0) continue;
            d.x[i] = kind == 0   ? rint(d.x[i] * 1e4) / 1e4
                     : kind == 1 ? rint(fabs(d.x[i]) * 200)
                                 : 1;
        }
        t_write(&d, "packed.svm", 0, false, "-1", "1");
        perc_dataset *ds = t_read("packed.svm", "index=0");
        perc_dataset_info info;
        perc_dataset_info_get(ds, &info);
        assert_string_equal(info.storage, storage[kind]); /* guard */
        same_models(t_borrow(&d), ds, true);
        t_data_free(&d);
    }
}

/* Reading with float32 rounds the values, and nothing but the values. */
TEST(float32_is_rounding_first)
{
    struct t_data d = sparse_reals(90, 17, 8), e = t_copy(&d);

    for (size_t i = 0; i < e.rows * e.cols; i++) e.x[i] = (double)(float)e.x[i];
    t_write(&d, "reals.svm", 0, false, "-1", "1");
    same_models(t_borrow(&e), t_read("reals.svm", "index=0 float32=true"), true);
    t_free(&d, &e);
}

TEST(a_block_file_gives_the_model_of_the_text)
{
    static const char *const scale[] = { "", "scale=standard", "scale=unit", "float32=true" };

    for (int k = 0; k < 8; k++) {
        struct t_data d = sparse_reals(90, 17, 9);
        perc_error err = { 0 };
        if (k / 4) t_write_csv(&d, "text", "no", "yes");
        else t_write(&d, "text", 1, false, "-1", "1");
        perc_dataset *ds = t_read("text", k % 4 == 3 ? "float32=true" : "");
        if (perc_dataset_write(ds, "blocks", "blocks", &err)) fail_msg("%s", err.text);
        perc_dataset_free(ds);
        same_models(t_read("text", scale[k % 4]), t_read("blocks", k % 4 == 3 ? "" : scale[k % 4]),
                    true);
        t_data_free(&d);
    }
}

TEST(text_written_again_gives_the_same_model)
{
    struct t_data d = sparse_reals(90, 17, 10);
    perc_error err = { 0 };

    t_write(&d, "first.svm", 1, false, "-1", "1");
    perc_dataset *ds = t_read("first.svm", "");
    if (perc_dataset_write(ds, "second.svm", "libsvm", &err)) fail_msg("%s", err.text);
    perc_dataset_free(ds);
    same_models(t_read("first.svm", ""), t_read("second.svm", ""), true);
    t_data_free(&d);
}

/* ----- threads -------------------------------------------------------------------------- */

static perc_model *fit_with(int threads, const char *path, const char *data, perc_report *report)
{
    perc_dataset *ds = t_read_on(threads, path, data);
    perc_model *m = t_fit_on(threads, ds, "epochs=3", report);

    perc_dataset_free(ds);
    return m;
}

/* Enough text for several chunks, so that the threads all have something to do. */
TEST(threads_do_not_matter)
{
    static const char *const scale[] = { "", "scale=standard", "scale=maxabs" };
    static const int threads[] = { 2, 3, 8 };
    struct t_data d = t_noise(2600, 80, T_REAL, 0.9, 11);

    t_write(&d, "many.svm", 1, false, "-1", "1");
    t_write_csv(&d, "many.csv", "no", "yes");
    for (int k = 0; k < 6; k++) {
        const char *path = k / 3 ? "many.csv" : "many.svm";
        perc_report one, more;
        perc_model *a = fit_with(1, path, scale[k % 3], &one);
        assert_true(one.bytes > 3 << 20); /* guard: more than three chunks */
        for (int t = 0; t < 3; t++) {
            perc_model *b = fit_with(threads[t], path, scale[k % 3], &more);
            t_assert_same_file(a, b);
            assert_true(t_same_bits(one.loss, more.loss));
            assert_true(t_same_bits(one.radius, more.radius));
            assert_int_equal(one.training_errors, more.training_errors);
            perc_model_free(b);
        }
        perc_model_free(a);
    }
    t_data_free(&d);
}
