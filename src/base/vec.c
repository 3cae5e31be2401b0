/* vec.c -- the inner loops over rows.
 *
 * One loop each for dot, axpy and norm is written once, as an inline function of
 * the encoding; a switch instantiates it for the encodings there are, so that
 * inside a loop nothing is asked again. The sums run in the order of the
 * columns (vec.h): a chain of additions, each waiting for the one before. That
 * chain, not arithmetic, is what a single row costs; row_dots therefore walks
 * up to four rows side by side, four chains at once, and every row still gets
 * the bits it would get alone. */
#include "base/vec.h"

const double decimal_divisor[64] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12,
    1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1,    1,    1,
    1,    1,    1,    1,    1,    1,    -1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6,
    -1e7, -1e8, -1e9, -1e10, -1e11, -1e12, -1e13, -1e14, -1e15, -1e16, -1e17, -1e18,
    -1e19, -1e20, -1e21, -1e22, 1,  1,    1,    1,    1,    1,    1,    1,    1
};

#define INLINE static inline __attribute__((always_inline))

/* Entry k of a row whose encoding is a constant at the call. Values are
 * contiguous here; strided rows take the slow way (row_value). */
INLINE double value_at(const void *v, int values, size_t k)
{
    switch (values) {
    case VALUES_U8: return ((const uint8_t *)v)[k];
    case VALUES_DEC: return decimal_unpack(((const uint32_t *)v)[k]);
    case VALUES_F32: return (double)((const float *)v)[k];
    case VALUES_F64: return ((const double *)v)[k];
    default: return 1;
    }
}

INLINE uint64_t column_at(const void *index, int indices, uint64_t first, size_t k)
{
    switch (indices) {
    case INDEX_U16: return ((const uint16_t *)index)[k];
    case INDEX_U32: return ((const uint32_t *)index)[k];
    case INDEX_U64: return ((const uint64_t *)index)[k];
    default: return first + k;
    }
}

static const size_t value_size[] = { 0, 1, 4, 4, 8 };

static bool contiguous(const struct row *r)
{
    return r->values == VALUES_ONES || r->stride == (ptrdiff_t)value_size[r->values];
}

uint64_t row_column(const struct row *r, size_t k)
{
    return column_at(r->index, r->indices, r->first, k);
}

double row_value(const struct row *r, size_t k)
{
    if (r->values == VALUES_ONES) return 1;
    return value_at((const char *)r->value + (ptrdiff_t)k * r->stride, r->values, 0);
}

