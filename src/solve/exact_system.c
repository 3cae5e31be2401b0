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
 * once, through the door that may say no.
 *
 * FLINT keeps pools for each thread. They are given back at the end of each solution, on
 * the thread that made it; there is nothing else that two threads would share. */
#include <flint/flint.h>
#include <flint/fmpz_mat.h>
#include <math.h>

#include "solve/exact_system.h"

/* More than this is not asked for: a system that large would not end, either. */
#define MOST_BYTES 8e9

/* The system M' x = d t or M w = d t, for some t at once. */
struct system {
    const struct exact_basis *b;
    const struct whole *p;
    size_t rank, targets;
    uint32_t *pivot; /* dims: number of the pivot column + 1; 0: it is none */
    struct whole_vector v;
    bool begun; /* the matrices and den hold something */
    fmpz_mat_t m, t, x;
    fmpz_t den;
};

/* ----- sizes ------------------------------------------------------------------------------ */

struct size {
    double entry;    /* bits of the longest number of the rows */
    double hadamard; /* bits of the determinant of any r x r part, at most */
};

/* |det M| <= product of the norms of its rows (Hadamard 1893). */
static perc_status size_of(struct system *s, struct size *size, perc_error *err)
{
    const uint64_t *row = exact_basis_rows(s->b);
    perc_status st;

    *size = (struct size){ 0, 0 };
    for (size_t k = 0; k < s->rank; k++) {
        double most = 0;
        if ((st = whole_row(s->p, row[k], &s->v, err))) return st;
        for (size_t j = 0; j < s->v.n; j++) {
            const double x = s->v.fits ? fabs((double)s->v.small[j]) : 0;
            const double bits = s->v.fits ? x > 0 ? log2(x) + 1 : 0
                                          : (double)mpz_sizeinbase(s->v.value[j], 2);
            most = fmax(most, bits);
        }
        const double width = fmin((double)s->v.n, (double)s->rank);
        size->entry = fmax(size->entry, most);
        size->hadamard += most + log2(width + 1) / 2;
    }
    return PERC_OK;
}

static double bytes_of(double bits)
{
    return bits <= 62 ? 8 : 32 + bits / 8;
}

/* Whether there will be memory: `bits` are those of the longest number of a target, and
 * sums of `sums` numbers are needed for the check. */
static perc_status check_memory(const struct system *s, const struct size *size, double bits,
                                double sums, perc_error *err)
{
    const double r = (double)s->rank, t = (double)s->targets;
    const double answer = bytes_of(2 * (size->hadamard + bits) + 64);
    /* M, its copies modulo some primes, the inverse; the numbers lifted and the fractions */
    const double bytes = r * r * (4 * bytes_of(size->entry) + 24) + 3 * r * t * answer +
                         sums * answer / 2;

    if (bytes > MOST_BYTES)
        return fail(err, PERC_ENOMEM,
                    "a system of %zu rows with numbers of up to %.0f bits would need %.1f GB",
                    s->rank, size->hadamard + bits, bytes / 1e9);
    void *probe = mem_array(&s->p->e, (size_t)bytes, 1);
    if (probe == NULL) return fail_memory(err);
    mem_free(&s->p->e, probe, (size_t)bytes, 1);
    return PERC_OK;
}

/* ----- the system ------------------------------------------------------------------------- */

static perc_status system_new(struct system *s, const struct exact_basis *b, size_t targets,
                              perc_error *err)
{
    const uint64_t *column = exact_basis_columns(b);

    *s = (struct system){ .b = b, .p = exact_basis_problem(b), .targets = targets };
    s->rank = exact_basis_rank(b);
    whole_vector_init(&s->v, &s->p->e);
    s->pivot = mem_zeroed(&s->p->e, s->p->dims, sizeof *s->pivot);
    if (s->pivot == NULL) return fail_memory(err);
    for (size_t k = 0; k < s->rank; k++) s->pivot[column[k]] = (uint32_t)k + 1;
    return PERC_OK;
}

static void system_free(struct system *s)
{
    if (s->begun) {
        fmpz_mat_clear(s->m);
        fmpz_mat_clear(s->t);
        fmpz_mat_clear(s->x);
        fmpz_clear(s->den);
        flint_cleanup();
    }
    mem_free(&s->p->e, s->pivot, s->pivot != NULL ? s->p->dims : 0, sizeof *s->pivot);
    whole_vector_free(&s->v);
}

static fmpz *entry(const fmpz_mat_t m, size_t i, size_t j)
{
    return fmpz_mat_entry(m, (slong)i, (slong)j);
}

