/* monomials.h -- products of features and their numbers from 1. */
#ifndef PERC_MONOMIALS_H
#define PERC_MONOMIALS_H

#include "base/base.h"

struct monomials {
    struct env e;
    uint64_t degree;
    uint32_t *key;  /* `degree` per product: features, rising, then 0 */
    size_t n, cap;  /* products; cap counts features */
    uint32_t *slot; /* hash of a product to its number; 0 is empty */
    size_t slots;
};

void monomials_init(struct monomials *m, const struct env *e, uint64_t degree);
void monomials_free(struct monomials *m); /* safe on a zeroed one */
/* The number of the product of `keys` features; 0: it is not there. */
uint32_t monomials_find(const struct monomials *m, const uint32_t *key, size_t keys);
/* Likewise, added where it is not there. 0: out of memory, or of numbers. */
uint32_t monomials_add(struct monomials *m, const uint32_t *key, size_t keys);

#endif
