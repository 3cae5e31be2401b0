/* definite.c -- is a matrix that somebody else has computed that of a kernel?
 *
 * It is exactly if v.K v >= 0 for all v (Mercer 1909). K is eliminated symmetrically, the largest
 * diagonal first, as long as that is positive: with P' K P = L D L' + (0, S), the diagonal of S not
 * positive,
 *
 *     S = 0      K is positive semi-definite, and has as many positive pivots as its rank
 *     S_jj < 0   u = e_j has u.S u < 0
 *     S_ij != 0  u = e_i - sign(S_ij) e_j has, too
 *
 * and L' v = (0, u) has v.K v = u.S u. First this is done in doubles: v is rounded to as few digits
 * as will do, and v.K v is summed in whole numbers, on the decimals of the file. If that finds
 * none, the elimination is done in whole numbers, without fractions (Bareiss, Math. Comp. 22,
 * 1968): M_ij <- (M_kk M_ij - M_ik M_kj) / the pivot before, all of them minors of K, so that signs
 * are those of S. Where it would take longer than WORK, nothing is claimed.
 *
 * Cost     in doubles O(rows^3 / 3); in whole numbers O(rows^2 rank) products of numbers of some
 *          rank * digits digits. */
#include <math.h>

#include "base/pool.h"
#include "kernel/precomputed.h"
#include "solve/whole.h"

/* Limits of the proof in whole numbers: products of words, some ten seconds of them; words of all
 * numbers together; rows. 200 rows of 8 digits, 150 of 17, 1,000 of 6 that have rank 50. */
#define WORK   3e10
#define MEMORY 3e7
enum { EXACT_ROWS = 2000 };

struct perc_gram {
    struct env e;
    struct pool pool; /* of what `info` points to */
    perc_gram_info info;
};

/* What is worked with. */
struct gram {
    struct env e;
    struct pool pool;
    const perc_dataset *ds;
    struct kernel k;
    size_t n;
    uint64_t *own; /* by row: its column */
    struct whole whole;
    struct whole_vector vector; /* a row of the file */
    mpz_t *v, *w;               /* a candidate: by row; by column of the file */
    size_t pivots, *pivot;      /* of an elimination: the rows eliminated, in order, */
    size_t *step;               /* and by row: its place among them; SIZE_MAX: it is left */
    mpz_t value, term, ten;     /* v.K v = value 10^exponent */
    int64_t exponent;
};

/* ----- the check ------------------------------------------------------------------------- */

/* a 10^e += b 10^f */
static void add_scaled(struct gram *g, mpz_t b, int64_t f)
{
    if (mpz_sgn(g->value) == 0) g->exponent = f;
    const int64_t e = g->exponent, shift = e > f ? e - f : f - e;
    mpz_ui_pow_ui(g->ten, 10, (unsigned long)shift);
    if (e > f) mpz_mul(g->value, g->value, g->ten);
    else mpz_mul(b, b, g->ten);
    g->exponent = e > f ? f : e;
    mpz_add(g->value, g->value, b);
}

/* Sums v.K v, row by row of the file. *found: it is below 0. */
static perc_status try_weights(struct gram *g, bool *found, perc_error *err)
{
    perc_status st = PERC_OK;

    *found = false;
    whole_reduce(g->v, g->n);
    for (uint64_t c = 0; c < g->whole.dims; c++) mpz_set_ui(g->w[c], 0);
    for (size_t i = 0; i < g->n; i++) mpz_set(g->w[g->own[i]], g->v[i]);
    mpz_set_ui(g->value, 0);
    for (size_t i = 0; i < g->n && !st; i++) {
        if (mpz_sgn(g->v[i]) == 0) continue;
        if ((st = whole_row(&g->whole, i, &g->vector, err))) break;
        whole_dot(&g->vector, (const mpz_t *)g->w, g->term);
        mpz_mul(g->term, g->term, g->v[i]);
        if (mpz_sgn(g->term) != 0) add_scaled(g, g->term, g->vector.exponent);
    }
    *found = !st && mpz_sgn(g->value) < 0;
    return st;
}

/* ----- in doubles -------------------------------------------------------------------------- */

