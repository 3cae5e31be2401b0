/* equal.c -- rows that are equal and have opposite labels.
 *
 * Such a pair is the shortest proof that no plane separates the classes: a_i + a_k = 0.
 * Equal decimals round to equal doubles, so rows are sorted by a hash of their doubles;
 * where a hash has both labels the rows are compared as decimals. Rows that differ in
 * digits that doubles do not hold can be many: they are sorted by another hash, of
 * a_ij = m 10^e modulo the prime 2^61 - 1, which does not depend on how a number is
 * written. */
#include <string.h>

#include "base/sort.h"
#include "base/threads.h"
#include "prove/job.h"

enum { SLICE = 4096 };

__extension__ typedef unsigned __int128 u128;

struct mark {
    uint64_t hash, row;
    int64_t sign;
};

struct pair_search {
    const struct job *j;
    struct mark *mark; /* one per row */
    struct whole_vector a, b;
    uint64_t *row; /* the pair; [0] = n: none yet */
};

static uint64_t stir(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* Hashes rows by their doubles: a sum over the entries. Zeros do not count, stored or not. */
static void hash_slice(void *ud, uint64_t slice)
{
    const struct pair_search *s = ud;
    const struct problem *floats = s->j->floats;
    const uint64_t to = (slice + 1) * SLICE < floats->n ? (slice + 1) * SLICE : floats->n;

    for (uint64_t i = slice * SLICE; i < to; i++) {
        const struct row r = problem_block_row(floats, i);
        uint64_t h = 0, bits;
        for (size_t k = 0; k < r.n; k++) {
            const double v = row_value(&r, k);
            const uint64_t c = row_column(&r, k);
            if (v == 0) continue;
            memcpy(&bits, &v, sizeof bits);
            h += stir(stir(bits) + c);
        }
        s->mark[i] = (struct mark){ h, i, s->j->exact->sign[i] };
    }
}

static int by_hash(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;

    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* ----- decimals --------------------------------------------------------------------------- */

#define MERSENNE ((UINT64_C(1) << 61) - 1)

static uint64_t mod_mul(uint64_t a, uint64_t b)
{
    return (uint64_t)((u128)a * b % MERSENNE);
}

/* The hash of x_i without sign and offset; 10^-1 = 10^(p - 2), so 10^e = 10^(e mod (p - 1)). */
static uint64_t hash_decimals(const struct whole *exact, const struct whole_vector *v, int sign)
{
    const int64_t order = (int64_t)(MERSENNE - 1), e = v->exponent % order;
    const size_t n = v->n - (exact->offset ? 1 : 0);
    uint64_t h = 0, ten = 1;
    mpz_t x;

    for (uint64_t p = (uint64_t)(e < 0 ? e + order : e), a = 10; p > 0; p >>= 1, a = mod_mul(a, a))
        if (p & 1) ten = mod_mul(ten, a);
    mpz_init(x);
    for (size_t k = 0; k < n; k++) {
        whole_get(v, k, x);
        if (sign < 0) mpz_neg(x, x);
        h += stir(stir(mod_mul(mpz_fdiv_ui(x, MERSENNE), ten)) + v->column[k]);
    }
    mpz_clear(x);
    return h;
}

/* Whether a = -b, powers of ten included. */
static bool opposite(const struct whole_vector *a, const struct whole_vector *b)
{
    mpz_t x, y, ten;
    bool same = a->n == b->n;

    if (!same || memcmp(a->column, b->column, a->n * sizeof *a->column) != 0) return false;
    mpz_inits(x, y, ten, NULL);
    const int64_t more = a->exponent - b->exponent;
    mpz_ui_pow_ui(ten, 10, (unsigned long)(more < 0 ? -more : more));
    for (size_t k = 0; k < a->n && same; k++) {
        whole_get(a, k, x);
        whole_get(b, k, y);
        mpz_mul(more > 0 ? x : y, more > 0 ? x : y, ten);
        mpz_neg(y, y);
        same = mpz_cmp(x, y) == 0;
    }
    mpz_clears(x, y, ten, NULL);
    return same;
}

/* Searches n marks with the same hash of doubles. Those with the same hash of decimals are in row
 * order. Two points with the same hash may hide a pair: then this shortcut fails, and later stages
 * find the answer. */
static perc_status search_group(struct pair_search *s, struct mark *m, size_t n, perc_error *err)
{
    const struct whole *exact = s->j->exact;
    bool both = false;
    perc_status st;

    for (size_t k = 1; k < n; k++) both = both || m[k].sign != m[0].sign;
    if (!both) return PERC_OK;
    for (size_t k = 0; k < n; k++) {
        if (!job_goes_on(s->j)) return PERC_OK;
        if ((st = whole_row(exact, m[k].row, &s->a, err))) return st;
        m[k].hash = hash_decimals(exact, &s->a, (int)m[k].sign);
    }
    sort_items(m, n, sizeof *m, by_hash);
    for (size_t from = 0, to; from < n; from = to) {
        size_t other = from; /* the first with the other label */
        for (to = from + 1; to < n && m[to].hash == m[from].hash; to++)
            if (other == from && m[to].sign != m[from].sign) other = to;
        if (other == from || m[other].row >= s->row[1]) continue;
        if ((st = whole_row(exact, m[from].row, &s->a, err)) ||
            (st = whole_row(exact, m[other].row, &s->b, err)))
            return st;
        if (!opposite(&s->a, &s->b)) continue;
        s->row[0] = m[from].row;
        s->row[1] = m[other].row;
    }
    return PERC_OK;
}

/* Without an offset a row may be 0. */
static perc_status find_zero(struct pair_search *s, bool *found, perc_error *err)
{
    const struct whole *exact = s->j->exact;
    perc_status st;

    *found = false;
    for (uint64_t i = 0; i < exact->n && !exact->offset && !*found; i++) {
        const struct row r = problem_block_row(s->j->floats, i);
        bool zero = true;
        for (size_t k = 0; k < r.n && zero; k++) zero = row_value(&r, k) == 0;
        if (!zero) continue;
        if ((st = whole_row(exact, i, &s->a, err))) return st;
        *found = s->a.n == 0;
        s->row[0] = i;
    }
    return PERC_OK;
}

perc_status equal_find(const struct job *j, uint64_t row[2], size_t *n, perc_error *err)
{
    const struct env *e = &j->exact->e;
    const uint64_t rows = j->exact->n;
    struct pair_search s = { .j = j, .row = row };
    bool zero;
    perc_status st;

    *n = 0;
    whole_vector_init(&s.a, e);
    whole_vector_init(&s.b, e);
    st = find_zero(&s, &zero, err);
    if (!st && zero) *n = 1;
    s.mark = st || zero ? NULL : mem_array(e, rows, sizeof *s.mark);
    if (s.mark != NULL) {
        row[0] = row[1] = rows;
        threads_each(e->threads, rows / SLICE + 1, hash_slice, &s);
        sort_items(s.mark, (size_t)rows, sizeof *s.mark, by_hash);
        for (uint64_t from = 0, to; from < rows && !st && job_goes_on(j); from = to) {
            for (to = from + 1; to < rows && s.mark[to].hash == s.mark[from].hash;) to++;
            if (to - from > 1) st = search_group(&s, s.mark + from, (size_t)(to - from), err);
        }
        if (!st && row[1] < rows) *n = 2;
    } else if (!st && !zero) {
        st = fail_memory(err);
    }
    mem_free(e, s.mark, rows, sizeof *s.mark);
    whole_vector_free(&s.a);
    whole_vector_free(&s.b);
    return st;
}
