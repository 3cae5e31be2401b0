/* scan.h -- looking at 32 characters at once, and turning digits into numbers
 * eight at a time. Plain C twins stand beside the SSE2 ones. */
#ifndef PERC_SCAN_H
#define PERC_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bit i of each mask speaks of character p[i], i = 0 .. 31. All 32 must be
 * readable. */
struct scan32 {
    uint32_t other; /* not a digit */
    uint32_t blank; /* ' ' or below: blanks, line ends, control characters */
};

static inline struct scan32 scan32_plain(const char *p)
{
    struct scan32 m = { 0, 0 };

    for (int i = 0; i < 32; i++) {
        const unsigned char c = (unsigned char)p[i];
        m.other |= (uint32_t)(c < '0' || c > '9') << i;
        m.blank |= (uint32_t)(c <= ' ') << i;
    }
    return m;
}

#ifdef __SSE2__
static inline struct scan32 scan32(const char *p)
{
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 16));
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9), blank = _mm_set1_epi8(' ');
    const __m128i da = _mm_sub_epi8(a, zero), db = _mm_sub_epi8(b, zero);
    /* unsigned x <= y  is  min(x, y) == x */
    const __m128i digit_a = _mm_cmpeq_epi8(_mm_min_epu8(da, nine), da);
    const __m128i digit_b = _mm_cmpeq_epi8(_mm_min_epu8(db, nine), db);
    const __m128i blank_a = _mm_cmpeq_epi8(_mm_min_epu8(a, blank), a);
    const __m128i blank_b = _mm_cmpeq_epi8(_mm_min_epu8(b, blank), b);
    const uint32_t digits = (uint32_t)_mm_movemask_epi8(digit_a) |
                            (uint32_t)_mm_movemask_epi8(digit_b) << 16;

    return (struct scan32){ ~digits, (uint32_t)_mm_movemask_epi8(blank_a) |
                                         (uint32_t)_mm_movemask_epi8(blank_b) << 16 };
}
#else
static inline struct scan32 scan32(const char *p)
{
    return scan32_plain(p);
}
#endif

/* How many of the 16 characters at p stand before the first that ends a plain cell, or may not be
 * in one: `delimiter`, a quote, a control character (a line end, a tab, NUL). 16: there is none. */
static inline unsigned scan_cell_plain(const char *p, char delimiter)
{
    unsigned n = 0;

    while (n < 16 && p[n] != delimiter && p[n] != '"' && (unsigned char)p[n] >= ' ') n++;
    return n;
}

#ifdef __SSE2__
static inline unsigned scan_cell(const char *p, char delimiter)
{
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(a, _mm_set1_epi8(' ' - 1)), a);
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(a, _mm_set1_epi8(delimiter)),
                                      _mm_cmpeq_epi8(a, _mm_set1_epi8('"')));

    return (unsigned)__builtin_ctz((unsigned)_mm_movemask_epi8(_mm_or_si128(ends, control)) |
                                   1u << 16);
}
#else
static inline unsigned scan_cell(const char *p, char delimiter)
{
    return scan_cell_plain(p, delimiter);
}
#endif

/* Where the n-th c, n > 0, stands between p and end; `end` if there are fewer, and *missing says
 * how many. 15 characters behind `end` must be readable. */
static inline const char *scan_nth_plain(const char *p, const char *end, char c, size_t n,
                                         size_t *missing)
{
    for (; p < end; p++)
        if (*p == c && --n == 0) break;
    *missing = n;
    return p;
}

#ifdef __SSE2__
static inline const char *scan_nth(const char *p, const char *end, char c, size_t n,
                                   size_t *missing)
{
    const __m128i wanted = _mm_set1_epi8(c);

    for (; p < end; p += 16) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned here = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, wanted));
        if (end - p < 16) here &= (1u << (end - p)) - 1;
        const size_t count = (size_t)__builtin_popcount(here);
        if (count < n) {
            n -= count;
            continue;
        }
        for (; n > 1; n--) here &= here - 1;
        *missing = 0;
        return p + __builtin_ctz(here);
    }
    *missing = n;
    return end;
}
#else
static inline const char *scan_nth(const char *p, const char *end, char c, size_t n,
                                   size_t *missing)
{
    return scan_nth_plain(p, end, c, n, missing);
}
#endif

