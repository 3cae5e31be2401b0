/* row_many.c -- the inner loops over rows, for weight vectors side by side.
 *
 * The canonical dot of one vector is a chain of additions, each waiting for the one
 * before (row_dot.c). The chains of different vectors have nothing to do with each
 * other, and row_many.h puts the weights they need next to each other: so SIMD runs
 * across the vectors, every lane in the order of the columns and rounded as if it
 * were alone. Ten vectors take little longer than one.
 *
 * The sums have to stay in registers for that. A walk over a piece of a row
 * therefore takes WALK_GROUPS groups of VEC_LANES vectors at most, their number a
 * constant in the loop; where there are more, the piece, decoded once, is walked
 * several times. The loops for AVX2 and AVX-512 stand beside their plain twin; no
 * multiplication is fused with an addition in any, and all give the same bits. */
#include "vec/row_many.h"

#include "vec/row_decode.h"

/* ----- scores: a walk ----------------------------------------------------- */

enum { WALK_GROUPS = 8 }; /* 32 lanes: 8 of 16 registers with AVX2, 4 of 32 with AVX-512 */

/* A piece of a row, and the lanes of a walk: w and out start at the first of them. */
struct score_walk {
    const struct row *row;
    size_t from, n;
    const double *v; /* NULL: ones, and the products are the weights */
    const double *w;
    size_t stride;
    double *out;
};

INLINE const double *weights_at(const struct score_walk *p, int indices, size_t k)
{
    return p->w + column_at(p->row->index, indices, p->row->first, p->from + k) * p->stride;
}

