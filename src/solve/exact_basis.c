/* exact_basis.c -- independent rows, found modulo a prime.
 *
 * Gaussian elimination modulo p, row by row. Row k of the echelon form E is the k-th
 * row that joined, less multiples of those before it, times what makes its pivot 1:
 *
 *     E_k[c_k] = 1,   E_k[c_j] = 0 for j < k;      c_k the pivot column of row k
 *
 * so that a new row is reduced by E_0, E_1, ... in this order. Only numbers other than 0
 * are kept, of columns that some row of the basis has. As the pivot we take the column
 * that came into use last: in sparse data it is the rarest, few rows to come have it, and
 * the rows of E stay sparse.
 *
 * Most rows offered depend on the basis, once it is large. To see that without
 * elimination we keep a probe z modulo p, random except that
 *
 *     E_k.z = 0 for all k
 *
 * (random numbers on the columns that are not pivots, those of the pivots from the last
 * E_k back to the first). A row of the span has a.z = 0. For a row outside it, z is a
 * random vector of a space on which a.z is not always 0: it is 0 with probability 1/p. What
 * costs rank * columns by elimination costs one product with the entries of the row.
 * (The idea is Freivalds', 1977.) */
#include <limits.h>
#include <string.h>

#include "base/threads.h"
#include "solve/exact_system.h"

_Static_assert(ULONG_MAX == UINT64_MAX, "numbers modulo p are handed to GMP as unsigned long");

__extension__ typedef unsigned __int128 u128;

/* The largest prime below 2^62: sums of two numbers modulo p fit, with room to spare. */
#define P UINT64_C(4611686018427387847)

#define GROW(e, p, cap, need) mem_grow(e, (void **)&(p), &(cap), need, sizeof *(p))

struct echelon_row { /* one E_k */
    size_t n;
    uint32_t *at;    /* places, rising */
    uint64_t *value; /* modulo p, none 0 */
};

/* ----- arithmetic modulo p -------------------------------------------------------------- */

static uint64_t mod_mul(uint64_t a, uint64_t b)
{
    return (uint64_t)((u128)a * b % P);
}

/* a^(p - 2) = 1/a */
static uint64_t mod_inverse(uint64_t a)
{
    uint64_t x = 1;

    for (uint64_t n = P - 2; n > 0; n >>= 1, a = mod_mul(a, a))
        if (n & 1) x = mod_mul(x, a);
    return x;
}

/* f x for one f and many x (Shoup's way): with g = floor(2^64 f / p) the quotient
 * floor(f x / p) is floor(g x / 2^64) or one more. */
struct factor {
    uint64_t f, g;
};

static struct factor factor_of(uint64_t f)
{
    return (struct factor){ f, (uint64_t)(((u128)f << 64) / P) };
}

static inline uint64_t factor_mul(struct factor a, uint64_t x)
{
    const uint64_t q = (uint64_t)((u128)a.g * x >> 64), r = a.f * x - q * P;

    return r >= P ? r - P : r;
}

/* A number of a row modulo p. */
static uint64_t mod_entry(const struct whole_vector *v, size_t k)
{
    if (!v->fits) return mpz_fdiv_ui(v->value[k], P);
    const int64_t x = v->small[k];
    const uint64_t r = (x < 0 ? -(uint64_t)x : (uint64_t)x) % P;
    return x < 0 && r > 0 ? P - r : r;
}

/* Numbers that look random, the same ones every time (splitmix64's steps: Steele, Lea,
 * Flood 2014). */
static uint64_t mod_random(uint64_t j)
{
    uint64_t z = (j + 1) * UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % P;
}

/* ----- the basis ----------------------------------------------------------------------- */

perc_status exact_basis_new(const struct whole *p, struct exact_basis **out, perc_error *err)
{
    struct exact_basis *b = mem_zeroed(&p->e, 1, sizeof *b);

    *out = NULL;
    if (b == NULL) return fail_memory(err);
    b->e = p->e;
    b->p = p;
    whole_vector_init(&b->v, &p->e);
    b->place = mem_zeroed(&p->e, p->dims, sizeof *b->place);
    if (b->place == NULL) {
        exact_basis_free(b);
        return fail_memory(err);
    }
    *out = b;
    return PERC_OK;
}

