/* exact.h -- the numbers of a row as the file has them, for proofs.
 *
 * A block keeps each number as the correctly rounded double, or as a short decimal. Short
 * decimals, whole numbers and ones are what the file says. For doubles the decimals are
 * kept beside the block when the data set was read for a proof (perc_dataset_read_exact,
 * struct digits); in a data set that was not, and in a block file, a double stands for
 * the shortest decimal that reads back as it: what `convert` would write. So a proof
 * about a borrowed array is one about its text. Rows that were copied out of a
 * data set (split, gather) leave the digits behind. */
#ifndef PERC_EXACT_H
#define PERC_EXACT_H

#include "data/dataset.h"

/* The limits of proofs. `prove` refuses what is beyond them, so that `verify` can check
 * whatever it certifies. */
enum {
    EXACT_SPAN = 100000,      /* digits from the lowest of a data set to its highest */
    EXACT_DIGITS = 200000,    /* digits of a number of a certificate */
    EXACT_PRODUCTS = 1 << 24, /* of the features of one row, for a polynomial kernel */
    EXACT_DEGREE = 100        /* of such a kernel */
};

/* Scratch for one thread; zeroed, then exact_init. */
struct exact_lens {
    struct env e;
    uint64_t *column;      /* of the last row read: columns of the data set, rising */
    struct decimal *value; /* none is 0. Where it has `more`, `digits` to `end` are all its
                                significant digits, without point, and without zeros at
                                either end; they lie in the data set. Else both are NULL. */
    size_t n, cap_column, cap_value;
};

void exact_init(struct exact_lens *l, const struct env *e);
void exact_free(struct exact_lens *l); /* safe on a zeroed lens */

/* Reads row `row` of ds (from 0) into the lens: l->n entries. PERC_ENOMEM. An entry whose
 * double is 0 counts if its decimal is not 0 (1e-400). */
perc_status exact_row(struct exact_lens *l, const perc_dataset *ds, uint64_t row);
/* The same for row i of a block. */
perc_status exact_block_row(struct exact_lens *l, const struct block *b, size_t i);
/* v as the shortest decimal that reads back as it: at most 17 digits. */
struct decimal exact_double(double v);
/* The power of ten of the very last digit of d, which may have `more`. */
int64_t exact_lowest(const struct decimal *d);

/* Checks that the numbers of all rows, and 1 with `constant`, lie within EXACT_SPAN digits.
 * So do sums of rows then, whatever their powers of ten. PERC_EDATA names the row with the lowest
 * digit. Reads nothing but the exponents. */
perc_status exact_span(const perc_dataset *ds, bool constant, perc_error *err);

#endif
