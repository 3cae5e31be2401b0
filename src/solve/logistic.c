/* logistic.c -- logistic regression with l2, or with no penalty, by Newton's method (newton.h).
 *
 * Two classes. Where a = U / (1 + e^m) at the margins of w', the terms of (3) in logistic.h and of
 * P meet in every row: U log(1 + e^-m) + U h(a / U) = -a m. So with v = sum a_i y_i x'_i
 *
 *     P(w') - D(a) = (|w'|^2 + |v|^2) / 2 - w'.v = |w' - v|^2 / 2 = |g|^2 / 2          (1)
 *
 * and half the square of the gradient is the gap. With a free offset sum a_i y_i = 0 is wanted: the
 * heavier side of a is scaled down, and its sums are made again.
 *
 * Without a penalty a has to have v = 0. A step s of Newton's method, H s = -g = v, leads to
 *
 *     a_i - u_i q_i,   q_i = y_i x'_i.s,   whose sum is v - H s = 0                    (2)
 *
 * It is feasible if it is between 0 and U, which it is near the solution. What rounding leaves of
 * the sum, r, may cost |r| |w'*|, and twice |w'| + 1 is taken for |w'*|.
 *
 * Several classes at once: (1) again, with the probabilities p_ic in place of a. A free offset
 * wants sum_i U_i (p_ic - [i is of class c]) = 0 for every c: classes that have too much are scaled
 * down, and what is missing of every row goes to the classes that have too little, in proportion.
 *
 * Lin, Weng, Keerthi, JMLR 9, 2008; Yu, Huang, Lin, Machine Learning 85, 2011 (the dual). */
#include "solve/logistic.h"

#include <math.h>
#include <string.h>

#include "solve/logistic_loss.h"
#include "solve/newton.h"

/* Above this many columns (and numbers in a row) a matrix costs more than conjugate gradients:
 * unlike that of a hinge it is made anew in every step. */
enum { EXACT_MAX = 400 };

/* An offset that is as good as infinite: the probability of an error is below 2^-57. */
static const double FAR = 40;

static double upper(const struct newton *s, uint64_t i)
{
    return s->c * problem_cost(s->k.p, i);
}

/* From i on in a slice: so many rows at once. */
static size_t piece(const struct newton *s, uint64_t i, uint64_t slice)
{
    const uint64_t rest = walk_from(&s->k, slice + 1) - i;

    return (size_t)(rest < LOGISTIC_PIECE ? rest : LOGISTIC_PIECE);
}

/* ----- two classes --------------------------------------------------------------------- */

static struct newton_sums evaluate(struct newton *s, uint64_t slice)
{
    struct newton_sums sum = { 0 };
    double e[LOGISTIC_PIECE];

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1);) {
        const size_t n = piece(s, i, slice);
        logistic_exp(s->m + i, n, e);
        for (size_t j = 0; j < n; j++, i++) {
            const double m = s->m[i], u = upper(s, i), p = logistic_error(m, e[j]);
            const int side = problem_sign(s->k.p, i, s->k.positive) > 0;
            s->a[i] = u * p;
            s->u[i] = u * (e[j] / ((1 + e[j]) * (1 + e[j])));
            sum.loss += u * logistic_log(m, e[j]);
            sum.a[side] += s->a[i];
            sum.supports += !(m > 0);
        }
        if (!walk_goes_on(&s->k, slice, n)) break;
    }
    return sum;
}

static struct newton_slope slope(struct newton *s, double t, uint64_t slice)
{
    struct newton_slope sum = { 0 };
    double m[LOGISTIC_PIECE], e[LOGISTIC_PIECE];

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1);) {
        const size_t n = piece(s, i, slice);
        for (size_t j = 0; j < n; j++) m[j] = s->m[i + j] + t * s->q[i + j];
        logistic_exp(m, n, e);
        for (size_t j = 0; j < n; j++, i++) {
            const double u = upper(s, i), q = s->q[i];
            sum.first -= u * logistic_error(m[j], e[j]) * q;
            sum.second += u * (e[j] / ((1 + e[j]) * (1 + e[j]))) * q * q;
        }
        if (!walk_goes_on(&s->k, slice, n)) break;
    }
    return sum;
}