static void echelon_free(const struct env *e, struct echelon_row *r)
{
    mem_free(e, r->at, r->n, sizeof *r->at);
    mem_free(e, r->value, r->n, sizeof *r->value);
}

void exact_basis_free(struct exact_basis *b)
{
    if (b == NULL) return;
    const struct env e = b->e;

    for (size_t k = 0; k < b->rank; k++) echelon_free(&e, &b->echelon[k]);
    mem_free(&e, b->row, b->cap_row, sizeof *b->row);
    mem_free(&e, b->column, b->cap_column, sizeof *b->column);
    mem_free(&e, b->pivot, b->cap_pivot, sizeof *b->pivot);
    mem_free(&e, b->echelon, b->cap_echelon, sizeof *b->echelon);
    mem_free(&e, b->place, b->place != NULL ? b->p->dims : 0, sizeof *b->place);
    mem_free(&e, b->used, b->cap_used, sizeof *b->used);
    mem_free(&e, b->work, b->cap_work, sizeof *b->work);
    mem_free(&e, b->probe, b->cap_probe, sizeof *b->probe);
    whole_vector_free(&b->v);
    mem_free(&e, b, 1, sizeof *b);
}

/* ----- the probe ------------------------------------------------------------------------ */

/* z: random numbers, then those of the pivots, the last first, since E_k has numbers at
 * the pivots of rows after it. */
static void probe_renew(struct exact_basis *b)
{
    if (b->probing) return;
    for (size_t j = 0; j < b->places; j++) b->probe[j] = mod_random(b->used[j]);
    for (size_t k = b->rank; k-- > 0;) {
        const struct echelon_row *r = &b->echelon[k];
        u128 sum = 0;
        b->probe[b->pivot[k]] = 0;
        for (size_t m = 0; m < r->n; m++) {
            sum += (u128)r->value[m] * b->probe[r->at[m]]; /* below 2^124 each */
            if (sum >> 126) sum %= P;
        }
        const uint64_t s = (uint64_t)(sum % P);
        b->probe[b->pivot[k]] = s > 0 ? P - s : 0;
    }
    b->probing = true;
}

/* a.z = 0 modulo p. May run on several threads at once. */
static bool probe_says_dependent(const struct exact_basis *b, const struct whole_vector *v)
{
    u128 sum[2] = { 0, 0 }; /* the positive products, the negative ones */

    for (size_t k = 0; k < v->n; k++) {
        const uint32_t at = b->place[v->column[k]];
        const uint64_t z = at > 0 ? b->probe[at - 1] : mod_random(v->column[k]);
        const bool negative = v->fits && v->small[k] < 0;
        const uint64_t x = !v->fits   ? mod_entry(v, k)
                           : negative ? -(uint64_t)v->small[k]
                                      : (uint64_t)v->small[k];
        sum[negative] += (u128)x * z; /* at most 2^125 */
        if (sum[negative] >> 126) sum[negative] %= P;
    }
    return sum[0] % P == sum[1] % P;
}

/* ----- offering rows --------------------------------------------------------------------- */

/* Puts the row into `work`; its new columns get places behind the others. Returns how many places
 * there are then; the basis has them only once the row joins. */
static size_t scatter_row(struct exact_basis *b)
{
    size_t places = b->places;

    memset(b->work, 0, (b->places + b->v.n) * sizeof *b->work);
    for (size_t k = 0; k < b->v.n; k++) {
        uint32_t *place = &b->place[b->v.column[k]];
        if (*place == 0) {
            b->used[places++] = b->v.column[k];
            *place = (uint32_t)places;
        }
        b->work[*place - 1] = mod_entry(&b->v, k);
    }
    return places;
}

/* What is left of the row becomes the next E_k, with its last place as the pivot. */
static bool keep_row(struct exact_basis *b, uint64_t i, size_t places)
{
    struct echelon_row r = { .n = 0 };
    size_t last = places;

    for (size_t j = 0; j < places; j++) r.n += b->work[j] != 0;
    while (b->work[--last] == 0) {
    }
    r.at = mem_array(&b->e, r.n, sizeof *r.at);
    r.value = mem_array(&b->e, r.n, sizeof *r.value);
    if (r.at == NULL || r.value == NULL) {
        echelon_free(&b->e, &r);
        return false;
    }
    const struct factor unit = factor_of(mod_inverse(b->work[last]));
    for (size_t j = 0, m = 0; j < places; j++)
        if (b->work[j] != 0) {
            r.at[m] = (uint32_t)j;
            r.value[m++] = factor_mul(unit, b->work[j]);
        }
    b->row[b->rank] = i;
    b->column[b->rank] = b->used[last];
    b->pivot[b->rank] = (uint32_t)last;
    b->echelon[b->rank++] = r;
    b->places = places;
    b->probing = false;
    return true;
}