/* How many entries have a column below dims: all of them, as a rule. */
static size_t known(const struct row *r, uint64_t dims)
{
    size_t lo = 0, hi = r->n;

    if (hi == 0 || row_column(r, hi - 1) < dims) return hi;
    while (lo < hi) { /* columns increase: the first one not below dims */
        const size_t mid = lo + (hi - lo) / 2;
        if (row_column(r, mid) < dims) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

/* ----- the loops, by encoding -------------------------------------------- */

INLINE double dot(const struct row *r, int values, int indices, const double *w, size_t n)
{
    const void *v = r->value, *index = r->index;
    double s = 0;

    for (size_t k = 0; k < n; k++)
        s += w[column_at(index, indices, r->first, k)] * value_at(v, values, k);
    return s;
}

INLINE void axpy(double a, const struct row *r, int values, int indices, double *w, size_t n)
{
    const void *v = r->value, *index = r->index;

    for (size_t k = 0; k < n; k++)
        w[column_at(index, indices, r->first, k)] += a * value_at(v, values, k);
}

#define TERM(i, k)                                                                                 \
    (w[column_at(r[i].index, indices, r[i].first, k)] * value_at(r[i].value, values, k))

/* Four chains side by side over the common length, then each row's rest. */
INLINE void dot4(const struct row *r, int values, int indices, const double *w, const size_t *n,
                 double *out)
{
    size_t m = n[0];
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t k;

    for (int i = 1; i < 4; i++)
        if (n[i] < m) m = n[i];
    for (k = 0; k < m; k++) {
        s0 += TERM(0, k);
        s1 += TERM(1, k);
        s2 += TERM(2, k);
        s3 += TERM(3, k);
    }
    for (k = m; k < n[0]; k++) s0 += TERM(0, k);
    for (k = m; k < n[1]; k++) s1 += TERM(1, k);
    for (k = m; k < n[2]; k++) s2 += TERM(2, k);
    for (k = m; k < n[3]; k++) s3 += TERM(3, k);
    out[0] = s0;
    out[1] = s1;
    out[2] = s2;
    out[3] = s3;
}

/* CALL(values, indices) for the encoding at hand, with both as constants. */
#define BY_INDEX(row, values, CALL)                                                                \
    switch ((row)->indices) {                                                                      \
    case INDEX_U16: CALL(values, INDEX_U16); break;                                                \
    case INDEX_U32: CALL(values, INDEX_U32); break;                                                \
    case INDEX_U64: CALL(values, INDEX_U64); break;                                                \
    default: CALL(values, INDEX_DENSE); break;                                                     \
    }
#define BY_ENCODING(row, CALL)                                                                     \
    switch ((row)->values) {                                                                       \
    case VALUES_U8: BY_INDEX(row, VALUES_U8, CALL); break;                                         \
    case VALUES_DEC: BY_INDEX(row, VALUES_DEC, CALL); break;                                       \
    case VALUES_F32: BY_INDEX(row, VALUES_F32, CALL); break;                                       \
    case VALUES_F64: BY_INDEX(row, VALUES_F64, CALL); break;                                       \
    default: BY_INDEX(row, VALUES_ONES, CALL); break;                                              \
    }

double row_dot(const struct row *r, const double *w, uint64_t dims)
{
    const size_t n = known(r, dims);
    double s = 0;

    if (!contiguous(r)) {
        for (size_t k = 0; k < n; k++) s += w[row_column(r, k)] * row_value(r, k);
        return s;
    }
#define CALL(values, indices) s = dot(r, values, indices, w, n)
    BY_ENCODING(r, CALL)
#undef CALL
    return s;
}

void row_dots(const struct row *r, int k, const double *w, uint64_t dims, double *out)
{
    bool same = k == 4 && contiguous(&r[0]);
    size_t n[4];

    for (int i = 1; i < k && same; i++)
        same = r[i].values == r[0].values && r[i].indices == r[0].indices && contiguous(&r[i]);
    if (!same) {
        for (int i = 0; i < k; i++) out[i] = row_dot(&r[i], w, dims);
        return;
    }
    for (int i = 0; i < 4; i++) n[i] = known(&r[i], dims);
#define CALL(values, indices) dot4(r, values, indices, w, n, out)
    BY_ENCODING(r, CALL)
#undef CALL
}

void row_axpy(double a, const struct row *r, double *w, uint64_t dims)
{
    const size_t n = known(r, dims);

    if (!contiguous(r)) {
        for (size_t k = 0; k < n; k++) w[row_column(r, k)] += a * row_value(r, k);
        return;
    }
#define CALL(values, indices) axpy(a, r, values, indices, w, n)
    BY_ENCODING(r, CALL)
#undef CALL
}

double row_norm2(const struct row *r)
{
    double s = 0;

    for (size_t k = 0; k < r->n; k++) {
        const double x = row_value(r, k);
        s += x * x;
    }
    return s;
}

void row_prefetch(const struct row *r)
{
    const size_t line = 64, vs = value_size[r->values];
    const size_t is = r->indices == INDEX_DENSE ? 0 : (size_t)1 << r->indices;
    const char *v = r->value, *index = r->index;

    if (vs > 0 && contiguous(r))
        for (size_t at = 0; at < r->n * vs; at += line) __builtin_prefetch(v + at);
    for (size_t at = 0; at < r->n * is; at += line) __builtin_prefetch(index + at);
}

double vec_norm2(const double *w, uint64_t n)
{
    double s = 0;

    for (uint64_t j = 0; j < n; j++) s += w[j] * w[j];
    return s;
}
