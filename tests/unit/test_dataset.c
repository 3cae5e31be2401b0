/* test_dataset.c -- blocks that hold every value exactly, data sets made of them, and
 * a caller's own arrays as a data set. */
#include <math.h>

#include "data/dataset.h"
#include "data/slabs.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

/* ----- blocks from rows ------------------------------------------------------------- */

/* Rows from text: "column=value" entries, rows parted by ';'. */
static void make_rows(struct rows *r, const char *text)
{
    const struct env e = env_resolve(NULL);
    uint32_t line = 0, label;
    char *end;

    rows_init(r, &e);
    assert_int_equal(labels_add(&r->labels, "a", 1, &label, NULL), PERC_OK);
    for (const char *s = text; *s != '\0';) {
        assert_true(rows_reserve(r, 1, 1));
        if (*s == ';') {
            rows_end(r, label, 1, line++);
            s++;
        } else if (*s == ' ') {
            s++;
        } else {
            const uint32_t column = (uint32_t)strtoul(s, &end, 10);
            const double v = strtod(end + 1, &end);
            rows_put(r, column, v);
            s = end;
        }
    }
    assert_true(rows_reserve(r, 1, 0));
    rows_end(r, label, 1, line);
}

/* Every entry of the rows is in the block, and whatever else is there is zero. */
static void holds(const struct block *b, const struct rows *r, bool float32)
{
    assert_int_equal(b->rows, r->n);
    assert_int_equal(b->nonzeros, r->entries);
    for (size_t i = 0; i < r->n; i++) {
        const struct row x = block_row(b, i);
        size_t k = (size_t)r->start[i];
        for (size_t j = 0; j < x.n; j++) {
            const double v = row_value(&x, j);
            if (k == r->start[i + 1] || r->index[k] != row_column(&x, j)) {
                assert_true(v == 0 && b->indices == INDEX_DENSE);
                continue;
            }
            double want = r->packed ? decimal_unpack(r->dec[k]) : r->value[k];
            if (float32) want = (double)(float)want;
            if (memcmp(&v, &want, sizeof v) != 0) fail_msg("%a is not %a", v, want);
            assert_true(row_column(&x, j) < b->columns);
            k++;
        }
        assert_int_equal(k, r->start[i + 1]);
        assert_int_equal(b->label[i], r->label[i]);
        assert_int_equal(block_line(b, i), r->line[i] + 1);
        assert_true(block_weight(b, i) == r->weight[i]);
    }
}

TEST(the_narrowest_lossless_encoding_is_chosen)
{
    static const struct {
        const char *rows;
        int values, indices;
    } cases[] = {
        { "1=1 900=1; 5=1", VALUES_ONES, INDEX_U16 },
        { "1=1 65535=1", VALUES_ONES, INDEX_U16 },
        { "1=1 65536=1", VALUES_ONES, INDEX_U32 },
        { "1=1 4294967295=1", VALUES_ONES, INDEX_U32 },
        { "1=1 900=0", VALUES_U8, INDEX_U16 },
        { "1=1 900=255", VALUES_U8, INDEX_U16 },
        { "1=1 900=256", VALUES_DEC, INDEX_U16 },
        { "1=1 900=16777215", VALUES_DEC, INDEX_U16 },
        { "1=1 900=16777216", VALUES_F32, INDEX_U16 }, /* 2^24: a float             */
        { "1=1 900=16777217", VALUES_F64, INDEX_U16 },
        { "1=1 900=-1", VALUES_F32, INDEX_U16 },
        { "1=1 900=-0", VALUES_F32, INDEX_U16 }, /* a byte has no -0          */
        { "1=0.5 900=-1.25", VALUES_F32, INDEX_U16 },
        { "1=0.1 900=1", VALUES_F64, INDEX_U16 },
        { "1=1e300 900=1", VALUES_F64, INDEX_U16 },
        { "1=1 2=1 3=1; 1=1 2=1 3=1", VALUES_U8, INDEX_DENSE },
        { "7=1 8=0.5; 7=3", VALUES_F32, INDEX_DENSE },
        { "1000000=5; 1000000=6", VALUES_U8, INDEX_DENSE },
        { ";;", VALUES_ONES, INDEX_U16 },
        { "", VALUES_ONES, INDEX_U16 },
    };
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rows r;
        struct block b;
        make_rows(&r, cases[i].rows);
        assert_int_equal(block_from_rows(&e, NULL, &r, false, &b), PERC_OK);
        if (b.values != cases[i].values || b.indices != cases[i].indices)
            fail_msg("%s: values %d, indices %d", cases[i].rows, b.values, b.indices);
        holds(&b, &r, false);
        block_free(&b);
        rows_free(&r);
    }
}

