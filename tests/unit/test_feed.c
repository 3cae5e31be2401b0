/* test_feed.c -- batches: rows as floats without zeros, the same by column, and what a second
 * thread makes of a pass is what a plain loop makes of it. */
#include <math.h>

#include "data/dataset.h"
#include "learn/feed.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"
#include "vec/rng.h"

/* ----- one batch ------------------------------------------------------------------------- */

enum { COLUMNS = 700 }; /* more than are decoded at a time */

/* A row in each encoding, and what it should become. */
struct forms {
    uint8_t u8[COLUMNS];
    uint32_t dec[COLUMNS];
    float f32[COLUMNS];
    double f64[2 * COLUMNS];
    uint16_t i16[COLUMNS];
    uint32_t i32[COLUMNS];
    uint64_t i64[COLUMNS];
};

/* Values that all encodings have, some of them 0; columns with gaps. */
static void make_forms(struct forms *f, uint64_t seed)
{
    struct rng r = rng_seed(seed, 0);
    uint64_t at = 0;

    for (size_t k = 0; k < COLUMNS; k++) {
        const uint32_t v = rng_below(&r, 3) > 0 ? (uint32_t)rng_below(&r, 256) : 0;
        at += 1 + rng_below(&r, 3);
        f->u8[k] = (uint8_t)v;
        f->dec[k] = decimal_pack(v * 10, 1, false);
        f->f32[k] = (float)v;
        f->f64[k] = v;
        f->i16[k] = (uint16_t)at;
        f->i32[k] = (uint32_t)at;
        f->i64[k] = at;
    }
}

static const void *values_of(const struct forms *f, int values)
{
    return values == VALUES_U8    ? (const void *)f->u8
           : values == VALUES_DEC ? (const void *)f->dec
           : values == VALUES_F32 ? (const void *)f->f32
           : values == VALUES_F64 ? (const void *)f->f64
                                  : NULL;
}

static void check_row(const struct row *x)
{
    const struct env e = env_resolve(NULL);
    struct minibatch b;
    size_t n = 0;

    minibatch_init(&b, &e);
    assert_int_equal(minibatch_add(&b, x, 4, 2.5, 17), PERC_OK);
    for (size_t k = 0; k < x->n; k++) {
        const float v = (float)row_value(x, k);
        if (!(v != 0)) continue;
        assert_true(n < b.entries);
        assert_int_equal(b.column[n], row_column(x, k));
        assert_memory_equal(&b.value[n], &v, sizeof v);
        n++;
    }
    assert_int_equal(b.entries, n);
    assert_int_equal(b.start[0], 0);
    assert_int_equal(b.start[1], n);
    assert_int_equal(b.class[0], 4);
    assert_true(b.weight[0] == 2.5f);
    assert_true(b.row[0] == 17);
    minibatch_free(&b);
}

TEST(rows_of_every_encoding_become_floats)
{
    static const ptrdiff_t size[] = { 0, 1, 4, 4, 8 };
    struct forms f;

    make_forms(&f, 1);
    for (int values = VALUES_ONES; values <= VALUES_F64; values++)
        for (int indices = INDEX_DENSE; indices <= INDEX_U64; indices++)
            for (size_t n = 0; n <= COLUMNS; n = n < 40 ? n + 1 : n + 165) {
                struct row x = { .value = values_of(&f, values),
                                 .n = n,
                                 .first = 3,
                                 .stride = size[values],
                                 .values = (unsigned char)values,
                                 .indices = (unsigned char)indices };
                x.index = indices == INDEX_U16   ? (const void *)f.i16
                          : indices == INDEX_U32 ? (const void *)f.i32
                          : indices == INDEX_U64 ? (const void *)f.i64
                                                 : NULL;
                check_row(&x);
            }
}

TEST(what_is_no_plain_number_is_kept)
{
    const double v[] = { 0, -0.0, NAN, INFINITY, 1e300, -1e300, 1e-300, 1e-40, 0.1,
                         1, 2,    3,   4,        5,     6,      7,      1e-60, 9 };
    struct row x = {
        .value = v, .n = COUNT(v), .stride = 8, .values = VALUES_F64, .indices = INDEX_DENSE
    };

    check_row(&x);
    x.stride = 16; /* every other one */
    x.n /= 2;
    check_row(&x);
}

/* Random rows. */
static void fill(struct minibatch *b, size_t rows, size_t columns, double density, uint64_t seed)
{
    struct rng r = rng_seed(seed, 1);
    double *v = malloc((columns + 1) * sizeof *v);

    assert_non_null(v);
    minibatch_clear(b);
    for (size_t i = 0; i < rows; i++) {
        const struct row x = { .value = v,
                               .n = columns,
                               .stride = sizeof *v,
                               .values = VALUES_F64,
                               .indices = INDEX_DENSE };
        for (size_t j = 0; j < columns; j++) v[j] = rng_uniform(&r) < density ? rng_normal(&r) : 0;
        assert_int_equal(minibatch_add(b, &x, i, i % 3 == 0 ? 0 : 1, i), PERC_OK);
    }
    free(v);
}

