/* test_svm_dual.c -- dual coordinate descent against slow and plain references.
 *
 * P is recomputed by plain loops over a dense matrix. The optimum comes from an
 * enumeration of all faces of the box (up to 6 rows, by Gaussian elimination), or from
 * many passes of the textbook loop.
 *
 * dual.c is included, not linked, so that a test can look at a and w between passes. */
#include "solve/dual.c"
#include "solve/dual_push.c"
#include "t.h"

#include <float.h>
#include <math.h>

#include "solve/hard.h"
#include "solve/lp.h"
#include "t_alloc.h"
#include "t_cases.h"

enum { MOST = 6000, WIDE = 40 };

/* Rows as a matrix, and the block and problem that show them. */
struct set {
    uint64_t n, d;
    double x[MOST * WIDE], y[MOST], cost[MOST];
    uint64_t ref[MOST];
    uint32_t class[MOST];
    struct block block;
    struct problem p;
};

static struct t_alloc heap = { .fail_at = -1 };

static struct set *new_set(uint64_t n, uint64_t d, bool offset)
{
    struct set *s = calloc(1, sizeof *s);

    assert_non_null(s);
    s->n = n;
    s->d = d;
    for (uint64_t i = 0; i < n; i++) {
        s->cost[i] = 1;
        s->y[i] = 1;
        s->ref[i] = ref_make(0, i);
    }
    s->block = (struct block){ .rows = (size_t)n,
                               .columns = d,
                               .values = VALUES_F64,
                               .indices = INDEX_DENSE,
                               .value = s->x,
                               .width = d,
                               .row_stride = (ptrdiff_t)(8 * d),
                               .stride = 8 };
    s->p = (struct problem){ .e = { t_alloc, &heap, 1 },
                             .blocks = &s->block,
                             .block_count = 1,
                             .dims = d,
                             .offset = offset,
                             .n = n,
                             .ref = s->ref,
                             .class = s->class };
    return s;
}

/* Two clouds that overlap; about a third of the numbers are 0. */
static struct set *draw(uint64_t n, uint64_t d, bool offset, uint64_t seed)
{
    struct set *s = new_set(n, d, offset);
    struct rng r = rng_seed(seed, 1);

    for (uint64_t i = 0; i < n; i++) {
        s->y[i] = rng_below(&r, 2) == 1 ? 1 : -1;
        for (uint64_t j = 0; j < d; j++)
            s->x[i * d + j] = rng_below(&r, 3) == 0 ? 0 : rng_normal(&r) + 0.5 * s->y[i];
    }
    return s;
}

static void weigh(struct set *s, uint64_t seed)
{
    struct rng r = rng_seed(seed, 2);

    for (uint64_t i = 0; i < s->n; i++) s->cost[i] = (double)(1 + rng_below(&r, 8)) / 4;
    s->p.cost = s->cost;
}

static const struct problem *problem_of(struct set *s)
{
    for (uint64_t i = 0; i < s->n; i++) s->class[i] = s->y[i] > 0 ? 7 : 3; /* 7 is positive */
    return &s->p;
}

struct answer {
    double w[1000], b;
    struct svm_result r;
};

static struct svm_options options(enum svm_loss loss, double c, double gap, bool free_offset)
{
    return (struct svm_options){
        .c = c, .loss = loss, .free_offset = free_offset, .gap = gap, .passes = 10000, .seed = 5
    };
}

static struct answer solve_set(struct set *s, const struct svm_options *o)
{
    struct answer a;

    memset(&a, 0xA5, sizeof a); /* whatever they are before */
    assert_int_equal(svm_dual(problem_of(s), 7, o, a.w, &a.b, &a.r, NULL), PERC_OK);
    t_alloc_holds(&heap, 0);
    return a;
}

static double primal_of(const struct set *s, const struct svm_options *o, const double *w, double b)
{
    double sum = o->free_offset ? 0 : b * b / 2;

    for (uint64_t j = 0; j < s->d; j++) sum += w[j] * w[j] / 2;
    for (uint64_t i = 0; i < s->n; i++) {
        double m = b;
        for (uint64_t j = 0; j < s->d; j++) m += w[j] * s->x[i * s->d + j];
        const double xi = 1 - s->y[i] * m;
        if (xi > 0) sum += o->c * s->cost[i] * (o->loss == SVM_HINGE ? xi : xi * xi);
    }
    return sum;
}

