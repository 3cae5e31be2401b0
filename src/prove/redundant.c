/* redundant.c -- columns that the others determine.
 *
 * A column is redundant if in every row it is a fixed sum of columns before it, the 1 of the offset
 * being the first of all. The levels of a category are the common case: one of them is 1 in every
 * row, so the last one is 1 minus the others. Planes separate the same rows without such a column;
 * with it there are many planes for each, and a regression has no single fit.
 *
 * A basis of the rows (modulo a prime: independent is independent) has all there is to know about
 * the columns if it spans all rows. Its reduced echelon form, in whole numbers, names a sum for
 * each column that is no pivot; and each sum is checked on every row, so that nothing rests on the
 * prime: what is named is redundant, and the others are not, since their columns are independent
 * among the rows of the basis. */
#include <flint/flint.h>
#include <flint/fmpz_mat.h>
#include <math.h>

#include "prove/proof.h"
#include "solve/exact_system.h"

/* Beyond these nothing is looked for: it is a remark, and must not cost more than the proof. */
enum { MOST_COLUMNS = 512 };
static const double most_work = 2e9;

struct redundant {
    struct pool pool;
    perc_redundant *at;
    size_t n;
};

struct finding {
    const struct whole *p;
    const struct watch *watch;
    struct redundant *out;
    struct exact_basis *b;
    struct whole_vector v;
    uint64_t base, features;
    fmpz_mat_t m;    /* its columns: the offset, if there is one, then the features */
    fmpz_t den;      /* what its pivots are after the reduction */
    uint64_t *pivot; /* by row of m: its column */
    size_t pivots;   /* found so far: those before the column that is looked at */
    bool fits;       /* the numbers are short, and the work is */
    bool right;      /* each sum holds in every row */
};

/* ----- the basis --------------------------------------------------------------------------- */

/* Some rows first, then those outside their span, until there are none. */
static perc_status grow_basis(struct finding *s, perc_error *err)
{
    const struct whole *p = s->p;
    const uint64_t batch = 2 * p->dims;
    unsigned char *in = mem_zeroed(&p->e, p->n, 1);
    uint64_t left = p->n;
    bool joined;
    perc_status st = in == NULL ? fail_memory(err) : PERC_OK;

    while (!st && left > 0 && s->b->rank < p->dims - s->base &&
           (s->fits = watch_ask(s->watch, 0))) {
        uint64_t offered = 0;
        for (uint64_t i = 0; i < p->n && offered < batch && !st; i++) {
            if (in[i]) continue;
            st = exact_basis_offer(s->b, i, &joined, err);
            offered++;
        }
        if (!st) st = exact_basis_spans(s->b, p->n, in, err);
        left = 0;
        for (uint64_t i = 0; i < p->n; i++) left += !in[i];
    }
    mem_free(&p->e, in, p->n, 1);
    return st;
}

/* ----- the sums ---------------------------------------------------------------------------- */

/* The column of m for that of a row, and back. */
static slong place_of(const struct finding *s, uint64_t column)
{
    if (!s->p->offset) return (slong)(column - s->base);
    return column == s->p->dims - 1 ? 0 : (slong)(column - s->base) + 1;
}

static uint64_t column_at(const struct finding *s, slong place)
{
    if (!s->p->offset) return (uint64_t)place + s->base;
    return place == 0 ? s->p->dims - 1 : (uint64_t)place - 1 + s->base;
}

/* The rows of the basis. The reduction takes as many primes as the determinant has digits. */
static perc_status fill_matrix(struct finding *s, perc_error *err)
{
    const double rank = (double)s->b->rank;
    double bits = 0;
    perc_status st = PERC_OK;

    for (size_t k = 0; k < s->b->rank && !st && s->fits; k++) {
        if ((st = whole_row(s->p, s->b->row[k], &s->v, err))) return st;
        s->fits = s->v.fits;
        int64_t most = 1;
        for (size_t j = 0; j < s->v.n && s->fits; j++) {
            const int64_t x = s->v.small[j] < 0 ? -s->v.small[j] : s->v.small[j];

            most = x > most ? x : most;
            fmpz_set_si(fmpz_mat_entry(s->m, (slong)k, place_of(s, s->v.column[j])), s->v.small[j]);
        }
        bits += log2((double)most) + log2(rank) / 2 + 1;
    }
    s->fits = s->fits && rank * rank * (double)s->p->dims * (bits / 60 + 1) <= most_work;
    return st;
}

