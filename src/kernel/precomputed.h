/* precomputed.h -- a kernel that is given as a matrix.
 *
 * The data are the matrix: row i of the training data has K(x_i, x_j) in column j, for all training
 * rows j; a row to be predicted has its kernel values with the training rows in the same columns.
 * Rows are the training rows in their order, so that the matrix is square; or each says which one
 * it is, by a number from 1 on in a column before the others (LIBSVM's 0:NUMBER), and there may be
 * fewer of them: a part of a larger matrix. */
#ifndef PERC_PRECOMPUTED_H
#define PERC_PRECOMPUTED_H

#include "data/dataset.h"
#include "kernel/kernel.h"

/* Finds where the columns of the training rows begin, and whether rows are numbered: k->first,
 * k->numbered. PERC_EARG: the data were scaled or mapped. PERC_EDATA names the line: the matrix is
 * not square, a number is wrong, or K(x_i, x_j) is not K(x_j, x_i). O(rows^2). */
perc_status precomputed_fit(const struct env *e, struct kernel *k, const perc_dataset *ds,
                            perc_error *err);
/* PERC_EDATA: K of rows i and j of ds, i < j, is not the same both ways. */
perc_status precomputed_not_symmetric(const perc_dataset *ds, const struct kernel *k, size_t i,
                                      size_t j, perc_error *err);
/* Whether a row may be predicted: it has the columns of the training rows, all below `columns`, and
 * no others; line 0: unknown. PERC_EDATA. */
perc_status precomputed_check_row(const struct kernel *k, uint64_t columns, const struct row *x,
                                  int64_t line, perc_error *err);
/* Whether x may be what a machine keeps of a row, the i-th in its file: where K is precomputed, a 1
 * in the column of a training row. PERC_EDATA. */
perc_status precomputed_check_kept(const struct kernel *k, const struct row *x, size_t i,
                                   perc_error *err);

#endif