/* The first n characters at p, n = 0 .. 16, with zeros behind them, as two numbers that are
 * compared and nothing else. 16 characters must be readable. */
static inline void scan_word(const char *p, unsigned n, uint64_t word[2])
{
    static const unsigned char keep[32] = { 255, 255, 255, 255, 255, 255, 255, 255,
                                            255, 255, 255, 255, 255, 255, 255, 255 };
    uint64_t mask[2];

    memcpy(word, p, 16);
    memcpy(mask, keep + 16 - n, 16);
    word[0] &= mask[0];
    word[1] &= mask[1];
}

/* The number that the n digits at p spell, n = 1 .. 8; 8 characters must be
 * readable, and the n are known to be digits. (Little-endian: the first digit is
 * the lowest byte. The shift moves n digits to the top and zeros in below, as if
 * the number had leading zeros; then pairs, fours and eights are summed.) */
static inline uint32_t scan_digits(const char *p, unsigned n)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;

    memcpy(&x, p, sizeof x);
    x = (x & 0x0f0f0f0f0f0f0f0fu) << (64 - 8 * n);
    x = x * (1 + (10u << 8)) >> 8;
    x = (x & 0x00ff00ff00ff00ffu) * (1 + (100u << 16)) >> 16;
    x = (x & 0x0000ffff0000ffffu) * (1 + ((uint64_t)10000 << 32)) >> 32;
    return (uint32_t)x;
#else
    uint32_t x = 0;

    for (unsigned i = 0; i < n; i++) x = 10 * x + (uint32_t)(p[i] - '0');
    return x;
#endif
}

/* Two such numbers at once. */
static inline void scan_two(const char *p, unsigned n, const char *q, unsigned m, uint32_t *a,
                            uint32_t *b)
{
    *a = scan_digits(p, n);
    *b = scan_digits(q, m);
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("avx2"))) static inline struct scan32 scan32_avx2(const char *p)
{
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i digit = _mm256_sub_epi8(a, _mm256_set1_epi8('0'));
    const __m256i is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(digit, _mm256_set1_epi8(9)), digit);
    const __m256i is_blank = _mm256_cmpeq_epi8(_mm256_min_epu8(a, _mm256_set1_epi8(' ')), a);

    return (struct scan32){ ~(uint32_t)_mm256_movemask_epi8(is_digit),
                            (uint32_t)_mm256_movemask_epi8(is_blank) };
}

/* The same sums as in scan_digits, for both numbers side by side in one register. */
__attribute__((target("avx2"))) static inline void scan_two_avx2(const char *p, unsigned n,
                                                                 const char *q, unsigned m,
                                                                 uint32_t *a, uint32_t *b)
{
    uint64_t x, y, both;

    memcpy(&x, p, sizeof x);
    memcpy(&y, q, sizeof y);
    const __m128i digits = _mm_and_si128(
        _mm_set_epi64x((int64_t)(y << (64 - 8 * m)), (int64_t)(x << (64 - 8 * n))),
        _mm_set1_epi8(15));
    const __m128i tens = _mm_maddubs_epi16(digits, _mm_set1_epi16(10 | 1 << 8));
    const __m128i hundreds = _mm_madd_epi16(tens, _mm_set1_epi32(100 | 1 << 16));
    const __m128i fours = _mm_packus_epi32(hundreds, hundreds);
    const __m128i eights = _mm_madd_epi16(fours, _mm_set1_epi32(10000 | 1 << 16));
    both = (uint64_t)_mm_cvtsi128_si64(eights);
    *a = (uint32_t)both;
    *b = (uint32_t)(both >> 32);
}
#endif

#endif
