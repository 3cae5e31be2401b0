/* test_exact_system.c -- the promises of src/solve/exact_system.h, against elimination
 * without fractions in whole numbers (Bareiss 1968), written here. */
#include "base/threads.h"
#include "solve/exact_system.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

/* ----- problems whose numbers the test knows by itself ------------------------------------ */

enum kind { SMALL, PIXELS, BITS, LONG, HUGE_SPAN }; /* of the numbers; LONG: up to 2^53 */

struct scene {
    struct t_data d;
    perc_dataset *ds;
    uint64_t *row;
    signed char *sign;
    struct whole p;
    mpz_t *a; /* rows x dims: what whole_row is to give */
};

static int64_t mantissa(struct rng *r, enum kind kind)
{
    switch (kind) {
    case SMALL: return (int64_t)rng_below(r, 19) - 9;
    case PIXELS: return rng_below(r, 3) > 0 ? 0 : (int64_t)rng_below(r, 256);
    case BITS: return rng_below(r, 8) == 0;
    case LONG: return (int64_t)rng_below(r, UINT64_C(1) << 54) - (INT64_C(1) << 53);
    default: return (int64_t)rng_below(r, 1999) - 999;
    }
}

/* m 10^e as the nearest double, which stands for that decimal again. */
static double decimal(int64_t m, int e)
{
    char text[64];

    snprintf(text, sizeof text, "%llde%d", (long long)m, e);
    return strtod(text, NULL);
}

/* Rows of rank `rank` at most (0: as it comes): those from `rank` on are sums or multiples
 * of two before them; with an offset x + y - z of three. Some are 0 or equal. */
static void scene_plant(int64_t *m, int *e, size_t n, size_t cols, enum kind kind, size_t rank,
                        bool offset, struct rng *r)
{
    for (size_t i = 0; i < n; i++) {
        const bool plant = rank > 2 && i >= rank;
        const size_t u = plant ? rng_below(r, rank) : 0, v = plant ? rng_below(r, rank) : 0,
                     w = plant ? rng_below(r, rank) : 0;
        const int64_t f = (int64_t)rng_below(r, 7) - 3;

        for (size_t j = 0; j < cols; j++) {
            int64_t *x = &m[i * cols + j];
            e[i * cols + j] = kind == HUGE_SPAN ? (int)((j * 37 + 11) % 40) - 10 : 0;
            if (!plant) *x = mantissa(r, kind);
            else if (offset) *x = m[u * cols + j] + m[v * cols + j] - m[w * cols + j];
            else *x = m[u * cols + j] + f * m[v * cols + j];
        }
    }
}

/* a_i: the numbers times 10^-exponent, which has to be whole. */
static void scene_know(struct scene *s, const int64_t *m, const int *e)
{
    const size_t cols = s->d.cols, dims = (size_t)s->p.dims;
    struct whole_vector v;
    mpz_t ten;

    s->a = malloc(s->d.rows * dims * sizeof *s->a);
    whole_vector_init(&v, &s->p.e);
    mpz_init(ten);
    for (size_t i = 0; i < s->d.rows; i++) {
        assert_int_equal(whole_row(&s->p, i, &v, NULL), PERC_OK);
        for (size_t j = 0; j < dims; j++) {
            const int64_t x = j < cols ? m[i * cols + j] : 1;
            const int64_t shift = (j < cols ? e[i * cols + j] : 0) - v.exponent;
            mpz_t *a = &s->a[i * dims + j];

            mpz_init_set_si(*a, s->sign[i] * x);
            mpz_ui_pow_ui(ten, 10, (unsigned long)labs(shift));
            if (shift >= 0) mpz_mul(*a, *a, ten);
            else if (mpz_divisible_p(*a, ten)) mpz_divexact(*a, *a, ten);
            else fail_msg("row %zu: 10^%ld is too much", i, (long)v.exponent);
        }
    }
    mpz_clear(ten);
    whole_vector_free(&v);
}

