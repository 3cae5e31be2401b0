/* canonical.h -- a hash of the rows of a data set, by which a certificate knows its data.
 *
 * It depends on the labels and the exact numbers of the rows, in their order, and on
 * nothing else: not on compression, line ends, comments, blanks, the form of a number
 * ("1.50", "15e-1"), zeros that are written out, or CSV against LIBSVM. Names of
 * features and how many there are do not count; nor do weights of rows, but for 0: such a row is no
 * part of a proof, so all that the hash has of it is that it is there.
 *
 * Definition. The text of a row, in bytes, is
 *
 *     label  entry*  newline          and of a row of weight 0:      "0"  newline
 *
 *     label   the length of the label in bytes, in decimal, ":", and the label; "-" if the
 *             row has none. The label is its key (labels.h): a number's are all its
 *             digits without zeros at either end, as "%.17g" lays them out (plain from 1e-4
 *             to 1e17, else d.ddde+XX; no "+", "0" for -0); a word's is the word.
 *     entry   one for each number that is not 0, by rising feature:
 *                 " " feature ":" mantissa "e" exponent
 *             The number is mantissa * 10^exponent, exactly. The mantissa is a whole
 *             number in decimal, without leading zeros and not a multiple of 10, with
 *             "-" in front if it is negative; the exponent is a whole number, "0" or
 *             without leading zeros, with "-" in front if it is negative. Features count
 *             from 1: column - index base + 1.
 *
 * Rows 1 to 4096 are the first group, and so on; the last may be smaller. The hash of a
 * group is the SHA-256 of the texts of its rows, one after another. The hash of the data
 * set is the SHA-256 of
 *
 *     "perceptron rows 1\n"  number of rows in decimal "\n"  and for each group, in order,
 *     its hash as 64 hexadecimal digits in lower case "\n"
 *
 * So "+1 1:1.50 3:-20" is "1:1 1:15e-1 3:-2e1\n". tests/oracle/canonical_reference.py
 * does the same in a few lines. */
#ifndef PERC_CANONICAL_H
#define PERC_CANONICAL_H

#include "base/sha256.h"
#include "data/dataset.h"

enum { CANONICAL_GROUP = 4096 };

/* The hash, in hexadecimal. Groups go to several threads; it is the same for any number
 * of them. PERC_ENOMEM. */
perc_status canonical_hash(const perc_dataset *ds, char hex[SHA256_HEX], perc_error *err);

#endif
