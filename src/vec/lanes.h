/* lanes.h -- LANES doubles side by side, for code that treats several rows alike.
 *
 * A `lanes` is LANES numbers, and an operation on it is LANES operations, each rounded
 * as it would be alone: lane i never learns what the others hold. With the compiler's
 * vector types this is written once, as plain C, and compiled for several kinds of
 * processor, all of which give the same bits.
 *
 * Functions take lanes by pointer. By value they would travel in registers on some
 * processors and in memory on others, and compilers warn of that. */
#ifndef PERC_LANES_H
#define PERC_LANES_H

#include <stdint.h>

enum { LANES = 8 };

typedef double lanes __attribute__((vector_size(8 * LANES), may_alias));
/* What a comparison gives: in each lane all bits, or none. */
typedef int64_t lanes_mask __attribute__((vector_size(8 * LANES), may_alias));

#define LANES_INLINE static inline __attribute__((always_inline))

#define lanes_all(v)           ((lanes){ 0 } + (v)) /* every lane v; -0 becomes 0 */
/* a where the mask says so, else 0; else b. */
#define lanes_only(mask, a)    ((lanes)((mask) & (lanes_mask)(a)))
#define lanes_pick(mask, a, b) ((lanes)(((mask) & (lanes_mask)(a)) | (~(mask) & (lanes_mask)(b))))

#endif