static struct scene scene_new(size_t n, size_t cols, enum kind kind, size_t rank, bool offset,
                              uint64_t seed)
{
    struct scene s = { .d = t_data_new(n, cols) };
    struct rng r = rng_seed(seed, 0);
    int64_t *m = malloc(n * cols * sizeof *m);
    int *e = malloc(n * cols * sizeof *e);

    scene_plant(m, e, n, cols, kind, rank, offset, &r);
    for (size_t k = 0; k < n * cols; k++) s.d.x[k] = decimal(m[k], e[k]);
    s.row = malloc(n * sizeof *s.row);
    s.sign = malloc(n);
    for (size_t i = 0; i < n; i++) {
        s.row[i] = i;
        s.sign[i] = rng_below(&r, 2) ? 1 : -1;
        s.d.y[i] = s.sign[i];
    }
    s.ds = t_borrow(&s.d);
    s.p = (struct whole){ .e = env_resolve(NULL),
                          .ds = s.ds,
                          .offset = offset,
                          .n = n,
                          .dims = cols + offset,
                          .row = s.row,
                          .sign = s.sign };
    scene_know(&s, m, e);
    free(m);
    free(e);
    return s;
}

static void scene_free(struct scene *s)
{
    for (size_t k = 0; k < s->d.rows * (size_t)s->p.dims; k++) mpz_clear(s->a[k]);
    free(s->a);
    perc_dataset_free(s->ds);
    free(s->row);
    free(s->sign);
    t_data_free(&s->d);
}

/* ----- the oracle ------------------------------------------------------------------------- */

/* The rank of n x dims numbers, which are lost. */
static size_t bareiss(mpz_t *m, size_t n, size_t dims)
{
    size_t rank = 0;
    mpz_t last;

    mpz_init_set_ui(last, 1);
    for (size_t c = 0; c < dims && rank < n; c++) {
        size_t p = rank;
        while (p < n && mpz_sgn(m[p * dims + c]) == 0) p++;
        if (p == n) continue;
        for (size_t j = 0; j < dims; j++) mpz_swap(m[p * dims + j], m[rank * dims + j]);
        for (size_t i = rank + 1; i < n; i++) {
            for (size_t j = c + 1; j < dims; j++) {
                mpz_mul(m[i * dims + j], m[i * dims + j], m[rank * dims + c]);
                mpz_submul(m[i * dims + j], m[i * dims + c], m[rank * dims + j]);
                mpz_divexact(m[i * dims + j], m[i * dims + j], last);
            }
            mpz_set_ui(m[i * dims + c], 0);
        }
        mpz_set(last, m[rank * dims + c]);
        rank++;
    }
    mpz_clear(last);
    return rank;
}

/* The rank of the rows `row`, on the columns `column` (NULL: all), with one row more that
 * may be NULL. */
static size_t rank_of(const struct scene *s, size_t n, const uint64_t *row, size_t columns,
                      const uint64_t *column, const mpz_t *more)
{
    const size_t dims = (size_t)s->p.dims, c = column != NULL ? columns : dims;
    const size_t all = n + (more != NULL);
    mpz_t *m = malloc((all * c + 1) * sizeof *m);

    for (size_t i = 0; i < all; i++)
        for (size_t j = 0; j < c; j++) {
            const size_t at = column != NULL ? column[j] : j;
            mpz_init_set(m[i * c + j], i < n ? s->a[row[i] * dims + at] : more[at]);
        }
    const size_t rank = bareiss(m, all, c);
    for (size_t k = 0; k < all * c; k++) mpz_clear(m[k]);
    free(m);
    return rank;
}

/* ----- rank and span ---------------------------------------------------------------------- */

static struct exact_basis *basis_of(const struct scene *s, size_t n)
{
    struct exact_basis *b;
    bool joined;

