/* exact_margin.c -- the mistake bound as a fraction.
 *
 * gamma' is the distance of 0 from the hull of the rows a_i (nearest.h), so that its square is a
 * quotient of whole numbers, as R^2 is. Only few rows matter: those that are nearest to the plane
 * of u. Of these the nearest point p of the hull is found in fractions, by the method of Wolfe
 * (Mathematical Programming 11, 1976), which is finite. Then a_i.p >= p.p is looked at for every
 * row of the data. If it holds, |p| = gamma'; if not, the worst row joins the few. */
#include "prove/exact_margin.h"

#include <flint/flint.h>
#include <flint/fmpz_mat.h>
#include <math.h>

#include "solve/margins.h"

enum {
    FEW = 40,
    POLL = 1024,
    DIGITS = 400 /* of the numbers: what the limit of time cannot interrupt stays short */
};
static const double near = 1e-5; /* of the least margin: the rows to begin with */

/* The few rows, in units of 10^low, and the point: sum_k alpha_k a_(row in[k]). */
struct few {
    const struct whole *exact;
    const struct watch *watch;
    struct margins m;
    struct whole_vector v;
    int64_t low;  /* the least exponent of all rows */
    double *p;    /* dims: the point, rounded */
    mpz_t *dense; /* dims: a row; or the point, times `common` */
    mpz_t t, one;
    uint64_t row[FEW];
    size_t n;
    mpz_t g[FEW][FEW]; /* their products */
    size_t in[FEW], members;
    mpq_t alpha[FEW], beta[FEW], a, b; /* of the members; of the nearest point of their plane */
    mpz_t part[FEW], common;           /* alpha_k = part_k / common */
    mpz_t square, least;               /* p.p, times common^2; the least a_i.p, times common */
    mpq_t radius2;
};

static void few_open(struct few *f)
{
    for (size_t i = 0; i < FEW; i++) {
        for (size_t k = 0; k < FEW; k++) mpz_init(f->g[i][k]);
        mpq_inits(f->alpha[i], f->beta[i], NULL);
        mpz_init(f->part[i]);
    }
    mpq_inits(f->a, f->b, f->radius2, NULL);
    mpz_inits(f->t, f->common, f->square, f->least, NULL);
    mpz_init_set_ui(f->one, 1);
}

static void few_close(struct few *f)
{
    for (size_t i = 0; i < FEW; i++) {
        for (size_t k = 0; k < FEW; k++) mpz_clear(f->g[i][k]);
        mpq_clears(f->alpha[i], f->beta[i], NULL);
        mpz_clear(f->part[i]);
    }
    mpq_clears(f->a, f->b, f->radius2, NULL);
    mpz_clears(f->t, f->common, f->square, f->least, f->one, NULL);
}

/* x = x 10^exponent, exponent >= 0. */
static void times_ten(mpz_t x, int64_t exponent)
{
    mpz_t ten;

    mpz_init(ten);
    mpz_ui_pow_ui(ten, 10, (unsigned long)exponent);
    mpz_mul(x, x, ten);
    mpz_clear(ten);
}

/* One more row, with its products. */
static perc_status add_row(struct few *f, uint64_t row, perc_error *err)
{
    const size_t i = f->n++;
    perc_status st = whole_row(f->exact, row, &f->v, err);

    f->row[i] = row;
    for (uint64_t j = 0; j < f->exact->dims; j++) mpz_set_ui(f->dense[j], 0);
    if (!st) whole_add(&f->v, f->one, f->dense);
    const int64_t exponent = f->v.exponent - f->low;
    for (size_t k = 0; k <= i && !st; k++) {
        if ((st = whole_row(f->exact, f->row[k], &f->v, err))) break;
        whole_dot(&f->v, (const mpz_t *)f->dense, f->g[i][k]);
        times_ten(f->g[i][k], exponent + f->v.exponent - f->low);
        mpz_set(f->g[k][i], f->g[i][k]);
    }
    return st;
}

/* ----- the nearest point of the few ----------------------------------------------------------- */

/* beta: the point of the plane through the members that is nearest to 0. Its products with all of
 * them are the same, and the weights add up to 1. false: they are not independent. */
