/* nearest.c -- margins with bounds that hold for the decimals of the file.
 *
 * Both margins are distances: of the origin from the hull of the a_i, and half that from
 * the hull of the differences p - q of rows of the two classes, (p, 1) - (q, 1) = a_p + a_q.
 * The nearest point is found by row generation (solve/workset.h). Differences are made
 * when they are wanted: for a given x the best p and the best q are the best pair.
 *
 * What wolfe.c says is a proposal. Its lambda becomes whole numbers L, and
 *
 *     v = sum L_i a_i                |v| / sum L_i is an upper bound                  (1)
 *
 * is computed exactly, from the decimals. Its x, or v, becomes a vector w of whole numbers;
 *
 *     min_i a_i.w / |w|                         is a lower bound                      (2)
 *
 * (the hulls: half the sum of the minima of both classes). The pass is in doubles, with an
 * error bound e; rows within 2 e of the least are computed again in whole numbers, so that
 * the minimum is the true one. The points of the list are a_i times one power of ten and
 * one of two for all: numbers of few digits are exact in them, too, so that proposals are
 * good even where a margin is 10^-12 of R. */
#include "prove/nearest.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "solve/pairs.h"

static const double finest = 1e-14; /* a smaller gap is not tried */
static const double log2_10 = 3.3219280948873623;
enum { WEIGHT_BITS = 110, W_BITS = 150 };

struct nearest {
    const struct whole *exact;
    struct nearest_options o;
    struct problem floats; /* without the offset where the hulls are asked for */
    struct workset g;
    struct whole_vector v;
    uint64_t dims; /* of the points, with the offset even where it does not count */
    int groups;    /* 1: all rows; 2: those of either class */

    int64_t low; /* all rows are whole numbers times 10^low */
    long bits;   /* below 2^bits */
    double ten;  /* 10^low = ten 2^ten_exponent */
    int ten_exponent;
    double radius; /* at least max |a_i| of the rows as the pass sees them */

    mpz_t *sum, *w, *point;
    double *x; /* w in doubles, times a power of two: 2^x_exponent w */
    long x_exponent;
    double x_norm, error;
    mpz_t best[2]; /* by group: the least value, exactly: times 10^low */
    bool any[2];

    struct pairs pairs; /* of the hulls; else points are rows, and the second of a pair is 0 */
    uint32_t *column;   /* of a point */
    double *value;
    size_t cap_column, cap_value;

    mpz_t t, f10, total, norm2;
    struct nearest_result *out;
    double *u; /* the best x so far; may be NULL */
};

static int group_of(const struct nearest *n, uint64_t i)
{
    return n->groups == 2 && n->exact->sign[i] > 0;
}

/* ----- rounding outwards -------------------------------------------------------------- */

/* a 2^exponent, a > 0, as a double rounded down, or up. */
static double rounded(const mpz_t a, long exponent, bool up)
{
    long e;
    double m = mpz_get_d_2exp(&e, a); /* cut off */

    if (up && mpz_scan1(a, 0) + 53 < mpz_sizeinbase(a, 2)) m = nextafter(m, 2);
    if (e + exponent > 1024) return up ? INFINITY : DBL_MAX;
    if (e + exponent < -1100) return up ? 0x1p-1074 : 0;
    double r = ldexp(m, (int)(e + exponent));
    if (r < 0x1p-1020) r = up ? nextafter(r, 1) : nextafter(r, 0); /* ldexp may have rounded */
    return r;
}

static void times_power(mpz_t a, int64_t power, mpz_t scratch)
{
    mpz_ui_pow_ui(scratch, 10, (unsigned long)power);
    mpz_mul(a, a, scratch);
}

