/* test_transform.c -- the promises of src/data/transform.h. */
#include <math.h>

#include "data/transform.h"
#include "t.h"
#include "t_alloc.h"
#include "vec/rng.h"

static struct t_alloc heap = { .fail_at = -1 };
static const struct env env = { .alloc = t_alloc, .ud = &heap, .threads = 1 };

/* ----- blocks over a matrix ----------------------------------------------------- */

enum { ROWS = 60, COLS = 7 };

struct sample { /* sparse arrays, lent to blocks */
    double value[ROWS * COLS];
    uint64_t index[ROWS * COLS], start[ROWS + 1];
    uint32_t index32[ROWS * COLS];
    uint16_t index16[ROWS * COLS];
    int32_t start32[ROWS + 1];
};

/* Rows of x as a dense block of columns first .. first + cols - 1. */
static struct block dense(const double *x, size_t rows, size_t cols, uint64_t first)
{
    return (struct block){ .e = env,
                           .rows = rows,
                           .values = VALUES_F64,
                           .indices = INDEX_DENSE,
                           .value = x,
                           .first = first,
                           .width = cols,
                           .columns = first + cols,
                           .nonzeros = rows * cols,
                           .stride = sizeof(double),
                           .row_stride = (ptrdiff_t)(cols * sizeof(double)) };
}

/* The same rows without their zeros. */
static struct block sparse(struct sample *s, const double *x, size_t rows, size_t cols,
                           uint64_t first, enum indices indices)
{
    uint64_t n = 0;

    for (size_t i = 0; i < rows; i++) {
        s->start[i] = n;
        s->start32[i] = (int32_t)n;
        for (size_t j = 0; j < cols; j++) {
            if (x[i * cols + j] == 0) continue;
            s->value[n] = x[i * cols + j];
            s->index[n] = first + j;
            s->index32[n] = (uint32_t)(first + j);
            s->index16[n++] = (uint16_t)(first + j);
        }
    }
    s->start[rows] = n;
    s->start32[rows] = (int32_t)n;
    struct block b = { .e = env, .rows = rows, .values = VALUES_F64, .columns = first + cols };
    b.indices = (unsigned char)indices;
    b.nonzeros = n;
    b.value = s->value;
    b.index = indices == INDEX_U16   ? (const void *)s->index16
              : indices == INDEX_U32 ? (const void *)s->index32
                                     : (const void *)s->index;
    if (indices == INDEX_U32) b.start32 = s->start32;
    else b.start = s->start;
    return b;
}

/* Value in column j of row i, whatever the shape; 0 where none is stored. */
static double at(const struct block *b, size_t i, uint64_t j)
{
    const struct row r = block_row(b, i);

    for (size_t k = 0; k < r.n; k++)
        if (row_column(&r, k) == j) return row_value(&r, k);
    return 0;
}

static struct transform fit(const struct block *b, size_t n, uint64_t columns, int base,
                            enum scale scale, bool fill)
{
    struct transform t;

    assert_int_equal(
        transform_fit(&env, b, n, NULL, columns, base, scale, 255, fill, NULL, &t, NULL), PERC_OK);
    return t;
}

static void apply(const struct transform *t, struct block *b)
{
    assert_int_equal(transform_block(&env, t, b, NULL), PERC_OK);
}

/* A column of n numbers, scaled in place. */
static void scale_column(double *x, size_t n, enum scale scale)
{
    struct block b = dense(x, n, 1, 0);
    struct transform t = fit(&b, 1, 1, 0, scale, false);

    apply(&t, &b);
    for (size_t i = 0; i < n; i++) x[i] = at(&b, i, 0);
    block_free(&b);
    transform_free(&t);
}

/* Numbers with zeros, of both signs and all sizes; NaN too where asked for. */
static void fill_matrix(double *x, size_t n, bool missing, uint64_t seed)
{
    struct rng g = rng_seed(seed, 0);

    for (size_t k = 0; k < n; k++) {
        const uint64_t r = rng_u64(&g);
        x[k] = r % 3 == 0 ? 0 : ldexp((double)(r >> 20) - 0x1p43, (int)(r % 17) - 40);
        if (missing && r % 11 == 1) x[k] = NAN;
    }
}

/* ----- values ------------------------------------------------------------------- */

