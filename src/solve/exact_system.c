/* exact_system.c -- solutions of systems in whole numbers.
 *
 * The rows of a basis on their pivot columns are a regular r x r matrix M (row k of it: row
 * k of the basis). A combination x of the rows solves  M' x = d t  on the pivot columns c,
 * a completion w solves  M w_c = -d A_f g_f,  f the columns that are not pivots. Both are
 * solved by FLINT: Dixon's lifting (Numer. Math. 40, 1982), x modulo higher and higher
 * powers of a prime, until fractions with one denominator d stay the same; then all other
 * columns are checked here, by plain sums in whole numbers.
 *
 * GMP and FLINT end the process when out of memory. So the size of the numbers is bounded
 * first (Hadamard's inequality for the determinant), and that much memory is asked for
 * once, through the allocator, which may refuse.
 *
 * FLINT keeps pools for each thread. They are given back at the end of each solution, on
 * the thread that made it; threads share nothing else. */
#include <flint/flint.h>
#include <flint/fmpz_mat.h>
#include <math.h>

#include "solve/exact_system.h"

/* No more than this is asked for: a larger system would take forever anyway. */
#define MOST_BYTES 8e9

/* The system M' x = d t or M w = d t. */
struct system {
    const struct exact_basis *b;
    uint32_t *pivot; /* dims: number of the pivot column + 1; 0: it is not one */
    struct whole_vector v;
};

static perc_status system_new(struct system *s, const struct exact_basis *b, perc_error *err)
{
    *s = (struct system){ .b = b, .pivot = mem_zeroed(&b->e, b->p->dims, sizeof *s->pivot) };
    whole_vector_init(&s->v, &b->e);
    if (s->pivot == NULL) return fail_memory(err);
    for (size_t k = 0; k < b->rank; k++) s->pivot[b->column[k]] = (uint32_t)k + 1;
    return PERC_OK;
}

static void system_free(struct system *s)
{
    mem_free(&s->b->e, s->pivot, s->b->p->dims, sizeof *s->pivot);
    whole_vector_free(&s->v);
}

/* ----- sizes ------------------------------------------------------------------------------ */

struct size {
    double entry;    /* bits of the longest number of the rows */
    double hadamard; /* bits of the determinant of any r x r part, at most */
};

/* |det M| <= product of the norms of its rows (Hadamard 1893). */
static perc_status size_of(struct system *s, struct size *size, perc_error *err)
{
    const double rank = (double)s->b->rank;
    perc_status st;

    *size = (struct size){ 0, 0 };
    for (size_t k = 0; k < s->b->rank; k++) {
        double most = 0;
        if ((st = whole_row(s->b->p, s->b->row[k], &s->v, err))) return st;
        for (size_t j = 0; j < s->v.n; j++) {
            const double x = s->v.fits ? fabs((double)s->v.small[j]) : 0;
            const double bits = s->v.fits ? x > 0 ? log2(x) + 1 : 0
                                          : (double)mpz_sizeinbase(s->v.value[j], 2);
            most = fmax(most, bits);
        }
        size->entry = fmax(size->entry, most);
        size->hadamard += most + log2(fmin((double)s->v.n, rank) + 1) / 2;
    }
    return PERC_OK;
}

static double bytes_of(double bits)
{
    return bits <= 62 ? 8 : 32 + bits / 8;
}

static double longest_bits(const mpz_t *x, size_t n)
{
    double bits = 0;

    for (size_t j = 0; j < n; j++) bits = fmax(bits, (double)mpz_sizeinbase(x[j], 2));
    return bits;
}

