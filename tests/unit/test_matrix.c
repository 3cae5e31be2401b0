/* test_matrix.c -- products against one chain of fmaf an element, to the bit.
 *
 * matrix.c is included, not linked, so that what it learns of the processor passes through here:
 * every way is tried that this processor knows. */
#include "t_ways.h"

#include "vec/matrix.c"

#include <float.h>

#include "vec/rng.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ----- numbers ------------------------------------------------------------------------- */

enum kind { TAME, WILD, ANY }; /* moderate; of all sizes, zeros and subnormals; not finite too */

static float draw(struct rng *r, enum kind kind)
{
    static const float special[] = {
        0.0f,   -0.0f, 1,       -1,       FLT_MIN,  -FLT_MIN, FLT_TRUE_MIN, -3 * FLT_TRUE_MIN,
        1e-25f, 1e15f, FLT_MAX, INFINITY, -INFINITY
    };
    const float x = (float)(2 * rng_uniform(r) - 1);
    const uint64_t n = COUNT(special);

    if (kind == TAME || rng_below(r, 4) > 0) return x;
    if (kind == ANY && rng_below(r, 20) > 0) return x; /* now and then, or all would be NaN */
    return special[rng_below(r, kind == ANY ? n : n - 3)];
}

/* n numbers that begin anywhere: sixteen floats more than asked for, `*room` is to be freed. */
static float *numbers(struct rng *r, enum kind kind, size_t n, void **room)
{
    float *p = malloc((n + 32) * sizeof *p);

    assert_non_null(p);
    *room = p;
    for (size_t i = 0; i < n + 32; i++) p[i] = draw(r, kind);
    return p + rng_below(r, 17);
}

/* The same bits; what is not a number may be any such. */
static int same(const float *x, const float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&x[i], &y[i], sizeof *x) != 0 && !(x[i] != x[i] && y[i] != y[i])) return 0;
    return 1;
}

/* ----- dense ------------------------------------------------------------------------------ */

struct shape {
    size_t m, n, k;
    size_t more; /* floats of padding in the rows of all three */
    int transposed;
};

/* The definition. */
static void chains(const struct shape *s, const float *a, size_t ai, size_t al, const float *b,
                   size_t bs, float *c, size_t cs)
{
    for (size_t i = 0; i < s->m; i++)
        for (size_t j = 0; j < s->n; j++) {
            float sum = c[i * cs + j];
            for (size_t l = 0; l < s->k; l++) sum = fmaf(a[i * ai + l * al], b[l * bs + j], sum);
            c[i * cs + j] = sum;
        }
}

static void check(struct rng *r, enum kind kind, const struct shape *s)
{
    const size_t as = matrix_stride(s->transposed ? s->m : s->k) + s->more, cs = s->n + s->more;
    const size_t ai = s->transposed ? 1 : as, al = s->transposed ? as : 1, size = s->m * cs;
    void *room[4];
    const float *a = numbers(r, kind, as * (s->transposed ? s->k : s->m), &room[0]);
    const float *b = numbers(r, kind, s->k * cs, &room[1]);
    float *c = numbers(r, kind, size + 1, &room[2]), *d = numbers(r, kind, size + 1, &room[3]);
    float *start = malloc((size + 1) * sizeof *start);

    assert_non_null(start);
    memcpy(start, c, (size + 1) * sizeof *c);
    chains(s, a, ai, al, b, cs, c, cs);
    for (way = PLAIN; way < WAYS; way++) {
        memcpy(d, start, (size + 1) * sizeof *d);
        matrix_add(s->m, s->n, s->k, a, ai, al, b, cs, d, cs);
        if (!same(c, d, size + 1)) /* with what is between the rows, and one beyond */
            fail_msg("way %d: %zu x %zu over %zu%s, %zu more", way, s->m, s->n, s->k,
                     s->transposed ? ", transposed" : "", s->more);
    }
    way = AVX512;
    free(start);
    for (int i = 0; i < 4; i++) free(room[i]);
}

/* Every height of a tile and every number of groups; then cuts of the inner index. */
TEST(tiles_of_all_sizes)
{
    struct rng r = rng_seed(71, 0);

    for (size_t m = 0; m <= 31; m++)
        for (size_t groups = 0; groups <= 9; groups++) {
            const size_t k = (size_t)rng_below(&r, 12);
            check(&r, WILD, &(struct shape){ m, groups * 16, k, 0, m % 2 == 0 });
        }
    for (size_t k = 100; k < 1200; k += 61)
        check(&r, TAME, &(struct shape){ 7, k % 5 * 16 + 16, k, 16, k % 2 == 0 });
}