TEST(standard_has_mean_0_and_population_sd_1)
{
    double x[] = { 1, 2, 3, 4, 0 }; /* mean 2, sd sqrt(2) */

    scale_column(x, 5, SCALE_STANDARD);
    for (int i = 0; i < 5; i++) /* sd and quotient round once each: 2 ulp of 1.5 */
        assert_true(fabs(x[i] - ((i == 4 ? 0 : i + 1) - 2) / sqrt(2)) <= 4.5e-16);
}

TEST(a_constant_column_becomes_exactly_0)
{
    double x[3], y[3], z[3];

    for (int i = 0; i < 3; i++) x[i] = y[i] = z[i] = 0.1;
    assert_true((x[0] * 3) / 3 != x[0]); /* guard: a mean that rounding would spoil */
    scale_column(x, 3, SCALE_STANDARD);
    scale_column(y, 3, SCALE_MINMAX);
    scale_column(z, 3, SCALE_MAXABS);
    for (int i = 0; i < 3; i++) {
        assert_true(x[i] == 0 && y[i] == 0);
        assert_true(z[i] == 1); /* its largest value is not 0 */
    }
}

TEST(standard_survives_large_means_and_extreme_sizes)
{
    const double unit[] = { 1, 1e-200, 1e300, 0x1p-1074 }, offset[] = { 1e15, 0, 0, 0 };

    for (int c = 0; c < 4; c++) {
        double x[] = { 0 + offset[c], 12 * unit[c] + offset[c], 24 * unit[c] + offset[c] };
        const double want = sqrt(1.5); /* 12 / sqrt(96), in any unit */
        /* The sd rounds to the grid of the numbers: 1 part in 9 for subnormals. */
        const double slack = c == 3 ? 0.15 : 1e-15;

        scale_column(x, 3, SCALE_STANDARD);
        assert_true(x[1] == 0);
        assert_true(fabs(x[2] - want) <= slack && fabs(x[0] + want) <= slack);
    }
}

TEST(minmax_goes_from_0_to_1_and_maxabs_to_1)
{
    double x[] = { -3, 0, 5 }, y[] = { -3, 0, 1.5 };

    scale_column(x, 3, SCALE_MINMAX);
    assert_true(x[0] == 0 && x[1] == 0.375 && x[2] == 1);
    scale_column(y, 3, SCALE_MAXABS);
    assert_true(y[0] == -1 && y[1] == 0 && y[2] == 0.5);
}

TEST(unit_rows_have_norm_1_and_zero_rows_stay_0)
{
    const double size[] = { 1, 1e200, 1e-200, 0x1p-1074, 0 };

    for (int c = 0; c < 5; c++) {
        const double x[] = { 3 * size[c], -4 * size[c] };
        struct block b = dense(x, 1, 2, 0);
        struct transform t = fit(&b, 1, 2, 0, SCALE_UNIT, false);

        apply(&t, &b);
        /* 3e200 and 4e200 are themselves rounded: a few ulp */
        assert_true(fabs(at(&b, 0, 0) - (c < 4 ? 0.6 : 0)) <= 5e-16);
        assert_true(fabs(at(&b, 0, 1) + (c < 4 ? 0.8 : 0)) <= 5e-16);
        block_free(&b);
        transform_free(&t);
    }
}

TEST(specs_are_read_and_wrong_ones_refused)
{
    static const char *const good[] = { "none", "standard", "minmax", "maxabs",
                                        "unit", "by:255",   "auto" };
    static const char *const bad[] = { "",      "Standard", "unit ",  "by",    "by:",    "by:0",
                                       "by:-2", "by:inf",   "by:nan", "by:1x", "by:0x10" };
    enum scale scale;
    double by;
    perc_error err;

    for (size_t i = 0; i < COUNT(good); i++) {
        assert_int_equal(transform_parse(good[i], &scale, &by, NULL), PERC_OK);
        assert_int_equal(scale, (enum scale)i);
        assert_true(by == (i == SCALE_BY ? 255 : 1));
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_refused(transform_parse(bad[i], &scale, &by, &err), PERC_EARG, &err, "by:");
    }
}

/* ----- dense = sparse ------------------------------------------------------------- */