/* Spark, for one, writes its ones as 1.0. */
TEST(the_form_of_a_number_does_not_widen_it)
{
    static const struct {
        uint32_t packed[2];
        int values;
    } cases[] = {
        { { 10 | 1u << 24, 100 | 2u << 24 }, VALUES_ONES },          /* 1.0 1.00   */
        { { 10 | 1u << 24, 2550 | 1u << 24 }, VALUES_U8 },           /* 1.0 255.0  */
        { { 10 | 1u << 24, 2560 | 1u << 24 }, VALUES_DEC },          /* 1.0 256.0  */
        { { 10 | 1u << 24, 25 | 1u << 24 }, VALUES_DEC },            /* 1.0 2.5    */
        { { 10 | 1u << 24, 10 | 1u << 24 | 1u << 29 }, VALUES_DEC }, /* 1.0 -1.0   */
        { { 10 | 1u << 24, 0 | 1u << 29 }, VALUES_DEC },             /* 1.0 -0     */
        { { 0, 0 | 5u << 24 }, VALUES_U8 },                          /* 0 0.00000  */
    };
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < COUNT(cases); i++)
        for (int unpack = 0; unpack < 2; unpack++) {
            struct rows r;
            struct block b;
            make_rows(&r, "");
            assert_true(rows_reserve(&r, 1, 2));
            rows_put_decimal(&r, 3, cases[i].packed[0]);
            rows_put_decimal(&r, 900, cases[i].packed[1]);
            if (unpack) rows_unpack(&r); /* as doubles: -1 and 2.5 are floats */
            rows_end(&r, 0, 1, 1);
            assert_int_equal(block_from_rows(&e, NULL, &r, false, &b), PERC_OK);
            const int want = cases[i].values == VALUES_DEC && unpack ? VALUES_F32 : cases[i].values;
            assert_int_equal(b.values, want);
            holds(&b, &r, false);
            block_free(&b);
            rows_free(&r);
        }
}

/* Random rows of one kind of value each, sparse and dense, in all arrays. */
TEST(every_value_comes_back_exactly)
{
    const struct env e = env_resolve(NULL);
    struct rng g = rng_seed(1, 0);
    struct slabs *slabs;

    assert_int_equal(slabs_new(&e, &slabs), PERC_OK);
    for (int round = 0; round < 400; round++) {
        const bool float32 = round % 9 == 8, weighted = round % 4 == 0, gaps = round % 3 == 0;
        const uint64_t step = round % 2 == 0 ? 1 : 1 + rng_below(&g, 300);
        struct rows r;
        struct block b;
        rows_init(&r, &e);
        uint32_t line = (uint32_t)rng_below(&g, 5);
        for (uint64_t n = 1 + rng_below(&g, 40); n > 0; n--) {
            const size_t entries = (size_t)rng_below(&g, 30);
            uint64_t column = rng_below(&g, 1 + step);
            assert_true(rows_reserve(&r, 1, entries));
            for (size_t k = 0; k < entries; k++, column += 1 + rng_below(&g, step)) {
                const uint32_t m = (uint32_t)rng_below(&g, 1 << 24);
                const uint32_t packed = decimal_pack(m, m % 23, m % 2 == 1), j = (uint32_t)column;
                switch (round % 5) {
                case 0: rows_put(&r, j, 1); break;
                case 1: rows_put(&r, j, (double)(m % 256)); break;
                case 2: rows_put_decimal(&r, j, packed); break;
                case 3: rows_put(&r, j, (double)(float)rng_normal(&g)); break;
                default: rows_put(&r, j, rng_normal(&g)); break;
                }
            }
            rows_end(&r, (uint32_t)rng_below(&g, 3), weighted ? rng_uniform(&g) : 1, line);
            line += gaps ? 1 + (uint32_t)n % 3 : 1;
        }
        assert_int_equal(block_from_rows(&e, round % 2 ? slabs : NULL, &r, float32, &b), PERC_OK);
        assert_int_equal(b.weight != NULL, r.weighted);
        assert_true((uintptr_t)b.label % 4 == 0 && (uintptr_t)b.value % 8 == 0);
        holds(&b, &r, float32);
        block_free(&b);
        rows_free(&r);
    }
    slabs_free(slabs);
}

