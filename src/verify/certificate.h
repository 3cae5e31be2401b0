/* certificate.h -- a certificate as it stands in its file (docs/certificate-format.md).
 *
 * What the reader lets through has the form of a certificate: every field is there once, and
 * of its type, with the fields that its verdict asks for and no others. Whether it is true is
 * for verify.c to find out. */
#ifndef PERC_CERTIFICATE_H
#define PERC_CERTIFICATE_H

#include "base/watch.h"
#include "data/exact.h"
#include "verify/integer.h"

enum {
    CERT_VERSION = 1,
    CERT_DIGITS = EXACT_DIGITS, /* the longest number */
    CERT_DEGREE = EXACT_DEGREE, /* the highest degree of a polynomial */
    CERT_HASH = 64              /* hexadecimal digits of a hash */
};

enum cert_space { CERT_ROWS, CERT_POLY, CERT_RBF };

/* One number of w: the feature it belongs to, or the features whose product it belongs to. */
struct cert_weight {
    size_t key, keys;     /* key[] .. of the part, `keys` of them */
    bool list;            /* written as an array */
    struct integer value; /* not 0 */
};

/* Rows and their weights. */
struct cert_list {
    uint64_t *row;          /* from 1, rising */
    struct integer *weight; /* of either sign: that is not a matter of form */
    size_t n, weights, cap_row, cap_weight;
    struct integer others; /* `all`: the weight of the rows of C that are not listed */
};

/* The fields of a part, as bits. */
enum {
    PART_POSITIVE = 1,
    PART_NEGATIVE = 2,
    PART_VERDICT = 4,
    PART_STRICT = 8,
    PART_HELD = 16,
    PART_W = 32,
    PART_B = 64,
    PART_NO = 128,
    PART_ALL = 256
};

struct cert_part {
    int64_t line, column;      /* where it begins */
    unsigned fields;           /* those that are there */
    char *positive, *negative; /* negative NULL: all other labels */
    perc_verdict verdict;
    uint64_t strict, held;
    struct cert_weight *w;
    size_t n, cap;
    uint32_t *key; /* features, from 1 */
    size_t key_n, key_cap;
    struct integer b;
    struct cert_list no, all;
};

struct certificate {
    struct env e;
    char sha256[CERT_HASH + 1];
    uint64_t rows, features;
    bool offset;
    enum cert_space space;
    uint64_t degree; /* CERT_POLY */
    bool homogeneous;
    struct cert_part *part;
    size_t parts, cap;
};

/* Reads one from text. PERC_EDATA with line and column; PERC_ENOMEM; PERC_EUNDECIDED where the
 * watch, which is asked at each word of it, says to stop. */
perc_status certificate_read(const struct env *e, const char *text, size_t len,
                             const struct watch *watch, struct certificate *out, perc_error *err);
/* Of all work that was stopped: PERC_EUNDECIDED. */
perc_status certificate_stopped(perc_error *err);
void certificate_free(struct certificate *c); /* safe on a zeroed one */

#endif