/* However the rows are stored and cut into blocks: the same state, the same bits. */
TEST(dense_and_sparse_copies_get_the_same_bits)
{
    static struct sample s[2];
    double x[ROWS * COLS];

    for (int c = 0; c < 6 * 3 * 2; c++) {
        const enum scale scale = (enum scale)(c % 6);
        const enum indices indices = (enum indices)(INDEX_U16 + c / 6 % 3);
        const bool fill = c >= 18;
        const size_t cut = 1 + (size_t)c; /* rows in the first sparse block */

        fill_matrix(x, ROWS * COLS, fill, (uint64_t)c);
        struct block d = dense(x, ROWS, COLS, 1);
        struct block b[2] = { sparse(&s[0], x, cut, COLS, 1, indices),
                              sparse(&s[1], x + cut * COLS, ROWS - cut, COLS, 1, indices) };
        struct transform t = fit(&d, 1, COLS + 1, 1, scale, fill);
        struct transform u = fit(b, 2, COLS + 1, 1, scale, fill);

        assert_int_equal(t.shift != NULL, u.shift != NULL);
        apply(&t, &d);
        apply(&u, &b[0]);
        apply(&u, &b[1]);
        for (size_t i = 0; i < ROWS; i++)
            for (uint64_t j = 0; j <= COLS; j++) {
                const double v = at(&d, i, j);
                const double w = i < cut ? at(&b[0], i, j) : at(&b[1], i - cut, j);
                assert_true(v == w); /* no tolerance; 0 and -0 are one value */
            }
        for (int k = 0; k < 2; k++) block_free(&b[k]);
        block_free(&d);
        transform_free(&t);
        transform_free(&u);
    }
    t_alloc_holds(&heap, 0);
}

/* Whole numbers up to 255, in every encoding: what is stored narrowly is read right.
 * The rows are longer than the pieces they are read in, and lie by columns. */
TEST(every_encoding_of_the_values_gives_the_same_bits)
{
    enum { WIDE = 300, N = 2 * WIDE };
    static uint8_t u8[N];
    static uint32_t dec[N];
    static float f32[N];
    static double f64[N];
    const void *const value[] = { NULL, u8, dec, f32, f64 };
    const ptrdiff_t size[] = { 0, 1, 4, 4, 8 };

    for (size_t k = 0; k < N; k++) {
        u8[k] = (uint8_t)(k * k % 251);
        dec[k] = decimal_pack(u8[k] * 10u, 1, false);
        f64[k] = (double)(f32[k] = u8[k]);
    }
    for (int v = VALUES_U8; v <= VALUES_F64; v++) {
        struct block b = dense(NULL, 2, WIDE, 0);
        b.values = (unsigned char)v;
        b.value = value[v];
        b.stride = size[v] * 2;
        b.row_stride = size[v];
        struct transform t = fit(&b, 1, WIDE, 0, SCALE_MINMAX, false);

        apply(&t, &b);
        for (size_t j = 0; j < WIDE; j++) { /* of two unlike numbers: 0 and 1 */
            const double x0 = f64[2 * j], x1 = f64[2 * j + 1];
            assert_true(at(&b, 0, j) == (x0 > x1));
            assert_true(at(&b, 1, j) == (x1 > x0));
            assert_true(t.shift[j] == (x0 < x1 ? x0 : x1));
        }
        block_free(&b);
        transform_free(&t);
    }
}

TEST(a_row_alone_gets_the_bits_it_gets_in_a_block)
{
    static struct sample s;
    double x[ROWS * COLS], out[COLS + 1];
    uint32_t column[COLS + 1];

    for (int c = 0; c < 24; c++) {
        const uint64_t known = c < 12 ? COLS + 1 : COLS - 1; /* or the last two are not */

        fill_matrix(x, ROWS * COLS, c < 12, 99);
        struct block d = dense(x, ROWS, COLS, 1);
        const struct block raw = c % 2 == 0 ? d : sparse(&s, x, ROWS, COLS, 1, INDEX_U64);
        struct block b = raw;
        struct transform t = fit(&d, 1, known, 1, (enum scale)(c / 2 % 6), true);

        apply(&t, &b);
        for (size_t i = 0; i < ROWS; i++) {
            const struct row r = block_row(&raw, i), image = block_row(&b, i);
            const size_t n = transform_row(&t, &r, column, out);
            assert_int_equal(n, image.n);
            for (size_t k = 0; k < n; k++) {
                assert_int_equal(column[k], row_column(&image, k));
                assert_true(out[k] == row_value(&image, k));
            }
        }
        block_free(&b);
        transform_free(&t);
    }
}

