/* test_vec.c -- the inner loops against a plain loop over the numbers they stand for.
 *
 * Every comparison is of bits: the order of the sums is fixed (row.h), so there is
 * nothing to tolerate. (Quick scores are the exception: they promise a bound.)
 *
 * row_dot.c is included, not linked, so that each way of decoding decimals can be
 * called by name, and what it learns of the processor passes through here: the
 * loops for any processor are tried on every one. */
#include "t_ways.h"

#include "t_cases.h"
#include "vec/row_dot.c"

#include "t_rows.h"

static double *weights(struct rng *r)
{
    double *w = malloc(COLUMNS * sizeof *w);

    assert_non_null(w);
    for (size_t j = 0; j < COLUMNS; j++) w[j] = rng_normal(r);
    return w;
}

/* s = ((0 + w_1 x_1) + w_2 x_2) + ..., for columns below dims. */
static double plain_dot(const struct sample *s, const double *w, uint64_t dims)
{
    double sum = 0;

    for (size_t k = 0; k < s->row.n; k++)
        if (s->column[k] < dims) sum += w[s->column[k]] * s->value[k];
    return sum;
}

/* The fused chain, each step by the C library's fma. */
static double fused_dot(const struct sample *s, const double *w, uint64_t dims)
{
    double sum = 0;

    for (size_t k = 0; k < s->row.n; k++)
        if (s->column[k] < dims) sum = fma(w[s->column[k]], s->value[k], sum);
    return sum + 0.0;
}

/* ----- decimals --------------------------------------------------------------- */

TEST(decimal_is_what_its_text_says)
{
    static const uint32_t mantissas[] = { 0,       1,        2,       3,      5,       7,
                                          9,       10,       99,      100,    255,     256,
                                          12345,   65535,    65536,   999999, 1000000, 8388607,
                                          8388608, 16777214, 16777215 };
    char text[40];

    for (size_t i = 0; i < COUNT(mantissas); i++)
        for (unsigned places = 0; places <= DEC_PLACES_MAX; places++) {
            snprintf(text, sizeof text, "-%ue-%u", (unsigned)mantissas[i], places);
            same(decimal_unpack(decimal_pack(mantissas[i], places, true)), strtod(text, NULL));
            same(decimal_unpack(decimal_pack(mantissas[i], places, false)), strtod(text + 1, NULL));
        }
}

typedef void decimals_fn(const uint32_t *v, size_t n, double *out);

/* All places and signs, in every position of a vector, at every length and offset;
 * places above 15 are what the widest loop treats apart. */
static void check_decimals(decimals_fn *f, unsigned most_places)
{
    enum { N = 4096, GUARD = 3 };
    struct rng r = rng_seed(7, most_places);
    static uint32_t v[N];
    static double out[N + GUARD];

    for (size_t k = 0; k < N; k++)
        v[k] = decimal_pack((uint32_t)rng_below(&r, 1 << 24), (unsigned)(k % (most_places + 1)),
                            k / (most_places + 1) % 2 == 1);
    for (size_t k = 0; k < 64; k++) v[k] &= 0x3f000000u | (k % 3 == 0 ? 0 : 1); /* zeros, ones */
    for (size_t from = 0; from < 9; from++)
        for (size_t n = 0; n < 70; n++) {
            for (size_t k = 0; k < n + GUARD; k++) out[k] = 12345;
            f(v + from * 57, n, out);
            for (size_t k = 0; k < n; k++) same(out[k], decimal_unpack(v[from * 57 + k]));
            for (size_t k = n; k < n + GUARD; k++) same(out[k], 12345); /* not one too many */
        }
    f(v, N, out);
    for (size_t k = 0; k < N; k++) same(out[k], decimal_unpack(v[k]));
}

