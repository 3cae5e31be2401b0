/* row_decode.h -- what the inner loops share: values of a row as doubles, its columns.
 *
 * For the files row*.c, panel.c and spread.c alone. Values are turned into doubles a
 * piece of a row at a time, by the loop for their encoding (`decode`; nothing is done
 * where they are doubles already); the kind of index is a constant in each loop that
 * does the arithmetic (`column_at`, BY_INDEX).
 *
 * Short decimals are decoded with SIMD, because a division a value would be the
 * bottleneck. The plain twin stands beside it, and all give the same bits: correctly
 * rounded quotients. */
#ifndef PERC_ROW_DECODE_H
#define PERC_ROW_DECODE_H

#include "vec/row.h"
#include "vec/targets.h"

enum { PIECE = ROW_PIECE }; /* values decoded at a time: four pieces fit the first-level cache */

INLINE uint64_t column_at(const void *index, int indices, uint64_t first, size_t k)
{
    switch (indices) {
    case INDEX_U16: return ((const uint16_t *)index)[k];
    case INDEX_U32: return ((const uint32_t *)index)[k];
    case INDEX_U64: return ((const uint64_t *)index)[k];
    default: return first + k;
    }
}

/* ----- short decimals to doubles ------------------------------------------- */

static void decimals_plain(const uint32_t *v, size_t n, double *out)
{
    for (size_t k = 0; k < n; k++) out[k] = decimal_unpack(v[k]);
}

#ifdef HAVE_TARGETS
/* 1 / 10^places, rounded: the literals are what the divisions would give. */
static const double reciprocal[16] = { 1e0,  1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,
                                       1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15 };

FOR_AVX2 static void decimals_avx2(const uint32_t *v, size_t n, double *out)
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
FOR_AVX512 static void decimals_avx512(const uint32_t *v, size_t n, double *out)
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

/* ----- values to doubles ----------------------------------------------------- */

/* Entries from .. from+n-1 (n <= PIECE) as doubles: where they are, or in buf. */
static const double *decode(const struct row *r, size_t from, size_t n, double *buf)
{
    if (r->values != VALUES_ONES && r->stride != (ptrdiff_t)row_value_size(r->values)) {
        for (size_t k = 0; k < n; k++) buf[k] = row_value(r, from + k);
        return buf;
    }
    switch (r->values) {
    case VALUES_U8:
        for (size_t k = 0; k < n; k++) buf[k] = ((const uint8_t *)r->value)[from + k];
        break;
    case VALUES_DEC: TARGETED(decimals)((const uint32_t *)r->value + from, n, buf); break;
    case VALUES_F32:
        for (size_t k = 0; k < n; k++) buf[k] = (double)((const float *)r->value)[from + k];
        break;
    case VALUES_F64: return (const double *)r->value + from;
    default:
        for (size_t k = 0; k < n; k++) buf[k] = 1;
        break;
    }
    return buf;
}

#ifdef HAVE_TARGETS
/* Bytes as doubles, eight at a time to the end: those that are missing are loaded as
 * zeros, and buf has room for them. */
FOR_AVX512 static void bytes_avx512(const uint8_t *v, size_t n, double *buf)
{
    for (size_t k = 0; k < n; k += 8) {
        const __mmask8 live = (__mmask8)(n - k < 8 ? (1u << (n - k)) - 1 : 0xff);
        const __m128i x = _mm_maskz_loadu_epi8(live, v + k);
        _mm512_storeu_pd(buf + k, _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(x)));
    }
}
#endif

/* As `decode`, where values are used by many vectors at once, and bytes are worth a loop of their
 * own; buf is of PIECE, a multiple of 8. */
static inline const double *decode_wide(const struct row *r, size_t from, size_t n, double *buf)
{
#ifdef HAVE_TARGETS
    if (r->values == VALUES_U8 && r->stride == 1 && have_avx512()) {
        bytes_avx512((const uint8_t *)r->value + from, n, buf);
        return buf;
    }
#endif
    return decode(r, from, n, buf);
}

/* How many entries have a column below dims: all of them, as a rule. */
static inline size_t known(const struct row *r, uint64_t dims)
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

/* Rows that store their columns often have no gaps either: those of a dense matrix. */
static inline bool gapless(const struct row *x, uint64_t *first)
{
    if (x->n == 0) return false;
    *first = column_at(x->index, x->indices, x->first, 0);
    return x->indices == INDEX_DENSE ||
           column_at(x->index, x->indices, 0, x->n - 1) - *first == x->n - 1;
}

/* CALL(indices) for the kind at hand, as a constant. */
#define BY_INDEX(kind, CALL)                \
    switch (kind) {                         \
    case INDEX_U16: CALL(INDEX_U16); break; \
    case INDEX_U32: CALL(INDEX_U32); break; \
    case INDEX_U64: CALL(INDEX_U64); break; \
    default: CALL(INDEX_DENSE); break;      \
    }

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