/* ----- missing values -------------------------------------------------------------- */

TEST(missing_values_are_filled_first_then_scaled)
{
    double x[] = { 1, NAN, 6, 0, NAN, 5 }, y[] = { 1, 3, 6, 0, 3, 5 }; /* mean of 1 6 0 5 */
    double none[] = { NAN, NAN };

    for (int scale = SCALE_NONE; scale <= SCALE_BY; scale++) {
        struct block a = dense(x, 6, 1, 0), b = dense(y, 6, 1, 0);
        struct transform t = fit(&a, 1, 1, 0, (enum scale)scale, true);
        struct transform u = fit(&b, 1, 1, 0, (enum scale)scale, true);

        assert_true(t.fill[0] == 3);
        apply(&t, &a);
        apply(&u, &b);
        for (size_t i = 0; i < 6; i++) assert_true(at(&a, i, 0) == at(&b, i, 0));
        block_free(&a);
        block_free(&b);
        transform_free(&t);
        transform_free(&u);
    }
    struct block b = dense(none, 2, 1, 0);
    struct transform t = fit(&b, 1, 1, 0, SCALE_STANDARD, true);
    apply(&t, &b);
    assert_true(t.fill[0] == 0 && at(&b, 1, 0) == 0);
    block_free(&b);
    transform_free(&t);
}

TEST(a_missing_value_with_nothing_to_fill_it_is_an_error)
{
    const double x[] = { 1, 2, 3, NAN };
    struct block b = dense(x, 2, 2, 1);
    struct transform t;
    perc_error err;

    assert_int_equal(transform_fit(&env, &b, 1, NULL, 3, 1, SCALE_MAXABS, 1, false, NULL, &t, &err),
                     PERC_EDATA);
    assert_non_null(strstr(err.text, "feature 2"));
    for (int c = 0; c < 2; c++) { /* these need no pass, so the block has to tell */
        t = fit(&b, 1, 3, 1, c == 0 ? SCALE_BY : SCALE_UNIT, false);
        assert_refused(transform_block(&env, &t, &b, &err), PERC_EDATA, &err, "feature 2");
        assert_int_equal(err.line, 2);
        assert_ptr_equal(b.value, x);
    }
    t_alloc_holds(&heap, 0);
}

/* ----- shapes ------------------------------------------------------------------------ */

TEST(sparse_rows_stay_sparse_where_zeros_stay)
{
    static const enum scale stays[] = { SCALE_MINMAX, SCALE_MAXABS, SCALE_UNIT, SCALE_BY };
    static struct sample s;
    double x[] = { 0, 2, 0, 0, 0, 4, 1, 1, 0 };

    for (int c = 0; c < 4; c++) {
        struct block b = sparse(&s, x, 3, 3, 0, INDEX_U16);
        struct transform t = fit(&b, 1, 3, 0, stays[c], false);
        apply(&t, &b);
        assert_int_equal(b.indices, INDEX_U16);
        assert_int_equal(b.start[3], 4);
        assert_int_equal(b.nonzeros, 4);
        block_free(&b);
        transform_free(&t);
    }
    x[4] = -1; /* one column with a minimum below 0 is enough */
    struct block b = sparse(&s, x, 3, 3, 0, INDEX_U16);
    struct transform t = fit(&b, 1, 3, 0, SCALE_MINMAX, false);
    apply(&t, &b);
    assert_int_equal(b.indices, INDEX_DENSE);
    assert_int_equal(b.nonzeros, 9);
    block_free(&b);
    transform_free(&t);
}

TEST(with_index_base_1_column_0_is_never_made)
{
    static struct sample s;
    const double x[] = { 1, 2, 3, 5 };
    struct block b = sparse(&s, x, 2, 2, 1, INDEX_U64);
    struct transform t = fit(&b, 1, 3, 1, SCALE_STANDARD, false);

    assert_true(t.shift[0] == 0 && t.divisor[0] == 1);
    apply(&t, &b);
    assert_int_equal(b.first, 1);
    assert_int_equal(b.width, 2);
    assert_true(at(&b, 0, 1) == -1 && at(&b, 1, 2) == 1);
    block_free(&b);
    transform_free(&t);
}

