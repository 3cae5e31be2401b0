/* labels.h -- the distinct labels of a data set.
 *
 * A label that is written as a decimal is a number: two of them are one label if
 * they are exactly the same number ("1", "+1", "1.0", "1e0"), however many digits that
 * takes. Digits may be missing on one side of the point (".5"), but a zero too many in
 * front ("007") makes it a word, like anything else that is no decimal ("0x1f", "1_000").
 * A label is shown as it was written first, in the order of the rows.
 *
 * Sorted, numbers come in order of value, then words in order of bytes; the later of
 * two is the class +1. So the sign of a model never depends on which label the file
 * shows first. */
#ifndef PERC_LABELS_H
#define PERC_LABELS_H

#include "base/base.h"
#include "base/spelling.h"

#define LABEL_NONE UINT32_MAX /* the number of no label */
enum { LABELS_MAX = 100000 };

struct label {
    char *text;  /* as it was written first */
    char *key;   /* what it is: of a number, number_canonical; of a word, `text` itself, and so
                    where a number is written like that */
    bool number; /* or a word */
};

struct label_key {
    const char *text;
    size_t len;
    bool number;
};

struct labels {
    struct env e;
    struct label *at;
    size_t n, cap;
    uint32_t *slot; /* hash of key to number + 1; 0 is empty */
    size_t slots;
};

void labels_init(struct labels *l, const struct env *e);
void labels_clear(struct labels *l); /* empty it, keep the memory for slots */
void labels_free(struct labels *l);
perc_status labels_copy(const struct env *e, const struct labels *from, struct labels *to);

/* " (did you mean setosa?)", or "", of a label that is not there. */
const char *labels_hint(const struct labels *l, const char *text, char buf[SPELLING_HINT]);
/* The number of a label, added if new. PERC_EDATA: beyond LABELS_MAX; "nan", "inf", a number
 * beyond doubles, with more than NUMBER_CANONICAL_DIGITS digits or an exponent below -10^6. */
perc_status labels_add(struct labels *l, const char *text, size_t len, uint32_t *id,
                       perc_error *err);
/* Adds a new label to sorted ones, in its place *at: those from there on move up by one. To take
 * it out again cannot fail. */
perc_status labels_insert(struct labels *l, const char *text, size_t len, uint32_t *at,
                          perc_error *err);
void labels_remove(struct labels *l, uint32_t at);
/* That of a finite double: a whole number is itself, to the last digit; any other is the shortest
 * decimal that reads back as it, so that 0.1 meets the text "0.1". Two that differ stay two. */
enum { LABELS_DOUBLE = 352 }; /* characters of -DBL_MAX, and to spare */
perc_status labels_add_double(struct labels *l, double v, uint32_t *id, perc_error *err);
/* Adds the labels of `from`, and renumbers the n that refer to them (or are LABEL_NONE). */
perc_status labels_join(struct labels *l, const struct labels *from, uint32_t *number, size_t n,
                        perc_error *err);
/* Whether a text may be a label; PERC_EDATA. */
perc_status labels_check(const char *text, size_t len, perc_error *err);
/* Whether a text would be the label of a number, be it one that labels_add refuses. */
bool labels_is_number(const char *text, size_t len);
/* LABEL_NONE if it is not there. */
uint32_t labels_find(const struct labels *l, const char *text, size_t len);

/* Sorts; map has room for n and gets the new number of each old one. PERC_ENOMEM. */
perc_status labels_sort(struct labels *l, uint32_t *map);

#endif
