/* test_svm_newton.c -- the squared hinge by Newton's method, against slower truths.
 *
 * Small sets are solved exactly, by trying every set of support vectors. On larger ones
 * what is returned is judged by plain loops: the objective, its gradient, the bound. */
#include <math.h>

#include "solve/svm.h"
#include "t.h"
#include "vec/rng.h"

#include "t_alloc.h"
#include "t_cases.h"
#include "t_make.h"

/* ----- a problem out of a matrix ------------------------------------------------- */

struct set {
    struct t_data d;
    struct t_csr csr;
    struct block block;
    uint64_t *ref;
    uint32_t *class;
    struct problem p;
};

static struct set set_of(const struct t_data *d, bool sparse)
{
    struct set s = { .d = *d };

    s.block = (struct block){ .rows = d->rows,
                              .columns = d->cols,
                              .nonzeros = d->rows * d->cols,
                              .values = VALUES_F64,
                              .indices = INDEX_DENSE,
                              .value = d->x,
                              .width = d->cols,
                              .stride = sizeof(double),
                              .row_stride = (ptrdiff_t)(d->cols * sizeof(double)) };
    if (sparse) {
        s.csr = t_csr_new(d);
        s.block.indices = INDEX_U32;
        s.block.value = s.csr.value;
        s.block.index = s.csr.index32;
        s.block.start32 = s.csr.start32;
    }
    s.ref = calloc(d->rows + 1, sizeof *s.ref);
    s.class = calloc(d->rows + 1, sizeof *s.class);
    for (size_t i = 0; i < d->rows; i++) {
        s.ref[i] = ref_make(0, i);
        s.class[i] = d->y[i] > 0;
    }
    s.p = (struct problem){ .e = env_resolve(NULL),
                            .block_count = 1,
                            .dims = d->cols,
                            .offset = true,
                            .n = d->rows,
                            .ref = s.ref,
                            .class = s.class,
                            .cost = d->weight };
    s.p.e.threads = 1;
    return s;
}

static void set_free(struct set *s)
{
    if (s->csr.value != NULL) t_csr_free(&s->csr);
    free(s->ref);
    free(s->class);
}

struct answer {
    double *w, b;
    struct svm_result r;
};

static const struct svm_options usual = {
    .c = 1, .loss = SVM_SQUARED, .gap = 1e-9, .passes = 1000
};

static struct answer solve(struct set *s, const struct svm_options *o)
{
    struct answer a = { .w = malloc((s->p.dims + 1) * sizeof(double)) };
    perc_error err = { 0 };

    for (uint64_t j = 0; j < s->p.dims; j++) a.w[j] = NAN; /* whatever they are before */
    s->p.blocks = &s->block;
    assert_int_equal(svm_newton(&s->p, 1, o, a.w, &a.b, &a.r, &err), PERC_OK);
    return a;
}

/* ----- by plain loops --------------------------------------------------------------- */

static double margin(const struct t_data *d, size_t i, const double *w, double b)
{
    double s = b;

    for (size_t j = 0; j < d->cols; j++) s += w[j] * d->x[i * d->cols + j];
    return d->y[i] * s;
}

struct truth {
    double primal, gradient, gradient_b; /* |g| of w'; of the offset alone */
    uint64_t supports;
};

static struct truth judge(const struct set *s, const struct svm_options *o, const struct answer *a)
{
    const struct t_data *d = &s->d;
    const bool regular = s->p.offset && !o->free_offset;
    struct truth t = { .gradient_b = regular ? a->b : 0 };
    double *g = malloc((d->cols + 1) * sizeof *g);

    memcpy(g, a->w, d->cols * sizeof *g);
    t.primal = regular ? a->b * a->b / 2 : 0;
    for (size_t j = 0; j < d->cols; j++) t.primal += a->w[j] * a->w[j] / 2;
    for (size_t i = 0; i < d->rows; i++) {
        const double xi = 1 - margin(d, i, a->w, a->b), u = o->c * (d->weight ? d->weight[i] : 1);
        if (!(xi > 0)) continue;
        t.supports++;
        t.primal += u * xi * xi;
        for (size_t j = 0; j < d->cols; j++) g[j] -= 2 * u * xi * d->y[i] * d->x[i * d->cols + j];
        t.gradient_b -= 2 * u * xi * d->y[i];
    }
    t.gradient = s->p.offset ? t.gradient_b * t.gradient_b : 0;
    for (size_t j = 0; j < d->cols; j++) t.gradient += g[j] * g[j];
    t.gradient = sqrt(t.gradient);
    free(g);
    return t;
}

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

