/* row_dot.c -- the inner loops over rows.
 *
 * Values are first turned into doubles, a piece of a row at a time (`decode` in
 * row_decode.h); then one loop per kind of index does the arithmetic. So encodings
 * and loops add up instead of multiplying.
 *
 * The sums run in the order of the columns (row.h): a chain of additions, each
 * waiting for the one before. That chain, not arithmetic, is what a single row
 * costs; row_dots therefore walks four rows side by side, four chains at once,
 * and every row still gets the bits it would get alone.
 *
 * SIMD appears where the order of the sums does not matter, in quick scores, and in
 * the decoding; each has its plain twin beside it. */
#include "vec/row.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "vec/row_decode.h"

const double decimal_divisor[64] = {
    1e0,   1e1,   1e2,   1e3,   1e4,   1e5,   1e6,   1e7,   1e8,   1e9,   1e10,  1e11,  1e12,
    1e13,  1e14,  1e15,  1e16,  1e17,  1e18,  1e19,  1e20,  1e21,  1e22,  1,     1,     1,
    1,     1,     1,     1,     1,     1,     -1e0,  -1e1,  -1e2,  -1e3,  -1e4,  -1e5,  -1e6,
    -1e7,  -1e8,  -1e9,  -1e10, -1e11, -1e12, -1e13, -1e14, -1e15, -1e16, -1e17, -1e18, -1e19,
    -1e20, -1e21, -1e22, 1,     1,     1,     1,     1,     1,     1,     1,     1
};

uint64_t row_column(const struct row *r, size_t k)
{
    return column_at(r->index, r->indices, r->first, k);
}

double row_value(const struct row *r, size_t k)
{
    if (r->values == VALUES_ONES) return 1; /* there is no value to point at */

    const char *p = (const char *)r->value + (ptrdiff_t)k * r->stride;
    switch (r->values) {
    case VALUES_U8: return *(const uint8_t *)p;
    case VALUES_DEC: return decimal_unpack(*(const uint32_t *)(const void *)p);
    case VALUES_F32: return (double)*(const float *)(const void *)p;
    default: return *(const double *)(const void *)p;
    }
}

double row_entry(const struct row *r, uint64_t column)
{
    size_t lo = 0, hi = r->n;

    if (r->indices == INDEX_DENSE)
        return column >= r->first && column - r->first < r->n
                   ? row_value(r, (size_t)(column - r->first))
                   : 0;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (row_column(r, mid) < column) lo = mid + 1;
        else hi = mid;
    }
    return lo < r->n && row_column(r, lo) == column ? row_value(r, lo) : 0;
}

INLINE void read_columns(const struct row *r, int indices, size_t from, size_t n, uint64_t *column)
{
    for (size_t k = 0; k < n; k++) column[k] = column_at(r->index, indices, r->first, from + k);
}

size_t row_entries_read(const struct row *r, size_t from, struct row_entries *p)
{
    const size_t n = least(r->n - from, PIECE);
    const double *x = decode(r, from, n, p->x);

    if (x != p->x) memcpy(p->x, x, n * sizeof *x);
#define CALL(indices) read_columns(r, indices, from, n, p->column)
    BY_INDEX(r->indices, CALL)
#undef CALL
    return n;
}

/* ----- dot: one row ------------------------------------------------------------ */

/* A step of a chain: fused, or its product rounded first. */
INLINE double step(double s, double w, double x, const bool fused)
{
    return fused ? fma(w, x, s) : s + w * x;
}

INLINE double chain(const struct row *r, int indices, size_t from, size_t n, const double *v,
                    const double *w, double s, const bool fused)
{
    for (size_t k = 0; k < n; k++)
        s = step(s, w[column_at(r->index, indices, r->first, from + k)], v[k], fused);
    return s;
}

INLINE double dot(const struct row *r, const double *w, uint64_t dims, const bool fused)
{
    const size_t n = known(r, dims);
    double buf[PIECE], s = 0;

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = decode(r, from, len, buf);
#define CALL(indices) s = chain(r, indices, from, len, v, w, s, fused)
        BY_INDEX(r->indices, CALL)
#undef CALL
    }
    return s;
}

double row_dot(const struct row *r, const double *w, uint64_t dims)
{
    return dot(r, w, dims, false);
}

/* ----- dot: four rows side by side ------------------------------------------------ */

#define STEP(s, i, k) \
    s = step(s, w[column_at(r[i].index, indices, r[i].first, from + (k))], v[i][k], fused)