/* CALL(indices) or, where there are no values, CALL_ONES(indices), for the walk at hand. */
#define BY_KIND(p, CALL)                                             \
    do {                                                             \
        if ((p)->v == NULL) BY_INDEX((p)->row->indices, CALL##_ONES) \
        else BY_INDEX((p)->row->indices, CALL)                       \
    } while (0)

/* ----- scores: plain ------------------------------------------------------ */

INLINE void group_plain(const struct score_walk *p, int indices, bool ones, size_t c)
{
    double *out = p->out + c;
    double s0 = out[0], s1 = out[1], s2 = out[2], s3 = out[3];

    for (size_t k = 0; k < p->n; k++) {
        const double *w = weights_at(p, indices, k) + c;
        const double x = ones ? 1 : p->v[k];
        s0 += w[0] * x;
        s1 += w[1] * x;
        s2 += w[2] * x;
        s3 += w[3] * x;
    }
    out[0] = s0;
    out[1] = s1;
    out[2] = s2;
    out[3] = s3;
}

static void walk_plain(const struct score_walk *p, size_t groups)
{
    for (size_t c = 0; c < groups * VEC_LANES; c += VEC_LANES) {
#define CALL(indices)      group_plain(p, indices, false, c)
#define CALL_ONES(indices) group_plain(p, indices, true, c)
        BY_KIND(p, CALL);
#undef CALL
#undef CALL_ONES
    }
}

/* ----- scores: AVX2 and AVX-512 ------------------------------------------- */

#ifdef HAVE_TARGETS
#define EACH_GROUP(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

FOR_AVX2 INLINE void groups_avx2(const struct score_walk *p, int indices, bool ones, int groups)
{
    __m256d s[WALK_GROUPS];

#define LOAD(g) \
    if ((g) < groups) s[g] = _mm256_loadu_pd(p->out + (g)*VEC_LANES);
    EACH_GROUP(LOAD)
#undef LOAD
    for (size_t k = 0; k < p->n; k++) {
        const double *w = weights_at(p, indices, k);
        const __m256d x = ones ? _mm256_setzero_pd() : _mm256_set1_pd(p->v[k]);
#define ADD(g)                                                      \
    if ((g) < groups) {                                             \
        const __m256d t = _mm256_loadu_pd(w + (g)*VEC_LANES);       \
        s[g] = _mm256_add_pd(s[g], ones ? t : _mm256_mul_pd(t, x)); \
    }
        EACH_GROUP(ADD)
#undef ADD
    }
#define STORE(g) \
    if ((g) < groups) _mm256_storeu_pd(p->out + (g)*VEC_LANES, s[g]);
    EACH_GROUP(STORE)
#undef STORE
}

/* Two groups to a register; an odd one takes half of one. */
FOR_AVX512 INLINE void groups_avx512(const struct score_walk *p, int indices, bool ones, int groups)
{
    const int last = groups - 1;
    __m512d s[WALK_GROUPS / 2];
    __m256d odd = _mm256_loadu_pd(p->out + last * VEC_LANES);

#define EACH_PAIR(DO) DO(0) DO(1) DO(2) DO(3)
#define LOAD(g) \
    if (2 * (g) + 1 < groups) s[g] = _mm512_loadu_pd(p->out + (g)*2 * VEC_LANES);
    EACH_PAIR(LOAD)
#undef LOAD
    for (size_t k = 0; k < p->n; k++) {
        const double *w = weights_at(p, indices, k);
        const __m512d x = ones ? _mm512_setzero_pd() : _mm512_set1_pd(p->v[k]);
#define ADD(g)                                                      \
    if (2 * (g) + 1 < groups) {                                     \
        const __m512d t = _mm512_loadu_pd(w + (g)*2 * VEC_LANES);   \
        s[g] = _mm512_add_pd(s[g], ones ? t : _mm512_mul_pd(t, x)); \
    }
        EACH_PAIR(ADD)
#undef ADD
        if (groups % 2 == 1) {
            const __m256d t = _mm256_loadu_pd(w + last * VEC_LANES);
            odd = _mm256_add_pd(odd, ones ? t : _mm256_mul_pd(t, _mm512_castpd512_pd256(x)));
        }
    }
#define STORE(g) \
    if (2 * (g) + 1 < groups) _mm512_storeu_pd(p->out + (g)*2 * VEC_LANES, s[g]);
    EACH_PAIR(STORE)
#undef STORE
    if (groups % 2 == 1) _mm256_storeu_pd(p->out + last * VEC_LANES, odd);
}

/* The walk with the number of groups as a constant and, inside that, the kinds. */
#define WALK(name, target, walk_groups)                                  \
    target INLINE void name##_of(const struct score_walk *p, int groups) \
    {                                                                    \
        BY_KIND(p, walk_groups##_CALL);                                  \
    }                                                                    \
    target static void name(const struct score_walk *p, size_t groups)   \
    {                                                                    \
        switch (groups) {                                                \
        case 1: name##_of(p, 1); break;                                  \
        case 2: name##_of(p, 2); break;                                  \
        case 3: name##_of(p, 3); break;                                  \
        case 4: name##_of(p, 4); break;                                  \
        case 5: name##_of(p, 5); break;                                  \
        case 6: name##_of(p, 6); break;                                  \
        case 7: name##_of(p, 7); break;                                  \
        default: name##_of(p, 8); break;                                 \
        }                                                                \
    }
#define groups_avx2_CALL(indices)      groups_avx2(p, indices, false, groups)
#define groups_avx2_CALL_ONES(indices) groups_avx2(p, indices, true, groups)
WALK(walk_avx2, FOR_AVX2, groups_avx2)
#define groups_avx512_CALL(indices)      groups_avx512(p, indices, false, groups)
#define groups_avx512_CALL_ONES(indices) groups_avx512(p, indices, true, groups)
WALK(walk_avx512, FOR_AVX512, groups_avx512)
#endif

void row_scores(const struct row *r, const double *w, uint64_t dims, size_t stride, double *out)
{
    const size_t all = stride / VEC_LANES, walks = (all + WALK_GROUPS - 1) / WALK_GROUPS;
    void (*const walk)(const struct score_walk *, size_t) = TARGETED(walk);
    double buf[PIECE];

    if (stride == 1) {
        out[0] = row_dot(r, w, dims);
        return;
    }
    const size_t n = known(r, dims);
    for (size_t c = 0; c < stride; c++) out[c] = 0;
    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = r->values == VALUES_ONES ? NULL : decode_wide(r, from, len, buf);
        for (size_t i = 0; i < walks; i++) { /* of about the same width each */
            const size_t g = all * i / walks, c = g * VEC_LANES;
            walk(&(struct score_walk){ r, from, len, v, w + c, stride, out + c },
                 all * (i + 1) / walks - g);
        }
    }
}

/* ----- updates ------------------------------------------------------------ */

INLINE void axpy_in(double a, const struct row *r, int indices, size_t from, size_t n,
                    const double *restrict v, double *restrict w, size_t stride)
{
    for (size_t k = 0; k < n; k++)
        w[column_at(r->index, indices, r->first, from + k) * stride] += a * v[k];
}

void row_axpy_in(double a, const struct row *r, double *w, uint64_t dims, size_t stride)
{
    const size_t n = known(r, dims);
    double buf[PIECE];

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = decode_wide(r, from, len, buf);
#define CALL(indices) axpy_in(a, r, indices, from, len, v, w, stride)
        BY_INDEX(r->indices, CALL)
#undef CALL
    }
}

