/* platt.c -- a sigmoid from scores to probabilities, fitted to held-out rows.
 *
 *     p(s) = 1 / (1 + exp(f)),   f = a s + b                                       (1)
 *
 * Platt (1999) takes a and b that minimise the log loss against soft targets: with N+
 * positive and N- negative rows,
 *
 *     F(a, b) = sum_i v_i [ t_i f_i + log(1 + exp(-f_i)) ]                         (2)
 *     t_i = (N+ + 1) / (N+ + 2) for a positive row,  1 / (N- + 2) for a negative one.
 *
 * The targets are those of a uniform prior on p; they keep a finite when the scores
 * separate the classes. F is convex, and Newton's method finds its minimum (Lin, Lin,
 * Weng 2007, algorithm 1). With p = p(s_i) and h = p (1 - p),
 *
 *     dF/da = sum v (t - p) s    dF/db = sum v (t - p)
 *     d2F   = sum v h (s, 1) (s, 1)^T                                              (3)
 *
 * Increasing.   The answer is wanted with a <= 0. F is convex: if the free minimum has
 * a > 0, the best with a <= 0 lies at a = 0. Which of the two it is shows at the start:
 * at a = 0 and its best b, dF/da = sum v t (s - mean s) is positive exactly if positive
 * rows score higher on average than negative ones, and then the minimum has a < 0.
 *
 * Numbers.   Written as in (2), nothing is subtracted from nearly itself: with
 * e = exp(-|f|), which cannot overflow, both p and 1 - p are e / (1 + e) or 1 / (1 + e),
 * and with small u+ = 1 - t+ = 1 / (N+ + 2), u- = t- = 1 / (N- + 2),
 *
 *     positive rows   log(1 + exp f) - u+ f        t - p = (1 - p) - u+
 *     negative rows   log(1 + exp -f) + u- f       t - p = u- - p                  (4)
 *
 * Scores are first multiplied by the power of two that brings the largest below 1, so
 * that no square leaves the range of doubles, and f = a (s - m) + b is taken about their
 * mean m, so that a large common part of the scores costs no digits. Newton's steps are
 * the same in any of these coordinates.
 *
 * Steps.   |f'''| <= f'' for log(1 + exp f), so a step that moves no f_i by more than 1
 * decreases F: it needs no test (Bach 2010, proposition 1). Longer ones are halved until
 * F has fallen as Armijo (1966) asks. Near the minimum a step that moves the f_i by d
 * leaves an error of order d^2, which tells when to stop.
 *
 * Weights.   A row counts v_i times, v the weights divided by their mean, so that a
 * common factor of the weights changes nothing; N+ and N- are sums of v.
 *
 * Cost       one exp and one log a row and step, some ten steps; no memory.
 * Not here   where held-out scores come from (calibrate.c).
 *
 * Platt, Advances in Large Margin Classifiers, 1999. Lin, Lin, Weng, Machine Learning
 * 68, 2007. Bach, Electronic Journal of Statistics 4, 2010. */
#include "model/platt.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "vec/fmath.h"

/* ----- the sigmoid ------------------------------------------------------------------ */

/* log(1 + exp f). */
static double softplus(double f)
{
    return (f > 0 ? f : 0) + fm_log_1_plus(fm_exp(-fabs(f)));
}

static double finite(double x)
{
    return x > DBL_MAX ? DBL_MAX : x < -DBL_MAX ? -DBL_MAX : x;
}

/* f of a score, finite unless the score is NaN. */
static double exponent(const struct sigmoid *g, double s)
{
    return finite(g->a == 0 ? g->b : g->a * s + g->b);
}

/* Sigmoid c; NULL: the scores are log odds. */
static const struct sigmoid *at(const struct sigmoid *g, size_t c)
{
    static const struct sigmoid log_odds = { .a = -1 };

    return g != NULL ? &g[c] : &log_odds;
}

/* The highest log sigmoid of several outputs; *sum is the sum of the sigmoids, each divided
 * by the highest, so that it is of use even where all of them round to 0. */