/* ----- borrowed: dense ------------------------------------------------------------------ */

/* Row i, column j of the matrix that is handed over in many ways. */
static double element(uint64_t i, uint64_t j)
{
    return (double)(((i * 31 + j * 17) % 41)) / 8 - 2;
}

enum { ROWS = 5, COLUMNS = 4 };
static const double labels[ROWS] = { 1, -1, 1, 0.5, -1 };
static const double weights[ROWS] = { 1, 2, 0, 0.25, 3 };

static void check_set(const perc_dataset *ds, bool weighted, bool dense)
{
    static const char *const names[] = { "-1", "0.5", "1" };
    static const int number[ROWS] = { 2, 0, 2, 1, 0 };
    perc_dataset_info info;
    double x[COLUMNS];

    perc_dataset_info_get(ds, &info);
    assert_int_equal(info.rows, ROWS);
    assert_int_equal(info.features, COLUMNS);
    assert_int_equal(info.index_base, 0);
    assert_int_equal(info.dense, dense);
    assert_int_equal(info.labels, 3);
    assert_string_equal(info.format, "memory");
    assert_string_equal(info.note, "");
    assert_true(info.memory < ROWS * COLUMNS * sizeof(float)); /* labels and weights only */
    for (size_t i = 0; i < 3; i++) assert_string_equal(perc_dataset_label(ds, i), names[i]);
    assert_null(perc_dataset_label(ds, 3));
    assert_null(perc_dataset_feature(ds, 0));
    for (uint64_t i = 0; i < ROWS; i++) {
        assert_int_equal(perc_dataset_row_label(ds, i), number[i]);
        assert_true(perc_dataset_row_weight(ds, i) == (weighted ? weights[i] : 1));
        assert_int_equal(perc_dataset_row_line(ds, i), i + 1);
        perc_dataset_row(ds, i, x);
        for (uint64_t j = 0; j < COLUMNS; j++) assert_true(x[j] == element(i, j));
    }
    assert_int_equal(perc_dataset_row_label(ds, ROWS), -1); /* there is no such row */
    assert_int_equal(perc_dataset_row_line(ds, ROWS), 0);
    assert_true(perc_dataset_row_weight(ds, ROWS) == 0);
    perc_dataset_row(ds, ROWS, x);
    for (uint64_t j = 0; j < COLUMNS; j++) assert_true(x[j] == 0);
}

TEST(dense_arrays_are_read_in_place_with_any_strides)
{
    static const struct {
        ptrdiff_t row, column; /* in elements */
    } layouts[] = { { COLUMNS, 1 }, { 1, ROWS }, { 7, 1 }, { 14, 3 }, { -COLUMNS, 1 }, { 9, -2 } };
    static float f32[400];
    static double f64[400];

    for (size_t k = 0; k < COUNT(layouts); k++)
        for (int wide = 0; wide < 2; wide++)
            for (int weighted = 0; weighted < 2; weighted++) {
                const ptrdiff_t row = layouts[k].row, column = layouts[k].column;
                const ptrdiff_t size = wide ? 8 : 4;
                for (ptrdiff_t i = 0; i < 400; i++) f32[i] = NAN, f64[i] = (double)NAN;
                for (ptrdiff_t i = 0; i < ROWS; i++)
                    for (ptrdiff_t j = 0; j < COLUMNS; j++) {
                        const double v = element((uint64_t)i, (uint64_t)j);
                        f64[200 + i * row + j * column] = v;
                        f32[200 + i * row + j * column] = (float)v;
                    }
                const perc_dense x = { wide ? (void *)(f64 + 200) : (void *)(f32 + 200),
                                       wide ? PERC_F64 : PERC_F32,
                                       ROWS,
                                       COLUMNS,
                                       row * size,
                                       column * size };
                perc_dataset *ds;
                perc_error err = { 0 };
                if (perc_dataset_borrow_dense(NULL, &x, labels, weighted ? weights : NULL, &ds,
                                              &err))
                    fail_msg("%s", err.text);
                check_set(ds, weighted, true);
                f64[200] = 77; /* it is the caller's array, not a copy */
                f32[200] = 77;
                double first[COLUMNS];
                perc_dataset_row(ds, 0, first);
                assert_true(first[0] == 77);
                perc_dataset_free(ds);
            }
}

