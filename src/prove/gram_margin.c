/* gram_margin.c -- margins in the space of a kernel.
 *
 * A plane there is a sum over rows, and all that is asked of the rows is how their images multiply:
 * S_ij = y_i y_j (K(x_i, x_j) + 1), without the 1 if there is no offset. For weights a_i >= 0 that
 * add up to 1, p = sum a_i y_i (phi(x_i), 1) is a point of the hull, and
 *
 *     min_i (S a)_i / |p|  <=  gamma'  <=  |p|,        |p|^2 = a.S a
 *
 * any u bounds the largest margin from below, any point of the hull from above. The geometric
 * margin is half the distance of the hulls of the two classes: there a adds up to 1 in each class,
 * the sum of the least (S a)_i of both takes the place of the least, and half of it all is the
 * bound (the 1 of the offset cancels out).
 *
 * The point is found by the method of Wolfe (Mathematical Programming 11, 1976): the corral is a
 * set of vertices, affinely independent, each a row, or a row of each class; p is the point of
 * their hull that is nearest to 0. The vertex that lies farthest towards 0 joins them, and those
 * whose weight would be negative leave.
 *
 * Numbers are MPFR's. x.z is computed in whole numbers, the kernel is rounded down and up, weights
 * are multiples of a power of 2, so that sums of them are exact; and both bounds are made of these,
 * rounded outwards. Where the bounds do not meet, everything is done again with twice the digits:
 * how near 0 the hull may come, nobody knows beforehand. */
#include "prove/gram_margin.h"

#include <math.h>
#include <mpfr.h>

enum {
    FIRST_BITS = 128,
    MOST_BITS = 1 << 13,
    MOST_BYTES = 1 << 29, /* of all kernel values */
    NUMBER_BYTES = 64,    /* of one, besides its digits */
    ROUGH = 32            /* bits that weights have less than other numbers */
};
static const size_t nobody = SIZE_MAX;

struct vertex {
    size_t row[2]; /* row[1] nobody: it is one row */
};

struct gram {
    struct env e;
    const struct gram_question *q;
    const struct whole *rows;
    size_t n;
    struct whole_vector *x; /* n */
    mpq_t *norm2;           /* n: |x_i|^2 */
    mpfr_prec_t bits;
    mpfr_t *low, *high; /* S_ij for j <= i, rounded down and up: at i (i + 1) / 2 + j */
    /* the corral */
    size_t k;
    struct vertex *in;        /* n + 1 */
    mpfr_t *lambda, *towards; /* n + 1: weights of the vertices, and those of the nearest point */
    mpfr_t **factor;          /* n + 1 rows, made when needed: L L' = S of the vertices, plus 1 */
    mpfr_t *weight, *along;   /* n: a; S a, or a bound on it */
    mpfr_t norm2_p, before, t, u, c, s;
};

/* ----- numbers ------------------------------------------------------------------------- */

static mpfr_t *numbers(const struct env *e, size_t n, mpfr_prec_t bits)
{
    mpfr_t *x = mem_array(e, n, sizeof *x);

    for (size_t i = 0; i < n && x != NULL; i++) {
        mpfr_init2(x[i], bits);
        mpfr_set_zero(x[i], 1);
    }
    return x;
}

static void numbers_free(const struct env *e, mpfr_t *x, size_t n)
{
    for (size_t i = 0; i < n && x != NULL; i++) mpfr_clear(x[i]);
    mem_free(e, x, n, sizeof *x);
}