static double log_highest(const struct sigmoid *g, size_t outputs, const double *s, double *sum)
{
    double top = -INFINITY;

    for (size_t c = 0; c < outputs; c++) {
        const double l = -softplus(exponent(at(g, c), s[c]));
        if (!(l <= top)) top = l;
    }
    *sum = 0;
    for (size_t c = 0; c < outputs; c++) *sum += fm_exp(-softplus(exponent(at(g, c), s[c])) - top);
    return top;
}

void platt_probabilities(const struct sigmoid *g, size_t outputs, const double *scores, double *p)
{
    double sum;

    if (outputs == 1) {
        const double f = exponent(at(g, 0), scores[0]), e = fm_exp(-fabs(f));
        const double large = 1 / (1 + e), small = e / (1 + e);
        p[0] = f > 0 ? large : small;
        p[1] = f > 0 ? small : large;
        return;
    }
    const double top = log_highest(g, outputs, scores, &sum);
    for (size_t c = 0; c < outputs; c++)
        p[c] = fm_exp(-softplus(exponent(at(g, c), scores[c])) - top) / sum;
}

size_t platt_best(const struct sigmoid *g, size_t outputs, const double *scores)
{
    size_t best = 0;

    for (size_t c = 1; c < outputs; c++)
        if (exponent(&g[c], scores[c]) < exponent(&g[best], scores[best])) best = c;
    return best;
}

double platt_log(const struct sigmoid *g, size_t outputs, const double *scores, size_t label)
{
    double sum;

    if (outputs == 1) {
        const double f = exponent(at(g, 0), scores[0]);
        return -softplus(label > 0 ? f : -f);
    }
    const double top = log_highest(g, outputs, scores, &sum);
    return -softplus(exponent(at(g, label), scores[label])) - top - fm_log(sum);
}

/* ----- the rows ------------------------------------------------------------------------ */

/* The rows in scaled scores u = s * up[0] * up[1], |u| < 1. */
struct fitting {
    const struct platt_rows *rows;
    double up[2];      /* powers of two: one alone might leave the range */
    int exponent;      /* up[0] * up[1] = 2^-exponent */
    double low, high;  /* the least and the greatest u */
    double most, unit; /* v = weight / most / unit */
    double sum[2];     /* N- and N+ */
    double soft[2];    /* u- and u+ of (4) */
    double centre;     /* m */
};

/* A point (a, b) of f = a (u - m) + b, with F, its gradient and second derivatives there. */
struct platt_point {
    double a, b;
    double F, ga, gb, haa, hab, hbb;
};

static double weight_of(const struct fitting *q, size_t i)
{
    const double *w = q->rows->weight;

    return w != NULL ? w[i] / q->most / q->unit : 1;
}

static double score_of(const struct fitting *q, size_t i)
{
    return q->rows->score[i * q->rows->stride] * q->up[0] * q->up[1];
}

static bool is_positive(const struct fitting *q, size_t i)
{
    return q->rows->class[i] == q->rows->positive;
}

/* The mean weight of the rows that count, in units of the largest; false: none counts. */
static bool measure_weights(struct fitting *q)
{
    const struct platt_rows *r = q->rows;
    double sum = 0;
    size_t count = 0;

    q->most = q->unit = 1;
    if (r->weight == NULL) return r->n > 0;
    q->most = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->weight[i] > q->most) q->most = r->weight[i];
    if (!(q->most > 0)) return false;
    for (size_t i = 0; i < r->n; i++) {
        sum += r->weight[i] / q->most;
        count += r->weight[i] > 0;
    }
    q->unit = sum / (double)count;
    return true;
}

