/* class_weight.h -- weights by label: "spam=2,ham=0.5", or balanced. */
#ifndef PERC_CLASS_WEIGHT_H
#define PERC_CLASS_WEIGHT_H

#include "data/labels.h"

struct class_weights {
    struct env e;
    bool balanced; /* by rarity: class_weights_balance has set them */
    struct labels labels;
    double *weight; /* by label */
    size_t room;
};

/* "": no weights, all labels have 1. PERC_EARG: a part without '=', a weight that is negative or
 * not a number, a label twice. *out need not be initialised. */
perc_status class_weights_parse(const struct env *e, const char *spec, struct class_weights *out,
                                perc_error *err);
void class_weights_free(struct class_weights *c); /* safe on a zeroed struct */
/* 1 for a label that was not named. */
double class_weights_of(const struct class_weights *c, const char *label);
/* rows / (classes * rows of the class), count[i] rows having label i. PERC_ENOMEM. */
perc_status class_weights_balance(struct class_weights *c, const struct labels *labels,
                                  const uint64_t *count);
/* PERC_EDATA if a label was named that is not among these. */
perc_status class_weights_check(const struct class_weights *c, const struct labels *labels,
                                perc_error *err);

#endif