static void assert_near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fmax(fabs(a), fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

/* What every answer promises. */
static void assert_true_report(const struct set *s, const struct svm_options *o,
                               const struct answer *a)
{
    assert_near(a->r.primal, primal_of(s, o, a->w, a->b), 1e-12);
    assert_true(a->r.dual <= a->r.primal * (1 + 1e-12));
    assert_int_equal(a->r.solved, a->r.primal - a->r.dual <= o->gap * a->r.primal);
    if (!s->p.offset) assert_true(a->b == 0);
}

/* ----- the optimum by enumeration --------------------------------------------------------- */

enum { FEW = 6 };

/* m x = v by elimination with full pivoting of rows; false: singular. */
static bool eliminate(double m[FEW + 1][FEW + 2], int n, double *x)
{
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(m[r][c]) > fabs(m[best][c])) best = r;
        if (fabs(m[best][c]) < 1e-11) return false;
        for (int k = 0; k <= n; k++) {
            const double t = m[c][k];
            m[c][k] = m[best][k];
            m[best][k] = t;
        }
        for (int r = 0; r < n; r++) {
            const double f = r == c ? 0 : m[r][c] / m[c][c];
            for (int k = c; k <= n; k++) m[r][k] -= f * m[c][k];
        }
    }
    for (int r = 0; r < n; r++) x[r] = m[r][n] / m[r][r];
    return true;
}

static double product(const struct set *s, const struct svm_options *o, int i, int k)
{
    const double *a = s->x + (uint64_t)i * s->d, *b = s->x + (uint64_t)k * s->d;
    double q = s->p.offset && !o->free_offset ? 1 : 0;

    for (uint64_t j = 0; j < s->d; j++) q += a[j] * b[j];
    q *= s->y[i] * s->y[k];
    if (i == k && o->loss == SVM_SQUARED) q += 1 / (2 * o->c * s->cost[i]);
    return q;
}

/* D at the stationary point of a face: state 0 at 0, 1 inside, 2 at U; -1 where it lies
 * outside the box. The largest of all faces is the optimum. */
static double face(const struct set *s, const struct svm_options *o, const int *state)
{
    double m[FEW + 1][FEW + 2] = { { 0 } }, a[FEW] = { 0 }, x[FEW + 1], d = 0, balance = 0;
    int in[FEW], k = 0;

    for (int i = 0; i < (int)s->n; i++) {
        if (state[i] == 1) in[k++] = i;
        if (state[i] == 2) a[i] = o->c * s->cost[i];
    }
    const int size = k + (o->free_offset && k > 0);
    for (int r = 0; r < size; r++) { /* the gradient is 0 inside, y_i b with a free offset */
        m[r][size] = r < k ? 1 : 0;
        for (int i = 0; i < (int)s->n; i++)
            m[r][size] -= (r < k ? product(s, o, in[r], i) : s->y[i]) * a[i];
        for (int c = 0; c < size; c++)
            m[r][c] = r < k && c < k ? product(s, o, in[r], in[c])
                      : r < k        ? s->y[in[r]]
                      : c < k        ? s->y[in[c]]
                                     : 0;
    }
    if (!eliminate(m, size, x)) return -1;
    for (int r = 0; r < k; r++) a[in[r]] = x[r];
    for (int i = 0; i < (int)s->n; i++) {
        if (a[i] < -1e-12 || (o->loss == SVM_HINGE && a[i] > o->c * s->cost[i] * (1 + 1e-12)))
            return -1;
        balance += a[i] * s->y[i];
        d += a[i];
        for (int c = 0; c < (int)s->n; c++) d -= a[i] * a[c] * product(s, o, i, c) / 2;
    }
    return o->free_offset && fabs(balance) > 1e-9 ? -1 : d;
}

static double optimum(const struct set *s, const struct svm_options *o)
{
    const int states = o->loss == SVM_HINGE ? 3 : 2;
    double best = 0;
    int state[FEW] = { 0 }, i = 0;

    while (i < (int)s->n) {
        best = fmax(best, face(s, o, state));
        for (i = 0; i < (int)s->n && ++state[i] == states; i++) state[i] = 0;
    }
    return best;
}

