/* matrix.c -- products of matrices of floats.
 *
 * A step of a chain waits for the step before, and meanwhile a processor could do eight others.
 * So a tile of C, some rows by some registers, is kept in registers while the inner index runs:
 * a step loads a few registers of B and one number of A a row, and does all their products, which
 * belong to different chains. The inner index is cut into pieces, so that what a strip of C needs
 * of B stays in the first-level cache while the tiles of the strip are done; between pieces C
 * waits in memory, which changes no bits (a sum is a float there as in a register).
 *
 * Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34(3),
 * 2008, copy A and B into an order of their own first. Ours are small, and rows are whole
 * registers already: it is as fast without. But rows of B that are far apart get into each
 * other's way in the cache: those are copied, a strip at a time.
 *
 * Sparse rows use the rows of B as they come. If those are more than the first-level cache holds,
 * and the entries many, B is cut there, too: all rows of x do their entries of one piece of B
 * before any does those of the next. */
#include "vec/matrix.h"

#include <math.h>
#include <string.h>

#include "vec/targets.h"

enum {
    PIECE = 512 * MATRIX_LANES, /* numbers of B in a piece of the inner index: 32 KiB */
    NEAR = 640 * MATRIX_LANES,  /* numbers of B that sparse rows have near: 40 KiB */
    FAR = 256,                  /* numbers from row to row of B that make a copy worthwhile, */
    COPY_ROWS = 48,             /* if at least this many rows of A use it */
    MOST_WIDE = 4,              /* registers of a row of a tile, at most */
    MOST_HIGH = 14,             /* rows of a tile, at most */
    MOST_ROW = 14,              /* registers of a sparse row at a time, at most */
    TOGETHER = 256,             /* sparse rows that go through the pieces of B together */
    FEW = 6                     /* entries of a row in a piece that make pieces worthwhile */
};

/* A tile of C, and what it needs of A and B; as in matrix_add. */
struct tile_product {
    size_t k;
    const float *a;
    size_t ai, al;
    const float *b;
    size_t bs;
    float *c;
    size_t cs;
};

/* Entries of a sparse row; those from column `end` on are left for later. */
struct entries {
    size_t n;
    const uint32_t *column;
    const float *value;
    uint64_t end;
};

/* How a kind of processor does it. Columns are counted in groups of MATRIX_LANES. */
struct ways {
    size_t wide;                /* groups of a tile, at most */
    size_t high[MOST_WIDE + 1]; /* rows of a tile of that many groups, at most */
    size_t row_wide;            /* groups of a sparse row at a time, at most */
    void (*tile)(const struct tile_product *p, size_t high, size_t wide);
    size_t (*row)(const struct entries *x, const float *b, size_t bs, float *c, size_t wide);
};

/* ----- plain ---------------------------------------------------------------------------- */

static void tile_plain(const struct tile_product *p, size_t high, size_t wide)
{
    for (size_t i = 0; i < high; i++)
        for (size_t l = 0; l < p->k; l++) {
            const float x = p->a[i * p->ai + l * p->al], *y = p->b + l * p->bs;
            float *c = p->c + i * p->cs;
            for (size_t j = 0; j < wide * MATRIX_LANES; j++) c[j] = fmaf(x, y[j], c[j]);
        }
}

static size_t row_plain(const struct entries *x, const float *b, size_t bs, float *c, size_t wide)
{
    size_t e = 0;

    for (; e < x->n && x->column[e] < x->end; e++) {
        const float *y = b + x->column[e] * bs;
        for (size_t j = 0; j < wide * MATRIX_LANES; j++) c[j] = fmaf(x->value[e], y[j], c[j]);
    }
    return e;
}

/* ----- with registers ---------------------------------------------------------------------- */

#ifdef HAVE_TARGETS
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* Sixteen registers, two of them a group: twelve sums, two for B, one for A. */
#define TARGET    FOR_AVX2
#define WAY(name) name##_avx2
#define VEC       __m256
#define WIDTH     8
#define LOAD      _mm256_loadu_ps
#define STORE     _mm256_storeu_ps
#define FILL      _mm256_set1_ps
#define FMA       _mm256_fmadd_ps
#include "vec/matrix_lanes.h"

/* Thirty-two registers, each a group. */
#define TARGET    FOR_AVX512
#define WAY(name) name##_avx512
#define VEC       __m512
#define WIDTH     16
#define LOAD      _mm512_loadu_ps
#define STORE     _mm512_storeu_ps
#define FILL      _mm512_set1_ps
#define FMA       _mm512_fmadd_ps
#include "vec/matrix_lanes.h"