/* ----- borrowed: sparse ------------------------------------------------------------------- */

/* The same matrix by rows, without its zeros, after 3 entries that are not used. */
struct csr {
    double f64[64];
    float f32[64];
    int32_t i32[64], start32[ROWS + 1];
    int64_t i64[64], start64[ROWS + 1];
};

static void make_csr(struct csr *c)
{
    int n = 3;

    memset(c, 0xff, sizeof *c); /* NaN and -1: whoever reads them is caught */
    for (uint64_t i = 0; i < ROWS; i++) {
        c->start32[i] = n;
        for (uint64_t j = 0; j < COLUMNS; j++) {
            if (element(i, j) == 0) continue;
            c->f64[n] = element(i, j);
            c->f32[n] = (float)element(i, j);
            c->i32[n] = (int32_t)j;
            c->i64[n++] = (int64_t)j;
        }
    }
    c->start32[ROWS] = n;
    for (int i = 0; i <= ROWS; i++) c->start64[i] = c->start32[i];
}

static perc_csr csr_of(struct csr *c, bool v64, bool i64, bool s64)
{
    return (perc_csr){ v64 ? (void *)c->f64 : (void *)c->f32,
                       v64 ? PERC_F64 : PERC_F32,
                       i64 ? (void *)c->i64 : (void *)c->i32,
                       s64 ? (void *)c->start64 : (void *)c->start32,
                       i64 ? PERC_I64 : PERC_I32,
                       s64 ? PERC_I64 : PERC_I32,
                       ROWS,
                       COLUMNS };
}

TEST(sparse_arrays_are_read_in_place_for_all_types)
{
    struct csr c;

    make_csr(&c);
    for (int k = 0; k < 8; k++) {
        const perc_csr x = csr_of(&c, k & 1, k & 2, k & 4);
        perc_dataset *ds;
        perc_error err = { 0 };
        if (perc_dataset_borrow_csr(NULL, &x, labels, weights, &ds, &err)) fail_msg("%s", err.text);
        check_set(ds, true, false);
        perc_dataset_free(ds);
    }
    perc_csr ones = csr_of(&c, true, false, true); /* no values: all are 1 */
    perc_dataset *ds;
    perc_dataset_info info;
    double x[COLUMNS];
    ones.values = NULL;
    assert_int_equal(perc_dataset_borrow_csr(NULL, &ones, labels, NULL, &ds, NULL), PERC_OK);
    perc_dataset_info_get(ds, &info);
    assert_string_equal(info.storage, "ones");
    for (uint64_t i = 0; i < ROWS; i++) {
        perc_dataset_row(ds, i, x);
        for (uint64_t j = 0; j < COLUMNS; j++) assert_true(x[j] == (element(i, j) != 0));
    }
    perc_dataset_free(ds);
}

/* More rows than fit one block. */
TEST(large_arrays_become_several_blocks)
{
    enum { N = 200000, WIDE = 2 };
    double *values = malloc(N * WIDE * sizeof *values), *y = malloc(N * sizeof *y);
    int32_t *start = malloc((N + 1) * sizeof *start), *index = malloc(N * WIDE * sizeof *index);
    const perc_dense dense = { values, PERC_F64, N, WIDE, WIDE * 8, 8 };
    const perc_csr csr = { values, PERC_F64, index, start, PERC_I32, PERC_I32, N, WIDE };
    perc_dataset *ds;
    double x[WIDE];

    assert_true(values != NULL && y != NULL && start != NULL && index != NULL);
    for (int i = 0; i < N; i++) {
        y[i] = i % 7;
        start[i] = i * WIDE;
        for (int j = 0; j < WIDE; j++) {
            values[i * WIDE + j] = i + j * 0.5;
            index[i * WIDE + j] = j;
        }
    }
    start[N] = N * WIDE;
    for (int sparse = 0; sparse < 2; sparse++) {
        assert_int_equal(sparse ? perc_dataset_borrow_csr(NULL, &csr, y, y, &ds, NULL)
                                : perc_dataset_borrow_dense(NULL, &dense, y, y, &ds, NULL),
                         PERC_OK);
        assert_true(ds->blocks > 1);
        for (uint64_t i = 0; i < N; i++) {
            perc_dataset_row(ds, i, x);
            assert_true(x[0] == (double)i && x[1] == (double)i + 0.5);
            assert_int_equal(perc_dataset_row_label(ds, i), i % 7);
            assert_true(perc_dataset_row_weight(ds, i) == (double)(i % 7));
            assert_int_equal(perc_dataset_row_line(ds, i), i + 1);
        }
        perc_dataset_free(ds);
    }
    free(values);
    free(y);
    free(start);
    free(index);
}