TEST(small_problems_are_solved_exactly)
{
    for (uint64_t k = 0; k < 600; k++) {
        const bool free_offset = k % 3 == 2, offset = k % 3 > 0;
        struct set *s = draw(2 + k % 5, 1 + k % 4, offset, k);
        if (k % 7 == 0) memcpy(s->x + s->d, s->x, s->d * sizeof *s->x); /* equal rows */
        if (k % 11 == 0) memset(s->x, 0, s->d * sizeof *s->x);
        if (k % 2) weigh(s, k);
        const struct svm_options o = options(k & 4 ? SVM_HINGE : SVM_SQUARED,
                                             (double[]){ 0.1, 1, 30 }[k / 8 % 3], 1e-7,
                                             free_offset);
        const struct answer a = solve_set(s, &o);
        const double best = optimum(s, &o);
        assert_true_report(s, &o, &a);
        if (!a.r.solved)
            fail_msg("%d: not solved: %.17g %.17g, best %.17g", (int)k, a.r.primal, a.r.dual, best);
        assert_true(a.r.dual <= best * (1 + 1e-9) + 1e-9);
        assert_true(a.r.primal >= best * (1 - 1e-9) - 1e-9);
        free(s);
    }
}

/* ----- against the textbook ------------------------------------------------------------------ */

/* Algorithm 1 of Hsieh et al. 2008, in the order of the rows. Returns P. */
static double textbook(const struct set *s, const struct svm_options *o)
{
    double w[WIDE] = { 0 }, b = 0, *a = calloc(s->n, sizeof *a), most = 1;
    const bool squared = o->loss == SVM_SQUARED;

    while (most > 1e-10 * o->c) {
        most = 0;
        for (uint64_t i = 0; i < s->n; i++) {
            const double *x = s->x + i * s->d, u = o->c * s->cost[i];
            const double ridge = squared ? 1 / (2 * u) : 0;
            double g = s->p.offset ? b : 0, q = (s->p.offset ? 1 : 0) + ridge;
            for (uint64_t j = 0; j < s->d; j++) {
                g += w[j] * x[j];
                q += x[j] * x[j];
            }
            g = s->y[i] * g - 1 + ridge * a[i];
            const double to = fmax(a[i] - g / q, 0), step = (squared ? to : fmin(to, u)) - a[i];
            a[i] += step;
            most = fmax(most, fabs(step));
            for (uint64_t j = 0; j < s->d; j++) w[j] += step * s->y[i] * x[j];
            if (s->p.offset) b += step * s->y[i];
        }
    }
    free(a);
    return primal_of(s, o, w, b);
}

TEST(larger_problems_reach_the_textbook)
{
    for (uint64_t k = 0; k < 16; k++) {
        struct set *s = draw(60 + 40 * (k % 4), 8, k % 2, 100 + k);
        if (k & 2) weigh(s, k);
        const struct svm_options o = options(k & 4 ? SVM_HINGE : SVM_SQUARED, k & 8 ? 5 : 0.05,
                                             1e-9, false);
        const struct answer a = solve_set(s, &o);
        assert_true_report(s, &o, &a);
        assert_true(a.r.solved);
        assert_near(a.r.primal, textbook(s, &o), 2e-9);
        assert_true(a.r.supports > 0 && a.r.supports <= s->n);
        free(s);
    }
}

/* The gap holds what it says, at any gap; with shrinking, several slices, a free offset. */
TEST(the_gap_is_kept)
{
    for (uint64_t k = 0; k < 12; k++) {
        struct set *s = draw(k < 4 ? 5000 : 400, 12, true, 200 + k);
        const struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, k & 2 ? 1 : 0.01,
                                             pow(10, -2 - (double)(k % 5)), k & 4);
        const struct svm_options fine = options(o.loss, o.c, 1e-8, o.free_offset);
        const struct answer a = solve_set(s, &o), best = solve_set(s, &fine);
        assert_true_report(s, &o, &a);
        assert_true(a.r.solved && best.r.solved);
        assert_true(a.r.dual <= best.r.primal * (1 + 1e-12));
        assert_true(best.r.dual <= a.r.primal * (1 + 1e-12));
        free(s);
    }
}

