/* row.h -- a row of data, and the inner loops over it.
 *
 * A row is a view: it owns nothing. Its values are stored in one of several
 * lossless encodings, its columns as 16-, 32- or 64-bit numbers or not at all
 * (dense). Only this file and row*.c know how to read them quickly; row_many.h has the
 * loops where many weight vectors stand side by side.
 *
 * The canonical score is  s = (((0 + w_1 x_1) + w_2 x_2) + ...) + b  in the
 * order of the columns, each operation rounded to double. Zeros change nothing,
 * so dense and sparse copies of a row give the same bits; and any code that
 * keeps this order, however it interleaves rows, gives them too.
 *
 * A fused chain, that of kernels, runs in the same order, but each step is rounded once:
 *
 *     s = fma(x_1, z_1, 0);  s = fma(x_2, z_2, s);  ...;  s + 0
 *
 * A step with a zero in it changes nothing but the sign of a zero, which products that
 * underflow may have left; the last sum makes all zeros +0. */
#ifndef PERC_ROW_H
#define PERC_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum values {
    VALUES_ONES, /* every entry is 1: nothing is stored                      */
    VALUES_U8,   /* whole numbers 0 .. 255                                   */
    VALUES_DEC,  /* u32: decimal_pack()                                      */
    VALUES_F32,
    VALUES_F64
};

enum indices {
    INDEX_DENSE, /* columns first, first + 1, ...                            */
    INDEX_U16,
    INDEX_U32,
    INDEX_U64
};

/* Bytes of a value. */
static inline size_t row_value_size(int values)
{
    static const unsigned char size[] = {
        [VALUES_ONES] = 0, [VALUES_U8] = 1, [VALUES_DEC] = 4, [VALUES_F32] = 4, [VALUES_F64] = 8
    };

    return size[values];
}

struct row {
    const void *value; /* NULL with VALUES_ONES                              */
    const void *index; /* NULL with INDEX_DENSE; increasing                  */
    size_t n;          /* entries                                            */
    uint64_t first;    /* INDEX_DENSE: column of entry 0                     */
    ptrdiff_t stride;  /* bytes from one value to the next                   */
    unsigned char values, indices;
    uint32_t number; /* in its data set, from 0; of larger sets, the lower half        */
};

/* ----- short decimals in 32 bits ---------------------------------------- */

/* Value = (-1)^negative * mantissa / 10^places: bits 0-23 mantissa, 24-28
 * places, 29 sign. Both operands of the division are exact doubles, so the
 * quotient is the correctly rounded value of the decimal (Clinger 1990). */
enum { DEC_MANTISSA_BITS = 24, DEC_PLACES_MAX = 22 };

static inline uint32_t decimal_pack(uint32_t mantissa, unsigned places, bool negative)
{
    return mantissa | (uint32_t)places << 24 | (uint32_t)negative << 29;
}

extern const double decimal_divisor[64]; /* +-10^places, by bits 24-29 */

static inline double decimal_unpack(uint32_t v)
{
    return (double)(v & 0xffffffu) / decimal_divisor[v >> 24];
}

/* ----- one entry, for code where speed does not matter ------------------- */

uint64_t row_column(const struct row *r, size_t k);
double row_value(const struct row *r, size_t k);
/* The entry in a column; 0 where there is none. */
double row_entry(const struct row *r, uint64_t column);

/* ----- some hundred entries at a time, for loops that are not among those below ----- */

enum { ROW_PIECE = 256 };
struct row_entries {
    double x[ROW_PIECE];
    uint64_t column[ROW_PIECE];
};
/* The entries from `from` on, as many as fit; returns how many. */
size_t row_entries_read(const struct row *r, size_t from, struct row_entries *p);

/* ----- the inner loops --------------------------------------------------- */

/* Columns at or beyond `dims` have weight 0 and are skipped; a caller who knows
 * that there are none passes ALL_COLUMNS, which saves the comparison. */
#define ALL_COLUMNS UINT64_MAX
double row_dot(const struct row *r, const double *w, uint64_t dims); /* without b */

/* The dots of k <= ROW_DOTS rows with the same w: out[i] has the bits of
 * row_dot(&r[i], ...). Interleaving the rows hides the latency of the sums. */
enum { ROW_DOTS = 4 };
void row_dots(const struct row *r, int k, const double *w, uint64_t dims, double *out);
/* The same by fused chains. */
void row_dots_fused(const struct row *r, int k, const double *w, uint64_t dims, double *out);

/* A quick score: the terms summed in whatever order is fastest, and the sum of
 * their sizes. Where |sum + b| exceeds quick_bound() it has the sign of the
 * canonical score; elsewhere ask row_dot. */
struct quick {
    double sum, size; /* of w_j x_j, of |w_j x_j| */
    double norm2;     /* of x_j^2, within a part in 10^12; row_measure only */
};
struct quick row_quick(const struct row *r, const double *w);
struct quick row_measure(const struct row *r, const double *w);

/* Either sum of n terms is off by at most (n + 1) u (size + |b|) and a little,
 * u = 2^-53, in any order of summation (Higham 2002, section 4.2), the quick one
 * by 3 u more because it may take decimals approximately; twice the two of them
 * leaves room for the rounding of `size` itself. */
static inline double quick_bound(const struct quick *q, size_t n, double b)
{
    return (double)(n + 8) * 0x1p-51 * (q->size + (b < 0 ? -b : b)) + 1e-300;
}

/* w_j += a x_j, each product rounded, then each sum. */
void row_axpy(double a, const struct row *r, double *w, uint64_t dims);

/* Whether no value is 2^400 or more. row_is_tiny: all are below 2^-149, but not all are 0
 * (learn/learner.c says what for). */
bool row_is_ordinary(const struct row *r);
bool row_is_tiny(const struct row *r);
double row_norm2(const struct row *r);       /* sum of squares, in order */
double row_norm2_fused(const struct row *r); /* by a fused chain */
void row_prefetch(const struct row *r);

double row_weights_norm2(const double *w, uint64_t n);

#endif