/* sum U_i h(a_i / U_i), of a scaled by f on either side, with the sign changed. */
struct entropy {
    const struct newton *s;
    const double *f;
    double part[WALK_SLICES];
};

static void entropy_slice(void *ud, uint64_t slice)
{
    struct entropy *k = ud;
    const struct newton *s = k->s;
    double sum = 0;

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1); i++) {
        const int side = problem_sign(s->k.p, i, s->k.positive) > 0;
        const double u = upper(s, i);
        sum += u * logistic_entropy(fmin(k->f[side] * s->a[i] / u, 1));
    }
    k->part[slice] = sum;
}

static double entropy_of(const struct newton *s, const double f[2])
{
    struct entropy k = { .s = s, .f = f };
    double sum = 0;

    walk_each(&s->k, entropy_slice, &k);
    for (uint64_t c = 0; c < s->k.slices; c++) sum += k.part[c];
    return sum;
}

static double half_square(const struct newton *s, const double *x)
{
    double sum = 0;

    for (size_t j = 0; j < s->d; j++) sum += x[j] * x[j];
    return sum / 2;
}

static double dual_of_balance(const struct newton *s, const struct newton_sums *sum)
{
    double f[2] = { 1, 1 }, v2 = 0;

    if (sum->a[0] > sum->a[1]) f[0] = sum->a[1] / sum->a[0];
    if (sum->a[1] > sum->a[0]) f[1] = sum->a[0] / sum->a[1];
    for (size_t j = 0; j < s->charged; j++) {
        const double v = f[1] * s->v[j] + f[0] * s->r[j];
        v2 += v * v;
    }
    return entropy_of(s, f) - v2 / 2;
}

/* (2). */
static double dual_of_step(struct newton *s)
{
    static const double whole[2] = { 1, 1 };
    double r2 = 0, w2 = 0;
    bool feasible = true;

    newton_step(s);
    if (s->k.stopped) return 0;
    for (uint64_t i = 0; i < s->n; i++) {
        s->a[i] -= s->u[i] * s->q[i];
        feasible &= s->a[i] >= 0 && s->a[i] <= upper(s, i);
    }
    if (!feasible) return 0;
    walk_sum(&s->k, s->a, 0, s->v);
    for (size_t j = 0; j < s->d; j++) r2 += s->v[j] * s->v[j], w2 += s->w[j] * s->w[j];
    return entropy_of(s, whole) - sqrt(r2) * (2 * sqrt(w2) + 1);
}

static double dual(struct newton *s, const struct newton_sums *sum)
{
    newton_gradient(s);
    if (s->o->no_norm) return fmax(dual_of_step(s), 0);
    return fmax(s->o->free_offset ? dual_of_balance(s, sum) : s->primal - half_square(s, s->g), 0);
}

static const struct newton_loss two_classes = { evaluate, slope, dual };

static struct newton_options newton_of(const struct logistic_options *o)
{
    return (struct newton_options){ .c = o->c,
                                    .free_offset = o->free_offset,
                                    .square_gap = !o->free_offset && !o->no_penalty,
                                    .no_norm = o->no_penalty,
                                    .gap = o->gap,
                                    .passes = o->passes,
                                    .seed = o->seed,
                                    .watch = o->watch };
}

/* Whether all rows are of one side, which is y. */
static bool is_one_sided(const struct problem *p, uint32_t positive, double *y)
{
    *y = p->n > 0 ? problem_sign(p, 0, positive) : 0;
    for (uint64_t i = 1; i < p->n; i++)
        if (problem_sign(p, i, positive) != *y) return false;
    return true;
}

perc_status logistic_newton(const struct problem *p, uint32_t positive,
                            const struct logistic_options *o, double *w, double *b,
                            struct logistic_result *out, perc_error *err)
{
    struct newton_options how = newton_of(o);
    const size_t d = walk_numbers(p, 0);
    struct newton_result r;
    double y;