/* Every entry is there by column, columns in order, rows in order. */
static void check_columns(const struct minibatch *b, size_t columns)
{
    uint32_t *at = calloc(b->n + 1, sizeof *at); /* entries of each row that were met */
    uint32_t met = 0;

    assert_non_null(at);
    for (size_t k = 0; k < b->used; k++) {
        assert_true(b->used_column[k] < columns);
        if (k > 0) assert_true(b->used_column[k] > b->used_column[k - 1]);
        assert_int_equal(b->used_start[k], met);
        assert_true(b->used_start[k + 1] > met);
        for (; met < b->used_start[k + 1]; met++) {
            const uint32_t i = b->used_row[met], entry = b->start[i] + at[i]++;
            if (met > b->used_start[k]) assert_true(i > b->used_row[met - 1]);
            assert_true(entry < b->start[i + 1]);
            assert_int_equal(b->column[entry], b->used_column[k]);
            assert_true(b->value[entry] == b->used_value[met]);
        }
    }
    assert_int_equal(met, b->entries);
    free(at);
}

TEST(batches_are_transposed)
{
    static const size_t columns[] = { 1, 63, 64, 65, 4095, 4097, 20 };
    const struct env e = env_resolve(NULL);
    struct minibatch b;

    minibatch_init(&b, &e);
    for (size_t k = 0; k < COUNT(columns); k++)
        for (size_t rows = 0; rows < 60; rows += 19) { /* the same memory again and again */
            fill(&b, rows, columns[k], rows % 2 ? 0.03 : 1, k);
            assert_int_equal(minibatch_transpose(&b, columns[k]), PERC_OK);
            check_columns(&b, columns[k]);
            assert_int_equal(b.counted, rows - (rows + 2) / 3);
        }
    minibatch_free(&b);
}

/* ----- a pass ------------------------------------------------------------------------------ */

enum { ROWS = 500, WIDTH = 30 };

static const size_t class_of[] = { 1, 0 };
static const double weight_of[] = { 0.5, 3 };

struct scene {
    struct t_data data;
    struct t_csr csr;
    perc_dataset *ds;
    struct map map;
    struct block blocks[2]; /* the same rows twice, the second time with other numbers */
    uint64_t ref[ROWS];
    struct feed_source source;
};

static void scene_open(struct scene *s, size_t batch, const char *map, uint64_t seed)
{
    struct rng r = rng_seed(seed, 3);

    s->data = t_noise(ROWS, WIDTH, T_REAL, 0.4, seed);
    t_weigh(&s->data, seed);
    s->csr = t_csr_new(&s->data);
    s->ds = seed % 2 ? t_borrow(&s->data) : t_borrow_csr(&s->data, &s->csr, PERC_I32, PERC_I32);
    assert_int_equal(map_parse(map, &s->map, NULL), PERC_OK);
    assert_int_equal(map_set_inputs(&s->map, 0, s->ds->columns, NULL), PERC_OK);
    assert_int_equal(s->ds->blocks, 1);
    s->blocks[0] = s->blocks[1] = s->ds->block[0];
    s->blocks[1].first_row = ROWS;
    for (size_t k = 0; k < ROWS; k++) s->ref[k] = ref_make(rng_below(&r, 2), rng_below(&r, ROWS));
    s->source = (struct feed_source){ .blocks = s->blocks,
                                      .block_count = 2,
                                      .map = &s->map,
                                      .class_of = class_of,
                                      .weight_of = weight_of,
                                      .batch = batch,
                                      .columns = map_columns(&s->map, s->ds->columns) };
}

static void scene_close(struct scene *s)
{
    t_free(s->ds, &s->csr, &s->data);
}

/* Rows at .. at + n - 1 of the order, by a plain loop. */
static void make_plainly(struct scene *s, uint64_t at, size_t n, struct minibatch *b)
{
    const struct env e = env_resolve(NULL);
    struct lens lens;

    minibatch_clear(b);
    lens_init(&lens, &e, &s->map);
    assert_int_equal(lens_reserve(&lens, &s->ds->block[0], NULL), PERC_OK);
    for (size_t k = 0; k < n; k++) {
        const uint64_t number = s->ref[at + k] >> 32;
        const struct block *block = &s->blocks[number];
        const size_t i = (size_t)(s->ref[at + k] & UINT32_MAX);
        const struct row x = lens_row(&lens, block, i);
        const double weight = block_weight(block, i) * weight_of[block->label[i]];
        assert_int_equal(minibatch_add(b, &x, class_of[block->label[i]], weight, number * ROWS + i),
                         PERC_OK);
    }
    assert_int_equal(minibatch_transpose(b, s->source.columns), PERC_OK);
    lens_free(&lens);
}