static bool solve_affine(struct few *f)
{
    const slong n = (slong)f->members + 1;
    fmpz_mat_t a, x, y;
    fmpz_t d;

    fmpz_init(d);
    fmpz_mat_init(a, n, n);
    fmpz_mat_init(x, n, 1);
    fmpz_mat_init(y, n, 1);
    fmpz_one(fmpz_mat_entry(y, 0, 0));
    for (slong i = 1; i < n; i++) {
        fmpz_one(fmpz_mat_entry(a, 0, i));
        fmpz_one(fmpz_mat_entry(a, i, 0));
        for (slong k = 1; k < n; k++)
            fmpz_set_mpz(fmpz_mat_entry(a, i, k), f->g[f->in[i - 1]][f->in[k - 1]]);
    }
    const bool solved = fmpz_mat_solve(x, d, a, y) != 0;
    for (slong k = 1; k < n && solved; k++) {
        fmpz_get_mpz(mpq_numref(f->beta[k - 1]), fmpz_mat_entry(x, k, 0));
        fmpz_get_mpz(mpq_denref(f->beta[k - 1]), d);
        mpq_canonicalize(f->beta[k - 1]);
    }
    fmpz_mat_clear(a);
    fmpz_mat_clear(x);
    fmpz_mat_clear(y);
    fmpz_clear(d);
    return solved;
}

/* From alpha towards beta, as far as no weight is negative; members without weight go. true: it
 * went all the way. */
static bool step_towards(struct few *f)
{
    size_t kept = 0;
    bool whole = true;

    mpq_set_ui(f->a, 1, 1); /* the length of the step; alpha > 0 where beta <= 0 (Wolfe) */
    for (size_t k = 0; k < f->members; k++) {
        if (mpq_sgn(f->beta[k]) > 0) continue;
        whole = false;
        mpq_sub(f->b, f->alpha[k], f->beta[k]);
        mpq_div(f->b, f->alpha[k], f->b);
        if (mpq_cmp(f->b, f->a) < 0) mpq_set(f->a, f->b);
    }
    for (size_t k = 0; k < f->members; k++) {
        mpq_sub(f->b, f->beta[k], f->alpha[k]);
        mpq_mul(f->b, f->b, f->a);
        mpq_add(f->alpha[k], f->alpha[k], f->b);
        if (mpq_sgn(f->alpha[k]) == 0) continue;
        mpq_swap(f->alpha[kept], f->alpha[k]);
        f->in[kept++] = f->in[k];
    }
    f->members = kept;
    return whole;
}

/* The weights over a common denominator; the point against all of the few. Returns the one with the
 * least product. */
static size_t look_at_few(struct few *f)
{
    size_t which = 0;

    mpz_set_ui(f->common, 1);
    mpz_set_ui(f->square, 0);
    for (size_t k = 0; k < f->members; k++) mpz_lcm(f->common, f->common, mpq_denref(f->alpha[k]));
    for (size_t k = 0; k < f->members; k++) {
        mpz_divexact(f->part[k], f->common, mpq_denref(f->alpha[k]));
        mpz_mul(f->part[k], f->part[k], mpq_numref(f->alpha[k]));
    }
    for (size_t i = 0; i < f->n; i++) {
        mpz_set_ui(f->t, 0);
        for (size_t k = 0; k < f->members; k++) mpz_addmul(f->t, f->part[k], f->g[i][f->in[k]]);
        for (size_t k = 0; k < f->members; k++)
            if (f->in[k] == i) mpz_addmul(f->square, f->part[k], f->t);
        if (i > 0 && mpz_cmp(f->t, f->least) >= 0) continue;
        mpz_set(f->least, f->t);
        which = i;
    }
    return which;
}

/* false: the watch says no. */
static bool nearest_of_few(struct few *f)
{
    f->members = 1;
    f->in[0] = 0;
    mpq_set_ui(f->alpha[0], 1, 1);
    for (;;) {
        const size_t i = look_at_few(f);
        mpz_mul(f->least, f->least, f->common);
        if (mpz_cmp(f->least, f->square) >= 0) return true;
        if (!watch_ask(f->watch, 0)) return false;
        f->in[f->members] = i; /* below p.p, and so not in the plane of the members */
        mpq_set_ui(f->alpha[f->members++], 0, 1);
        do
            if (!solve_affine(f)) return false;
        while (!step_towards(f));
    }
}