/* A row that costs twice as much is the row twice. */
TEST(costs_count_rows)
{
    for (uint64_t k = 0; k < 8; k++) {
        struct set *s = draw(80, 6, true, 300 + k), *twice = new_set(160, 6, true);
        const struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, 0.3, 1e-9, k & 2);
        uint64_t n = 0;
        s->p.cost = s->cost;
        for (uint64_t i = 0; i < s->n; i++) {
            s->cost[i] = i % 3 == 0 ? 2 : 1;
            for (int copies = (int)s->cost[i]; copies > 0; copies--, n++) {
                memcpy(twice->x + n * 6, s->x + i * 6, 6 * sizeof *s->x);
                twice->y[n] = s->y[i];
            }
        }
        twice->n = twice->p.n = n;
        twice->block.rows = (size_t)n;
        const struct answer a = solve_set(s, &o), b = solve_set(twice, &o);
        assert_true(a.r.solved && b.r.solved);
        assert_near(a.r.primal, b.r.primal, 2e-9);
        free(s);
        free(twice);
    }
}

/* ----- the same bits ------------------------------------------------------------------ */

static void assert_same(const struct set *s, const struct answer *a, const struct answer *b)
{
    assert_memory_equal(a->w, b->w, s->d * sizeof *a->w);
    assert_memory_equal(&a->b, &b->b, sizeof a->b);
    assert_memory_equal(&a->r.primal, &b->r.primal, sizeof a->r.primal);
    assert_memory_equal(&a->r.dual, &b->r.dual, sizeof a->r.dual);
    assert_int_equal(a->r.passes, b->r.passes);
    assert_int_equal(a->r.supports, b->r.supports);
}

TEST(threads_change_no_bit)
{
    for (uint64_t k = 0; k < 4; k++) {
        struct set *s = draw(MOST, 9, true, 400 + k);
        struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, 1, 1e-5, k & 2);
        const struct answer one = solve_set(s, &o);
        for (int threads = 2; threads <= 8; threads += 3) {
            s->p.e.threads = threads;
            const struct answer a = solve_set(s, &o);
            assert_same(s, &one, &a);
        }
        o.seed = 6; /* guard: the order matters */
        const struct answer other = solve_set(s, &o);
        assert_memory_not_equal(one.w, other.w, s->d * sizeof *one.w);
        free(s);
    }
}

/* The same rows without their zeros. */
TEST(sparse_rows_give_the_bits_of_dense_ones)
{
    for (uint64_t k = 0; k < 6; k++) {
        struct set *s = draw(700, 33, true, 500 + k);
        const struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, 1, 1e-6, k > 3);
        const struct answer dense = solve_set(s, &o);
        double *value = calloc(s->n * s->d, sizeof *value);
        uint32_t *index = calloc(s->n * s->d, sizeof *index);
        uint64_t *start = calloc(s->n + 1, sizeof *start), at = 0;
        for (uint64_t i = 0; i < s->n; i++) {
            for (uint64_t j = 0; j < s->d; j++)
                if (s->x[i * s->d + j] != 0) {
                    value[at] = s->x[i * s->d + j];
                    index[at++] = (uint32_t)j;
                }
            start[i + 1] = at;
        }
        s->block = (struct block){ .rows = (size_t)s->n,
                                   .columns = s->d,
                                   .values = VALUES_F64,
                                   .indices = INDEX_U32,
                                   .value = value,
                                   .index = index,
                                   .start = start,
                                   .nonzeros = at };
        const struct answer sparse = solve_set(s, &o);
        assert_same(s, &dense, &sparse);
        free(value);
        free(index);
        free(start);
        free(s);
    }
}

/* ----- maps --------------------------------------------------------------------------- */

/* x1, x1^2, x2, x1 x2, x2^2: the problem of the image, written out, is the same problem. */
TEST(a_map_is_the_problem_of_the_images)
{
    for (uint64_t k = 0; k < 4; k++) {
        struct set *s = draw(300, 2, true, 600 + k), *image = new_set(300, 5, true);
        const struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, 1, 1e-7, k & 2);
        const struct map map = { .degree = 2, .inputs = 2 };
        for (uint64_t i = 0; i < s->n; i++) {
            const double u = s->x[2 * i], v = s->x[2 * i + 1];
            memcpy(image->x + 5 * i, (double[]){ u, u * u, v, u * v, v * v }, 5 * sizeof u);
            image->y[i] = s->y[i];
        }
        s->p.map = &map;
        s->p.dims = 5;
        const struct answer a = solve_set(s, &o), b = solve_set(image, &o);
        assert_true(a.r.solved);
        assert_same(image, &a, &b);
        free(s);
        free(image);
    }
}