/* Column c of the reduced matrix: den x_c = sum of its numbers times the pivots'. */
static perc_status add_sum(struct finding *s, slong c, perc_error *err)
{
    struct pool *pool = &s->out->pool;
    perc_redundant *to = &s->out->at[s->out->n++];
    uint64_t *term = pool_array(pool, s->pivots, sizeof *term);
    const char **factor = pool_array(pool, s->pivots, sizeof *factor);
    mpq_t q;

    if (pool->failed) return fail_memory(err);
    *to = (perc_redundant){ .feature = column_at(s, c) - s->base, .term = term, .factor = factor };
    mpq_init(q);
    for (size_t k = 0; k < s->pivots; k++) {
        const fmpz *x = fmpz_mat_entry(s->m, (slong)k, c);
        const bool constant = s->p->offset && s->pivot[k] == s->p->dims - 1;

        if (fmpz_is_zero(x)) continue;
        fmpz_get_mpz(mpq_numref(q), x);
        fmpz_get_mpz(mpq_denref(q), s->den);
        mpq_canonicalize(q);
        char *text = pool_array(
            pool, mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3, 1);
        if (text == NULL) break;
        factor[to->terms] = mpq_get_str(text, 10, q);
        term[to->terms++] = constant ? PERC_CONSTANT : s->pivot[k] - s->base;
    }
    mpq_clear(q);
    return pool->failed ? fail_memory(err) : PERC_OK;
}

/* Whether what was found for column c holds in every row. */
static perc_status check_sum(struct finding *s, slong c, perc_error *err)
{
    mpz_t *w = whole_numbers(&s->p->e, s->p->dims), sum;
    perc_status st = w == NULL ? fail_memory(err) : PERC_OK;

    if (st) return st;
    mpz_init(sum);
    fmpz_get_mpz(w[column_at(s, c)], s->den);
    mpz_neg(w[column_at(s, c)], w[column_at(s, c)]);
    for (size_t k = 0; k < s->pivots; k++)
        fmpz_get_mpz(w[s->pivot[k]], fmpz_mat_entry(s->m, (slong)k, c));
    for (uint64_t i = 0; i < s->p->n && s->right; i++) {
        if ((st = whole_row(s->p, i, &s->v, err))) break;
        whole_dot(&s->v, (const mpz_t *)w, sum);
        s->right = mpz_sgn(sum) == 0 && (i % 4096 != 0 || watch_ask(s->watch, 0));
    }
    mpz_clear(sum);
    whole_numbers_free(&s->p->e, w, s->p->dims);
    return st;
}

/* Columns that are no pivots, in their order; features that no row has are 0. */
static perc_status find_sums(struct finding *s, slong columns, perc_error *err)
{
    perc_status st = PERC_OK;

    fmpz_mat_rref(s->m, s->den, s->m);
    for (slong c = 0; c < columns && !st && s->right; c++) {
        if (s->pivots < s->b->rank && !fmpz_is_zero(fmpz_mat_entry(s->m, (slong)s->pivots, c))) {
            s->pivot[s->pivots++] = column_at(s, c);
            continue;
        }
        if (!(st = add_sum(s, c, err))) st = check_sum(s, c, err);
    }
    for (uint64_t j = (uint64_t)columns - s->p->offset; j < s->features && !st; j++)
        s->out->at[s->out->n++] = (perc_redundant){ .feature = j };
    return st;
}

/* ----- from outside ------------------------------------------------------------------------ */

/* With the basis made: the matrix, if there is anything to find in it. */
static perc_status reduce_basis(struct finding *s, perc_error *err)
{
    const uint64_t rank = s->b->rank, columns = s->p->dims - s->base;
    perc_status st;

    s->out->at = pool_zeroed(&s->out->pool, s->features + 1, sizeof *s->out->at);
    s->pivot = pool_array(&s->out->pool, rank, sizeof *s->pivot);
    if (s->out->pool.failed) return fail_memory(err);
    fmpz_mat_init(s->m, (slong)rank, (slong)columns);
    fmpz_init(s->den);
    if (!(st = fill_matrix(s, err)) && s->fits) st = find_sums(s, (slong)columns, err);
    fmpz_mat_clear(s->m);
    fmpz_clear(s->den);
    flint_cleanup();
    return st;
}

perc_status redundant_new(const struct whole *exact, uint64_t features, const struct watch *watch,
                          struct redundant **out, perc_error *err)
{
    struct finding s = { .p = exact,
                         .watch = watch,
                         .base = (uint64_t)exact->ds->index_base,
                         .features = features,
                         .fits = exact->dims <= MOST_COLUMNS && features <= MOST_COLUMNS,
                         .right = true };
    perc_status st;

    *out = NULL;
    if (!s.fits || exact->dims <= s.base) return PERC_OK;
    if ((s.out = mem_zeroed(&exact->e, 1, sizeof *s.out)) == NULL) return fail_memory(err);
    pool_init(&s.out->pool, &exact->e);
    whole_vector_init(&s.v, &exact->e);
    if (!(st = exact_basis_new(exact, &s.b, err)) && !(st = grow_basis(&s, err)) && s.fits)
        st = reduce_basis(&s, err);
    exact_basis_free(s.b);
    whole_vector_free(&s.v);
    if (!st && s.fits && s.right) *out = s.out;
    else redundant_free(&exact->e, s.out);
    return st;
}

size_t redundant_count(const struct redundant *r)
{
    return r != NULL ? r->n : 0;
}

perc_redundant redundant_get(const struct redundant *r, size_t i)
{
    return r->at[i];
}

void redundant_free(const struct env *e, struct redundant *r)
{
    if (r == NULL) return;
    pool_free(&r->pool);
    mem_free(e, r, 1, sizeof *r);
}