static size_t place(size_t i, size_t j)
{
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

/* ----- the Gram matrix ------------------------------------------------------------------ */

/* out = x_i.x_j, of the decimals. */
static void dot_rows(const struct gram *g, size_t i, size_t j, mpz_t a, mpz_t b, mpq_t out)
{
    const struct whole_vector *x = &g->x[i], *z = &g->x[j];
    const int64_t exponent = x->exponent + z->exponent;

    mpz_set_ui(mpq_numref(out), 0);
    for (size_t k = 0, l = 0; k < x->n && l < z->n;) {
        const uint64_t p = x->column[k], q = z->column[l];
        if (p == q) {
            whole_get(x, k, a);
            whole_get(z, l, b);
            mpz_addmul(mpq_numref(out), a, b);
        }
        k += p <= q;
        l += q <= p;
    }
    if (g->rows->sign[i] != g->rows->sign[j]) mpz_neg(mpq_numref(out), mpq_numref(out));
    mpz_set_ui(mpq_denref(out), 1);
    mpz_ui_pow_ui(a, 10, (unsigned long)(exponent < 0 ? -exponent : exponent));
    if (exponent < 0) mpz_set(mpq_denref(out), a);
    else mpz_mul(mpq_numref(out), mpq_numref(out), a);
    mpq_canonicalize(out);
}

/* K between two numbers, from what it is the power or the exponential of. */
static void kernel_between(const struct kernel *k, const mpq_t of, mpfr_t low, mpfr_t high)
{
    const unsigned long degree = (unsigned long)k->degree;

    mpfr_set_q(low, of, MPFR_RNDD);
    mpfr_set_q(high, of, MPFR_RNDU);
    if (kernel_is_radial(k)) {
        mpfr_exp(low, low, MPFR_RNDD);
        mpfr_exp(high, high, MPFR_RNDU);
        return;
    }
    if (mpq_sgn(of) < 0 && degree % 2 == 0) mpfr_swap(low, high);
    mpfr_pow_ui(low, low, degree, MPFR_RNDD);
    mpfr_pow_ui(high, high, degree, MPFR_RNDU);
}

/* false: stopped by the watch. */
static bool fill_gram(struct gram *g)
{
    const struct kernel *k = g->q->kernel;
    mpq_t dot, gamma, coef0;
    mpz_t a, b;

    mpq_inits(dot, gamma, coef0, NULL);
    mpz_inits(a, b, NULL);
    mpq_set_d(gamma, k->gamma);
    mpq_set_d(coef0, k->coef0);
    for (size_t i = 0; i < g->n; i++) dot_rows(g, i, i, a, b, g->norm2[i]);
    bool go_on = true;

    for (size_t i = 0; i < g->n && (go_on = watch_ask(g->q->watch, 0)); i++)
        for (size_t j = 0; j <= i; j++) {
            mpfr_t *low = &g->low[place(i, j)], *high = &g->high[place(i, j)];
            dot_rows(g, i, j, a, b, dot);
            if (kernel_is_radial(k)) { /* -|x - z|^2 */
                mpq_add(dot, dot, dot);
                mpq_sub(dot, dot, g->norm2[i]);
                mpq_sub(dot, dot, g->norm2[j]);
            }
            mpq_mul(dot, dot, gamma);
            if (!kernel_is_radial(k)) mpq_add(dot, dot, coef0);
            kernel_between(k, dot, *low, *high);
            if (g->q->offset) {
                mpfr_add_ui(*low, *low, 1, MPFR_RNDD);
                mpfr_add_ui(*high, *high, 1, MPFR_RNDU);
            }
            if (g->rows->sign[i] == g->rows->sign[j]) continue;
            mpfr_swap(*low, *high);
            mpfr_neg(*low, *low, MPFR_RNDN);
            mpfr_neg(*high, *high, MPFR_RNDN);
        }
    mpz_clears(a, b, NULL);
    mpq_clears(dot, gamma, coef0, NULL);
    return go_on;
}

/* ----- the corral ----------------------------------------------------------------------- */

/* out = how two vertices multiply, plus 1. */
static void multiply_vertices(const struct gram *g, const struct vertex *a, const struct vertex *b,
                              mpfr_t out)
{
    mpfr_set_ui(out, 1, MPFR_RNDN);
    for (size_t i = 0; i < 2 && a->row[i] != nobody; i++)
        for (size_t j = 0; j < 2 && b->row[j] != nobody; j++)
            mpfr_add(out, out, g->low[place(a->row[i], b->row[j])], MPFR_RNDN);
}

/* Another row of the factor. *joined: whether the vertex is independent of the others, as far as
 * the digits go. */
static perc_status join_corral(struct gram *g, const struct vertex *v, bool *joined)
{
    const size_t k = g->k;
    mpfr_t *row;

    if (g->factor[k] == NULL) g->factor[k] = numbers(&g->e, k + 2, g->bits);
    if ((row = g->factor[k]) == NULL) return PERC_ENOMEM;
    for (size_t j = 0; j < k; j++) {
        multiply_vertices(g, v, &g->in[j], g->t);
        for (size_t i = 0; i < j; i++) {
            mpfr_mul(g->u, row[i], g->factor[j][i], MPFR_RNDN);
            mpfr_sub(g->t, g->t, g->u, MPFR_RNDN);
        }
        mpfr_div(row[j], g->t, g->factor[j][j], MPFR_RNDN);
    }
    multiply_vertices(g, v, v, g->t);
    mpfr_mul_2si(g->c, g->t, -(long)g->bits + ROUGH / 2, MPFR_RNDN);
    for (size_t i = 0; i < k; i++) {
        mpfr_sqr(g->u, row[i], MPFR_RNDN);
        mpfr_sub(g->t, g->t, g->u, MPFR_RNDN);
    }
    *joined = mpfr_cmp(g->t, g->c) > 0;
    if (!*joined) return PERC_OK;
    mpfr_sqrt(row[k], g->t, MPFR_RNDN);
    g->in[k] = *v;
    mpfr_set_zero(g->lambda[k], 1);
    g->k++;
    return PERC_OK;
}

/* Vertex `at` leaves: the rows below move up, each with a number too many, which a rotation of two
 * columns (Givens) takes away. */
static void leave_corral(struct gram *g, size_t at)
{
    for (size_t r = at; r + 1 < g->k; r++) {
        mpfr_t *row = g->factor[r];
        for (size_t j = 0; j <= r + 1; j++) mpfr_swap(row[j], g->factor[r + 1][j]);
        mpfr_hypot(g->t, row[r], row[r + 1], MPFR_RNDN);
        mpfr_div(g->c, row[r], g->t, MPFR_RNDN);
        mpfr_div(g->s, row[r + 1], g->t, MPFR_RNDN);
        mpfr_set(row[r], g->t, MPFR_RNDN);
        for (size_t q = r + 2; q < g->k; q++) {
            mpfr_t *x = &g->factor[q][r], *y = &g->factor[q][r + 1];
            mpfr_fmms(g->t, g->c, *y, g->s, *x, MPFR_RNDN);
            mpfr_fmma(*x, g->c, *x, g->s, *y, MPFR_RNDN);
            mpfr_swap(*y, g->t);
        }
        g->in[r] = g->in[r + 1];
        mpfr_swap(g->lambda[r], g->lambda[r + 1]);
    }
    g->k--;
}

/* towards = the weights of the nearest point in the plane through the vertices: L L' x = 1, scaled
 * so that they add up to 1. */
static void nearest_in_plane(struct gram *g)
{
    mpfr_t *x = g->towards;

    for (size_t i = 0; i < g->k; i++) {
        mpfr_set_ui(x[i], 1, MPFR_RNDN);
        for (size_t j = 0; j < i; j++) {
            mpfr_mul(g->u, g->factor[i][j], x[j], MPFR_RNDN);
            mpfr_sub(x[i], x[i], g->u, MPFR_RNDN);
        }
        mpfr_div(x[i], x[i], g->factor[i][i], MPFR_RNDN);
    }
    mpfr_set_zero(g->t, 1);
    for (size_t i = g->k; i-- > 0;) {
        for (size_t j = i + 1; j < g->k; j++) {
            mpfr_mul(g->u, g->factor[j][i], x[j], MPFR_RNDN);
            mpfr_sub(x[i], x[i], g->u, MPFR_RNDN);
        }
        mpfr_div(x[i], x[i], g->factor[i][i], MPFR_RNDN);
        mpfr_add(g->t, g->t, x[i], MPFR_RNDN);
    }
    for (size_t i = 0; i < g->k; i++) mpfr_div(x[i], x[i], g->t, MPFR_RNDN);
}

/* The nearest point of the vertices' hull; those that do not bear it leave. */
static void settle_corral(struct gram *g)
{
    for (;;) {
        size_t first = nobody;

        nearest_in_plane(g);
        for (size_t i = 0; i < g->k; i++) { /* how far may one go? */
            if (mpfr_cmp_ui(g->towards[i], 0) > 0) continue;
            mpfr_sub(g->u, g->lambda[i], g->towards[i], MPFR_RNDN);
            mpfr_div(g->u, g->lambda[i], g->u, MPFR_RNDN);
            if (first != nobody && mpfr_cmp(g->u, g->t) >= 0) continue;
            mpfr_set(g->t, g->u, MPFR_RNDN);
            first = i;
        }
        if (first == nobody || g->k == 1) break;
        for (size_t i = 0; i < g->k; i++) {
            mpfr_sub(g->u, g->towards[i], g->lambda[i], MPFR_RNDN);
            mpfr_fma(g->lambda[i], g->t, g->u, g->lambda[i], MPFR_RNDN);
        }
        leave_corral(g, first);
    }
    for (size_t i = 0; i < g->k; i++) mpfr_set(g->lambda[i], g->towards[i], MPFR_RNDN);
}

/* ----- the point ------------------------------------------------------------------------- */

/* along = S a and norm2_p = a.S a, with the values of S and all roundings on one side. */
static void look_along(struct gram *g, mpfr_t *gram, mpfr_rnd_t round)
{
    mpfr_set_zero(g->norm2_p, 1);
    for (size_t i = 0; i < g->n; i++) {
        mpfr_set_zero(g->along[i], 1);
        for (size_t j = 0; j < g->n; j++) {
            if (mpfr_zero_p(g->weight[j])) continue;
            mpfr_fma(g->along[i], g->weight[j], gram[place(i, j)], g->along[i], round);
        }
        mpfr_fma(g->norm2_p, g->weight[i], g->along[i], g->norm2_p, round);
    }
}

/* The weights of the rows, multiples of 2^(ROUGH - bits); sum = what the vertices' add up to. Both
 * are exact. */
static void weigh_rows(struct gram *g, mpfr_t sum)
{
    for (size_t i = 0; i < g->n; i++) mpfr_set_zero(g->weight[i], 1);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < g->k; i++) {
        mpfr_mul_2si(g->u, g->lambda[i], (long)g->bits - ROUGH, MPFR_RNDN);
        mpfr_rint(g->u, g->u, MPFR_RNDN);
        if (mpfr_cmp_ui(g->u, 0) <= 0) continue;
        mpfr_mul_2si(g->u, g->u, ROUGH - (long)g->bits, MPFR_RNDN);
        mpfr_add(sum, sum, g->u, MPFR_RNDN);
        for (size_t r = 0; r < 2 && g->in[i].row[r] != nobody; r++) {
            mpfr_t *w = &g->weight[g->in[i].row[r]];
            mpfr_add(*w, *w, g->u, MPFR_RNDN);
        }
    }
}