TEST(every_way_of_decoding_decimals_gives_the_same_bits)
{
    check_decimals(decimals_plain, DEC_PLACES_MAX);
    for (way = 0; way < WAYS; way++) check_decimals(TARGETED(decimals), DEC_PLACES_MAX);
    way = AVX512;
#ifdef HAVE_TARGETS
    if (__builtin_cpu_supports("avx2")) {
        check_decimals(decimals_avx2, DEC_PLACES_MAX);
        check_decimals(decimals_avx2, 15);
    } else {
        print_message("no AVX2 here: that path is not tried\n");
    }
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        check_decimals(decimals_avx512, DEC_PLACES_MAX);
        check_decimals(decimals_avx512, 15); /* no vector of it goes to the plain loop */
    } else {
        print_message("no AVX-512 here: that path is not tried\n");
    }
#endif
}

/* Where quotients are made without division, every one of the 2^28 is compared with
 * the quotient; the sign is put on at the end and need not double that. Without an
 * optimiser or with a sanitizer one in some hundred has to do. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { STEP = 1 };
#else
enum { STEP = 251 };
#endif

TEST(decimals_without_division_are_quotients)
{
    enum { N = 4096 };
    static uint32_t v[N];
    static double out[N], want[N];

    for (unsigned places = 0; places <= 15; places++)
        for (uint32_t m = 0; m < 1u << DEC_MANTISSA_BITS; m += N * STEP) {
            for (uint32_t k = 0; k < N; k++) {
                v[k] = decimal_pack((m + k * STEP) & 0xffffffu, places, false);
                want[k] = (double)((m + k * STEP) & 0xffffffu) / decimal_divisor[places];
            }
            TARGETED(decimals)(v, N, out);
            assert_memory_equal(out, want, sizeof out);
        }
}

/* ----- one row ------------------------------------------------------------------ */

static void check_row(const struct sample *s, const double *w)
{
    const struct row *r = &s->row;
    const uint64_t last = r->n > 0 ? s->column[r->n - 1] : 0;
    double norm2 = 0, fused2 = 0;

    way = (way + 1) % WAYS; /* each in its turn */
    same(row_dot(r, w, ALL_COLUMNS), plain_dot(s, w, ALL_COLUMNS));
    same(row_dot(r, w, last + 1), plain_dot(s, w, ALL_COLUMNS));
    same(row_dot(r, w, last), plain_dot(s, w, last)); /* one column is unknown  */
    same(row_dot(r, w, last / 2), plain_dot(s, w, last / 2));
    same(row_dot(r, w, 0), 0); /* all of them are        */
    for (size_t k = 0; k < r->n; k++) {
        assert_int_equal(row_column(r, k), s->column[k]);
        same(row_value(r, k), s->value[k]);
        norm2 += s->value[k] * s->value[k];
        fused2 = fma(s->value[k], s->value[k], fused2);
    }
    same(row_norm2(r), norm2);
    same(row_norm2_fused(r), fused2);
    row_prefetch(r);
}

TEST(dot_is_the_plain_sum_for_every_encoding_and_length)
{
    struct rng r = rng_seed(1, 0);
    double *w = weights(&r);
    static struct sample s;

    for (int values = VALUES_ONES; values <= VALUES_F64; values++)
        for (int indices = INDEX_DENSE; indices <= INDEX_U64; indices++)
            for (size_t n = 0; n <= LONGEST; n++) {
                draw_row(&r, &s, values, indices, n, natural[values]);
                check_row(&s, w);
            }
    free(w);
}

TEST(dot_is_the_plain_sum_for_every_stride)
{
    struct rng r = rng_seed(2, 0);
    double *w = weights(&r);
    static struct sample s;

    for (int values = VALUES_U8; values <= VALUES_F64; values++)
        for (ptrdiff_t stride = -GAP; stride <= GAP; stride += natural[values])
            for (size_t n = 0; n <= LONGEST; n = 2 * n + 1 + rng_below(&r, 40)) {
                if (stride == 0) continue;
                draw_row(&r, &s, values, INDEX_DENSE, n, stride);
                check_row(&s, w);
            }
    free(w);
}

/* ----- four rows ---------------------------------------------------------------- */

