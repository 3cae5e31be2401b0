/* test_vec_panel.c -- the dots of a panel against those of row.h, to the bit.
 *
 * panel.c is included, not linked, so that what it learns of the processor passes
 * through here: every way is tried that this processor knows. */
#include "t_ways.h"

#include "vec/panel.c"

#include <math.h>

#include "t_alloc.h"
#include "t_rows.h"

enum { MANY = 70, DENSE_WIDTH = 600 }; /* rows x: more than a batch */

/* Rows as they are, and what they stand for. */
struct scene {
    struct sample *of; /* PANEL for the panel, MANY for the others */
    struct row row[PANEL + MANY];
    double *plain; /* COLUMNS zeros */
    double *out;   /* MANY * PANEL */
};

static struct scene scene_new(void)
{
    struct scene s = { .of = malloc((PANEL + MANY) * sizeof *s.of),
                       .plain = calloc(COLUMNS, sizeof *s.plain),
                       .out = malloc(MANY * PANEL * sizeof *s.out) };

    assert_non_null(s.of);
    assert_non_null(s.plain);
    assert_non_null(s.out);
    return s;
}

static void scene_free(struct scene *s)
{
    free(s->of);
    free(s->plain);
    free(s->out);
}

static struct env env_of(struct t_alloc *a)
{
    const perc_env env = { t_alloc, a, 1 };

    return env_resolve(&env);
}

/* Values near 1, so that no sum overflows: what zeros do to an infinity is nobody's
 * business here. */
static void tame(struct sample *s)
{
    for (size_t k = 0; k < s->row.n; k++)
        if (s->row.values == VALUES_F64 && fabs(s->value[k]) > 1e100) {
            char *at = (char *)(uintptr_t)s->row.value + (ptrdiff_t)k * s->row.stride;
            s->value[k] *= 1e-200;
            memcpy(at, &s->value[k], sizeof(double));
        }
}

/* The columns of a sample, moved closer together: no more than `width`. */
static void squeeze(struct rng *r, struct sample *s, uint64_t width)
{
    const uint64_t spread = s->column[s->row.n - 1] + 1;
    uint64_t next = 0;

    if (s->row.indices == INDEX_DENSE || spread <= width) return;
    for (size_t k = 0; k < s->row.n; k++) {
        const uint64_t slack = width - next - (s->row.n - k);
        const uint64_t column = next + (slack > 0 ? rng_below(r, slack / (s->row.n - k) + 2) : 0);
        s->column[k] = column < width - (s->row.n - k) ? column : width - (s->row.n - k);
        next = s->column[k] + 1;
        if (s->row.indices == INDEX_U16) ((uint16_t *)s->index_store)[k] = (uint16_t)s->column[k];
        if (s->row.indices == INDEX_U32) ((uint32_t *)s->index_store)[k] = (uint32_t)s->column[k];
        if (s->row.indices == INDEX_U64) s->index_store[k] = s->column[k];
    }
}

/* kind: of the columns. */
enum { KIND_DENSE, KIND_GAPLESS, KIND_NARROW, KIND_WIDE, KIND_MIXED, KINDS };

static void draw_of_kind(struct rng *r, struct sample *s, int values, int kind, size_t n)
{
    if (kind == KIND_MIXED) kind = (int)rng_below(r, KIND_MIXED);
    const int indices = kind == KIND_DENSE ? INDEX_DENSE : 1 + (int)rng_below(r, 3);

    if (kind != KIND_WIDE && n > DENSE_WIDTH) n = DENSE_WIDTH;
    draw_row(r, s, values, indices, n, natural[values]);
    tame(s);
    if (kind == KIND_GAPLESS && n > 0) squeeze(r, s, n);
    if (kind == KIND_NARROW && n > 0) squeeze(r, s, 300 > n ? 300 : n);
}

static void draw_scene(struct rng *r, struct scene *s, int kind, size_t rows, size_t n)
{
    const int values = (int)rng_below(r, 6); /* 5: each its own */
    const size_t length = (size_t)rng_below(r, LONGEST + 1);

    for (size_t i = 0; i < PANEL + MANY; i++) {
        if (i >= rows && i < PANEL) continue;
        if (i >= PANEL + n) break;
        const size_t own = rng_below(r, 3) == 0 ? (size_t)rng_below(r, length + 1) : length;
        draw_of_kind(r, &s->of[i], values < 5 ? values : (int)rng_below(r, 5), kind, own);
        if (kind == KIND_DENSE && rng_below(r, 4) > 0 && i > 0) {
            const uint64_t first = s->of[0].row.first;
            for (size_t k = 0; k < s->of[i].row.n; k++) s->of[i].column[k] = first + k;
            s->of[i].row.first = first;
        }
        s->row[i] = s->of[i].row;
    }
}