/* Both are loaded before either is stored: a load that follows a store at the same
 * offset in another page is taken to depend on it, and arrays of one size tend to
 * lie just so. */
INLINE void axpy_two(double a, double b, const struct row *r, int indices, size_t from, size_t n,
                     const double *restrict v, double *restrict w, double *restrict u,
                     size_t stride)
{
    for (size_t k = 0; k < n; k++) {
        const size_t at = column_at(r->index, indices, r->first, from + k) * stride;
        const double w_j = w[at], u_j = u[at];
        w[at] = w_j + a * v[k];
        u[at] = u_j + b * v[k];
    }
}

void row_axpy_two(double a, double b, const struct row *r, double *w, double *u, uint64_t dims,
                  size_t stride)
{
    const size_t n = known(r, dims);
    double buf[PIECE];

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = decode_wide(r, from, len, buf);
#define CALL(indices)   axpy_two(a, b, r, indices, from, len, v, w, u, stride)
#define CALL_1(indices) axpy_two(a, b, r, indices, from, len, v, w, u, 1)
        if (stride == 1) BY_INDEX(r->indices, CALL_1)
        else BY_INDEX(r->indices, CALL)
#undef CALL
#undef CALL_1
    }
}

/* To demote by (-a) x is to subtract a x: rounding is symmetric. */
INLINE void axpy_pair(double a, double b, const struct row *r, int indices, size_t from, size_t n,
                      const double *restrict v, double *restrict w, double *restrict u, bool both,
                      size_t stride, size_t p, size_t q)
{
    for (size_t k = 0; k < n; k++) {
        const size_t at = column_at(r->index, indices, r->first, from + k) * stride;
        const double t = a * v[k], w_p = w[at + p], w_q = w[at + q];
        const double s = b * v[k], u_p = both ? u[at + p] : 0, u_q = both ? u[at + q] : 0;
        w[at + p] = w_p + t;
        w[at + q] = w_q - t;
        if (both) u[at + p] = u_p + s;
        if (both) u[at + q] = u_q - s;
    }
}

void row_axpy_pair(double a, double b, const struct row *r, double *w, double *u, uint64_t dims,
                   size_t stride, size_t p, size_t q)
{
    const size_t n = known(r, dims);
    double buf[PIECE];

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = decode_wide(r, from, len, buf);
#define CALL(indices)   axpy_pair(a, b, r, indices, from, len, v, w, u, true, stride, p, q)
#define CALL_W(indices) axpy_pair(a, b, r, indices, from, len, v, w, u, false, stride, p, q)
        if (u != NULL) BY_INDEX(r->indices, CALL)
        else BY_INDEX(r->indices, CALL_W)
#undef CALL
#undef CALL_W
    }
}

/* ----- updates of all vectors ----------------------------------------------- */

/* A piece of a row, for the weights w or their sums alike: w_jc += a_c x_j. */
struct axpy_walk {
    const struct row *row;
    size_t from, n;
    const double *v; /* NULL: ones */
    const double *a; /* stride */
    double *w;
    size_t stride;
};

