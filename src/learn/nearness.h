/* nearness.h -- decisions that rounding may have made.
 *
 * A perceptron that learns from the images of a lift (data/map.h) or of all products has, on
 * paper, the scores of the kernel perceptron with K(x, z) = phi(x).phi(z), and makes the same
 * mistakes. In doubles the factors are rounded, and where a score is 0 on paper, or nearly so,
 * it may fall on either side. Such decisions are counted.
 *
 * After k updates of at most g, with |phi'(x)| <= R for all rows, phi' = (phi, 1):
 *
 *     an entry of an image is off by at most  r |phi_j|,  r = (2 D + 4) u,  u = 2^-53
 *     |w'| <= k g R, and w' is off by at most  (r + k u) k g R:  images and sums, both rounded
 *     s = w'.phi'(x), of n terms, by at most   (2 r + (k + n + 1) u) k g R |phi'(x)|       (1)
 *
 * to first order; the bound that is used is twice that. Where all images and steps are whole
 * numbers and k g R^2 is below 2^53, nothing is ever rounded, and nothing is counted. */
#ifndef PERC_NEARNESS_H
#define PERC_NEARNESS_H

#include "data/map.h"
#include "learn/learner.h"

struct nearness {
    unsigned degree; /* of the map; 0: nothing is counted */
    bool rounded;    /* an image or a step was not whole */
    double radius2;  /* R^2, of the rows so far */
    double step;     /* g, of the examples so far */
    int64_t count;
};

/* Whether decisions are counted: the rule asks for signs alone, begins at 0, and the map has a
 * kernel that it stands for. */
struct nearness nearness_begin(const struct learner *l, const perc_params *p,
                               const struct map *map);
/* Before an example of weight > 0 is shown, whose image is x. */
void nearness_meet(struct nearness *a, const struct learner *l, const struct row *x, double weight);
/* After it was shown; l->scores are those before it. `updates`: those made before. */
void nearness_judge(struct nearness *a, const struct learner *l, const struct row *x,
                    const struct outcome *o, int64_t updates);
/* The decisions counted; -1: none are. */
static inline int64_t nearness_calls(const struct nearness *a)
{
    return a->degree > 0 ? a->count : -1;
}

#endif