static void check_batch(const struct sample *s, const double *w, uint64_t dims)
{
    struct row rows[ROW_DOTS];

    way = (way + 1) % WAYS;
    for (int i = 0; i < ROW_DOTS; i++) rows[i] = s[i].row;
    for (int k = 0; k <= ROW_DOTS; k++) {
        double out[ROW_DOTS + 1] = { 7, 7, 7, 7, 7 }, fused[ROW_DOTS + 1] = { 7, 7, 7, 7, 7 };
        row_dots(rows, k, w, dims, out);
        row_dots_fused(rows, k, w, dims, fused);
        for (int i = 0; i < k; i++) {
            same(out[i], row_dot(&rows[i], w, dims));
            same(out[i], plain_dot(&s[i], w, dims));
            same(fused[i], fused_dot(&s[i], w, dims));
        }
        for (int i = k; i <= ROW_DOTS; i++) { /* no more than asked */
            same(out[i], 7);
            same(fused[i], 7);
        }
    }
}

TEST(dots_of_a_batch_are_the_dots_of_its_rows)
{
    struct rng r = rng_seed(3, 0);
    double *w = weights(&r);
    static struct sample s[ROW_DOTS];

    for (int round = 0; round < t_cases(1500); round++) {
        const bool same_index = round % 4 != 3, same_values = round % 3 == 0;
        const int indices = round % 4, values = round % 5;
        for (int i = 0; i < ROW_DOTS; i++) { /* empty and long rows side by side */
            const size_t n = rng_below(&r, 6) == 0 ? 0 : (size_t)rng_below(&r, LONGEST + 1);
            const int v = same_values ? values : (int)rng_below(&r, 5);
            const int x = same_index ? indices : (int)rng_below(&r, 4);
            const bool wide = v != VALUES_ONES && rng_below(&r, 4) == 0;
            draw_row(&r, &s[i], v, x, n, wide ? GAP : natural[v]);
        }
        check_batch(s, w, ALL_COLUMNS);
        check_batch(s, w, rng_below(&r, 2000));
    }
    free(w);
}

TEST(dense_and_sparse_copies_of_a_row_give_the_same_bits)
{
    struct rng r = rng_seed(4, 0);
    double *w = weights(&r), dense[LONGEST];
    static struct sample s;

    for (size_t n = 0; n < LONGEST / 2; n += 7) {
        draw_row(&r, &s, VALUES_DEC, INDEX_U32, n, 4);
        memset(dense, 0, sizeof dense);
        const uint64_t first = n > 0 ? s.column[0] : 0;
        size_t width = 0;
        for (size_t k = 0; k < n && s.column[k] - first < LONGEST; k++) {
            width = (size_t)(s.column[k] - first) + 1;
            dense[s.column[k] - first] = s.value[k];
        }
        const struct row d = { .value = dense,
                               .n = width,
                               .first = first,
                               .stride = 8,
                               .values = VALUES_F64,
                               .indices = INDEX_DENSE };
        same(row_dot(&d, w, ALL_COLUMNS), row_dot(&s.row, w, first + width));
    }
    free(w);
}

/* ----- quick scores ---------------------------------------------------------------- */

static int sign(double x)
{
    return (x > 0) - (x < 0);
}

/* The quick sum may stray from the canonical one, but by less than its bound; where
 * it is farther from 0 than that, the signs are the same. Returns whether it is. */
static bool check_quick(const struct sample *s, const double *w, double b)
{
    const struct quick q = row_quick(&s->row, w);
    const double bound = quick_bound(&q, s->row.n, b), dot = row_dot(&s->row, w, ALL_COLUMNS);
    long double sum = b, size = b < 0 ? -b : b;

    for (size_t k = 0; k < s->row.n; k++) {
        const long double term = (long double)w[s->column[k]] * (long double)s->value[k];
        sum += term;
        size += term < 0 ? -term : term;
    }
    assert_true(bound > 0);
    if (bound == (double)INFINITY) return false; /* it admits to knowing nothing */
    assert_true(fabs(q.sum - dot) <= bound);
    assert_true(fabsl((long double)q.sum + b - sum) <= bound);
    assert_true(bound <= 1e-12 * (double)size + 1e-290); /* it is not just a large number */
    if (fabs(q.sum + b) <= bound) return false;
    assert_int_equal(sign(q.sum + b), sign(dot + b));
    return true;
}

