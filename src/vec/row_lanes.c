/* row_lanes.c -- the dot product in lanes, and the step that follows it.
 *
 * Dense rows: whole groups of LANES columns are one operation on lanes (lanes.h), which
 * is compiled for several kinds of processor; what hangs over on either side goes entry by
 * entry. Sparse rows go entry by entry, the sums in memory: eight chains through the
 * store buffer, which is no slower than one chain in a register, and no faster. */
#include "vec/row_lanes.h"

#include <string.h>

#include "vec/lanes.h"
#include "vec/row_decode.h"

struct row_values row_decode(const struct row *r, uint64_t dims, double *buf)
{
    struct row_values out = { .n = known(r, dims) };

    if (r->values != VALUES_ONES) out.v = decode(r, 0, out.n, buf);
    return out;
}

INLINE double value_at(const double *v, size_t k)
{
    return v != NULL ? v[k] : 1; /* times 1 changes nothing */
}

static double total(const double *s)
{
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/* ----- sparse ------------------------------------------------------------------------- */

INLINE double dot_sparse(const struct row *r, int indices, bool ones, const double *v, size_t n,
                         const double *w)
{
    double s[LANES] = { 0 };

    for (size_t k = 0; k < n; k++) {
        const uint64_t j = column_at(r->index, indices, 0, k);
        s[j % LANES] += ones ? w[j] : w[j] * v[k];
    }
    return total(s);
}

INLINE void add_sparse(double a, const struct row *r, int indices, bool ones, const double *v,
                       size_t n, double *w)
{
    for (size_t k = 0; k < n; k++) w[column_at(r->index, indices, 0, k)] += ones ? a : a * v[k];
}

/* ----- dense -------------------------------------------------------------------------- */

LANES_INLINE void dot_any(const double *w, const double *v, size_t n, double *s)
{
    lanes sum, a, b;

    memcpy(&sum, s, sizeof sum);
    for (size_t k = 0; k + LANES <= n; k += LANES) {
        memcpy(&a, w + k, sizeof a);
        memcpy(&b, v + k, sizeof b);
        sum += a * b;
    }
    memcpy(s, &sum, sizeof sum);
}

LANES_INLINE void add_any(double step, const double *v, size_t n, double *w)
{
    lanes a, b;

    for (size_t k = 0; k + LANES <= n; k += LANES) {
        memcpy(&a, w + k, sizeof a);
        memcpy(&b, v + k, sizeof b);
        a += step * b;
        memcpy(w + k, &a, sizeof a);
    }
}

TARGETS(dot, (const double *w, const double *v, size_t n, double *s), (w, v, n, s))
TARGETS(add, (double step, const double *v, size_t n, double *w), (step, v, n, w))

static double dot_dense(const struct row *r, const double *v, size_t n, const double *w)
{
    const double *at = w + r->first;
    /* Entries before the first column that is a multiple of LANES, and whole groups of them. */
    const size_t gap = (size_t)(-r->first % LANES), head = gap < n ? gap : n;
    const size_t whole = (n - head) / LANES * LANES;
    double s[LANES] = { 0 };

    for (size_t k = 0; k < head; k++) s[(r->first + k) % LANES] += at[k] * value_at(v, k);
    if (v != NULL) dot(at + head, v + head, whole, s);
    else
        for (size_t k = 0; k < whole; k++) s[k % LANES] += at[head + k];
    for (size_t k = head + whole; k < n; k++) s[(r->first + k) % LANES] += at[k] * value_at(v, k);
    return total(s);
}

/* ----- any ---------------------------------------------------------------------------- */

double row_lane_dot(const struct row *r, const struct row_values *v, const double *w)
{
    switch (r->indices) {
#define CASE(kind)                                                     \
    case kind:                                                         \
        return v->v == NULL ? dot_sparse(r, kind, true, NULL, v->n, w) \
                            : dot_sparse(r, kind, false, v->v, v->n, w)
        CASE(INDEX_U16);
        CASE(INDEX_U32);
        CASE(INDEX_U64);
#undef CASE
    default: return dot_dense(r, v->v, v->n, w);
    }
}

void row_add(double a, const struct row *r, const struct row_values *v, double *w)
{
    switch (r->indices) {
#define CASE(kind)                                                     \
    case kind:                                                         \
        if (v->v == NULL) add_sparse(a, r, kind, true, NULL, v->n, w); \
        else add_sparse(a, r, kind, false, v->v, v->n, w);             \
        break
        CASE(INDEX_U16);
        CASE(INDEX_U32);
        CASE(INDEX_U64);
#undef CASE
    default: {
        const size_t whole = v->v != NULL ? v->n / LANES * LANES : 0;
        w += r->first;
        if (v->v != NULL) add(a, v->v, whole, w);
        for (size_t k = whole; k < v->n; k++) w[k] += a * value_at(v->v, k);
    }
    }
}

double row_lanes_dot(const double *a, const double *b, uint64_t n)
{
    const struct row r = { .n = (size_t)n };

    return dot_dense(&r, b, (size_t)n, a);
}
