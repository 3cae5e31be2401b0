/* matrix.h -- products of matrices of floats, for networks.
 *
 * Every element of a product is one chain of fused steps, in the order of the inner index:
 *
 *     c = fma(a_0, b_0, c);  c = fma(a_1, b_1, c);  ...            each rounded once
 *
 * A step with a = 0 changes nothing (but the sign of a zero, on which nothing depends), so that
 * rows without their zeros give the bits of rows with them; and chains do not care how a matrix is
 * cut into tiles, how wide a register is, or which thread computes what. So training a network
 * gives the same bytes on any machine, from dense data and from sparse. A BLAS is as fast, but
 * sums in an order of its own (docs/performance.md has the comparison).
 *
 * Matrices are stored row by row. The stride of a row is a multiple of MATRIX_LANES floats, and
 * what is beyond its last column is 0 in every matrix that is read: padding is computed with,
 * and comes out as 0. They may start anywhere, but at a multiple of 64 bytes are up to twice as
 * fast. */
#ifndef PERC_MATRIX_H
#define PERC_MATRIX_H

#include <stddef.h>
#include <stdint.h>

enum { MATRIX_LANES = 16 };

static inline size_t matrix_stride(size_t columns)
{
    return (columns + MATRIX_LANES - 1) / MATRIX_LANES * MATRIX_LANES;
}

/* C += A B: m x n, over an inner index of k. Element (i, l) of A stands at a[i * ai + l * al],
 * so that (1, stride) reads A transposed. n is a multiple of MATRIX_LANES; row l of B at
 * b + l * bs, row i of C at c + i * cs. */
void matrix_add(size_t m, size_t n, size_t k, const float *a, size_t ai, size_t al, const float *b,
                size_t bs, float *c, size_t cs);

/* Rows of which only some entries are stored, in increasing order of their columns. */
struct sparse {
    size_t rows;
    const uint32_t *start; /* rows + 1 offsets */
    const uint32_t *column;
    const float *value;
};

/* Row i of C += sum over the entries of row from + i of x, in turn, of value * (row `column` of
 * B): rows from .. to - 1. n is a multiple of MATRIX_LANES. */
void matrix_add_sparse(const struct sparse *x, size_t from, size_t to, size_t n, const float *b,
                       size_t bs, float *c, size_t cs);

/* to (columns x rows) = from (rows x columns), transposed; the padding of `to` is set to 0. */
void matrix_transpose(size_t rows, size_t columns, const float *from, size_t fs, float *to,
                      size_t ts);

#endif