/* Element i, j of the lower half; either may be the larger. */
static size_t half(size_t i, size_t j)
{
    return i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

/* Whether row i is left after k steps. */
static bool is_left(const struct gram *g, size_t i, size_t k)
{
    return g->step[i] >= k;
}

/* Nothing is eliminated. */
static void begin(struct gram *g)
{
    g->pivots = 0;
    for (size_t i = 0; i < g->n; i++) g->step[i] = SIZE_MAX;
}

static void take_pivot(struct gram *g, size_t p)
{
    g->step[p] = g->pivots;
    g->pivot[g->pivots++] = p;
}

/* Eliminates; columns of L take the place of those of K. */
static void eliminate(struct gram *g, double *a, double *column)
{
    double largest = 0;

    for (size_t i = 0; i < half(g->n, 0); i++) largest = fmax(largest, fabs(a[i]));
    for (begin(g); g->pivots < g->n;) {
        size_t p = g->n;
        for (size_t i = 0; i < g->n; i++)
            if (is_left(g, i, SIZE_MAX) && (p == g->n || a[half(i, i)] > a[half(p, p)])) p = i;
        if (!(a[half(p, p)] > (double)g->n * 0x1p-52 * largest)) return;
        take_pivot(g, p);
        for (size_t i = 0; i < g->n; i++)
            column[i] = is_left(g, i, SIZE_MAX) ? a[half(i, p)] : 0; /* 0: what is done stays */
        for (size_t i = 0; i < g->n; i++) {
            const double l = column[i] / a[half(p, p)];
            double *row = a + half(i, 0);
            for (size_t j = 0; l != 0 && j <= i; j++) row[j] -= l * column[j];
            if (is_left(g, i, SIZE_MAX)) a[half(i, p)] = l;
        }
    }
}

/* u, where S is the most negative, and from there L' y = (0, u). */
static void most_negative(const struct gram *g, const double *a, double *y)
{
    size_t r = 0, c = 0;
    double least = INFINITY;

    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j <= i; j++) {
            const double mean = (a[half(i, i)] + a[half(j, j)]) / 2;
            const double s = i == j ? mean : mean - fabs(a[half(i, j)]);
            if (is_left(g, i, SIZE_MAX) && is_left(g, j, SIZE_MAX) && s < least)
                least = s, r = i, c = j;
        }
    for (size_t i = 0; i < g->n; i++) y[i] = 0;
    y[c] = a[half(r, c)] > 0 ? -1 : 1;
    y[r] = 1;
    for (size_t k = g->pivots; k-- > 0;)
        for (size_t i = 0, p = g->pivot[k]; i < g->n; i++)
            if (is_left(g, i, k + 1)) y[p] -= a[half(i, p)] * y[i];
}

/* Rounds y to whole numbers, the largest being `scale`. */
static bool round_weights(struct gram *g, const double *y, double scale)
{
    double largest = 0;

    for (size_t i = 0; i < g->n; i++) largest = fmax(largest, fabs(y[i]));
    if (!isfinite(largest)) return false;
    for (size_t i = 0; i < g->n; i++) mpz_set_d(g->v[i], nearbyint(y[i] / largest * scale));
    return true;
}

static perc_status find_in_doubles(struct gram *g, bool *found, perc_error *err)
{
    static const double scale[] = { 1, 2, 3, 5, 10, 100, 1e4, 1e8, 1e15 };
    double *a = pool_array(&g->pool, half(g->n, 0), sizeof *a);
    double *y = pool_array(&g->pool, g->n, sizeof *y);
    perc_status st = PERC_OK;

    if (g->pool.failed) return fail_memory(err);
    for (size_t i = 0; i < g->n; i++) {
        const struct row x = dataset_row(g->ds, i);
        for (size_t j = 0; j <= i; j++) a[half(i, j)] = row_entry(&x, g->own[j]);
    }
    eliminate(g, a, y);
    if (g->pivots == g->n) return PERC_OK;
    most_negative(g, a, y);
    for (size_t i = 0; i < sizeof scale / sizeof *scale && !*found && !st; i++)
        if (round_weights(g, y, scale[i])) st = try_weights(g, found, err);
    return st;
}

/* ----- in whole numbers -------------------------------------------------------------------- */

/* The lower half of the matrix, all numbers with the same power of ten. */
static perc_status read_matrix(struct gram *g, mpz_t *m, perc_error *err)
{
    perc_status st = PERC_OK;
    int64_t low = INT64_MAX;

    for (size_t i = 0; i < g->n && !st; i++) {
        st = whole_row(&g->whole, i, &g->vector, err);
        if (g->vector.n > 0 && g->vector.exponent < low) low = g->vector.exponent;
    }
    for (size_t i = 0; i < g->n && !st; i++) {
        if ((st = whole_row(&g->whole, i, &g->vector, err))) break;
        for (uint64_t c = 0; c < g->whole.dims; c++) mpz_set_ui(g->w[c], 0);
        mpz_ui_pow_ui(g->ten, 10, g->vector.n > 0 ? (unsigned long)(g->vector.exponent - low) : 0);
        whole_add(&g->vector, g->ten, g->w);
        for (size_t j = i; j < g->n; j++) mpz_set(m[half(i, j)], g->w[g->own[j]]);
        for (size_t j = 0; j < i; j++)
            if (mpz_cmp(m[half(i, j)], g->w[g->own[j]]) != 0)
                return precomputed_not_symmetric(g->ds, &g->k, j, i, err);
    }
    return st;
}

