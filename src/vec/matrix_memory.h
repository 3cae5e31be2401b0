/* matrix_memory.h -- memory for matrices whose rows begin at cache lines. A register of 64 bytes
 * that is loaded across two lines costs two loads: products are up to half as fast then. */
#ifndef PERC_MATRIX_MEMORY_H
#define PERC_MATRIX_MEMORY_H

#include "base/base.h"

/* Zeros, rows x stride, the stride being a multiple of MATRIX_LANES. NULL: out of memory, or more
 * than size_t can count. */
float *matrix_new(const struct env *e, uint64_t rows, size_t stride);
/* Sizes as given to matrix_new; p may be NULL. */
void matrix_free(const struct env *e, float *p, uint64_t rows, size_t stride);

#endif
