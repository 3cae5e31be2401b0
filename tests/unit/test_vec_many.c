/* test_vec_many.c -- loops over many weight vectors against one vector at a time.
 *
 * Every comparison is of bits: whatever runs side by side, each vector gets what it
 * would get alone. row_many.c is included, not linked, so that what it learns of the
 * processor passes through here: every way is tried that this processor knows. */
#include "t_ways.h"

#include "vec/row_many.c"

#include <math.h>

#include "t_rows.h"

static const size_t strides[] = { 1, 4, 8, 12, 16, 20, 24, 28, 32, 36, 64, 68, 100 };

enum { STRIDES = COUNT(strides), WIDEST = 100 };

static double *random_array(struct rng *r, size_t n)
{
    double *w = malloc(n * sizeof *w);

    assert_non_null(w);
    for (size_t j = 0; j < n; j++) w[j] = rng_uniform(r) - 0.5;
    return w;
}

static ptrdiff_t draw_stride(struct rng *r, int values)
{
    return values != VALUES_ONES && rng_below(r, 5) == 0 ? -GAP : natural[values];
}

/* ----- scores ------------------------------------------------------------------- */

/* row_dot of each vector alone. Its weights at other columns are NaN: whoever looks
 * at them gives himself away. */
static void scores_one_by_one(const struct sample *s, const double *w, uint64_t dims, size_t stride,
                              double *alone, double *want)
{
    for (size_t c = 0; c < stride; c++) {
        for (size_t k = 0; k < s->row.n; k++) alone[s->column[k]] = w[s->column[k] * stride + c];
        want[c] = row_dot(&s->row, alone, dims);
    }
    for (size_t k = 0; k < s->row.n; k++) alone[s->column[k]] = NAN;
}

static void check_scores(const struct sample *s, const double *w, uint64_t dims, size_t stride,
                         double *alone)
{
    enum { GUARD = 4 };
    double want[WIDEST], out[WIDEST + GUARD];

    scores_one_by_one(s, w, dims, stride, alone, want);
    for (way = PLAIN; way < WAYS; way++) {
        for (size_t c = 0; c < stride + GUARD; c++) out[c] = 12345;
        row_scores(&s->row, w, dims, stride, out);
        for (size_t c = 0; c < stride; c++) same(out[c], want[c]);
        for (size_t c = stride; c < stride + GUARD; c++) same(out[c], 12345); /* not one more */
    }
    way = AVX512;
}

/* No entries, few, those around the length of a piece and of two, and the longest. */
static size_t draw_length(struct rng *r, int round)
{
    static const size_t lengths[] = {
        0, 1, 2, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE - 1, 2 * PIECE, 2 * PIECE + 1, LONGEST
    };
    const int fixed = (int)(COUNT(lengths));

    if (round % 2 == 0) return (size_t)rng_below(r, LONGEST + 1);
    return lengths[round / 2 % fixed];
}

TEST(scores_are_the_dots_of_each_vector_alone)
{
    enum { ROUNDS = 20 };
    struct rng r = rng_seed(21, 0);
    double *w = random_array(&r, (size_t)COLUMNS * WIDEST), *alone = random_array(&r, COLUMNS);
    static struct sample s;

#ifdef HAVE_TARGETS
    if (TARGETED(walk) != walk_avx512) print_message("no AVX-512 here: that way is not tried\n");
    way = AVX2;
    if (TARGETED(walk) != walk_avx2) print_message("no AVX2 here: that way is not tried\n");
#endif
    for (size_t j = 0; j < COLUMNS; j++) alone[j] = NAN;
    for (int kind = 0; kind < 5 * 4; kind++)
        for (size_t i = 0; i < STRIDES; i++)
            for (int round = 0; round < ROUNDS; round += 1 + (int)rng_below(&r, 5)) {
                const int values = kind % 5, indices = kind / 5;
                const size_t n = draw_length(&r, round);
                draw_row(&r, &s, values, indices, n, draw_stride(&r, values));
                check_scores(&s, w, ALL_COLUMNS, strides[i], alone);
                check_scores(&s, w, rng_below(&r, 2000), strides[i], alone);
                if (n == 0) continue;
                check_scores(&s, w, s.column[n / 2], strides[i], alone);
                check_scores(&s, w, s.column[n - 1] + 1, strides[i], alone);
            }
    free(w);
    free(alone);
}

/* A score is the sum it is said to be, not only what row_dot says. */
TEST(a_score_is_the_plain_sum)
{
    struct rng r = rng_seed(22, 0);
    double *w = random_array(&r, (size_t)COLUMNS * 12), out[12];
    static struct sample s;

    for (int round = 0; round < 300; round++) {
        draw_row(&r, &s, round % 5, round / 5 % 4, draw_length(&r, round), natural[round % 5]);
        row_scores(&s.row, w, ALL_COLUMNS, 12, out);
        for (size_t c = 0; c < 12; c++) {
            double sum = 0;
            for (size_t k = 0; k < s.row.n; k++) sum += w[s.column[k] * 12 + c] * s.value[k];
            same(out[c], sum);
        }
    }
    free(w);
}

/* ----- updates ------------------------------------------------------------------ */

/* Two arrays as they are, and as they should be. */
struct arrays {
    double *w, *u, *want_w, *want_u;
    size_t size;
};

static struct arrays arrays_new(struct rng *r, size_t stride)
{
    const size_t size = COLUMNS * stride;
    struct arrays a = { random_array(r, size), random_array(r, size), random_array(r, size),
                        random_array(r, size), size };