    assert_int_equal(exact_basis_new(&s->p, &b, NULL), PERC_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(exact_basis_offer(b, i, &joined, NULL), PERC_OK);
    return b;
}

static void assert_spans(const struct scene *s, struct exact_basis *b)
{
    const size_t n = s->d.rows, dims = (size_t)s->p.dims, rank = b->rank;
    unsigned char *in = malloc(n);

    memset(in, 7, n);
    assert_int_equal(exact_basis_spans(b, n, in, NULL), PERC_OK);
    for (size_t i = 0; i < n; i++) {
        const size_t with = rank_of(s, rank, b->row, 0, NULL, (const mpz_t *)&s->a[i * dims]);
        if (in[i] != (with == rank)) fail_msg("row %zu: %d", i, in[i]);
    }
    free(in);
}

/* Rows join as the rank grows; those that did are independent on the pivot columns. */
static void assert_basis(const struct scene *s)
{
    struct exact_basis *b;
    bool joined;

    assert_int_equal(exact_basis_new(&s->p, &b, NULL), PERC_OK);
    for (size_t i = 0; i < s->d.rows; i++) {
        const size_t before = b->rank;
        assert_int_equal(exact_basis_offer(b, i, &joined, NULL), PERC_OK);
        const size_t rank = rank_of(s, i + 1, s->row, 0, NULL, NULL);
        if (b->rank != rank || joined != (rank > before))
            fail_msg("row %zu: rank %zu, not %zu", i, b->rank, rank);
        if (joined) assert_int_equal(b->row[before], i);
        if (i == s->d.rows / 2) assert_spans(s, b);
    }
    const size_t rank = b->rank;
    assert_int_equal(rank_of(s, rank, b->row, rank, b->column, NULL), rank);
    assert_spans(s, b);
    exact_basis_free(b);
}

TEST(rows_join_as_the_rank_grows)
{
    static const struct {
        size_t n, cols, rank;
        bool offset;
    } shape[] = {
        { 1, 1, 0, false }, { 12, 5, 0, false },  { 12, 5, 3, false }, { 15, 9, 4, true },
        { 6, 20, 0, true }, { 14, 30, 5, false }, { 25, 8, 6, true },  { 20, 20, 0, false },
    };

    for (int kind = SMALL; kind <= HUGE_SPAN; kind++)
        for (size_t k = 0; k < COUNT(shape); k++)
            for (uint64_t seed = 0; seed < 4; seed++) {
                /* sums of long numbers are no doubles any more */
                const size_t rank = kind == LONG ? 0 : shape[k].rank;
                struct scene s = scene_new(shape[k].n, shape[k].cols, (enum kind)kind, rank,
                                           shape[k].offset, seed);
                assert_basis(&s);
                scene_free(&s);
            }
}

TEST(no_rows_span_rows_of_zeros_alone)
{
    struct scene s = scene_new(3, 2, SMALL, 0, false, 1);
    struct exact_basis *b;
    unsigned char in[3];
    bool joined;

    memset(&s.d.x[2], 0, 2 * sizeof *s.d.x);
    assert_int_equal(exact_basis_new(&s.p, &b, NULL), PERC_OK);
    assert_int_equal(exact_basis_spans(b, 3, in, NULL), PERC_OK);
    assert_int_equal(in[0], 0);
    assert_int_equal(in[1], 1);
    assert_int_equal(exact_basis_offer(b, 1, &joined, NULL), PERC_OK);
    assert_false(joined);
    assert_int_equal(b->rank, 0);
    exact_basis_free(b);
    scene_free(&s);
}

/* Many columns, so that sums of products modulo p do not fit without being reduced. The
 * rows after the first BASE are sums of those; these themselves are independent. */
TEST(long_rows_are_seen_in_the_span)
{
    enum { BASE = 100, N = 140, LESS = 90 };
    static const enum kind kinds[] = { SMALL, PIXELS, HUGE_SPAN };
    unsigned char in[N];

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct scene s = scene_new(N, 2 * BASE, kinds[k], BASE, k == 1, k);
        struct exact_basis *b = basis_of(&s, LESS);

        assert_int_equal(exact_basis_spans(b, BASE, in, NULL), PERC_OK);
        for (size_t i = 0; i < BASE; i++) assert_int_equal(in[i], i < LESS);
        exact_basis_free(b);
        b = basis_of(&s, N);
        assert_int_equal(b->rank, BASE);
        assert_int_equal(exact_basis_spans(b, N, in, NULL), PERC_OK);
        for (size_t i = 0; i < N; i++) assert_int_equal(in[i], 1);
        exact_basis_free(b);
        scene_free(&s);
    }
}

/* ----- combinations ----------------------------------------------------------------------- */

/* Random whole weights of all rows, with a column changed where it is not to fit. */
static void make_target(const struct scene *s, struct rng *r, bool spoil, mpz_t *t)
{
    const size_t dims = (size_t)s->p.dims;
    mpz_t f;

    mpz_init(f);
    for (size_t i = 0; i < s->d.rows; i++) {
        mpz_set_si(f, (long)rng_below(r, 2001) - 1000);
        if (rng_below(r, 3) == 0) mpz_mul(f, f, f), mpz_mul(f, f, f), mpz_mul(f, f, f);
        for (size_t j = 0; j < dims; j++) mpz_addmul(t[j], f, s->a[i * dims + j]);
    }
    if (spoil) mpz_add_ui(t[rng_below(r, dims)], t[rng_below(r, dims)], 1);
    mpz_clear(f);
}

