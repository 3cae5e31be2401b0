/* fit.h -- a run of a learner over data: their labels as classes, the limits, the observer.
 * What happens in it is told in pass.h. */
#ifndef PERC_FIT_H
#define PERC_FIT_H

#include "base/pthreads.h"
#include "base/watch.h"
#include "data/dataset.h"
#include "data/lens.h"
#include "learn/class_weight.h"
#include "learn/learner.h"
#include "learn/nearness.h"

struct arbiter;

struct fit {
    struct learner *learner;
    const perc_observer *observer; /* may be NULL */
    const struct arbiter *arbiter; /* solve/arbiter.h; NULL: there is none */
    struct perc_model *run;        /* the model that events name; NULL: none */
    const struct labels *labels;   /* of the data, which number them in their own way */
    const struct class_weights *weights;
    const struct block *blocks; /* the whole set; NULL on a stream */
    size_t block_count;
    struct lens lens;         /* for the rows that are shown */
    struct nearness nearness; /* decisions within rounding, of this run */
    perc_status st;
    perc_error *err;
    int64_t epochs, updates; /* limits; updates 0: none */
    double time_limit;       /* seconds; 0: none */
    size_t *class_of;        /* by label of the data; CLASS_NONE: not met yet */
    double *weight_of;       /* likewise */
    size_t known;            /* labels of the data that these arrays cover */
    size_t class_cap, weight_cap;
    uint64_t index_base;     /* events show the weights from there on */
    double begin, noticed;   /* clock */
    uint64_t work;           /* entries shown since the clock was read */
    uint64_t entries;        /* of all blocks */
    struct gather *gather;   /* NULL: rows are shown where they lie */
    struct batches *batches; /* of a network; else NULL */
    double pass_loss;        /* of a network: its mean in this pass; else NaN */
    struct ledger *ledger;   /* with a kernel: scores of all rows; NULL: computed each time */
    struct shadow *shadow;   /* in exact arithmetic: the learner borrows it; else NULL */
    double *shown; /* weights and offsets as an observer sees them, where they have a unit */
    size_t shown_cap;
    bool canonical_scores; /* an observer wants exact scores */
    bool quick;            /* a quick score may decide for two classes: pass.c */
    bool literal;          /* the pocket counts the errors of all rows at every update */
    bool jumping;          /* rows come in no order that a cache could guess */
    int64_t checkpoints, checkpoints_failed;
};

/* To be called when more labels of the data are known than before. */
perc_status fit_labels(struct fit *f);
/* Makes a class of label number `id` of the data, if it is not one yet. */
perc_status fit_meet(struct fit *f, size_t id);
/* The clock, and the observer's wish to stop: to be called a few times a second. */
void fit_poll(struct fit *f);
/* Counts the outcome of row i of b and tells the observer. false: the run is over. */
bool fit_count(struct fit *f, const struct block *b, size_t i, size_t class,
               const struct outcome *o);
/* PERC_EDATA: row i of b leads to numbers that are not finite. */
perc_status fit_overflow(const struct learner *l, const struct block *b, size_t i, bool in_memory,
                         perc_error *err);
/* An update by all rows of a batch, or by one row (its number; else -1), for the observer. */
void fit_tell_step(struct fit *f, int64_t row);
/* Tells the observer that a pass has ended; what the run goes on without. */
void fit_tell_pass(struct fit *f);
void fit_warn(struct fit *f, const char *text);

/* Counting the errors of a run that is over: the observer hears of it first, and may cut it short
 * at any time. */
struct fit_counting {
    struct fit *f;
    struct watch watch;
    pthread_mutex_t lock;
    bool skipped; /* under the lock */
};
/* False: they are not to be counted. To be ended in any case. */
bool fit_counting_begin(struct fit_counting *c, struct fit *f);
void fit_counting_end(struct fit_counting *c);

/* What a run says about itself when it is over: errors, loss, radius, added up over the rows of
 * blocks. Rows of weight 0 count for nothing; a row whose label is not a class is an error. */
struct tally {
    uint64_t rows, errors;
    double loss, radius2; /* sum of max(0, -m), m the margin; max |x|^2 */
};
/* The errors of `m`, which has the kind of f's learner. PERC_EUNDECIDED: the watch, which may be
 * NULL, has cut it short. */
perc_status tally_block(const struct fit *f, const struct linear *m, const struct block *b,
                        const struct watch *watch, struct tally *t, perc_error *err);
/* Over all blocks of f, on several threads, added up in order. */
perc_status tally_blocks(const struct fit *f, const struct linear *m, const struct watch *watch,
                         struct tally *out, perc_error *err);

#endif