TEST(too_large_a_dense_image_is_refused_with_its_size_and_a_remedy)
{
    enum { MANY = 1 << 20, WIDE = 1000 };
    double value[WIDE];
    uint64_t index[WIDE];
    uint64_t *start = calloc(MANY + 1, sizeof *start);
    struct block b = { .e = env,
                       .rows = MANY,
                       .values = VALUES_F64,
                       .indices = INDEX_U64,
                       .value = value,
                       .index = index,
                       .start = start };
    struct transform t;
    perc_error err;

    assert_non_null(start);
    for (size_t j = 0; j < WIDE; j++) {
        value[j] = -1;
        index[j] = j;
    }
    start[MANY] = WIDE;
    assert_int_equal(
        transform_fit(&env, &b, 1, NULL, WIDE, 0, SCALE_MINMAX, 1, false, NULL, &t, &err),
        PERC_EARG);
    assert_non_null(strstr(err.text, "7.8 GiB")); /* 2^20 * 1000 * 8 / 2^30 */
    assert_non_null(strstr(err.text, "maxabs"));
    t_alloc_holds(&heap, 0);
    t = fit(&b, 1, WIDE, 0, SCALE_MAXABS, false); /* the remedy works */
    transform_free(&t);
    b.rows = 2; /* a state from few rows, a block of many: the block is refused */
    start[2] = WIDE;
    t = fit(&b, 1, WIDE, 0, SCALE_MINMAX, false);
    b.rows = MANY;
    assert_int_equal(transform_block(&env, &t, &b, &err), PERC_EARG);
    transform_free(&t);
    free(start);
}

TEST(everything_but_the_values_is_carried_over)
{
    static struct sample s;
    const double x[] = { 1, 0, -2, 4 };
    uint32_t label[] = { 1, 0 };
    const uint32_t line[] = { 0, 5 };
    double weight[] = { 0.5, 2 };

    for (int c = 0; c < 3; c++) {
        struct block b = c == 0 ? dense(x, 2, 2, 0) : sparse(&s, x, 2, 2, 0, INDEX_U32);
        b.label = label;
        b.weight = weight;
        b.line = line;
        b.first_line = 10;
        b.first_row = 7;
        struct transform t = fit(&b, 1, 2, 0, c < 2 ? SCALE_MAXABS : SCALE_STANDARD, false);
        apply(&t, &b);
        assert_ptr_not_equal(b.label, label);
        assert_true(b.label[0] == 1 && b.label[1] == 0 && b.rows == 2 && b.first_row == 7);
        assert_true(block_weight(&b, 0) == 0.5 && block_weight(&b, 1) == 2);
        assert_int_equal(block_line(&b, 1), 15);
        assert_int_equal(b.columns, 2);
        block_free(&b);
        transform_free(&t);
    }
    assert_true(x[2] == -2 && weight[1] == 2);
    t_alloc_holds(&heap, 0);
}

TEST(columns_the_state_does_not_know_do_no_harm)
{
    static struct sample s;
    const double x[] = { 2, 0, 8, 4 }, y[] = { 1, 1, 3, 9 };
    struct block b = sparse(&s, x, 2, 2, 0, INDEX_U64);
    struct transform t = fit(&b, 1, 2, 0, SCALE_MAXABS, false);
    struct transform u = fit(&b, 1, 2, 0, SCALE_STANDARD, false);

    b = sparse(&s, y, 1, 4, 0, INDEX_U64);
    apply(&t, &b);
    assert_true(at(&b, 0, 0) == 0.125 && at(&b, 0, 1) == 0.25);
    assert_true(at(&b, 0, 2) == 3 && at(&b, 0, 3) == 9); /* as they are */
    block_free(&b);
    b = sparse(&s, y, 1, 4, 0, INDEX_U64);
    apply(&u, &b);
    assert_int_equal(b.width, 2); /* left out */
    block_free(&b);
    transform_free(&t);
    transform_free(&u);
}

/* ----- auto -------------------------------------------------------------------------------- */

/* Columns: a number; 0 or 1; nearly always 0; that and large; too large; a word. */
enum { AUTO_ROWS = 40, AUTO_COLUMNS = 6, AUTO_NUMBERS = 5 };

static void fill_auto(double *x)
{
    for (size_t i = 0; i < AUTO_ROWS; i++) {
        const double row[] = {
            (double)(i * i) + 3,        (double)(i % 2),   i == 5 ? 7 : 0, i == 6 ? -4000 : 0,
            i % 2 ? 1.5e308 : -1.5e308, i % 3 == 0 ? 5 : 0
        };
        memcpy(x + i * AUTO_COLUMNS, row, sizeof row);
    }
}