/* Whether there will be memory; bits: of the longest number of t. */
static perc_status check_memory(struct system *s, double bits, perc_error *err)
{
    const struct env *e = &s->b->e;
    const double r = (double)s->b->rank;
    struct size size;
    perc_status st;

    if ((st = size_of(s, &size, err))) return st;
    const double answer = bytes_of(2 * (size.hadamard + bits) + 64);
    /* M, its copies modulo some primes, the inverse; the numbers lifted and the fractions; and
     * sums for the check. */
    const double bytes = r * r * (4 * bytes_of(size.entry) + 24) + 3 * r * answer +
                         (double)s->b->p->dims * answer / 2;
    if (bytes > MOST_BYTES)
        return fail(err, PERC_ENOMEM,
                    "a system of %zu rows with numbers of up to %.0f bits would need %.1f GB",
                    s->b->rank, size.hadamard + bits, bytes / 1e9);
    void *probe = mem_array(e, (size_t)bytes, 1);
    if (probe == NULL) return fail_memory(err);
    mem_free(e, probe, (size_t)bytes, 1);
    return PERC_OK;
}

/* ----- the system ------------------------------------------------------------------------- */

static fmpz *entry(const fmpz_mat_t m, size_t i, size_t j)
{
    return fmpz_mat_entry(m, (slong)i, (slong)j);
}

/* M, or its transpose: one row or one column for each row of the basis. */
static perc_status fill_matrix(struct system *s, bool transposed, fmpz_mat_t m, perc_error *err)
{
    perc_status st;

    for (size_t k = 0; k < s->b->rank; k++) {
        if ((st = whole_row(s->b->p, s->b->row[k], &s->v, err))) return st;
        for (size_t j = 0; j < s->v.n; j++) {
            const uint32_t c = s->pivot[s->v.column[j]];
            if (c == 0) continue;
            fmpz *out = transposed ? entry(m, c - 1, k) : entry(m, k, c - 1);
            if (s->v.fits) fmpz_set_si(out, s->v.small[j]);
            else fmpz_set_mpz(out, s->v.value[j]);
        }
    }
    return PERC_OK;
}

/* x, the rank numbers of t, becomes the solution; x and d as short as they can be. `bits`: see
 * check_memory. */
static perc_status system_solve(struct system *s, bool transposed, double bits, mpz_t *x, mpz_t d,
                                perc_error *err)
{
    const size_t rank = s->b->rank;
    fmpz_mat_t m, t, y;
    fmpz_t den;
    mpz_t g;
    perc_status st = check_memory(s, bits, err);

    if (st) return st;
    fmpz_mat_init(m, (slong)rank, (slong)rank);
    fmpz_mat_init(t, (slong)rank, 1);
    fmpz_mat_init(y, (slong)rank, 1);
    fmpz_init(den);
    mpz_init(g);
    for (size_t k = 0; k < rank; k++) fmpz_set_mpz(entry(t, k, 0), x[k]);
    st = fill_matrix(s, transposed, m, err);
    if (!st && !fmpz_mat_solve_dixon_den(y, den, m, t)) /* it is regular modulo p */
        st = fail(err, PERC_EDATA, "a regular system of %zu rows was called singular", rank);
    if (!st) {
        fmpz_get_mpz(d, den);
        mpz_set(g, d);
        for (size_t k = 0; k < rank; k++) {
            fmpz_get_mpz(x[k], entry(y, k, 0));
            if (mpz_cmpabs_ui(g, 1) != 0) mpz_gcd(g, g, x[k]);
        }
        if (mpz_sgn(g) != mpz_sgn(d)) mpz_neg(g, g); /* d > 0 */
        mpz_divexact(d, d, g);
        for (size_t k = 0; k < rank; k++) mpz_divexact(x[k], x[k], g);
    }
    fmpz_mat_clear(m);
    fmpz_mat_clear(t);
    fmpz_mat_clear(y);
    fmpz_clear(den);
    mpz_clear(g);
    flint_cleanup();
    return st;
}