/* The vertex that lies farthest towards 0: the row with the least (S a)_i, or one of each
 * class. */
static struct vertex least_vertex(const struct gram *g, bool hulls)
{
    struct vertex v = { { nobody, nobody } };

    for (size_t i = 0; i < g->n; i++) {
        size_t *row = &v.row[hulls && g->rows->sign[i] < 0];
        if (*row == nobody || mpfr_less_p(g->along[i], g->along[*row])) *row = i;
    }
    return v;
}

/* t = p.v */
static void value_of_vertex(struct gram *g, const struct vertex *v, mpfr_rnd_t round)
{
    mpfr_set(g->t, g->along[v->row[0]], round);
    if (v->row[1] != nobody) mpfr_add(g->t, g->t, g->along[v->row[1]], round);
}

/* Until no vertex is before p by more than the gap, or the digits or the watch allow no more. */
static perc_status find_nearest(struct gram *g, bool hulls)
{
    bool joined = true;

    g->k = 0;
    mpfr_set_inf(g->before, 1);
    for (size_t i = 0; i < g->n; i++) mpfr_set(g->along[i], g->low[place(i, i)], MPFR_RNDN);
    struct vertex v = least_vertex(g, hulls);
    if (join_corral(g, &v, &joined)) return PERC_ENOMEM;
    mpfr_set_ui(g->lambda[0], 1, MPFR_RNDN);
    while (joined && watch_ask(g->q->watch, 0)) {
        weigh_rows(g, g->s);
        look_along(g, g->low, MPFR_RNDN);
        if (mpfr_cmp(g->norm2_p, g->before) >= 0) break; /* rounding stands in the way */
        mpfr_set(g->before, g->norm2_p, MPFR_RNDN);
        v = least_vertex(g, hulls);
        value_of_vertex(g, &v, MPFR_RNDN);
        mpfr_sub(g->t, g->norm2_p, g->t, MPFR_RNDN);
        mpfr_mul_d(g->u, g->norm2_p, g->q->gap / 4, MPFR_RNDN);
        if (mpfr_cmp(g->t, g->u) <= 0) break;
        if (join_corral(g, &v, &joined)) return PERC_ENOMEM;
        if (joined) settle_corral(g);
    }
    return PERC_OK;
}