/* clang-format off */
#define CASE(high) case high: tile_avx2(p, high, 2); break;
FOR_AVX2 static void tiles_avx2(const struct tile_product *p, size_t high, size_t wide)
{
    (void)wide; /* 1 */
    switch (high) {
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6)
    default: break;
    }
}
#undef CASE

#define CASE(high, wide) case 16 * wide + high: tile_avx512(p, high, wide); break;
FOR_AVX512 static void tiles_avx512(const struct tile_product *p, size_t high, size_t wide)
{
    switch (16 * wide + high) {
    CASE(1, 1) CASE(2, 1) CASE(3, 1) CASE(4, 1) CASE(5, 1) CASE(6, 1) CASE(7, 1) CASE(8, 1)
    CASE(9, 1) CASE(10, 1) CASE(11, 1) CASE(12, 1) CASE(13, 1) CASE(14, 1)
    CASE(1, 2) CASE(2, 2) CASE(3, 2) CASE(4, 2) CASE(5, 2) CASE(6, 2) CASE(7, 2) CASE(8, 2)
    CASE(9, 2) CASE(10, 2) CASE(11, 2) CASE(12, 2)
    CASE(1, 3) CASE(2, 3) CASE(3, 3) CASE(4, 3) CASE(5, 3) CASE(6, 3) CASE(7, 3) CASE(8, 3)
    CASE(9, 3)
    CASE(1, 4) CASE(2, 4) CASE(3, 4) CASE(4, 4) CASE(5, 4) CASE(6, 4)
    default: break;
    }
}
#undef CASE

#define CASE(wide) case wide: return row_avx2(x, b, bs, c, 2 * wide);
FOR_AVX2 static size_t rows_avx2(const struct entries *x, const float *b, size_t bs, float *c,
                                    size_t wide)
{
    switch (wide) {
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
    default: return 0;
    }
}
#undef CASE

#define CASE(wide) case wide: return row_avx512(x, b, bs, c, wide);
FOR_AVX512 static size_t rows_avx512(const struct entries *x, const float *b, size_t bs,
                                        float *c, size_t wide)
{
    switch (wide) {
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
    default: return 0;
    }
}
#undef CASE
/* clang-format on */
#endif

static struct ways ways_here(void)
{
#ifdef HAVE_TARGETS
    if (have_avx512()) return (struct ways){ 4, { 0, 14, 12, 9, 6 }, 8, tiles_avx512, rows_avx512 };
    if (have_avx2()) return (struct ways){ 1, { 0, 6 }, 7, tiles_avx2, rows_avx2 };
#endif
    return (struct ways){ 1, { 0, SIZE_MAX }, SIZE_MAX, tile_plain, row_plain };
}

/* ----- products ------------------------------------------------------------------------ */

/* The size of the next part, when `left` is cut into as few parts of at most `most` as possible,
 * all nearly equal: none is then so small that its chains leave the processor waiting. */
static size_t even_part(size_t left, size_t most)
{
    const size_t parts = (left - 1) / most + 1;

    return (left - 1) / parts + 1;
}

/* A strip of C: m rows, `wide` groups. */
static void strip(const struct ways *ways, struct tile_product p, size_t m, size_t wide)
{
    for (size_t high; m > 0; m -= high) {
        high = even_part(m, ways->high[wide]);
        ways->tile(&p, high, wide);
        p.a += high * p.ai;
        p.c += high * p.cs;
    }
}

/* The same, with the part of B that it needs copied side by side. */
static void strip_copied(const struct ways *ways, struct tile_product p, size_t m, size_t wide)
{
    float copy[PIECE] __attribute__((aligned(64)));
    const size_t n = wide * MATRIX_LANES;

    for (size_t l = 0; l < p.k; l++) memcpy(copy + l * n, p.b + l * p.bs, n * sizeof *copy);
    p.b = copy;
    p.bs = n;
    strip(ways, p, m, wide);
}

void matrix_add(size_t m, size_t n, size_t k, const float *a, size_t ai, size_t al, const float *b,
                size_t bs, float *c, size_t cs)
{
    const struct ways ways = ways_here();
    const size_t groups = n / MATRIX_LANES;

    if (groups == 0) return;
    const size_t most = PIECE / (even_part(groups, ways.wide) * MATRIX_LANES);
    for (size_t deep; k > 0; k -= deep) {
        deep = even_part(k, most);
        struct tile_product p = { deep, a, ai, al, b, bs, c, cs };
        for (size_t left = groups, wide; left > 0; left -= wide) {
            wide = even_part(left, ways.wide);
            if (bs >= FAR && m >= COPY_ROWS) strip_copied(&ways, p, m, wide);
            else strip(&ways, p, m, wide);
            p.b += wide * MATRIX_LANES;
            p.c += wide * MATRIX_LANES;
        }
        a += deep * al;
        b += deep * bs;
    }
}

