/* vec.c -- the inner loops over rows.
 *
 * Values are first turned into doubles, a piece of a row at a time, by the loop
 * for their encoding (`decode`; nothing is done where they are doubles already);
 * then one loop per kind of index does the arithmetic. So encodings and loops add
 * up instead of multiplying.
 *
 * The sums run in the order of the columns (vec.h): a chain of additions, each
 * waiting for the one before. That chain, not arithmetic, is what a single row
 * costs; row_dots therefore walks four rows side by side, four chains at once,
 * and every row still gets the bits it would get alone.
 *
 * SIMD appears in one place, the decoding of short decimals, because there a
 * division a value would be the bottleneck. Its plain twin stands beside it, and
 * both give the same bits: correctly rounded quotients. */
#include "base/vec.h"

#include <math.h>

const double decimal_divisor[64] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12,
    1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1,    1,    1,
    1,    1,    1,    1,    1,    1,    -1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6,
    -1e7, -1e8, -1e9, -1e10, -1e11, -1e12, -1e13, -1e14, -1e15, -1e16, -1e17, -1e18,
    -1e19, -1e20, -1e21, -1e22, 1,  1,    1,    1,    1,    1,    1,    1,    1
};

#define INLINE static inline __attribute__((always_inline))

enum { PIECE = 256 }; /* values decoded at a time: four pieces stay in the first-level cache */

static const size_t value_size[] = { 0, 1, 4, 4, 8 };

INLINE uint64_t column_at(const void *index, int indices, uint64_t first, size_t k)
{
    switch (indices) {
    case INDEX_U16: return ((const uint16_t *)index)[k];
    case INDEX_U32: return ((const uint32_t *)index)[k];
    case INDEX_U64: return ((const uint64_t *)index)[k];
    default: return first + k;
    }
}

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

/* ----- short decimals to doubles ------------------------------------------- */

static void decimals_plain(const uint32_t *v, size_t n, double *out)
{
    for (size_t k = 0; k < n; k++) out[k] = decimal_unpack(v[k]);
}

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_DISPATCH 1
#include <immintrin.h>

/* 1 / 10^places, rounded: the literals are what the divisions would give. */
static const double reciprocal[16] = { 1e0,  1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,
                                       1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15 };

__attribute__((target("avx2"))) static void decimals_avx2(const uint32_t *v, size_t n, double *out)
{
    const __m128i low = _mm_set1_epi32(0xffffff);
    size_t k = 0;

    for (; k + 4 <= n; k += 4) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(v + k));
        const __m256d m = _mm256_cvtepi32_pd(_mm_and_si128(x, low));
        const __m256d d = _mm256_i32gather_pd(decimal_divisor, _mm_srli_epi32(x, 24), 8);
        _mm256_storeu_pd(out + k, _mm256_div_pd(m, d));
    }
    decimals_plain(v + k, n - k, out + k);
}

/* Division is slow even here, so the quotient is made by multiplication and put
 * right (Markstein 1990): with r the rounded reciprocal of d,
 *     q = m r,   e = m - q d (exact, by FMA),   q + e r (rounded once).
 * That this is the correctly rounded m / d for every mantissa below 2^24 and
 * every power of ten here was checked for all of them; a test does it again.
 * Up to 15 places fit two registers; a longer decimal goes to the plain loop. */
__attribute__((target("avx512f,avx512dq,avx512vl"))) static void
decimals_avx512(const uint32_t *v, size_t n, double *out)
{
    const __m512d d_low = _mm512_loadu_pd(decimal_divisor);
    const __m512d d_high = _mm512_loadu_pd(decimal_divisor + 8);
    const __m512d r_low = _mm512_loadu_pd(reciprocal), r_high = _mm512_loadu_pd(reciprocal + 8);
    const __m256i mantissa = _mm256_set1_epi32(0xffffff), sign = _mm256_set1_epi32(1 << 29);
    const __m256i far = _mm256_set1_epi32(1 << 28); /* places >= 16 */
    size_t k = 0;

    for (; k + 8 <= n; k += 8) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(v + k));
        const __m512i places = _mm512_cvtepu32_epi64(_mm256_srli_epi32(x, 24));
        const __m512d m = _mm512_cvtepi32_pd(_mm256_and_si256(x, mantissa));
        const __m512d d = _mm512_permutex2var_pd(d_low, places, d_high);
        const __m512d r = _mm512_permutex2var_pd(r_low, places, r_high);
        const __m512d q = _mm512_mul_pd(m, r);
        const __m512d right = _mm512_fmadd_pd(_mm512_fnmadd_pd(q, d, m), r, q);
        const __m512i bit29 = _mm512_cvtepu32_epi64(_mm256_and_si256(x, sign));
        const __m512i minus = _mm512_slli_epi64(bit29, 34);
        if (_mm256_test_epi32_mask(x, far) != 0) decimals_plain(v + k, 8, out + k);
        else _mm512_storeu_pd(out + k, _mm512_xor_pd(right, _mm512_castsi512_pd(minus)));
    }
    decimals_plain(v + k, n - k, out + k);
}
#endif