/* ----- between passes ----------------------------------------------------------------------- */

/* Largest error of w and b against the sums of their terms, in units of the largest term. */
static double drift(const struct dual *d, const struct set *s)
{
    double most = 0, b = 0, size = 0;

    for (uint64_t j = 0; j < s->d; j++) {
        double w = 0;
        for (uint64_t i = 0; i < s->n; i++) {
            const double t = d->item[i].a * s->y[i] * s->x[i * s->d + j];
            w += t;
            size = fmax(size, fabs(t));
        }
        most = fmax(most, fabs(w - d->w[j]));
    }
    for (uint64_t i = 0; i < s->n; i++) b += d->item[i].a * s->y[i];
    return fmax(most, fabs(b - d->b)) / size;
}

/* The loop of dual.c without its checks: rows leave and return, steps go further, and w'
 * stays the sum of its terms, up to rounding. D, as the steps add up, is D. */
TEST(weights_stay_the_sum_of_their_terms)
{
    for (uint64_t k = 0; k < 20; k++) {
        struct set *s = draw(150, 8, true, 1000 + k);
        const struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, k & 2 ? 10 : 0.1, 1,
                                             false);
        double w[8] = { 0 };
        struct dual d = { .p = problem_of(s),
                          .o = &o,
                          .w = w,
                          .positive = 7,
                          .mu = 1,
                          .slices = 1,
                          .threads = 1,
                          .squared = o.loss == SVM_SQUARED };
        uint64_t gone = 0;
        assert_int_equal(new_dual(&d, NULL), PERC_OK);
        begin_dual(&d);
        for (int pass = 0; pass < 60; pass++) {
            dual_remember(&d);
            const struct pass ran = run_pass(&d);
            dual_measure_step(&d);
            if (pass % 9 == 8) find_bounds(&d);
            dual_push(&d);
            gone += ran.gone;
            if (pass % 9 == 8) choose_rows(&d, pass % 2);
            else leave_out(&d);
            assert_true(drift(&d, s) < 1e-9);
            const double bound = find_bounds(&d);
            assert_near(bound, d.rise, 1e-9);
        }
        assert_true(k & 1 ? gone > 0 : true); /* guard */
        free_dual(&d);
        free(s);
    }
}

TEST(the_best_primal_is_kept)
{
    double w[2] = { 1, 2 }, best[2] = { 7, 7 };
    const struct problem p = { .dims = 2 };
    struct dual d = { .p = &p, .w = w, .best_w = best, .primal = 5, .best_b = 7 };

    keep_primal(&d, 6, 3);
    keep_primal(&d, NAN, 3);
    assert_true(d.primal == 5 && d.best_b == 7 && best[0] == 7);
    keep_primal(&d, 4, 3);
    assert_true(d.primal == 4 && d.best_b == 3 && best[0] == 1 && best[1] == 2);
}

/* ----- limits, memory, hostile values ------------------------------------------------- */

static bool ask(void *ud, int64_t passes)
{
    return passes < *(int64_t *)ud;
}

/* Stopped anywhere, by the limit or by the watch, the report is true of what there is. */
TEST(a_stop_leaves_a_true_report)
{
    for (int64_t stop = 0; stop < 30; stop++)
        for (int k = 0; k < 4; k++) {
            struct set *s = draw(300, 30, true, 700);
            struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, stop % 3 ? 10 : 1e4,
                                           1e-12, k & 2);
            const struct watch watch = { ask, &stop };
            if (stop % 2) o.passes = stop;
            else o.watch = &watch;
            const struct answer a = solve_set(s, &o);
            assert_true_report(s, &o, &a);
            assert_false(a.r.solved);
            assert_int_equal(a.r.passes, stop);
            free(s);
        }
}

TEST(memory_may_run_out)
{
    for (int k = 0; k < 4; k++) {
        struct set *s = draw(5000, 5, true, 800);
        const struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, 1, 0.01, k & 2);
        const struct map map = { .degree = 2, .inputs = 5 };
        perc_status st = PERC_ENOMEM;
        struct answer a;
        s->p.e.threads = 3;
        s->p.map = &map;
        s->p.dims = 20;
        for (long nth = 0; st != PERC_OK; nth++) {
            perc_error err = { 0 };
            t_alloc_reset(&heap, nth, false);
            st = svm_dual(problem_of(s), 7, &o, a.w, &a.b, &a.r, &err);
            t_alloc_holds(&heap, 0);
            assert_int_equal(st, heap.failed > 0 ? PERC_ENOMEM : PERC_OK);
            if (st) assert_int_equal(err.status, PERC_ENOMEM);
        }
        assert_true(heap.calls > 10);
        t_alloc_reset(&heap, -1, false);
        free(s);
    }
}

