/* train.h -- the steps of training that a data set in memory and a stream share. */
#ifndef PERC_TRAIN_H
#define PERC_TRAIN_H

#include "learn/pass.h"
#include "model/model.h"

/* Decides which label is +1, from the sorted labels of the data and the option "positive", and
 * makes the classes that are known from the start. late: rows have been shown, of a stream. */
perc_status train_labels(perc_model *m, const struct labels *data, bool late, perc_error *err);
/* A model with the parameters p, set up to be trained on ds. */
perc_status train_new(const struct env *e, const perc_dataset *ds, const perc_params *p,
                      perc_model **out, perc_error *err);
/* Class weights by rarity, if w asks for them: by the rows of weight > 0, all of them or those that
 * `chosen` marks. PERC_ENOMEM. */
perc_status train_balance(const struct env *e, const perc_dataset *ds, const uint8_t *chosen,
                          struct class_weights *w);
/* Called, if wanted, when training is over and before the report is made: what it leaves
 * in the model is what is reported on. */
struct train_end {
    perc_status (*call)(void *ud, perc_error *err);
    void *ud;
};
/* Trains m, which is set up for ds, from where it stands. The arbiter may be NULL. */
perc_status train_run(perc_model *m, const perc_dataset *ds, const perc_observer *observer,
                      const struct arbiter *arbiter, const struct train_end *end,
                      perc_report *report, perc_error *err);
/* perc_fit, with an arbiter; report may be NULL. */
perc_status train_fit(const struct env *e, const perc_dataset *ds, const perc_params *p,
                      const perc_observer *observer, const struct arbiter *arbiter,
                      perc_model **out, perc_report *report, perc_error *err);
/* All rows in the order of the pass: as they stand, or shuffled by (seed, pass), or by the seed
 * alone, so that a run that goes on needs no more than the number of the pass. */
void train_order(const perc_dataset *ds, const perc_params *p, int64_t pass, uint64_t *ref);
/* Ends a pass, and saves the model where a checkpoint is due: if it cannot, the run goes on. */
perc_status train_pass_ended(struct fit *f, perc_model *m, bool *go_on);
/* For a kernel machine: adds the rows of b that count, and their largest K(x, x). */
void train_tally_sizes(struct fit *f, const struct block *b, struct tally *t);
/* Adds up the errors and the loss of rows by their scores: a scorer_put, whose ud is the struct. */
struct train_tally {
    const struct fit *f;
    struct tally *t;
};
void train_tally_rows(void *ud, const struct block *b, size_t from, size_t n, const double *scores);
/* Counts the errors of what is returned and of the last machine when a run is over and its
 * observer has been told so: none, in no rows, if the observer does not want to wait. */
typedef perc_status train_count_fn(void *ud, const struct watch *watch, struct tally *t,
                                   struct tally *last);
perc_status train_count(struct fit *f, train_count_fn *count, void *ud, struct tally *t,
                        struct tally *last);
/* t->rows == 0: the training error is not known. */
void train_report(const perc_model *m, const struct fit *f, const struct tally *t,
                  const struct tally *last, double seconds, perc_report *out);
perc_status train_copy(const struct env *e, const perc_model *from, perc_model **out,
                       perc_error *err);

#endif