    memcpy(a.want_w, a.w, size * sizeof *a.w);
    memcpy(a.want_u, a.u, size * sizeof *a.u);
    return a;
}

/* After the last update: nothing else was touched on the way. */
static void arrays_end(struct arrays *a)
{
    assert_memory_equal(a->w, a->want_w, a->size * sizeof *a->w);
    assert_memory_equal(a->u, a->want_u, a->size * sizeof *a->u);
    free(a->w);
    free(a->u);
    free(a->want_w);
    free(a->want_u);
}

/* want_jc += a x_j, for columns below dims. */
static void expect(double *want, size_t stride, size_t c, double a, const struct sample *s,
                   uint64_t dims)
{
    for (size_t k = 0; k < s->row.n; k++) {
        const double product = a * s->value[k];
        if (s->column[k] < dims) want[s->column[k] * stride + c] += product;
    }
}

static void check_update(struct rng *r, struct arrays *t, const struct sample *s, uint64_t dims,
                         size_t stride)
{
    const double a = rng_normal(r), b = rng_normal(r);
    const size_t p = rng_below(r, stride), q = rng_below(r, stride);
    double *const u = rng_below(r, 2) == 0 ? t->u : NULL;

    row_axpy_in(a, &s->row, t->w + p, dims, stride);
    expect(t->want_w, stride, p, a, s, dims);
    row_axpy_two(a, b, &s->row, t->w + p, t->u + p, dims, stride);
    expect(t->want_w, stride, p, a, s, dims);
    expect(t->want_u, stride, p, b, s, dims);
    if (p != q) {
        row_axpy_pair(a, b, &s->row, t->w, u, dims, stride, p, q);
        expect(t->want_w, stride, p, a, s, dims);
        expect(t->want_w, stride, q, -a, s, dims);
        if (u != NULL) expect(t->want_u, stride, p, b, s, dims);
        if (u != NULL) expect(t->want_u, stride, q, -b, s, dims);
    }
    for (size_t k = 0; k < s->row.n; k++)
        for (size_t c = 0; c < stride; c++) {
            same(t->w[s->column[k] * stride + c], t->want_w[s->column[k] * stride + c]);
            same(t->u[s->column[k] * stride + c], t->want_u[s->column[k] * stride + c]);
        }
}

/* All vectors at once, some of them with a step of 0; every way. */
static void check_update_of_all(struct rng *r, struct arrays *t, const struct sample *s,
                                uint64_t dims, size_t stride)
{
    double a[WIDEST], b[WIDEST];

    for (way = PLAIN; way < WAYS; way++) {
        double *const u = rng_below(r, 2) == 0 ? t->u : NULL;
        for (size_t c = 0; c < stride; c++) {
            a[c] = rng_below(r, 3) > 0 ? rng_normal(r) : 0;
            b[c] = rng_below(r, 3) > 0 ? rng_normal(r) : 0;
            expect(t->want_w, stride, c, a[c], s, dims);
            if (u != NULL) expect(t->want_u, stride, c, b[c], s, dims);
        }
        row_axpy_all(a, b, &s->row, t->w, u, dims, stride);
        for (size_t k = 0; k < s->row.n; k++)
            for (size_t c = 0; c < stride; c++) {
                same(t->w[s->column[k] * stride + c], t->want_w[s->column[k] * stride + c]);
                same(t->u[s->column[k] * stride + c], t->want_u[s->column[k] * stride + c]);
            }
    }
    way = AVX512;
}

TEST(updates_of_all_vectors_are_those_of_each)
{
    struct rng r = rng_seed(24, 0);
    static struct sample s;

    for (size_t i = 1; i < STRIDES; i++) {
        struct arrays t = arrays_new(&r, strides[i]);
        for (int round = 0; round < 60; round++) {
            const int values = round % 5, indices = round / 5 % 4;
            const size_t n = draw_length(&r, round);
            draw_row(&r, &s, values, indices, n, draw_stride(&r, values));
            const uint64_t cut = n > 0 ? s.column[rng_below(&r, n)] : 1;
            check_update_of_all(&r, &t, &s, rng_below(&r, 2) == 0 ? ALL_COLUMNS : cut, strides[i]);
        }
        arrays_end(&t);
    }
}

TEST(updates_add_each_product_once)
{
    static const size_t some[] = { 1, 4, 12, 20 };
    struct rng r = rng_seed(23, 0);
    static struct sample s;

    for (size_t i = 0; i < COUNT(some); i++) {
        struct arrays t = arrays_new(&r, some[i]);
        for (int round = 0; round < 400; round++) {
            const int values = round % 5, indices = round / 5 % 4;
            const size_t n = draw_length(&r, round);
            draw_row(&r, &s, values, indices, n, draw_stride(&r, values));
            const uint64_t cut = n > 0 ? s.column[rng_below(&r, n)] : 1;
            check_update(&r, &t, &s, rng_below(&r, 2) == 0 ? ALL_COLUMNS : cut, some[i]);
        }
        arrays_end(&t);
    }
}

TEST(stride_rounds_up_to_whole_groups)
{
    assert_int_equal(row_many_stride(1), 1);
    for (size_t k = 2; k < 50; k++) {
        assert_int_equal(row_many_stride(k) % VEC_LANES, 0);
        assert_true(row_many_stride(k) >= k && row_many_stride(k) < k + VEC_LANES);
    }
}