/* ----- borrowed: complaints ------------------------------------------------------------------ */

static void refused_csr(const perc_csr *x, const double *y, const double *w, perc_status want,
                        const char *complaint)
{
    perc_dataset *ds = (perc_dataset *)(void *)&ds;
    perc_error err = { 0 };

    assert_int_equal(perc_dataset_borrow_csr(NULL, x, y, w, &ds, &err), want);
    assert_null(ds);
    if (strstr(err.text, complaint) == NULL) fail_msg("'%s' for '%s'", err.text, complaint);
}

TEST(wrong_arrays_are_refused)
{
    struct csr c;
    perc_csr x;
    double y[ROWS], w[ROWS];

#define FRESH                                                                     \
    (make_csr(&c), x = csr_of(&c, true, true, true), memcpy(y, labels, sizeof y), \
     memcpy(w, weights, sizeof w))
    FRESH, c.f64[c.start64[2] + 1] = (double)NAN;
    refused_csr(&x, y, w, PERC_EDATA, "row 2, column 1: the value is not finite");
    FRESH, c.f64[c.start64[4]] = -(double)INFINITY;
    refused_csr(&x, y, w, PERC_EDATA, "row 4, column 0: the value is not finite");
    FRESH, c.i64[c.start64[1] + 1] = 0;
    refused_csr(&x, y, w, PERC_EDATA, "row 1, entry 1: column 0 is out of order or out of range");
    FRESH, c.i64[c.start64[5] - 1] = COLUMNS;
    refused_csr(&x, y, w, PERC_EDATA, "row 4, entry 3: column 4 is out of order or out of range");
    FRESH, c.i64[c.start64[3]] = -1;
    refused_csr(&x, y, w, PERC_EDATA, "row 3, entry 0: column");
    FRESH, c.start64[0] = -1;
    refused_csr(&x, y, w, PERC_EDATA, "the start of row 0 is negative");
    FRESH, c.start64[3] = c.start64[2] - 1;
    refused_csr(&x, y, w, PERC_EDATA, "row 2 ends before it starts");
    FRESH, c.start64[5] = INT64_MIN;
    refused_csr(&x, y, w, PERC_EDATA, "row 4 ends before it starts");
    FRESH, x = csr_of(&c, false, false, false), c.i32[c.start32[2]] = -2;
    refused_csr(&x, y, w, PERC_EDATA, "row 2, entry 0: column");
    FRESH, x = csr_of(&c, false, false, false), c.start32[0] = -3;
    refused_csr(&x, y, w, PERC_EDATA, "the start of row 0 is negative");
    FRESH, y[3] = (double)NAN;
    refused_csr(&x, y, w, PERC_EDATA, "the label of row 3 is not finite");
    FRESH, w[4] = -0.5;
    refused_csr(&x, y, w, PERC_EDATA, "the weight of row 4 is negative or not finite");
    FRESH, w[0] = (double)INFINITY;
    refused_csr(&x, y, w, PERC_EDATA, "the weight of row 0 is negative or not finite");
    FRESH, x.rows = 0;
    refused_csr(&x, y, w, PERC_EDATA, "the data set has no rows");
    FRESH, x.index_type = PERC_F32;
    refused_csr(&x, y, w, PERC_EARG, "column indices are PERC_I32 or PERC_I64");
    FRESH, x.start_type = PERC_F64;
    refused_csr(&x, y, w, PERC_EARG, "row starts are PERC_I32 or PERC_I64");
    FRESH, x.value_type = PERC_I32;
    refused_csr(&x, y, w, PERC_EARG, "values are PERC_F32 or PERC_F64");
#undef FRESH
}