double nearest_root(const mpz_t a, const mpz_t b, int64_t exponent, bool up)
{
    mpz_t x, y, rest;

    if (mpz_sgn(a) == 0) return 0;
    mpz_inits(x, y, rest, NULL);
    mpz_set(x, a);
    mpz_set(y, b);
    if (exponent > 0) times_power(x, 2 * exponent, rest);
    if (exponent < 0) times_power(y, -2 * exponent, rest);
    /* A quotient of 200 bits or more has a root of 100. */
    long shift = 200 - ((long)mpz_sizeinbase(x, 2) - (long)mpz_sizeinbase(y, 2));
    shift += shift % 2 != 0;
    if (shift > 0) mpz_mul_2exp(x, x, (mp_bitcnt_t)shift);
    else mpz_mul_2exp(y, y, (mp_bitcnt_t)-shift);
    if (up) mpz_cdiv_q(x, x, y);
    else mpz_fdiv_q(x, x, y);
    mpz_sqrtrem(x, rest, x);
    if (up && mpz_sgn(rest) != 0) mpz_add_ui(x, x, 1);
    const double r = rounded(x, -shift / 2, up);
    mpz_clears(x, y, rest, NULL);
    return r;
}

/* ----- rows --------------------------------------------------------------------------- */

/* Reads row i into n->v; f10 = the power of ten that it lacks. */
static perc_status row_read(struct nearest *n, uint64_t i, perc_error *err)
{
    const perc_status st = whole_row(n->exact, i, &n->v, err);

    if (!st) mpz_ui_pow_ui(n->f10, 10, (unsigned long)(n->v.exponent - n->low));
    return st;
}

/* The power of ten and the bound 2^bits that all rows share. */
static perc_status measure_rows(struct nearest *n, perc_error *err)
{
    double top = -INFINITY;
    perc_status st;

    n->low = INT64_MAX;
    for (uint64_t i = 0; i < n->exact->n; i++) {
        if ((st = whole_row(n->exact, i, &n->v, err))) return st;
        if (n->v.exponent < n->low) n->low = n->v.exponent;
        size_t bits = 0; /* of the largest number, without the offset where it does not count */
        for (size_t k = 0; k < n->v.n; k++) {
            if (n->o.hulls && n->v.column[k] == n->dims - 1) continue;
            whole_get(&n->v, k, n->t);
            if (mpz_sizeinbase(n->t, 2) > bits) bits = mpz_sizeinbase(n->t, 2);
        }
        if (bits > 0) top = fmax(top, (double)bits + log2_10 * (double)n->v.exponent);
    }
    n->bits = (long)ceil(top - log2_10 * (double)n->low) + 1; /* not all of them are 0 */
    mpz_ui_pow_ui(n->t, 10, (unsigned long)(n->low < 0 ? -n->low : n->low));
    long e;
    n->ten = mpz_get_d_2exp(&e, n->t);
    n->ten_exponent = (int)e;
    if (n->low < 0) n->ten = 1 / n->ten, n->ten_exponent = -n->ten_exponent;
    return PERC_OK;
}

/* A bound on |a_i| as the pass sees it: from the squares or, where they are out of range,
 * from the largest number. */
static void measure_radius(struct nearest *n)
{
    double largest = 0;

    margins_norms(&n->g.m);
    for (uint64_t i = 0; i < n->exact->n; i++) largest = fmax(largest, n->g.m.value[i]);
    n->radius = sqrt(largest) * (1 + 1e-6);
    if (largest < 1e300 && largest > 1e-270) return;
    n->radius = sqrt((double)n->g.m.longest + 1) * n->ten;
    n->radius = ldexp(n->radius, (int)fmin(2000, (double)(n->ten_exponent + n->bits)));
}

/* ----- points of the list ------------------------------------------------------------- */