/* d > 0, nothing divides all of x and d, and sum x_k a_k = d t. */
static void assert_combination(const struct scene *s, const struct exact_basis *b, const mpz_t *t,
                               const mpz_t *x, const mpz_t d)
{
    const size_t dims = (size_t)s->p.dims, rank = b->rank;
    mpz_t sum, g;

    mpz_init(sum);
    mpz_init_set(g, d);
    assert_true(mpz_sgn(d) > 0);
    for (size_t k = 0; k < rank; k++) mpz_gcd(g, g, x[k]);
    assert_int_equal(mpz_cmp_ui(g, 1), 0);
    for (size_t j = 0; j < dims; j++) {
        mpz_mul(sum, d, t[j]);
        for (size_t k = 0; k < rank; k++) mpz_submul(sum, x[k], s->a[b->row[k] * dims + j]);
        if (mpz_sgn(sum) != 0) fail_msg("column %zu", j);
    }
    mpz_clear(sum);
    mpz_clear(g);
}

enum { TARGETS = 4 };

/* Targets that fit, do not, and 0. Returns how many fit. */
static int assert_combinations(const struct scene *s, uint64_t seed)
{
    const struct env e = s->p.e;
    const size_t dims = (size_t)s->p.dims;
    struct rng r = rng_seed(seed, 1);
    struct exact_basis *b = basis_of(s, s->d.rows);
    mpz_t *x = whole_numbers(&e, b->rank), d;
    bool found;
    int fit = 0;

    mpz_init(d);
    for (int k = 0; k < TARGETS; k++) {
        mpz_t *t = whole_numbers(&e, dims);
        const mpz_t *target = (const mpz_t *)t;
        if (k < TARGETS - 1) make_target(s, &r, k % 2 == 1, t);
        assert_int_equal(exact_combine(b, target, x, d, &found, NULL), PERC_OK);
        assert_int_equal(found, rank_of(s, b->rank, b->row, 0, NULL, target) == b->rank);
        if (found) assert_combination(s, b, target, (const mpz_t *)x, d);
        fit += found;
        whole_numbers_free(&e, t, dims);
    }
    mpz_clear(d);
    whole_numbers_free(&e, x, b->rank);
    exact_basis_free(b);
    return fit;
}

/* A row that depends on others modulo p alone: 2, p beside 1, 0. It does not join, but is
 * no combination of the rows; and the column that it alone has is not taken for one in use. */
TEST(what_the_prime_hides_is_found_out)
{
    static const uint64_t row[] = { 0, 1, 2 };
    static const signed char sign[] = { 1, 1, 1 };
    perc_dataset *ds;
    struct exact_basis *b;
    unsigned char in[3];
    bool joined, found;
    mpz_t d;

    assert_int_equal(t_put("p.csv", "a,b,label\n1,0,x\n2,4611686018427387847,y\n0,1,x\n"), 0);
    perc_params *data = t_params("data", "");
    assert_int_equal(perc_dataset_read_exact(NULL, "p.csv", data, &ds, NULL), PERC_OK);
    perc_params_free(data);
    const struct whole p = {
        .e = env_resolve(NULL), .ds = ds, .dims = 2, .n = 3, .row = row, .sign = sign
    };
    assert_int_equal(exact_basis_new(&p, &b, NULL), PERC_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(exact_basis_offer(b, i, &joined, NULL), PERC_OK);
        assert_int_equal(joined, i == 0);
    }
    mpz_t *t = whole_numbers(&p.e, 2), *x = whole_numbers(&p.e, 2);
    mpz_init(d);
    mpz_set_ui(t[0], 2);
    mpz_set_str(t[1], "4611686018427387847", 10);
    assert_int_equal(exact_combine(b, (const mpz_t *)t, x, d, &found, NULL), PERC_OK);
    assert_false(found);
    assert_int_equal(exact_basis_offer(b, 2, &joined, NULL), PERC_OK);
    assert_true(joined);
    assert_int_equal(exact_basis_spans(b, 3, in, NULL), PERC_OK);
    assert_true(in[0] && in[1] && in[2]);
    assert_int_equal(exact_combine(b, (const mpz_t *)t, x, d, &found, NULL), PERC_OK);
    assert_true(found && mpz_cmp_ui(x[0], 2) == 0 && mpz_cmp(x[1], t[1]) == 0);
    mpz_clear(d);
    whole_numbers_free(&p.e, t, 2);
    whole_numbers_free(&p.e, x, 2);
    exact_basis_free(b);
    perc_dataset_free(ds);
}