/* Four chains over the common length of the pieces, then each row's rest. */
INLINE void chains(const struct row *r, int indices, size_t from, const size_t *n,
                   const double *const *v, const double *w, double *s, const bool fused)
{
    const size_t m = least(least(n[0], n[1]), least(n[2], n[3]));
    double s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];

    for (size_t k = 0; k < m; k++) {
        STEP(s0, 0, k);
        STEP(s1, 1, k);
        STEP(s2, 2, k);
        STEP(s3, 3, k);
    }
    for (size_t k = m; k < n[0]; k++) STEP(s0, 0, k);
    for (size_t k = m; k < n[1]; k++) STEP(s1, 1, k);
    for (size_t k = m; k < n[2]; k++) STEP(s2, 2, k);
    for (size_t k = m; k < n[3]; k++) STEP(s3, 3, k);
    s[0] = s0;
    s[1] = s1;
    s[2] = s2;
    s[3] = s3;
}

#undef STEP

INLINE void dots4(const struct row *r, const double *w, uint64_t dims, double *s, const bool fused)
{
    double buf[4][PIECE];
    const double *v[4];
    size_t n[4], len[4], longest = 0;

    for (int i = 0; i < 4; i++) {
        s[i] = 0;
        n[i] = known(&r[i], dims);
        if (n[i] > longest) longest = n[i];
    }
    for (size_t from = 0; from < longest; from += PIECE) {
        for (int i = 0; i < 4; i++) {
            len[i] = n[i] > from ? least(n[i] - from, PIECE) : 0;
            v[i] = decode(&r[i], from, len[i], buf[i]);
        }
#define CALL(indices) chains(r, indices, from, len, v, w, s, fused)
        BY_INDEX(r->indices, CALL)
#undef CALL
    }
}

INLINE void dots(const struct row *r, int k, const double *w, uint64_t dims, double *out,
                 const bool fused)
{
    if (k == 4 && r[1].indices == r[0].indices && r[2].indices == r[0].indices &&
        r[3].indices == r[0].indices) {
        dots4(r, w, dims, out, fused);
        return;
    }
    for (int i = 0; i < k; i++) out[i] = dot(&r[i], w, dims, fused);
}

void row_dots(const struct row *r, int k, const double *w, uint64_t dims, double *out)
{
    dots(r, k, w, dims, out, false);
}

/* A chain of negative products that underflow comes to -0, and a zero step makes 0 of it: 0 added
 * at the end makes 0 of it everywhere. */
INLINE void fused_any(const struct row *r, int k, const double *w, uint64_t dims, double *out)
{
    dots(r, k, w, dims, out, true);
    for (int i = 0; i < k; i++) out[i] += 0.0;
}
TARGETS(fused, (const struct row *r, int k, const double *w, uint64_t dims, double *out),
        (r, k, w, dims, out))

void row_dots_fused(const struct row *r, int k, const double *w, uint64_t dims, double *out)
{
    fused(r, k, w, dims, out);
}

int perc_has_fma(void)
{
#ifdef HAVE_TARGETS
    return have_avx2() || have_avx512();
#elif defined FP_FAST_FMA
    return 1;
#else
    return 0;
#endif
}

/* ----- quick: any order ------------------------------------------------------------- */

INLINE double size_of(double t)
{
    return t < 0 ? -t : t;
}

/* Four chains, so that no addition waits for the last. */
INLINE struct quick quick_plain(const struct row *r, int indices, size_t from, size_t n,
                                const double *v, const double *w)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, a0 = 0, a1 = 0, a2 = 0, a3 = 0;
    size_t k = 0;

#define PRODUCT(k) (w[column_at(r->index, indices, r->first, from + (k))] * v[k])
    for (; k + 4 <= n; k += 4) {
        const double t0 = PRODUCT(k), t1 = PRODUCT(k + 1), t2 = PRODUCT(k + 2), t3 = PRODUCT(k + 3);
        s0 += t0, s1 += t1, s2 += t2, s3 += t3;
        a0 += size_of(t0), a1 += size_of(t1), a2 += size_of(t2), a3 += size_of(t3);
    }
    for (; k < n; k++) {
        const double t = PRODUCT(k);
        s0 += t;
        a0 += size_of(t);
    }
#undef PRODUCT
    return (struct quick){ (s0 + s1) + (s2 + s3), (a0 + a1) + (a2 + a3), 0 };
}

#ifdef HAVE_TARGETS
/* What eight_values needs for decimals: 1 / 10^0 .. 1 / 10^15; and in `any` it
 * gathers the bits of the places, because those above 15 are beyond this table. */
struct reciprocals {
    __m512d low, high;
    __m256i any;
};

/* Eight values from p on, of which those in `live` are read; approximate for
 * decimals: the product with the rounded reciprocal is off by at most 1.5 units in
 * the last place, which quick_bound() allows for. */
