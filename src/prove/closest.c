/* closest.c -- the least margin of a plane that separates, and the rows that have it.
 *
 * In doubles each a_i.w comes with a bound on its error. Only rows that may be among the
 * nearest by these bounds are multiplied in whole numbers, and those are compared exactly:
 * ties are ties of the decimals, and go to the lower row. */
#include <math.h>

#include "prove/proof.h"

enum { CLOSEST = sizeof((perc_part *)0)->closest / sizeof((perc_part *)0)->closest[0] };

/* lower[i] <= a_i.w, and *limit such that CLOSEST rows are at most this far. x is scratch of
 * dims numbers: w 2^-e in doubles, below 1, each cut off after 53 bits. In n + 1 products each
 * factor, each product and each sum is off by at most a share of 2^-52; what is too small for a
 * double is off by less than 2^-1000 for each product, times |x| where it is w. */
static perc_status lower_bounds(const struct whole *exact, const struct problem *floats,
                                const mpz_t *w, double *x, double *lower, double *limit,
                                perc_error *err)
{
    signed long most = 0, exponent;
    double upper[CLOSEST];
    struct lens lens;
    perc_status st = problem_lens(floats, &lens, err);

    if (st) return st;
    for (uint64_t j = 0; j < exact->dims; j++) {
        mpz_get_d_2exp(&exponent, w[j]);
        if (exponent > most) most = exponent;
    }
    for (uint64_t j = 0; j < exact->dims; j++) {
        const double m = mpz_get_d_2exp(&exponent, w[j]);
        exponent -= most;
        x[j] = ldexp(m, exponent < -5000 ? -5000 : (int)exponent);
    }
    const double b = exact->offset ? x[exact->dims - 1] : 0;
    for (size_t k = 0; k < CLOSEST; k++) upper[k] = INFINITY;
    for (uint64_t i = 0; i < exact->n; i++) {
        const struct row r = problem_row(floats, &lens, i);
        double sum = b, size = fabs(b), length = 1;
        for (size_t k = 0; k < r.n; k++) {
            const double v = row_value(&r, k), t = v * x[row_column(&r, k)];
            sum += t;
            size += fabs(t);
            length += fabs(v);
        }
        const double n = (double)r.n + 8, s = exact->sign[i] * sum;
        const double error = n * 0x1p-52 * size + 0x1p-1000 * (length + n);
        double above = s + error;
        lower[i] = s - error;
        if (isnan(lower[i]) || isnan(above)) lower[i] = -(above = INFINITY);
        for (size_t k = 0; k < CLOSEST; k++) { /* keeps the least ones, in order */
            if (!(above < upper[k])) continue;
            const double t = upper[k];
            upper[k] = above;
            above = t;
        }
    }
    lens_free(&lens);
    *limit = upper[CLOSEST - 1];
    return PERC_OK;
}

/* ----- in whole numbers ------------------------------------------------------------ */

struct near { /* value * 10^exponent = a_row.w */
    mpz_t value;
    int64_t exponent;
    uint64_t row;
};

static int compare_near(const struct near *a, const struct near *b, mpz_t scratch)
{
    if (a->exponent < b->exponent) return -compare_near(b, a, scratch);
    if (a->exponent == b->exponent) return mpz_cmp(a->value, b->value);
    mpz_ui_pow_ui(scratch, 10, (unsigned long)(a->exponent - b->exponent));
    mpz_mul(scratch, scratch, a->value);
    return mpz_cmp(scratch, b->value);
}

/* Puts t among the *n nearest, if it belongs there; t->value is scratch afterwards. */
static void insert_near(struct near *at, size_t *n, struct near *t, mpz_t scratch)
{
    size_t k = *n;

    while (k > 0 && compare_near(t, &at[k - 1], scratch) < 0) k--;
    if (k == CLOSEST) return;
    if (*n < CLOSEST) ++*n;
    for (size_t i = *n - 1; i > k; i--) {
        mpz_swap(at[i].value, at[i - 1].value);
        at[i].exponent = at[i - 1].exponent;
        at[i].row = at[i - 1].row;
    }
    mpz_swap(at[k].value, t->value);
    at[k].exponent = t->exponent;
    at[k].row = t->row;
}

/* value 10^exponent / |w| */
static double distance(const struct near *t, const mpz_t *w, uint64_t dims, mpz_t scratch)
{
    signed long e, part;
    double m;
    mpz_t sum;

    mpz_init(sum);
    for (uint64_t j = 0; j < dims; j++) mpz_addmul(sum, w[j], w[j]);
    m = mpz_get_d_2exp(&part, sum);
    if (part % 2 != 0) m *= 2, part--;
    const double norm = sqrt(m);
    mpz_clear(sum);
    mpz_ui_pow_ui(scratch, 10, (unsigned long)(t->exponent < 0 ? -t->exponent : t->exponent));
    m = mpz_get_d_2exp(&e, t->value) / norm;
    e -= part / 2;
    const double power = mpz_get_d_2exp(&part, scratch);
    m = t->exponent < 0 ? m / power : m * power;
    e += t->exponent < 0 ? -part : part;
    return ldexp(m, e > 5000 ? 5000 : e < -5000 ? -5000 : (int)e);
}

perc_status closest_rows(const struct whole *exact, const struct problem *floats, const mpz_t *w,
                         perc_part *out, perc_error *err)
{
    double *x = mem_array(&exact->e, exact->dims, sizeof *x), limit = 0;
    double *lower = mem_array(&exact->e, exact->n, sizeof *lower);
    struct near at[CLOSEST + 1], *last = &at[CLOSEST]; /* the last: the row in hand */
    struct whole_vector v;
    perc_status st = x == NULL || lower == NULL ? fail_memory(err) : PERC_OK;
    mpz_t scratch;

    mpz_init(scratch);
    whole_vector_init(&v, &exact->e);
    for (size_t k = 0; k <= CLOSEST; k++) mpz_init(at[k].value);
    out->closest_count = 0;
    if (!st) st = lower_bounds(exact, floats, w, x, lower, &limit, err);
    for (uint64_t i = 0; i < exact->n && !st; i++) {
        if (lower[i] > limit || (st = whole_row(exact, i, &v, err))) continue;
        whole_dot(&v, w, last->value);
        last->exponent = v.exponent;
        last->row = exact->row[i];
        insert_near(at, &out->closest_count, last, scratch);
    }
    if (out->closest_count > 0) {
        for (size_t k = 0; k < out->closest_count; k++) out->closest[k] = at[k].row;
        out->least = distance(&at[0], w, exact->dims, scratch);
    }
    for (size_t k = 0; k <= CLOSEST; k++) mpz_clear(at[k].value);
    whole_vector_free(&v);
    mpz_clear(scratch);
    mem_free(&exact->e, x, exact->dims, sizeof *x);
    mem_free(&exact->e, lower, exact->n, sizeof *lower);
    return st;
}