/* Both bounds from the point that was found. */
static void bound_margin(struct gram *g, bool hulls, double *lower, double *upper)
{
    const double half = hulls ? 0.5 : 1;

    weigh_rows(g, g->s);
    look_along(g, g->high, MPFR_RNDU);
    if (mpfr_cmp_ui(g->norm2_p, 0) <= 0) return; /* no digit of it is known */
    mpfr_sqrt(g->c, g->norm2_p, MPFR_RNDU);
    mpfr_div(g->u, g->c, g->s, MPFR_RNDU);
    *upper = fmin(*upper, mpfr_get_d(g->u, MPFR_RNDU) * half);
    look_along(g, g->low, MPFR_RNDD);
    const struct vertex v = least_vertex(g, hulls);
    value_of_vertex(g, &v, MPFR_RNDD);
    mpfr_div(g->u, g->t, g->c, MPFR_RNDD);
    if (mpfr_cmp_ui(g->u, 0) > 0) *lower = fmax(*lower, mpfr_get_d(g->u, MPFR_RNDD) * half);
}

/* ----- the question ----------------------------------------------------------------------- */

static bool gap_closed(const struct gram_question *q, double lower, double upper)
{
    return lower > 0 && upper - lower <= q->gap * upper;
}

/* With the digits that g->bits says. */
static perc_status measure_once(struct gram *g, double *advance, struct gram_answer *out)
{
    if (!fill_gram(g)) return PERC_OK;
    for (size_t i = 0; i < g->n; i++) {
        mpfr_sqrt(g->t, g->high[place(i, i)], MPFR_RNDU);
        out->radius = fmax(out->radius, mpfr_get_d(g->t, MPFR_RNDU));
    }
    if (!gap_closed(g->q, out->lower, out->upper)) {
        if (find_nearest(g, false)) return PERC_ENOMEM;
        bound_margin(g, false, &out->lower, &out->upper);
        for (size_t i = 0; i < g->n && advance != NULL; i++) {
            mpfr_div(g->t, g->along[i], g->c, MPFR_RNDN);
            advance[i] = mpfr_get_d(g->t, MPFR_RNDN);
        }
    }
    if (isfinite(out->geometric_lower) && g->q->hulls) {
        if (find_nearest(g, true)) return PERC_ENOMEM;
        bound_margin(g, true, &out->geometric_lower, &out->geometric_upper);
    }
    return PERC_OK;
}