static void check_dots(struct scene *s, const struct panel *p, size_t rows, size_t n)
{
    for (size_t j = 0; j < rows; j++) {
        struct sample *z = &s->of[j];
        for (size_t k = 0; k < z->row.n; k++) s->plain[z->column[k]] = z->value[k];
        for (size_t i = 0; i < n; i++) {
            double dot;
            (p->rounded ? row_dots : row_dots_fused)(&s->row[PANEL + i], 1, s->plain, COLUMNS,
                                                     &dot);
            same(s->out[i * PANEL + j], dot);
        }
        for (size_t k = 0; k < z->row.n; k++) s->plain[z->column[k]] = 0;
        same(p->norm2[j], (p->rounded ? row_norm2 : row_norm2_fused)(&z->row));
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = rows; j < PANEL; j++) same(s->out[i * PANEL + j], 0);
}

/* The rows x in bundles; returns how many of these were packed. */
static size_t bundle_dots(const struct panel *p, const struct row *x, size_t n, double *out)
{
    static struct bundle_room room;
    struct bundle b;
    size_t packed = 0;

    for (size_t from = 0, some; from < n; from += some) {
        some = bundle_fill(&b, &room, x + from, n - from, 2);
        assert_in_range(some, 1, n - from);
        panel_dots_bundle(p, &b, out + from * PANEL);
        packed += b.strips > 0;
    }
    return packed;
}

/* The same with rows as votes have them: doubles, columns of 32 bits. */
static size_t bundle_dots_of_votes(const struct panel *p, struct scene *s, size_t n)
{
    static uint32_t column[MANY][LONGEST];
    struct row x[MANY];

    for (size_t i = 0; i < n; i++) {
        const struct sample *from = &s->of[PANEL + i];
        x[i] = (struct row){ .value = from->value,
                             .index = column[i],
                             .n = from->row.n,
                             .stride = sizeof(double),
                             .values = VALUES_F64,
                             .indices = INDEX_U32 };
        for (size_t k = 0; k < x[i].n; k++) column[i][k] = (uint32_t)from->column[k];
    }
    return bundle_dots(p, x, n, s->out);
}

TEST(dots_are_those_of_rows)
{
    struct rng r = rng_seed(51, 0);
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_of(&a);
    struct scene s = scene_new();
    struct panel p;
    size_t directs = 0, packed = 0;

#ifdef HAVE_TARGETS
    if (!have_avx512()) print_message("no AVX-512 here: that way is not tried\n");
    way = AVX2;
    if (!have_avx2()) print_message("no AVX2 here: that way is not tried\n");
#endif
    panel_init(&p, &e, false);
    for (int round = 0; round < 60 * KINDS; round++) { /* the memory of one panel for all */
        p.rounded = rng_below(&r, 3) == 0;
        const size_t rows = rng_below(&r, 2) == 0 ? PANEL : (size_t)rng_below(&r, PANEL + 1);
        const size_t n = (size_t)rng_below(&r, MANY + 1);
        draw_scene(&r, &s, round % KINDS, rows, n);
        for (way = PLAIN; way < WAYS; way++) {
            assert_int_equal(panel_fill(&p, s.row, rows), PERC_OK);
            panel_dots(&p, s.row + PANEL, n, s.out);
            check_dots(&s, &p, rows, n);
            memset(s.out, 0xff, n * PANEL * sizeof *s.out);
            bundle_dots(&p, s.row + PANEL, n, s.out);
            check_dots(&s, &p, rows, n);
            memset(s.out, 0xff, n * PANEL * sizeof *s.out);
            packed += bundle_dots_of_votes(&p, &s, n);
            check_dots(&s, &p, rows, n);
        }
        directs += p.direct;
    }
    assert_in_range(directs, 30, 60 * KINDS - 30); /* both ways of finding places */
    assert_true(packed > 50);
    way = AVX512;
    panel_free(&p);
    panel_free(&p); /* safe again */
    t_alloc_holds(&a, 0);
    scene_free(&s);
}

/* Numbers around the ends of the range, zeros of both signs and subnormals among them: products
 * underflow, to either zero. Rows with their zeros and without have the same dots. */