INLINE double *lifted_at(const struct axpy_walk *p, int indices, size_t k)
{
    return p->w + column_at(p->row->index, indices, p->row->first, p->from + k) * p->stride;
}

INLINE void lift_any(const struct axpy_walk *p, int indices, bool ones)
{
    for (size_t k = 0; k < p->n; k++) {
        double *restrict w = lifted_at(p, indices, k);
        const double x = ones ? 1 : p->v[k];
        for (size_t c = 0; c < p->stride; c++) w[c] += p->a[c] * x;
    }
}

static void lift_plain(const struct axpy_walk *p)
{
#define CALL(indices)      lift_any(p, indices, false)
#define CALL_ONES(indices) lift_any(p, indices, true)
    BY_KIND(p, CALL);
#undef CALL
#undef CALL_ONES
}

#ifdef HAVE_TARGETS
FOR_AVX2 INLINE void lift_four(double *w, const double *a, const __m256d *x, bool ones)
{
    const __m256d s = _mm256_loadu_pd(a);

    _mm256_storeu_pd(w, _mm256_add_pd(_mm256_loadu_pd(w), ones ? s : _mm256_mul_pd(s, *x)));
}

FOR_AVX2 INLINE void lift_any_avx2(const struct axpy_walk *p, int indices, bool ones)
{
    for (size_t k = 0; k < p->n; k++) {
        double *w = lifted_at(p, indices, k);
        const __m256d x = ones ? _mm256_setzero_pd() : _mm256_set1_pd(p->v[k]);
        for (size_t c = 0; c < p->stride; c += VEC_LANES) lift_four(w + c, p->a + c, &x, ones);
    }
}

FOR_AVX512 INLINE void lift_any_avx512(const struct axpy_walk *p, int indices, bool ones)
{
    const size_t pairs = p->stride / (2 * VEC_LANES) * (2 * VEC_LANES);

    for (size_t k = 0; k < p->n; k++) {
        double *w = lifted_at(p, indices, k);
        const __m512d x = ones ? _mm512_setzero_pd() : _mm512_set1_pd(p->v[k]);
        const __m256d low = _mm512_castpd512_pd256(x);
        for (size_t c = 0; c < pairs; c += 2 * VEC_LANES) {
            const __m512d a = _mm512_loadu_pd(p->a + c), t = ones ? a : _mm512_mul_pd(a, x);
            _mm512_storeu_pd(w + c, _mm512_add_pd(_mm512_loadu_pd(w + c), t));
        }
        if (pairs < p->stride) lift_four(w + pairs, p->a + pairs, &low, ones);
    }
}

FOR_AVX2 static void lift_avx2(const struct axpy_walk *p)
{
#define CALL(indices)      lift_any_avx2(p, indices, false)
#define CALL_ONES(indices) lift_any_avx2(p, indices, true)
    BY_KIND(p, CALL);
#undef CALL
#undef CALL_ONES
}

FOR_AVX512 static void lift_avx512(const struct axpy_walk *p)
{
#define CALL(indices)      lift_any_avx512(p, indices, false)
#define CALL_ONES(indices) lift_any_avx512(p, indices, true)
    BY_KIND(p, CALL);
#undef CALL
#undef CALL_ONES
}
#endif

void row_axpy_all(const double *a, const double *b, const struct row *r, double *w, double *u,
                  uint64_t dims, size_t stride)
{
    const size_t n = known(r, dims);
    void (*const lift)(const struct axpy_walk *) = TARGETED(lift);
    double buf[PIECE];

    for (size_t from = 0; from < n; from += PIECE) {
        const size_t len = least(n - from, PIECE);
        const double *v = r->values == VALUES_ONES ? NULL : decode_wide(r, from, len, buf);
        lift(&(struct axpy_walk){ r, from, len, v, a, w, stride });
        if (u != NULL) lift(&(struct axpy_walk){ r, from, len, v, b, u, stride });
    }
}