TEST(quick_scores_are_right_where_they_say_so)
{
    struct rng r = rng_seed(8, 0);
    double *w = weights(&r);
    static struct sample s;
    int sure = 0, all = 0;

    for (way = 0; way < WAYS; way++)
        for (int round = 0; round < t_cases(3000); round++, all++) {
            const int values = round % 5, indices = round / 5 % 4;
            const bool wide = values != VALUES_ONES && round % 7 == 0;
            draw_row(&r, &s, values, indices, (size_t)rng_below(&r, LONGEST + 1),
                     wide ? GAP : natural[values]);
            const double dot = row_dot(&s.row, w, ALL_COLUMNS);
            check_quick(&s, w, -dot); /* on the boundary, as far as one can tell */
            check_quick(&s, w, 0);
            sure += check_quick(&s, w, rng_normal(&r));
            const double norm2 = row_norm2(&s.row), quick2 = row_measure(&s.row, w).norm2;
            assert_true(isinf(quick2) || fabs(quick2 - norm2) <= 1e-12 * norm2);
        }
    way = AVX512;
    assert_true(sure > all / 2); /* guard: as a rule it does know */
    free(w);
}

/* Terms that cancel to nothing, or nearly: then, and only then, it may not know. */
TEST(quick_scores_admit_what_they_do_not_know)
{
    struct rng r = rng_seed(9, 0);
    double *w = weights(&r);
    static struct sample s;

    for (way = 0; way < WAYS; way++)
        for (int round = 0; round < t_cases(1000); round++) {
            const int values = round % 5;
            draw_row(&r, &s, values, INDEX_U32, 2 + (size_t)rng_below(&r, 300), natural[values]);
            const size_t last = s.row.n - 1;
            const double rest = row_dot(&s.row, w, s.column[last]), kept = w[s.column[last]];
            if (s.value[last] != 0) w[s.column[last]] = -rest / s.value[last];
            if (fabs(w[s.column[last]]) < 1e250) check_quick(&s, w, 0);
            w[s.column[last]] = kept;
        }
    way = AVX512;
    free(w);
}

/* ----- the rest ------------------------------------------------------------------- */

TEST(axpy_adds_each_product_once)
{
    enum { SEEN = 2000 }; /* weights compared after each call, beside the row's own */
    struct rng r = rng_seed(5, 0);
    double *w = weights(&r), *want = malloc(COLUMNS * sizeof *want);
    static struct sample s;

    assert_non_null(want);
    memcpy(want, w, COLUMNS * sizeof *w);
    for (int round = 0; round < t_cases(2000); round++) {
        const int values = round % 5, indices = round / 5 % 4;
        const bool wide = values != VALUES_ONES && round % 7 == 0;
        const uint64_t dims = round % 2 == 0 ? ALL_COLUMNS : rng_below(&r, SEEN);
        const double a = rng_normal(&r);
        draw_row(&r, &s, values, indices, (size_t)rng_below(&r, LONGEST + 1),
                 wide ? -GAP : natural[values]);
        row_axpy(a, &s.row, w, dims);
        for (size_t k = 0; k < s.row.n; k++) {
            const double product = a * s.value[k];
            if (s.column[k] < dims) want[s.column[k]] += product;
            same(w[s.column[k]], want[s.column[k]]);
        }
        assert_memory_equal(w, want, SEEN * sizeof *w);
    }
    assert_memory_equal(w, want, COLUMNS * sizeof *w);
    free(w);
    free(want);
}

TEST(norm_of_weights_is_summed_in_order)
{
    struct rng r = rng_seed(6, 0);
    double w[LONGEST], sum = 0;

    for (size_t n = 0; n < LONGEST; n++) {
        same(row_weights_norm2(w, n), sum);
        w[n] = rng_normal(&r);
        sum += w[n] * w[n];
    }
}
