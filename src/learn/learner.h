/* learner.h -- what a learning rule is, and the loop around it.
 *
 * A learner has a state; it is shown an example, answers with a score, is told
 * the truth and may change its state: one function, `learn`. A pass over the
 * data, a stream and perc_learn are loops around it, so that all of them make
 * the same updates. */
#ifndef PERC_LEARNER_H
#define PERC_LEARNER_H

#include "base/params.h"
#include "data/dataset.h"
#include "machine/linear.h"

struct outcome {
    double score; /* before learning */
    bool mistake, updated;
};

/* Counters of a run, kept in the model: with them a run can go on. */
struct progress {
    int64_t epoch;         /* passes begun */
    int64_t position;      /* rows shown in the current or last pass */
    bool pass_open;        /* stopped in the middle of a pass */
    int64_t examples, mistakes, updates;
    int64_t pass_mistakes, pass_updates; /* in the current pass */
    perc_stop stop;
};

struct learner {
    const struct rule *rule;
    struct linear machine;
    double rate;
    struct progress progress;
};

enum {
    RULE_ONLINE = 1, /* learns from one example at a time */
    RULE_BATCH = 2,  /* needs the whole data set */
    RULE_SIGN = 4    /* of the score, asks only for the sign: see fit.c */
};

struct rule {
    struct table table; /* name, summary and parameters */
    unsigned flags;
    /* Shows one example. y is -1 or +1. */
    struct outcome (*learn)(struct learner *l, const struct row *x, double y, double weight);
    /* The update alone, after a score that the caller has computed: what learn
     * does with it. With RULE_SIGN the score may be any number of its sign. */
    struct outcome (*settle)(struct learner *l, const struct row *x, double y, double weight,
                             double score);
};

extern const struct rule rule_perceptron;

const struct rule *rule_find(const char *name); /* NULL: no such rule */

#endif
