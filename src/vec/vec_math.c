/* vec_math.c -- functions of many numbers at once.
 *
 * LANES numbers side by side (lanes.h) go through the operations of fmath.c, each lane
 * rounded as if it were alone. Where fmath.c branches, all branches are taken here and the
 * right result is picked: a lane that has no business in a branch computes something of
 * no meaning there, which nobody looks at. vec_math_lanes.h is compiled for several kinds
 * of processor, all of which give the same bits: no product is fused with a sum. */
#include "vec/vec_math.h"

#include <math.h>
#include <string.h>

#include "vec/fmath.h"
#include "vec/fmath_table.h"
#include "vec/lanes.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc knows only -ffp-contract=off, its default in ISO mode */
#endif

/* 1.5 * 2^52: added to |t| < 2^51, it leaves t rounded to a whole number in the last bits
 * of the sum. */
static const double SHIFTER = 0x1.8p52;

typedef uint64_t lanes_bits __attribute__((vector_size(8 * LANES), may_alias));

/* Groups of lanes that go through a series together: each of its steps waits for the one
 * before, and the processor looks only so far ahead for something else to do. */
enum { GROUPS = 4 };

struct reduced {
    lanes k, high, low;
};

enum function { EXP, TANH, AFFINE, POWER };

struct many {
    double a, b;
    int degree;
};

#define INLINE static inline __attribute__((always_inline))

#define TARGET
#define WAY(name) name##_plain
#include "vec/vec_math_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_DISPATCH 1
#define TARGET        __attribute__((target("avx2")))
#define WAY(name)     name##_avx2
#include "vec/vec_math_lanes.h"
#define TARGET    __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
#define WAY(name) name##_avx512
#include "vec/vec_math_lanes.h"
#endif

static void many(enum function f, const struct many *m, double *x, size_t n)
{
#ifdef HAVE_DISPATCH
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        many_avx512(f, m, x, n);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        many_avx2(f, m, x, n);
        return;
    }
#endif
    many_plain(f, m, x, n);
}

void fm_exp_many(double *x, size_t n)
{
    many(EXP, NULL, x, n);
}

void fm_tanh_many(double *x, size_t n)
{
    many(TANH, NULL, x, n);
}

void vec_affine(double a, double b, double *x, size_t n)
{
    many(AFFINE, &(struct many){ .a = a, .b = b }, x, n);
}

void vec_power(int degree, double *x, size_t n)
{
    many(POWER, &(struct many){ .degree = degree }, x, n);
}

uint32_t vec_distance2(double a, const double *b, double *x)
{
#ifdef HAVE_DISPATCH
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return distance2_avx512(a, b, x);
    if (__builtin_cpu_supports("avx2")) return distance2_avx2(a, b, x);
#endif
    return distance2_plain(a, b, x);
}