/* ----- all rows ----------------------------------------------------------------------------- */

/* dense = the point, times `common`, in units of 10^low. */
static perc_status spread_point(struct few *f, perc_error *err)
{
    perc_status st = PERC_OK;

    for (uint64_t j = 0; j < f->exact->dims; j++) mpz_set_ui(f->dense[j], 0);
    for (size_t k = 0; k < f->members && !st; k++) {
        if ((st = whole_row(f->exact, f->row[f->in[k]], &f->v, err))) break;
        mpz_set(f->t, f->part[k]);
        times_ten(f->t, f->v.exponent - f->low);
        whole_add(&f->v, f->t, f->dense);
    }
    return st;
}

/* The least exponent of all rows, and how many digits their numbers span from there. */
static perc_status find_low(struct few *f, int64_t *span, perc_error *err)
{
    int64_t high = INT64_MIN;
    perc_status st = PERC_OK;

    f->low = INT64_MAX;
    for (uint64_t i = 0; i < f->exact->n && !st; i++) {
        st = whole_row(f->exact, i, &f->v, err);
        for (size_t k = 0; k < f->v.n && !st; k++) {
            whole_get(&f->v, k, f->t);
            const int64_t end = f->v.exponent + (int64_t)mpz_sizeinbase(f->t, 10);
            if (end > high) high = end;
        }
        if (!st && f->v.exponent < f->low) f->low = f->v.exponent;
    }
    if (!st) *span = high - f->low; /* there are rows, and none is 0 */
    return st;
}

/* q = x 10^(2 low) / y */
static void set_square(const struct few *f, mpq_t q, const mpz_t x, const mpz_t y)
{
    mpz_set(mpq_numref(q), x);
    mpz_set(mpq_denref(q), y);
    times_ten(f->low < 0 ? mpq_denref(q) : mpq_numref(q), f->low < 0 ? -2 * f->low : 2 * f->low);
    mpq_canonicalize(q);
}

/* R^2, of the rows that doubles cannot tell from the longest. */
static perc_status measure_radius2(struct few *f, perc_error *err)
{
    double largest = 0;
    perc_status st = PERC_OK;

    margins_norms(&f->m);
    for (uint64_t i = 0; i < f->exact->n; i++) largest = fmax(largest, f->m.value[i]);
    /* A square is off by n + 2 units, each number by half of one. Out of range: every row. */
    const double part = 1 - ((double)f->m.longest + 8) * 0x1p-50;
    const double bar = largest < 1e300 && largest > 1e-270 ? largest * part : 0;
    mpz_set_ui(f->least, 0);
    for (uint64_t i = 0; i < f->exact->n && !st; i++) {
        if (f->m.value[i] < bar || (st = whole_row(f->exact, i, &f->v, err))) continue;
        mpz_set_ui(f->t, 0);
        for (size_t k = 0; k < f->v.n; k++) {
            whole_get(&f->v, k, f->square);
            mpz_addmul(f->t, f->square, f->square);
        }
        times_ten(f->t, 2 * (f->v.exponent - f->low));
        if (mpz_cmp(f->t, f->least) > 0) mpz_set(f->least, f->t);
    }
    set_square(f, f->radius2, f->least, f->one);
    return st;
}

/* p.p; common^2 has no other use. */
static void point_square(struct few *f, mpq_t out)
{
    mpz_mul(f->t, f->common, f->common);
    set_square(f, out, f->square, f->t);
}

/* The products of all rows with the point in doubles, and the number above which such a product is
 * above p.p beyond doubt: products are off by no more than margins_error says, and the numbers of
 * rows and point by a unit each. */
static double score_point(struct few *f)
{
    mpz_set_ui(f->t, 1);
    if (f->low != 0) times_ten(f->t, f->low < 0 ? -f->low : f->low);
    for (uint64_t j = 0; j < f->exact->dims; j++) {
        mpz_set(mpq_numref(f->b), f->dense[j]);
        mpz_set(mpq_denref(f->b), f->common);
        mpz_mul(f->low < 0 ? mpq_denref(f->b) : mpq_numref(f->b),
                f->low < 0 ? mpq_denref(f->b) : mpq_numref(f->b), f->t);
        mpq_canonicalize(f->b);
        f->p[j] = mpq_get_d(f->b);
    }
    margins_score(&f->m, f->p);
    point_square(f, f->b);
    const double square = mpq_get_d(f->b), radius = sqrt(mpq_get_d(f->radius2));
    const double bar = square + 8 * margins_error(&f->m, sqrt(square), radius);
    return square > 1e-250 && bar < 1e250 ? bar * (1 + 1e-12) : (double)INFINITY;
}