TEST(wrong_matrices_are_refused)
{
    double values[ROWS * COLUMNS] = { 0 };
    perc_dense x = { values, PERC_F64, ROWS, COLUMNS, COLUMNS * 8, 8 };
    perc_dataset *ds = (perc_dataset *)(void *)&ds;
    perc_error err = { 0 };

    values[3 * COLUMNS + 2] = (double)NAN;
    assert_int_equal(perc_dataset_borrow_dense(NULL, &x, labels, NULL, &ds, &err), PERC_EDATA);
    assert_null(ds);
    assert_string_equal(err.text, "row 3, column 2: the value is not finite");
    x.rows = 3; /* that row is not ours any more */
    assert_int_equal(perc_dataset_borrow_dense(NULL, &x, labels, NULL, &ds, &err), PERC_OK);
    perc_dataset_free(ds);
    x.rows = 0;
    assert_int_equal(perc_dataset_borrow_dense(NULL, &x, labels, NULL, &ds, &err), PERC_EDATA);
    x.type = PERC_I64;
    assert_int_equal(perc_dataset_borrow_dense(NULL, &x, labels, NULL, &ds, &err), PERC_EARG);
    assert_null(ds);
    perc_dataset_free(NULL);
}

/* ----- read from files ---------------------------------------------------------------------- */

static perc_dataset *read_with(const char *text, const char *option, const char *value)
{
    perc_params *p;
    perc_dataset *ds;
    perc_error err = { 0 };

    assert_int_equal(t_put("f", text), 0);
    p = t_params("data", "");
    if (option != NULL) assert_int_equal(perc_params_set(p, option, value, NULL), PERC_OK);
    if (perc_dataset_read(NULL, "f", p, &ds, &err)) fail_msg("%s", err.text);
    perc_params_free(p);
    return ds;
}

TEST(the_index_base_is_what_the_file_or_the_user_says)
{
    static const struct {
        const char *text, *index;
        int base;
        uint64_t features;
    } cases[] = {
        { "1 1:5 3:6\n-1 2:7\n", "auto", 1, 3 },
        { "1 1:5 3:6\n-1 0:7\n", "auto", 0, 4 },
        { "1 1:5 3:6\n-1 2:7\n", "0", 0, 4 },
        { "1 1:5 3:6\n-1 2:7\n", "1", 1, 3 },
        { "1\n-1\n", "auto", 1, 0 },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_dataset *ds = read_with(cases[i].text, "index", cases[i].index);
        perc_dataset_info info;
        double x[4];
        perc_dataset_info_get(ds, &info);
        assert_int_equal(info.index_base, cases[i].base);
        assert_int_equal(info.features, cases[i].features);
        assert_int_equal(info.rows, 2);
        assert_int_equal(info.bytes, strlen(cases[i].text));
        assert_string_equal(info.format, "libsvm");
        perc_dataset_row(ds, 0, x);
        if (info.features > 0) assert_true(x[1 - cases[i].base] == 5 && x[3 - cases[i].base] == 6);
        perc_dataset_free(ds);
    }
}

TEST(rows_keep_the_lines_of_their_file)
{
    perc_dataset *ds = read_with("# first\n\n+1 1:1\n-1 1:2\n\n\n+1 1:3", NULL, NULL);
    static const int64_t line[] = { 3, 4, 7 };
    double x;

    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(perc_dataset_row_line(ds, i), line[i]);
        assert_int_equal(perc_dataset_row_label(ds, i), i != 1);
        perc_dataset_row(ds, i, &x);
        assert_true(x == (double)i + 1);
    }
    perc_dataset_free(ds);
}

TEST(a_file_without_rows_is_refused)
{
    static const char *const texts[] = { "", "\n\n", "# nothing\n" };
    perc_dataset *ds = (perc_dataset *)(void *)&ds;
    perc_error err = { 0 };

    for (size_t i = 0; i < 3; i++) {
        t_put("f", texts[i]);
        assert_int_equal(perc_dataset_read(NULL, "f", NULL, &ds, &err), PERC_EDATA);
        assert_null(ds);
        assert_string_equal(err.text, NO_ROWS);
    }
}

/* ----- memory ------------------------------------------------------------------------------- */

TEST(memory_may_run_out_anywhere)
{
    struct csr c;

    make_csr(&c);
    const perc_csr x = csr_of(&c, true, false, true);
    for (struct t_sweep s = { .least = 5 }; t_sweep_next(&s);) {
        perc_dataset *ds;
        perc_error err = { 0 };
        const perc_status st = perc_dataset_borrow_csr(&s.env, &x, labels, weights, &ds, &err);
        assert_int_equal(err.status, st);
        assert_true((st == PERC_OK) == (ds != NULL));
        perc_dataset_free(ds);
        t_sweep_judge(&s, st);
    }
}