static void decimals(const uint32_t *v, size_t n, double *out)
{
#ifdef HAVE_DISPATCH
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        decimals_avx512(v, n, out);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        decimals_avx2(v, n, out);
        return;
    }
#endif
    decimals_plain(v, n, out);
}

/* ----- values to doubles ----------------------------------------------------- */

/* Entries from .. from+n-1 (n <= PIECE) as doubles: where they stand, or in buf. */
static const double *decode(const struct row *r, size_t from, size_t n, double *buf)
{
    const size_t size = value_size[r->values];

    if (r->values != VALUES_ONES && r->stride != (ptrdiff_t)size) {
        for (size_t k = 0; k < n; k++) buf[k] = row_value(r, from + k);
        return buf;
    }
    switch (r->values) {
    case VALUES_U8:
        for (size_t k = 0; k < n; k++) buf[k] = ((const uint8_t *)r->value)[from + k];
        break;
    case VALUES_DEC:
        decimals((const uint32_t *)r->value + from, n, buf);
        break;
    case VALUES_F32:
        for (size_t k = 0; k < n; k++) buf[k] = (double)((const float *)r->value)[from + k];
        break;
    case VALUES_F64:
        return (const double *)r->value + from;
    default:
        for (size_t k = 0; k < n; k++) buf[k] = 1;
        break;
    }
    return buf;
}

/* How many entries have a column below dims: all of them, as a rule. */
static size_t known(const struct row *r, uint64_t dims)
{
    size_t lo = 0, hi = r->n;

    if (dims == ALL_COLUMNS || hi == 0 || row_column(r, hi - 1) < dims) return hi;
    while (lo < hi) { /* columns increase: the first one not below dims */
        const size_t mid = lo + (hi - lo) / 2;
        if (row_column(r, mid) < dims) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

/* CALL(indices) for the kind at hand, as a constant. */
#define BY_INDEX(kind, CALL)                                                                       \
    switch (kind) {                                                                                \
    case INDEX_U16: CALL(INDEX_U16); break;                                                        \
    case INDEX_U32: CALL(INDEX_U32); break;                                                        \
    case INDEX_U64: CALL(INDEX_U64); break;                                                        \
    default: CALL(INDEX_DENSE); break;                                                             \
    }

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ----- dot: one row ------------------------------------------------------------ */

INLINE double chain(const struct row *r, int indices, size_t from, size_t n, const double *v,
                    const double *w, double s)
{
    for (size_t k = 0; k < n; k++) s += w[column_at(r->index, indices, r->first, from + k)] * v[k];
    return s;
}

double row_dot(const struct row *r, const double *w, uint64_t dims)
{
    const size_t n = known(r, dims);
    double buf[PIECE], s = 0;

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = decode(r, from, len, buf);
#define CALL(indices) s = chain(r, indices, from, len, v, w, s)
        BY_INDEX(r->indices, CALL)
#undef CALL
    }
    return s;
}

/* ----- dot: four rows side by side ------------------------------------------------ */

#define TERM(i, k) (w[column_at(r[i].index, indices, r[i].first, from + (k))] * v[i][k])

/* Four chains over the common length of the pieces, then each row's rest. */
INLINE void chains(const struct row *r, int indices, size_t from, const size_t *n,
                   const double *const *v, const double *w, double *s)
{
    const size_t m = least(least(n[0], n[1]), least(n[2], n[3]));
    double s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];

    for (size_t k = 0; k < m; k++) {
        s0 += TERM(0, k);
        s1 += TERM(1, k);
        s2 += TERM(2, k);
        s3 += TERM(3, k);
    }
    for (size_t k = m; k < n[0]; k++) s0 += TERM(0, k);
    for (size_t k = m; k < n[1]; k++) s1 += TERM(1, k);
    for (size_t k = m; k < n[2]; k++) s2 += TERM(2, k);
    for (size_t k = m; k < n[3]; k++) s3 += TERM(3, k);
    s[0] = s0;
    s[1] = s1;
    s[2] = s2;
    s[3] = s3;
}

static void dots4(const struct row *r, const double *w, uint64_t dims, double *s)
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
#define CALL(indices) chains(r, indices, from, len, v, w, s)
        BY_INDEX(r->indices, CALL)
#undef CALL
    }
}