/* *worst: the row that is farthest below p.p; exact->n: none is. */
static perc_status look_at_all(struct few *f, uint64_t *worst, bool *stopped, perc_error *err)
{
    perc_status st = spread_point(f, err);
    const double bar = st ? 0 : score_point(f);

    *worst = f->exact->n;
    mpz_set(f->least, f->square);
    for (uint64_t i = 0; i < f->exact->n && !st && !*stopped; i++) {
        *stopped = i % POLL == 0 && !watch_ask(f->watch, 0);
        if (f->m.value[i] > bar || (st = whole_row(f->exact, i, &f->v, err))) continue;
        whole_dot(&f->v, (const mpz_t *)f->dense, f->t);
        times_ten(f->t, f->v.exponent - f->low);
        mpz_mul(f->t, f->t, f->common);
        if (mpz_cmp(f->t, f->least) >= 0) continue;
        mpz_set(f->least, f->t);
        *worst = i;
    }
    return st;
}

/* The rows nearest to the plane of u, as far as doubles can tell. */
static perc_status begin_few(struct few *f, const double *u, perc_error *err)
{
    struct pick pick[FEW / 2];
    bool *listed = mem_zeroed(&f->exact->e, f->exact->n, sizeof *listed);
    perc_status st = PERC_OK;

    if (listed == NULL) return fail_memory(err);
    margins_score(&f->m, u);
    const double least = f->m.value[margins_least(&f->m)];
    const size_t n = margins_worst(&f->m, listed, least + fabs(least) * near, FEW / 2, pick);
    for (size_t i = 0; i < n && !st; i++) st = add_row(f, pick[i].row, err);
    mem_free(&f->exact->e, listed, f->exact->n, sizeof *listed);
    return st;
}

/* Rounds of the few and of all, until no row is nearer than their point. */
static perc_status search(struct few *f, bool *found, perc_error *err)
{
    bool stopped = false;
    uint64_t worst;
    perc_status st = PERC_OK;

    while (!st && !*found && !stopped && f->n > 0 && f->n < FEW) {
        if (!nearest_of_few(f)) break;
        st = look_at_all(f, &worst, &stopped, err);
        if (!st && !stopped && worst < f->exact->n) st = add_row(f, worst, err);
        else *found = !st && !stopped;
    }
    return st;
}

perc_status exact_bound(const struct whole *exact, const struct problem *floats, const double *u,
                        const struct watch *watch, mpq_t bound, bool *found, perc_error *err)
{
    struct few *f = mem_zeroed(&exact->e, 1, sizeof *f);
    int64_t span = 0;

    *found = false;
    if (f == NULL) return fail_memory(err);
    f->exact = exact;
    f->watch = watch;
    whole_vector_init(&f->v, &exact->e);
    few_open(f);
    f->dense = whole_numbers(&exact->e, exact->dims);
    f->p = mem_zeroed(&exact->e, exact->dims, sizeof *f->p);
    perc_status st = margins_open(&f->m, floats, 1, err);
    if (!st && (f->dense == NULL || f->p == NULL)) st = fail_memory(err);
    if (!st) st = find_low(f, &span, err);
    if (!st && span <= DIGITS) {
        st = measure_radius2(f, err);
        if (!st) st = begin_few(f, u, err);
        if (!st) st = search(f, found, err);
    }
    if (*found) {
        point_square(f, f->b);
        mpq_div(bound, f->radius2, f->b);
    }
    margins_close(&f->m);
    mem_free(&exact->e, f->p, exact->dims, sizeof *f->p);
    whole_numbers_free(&exact->e, f->dense, exact->dims);
    whole_vector_free(&f->v);
    few_close(f);
    flint_cleanup();
    mem_free(&exact->e, f, 1, sizeof *f);
    return st;
}
