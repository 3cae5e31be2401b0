/* trials.h -- many trainings on one data set, each without some of the rows.
 *
 * The model of trial t is what perc_fit gives when the rows that the trial leaves out
 * have weight 0, to the bit, and had no part in what was measured before (data/measure.h).
 * Several trials run at once, on threads or side by side in one walk over the rows
 * (learn/abreast.h); what comes out does not depend on it. */
#ifndef PERC_TRIALS_H
#define PERC_TRIALS_H

#include "base/watch.h"
#include "model/model.h"

enum { TRIAL_NAME = 64 };

/* One of them, when it has been trained. */
struct trial {
    struct env e; /* one thread */
    size_t number;
    const perc_model *m;
    const perc_dataset *ds; /* all rows, as a model of the chosen ones reads them */
    const uint8_t *chosen;
    const struct watch *watch; /* that of the observer */
};

struct trials {
    struct env e;
    const perc_dataset *ds;
    const perc_params *p;
    const perc_observer *observer; /* sees a trial as a pass; may be NULL */
    size_t count;
    void *ud;
    /* chosen[i] = 1 for the rows that trial t learns from, 0 for the others. */
    void (*choose)(const void *ud, size_t t, uint8_t *chosen);
    /* Looks at the model of trial t, which goes away afterwards, with the rows as it sees them. On
     * any thread, several at once. */
    perc_status (*judge)(void *ud, const struct trial *trial, perc_error *err);
    /* What messages call it: "fold 3". */
    void (*name)(const void *ud, size_t t, char name[TRIAL_NAME]);
};

/* Of several failures the first trial's is reported. PERC_EARG: the observer has
 * cancelled. The time limit, if there is one, is that of each trial. */
perc_status trials_run(const struct trials *t, perc_error *err);

#endif