void row_dots(const struct row *r, int k, const double *w, uint64_t dims, double *out)
{
    if (k == 4 && r[1].indices == r[0].indices && r[2].indices == r[0].indices &&
        r[3].indices == r[0].indices) {
        dots4(r, w, dims, out);
        return;
    }
    for (int i = 0; i < k; i++) out[i] = row_dot(&r[i], w, dims);
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

#ifdef HAVE_DISPATCH
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"), always_inline))

/* What eight_values needs for decimals: 1 / 10^0 .. 1 / 10^15; and in `any` it
 * gathers the bits of the places, because those above 15 are beyond this table. */
struct reciprocals {
    __m512d low, high;
    __m256i any;
};

/* Eight values from p on, of which those in `live` are read; approximate for
 * decimals: the product with the rounded reciprocal is off by at most 1.5 units in
 * the last place, which quick_bound() allows for. */
AVX512 static inline __m512d eight_values(const void *p, int values, size_t k, __mmask8 live,
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

AVX512 static inline __m512d eight_weights(const struct row *r, int indices, size_t k,
                                           __mmask8 live, const double *w)
{
    __m256i j;

    if (indices == INDEX_DENSE) return _mm512_maskz_loadu_pd(live, w + r->first + k);
    if (indices == INDEX_U16)
        j = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(live, (const uint16_t *)r->index + k));
    else
        j = _mm256_maskz_loadu_epi32(live, (const uint32_t *)r->index + k);
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), live, j, w, 8);
}

AVX512 static inline struct quick quick_avx512(const struct row *r, int values, int indices,
                                               bool norm, const double *w)
{
    struct reciprocals table = { _mm512_loadu_pd(reciprocal), _mm512_loadu_pd(reciprocal + 8),
                                 _mm256_setzero_si256() };
    __m512d s = _mm512_setzero_pd(), a = s, x2 = s;
    const size_t whole = r->n & ~(size_t)7;

#define EIGHT(k, live)                                                                             \
    do {                                                                                           \
        const __m512d v = eight_values(r->value, values, k, live, &table);                         \
        const __m512d t = _mm512_mul_pd(eight_weights(r, indices, k, live, w), v);                 \
        s = _mm512_add_pd(s, t);                                                                   \
        a = _mm512_add_pd(a, _mm512_abs_pd(t));                                                    \
        if (norm) x2 = _mm512_fmadd_pd(v, v, x2);                                                  \
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
           (r->values == VALUES_ONES || r->stride == (ptrdiff_t)value_size[r->values]) &&
           (r->indices == INDEX_DENSE || r->indices == INDEX_U16 ||
            (r->indices == INDEX_U32 && row_column(r, r->n - 1) <= INT32_MAX)) &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}

#define QUICK(values)                                                                              \
    return r->indices == INDEX_U16   ? quick_avx512(r, values, INDEX_U16, norm, w)                 \
           : r->indices == INDEX_U32 ? quick_avx512(r, values, INDEX_U32, norm, w)                 \
                                     : quick_avx512(r, values, INDEX_DENSE, norm, w)
#define QUICK_FOR(name, with_norm)                                                                 \
    __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))) static struct quick name(        \
        const struct row *r, const double *w)                                                      \
    {                                                                                              \
        const bool norm = with_norm;                                                               \
        switch (r->values) {                                                                       \
        case VALUES_U8: QUICK(VALUES_U8);                                                          \
        case VALUES_DEC: QUICK(VALUES_DEC);                                                        \
        case VALUES_F32: QUICK(VALUES_F32);                                                        \
        case VALUES_F64: QUICK(VALUES_F64);                                                        \
        default: QUICK(VALUES_ONES);                                                               \
        }                                                                                          \
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
#ifdef HAVE_DISPATCH
    if (quick_can(r)) return quick_wide(r, w);
#endif
    return quick_any(r, w);
}

struct quick row_measure(const struct row *r, const double *w)
{
#ifdef HAVE_DISPATCH
    if (quick_can(r)) return measure_wide(r, w);
#endif
    struct quick q = quick_any(r, w);
    q.norm2 = row_norm2(r);
    return q;
}

/* ----- the rest ---------------------------------------------------------------------- */

INLINE void axpy(double a, const struct row *r, int indices, size_t from, size_t n,
                 const double *v, double *w)
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

double row_norm2(const struct row *r)
{
    double buf[PIECE], s = 0;

    for (size_t from = 0; from < r->n; from += PIECE) {
        const size_t len = least(r->n - from, PIECE);
        const double *v = decode(r, from, len, buf);
        for (size_t k = 0; k < len; k++) s += v[k] * v[k];
    }
    return s;
}

void row_prefetch(const struct row *r)
{
    const size_t line = 64, wide = value_size[r->values];
    const size_t narrow = r->indices == INDEX_DENSE ? 0 : (size_t)1 << r->indices;
    const char *v = r->value, *index = r->index;

    if (r->stride != (ptrdiff_t)wide) return;
    for (size_t at = 0; at < r->n * wide; at += line) __builtin_prefetch(v + at);
    for (size_t at = 0; at < r->n * narrow; at += line) __builtin_prefetch(index + at);
}

double vec_norm2(const double *w, uint64_t n)
{
    double s = 0;

    for (uint64_t j = 0; j < n; j++) s += w[j] * w[j];
    return s;
}