static void assert_same_batch(const struct minibatch *a, const struct minibatch *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->counted, b->counted);
    assert_int_equal(a->entries, b->entries);
    assert_int_equal(a->used, b->used);
    assert_memory_equal(a->start, b->start, (a->n + 1) * sizeof *a->start);
    assert_memory_equal(a->class, b->class, a->n * sizeof *a->class);
    assert_memory_equal(a->weight, b->weight, a->n * sizeof *a->weight);
    assert_memory_equal(a->row, b->row, a->n * sizeof *a->row);
    assert_memory_equal(a->column, b->column, a->entries * sizeof *a->column);
    assert_memory_equal(a->value, b->value, a->entries * sizeof *a->value);
    assert_memory_equal(a->used_column, b->used_column, a->used * sizeof *a->used_column);
    assert_memory_equal(a->used_start, b->used_start, (a->used + 1) * sizeof *a->used_start);
    assert_memory_equal(a->used_row, b->used_row, a->entries * sizeof *a->used_row);
    assert_memory_equal(a->used_value, b->used_value, a->entries * sizeof *a->used_value);
}

/* A pass over the first n rows of the order, left after `stop` batches. */
static void check_pass(struct scene *s, struct feed *f, uint64_t n, size_t stop)
{
    const struct env e = env_resolve(NULL);
    struct minibatch *got = NULL, want;
    uint64_t at = 0;
    size_t k = 0;

    minibatch_init(&want, &e);
    feed_begin(f, s->ref, n);
    for (; at < n && k < stop; k++) {
        const size_t rows = n - at < s->source.batch ? (size_t)(n - at) : s->source.batch;
        assert_int_equal(feed_next(f, &got), PERC_OK);
        assert_non_null(got);
        make_plainly(s, at, rows, &want);
        assert_same_batch(got, &want);
        at += rows;
    }
    if (k < stop) {
        assert_int_equal(feed_next(f, &got), PERC_OK);
        assert_null(got);
        assert_int_equal(feed_next(f, &got), PERC_OK); /* and again */
        assert_null(got);
    }
    feed_end(f);
    minibatch_free(&want);
}

TEST(batches_are_those_of_a_plain_loop)
{
    static const size_t batch[] = { 1, 7, 32, ROWS, 2 * ROWS };
    static const char *const map[] = { "none", "poly:2" };

    for (size_t k = 0; k < 5; k++)
        for (int threads = 1; threads < 4; threads++) {
            const struct env e = env_resolve(&(perc_env){ .threads = threads });
            struct scene s;
            struct feed *f;
            scene_open(&s, batch[k], map[k % 2], k);
            assert_int_equal(feed_new(&e, &s.source, &f, NULL), PERC_OK);
            check_pass(&s, f, ROWS, SIZE_MAX);
            for (size_t stop = 0; stop < 8; stop++) check_pass(&s, f, ROWS, stop);
            check_pass(&s, f, 0, SIZE_MAX);
            check_pass(&s, f, ROWS - 1, SIZE_MAX);
            feed_begin(f, s.ref, ROWS); /* freed in the middle of a pass */
            feed_free(f);
            scene_close(&s);
        }
}

/* ----- memory -------------------------------------------------------------------------------- */

/* A pass with memory that fails at call n. Returns whether it did. */
static void feed_all(struct scene *s, struct t_sweep *sweep)
{
    const struct env e = env_resolve(&sweep->env);
    struct minibatch *got = NULL;
    struct feed *f;
    uint64_t rows = 0;
    perc_status st = feed_new(&e, &s->source, &f, NULL);

    if (st == PERC_OK) {
        feed_begin(f, s->ref, ROWS);
        while ((st = feed_next(f, &got)) == PERC_OK && got != NULL) rows += got->n;
        if (st != PERC_OK) { /* it stays so, and the next pass is a new one */
            assert_null(got);
            assert_int_equal(feed_next(f, &got), PERC_ENOMEM);
            feed_begin(f, s->ref, ROWS);
            for (rows = 0; feed_next(f, &got) == PERC_OK && got != NULL;) rows += got->n;
        }
        assert_int_equal(rows, ROWS);
    }
    feed_free(f);
    t_sweep_judge(sweep, st);
}

TEST(memory_may_run_out_anywhere)
{
    for (int threads = 1; threads < 3; threads++) {
        struct scene s;
        scene_open(&s, 60, "poly:2", 2);
        for (struct t_sweep w = { .least = 9, .threads = threads }; t_sweep_next(&w);)
            feed_all(&s, &w);
        scene_close(&s);
    }
}