TEST(nothing_and_next_to_nothing)
{
    for (int k = 0; k < 24; k++) {
        const uint64_t n = (uint64_t)(k / 4 % 3);
        struct set *s = draw(n, 2, true, 900);
        const struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, 1, 1e-6, k & 2);
        for (uint64_t i = 0; i < n; i++) s->y[i] = k < 12 ? 1 : -1; /* one class */
        const struct answer a = solve_set(s, &o);
        assert_true_report(s, &o, &a);
        assert_true(a.r.solved);
        if (o.free_offset) assert_true(a.r.primal == 0);
        if (n == 0) assert_true(a.r.primal == 0 && a.w[0] == 0 && a.b == 0);
        free(s);
    }
}

/* |x|^2 is no number any more: no step is possible, and that is noticed. */
TEST(a_standstill_is_the_end)
{
    for (int k = 0; k < 4; k++) {
        struct set *s = draw(20, 2, true, 950);
        const struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, 1, 1e-6, k & 2);
        for (uint64_t i = 0; i < 2 * s->n; i++) s->x[i] = 1e200;
        const struct answer a = solve_set(s, &o);
        assert_false(a.r.solved);
        assert_in_range(a.r.passes, 1, 5);
        free(s);
    }
}

/* No NaN, no endless loop, and bounds that are bounds. */
TEST(hostile_numbers)
{
    static const double value[] = { 0, 1, -1, 1e308, -1e308, 1e-308, 5e-324, 1e154, 1e-160, 1e20 };
    static const double cost[] = { 1e-300, 1e300, 1, 5e-324, DBL_MAX, 1e-9, 1e9 };
    struct rng r = rng_seed(3, 3);

    for (int k = 0; k < t_cases(4000); k++) {
        const uint64_t n = 1 + rng_below(&r, 12), d = 1 + rng_below(&r, 3);
        struct set *s = draw(n, d, rng_below(&r, 2), (uint64_t)k);
        struct svm_options o = options(k & 1 ? SVM_HINGE : SVM_SQUARED, cost[rng_below(&r, 7)],
                                       1e-6, s->p.offset && rng_below(&r, 2));
        o.passes = 300;
        for (uint64_t i = 0; i < s->n * s->d; i++)
            if (rng_below(&r, 3) == 0) s->x[i] = value[rng_below(&r, 10)];
        for (uint64_t i = 0; i < s->n; i++) s->cost[i] = cost[rng_below(&r, 7)];
        if (k % 3) s->p.cost = s->cost;
        const struct answer a = solve_set(s, &o);
        for (uint64_t j = 0; j < s->d; j++) assert_true(isfinite(a.w[j]));
        assert_true(isfinite(a.b));
        assert_true(a.r.primal >= 0); /* may be infinite */
        assert_true(isfinite(a.r.dual) && a.r.dual >= 0);
        assert_true(a.r.dual <= a.r.primal * (1 + 1e-9));
        assert_true(a.r.passes <= 300);
        free(s);
    }
}

/* ----- the offset alone --------------------------------------------------------------- */

static double offset_loss(const double *s, const double *u, uint64_t n, enum svm_loss loss,
                          double b)
{
    double sum = 0;

    for (uint64_t i = 0; i < n; i++) {
        const double xi = 1 - (u[i] > 0 ? 1 : -1) * (s[i] + b);
        if (xi > 0) sum += fabs(u[i]) * (loss == SVM_HINGE ? xi : xi * xi);
    }
    return sum;
}