/* ----- completions ------------------------------------------------------------------------ */

static void assert_completion(const struct scene *s, uint64_t seed)
{
    const struct env e = s->p.e;
    const size_t dims = (size_t)s->p.dims;
    struct rng r = rng_seed(seed, 2);
    struct exact_basis *b = basis_of(s, s->d.rows);
    mpz_t *given = whole_numbers(&e, dims), *w = whole_numbers(&e, dims), d, sum;

    mpz_init(d);
    mpz_init(sum);
    for (size_t j = 0; j < dims; j++) mpz_set_si(given[j], (long)rng_below(&r, 2001) - 1000);
    assert_int_equal(exact_complete(b, (const mpz_t *)given, w, d, NULL), PERC_OK);
    assert_true(mpz_sgn(d) > 0);
    for (size_t k = 0; k < b->rank; k++) {
        mpz_set_ui(sum, 0);
        for (size_t j = 0; j < dims; j++) mpz_addmul(sum, w[j], s->a[b->row[k] * dims + j]);
        assert_int_equal(mpz_sgn(sum), 0);
    }
    for (size_t j = 0; j < dims; j++) {
        bool pivot = false;
        for (size_t k = 0; k < b->rank; k++) pivot |= b->column[k] == j;
        mpz_mul(sum, d, given[j]);
        if (!pivot) assert_int_equal(mpz_cmp(sum, w[j]), 0);
    }
    mpz_clear(sum);
    mpz_clear(d);
    whole_numbers_free(&e, given, dims);
    whole_numbers_free(&e, w, dims);
    exact_basis_free(b);
}

TEST(systems_are_solved_exactly)
{
    static const struct {
        size_t n, cols, rank;
        bool offset;
    } shape[] = {
        { 1, 3, 0, false },  { 9, 4, 0, false },   { 5, 12, 0, true },   { 20, 12, 7, false },
        { 16, 10, 6, true }, { 24, 40, 9, false }, { 30, 30, 0, false },
    };
    int fit = 0, tried = 0;

    for (int kind = SMALL; kind <= HUGE_SPAN; kind++)
        for (size_t k = 0; k < COUNT(shape); k++)
            for (uint64_t seed = 10; seed < 13; seed++) {
                const size_t rank = kind == LONG ? 0 : shape[k].rank;
                struct scene s = scene_new(shape[k].n, shape[k].cols, (enum kind)kind, rank,
                                           shape[k].offset, seed);
                fit += assert_combinations(&s, seed);
                assert_completion(&s, seed);
                tried += TARGETS;
                scene_free(&s);
            }
    assert_true(fit > tried / 2 && fit < tried); /* both answers were seen */
}

/* No rows: 0 is their only combination, and any w has the product 0 with all of them. */
TEST(systems_without_rows_are_solved)
{
    struct scene s = scene_new(2, 3, SMALL, 0, false, 5);
    struct exact_basis *b = basis_of(&s, 0);
    mpz_t *t = whole_numbers(&s.p.e, 3), *w = whole_numbers(&s.p.e, 3), d;
    bool found;

    mpz_init(d);
    assert_int_equal(exact_combine(b, (const mpz_t *)t, w, d, &found, NULL), PERC_OK);
    assert_true(found && mpz_cmp_ui(d, 1) == 0);
    mpz_set_si(t[2], -4);
    assert_int_equal(exact_combine(b, (const mpz_t *)t, w, d, &found, NULL), PERC_OK);
    assert_false(found);
    mpz_set_ui(d, 0);
    assert_int_equal(exact_complete(b, (const mpz_t *)t, w, d, NULL), PERC_OK);
    assert_true(mpz_cmp_ui(d, 1) == 0 && mpz_cmp_si(w[2], -4) == 0 && mpz_sgn(w[0]) == 0);
    mpz_clear(d);
    whole_numbers_free(&s.p.e, t, 3);
    whole_numbers_free(&s.p.e, w, 3);
    exact_basis_free(b);
    scene_free(&s);
}

