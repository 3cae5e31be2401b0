/* map.h -- polynomial threshold functions: a linear machine that sees, in place of
 * a row, the products of its features.
 *
 *   poly:D            every monomial of degree 1 .. D, powers included: for D = 2 and
 *                     two features  x1, x1^2, x2, x1*x2, x2^2. The constant is the
 *                     machine's offset.
 *   poly:D:hash:BITS  the same monomials added up, with a random sign, in 2^BITS
 *                     buckets (Weinberger, Dasgupta, Langford, Smola, Attenberg 2009)
 *
 * The image of a row is made when it is needed and never stored for a data set.
 *
 * The numbering. Let the features be the variables 1 .. n and the constant 1 the
 * variable 0. A monomial of degree at most D is then a multiset of D variables
 * a_1 >= a_2 >= ... >= a_D >= 0, and
 *
 *     rank = C(a_1 + D - 1, D) + C(a_2 + D - 2, D - 1) + ... + C(a_D, 1)          (1)
 *
 * counts those that come before it when they are sorted by a_1, then a_2, ...: the
 * combinatorial number system (Lehmer 1964; Knuth, TAOCP 4A, 7.2.1.3). The constant
 * alone has rank 0, x1 has rank 1. All monomials of the first n variables come before
 * the first one with variable n + 1: the number of a monomial does not depend on how
 * many features there are, and a stream that meets a new feature only appends.
 * The rank gives the column  first + rank - 1, so that the image keeps the index base
 * of the data. For D = 1 that is the feature's own column; for D > 1 it is not, and
 * map_name tells which monomial a column is. */
#ifndef PERC_MAP_H
#define PERC_MAP_H

#include "base/base.h"
#include "vec/row.h"

enum { MAP_DEGREE_MAX = 8, MAP_BITS_MAX = 30 };
#define MAP_COLUMNS_MAX ((uint64_t)1 << 31) /* 16 GiB of weights */
#define MAP_ENTRIES_MAX ((uint64_t)1 << 28) /* of one row's image: 3 GiB, hashed 6 */

/* Plain data: copied by assignment, nothing to free. Zeroed, it is "none". */
struct map {
    unsigned degree; /* 0: no map */
    unsigned bits;   /* 0: one column a monomial; else 2^bits buckets */
    uint64_t inputs; /* 1 + the largest column of the data; what lies beyond is left out */
    uint64_t first;  /* the index base of the data, and of the image */
};

/* Reads "none", "poly:D" or "poly:D:hash:BITS"; inputs and first are set to 0.
 * poly:1 is the same as none, and becomes it. PERC_EARG. */
perc_status map_parse(const char *spec, struct map *out, perc_error *err);
enum { MAP_SPEC = 32 };
void map_option(const struct map *m, char buf[MAP_SPEC]); /* what map_parse reads */
/* Whether rows pass unchanged; NULL is the identity too. */
static inline bool map_is_identity(const struct map *m)
{
    return m == NULL || m->degree == 0;
}
/* Whether both have the same specification. */
static inline bool map_same(const struct map *a, const struct map *b)
{
    return a->degree == b->degree && a->bits == b->bits;
}

/* 1 + the largest column of the image when the data have `inputs` columns, as
 * m->inputs counts them; UINT64_MAX if there are that many, or more. */
uint64_t map_columns(const struct map *m, uint64_t inputs);
/* Gives the map its data; on a stream, again whenever columns were added. PERC_EARG,
 * and the map is unchanged, if there would be more than MAP_COLUMNS_MAX columns: the
 * message says how many, and what to do. */
perc_status map_set_inputs(struct map *m, uint64_t first, uint64_t inputs, perc_error *err);

/* Monomials of a row with n entries other than 0 (UINT64_MAX: at least that many);
 * and how many elements the arrays of map_row must have, which is more where
 * buckets are sorted. */
uint64_t map_entries(const struct map *m, uint64_t n);
uint64_t map_room(const struct map *m, uint64_t n);

/* The part of a row that has an image: the entries other than 0 in columns first .. inputs - 1. */
struct support {
    size_t n;
    double largest; /* |x_j|, 0 without entries */
    uint64_t at;    /* j */
    bool below;     /* an entry other than 0 lies below `first` */
};
struct support map_support(const struct map *m, const struct row *x);

/* Writes the image of x, in increasing order of its columns, and returns the number
 * of entries. `column` and `value` have map_room(m, map_support(m, x).n) elements. A
 * monomial is multiplied from its lowest column up, each product rounded: x1*x2^2 is
 * (x2 (x2 x1)). A bucket is summed up in the order of the ranks. Zeros stored in x play
 * no part, so dense and sparse copies of a row have the same image. Not for the identity. */
size_t map_row(const struct map *m, const struct row *x, uint32_t *column, double *value);

/* Appends the name of a column first .. map_columns() - 1: "x1*x3", "x2^2", "bucket 17".
 * `name` appends that of an input column; NULL: "x" and its number. */
typedef void map_name_fn(void *ud, uint64_t column, struct text *out);
void map_name(const struct map *m, uint64_t column, map_name_fn *name, void *ud, struct text *out);

#endif