static perc_status measure_with(struct gram *g, mpfr_prec_t bits, double *advance,
                                struct gram_answer *out)
{
    const size_t n = g->n, pairs = n * (n + 1) / 2;

    g->bits = bits;
    mpfr_inits2(bits, g->norm2_p, g->before, g->t, g->u, g->c, g->s, (mpfr_ptr)NULL);
    g->low = numbers(&g->e, pairs, bits);
    g->high = numbers(&g->e, pairs, bits);
    g->lambda = numbers(&g->e, n + 1, bits);
    g->towards = numbers(&g->e, n + 1, bits);
    g->weight = numbers(&g->e, n, bits);
    g->along = numbers(&g->e, n, bits);
    g->factor = mem_zeroed(&g->e, n + 1, sizeof *g->factor);
    perc_status st = PERC_ENOMEM;
    if (g->low != NULL && g->high != NULL && g->lambda != NULL && g->towards != NULL &&
        g->weight != NULL && g->along != NULL && g->factor != NULL)
        st = measure_once(g, advance, out);
    for (size_t i = 0; i <= n && g->factor != NULL; i++) numbers_free(&g->e, g->factor[i], i + 2);
    mem_free(&g->e, g->factor, n + 1, sizeof *g->factor);
    numbers_free(&g->e, g->along, n);
    numbers_free(&g->e, g->weight, n);
    numbers_free(&g->e, g->towards, n + 1);
    numbers_free(&g->e, g->lambda, n + 1);
    numbers_free(&g->e, g->high, pairs);
    numbers_free(&g->e, g->low, pairs);
    mpfr_clears(g->norm2_p, g->before, g->t, g->u, g->c, g->s, (mpfr_ptr)NULL);
    return st;
}