/* ----- threads, memory -------------------------------------------------------------------- */

TEST(threads_say_the_same)
{
    enum { N = 5000 };
    struct scene s = scene_new(N, 6, SMALL, 4, false, 8);
    struct exact_basis *b = basis_of(&s, 3);
    unsigned char one[N], four[N];
    int inside = 0;

    s.p.e.threads = 1;
    exact_basis_free(b);
    b = basis_of(&s, 3);
    assert_int_equal(exact_basis_spans(b, N, one, NULL), PERC_OK);
    exact_basis_free(b);
    s.p.e.threads = 4;
    b = basis_of(&s, 3);
    assert_int_equal(exact_basis_spans(b, N, four, NULL), PERC_OK);
    exact_basis_free(b);
    assert_memory_equal(one, four, N);
    for (size_t i = 0; i < N; i++) inside += one[i];
    assert_true(inside > 100 && inside < N - 100);
    scene_free(&s);
}

enum { THREADS = 3 };

struct alike {
    const struct exact_basis *b;
    const mpz_t *t;
    mpz_t *x[THREADS], *d;
    bool found[THREADS];
    perc_status st[THREADS];
};

static void combine_on_thread(void *ud, int k)
{
    struct alike *a = ud;

    a->st[k] = exact_combine(a->b, a->t, a->x[k], a->d[k], &a->found[k], NULL);
}

/* Several solutions at once from one basis. Numbers that FLINT would keep for a thread that
 * has ended are a leak, which a sanitizer sees. */
TEST(one_basis_serves_several_threads)
{
    struct scene s = scene_new(40, 60, HUGE_SPAN, 0, true, 9);
    struct exact_basis *b = basis_of(&s, 40);
    const struct env *e = &s.p.e;
    const size_t dims = (size_t)s.p.dims, rank = b->rank;
    mpz_t *t = whole_numbers(e, dims);
    struct alike a = { .b = b, .t = (const mpz_t *)t, .d = whole_numbers(e, THREADS) };
    struct rng r = rng_seed(9, 3);

    make_target(&s, &r, false, t);
    for (int k = 0; k < THREADS; k++) a.x[k] = whole_numbers(e, rank);
    threads_run(THREADS, combine_on_thread, &a);
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(a.st[k], PERC_OK);
        assert_true(a.found[k]);
        assert_combination(&s, b, a.t, (const mpz_t *)a.x[k], a.d[k]);
        whole_numbers_free(e, a.x[k], rank);
    }
    whole_numbers_free(e, a.d, THREADS);
    whole_numbers_free(e, t, dims);
    exact_basis_free(b);
    scene_free(&s);
}

static perc_status work(const struct scene *s, const mpz_t *t, mpz_t *x, mpz_t *w, mpz_t d)
{
    struct exact_basis *b;
    unsigned char in[64];
    bool found, joined;
    perc_status st;

    if ((st = exact_basis_new(&s->p, &b, NULL))) {
        assert_null(b);
        return st;
    }
    for (size_t i = 0; i < s->d.rows && !st; i++) st = exact_basis_offer(b, i, &joined, NULL);
    if (!st) st = exact_basis_spans(b, s->d.rows, in, NULL);
    if (!st) st = exact_combine(b, t, x, d, &found, NULL);
    if (!st) st = exact_complete(b, t, w, d, NULL);
    if (!st) assert_int_equal(b->rank, rank_of(s, s->d.rows, s->row, 0, NULL, NULL));
    exact_basis_free(b);
    return st;
}