FOR_AVX512 INLINE __m512d eight_values(const void *p, int values, size_t k, __mmask8 live,
                                       struct reciprocals *r)
{
    switch (values) {
    case VALUES_U8: {
        const __m128i x = _mm_maskz_loadu_epi8(live, (const uint8_t *)p + k);
        return _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(x));
    }
    case VALUES_DEC: {
        const __m256i x = _mm256_maskz_loadu_epi32(live, (const uint32_t *)p + k);
        const __m512i places = _mm512_cvtepu32_epi64(_mm256_srli_epi32(x, 24));
        const __m512d m = _mm512_cvtepi32_pd(_mm256_and_si256(x, _mm256_set1_epi32(0xffffff)));
        const __m512d v = _mm512_mul_pd(m, _mm512_permutex2var_pd(r->low, places, r->high));
        r->any = _mm256_or_si256(r->any, x);
        const __mmask8 minus = _mm256_test_epi32_mask(x, _mm256_set1_epi32(1 << 29));
        return _mm512_mask_sub_pd(v, minus, _mm512_setzero_pd(), v);
    }
    case VALUES_F32: return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(live, (const float *)p + k));
    case VALUES_F64: return _mm512_maskz_loadu_pd(live, (const double *)p + k);
    default: return _mm512_maskz_mov_pd(live, _mm512_set1_pd(1));
    }
}

FOR_AVX512 INLINE __m512d eight_weights(const struct row *r, int indices, size_t k, __mmask8 live,
                                        const double *w)
{
    __m256i j;

    if (indices == INDEX_DENSE) return _mm512_maskz_loadu_pd(live, w + r->first + k);
    if (indices == INDEX_U16)
        j = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(live, (const uint16_t *)r->index + k));
    else j = _mm256_maskz_loadu_epi32(live, (const uint32_t *)r->index + k);
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), live, j, w, 8);
}

FOR_AVX512 INLINE struct quick quick_avx512(const struct row *r, int values, int indices, bool norm,
                                            const double *w)
{
    struct reciprocals table = { _mm512_loadu_pd(reciprocal), _mm512_loadu_pd(reciprocal + 8),
                                 _mm256_setzero_si256() };
    __m512d s = _mm512_setzero_pd(), a = s, x2 = s;
    const size_t whole = r->n & ~(size_t)7;

#define EIGHT(k, live)                                                             \
    do {                                                                           \
        const __m512d v = eight_values(r->value, values, k, live, &table);         \
        const __m512d t = _mm512_mul_pd(eight_weights(r, indices, k, live, w), v); \
        s = _mm512_add_pd(s, t);                                                   \
        a = _mm512_add_pd(a, _mm512_abs_pd(t));                                    \
        if (norm) x2 = _mm512_fmadd_pd(v, v, x2);                                  \
    } while (0)
    for (size_t k = 0; k < whole; k += 8) EIGHT(k, 0xff);
    if (whole < r->n) EIGHT(whole, (__mmask8)((1u << (r->n - whole)) - 1));
#undef EIGHT
    if (_mm256_test_epi32_mask(table.any, _mm256_set1_epi32(1 << 28)) != 0)
        return (struct quick){ 0, INFINITY, INFINITY }; /* over 15 places: nothing is known */
    return (struct quick){ _mm512_reduce_add_pd(s), _mm512_reduce_add_pd(a),
                           norm ? _mm512_reduce_add_pd(x2) : 0 };
}

/* Contiguous rows whose columns can be gathered as signed 32-bit numbers. */
static bool quick_can(const struct row *r)
{
    return r->n > 0 &&
           (r->values == VALUES_ONES || r->stride == (ptrdiff_t)row_value_size(r->values)) &&
           (r->indices == INDEX_DENSE || r->indices == INDEX_U16 ||
            (r->indices == INDEX_U32 && row_column(r, r->n - 1) <= INT32_MAX)) &&
           have_avx512();
}

#define QUICK(values)                                                              \
    return r->indices == INDEX_U16   ? quick_avx512(r, values, INDEX_U16, norm, w) \
           : r->indices == INDEX_U32 ? quick_avx512(r, values, INDEX_U32, norm, w) \
                                     : quick_avx512(r, values, INDEX_DENSE, norm, w)
#define QUICK_FOR(name, with_norm)                                            \
    FOR_AVX512 static struct quick name(const struct row *r, const double *w) \
    {                                                                         \
        const bool norm = with_norm;                                          \
        switch (r->values) {                                                  \
        case VALUES_U8: QUICK(VALUES_U8);                                     \
        case VALUES_DEC: QUICK(VALUES_DEC);                                   \
        case VALUES_F32: QUICK(VALUES_F32);                                   \
        case VALUES_F64: QUICK(VALUES_F64);                                   \
        default: QUICK(VALUES_ONES);                                          \
        }                                                                     \
    }
