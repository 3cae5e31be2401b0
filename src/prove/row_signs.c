/* row_signs.c -- on which side of w each row is.
 *
 * With doubles first. w is scaled by a power of two to |w_j| < 1 and rounded, so that its
 * numbers are off by a part in 2^52; a number of a row is the double nearest to the decimal,
 * off by a part in 2^53, or by 2^-1075 where it is tiny. Products and their sum are rounded
 * as quick_bound (vec/row.h) says, with room for two roundings more per term than it needs,
 * so
 *
 *     |sum + b| > quick_bound   =>   the exact sum has the same sign
 *
 * What vanishes, in rows or products, is below 2^-1070 per term: the 10^-300 of quick_bound
 * covers it. Sums that overflow have an infinite bound. Where the numbers of w span more
 * than 2^900 those that would vanish could meet huge x_ij, and the filter is off.
 *
 * Rows that are not clear are computed in whole numbers: in 128 bits where that is enough. */
#include "prove/row_signs.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/pool.h"
#include "base/threads.h"

enum { SLICE = 1024, IN_DOUBT = 2 };

__extension__ typedef __int128 i128;

struct signs {
    const struct whole *exact;
    const struct problem *floats;
    const mpz_t *w;
    int least;
    struct row_signs *out;
    double *rough;  /* dims: w in doubles; NULL: the filter is off */
    int64_t *small; /* dims: w, if it fits; else NULL */
    uint64_t slices;
    _Atomic uint64_t next;
    _Atomic uint64_t first; /* the lowest row below `least` so far */
    _Atomic int status;
    uint64_t *count; /* by slice: rows computed in whole numbers */
    void (*run)(struct signs *l, struct whole_vector *v, uint64_t slice);
    struct whole_vector *v; /* one per thread */
    perc_error *err;        /* of the thread that failed first */
};

/* w in doubles, if its numbers do not span too much, and in 64 bits, if they fit. */
static void convert_w(struct signs *l)
{
    const uint64_t dims = l->exact->dims;
    long most = 0;
    bool any = false, near = true, fits = true;

    for (uint64_t j = 0; j < dims; j++) {
        const long bits = (long)mpz_sizeinbase(l->w[j], 2);
        if (mpz_sgn(l->w[j]) != 0 && (!any || bits > most)) most = bits, any = true;
    }
    for (uint64_t j = 0; j < dims; j++) {
        long e;
        const double m = mpz_get_d_2exp(&e, l->w[j]);
        near = near && !(m != 0 && most - e > 900);
        l->rough[j] = m == 0 || !near ? 0 : ldexp(m, (int)(e - most));
        fits = fits && mpz_fits_slong_p(l->w[j]);
        l->small[j] = fits ? mpz_get_si(l->w[j]) : 0;
    }
    if (!near) l->rough = NULL;
    if (!fits) l->small = NULL;
}

/* ----- one row ---------------------------------------------------------------------------- */

static bool dot_small(const struct whole_vector *v, const int64_t *w, int *sign)
{
    i128 t = 0;

    for (size_t k = 0; k < v->n; k++)
        if (__builtin_add_overflow(t, (i128)v->small[k] * w[v->column[k]], &t)) return false;
    *sign = t < 0 ? -1 : t > 0;
    return true;
}

static void lower_first(struct signs *l, uint64_t i)
{
    uint64_t now = atomic_load(&l->first);

    while (i < now && !atomic_compare_exchange_weak(&l->first, &now, i)) continue;
}

/* ----- passes ------------------------------------------------------------------------------ */

static void filter_slice(struct signs *l, struct whole_vector *v, uint64_t slice)
{
    const struct problem *floats = l->floats;
    const double b = floats->offset ? l->rough[floats->dims] : 0;
    const uint64_t to = (slice + 1) * SLICE < floats->n ? (slice + 1) * SLICE : floats->n;

    (void)v;
    for (uint64_t i = slice * SLICE; i < to; i++) {
        const struct row r = problem_block_row(floats, i);
        const struct quick q = row_quick(&r, l->rough);
        const double s = q.sum + b, bound = quick_bound(&q, r.n, b);
        const int side = s > bound ? l->exact->sign[i] : s < -bound ? -l->exact->sign[i] : IN_DOUBT;
        l->out->sign[i] = (signed char)side;
        if (side >= l->least) continue;
        lower_first(l, i);
        return;
    }
}

static void compute_slice(struct signs *l, struct whole_vector *v, uint64_t slice)
{
    const uint64_t n = l->exact->n, to = (slice + 1) * SLICE < n ? (slice + 1) * SLICE : n;
    mpz_t t;

    mpz_init(t);
    for (uint64_t i = slice * SLICE; i < to && i < atomic_load(&l->first); i++) {
        int sign = 0;
        if (l->out->sign[i] != IN_DOUBT) continue;
        perc_error why;
        const perc_status st = whole_row(l->exact, i, v, &why);
        if (st) {
            int none = 0;
            if (atomic_compare_exchange_strong(&l->status, &none, (int)st) && l->err != NULL)
                *l->err = why;
            break;
        }
        l->count[slice]++;
        if (!(v->fits && l->small != NULL && dot_small(v, l->small, &sign))) {
            whole_dot(v, l->w, t);
            sign = mpz_sgn(t);
        }
        l->out->sign[i] = (signed char)sign;
        if (sign < l->least) lower_first(l, i);
    }
    mpz_clear(t);
}

/* Slices are handed out in order, so those before the one with the lowest row below `least`
 * were begun, and were not cut short by it. */
static void take_slices(void *ud, int k)
{
    struct signs *l = ud;
    uint64_t c;

    while ((c = l->next++) < l->slices && c * SLICE < atomic_load(&l->first) &&
           atomic_load(&l->status) == 0)
        l->run(l, &l->v[k], c);
}

perc_status row_signs(const struct whole *exact, const struct problem *floats, const mpz_t *w,
                      int least, struct row_signs *out, perc_error *err)
{
    const struct env *e = &exact->e;
    struct signs l = {
        .exact = exact, .floats = floats, .w = w, .least = least, .out = out, .err = err
    };
    struct pool pool;

    l.slices = exact->n / SLICE + 1;
    l.first = exact->n;
    out->first = exact->n;
    out->exact = 0;
    if (exact->n == 0) return PERC_OK;
    const int threads = (uint64_t)e->threads < l.slices ? e->threads : (int)l.slices;
    pool_init(&pool, e);
    l.rough = pool_array(&pool, exact->dims, sizeof *l.rough);
    l.small = pool_array(&pool, exact->dims, sizeof *l.small);
    l.count = pool_zeroed(&pool, l.slices, sizeof *l.count);
    l.v = pool_array(&pool, (size_t)threads, sizeof *l.v);
    if (!pool.failed) {
        for (int k = 0; k < threads; k++) whole_vector_init(&l.v[k], e);
        convert_w(&l);
        l.run = filter_slice;
        if (l.rough != NULL) threads_run(threads, take_slices, &l);
        else memset(out->sign, IN_DOUBT, exact->n);
        l.run = compute_slice;
        l.next = 0;
        if (l.first == exact->n) threads_run(threads, take_slices, &l);
        out->first = l.first;
        /* Counts up to the first row below `least`, however many others the threads looked at. */
        for (uint64_t c = 0; c < l.slices; c++)
            if (c * SLICE <= out->first) out->exact += l.count[c];
        for (int k = 0; k < threads; k++) whole_vector_free(&l.v[k]);
    }
    const bool full = pool.failed || l.status == PERC_ENOMEM;
    pool_free(&pool);
    return full ? fail_memory(err) : (perc_status)l.status;
}