/* What is reported is true, and the gap is closed. P is 1-strongly convex where the norm
 * has all of w', so that P - P* <= |g|^2 / 2: a bound that knows nothing of the dual. */
static void assert_solved(const struct set *s, const struct svm_options *o, const struct answer *a)
{
    const struct truth t = judge(s, o, a);

    assert_true(a->r.solved);
    near(a->r.primal, t.primal, 1e-11 * t.primal);
    assert_true(a->r.dual <= a->r.primal);
    assert_true(a->r.primal - a->r.dual <= o->gap * a->r.primal);
    near((double)a->r.supports, (double)t.supports, 1); /* one on the edge may round */
    if (!o->free_offset) assert_true(t.gradient * t.gradient / 2 <= 1e-6 * t.primal);
    if (o->free_offset) near(t.gradient_b, 0, 1e-4 * o->c * (double)t.supports);
    if (!s->p.offset) assert_true(a->b == 0);
}

/* ----- exactly: every set of support vectors ------------------------------------------ */

enum { SMALL = 6 };

/* Solves m x = r, n x n, by elimination with pivots; false: singular. */
static bool eliminate(double m[SMALL + 1][SMALL + 2], int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        if (fabs(m[best][k]) < 1e-13) return false;
        for (int j = 0; j <= n; j++) {
            const double t = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = t;
        }
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
    }
    for (int k = 0; k < n; k++) m[k][n] /= m[k][k];
    return true;
}

/* With the rows of `set` as support vectors: (K + diag(1 / 2Cc)) a = 1 on them, K_ij =
 * y_i y_j x'_i.x'_j, bordered with y.a = 0 for a free offset. The primal of the w' that
 * belongs to a is an upper bound on the optimum, and for the right set it is the optimum. */
static double primal_of(const struct set *s, const struct svm_options *o, unsigned set)
{
    const struct t_data *d = &s->d;
    double m[SMALL + 1][SMALL + 2] = { { 0 } }, w[8] = { 0 }, b = 0;
    size_t at[SMALL];
    int n = 0;

    for (size_t i = 0; i < d->rows; i++)
        if (set >> i & 1) at[n++] = i;
    const int size = n + (o->free_offset ? 1 : 0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double k = s->p.offset && !o->free_offset ? 1 : 0;
            for (size_t c = 0; c < d->cols; c++)
                k += d->x[at[i] * d->cols + c] * d->x[at[j] * d->cols + c];
            m[i][j] = d->y[at[i]] * d->y[at[j]] * k;
        }
        m[i][i] += 1 / (2 * o->c * d->weight[at[i]]);
        m[i][size] = 1;
        if (o->free_offset) m[i][n] = m[n][i] = d->y[at[i]];
    }
    if (!eliminate(m, size)) return INFINITY;
    for (int i = 0; i < n; i++) {
        for (size_t c = 0; c < d->cols; c++)
            w[c] += m[i][size] * d->y[at[i]] * d->x[at[i] * d->cols + c];
        b += m[i][size] * d->y[at[i]];
    }
    const struct answer a = { .w = w, .b = o->free_offset ? m[n][size] : s->p.offset ? b : 0 };
    return judge(s, o, &a).primal;
}

TEST(small_sets_reach_the_exact_optimum)
{
    for (uint64_t seed = 0; seed < (uint64_t)t_cases(600); seed++) {
        struct rng rng = rng_seed(seed, 5);
        struct t_data d = t_noise(2 + rng_below(&rng, SMALL - 1), 1 + rng_below(&rng, 4),
                                  seed % 2 ? T_REAL : T_WHOLE, 0.8, seed);
        struct svm_options o = usual;
        double best = INFINITY;

        t_weigh(&d, seed);
        struct set s = set_of(&d, seed % 3 == 0);
        o.c = pow(10, (double)rng_below(&rng, 5) - 2);
        o.gap = 1e-10;
        o.free_offset = rng_below(&rng, 3) == 0;
        s.p.offset = o.free_offset || rng_below(&rng, 2);
        struct answer a = solve(&s, &o);
        for (unsigned set = 0; set < 1u << d.rows; set++) best = fmin(best, primal_of(&s, &o, set));
        assert_solved(&s, &o, &a);
        near(a.r.primal, best, 1e-9 * best);
        near(a.r.dual, best, 1e-9 * best);
        free(a.w);
        set_free(&s);
        t_data_free(&d);
    }
}

/* ----- larger sets ------------------------------------------------------------------------ */

