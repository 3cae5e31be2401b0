/* map.h -- polynomial threshold functions: a linear machine that sees, in place of
 * a row, the products of its features.
 *
 *   poly:D            every monomial of degree 1 .. D, powers included: for D = 2 and
 *                     two features  x1, x1^2, x2, x1*x2, x2^2. The constant is the
 *                     machine's offset.
 *   poly:D:hash:BITS  the same monomials added up, with a random sign, in 2^BITS
 *                     buckets (Weinberger, Dasgupta, Langford, Smola, Attenberg 2009)
 *   products:D        all n^D products of D features in order, x1*x2 beside x2*x1:
 *                     phi(x).phi(z) = (x.z)^D (products.h)
 *   lift:D, lift:D:C  every monomial of degree 0 .. D times the root of its factor in
 *                     (x.z + C)^D, so that phi(x).phi(z) is that kernel; C is 1 unless
 *                     given. With C = 0 only those of degree D are left.
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
 * map_name tells which monomial a column is.
 *
 * A lift has a column for the constant too: first + rank. With C = 0 every a_i is at
 * least 1, and (1) counts with a_i - 1 in place of a_i.
 *
 * The factors of a lift. By the multinomial theorem the monomial with exponents e_i, and
 * e_0 = D - sum of e_i for the constant, has in (x.z + C)^D the factor
 *
 *     m = D! / (e_0! e_1! ... e_n!)  C^e_0                                          (2)
 *
 * and sqrt(m) in the image. */
#ifndef PERC_MAP_H
#define PERC_MAP_H

#include "base/base.h"
#include "vec/row.h"

enum { MAP_DEGREE_MAX = 8, MAP_BITS_MAX = 30 };
#define MAP_CONSTANT_MAX 1e30                /* C; its powers are numbers */
#define MAP_COLUMNS_MAX  ((uint64_t)1 << 31) /* 16 GiB of weights */
#define MAP_ENTRIES_MAX  ((uint64_t)1 << 28) /* of one row's image: 3 GiB, hashed 6 */

enum map_kind { MAP_POLY, MAP_PRODUCTS, MAP_LIFT };

/* Plain data: copied by assignment, nothing to free. Zeroed, it is "none". */
struct map {
    enum map_kind kind;
    double c;        /* MAP_LIFT: C >= 0 */
    unsigned degree; /* 0: no map */
    unsigned bits;   /* 0: one column a monomial; else 2^bits buckets */
    uint64_t inputs; /* 1 + the largest column of the data; what lies beyond is left out */
    uint64_t first;  /* the index base of the data, and of the image */
};

/* Reads "none" or a map as above; inputs and first are set to 0. poly:1, products:1 and
 * lift:1:0 are the same as none, and become it. PERC_EARG. */
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
    return a->kind == b->kind && a->degree == b->degree && a->bits == b->bits && a->c == b->c;
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
 * buckets are sorted or products are made. */
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
 * (x2 (x2 x1)); one of products:D in its own order. The entries of a lift are without their
 * factors: map_factors. A bucket is summed up in the order of the ranks. Zeros stored in x
 * play no part, so dense and sparse copies of a row have the same image. Not for the
 * identity. */
size_t map_row(const struct map *m, const struct row *x, uint32_t *column, double *value);

/* The features that are multiplied in a column of the image, the highest first (of products:D the
 * last), by their columns in the data; returns how many. Not for buckets. */
unsigned map_features(const struct map *m, uint64_t column, uint64_t feature[MAP_DEGREE_MAX]);
/* The factor (2) of a column of the image, exactly: `multinomial` C^power. Both are those of
 * the number 1 where there are no factors. */
struct map_factor {
    uint32_t multinomial; /* at most 8! */
    unsigned power;
};
struct map_factor map_factor(const struct map *m, uint64_t column);
/* The roots of the factors of the first n entries of an image. They are the same for every
 * row: entry i of any image is made of entries of the row as the monomial of rank i is made
 * of features. Only of a lift. */
void map_factors(const struct map *m, size_t n, double *root);

/* Appends the name of a column first .. map_columns() - 1: "x1*x3", "x2^2", "bucket 17",
 * "sqrt(2)*x1*x2" of a lift, where the constant is "1" or "sqrt(3)".
 * `name` appends that of an input column; NULL: "x" and its number. */
typedef void map_name_fn(void *ud, uint64_t column, struct text *out);
void map_name(const struct map *m, uint64_t column, map_name_fn *name, void *ud, struct text *out);

#endif