/* ----- sparse rows ------------------------------------------------------------------------ */

/* One row of C += the entries of x before its end; returns how many. */
static size_t add_sparse_row(const struct ways *ways, const struct entries *x, size_t groups,
                             const float *b, size_t bs, float *c)
{
    size_t done = 0;

    for (size_t wide; groups > 0; groups -= wide) {
        wide = even_part(groups, ways->row_wide);
        done = ways->row(x, b, bs, c, wide);
        b += wide * MATRIX_LANES;
        c += wide * MATRIX_LANES;
    }
    return done;
}

/* The number of columns of rows from .. to - 1, and how many to do at a time. */
static uint64_t columns_of(const struct sparse *x, size_t from, size_t to, size_t bs,
                           uint64_t *width)
{
    const uint64_t entries = x->start[to] - x->start[from], near = NEAR / bs;
    uint64_t columns = 0;

    for (size_t i = from; i < to; i++) {
        const uint32_t end = x->start[i + 1];
        if (end > x->start[i] && x->column[end - 1] >= columns)
            columns = (uint64_t)x->column[end - 1] + 1;
    }
    *width = columns;
    /* A row by itself uses nothing twice. */
    if (near == 0 || columns <= near || to - from < 8) return columns;
    if (entries / (to - from) / (columns / near + 1) >= FEW) *width = near;
    return columns;
}

/* At most TOGETHER rows. */
static void add_together(const struct ways *ways, const struct sparse *x, size_t from, size_t to,
                         size_t groups, const float *b, size_t bs, float *c, size_t cs)
{
    uint32_t next[TOGETHER];
    uint64_t width;
    const uint64_t columns = columns_of(x, from, to, bs, &width);

    for (size_t i = from; i < to; i++) next[i - from] = x->start[i];
    for (uint64_t done = 0; done < columns; done += width)
        for (size_t i = from; i < to; i++) {
            const size_t at = next[i - from], left = x->start[i + 1] - at;
            const struct entries row = { left, x->column + at, x->value + at, done + width };
            if (left == 0) continue;
            next[i - from] += (uint32_t)add_sparse_row(ways, &row, groups, b, bs,
                                                       c + (i - from) * cs);
        }
}

void matrix_add_sparse(const struct sparse *x, size_t from, size_t to, size_t n, const float *b,
                       size_t bs, float *c, size_t cs)
{
    const struct ways ways = ways_here();
    const size_t groups = n / MATRIX_LANES;

    if (groups == 0) return;
    for (size_t high; from < to; from += high, c += high * cs) {
        high = even_part(to - from, TOGETHER);
        add_together(&ways, x, from, from + high, groups, b, bs, c, cs);
    }
}

/* ----- the other way round ------------------------------------------------------------------ */

static void turn_plain(size_t rows, size_t columns, const float *from, size_t fs, float *to,
                       size_t ts)
{
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++) to[j * ts + i] = from[i * fs + j];
}

/* Four rows by four columns, in the registers that every x86-64 has. */
static void turn_four(const float *from, size_t fs, float *to, size_t ts)
{
#ifdef HAVE_TARGETS
    __m128 x0 = _mm_loadu_ps(from), x1 = _mm_loadu_ps(from + fs);
    __m128 x2 = _mm_loadu_ps(from + 2 * fs), x3 = _mm_loadu_ps(from + 3 * fs);

    _MM_TRANSPOSE4_PS(x0, x1, x2, x3);
    _mm_storeu_ps(to, x0);
    _mm_storeu_ps(to + ts, x1);
    _mm_storeu_ps(to + 2 * ts, x2);
    _mm_storeu_ps(to + 3 * ts, x3);
#else
    turn_plain(4, 4, from, fs, to, ts);
#endif
}

void matrix_transpose(size_t rows, size_t columns, const float *from, size_t fs, float *to,
                      size_t ts)
{
    const size_t r = rows / 4 * 4, k = columns / 4 * 4;

    for (size_t j = 0; j < k; j += 4) {
        for (size_t i = 0; i < r; i += 4) turn_four(from + i * fs + j, fs, to + j * ts + i, ts);
        turn_plain(rows - r, 4, from + r * fs + j, fs, to + j * ts + r, ts);
    }
    turn_plain(rows, columns - k, from + k, fs, to + k * ts, ts);
    for (size_t j = 0; j < columns; j++)
        for (size_t i = rows; i < ts; i++) to[j * ts + i] = 0;
}