/* One with fewer rows than columns, one where the first steps see a sample, one that is
 * solved by conjugate gradients. */
static const struct {
    size_t rows, cols;
    double density;
} sizes[] = {
    { 300, 20, 1 },
    { 60, 150, 0.5 },
    { 17000, 12, 0.7 },
    { 400, 1700, 0.05 },
};
enum { SIZES = COUNT(sizes) };

static struct t_data sized(size_t k)
{
    struct t_data d = t_noise(sizes[k].rows, sizes[k].cols, T_REAL, sizes[k].density, 9 + k);

    for (size_t i = 0; i < d.rows; i++) /* something to be learnt */
        if (i % 4 != 0) d.y[i] = d.x[i * d.cols] + d.x[i * d.cols + 1] / 2 > 0.1 ? 1 : -1;
    return d;
}

TEST(larger_sets_are_solved_and_it_is_true)
{
    for (size_t k = 0; k < 4 * SIZES; k++) {
        struct t_data d = sized(k % SIZES);
        struct set s = set_of(&d, k % 2);
        struct svm_options o = usual;

        o.free_offset = k / SIZES == 1;
        s.p.offset = k / SIZES != 2;
        o.c = k / SIZES == 3 ? 100 : 0.5;
        struct answer a = solve(&s, &o);
        assert_solved(&s, &o, &a);
        /* By Cholesky 2 to 4; by conjugate gradients, which stop early, 7 to 62. */
        assert_in_range(a.r.passes, 1, k % SIZES == 3 ? 100 : 5);
        free(a.w);
        set_free(&s);
        t_data_free(&d);
    }
}

static void assert_same(const struct answer *a, const struct answer *b, size_t dims)
{
    assert_memory_equal(a->w, b->w, dims * sizeof *a->w);
    assert_true(t_same_bits(a->b, b->b));
    assert_true(t_same_bits(a->r.primal, b->r.primal));
    assert_true(t_same_bits(a->r.dual, b->r.dual));
    assert_int_equal(a->r.passes, b->r.passes);
}

/* Large enough for threads to be started, in all that is shared out among them. */
TEST(threads_and_forms_do_not_change_a_bit)
{
    static const struct {
        size_t rows, cols;
        double density;
    } big[] = {
        { 17000, 20, 0.8 },
        { 900, 300, 1 },
        { 200, 1600, 0.9 },
    };

    for (size_t k = 0; k < 3; k++) {
        struct t_data d = t_noise(big[k].rows, big[k].cols, T_REAL, big[k].density, k);
        struct set s = set_of(&d, false), other = set_of(&d, true);
        struct svm_options o = usual;

        o.gap = 1e-6;
        o.free_offset = k == 1;
        struct answer one = solve(&s, &o);
        assert_true(one.r.solved);
        for (int threads = T_WATCHED ? 3 : 1; threads <= 3; threads++) {
            s.p.e.threads = other.p.e.threads = threads;
            struct answer a = solve(&s, &o), b = solve(&other, &o);
            assert_same(&a, &one, d.cols);
            assert_same(&b, &one, d.cols);
            free(a.w);
            free(b.w);
        }
        free(one.w);
        set_free(&s);
        set_free(&other);
        t_data_free(&d);
    }
}

/* ----- what must not matter ------------------------------------------------------------------ */

TEST(a_cost_of_two_is_a_row_twice)
{
    struct t_data d = t_noise(40, 5, T_REAL, 1, 3), twice = t_data_new(80, 5);
    struct svm_options o = usual;

    o.gap = 1e-13;
    d.weight = malloc(40 * sizeof *d.weight);
    for (size_t i = 0; i < 40; i++) d.weight[i] = 2;
    for (size_t i = 0; i < 80; i++) {
        memcpy(twice.x + i * 5, d.x + i / 2 * 5, 5 * sizeof *d.x);
        twice.y[i] = d.y[i / 2];
    }
    struct set s = set_of(&d, false), t = set_of(&twice, false);
    struct answer a = solve(&s, &o), b = solve(&t, &o);
    near(a.r.primal, b.r.primal, 1e-12 * b.r.primal);
    for (size_t j = 0; j < 5; j++) near(a.w[j], b.w[j], 1e-6);
    assert_int_equal(2 * a.r.supports, b.r.supports);
    free(a.w);
    free(b.w);
    set_free(&s);
    set_free(&t);
    t_free(&d, &twice);
}