static perc_status choose(const struct block *b, struct transform *t, struct transform_choice *c)
{
    return transform_choose(&env, b, 1, NULL, AUTO_COLUMNS, AUTO_NUMBERS, false, NULL, t, c, NULL);
}

TEST(auto_scales_the_columns_of_numbers_alone_and_keeps_zeros_that_need_not_move)
{
    static struct sample s;
    double x[AUTO_ROWS * AUTO_COLUMNS], alone[AUTO_ROWS], row[AUTO_COLUMNS];
    uint32_t column[AUTO_COLUMNS];
    struct transform t;
    struct transform_choice c;

    fill_auto(x);
    for (size_t i = 0; i < AUTO_ROWS; i++) alone[i] = x[i * AUTO_COLUMNS];
    scale_column(alone, AUTO_ROWS, SCALE_STANDARD);
    struct block d = dense(x, AUTO_ROWS, AUTO_COLUMNS, 0);
    struct block b = sparse(&s, x, AUTO_ROWS, AUTO_COLUMNS, 0, INDEX_U16);
    assert_int_equal(choose(&d, &t, &c), PERC_OK);
    assert_true(t.scale == SCALE_STANDARD && t.moves == 1 && t.reach == 1);
    assert_true(c.numbers == 5 && c.standard == 1 && c.binary == 1 && c.divided == 1 &&
                c.large == 1);
    apply(&t, &d);
    apply(&t, &b);
    assert_true(b.indices == INDEX_U32 && b.nonzeros < d.nonzeros);
    for (size_t i = 0; i < AUTO_ROWS; i++) {
        const double *was = x + i * AUTO_COLUMNS;
        const struct row sparse_row = block_row(&b, i);
        const double want[] = { alone[i], was[1], was[2], was[3] / 4000, was[4], was[5] };
        struct block one = sparse(&s, was, 1, AUTO_COLUMNS, 0, INDEX_U64);
        const struct row raw = block_row(&one, 0);
        const size_t n = transform_row(&t, &raw, column, row);

        assert_int_equal(n, sparse_row.n); /* a row alone has the entries of one in a block */
        for (size_t k = 0; k < n; k++)
            assert_true(column[k] == row_column(&sparse_row, k) &&
                        row[k] == row_value(&sparse_row, k));
        for (uint64_t j = 0; j < AUTO_COLUMNS; j++)
            assert_true(at(&d, i, j) == want[j] && at(&b, i, j) == want[j]);
    }
    block_free(&b);
    block_free(&d);
    transform_free(&t);
    t_alloc_holds(&heap, 0);
}

/* One row in ten is not sparse any more, and 100 does not drown anything. */
TEST(auto_leaves_a_table_alone_that_needs_nothing)
{
    double x[] = { 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 100, 0 };
    struct block b = dense(x, 11, 2, 0);
    struct transform t;
    struct transform_choice c;

    assert_int_equal(transform_choose(&env, &b, 1, NULL, 2, 2, false, NULL, &t, &c, NULL), PERC_OK);
    assert_true(c.binary == 0 && c.standard == 1); /* column 0 has a 100 */
    transform_free(&t);
    for (int i = 0; i < 9; i++) x[2 * i] = 0;
    x[18] = 0;
    assert_int_equal(transform_choose(&env, &b, 1, NULL, 2, 2, false, NULL, &t, &c, NULL), PERC_OK);
    assert_true(transform_is_identity(&t) && t.scale == SCALE_NONE && c.standard == 0);
    transform_free(&t);
    x[20] = 101;
    assert_int_equal(transform_choose(&env, &b, 1, NULL, 2, 2, false, NULL, &t, &c, NULL), PERC_OK);
    assert_true(c.divided == 1 && t.shift == NULL && t.divisor[0] == 101 && t.divisor[1] == 1);
    transform_free(&t);
    t_alloc_holds(&heap, 0);
}

