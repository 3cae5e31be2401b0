/* test_vec_lanes.c -- the dot product in lanes, for every encoding, against its definition.
 *
 * row_lanes.c is included, not linked, so that the loops for each kind of processor can be
 * called by name. */
#include "t.h"
#include "vec/row_lanes.c"

#include "t_rows.h"

static double w[COLUMNS + 8], u[COLUMNS + 8], buf[LONGEST];

static void draw_weights(struct rng *r)
{
    for (size_t j = 0; j < COLUMNS; j++) w[j] = u[j] = rng_normal(r);
}

/* Lane by lane, from the columns and values that were drawn. */
static double dot_by_hand(const struct sample *s, uint64_t dims)
{
    double a[8] = { 0 };

    for (size_t l = 0; l < 8; l++)
        for (size_t k = 0; k < s->row.n; k++)
            if (s->column[k] % 8 == l && s->column[k] < dims) a[l] += w[s->column[k]] * s->value[k];
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

static void check_row(const struct sample *s, uint64_t dims)
{
    const struct row_values v = row_decode(&s->row, dims, buf);

    same(row_lane_dot(&s->row, &v, w), dot_by_hand(s, dims));
    row_add(0.3, &s->row, &v, u);
    for (size_t k = 0; k < s->row.n; k++) {
        const uint64_t j = s->column[k] % COLUMNS; /* they are below it; so the compiler sees */
        same(u[j], j < dims ? w[j] + 0.3 * s->value[k] : w[j]);
        u[j] = w[j];
    }
}

TEST(every_encoding_and_length)
{
    static const size_t length[] = { 0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 255, 256, 257, LONGEST };
    struct rng r = rng_seed(1, 1);
    struct sample *s = calloc(1, sizeof *s);

    assert_non_null(s);
    draw_weights(&r);
    for (int values = VALUES_ONES; values <= VALUES_F64; values++)
        for (int indices = INDEX_DENSE; indices <= INDEX_U64; indices++)
            for (size_t k = 0; k < 8 * COUNT(length); k++) {
                draw_row(&r, s, values, indices, length[k / 8], natural[values]);
                check_row(s, ALL_COLUMNS);
                check_row(s, 1 + rng_below(&r, 2000));
                if (values == VALUES_ONES) continue;
                draw_row(&r, s, values, indices, length[k / 8], 24);
                check_row(s, ALL_COLUMNS);
            }
    for (size_t j = 0; j < COLUMNS; j++) same(u[j], w[j]); /* nothing else was touched */
    free(s);
}

/* A row with its zeros, from any first column, and the same row without them. */
TEST(zeros_change_nothing)
{
    struct rng r = rng_seed(2, 2);
    double value[200], few[200];
    uint32_t column[200];

    draw_weights(&r);
    for (int k = 0; k < 300; k++) {
        const size_t n = (size_t)rng_below(&r, 200);
        const uint64_t first = rng_below(&r, 20);
        size_t m = 0;
        for (size_t i = 0; i < n; i++) {
            value[i] = rng_below(&r, 2) == 0 ? 0 : rng_normal(&r);
            if (value[i] == 0) continue;
            few[m] = value[i];
            column[m++] = (uint32_t)(first + i);
        }
        const struct row dense = { .value = value,
                                   .n = n,
                                   .first = first,
                                   .stride = 8,
                                   .values = VALUES_F64,
                                   .indices = INDEX_DENSE };
        const struct row sparse = { .value = few,
                                    .index = column,
                                    .n = m,
                                    .stride = 8,
                                    .values = VALUES_F64,
                                    .indices = INDEX_U32 };
        const struct row_values a = row_decode(&dense, ALL_COLUMNS, buf);
        const double s = row_lane_dot(&dense, &a, w);
        const struct row_values b = row_decode(&sparse, ALL_COLUMNS, buf);
        same(s, row_lane_dot(&sparse, &b, w));
    }
}

/* Lanes of an array go by place. */
TEST(arrays_too)
{
    struct rng r = rng_seed(3, 3);

    draw_weights(&r);
    for (size_t n = 0; n < 300; n++) {
        double lane[8] = { 0 };
        for (size_t k = 0; k < n; k++) lane[k % 8] += w[k] * w[k + 1000];
        same(row_lanes_dot(w, w + 1000, n), ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
                                                ((lane[4] + lane[5]) + (lane[6] + lane[7])));
    }
}

/* Every twin that this processor can run, whole groups only. */
TEST(twins_agree)
{
    struct rng r = rng_seed(4, 4);
    void (*dots[3])(const double *, const double *, size_t, double *) = { dot_plain };
    void (*adds[3])(double, const double *, size_t, double *) = { add_plain };
    int twins = 1;

#ifdef HAVE_TARGETS
    if (__builtin_cpu_supports("avx2")) {
        dots[twins] = dot_avx2;
        adds[twins++] = add_avx2;
    }
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        dots[twins] = dot_avx512;
        adds[twins++] = add_avx512;
    }
#endif
    draw_weights(&r);
    for (int t = 0; t < twins; t++)
        for (size_t n = 0; n < 100; n += 8) {
            double lane[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, want[8], sum[100];
            memcpy(want, lane, sizeof want);
            for (size_t k = 0; k < n; k++) {
                want[k % 8] += w[k] * w[k + 500];
                sum[k] = w[k] + 0.7 * w[k + 500];
            }
            dots[t](w, w + 500, n, lane);
            adds[t](0.7, w + 500, n, u);
            for (size_t k = 0; k < 8; k++) same(lane[k], want[k]);
            for (size_t k = 0; k < 100; k++) {
                same(u[k], k < n ? sum[k] : w[k]);
                u[k] = w[k];
            }
        }
}
