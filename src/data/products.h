/* products.h -- products:D, all products of D features in order: the map of the kernel
 * (x.z)^D in its plainest form,
 *
 *     phi(x).phi(z) = sum over i_1 .. i_D of x_{i_1} ... x_{i_D} z_{i_1} ... z_{i_D} = (x.z)^D
 *
 * The numbering. Let the features be 0 .. n - 1, m the largest of a product, and p its first
 * place among the D, from 0. Products are sorted by m, then p, then by the features before that
 * place and after it. There are m^D of features below m, and below m the features before the
 * first m; so a product has the number
 *
 *     m^D + sum_{q < p} m^q (m + 1)^(D-1-q) + before (m + 1)^(D-1-p) + after           (1)
 *
 * where `before` is written with p digits to the base m, and `after` with D - 1 - p to the base
 * m + 1. As in map.h, it does not depend on how many features there are (Rosenberg and Strong's
 * shells, 1972). For map.c alone. */
#ifndef PERC_PRODUCTS_H
#define PERC_PRODUCTS_H

#include "vec/row.h"

enum { PRODUCTS_DEGREE_MAX = 8 };

/* What map.h has of a map: the degree, and which columns of the data have an image. */
struct products {
    unsigned degree;
    uint64_t first, inputs;
};

uint64_t products_count(unsigned degree, uint64_t n); /* n^D, or UINT64_MAX */
/* map_row; n is the size of the row's support, and the arrays have room for n more elements than
 * there are products. */
size_t products_row(const struct products *m, const struct row *x, size_t n, uint32_t *column,
                    double *value);
/* The features of a product, the last first, by their columns in the data. */
unsigned products_features(const struct products *m, uint64_t column,
                           uint64_t feature[PRODUCTS_DEGREE_MAX]);

#endif
