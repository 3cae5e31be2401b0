/* platt.h -- from scores to probabilities: Platt's sigmoid. */
#ifndef PERC_PLATT_H
#define PERC_PLATT_H

#include <stddef.h>
#include <stdint.h>

struct sigmoid { /* p = 1 / (1 + exp(a s + b)), a <= 0: it does not fall with s */
    double a, b;
};

struct platt_rows {
    const double *score; /* of row i: score[i * stride]; finite */
    size_t stride, n;
    const uint32_t *class; /* of row i */
    uint32_t positive;     /* the class that p is for; all others are the rest */
    const double *weight;  /* finite, at least 0; NULL: all 1 */
};

/* The sigmoid of the smallest regularised log loss. Without rows of weight above 0, p is
 * 1/2 everywhere. */
struct sigmoid platt_fit(const struct platt_rows *rows);

/* Probabilities from the scores of a row. One output: two labels, and the score is for the
 * second. More: one label each, the sigmoids divided by their sum. g NULL: a = -1 and b = 0 for
 * all, the scores being log odds. */
void platt_probabilities(const struct sigmoid *g, size_t outputs, const double *scores, double *p);
/* The most probable label of several, the first of equals. */
size_t platt_best(const struct sigmoid *g, size_t outputs, const double *scores);
/* log p of a label, finite also where p rounds to 0. */
double platt_log(const struct sigmoid *g, size_t outputs, const double *scores, size_t label);

#endif