/* What step k costs, of numbers that have so many words. */
static double step_work(const struct gram *g, size_t k, double words)
{
    const double left = (double)(g->n - k) * (double)(g->n - k) / 2, size = 2 * words + 2;

    return left * size > MEMORY ? INFINITY : left * (size * size + 100);
}

/* Whether it is worth a try: minors of k rows have about k times the digits of K, and there are
 * about as many pivots as in doubles. */
static bool is_affordable(const struct gram *g, mpz_t *m)
{
    size_t bits = 1;
    double work = 0;

    for (size_t i = 0; i < half(g->n, 0); i++)
        if (mpz_sizeinbase(m[i], 2) > bits) bits = mpz_sizeinbase(m[i], 2);
    for (size_t k = 0; k < g->pivots; k++)
        work += step_work(g, k, (double)(k + 1) * (double)bits / 64);
    return work <= WORK;
}

/* One step, by row p; value: the pivot before. Returns the words of the longest number made. */
static size_t minors_step(struct gram *g, mpz_t *m, size_t p)
{
    size_t words = 0;

    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j <= i && is_left(g, i, SIZE_MAX); j++) {
            mpz_t *one = &m[half(i, j)];
            if (!is_left(g, j, SIZE_MAX)) continue;
            mpz_mul(g->term, m[half(p, p)], *one);
            mpz_submul(g->term, m[half(i, p)], m[half(j, p)]);
            mpz_divexact(*one, g->term, g->value);
            if (mpz_size(*one) > words) words = mpz_size(*one);
        }
    mpz_set(g->value, m[half(p, p)]);
    return words;
}

/* Eliminates. false: it takes too long. */
static bool eliminate_exactly(struct gram *g, mpz_t *m)
{
    size_t words = 1;
    double work = 0;

    mpz_set_ui(g->value, 1);
    for (begin(g); g->pivots < g->n;) {
        size_t p = g->n;
        for (size_t i = 0; i < g->n; i++)
            if (is_left(g, i, SIZE_MAX) && (p == g->n || mpz_cmp(m[half(i, i)], m[half(p, p)]) > 0))
                p = i;
        if (mpz_sgn(m[half(p, p)]) <= 0) return true;
        work += step_work(g, g->pivots, (double)words);
        if (work > WORK) return false;
        take_pivot(g, p);
        words = minors_step(g, m, p);
    }
    return true;
}

/* Where S, whose diagonal is not positive, is not 0: on the diagonal if it can be. */
static bool find_left(const struct gram *g, mpz_t *m, size_t *r, size_t *c)
{
    bool found = false;

    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j <= i && is_left(g, i, SIZE_MAX); j++) {
            if (!is_left(g, j, SIZE_MAX) || mpz_sgn(m[half(i, j)]) == 0) continue;
            if (found && i != j) continue;
            found = true;
            *r = i;
            *c = j;
        }
    return found;
}

/* L' v = (0, u), times what makes it whole. */
static void solve_exactly(struct gram *g, mpz_t *m, size_t r, size_t c)
{
    for (size_t i = 0; i < g->n; i++) mpz_set_ui(g->v[i], 0);
    mpz_set_si(g->v[c], mpz_sgn(m[half(r, c)]) > 0 ? -1 : 1);
    mpz_set_ui(g->v[r], 1);
    for (size_t k = g->pivots; k-- > 0;) {
        const size_t p = g->pivot[k];
        for (size_t i = 0; i < g->n; i++) {
            if (!is_left(g, i, k + 1)) continue;
            mpz_submul(g->v[p], m[half(i, p)], g->v[i]);
            mpz_mul(g->v[i], g->v[i], m[half(p, p)]);
        }
        whole_reduce(g->v, g->n);
    }
}

/* What doubles find is checked, and what they do not find is left to whole numbers. */
static perc_status decide_gram(struct gram *g, perc_gram_info *info, bool *found, perc_error *err)
{
    const size_t size = g->n <= EXACT_ROWS ? half(g->n, 0) : 0;
    mpz_t *m = size > 0 ? whole_numbers(&g->e, size) : NULL;
    size_t r, c;
    perc_status st = size > 0 && m == NULL ? fail_memory(err) : PERC_OK;

    if (!st && m != NULL) st = read_matrix(g, m, err);
    if (!st) st = find_in_doubles(g, found, err);
    if (!st && !*found && m != NULL && is_affordable(g, m) && eliminate_exactly(g, m)) {
        if (find_left(g, m, &r, &c)) {
            solve_exactly(g, m, r, c);
            st = try_weights(g, found, err);
        } else {
            info->verdict = PERC_SEMIDEFINITE;
            info->rank = g->pivots;
        }
    }
    whole_numbers_free(&g->e, m, size);
    return st;
}

