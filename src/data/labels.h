/* labels.h -- the distinct labels of a data set.
 *
 * A label that reads as a number is that number ("1", "+1" and "1.0" are one
 * label, written "1"); anything else is a word. Sorted, numbers come in order
 * of value, then words in order of bytes; the later of two is the class +1. So
 * the sign of a model never depends on which label the file shows first. */
#ifndef PERC_LABELS_H
#define PERC_LABELS_H

#include "base/base.h"

#define LABEL_NONE UINT32_MAX /* the number of no label */
enum { LABELS_MAX = 100000 };

struct label {
    char *text;    /* canonical: the shortest text of a number, or the word */
    double number; /* NaN for a word */
};

struct labels {
    struct env e;
    struct label *at;
    size_t n, cap;
    uint32_t *slot; /* hash of text to number + 1; 0 is empty */
    size_t slots;
};

void labels_init(struct labels *l, const struct env *e);
void labels_clear(struct labels *l); /* empty it, keep the memory for slots */
void labels_free(struct labels *l);
perc_status labels_copy(const struct env *e, const struct labels *from, struct labels *to);

/* The number of a label, added if new. PERC_EDATA beyond LABELS_MAX; the text
 * is the file's, and is made canonical here. A label "nan" or "inf" is refused. */
perc_status labels_add(struct labels *l, const char *text, size_t len, uint32_t *id,
                       perc_error *err);
/* Adds the labels of `from`, and renumbers the n that refer to them (or are LABEL_NONE). */
perc_status labels_join(struct labels *l, const struct labels *from, uint32_t *number, size_t n,
                        perc_error *err);
/* Whether a text may be a label; PERC_EDATA. */
perc_status labels_check(const char *text, size_t len, perc_error *err);
/* LABEL_NONE if it is not there. */
uint32_t labels_find(const struct labels *l, const char *text, size_t len);

/* Sorts; map has room for n and gets the new number of each old one. PERC_ENOMEM. */
perc_status labels_sort(struct labels *l, uint32_t *map);

#endif