TEST(no_offset_is_better_than_the_best)
{
    struct rng r = rng_seed(9, 9);
    double s[30], u[30];

    for (int k = 0; k < 400; k++) {
        const uint64_t n = 1 + rng_below(&r, 30);
        const enum svm_loss loss = k & 1 ? SVM_HINGE : SVM_SQUARED;
        for (uint64_t i = 0; i < n; i++) {
            s[i] = 3 * rng_normal(&r);
            u[i] = (rng_below(&r, 2) ? 1 : -1) * (k & 2 ? 1 : 0.1 + rng_uniform(&r));
        }
        const double b = svm_best_offset(s, u, n, loss), best = offset_loss(s, u, n, loss, b);
        for (int t = 0; t < 400; t++) /* far and near */
            assert_true(offset_loss(s, u, n, loss, b + 5 * rng_normal(&r) * pow(10, -(t % 9))) >=
                        best * (1 - 1e-13) - 1e-13);
    }
}

/* ----- stopped within a pass ---------------------------------------------------------------- */

struct questions {
    int64_t asked, least; /* from number `least` on the answer is no */
};

static bool answer_until(void *ud, int64_t passes)
{
    struct questions *q = ud;

    (void)passes;
    return ++q->asked < q->least;
}

typedef perc_status solver_fn(const struct problem *p, uint32_t positive,
                              const struct svm_options *o, double *w, double *b,
                              struct svm_result *out, perc_error *err);

/* The rows of s over and over, n in all. */
static struct problem repeat(struct set *s, size_t n)
{
    struct problem p = *problem_of(s);
    uint64_t *ref = malloc(n * sizeof *ref);
    uint32_t *class = malloc(n * sizeof *class);

    assert_true(ref != NULL && class != NULL);
    for (size_t i = 0; i < n; i++) ref[i] = s->ref[i % s->n], class[i] = s->class[i % s->n];
    p.n = n;
    p.ref = ref;
    p.class = class;
    return p;
}

static void free_repeated(const struct problem *p)
{
    free((void *)(uintptr_t)p->ref);
    free((void *)(uintptr_t)p->class);
}

/* A pass over the rows is many times WATCH_WORK: the watch is asked within it, and once it has said
 * no there is no time for another. */
TEST(the_watch_is_asked_within_a_pass)
{
    enum { N = 80000, D = 32 }; /* more than twice WATCH_WORK */
    static const struct {
        solver_fn *solve;
        enum svm_loss loss;
        bool free_offset;
    } way[] = { { svm_dual, SVM_HINGE, false },
                { svm_dual, SVM_HINGE, true },
                { svm_newton, SVM_SQUARED, false } };
    struct set *s = draw(5000, D, true, 3);
    const struct problem p = repeat(s, N);
    bool unknown = false;

    for (size_t k = 0; k < COUNT(way); k++) {
        struct questions q = { .least = INT64_MAX };
        const struct watch watch = { answer_until, &q };
        struct svm_options o = options(way[k].loss, 1, 1e-3, way[k].free_offset);
        struct answer a;
        o.passes = 2;
        o.watch = &watch;
        assert_int_equal(way[k].solve(&p, 7, &o, a.w, &a.b, &a.r, NULL), PERC_OK);
        /* In each pass of the descent, and in those over all rows before and after it. */
        assert_true(q.asked >= (way[k].solve == svm_dual ? 10 : 7));
        const int64_t all = q.asked;
        for (int64_t least = 1; least < all; least++) {
            q = (struct questions){ .least = least };
            assert_int_equal(way[k].solve(&p, 7, &o, a.w, &a.b, &a.r, NULL), PERC_OK);
            if (q.asked > least + 3) fail_msg("solver %zu: %d, %d", k, (int)least, (int)q.asked);
            for (size_t j = 0; j < D; j++) assert_true(isfinite(a.w[j]));
            assert_true(isfinite(a.b) && !a.r.solved && a.r.passes <= 2);
            assert_true(isnan(a.r.primal) || a.r.dual <= a.r.primal);
            unknown |= isnan(a.r.primal);
        }
        t_alloc_holds(&heap, 0);
    }
    assert_true(unknown); /* guard: some were stopped before the first check */
    free_repeated(&p);
    free(s);
}

/* A small C: nearly all rows have a part in w, so that adding it up again is a long pass, too, and
 * so is balancing the sides, of which one has more rows. Stopped anywhere, also within a check. */