/* Twice the digits, until both bounds meet. */
static perc_status measure_rows(struct gram *g, double *advance, struct gram_answer *out)
{
    const struct gram_question *q = g->q;
    const size_t pairs = g->n * (g->n + 1);
    perc_status st = PERC_OK;

    for (mpfr_prec_t bits = FIRST_BITS; !st; bits *= 2) {
        const size_t bytes = NUMBER_BYTES + (size_t)bits / 8;
        out->gap_reached = 0;
        if (bits > MOST_BITS || (bits > FIRST_BITS && pairs * bytes > MOST_BYTES)) break;
        out->gap_reached = -1;
        if (!watch_ask(q->watch, 0)) break;
        st = measure_with(g, bits, advance, out);
        out->gap_reached = 1;
        if (gap_closed(q, out->lower, out->upper) &&
            (!q->hulls || isinf(out->geometric_lower) ||
             gap_closed(q, out->geometric_lower, out->geometric_upper)))
            break;
    }
    mpfr_free_cache();
    return st;
}

perc_status gram_margin_measure(const struct whole *rows, const struct gram_question *q,
                                double *advance, struct gram_answer *out, perc_error *err)
{
    struct gram g = { .e = rows->e, .q = q, .rows = rows, .n = (size_t)rows->n };
    bool seen[2] = { false, false };
    perc_status st = PERC_OK;

    *out = (struct gram_answer){ .upper = INFINITY, .geometric_upper = INFINITY };
    for (size_t i = 0; i < g.n; i++) seen[rows->sign[i] > 0] = true;
    if (!seen[0] || !seen[1]) out->geometric_lower = INFINITY;
    g.x = mem_zeroed(&g.e, g.n, sizeof *g.x);
    g.in = mem_array(&g.e, g.n + 1, sizeof *g.in);
    g.norm2 = mem_array(&g.e, g.n, sizeof *g.norm2);
    if (g.x == NULL || g.in == NULL || g.norm2 == NULL) st = fail_memory(err);
    for (size_t i = 0; i < g.n && !st; i++) {
        whole_vector_init(&g.x[i], &g.e);
        st = whole_row(rows, i, &g.x[i], err);
    }
    for (size_t i = 0; i < g.n && g.norm2 != NULL; i++) mpq_init(g.norm2[i]);
    if (!st && measure_rows(&g, advance, out)) st = fail_memory(err);
    for (size_t i = 0; i < g.n && g.norm2 != NULL; i++) mpq_clear(g.norm2[i]);
    for (size_t i = 0; i < g.n && g.x != NULL; i++) whole_vector_free(&g.x[i]);
    mem_free(&g.e, g.norm2, g.n, sizeof *g.norm2);
    mem_free(&g.e, g.in, g.n + 1, sizeof *g.in);
    mem_free(&g.e, g.x, g.n, sizeof *g.x);
    return st;
}