static void measure_scores(struct fitting *q)
{
    const struct platt_rows *r = q->rows;
    double largest = 0, total = 0;

    for (size_t i = 0; i < r->n; i++) {
        const double s = fabs(r->score[i * r->stride]);
        if (weight_of(q, i) > 0 && s > largest) largest = s;
    }
    frexp(largest, &q->exponent);
    q->up[0] = ldexp(1, -(q->exponent / 2));
    q->up[1] = ldexp(1, -(q->exponent - q->exponent / 2));
    q->low = INFINITY;
    q->high = -INFINITY;
    for (size_t i = 0; i < r->n; i++) {
        const double v = weight_of(q, i), u = score_of(q, i);
        if (!(v > 0)) continue;
        if (u < q->low) q->low = u;
        if (u > q->high) q->high = u;
        q->sum[is_positive(q, i)] += v;
        total += v * u;
    }
    q->centre = total / (q->sum[0] + q->sum[1]);
    for (int k = 0; k < 2; k++) q->soft[k] = 1 / (q->sum[k] + 2);
}

/* ----- the minimum --------------------------------------------------------------------- */

/* (2), (3) in the form (4). */
static struct platt_point point_at(const struct fitting *q, double a, double b)
{
    struct platt_point at = { .a = a, .b = b };

    for (size_t i = 0; i < q->rows->n; i++) {
        const double v = weight_of(q, i), x = score_of(q, i) - q->centre;
        const bool positive = is_positive(q, i);
        if (!(v > 0)) continue;
        const double f = a * x + b, e = fm_exp(-fabs(f)), large = 1 / (1 + e), small = e * large;
        const double p = f > 0 ? small : large, other = f > 0 ? large : small;
        const double g = positive ? other - q->soft[1] : q->soft[0] - p;
        const double h = p * other, F = fm_log_1_plus(e);
        at.F += v * (positive ? F + (f > 0 ? f : 0) - q->soft[1] * f
                              : F + (f < 0 ? -f : 0) + q->soft[0] * f);
        at.ga += v * g * x;
        at.gb += v * g;
        at.haa += v * h * x * x;
        at.hab += v * h * x;
        at.hbb += v * h;
    }
    return at;
}

/* How far f moves, at most, when a and b change by these. */
static double move_of(const struct fitting *q, double a, double b)
{
    const double l = fabs(a * (q->low - q->centre) + b);
    const double h = fabs(a * (q->high - q->centre) + b);

    return l > h ? l : h;
}

static struct platt_point minimise(const struct fitting *q, struct platt_point at)
{
    enum { STEPS = 100 };

    for (int k = 0; k < STEPS; k++) {
        /* Newton's step, with b taken about the h-weighted mean, where d2F is diagonal. */
        const double mix = at.hab / at.hbb, haa = at.haa - at.hab * mix;
        const double da = -(at.ga - mix * at.gb) / haa, db = -at.gb / at.hbb - mix * da;
        const double moved = move_of(q, da, db);
        const double slope = at.ga * da + at.gb * db; /* of F along the step; negative */
        bool lower = false;
        if (!(haa > 0) || !isfinite(moved)) break;
        const struct platt_point from = at;
        for (double t = 1; t > 0x1p-40 && !lower; t /= 2) {
            at = point_at(q, from.a + t * da, from.b + t * db);
            lower = t * moved <= 1 || at.F <= from.F + 1e-4 * t * slope;
        }
        if (!lower) return from;
        if (moved <= 1e-8 * (1 + move_of(q, at.a, at.b))) break;
    }
    return at;
}

struct sigmoid platt_fit(const struct platt_rows *rows)
{
    struct fitting q = { .rows = rows };
    struct platt_point at;

    if (!measure_weights(&q)) return (struct sigmoid){ 0, 0 };
    measure_scores(&q);
    /* a = 0 and its best b: p is the mean target. */
    const double yes = q.sum[1] * (1 - q.soft[1]) + q.sum[0] * q.soft[0];
    const double no = q.sum[1] * q.soft[1] + q.sum[0] * (1 - q.soft[0]);
    const struct platt_point start = at = point_at(&q, 0, fm_log(no / yes));
    if (q.low < q.high && start.ga > 0) at = minimise(&q, start);
    if (!(at.a < 0)) return (struct sigmoid){ 0, start.b };
    return (struct sigmoid){ finite(ldexp(at.a, -q.exponent)), finite(at.b - at.a * q.centre) };
}