/* ----- the answer ---------------------------------------------------------------------------- */

/* v, and v.K v as a fraction. */
static perc_status keep_weights(struct gram *g, perc_gram *out, perc_error *err)
{
    const char **weight = pool_array(&out->pool, g->n, sizeof *weight);
    mpq_t q;

    mpq_init(q);
    mpz_ui_pow_ui(g->ten, 10, (unsigned long)(g->exponent < 0 ? -g->exponent : g->exponent));
    if (g->exponent >= 0) mpz_mul(mpq_numref(q), g->value, g->ten);
    else mpz_set(mpq_numref(q), g->value);
    if (g->exponent < 0) mpz_set(mpq_denref(q), g->ten);
    mpq_canonicalize(q);
    const size_t size = mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3;
    char *text = pool_array(&out->pool, size, 1);
    if (text != NULL) mpq_get_str(text, 10, q);
    mpq_clear(q);
    out->info.value = text;
    out->info.weight = weight;
    for (size_t i = 0; i < g->n && !out->pool.failed; i++) {
        text = pool_array(&out->pool, mpz_sizeinbase(g->v[i], 10) + 2, 1);
        if (text != NULL) weight[i] = mpz_get_str(text, 10, g->v[i]);
    }
    return out->pool.failed ? fail_memory(err) : PERC_OK;
}

static perc_status open_gram(struct gram *g, perc_error *err)
{
    uint64_t *row = pool_array(&g->pool, g->n, sizeof *row);
    signed char *sign = pool_array(&g->pool, g->n, sizeof *sign);

    g->own = pool_array(&g->pool, g->n, sizeof *g->own);
    g->pivot = pool_array(&g->pool, g->n, sizeof *g->pivot);
    g->step = pool_array(&g->pool, g->n, sizeof *g->step);
    g->v = whole_numbers(&g->e, g->n);
    g->w = whole_numbers(&g->e, (size_t)g->ds->columns);
    if (g->pool.failed || g->v == NULL || g->w == NULL) return fail_memory(err);
    for (size_t i = 0; i < g->n; i++) {
        const struct row x = dataset_row(g->ds, i);
        g->own[i] = kernel_own_column(&g->k, &x);
        row[i] = i;
        sign[i] = 1;
    }
    g->whole = (struct whole){
        .e = g->e, .ds = g->ds, .dims = g->ds->columns, .n = g->n, .row = row, .sign = sign
    };
    return PERC_OK;
}

static void close_gram(struct gram *g)
{
    whole_numbers_free(&g->e, g->v, g->n);
    whole_numbers_free(&g->e, g->w, (size_t)g->ds->columns);
    mpz_clears(g->value, g->term, g->ten, NULL);
    whole_vector_free(&g->vector);
    pool_free(&g->pool);
}

perc_status perc_gram_check(const perc_env *env, const perc_dataset *ds, perc_gram **out,
                            perc_error *err)
{
    NEED_OUT(out);
    NEED(ds != NULL);
    struct gram g = {
        .e = env_resolve(env), .ds = ds, .k = { .type = KERNEL_PRECOMPUTED }, .n = (size_t)ds->rows
    };
    bool found = false;
    perc_status st;

    if (ds->rows > PERC_GRAM_ROWS)
        return fail(err, PERC_EARG, "the matrix of a kernel may have at most %d rows to be checked",
                    PERC_GRAM_ROWS);
    if ((st = precomputed_fit(&g.e, &g.k, ds, err)) || (st = exact_span(ds, false, err))) return st;
    perc_gram *made = mem_zeroed(&g.e, 1, sizeof *made);
    if (made == NULL) return fail_memory(err);
    made->e = g.e;
    made->info = (perc_gram_info){ .verdict = PERC_NONE_FOUND, .rows = ds->rows };
    pool_init(&made->pool, &g.e);
    pool_init(&g.pool, &g.e);
    whole_vector_init(&g.vector, &g.e);
    mpz_inits(g.value, g.term, g.ten, NULL);
    st = open_gram(&g, err);
    if (!st) st = decide_gram(&g, &made->info, &found, err);
    if (!st && found) {
        made->info.verdict = PERC_INDEFINITE;
        st = keep_weights(&g, made, err);
    }
    close_gram(&g);
    if (st) perc_gram_free(made);
    else *out = made;
    return st;
}

void perc_gram_info_get_sized(const perc_gram *g, perc_gram_info *out, size_t size)
{
    const perc_gram_info none = { .verdict = PERC_NONE_FOUND };

    sized_copy(out, size, g != NULL ? &g->info : &none, sizeof none);
}

void perc_gram_free(perc_gram *g)
{
    if (g == NULL) return;
    const struct env e = g->e;
    pool_free(&g->pool);
    mem_free(&e, g, 1, sizeof *g);
}