/* M, or its transpose: one row or one column for each row of the basis. */
static perc_status system_fill(struct system *s, bool transposed, perc_error *err)
{
    const uint64_t *row = exact_basis_rows(s->b);
    const slong r = (slong)s->rank, t = (slong)s->targets;
    perc_status st;

    fmpz_mat_init(s->m, r, r);
    fmpz_mat_init(s->t, r, t);
    fmpz_mat_init(s->x, r, t);
    fmpz_init(s->den);
    s->begun = true;
    for (size_t k = 0; k < s->rank; k++) {
        if ((st = whole_row(s->p, row[k], &s->v, err))) return st;
        for (size_t j = 0; j < s->v.n; j++) {
            const uint32_t c = s->pivot[s->v.column[j]];
            if (c == 0) continue;
            fmpz *out = transposed ? entry(s->m, c - 1, k) : entry(s->m, k, c - 1);
            if (s->v.fits) fmpz_set_si(out, s->v.small[j]);
            else fmpz_set_mpz(out, s->v.value[j]);
        }
    }
    return PERC_OK;
}

static perc_status system_solve(struct system *s, perc_error *err)
{
    if (!fmpz_mat_solve_dixon_den(s->x, s->den, s->m, s->t)) /* it is regular modulo p */
        return fail(err, PERC_EDATA, "a regular system of %zu rows was called singular", s->rank);
    if (fmpz_sgn(s->den) < 0) {
        fmpz_mat_neg(s->x, s->x);
        fmpz_neg(s->den, s->den);
    }
    return PERC_OK;
}

/* Target t's numbers: out[k] and d, as short as they can be. */
static void system_get(const struct system *s, size_t t, mpz_t *const *out, mpz_t d)
{
    mpz_t g;

    mpz_init(g);
    fmpz_get_mpz(d, s->den);
    mpz_set(g, d);
    for (size_t k = 0; k < s->rank; k++) {
        fmpz_get_mpz(*out[k], entry(s->x, k, t));
        if (mpz_cmp_ui(g, 1) != 0) mpz_gcd(g, g, *out[k]);
    }
    if (mpz_cmp_ui(g, 1) != 0) {
        mpz_divexact(d, d, g);
        for (size_t k = 0; k < s->rank; k++) mpz_divexact(*out[k], *out[k], g);
    }
    mpz_clear(g);
}

static double longest_bits(const mpz_t *x, size_t n)
{
    double bits = 0;

    for (size_t j = 0; j < n; j++) bits = fmax(bits, (double)mpz_sizeinbase(x[j], 2));
    return bits;
}

/* ----- combinations of the rows ----------------------------------------------------------- */

/* sum_k x_k a_k = d t on every column. */
static perc_status check_combination(struct system *s, const mpz_t *target, const mpz_t *x,
                                     const mpz_t d, mpz_t *sum, bool *found, perc_error *err)
{
    const uint64_t *row = exact_basis_rows(s->b);
    const size_t dims = (size_t)s->p->dims;
    perc_status st;

    for (size_t j = 0; j < dims; j++) mpz_set_ui(sum[j], 0);
    for (size_t k = 0; k < s->rank; k++) {
        if ((st = whole_row(s->p, row[k], &s->v, err))) return st;
        whole_add(&s->v, x[k], sum);
    }
    *found = true;
    for (size_t j = 0; j < dims && *found; j++) {
        if (mpz_sgn(target[j]) != 0) mpz_submul(sum[j], d, target[j]);
        *found = mpz_sgn(sum[j]) == 0;
    }
    return PERC_OK;
}

static perc_status solve_combinations(struct system *s, const mpz_t *const *target, perc_error *err)
{
    const uint64_t *column = exact_basis_columns(s->b);
    struct size size;
    double bits = 0;
    perc_status st;

    if ((st = size_of(s, &size, err))) return st;
    for (size_t t = 0; t < s->targets; t++)
        bits = fmax(bits, longest_bits(target[t], (size_t)s->p->dims));
    if ((st = check_memory(s, &size, bits, (double)s->p->dims, err))) return st;
    if ((st = system_fill(s, true, err))) return st;
    for (size_t t = 0; t < s->targets; t++)
        for (size_t k = 0; k < s->rank; k++) fmpz_set_mpz(entry(s->t, k, t), target[t][column[k]]);
    return system_solve(s, err);
}

perc_status exact_combine_many(const struct exact_basis *b, size_t targets,
                               const mpz_t *const *target, mpz_t **x, mpz_t *d, bool *found,
                               perc_error *err)
{
    const struct whole *p = exact_basis_problem(b);
    const size_t r = exact_basis_rank(b), dims = (size_t)p->dims;
    mpz_t *sum = whole_numbers(&p->e, dims);
    mpz_t **out = mem_array(&p->e, r, sizeof *out);
    struct system s;
    perc_status st = system_new(&s, b, targets, err);

    if (st == PERC_OK && (sum == NULL || out == NULL)) st = fail_memory(err);
    if (st == PERC_OK && r > 0 && targets > 0) st = solve_combinations(&s, target, err);
    for (size_t t = 0; t < targets && st == PERC_OK; t++) {
        mpz_set_ui(d[t], 1); /* of no rows */
        for (size_t k = 0; k < r; k++) out[k] = &x[t][k];
        if (r > 0) system_get(&s, t, out, d[t]);
        st = check_combination(&s, target[t], (const mpz_t *)x[t], d[t], sum, &found[t], err);
    }
    system_free(&s);
    mem_free(&p->e, out, r, sizeof *out);
    whole_numbers_free(&p->e, sum, dims);
    return st;
}

