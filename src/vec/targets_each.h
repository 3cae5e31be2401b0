/* targets_each.h -- compiles TARGETS_BODY once for each kind of processor (targets.h). */
#define TARGET
#define WAY(name) name##_plain
#include TARGETS_BODY
#undef TARGET
#undef WAY

#ifdef HAVE_TARGETS
#define TARGET    FOR_AVX2
#define WAY(name) name##_avx2
#include TARGETS_BODY
#undef TARGET
#undef WAY

#define TARGET    FOR_AVX512
#define WAY(name) name##_avx512
#include TARGETS_BODY
#undef TARGET
#undef WAY
#endif
#undef TARGETS_BODY