TEST(zeros_change_nothing)
{
    static const double extreme[] = { 0,       -0.0, 5e-324, -5e-324, 3e-310, -1e-200, 1e-170,
                                      -1e-150, 1,    -1,     1e150,   -3,     0,       -0.0 };
    enum { WIDTH = 200, ROUNDS = 100 };
    struct rng r = rng_seed(53, 0);
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_of(&a);
    static double dense[PANEL + MANY][WIDTH], kept[PANEL + MANY][WIDTH];
    static double out[4][MANY * PANEL];
    static uint32_t column[PANEL + MANY][WIDTH];
    struct row x[2][PANEL + MANY] = { 0 };
    size_t zeros = 0, packed = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const size_t kinds = round % 2 == 0 ? COUNT(extreme) : 7; /* or all of them tiny */
        struct panel p;
        for (size_t i = 0; i < PANEL + MANY; i++) {
            size_t n = 0;
            for (uint32_t j = 0; j < WIDTH; j++) {
                dense[i][j] = extreme[rng_below(&r, kinds)];
                if (dense[i][j] == 0) continue;
                kept[i][n] = dense[i][j];
                column[i][n++] = j;
            }
            x[0][i] = (struct row){ .value = dense[i],
                                    .n = WIDTH,
                                    .stride = 8,
                                    .values = VALUES_F64,
                                    .indices = INDEX_DENSE };
            x[1][i] = (struct row){ .value = kept[i],
                                    .index = column[i],
                                    .n = n,
                                    .stride = 8,
                                    .values = VALUES_F64,
                                    .indices = INDEX_U32 };
        }
        panel_init(&p, &e, false);
        for (way = PLAIN; way < WAYS; way++) {
            for (int k = 0; k < 4; k++) {
                assert_int_equal(panel_fill(&p, x[k / 2], PANEL), PERC_OK);
                panel_dots(&p, x[k % 2] + PANEL, MANY, out[k]);
                assert_memory_equal(out[0], out[k], sizeof out[0]);
                packed += bundle_dots(&p, x[k % 2] + PANEL, MANY, out[k]);
                assert_memory_equal(out[0], out[k], sizeof out[0]);
            }
            for (size_t i = 0; i < MANY; i++)
                for (size_t j = 0; j < PANEL; j++) {
                    double dot;
                    row_dots_fused(&x[1][PANEL + i], 1, dense[j], WIDTH, &dot);
                    same(out[0][i * PANEL + j], dot);
                    zeros += dot == 0;
                }
        }
        panel_free(&p);
    }
    way = AVX512;
    assert_true(zeros > 10000);
    assert_true(packed > ROUNDS);
    t_alloc_holds(&a, 0);
}

/* Columns far out cost memory for entries, not for columns; and a panel that was wide
 * forgets it. */
TEST(far_columns_cost_little)
{
    const uint64_t far[2] = { 3, UINT64_C(1) << 60 }, other[2] = { 2, UINT64_C(1) << 60 };
    const double value[2] = { 2, 3 };
    struct row x[2] = { { .value = value,
                          .index = far,
                          .n = 2,
                          .stride = 8,
                          .values = VALUES_F64,
                          .indices = INDEX_U64 } };
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_of(&a);
    struct panel p;
    double out[2 * PANEL];

    x[1] = x[0];
    x[1].index = other;
    panel_init(&p, &e, false);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(panel_fill(&p, x, 1), PERC_OK);
        panel_dots(&p, x, 2, out);
        same(out[0], 13);
        same(out[PANEL], 9);
        assert_int_equal(panel_fill(&p, x + 1, 1), PERC_OK);
        panel_dots(&p, x, 2, out);
        same(out[0], 9);
        same(out[PANEL], 13);
    }
    assert_in_range(a.bytes, 1, 10000);
    panel_free(&p);
    t_alloc_holds(&a, 0);
}

TEST(empty_panels_and_rows_have_dots_of_zero)
{
    struct t_alloc a = { .fail_at = -1 };
    const struct env e = env_of(&a);
    const struct row none[2] = { { .indices = INDEX_U32, .values = VALUES_F64, .stride = 8 },
                                 { .indices = INDEX_DENSE } };
    struct panel p;
    double out[2 * PANEL];

    panel_init(&p, &e, false);
    for (size_t rows = 0; rows <= 2; rows++) {
        memset(out, 0xff, sizeof out);
        assert_int_equal(panel_fill(&p, none, rows), PERC_OK);
        panel_dots(&p, none, 2, out);
        for (size_t i = 0; i < 2 * PANEL; i++) same(out[i], 0);
    }
    panel_free(&p);
    t_alloc_holds(&a, 0);
}

/* After a filling that failed the panel is empty, and may be filled again. */
TEST(a_filling_that_fails_leaves_nothing)
{
    struct rng r = rng_seed(52, 0);
    struct scene s = scene_new();
    double out[PANEL];

    for (int kind = 0; kind < KINDS; kind++)
        for (long fail_at = 0;; fail_at++) {
            struct t_alloc a = { .fail_at = fail_at };
            const struct env e = env_of(&a);
            struct panel p;
            draw_scene(&r, &s, kind, PANEL, 1);
            panel_init(&p, &e, false);
            const perc_status st = panel_fill(&p, s.row, PANEL);
            const bool failed = a.failed > 0;
            assert_int_equal(st, failed ? PERC_ENOMEM : PERC_OK);
            if (failed) {
                panel_dots(&p, s.row + PANEL, 1, out);
                for (size_t j = 0; j < PANEL; j++) same(out[j], 0);
                assert_int_equal(panel_fill(&p, s.row, PANEL), PERC_OK);
            }
            panel_dots(&p, s.row + PANEL, 1, s.out);
            check_dots(&s, &p, PANEL, 1);
            panel_free(&p);
            t_alloc_holds(&a, 0);
            if (!failed) break;
        }
    scene_free(&s);
}