perc_status exact_basis_offer(struct exact_basis *b, uint64_t i, bool *joined, perc_error *err)
{
    const struct env *e = &b->e;
    const size_t n = b->rank + 1;
    bool left = false;
    perc_status st;

    *joined = false;
    if ((st = whole_row(b->p, i, &b->v, err))) return st;
    if (b->v.n == 0) return PERC_OK;
    if (b->probing && probe_says_dependent(b, &b->v)) return PERC_OK;
    /* Room for one more row, so that joining cannot fail halfway. */
    const size_t m = b->places + b->v.n;
    if (m > UINT32_MAX - 1 || !GROW(e, b->row, b->cap_row, n) ||
        !GROW(e, b->column, b->cap_column, n) || !GROW(e, b->pivot, b->cap_pivot, n) ||
        !GROW(e, b->echelon, b->cap_echelon, n) || !GROW(e, b->used, b->cap_used, m) ||
        !GROW(e, b->work, b->cap_work, m) || !GROW(e, b->probe, b->cap_probe, m))
        return fail_memory(err);
    const size_t places = scatter_row(b);
    for (size_t k = 0; k < b->rank; k++) { /* work -= work[c_k] E_k */
        const uint64_t x = b->work[b->pivot[k]];
        if (x == 0) continue;
        const struct echelon_row *r = &b->echelon[k];
        const struct factor minus = factor_of(P - x);
        for (size_t q = 0; q < r->n; q++) {
            uint64_t *w = &b->work[r->at[q]];
            const uint64_t s = *w + factor_mul(minus, r->value[q]);
            *w = s >= P ? s - P : s;
        }
    }
    for (size_t j = 0; j < places && !left; j++) left = b->work[j] != 0;
    if (left && !keep_row(b, i, places)) st = fail_memory(err);
    *joined = left && !st;
    if (*joined) return PERC_OK;
    /* The row did not join: its new columns, all multiples of p, are not in use. */
    for (size_t j = b->places; j < places; j++) b->place[b->used[j]] = 0;
    if (!st) probe_renew(b); /* others like it will come */
    return st;
}

/* ----- many rows at once ------------------------------------------------------------------ */

enum { SLICE = 1024 }; /* rows that a thread takes at a time */

struct spans {
    const struct exact_basis *b;
    uint64_t n;
    unsigned char *in;
    struct {
        perc_status st;
        perc_error err;
    } * end; /* of each slice */
};

static void spans_slice(void *ud, uint64_t task)
{
    struct spans *s = ud;
    const uint64_t from = task * SLICE, to = from + SLICE < s->n ? from + SLICE : s->n;
    struct whole_vector v;
    perc_status st = PERC_OK;

    whole_vector_init(&v, &s->b->e);
    for (uint64_t m = from; m < to && st == PERC_OK; m++) {
        st = whole_row(s->b->p, m, &v, &s->end[task].err);
        if (st == PERC_OK) s->in[m] = probe_says_dependent(s->b, &v);
    }
    s->end[task].st = st;
    whole_vector_free(&v);
}

perc_status exact_basis_spans(struct exact_basis *b, uint64_t n, unsigned char *in, perc_error *err)
{
    const uint64_t tasks = (n + SLICE - 1) / SLICE;
    struct spans s = { b, n, in, NULL };
    perc_status st = PERC_OK;

    s.end = mem_zeroed(&b->e, tasks, sizeof *s.end);
    if (s.end == NULL) return fail_memory(err);
    probe_renew(b);
    threads_each(b->e.threads, tasks, spans_slice, &s);
    for (uint64_t k = 0; k < tasks && st == PERC_OK; k++) {
        st = s.end[k].st;
        if (st != PERC_OK && err != NULL) *err = s.end[k].err;
    }
    mem_free(&b->e, s.end, tasks, sizeof *s.end);
    return st;
}