TEST(memory_may_run_out_anywhere)
{
    static const enum kind kinds[] = { SMALL, HUGE_SPAN };

    for (size_t k = 0; k < 2; k++) {
        struct scene s = scene_new(20, 30, kinds[k], 0, true, 3);
        const struct env plain = s.p.e;
        const size_t dims = (size_t)s.p.dims;
        mpz_t *t = whole_numbers(&plain, dims), *x = whole_numbers(&plain, 20),
              *w = whole_numbers(&plain, dims), d;

        mpz_init(d);
        for (struct t_sweep sweep = { .least = 30 }; t_sweep_next(&sweep);) {
            s.p.e = env_resolve(&sweep.env);
            const perc_status st = work(&s, (const mpz_t *)t, x, w, d);
            t_sweep_judge(&sweep, st);
        }
        s.p.e = plain;
        mpz_clear(d);
        whole_numbers_free(&plain, t, dims);
        whole_numbers_free(&plain, x, 20);
        whole_numbers_free(&plain, w, dims);
        scene_free(&s);
    }
}

/* A failed offer leaves the basis as it was: the same row joins when it is offered again. */
TEST(a_row_that_failed_can_be_offered_again)
{
    struct scene s = scene_new(20, 12, BITS, 0, false, 4);
    struct t_alloc a = { .fail_at = -1 };
    struct exact_basis *b;
    bool joined;
    int failures = 0;

    s.p.e = (struct env){ .alloc = t_alloc, .ud = &a, .threads = 1 };
    assert_int_equal(exact_basis_new(&s.p, &b, NULL), PERC_OK);
    for (size_t i = 0; i < s.d.rows; i++) {
        perc_status st = PERC_ENOMEM;
        for (long n = 0; st != PERC_OK; n++) {
            t_alloc_again(&a, n);
            st = exact_basis_offer(b, i, &joined, NULL);
            failures += st != PERC_OK;
        }
        assert_int_equal(b->rank, rank_of(&s, i + 1, s.row, 0, NULL, NULL));
    }
    assert_true(failures > 20);
    exact_basis_free(b);
    t_alloc_holds(&a, 0);
    scene_free(&s);
}

/* Rows  10^300 at j, 10^-300 at j + 1: numbers of 600 digits, and thousands of rows. */
TEST(what_cannot_be_held_is_refused)
{
    enum { N = 3000 };
    FILE *f = fopen("long.svm", "w");
    uint64_t row[N];
    signed char sign[N];
    bool joined, found;
    perc_error err;
    mpz_t d;

    for (int i = 0; i < N; i++) fprintf(f, "%d %d:1e300 %d:1e-300\n", i % 2 * 2 - 1, i + 1, i + 2);
    assert_int_equal(fclose(f), 0);
    perc_dataset *ds = t_read("long.svm", "");
    for (size_t i = 0; i < N; i++) row[i] = i, sign[i] = 1;
    const struct whole p = {
        .e = env_resolve(NULL), .ds = ds, .dims = ds->columns, .n = N, .row = row, .sign = sign
    };
    struct exact_basis *b;
    assert_int_equal(exact_basis_new(&p, &b, NULL), PERC_OK);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(exact_basis_offer(b, i, &joined, NULL), PERC_OK);
    assert_int_equal(b->rank, N);
    mpz_t *t = whole_numbers(&p.e, p.dims), *x = whole_numbers(&p.e, N);
    mpz_init(d);
    assert_refused(exact_combine(b, (const mpz_t *)t, x, d, &found, &err), PERC_ENOMEM, &err,
                   "3000 rows");
    mpz_clear(d);
    whole_numbers_free(&p.e, t, p.dims);
    whole_numbers_free(&p.e, x, N);
    exact_basis_free(b);
    perc_dataset_free(ds);
}

static double seconds_of(size_t n, enum kind kind)
{
    struct scene s = scene_new(n, n, kind, 0, false, 3);
    struct exact_basis *b;
    double seconds = -1;
    bool joined;

    assert_int_equal(exact_basis_new(&s.p, &b, NULL), PERC_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(exact_basis_offer(b, i, &joined, NULL), PERC_OK);
    assert_int_equal(exact_seconds(b, &seconds, NULL), PERC_OK);
    exact_basis_free(b);
    scene_free(&s);
    return seconds;
}

/* A guess, but of the right kind: more rows and more digits take longer. */
TEST(longer_systems_take_longer)
{
    assert_true(seconds_of(20, SMALL) > 0 && seconds_of(20, SMALL) < 0.1);
    assert_true(seconds_of(40, SMALL) > 4 * seconds_of(20, SMALL));
    assert_true(seconds_of(20, LONG) > 1.5 * seconds_of(20, SMALL));
}
