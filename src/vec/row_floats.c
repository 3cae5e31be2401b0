/* row_floats.c -- a row as floats, without its zeros.
 *
 * Values go by way of doubles, whatever their encoding, so that all encodings of a number give
 * the same float. No branch tests for zero: an entry is always written, and the next one
 * overwrites it if it was 0. */
#include "vec/row_floats.h"

#include "vec/row_decode.h"

/* Entries from .. from+n-1, as doubles in v, to out .. ; returns the new out. */
INLINE size_t squeeze(const struct row *r, int indices, const double *v, size_t from, size_t n,
                      size_t out, uint32_t *column, float *value)
{
    for (size_t k = 0; k < n; k++) {
        const float x = (float)v[k];
        column[out] = (uint32_t)column_at(r->index, indices, r->first, from + k);
        value[out] = x;
        out += x != 0; /* NaN is kept */
    }
    return out;
}

static size_t squeeze_plain(const struct row *r, const double *v, size_t from, size_t n, size_t out,
                            uint32_t *column, float *value)
{
#define SQUEEZE(kind) out = squeeze(r, kind, v, from, n, out, column, value)
    BY_INDEX(r->indices, SQUEEZE)
#undef SQUEEZE
    return out;
}

#ifdef HAVE_TARGETS
enum { GROUP = 16 }; /* entries of a register, as many as ROW_FLOATS_ROOM */

/* Entries k .. k + 15 of those at v; of the last group, only those in `in`. */
FOR_AVX512 INLINE __m512 floats_avx512(const double *v, __mmask16 in)
{
    const __m256 low = _mm512_cvtpd_ps(_mm512_maskz_loadu_pd((__mmask8)in, v));
    const __m256 high = _mm512_cvtpd_ps(_mm512_maskz_loadu_pd((__mmask8)(in >> 8), v + 8));

    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

FOR_AVX512 INLINE __m512i columns_avx512(const struct row *r, int indices, size_t k, __mmask16 in)
{
    const __m512i count = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

    if (indices == INDEX_U16)
        return _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(in, (const uint16_t *)r->index + k));
    if (indices == INDEX_U32) return _mm512_maskz_loadu_epi32(in, (const uint32_t *)r->index + k);
    return _mm512_add_epi32(count, _mm512_set1_epi32((int)(uint32_t)(r->first + k)));
}

/* Sixteen entries at a time. */
FOR_AVX512 INLINE size_t groups_avx512(const struct row *r, int indices, const double *v,
                                       size_t from, size_t n, size_t out, uint32_t *column,
                                       float *value)
{
    for (size_t k = 0; k < n; k += GROUP) {
        const __mmask16 in = (__mmask16)(n - k < GROUP ? (1u << (n - k)) - 1 : 0xffffu);
        const __m512 x = floats_avx512(v + k, in); /* what is not in is 0 */
        const __m512i j = columns_avx512(r, indices, from + k, in);
        const __mmask16 keep = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_NEQ_UQ);
        /* Counted before the stores: gcc 12.2 would count 32 bits of the 16 that it
         * spilled around ThreadSanitizer's calls. */
        const int kept = __builtin_popcount(keep);
        _mm512_storeu_ps(value + out, _mm512_maskz_compress_ps(keep, x));
        _mm512_storeu_si512(column + out, _mm512_maskz_compress_epi32(keep, j));
        out += (size_t)kept;
    }
    return out;
}

FOR_AVX512 static size_t squeeze_avx512(const struct row *r, const double *v, size_t from, size_t n,
                                        size_t out, uint32_t *column, float *value)
{
    switch (r->indices) {
    case INDEX_U16: return groups_avx512(r, INDEX_U16, v, from, n, out, column, value);
    case INDEX_U32: return groups_avx512(r, INDEX_U32, v, from, n, out, column, value);
    case INDEX_U64: return squeeze_plain(r, v, from, n, out, column, value);
    default: return groups_avx512(r, INDEX_DENSE, v, from, n, out, column, value);
    }
}
#endif

typedef size_t squeeze_fn(const struct row *r, const double *v, size_t from, size_t n, size_t out,
                          uint32_t *column, float *value);

static squeeze_fn *best_squeeze(void)
{
#ifdef HAVE_TARGETS
    if (have_avx512()) return squeeze_avx512;
#endif
    return squeeze_plain;
}

size_t row_floats(const struct row *r, uint32_t *column, float *value)
{
    squeeze_fn *const best = best_squeeze();
    double buf[PIECE];
    size_t out = 0;

    for (size_t from = 0; from < r->n; from += PIECE) {
        const size_t n = least(r->n - from, PIECE);
        out = best(r, decode(r, from, n, buf), from, n, out, column, value);
    }
    return out;
}