perc_status exact_combine(const struct exact_basis *b, const mpz_t *target, mpz_t *x, mpz_t d,
                          bool *found, perc_error *err)
{
    mpz_t den;
    perc_status st;

    mpz_init(den);
    st = exact_combine_many(b, 1, &target, &x, &den, found, err);
    mpz_swap(d, den);
    mpz_clear(den);
    return st;
}

/* ----- completions ------------------------------------------------------------------------ */

/* t = -A_f g_f, with numbers of w as scratch: w_f = g_f, w_c = 0, t = -A w. */
static perc_status solve_completion(struct system *s, const mpz_t *w, perc_error *err)
{
    const uint64_t *row = exact_basis_rows(s->b);
    struct size size;
    mpz_t dot;
    perc_status st;

    if ((st = size_of(s, &size, err))) return st;
    const double bits = size.entry + longest_bits(w, (size_t)s->p->dims) + 32;
    if ((st = check_memory(s, &size, bits, (double)s->p->dims, err))) return st;
    if ((st = system_fill(s, false, err))) return st;
    mpz_init(dot);
    for (size_t k = 0; k < s->rank && st == PERC_OK; k++) {
        if ((st = whole_row(s->p, row[k], &s->v, err))) break;
        whole_dot(&s->v, w, dot);
        mpz_neg(dot, dot);
        fmpz_set_mpz(entry(s->t, k, 0), dot);
    }
    mpz_clear(dot);
    return st == PERC_OK ? system_solve(s, err) : st;
}

/* a_k.w = 0 for all rows of the basis. */
static perc_status check_completion(struct system *s, const mpz_t *w, perc_error *err)
{
    const uint64_t *row = exact_basis_rows(s->b);
    perc_status st = PERC_OK;
    mpz_t dot;

    mpz_init(dot);
    for (size_t k = 0; k < s->rank && st == PERC_OK; k++) {
        if ((st = whole_row(s->p, row[k], &s->v, err))) break;
        whole_dot(&s->v, w, dot);
        if (mpz_sgn(dot) != 0)
            st = fail(err, PERC_EDATA, "a solution with %zu rows failed its check", s->rank);
    }
    mpz_clear(dot);
    return st;
}

perc_status exact_complete(const struct exact_basis *b, const mpz_t *given, mpz_t *w, mpz_t d,
                           perc_error *err)
{
    const struct whole *p = exact_basis_problem(b);
    const uint64_t *column = exact_basis_columns(b);
    const size_t r = exact_basis_rank(b), dims = (size_t)p->dims;
    mpz_t **out = mem_array(&p->e, r, sizeof *out);
    struct system s;
    perc_status st = system_new(&s, b, 1, err);

    if (st == PERC_OK && out == NULL) st = fail_memory(err);
    if (st != PERC_OK) goto done;
    for (size_t j = 0; j < dims; j++) {
        if (s.pivot[j] > 0) mpz_set_ui(w[j], 0);
        else mpz_set(w[j], given[j]);
    }
    mpz_set_ui(d, 1);
    if (r == 0) goto done;
    if ((st = solve_completion(&s, (const mpz_t *)w, err))) goto done;
    for (size_t k = 0; k < r; k++) out[k] = &w[column[k]];
    system_get(&s, 0, out, d);
    for (size_t j = 0; j < dims; j++)
        if (s.pivot[j] == 0 && mpz_sgn(w[j]) != 0) mpz_mul(w[j], w[j], d);
    st = check_completion(&s, (const mpz_t *)w, err);
done:
    system_free(&s);
    mem_free(&p->e, out, r, sizeof *out);
    return st;
}

/* ----- how long --------------------------------------------------------------------------- */

perc_status exact_seconds(const struct exact_basis *b, double *seconds, perc_error *err)
{
    const double r = (double)exact_basis_rank(b), product = 3e-9; /* measured */
    struct size size = { 0, 0 };
    struct system s;
    perc_status st = system_new(&s, b, 1, err);

    if (st == PERC_OK) st = size_of(&s, &size, err);
    /* Dixon's lifting takes a step for each word of twice the determinant, and each step is a
     * product of M with a vector; before it there is an inverse modulo a prime. */
    *seconds = product * r * r * (r + 2 * ceil(size.hadamard / 64) * ceil(size.entry / 64));
    system_free(&s);
    return st;
}