    how.loss = &two_classes;
    how.exact = o->no_penalty ? LOGISTIC_EXACT + 1 : EXACT_MAX;
    *out = (struct logistic_result){ .solved = true, .separated = true };
    *b = 0;
    memset(w, 0, (size_t)p->dims * sizeof *w);
    if (p->n == 0) return PERC_OK;
    if (is_one_sided(p, positive, &y) && p->offset && (o->free_offset || o->no_penalty)) {
        *b = FAR * y; /* P has no least value, and is as good as 0 */
        return PERC_OK;
    }
    double *both = mem_zeroed(&p->e, d, sizeof *both);
    if (both == NULL) return fail_memory(err);
    const perc_status st = newton_solve(p, positive, &how, both, &r, err);
    if (!st) {
        memcpy(w, both, (size_t)p->dims * sizeof *w);
        if (p->offset) *b = both[p->dims];
        *out = (struct logistic_result){ .primal = r.primal,
                                         .dual = r.dual,
                                         .passes = r.steps,
                                         .solved = r.solved,
                                         .separated = r.supports == 0 && isfinite(r.primal) };
        for (uint64_t j = 0; j < p->dims; j++) out->nonzero += w[j] != 0;
    }
    mem_free(&p->e, both, d, sizeof *both);
    return st;
}

/* ----- several classes at once ----------------------------------------------------------- */

/* p = exp(z - max z) over their sum, for the first n of z; *log: log sum exp z. */
static void softmax(const double *z, size_t n, double *p, double *log)
{
    double top = z[0], sum = 0;

    for (size_t c = 1; c < n; c++) top = z[c] > top ? z[c] : top;
    for (size_t c = 0; c < n; c++) p[c] = z[c] - top;
    many_exp(p, n);
    for (size_t c = 0; c < n; c++) sum += p[c];
    for (size_t c = 0; c < n; c++) p[c] /= sum;
    if (log != NULL) *log = top + fm_log(sum);
}

/* u = U p, a = U (e - p), e being 1 in the class of the row. */
static struct newton_sums evaluate_all(struct newton *s, uint64_t slice)
{
    const size_t width = s->o->width, n = s->o->classes;
    struct newton_sums sum = { 0 };

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1); i++) {
        const double *z = s->m + i * width, upper_i = upper(s, i);
        const size_t own = s->k.p->class[i];
        double *u = s->u + i * width, *a = s->a + i * width, log;
        bool right = true;
        softmax(z, n, u, &log);
        sum.loss += upper_i * (log - z[own]);
        a[own] = 0; /* the sum of the others: 1 - p would lose the digits of a small one */
        for (size_t c = 0; c < n; c++) {
            u[c] *= upper_i;
            if (c == own) continue;
            a[c] = -u[c];
            a[own] += u[c];
            right &= z[c] < z[own];
        }
        for (size_t c = n; c < width; c++) u[c] = a[c] = 0;
        sum.supports += !right;
        if (!walk_goes_on(&s->k, slice, n)) break;
    }
    return sum;
}

static struct newton_slope slope_all(struct newton *s, double t, uint64_t slice)
{
    const size_t width = s->o->width, n = s->o->classes;
    double *p = s->k.scores + slice * width;
    struct newton_slope sum = { 0 };

    for (uint64_t i = walk_from(&s->k, slice); i < walk_from(&s->k, slice + 1); i++) {
        const double *m = s->m + i * width, *q = s->q + i * width, u = upper(s, i);
        double mean = 0, spread = 0;
        for (size_t c = 0; c < n; c++) p[c] = m[c] + t * q[c];
        softmax(p, n, p, NULL);
        for (size_t c = 0; c < n; c++) mean += p[c] * q[c];
        for (size_t c = 0; c < n; c++) spread += p[c] * (q[c] - mean) * (q[c] - mean);
        sum.first += u * (mean - q[s->k.p->class[i]]);
        sum.second += u * spread;
        if (!walk_goes_on(&s->k, slice, n)) break;
    }
    return sum;
}

/* Sums over the rows of what a class has, U p, and of what it should have; in a slice in order. */
static void add_columns(const struct newton *s, double *has, double *wanted)
{
    const size_t width = s->o->width;

    memset(has, 0, width * sizeof *has);
    memset(wanted, 0, width * sizeof *wanted);
    for (uint64_t i = 0; i < s->k.p->n; i++) {
        for (size_t c = 0; c < width; c++) has[c] += s->u[i * width + c];
        wanted[s->k.p->class[i]] += upper(s, i);
    }
}