perc_status exact_combine(const struct exact_basis *b, const mpz_t *target, mpz_t *x, mpz_t d,
                          bool *found, perc_error *err)
{
    const size_t dims = (size_t)b->p->dims;
    mpz_t *sum = whole_numbers(&b->e, dims);
    struct system s;
    perc_status st = system_new(&s, b, err);

    if (!st && sum == NULL) st = fail_memory(err);
    mpz_set_ui(d, 1); /* for no rows */
    for (size_t k = 0; k < b->rank; k++) mpz_set(x[k], target[b->column[k]]);
    if (!st && b->rank > 0) st = system_solve(&s, true, longest_bits(target, dims), x, d, err);
    for (size_t k = 0; k < b->rank && !st; k++) /* sum_k x_k a_k = d t on every column? */
        if (!(st = whole_row(b->p, b->row[k], &s.v, err))) whole_add(&s.v, x[k], sum);
    *found = !st;
    for (size_t j = 0; j < dims && *found; j++) {
        if (mpz_sgn(target[j]) != 0) mpz_submul(sum[j], d, target[j]);
        *found = mpz_sgn(sum[j]) == 0;
    }
    system_free(&s);
    whole_numbers_free(&b->e, sum, dims);
    return st;
}

/* x_k = a_k.w for the rows of the basis. */
static perc_status basis_dots(struct system *s, const mpz_t *w, mpz_t *x, perc_error *err)
{
    perc_status st = PERC_OK;

    for (size_t k = 0; k < s->b->rank && !st; k++)
        if (!(st = whole_row(s->b->p, s->b->row[k], &s->v, err))) whole_dot(&s->v, w, x[k]);
    return st;
}

/* t = -A_f g_f, with numbers of w as scratch: w_f = g_f, w_c = 0, t = -A w. */
perc_status exact_complete(const struct exact_basis *b, const mpz_t *given, mpz_t *w, mpz_t d,
                           perc_error *err)
{
    const size_t dims = (size_t)b->p->dims;
    mpz_t *x = whole_numbers(&b->e, b->rank);
    struct system s;
    perc_status st = system_new(&s, b, err);

    if (!st && x == NULL) st = fail_memory(err);
    for (size_t j = 0; j < dims && !st; j++) {
        if (s.pivot[j] > 0) mpz_set_ui(w[j], 0);
        else mpz_set(w[j], given[j]);
    }
    mpz_set_ui(d, 1);
    if (!st && b->rank > 0 && !(st = basis_dots(&s, (const mpz_t *)w, x, err))) {
        for (size_t k = 0; k < b->rank; k++) mpz_neg(x[k], x[k]);
        const double bits = fmax(longest_bits((const mpz_t *)x, b->rank),
                                 longest_bits((const mpz_t *)w, dims));
        st = system_solve(&s, false, bits, x, d, err);
        for (size_t j = 0; j < dims && !st; j++)
            if (s.pivot[j] > 0) mpz_swap(w[j], x[s.pivot[j] - 1]);
            else mpz_mul(w[j], w[j], d);
        if (!st) st = basis_dots(&s, (const mpz_t *)w, x, err);
        for (size_t k = 0; k < b->rank && !st; k++) /* a_k.w = 0 for all rows of the basis? */
            if (mpz_sgn(x[k]) != 0)
                st = fail(err, PERC_EDATA, "a solution with %zu rows failed its check", b->rank);
    }
    system_free(&s);
    whole_numbers_free(&b->e, x, b->rank);
    return st;
}

perc_status exact_seconds(const struct exact_basis *b, double *seconds, perc_error *err)
{
    const double r = (double)b->rank, product = 3e-9; /* measured */
    struct size size = { 0, 0 };
    struct system s;
    perc_status st = system_new(&s, b, err);

    if (!st) st = size_of(&s, &size, err);
    /* Dixon's lifting takes a step for each word of twice the determinant, and each step is a
     * product of M with a vector; before it there is an inverse modulo a prime. */
    *seconds = product * r * r * (r + 2 * ceil(size.hadamard / 64) * ceil(size.entry / 64));
    system_free(&s);
    return st;
}