TEST(the_dual_is_asked_while_it_checks)
{
    enum { N = 80000, D = 32 };
    struct set *s = draw(5000, D, true, 3);
    for (uint64_t i = 0; i < s->n; i++) s->class[i] = i % 4 ? s->class[i] : 7;
    const struct problem p = repeat(s, N);
    bool bounded = false;

    for (int way = 0; way < 4; way++) {
        struct questions q = { .least = INT64_MAX };
        const struct watch watch = { answer_until, &q };
        struct svm_options o = options(way % 2 ? SVM_SQUARED : SVM_HINGE, 1e-4, 1e-5, way / 2);
        struct answer a;
        o.passes = 40;
        o.watch = &watch;
        assert_int_equal(svm_dual(&p, 7, &o, a.w, &a.b, &a.r, NULL), PERC_OK);
        const int64_t all = q.asked;
        for (int64_t least = 1; least < all; least++) {
            q = (struct questions){ .least = least };
            assert_int_equal(svm_dual(&p, 7, &o, a.w, &a.b, &a.r, NULL), PERC_OK);
            if (q.asked > least + 3) fail_msg("%d: %d, %d", way, (int)least, (int)q.asked);
            for (size_t j = 0; j < D; j++) assert_true(isfinite(a.w[j]));
            assert_true(isfinite(a.b) && (isnan(a.r.primal) || a.r.dual <= a.r.primal));
            bounded |= !isnan(a.r.primal);
        }
        assert_true(all > 8);
        t_alloc_holds(&heap, 0);
    }
    assert_true(bounded); /* guard: some were stopped after a check */
    free_repeated(&p);
    free(s);
}

/* All 16 slices of a pass ask, whose work adds up from pass to pass: in the steps, on the line, and
 * in those on the sample that it begins with. */
TEST(newton_is_asked_wherever_it_is)
{
    enum { N = 400000, D = 32, SLICES = 16 };
    struct set *s = draw(5000, D, true, 3);
    const struct problem p = repeat(s, N);

    for (int offset = 0; offset < 2; offset++) {
        struct questions q = { .least = INT64_MAX };
        const struct watch watch = { answer_until, &q };
        struct svm_options o = options(SVM_SQUARED, 1, 1e-15, offset);
        struct answer a;
        o.passes = 4;
        o.watch = &watch;
        assert_int_equal(svm_newton(&p, 7, &o, a.w, &a.b, &a.r, NULL), PERC_OK);
        assert_true(q.asked > 3 * SLICES);
        const int64_t all = q.asked;
        for (int64_t least = 1; least < all; least += 3) {
            q = (struct questions){ .least = least };
            assert_int_equal(svm_newton(&p, 7, &o, a.w, &a.b, &a.r, NULL), PERC_OK);
            if (q.asked > least + 2 * SLICES) fail_msg("%d, %d", (int)least, (int)q.asked);
            for (size_t j = 0; j < D; j++) assert_true(isfinite(a.w[j]));
            assert_true(isfinite(a.b) && (isnan(a.r.primal) || a.r.dual <= a.r.primal));
        }
        t_alloc_holds(&heap, 0);
    }
    free_repeated(&p);
    free(s);
}

/* Nothing is claimed of rows that were not looked at. */
TEST(the_hard_margin_and_the_program_are_asked_within_a_pass)
{
    enum { N = 80000, D = 32 };
    struct set *s = draw(5000, D, true, 4);
    const struct problem p = repeat(s, N);

    for (int program = 0; program < 2; program++)
        for (int64_t least = 1, asked = 1; asked >= least; least += 1 + least / 2) {
            struct questions q = { .least = least };
            const struct watch watch = { answer_until, &q };
            const struct hard_options o = { .gap = 1e-3, .passes = 5, .watch = &watch };
            const struct lp_options lp = { .rounds = 3, .watch = &watch };
            struct hard_result r = { 0 };
            struct lp_result t = { 0 };
            double w[D + 1], b;
            if (program) assert_int_equal(lp_solve(&p, 7, &lp, w, &b, &t, NULL), PERC_OK);
            else assert_int_equal(hard_solve(&p, 7, &o, w, &b, &r, NULL), PERC_OK);
            for (size_t j = 0; j < D; j++) assert_true(isfinite(w[j]));
            assert_true(program || (r.verdict != HARD_SEPARABLE && r.lower <= r.upper));
            assert_true(!program || t.verdict != LP_SEPARABLE);
            if (q.asked > least + 6) fail_msg("%d: %d, %d", program, (int)least, (int)q.asked);
            asked = q.asked;
            t_alloc_holds(&heap, 0);
        }
    free_repeated(&p);
    free(s);
}