/* The images of the rows, written out, are the same problem to the bit. */
TEST(a_map_is_its_image)
{
    struct t_data d = t_noise(50, 4, T_REAL, 0.7, 8), image = t_data_new(50, 14);
    struct set s = set_of(&d, true), t;
    struct map map;
    struct lens lens;

    for (size_t i = 0; i < 50; i++) image.y[i] = d.y[i];
    assert_int_equal(map_parse("poly:2", &map, NULL), PERC_OK);
    assert_int_equal(map_set_inputs(&map, 0, 4, NULL), PERC_OK);
    s.p.blocks = &s.block;
    s.p.map = &map;
    s.p.dims = map_columns(&map, 4);
    assert_int_equal(s.p.dims, 14);
    assert_int_equal(problem_lens(&s.p, &lens, NULL), PERC_OK);
    for (size_t i = 0; i < 50; i++) {
        const struct row r = problem_row(&s.p, &lens, i);
        for (size_t k = 0; k < r.n; k++) image.x[i * 14 + row_column(&r, k)] = row_value(&r, k);
    }
    lens_free(&lens);
    t = set_of(&image, false);
    struct answer a = solve(&s, &usual), b = solve(&t, &usual);
    assert_solved(&t, &usual, &b);
    assert_same(&a, &b, 14);
    free(a.w);
    free(b.w);
    set_free(&s);
    set_free(&t);
    t_free(&d, &image);
}

/* ----- limits ------------------------------------------------------------------------ */

struct patience {
    int left, asked;
    int64_t last;
};

static bool ask(void *ud, int64_t passes)
{
    struct patience *p = ud;

    assert_true(passes >= p->last);
    p->last = passes;
    p->asked++;
    return p->left-- > 0;
}

TEST(the_watch_and_the_limit_stop_it)
{
    for (size_t k = 0; k < SIZES; k++) {
        struct t_data d = sized(k);
        struct set s = set_of(&d, true);
        for (int left = 0; left < 4; left++) {
            struct patience p = { .left = left };
            const struct watch w = { ask, &p };
            struct svm_options o = usual;
            for (int limit = 0; limit < 2; limit++) {
                o.watch = limit ? NULL : &w;
                o.passes = limit ? left : 1000;
                o.c = 1000;
                struct answer a = solve(&s, &o);
                const struct truth t = judge(&s, &o, &a);
                near(a.r.primal, t.primal, 1e-9 * t.primal);
                assert_true(a.r.dual <= a.r.primal);
                assert_in_range(a.r.passes, 0, left);
                assert_true(a.r.solved == (a.r.primal - a.r.dual <= o.gap * a.r.primal));
                if (left == 0) assert_false(a.r.solved);
                if (!limit && !a.r.solved) assert_true(p.asked > left);
                assert_in_range(p.asked, 1, left + 2); /* once more after the sample */
                free(a.w);
            }
        }
        set_free(&s);
        t_data_free(&d);
    }
}

TEST(memory_may_run_out_anywhere)
{
    for (size_t k = 0; k < SIZES + 1; k++) {
        struct t_data d = sized(k % SIZES);
        struct set s = set_of(&d, true);
        struct svm_options o = usual;
        struct map map;
        double b, *w;
        struct svm_result r;

        assert_int_equal(map_parse("poly:2", &map, NULL), PERC_OK);
        assert_int_equal(map_set_inputs(&map, 0, d.cols, NULL), PERC_OK);
        if (k == SIZES) s.p.map = &map;
        if (k == SIZES) s.p.dims = map_columns(&map, d.cols);
        s.p.blocks = &s.block;
        o.gap = 0.1;
        w = malloc(s.p.dims * sizeof *w);
        for (struct t_sweep sweep = { .least = 1 }; t_sweep_next(&sweep);) {
            assert_in_range(sweep.n, 0, 100);
            s.p.e = env_resolve(&sweep.env);
            const perc_status st = svm_newton(&s.p, 1, &o, w, &b, &r, NULL);
            t_sweep_judge(&sweep, st);
        }
        assert_true(r.solved);
        free(w);
        set_free(&s);
        t_data_free(&d);
    }
}

/* ----- odd problems ------------------------------------------------------------------ */