static int by_column(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Adds row i to n->point, and its columns to those of the point. */
static perc_status point_add(struct nearest *n, uint64_t i, size_t *columns, perc_error *err)
{
    perc_status st;

    if ((st = row_read(n, i, err))) return st;
    const size_t need = *columns + n->v.n;
    if (!mem_grow(&n->exact->e, (void **)&n->column, &n->cap_column, need, sizeof *n->column) ||
        !mem_grow(&n->exact->e, (void **)&n->value, &n->cap_value, need, sizeof *n->value))
        return fail_memory(err);
    whole_add(&n->v, n->f10, n->point);
    for (size_t k = 0; k < n->v.n; k++) n->column[(*columns)++] = (uint32_t)n->v.column[k];
    return PERC_OK;
}

/* Adds row i, or a_i + a_j, as a point in doubles, times 2^-bits; n->point is 0 afterwards. */
static perc_status list_add(struct nearest *n, uint64_t i, uint64_t j, perc_error *err)
{
    size_t columns = 0, kept = 0;
    perc_status st;

    if ((st = point_add(n, i, &columns, err))) return st;
    if (n->groups == 2 && (st = point_add(n, j, &columns, err))) return st;
    sort_items(n->column, columns, sizeof *n->column, by_column);
    for (size_t k = 0; k < columns; k++) {
        mpz_t *x = &n->point[n->column[k]];
        long e;
        if (mpz_sgn(*x) == 0) continue; /* cancelled, or a column seen before */
        const double m = mpz_get_d_2exp(&e, *x);
        n->value[kept] = ldexp(m, (int)fmax(-3000, (double)(e - n->bits)));
        n->column[kept++] = n->column[k];
        mpz_set_ui(*x, 0);
    }
    const struct row r = { .value = n->value,
                           .index = n->column,
                           .n = kept,
                           .stride = sizeof *n->value,
                           .values = VALUES_F64,
                           .indices = INDEX_U32 };
    if (n->groups == 1) n->g.listed[i] = true;
    if ((st = wolfe_point(&n->g.s, &r, 1, false, n->pairs.n, err))) return st;
    return pairs_note(&n->pairs, &n->exact->e, i, j, err);
}

/* ----- the upper bound (1) ------------------------------------------------------------ */

/* to = value 2^bits, cut off. */
static void whole_of(mpz_t to, struct two value, int bits, mpz_t scratch)
{
    mpz_set_d(to, ldexp(value.hi, bits));
    mpz_set_d(scratch, ldexp(value.lo, bits));
    mpz_add(to, to, scratch);
}

static void square(mpz_t *x, uint64_t dims, mpz_t to)
{
    mpz_set_ui(to, 0);
    for (uint64_t j = 0; j < dims; j++) mpz_addmul(to, x[j], x[j]);
}

/* The upper bound from this lambda; infinite if there is none. */
static perc_status bound_above(struct nearest *n, double *out, perc_error *err)
{
    const struct wolfe *s = &n->g.s;
    mpz_t l, t;
    perc_status st = PERC_OK;

    *out = INFINITY;
    mpz_inits(l, t, NULL);
    for (uint64_t j = 0; j < n->dims; j++) mpz_set_ui(n->sum[j], 0);
    mpz_set_ui(n->total, 0);
    for (size_t k = 0; k < s->k && !st; k++) {
        whole_of(l, s->lambda[k], WEIGHT_BITS, t);
        if (mpz_sgn(l) <= 0) continue;
        mpz_add(n->total, n->total, l);
        for (int g = 0; g < n->groups && !st; g++) {
            if ((st = row_read(n, n->pairs.row[s->p.row[s->member[k]]][g], err))) break;
            mpz_mul(t, l, n->f10);
            whole_add(&n->v, t, n->sum);
        }
    }
    mpz_clears(l, t, NULL);
    if (st || mpz_sgn(n->total) == 0) return st;
    square(n->sum, n->dims, n->norm2);
    mpz_mul_ui(n->t, n->total, (unsigned long)n->groups); /* half the distance of hulls */
    mpz_mul(n->t, n->t, n->t);
    *out = nearest_root(n->norm2, n->t, n->low, true);
    if (*out < n->out->upper) n->out->upper = *out;
    return PERC_OK;
}

/* ----- the lower bound (2) ------------------------------------------------------------ */

static size_t longest_bits(mpz_t *x, uint64_t dims)
{
    size_t most = 0;

    for (uint64_t j = 0; j < dims; j++)
        if (mpz_sgn(x[j]) != 0 && mpz_sizeinbase(x[j], 2) > most) most = mpz_sizeinbase(x[j], 2);
    return most;
}

/* w from the x of 32 digits, whose direction may be better than that of v, or from v. */
static void propose_plane(struct nearest *n)
{
    double largest = 0;
    int e;

    if (n->g.s.fine) {
        for (uint64_t j = 0; j < n->dims; j++) largest = fmax(largest, fabs(n->g.s.fine_x[j].hi));
        frexp(largest, &e);
        for (uint64_t j = 0; j < n->dims; j++)
            whole_of(n->w[j], n->g.s.fine_x[j], W_BITS - e, n->t);
        return;
    }
    const size_t bits = longest_bits(n->sum, n->dims);
    for (uint64_t j = 0; j < n->dims; j++) {
        if (bits > W_BITS) mpz_tdiv_q_2exp(n->w[j], n->sum[j], bits - W_BITS);
        else mpz_set(n->w[j], n->sum[j]);
    }
}

/* All a_i.w; exactly for those that matter: the ones that may be the least, and those that may
 * be below `bar`. */
static perc_status score_rows(struct nearest *n, double bar, perc_error *err)
{
    double until[2];
    long e;
    perc_status st;

    margins_score(&n->g.m, n->x);
    pairs_least(&n->pairs, &n->g.m);
    n->any[0] = n->any[1] = false;
    for (int g = 0; g < 2; g++) {
        const double other = n->groups == 2 ? n->pairs.least[1 - g] : 0;
        until[g] = fmax(n->pairs.least[g] + 2 * n->error, bar - other + 2 * n->error);
    }
    for (uint64_t i = 0; i < n->exact->n; i++) {
        const int g = group_of(n, i);
        if (n->g.m.value[i] > until[g]) continue;
        if ((st = row_read(n, i, err))) return st;
        whole_dot(&n->v, (const mpz_t *)n->w, n->t);
        mpz_mul(n->t, n->t, n->f10);
        if (!n->any[g] || mpz_cmp(n->t, n->best[g]) < 0) mpz_set(n->best[g], n->t);
        n->any[g] = true;
        const double m = mpz_get_d_2exp(&e, n->t) * n->ten;
        const double shift = (double)e + n->ten_exponent + (double)n->x_exponent;
        n->g.m.value[i] = ldexp(m, (int)fmin(3000, fmax(-3000, shift)));
    }
    pairs_least(&n->pairs, &n->g.m);
    return PERC_OK;
}

/* The lower bound from w; bar: see score_rows. For the pass w is in doubles, |x| R near 1. The
 * values are then off by at most `error`: margins_error is twice what the sum loses, x and the
 * decimals lose at most half of that, and numbers near the smallest double lose 2^-1075 each. */
static perc_status bound_below(struct nearest *n, double bar, perc_error *err)
{
    double norm2 = 0, largest = 0;
    int e;
    perc_status st;

    frexp(n->radius, &e);
    if (!isfinite(n->radius)) e = 1024;
    e = e > 900 ? 900 : e < -900 ? -900 : e;
    n->x_exponent = -(long)longest_bits(n->w, n->dims) - e;
    for (uint64_t j = 0; j < n->dims; j++) {
        long k;
        const double m = mpz_get_d_2exp(&k, n->w[j]);
        n->x[j] = ldexp(m, (int)fmax(-3000, (double)(k + n->x_exponent)));
        const double part = ldexp(n->x[j], e);
        norm2 += part * part;
        largest = fmax(largest, fabs(n->x[j]));
    }
    n->x_norm = ldexp(sqrt(norm2), -e);
    n->error = 2 * margins_error(&n->g.m, n->x_norm, n->radius) +
               ((double)n->dims + 1) * 0x1p-1073 * (largest + 1);
    if ((st = score_rows(n, bar * n->x_norm, err))) return st;
    mpz_set(n->t, n->best[0]);
    if (n->groups == 2) mpz_add(n->t, n->t, n->best[1]);
    square(n->w, n->dims, n->norm2);
    if (mpz_sgn(n->t) <= 0) return PERC_OK; /* else w is not 0 */
    mpz_mul(n->t, n->t, n->t);
    mpz_mul_ui(n->norm2, n->norm2, (unsigned long)(n->groups * n->groups));
    const double bound = nearest_root(n->t, n->norm2, n->low, false);
    if (!(bound > n->out->lower)) return PERC_OK;
    n->out->lower = bound;
    if (n->u != NULL)
        for (uint64_t j = 0; j < n->dims; j++) n->u[j] = n->x[j] / n->x_norm;
    return PERC_OK;
}

/* ----- what joins the list ------------------------------------------------------------ */

/* For pairs_add. */
static perc_status add_point(void *ud, uint64_t i, uint64_t j, perc_error *err)
{
    return list_add(ud, i, j, err);
}

/* ----- the loop ----------------------------------------------------------------------- */

static bool gap_closed(const struct nearest *n)
{
    return n->out->lower > 0 && n->out->upper - n->out->lower <= n->o.gap * n->out->upper;
}

/* Both bounds at the point that wolfe.c has reached, and new points. */
static perc_status look_at_margin(void *ud, enum wolfe_end end, enum workset_next *next,
                                  perc_error *err)
{
    struct nearest *n = ud;
    size_t added;
    double now;
    perc_status st;

    n->g.passes++;
    *next = WORKSET_REFINE;
    if (!n->g.s.fine && end == WOLFE_ZERO) return PERC_OK;
    *next = WORKSET_DONE;
    if ((st = bound_above(n, &now, err))) return st;
    propose_plane(n);
    /* a_i.x < |x|^2 is a_i.w < |x| |w|; for the hulls |x| is twice the bound. */
    const double bar = now * n->groups;
    if ((st = bound_below(n, n->g.s.fine ? bar : -INFINITY, err)) || gap_closed(n)) return st;
    const double below = bar * n->x_norm * (1 - 0.5 * n->g.s.gap);
    if (n->groups == 2) {
        st = pairs_add(&n->pairs, &n->g, below, add_point, n, &added, err);
    } else {
        added = margins_worst(&n->g.m, n->g.listed, below, n->g.most, n->g.pick);
        for (size_t k = 0; k < added && !st; k++) st = list_add(n, n->g.pick[k].row, 0, err);
    }
    if (st || end == WOLFE_ZERO || end == WOLFE_STOPPED) return st;
    *next = workset_after(&n->g, end, added);
    return PERC_OK;
}

/* ----- setting up --------------------------------------------------------------------- */

static perc_status open_all(struct nearest *n, const struct whole *exact,
                            const struct problem *floats, const struct nearest_options *o,
                            perc_error *err)
{
    const struct env *e = &exact->e;
    perc_status st;

    *n = (struct nearest){ .exact = exact,
                           .o = *o,
                           .floats = *floats,
                           .g = { .watch = o->watch, .limit = INT64_MAX, .dims = exact->dims },
                           .dims = exact->dims,
                           .groups = o->hulls ? 2 : 1 };
    mpz_inits(n->t, n->f10, n->total, n->norm2, n->best[0], n->best[1], NULL);
    whole_vector_init(&n->v, e);
    n->o.gap = fmax(o->gap, finest);
    if (o->hulls) n->floats.offset = false;
    if ((st = workset_open(&n->g, &n->floats, 1, "the margin", err))) return st;
    n->x = pool_zeroed(&n->g.pool, n->dims, sizeof *n->x);
    n->sum = whole_numbers(e, n->dims);
    n->w = whole_numbers(e, n->dims);
    n->point = whole_numbers(e, n->dims);
    if (n->g.pool.failed || n->sum == NULL || n->w == NULL || n->point == NULL)
        return fail_memory(err);
    return o->hulls ? pairs_open(&n->pairs, &n->g, err) : PERC_OK;
}

static void close_all(struct nearest *n)
{
    const struct env *e = &n->exact->e;

    workset_close(&n->g);
    whole_vector_free(&n->v);
    pairs_close(&n->pairs, e);
    mem_free(e, n->column, n->cap_column, sizeof *n->column);
    mem_free(e, n->value, n->cap_value, sizeof *n->value);
    whole_numbers_free(e, n->sum, n->dims);
    whole_numbers_free(e, n->w, n->dims);
    whole_numbers_free(e, n->point, n->dims);
    mpz_clears(n->t, n->f10, n->total, n->norm2, n->best[0], n->best[1], NULL);
}

/* R^2 of the points as wolfe.c sees them, and the first point. */
static perc_status begin_hull(struct nearest *n, perc_error *err)
{
    uint64_t first[2] = { 0, 0 };
    perc_status st;

    if (n->groups == 1) first[0] = margins_least(&n->g.m); /* the norms */
    else
        for (uint64_t i = n->exact->n; i-- > 0;) first[group_of(n, i)] = i;
    double r = ldexp(n->radius / n->ten, (int)fmax(-3000, (double)(-n->ten_exponent - n->bits)));
    if (!(r > 0 && isfinite(r))) r = sqrt((double)n->g.m.longest + 1);
    if (n->groups == 2 && isfinite(n->radius) && n->radius > 0x1p-1000)
        r *= margins_spread(&n->g.m, n->radius, n->x);
    else if (n->groups == 2) r *= 2;
    wolfe_init(&n->g.s, &n->exact->e, n->dims, r > 0 ? r * r : 1, 0.25 * n->o.gap);
    if ((st = list_add(n, first[0], first[1], err))) return st;
    return wolfe_start(&n->g.s, err);
}

perc_status nearest_measure(const struct whole *exact, const struct problem *floats,
                            const struct nearest_options *o, double *u, struct nearest_result *out,
                            perc_error *err)
{
    struct nearest n;
    perc_status st;

    *out = (struct nearest_result){ .upper = INFINITY };
    st = open_all(&n, exact, floats, o, err);
    n.out = out;
    n.u = u;
    if (u != NULL) memset(u, 0, exact->dims * sizeof *u);
    if (!st && !(st = measure_rows(&n, err))) {
        measure_radius(&n);
        if (!(st = begin_hull(&n, err))) st = workset_run(&n.g, look_at_margin, &n, err);
        if (!st && !(out->lower > 0) && o->w != NULL) { /* the separator that is known */
            for (uint64_t j = 0; j < n.dims; j++) mpz_set(n.w[j], o->w[j]);
            if (o->hulls) mpz_set_ui(n.w[n.dims - 1], 0);
            st = bound_below(&n, -INFINITY, err);
        }
        out->solved = gap_closed(&n);
    }
    close_all(&n);
    return st;
}

perc_status nearest_margin(const struct whole *exact, const struct problem *floats, const double *u,
                           double *out, perc_error *err)
{
    const struct nearest_options o = { .gap = 1 };
    struct nearest_result r = { .upper = INFINITY };
    struct nearest n;
    int least = 1024, e;
    perc_status st = open_all(&n, exact, floats, &o, err);

    n.out = &r;
    for (uint64_t j = 0; j < exact->dims; j++)
        if (u[j] != 0 && (frexp(u[j], &e), e < least)) least = e;
    for (uint64_t j = 0; j < exact->dims && !st; j++) { /* exactly: 2^(53 - least) u_j is whole */
        mpz_set_d(n.w[j], ldexp(frexp(u[j], &e), 53));
        if (e > least) mpz_mul_2exp(n.w[j], n.w[j], (mp_bitcnt_t)(e - least));
    }
    if (!st && !(st = measure_rows(&n, err))) {
        measure_radius(&n);
        st = bound_below(&n, -INFINITY, err);
    }
    *out = r.lower;
    close_all(&n);
    return st;
}

perc_status nearest_radius(const struct whole *exact, const struct problem *floats, double *out,
                           perc_error *err)
{
    const struct nearest_options o = { .gap = 1 };
    struct nearest n;
    perc_status st = open_all(&n, exact, floats, &o, err);

    *out = 0;
    if (!st && !(st = measure_rows(&n, err))) {
        double largest = 0;
        margins_norms(&n.g.m);
        for (uint64_t i = 0; i < exact->n; i++) largest = fmax(largest, n.g.m.value[i]);
        /* A square is off by n + 2 units, each number by half of one. Out of range: every row. */
        const double part = 1 - ((double)n.g.m.longest + 8) * 0x1p-50;
        const double bar = largest < 1e300 && largest > 1e-270 ? largest * part : 0;
        mpz_set_ui(n.total, 0);
        for (uint64_t i = 0; i < exact->n && !st; i++) {
            if (n.g.m.value[i] < bar || (st = row_read(&n, i, err))) continue;
            mpz_set_ui(n.norm2, 0);
            for (size_t k = 0; k < n.v.n; k++) {
                whole_get(&n.v, k, n.t);
                mpz_addmul(n.norm2, n.t, n.t);
            }
            mpz_mul(n.norm2, n.norm2, n.f10);
            mpz_mul(n.norm2, n.norm2, n.f10);
            if (mpz_cmp(n.norm2, n.total) > 0) mpz_set(n.total, n.norm2);
        }
        mpz_set_ui(n.t, 1);
        *out = nearest_root(n.total, n.t, n.low, true);
    }
    close_all(&n);
    return st;
}
