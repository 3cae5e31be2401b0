/* threshold.h -- from where on a score is an answer. */
#ifndef PERC_THRESHOLD_H
#define PERC_THRESHOLD_H

#include "base/base.h"

enum threshold_of {
    THRESHOLD_RULE,  /* s > 0, the highest score */
    THRESHOLD_SCORE, /* s >= at */
    THRESHOLD_P,     /* p >= at */
    THRESHOLD_MOST,  /* the most probable */
    THRESHOLD_KINDS
};
enum { THRESHOLD_TEXT = 64 };
enum { THRESHOLD_FOLDS = 5 }; /* unless a file says otherwise */

struct threshold {
    enum threshold_of of;
    double at;
    char choice[THRESHOLD_TEXT]; /* "best:f1": how it was found; "": it was given */
};

/* What a threshold is to be best in. */
enum wish_of { WISH_F1, WISH_BALANCED, WISH_COST, WISH_PRECISION, WISH_RECALL };
struct wish {
    enum wish_of of;
    double a, b; /* the least precision or recall; the costs of a false positive and negative */
};

/* "best:..."; PERC_EARG: it is something else. */
perc_status threshold_wish(const char *spec, struct wish *out, perc_error *err);

/* Rows of weight > 0 and what they scored when they were held out. */
struct held_score {
    double score, weight;
    uint64_t row;
    bool positive;
};
/* Sorts the n rows, and finds the threshold. PERC_ENO: none is that good. PERC_EDATA: no row is
 * positive, or none is negative. */
perc_status threshold_choose(const struct wish *w, struct held_score *row, size_t n, double *at,
                             perc_choice *out, perc_error *err);

/* A number that ends at the character `end`, behind which *s goes; or where the text does. */
bool threshold_number(const char **s, char end, double *out);

#endif