QUICK_FOR(quick_wide, false)
QUICK_FOR(measure_wide, true)
#endif

static struct quick quick_any(const struct row *r, const double *w)
{
    struct quick sum = { 0, 0, 0 }, q;
    double buf[PIECE];

    for (size_t from = 0; from < r->n; from += PIECE) {
        const size_t len = least(r->n - from, PIECE);
        const double *v = decode(r, from, len, buf);
#define CALL(indices) q = quick_plain(r, indices, from, len, v, w)
        BY_INDEX(r->indices, CALL)
#undef CALL
        sum.sum += q.sum;
        sum.size += q.size;
    }
    return sum;
}

struct quick row_quick(const struct row *r, const double *w)
{
#ifdef HAVE_TARGETS
    if (quick_can(r)) return quick_wide(r, w);
#endif
    return quick_any(r, w);
}

struct quick row_measure(const struct row *r, const double *w)
{
#ifdef HAVE_TARGETS
    if (quick_can(r)) return measure_wide(r, w);
#endif
    struct quick q = quick_any(r, w);
    q.norm2 = row_norm2(r);
    return q;
}

/* ----- the rest ---------------------------------------------------------------------- */

INLINE void axpy(double a, const struct row *r, int indices, size_t from, size_t n, const double *v,
                 double *w)
{
    for (size_t k = 0; k < n; k++) w[column_at(r->index, indices, r->first, from + k)] += a * v[k];
}

void row_axpy(double a, const struct row *r, double *w, uint64_t dims)
{
    const size_t n = known(r, dims);
    double buf[PIECE];

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = decode(r, from, len, buf);
#define CALL(indices) axpy(a, r, indices, from, len, v, w)
        BY_INDEX(r->indices, CALL)
#undef CALL
    }
}

INLINE double norm2(const struct row *r, const bool fused)
{
    double buf[PIECE], s = 0;

    for (size_t from = 0; from < r->n; from += PIECE) {
        const size_t len = least(r->n - from, PIECE);
        const double *v = decode(r, from, len, buf);
        for (size_t k = 0; k < len; k++) s = step(s, v[k], v[k], fused);
    }
    return s;
}

double row_norm2(const struct row *r)
{
    return norm2(r, false);
}

INLINE void norm2_fused_any(const struct row *r, double *out)
{
    *out = norm2(r, true);
}
TARGETS(norm2_fused, (const struct row *r, double *out), (r, out))

double row_norm2_fused(const struct row *r)
{
    double s;

    norm2_fused(r, &s);
    return s;
}

/* The bits of doubles are in the order of their sizes; from the limit on, the sum has its top bit
 * set. */
INLINE void reach_any(const double *v, size_t n, uint64_t *out)
{
    const uint64_t top = (uint64_t)1 << 63, limit = (uint64_t)(1023 + 400) << 52;
    uint64_t bits, high = 0;

    for (size_t k = 0; k < n; k++) {
        memcpy(&bits, v + k, sizeof bits);
        high |= (bits & ~top) + (top - limit);
    }
    *out = high;
}
TARGETS(reach, (const double *v, size_t n, uint64_t *out), (v, n, out))

/* Encodings other than doubles have no room for such values. */
bool row_is_ordinary(const struct row *r)
{
    double buf[PIECE];
    uint64_t high = 0;

    for (size_t from = 0; r->values == VALUES_F64 && from < r->n && high >> 63 == 0;
         from += PIECE) {
        const size_t len = least(r->n - from, PIECE);
        reach(decode(r, from, len, buf), len, &high);
    }
    return high >> 63 == 0;
}

bool row_is_tiny(const struct row *r)
{
    bool some = false;

    for (size_t k = 0; r->values == VALUES_F64 && k < r->n; k++) {
        const double v = row_value(r, k);
        if (fabs(v) >= 0x1p-149) return false;
        some |= v != 0;
    }
    return some;
}

void row_prefetch(const struct row *r)
{
    const size_t line = 64, wide = row_value_size(r->values);
    const size_t narrow = r->indices == INDEX_DENSE ? 0 : (size_t)1 << r->indices;
    const char *v = r->value, *index = r->index;

    if (r->stride != (ptrdiff_t)wide) return;
    for (size_t at = 0; at < r->n * wide; at += line) __builtin_prefetch(v + at);
    for (size_t at = 0; at < r->n * narrow; at += line) __builtin_prefetch(index + at);
}

double row_weights_norm2(const double *w, uint64_t n)
{
    double s = 0;

    for (uint64_t j = 0; j < n; j++) s += w[j] * w[j];
    return s;
}
