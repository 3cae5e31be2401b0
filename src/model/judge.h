/* judge.h -- what a model says about some of the rows of the set it was trained on. */
#ifndef PERC_JUDGE_H
#define PERC_JUDGE_H

#include "base/watch.h"
#include "model/model.h"

/* The rows i of a data set with mark[i] == which. */
struct judged {
    const uint8_t *mark;
    uint8_t which;
    const struct watch *watch; /* may cut the judging short: PERC_EUNDECIDED */
};

/* Their number, at most `rows`. */
uint64_t judge_count(const struct judged *p, uint64_t rows);

/* The scores of these rows of ds, on which m was trained, one after the other: the bits
 * of perc_predict. For one thread. */
perc_status judge_scores(const struct env *e, const perc_model *m, const perc_dataset *ds,
                         const struct judged *p, double *scores, perc_error *err);

/* An error at a line of held-out data must not look like one in the training data, whose
 * name the caller would put before it: the line moves into the text. Returns st. */
perc_status judge_failed(perc_status st, perc_error *err);

/* perc_evaluate on these rows alone. */
perc_status judge_rows(const struct env *e, const perc_model *m, const perc_dataset *ds,
                       const struct judged *p, perc_metrics *out, perc_error *err);

#endif