TEST(few_rows_and_one_class)
{
    for (size_t k = 0; k < 32; k++) {
        struct t_data d = t_noise(5, 3, T_REAL, 1, k);
        struct svm_options o = usual;

        t_weigh(&d, k);
        d.rows = k % 4;
        for (size_t i = 0; i < 5; i++) d.y[i] = k & 4 ? 1 : -1;
        for (size_t i = 0; i < 5; i++) d.weight[i] *= 0.1; /* sums of these round */
        struct set s = set_of(&d, false);
        o.free_offset = (k & 24) == 8;
        s.p.offset = (k & 24) != 16;
        struct answer a = solve(&s, &o);
        assert_solved(&s, &o, &a);
        if (d.rows == 0) assert_true(a.r.primal == 0 && a.w[0] == 0 && a.b == 0);
        if (o.free_offset) assert_true(a.r.primal == 0 && a.r.dual == 0);
        free(a.w);
        set_free(&s);
        d.rows = 5;
        t_data_free(&d);
    }
}

/* Values, costs and C at the ends of what doubles hold: it ends, with numbers. */
TEST(hostile_numbers_end_in_numbers)
{
    static const double scale[] = { 0, 1e-300, 1e-160, 1e-8, 1, 1e8, 1e155, 1e300 };
    static const double c[] = { 1e-300, 1e-12, 1, 1e12, 1e300 };

    for (size_t k = 0; k < 8 * 5 * 3; k++) {
        struct t_data d = t_noise(30, 4, T_REAL, 1, k);
        struct svm_options o = usual;

        for (size_t j = 0; j < 30 * 4; j++) d.x[j] *= scale[k % 8];
        if (k / 40 == 1) t_weigh(&d, k);
        if (k / 40 == 1) d.weight[3] = 1e250, d.weight[4] = 1e-250;
        struct set s = set_of(&d, false);
        o.free_offset = k / 40 == 2;
        o.c = c[k / 8 % 5];
        struct answer a = solve(&s, &o);
        for (size_t j = 0; j < 4; j++) assert_true(isfinite(a.w[j]));
        assert_true(isfinite(a.b) && !isnan(a.r.primal) && isfinite(a.r.dual));
        assert_true(a.r.dual >= 0 && a.r.dual <= a.r.primal);
        assert_true(isfinite(a.r.primal) || !a.r.solved); /* nothing is near to infinity */
        if (k % 8 < 6 && k % 8 > 2 && k / 8 % 5 == 2 && k / 40 != 1) assert_true(a.r.solved);
        free(a.w);
        set_free(&s);
        t_data_free(&d);
    }
}

/* Columns that are copies of each other, and a gap below what rounding allows. */
TEST(copies_of_columns_and_a_gap_of_nothing)
{
    struct t_data d = t_noise(200, 6, T_REAL, 1, 4);
    struct svm_options o = usual;

    for (size_t i = 0; i < 200; i++)
        for (size_t j = 3; j < 6; j++) d.x[i * 6 + j] = d.x[i * 6 + j - 3];
    struct set s = set_of(&d, false);
    for (int k = 0; k < 4; k++) {
        o.c = k % 2 ? 1e7 : 1;
        o.gap = k < 2 ? 1e-7 : 1e-30;
        struct answer a = solve(&s, &o);
        if (k < 2) assert_solved(&s, &(struct svm_options){ .c = o.c, .gap = 1e-7 }, &a);
        near(a.r.primal, a.r.dual, 1e-7 * a.r.primal);
        assert_in_range(a.r.passes, 1, 100);
        free(a.w);
    }
    set_free(&s);
    t_data_free(&d);
}

/* Few columns and a large C are for this solver, the hinge and many columns for the other;
 * and the choice does not depend on how the zeros are stored. */
TEST(the_choice)
{
    static const double c[] = { 1e-6, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 1, 100, 1e300 };
    struct t_data d = t_noise(200, 30, T_REAL, 0.2, 4);
    struct set s = set_of(&d, false), t = set_of(&d, true);
    struct svm_options o = usual;
    int chosen = 0;

    s.p.blocks = &s.block;
    t.p.blocks = &t.block;
    t.block.nonzeros = (uint64_t)t.csr.start64[200];
    for (size_t k = 0; k < 9; k++) {
        o.c = c[k];
        assert_true(svm_prefers_newton(&s.p, &o) == svm_prefers_newton(&t.p, &o));
        assert_true(svm_prefers_newton(&s.p, &o) >= (chosen > 0)); /* once, then always */
        chosen += svm_prefers_newton(&s.p, &o);
    }
    assert_in_range(chosen, 2, 8);
    s.p.dims = 100000;
    assert_false(svm_prefers_newton(&s.p, &o));
    o.loss = SVM_HINGE;
    assert_false(svm_prefers_newton(&t.p, &o));
    set_free(&s);
    set_free(&t);
    t_data_free(&d);
}