TEST(a_state_is_adopted_column_by_column)
{
    const double x[] = { 1, 5, 3, 9 }, y[] = { 10, 2, 7, 30, 4, 7 };
    const uint64_t column[] = { 1, UINT64_MAX, 0 };
    struct block a = dense(x, 2, 2, 0), b = dense(y, 2, 3, 0);
    struct transform from = fit(&a, 1, 2, 0, SCALE_STANDARD, false);
    struct transform t = fit(&b, 1, 3, 0, SCALE_STANDARD, true);

    assert_int_equal(transform_adopt(&t, &from, column, 3), PERC_OK);
    assert_true(t.shift[0] == 7 && t.divisor[0] == 2); /* those of column 1 */
    assert_true(t.shift[1] == 3 && t.divisor[1] == 1); /* as measured */
    assert_true(t.shift[2] == 2 && t.divisor[2] == 1);
    assert_true(t.fill[0] == 20 && t.fill[1] == 3); /* it has no means */
    transform_free(&t);
    transform_free(&from);
    t_alloc_holds(&heap, 0);
}

/* ----- some of the rows -------------------------------------------------------------------- */

static void assert_same_numbers(const double *a, const double *b, size_t n)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a != NULL) assert_memory_equal(a, b, n * sizeof *a);
}

static void assert_same_state(const struct transform *t, const struct transform *u)
{
    assert_true(t->scale == u->scale && t->columns == u->columns && t->first == u->first);
    assert_true(t->moves == u->moves && t->reach == u->reach);
    assert_same_numbers(t->shift, u->shift, (size_t)t->columns);
    assert_same_numbers(t->divisor, u->divisor, (size_t)t->columns);
    assert_same_numbers(t->fill, u->fill, (size_t)t->columns);
}

/* The others hold what would change any state, or be refused: gaps, and numbers without bounds.
 * Rows are counted through all blocks. */
TEST(the_state_of_some_rows_is_that_of_a_data_set_of_those_rows)
{
    static struct sample s[2];
    double x[ROWS * COLS], few[ROWS * COLS];
    uint8_t chosen[ROWS];

    for (int c = 0; c < 7 * 2 * 3; c++) {
        const enum scale scale = (enum scale)(c % 7);
        const bool fill = c / 7 % 2 == 1;
        const size_t cut = 1 + (size_t)c;
        struct transform t, u;
        struct transform_choice of_t = { 0 }, of_u = { 0 };
        size_t n = 0;

        fill_matrix(x, ROWS * COLS, fill, (uint64_t)c);
        for (size_t i = 0; i < ROWS; i++) {
            chosen[i] = c >= 28 ? i == 3 : (i * i + (size_t)c) % 3 != 0;
            if (chosen[i]) memcpy(few + COLS * n++, x + COLS * i, COLS * sizeof *x);
            else x[COLS * i] = fill ? 0x1p1023 : NAN;
        }
        const struct block all[2] = { sparse(&s[0], x, cut, COLS, 1, INDEX_U16),
                                      dense(x + cut * COLS, ROWS - cut, COLS, 1) };
        const struct block alone = dense(few, n, COLS, 1);
        if (scale == SCALE_AUTO) {
            assert_int_equal(
                transform_choose(&env, all, 2, chosen, COLS + 1, COLS, fill, NULL, &t, &of_t, NULL),
                PERC_OK);
            assert_int_equal(transform_choose(&env, &alone, 1, NULL, COLS + 1, COLS, fill, NULL, &u,
                                              &of_u, NULL),
                             PERC_OK);
            assert_memory_equal(&of_t, &of_u, sizeof of_t);
        } else {
            assert_int_equal(
                transform_fit(&env, all, 2, chosen, COLS + 1, 1, scale, 255, fill, NULL, &t, NULL),
                PERC_OK);
            u = fit(&alone, 1, COLS + 1, 1, scale, fill);
        }
        assert_same_state(&t, &u);
        transform_free(&t);
        transform_free(&u);
    }
    t_alloc_holds(&heap, 0);
}

TEST(the_state_of_no_row_changes_nothing)
{
    const double x[] = { 3, NAN, 5, -7 };
    const uint8_t none[] = { 0, 0 };
    const struct block b = dense(x, 2, 2, 0);

    for (int scale = SCALE_NONE; scale < SCALE_AUTO; scale++) {
        struct transform t;
        assert_int_equal(
            transform_fit(&env, &b, 1, none, 2, 0, (enum scale)scale, 1, true, NULL, &t, NULL),
            PERC_OK);
        assert_true(t.shift == NULL && t.fill[0] == 0 && t.fill[1] == 0);
        assert_true(t.divisor == NULL || (t.divisor[0] == 1 && t.divisor[1] == 1));
        transform_free(&t);
    }
    t_alloc_holds(&heap, 0);
}

