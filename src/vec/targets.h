/* targets.h -- one source, compiled for several kinds of processor.
 *
 * What is shipped runs on every processor, and uses AVX2 or AVX-512 where it can. There are two
 * ways to get a function for each of them:
 *
 *   TARGETS(name, (parameters), (arguments))
 *       defines `name`, which calls the inline function name_any as compiled for the processor
 *       at hand;
 *
 *   #define TARGETS_BODY "vec/x_lanes.h"
 *   #include "vec/targets_each.h"
 *       compiles a file once for each: TARGET is the attribute that says for which, WAY(f) the
 *       name of f there, and TARGETED(f) the one for the processor at hand. Compilers take lanes
 *       (lanes.h) apart as a function is first read, by what is known of the processor there;
 *       where inlining comes too late for that, this is the way.
 *
 * Intrinsics are for what has no other form: gathers, masks, shuffles, fused steps. All ways give
 * the same bits: none fuses what is not written as fma, or changes the order of sums. */
#ifndef PERC_TARGETS_H
#define PERC_TARGETS_H

#include <stdbool.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc knows only -ffp-contract=off, its default in ISO mode */
#endif

#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_TARGETS 1
#include <immintrin.h>

#define FOR_AVX2   __attribute__((target("avx2,fma")))
#define FOR_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma")))

/* All processors with AVX2 have fused steps, but for a few of VIA: those take the plain way. */
static inline bool have_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static inline bool have_avx512(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

#define TARGETED(name) (have_avx512() ? name##_avx512 : have_avx2() ? name##_avx2 : name##_plain)
#define TARGETS(name, parameters, arguments)        \
    static void name##_plain parameters             \
    {                                               \
        name##_any arguments;                       \
    }                                               \
    FOR_AVX2 static void name##_avx2 parameters     \
    {                                               \
        name##_any arguments;                       \
    }                                               \
    FOR_AVX512 static void name##_avx512 parameters \
    {                                               \
        name##_any arguments;                       \
    }                                               \
    static void name parameters                     \
    {                                               \
        TARGETED(name) arguments;                   \
    }
#else
#define TARGETED(name) name##_plain
#define TARGETS(name, parameters, arguments) \
    static void name parameters              \
    {                                        \
        name##_any arguments;                \
    }
#endif

#endif
