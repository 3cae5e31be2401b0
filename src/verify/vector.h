/* vector.h -- the rows of the data as vectors of whole numbers.
 *
 * An entry is a whole number times a power of 10^9, its place. Entries have numbers (id): 0 is
 * the constant 1 that goes with the offset, the others are the features of the file from 1, or
 * with a polynomial kernel the products of features that were met. Labels are no part of it:
 * a_i = y_i (x_i, 1), and this is (x_i, 1). */
#ifndef PERC_VECTOR_H
#define PERC_VECTOR_H

#include "data/exact.h"
#include "verify/certificate.h"
#include "verify/monomials.h"

/* What a row is to be turned into. */
struct space {
    const perc_dataset *ds;
    enum cert_space kind;
    bool constant;   /* entry 0 is there */
    uint64_t degree; /* CERT_POLY */
    bool homogeneous;
    struct monomials *known; /* CERT_POLY */
    bool learn;              /* new products are added to `known`; else they are left out */
};

struct entry { /* value 10^(9 place); of a feature, value is no multiple of 10^9 */
    uint64_t id;
    int64_t place;
    struct integer value;
};

/* A row; reused for the next one. One per thread. */
struct vector {
    struct env e;
    struct exact_lens lens;
    struct entry *entry;
    size_t n, cap;
    int64_t low, high;  /* the places of all its digits: from low on, below high; 0, 0: none */
    struct entry *base; /* CERT_POLY: the row that products are made of */
    size_t base_n, base_cap;
    struct integer product[CERT_DEGREE + 1];
    int64_t place[CERT_DEGREE + 1];
    uint32_t key[CERT_DEGREE];
    uint64_t made;
};

enum {
    VECTOR_SPAN = EXACT_SPAN, /* powers of ten between the numbers of a row, and of rows */
    /* The same in places: an exponent that is rounded down to one, or each of a product. */
    VECTOR_PLACES = VECTOR_SPAN / INTEGER_FIGURES + CERT_DEGREE + 1,
    VECTOR_PRODUCTS = EXACT_PRODUCTS /* of the features of one row */
};

void vector_init(struct vector *v, const struct env *e);
void vector_free(struct vector *v); /* safe on a zeroed one */
/* PERC_ENOMEM; PERC_EDATA: a row that goes beyond the limits above. */
perc_status vector_row(struct vector *v, const struct space *s, uint64_t row, perc_error *err);
/* Whether two rows without a constant are the same. */
bool vector_same(const struct vector *a, const struct vector *b);
uint64_t vector_hash(const struct vector *v);

#endif