TEST(any_shape)
{
    struct rng r = rng_seed(72, 0);

    for (int round = 0; round < 400; round++) {
        const struct shape s = { (size_t)rng_below(&r, 60), 16 * (size_t)rng_below(&r, 12),
                                 (size_t)rng_below(&r, 150), 16 * (size_t)rng_below(&r, 3),
                                 (int)rng_below(&r, 2) };
        check(&r, (enum kind)(round % 3), &s);
    }
}

/* Rows of B far apart, with few rows of A and many: on both sides of what is copied. */
TEST(rows_that_are_far_apart)
{
    struct rng r = rng_seed(73, 0);

    for (size_t m = 44; m <= 52; m++) {
        check(&r, WILD, &(struct shape){ m, 240, 41, 0, 0 });
        check(&r, WILD, &(struct shape){ m, 256, 41, 0, 1 });
        check(&r, TAME, &(struct shape){ m, 48, 650, 464, 0 });
        check(&r, TAME, &(struct shape){ m, 80, 263, 1008, 1 });
    }
}

TEST(shapes_of_training)
{
    static const struct shape shape[] = { { 200, 112, 784, 0, 0 }, { 784, 112, 200, 0, 1 },
                                          { 32, 112, 784, 0, 0 },  { 784, 112, 32, 0, 1 },
                                          { 128, 512, 784, 0, 0 }, { 200, 16, 112, 0, 0 },
                                          { 112, 16, 200, 0, 1 },  { 1, 112, 784, 0, 0 } };
    struct rng r = rng_seed(74, 0);

    for (size_t i = 0; i < COUNT(shape); i++) check(&r, TAME, &shape[i]);
}

/* Each chain rounds once a step, and goes in order: three steps that tell. */
TEST(a_step_is_rounded_once)
{
    const float a[3] = { 1 + 0x1p-12f, 1, 0x1p30f };
    float b[3][16], c[16];

    for (int j = 0; j < 16; j++) {
        b[0][j] = 1 + 0x1p-12f; /* the square is 1 + 2^-11 + 2^-24 */
        b[1][j] = -1 - 0x1p-11f;
        b[2][j] = 0x1p-30f;
    }
    for (way = PLAIN; way < WAYS; way++) {
        for (int j = 0; j < 16; j++) c[j] = -1 - 0x1p-11f;
        matrix_add(1, 16, 1, a, 3, 1, b[0], 16, c, 16);
        for (int j = 0; j < 16; j++) assert_true(c[j] == 0x1p-24f);
        matrix_add(1, 16, 2, a + 1, 2, 1, b[1], 16, c, 16);
        for (int j = 0; j < 16; j++) assert_true(c[j] == -0x1p-11f); /* 2^-24 was lost on the way */
    }
    way = AVX512;
}

/* ----- sparse ------------------------------------------------------------------------------ */

struct table {
    struct sparse x;
    size_t columns;
    float *dense, *value;
    uint32_t *start, *column;
};

/* About one entry in `every`, but for some rows that have none, or all of them. */
static struct table table_new(struct rng *r, size_t rows, size_t columns, uint64_t every)
{
    struct table t = { .columns = columns };
    uint32_t n = 0;

    t.dense = calloc(rows * columns + 1, sizeof *t.dense);
    t.value = calloc(rows * columns + 1, sizeof *t.value);
    t.column = calloc(rows * columns + 1, sizeof *t.column);
    t.start = calloc(rows + 1, sizeof *t.start);
    assert_true(t.dense != NULL && t.value != NULL && t.column != NULL && t.start != NULL);
    for (size_t i = 0; i < rows; i++) {
        const uint64_t kind = rng_below(r, 10), step = kind == 1 ? 1 : every;
        for (size_t j = 0; j < columns; j++) {
            if (kind == 0 || rng_below(r, step) > 0) continue;
            t.dense[i * columns + j] = t.value[n] = draw(r, TAME);
            t.column[n++] = (uint32_t)j;
        }
        t.start[i + 1] = n;
    }
    t.x = (struct sparse){ rows, t.start, t.column, t.value };
    return t;
}

static void table_free(struct table *t)
{
    free(t->dense);
    free(t->value);
    free(t->column);
    free(t->start);
}

/* Rows from .. to - 1 of t, against the chains of the dense rows. */
static void check_sparse(struct rng *r, const struct table *t, size_t from, size_t to, size_t n)
{
    const struct shape s = { to - from, n, t->columns, 0, 0 };
    const size_t bs = n + 16 * (size_t)rng_below(r, 2), size = (to - from) * n;
    void *room[4];
    const float *b = numbers(r, TAME, t->columns * bs, &room[0]);
    float *start = numbers(r, TAME, size + 1, &room[1]);
    float *c = numbers(r, TAME, size + 1, &room[2]), *d = numbers(r, TAME, size + 1, &room[3]);

    memcpy(c, start, (size + 1) * sizeof *c);
    chains(&s, t->dense + from * t->columns, t->columns, 1, b, bs, c, n);
    for (way = PLAIN; way < WAYS; way++) {
        memcpy(d, start, (size + 1) * sizeof *d);
        matrix_add_sparse(&t->x, from, to, n, b, bs, d, n);
        if (!same(c, d, size + 1))
            fail_msg("way %d: rows %zu to %zu, %zu by %zu", way, from, to, t->columns, n);
    }
    way = AVX512;
    for (int i = 0; i < 4; i++) free(room[i]);
}