/* ----- what goes wrong ------------------------------------------------------------------ */

TEST(overflow_names_the_feature)
{
    const double big[] = { 1, 1.5e308, 1, -1.5e308 }, tiny[] = { 1, 1e-300 }, x[] = { 1, 1e300 };
    struct block b = dense(big, 2, 2, 1), d;
    struct transform t;
    perc_error err;

    for (int scale = SCALE_STANDARD; scale <= SCALE_MINMAX; scale++) {
        assert_int_equal(
            transform_fit(&env, &b, 1, NULL, 3, 1, (enum scale)scale, 1, false, NULL, &t, &err),
            PERC_EDATA);
        assert_non_null(strstr(err.text, "feature 2"));
    }
    d = dense(tiny, 1, 2, 1);
    t = fit(&d, 1, 3, 1, SCALE_MAXABS, false);
    d = dense(x, 1, 2, 1);
    d.first_line = 17;
    assert_refused(transform_block(&env, &t, &d, &err), PERC_EDATA, &err, "feature 2");
    assert_int_equal(err.line, 17);
    assert_ptr_equal(d.value, x); /* as it was */
    transform_free(&t);
    t_alloc_holds(&heap, 0);
}

static perc_status choose_apply(const struct block *raw)
{
    const uint64_t column[] = { 1, UINT64_MAX, 0 };
    struct transform t = { .e = env }, u = { .e = env };
    struct transform_choice c;
    struct block b = *raw;
    perc_status st = transform_choose(&env, raw, 1, NULL, COLS, 2, true, NULL, &t, &c, NULL);

    if (st == PERC_OK)
        st = transform_fit(&env, raw, 1, NULL, 3, 0, SCALE_NONE, 1, false, NULL, &u, NULL);
    if (st == PERC_OK) st = transform_adopt(&u, &t, column, 3);
    if (st == PERC_OK) st = transform_block(&env, &t, &b, NULL);
    block_free(&b);
    transform_free(&t);
    transform_free(&u);
    return st;
}

static perc_status fit_copy_apply(const struct block *raw)
{
    struct transform t = { .e = env }, u = { .e = env };
    struct block b = *raw;
    perc_status st = transform_fit(&env, raw, 1, NULL, COLS, 0, SCALE_STANDARD, 1, true, NULL, &t,
                                   NULL);

    if (st == PERC_OK) st = transform_copy(&env, &t, &u);
    transform_free(&t); /* the copy stands alone */
    if (st == PERC_OK) st = transform_block(&env, &u, &b, NULL);
    if (st == PERC_OK) assert_true(at(&b, 0, 0) == (at(raw, 0, 0) - u.shift[0]) / u.divisor[0]);
    block_free(&b);
    transform_free(&u);
    return st;
}

TEST(running_out_of_memory_anywhere_leaves_nothing_behind)
{
    double x[ROWS * COLS];
    long n = 0;

    fill_matrix(x, ROWS * COLS, false, 5);
    const struct block raw = dense(x, ROWS, COLS, 0);
    for (perc_status st = PERC_ENOMEM; st != PERC_OK; n++) {
        t_alloc_again(&heap, n);
        st = fit_copy_apply(&raw);
        assert_true(st == PERC_OK || st == PERC_ENOMEM);
        t_alloc_holds(&heap, 0);
    }
    heap.fail_at = -1;
    assert_true(n > 5); /* guard: the sweep met the arrays, the copy and the block */
}

TEST(running_out_of_memory_while_auto_chooses_leaves_nothing_behind)
{
    static struct sample s;
    double x[ROWS * COLS];
    long n = 0;

    fill_matrix(x, ROWS * COLS, false, 5);
    const struct block raw = sparse(&s, x, ROWS, COLS, 0, INDEX_U32);
    for (perc_status st = PERC_ENOMEM; st != PERC_OK; n++) {
        t_alloc_again(&heap, n);
        st = choose_apply(&raw);
        assert_true(st == PERC_OK || st == PERC_ENOMEM);
        t_alloc_holds(&heap, 0);
    }
    heap.fail_at = -1;
    assert_true(n > 7); /* guard: the sweep met the arrays of both and the block */
}