/* The bound of a free offset: p is changed so that all classes have what they should. a and v are
 * spoilt; g and u stay. */
static double dual_of_shares(struct newton *s)
{
    const size_t width = s->o->width, n = s->o->classes;
    double *f = s->t, *lack = s->ht, all = 0, entropy = 0, v2 = 0;

    add_columns(s, f, lack);
    for (size_t c = 0; c < n; c++) {
        const double has = f[c];
        f[c] = has > lack[c] ? lack[c] / has : 1;
        lack[c] = has < lack[c] ? lack[c] - has : 0;
        all += lack[c];
    }
    for (uint64_t i = 0; i < s->k.p->n; i++) {
        const double *u = s->u + i * width, upper_i = upper(s, i);
        double *a = s->a + i * width, rest = 0;
        for (size_t c = 0; c < n; c++) rest += u[c] * (1 - f[c]);
        for (size_t c = 0; c < n; c++) {
            const double part = u[c] * f[c] + (all > 0 ? rest * (lack[c] / all) : 0);
            const double p = part / upper_i;
            if (p > 0) entropy -= upper_i * p * fm_log(p);
            a[c] = (c == s->k.p->class[i] ? upper_i : 0) - part;
        }
        if (!walk_goes_on(&s->k, 0, n)) return 0;
    }
    walk_sum(&s->k, s->a, 0, s->v);
    for (size_t j = 0; j < s->charged; j++) v2 += s->v[j] * s->v[j];
    return entropy - v2 / 2;
}

static double dual_all(struct newton *s, const struct newton_sums *sum)
{
    (void)sum;
    newton_gradient(s);
    return fmax(s->o->free_offset ? dual_of_shares(s) : s->primal - half_square(s, s->g), 0);
}

static const struct newton_loss all_classes = { evaluate_all, slope_all, dual_all };

/* All scores of all rows at once, several times. */
static perc_status refuse_classes(const struct problem *p, size_t classes, double bytes,
                                  perc_error *err)
{
    return fail(err, PERC_ENOMEM,
                "out of memory: %llu rows with %zu classes at once need %.3g GB (pass --multiclass "
                "ovr, or --positive LABEL to learn one class)",
                (unsigned long long)p->n, classes, bytes / 1e9);
}

perc_status logistic_softmax(const struct problem *p, size_t classes, size_t width,
                             const struct logistic_options *o, double *w, double *b,
                             struct logistic_result *out, perc_error *err)
{
    struct newton_options how = newton_of(o);
    const size_t d = walk_numbers(p, width), in_w = (size_t)p->dims * width;
    /* At least: m, q, a and u of newton.h, and w' here, there nine times, and in a slice. */
    const double bytes = sizeof(double) * ((double)p->n * 4 * (double)width + 11 * (double)d);
    struct newton_result r;

    how.loss = &all_classes;
    how.width = width;
    how.classes = classes;
    *out = (struct logistic_result){ .solved = true, .separated = true };
    memset(w, 0, in_w * sizeof *w);
    memset(b, 0, width * sizeof *b);
    if (p->n == 0) return PERC_OK;
    if (bytes > mem_physical()) return refuse_classes(p, classes, bytes, err);
    double *both = mem_zeroed(&p->e, d, sizeof *both);
    perc_status st = both == NULL ? PERC_ENOMEM : newton_solve(p, 0, &how, both, &r, err);
    if (st == PERC_ENOMEM) st = refuse_classes(p, classes, bytes, err);
    if (!st) {
        memcpy(w, both, in_w * sizeof *w);
        if (p->offset) memcpy(b, both + in_w, width * sizeof *b);
        *out = (struct logistic_result){ .primal = r.primal,
                                         .dual = r.dual,
                                         .passes = r.steps,
                                         .solved = r.solved,
                                         .separated = r.supports == 0 && isfinite(r.primal) };
    }
    mem_free(&p->e, both, d, sizeof *both);
    return st;
}