/* The same bits as rows with their zeros; of all widths, some cut into pieces of B, some not. */
TEST(sparse_rows_are_as_dense_ones)
{
    static const size_t columns[] = { 1, 3, 60, 91, 92, 300, 784 };
    struct rng r = rng_seed(75, 0);

    for (size_t k = 0; k < COUNT(columns); k++)
        for (size_t groups = 0; groups <= 17; groups++) {
            const size_t rows = 1 + (size_t)rng_below(&r, 12);
            struct table t = table_new(&r, rows, columns[k], 1 + rng_below(&r, 8));
            const size_t from = (size_t)rng_below(&r, rows + 1);
            check_sparse(&r, &t, from, rows, 16 * groups);
            check_sparse(&r, &t, 0, from, 16 * groups);
            table_free(&t);
        }
}

/* More rows than go through B together, and fewer entries than make that worth while. */
TEST(many_sparse_rows)
{
    struct rng r = rng_seed(76, 0);

    for (uint64_t every = 1; every <= 64; every *= 4) {
        struct table t = table_new(&r, 530, 400, every);
        check_sparse(&r, &t, 0, 530, 48);
        check_sparse(&r, &t, 5, 5 + 257, 112);
        check_sparse(&r, &t, 529, 530, 112);
        check_sparse(&r, &t, 200, 200 + TOGETHER, 80);
        table_free(&t);
    }
}

/* When B is cut; and the largest column there can be does not wrap. */
TEST(the_pieces_of_b)
{
    struct rng r = rng_seed(77, 0);
    struct table t = table_new(&r, 64, 1000, 2);
    uint64_t width;

    assert_true(columns_of(&t.x, 0, 64, 112, &width) <= 1000 && width == NEAR / 112); /* cut */
    columns_of(&t.x, 0, 7, 112, &width);
    assert_true(width > 900); /* too few rows */
    columns_of(&t.x, 0, 64, NEAR + 16, &width);
    assert_true(width > 900); /* no row of B is near */

    const uint32_t start[] = { 0, 1 }, column[] = { UINT32_MAX };
    const struct sparse far = { 1, start, column, t.value };
    assert_true(columns_of(&far, 0, 1, 16, &width) == (uint64_t)UINT32_MAX + 1);
    assert_true(width == (uint64_t)UINT32_MAX + 1);
    table_free(&t);
}

/* ----- transposed ---------------------------------------------------------------------------- */

TEST(transposes)
{
    struct rng r = rng_seed(78, 0);

    for (size_t rows = 0; rows <= 21; rows++)
        for (size_t columns = 0; columns <= 21; columns++) {
            const size_t fs = matrix_stride(columns) + 16, ts = matrix_stride(rows) + 16;
            void *room[2];
            const float *from = numbers(&r, WILD, rows * fs, &room[0]);
            float *to = numbers(&r, WILD, columns * ts + 1, &room[1]);
            to[columns * ts] = 5;
            matrix_transpose(rows, columns, from, fs, to, ts);
            for (size_t j = 0; j < columns; j++)
                for (size_t i = 0; i < ts; i++) {
                    const float x = i < rows ? from[i * fs + j] : 0;
                    assert_memory_equal(&to[j * ts + i], &x, sizeof x);
                }
            assert_true(to[columns * ts] == 5);
            free(room[0]);
            free(room[1]);
        }
}

/* ----- parts ---------------------------------------------------------------------------------- */

/* As few parts as can be, and none below half of the largest. */
TEST(parts_are_nearly_alike)
{
    for (size_t most = 1; most < 20; most++)
        for (size_t n = 1; n < 100; n++) {
            size_t count = 0, smallest = SIZE_MAX, largest = 0;
            for (size_t left = n, take; left > 0; left -= take, count++) {
                take = even_part(left, most);
                assert_true(take >= 1 && take <= least(left, most));
                smallest = least(smallest, take);
                if (take > largest) largest = take;
            }
            assert_true(count == (n + most - 1) / most);
            assert_true(largest - smallest <= 1);
        }
}

TEST(what_this_processor_knows)
{
#ifdef HAVE_TARGETS
    if (ways_here().tile != tiles_avx512) print_message("no AVX-512 here: that way is not tried\n");
    way = AVX2;
    if (ways_here().tile != tiles_avx2) print_message("no AVX2 here: that way is not tried\n");
#endif
    way = PLAIN;
    assert_true(ways_here().tile == tile_plain);
    way = AVX512;
}
